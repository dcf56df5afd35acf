"""The turn: marches ordered, units activated in order of march, standoffs (6; rulebook: Orders, Activation)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

from assistant.campaign.map import direction
from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import NAMED, VOCABULARY, acts, both, chapter, encounters, orders
from assistant.rulesets.anarchy.convoys import buy_food, may_deal, meet_convoy, meet_goods, meet_train
from assistant.rulesets.anarchy.field import Field, MarchingUnit
from assistant.rulesets.anarchy.mercenaries import try_to_hire
from assistant.rulesets.anarchy.orders import day_order
from assistant.rulesets.anarchy.provisions import WoundNumbers
from assistant.rulesets.anarchy.realm import asked, choice_code, hex_of, men_of, path_of
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Place, Train
from assistant.rulesets.anarchy.reorganise import DayCount
from assistant.rulesets.anarchy.sieges import lift
from assistant.turn.chapters import Chapter, EventType, Message, Rules, switch
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.taking import column_values, refuse
from assistant.turn.questions import Ask, Option, Text, Waiting


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
            both("The path costs {c} {c?movement point|movement points}, {unit:the} has {pm} today, as season, wounds "
                 "or hunger may shorten a march: it will stop {hex:at}.",
                 "Il percorso costa {c} {c?punto|punti} movimento, {unit:il} oggi ne ha {pm}, perché stagione, ferite "
                 "o fame possono accorciare la marcia: si fermerà {hex:dove}.")),
    Message("ANA-104", "error",
            both("{unit:the} {unit?is|are} shut in {place:the}: SALLY or wait.",
                 "{unit:il} non {unit?può|possono} uscire {place:da}: SORTITA o attesa.")),
    Message("ANA-106", "error",
            both("{unit:the} {unit?moves|move} with {employer:the}. DETACH first.",
                 "{unit:il} {unit?si muove|si muovono} {employer:con}. Prima STACCA.")),
    Message("ANA-109", "error", both(
        "{unit:the} {unit?escorts|escort} {p:the}: the path must end nearer to {place:the}.",
        "{unit:il} {unit?scorta|scortano} {p:il}: il percorso deve finire più vicino {place:a}.")),
    Message("ANA-110", "error", both("{unit:the} {unit?is|are} moved by {side:the} today.",
                                     "Oggi tocca {side:a} muovere {unit:il}.")),
    Message("ANA-111", "warning",
            both("{path} does not near the closest group: the default way is used.",
                 "{path} non avvicina al gruppo più vicino: si usa la via normale.")),
    Message("ANA-112", "warning",
            both("{a:the} and {b:the} share {hex:the}: they become one at the close unless one leaves.",
                 "{a:il} e {b:il} condividono {hex:il}: riuniti a fine giorno se nessuno parte."), means=NAMED),
    Message("ANA-113", "info", both("Way chosen: {path}, {c} {c?movement point|movement points}.",
                                     "Via scelta: {path}, {c} {c?punto|punti} movimento.")),
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
})

TURN_CHAPTER = chapter(both("6 The turn", "6 Il turno di gioco"), 6, TurnNumbers, findings=FINDINGS)


EVENTS = (
    EventType("arrived",
              both("{unit:the} {unit?enters|enter} the map {hex:at}.",
                   "{unit:il} {unit?entra|entrano} sulla mappa {hex:dove}."), "moves",
              4, to=ALL),
    EventType("order_of_march", both("Order of march: {list}.", "Ordine di marcia: {list}."), "moves", 6,
              variants=("list", {"": both("Nobody is there to march.", "Non c'è nessuno che marci.")}), to=ALL,
              opening=True),
)

QUESTIONS = (
    asked("standoff",
          both("{unit:the} {unit?shares|share} {hex:the} with an enemy: attack {met:the}, or withdraw?",
               "{unit:il} {unit?ha|hanno} davanti un nemico {hex:dove}: attaccare {met:il} o ritirarsi?"),
          stands=Option(("attack", "withdraw"))),
    asked("move",
          both("{unit:the} {unit?has|have} no order: which way now? Answer hexes, or hold.",
               "{unit:il} non {unit?ha ordini: dove va|hanno ordini: dove vanno}? Rispondi con esagoni, o resta.")),
)

both.words({
    "standoff": "stallo", "move": "movimento",
})

CHAPTER = Chapter(both("6 Order of march", "6 Ordine di marcia"), (), events=EVENTS, questions=QUESTIONS, rests_on="6")


# Reading the orders before the first step, and closing them in the evening (rulebook: Orders).


def read_orders(f: Field) -> None:
    """Sort the day's orders for the activations; refuse those that overdraw a purse or are not valid."""
    marches = {verb.en: verb.deed for verb in (move, hold, mercs, sally, lift) if verb.deed is not None}
    requests = orders.take_rows(f)
    DayCount(f, requests, refuses=True).count()
    for request in requests:
        if request.row.status:
            continue
        try:
            if request.node:
                request.node = hex_of(f, request.node, "node")
            values = column_values(f, request)
            if request.verb in marches:
                marches[request.verb](f, request, *values)
            else:
                # counted down in order of number before anybody marches, as money is: the later order is refused
                if request.verb == acts.recruit.en:
                    acts.count_recruits(f, request, men_of(f, request.men), f.wanted)
                elif request.verb == acts.sack.en:
                    acts.advise_looter(f, request, *values)
                f.acts.setdefault(request.unit, []).append(request)
        except Refused as why:
            refuse(f, request, why)
    # only now, for the MOVE that decides it may stand below the act on the sheet
    for requests in f.acts.values():
        for request in requests:
            _find_out_of_reach(f, request)
    # friends who shared a hex at the last close will be merged unless one of them leaves
    stay = f.armies.where(
        lambda a: a.active and a.shares_since is not None and not a.mercenary and not a.inside
        and f.side(a.faction) != NEUTRAL and not (a.army in f.moves and f.moves[a.army].verb == "MOVE"))
    for army in stay:
        for other in stay:
            if army.army < other.army and army.node == other.node and f.friends(army, other):
                f.find("ANA-112", army, "node", a=army.army, b=other.army, hex=army.node)


# --- where acts are done ----------------------------------------------------------------------------
def expected_way(f: Field, unit: MarchingUnit) -> list[str] | None:
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
    about = orders.target_of(f, request)
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
        orders.tell_not_done(f, request, Refused("ANA-413", "target", place=request.target)
                             if request.verb == acts.enter.en
                             else Refused("ANA-203", "target", a=army.army, x=at, b=request.target, y=home))
    elif at not in (army.node, *way):
        # ANA-114 is a warning: the order was right, only its hex is not reached
        request.row.status = "accepted"
        orders.tell_not_done(f, request, Refused("ANA-114", "node", verb=request.verb, hex=at, unit=army.army))


# --- MOVE -----------------------------------------------------------------------------------------
def check_may_march(f: Field, request: Request, unit: MarchingUnit, field: str) -> None:
    """Refuse units that follow others, are shut in, or lack what they need to march (ANA-104, 106, 107, 108)."""
    if isinstance(unit, Army):
        orders.check_by_itself(f, request, unit, field)
        orders.check_at_large(f, request, unit, field)
    elif unit.escort:
        raise Refused("ANA-106", field, unit=unit.ident, employer=unit.escort)
    elif missing := acts.missing_to_march(f, unit):
        lacks = {"list": ", ".join(missing)} if isinstance(unit, Train) else {}
        raise Refused("ANA-108" if lacks else "ANA-107", field, unit=unit.ident, **lacks)


@day_order("MOVE", "MUOVI", "movement", also=("march", "marcia"), group="march",
           unit=orders.ActingUnit((Army, Convoy, Train), then=(check_may_march,)), path=orders.MarchRoute(),
           choice=orders.one_of("attack", "pass", "ask", blank=True, like=VOCABULARY["on_meeting"]),
           help=both("March: hexes, directions, one far hex or place, or codes of places in turn; "
                     "choice: attack, pass, ask.",
                     "Marcia: esagoni, direzioni, una meta lontana, o sigle di più luoghi; "
                     "scelta: attacca, passa, chiedi."))
def move(f: Field, request: Request, unit: Army | Convoy | Train, choice: str) -> None:
    """March; judged here as far as that is possible before the first step."""
    path = hexes_of_march(f, request, unit.node)
    f.ways[request.unit] = path_of(f, " ".join(request.path), unit.node)
    if path:
        _advise_march(f, request, unit, path)
    f.moves[request.unit] = request


def hexes_of_march(f: Field, request: Request, start: str) -> list[str]:
    """The hexes of a march, to far goals by the cheapest way. Raises `Refused` if there is none (ANA-102)."""
    way = path_of(f, " ".join(request.path), start)
    hexes = f.hexes_of(way)
    refuse_if(way.far and not hexes, "ANA-102", "path", a=start, b=" ".join(request.path))
    return hexes


def ordered_way(f: Field, request: Request, unit: MarchingUnit) -> list[str]:
    """The ordered march from where the unit is when its turn comes.

    If it has been moved since the orders were read: on from the hex of the path where it is, else the cheapest way to
    the start of the path.
    """
    way = f.ways[request.unit]
    path = way.hexes
    if way.far:
        return f.way_over(unit.node, path[path.index(unit.node) + 1:] if unit.node in path else path)
    if unit.node != way.start and unit.node in path:
        return path[path.index(unit.node) + 1:]
    if unit.node == way.start or not path or direction(unit.node, path[0]):
        return path
    return [*f.cheapest(unit.node, [path[0]]), *path[1:]]


def _advise_march(f: Field, request: Request, unit: MarchingUnit, path: list[str]) -> None:
    """Tell a march's cost and reach (ANA-103, 113); refuse one that ends in the wrong direction (ANA-105, 109)."""
    today = f.points_today(unit)
    cost = f.hexes.price(unit.node, path, f.step_cost)
    if f.ways[request.unit].far:
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


# --- HOLD, MERCS, SALLY, LIFT -----------------------------------------------------------------------
@day_order("HOLD", "RESTA", "movement", also=("stay", "fermo", "ferma"), group="march",
           unit=orders.ActingUnit((Army, Convoy, Train)), help=both("Stand where the group is.",
                                                                    "Resta dove il gruppo si trova."))
def hold(f: Field, request: Request, unit: Army | Convoy | Train) -> None:
    """Stay where the unit is."""
    f.moves[request.unit] = request


@day_order("MERCS", "MERCENARI", "movement", also=("mercenaries",), group="march",
           unit=orders.ActingUnit((Army,), free=True), path=orders.MarchRoute(blank=True),
           help=both("Move unhired mercenaries towards the nearest group; path: which way.",
                     "Muovi i mercenari liberi verso il gruppo più vicino; percorso: per quale via."))
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
    unit=orders.ActingUnit((Army, Place), which=lambda row: isinstance(row, Army) or row.castle,
                           then=(check_may_sally,)),
    help=both("Attack the besiegers from inside.", "Attacca gli assedianti dall'interno."))
def sally(f: Field, request: Request, unit: Army | Place) -> None:
    """A group inside, or the castle itself, attacks the besiegers."""
    place = unit if isinstance(unit, Place) else f.places.get(unit.inside)
    if place is None or not f.is_besieged(place.place):
        raise Refused("ANA-412", "unit", place=place.place if place is not None else request.unit)
    f.sallies[request.unit] = request


# Activation (rulebook: Activation).


def activate(f: Field, ident: str) -> None:
    """M3: activate one unit."""
    army = f.armies.get(ident)
    if army is not None:
        if f.able(army) and f.is_unhired(army):
            _move_company(f, army)
        elif f.able(army):
            _activate_group(f, army)
    elif ident in f.trains or ident in f.convoys:
        _move_goods(f, f.trains.get(ident) or f.convoys[ident])
    elif ident in f.places and ident not in f.spent and f.places[ident].garrison and f.is_besieged(ident):
        encounters.carry_out_sally(f, f.places[ident], f.places[ident])


# --- groups -----------------------------------------------------------------------------------------
def _activate_group(f: Field, army: Army) -> None:
    if f.is_shut_in(army):
        if army.army in f.sallies:
            encounters.carry_out_sally(f, army, f.places[army.inside])
        return
    if army.army in f.lifts and army.besieging:
        place, army.besieging = army.besieging, ""
        f.lifts[army.army].row.status = "accepted"
        f.tell("siege_left", place=place, group=army.army)
    start, path = army.node, _path(f, army)
    if not path:
        f.staying.add(army.army)
    # decided before the first step, while the group still stands where its orders found it
    for request in f.acts.get(army.army, []):
        f.moments[request.row.order] = _act_hex(f, army, request, path)
    encounters.deals_here(f, army, start, last=not path)
    acts.acts_here(f, army, start, last=not path)
    if path and f.able(army, start):
        _march(f, army, path)
    f.say_leg(army)


def _path(f: Field, army: Army | Train | Convoy) -> list[str]:
    """Today's way; a unit without MOVE or HOLD is asked for it at activation (switch orders_mode)."""
    known = expected_way(f, army)
    if known is not None:
        return known

    def read(text: str) -> str:
        if choice_code(text) == "hold":
            return "hold"
        try:
            path_of(f, text, army.node)
        except Refused:
            return ""
        return text

    text = f.game.ask(f.question("move", army.faction, army.ident, (), "hold", Text(reader=read), unit=army.ident))
    if text == "hold":
        return []
    return f.hexes_of(path_of(f, text, army.node))


def _march(f: Field, army: Army, path: list[str]) -> None:
    """March hex by hex: pay, enter, meet, act; without enough points stop in the last hex paid for."""
    spent = 0
    _leave_stuck_goods(f, army)
    for number, there in enumerate(path, 1):
        cost = f.step_cost(army.node, there)
        # its points are counted anew at each step: a company hired or a train taken on the way slows it down
        if cost is None or spent + cost > f.points_today(army):
            f.say_leg(army)
            f.tell("stopped_short", unit=army.army, hex=army.node)
            return
        spent += cost
        f.step(army, there)
        alone = [convoy.node for convoy in (*f.convoys, *f.trains) if not convoy.escort]
        if len(f.at(there)) > len(f.stack(army)) or there in alone:  # there is somebody or something to meet
            f.look_round(army)
            f.say_leg(army)
            encounters.meet_groups(f, army)
            # who cannot pay for the next hex ends here, and then takes a convoy by default
            onwards = f.step_cost(army.node, path[number]) if number < len(path) else None
            if f.able(army, there):
                meet_goods(f, army, ends=onwards is None or spent + onwards > f.points_today(army))
        if not f.able(army, there):
            return
        acts.acts_here(f, army, there, last=number == len(path))
        if not f.able(army, there) or army.inside:
            return


def _act_hex(f: Field, army: Army, request: Request, path: list[str]) -> str:
    """The hex on which an act is done; "" for the last of the march.

    The hex that the order names; else that of its place, if the march touches it; else the start, if its partner is
    there.
    """
    if request.node:
        return str(request.node)
    home = named_place_hex(f, request)
    if home:
        return home if home in (army.node, *path[:-1]) and home not in path[-1:] else ""
    return army.node if path and encounters.stands_beside(f, request, army) else ""


def _leave_stuck_goods(f: Field, army: Army) -> None:
    """Leave trains that cannot move and convoys without a driver where they are (10, 12)."""
    for row in sorted(f.led_goods(army), key=lambda row: isinstance(row, Convoy)):
        if acts.missing_to_march(f, row):
            row.escort = ""
            f.tell("attached", rule="10" if isinstance(row, Train) else "12", x=row.ident, group=army.army,
                   way="detached")


# --- unhired mercenaries (11.1) -----------------------------------------------------------------------
def _move_company(f: Field, army: Army) -> None:
    """Move unhired mercenaries towards the nearest group, the sides taking turns; they stop at the first they meet."""
    here = _groups_met(f, army)
    if not here:
        for there in f.reach(army.node, _mercenary_path(f, army), f.points_today(army)):
            f.step(army, there)
            f.look_round(army)
            here = _groups_met(f, army)
            if here:
                break
        # the sides take turns (11.1) whether or not this one gave an order
        army.moves_next = f.foe(army.moves_next) or army.moves_next
        f.say_leg(army)
    if here:
        _offer(f, army, here)


def _mercenary_path(f: Field, army: Army) -> list[str]:
    """The ordered way if it nears one of the nearest groups, else the cheapest to the nearest."""
    request, targets = f.moves.get(army.army), f.march_targets(army)
    if request is not None and request.verb != "HOLD" and request.path:
        path: list[str] = []
        with suppress(Refused):  # it may have been moved since the orders were read
            path = hexes_of_march(f, request, army.node)
        end = (f.reach(army.node, path, f.points_today(army)) or [army.node])[-1]
        if any(f.distance(end, t.node) < f.distance(army.node, t.node) for t in targets) or not targets:
            return path
        request.find(f, "ANA-111", "path", path=" ".join(request.path))
    ways = [(f.hexes.price(army.node, way, f.step_cost), n, way) for n, t in enumerate(targets)
            if (way := f.cheapest(army.node, [t.node]))]
    return min(ways)[2] if ways else []


def _groups_met(f: Field, army: Army) -> list[Army]:
    return f.by_rank(a for a in f.at(army.node) if a.army != army.army and not a.mercenary and not a.inside
                     and f.side(a.faction) != NEUTRAL and not f.lone(a) and not f.safe(a))


def _offer(f: Field, army: Army, groups: list[Army]) -> None:
    """Ask groups with a noble until one hires the company; otherwise, or if all are escorts, it goes back."""
    able = [a for a in groups if not f.limit_of(a)]
    for group in able:
        if f.commander(group) is not None and try_to_hire(f, group, army):
            return
    f.tell("not_hired", mercs=army.army, group=[*able, *groups][0].army)
    back = army.came_from
    if direction(army.node, back) and f.empty(back):
        f.bring(army, back)
        f.tell("backed_away", rule="11.1", x=army.army, hex=back)
    else:
        f.back_away(army, f.heading.get(army.army, ""))


def _move_goods(f: Field, unit: Train | Convoy) -> None:
    """Move a train or convoy without an escort until somebody takes it (rulebook: Activation).

    On each hex the groups are asked one after the other until one does not pass.
    """
    if unit.state != "active" or unit.escort or acts.missing_to_march(f, unit):
        return
    for there in f.reach(unit.node, _path(f, unit), f.points_today(unit)):
        f.leg.setdefault(unit.ident, [unit.node]).append(there)
        unit.came_from, unit.node = unit.node, there
        if not f.at(there):
            continue
        f.say_leg(unit)
        dealers = [army for army in f.by_rank(f.at(there)) if may_deal(f, army, unit)]
        if isinstance(unit, Train):
            taken = any(meet_train(f, army, unit) for army in dealers)
        else:
            # a convoy that has sold something goes on; only one that is taken stays
            deals = (meet_convoy(f, army, unit, ends=True) for army in dealers)
            taken = next(filter(None, deals), "") == "take"
        if taken:
            return
    f.say_leg(unit)


# --- M2, M3: the order of march, every unit once -----------------------------------------------------
BATTLE_QUESTIONS = frozenset({"battle", "join", "retreat", "prize", "loot", "name"})
"""Questions of a battle that is numbered already: it is the last of the day for the units that ask them."""
MARGIN = 2
"""Hexes around a march that a battle may affect: others join from neighbouring hexes and retreat to them."""


class WaitingUnits:
    """The units that wait for answers, and the hexes where nobody may march before these (chapter 6).

    A unit whose activation waits holds up every unit that could come near to where it may still go. All others march,
    so that questions from distant parts of the map are asked at one stop. With the answers the phase is run again from
    its start in the order of march: nothing that is done here persists.
    """

    def __init__(self, f: Field) -> None:
        self.f = f
        self.questions: list[Ask] = []
        self.uncertain: set[str] = set()

    def hold(self, ident: str, stop: Waiting | None = None) -> None:
        """A unit waits for answers to its own or others' questions; its surroundings are closed to others.

        If it may still fight, the next battle's number is unknown, and no battle is opened.
        """
        asked = stop.questions if stop is not None else []
        self.questions += asked
        self.uncertain |= self._near(ident, MARGIN)
        f, army = self.f, self.f.armies.get(ident)
        may_revolt = any(army.contract == "promised" for army in f.active())  # over shares of loot (11.6)
        last = bool(asked) and {ask.kind for ask in asked} <= BATTLE_QUESTIONS and not may_revolt
        # convoys, trains and unhired mercenaries never start a battle
        if not last and not (f.is_unhired(army) if army is not None else ident not in f.places):
            f.numbers_unsure = True

    def free(self, ident: str) -> bool:
        """Whether a unit's activation cannot depend on the units that wait, or is empty."""
        f, army = self.f, self.f.armies.get(ident)
        return (not self.questions or not self._near(ident, 1) & self.uncertain
                or (army is not None and not f.is_unhired(army) and expected_way(f, army) == []
                    and not any(ident in doings for doings in (f.acts, f.lifts, f.sallies))))

    def _near(self, ident: str, margin: int) -> set[str]:
        """All hexes within `margin` of where a unit is and may go."""
        f = self.f
        unit = f.armies.get(ident) or f.trains.get(ident) or f.convoys.get(ident)
        reach = {f.places[ident].node if unit is None else unit.node}
        if isinstance(unit, Army) and f.is_unhired(unit):  # they seek the nearest group, whoever that will be
            nearest = min((f.distance(unit.node, target.node) for target in f.march_targets(unit)), default=0)
            margin += max(nearest, f.points_today(unit))
        elif unit is not None:
            way = expected_way(f, unit)
            margin += f.points_today(unit) if way is None else 0
            reach |= set(way or ())
        for _ in range(margin):
            reach |= {there for node in reach for there in f.hexes.neighbours(node)}
        return reach


def activate_all(f: Field) -> None:
    """M2, M3: fix the order of march, which is public, and activate every unit once."""
    # fixed for the whole day: prestige won or lost on it changes only tomorrow's list (6)
    f.march = f.order_of_march([u for u in f.sallies if u in f.places])
    place = {unit: number for number, unit in enumerate(f.march, 1)}
    for army in f.armies:
        army.march = place.get(army.army)
    f.count_horsemen()
    f.tell("order_of_march", list=" ".join(f.march))
    elsewhere = WaitingUnits(f)
    for unit in f.march:
        if not elsewhere.free(unit):
            elsewhere.hold(unit)
            continue
        try:
            activate(f, unit)
        except Waiting as stop:
            elsewhere.hold(unit, stop)
    if elsewhere.questions:
        raise Waiting(elsewhere.questions)


def enter_awaited(f: Field) -> None:
    """M1: bring the groups that are due today onto the map."""
    for army in f.armies.where(lambda a: a.state == "awaited" and a.enters_on == f.day):
        army.state = "active"
        f.tell("arrived", unit=army.army, hex=army.node)


# --- M4: standoffs (rulebook: Standoffs) ------------------------------------------------------------
def standoffs(f: Field) -> None:
    """M4: on each hex with both sides, by rising code, the last to arrive attacks or withdraws."""
    for node in sorted({a.node for a in f.active()}):
        tried: set[str] = set()
        while True:
            groups = [a for a in f.in_the_open(node) if f.side(a.faction) != NEUTRAL and not f.safe(a)]
            left = [a for a in groups if a.army not in tried]
            if len({f.side(a.faction) for a in groups}) < 2 or not left:
                break
            entrant = max(left, key=lambda a: (f.arrivals.get(a.army, 0), natural(a.army)))
            attacked_now = _standoff(f, entrant, [a for a in groups if not f.friends(a, entrant)])
            # other enemies may be left after an attack: the entrant, now spent, then withdraws first
            if not attacked_now or entrant.army not in f.spent:
                tried.add(entrant.army)


def _standoff(f: Field, entrant: Army, enemies: list[Army]) -> bool:
    """The last to arrive attacks, or retreats if it can. Returns whether it attacked."""
    node = entrant.node
    choice = "withdraw"
    # who has fought today, or may not fight, can only withdraw
    if entrant.army not in f.spent and not f.limit_of(entrant):
        choice = f.choose("standoff", entrant.faction, f"{entrant.army}/{node}", ("attack", "withdraw"), "withdraw",
                          unit=entrant.army, met=enemies[0].army, hex=node)
    if choice == "attack":
        encounters.resolve_attack(f, entrant, enemies[0], entrant)
        return True
    f.retreats([entrant], f.heading.get(enemies[0].army, ""))
    return False


# --- orders that were not carried out -------------------------------------------------------------
def close_movement(f: Field) -> None:
    """M5: dissolve small groups, set counters, report undone orders, void battles that were not fought (ANA-807)."""
    f.dissolve_small()
    f.count_horsemen()
    for request, why in (
            *((request, _undone_refusal) for requests in f.acts.values() for request in requests),
            *((request, _no_siege_refusal) for request in (*f.lifts.values(), *f.sallies.values()))):
        if not request.row.status:
            orders.tell_not_done(f, request, why(f, request))
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
    with_somebody = request.verb in [verb.en for verb in (*encounters.DEALS, acts.attack)]
    walked = f.ways[request.unit].hexes if request.unit in f.ways else []
    goal = request.node or ("".join(walked[-1:]) if with_somebody else named_place_hex(f, request))
    unit = f.armies[request.unit]
    there = (request.unit, goal) in f.visited or unit.node == goal
    if not there and (goal or not with_somebody):
        return Refused("ANA-114", "node" if request.node else "verb", verb=request.verb, hex=goal, unit=request.unit)
    about = orders.target_of(f, request)
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
            orders.afford(f, request, "unit")
    except Refused as why:
        return why
    if buys and isinstance(about, Convoy):
        return Refused("ANA-411", "target", unit=unit.army, place=about.convoy)
    return Refused("ANA-114", "target", verb=request.verb, hex=unit.node, unit=unit.army, b=about.ident, why="parted")
