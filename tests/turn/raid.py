"""The Raid, a book of dice only: two bands before a keep, with every way of throwing that the floor knows.

Chapter 1: up to four assaults on the keep, 1d6 and 1 more a round against 7; then the losses are thrown, and a storm
may scatter the boats. Chapter 2: a band tests its will, two dice against its morale, 1 always, 6 never. Chapter 3: a
captain's fate, as many dice as his name is worth, 1 to 3 a success. Chapter 4: two bands clash, successes against
successes. Chapter 5: champions throw three dice each, the highest counts. Chapter 6: a place burns, drawn by lot;
chapter 7: who marches first; chapter 8: equal dice are an omen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text, Whole, column
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar
from assistant.turn.dice import HIGHEST, Purpose, RangeTable, RollKind, by_word
from assistant.turn.event_types import EventType
from assistant.turn.game import Board, Phase, Sheet, Step
from assistant.turn.numbers import Rules, number
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Contest, Limit, draw_one, highest_thrower, read_scale, sort_by_throw

LOSSES = RangeTable.rising("losses", (1, "none"), (3, "some"), (6, "many"))
WILL = RangeTable.rising("will", (0, "disaster"), (1, "morale shaken"), (2, "carries on"))
FATE = RangeTable.rising("fate", (0, "captive"), (1, "wounded"), (2, "escapes"))

ASSAULT = Purpose("assault/{n}")
LOSS = Purpose("loss/{Factions}")
STORM = Purpose("storm")
BAND_WILL = Purpose("will/{Factions}", "2d6", faces=True)
CAPTAIN = Purpose("fate/{Factions}", "d6", faces=True)
CLASH = Purpose("clash/{Factions}", "d6", faces=True)
CHAMPION = Purpose("champion/{Factions}", "3d6", faces=True)
FIRE = Purpose("fire", "")
FIRST = Purpose("first/{Factions}", again="/{n}")
MARCH = Purpose("march/{Factions}")
OMEN = Purpose("omen", "2d6", faces=True)


@dataclass
class Faction(base.Faction):
    """A band: its morale, its captain's name, what has become of it."""

    morale: int = column(Whole(0), "Morale", "Morale", default=3, see="public")
    name_worth: int = column(Whole(0), "Name", "Fama", default=2, see="public")
    fate: str = column(Text(), "Fate", "Sorte", see="public")


@dataclass
class Node(base.Node):
    """A place, and who holds it."""

    holder: str = column(Text(), "Holder", "Chi lo tiene", see="public")


class Numbers(Rules):
    """The numbers of the book."""

    falls_at: int = number(7, "total", "1", "The keep falls to this or more.")
    storm_on: int = number(6, "1d6", "1", "A die of this or more is a storm.")


class Field(Board):
    """The bands and the places."""

    rules: Numbers
    bands = Sheet(Faction)
    places = Sheet(Node)


def assault(field: Field) -> None:
    """Chapter 1: six dice at most."""
    band, keep = field.bands["A"], field.places["K"]
    for turn in range(1, 5):
        trial = field.trial(ASSAULT(turn), field.rules.falls_at, {"rounds": turn})
        field.tell("assault", rule="1", roll=trial, die=trial.roll, total=trial)
        if trial.passed:
            keep.holder = "A"
            break
    losses = read_scale(LOSSES, {}, roll=field.roll(LOSS("A")))
    band.fate = losses.verdict
    field.tell("losses", rule="1", roll=losses)
    if field.roll(STORM()).at_least(field.rules.storm_on):
        band.fate += " scattered"


def will(field: Field) -> None:
    """Chapter 2: two dice against morale, less 1 for a lost keep."""
    for band in field.bands:
        lost = -int(field.places["K"].holder not in ("", band.faction))
        rating = Limit.rating({"morale": band.morale, "lost keep": lost}, bounds=True)
        test = field.count(BAND_WILL(band.faction), rating, rows=WILL)
        band.fate = test.verdict
        field.tell("will", rule="2", roll=test, faction=band.faction, n=test)


def fate(field: Field) -> None:
    """Chapter 3: as many dice as the name is worth, 1 to 3 a success, 1 more with luck."""
    for band in field.bands:
        test = field.count(CAPTAIN(band.faction, n=band.name_worth), Limit(3), {"luck": int(band.faction == "B")},
                           rows=FATE)
        band.fate = test.verdict
        field.tell("fate", rule="3", roll=test, faction=band.faction)


def clash(field: Field) -> None:
    """Chapter 4: 4 or more a success; by two the loser is routed."""
    dice = Contest({band.faction: field.count(CLASH(band.faction, n=band.morale), Limit(4, at_least=True))
                    for band in field.bands})
    for band in field.bands:
        beaten = dice.winner not in ("", band.faction)
        band.fate = "stands" if not beaten else "routed" if dice.by(2) else "beaten"
    field.tell("clash", rule="4", roll=dice)


def champions(field: Field) -> None:
    """Chapter 5: the highest of three dice, 1 more for the better name."""
    names = {band.faction: band.name_worth for band in field.bands}
    dice = Contest({band: field.score(CHAMPION(band), {"name": int(worth == max(names.values()))}, read=HIGHEST)
                    for band, worth in names.items()})
    for band in field.bands:
        band.fate = "wins" if band.faction == dice.winner else "draws" if not dice.winner else "loses"
    field.tell("champions", rule="5", roll=dice)


def chance_and_order(field: Field) -> None:
    """Chapters 6 to 8: a place burns, somebody goes first, the others march by one die each, doubles are an omen."""
    place, thrown = draw_one(list(field.places), lambda dice: field.roll(FIRE(dice=dice)))
    if place is not None:
        place.holder = "fire"
    bands = [band.faction for band in field.bands]
    first, rolls = highest_thrower(bands, lambda band, again: field.roll(FIRST(band, again=again)))
    order = sort_by_throw(bands, lambda band: field.roll(MARCH(band)))
    omen = len(set(field.roll(OMEN()).faces)) == 1
    for band in field.bands:
        band.fate = f"{'first' if band.faction == first else 'second'} {order.index(band.faction)}{' omen' * omen}"
    field.tell("order", rule="6", roll=[*thrown, *rolls], faction=first)


def phase(name: str, step: Any) -> Phase:
    """A phase of one step."""
    return Phase(name, name.capitalize(), name.capitalize(), "1", board=Field, steps=(Step(step),))


class Raid(Ruleset):
    """The Raid."""

    id = "raid"
    interface = 6
    title = "The Raid"
    records = (base.Desk, Faction, Node, base.Road, base.Army, base.Order, base.Question, base.Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    rules_of = Numbers
    calendar = Calendar((phase("assault", assault), phase("will", will), phase("fate", fate), phase("clash", clash),
                         phase("champions", champions), phase("order", chance_and_order)))
    events = {one: EventType(one, "{roll}", to=ALL) for one in (  # noqa: RUF012
        "assault", "losses", "will", "fate", "clash", "champions", "order")}
    rolls = by_word(*(RollKind.of(one.word, one) for one in (
        ASSAULT, LOSS, STORM, BAND_WILL, CAPTAIN, CLASH, CHAMPION, FIRE, FIRST, MARCH, OMEN)))

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Morale."""
        return [("Morale", view.table(Faction)[faction].morale)]


RAID = Raid()


def raid(phase: str, *, bands: str = "A B", places: str = "K", **fields: Any) -> Campaign:
    """A campaign in a phase of turn 1; `fields` are those of every band."""
    campaign = Campaign(RAID.records)
    campaign.table(base.Desk).add(base.Desk(ruleset="raid", turn="1", phase=phase))
    for code in bands.split():
        campaign.table(Faction).add(Faction(faction=code, **fields))
    for code in places.split():
        campaign.table(Node).add(Node(node=code))
    return campaign
