"""The movement orders of a day: acts on the march, marches, sallies, sieges lifted (chapters 8, 10 to 16)."""

from __future__ import annotations

from typing import Any

from assistant.campaign.hexmap import direction
from assistant.rulesets.anarchy import aftermath, both, orders
from assistant.rulesets.anarchy.encounters import DEALS, buy_food, recruit_prices, resolve_attack
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.field import MarchingUnit as Marching
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
    one_of,
    other_group,
    target_of,
    tell_not_done,
)
from assistant.rulesets.anarchy.realm import Men, hex_of, men_of, path_of, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Place, Siege, Train, pounds
from assistant.rulesets.anarchy.tables import RECRUITS
from assistant.turn.game import free_name
from assistant.turn.orders.named_columns import require_row
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.taking import column_values, refuse
from assistant.turn.orders.verbs import Cost

# Acts on a hex of the march: recruit, sack, besiege and others (chapters 10 to 16; rulebook: Orders).


# --- checks of places -------------------------------------------------------------------------------
def check_open_place(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse a place that is not open to the side (ANA-401)."""
    side = f.side(request.faction)
    level = place.loyalty if place.loyalty is not None else "-"
    refuse_if(not f.open_to(place, side), "ANA-401", field, place=place.place, l=level, side=side)


def check_town(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a town that is open to the side (ANA-409)."""
    refuse_if(place.kind != "town" or not f.open_to(place, f.side(request.faction)), "ANA-409", field)


def check_enemy_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a castle that another side holds (ANA-408)."""
    refuse_if(not place.castle or place.holder in ("", f.side(request.faction)), "ANA-408", field, place=place.place)


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
     cost=Cost("recruit_light", told=both("for each man on light foot", "per ogni fante leggero"),
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
     help=both("Hire an engineer in a town.", "Assume un ingegnere in una città."),
     cost=Cost("engineer_price", reckoned=lambda f, request: 2 * f.rules.engineer_price))
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
    f.tell("provisioned", group=army.army, n=n, place=place.place)


def check_no_friend(f: Field, request: Request, target: Army, field: str) -> None:
    """Refuse an attack on unhired mercenaries or friends (ANA-404, 505)."""
    side = f.side(request.faction)
    refuse_if(f.unhired(target), "ANA-505", field)
    refuse_if(f.side(target.faction) == side and side != NEUTRAL, "ANA-404", field, place=target.army)


@act("ATTACK", "ATTACCA", other_group(check_no_friend), help=both("Attack a group.", "Attacca un gruppo."))
def attack(f: Field, request: Request, army: Army, target: Army) -> None:
    """Attack a group that was on the hex already."""
    if not target.active or target.node != army.node or target.inside or f.attached(target):
        raise Refused("ANA-203", "target", a=army.army, x=army.node, b=target.army, y=target.node)
    refuse_if(f.side(target.faction) == f.side(army.faction), "ANA-404", "target", place=target.army)
    resolve_attack(f, army, target, army)


def check_may_sack(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse castles (ANA-405), own places (ANA-404), and neutral ones by the switch loot_neutral (ANA-011)."""
    refuse_if(place.castle, "ANA-405", field, place=place.place)
    band = f.band(place.loyalty)
    refuse_if(band == f.side(request.faction), "ANA-404", field, place=place.place)
    if band == NEUTRAL and f.rules.loot_neutral == "no":
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
        loss = f.rules.prestige_loot_monastic if f.monastic(place) else f.rules.prestige_loot_village
        request.find(f, "ANA-410", "target", place=place.place, noble=leader.noble, n=-loss)


@act("ASSAULT", "ASSALTA", a_castle(check_enemy_castle), also=("storm",),
     help=both("Storm an enemy castle.", "Dà l'assalto a un castello nemico."))
def assault(f: Field, request: Request, army: Army, place: Place) -> None:
    """Storm an enemy castle."""
    check_same_hex(army, place)
    aftermath.assault(f, army, place)


@act("BESIEGE", "ASSEDIA", a_castle(check_enemy_castle), also=("siege",),
     help=both("Lie down before an enemy castle.", "Pone l'assedio a un castello nemico."))
def besiege(f: Field, request: Request, army: Army, place: Place) -> None:
    """Lie down before an enemy castle (16)."""
    check_same_hex(army, place)
    strength = sum(f.stack_heads(a) for a in [*f.besiegers(place), army])
    inside = place.garrison + sum(f.stack_heads(a) for a in f.at(place.node) if a.inside == place.place)
    if f.rules.siege_min == "equal" and strength < inside:
        raise Refused("ANA-011", "unit", unit=army.army, verb=request.verb, reason="fewer than the besieged")
    army.besieging, side = place.place, f.side(army.faction)
    if not f.besieged(place.place):
        row = f.sieges.get(place.place) or f.sieges.add(Siege(place=place.place))
        row.besieger, row.started_on, row.days, row.state = side, f.day, 0, "on"
        row.resources_at_start = place.resources
    f.tell("siege_begun", place=place.place, side=side, group=army.army)


def check_own_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a castle of the own side (ANA-413)."""
    refuse_if(not place.castle or place.holder != f.side(request.faction), "ANA-413", field, place=place.place)


@act("ENTER", "ENTRA", a_castle(check_own_castle), unit=WALKER,
     help=both("Go into an own castle.", "Entra in un castello proprio."))
def enter(f: Field, request: Request, army: Army, place: Place) -> None:
    """Go into an own castle, at no cost; not while it is besieged (rulebook: 5.3 Castles)."""
    refuse_if(place.node != army.node or f.besieged(place.place), "ANA-413", "target", place=place.place)
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
    if isinstance(unit, Army) and f.escorted(unit):
        goal = f.places.get(f.escorted(unit)[0].destination)
    elif f.side(unit.faction) != NEUTRAL:
        return None if f.rules.orders_mode == "at_activation" else []
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


ON_MEETING = {"attack": ("attack on meeting", "attack on sight", "attack anyone", "attack anyone it meets",
                         "attack whoever it meets", "attacca chi incontra",
                         "attacca chiunque incontri"),
              "pass": ("let pass", "let them pass", "pass by", "pass anyone", "pass whoever it meets",
                       "lasciare passare",
                       "lascia passare chi incontra", "lascia passare chiunque")}


@day_order("MOVE", "MUOVI", "movement", also=("march", "marcia"), group="march",
           unit=ActingUnit((Army, Convoy, Train), then=(check_may_march,)), path=MarchRoute(),
           choice=one_of("attack", "pass", "ask", blank=True, like=ON_MEETING),
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
    if f.rules.wounded_march == "must" and any(f.hurt(a) for a in f.stack(unit)):  # not farther from care (15.7)
        now, then = (f.nearest_own(f.side(unit.faction), node) for node in (unit.node, end))
        if now is not None and then is not None and f.apart(end, then.node) > f.apart(unit.node, now.node):
            raise Refused("ANA-105", "path", unit=unit.army, place=now.place)
    for record in f.escorted(unit):  # nearer to the captives' destination
        goal = f.places.get(record.destination)
        if goal is not None and unit.node != goal.node and f.apart(end, goal.node) >= f.apart(unit.node, goal.node):
            raise Refused("ANA-109", "path", unit=unit.army, p=record.prisoners, place=goal.place)


def missing_to_march(realm: Field, train: Train) -> list[str]:
    """What a train lacks before it can move (10)."""
    rules, small = realm.rules, train.rams + train.galleries + train.mangonels
    oxen = small * rules.oxen_per_engine + train.towers * rules.oxen_per_tower
    wanting = {"an engineer": not train.engineers, "oxen": train.oxen < oxen,
               "peasants": train.engines and train.peasants < rules.train_peasants}
    return [what for what, lacking in wanting.items() if lacking]


# --- HOLD, MERCS, SALLY, LIFT -----------------------------------------------------------------------
@day_order("HOLD", "RESTA", "movement", also=("stay", "fermo", "ferma"), group="march",
           unit=ActingUnit((Army, Convoy, Train)), help=both("Stand where the group is.", "Resta dov'è."))
def hold(f: Field, request: Request, unit: Army | Convoy | Train) -> None:
    """Stay where the unit is."""
    f.moves[request.unit] = request


@day_order("MERCS", "MERCENARI", "movement", also=("mercenaries",), group="march", unit=ActingUnit((Army,), free=True),
           path=MarchRoute(blank=True),
           help=both("Move unhired mercenaries towards the nearest group.",
                     "Muove i mercenari liberi verso il gruppo più vicino."))
def mercs(f: Field, request: Request, company: Army) -> None:
    """Move unhired mercenaries, if it is the side's turn to do so."""
    side = f.side(request.faction)
    if not f.unhired(company):
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
    if place is None or not f.besieged(place.place):
        raise Refused("ANA-412", "unit", place=place.place if place is not None else request.unit)
    f.sallies[request.unit] = request


@day_order("LIFT", "LEVA", "movement", unit=ActingUnit((Army,), then=(orders.check_at_large,)),
           help=both("Give up a siege and stay.", "Toglie un assedio e resta."))
def lift(f: Field, request: Request, army: Army) -> None:
    """Give up a siege (ANA-011, 104, 412)."""
    if not army.besieging:
        place = f.castle_at(army.node)
        if place is not None and f.besieged(place.place):  # by others, who stay
            raise Refused("ANA-011", "unit", unit=army.army, verb=request.verb, reason="it besieges nothing")
        raise Refused("ANA-412", "unit", place=place.place if place is not None else army.node)
    f.lifts[request.unit] = request


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
    f.unasked()
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
