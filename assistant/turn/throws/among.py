"""Who, and which, by dice: names and a throw for each in; the winner, the order or the one that was drawn out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from assistant.turn.throws.dice import Box, Roll, asked
from assistant.turn.throws.reads import SUM
from assistant.turn.throws.rulings import Contest, Score

T = TypeVar("T")
Again = Callable[[str, int], Roll]
"""Throws for a name; the number counts the times, from 1: the second is thrown because the first was a tie."""
Thrown = TypeVar("Thrown", Roll, Score)


def won(names: Iterable[str], throw: Callable[[str, int], Thrown]) -> tuple[str, list[Thrown]]:
    """Who throws highest, those who tie at the top throwing again; who is alone throws none. Winner and all throws.

    `throw`: as in `Again`; a score where the book has modifiers, perhaps of the first throw alone.
    """
    left, all_thrown, again = list(names), list[Thrown](), 1
    while len(left) > 1:
        thrown = [throw(name, again) for name in left]
        all_thrown += thrown
        scores = [one if isinstance(one, Score) else Score(one) for one in thrown]
        rolls = [score.roll for score in scores if score.roll is not None and score.read == SUM]
        box = _open(rolls) if len(rolls) == len(left) and len({score.bonus for score in scores}) == 1 else None
        if box is not None:
            return left[box.highest(rolls)], all_thrown
        left, again = list(Contest(dict(zip(left, scores, strict=True))).highest), again + 1
    return left[0], all_thrown


def ranked(names: Iterable[str], throw: Again, again: int = 1) -> tuple[list[str], list[Roll]]:
    """All from the highest throw to the lowest, equals throwing again among themselves. The order and all throws."""
    listed = list(names)
    rolls, order = [throw(name, again) for name in listed], list[str]()
    box = _open(rolls)
    if box is not None:
        return [listed[place] for place in box.ranking(rolls)], rolls
    for places in asked(_levels, *((roll, SUM) for roll in rolls)):
        equals = [listed[place] for place in places]
        if len(equals) > 1:
            equals, more = ranked(equals, throw, again + 1)
            rolls += more
        order += equals
    return order, rolls


def ordered(things: Sequence[T], throw: Callable[[T], Roll]) -> list[T]:
    """All from the highest throw of one die to the lowest; of equals the first in the list stays first."""
    rolls = [throw(thing) for thing in things]
    box = _open(rolls)
    if box is not None:
        return [things[place] for place in box.order(rolls)]
    levels = asked(_levels, *((roll, SUM) for roll in rolls))
    return [things[place] for places in levels for place in places]


def drawn(things: Sequence[T], throw: Callable[[str], Roll]) -> tuple[T | None, list[Roll]]:
    """One of some things by a die of as many sides, in their order, and the throw; no die for a single one, None of
    none.
    """
    if len(things) < 2:
        return (things[0] if things else None), []
    roll = throw(f"1d{len(things)}")
    return things[roll.total - 1], [roll]


def _open(rolls: Sequence[Roll]) -> Box | None:
    """The box of dice that are left open, where it knows their ranks without looking at each."""
    box = next((roll.box for roll in rolls if roll.box is not None), None)
    return box if box is not None and box.alike(rolls) else None


def _levels(*numbers: int) -> tuple[tuple[int, ...], ...]:
    """The places of the highest number, of the next lower one, and so on."""
    return tuple(tuple(place for place, number in enumerate(numbers) if number == level)
                 for level in sorted(set(numbers), reverse=True))
