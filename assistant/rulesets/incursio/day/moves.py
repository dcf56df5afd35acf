"""The movements of a day: REORDER, LEAVE, MOVE, ENTER, of one side or of both (rulebook: Movement)."""

from __future__ import annotations

from collections.abc import Callable

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH
from assistant.rulesets.incursio.orders.choosing import chosen, codes, free, never_empty, soonest, there, use
from assistant.rulesets.incursio.orders.columns import CELL, MOMENT, NUMBER, SOMEBODY, TO, TROOPS
from assistant.rulesets.incursio.orders.judging import MOVES, said, take_lines, troops, unreadable
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.loss import raze
from assistant.rulesets.incursio.realm.realm import BOTH, OTHER, Realm, cell
from assistant.rulesets.incursio.realm.sight import UNITS, known, observe
from assistant.rulesets.incursio.realm.units import fits, joined
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import refuse
from assistant.turn.orders.verbs import Deed, Verb, order
from assistant.turn.texts import N_

DAY = ("day",)
"""The one word of all orders."""
EXTRA_FROM = 7
"""The step of power that gives portal demons one more move."""


def may_move(realm: Realm, request: Request, unit: Unit) -> bool:
    """MOV: who has fought does not move any more today."""
    spared = realm.rules.fought_no_move == "defenders_only" and said(request, "moment") == "final"
    return not unit.fought or (spared and unit.fought == "attacked")


@order("move", "muovi", when=DAY, node=CELL, to_node=TO, units=TROOPS, moment=MOMENT, issuer=SOMEBODY, priority=NUMBER,
       shown=("move {node}>{to_node} {units}[ {moment}]", "muovi {node}>{to_node} {units}[ {moment}]"),
       help="Send units along one line; red lines are for demons only.")
def move(realm: Realm, request: Request) -> None:
    """One line a moment, and never into a place of the enemy."""
    a, b, side = said(request, "node"), said(request, "to_node"), request.faction
    along_a_line(realm, side, a, b, "INC-020")
    if realm.is_home(b, OTHER[side]):
        raise Refused("INC-026", "to_node", node=b)
    outside = realm.camp.outside(a, side)
    if said(request, "moment") == "extra":
        if realm.power < EXTRA_FROM:
            raise unreadable(realm, request, "moment", ("initial", "final"))
        outside = [unit for unit in outside if unit.returns is not None]
    there(realm, request, outside, "INC-029")
    units = free(realm, request, soonest(outside), lambda unit: may_move(realm, request, unit))
    never_empty(realm, request, units)
    use(request, units, gone=True)
    realm.plans[request.row.order] = units
    spotted = known(realm, side, b, *UNITS)
    if spotted and not realm.camp.at(b, side):
        request.find(realm, "INC-027", "to_node", node=b, d=max(row.seen_on for row in spotted))


def along_a_line(realm: Realm, side: str, a: str, b: str, code: str) -> None:
    """Refuse what no line joins (`code`), and for soldiers what only a red one does (INC-021)."""
    if realm.reach(a, b, side):
        return
    if side == ESDEF and realm.reach(a, b, VARANNAH):
        raise Refused("INC-021", "to_node", a=a, b=b)
    raise Refused(code, "to_node", a=a, b=b, list=" ".join(realm.neighbours(a, side)) or "–")


def _settlement(realm: Realm, request: Request) -> str:
    node = str(said(request, "node"))
    if not realm.is_home(node, ESDEF):
        raise Refused("INC-030", "node", node=node)
    return node


def _inside(en: str, it: str, help: str, shown: str) -> Callable[[Deed], Verb]:
    """A verb of a garrison."""
    return order(en, it, when=DAY, help=help, shown=(f"{en} {shown}", f"{it} {shown}"), node=CELL, units=TROOPS,
                 moment=MOMENT, issuer=SOMEBODY, priority=NUMBER)


@_inside("enter", "entra", N_("Put soldiers into the garrison; it is their movement."), "{node} {units}[ {moment}]")
def enter(realm: Realm, request: Request) -> None:
    """Outsiders into garrison, at its rear; whether there is room shows when all others are done."""
    outside = realm.camp.outside(_settlement(realm, request), ESDEF)
    there(realm, request, outside, "")
    units = free(realm, request, soonest(outside), lambda unit: may_move(realm, request, unit))
    use(request, units, gone=False)
    realm.plans[request.row.order] = units


@_inside("leave", "esci", N_("Take soldiers out of the garrison; it is their movement."), "{node} {units}[ {moment}]")
def leave(realm: Realm, request: Request) -> None:
    """Out of the garrison, from its rear."""
    garrison = realm.camp.garrison(_settlement(realm, request))
    if not fits(troops(request), codes(garrison)):
        raise Refused("INC-035", "units", units=joined(troops(request)), node=said(request, "node"))
    units = free(realm, request, garrison[::-1], lambda unit: may_move(realm, request, unit))
    use(request, units, gone=False)


@_inside("reorder", "riordina", N_("Put a garrison into another order, on a day when the defenders are first."),
         "{node} {units}")
def reorder(realm: Realm, request: Request) -> None:
    """The whole garrison in its new order."""
    node = _settlement(realm, request)
    if realm.side(0) != ESDEF:
        raise Refused("INC-034", "verb")
    garrison = realm.camp.garrison(node)
    if sorted(troops(request)) != sorted(codes(garrison)):
        raise Refused("INC-033", "units", have=joined(codes(garrison)) or "–")
    if realm.rules.reorder_cost == "one_move":
        units = free(realm, request, garrison, lambda unit: may_move(realm, request, unit))
        use(request, units, gone=False)


# --- the phase ------------------------------------------------------------------------------------------------
def side_moves(realm: Realm) -> None:
    """`first_move` and `second_move`: one side moves."""
    take_lines(realm, *MOVES)
    moving(realm, realm.taken)


def final_moves(realm: Realm) -> None:
    """`final_moves`: the first side, then the second on what it finds."""
    taken = take_lines(realm, *MOVES)
    together = realm.rules.final_move_order == "together"
    stopped = _clashes(realm, taken) if together else set[str]()
    sides = [realm.side(0), realm.side(1)]
    enemies = {side: realm.camp.cells(OTHER[side]) for side in BOTH} if together else {}
    for side in filter(None, sides):
        moving(realm, [request for request in taken if request.faction == side], stopped, enemies.get(side))


def _clashes(realm: Realm, taken: list[Request]) -> set[str]:
    """Orders of both sides that lead into one empty cell, or along one line against each other."""
    moves = [request for request in taken if request.verb == "move"]
    ends = {request.row.order: (said(request, "node"), said(request, "to_node")) for request in moves}
    held = realm.camp.cells(ESDEF) | realm.camp.cells(VARANNAH)
    return {one.row.order for one in moves for other in moves if one.faction != other.faction
            for a, b in [ends[one.row.order]] if (b == ends[other.row.order][1] and b not in held)
            or (b, a) == ends[other.row.order]}


def moving(realm: Realm, requests: list[Request], stopped: set[str] | None = None,
           enemies: set[str] | None = None) -> None:
    """Carry out the accepted lines of one side: REORDER, LEAVE, MOVE, ENTER, each kind in canonical order."""
    for verb, carry in (("reorder", _reordered), ("leave", _left)):
        for request in requests:
            if request.verb == verb:
                carry(realm, request)
    _moved(realm, [request for request in requests if request.verb == "move"], stopped or set(), enemies)
    for request in requests:
        if request.verb == "enter":
            _entered(realm, request)


def _reordered(realm: Realm, request: Request) -> None:
    node = said(request, "node")
    realm.camp.move(chosen(troops(request), realm.camp.garrison(node)))
    request.came_to("done")
    realm.tell("garrison_reordered", [ESDEF], "COM", touch=realm.bands_changed(ESDEF), node=cell(node),
               garrison=joined(troops(request)))


def _left(realm: Realm, request: Request) -> None:
    node = said(request, "node")
    rear = [unit for unit in realm.camp.garrison(node)[::-1] if may_move(realm, request, unit)]
    realm.camp.move(chosen(troops(request), rear), posture="open")
    request.came_to("done")
    realm.tell("garrison_left", [ESDEF], "MOV", touch=realm.bands_changed(ESDEF), node=cell(node),
               units=joined(troops(request)))


def _entered(realm: Realm, request: Request) -> None:
    """At the rear of the garrison, if it takes cavalry (032) and has room (031)."""
    node, units = said(request, "node"), realm.plans[request.row.order]
    after = codes([*realm.camp.garrison(node), *units])
    if realm.no_stables(node, codes(units)):
        refuse(realm, request, Refused("INC-032", "units", node=node))
    elif realm.overfull(node, after):
        refuse(realm, request, Refused("INC-031", "units", node=node, limit=realm.room(node), want=joined(after)))
    else:
        realm.camp.move(units, posture="garrison")
        request.came_to("done")
        realm.tell("garrison_entered", [ESDEF], "MOV", touch=realm.bands_changed(ESDEF), node=cell(node),
                   units=joined(troops(request)))


def _moved(realm: Realm, moves: list[Request], stopped: set[str], enemies: set[str] | None) -> None:
    """All leave, then all arrive: by destination, in rising order of origin; told in the order of the lines."""
    arriving = []
    for request in moves:
        b, side = said(request, "to_node"), request.faction
        hostile = b in (realm.camp.cells(OTHER[side]) if enemies is None else enemies)
        blocked = request.row.order in stopped or (hostile and not realm.camp.at(b, side))
        request.came_to("blocked" if blocked else "done")
        if not blocked:
            arriving.append(request)
    order_of = realm.nodes.keys().index
    for request in sorted(arriving, key=lambda one: (order_of(said(one, "to_node")), order_of(said(one, "node")))):
        realm.camp.move(realm.plans[request.row.order], node=said(request, "to_node"))
    for request in moves:
        side, a, b = request.faction, said(request, "node"), said(request, "to_node")
        if request.row.outcome == "blocked":  # type: ignore[attr-defined]
            observe(realm, side, b, "enemies", "march")
            realm.tell("move_blocked", [side], "MOV", node=cell(a), to_node=cell(b), units=joined(troops(request)))
            continue
        realm.tell("units_moved", [side], "MOV", touch=realm.bands_changed(side), node=cell(a),
                   to_node=cell(b), units=joined(troops(request)))
        if side == VARANNAH:
            raze(realm, b)
