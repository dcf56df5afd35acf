"""The Wells, a whole ruleset in one module: two camps dig for water, three days long.

Chapter 1: each day a camp may order one dig at a place. Chapter 2: a die of 4 or more finds water, one
barrel for the camp; a place with damp ground adds 1. Chapter 3: after the last day most barrels win.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Flag, Ref, Whole, column
from assistant.campaign.records import ALL
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Phase, Sheet, Step
from assistant.turn.numbers import Rules, number
from assistant.turn.orders.requests import Request, role
from assistant.turn.orders.row_columns import Place
from assistant.turn.orders.taking import carry_all, take
from assistant.turn.orders.verbs import order, order_book, same
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed

DAYS = 3


@dataclass
class Faction(base.Faction):
    """A camp and its water."""

    barrels: int = column(Whole(0), "Barrels", "Barili", see="public", hint=("barrels of water", "barili d'acqua"))


@dataclass
class Node(base.Node):
    """A place where somebody may dig."""

    damp: bool = column(Flag(), "Damp ground", "Terreno umido", edit="referee", see="public")


@dataclass
class Order(base.Order):
    """Where a camp digs today."""

    target: str = column(Ref("Nodes", blank=True), "Where", "Dove", edit="club", see="owner")


FINDINGS = keyed(
    Message("WEL-001", "error", "'{node}' is not on the map. Did you mean {near}?"),
    Message("WEL-002", "error", "Only dig can be ordered. Choose it from the list."),
)
EVENTS = keyed(
    EventType("well.found", "{faction} digs at {node}: {roll}.", "news", 1, "2", verdicts=("water", "sand"), to=ALL),
    EventType("wells.over", "The last day is over. Most water: {winners}.", "news", 0, "3", to=ALL),
)


class Numbers(Rules):
    """The numbers of the book."""

    water_on: int = number(4, "1d6", "2", "A die of this or more finds water.")


class Desert(Board):
    """The campaign as the chapters speak of it."""

    rules: Numbers
    camps = Sheet(Faction)


@order("dig", "scava", when=("day",), target=Place(), replaces=same("dig"), help="Dig for water at a place.")
def dig(desert: Desert, request: Request, place: Node) -> None:
    """Chapter 2: a die finds water or sand."""
    trial = desert.game.trial(f"dig:{place.node}:{request.faction}:{desert.game.turn}", "1d6", desert.rules.water_on,
                              {"damp ground": int(place.damp)})
    camp = desert.camps[request.faction]
    camp.barrels += int(trial.passed)
    desert.game.tell("well.found", roll=trial, faction=camp.faction, node=place.node)


def digging(desert: Desert) -> None:
    """Chapter 1: one dig a camp and day."""
    carry_all(desert, take(desert))


def counting(desert: Desert) -> None:
    """Chapter 3: after the last day the barrels are counted."""
    if desert.game.turn == str(DAYS):
        most = max(camp.barrels for camp in desert.camps)
        winners = " ".join(camp.faction for camp in desert.camps if camp.barrels == most)
        desert.game.tell("wells.over", winners=winners)


DIG = Phase("dig", "Digging", "Scavo", "2", orders="day", board=Desert,
            steps=(Step(digging, "together"), Step(counting)))


class Wells(Ruleset):
    """The Wells."""

    id = "wells"
    interface = 6
    title = "The Wells"
    author = "Arbitro's tests"
    version = "1.0"
    records = (base.Desk, Faction, Node, base.Road, base.Army, Order, base.Question, base.Battle, base.Event,
               base.Die, base.FindingRow, base.Rule)
    rules_of = Numbers
    calendar = Calendar((DIG,))
    words = ("damp ground",)
    findings = FINDINGS
    events = EVENTS
    questions = {}  # noqa: RUF012
    verbs = order_book(dig, bare=dig, says={
        "unknown_verb": role("WEL-002", "verb"), "no_such_place": role("WEL-001", node="word", near="near")})

    def last_turn(self, campaign: Campaign) -> bool:
        """The third day."""
        return campaign.desk.turn == str(DAYS)

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """A robot digs at the first place."""
        return [Order(verb="dig", target=view.table(Node).keys()[0])]


WELLS = Wells()
