"""Ransoms: money against nobles (digest 5.4; chapter 15.8)."""

from __future__ import annotations

from functools import partial

from assistant.campaign.record import Record
from assistant.rulesets.anarchy.answers import rule, unasked
from assistant.rulesets.anarchy.escorts import free_guards, returned
from assistant.rulesets.anarchy.orders import Request, carry_out, noble_named, take
from assistant.rulesets.anarchy.realm import ALL, Realm, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import Refused, hex_of
from assistant.rulesets.anarchy.sheets import Noble, Prisoners
from assistant.turn.game import Game


def ransoms(game: Game) -> None:
    """RANSOM by order number; what a purse gains today does not pay a ransom of today."""
    realm = Realm(game)
    purses = {a.army: a.money for a in realm.armies}
    for request in take(realm, "ransoms"):
        carry_out(realm, request, lambda realm, request: ransom(realm, request, purses))
    unasked(realm)


def ransom(realm: Realm, request: Request, purses: dict[str, int]) -> None:
    """A noble is bought free and leaves with two knights. `purses`: what is left of the morning's money."""
    payer = realm.armies[request.unit]
    noble = payable(realm, payer, request)
    record = realm.prisoners.get(noble.held_in)
    node = record.node if record is not None and record.node else _held_at(realm, noble, payer)
    if realm.rules.ransom_reach == "same_hex" and payer.node != node:
        raise Refused("ANA-203", "unit", a=payer.army, x=payer.node, b=noble.noble, y=node)
    cost, have = 2 * int(realm.rules.ransom_per_prestige) * noble.prestige, purses.get(payer.army, 0)
    if cost > have:
        raise Refused("ANA-301", "unit", need=pounds(cost), unit=payer.army, have=pounds(have))
    payer.money -= cost
    purses[payer.army] = have - cost
    taker = _taker(realm, record, noble.captor)
    if taker is not None:
        taker.money += cost
    group = returned(realm, noble, node)
    changed: list[Record] = [payer, noble, group, *([taker] if taker is not None else [])]
    changed += _mount(realm, group, record, node, int(realm.rules.ransom_knights))
    changed += free_guards(realm)
    group.safe_on = realm.day
    realm.tell("ransomed", ALL, "15.8", touch=changed, noble=noble.noble, n=pounds(cost), group=group.army,
               to=taker.army if taker is not None else "", halves=cost)


def payable(realm: Realm, payer: Army, request: Request) -> Noble:
    """The noble whom a row wants to buy free. Raises `Refused` (ANA-701) where he is not the payer's side's captive."""
    noble = noble_named(realm, request.target)
    if noble.state != "prisoner" or realm.side(noble.faction) != realm.side(payer.faction):
        raise Refused("ANA-701", "target", noble=noble.noble)
    return noble


def _held_at(realm: Realm, noble: Noble, payer: Army) -> str:
    """Where a captive without a record is held: his place, else the captor's nearest, else by ruling."""
    row = realm.places.get(noble.place) or realm.nearest_own(noble.captor, payer.node)
    return row.node if row is not None else rule(realm, noble.noble, (), "held", partial(_hex, realm), x=noble.noble)


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


def _mount(realm: Realm, group: Army, first: Prisoners | None, node: str, wanted: int) -> list[Record]:
    """Knights who leave with him: from his own record, then others of his side on the hex, the rest new."""
    others = [p for p in realm.prisoners if p.node == node and realm.side(p.faction) == realm.side(group.faction)
              and p is not first
              and p.state in ("waiting", "escorted", "delivered")]
    changed: list[Record] = []
    for record in [*([first] if first is not None else []), *others]:
        for rank in ("knights", "dismounted"):
            n = min(wanted - group.knights, int(getattr(record, rank)))
            if n > 0:
                setattr(record, rank, int(getattr(record, rank)) - n)
                group.knights += n
                changed.append(record)
    group.knights = wanted
    return changed


__all__ = ["ransom", "ransoms"]
