"""Phases 5 to 8: the will to fight, the calendar, reinforcements, random events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from assistant.campaign.columns import Codes, Ref, Whole, column, ordinal_number
from assistant.campaign.tables import Record, natural
from assistant.rulesets.warriors import both
from assistant.rulesets.warriors.aftermath import place_falls
from assistant.rulesets.warriors.land import (
    FRIENDLY,
    Country,
    choose_new_chief,
    forget_wounded,
    held_place,
    income,
    month_begins,
    month_of,
    next_unit,
    owe_will_test,
    points_of,
    remove_if_empty,
    season_of,
)
from assistant.rulesets.warriors.movement import quality_modifier, test_deserters
from assistant.rulesets.warriors.numbers import (
    DESERTER_EVENT,
    EVENT,
    EVENT_PICK,
    EVENT_TABLE,
    FEVER,
    GATES,
    LEVIES,
    QUALITY_EVENT,
    WILL,
)
from assistant.rulesets.warriors.orders import take_rows, wounded_figures
from assistant.rulesets.warriors.records import Army, Faction, Node, RandomEvent, Unit
from assistant.turn.dice import REFEREE, Roll
from assistant.turn.game import Chest, Game, Spent, free_code, free_name
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import refuse
from assistant.turn.questions import Amount, Ask
from assistant.turn.rulings import Score, drawn

# Phase 5: the will to fight, and the end (5).


def will(land: Country) -> None:
    """Factions with nothing left are out; those with a reason are tested, all at once; without a war it ends."""
    for row in land.players():
        _without_forces(land, row)
    empty = [row for row in land.players() if _nothing_left(land, row)]
    tested = [(row, *_test(land, row)) for row in land.players() if row.will_due and row not in empty]
    for row in empty:
        _leave_campaign(land, row, "nothing_left")
    for row, dice, failed in tested:
        reasons, row.will_due, row.omen = row.will_due, "", 0
        for throw in dice[:-1] if failed else dice:
            land.tell("will_passed", roll=[throw], faction=row.faction, total=throw, reasons=reasons)
        if failed:  # what it has thrown, and with what, stays its own
            land.tell("will_rolled", roll=dice[-1:], faction=row.faction)
            _leave_campaign(land, row, "will_failed", total=dice[-1], reasons=reasons)
    if not land.at_war():
        tell_end(land)


def _without_forces(land: Country, row: Faction) -> None:
    """Losing its last Force on the map is a reason for a faction's test."""
    without = not any(army.faction == row.faction for army in land.active())
    if without and not row.gone:
        owe_will_test(land, row.faction, "no_forces")
    if without != row.gone:
        row.gone = without
        land.tell("without_forces" if without else "forces_again", faction=row.faction)


def _nothing_left(land: Country, row: Faction) -> bool:
    left = any(army.faction == row.faction and army.status in ("active", "broken") for army in land.armies)
    return not left and not any(node.place != "none" and node.holder == row.faction for node in land.nodes)


def will_modifiers(land: Country, faction: str, *, turn: bool = False) -> dict[str, int]:
    """The modifiers of a faction's will, by name; their sum is its score (rulebook: End and score)."""
    rules, row = land.rules, land.factions[faction]
    won, lost = _battles(land, faction) if rules.will_battles == "turn" and turn else (row.won, row.lost)
    count = {"taken": 0, "gone": 0, "capitals": 0, "capital": 0}
    for node in land.nodes.where(lambda node: node.place != "none"):
        fort = node.place == "stronghold" or rules.capital_is_stronghold == "yes"
        if node.founder == faction:
            foreign = bool(node.holder) and not land.friendly(node.holder, faction)
            count["gone"] += foreign and fort
            count["capital"] += foreign and node.place == "capital"
        elif node.holder == faction and not land.friendly(node.founder, faction):
            count["taken"] += fort
            count["capitals"] += node.place == "capital" and land.hostile(node.founder, faction)
    return {"battles won": won * rules.will_won, "battles lost": lost * rules.will_lost,
            "strongholds taken": count["taken"] * rules.will_taken, "strongholds lost": count["gone"] * rules.will_gone,
            "capitals taken": count["capitals"] * rules.will_capital_taken,
            "capital lost": count["capital"] * rules.will_capital_lost}


def _battles(land: Country, faction: str) -> tuple[int, int]:
    """Battles that a faction has won and lost this turn."""
    won = lost = 0
    for battle in land.battles.of_turn(land.game.turn, lambda battle: battle.outcome in ("attacker", "defender")):
        sides = {row.side for row in land.battle_armies if row.battle == battle.battle
                 and land.faction_of(row.army) == faction}
        won += ("A" if battle.outcome == "attacker" else "D") in sides
        lost += ("D" if battle.outcome == "attacker" else "A") in sides
    return won, lost


def _test(land: Country, row: Faction) -> tuple[list[Score], bool]:
    """Test a faction's will: the dice, and whether it failed. By switch one test for each reason."""
    times = len(row.will_due.split(",")) if land.rules.will_tests == "per_trigger" else 1
    mods = {**will_modifiers(land, row.faction, turn=True), "omen": row.omen}
    dice: list[Score] = []
    for again in range(1, times + 1):
        dice.append(land.score(WILL(row.faction, again=again), mods, land.own(row.faction)))
        if dice[-1].at_most(land.rules.will_fail_at - 1):
            return dice, True
    return dice, False


def _leave_campaign(land: Country, row: Faction, event: str, **told: object) -> None:
    """A faction leaves the campaign: its Forces are destroyed, its places and boats belong to nobody."""
    row.status, row.will_due, row.omen = "out", "", 0
    for army in land.armies:
        if army.faction == row.faction and army.status in ("active", "broken"):
            army.status, army.node, army.aboard, army.fieldworks = "destroyed", "", "", 0
            for unit in land.units_of(army.army):
                unit.figures = 0
                forget_wounded(land, unit.unit)
    for node in land.nodes:
        if node.place != "none" and node.holder == row.faction:
            node.holder, node.store = "", 0
    for boat in land.boats:
        if boat.faction == row.faction:
            boat.faction = ""
    land.tell(event, faction=row.faction, **told)


# --- the end --------------------------------------------------------------------------------------
@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a faction is from the end: with whom it is at war still, its score where the reader may know it, and the
    turns that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    at_war: tuple[str, ...] = column(Codes("Factions"), "Still at war with", "Ancora in guerra con")
    score: int | None = column(Whole(blank=True), "Score now", "Punteggio adesso")
    turns: int = column(Whole(0), "Turns left", "Turni rimasti")


def aims(land: Country, reader: str) -> list[Aim]:
    """All factions in play, the reader's first; in the fog battles and lost places of others are not counted."""
    left = max(0, land.rules.max_turns - land.turn + 1)
    rows = [Aim(row.faction, tuple(other.faction for other in land.players()
                                if land.hostile(row.faction, other.faction)),
                score(land, row.faction) if row.faction == reader or land.rules.fog == "open" else None, left)
            for row in land.players()]
    return sorted(rows, key=lambda row: row.faction != reader)


def score(land: Country, faction: str) -> int:
    """The score of a faction: the sum of its will's modifiers."""
    return sum(will_modifiers(land, faction).values())


def strength_on_map(land: Country, faction: str) -> int:
    """Points of all its Forces on the map."""
    return sum(land.strength(army.army) for army in land.active() if army.faction == faction)


def tell_end(land: Country, *, by_score: bool = False) -> None:
    """Tell the end: those left have won, or at the turn limit the best score, then the most strength."""
    left = [row.faction for row in land.players()]
    winners = left
    if by_score and left:
        ranks = {faction: (score(land, faction), strength_on_map(land, faction)) for faction in left}
        winners = [faction for faction in left if ranks[faction] == max(ranks.values())]
    land.tell("campaign_ends", factions=" ".join(left), winners=" ".join(winners), how="score" if by_score else "peace")


# Phase 6: week, month and season; heroes leave (6).


MOST_WEEKS = 13


def advance_time(land: Country) -> None:
    """The week moves on."""
    weeks = land.rules.turn_weeks
    if land.rules.phase6 == "ask":
        weeks = land.game.amount(Ask("weeks", REFEREE, default="1", answer=Amount(0, MOST_WEEKS)))
    desk = land.desk
    desk.week += weeks
    land.tell("week", week=desk.week, month=month_of(land, desk.week), season=season_of(land, desk.week))
    for unit in land.units:
        if 0 < unit.leaves <= land.turn:
            _hero_leaves(land, unit.unit)


def _hero_leaves(land: Country, code: str) -> None:
    """A hero leaves; a Force without other figures is removed."""
    unit = land.units[code]
    army = land.armies[unit.army]
    forget_wounded(land, code)
    unit.figures, unit.leaves = 0, 0
    land.tell("hero_leaves", unit=code, army=army.army)
    remove_if_empty(land, army, "6")


# Phase 7: the wounded return, places give points, clubs buy with them (7).


MOST_POINTS = 9999


class MusterBoard(Country):
    """The board of phase 7, with the rows that count. `founded`: faction and name -> a Force of this turn."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.requests: list[Request] = []
        self.founded: dict[tuple[str, str], str] = {}


# --- rows -----------------------------------------------------------------------------------------
def read_rows(land: MusterBoard) -> None:
    """Take the rows that the store of their place can pay, with this turn's income (WAR-403)."""
    land.requests = sorted(take_rows(land), key=_in_turn)
    left: dict[str, int] = {}
    for request in land.requests:
        place = land.nodes[str(request.more["place"])]
        purse = left.setdefault(place.node, place.store + _points_coming(land, place))
        cost = cost_of(land, request)
        if cost > purse:
            refuse(land, request, Refused("WAR-403", "place", cost=cost, place=place.node, left=purse))
        else:
            left[place.node] = purse - cost
    land.requests = [request for request in land.requests if request.row.status == "accepted"]


def _points_coming(land: MusterBoard, place: Node) -> int:
    """The points that a place will give this turn; as the referee has answered, if he is asked."""
    ask = _points_asked(place, points_of(land, place))
    due = month_begins(land, land.desk.week) and land.plays(place.holder) and not land.watched(place.node, place.holder)
    if land.rules.phase7 == "ask" and land.game.phase == "muster" and due and land.game.has_answer(ask):
        return land.game.amount(ask)
    return income(land, place)


N = both("{n?point|points}", "{n?punto|punti}")


def chests(land: MusterBoard, faction: str) -> list[Chest]:
    """The store of each place of a faction, with this turn's points, and what it pays for (WAR-403)."""
    people = land.factions[faction].people
    stores = []
    for place in land.nodes:
        if held_place(land, place.node, faction) is None:
            continue
        here = ("place", place.node)
        stores.append(Chest(place.store + _points_coming(land, place), N,
                            (
*(Spent("raise", kind.points, "figures", (here, ("type", kind.type))) for kind in land.types
if kind.points and kind.people in ("any", people)),
*(Spent("refill", unit.points, "figures", (here, ("unit", unit.unit))) for unit in land.units
if unit.points and land.armies[unit.army].faction == faction),
Spent("found", land.rules.commander_cost, "vc", (here,))), place.node))
    return stores


def _points_asked(place: Node, points: int) -> Ask:
    return Ask("muster", REFEREE, place.node, default=str(points), asked={"node": place.node},
               answer=Amount(0, MOST_POINTS))


def _in_turn(request: Request) -> tuple[object, ...]:
    """Sort key: by faction and number, then by verb, place, and type or Unit."""
    seq = ordinal_number(request.row.seq)
    return (natural(request.faction), seq is None, seq or 0, request.verb, natural(str(request.more["place"])),
            str(request.more["type"]), natural(request.unit))


def cost_of(land: Country, request: Request) -> int:
    """The cost of a purchase in points."""
    figures = request.more["figures"]
    count = figures if isinstance(figures, int) else 0
    if request.verb == "raise":
        return count * land.types[str(request.more["type"])].points
    if request.verb == "refill":
        return count * land.units[request.unit].points
    return int(request.more["vc"]) * land.rules.commander_cost


# --- the wounded ----------------------------------------------------------------------------------
def return_wounded(land: Country) -> None:
    """Return the wounded whose turn has come, and broken Forces with them; then commanders."""
    for row in land.wounded.where(lambda wounded: wounded.due <= land.turn):
        unit = land.units[row.unit]
        army = land.armies[unit.army]
        if army.status == "broken":
            _force_back(land, army)
        if army.active and army.reaction != "routed" and not land.foes_at(army.node, army.faction):
            unit.figures += row.count
            land.wounded.remove(row.ident)
            land.tell("wounded_back", unit=unit.unit, army=army.army, count=row.count)
    for army in land.armies:
        if army.status in ("active", "broken") and army.commander_state == "wounded" and (
                army.commander_back <= land.turn):
            army.commander_state, army.commander_back = "present", 0
            land.told("commander_back", army, commander=army.commander)


def _force_back(land: Country, army: Army) -> None:
    """Put a broken Force back on the map, on defend, in the first own place without enemies, capitals first."""
    places = sorted((node for node in land.nodes if node.place != "none" and node.holder == army.faction
                     and not land.foes_at(node.node, army.faction)),
                    key=lambda node: (node.place != "capital", natural(node.node)))
    if places:
        army.status, army.node, army.order, army.reaction = "active", places[0].node, "defend", "none"
        land.tell("force_back", army=army.army, node=army.node, faction=army.faction)
        choose_new_chief(land, army.faction)  # who fell while nobody else was on the map has no heir yet


# --- points ---------------------------------------------------------------------------------------
def give_points(land: Country) -> None:
    """At the beginning of a month each place gives its holder points, unless it is watched."""
    if not month_begins(land, land.desk.week):
        return
    places = [node for node in land.nodes if node.place != "none" and land.plays(node.holder)]
    given = {place.node: points_of(land, place) for place in places}
    if land.rules.phase7 == "ask":
        asks = [_points_asked(place, given[place.node]) for place in places]
        given = dict(zip(given, land.game.amounts(asks), strict=True))
    for place in places:
        if land.watched(place.node, place.holder):
            land.tell("muster_blocked", node=place.node)
        elif given[place.node]:
            place.store += given[place.node]
            land.tell("muster_points", node=place.node, points=given[place.node], store=place.store)


# --- purchases ------------------------------------------------------------------------------------
def carry_out_purchases(land: MusterBoard) -> None:
    """Buy row by row, as long as the store of the place lasts."""
    for request in land.requests:
        place = land.nodes[str(request.more["place"])]
        army = None if request.verb == "found" else _force(land, request)
        unit = land.units.get(request.unit) if request.verb == "refill" else None
        why = _why_no_purchase(land, request, place, army, unit)
        if why:
            land.tell("muster_refused", land.own(request.faction), node=place.node, why=why, seq=request.row.seq)
            continue
        place.store -= (cost := cost_of(land, request))
        if unit is not None:
            unit.figures += (figures := int(request.more["figures"]))
            land.tell("refilled", unit=unit.unit, army=unit.army, figures=figures, cost=cost)
        elif army is not None:
            _raise(land, request, place, army, cost)
        else:
            _found(land, request, place, cost)


def _force(land: MusterBoard, request: Request) -> Army | None:
    """The Force of a purchase: by its code, or by the name under which it was founded this turn."""
    if request.verb == "refill":
        return land.armies.get(land.units[request.unit].army)
    code = str(request.more["army"])
    code = land.founded.get((request.faction, code.casefold()), code)
    return land.armies.get(code) or next((army for army in land.armies if army.faction == request.faction
                                          and army.name.casefold() == code.casefold()), None)


def _why_no_purchase(land: Country, request: Request, place: Node, army: Army | None, unit: Unit | None) -> str:
    """Why a purchase fails, in the book's order; "" if it does not."""
    if held_place(land, place.node, request.faction) is None:
        return "not held"
    if land.watched(place.node, request.faction):
        return "watched"
    if cost_of(land, request) > place.store:
        return "points"
    if request.verb != "found" and (army is None or not army.ashore or army.node != place.node):
        return "force not here"
    if unit is not None:
        start = unit.figures_start if unit.figures_start is not None else unit.figures
        if unit.figures + wounded_figures(land, unit.unit) + int(request.more["figures"]) > start:
            return "above strength"
    return ""


def _raise(land: Country, request: Request, place: Node, army: Army, cost: int) -> None:
    kind, figures = land.types[str(request.more["type"])], int(request.more["figures"])
    unit = land.units.add(Unit(unit=next_unit(land, army.army), army=army.army, name=kind.name, name_it=kind.name_it,
                               quality=kind.quality, figures=figures, figures_start=figures, points=kind.points,
                               mounted=kind.mounted, mercenary=kind.mercenary, scouts=kind.scouts, wizard=kind.wizard))
    land.tell("raised", unit=unit.unit, army=army.army, node=place.node, figures=figures, cost=cost)


def _new_code(land: Country, faction: str, place: Node) -> str:
    """The letter of the faction's first Force, and the lowest number that none has ever had.

    If others may be hidden, a number would tell how many there are; then turn and place follow the letter.
    """
    own = [army.army for army in land.armies if army.faction == faction]
    letter = (own[0] if own else faction.upper())[:1]
    if land.rules.fog == "open" or land.rules.hidden_forces == "number":
        return free_code(land.armies, f"{letter}{{}}")
    return free_name(land.armies, f"{letter}{land.turn}-{place.node}")


def _found(land: MusterBoard, request: Request, place: Node, cost: int) -> None:
    """Found a Force, with the name that the order gives it."""
    army = land.armies.add(Army(
        army=_new_code(land, request.faction, place), name=str(request.more["name"]), faction=request.faction,
        vc=int(request.more["vc"]), node=place.node, order=str(request.more["new_order"]) or "explore"))
    land.founded[request.faction, army.name.casefold()] = army.army
    if not any(army.faction == request.faction and army.chief for army in land.active()):
        # a broken Force that comes back must not bring a second one
        for former in land.armies.where(lambda army: army.faction == request.faction and army.chief):
            former.chief = False
        army.chief = True
    land.tell("founded", army=army.army, node=place.node, cost=cost)
    land.tell("new_force", army=army.army, node=place.node, faction=request.faction)


# Phase 8: random events, and the close of the turn (8).


T = TypeVar("T")
LEVY_POINTS, TEST_SHARE, HIRED, FEVER_KILLS, GATES_OPEN = 2, 10, 10, 2, 5
NO = "no"


class RandomEventBoard(Country):
    """The board of phase 8. `wanted`: faction -> event; `chosen`: its club's answer."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.wanted: dict[str, str] = {}
        self.chosen: dict[str, str] = {}


def events(land: RandomEventBoard) -> None:
    """Throw for all, ask all questions at once, then apply the events faction by faction."""
    _choose_events(land)
    asks = [ask for faction, event in land.wanted.items() if (ask := _question(land, faction, event)) is not None]
    land.chosen = dict(zip([ask.about for ask in asks], land.game.choose_all(asks), strict=True))
    for faction, event in land.wanted.items():
        effect = EFFECTS.get(event)
        if land.chosen.get(faction) != NO and (effect is None or not effect(land, land.factions[faction])):
            land.game.tell("event_nothing", faction=faction, event=event)


def _choose_events(land: RandomEventBoard) -> None:
    """Choose the event of each faction: by dice, or with phase8 = ask as the referee says."""
    table = {row.roll: row.event for row in land.campaign.table(RandomEvent)}
    players = [row.faction for row in land.players()]
    if land.rules.phase8 == "ask":
        options = ("none", *(str(n) for n in sorted(table)))
        asks = [Ask("event", REFEREE, player, options, "none", {"faction": player}) for player in players]
        for player, word in zip(players, land.game.choose_all(asks), strict=True):
            if word != "none":
                land.wanted[player] = table[int(word)]
        return
    for player in players:
        if land.roll(EVENT(player), land.own(player)).at_least(land.rules.event_on):
            land.wanted[player] = table.get(land.roll(EVENT_TABLE(player), land.own(player)).total, "")


def _question(land: RandomEventBoard, faction: str, event: str) -> Ask | None:
    options = _levied(land, faction) if event == "levies" else _hirers(land, faction) if event == "mercenaries" else []
    if not options:
        return None
    codes = tuple(army.army for army in options)
    if event == "levies":
        return Ask("levies", faction, faction, codes, codes[0], {"faction": faction})
    return Ask("mercenaries", faction, faction, (NO, *codes), NO, {
        "faction": faction, "figures": HIRED, "points": land.rules.mercenary_points})


def _own_forces(land: Country, faction: str) -> list[Army]:
    return [army for army in land.active() if army.faction == faction]


def _levied(land: Country, faction: str) -> list[Army]:
    return [force
            for force in _own_forces(land, faction) if force.ashore and land.territory(force.node, faction) == FRIENDLY]


def _hirers(land: Country, faction: str) -> list[Army]:
    return [force
            for force in _own_forces(land, faction) if force.ashore and (node := land.nodes[force.node]).place != "none"
            and node.holder == faction and node.store >= land.rules.mercenary_points]


def _pick_one(land: Country, faction: str, options: list[T]) -> T | None:
    return drawn(options, lambda dice: land.roll(EVENT_PICK(faction, dice=dice), land.own(faction)))[0]


# --- the eleven events ----------------------------------------------------------------------------
def _fever(land: RandomEventBoard, row: Faction) -> bool:
    """2: each own Unit on the map loses a figure on 1 or 2."""
    own = land.own(row.faction)
    units = [unit for army in _own_forces(land, row.faction) for unit in land.units_of(army.army) if unit.figures]
    for unit, die in [(unit, land.roll(FEVER(unit.unit), own)) for unit in units]:
        if die.at_most(FEVER_KILLS):
            unit.figures -= 1
            land.tell("fever", roll=die, unit=unit.unit, army=unit.army)
    for army in _own_forces(land, row.faction):
        if any(unit.army == army.army for unit in units):
            remove_if_empty(land, army, "8")
    return True


def _omen(land: RandomEventBoard, row: Faction) -> bool:
    """3: -1 to the next Will test."""
    row.omen = -1
    land.tell("omen", faction=row.faction)
    return True


def _cut(land: RandomEventBoard, row: Faction) -> bool:
    """4: a road, track or bridge in the own territory is cut."""
    home = {node.node for node in land.nodes if node.territory == row.faction}
    until = land.turn + land.rules.event_turns
    roads: list[Any] = [road for road in land.roads if road.kind != "river" and {road.a, road.b} & home
                        and road.cut_until < land.turn]
    bridges: list[Any] = [node for node in land.nodes if node.node in home and land.bridge(node.node)]
    picked = _pick_one(land, row.faction, [*roads, *bridges])
    if picked is None:
        return False
    if picked in roads:
        picked.cut_until = until
        land.tell("cut", road=picked.road, a=picked.a, b=picked.b, until=until)
    else:
        picked.bridge_cut_until = until
        land.tell("cut", road=f"bridge {picked.node}", a=picked.node, b="", until=until)
    return True


Effect = Callable[["RandomEventBoard", Faction], bool]
"""Applies an event to a faction; False if there is nothing that it could affect."""


def _one_force(effect: Callable[[RandomEventBoard, Army], None], *, chosen: bool = False) -> Effect:
    """The effect of an event on one own Force, which a die picks, or the club (`chosen`)."""
    def befall(land: RandomEventBoard, row: Faction) -> bool:
        army = land.armies.get(land.chosen.get(row.faction, "")) if chosen else _pick_one(
            land, row.faction, _own_forces(land, row.faction))
        if army is None or not army.active:
            return False
        effect(land, army)
        return True

    return befall


def _desertion(land: RandomEventBoard, army: Army) -> None:
    """5: each Unit of an own Force tests a tenth of its figures."""
    for unit in land.units_of(army.army):
        tested = -(-unit.figures * TEST_SHARE // 100)
        if tested:
            _test_unit(land, army, unit, tested, land.own(army.faction))
    remove_if_empty(land, army, "8")


def _test_unit(land: RandomEventBoard, army: Army, unit: Unit, tested: int, own: list[str] | str) -> None:
    mods, first = quality_modifier(land, unit, QUALITY_EVENT(unit.unit), own)
    gone, dice = test_deserters(land, mods, range(1, tested + 1), lambda i: DESERTER_EVENT(
        unit.unit, i, dice=land.rules.desert_die), own, routed=army.reaction == "routed")
    unit.figures -= gone
    land.tell("deserted", rule="8", roll=[*first, *dice], unit=unit.unit, army=army.army, count=gone)


def _supply(land: RandomEventBoard, army: Army) -> None:
    """6: -1 to the next Force test of an own Force."""
    army.supply_mod = -1
    land.told("spoiled_supply", army)


def _revealed(land: RandomEventBoard, row: Faction) -> bool:
    """7: what a hostile Force is about."""
    army = _pick_one(land, row.faction, [army for army in land.active() if land.hostile(army.faction, row.faction)])
    if army is not None:
        land.tell("revealed", army=army.army, node=army.node, order=army.order, reaction=army.reaction,
                  figures=land.figures(army.army), to=row.faction)
    return army is not None


def _guides(land: RandomEventBoard, army: Army) -> None:
    """8: +1 to the next die of movement of an own Force."""
    army.guides = 1
    land.told("guides", army)


def _levies(land: RandomEventBoard, army: Army) -> None:
    """9: a new Unit of poor figures, as many as a die shows."""
    die = land.roll(LEVIES(army.faction), land.own(army.faction))
    _add_unit(land, army, "levies", ("Levies", "Leve"), die.total, roll=die,
          told={"figures": die.total}, quality="poor", points=LEVY_POINTS)


def _hero(land: RandomEventBoard, army: Army) -> None:
    """10: an elite figure joins an own Force for some turns."""
    until = land.turn + land.rules.hero_turns
    _add_unit(land, army, "hero", ("Wandering hero", "Eroe errante"), 1, told={"until": until}, leaves=until,
          quality="elite", points=land.rules.hero_points)


def _mercenaries(land: RandomEventBoard, army: Army) -> None:
    """11: ten figures for the points of a place, if the club likes."""
    place, price = land.nodes[army.node], land.rules.mercenary_points
    place.store -= price
    _add_unit(land, army, "mercenaries", ("Mercenaries", "Mercenari"), HIRED, mercenary=True,
          told={"figures": HIRED, "cost": price}, points=price // HIRED)


def _gates(land: RandomEventBoard, row: Faction) -> bool:
    """12: an empty stronghold of an enemy opens its gates on 5 or 6."""
    place = _pick_one(land, row.faction, [node for node in land.nodes if node.place == "stronghold" and land.plays(
        node.holder) and land.hostile(node.holder, row.faction) and not land.at(node.node)])
    if place is None:
        return False
    die = land.roll(GATES(row.faction), land.own(row.faction))
    opened = die.at_least(GATES_OPEN)
    land.tell("gates_open" if opened else "gates_shut", land.own(row.faction), roll=die, node=place.node)
    if opened:
        place_falls(land, place, row.faction, "8")
    return True


def _add_unit(land: Country, army: Army, event: str, names: tuple[str, str], figures: int, *, roll: Roll | None = None,
          told: Mapping[str, Any] = MappingProxyType({}), **values: Any) -> None:
    """Add a Unit to a Force, and tell the event."""
    unit = land.units.add(Unit(unit=next_unit(land, army.army), army=army.army, name=names[0], name_it=names[1],
                               figures=figures, figures_start=figures, **values))
    land.tell(event, roll=roll, army=army.army, unit=unit.unit, **told)


EFFECTS: Mapping[str, Effect] = {
    "camp_fever": _fever, "bad_omen": _omen, "road_cut": _cut, "desertion": _one_force(_desertion),
    "spoiled_supply": _one_force(_supply), "order_revealed": _revealed, "guides": _one_force(_guides),
    "levies": _one_force(_levies, chosen=True), "hero": _one_force(_hero),
    "mercenaries": _one_force(_mercenaries, chosen=True), "open_gates": _gates}


# --- the close of the turn ------------------------------------------------------------------------
def close_turn(land: Country) -> None:
    """After the last turn the campaign ends by score."""
    if land.turn >= land.rules.max_turns:
        tell_end(land, by_score=True)
