"""A round's first phase: staff work, assassins, fleets, storm, marches, landings, meetings (3b, digest 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rulesets.giglio import sea, staff, treaties
from assistant.rulesets.giglio.actions import ARMY_DEEDS, Plan, end_siege, full_path, sail
from assistant.rulesets.giglio.assassins import Shot, aim, strike
from assistant.rulesets.giglio.contacts import list_contacts
from assistant.rulesets.giglio.opening import set_order
from assistant.rulesets.giglio.records import Army
from assistant.rulesets.giglio.requests import (
    Refused,
    Request,
    acting_unit,
    admitted,
    carry_out,
    rows_of_phase,
    without_replaced,
)
from assistant.rulesets.giglio.war import TRAIL, War
from assistant.turn.game import ALL, Game

STAFF = ("ally", "dissolve", "pay", "transfer", "split", "attach", "fortify", "repair", "garrison")


@dataclass
class Orders:
    """What the rows of a round came to, before anybody moves."""

    plan: Plan = field(default_factory=Plan)
    shots: list[Shot] = field(default_factory=list)
    sent: list[tuple[str, str, int]] = field(default_factory=list)
    offers: list[treaties.Offer] = field(default_factory=list)


def move(game: Game) -> None:
    """The whole of a round's marches, step by step as digest 6.3 lists them."""
    war = War(game)
    if war.rules.order_redraw == "phase":
        set_order(war)
    requests = ready_rows(war)
    orders = Orders()
    staff_work(war, requests, orders)
    staff.payments_arrive(war, orders.sent)
    treaties.conclude(war, orders.offers)
    fix_actions(war, requests, orders)
    if war.rules.assassin_timing == "any":
        strike(war, orders.shots)
        orders.shots = []
    sea.board_in_port(war, orders.plan)
    sea.sail_all(war, orders.plan)
    before = {f.fleet: f.node for f in war.fleets}
    sea.sea_meetings(war)
    held_up = {code for code, node in before.items()
               if code not in war.fleets or war.fleets[code].node != node}
    sea.storm(war)
    walk = Walk(war, orders.plan)
    for faction in war.by_rank():
        strike(war, [s for s in orders.shots if s.man.faction == faction.faction])
        walk.march_all(faction.faction)
    refuse_unreached(war, orders.plan)
    sea.landings(war, orders.plan, held_up, walk.met, walk.next_no)
    lift_idle_sieges(war)
    list_contacts(war)


def ready_rows(war: War) -> list[Request]:
    """The round's rows by order of movement, then seq; replaced and unknown ones taken out."""
    rows = without_replaced(war, admitted(war, rows_of_phase(war), "summer"))
    place = {f.faction: i for i, f in enumerate(war.by_rank())}
    return sorted(rows, key=lambda r: place[r.faction])


def staff_work(war: War, requests: list[Request], orders: Orders) -> None:
    """Step 1: what needs no march. A garrison on an army's way waits until the army passes."""
    def garrison(w: War, r: Request) -> None:
        if not staff.garrison(w, r, way_of(w, requests, r.unit)):
            orders.plan.garrisons.append((r, r.unit, r.target))

    deeds = {
        "fortify": staff.fortify, "repair": staff.repair, "transfer": staff.transfer, "split": staff.split,
        "attach": staff.attach, "dissolve": treaties.dissolve, "garrison": garrison,
        "pay": lambda w, r: orders.sent.append(staff.pay(w, r)),
        "ally": lambda w, r: orders.offers.append(treaties.offer(w, r)),
    }
    for request in requests:
        if request.verb in deeds:
            carry_out(war, request, deeds[request.verb])


def way_of(war: War, requests: list[Request], unit: str) -> list[str]:
    """The nodes over which the whole of an army is ordered to march in this round; [] without such an order.

    Where a two-node order goes over one own node, that node is on the way too.
    """
    army = war.armies.get(unit)
    for request in reversed(requests):
        whole = army is not None and request.amount in ("", army.value)
        if army is None or request.verb != "move" or not whole or acting_unit(war, request) != unit:
            continue
        path = full_path(request, army)
        if len(path) == 2 and not war.map.joined(path[0], path[1], "road"):
            middle = [n for n in war.map.between(path[0], path[1], "road") if war.own(n, army.faction)]
            path = [path[0], *middle, path[1]] if len(middle) == 1 else path
        return path
    return []


def fix_actions(war: War, requests: list[Request], orders: Orders) -> None:
    """Step 3: at most one action an army; amounts are split off, sieges opened and lifted, shots aimed."""
    plan = orders.plan
    for request in requests:
        if request.verb in ARMY_DEEDS:
            deed = ARMY_DEEDS[request.verb]
            carry_out(war, request, lambda w, r, deed=deed: deed(plan, w, r))  # type: ignore[misc]
        elif request.verb == "assassinate":
            carry_out(war, request, lambda w, r: aim(orders.shots, w, r))
    for request in requests:
        if request.verb == "sail":
            carry_out(war, request, lambda w, r: sail(plan, w, r))


class Walk:
    """The marches of step 9. `next_no`: number of the next arrival in this round."""

    def __init__(self, war: War, plan: Plan) -> None:
        self.war = war
        self.plan = plan
        self.next_no = 1
        self._newcomers: dict[str, set[str]] = {}

    def march_all(self, faction: str) -> None:
        """The faction's armies in natural order, each that has a march or comes out (7.3)."""
        for army in [a for a in self.war.armies if a.faction == faction]:
            if army.army in self.plan.marches:
                self._march(army)
            elif army.army in self.plan.sallies:
                self._come_out(army)

    def met(self, army: Army) -> bool:
        """Whether a hostile blocking marker arrived in the army's node before its turn."""
        if self.war.rules.met_before_moving == "free":
            return False
        newcomers = self._newcomers.get(army.node, set())
        return any(other.army in newcomers for other in self.war.enemies_in_field(army.node, army.faction))

    def _pin(self, army: Army, request: Request) -> None:
        request.row.status = "pinned"
        self.war.game.tell("move.pinned", [army.faction], "3b", touch=[request.row], army=army.army, node=army.node)

    def _arrive(self, army: Army) -> None:
        army.arrived_year, army.arrived_round, army.arrived_no = self.war.year, self.war.round, self.next_no
        self.next_no += 1
        self._newcomers.setdefault(army.node, set()).add(army.army)

    def _come_out(self, army: Army) -> None:
        request = self.plan.sallies[army.army]
        if self.met(army):
            self._pin(army, request)
            return
        army.posture = "field"
        self._arrive(army)
        self.war.game.tell("army.came_out", ALL, "3c", touch=[army], army=army.army, faction=army.faction,
                           node=army.node)

    def _march(self, army: Army) -> None:
        request, path = self.plan.marches[army.army]
        if self.met(army):
            self._pin(army, request)
            return
        gone = self._walk(army, path)
        gone = self._behind_friends(army, gone)
        if len(gone) < 2:
            army.node = gone[0]
            return
        army.node = gone[-1]
        if army.army in self.plan.back:
            army.trail = " ".join(army.nodes_back[:-1])
            self.war.game.tell("army.retreated", ALL, "3c", touch=[army], army=army.army, faction=army.faction,
                               frm=gone[0], to=army.node)
            return
        army.trail = " ".join([*army.nodes_back, *gone[:-1]][-TRAIL:])
        self._arrive(army)
        self.war.game.tell("army.moved", ALL, "3b", touch=[army], army=army.army, faction=army.faction,
                           path=" ".join(gone))

    def _walk(self, army: Army, path: list[str]) -> list[str]:
        """Node by node, leaving garrisons, until the end or the first obstacle."""
        gone = [path[0]]
        for node in path[1:]:
            gone.append(node)
            army.node = node
            self._leave_garrison(army, node)  # before whatever stops it there
            if self._blocked(army, node):
                break
        return gone

    def _blocked(self, army: Army, node: str) -> bool:
        war = self.war
        return bool(war.enemies_in_field(node, army.faction) or war.held_inside(node, army.faction)
                    or war.hostile_garrison(node, army.faction))

    def _leave_garrison(self, army: Army, node: str) -> None:
        for waiting in list(self.plan.garrisons):
            request, unit, target = waiting
            if (unit, target) == (army.army, node):
                self.plan.garrisons.remove(waiting)
                carry_out(self.war, request, _drop)

    def _behind_friends(self, army: Army, gone: list[str]) -> list[str]:
        """Allies may not end in one node: fall back along the path (switch ally_stack)."""
        if self.war.rules.ally_stack != "no" or len(gone) < 2:
            return gone
        back = list(gone)
        while len(back) > 1 and self._friend_at(army, back[-1]):
            back.pop()
        if len(back) < len(gone):
            self.war.game.tell("move.ally_ahead", [army.faction], "3b", army=army.army, node=gone[-1])
        return back

    def _friend_at(self, army: Army, node: str) -> bool:
        return any(a.faction != army.faction and self.war.blocks(a) and not self.war.hostile(a.faction, army.faction)
                   for a in self.war.at(node))


def _drop(war: War, request: Request) -> None:
    army, place = war.armies[request.unit], war.nodes[request.target]
    if place.garrison:
        raise Refused("GIG-040", "target", node=place.node)
    staff.check_can_leave(war, army)
    staff.leave_garrison(war, army, place)


def unreached_alone(war: War, plan: Plan, faction: str) -> None:
    """Findings about a faction's garrisons on the way if nobody else moved (*Check orders*)."""
    mine = {code: march for code, march in plan.marches.items() if march[0].faction == faction}
    alone = Plan(marches=mine, back=plan.back, garrisons=[g for g in plan.garrisons if g[0].faction == faction])
    if alone.garrisons:
        Walk(war, alone).march_all(faction)
        refuse_unreached(war, alone)


def refuse_unreached(war: War, plan: Plan) -> None:
    """A garrison whose army never came to the node is refused (7.3.4)."""
    for request, unit, node in plan.garrisons:
        request.refuse(war, "GIG-041", "unit", unit=unit, node=node)


def lift_idle_sieges(war: War) -> None:
    """A siege without an army of the besieger in the field there is lifted."""
    for row in war.sieges:
        if not war.soldiers(row.node, row.besieger):
            end_siege(war, row)
