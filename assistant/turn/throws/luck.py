"""How dice have fallen against what fair dice do: counted and reckoned exactly, in whole numbers and fractions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from assistant.dataclass import dataclass
from assistant.turn.throws.dice import sides_of
from assistant.turn.throws.reads import successes, ways


def chance(dice: str, bonus: int, target: int, *, at_most: bool = False) -> Fraction:
    """How likely fair dice are to pass a trial: their sum plus `bonus` reaches `target` (or stays within it).

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
    dice; `trials`: throws against a target, each die of a counted test being one, of them `passed`, and how many of
    them fair dice pass on average (`chance`).
    """

    dice: int = 0
    typed: int = 0
    rolled: int = 0
    expected: Fraction = Fraction(0)
    trials: int = 0
    passed: int = 0
    chance: Fraction = Fraction(0)

    def add(self, roll: Mapping[str, Any]) -> None:
        """Count a throw as an event holds it (`assistant.turn.throws.rulings`).

        Raises ValueError for a throw of no dice.
        """
        dice = str(roll["dice"])
        count, sides = sides_of(dice)
        self.dice += count
        self.typed += count if roll.get("typed") else 0
        self.rolled += int(roll["value"])
        self.expected += mean(dice)
        if "target" in roll:
            bonus = sum(int(points) for _, points in roll.get("modifiers", ()))
            self.trials += 1
            self.passed += bool(roll.get("passed"))
            self.chance += chance(dice, bonus, int(roll["target"]), at_most=roll.get("reach") == "at most")
        elif "successes" in roll:
            read = successes(sides, int(roll["limit"]), at_least=roll["reach"] == "at least", bounds=roll["bounds"])
            self.trials += count
            self.passed += int(roll["successes"])
            self.chance += Fraction(count * sum(read.of((face,)) for face in range(1, sides + 1)), sides)

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("dice", "typed", "rolled", "expected", "trials", "passed", "chance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self
