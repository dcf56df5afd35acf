"""How dice have fallen against what fair dice do: counted and reckoned exactly, in whole numbers and fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from assistant.dataclass import dataclass
from assistant.turn.throws.dice import sides_of


@lru_cache(maxsize=256)
def ways(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways `count` dice come to `count`, `count` + 1, ... `count` * `sides`."""
    found: tuple[int, ...] = (1,)
    for _ in range(count):
        found = tuple(sum(found[max(at - sides + 1, 0):at + 1]) for at in range(len(found) + sides - 1))
    return found


def chance(dice: str, bonus: int, target: int, *, at_most: bool = False) -> Fraction:
    """How likely fair dice are to pass a check: their sum plus `bonus` reaches `target` (or stays within it).

    Raises ValueError for anything but dice such as ``2d6``.
    """
    count, sides = sides_of(dice)
    found = ways(count, sides)
    passed = sum(n for total, n in enumerate(found, count + bonus)
                 if (total <= target if at_most else total >= target))
    return Fraction(passed, sides**count)


def mean(dice: str) -> Fraction:
    """What fair dice such as ``2d6`` come to on average. Raises ValueError for anything else."""
    count, sides = sides_of(dice)
    return Fraction(count * (sides + 1), 2)


@dataclass
class Tally:
    """Throws that are counted together.

    `dice`: how many dice, of them `typed` at the table; `rolled`: their sum, `expected`: the average of fair
    dice; `checks`: throws against a target, of them `passed`, and how many of them fair dice pass on average
    (`chance`).
    """

    dice: int = 0
    typed: int = 0
    rolled: int = 0
    expected: Fraction = Fraction(0)
    checks: int = 0
    passed: int = 0
    chance: Fraction = Fraction(0)

    def add(self, roll: Mapping[str, Any]) -> None:
        """Count a throw as an event holds it (`assistant.turn.throws.dice.roll_data`, `Check.as_data`).

        Raises ValueError for a throw of no dice.
        """
        dice = str(roll["dice"])
        count = sides_of(dice)[0]
        self.dice += count
        self.typed += count if roll.get("typed") else 0
        self.rolled += int(roll["value"])
        self.expected += mean(dice)
        if "target" in roll:
            bonus = sum(int(points) for _, points in roll.get("modifiers", ()))
            self.checks += 1
            self.passed += bool(roll.get("passed"))
            self.chance += chance(dice, bonus, int(roll["target"]), at_most=roll.get("reach") == "at most")

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("dice", "typed", "rolled", "expected", "checks", "passed", "chance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self
