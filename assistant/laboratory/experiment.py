"""What is played in the laboratory: the start of each variant, the seeds and their dice, and one campaign of them."""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Protocol, runtime_checkable

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, OWNERLESS, Battle, Faction, Node, Order, Question
from assistant.catalogues import LANGUAGES
from assistant.turn.dice import turn_secret_of
from assistant.turn.event_types import Ending, Said
from assistant.turn.findings import cited_keys
from assistant.turn.numbers import Number, Switch, is_allowed
from assistant.turn.phases import (
    ONE_KEY,
    PLAIN_ALL,
    Outcome,
    StuckPhase,
    Tempers,
    answers_to,
    default_judge,
    finding_text,
    finish_phase,
    give_robot_orders,
    robots_of,
)
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import named_wording, sentences_of

PAIRED, PILOT = "paired", "pilot"
"""Series of seeds: those by which variants are compared, and those of the pilot before it."""
MOST_CELLS = 64
"""How many combinations of values an experiment has at most."""


@dataclass(frozen=True)
class Variant:
    """A cell of the grid. `values`: number or switch -> value, {} where the campaign is played as it is."""

    values: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in tables: ``siege_target=7, first_spring=no``; "" where nothing is varied."""
        return ", ".join(f"{key}={value}" for key, value in self.values.items())


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is played. `starts`: the campaign before its first phase here, of each variant; `turns`: how many turns are
    played at most, 0 for no limit; `series`: `PAIRED` or `PILOT`; `faction`: whose views the starts are, "" where they
    are the whole campaign; `tempers`: of robots that do not have the usual one.
    """

    ruleset: str
    variants: tuple[Variant, ...]
    starts: tuple[Campaign, ...]
    turns: int = 0
    series: str = PAIRED
    faction: str = ""
    tempers: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class Draws(Protocol):
    """A rulebook that can fill in what a faction does not know."""

    def draw(self, view: Campaign, faction: str, chance: Random) -> Campaign:
        """A whole campaign that this faction may take for the real one, made of its view alone; blanks filled in."""


def start_of(experiment: Experiment, ruleset: Ruleset, variant: int, seed: int) -> Campaign:
    """The campaign before its first phase here, with a robot for each club; what a view hides is drawn by the seed."""
    start = experiment.starts[variant]
    if experiment.faction and isinstance(ruleset, Draws):
        chance = Random(f"arbitro laboratory|{experiment.series}|{seed}|unknown")
        start = ruleset.draw(start, experiment.faction, chance)
    return with_robots(start)


def dice_secret(seed: int, series: str = PAIRED) -> bytes:
    """The secret of the dice of a laboratory's campaign, from its seed alone: the same for all variants, so that they
    throw the same wherever they throw for the same.
    """
    return hashlib.sha256(f"arbitro laboratory|{series}|{seed}".encode()).digest()


def with_robots(campaign: Campaign) -> Campaign:
    """The campaign with a robot for each club."""
    played = campaign.copy()
    for row in played.table(Faction):
        if row.role not in CLUBLESS:
            row.role = "robot"
    return played


# The grid.


class BadVariation(Exception):
    """A variation that cannot be played. `why`: ``unknown`` (name), ``value``, ``form``, ``twice``, ``many``; `data`:
    what was seen.
    """

    def __init__(self, why: str, **data: Any) -> None:
        super().__init__(f"{why}: {data}")
        self.why, self.data = why, data


def variation(typed: str, numbers: Iterable[Number | Switch]) -> tuple[str, list[int | str]]:
    """``siege_target=6,7,8`` -> the number's key and its values. Raises `BadVariation`."""
    name, equals, values = (part.strip() for part in typed.partition("="))
    by_key = {rule.key: rule for rule in numbers}
    if not equals or not name:
        raise BadVariation("form", seen=typed)
    if name not in by_key:
        raise BadVariation("unknown", seen=name, known=list(by_key))
    rule = by_key[name]
    read = [_value(rule, word.strip()) for word in values.split(",")]
    if len(set(read)) < len(read):
        raise BadVariation("twice", seen=typed)
    return name, read


def _value(rule: Number | Switch, word: str) -> int | str:
    """A value as typed. Raises `BadVariation`."""
    value: int | str = word
    if isinstance(rule, Number) and word.removeprefix("-").isdecimal() and word.isascii():
        value = int(word)
    if not is_allowed(rule, value):
        raise BadVariation("value", seen=word, rule=rule)
    return value


def grid(varied: Sequence[str], numbers: Sequence[Number | Switch]) -> tuple[Variant, ...]:
    """Every combination of the values of some numbers; one variant without values for none. The first one is that with
    which all others are compared. Raises `BadVariation`.
    """
    read = [variation(typed, numbers) for typed in varied]
    names = [name for name, _ in read]
    if len(set(names)) < len(names):
        raise BadVariation("twice", seen=", ".join(varied))
    cells = [Variant(dict(zip(names, values, strict=True))) for values in product(*(values for _, values in read))]
    if len(cells) > MOST_CELLS:
        raise BadVariation("many", cells=len(cells), most=MOST_CELLS)
    return tuple(cells)


# Tempers.


class BadTemper(Exception):
    """A temper that no robot can have. `why`: ``unknown``, ``none`` or ``twice``; `data`: what was seen."""

    def __init__(self, why: str, **data: str) -> None:
        super().__init__(f"{why}: {data}")
        self.why, self.data = why, data


def tempers_of(typed: Iterable[str], ruleset: Ruleset, code_of: Callable[[str], str], factions: Iterable[str]
               ) -> dict[str, str]:
    """``V=bold`` for one faction, ``bold`` for those that are not named -> faction -> temper, the usual one left out.

    `code_of`: finds the faction that was typed, raises what it likes; `factions`: all that play. Raises `BadTemper`.
    """
    known = [temper.word for temper in ruleset.tempers]
    named: dict[str, str] = {}
    everybody = ""
    for text in typed:
        name, equals, word = (part.strip() for part in text.rpartition("="))
        temper = word.casefold()
        if not known:
            raise BadTemper("none")
        if temper not in known or (equals and not name):
            raise BadTemper("unknown", seen=word if name else text, list=", ".join(known))
        faction = code_of(name) if equals else ""
        if named.get(faction, "") if faction else everybody:
            raise BadTemper("twice", seen=text)
        if faction:
            named[faction] = temper
        else:
            everybody = temper
    chosen = {faction: named.get(faction, everybody) for faction in factions}
    # the first temper is the plain one, which a robot has anyway
    return {faction: temper for faction, temper in chosen.items() if temper and temper != known[0]}


def is_playable(ruleset: Ruleset) -> bool:
    """Whether a rulebook has robots: orders of its own for an absent club."""
    return type(ruleset).robot_orders is not Ruleset.robot_orders


# One campaign of an experiment, and what is counted of it, as plain values.


MOST_PHASES, MOST_STOPS = 5000, 1000
"""Of a campaign: its phases, and how often one phase stops for answers."""
PLACES = "Places"


@dataclass
class TurnSample:
    """A turn of a campaign. `regular`: it has phases of an ordinary turn, so that its pace counts; `battles`: that
    began in it; `refused`: orders of robots; before its last phase, of pairs of factions: `wars` between them,
    `frontiers` that they share, `free` of these where they may fight; `figures`: faction -> figure -> its value at the
    turn's end: places held, and what the faction's report opens with.
    """

    turn: str
    regular: bool = False
    phases: int = 0
    events: int = 0
    orders: int = 0
    refused: int = 0
    battles: int = 0
    questions: int = 0
    wars: int = 0
    frontiers: int = 0
    free: int = 0
    figures: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass
class Sample:
    """What is counted of a campaign. `fault`: why it does not count, "" for none, and `at`: where it was then; `over`:
    whether it ended by its rules; `winners`: by the rulebook's own ending, () for a draw or where it did not end;
    `decided`: what the ending says of how it came about, the same for all that ended so, and `told`: language -> that
    ending in words; `rules`, `events`: how often each was used, by key or word.
    """

    seed: int
    variant: int
    fault: str = ""
    at: str = ""
    over: bool = False
    winners: tuple[str, ...] = ()
    decided: str = ""
    told: dict[str, str] = field(default_factory=dict)
    turns: list[TurnSample] = field(default_factory=list)
    rules: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)

    def total(self, name: str) -> int:
        """The sum of a count over the turns."""
        return sum(getattr(turn, name) for turn in self.turns)

    @property
    def length(self) -> int:
        """How many ordinary turns it had."""
        return sum(turn.regular for turn in self.turns)

    @property
    def quiet(self) -> int:
        """How many ordinary turns had no battle."""
        return sum(turn.regular and not turn.battles for turn in self.turns)

    def as_plain(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Sample:
        """Read back what `as_plain` made, also through JSON."""
        turns = [TurnSample(**turn) for turn in plain["turns"]]
        return cls(**{**plain, "turns": turns, "winners": tuple(plain["winners"])})


class BrokenInvariant(Exception):
    """Something that holds after every phase of a sound rulebook does not."""


def play_campaign(experiment: Experiment, variant: int, seed: int) -> Sample:
    """One campaign, from its seed alone. What goes wrong in the rulebook is a fault of the sample, not raised."""
    ruleset = load(experiment.ruleset)
    sample = Sample(seed, variant)
    rules, events = Counter[str](), Counter[str]()
    try:
        campaign = start_of(experiment, ruleset, variant, seed)
        for before, outcome in play_phases(ruleset, campaign, seed, experiment.turns, experiment.series,
                                           experiment.tempers):
            sample.at = f"{outcome.turn} {outcome.phase}"
            _count(ruleset, sample, before, outcome, rules, events)
            campaign = outcome.campaign
        sample.over = ruleset.is_over(campaign)
        # an experiment may end in the midst of a turn, by its number of turns or by a victory
        if sample.turns and not sample.turns[-1].figures:
            sample.turns[-1].figures = figures(ruleset, campaign)
        if sample.over:
            _end(ruleset, sample, campaign)
            sample.at = ""
    # the machine is at its end and not the rulebook: there is no sense in going on
    except MemoryError:
        raise
    except Exception as fault:  # a rulebook may fail in any way: the campaign is kept with its seed and counted
        sample.at = sample.at and f"after {sample.at}"
        sample.fault = _fault_line(fault)
    sample.rules, sample.events = ({key: found[key] for key in sorted(found)} for found in (rules, events))
    return sample


TOLD = 3
"""So many sentences of an ending are told."""


def _end(ruleset: Ruleset, sample: Sample, campaign: Campaign) -> None:
    """Note who has won, and what decided it."""
    view = ruleset.view(campaign, "")
    ending = ruleset.ending(view)
    sample.winners, sample.decided = tuple(ending.winners), kind_of_ending(ending, set(players(campaign)))
    for lang in LANGUAGES:
        told = sentences_of((*ending.verdict, *ending.counted), named_wording(ruleset, view, lang, codes=False))
        sample.told[lang] = " ".join(told[:TOLD])


def kind_of_ending(ending: Ending, factions: set[str]) -> str:
    """What endings have in common that differ only in who has won, and by how much."""
    words = (value for one in ending.verdict if not isinstance(one, Said) for value in one.data.values()
             if isinstance(value, str) and value and not factions & set(value.split()))
    parts = (one.text if isinstance(one, Said) else one.event for one in (*ending.verdict, *ending.counted))
    return " | ".join(dict.fromkeys((*parts, *words)))


def play_phases(ruleset: Ruleset, campaign: Campaign, seed: int, turns: int = 0, series: str = PAIRED,
                tempers: Tempers = PLAIN_ALL) -> Iterator[tuple[Campaign, Outcome]]:
    """Play a campaign of robots with the dice of a seed; of each phase the campaign before it and the outcome.

    `turns`: how many at most, 0 for all; `tempers`: of robots that do not have the usual one. Raises `StuckPhase`
    where it does not go on, and what the rulebook raises.
    """
    secret, judge = dice_secret(seed, series), default_judge(ruleset)
    seen = {campaign.desk.turn}
    for _ in range(MOST_PHASES):
        if ruleset.is_over(campaign):
            return
        seen.add(campaign.desk.turn)
        if turns and len(seen) > turns:
            return
        campaign, _rows = give_robot_orders(ruleset, campaign, robots_of(campaign), tempers)
        stops = iter(range(MOST_STOPS))

        def reply(waiting: Outcome, stops: Iterator[int] = stops) -> Mapping[str, str]:
            if next(stops, None) is None:
                raise StuckPhase(f"{waiting.turn} {waiting.phase} stops for answers more than {MOST_STOPS} times")
            return answers_to(ruleset, waiting, judge, tempers)

        outcome = finish_phase(ruleset, campaign, turn_secret_of(secret, campaign.desk.turn), reply)
        yield campaign, outcome
        after = outcome.campaign.desk
        if (after.turn, after.phase) == (outcome.turn, outcome.phase):
            raise StuckPhase(f"{outcome.turn} {outcome.phase} is followed by itself")
        campaign = outcome.campaign
    raise StuckPhase(f"the campaign is not over after {MOST_PHASES} phases")


def _count(ruleset: Ruleset, sample: Sample, before: Campaign, outcome: Outcome, rules: Counter[str],
           events: Counter[str]) -> None:
    """Add a phase to what is counted. Raises `BrokenInvariant`."""
    if not sample.turns or sample.turns[-1].turn != outcome.turn:
        sample.turns.append(TurnSample(outcome.turn))
    turn, after = sample.turns[-1], outcome.campaign
    refused = {finding.where.row for finding in outcome.findings if finding.stops
               and finding.where.table == Order.sheet}
    turn.regular |= any(phase.id == outcome.phase for phase in ruleset.calendar.turn)
    turn.phases += 1
    turn.events += len(outcome.events)
    turn.questions += len(question_keys(before, outcome))
    turn.orders += sum(not row.status for row in before.table(Order).of_turn(outcome.turn)
                       if row.phase == ruleset.phase(outcome.phase).orders)
    turn.refused += len(refused)
    if after.has(Battle.sheet):
        turn.battles += len(after.table(Battle)) - len(before.table(Battle))
    for event in outcome.events:
        events[event.event] += 1
        # a rule that one event cites twice counts once
        rules.update(dict.fromkeys(cited_keys(event.rule), 1))
    if ruleset.is_over(after) or after.desk.turn != outcome.turn:
        turn.figures = figures(ruleset, after)
        pairs = frontiers(ruleset, before)
        turn.frontiers, turn.free = len(pairs), sum(not ruleset.is_bound(before, *pair) for pair in pairs)
        turn.wars = len({frozenset((code, foe)) for code in players(before) for foe in ruleset.foes(before, code)})
    _check(ruleset, outcome)


def question_keys(before: Campaign, outcome: Outcome) -> list[str]:
    """The keys of the questions that a phase has put."""
    known = before.table(Question)
    return [row.ident for row in outcome.campaign.table(Question).of_turn(outcome.turn) if row.ident not in known]


def _check(ruleset: Ruleset, outcome: Outcome) -> None:
    """Raise `BrokenInvariant` where two throws share a key, or an event is not declared or cites nothing."""
    twice = [finding for finding in outcome.findings if finding.code == ONE_KEY]
    if twice:
        raise BrokenInvariant(f"two throws have one key: {finding_text(twice[0])}")
    for event in outcome.events:
        if event.event not in ruleset.events or not event.rule:
            raise BrokenInvariant(f"the event {event.event} is not declared, or cites no rule")


def figures(ruleset: Ruleset, campaign: Campaign) -> dict[str, dict[str, int]]:
    """Of each faction that plays the places it holds and the figures with which its report opens, without fractions."""
    return {code: {PLACES: ruleset.places_held(campaign, code),
                   **{label: int(value) for label, value in ruleset.glance(campaign, code)}}
            for code in players(campaign)}


def frontiers(ruleset: Ruleset, campaign: Campaign) -> list[tuple[str, str]]:
    """Pairs of factions that play and hold places side by side."""
    playing, roads = set(players(campaign)), ruleset.game(campaign).map
    holders = {node.ident: playing.intersection(node.owners) for node in campaign.table(Node)}
    return sorted({(a, b) for node, owners in holders.items() for near in roads.neighbours(node)
                   for a in owners for b in holders.get(near, ()) if a < b})


def players(campaign: Campaign) -> list[str]:
    """Codes of the factions that play, in natural order."""
    return [row.faction for row in campaign.table(Faction) if row.role not in OWNERLESS]


def _fault_line(fault: Exception) -> str:
    """A fault in one line: what it says, and the innermost line of code."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, {frames[-1].lineno})" if frames else ""
    name = "" if isinstance(fault, (StuckPhase, BrokenInvariant)) else f"{type(fault).__name__}: "
    return " ".join(f"{name}{fault}{'' if not name else place}".split())
