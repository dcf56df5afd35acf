"""Orders to armies in a round: marches, sieges, boarding, landing, and the fleets (3b, 3d, fleets).

Checks stand in the order of the page's codes (rulebook: Spring and summer orders); the first that fails speaks.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from assistant.rulesets.giglio.book.records import Army, Fleet, Node, Siege
from assistant.rulesets.giglio.book.tables import CALENDAR
from assistant.rulesets.giglio.spring import staff
from assistant.rulesets.giglio.spring.treaties import mark
from assistant.rulesets.giglio.war import orders
from assistant.rulesets.giglio.war.orders import ACTING_ARMY, ACTING_FLEET, ARMY, IN_SUMMER, soldiers
from assistant.rulesets.giglio.war.plan import Act
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL
from assistant.turn.orders.columns import Amount, Code, Path, Place, place_named
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import judged, replace_by
from assistant.turn.orders.verbs import order, same

ACTION = same("action", "unit")
"""An army does one thing in a round."""


def claim(war: War, army: Army, act: Act) -> None:
    """The whole army acts once a round; an earlier row that meant the whole of it too is replaced."""
    earlier = war.plan.acts.pop(army.army, None)
    if earlier is not None:
        replace_by(war, earlier.request, act.request)
    war.plan.acts[army.army] = act


# --- marches ------------------------------------------------------------------------------------
@order("move", "muovi", also=("muove", "moves", "march", "marches", "marcia"), when=IN_SUMMER,
       unit=ACTING_ARMY, amount=Amount(blank=True), path=Path(), replaces=same("action", "unit", unless="amount"),
       shown=("{unit} {amount} moves {path}", "{unit} {amount} muove {path}"),
       help="March along a path; an amount splits that much off.")
def move(war: War, request: Request, army: Army, amount: int | None) -> None:
    """Along the roads: two nodes at home, one abroad, nothing before a border (3b, border, April)."""
    if amount is not None:
        orders.soldiers_only(war, request, army, "unit")
        if amount > army.value:
            raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    path = legal_path(war, request, army)
    back = war.in_contact(army)
    if amount is not None and amount < army.value:
        staff.may_raise_another(war, request.faction)
        army = staff.detach(war, army, amount)
        war.plan.columns.add(army.army)
    claim(war, army, Act(request, path, back))


def legal_path(war: War, request: Request, army: Army) -> list[str]:
    """The nodes of a legal march, the start first; raises the first refusal (rulebook: A legal path)."""
    orders.not_aboard(war, request, army, "unit")
    if army.posture == "shut_in":
        raise Refused("GIG-056", "unit", unit=army.army, node=army.node)
    path = way_from_here(war, request, army)
    for node in path:
        if not war.nodes[node].land:
            raise Refused("GIG-060", "path", unit=army.army, node=node)
    path = _with_middle(war, army, path)
    _within_reach(war, army, path)
    for a, b in pairwise(path):
        last = war.banned(army.faction, a, b)
        if last:
            raise Refused("GIG-054", "path", a=a, b=b, date=CALENDAR[last - 1][0])
    if war.in_contact(army):
        prev = next(reversed(army.nodes_back), "")
        if path != [army.node, prev]:
            raise Refused("GIG-057", "path", unit=army.army, node=army.node, prev=prev or "-")
    return path


def way_from_here(war: War, request: Request, unit: Army | Fleet) -> list[str]:
    """The path of a unit, where its places are all there and it leads somewhere from its node (GIG-005, 011, 051).

    A march is told from its start, "From V8 V8 F7" (practice 2); of a fleet its goal alone will do.
    """
    path = [unit.node, *request.path] if isinstance(unit, Fleet) and len(request.path) == 1 else list(request.path)
    for node in path:
        place_named(war, node, "path")
    if set(path) <= {unit.node}:
        raise Refused("not_understood", "path", text=request.typed("path") or request.row.text)
    if path[0] != unit.node:
        raise Refused("GIG-051", "path", unit=unit.ident, node=unit.node, a=path[0])
    return path


def _with_middle(war: War, army: Army, path: list[str]) -> list[str]:
    """Fill in the own middle node of a two-node order; roads join all (GIG-055, 050; rulebook: Orders in words)."""
    a, b = path[0], path[-1]
    if len(path) == 2 and a != b and not war.map.joined(a, b, "road") and all(war.own(n, army.faction) for n in path):
        middle = [n for n in war.open_roads(a, army.faction)
                  if war.own(n, army.faction) and b in war.open_roads(n, army.faction)]
        if len(middle) > 1:
            raise Refused("GIG-055", "path", a=a, b=b, list=" ".join(middle))
        path = [a, *middle, b]
    for x, y in pairwise(path):
        if not war.map.joined(x, y, "road"):
            raise _no_way(war, x, y, "road")
    return path


def _no_way(war: War, a: str, b: str, kind: str) -> Refused:
    return Refused("GIG-050", "path", a=a, b=b, list=" ".join(war.map.neighbours(a, kind)) or "-")


def _within_reach(war: War, army: Army, path: list[str]) -> None:
    own = [war.own(node, army.faction) for node in path]
    steps, rules = len(path) - 1, war.rules
    crossing = next(((path[i], path[i + 1]) for i in range(steps) if own[i] != own[i + 1]), None)
    first_only = rules.border_move == "crossing_first" and not own[0] and all(own[1:])
    if crossing and steps > 1 and not first_only:
        raise Refused("GIG-053", "path", a=crossing[0], b=crossing[1])
    reach = rules.move_own if (all(own) or (first_only and steps > 1)) else rules.move_foreign
    if steps > reach:
        raise Refused("GIG-052", "path", n=steps)
    if 0 < army.leaderless == war.round - 1:
        left = max(0, reach - rules.commander_node_penalty)
        if steps > left:
            raise Refused("GIG-059", "unit", unit=army.army, n=left)


@order("stay", "fermo", also=("resta", "ferma", "stop", "stai"), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       shown=("{unit} stay", "{unit} fermo"), help="Stand where the army is.")
def stay(war: War, request: Request, army: Army) -> None:
    """The army stands."""
    claim(war, army, Act(request))


@order("come_out", "esci", also=("sortita",), when=IN_SUMMER, unit=ACTING_ARMY, replaces=ACTION,
       help="Leave the walls and take the field in the same place.")
def come_out(war: War, request: Request, army: Army) -> None:
    """A shut-in army will take the field in the same node (GIG-071)."""
    if army.posture != "shut_in":
        raise Refused("GIG-071", "unit", unit=army.army)
    claim(war, army, Act(request))


# --- sieges -------------------------------------------------------------------------------------
@order("siege", "assedia", also=("besiege", "assedio"), when=IN_SUMMER, unit=soldiers(ACTING_ARMY),
       target=Code((Node,), where_unit_is=True), replaces=ACTION,
       shown=("siege {target} {unit}", "assedia {target} {unit}"), help="Besiege the place where the army stands.")
def besiege(war: War, request: Request, army: Army) -> None:
    """An army before walls or a garrison begins a siege, or goes on with it (3d)."""
    target = request.target or army.node
    if army.posture != "field" or target != army.node:
        raise Refused("GIG-065", "target", unit=army.army, node=target)
    place = war.nodes[target]
    if place.owner == army.faction or not place.land:
        raise Refused("GIG-066", "target", node=target)
    if war.in_contact(army):
        raise Refused("GIG-068", "target", unit=army.army, node=target)
    if not place.fortified and not place.garrison and not war.inside(target, army.faction):
        raise Refused("GIG-067", "target", node=target)
    if army.value <= war.rules.siege_loss:
        request.find(war, "GIG-070", "unit", loss=war.rules.siege_loss, unit=army.army, value=army.value)
    pact = war.treaty(army.faction, place.owner)
    if pact is not None and not pact.suspect:
        request.find(war, "GIG-072", "target", owner=place.owner)
    claim(war, army, Act(request))
    row = Siege(node=place.node, besieger=army.faction, since_year=war.year, since_round=war.round)
    if row.ident not in war.sieges:
        war.sieges.add(row)
        war.tell("siege.begun", ALL, touch=[row], node=place.node, besieger=army.faction)
    mark(war, army.faction, place.owner, "siege")


@order("lift", "leva", also=("togli",), when=IN_SUMMER, replaces=ACTION,
       unit=replace(ACTING_ARMY, only_names=True), target=Code((Node,), blank=True),
       shown=("lift {target} {unit}", "leva {target} {unit}"), help="End a siege.")
def lift(war: War, request: Request) -> None:
    """The besieger gives up (GIG-069)."""
    army = war.armies.get(request.unit)
    node = request.target or (army.node if army is not None else "") or (request.path[0] if request.path else "")
    row = war.sieges.get(f"{node}/{request.faction}")
    if row is None:
        raise Refused("GIG-069", "target" if request.target else "unit", node=node or "-")
    end_siege(war, row)


def end_siege(war: War, row: Siege) -> None:
    """A siege is over without the place having fallen."""
    war.sieges.remove(row.ident)
    war.tell("siege.lifted", ALL, touch=[row], node=row.node, besieger=row.besieger)


# --- ships --------------------------------------------------------------------------------------
def shores(war: War, fleet: Fleet) -> list[str]:
    """Land nodes at which an army may leave or board a fleet where it lies."""
    if war.nodes[fleet.node].land:
        return [fleet.node]
    if war.rules.landing_stay == "port_only":
        return []
    return [n for n in war.map.neighbours(fleet.node, "lane", "coast") if war.nodes[n].land]


@order("embark", "imbarca", also=("board",), when=IN_SUMMER, unit=replace(ACTING_ARMY, needed=True),
       target=Code((Fleet,), like="{faction}-F1"), replaces=ACTION, help="Go aboard an own empty fleet.")
def embark(war: War, request: Request, army: Army) -> None:
    """An army goes aboard: at once in port, in a whole round from the shore (GIG-078)."""
    fleet = war.fleets.get(request.target)
    fit = (fleet is not None and fleet.faction == request.faction and not fleet.cargo
           and not war.plan.boarded(fleet.fleet)
           and army.posture == "field" and not war.in_contact(army) and army.node in shores(war, fleet))
    if not fit:
        raise Refused("GIG-078", "target", unit=army.army, fleet=request.target or "-", node=army.node)
    claim(war, army, Act(request))


def _only_one_aboard(war: War, request: Request) -> str:
    aboard = [a.army for a in war.armies if a.faction == request.faction and a.posture == "aboard"]
    if len(aboard) != 1:
        raise Refused("GIG-079", "unit", unit="-", node=request.target, list="-")
    return aboard[0]


@order("land", "sbarca", when=IN_SUMMER, unit=replace(ARMY, otherwise=_only_one_aboard), target=Place(late=True),
       replaces=ACTION, help="Land from the fleet at a place it reaches.")
def land(war: War, request: Request, army: Army) -> None:
    """An army goes ashore, which takes the whole round (GIG-079)."""
    fleet = war.fleets.get(army.fleet) or next((one for one in war.fleets if one.cargo == army.army), None)
    if army.posture != "aboard" or fleet is None:
        raise Refused("GIG-079", "unit", unit=army.army, node=request.target, list="-")
    judged(war, request, "target")
    reach = shores(war, fleet)
    if request.target not in reach:
        raise Refused("GIG-079", "target", unit=army.army, node=request.target, list=" ".join(reach) or "-")
    claim(war, army, Act(request))
    army.fleet = fleet.fleet  # where the referee named the army only as the fleet's cargo, as GIG-123 advises


@order("sail", "salpa", when=IN_SUMMER, unit=ACTING_FLEET, path=Path(from_unit=True, over="lane"),
       replaces=same("sail", "unit"), help="Sail one segment.")
def sail(war: War, request: Request, fleet: Fleet) -> None:
    """A fleet goes one segment along a lane (fleets)."""
    path = way_from_here(war, request, fleet)
    at_once = war.nodes[fleet.node].land and war.rules.embark_rounds == "0"  # to go aboard takes no time in port
    if fleet.cargo in war.plan.doing("land") or (war.plan.boarded(fleet.fleet) and not at_once):
        raise Refused("GIG-080", "unit", fleet=fleet.fleet)
    if len(path) > 2:
        raise Refused("GIG-075", "path")
    a, b = path
    if not war.map.joined(a, b, "lane"):
        if war.map.joined(a, b, "coast"):
            raise Refused("GIG-081", "path", a=a, b=b)
        if war.nodes[b].land:
            raise Refused("GIG-060", "path", unit=fleet.fleet, node=b)
        raise _no_way(war, a, b, "lane")
    place = war.nodes[b]
    if place.land and not harbour(war, place, fleet.faction):
        raise Refused("GIG-077", "path", node=b)
    war.plan.sails[fleet.fleet] = b


def harbour(war: War, place: Node, faction: str) -> bool:
    """Whether a fleet of the faction may lie there: its own port, or a passage partner's."""
    return place.port and (place.owner == faction or war.passage(place.owner, faction))
