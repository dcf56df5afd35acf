"""Ransoms: money against nobles (rulebook: Ransom; chapter 15.8)."""

from __future__ import annotations

from functools import partial

from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Noble, Prisoners
from assistant.rulesets.anarchy.morning.escorts import free_guards, returned
from assistant.rulesets.anarchy.orders.columns import GROUP, ordered
from assistant.rulesets.anarchy.orders.taking import take
from assistant.rulesets.anarchy.realm.asking_referee import rule_in_words
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, Realm, pounds
from assistant.rulesets.anarchy.realm.references import hex_of
from assistant.turn.orders.named import Named, named
from assistant.turn.orders.purses import Cost
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import carry_all, price
from assistant.turn.texts import N_


def captive(f: Field, request: Request, noble: Noble, field: str) -> None:
    """A noble of the payer's side in the other's hands (ANA-701)."""
    if noble.state != "prisoner" or f.side(noble.faction) != f.side(f.armies[request.unit].faction):
        raise Refused("ANA-701", field, noble=noble.noble)


def _ransom(f: Field, request: Request) -> int:
    noble: Noble = named(f.nobles, request.target, "target")
    return 2 * f.rules.ransom_per_prestige * noble.prestige


@ordered("RANSOM", "RISCATTO", "ransoms", also=("ransoms",), unit=GROUP, target=Named((Noble,), then=(captive,)),
         cost=Cost("ransom_per_prestige", told=N_("for each point of prestige"), reckoned=_ransom),
         help="Buy a noble free.")
def ransom(f: Field, request: Request, payer: Army, noble: Noble) -> None:
    """A noble is bought free and leaves with two knights."""
    record = f.prisoners.get(noble.held_in)
    node = record.node if record is not None and record.node else _held_at(f, noble, payer)
    if f.rules.ransom_reach == "same_hex" and payer.node != node:
        raise Refused("ANA-203", "unit", a=payer.army, x=payer.node, b=noble.noble, y=node)
    cost, have = price(f, request), f.purses.get(payer.army, 0)
    if cost > have:
        raise Refused("ANA-301", "unit", need=pounds(cost), unit=payer.army, have=pounds(have))
    payer.money -= cost
    f.purses[payer.army] = have - cost
    taker = _taker(f, record, noble.captor)
    if taker is not None:
        taker.money += cost
    group = returned(f, noble, node)
    _mount(f, group, record, node, f.rules.ransom_knights)
    free_guards(f)
    group.safe_on = f.day
    f.touch(payer, *([taker] if taker is not None else []))
    f.tell("ransomed", ALL, "15.8", noble=noble.noble, n=pounds(cost), group=group.army,
           to=taker.army if taker is not None else "", halves=cost)


def ransoms(f: Field) -> None:
    """By order number; what a purse gains today does not pay a ransom of today."""
    f.purses = {a.army: a.money for a in f.armies}
    carry_all(f, take(f))


def _held_at(realm: Realm, noble: Noble, payer: Army) -> str:
    """Where a captive without a record is held: his place, else the captor's nearest, else by ruling."""
    row = realm.places.get(noble.place) or realm.nearest_own(noble.captor, payer.node)
    return row.node if row is not None else rule_in_words(realm, noble.noble, partial(_hex, realm), "held",
                                                                      x=noble.noble)


def _hex(realm: Realm, text: str) -> str:
    try:
        return hex_of(realm, text, "answer")
    except Refused:
        return ""


def _taker(realm: Realm, record: Prisoners | None, captor: str) -> Army | None:
    """Who gets the money: the captor's group, else his side's largest Norman group."""
    first = realm.armies.get(record.captor_army) if record is not None else None
    if first is not None and first.active and realm.side(first.faction) == captor:
        return first
    return realm.largest(a for a in realm.active() if not a.mercenary and realm.side(a.faction) == captor)


def _mount(realm: Realm, group: Army, first: Prisoners | None, node: str, wanted: int) -> None:
    """Knights who leave with him: from his own record, then others of his side on the hex, the rest new."""
    others = [p for p in realm.prisoners if p.node == node and realm.side(p.faction) == realm.side(group.faction)
              and p is not first
              and p.state in ("waiting", "escorted", "delivered")]
    for record in [*([first] if first is not None else []), *others]:
        for rank in ("knights", "dismounted"):
            n = min(wanted - group.knights, int(getattr(record, rank)))
            if n > 0:
                setattr(record, rank, int(getattr(record, rank)) - n)
                group.knights += n
                realm.touch(record)
    group.knights = wanted
