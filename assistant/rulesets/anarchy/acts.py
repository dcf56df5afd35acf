"""What a group does on a hex of its march: recruit, sack, besiege and so on (digest 4, 5.6; chapters 10 to 16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.rulesets.anarchy.duels import assault, sack
from assistant.rulesets.anarchy.encounters import attacked
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import Request, army_named, not_done, note, place_named, price
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.realm import ALL, NEUTRAL, Realm, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import Refused, men_of, points, show_ranks
from assistant.rulesets.anarchy.sheets import Place, Siege, Train
from assistant.rulesets.anarchy.tables import RECRUITS
from assistant.rulesets.anarchy.verbs import ACTS, FIGHTING


# --- what must hold wherever it is done -------------------------------------------------------------
def check_act(f: Field, army: Army, request: Request) -> None:
    """Raise `Refused` for an act that cannot be done at all, as the day's orders are read."""
    verb, side = request.verb, f.side(request.faction)
    may_act(f, army, verb)
    if verb == "ATTACK":
        target = army_named(f, request.target)
        if f.unhired(target):
            raise Refused("ANA-505", "target")
        if f.side(target.faction) == side and side != NEUTRAL:
            raise Refused("ANA-404", "target", place=target.army)
    elif verb in ACTS:
        _CHECKS[verb](f, army, place_named(f, request.target), request, side)


def may_act(f: Field, army: Army, verb: str) -> None:
    """Raise `Refused` for who is shut in, and for those who only pass and are to fight or hire (ANA-011, 104)."""
    if f.shut(army):
        raise Refused("ANA-104", "unit", unit=army.army, place=army.inside)
    reason = f.limited(army)
    if reason and verb in FIGHTING:
        raise Refused("ANA-011", "unit", unit=army.army, verb=verb, reason=reason)


def _recruit_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    if place.castle or not (f.with_them(army) or army.knights):
        raise Refused("ANA-403", "target")
    _useful(f, place, side)
    men = men_of(f, request.men)
    light, peasants = RECRUITS[max(0, min(10, place.resources))]
    had = f.recruited.get(place.place, (0, 0))
    free = (max(0, light - had[0]), max(0, peasants - had[1]))
    asked = (men.ranks.get("light", 0), men.ranks.get("peasants", 0))
    unseen = not f.sees_stores(side, place)  # then it is told where the group gets there
    if set(men.ranks) - {"light", "peasants"} or (not unseen and (asked[0] > free[0] or asked[1] > free[1])):
        raise Refused("ANA-402", "men", place=place.place, l=free[0], p=free[1])


def count_recruits(f: Field, request: Request) -> None:
    """Recruits of a place are counted down over the day's rows, in order of their numbers (ANA-402)."""
    place, men = place_named(f, request.target), men_of(f, request.men)
    light, peasants = RECRUITS[max(0, min(10, place.resources))]
    had = f.wanted.get(place.place, (0, 0))
    asked = (had[0] + men.ranks.get("light", 0), had[1] + men.ranks.get("peasants", 0))
    if f.sees_stores(f.side(request.faction), place) and (asked[0] > light or asked[1] > peasants):
        raise Refused("ANA-402", "men", place=place.place, l=max(0, light - had[0]), p=max(0, peasants - had[1]))
    f.wanted[place.place] = asked


def _useful(f: Field, place: Place, side: str) -> None:
    if not f.open_to(place, side):
        level = place.loyalty if place.loyalty is not None else "-"
        raise Refused("ANA-401", "target", place=place.place, l=level, side=side)


def _engineer_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    if place.kind != "town" or not f.open_to(place, side):
        raise Refused("ANA-409", "target")


def _provision_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    _useful(f, place, side)


def _sack_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    if place.castle:
        raise Refused("ANA-405", "target", place=place.place)
    band = f.band(place.loyalty)
    if band == side or (band == NEUTRAL and f.rules.loot_neutral == "no"):
        raise Refused("ANA-404", "target", place=place.place)
    points(request.amount)


def _castle_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    if not place.castle or not place.holder or place.holder == side:
        raise Refused("ANA-408", "target", place=place.place)


def _enter_check(f: Field, army: Army, place: Place, request: Request, side: str) -> None:
    if not place.castle or place.holder != side:
        raise Refused("ANA-413", "target", place=place.place)


_CHECKS: Mapping[str, Callable[[Field, Army, Place, Request, str], None]] = {
    "RECRUIT": _recruit_check, "ENGINEER": _engineer_check, "PROVISION": _provision_check, "SACK": _sack_check,
    "BESIEGE": _castle_check, "ASSAULT": _castle_check, "ENTER": _enter_check,
}


# --- doing them -------------------------------------------------------------------------------------
def acts_here(f: Field, army: Army, wanted: Callable[[Request], bool]) -> None:
    """Carry out the acts that are meant for this hex, in the sequence of the digest."""
    for verb in ACTS:
        for request in f.acts.get(army.army, []):
            if request.verb != verb or request.row.status or not wanted(request):
                continue
            if verb == "ATTACK" and army.army in f.heading:
                continue  # who is met on the march is met by E1 to E6, for which the order was the choice
            if not f.able(army):
                return
            try:
                check_act(f, army, request)
                _DEEDS[verb](f, army, request)
                request.row.status = "accepted"
            except Refused as why:
                request.row.status = "refused"
                not_done(f, request, why)


def _on_hex(f: Field, army: Army, request: Request) -> Place:
    place = place_named(f, request.target)
    if place.node != army.node:
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=place.place, y=place.node)
    return place


def _recruit(f: Field, army: Army, request: Request) -> None:
    """Light foot and peasants for money, as many as the table gives (13.1)."""
    place, men, cost = _on_hex(f, army, request), men_of(f, request.men), price(f, request)
    if cost > army.money:
        raise Refused("ANA-301", "men", need=pounds(cost), unit=army.army, have=pounds(army.money))
    light, peasants = men.ranks.get("light", 0), men.ranks.get("peasants", 0)
    army.light, army.peasants, army.money = army.light + light, army.peasants + peasants, army.money - cost
    had = f.recruited.get(place.place, (0, 0))
    f.recruited[place.place] = (had[0] + light, had[1] + peasants)
    f.tell("recruited", f.own(army.faction), "13.1", touch=[army], group=army.army, men=show_ranks(men.ranks),
           n=pounds(cost), place=place.place)


def _engineer(f: Field, army: Army, request: Request) -> None:
    """An engineer joins the group's train, or makes a new one (10)."""
    place, cost = _on_hex(f, army, request), price(f, request)
    if cost > army.money:
        raise Refused("ANA-301", "unit", need=pounds(cost), unit=army.army, have=pounds(army.money))
    army.money -= cost
    trains = f.led_trains(army)
    if trains:
        train = trains[0]
    else:
        stem = ident = f"T-{place.place}"
        again = 2
        while ident in f.trains:
            ident, again = f"{stem}-{again}", again + 1
        train = f.trains.add(Train(train=ident, faction=army.faction, node=army.node, escort=army.army))
    train.engineers += 1
    f.tell("engineer_hired", f.own(army.faction), "10", touch=[army, train], group=army.army, n=pounds(cost))


def _provision(f: Field, army: Army, request: Request) -> None:
    """Tomorrow's food is drawn now (14.5)."""
    place = _on_hex(f, army, request)
    lacking = need(f, army) - army.provisions
    n = max(0, min(lacking, place.resources))
    if lacking <= 0:
        note(f, request, "ANA-411", "target", unit=army.army, place=place.place)
        return
    if n:
        place.resources -= n
        army.provisions += n
    else:
        note(f, request, "ANA-406", "target", place=place.place)
    f.tell("provisioned", f.own(army.faction), "14.5", touch=[army, place], group=army.army, n=n, place=place.place)


def _attack(f: Field, army: Army, request: Request) -> None:
    """Attack a group that was on the hex already."""
    target = army_named(f, request.target)
    if not target.active or target.node != army.node or target.inside or f.attached(target):
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=target.army, y=target.node)
    if f.side(target.faction) == f.side(army.faction):
        raise Refused("ANA-404", "target", place=target.army)
    attacked(f, army, target, army)


def _sack(f: Field, army: Army, request: Request) -> None:
    """Fight the levy, then loot (13.2, 14.6)."""
    place = _on_hex(f, army, request)
    if place.resources <= 0:
        note(f, request, "ANA-406", "target", place=place.place)
        return
    sack(f, army, place, request.amount)


def _siege_row(f: Realm, place: Place, side: str) -> Siege:
    row = f.sieges.get(place.place) or f.sieges.add(Siege(place=place.place))
    row.besieger, row.started_on, row.days, row.state = side, f.day, 0, "on"
    row.resources_at_start = place.resources
    return row


def _besiege(f: Field, army: Army, request: Request) -> None:
    """Lie down before an enemy castle (16)."""
    place, side = _on_hex(f, army, request), f.side(army.faction)
    strength = sum(f.stack_heads(a) for a in [*f.besiegers(place), army])
    inside = place.garrison + sum(f.stack_heads(a) for a in f.at(place.node) if a.inside == place.place)
    if f.rules.siege_min == "equal" and strength < inside:
        raise Refused("ANA-408", "target", place=place.place)
    touched: list[Army | Siege] = []
    for one in f.stack(army):
        one.besieging = place.place if one.army == army.army else one.besieging
        touched.append(one)
    if not f.besieged(place.place):
        touched.append(_siege_row(f, place, side))
    f.tell("siege_begun", ALL, "16", touch=touched, place=place.place, side=side, group=army.army)


def _assault(f: Field, army: Army, request: Request) -> None:
    """Storm an enemy castle."""
    assault(f, army, _on_hex(f, army, request))


def _enter(f: Field, army: Army, request: Request) -> None:
    """Go into an own castle, at no cost; not while it is besieged (6.7)."""
    place = place_named(f, request.target)
    if place.node != army.node or f.besieged(place.place):
        raise Refused("ANA-413", "target", place=place.place)
    stack = f.stack(army)
    for one in stack:
        one.inside, one.besieging = place.place, ""
    f.tell("entered", ALL, "5.3", touch=stack, unit=army.army, place=place.place)


_DEEDS: Mapping[str, Callable[[Field, Army, Request], None]] = {
    "RECRUIT": _recruit, "ENGINEER": _engineer, "PROVISION": _provision, "ATTACK": _attack, "SACK": _sack,
    "ASSAULT": _assault, "BESIEGE": _besiege, "ENTER": _enter,
}

__all__ = ["acts_here", "check_act", "count_recruits", "may_act"]
