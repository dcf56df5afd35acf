"""Phase 7: the wounded are back, places give points, and what clubs buy with them (7)."""

from __future__ import annotations

from assistant.campaign.columns import number
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.records import Node
from assistant.rulesets.warriors.book.sheets import Army, Unit
from assistant.rulesets.warriors.land.changes import new_chief, next_unit
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.land.stores import held, income, month_begins, points_of
from assistant.rulesets.warriors.orders.taking import take
from assistant.rulesets.warriors.orders.verbs import hurt
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.board import free_code, free_name
from assistant.turn.game import REFEREE, Ask, Game
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import refuse
from assistant.turn.rows.chests import Chest, Spent
from assistant.turn.texts import N_

MOST_POINTS = 9999


class Muster(Country):
    """Phase 7, with the rows that count. `founded`: faction and name -> a Force of this turn."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.requests: list[Request] = []
        self.founded: dict[tuple[str, str], str] = {}


# --- rows -----------------------------------------------------------------------------------------
def read(land: Muster) -> None:
    """The rows of the phase; of each place those that its store, with this turn's income, can pay (WAR-403)."""
    land.requests = sorted(take(land), key=_in_turn)
    left: dict[str, int] = {}
    for request in land.requests:
        place = land.nodes[str(request.more["place"])]
        purse = left.setdefault(place.node, place.store + _coming(land, place))
        cost = cost_of(land, request)
        if cost > purse:
            refuse(land, request, Refused("WAR-403", "place", cost=cost, place=place.node, left=purse))
        else:
            left[place.node] = purse - cost
    land.requests = [one for one in land.requests if one.row.status == "accepted"]


def _coming(land: Muster, place: Node) -> int:
    """What a place will give this turn: as the referee has said, where he is asked and has said it."""
    ask = _points_asked(place, points_of(land, place))
    due = month_begins(land, land.desk.week) and land.plays(place.holder) and not land.watched(place.node, place.holder)
    if land.rules.phase7 == "ask" and land.game.phase == "muster" and due and land.game.has_answer(ask):
        return land.game.amount(ask)
    return income(land, place)


def chests(land: Muster, faction: str) -> list[Chest]:
    """What the store of each place of a faction pays for, with what it will give this turn (WAR-403)."""
    people = land.factions[faction].people
    found = []
    for place in land.nodes:
        if held(land, place.node, faction) is None:
            continue
        here = ("place", place.node)
        found.append(Chest(place.store + _coming(land, place), N_("{n?point|points}"), (
            *(Spent("raise", kind.points, "figures", (here, ("type", kind.type))) for kind in land.types
              if kind.points and kind.people in ("any", people)),
            *(Spent("refill", unit.points, "figures", (here, ("unit", unit.unit))) for unit in land.units
              if unit.points and land.armies[unit.army].faction == faction),
            Spent("found", land.rules.commander_cost, "vc", (here,))), place.node))
    return found


def _points_asked(place: Node, points: int) -> Ask:
    """The question for what a place gives, with what the table says as default."""
    return Ask("muster", REFEREE, place.node, default=str(points), asked={"node": place.node},
               answer=Amount(0, MOST_POINTS))


def _in_turn(request: Request) -> tuple[object, ...]:
    """Faction by faction, by number; of equals by verb, place, and type or Unit."""
    seq = number(request.row.seq)
    return (natural(request.faction), seq is None, seq or 0, request.verb, natural(str(request.more["place"])),
            str(request.more["type"]), natural(request.unit))


def cost_of(land: Country, request: Request) -> int:
    """What a purchase costs in points."""
    figures = request.more["figures"]
    count = figures if isinstance(figures, int) else 0
    if request.verb == "raise":
        return count * land.types[str(request.more["type"])].points
    if request.verb == "refill":
        return count * land.units[request.unit].points
    return int(request.more["vc"]) * land.rules.commander_cost


# --- the wounded ----------------------------------------------------------------------------------
def recover(land: Country) -> None:
    """Wounded whose turn has come: broken Forces come back with them; then commanders."""
    for row in land.wounded.where(lambda one: one.due <= land.turn):
        unit = land.units[row.unit]
        army = land.armies[unit.army]
        if army.status == "broken":
            _force_back(land, army)
        if army.active and army.reaction != "routed" and not land.foes_at(army.node, army.faction):
            unit.figures += row.count
            land.wounded.remove(row.ident)
            land.tell("wounded_back", land.own(army.faction), "7", touch=[unit, row], unit=unit.unit, army=army.army,
                      count=row.count)
    for army in land.armies:
        if army.status in ("active", "broken") and army.commander_state == "wounded" and (
                army.commander_back <= land.turn):
            army.commander_state, army.commander_back = "present", 0
            land.told("commander_back", army, commander=army.commander)


def _force_back(land: Country, army: Army) -> None:
    """A broken Force is on the map again, on defend, in the first own place without enemies; capitals first."""
    places = sorted((one for one in land.nodes if one.place != "none" and one.holder == army.faction
                     and not land.foes_at(one.node, army.faction)),
                    key=lambda one: (one.place != "capital", natural(one.node)))
    if places:
        army.status, army.node, army.order, army.reaction = "active", places[0].node, "defend", "none"
        land.tell("force_back", land.seen_by(army.node, army.faction), "7", touch=[army], army=army.army,
                  node=army.node, faction=army.faction)
        new_chief(land, army.faction)  # who fell while nobody else was on the map has no heir yet


# --- points ---------------------------------------------------------------------------------------
def points(land: Country) -> None:
    """At the beginning of a month each place gives its holder points, unless it is watched."""
    if not month_begins(land, land.desk.week):
        return
    places = [one for one in land.nodes if one.place != "none" and land.plays(one.holder)]
    given = {one.node: points_of(land, one) for one in places}
    if land.rules.phase7 == "ask":
        asks = [_points_asked(one, given[one.node]) for one in places]
        given = dict(zip(given, land.game.amounts(asks), strict=True))
    for place in places:
        own = land.own(place.holder)
        if land.watched(place.node, place.holder):
            land.tell("muster_blocked", own, "7", node=place.node)
        elif given[place.node]:
            place.store += given[place.node]
            land.tell("muster_points", own, "7", touch=[place], node=place.node, points=given[place.node],
                      store=place.store)


# --- purchases ------------------------------------------------------------------------------------
def buy(land: Muster) -> None:
    """Row by row, as long as the store of its place lasts."""
    for request in land.requests:
        place = land.nodes[str(request.more["place"])]
        army = None if request.verb == "found" else _force(land, request)
        unit = land.units.get(request.unit) if request.verb == "refill" else None
        why = _why_not(land, request, place, army, unit)
        if why:
            land.tell("muster_refused", land.own(request.faction), "7", node=place.node, why=why, seq=request.row.seq)
            continue
        place.store -= (cost := cost_of(land, request))
        if unit is not None:
            unit.figures += (figures := int(request.more["figures"]))
            land.tell("refilled", land.own(request.faction), "7", touch=[unit, place], unit=unit.unit, army=unit.army,
                      figures=figures, cost=cost)
        elif army is not None:
            _raise(land, request, place, army, cost)
        else:
            _found(land, request, place, cost)


def _force(land: Muster, request: Request) -> Army | None:
    """The Force of a purchase: by its code, or by the name under which it was founded this turn."""
    if request.verb == "refill":
        return land.armies.get(land.units[request.unit].army)
    code = str(request.more["army"])
    code = land.founded.get((request.faction, code.casefold()), code)
    return land.armies.get(code) or next((one for one in land.armies if one.faction == request.faction
                                          and one.name.casefold() == code.casefold()), None)


def _why_not(land: Country, request: Request, place: Node, army: Army | None, unit: Unit | None) -> str:
    """Why a purchase comes to nothing, in the book's order; "" where it does not."""
    if held(land, place.node, request.faction) is None:
        return "not held"
    if land.watched(place.node, request.faction):
        return "watched"
    if cost_of(land, request) > place.store:
        return "points"
    if request.verb != "found" and (army is None or not army.ashore or army.node != place.node):
        return "force not here"
    if unit is not None:
        start = unit.figures_start if unit.figures_start is not None else unit.figures
        if unit.figures + hurt(land, unit.unit) + int(request.more["figures"]) > start:
            return "above strength"
    return ""


def _raise(land: Country, request: Request, place: Node, army: Army, cost: int) -> None:
    kind, figures = land.types[str(request.more["type"])], int(request.more["figures"])
    unit = land.units.add(Unit(unit=next_unit(land, army.army), army=army.army, name=kind.name, name_it=kind.name_it,
                               quality=kind.quality, figures=figures, figures_start=figures, points=kind.points,
                               mounted=kind.mounted, mercenary=kind.mercenary, scouts=kind.scouts, wizard=kind.wizard))
    land.tell("raised", land.own(army.faction), "7", touch=[unit, place], unit=unit.unit, army=army.army,
              node=place.node, figures=figures, cost=cost)


def _new_code(land: Country, faction: str, place: Node) -> str:
    """The letter of the faction's first Force, and the lowest number that none has ever had; where others may be hidden
    such a number would tell how many there are.
    """
    own = [one.army for one in land.armies if one.faction == faction]
    letter = (own[0] if own else faction.upper())[:1]
    if land.rules.fog == "open" or land.rules.hidden_forces == "number":
        return free_code(land.armies, f"{letter}{{}}")
    return free_name(land.armies, f"{letter}{land.turn}-{place.node}")


def _found(land: Muster, request: Request, place: Node, cost: int) -> None:
    """A new Force, by its code and the name that the order gives it."""
    army = land.armies.add(Army(
        army=_new_code(land, request.faction, place), name=str(request.more["name"]), faction=request.faction,
        vc=int(request.more["vc"]), node=place.node, order=str(request.more["new_order"]) or "explore"))
    land.founded[request.faction, army.name.casefold()] = army.army
    touched: list[Record] = [army, place]
    if not any(one.faction == request.faction and one.chief for one in land.active()):
        gone = land.armies.where(lambda one: one.faction == request.faction and one.chief)
        for one in gone:  # a broken Force that comes back must not bring a second one
            one.chief = False
        army.chief, touched = True, [*touched, *gone]
    land.tell("founded", land.own(request.faction), "7", touch=touched, army=army.army, node=place.node, cost=cost)
    land.tell("new_force", land.others(place.node, request.faction), "7", army=army.army,
              node=place.node, faction=request.faction)
