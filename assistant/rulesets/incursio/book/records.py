"""The tables of the printed book as sheets, and all records of Incursio in the order of the workbook."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Moment, Ref, Text, Whole
from assistant.campaign.record import Record
from assistant.campaign.usual import given, noted, own, public
from assistant.rulesets.incursio.book import sheets


@dataclass
class Desk(base.Desk):
    """Where the campaign stands: its day and phase."""

    turn: str = public(Moment(), "Day", "Giorno", alias=sheets.TURN)


@dataclass
class Question(base.Question):
    """A question of a day."""

    turn: str = own(Moment(), "Day", "Giorno", alias=sheets.TURN)


@dataclass
class Event(base.Event):
    """What happened on a day."""

    turn: str = own(Moment(), "Day", "Giorno", alias=sheets.TURN)


@dataclass
class Die(base.Die):
    """A throw of a day."""

    turn: str = noted(Moment(), "Day", "Giorno", alias=sheets.TURN)


@dataclass
class FindingRow(base.FindingRow):
    """What was seen in the orders of a day."""

    turn: str = own(Moment(), "Day", "Giorno", key=True, alias=sheets.TURN)


class TwoNames:
    """A row that the book names in both languages."""

    name_en: str
    name_it: str

    def called(self, lang: str) -> str:
        """The name in a language."""
        return self.name_it if lang == "it" else self.name_en


@dataclass
class Level(TwoNames, Record, sheet="Levels", sheet_it="Livelli"):
    """A level of settlement (TL)."""

    about_en = "The levels of settlements: what each asks and gives."
    about_it = "I livelli degli insediamenti: che cosa chiedono e che cosa danno."

    level: int = given(Whole(0, 6), "Level", "Livello", key=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=20)
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=20)
    requires: str = given(Text(), "Requires", "Requisiti", width=18)
    requires_printed: str = given(Text(), "Requires (printed)", "Requisiti stampati", width=18)
    defenders: int = given(Whole(0), "Defenders", "Difensori")
    income: int = given(Whole(0), "Income", "Introiti")
    garrison: int = given(Whole(0), "Garrison", "Guarnigione")
    population: int = given(Whole(0), "Population", "Popolazione")
    captives: int = given(Whole(0), "Captives", "Prigionieri")


@dataclass
class StructureType(TwoNames, Record, sheet="StructureTypes", sheet_it="TipiStruttura"):
    """A structure that can be built (TS)."""

    file = "structure_types"
    about_en = "The structures: what each asks, does and costs."
    about_it = "Le strutture: che cosa chiedono, fanno e costano."

    structure: str = given(Text(digits=2), "Structure", "Struttura", key=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22)
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=22)
    requires: str = given(Text(digits=2), "Requires", "Requisiti")
    level: int = given(Whole(0, 6), "Level", "Livello")
    effect: str = given(Text(), "Effect", "Effetto", width=18)
    effect_value: str = given(Text(), "Value", "Valore")
    cost: int = given(Whole(0), "Cost", "Costo")
    limit: int = given(Whole(1), "Limit", "Limite", default=1)


@dataclass
class RuinLevel(TwoNames, Record, sheet="RuinLevels", sheet_it="LivelliRovina"):
    """A level of ruin (TR)."""

    file = "ruin_levels"
    about_en = "The levels of ruins: room for demons, resources a day."
    about_it = "I livelli delle rovine: posto per i demoni, risorse al giorno."

    level: int = given(Whole(0, 3), "Level", "Livello", key=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22)
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=22)
    demons: int = given(Whole(0), "Demons", "Demoni")
    resources: int = given(Whole(0), "Resources", "Risorse")


@dataclass
class Power(Record, sheet="Powers", sheet_it="Poteri"):
    """A step of the raiders' power."""

    about_en = "The steps of power: from how many resources, portals, and what is gained."
    about_it = "I gradi di potere: da quante risorse, i portali, che cosa si ottiene."

    step: int = given(Whole(0, 9), "Step", "Grado", key=True)
    resources: int = given(Whole(0), "Resources", "Risorse")
    portals: int = given(Whole(0), "Portals", "Portali")
    demons_per_portal: int = given(Whole(0), "Demons per portal", "Demoni per portale")
    power_it: str = given(Text(), "Power (Italian)", "Potere", width=30)
    power_en: str = given(Text(), "Power (English)", "Potere in inglese", width=30)


@dataclass
class SpyChance(Record, sheet="SpyChances", sheet_it="Spie"):
    """How well a species spies (TD)."""

    file = "spy_chances"
    about_en = "How well each species spies; * is any other."
    about_it = "Quanto riesce a spiare ogni specie; * vale per le altre."

    faction: str = given(Ref("Factions"), "Faction", "Fazione", key=True)
    species: str = given(Text(), "Species", "Specie", key=True)
    percent: int = given(Whole(0, 100), "Chance %", "Probabilità %")
    amount_faces: int = given(Whole(1), "Faces", "Facce", hint=("of the die of amount", "del dado della quantità"))


@dataclass
class Advantage(Record, sheet="Advantages", sheet_it="Vantaggi"):
    """Which unit has the advantage over which (COM)."""

    about_en = "Who has the edge on whom."
    about_it = "Chi è in vantaggio su chi."

    unit: str = given(Text(), "Unit", "Unità", key=True)
    has_advantage_over: str = given(Text(), "Has the advantage over", "In vantaggio su", key=True)


@dataclass
class UnitType(TwoNames, Record, sheet="UnitTypes", sheet_it="TipiUnita"):
    """A type of unit (COM)."""

    file = "unit_types"
    about_en = "The types of units."
    about_it = "I tipi di unità."

    unit: str = given(Text(), "Unit", "Unità", key=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione")
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano")
    name_en: str = given(Text(), "Name (English)", "Nome inglese")
    species: str = given(Text(), "Species", "Specie", width=18)


@dataclass
class MissionType(TwoNames, Record, sheet="MissionTypes", sheet_it="TipiMissione"):
    """A personal mission."""

    file = "mission_types"
    about_en = "The missions that players may go on."
    about_it = "Le missioni che i giocatori possono compiere."

    mission: str = given(Text(), "Mission", "Missione", key=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=20)
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=20)
    who: str = given(Choice({"esdef": "esdef", "varannah": "varannah", "both": "entrambi"}), "Who", "Chi",
                     default="both")
    target: str = given(Text(), "Target", "Bersaglio")
    takes_effect: str = given(Text(), "Takes effect", "Vale da", width=18)
    value: int | None = given(Whole(blank=True), "Value", "Valore")


RECORDS: tuple[type[Record], ...] = (
    Desk, sheets.Faction, sheets.Player, sheets.Node, sheets.Road, sheets.Army, sheets.Structure, sheets.Work,
    sheets.Mission, sheets.Portal, sheets.Observation, sheets.Day, sheets.Objective, sheets.Order, Question,
    sheets.Battle, Event, Die, FindingRow, base.Rule, Level, StructureType, RuinLevel, Power, SpyChance,
    Advantage, UnitType, MissionType)
