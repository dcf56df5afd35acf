"""What all orders of Il Giglio share: times, kinds of column, the book's codes, who pays (rulebook: Orders)."""

from __future__ import annotations

from dataclasses import replace

from assistant.rulesets.giglio.book.records import Army, Fleet
from assistant.rulesets.giglio.war.war import War
from assistant.turn.orders.columns import Check, OwnUnit
from assistant.turn.orders.purses import Purse
from assistant.turn.orders.refusal import Refused, role
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import Shapes

SPRING, SUMMER = "budget", "summer"
IN_SPRING, IN_SUMMER, IN_BOTH = (SPRING,), (SUMMER,), (SPRING, SUMMER)

SAYS = {
    "unknown_verb": role("GIG-001", "verb", verb="word"),
    "wrong_time": role("GIG-002", verb="verb", phase="phase", times="times"),
    "no_such_unit": role("GIG-003", unit="word", list="list", near="near"),
    "not_yours": role("GIG-004", unit="word"),
    "no_such_place": role("GIG-005", node="word", near="near"),
    "replaced": role("GIG-006", "order", order="order"),
    "not_an_amount": role("GIG-007", amount="word"),
    "several_there": role("GIG-008", n="n", node="node", list="list"),
    "none_there": role("GIG-009", node="node"),
    "no_such_partner": role("GIG-010", partner="word"),
    "not_understood": role("GIG-011", text="text"),
    "twins": role("GIG-013"),
    "overdrawn": role("GIG-020", cost="cost", left="left"),
}
"""The findings that every book has, under Il Giglio's codes."""

SHAPES = Shapes(unit=r"[A-Za-z]{1,3}-[FSfs]?\d+", place=r"[A-Za-z]{1,3}\d+")
FILLERS = ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves",
           "armata", "l'armata", "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con",
           "with", "contro", "against", "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo",
           "node")
"""Words of a line that say nothing (rulebook: Orders in words)."""

PURSE = Purse(whose=lambda war, request: request.faction,
              left=lambda war, faction: war.factions[faction].treasury - war.plan.set_aside.get(faction, 0))
"""The chest, less what a bid has set aside."""


def soldiers_only(war: War, request: Request, army: Army, field: str) -> None:
    """A diplomat has no men (GIG-046)."""
    if army.kind != "army":
        raise Refused("GIG-046", field, unit=army.army)


def not_aboard(war: War, request: Request, army: Army, field: str) -> None:
    """On a ship nothing of the kind can be done (GIG-058)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", field, unit=army.army, fleet=army.fleet)


def _ashore(army: Army) -> bool:
    return army.posture != "aboard"


ARMY = OwnUnit(Army, known=_ashore)
"""An own marker, by its code; of those of others that are aboard nobody knows."""
ACTING_ARMY = replace(ARMY, at=("path", "target"), standing=_ashore,
                      free=lambda war, army: army.army not in war.plan.columns)
"""An own marker, or the only one at the start of the path or at the target; columns that march off it are not meant."""
ACTING_FLEET = OwnUnit(Fleet, at=("path",), like="{faction}-F1")


def soldiers(kind: OwnUnit, *then: Check) -> OwnUnit:
    """As the kind of column, but armies proper only."""
    return replace(kind, then=(soldiers_only, *then))
