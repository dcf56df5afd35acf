"""Phase 2: one row carried out on land, square by square (2 movement)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.tables import MOVE, ONE_LINE
from assistant.rulesets.warriors.march.contacts import meet
from assistant.rulesets.warriors.march.crossing import after_move
from assistant.rulesets.warriors.march.moves import Moves
from assistant.rulesets.warriors.orders.paths import way_of
from assistant.turn.orders.request import Request
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Score


def refused(land: Moves, army: Army, why: str, rule: str = "2 movement") -> None:
    """A row comes to nothing, without a die."""
    land.tell("move_refused", land.own(army.faction), rule, army=army.army, node=army.node, why=why)


def cannot(land: Moves, army: Army) -> str:
    """Why a Force cannot move at all; "" where it can."""
    if not army.active:
        return "gone"
    if land.order(army) == "defend":
        return "defend"
    if land.in_contact(army):
        return "in contact"
    return "counter-marched" if army.army in land.tried else ""


def march(land: Moves, request: Request, army: Army) -> None:
    """The die, then the path as far as it reaches and nothing stops it."""
    rules, start = land.rules, army.node
    path = way_of(army, request)[:rules.max_land]
    dice = land.thrown(MOVE, rules.move_die, modifiers(land, army, path), land.own(army.faction), army.army)
    army.guides = 0
    squares = RangeTable.rising("movement", (-99, "0"), (rules.mv_1, "1"), (rules.mv_2, "2"), (rules.mv_3, "3"))
    allowance = int(dice.row(squares))
    if not allowance:
        too_slow(land, army, dice)
        return
    done, why = _walk(land, army, path, allowance)
    if done:
        land.went("moved", army, start, roll=dice, path=done, allowance=allowance, total=dice)
    if why:
        cut_short(land, army, dice, done, why)
    after_move(land, army, done)


def too_slow(land: Moves, army: Army, dice: Score, rule: str = "") -> None:
    """The die was too low."""
    land.told("move_none", army, rule, roll=dice, node=army.node, why="too slow", total=dice)


def cut_short(land: Moves, army: Army, dice: Score, done: list[str], why: str, rule: str = "") -> None:
    """Something stopped a Force; the die is shown where nothing else has told it."""
    land.told("move_cut", army, rule, roll=None if done else dice, at=army.node, why=why)


def standing(land: Moves, army: Army) -> dict[str, int]:
    """What changes any die of movement, by name: the ground's lord, the reaction, the order, guides."""
    rules = land.rules
    slow = army.reaction in ("unsteady", "routed")
    return {**land.by_territory(army.node, army.faction, rules.mv_friendly, rules.mv_enemy),
            army.reaction if slow else "reaction": rules.mv_reaction if slow else 0,
            "forced march": rules.mv_march if land.order(army) == "march" else 0, "guides": army.guides}


def modifiers(land: Moves, army: Army, path: list[str]) -> dict[str, int]:
    """What changes the die of a march: only the square in which it starts counts."""
    rules, node = land.rules, land.nodes[army.node]
    ground = {one: land.map.terrain(one).land_mod for one in node.terrains}
    if ground and (rules.terrain_stack == "worst" or ground.keys() <= set(ONE_LINE)):
        worst = min(ground, key=lambda one: ground[one])
        ground = {worst: ground[worst]}
    road = land.on_road(army.node) if rules.road_bonus == "start" else bool(path) and land.on_road(army.node, path[0])
    weather = land.weather(army.node)
    heat = weather.weather == "heat" and set(ONE_LINE) & set(node.terrains)
    return {**ground, "river": rules.mv_river if land.map.river(army.node) else 0,
            "marsh": rules.mv_marsh if node.marsh else 0, "road": rules.mv_road if road else 0,
            **standing(land, army), weather.weather: 2 * weather.land_mod if heat else weather.land_mod}


def _walk(land: Moves, army: Army, path: list[str], allowance: int) -> tuple[list[str], str]:
    """The squares that were entered, and what stopped the Force before the end of what it could do."""
    done: list[str] = []
    reach = path[:allowance]
    for place, there in enumerate(reach):
        why = _barred(land, army, there)
        if why:
            return done, why
        if land.foes_at(there, army.faction):
            meet(land, army, there)
            return [*done, there], ""
        land.enter(army, there)
        done.append(there)
        zone = land.in_zone(there, army.faction) if land.rules.zoc != "off" else []
        ahead = path[place + 1] if place + 1 < len(path) else ""
        if zone and not (land.rules.zoc == "through" and ahead in {one.node for one in zone}):
            return done, "zone of control" if place + 1 < len(reach) else ""
    return done, ""


def _barred(land: Moves, army: Army, there: str) -> str:
    """Why a Force stops before a square, in the book's order; "" where it does not."""
    closed = land.weather(there).fords_closed and land.rules.weather_closes_fords == "on"
    if closed and land.map.river(there) and not land.bridge(there):
        return "ford closed"
    if any(land.state(one.faction, army.faction) == "peace" for one in land.at(there)):
        return "peace"
    foes = land.foes_at(there, army.faction)
    if foes and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""
