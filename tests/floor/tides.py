"""The Tides, a tiny rulebook without dice, in English only: crews sail in every season, and gather in autumn.

Chapter 1: a crew sails along a road, fast or slowly, or helps another to sail from one place to the next.
Chapter 2: in autumn a crew may gather where it stands. Codes are written as one pleases: Cee, abo, DUN.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref, Text, wanted
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Phase, Sheet, Step
from assistant.turn.orders.columns import Option
from assistant.turn.orders.reader import Understood
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit, Place
from assistant.turn.orders.taking import carry_all, take
from assistant.turn.orders.verbs import order, order_book, same
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed


@dataclass
class Order(base.Order):
    """What a crew is to do."""

    unit: str = wanted(Ref("Armies", blank=True), "Crew", "Ciurma")
    target: str = wanted(Ref("Nodes", blank=True), "Where", "Dove")
    node: str = wanted(Ref("Nodes", blank=True), "From", "Da")
    option: str = wanted(Text(), "How", "Come")
    choice: str = wanted(Choice({"day": "giorno", "night": "notte"}, blank=True), "By", "Di")


class Sea(Board):
    """The crews."""

    crews = Sheet(base.Army)


def reached(sea: Sea, request: Request, place: base.Node, column: str) -> None:
    """A crew sails to the next place only (TID-004)."""
    start = sea.crews[request.unit].node
    if not sea.game.map.has_link(start, place.node):
        raise Refused("TID-004", column, a=start, b=place.node)


def manned(sea: Sea, request: Request, way: str, column: str) -> None:
    """Nobody sails fast to Dun (TID-007)."""
    if way == "fast" and request.target == "DUN":
        raise Refused("TID-007", column, word=way)


@order("sail", "naviga", when=("tide",), unit=OwnUnit(base.Army), target=Place(then=(reached,)),
       option=Option({"fast": "svelti", "slow": "lenti"}, then=(manned,)),
       choice=Option({"day": "giorno", "night": "notte"}, blank=True), replaces=same("deed", "unit"),
       help="Sail to the next place.")
def sail(sea: Sea, request: Request, crew: base.Army, place: base.Node) -> None:
    """A crew goes there at once."""
    start, crew.node = crew.node, place.node
    sea.tell("tides.sailed", army=crew.army, start=start, node=crew.node)


@order("help", "aiuta", when=("tide",), unit=OwnUnit(base.Army), target=Place(), node=Place(),
       replaces=same("deed", "unit"), help="Help who sails from one place to another.")
def assist(sea: Sea, request: Request, crew: base.Army, place: base.Node, start: base.Node) -> None:
    """Two places are two (TID-008)."""
    if place.node == start.node:
        raise Refused("TID-008", "node", node=place.node)


@order("gather", "raduna", when=("muster",), unit=OwnUnit(base.Army), help="Gather where the crew stands.")
def gather(sea: Sea, request: Request, crew: base.Army) -> None:
    """It is told, and nothing changes."""
    sea.tell("tides.gathered", army=crew.army, node=crew.node)


def orders(sea: Sea) -> None:
    """All of them."""
    carry_all(sea, take(sea))


class Tides(Ruleset):
    """Two years of it."""

    id, interface, title = "tides", 6, "The Tides"
    author, version, languages = "Test", "1.0", ("en",)
    records = (base.Desk, base.Faction, base.Node, base.Road, base.Army, Order, base.Question, base.Event,
               base.FindingRow, base.Rule)
    calendar = Calendar((
        Phase("sailing", "Sailing", "Navigazione", "1", orders="tide", board=Sea, steps=(Step(orders, "together"),)),
        Phase("muster", "Muster", "Adunata", "2", orders="muster", board=Sea, only=("A",),
              steps=(Step(orders, "together"),)),
    ), Turns(seasons=("S", "A")))
    findings = keyed(
        Message("TID-001", "error", "'{word}' is no order. Did you mean {near}?"),
        Message("TID-002", "error", "'{word}' is no crew of yours."),
        Message("TID-003", "error", "'{word}' is not on the map. Did you mean {near}?"),
        Message("TID-004", "error", "No way leads from {a} to {b}."),
        Message("TID-005", "error", "'{word}' is none of {options}."),
        Message("TID-006", "error", "{verb} says nothing of {column}."),
        Message("TID-007", "error", "Nobody sails {word} to Dun."),
        Message("TID-008", "error", "{node} cannot be both."))
    events = keyed(
        EventType("tides.sailed", "{army} sails from {start} to {node}.", "moves", to=ALL),
        EventType("tides.gathered", "{army} gathers at {node}.", "news", to=ALL))
    verbs = order_book(sail, assist, gather, fillers=("to", "from"), says={
        "unknown_verb": role("TID-001", word="word", near="near"), "no_such_unit": role("TID-002", word="word"),
        "not_yours": role("TID-002", word="word"), "no_such_place": role("TID-003", word="word", near="near"),
        "no_such_option": role("TID-005", word="word", options="options"),
        "missing": role("TID-006", verb="verb", column="column")})

    def last_turn(self, campaign: Campaign) -> bool:
        """The second autumn."""
        return campaign.desk.turn == "2A"

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """Each crew sails on, and gathers where that may be."""
        now = view.desk.phase
        mine = [crew for crew in view.table(base.Army) if crew.faction == faction]
        if now == "muster":
            return [Order(verb="gather", unit=crew.army) for crew in mine]
        near = {crew.army: next(road.b if road.a == crew.node else road.a for road in view.table(base.Road)
                                if crew.node in (road.a, road.b)) for crew in mine}
        return [Order(verb="sail", unit=crew.army, target=near[crew.army], option="slow") for crew in mine]

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """The old salts' own line, ``N-1 / Abo``, beside what the verbs declare."""
        crew, slash, place = text.partition("/")
        if not slash:
            return super().understand(text, campaign, faction)
        return Understood({"verb": "sail", "unit": crew.strip(), "target": place.strip(), "option": "slow"})


TIDES = Tides()

FOLDER = {
    "desk.csv": "key,value\nruleset,tides\ntitle,High water\nlanguage,en\n",
    "factions.csv": "faction,name_en\nN,North\nS,South\n",
    "nodes.csv": "node,name,x,y\nCee,Ceehaven,0,0\nabo,Abo,40,0\nDUN,Dun,0,40\n",
    "roads.csv": "a,b\nCee,abo\nabo,DUN\n",
    "armies.csv": "army,faction,node\nN-1,N,Cee\nS-1,S,DUN\n",
}


def opening(place: Path) -> Path:
    """The folder of CSVs, written."""
    place.mkdir(exist_ok=True)
    for name, text in FOLDER.items():
        (place / name).write_text(text)
    return place
