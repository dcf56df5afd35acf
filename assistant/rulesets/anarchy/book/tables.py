"""Every number and switch of The Anarchy with its source (rulebook: Numbers), its printed tables, its dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.rulesets.anarchy.book.sheets import RANKS
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.texts import N_
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.kinds import Purpose, RollKind, by_word
from assistant.turn.throws.scales import Steps

ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_MP = "movement points"


class Numbers(Rules):
    """Every number and switch of the book by its key."""

    # --- march
    move_foot: int = number(5, "movement points a day", "8.3", "Daily march of a group with men on foot.", minimum=1)
    move_cavalry: int = number(8, "movement points a day", "8.3", "Daily march of a group of knights only.", minimum=1)
    move_convoy: int = number(5, "movement points a day", "12", "Daily march of a convoy.", minimum=1)
    engine_move: int = number(
        3, "movement points a day", "10", "Daily march of a siege train, at the pace of oxen.", ASSUMED, 1)
    move_lone_noble: int = number(8, "movement points a day", "9", "Daily march of a noble without men.", ASSUMED, 1)
    cost_open: int = number(1, _MP, "2.1", "Entering open ground.", DERIVED)
    cost_forest: int = number(2, _MP, "2.1", "Entering a forest.", DERIVED)
    cost_hill: int = number(2, _MP, "2.1", "Entering hills.", DERIVED)
    cost_river: int = number(3, _MP, "2.1", "Entering a hex with a river.", DERIVED)
    cost_marsh: int = number(3, _MP, "2.1", "Entering a marsh.", ASSUMED)
    cost_coast: int = number(1, _MP, "2.1", "Entering a hex on the coast.", ASSUMED)
    cost_road: int = number(1, _MP, "2.1", "A step along a road, bridge or ford, whatever the terrain.", ASSUMED)
    wounded_move: int = number(-3, _MP, "15.7", "For the whole group, once, when a hurt man is with it.", minimum=-99)
    hex_km: int = number(5, "km", "2", "What a hex measures.", minimum=1)

    # --- groups
    group_min: int = number(3, "heads", "8.1", "The smallest group.", minimum=1)
    supply_from: int = number(10, "heads of a stack", "8.4", "From here on a stack eats 1 point a day.", minimum=1)
    supply_second: int = number(20, "heads of a stack", "8.4", "From here on a stack eats 2 points a day.", minimum=1)
    hunger_days: int = number(
        2, "days unfed in a row", "8.4", "After so many days without food a group starves.", minimum=1)
    hunger_die: int = number(1, "added to tactical dice", "8.4", "What a starving group adds to its dice on the table.")
    hunger_move: int = number(50, "% of the movement points", "8.4", "The march of a starving group, rounded down.")
    garrison_start: int = number(10, "fighters", "5.3", "Fighters of a castle at the start.", minimum=3)
    garrison_min: int = number(5, "fighters", "5.3", "Fighters that a castle keeps.")
    resources_max: int = number(10, "points", "5.1", "The most that a place holds.", minimum=1)
    escort_min: int = number(3, "heads", "15.8", "The smallest escort of captives.", minimum=1)

    # --- fame
    prestige_win: int = number(1, "prestige", "9", "For a battle won.", minimum=-9)
    prestige_lost: int = number(-1, "prestige", "9", "For a battle lost.", minimum=-9)
    prestige_refusal: int = number(-1, "prestige", "15.5", "For refusing battle.", minimum=-9)
    prestige_loot_village: int = number(-1, "prestige", "9", "For looting a village or town.", minimum=-9)
    prestige_loot_monastic: int = number(-2, "prestige", "9", "For looting a monastery.", minimum=-9)
    prestige_loot_castle: int = number(0, "prestige", "9", "For looting a castle.", DERIVED, -9)
    new_noble_wins: int = number(
        2, "battles", "9", "Battles that a group without noble wins before it has one.", minimum=1)
    new_noble_prestige: int = number(2, "prestige", "9", "Prestige of a new noble.", minimum=1)
    new_noble_core: int = number(50, "% of the heads", "9", "How much of the core must have seen both battles.")

    # --- money
    engineer_price: int = number(4, "£ for the campaign", "10", "An engineer, in a town.")
    oxen_per_engine: int = number(2, "oxen", "10", "For each ram, gallery and mangonel.")
    oxen_per_tower: int = number(4, "oxen", "10", "For each siege tower.")
    train_peasants: int = number(3, "peasants", "10", "For each siege train.")
    merc_price: int = number(2, "£ a mercenary", "11.3", "Mercenaries, for the campaign.")
    lure_price: int = number(3, "£ a mercenary", "11.5", "Mercenaries won over from the other side.")
    lure_distance: int = number(2, "hexes", "11.5", "No other enemy group may be nearer than this.")
    promise_desert_at: int = number(3, "1d10, this or less", "11.4", "Mercenaries with a promise desert on this.")
    promise_step: int = number(-1, "added for each test made", "11.4", "Each later test is harder.", minimum=-9)
    recruit_light: int = number(1, "£", "13.1", "A man on light foot.")
    recruit_peasant: str = switch(
        "13.1", "Pounds for a peasant, in halves.", options=("0.5",), pattern=r"\d+([.,][05])?")
    loot_value: int = number(1, "£ a point", "13.2", "What looted resources are worth.")
    convoy_price: int = number(1, "£ a point", "13.2", "Resources bought from a convoy.", DERIVED)
    convoy_animals: int = number(5, "animals", "12", "The most that a convoy has.", minimum=1)
    convoy_transfer: int = number(5, "points a day", "12", "Between a convoy and a place in a day.", minimum=1)
    ransom_per_prestige: int = number(2, "£", "15.8", "Ransom for each point of prestige.")
    ransom_knights: int = number(2, "knights", "15.8", "Who leave with a ransomed noble.")

    # --- battle
    maps_2_from: int = number(31, "characters", "15.1", "Two tactical maps from here on.", minimum=2)
    maps_4_from: int = number(61, "characters", "15.1", "Four tactical maps from here on.", minimum=3)
    battle_turns: int = number(12, "tactical turns", "15.6", "The longest battle.", minimum=1)
    siege_days_per_point: int = number(2, "days", "16", "Days of siege that eat a point of resources.", minimum=1)

    # --- switches
    terrain_set: Literal["A", "B", "custom"] = switch(
        "2.1", "Costs of open, forest, hill, river, marsh: A 1 2 2 3 3, B 1 1 1 3 3, custom as typed above.")
    move_unit: Literal["points", "hexes"] = switch("8.3, 4", "In hexes every hex costs 1.")
    neutral_band: Literal["5-6", "5_only"] = switch("7", "Whether loyalty 6 is neutral (table) or royal (text).")
    loyalty_test_mode: Literal["level", "die", "level+swing"] = switch(
        "7", "Die: 1d10 replaces the level; swing: 1 or 2 on 1d10 is -1, 9 or 10 is +1.")
    loyalty_subject: Literal["met", "player"] = switch("7", "Whose level is tested.")
    loyalty_effect: Literal["uncommitted", "encounter", "lasting"] = switch(
        "7", "Uncommitted groups take the side shown; encounter: attitude only; lasting: any group goes over.")
    neutral_meets: Literal["backs", "nothing"] = switch("8.3, 7", "What a group does that turns out neutral.")
    village_access: Literal["mirror", "above4", "faction"] = switch(
        "5.1, 14.5", "Mirror: royal at 5 or more, angevin at 6 or less; above4: royal only; faction: the lord's side.")
    loot_neutral: Literal["yes", "no"] = switch("13.2, 14.5", "Whether neutral villages may be looted.")
    priory_is: Literal["monastic", "village"] = switch("5.1, 5.2", "What priories count as.")
    stacking: Literal["next_reorg", "end_turn"] = switch("8.1, 8.3", "When friends on one hex are merged by force.")
    order_tie: Literal["larger", "dice"] = switch(
        "6", "Equal prestige inside a side: the larger first, or dice at once.")
    orders_mode: Literal["written", "at_activation"] = switch(
        "6", "At activation a unit without MOVE or HOLD is asked when its turn comes.")
    head_count: Literal["fighters", "all"] = switch("8.4", "All counts drivers and engineers, too.")
    merc_count: Literal["stack", "separate"] = switch(
        "8.4", "Whether attached mercenaries count with their employer for food, loyalty and order.")
    supply_30: Literal["flat2", "per_ten"] = switch("8.4", "What 30 heads or more eat.")
    starve_growth: Literal["fixed", "growing"] = switch(
        "8.4", "Whether hunger adds 1 more on dice for each further day.")
    siege_supply: Literal["siege_only", "both"] = switch("16, 8.4", "Whether a besieged castle is drawn on daily, too.")
    wounded_floor: Literal["min1", "none"] = switch("15.7", "The least march after penalties.")
    wounded_march: Literal["must", "free"] = switch("15.7", "Whether groups with hurt men must not go away from care.")
    refusal_prestige: Literal["once", "twice"] = switch("9, 15.5", "Two chapters name the same loss.")
    refusal_extra: Literal["no", "yes"] = switch("15.5", "Modifiers for forest and for mounted pursuers.")
    shut_in_prestige: Literal["yes", "no"] = switch("9", "Whether shutting oneself in costs like a withdrawal.")
    prestige_clamp: Literal["1-10", "0-10"] = switch("9", "Where prestige ends.")
    noble_alone: Literal["stays", "leaves"] = switch("8.1", "The noble of a dissolved group.")
    attacker_def: Literal["entered", "aggressor"] = switch("15.4", "Who counts as attacker when deploying.")
    convoy_owner: Literal["stays", "guard"] = switch("12, 14.4", "Who takes a convoy that nobody escorts.")
    convoy_unescorted: Literal["ask", "takes"] = switch(
        "14.4", "Takes: a convoy that nobody escorts belongs to the first group it meets, without a question.")
    convoy_buy: Literal["need", "order"] = switch(
        "14.4", "What is bought: what tomorrow's food lacks; by order: all or part, of own convoys, too.")
    merc_test: Literal["die", "level"] = switch("11.4", "Promise tests by die, or by a level of 7 instead of the die.")
    merc_knights: Literal["row", "knights_if_all_paid"] = switch("11.1", "Knights among mercenaries.")
    loot_share_to: Literal["promised", "all"] = switch("11.6", "Which companies test when loot is short.")
    purse_captured: Literal["yes", "no"] = switch("15.6", "Whether the purse of the beaten goes to the victor.")
    ransom_reach: Literal["anywhere", "same_hex"] = switch("15.8", "Where the payer must be.")
    garrison_refill: Literal["auto", "warn"] = switch("5.3", "A castle below its least garrison.")
    siege_min: Literal["any", "equal"] = switch("16", "Besieging heads against the garrison.")
    weather: str = switch(
        "18.1", "Optional weather: off, roll, or a value from -3 to 3.", options=("off", "roll"),
        pattern=r"off|roll|[+-]?[0-3]")
    weather_clamp: Literal["0-10", "1-10"] = switch("18.1", "Where resources end when the weather changes them.")
    season: Literal["summer", "winter", "spring", "autumn", "roll"] = switch("18.2", "Optional season of the campaign.")
    season_scope: Literal["all", "foot"] = switch("18.2", "Whether riders feel the season.")
    days: int = number(14, "days", "scenario", "How long the scenario lasts.", ASSUMED, 1)
    period: Literal["I", "II", "III"] = switch("card5", "I 1139 to 1141, II 1142 to 1147, III 1148 to 1153.")
    start_date: str = switch("scenario", "The date of the first day, year-month-day.", options=("",), free=True)


TERRAINS = ("open", "forest", "hill", "river", "marsh", "coast")
TERRAIN_SET_B: Mapping[str, int] = {"open": 1, "forest": 1, "hill": 1, "river": 3, "marsh": 3}

# --- loyalty (7) --------------------------------------------------------------------------------
BANDS = {"5-6": RangeTable("loyalty", ((None, 4, "angevin"), (5, 6, "neutral"), (7, None, "royal"))),
         "5_only": RangeTable("loyalty", ((None, 4, "angevin"), (5, 5, "neutral"), (6, None, "royal")))}
BY_PRESTIGE = Steps(((0, -2), (3, -1), (5, 0), (7, 1), (9, 2)))
BY_NUMBERS = Steps(((-99, -2), (-9, -1), (-4, 0), (5, 1), (10, 2)))
"""Modifiers for a royal mover; an angevin one has them with the other sign."""

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
    """The men of a group by rank (table 8.2): row 10 for each ten above twelve, then the row that is left.

    Raises LookupError for fewer heads than the table starts with.
    """
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
"""From here on a name helps in a siege, in the sharing of loot and in a battle that is not played."""

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
OPEN_MAPS = ("La Prairie", "Le Chemin des Croisés")
MAPS: Mapping[str, tuple[str, ...]] = {
    "open": (*OPEN_MAPS, "La Croisée des Chemins", "La Plaine"),
    "forest": ("Le Bois", "La Forêt"),
    "hill": ("Le Fossé", "Le Tertre", "La Colline"),
    "marsh": ("Le Lagon", "Le Fossé"),
    "river": ("La Rivière", "Le Pont de Bois", "Le Lagon", "Le Ruisseau", "Le Moulin", "Le Gué"),
    "coast": ("La Plage", "La Crique", "La Tour de Gué", "L'Abbaye"),
    "village": ("Le Hameau", "Le Prieuré", "Le Village"),
    "castle_motte": ("Le Château Normand", "La Motte Castrale", "Le Nid d'Aigle"),
    "castle_stone": ("Le Château Normand",),
    "castle_tower": ("Le Nid d'Aigle",),
    "counter_castle": ("La Motte Castrale", "Le Nid d'Aigle"),
}
"""Tactical maps by what stands in the hex (15.2, 5.3)."""


_EACH_MAN = f"{{{'|'.join(RANKS)}}}-{{n}}"


def _d10(shape: str, dice: str = "1d10") -> Purpose:
    """A purpose; a throw that comes again in one phase is told by ``#2``."""
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
