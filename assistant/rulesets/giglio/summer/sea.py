"""Fleets: one segment a round, meetings at sea, storms, boarding and landing (fleets)."""

from __future__ import annotations

from assistant.campaign.order import in_natural_order
from assistant.rulesets.giglio.book.records import Army, Fleet
from assistant.rulesets.giglio.book.tables import STORM, STORM_FLEET
from assistant.rulesets.giglio.summer.actions import harbour
from assistant.rulesets.giglio.summer.marches import friend_at, met
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL
from assistant.turn.orders.request import Request


def board_in_port(war: War) -> None:
    """In port an army goes aboard at once and the fleet may sail in this round (rulebook: Fleets)."""
    for unit, act in war.plan.doing("embark").items() if war.rules.embark_rounds == "0" else ():
        army, fleet = war.armies.get(unit), war.fleets.get(act.request.target)
        if army is None or fleet is None or not at_sea(war, fleet):
            del war.plan.acts[unit]
            if army is not None and fleet is not None:  # neither was lost before it could board
                _aboard(war, army, fleet)


def _aboard(war: War, army: Army, fleet: Fleet) -> None:
    army.posture, army.fleet, army.trail, army.node = "aboard", fleet.fleet, "", fleet.node
    fleet.cargo = army.army
    war.tell("army.embarked", [army.faction], touch=[army, fleet], army=army.army, fleet=fleet.fleet)


def at_sea(war: War, fleet: Fleet) -> bool:
    """Whether a fleet lies in a sea area."""
    return not war.nodes[fleet.node].land


def sail_all(war: War) -> None:
    """All fleets move at the same time, one segment (rulebook: Fleets)."""
    goals = war.plan.sails | war.plan.homeward
    for code in in_natural_order(goals):
        fleet, to = war.fleets[code], goals[code]
        if code in war.plan.homeward:
            war.tell("fleet.homeward", [fleet.faction], touch=[fleet], fleet=fleet.fleet, to=to)
        shift(war, fleet, to, "fleet.sailed")


def homeward(war: War) -> None:
    """Fleets at sea without an order, and the first step of their way home (GIG-076)."""
    plan = war.plan
    for fleet in war.fleets:
        busy = fleet.cargo in plan.doing("land") or plan.boarded(fleet.fleet)
        if at_sea(war, fleet) and fleet.fleet not in plan.sails and not busy:
            home = way_home(war, fleet)
            if home:
                plan.homeward[fleet.fleet] = home
                war.find("GIG-076", fleet, "node", fleet=fleet.fleet, node=home)


def shift(war: War, fleet: Fleet, to: str, event: str) -> None:
    """A fleet goes elsewhere with what it carries, as an event tells all."""
    fleet.came_from, fleet.node = fleet.node, to
    for army in war.armies.where(lambda one: one.army == fleet.cargo):
        army.node = to
        war.touch(army)
    war.tell(event, ALL, "fleets", touch=[fleet], fleet=fleet.fleet, frm=fleet.came_from, to=to)


def way_home(war: War, fleet: Fleet) -> str:
    """The first step of the shortest way over lanes to the nearest own or partner's port.

    Ties by natural order of port, then of step; without any such port the natural-first sea area
    beside; "" where no lane leads on.
    """
    def cost(a: str, b: str) -> float | None:
        passable = a == fleet.node or not war.nodes[a].land
        open_end = not war.nodes[b].land or harbour(war, war.nodes[b], fleet.faction)
        return 1 if passable and open_end else None

    far = war.map.distances(fleet.node, "lane", cost=cost)
    ports = [n for n in war.nodes if n.node in far and n.land and n.node != fleet.node]
    steps = [n for n in war.map.neighbours(fleet.node, "lane") if n in far]
    if not ports:
        return next((n for n in steps if not war.nodes[n].land), "")
    goal = min(ports, key=lambda n: far[n.node])  # walked in natural order: the first of equals
    return next(step for step in steps
                if war.map.distances(step, "lane", cost=cost).get(goal.node) == far[goal.node] - 1)


def sea_meetings(war: War) -> None:
    """Fleets that meet throw each other back; the smaller number gives way (rulebook: Fleets)."""
    verdicts: list[tuple[Fleet, str]] = []
    for fleet in war.fleets.where(lambda one: at_sea(war, one)):
        together = [f for f in war.fleets if f.node == fleet.node]
        theirs = sum(war.hostile(f.faction, fleet.faction) for f in together)
        ours = len(together) - theirs
        even = ours == theirs or (war.rules.fleet_majority == "only_vs_one" and min(ours, theirs) > 1)
        if theirs and (even or ours < theirs):
            verdicts.append((fleet, "back" if can_go_back(war, fleet) else "locked" if even else "lost"))
    war.plan.held_up = {fleet.fleet for fleet, verdict in verdicts if verdict != "locked"}
    for fleet, verdict in verdicts:
        if verdict == "lost":
            war.lose_fleet(fleet, "no way back", "fleets")
        elif verdict == "locked":
            war.tell("fleet.locked", ALL, fleet=fleet.fleet, node=fleet.node)
        else:
            shift(war, fleet, fleet.came_from, "fleet.repelled")


def can_go_back(war: War, fleet: Fleet) -> bool:
    """Own or partner's port, or a sea area where no hostile fleet lies after the fleets have moved."""
    back = war.nodes.get(fleet.came_from)
    if back is None:
        return False
    if back.land:
        return harbour(war, back, fleet.faction)
    return not any(f.node == back.node and war.hostile(f.faction, fleet.faction) for f in war.fleets)


def storm(war: War) -> None:
    """1d6 every round; on 6 every fleet at sea is tested, 6 sinks it with all it carries (rulebook: Fleets)."""
    roll = war.roll(STORM(war.year, war.round))
    rises = roll.at_least(war.rules.storm_on)
    war.tell("storm.rises" if rises else "storm.none", ALL, roll=roll, die=roll)
    for fleet in war.fleets.where(lambda one: rises and at_sea(war, one)):
        test = war.roll(STORM_FLEET(fleet.fleet, war.year, war.round))
        sinks = test.at_least(war.rules.storm_fleet_on)
        war.tell("storm.sinks" if sinks else "storm.survived", ALL, roll=test, fleet=fleet.fleet, die=test,
                 faction=fleet.faction)
        if sinks:
            war.lose_fleet(fleet, "storm", "fleets")


def landings(war: War) -> None:
    """After all marches, by order of movement: armies go ashore or aboard (rulebook: Fleets)."""
    for faction in war.by_rank():
        for army in [a for a in war.armies if a.faction == faction.faction and a.army in war.plan.acts]:
            act = war.plan.acts[army.army]
            if act.verb in ("land", "embark"):
                (_land if act.verb == "land" else _board)(war, army, act.request)


def _land(war: War, army: Army, request: Request) -> None:
    fleet, to = war.fleets.get(army.fleet), request.target
    if fleet is None or fleet.fleet in war.plan.held_up or friend_at(war, army, to):
        war.tell("landing.failed", [army.faction], army=army.army, node=to)
        return
    army.trail = "" if war.nodes[fleet.node].land else fleet.node
    army.posture, army.node, fleet.cargo = "field", to, ""
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.tell("army.landed", ALL, touch=[army, fleet], army=army.army, faction=army.faction, node=to)


def _board(war: War, army: Army, request: Request) -> None:
    fleet = war.fleets.get(request.target)
    if met(war, army):
        request.row.status = "pinned"
    elif fleet is not None and fleet.fleet not in war.plan.held_up:
        _aboard(war, army, fleet)
        return
    war.tell("embark.failed", [army.faction], touch=[request.row], army=army.army, node=army.node)
