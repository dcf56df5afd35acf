"""What is played in the laboratory: the start of each variant, the seeds, and how far; and the dice of a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, Protocol, runtime_checkable

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction
from assistant.turn.numbers import Number, Switch, is_allowed
from assistant.turn.ruleset import Ruleset

PAIRED, PILOT = "paired", "pilot"
"""Series of seeds: those that count, and those of a pilot, which share no die with them."""
MOST_CELLS = 64
"""So many variants at most in one grid."""


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
    return {faction: temper for faction, temper in chosen.items() if temper and temper != known[0]}


def is_playable(ruleset: Ruleset) -> bool:
    """Whether a rulebook has robots: orders of its own for an absent club."""
    return type(ruleset).robot_orders is not Ruleset.robot_orders
