"""Siege day and close: sieges, deliveries, dissolution, stacking, the next day (chapters 8, 15.8, 16).

See rulebook: The close.
"""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Place, Siege
from assistant.rulesets.anarchy.evening.surrender import surrender
from assistant.rulesets.anarchy.orders.columns import CASTLE, ordered
from assistant.rulesets.anarchy.orders.taking import take
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, ANGEVIN, NEUTRAL, ROYAL
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import carry_all


@ordered("SURRENDER", "ARRENDITI", "close", unit=CASTLE, help="Give a castle up.")
def give_up(f: Field, request: Request, castle: Place) -> None:
    """A besieged castle will be handed over at this close."""
    if not f.besieged(castle.place):
        raise Refused("ANA-412", "unit", place=castle.place)
    f.given_up.add(castle.place)


def surrenders(f: Field) -> None:
    """The orders of the evening."""
    carry_all(f, take(f))


# --- sieges (16) ------------------------------------------------------------------------------------
def sieges(realm: Field) -> None:
    """A day for each siege; every second day a point; at nothing, or by order, the place surrenders."""
    for siege in realm.sieges:
        if siege.state != "on":
            continue
        place = realm.places[siege.place]
        if not realm.besiegers(place):
            siege.state = "lifted"
            realm.tell("siege_lifted", ALL, "16", touch=[siege], place=place.place)
            continue
        _one_day(realm, siege, place)
        if place.resources <= 0 or place.place in realm.given_up:
            surrender(realm, siege, place, by_order=place.place in realm.given_up and place.resources > 0)


def _one_day(realm: Field, siege: Siege, place: Place) -> None:
    siege.days += 1
    realm.tell("siege_day", ALL, "16", touch=[siege], place=place.place, d=siege.days)
    if siege.days % realm.rules.siege_days_per_point == 0 and place.resources > 0:
        place.resources -= 1
        realm.tell("siege_day", realm.both(place.holder), "16", touch=[siege, place], place=place.place, d=siege.days,
                   n=place.resources, part="supplies")


# --- captives (15.8) --------------------------------------------------------------------------------
def deliveries(realm: Field) -> None:
    """Captives on the hex of their destination arrive; their escort is free."""
    for record in realm.prisoners:
        goal = realm.places.get(record.destination)
        if record.state not in ("waiting", "escorted") or goal is None or goal.node != record.node:
            continue
        record.state, record.escort, record.place = "delivered", "", goal.place
        realm.tell("delivered", realm.both(ROYAL, ANGEVIN), "15.8", touch=[record], p=record.prisoners,
                   place=goal.place)


# --- stacking (8.1, 8.3) ----------------------------------------------------------------------------
def stacking(realm: Field) -> None:
    """Friends who share a hex at two closes running are merged into the largest."""
    for side in (ROYAL, ANGEVIN):
        for node in sorted({a.node for a in realm.active()}):
            _one_hex(realm, side, node)


def _one_hex(realm: Field, side: str, node: str) -> None:
    groups = [a for a in realm.at(node) if not a.mercenary and realm.side(a.faction) == side and not a.inside
              and not realm.escorted(a) and not realm.lone(a) and not realm.safe(a)]
    if len(groups) < 2:
        for army in groups:
            army.shares_since = None
        return
    due = [a for a in groups if realm.rules.stacking == "end_turn"
           or (a.shares_since is not None and a.shares_since < realm.day)]
    if len(due) >= 2:
        best = min(due, key=lambda a: (-realm.heads(a), natural(a.army)))
        for army in sorted(due, key=lambda a: natural(a.army)):
            if army is not best:
                realm.unite(army, best)
                realm.tell("forced_merge", ALL, "8.1", a=army.army, b=best.army, hex=node)
        _attach_companies(realm, side, node, best)
    left = [a for a in groups if a.active]
    for army in left:
        army.shares_since = (army.shares_since or realm.day) if len(left) > 1 else None


def _attach_companies(realm: Field, side: str, node: str, best: Army) -> None:
    for company in realm.at(node):
        if company.mercenary and realm.side(company.faction) == side and not company.inside and not realm.attached(
                company):
            company.employer = best.army
            realm.tell("attached", realm.own(best.faction), "8.1", touch=[company, best], x=company.army,
                       group=best.army)


# --- the next day -----------------------------------------------------------------------------------
def rearm(realm: Field) -> None:
    """Unarmed men are armed in a village or castle of their side."""
    for army in realm.active():
        side = realm.side(army.faction)
        if army.unarmed and side != NEUTRAL and any(realm.of_side(p, side) for p in realm.places_at(army.node)):
            army.unarmed = False


def next_day(realm: Field) -> None:
    """What holds for one day is over."""
    realm.horsemen()
    hungry = [a for a in realm.armies if a.starving]
    for army in hungry:
        army.starving = False
    realm.tell("day_over", ALL, "6", touch=[*hungry, *realm.armies])
