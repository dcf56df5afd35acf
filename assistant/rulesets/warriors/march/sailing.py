"""Phase 2: one row carried out on water, from square to square (2 naval)."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise

from assistant.rulesets.warriors.book.sheets import Army, Boat
from assistant.rulesets.warriors.book.tables import SAIL, WIND, WIND_WEATHER
from assistant.rulesets.warriors.land.squares import RIVER
from assistant.rulesets.warriors.march.contacts import meet
from assistant.rulesets.warriors.march.moves import Moves
from assistant.rulesets.warriors.march.walking import cut_short, refused, standing, too_slow
from assistant.rulesets.warriors.orders.paths import LANDS, Voyage, by_water
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.throws.dice import RangeTable


def sail(land: Moves, request: Request, army: Army) -> None:
    """Boards, goes by water as far as the die reaches, and lands where it is told to."""
    storm = not land.weather(army.node).sailing and request.path[0] not in LANDS
    voyage = None if storm else _voyage(land, request, army)
    if voyage is None:
        refused(land, army, "storm" if storm else "boats", "2 naval")
    elif voyage.path:
        _go(land, army, voyage)
    else:
        _land_here(land, army)


def _voyage(land: Moves, request: Request, army: Army) -> Voyage | None:
    """The way by water as things stand now; None where the boats are gone or no longer fit."""
    found = land.game.findings[:]
    with suppress(Refused):
        voyage = by_water(land, request, army)
        land.game.findings[:] = found
        return voyage
    return None


def _land_here(land: Moves, army: Army) -> None:
    """Ashore on the square where it is, without a die."""
    army.aboard = ""
    land.moved.add(army.army)
    land.told("landed", army, at=army.node)


def _go(land: Moves, army: Army, voyage: Voyage) -> None:
    rules, start, boards = land.rules, army.node, not army.aboard
    dice = land.thrown(SAIL, rules.move_die, modifiers(land, army, voyage), land.own(army.faction), army.army)
    army.guides = 0
    low = "1" if rules.naval_low == "as_text" else "0"
    reach = int(dice.row(RangeTable.rising("boats", (-99, low), (rules.sl_2, "2"), (rules.sl_3, "3"),
                                           (rules.sl_4, "4"))))
    far = dice.at_least(rules.sl_2)
    allowance = max(rules.embark_floor, reach - rules.embark_step) if far and boards else reach
    if not allowance:
        too_slow(land, army, dice, "2 naval")
        return
    ashore = max(rules.embark_floor, allowance - rules.embark_step) if far else allowance
    done, why, landed = _way(land, army, voyage, allowance, ashore)
    if done:
        boat = land.boats[voyage.boat.boat]
        boat.node, army.aboard = army.node, "" if landed else boat.boat
        if landed:
            land.told("landed", army, touch=[boat], at=army.node)
        land.went("sailed", army, start, "2 naval", touch=[boat], roll=dice, boat=boat.boat, path=done,
                  allowance=allowance, total=dice)
    if why:
        cut_short(land, army, dice, done, why, "2 naval")


def modifiers(land: Moves, army: Army, voyage: Voyage) -> dict[str, int]:
    """What changes the die: the list of sea and lake, that of rivers, or both; and what changes any die."""
    rules, weather = land.rules, land.weather(army.node)
    found = {**standing(land, army), weather.weather: weather.sail_mod or 0}
    barges = 0
    if voyage.sea:
        found |= _at_sea(land, army, voyage)
        both = rules.barge_stack == "both" or voyage.boat.kind != "ships"
        barges = rules.sl_barges if voyage.boat.barges and both else 0
    if voyage.river:
        found |= _on_river(land, army, voyage)
        barges = rules.sl_barges if voyage.boat.barges else 0
    return {**found, "barges": barges}


def _at_sea(land: Moves, army: Army, voyage: Voyage) -> dict[str, int]:
    rules = land.rules
    squares = [army.node, *voyage.path]
    blows = rules.wind_roll == "each_move" or (
        rules.wind_roll == "weather" and land.weather(army.node).weather == WIND_WEATHER)
    wind = {}
    if blows:
        word = land.roll(WIND(army.army), land.own(army.faction)).row(
            RangeTable.rising("wind", (1, "contrary"), (3, "calm"), (4, "fair")))
        wind = {f"{word} wind" if word != "calm" else "calm": int(rules[f"sl_{word}"])}
    return {**wind, "reefs": rules.sl_reefs if any(land.nodes[one].reefs for one in squares) else 0,
            "small boats": rules.sl_small if voyage.boat.kind != "ships" else 0}


def _on_river(land: Moves, army: Army, voyage: Voyage) -> dict[str, int]:
    rules = land.rules
    squares = [army.node, *voyage.path]
    links = [land.map.links.links(a, b, RIVER) for a, b in pairwise(squares)]
    links = [one for one in links if one]
    up = any(not link.along for one in links for link in one[:1])
    bridges = any(land.bridge(one) for one in squares[:1 + rules.bridge_span])
    return {"rapids": rules.sl_rapids if any(land.map.rapids(a, b) for a, b in pairwise(squares)) else 0,
            "upstream" if up else "downstream": rules.sl_up if up else rules.sl_down,
            "bridge": rules.sl_bridge if bridges else 0}


def _way(land: Moves, army: Army, voyage: Voyage, allowance: int, ashore: int) -> tuple[list[str], str, bool]:
    """The squares done, what stopped the boats, and whether the Force is ashore."""
    lands = voyage.landing and ashore >= len(voyage.path)
    reach = list(voyage.path) if lands else list(voyage.path[:allowance])
    done: list[str] = []
    for place, there in enumerate(reach):
        landing = lands and place == len(voyage.path) - 1
        leaves = not landing and land.map.water(army.node) and not land.map.water(there)
        ends = voyage.landing and place == len(voyage.path) - 1
        if leaves and (ends or not _mouth(land, voyage.boat, army.node, there)):
            return done, "", False  # it would leave the water: it stops before
        why = _barred(land, army, there, landing)
        if why:
            return done, why, False
        if landing and land.foes_at(there, army.faction):
            army.aboard = ""
            meet(land, army, there)
        else:
            land.enter(army, there)
        done.append(there)
    return done, "", lands


def _mouth(land: Moves, boat: Boat, here: str, there: str) -> bool:
    """Whether a navigable river leads from the water, on which these boats go."""
    return land.river_boats(boat) and land.map.navigable(here, there)


def _barred(land: Moves, army: Army, there: str, landing: bool) -> str:
    """Why boats stop before a square; on the last step of a landing hostile Forces mean contact."""
    others = [one for one in land.at(there) if not land.friendly(one.faction, army.faction)]
    if not landing:
        return "water held" if others else ""
    if any(land.state(one.faction, army.faction) == "peace" for one in others):
        return "peace"
    if others and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""
