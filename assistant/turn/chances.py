"""Exact chances of throws and battles, and how lucky the dice have been."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, sqrt
from operator import gt, itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from assistant.campaign.campaign import Campaign
from assistant.turn.dice import FACES, SUM, Dice, ReadMode, Roll, parse_roll, sides_of, spread, successes, ways
from assistant.turn.event_types import Said
from assistant.turn.findings import Finding

# Exact chances of whatever a phase decides.
#
# The phase is run once for every way in which its questions to the dice can be answered: not for every face, but for
# *it holds* and *it falls*. A rule that takes a number where a question would do is run with every number: the chances
# are the same, but it takes longer.


A = TypeVar("A")
B = TypeVar("B")
H = TypeVar("H", bound=Hashable)
MOST_RUNS = 100_000
DEEPEST = 1_000
WIDEST = 300_000


class TooMany(Exception):
    """There are too many possibilities to count: simulate the phase with many throws instead."""


def chances(phase: Callable[[B], object], question: Callable[[B], H], fresh: Callable[[Dice], B], *,
            typed: Mapping[str, str] | None = None, turn: str = "", most: int = MOST_RUNS) -> dict[H, Fraction]:
    """The possible outcomes of a phase with their chances, which add up to 1.

    `fresh`: makes the board for one run with the given dice, on a copy of its own; `question`: reads the outcome from
    the board after the phase; `typed`: dice that were typed in, by key. Raises `TooMany` beyond `most` runs, and
    whatever the phase raises (`Waiting` if a person must answer first).
    """
    by_outcome: dict[H, Fraction] = {}
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
        by_outcome[answer] = by_outcome.get(answer, Fraction(0)) + dice.chance
        paths += dice.untaken
    return by_outcome


class _JointOutcomes:
    """The possible joint outcomes of some throws with their weights; `kept`: how each throw is read."""

    __slots__ = ("kept", "keys", "outcomes")

    def __init__(self, key: str, kept: ReadMode, weights: Iterable[tuple[Any, int]]) -> None:
        self.keys, self.kept = [key], [kept]
        self.outcomes: list[tuple[tuple[Any, ...], int]] = [((number,), weight) for number, weight in weights]

    def join(self, other: _JointOutcomes) -> None:
        """Combine both sets of throws into one. Raises `TooMany`."""
        if len(self.outcomes) * len(other.outcomes) > WIDEST:
            raise TooMany(f"{self.keys} beside {other.keys}")
        self.outcomes = [(mine + theirs, weight * times)
                         for mine, weight in self.outcomes for theirs, times in other.outcomes]
        self.keys, self.kept = self.keys + other.keys, self.kept + other.kept

    def teller(self, roll: Roll, read: ReadMode) -> Callable[[tuple[Any, ...]], Any]:
        """A function that reads the value of a throw from an outcome."""
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
        """Split the outcomes of a throw so that its faces are known, not just a number. Raises `TooMany`."""
        place = self.keys.index(roll.key)
        read, by_number = self.kept[place], dict[Any, list[tuple[int, ...]]]()
        for faces, _ in _outcomes_of(roll, FACES):
            by_number.setdefault(read.of(faces), []).append(faces)
        # faces that give the same number are equally likely
        self.outcomes = [((*numbers[:place], faces, *numbers[place + 1:]), weight // len(by_number[numbers[place]]))
                         for numbers, weight in self.outcomes for faces in by_number[numbers[place]]]
        self.kept[place] = FACES


def _outcomes_of(roll: Roll, read: ReadMode) -> Iterable[tuple[Any, int]]:
    count, sides = sides_of(roll.dice)
    if read == FACES and sides**count > WIDEST:
        raise TooMany(f"every face of {roll.dice}")
    return spread(count, sides, read)


def _single(roll: Roll) -> bool:
    return roll.dice.startswith("1d")


class OpenDice(Dice):
    """The dice of one run in which nothing is thrown: each question gets one of its possible answers.

    `path`: the indices of the answers to give to the first questions with several possible ones; all later questions
    get the first. After the run `untaken` holds the paths that branch off from this one, and `chance` the chance of the
    answers given.
    """

    open = True

    def __init__(self, turn: str, path: tuple[int, ...], typed: Mapping[str, str] | None = None) -> None:
        super().__init__(turn, b"", typed)
        self.untaken: list[tuple[int, ...]] = []
        self._path, self._taken = path, list[int]()
        self._lots: dict[str, _JointOutcomes] = {}
        self._settled: set[str] = set()
        self._part = self._whole = 1

    @property
    def chance(self) -> Fraction:
        """The probability of the answers given in this run."""
        return Fraction(self._part, self._whole)

    def _throw(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """An undecided throw, or the one that was typed. Raises `BadThrow` for a typed value that cannot be."""
        if key in self._typed:
            return parse_roll(key, dice, self._typed[key], "")
        return Roll(key, dice, 0, (), "", box=self)

    # --- questions ----------------------------------------------------------------------------
    def ask(self, question: Callable[..., A], parts: Sequence[tuple[Roll, ReadMode]]) -> A:
        """One of the answers that these throws can still give; all later answers agree with it.

        Raises `TooMany`, and ValueError for a throw of which only the rank has been decided.
        """
        lot = self._lot([(roll, read) for roll, read in parts if roll.box is not None])
        shown = [lot.teller(roll, read) for roll, read in parts]
        answers: dict[A, list[tuple[tuple[Any, ...], int]]] = {}
        for outcome in lot.outcomes:
            answers.setdefault(question(*(number(outcome[0]) for number in shown)), []).append(outcome)
        given = list(answers)[self._branch([sum(weight for _, weight in outcomes) for outcomes in answers.values()])]
        lot.outcomes = answers[given]
        return given

    def _lot(self, parts: Sequence[tuple[Roll, ReadMode]]) -> _JointOutcomes:
        whole = self._lot_of(*parts[0])
        for roll, read in parts[1:]:
            lot = self._lot_of(roll, read)
            if lot is not whole:
                whole.join(lot)
                self._lots.update(dict.fromkeys(lot.keys, whole))
        return whole

    def _lot_of(self, roll: Roll, read: ReadMode) -> _JointOutcomes:
        if roll.key in self._settled:
            raise ValueError(f"{roll.key}: of this throw only its rank is known")
        lot = self._lots.get(roll.key)
        if lot is None:
            kept = SUM if _single(roll) else read
            lot = self._lots[roll.key] = _JointOutcomes(roll.key, kept, _outcomes_of(roll, kept))
        elif not _single(roll) and lot.kept[lot.keys.index(roll.key)] not in (read, FACES):
            lot.open(roll)
        return lot

    def _branch(self, weights: Sequence[int]) -> int:
        """The index of the answer that this run gives. Raises `TooMany` if a run never stops asking."""
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
        """Whether these are all the same dice and nothing is known about any of them yet."""
        return len({roll.dice for roll in rolls}) == 1 and not any(
            roll.box is None or roll.key in self._lots or roll.key in self._settled for roll in rolls)

    def highest(self, rolls: Sequence[Roll]) -> int:
        """The index of the highest throw, ties being thrown again: all have the same chance."""
        self._settled.update(roll.key for roll in rolls)
        return self._branch([1] * len(rolls))

    def ranking(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The indices of all throws from highest to lowest, ties being thrown again: all orders are equally likely."""
        orders = self._orders(rolls)
        return orders[self._branch([1] * len(orders))]

    def order(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The indices of throws of one die each from highest to lowest; of equals the first in the list comes first.

        The number of throws of n dice with s sides that give an order is C(s + n - 1 - d, n), d being the number of
        descents in the order (an index followed by a smaller one): only there the two throws must differ.
        """
        orders, n, sides = self._orders(rolls), len(rolls), sides_of(rolls[0].dice)[1]
        # in how many throws they fall in this order: ties keep the order of the list, so each place against it costs a
        # face
        return orders[self._branch([comb(sides + n - 1 - sum(map(gt, faces, faces[1:])), n) for faces in orders])]

    def _orders(self, rolls: Sequence[Roll]) -> list[tuple[int, ...]]:
        if factorial(len(rolls)) > WIDEST:
            raise TooMany(f"the order of {len(rolls)} throws")
        self._settled.update(roll.key for roll in rolls)
        return list(permutations(range(len(rolls))))


# The odds of a battle.


MOST_DICE = 12
"""Up to this number of dice all outcomes are counted."""
MOST_WAYS = 200_000
"""A battle with more dice is counted if it has no more outcomes than this, which takes about a second."""
THROWS = 20_000
"""Number of simulated throws for any other battle."""
SEED = "arbitro odds"
"""Fixed, so that asking again shows the same odds; it has nothing to do with the campaign's dice."""

DieThrower = Callable[[int], int]
"""Throws a die with this number of sides and returns what it shows."""


class BattleEnd(NamedTuple):
    """How a battle ended: the book's word, and how many units each side has lost."""

    outcome: str
    att_lost: int = 0
    def_lost: int = 0


class Prospect(NamedTuple):
    """A battle that may be fought.

    `title`: a description for people, and `data`: the same as plain values; `outcomes`: the words for its outcomes, in
    the book's order; `dice`: how many can be thrown before anything repeats itself; `exact`: each end with its chance,
    counted; `thrown`: one end, played with the given dice; `within`: as `exact`, but None if more outcomes than a given
    number would have to be counted. Without `within`, battles with many dice are simulated.
    """

    title: Said
    outcomes: tuple[str, ...]
    dice: int
    exact: Callable[[], Mapping[BattleEnd, Fraction | float]]
    thrown: Callable[[DieThrower], BattleEnd]
    data: Mapping[str, Any] = MappingProxyType({})
    within: Callable[[int], Mapping[BattleEnd, Fraction | float] | None] = lambda most: None


class LeftOut(NamedTuple):
    """An order that would lead to a battle but does not count: its number, and the finding that says why."""

    order: str
    why: Finding


class Odds(NamedTuple):
    """Chances of outcomes (0 to 1) and the average losses of each side.

    `throws`: the number of simulated throws, 0 if all outcomes were counted; `error`: the standard error of each
    simulated chance.
    """

    chances: dict[str, float]
    att_lost: float
    def_lost: float
    throws: int
    error: dict[str, float]


class NotUnderstood(NamedTuple):
    """A typed battle that cannot be read: `seen`, the part that is not understood, and an example of a valid line.
    `most`: the highest number allowed, where it is exceeded.
    """

    seen: str
    example: str
    most: int | None = None


@runtime_checkable
class Foresees(Protocol):
    """A ruleset that fights battles itself and can tell their odds, for `arbitro odds`."""

    def battles_ahead(self, campaign: Campaign) -> list[Prospect | LeftOut]:
        """The battles that the present orders lead to, as the referee sees them, and the orders that would be refused.
        The campaign is not changed.
        """
        ...

    def typed_battle(self, campaign: Campaign, text: str) -> Prospect | NotUnderstood:
        """A battle described in words, with the numbers of this campaign."""
        ...


def odds_of(prospect: Prospect) -> Odds:
    """The odds of a battle: exact up to `MOST_DICE` dice or `MOST_WAYS` outcomes, else simulated with a fixed seed."""
    counted = prospect.exact() if prospect.dice <= MOST_DICE else prospect.within(MOST_WAYS)
    ends = _simulate(prospect) if counted is None else counted
    chances = dict.fromkeys(prospect.outcomes, Fraction(0) if counted is not None else 0.0)
    for end, chance in ends.items():
        chances[end.outcome] = chances.get(end.outcome, 0) + chance
    shown = {outcome: float(chance) for outcome, chance in chances.items()}
    error = {outcome: sqrt(p * (1 - p) / THROWS) for outcome, p in shown.items()} if counted is None else {}
    return Odds(shown, float(sum(end.att_lost * chance for end, chance in ends.items())),
                float(sum(end.def_lost * chance for end, chance in ends.items())), 0 if counted is not None else THROWS,
                error)


def _simulate(prospect: Prospect) -> dict[BattleEnd, Fraction | float]:
    chance = random.Random(SEED)
    counts: dict[BattleEnd, int] = {}
    for _ in range(THROWS):
        end = prospect.thrown(lambda sides: int(chance.random() * sides) + 1)
        counts[end] = counts.get(end, 0) + 1
    return {end: Fraction(times, THROWS) for end, times in counts.items()}


# How the dice have fallen, compared with fair dice. All figures are exact: whole numbers and fractions.


def chance(dice: str, bonus: int, target: int, *, at_most: bool = False,
           natural: Sequence[int] = ()) -> Fraction:
    """The chance of fair dice to pass a trial: their sum plus `bonus` reaches `target`, or stays within it (`at_most`).

    `natural`: up to which unmodified sum the trial always fails, and from which on it always passes (`Trial`).

    Raises ValueError for anything but dice such as ``2d6``.
    """
    count, sides = sides_of(dice)
    by_sum = ways(count, sides)
    never, always = natural or (count - 1, count * sides + 1)
    passed = sum(n for shown, n in enumerate(by_sum, count) if shown > never and (
        shown >= always or (shown + bonus <= target if at_most else shown + bonus >= target)))
    return Fraction(passed, sides**count)


def percent(chance: Fraction) -> str:
    """A chance as a rounded percentage, ``31 %``; only what is impossible or certain is 0 or 100 %."""
    whole = int(chance * 100 + Fraction(1, 2))
    if 0 < chance < 1 and whole in (0, 100):
        return "> 99 %" if whole else "< 1 %"
    return f"{whole} %"


def mean(dice: str) -> Fraction:
    """The average sum of fair dice such as ``2d6``. Raises ValueError for anything else."""
    count, sides = sides_of(dice)
    return Fraction(count * (sides + 1), 2)


@dataclass
class Tally:
    """Totals over several throws.

    `dice`: the number of dice, `typed` of which were thrown at the table; `rolled`: their sum; `expected`: the average
    sum of fair dice; `trials`: throws against a target, each die of a counted test being one, `passed` of which were
    successful; `chance`: how many of them fair dice pass on average.
    """

    dice: int = 0
    typed: int = 0
    rolled: int = 0
    expected: Fraction = Fraction(0)
    trials: int = 0
    passed: int = 0
    chance: Fraction = Fraction(0)

    def add(self, roll: Mapping[str, Any]) -> None:
        """Add a throw as an event holds it (`assistant.turn.rulings`).

        Raises ValueError for a throw without dice.
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
