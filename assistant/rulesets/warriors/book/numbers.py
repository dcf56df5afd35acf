"""Every number of the book by its key, with its source and a sentence (rulebook: Numbers)."""

from __future__ import annotations

from functools import partial

from assistant.turn.numbers import Rules, number, switch

ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_FORCE, _MOVE, _SAIL, _CROSS = "1 Force test", "2 movement", "2 naval", "2 crossing"
_EXPLORE, _BACK, _WOUND, _DESERT, _AFTER = ("3 exploration", "3 withdrawal", "4 wounded", "4 deserters",
                                            "4 movement after")
_added = partial(number, minimum=-9)
"""A modifier, which may also take away."""


def _die(source: str, meaning: str, default: str = "1d6") -> str:
    found: str = switch(source, meaning, options=(default,), pattern=r"[1-9]\d?d[1-9]\d{0,2}")
    return found


class Numbers(Rules):
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
