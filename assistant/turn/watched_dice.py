"""Dice that are thrown, and that note what a phase asks of them: which answers each question could have had."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple, TypeVar

from assistant.campaign.records import Event
from assistant.turn.chances import OpenDice
from assistant.turn.dice import SUM, ReadMode, Roll, keyed_faces, parse_roll, sides_of, spread
from assistant.turn.rulings import Contest, Ruling, Score

A = TypeVar("A")
WIDEST = 2_000
"""A question about throws that have more joint outcomes than this is not looked through."""
AnyScore = Roll | Score


class Asked(NamedTuple):
    """A question that a phase asked of dice.

    `keys`: the throws that it joins; `answers`: its possible answers with their chances, as far as was known;
    `samples`: for each of them faces of these throws that give it; `given`: the answer; `ranges`: the lowest and the
    highest total of the one throw that gives each answer, {} where several throws are joined or no total is read.
    """

    keys: tuple[str, ...]
    answers: Mapping[Hashable, Fraction]
    samples: Mapping[Hashable, Mapping[str, tuple[int, ...]]]
    given: Hashable
    ranges: Mapping[Hashable, tuple[int, int]]


class ToldThrow(NamedTuple):
    """An event that tells of a throw. `score`: its part of the event's ruling; `numbers`: which data the dice decided;
    `contest`: the comparison of which it is a part.
    """

    event: Event
    score: AnyScore
    numbers: tuple[str, ...]
    contest: Contest | None = None


class WatchedDice(OpenDice):
    """Throw-away dice of one run: keyed by a secret of their own, except those that are forced.

    `forced`: purpose -> faces; `typed`, `spent`: as of `Dice`. After the run `asked` holds the questions in their
    order, `tellings` the events by purpose, and `unclear` the throws of which a question could not be looked through.
    """

    open = False

    def __init__(self, turn: str, secret: bytes, forced: Mapping[str, tuple[int, ...]],
                 typed: Mapping[str, str] | None = None, spent: Callable[[str], bool] = lambda key: False) -> None:
        super().__init__(turn, (), typed)
        self._spent = spent
        self._own, self._forced = secret, forced
        self.asked: list[Asked] = []
        self.tellings: dict[str, list[ToldThrow]] = {}
        self.unclear: set[str] = set()

    def _throw(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        circle = audience if isinstance(audience, str) else "+".join(sorted(audience))
        if key in self._typed:
            return parse_roll(key, dice, self._typed[key], circle)
        faces = self._forced.get(key, ())
        if len(faces) != sides_of(dice)[0]:
            faces = keyed_faces(self._own, key, dice)
        return Roll(key, dice, sum(faces), faces, circle, box=self)

    def alike(self, rolls: Sequence[Roll]) -> bool:
        """Never: these have been thrown, and a rank is read from what they show."""
        return False

    def ask(self, question: Callable[..., A], parts: Sequence[tuple[Roll, ReadMode]]) -> A:
        """The answer that the dice give; what other answers there could have been is noted."""
        given = question(*(roll.read(read) for roll, read in parts))
        if self.telling:
            return given
        own = [(roll, read) for roll, read in parts if roll.box is not None]
        if self._width(own) > WIDEST:
            self.unclear.update(roll.key for roll, _ in own)
            return given
        lot = self._lot(own)
        shown = [lot.teller(roll, read) for roll, read in parts]
        answers: dict[Any, list[tuple[tuple[Any, ...], int]]] = {}
        for outcome in lot.outcomes:
            answers.setdefault(question(*(number(outcome[0]) for number in shown)), []).append(outcome)
        if len(answers) > 1:
            every = sum(weight for _, weight in lot.outcomes)
            self.asked.append(Asked(
                tuple(lot.keys),
                {answer: Fraction(sum(weight for _, weight in way), every) for answer, way in answers.items()},
                {answer: self._faces(lot.keys, lot.kept, outcomes[0][0]) for answer, outcomes in answers.items()},
                given,
                {answer: (min(way)[0][0], max(way)[0][0]) for answer, way in answers.items()}
                if len(lot.keys) == 1 and lot.kept[0] == SUM else {}))
        lot.outcomes = answers[given]
        return given

    def _width(self, parts: Sequence[tuple[Roll, ReadMode]]) -> int:
        """How many joint outcomes a question about these throws has to look through at most."""
        lots = {id(self._lots[roll.key]): len(self._lots[roll.key].outcomes)
                for roll, _ in parts if roll.key in self._lots}
        fresh = {roll.key: len(spread(*sides_of(roll.dice), read)) if read.how != "faces" else _ways(roll.dice)
                 for roll, read in parts if roll.key not in self._lots}
        opened = [_ways(roll.dice) for roll, read in parts if roll.key in self._lots and read.how == "faces"]
        return prod([*lots.values(), *fresh.values(), *opened])

    def _faces(self, keys: Sequence[str], kept: Sequence[ReadMode], numbers: Sequence[Any]
               ) -> dict[str, tuple[int, ...]]:
        """Faces of throws that show these numbers, as they are kept."""
        return {key: faces_for(self.thrown[key].dice, read, number)
                for key, read, number in zip(keys, kept, numbers, strict=True)}

    # --- events -------------------------------------------------------------------------------
    def told(self, event: Any, ruling: Ruling | None, numbers: Sequence[str]) -> None:
        """Note of each throw of a ruling which event tells of it."""
        contest = ruling if isinstance(ruling, Contest) else None
        for score in _scores_of(ruling):
            roll = getattr(score, "roll", score)
            if isinstance(roll, Roll):
                self.tellings.setdefault(roll.key, []).append(ToldThrow(event, score, tuple(numbers), contest))


def _scores_of(ruling: Any) -> list[Any]:
    if isinstance(ruling, Contest):
        return list(ruling.scores.values())
    return list(ruling) if isinstance(ruling, (list, tuple)) else [ruling]


def _ways(dice: str) -> int:
    count, sides = sides_of(dice)
    return int(sides**count)


def faces_for(dice: str, read: ReadMode, number: Any) -> tuple[int, ...]:
    """Faces of these dice that are read as this number. Raises ValueError if there are none."""
    count, sides = sides_of(dice)
    if read.how == "faces":
        return tuple(number)
    if read.how == "highest":
        return (number, *[1] * (count - 1))
    if read.how == "sum":
        rest, faces = number - count, list[int]()
        for _ in range(count):
            faces.append(1 + min(rest, sides - 1))
            rest -= faces[-1] - 1
        return tuple(faces)
    good = max(read.low, 1)
    bad = next((face for face in range(1, sides + 1) if not read.low <= face <= read.high), good)
    return tuple([good] * number + [bad] * (count - number))
