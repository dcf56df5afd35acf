"""Every number and switch of Incursio with its source (rulebook: Numbers), and what its dice are thrown for."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from assistant.turn.numbers import Rules, number, switch
from assistant.turn.texts import N_
from assistant.turn.throws.kinds import Purpose, RollKind, by_word

ASSUMED, DERIVED = "ASSUMED", "DERIVED"
YesNo: TypeAlias = Literal["yes", "no"]
NoYes: TypeAlias = Literal["no", "yes"]


class Numbers(Rules):
    """Every number and switch of the book by its key."""

    # --- the day
    attacks_per_day: int = number(3, "attacks", "T3", "A faction makes {n} {n?attack|attacks} a day.", minimum=1)
    attack_cap_scope: Literal["faction", "player"] = switch(
        "T3", "The attacks of a day are counted {option}.", "by faction", "by the player who leads them")
    initiative_dice: Any = switch(
        "T1", "For the initiative each side throws {option}.", options=("1d6",),
        pattern=r"[1-9]d(?:[2-9]|[1-9]\d{1,2})")
    moves_per_moment: int = number(1, "lines", "MOV", "A unit moves {n} {n?line|lines} a moment.", minimum=1)
    fought_no_move: Literal["all", "defenders_only"] = switch(
        "MOV", "Of those who fought, {option}.", "nobody moves any more", "only the defenders do not move any more")
    fought_no_attack: Literal["none", "all"] = switch(
        "MOV", "Of those who fought, {option}.", "who was not driven off may attack again",
        "nobody attacks any more but in a repeat")
    # --- combat
    combat_rounds: Literal["one_pass", "until_retreat"] = switch(
        "COM", "A battle is {option}.", "one pass", "fought until somebody is gone or driven off")
    max_passes: int = number(50, "passes", "COM", "A battle has {n} {n?pass|passes} at most.", ASSUMED, 1)
    retreat_subject: Literal["attackers", "none"] = switch(
        "COM", "Fewer than the defenders, {option}.", "the attackers retire", "nobody retires")
    surplus_mode: Literal["pool", "shared", "every_duel"] = switch(
        "COM", "The dice of surplus units {option}.", "are a pool for their type", "back the unit they are dealt to",
        "are thrown in every duel of their type")
    surplus_defenders: NoYes = switch("COM", "Surplus defenders {option}.", "throw nothing", "throw as well")
    engine_first_pass_only: YesNo = switch("COM", "Engines fire {option}.", "in the first pass", "in every pass")
    tie_conflict: Literal["defender", "nobody"] = switch(
        "TS", "Where manned walls meet power 6 a tie is won by {option}.", "the defender", "nobody")
    bonus_on_d4: Literal["add", "cap"] = switch(
        "TS", "A bonus {option}.", "is added to the die", "never lifts a die above its faces")
    ruin_powers: YesNo = switch("POT", "Powers help demons that defend a ruin: {option}.", "yes", "no")
    adjacent_bonus_stack: Literal["per_kind", "stack", "max1"] = switch(
        "TS", "Arcane studies and Molor keeps count {option}.", "once a kind", "each", "once in all")
    adjacent_bonus_reading: Literal["target", "origin"] = switch(
        "TS", "Arcane studies and Molor keeps help attacks {option}.", "on ruins beside them", "from cells beside them")
    # --- garrisons
    garrison_cavalry_needs_06: YesNo = switch("TS", "Cavalry in garrison needs stables: {option}.", "yes", "no")
    cavalry_outside: YesNo = switch("TS", "Cavalry without stables may stand outside: {option}.", "yes", "no")
    limit_share: Literal["shared", "each"] = switch(
        "TS", "The places of barracks are {option}.", "for foot and archers together", "for each of them")
    reorder_cost: Literal["free", "one_move"] = switch(
        "COM", "Reordering a garrison {option}.", "costs nothing", "is its movement")
    unit_remainder: Literal["any", "no_cavalry"] = switch(
        "GUA", "A town without stables makes {option}.", "any type", "foot and archers only")
    remainder_rule: Literal["distinct", "independent"] = switch(
        "GUA", "Types that are drawn are {option}.", "all different", "drawn each by itself")
    deploy_scope: Literal["any_settlement", "own_town", "held_cells"] = switch(
        "GUA", "New units are deployed {option}.", "in any settlement", "where they were made", "in any cell held")
    deploy_ask: NoYes = switch("GUA", "The general is asked where new units go: {option}.", "no", "yes")
    # --- building
    lvl3_req: Literal["21", "19_ignore_levels", "none"] = switch(
        "TL", "Level 3 asks for {option}.", "a mine", "a signal tower, whose levels do not count", "neither")
    founding_parallel: Literal["parallel", "serial"] = switch(
        "FON", "Structures 01 and 02 of a new settlement are built {option}.", "together", "one after the other")
    builder_rule: Literal["per_building", "per_site"] = switch(
        "COS", "Each player starts {option}.", "one building", "one building, or both of a founding")
    build_limit_scope: Literal["settlement", "map"] = switch(
        "COS", "The limit of a structure holds for {option}.", "each settlement", "the whole map")
    build_refund: Literal["none", "half"] = switch("COS", "Of a lost work {option}.", "nothing is paid back",
                                                   "half the cost is paid back")
    capture_percent: int = number(10, "%", "POT", "A settlement that falls gives {n}% of its people.", ASSUMED)
    # --- demons
    ruin_demons: Literal["cap", "production"] = switch(
        "TR", "The figure of a ruin is {option}.", "its room", "what it makes each day")
    ruin_cap_scope: Literal["arrivals", "all"] = switch(
        "POT", "The room of a ruin binds {option}.", "demons of portals", "all demons")
    ruin_rise: Literal["next_day", "same_day"] = switch(
        "POT", "A ruin rises first {option}.", "the day after it was made", "on the day it was made")
    roaming_demons: Literal["stay", "vanish"] = switch(
        "MOV", "Residents outside a ruin at dusk {option}.", "stay", "vanish")
    portal_arrival: Literal["evening_before", "evening_of"] = switch(
        "M6", "Portals open {option}.", "on the evening before their day", "on the evening of their day")
    portal_mix: Literal["balanced", "random_each"] = switch(
        "POR", "The demons of a portal are {option}.", "of all types alike", "drawn each by itself")
    final_move_order: Literal["order", "together"] = switch(
        "T8", "In the final moves {option}.", "the first side goes first", "both sides go together")
    # --- spying
    spy_bonus_scope: Literal["global_best", "per_tower"] = switch(
        "TS", "Signal towers and Vaikranta posts count {option}.", "once a kind", "each")
    spy_cap: int = number(90, "%", "SPI TD", "No demon spies with more than {n}%.", DERIVED)
    spy_stale_after: int = number(3, "days", "SPI", "A sighting is old after {n} {n?day|days}.", ASSUMED, 1)
    foresight_09_reach: int = number(2, "lines", "POR", "An arcane study foresees portals within {n} {n?line|lines}.",
                                     ASSUMED)
    foresight_09_at: int = number(4, "1d6", "POR", "An arcane study shows a portal on {n} or more.", ASSUMED, 1)
    general_acts: YesNo = switch("CON", "A general has an action of his own: {option}.", "yes", "no")
    # --- the end
    campaign_days: int = number(20, "days", "PAN", "The campaign lasts {n} {n?day|days}.", ASSUMED, 1, setup=True)
    settlements_to_win: int = number(5, "settlements", "PAN", "The defenders need {n} {n?settlement|settlements}.",
                                     ASSUMED, setup=True)
    settlements_to_lose: int = number(3, "settlements", "PAN",
                                      "With fewer than {n} {n?settlement|settlements} the defenders have lost.",
                                      ASSUMED, setup=True)
    resources_to_win: int = number(2500, "resources", "PAN", "With {n} {n?resource|resources} the raiders have won.",
                                   ASSUMED, setup=True)
    play_on: NoYes = switch("PAN", "The campaign goes on when somebody has won: {option}.", "no", "yes", setup=True)


# --- what dice are thrown for -------------------------------------------------------------------------------
INITIATIVE = Purpose("initiative/{turn}/{Factions}/{n}", "")
DUEL = Purpose("battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}", "")
AGAIN = Purpose("battle/{Battles*}/{n}/{open|garrison}/{att|def}/{n}>{n}", "")
ENGINE = Purpose("battle/{Battles*}/{n}/engine/{StructureTypes}.{n}/{target|engine|victim}", "")
SEAL = Purpose("mission/{turn}/{Players}/seal/{Nodes}")
SABOTAGE = Purpose("mission/{turn}/{Players}/sabotage")
RITE = Purpose("mission/{turn}/{Players}/rite", "1d3")
PORTAL = Purpose("portal/{turn}/{n}/{n}", "")
MIX = Purpose("portal/{turn}/{Nodes}/mix/{n}", "")
RUIN = Purpose("ruin/{turn}/{Nodes}/{n}", "")
MAGES = Purpose("foresight/{turn}/{Nodes}/15", "")
STUDY = Purpose("foresight/{turn}/{Nodes}/09/{Nodes}")
SPY = Purpose("spy/{turn}/{Players}/success", "1d100")
AMOUNT = Purpose("spy/{turn}/{Players}/amount", "")
PICK = Purpose("spy/{turn}/{Players}/pick/{n}", "")
MUSTER = Purpose("muster/{turn}/{Nodes}/{n}", "")


def _mixed(title: str, *purposes: Purpose) -> RollKind:
    """Throws of one word with different dice, which only the phase knows."""
    kind = RollKind.of(title, *purposes)
    return RollKind(kind.word, title, shapes=kind.shapes)


ROLLS = by_word(
    _mixed(N_("Initiative"), INITIATIVE), _mixed(N_("Duels and engines"), DUEL, AGAIN, ENGINE),
    _mixed(N_("Missions"), SEAL, SABOTAGE, RITE), _mixed(N_("Portals"), PORTAL, MIX),
    _mixed(N_("Demons of ruins"), RUIN), _mixed(N_("Foresight"), MAGES, STUDY), _mixed(N_("Spying"), SPY, AMOUNT, PICK),
    _mixed(N_("Muster"), MUSTER))
BATTLES = ("{turn}E-{Nodes}-{Nodes}-{n}", "{turn}V-{Nodes}-{Nodes}-{n}")
