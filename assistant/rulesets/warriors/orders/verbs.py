"""The verbs of the book, each declared on the function that judges a row of it (rulebook: Orders to Forces).

In goes a row as it was understood; what is wrong with it comes out as a `Refused` or a warning. What the rows come to
their phase decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.rulesets.warriors.book.records import Faction, Node, Order
from assistant.rulesets.warriors.book.sheets import Army, Boat, Unit, UnitType
from assistant.rulesets.warriors.book.words import (
    NEW_ORDERS,
    NEW_ORDERS_ALSO,
    STANCES,
    STANCES_ALSO,
    WISHES,
)
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.land.stores import held
from assistant.rulesets.warriors.orders.paths import by_land, by_water
from assistant.rulesets.warriors.orders.taking import code_in, own_force
from assistant.turn.orders.columns import Amount, Code, Note, Option, Path
from assistant.turn.orders.reading import read_row
from assistant.turn.orders.refusal import Refused, role
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import declared, order

ARMY, PLACE = Code((Army,)), Code((Node,))
NEW_ORDER = Option(NEW_ORDERS, NEW_ORDERS_ALSO)
NOTE = Note()


@dataclass(frozen=True)
class OwnFigures(Code):
    """A Unit, of which the example is one of the faction's own."""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """The first Unit of an own Force."""
        armies = campaign.table(Army)
        return next((unit.unit for unit in campaign.table(Unit)
                     if (army := armies.get(unit.army)) is not None and army.faction == faction), "")


@dataclass(frozen=True)
class Sort(Code):
    """A type of the price list, of which the example is one of the faction's own people."""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """The first of its people, else the first for all."""
        row, types = campaign.table(Faction).get(faction), list(campaign.table(UnitType))
        return next((one.type for people in (row.people if row is not None else "", "any") for one in types
                     if one.people == people), "")


@dataclass(frozen=True, kw_only=True)
class Usual(Amount):
    """A number with a usual one as example."""

    usual: int = 1

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """The usual one."""
        return self.usual


def _one_of(request: Request, name: str, options: Any, code: str, *, blank: bool = False) -> None:
    """A word that is none of the options is refused with a code of the book."""
    word = str(request.more[name])
    if word not in options and (word or not blank):
        raise Refused(code, name, **{name: word})


def _amount(request: Request, name: str) -> int:
    """A whole number above 0. Raises `Refused` (WAR-012)."""
    value = request.more[name]
    if not isinstance(value, int) or value < 1:
        raise Refused("not_an_amount", name, word=value)
    return value


# --- phase 1 --------------------------------------------------------------------------------------
@order("order", "ordine", when=("orders",), army=ARMY, new_order=NEW_ORDER, note=NOTE,
       shown=("{army} order {new_order}", "{army} ordine {new_order}"),
       help="Ask for another order, or shake off a reaction: the Force is tested.")
def change_order(land: Country, request: Request) -> None:
    """WAR-101, 102."""
    army = own_force(land, request)
    _one_of(request, "new_order", NEW_ORDERS, "WAR-101")
    if army.reaction == "none" and army.order == request.more["new_order"]:
        request.find(land, "WAR-102", "new_order", army=army.army)


# --- phase 2 --------------------------------------------------------------------------------------
@order("move", "muovi", when=("move",), army=ARMY, path=Path(record=Node), note=NOTE,
       shown=("{army} move {path}", "{army} muovi {path}"), help="March square by square, as far as the die says.")
def march(land: Country, request: Request) -> None:
    """WAR-201 to 213."""
    by_land(land, request, own_force(land, request))


@order("sail", "naviga", when=("move",), army=ARMY, boat=Code((Boat,)), path=Path(record=Node), note=NOTE,
       shown=("{army} sail {boat} {path}", "{army} naviga {boat} {path}"),
       help="Go aboard and by water; land as the last word goes ashore.")
def sail(land: Country, request: Request) -> None:
    """WAR-201, 202, 301 to 311."""
    by_water(land, request, own_force(land, request))


@order("contact", "contatto", when=("move",), army=ARMY, stance=Option(STANCES, STANCES_ALSO),
       to=Code((Node,), blank=True), note=NOTE, shown=("{army} contact {stance}[ to {to}]",
                                                       "{army} contatto {stance}[ in {to}]"),
       help="What a Force does when it is attacked, until it is changed.")
def on_contact(land: Country, request: Request) -> None:
    """WAR-320 to 322."""
    army, to = own_force(land, request), str(request.more["to"])
    _one_of(request, "stance", STANCES, "WAR-320")
    if to and not land.map.land_step(army.node, to):
        request.find(land, "WAR-321", "to", to=to, here=army.node)
    if request.more["stance"] != "fight" and land.rules.counter_march == "off":
        request.find(land, "WAR-322", "stance", army=army.army)


@order("initiative", "iniziativa", when=("move",), wish=Option(WISHES), note=NOTE,
       shown=("initiative {wish}", "iniziativa {wish}"), help="Whether to move first or last.")
def wish_of_place(land: Country, request: Request) -> None:
    """WAR-331."""
    _one_of(request, "wish", WISHES, "WAR-331")


# --- phase 7 --------------------------------------------------------------------------------------
def _held(land: Country, request: Request) -> Node:
    """The place of a purchase. Raises `Refused` (WAR-401)."""
    place = held(land, str(request.more["place"]), request.faction)
    if place is None:
        raise Refused("WAR-401", "place", place=request.more["place"])
    return place


def _founded(land: Country, request: Request) -> bool:
    """Whether the Force of a row is one that the faction founds this turn."""
    name = (request.typed("army") or str(request.more["army"])).casefold()
    rows = land.campaign.table(Order).of_turn(land.game.turn, lambda row: row.faction == request.faction)
    return any(one.verb == "found" and str(one.more["name"]).casefold() == name
               for one in (read_row(land.game.orders, land.campaign, row, reads=land.game.reads) for row in rows))


@order("raise", "arruola", when=("muster",), place=PLACE, type=Sort((UnitType,), of_others=True),
       figures=Usual(usual=10), army=Code((Army,)), note=NOTE,
       shown=("raise {figures} {type} at {place} in {army}", "arruola {figures} {type} a {place} in {army}"),
       help="A new Unit for a Force in a place, or for one that is founded this turn.")
def raised(land: Country, request: Request) -> None:
    """WAR-401, 012, 402, 408."""
    if str(request.more["army"]) in land.armies or not _founded(land, request):
        own_force(land, request)
    _held(land, request)
    figures = _amount(request, "figures")
    kind = land.types.get(code_in(land, request, UnitType, "type"))
    if kind is None or kind.people not in ("any", land.factions[request.faction].people):
        raise Refused("WAR-402", "type", type=request.typed("type") or request.more["type"])
    if figures < land.rules.unit_min:
        raise Refused("WAR-408", "figures")


@order("refill", "rimpiazza", when=("muster",), place=PLACE, unit=OwnFigures((Unit,)), figures=Usual(), note=NOTE,
       shown=("refill {unit} {figures} at {place}", "rimpiazza {unit} {figures} a {place}"),
       help="Figures for a Unit whose Force is in a place.")
def refilled(land: Country, request: Request) -> None:
    """WAR-401, 012, 409, 003, 004, 406."""
    _held(land, request)
    figures = _amount(request, "figures")
    unit = land.units.get(code_in(land, request, Unit, "unit"))
    if unit is None:
        raise Refused("WAR-409", "unit", unit=request.unit)
    army = land.armies[unit.army]
    if army.faction != request.faction:
        raise Refused("not_yours", "unit", word=request.unit, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "unit", army=army.army, status=army.status)
    start = unit.figures_start if unit.figures_start is not None else unit.figures
    if unit.figures + hurt(land, unit.unit) + figures > start:
        request.find(land, "WAR-406", "figures", unit=unit.unit, n=start)


def hurt(land: Country, unit: str) -> int:
    """Wounded figures of a Unit that are still to come back."""
    return sum(row.count for row in land.wounded if row.unit == unit)


@order("found", "fonda", when=("muster",), place=PLACE, name=Note(blank=False, like="New Levy"), vc=Usual(),
       new_order=Option(NEW_ORDERS, NEW_ORDERS_ALSO, blank=True), note=NOTE,
       shown=('found "{name}" at {place} vc {vc} {new_order}', 'fonda "{name}" a {place} vc {vc} {new_order}'),
       help="A new Force with its commander.")
def founded(land: Country, request: Request) -> None:
    """WAR-401, 012, 407, 101."""
    _held(land, request)
    vc = _amount(request, "vc")
    if vc > land.rules.muster_vc_max:
        raise Refused("WAR-407", "vc", vc=vc)
    _one_of(request, "new_order", NEW_ORDERS, "WAR-101", blank=True)


VERBS = declared(
    change_order, march, sail, on_contact, wish_of_place, raised, refilled, founded,
    fillers=("to", "in", "at", "a", "the"),
    cells=("army", "new_order", "boat", "wish", "stance", "to", "place", "type", "unit", "figures", "vc", "name"),
    says={
        "no_faction": role("WAR-005", faction="faction"),
        "unknown_verb": role("WAR-001", verb="word"),
        "no_such_unit": role("WAR-002", army="word", near="near"),
        "not_yours": role("WAR-003", army="word"),
        "missing": role("WAR-006", verb="verb", columns="column"),
        "not_an_amount": role("WAR-012", value="word"),
        "no_such_place": role("WAR-201", node="word", near="near"),
    })
