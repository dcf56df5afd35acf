"""The printed tables of the book, for a campaign that brings none of its own: nothing in; rows of each table out."""

from __future__ import annotations

import csv
from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.rulesets.incursio.book import records

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


def complete(campaign: Campaign) -> None:
    """Fill in the tables of the book that are empty."""
    for record, text in TABLES.items():
        table = campaign.by_sheet(record.sheet)
        if not len(table):
            for row in csv.DictReader(text.splitlines()):
                table.add(record.from_values(dict(row)))
