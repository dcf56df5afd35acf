"""Ways back: retreats chosen from table 34, and where a beaten army goes (3c; rulebook: Ways back)."""

from __future__ import annotations

from assistant.rulesets.giglio.book.records import Army, Fleet
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL


def arrived(army: Army) -> tuple[int, int, int]:
    """When an army entered its node, for comparing who came first."""
    return army.arrived_year, army.arrived_round, army.arrived_no


def came_in_by(war: War, army: Army, opponent: str) -> set[str]:
    """Nodes from which markers of the opponent's force came in after this army."""
    return {other.nodes_back[-1] for other in war.force(army.node, opponent)
            if other.nodes_back and arrived(other) > arrived(army)}


def free_for(war: War, army: Army, node: str) -> bool:
    """Joined by an open road, without other factions' markers, hostile garrison or hostile men inside."""
    return (war.nodes[node].land and node in war.open_roads(army.node, army.faction)
            and not any(a.faction != army.faction and war.blocks(a) for a in war.at(node))
            and not war.hostile_garrison(node, army.faction)
            and not war.held_inside(node, army.faction))


def ship_at(war: War, army: Army, node: str) -> Fleet | None:
    """The ship that put the army ashore, if it still lies there, empty."""
    fleet = war.fleets.get(army.fleet)
    return fleet if fleet is not None and fleet.node == node and not fleet.cargo else None


def previous(war: War, army: Army, opponent: str) -> str:
    """The previous position if the army may go back there now, else ""."""
    node = next(reversed(army.nodes_back), "")
    place = war.nodes.get(node)
    if place is None:
        return ""
    if not place.land:
        return node if ship_at(war, army, node) else ""
    return node if free_for(war, army, node) and node not in came_in_by(war, army, opponent) else ""


def own_neighbours(war: War, army: Army, foe: str, but: str = "") -> list[str]:
    """Own nodes beside, free in the same sense, in natural order (for beaten armies)."""
    shut = came_in_by(war, army, foe) | {but}
    return [n for n in war.map.neighbours(army.node, "road")
            if war.nodes[n].owner == army.faction and n not in shut and free_for(war, army, n)]


def if_beaten(war: War, army: Army, foe: str) -> list[str]:
    """Where a beaten army may go: its previous position, else own nodes beside; [] for nowhere."""
    back = previous(war, army, foe)
    return [back] if back else own_neighbours(war, army, foe)


def go_back(war: War, army: Army, to: str, rule: str) -> None:
    """Going back is not marching: no hand, no new arrival, borders do not matter (rulebook: Ways back)."""
    frm = army.node
    if not war.nodes[to].land:
        fleet = ship_at(war, army, to)
        if fleet is None:  # somebody else took the ship
            war.lose_army(army, "no retreat", rule)
            return
        fleet.cargo, army.posture, army.trail = army.army, "aboard", ""
        war.tell("army.embarked", [army.faction], rule, touch=[army, fleet], army=army.army, fleet=fleet.fleet)
    else:
        army.trail = " ".join(army.nodes_back[:-1]) if army.nodes_back[-1:] == [to] else ""
    army.node = to
    war.tell("army.retreated", ALL, rule, touch=[army], army=army.army, faction=army.faction, frm=frm, to=to)


def follow(war: War, envoy: Army, armies: list[Army], rule: str) -> None:
    """An envoy goes where the first of the armies went that is not aboard: a ship has room for the army alone."""
    ashore = (a for a in armies if a.army in war.armies and a.posture == "field")
    goal = next((a.node for a in ashore), envoy.node)
    if goal != envoy.node:
        go_back(war, envoy, goal, rule)
