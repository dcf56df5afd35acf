"""Robots that play for an absent club or in the laboratory, plain or with a temper, from what that club may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.tables import natural
from assistant.rulesets.warriors import both
from assistant.rulesets.warriors.battle import QUALITY_ORDER
from assistant.rulesets.warriors.land import Country
from assistant.rulesets.warriors.marches import MarchNumbers, wilds
from assistant.rulesets.warriors.muster import MusterNumbers, points_are_due, wounded_figures
from assistant.rulesets.warriors.orders import OrderNumbers, force_test_modifiers, force_test_table
from assistant.rulesets.warriors.records import Army, Node, Order, Unit, UnitType
from assistant.turn.dice import sides_of
from assistant.turn.ruleset import Temper

# --- robot ----------------------------------------------------------------------------------------
# The robot player, for simulation and absent clubs; it knows only its view (rulebook: The robot).

NEAR, GUARD, REACH, BOLD, WARY = 2, 3, 4, (5, 4), (3, 2)
SQUARE, WILD, ROAD = 2, 2, 1
MOST_FORCES, FOUNDING_POINTS, FIGURE_POINTS, MOST_FIGURES = 5, 120, 5, 24


Row = dict[str, Any]


def orders(land: Country, faction: str, temper: str = "") -> list[Order]:
    """The orders of a turn: Forces in the order of their codes, then purchases. `temper`: "" for the plain robot."""
    own = land.active(faction)
    if not own or not land.plays(faction):
        return []
    if temper in WEIGHTS:
        general = _General(land, faction, own, WEIGHTS[temper])
        rows = [row for army in own for row in general.rows_of(army)]
        rows += general.purchases({str(row["army"]) for row in rows if row["verb"] == "move"})
    else:
        mean = sum(land.strength(army.army) for army in own) // len(own)
        homes = [place.node for place in land.places() if place.place == "capital" and place.founder == faction]
        guard = next((army for army in own if army.node in homes), None)
        rows = [row for army in own for row in _force(land, army, mean, army is guard)]
        rows += _purchases(land, faction, own, {str(row["army"]) for row in rows if row["verb"] in ("move", "order")})
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


def stance_row(land: Country, army: Army, flees: bool) -> list[Row]:
    """The row for what a Force does when it is attacked, where that is another thing than now."""
    stance = "counter_march" if flees else "fight"
    changes = MarchNumbers.of(land).counter_march == "on" and stance != army.on_contact
    return [{"verb": "contact", "army": army.army, "stance": stance}] if changes else []


def order_row(army: Army, order: str) -> Row:
    """The row that asks for an order."""
    return {"verb": "order", "army": army.army, "new_order": order}


def _force(land: Country, army: Army, mean: int, guards: bool) -> list[Row]:
    """The orders of one Force."""
    rows, foes = list[Row](), _foes(land, army)
    near = [foe for foe in foes if land.map.distance(army.node, foe.node) <= NEAR]
    if army.reaction != "none":
        if is_test_safe(land, army, most=1):
            rows.append(order_row(army, "defend" if near else "explore"))
        home = capital_of(land, army.faction)
        certain = not rows or is_test_safe(land, army)  # of a Force that may be lost in its test nothing else is asked
        if army.reaction in ("unsteady", "routed") and home is not None and not army.aboard and certain:
            rows += path_row(land, army, [home.node])
        return rows
    strong = sum(_strength(land, foe, mean) for foe in near)
    rows += stance_row(land, army, strong * WARY[1] > land.strength(army.army) * WARY[0])
    if guards and any(land.map.distance(army.node, foe.node) <= GUARD for foe in foes):
        if army.order != "defend" and is_test_safe(land, army):
            rows.append(order_row(army, "defend"))
        return rows
    return [*rows, *_advance(land, army, foes, mean)]


def capital_of(land: Country, faction: str) -> Node | None:
    """A capital that a faction holds, None for none."""
    return next((node for node in land.nodes if node.place == "capital" and node.holder == faction), None)


def _advance(land: Country, army: Army, foes: list[Army], mean: int) -> list[Row]:
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
    rows = list[Row]()
    if army.order == "defend" and is_test_safe(land, army):
        rows.append(order_row(army, "explore"))
    elif army.order == "explore" and far and is_test_safe(land, army):
        rows.append(order_row(army, "march"))
    return [*rows, *path_row(land, army, goals)]


def _places(land: Country, army: Army) -> list[str]:
    """The nearest place that an enemy or nobody holds, or that was lost."""
    places = [place for place in land.places() if place.node != army.node and (
        not place.holder or land.hostile(place.holder, army.faction)
        or (place.founder == army.faction and not land.friendly(place.holder, army.faction)))]
    nearest = sorted(places, key=lambda node: land.map.distance(army.node, node.node))
    return [node.node for node in nearest[:1]]


def path_row(land: Country, army: Army, goals: list[str]) -> list[Row]:
    """The first squares of the cheapest way by land."""
    peace = {other.node for other in land.active() if land.state(other.faction, army.faction) == "peace"}
    foes = {other.node for other in land.active() if land.hostile(other.faction, army.faction)}

    def cost(a: str, b: str) -> int | None:
        if not land.map.dry(b) or b in peace or (army.reaction == "routed" and b in foes):
            return None
        return SQUARE + WILD * bool(wilds(land, b)) - ROAD * land.on_road(a, b)

    way = land.map.board.way(army.node, goals, cost, land.map.dry)
    return [{"verb": "move", "army": army.army, "path": " ".join(way[:MarchNumbers.of(land).max_land])}] if way else []


def _purchases(land: Country, faction: str, own: list[Army], moving: set[str]) -> list[Row]:
    """Purchases when a month begins: refill Units that stay in held places; found a Force at a rich place.

    That place is the capital, or without one the richest. Nothing is bought where an enemy may come before phase 7.
    """
    if not points_are_due(land):
        return []
    foes = [army for army in land.active() if land.hostile(army.faction, faction)]
    left = {place.node: place.store for place in land.places(faction)
            if all(land.map.distance(place.node, foe.node) > REACH for foe in foes)}
    purchases = list[Row]()
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
    lacks = (unit.figures_start or unit.figures) - unit.figures - wounded_figures(land, unit.unit)
    return max(0, min(lacks, store // unit.points)) if unit.points and unit.figures else 0


def _new_force(land: Country, faction: str, node: str, points: int) -> list[Row]:
    """A new Force of the plainest type, as large as the points allow."""
    people = land.factions[faction].people
    kinds = sorted((unit_type for unit_type in land.types if unit_type.is_for(people) and unit_type.points),
                   key=lambda unit_type: abs(unit_type.points - FIGURE_POINTS))
    figures = min(MOST_FIGURES, points // kinds[0].points) if kinds else 0
    return founding(land, node, 1, kinds[0].type, figures) if figures >= MusterNumbers.of(land).unit_min else []


def founding(land: Country, node: str, vc: int, kind: str, figures: int) -> list[Row]:
    """The rows that found a Force, and raise its first Unit."""
    name = f"Levy of {node} {land.game.turn}"
    return [{"verb": "found", "place": node, "name": name, "vc": vc, "new_order": "explore"},
            {"verb": "raise", "place": node, "type": kind, "figures": figures, "army": name}]


# --- tempers --------------------------------------------------------------------------------------
# Robots with a temper: whom they send where, when they rally, and what they raise, from a view alone.
#
# They know what a campaign is decided by: battles won and lost, strongholds and capitals held, for these are the will
# to
# fight and the score. So the own capital comes first, empty places are taken before battles are sought, two Forces do
# not
# go the same way, and points are spent wherever they lie, also when the capital is lost.

@dataclass(frozen=True)
class Weights:
    """What makes a temper. `attack_pct`: own strength in per cent of the enemy's with which it attacks in the open;
    `storm_pct`: the same against a place; `reach`: how many squares it goes after an enemy; `guard`: how near an enemy
    must be to a place before somebody guards it; `place`, `capital`, `prey`: what a stronghold, a capital, a battle is
    worth; `risk`: on how many faces of the die a Force that rallies may be lost; `least_points`: from how many points
    on a new Force is founded; `most_forces`: how many it has at most.
    """

    attack_pct: int
    storm_pct: int
    reach: int
    guard: int
    place: int
    capital: int
    prey: int
    risk: int
    least_points: int
    most_forces: int


WEIGHTS: Mapping[str, Weights] = {
    "bold": Weights(attack_pct=115, storm_pct=150, reach=4, guard=2, place=10, capital=25, prey=10, risk=1,
                    least_points=75, most_forces=8),
    "careful": Weights(attack_pct=150, storm_pct=220, reach=2, guard=3, place=10, capital=25, prey=5, risk=0,
                       least_points=120, most_forces=6),
}
TEMPERS = (
    Temper("plain", both("It goes for the nearest place or for a weaker Force near by, and founds Forces at its "
                         "capital.",
                         "Va verso il luogo più vicino o contro una Forza più debole nei dintorni, e fonda Forze nella "
                         "capitale.")),
    Temper("bold", both("It takes empty places first, seeks battles that it can win, and raises troops wherever it "
                        "has points.",
                        "Prende prima i luoghi vuoti, cerca le battaglie che può vincere e arruola ovunque abbia "
                        "punti.")),
    Temper("careful", both("It guards its capital and places, takes what is empty, and fights only with much more "
                           "strength.",
                           "Sorveglia la capitale e i luoghi, prende ciò che è vuoto e combatte solo se è molto più "
                           "forte.")),
)


@dataclass(frozen=True)
class Goal:
    """Where a Force is to go or stay. `holds`: it stays there on defend."""

    score: float
    node: str
    holds: bool = False


class _General:
    """One faction's plan of a turn: every Force its own goal, the best ones first."""

    def __init__(self, land: Country, faction: str, own: list[Army], weights: Weights) -> None:
        self.land, self.faction, self.own, self.weights = land, faction, own, weights
        self.mean = max(1, sum(land.strength(army.army) for army in own) // len(own))
        self.foes = [foe for foe in land.active() if foe.node and land.hostile(foe.faction, faction)]
        self.goals = self._assign()

    # --- who goes where -----------------------------------------------------------------------
    def _assign(self) -> dict[str, Goal]:
        wishes = [(goal, army) for army in self.own if army.reaction == "none" and not army.aboard
                  for goal in self._wishes(army)]
        wishes.sort(key=lambda wish: (-wish[0].score, natural(wish[1].army), natural(wish[0].node)))
        goals: dict[str, Goal] = {}
        taken: set[str] = set()
        for goal, army in wishes:
            if army.army not in goals and goal.node not in taken:
                goals[army.army] = goal
                taken.add(goal.node)
        return goals

    def _wishes(self, army: Army) -> Iterator[Goal]:
        """What a Force might do."""
        mine, far = self.land.strength(army.army), self.land.map.distance
        for place in self.land.places():
            squares, worth = far(army.node, place.node), self._worth(place)
            if self.land.friendly(place.holder, self.faction):
                danger = min((far(foe.node, place.node) for foe in self.foes), default=99)
                if place.holder == self.faction and danger <= self.weights.guard and squares <= self.weights.guard:
                    yield Goal(worth * 2 / (squares + 1), place.node, holds=squares == 0)
            elif worth and self._beats(mine, place.node, self.weights.storm_pct):
                yield Goal(worth / (squares + 2), place.node)
        for foe in self.foes:
            squares = far(army.node, foe.node)
            in_place = self.land.nodes[foe.node].place != "none"
            if squares <= self.weights.reach and not foe.aboard and not in_place and (
                    self._beats(mine, foe.node, self.weights.attack_pct)):
                yield Goal(self.weights.prey / (squares + 2), foe.node)

    def _worth(self, place: Node) -> int:
        """What a place is worth; less if it is no stronghold of an enemy and not one's own."""
        worth = self.weights.capital if place.place == "capital" else self.weights.place
        if place.founder == self.faction:
            return worth * 2
        if self.land.friendly(place.founder, self.faction):
            return worth // 2
        if place.holder and not self.land.hostile(place.holder, self.faction):
            return 0  # held in peace
        return worth

    def _beats(self, mine: int, node: str, percent: int) -> bool:
        """Whether a strength is enough against the hostile Forces in a square, each taken for a mean one."""
        there = [foe for foe in self.foes if foe.node == node]
        return mine * 100 >= percent * sum(self._guess(foe) for foe in there)

    def _guess(self, foe: Army) -> int:
        strength = self.land.strength(foe.army) or self.mean
        return strength // 2 if foe.reaction in ("unsteady", "routed") else strength

    # --- its rows -----------------------------------------------------------------------------
    def rows_of(self, army: Army) -> list[Row]:
        """The orders of one Force."""
        near = [foe for foe in self.foes if self.land.map.distance(army.node, foe.node) <= NEAR]
        if army.reaction != "none":
            return self._rally(army, near)
        strong = max((self._guess(foe) for foe in near), default=0)
        weak = strong * 100 > self.land.strength(army.army) * self.weights.attack_pct
        rows = stance_row(self.land, army, weak and self.land.nodes[army.node].place == "none")
        goal = self.goals.get(army.army)
        safe = is_test_safe(self.land, army)
        if goal is None or goal.holds:
            if near and army.order != "defend" and safe and self.land.nodes[army.node].place != "none":
                rows.append(order_row(army, "defend"))
            return rows
        squares = self.land.map.distance(army.node, goal.node)
        if army.order == "defend":
            if not safe:
                return rows
            rows.append(order_row(army, "march" if squares > REACH and not near else "explore"))
        elif army.order == "explore" and squares > REACH and safe and not near:
            rows.append(order_row(army, "march"))
        return [*rows, *path_row(self.land, army, [goal.node])]

    def _rally(self, army: Army, near: list[Army]) -> list[Row]:
        """Rally where that is safe enough, else go home first."""
        home = capital_of(self.land, self.faction)
        goes = army.reaction in ("unsteady", "routed") and home is not None and not army.aboard and not near
        rows = []
        if is_test_safe(self.land, army, most=0 if goes else self.weights.risk):
            rows.append(order_row(army, "defend" if near else "explore"))
        if goes and home is not None and home.node != army.node and not rows:
            rows += path_row(self.land, army, [home.node])
        return rows

    # --- what it buys -------------------------------------------------------------------------
    def purchases(self, moving: set[str]) -> list[Row]:
        """When a month begins: fill up Units, raise new ones in Forces that stay, found Forces where none is."""
        if not points_are_due(self.land):
            return []
        rows = list[Row]()
        forces = len(self.own)
        for place in self.land.places(self.faction):
            if any(self.land.map.distance(place.node, foe.node) <= NEAR for foe in self.foes):
                continue
            store = place.store
            here = [army for army in self.own if army.node == place.node and army.ashore and army.army not in moving]
            for unit in [unit for army in here for unit in self.land.units_of(army.army)]:
                count = missing_figures(self.land, unit, store)
                if count:
                    store -= count * unit.points
                    rows.append({"verb": "refill", "place": place.node, "unit": unit.unit, "figures": count})
            if here:
                rows += self._raise(place.node, here[0].army, store)
            elif store >= self.weights.least_points and forces < self.weights.most_forces:
                found = self._plan_founding(place.node, store)
                forces += bool(found)
                rows += found
        return rows

    def _raise(self, place: str, army: str, points: int) -> list[Row]:
        kind = self._best_type(points)
        return [] if kind is None else [{"verb": "raise", "place": place, "type": kind.type, "army": army,
                                         "figures": min(MOST_FIGURES, points // kind.points)}]

    def _plan_founding(self, place: str, points: int) -> list[Row]:
        rules = MusterNumbers.of(self.land)
        vc = max(1, min(rules.muster_vc_max, points // (3 * rules.commander_cost)))
        left = points - vc * rules.commander_cost
        kind = self._best_type(left)
        return [] if kind is None else founding(
            self.land, place, vc, kind.type, min(MOST_FIGURES, left // kind.points))

    def _best_type(self, points: int) -> UnitType | None:
        """The best quality of which a whole Unit can be paid, then the cheapest."""
        people, least = self.land.factions[self.faction].people, MusterNumbers.of(self.land).unit_min
        kinds = [kind for kind in self.land.types
                 if kind.people == people and kind.points and kind.points * least <= points]
        return min(kinds, default=None,
                   key=lambda kind: (QUALITY_ORDER.index(kind.quality), kind.points, natural(kind.type)))
