"""Captives and who walks with them (rulebook: Reorganisation; chapter 15.8)."""

from __future__ import annotations

import re

from assistant.rulesets.anarchy.book.records import RISING, Army
from assistant.rulesets.anarchy.book.sheets import Noble, Prisoners
from assistant.rulesets.anarchy.orders.columns import GROUP, MenOf, ordered, same_hex
from assistant.rulesets.anarchy.realm.change import fit, terms
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.moving_men import Parting, hand_over, hurt_among, stays_a_group
from assistant.rulesets.anarchy.realm.realm import ALL, ANGEVIN, ROYAL, Realm
from assistant.rulesets.anarchy.realm.references import Men, men_of, show_ranks
from assistant.turn.answers.answer_kinds import Option
from assistant.turn.board import free_name
from assistant.turn.findings import Where
from assistant.turn.orders.named import Named
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.words import fold


def fit_heads(realm: Realm, army: Army) -> int:
    """Heads who are not hurt."""
    return realm.heads(army) - len(realm.hurt(army)) - len(realm.hurt(army, "in_care"))


def in_our_hands(f: Field, request: Request, record: Prisoners, field: str) -> None:
    """Captives of the group's own side who are on its hex (ANA-003, 203)."""
    army = f.armies[request.unit]
    if record.captor != f.side(army.faction) or record.state not in ("waiting", "escorted"):
        raise Refused("ANA-003", field, unit=record.prisoners, owner=record.captor)
    same_hex(army, record)


@ordered("ESCORT", "SCORTA", "reorganise", unit=GROUP, target=Named((Prisoners,), then=(in_our_hands,), like="P1"),
         men=MenOf(blank=True), help="Escort captives, whole or with detached men.")
def escort(f: Field, request: Request, army: Army, record: Prisoners, men: Men) -> None:
    """A group goes with captives, or detaches men who do."""
    assign(f, record, army, men)


def assign(realm: Realm, record: Prisoners, army: Army, men: Men) -> None:
    """Put captives under a group or under men detached from it. Raises `Refused` (ANA-201, 202, 702)."""
    least = realm.rules.escort_min
    guard = army
    if men.total:
        hurt_among(realm, army, men)
        fit_men = men.total - len(men.hurt)
        if fit_men < least:
            raise Refused("ANA-702", "men", unit=army.army, n=fit_men, min=least)
        stays_a_group(realm, army, realm.heads(army) - men.total)
        guard = _detached(realm, record, army, men)
    elif fit_heads(realm, army) < least:
        raise Refused("ANA-702", "unit", unit=army.army, n=fit_heads(realm, army), min=least)
    record.escort, record.state = guard.army, "escorted"
    realm.tell("escort_set", realm.both(ROYAL, ANGEVIN), "15.8", touch=[record, guard, army], p=record.prisoners,
               place=record.destination, group=guard.army)


def _detached(realm: Realm, record: Prisoners, army: Army, men: Men) -> Army:
    ident = free_name(realm.armies, f"{army.army}-esc{record.prisoners.removeprefix('P')}")
    inside = army.inside if realm.shut(army) else ""  # through the besiegers nobody gets out
    guard = Army(army=ident, faction=army.faction, node=army.node, kind=army.kind, loyalty=army.loyalty,
                 hungry_days=army.hungry_days, came_from=army.came_from, inside=inside, on_meeting="pass",
                 if_attacked=army.if_attacked, joins="no", state="active", **terms(army))
    realm.armies.add(guard)
    hand_over(realm, army, guard, Parting(men, hurt=hurt_among(realm, army, men)))
    realm.tell("split", ALL, "15.8", a=army.army, b=guard.army)
    return guard


# --- captives of an earlier day without an escort ---------------------------------------------------
def escorts(realm: Realm) -> None:
    """Every such record gets its escort by answer or default, or is massacred."""
    for record in list(realm.prisoners):
        waiting = record.state == "waiting" or (record.state == "escorted" and not _guarded(realm, record))
        if waiting and realm.holds(record) and (record.taken_on is None or record.taken_on < realm.day):
            _one(realm, record)


def _captor(realm: Realm, record: Prisoners) -> str:
    """The faction that took captives."""
    army = realm.armies.get(record.captor_army)
    own = army is not None and realm.side(army.faction) == record.captor
    return army.faction if own and army is not None else realm.faction_of(record.captor)


def _guarded(realm: Realm, record: Prisoners) -> bool:
    guard = realm.armies.get(record.escort)
    return guard is not None and guard.active and guard.node == record.node


def _one(realm: Realm, record: Prisoners) -> None:
    least = realm.rules.escort_min
    able = [a for a in realm.at(record.node) if realm.side(a.faction) == record.captor and not a.unarmed
            and fit_heads(realm, a) >= least]
    if not able:
        massacre(realm, record)
        return
    first = realm.armies.get(record.captor_army)
    best = first if first in able else realm.largest(able)
    assert best is not None
    default = _default(realm, best)
    able = [a for a in able if a.faction == best.faction]  # a club answers for its own groups
    options = [default, *(a.army for a in able if a.army != default)]
    asked = realm.question("escort", best.faction, record.prisoners, options, default, p=record.prisoners,
                           n=record.men + len(realm.captives(record)), hex=record.node, place=record.destination,
                           answer=Option(reader=lambda answer: _read(realm, able, answer)))
    text = realm.game.choose(asked)
    match = re.fullmatch(r"detach:([^:]+):(.*)", text)
    if match is None:
        assign(realm, record, realm.armies[text], Men())
    else:
        assign(realm, record, realm.armies[match[1]], men_of(realm, match[2]))


def _default(realm: Realm, army: Army) -> str:
    """A group of six or more detaches its three lowest fit men; a smaller one goes itself."""
    least = realm.rules.escort_min
    if realm.heads(army) < least + realm.rules.group_min:
        return army.army
    chosen: dict[str, int] = {}
    for rank in RISING:
        n = min(fit(realm, army, rank), least - sum(chosen.values()))
        if n > 0:
            chosen[rank] = n
    return f"detach:{army.army}:{show_ranks(chosen)}" if sum(chosen.values()) == least else army.army


def _read(realm: Realm, able: list[Army], answer: str) -> str:
    """A group's name, or ``detach:A-STE:L3``, as it is meant; "" for anything that cannot be."""
    match = re.fullmatch(r"\s*(?:detach|stacca)\s*:\s*([^:]+?)\s*:\s*(.+)", answer, re.IGNORECASE)
    name = match[1] if match is not None else answer
    army = next((a for a in able if fold(name) in (fold(a.army), fold(a.name))), None)
    if army is None or match is None:
        return army.army if army is not None else ""
    try:
        men = men_of(realm, match[2])
        hurt_among(realm, army, men)
    except Refused:
        return ""
    staying = realm.heads(army) - men.total
    small = 0 < staying < realm.rules.group_min or men.total - len(men.hurt) < realm.rules.escort_min
    return "" if small else f"detach:{army.army}:{match[2].strip()}"


def massacre(realm: Realm, record: Prisoners) -> None:
    """Nobody goes with them: the men are killed, the nobles get away (15.8)."""
    realm.game.find("ANA-703", Where(Prisoners.sheet, record.prisoners, "escort"), _captor(realm, record),
                    p=record.prisoners)
    for row in RISING:
        setattr(record, row, 0)
    record.state, record.escort = "massacred", ""
    for noble in realm.captives(record):
        returned(realm, noble, record.node)
    realm.tell("massacred", ALL, "15.8", touch=[record], p=record.prisoners)


def free_guards(realm: Realm) -> None:
    """Where nobody is left to be led away nobody has to lead them: such captives' escorts are free again (15.8)."""
    for record in realm.prisoners:
        if record.state in ("waiting", "escorted") and not realm.holds(record):
            record.state, record.escort = "freed", ""
            realm.touch(record)


def returned(realm: Realm, noble: Noble, node: str) -> Army:
    """A freed noble's own group ``<noble>-R`` on a hex; its men are put in by who frees him."""
    stem = ident = f"{noble.noble}-R"
    again = 2
    while ident in realm.armies:
        if not realm.armies[ident].active:
            realm.armies.remove(ident)
            break
        ident, again = f"{stem}{again}", again + 1
    group = realm.armies.add(Army(army=ident, name=noble.name, faction=noble.faction, node=node,
                                  commander=noble.noble, loyalty=noble.loyalty, state="active"))
    noble.army, noble.place, noble.state, noble.captor, noble.held_in = ident, "", "free", "", ""
    realm.touch(noble, group)
    return group
