"""Levels and dice read on a scale: a level or a throw, named modifiers, ends that hold, a printed table.

Beside `Check`, which asks whether a target is reached, this is the other kind of ruling that rulebooks
know: the sum is kept within the scale and a table says what it means.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.dataclass import dataclass
from assistant.turn.throws.dice import RangeTable, Roll, roll_data


@dataclass(frozen=True)
class Reading:
    """A level or a throw with named modifiers, and what the table says of the sum.

    `level`: what stood there before modifiers, None where dice alone decide; `roll`: the throw, None where
    the level alone decides; `verdict`: the table's word.
    """

    level: int | None
    roll: Roll | None
    modifiers: tuple[tuple[str, int], ...]
    total: int
    verdict: str

    def as_data(self) -> dict[str, object]:
        """For an event: plain values."""
        thrown = roll_data(self.roll) if self.roll is not None else {}
        stood = {} if self.level is None else {"level": self.level}
        return {**thrown, **stood, "modifiers": [list(m) for m in self.modifiers], "total": self.total,
                "verdict": self.verdict}


def read_scale(table: RangeTable, modifiers: Mapping[str, int], *, level: int | None = None,
               roll: Roll | None = None, low: int | None = None, high: int | None = None) -> Reading:
    """Read level plus throw plus modifiers in a table, the sum kept within `low` and `high`.

    A throw beside a level counts by what the modifiers make of it, not by its face (a swing). Modifiers
    that are 0 are not listed. Raises LookupError where the table has a gap.
    """
    named = tuple((name, n) for name, n in modifiers.items() if n)
    start = level if level is not None else roll.total if roll is not None else 0
    total = start + sum(n for _, n in named)
    if low is not None:
        total = max(low, total)
    if high is not None:
        total = min(high, total)
    return Reading(level, roll, named, total, table.at(total))


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
