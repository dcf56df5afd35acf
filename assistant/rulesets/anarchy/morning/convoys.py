"""Convoys and transfers: resources between places and pack animals (rulebook: 12 Convoys; chapter 12)."""

from __future__ import annotations

from assistant.rulesets.anarchy.book.sheets import NEUTRAL, Army, Convoy, Place, Train
from assistant.rulesets.anarchy.orders import Unit, a_place, ordered, same_hex, take
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.orders.columns import Note
from assistant.turn.orders.named import NewCode, Points
from assistant.turn.orders.request import Request, refuse_if
from assistant.turn.orders.taking import carry_all, judged


# --- neutral carriers -----------------------------------------------------------------------------
def shuttles(realm: Field) -> None:
    """At their goal they unload and turn home, at home they load and turn to the goal."""
    for convoy in _shuttling(realm):
        goal, home = realm.places.get(convoy.goal), realm.places.get(convoy.home)
        if goal is not None and convoy.node == goal.node and convoy.heading != "home":
            convoy.heading, n = "home", min(convoy.cargo, realm.rules.resources_max - goal.resources)
            _carry(realm, convoy, goal, -max(0, n) if _within_reach(realm, goal) else 0, "unloads")
        elif home is not None and convoy.node == home.node:
            convoy.heading, n = "goal", min(convoy.animals - convoy.cargo, home.resources - 1)
            _carry(realm, convoy, home, max(0, n) if _within_reach(realm, home) else 0, "loads")


def _shuttling(realm: Field) -> list[Convoy]:
    return [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) == NEUTRAL and not c.escort]


def _within_reach(realm: Field, place: Place) -> bool:
    return place.exists and not realm.besieged(place.place)


def _carry(realm: Field, convoy: Convoy, place: Place, n: int, work: str) -> None:
    """Points go into a convoy (n above 0) or out of it."""
    convoy.cargo += n
    place.resources -= n
    audience = realm.own(convoy.faction) if realm.side(convoy.faction) != NEUTRAL else realm.here(convoy.node)
    realm.tell("convoy_work", audience, "12", touch=[convoy, place], c=convoy.convoy, work=work, n=abs(n),
               place=place.place)


# --- orders ---------------------------------------------------------------------------------------
def friendly(f: Field, request: Request, place: Place, field: str) -> None:
    """A castle held, a village open to the side; a neutral village needs an own group (ANA-603)."""
    side = f.side(request.faction)
    good = f.open_to(place, side)
    if good and not place.castle and f.band(place.loyalty) == NEUTRAL:
        good = any(f.side(a.faction) == side for a in f.at(place.node))
    refuse_if(not good or f.besieged(place.place), "ANA-603", field, place=place.place)


def met(f: Field, request: Request, place: Place, field: str) -> None:
    """The convoy is there (ANA-203)."""
    same_hex(f.convoys[request.unit], place, field)


CONVOY = Unit((Convoy,))
STORES = a_place(met, friendly)


def _in_a_day(f: Field, convoy: Convoy, place: Place, n: int) -> int:
    """What was moved between them today, where so much more is not too much (ANA-602)."""
    done = f.carried.get((convoy.convoy, place.place), 0)
    refuse_if(n + done > f.rules.convoy_transfer, "ANA-602", "amount", n=f.rules.convoy_transfer)
    return done


def _unsure(f: Field, place: Place) -> bool:
    """Whether nobody knows yet what the place will have: neutral carriers come first, and show their load to few."""
    return f.game.dice.shut and any(c.node == place.node and place.place in (c.goal, c.home) for c in _shuttling(f))


def _in_store(f: Field, place: Place, n: int) -> None:
    """The place has so many points (ANA-604)."""
    refuse_if(n > place.resources and not _unsure(f, place), "ANA-604", "amount", place=place.place, n=place.resources)


@ordered("UNLOAD", "SCARICA", "convoys", unit=CONVOY, target=STORES, amount=Points(),
         help="Unload points from a convoy at a place.")
def unload(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Up to five points a day, never above what a place holds (ANA-605)."""
    done, n = _in_a_day(f, convoy, place, wanted), min(wanted, max(0, f.rules.resources_max - place.resources))
    refuse_if(wanted > convoy.cargo, "ANA-604", "amount", place=convoy.convoy, n=convoy.cargo)
    if n < wanted and not _unsure(f, place):
        request.find(f, "ANA-605", "amount", place=place.place, n=n, max=f.rules.resources_max)
    f.carried[convoy.convoy, place.place] = n + done
    _carry(f, convoy, place, -n, "unloads")
    if n and f.of_side(place, f.side(convoy.faction)):
        f.factions[convoy.faction].delivered += n


@ordered("LOAD", "CARICA", "convoys", unit=CONVOY, target=STORES, amount=Points(),
         help="Load points from a place into a convoy.")
def load(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Up to five points a day and what the animals carry (ANA-601)."""
    done = _in_a_day(f, convoy, place, wanted)
    refuse_if(convoy.cargo + wanted > convoy.animals, "ANA-601", "amount", c=convoy.convoy, n=convoy.animals)
    _in_store(f, place, wanted)
    f.carried[convoy.convoy, place.place] = wanted + done
    _carry(f, convoy, place, wanted, "loads")


@ordered("CONVOY", "CONVOGLIO", "convoys",
         unit=NewCode((Army, Convoy, Train, Place), taken="ANA-207", like="C-NEW", late=True), target=a_place(),
         amount=Points(late=True), note=Note(), help="Make a convoy (unit: its id) at a place.")
def make(f: Field, request: Request, place: Place) -> None:
    """A new convoy with an animal for each point and a driver; one a place a day."""
    ident = judged(f, request, "unit")
    friendly(f, request, place, "target")
    wanted = judged(f, request, "amount")
    most = min(f.rules.convoy_animals, f.rules.convoy_transfer)
    refuse_if(place.place in f.made, "ANA-602", "target", n=most)
    refuse_if(wanted > f.rules.convoy_animals, "ANA-601", "amount", c=ident, n=f.rules.convoy_animals)
    refuse_if(wanted > most, "ANA-602", "amount", n=most)
    _in_store(f, place, wanted)
    convoy = f.convoys.add(Convoy(convoy=ident, name=request.note, faction=request.faction, node=place.node,
                                  animals=max(1, wanted), driver=1, state="active"))
    f.made.add(place.place)
    _carry(f, convoy, place, wanted, "made")


def convoys(f: Field) -> None:
    """What is unloaded, then LOAD and CONVOY in one row by number: the later one overdraws (rulebook: Orders)."""
    requests = take(f)
    carry_all(f, requests, unload)
    carry_all(f, requests, load, make)
