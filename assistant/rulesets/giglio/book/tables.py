"""Every number and switch of Il Giglio with its source, its printed tables, and what dice are thrown for.

Two of the doubts in the book are no switches but data, so they are not declared here:
`t34_cells` is the sheet Table34 (started from `TABLE34`) and `node_prefix` is the column Code of the
sheet Factions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.turn.numbers import Rules, number, switch
from assistant.turn.texts import N_
from assistant.turn.throws.kinds import Purpose, RollKind, by_word

ASSUMED = "ASSUMED"

_BASE = {
    "fort_timing": "base", "fort_paid": "paid", "amend_free": "no", "garrison_treasury": "no",
    "garrison_where": "fortified", "siege_bribe_step": "25", "famine_mode": "half", "epidemic_kill": "roll46",
    "objectives_edition": "IT", "objective_metric": "own",
}
_ENGLISH = {
    "siege_bribe_step": "30", "famine_mode": "flat20_each", "epidemic_kill": "all", "objectives_edition": "EN",
    "objective_metric": "gain",
}
_AMENDED = {"fort_timing": "amended", "garrison_treasury": "yes", "garrison_where": "any"}

PRESETS: Mapping[str, Mapping[str, str]] = {
    "IT_amended": {**_BASE, **_AMENDED},
    "IT": _BASE,
    "EN": {**_BASE, **_ENGLISH},
    "EN_amended": {**_BASE, **_ENGLISH, **_AMENDED, "amend_free": "yes", "fort_paid": "free"},
}
"""What each edition sets: edition -> switch -> option (rulebook: Switches). A value typed in Rules wins."""


def _by(key: str) -> dict[str, str]:
    """What each edition sets a switch to."""
    return {edition: chosen[key] for edition, chosen in PRESETS.items()}


class Numbers(Rules):
    """All numbers and switches by key, in the order of the sheet Rules."""

    # --- the year
    edition: str = switch(
        "Amendments", "Which text is played; it presets the switches that the editions decide.", options=tuple(PRESETS),
        by_edition={edition: edition for edition in PRESETS})
    fort_timing: Literal["amended", "base"] = switch(
        "2b, Amendments",
        "base: works are finished in this year's winter; amended: at once at home or beside an army, else later.",
        by_edition=_by("fort_timing"))
    fort_paid: Literal["paid", "free"] = switch(
        "Amendments", "Whether works that the Amendments make immediate are paid.", by_edition=_by("fort_paid"))
    amend_free: Literal["no", "yes"] = switch(
        "Amendments", "yes: amended garrisons and immediate works cost nothing.", by_edition=_by("amend_free"))
    garrison_treasury: Literal["yes", "no"] = switch(
        "Amendments", "Whether a home node takes a garrison without an army, paid from the chest.",
        by_edition=_by("garrison_treasury"))
    garrison_where: Literal["any", "fortified"] = switch(
        "2b, Amendments", "Garrisons in any own node, or in fortified ones only.", by_edition=_by("garrison_where"))
    siege_bribe_step: Literal["25", "30"] = switch(
        "3d t35", "Ducats of bribes for each +1: 25 Italian, 30 English.", by_edition=_by("siege_bribe_step"))
    famine_mode: Literal["half", "flat20_each", "flat20_total"] = switch(
        "4 t36", "Famine: the city taxes are halved, or each city pays 20, or all cities pay 20 together.",
        by_edition=_by("famine_mode"))
    epidemic_kill: Literal["roll46", "all", "off"] = switch(
        "3a", "An epidemic kills each company on its die, or all troops in the place, or nobody.",
        by_edition=_by("epidemic_kill"))
    epidemic_draw: Literal["winter", "summer"] = switch("4 t36, 3a", "When the city of an epidemic is drawn.")
    objectives_edition: Literal["IT", "EN"] = switch(
        "objectives", "11 objectives, or the 10 English ones (no capitals).", by_edition=_by("objectives_edition"))
    objective_metric: Literal["own", "gain"] = switch(
        "objectives", "Most means most owned, or most more than at the start (sheet Opening).",
        by_edition=_by("objective_metric"))
    objective_tie: Literal["ducats", "shared"] = switch(
        "objectives", "Several reached theirs: the most ducats win, or they share the victory.")
    objective_none: Literal["nobody", "ducats"] = switch(
        "objectives", "Nobody reached an objective: no winner, or the most ducats win.")
    fortress_income: Literal["fortress", "fortress_city"] = switch(
        "2a t29", "fortress_city: a city with intact walls pays as a fortress (English \"Fortress City\").")
    loan_base: Literal["cities_before", "cities_after", "all"] = switch(
        "2a", "What the loan is measured on: city taxes before events, after them, or the taxes of all places.")
    loan_amount: Literal["up_to", "exactly"] = switch("2a", "Half of the city taxes is a ceiling, or the only sum.")
    confiscate_no_loan: Literal["yes", "no"] = switch(
        "2a", "Whether who was confiscated this spring is refused a loan.")
    first_spring_taxes: Literal["yes", "no"] = switch("2a", "Whether taxes are taken in the first spring, too.")
    strategos_tie: Literal["reroll", "no_one"] = switch("2b t33", "Equal bids: dice among the tied, or no Strategos.")
    strategos_pay: Literal["keep", "pay"] = switch("2b t33", "Whether the losing bidders keep their bid or lose it.")
    ally_matrix: Literal["all", "listed"] = switch(
        "alliances", "All treaties are permitted, or the pairs in ally_forbidden are not.")
    ally_forbidden: str = switch(
        "alliances", "Pairs that may not be allied, for example V-T M-FR.", options=("",), free=True)
    event_trigger: Literal["one", "two"] = switch(
        "4", "Winter event on one die, or (English) a second must show it too.")

    # --- money
    tax_village: int = number(10, "ducats", "2a t29", "Tax of each village, every spring.")
    tax_fortress: int = number(20, "ducats", "2a t29", "Tax of each fortress, every spring.")
    tax_city: int = number(40, "ducats", "2a t29", "Tax of each city, every spring.")
    loan_pct: int = number(
        50, "% of the city taxes", "2a", "The bank lends up to this part of the taxes of the cities.")
    loan_interest_pct: int = number(
        25, "% of the loan", "2a", "Interest of a loan, due next spring with it, rounded up.")
    max_armies: int = number(3, "armies", "2b", "Armies that a faction may have; diplomats are not counted.")
    company_min: int = number(
        28, "ducats", "parent", "The cheapest company of the parent rules; only an advice when recruiting less.",
        "FOUND elsewhere")
    army_upkeep_pct: int = number(
        0, "% of the value", "2", "Upkeep of each army every spring; 25 is the usual option.", ASSUMED)
    garrison_cost: int = number(10, "ducats", "2b", "What a garrison takes from the army that leaves it, or the chest.")
    cost_fortify: int = number(50, "ducats", "2b t32", "Fortifying an open place, also rebuilding a razed one.")
    cost_repair: int = number(30, "ducats", "2b t32", "Repairing walls that a siege damaged.")
    cost_sapper: int = number(50, "ducats", "2b t33", "Enlisting a sapper for the year.")
    cost_diplomat: int = number(35, "ducats", "2b t33", "Enlisting a diplomat, who looks like an army.")
    cost_spy: int = number(50, "ducats", "2b t33", "Enlisting a spy for the year.")
    cost_assassin: int = number(50, "ducats", "2b t33", "Enlisting an assassin for one mission.")
    cost_fleet: int = number(75, "ducats", "fleets", "Launching a fleet in an own port.")
    harvest_poor: int = number(5, "ducats a village", "4 t36", "Tax of a village after a poor harvest.")
    harvest_good: int = number(15, "ducats a village", "4 t36", "Tax of a village after a good harvest.")
    indulgence_factor: int = number(
        2, "times the city tax", "4 t36", "What a papal indulgence makes of the city taxes.")
    opening_treasury: str = switch(
        "start",
        "Chest at the start that `arbitro new` gives where this is typed: income (one year's taxes) or ducats.",
        options=("income",), pattern=r"income|[0-9]{1,6}")
    opening_army: int = number(
        300, "ducats", "start", "Ducats of army at the start that `arbitro new` gives where this is typed.", ASSUMED)

    # --- war
    assassin_hits: int = number(5, "1d6, this or more", "2b t33", "An assassin kills on this die or more.")
    commander_node_penalty: int = number(
        1, "nodes", "2b t33", "Nodes less that an army marches in the round after its commander was killed.", ASSUMED)
    move_own: int = number(2, "nodes a round", "3b", "How far an army marches through its own territory.")
    move_foreign: int = number(1, "nodes a round", "3b", "How far an army marches elsewhere.")
    siege_target: int = number(7, "1d6 + modifiers", "3d", "A place falls on this total or more.")
    siege_round: int = number(1, "added to the die", "3d t35", "For each full round of siege.", minimum=-9)
    siege_sapper: int = number(1, "added to the die", "3d t35", "Once, with a sapper among the besiegers.", minimum=-9)
    siege_def_sapper: int = number(
        -1, "added to the die", "3d t35", "Once, with a sapper inside the place.", minimum=-9)
    siege_garrison: int = number(
        -2, "added to the die", "3d t35", "Once, with a garrison or an army inside.", minimum=-9)
    siege_city: int = number(-2, "added to the die", "3d t35", "Intact walls of a city.", minimum=-9)
    siege_fortress: int = number(-3, "added to the die", "3d t35", "Intact walls of a fortress.", minimum=-9)
    siege_village: int = number(-1, "added to the die", "3d t35", "Intact walls of a village.", minimum=-9)
    siege_loss: int = number(10, "ducats", "3d", "What each tested round of a siege costs the besieging army.")
    udm_cm: int = number(
        4, "cm", "3c", "Length of one udm on the table (the English text: 4 udm are 16 cm).", minimum=1)
    rearguard_deploy: int = number(4, "udm", "3c", "The pursuer deploys within this distance of one short side.")
    rearguard_from: int = number(6, "udm", "3c", "The rearguard deploys from this distance of the same side ...")
    rearguard_to: int = number(10, "udm", "3c", "... up to this one.")
    rearguard_pct: int = number(
        25, "% of the army", "rearguard", "The rearguard is at least this part of its army.", ASSUMED)
    rearguard_pursuer_x: int = number(
        2, "times the rearguard", "rearguard", "The pursuer fields at most this much.", ASSUMED)
    rearguard_lost_pct: int = number(
        10, "% of the value before", "rearguard", "What the pursued army loses besides when its rearguard is beaten.",
        ASSUMED)
    rearguard_extra_node: int = number(1, "nodes", "rearguard", "How much farther it then goes back.", ASSUMED)
    auto_step_pct: int = number(
        25, "% of superiority", "auto", "Umpire's dice: each such step is worth +1.", ASSUMED, 1)
    auto_max: int = number(
        4, "added to the dice", "auto", "Umpire's dice: the most that superiority is worth.", ASSUMED)
    auto_win_pct: int = number(
        10, "% of the ducats engaged", "auto", "Umpire's dice: losses of the winner, or of a draw.", ASSUMED)
    auto_lose_pct: int = number(30, "% of the ducats engaged", "auto", "Umpire's dice: losses of the loser.", ASSUMED)
    auto_rout_pct: int = number(
        50, "% of the ducats engaged", "auto", "Umpire's dice: losses of a routed side.", ASSUMED)
    auto_rout_margin: int = number(5, "points", "auto", "Umpire's dice: beaten by this much is a rout.", ASSUMED)
    storm_on: int = number(6, "1d6", "fleets", "A storm rises on this die or more, every round.")
    storm_fleet_on: int = number(
        6, "1d6 a fleet at sea", "fleets", "A fleet at sea is lost in the storm on this or more.")
    event_on: int = number(6, "1d6", "4", "A winter event happens on this die or more.")
    epidemic_from: int = number(4, "1d6, this or more", "3a", "A company dies of the epidemic on this die or more.")
    epidemic_block: int = number(
        40, "ducats", "parent", "Size of a company in an epidemic when the club gives no list.", ASSUMED, 1)
    campaign_years: int = number(
        5, "years", "objectives", "After the winter of this year objectives are verified.", minimum=1)

    # --- summer
    own_territory: Literal["controlled", "home"] = switch("3b", "What counts as own territory for marching.")
    border_move: Literal["whole", "crossing_first"] = switch(
        "border", "Crossing a border is the whole move, or it must only come first.")
    met_before_moving: Literal["pinned", "free"] = switch(
        "3b", "An army that is reached before its turn to move loses its move, or may leave.")
    hand_side: Literal["mover", "order", "random", "umpire"] = switch(
        "3c", "Who has the hand: who entered, the lower rank in the order of movement, dice, or the umpire says.")
    retreat_impossible: Literal["stop", "battle", "destroyed"] = switch(
        "3c", "Going back with no way back: not offered, or a battle, or the force is destroyed.")
    loser_no_retreat: Literal["destroyed", "half"] = switch(
        "3c", "Beaten with no way back: destroyed, or it loses half and stays.")
    order_redraw: Literal["summer", "phase"] = switch(
        "2b t33", "The order of movement holds for the summer, or one round.")
    spy_uses: Literal["each", "once"] = switch("2b t33", "A spy serves in every round, or once.")
    diplomat_contact: Literal["yes", "no"] = switch(
        "2b t33", "Whether a diplomat stops an enemy once before he is revealed.")
    assassin_timing: Literal["any", "own_phase"] = switch(
        "2b t33", "Assassins strike before all marches, or just before their own side marches.")
    siege_first_bonus: Literal["yes", "no"] = switch("3d", "Whether the first tested round of a siege counts +1.")
    siege_loss_when: Literal["always", "success_only"] = switch(
        "3d", "The besieger's ducats are lost in every tested round, or only in the last.")
    shut_army_counts: Literal["yes", "no"] = switch("3d t35", "Whether an army shut in counts as a garrison.")
    winter_sieges: Literal["lifted", "kept"] = switch("4", "What becomes of sieges at the end of round 10.")
    port_fleet: Literal["lost", "flee"] = switch(
        "fleets", "Fleets in a port that is taken are lost, or flee to the first free sea area beside it.")
    fleet_limit_mode: Literal["cap", "initial", "both"] = switch(
        "fleets", "The table of fleets is a ceiling, or the number at the start, or both.")
    fleet_majority: Literal["majority", "only_vs_one"] = switch(
        "fleets", "At sea any larger number repels, or only two or more against one.")
    landing_stay: Literal["landing_ok", "port_only"] = switch(
        "fleets", "Whether a fleet may wait at sea while it lands or takes up an army, or only in port.")
    embark_rounds: Literal["0", "1"] = switch("fleets", "Rounds that embarking in port takes (elsewhere always 1).")
    ally_stack: Literal["no", "with_consent"] = switch("3b", "Whether allies with passage may end in one node.")
    garrison_public: Literal["yes", "no"] = switch("note1", "Whether all see where garrisons are.")
    money_public: Literal["no", "yes"] = switch("note1", "Whether all see the chests.")
    armati_core_rule: Literal["off", "on"] = switch(
        "Armati", "on: an army counts only with 1 BP or more over the core.")


FLEETS_ALLOWED: Mapping[str, int] = {"V": 2, "T": 2, "S": 2, "CH": 0, "HRI": 0, "M": 0, "F": 0, "SV": 0}
"""Fleets that a nation may have, by code (chapter fleets); all others `FLEETS_OTHERS`."""
FLEETS_OTHERS = 1


def fleets_allowed(faction: str) -> int:
    """The ceiling of fleets of a faction's code (rulebook: Fleets)."""
    return FLEETS_ALLOWED.get(faction, FLEETS_OTHERS)


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

__all__ = ["CALENDAR", "FLEETS_ALLOWED", "FLEETS_OTHERS", "MONTHS", "PRESETS", "TABLE34", "Numbers",
           "fleets_allowed"]


_AGAIN = ":t{n}"
"""Behind a throw that equals repeat."""

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
