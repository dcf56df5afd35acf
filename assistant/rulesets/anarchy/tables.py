"""Every number and switch of The Anarchy with its source, its printed tables, its dice (rulebook: Numbers)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.rulesets.anarchy.records import RANKS
from assistant.turn.dice import Purpose, RangeTable, RollKind, by_word
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.rulings import Steps
from assistant.turn.texts import N_

ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_MP, _DAILY = "movement points", "movement points a day"


class Numbers(Rules):
    """Every number and switch of the book by its key."""

    # --- march
    move_foot: int = number(
        5, _DAILY, "8.3", "A group with men on foot marches {n} movement {n?point|points} a day.", minimum=1)
    move_cavalry: int = number(
        8, _DAILY, "8.3", "A group of knights only marches {n} movement {n?point|points} a day.", minimum=1)
    move_convoy: int = number(
        5, _DAILY, "12", "A convoy marches {n} movement {n?point|points} a day.", minimum=1)
    engine_move: int = number(
        3, _DAILY, "10", "A siege train marches {n} movement {n?point|points} a day, as oxen go.", ASSUMED, 1)
    move_lone_noble: int = number(
        8, _DAILY, "9", "A noble without men marches {n} movement {n?point|points} a day.", ASSUMED, 1)
    cost_open: int = number(1, _MP, "2.1", "Entering open ground costs {n} movement {n?point|points}.", DERIVED)
    cost_forest: int = number(2, _MP, "2.1", "Entering a forest costs {n} movement {n?point|points}.", DERIVED)
    cost_hill: int = number(2, _MP, "2.1", "Entering hills costs {n} movement {n?point|points}.", DERIVED)
    cost_river: int = number(3, _MP, "2.1", "Entering a hex with a river costs {n} movement {n?point|points}.", DERIVED)
    cost_marsh: int = number(3, _MP, "2.1", "Entering a marsh costs {n} movement {n?point|points}.", ASSUMED)
    cost_coast: int = number(1, _MP, "2.1", "Entering a hex on the coast costs {n} movement {n?point|points}.", ASSUMED)
    cost_road: int = number(
        1, _MP, "2.1", "A step along a road, bridge or ford costs {n} movement {n?point|points}.", ASSUMED)
    wounded_move: int = number(
        -3, _MP, "15.7", "With a hurt man a whole group marches {signed} movement points, once.", minimum=-99)
    hex_km: int = number(5, "km", "2", "A hex is {n} km wide.", minimum=1)

    # --- groups
    group_min: int = number(3, "heads", "8.1", "The smallest group has {n} {n?head|heads}.", minimum=1)
    supply_from: int = number(10, "heads of a stack", "8.4", "From {n} {n?head|heads} on a stack eats 1 point a"
                                                             " day.", minimum=1)
    supply_second: int = number(
        20, "heads of a stack", "8.4", "From {n} {n?head|heads} on a stack eats 2 points a day.", minimum=1)
    hunger_days: int = number(
        2, "days unfed in a row", "8.4", "After {n} {n?day|days} without food a group starves.", minimum=1)
    hunger_die: int = number(
        1, "added to tactical dice", "8.4", "A starving group adds {signed} to its dice on the table.")
    hunger_move: int = number(
        50, "% of the movement points", "8.4", "A starving group marches {n}% of its points, rounded down.")
    garrison_start: int = number(10, "fighters", "5.3", "A castle begins with {n} {n?fighter|fighters}.", minimum=3)
    garrison_min: int = number(5, "fighters", "5.3", "A castle keeps {n} {n?fighter|fighters}.")
    resources_max: int = number(10, "points", "5.1", "A place holds {n} {n?point|points} at most.", minimum=1)
    escort_min: int = number(3, "heads", "15.8", "The smallest escort of captives has {n} {n?head|heads}.", minimum=1)

    # --- fame
    prestige_win: int = number(1, "prestige", "9", "A battle won counts {signed} prestige.", minimum=-9)
    prestige_lost: int = number(-1, "prestige", "9", "A battle lost counts {signed} prestige.", minimum=-9)
    prestige_refusal: int = number(-1, "prestige", "15.5", "Refusing battle counts {signed} prestige.", minimum=-9)
    prestige_loot_village: int = number(
        -1, "prestige", "9", "Looting a village or town counts {signed} prestige.", minimum=-9)
    prestige_loot_monastic: int = number(
        -2, "prestige", "9", "Looting a monastery counts {signed} prestige.", minimum=-9)
    prestige_loot_castle: int = number(0, "prestige", "9", "Looting a castle counts {signed} prestige.", DERIVED, -9)
    new_noble_wins: int = number(
        2, "battles", "9", "A group without noble has one after {n} {n?battle|battles} won.", minimum=1)
    new_noble_prestige: int = number(2, "prestige", "9", "A new noble has a prestige of {n}.", minimum=1)
    new_noble_core: int = number(
        50, "% of the heads", "9", "For a new noble {n}% of the core must have seen those battles.")

    # --- money
    engineer_price: int = number(4, "£ for the campaign", "10", "An engineer costs £{n} for the campaign, in a town.")
    oxen_per_engine: int = number(2, "oxen", "10", "Each ram, gallery and mangonel needs {n} oxen.")
    oxen_per_tower: int = number(4, "oxen", "10", "Each siege tower needs {n} oxen.")
    train_peasants: int = number(3, "peasants", "10", "Each siege train needs {n} {n?peasant|peasants}.")
    merc_price: int = number(2, "£ a mercenary", "11.3", "A mercenary costs £{n} for the campaign.")
    lure_price: int = number(3, "£ a mercenary", "11.5", "A mercenary won over from the other side costs £{n}.")
    lure_distance: int = number(
        2, "hexes", "11.5", "To win one over no other enemy group may be nearer than {n} {n?hex|hexes}.")
    promise_desert_at: int = number(
        3, "1d10, this or less", "11.4", "Mercenaries with a promise desert on {n} or less.")
    promise_step: int = number(
        -1, "added for each test made", "11.4", "Each test they have made counts {signed} in the next.", minimum=-9)
    recruit_light: int = number(1, "£", "13.1", "A man on light foot costs £{n}.")
    recruit_peasant: str = switch("13.1", "A peasant costs £{option}.", options=("0.5",), pattern=r"\d+([.,][05])?")
    loot_value: int = number(1, "£ a point", "13.2", "A point of loot is worth £{n}.")
    convoy_price: int = number(1, "£ a point", "13.2", "A point bought from a convoy costs £{n}.", DERIVED)
    convoy_animals: int = number(5, "animals", "12", "A convoy has {n} {n?animal|animals} at most.", minimum=1)
    convoy_transfer: int = number(
        5, "points a day", "12", "A convoy moves {n} {n?point|points} a day to or from a place.", minimum=1)
    ransom_per_prestige: int = number(2, "£", "15.8", "A ransom is £{n} for each point of prestige.")
    ransom_knights: int = number(2, "knights", "15.8", "With a ransomed noble {n} {n?knight leaves|knights leave}.")

    # --- battle
    maps_2_from: int = number(
        31, "characters", "15.1", "From {n} {n?character|characters} on a battle has two tactical maps.", minimum=2)
    maps_4_from: int = number(
        61, "characters", "15.1", "From {n} {n?character|characters} on a battle has four tactical maps.", minimum=3)
    battle_turns: int = number(
        12, "tactical turns", "15.6", "The longest battle has {n} tactical {n?turn|turns}.", minimum=1)
    siege_days_per_point: int = number(
        2, "days", "16", "A siege eats a point of resources every {n} {n?day|days}.", minimum=1)

    # --- switches
    terrain_set: Literal["A", "B", "custom"] = switch(
        "2.1", "Open ground, forest, hills, river and marsh cost {option}.", "1 2 2 3 3 (A)", "1 1 1 3 3 (B)",
        "what is typed above")
    move_unit: Literal["points", "hexes"] = switch(
        "8.3, 4", "A march is counted {option}.", "in movement points", "in hexes of 1 each")
    neutral_band: Literal["5-6", "5_only"] = switch("7", "Neutral {option}.", "is loyalty 5 or 6", "is loyalty 5 only")
    loyalty_test_mode: Literal["level", "die", "level+swing"] = switch(
        "7", "Loyalty is tested {option}.", "by its level", "with 1d10 instead of the level",
        "by the level, which 1d10 may shift by 1")
    loyalty_subject: Literal["met", "player"] = switch(
        "7", "Tested is the loyalty {option}.", "of the group that is met", "of the group that moves")
    loyalty_effect: Literal["uncommitted", "encounter", "lasting"] = switch(
        "7", "After a test of loyalty {option}.", "uncommitted groups take the side shown",
        "only the attitude changes", "any group goes over for good")
    neutral_meets: Literal["backs", "nothing"] = switch(
        "8.3, 7", "A group that turns out neutral {option}.", "backs away", "does nothing")
    village_access: Literal["mirror", "above4", "faction"] = switch(
        "5.1, 14.5", "A village is open {option}.", "to royals from 5 up, to angevins from 6 down",
        "to royals from 5 up, to no angevins", "to its lord's side")
    loot_neutral: Literal["yes", "no"] = switch(
        "13.2, 14.5", "Neutral villages {option}.", "may be looted", "may not be looted")
    priory_is: Literal["monastic", "village"] = switch(
        "5.1, 5.2", "Priories count as {option}.", "monasteries", "villages")
    stacking: Literal["next_reorg", "end_turn"] = switch(
        "8.1, 8.3", "Friends on one hex are merged {option}.", "when they still share it a day later",
        "at the end of the same day")
    order_tie: Literal["larger", "dice"] = switch(
        "6", "At equal prestige inside a side {option}.", "the larger group goes first", "dice decide at once")
    orders_mode: Literal["written", "at_activation"] = switch(
        "6", "Marches are {option}.", "written before the day", "asked when a unit's turn comes, if not written")
    head_count: Literal["fighters", "all"] = switch(
        "8.4", "As heads count {option}.", "fighters only", "drivers and engineers, too")
    merc_count: Literal["stack", "separate"] = switch(
        "8.4", "For food, loyalty and order attached mercenaries count {option}.", "with their employer",
        "by themselves")
    supply_30: Literal["flat2", "per_ten"] = switch(
        "8.4", "From 30 heads on a stack eats {option}.", "2 points a day", "a point a day for each ten")
    starve_growth: Literal["fixed", "growing"] = switch(
        "8.4", "What hunger adds to dice {option}.", "stays the same", "grows by 1 each further day")
    siege_supply: Literal["siege_only", "both"] = switch(
        "16, 8.4", "A besieged castle is drawn on {option}.", "by the siege only", "by the siege and every day")
    wounded_floor: Literal["min1", "none"] = switch(
        "15.7", "After penalties a march is {option}.", "1 point at least", "what is left, also nothing")
    wounded_march: Literal["must", "free"] = switch(
        "15.7", "Groups with hurt men {option}.", "may not go away from care", "may go where they like")
    refusal_prestige: Literal["once", "twice"] = switch(
        "9, 15.5", "The loss for a refusal, which two chapters name, counts {option}.", "once", "twice")
    refusal_extra: Literal["no", "yes"] = switch(
        "15.5", "In a refusal forest and mounted pursuers {option}.", "count for nothing", "are modifiers, too")
    shut_in_prestige: Literal["yes", "no"] = switch(
        "9", "Shutting oneself in {option}.", "costs prestige like a withdrawal", "costs no prestige")
    prestige_clamp: Literal["1-10", "0-10"] = switch("9", "Prestige goes {option}.", "from 1 to 10", "from 0 to 10")
    noble_alone: Literal["stays", "leaves"] = switch(
        "8.1", "The noble of a dissolved group {option}.", "stays as a lone noble", "leaves the campaign")
    attacker_def: Literal["entered", "aggressor"] = switch(
        "15.4", "When deploying the attacker is {option}.", "who entered the hex", "who struck first")
    convoy_owner: Literal["stays", "guard"] = switch(
        "12, 14.4", "A convoy that nobody escorts may be taken {option}.", "by any group that meets it",
        "by a group that ends its march there")
    convoy_unescorted: Literal["ask", "takes"] = switch(
        "14.4", "The first group that meets such a convoy {option}.", "is asked whether it takes it",
        "takes it without a question")
    convoy_buy: Literal["need", "order"] = switch(
        "14.4", "From a convoy a group buys {option}.", "what tomorrow's food lacks",
        "all or a part by order, also of own convoys")
    merc_test: Literal["die", "level"] = switch(
        "11.4", "A promise is tested {option}.", "with a die", "with a level of 7 instead of the die")
    merc_knights: Literal["row", "knights_if_all_paid"] = switch(
        "11.1", "Mercenaries have knights {option}.", "as the table of groups says", "only where all are paid")
    loot_share_to: Literal["promised", "all"] = switch(
        "11.6", "Of loot get a share, and test when it is short, {option}.", "companies with a promise",
        "paid companies, too")
    purse_captured: Literal["yes", "no"] = switch(
        "15.6", "The purse of the beaten {option}.", "goes to the victor", "is lost")
    ransom_reach: Literal["anywhere", "same_hex"] = switch(
        "15.8", "Who pays a ransom may be {option}.", "anywhere", "in the captive's hex only")
    garrison_refill: Literal["auto", "warn"] = switch(
        "5.3", "A castle below its least garrison {option}.", "is filled up from a group inside",
        "brings a warning only")
    siege_min: Literal["any", "equal"] = switch(
        "16", "A castle may be besieged {option}.", "by any number of heads", "by no fewer than the garrison")
    weather: str = switch(
        "18.1", "The weather (off, thrown by dice, or from -3 to 3): {option}.", "off", "thrown by dice",
        options=("off", "roll"), pattern=r"off|roll|[+-]?[0-3]", setup=True)
    weather_clamp: Literal["0-10", "1-10"] = switch(
        "18.1", "When the weather changes resources they go {option}.", "from 0 to 10", "from 1 to 10")
    season: Literal["summer", "winter", "spring", "autumn", "roll"] = switch(
        "18.2", "The season of the campaign is {option}.", "summer", "winter", "spring", "autumn", "drawn by dice",
        setup=True)
    season_scope: Literal["all", "foot"] = switch("18.2", "The season is felt {option}.", "by all", "on foot only")
    days: int = number(14, "days", "scenario", "The scenario lasts {n} {n?day|days}.", ASSUMED, 1, setup=True)
    period: Literal["I", "II", "III"] = switch(
        "card5", "The campaign is of period {option}.", "I (1139 to 1141)", "II (1142 to 1147)", "III (1148 to 1153)",
        setup=True)
    start_date: str = switch(
        "scenario", "The date of the first day (year-month-day): {option}.", "none", options=("",), free=True,
        setup=True)
    codes: Literal["together", "apart"] = switch(
        "15.7, 15.8", "Captives and the wounded are numbered {option}.", "all together", "apart for each faction",
        begins="apart")


TERRAINS = ("open", "forest", "hill", "river", "marsh", "coast")
TERRAIN_SET_B: Mapping[str, int] = {"open": 1, "forest": 1, "hill": 1, "river": 3, "marsh": 3}

# --- loyalty (7) --------------------------------------------------------------------------------
BANDS = {"5-6": RangeTable("loyalty", ((None, 4, "angevin"), (5, 6, "neutral"), (7, None, "royal"))),
         "5_only": RangeTable("loyalty", ((None, 4, "angevin"), (5, 5, "neutral"), (6, None, "royal")))}
BY_PRESTIGE = Steps(((0, -2), (3, -1), (5, 0), (7, 1), (9, 2)))
BY_NUMBERS = Steps(((-99, -2), (-9, -1), (-4, 0), (5, 1), (10, 2)))
"""Modifiers for a royal mover; for an angevin one their sign is reversed."""

# --- composition (8.2), K/S/L/B by heads ----------------------------------------------------------
_ROWS = {
    "norman": "1110 1111 1211 2211 2221 2321 2322 3322 3422 3432",
    "flemish": "0201 1201 1211 1311 1312 1412 2412 2422 2522 2523",
    "welsh": "0021 0022 0122 0132 0133 1133 1143 1144 1154 1254",
}
COMPOSITION: Mapping[str, Mapping[int, tuple[int, int, int, int]]] = {
    kind: {heads: tuple(map(int, row)) for heads, row in enumerate(rows.split(), 3)}  # type: ignore[misc]
    for kind, rows in _ROWS.items()}


def composition(kind: str, heads: int) -> dict[str, int]:
    """The men of a group by rank (8.2): row 10 for each ten above twelve, then the rest. Raises LookupError below 3."""
    rows = COMPOSITION[kind]
    if heads < min(rows):
        raise LookupError(f"the table starts at {min(rows)}")
    tens = max(0, -(-(heads - max(rows)) // 10))
    total = [tens * ten + rest for ten, rest in zip(rows[10], rows[heads - 10 * tens], strict=True)]
    return dict(zip(("knights", "foot", "light", "bows"), total, strict=True))


# --- tables of one die ----------------------------------------------------------------------------
REFUSAL = RangeTable("refusal", ((None, 4, "free"), (5, 7, "prisoner"), (8, 9, "wounded"), (10, None, "killed")))
REFUSAL_MODIFIERS = {"knights": -2, "dismounted": -1, "foot": -1, "noble": -2}
REFUSAL_HURT = 2
HEALING = RangeTable("healing", ((None, 1, "dead"), (2, 3, "four days"), (4, 6, "three days"), (7, 8, "two days"),
                                 (9, None, "one day")))
HEALING_DAYS = {"four days": 4, "three days": 3, "two days": 2, "one day": 1}
SURRENDER = RangeTable("surrender", ((None, 2, "all killed"), (3, 4, "half massacred"), (5, 7, "prisoners"),
                                     (8, 9, "unarmed"), (10, None, "armed")))
LOOT_LOYALTY = RangeTable("mercenaries' loyalty", ((None, 2, "revolt"), (3, 5, "desert"), (6, 8, "grumble"),
                                                   (9, None, "loyal")))
WEATHER = RangeTable("weather", ((1, 1, "-3"), (2, 2, "-2"), (3, 3, "-1"), (4, 7, "0"), (8, 8, "1"), (9, 9, "2"),
                                 (10, 10, "3")))
SEASONS = RangeTable("season", ((1, 2, "winter"), (3, 4, "spring"), (5, 7, "summer"), (8, 10, "autumn")))
SEASON_MOVE = {"winter": -2, "spring": -1, "summer": 0, "autumn": -1}
GREAT_PRESTIGE = 7
"""Prestige from which a noble's name helps in a siege, in sharing loot and in a battle that is not played."""

# --- villages by resources ------------------------------------------------------------------------
LEVY = ((0, 0, 0), (2, 0, 0), (3, 0, 0), (3, 1, 0), (4, 1, 0), (4, 2, 0), (5, 2, 0), (5, 2, 1), (6, 3, 1), (6, 3, 2),
        (7, 4, 2))
"""Levy of a village or town by resources: P, L, S (14.6)."""
RECRUITS = ((0, 0), (0, 0), (0, 0), (0, 2), (0, 2), (1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4))
"""Recruits that a place gives in a day by resources: L, P (13.1)."""

# --- the table top --------------------------------------------------------------------------------
VALUES = {"knights": 5, "dismounted": 4, "foot": 3, "bows": 2, "light": 2, "peasants": 1}
NOBLE_VALUE, HURT_VALUE = 6, 1


def men_value(men: Mapping[str, int]) -> int:
    """What fit and armed men are worth, by rank."""
    return sum(VALUES[rank] * n for rank, n in men.items())


WALLS = {"castle_stone": 300, "castle_tower": 250, "castle_motte": 200, "counter_castle": 150}
WALL_ENGINE, WALL_TOWER, WALL_LEAST = 25, 50, 100
SUPERIORITY = Steps(((0, 0), (125, 1), (150, 2), (175, 3), (200, 4), (300, 6), (400, 8)))
OVERWHELMING = 500
AUTO_LOSS, AUTO_LOSS_BEATEN, AUTO_LOSS_ROUT, AUTO_ROUT = 10, 30, 50, 5

ENTRY: Mapping[str, tuple[str, str, str]] = {
    "N": ("top", "top of the upper map", "top of the upper left map"),
    "NE": ("top", "right of the upper map", "top of the upper right map"),
    "SE": ("right", "right of the lower map", "right of the upper right and lower right maps"),
    "S": ("bottom", "bottom of the lower map", "bottom of the lower right map"),
    "SW": ("bottom", "left of the lower map", "bottom of the lower left map"),
    "NW": ("left", "left of the upper map", "left of the upper left and lower left maps"),
}
"""Where a group enters by the direction it came from, on one, two and four maps (15.1)."""
MAPS: Mapping[str, tuple[str, ...]] = {
    "open": ("La Prairie", "Le Chemin des Croisés", "La Croisée des Chemins", "La Plaine"),
    "forest": ("Le Bois", "La Forêt"),
    "hill": ("Le Fossé", "Le Tertre", "La Colline"),
    "marsh": ("Le Lagon", "Le Fossé"),
    "river": ("La Rivière", "Le Pont de Bois", "Le Lagon", "Le Ruisseau", "Le Moulin", "Le Gué"),
    "coast": ("La Plage", "La Crique", "La Tour de Gué", "L'Abbaye"),
    "village": ("Le Hameau", "Le Prieuré", "Le Village"),
    "castle_motte": ("La Motte Castrale",),
    "castle_stone": ("Le Château Normand",),
    "castle_tower": ("Le Nid d'Aigle",),
    "counter_castle": ("La Motte Castrale", "Le Nid d'Aigle"),
}
"""Tactical maps by what stands in the hex (15.2, 5.3)."""


_EACH_MAN = f"{{{'|'.join(RANKS)}}}-{{n}}"


def _d10(shape: str, dice: str = "1d10") -> Purpose:
    return Purpose(shape, dice, "#{n}")


WEATHER_OF_YEAR = _d10("weather")
SEASON_OF_YEAR = _d10("season")
HEALING_OF = _d10("healing/{Wounded*}")
PROMISE_KEPT = _d10("promise/{Armies*}")
GRUMBLING = _d10("grumble/{Armies*}")
SHARE_OF_LOOT = _d10("share/{Armies*}")
MARCHING_FIRST = _d10("activation/{Armies*}", "1d100")
LOYALTY_TO = _d10("loyalty/{Armies*}/{Armies*}")
REFUSAL_OF_MAN = _d10("refusal/{Armies*}/" + _EACH_MAN)
REFUSAL_OF_NOBLE = _d10("refusal/{Armies*}/{Nobles}")
UMPIRE_OF_SIDE = _d10("auto/{Battles*}/{attacker|defender}")
UMPIRE_OF_NOBLE = _d10("auto/{Battles*}/{Nobles}")
SURRENDER_OF = _d10("surrender/{Places*}")
MASSACRE_OF_MAN = _d10("massacre/{Places*}/" + _EACH_MAN)
MASSACRE_OF_NOBLE = _d10("massacre/{Places*}/{Nobles}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Weather of the year"), WEATHER_OF_YEAR),
    RollKind.of(N_("Season of the year"), SEASON_OF_YEAR),
    RollKind.of(N_("The wounded in care"), HEALING_OF),
    RollKind.of(N_("Mercenaries who wait for their loot"), PROMISE_KEPT),
    RollKind.of(N_("Mercenaries who grumble"), GRUMBLING),
    RollKind.of(N_("Mercenaries content with their share"), SHARE_OF_LOOT),
    RollKind.of(N_("Order of march among equals"), MARCHING_FIRST),
    RollKind.of(N_("Loyalty"), LOYALTY_TO),
    RollKind.of(N_("Refusals to fight"), REFUSAL_OF_MAN, REFUSAL_OF_NOBLE),
    RollKind.of(N_("Umpire's dice in battles"), UMPIRE_OF_SIDE, UMPIRE_OF_NOBLE),
    RollKind.of(N_("Castles that surrender"), SURRENDER_OF),
    RollKind.of(N_("Defenders put to the sword"), MASSACRE_OF_MAN, MASSACRE_OF_NOBLE),
)

BATTLES = ("B{turn}-{n}",)
"""Codes of battles: numbered through the day."""
