"""Every number and switch of Il Giglio with its source, its printed tables, its dice.

Two points on which the book is unclear are data, not switches: `t34_cells` is the sheet Table34 (filled from
`TABLE34`), `node_prefix` is the column Code of the sheet Factions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.rulesets.giglio.records import EDITIONS
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.texts import N_

ASSUMED = "ASSUMED"

_AMENDED, _ENGLISH, _BOTH = ("IT_amended", "EN_amended"), ("EN", "EN_amended"), ("EN_amended",)


def _by_edition(editions: tuple[str, ...], there: str, elsewhere: str) -> dict[str, str]:
    return {edition: there if edition in editions else elsewhere for edition in EDITIONS}


class Numbers(Rules):
    """All numbers and switches by key, in the order of the sheet Rules."""

    # --- the year
    edition: str = switch(
        "Amendments", "{option} is played, and presets what the editions decide.",
        "the Italian text with the Amendments", "the Italian text", "the English text",
        "the English text with the Amendments", options=EDITIONS,
        by_edition={edition: edition for edition in EDITIONS}, setup=True)
    fort_timing: Literal["amended", "base"] = switch(
        "2b, Amendments", "Works are finished {option}.", "at once at home or beside an army, else later",
        "in the winter of their year", by_edition=_by_edition(_AMENDED, "amended", "base"))
    fort_paid: Literal["paid", "free"] = switch(
        "Amendments", "Works that the Amendments finish at once {option}.", "are paid", "cost nothing",
        by_edition=_by_edition(_BOTH, "free", "paid"))
    amend_free: Literal["no", "yes"] = switch(
        "Amendments", "Garrisons and works at once by the Amendments {option}.", "cost what they say", "are free",
        by_edition=_by_edition(_BOTH, "yes", "no"))
    garrison_treasury: Literal["yes", "no"] = switch(
        "Amendments", "A home node {option}.", "takes a garrison without an army, paid from the chest",
        "takes a garrison from an army only", by_edition=_by_edition(_AMENDED, "yes", "no"))
    garrison_where: Literal["any", "fortified"] = switch(
        "2b, Amendments", "Garrisons stand {option}.", "in any own node", "in fortified own nodes only",
        by_edition=_by_edition(_AMENDED, "any", "fortified"))
    siege_bribe_step: Literal["25", "30"] = switch(
        "3d t35", "Each {option} ducats of bribes count +1 in a siege.", "25", "30",
        by_edition=_by_edition(_ENGLISH, "30", "25"))
    famine_mode: Literal["half", "flat20_each", "flat20_total"] = switch(
        "4 t36", "In a famine {option}.", "the city taxes are halved", "each city pays 20 ducats",
        "all cities together pay 20 ducats", by_edition=_by_edition(_ENGLISH, "flat20_each", "half"))
    epidemic_kill: Literal["roll46", "all", "off"] = switch(
        "3a", "An epidemic kills {option}.", "each company on its die", "all troops in the place", "nobody",
        by_edition=_by_edition(_ENGLISH, "all", "roll46"))
    epidemic_draw: Literal["winter", "summer"] = switch(
        "4 t36, 3a", "The city of an epidemic is drawn {option}.", "in winter", "in summer")
    objectives_edition: Literal["IT", "EN"] = switch(
        "objectives", "Objectives are {option}.", "the 11 Italian ones", "the 10 English ones, without capitals",
        by_edition=_by_edition(_ENGLISH, "EN", "IT"))
    objective_metric: Literal["own", "gain"] = switch(
        "objectives", "For an objective counts {option}.", "who owns most", "who has gained most since the start",
        by_edition=_by_edition(_ENGLISH, "gain", "own"))
    objective_tie: Literal["ducats", "shared"] = switch(
        "objectives", "Where several reach their objective {option}.", "the most ducats win", "they share the victory")
    objective_none: Literal["nobody", "ducats"] = switch(
        "objectives", "Where nobody reaches an objective {option}.", "nobody wins", "who has the most ducats wins")
    fortress_income: Literal["fortress", "fortress_city"] = switch(
        "2a t29", "As a fortress {option}.", "only fortresses pay", "cities with intact walls pay, too")
    loan_base: Literal["cities_before", "cities_after", "all"] = switch(
        "2a", "A loan is measured on {option}.", "the city taxes before events", "the city taxes after events",
        "the taxes of all places")
    loan_amount: Literal["up_to", "exactly"] = switch(
        "2a", "The bank lends {option}.", "any sum up to the ceiling", "the whole ceiling or nothing")
    confiscate_no_loan: Literal["yes", "no"] = switch(
        "2a", "Who was confiscated this spring {option}.", "is refused a loan", "may take a loan")
    first_spring_taxes: Literal["yes", "no"] = switch(
        "2a", "In the first spring {option}.", "taxes are taken, too", "no taxes are taken")
    strategos_tie: Literal["reroll", "no_one"] = switch(
        "2b t33", "Among equal bids for Strategos {option}.", "dice decide", "nobody gets him")
    strategos_pay: Literal["keep", "pay"] = switch(
        "2b t33", "Who loses the bidding for Strategos {option}.", "keeps the bid", "pays the bid")
    ally_matrix: Literal["all", "listed"] = switch(
        "alliances", "Allowed are {option}.", "all treaties", "all treaties but the forbidden pairs")
    ally_forbidden: str = switch(
        "alliances", "Pairs that may not be allied (such as V-T M-FR): {option}.", "none", options=("",), free=True)
    event_trigger: Literal["one", "two"] = switch(
        "4", "Winter brings an event {option}.", "when one die shows it", "when two dice show it")

    # --- money
    tax_village: int = number(10, "ducats", "2a t29", "Each village pays {n} {n?ducat|ducats} every spring.")
    tax_fortress: int = number(20, "ducats", "2a t29", "Each fortress pays {n} {n?ducat|ducats} every spring.")
    tax_city: int = number(40, "ducats", "2a t29", "Each city pays {n} {n?ducat|ducats} every spring.")
    loan_pct: int = number(
        50, "% of the city taxes", "2a", "The bank lends up to {n}% of the taxes of the cities.")
    loan_interest_pct: int = number(
        25, "% of the loan", "2a", "A loan costs {n}% interest, due with it next spring, rounded up.")
    max_armies: int = number(
        3, "armies", "2b", "A faction may have {n} {n?army|armies}; diplomats are not counted.")
    company_min: int = number(
        28, "ducats", "parent", "Recruiting for less than {n} {n?ducat|ducats}, the cheapest company, brings an"
                                " advice.",
        "FOUND elsewhere")
    army_upkeep_pct: int = number(
        0, "% of the value", "2", "Each army costs {n}% of its value every spring; 25 is the usual option.", ASSUMED)
    garrison_cost: int = number(
        10, "ducats", "2b", "A garrison takes {n} {n?ducat|ducats} from the army that leaves it, or from the chest.")
    cost_fortify: int = number(
        50, "ducats", "2b t32", "Fortifying an open place or rebuilding a razed one costs {n} {n?ducat|ducats}.")
    cost_repair: int = number(30, "ducats", "2b t32", "Repairing walls that a siege damaged costs {n}"
                                                      " {n?ducat|ducats}.")
    cost_sapper: int = number(50, "ducats", "2b t33", "A sapper costs {n} {n?ducat|ducats} for the year.")
    cost_diplomat: int = number(35, "ducats", "2b t33", "A diplomat, who looks like an army, costs {n}"
                                                        " {n?ducat|ducats}.")
    cost_spy: int = number(50, "ducats", "2b t33", "A spy costs {n} {n?ducat|ducats} for the year.")
    cost_assassin: int = number(50, "ducats", "2b t33", "An assassin costs {n} {n?ducat|ducats} for one mission.")
    cost_fleet: int = number(75, "ducats", "fleets", "A fleet costs {n} {n?ducat|ducats}, launched in an own port.")
    harvest_poor: int = number(5, "ducats a village", "4 t36", "After a poor harvest each village pays {n}"
                                                               " {n?ducat|ducats}.")
    harvest_good: int = number(15, "ducats a village", "4 t36", "After a good harvest each village pays {n}"
                                                                " {n?ducat|ducats}.")
    indulgence_factor: int = number(
        2, "times the city tax", "4 t36", "A papal indulgence makes the city taxes {n} {n?time|times} as much.")
    opening_treasury: str = switch(
        "start", "In its chest `arbitro new` gives each faction at the start, where this is typed: {option}.",
        "the taxes of a year", options=("income",), pattern=r"income|[0-9]{1,6}", setup=True)
    opening_army: int = number(
        300, "ducats", "start", "`arbitro new` gives {n} {n?ducat|ducats} of army at the start, where this is"
                                " typed.", ASSUMED,
        setup=True)

    # --- war
    assassin_hits: int = number(5, "1d6, this or more", "2b t33", "An assassin kills on {n} or more.")
    commander_node_penalty: int = number(
        1, "nodes", "2b t33", "In the round after its commander was killed an army marches {n} {n?node|nodes} less.",
        ASSUMED)
    move_own: int = number(
        2, "nodes a round", "3b", "An army marches {n} {n?node|nodes} a round through its own territory.")
    move_foreign: int = number(1, "nodes a round", "3b", "Elsewhere an army marches {n} {n?node|nodes} a round.")
    siege_target: int = number(7, "1d6 + modifiers", "3d", "A besieged place falls on a total of {n} or more.")
    siege_round: int = number(
        1, "added to the die", "3d t35", "Each full round of a siege counts {signed}.", minimum=-9)
    siege_sapper: int = number(
        1, "added to the die", "3d t35", "A sapper among the besiegers counts {signed}, once.", minimum=-9)
    siege_def_sapper: int = number(
        -1, "added to the die", "3d t35", "A sapper inside the place counts {signed}, once.", minimum=-9)
    siege_garrison: int = number(
        -2, "added to the die", "3d t35", "A garrison or an army inside counts {signed}, once.", minimum=-9)
    siege_city: int = number(-2, "added to the die", "3d t35", "Intact walls of a city count {signed}.", minimum=-9)
    siege_fortress: int = number(
        -3, "added to the die", "3d t35", "Intact walls of a fortress count {signed}.", minimum=-9)
    siege_village: int = number(
        -1, "added to the die", "3d t35", "Intact walls of a village count {signed}.", minimum=-9)
    siege_loss: int = number(10, "ducats", "3d", "Each tested round of a siege costs the besieging army {n}"
                                                 " {n?ducat|ducats}.")
    udm_cm: int = number(
        4, "cm", "3c", "One udm on the table is {n} cm (the English text: 4 udm are 16 cm).", minimum=1)
    rearguard_deploy: int = number(4, "udm", "3c", "The pursuer deploys within {n} udm of one short side.")
    rearguard_from: int = number(6, "udm", "3c", "The rearguard deploys from {n} udm of that side on ...")
    rearguard_to: int = number(10, "udm", "3c", "... and up to {n} udm.")
    rearguard_pct: int = number(
        25, "% of the army", "rearguard", "The rearguard is at least {n}% of its army.", ASSUMED)
    rearguard_pursuer_x: int = number(
        2, "times the rearguard", "rearguard", "The pursuer fields at most {n} {n?time|times} the rearguard.", ASSUMED)
    rearguard_lost_pct: int = number(
        10, "% of the value before", "rearguard", "With a beaten rearguard the pursued army loses {n}% more.",
        ASSUMED)
    rearguard_extra_node: int = number(
        1, "nodes", "rearguard", "It then goes back {n} {n?node|nodes} farther.", ASSUMED)
    auto_step_pct: int = number(
        25, "% of superiority", "auto", "Umpire's dice: each {n}% of superiority counts +1.", ASSUMED, 1)
    auto_max: int = number(
        4, "added to the dice", "auto", "Umpire's dice: superiority counts {signed} at most.", ASSUMED)
    auto_win_pct: int = number(
        10, "% of the ducats engaged", "auto", "Umpire's dice: the winner, or each side of a draw, loses {n}%.",
        ASSUMED)
    auto_lose_pct: int = number(30, "% of the ducats engaged", "auto", "Umpire's dice: the loser loses {n}%.", ASSUMED)
    auto_rout_pct: int = number(
        50, "% of the ducats engaged", "auto", "Umpire's dice: a routed side loses {n}%.", ASSUMED)
    auto_rout_margin: int = number(
        5, "points", "auto", "Umpire's dice: beaten by {n} {n?point|points} or more is a rout.", ASSUMED)
    storm_on: int = number(6, "1d6", "fleets", "A storm rises on {n} or more, every round.")
    storm_fleet_on: int = number(
        6, "1d6 a fleet at sea", "fleets", "In a storm a fleet at sea is lost on {n} or more.")
    event_on: int = number(6, "1d6", "4", "A winter event happens on {n} or more.")
    epidemic_from: int = number(
        4, "1d6, this or more", "3a", "A company dies of the epidemic on {n} or more.")
    epidemic_block: int = number(
        40, "ducats", "parent", "Without a club's list a company in an epidemic is worth {n}"
                                " {n?ducat|ducats}.", ASSUMED, 1)
    campaign_years: int = number(
        5, "years", "objectives", "Objectives are verified after the winter of year {n}.", minimum=1, setup=True)

    # --- summer
    own_territory: Literal["controlled", "home"] = switch(
        "3b", "Own territory for marching is {option}.", "what one controls", "the home territory")
    border_move: Literal["whole", "crossing_first"] = switch(
        "border", "Crossing a border {option}.", "is the whole move", "must only come first")
    met_before_moving: Literal["pinned", "free"] = switch(
        "3b", "An army that is reached before its turn to move {option}.", "loses its move", "may leave")
    hand_side: Literal["mover", "order", "random", "umpire"] = switch(
        "3c", "The hand has {option}.", "who entered", "who comes first in the order of movement", "whom the dice name",
        "whom the umpire names")
    retreat_impossible: Literal["stop", "battle", "destroyed"] = switch(
        "3c", "Going back with no way back {option}.", "is not offered", "is a battle", "destroys the force")
    loser_no_retreat: Literal["destroyed", "half"] = switch(
        "3c", "Who is beaten with no way back {option}.", "is destroyed", "loses half and stays")
    order_redraw: Literal["summer", "phase"] = switch(
        "2b t33", "The order of movement holds {option}.", "for the summer", "for one round")
    spy_uses: Literal["each", "once"] = switch("2b t33", "A spy serves {option}.", "in every round", "once")
    diplomat_contact: Literal["yes", "no"] = switch(
        "2b t33", "Before he is revealed a diplomat {option}.", "stops an enemy once", "stops nobody")
    assassin_timing: Literal["any", "own_phase"] = switch(
        "2b t33", "Assassins strike {option}.", "before all marches", "just before their own side marches")
    siege_first_bonus: Literal["yes", "no"] = switch(
        "3d", "The first tested round of a siege {option}.", "counts as a full round", "does not count as a full round")
    siege_loss_when: Literal["always", "success_only"] = switch(
        "3d", "The besieger's ducats are lost {option}.", "in every tested round", "only when the place falls")
    shut_army_counts: Literal["yes", "no"] = switch(
        "3d t35", "An army shut in {option}.", "counts as a garrison", "is no garrison")
    winter_sieges: Literal["lifted", "kept"] = switch(
        "4", "At the end of round 10 sieges {option}.", "are lifted", "go on")
    port_fleet: Literal["lost", "flee"] = switch(
        "fleets", "Fleets in a port that is taken {option}.", "are lost", "flee to the first free sea beside it")
    fleet_limit_mode: Literal["cap", "initial", "both"] = switch(
        "fleets", "The table of fleets is {option}.", "a ceiling", "the number at the start",
        "the start and the ceiling")
    fleet_majority: Literal["majority", "only_vs_one"] = switch(
        "fleets", "At sea others are repelled by {option}.", "any larger number", "two or more against one")
    landing_stay: Literal["landing_ok", "port_only"] = switch(
        "fleets", "While it lands or takes up an army a fleet may wait {option}.", "at sea, too", "in port only")
    embark_rounds: Literal["0", "1"] = switch(
        "fleets", "Embarking in port takes {option} (elsewhere always a round).", "no round", "a round")
    ally_stack: Literal["no", "with_consent"] = switch(
        "3b", "Allies with passage {option}.", "never end in one node", "may end in one node")
    garrison_public: Literal["yes", "no"] = switch("note1", "Where garrisons are {option}.", "all see",
    "only the owner sees")
    money_public: Literal["no", "yes"] = switch("note1", "What is in a chest {option}.", "only the owner sees",
    "all see")
    armati_core_rule: Literal["off", "on"] = switch(
        "Armati", "An army counts {option}.", "whatever its core", "only with 1 BP or more over the core")


FLEETS_ALLOWED: Mapping[str, int] = {"V": 2, "T": 2, "S": 2, "CH": 0, "HRI": 0, "M": 0, "F": 0, "SV": 0}


def fleets_allowed(faction: str) -> int:
    """How many fleets a nation may have: one unless the table says otherwise (rulebook: Fleets)."""
    return FLEETS_ALLOWED.get(faction, 1)


TABLE34: Mapping[tuple[str, str], str] = {
    ("stop", "stop"): "stay", ("stop", "retreat"): "other_back",
    ("stop", "attack"): "battle_other", ("stop", "shut_in"): "shut_in",
    ("retreat", "stop"): "hand_back", ("retreat", "retreat"): "both_back",
    ("retreat", "attack"): "pursuit_other", ("retreat", "shut_in"): "hand_back_shut",
    ("attack", "stop"): "battle_hand", ("attack", "retreat"): "pursuit_hand",
    ("attack", "attack"): "meeting", ("attack", "shut_in"): "shut_in",
}
"""Table 34 (3c; its cells are DERIVED, the picture is missing): (hand, other) -> outcome."""

CALENDAR: tuple[tuple[str, str], ...] = (
    ("April I", "aprile I"), ("April II", "aprile II"), ("May I", "maggio I"), ("May II", "maggio II"),
    ("June", "giugno"), ("July", "luglio"), ("August", "agosto"), ("September", "settembre"),
    ("October I", "ottobre I"), ("October II", "ottobre II"),
)
"""The ten rounds of summer in English and Italian; only April is FOUND, the rest is ASSUMED."""
MONTHS: tuple[tuple[str, str], ...] = tuple((en.split()[0], it.split()[0]) for en, it in CALENDAR)
"""The month of each round."""

_AGAIN = ":t{n}"
"""Suffix of the key when equal throws are repeated."""

SIEGE = Purpose("siege:{Nodes}:{turn}:{n}")
STORM = Purpose("storm:{turn}:{n}")
STORM_FLEET = Purpose("stormfleet:{Fleets*}:{turn}:{n}")
ORDER = Purpose("order:{Factions}:{turn}", "1d20", _AGAIN)
ORDER_OF_ROUND = Purpose("order:{Factions}:{turn}:{n}", "1d20", _AGAIN)
STRATEGOS = Purpose("strategos:{Factions}:{turn}", again=_AGAIN)
HAND = Purpose("hand:C{turn}.{n}.{Nodes}.{Factions}-{Factions}:{Factions}", again=_AGAIN)
SIDE = Purpose("side:{Battles*}:{Factions}", again=_AGAIN)
AUTO = Purpose("auto:{Battles*}:{Factions}", "2d6")
ASSASSIN = Purpose("assassin:{Specialists*}:{turn}:{n}")
EVENT = Purpose("event:{Factions}:{turn}")
EVENT_AGAIN = Purpose("event2:{Factions}:{turn}")
EVENT_TABLE = Purpose("eventtable:{Factions}:{turn}")
LOT = Purpose("lot:{Factions}:{turn}", "")
EPIDEMIC_LOSS = Purpose("epidemic:{Armies*}.{n}:{turn}")
EPIDEMIC_GARRISON = Purpose("epidemic:{Nodes}.garrison:{turn}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Sieges"), SIEGE, by="besieger"),
    RollKind.of(N_("Weather at sea"), STORM),
    RollKind.of(N_("Fleets in a storm"), STORM_FLEET, by="faction"),
    RollKind.of(N_("Order of movement"), ORDER, ORDER_OF_ROUND),
    RollKind.of(N_("Equal bids for Strategos"), STRATEGOS),
    RollKind.of(N_("Who has the hand"), HAND),
    RollKind.of(N_("Choice of side and terrain"), SIDE),
    RollKind.of(N_("Umpire's dice in battles"), AUTO),
    RollKind.of(N_("Assassins"), ASSASSIN),
    RollKind.of(N_("Whether winter brings something"), EVENT),
    RollKind.of(N_("Whether winter brings something more"), EVENT_AGAIN),
    RollKind.of(N_("What winter brings"), EVENT_TABLE),
    RollKind.of(N_("Where misfortune strikes"), LOT),
    RollKind.of(N_("Losses to epidemics"), EPIDEMIC_LOSS, EPIDEMIC_GARRISON),
)

BATTLES = ("B{turn}.{n}.{Nodes}", "B{turn}.{n}.{Nodes}{b}")
"""Codes of battles: the second at one node in a round gets a b, the third a c."""
