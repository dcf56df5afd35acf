"""Phase 2: what jungle, desert and waste cost those who cross them, and tests of the fallen and the runaways.

The tests are those of other chapters as well (2 crossing, 4 wounded, 4 deserters).
"""

from __future__ import annotations

from collections.abc import Callable

from assistant.rulesets.warriors.book.sheets import Army, Unit
from assistant.rulesets.warriors.book.tables import CROSSING, DESERTER_CROSSING, QUALITY_CROSSING, WOUNDED_CROSSING
from assistant.rulesets.warriors.land.changes import empty, wound
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.march.moves import Moves
from assistant.rulesets.warriors.orders.paths import spared
from assistant.turn.throws.kinds import Throw
from assistant.turn.throws.rulings import Score, Trial, named

Thrown = Callable[[int], Throw]
"""The throw for the i-th figure."""


# --- figures by dice ------------------------------------------------------------------------------
def tested(land: Country, throw: Throw, mods: dict[str, int], least: int, known: list[str] | str) -> Trial:
    """The test that saves a figure: a natural 1 never does, a natural 6 always, by switch; else the total says."""
    return Trial(land.roll(throw, known), named(mods), least,
                 natural=(1, 6) if land.rules.natural_first == "before" else None)


def wounded_of(land: Country, faction: str, node: str, count: int, throw: Thrown,
               known: list[str] | str) -> tuple[int, list[Trial]]:
    """How many of the fallen are only wounded, and their dice. `node`: "" where territory does not count."""
    rules = land.rules
    mods = land.by_territory(node, faction, rules.wound_friendly, rules.wound_enemy) if node else {}
    dice = [tested(land, throw(n), mods, rules.wound_ok, known) for n in range(1, count + 1)]
    return sum(one.passed for one in dice), dice


def quality(land: Country, unit: Unit, throw: Throw, known: list[str] | str) -> tuple[dict[str, int], list[Score]]:
    """What the quality of a Unit adds to its tests for deserters, by name; a die where it is unpredictable."""
    rules = land.rules
    if unit.quality != "unpredictable":
        key = "poor_mod" if unit.quality == "poor" else f"q_{unit.quality}"
        return {unit.quality: int(rules.values().get(key, 0))}, []
    dice, sign, rest = rules.q_unpredictable.replace(" ", "").replace("-", " - ").replace("+", " + ").partition(" ")
    more = int(rest.replace(" ", "")) if sign else 0
    score = land.score(Throw(throw.key, dice), {"quality": more}, known)
    return {unit.quality: score.total}, [score]


def deserters_of(land: Country, mods: dict[str, int], numbers: range, throw: Thrown, known: list[str] | str, *,
                 routed: bool) -> tuple[int, list[Trial]]:
    """How many of some figures desert, and their dice."""
    rules = land.rules
    whole = {**mods, "routed": rules.desert_routed if routed else 0}
    dice = [tested(land, throw(n), whole, rules.desert_ok, known) for n in numbers]
    return sum(not one.passed for one in dice), dice


# --- the wilds ------------------------------------------------------------------------------------
def forget(land: Moves) -> None:
    """The count of losses of a Force that is out of the wilds goes back."""
    for army in land.active():
        if army.ashore and not land.wilds(army.node):
            units = [one for one in land.units_of(army.army) if one.crossing_lost]
            for unit in units:
                unit.crossing_lost = 0
            if units:
                land.tell("out_of_wilds", land.own(army.faction), "2 crossing", touch=units, army=army.army)


def at_the_start(land: Moves) -> None:
    """With crossing_per = turn: each Force that begins the phase in a wild square."""
    if land.rules.crossing_count == "turn":
        for unit in land.units:
            if unit.crossing_lost:
                unit.crossing_lost = 0
                land.touch(unit)
    if land.rules.crossing_per == "turn":
        for army in land.active():
            if army.ashore and land.wilds(army.node):
                _square(land, army, army.node, 1)


def after_move(land: Moves, army: Army, entered: list[str]) -> None:
    """The wild squares that a Force has entered with its row, one after the other; or only the last."""
    wild = [node for node in entered if land.wilds(node)]
    if land.rules.crossing_per == "move":
        wild = wild[-1:]
    if land.rules.crossing_per != "turn":
        for n, node in enumerate(wild, 1):
            if army.active:
                _square(land, army, node, n)


def _square(land: Moves, army: Army, node: str, n: int) -> None:
    crossing = [unit for unit in land.units_of(army.army) if unit.figures and not spared(land, unit.native_of, node)]
    for unit in crossing:
        _unit(land, army, unit, node, n)
    if crossing:  # a commander alone has nobody to lose
        empty(land, army, "2 crossing")


def _unit(land: Moves, army: Army, unit: Unit, node: str, n: int) -> None:
    """The losses of a Unit, who of them is only wounded; above a quarter the others are tested for desertion."""
    rules, own = land.rules, land.own(army.faction)
    before = unit.figures
    die = land.score(CROSSING(unit.unit, n, dice=rules.crossing_die), {"crossing": -rules.crossing_minus}, own)
    lost = min(max(0, die.total), unit.figures)
    hurt, dice = wounded_of(land, army.faction, node if rules.crossing_territory == "on" else "", lost,
                            lambda i: WOUNDED_CROSSING(unit.unit, n, i, dice=rules.wound_die), own)
    unit.figures -= lost
    unit.crossing_lost += lost
    land.told("crossing_losses", army, roll=[die, *dice], touch=[unit, *wound(land, unit, hurt)], unit=unit.unit,
              node=node, terrain=" ".join(land.wilds(node)), lost=lost, dead=lost - hurt, wounded=hurt)
    start = unit.figures_start if unit.figures_start is not None else before
    base = start if rules.crossing_base == "start" else before
    counted = start - unit.figures if rules.crossing_count == "all" else unit.crossing_lost
    if lost and unit.figures and 100 * counted > rules.crossing_pct * base:
        _run(land, army, unit, n)


def _run(land: Moves, army: Army, unit: Unit, n: int) -> None:
    rules, own = land.rules, land.own(army.faction)
    mods, first = quality(land, unit, QUALITY_CROSSING(unit.unit, n), own)
    gone, dice = deserters_of(land, mods, range(1, unit.figures + 1),
                              lambda i: DESERTER_CROSSING(unit.unit, n, i, dice=rules.desert_die), own,
                              routed=army.reaction == "routed")
    unit.figures -= gone
    land.tell("deserted", own, "4 deserters", roll=[*first, *dice], touch=[unit], unit=unit.unit, army=army.army,
              count=gone)
