"""Chapters of a printed book: each declares its numbers and its words beside its rules, and a ruleset lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVarTuple, cast

from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message
from assistant.turn.numbers import DICE, Number, Rules, Switch
from assistant.turn.questions import QuestionType
from assistant.turn.texts import Translations, keyed

__all__ = [
    "DICE", "Chapter", "Citation", "EventType", "Message", "Modifier", "QuestionType", "Rules", "Sentences",
    "in_sheet_order", "modifiers", "number", "switch"]
"""With what a chapter is declared; its module needs no other import for that."""

Case = TypeVarTuple("Case")
Rule = Number | Switch
Variants = tuple[str, Mapping[str, tuple[str, str]]] | None
"""If a parameter decides a sentence: its name, and the sentence for each value in both languages."""


class Chapter(NamedTuple):
    """A chapter of the book, declared in the module that holds its rules, in the order of the printed page.

    `title`: its heading on the ruleset's page; `cites`: the chapter itself, then its tables and notes: the first is
    what its events, numbers and switches rest on unless they say otherwise; `numbers`: the class that declares them;
    `rests_on`: keys of citations instead of the first, such as a phase and a paragraph of it.
    """

    title: str
    cites: tuple[Citation, ...] = ()
    numbers: type[Rules] = Rules
    events: tuple[EventType, ...] = ()
    findings: tuple[Message, ...] = ()
    questions: tuple[QuestionType, ...] = ()
    rests_on: str = ""

    @property
    def rule(self) -> str:
        """What it rests on: the key of its own citation, "" if it has none."""
        return self.rests_on or next((citation.key for citation in self.cites), "")

    def all_cites(self) -> tuple[Citation, ...]:
        """Its citations; its own stands under its title on the ruleset's page."""
        return tuple(citation if citation.heading else citation._replace(heading=self.title)
                     for citation in self.cites)

    def all_events(self) -> tuple[EventType, ...]:
        """Its types of events, each with what it cites."""
        return tuple(event if event.rule else event._replace(rule=self.rule) for event in self.events)

    def all_numbers(self) -> tuple[Rule, ...]:
        """Its numbers and switches, each with what it cites."""
        return tuple(number if number.source else number._replace(source=self.rule)
                     for number in self.numbers.declared)


# Numbers and switches of a chapter: as in `assistant.turn.numbers`, but what they cite is the chapter's.


def number(default: int, unit: str, meaning: str, tag: str = "FOUND", minimum: int = 0, *, source: str = "",
           was: Mapping[str, int] | None = None, setup: bool = False, usual: bool = False) -> int:
    """Declare a number as an attribute of a chapter's `Rules`. `source`: what it cites beside or instead of the
    chapter; `usual`: it stands on the first page of the sheet Rules.
    """
    return cast(int, Number("", default, unit, source, meaning, tag, minimum, was, setup, usual))


def switch(meaning: str, *words: str, source: str = "", options: tuple[str, ...] = (),
           by_edition: Mapping[str, str] | None = None, free: bool = False, pattern: str = "",
           was: Mapping[str, str | Mapping[str, str]] | None = None, setup: bool = False, begins: str = "",
           usual: bool = False) -> Any:
    """Declare a choice as an attribute of a chapter's `Rules`; `source` and `usual` as with a number."""
    return Switch("", options, source, meaning, by_edition, free, pattern, was, words, setup, begins, usual)


class Sentences:
    """Declares what a chapter holds with its words in both languages, noted by the object of a book's texts."""

    def __init__(self, both: Translations) -> None:
        self.both = both

    def event(self, kind: str, category: str, weight: int, english: str, italian: str, *, variants: Variants = None,
              **more: Any) -> EventType:
        """A type of event, with what else `EventType` tells of it. `variants`: each with both languages, too."""
        return EventType(kind, self.both(english, italian), category, weight, variants=self._worded(variants), **more)

    def error(self, code: str, english: str, italian: str, *, variants: Variants = None, **more: Any) -> Message:
        """A finding after which a row does not count, or a phase waits; `variants` as of an event."""
        return Message(code, "error", self.both(english, italian), self._worded(variants), **more)

    def warning(self, code: str, english: str, italian: str, **more: Any) -> Message:
        """A finding that only asks to look again."""
        return self.error(code, english, italian, **more)._replace(severity="warning")

    def _worded(self, variants: Variants) -> tuple[str, Mapping[str, str]] | None:
        return variants and (variants[0], {value: self.both(*words) for value, words in variants[1].items()})

    def number(self, default: int, unit: str, english: str, italian: str, tag: str = "FOUND", minimum: int = 0,
               **more: Any) -> int:
        """A number of the chapter's `Rules`, as `number` declares it."""
        return number(default, unit, self.both(english, italian), tag, minimum, **more)

    def switch(self, english: str, italian: str, *words: tuple[str, str], **more: Any) -> Any:
        """A choice of the chapter's `Rules`, as `switch` declares it. `words`: of each option."""
        return switch(self.both(english, italian), *(self.both(*option) for option in words), **more)


def in_sheet_order(shared: Iterable[Rule], chapters: Iterable[Chapter]) -> tuple[Rule, ...]:
    """The numbers and switches of a book: those of no chapter, then chapter by chapter as it is printed. Raises
    ValueError for a key that is declared twice.
    """
    return tuple(keyed(*shared, *(rule for chapter in chapters for rule in chapter.all_numbers())).values())


# Tables of modifiers.


class Modifier(NamedTuple, Generic[*Case]):
    """A row of a table of modifiers. `label`: as rulings name it, or what names it, such as the weather of the day;
    `times`: how often it counts in a case (True: once); `worth`: the key of the number that it adds each time, or what
    finds the key, "" for 1. A case may be one thing or several, such as the board and a unit.
    """

    label: str | Callable[[*Case], str]
    times: Callable[[*Case], int]
    worth: str | Callable[[*Case], str] = ""


def modifiers(table: Iterable[Modifier[*Case]], rules: Rules, *case: *Case) -> dict[str, int]:
    """What each row of a table adds in a case, by its label; 0 where it does not apply. A board has it as a method."""
    return {row.label if isinstance(row.label, str) else row.label(*case): times * (
        _worth(row, rules, *case) if times else 0) for row in table for times in (int(row.times(*case)),)}


def _worth(row: Modifier[*Case], rules: Rules, *case: *Case) -> int:
    key = row.worth if isinstance(row.worth, str) else row.worth(*case)
    return int(rules[key]) if key else 1
