"""What a group does on a hex of its march: recruit, sack, besiege (chapters 10 to 16; rulebook: Orders)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle import duels
from assistant.rulesets.anarchy.book.sheets import NEUTRAL, Army, Place, Siege, Train, pounds
from assistant.rulesets.anarchy.book.tables import RECRUITS
from assistant.rulesets.anarchy.march.dealing import recruit_prices
from assistant.rulesets.anarchy.march.encounters import attacked
from assistant.rulesets.anarchy.orders import WALKER, MenOf, a_place, act, afford, do_here, other_group, same_hex
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import Men, men_of, show_ranks
from assistant.turn.board import free_name
from assistant.turn.game import ALL
from assistant.turn.orders.named import Points, named
from assistant.turn.orders.purses import Cost
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.texts import N_


# --- what must hold wherever it is done -------------------------------------------------------------
def useful(f: Field, request: Request, place: Place, field: str) -> None:
    """A place that helps the side (ANA-401)."""
    side = f.side(request.faction)
    level = place.loyalty if place.loyalty is not None else "-"
    refuse_if(not f.open_to(place, side), "ANA-401", field, place=place.place, l=level, side=side)


def town(f: Field, request: Request, place: Place, field: str) -> None:
    """A town that helps the side (ANA-409)."""
    refuse_if(place.kind != "town" or not f.open_to(place, f.side(request.faction)), "ANA-409", field)


def enemy_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """A castle that somebody else holds (ANA-408)."""
    refuse_if(not place.castle or place.holder in ("", f.side(request.faction)), "ANA-408", field, place=place.place)


# --- doing them, in the sequence of the rulebook page -------------------------------------------------
def recruiting(f: Field, request: Request, place: Place, field: str) -> None:
    """A noble or knight recruits, in no castle (ANA-403)."""
    army = f.armies[request.unit]
    refuse_if(place.castle or not (f.with_them(army) or army.knights), "ANA-403", field)


def count_recruits(f: Field, request: Request, men: Men, had: dict[str, tuple[int, int]]) -> None:
    """Add light foot and peasants to those whom a place `had` to give today, no more than table 13.1 says (ANA-402); of
    what the side does not see it is told there.
    """
    place: Place = named(f.places, request.target, "target")
    table, gone = RECRUITS[max(0, min(10, place.resources))], had.get(place.place, (0, 0))
    asked = men.ranks.get("light", 0), men.ranks.get("peasants", 0)
    left = [max(0, most - n) for most, n in zip(table, gone, strict=True)]
    too_many = asked[0] > left[0] or asked[1] > left[1]
    if set(men.ranks) - {"light", "peasants"} or (too_many and f.sees_stores(f.side(request.faction), place)):
        raise Refused("ANA-402", "men", place=place.place, l=left[0], p=left[1])
    had[place.place] = gone[0] + asked[0], gone[1] + asked[1]


def so_many(f: Field, request: Request, men: Men, field: str) -> None:
    """Light foot and peasants, no more than the table gives (ANA-402)."""
    count_recruits(f, request, men, dict(f.recruited))


@act("RECRUIT", "RECLUTA", a_place(recruiting, useful), men=MenOf(then=(so_many,)), apart=("node",),
     cost=Cost("recruit_light", told=N_("for each man on light foot"), reckoned=lambda f, request: sum(
         each * men_of(f, request.men).ranks.get(rank, 0) for rank, each in recruit_prices(f))),
     help="Recruit light foot and peasants.")
def recruit(f: Field, request: Request, army: Army, place: Place, men: Men) -> None:
    """Light foot and peasants for money, as many as the table gives (13.1)."""
    same_hex(army, place)
    cost = afford(f, request, "men")
    count_recruits(f, request, men, f.recruited)
    for rank, n in men.ranks.items():
        army.gain(rank, n)
    army.money -= cost
    f.tell("recruited", f.own(army.faction), "13.1", touch=[army], group=army.army, men=show_ranks(men.ranks),
           n=pounds(cost), place=place.place)


@act("ENGINEER", "INGEGNERE", a_place(town), help="Hire an engineer in a town.",
     cost=Cost("engineer_price", reckoned=lambda f, request: 2 * f.rules.engineer_price))
def engineer(f: Field, request: Request, army: Army, place: Place) -> None:
    """An engineer joins the group's train, or makes a new one (10)."""
    same_hex(army, place)
    cost = afford(f, request, "unit")
    army.money -= cost
    train = next(iter(f.led_trains(army)), None) or f.trains.add(Train(
        train=free_name(f.trains, f"T-{place.place}"), faction=army.faction, node=army.node, escort=army.army))
    train.engineers += 1
    f.tell("engineer_hired", f.own(army.faction), "10", touch=[army, train], group=army.army, n=pounds(cost))


@act("PROVISION", "RIFORNISCI", a_place(useful), unit=WALKER, apart=("node",), help="Draw tomorrow's food now.")
def provision(f: Field, request: Request, army: Army, place: Place) -> None:
    """Tomorrow's food is drawn now (14.5)."""
    same_hex(army, place)
    lacking = f.need(army) - army.provisions
    n = max(0, min(lacking, place.resources))
    if lacking <= 0:
        request.find(f, "ANA-411", "target", unit=army.army, place=place.place)
        return
    if n:
        place.resources -= n
        army.provisions += n
    else:
        request.find(f, "ANA-406", "target", place=place.place)
    f.tell("provisioned", f.own(army.faction), "14.5", touch=[army, place], group=army.army, n=n, place=place.place)


def no_friend(f: Field, request: Request, target: Army, field: str) -> None:
    """Neither unhired mercenaries nor friends are attacked (ANA-404, 505)."""
    side = f.side(request.faction)
    refuse_if(f.unhired(target), "ANA-505", field)
    refuse_if(f.side(target.faction) == side and side != NEUTRAL, "ANA-404", field, place=target.army)


@act("ATTACK", "ATTACCA", other_group(no_friend), help="Attack a group.")
def attack(f: Field, request: Request, army: Army, target: Army) -> None:
    """Attack a group that was on the hex already."""
    if not target.active or target.node != army.node or target.inside or f.attached(target):
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=target.army, y=target.node)
    refuse_if(f.side(target.faction) == f.side(army.faction), "ANA-404", "target", place=target.army)
    attacked(f, army, target, army)


def enemy_village(f: Field, request: Request, place: Place, field: str) -> None:
    """No castle (ANA-405), none of one's own side (ANA-404), and a neutral one only where they are looted (ANA-011)."""
    refuse_if(place.castle, "ANA-405", field, place=place.place)
    band = f.band(place.loyalty)
    refuse_if(band == f.side(request.faction), "ANA-404", field, place=place.place)
    if band == NEUTRAL and f.rules.loot_neutral == "no":
        raise Refused("ANA-011", field, unit=request.unit, verb=request.verb, reason="the place is neutral")


@act("SACK", "SACCHEGGIA", a_place(enemy_village), also=("loot",), amount=Points(blank=True),
     help="Sack a village or monastery; amount: points to loot.")
def sack(f: Field, request: Request, army: Army, place: Place, points: int | None) -> None:
    """Fight the levy, then loot (13.2, 14.6)."""
    same_hex(army, place)
    if place.resources <= 0:
        request.find(f, "ANA-406", "target", place=place.place)
        return
    duels.sack(f, army, place, points)


def advise_looter(f: Field, request: Request, army: Army, place: Place, *_: object) -> None:
    """What sacking will cost, or that it will bring nothing (ANA-406, 410)."""
    leader = f.commander(army)
    if place.resources <= 0 and f.sees_stores(f.side(request.faction), place):
        request.find(f, "ANA-406", "target", place=place.place)
    elif leader is not None:
        loss = f.rules.prestige_loot_monastic if f.monastic(place) else f.rules.prestige_loot_village
        request.find(f, "ANA-410", "target", place=place.place, noble=leader.noble, n=-loss)


@act("ASSAULT", "ASSALTA", a_place(enemy_castle), also=("storm",), help="Storm an enemy castle.")
def assault(f: Field, request: Request, army: Army, place: Place) -> None:
    """Storm an enemy castle."""
    same_hex(army, place)
    duels.assault(f, army, place)


@act("BESIEGE", "ASSEDIA", a_place(enemy_castle), also=("siege",), help="Lie down before an enemy castle.")
def besiege(f: Field, request: Request, army: Army, place: Place) -> None:
    """Lie down before an enemy castle (16)."""
    same_hex(army, place)
    strength = sum(f.stack_heads(a) for a in [*f.besiegers(place), army])
    inside = place.garrison + sum(f.stack_heads(a) for a in f.at(place.node) if a.inside == place.place)
    if f.rules.siege_min == "equal" and strength < inside:
        raise Refused("ANA-011", "unit", unit=army.army, verb=request.verb, reason="fewer than the besieged")
    army.besieging, side = place.place, f.side(army.faction)
    touched: list[Army | Siege] = [*f.stack(army)]
    if not f.besieged(place.place):
        row = f.sieges.get(place.place) or f.sieges.add(Siege(place=place.place))
        row.besieger, row.started_on, row.days, row.state = side, f.day, 0, "on"
        row.resources_at_start = place.resources
        touched.append(row)
    f.tell("siege_begun", ALL, "16", touch=touched, place=place.place, side=side, group=army.army)


def own_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """A castle of one's own side (ANA-413)."""
    refuse_if(not place.castle or place.holder != f.side(request.faction), "ANA-413", field, place=place.place)


@act("ENTER", "ENTRA", a_place(own_castle), unit=WALKER, help="Go into an own castle.")
def enter(f: Field, request: Request, army: Army, place: Place) -> None:
    """Go into an own castle, at no cost; not while it is besieged (rulebook: 5.3 Castles)."""
    refuse_if(place.node != army.node or f.besieged(place.place), "ANA-413", "target", place=place.place)
    stack = f.stack(army)
    for one in stack:
        one.inside, one.besieging = place.place, ""
    f.tell("entered", ALL, "5.3", touch=stack, unit=army.army, place=place.place)


ACTS = (recruit, engineer, provision, attack, sack, assault, besiege, enter)
"""What a group does on a hex during its march, in this sequence."""


def acts_here(f: Field, army: Army, here: str, last: bool) -> None:
    """Carry out the acts that are meant for this hex."""
    for request in f.due(army, ACTS, here, last):
        # who is met on the march is met by E1 to E6, for which the order was the choice
        if request.verb != attack.en or army.army not in f.heading:
            do_here(f, request)
