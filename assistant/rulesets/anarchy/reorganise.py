"""Reorganisation: groups on one hex, garrisons, captives' escorts (digest 5.3; chapters 5.3, 8.1, 15.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.anarchy.answers import unasked
from assistant.rulesets.anarchy.change import dissolve_small, let_go, remove_group, terms
from assistant.rulesets.anarchy.counting_men import count_men
from assistant.rulesets.anarchy.escorts import escort_order, escorts
from assistant.rulesets.anarchy.garrisons import garrison, refill
from assistant.rulesets.anarchy.moving_men import Parting, free_ident, friends, hand_over, parting_of
from assistant.rulesets.anarchy.orders import (
    Request,
    army_named,
    carry_out,
    count_money,
    follower_named,
    noble_named,
    same_hex,
    take,
)
from assistant.rulesets.anarchy.realm import ALL, Realm, pounds
from assistant.rulesets.anarchy.records import Army
from assistant.rulesets.anarchy.references import Refused, show_ranks
from assistant.rulesets.anarchy.sheets import Convoy, Train
from assistant.rulesets.anarchy.verbs import PHASE_VERBS, choice_code
from assistant.turn.game import Game

_POSTURES: Mapping[str, tuple[str, ...]] = {
    "on_meeting": ("attack", "pass", "ask"), "if_attacked": ("fight", "refuse", "shut_in", "ask"),
    "joins": ("yes", "no", "ask"),
}


def reorganise(game: Game) -> None:
    """Order by order in the sequence of the digest; then garrisons, escorts and groups that are too small."""
    realm = Realm(game)
    requests = count_men(realm, count_money(realm, take(realm, "reorganise")))
    for verb in PHASE_VERBS["reorganise"]:
        for request in requests:
            if request.verb == verb and not request.row.status:
                carry_out(realm, request, DEEDS[verb])
        if verb == "GARRISON":
            refill(realm)
    escorts(realm)
    dissolve_small(realm)
    unasked(realm)


def posture(realm: Realm, request: Request) -> None:
    """POSTURE: standing choices of a group."""
    army = realm.armies[request.unit]
    wanted = {}
    for word in request.choice.replace(",", " ").replace(";", " ").split():
        name, _, value = word.partition("=")
        field, code = choice_code(name), choice_code(value)
        if code not in _POSTURES.get(field, ()):
            options = ", ".join(f"{f}={v}" for f, values in _POSTURES.items() for v in values)
            raise Refused("ANA-901", "choice", x=word, options=options)
        wanted[field] = code
    for field, code in wanted.items():
        setattr(army, field, code)
    realm.tell("posture", realm.own(army.faction), "14.2", touch=[army], group=army.army, on_meeting=army.on_meeting,
               if_attacked=army.if_attacked, joins=army.joins)


def collect(realm: Realm, request: Request) -> None:
    """COLLECT: the healed men of this place come back to a group (15.7)."""
    army = realm.armies[request.unit]
    here = {p.place for p in realm.places_at(army.node)}
    back = [w for w in realm.wounded if w.state == "healed" and not w.army and w.place in here
            and realm.side(w.faction) == realm.side(army.faction)]
    changed: list[Record] = [army]
    for row in back:
        row.army = army.army
        changed.append(row)
        if row.noble:
            noble = realm.nobles[row.noble]
            noble.army, noble.place = army.army, ""
            army.commander = army.commander or noble.noble
            changed.append(noble)
        else:
            setattr(army, row.rank, int(getattr(army, row.rank)) + 1)
    realm.tell("collected", realm.own(army.faction), "15.7", touch=changed, group=army.army,
               place=" ".join(sorted(here)) or army.node, list=" ".join(w.wounded for w in back))


# --- SPLIT, TRANSFER, MERGE -----------------------------------------------------------------------
def split(realm: Realm, request: Request) -> None:
    """SPLIT: a new group of men, nobles and money; both parts keep three heads (8.1)."""
    army = realm.armies[request.unit]
    ident = request.target
    free_ident(realm, ident)
    part = parting_of(realm, army, request)
    _both_big_enough(realm, army, part)
    leader = max(part.nobles, key=lambda n: n.prestige, default=None)
    # a noble of another club of the side leads a group of that club
    faction = leader.faction if leader is not None else army.faction
    fresh = Army(army=ident, name=request.note, faction=faction, node=army.node, kind=army.kind,
                 loyalty=army.loyalty, hungry_days=army.hungry_days, starving=army.starving, inside=army.inside,
                 besieging=army.besieging, came_from=army.came_from, on_meeting=army.on_meeting,
                 if_attacked=army.if_attacked, joins=army.joins, shares_since=army.shares_since, state="active",
                 **terms(army))
    realm.armies.add(fresh)
    changed = hand_over(realm, army, fresh, part)
    realm.tell("split", ALL, "8.1", touch=changed, a=army.army, b=fresh.army)


def _both_big_enough(realm: Realm, army: Army, part: Parting) -> None:
    least, leaving = int(realm.rules.group_min), part.heads
    staying = realm.heads(army) - leaving
    if leaving < least:
        raise Refused("ANA-201", "men", unit=army.army, n=leaving, min=least)
    if staying < least:
        raise Refused("ANA-201", "men", unit=army.army, n=staying, min=least)


def transfer(realm: Realm, request: Request) -> None:
    """TRANSFER: men, nobles and money to another group on the hex."""
    army, other = realm.armies[request.unit], army_named(realm, request.target)
    friends(realm, army, other)
    part = parting_of(realm, army, request)
    if part.men.total and army.kind != other.kind:
        raise Refused("ANA-204", "target")
    staying = realm.heads(army) - part.heads
    if part.heads and 0 < staying < int(realm.rules.group_min):
        raise Refused("ANA-201", "men", unit=army.army, n=staying, min=int(realm.rules.group_min))
    changed = hand_over(realm, army, other, part)
    realm.tell("transferred", realm.own(army.faction), "8.1", touch=changed, a=army.army, b=other.army,
               men=show_ranks(part.men.ranks), n=pounds(part.halves))


def merge(realm: Realm, request: Request) -> None:
    """MERGE: two Norman groups of a side on one hex become one (8.1)."""
    army, other = realm.armies[request.unit], army_named(realm, request.target)
    if army.mercenary or other.mercenary:
        raise Refused("ANA-204", "target")
    friends(realm, army, other)
    leader = noble_named(realm, request.choice, "choice").noble if request.choice else ""
    if leader and realm.nobles[leader].army not in (army.army, other.army):
        raise Refused("ANA-913", "choice", unit=other.army, x=leader, field="commander")
    changed = unite(realm, army, other, leader)
    realm.tell("merged", ALL, "8.1", touch=changed, a=army.army, b=other.army)


def unite(realm: Realm, army: Army, into: Army, leader: str = "") -> list[Record]:
    """Put a group into another, as digest 5.3 says of MERGE; returns what changed."""
    larger, nobles = _largest_part(realm, army, into), [*realm.with_them(army), *realm.with_them(into)]
    head = realm.commander(larger)
    into.loyalty = head.loyalty if head is not None and head.loyalty is not None else larger.loyalty
    into.came_from = larger.came_from
    core = max((into, army), key=lambda a: a.core_now)  # the target where both are equal
    wins = (core.wins, core.core_start, core.core_now)
    had_leader = {realm.commander(army) is None, realm.commander(into) is None}
    companies, led = realm.followers(army), [*realm.led_goods(army), *realm.escorted(army)]
    changed: list[Record] = [army, into]
    part = Parting.whole(realm, army)
    changed += hand_over(realm, army, into, part)
    into.provisions, army.provisions = into.provisions + army.provisions, 0
    into.hungry_days, into.starving = max(into.hungry_days, army.hungry_days), into.starving or army.starving
    for company in companies:
        company.employer = into.army
    for row in led:
        row.escort = into.army
    changed += [*companies, *led]
    best = min(nobles, key=lambda n: (-n.prestige, natural(n.noble)), default=None)
    into.commander = leader or (best.noble if best is not None else "")
    into.wins, into.core_start, into.core_now = (0, 0, 0) if had_leader == {True, False} else wins
    for record in realm.prisoners:
        if record.captor_army == army.army and record.state == "waiting":
            record.captor_army = into.army
            changed.append(record)
    remove_group(realm, army, "merged")
    army.commander = ""
    return changed


def _largest_part(realm: Realm, army: Army, into: Army) -> Army:
    """The part that decides: more heads, then higher prestige, then the target."""
    return max((into, army), key=lambda a: (realm.heads(a), realm.prestige(a)))


# --- ATTACH, DETACH, PAY --------------------------------------------------------------------------
def attach(realm: Realm, request: Request) -> None:
    """ATTACH: mercenaries, a convoy or a train follow a group (11.2, 12)."""
    army, row = realm.armies[request.unit], follower_named(realm, request.target)
    reason = ""
    if row.state != "active" or realm.side(row.faction) != realm.side(army.faction):
        reason = "another side"
    elif row.node != army.node:
        reason = "another hex"
    elif isinstance(row, Army) and (not row.mercenary or row.army == army.army):
        reason = "not mercenaries, a convoy or a train"
    elif realm.attached(army):
        raise Refused("ANA-913", "unit", unit=row.ident, x=army.army, field="employer")
    if reason:
        raise Refused("ANA-209", "target", x=row.ident, unit=army.army, reason=reason)
    _same_side_of_the_walls(realm, army, row)
    if isinstance(row, Army):
        let_go(realm, row)
        row.employer, row.inside, row.besieging = army.army, army.inside, ""
    else:
        row.escort = army.army
    realm.tell("attached", realm.own(army.faction), "11.2, 12", touch=[row, army], x=row.ident, group=army.army)


def _same_side_of_the_walls(realm: Realm, army: Army, row: Army | Convoy | Train) -> None:
    """Nobody comes into a besieged castle or out of it by following a group (ANA-210); carts are where who leads is."""
    leader = row if isinstance(row, Army) else realm.armies.get(row.escort)
    shut_in = leader.inside if leader is not None and realm.shut(leader) else ""
    if shut_in != (army.inside if realm.shut(army) else ""):
        raise Refused("ANA-210", "target", place=army.inside or shut_in)


def detach(realm: Realm, request: Request) -> None:
    """DETACH: they stand alone from now on."""
    army, row = realm.armies[request.unit], follower_named(realm, request.target)
    if (row.employer if isinstance(row, Army) else row.escort) != army.army:
        raise Refused("ANA-209", "target", x=row.ident, unit=army.army, reason="another hex"
                      if row.node != army.node else "another side")
    if isinstance(row, Army):
        row.employer = ""
    elif isinstance(row, (Convoy, Train)):
        row.escort = ""
    realm.tell("attached", realm.own(army.faction), "11.2, 12", touch=[row, army], x=row.ident, group=army.army,
               way="detached")


def payable_company(realm: Realm, army: Army, request: Request) -> Army:
    """The promised company here that a PAY means. Raises `Refused` (ANA-011, 203, 504)."""
    company = army_named(realm, request.target)
    if company is army:  # out of its own shares it would buy itself free of its promise tests
        raise Refused("ANA-011", "target", unit=army.army, verb="PAY", reason="it is the same group")
    if company.contract != "promised" or realm.side(company.faction) != realm.side(army.faction):
        contract = realm.contract_shown(company, realm.side(army.faction))
        raise Refused("ANA-504", "target", m=company.army, contract=contract)
    same_hex(army, company)
    return company


def pay(realm: Realm, request: Request) -> None:
    """PAY: two pounds a head make a promise a payment (11.4)."""
    army = realm.armies[request.unit]
    company = payable_company(realm, army, request)
    cost = 2 * int(realm.rules.merc_price) * realm.heads(company)
    if cost > army.money:
        raise Refused("ANA-301", "unit", need=pounds(cost), unit=army.army, have=pounds(army.money))
    army.money -= cost
    company.contract, company.promised, company.tests, company.grumbles = "paid", 0, 0, False
    realm.tell("paid", realm.own(army.faction), "11.4", touch=[army, company], mercs=company.army, n=pounds(cost))


DEEDS: Mapping[str, Callable[[Realm, Request], None]] = {
    "POSTURE": posture, "COLLECT": collect, "SPLIT": split, "TRANSFER": transfer, "MERGE": merge,
    "GARRISON": garrison, "ATTACH": attach, "DETACH": detach, "PAY": pay, "ESCORT": escort_order,
}
"""What each verb of this phase does."""

__all__ = ["DEEDS", "payable_company", "reorganise", "unite"]
