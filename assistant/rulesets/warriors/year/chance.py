"""Phase 8: who throws a six has a random event; then the turn is closed (8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from assistant.rulesets.warriors.book.records import Faction
from assistant.rulesets.warriors.book.sheets import Army, RandomEvent, Unit
from assistant.rulesets.warriors.book.tables import (
    DESERTER_EVENT,
    EVENT,
    EVENT_PICK,
    EVENT_TABLE,
    FEVER,
    GATES,
    LEVIES,
    QUALITY_EVENT,
)
from assistant.rulesets.warriors.land.changes import empty, next_unit
from assistant.rulesets.warriors.land.country import FRIENDLY, Country
from assistant.rulesets.warriors.march.crossing import deserters_of, quality
from assistant.rulesets.warriors.war.places import fall
from assistant.rulesets.warriors.year.will import ends
from assistant.turn.game import REFEREE, Ask, Game
from assistant.turn.throws.among import drawn
from assistant.turn.throws.dice import Roll

T = TypeVar("T")
LEVY_POINTS, TEST_SHARE, HIRED, FEVER_KILLS, GATES_OPEN = 2, 10, 10, 2, 5
NO = "no"


class Chance(Country):
    """Phase 8: `wanted` is faction -> event; `chosen` what its club has answered."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.wanted: dict[str, str] = {}
        self.chosen: dict[str, str] = {}


def events(land: Chance) -> None:
    """The dice of all, the two questions at once, then faction by faction."""
    _which(land)
    asks = [ask for faction, event in land.wanted.items() if (ask := _question(land, faction, event)) is not None]
    land.chosen = dict(zip([ask.about for ask in asks], land.game.choose_all(asks), strict=True))
    for faction, event in land.wanted.items():
        effect = EFFECTS.get(event)
        if land.chosen.get(faction) != NO and (effect is None or not effect(land, land.factions[faction])):
            land.game.tell("event_nothing", land.own(faction), "8", faction=faction, event=event)


def _which(land: Chance) -> None:
    """Which event befalls whom: by dice, or with phase8 = ask as the referee says."""
    table = {row.roll: row.event for row in land.campaign.table(RandomEvent)}
    players = [row.faction for row in land.players()]
    if land.rules.phase8 == "ask":
        options = ("none", *(str(n) for n in sorted(table)))
        asks = [Ask("event", REFEREE, one, options, "none", {"faction": one}) for one in players]
        for one, word in zip(players, land.game.choose_all(asks), strict=True):
            if word != "none":
                land.wanted[one] = table[int(word)]
        return
    for one in players:
        if land.roll(EVENT(one), land.own(one)).at_least(land.rules.event_on):
            land.wanted[one] = table.get(land.roll(EVENT_TABLE(one), land.own(one)).total, "")


def _question(land: Chance, faction: str, event: str) -> Ask | None:
    options = _levied(land, faction) if event == "levies" else _hirers(land, faction) if event == "mercenaries" else []
    if not options:
        return None
    codes = tuple(one.army for one in options)
    if event == "levies":
        return Ask("levies", faction, faction, codes, codes[0], {"faction": faction})
    return Ask("mercenaries", faction, faction, (NO, *codes), NO, {
        "faction": faction, "figures": HIRED, "points": land.rules.mercenary_points})


def _own(land: Country, faction: str) -> list[Army]:
    return [one for one in land.active() if one.faction == faction]


def _levied(land: Country, faction: str) -> list[Army]:
    """Own Forces ashore in friendly territory."""
    return [one for one in _own(land, faction) if one.ashore and land.territory(one.node, faction) == FRIENDLY]


def _hirers(land: Country, faction: str) -> list[Army]:
    """Own Forces ashore in an own place that can pay."""
    return [one for one in _own(land, faction) if one.ashore and (node := land.nodes[one.node]).place != "none"
            and node.holder == faction and node.store >= land.rules.mercenary_points]


def _picked(land: Country, faction: str, options: list[T]) -> T | None:
    """One of several by a die of as many sides."""
    return drawn(options, lambda dice: land.roll(EVENT_PICK(faction, dice=dice), land.own(faction)))[0]


# --- the eleven events ----------------------------------------------------------------------------
def _fever(land: Chance, row: Faction) -> bool:
    """2: each own Unit on the map loses a figure on 1 or 2."""
    own = land.own(row.faction)
    units = [unit for army in _own(land, row.faction) for unit in land.units_of(army.army) if unit.figures]
    for unit, die in [(unit, land.roll(FEVER(unit.unit), own)) for unit in units]:
        if die.at_most(FEVER_KILLS):
            unit.figures -= 1
            land.tell("fever", own, "8", roll=die, touch=[unit], unit=unit.unit, army=unit.army)
    for army in _own(land, row.faction):
        if any(unit.army == army.army for unit in units):
            empty(land, army, "8")
    return True


def _omen(land: Chance, row: Faction) -> bool:
    """3: -1 to the next Will test."""
    row.omen = -1
    land.tell("omen", land.own(row.faction), "8", touch=[row], faction=row.faction)
    return True


def _cut(land: Chance, row: Faction) -> bool:
    """4: a road, track or bridge in the own territory is cut."""
    home = {node.node for node in land.nodes if node.territory == row.faction}
    until = land.turn + land.rules.event_turns
    roads: list[Any] = [one for one in land.roads if one.kind != "river" and {one.a, one.b} & home
                        and one.cut_until < land.turn]
    bridges: list[Any] = [one for one in land.nodes if one.node in home and land.bridge(one.node)]
    picked = _picked(land, row.faction, [*roads, *bridges])
    if picked is None:
        return False
    if picked in roads:
        picked.cut_until = until
        land.tell("cut", "all", "8", touch=[picked], road=picked.road, a=picked.a, b=picked.b, until=until)
    else:
        picked.bridge_cut_until = until
        land.tell("cut", "all", "8", touch=[picked], road=f"bridge {picked.node}", a=picked.node, b="", until=until)
    return True


Effect = Callable[["Chance", Faction], bool]
"""What an event does to a faction; False where there is nobody whom it could befall."""


def _befalls(effect: Callable[[Chance, Army], None], *, chosen: bool = False) -> Effect:
    """An event of an own Force, which a die picks; or which its club has `chosen`."""
    def befall(land: Chance, row: Faction) -> bool:
        army = land.armies.get(land.chosen.get(row.faction, "")) if chosen else _picked(
            land, row.faction, _own(land, row.faction))
        if army is None or not army.active:
            return False
        effect(land, army)
        return True

    return befall


def _desertion(land: Chance, army: Army) -> None:
    """5: each Unit of an own Force tests a tenth of its figures."""
    for unit in land.units_of(army.army):
        tested = -(-unit.figures * TEST_SHARE // 100)
        if tested:
            _tested(land, army, unit, tested, land.own(army.faction))
    empty(land, army, "8")


def _tested(land: Chance, army: Army, unit: Unit, tested: int, own: list[str] | str) -> None:
    mods, first = quality(land, unit, QUALITY_EVENT(unit.unit), own)
    gone, dice = deserters_of(land, mods, range(1, tested + 1), lambda i: DESERTER_EVENT(
        unit.unit, i, dice=land.rules.desert_die), own, routed=army.reaction == "routed")
    unit.figures -= gone
    land.tell("deserted", own, "8", roll=[*first, *dice], touch=[unit], unit=unit.unit, army=army.army, count=gone)


def _supply(land: Chance, army: Army) -> None:
    """6: -1 to the next Force test of an own Force."""
    army.supply_mod = -1
    land.told("spoiled_supply", army)


def _revealed(land: Chance, row: Faction) -> bool:
    """7: what a hostile Force is about."""
    army = _picked(land, row.faction, [one for one in land.active() if land.hostile(one.faction, row.faction)])
    if army is not None:
        land.tell("revealed", land.own(row.faction), "8", army=army.army, node=army.node, order=army.order,
                  reaction=army.reaction, figures=land.figures(army.army), to=row.faction)
    return army is not None


def _guides(land: Chance, army: Army) -> None:
    """8: +1 to the next die of movement of an own Force."""
    army.guides = 1
    land.told("guides", army)


def _levies(land: Chance, army: Army) -> None:
    """9: a die of poor figures as a new Unit."""
    die = land.roll(LEVIES(army.faction), land.own(army.faction))
    _join(land, army, "levies", ("Levies", "Leve"), die.total, roll=die,
          told={"figures": die.total}, quality="poor", points=LEVY_POINTS)


def _hero(land: Chance, army: Army) -> None:
    """10: an elite figure joins an own Force for some turns."""
    until = land.turn + land.rules.hero_turns
    _join(land, army, "hero", ("Wandering hero", "Eroe errante"), 1, told={"until": until}, leaves=until,
          quality="elite", points=land.rules.hero_points)


def _mercenaries(land: Chance, army: Army) -> None:
    """11: ten figures for the points of a place, if the club likes."""
    place, price = land.nodes[army.node], land.rules.mercenary_points
    place.store -= price
    land.touch(place)
    _join(land, army, "mercenaries", ("Mercenaries", "Mercenari"), HIRED, mercenary=True,
          told={"figures": HIRED, "cost": price}, points=price // HIRED)


def _gates(land: Chance, row: Faction) -> bool:
    """12: an empty stronghold of an enemy opens its gates on 5 or 6."""
    place = _picked(land, row.faction, [one for one in land.nodes if one.place == "stronghold" and land.plays(
        one.holder) and land.hostile(one.holder, row.faction) and not land.at(one.node)])
    if place is None:
        return False
    die = land.roll(GATES(row.faction), land.own(row.faction))
    opened = die.at_least(GATES_OPEN)
    land.tell("gates_open" if opened else "gates_shut", land.own(row.faction), "8", roll=die, node=place.node)
    if opened:
        fall(land, place, row.faction, "8")
    return True


def _join(land: Country, army: Army, event: str, names: tuple[str, str], figures: int, *, roll: Roll | None = None,
          told: Mapping[str, Any] = MappingProxyType({}), **values: Any) -> None:
    """A new Unit of a Force, and what is told of it."""
    unit = land.units.add(Unit(unit=next_unit(land, army.army), army=army.army, name=names[0], name_it=names[1],
                               figures=figures, figures_start=figures, **values))
    land.tell(event, land.own(army.faction), "8", roll=roll, touch=[unit], army=army.army, unit=unit.unit, **told)


EFFECTS: Mapping[str, Effect] = {
    "camp_fever": _fever, "bad_omen": _omen, "road_cut": _cut, "desertion": _befalls(_desertion),
    "spoiled_supply": _befalls(_supply), "order_revealed": _revealed, "guides": _befalls(_guides),
    "levies": _befalls(_levies, chosen=True), "hero": _befalls(_hero),
    "mercenaries": _befalls(_mercenaries, chosen=True), "open_gates": _gates}


# --- the close of the turn ------------------------------------------------------------------------
def close_turn(land: Country) -> None:
    """After the last turn the campaign ends by score."""
    if land.turn >= land.rules.max_turns:
        ends(land, by_score=True)
