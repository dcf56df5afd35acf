"""Robots that play for an absent club or in the laboratory, plain or with a temper, from what that club may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.records import Question
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import both
from assistant.rulesets.anarchy.acts import RecruitNumbers
from assistant.rulesets.anarchy.aftermath import NOBLE_VALUE, garrison_value, men_value, stack_value
from assistant.rulesets.anarchy.battle import levy_of
from assistant.rulesets.anarchy.encounters import LOYALTY_TABLE
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import MercenaryNumbers
from assistant.rulesets.anarchy.provisions import composition, need
from assistant.rulesets.anarchy.realm import BANDS, men_of
from assistant.rulesets.anarchy.records import ANGEVIN, NEUTRAL, ROYAL, Army, Objective, Order, Place, Sighting
from assistant.rulesets.anarchy.reorganise import ransom_of
from assistant.turn.orders.taking import OrderCheck, without_refused
from assistant.turn.ruleset import Temper

# --- robot ----------------------------------------------------------------------------------------
# The robot that plays for an absent club, from what that club may know (rulebook: The robot).

OBJECTIVE_REACH, BOLD = 8, 2
"""A castle of a mission is besieged from so many hexes away, by a group that is worth half of the garrison or more."""
SACK_FROM, MONASTIC_FAME = 3, 4
"""Points of resources that make a place worth sacking, and the prestige of a noble who can bear to sack monks."""
PROMISE_TO = 10
"""The largest company to which loot is promised: more than a point a head is rarely to be had."""
STAND_FAST, JOIN_FROM = 80, 120
"""Per cent of the enemy's value from which a group accepts battle, and from which it joins one."""
USUAL_HEADS = 10
FIRM = {ROYAL: 8, ANGEVIN: 2}
"""The loyalty that the robot assumes for a group that has taken sides."""
USUAL_VALUE = NOBLE_VALUE + men_value(composition("norman", USUAL_HEADS))
"""The value of ten Normans and a noble."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Weights:
    """What makes a temper. `weak`: up to which share of its own value, in per cent, a group attacks another;
    `relief`: `weak` against besiegers of an own place.
    """

    weak: int
    relief: int


PLAIN = Weights(weak=70, relief=0)
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


def orders(realm: Field, faction: str, check: OrderCheck, temper: str = "") -> list[Order]:
    """The robot's rows for the day, groups by rank; only rows that pass the checks in its own view."""
    if realm.game.phase in ("opening", "over", "close"):
        return []
    mine = [a for a in realm.active() if a.faction == faction and not realm.is_attached(a)]
    rows, weights = ransoms(realm, faction, mine), WEIGHTS.get(temper, PLAIN)
    posts = _posts(realm, faction, mine, weights) if weights is not PLAIN else {}
    for army in realm.by_rank(mine):
        rows += GroupPlanner(realm, army, weights, posts.get(army.army)).rows()
    made = [Order(order=f"{realm.game.turn}-robot-{faction}-{n}", turn=realm.game.turn, phase="day", faction=faction,
                  note="robot", **row) for n, row in enumerate(rows, 1)]
    return without_refused(realm.campaign, made, check)


def ransoms(realm: Field, faction: str, mine: list[Army]) -> list[Row]:
    """Ransom own nobles if a purse holds twice the price."""
    rows: list[Row] = []
    left = {a.army: a.money for a in mine}
    for noble in realm.nobles:
        if noble.state != "prisoner" or noble.faction != faction:
            continue
        cost = ransom_of(realm, noble)
        payer = next((a for a in realm.by_rank(mine) if left[a.army] >= 2 * cost), None)
        if payer is not None:
            left[payer.army] -= cost
            rows.append({"verb": "RANSOM", "unit": payer.army, "target": noble.noble})
    return rows


@dataclass
class GroupPlanner:
    """The orders of one group: the first rule that yields rows decides. `post`: what a mission wants of it."""

    realm: Field
    army: Army
    weights: Weights
    post: Post | None

    def rows(self) -> list[Row]:
        """Orders for the day; a group that may not fight walks to care or stands."""
        realm, army = self.realm, self.army
        if realm.is_shut_in(army) or realm.is_unhired(army) or realm.escorted_captives(army):
            return []
        if army.besieging:
            return self._hungry(here_only=True) or [self._row("HOLD")]
        if any(p.captor == self.side and p.state == "waiting" and p.node == army.node for p in realm.prisoners):
            return []  # first the captives need an escort
        if any(realm.hurt_men(a) for a in realm.stack(army)) or realm.lone(army) or army.unarmed:
            own = [p.node for p in realm.places if realm.of_side(p, self.side)]
            return self._walk(self._today(self._path(own))) or [self._row("HOLD")]
        return self._hungry() or self.choose() or [self._row("HOLD")]

    def choose(self) -> list[Row]:
        """To where a mission calls a noble; else the weak first, then its post, then what no mission forbids."""
        called = self.post is not None and self.post.work == "go"
        return ((self._serve() if called else []) or self._prey() or self._serve() or self._castle()
                or self._village() or self._companies() or self._wander())

    # --- ways and rules ---------------------------------------------------------------------
    @property
    def side(self) -> str:
        """The group's side."""
        return self.realm.side(self.army.faction)

    def _row(self, verb: str, **more: Any) -> Row:
        return {"verb": verb, "unit": self.army.army, **more}

    def _path(self, goals: Iterable[str]) -> list[str]:
        """The cheapest way to any of some hexes; [] if the group is on one."""
        wanted = set(goals)
        return [] if not wanted or self.army.node in wanted else self.realm.cheapest(self.army.node, wanted)

    def _today(self, path: list[str]) -> list[str]:
        return self.realm.reach(self.army.node, path, self.realm.points_today(self.army))

    def _walk(self, path: list[str], **more: Any) -> list[Row]:
        return [self._row("MOVE", path=" ".join(path), **more)] if path else []

    def _in_a_day(self, node: str) -> list[str]:
        """The way to a hex within today's march; [] if it is too far or the group is there."""
        path = self._path([node])
        return path if self._today(path) == path else []

    def _stores(self) -> dict[str, str]:
        """Hex -> the place there that feeds the group."""
        # reversed, so that of several places on a hex the first is kept
        return {p.node: p.place for p in reversed(list(self.realm.places))
                if self.realm.open_to(p, self.side) and p.resources > 0}

    def _hungry(self, here_only: bool = False) -> list[Row]:
        """(1) A group that lacks tomorrow's food goes where there is some and draws it; on its way to its post, if it
        has one, rather than back where it came from.
        """
        if need(self.realm, self.army) <= self.army.provisions:
            return []
        if self.post is None or here_only or self.army.node == self.post.place.node:
            return self._nearest_food(here_only)
        return self._food_towards(self.post.place.node)

    def _nearest_food(self, here_only: bool = False) -> list[Row]:
        stores = self._stores()
        if self.army.node in stores:
            return [self._row("HOLD"), self._row("PROVISION", target=stores[self.army.node])]
        today = self._today(self._path(stores)) if not here_only else []
        at_end = today and stores.get(today[-1])
        return self._walk(today) + ([self._row("PROVISION", target=at_end)] if at_end else [])

    def _food_towards(self, goal: str) -> list[Row]:
        realm, army, stores = self.realm, self.army, self._stores()
        today = self._today(self._path([goal]))
        fed = next((stores[node] for node in (army.node, *today) if node in stores), "")
        if fed:
            return [*self._walk(today), self._row("PROVISION", target=fed)]
        nearer = [node for node in stores if realm.distance(node, goal) <= realm.distance(army.node, goal)]
        if nearer:
            via = min(nearer,
                      key=lambda node: (realm.distance(army.node, node) + realm.distance(node, goal), natural(node)))
            today = self._today(self._path([via]))
            return [*self._walk(today), *([self._row("PROVISION", target=stores[via])] if today[-1:] == [via] else [])]
        return self._nearest_food() if army.hungry_days else []

    def _prey(self) -> list[Row]:
        """(5) Attack a weaker enemy within the day's march who would stand against us."""
        realm, army = self.realm, self.army
        value = stack_value(realm, army)
        for foe in realm.active():
            hostile = realm.side(foe.faction) == realm.foe(self.side) and not foe.mercenary
            if not hostile or foe.inside or realm.is_attached(foe):
                continue
            firm = FIRM[realm.side(foe.faction)] + sum(realm.modifiers(LOYALTY_TABLE, realm, army, foe).values())
            if BANDS[realm.rules.neutral_band].at(max(1, min(10, firm))) != realm.side(foe.faction):
                continue  # with the assumed loyalty it would not stand against us
            path = self._in_a_day(foe.node)
            if path and guessed_value(realm, foe) * 100 <= self.weights.weak * value:
                return self._walk(path, choice="attack")
        return []

    def _castle(self) -> list[Row]:
        """(6) Besiege a castle that an objective of ours needs."""
        realm, army = self.realm, self.army
        for row in realm.objectives:
            place = realm.places.get(row.place)
            if row.kind != "hold" or place is None or realm.side(row.faction) != self.side:
                continue
            near = realm.distance(army.node, place.node) <= OBJECTIVE_REACH
            if not place.castle or realm.of_side(place, self.side) or not near or not place.holder:
                continue
            # a garrison that it cannot see is taken for a usual group
            guess = garrison_value(realm, place) if place.garrison else USUAL_VALUE
            if guess > BOLD * stack_value(realm, army):
                continue
            path = self._today(self._path([place.node]))
            if path or army.node == place.node:
                siege = [self._row("BESIEGE", target=place.place)] if [army.node, *path][-1] == place.node else []
                return self._walk(path) + siege
        return []

    def _village(self) -> list[Row]:
        """(7) Sack a rich, weakly defended village that is not ours."""
        realm, army = self.realm, self.army
        if self.weights is not PLAIN and not self._may_sack():
            return []
        leader = realm.commander(army)
        for place in realm.places:
            if place.castle or not place.exists or realm.of_side(place, self.side) or place.resources < SACK_FROM:
                continue
            if realm.monastic(place) and (leader is None or leader.prestige < MONASTIC_FAME):
                continue
            if men_value(levy_of(realm, place)) * 2 > stack_value(realm, army):
                continue
            if realm.band(place.loyalty) == NEUTRAL and RecruitNumbers.of(realm).loot_neutral == "no":
                continue
            path = self._in_a_day(place.node)
            if path or army.node == place.node:
                return [*self._walk(path), self._row("SACK", target=place.place)]
        return []

    def _companies(self) -> list[Row]:
        """(8) Hire mercenaries without an employer: pay if the purse allows, else promise loot."""
        realm, army = self.realm, self.army
        if realm.commander(army) is None:
            return []
        for company in realm.active():
            path = self._in_a_day(company.node) if realm.is_unhired(company) else []
            if not path:
                continue
            seen = _last_seen(realm, company)
            heads = realm.heads(company) if company.men else seen.heads if seen is not None else USUAL_HEADS
            if army.money >= 2 * MercenaryNumbers.of(realm).merc_price * heads:
                return [*self._walk(path), self._row("HIRE", target=company.army)]
            if heads <= PROMISE_TO and company.no_promise_to != self.side:
                return [*self._walk(path), self._row("PROMISE", target=company.army, amount=heads)]
        return []

    def _wander(self) -> list[Row]:
        """(9) March towards the nearest own objective."""
        realm = self.realm
        goals = [p.node for row in realm.objectives if realm.side(row.faction) == self.side
                 and (p := realm.places.get(row.place)) is not None]
        path = self._today(self._path(goals))
        open_places = {p.node for p in realm.places if realm.open_to(p, self.side)}
        # better a shorter march that ends in a place which feeds and heals
        while path and path[-1] not in open_places and any(n in open_places for n in path):
            path.pop()
        return self._walk(path)

    # --- missions -------------------------------------------------------------------------------
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


# --- answers ------------------------------------------------------------------------------------
def answer(realm: Field, faction: str, question: Question) -> str:
    """The robot's answer; the question's default if the rulebook page has no rule for it."""
    options = question.options.split(", ")
    army, foe = (realm.armies.get(str(question.asked.get(name, ""))) for name in ("unit", "met"))
    if question.kind == "accept" and army is not None and foe is not None:
        firm = stack_value(realm, army) * 100 >= STAND_FAST * guessed_value(realm, foe)
        return "fight" if firm else "shut_in" if "shut_in" in options else "refuse"
    if question.kind == "join":
        return _join_answer(realm, army, str(question.asked.get("hex", ""))) if army is not None else "no"
    if question.kind == "loot":
        return options[-1]
    if question.kind == "share":
        return str(min(int(question.asked.get("n", 0)), int(question.asked.get("heads", 0))))
    wish = {"hire": "pay", "convoy": "take", "train": "take", "prize": "take"}.get(question.kind)
    return wish if wish in options else question.default


def _join_answer(realm: Field, army: Army, node: str) -> str:
    """A group joins if its side is clearly the stronger; a garrison stays behind its walls."""
    side = realm.side(army.faction)
    near = [a for a in realm.active() if not realm.is_attached(a) and realm.distance(a.node, node) <= 1]
    ours = sum(stack_value(realm, a) for a in near if realm.side(a.faction) == side)
    theirs = sum(guessed_value(realm, a) for a in near if realm.side(a.faction) == realm.foe(side))
    return "yes" if ours * 100 >= JOIN_FROM * theirs else "no"


# --- estimates of what it cannot see ----------------------------------------------------------------
def _last_seen(realm: Field, army: Army) -> Sighting | None:
    return max((s for s in realm.sightings if s.army == army.army), key=lambda s: s.turn, default=None)


def guessed_value(realm: Field, army: Army) -> int:
    """The estimated value of a group: its men if visible, else as it was last seen, else the usual value."""
    if army.men:
        return stack_value(realm, army)
    seen = _last_seen(realm, army)
    if seen is None:
        return USUAL_VALUE
    return men_value(men_of(realm, seen.men).ranks) + NOBLE_VALUE * len(seen.nobles.split())


# --- tempers --------------------------------------------------------------------------------------
# Robots with a temper: which missions they serve and whom they attack, from a view alone.
#
# They work backwards from the missions: a noble who is to reach a place is led there, with food on the way rather than
# behind; a place of a mission that is besieged is relieved; and there is looting only while a mission of either side
# counts it. Loyalty decides meetings, so only those are attacked who would stand against us; own nobles are ransomed.

# Who serves which mission.


@dataclass(frozen=True)
class Post:
    """What a group is to do. `work`: ``go`` (lead a noble there), ``relief`` (of a besieged place)."""

    work: str
    place: Place


def _posts(realm: Field, faction: str, mine: list[Army], weights: Weights) -> dict[str, Post]:
    """Group -> its post, for the missions that bring most points first; those without one do as they like."""
    side, posts = realm.side(faction), dict[str, Post]()
    fit = [army for army in mine if not realm.lone(army) and not army.unarmed and not realm.is_unhired(army)]
    for row in sorted(realm.objectives, key=lambda row: (-row.points, natural(row.objective))):
        place = realm.places.get(row.place)
        if place is None or realm.side(row.faction) != side or row.state == "done":
            continue
        if row.kind == "reach":
            noble = realm.nobles.get(row.subject)
            if noble is not None and noble.army and noble.faction == faction:
                posts.setdefault(noble.army, Post("go", place))
            continue
        brought, needed = 0, _value_needed(realm, row, place, side, weights)
        free = [army for army in fit if army.army not in posts or posts[army.army].place is place]
        for army in sorted(free, key=lambda army: (realm.distance(army.node, place.node), natural(army.army))):
            if brought >= needed:
                break
            posts[army.army] = Post("relief", place)
            brought += stack_value(realm, army)
    return posts


def _value_needed(realm: Field, row: Objective, place: Place, side: str, weights: Weights) -> int:
    """How much value is needed against the besiegers of an own place of a mission; 0 for a place at peace."""
    if row.kind != "hold" or not realm.of_side(place, side):
        return 0
    against = sum(guessed_value(realm, army) for army in realm.active()
                  if army.besieging == place.place and realm.side(army.faction) != side)
    return against * 100 // weights.relief + 1 if against else 0
