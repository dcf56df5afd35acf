"""The phases of a season."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.turn.battle_form import BattleForm, Entry
from assistant.turn.battle_results import take_form
from assistant.turn.game import REFEREE, Phase, Step, next_code
from assistant.turn.orders.taking import carry_all, take
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest
from tests.sketches.islands.board import BATTLE_DIE, SCOUT_DIE, SKY, TURNS, WEATHER_DIE, WIND, Sea
from tests.sketches.islands.sheets import Battle, Sighting, Squadron, Treaty


# --- 2 weather -----------------------------------------------------------------------------------
def weather(sea: Sea) -> None:
    roll = sea.roll(WEATHER_DIE(sea.game.turn))
    sea.desk.weather = roll.row(SKY)
    for one in sea.squadrons:
        one.scouts = one.blocks = ""
    sea.tell("isl.weather", roll=roll, weather=sea.desk.weather)


# --- 3, 4, 6, 10 what is ordered in secret ---------------------------------------------------------
def noting(sea: Sea) -> None:
    carry_all(sea, take(sea))


def sailing(sea: Sea) -> None:
    """Step by step, all at once; who meets an enemy stops."""
    done: dict[str, list[str]] = {code: [] for code in sea.ways}
    going = {code: list(way) for code, way in sea.ways.items()}
    while going:
        for code in list(going):
            squadron = sea.squadrons[code]
            squadron.node = going[code].pop(0)
            squadron.since = sea.game.turn
            done[code].append(squadron.node)
        for code in list(going):
            squadron = sea.squadrons[code]
            met = sea.foes(squadron.faction, squadron.node)
            if met and going[code]:
                sea.tell("isl.stopped", army=code, node=squadron.node)
            if met or not going[code]:
                del going[code]
    for code, way in done.items():
        if way:
            squadron = sea.squadrons[code]
            sea.tell("isl.sailed", army=code, path=" ".join(way))


def scouting(sea: Sea) -> None:
    for scout in sea.squadrons.where(lambda one: bool(one.scouts)):
        if not sea.game.map.has_link(scout.node, scout.scouts):
            scout.scouts = ""
            continue
        wind = WIND[sea.desk.weather]
        trial = sea.trial(SCOUT_DIE(scout.army, sea.game.turn), sea.rules.scout_on,
                          {sea.desk.weather: max(wind, -1)}, [scout.faction])
        sea.tell("isl.scouted", roll=trial, army=scout.army, node=scout.scouts)
        if trial.passed:
            for other in sea.at(scout.scouts):
                if other.faction != scout.faction:
                    sea.sightings.add(Sighting(sighting=next_code(sea.sightings, scout.faction + "-V{}"),
                                                     faction=scout.faction,
                                                     turn=sea.game.turn, node=other.node, seen=other.army,
                                                     ships=other.ships))
                    sea.tell("isl.seen", [scout.faction], node=other.node, seen=other.army, n=other.ships)


def blockades(sea: Sea) -> None:
    for one in sea.squadrons.where(lambda one: bool(one.blocks)):
        if sea.game.map.has_link(one.node, one.blocks):
            sea.tell("isl.blocks", army=one.army, node=one.blocks)
        else:
            one.blocks = ""


def treaties(sea: Sea) -> None:
    for house, partner in sea.offers:
        if (partner, house) not in sea.offers:
            sea.tell("isl.offered", faction=house, partner=partner)
        elif house < partner:
            sea.treaties.add(Treaty(treaty=f"{house}-{partner}", a=house, b=partner, since=sea.game.turn))
            sea.tell("isl.peace", a=house, b=partner)


# --- 5 battles ------------------------------------------------------------------------------------
def meeting(sea: Sea) -> None:
    for port in sea.ports:
        ships: dict[str, int] = {}
        for one in sea.at(port.node):
            ships[one.faction] = ships.get(one.faction, 0) + one.ships
        pairs = sorted((-ships[a] - ships[b], a, b) for a in ships for b in ships if a < b and sea.hostile(a, b))
        if pairs:
            _, a, b = pairs[0]
            first = {side: min(TURNS.key(one.since) for one in sea.at(port.node) if one.faction == side)
                     for side in (a, b)}
            if first[b] < first[a]:
                a, b = b, a
            code = f"B{sea.game.turn}.{port.node}"
            row = sea.battles.get(code) or sea.battles.add(Battle(battle=code))
            row.turn, row.node, row.status, row.side_a, row.side_b = sea.game.turn, port.node, "open", a, b
            row.ships_a, row.ships_b = ships[a], ships[b]
            sea.tell("isl.laid", a=a, b=b, node=port.node)


def lost_by(side: str) -> Callable[[Any], dict[str, Any]]:
    """What fills the braces of the finding for losses that cannot be."""
    return lambda filled: {"seen": filled.raw_value(f"losses_{side}"), "which": side,
                           "most": getattr(filled.battle, f"ships_{side}")}


FORM: BattleForm[Battle] = BattleForm(
    "battle_result",
    (Entry("winner", told="ISL-022", words={"a": "a", "b": "b", "draw": "draw", "pari": "draw"}),
     Entry("losses_a", "a", told="ISL-023", facts=lost_by("a"), most=lambda filled: filled.battle.ships_a),
     Entry("losses_b", "b", told="ISL-023", facts=lost_by("b"), most=lambda filled: filled.battle.ships_b)),
    line=("winner", "losses_a", "losses_b"))


def fighting(sea: Sea) -> None:
    rows = list(sea.battles.where(lambda one: one.status == "open"))
    asks = [Ask("mode", side, row.node, ("table", "dice"), "dice", {"node": row.node, "a": row.side_a, "b": row.side_b})
            for row in rows for side in (row.side_a, row.side_b)]
    said = sea.game.choose_all(asks)
    for n, row in enumerate(rows):
        if said[2 * n:2 * n + 2] == ["dice", "dice"]:
            by_dice(sea, row)
        else:
            by_table(sea, row)


def by_dice(sea: Sea, row: Battle) -> None:
    before = {side: min(TURNS.key(one.since) for one in sea.at(row.node) if one.faction == side) for side in (
        row.side_a, row.side_b)}
    contest = Contest({
        "a": sea.score(BATTLE_DIE(row.battle, "a"), {"ships": row.ships_a, "there before": sea.rules.gauge
                                                     if before[row.side_a] < before[row.side_b] else 0}),
        "b": sea.score(BATTLE_DIE(row.battle, "b"), {"ships": row.ships_b})})
    sea.tell("isl.dice", [row.side_a, row.side_b], roll=contest, node=row.node)
    if not contest.winner:
        over(sea, row, "draw", 1, 1)
        return
    ships = {"a": row.ships_a, "b": row.ships_b}
    winner, loser = (contest.winner, "b" if contest.winner == "a" else "a")
    lost = {loser: min(ships[loser], max(1, contest.margin))}
    lost[winner] = min(lost[loser] // 2, ships[winner] // 2)
    over(sea, row, winner, lost["a"], lost["b"])


def by_table(sea: Sea, row: Battle) -> None:
    ask = Ask("battle_result", REFEREE, row.battle, default="draw 1 1", asked={
        "node": row.node, "a": row.side_a, "b": row.side_b, "ships_a": row.ships_a, "ships_b": row.ships_b})
    taken = take_form(sea.game, FORM, ask, row, row, {"a": [row.side_a], "b": [row.side_b]})
    if taken.state != "filled":
        sea.game.ask(ask)
    over(sea, row, taken.filled["winner"], taken.filled["losses_a"], taken.filled["losses_b"])


def over(sea: Sea, row: Battle, winner: str, losses_a: int, losses_b: int) -> None:
    row.status, row.winner, row.losses_a, row.losses_b = "fought", winner, losses_a, losses_b
    if winner == "draw":
        sea.tell("isl.draw", a=row.side_a, b=row.side_b, node=row.node)
    else:
        sides = (row.side_a, row.side_b) if winner == "a" else (row.side_b, row.side_a)
        sea.tell("isl.battle", winner=sides[0], loser=sides[1], node=row.node)
    for side, losses in ((row.side_a, losses_a), (row.side_b, losses_b)):
        for one in [one for one in sea.at(row.node) if one.faction == side]:
            n = min(losses, one.ships)
            losses, one.ships = losses - n, one.ships - n
            if n:
                sea.tell("isl.lost", [row.side_a, row.side_b], army=one.army, n=n, left=one.ships)
            if not one.ships:
                sink(sea, one)
    loser = row.side_b if winner in ("a", "draw") else row.side_a
    for one in [one for one in sea.at(row.node) if one.faction == loser]:
        flee(sea, one)


def sink(sea: Sea, one: Squadron) -> None:
    sea.squadrons.remove(one.army)
    sea.tell("isl.sunk", army=one.army)


def flee(sea: Sea, one: Squadron) -> None:
    free = [port.node for port in sea.ports if port.owner == one.faction and port.node != one.node
            and not sea.foes(one.faction, port.node)]
    way = sea.game.map.way(one.node, free)
    if not way:
        sink(sea, one)
        return
    one.node, one.since, one.blocks = way[-1], sea.game.turn, ""
    sea.tell("isl.fled", army=one.army, node=one.node)


# --- 6 to 9: what is taken and earned -------------------------------------------------------------------
def landing(sea: Sea) -> None:
    for port in sea.ports:
        there = sea.at(port.node)
        houses = {one.faction for one in there}
        if not there or port.owner in houses or len(houses) != 1:
            continue
        house = there[0].faction
        if (not port.owner or sea.hostile(house, port.owner)) and sum(one.ships for one in there) >= port.fort:
            for hull in [one for one in sea.hulls if one.node == port.node]:
                sea.hulls.remove(hull.hull)
                sea.tell("isl.hulls_lost", [hull.faction], n=hull.ships, node=port.node)
            port.owner = house
            sea.tell("isl.taken", faction=house, node=port.node)


def blocked(sea: Sea) -> dict[str, list[Squadron]]:
    """Port -> the squadrons that blockade it, those of houses at war with its owner."""
    found: dict[str, list[Squadron]] = {}
    for one in sea.squadrons:
        if one.blocks and one.ships >= sea.rules.blockaders and one.node and (
                sea.game.map.has_link(one.node, one.blocks)):
            owner = sea.ports[one.blocks].owner
            if owner and sea.hostile(one.faction, owner):
                found.setdefault(one.blocks, []).append(one)
    return found


def trading(sea: Sea) -> None:
    shut = blocked(sea)
    for house, start, end, _ in sea.convoys:
        way = sea.game.map.way(start, [end])
        owner = sea.ports[end].owner
        gold = len(way) * (sea.rules.lane_gold + (sea.rules.peace_gold if owner != house else 0))
        raiders = [one for node in (start, *way) for one in sea.foes(house, node)]
        if start in shut or end in shut or raiders:
            sea.tell("isl.caught", [house], start=start, node=end)
            if raiders and gold // 2:
                raider = raiders[0]
                sea.pay(raider.faction, "prizes", gold // 2)
                sea.tell("isl.prize",
                         army=raider.army, n=gold // 2)
            continue
        sea.pay(house, "convoys", gold)
        sea.tell("isl.convoy", [house], start=start, node=end, n=gold)


def income(sea: Sea) -> None:
    if TURNS.season(sea.game.turn) != "Au":
        return
    shut = blocked(sea)
    for node in shut:
        sea.tell("isl.blocked", node=node)
    for house in sea.houses:
        gold = sum(port.trade for port in sea.ports if port.owner == house.faction and port.node not in shut)
        if gold:
            sea.pay(house.faction, "ports", gold)
            sea.tell("isl.income", faction=house.faction, n=gold)


def launching(sea: Sea) -> None:
    for hull in list(sea.hulls.where(lambda one: TURNS.key(one.ready) <= TURNS.key(sea.game.turn))):
        sea.hulls.remove(hull.hull)
        new = sea.new_squadron(hull.faction, hull.node, hull.ships)
        sea.tell("isl.launched", army=new.army, n=new.ships, node=new.node)


def ending(sea: Sea) -> None:
    for treaty in list(sea.treaties.where(lambda one: one.ends)):
        sea.treaties.remove(treaty.treaty)
        sea.tell("isl.over", a=treaty.a, b=treaty.b)
    if sea.game.turn != f"{sea.rules.years}Au":
        return
    points = {}
    for house in sea.houses:
        trade = sum(port.trade for port in sea.ports if port.owner == house.faction)
        ships = sum(one.ships for one in sea.squadrons if one.faction == house.faction)
        gold = house.gold // sea.rules.gold_point
        points[house.faction] = trade + ships + gold
        sea.tell("isl.points", faction=house.faction, n=points[house.faction], trade=trade, ships=ships, gold=gold)
    best = [code for code, n in points.items() if n == max(points.values())]
    if len(best) == 1:
        sea.tell("isl.won", winner=best[0])
    else:
        sea.tell("isl.even")


PHASES = (
    Phase("weather", "Weather", "Tempo", "2", board=Sea, steps=(Step(weather),)),
    Phase("sail", "Sailing", "Navigazione", "3", orders="season", takes="sail", robots_anew=True, board=Sea, steps=(
        Step(noting, "together"), Step(sailing), Step(scouting), Step(blockades), Step(treaties), Step(meeting))),
    Phase("guns", "Battles", "Battaglie", "5", waits_for=("mode", "battle_result"), board=Sea, steps=(Step(fighting),
                                                                                                      Step(landing))),
    Phase("trade", "Trade", "Commercio", "7", orders="season", takes="trade", robots_anew=True, board=Sea, steps=(
        Step(noting, "together"), Step(trading), Step(income), Step(launching), Step(ending))),
)
