"""What the chances are: a phase and a question in, each answer with its exact chance out.

The phase is run once for every way in which its questions to the dice can be answered: not for every face, but for
*it holds* and *it falls*. A rule that takes a number where a question would do is tried with every number: the chances
are the same, and it takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, factorial
from operator import gt, itemgetter
from typing import Any, TypeVar

from assistant.turn.throws.dice import Dice, Roll, sides_of, typed_roll
from assistant.turn.throws.reads import FACES, SUM, Read, spread

A = TypeVar("A")
B = TypeVar("B")
H = TypeVar("H", bound=Hashable)
MOST_RUNS = 100_000
DEEPEST = 1_000
WIDEST = 300_000


class TooMany(Exception):
    """There are more ways than can be tried: the phase must be thrown many times instead."""


def chances(phase: Callable[[B], object], question: Callable[[B], H], fresh: Callable[[Dice], B], *,
            typed: Mapping[str, str] | None = None, turn: str = "", most: int = MOST_RUNS) -> dict[H, Fraction]:
    """What a phase may come to, each answer with its chance; together they are 1.

    `fresh`: makes the board for one run with these dice, on a copy of its own; `question`: what is asked of the board
    after the phase; `typed`: dice that were typed in, by key. Raises `TooMany` beyond `most` runs, and whatever the
    phase raises (`Waiting` where a person must answer first).
    """
    found: dict[H, Fraction] = {}
    paths: list[tuple[int, ...]] = [()]
    runs = 0
    while paths:
        runs += 1
        if runs > most:
            raise TooMany(f"more than {most} runs")
        dice = OpenDice(turn, paths.pop(), typed)
        board = fresh(dice)
        phase(board)
        answer = question(board)
        found[answer] = found.get(answer, Fraction(0)) + dice.chance
        paths += dice.untaken
    return found


class _Lot:
    """What some throws may still come to together: of each what is kept, and outcomes with their weights."""

    __slots__ = ("kept", "keys", "outcomes")

    def __init__(self, key: str, kept: Read, found: Iterable[tuple[Any, int]]) -> None:
        self.keys, self.kept = [key], [kept]
        self.outcomes: list[tuple[tuple[Any, ...], int]] = [((number,), weight) for number, weight in found]

    def join(self, other: _Lot) -> None:
        """Look at the throws of both lots together. Raises `TooMany`."""
        if len(self.outcomes) * len(other.outcomes) > WIDEST:
            raise TooMany(f"{self.keys} beside {other.keys}")
        self.outcomes = [(mine + theirs, weight * times)
                         for mine, weight in self.outcomes for theirs, times in other.outcomes]
        self.keys, self.kept = self.keys + other.keys, self.kept + other.kept

    def teller(self, roll: Roll, read: Read) -> Callable[[tuple[Any, ...]], Any]:
        """Takes what a throw comes to out of an outcome."""
        if roll.box is None:
            known = roll.read(read)
            return lambda _: known
        place = self.keys.index(roll.key)
        kept = self.kept[place]
        if kept == read:
            return itemgetter(place)
        if kept == SUM:  # of one die, which is its own sum
            return lambda numbers: read.of((numbers[place],))
        return lambda numbers: read.of(numbers[place])

    def open(self, roll: Roll) -> None:
        """Keep the faces of a throw, of which another number was kept. Raises `TooMany`."""
        place = self.keys.index(roll.key)
        read, by_number = self.kept[place], dict[Any, list[tuple[int, ...]]]()
        for faces, _ in _spread(roll, FACES):
            by_number.setdefault(read.of(faces), []).append(faces)
        self.outcomes = [((*numbers[:place], faces, *numbers[place + 1:]), weight // len(by_number[numbers[place]]))
                         for numbers, weight in self.outcomes for faces in by_number[numbers[place]]]
        self.kept[place] = FACES


def _spread(roll: Roll, read: Read) -> Iterable[tuple[Any, int]]:
    count, sides = sides_of(roll.dice)
    if read == FACES and sides**count > WIDEST:
        raise TooMany(f"every face of {roll.dice}")
    return spread(count, sides, read)


def _single(roll: Roll) -> bool:
    return roll.dice.startswith("1d")


class OpenDice(Dice):
    """Dice of one run in which nothing is thrown and each question gets one of its answers.

    `path`: which answers to give, by their places, to the first questions that have several; all others get the
    first. After the run `untaken` are the paths that branch off from this one, and `chance` is that of its answers.
    """

    open = True

    def __init__(self, turn: str, path: tuple[int, ...], typed: Mapping[str, str] | None = None) -> None:
        super().__init__(turn, b"", typed)
        self.untaken: list[tuple[int, ...]] = []
        self._path, self._taken = path, list[int]()
        self._lots: dict[str, _Lot] = {}
        self._settled: set[str] = set()
        self._part = self._whole = 1

    @property
    def chance(self) -> Fraction:
        """How likely the answers of this run are."""
        return Fraction(self._part, self._whole)

    def _throw(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """A throw that is left open, or as it was typed. Raises `BadThrow` for what the dice cannot show."""
        if key in self._typed:
            return typed_roll(key, dice, self._typed[key], "")
        return Roll(key, dice, 0, (), "", box=self)

    # --- questions ----------------------------------------------------------------------------
    def ask(self, question: Callable[..., A], parts: Sequence[tuple[Roll, Read]]) -> A:
        """One of the answers that these throws can still give; from then on they agree with it.

        Raises `TooMany`, and ValueError for a throw of which only who was highest has been told.
        """
        lot = self._lot([(roll, read) for roll, read in parts if roll.box is not None])
        shown = [lot.teller(roll, read) for roll, read in parts]
        answers: dict[A, list[tuple[tuple[Any, ...], int]]] = {}
        for outcome in lot.outcomes:
            answers.setdefault(question(*(number(outcome[0]) for number in shown)), []).append(outcome)
        given = list(answers)[self._branch([sum(weight for _, weight in one) for one in answers.values()])]
        lot.outcomes = answers[given]
        return given

    def _lot(self, parts: Sequence[tuple[Roll, Read]]) -> _Lot:
        whole = self._lot_of(*parts[0])
        for roll, read in parts[1:]:
            lot = self._lot_of(roll, read)
            if lot is not whole:
                whole.join(lot)
                self._lots.update(dict.fromkeys(lot.keys, whole))
        return whole

    def _lot_of(self, roll: Roll, read: Read) -> _Lot:
        if roll.key in self._settled:
            raise ValueError(f"{roll.key}: of this throw only its rank is known")
        lot = self._lots.get(roll.key)
        if lot is None:
            kept = SUM if _single(roll) else read
            lot = self._lots[roll.key] = _Lot(roll.key, kept, _spread(roll, kept))
        elif not _single(roll) and lot.kept[lot.keys.index(roll.key)] not in (read, FACES):
            lot.open(roll)
        return lot

    def _branch(self, weights: Sequence[int]) -> int:
        """Which of some answers this run gives. Raises `TooMany` where a run asks without end."""
        if len(weights) == 1:
            return 0
        step = len(self._taken)
        if step >= DEEPEST:
            raise TooMany(f"more than {DEEPEST} questions in one run")
        if step < len(self._path):
            choice = self._path[step]
        else:
            choice = 0
            self.untaken += [(*self._taken, other) for other in range(1, len(weights))]
        self._taken.append(choice)
        self._part *= weights[choice]
        self._whole *= sum(weights)
        return choice

    # --- ranks --------------------------------------------------------------------------------
    def alike(self, rolls: Sequence[Roll]) -> bool:
        """Whether these are equal dice of which nothing is known yet."""
        return len({roll.dice for roll in rolls}) == 1 and not any(
            roll.box is None or roll.key in self._lots or roll.key in self._settled for roll in rolls)

    def highest(self, rolls: Sequence[Roll]) -> int:
        """Which throw is the highest, ties being thrown again: each has the same chance."""
        self._settled.update(roll.key for roll in rolls)
        return self._branch([1] * len(rolls))

    def ranking(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The order of all throws, ties being thrown again: each order has the same chance."""
        orders = self._orders(rolls)
        return orders[self._branch([1] * len(orders))]

    def order(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The order of all throws of one die each, of equals the first in the list.

        So many throws of n dice of s sides fall into an order as there are ways to choose n of s + n - 1 - d, d being
        how often a place of the list is followed by an earlier one: only there the throws must differ.
        """
        orders, n, sides = self._orders(rolls), len(rolls), sides_of(rolls[0].dice)[1]
        return orders[self._branch([comb(sides + n - 1 - sum(map(gt, one, one[1:])), n) for one in orders])]

    def _orders(self, rolls: Sequence[Roll]) -> list[tuple[int, ...]]:
        if factorial(len(rolls)) > WIDEST:
            raise TooMany(f"the order of {len(rolls)} throws")
        self._settled.update(roll.key for roll in rolls)
        return list(permutations(range(len(rolls))))
