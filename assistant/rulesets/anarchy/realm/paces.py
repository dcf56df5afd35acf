"""How far a unit goes in a day, which way, and who marches before whom (chapters 6, 8.3).

See rulebook: 6 The turn, 8.3 Movement.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.order import natural
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Convoy, Place, Train
from assistant.rulesets.anarchy.book.tables import SEASON_MOVE
from assistant.rulesets.anarchy.book.throws import MARCHING_FIRST
from assistant.rulesets.anarchy.realm.realm import NEUTRAL, Realm
from assistant.turn.throws.dice import PUBLIC

Unit = Army | Convoy | Train | Place


def season(realm: Realm) -> str:
    """The season in force; one that was rolled stands in the opening's event."""
    if realm.rules.season != "roll":
        return realm.rules.season
    told = [e for e in realm.events if e.event == "season"]
    known = [word for event in told if (word := str(event.data.get("season", ""))) in SEASON_MOVE]
    return known[-1] if known else "summer"


def rides(army: Army) -> bool:
    """Whether there are only knights and nobles: a counter that all see."""
    return army.men == army.knights


def horsemen(realm: Realm) -> list[Army]:
    """Put the cavalry counters where there are only knights; returns all groups."""
    for army in realm.armies:
        army.cavalry = army.active and army.men > 0 and rides(army)
    return list(realm.armies)


def base_points(realm: Realm, army: Army) -> int:
    """Daily march of one group, without what follows it."""
    rules = realm.rules
    if realm.lone(army):
        return rules.move_lone_noble
    return int(rules.move_cavalry if rides(army) and army.men else rules.move_foot)


def points_today(realm: Realm, unit: Unit) -> int:
    """Movement points of a unit today, in sequence (rulebook: 8.3 Movement)."""
    rules = realm.rules
    if isinstance(unit, Place):
        return 0
    if isinstance(unit, Convoy):
        return seasonal(realm, rules.move_convoy)
    if isinstance(unit, Train):
        return seasonal(realm, rules.engine_move)
    members = realm.stack(unit)
    bases = [base_points(realm, a) for a in members]
    bases += [rules.move_convoy] * len(realm.led_convoys(unit))
    bases += [rules.engine_move] * len(realm.led_trains(unit))
    bases += [rules.move_foot] * len(realm.escorted(unit))
    found = seasonal(realm, min(bases))
    if any(realm.hurt(a) for a in members):
        found = max(1 if rules.wounded_floor == "min1" else 0, found + rules.wounded_move)
    if any(a.starving for a in members):
        found = max(1, found * rules.hunger_move // 100)
    return found


def seasonal(realm: Realm, base: int) -> int:
    """Movement points after the season, at least 1."""
    if realm.rules.season_scope == "foot" and base > realm.rules.move_foot:
        return base
    return max(1, base + SEASON_MOVE[season(realm)])


def cheapest(realm: Realm, start: str, goals: Iterable[str]) -> list[str]:
    """The cheapest way to the best of some hexes: least cost, fewest hexes, smallest codes; [] for none."""
    return list(realm.hexes.way(start, goals, realm.step_cost))


def reach(realm: Realm, start: str, path: Iterable[str], points: int) -> list[str]:
    """The part of a path that the points pay for."""
    found, here = [], start
    for there in path:
        cost = realm.step_cost(here, there)
        if cost is None or cost > points:
            break
        points -= cost
        found.append(there)
        here = there
    return found


# --- the order of march -------------------------------------------------------------------------
@dataclass(frozen=True)
class Marcher:
    """One unit in the order of march: how it is sorted."""

    unit: str
    noble: bool
    prestige: int
    heads: int


def order_of_march(realm: Realm, sallying: Iterable[str]) -> list[str]:
    """Ids of all units in the order in which they are activated today, fixed at the start (M2).

    `sallying`: castles whose garrison has the order SALLY.
    """
    entries = [Marcher(a.army, realm.commander(a) is not None, realm.prestige(a), realm.stack_heads(a))
               for a in realm.active() if not realm.attached(a)]
    for ident in sallying:
        place = realm.places[ident]
        lords = realm.in_garrison(place)
        best = max((n.prestige for n in lords), default=-1)
        entries.append(Marcher(ident, bool(lords), best, place.garrison + len(lords)))
    led = _sorted(realm, [e for e in entries if e.noble], by_prestige=True)
    others = _sorted(realm, [e for e in entries if not e.noble], by_prestige=False)
    trains = [t.train for t in realm.trains if t.state == "active" and not t.escort]
    convoys = [c.convoy for c in realm.convoys if c.state == "active" and not c.escort]
    return [*led, *others, *trains, *convoys]


def _sorted(realm: Realm, entries: list[Marcher], by_prestige: bool) -> list[str]:
    def level(entry: Marcher) -> tuple[int, int]:
        heads = entry.heads if realm.rules.order_tie == "larger" or not by_prestige else 0
        return (-entry.prestige if by_prestige else 0, -heads)

    groups: dict[tuple[int, int], list[Marcher]] = {}
    for entry in sorted(entries, key=lambda e: natural(e.unit)):
        groups.setdefault(level(entry), []).append(entry)
    found = []
    for key in sorted(groups):
        tied = groups[key]
        if len(tied) > 1:
            dice = {e.unit: realm.throw(MARCHING_FIRST, PUBLIC, e.unit).total for e in tied}
            tied = sorted(tied, key=lambda e: (-dice[e.unit], natural(e.unit)))
        found += [e.unit for e in tied]
    return found


def march_targets(realm: Realm, company: Army) -> list[Army]:
    """The nearest Norman groups of either side to unhired mercenaries, by id; several where equally near."""
    groups = [a for a in realm.active() if not a.mercenary and realm.side(a.faction) != NEUTRAL
              and not a.inside and not realm.lone(a)]
    near = min((realm.apart(company.node, a.node) for a in groups), default=99)
    return [a for a in groups if realm.apart(company.node, a.node) == near]
