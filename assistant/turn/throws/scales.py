"""Levels and dice read on a scale: a level or a throw, named modifiers, ends that hold, a printed table.

Beside `Trial`, which asks whether a target is reached, this is the other kind of ruling that rulebooks
know: the sum is kept within the scale and a table says what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from assistant.turn.throws.dice import Asked, RangeTable, Roll
from assistant.turn.throws.rulings import Named, named

A = TypeVar("A")


class Reading(Asked):
    """A level or a throw with named modifiers, and what the table says of the sum.

    `level`: what stood there before modifiers, None where dice alone decide; `roll`: the throw, None where
    the level alone decides; `low`, `high`: where the scale ends, None where it is open.
    """

    __slots__ = ("high", "level", "low", "modifiers", "roll", "table")

    def __init__(self, table: RangeTable, level: int | None, roll: Roll | None, modifiers: Named, low: int | None,
                 high: int | None) -> None:
        self.table, self.level, self.roll, self.modifiers, self.low, self.high = (
            table, level, roll, modifiers, low, high)

    def ask(self, question: Callable[[int], A]) -> A:
        """What a question says of the sum, kept within the scale."""
        if self.level is not None or self.roll is None:
            return question(self._held(self.level or 0))
        return self.roll.ask(lambda shown: question(self._held(shown)))

    def _held(self, start: int) -> int:
        total = start + sum(n for _, n in self.modifiers)
        if self.low is not None:
            total = max(self.low, total)
        return total if self.high is None else min(self.high, total)

    @property
    def verdict(self) -> str:
        """The table's word. Raises LookupError where the table has a gap."""
        return self.row(self.table)

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        thrown = self.roll.as_data() if self.roll is not None else {}
        stood = {} if self.level is None else {"level": self.level}
        return {**thrown, **stood, "modifiers": [list(m) for m in self.modifiers], "total": self.total,
                "verdict": self.verdict}


def read_scale(table: RangeTable, modifiers: Mapping[str, int], *, level: int | None = None,
               roll: Roll | None = None, low: int | None = None, high: int | None = None) -> Reading:
    """Level plus throw plus modifiers, to be read in a table, the sum kept within `low` and `high`.

    A throw beside a level counts by what the modifiers make of it, not by its face (a swing). Modifiers
    that are 0 are not listed.
    """
    return Reading(table, level, roll, named(modifiers), low, high)


@dataclass(frozen=True)
class Steps:
    """A printed row of modifiers: (lowest number, modifier), rising; below the first the first's holds."""

    rows: tuple[tuple[int, int], ...]

    def at(self, number: int) -> int:
        """The modifier for a number."""
        found = self.rows[0][1]
        for low, modifier in self.rows:
            if number >= low:
                found = modifier
        return found
