"""The sheets of Incursio (rulebook: Records); its numbers, switches, dice and printed tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import (
    Choice,
    Circle,
    Data,
    Flag,
    Moment,
    Ref,
    Text,
    Typed,
    UnreadableValue,
    Whole,
    column,
    given,
    noted,
    own,
    public,
    wanted,
)
from assistant.campaign.tables import Record
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, both
from assistant.turn.calendar import OVER
from assistant.turn.chapters import Chapter, Citation, Rules, number, switch
from assistant.turn.dice import RollKinds
from assistant.turn.texts import Meaning

# Sheets that change in play (rulebook: Records).


TYPES = {ESDEF: ("F", "A", "C"), VARANNAH: ("Tr", "As", "Di")}
"""The codes of each side's units, in the book's order."""
# demons come first: `As` is not read as A
ANY_TYPE = "|".join((*TYPES[VARANNAH], *TYPES[ESDEF]))
"""Of a pattern: a unit of either side; As comes before A."""
TURN = ("year", "day", "anno", "turn", "turno")
"""What a day is called elsewhere."""
SIDES = {"defenders": "difensori", "raiders": "incursori"}
NODE_KINDS = {"empty": "vuota", "settlement": "insediamento", "ruin": "rovina"}
ROADS = {"grey": "grigia", "red": "rossa"}
POSTURES = {"garrison": "guarnigione", "open": "fuori"}
FOUGHT = {"attacked": "ha attaccato", "defended": "ha difeso"}
POSTURES_IN_REPORTS = {"open": ("outside", "fuori")}
FOUGHT_IN_REPORTS = {"attacked": ("has attacked", "ha attaccato"), "defended": ("has defended", "ha difeso")}
WORK_STATES = {"in_progress": "in corso", "done": "finita", "lost": "perduta"}
MISSION_STATES = {"running": "in corso", "due": "in arrivo", "ended": "finita", "failed": "fallita"}
PORTAL_KINDS = {"real": "vero", "decoy": "finto"}
PORTAL_STATES = {"located": "individuato", "open": "aperto", "faded": "svanito", "sealed": "chiuso"}
SEEN_KINDS = {"empty": "vuota", "enemies": "nemici", "camp": "accampati", "garrison": "guarnigione",
              "structure": "struttura", "portal": "portale"}
SOURCES = {"spy": "spia", "battle": "battaglia", "scout": "esploratore", "foresight": "maghi", "march": "marcia",
           "sight": "vista"}
OUTCOMES = {"taken": "presa", "destroyed": "annientati", "driven_off": "respinti", "undecided": "in bilico",
            "walkover": "senza combattere", "nobody": "nessuno"}
STATUSES = {"open": "da giocare", "played": "giocata", "auto": "dadi", "void": "annullata", "superseded": "superata"}
CAME_TO = {"done": "eseguito", "blocked": "fermato", "not_made": "non fatto", "declined": "declinato",
           "no_money": "senza monete", "void": "inutile"}

BY_DEFENDERS = Circle(both("the defenders", "i difensori"), lambda _, reader: reader.is_one_of(ESDEF))
BY_RAIDERS = Circle(both("the raiders", "gli incursori"), lambda _, reader: reader.is_one_of(VARANNAH))
BY_BOTH = Circle(both("both sides", "le due parti"), lambda _, reader: reader.is_one_of(*BOTH))
BY_ATTACKED = Circle(
    both("who is attacked", "chi è attaccato"),
    lambda row, reader: bool(row.attacker) and reader.is_one_of(*BOTH) and not reader.is_one_of(row.attacker))
ONCE_FOUGHT = Circle(
    both("the attacker, and both sides once it is fought", "l'attaccante, e le due parti quando è combattuta"),
    lambda row, reader: reader.is_one_of(row.attacker, *(BOTH if row.status != "open" else ())))
ONCE_FOUND = Circle(
    both("all, once it is laid out; where nobody was found, who attacked",
         "tutti, quando è disposta; dove non si è trovato nessuno, chi ha attaccato"),
    lambda row, reader: row.hold != "typed" and (row.outcome != "nobody" or reader.is_one_of(row.attacker)))
OWN_TILL_THE_END = Circle(
    both("the faction, and all once it is over", "la fazione, e tutti quando la campagna è finita"),
    lambda row, reader: reader.is_one_of(getattr(row, "faction", ESDEF)) or reader.campaign.desk.phase == OVER)
OF_THE_PLAYER = Circle(both("the player's faction", "la fazione del giocatore"),
                       lambda row, reader: reader.is_one_of(side_of_player(reader.campaign, row.player)))


def side_of_player(campaign: Campaign, player: str) -> str:
    """The faction of a player, "" for nobody's."""
    row = campaign.table(Player).get(player)
    return row.faction if row is not None else ""


class Troops(Text):
    """Units of a band, as the referee types them too: ``FFA``, ``2F 1A``, ``Tr As Di``."""

    def read(self, raw: object) -> Any:
        """The text. Raises `Unreadable` ("pattern")."""
        text = Text.read(self, raw)
        if not re.fullmatch(rf"(\d{{0,2}} *({ANY_TYPE})[ ,;.+]*)*", text, re.IGNORECASE):
            raise UnreadableValue("pattern", "FFA, TrAsDi")
        return text


@dataclass(eq=False, repr=False)
class Faction(base.Faction):
    """The defenders with their coins, or the raiders with what they have dragged away."""

    side: str = given(Choice(SIDES), "Side", "Parte", default="defenders")
    coins: int | None = own(Whole(0, blank=True), "Coins", "Monete")
    resources: int | None = column(Whole(0, blank=True), "Resources", "Risorse", see=OWN_TILL_THE_END,
                                   hint=("never fall", "non calano mai"))
    power_step: int | None = own(Whole(0, 9, blank=True), "Power", "Potere")
    chat_group: str = noted(Text(), "Chat group", "Gruppo", width=24)


@dataclass(eq=False, repr=False)
class Player(Record, sheet="Players", sheet_it="Giocatori", whose=("faction",), people=True):
    """Somebody who plays a character, and has one action a day."""

    about_en = "The characters of each faction, a general among them. Each has one action a day."
    about_it = "I personaggi di ogni fazione, fra cui un generale. Ognuno ha un'azione al giorno."

    player: str = given(Text(), "Player", "Giocatore", key=True, required=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    role: str = given(Choice({"general": "generale", "player": "giocatore"}), "Part", "Incarico", default="player")
    name: str = given(Text(), "Character", "Personaggio", alias=("character",), width=18)
    species: str = given(Text(), "Species", "Specie")
    mail: str = column(Text(), "Mail", "Posta", edit="referee", see="referee", width=26, free=True)
    language: str = noted(Choice({"en": "inglese", "it": "italiano"}), "Language", "Lingua", default="en", free=True)
    acted_on: int | None = own(Whole(1, blank=True), "Acted on", "Ha agito il",
                               hint=("day of the last action", "giorno dell'ultima azione"))


@dataclass(eq=False, repr=False)
class Node(base.Node, sheet="Nodes", sheet_it="Caselle"):
    """A numbered cell: bare, a settlement or a ruin."""

    about_en = "The numbered cells, and what stands there."
    about_it = "Le caselle numerate, e che cosa vi sorge."

    node: str = given(Text(digits=1), "Cell", "Casella", key=True, required=True)
    hex_col: int | None = given(Whole(blank=True), "Hex column", "Colonna")
    hex_row: int | None = given(Whole(blank=True), "Hex row", "Riga")
    terrain: str = given(Text(), "Terrain", "Terreno", hint=("for the drawing only", "solo per il disegno"))
    kind: str = public(Choice(NODE_KINDS), "Kind", "Tipo", default="empty")
    level: int = public(Whole(0, 6), "Level", "Livello")
    ruined_on: int | None = public(Whole(0, blank=True), "Ruin since", "Rovina dal")
    refugees: int = column(Whole(0), "Refugees", "Profughi", see=OWN_TILL_THE_END)

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose a place is by what stands there: settlements are the defenders', ruins the raiders'."""
        side = {"settlement": ESDEF, "ruin": VARANNAH}.get(self.kind)
        return (side,) if side else ()


@dataclass(eq=False, repr=False)
class Road(base.Road, sheet="Roads", sheet_it="Linee", unique=False):
    """A line between two cells, both ways."""

    about_en = "The lines between cells: grey for all, red for demons only."
    about_it = "Le linee fra le caselle: grigie per tutti, rosse solo per i demoni."

    a: str = given(Ref("Nodes", own_finding=True), "From", "Da", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes", own_finding=True), "To", "A", key=True, alias=("to_node",), required=True)
    kind: str = given(Choice(ROADS), "Kind", "Tipo", default="grey")


@dataclass(eq=False, repr=False)
class Army(base.Army, sheet="Armies", sheet_it="Schiere", counted="army"):
    """A band: units of one faction that stand alike in one cell. Only the assistant makes and merges bands."""

    about_en = "The bands: units of one faction, cell, posture, day of return and fought state."
    about_it = "Le schiere: unità della stessa fazione, casella, posto, giorno di ritorno e stato."

    army: str = own(Text(), "Band", "Schiera", key=True, required=True)
    faction: str = own(Ref("Factions"), "Faction", "Fazione", required=True)
    node: str = own(Ref("Nodes"), "Cell", "Casella", required=True)
    posture: str = own(Choice(POSTURES, in_reports=POSTURES_IN_REPORTS), "Posture", "Posto", default="open")
    units: str = noted(Troops(), "Units", "Unità", hint=("left is first", "a sinistra il primo"), width=20)
    returns_on: int | None = own(Whole(1, blank=True), "Returns", "Torna il")
    fought: str = own(Choice(FOUGHT, blank=True, in_reports=FOUGHT_IN_REPORTS), "Fought", "Ha combattuto")
    made: int | None = column(Whole(0, blank=True), "Made as no.", "Fatta come n.", see="referee", last=True,
                              hint=("bands merge in this order", "le schiere si uniscono in quest'ordine"))


@dataclass(eq=False, repr=False)
class Structure(Record, sheet="Structures", sheet_it="Strutture", whose=BY_DEFENDERS):
    """What stands in a cell, of one kind."""

    about_en = "What the defenders have built."
    about_it = "Che cosa hanno costruito i difensori."

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True, see=BY_DEFENDERS, required=True)
    structure: str = column(Text(digits=2), "Structure", "Struttura", key=True, see=BY_DEFENDERS, required=True)
    copies: int = column(Whole(1), "Copies", "Copie", default=1, see=BY_DEFENDERS)


@dataclass(eq=False, repr=False)
class Work(Record, sheet="Works", sheet_it="Cantieri", whose=BY_DEFENDERS):
    """One building work, its builder and its day."""

    about_en = "What is being built, by whom, and when it is ready."
    about_it = "Che cosa si costruisce, chi ci lavora, quando è pronto."

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True, see=BY_DEFENDERS, required=True)
    structure: str = column(Text(digits=2), "Structure", "Struttura", key=True, see=BY_DEFENDERS, required=True)
    builder: str = column(Ref("Players", blank=True), "Builder", "Costruttore", key=True, see=BY_DEFENDERS)
    started_on: int | None = column(Whole(0, blank=True), "Begun", "Iniziato il", key=True, see=BY_DEFENDERS)
    ready_on: int | None = column(Whole(0, blank=True), "Ready", "Pronto il", see=BY_DEFENDERS)
    cost: int = column(Whole(0), "Cost", "Costo", see=BY_DEFENDERS)
    state: str = column(Choice(WORK_STATES), "State", "Stato", default="in_progress", see=BY_DEFENDERS)


@dataclass(eq=False, repr=False)
class Mission(Record, sheet="Missions", sheet_it="Missioni", whose=OF_THE_PLAYER, time="day"):
    """A mission of one player."""

    about_en = "The missions that players have begun."
    about_it = "Le missioni cominciate dai giocatori."

    day: str = own(Moment(), "Day", "Giorno", key=True)
    player: str = own(Ref("Players"), "Player", "Giocatore", key=True)
    mission: str = own(Ref("MissionTypes"), "Mission", "Missione", key=True)
    target: str = own(Ref("Nodes", blank=True), "Target", "Bersaglio", key=True)
    target_player: str = own(Ref("Players", blank=True), "For player", "Per giocatore", key=True)
    state: str = own(Choice(MISSION_STATES), "State", "Stato", default="running")


@dataclass(eq=False, repr=False)
class Portal(Record, sheet="Portals", sheet_it="Portali", whose=BY_RAIDERS, time="day"):
    """A portal, true or false, of the day on which its demons act."""

    about_en = "The portals of each day; a false one lets nothing out."
    about_it = "I portali di ogni giorno; da uno finto non esce niente."

    day: str = own(Moment(), "Day", "Giorno", key=True)
    node: str = own(Ref("Nodes"), "Cell", "Casella", key=True)
    kind: str = own(Choice(PORTAL_KINDS), "Kind", "Tipo", default="real")
    number: int = own(Whole(0), "Demons no.", "Quanti demoni")
    state: str = own(Choice(PORTAL_STATES), "State", "Stato", default="located")
    demons: str = own(Text(), "Demons", "Demoni")


@dataclass(eq=False, repr=False)
class Observation(Record, sheet="Observations", sheet_it="Osservazioni", whose=("faction",), counted="no"):
    """Something that a faction has seen, and when."""

    about_en = "What each faction has seen of the other, and on which day."
    about_it = "Che cosa ogni fazione ha visto dell'altra, e in che giorno."

    no: int = own(Whole(1), "No.", "N.", key=True)
    faction: str = own(Ref("Factions"), "Faction", "Fazione")
    node: str = own(Ref("Nodes"), "Cell", "Casella")
    kind: str = own(Choice(SEEN_KINDS), "Kind", "Tipo", default="enemies")
    position: int | None = own(Whole(1, blank=True), "Position", "Posizione")
    what: str = own(Text(), "What", "Che cosa")
    seen_on: int = own(Whole(0), "Seen on", "Visto il")
    source: str = own(Choice(SOURCES), "Source", "Fonte", default="spy")
    player: str = own(Ref("Players", blank=True), "Player", "Giocatore")
    state: str = own(Choice({"current": "attuale", "superseded": "superata"}), "State", "Stato", default="current")


@dataclass(eq=False, repr=False)
class Day(Record, sheet="Days", sheet_it="Giornate"):
    """A day: who is first, and how many attacks each side has made."""

    about_en = "Who is first each day, and the attacks made."
    about_it = "Chi è primo ogni giorno, e gli attacchi fatti."

    turn: str = public(Moment(), "Day", "Giorno", key=True)
    first: str = public(Ref("Factions", blank=True), "First", "Primi")
    attacks_esdef: int = column(Whole(0), "Attacks (Esdef)", "Attacchi (Esdef)", see=BY_DEFENDERS)
    attacks_varannah: int = column(Whole(0), "Attacks (Varannah)", "Attacchi (Varannah)", see=BY_RAIDERS)


@dataclass(eq=False, repr=False)
class Objective(Record, sheet="Objectives", sheet_it="Obiettivi"):
    """What a faction strives for."""

    about_en = "What each side strives for. Arbitro's own end of the campaign follows the Rules."
    about_it = "A che cosa mira ogni parte. La fine della campagna segue il foglio Regole."

    objective: str = given(Text(), "Objective", "Obiettivo", key=True, required=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione")
    kind: str = given(Choice({"settlements_at_least": "almeno insediamenti", "level_6_at_least": "almeno Fortezze",
                              "resources_at_least": "almeno risorse", "settlements_below": "meno insediamenti"}),
                      "Kind", "Tipo", default="settlements_at_least")
    value: int = given(Whole(0), "Value", "Valore")
    by_day: int | None = given(Whole(1, blank=True), "By day", "Entro il giorno")
    joined_to: str = given(Ref("Objectives", blank=True), "Or", "Oppure",
                           hint=("either of the two is enough", "basta uno dei due"))


def _form(en: str, it: str, see: Circle) -> Any:
    return column(Text(), en, it, edit="referee", see=see, width=16,
                  hint=("units in order; - for nobody", "unità in ordine; - per nessuno"))


@dataclass(eq=False, repr=False)
class Battle(base.Battle):
    """A battle, pair by pair; or one to be played live, and the form of its result."""

    about_en = "Every battle, pair by pair. Of one that is open type what is left of each line."
    about_it = "Ogni battaglia, coppia per coppia. Di una da giocare scrivi che cosa resta di ogni schiera."

    battle: str = column(Text(), "Battle", "Battaglia", key=True, width=16, required=True, see=ONCE_FOUND)
    turn: str = public(Moment(), "Day", "Giorno", alias=TURN)
    node: str = public(Ref("Nodes", blank=True), "Cell", "Casella", alias=("at", "al nodo"))
    origin: str = column(Ref("Nodes", blank=True), "From", "Da", see=BY_BOTH)
    attacker: str = public(Ref("Factions", blank=True), "Attacker", "Attaccante")
    attackers: str = column(Text(), "Attackers", "Attaccanti", see=ONCE_FOUGHT, width=16)
    open_before: str = column(Text(), "Outside before", "Fuori prima", see=BY_ATTACKED, width=16)
    garrison_before: str = column(Text(), "Garrison before", "Guarnigione prima", see=BY_ATTACKED, width=16)
    att_after: str = _form("Attackers left", "Attaccanti rimasti", ONCE_FOUGHT)
    open_after: str = _form("Outside after", "Fuori dopo", BY_ATTACKED)
    garrison_after: str = _form("Garrison after", "Guarnigione dopo", BY_ATTACKED)
    played_on: str = column(Text(), "Played on", "Giocata il", edit="referee", see=BY_BOTH)
    note: str = column(Text(), "Note", "Nota", edit="referee", see="referee", width=24, free=True)
    outcome: str = public(Choice(OUTCOMES, blank=True), "Outcome", "Esito")
    passes: int | None = column(Whole(0, blank=True), "Passes", "Passaggi", see=BY_BOTH)
    captives: int = column(Whole(0), "Captives", "Prigionieri", see=BY_RAIDERS)
    defenders_lost: int | None = column(Whole(0, blank=True), "Defenders lost", "Difensori perduti", see=BY_BOTH)
    duels: list[dict[str, Any]] = column(Data(rows=True), "Duels", "Duelli", see=BY_BOTH, last=True)
    status: str = public(Choice(STATUSES, blank=True), "Status", "Stato")


@dataclass(eq=False, repr=False)
class Order(base.Order):
    """What a general or a player wants done today."""

    turn: str = wanted(Moment(), "Day", "Giorno", alias=TURN)
    issuer: str = wanted(Ref("Players", blank=True), "Given by", "Dato da",
                         hint=("blank: the player of the line, or the general",
                               "vuoto: il giocatore della riga, o il generale"))
    moment: str = wanted(Text(), "Moment", "Momento", hint=("initial, final or extra", "iniziale, finale o aggiuntivo"))
    node: str = wanted(Ref("Nodes", blank=True), "At or from", "In o da")
    to_node: str = wanted(Ref("Nodes", blank=True), "To", "A")
    units: str = wanted(Text(), "Units", "Unità", width=16)
    attack_no: int | str = wanted(Typed(), "Attack no.", "N. attacco")
    repeat: int | str = wanted(Typed(), "Repeat", "Ripeti")
    fury: str = wanted(Text(), "Fury", "Furia", hint=("yes or blank", "sì o vuoto"))
    live: bool = noted(Flag(), "Live", "Dal vivo", hint=("the referee's: the battle is played", "del Master: si gioca"))
    where: str = wanted(Text(), "Where", "Dove", hint=("garrison or open", "guarnigione o fuori"))
    structure: str = wanted(Ref("StructureTypes", blank=True), "Structure", "Struttura")
    player: str = wanted(Ref("Players", blank=True), "Player", "Giocatore")
    mission: str = wanted(Ref("MissionTypes", blank=True), "Mission", "Missione")
    target_player: str = wanted(Ref("Players", blank=True), "For player", "Per giocatore")
    subject: str = wanted(Text(), "Subject", "Oggetto", hint=("soldiers or structures", "soldati o strutture"))
    priority: int | str = wanted(Typed(), "Priority", "Priorità", hint=("small comes first; blank: 50",
                                                                        "prima i piccoli; vuoto: 50"))
    note: str = wanted(Text(), "Note", "Nota", width=24)
    outcome: str = own(Choice(CAME_TO, blank=True), "What came of it", "Che ne è stato", last=True, width=14)


# The printed tables as sheets, and all records in the order of the workbook.


@dataclass(eq=False, repr=False)
class Desk(base.Desk):
    """Where the campaign stands: its day and phase."""

    turn: str = public(Moment(), "Day", "Giorno", alias=TURN)


@dataclass(eq=False, repr=False)
class Question(base.Question):
    """A question of a day."""

    turn: str = own(Moment(), "Day", "Giorno", alias=TURN)


@dataclass(eq=False, repr=False)
class Event(base.Event):
    """What happened on a day."""

    turn: str = own(Moment(), "Day", "Giorno", alias=TURN)


@dataclass(eq=False, repr=False)
class Die(base.Die):
    """A throw of a day."""

    turn: str = noted(Moment(), "Day", "Giorno", alias=TURN)


@dataclass(eq=False, repr=False)
class FindingRow(base.FindingRow):
    """What was seen in the orders of a day."""

    turn: str = own(Moment(), "Day", "Giorno", key=True, alias=TURN)


class TwoNames:
    """A row that the book names in both languages."""

    name_en: str
    name_it: str

    def name_in(self, lang: str) -> str:
        """The name in a language."""
        return self.name_it if lang == "it" else self.name_en


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class SpyChance(Record, sheet="SpyChances", sheet_it="Spie"):
    """How well a species spies (TD)."""

    file = "spy_chances"
    about_en = "How well each species spies; * is any other."
    about_it = "Quanto riesce a spiare ogni specie; * vale per le altre."

    faction: str = given(Ref("Factions"), "Faction", "Fazione", key=True)
    species: str = given(Text(), "Species", "Specie", key=True)
    percent: int = given(Whole(0, 100), "Chance %", "Probabilità %")
    amount_faces: int = given(Whole(1), "Faces", "Facce", hint=("of the die of amount", "del dado della quantità"))


@dataclass(eq=False, repr=False)
class Advantage(Record, sheet="Advantages", sheet_it="Vantaggi"):
    """Which unit has the advantage over which (COM)."""

    about_en = "Who has the edge on whom."
    about_it = "Chi è in vantaggio su chi."

    unit: str = given(Text(), "Unit", "Unità", key=True)
    has_advantage_over: str = given(Text(), "Has the advantage over", "In vantaggio su", key=True)


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
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


PRINTED: tuple[type[Record], ...] = (
    Level, StructureType, RuinLevel, Power, SpyChance, Advantage, UnitType, MissionType)
"""The tables of the book, whose rows stand in the folder `tables`, a CSV file each."""
RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Player, Node, Road, Army, Structure, Work,
    Mission, Portal, Observation, Day, Objective, Order, Question,
    Battle, Event, Die, FindingRow, base.Rule, *PRINTED)


# Numbers and switches of no chapter (rulebook: Numbers).


ASSUMED, DERIVED = "ASSUMED", "DERIVED"
YesNo: TypeAlias = Literal["yes", "no"]
NoYes: TypeAlias = Literal["no", "yes"]
AS_UNITS: Mapping[str, Meaning] = MappingProxyType({"units": "pieces", "garrison": "line"})
AS_PIECES: Mapping[str, Meaning] = MappingProxyType(dict.fromkeys(("structure", "mission", "player"), "piece"))
"""What parameters of events stand for that several chapters tell."""


class Numbers(Rules):
    """What the board itself reads, and what several chapters do."""

    attack_cap_scope: Literal["faction", "player"] = switch(
        both("The attacks of a day are counted {option}.", "Gli attacchi di un giorno si contano {option}."),
        both("by faction", "per fazione"), both("by the player who leads them", "per giocatore che li guida"),
        source="T3", usual=True)
    moves_per_moment: int = number(1, both("lines", "linee"),
                                   both("A unit moves {n} {n?line|lines} a moment.",
                                        "Un'unità si sposta di {n} {n?linea|linee} per momento."), minimum=1,
                                   source="MOV")
    garrison_cavalry_needs_06: YesNo = switch(both("Cavalry in garrison needs stables: {option}.",
                                                   "In guarnigione la cavalleria vuole le scuderie: {option}."),
                                              both("yes", "sì"), both("no", "no"),
                                              usual=True)
    limit_share: Literal["shared", "each"] = switch(
        both("The places of barracks are {option}.", "I posti della caserma sono {option}."),
        both("for foot and archers together", "per fanti e arcieri insieme"),
        both("for each of them", "per ciascuno dei due"))
    lvl3_req: Literal["21", "19_ignore_levels", "none"] = switch(
        both("Level 3 asks for {option}.", "Il livello 3 chiede {option}."), both("a mine", "una miniera"),
        both("a signal tower, whose levels do not count", "una torre di segnalazione, senza contare i livelli"),
        both("neither", "nessuna delle due"), source="TL", usual=True)
    build_refund: Literal["none", "half"] = switch(both("Of a lost work {option}.", "Di un cantiere perduto {option}."),
                                                   both("nothing is paid back", "non si rende niente"),
                                                   both("half the cost is paid back", "si rende metà del costo"),
                                                   source="COS", usual=True)
    capture_percent: int = number(10, both("%", "%"),
                                  both("A settlement that falls gives {n}% of its people.",
                                       "Un insediamento che cade dà il {n}% della sua gente."), ASSUMED, source="POT")
    general_acts: YesNo = switch(both("A general has an action of his own: {option}.",
                                      "Il generale ha un'azione propria: {option}."), both("yes", "sì"),
                                 both("no", "no"), source="CON", usual=True)


both.words({
    "night eye": "occhio notturno", "towers": "torri", "muster": "rinforzi", "consent": "consenso",
    "battle_result": "esito della battaglia",
    # what throws are for
    "att": "attaccante", "def": "difensore", "amount": "quantità", "victim": "vittima", "engine": "macchina",
    "target": "bersaglio", "mix": "composizione", "pick": "scelta", "rite": "rito", "sabotage": "sabotaggio",
    "seal": "sigillo",
})

BOARD_CHAPTER = Chapter(both("Structures", "Strutture"),
                        (Citation("TS", "table of structures", "tabella delle strutture"),
                         Citation("TL", "table of levels", "tabella dei livelli", both("Levels", "Livelli"))), Numbers)


ROLLS = RollKinds()
"""The kinds of throw by their word; each purpose is declared in the chapter that throws for it."""
BATTLES = ("{turn}E-{Nodes}-{Nodes}-{n}", "{turn}V-{Nodes}-{Nodes}-{n}")
