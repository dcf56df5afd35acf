"""Garrisons: men in and out of castles, and the refill of a castle under five (digest 5.3; chapter 5.3)."""

from __future__ import annotations

from assistant.rulesets.anarchy.change import count, fit, keep_core
from assistant.rulesets.anarchy.moving_men import hurt_among
from assistant.rulesets.anarchy.orders import Request, place_named
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import RISING, Army
from assistant.rulesets.anarchy.references import Refused, men_of, show_ranks
from assistant.rulesets.anarchy.sheets import Place
from assistant.rulesets.anarchy.verbs import choice_code
from assistant.turn.findings import Where


def castle_meant(realm: Realm, army: Army, request: Request) -> tuple[Place, str]:
    """The castle of a GARRISON, and ``in`` or ``out``. Raises `Refused` (ANA-002, 009, 206, 210, 407, 901)."""
    place = place_named(realm, request.target)
    way = choice_code(request.choice) if request.choice else "in"
    if way not in ("in", "out"):
        raise Refused("ANA-901", "choice", x=request.choice, options="in, out")
    if not place.castle or place.holder != realm.side(army.faction) or place.node != army.node:
        raise Refused("ANA-206", "target", place=place.place)
    if realm.besieged(place.place):
        raise Refused("ANA-210", "target", place=place.place)
    return place, way


def garrison(realm: Realm, request: Request) -> None:
    """GARRISON: men go into an own castle on the hex, or come out of it as long as five stay."""
    army = realm.armies[request.unit]
    place, way = castle_meant(realm, army, request)
    men = men_of(realm, request.men)
    if way == "in":
        hurt = hurt_among(realm, army, men)
        staying = realm.heads(army) - men.total
        if 0 < staying < int(realm.rules.group_min):
            raise Refused("ANA-201", "men", unit=army.army, n=staying, min=int(realm.rules.group_min))
        for row in hurt:
            row.army, row.place = "", place.place
    else:
        hurt = []
        free = max(0, place.garrison - int(realm.rules.garrison_min))
        if men.total > free:
            raise Refused("ANA-205", "men", place=place.place, min=int(realm.rules.garrison_min), n=free)
        hurt_among(realm, place, men)
    sign = 1 if way == "in" else -1
    for rank, n in men.ranks.items():
        setattr(army, rank, count(army, rank) - sign * n)
        setattr(place, f"g_{rank}", count(place, rank) + sign * n)
    keep_core(realm, army)
    realm.tell("garrison", realm.own(army.faction), "5.3", touch=[army, place, *hurt], men=show_ranks(men.ranks),
               place=place.place, n=place.garrison, way=way)


def refill(realm: Realm) -> None:
    """A held castle under five takes men from own groups on its hex, or the referee is warned."""
    least = int(realm.rules.garrison_min)
    for place in realm.places:
        if not place.castle or not place.exists or not place.holder or place.garrison >= least:
            continue
        if realm.besieged(place.place):
            continue
        side = place.holder
        if realm.rules.garrison_refill == "auto":
            for army in [a for a in realm.at(place.node) if not a.mercenary and realm.side(a.faction) == side
                         and not a.unarmed]:
                _give(realm, army, place, least)
        if place.garrison < least:
            realm.game.find("ANA-208", Where(Place.sheet, place.place, "g_knights"), realm.wardens(place)[0],
                            place=place.place, n=place.garrison, min=least)


def _give(realm: Realm, army: Army, place: Place, least: int) -> None:
    """Men in rising rank, hurt ones never, as long as the group keeps three heads."""
    given: dict[str, int] = {}
    for rank in RISING:
        while place.garrison < least and fit(realm, army, rank) and realm.heads(army) > int(realm.rules.group_min):
            setattr(army, rank, count(army, rank) - 1)
            setattr(place, f"g_{rank}", count(place, rank) + 1)
            given[rank] = given.get(rank, 0) + 1
    if given:
        keep_core(realm, army)
        realm.tell("garrison", realm.own(army.faction), "5.3", touch=[army, place], men=show_ranks(given),
                   place=place.place, n=place.garrison, way="in")


__all__ = ["castle_meant", "garrison", "refill"]
