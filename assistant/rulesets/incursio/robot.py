"""The robot for an absent side: legal orders from what it may know (rulebook: The robot)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.campaign.records import Question
from assistant.campaign.tables import natural
from assistant.rulesets.incursio import battles
from assistant.rulesets.incursio.actions import CONSENT
from assistant.rulesets.incursio.battles import FURY_FROM
from assistant.rulesets.incursio.orders import codes_of
from assistant.rulesets.incursio.realm import TYPES, Realm, Unit, sightings_at, units_text
from assistant.rulesets.incursio.records import ESDEF, VARANNAH, Advantage, Order
from assistant.turn.orders.taking import OrderCheck, without_refused

Row = dict[str, Any]
ENOUGH_DEMONS = {1: 3, 2: 4}
"""The demons that attack a settlement of a level; of other levels `ENOUGH_FOR_ANY`."""
ENOUGH_FOR_ANY = 6
RICHEST_STRUCTURES = ("21", "21", "22", "23")
"""What a settlement builds once it has all that its next level requires."""


def orders(realm: Realm, faction: str, check: OrderCheck) -> list[Order]:
    """The robot's rows for the present phase that pass the checks on its own view."""
    phase = realm.game.phase
    mine = realm.side(0 if phase.startswith("first") else 1) == faction
    minds = {"upkeep": _evening_actions, "spying": night_spies, "final_moves": homeward_moves}
    rows: list[Row] = []
    if mine and phase.endswith("_move"):
        rows = list((march if faction == ESDEF else _roaming_moves)(realm))
    elif mine and phase.endswith("_assault"):
        most = battles.Numbers.of(realm).attacks_per_day
        rows = list((sorties if faction == ESDEF else _settlement_attacks)(realm))[:most]
    elif phase in minds:
        rows = list(minds[phase](realm, faction))
    return legal_orders(realm, faction, rows, check)


def legal_orders(realm: Realm, faction: str, rows: list[Row], check: OrderCheck) -> list[Order]:
    """Rows as orders of the present phase, those that pass the checks on the faction's own view."""
    made = [Order(order=f"{realm.game.turn}-day-{faction}-x{realm.game.phase}{n}", turn=realm.game.turn, phase="day",
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


def _towns_near(realm: Realm, node: str) -> list[str]:
    """The settlements that demons of a cell reach, the weakest first."""
    near = [neighbour for neighbour in (node, *realm.neighbours(node, VARANNAH)) if realm.is_home(neighbour, ESDEF)]
    believed = {town: len(sightings_at(realm, VARANNAH, town, "garrison", "camp")) for town in near}
    return sorted(near, key=lambda town: (realm.nodes[town].level, believed[town], natural(town)))


# --- moves ----------------------------------------------------------------------------------------------------
def _roaming_moves(realm: Realm) -> Iterator[Row]:
    """Bands that are not next to a settlement move to where one is."""
    for node, units in bands(realm).items():
        ways = [(realm.nodes[_towns_near(realm, neighbour)[0]].level, natural(neighbour), neighbour)
                for neighbour in realm.neighbours(node, VARANNAH) if not realm.is_home(neighbour, ESDEF)
                and _towns_near(realm, neighbour) and not sightings_at(realm, VARANNAH, neighbour, "enemies", "camp")]
        if not _towns_near(realm, node) and ways:
            yield {"verb": "move", "node": node, "to_node": min(ways)[2], "units": units_text(codes_of(units))}


def march(realm: Realm) -> Iterator[Row]:
    """Outsiders march toward the nearest ruin; without a garrison one stays."""
    ruins = [row.node for row in realm.homes(VARANNAH)]
    for node in realm.sorted_cells(realm.camp.cells(ESDEF)):
        units = [unit for unit in realm.camp.outside(node, ESDEF) if not unit.fought]
        units = units if realm.camp.garrison(node) or not realm.is_home(node, ESDEF) else units[1:]
        way = realm.game.map.way(node, ruins, None, "grey") if ruins and units else ()
        if len(way) > 1:
            yield {"verb": "move", "node": node, "to_node": way[0], "units": units_text(codes_of(units))}


def homeward_moves(realm: Realm, faction: str) -> Iterator[Row]:
    """Bands next to a ruin with room enter it."""
    room = {row.node: realm.ruin(row).demons - len(realm.camp.at(row.node, VARANNAH))
            for row in realm.homes(VARANNAH)}
    for node, units in bands(realm).items() if faction == VARANNAH else ():
        there = [neighbour for neighbour in realm.neighbours(node, VARANNAH) if room.get(neighbour, 0) > 0]
        if there and node not in room:
            going = units[:room[there[0]]]
            room[there[0]] -= len(going)
            yield {
                "verb": "move",
                "moment": "final",
                "node": node,
                "to_node": there[0],
                "units": units_text(codes_of(going)),
            }


# --- attacks --------------------------------------------------------------------------------------------------
def _settlement_attacks(realm: Realm) -> Iterator[Row]:
    """Each band attacks the weakest settlement for which it is strong enough."""
    for node, units in bands(realm).items():
        for town in _towns_near(realm, node)[:1]:
            if len(units) >= ENOUGH_DEMONS.get(realm.nodes[town].level, ENOUGH_FOR_ANY):
                fury = {"fury": "yes"} if realm.power >= FURY_FROM else {}
                yield {"verb": "attack", "node": node, "to_node": town, "repeat": 3, **fury,
                       "units": units_text(in_battle_order(realm, town, codes_of(units)))}


def in_battle_order(realm: Realm, town: str, units: list[str]) -> list[str]:
    """Order units against the believed garrison, else each type in turn."""
    believed = {row.position: row.what for row in sightings_at(realm, VARANNAH, town, "garrison")}
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
        units = [unit for unit in realm.camp.outside(node, ESDEF) if not unit.driven]
        units = units if realm.camp.garrison(node) or not realm.is_home(node, ESDEF) else units[1:]
        for ruin in [neighbour
                     for neighbour in realm.neighbours(node, ESDEF) if realm.is_home(neighbour, VARANNAH)][:1]:
            believed = [row.what for row in sightings_at(realm, ESDEF, ruin, "camp")]
            strength = len(believed) or realm.ruin(realm.nodes[ruin]).demons
            first = sorted((unit.code for unit in units),
                           key=lambda code: not any(f"{code}/{other}" in over for other in believed[:1]))
            if units and strength <= len(units):
                yield {"verb": "attack", "node": node, "to_node": ruin, "units": units_text(first), "repeat": 3}


# --- evening and night ----------------------------------------------------------------------------------------
def _evening_actions(realm: Realm, faction: str) -> Iterator[Row]:
    """The defenders build, watch over one town, and smuggle; the raiders go on no mission."""
    players = [row for row in realm.players if row.faction == faction and row.species.casefold() != "molor"]
    if faction != ESDEF:
        return
    left = (realm.factions[ESDEF].coins or 0) + sum(realm.income().values())
    for town, code in building_plans(realm):
        cost = realm.types[code].cost
        if players and cost <= left:
            left -= cost
            yield {"verb": "build", "node": town, "structure": code, "player": players.pop(0).player}
    danger = {
        row.node: len(
            [
                observation
                for near in (row.node, *realm.game.map.neighbours(row.node))
                for observation in sightings_at(realm, ESDEF, near, "camp", "enemies")
            ]
        )
        for row in realm.homes(ESDEF)
    }
    watched = max(danger, key=lambda node: danger[node], default="")
    for n, player in enumerate(players):
        if n == 0 and watched:
            yield {"verb": "mission", "mission": "watch", "node": watched, "player": player.player}
        else:
            yield {"verb": "mission", "mission": "smuggling", "player": player.player}


def building_plans(realm: Realm) -> Iterator[tuple[str, str]]:
    """What each settlement would build next, the richest first."""
    incomes = realm.income()
    for town in sorted(realm.homes(ESDEF), key=lambda row: (-row.level, -incomes[row.node], natural(row.node))):
        there = realm.standing(town.node)
        for work in realm.in_work(town.node):
            there[work.structure] += 1
        asked = [code for level in range(1, min(6, town.level + 1) + 1) for code in realm.requires(level).elements()]
        for code in (*asked, *RICHEST_STRUCTURES):
            kind = realm.types[code]
            if there[code] > 0 and code in (*asked, "21"):
                there[code] -= 1
            elif there[code] < kind.limit and kind.level <= town.level:
                yield town.node, code
                there[code] += 1


def night_spies(realm: Realm, faction: str) -> Iterator[Row]:
    """Raiders spy the settlement nearest to a portal of tomorrow; of Esdef the Molor the nearest ruin."""
    players = [row for row in realm.players if row.faction == faction]
    if faction == ESDEF:
        ruins = [row.node for row in realm.homes(VARANNAH)]
        for player in [row for row in players if row.species.casefold() == "molor"] if ruins else ():
            yield {"verb": "spy", "node": ruins[0], "player": player.player}
        return
    towns = realm.homes(ESDEF)
    portals = [row.node for row in realm.portals if row.state == "located" and row.kind == "real"]
    if not towns:
        return
    far = [(realm.game.map.distances(portal).get(town.node, 99.0), natural(town.node), town.node)
           for portal in portals for town in towns]
    nearest = min(far)[2] if far else towns[0].node
    highest = max(towns, key=lambda row: row.level).node
    krinar = next((row.player for row in players if row.species.casefold() == "krinar"), "")
    for player in players:
        first = player.player == krinar
        yield {"verb": "spy", "node": highest if first else nearest, "player": player.player,
               "subject": "structures" if first else "soldiers"}
