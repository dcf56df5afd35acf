"""The movement orders of a day, checked before the first step (digest, section 4; ANA-101 to 114)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.hexmap import direction
from assistant.rulesets.anarchy.acts import check_act, count_recruits, may_act
from assistant.rulesets.anarchy.dealing import too_near
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import Request, army_named, follower_named, note, refuse
from assistant.rulesets.anarchy.paces import Unit, cheapest, points_today, reach
from assistant.rulesets.anarchy.realm import NEUTRAL, Realm
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import Refused, hex_of, path_of, points
from assistant.rulesets.anarchy.sheets import Convoy, Place, Train
from assistant.rulesets.anarchy.verbs import ACTS, DEALS, choice_code
from assistant.turn.findings import Where

MEETING = ("attack", "pass", "ask")
"""What a march may say of those whom it meets."""


def unit_row(realm: Realm, ident: str) -> Unit | None:
    """The group, convoy, train or castle of an id."""
    return realm.armies.get(ident) or realm.convoys.get(ident) or realm.trains.get(ident) or realm.places.get(ident)


def sort_orders(f: Field, requests: Iterable[Request]) -> None:
    """Put the day's movement orders where the activations look for them; wrong ones are refused."""
    for request in requests:
        try:
            _sort(f, request)
        except Refused as why:
            refuse(f, request, why)
    warn_of_friends(f)


def _sort(f: Field, request: Request) -> None:
    unit = unit_row(f, request.unit)
    if request.node:
        request.node = hex_of(f, request.node, "node")
    if request.verb in ("MOVE", "HOLD"):
        if request.verb == "MOVE" and unit is not None:
            check_move(f, request, unit)
        f.moves[request.unit] = request
    elif request.verb == "MERCS":
        _check_mercs(f, request)
        f.moves[request.unit] = request
    elif request.verb == "SALLY":
        _check_sally(f, request)
        f.sallies[request.unit] = request
    elif request.verb == "LIFT":
        _check_lift(f, f.armies[request.unit])
        f.lifts[request.unit] = request
    elif isinstance(unit, Army):
        if f.attached(unit):
            raise Refused("ANA-106", "unit", unit=unit.army, employer=unit.employer)
        if request.verb in ACTS:
            check_act(f, unit, request)
            if request.verb == "RECRUIT":
                count_recruits(f, request)
            _advise(f, unit, request)
        elif request.verb in DEALS:
            check_deal(f, unit, request)
        f.acts.setdefault(unit.army, []).append(request)


# --- MOVE -----------------------------------------------------------------------------------------
def check_move(f: Field, request: Request, unit: Unit) -> None:
    """All that can be wrong with a march before it begins."""
    if isinstance(unit, Army):
        if f.attached(unit):
            raise Refused("ANA-106", "unit", unit=unit.army, employer=unit.employer)
        if f.shut(unit):
            raise Refused("ANA-104", "unit", unit=unit.army, place=unit.inside)
    elif isinstance(unit, Convoy):
        if unit.escort:
            raise Refused("ANA-106", "unit", unit=unit.convoy, employer=unit.escort)
        if not unit.driver:
            raise Refused("ANA-107", "unit", unit=unit.convoy)
    elif isinstance(unit, Train):
        if unit.escort:
            raise Refused("ANA-106", "unit", unit=unit.train, employer=unit.escort)
        missing = lacks(f, unit)
        if missing:
            raise Refused("ANA-108", "unit", unit=unit.train, list=", ".join(missing))
    if request.choice and choice_code(request.choice) not in MEETING:
        raise Refused("ANA-901", "choice", x=request.choice, options=", ".join(MEETING))
    way = path_of(f, request.path, unit.node)
    path = resolved(f, request, unit.node)
    if path is None:
        raise Refused("ANA-102", "path", a=unit.node, b=request.path)
    if way.far:
        f.goals[request.unit] = way.hexes[-1]
    else:
        f.ways[request.unit], f.starts[request.unit] = path, unit.node
    if request.path and path:
        _advise_march(f, request, unit, path)


def resolved(f: Field, request: Request, start: str) -> list[str] | None:
    """The hexes of a march; a far goal means the cheapest way, None where there is no way."""
    way = path_of(f, request.path, start)
    if not way.far:
        return way.hexes
    return cheapest(f, start, way.hexes) or None


def todays_way(f: Field, request: Request, unit: Unit) -> list[str]:
    """The ordered march from where the unit stands when its turn comes.

    One that had to give way since the orders were read goes the cheapest way to where its path began, or on
    from the hex of the path on which it stands.
    """
    path = f.ways.get(request.unit)
    if path is None:
        goal = f.goals.get(request.unit, "")
        return cheapest(f, unit.node, [goal]) if goal and goal != unit.node else []
    if unit.node == f.starts.get(request.unit):
        return path
    if unit.node in path:
        return path[path.index(unit.node) + 1:]
    if not path or direction(unit.node, path[0]):
        return path
    return [*cheapest(f, unit.node, [path[0]]), *path[1:]]


def _advise_march(f: Field, request: Request, unit: Unit, path: list[str]) -> None:
    today = points_today(f, unit)
    cost = f.hexes.price(unit.node, path, f.step_cost)
    if request.unit in f.goals:
        note(f, request, "ANA-113", "path", path=" ".join(path), c=cost)
    paid = reach(f, unit.node, path, today)
    end = paid[-1] if paid else unit.node
    if cost > today:
        note(f, request, "ANA-103", "path", c=cost, unit=unit.ident, pm=today, hex=end)
    if isinstance(unit, Army):
        _towards_care(f, unit, end)
        _towards_goal(f, unit, end)


def _towards_care(f: Field, army: Army, end: str) -> None:
    """A group with hurt men may not end farther from care (15.7, ANA-105)."""
    if f.rules.wounded_march != "must" or not any(f.hurt(a) for a in f.stack(army)):
        return
    side = f.side(army.faction)
    now, then = f.nearest_own(side, army.node), f.nearest_own(side, end)
    if now is not None and then is not None and f.apart(end, then.node) > f.apart(army.node, now.node):
        raise Refused("ANA-105", "path", unit=army.army, place=now.place)


def _towards_goal(f: Field, army: Army, end: str) -> None:
    """An escort goes nearer to the captives' destination (ANA-109)."""
    for record in f.escorted(army):
        goal = f.places.get(record.destination)
        if goal is not None and army.node != goal.node and f.apart(end, goal.node) >= f.apart(army.node, goal.node):
            raise Refused("ANA-109", "path", unit=army.army, p=record.prisoners, place=goal.place)


def lacks(realm: Realm, train: Train) -> list[str]:
    """What a train needs before it can move (10)."""
    rules = realm.rules
    small = train.rams + train.galleries + train.mangonels
    oxen = small * int(rules.oxen_per_engine) + train.towers * int(rules.oxen_per_tower)
    missing = []
    if not train.engineers:
        missing.append("an engineer")
    if train.oxen < oxen:
        missing.append("oxen")
    if train.engines and train.peasants < int(rules.train_peasants):
        missing.append("peasants")
    return missing


# --- the others -----------------------------------------------------------------------------------
def _check_mercs(f: Field, request: Request) -> None:
    company, side = f.armies[request.unit], f.side(request.faction)
    if not f.unhired(company):
        raise Refused("ANA-504", "unit", m=company.army, contract=f.contract_shown(company, side))
    if company.moves_next != side:
        raise Refused("ANA-110", "unit", unit=company.army, side=company.moves_next or NEUTRAL)
    if request.path and resolved(f, request, company.node) is None:
        raise Refused("ANA-102", "path", a=company.node, b=request.path)


def _check_sally(f: Field, request: Request) -> None:
    unit = unit_row(f, request.unit)
    place = unit if isinstance(unit, Place) else f.places.get(unit.inside) if isinstance(unit, Army) else None
    if place is None or not f.besieged(place.place):
        raise Refused("ANA-412", "unit", place=place.place if place is not None else request.unit)


def _check_lift(f: Field, army: Army) -> None:
    """A siege is lifted by who lies before a castle (ANA-011, 104, 412)."""
    may_act(f, army, "LIFT")
    place = f.castle_at(army.node)
    if not army.besieging and place is not None and f.besieged(place.place):  # by others, who stay
        raise Refused("ANA-011", "unit", unit=army.army, verb="LIFT", reason="it besieges nothing")
    if not army.besieging:
        raise Refused("ANA-412", "unit", place=place.place if place is not None else army.node)


def check_deal(f: Field, army: Army, request: Request) -> None:
    """HIRE, PROMISE, LURE, BUY, TAKE before they meet whom they mean (ANA-011, 104, 501 to 504, 606)."""
    side = f.side(request.faction)
    may_act(f, army, request.verb)
    if request.verb in ("BUY", "TAKE"):
        row = follower_named(f, request.target)
        if request.verb == "BUY":
            points(request.amount)
            owner = f.side(row.faction)
            if owner not in (side, NEUTRAL):
                raise Refused("ANA-606", "target", c=row.ident, side=owner)
        return
    company = army_named(f, request.target)
    if f.commander(army) is None:
        raise Refused("ANA-501", "unit")
    if request.verb == "LURE":
        near = too_near(f, company)
        if company.contract == "none" or f.side(company.faction) == side:
            raise Refused("ANA-504", "target", m=company.army, contract=f.contract_shown(company, side))
        if near is not None:
            raise Refused("ANA-503", "target", x=near.army, n=f.apart(near.node, company.node), m=company.army,
                          d=int(f.rules.lure_distance))
        return
    if not f.unhired(company):
        raise Refused("ANA-504", "target", m=company.army, contract=f.contract_shown(company, side))
    if request.verb == "PROMISE":
        points(request.amount)
        if company.no_promise_to == side:
            raise Refused("ANA-502", "target", m=company.army, side=side)


def _advise(f: Field, army: Army, request: Request) -> None:
    """What an act costs, or will not bring (ANA-406, 410)."""
    if request.verb != "SACK":
        return
    place = next((p for p in f.places if request.target in (p.place, p.name)), None)
    leader = f.commander(army)
    if place is None:
        return
    if place.resources <= 0 and f.sees_stores(f.side(request.faction), place):
        note(f, request, "ANA-406", "target", place=place.place)
    elif leader is not None:
        loss = f.rules.prestige_loot_monastic if f.monastic(place) else f.rules.prestige_loot_village
        note(f, request, "ANA-410", "target", place=place.place, noble=leader.noble, n=-int(loss))


def warn_of_friends(f: Field) -> None:
    """Friends who shared a hex at the last close will be merged if none of them leaves (ANA-112)."""
    groups = [a for a in f.active() if not a.mercenary and not a.inside and f.side(a.faction) != NEUTRAL
              and a.shares_since is not None]
    for army in groups:
        for other in groups:
            both_stay = not any(u in f.moves and f.moves[u].verb == "MOVE" for u in (army.army, other.army))
            if army.army < other.army and army.node == other.node and f.side(army.faction) == f.side(
                    other.faction) and both_stay:
                f.game.find("ANA-112", Where(Army.sheet, army.army, "node"), army.faction, a=army.army, b=other.army,
                            hex=army.node)


__all__ = ["check_deal", "check_move", "lacks", "resolved", "sort_orders", "todays_way", "unit_row"]
