"""Every number and switch of Il Giglio with its source (digest, section 4), and its printed tables.

Two rows of the digest's list of switches are no switches but data, so they are not declared here:
`t34_cells` is the sheet Table34 (started from `TABLE34`) and `node_prefix` is the column Code of the
sheet Factions.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.numbers import Number, Switch

FOUND, DERIVED, ASSUMED = "FOUND", "DERIVED", "ASSUMED"

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
"""What each edition sets: edition -> switch -> option (digest 4.2). A value typed in Rules wins."""


def _preset(key: str, options: tuple[str, ...], source: str, meaning: str) -> Switch:
    by_edition = {edition: chosen[key] for edition, chosen in PRESETS.items()}
    return Switch(key, options, source, meaning, by_edition)


_MONEY: tuple[Number | Switch, ...] = (
    Number("tax_village", 10, "ducats", "2a t29", "Tax of each village, every spring."),
    Number("tax_fortress", 20, "ducats", "2a t29", "Tax of each fortress, every spring."),
    Number("tax_city", 40, "ducats", "2a t29", "Tax of each city, every spring."),
    Number("loan_pct", 50, "% of the city taxes", "2a", "The bank lends up to this part of the taxes of the cities."),
    Number("loan_interest_pct", 25, "% of the loan", "2a", "Interest of a loan, due next spring with it, rounded up."),
    Number("max_armies", 3, "armies", "2b", "Armies that a faction may have; diplomats are not counted."),
    Number("company_min", 28, "ducats", "parent rules",
           "The cheapest company of the parent rules; only an advice when recruiting less.", "FOUND outside the seed"),
    Number("army_upkeep_pct", 0, "% of the value", "2", "Upkeep of each army every spring; 25 is the usual option.",
           ASSUMED),
    Number("garrison_cost", 10, "ducats", "2b", "What a garrison takes from the army that leaves it, or the chest."),
    Number("cost_fortify", 50, "ducats", "2b t32", "Fortifying an open place, also rebuilding a razed one."),
    Number("cost_repair", 30, "ducats", "2b t32", "Repairing walls that a siege damaged."),
    Number("cost_sapper", 50, "ducats", "2b t33", "Enlisting a sapper for the year."),
    Number("cost_diplomat", 35, "ducats", "2b t33", "Enlisting a diplomat, who looks like an army."),
    Number("cost_spy", 50, "ducats", "2b t33", "Enlisting a spy for the year."),
    Number("cost_assassin", 50, "ducats", "2b t33", "Enlisting an assassin for one mission."),
    Number("cost_fleet", 75, "ducats", "fleets", "Launching a fleet in an own port."),
    Number("harvest_poor", 5, "ducats a village", "4 t36", "Tax of a village after a poor harvest."),
    Number("harvest_good", 15, "ducats a village", "4 t36", "Tax of a village after a good harvest."),
    Number("indulgence_factor", 2, "times the city tax", "4 t36", "What a papal indulgence makes of the city taxes."),
    Switch("opening_treasury", ("income",), "–",
           "Chest at the start that `arbitro new` gives where this is typed: income (one year's taxes) or ducats.",
           pattern=r"income|[0-9]{1,6}"),
    Number("opening_army", 300, "ducats", "–",
           "Ducats of army at the start that `arbitro new` gives where this is typed.", ASSUMED),
)

_WAR: tuple[Number | Switch, ...] = (
    Number("assassin_hits", 5, "1d6, this or more", "2b t33", "An assassin kills on this die or more."),
    Number("commander_node_penalty", 1, "nodes", "2b t33",
           "Nodes less that an army marches in the round after its commander was killed.", ASSUMED),
    Number("move_own", 2, "nodes a round", "3b", "How far an army marches through its own territory."),
    Number("move_foreign", 1, "nodes a round", "3b", "How far an army marches elsewhere."),
    Number("siege_target", 7, "1d6 + modifiers", "3d", "A place falls on this total or more."),
    Number("siege_round", 1, "added to the die", "3d t35", "For each full round of siege.", minimum=-9),
    Number("siege_sapper", 1, "added to the die", "3d t35", "Once, with a sapper among the besiegers.", minimum=-9),
    Number("siege_def_sapper", -1, "added to the die", "3d t35", "Once, with a sapper inside the place.", minimum=-9),
    Number("siege_garrison", -2, "added to the die", "3d t35", "Once, with a garrison or an army inside.", minimum=-9),
    Number("siege_city", -2, "added to the die", "3d t35", "Intact walls of a city.", minimum=-9),
    Number("siege_fortress", -3, "added to the die", "3d t35", "Intact walls of a fortress.", minimum=-9),
    Number("siege_village", -1, "added to the die", "3d t35", "Intact walls of a village.", minimum=-9),
    Number("siege_loss", 10, "ducats", "3d", "What each tested round of a siege costs the besieging army."),
    Number("udm_cm", 4, "cm", "3c", "Length of one udm on the table (the English text: 4 udm are 16 cm).", minimum=1),
    Number("rearguard_deploy", 4, "udm", "3c", "The pursuer deploys within this distance of one short side."),
    Number("rearguard_from", 6, "udm", "3c", "The rearguard deploys from this distance of the same side ..."),
    Number("rearguard_to", 10, "udm", "3c", "... up to this one."),
    Number("rearguard_pct", 25, "% of the army", "–", "The rearguard is at least this part of its army.", ASSUMED),
    Number("rearguard_pursuer_x", 2, "times the rearguard", "–", "The pursuer fields at most this much.", ASSUMED),
    Number("rearguard_lost_pct", 10, "% of the value before", "–",
           "What the pursued army loses besides when its rearguard is beaten.", ASSUMED),
    Number("rearguard_extra_node", 1, "nodes", "–", "How much farther it then goes back.", ASSUMED),
    Number("auto_step_pct", 25, "% of superiority", "–", "Umpire's dice: each such step is worth +1.", ASSUMED, 1),
    Number("auto_max", 4, "added to the dice", "–", "Umpire's dice: the most that superiority is worth.", ASSUMED),
    Number("auto_win_pct", 10, "% of the ducats engaged", "–", "Umpire's dice: losses of the winner, or of a draw.",
           ASSUMED),
    Number("auto_lose_pct", 30, "% of the ducats engaged", "–", "Umpire's dice: losses of the loser.", ASSUMED),
    Number("auto_rout_pct", 50, "% of the ducats engaged", "–", "Umpire's dice: losses of a routed side.", ASSUMED),
    Number("auto_rout_margin", 5, "points", "–", "Umpire's dice: beaten by this much is a rout.", ASSUMED),
    Number("storm_on", 6, "1d6", "fleets", "A storm rises on this die or more, every round."),
    Number("storm_fleet_on", 6, "1d6 a fleet at sea", "fleets", "A fleet at sea is lost in the storm on this or more."),
    Number("event_on", 6, "1d6", "4", "A winter event happens on this die or more."),
    Number("epidemic_from", 4, "1d6, this or more", "3a", "A company dies of the epidemic on this die or more."),
    Number("epidemic_block", 40, "ducats", "between 28 and 51",
           "Size of a company in an epidemic when the club gives no list.", ASSUMED, 1),
    Number("campaign_years", 5, "years", "objectives", "After the winter of this year objectives are verified.",
           minimum=1),
)

_YEAR_SWITCHES: tuple[Switch, ...] = (
    Switch("edition", tuple(PRESETS), "Amendments",
           "Which text is played; it presets the switches that the editions decide.", {e: e for e in PRESETS}),
    _preset("fort_timing", ("amended", "base"), "2b, Amendments",
            "base: works are finished in this year's winter; amended: at once at home or beside an army, else later."),
    _preset("fort_paid", ("paid", "free"), "Amendments", "Whether works that the Amendments make immediate are paid."),
    _preset("amend_free", ("no", "yes"), "Amendments", "yes: amended garrisons and immediate works cost nothing."),
    _preset("garrison_treasury", ("yes", "no"), "Amendments",
            "Whether a home node takes a garrison without an army, paid from the chest."),
    _preset("garrison_where", ("any", "fortified"), "2b, Amendments",
            "Garrisons in any own node, or in fortified ones only."),
    _preset("siege_bribe_step", ("25", "30"), "3d t35", "Ducats of bribes for each +1: 25 Italian, 30 English."),
    _preset("famine_mode", ("half", "flat20_each", "flat20_total"), "4 t36",
            "Famine: the city taxes are halved, or each city pays 20, or all cities pay 20 together."),
    _preset("epidemic_kill", ("roll46", "all", "off"), "3a",
            "An epidemic kills each company on its die, or all troops in the place, or nobody."),
    Switch("epidemic_draw", ("winter", "summer"), "4 t36, 3a", "When the city of an epidemic is drawn."),
    _preset("objectives_edition", ("IT", "EN"), "objectives", "11 objectives, or the 10 English ones (no capitals)."),
    _preset("objective_metric", ("own", "gain"), "objectives",
            "Most means most owned, or most more than at the start (sheet Opening)."),
    Switch("objective_tie", ("ducats", "shared"), "objectives",
           "Several reached theirs: the most ducats win, or they share the victory."),
    Switch("objective_none", ("nobody", "ducats"), "objectives",
           "Nobody reached an objective: no winner, or the most ducats win."),
    Switch("fortress_income", ("fortress", "fortress_city"), "2a t29",
           "fortress_city: a city with intact walls pays as a fortress (English \"Fortress City\")."),
    Switch("loan_base", ("cities_before", "cities_after", "all"), "2a",
           "What the loan is measured on: city taxes before events, after them, or the taxes of all places."),
    Switch("loan_amount", ("up_to", "exactly"), "2a", "Half of the city taxes is a ceiling, or the only sum."),
    Switch("confiscate_no_loan", ("yes", "no"), "2a", "Whether who was confiscated this spring is refused a loan."),
    Switch("first_spring_taxes", ("yes", "no"), "2a", "Whether taxes are taken in the first spring, too."),
    Switch("strategos_tie", ("reroll", "no_one"), "2b t33", "Equal bids: dice among the tied, or no Strategos."),
    Switch("strategos_pay", ("keep", "pay"), "2b t33", "Whether the losing bidders keep their bid or lose it."),
    Switch("ally_matrix", ("all", "listed"), "alliances",
           "All treaties are permitted, or the pairs in ally_forbidden are not."),
    Switch("ally_forbidden", ("",), "alliances", "Pairs that may not be allied, for example V-T M-FR.", free=True),
    Switch("event_trigger", ("one", "two"), "4", "Winter event on one die, or (English) a second must show it too."),
)

_SUMMER_SWITCHES: tuple[Switch, ...] = (
    Switch("own_territory", ("controlled", "home"), "3b", "What counts as own territory for marching."),
    Switch("border_move", ("whole", "crossing_first"), "border",
           "Crossing a border is the whole move, or it must only come first."),
    Switch("met_before_moving", ("pinned", "free"), "3b",
           "An army that is reached before its turn to move loses its move, or may leave."),
    Switch("hand_side", ("mover", "order", "random", "umpire"), "3c",
           "Who has the hand: who entered, the lower rank in the order of movement, dice, or the umpire says."),
    Switch("retreat_impossible", ("stop", "battle", "destroyed"), "3c",
           "Going back with no way back: not offered, or a battle, or the force is destroyed."),
    Switch("loser_no_retreat", ("destroyed", "half"), "3c",
           "Beaten with no way back: destroyed, or it loses half and stays."),
    Switch("order_redraw", ("summer", "phase"), "2b t33", "The order of movement holds for the summer, or one round."),
    Switch("spy_uses", ("each", "once"), "2b t33", "A spy serves in every round, or once."),
    Switch("diplomat_contact", ("yes", "no"), "2b t33",
           "Whether a diplomat stops an enemy once before he is revealed."),
    Switch("assassin_timing", ("any", "own_phase"), "2b t33",
           "Assassins strike before all marches, or just before their own side marches."),
    Switch("siege_first_bonus", ("yes", "no"), "3d", "Whether the first tested round of a siege counts +1."),
    Switch("siege_loss_when", ("always", "success_only"), "3d",
           "The besieger's ducats are lost in every tested round, or only in the last."),
    Switch("shut_army_counts", ("yes", "no"), "3d t35", "Whether an army shut in counts as a garrison."),
    Switch("winter_sieges", ("lifted", "kept"), "4", "What becomes of sieges at the end of round 10."),
    Switch("port_fleet", ("lost", "flee"), "fleets",
           "Fleets in a port that is taken are lost, or flee to the first free sea area beside it."),
    Switch("fleet_limit_mode", ("cap", "initial", "both"), "fleets",
           "The table of fleets is a ceiling, or the number at the start, or both."),
    Switch("fleet_majority", ("majority", "only_vs_one"), "fleets",
           "At sea any larger number repels, or only two or more against one."),
    Switch("landing_stay", ("landing_ok", "port_only"), "fleets",
           "Whether a fleet may wait at sea while it lands or takes up an army, or only in port."),
    Switch("embark_rounds", ("0", "1"), "fleets", "Rounds that embarking in port takes (elsewhere always 1)."),
    Switch("ally_stack", ("no", "with_consent"), "3b", "Whether allies with passage may end in one node."),
    Switch("garrison_public", ("yes", "no"), "practice 1", "Whether all see where garrisons are."),
    Switch("money_public", ("no", "yes"), "practice 1", "Whether all see the chests."),
    Switch("armati_core_rule", ("off", "on"), "Armati", "on: an army counts only with 1 BP or more over the core."),
)

NUMBERS: tuple[Number | Switch, ...] = (*_YEAR_SWITCHES, *_MONEY, *_WAR, *_SUMMER_SWITCHES)
"""All of them, in the order of the sheet Rules."""

FLEETS_ALLOWED: Mapping[str, int] = {"V": 2, "T": 2, "S": 2, "CH": 0, "HRI": 0, "M": 0, "F": 0, "SV": 0}
"""Fleets that a nation may have, by code (chapter fleets); all others `FLEETS_OTHERS`."""
FLEETS_OTHERS = 1


def fleets_allowed(faction: str) -> int:
    """The ceiling of fleets of a faction's code (4.3)."""
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

__all__ = ["CALENDAR", "FLEETS_ALLOWED", "FLEETS_OTHERS", "NUMBERS", "PRESETS", "TABLE34",
           "fleets_allowed"]
