"""Convoys and transfers: resources between places and pack animals (digest 5.5; chapter 12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from assistant.rulesets.anarchy.orders import Request, carry_out, note, place_named, take
from assistant.rulesets.anarchy.realm import NEUTRAL, Realm
from assistant.rulesets.anarchy.references import Refused, points
from assistant.rulesets.anarchy.sheets import Convoy, Place
from assistant.rulesets.anarchy.verbs import fold
from assistant.turn.game import Game


class Work:
    """What was carried today: points by convoy and place, convoys made by place."""

    def __init__(self) -> None:
        self.moved: dict[tuple[str, str], int] = {}
        self.made: set[str] = set()


def convoys(game: Game) -> None:
    """Neutral carriers first, then UNLOAD, LOAD and CONVOY by order number."""
    realm = Realm(game)
    shuttles(realm)
    carry(realm)


def carry(realm: Realm) -> None:
    """The day's orders: what is unloaded, then what leaves the places, in one row by order number.

    LOAD and CONVOY count the same resources down, so that the order that overdraws is the later one (digest, 4).
    """
    work, requests = Work(), take(realm, "convoys")
    for request in sorted(requests, key=lambda r: r.verb != "UNLOAD"):
        carry_out(realm, request, partial(DEEDS[request.verb], work=work))


# --- neutral carriers -----------------------------------------------------------------------------
def shuttles(realm: Realm) -> None:
    """At their goal they unload and turn home, at home they load and turn to the goal."""
    for convoy in realm.convoys:
        ends = {"goal": realm.places.get(convoy.goal), "home": realm.places.get(convoy.home)}
        if convoy.state != "active" or realm.side(convoy.faction) != NEUTRAL or convoy.escort:
            continue
        goal, home = ends["goal"], ends["home"]
        if goal is not None and convoy.node == goal.node and convoy.heading != "home":
            room = max(0, int(realm.rules.resources_max) - goal.resources)
            n = min(convoy.cargo, room) if goal.exists and not realm.besieged(goal.place) else 0
            convoy.heading = "home"
            _carry(realm, convoy, goal, -n, "unloads")
        elif home is not None and convoy.node == home.node:
            n = max(0, min(convoy.animals - convoy.cargo, home.resources - 1))
            n = n if home.exists and not realm.besieged(home.place) else 0
            convoy.heading = "goal"
            _carry(realm, convoy, home, n, "loads")


def _carry(realm: Realm, convoy: Convoy, place: Place, n: int, work: str) -> None:
    """Points go into a convoy (n above 0) or out of it."""
    convoy.cargo += n
    place.resources -= n
    audience = realm.own(convoy.faction) if realm.side(convoy.faction) != NEUTRAL else realm.here(convoy.node)
    realm.tell("convoy_work", audience, "12", touch=[convoy, place], c=convoy.convoy, work=work, n=abs(n),
               place=place.place)


# --- orders ---------------------------------------------------------------------------------------
def _friendly(realm: Realm, place: Place, faction: str) -> None:
    """A castle held, a village open to the side; a neutral village needs an own group (ANA-603)."""
    side = realm.side(faction)
    good = realm.open_to(place, side)
    if good and not place.castle and realm.band(place.loyalty) == NEUTRAL:
        good = any(realm.side(a.faction) == side for a in realm.at(place.node))
    if not good or realm.besieged(place.place):
        raise Refused("ANA-603", "target", place=place.place)


def _amount(realm: Realm, request: Request, work: Work, key: tuple[str, str]) -> int:
    wanted = points(request.amount) or 0
    most = int(realm.rules.convoy_transfer)
    if wanted + work.moved.get(key, 0) > most:
        raise Refused("ANA-602", "amount", n=most)
    return wanted


def _meeting(realm: Realm, request: Request) -> tuple[Convoy, Place]:
    convoy, place = realm.convoys[request.unit], place_named(realm, request.target)
    if convoy.node != place.node:
        raise Refused("ANA-203", "target", a=convoy.convoy, x=convoy.node, b=place.place, y=place.node)
    _friendly(realm, place, request.faction)
    return convoy, place


def unload(realm: Realm, request: Request, work: Work) -> None:
    """UNLOAD: up to five points a day, never above what a place holds (ANA-605)."""
    convoy, place = _meeting(realm, request)
    wanted = _amount(realm, request, work, (convoy.convoy, place.place))
    if wanted > convoy.cargo:
        raise Refused("ANA-604", "amount", place=convoy.convoy, n=convoy.cargo)
    room = max(0, int(realm.rules.resources_max) - place.resources)
    n = min(wanted, room)
    if n < wanted:
        note(realm, request, "ANA-605", "amount", place=place.place, n=n, max=int(realm.rules.resources_max))
    work.moved[convoy.convoy, place.place] = work.moved.get((convoy.convoy, place.place), 0) + n
    _carry(realm, convoy, place, -n, "unloads")
    if n and realm.of_side(place, realm.side(convoy.faction)):
        faction = realm.factions[convoy.faction]
        faction.delivered += n


def load(realm: Realm, request: Request, work: Work) -> None:
    """LOAD: up to five points a day and what the animals carry (ANA-601)."""
    convoy, place = _meeting(realm, request)
    wanted = _amount(realm, request, work, (convoy.convoy, place.place))
    if convoy.cargo + wanted > convoy.animals:
        raise Refused("ANA-601", "amount", c=convoy.convoy, n=convoy.animals)
    if wanted > place.resources:
        raise Refused("ANA-604", "amount", place=place.place, n=place.resources)
    work.moved[convoy.convoy, place.place] = work.moved.get((convoy.convoy, place.place), 0) + wanted
    _carry(realm, convoy, place, wanted, "loads")


def make(realm: Realm, request: Request, work: Work) -> None:
    """CONVOY: a new convoy with an animal for each point and a driver; one a place a day."""
    ident, place = request.unit, place_named(realm, request.target)
    taken = {fold(r.ident) for table in (realm.armies, realm.convoys, realm.trains, realm.places) for r in table}
    if fold(ident) in taken:
        raise Refused("ANA-207", "unit", x=ident)
    _friendly(realm, place, request.faction)
    wanted = points(request.amount) or 0
    most = min(int(realm.rules.convoy_animals), int(realm.rules.convoy_transfer))
    if place.place in work.made:
        raise Refused("ANA-602", "target", n=most)
    if wanted > int(realm.rules.convoy_animals):
        raise Refused("ANA-601", "amount", c=ident, n=int(realm.rules.convoy_animals))
    if wanted > most:
        raise Refused("ANA-602", "amount", n=most)
    if wanted > place.resources:
        raise Refused("ANA-604", "amount", place=place.place, n=place.resources)
    convoy = realm.convoys.add(Convoy(convoy=ident, name=request.note, faction=request.faction, node=place.node,
                                      animals=max(1, wanted), driver=1, state="active"))
    work.made.add(place.place)
    _carry(realm, convoy, place, wanted, "made")


DEEDS: Mapping[str, Callable[..., None]] = {"UNLOAD": unload, "LOAD": load, "CONVOY": make}
"""What each verb of this phase does."""

__all__ = ["carry", "convoys", "shuttles"]
