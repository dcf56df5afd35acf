"""What a battle may come to: ways to reckon it and to throw it in; its chances, exact or with their error, out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple, Protocol, runtime_checkable

from assistant.campaign.campaign import Campaign
from assistant.turn.findings import Finding
from assistant.turn.told import Said

MOST_DICE = 12
"""Up to so many dice all ways in which they can fall are counted."""
MOST_WAYS = 200_000
"""A battle with more dice is counted where no more ways than these have to be looked at, which takes about a second."""
THROWS = 20_000
"""So often any other battle is thrown."""
SEED = "arbitro odds"
"""Whoever asks again is shown the same throws; they have nothing to do with those of the campaign."""

Throw = Callable[[int], int]
"""A die of so many sides is thrown; what it shows."""


class End(NamedTuple):
    """How a battle ended: the book's word, and how many units each side has lost."""

    outcome: str
    att_lost: int = 0
    def_lost: int = 0


@dataclass(frozen=True)
class Prospect:
    """A battle that may be fought.

    `title`: what it is, for people, and `data`: the same as plain values; `outcomes`: the words that are told of, in
    the book's order; `dice`: how many can be thrown before anything repeats itself; `exact`: each end with its chance,
    counted; `thrown`: one end, with dice that are given; `within`: as `exact`, but None where more ways than a number
    would have to be looked at; where a book does not say that, battles of many dice are thrown.
    """

    title: Said
    outcomes: tuple[str, ...]
    dice: int
    exact: Callable[[], Mapping[End, Fraction | float]]
    thrown: Callable[[Throw], End]
    data: Mapping[str, Any] = field(default_factory=dict)
    within: Callable[[int], Mapping[End, Fraction | float] | None] = lambda most: None


class LeftOut(NamedTuple):
    """An order that would lead to a battle and does not count: its number, and what is said of it."""

    order: str
    why: Finding


class Odds(NamedTuple):
    """Chances of outcomes, 0 to 1; what each side loses on average; `throws`: 0 where all was counted, and `error` the
    standard error of each chance where it was thrown.
    """

    chances: dict[str, float]
    att_lost: float
    def_lost: float
    throws: int
    error: dict[str, float]


@dataclass(frozen=True)
class NotUnderstood:
    """A battle that was typed and cannot be read: what keeps it from that, and a line as it may be written. `most`: how
    many of it there can be, where it is more.
    """

    seen: str
    example: str
    most: int | None = None


@runtime_checkable
class Foresees(Protocol):
    """A ruleset that fights battles itself and knows what they may come to, for `arbitro odds`."""

    def battles_ahead(self, campaign: Campaign) -> list[Prospect | LeftOut]:
        """The battles that the present orders lead to, as the referee sees them, and the orders that would be refused;
        nothing is changed.
        """
        ...

    def typed_battle(self, campaign: Campaign, text: str) -> Prospect | NotUnderstood:
        """A battle that somebody describes in words, by the numbers of this campaign."""
        ...


def odds_of(prospect: Prospect) -> Odds:
    """Exact up to `MOST_DICE` dice or where `MOST_WAYS` are enough, else of `THROWS` throws; always the same bytes."""
    counted = prospect.exact() if prospect.dice <= MOST_DICE else prospect.within(MOST_WAYS)
    ends = _thrown(prospect) if counted is None else counted
    chances = dict.fromkeys(prospect.outcomes, Fraction(0) if counted is not None else 0.0)
    for end, chance in ends.items():
        chances[end.outcome] = chances.get(end.outcome, 0) + chance
    shown = {outcome: float(chance) for outcome, chance in chances.items()}
    error = {outcome: sqrt(p * (1 - p) / THROWS) for outcome, p in shown.items()} if counted is None else {}
    return Odds(shown, float(sum(end.att_lost * chance for end, chance in ends.items())),
                float(sum(end.def_lost * chance for end, chance in ends.items())), 0 if counted is not None else THROWS,
                error)


def _thrown(prospect: Prospect) -> dict[End, Fraction | float]:
    chance = random.Random(SEED)
    found: dict[End, int] = {}
    for _ in range(THROWS):
        end = prospect.thrown(lambda sides: int(chance.random() * sides) + 1)
        found[end] = found.get(end, 0) + 1
    return {end: Fraction(times, THROWS) for end, times in found.items()}
