"""How rows of orders are taken: read, put in order, replaced, refused (digest 5.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from assistant.rulesets.giglio.records import Army, Fleet, Node, Order
from assistant.rulesets.giglio.shorthand import understand
from assistant.rulesets.giglio.verbs import VERBS, canonical_option, canonical_verb
from assistant.rulesets.giglio.war import War
from assistant.turn.findings import Finding, Where, nearest

ARMY_ACTIONS = frozenset({"move", "stay", "siege", "lift", "come_out", "embark", "land"})
_BETWEEN = re.compile(r"[\s,;>\u2192]+|-(?=[A-Z])")
PURCHASES = frozenset({"recruit", "enlist"})
CELLS = ("verb", "unit", "path", "target", "amount", "partner", "option", "note")
"""What an order says; a row with nothing in these, nor in words, is blank."""
NO_CLUB = "ARB-276"


class Refused(Exception):
    """A row cannot be carried out; caught by `carry_out`, which makes a finding of it."""

    def __init__(self, code: str, field_name: str, **data: Any) -> None:
        super().__init__(code)
        self.code, self.field, self.data = code, field_name, data


@dataclass
class Request:
    """One row as understood: codes in capitals, verb and option in English."""

    row: Order
    verb: str
    unit: str = ""
    path: list[str] = field(default_factory=list)
    target: str = ""
    amount: int | str = ""
    partner: str = ""
    option: str = ""
    note: str = ""
    problem: str = ""

    @property
    def faction(self) -> str:
        """Whose row it is."""
        return self.row.faction

    def refuse(self, war: War, code: str, field_name: str, **data: Any) -> None:
        """Give the row its finding, and the status that goes with the finding's severity."""
        found = war.game.find(code, Where(Order.sheet, self.row.ident, field_name), self.faction, **data)
        if found.stops:
            self.row.status = "refused"

    def warn(self, war: War, code: str, field_name: str, **data: Any) -> None:
        """A warning beside the row; it is carried out."""
        war.game.find(code, Where(Order.sheet, self.row.ident, field_name), self.faction, **data)


def rows_of_phase(war: War) -> list[Request]:
    """The rows of the present phase, faction by faction in natural order, each by seq, then row; neutrals' last."""
    table = war.campaign.table(Order)
    places = {key: index for index, key in enumerate(table.keys_in_file_order())}
    rows = [(places[row.ident], row) for row in table.of_turn(war.game.turn)
            if row.phase.lower() == war.season and not row.status]
    by_faction = {f.faction: (f.role == "neutral", place) for place, f in enumerate(war.factions)}
    known = [(i, r) for i, r in rows if r.faction in by_faction]
    known.sort(key=lambda ir: (by_faction[ir[1].faction], ir[1].seq if ir[1].seq is not None else 10**6, ir[0]))
    return [read_row(war, row) for _, row in known
            if any(getattr(row, name) not in ("", None) for name in ("text", *CELLS))]


def read_row(war: War, row: Order) -> Request:
    """Understand one row, from its cells or, where the verb is blank, from its words."""
    if not row.verb and row.text:
        got = understand(row.text, war.nodes, war.armies, factions=war.factions, faction=row.faction,
                         at=stations(war, row.faction))
        if got.problem:
            return Request(row, "", problem=row.text)
        cells: dict[str, Any] = dict(got.fields)
    else:
        cells = {c: getattr(row, c) for c in CELLS}
    verb = canonical_verb(str(cells.get("verb", "")))
    path = [node for node in _BETWEEN.split(str(cells.get("path", "") or "").upper()) if node]
    amount = cells.get("amount", "")
    return Request(
        row, verb, unit=_code(cells.get("unit")), path=_without_echo(path), target=_code(cells.get("target")),
        amount="" if amount is None else amount, partner=_code(cells.get("partner")),
        option=canonical_option(str(cells.get("option") or ""), verb), note=str(cells.get("note") or row.note or ""))


def stations(war: War, faction: str) -> dict[str, str]:
    """Where each army and fleet of a faction stands: code -> node."""
    return {a.army: a.node for a in war.armies if a.faction == faction} | {
        f.fleet: f.node for f in war.fleets if f.faction == faction}


def _code(raw: object) -> str:
    return str(raw or "").strip().upper()


def _without_echo(path: list[str]) -> list[str]:
    return [node for i, node in enumerate(path) if i == 0 or node != path[i - 1]]


def admitted(war: War, requests: Iterable[Request], season: str) -> list[Request]:
    """The rows whose verb exists and belongs here; the others are refused (GIG-001, 002, 011), and neutrals' all."""
    found = []
    for request in requests:
        if war.factions[request.faction].role == "neutral":
            request.row.status = "refused"
            war.game.findings.append(Finding(NO_CLUB, "error", Where(Order.sheet, request.row.ident, "faction"),
                                             {"faction": request.faction}, request.faction))
        elif request.problem:
            request.refuse(war, "GIG-011", "text", text=request.problem)
        elif request.verb not in VERBS:
            request.refuse(war, "GIG-001", "verb", verb=request.row.verb or request.row.text)
        elif season not in VERBS[request.verb].seasons:
            request.refuse(war, "GIG-002", "verb", verb=request.verb, phase=war.season)
        else:
            found.append(request)
    return found


def thing(war: War, request: Request) -> tuple[str, ...] | None:
    """What the row is about, if a later row about the same replaces it (digest 5.1)."""
    whose = request.faction
    if request.verb in ARMY_ACTIONS and not (request.verb == "move" and request.amount != ""):
        unit = acting_unit(war, request)
        return (whose, "action", unit) if unit else None
    if request.verb == "sail":
        unit = request.unit or _only_fleet(war, request)
        return (whose, "sail", unit) if unit else None
    if request.verb in ("loan", "bid", "objective"):
        return (whose, request.verb)
    if request.verb == "assassinate":
        return (whose, "shot", request.unit) if request.unit else None
    if request.verb == "ally":
        return (whose, "ally", request.partner)
    return None


def without_replaced(war: War, requests: list[Request]) -> list[Request]:
    """The last of several rows for the same thing stands; the earlier get GIG-006."""
    last: dict[tuple[str, ...], Request] = {}
    for request in requests:
        what = thing(war, request)
        if what is not None:
            last[what] = request
    standing = []
    for request in requests:
        what = thing(war, request)
        if what is not None and last[what] is not request:
            request.row.status = "replaced"
            request.warn(war, "GIG-006", "order", order=last[what].row.order)
        else:
            standing.append(request)
    return standing


def warn_of_twins(war: War, requests: list[Request]) -> None:
    """Two purchases alike in every cell: both are made, with a warning on the later (GIG-013)."""
    seen: set[tuple[object, ...]] = set()
    for r in requests:
        if r.verb in PURCHASES and r.row.status == "accepted":
            cells = (r.faction, r.verb, r.unit, r.target, r.amount, r.option, r.note)
            if cells in seen:
                r.warn(war, "GIG-013", "verb")
            seen.add(cells)


def carry_out(war: War, request: Request, deed: Callable[[War, Request], None]) -> bool:
    """Do what the row asks; a refusal becomes its finding. Whether it was done."""
    try:
        deed(war, request)
    except Refused as refused:
        request.refuse(war, refused.code, refused.field, **refused.data)
        return False
    request.row.status = "accepted"
    return True


# --- checks that many verbs share, each in the words of 12.1 ------------------------------------
def whole(request: Request, *, blank: bool = False) -> int | None:
    """The amount as ducats of 1 or more (GIG-007); None for a blank that is allowed."""
    if request.amount == "" and blank:
        return None
    if not isinstance(request.amount, int) or request.amount < 1:
        raise Refused("GIG-007", "amount", amount=request.amount)
    return request.amount


def node_named(war: War, code: str, field_name: str = "target") -> Node:
    """The place of a code (GIG-005)."""
    place = war.nodes.get(code)
    if place is None:
        by_name = {n.name.upper(): n.node for n in war.nodes if n.name}
        near = by_name.get(code) or nearest(code, war.nodes.keys())
        raise Refused("GIG-005", field_name, node=code, near=near)
    return place


def army_named(war: War, request: Request, code: str, field_name: str = "unit") -> Army:
    """An own marker of a code (GIG-003, 004)."""
    army = war.armies.get(code)
    if army is not None and army.faction != request.faction and army.posture == "aboard":
        army = None  # only its owner knows of it
    if army is None:
        mine = [a.army for a in war.armies if a.faction == request.faction]
        raise Refused("GIG-003", field_name, unit=code, list=" ".join(mine) or "-",
                      near=nearest(code, mine))
    if army.faction != request.faction:
        raise Refused("GIG-004", field_name, unit=code)
    return army


def fleet_named(war: War, request: Request, code: str, field_name: str = "unit") -> Fleet:
    """An own fleet of a code (GIG-003, 004)."""
    fleet = war.fleets.get(code)
    if fleet is None:
        mine = [f.fleet for f in war.fleets if f.faction == request.faction]
        raise Refused("GIG-003", field_name, unit=code, list=" ".join(mine) or "-", near=nearest(code, mine))
    if fleet.faction != request.faction:
        raise Refused("GIG-004", field_name, unit=code)
    return fleet


def soldiers_only(army: Army, field_name: str = "unit") -> None:
    """A diplomat has no men (GIG-046)."""
    if army.kind != "army":
        raise Refused("GIG-046", field_name, unit=army.army)


def partner_named(war: War, request: Request) -> str:
    """Another faction that can be dealt with (GIG-010)."""
    row = war.factions.get(request.partner)
    if row is None or row.role == "neutral" or row.faction == request.faction:
        raise Refused("GIG-010", "partner", partner=request.partner)
    return row.faction


def affordable(war: War, request: Request, cost: int) -> None:
    """The chest must hold the price at this row, beside what a bid has set aside (GIG-020)."""
    left = war.factions[request.faction].treasury - war.set_aside.get(request.faction, 0)
    if cost > left:
        raise Refused("GIG-020", "amount" if request.amount != "" else "verb", cost=cost, left=left)


def unit_of(war: War, request: Request) -> Army:
    """The row's army: named, or the only one at the start of the path or at the target (GIG-003, 004, 008, 009)."""
    if request.unit:
        return army_named(war, request, request.unit)
    where = request.path[0] if request.path else request.target
    there = _standing(war, request, where)
    if not there:
        raise Refused("GIG-009", "path" if request.path else "target", node=where)
    if len(there) > 1:
        raise Refused("GIG-008", "unit", n=len(there), node=where, list=" ".join(a.army for a in there))
    return there[0]


def fleet_of(war: War, request: Request) -> Fleet:
    """The row's fleet: named, or the only one at the start of the path (GIG-003, 004, 008, 009)."""
    if request.unit:
        return fleet_named(war, request, request.unit)
    where = request.path[0] if request.path else ""
    there = [f for f in war.fleets if f.faction == request.faction and f.node == where]
    if not there:
        raise Refused("GIG-009", "path", node=where)
    if len(there) > 1:
        raise Refused("GIG-008", "unit", n=len(there), node=where, list=" ".join(f.fleet for f in there))
    return there[0]


def _standing(war: War, request: Request, where: str) -> list[Army]:
    return [a for a in war.at(where) if a.faction == request.faction]


def acting_unit(war: War, request: Request) -> str:
    """The army of a row: named, or the only one at the start of the path or at the target; "" if that is open."""
    if request.unit:
        return request.unit
    there = _standing(war, request, request.path[0] if request.path else request.target)
    return there[0].army if len(there) == 1 else ""


def _only_fleet(war: War, request: Request) -> str:
    where = request.path[0] if request.path else ""
    there = [f.fleet for f in war.fleets if f.faction == request.faction and f.node == where]
    return there[0] if len(there) == 1 else ""
