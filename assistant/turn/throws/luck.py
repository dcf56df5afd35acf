"""How dice have fallen against what fair dice do: counted and reckoned exactly, in whole numbers and fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.turn.throws.dice import sides_of
from assistant.turn.throws.reads import successes, ways


def chance(dice: str, bonus: int, target: int, *, at_most: bool = False,
           natural: Sequence[int] = ()) -> Fraction:
    """How likely fair dice are to pass a trial: their sum plus `bonus` reaches `target` (or stays within it).

    `natural`: what the dice alone may show and never pass, and from what on they always do (`Trial`).

    Raises ValueError for anything but dice such as ``2d6``.
    """
    count, sides = sides_of(dice)
    found = ways(count, sides)
    never, always = natural or (count - 1, count * sides + 1)
    passed = sum(n for shown, n in enumerate(found, count) if shown > never and (
        shown >= always or (shown + bonus <= target if at_most else shown + bonus >= target)))
    return Fraction(passed, sides**count)


def percent(chance: Fraction) -> str:
    """A chance as people say it: ``31 %``, halves rounded up; what may just happen, or just fail, is never 0 or 100."""
    whole = int(chance * 100 + Fraction(1, 2))
    if 0 < chance < 1 and whole in (0, 100):
        return "> 99 %" if whole else "< 1 %"
    return f"{whole} %"


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
            self.chance += chance(dice, bonus, int(roll["target"]), at_most=roll.get("reach") == "at most",
                                  natural=roll.get("natural", ()))
        elif "successes" in roll:
            read = successes(sides, int(roll["limit"]), at_least=roll["reach"] == "at least", bounds=roll["bounds"])
            self.trials += count
            self.passed += int(roll["successes"])
            self.chance += Fraction(count * sum(read.of((face,)) for face in range(1, sides + 1)), sides)

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("dice", "typed", "rolled", "expected", "trials", "passed", "chance"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self
