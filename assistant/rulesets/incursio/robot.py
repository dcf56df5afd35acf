"""Robots that play for an absent club or in the laboratory, plain or with a temper, from what that club may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from assistant.campaign.records import Question
from assistant.campaign.tables import natural
from assistant.rulesets.incursio import ESDEF, VARANNAH, both
from assistant.rulesets.incursio.actions import CONSENT, FOUNDING
from assistant.rulesets.incursio.evening import EndNumbers
from assistant.rulesets.incursio.movement import FURY_FROM, AssaultNumbers
from assistant.rulesets.incursio.realm import Realm, Unit, codes_of, letters, split_units
from assistant.rulesets.incursio.records import TYPES, Advantage, Node, Order
from assistant.turn.orders.taking import OrderCheck, without_refused
from assistant.turn.ruleset import Temper

# --- robot ----------------------------------------------------------------------------------------
# The robot for an absent side: legal orders from what it may know (rulebook: The robot).

Row = dict[str, Any]
ENOUGH_DEMONS = {1: 3, 2: 4}
"""The demons that attack a settlement of a level; of other levels `ENOUGH_FOR_ANY`."""
ENOUGH_FOR_ANY = 6
RICHEST_STRUCTURES = ("21", "21", "22", "23")
"""What a settlement builds once it has all that its next level requires."""


def orders(realm: Realm, faction: str, check: OrderCheck, temper: str = "") -> list[Order]:
    """The robot's rows for the present phase that pass the checks on its own view. `temper`: "" for the plain robot."""
    phase = realm.game.phase
    what = phase.rpartition("_")[2]
    minds = PLAIN if temper not in WEIGHTS else PLAIN | _with_temper(WEIGHTS[temper], faction)
    mind = minds.get((faction, what))
    mine = what not in ("move", "assault") or realm.side(0 if phase.startswith("first") else 1) == faction
    rows = list(mind(realm)) if mind is not None and mine else []
    if what == "assault":
        rows = rows[:AssaultNumbers.of(realm).attacks_per_day]
    made = [Order(order=f"{realm.game.turn}-day-{faction}-x{phase}{n}", turn=realm.game.turn, phase="day",
                  faction=faction, **row) for n, row in enumerate(rows, 1)]
    return without_refused(realm.campaign, made, check) if made else []


def answer(question: Question) -> str:
    """Yes to what the general proposes, else the default."""
    return "yes" if question.kind == CONSENT else question.default or question.options.split(",")[0].strip()


def bands(realm: Realm) -> dict[str, list[Unit]]:
    """The demons of portals that may still act, by cell."""
    bands = {node: [unit for unit in realm.camp.outside(node, VARANNAH) if unit.returns is not None and not unit.fought]
             for node in realm.sorted_cells(realm.camp.cells(VARANNAH))}
    return {node: units for node, units in bands.items() if units}


def _move(node: str, to: str, units: Iterable[Unit], **more: str) -> Row:
    return {"verb": "move", "node": node, "to_node": to, "units": letters(units), **more}


def _spared(realm: Realm, node: str, units: list[Unit]) -> list[Unit]:
    """The soldiers who may leave a cell: where there is no garrison one stays, for no settlement is left empty (FON).
    """
    return units if realm.camp.garrison(node) or not realm.is_home(node, ESDEF) else units[1:]


# --- bands: where they stand and strike -------------------------------------------------------------------------
Strength = Callable[[Realm, str], tuple[int, ...]]
"""How strong a settlement is; of the plain robot its level, then how many defenders have been seen."""


def plain_strength(realm: Realm, town: str) -> tuple[int, ...]:
    """See `Strength`."""
    return (realm.nodes[town].level, len(realm.sightings_at(VARANNAH, town, "garrison", "camp")))


def _prey(realm: Realm, node: str, strength: Strength) -> list[str]:
    """The settlements that demons of a cell reach, the weakest first."""
    near = [cell for cell in (node, *realm.neighbours(node, VARANNAH)) if realm.is_home(cell, ESDEF)]
    return sorted(near, key=lambda town: (strength(realm, town), natural(town)))


def _bands_moves(realm: Realm, strength: Strength, *, restless: bool) -> Iterator[Row]:
    """Bands that reach no settlement move to where they do; if they are restless, all go to where a weaker one is."""
    for node, units in bands(realm).items():
        ways = []
        for cell in realm.neighbours(node, VARANNAH):
            prey = _prey(realm, cell, strength)
            if prey and not realm.is_home(cell, ESDEF) and not realm.sightings_at(VARANNAH, cell, "enemies", "camp"):
                ways.append((strength(realm, prey[0])[0], natural(cell), cell))
        here = _prey(realm, node, strength)
        if ways and (not here or (restless and min(ways)[0] < strength(realm, here[0])[0])):
            yield _move(node, min(ways)[2], units)


def _strikes(realm: Realm, strength: Strength, enough: Callable[[int, str], bool],
             band_list: Iterable[tuple[str, list[Unit]]]) -> Iterator[Row]:
    """Bands that have `enough` demons attack the weakest settlement, as often as they may and to the end if they can.
    """
    fury = {"fury": "yes"} if realm.power >= FURY_FROM else {}
    for node, units in band_list:
        for town in _prey(realm, node, strength)[:1]:
            if enough(len(units), town):
                yield {"verb": "attack", "node": node, "to_node": town, "repeat": 3, **fury,
                       "units": "".join(in_battle_order(realm, town, codes_of(units)))}


# --- moves ----------------------------------------------------------------------------------------------------
def march(realm: Realm) -> Iterator[Row]:
    """Outsiders march toward the nearest ruin; without a garrison one stays."""
    ruins = [row.node for row in realm.homes(VARANNAH)]
    for node in realm.sorted_cells(realm.camp.cells(ESDEF)):
        units = [unit for unit in realm.camp.outside(node, ESDEF) if not unit.fought]
        units = _spared(realm, node, units)
        way = realm.game.map.way(node, ruins, None, "grey") if ruins and units else ()
        if len(way) > 1:
            yield _move(node, way[0], units)


def homeward_moves(realm: Realm) -> Iterator[Row]:
    """Bands next to a ruin with room enter it."""
    room = {row.node: realm.ruin(row).demons - len(realm.camp.at(row.node, VARANNAH))
            for row in realm.homes(VARANNAH)}
    for node, units in bands(realm).items():
        there = [neighbour for neighbour in realm.neighbours(node, VARANNAH) if room.get(neighbour, 0) > 0]
        if there and node not in room:
            going = units[:room[there[0]]]
            room[there[0]] -= len(going)
            yield _move(node, there[0], going, moment="final")


# --- attacks --------------------------------------------------------------------------------------------------
def _settlement_attacks(realm: Realm) -> Iterator[Row]:
    """Each band attacks the weakest settlement for which it is strong enough."""
    return _strikes(realm, plain_strength, lambda many, town: many >= ENOUGH_DEMONS.get(
        realm.nodes[town].level, ENOUGH_FOR_ANY), bands(realm).items())


def in_battle_order(realm: Realm, town: str, units: list[str]) -> list[str]:
    """Order units against the believed garrison, else each type in turn."""
    believed = {row.position: row.what for row in realm.sightings_at(VARANNAH, town, "garrison")}
    over, rest, ordered = realm.campaign.table(Advantage), list(units), list[str]()
    for position in range(1, len(units) + 1):
        enemy = believed.get(position, "")
        turn = sorted(set(rest), key=lambda code: (ordered.count(code), TYPES[VARANNAH].index(code)))
        better = [code for code in turn if f"{code}/{enemy}" in over]
        even = [code for code in turn if f"{enemy}/{code}" not in over]
        ordered.append((better or even or turn)[0])
        rest.remove(ordered[-1])
    return ordered


def sorties(realm: Realm) -> Iterator[Row]:
    """A band attacks a ruin beside it that it believes no stronger than itself."""
    over = realm.campaign.table(Advantage)
    for node in realm.sorted_cells(realm.camp.cells(ESDEF)):
        units = _spared(realm, node, [unit for unit in realm.camp.outside(node, ESDEF) if not unit.driven])
        for ruin in [cell for cell in realm.neighbours(node, ESDEF) if realm.is_home(cell, VARANNAH)][:1]:
            believed = [row.what for row in realm.sightings_at(ESDEF, ruin, "camp")]
            strength = len(believed) or realm.ruin(realm.nodes[ruin]).demons
            first = sorted(codes_of(units), key=lambda code: not any(f"{code}/{other}" in over
                                                                     for other in believed[:1]))
            if units and strength <= len(units):
                yield {"verb": "attack", "node": node, "to_node": ruin, "units": "".join(first), "repeat": 3}


# --- evening and night ----------------------------------------------------------------------------------------
def _evening_actions(realm: Realm) -> Iterator[Row]:
    """The defenders build, watch over one town, and smuggle; the raiders go on no mission."""
    players = _people(realm)
    yield from _builds(realm, players, building_plans(realm))
    danger = {row.node: _demons_near(realm, row.node) for row in realm.homes(ESDEF)}
    watched = max(danger, key=lambda node: danger[node], default="")
    for n, player in enumerate(players):
        on = {"mission": "watch", "node": watched} if n == 0 and watched else {"mission": "smuggling"}
        yield {"verb": "mission", **on, "player": player}


def _people(realm: Realm) -> list[str]:
    """The defenders' people but for the Molor, who spies."""
    return [row.player for row in realm.players if row.faction == ESDEF and row.species.casefold() != "molor"]


def _builds(realm: Realm, players: list[str], plans: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """What coins and tonight's income pay of some plans, each built by the first of the players, who is busy then."""
    left = realm.coins_tonight
    for node, code in plans:
        cost = realm.types[code].cost
        if players and cost <= left:
            left -= cost
            yield {"verb": "build", "node": node, "structure": code, "player": players.pop(0)}


def _demons_near(realm: Realm, node: str) -> int:
    return sum(len(realm.sightings_at(ESDEF, cell, "camp", "enemies"))
               for cell in (node, *realm.game.map.neighbours(node)))


def building_plans(realm: Realm) -> Iterator[tuple[str, str]]:
    """What each settlement would build next, the richest first."""
    incomes = realm.income()
    for town in sorted(realm.homes(ESDEF), key=lambda row: (-row.level, -incomes[row.node], natural(row.node))):
        there = _there_or_begun(realm, town)
        asked = [code for level in range(1, min(6, town.level + 1) + 1) for code in realm.requires(level).elements()]
        for code in (*asked, *RICHEST_STRUCTURES):
            kind = realm.types[code]
            if there[code] > 0 and code in (*asked, "21"):
                there[code] -= 1
            elif there[code] < kind.limit and kind.level <= town.level:
                yield town.node, code
                there[code] += 1


def _defenders_spies(realm: Realm) -> Iterator[Row]:
    """The Molor spy the nearest ruin."""
    molor = [row.player for row in realm.players if row.faction == ESDEF and row.species.casefold() == "molor"]
    yield from ({"verb": "spy", "node": ruin.node, "player": player} for ruin in realm.homes(VARANNAH)[:1]
                for player in molor)


def _raiders_spies(realm: Realm) -> Iterator[Row]:
    """Raiders spy the settlement nearest to a portal of tomorrow, the first Krinar the highest settlement."""
    players = [row for row in realm.players if row.faction == VARANNAH]
    towns = realm.homes(ESDEF)
    if not towns:
        return
    portals = [row.node for row in realm.portals if row.state == "located" and row.kind == "real"]
    far = [(realm.game.map.distances(portal).get(town.node, 99.0), natural(town.node), town.node)
           for portal in portals for town in towns]
    nearest = min(far)[2] if far else towns[0].node
    highest = max(towns, key=lambda row: row.level).node
    krinar = next((row.player for row in players if row.species.casefold() == "krinar"), "")
    for player in players:
        first = player.player == krinar
        yield {"verb": "spy", "node": highest if first else nearest, "player": player.player,
               "subject": "structures" if first else "soldiers"}


Mind = Callable[[Realm], Iterable[Row]]
PLAIN: dict[tuple[str, str], Mind] = {
    (ESDEF, "move"): march, (ESDEF, "assault"): sorties, (ESDEF, "upkeep"): _evening_actions,
    (ESDEF, "spying"): _defenders_spies, (VARANNAH, "move"): partial(
        _bands_moves, strength=plain_strength, restless=False), (VARANNAH, "assault"): _settlement_attacks,
    (VARANNAH, "spying"): _raiders_spies, (VARANNAH, "moves"): homeward_moves}
"""What the plain robot does, by faction and the last word of the phase."""


# --- tempers --------------------------------------------------------------------------------------
# Robots with a temper: where they stand, strike and build, and what their people do, from a view alone.
#
# They work backwards from how a campaign ends. Esdef needs five settlements on the last day: ruins are taken back
# before
# they grow, towns grow that are cheap to grow, what was lost is founded anew. The raiders need fewer than three
# settlements: whatever comes out of a portal is gone at dusk, so it strikes, and rites bring more.

MINE = "21"
HELD_ANYWAY = {1: 1, 2: 3, 3: 6}
"""How many defenders a settlement of a level is thought to have where nobody has looked; of higher ones `MANY`."""
MANY = 9


@dataclass(frozen=True)
class Weights:
    """What makes a temper. `home`: how many outsiders stay in a settlement while there is no ruin; `column`: how many
    soldiers go together; `towns`: up to how many settlements it founds; `strike_pct`: demons in per cent of the
    defenders believed in a settlement with which a band attacks; `rites`: how many of the raiders' people hold rites,
    the others spy.
    """

    home: int
    column: int
    towns: int
    strike_pct: int
    rites: int


WEIGHTS: Mapping[str, Weights] = {
    "bold": Weights(home=2, column=2, towns=10, strike_pct=0, rites=4),
    "careful": Weights(home=4, column=3, towns=8, strike_pct=100, rites=3),
}
TEMPERS = (
    Temper("plain", both("Soldiers march on the nearest ruin, bands attack the weakest settlement with enough demons, "
                         "all raiders spy.",
                         "I soldati marciano sulla rovina più vicina, le bande attaccano l'insediamento più debole con "
                         "abbastanza demoni, tutti gli incursori spiano.")),
    Temper("bold", both("Soldiers go to the ruins; where there are none they found new settlements. Every band "
                        "strikes, and most raiders hold rites.",
                        "I soldati vanno alle rovine; dove non ce ne sono fondano nuovi insediamenti. Ogni banda "
                        "colpisce, e quasi tutti gli incursori fanno riti.")),
    Temper("careful", both("The same with more soldiers at home and fewer new settlements; bands strike only where "
                           "they are not fewer, and more raiders spy.",
                           "Lo stesso con più soldati a casa e meno insediamenti nuovi; le bande colpiscono solo dove "
                           "non sono meno, e più incursori spiano.")),
)


def _with_temper(weights: Weights, faction: str) -> dict[tuple[str, str], Mind]:
    """What a robot of a temper does otherwise than the plain one."""
    return {(ESDEF, "move"): partial(_soldiers_moves, weights=weights),
            (ESDEF, "upkeep"): partial(_town_actions, weights=weights),
            (ESDEF, "moves"): partial(_entries, moment="final"),
            (VARANNAH, "move"): partial(_bands_moves, strength=_believed_defenders, restless=True),
            (VARANNAH, "assault"): partial(_largest_first, weights=weights),
            (VARANNAH, "upkeep"): partial(_rites, weights=weights),
            (faction, "spying"): partial(_free_spies, faction=faction)}


# The defenders: where they stand.


def _entries(realm: Realm, moment: str) -> Iterator[Row]:
    """Outsiders enter garrisons that have room."""
    for town in realm.homes(ESDEF):
        going: list[str] = []
        for code in codes_of(unit for unit in realm.camp.outside(town.node, ESDEF) if not unit.fought):
            going += [code] if realm.takes_in(town.node, [*going, code]) else []
        if going:
            yield {"verb": "enter", "moment": moment, "node": town.node, "units": "".join(going)}


def _soldiers_moves(realm: Realm, weights: Weights) -> Iterator[Row]:
    """Fill garrisons; all others go to the ruins while there are any, else to a bare town, or to found one."""
    entering = {row["node"]: row for row in _entries(realm, "initial")}
    yield from entering.values()
    inside = {node: split_units(row["units"]) for node, row in entering.items()}
    if realm.homes(VARANNAH):
        for row in march(realm):
            left = Counter(split_units(row["units"])) - Counter(inside.get(row["node"], ()))
            if left:
                yield {**row, "units": "".join(left.elements())}
        return
    towns = {town.node for town in realm.homes(ESDEF)}
    aims = _aims(realm, weights)
    for node in realm.sorted_cells(realm.camp.cells(ESDEF)):
        units = [unit for unit in realm.camp.outside(node, ESDEF) if not unit.fought]
        spare = units[weights.home + len(inside.get(node, ())):] if node in towns else units
        if node not in towns and _can_found(realm, weights):
            continue  # it founds a settlement where it stands
        goals = [aim for aim in aims if aim != node]
        way = realm.game.map.way(node, goals, None, "grey") if goals and len(spare) >= weights.column else ()
        if way and not realm.sightings_at(ESDEF, way[0], "camp", "enemies"):
            aims = [aim for aim in aims if aim != way[-1]]
            yield _move(node, way[0], spare)


def _aims(realm: Realm, weights: Weights) -> list[str]:
    """Where soldiers are wanted while there is no ruin: settlements with few defenders, sites for new ones."""
    bare = [town.node for town in realm.homes(ESDEF)
            if len(realm.camp.at(town.node, ESDEF)) < 2 + _demons_near(realm, town.node)]
    sites = [cell for town in realm.homes(ESDEF) for cell in realm.neighbours(town.node, ESDEF)
             if realm.nodes[cell].kind == "empty" and not realm.camp.at(cell, ESDEF)
             and not realm.sightings_at(ESDEF, cell, "camp", "enemies", "portal")]
    return [*bare, *(sites if _can_found(realm, weights) else [])]


def _can_found(realm: Realm, weights: Weights) -> bool:
    """Whether there are too few settlements, and coins for another."""
    price = sum(realm.types[code].cost for code in FOUNDING)
    return len(realm.homes(ESDEF)) < weights.towns and realm.coins_tonight >= price


# The defenders: what their people do of an evening.


def _town_actions(realm: Realm, weights: Weights) -> Iterator[Row]:
    """Build what is affordable, one a player; the others watch over a town and drill, the Molor spies."""
    players = _people(realm)
    yield from _builds(realm, players, _works(realm, weights))
    towns = sorted(realm.homes(ESDEF), key=lambda town: (
        -_demons_near(realm, town.node), len(realm.camp.at(town.node, ESDEF)), natural(town.node)))
    missions = [("watch", towns[0].node)] if towns else []
    missions += [("drill", town.node) for town in towns]
    for player, (mission, node) in zip(players, missions, strict=False):
        yield {"verb": "mission", "mission": mission, "node": node, "player": player}


def _works(realm: Realm, weights: Weights) -> Iterator[tuple[str, str]]:
    """What to build, the most urgent first: new settlements, mines, then the cheapest way to a higher level."""
    if _can_found(realm, weights):
        for node in realm.sorted_cells(realm.camp.cells(ESDEF)):
            there, work = realm.standing(node), {row.structure for row in realm.in_work(node)}
            if realm.nodes[node].kind == "empty":
                yield from ((node, code) for code in FOUNDING if not there[code] and code not in work)
    towns = sorted(realm.homes(ESDEF), key=lambda town: (town.level, natural(town.node)))
    if realm.today < EndNumbers.of(realm).campaign_days // 2:
        yield from ((town.node, MINE) for town in towns if town.level >= realm.types[MINE].level
                    and _there_or_begun(realm, town)[MINE] < realm.types[MINE].limit)
    for town in towns:
        there = _there_or_begun(realm, town)
        for code in realm.requires(town.level + 1).elements() if town.level < 4 else ():
            needed = sum(realm.requires(level)[code] for level in range(1, town.level + 2))
            if there[code] < needed:
                there[code] += 1
                yield town.node, code
    yield from building_plans(realm)


def _there_or_begun(realm: Realm, town: Node) -> Counter[str]:
    """The structures of a settlement, with those in work."""
    return realm.standing(town.node) + Counter(row.structure for row in realm.in_work(town.node))


# The raiders.


def _believed_defenders(realm: Realm, town: str) -> tuple[int, ...]:
    """How many defenders a settlement is believed to have: those seen, at least what its level has anyway."""
    level, seen = plain_strength(realm, town)
    return (max(seen, HELD_ANYWAY.get(level, MANY)),)


def _largest_first(realm: Realm, weights: Weights) -> Iterator[Row]:
    """The largest bands first: what a portal sends is gone at dusk, whether it strikes or not."""
    return _strikes(realm, _believed_defenders, lambda many, town: (
        many * 100 >= _believed_defenders(realm, town)[0] * weights.strike_pct),
        sorted(bands(realm).items(), key=lambda band: (-len(band[1]), natural(band[0]))))


def _rites(realm: Realm, weights: Weights) -> Iterator[Row]:
    """Some of the raiders' people bring more demons through the first portal; who spies best, spies."""
    chances = {row.species.casefold(): row.percent for row in realm.spies if row.faction == VARANNAH}
    skill = {row.player: chances.get(row.species.casefold(), chances.get("*", 0)) for row in realm.players
             if row.faction == VARANNAH}
    best = sorted(skill, key=lambda player: (-skill[player], natural(player)))
    yield from ({"verb": "mission", "mission": "rite", "player": player} for player in best[::-1][:weights.rites])


def _free_spies(realm: Realm, faction: str) -> list[Row]:
    """The spies of the usual robot, without those who have something else to do."""
    busy = {str(row.player) for row in realm.orders.of_turn(realm.game.turn) if row.faction == faction
            and row.verb in ("mission", "build") and row.status != "refused"}
    return [row for row in PLAIN[faction, "spying"](realm) if row["player"] not in busy]
