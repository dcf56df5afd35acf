"""The Toll, the smallest ruleset there is: who alone claims a ford holds it. No dice, no armies, no roads, no battles.

Chapter 1: each turn a faction may claim one ford. Chapter 2: whoever is alone in claiming it holds it. Chapter 3: after
twelve turns it is over.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Whole, public, wanted
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType
from assistant.turn.findings import Message
from assistant.turn.game import Board, Phase, Sheet, Step
from assistant.turn.orders.requests import Request, role
from assistant.turn.orders.row_columns import Place
from assistant.turn.orders.taking import carry_all, take
from assistant.turn.orders.verbs import order, order_book, same
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed


@dataclass
class Faction(base.Faction):
    """A lord and what the fords have brought."""

    pence: int = public(Whole(0), "Pence", "Denari")


@dataclass
class Node(base.Node, whose=("owner",)):
    """A ford."""

    owner: str = public(Ref("Factions", blank=True), "Holder", "Di chi")
    claims: str = public(Text(), "Claimed by", "Chi la vuole")


@dataclass
class Order(base.Order):
    """Which ford a lord claims."""

    target: str = wanted(Ref("Nodes", blank=True), "Where", "Dove")


class Land(Board):
    """The campaign as the chapters speak of it."""

    lords, fords = Sheet(Faction), Sheet(Node)


@order("claim", "rivendica", when=("turn",), target=Place(), replaces=same("claim"), help="Claim a ford.")
def claim(land: Land, request: Request, ford: Node) -> None:
    """Chapter 1."""
    ford.claims = f"{ford.claims} {request.faction}".strip()


def orders(land: Land) -> None:
    """Chapter 1: one ford a lord and turn."""
    carry_all(land, take(land))


def holding(land: Land) -> None:
    """Chapter 2: who alone claims a ford holds it, and gets a penny."""
    for ford in land.fords:
        if len(ford.claims.split()) == 1:
            ford.owner = ford.claims
            land.lords[ford.owner].pence += 1
            land.tell("held", faction=ford.owner, node=ford.node)
        ford.claims = ""


class Toll(Ruleset):
    """The Toll."""

    id = "toll"
    interface = 6
    title = "The Toll"
    calendar = Calendar((Phase("claims", "Claims", "Pretese", "2", orders="turn", board=Land,
                               steps=(Step(orders, "together"), Step(holding))),))
    records = (base.Desk, Faction, Node, Order, base.Question, base.Event, base.FindingRow, base.Rule)
    findings = keyed(Message("TOL-001", "error", "'{node}' is no ford. Did you mean {near}?"),
                          Message("TOL-002", "error", "Only claim can be ordered. Choose it from the list."))
    events = {"held": EventType("held", "{faction} holds {node}.", "tolls", to=base.ALL)}  # noqa: RUF012
    categories = {"tolls": "Tolls"}  # noqa: RUF012
    verbs = order_book(claim, bare=claim, says={
        "unknown_verb": role("TOL-002", "verb"), "no_such_place": role("TOL-001", node="word", near="near")})

    def last_turn(self, campaign: Campaign) -> bool:
        """Chapter 3."""
        return campaign.desk.turn == "12"


TOLL = Toll()
