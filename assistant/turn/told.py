"""What a ruleset tells: kinds of event, sentences, figures, bookings, tables in; what reports word out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from assistant.campaign.record import Record
from assistant.dataclass import dataclass


@dataclass(frozen=True)
class EventType:
    """How an event is worded: English text with {braces} (the msgid), and where a report puts it.

    `category`: a word of `CATEGORIES`; `weight`: 0 matters most; `rule`: what is cited by default,
    keys of `Ruleset.citations`; `variants`: when a parameter decides the sentence, (parameter, {value: text});
    `verdicts`: what a check that passed and one that failed came to. The brace {roll} is the ruling.
    """

    type: str
    text: str
    category: str = "news"
    weight: int = 5
    rule: str = ""
    variants: tuple[str, Mapping[str, str]] | None = None
    verdicts: tuple[str, str] | None = None


CATEGORIES = ("battles", "sieges", "moves", "money", "supply", "diplomacy", "works", "sea", "rulings", "news")


@dataclass(frozen=True)
class Fact:
    """A figure of a report's *at a glance*: label (msgid), value now, value at the last report."""

    label: str
    now: int
    was: int | None = None


@dataclass(frozen=True)
class Said:
    """A sentence worded when it is shown: text (msgid with {braces}), what fills them, and a label (msgid)."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True)
class Booking:
    """One movement of money of a faction: the word of its item, the amount (out: below 0), the chest after it."""

    turn: str
    phase: str
    item: str
    amount: int
    balance: int


@dataclass(frozen=True)
class TableOf:
    """A table of a report: title (msgid), rows of one sheet, and the fields to show of them (at most five)."""

    title: str
    record: type[Record]
    fields: tuple[str, ...]
    rows: Sequence[Record]
