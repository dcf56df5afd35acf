"""Rulings: throws with named modifiers in; whether they reach, how many succeed, who is higher, all to be told, out.

Beside them stands `assistant.turn.throws.scales`, which reads a printed scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from assistant.turn.throws.dice import Asked, RangeTable, Roll, asked, sides_of
from assistant.turn.throws.reads import SUM, Read, successes

A = TypeVar("A")
Named = tuple[tuple[str, int], ...]


def named(modifiers: Mapping[str, int]) -> Named:
    """Modifiers as a ruling lists them; those that are 0 are left out."""
    return tuple((name, n) for name, n in modifiers.items() if n)


class Score(Asked):
    """A throw and named modifiers: the sum of its dice or, as `read` says, another number that they come to.

    `roll`: None where no die is thrown, and the dice count 0.
    """

    __slots__ = ("bonus", "modifiers", "read", "roll")

    def __init__(self, roll: Roll | None, modifiers: Named = (), read: Read = SUM) -> None:
        self.roll, self.modifiers, self.read = roll, modifiers, read
        self.bonus = sum(n for _, n in modifiers)

    def ask(self, question: Callable[[int], A]) -> A:
        """What a question says of dice and modifiers together."""
        if self.roll is None:
            return question(self.bonus)
        bonus = self.bonus
        return asked(lambda shown: question(shown + bonus), (self.roll, self.read))

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        counts = {} if self.read.how == "sum" else {"read": self.read.how}
        return {**self._thrown(), **counts, "modifiers": [list(m) for m in self.modifiers], "total": self.total}

    def _thrown(self) -> dict[str, Any]:
        return self.roll.as_data() if self.roll is not None else {}


class Trial(Score):
    """A throw with named modifiers against a target: everything that a report shows of a ruling.

    `natural`: the dice alone, before modifiers: up to the first number it never passes, from the second on it always
    does; None where the total decides.
    """

    __slots__ = ("natural", "reach", "roll", "target")
    roll: Roll

    def __init__(self, roll: Roll, modifiers: Named, target: int, reach: Literal["at least", "at most"] = "at least",
                 natural: tuple[int, int] | None = None) -> None:
        super().__init__(roll, modifiers)
        self.target, self.reach, self.natural = target, reach, natural

    @property
    def passed(self) -> bool:
        """Whether the target is reached, or the dice alone decide."""
        if self.natural is not None:
            if self.roll.at_most(self.natural[0]):
                return False
            if self.roll.at_least(self.natural[1]):
                return True
        return self.at_least(self.target) if self.reach == "at least" else self.at_most(self.target)

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        natural = {"natural": list(self.natural)} if self.natural is not None else {}
        return {**super().as_data(), "target": self.target, "reach": self.reach, **natural, "passed": self.passed}


@dataclass(frozen=True)
class Limit:
    """What a die must show to be a success: `number` or less, or at least that; `made_of`: what it is the sum of.

    `bounds`: the best face of a die always succeeds and the worst never does (1 always, 6 never).
    """

    number: int
    made_of: Named = ()
    bounds: bool = False
    at_least: bool = False

    @classmethod
    def rating(cls, made_of: Mapping[str, int], *, bounds: bool = False) -> Limit:
        """A rating and what changes it, by name: that much or less."""
        return cls(sum(made_of.values()), named(made_of), bounds)

    def read(self, sides: int) -> Read:
        """How dice of so many sides are read."""
        return successes(sides, self.number, at_least=self.at_least, bounds=self.bounds)


class Count(Score):
    """A counted test: how many dice succeed, with named modifiers of the successes, and what the book's rows say.

    `roll`: None where no die is thrown; `rows`: None where the number itself is what is asked for.
    """

    __slots__ = ("limit", "rows")

    def __init__(self, roll: Roll | None, limit: Limit, modifiers: Named = (), rows: RangeTable | None = None) -> None:
        super().__init__(roll, modifiers, limit.read(sides_of(roll.dice)[1]) if roll is not None else SUM)
        self.limit, self.rows = limit, rows

    @property
    def successes(self) -> int:
        """How many dice succeed, before modifiers. Raises `BadThrow` for dice that were typed as a bare total."""
        return asked(int, (self.roll, self.read)) if self.roll is not None else 0

    @property
    def verdict(self) -> str:
        """The word of the row; "" without rows. Raises LookupError where they have a gap."""
        return self.row(self.rows) if self.rows is not None else ""

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        verdict = {"verdict": self.verdict} if self.rows is not None else {}
        return {**self._thrown(), "limit": self.limit.number, "made_of": [list(m) for m in self.limit.made_of],
                "bounds": self.limit.bounds, "reach": "at least" if self.limit.at_least else "at most",
                "successes": self.successes, "modifiers": [list(m) for m in self.modifiers], "total": self.total,
                **verdict}


class Contest:
    """Sides compared, by name, each with a score: who is higher, and by how much."""

    __slots__ = ("scores",)

    def __init__(self, scores: Mapping[str, Score]) -> None:
        self.scores = dict(scores)

    def ask(self, question: Callable[[Sequence[int]], A]) -> A:
        """What a question says of all scores, in the order of the sides."""
        sides = list(self.scores.values())

        def of_all(*shown: int) -> A:
            dice = iter(shown)
            return question([side.bonus + (next(dice) if side.roll is not None else 0) for side in sides])

        return asked(of_all, *((side.roll, side.read) for side in sides if side.roll is not None))

    @property
    def rolls(self) -> list[Roll]:
        """The bare throws, side by side."""
        return [side.roll for side in self.scores.values() if side.roll is not None]

    @property
    def highest(self) -> tuple[str, ...]:
        """Who is highest; several where they are equal."""
        names = tuple(self.scores)
        return self.ask(lambda scores: tuple(
            name for name, score in zip(names, scores, strict=True) if score == max(scores)))

    @property
    def winner(self) -> str:
        """Who is highest alone; "" where nobody is."""
        best = self.highest
        return best[0] if len(best) == 1 else ""

    @property
    def margin(self) -> int:
        """By how much the highest is above the lowest."""
        return self.ask(lambda scores: max(scores) - min(scores))

    def by(self, number: int) -> bool:
        """Whether the highest is that much or more above the lowest."""
        return self.ask(lambda scores: max(scores) - min(scores) >= number)

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        return {"rolls": [score.as_data() for score in self.scores.values()]}


Ruling = Asked | Contest | Sequence[Roll] | Sequence[Score]
"""What an event may tell as its roll."""


def told(ruling: Ruling | None) -> dict[str, Any]:
    """A ruling for an event as plain values: one throw flat, several as a list under ``rolls``."""
    if ruling is None or isinstance(ruling, (Asked, Contest)):
        return ruling.as_data() if ruling is not None else {}
    return roll_data(*ruling) if ruling else {}


def roll_data(*rolls: Roll | Score) -> dict[str, Any]:
    """Throws for an event as plain values: one flat, several as a list under ``rolls``."""
    return rolls[0].as_data() if len(rolls) == 1 else {"rolls": [roll.as_data() for roll in rolls]}
