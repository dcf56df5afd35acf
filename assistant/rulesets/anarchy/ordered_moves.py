"""The movement orders of a day: acts on the march, marches, sallies, sieges lifted (chapters 8, 10 to 16)."""

from __future__ import annotations

from typing import Any, Literal

from assistant.campaign.hexmap import direction
from assistant.rulesets.anarchy import NAMED, VOCABULARY, aftermath, both, citation, orders
from assistant.rulesets.anarchy.aftermath import NobleNumbers
from assistant.rulesets.anarchy.convoys import ConvoyNumbers, buy_food
from assistant.rulesets.anarchy.encounters import DEALS, resolve_attack
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.field import MarchingUnit as Marching
from assistant.rulesets.anarchy.mercenaries import MercenaryNumbers
from assistant.rulesets.anarchy.orders import (
    WALKER,
    ActingUnit,
    MarchRoute,
    MenOf,
    Points,
    a_castle,
    a_place,
    act,
    afford,
    carry_out_act,
    check_same_hex,
    day_order,
    met_group,
    one_of,
    target_of,
    tell_not_done,
)
from assistant.rulesets.anarchy.provisions import WoundNumbers, need
from assistant.rulesets.anarchy.realm import Men, half_pounds, hex_of, men_of, path_of, show_ranks
from assistant.rulesets.anarchy.records import LETTER_OF, NEUTRAL, Army, Convoy, Place, Train, pounds
from assistant.rulesets.anarchy.reorganise import CaptiveNumbers
from assistant.rulesets.anarchy.sieges import besiege, check_enemy_castle, lift
from assistant.turn.chapters import Chapter, EventType, Message, Rules, number, switch
from assistant.turn.game import Chest, Spent, free_name
from assistant.turn.orders.columns import require_row
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.taking import column_values, refuse
from assistant.turn.orders.verbs import Cost


class RecruitNumbers(Rules):
    """Whom a place gives, for how much."""

    recruit_light: int = number(1, both("£", "£"),
                                both("A man on light foot costs £{n}.", "Un fante leggero costa {n} £."))
    recruit_peasant: str = switch(both("A peasant costs £{option}.", "Un contadino costa {option} £."),
                                  options=("0.5",), pattern="\\d+([.,][05])?")
    loot_neutral: Literal["yes", "no"] = switch(both("Neutral villages {option}.", "I villaggi neutrali {option}."),
                                                both("may be looted", "si possono saccheggiare"),
                                                both("may not be looted", "non si possono saccheggiare"),
                                                source="13.2, 14.5", usual=True)


RECRUITING_EVENTS = (
    EventType("recruited",
              both("{group:the} {group?recruits|recruit} {men} for £{n}.",
                   "{group:il} {group?recluta|reclutano} {men} per £{n}."), "money",
              5, to="group"),
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

RECRUITING_CHAPTER = Chapter(both("13.1 Recruiting", "13.1 Reclutamento delle truppe"),
                             (citation("13.1 Recruiting", 10), citation(both("13 Money", "13 Le finanze"), 10)),
                             RecruitNumbers, RECRUITING_EVENTS, RECRUITING_FINDINGS)


RECRUITS = ((0, 0), (0, 0), (0, 0), (0, 2), (0, 2), (1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4))
"""Recruits that a place gives in a day by resources: L, P (13.1)."""


def recruit_prices(f: Field) -> tuple[tuple[str, int], ...]:
    """The ranks that can be recruited, each with its price in half-pounds (13.1)."""
    rules = RecruitNumbers.of(f)
    return ("light", 2 * rules.recruit_light), ("peasants", half_pounds(rules.recruit_peasant))


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

TRAINS_CHAPTER = Chapter(both("10 Siege trains", "10 Le macchine d'assedio e gli ingegneri"),
                         (citation("10 Siege trains", 8),), TrainNumbers, TRAINS_EVENTS, TRAINS_FINDINGS)


class TurnNumbers(Rules):
    """When marches are written."""

    orders_mode: Literal["written", "at_activation"] = switch(
        both("Marches are {option}.", "Le marce {option}."),
        both("written before the day", "si scrivono prima del giorno"),
        both("asked when a unit's turn comes, if not written", "si chiedono al turno dell'unità, se non scritte"),
        usual=True)


FINDINGS = (
    Message("ANA-101", "error", both("{hex:the} is not on the map.", "{hex:il} è fuori mappa."), certain=True),
    Message("ANA-102", "error",
            both("{a} and {b} do not touch. Give every hex, or only the last.",
                 "{a:il} e {b:il} non si toccano. Indica tutti gli esagoni, o solo l'ultimo.")),
    Message("ANA-103", "warning",
            both("The path costs {c}, {unit:the} has {pm}: it will stop {hex:at}.",
                 "Il percorso costa {c}, {unit} ha {pm}: si fermerà {hex:dove}.")),
    Message("ANA-104", "error",
            both("{unit:the} {unit?is|are} shut in {place:the}: SALLY or wait.",
                 "{unit:il} non {unit?può|possono} uscire {place:da}: SORTITA o attesa.")),
    Message("ANA-106", "error",
            both("{unit:the} {unit?moves|move} with {employer:the}. DETACH first.",
                 "{unit:il} {unit?si muove|si muovono} {employer:con}. Prima STACCA.")),
    Message("ANA-109", "error",
            both("{unit:the} {unit?escorts|escort} {p:the}: the path must end nearer to {place:the}.",
                 "{unit:il} {unit?scorta|scortano} {p:il}: il percorso deve finire più vicino "
                 "{place:a}.")),
    Message("ANA-110", "error", both("{unit:the} {unit?is|are} moved by {side:the} today.",
                                     "Oggi tocca {side:a} muovere {unit:il}.")),
    Message("ANA-111", "warning",
            both("{path} does not near the closest group: the default way is used.",
                 "{path} non avvicina al gruppo più vicino: si usa la via normale.")),
    Message("ANA-112", "warning",
            both("{a:the} and {b:the} share {hex:the}: they become one at the close unless one leaves.",
                 "{a:il} e {b:il} condividono {hex:il}: riuniti a fine giorno se nessuno parte."), means=NAMED),
    Message("ANA-113", "info", both("Way chosen: {path}, {c} PM.", "Via scelta: {path}, {c} PM.")),
    Message("ANA-114", "warning",
            both("{verb} {hex:at} was not done: {unit:the} did not get there.",
                 "{verb} {hex:dove} non eseguito: {unit:il} non {unit?ha|hanno} raggiunto quel luogo."),
            ("why",
             {"over": both("{verb} {hex:at} was not done: the day of {unit:the} was over before.",
                           "{verb} {hex:dove} non eseguito: la giornata {unit:di} era già finita."),
              "unmet": both("{verb} was not done: {unit:the} did not meet {b:the}.",
                            "{verb} non eseguito: {unit:il} non {unit?ha|hanno} incontrato {b:il}."),
              "parted": both("{verb} was not done: {unit:the} met {b:the}, and they went their ways.",
                             "{verb} non eseguito: {unit:il} e {b:il} si sono incontrati, e non se n'è fatto nulla.")}),
            means=NAMED),
    Message("ANA-413", "error",
            both("{place:the} is not yours, not here, or besieged.",
                 "{place:il} non è tu{place?o|a|oi|e}, non è qui o è assediat{place?o|a|i|e}.")),
)

both.words({
    "it besieges nothing": "non assedia nulla", "fewer than the besieged": "meno numeroso degli assediati",
    "the place is neutral": "il luogo è neutrale", "an engineer": "un ingegnere", "oxen": "buoi",
})

CHAPTER = Chapter(both("6 The turn", "6 Il turno di gioco"), (citation("6 The turn", 6),), TurnNumbers,
                  findings=FINDINGS)


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


@act("RECRUIT", "RECLUTA", a_place(check_may_recruit, check_open_place),
     men=MenOf(usual=("L3", "L1", "P1"), then=(check_recruits,)), apart=("node",),
     cost=Cost("recruit_light", told=both("for each light foot soldier", "per ogni fante leggero"),
               reckoned=lambda f, request: sum(
each * men_of(f, request.men).ranks.get(rank, 0) for rank, each in recruit_prices(f))),
     help=both("Recruit light foot and peasants.", "Recluta fanti leggeri e contadini."))
def recruit(f: Field, request: Request, army: Army, place: Place, men: Men) -> None:
    """Recruit light foot and peasants for money (13.1)."""
    check_same_hex(army, place)
    cost = afford(f, request, "men")
    count_recruits(f, request, men, f.recruited)
    for rank, n in men.ranks.items():
        army.gain(rank, n)
    army.money -= cost
    f.tell("recruited", group=army.army, men=show_ranks(men.ranks), n=pounds(cost), place=place.place)


@act("ENGINEER", "INGEGNERE", a_place(check_town),
     help=both("Hire an engineer in a town.", "Assumi un ingegnere in una città."),
     cost=Cost("engineer_price", reckoned=lambda f, request: 2 * TrainNumbers.of(f).engineer_price))
def engineer(f: Field, request: Request, army: Army, place: Place) -> None:
    """Hire an engineer into the group's train, or a new one (10)."""
    check_same_hex(army, place)
    cost = afford(f, request, "unit")
    army.money -= cost
    train = next(iter(f.led_trains(army)), None) or f.trains.add(Train(
        train=free_name(f.trains, f"T-{place.place}"), faction=army.faction, node=army.node, escort=army.army))
    train.engineers += 1
    f.tell("engineer_hired", group=army.army, n=pounds(cost))


@act("PROVISION", "RIFORNISCI", a_place(check_open_place), unit=WALKER, apart=("node",),
     help=both("Draw tomorrow's food now.", "Preleva ora il cibo di domani."))
def provision(f: Field, request: Request, army: Army, place: Place) -> None:
    """Draw tomorrow's food now (14.5)."""
    check_same_hex(army, place)
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


@act("ATTACK", "ATTACCA", met_group(check_no_friend), help=both("Attack a group.", "Attacca un gruppo."))
def attack(f: Field, request: Request, army: Army, target: Army) -> None:
    """Attack a group that was on the hex already."""
    if not target.active or target.node != army.node or target.inside or f.is_attached(target):
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=target.army, y=target.node)
    refuse_if(f.side(target.faction) == f.side(army.faction), "ANA-404", "target", place=target.army)
    resolve_attack(f, army, target, army)


def check_may_sack(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse castles (ANA-405), own places (ANA-404), and neutral ones by the switch loot_neutral (ANA-011)."""
    refuse_if(place.castle, "ANA-405", field, place=place.place)
    band = f.band(place.loyalty)
    refuse_if(band == f.side(request.faction), "ANA-404", field, place=place.place)
    if band == NEUTRAL and RecruitNumbers.of(f).loot_neutral == "no":
        raise Refused("ANA-011", field, unit=request.unit, verb=request.verb, reason="the place is neutral")


@act("SACK", "SACCHEGGIA", a_place(check_may_sack), also=("loot",), amount=Points(blank=True),
     help=both("Sack a village or monastery; amount: points to loot.",
               "Saccheggia un villaggio o monastero; quantità: punti di bottino."))
def sack(f: Field, request: Request, army: Army, place: Place, points: int | None) -> None:
    """Fight the levy, then loot (13.2, 14.6)."""
    check_same_hex(army, place)
    if place.resources <= 0:
        request.find(f, "ANA-406", "target", place=place.place)
        return
    aftermath.sack(f, army, place, points)


def advise_looter(f: Field, request: Request, army: Army, place: Place, *_: object) -> None:
    """Warn what sacking will cost in prestige, or that it will bring nothing (ANA-406, 410)."""
    leader = f.commander(army)
    if place.resources <= 0 and f.sees_stores(f.side(request.faction), place):
        request.find(f, "ANA-406", "target", place=place.place)
    elif leader is not None:
        rules = NobleNumbers.of(f)
        loss = rules.prestige_loot_monastic if f.monastic(place) else rules.prestige_loot_village
        request.find(f, "ANA-410", "target", place=place.place, noble=leader.noble, n=-loss)


@act("ASSAULT", "ASSALTA", a_castle(check_enemy_castle), also=("storm",),
     help=both("Storm an enemy castle.", "Da' l'assalto a un castello nemico."))
def assault(f: Field, request: Request, army: Army, place: Place) -> None:
    """Storm an enemy castle."""
    check_same_hex(army, place)
    aftermath.assault(f, army, place)


def check_own_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a castle of the own side (ANA-413)."""
    refuse_if(not place.castle or place.holder != f.side(request.faction), "ANA-413", field, place=place.place)


@act("ENTER", "ENTRA", a_castle(check_own_castle, after=("in", "to")), unit=WALKER,
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
            carry_out_act(f, request)


# Reading the orders before the first step, and closing them in the evening (rulebook: Orders).


def read_orders(f: Field) -> None:
    """Sort the day's orders for the activations; refuse those that overdraw a purse or are not valid."""
    marches = {verb.en: verb.deed for verb in (move, hold, mercs, sally, lift) if verb.deed is not None}
    for request in orders.count_money(f, orders.take_rows(f)):
        if request.row.status:
            continue
        try:
            if request.node:
                request.node = hex_of(f, request.node, "node")
            values = column_values(f, request)
            if request.verb in marches:
                marches[request.verb](f, request, *values)
            else:
                if request.verb == recruit.en:
                    count_recruits(f, request, men_of(f, request.men), f.wanted)
                elif request.verb == sack.en:
                    advise_looter(f, request, *values)
                f.acts.setdefault(request.unit, []).append(request)
        except Refused as why:
            refuse(f, request, why)
    for requests in f.acts.values():
        for request in requests:
            _find_out_of_reach(f, request)
    # friends who shared a hex at the last close will be merged unless one of them leaves
    stay = [a for a in f.active() if not a.mercenary and not a.inside and f.side(a.faction) != NEUTRAL
            and a.shares_since is not None and not (a.army in f.moves and f.moves[a.army].verb == "MOVE")]
    for army in stay:
        for other in stay:
            friends = f.side(army.faction) == f.side(other.faction)
            if army.army < other.army and army.node == other.node and friends:
                f.find("ANA-112", army, "node", a=army.army, b=other.army, hex=army.node)


# --- where acts are done ----------------------------------------------------------------------------
def expected_way(f: Field, unit: Marching) -> list[str] | None:
    """Today's way: by order; escorts go to their destination, neutral convoys where they head.

    None if the unit's side will be asked for it (switch orders_mode).
    """
    move = f.moves.get(unit.ident)
    if move is not None:
        return ordered_way(f, move, unit) if move.verb == "MOVE" else []
    goal = None
    if isinstance(unit, Army) and f.escorted_captives(unit):
        goal = f.places.get(f.escorted_captives(unit)[0].destination)
    elif f.side(unit.faction) != NEUTRAL:
        return None if TurnNumbers.of(f).orders_mode == "at_activation" else []
    elif isinstance(unit, Convoy):
        goal = f.places.get(unit.home if unit.heading == "home" else unit.goal)
    return f.cheapest(unit.node, [goal.node]) if goal is not None and goal.node != unit.node else []


def named_place_hex(f: Field, request: Request) -> str:
    """The hex of the place that an act names; "" if its target is a unit."""
    about = target_of(f, request)
    return str(about.node) if isinstance(about, Place) else ""


def _find_out_of_reach(f: Field, request: Request) -> None:
    """Report at once an act whose hex is not on the group's march (ANA-114, 203, 413)."""
    army = f.armies[request.unit]
    way = expected_way(f, army)
    home = named_place_hex(f, request)
    if way is None or request.row.status:
        return
    at = request.node or (home if home in (army.node, *way) else way[-1] if way else army.node)
    if home and at != home:
        request.row.status = "refused"
        elsewhere = Refused("ANA-203", "target", a=army.army, x=at, b=request.target, y=home)
        tell_not_done(f, request, Refused("ANA-413", "target", place=request.target) if request.verb == enter.en
                 else elsewhere)
    elif at not in (army.node, *way):
        request.row.status = "accepted"
        tell_not_done(f, request, Refused("ANA-114", "node", verb=request.verb, hex=at, unit=army.army))


# --- MOVE -----------------------------------------------------------------------------------------
def check_may_march(f: Field, request: Request, unit: Marching, field: str) -> None:
    """Refuse units that follow others, are shut in, or lack what they need to march (ANA-104, 106, 107, 108)."""
    if isinstance(unit, Army):
        orders.check_by_itself(f, request, unit, field)
        orders.check_at_large(f, request, unit, field)
    elif isinstance(unit, (Convoy, Train)) and unit.escort:
        raise Refused("ANA-106", field, unit=unit.ident, employer=unit.escort)
    elif isinstance(unit, Convoy) and not unit.driver:
        raise Refused("ANA-107", field, unit=unit.convoy)
    elif isinstance(unit, Train) and (missing := missing_to_march(f, unit)):
        raise Refused("ANA-108", field, unit=unit.train, list=", ".join(missing))



@day_order("MOVE", "MUOVI", "movement", also=("march", "marcia"), group="march",
           unit=ActingUnit((Army, Convoy, Train), then=(check_may_march,)), path=MarchRoute(),
           choice=one_of("attack", "pass", "ask", blank=True, like=VOCABULARY["on_meeting"]),
           help=both("March: hexes, directions, or one far hex or place; choice: attack, pass, ask.",
                     "Marcia: esagoni, direzioni, o una sola meta lontana; scelta: attacca, passa, chiedi."))
def move(f: Field, request: Request, unit: Army | Convoy | Train, choice: str) -> None:
    """March; judged here as far as that is possible before the first step."""
    path = hexes_of_march(f, request, unit.node)
    f.ways[request.unit] = unit.node, path_of(f, " ".join(request.path), unit.node)
    if path:
        _advise_march(f, request, unit, path)
    f.moves[request.unit] = request


def hexes_of_march(f: Field, request: Request, start: str) -> list[str]:
    """The hexes of a march, to a far goal by the cheapest way. Raises `Refused` if there is none (ANA-102)."""
    way = path_of(f, " ".join(request.path), start)
    hexes = f.cheapest(start, way.hexes) if way.far else way.hexes
    refuse_if(way.far and not hexes, "ANA-102", "path", a=start, b=" ".join(request.path))
    return hexes


def ordered_way(f: Field, request: Request, unit: Marching) -> list[str]:
    """The ordered march from where the unit is when its turn comes.

    If it has been moved since the orders were read: on from the hex of the path where it is, else the cheapest way to
    the start of the path.
    """
    start, way = f.ways[request.unit]
    path = way.hexes
    if way.far:
        return [] if unit.node in path else f.cheapest(unit.node, path)
    if unit.node != start and unit.node in path:
        return path[path.index(unit.node) + 1:]
    if unit.node == start or not path or direction(unit.node, path[0]):
        return path
    return [*f.cheapest(unit.node, [path[0]]), *path[1:]]


def _advise_march(f: Field, request: Request, unit: Marching, path: list[str]) -> None:
    """Tell a march's cost and reach (ANA-103, 113); refuse one that ends in the wrong direction (ANA-105, 109)."""
    today = f.points_today(unit)
    cost = f.hexes.price(unit.node, path, f.step_cost)
    if f.ways[request.unit][1].far:
        request.find(f, "ANA-113", "path", path=" ".join(path), c=cost)
    end = [unit.node, *f.reach(unit.node, path, today)][-1]
    if cost > today:
        request.find(f, "ANA-103", "path", c=cost, unit=unit.ident, pm=today, hex=end)
    if not isinstance(unit, Army):
        return
    hurt = any(f.hurt_men(a) for a in f.stack(unit))
    if hurt and WoundNumbers.of(f).wounded_march == "must":  # not farther from care (15.7)
        now, then = (f.nearest_own(f.side(unit.faction), node) for node in (unit.node, end))
        if now is not None and then is not None and f.distance(end, then.node) > f.distance(unit.node, now.node):
            raise Refused("ANA-105", "path", unit=unit.army, place=now.place)
    for record in f.escorted_captives(unit):  # nearer to the captives' destination
        goal = f.places.get(record.destination)
        if goal is not None and unit.node != goal.node and (
                f.distance(end, goal.node) >= f.distance(unit.node, goal.node)):
            raise Refused("ANA-109", "path", unit=unit.army, p=record.prisoners, place=goal.place)


def missing_to_march(realm: Field, train: Train) -> list[str]:
    """What a train lacks before it can move (10)."""
    rules, small = TrainNumbers.of(realm), train.rams + train.galleries + train.mangonels
    oxen = small * rules.oxen_per_engine + train.towers * rules.oxen_per_tower
    wanting = {"an engineer": not train.engineers, "oxen": train.oxen < oxen,
               "peasants": train.engines and train.peasants < rules.train_peasants}
    return [what for what, lacking in wanting.items() if lacking]


# --- HOLD, MERCS, SALLY, LIFT -----------------------------------------------------------------------
@day_order("HOLD", "RESTA", "movement", also=("stay", "fermo", "ferma"), group="march",
           unit=ActingUnit((Army, Convoy, Train)), help=both("Stand where the group is.",
                                                             "Resta dove il gruppo si trova."))
def hold(f: Field, request: Request, unit: Army | Convoy | Train) -> None:
    """Stay where the unit is."""
    f.moves[request.unit] = request


@day_order("MERCS", "MERCENARI", "movement", also=("mercenaries",), group="march", unit=ActingUnit((Army,), free=True),
           path=MarchRoute(blank=True),
           help=both("Move unhired mercenaries towards the nearest group.",
                     "Muovi i mercenari liberi verso il gruppo più vicino."))
def mercs(f: Field, request: Request, company: Army) -> None:
    """Move unhired mercenaries, if it is the side's turn to do so."""
    side = f.side(request.faction)
    if not f.is_unhired(company):
        raise f.under_contract(company, side, "unit")
    refuse_if(company.moves_next != side, "ANA-110", "unit", unit=company.army, side=company.moves_next or NEUTRAL)
    if request.path:
        hexes_of_march(f, request, company.node)
    f.moves[request.unit] = request


def check_may_sally(f: Field, request: Request, unit: Army | Place, field: str) -> None:
    """Refuse a group that follows another or may not fight (ANA-011, 106)."""
    if isinstance(unit, Army):
        orders.check_by_itself(f, request, unit, field)
        orders.check_may_fight(f, request, unit, field)


@day_order(
    "SALLY", "SORTITA", "movement",
    unit=ActingUnit((Army, Place), which=lambda row: isinstance(row, Army) or row.castle, then=(check_may_sally,)),
    help=both("Attack the besiegers from inside.", "Attacca gli assedianti dall'interno."))
def sally(f: Field, request: Request, unit: Army | Place) -> None:
    """A group inside, or the castle itself, attacks the besiegers."""
    place = unit if isinstance(unit, Place) else f.places.get(unit.inside)
    if place is None or not f.is_besieged(place.place):
        raise Refused("ANA-412", "unit", place=place.place if place is not None else request.unit)
    f.sallies[request.unit] = request


# --- orders that were not carried out -------------------------------------------------------------
def close_movement(f: Field) -> None:
    """M5: dissolve small groups, set counters, report undone orders, void battles that were not fought (ANA-807)."""
    f.dissolve_small()
    f.count_horsemen()
    acts = ((request, _undone_refusal) for requests in f.acts.values() for request in requests)
    for request, why in (*acts,
                         *((request, _no_siege_refusal) for request in (*f.lifts.values(), *f.sallies.values()))):
        if not request.row.status:
            tell_not_done(f, request, why(f, request))
            request.row.status = "refused" if f.game.findings[-1].stops else "accepted"
    for request in f.moves.values():
        request.row.status = request.row.status or "accepted"
    f.report_unasked()
    for row in f.battles:
        if row.turn == f.game.turn and row.battle not in f.fought:
            if row.outcome:
                f.find("ANA-807", row, "battle", b=row.battle)
            row.status = "void"


def _over_refusal(request: Request, node: str) -> Refused:
    return Refused("ANA-114", "verb", verb=request.verb, hex=node, unit=request.unit, why="over")


def _no_siege_refusal(f: Field, request: Request) -> Refused:
    """Why a LIFT or SALLY was not done: the siege was over before, or the group's day was."""
    group = f.armies.get(request.unit)
    place = f.places.get(request.unit if group is None else group.inside or group.besieging)
    if place is not None and not f.besiegers(place):
        return Refused("ANA-412", "unit", place=place.place)
    return _over_refusal(request, place.node if group is None and place is not None else f.armies[request.unit].node)


def _undone_refusal(f: Field, request: Request) -> Refused:
    """Why an act was not done: its hex was not reached, the day was over, nobody was met, or they did not agree."""
    with_somebody = request.verb in [verb.en for verb in (*DEALS, attack)]
    walked = f.ways[request.unit][1].hexes if request.unit in f.ways else []
    goal = request.node or ("".join(walked[-1:]) if with_somebody else named_place_hex(f, request))
    unit = f.armies[request.unit]
    there = (request.unit, goal) in f.visited or unit.node == goal
    if not there and (goal or not with_somebody):
        return Refused("ANA-114", "node" if request.node else "verb", verb=request.verb, hex=goal, unit=request.unit)
    about = target_of(f, request)
    if about is not None and frozenset((unit.army, about.ident)) in f.met:
        return _no_bargain_refusal(f, request, unit, about)
    if about is None or not f.able(unit):
        return _over_refusal(request, goal or unit.node)
    if about.node != unit.node:
        return Refused("ANA-203", "target", a=unit.army, x=unit.node, b=about.ident, y=about.node)
    return Refused("ANA-114", "target", verb=request.verb, hex=unit.node, unit=unit.army, b=about.ident, why="unmet")


def _no_bargain_refusal(f: Field, request: Request, unit: Army, about: Any) -> Refused:
    """Why a meeting came to nothing: a rule forbids the deal, the purse is too small, or they parted."""
    buys = request.verb == buy_food.en
    try:
        column_values(f, request)
        if buys and isinstance(about, Convoy):  # the convoy or the purse is empty, or no food is needed
            refuse_if(not about.cargo, "ANA-406", "target", place=about.convoy)
        if f.game.orders[request.verb].cost is not None and (isinstance(about, Convoy) or not buys):
            afford(f, request, "unit")
    except Refused as why:
        return why
    if buys and isinstance(about, Convoy):
        return Refused("ANA-411", "target", unit=unit.army, place=about.convoy)
    return Refused("ANA-114", "target", verb=request.verb, hex=unit.node, unit=unit.army, b=about.ident, why="parted")


POUNDS_IN_ALL_GROUPS = both("pounds in all groups", "sterline in tutti i gruppi")


def chests(f: Field, faction: str) -> list[Chest]:
    """A faction's purses taken together, in half-pounds, and what each kind of order takes out of them.

    Which group pays, and whether it can, is judged when the day is resolved.
    """
    rules, side = MercenaryNumbers.of(f), f.side(faction)
    heads = [(army.army, f.heads(army)) for army in f.armies if army.mercenary and f.heads(army)]
    ransom = 2 * CaptiveNumbers.of(f).ransom_per_prestige
    spent = [Spent("ENGINEER", 2 * TrainNumbers.of(f).engineer_price),
             Spent("BUY", 2 * ConvoyNumbers.of(f).convoy_price, "amount"),
             Spent("RECRUIT", 1, "men", letters=tuple((LETTER_OF[rank], each) for rank, each in recruit_prices(f))),
             *(Spent(verb, 2 * price * n, where=(("target", code),)) for code, n in heads for verb, price in (
                 ("PAY", rules.merc_price), ("HIRE", rules.merc_price), ("LURE", rules.lure_price))),
             *(Spent("RANSOM", ransom * noble.prestige, where=(("target", noble.noble),))
               for noble in f.nobles if noble.state == "prisoner" and f.side(noble.faction) == side and noble.prestige)]
    mine = [army.money for army in f.armies if army.faction == faction]
    return [Chest(sum(mine), POUNDS_IN_ALL_GROUPS, tuple(spent), parts=2)] if mine else []
