"""Every number and switch of Incursio, its dice and printed tables."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.incursio import records
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.texts import N_

# Numbers and switches with their sources, and the purposes of dice (rulebook: Numbers).


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


# --- purposes of dice ---------------------------------------------------------------------------------------
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


# The printed tables, for campaigns that bring none of their own.


TABLES: Mapping[type[Record], str] = {
    records.Level: """level,name_it,name_en,requires,requires_printed,defenders,income,garrison,population,captives
0,Terreno insediabile,Open ground,,,0,0,0,0,0
1,Insediamento,Settlement,02 01,02 01,1,50,1,25,3
2,Villaggio,Village,02 03,02 03,2,100,3,100,10
3,Avamposto,Outpost,02 04 07 21,02 04 07 19,3,200,5,500,50
4,Presidio,Stronghold,02 10 11 22,02 10 11 22,5,500,7,1000,100
5,Bastione,Bastion,02 12 13 14 23 16,02 12 13 14 23 16,7,1000,10,3000,300
6,Fortezza,Fortress,02 24 20,02 24 20,10,2000,15,5000,500""",
    records.StructureType: """structure,name_it,name_en,requires,level,effect,effect_value,cost,limit
01,Torre di guardia,Watchtower,02,0,none,,100,1
02,Abitazioni extra,Extra dwellings,,0,none,,500,7
03,Mura,Walls,02,1,none,,1000,1
04,Mura presidiate,Manned walls,03,2,garrison_wins_ties,1,2000,1
05,Torri presidiate,Manned towers,04,2,defence_F,1,1000,1
06,Scuderie,Stables,04,2,garrison_cavalry,1,1500,1
07,Caserma,Barracks,03,2,garrison_room_FA,2,1000,1
08,Ponteggi,Scaffolds,04,2,defence_A,1,2000,1
09,Studio arcano,Arcane study,07,3,attack_neighbours,1,2000,1
10,Campo marziale,Parade ground,07,3,units_made,2,3000,1
11,Mura rinforzate,Reinforced walls,04 05,3,defence_all,1,4000,1
12,Catapulte,Catapults,11,4,engine_Tr,1,500,5
13,Balliste,Ballistae,11,4,engine_As,1,500,5
14,Trabucchi,Trebuchets,11,4,engine_Di,1,500,5
15,Torre dei maghi,Mages' tower,07 11,4,engine_all,1,5000,1
16,Rocca Molor,Molor keep,11,4,attack_neighbours,1,4000,1
17,Scuderie sotterranee,Underground stables,06 10,3,garrison_room_C,2,3000,1
18,Torre dei falchi,Falcon tower,11,3,garrison_room_A,2,1000,1
19,Torre di segnalazione,Signal tower,18,4,spying_percent,10,1000,1
20,Presidio Vaikranta,Vaikranta post,19,5,spying_percent,20,4000,1
21,Miniera,Mine,03,2,income,500,2000,2
22,Rotta commerciale,Trade route,07,3,income,1000,4000,1
23,Linea di rifornimenti,Supply line,22,4,income,2500,6000,1
24,Centro di comando,Command centre,20 23,5,extra_missions,1,7000,1""",
    records.RuinLevel: """level,name_it,name_en,demons,resources
0,Rovine,Ruins,2,5
1,Rovine infestate,Infested ruins,4,20
2,Baluardo demoniaco,Demon rampart,6,50
3,Roccaforte infernale,Infernal stronghold,8,100""",
    records.Power: """step,resources,portals,demons_per_portal,power_it,power_en
0,0,2,3,nessuno,none
1,25,2,4,spionaggio +10%,spying +10%
2,75,3,4,+1 contro chi non è in guarnigione,+1 against units outside a garrison
3,150,3,5,i demoni nelle rovine tengono il vantaggio di tipo,demons in ruins keep their type advantage
4,300,3,6,spionaggio +20% in tutto,spying +20% in all
5,500,4,6,furia: si combatte fino alla fine,fury: the fight may go on to the end
6,800,4,7,gli attaccanti vincono i pareggi,attackers win ties
7,1200,4,8,nuove rovine a livello 1; una mossa in più ai demoni dei portali,\
new ruins start at level 1; one more move for portal demons
8,1800,5,8,la prima uccisione delle macchine non conta,the first engine kill of a battle is ignored
9,2500,5,10,spionaggio +30% in tutto; +1 in attacco,spying +30% in all; +1 in attack""",
    records.SpyChance: """faction,species,percent,amount_faces
varannah,Krinar,60,8
varannah,Digrin,50,6
varannah,Sevek,40,6
varannah,*,30,4
esdef,Molor,100,6
esdef,*,20,6""",
    records.Advantage: """unit,has_advantage_over
F,Tr
Tr,A
A,As
As,C
C,Di
Di,F""",
    records.UnitType: """unit,faction,name_it,name_en,species
F,esdef,Fanti,Foot,
A,esdef,Arcieri,Archers,
C,esdef,Cavalleria,Cavalry,
Tr,varannah,Truppe,Troops,Dragnor Digrin
As,varannah,Assalitori,Assailants,Sevek Druunai
Di,varannah,Distruttori,Destroyers,Bolgar Krinar""",
    records.MissionType: """mission,name_it,name_en,who,target,takes_effect,value
refugees,Profughi,Refugees,esdef,settlement,next upkeep,25
smuggling,Contrabbando,Smuggling,esdef,none,next upkeep,200
drill,Addestramento,Drill,esdef,settlement,next arrivals,1
scout,Esplorazione,Road scout,esdef,cell,next upkeep,
seal,Sigillo,Portal sealing,esdef,cell or none,same arrivals,6
watch,Veglia dell'eroe,Hero watch,esdef,settlement,until next upkeep,1
abduct,Rapimento,Abduction,varannah,none,next upkeep,2
sabotage,Sabotaggio,Sabotage,varannah,settlement,next upkeep,5
terror,Terrore,Terror,varannah,settlement,next arrivals,1
false_portal,Falso portale,False portal,varannah,cell,same upkeep,
night_eye,Occhio notturno,Night eye,varannah,player,same spying,20
rite,Rito,Rite,varannah,none,next arrivals,1
free,Libera,Free,both,cell or none,next upkeep,""",
}


def fill_in_tables(campaign: Campaign) -> None:
    """Fill in the tables of the book that are empty."""
    for record, text in TABLES.items():
        table = campaign.by_sheet(record.sheet)
        if not len(table):
            for row in csv.DictReader(text.splitlines()):
                table.add(record.from_values(dict(row)))
