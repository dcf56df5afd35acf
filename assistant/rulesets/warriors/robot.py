"""The robot player, for simulation and absent clubs; it knows only its view (rulebook: The robot)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.warriors.land import Country
from assistant.rulesets.warriors.marches import MarchNumbers, wilds
from assistant.rulesets.warriors.muster import MusterNumbers, week_of_muster
from assistant.rulesets.warriors.orders import OrderNumbers, force_test_modifiers, force_test_table
from assistant.rulesets.warriors.records import Army, Node, Order, Unit
from assistant.rulesets.warriors.seasons import month_begins
from assistant.turn.dice import sides_of

NEAR, GUARD, REACH, BOLD, WARY = 2, 3, 4, (5, 4), (3, 2)
SQUARE, WILD, ROAD = 2, 2, 1
MOST_FORCES, FOUNDING_POINTS, FIGURE_POINTS, MOST_FIGURES = 5, 120, 5, 24


def orders(land: Country, faction: str) -> list[Any]:
    """The orders of a turn: Forces in the order of their codes, then purchases."""
    own = [army for army in land.active() if army.faction == faction]
    if not own or not land.plays(faction):
        return []
    mean = sum(land.strength(army.army) for army in own) // len(own)
    rows: list[dict[str, Any]] = []
    homes = [node.node for node in land.nodes if node.place == "capital" and node.founder == faction]
    guard = next((army for army in own if army.node in homes), None)
    for army in own:
        rows += _force(land, army, own, mean, guard is not None and army.army == guard.army)
    moving = {str(row["army"]) for row in rows if row["verb"] in ("move", "order")}
    rows += _purchases(land, faction, own, moving)
    return [Order(turn=land.game.turn, faction=faction, seq=n, **row) for n, row in enumerate(rows, 1)]


def _strength(land: Country, army: Army, mean: int) -> int:
    return land.strength(army.army) or mean


def _foes(land: Country, army: Army) -> list[Army]:
    """Hostile Forces, the nearest first."""
    foes = [foe for foe in land.active() if foe.node and land.hostile(foe.faction, army.faction)]
    return sorted(foes, key=lambda foe: land.map.distance(army.node, foe.node))


def is_test_safe(land: Country, army: Army, most: int = 0) -> bool:
    """Whether a Force test loses the Force on at most `most` faces of the die."""
    table, bonus = force_test_table(land), sum(force_test_modifiers(land, army).values())
    faces = range(1, sides_of(OrderNumbers.of(land).force_die)[1] + 1)
    return sum(table.at(face + bonus) == "lost" for face in faces) <= most


def order_row(army: Army, order: str) -> dict[str, Any]:
    """The row that asks for an order."""
    return {"verb": "order", "army": army.army, "new_order": order}


def _force(land: Country, army: Army, own: list[Army], mean: int, guards: bool) -> list[dict[str, Any]]:
    """The orders of one Force."""
    rows, foes = list[dict[str, Any]](), _foes(land, army)
    near = [foe for foe in foes if land.map.distance(army.node, foe.node) <= NEAR]
    if army.reaction != "none":
        if is_test_safe(land, army, most=1):
            rows.append(order_row(army, "defend" if near else "explore"))
        home = capital_of(land, army.faction)
        certain = not rows or is_test_safe(
            land, army
        )  # of a Force that may be lost in its test nothing else is asked
        if army.reaction in ("unsteady", "routed") and home is not None and not army.aboard and certain:
            rows += path_row(land, army, [home.node])
        return rows
    if MarchNumbers.of(land).counter_march == "on":
        strong = sum(_strength(land, foe, mean) for foe in near)
        flees = strong * WARY[1] > land.strength(army.army) * WARY[0]
        stance = "counter_march" if flees else "fight"
        if stance != army.on_contact:
            rows.append({"verb": "contact", "army": army.army, "stance": stance})
    if guards and any(land.map.distance(army.node, foe.node) <= GUARD for foe in foes):
        if army.order != "defend" and is_test_safe(land, army):
            rows.append(order_row(army, "defend"))
        return rows
    return [*rows, *_advance(land, army, foes, mean)]


def capital_of(land: Country, faction: str) -> Node | None:
    """A capital that a faction holds, None for none."""
    return next((node for node in land.nodes if node.place == "capital" and node.holder == faction), None)


def _advance(land: Country, army: Army, foes: list[Army], mean: int) -> list[dict[str, Any]]:
    """Advance against the nearest Force that it can beat, else to the nearest place to be taken."""
    if army.aboard:
        return []
    mine = land.strength(army.army)
    beatable = [foe for foe in foes if land.map.distance(army.node, foe.node) <= REACH
                and _strength(land, foe, mean) * BOLD[1] <= mine * BOLD[0] and not foe.aboard]
    goals = [beatable[0].node] if beatable else _places(land, army)
    if not goals:
        return []
    far = land.map.distance(army.node, goals[0]) > REACH
    rows = list[dict[str, Any]]()
    if army.order == "defend" and is_test_safe(land, army):
        rows.append(order_row(army, "explore"))
    elif army.order == "explore" and far and is_test_safe(land, army):
        rows.append(order_row(army, "march"))
    return [*rows, *path_row(land, army, goals)]


def _places(land: Country, army: Army) -> list[str]:
    """The nearest place that an enemy or nobody holds, or that was lost."""
    places = [node for node in land.nodes if node.place != "none" and node.node != army.node and (
        not node.holder or land.hostile(node.holder, army.faction)
        or (node.founder == army.faction and not land.friendly(node.holder, army.faction)))]
    nearest = sorted(places, key=lambda node: land.map.distance(army.node, node.node))
    return [node.node for node in nearest[:1]]


def path_row(land: Country, army: Army, goals: list[str]) -> list[dict[str, Any]]:
    """The first squares of the cheapest way by land."""
    peace = {other.node for other in land.active() if land.state(other.faction, army.faction) == "peace"}
    foes = {other.node for other in land.active() if land.hostile(other.faction, army.faction)}

    def cost(a: str, b: str) -> int | None:
        if not land.map.dry(b) or b in peace or (army.reaction == "routed" and b in foes):
            return None
        return SQUARE + WILD * bool(wilds(land, b)) - ROAD * land.on_road(a, b)

    way = land.map.board.way(army.node, goals, cost, land.map.dry)
    return [{"verb": "move", "army": army.army, "path": " ".join(way[:MarchNumbers.of(land).max_land])}] if way else []


def _purchases(land: Country, faction: str, own: list[Army], moving: set[str]) -> list[dict[str, Any]]:
    """Purchases when a month begins: refill Units that stay in held places; found a Force at a rich place.

    That place is the capital, or without one the richest. Nothing is bought where an enemy may come before phase 7.
    """
    if not month_begins(land, week_of_muster(land)):
        return []
    foes = [army for army in land.active() if land.hostile(army.faction, faction)]
    left = {node.node: node.store for node in land.nodes if node.place != "none" and node.holder == faction
            and all(land.map.distance(node.node, foe.node) > REACH for foe in foes)}
    purchases = list[dict[str, Any]]()
    for army in own:
        for unit in land.units_of(army.army) if army.node in left and army.ashore and army.army not in moving else []:
            count = missing_figures(land, unit, left[army.node])
            if count:
                left[army.node] -= count * unit.points
                purchases.append({"verb": "refill", "place": army.node, "unit": unit.unit, "figures": count})
    home = capital_of(land, faction)
    richest = home.node if home is not None else max(left, key=lambda place: left[place], default="")
    if left.get(richest, 0) >= FOUNDING_POINTS and len(own) < MOST_FORCES:
        purchases += _new_force(land, faction, richest, left[richest] - MusterNumbers.of(land).commander_cost)
    return purchases


def missing_figures(land: Country, unit: Unit, store: int) -> int:
    """How many figures of a Unit are missing for good, and can be paid."""
    hurt = sum(row.count for row in land.wounded if row.unit == unit.unit)
    lacks = (unit.figures_start or unit.figures) - unit.figures - hurt
    return max(0, min(lacks, store // unit.points)) if unit.points and unit.figures else 0


def _new_force(land: Country, faction: str, node: str, points: int) -> list[dict[str, Any]]:
    """A new Force of the plainest type, as large as the points allow."""
    people = land.factions[faction].people
    kinds = sorted((unit_type for unit_type in land.types if unit_type.people in (people, "any") and unit_type.points),
                   key=lambda unit_type: abs(unit_type.points - FIGURE_POINTS))
    figures = min(MOST_FIGURES, points // kinds[0].points) if kinds else 0
    if figures < MusterNumbers.of(land).unit_min:
        return []
    name = f"Levy of {node} {land.game.turn}"
    return [{"verb": "found", "place": node, "name": name, "vc": 1, "new_order": "explore"},
            {"verb": "raise", "place": node, "type": kinds[0].type, "figures": figures, "army": name}]
