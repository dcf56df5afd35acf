"""Garrisons: men in and out of castles, and the refill of a castle under five (chapter 5.3).

See rulebook: Reorganisation.
"""

from __future__ import annotations

from assistant.rulesets.anarchy.book.records import RISING, Army
from assistant.rulesets.anarchy.book.sheets import Place, Wounded
from assistant.rulesets.anarchy.orders.columns import GROUP, MenOf, a_place, one_of, ordered
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.references import Men, show_ranks
from assistant.turn.findings import Where
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import judged


def castle_meant(f: Field, army: Army, place: Place) -> None:
    """An own castle on the hex that nobody lies before. Raises `Refused` (ANA-206, 210)."""
    if not place.castle or place.holder != f.side(army.faction) or place.node != army.node:
        raise Refused("ANA-206", "target", place=place.place)
    if f.besieged(place.place):
        raise Refused("ANA-210", "target", place=place.place)


@ordered("GARRISON", "GUARNIGIONE", "reorganise", unit=GROUP, target=a_place(), men=MenOf(late=True),
         choice=one_of("in", "out", otherwise="in", blank=True),
         help="Put men into an own castle, or take them out: in, out.")
def garrison(f: Field, request: Request, army: Army, place: Place, way: str) -> None:
    """Men go into an own castle on the hex, or come out of it as long as five stay."""
    castle_meant(f, army, place)
    men: Men = judged(f, request, "men")
    if way == "in":
        hurt = f.hurt_among(army, men)
        f.stays_a_group(army, f.heads(army) - men.total)
        for row in hurt:
            row.army, row.place = "", place.place
    else:
        hurt, least = [], f.rules.garrison_min
        free = max(0, place.garrison - least)
        if men.total > free:
            raise Refused("ANA-205", "men", place=place.place, min=least, n=free)
        f.hurt_among(place, men)
    sign = 1 if way == "in" else -1
    for rank, n in men.ranks.items():
        army.gain(rank, -sign * n)
        place.gain(rank, sign * n)
    _told(f, army, place, men.ranks, way, hurt)


def _told(f: Field, army: Army, place: Place, men: dict[str, int], way: str, hurt: list[Wounded]) -> None:
    f.keep_core(army)
    f.tell("garrison", f.own(army.faction), "5.3", touch=[army, place, *hurt], men=show_ranks(men),
           place=place.place, n=place.garrison, way=way)


def refill(f: Field) -> None:
    """A held castle under five takes men from own groups on its hex."""
    for place in _weak(f) if f.rules.garrison_refill == "auto" else []:
        for army in f.at(place.node):
            if not army.mercenary and f.side(army.faction) == place.holder and not army.unarmed:
                _give(f, army, place, f.rules.garrison_min)


def warn_of_weak(f: Field) -> None:
    """Castles that are still under five (ANA-208)."""
    for place in _weak(f):
        f.game.find("ANA-208", Where(Place.sheet, place.place, "g_knights"), f.wardens(place)[0], place=place.place,
                    n=place.garrison, min=f.rules.garrison_min)


def _weak(f: Field) -> list[Place]:
    return [p for p in f.places if p.castle and p.exists and p.holder and p.garrison < f.rules.garrison_min
            and not f.besieged(p.place)]


def _give(realm: Field, army: Army, place: Place, least: int) -> None:
    """Men in rising rank, hurt ones never, as long as the group keeps three heads."""
    given: dict[str, int] = {}
    for rank in RISING:
        while place.garrison < least and realm.fit(army, rank) and realm.heads(army) > realm.rules.group_min:
            army.gain(rank, -1)
            place.gain(rank, 1)
            given[rank] = given.get(rank, 0) + 1
    if given:
        _told(realm, army, place, given, "in", [])
