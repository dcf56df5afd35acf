"""The numbers and, after them, every choice that the book leaves open (rulebook: Switches)."""

from __future__ import annotations

from typing import Literal

from assistant.rulesets.warriors.book.numbers import Numbers
from assistant.turn.numbers import number, switch


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
