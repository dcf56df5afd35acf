"""The chances of the throws to come, and of what follows: phases are played with throw-away dice, which are watched."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod, sqrt
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Battle, Event, Faction, Order, Question
from assistant.turn.chances import OpenDice, chance
from assistant.turn.dice import FACES, SUM, Dice, ReadMode, Roll, keyed_faces, parse_roll, sides_of, spread
from assistant.turn.findings import Finding
from assistant.turn.phases import (
    ROBOT_MARK,
    Outcome,
    default_judge,
    earlier_throws,
    give_robot_orders,
    play_with,
    typed_dice,
    without_superseded,
)
from assistant.turn.questions import roles_of
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Contest, Count, Reading, Ruling, Score, Trial

# --- watched dice ---------------------------------------------------------------------------------
# Dice that are thrown, and that note what a phase asks of them: which answers each question could have had.

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
        # in another course of the phase the same purpose may have other dice
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
        return {key: faces_for(self.thrown[key].dice, read, number)
                for key, read, number in zip(keys, kept, numbers, strict=True)}

    # --- events -------------------------------------------------------------------------------
    def note_event(self, event: Any, ruling: Ruling | None, numbers: Sequence[str]) -> None:
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


# --- throw chances --------------------------------------------------------------------------------
# The chances of every throw that a phase will make: the phase is played with throw-away dice, which are watched.
#
# A throw that stands in every play with the same dice and modifiers is reckoned exactly from its own ruling, or from
# the
# questions that the rules ask of it. For throws that hang on others the whole phase is gone through answer by answer
# where that takes few plays; else it is played many times, and the standard error is told.

FIRST_PLAYS = 12
"""So many plays show which throws stand whatever falls."""
MOST_OF_A_THROW = 200
"""At most so many plays are spent on the answers of one throw."""
MOST_IN_ALL = 400
"""At most so many plays are spent on exact chances."""
PLAYS = 100
"""So many plays are made where chances cannot be reckoned exactly, if nobody asks for more."""
RAREST = Fraction(1, 10**6)
"""What is rarer than this is not followed, as a tie that is thrown again may tie for ever."""
SEED = b"arbitro odds "
"""Fixed, so that asking again shows the same chances; it has nothing to do with the campaign's dice."""

PASSED, FAILED, WORD, NUMBER, EVENT, TIE = "passed", "failed", "word", "number", "event", "tie"
Label = tuple[str, ...]
"""What a throw came to: ``passed``; ``failed``; ``word`` and a word of the rulebook (a verdict of a table, a side);
``tie``; ``number`` and what was shown; ``event``, the word of an event and what tells its variants apart.
"""
Chances = Mapping[Label, Fraction]


# One play of the phase.


D = TypeVar("D", bound=Dice)


class Play(NamedTuple, Generic[D]):
    """A play of the phase: its dice, its outcome, and the questions that the assistant answered itself, by key."""

    dice: D
    outcome: Outcome
    answered: Mapping[str, str]


Run = Callable[[bytes, Mapping[str, tuple[int, ...]]], Play[WatchedDice]]
"""Plays the phase with the dice of a secret, some of which are forced: purpose -> faces."""


class CannotEnd(Exception):
    """The phase cannot be played to its end: it takes none of the answers that the assistant has. `outcome`: how far
    it came.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"{outcome.turn} {outcome.phase}")
        self.outcome = outcome


def phase_player(ruleset: Ruleset, campaign: Campaign) -> Run:
    """Plays the present phase of a campaign on copies, to its end; open questions get the answers that robots would
    give from their faction's view, else their default or first option. `campaign`: with the orders of robots.

    The function raises `CannotEnd`.
    """
    standing = without_superseded(campaign)
    typed, spent, turn = typed_dice(standing), earlier_throws(standing), campaign.desk.turn

    def run(secret: bytes, forced: Mapping[str, tuple[int, ...]]) -> Play[WatchedDice]:
        play = _play_on(ruleset, campaign, lambda: WatchedDice(turn, secret, forced, typed, spent))
        if not play.outcome.done:
            raise CannotEnd(play.outcome)
        return play

    return run


def _play_on(ruleset: Ruleset, campaign: Campaign, fresh_dice: Callable[[], D]) -> Play[D]:
    """A phase played on with the assistant's answers; it has not ended where none of these is taken."""
    answers: dict[str, str] = {}
    while True:
        dice = fresh_dice()
        outcome = play_with(ruleset, campaign, dice, answers)
        fresh = {} if outcome.done else answers_without_clubs(ruleset, outcome)
        if not fresh or fresh.keys() & answers.keys():
            return Play(dice, outcome, answers)
        answers |= fresh


def answers_without_clubs(ruleset: Ruleset, outcome: Outcome) -> dict[str, str]:
    """Answers to a phase's open questions: as robots would give them for each faction, else default or first option."""
    judge, roles = default_judge(ruleset), roles_of(outcome.campaign)
    answers: dict[str, str] = {}
    work = outcome.campaign.copy()
    for question in outcome.questions:
        text = ""
        if roles.get(question.to) in ("player", "robot"):
            text = ruleset.robot_answer(ruleset.view(work, question.to), question.to, question)
        answers[question.question] = text or judge(question)
        work.table(Question)[question.ident].answer = answers[question.question]
    return answers


# What a throw came to.


def spread_of(telling: ToldThrow, more: int = 0) -> Chances | None:
    """The chances of a ruling's outcomes with these modifiers, and `more` points; None for one that has no outcome.

    Of two sides that are compared the first has the points more.
    """
    score, contest = telling.score, telling.contest
    if contest is not None:
        return _spread_of_contest(contest, more)
    roll = getattr(score, "roll", None)
    if roll is None or roll.box is None:
        return None
    if isinstance(score, Trial):
        passed = chance(roll.dice, score.bonus + more, score.target, at_most=score.reach == "at most",
                        natural=score.natural or ())
        return _sum([((PASSED,), passed), ((FAILED,), 1 - passed)])
    if isinstance(score, Reading) and score.level is None:
        return _sum(((WORD, score.table.at(score.clamp(shown + more))), part) for shown, part in _totals(roll, score))
    if isinstance(score, Count):
        totals = [(shown + score.bonus + more, part) for shown, part in _totals(roll, score)]
        rows = score.rows
        return _sum(((WORD, rows.at(n)) if rows is not None else (NUMBER, str(n)), part) for n, part in totals)
    return None


def _totals(roll: Roll | None, score: Any) -> list[tuple[int, Fraction]]:
    """What dice may show as the ruling reads them; a typed throw shows what was typed."""
    if roll is None:
        return [(0, Fraction(1))]
    read = getattr(score, "read", SUM)
    count, sides = sides_of(roll.dice)
    if roll.box is None:
        return [(roll.read(read), Fraction(1))]
    return [(number, Fraction(n, sides**count)) for number, n in spread(count, sides, read)]


def _spread_of_contest(contest: Contest, more: int) -> Chances | None:
    sides = list(contest.scores.items())
    if len(sides) != 2 or all(score.roll is None or score.roll.box is None for _, score in sides):
        return None
    (a, first), (b, second) = sides
    return _sum(
        ((WORD, a) if x > y else (WORD, b) if y > x else (TIE,), part * other)
        for (x, part), (y, other) in product(
            [(n + first.bonus + more, part) for n, part in _totals(first.roll, first)],
            [(n + second.bonus, part) for n, part in _totals(second.roll, second)]))


def _sum(parts: Iterable[tuple[Label, Fraction]]) -> dict[Label, Fraction]:
    sums: dict[Label, Fraction] = {}
    for label, part in parts:
        sums[label] = sums.get(label, Fraction(0)) + part
    return {label: part for label, part in sums.items() if part}


def _best_telling(tellings: Sequence[ToldThrow]) -> ToldThrow | None:
    """The event that says most of a throw: one with an outcome before one with modifiers before any other."""
    def rank(telling: ToldThrow) -> tuple[bool, bool]:
        return spread_of(telling) is None, not isinstance(telling.score, (Score, Reading))

    return min(tellings, key=rank, default=None)


def _label_of(telling: ToldThrow | None, last: Asked | None, *, full: bool) -> Label:
    """What a throw without a ruling came to: the rulebook's word for it, else the event that tells of it. `full`: with
    the words among the event's data.
    """
    given = last.given if last is not None else None
    if isinstance(given, str) and given:
        return (WORD, given)
    if isinstance(given, tuple) and given and all(isinstance(name, str) for name in given):
        return (WORD, given[0]) if len(given) == 1 else (TIE,)  # the sides with the highest score
    if telling is None:
        return (NUMBER, str(given)) if type(given) is int else ()
    words = [value for name, value in telling.event.data.items() if isinstance(value, str)
             and name not in telling.numbers]
    return (EVENT, telling.event.event, *(words if full else ()))


# What all plays together say of a throw.


Base = tuple[bytes, Mapping[str, tuple[int, ...]]]
"""The secret and the forced dice of a play."""
Unit = tuple[str, ...]
"""The purposes of throws that are looked at together."""


@dataclass(eq=False, repr=False)
class _Node:
    """A question of the rules to a throw, with what each of its answers leads to; `base`: a play in which it came."""

    chances: Mapping[Hashable, Fraction]
    samples: Mapping[Hashable, Mapping[str, tuple[int, ...]]]
    base: Base
    below: dict[Hashable, _Node | Label] = field(default_factory=dict)


class ThrowChances(NamedTuple):
    """A throw, or several that are looked at together, with the chances of what it comes to.

    `keys`: its purposes; `dice`: of each; `telling`: the event that says most of it, None if none tells of it;
    `audience`: who may see the dice; `made`: the chance that it is made at all, `made_error`: the standard error of
    that; `chances`: of each outcome, where it is made; `error`: the standard error of each, none where they are exact;
    `plays`: how many plays the estimates come from, 0 if there are none; `more`: the chances with so many points more
    (or less) than the modifiers are now; `samples`: events for outcomes that are told by events; `numbers`: the lowest
    and the highest that the dice showed for an outcome; `typed`: it was thrown at the table already.
    """

    keys: Unit
    dice: tuple[str, ...]
    telling: ToldThrow | None
    audience: str
    made: Fraction
    made_error: float
    chances: Chances
    error: Mapping[Label, float]
    plays: int
    more: Mapping[int, Chances]
    samples: Mapping[Label, Event]
    numbers: Mapping[Label, tuple[int, int]]
    typed: bool


class Foretold(NamedTuple):
    """The throws of a phase, in the order in which they are made, and those left out: purpose -> ``untold`` (no event
    says what they came to), ``alike`` (whatever they show, the same is told) ``tangled`` (they are compared now with
    these, now with those) or ``rare`` (no play has made them by itself).

    `runs`: how many plays it took; `answered`: questions that the assistant answered itself; `stuck`: how far the phase
    came if it cannot be played to its end.
    """

    throws: tuple[ThrowChances, ...]
    left_out: Mapping[str, str]
    runs: int
    answered: Mapping[str, str]
    stuck: Outcome | None = None


MOST_LABELS = 8
"""Of a throw that comes to more than this the words of its events are not told apart."""
SHIFTS = (-1, 1, 2)
"""So many points more or less are shown beside the chances that hold now."""
FARTHEST_SHIFT = 12
"""Where these change nothing, the fewest points more that do are sought up to here."""
UNTOLD, ALIKE, TANGLED, RARE = "untold", "alike", "tangled", "rare"


def foretell(run: Run, plays: int = PLAYS) -> Foretold:
    """The chances of all throws of a phase. `plays`: how many are made at most where chances cannot be exact."""
    try:
        return _Reckoner(run).reckon(plays)
    except CannotEnd as stuck:
        return Foretold((), {}, 0, {}, stuck.outcome)


class _Seen:
    """One play, sorted by throws."""

    def __init__(self, play: Play[WatchedDice], base: Base) -> None:
        self.dice, self.base = play.dice, base
        self.asked: dict[str, list[Asked]] = {}
        for one in play.dice.asked:
            for key in one.keys:
                self.asked.setdefault(key, []).append(one)
        self.best = {key: _best_telling(tellings) for key, tellings in play.dice.tellings.items()}
        self.rulings = {key: spread_of(best) for key, best in self.best.items() if best is not None}

    def has(self, unit: Unit) -> bool:
        """Whether all its throws were made."""
        return all(key in self.dice.thrown for key in unit)

    def questions(self, unit: Unit) -> list[Asked]:
        """The questions to a throw, in their order."""
        return list({id(one): one for key in unit for one in self.asked.get(key, ())}.values())

    def label(self, unit: Unit, *, full: bool) -> Label:
        """What it came to, by the rulebook's word or the event."""
        questions = self.questions(unit)
        return _label_of(self.best.get(unit[0]), questions[-1] if questions else None, full=full)


class _Reckoner:
    """All plays of one phase so far, and what they say."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.seen: list[_Seen] = []
        self.spent = 0
        self.answered: Mapping[str, str] = {}
        self._full: dict[Unit, bool] = {}

    def _play(self, secret: bytes, forced: Mapping[str, tuple[int, ...]]) -> _Seen:
        play = self._run(secret, forced)
        self.spent += 1
        self.answered = self.answered or play.answered
        return _Seen(play, (secret, forced))

    def reckon(self, plays: int) -> Foretold:
        """Reckon all throws."""
        self.seen = [self._play(SEED + str(number).encode(), {}) for number in range(FIRST_PLAYS)]
        self._look_at_all_answers()
        left_out = {key: why for unit in self._units() if (why := self._reason_to_leave_out(unit)) for key in unit}
        units = [unit for unit in self._units() if unit[0] not in left_out]
        exact = {unit: self._exact(unit) for unit in units}
        open_units = [unit for unit in units if exact[unit] is None or not all(seen.has(unit) for seen in self.seen)]
        weighted, counted = list[tuple[_Seen, Fraction]](), 0
        if open_units:
            paths = self._all_paths(min(MOST_IN_ALL, MOST_OF_A_THROW * len(open_units)))
            weighted = paths or [*((seen, Fraction(1)) for seen in self.seen[:FIRST_PLAYS]), *(
                (self._play(SEED + str(number).encode(), {}), Fraction(1)) for number in range(FIRST_PLAYS, plays))]
            counted = 0 if paths else len(weighted)
        throws = [self._estimate(unit, exact[unit], weighted, counted) if unit in open_units else self._describe(
            unit, self.seen, Fraction(1), exact[unit] or {}) for unit in units]
        left_out |= {key: RARE for one in throws if not one.made or not one.chances for key in one.keys}
        told = tuple(one for one in throws if one.keys[0] not in left_out)
        return Foretold(told, left_out, self.spent, self.answered)

    def _reason_to_leave_out(self, unit: Unit) -> str:
        """Why a throw has nothing to say; "" for one that has."""
        made = [seen for seen in self.seen if seen.has(unit)]
        if not made:
            return TANGLED
        labels = {self._label(seen, unit) for seen in made}
        if all(seen.best.get(unit[0]) is None for seen in made) and all(one[:1] in ((), (NUMBER,)) for one in labels):
            return UNTOLD
        same = len(labels) == 1 and next(iter(labels))[:1] == (EVENT,)
        ruled = any(seen.rulings.get(unit[0]) is not None for seen in made)
        decides = any(seen.questions(unit) for seen in made)
        number = any(_only_a_number(tree) for tree in [self._tree(unit)] if isinstance(tree, _Node))
        return ALIKE if same and decides and not ruled and not number else ""

    # --- which throws belong together -------------------------------------------------------------
    def _units(self) -> list[Unit]:
        """The throws of all plays, those together that a question joins or an event compares."""
        whole: dict[str, list[str]] = {}
        for seen in self.seen:
            for key in seen.dice.thrown:
                whole.setdefault(key, [key])
            contests = ([roll.key for roll in best.contest.rolls] for best in seen.best.values()
                        if best is not None and best.contest is not None)
            for joined in (*(asked.keys for asked in seen.dice.asked if asked.keys[1:]), *contests):
                merged = list(dict.fromkeys(other for key in joined for other in whole[key]))
                whole.update(dict.fromkeys(merged, merged))
        order = {key: place for place, key in enumerate(whole)}
        return list(dict.fromkeys(tuple(sorted(keys, key=order.__getitem__)) for keys in whole.values()))

    # --- exact chances ----------------------------------------------------------------------------
    def _exact(self, unit: Unit) -> Chances | None:
        """The chances of a throw that has the same ruling in every play in which it is made; None for any other."""
        made = [seen for seen in self.seen if seen.has(unit)]
        if not made or any(key in seen.dice.unclear for seen in made for key in unit):
            return None
        rulings = [ruling for seen in made if (ruling := seen.rulings.get(unit[0])) is not None]
        if rulings:
            first = [questions[0].answers if (questions := seen.questions(unit)) else {} for seen in made]
            alike = all(one == rulings[0] for one in rulings) and (len(rulings) == len(made) or all(
                one == first[0] for one in first))
            return rulings[0] if alike else None
        tree = self._tree(unit)
        return None if tree is None else _leaves(tree)

    def _label(self, seen: _Seen, unit: Unit) -> Label:
        """What a throw came to: with the words that its event tells, if these hang on it alone and are few."""
        if unit not in self._full:
            made = [one for one in self.seen[:FIRST_PLAYS] if one.has(unit)]
            few = len({one.label(unit, full=True) for one in made}) <= MOST_LABELS
            # said before it is known: the tree is made with these words
            self._full[unit] = True
            self._full[unit] = few and self._tree(unit) is not None
        return seen.label(unit, full=self._full[unit])

    def _tree(self, unit: Unit) -> _Node | Label | None:
        """The questions of all plays to a throw as a tree; None where two plays do not agree."""
        top = _Node({}, {}, (b"", {}))
        for seen in self.seen:
            if not seen.has(unit):
                continue
            node, answer = top, None
            for one in seen.questions(unit):
                known = node.below.setdefault(answer, _Node(one.answers, one.samples, seen.base))
                if not isinstance(known, _Node) or known.chances != one.answers:
                    return None
                node, answer = known, one.given
            label = self._label(seen, unit)
            if node.below.setdefault(answer, label) != label:
                return None
        return top.below.get(None)

    def _look_at_all_answers(self) -> None:
        """Play on until each answer to a question has been given, for throws whose outcome only events tell."""
        for unit in self._units():
            tried = set[tuple[int, Hashable]]()
            for _ in range(MOST_OF_A_THROW):
                if self.spent >= MOST_IN_ALL or any(unit[0] in seen.rulings and seen.rulings[unit[0]] is not None
                                                    for seen in self.seen):
                    break
                tree = self._tree(unit)
                missing = None if tree is None else next(_open_answers(tree), None)
                if missing is None or (id(missing[0].base), missing[1]) in tried:
                    break
                node, answer = missing
                tried.add((id(node.base), answer))
                self.seen.append(self._play(node.base[0], {**node.base[1], **node.samples[answer]}))

    def _all_paths(self, most: int) -> list[tuple[_Seen, Fraction]] | None:
        """Every way in which the questions of the phase can be answered, with its chance, but for those rarer than
        `RAREST`; None if they are too many.
        """
        likely = max(prod(len(one.answers) for one in seen.dice.asked) for seen in self.seen)
        if 4 * likely > most or any(seen.dice.unclear for seen in self.seen):
            return None
        found, paths = list[tuple[_Seen, Fraction]](), [(dict[str, tuple[int, ...]](), 0)]
        while paths:
            if len(found) + len(paths) > most:
                return None
            forced, depth = paths.pop()
            seen = self._play(SEED + b"0", forced)
            part, kept = Fraction(1), dict[str, tuple[int, ...]]()
            for step, one in enumerate(seen.dice.asked):
                if step >= depth:
                    paths += [({**kept, **one.samples[answer]}, step + 1) for answer, chance in one.answers.items()
                              if answer != one.given and part * chance > RAREST]
                part *= one.answers[one.given]
                kept.update({key: seen.dice.thrown[key].read(FACES) for key in one.keys})
            found.append((seen, part))
        return found

    # --- results ----------------------------------------------------------------------------------
    def _estimate(self, unit: Unit, exact: Chances | None, weighted: Sequence[tuple[_Seen, Fraction]],
                  plays: int) -> ThrowChances:
        """The chances of a throw over weighted plays; `plays`: 0 if these are all that there can be."""
        own = [(seen, weight) for seen, weight in weighted if seen.has(unit)]
        part = sum((weight for _, weight in own), Fraction(0))
        made = part / sum(weight for _, weight in weighted)
        made_error = sqrt(made * (1 - made) / plays) if plays else 0.0
        if exact is not None or not own:
            return self._describe(unit, [seen for seen, _ in own] or self.seen, made, exact or {}, made_error, plays)
        told = [(seen.rulings.get(unit[0]) or {self._label(seen, unit): Fraction(1)}, weight)
                for seen, weight in own]
        means = {label: sum((weight * ruling.get(label, 0) for ruling, weight in told), Fraction(0)) / part
                 for label in dict.fromkeys(label for ruling, _ in told for label in ruling)}
        n = len(told)
        error = {label: sqrt(sum(float(ruling.get(label, 0) - mean)**2 for ruling, _ in told) / max(n - 1, 1) / n)
                 for label, mean in means.items()} if plays else {}
        return self._describe(unit, [seen for seen, _ in own], made, means, made_error, plays, error)

    def _describe(self, unit: Unit, plays: Iterable[_Seen], made: Fraction, chances: Chances, made_error: float = 0.0,
                  counted: int = 0, error: Mapping[Label, float] = MappingProxyType({})) -> ThrowChances:
        own = [seen for seen in (*plays, *self.seen) if seen.has(unit)]
        told = next((seen for seen in own if seen.best.get(unit[0]) is not None), own[0])
        samples, shown = dict[Label, list[Event]](), dict[Label, list[int]]()
        for seen in own:
            label, best = self._label(seen, unit), seen.best.get(unit[0])
            if best is not None:
                samples.setdefault(label, []).append(best.event)
            shown.setdefault(label, []).extend(_shown_totals(seen, unit))
        best, rolls = told.best.get(unit[0]), [told.dice.thrown[key] for key in unit]
        merged = {label: merged_events(events) for label, events in samples.items()}
        more = _with_more_points(best, chances) if best is not None else {}
        return ThrowChances(unit, tuple(roll.dice for roll in rolls), best, rolls[0].audience, made, made_error,
                            chances, error, counted, more, merged,
                            {label: (min(n), max(n)) for label, n in shown.items()},
                            all(roll.typed for roll in rolls))


def _shown_totals(seen: _Seen, unit: Unit) -> tuple[int, ...]:
    """Totals of a throw that come to what this play came to: all in between, too, where one question decides."""
    questions = seen.questions(unit)
    if len(questions) == 1 and questions[0].ranges:
        return questions[0].ranges[questions[0].given]
    return (seen.dice.thrown[unit[0]].read(SUM),)


def _with_more_points(telling: ToldThrow, chances: Chances) -> dict[int, Chances]:
    """The chances with some points more or less; where these change nothing, with the fewest more that would."""
    more = {n: spread for n in SHIFTS if (spread := spread_of(telling, n)) is not None}
    if more and all(spread == chances for n, spread in more.items() if n > 0):
        further = ((n, spread_of(telling, n)) for n in range(max(SHIFTS) + 1, FARTHEST_SHIFT + 1))
        more |= next(({n: spread} for n, spread in further if spread is not None and spread != chances), {})
    return more


def merged_events(told: Sequence[Event]) -> Event:
    """One event for several that tell the same: numbers in which they differ are ``1–4``, other things …"""
    event = told[0].copy()
    event.data = {name: _either([other.data.get(name) for other in told]) for name in told[0].data}
    return event


def _either(values: Sequence[Any]) -> Any:
    if all(value == values[0] for value in values):
        return values[0]
    if all(type(value) is int for value in values):
        return f"{min(values)}–{max(values)}"
    return "…"


def _leaves(tree: _Node | Label) -> dict[Label, Fraction] | None:
    """The chances of what a tree of questions leads to; of a throw of which only the number is read, of the numbers.

    None if not every answer has been followed.
    """
    if not isinstance(tree, _Node):
        return {tree: Fraction(1)}
    if _only_a_number(tree):
        return {(NUMBER, str(answer)): part for answer, part in tree.chances.items()}
    if tree.below.keys() != tree.chances.keys():
        return None
    parts: list[tuple[Label, Fraction]] = []
    for answer, below in tree.below.items():
        leaves = _leaves(below)
        if leaves is None:
            return None
        parts += [(label, tree.chances[answer] * part) for label, part in leaves.items()]
    return _sum(parts)


def _only_a_number(node: _Node) -> bool:
    """Whether a question is for the number itself, and all answers so far lead to the same."""
    return all(type(answer) is int for answer in node.chances) and (
        all(not isinstance(below, _Node) for below in node.below.values())
        and len({below[1:] if below[:1] != (NUMBER,) else () for below in node.below.values()
                 if not isinstance(below, _Node)}) == 1)


def _open_answers(tree: _Node | Label) -> Iterator[tuple[_Node, Hashable]]:
    if isinstance(tree, _Node) and not _only_a_number(tree):
        for answer in tree.chances:
            if answer not in tree.below:
                yield tree, answer
        for below in tree.below.values():
            yield from _open_answers(below)


# --- played turns ---------------------------------------------------------------------------------
# The rest of a turn, played many times with throw-away dice: what happens in how many of the plays.

TURN_PLAYS = 200
"""So many plays, if they are not too long."""
FEWEST = 20
PHASES = 1_600
"""About so many phases are played in all, which takes some ten seconds."""
TURN_SEED = b"arbitro rehearsal "
"""Fixed, so that asking again shows the same; it has nothing to do with the campaign's dice."""


class TurnPlay(NamedTuple):
    """One play of the rest of a turn: the campaign at its end, what happened, the orders that were refused, how many
    questions the assistant answered, and the phase that could not be ended ("" if none).
    """

    campaign: Campaign
    events: tuple[Event, ...]
    refused: tuple[Finding, ...]
    answered: int
    stuck_at: str = ""


def plays_for(ruleset: Ruleset, campaign: Campaign) -> int:
    """How many plays take some ten seconds: fewer for a turn of many phases."""
    return min(TURN_PLAYS, max(FEWEST, PHASES // max(len(ruleset.phases_left(campaign)), 1)))


def clubs_of(campaign: Campaign) -> list[str]:
    """The factions that order for themselves, or for which robots do."""
    return [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]


def played_turns(ruleset: Ruleset, campaign: Campaign, plays: int, tell: Callable[[int], None] = lambda n: None
                 ) -> Iterator[TurnPlay]:
    """Play the phases to come of this turn `plays` times. Robots order for all clubs without orders, and answer all
    questions. The campaign is not changed. `tell`: called with the number of each play before it.
    """
    clubs = clubs_of(campaign)
    for number in range(plays):
        tell(number)
        yield _played_turn(ruleset, campaign, clubs, TURN_SEED + str(number).encode())


def _played_turn(ruleset: Ruleset, campaign: Campaign, clubs: Sequence[str], secret: bytes) -> TurnPlay:
    turn, events, refused, answered = campaign.desk.turn, list[Event](), list[Finding](), 0
    while campaign.desk.turn == turn and not ruleset.is_over(campaign):
        campaign, _ = give_robot_orders(ruleset, campaign, clubs)
        standing = without_superseded(campaign)
        typed, spent = typed_dice(standing), earlier_throws(standing)
        _, outcome, given = _play_on(ruleset, campaign, partial(Dice, campaign.desk.turn, secret, typed, spent))
        events += outcome.events
        refused += [finding for finding in outcome.findings if finding.stops and finding.where.table == Order.sheet]
        answered += len(given)
        if not outcome.done:
            return TurnPlay(campaign, tuple(events), tuple(refused), answered, outcome.phase)
        campaign = outcome.campaign
    return TurnPlay(campaign, tuple(events), tuple(refused), answered)


def clubs_of_robots(campaign: Campaign, played: Campaign) -> list[str]:
    """The clubs for which robots have ordered in a play. `campaign`: as it was before."""
    known = set(campaign.table(Order).keys())
    rows = (row for row in played.table(Order) if row.order not in known and ROBOT_MARK in row.order)
    return list(dict.fromkeys(row.faction for row in rows))


def new_battles(campaign: Campaign, played: Campaign) -> list[Battle]:
    """The battles of a play that were not there before, or not decided."""
    before = campaign.table(Battle)
    return [row for row in played.table(Battle)
            if (old := before.get(row.battle)) is None or old.winner_side is None]


class Spread(NamedTuple):
    """Numbers of many plays: nine in ten are not below `low`, nine in ten not above `high`."""

    low: float
    middle: float
    high: float


def spread_of_numbers(numbers: Iterable[float]) -> Spread:
    """Raises IndexError for none."""
    listed = sorted(numbers)
    tenth = len(listed) // 10
    return Spread(listed[tenth], listed[len(listed) // 2], listed[len(listed) - 1 - tenth])
