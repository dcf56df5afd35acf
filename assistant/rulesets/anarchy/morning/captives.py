"""Captives: who walks with them, what becomes of them without an escort, ransoms (15.8; rulebook: Ransom)."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import count
from typing import Any

from assistant.rulesets.anarchy.book.sheets import RISING, Army, Noble, Prisoners, pounds
from assistant.rulesets.anarchy.orders import GROUP, MenOf, ordered, same_hex, take
from assistant.rulesets.anarchy.realm.change import Parting
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import Men, hex_of, men_of, show_ranks
from assistant.turn.answers.answer_kinds import Option, Text
from assistant.turn.board import free_name
from assistant.turn.game import ALL, Waiting
from assistant.turn.orders.named import Named, named
from assistant.turn.orders.purses import Cost
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.orders.taking import carry_all, price
from assistant.turn.orders.words import fold
from assistant.turn.texts import N_

_AS_THE_WHOLE = ("node", "kind", "loyalty", "hungry_days", "came_from", "if_attacked", "contract", "promised", "tests",
                 "hired_on", "grumbles", "no_promise_to")
"""In what a part of a group is as the whole: where it stands, and its terms, each part for itself (11.3, 11.6)."""


def fit_heads(realm: Field, army: Army) -> int:
    """Heads who are not hurt."""
    return realm.heads(army) - len(realm.hurt(army)) - len(realm.hurt(army, "in_care"))


def in_our_hands(f: Field, request: Request, record: Prisoners, field: str) -> None:
    """Captives of the group's own side who are on its hex, and not yet at their end (ANA-003, 006, 203)."""
    army = f.armies[request.unit]
    refuse_if(record.captor != f.side(army.faction), "ANA-003", field, unit=record.prisoners, owner=record.captor)
    refuse_if(record.state not in ("waiting", "escorted"), "ANA-006", field, unit=record.prisoners, state=record.state)
    same_hex(army, record)


def part_of(army: Army, ident: str, **other: Any) -> Army:
    """A new group out of another, as yet without men."""
    return Army(army=ident, **{name: getattr(army, name) for name in _AS_THE_WHOLE}, **other)


@ordered("ESCORT", "SCORTA", "reorganise", unit=GROUP, target=Named((Prisoners,), then=(in_our_hands,), like="P1"),
         men=MenOf(blank=True), help="Escort captives, whole or with detached men.")
def escort(f: Field, request: Request, army: Army, record: Prisoners, men: Men) -> None:
    """A group goes with captives, or detaches men who do."""
    _assign(f, record, army, men)


def _assign(realm: Field, record: Prisoners, army: Army, men: Men) -> None:
    """Put captives under a group or under men detached from it. Raises `Refused` (ANA-201, 202, 702)."""
    least = realm.rules.escort_min
    guard = army
    if men.total:
        realm.hurt_among(army, men)
        fit_men = men.total - len(men.hurt)
        refuse_if(fit_men < least, "ANA-702", "men", unit=army.army, n=fit_men, min=least)
        realm.stays_a_group(army, realm.heads(army) - men.total)
        inside = army.inside if realm.shut(army) else ""  # through the besiegers nobody gets out
        ident = free_name(realm.armies, f"{army.army}-esc{record.prisoners.rpartition('P')[2]}")
        guard = realm.armies.add(
            part_of(army, ident, faction=army.faction, inside=inside, on_meeting="pass", joins="no"))
        realm.hand_over(army, guard, Parting(men, hurt=realm.hurt_among(army, men)))
        realm.tell("split", ALL, "15.8", a=army.army, b=guard.army)
    elif fit_heads(realm, army) < least:
        raise Refused("ANA-702", "unit", unit=army.army, n=fit_heads(realm, army), min=least)
    record.escort, record.state = guard.army, "escorted"
    realm.tell("escort_set", realm.parties(), "15.8", touch=[record, guard, army], p=record.prisoners,
               place=record.destination, group=guard.army)


# --- captives of an earlier day without an escort ---------------------------------------------------
def escorts(realm: Field) -> None:
    """Each gets its escort by answer or default, or is massacred; hexes are asked at once, on one hex each in turn."""
    stops: dict[str, Waiting] = {}
    for record in list(realm.prisoners):
        guard = realm.armies.get(record.escort)
        guarded = guard is not None and guard.active and guard.node == record.node
        waiting = record.state == "waiting" or (record.state == "escorted" and not guarded)
        due = waiting and realm.holds(record) and (record.taken_on is None or record.taken_on < realm.day)
        if due and record.node not in stops:
            try:
                _one(realm, record)
            except Waiting as stop:
                stops[record.node] = stop
    if stops:
        raise Waiting([question for stop in stops.values() for question in stop.questions])


def _one(realm: Field, record: Prisoners) -> None:
    least = realm.rules.escort_min
    able = [a for a in realm.at(record.node) if realm.side(a.faction) == record.captor and not a.unarmed
            and fit_heads(realm, a) >= least]
    first = realm.armies.get(record.captor_army)
    best = first if first in able else realm.largest(able)
    if best is None:
        _massacre(realm, record)
        return
    default = _default(realm, best)
    able = [a for a in able if a.faction == best.faction]  # a club answers for its own groups
    options = [default, *(a.army for a in able if a.army != default)]
    text = realm.choose("escort", best.faction, record.prisoners, options, default, p=record.prisoners,
                        n=realm.holds(record), hex=record.node, place=record.destination,
                        answer=Option(reader=lambda answer: _read(realm, able, answer)))
    match = re.fullmatch(r"detach:([^:]+):(.*)", text)
    name, men = (match[1], men_of(realm, match[2])) if match is not None else (text, Men())
    _assign(realm, record, realm.armies[name], men)


def _default(realm: Field, army: Army) -> str:
    """A group of six or more detaches its three lowest fit men; a smaller one goes itself."""
    least = realm.rules.escort_min
    if realm.heads(army) < least + realm.rules.group_min:
        return army.army
    chosen: dict[str, int] = {}
    for rank in RISING:
        chosen[rank] = max(0, min(realm.fit(army, rank), least - sum(chosen.values())))
    return f"detach:{army.army}:{show_ranks(chosen)}" if sum(chosen.values()) == least else army.army


def _read(realm: Field, able: list[Army], answer: str) -> str:
    """A group's name, or ``detach:A-STE:L3``, as it is meant; "" for anything that cannot be."""
    match = re.fullmatch(r"\s*(?:detach|stacca)\s*:\s*([^:]+?)\s*:\s*(.+)", answer, re.IGNORECASE)
    name = match[1] if match is not None else answer
    army = next((a for a in able if fold(name) in (fold(a.army), fold(a.name))), None)
    if army is None or match is None:
        return army.army if army is not None else ""
    try:
        men = men_of(realm, match[2])
        realm.hurt_among(army, men)
    except Refused:
        return ""
    staying = realm.heads(army) - men.total
    small = 0 < staying < realm.rules.group_min or men.total - len(men.hurt) < realm.rules.escort_min
    return "" if small else f"detach:{army.army}:{match[2].strip()}"


def _massacre(realm: Field, record: Prisoners) -> None:
    """Nobody goes with them: the men are killed, the nobles get away (15.8)."""
    army = realm.armies.get(record.captor_army)
    own = army is not None and realm.side(army.faction) == record.captor
    captor = army.faction if own and army is not None else realm.faction_of(record.captor)
    realm.find("ANA-703", record, "escort", captor, p=record.prisoners)
    for rank in RISING:
        setattr(record, rank, 0)
    record.state, record.escort = "massacred", ""
    for noble in realm.captives(record):
        returned(realm, noble, record.node)
    realm.tell("massacred", ALL, "15.8", touch=[record], p=record.prisoners)


def returned(realm: Field, noble: Noble, node: str) -> Army:
    """A freed noble's own group ``<noble>-R`` on a hex; its men are put in by who frees him."""
    names = (f"{noble.noble}-R{again if again > 1 else ''}" for again in count(1))
    ident = next(name for name in names if name not in realm.armies or not realm.armies[name].active)
    if ident in realm.armies:
        realm.armies.remove(ident)
    group = realm.armies.add(Army(army=ident, name=noble.name, faction=noble.faction, node=node,
                                  commander=noble.noble, loyalty=noble.loyalty))
    noble.army, noble.place, noble.state, noble.captor, noble.held_in = ident, "", "free", "", ""
    realm.touch(noble, group)
    return group


# --- ransoms --------------------------------------------------------------------------------------
def captive(f: Field, request: Request, noble: Noble, field: str) -> None:
    """A noble of the payer's side in the other's hands (ANA-701)."""
    if noble.state != "prisoner" or f.side(noble.faction) != f.side(f.armies[request.unit].faction):
        raise Refused("ANA-701", field, noble=noble.noble)


@ordered("RANSOM", "RISCATTO", "ransoms", also=("ransoms",), unit=GROUP, target=Named((Noble,), then=(captive,)),
         cost=Cost("ransom_per_prestige", told=N_("for each point of prestige"), reckoned=lambda f, request: (
             2 * f.rules.ransom_per_prestige * named(f.nobles, request.target, "target").prestige)),
         help="Buy a noble free.")
def ransom(f: Field, request: Request, payer: Army, noble: Noble) -> None:
    """A noble is bought free and leaves with two knights."""
    record = f.prisoners.get(noble.held_in)
    node = record.node if record is not None and record.node else _held_at(f, noble, payer)
    if f.rules.ransom_reach == "same_hex" and payer.node != node:
        raise Refused("ANA-203", "unit", a=payer.army, x=payer.node, b=noble.noble, y=node)
    cost, have = price(f, request), f.purses.get(payer.army, 0)
    refuse_if(cost > have, "ANA-301", "unit", need=pounds(cost), unit=payer.army, have=pounds(have))
    payer.money -= cost
    f.purses[payer.army] = have - cost
    first = f.armies.get(record.captor_army) if record is not None else None  # the captor, else his side's largest
    captors = first is not None and first.active and f.side(first.faction) == noble.captor
    taker = first if captors else f.largest(
        a for a in f.active() if not a.mercenary and f.side(a.faction) == noble.captor)
    if taker is not None:
        taker.money += cost
    group = returned(f, noble, node)
    _mount(f, group, record, node, f.rules.ransom_knights)
    for guarded in f.prisoners:  # where nobody is left to be led away nobody has to lead them
        if guarded.state in ("waiting", "escorted") and not f.holds(guarded):
            guarded.state, guarded.escort = "freed", ""
            f.touch(guarded)
    group.safe_on = f.day
    f.touch(payer, *([taker] if taker is not None else []))
    f.tell("ransomed", ALL, "15.8", noble=noble.noble, n=pounds(cost), group=group.army,
           to=taker.army if taker is not None else "", halves=cost)


def ransoms(f: Field) -> None:
    """By order number; what a purse gains today does not pay a ransom of today."""
    f.purses = {a.army: a.money for a in f.armies}
    carry_all(f, take(f))


def _held_at(realm: Field, noble: Noble, payer: Army) -> str:
    """Where a captive without a record is held: his place, else the captor's nearest, else by ruling."""
    def read(text: str) -> str:
        with suppress(Refused):
            return hex_of(realm, text, "answer")
        return ""

    row = realm.places.get(noble.place) or realm.nearest_own(noble.captor, payer.node)
    return row.node if row is not None else realm.game.ask(
        realm.ruling(noble.noble, (), "held", x=noble.noble, answer=Text(read)))


def _mount(realm: Field, group: Army, first: Prisoners | None, node: str, wanted: int) -> None:
    """Knights who leave with him: from his own record, then others of his side on the hex, the rest new."""
    others = [p for p in realm.prisoners if p.node == node and realm.side(p.faction) == realm.side(group.faction)
              and p is not first and p.state in ("waiting", "escorted", "delivered")]
    for record in [*([first] if first is not None else []), *others]:
        for rank in ("knights", "dismounted"):
            n = min(wanted - group.knights, record.count(rank))
            if n > 0:
                record.gain(rank, -n)
                group.knights += n
                realm.touch(record)
    group.knights = wanted
