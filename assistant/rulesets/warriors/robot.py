"""The robot player, for simulation and absent clubs; it knows only its view (rulebook: The robot)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.warriors.command import force_test_modifiers, force_test_table
from assistant.rulesets.warriors.land import Country, month_begins, week_of_muster
from assistant.rulesets.warriors.records import Army, Node, Order, Unit
from assistant.turn.dice import sides_of

NEAR, GUARD, REACH, BOLD, WARY = 2, 3, 4, (5, 4), (3, 2)
SQUARE, WILD, ROAD = 2, 2, 1
MOST_FORCES, FOUNDING_POINTS, FIGURE_POINTS, MOST_FIGURES = 5, 120, 5, 24


def orders(land: Country, faction: str) -> list[Any]:
    """The orders of a turn: Forces in the order of their codes, then purchases."""
    own = [one for one in land.active() if one.faction == faction]
    if not own or not land.plays(faction):
        return []
    mean = sum(land.strength(one.army) for one in own) // len(own)
    found: list[dict[str, Any]] = []
    homes = [one.node for one in land.nodes if one.place == "capital" and one.founder == faction]
    guard = next((one for one in own if one.node in homes), None)
    for army in own:
        found += _force(land, army, own, mean, guard is not None and army.army == guard.army)
    moving = {str(row["army"]) for row in found if row["verb"] in ("move", "order")}
    found += _purchases(land, faction, own, moving)
    return [Order(turn=land.game.turn, faction=faction, seq=n, **row) for n, row in enumerate(found, 1)]


def _strength(land: Country, army: Army, mean: int) -> int:
    return land.strength(army.army) or mean


def _foes(land: Country, army: Army) -> list[Army]:
    """Hostile Forces, the nearest first."""
    foes = [one for one in land.active() if one.node and land.hostile(one.faction, army.faction)]
    return sorted(foes, key=lambda one: land.map.distance(army.node, one.node))


def _is_test_safe(land: Country, army: Army, most: int = 0) -> bool:
    """Whether a Force test loses the Force on at most `most` faces of the die."""
    table, bonus = force_test_table(land), sum(force_test_modifiers(land, army).values())
    faces = range(1, sides_of(land.rules.force_die)[1] + 1)
    return sum(table.at(face + bonus) == "lost" for face in faces) <= most


def _order_row(army: Army, order: str) -> dict[str, Any]:
    return {"verb": "order", "army": army.army, "new_order": order}


def _force(land: Country, army: Army, own: list[Army], mean: int, guards: bool) -> list[dict[str, Any]]:
    """The orders of one Force."""
    found, foes = list[dict[str, Any]](), _foes(land, army)
    near = [one for one in foes if land.map.distance(army.node, one.node) <= NEAR]
    if army.reaction != "none":
        if _is_test_safe(land, army, most=1):
            found.append(_order_row(army, "defend" if near else "explore"))
        home = _capital(land, army.faction)
        certain = not found or _is_test_safe(
            land, army
        )  # of a Force that may be lost in its test nothing else is asked
        if army.reaction in ("unsteady", "routed") and home is not None and not army.aboard and certain:
            found += _path(land, army, [home.node])
        return found
    if land.rules.counter_march == "on":
        strong = sum(_strength(land, one, mean) for one in near)
        flees = strong * WARY[1] > land.strength(army.army) * WARY[0]
        stance = "counter_march" if flees else "fight"
        if stance != army.on_contact:
            found.append({"verb": "contact", "army": army.army, "stance": stance})
    if guards and any(land.map.distance(army.node, one.node) <= GUARD for one in foes):
        if army.order != "defend" and _is_test_safe(land, army):
            found.append(_order_row(army, "defend"))
        return found
    return [*found, *_advance(land, army, foes, mean)]


def _capital(land: Country, faction: str) -> Node | None:
    return next((one for one in land.nodes if one.place == "capital" and one.holder == faction), None)


def _advance(land: Country, army: Army, foes: list[Army], mean: int) -> list[dict[str, Any]]:
    """Advance against the nearest Force that it can beat, else to the nearest place to be taken."""
    if army.aboard:
        return []
    mine = land.strength(army.army)
    beatable = [one for one in foes if land.map.distance(army.node, one.node) <= REACH
                and _strength(land, one, mean) * BOLD[1] <= mine * BOLD[0] and not one.aboard]
    goals = [beatable[0].node] if beatable else _places(land, army)
    if not goals:
        return []
    far = land.map.distance(army.node, goals[0]) > REACH
    found = list[dict[str, Any]]()
    if army.order == "defend" and _is_test_safe(land, army):
        found.append(_order_row(army, "explore"))
    elif army.order == "explore" and far and _is_test_safe(land, army):
        found.append(_order_row(army, "march"))
    return [*found, *_path(land, army, goals)]


def _places(land: Country, army: Army) -> list[str]:
    """The nearest place that an enemy or nobody holds, or that was lost."""
    places = [one for one in land.nodes if one.place != "none" and one.node != army.node and (
        not one.holder or land.hostile(one.holder, army.faction)
        or (one.founder == army.faction and not land.friendly(one.holder, army.faction)))]
    nearest = sorted(places, key=lambda one: land.map.distance(army.node, one.node))
    return [one.node for one in nearest[:1]]


def _path(land: Country, army: Army, goals: list[str]) -> list[dict[str, Any]]:
    """The first squares of the cheapest way by land."""
    peace = {one.node for one in land.active() if land.state(one.faction, army.faction) == "peace"}
    foes = {one.node for one in land.active() if land.hostile(one.faction, army.faction)}

    def cost(a: str, b: str) -> int | None:
        if not land.map.dry(b) or b in peace or (army.reaction == "routed" and b in foes):
            return None
        return SQUARE + WILD * bool(land.wilds(b)) - ROAD * land.on_road(a, b)

    way = land.map.board.way(army.node, goals, cost, land.map.dry)
    return [{"verb": "move", "army": army.army, "path": " ".join(way[:land.rules.max_land])}] if way else []


def _purchases(land: Country, faction: str, own: list[Army], moving: set[str]) -> list[dict[str, Any]]:
    """Purchases when a month begins: refill Units that stay in held places; found a Force at a rich place.

    That place is the capital, or without one the richest. Nothing is bought where an enemy may come before phase 7.
    """
    if not month_begins(land, week_of_muster(land)):
        return []
    foes = [one for one in land.active() if land.hostile(one.faction, faction)]
    left = {one.node: one.store for one in land.nodes if one.place != "none" and one.holder == faction
            and all(land.map.distance(one.node, foe.node) > REACH for foe in foes)}
    found = list[dict[str, Any]]()
    for army in own:
        for unit in land.units_of(army.army) if army.node in left and army.ashore and army.army not in moving else []:
            count = _missing_figures(land, unit, left[army.node])
            if count:
                left[army.node] -= count * unit.points
                found.append({"verb": "refill", "place": army.node, "unit": unit.unit, "figures": count})
    home = _capital(land, faction)
    richest = home.node if home is not None else max(left, key=lambda one: left[one], default="")
    if left.get(richest, 0) >= FOUNDING_POINTS and len(own) < MOST_FORCES:
        found += _new_force(land, faction, richest, left[richest] - land.rules.commander_cost)
    return found


def _missing_figures(land: Country, unit: Unit, store: int) -> int:
    """How many figures of a Unit are missing for good, and can be paid."""
    hurt = sum(row.count for row in land.wounded if row.unit == unit.unit)
    lacks = (unit.figures_start or unit.figures) - unit.figures - hurt
    return max(0, min(lacks, store // unit.points)) if unit.points and unit.figures else 0


def _new_force(land: Country, faction: str, node: str, points: int) -> list[dict[str, Any]]:
    """A new Force of the plainest type, as large as the points allow."""
    people = land.factions[faction].people
    kinds = sorted((one for one in land.types if one.people in (people, "any") and one.points),
                   key=lambda one: abs(one.points - FIGURE_POINTS))
    figures = min(MOST_FIGURES, points // kinds[0].points) if kinds else 0
    if figures < land.rules.unit_min:
        return []
    name = f"Levy of {node} {land.game.turn}"
    return [{"verb": "found", "place": node, "name": name, "vc": 1, "new_order": "explore"},
            {"verb": "raise", "place": node, "type": kinds[0].type, "figures": figures, "army": name}]
