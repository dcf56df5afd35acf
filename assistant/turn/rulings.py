"""Rulings by dice: whether a check succeeds, how many succeed, who is higher, which row of a table it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from assistant.turn.dice import SUM, DiceNumber, RangeTable, ReadMode, Roll, UnthrownDice, ask_dice, sides_of, successes

# Throws in an event's data, for showing them.


ThrowData = Mapping[str, Any]
"""A throw as an event holds it (`assistant.turn.rulings`)."""


def format_throw(roll: ThrowData) -> str:
    """``2d6=4+5``; faces that are read one by one are separated by commas."""
    faces, together = roll.get("faces") or (), "," if "successes" in roll or "read" in roll else "+"
    return f"{roll['dice']}={together.join(map(str, faces)) if len(faces) > 1 else roll.get('value', '')}"


def natural_bounds(roll: ThrowData) -> list[tuple[int, int]]:
    """The bounds below and above which the dice alone decide, if they overruled the total; [] if not."""
    if "natural" not in roll or roll["passed"] is (roll["total"] >= roll["target"]):
        return []
    return [(roll["natural"][0], roll["natural"][1])]


def group_throws(rolls: Iterable[ThrowData]) -> list[tuple[tuple[str, ...], list[ThrowData]]]:
    """Throws in groups, each with the parts of its keys that distinguish it from the others.

    Consecutive throws against the same target that differ only in their number (one per figure) form one group.
    """
    listed = list(rolls)
    keys = [re.split("[:/]", str(throw.get("key", ""))) for throw in listed]
    width = max(map(len, keys), default=0)
    common = [len({tuple(key[place:place + 1]) for key in keys}) == 1 for place in range(width)]
    alike = set() if len({*map(len, keys)}) == 1 else set[str]().union(*keys[:1]).intersection(*keys)
    groups: list[tuple[tuple[str, ...], list[ThrowData]]] = []
    last: tuple[Any, ...] = ()
    for key, throw in zip(keys, listed, strict=True):
        parts = tuple(part for part, same in zip(key, common, strict=False) if not same and part not in alike)
        kind: tuple[Any, ...] = ()
        if "target" in throw and key[-1].isdecimal():
            parts = parts[:-1] if parts[-1:] == (key[-1],) else parts
            kind = (key[:-1], throw["dice"], throw["modifiers"], throw["target"], throw["reach"])
        if kind and kind == last:
            groups[-1][1].append(throw)
        else:
            groups.append((parts, [throw]))
        last = kind
    return groups


# Rulings: a throw with everything that decides what it means.


A = TypeVar("A")
Modifiers = tuple[tuple[str, int], ...]


def nonzero_modifiers(modifiers: Mapping[str, int]) -> Modifiers:
    """Modifiers as a ruling holds them, without those that are 0."""
    return tuple((name, n) for name, n in modifiers.items() if n)


class Score(DiceNumber):
    """A throw plus named modifiers. `read`: how the dice are read, by default their sum.

    `roll`: None if no die is thrown; the dice then count 0.
    """

    __slots__ = ("bonus", "modifiers", "read", "roll")

    def __init__(self, roll: Roll | None, modifiers: Modifiers = (), read: ReadMode = SUM) -> None:
        self.roll, self.modifiers, self.read = roll, modifiers, read
        self.bonus = sum(n for _, n in modifiers)

    def ask(self, question: Callable[[int], A]) -> A:
        """The answer of a question about dice and modifiers together."""
        if self.roll is None:
            return question(self.bonus)
        bonus = self.bonus
        return ask_dice(lambda shown: question(shown + bonus), (self.roll, self.read))

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        counts = {} if self.read.how == "sum" else {"read": self.read.how}
        return {**self._throw_data(), **counts, "modifiers": [list(m) for m in self.modifiers], "total": self.total}

    def _throw_data(self) -> dict[str, Any]:
        return self.roll.as_data() if self.roll is not None else {}


class TableThrow(Score):
    """A throw that is read on a table, with the total that the wanted row needs: a report says by how much it missed.

    What it came to is the row's word, which may be one of several; so it is no trial.
    """

    __slots__ = ("needed",)

    def __init__(self, score: Score, needed: int) -> None:
        super().__init__(score.roll, score.modifiers, score.read)
        self.needed = needed

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        data = super().as_data()
        return {**data, "target": self.needed, "reach": "at least", "passed": data["total"] >= self.needed}


class Trial(Score):
    """A throw with named modifiers against a target, with everything that a report shows about it.

    `natural`: two numbers for the dice before modifiers: up to the first the trial always fails, from the second on it
    always passes; None if only the total decides.
    """

    __slots__ = ("natural", "reach", "roll", "target")
    roll: Roll

    def __init__(
        self,
        roll: Roll,
        modifiers: Modifiers,
        target: int,
        reach: Literal["at least", "at most"] = "at least",
        natural: tuple[int, int] | None = None,
    ) -> None:
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


class Limit(NamedTuple):
    """What a die must show to be a success: `number` or less, or that or more (`at_least`).

    `made_of`: the named parts of which `number` is the sum; `bounds`: the best face always succeeds and the worst never
    does (of a d6, 1 always and 6 never).
    """

    number: int
    made_of: Modifiers = ()
    bounds: bool = False
    at_least: bool = False

    @classmethod
    def rating(cls, made_of: Mapping[str, int], *, bounds: bool = False) -> Limit:
        """A limit made of a rating and its named modifiers: a die succeeds with that much or less."""
        return cls(sum(made_of.values()), nonzero_modifiers(made_of), bounds)

    def read(self, sides: int) -> ReadMode:
        """How dice with this number of sides are read."""
        return successes(sides, self.number, at_least=self.at_least, bounds=self.bounds)


def rows_beside(table: RangeTable, number: int) -> dict[str, Any]:
    """The rows below and above that of a number, for an event: how far it was from another outcome.

    Each is [outcome, how far the number is from the row's near end]; rows with the same outcome are passed over.
    """
    here = table.at(number)
    below = [(number - high, outcome) for _, high, outcome in table.rows if high is not None and high < number]
    above = [(low - number, outcome) for low, _, outcome in table.rows if low is not None and low > number]
    beside = [min(((away, outcome) for away, outcome in rows if outcome != here), default=None)
              for rows in (below, above)]
    return {name: [row[1], row[0]] for name, row in zip(("below", "above"), beside, strict=True) if row is not None}


class Count(Score):
    """A counted test: the number of dice that succeed plus named modifiers, and the verdict of the book's rows.

    `roll`: None if no die is thrown; `rows`: None if only the number matters.
    """

    __slots__ = ("limit", "rows")

    def __init__(
        self, roll: Roll | None, limit: Limit, modifiers: Modifiers = (), rows: RangeTable | None = None
    ) -> None:
        super().__init__(roll, modifiers, limit.read(sides_of(roll.dice)[1]) if roll is not None else SUM)
        self.limit, self.rows = limit, rows

    @property
    def successes(self) -> int:
        """The number of dice that succeed, before modifiers. Raises `BadThrow` for dice typed as a bare total."""
        return ask_dice(int, (self.roll, self.read)) if self.roll is not None else 0

    @property
    def verdict(self) -> str:
        """The outcome of the row; "" without rows. Raises LookupError if they have a gap there."""
        return self.row(self.rows) if self.rows is not None else ""

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        verdict = {"verdict": self.verdict, **rows_beside(self.rows, self.total)} if self.rows is not None else {}
        return {**self._throw_data(), "limit": self.limit.number, "made_of": [list(m) for m in self.limit.made_of],
                "bounds": self.limit.bounds, "reach": "at least" if self.limit.at_least else "at most",
                "successes": self.successes, "modifiers": [list(m) for m in self.modifiers], "total": self.total,
                **verdict}


class Contest:
    """Sides compared, by name, each with a score: who is higher, and by how much."""

    __slots__ = ("scores",)

    def __init__(self, scores: Mapping[str, Score]) -> None:
        self.scores = dict(scores)

    def ask(self, question: Callable[[Sequence[int]], A]) -> A:
        """The answer of a question about all scores, in the order of the sides."""
        sides = list(self.scores.values())

        def of_all(*shown: int) -> A:
            dice = iter(shown)
            return question([side.bonus + (next(dice) if side.roll is not None else 0) for side in sides])

        return ask_dice(of_all, *((side.roll, side.read) for side in sides if side.roll is not None))

    @property
    def rolls(self) -> list[Roll]:
        """The throws of all sides that throw."""
        return [side.roll for side in self.scores.values() if side.roll is not None]

    @property
    def highest(self) -> tuple[str, ...]:
        """The sides with the highest score; several if they are equal."""
        names = tuple(self.scores)
        return self.ask(lambda scores: tuple(
            name for name, score in zip(names, scores, strict=True) if score == max(scores)))

    @property
    def winner(self) -> str:
        """The only side with the highest score; "" for a tie."""
        best = self.highest
        return best[0] if len(best) == 1 else ""

    @property
    def margin(self) -> int:
        """The difference between the highest and the lowest score."""
        return self.ask(lambda scores: max(scores) - min(scores))

    def by(self, number: int) -> bool:
        """Whether the highest score is at least this much above the lowest."""
        return self.ask(lambda scores: max(scores) - min(scores) >= number)

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        return {"rolls": [score.as_data() for score in self.scores.values()]}


Ruling = DiceNumber | Contest | Sequence[Roll] | Sequence[Score]
"""What an event may have as its roll."""


def ruling_data(ruling: Ruling | None) -> dict[str, Any]:
    """A ruling for an event as plain values: one throw flat, several as a list under ``rolls``."""
    if ruling is None or isinstance(ruling, (DiceNumber, Contest)):
        return ruling.as_data() if ruling is not None else {}
    return roll_data(*ruling) if ruling else {}


def roll_data(*rolls: Roll | Score) -> dict[str, Any]:
    """Throws for an event as plain values: one flat, several as a list under ``rolls``."""
    return rolls[0].as_data() if len(rolls) == 1 else {"rolls": [roll.as_data() for roll in rolls]}


# Readings on a printed scale.
#
# A `Trial` asks whether a target is reached; here the sum of a level or a throw and modifiers is kept within a scale,
# and a table says what it means.


class Reading(DiceNumber):
    """A level or a throw with named modifiers, and the table's verdict on the sum.

    `level`: the level before modifiers, None if only dice decide; `roll`: None if only the level decides; `low`,
    `high`: the ends of the scale, None if open.
    """

    __slots__ = ("high", "level", "low", "modifiers", "roll", "table")

    def __init__(self, table: RangeTable, level: int | None, roll: Roll | None, modifiers: Modifiers, low: int | None,
                 high: int | None) -> None:
        self.table, self.level, self.roll, self.modifiers, self.low, self.high = (
            table, level, roll, modifiers, low, high)

    def ask(self, question: Callable[[int], A]) -> A:
        """The answer of a question about the sum, kept within the scale."""
        if self.level is not None or self.roll is None:
            return question(self.clamp(self.level or 0))
        return self.roll.ask(lambda shown: question(self.clamp(shown)))

    def clamp(self, start: int) -> int:
        """The sum with a level or a throw, kept within the scale."""
        total = start + sum(n for _, n in self.modifiers)
        if self.low is not None:
            total = max(self.low, total)
        return total if self.high is None else min(self.high, total)

    @property
    def verdict(self) -> str:
        """The table's outcome. Raises LookupError if the table has a gap there."""
        return self.row(self.table)

    def as_data(self) -> dict[str, Any]:
        """For an event: plain values."""
        thrown = self.roll.as_data() if self.roll is not None else {}
        stood = {} if self.level is None else {"level": self.level}
        return {**thrown, **stood, "modifiers": [list(m) for m in self.modifiers], "total": self.total,
                "verdict": self.verdict, **rows_beside(self.table, self.total)}


def read_scale(table: RangeTable, modifiers: Mapping[str, int], *, level: int | None = None,
               roll: Roll | None = None, low: int | None = None, high: int | None = None) -> Reading:
    """Look up a level or a throw plus modifiers in a table, with the sum kept within `low` and `high`.

    If both a level and a throw are given, the level and the modifiers make up the sum: what the throw means must be
    among the modifiers. Modifiers that are 0 are not listed.
    """
    return Reading(table, level, roll, nonzero_modifiers(modifiers), low, high)


class Steps(NamedTuple):
    """A printed row of modifiers: (lowest number, modifier), rising; below the first row its modifier applies, too."""

    rows: tuple[tuple[int, int], ...]

    def at(self, number: int) -> int:
        """The modifier for a number."""
        result = self.rows[0][1]
        for low, modifier in self.rows:
            if number >= low:
                result = modifier
        return result


# Choosing and ranking by dice.


T = TypeVar("T")
Again = Callable[[str, int], Roll]
"""Throws for a name; the number is 1 for the first throw, 2 for the one after a tie, and so on."""
AnyRoll = TypeVar("AnyRoll", Roll, Score)


def highest_thrower(names: Iterable[str], throw: Callable[[str, int], AnyRoll]) -> tuple[str, list[AnyRoll]]:
    """The name with the highest throw, and all throws. Ties at the top throw again; a single name needs no throw.

    `throw`: as in `ThrowAgain`, or giving a score if the book has modifiers, perhaps for the first throw only.
    """
    left, all_thrown, again = list(names), list[AnyRoll](), 1
    while len(left) > 1:
        thrown = [throw(name, again) for name in left]
        all_thrown += thrown
        scores = [number if isinstance(number, Score) else Score(number) for number in thrown]
        rolls = [score.roll for score in scores if score.roll is not None and score.read == SUM]
        box = _unthrown(rolls) if len(rolls) == len(left) and len({score.bonus for score in scores}) == 1 else None
        if box is not None:
            return left[box.highest(rolls)], all_thrown
        left, again = list(Contest(dict(zip(left, scores, strict=True))).highest), again + 1
    return left[0], all_thrown


def rank_by_throw(names: Iterable[str], throw: Again, again: int = 1) -> tuple[list[str], list[Roll]]:
    """The names from the highest throw to the lowest, ties throwing again among themselves; and all throws."""
    listed = list(names)
    rolls, order = [throw(name, again) for name in listed], list[str]()
    box = _unthrown(rolls)
    if box is not None:
        return [listed[place] for place in box.ranking(rolls)], rolls
    for places in ask_dice(_levels, *((roll, SUM) for roll in rolls)):
        equals = [listed[place] for place in places]
        if len(equals) > 1:
            equals, more = rank_by_throw(equals, throw, again + 1)
            rolls += more
        order += equals
    return order, rolls


def sort_by_throw(things: Sequence[T], throw: Callable[[T], Roll]) -> list[T]:
    """The things from the highest throw of one die to the lowest; of equals the first in the list stays first."""
    rolls = [throw(thing) for thing in things]
    box = _unthrown(rolls)
    if box is not None:
        return [things[place] for place in box.order(rolls)]
    levels = ask_dice(_levels, *((roll, SUM) for roll in rolls))
    return [things[place] for places in levels for place in places]


def draw_one(things: Sequence[T], throw: Callable[[str], Roll]) -> tuple[T | None, list[Roll]]:
    """One thing chosen by a die with as many sides, and the throw. A single one needs no die; None if there are none.
    """
    if len(things) < 2:
        return (things[0] if things else None), []
    roll = throw(f"1d{len(things)}")
    return things[roll.total - 1], [roll]


def _unthrown(rolls: Sequence[Roll]) -> UnthrownDice | None:
    """The undecided dice of these rolls, if they can decide ranks without looking at each die; else None."""
    box = next((roll.box for roll in rolls if roll.box is not None), None)
    return box if box is not None and box.alike(rolls) else None


def _levels(*numbers: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(place for place, number in enumerate(numbers) if number == level)
                 for level in sorted(set(numbers), reverse=True))
