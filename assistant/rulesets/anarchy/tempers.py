"""Robots with a temper: which missions they serve and whom they attack, from a view alone.

They work backwards from the missions: a noble who is to reach a place is led there, with food on the way rather than
behind; a place of a mission that is besieged is relieved; and there is looting only while a mission of either side
counts it. Loyalty decides meetings, so only those are attacked who would stand against us; own nobles are ransomed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import both, robot
from assistant.rulesets.anarchy.aftermath import stack_value
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.records import Army, Objective, Order, Place
from assistant.rulesets.anarchy.robot import GroupPlanner, Row, guessed_value
from assistant.turn.orders.taking import OrderCheck
from assistant.turn.ruleset import Temper


@dataclass(frozen=True)
class Weights:
    """What makes a temper. `weak`: up to which share of its own value, in per cent, a group attacks another;
    `relief`: `weak` against besiegers of an own place.
    """

    weak: int
    relief: int


WEIGHTS: Mapping[str, Weights] = {
    "bold": Weights(weak=70, relief=110),
    "careful": Weights(weak=60, relief=80),
}
TEMPERS = (
    Temper("plain", both("Each group attacks weaker ones near by, besieges the first castle of a mission, and loots "
                         "rich villages.",
                         "Ogni gruppo attacca i più deboli nei dintorni, assedia il primo castello di una missione e "
                         "saccheggia i villaggi ricchi.")),
    Temper("bold", both("It leads nobles where a mission calls them, relieves places of missions, and attacks almost "
                        "equals there.",
                        "Conduce i nobili dove li chiama una missione, soccorre i luoghi delle missioni e là attacca "
                        "chi è quasi pari.")),
    Temper("careful", both("It does the same, but attacks and relieves only where it is clearly the stronger.",
                           "Fa lo stesso, ma attacca e soccorre solo se è chiaramente più forte.")),
)


def orders(realm: Field, faction: str, check: OrderCheck, temper: str) -> list[Order]:
    """The rows for the day of a robot of that temper, groups by rank, as far as they pass the checks in its view."""
    if realm.game.phase in ("opening", "over", "close"):
        return []
    mine = [army for army in realm.active() if army.faction == faction and not realm.attached(army)]
    rows = robot.ransoms(realm, faction, mine)
    posts = _posts(realm, faction, mine, WEIGHTS[temper])
    for army in realm.by_rank(mine):
        rows += _Planner(realm, army, WEIGHTS[temper].weak, WEIGHTS[temper], posts.get(army.army)).rows()
    return robot.legal_orders(realm, faction, rows, check)


# Who serves which mission.


@dataclass(frozen=True)
class Post:
    """What a group is to do. `work`: ``go`` (lead a noble there), ``relief`` (of a besieged place)."""

    work: str
    place: Place


def _missions(realm: Field, side: str) -> list[Objective]:
    """The missions of a side that are not done, those that bring most points first."""
    rows = [row for row in realm.objectives if realm.side(row.faction) == side and row.state != "done"]
    return sorted(rows, key=lambda row: (-row.points, natural(row.objective)))


def _posts(realm: Field, faction: str, mine: list[Army], weights: Weights) -> dict[str, Post]:
    """Group -> its post; those without one do as they like."""
    side, posts = realm.side(faction), dict[str, Post]()
    fit = [army for army in mine if not realm.lone(army) and not army.unarmed and not realm.unhired(army)]
    for row in _missions(realm, side):
        place = realm.places.get(row.place)
        if place is None:
            continue
        if row.kind == "reach":
            noble = realm.nobles.get(row.subject)
            if noble is not None and noble.army and noble.faction == faction:
                posts.setdefault(noble.army, Post("go", place))
            continue
        brought, needed = 0, _needed(realm, row, place, side, weights)
        free = [army for army in fit if army.army not in posts or posts[army.army].place is place]
        for army in sorted(free, key=lambda army: (realm.apart(army.node, place.node), natural(army.army))):
            if brought >= needed:
                break
            posts[army.army] = Post("relief", place)
            brought += stack_value(realm, army)
    return posts


def _needed(realm: Field, row: Objective, place: Place, side: str, weights: Weights) -> int:
    """How much value is needed against the besiegers of an own place of a mission; 0 for a place at peace."""
    if row.kind != "hold" or not realm.of_side(place, side):
        return 0
    against = sum(guessed_value(realm, army) for army in realm.active()
                  if army.besieging == place.place and realm.side(army.faction) != side)
    return against * 100 // weights.relief + 1 if against else 0


# What a group does.


@dataclass
class _Planner(GroupPlanner):
    """The orders of one group that has, or has not, a post."""

    weights: Weights = field(default=WEIGHTS["bold"])
    post: Post | None = None

    def _hungry(self, here_only: bool = False) -> list[Row]:
        """Food on the way to its post rather than back where it came from."""
        realm, army = self.realm, self.army
        lacks = need(realm, army) > army.provisions
        if self.post is None or here_only or not lacks or army.node == self.post.place.node:
            return super()._hungry(here_only)
        goal = self.post.place.node
        stores = {place.node: place.place for place in reversed(list(realm.places))
                  if realm.open_to(place, self.side) and place.resources > 0}
        today = self._today(self._path([goal]))
        fed = next((stores[node] for node in (army.node, *today) if node in stores), "")
        if fed:
            return [*self._walk(today), self._row("PROVISION", target=fed)]
        nearer = [node for node in stores if realm.apart(node, goal) <= realm.apart(army.node, goal)]
        if nearer:
            via = min(nearer, key=lambda node: (realm.apart(army.node, node) + realm.apart(node, goal), natural(node)))
            today = self._today(self._path([via]))
            return [*self._walk(today), *([self._row("PROVISION", target=stores[via])] if today[-1:] == [via] else [])]
        return super()._hungry() if army.hungry_days else []

    def chosen(self) -> list[Row]:
        """To where a mission calls a noble; else the weak first, then its post, then what no mission forbids."""
        called = self.post is not None and self.post.work == "go"
        return ((self._serve() if called else []) or self._prey() or self._serve() or self._castle()
                or (self._village() if self._may_sack() else []) or self._companies() or self._wander())

    def _serve(self) -> list[Row]:
        """Go where the post is, or attack who besieges it."""
        if self.post is None:
            return []
        if self.post.work == "relief":
            return self._relieve(self.post.place)
        return self._walk(self._today(self._path([self.post.place.node])))

    def _relieve(self, place: Place) -> list[Row]:
        """Attack who besieges a place of ours once near, else march towards it."""
        foes = [foe for foe in self.realm.active() if foe.besieging == place.place]
        path = self._today(self._path([place.node]))
        if not path:
            return [] if foes else [self._row("HOLD")]
        arrives = path[-1] == place.node
        weak = sum(guessed_value(self.realm, foe) for foe in foes) * 100 <= (
            self.weights.relief * stack_value(self.realm, self.army))
        if arrives and not weak:
            return []
        return self._walk(path, choice="attack") if arrives else self._walk(path)

    def _may_sack(self) -> bool:
        """Whether a mission still counts loot: one's own, or one of the enemy's, who is to find nothing."""
        realm = self.realm
        counting = [row for row in realm.objectives if row.kind == "loot"]
        return any(row.cap is None or realm.factions[row.faction].looted // (row.per or 1) * row.points < row.cap
                   for row in counting if row.faction in realm.factions)
