"""Acts on the march: recruits, engineers, provisions, attacks, looting, castles (5.3, 10, 13, 14; rulebook: Orders)."""

from __future__ import annotations

from typing import Any, Literal

from assistant.rulesets.anarchy import both, chapter, citation, orders
from assistant.rulesets.anarchy.aftermath import NobleNumbers, fight_and_loot
from assistant.rulesets.anarchy.convoys import buy_food
from assistant.rulesets.anarchy.encounters import resolve_attack
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import hire_company, lure_company, pay
from assistant.rulesets.anarchy.orders import act
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.realm import Men, half_pounds, men_of, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Order, Place, Train, pounds
from assistant.rulesets.anarchy.reorganise import ransom
from assistant.rulesets.anarchy.sieges import besiege, check_enemy_castle
from assistant.turn.chapters import EventType, Message, Rules, number, switch
from assistant.turn.game import Chest, Spent, free_name
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.row_columns import require_row
from assistant.turn.orders.taking import price
from assistant.turn.orders.verbs import Cost, Verb


class RecruitNumbers(Rules):
    """Whom a place gives, for how much."""

    recruit_light: int = number(1, both("£", "£"),
                                both("A man on light foot costs £{n}.", "Un fante leggero costa {n} £."))
    # half a pound (13.1): `number` takes whole ones only, so the price is a text
    recruit_peasant: str = switch(both("A peasant costs £{option}.", "Un contadino costa {option} £."),
                                  options=("0.5",), pattern="\\d+([.,][05])?")
    loot_neutral: Literal["yes", "no"] = switch(both("Neutral villages {option}.", "I villaggi neutrali {option}."),
                                                both("may be looted", "si possono saccheggiare"),
                                                both("may not be looted", "non si possono saccheggiare"),
                                                source="13.2, 14.5", usual=True)


RECRUITING_EVENTS = (
    EventType("recruited",
              both("{group:the} {group?recruits|recruit} {men} for £{n}.",
                   "{group:il} {group?recluta|reclutano} {men} per £{n}."), "money", 5, to="group"),
    EventType("provisioned",
              both("{group:the} {group?is|are} given {n} {n?point|points} of food {place:at}.",
                   "{group:il} {group?riceve|ricevono} {n} {n?punto|punti} di viveri {place:dove}."),
              "supply", 6, "14.5",
              ("n",
               {"0": both("{group:the} {group?finds|find} no food to take {place:at}.",
                          "{group:il} non {group?trova|trovano} viveri da prendere {place:dove}.")}), to="group"),
)

RECRUITING_FINDINGS = (
    Message("ANA-401", "error",
            both("{place:the} (loyalty {l}) will not help {side:the}.",
                 "{place:il} (lealtà {l}) non aiuta {side:il}.")),
    Message("ANA-402", "error",
            both("{place:the} can give {l} L and {p} P today.", "{place:il} può dare oggi {l} L e {p} P.")),
    Message("ANA-403", "error",
            both("Only a noble or knight recruits, in a village or monastery.",
                 "Recluta solo un nobile o cavaliere, in un villaggio o monastero.")),
    Message("ANA-404", "error", both("{place:the} is on your side.", "{place:il} è della tua parte.")),
    Message("ANA-405", "error",
            both("{place:the} is a castle: BESIEGE or ASSAULT.", "{place:il} è un castello: ASSEDIA o ASSALTA.")),
    Message("ANA-406", "warning", both("{place:the} has nothing left to take.", "{place:dove} non resta nulla.")),
    Message("ANA-407", "error", both("{place:the} does not exist yet.", "{place:il} non esiste ancora.")),
    Message("ANA-410", "info",
            both("Looting {place:the} costs {noble} {n} {n?point|points} of prestige.",
                 "Saccheggiare {place:il} costa {noble:a} {n} {n?punto|punti} di prestigio.")),
)

RECRUITING_CHAPTER = chapter(both("13.1 Recruiting", "13.1 Reclutamento delle truppe"), 10, RecruitNumbers,
                             RECRUITING_EVENTS, RECRUITING_FINDINGS,
                             cites=(citation(both("13 Money", "13 Le finanze"), 10),))


# the book says only that resources and loyalty must permit it (13.1); these figures are ours
RECRUITS = ((0, 0), (0, 0), (0, 0), (0, 2), (0, 2), (1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4))
"""Recruits that a place gives in a day by resources: L, P (13.1)."""


def recruit_price(f: Field, request: Request) -> int:
    """What the men of a row cost, in half-pounds (13.1)."""
    rules, men = RecruitNumbers.of(f), men_of(f, request.men).ranks
    return 2 * rules.recruit_light * men.get("light", 0) + half_pounds(rules.recruit_peasant) * men.get("peasants", 0)


class TrainNumbers(Rules):
    """What a siege train needs."""

    engineer_price: int = number(4, both("£ for the campaign", "£ per la campagna"),
                                 both("An engineer costs £{n} for the campaign, in a town.",
                                      "Un ingegnere costa {n} £ per la campagna, in una città."))
    oxen_per_engine: int = number(2, both("oxen", "buoi"),
                                  both("Each ram, gallery and mangonel needs {n} oxen.",
                                       "Ogni ariete, galleria e mangano vuole {n} buoi."))
    oxen_per_tower: int = number(4, both("oxen", "buoi"),
                                 both("Each siege tower needs {n} oxen.", "Ogni torre d'assedio vuole {n} buoi."))
    train_peasants: int = number(3, both("peasants", "contadini"),
                                 both("Each siege train needs {n} {n?peasant|peasants}.",
                                      "Ogni gruppo di macchine vuole {n} {n?contadino|contadini}."))


TRAINS_EVENTS = (
    EventType("engineer_hired", both("{group:the} {group?hires|hire} an engineer.",
                                     "{group:il} {group?assume|assumono} un ingegnere."),
              "money", 5, to="group"),
)

TRAINS_FINDINGS = (
    Message("ANA-107", "error", both("{unit:the} {unit?has no driver and stays|have no driver and stay}.",
                                     "{unit:il} non {unit?ha conduttore e resta|hanno conduttore e restano}.")),
    Message("ANA-108", "error", both("{unit:the} needs {list} to move.", "Per muoversi {unit:a} manca {list}.")),
    Message("ANA-409", "error",
            both("Engineers are hired in towns open to you.", "Gli ingegneri si assumono nelle città amiche.")),
)

both.words({"an engineer": "un ingegnere", "oxen": "buoi", "the place is neutral": "il luogo è neutrale"})

TRAINS_CHAPTER = chapter(both("10 Siege trains", "10 Le macchine d'assedio e gli ingegneri"), 8, TrainNumbers,
                         TRAINS_EVENTS, TRAINS_FINDINGS)


def missing_to_march(realm: Field, train: Train | Convoy) -> list[str]:
    """What a train lacks before it can move (10), or a convoy (12)."""
    if isinstance(train, Convoy):
        return [] if train.driver else ["a driver"]
    rules, small = TrainNumbers.of(realm), train.rams + train.galleries + train.mangonels
    oxen = small * rules.oxen_per_engine + train.towers * rules.oxen_per_tower
    wanting = {"an engineer": not train.engineers, "oxen": train.oxen < oxen,
               "peasants": train.engines and train.peasants < rules.train_peasants}
    return [what for what, lacking in wanting.items() if lacking]


# Acts on a hex of the march: recruit, sack, assault and others (chapters 10 to 16; rulebook: Orders).


# --- checks of places -------------------------------------------------------------------------------
def check_open_place(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse a place that is not open to the side (ANA-401)."""
    side = f.side(request.faction)
    level = place.loyalty if place.loyalty is not None else "-"
    refuse_if(not f.open_to(place, side), "ANA-401", field, place=place.place, l=level, side=side)


def check_town(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a town that is open to the side (ANA-409)."""
    refuse_if(place.kind != "town" or not f.open_to(place, f.side(request.faction)), "ANA-409", field)


# --- the acts, in the sequence of the rulebook page ---------------------------------------------------
def check_may_recruit(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse recruiting in a castle, or by a group without noble or knights (ANA-403)."""
    army = f.armies[request.unit]
    refuse_if(place.castle or not (f.with_them(army) or army.knights), "ANA-403", field)


def count_recruits(f: Field, request: Request, men: Men, had: dict[str, tuple[int, int]]) -> None:
    """Add recruits to those whom each place `had` to give today; refuse more than table 13.1 allows (ANA-402).

    A side that does not see the place's stores learns only on the spot that there are too few.
    """
    place: Place = require_row(f.places, request.target, "target")
    table, gone = RECRUITS[max(0, min(10, place.resources))], had.get(place.place, (0, 0))
    asked = men.ranks.get("light", 0), men.ranks.get("peasants", 0)
    left = [max(0, most - n) for most, n in zip(table, gone, strict=True)]
    too_many = asked[0] > left[0] or asked[1] > left[1]
    if set(men.ranks) - {"light", "peasants"} or (too_many and f.sees_stores(f.side(request.faction), place)):
        raise Refused("ANA-402", "men", place=place.place, l=left[0], p=left[1])
    had[place.place] = gone[0] + asked[0], gone[1] + asked[1]


def check_recruits(f: Field, request: Request, men: Men, field: str) -> None:
    """Refuse all but light foot and peasants, as many as the table gives (ANA-402)."""
    count_recruits(f, request, men, dict(f.recruited))


@act("RECRUIT", "RECLUTA", orders.a_place(check_may_recruit, check_open_place),
     men=orders.MenOf(usual=("L3", "L1", "P1"), then=(check_recruits,)), apart=("node",),
     cost=Cost("recruit_light", told=both("for each light foot soldier", "per ogni fante leggero"),
               reckoned=recruit_price),
     help=both("Recruit light foot and peasants.", "Recluta fanti leggeri e contadini."))
def recruit(f: Field, request: Request, army: Army, place: Place, men: Men) -> None:
    """Recruit light foot and peasants for money (13.1)."""
    # before the march nobody knows where the group will stand, so this is judged on the spot
    orders.check_same_hex(army, place)
    cost = orders.spend(f, request, "men")
    count_recruits(f, request, men, f.recruited)
    army.gain_all(men.ranks)
    f.tell("recruited", group=army.army, men=show_ranks(men.ranks), n=pounds(cost), place=place.place)


@act("ENGINEER", "INGEGNERE", orders.a_place(check_town),
     help=both("Hire an engineer in a town.", "Assumi un ingegnere in una città."),
     cost=Cost("engineer_price", reckoned=lambda f, request: 2 * TrainNumbers.of(f).engineer_price))
def engineer(f: Field, request: Request, army: Army, place: Place) -> None:
    """Hire an engineer into the group's train, or a new one (10)."""
    orders.check_same_hex(army, place)
    cost = orders.spend(f, request, "unit")
    # without a train he starts one that has no engine yet
    train = next(iter(f.led_trains(army)), None) or f.trains.add(Train(
        train=free_name(f.trains, f"T-{place.place}"), faction=army.faction, node=army.node, escort=army.army))
    train.engineers += 1
    f.tell("engineer_hired", group=army.army, n=pounds(cost))


def has_stores(f: Field, request: Request) -> bool:
    """Whether there is anything to draw or to loot, as far as the side knows."""
    return f.places[request.target].resources > 0


@act("PROVISION", "RIFORNISCI", orders.a_place(check_open_place), unit=orders.WALKER, apart=("node",),
     offered=has_stores,
     help=both("Draw tomorrow's food now, as much as the group needs.",
               "Preleva ora il cibo di domani, quanto ne serve al gruppo."))
def provision(f: Field, request: Request, army: Army, place: Place) -> None:
    """Draw tomorrow's food now (14.5)."""
    orders.check_same_hex(army, place)
    # food never outlasts a day (8.4): what exceeds tomorrow's need is left where it is
    lacking = need(f, army) - army.provisions
    n = max(0, min(lacking, place.resources))
    if lacking <= 0:
        request.find(f, "ANA-411", "target", unit=army.army, place=place.place)
        return
    if n:
        place.resources -= n
        army.provisions += n
    else:
        request.find(f, "ANA-406", "target", place=place.place)
    f.tell("provisioned", group=army.army, n=n, place=place.place)


def check_no_friend(f: Field, request: Request, target: Army, field: str) -> None:
    """Refuse an attack on unhired mercenaries or friends (ANA-404, 505)."""
    side = f.side(request.faction)
    refuse_if(f.is_unhired(target), "ANA-505", field)
    refuse_if(f.side(target.faction) == side and side != NEUTRAL, "ANA-404", field, place=target.army)


@act("ATTACK", "ATTACCA", orders.Met((Army,), then=(check_no_friend,)),
     help=both("Attack a group.", "Attacca un gruppo."))
def attack(f: Field, request: Request, army: Army, target: Army) -> None:
    """Attack a group that was on the hex already."""
    if not target.active or target.node != army.node or target.inside or f.is_attached(target):
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=target.army, y=target.node)
    refuse_if(f.friends(target, army), "ANA-404", "target", place=target.army)
    resolve_attack(f, army, target, army)


def check_may_sack(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse castles (ANA-405), own places (ANA-404), and neutral ones by the switch loot_neutral (ANA-011)."""
    refuse_if(place.castle, "ANA-405", field, place=place.place)
    band = f.band(place.loyalty)
    refuse_if(band == f.side(request.faction), "ANA-404", field, place=place.place)
    if band == NEUTRAL and RecruitNumbers.of(f).loot_neutral == "no":
        raise Refused("ANA-011", field, unit=request.unit, verb=request.verb, reason="the place is neutral")


@act("SACK", "SACCHEGGIA", orders.a_place(check_may_sack), also=("loot",), amount=orders.Points(blank=True),
     offered=has_stores,
     help=both("Sack a village or monastery; amount: points to loot.",
               "Saccheggia un villaggio o monastero; quantità: punti di bottino."))
def sack(f: Field, request: Request, army: Army, place: Place, points: int | None) -> None:
    """Fight the levy of a village or monastery, then loot it (13.2, 14.6)."""
    orders.check_same_hex(army, place)
    # an exhausted place raises no levy (14.6) and has no loot: nothing is fought for
    if place.resources <= 0:
        request.find(f, "ANA-406", "target", place=place.place)
        return
    fight_and_loot(f, army, place, points)


def advise_looter(f: Field, request: Request, army: Army, place: Place, *_: object) -> None:
    """Warn what sacking will cost in prestige, or that it will bring nothing (ANA-406, 410)."""
    leader = f.commander(army)
    if place.resources <= 0 and f.sees_stores(f.side(request.faction), place):
        request.find(f, "ANA-406", "target", place=place.place)
    elif leader is not None:
        rules = NobleNumbers.of(f)
        loss = rules.prestige_loot_monastic if f.monastic(place) else rules.prestige_loot_village
        request.find(f, "ANA-410", "target", place=place.place, noble=leader.noble, n=-loss)


@act("ASSAULT", "ASSALTA", orders.a_castle(check_enemy_castle), also=("storm",),
     help=both("Storm an enemy castle.", "Da' l'assalto a un castello nemico."))
def assault(f: Field, request: Request, army: Army, place: Place) -> None:
    """Storm an enemy castle held by its garrison and the groups inside; if it falls, loot it."""
    orders.check_same_hex(army, place)
    fight_and_loot(f, army, place)


def check_own_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a castle of the own side (ANA-413)."""
    refuse_if(not place.castle or place.holder != f.side(request.faction), "ANA-413", field, place=place.place)


@act("ENTER", "ENTRA", orders.a_castle(check_own_castle, after=("in", "to")), unit=orders.WALKER,
     offered=lambda f, request: f.armies[request.unit].inside != request.target,
     help=both("Go into a castle of your own.", "Entra in un tuo castello."))
def enter(f: Field, request: Request, army: Army, place: Place) -> None:
    """Go into an own castle, at no cost; not while it is besieged (rulebook: 5.3 Castles)."""
    refuse_if(place.node != army.node or f.is_besieged(place.place), "ANA-413", "target", place=place.place)
    stack = f.stack(army)
    for unit in stack:
        unit.inside, unit.besieging = place.place, ""
    f.tell("entered", unit=army.army, place=place.place)


ACTS = (recruit, engineer, provision, attack, sack, assault, besiege, enter)
"""The acts on a hex of the march, in the sequence in which they are done."""


def acts_here(f: Field, army: Army, here: str, last: bool) -> None:
    """Carry out a group's acts for this hex."""
    for request in f.due(army, ACTS, here, last):
        # on the march an ATTACK is the mover's choice when it meets the group (E5), not an act
        if request.verb != attack.en or army.army not in f.heading:
            orders.carry_out_act(f, request)


POUNDS_IN_ALL_GROUPS = both("pounds in all groups", "sterline in tutti i gruppi")


def chests(f: Field, faction: str) -> list[Chest]:
    """A faction's purses taken together, in half-pounds, and what each kind of order takes out of them.

    Which group pays, and whether it can, is judged when the day is resolved.
    """
    side = f.side(faction)

    def price_of(verb: Verb, **cells: Any) -> int:
        return price(f, Request(Order(faction=faction), verb.en, **cells))

    letters = tuple((letter, price_of(recruit, men=f"{letter}1")) for letter in "LP")
    about = [*((verb, company.army) for company in f.armies if company.mercenary and f.heads(company)
               for verb in (pay, hire_company, lure_company)),
             *((ransom, noble.noble) for noble in f.nobles
               if noble.state == "prisoner" and f.side(noble.faction) == side and noble.prestige)]
    spent = [Spent(engineer.en, price_of(engineer)), Spent(buy_food.en, price_of(buy_food, amount=1), "amount"),
             Spent(recruit.en, 1, "men", letters=letters),
             *(Spent(verb.en, price_of(verb, target=code), where=(("target", code),)) for verb, code in about)]
    mine = [army.money for army in f.armies if army.faction == faction]
    return [Chest(sum(mine), POUNDS_IN_ALL_GROUPS, tuple(spent), parts=2)] if mine else []
