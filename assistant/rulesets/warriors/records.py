"""The sheets of the Fantasy Warriors campaign (rulebook: Records); dice, printed tables, numbers of no chapter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from assistant.campaign import records as base
from assistant.campaign.columns import (
    Choice,
    Circle,
    Data,
    Flag,
    Ref,
    Square,
    Text,
    Typed,
    When,
    Whole,
    column,
    given,
    noted,
    own,
    public,
    wanted,
)
from assistant.campaign.tables import Hold, Record
from assistant.rulesets.warriors import VOCABULARY, book, both
from assistant.turn.chapters import Rules

# The words of the columns: codes with their Italian words.


SEASONS: Mapping[str, str] = {"winter": "inverno", "spring": "primavera", "summer": "estate", "autumn": "autunno"}
ORDERS: Mapping[str, str] = {"march": "marce forzate", "explore": "esplorare", "defend": "difendere", "none": "nessuno"}
"""The orders of a Force; none is what it has under a reaction."""
NEW_ORDERS: Mapping[str, str] = {"march": "marcia", "explore": "esplora", "defend": "difendi"}
"""The orders that a club may ask for."""
NEW_ORDERS_ALSO: Mapping[str, str] = {word: code for code, words in VOCABULARY["new_orders"].items() for word in words}
ORDERS_ALSO: Mapping[str, str] = {**NEW_ORDERS_ALSO, **{it: code for code, it in NEW_ORDERS.items()}}
REACTIONS: Mapping[str, str] = {"none": "nessuna", "confused": "confusa", "unsteady": "instabile", "routed": "in rotta"}
REACTIONS_ALSO: Mapping[str, str] = {"disordinata": "confused"}
STANCES: Mapping[str, str] = {"fight": "combatti", "counter_march": "contromarcia", "ask": "chiedi"}
STANCES_ALSO: Mapping[str, str] = {word: code for code, words in VOCABULARY["stances"].items() for word in words}
WISHES: Mapping[str, str] = {"first": "primo", "last": "ultimo"}
QUALITIES: Mapping[str, str] = {"poor": "scarsa", "average": "media", "veteran": "veterana", "elite": "élite",
                                "unpredictable": "imprevedibile"}
NATIVES: Mapping[str, str] = {"none": "nessuno", "jungle": "giungla", "desert": "deserto", "waste": "desolato"}
NATIVES_ALSO: Mapping[str, str] = {"nessuna": "none", "desolata": "waste"}
OUTCOMES: Mapping[str, str] = {"attacker": "attaccante", "defender": "difensore", "stalemate": "stallo"}


# Sheets of this book alone: terrains, zones, Forces, Units, boats, prices, tables (rulebook: Records).


FORCE_SIGHTED = Circle(both("all; where Forces are seen near one's own only: its side, and who has it in sight",
                            "tutti; se le Forze altrui si vedono solo vicino alle proprie: la sua parte, e chi l'ha "
                            "in vista"),
                       lambda row, reader: reader.sees_army(row))
SIDE = Circle(both("its side", "la sua parte"), lambda row, reader: reader.on_side_of(row.faction))
FORCE = Circle(both("its owner; where of allies one sees all they have: its side",
                    "chi ne è padrone; se degli alleati si vede tutto: la sua parte"),
               lambda row, reader: reader.shares(row.faction))
OF_FORCE = Circle(both("the owner of its Force; where of allies one sees all they have: that owner's side",
                       "il padrone della sua Forza; se degli alleati si vede tutto: la parte di lui"),
                  lambda row, reader: reader.shares(reader.faction_of(row.army)))
CARRIED = Circle(both("all; where Forces are seen near one's own only: its side, and who has in sight what it carries",
                      "tutti; se le Forze altrui si vedono solo vicino alle proprie: la sua parte, e chi vede ciò "
                      "che la porta"),
                 lambda row, reader: reader.sees_boat(row))
of_owner = partial(column, edit="referee", see="owner")
"""A column of the referee's that its owner sees."""
of_force = partial(column, see=FORCE)
"""One that the assistant keeps, and that is seen as a Force is."""
NAME_IT = ("shown to Italian readers; blank: as Name", "per chi legge in italiano; vuoto: come Nome")
LAND_MOD = ("to the die of movement", "al dado di movimento")


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class Zone(base.TwoNames, Record, sheet="Zones", sheet_it="Zone climatiche"):
    """A zone of one climate and one weather."""

    about_en = "The climatic zones and their weather."
    about_it = "Le zone climatiche e il loro tempo."

    zone: str = given(Text(), "Zone", "Zona", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18, hint=NAME_IT)
    climate: str = given(Ref("Climates", blank=True, own_finding=True), "Climate", "Clima", default="temperate")
    weather: str = public(Ref("Weather table", blank=True, own_finding=True), "Weather", "Tempo")


@dataclass(eq=False, repr=False)
class Relation(Record, sheet="Relations", sheet_it="Rapporti", unique=False):
    """How two factions stand to each other; at war where no row says otherwise."""

    about_en = "Peace and alliances; else it is war."
    about_it = "Paci e alleanze; se no è guerra."

    a: str = given(Ref("Factions"), "Faction", "Fazione", key=True, required=True)
    b: str = given(Ref("Factions"), "And", "E", key=True, required=True)
    state: str = given(Choice({"war": "guerra", "peace": "pace", "allied": "alleati"}), "State", "Stato", default="war")


@dataclass(eq=False, repr=False)
class Army(base.TwoNames, base.Army, sheet_it="Forze"):
    """A Force under its commander."""

    about_en = "The Forces, where they stand and what they are about."
    about_it = "Le Forze, dove stanno e che cosa fanno."

    army: str = column(Text(), "Force", "Forza", key=True, required=True, edit="referee", see=FORCE_SIGHTED)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, hint=NAME_IT)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    node: str = public(Ref("Nodes", blank=True), "Square", "Quadrato", hint=("blank: off the map",
        "vuoto: fuori mappa"))
    commander: str = column(Text(), "Commander", "Condottiero", edit="referee", see=SIDE, width=20)
    commander_it: str = column(Text(), "Commander (Italian)", "Condottiero in italiano", edit="referee", see=SIDE,
                               width=20, later=True, hint=NAME_IT)
    vc: int = of_force(Whole(0, 6), "V.C.", "V.C.", default=2, edit="referee")
    chief: bool = of_force(Flag(), "Commander-in-chief", "Comandante supremo")
    aboard: str = public(Ref("Boats", blank=True), "Aboard", "A bordo di")
    order: str = of_force(Choice(ORDERS, also=ORDERS_ALSO, blank=True), "Order", "Ordine", width=14, hint=(
        "blank in a new campaign: explore, none under a reaction",
        "vuoto in una campagna nuova: esplorare, nessuno con una reazione"))
    reaction: str = of_force(Choice(REACTIONS, also=REACTIONS_ALSO), "Reaction", "Reazione", default="none")
    on_contact: str = of_force(Choice(STANCES, also=STANCES_ALSO), "If attacked", "Se attaccata", default="fight",
                               width=14)
    retreat_to: str = of_force(Ref("Nodes", blank=True), "Step back to", "Arretra in")
    fieldworks: int = of_force(Whole(0), "Field works", "Opere da campo", hint=("points", "punti"))
    will_marker: bool = of_force(Flag(), "Will marker", "Segnalino volontà")
    supply_mod: int = of_force(Whole(-9, 0), "Supply", "Viveri", default=0)
    guides: int = of_force(Whole(0, 9), "Guides", "Guide", default=0)
    commander_state: str = of_force(Choice({"present": "presente", "wounded": "ferito", "dead": "morto"}),
                                    "Commander is", "Il condottiero è", default="present")
    commander_back: int = of_force(Whole(0), "Back in turn", "Torna al turno")
    status: str = public(Choice({"active": "attiva", "broken": "dispersa", "lost": "perduta",
                                 "destroyed": "distrutta"}), "Status", "Stato", default="active")

    @property
    def active(self) -> bool:
        """Whether it is on the map."""
        return self.status == "active"

    @property
    def left(self) -> bool:
        """Whether it is still in the campaign, on the map or waiting for its wounded."""
        return self.status in ("active", "broken")

    @property
    def commander_data(self) -> dict[str, str]:
        """What its commander is called, as the data of an event: in Italian, too, where that is another name."""
        own = {"commander_it": self.commander_it} if self.commander_it else {}
        return {"commander": self.commander, **own}

    @property
    def ashore(self) -> bool:
        """Whether it is on the map, and not aboard."""
        return self.active and not self.aboard


@dataclass(eq=False, repr=False)
class Unit(base.TwoNames, Record, sheet="Units", sheet_it="Unità", whose=OF_FORCE):
    """Figures of one sort in a Force."""

    about_en = "The Units of the Forces: figures, quality, points."
    about_it = "Le Unità delle Forze: miniature, qualità, punti."

    unit: str = of_owner(Text(), "Unit", "Unità", key=True, required=True)
    army: str = of_owner(Ref("Armies"), "Force", "Forza", required=True)
    name: str = of_owner(Text(), "Name", "Nome", width=20)
    name_it: str = of_owner(Text(), "Name (Italian)", "Nome italiano", width=20, hint=NAME_IT)
    quality: str = of_owner(Choice(QUALITIES, own_finding=True), "Quality", "Qualità", default="average")
    figures: int = column(Whole(0, 9999), "Figures", "Miniature", see="owner")
    figures_start: int | None = of_owner(Whole(0, 9999, blank=True), "At start", "All'inizio",
                                         hint=("blank: as Figures", "vuoto: come Miniature"))
    points: int = of_owner(Whole(0), "Points each", "Punti l'una", default=5,
                           hint=("points per figure", "punti per miniatura"))
    mounted: bool = of_owner(Flag(), "Mounted", "Cavalcature")
    mercenary: bool = of_owner(Flag(), "Mercenary", "Mercenaria")
    scouts: bool = of_owner(Flag(), "Scouts", "Esploratori")
    wizard: bool = of_owner(Flag(), "Wizard", "Mago")
    native_of: str = of_owner(Choice(NATIVES, also=NATIVES_ALSO), "Native of", "Nativa di", default="none")
    crossing_lost: int = own(Whole(0), "Lost in crossing", "Persi in traversata", hint=("figures", "miniature"))
    leaves: int = own(Whole(0), "Leaves in turn", "Parte al turno")

    @property
    def full(self) -> int:
        """Its figures at the start."""
        return self.figures if self.figures_start is None else self.figures_start


@dataclass(eq=False, repr=False)
class Wounded(Record, sheet="Wounded", sheet_it="Feriti",
              whose=Circle(both("the owner of the Unit", "il padrone dell'Unità"),
                           lambda row, reader: reader.owns_unit(row.unit))):
    """Figures of a Unit that come back in a turn."""

    about_en = "The wounded, and when they are back."
    about_it = "I feriti, e in quale turno tornano."

    unit: str = own(Ref("Units"), "Unit", "Unità", key=True, required=True)
    due: int = own(Whole(0), "Back in turn", "Rientro al turno", key=True, required=True)
    count: int = own(Whole(0), "Figures", "Miniature", default=1)


@dataclass(eq=False, repr=False)
class Boat(base.TwoNames, Record, sheet="Boats", sheet_it="Natanti", whose=("faction",)):
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


@dataclass(eq=False, repr=False)
class UnitType(base.TwoNames, Record, sheet="Unit types", sheet_it="Listino"):
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

    def is_for(self, people: str) -> bool:
        """Whether a people may raise it."""
        return self.people in ("any", people)


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class RandomEvent(base.TwoNames, Record, sheet=both("Random events", "Eventi casuali"), sheet_it="Eventi casuali"):
    """A row of the table of random events."""

    about_en = "Random events by two dice; which of them has which number may be typed over."
    about_it = "Gli eventi casuali secondo due dadi; si può cambiare il numero di ognuno."
    file = "random_events"

    roll: int = given(Whole(2, 12), "Dice", "Dadi", default=2, key=True, required=True)
    event: str = given(Text(), "Event", "Evento", width=16)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, hint=NAME_IT)


# Sheets that all rulebooks share, with this book's columns (rulebook: Records).


TURN = "turn"
"""What stands in the column Phase of all orders: they are written for a whole turn."""


@dataclass(eq=False, repr=False)
class Desk(base.Desk):
    """The calendar: the week, and the season of week 1."""

    week: int = public(Whole(1), "Week", "Settimana", default=1)
    start_season: str = given(Choice(SEASONS), "First season", "Prima stagione", default="spring",
                              hint=("season of week 1", "stagione della settimana 1"))


of_battles = partial(column, Whole(0), see=When("fog", "near", "owner", "public"), hint=("battles", "battaglie"))


@dataclass(eq=False, repr=False)
class Faction(base.Faction):
    """An Army of several Forces, and its will to fight."""

    people: str = given(Text(), "People", "Popolo", hint=("picks the price list", "sceglie il listino"))
    status: str = public(Choice({"playing": "in gioco", "out": "fuori"}), "Status", "Stato", default="playing")
    won: int = of_battles("Won", "Vinte")
    lost: int = of_battles("Lost", "Perse")
    drawn: int = of_battles("Drawn", "Pari")
    will_due: str = own(Text(), "Will test due", "Test dovuto", width=24,
                        hint=("reasons for a test of the will to fight", "motivi di un test della volontà"))
    omen: int = own(Whole(-9, 0), "Omen", "Presagio", default=0)
    gone: bool = own(Flag(), "Without Forces", "Senza Forze")

    @property
    def plays(self) -> bool:
        """Whether it is still in the campaign; who owns the places of nobody never was."""
        return self.status == "playing" and self.role not in base.OWNERLESS


@dataclass(eq=False, repr=False)
class Node(base.Node, sheet_it="Quadrati", whose=("holder",)):
    """A square: its terrain, what stands in it, whose it is."""

    node: str = given(Square(), "Square", "Quadrato", key=True, required=True,
                      hint=("letter of the column, two digits of the row", "lettera della colonna, due cifre di riga"))
    x: int = given(Whole(), "x", "x", hint=("drawing units, to the east", "unità di disegno, verso est"))
    y: int = given(Whole(), "y", "y", hint=("drawing units, to the south", "unità di disegno, verso sud"))
    terrain: str = given(Ref("Terrains", blank=True, own_finding=True), "Terrain", "Terreno", default="open")
    terrain2: str = given(Ref("Terrains", blank=True, own_finding=True), "Second terrain", "Secondo terreno")
    marsh: bool = given(Flag(), "Marsh", "Palude")
    bridge: bool = given(Flag(), "Bridge", "Ponte")
    bridge_cut_until: int = public(Whole(0), "Bridge cut until", "Ponte interrotto fino al",
                                   hint=("turn, this one included", "turno compreso"))
    reefs: bool = given(Flag(), "Reefs, isles", "Scogli, isole, atolli")
    zone: str = given(Ref("Zones", blank=True), "Zone", "Zona")
    territory: str = given(Ref("Factions", blank=True), "Territory", "Territorio")
    domain: str = given(Ref("Nodes", blank=True), "Domain of", "Dominio di",
                        hint=("read only with territory_mode = holder", "conta solo con territory_mode = holder"))
    place: str = given(Choice({"none": "nessuno", "stronghold": "caposaldo", "capital": "capitale"}), "Place", "Luogo",
                       default="none")
    founder: str = given(Ref("Factions", blank=True), "Belongs to", "Appartiene a")
    holder: str = public(Ref("Factions", blank=True), "Held by", "Tenuto da")
    store: int = own(Whole(0), "Store", "Scorta", hint=("points", "punti"))

    @property
    def terrains(self) -> tuple[str, ...]:
        """Its terrains; the same one twice counts once."""
        return tuple(dict.fromkeys(terrain for terrain in (self.terrain, self.terrain2) if terrain))


@dataclass(eq=False, repr=False)
class Road(base.TwoNames, base.Link, sheet_it="Vie"):
    """A road, a caravan track, or a river that flows from a to b."""

    kind: str = given(Choice({"road": "strada", "track": "pista carovaniera", "river": "fiume"},
                             also={"caravan_track": "track", "pista": "track"}, own_finding=True),
                      "Kind", "Tipo", default="road", hint=("a river flows from a to b", "un fiume scorre da a a b"))
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=20, hint=NAME_IT)
    navigable: bool = given(Flag(), "Navigable", "Navigabile", default=True)
    rapids: bool = given(Flag(), "Falls, rapids", "Cascate, rapide")
    cut_until: int = public(Whole(0), "Cut until", "Interrotta fino al",
                            hint=("turn, this one included", "turno compreso"))


@dataclass(eq=False, repr=False)
class Order(base.Order):
    """An order of a turn (rulebook: Orders to Forces)."""

    phase: str = wanted(Text(), "Phase", "Fase", alias=("for", "per"), default=TURN)
    army: str = wanted(Text(), "Force", "Forza", width=16)
    new_order: str = wanted(Text(), "New order", "Nuovo ordine", width=12)
    path: str = wanted(Text(), "Path", "Percorso", width=20,
                       hint=("squares in order, without the start; land at the end of a sail: it lands",
                             "quadrati in ordine, senza la partenza; sbarca in fondo a naviga: sbarca"))
    boat: str = wanted(Text(), "Boats", "Natanti")
    wish: str = wanted(Text(), "Wish", "Preferenza")
    stance: str = wanted(Text(), "If attacked", "Se attaccata", width=14)
    to: str = wanted(Text(), "Step to", "Arretra in")
    place: str = wanted(Text(), "Place", "Luogo")
    type: str = wanted(Text(), "Type", "Tipo", width=14)
    unit: str = wanted(Text(), "Unit", "Unità")
    figures: int | str = wanted(Typed(), "Figures", "Miniature")
    vc: int | str = wanted(Typed(), "V.C.", "V.C.")
    name: str = wanted(Text(), "Name", "Nome", width=18)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass(eq=False, repr=False)
class Question(base.TurnQuestion):
    """A question of the turn (rulebook: Questions)."""


@dataclass(eq=False, repr=False)
class Die(base.TurnDie):
    """A throw of the turn."""


TWO_SIDES = Circle(both("the two sides", "le due parti"), lambda row, reader: reader.took_part(row.battle))
BATTLE_SIGHTED = Circle(both("all; where Forces are seen near one's own only: the two sides, and who sees its square",
                             "tutti; se le Forze altrui si vedono solo vicino alle proprie: le due parti, e chi vede "
                             "il suo quadrato"),
                        lambda row, reader: row.hold != "typed" and reader.knows_battle(row.battle))
ONCE_LAID_OUT = Circle(both("the two sides, once the battle is laid out",
                            "le due parti, quando la battaglia è disposta"),
                       lambda row, reader: row.hold != "typed" and reader.took_part(row.battle))


@dataclass(eq=False, repr=False)
class Battle(base.Battle, whose=TWO_SIDES):
    """A battle for the table and the form of its result."""

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, see=BATTLE_SIGHTED)
    attacker: str = public(Ref("Factions", blank=True), "Attacker", "Attaccante")
    defender: str = public(Ref("Factions", blank=True), "Defender", "Difensore")
    explorer: str = own(Choice({"A": "A", "D": "D"}, blank=True), "Explored best", "Ha esplorato meglio",
                        hint=("A: the attacking side", "A: la parte che attacca"))
    band: int | None = own(Whole(0, 3, blank=True), "Advantage", "Vantaggio")
    method: str = noted(Choice({"table": "tavolo", "auto": "dadi"}), "Resolved", "Risolta", default="table")
    night: bool = noted(Flag(), "Night", "Notte")
    outcome: str = given(Choice(OUTCOMES, blank=True, own_finding=True), "Outcome", "Esito", width=12,
                         hint=("attacker, defender or stalemate", "attaccante, difensore o stallo"))
    day_turns: int | None = given(Whole(0, blank=True), "Game turns", "Turni di gioco")
    note: str = noted(Text(), "Note", "Nota", width=28, free=True)
    status: str = public(Choice({"open": "aperta", "fought": "combattuta", "closed": "chiusa", "void": "annullata",
                                 "superseded": "superata"}, blank=True), "Status", "Stato", last=True)
    papers: dict[str, Any] = column(Data(), "Papers", "Carte", last=True, see=Circle(
        both("the two sides, each its own", "le due parti, ognuna la sua metà"),
        lambda row, reader: reader.took_part(row.battle)))


@dataclass(eq=False, repr=False)
class BattleArmy(base.FormRow, sheet="Battle armies", sheet_it="Forze in battaglia"):
    """A Force in a battle: how it came there; whether its commander fell is told in the form."""

    about_en = "The Forces of each battle. Type whether a commander was killed."
    about_it = "Le Forze di ogni battaglia. Scrivi se un condottiero è stato ucciso."
    file = "battle_armies"
    whose = Circle(both("its owner", "chi ne è padrone"), lambda row, reader: reader.owns_army(row.army))

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, edit="referee", see=BATTLE_SIGHTED)
    army: str = column(Ref("Armies", own_finding=True), "Force", "Forza", key=True, required=True, edit="referee",
                       see=BATTLE_SIGHTED)
    side: str = public(Choice({"A": "A", "D": "D"}, blank=True), "Side", "Parte")
    arrival: int | None = own(Whole(0, blank=True), "Arrival", "Arrivo", hint=("0: was there", "0: era già lì"))
    start_order: str = own(Choice(ORDERS, blank=True), "Order then", "Ordine allora", width=14)
    start_reaction: str = own(Choice(REACTIONS, blank=True), "Reaction then", "Reazione allora", width=14)
    start_vc: int | None = own(Whole(0, blank=True), "V.C. then", "V.C. allora")
    fieldworks: int = own(Whole(0), "Field works", "Opere da campo", hint=("points", "punti"))
    exploration: int | None = own(Whole(0, blank=True), "Exploration", "Esplorazione")
    commander_killed: bool = column(Flag(), "Commander killed", "Condottiero ucciso", edit="referee", see=TWO_SIDES)

    @property
    def hold(self) -> Hold:
        """As a form: people's own until the battle is laid out, their form until it is counted."""
        return "settled" if self.status else "asked" if self.side else "typed"


of_sides = partial(column, Typed(), default=0, edit="referee", see=TWO_SIDES)


@dataclass(eq=False, repr=False)
class BattleUnit(base.FormRow, sheet="Battle units", sheet_it="Unità in battaglia"):
    """A Unit in a battle: its figures before, and what the form says became of them."""

    about_en = "The losses of each battle, a row for each Unit: killed, left in rout, left by order."
    about_it = "Le perdite di ogni battaglia, una riga per Unità: uccise, fuggite in rotta, uscite per ordine."
    file = "battle_units"
    whose = Circle(both("its owner", "chi ne è padrone"), lambda row, reader: reader.owns_unit(row.unit))

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, edit="referee", see=ONCE_LAID_OUT)
    unit: str = column(Ref("Units", own_finding=True), "Unit", "Unità", key=True, required=True, edit="referee",
                       see=ONCE_LAID_OUT)
    before: int | None = own(Whole(0, blank=True), "Before", "Prima", hint=("figures", "miniature"))
    killed: int | str = of_sides("Killed", "Uccise", hint=("figures", "miniature"))
    routed: int | str = of_sides("Left in rout", "Fuggite in rotta")
    withdrawn: int | str = of_sides("Left by order", "Uscite per ordine")
    dead: int = own(Whole(0), "Dead", "Morte")
    wounded: int = own(Whole(0), "Wounded", "Ferite")
    deserted: int = own(Whole(0), "Deserted", "Disertori")

    @property
    def hold(self) -> Hold:
        """As a form: people's own until the battle is laid out, their form until it is counted."""
        return "settled" if self.status else "asked" if self.before is not None else "typed"


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Terrain, Zone, Relation, Army, Unit, Wounded,
    Boat, UnitType, Order, Question, Battle, BattleArmy, BattleUnit, base.Event, Die, base.FindingRow,
    base.Rule, Weather, Climate, RandomEvent)


# The numbers of no chapter (rulebook: Numbers).


class Numbers(Rules):
    """The numbers and switches that the board itself reads."""

    deputy_vc: int = book.number(
        1, both("V.C.", "V.C."), "In the place of a commander who fell stands V.C. {n} at most.",
        "Al posto di un condottiero caduto c'è al massimo V.C. {n}.", "ASSUMED", source="4 wounded")
    adjacency: Literal["8", "4"] = book.switch("A square touches {option} others.",
                                               "Un quadrato confina con altri {option}.", ("eight", "otto"),
                                               ("four", "quattro"), source="2 movement", usual=True)
    order_under_reaction: Literal["dropped", "kept"] = book.switch(
        "Under a reaction the order {option}.", "Con una reazione l'ordine {option}.", ("is dropped", "decade"),
        ("is kept", "resta"), source="Rea")
    boat_capacity: Literal["on", "off"] = book.switch(
        "How many figures boats carry {option}.", "Quante miniature portino i natanti {option}.",
        ("is limited", "è limitato"), ("does not matter", "non importa"), source="2 naval", usual=True)
    ships_on_rivers: Literal["yes", "no"] = book.switch("On rivers go {option}.", "Sui fiumi vanno {option}.",
                                                        ("ships and small boats", "navi e natanti piccoli"),
                                                        ("small boats only", "solo natanti piccoli"), source="2 naval")
    territory_mode: Literal["home", "holder"] = book.switch(
        "Territory {option}.", "Il territorio {option}.", ("stays as it was drawn", "resta com'è disegnato"),
        ("follows who holds its place", "segue chi tiene il suo luogo"), source="2 movement", usual=True)
    fog: Literal["open", "near"] = book.switch(
        "Forces of others are seen {option}.", "Le Forze altrui si vedono {option}.", ("everywhere", "ovunque"),
        ("near one's own only", "solo vicino alle proprie"), setup=True, source="Ord")
    allies_share: Literal["positions", "full"] = book.switch(
        "Of allies one sees {option}.", "Degli alleati si vede {option}.", ("where they stand", "dove stanno"),
        ("all they have", "tutto quello che hanno"), setup=True, source="Ord")
    sight: int = book.number(
        2, "squares", "Where Forces are seen near one's own only, a Force is seen from {n} {n?square|squares} away.",
        "Se le Forze altrui si vedono solo vicino alle proprie, una Forza si vede da {n} {n?quadrato|quadrati} di "
        "distanza.", "ASSUMED", setup=True, source="Ord")


# Codes of battles, and the tables of campaigns that bring none (rulebook: Tables).


BATTLES = ("B{turn}-{n}", "B{turn}-{Nodes}", "B{turn}-{Nodes}-{n}")
"""Codes of battles: numbered through the turn."""


PRINTED: tuple[type[Record], ...] = (Terrain, Weather, Climate, RandomEvent)
"""The tables of the book, whose rows stand in the folder `tables`, a CSV file each."""


# Words of the tables.


both.words({
    "command": "comando", "general": "generale",
    "rain": "pioggia", "fog": "nebbia", "contrary wind": "vento contrario", "fair wind": "vento favorevole",
    "cultivated": "coltivato", "hill": "collina", "forest": "foresta", "mountain": "montagna", "lake": "lago",
    "deserter": "disertore", "nobody is left": "non resta nessuno", "places": "luoghi", "strength": "forza",
})
