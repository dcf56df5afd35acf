"""Orders to armies in a round: marches, sieges, boarding, landing, and the fleets (3b, 3d, fleets).

Each check stands in the order in which digest 5.3 lists its codes; the first that fails speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from assistant.rulesets.giglio import staff
from assistant.rulesets.giglio.records import Army, Fleet, Node, Siege
from assistant.rulesets.giglio.requests import (
    Refused,
    Request,
    army_named,
    fleet_of,
    node_named,
    soldiers_only,
    unit_of,
    whole,
)
from assistant.rulesets.giglio.tables import CALENDAR
from assistant.rulesets.giglio.treaties import mark
from assistant.rulesets.giglio.war import War
from assistant.turn.game import ALL


@dataclass
class Plan:
    """What the round's orders come to: who does what when its turn comes."""

    marches: dict[str, tuple[Request, list[str]]] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)
    sallies: dict[str, Request] = field(default_factory=dict)
    boarding: dict[str, tuple[Request, str]] = field(default_factory=dict)
    landing: dict[str, tuple[Request, str]] = field(default_factory=dict)
    sails: dict[str, str] = field(default_factory=dict)
    garrisons: list[tuple[Request, str, str]] = field(default_factory=list)
    acts: dict[str, Request] = field(default_factory=dict)

    def busy(self, fleet: str, war: War) -> bool:
        """Whether a fleet takes up or lands an army in this round."""
        cargo = war.fleets[fleet].cargo
        return cargo in self.landing or any(f == fleet for _, f in self.boarding.values())


def claim(plan: Plan, war: War, army: Army, request: Request) -> None:
    """The whole army acts once a round; an earlier row that meant the whole of it too is replaced (GIG-006)."""
    earlier = plan.acts.get(army.army)
    if earlier is not None:
        for doings in (plan.marches, plan.sallies, plan.boarding, plan.landing):
            doings.pop(army.army, None)
        plan.back.discard(army.army)
        earlier.row.status = "replaced"
        earlier.warn(war, "GIG-006", "order", order=request.row.order)
    plan.acts[army.army] = request


# --- marches ------------------------------------------------------------------------------------
def march(plan: Plan, war: War, request: Request) -> None:
    """Along the roads: two nodes at home, one abroad, nothing before a border (3b, border, April)."""
    army = unit_of(war, request)
    amount = whole(request, blank=True)
    if amount is not None:
        soldiers_only(army)
        if amount > army.value:
            raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    path = legal_path(war, request, army)
    back = war.in_contact(army)
    if amount is not None and amount < army.value:
        staff.may_raise_another(war, request.faction)
        army = staff.detach(war, army, amount)
    claim(plan, war, army, request)
    plan.marches[army.army] = (request, path)
    if back:
        plan.back.add(army.army)


def full_path(request: Request, army: Army) -> list[str]:
    """The path as typed; a single node is where the army shall go."""
    path = request.path or ([request.target] if request.target else [])
    return [army.node, *path] if len(path) == 1 and path[0] != army.node else path


def legal_path(war: War, request: Request, army: Army) -> list[str]:
    """The nodes of a legal march, the start first; raises the first refusal (digest 7.2)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", "unit", unit=army.army, fleet=army.fleet)
    if army.posture == "shut_in":
        raise Refused("GIG-056", "unit", unit=army.army, node=army.node)
    path = full_path(request, army)
    for node in path:
        node_named(war, node, "path")
    if len(path) < 2:
        raise Refused("GIG-011", "path", text=request.row.path or request.row.text)
    if path[0] != army.node:
        raise Refused("GIG-051", "path", unit=army.army, node=army.node, a=path[0])
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
        prev = army.nodes_back[-1] if army.nodes_back else ""
        if path != [army.node, prev]:
            raise Refused("GIG-057", "path", unit=army.army, node=army.node, prev=prev or "-")
    return path


def _with_middle(war: War, army: Army, path: list[str]) -> list[str]:
    """Fill in the one own middle node of a two-node order (5.4), then see that roads join all (GIG-055, 050)."""
    a, b = path[0], path[-1]
    if len(path) == 2 and not war.map.joined(a, b, "road") and a != b:
        if war.own(a, army.faction) and war.own(b, army.faction):
            middle = [n for n in war.open_roads(a, army.faction)
                      if war.own(n, army.faction) and b in war.open_roads(n, army.faction)]
            if len(middle) > 1:
                raise Refused("GIG-055", "path", a=a, b=b, list=" ".join(middle))
            if middle:
                return [a, middle[0], b]
        raise _no_road(war, a, b)
    for x, y in pairwise(path):
        if not war.map.joined(x, y, "road"):
            raise _no_road(war, x, y)
    return path


def _no_road(war: War, a: str, b: str) -> Refused:
    return Refused("GIG-050", "path", a=a, b=b, list=" ".join(war.map.neighbours(a, "road")) or "-")


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
    if war.round and army.leaderless and army.leaderless == war.round - 1:
        left = max(0, reach - rules.commander_node_penalty)
        if steps > left:
            raise Refused("GIG-059", "unit", unit=army.army, n=left)


def stay(plan: Plan, war: War, request: Request) -> None:
    """The army stands."""
    claim(plan, war, unit_of(war, request), request)


def come_out(plan: Plan, war: War, request: Request) -> None:
    """A shut-in army will take the field in the same node (GIG-071)."""
    army = unit_of(war, request)
    if army.posture != "shut_in":
        raise Refused("GIG-071", "unit", unit=army.army)
    claim(plan, war, army, request)
    plan.sallies[army.army] = request


# --- sieges -------------------------------------------------------------------------------------
def besiege(plan: Plan, war: War, request: Request) -> None:
    """An army before walls or a garrison begins a siege, or goes on with it (3d)."""
    army = unit_of(war, request)
    soldiers_only(army)
    target = request.target or army.node
    if army.posture != "field" or target != army.node:
        raise Refused("GIG-065", "target", unit=army.army, node=target)
    place = war.nodes[target]
    if place.owner == army.faction or not place.land:
        raise Refused("GIG-066", "target", node=target)
    facing = war.in_contact(army)
    if not place.fortified and not place.garrison and not war.inside(target, army.faction) and not facing:
        raise Refused("GIG-067", "target", node=target)
    if facing:
        raise Refused("GIG-068", "target", unit=army.army, node=target)
    if army.value <= war.rules.siege_loss:
        request.warn(war, "GIG-070", "unit", loss=war.rules.siege_loss, unit=army.army, value=army.value)
    pact = war.treaty(army.faction, place.owner)
    if pact is not None and not pact.suspect:
        request.warn(war, "GIG-072", "target", owner=place.owner)
    claim(plan, war, army, request)
    begin_siege(war, place, army.faction)


def begin_siege(war: War, place: Node, besieger: str) -> None:
    """The Sieges row of that besieger; an existing one is kept. An act, if the owner is a partner."""
    if f"{place.node}/{besieger}" not in war.sieges:
        row = war.sieges.add(Siege(node=place.node, besieger=besieger, since_year=war.year, since_round=war.round))
        war.game.tell("siege.begun", ALL, "3d", touch=[row], node=place.node, besieger=besieger)
    mark(war, besieger, place.owner, "siege")


def lift(plan: Plan, war: War, request: Request) -> None:
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
    war.game.tell("siege.lifted", ALL, "3d", touch=[row], node=row.node, besieger=row.besieger)


# --- ships --------------------------------------------------------------------------------------
def shores(war: War, fleet: Fleet) -> list[str]:
    """Land nodes at which an army may leave or board a fleet where it lies."""
    if war.nodes[fleet.node].land:
        return [fleet.node]
    if war.rules.landing_stay == "port_only":
        return []
    return [n for n in war.map.neighbours(fleet.node, "lane", "coast") if war.nodes[n].land]


def embark(plan: Plan, war: War, request: Request) -> None:
    """An army goes aboard: at once in port, in a whole round from the shore (GIG-078)."""
    army = unit_of(war, request)
    fleet = war.fleets.get(request.target)
    fit = (fleet is not None and fleet.faction == request.faction and not fleet.cargo
           and not any(f == fleet.fleet for _, f in plan.boarding.values())
           and army.posture == "field" and not war.in_contact(army) and army.node in shores(war, fleet))
    if not fit:
        raise Refused("GIG-078", "target", unit=army.army, fleet=request.target or "-", node=army.node)
    claim(plan, war, army, request)
    plan.boarding[army.army] = (request, request.target)


def land(plan: Plan, war: War, request: Request) -> None:
    """An army goes ashore, which takes the whole round (GIG-079, 005)."""
    unit = request.unit
    if not unit:
        aboard = [a for a in war.armies if a.faction == request.faction and a.posture == "aboard"]
        if len(aboard) != 1:
            raise Refused("GIG-079", "unit", unit="-", node=request.target, list="-")
        unit = aboard[0].army
    army = army_named(war, request, unit)
    fleet = war.fleets.get(army.fleet)
    if army.posture != "aboard" or fleet is None:
        raise Refused("GIG-079", "unit", unit=army.army, node=request.target, list="-")
    node_named(war, request.target)
    reach = shores(war, fleet)
    if request.target not in reach:
        raise Refused("GIG-079", "target", unit=army.army, node=request.target, list=" ".join(reach) or "-")
    claim(plan, war, army, request)
    plan.landing[army.army] = (request, request.target)


def sail(plan: Plan, war: War, request: Request) -> None:
    """A fleet goes one segment along a lane (fleets)."""
    fleet = fleet_of(war, request)
    path = request.path or ([request.target] if request.target else [])
    if len(path) == 1 and path[0] != fleet.node:
        path = [fleet.node, *path]
    for node in path:
        node_named(war, node, "path")
    if len(path) < 2:
        raise Refused("GIG-011", "path", text=request.row.path or request.row.text)
    if path[0] != fleet.node:
        raise Refused("GIG-051", "path", unit=fleet.fleet, node=fleet.node, a=path[0])
    if _busy_for_sailing(plan, war, fleet):
        raise Refused("GIG-080", "unit", fleet=fleet.fleet)
    if len(path) > 2:
        raise Refused("GIG-075", "path")
    a, b = path
    if not war.map.joined(a, b, "lane"):
        if war.map.joined(a, b, "coast"):
            raise Refused("GIG-081", "path", a=a, b=b)
        if war.nodes[b].land:
            raise Refused("GIG-060", "path", unit=fleet.fleet, node=b)
        raise Refused("GIG-050", "path", a=a, b=b, list=" ".join(war.map.neighbours(a, "lane")) or "-")
    place = war.nodes[b]
    if place.land and not harbour(war, place, fleet.faction):
        raise Refused("GIG-077", "path", node=b)
    plan.sails[fleet.fleet] = b


def _busy_for_sailing(plan: Plan, war: War, fleet: Fleet) -> bool:
    """In port boarding takes no time (embark_rounds 0), so such a fleet may still sail."""
    in_port = war.nodes[fleet.node].land and war.rules.embark_rounds == "0"
    lands = fleet.cargo in plan.landing
    boards = any(f == fleet.fleet for _, f in plan.boarding.values())
    return lands or (boards and not in_port)


def harbour(war: War, place: Node, faction: str) -> bool:
    """Whether a fleet of the faction may lie there: its own port, or a passage partner's."""
    return place.port and (place.owner == faction or war.passage(place.owner, faction))


Action = Callable[[Plan, War, Request], None]

ARMY_DEEDS: dict[str, Action] = {
    "move": march, "stay": stay, "siege": besiege, "lift": lift, "come_out": come_out, "embark": embark, "land": land,
}
