"""Every number and switch of the book, its dice and printed tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from assistant.campaign.tables import Record
from assistant.rulesets.warriors.records import Climate, RandomEvent, Terrain, Weather
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.numbers import Rules as BaseRules
from assistant.turn.numbers import number, switch
from assistant.turn.texts import N_

# Numbers with their sources (rulebook: Numbers).


ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_FORCE, _MOVE, _SAIL, _CROSS = "1 Force test", "2 movement", "2 naval", "2 crossing"
_EXPLORE, _BACK, _WOUND, _DESERT, _AFTER = ("3 exploration", "3 withdrawal", "4 wounded", "4 deserters",
                                            "4 movement after")
_added = partial(number, minimum=-9)
"""A modifier, which may be negative."""


def _die(source: str, meaning: str, default: str = "1d6") -> str:
    found: str = switch(source, meaning, options=(default,), pattern=r"[1-9]\d?d[1-9]\d{0,2}")
    return found


class Numbers(BaseRules):
    """The numbers, in the order of the turn."""

    # --- Force tests
    force_die: str = _die(_FORCE, "The Force test is {option} and the V.C.")
    force_ok: int = _added(6, "total", _FORCE, "From {n} on a Force takes the new order.")
    force_defend: int = _added(4, "total", _FORCE, "From {n} on it can only defend.")
    force_confused: int = _added(3, "total", _FORCE, "From {n} on it is confused.")
    force_unsteady: int = _added(2, "total", _FORCE, "From {n} on it is unsteady; below it is lost.")
    ft_routed: int = _added(-3, "to total", _FORCE, "Routed: {signed} to the Force test.")
    ft_unsteady: int = _added(-2, "to total", _FORCE, "Unsteady: {signed} to the Force test.")
    ft_confused: int = _added(-1, "to total", _FORCE, "Confused: {signed} to the Force test.")
    ft_enemy: int = _added(-1, "to total", _FORCE, "In enemy territory: {signed} to the Force test.")
    ft_friendly: int = _added(2, "to total", _FORCE, "In friendly territory: {signed} to the Force test.")
    ft_marker: int = _added(-1, "to total", _FORCE, "A Will marker: {signed} to the next Force test.", ASSUMED)
    ft_supply: int = _added(-1, "to total", "1 Force test 8", "Spoiled supply: {signed} to the next Force test.",
        ASSUMED)

    # --- movement
    move_die: str = _die(_MOVE, "The die of movement is {option}.")
    mv_river: int = _added(-1, "to die", _MOVE, "Starting where a river flows: {signed} to the die.")
    mv_marsh: int = _added(-1, "to die", _MOVE, "Starting in a marsh: {signed} to the die.")
    mv_enemy: int = _added(-1, "to die", "2 movement 2 naval", "Starting in enemy territory: {signed} to the die.")
    mv_friendly: int = _added(1, "to die", "2 movement 2 naval", "Starting in friendly territory: {signed} to the die.")
    mv_reaction: int = _added(-2, "to die", "Rea 2 movement", "Unsteady or routed: {signed} to the die.")
    mv_march: int = _added(2, "to die", "Ord 2 movement", "On forced march: {signed} to the die.")
    mv_road: int = _added(1, "to die", _MOVE, "By road or caravan track: {signed} to the die.")
    mv_1: int = _added(3, "total", _MOVE, "From {n} on a Force moves one square.")
    mv_2: int = _added(6, "total", _MOVE, "From {n} on a Force moves two squares.")
    mv_3: int = _added(9, "total", _MOVE, "From {n} on a Force moves three squares.")
    max_land: int = number(3, "squares", _MOVE, "A path on land counts as far as square {n}.", minimum=1)
    sl_contrary: int = _added(-3, "to die", _SAIL, "Contrary wind: {signed} to the die.")
    sl_calm: int = _added(-2, "to die", _SAIL, "Calm: {signed} to the die.")
    sl_fair: int = _added(1, "to die", _SAIL, "Fair wind: {signed} to the die.")
    sl_reefs: int = _added(-1, "to die", _SAIL, "Reefs or isles on the way: {signed} to the die.")
    sl_small: int = _added(-2, "to die", _SAIL, "Small boats on sea or lake: {signed} to the die.")
    sl_barges: int = _added(-1, "to die", _SAIL, "Barges for mounts: {signed} to the die.")
    sl_rapids: int = _added(-3, "to die", _SAIL, "Falls or rapids on the way: {signed} to the die.")
    sl_up: int = _added(-2, "to die", _SAIL, "Upstream: {signed} to the die.")
    sl_down: int = _added(1, "to die", _SAIL, "Downstream: {signed} to the die.")
    sl_bridge: int = _added(-1, "to die", _SAIL, "A bridge at the start or soon after: {signed} to the die.")
    bridge_span: int = number(3, "squares", _SAIL,
        "Bridges are looked for as far as square {n} of the path.")
    sl_2: int = _added(3, "total", _SAIL, "From {n} on boats go two squares.")
    sl_3: int = _added(6, "total", _SAIL, "From {n} on boats go three squares.")
    sl_4: int = _added(9, "total", _SAIL, "From {n} on boats go four squares.")
    max_sail: int = number(4, "squares", _SAIL, "A path on water counts as far as square {n}.", minimum=1)
    embark_step: int = number(1, "squares", _SAIL, "Embarking and landing cost {n} {n?square|squares} each.")
    embark_floor: int = number(1, "squares", _SAIL, "They never leave less than {n} {n?square|squares}.", DERIVED)
    crossing_die: str = _die(_CROSS, "Losses of a crossing are {option}, less what follows, for each Unit.")
    crossing_minus: int = number(2, "die", _CROSS, "From the die of a crossing {n} is taken.")
    crossing_pct: int = number(25, "%", _CROSS,
        "A Unit that has lost more than {n}% in a crossing is tested for deserters.")
    counter_march_tn: int = number(6, "total", _MOVE, "A counter-march needs {n}.", ASSUMED)
    counter_march_unsteady: int = _added(-2, "to total", _MOVE, "Unsteady: {signed} to the counter-march.", ASSUMED)

    # --- exploration and battle
    explore_die: str = _die(_EXPLORE, "The die of exploration is {option}.")
    ex_friendly: int = _added(2, "to total", _EXPLORE, "In friendly territory: {signed} to exploration.")
    ex_enemy: int = _added(-1, "to total", _EXPLORE, "In enemy territory: {signed} to exploration.")
    ex_defend: int = number(2, "factor", "Ord 3 exploration", "On defend exploration counts {n}"
                                                              " {n?time|times}.", minimum=1)
    scout_points: int = number(1, "to total", _EXPLORE, "Each Unit of scouts: {signed} to exploration.", ASSUMED)
    scouts_max: int = number(3, "to total", _EXPLORE, "All scouts together: {signed} at most.", ASSUMED)
    wizard_points: int = number(2, "to total", _EXPLORE, "A wizard: {signed} to exploration.", ASSUMED)
    band_1: int = number(2, "difference", _EXPLORE,
        "From a difference of {n} on the better side picks its table side.", ASSUMED, 1)
    band_2: int = number(4, "difference", _EXPLORE, "From {n} on the other side deploys half its Units first.",
        ASSUMED, 1)
    band_3: int = number(6, "difference", _EXPLORE, "From {n} on it picks the time of day, and lays an ambush.",
        ASSUMED, 1)
    night_exploration: int = _added(-2, "to total", "6", "At night: {signed} to exploration.", ASSUMED)
    fieldworks_per_figure: int = number(1, "points", "Ord", "On defend each figure makes field works worth {n}.")
    withdraw_hours: str = switch(_BACK, "Command tests for a withdrawal, by hour of battle: {option}.",
                                 options=("-3, -2, -1, 0",), pattern=r"[+-]?\d(, ?[+-]?\d){3}")
    command_tn: int = number(4, "total", _BACK, "A Command test needs {n}.", ASSUMED)
    general_minus: int = _added(-3, "total", _BACK, "The General's test has {signed}.", ASSUMED)
    general_withdraw: int = _added(-1, "total", _BACK, "For a withdrawal the General's test has {signed} besides.",
        ASSUMED)

    # --- after the battle
    wound_die: str = _die(_WOUND, "For each figure that fell {option} is thrown.")
    wound_ok: int = number(4, "total", _WOUND, "From {n} on it is only wounded.")
    wound_friendly: int = _added(1, "to die", _WOUND, "In friendly territory: {signed} to the die.")
    wound_enemy: int = _added(-1, "to die", _WOUND, "In enemy territory: {signed} to the die.")
    wounded_turns: int = number(2, "turns", "7", "The wounded are back after {n} {n?turn|turns}.", ASSUMED)
    desert_die: str = _die(_DESERT, "For each figure that ran {option} is thrown.")
    desert_ok: int = number(4, "total", _DESERT, "From {n} on it comes back.")
    q_average: int = _added(1, "to die", _DESERT, "Average quality: {signed} to the die.")
    q_veteran: int = _added(2, "to die", _DESERT, "Veterans: {signed} to the die.")
    q_elite: int = _added(3, "to die", _DESERT, "Elite: {signed} to the die.")
    poor_mod: int = _added(0, "to die", _DESERT, "Poor quality: {signed} to the die.", ASSUMED)
    q_unpredictable: str = switch(_DESERT, "Unpredictable quality: {option}, once for the Unit.", options=("1d6 - 3",),
                                  pattern=r"[1-9]\d?d[1-9]\d{0,2}( ?[+-] ?\d+)?")
    desert_routed: int = _added(-1, "to die", _DESERT, "Who left in rout: {signed} to the die.")
    retreat_squares: int = number(1, "squares", _AFTER,
        "A beaten Force falls back by {n} {n?square|squares}.", minimum=1)
    gap_squares: int = number(1, "squares", _AFTER,
        "After a stalemate {n} {n?square lies|squares lie} between the two.")

    # --- the will to fight
    will_won: int = _added(1, "to die", "5", "Each battle won: {signed} to the will.")
    will_lost: int = _added(-1, "to die", "5", "Each battle lost: {signed} to the will.")
    will_taken: int = _added(1, "to die", "5", "Each stronghold taken and held: {signed} to the will.")
    will_gone: int = _added(-1, "to die", "5", "Each own stronghold in other hands: {signed} to the will.")
    will_capital_taken: int = _added(3, "to die", "5", "Each enemy capital held: {signed} to the will.")
    will_capital_lost: int = _added(-3, "to die", "5", "The own capital in other hands: {signed} to the will.")
    will_fail_at: int = _added(0, "total", "5", "Below {n} the campaign is over for a faction.")
    deputy_vc: int = number(1, "V.C.", "4 wounded", "In the place of a commander who fell stands V.C. {n} at most.",
        ASSUMED)

    # --- the year
    turn_weeks: int = number(1, "weeks", "6", "A turn takes {n} {n?week|weeks}.", ASSUMED)
    month_turns: int = number(4, "turns", "6", "A month has {n} {n?week|weeks}.", ASSUMED, 1)
    season_turns: int = number(13, "turns", "6", "A season has {n} {n?week|weeks}.", ASSUMED, 1)
    muster_capital: int = number(100, "points", "7", "A capital gives {n} {n?point|points} a month.", ASSUMED)
    muster_stronghold: int = number(50, "points", "7", "A stronghold gives {n} {n?point|points} a month.", ASSUMED)
    muster_captured: int = number(0, "%", "7", "A place of others gives {n}% of that.", ASSUMED)
    commander_cost: int = number(20, "points", "7", "A commander costs {n} {n?point|points} for each point of"
                                                    " V.C.", ASSUMED)
    muster_vc_max: int = number(2, "V.C.", "7", "At most V.C. {n} can be bought.", ASSUMED, 1)
    unit_min: int = number(5, "figures", "7", "A new Unit has {n} {n?figure|figures} at least.", ASSUMED, 1)
    event_on: int = number(6, "die", "8", "A random event comes on a {n}.", ASSUMED, 1)
    event_turns: int = number(2, "turns", "8", "A road or bridge stays cut for {n} more {n?turn|turns}.", ASSUMED)
    hero_turns: int = number(4, "turns", "8", "A wandering hero stays {n} {n?turn|turns}.", ASSUMED)
    hero_points: int = number(20, "points", "8", "A wandering hero counts {n} {n?point|points}.", ASSUMED)
    mercenary_points: int = number(50, "points", "8", "Mercenaries for hire cost {n} {n?point|points}.", ASSUMED)
    army_points: int = number(0, "points", "7", "An Army begins with at most {n} {n?point|points} of figures and "
                              "commanders; with 0 as many as it likes.", ASSUMED, setup=True)
    max_turns: int = number(52, "turns", "end", "The campaign ends after {n} {n?turn|turns}.", ASSUMED, 1, setup=True)


# Switches: every choice that the book leaves open (rulebook: Switches).


class Rules(Numbers):
    """Numbers and switches; of a switch the first option is the default."""

    phase0: Literal["off", "on", "ask"] = switch(
        "0", "The weather {option}.", "is always fair", "is thrown for", "is said by the referee", setup=True)
    phase8: Literal["on", "off", "ask"] = switch(
        "8", "Random events {option}.", "are thrown for", "are left out", "are said by the referee", setup=True)
    phase6: Literal["week", "ask"] = switch(
        "6", "How many weeks a turn takes {option}.", "is fixed", "is said by the referee", setup=True)
    phase7: Literal["table", "ask"] = switch(
        "7", "The points of a place {option}.", "are fixed", "are said by the referee", setup=True)
    move_method: Literal["A", "B"] = switch(
        "2 movement", "In the order of initiative {option}.", "a faction moves all its Forces, then the next",
        "each faction moves one Force in turn", setup=True)
    adjacency: Literal["8", "4"] = switch("2 movement", "A square touches {option} others.", "eight", "four")
    zoc: Literal["off", "stop", "through"] = switch("2 movement", "Zones of control {option}.", "are not played",
                                                    "end a move", "end a move that does not go on into their Force")
    counter_march: Literal["off", "on"] = switch(
        "2 movement", "A Force that is attacked {option}.", "fights", "may step back before the battle")
    third_party: Literal["stops_before"] = switch(
        "2 movement", "Before a square in which two others are in contact a Force {option}.", "stops")
    order_timing: Literal["once", "two_steps"] = switch(
        "Ord", "Orders are due {option}.", "once a turn", "first those of phase 1, then all others", setup=True)
    order_under_reaction: Literal["dropped", "kept"] = switch(
        "Rea", "Under a reaction the order {option}.", "is dropped", "is kept")
    rout_result: Literal["removed", "until_contact"] = switch(
        "1 Force test", "A Force that fails its test altogether {option}.", "is removed at once",
        "is routed, and removed when it is attacked")
    will_marker: Literal["next_test", "none"] = switch(
        "1 Force test", "A Will marker {option}.", "counts in the next Force test", "only reminds of the Will test")
    terrain_stack: Literal["add", "worst"] = switch(
        "2 movement", "Of two terrains in a square {option}.", "both count", "the worse counts")
    road_bonus: Literal["start", "first_step"] = switch(
        "2 movement", "A road counts {option}.", "where it touches the start", "where the first step follows it")
    weather_closes_fords: Literal["on", "off"] = switch(
        "0", "Rain and storm {option}.", "close the fords", "leave the fords open")
    wind_roll: Literal["weather", "each_move", "off"] = switch(
        "2 naval", "The die of the wind is thrown {option}.", "in windy weather", "for each move on sea or lake",
        "never")
    naval_low: Literal["as_text", "same"] = switch(
        "2 naval", "A low die {option}.", "moves boats one square", "leaves boats where they are, as on land")
    barge_stack: Literal["both", "small"] = switch(
        "2 naval", "Barges on sea or lake count {option}.", "with ships, too", "with small boats only")
    boat_capacity: Literal["on", "off"] = switch(
        "2 naval", "How many figures boats carry {option}.", "is limited", "does not matter")
    ships_on_rivers: Literal["yes", "no"] = switch(
        "2 naval", "On rivers go {option}.", "ships and small boats", "small boats only")
    sea_and_river: Literal["no", "yes"] = switch(
        "2 naval", "One move {option}.", "goes on sea or on a river", "may go on both, with both lists")
    crossing_per: Literal["square", "move", "turn"] = switch(
        "2 crossing", "Losses of a crossing come {option}.", "with each wild square", "once a move",
        "once for who begins the turn there")
    crossing_base: Literal["start", "current"] = switch(
        "2 crossing", "The share that a crossing has cost is that of {option}.", "the figures at the start",
        "the figures before the loss")
    crossing_count: Literal["crossing", "turn", "all"] = switch(
        "2 crossing", "Of losses count {option}.", "those of this crossing", "those of this turn",
        "all missing figures")
    crossing_shelter: Literal["on", "off"] = switch(
        "2 crossing", "In a wild square places {option}.", "give shelter", "give no shelter")
    natives_exempt: Literal["off", "on"] = switch(
        "2 crossing", "In their own wilds natives {option}.", "lose figures, too", "are spared")
    crossing_territory: Literal["on", "off"] = switch(
        "2 crossing", "For who falls in a crossing territory {option}.", "counts", "does not count")
    confused_scout: Literal["or", "and"] = switch(
        "3 exploration", "On forced march or confused {option} explore.", "wizard or scouts", "wizard and scouts")
    natural_first: Literal["before", "after"] = switch(
        "4 wounded 4 deserters", "A natural 1 or 6 {option}.", "decides by itself", "is a die as any other")
    unsteady_loser: Literal["routed", "destroyed"] = switch(
        "4 reactions", "An unsteady Force that is beaten is {option}.", "routed", "destroyed")
    lost_on_stronghold: Literal["yes", "no"] = switch(
        "4 movement after", "A beaten Force {option} its stronghold.", "leaves", "keeps")
    no_retreat: Literal["destroyed", "stays"] = switch(
        "4 movement after", "A beaten Force that cannot step back {option}.", "is destroyed", "stays")
    stalemate_order: Literal["dice", "vc"] = switch("4 movement after", "After a stalemate {option} steps back first.",
                                                    "who throws lower", "the side of the lower V.C.")
    fieldworks_keep: Literal["lost", "kept"] = switch(
        "Ord", "Field works of a Force that moves are {option}.", "lost", "kept")
    withdraw_halt: Literal["yes", "referee"] = switch(
        "3 withdrawal", "A Unit that withdraws may halt before the enemy {option}.", "as it likes",
        "if the referee agrees")
    will_trigger: Literal["force_test", "any_force", "all_forces"] = switch(
        "5", "The will is tested for {option}.", "a Force lost in its test", "any Force that is lost",
        "nothing less than all Forces")
    auto_rounding: Literal["down", "half_up"] = switch(
        "3", "What dice take of a Unit is rounded {option}.", "down", "up from one half")
    confirm_results: Literal["no", "yes"] = switch(
        "3", "The referee {option} each result.", "need not confirm", "confirms", setup=True)
    will_tests: Literal["once", "per_trigger"] = switch(
        "5", "The will is tested {option}.", "once a turn", "for each reason")
    will_battles: Literal["campaign", "turn"] = switch(
        "5", "For the will count the battles of {option}.", "the campaign", "the turn")
    capital_is_stronghold: Literal["no", "yes"] = switch(
        "5", "A capital {option} as a stronghold besides.", "does not count", "counts")
    territory_mode: Literal["home", "holder"] = switch(
        "2 movement", "Territory {option}.", "stays as it was drawn", "follows who holds its place")
    hold_needs_force: Literal["no", "yes"] = switch("4 movement after", "A place that was taken {option}.",
                                                    "is held without a Force", "goes back where no Force is left in it")
    fog: Literal["open", "near"] = switch(
        "Ord", "Forces of others are seen {option}.", "everywhere", "near one's own only", setup=True)
    allies_share: Literal["positions", "full"] = switch(
        "Ord", "Of allies one sees {option}.", "where they stand", "all they have", setup=True)
    sight: int = number(2, "squares", "Ord", "With fog near a Force is seen from {n} {n?square|squares} away.",
                        "ASSUMED", setup=True)
    hidden_battles: Literal["number", "square"] = switch(
        "Ord", "With fog near a battle is called by {option}.", "its number in the turn", "its square",
        begins="square")
    hidden_forces: Literal["number", "square"] = switch(
        "7", "With fog near a new Force is called by {option}.", "the next number", "its turn and square",
        begins="square")


# Purposes of dice, and the tables of campaigns that bring none (rulebook: Tables).


WEATHER = Purpose("weather/{Zones}", "2d6")
FORCE_TEST = Purpose("force-test/{Armies*}", "")
INITIATIVE = Purpose("initiative/{Factions}/{n}")
MOVE = Purpose("move/{Armies*}", "")
SAIL = Purpose("sail/{Armies*}", "")
WIND = Purpose("wind/{Armies*}")
COUNTER_MARCH = Purpose("counter-march/{Armies*}")
CROSSING = Purpose("crossing/{Units*}/{n}", "")
WOUNDED_CROSSING = Purpose("wounded/crossing/{Units*}/{n}/{n}", "")
QUALITY_CROSSING = Purpose("quality/crossing/{Units*}/{n}", "")
DESERTER_CROSSING = Purpose("deserter/crossing/{Units*}/{n}/{n}", "")
EXPLORE = Purpose("explore/{Battles*}/{Armies*}", "")
AUTO = Purpose("auto/{Battles*}/{A|D}", "2d6")
AUTO_COMMANDER = Purpose("auto/{Battles*}/commander/{Armies*}", "")
WOUNDED = Purpose("wounded/{Battles*}/{Units*}/{n}", "")
WOUNDED_COMMANDER = Purpose("wounded/{Battles*}/{Armies*}/commander", "")
QUALITY = Purpose("quality/{Battles*}/{Units*}", "")
DESERTER = Purpose("deserter/{Battles*}/{Units*}/{n}", "")
STALEMATE = Purpose("stalemate/{Battles*}/{A|D}/{n}")
WILL = Purpose("will/{Factions}", again="/{n}")
EVENT = Purpose("event/{Factions}")
EVENT_TABLE = Purpose("event-table/{Factions}", "2d6")
EVENT_PICK = Purpose("event-pick/{Factions}", "")
FEVER = Purpose("fever/{Units*}")
QUALITY_EVENT = Purpose("quality/event/{Units*}", "")
DESERTER_EVENT = Purpose("deserter/event/{Units*}/{n}", "")
LEVIES = Purpose("levies/{Factions}")
GATES = Purpose("gates/{Factions}")
AID = Purpose("aid/{general|command}/{Battles*}/{Armies*}/{n}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Weather"), WEATHER),
    RollKind.of(N_("Force tests"), FORCE_TEST),
    RollKind.of(N_("Initiative"), INITIATIVE),
    RollKind.of(N_("Movement on land"), MOVE),
    RollKind.of(N_("Movement on water"), SAIL),
    RollKind.of(N_("Wind"), WIND),
    RollKind.of(N_("Counter-marches"), COUNTER_MARCH),
    RollKind.of(N_("Losses in the wilds"), CROSSING),
    RollKind.of(N_("The fallen: dead or wounded"), WOUNDED_CROSSING, WOUNDED_COMMANDER, WOUNDED),
    RollKind.of(N_("Unpredictable Units"), QUALITY_CROSSING, QUALITY_EVENT, QUALITY),
    RollKind.of(N_("Deserters"), DESERTER_CROSSING, DESERTER_EVENT, DESERTER),
    RollKind.of(N_("Exploration"), EXPLORE),
    RollKind("auto", N_("Battles that were not played"), shapes=(*AUTO.shapes(), *AUTO_COMMANDER.shapes())),
    RollKind.of(N_("Who steps back first"), STALEMATE),
    RollKind.of(N_("The will to fight"), WILL),
    RollKind.of(N_("Random events"), EVENT),
    RollKind.of(N_("Which random event"), EVENT_TABLE),
    RollKind.of(N_("Whom a random event befalls"), EVENT_PICK),
    RollKind.of(N_("Camp fever"), FEVER),
    RollKind.of(N_("Levies"), LEVIES),
    RollKind.of(N_("Open gates"), GATES),
    RollKind.of(N_("Generals and commanders at the table"), AID),
)
ONE_LINE = ("desert", "waste")
"""Terrains that share a line of the list of modifiers, and the row of heat: together they count once."""
BATTLES = ("B{turn}-{n}", "B{turn}-{Nodes}", "B{turn}-{Nodes}-{n}")
"""Codes of battles: numbered through the turn."""


def _rows(record: type[Record], text: str) -> list[dict[str, Any]]:
    """The rows of a printed table: a line of headings, then a line for each row; ``-`` is a blank."""
    head, *lines = [line.split() for line in text.strip().splitlines()]
    return [{name: word.replace("_", " ") if name.startswith("name") else word
             for name, word in zip(head, line, strict=True) if word != "-"} for line in lines]


DEFAULTS: tuple[tuple[type[Record], list[dict[str, Any]]], ...] = (
    (Terrain, _rows(Terrain, """
terrain    name_it   water land_mod force_mod crossing
open       aperto    no    0        0         no
cultivated coltivato no    -1       0         no
hill       collina   no    -2       0         no
forest     foresta   no    -2       0         no
jungle     giungla   no    -2       0         yes
mountain   montagna  no    -3       -3        no
desert     deserto   no    -1       0         yes
waste      desolato  no    -1       0         yes
sea        mare      yes   0        0         no
lake       lago      yes   0        0         no""")),
    (Weather, _rows(Weather, """
weather  name_it   low high land_mod sail_mod explore_mod sailing fords_closed missiles
storm    tempesta  -   3    -2       -        -2          no      yes          none
rain     pioggia   4   5    -1       -2       -1          yes     yes          normal
fair     sereno    6   8    0        0        0           yes     no           normal
wind     vento     9   9    0        0        0           yes     no           normal
fog      nebbia    10  10   0        -1       -2          yes     no           half
heat     caldo     11  11   -1       0        0           yes     no           normal
splendid splendido 12  -    1        1        1           yes     no           normal""")),
    (Climate, _rows(Climate, """
climate       name_it       winter spring summer autumn
cold          freddo        -3     -1     0      -1
temperate     temperato     -2     0      1      -1
mediterranean mediterraneo  -1     1      2      0
arid          arido         1      1      3      1
tropical      tropicale     1      -3     -3     1""")),
    (RandomEvent, _rows(RandomEvent, """
roll event          name                name_it
2    camp_fever     Camp_fever          Febbre_da_campo
3    bad_omen       Bad_omen            Cattivo_presagio
4    road_cut       Road_or_bridge_cut  Strada_o_ponte_interrotto
5    desertion      Desertion_in_camp   Diserzioni_al_campo
6    spoiled_supply Spoiled_supply      Viveri_guasti
7    order_revealed Order_revealed      Ordine_svelato
8    guides         Guides              Guide
9    levies         Levies              Leve
10   hero           Wandering_hero      Eroe_errante
11   mercenaries    Mercenaries_for_hire Mercenari_in_vendita
12   open_gates     Open_gates          Porte_aperte""")),
)
"""What fills the tables that a campaign leaves out."""
FAIR, HEAT, SPLENDID, WIND_WEATHER = "fair", "heat", "splendid", "wind"
