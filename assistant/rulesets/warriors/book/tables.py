"""What dice are thrown for, and the tables that a campaign begins with where it brings none (rulebook: Tables)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.sheets import Climate, RandomEvent, Terrain, Weather
from assistant.turn.texts import N_
from assistant.turn.throws.kinds import Purpose, RollKind, by_word

WEATHER = Purpose("weather/{Zones}", "2d6")
FORCE_TEST = Purpose("force-test/{Armies*}", "")
INITIATIVE = Purpose("initiative/{Factions}/{n}")
MOVE = Purpose("move/{Armies*}", "")
SAIL = Purpose("sail/{Armies*}", "")
WIND = Purpose("wind/{Armies*}")
COUNTER_MARCH = Purpose("counter-march/{Armies*}")
CROSSING = Purpose("crossing/{Units*}/{n}", "")
WOUNDED_CROSSING = Purpose("wounded/crossing/{Units*}/{n}/{n}", "")
QUALITY_CROSSING = Purpose("quality/crossing/{Units*}/{n}", "")
DESERTER_CROSSING = Purpose("deserter/crossing/{Units*}/{n}/{n}", "")
EXPLORE = Purpose("explore/{Battles*}/{Armies*}", "")
AUTO = Purpose("auto/{Battles*}/{A|D}", "2d6")
AUTO_COMMANDER = Purpose("auto/{Battles*}/commander/{Armies*}", "")
WOUNDED = Purpose("wounded/{Battles*}/{Units*}/{n}", "")
WOUNDED_COMMANDER = Purpose("wounded/{Battles*}/{Armies*}/commander", "")
QUALITY = Purpose("quality/{Battles*}/{Units*}", "")
DESERTER = Purpose("deserter/{Battles*}/{Units*}/{n}", "")
STALEMATE = Purpose("stalemate/{Battles*}/{A|D}/{n}")
WILL = Purpose("will/{Factions}", again="/{n}")
EVENT = Purpose("event/{Factions}")
EVENT_TABLE = Purpose("event-table/{Factions}", "2d6")
EVENT_PICK = Purpose("event-pick/{Factions}", "")
FEVER = Purpose("fever/{Units*}")
QUALITY_EVENT = Purpose("quality/event/{Units*}", "")
DESERTER_EVENT = Purpose("deserter/event/{Units*}/{n}", "")
LEVIES = Purpose("levies/{Factions}")
GATES = Purpose("gates/{Factions}")
AID = Purpose("aid/{general|command}/{Battles*}/{Armies*}/{n}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Weather"), WEATHER),
    RollKind.of(N_("Force tests"), FORCE_TEST),
    RollKind.of(N_("Initiative"), INITIATIVE),
    RollKind.of(N_("Movement on land"), MOVE),
    RollKind.of(N_("Movement on water"), SAIL),
    RollKind.of(N_("Wind"), WIND),
    RollKind.of(N_("Counter-marches"), COUNTER_MARCH),
    RollKind.of(N_("Losses in the wilds"), CROSSING),
    RollKind.of(N_("The fallen: dead or wounded"), WOUNDED_CROSSING, WOUNDED_COMMANDER, WOUNDED),
    RollKind.of(N_("Unpredictable Units"), QUALITY_CROSSING, QUALITY_EVENT, QUALITY),
    RollKind.of(N_("Deserters"), DESERTER_CROSSING, DESERTER_EVENT, DESERTER),
    RollKind.of(N_("Exploration"), EXPLORE),
    RollKind("auto", N_("Battles that were not played"), shapes=(*AUTO.shapes(), *AUTO_COMMANDER.shapes())),
    RollKind.of(N_("Who steps back first"), STALEMATE),
    RollKind.of(N_("The will to fight"), WILL),
    RollKind.of(N_("Random events"), EVENT),
    RollKind.of(N_("Which random event"), EVENT_TABLE),
    RollKind.of(N_("Whom a random event befalls"), EVENT_PICK),
    RollKind.of(N_("Camp fever"), FEVER),
    RollKind.of(N_("Levies"), LEVIES),
    RollKind.of(N_("Open gates"), GATES),
    RollKind.of(N_("Generals and commanders at the table"), AID),
)
ONE_LINE = ("desert", "waste")
"""Terrains that share a line of the list of modifiers, and the row of heat: together they count once."""
BATTLES = ("B{turn}-{n}", "B{turn}-{Nodes}", "B{turn}-{Nodes}-{n}")
"""Codes of battles: numbered through the turn."""


def _rows(record: type[Record], text: str) -> list[dict[str, Any]]:
    """A table as it is printed: a line of headings, then a row a line; ``-`` is a blank."""
    head, *lines = [line.split() for line in text.strip().splitlines()]
    return [{name: word.replace("_", " ") if name.startswith("name") else word
             for name, word in zip(head, line, strict=True) if word != "-"} for line in lines]


DEFAULTS: tuple[tuple[type[Record], list[dict[str, Any]]], ...] = (
    (Terrain, _rows(Terrain, """
terrain    name_it   water land_mod force_mod crossing
open       aperto    no    0        0         no
cultivated coltivato no    -1       0         no
hill       collina   no    -2       0         no
forest     foresta   no    -2       0         no
jungle     giungla   no    -2       0         yes
mountain   montagna  no    -3       -3        no
desert     deserto   no    -1       0         yes
waste      desolato  no    -1       0         yes
sea        mare      yes   0        0         no
lake       lago      yes   0        0         no""")),
    (Weather, _rows(Weather, """
weather  name_it   low high land_mod sail_mod explore_mod sailing fords_closed missiles
storm    tempesta  -   3    -2       -        -2          no      yes          none
rain     pioggia   4   5    -1       -2       -1          yes     yes          normal
fair     sereno    6   8    0        0        0           yes     no           normal
wind     vento     9   9    0        0        0           yes     no           normal
fog      nebbia    10  10   0        -1       -2          yes     no           half
heat     caldo     11  11   -1       0        0           yes     no           normal
splendid splendido 12  -    1        1        1           yes     no           normal""")),
    (Climate, _rows(Climate, """
climate       name_it       winter spring summer autumn
cold          freddo        -3     -1     0      -1
temperate     temperato     -2     0      1      -1
mediterranean mediterraneo  -1     1      2      0
arid          arido         1      1      3      1
tropical      tropicale     1      -3     -3     1""")),
    (RandomEvent, _rows(RandomEvent, """
roll event          name                name_it
2    camp_fever     Camp_fever          Febbre_da_campo
3    bad_omen       Bad_omen            Cattivo_presagio
4    road_cut       Road_or_bridge_cut  Strada_o_ponte_interrotto
5    desertion      Desertion_in_camp   Diserzioni_al_campo
6    spoiled_supply Spoiled_supply      Viveri_guasti
7    order_revealed Order_revealed      Ordine_svelato
8    guides         Guides              Guide
9    levies         Levies              Leve
10   hero           Wandering_hero      Eroe_errante
11   mercenaries    Mercenaries_for_hire Mercenari_in_vendita
12   open_gates     Open_gates          Porte_aperte""")),
)
"""What fills the tables that a campaign leaves out."""
FAIR, HEAT, SPLENDID, WIND_WEATHER = "fair", "heat", "splendid", "wind"
