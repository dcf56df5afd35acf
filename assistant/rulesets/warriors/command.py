"""Phases 0 and 1: the weather, and Force tests for new orders."""

from __future__ import annotations

from assistant.campaign.records import ALL
from assistant.rulesets.warriors.land import (
    Country,
    choose_new_chief,
    owe_will_test,
    remove_force,
    season_of,
    take_reaction,
)
from assistant.rulesets.warriors.numbers import FAIR, FORCE_TEST, HEAT, SPLENDID, WEATHER
from assistant.rulesets.warriors.orders import take_rows
from assistant.rulesets.warriors.records import Army, Climate, Weather, Zone
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.orders.requests import Request
from assistant.turn.questions import Ask
from assistant.turn.rulings import Score

# Phase 0: the weather of each zone (0).


def weather(land: Country) -> None:
    """Set the weather of all zones by dice; with phase0 = ask as the referee says."""
    zones = list(land.zones)
    if land.rules.phase0 == "ask":
        options = tuple(row.weather for row in land.campaign.table(Weather))
        asks = [Ask("weather", REFEREE, zone.zone, options, asked={"zone": zone.zone}) for zone in zones]
        for zone, word in zip(zones, land.game.choose_all(asks), strict=True):
            zone.weather = word
            land.tell("weather_set", ALL, "0", touch=[zone], zone=zone.zone, weather=word)
        return
    for zone in zones:
        _throw_weather(land, zone)


def _throw_weather(land: Country, zone: Zone) -> None:
    """Throw a zone's weather: doubles keep it, else the table; an arid summer turns splendid weather into heat."""
    season = season_of(land, land.desk.week)
    climate = land.campaign.table(Climate).get(zone.climate)
    roll = land.roll(WEATHER(zone.zone))
    dice = Score(roll, tuple([(season, n)] if climate is not None and (n := int(getattr(climate, season))) else []))
    if zone.weather and len(set(roll.faces)) == 1:
        land.tell("weather_held", ALL, "0", roll=roll, touch=[zone], zone=zone.zone, weather=zone.weather)
        return
    word = next((row.weather for row in land.campaign.table(Weather)
                 if (row.low is None or dice.at_least(row.low)) and (row.high is None or dice.at_most(row.high))), FAIR)
    zone.weather = HEAT if (word, zone.climate, season) == (SPLENDID, "arid", "summer") else word
    land.tell("weather_set", ALL, "0", roll=dice, touch=[zone], zone=zone.zone, weather=zone.weather, total=dice)


# Phase 1: Force tests for new orders (Ord, Rea, 1).


class CommandBoard(Country):
    """The board of phase 1, with the rows that count."""

    requests: list[Request]


def read_rows(land: CommandBoard) -> None:
    """Take the rows of the phase."""
    land.requests = take_rows(land)


def force_test_modifiers(land: Country, army: Army) -> dict[str, int]:
    """The modifiers of a Force test, by name: V.C., reaction, ground, marker and supply."""
    rules, node = land.rules, land.nodes.get(army.node)
    ground = node is not None and not land.map.water(army.node)
    found = {"V.C.": land.vc(army)}
    if army.reaction != "none":
        found[army.reaction] = int(rules[f"ft_{army.reaction}"])
    if ground and node is not None:
        found |= {one: land.map.terrain(one).force_mod for one in node.terrains}
        found |= land.by_territory(army.node, army.faction, rules.ft_friendly, rules.ft_enemy)
    marker = army.will_marker and rules.will_marker == "next_test"
    return {**found, "Will marker": rules.ft_marker if marker else 0,
            "spoiled supply": rules.ft_supply if army.supply_mod else 0}


def force_test_table(land: Country) -> RangeTable:
    """The table of results of a Force test."""
    rules = land.rules
    return RangeTable.rising("Force test", (-99, "lost"), (rules.force_unsteady, "unsteady"),
                             (rules.force_confused, "confused"), (rules.force_defend, "defend"),
                             (rules.force_ok, "given"))


def force_tests(land: CommandBoard) -> None:
    """Throw all tests first, then apply them all."""
    tested: list[tuple[Army, str, Score]] = []
    for request in sorted(land.requests, key=lambda one: land.armies.keys().index(str(one.more["army"]))):
        army, wish = land.armies[str(request.more["army"])], str(request.more["new_order"])
        if army.reaction == "none" and army.order == wish:
            continue
        tested.append((army, wish, land.thrown(FORCE_TEST, land.rules.force_die, force_test_modifiers(land, army),
                                               land.own(army.faction), army.army)))
    lost = [army for army, wish, dice in tested if _apply_test(land, army, wish, dice)]
    for army in lost:
        _mark_the_others(land, army, [one.army for one in lost])
    for army in lost:
        choose_new_chief(land, army.faction)


def _apply_test(land: Country, army: Army, wish: str, dice: Score) -> bool:
    """Apply a test; return whether the Force is out of control."""
    army.will_marker, army.supply_mod = False, 0
    verdict, kept = dice.row(force_test_table(land)), land.rules.order_under_reaction == "kept"
    if verdict == "given":
        army.reaction, army.order = "none", wish
        land.told("order_given", army, roll=dice, order=wish, total=dice)
        return False
    if verdict == "defend":
        army.reaction, army.order = "none", "defend"
        land.told("order_defend", army, roll=dice, total=dice)
        return False
    if verdict != "lost":
        take_reaction(army, verdict, kept=kept)
        land.told(f"force_{verdict}", army, roll=dice, reaction=verdict, total=dice)
        return False
    if land.rules.will_trigger != "all_forces":
        owe_will_test(land, army.faction, f"force_lost:{army.army}")
    if land.rules.rout_result == "removed":
        chief = army.chief
        army.chief = False
        remove_force(land, army, "lost", "force_lost", "1 Force test", why="out of control", roll=dice, total=dice)
        army.chief = chief
    else:
        take_reaction(army, "routed", kept=kept)
        land.told("force_lost", army, roll=dice, faction=army.faction, why="routed", total=dice)
    return True


def _mark_the_others(land: Country, gone: Army, lost: list[str]) -> None:
    """Give each other Force of the faction a Will marker, one at most."""
    for army in land.active():
        if army.faction == gone.faction and army.army not in lost and not army.will_marker:
            army.will_marker = True
            land.told("will_marker", army)
