"""A round's orders: staff work, assassins, marches, sieges that are lifted (rulebook: The marches, step by step)."""

from __future__ import annotations

from assistant.rulesets.giglio.book.records import Army
from assistant.rulesets.giglio.spring import staff, treaties
from assistant.rulesets.giglio.summer import actions
from assistant.rulesets.giglio.summer.assassins import assassinate, strike
from assistant.rulesets.giglio.summer.opening import set_order
from assistant.rulesets.giglio.war.plan import Act
from assistant.rulesets.giglio.war.war import TRAIL, War
from assistant.turn.game import ALL
from assistant.turn.orders.refusal import Refused, whole
from assistant.turn.orders.taking import carry_all, refuse, take

STAFF = (treaties.ally, treaties.dissolve, staff.pay, staff.transfer, staff.split, staff.attach, staff.fortify,
         staff.repair, staff.garrison)
ACTIONS = (actions.move, actions.stay, actions.besiege, actions.lift, actions.come_out, actions.embark, actions.land,
           assassinate)


def redraw(war: War) -> None:
    """The order of movement anew in each round (switch order_redraw)."""
    if war.rules.order_redraw == "phase":
        set_order(war)


def staff_work(war: War) -> None:
    """Step 1: the rows by order of movement, of which those come first that need no march."""
    place = {f.faction: i for i, f in enumerate(war.by_rank())}
    war.plan.requests = sorted(take(war), key=lambda r: place[r.faction])
    carry_all(war, war.plan.requests, *STAFF)


def fix_actions(war: War) -> None:
    """Step 3: at most one action an army; amounts are split off, sieges opened and lifted, shots aimed."""
    carry_all(war, war.plan.requests, *ACTIONS)
    carry_all(war, war.plan.requests, actions.sail)


def march(war: War) -> None:
    """Step 9: faction by faction in the order of movement; garrisons that no army came to leave are refused."""
    for faction in war.by_rank():
        strike(war, [s for s in war.plan.shots if s.man.faction == faction.faction])
        for army in [a for a in war.armies if a.faction == faction.faction]:
            act = war.plan.acts.get(army.army)
            if act is not None and act.verb in ("move", "come_out"):
                if met(war, army):
                    act.request.row.status = "pinned"
                    war.tell("move.pinned", [army.faction], touch=[act.request.row], army=army.army, node=army.node)
                elif act.verb == "move":
                    _march(war, army, act)
                else:
                    _come_out(war, army)
    for request, unit, node in war.plan.garrisons:
        refuse(war, request, Refused("GIG-041", "unit", unit=unit, node=node))


def met(war: War, army: Army) -> bool:
    """Whether a hostile blocking marker arrived in the army's node before its turn."""
    if war.rules.met_before_moving == "free":
        return False
    newcomers = war.plan.newcomers.get(army.node, set())
    return any(other.army in newcomers for other in war.enemies_in_field(army.node, army.faction))


def _arrive(war: War, army: Army) -> None:
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.plan.newcomers.setdefault(army.node, set()).add(army.army)


def _come_out(war: War, army: Army) -> None:
    army.posture = "field"
    _arrive(war, army)
    war.tell("army.came_out", ALL, "3c", touch=[army], army=army.army, faction=army.faction, node=army.node)


def _march(war: War, army: Army, act: Act) -> None:
    gone = _behind_friends(war, army, _walk(war, army, act.path))
    army.node = gone[-1]
    if len(gone) < 2:
        return
    if act.back:
        army.trail = " ".join(army.nodes_back[:-1])
        war.tell("army.retreated", ALL, touch=[army], army=army.army, faction=army.faction, frm=gone[0], to=army.node)
        return
    army.trail = " ".join([*army.nodes_back, *gone[:-1]][-TRAIL:])
    _arrive(war, army)
    war.tell("army.moved", ALL, touch=[army], army=army.army, faction=army.faction, path=" ".join(gone))


def _walk(war: War, army: Army, path: list[str]) -> list[str]:
    """Node by node, leaving garrisons, until the end or the first obstacle."""
    gone = [path[0]]
    for node in path[1:]:
        gone.append(node)
        army.node = node
        _leave_garrisons(war, army, node)  # before whatever stops it there
        if (war.enemies_in_field(node, army.faction) or war.held_inside(node, army.faction)
                or war.hostile_garrison(node, army.faction)):
            break
    return gone


def _leave_garrisons(war: War, army: Army, node: str) -> None:
    for waiting in [one for one in war.plan.garrisons if one[1:] == (army.army, node)]:
        war.plan.garrisons.remove(waiting)
        try:
            _drop(war, army, node)
        except Refused as why:
            refuse(war, waiting[0], why)


@whole
def _drop(war: War, army: Army, node: str) -> None:
    place = war.nodes[node]
    if place.garrison:
        raise Refused("GIG-040", "target", node=node)
    staff.check_can_leave(war, army)
    staff.leave_garrison(war, army, place)


def _behind_friends(war: War, army: Army, gone: list[str]) -> list[str]:
    """Allies may not end in one node: fall back along the path."""
    back = list(gone)
    while len(back) > 1 and friend_at(war, army, back[-1]):
        back.pop()
    if len(back) < len(gone):
        war.tell("move.ally_ahead", [army.faction], army=army.army, node=gone[-1])
    return back


def friend_at(war: War, army: Army, node: str) -> bool:
    """Whether an ally stands there, beside whom an army may not end (switch ally_stack)."""
    return war.rules.ally_stack == "no" and any(
        a.faction != army.faction and war.blocks(a) and not war.hostile(a.faction, army.faction) for a in war.at(node))


def lift_idle_sieges(war: War) -> None:
    """A siege without an army of the besieger in the field there is lifted."""
    for row in war.sieges:
        if not war.soldiers(row.node, row.besieger):
            actions.end_siege(war, row)
