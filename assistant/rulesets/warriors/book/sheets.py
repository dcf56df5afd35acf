"""The sheets of the book's own: terrains, zones, relations, Forces, Units, wounded, boats, prices, tables.

See rulebook: Records.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Flag, Ref, Text, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.see import Circle
from assistant.campaign.usual import given, own, public
from assistant.rulesets.warriors.book.words import (
    NATIVES,
    NATIVES_ALSO,
    ORDERS,
    ORDERS_ALSO,
    QUALITIES,
    REACTIONS,
    REACTIONS_ALSO,
    STANCES,
    STANCES_ALSO,
)

SEEN = Circle("all; with fog near its side, and who has it in sight", lambda row, reader: reader.sees_army(row))
SIDE = Circle("its side", lambda row, reader: reader.on_side_of(row.faction))
FORCE = Circle("its owner; with allies_share = full its side", lambda row, reader: reader.shares(row.faction))
OF_FORCE = Circle("the owner of its Force; with allies_share = full that one's side",
                  lambda row, reader: reader.shares(reader.faction_of(row.army)))
CARRIED = Circle("all; with fog near its side, and who has in sight what it carries",
                 lambda row, reader: reader.sees_boat(row))
NAME_IT = ("shown to Italian readers; blank: as Name", "per chi legge in italiano; vuoto: come Nome")
LAND_MOD = ("to the die of movement", "al dado di movimento")


class Bilingual:
    """A row with a name, and another for Italian readers where it differs."""

    name: str
    name_it: str

    def called(self, lang: str) -> str:
        """The name in a language."""
        return (self.name_it if lang == "it" else "") or self.name


@dataclass
class Terrain(Record, sheet="Terrains", sheet_it="Terreni"):
    """What a terrain does to movement and to Force tests."""

    about_en = "The terrains and what they do."
    about_it = "I terreni e il loro effetto."

    terrain: str = given(Text(), "Terrain", "Terreno", key=True, required=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", hint=NAME_IT)
    water: bool = given(Flag(), "Water", "Acqua")
    land_mod: int = given(Whole(), "Movement", "Movimento", default=0, hint=LAND_MOD)
    force_mod: int = given(Whole(), "Force test", "Test Forza", default=0)
    crossing: bool = given(Flag(), "Losses", "Perdite", hint=("losses of who crosses it", "perdite di chi attraversa"))


@dataclass
class Zone(Bilingual, Record, sheet="Zones", sheet_it="Zone climatiche"):
    """A zone of one climate and one weather."""

    about_en = "The climatic zones and their weather."
    about_it = "Le zone climatiche e il loro tempo."

    zone: str = given(Text(), "Zone", "Zona", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18, hint=NAME_IT)
    climate: str = given(Ref("Climates", blank=True, own_finding=True), "Climate", "Clima", default="temperate")
    weather: str = public(Ref("Weather table", blank=True, own_finding=True), "Weather", "Tempo")


@dataclass
class Relation(Record, sheet="Relations", sheet_it="Rapporti", unique=False):
    """How two factions stand to each other; at war where no row says otherwise."""

    about_en = "Peace and alliances; else it is war."
    about_it = "Paci e alleanze; se no è guerra."

    a: str = given(Ref("Factions"), "Faction", "Fazione", key=True, required=True)
    b: str = given(Ref("Factions"), "And", "E", key=True, required=True)
    state: str = given(Choice({"war": "guerra", "peace": "pace", "allied": "alleati"}), "State", "Stato", default="war")


@dataclass
class Army(Bilingual, base.Army, sheet_it="Forze"):
    """A Force under its commander."""

    about_en = "The Forces, where they stand and what they are about."
    about_it = "Le Forze, dove stanno e che cosa fanno."

    army: str = column(Text(), "Force", "Forza", key=True, required=True, edit="referee", see=SEEN)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, hint=NAME_IT)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    node: str = public(Ref("Nodes", blank=True), "Square", "Quadrato", hint=("blank: off the map",
        "vuoto: fuori mappa"))
    commander: str = column(Text(), "Commander", "Condottiero", edit="referee", see=SIDE, width=20)
    vc: int = column(Whole(0, 6), "V.C.", "V.C.", default=2, edit="referee", see=FORCE)
    chief: bool = column(Flag(), "Commander-in-chief", "Comandante supremo", see=FORCE)
    aboard: str = public(Ref("Boats", blank=True), "Aboard", "A bordo di")
    order: str = column(Choice(ORDERS, also=ORDERS_ALSO, blank=True), "Order", "Ordine", see=FORCE, width=14, hint=(
        "blank in a new campaign: explore, none under a reaction",
        "vuoto in una campagna nuova: esplorare, nessuno con una reazione"))
    reaction: str = column(Choice(REACTIONS, also=REACTIONS_ALSO), "Reaction", "Reazione", default="none", see=FORCE)
    on_contact: str = column(Choice(STANCES, also=STANCES_ALSO), "If attacked", "Se attaccata", default="fight",
                             see=FORCE, width=14)
    retreat_to: str = column(Ref("Nodes", blank=True), "Step back to", "Arretra in", see=FORCE)
    fieldworks: int = column(Whole(0), "Field works", "Opere da campo", see=FORCE, hint=("points", "punti"))
    will_marker: bool = column(Flag(), "Will marker", "Segnalino volontà", see=FORCE)
    supply_mod: int = column(Whole(-9, 0), "Supply", "Viveri", default=0, see=FORCE)
    guides: int = column(Whole(0, 9), "Guides", "Guide", default=0, see=FORCE)
    commander_state: str = column(Choice({"present": "presente", "wounded": "ferito", "dead": "morto"}), "Commander is",
                                  "Il condottiero è", default="present", see=FORCE)
    commander_back: int = column(Whole(0), "Back in turn", "Torna al turno", see=FORCE)
    status: str = public(Choice({"active": "attiva", "broken": "dispersa", "lost": "perduta",
                                 "destroyed": "distrutta"}), "Status", "Stato", default="active")

    @property
    def active(self) -> bool:
        """Whether it is on the map."""
        return self.status == "active"

    @property
    def ashore(self) -> bool:
        """Whether it is on the map, and not aboard."""
        return self.active and not self.aboard


@dataclass
class Unit(Bilingual, Record, sheet="Units", sheet_it="Unità", whose=OF_FORCE):
    """Figures of one sort in a Force."""

    about_en = "The Units of the Forces: figures, quality, points."
    about_it = "Le Unità delle Forze: miniature, qualità, punti."

    unit: str = column(Text(), "Unit", "Unità", key=True, required=True, edit="referee", see="owner")
    army: str = column(Ref("Armies"), "Force", "Forza", required=True, edit="referee", see="owner")
    name: str = column(Text(), "Name", "Nome", edit="referee", see="owner", width=20)
    name_it: str = column(Text(), "Name (Italian)", "Nome italiano", edit="referee", see="owner", width=20,
                          hint=NAME_IT)
    quality: str = column(Choice(QUALITIES, own_finding=True), "Quality", "Qualità", default="average", edit="referee",
                          see="owner")
    figures: int = column(Whole(0, 9999), "Figures", "Miniature", see="owner")
    figures_start: int | None = column(Whole(0, 9999, blank=True), "At start", "All'inizio", edit="referee",
                                       see="owner", hint=("blank: as Figures", "vuoto: come Miniature"))
    points: int = column(Whole(0), "Points each", "Punti l'una", default=5, edit="referee", see="owner",
                         hint=("points per figure", "punti per miniatura"))
    mounted: bool = column(Flag(), "Mounted", "Cavalcature", edit="referee", see="owner")
    mercenary: bool = column(Flag(), "Mercenary", "Mercenaria", edit="referee", see="owner")
    scouts: bool = column(Flag(), "Scouts", "Esploratori", edit="referee", see="owner")
    wizard: bool = column(Flag(), "Wizard", "Mago", edit="referee", see="owner")
    native_of: str = column(Choice(NATIVES, also=NATIVES_ALSO), "Native of", "Nativa di", default="none",
                           edit="referee", see="owner")
    crossing_lost: int = own(Whole(0), "Lost in crossing", "Persi in traversata", hint=("figures", "miniature"))
    leaves: int = own(Whole(0), "Leaves in turn", "Parte al turno")


@dataclass
class Wounded(Record, sheet="Wounded", sheet_it="Feriti",
              whose=Circle("the owner of the Unit", lambda row, reader: reader.owns_unit(row.unit))):
    """Figures of a Unit that come back in a turn."""

    about_en = "The wounded, and when they are back."
    about_it = "I feriti, e in quale turno tornano."

    unit: str = own(Ref("Units"), "Unit", "Unità", key=True, required=True)
    due: int = own(Whole(0), "Back in turn", "Rientro al turno", key=True, required=True)
    count: int = own(Whole(0), "Figures", "Miniature", default=1)


@dataclass
class Boat(Bilingual, Record, sheet="Boats", sheet_it="Natanti", whose=("faction",)):
    """Ships or small boats in a square."""

    about_en = "The boats, whose they are and where they lie."
    about_it = "I natanti, di chi sono e dove si trovano."

    boat: str = column(Text(), "Boats", "Natanti", key=True, required=True, edit="referee", see=CARRIED)
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18, hint=NAME_IT)
    faction: str = public(Ref("Factions", blank=True), "Faction", "Fazione")
    node: str = public(Ref("Nodes", blank=True), "Square", "Quadrato")
    kind: str = given(Choice({"ships": "navi", "small": "natanti piccoli"}, own_finding=True), "Kind", "Tipo",
                      default="ships")
    barges: bool = given(Flag(), "Barges", "Chiatte", hint=("for mounts", "per le cavalcature"))
    capacity: int = column(Whole(0), "Figures", "Miniature", default=100, edit="referee", see="owner")


@dataclass
class UnitType(Bilingual, Record, sheet="Unit types", sheet_it="Listino"):
    """A line of the price list; a club may replace the whole list."""

    about_en = "The price list: what may be raised, and for how many points a figure."
    about_it = "Il listino: che cosa si può arruolare, e a quanti punti la miniatura."
    file = "unit_types"

    type: str = given(Text(), "Type", "Tipo", key=True, required=True, width=14)
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18, hint=NAME_IT)
    people: str = given(Text(), "People", "Popolo", default="any",
                        hint=("a people of Factions, or any", "un popolo di Fazioni, o any per tutti"))
    quality: str = given(Choice(QUALITIES, own_finding=True), "Quality", "Qualità", default="average")
    points: int = given(Whole(0), "Points each", "Punti l'una", default=5)
    mounted: bool = given(Flag(), "Mounted", "Cavalcature")
    mercenary: bool = given(Flag(), "Mercenary", "Mercenaria")
    scouts: bool = given(Flag(), "Scouts", "Esploratori")
    wizard: bool = given(Flag(), "Wizard", "Mago")


@dataclass
class Weather(Record, sheet="Weather table", sheet_it="Tabella del tempo"):
    """A row of the weather table."""

    about_en = "The weather by two dice and the climate, and what it does."
    about_it = "Il tempo secondo due dadi e il clima, e il suo effetto."
    file = "weather_table"

    weather: str = given(Text(), "Weather", "Tempo", key=True, required=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano")
    low: int | None = given(Whole(blank=True), "From", "Da")
    high: int | None = given(Whole(blank=True), "To", "A")
    land_mod: int = given(Whole(), "Movement", "Movimento", default=0, hint=LAND_MOD)
    sail_mod: int | None = given(Whole(blank=True), "Sailing", "Navigazione", hint=LAND_MOD)
    explore_mod: int = given(Whole(), "Exploration", "Esplorazione", default=0)
    sailing: bool = given(Flag(), "Boats sail", "Si naviga", default=True)
    fords_closed: bool = given(Flag(), "Fords closed", "Guadi chiusi")
    missiles: str = given(Choice({"none": "nessuno", "half": "dimezzata", "normal": "normale"}), "Missiles", "Tiro",
                          default="normal")


@dataclass
class Climate(Record, sheet="Climates", sheet_it="Climi"):
    """What a climate adds to the two dice of the weather, by season."""

    about_en = "What each climate adds to the dice of the weather."
    about_it = "Che cosa aggiunge ogni clima ai dadi del tempo."

    climate: str = given(Text(), "Climate", "Clima", key=True, required=True)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano")
    winter: int = given(Whole(), "Winter", "Inverno", default=0)
    spring: int = given(Whole(), "Spring", "Primavera", default=0)
    summer: int = given(Whole(), "Summer", "Estate", default=0)
    autumn: int = given(Whole(), "Autumn", "Autunno", default=0)


@dataclass
class RandomEvent(Bilingual, Record, sheet="Random events", sheet_it="Eventi casuali"):
    """A row of the table of random events."""

    about_en = "Random events by two dice; which of them has which number may be typed over."
    about_it = "Gli eventi casuali secondo due dadi; si può cambiare il numero di ognuno."
    file = "random_events"

    roll: int = given(Whole(2, 12), "Dice", "Dadi", default=2, key=True, required=True)
    event: str = given(Text(), "Event", "Evento", width=16)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, hint=NAME_IT)
