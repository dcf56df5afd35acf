"""Every number and switch of Bloodlust nations, its dice and printed tables (rulebook: Numbers)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.bloodlust.records import ArmyType, Attribute, EnvoyRow, TradeRow
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.ruleset import Turns
from assistant.turn.texts import N_

# Numbers and switches with their sources, and the purposes of dice (rulebook: Numbers).


A, D = "ASSUMED", "DERIVED"
TURNS = Turns(r"\d{1,4}", ("Sp", "Su", "Fa", "Wi"))
"""A turn is a season of a year: 987Sp."""


def signed_number(default: int, unit: str, source: str, meaning: str, tag: str = "FOUND") -> int:
    """A number that may be below 0: what something adds to successes, a rating, a die or morale."""
    return number(default, unit, source, meaning, tag, -9)


class RecruitingNumbers(Rules):
    """Recruiting, upkeep, marches."""

    defence_invaded: int = number(1, "rolls", "TS-Sp1", "A nation invaded last year counts {signed}"
                                                        " {signed?roll|rolls}.", A)
    defence_fort: int = number(1, "rolls", "TS-Sp1", "A nation that owns a fort counts {signed}"
                                                     " {signed?roll|rolls}.", A)
    buy_price: int = number(1, "resources", "TS-Sp2", "A roll that is bought costs {n} {n?resource|resources}.")
    payout_rolls: int = number(1, "rolls", "TS-Sp3", "A beaten nation pays {n} {n?roll|rolls} each Spring.")
    hero_on: int = number(6, "1d6", "p50", "A hero offers himself on {n} or more.", D, 1)
    hero_level_2: int = number(4, "1d6", "p50", "From {n} on a hero is of level 2.", D, 1)
    hero_level_3: int = number(6, "1d6", "p50", "From {n} on a hero is of level 3.", D, 1)
    hero_cost: int = number(1, "rolls", "p50", "A hero costs {n} {n?roll|rolls}.", D)
    recruit_cost: int = number(1, "rolls", "TS-Sp5", "A unit costs {n} {n?roll|rolls}.")
    mercenary_cost: int = number(2, "rolls", "TS-Sp5", "A mercenary unit costs {n} {n?roll|rolls}.")
    captain_price: int = number(1, "resources", "CC", "A captain costs {n} {n?resource|resources}.")
    captain_limit: int = number(0, "captains", "CC", "At most {n} {n?captain|captains} a season are hired; 0 is no"
                                                     " limit.")
    upkeep_mounted: int = number(4, "quarters", "TS-Sp5", "A mounted unit costs {n} {n?quarter|quarters} of a"
                                                          " resource.")
    upkeep_foot: int = number(2, "quarters", "TS-Sp5", "A foot unit costs {n} {n?quarter|quarters} of a resource.")
    upkeep_flat: int = number(4, "quarters", "TS-Su3", "The flat price of a unit is {n} {n?quarter|quarters} of a"
                                                       " resource.")
    light_divisor: int = number(2, "divisor", "SK", "The price of a Light unit is divided by {n}.", minimum=1)
    forage_gain_resources: int = number(1, "resources", "FO", "A unit that forages well brings {n}.")
    march_steps: int = number(3, "provinces", "MV", "An army moves {n} {n?province|provinces} a season.", A, 1)
    respond_reach: int = number(1, "provinces", "p58", "Armies {n} {n?province|provinces} away may answer.", A)


class CommandNumbers(RecruitingNumbers):
    """Commanders, weapons, ad-hoc armies."""

    levy_rolls: int = number(8, "rolls", "DA", "An ad-hoc army has {n} {n?roll|rolls}.")
    levy_season_Wi: int = number(  # noqa: N815
        -2, "rolls", "DA", "An ad-hoc army in Winter has {signed} {signed?roll|rolls}.", minimum=-99)
    levy_season_Fa: int = number(  # noqa: N815
        -1, "rolls", "DA", "An ad-hoc army in Fall has {signed} {signed?roll|rolls}.", minimum=-99)
    levy_season_Su: int = number(  # noqa: N815
        1, "rolls", "DA", "An ad-hoc army in Summer has {signed} {signed?roll|rolls}.", minimum=-99)
    levy_wr: int = signed_number(-1, "WR", "DA", "The captain of an ad-hoc army has {signed} WR.")
    levy_wr_min: int = number(1, "WR", "DA", "The captain of an ad-hoc army has at least WR {n}.", A)
    wr_from_2: int = number(4, "2d6", "CC", "A new commander has WR 2 from {n} on.", A)
    wr_from_3: int = number(6, "2d6", "CC", "A new commander has WR 3 from {n} on.", A)
    wr_from_4: int = number(9, "2d6", "CC", "A new commander has WR 4 from {n} on.", A)
    wr_from_5: int = number(11, "2d6", "CC", "A new commander has WR 5 from {n} on.", A)
    attributes_marshal: int = number(2, "throws", "CC", "A marshal has {n} {n?attribute|attributes}.")
    attributes_captain: int = number(1, "throws", "CC", "A captain has {n} {n?attribute|attributes}.")
    ma_strength_from: int = number(5, "2d6", "MA", "From {n} on the attribute is a strength.")
    fate_mods_lost: int = signed_number(-1, "successes", "MF", "A lost battle counts {signed} in a commander's fate.")
    fate_mods_destroyed: int = signed_number(
        -1, "successes", "MF", "His unit destroyed counts {signed} in a commander's fate.")
    fate_mods_withdrew: int = signed_number(
        0, "successes", "MF", "His unit withdrawn counts {signed} in a commander's fate."
    )
    fate_mods_won: int = signed_number(1, "successes", "MF", "A battle won counts {signed} in a commander's fate.")
    fate_mods_lucky: int = signed_number(1, "successes", "ST", "Lucky counts {signed} in a commander's fate.")
    wound_seasons: str = switch("MF", "A wound lasts {option} seasons.", options=("1d6",), pattern=r"\d+d\d+")
    weapon_on: int = number(6, "1d6", "p61", "A weapon that is away appears on {n} or more.", A, 1)
    weapon_away: str = switch("p61", "A lost weapon is away for {option} seasons.", options=("2d4",),
                              pattern=r"\d+d\d+")
    weapon_minor_rep: int = number(1, "reputation", "ST", "A minor weapon brings {signed} reputation.")
    weapon_major_wr: int = number(1, "WR", "WP", "A major weapon brings {signed} WR.", A)
    death_from: int = number(11, "2d6", "p60", "A national leader dies in Winter from {n} on.", D)
    zoc_factor: int = number(3, "x reputation", "CC", "The zone of command is {n} {n?time|times} the reputation.")
    zoc_charisma: int = number(4, "x reputation", "ST", "With Charisma the zone is {n} {n?time|times} the reputation.")
    zoc_poor: int = number(2, "x reputation", "WK", "With Poor charisma the zone is {n} {n?time|times} the reputation.")
    zoc_unremarkable: int = number(-2, "inches", "WK", "Unremarkable changes the zone by {signed}"
                                                       " {signed?inch|inches}.", minimum=-99)


class Fighting(CommandNumbers):
    """War, battle, siege."""

    war_conquest: int = signed_number(
        1, "rating", "p57", "An interest in conquest counts {signed} in the war check.", D
    )
    war_hated: int = signed_number(1, "rating", "p57", "A hated neighbour counts {signed} in the war check.", D)
    war_low_morale: int = signed_number(-1, "rating", "p57", "Low morale counts {signed} in the war check.", D)
    war_low_morale_to: int = number(1, "morale", "p57", "Morale is low at {n} or less.", D)
    target_mods_hated: int = signed_number(1, "die", "p58", "Being hated counts {signed} on a target's die.", D)
    target_mods_weaker: int = signed_number(1, "die", "p58", "Being weaker counts {signed} on a target's die.", D)
    target_mods_most_land: int = signed_number(1, "die", "p58", "Most land counts {signed} for conquerors.", D)
    target_mods_richest: int = signed_number(1, "die", "p58", "Being richest counts {signed} for looters.", D)
    target_mods_undefended: int = signed_number(
        1, "die", "p58", "Land without defence counts {signed} for colonists.", D
    )
    target_mods_tributary: int = signed_number(-1, "die", "p58", "A tributary's die counts {signed}.", D)
    province_mods_undefended: int = signed_number(1, "die", "p58", "A province without defence counts {signed}.", A)
    province_mods_touches: int = signed_number(
        1, "die", "p58", "A province touching enough of one's own counts {signed}.", A
    )
    province_touches: int = number(2, "provinces", "p58", "Touching {n} of one's own provinces is enough.", A, 1)
    province_mods_capital: int = signed_number(
        -1, "die", "p58", "A capital counts {signed}, but not for conquerors.", A
    )
    retreat_mods_offensive: int = signed_number(
        -1, "successes", "RT", "An Offensive unit counts {signed} in a retreat."
    )
    retreat_mods_defensive: int = signed_number(1, "successes", "RT", "A Defensive unit counts {signed} in a retreat.")
    retreat_mods_temerity: int = signed_number(-1, "successes", "RT", "Temerity counts {signed} in a retreat.")
    retreat_mods_coward: int = signed_number(1, "successes", "RT", "A Coward counts {signed} in a retreat.")
    recovery_mods_rep: int = signed_number(1, "successes", "RC", "Hits up to the REP count {signed} in recovery.")
    recovery_mods_2rep: int = signed_number(0, "successes", "RC", "Hits up to twice the REP count {signed}.")
    recovery_mods_3rep: int = signed_number(-1, "successes", "RC", "Hits up to three times the REP count {signed}.")
    recovery_mods_not_routed: int = signed_number(1, "successes", "RC", "A unit not routed counts {signed}.")
    loot_mods_mercenary: int = signed_number(-1, "successes", "LO", "Mercenaries count {signed} in looting.")
    loot_mods_treasure_hunter: int = signed_number(
        1, "successes", "ST", "A Treasure hunter counts {signed} in looting."
    )
    loot_each: int = number(1, "resources", "LO", "Each success in looting brings {n} {n?resource|resources}.")
    xp_needed_poor: int = number(2, "battles", "MR", "A poor unit rises after {n} {n?battle|battles} won.", minimum=1)
    xp_needed_normal: int = number(
        3, "battles", "MR", "A normal unit rises after {n} {n?battle|battles} won.", minimum=1)
    xp_needed_veteran: int = number(
        4, "battles", "MR", "A veteran unit rises after {n} {n?battle|battles} won.", minimum=1)
    siege_mods_siege: int = signed_number(1, "successes", "LS", "The Siege skill counts {signed} in a siege.")
    siege_mods_Wi: int = signed_number(-1, "successes", "LS", "Winter counts {signed} in a siege.")  # noqa: N815
    siege_mods_Su: int = signed_number(1, "successes", "LS", "Summer counts {signed} in a siege.")  # noqa: N815
    npc_retreat_pct: int = number(50, "% of the units", "RT", "Self-run nations may retreat with {n}% lost.")
    npc_min_units: int = number(3, "units", "p58", "Self-run nations invade with {n} or more units.", A)
    npc_fight_pct: int = number(75, "% of the invader", "p58", "Self-run nations fight from {n}% of the invader on.", A)
    auto_die_rep: int = number(4, "REP", "ME", "Off the table {n} REP of a side's units are a die.", A, 1)
    auto_rout_rep: int = number(
        1, "x REP", "ME", "Off the table a beaten unit is routed by more hits than {n} {n?time|times} its REP.", A)
    auto_hit_cap: int = number(3, "hits", "ME", "Off the table the margin changes hits by {n} at most.", A)
    auto_down_loser: int = number(5, "1d6", "ME", "A beaten commander is down from {n} on.", A)
    auto_down_winner: int = number(6, "1d6", "ME", "Another commander is down from {n} on.", A)
    desert_dice: int = number(0, "dice", "ME", "In desert a unit loses {n} attack {n?die|dice}.", A)


class Ruling(Fighting):
    """Morale, peace, winter, trade, envoys, points."""

    nm_min: int = number(0, "morale", "p59", "National morale is at least {n}.", A)
    nm_max: int = number(5, "morale", "p59", "National morale is at most {n}.", A)
    nm_shaken_cap: int = number(0, "times", "WF", "A nation is shaken {n} {n?time|times} at most; 0 is no limit.")
    nm_won: int = signed_number(1, "morale", "p59", "A battle won changes morale by {signed}.", A)
    nm_lost: int = signed_number(-1, "morale", "p59", "A battle lost changes morale by {signed}.", A)
    nm_province: int = signed_number(-1, "morale", "p59", "A province lost changes morale by {signed}.", A)
    nm_capital: int = signed_number(-2, "morale", "p59", "The own capital lost changes morale by {signed} instead.", A)
    nm_collapse: int = signed_number(-2, "morale", "p59", "An army destroyed changes morale by {signed}.", A)
    nm_rest_step: int = number(1, "morale", "p59", "At peace morale moves by {n} a year toward rest.", A)
    will_mods_won: int = signed_number(1, "rating", "WF", "A battle won counts {signed} in the morale check.")
    will_mods_lost: int = signed_number(-1, "rating", "WF", "A battle lost counts {signed} in the morale check.")
    will_mods_refused: int = signed_number(-1, "rating", "WF", "From the third battle refused on {signed}.")
    will_mods_province: int = signed_number(-1, "rating", "WF", "A province lost counts {signed} in the morale check.")
    will_mods_shaken: int = signed_number(-1, "rating", "WF", "Each time shaken counts {signed} in the morale check.")
    unrest_seasons: int = number(4, "seasons", "WF", "Unrest lasts {n} {n?season|seasons}.", A)
    peace_min: int = number(1, "years", "p59", "An enforced peace lasts {n} {n?year|years} at least.", D, 1)
    peace_cap: int = number(8, "years", "p59", "An enforced peace lasts {n} {n?year|years} at most.", A, 1)
    disband_rep_high: int = signed_number(1, "successes", "DN", "A great commander counts {signed} in Disband or Not.")
    disband_rep_low: int = signed_number(-1, "successes", "DN", "A poor commander counts {signed} in Disband or Not.")
    keep_price: int = number(1, "resources", "DN", "Keeping a unit that would leave costs {n}.")
    trade_mods_Sp: int = signed_number(1, "successes", "TS-Sp14", "Spring counts {signed} in trade.")  # noqa: N815
    trade_mods_Su: int = signed_number(1, "successes", "TS-Su10", "Summer counts {signed} in trade.")  # noqa: N815
    trade_mods_Wi: int = signed_number(-2, "successes", "TS-Wi12", "Winter counts {signed} in trade.")  # noqa: N815
    trade_mods_war: int = signed_number(-1, "successes", "TC", "War next door counts {signed} in trade.")
    trade_mods_peace: int = signed_number(1, "successes", "TC", "Peace counts {signed} in trade.")
    trade_mods_pole: int = signed_number(2, "successes", "TC", "Pole counts {signed} in trade.")
    trade_mods_capital: int = signed_number(1, "successes", "TC", "Another capital counts {signed} in trade.")
    trade_mods_unrest: int = signed_number(-1, "successes", "TC", "Unrest counts {signed} in trade.")
    trade_mods_offended: int = signed_number(-1, "successes", "DP", "An offended neighbour counts {signed} in trade.")
    tribute: int = number(1, "resources", "DP", "A tributary pays {n} a season.")
    insult_rolls: str = switch(
        "DP", "An insulted nation gets {option} free rolls.", options=("1d6",), pattern=r"\d+d\d+")
    diplo_cap: int = number(0, "successes", "DP", "The rows of an envoy come to {n} at most; 0 is no limit.")
    score_province: int = number(3, "points", "A", "A province counts {n} {n?point|points}.", A)
    score_capital: int = number(5, "points", "A", "A foreign capital counts {n} {n?point|points}.", A)
    score_resources: int = number(10, "resources", "A", "Every {n} {n?resource counts|resources count} a point.", A, 1)
    score_weapon: int = number(2, "points", "A", "A weapon borne counts {n} {n?point|points}.", A)
    score_war: int = number(3, "points", "A", "A war won counts {n} {n?point|points}, one lost as many less.", A)
    score_conquest: int = number(1, "points", "A", "For conquerors a foreign province counts {n} more.", A)
    score_colonizing: int = number(
        1, "points", "A", "For colonists a foreign province next to home counts {n} more.", A)
    score_loot: int = number(5, "resources", "A", "For looters every {n} looted count a point.", A, 1)
    score_no_interest: int = number(
        15, "resources", "A", "Without interest every {n} {n?resource counts|resources count} a point more.", A, 1)
    npc_reserve: int = number(5, "resources", "TS-Sp2", "Self-run nations keep {n} {n?resource|resources} back.", A)
    npc_keep_floor: int = number(5, "resources", "DN", "Self-run nations keep units while they have more than {n}.", A)


class Playing(Ruling):
    """How the rules play a nation of their own: of all this the seed says nothing but that some do it."""

    npc_captains: int = number(
        1, "captains", "CC", "Self-run nations hire a captain while fewer than {n} can lead, one a season.", A)
    npc_captain_from: int = number(
        3, "resources", "CC", "Self-run nations hire captains from {n} {n?resource|resources} on.", A)
    npc_buy: Literal["war", "always", "never"] = switch(
        "TS-Sp2", "Self-run nations buy rolls {option}.", "in war", "in war and peace", "never")
    npc_hero: Literal["hires", "leaves"] = switch(
        "p50", "Self-run nations {option} a hero who offers himself.", "hire", "send away")
    npc_strength: Literal["courage", "logistic"] = switch(
        "ST", "Where a commander may choose his strength the rules take {option}.", "Courage", "Logistic")
    npc_army: Literal["one", "standing"] = switch(
        "TS-Sp5", "In Spring a self-run nation {option}.", "gathers all it has in one army",
        "leaves its armies as they are and sends its Reserve to its leader's")
    npc_stand: Literal["frontier", "seat"] = switch(
        "TS-Sp5", "In Spring the main army of a self-run nation at war stands {option}.",
        "on the enemy's frontier nearest to the capital", "at the capital")
    npc_ransom: Literal["takes", "refuses"] = switch(
        "A", "Self-run nations {option} ransoms for their captives.", "take", "refuse")
    ransom_each: int = number(1, "resources", "A", "A ransom is {n} {n?resource|resources} for each point of WR.", A)
    ransom_least: int = number(1, "resources", "A", "A ransom is at least {n} {n?resource|resources}.", A)
    npc_offer: Literal["never", "weary"] = switch(
        "A", "Self-run nations {option}.", "never offer peace", "offer peace where they would take it")
    npc_peace_morale: int = number(
        2, "morale", "A", "Self-run nations take a peace that is offered at morale {n} or less.", A)
    npc_peace_seasons: int = number(
        4, "seasons", "A", "Self-run nations take a peace that is offered from {n} {n?season|seasons} of war on.", A)
    npc_maybe: Literal["tempted", "weaker", "richer", "always", "never"] = switch(
        "p57", "Where its people leave it open a self-run nation goes to war {option}.",
        "for conquest or loot, if a neighbour is weaker or richer", "for conquest or loot, if a neighbour is weaker",
        "for conquest or loot, if a neighbour is richer", "always", "never")
    npc_ally: Literal["joins", "refuses"] = switch(
        "DP", "Self-run nations {option} an ally who is attacked.", "join", "abandon")
    npc_alliance_to: int = number(3, "1d6", "DP", "Self-run nations take an alliance that is offered on 1 to {n}.", A)
    npc_bold: Literal["yes", "no"] = switch(
        "p58", "A self-run nation that began one of its wars invades {option}.", "however strong its enemies are",
        "only where it is strong enough, too")
    npc_attack_pct: int = number(
        100, "% of the units", "p58", "Another self-run nation invades from {n}% of its enemies' largest army on.", A)
    npc_armies: int = number(
        1, "armies", "p58", "At most {n} {n?army|armies} of a self-run nation {n?enters|enter} the province that it "
        "has chosen.", A, 1)
    npc_siege: Literal["besiege", "back"] = switch(
        "LS", "Before a fort the armies of self-run nations {option}.", "lay a siege", "turn back")
    npc_weak: Literal["fort", "levy"] = switch(
        "p58", "Too weak to fight a self-run nation {option}.", "goes into the fort, else leaves it to a lord",
        "leaves it to a lord, else goes into the fort")
    npc_relief: Literal["fight", "lift"] = switch(
        "LS", "When a relief comes self-run besiegers {option}.", "fight", "lift the siege")
    npc_retreat_hope: int = number(
        2, "successes", "RT", "Off the table self-run nations retreat only where half their leader's WR and what "
        "counts in a retreat come to {n} or more.", A, -99)
    npc_keep: Literal["normal", "poor", "veteran", "elite"] = switch(
        "DN", "In Winter self-run nations pay to keep units that are {option}.", "normal or better",
        "of any morale", "veteran or better", "elite")


class Switches(Playing):
    """What may be read in several ways: the first option is the book's letter."""

    winter_nm_checks: Literal["two", "leader_died", "one"] = switch(
        "TS-Wi10", "In Winter {option}.", "all nations at war check twice", "only those whose leader died check twice",
        "there is one check")
    upkeep_mode: Literal["as_written", "by_type", "flat"] = switch(
        "TS-Sp5", "Upkeep is due {option}.", "by type in Spring, flat for Summer's recruits", "by type in all seasons",
        "flat in all seasons")
    buy_rr_cap: Literal["max_tech", "one", "none"] = switch(
        "TS-Sp2", "In a season {option} may be bought.", "as many rolls as TECH", "one roll", "any number of rolls")
    rr_carry: Literal["fall", "carry"] = switch(
        "TS-Fa1", "Unspent rolls {option}.", "lapse in Fall", "stay for the next Spring")
    trade_exclude: Literal["as_text", "all"] = switch(
        "TS-Wi12", "In Winter {option} earn nothing.", "looted and besieged provinces",
        "looted, besieged and conquered provinces")
    trade_war: Literal["once", "each"] = switch("TC", "War next door counts {option}.", "once", "for each province")
    def_unit_dice: Literal["1", "-1"] = switch(
        "ME", "A Defensive unit defends with {option}.", "one die more", "one die less")
    desert_skill: Literal["desert", "snow"] = switch(
        "SK", "The Desert skill ignores {option}.", "desert", "snow and winter")
    dice_prefix: Literal["dice", "target"] = switch(
        "TS-Sp1", "The figure before a test is {option}.", "the number of dice", "the rating of two dice")
    rating_bounds: Literal["nm_only", "all"] = switch(
        "WF", "That 1 always and 6 never succeeds holds {option}.", "for national morale alone", "for all ratings")
    attr_fail_at: Literal["0", "1"] = switch(
        "WK", "A test of attributes fails with {option}.", "no success", "one success or none")
    wtf_mod_kind: Literal["rating", "successes"] = switch(
        "WF", "Modifiers of the morale check change {option}.", "the rating", "the successes")
    nm_test_rating: Literal["nm", "nm_plus_wr"] = switch(
        "WF", "The morale check is taken against {option}.", "the national morale", "morale and the leader's WR")
    nm_adjust_mode: Literal["permanent", "off"] = switch(
        "TS-Sp12", "The adjustment of morale {option}.", "is permanent", "is left out")
    disaster_scope: Literal["all_wars", "one_war"] = switch(
        "WF", "A disaster loses {option}.", "all wars", "the war with the strongest enemy")
    peace_unit: Literal["years", "seasons"] = switch(
        "p59", "Enforced peaces are counted in {option}.", "years", "seasons")
    enforced_scope: Literal["pair", "loser_any"] = switch(
        "p59", "In an enforced peace {option}.", "the two may not attack each other", "the beaten may attack nobody")
    opposition_cost: Literal["spent", "kept"] = switch(
        "WF", "The roll of a unit that is opposed is {option}.", "spent", "kept")
    opposition_when: Literal["next_recruiting", "next_season"] = switch(
        "WF", "Opposition counts in {option}.", "the next recruiting", "the next season only")
    refuse_window: Literal["year", "season"] = switch(
        "WF", "Refused battles are counted in a {option}.", "year", "season")
    forage_scope: Literal["unit", "army"] = switch("FO", "Foraging is tested by {option}.", "unit", "army")
    siege_scope: Literal["unit", "army"] = switch("LS", "A siege is tested by {option}.", "unit", "army")
    disband_scope: Literal["unit", "army"] = switch("DN", "Disband or Not is tested by {option}.", "unit", "army")
    staying_scope: Literal["unit", "army"] = switch("SW", "Staying at War is tested by {option}.", "unit", "army")
    forage_gain: Literal["plus_one", "covers"] = switch(
        "FO", "A success in foraging {option}.", "brings a resource", "feeds that unit and no more")
    disband_pay: Literal["save_unit", "survivors_pay", "none"] = switch(
        "DN", "In Winter a resource {option}.", "keeps a unit that would leave", "is due for each unit that stays",
        "keeps nobody")
    staying_who: Literal["adhoc", "all_defenders"] = switch(
        "SW", "Staying at War is for {option}.", "ad-hoc armies", "all defenders who won")
    recovery_boundary: Literal["lower", "higher"] = switch(
        "RC", "Hits of exactly two or three times the REP fall into the {option} band.", "lower", "higher")
    merge_with: Literal["army", "side"] = switch("RC", "Units merge within their {option}.", "army", "side")
    xp_seasons: Literal["all", "spring_only"] = switch(
        "MR", "Battles won count for experience {option}.", "in all seasons", "in Spring only")
    loser_routed: Literal["form", "all"] = switch(
        "RC", "Of a side beaten without a retreat {option} routed.", "those are, whom the form names,", "all units are")
    piorad_loot: Literal["-1", "1"] = switch(
        "LO", "A people of winter war loots with {option}.", "one success less", "one success more")
    rep_threshold: Literal["as_text", "5_2"] = switch(
        "DN", "A reputation counts {option}.", "above 6 and below 2", "from 5 on and up to 2")
    captain_fate: Literal["table", "die46"] = switch(
        "MF", "The fate of captains {option}.", "is the marshals' table", "is one die: 4 to 6 recovers")
    captured_weapon: Literal["keep", "taken"] = switch(
        "WP", "The weapon of a captive {option}.", "stays with him", "is taken")
    weapon_levy: Literal["reroll", "as_rolled"] = switch(
        "ST", "Weapons of an ad-hoc army's captain are {option}.", "thrown again", "as rolled")
    stance_clamp: Literal["clamp", "none"] = switch(
        "DS", "The die of stance {option}.", "is held within 1 and 6", "may leave 1 to 6")
    diplo_mod_kind: Literal["successes", "dice"] = switch(
        "DP", "The envoy's rows change the {option}.", "successes", "dice")
    deceive_war: Literal["anyone", "by_row"] = switch(
        "DP", "Rumours work {option}.", "against anyone", "on rows 1 and 2 not against the deceiver")
    intimidate_use: Literal["target_die", "war_die"] = switch(
        "DP", "An intimidated nation has less on its {option}.", "target die", "war rating")
    intimidate_backfire: Literal["sender", "target", "both"] = switch(
        "DP", "A threat that fails costs trade of {option}.", "the sender", "the offended", "both")
    alliance_effect: Literal["both", "no_attack", "join"] = switch(
        "DP", "Allies {option}.", "are no targets and are called", "are no targets", "are called")
    move_tie: Literal["row0", "reroll"] = switch(
        "MV", "Equal successes in movement {option}.", "are a meeting", "are thrown again")
    player_war: Literal["roll", "choose"] = switch(
        "p57", "Nations of clubs {option}.", "throw for war as well", "decide freely")
    siege_first_test: Literal["next_season", "same"] = switch(
        "LS", "A siege is first tested in the {option} season.", "next", "same")
    siege_cinc: Literal["captured", "escapes"] = switch(
        "LS", "Commanders in a fort that falls {option}.", "are captured", "escape")
    table_roles: Literal["rolled", "campaign"] = switch(
        "p52", "Attacker and defender on the table {option}.", "are rolled", "are as on the map")
    guerilla_stack: Literal["once", "each"] = switch("AM", "Guerilla counts {option}.", "once a side", "for each unit")
    fog: Literal["roster", "open"] = switch(
        "A", "Others see {option}.", "what stands on the map", "units and resources, too")


class Numbers(Switches):
    """Every number and switch of the book by its key."""


# --- dice -------------------------------------------------------------------------------------------
def _two(shape: str, dice: str = "2d6", again: str = "") -> Purpose:
    return Purpose(shape, dice, again, faces=True)


INSULT, HERO = Purpose("insult/{Factions}/{Factions}", "d6"), Purpose("hero/{Factions}")
LEVEL = Purpose("hero_level/{Factions}")
LEADER_WR, ATTRIBUTE = Purpose("leader_wr/{Leaders*}", "2d6"), Purpose("attribute/{Leaders*}/{n}", "2d6")
STRENGTH, WEAKNESS = Purpose("strength/{Leaders*}/{n}", "3d6"), Purpose("weakness/{Leaders*}/{n}", "2d6")
RECRUIT, MERCENARY = Purpose("recruit/{Factions}/{n}"), Purpose("mercenary/{Factions}/{n}")
OPPOSITION, OPPOSED_MERCENARY = Purpose("opposition/{Factions}/{n}"), Purpose("opposition/{Factions}/m{n}")
FORAGE, WAR = _two("forage/{Units*}"), _two("war/{Factions}")
TARGET = Purpose("target/{Factions}/{Factions}", again="/{n}")
PROVINCE = Purpose("province/{Factions}/{Nodes}", again="/{n}")
INVADERS = Purpose("invaders/{Armies*}", again="/{n}")
MOVE, LEVY = _two("move/{Armies*}", "d6", "/{n}"), Purpose("levy/{Armies*}/{n}")
TYPE, ATTACKING = Purpose("army_type/{Armies*}"), _two("attacking/{Armies*}", "d6")
FATE, WOUND = _two("fate/{Leaders*}", "d6"), Purpose("wound/{Leaders*}", "d6")
FATE_WEAKNESS = Purpose("fate_weakness/{Leaders*}", "2d6", again="/{n}")
RETREAT, RECOVERY = _two("retreat/{Armies*}", "d6"), _two("recovery/{Units*}")
WEAPON_LOST, LOOT = Purpose("weapon_lost/{Weapons*}", "d4"), _two("loot/{Armies*}", "d6")
STAYING, SIEGE = _two("staying/{Units*}"), _two("siege/{Units*}")
WILL = _two("will/{Factions}", again="/{n}")
DISBAND, DEATH = _two("disband/{Units*}"), Purpose("death/{Factions}", "2d6")
WEAPON, WEAPON_PROVINCE = Purpose("weapon/{Weapons*}"), Purpose("weapon_province/{Weapons*}", "d36")
TRADE, STANCE = _two("trade/{Nodes}"), Purpose("stance/{Factions}")
DIPLOMAT = Purpose("diplomat/{Factions}/{Factions}", again="/{n}")
DIPLOMACY, ALLIANCE = _two("diplomacy/{Factions}", "d6"), Purpose("alliance/{Factions}/{Factions}")
CLASH, HITS = _two("clash/{Battles*}/{attacker|defender}", "d6"), Purpose("hits/{Units*}")
LEADER_HIT = Purpose("leader_hit/{Leaders*}")
MELEE = _two("melee/{Melee*}/{n}/{a|b}/{attack|defence}", "d6")

ROLLS = by_word(
    RollKind.of(N_("Free rolls for insults"), INSULT), RollKind.of(N_("Heroes"), HERO),
    RollKind.of(N_("Levels of heroes"), LEVEL), RollKind.of(N_("WR of new commanders"), LEADER_WR),
    RollKind.of(N_("Attributes"), ATTRIBUTE), RollKind.of(N_("Strengths"), STRENGTH),
    RollKind.of(N_("Weaknesses"), WEAKNESS), RollKind.of(N_("Recruits"), RECRUIT),
    RollKind.of(N_("Mercenaries"), MERCENARY), RollKind.of(N_("Opposition at home"), OPPOSITION, OPPOSED_MERCENARY),
    RollKind.of(N_("Foraging"), FORAGE), RollKind.of(N_("War checks"), WAR), RollKind.of(N_("Targets of war"), TARGET),
    RollKind.of(N_("Provinces to invade"), PROVINCE), RollKind.of(N_("Order of invaders"), INVADERS),
    RollKind.of(N_("Army movements"), MOVE), RollKind.of(N_("Ad-hoc armies"), LEVY),
    RollKind.of(N_("Army types"), TYPE), RollKind.of(N_("Who attacks on the table"), ATTACKING),
    RollKind.of(N_("Fates of commanders"), FATE), RollKind.of(N_("Wounds"), WOUND),
    RollKind.of(N_("Weaknesses of captives"), FATE_WEAKNESS), RollKind.of(N_("Retreats"), RETREAT),
    RollKind.of(N_("Recoveries"), RECOVERY), RollKind.of(N_("Weapons gone"), WEAPON_LOST),
    RollKind.of(N_("Looting"), LOOT), RollKind.of(N_("Staying at war"), STAYING), RollKind.of(N_("Siege tests"), SIEGE),
    RollKind.of(N_("Morale checks"), WILL), RollKind.of(N_("Disband or Not"), DISBAND),
    RollKind.of(N_("Deaths of leaders"), DEATH), RollKind.of(N_("Weapons that appear"), WEAPON),
    RollKind.of(N_("Where weapons appear"), WEAPON_PROVINCE), RollKind.of(N_("Trade"), TRADE),
    RollKind.of(N_("Where envoys go"), DIPLOMAT), RollKind.of(N_("Stances"), STANCE),
    RollKind.of(N_("Diplomacy"), DIPLOMACY), RollKind.of(N_("Alliances considered"), ALLIANCE),
    RollKind.of(N_("Battles off the table"), CLASH), RollKind.of(N_("Hits off the table"), HITS),
    RollKind.of(N_("Commanders hit off the table"), LEADER_HIT), RollKind.of(N_("Melees of the calculator"), MELEE))
"""The kinds of throw by their word."""
BATTLES = ("{turn}-{n}",)


# The printed tables, for campaigns that bring none of their own (BT, DP, TC, ST, WK).


STRENGTHS = (
    (2, "logistic", "Logistic", "Logistica", "forage +1 success"),
    (3, "courage", "Courage", "Coraggio", "table: +1 morale level when charging or charged"),
    (4, "siege_master", "Siege master", "Maestro d'assedio", "table: his unit REP +1 in a siege"),
    (5, "attack_expert", "Attack expert", "Esperto d'attacco", "table: his unit REP +1 as attacker"),
    (6, "scout", "Scout", "Esploratore", "who attacks +1"),
    (7, "charisma", "Charisma", "Carisma", "zone of command 4 x reputation"),
    (8, "defensive_expert", "Defensive expert", "Esperto di difesa", "table: his unit REP +1 as defender"),
    (9, "movement_advocate", "War movement advocate", "Fautore della manovra", "movement test +1 success"),
    (10, "treasure_hunter", "Treasure hunter", "Cacciatore di tesori", "loot +1 success"),
    (11, "minor_weapon", "Minor weapon", "Arma minore", "new minor weapon, reputation +1"),
    (12, "major_weapon", "Major weapon", "Arma maggiore", "new major weapon"),
    (13, "ambush", "Ambush", "Imboscata", "ambush +1 success"),
    (14, "foes_foe", "Friendly with foe's foe", "Amico dei nemici del nemico",
     "table: 2d6 test at the start; if passed a local noble of the enemy sends one more unit, thrown on "
     "the enemy troop table, which fights on his side in this battle only"),
    (15, "hammer_anvil", "Hammer and anvil adept", "Incudine e martello",
     "table: reinforcements may come on the flank"),
    (16, "favored", "Favored by the king", "Favorito del re", "table: his unit +1 armour"),
    (17, "ever_ready", "Ever ready", "Sempre pronto", "enemy ambush -1 success"),
    (18, "lucky", "Lucky", "Fortunato", "fate +1 success; a captain gets larger_than_life instead"),
)
"""3d6: code, names, effect."""
WEAKNESSES = (
    (2, "temerity", "Temerity", "Temerario",
     "retreat -1 success; table: 2d6 test each turn; failed, he attacks the unit in front of him"),
    (3, "fighting_for_reputation", "Fighting for reputation", "In cerca di fama",
     "table: attacks only enemy commanders"),
    (4, "greedy", "Greedy", "Avido", "loot 0: all units of his side -1 morale for a season"),
    (5, "poor_charisma", "Poor charisma", "Poco carisma", "zone of command 2 x reputation"),
    (6, "lazy_attacker", "Lazy attacker", "Attaccante pigro", "table: his unit REP -1 as attacker"),
    (7, "undecided", "Undecided", "Indeciso",
     "table: 2d6 test each turn; failed, 1d6: 1-2 attack, 3 move left, 4 move right, 5-6 backward"),
    (8, "heavy_drinker", "Heavy drinker", "Gran bevitore",
     "table: 2d6 test at the start; failed, his unit -1 morale for the battle"),
    (9, "gut_feeling", "Gut feeling", "Istinto",
     "table, only if he leads the army: 2d6 test at the start; failed, 1d6: 1-4 defender stance, 5-6 "
     "attacker stance"),
    (10, "coward", "Coward", "Codardo",
     "retreat +1 success; table: 2d6 test each turn once half his army is routed or destroyed; one "
     "success, his unit REP -1; none, his unit is routed"),
    (11, "unremarkable", "Unremarkable", "Anonimo", "zone of command -2 inches"),
    (12, "never_ready", "Never ready", "Mai pronto", "enemy ambush +1 success"),
)
"""2d6: code, names, effect."""
EFFECTS_IT: Mapping[str, str] = {
    "logistic": "foraggiamento +1 successo",
    "courage": "al tavolo: morale della sua unità +1 livello quando carica o è caricata",
    "siege_master": "al tavolo: REP della sua unità +1 in un assedio",
    "attack_expert": "al tavolo: REP della sua unità +1 da attaccante",
    "scout": "chi attacca +1",
    "charisma": "zona di comando 4 x reputazione",
    "defensive_expert": "al tavolo: REP della sua unità +1 da difensore",
    "movement_advocate": "prova di movimento +1 successo",
    "treasure_hunter": "saccheggio +1 successo",
    "minor_weapon": "nuova arma minore, reputazione +1",
    "major_weapon": "nuova arma maggiore",
    "ambush": "imboscata +1 successo",
    "foes_foe": "al tavolo: prova di 2d6 all'inizio; se riesce, un nobile locale del nemico manda un'unità in più, "
        "tirata sulla tabella truppe del nemico, che combatte con lui solo in questa battaglia",
    "hammer_anvil": "al tavolo: i rinforzi possono arrivare sul fianco",
    "favored": "al tavolo: armatura della sua unità +1",
    "ever_ready": "imboscata del nemico -1 successo",
    "lucky": "destino +1 successo; un capitano riceve invece Più grande della vita",
    "temerity": "ritirata -1 successo; al tavolo: prova di 2d6 ogni turno; se fallisce, attacca l'unità davanti a lui",
    "fighting_for_reputation": "al tavolo: attacca solo comandanti nemici",
    "greedy": "saccheggio 0: tutte le unità della sua parte -1 morale per una stagione",
    "poor_charisma": "zona di comando 2 x reputazione",
    "lazy_attacker": "al tavolo: REP della sua unità -1 da attaccante",
    "undecided": "al tavolo: prova di 2d6 ogni turno; se fallisce, 1d6: 1-2 attacca, 3 va a sinistra, 4 a destra, 5-6 "
        "indietro",
    "heavy_drinker": "al tavolo: prova di 2d6 all'inizio; se fallisce, la sua unità -1 morale per la battaglia",
    "gut_feeling": "al tavolo, solo se guida l'armata: prova di 2d6 all'inizio; se fallisce, 1d6: 1-4 si tiene in "
        "difesa, 5-6 in attacco",
    "coward": "ritirata +1 successo; al tavolo: prova di 2d6 ogni turno da quando metà dell'armata è in rotta o "
        "distrutta; con un successo REP della sua unità -1, con nessuno la sua unità è in rotta",
    "unremarkable": "zona di comando -2 pollici",
    "never_ready": "imboscata del nemico +1 successo",
}
"""The effects as an Italian workbook tells them."""
ENVOYS = (
    ("target_conquest", -1, 1, 0, 0),
    ("self_conquest", 1, 0, 1, 1),
    ("target_colonizing", -1, 0, 0, 0),
    ("self_colonizing", 1, -1, 1, 0),
    ("target_loot", -1, 2, 0, 0),
    ("self_loot", 1, 0, 1, -1),
    ("target_at_war", 1, 0, 1, 0),
    ("self_at_war", -1, -1, 1, -1),
    ("target_at_peace", 1, -1, 1, -1),
    ("self_at_peace", 1, 1, 0, -2),
    ("target_richer", 1, 0, 0, -1),
    ("self_richer", 1, 0, 1, -1),
    ("target_more_land", 1, 0, -1, -1),
    ("target_less_land", 0, 1, -1, -1),
)
"""What an envoy's successes gain by row: Friendly, Deceiving, Intimidating, Dominating."""
TRADE_ROWS = (0, 1, 3, 4, 6, 7)
"""Resources for 0, 1, 2 ... successes."""
ARMY_TYPES: Mapping[str, str] = {
    "A": "PC PC PC PC HA EF", "B": "DE DE DE FF EF EF", "C": "PC SD SD HA EF CA", "D": "FF DE DE CA CA EF"}
"""The labels of each letter, die 1 to 6."""


def printed_tables(lang: str) -> dict[type[Record], list[Record]]:
    """The rows of each printed table, with effects in a language."""
    labels = {letter: line.split() for letter, line in ARMY_TYPES.items()}
    return {
        Attribute: [Attribute(table=table, roll=roll, code=code, name_en=en, name_it=it,
                              effect=EFFECTS_IT[code] if lang == "it" else effect)
                    for table, rows in (("strength", STRENGTHS), ("weakness", WEAKNESSES))
                    for roll, code, en, it, effect in rows],
        EnvoyRow: [EnvoyRow(row=row, friendly=f, deceiving=de, intimidating=i, dominating=do)
                   for row, f, de, i, do in ENVOYS],
        TradeRow: [TradeRow(successes=n, resources=earned) for n, earned in enumerate(TRADE_ROWS)],
        ArmyType: [ArmyType(roll=roll, **{letter: line[roll - 1] for letter, line in labels.items()})
                   for roll in range(1, 7)],
    }


def fill_in_tables(campaign: Campaign) -> None:
    """Fill in each printed table that is empty, and put printed effects into the campaign's language."""
    lang = campaign.desk.language
    for kind, rows in printed_tables(lang).items():
        table = campaign.table(kind)
        if not len(table):
            for row in rows:
                table.add(row)
    told = {effect: EFFECTS_IT[code] if lang == "it" else effect for _, code, _, _, effect in (*STRENGTHS, *WEAKNESSES)}
    for attribute in campaign.table(Attribute):
        attribute.effect = told.get(attribute.effect, attribute.effect)


def attribute_text(row: Attribute, lang: str) -> str:
    """The name of an attribute and its effect, in a language; an effect that somebody rewrote stays as it is."""
    effects = {"en": {code: effect for _, code, _, _, effect in (*STRENGTHS, *WEAKNESSES)}, "it": EFFECTS_IT}
    as_printed = row.effect in [known.get(row.code) for known in effects.values()]
    effect = effects[lang][row.code] if as_printed else row.effect
    return f"{(row.name_it if lang == 'it' else row.name_en) or row.code}: {effect}"
