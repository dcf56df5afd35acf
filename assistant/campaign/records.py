"""The sheets that every rulebook shares, each declared once as a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from assistant.campaign.columns import (
    Choice,
    Circle,
    Colour,
    Data,
    Moment,
    Ordinal,
    Ref,
    Rows,
    Text,
    Typed,
    Whole,
    article_column,
    column,
    gender_column,
    given,
    label_side_column,
    noted,
    offered,
    own,
    plural_column,
    public,
    wanted,
)
from assistant.campaign.tables import Hold, Record, Table

# Columns for deadlines and absent clubs.


WEEKDAYS = MappingProxyType({"monday": "lunedì", "tuesday": "martedì", "wednesday": "mercoledì", "thursday": "giovedì",
                             "friday": "venerdì", "saturday": "sabato", "sunday": "domenica"})
"""From the first day of the week, as `datetime.date.weekday` counts them."""


@dataclass(eq=False, repr=False)
class DeadlineSettings(Record):
    """Settings of the Desk for deadlines and silent clubs, and for whose map the workbook shows."""

    due_day: str = offered(
        Choice(WEEKDAYS, blank=True), "Due on", "Scade di",
        hint=("weekday on which orders and answers are due; blank: no deadline",
              "giorno in cui scadono ordini e risposte; vuoto: nessuna scadenza"), free=True)
    due_hour: int | None = offered(
        Whole(0, 23, blank=True), "Due at", "Scade alle",
        hint=("hour of the deadline, 0 to 23; blank: 20", "ora della scadenza, da 0 a 23; vuoto: 20"), free=True)
    due_zone: str = offered(
        Text(), "Time zone", "Fuso orario",
        hint=("such as Europe/Rome; blank: UTC", "per esempio Europe/Rome; vuoto: UTC"), free=True)
    not_before: int | None = offered(
        Whole(0, 23, blank=True), "Not before", "Non prima delle",
        hint=("hour of the day before which no phase is called ready",
              "ora del giorno prima della quale nessuna fase si dice pronta"), free=True)
    grace: int | None = offered(
        Whole(0, blank=True), "Grace (hours)", "Tolleranza (ore)",
        hint=("how long the silent have after the deadline",
              "quanto tempo ha ancora, dopo la scadenza, chi tace"), free=True)
    absent: str = offered(
        Choice({"robot": "robot", "nothing": "niente"}, blank=True), "For the silent", "Per chi tace",
        hint=("robot: the assistant plays; nothing: no orders, default answers; blank: as ever",
              "robot: gioca l'assistente; niente: nessun ordine, risposte predefinite; vuoto: come sempre"))
    map_for: str = offered(
        Choice({"referee": "arbitro"}, blank=True), "Map shows", "La mappa mostra",
        hint=("referee: only the referee has this workbook, so its map shows everything; blank: what all may know",
              "arbitro: questo file è solo dell'arbitro, e la sua mappa mostra tutto; vuoto: ciò che sanno tutti"))
    chances: str = offered(
        Choice({"yes": "sì"}, blank=True), "Chances in reports", "Probabilità nei bollettini",
        hint=("yes: each club reads how likely its throws of the coming phase are, from what it knows; blank: no",
              "sì: ogni circolo legge quanto sono probabili i suoi tiri della prossima fase, da ciò che sa; vuoto: no"),
        free=True)
    silent_share: int | None = column(
        Whole(0, 100, blank=True), "Stop above (% silent)", "Fermati oltre (% in silenzio)", edit="referee",
        see="referee", last=True, quiet=True,
        hint=("more clubs than this newly silent: resolve stops; blank: never",
              "se d'un tratto tacciono più circoli, la risoluzione si ferma; vuoto: mai"), free=True)


def deputy_column() -> Any:
    """The column for who is asked for a silent club; it holds an address, so only the referee sees it."""
    return column(Text(), "Deputy", "Vice", edit="referee", see="referee", last=True, quiet=True, width=26, free=True,
                  hint=("who is asked when the club is silent: name and mail address",
                        "a chi si chiede se il circolo tace: nome e indirizzo di posta"))


def holidays_column() -> Any:
    """The column for the holidays that a club has announced."""
    return column(Text(), "Holidays", "Ferie", edit="club", see="owner", last=True, quiet=True, width=26,
                  hint=("days such as 2026-12-24..2027-01-06, several with commas between",
                        "giorni, per esempio 2026-12-24..2027-01-06; più periodi separati da virgole"))


# What a map shows below its places: coasts, rivers and names.


GROUNDS = {"land": "terra", "sea": "mare", "lake": "lago", "river": "fiume", "mountains": "monti", "name": "nome",
           "region": "regione"}
MOST_POINTS = 20_000
"""More points than the map of any club needs, over all outlines."""
_NUMBER = r"-?\d{1,6}(?:\.\d{1,3})?"
_POINT = rf"({_NUMBER}),({_NUMBER})"


@dataclass(eq=False, repr=False)
class Outline(Record, sheet="Outlines", sheet_it="Contorni", quiet=True):
    """A line or an area of the map, or a part of a long one; a sheet that is only there once it is used."""

    about_en = "What the map shows below its places: coasts, rivers, names of seas, borders of regions."
    about_it = "Che cosa mostra la mappa sotto i luoghi: coste, fiumi, nomi di mari, confini di regioni."

    outline: str = given(Text(), "Outline", "Contorno", key=True, required=True, width=16)
    piece: int = given(Whole(1), "Part", "Parte", key=True, default=1,
                      hint=("of a line too long for one cell", "di una linea troppo lunga per una cella"))
    kind: str = given(Choice(GROUNDS), "Kind", "Tipo", default="land")
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18)
    owner: str = given(Ref("Factions", blank=True), "Owner", "Di chi", hint=("of a region", "di una regione"))
    points: str = given(Text(), "Points", "Punti", width=60,
                        hint=("x,y x,y ... in the units of Nodes", "x,y x,y ... nelle unità dei Nodi"))
    place: str = given(Ref("Nodes", blank=True), "Of place", "Del luogo", width=10,
                       hint=("of a region: whoever holds the place has it", "di una regione: è di chi tiene il luogo"))

    def name_in(self, lang: str) -> str:
        """The name in a language."""
        return (self.name_it if lang == "it" else self.name) or self.name or self.name_it


def parse_points(text: str) -> tuple[tuple[float, float], ...] | None:
    """``10,20 30,40`` as points; None for a text that says something else."""
    words = text.replace(";", " ").split()
    matches = [match for word in words[:MOST_POINTS] if (match := re.fullmatch(_POINT, word))]
    return tuple((float(x), float(y)) for x, y in (match.groups() for match in matches)) \
        if len(matches) == len(words) else None


def format_points(points: Iterable[tuple[float, float]]) -> str:
    """Points as the sheet has them, in whole units."""
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)


# The sheets that every ruleset shares. A ruleset subclasses a record to add columns of its own.


REFEREE = "referee"
"""The audience of what only the referee may know, and to whom a question goes."""
ALL = "all"
"""The audience of what all may know."""
OWNERLESS = ("neutral",)
"""The roles of factions that take no part."""
RULES = "npc"
"""The role of a faction that the rules themselves play."""
CLUBLESS = (*OWNERLESS, RULES)
"""The roles of factions that have no club: they order nothing, are not awaited, and get no report."""
STANDING = "standing"
"""The first word in the name of an answer that stands until it is changed."""


@dataclass(eq=False, repr=False)
class Desk(DeadlineSettings, sheet="Desk", sheet_it="Banco", single=True):
    """Where the campaign stands; one row, shown as a list of settings."""

    about_en = "Where the campaign stands, who is awaited, what to do next."
    about_it = "A che punto è la campagna, chi si aspetta, che cosa fare adesso."

    ruleset: str = given(Text(), "Rulebook", "Regolamento", key=True)
    title: str = given(Text(), "Campaign", "Campagna")
    edition: str = given(Text(), "Edition", "Edizione")
    language: str = given(Choice({"en": "inglese", "it": "italiano"}), "Language", "Lingua", default="en", free=True)
    turn: str = public(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    phase: str = public(Text(), "Phase", "Fase", alias=("passo",))
    campaign_id: str = column(Text(), "Campaign id", "Sigla della campagna", see="referee", last=True)
    format: int = column(Whole(1), "Format", "Formato", default=1, see="referee", last=True)
    marks: str = column(Text(), "Marks of changes", "Segni delle modifiche", see="referee", last=True, later=True,
                        quiet=True, drawn=True,
                        hint=("by these Arbitro knows which ledger belongs to this workbook; leave them as they are",
                              "da questi Arbitro riconosce il registro di questo file; lasciali come sono"))


@dataclass(eq=False, repr=False)
class Faction(Record, sheet="Factions", sheet_it="Fazioni", whose=("faction",)):
    """One side of the campaign: a club, a robot, or the neutrals."""

    about_en = "The clubs, their colours and where their reports go."
    about_it = "I circoli, i loro colori e dove vanno i loro bollettini."

    faction: str = given(Text(), "Code", "Sigla", key=True, required=True, alias=("fazione",))
    name_en: str = given(Text(), "Name (English)", "Nome inglese", alias=("name",), width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22)
    club: str = given(Text(), "Club", "Circolo", width=24)
    mail: str = column(Text(), "Mail", "Posta", edit="referee", see="referee", width=26, free=True)
    language: str = given(Choice({"en": "inglese", "it": "italiano"}), "Language", "Lingua", default="en", free=True)
    colour: str = given(Colour(), "Colour", "Colore", default="#808080")
    role: str = given(
        Choice({"player": "giocatore", "robot": "robot", "neutral": "neutrale"}), "Role", "Ruolo", default="player",
        hint=("player: a club; robot: the assistant plays; neutral: owns the places of nobody",
              "giocatore: un circolo; robot: gioca l'assistente; neutrale: tiene i luoghi di nessuno"))
    article: str = article_column()
    gender: str = gender_column()
    plural: str = plural_column()
    deputy: str = deputy_column()
    holidays: str = holidays_column()

    @property
    def self_run(self) -> bool:
        """Whether the rules play it now: what its club would decide they throw for, or the referee is asked."""
        return self.role == RULES

    def name(self, lang: str) -> str:
        """The name in a language, or the other language's, or the code."""
        first, second = (self.name_it, self.name_en) if lang == "it" else (self.name_en, self.name_it)
        return first or second or self.faction


@dataclass(eq=False, repr=False)
class Nation(Faction):
    """A faction that a club or a robot plays, or the rules themselves; the referee may change that between phases."""

    role: str = column(
        Choice({"player": "giocatore", "robot": "robot", RULES: "autonoma", "neutral": "neutrale"}), "Role", "Ruolo",
        default="player", edit="referee", see="public",
        hint=("player: a club; robot: the assistant plays; npc: the rules themselves; neutral: owns the places of"
              " nobody", "giocatore: un circolo; robot: gioca l'assistente; autonoma: la giocano le regole; neutrale:"
              " tiene i luoghi di nessuno"))


class TwoNames:
    """A row that has a name, perhaps another in Italian."""

    name: str
    name_it: str

    def name_in(self, lang: str) -> str:
        """The name in a language."""
        return (self.name_it if lang == "it" else "") or self.name


NAMES = ("name", "name_en", "name_it")
"""Columns that hold what people call a row."""


def names_held(row: Record) -> list[str]:
    """The names of a row in either language; [] if it has none."""
    return [name for field in NAMES if isinstance(name := getattr(row, field, ""), str) and name.strip()]


def code_lookup(rows: Iterable[Record]) -> dict[str, str]:
    """Casefolded code or name -> code, for some rows; names that two of them share are left out."""
    rows = list(rows)
    by_name: dict[str, set[str]] = {}
    for row in rows:
        for name in names_held(row):
            by_name.setdefault(name.strip().casefold(), set()).add(row.ident)
    unshared = {name: next(iter(codes)) for name, codes in by_name.items() if len(codes) == 1}
    return unshared | {row.ident.casefold(): row.ident for row in rows}


@dataclass(eq=False, repr=False)
class Node(Record, sheet="Nodes", sheet_it="Nodi"):
    """One place of the map: a node, a hex or a square."""

    about_en = "The places of the map, who holds them and what stands there."
    about_it = "I luoghi della mappa, chi li tiene e che cosa vi sorge."

    node: str = given(Text(), "Node", "Nodo", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=20)
    x: int = given(Whole(), "x", "x", hint=("drawing units, to the east", "unità di disegno, verso est"), drawn=True)
    y: int = given(Whole(), "y", "y", hint=("drawing units, to the south", "unità di disegno, verso sud"), drawn=True)
    name_en: str = offered(Text(), "Name (English)", "Nome inglese", width=20,
                           hint=("where it differs from Name", "dove è diverso da Nome"))
    name_it: str = offered(Text(), "Name (Italian)", "Nome italiano", width=20,
                           hint=("where it differs from Name", "dove è diverso da Nome"))
    article: str = article_column()
    gender: str = gender_column()
    plural: str = plural_column()
    side: str = label_side_column()

    def name_in(self, lang: str) -> str:
        """The name in a language, or the name of both; "" where it has none."""
        return (self.name_it if lang == "it" else self.name_en) or self.name


@dataclass(eq=False, repr=False)
class Road(Record, sheet="Roads", sheet_it="Strade", unique=False):
    """A way between two nodes; one row serves both directions."""

    about_en = "Which places are joined, and how. One row serves both directions."
    about_it = "Quali luoghi sono uniti, e come. Una riga vale nei due sensi."

    a: str = given(Ref("Nodes"), "From", "Da", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes"), "To", "A", key=True, alias=("to_node",), required=True)
    kind: str = given(Text(), "Kind", "Tipo")
    name: str = given(Text(), "Name", "Nome", width=20)

    @property
    def one_way(self) -> bool:
        """Whether it leads from a to b only; a ruleset says so by kind, or in a column of its own."""
        return False


@dataclass(eq=False, repr=False)
class Link(Road, unique=True):
    """A way with a code of its own, for rulesets in which two places may be joined by several."""

    about_en = "Which places are joined, and how; two places may be joined in several ways."
    about_it = "Quali luoghi sono uniti, e come; due luoghi possono esserlo in più modi."

    road: str = given(Text(), "Link", "Via", key=True, first=True, required=True)
    a: str = given(Ref("Nodes"), "From", "Da", alias=("from_node",), required=True)
    b: str = given(Ref("Nodes"), "To", "A", alias=("to_node",), required=True)


@dataclass(eq=False, repr=False)
class Army(Record, sheet="Armies", sheet_it="Armate", whose=("faction",)):
    """Whatever marches on the map."""

    about_en = "The armies and where they stand. Only the assistant changes them."
    about_it = "Le armate e dove stanno. Le cambia solo l'assistente."

    army: str = public(Text(), "Army", "Armata", key=True, required=True)
    faction: str = public(Ref("Factions"), "Faction", "Fazione", required=True)
    node: str = public(Ref("Nodes", blank=True), "At", "Al nodo")


def outcome(words: Mapping[str, str]) -> Any:
    """The column `outcome` of a ruleset's Orders: what an order came to that was accepted, as its phase says it.

    `words`: code -> Italian, such as ``bounced``; a ruleset that says no more than the status has no such column.
    """
    return own(Choice(words, blank=True), "Outcome", "Risultato", last=True, later=True, width=14)


@dataclass(eq=False, repr=False)
class Order(Record, sheet="Orders", sheet_it="Ordini", whose=("faction",)):
    """What a faction wants done: typed by the club, checked, kept for ever."""

    about_en = "One order a row: type it in the columns, or all of it in the column In words."
    about_it = "Un ordine per riga: nelle colonne, oppure tutto nella colonna A parole."

    order: str = wanted(Text(), "Order", "Ordine", key=True, width=18,
                        hint=("leave blank: the assistant numbers it", "lascia vuoto: lo numera l'assistente"))
    turn: str = wanted(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    phase: str = wanted(Text(), "Phase", "Fase", alias=("for", "per", "passo"))
    faction: str = wanted(Ref("Factions"), "Faction", "Fazione", alias=("nazione",), required=True)
    seq: int | str | None = wanted(Ordinal(blank=True), "No.", "N.", alias=("line",),
                             hint=("in which order the rows are taken; blank: as they stand",
                                   "in che ordine si prendono le righe; vuoto: come stanno"))
    verb: str = wanted(Text(), "Verb", "Verbo", alias=("order to",), width=14)
    text: str = wanted(
        Text(), "In words", "A parole", alias=("testo",), last=True, width=26,
        hint=("the whole order in words, if you leave the verb blank; the orders card has examples",
              "qui l'ordine per esteso, se lasci vuoto il verbo; gli esempi sono nella scheda degli ordini"))
    status: str = own(
        Choice({"accepted": "accettato", "refused": "respinto", "replaced": "sostituito", "pinned": "bloccato",
                "superseded": "superato", "withdrawn": "ritirato"},
               blank=True), "Status", "Esito", last=True, width=12,
        hint=("superseded: a correction put another order in its place; the number before ~ names it",
              "superato: una correzione ha messo un altro ordine al suo posto; lo indica il numero prima di ~"))

    @property
    def hold(self) -> Hold:
        """The club's until it is judged."""
        return "settled" if self.status else "typed"


@dataclass(eq=False, repr=False)
class Question(Record, sheet="Questions", sheet_it="Domande", whose=("to",)):
    """What a phase needs from a person before it can end."""

    about_en = "What the phase needs to know before it can end. Type into the Answer column."
    about_it = "Che cosa serve alla fase per finire. Scrivi nella colonna Risposta."

    question: str = own(Text(), "Question", "Domanda", key=True, width=30)
    turn: str = own(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    phase: str = own(Text(), "Phase", "Fase", alias=("passo",), width=12)
    kind: str = own(Text(), "Kind", "Tipo", width=14)
    to: str = own(Text(), "To", "A chi", alias=("a",))
    about: str = own(Text(), "About", "Riguardo a", width=22)
    options: str = own(Text(), "Options", "Possibilità", width=28, alias=("opzioni",))
    default: str = own(Text(), "If no answer", "Se non risponde", width=16, alias=("predefinita",))
    answer: str = wanted(Text(), "Answer", "Risposta", width=22)
    asked: dict[str, Any] = own(Data(), "Details", "Dettagli", last=True)
    so_far: dict[str, Any] = own(Data(), "So far", "Finora", last=True)
    status: str = own(
        Choice({"open": "aperta", "answered": "risposta", "void": "annullata", "superseded": "superata"}, blank=True),
        "Status", "Stato", last=True)

    @property
    def hold(self) -> Hold:
        """An answer that is early is people's own row; a question that is open asks for its answer."""
        return _hold_of_form(self.status)

    @classmethod
    def name_for(cls, turn: str, phase: str, kind: str, to: str, about: str) -> str:
        """What a question is called: ``<turn>.<phase>.<kind>.<to>[.<about>]``.

        A ruleset may name its questions otherwise; where the name says neither turn nor phase, its record
        makes these two part of the key.
        """
        return ".".join(part for part in (turn, phase, kind, to, about) if part)

    @classmethod
    def standing_name(cls, kind: str, to: str, about: str) -> str:
        """What the row of an answer is called that stands until it is changed; the same in every ruleset."""
        return ".".join(part for part in (STANDING, kind, to, about) if part)

    @property
    def stands(self) -> bool:
        """Whether the row is an answer that stands until it is changed: it is of no turn and no phase."""
        return not self.turn and not self.phase and self.question.startswith(f"{STANDING}.")

    @property
    def timeless(self) -> bool:
        """An answer that stands until it is changed is of every phase."""
        return self.stands

    def complete(self) -> None:
        """Fill in what an answer that came early leaves out: its name, from kind, addressee and subject."""
        if not self.question:
            self.question = self.name_for(self.turn, self.phase, self.kind, self.to, self.about)


@dataclass(eq=False, repr=False)
class TurnQuestion(Question):
    """A question whose name says only what it is about, and comes again: turn and phase are part of its key."""

    question: str = own(Text(), "Question", "Domanda", key=True, width=30, required=True)
    turn: str = own(Moment(), "Turn", "Turno", key=True, alias=("year", "day", "anno", "giorno"))
    phase: str = own(Text(), "Phase", "Fase", alias=("passo",), key=True, width=12)

    @classmethod
    def name_for(cls, turn: str, phase: str, kind: str, to: str, about: str) -> str:
        """``<kind>/<about>``."""
        return f"{kind}/{about}" if about else kind

    def complete(self) -> None:
        """The name from kind and subject, or these from the name."""
        super().complete()
        if not self.kind:
            self.kind, _, self.about = self.question.partition("/")


WON = {"a": 0, "attacker": 0, "b": 1, "defender": 1, "draw": 2, "stalemate": 2}
"""The words for the result of a battle -> the side that won, 2 for none."""


@dataclass(eq=False, repr=False)
class Battle(Record, sheet="Battles", sheet_it="Battaglie"):
    """A battle handed to the table: the dossier's head and the form of its result."""

    about_en = "Battles for the table. When one is fought, type its result into the form's columns."
    about_it = "Battaglie per il tavolo. Dopo la partita scrivi l'esito nelle colonne del modulo."

    battle: str = column(Text(), "Battle", "Battaglia", key=True, width=16, required=True,
                         see=Circle("all, once it is laid out", lambda row, _: row.hold != "typed"))
    turn: str = public(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    node: str = public(Ref("Nodes", blank=True), "At", "Al nodo")
    parties: ClassVar[tuple[str, str]] = ("attacker", "defender")
    """The columns that name the two sides."""
    forces: ClassVar[tuple[str, ...]] = ()
    """The columns that say how strong the two sides were, if the sheet has such."""

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The codes of who fought whom; () for a side that the sheet or the view does not name."""
        first, second = (tuple(str(getattr(self, name, "")).split()) for name in self.parties)
        return first, second

    @property
    def strengths(self) -> tuple[int | None, ...]:
        """How strong the two sides were, None where that is not known; () if the sheet has no such columns."""
        return tuple(getattr(self, name) for name in self.forces)

    @property
    def winner_side(self) -> int | None:
        """The side that won, 0 or 1; 2 for a draw; None before the result counts and where it is no such word."""
        result = str(getattr(self, "winner", "") or getattr(self, "outcome", ""))
        return WON.get(result) if self.hold == "settled" else None

    @property
    def hold(self) -> Hold:
        """As a question: a result that is early, a form that is open, a battle that is over.

        A ruleset whose battles have no status leaves their forms open.
        """
        return _hold_of_form(str(getattr(self, "status", "open")))


@dataclass(eq=False, repr=False)
class FormRow(Record):
    """A further part of a battle's form: rows that people fill in beside the battle's own. A ruleset's sheets, which
    say whose their rows are.
    """

    battle: str = noted(Text(), "Battle", "Battaglia", key=True, required=True)
    status: str = own(Choice({"counted": "contata", "superseded": "superata"}, blank=True), "Status", "Stato",
                      last=True)

    @property
    def hold(self) -> Hold:
        """People's own until the battle has been counted with it."""
        return "settled" if self.status else "typed"


def _hold_of_form(status: str) -> Hold:
    return "typed" if not status else "asked" if status == "open" else "settled"


ADDRESSEES = Circle("those whom its column For names", lambda row, reader: row.for_faction(reader.code))
"""Whose an event or a die is."""


@dataclass(eq=False, repr=False)
class Event(Record, sheet="Events", sheet_it="Cronaca", grows=True, whose=ADDRESSEES):
    """Something that happened: a type with parameters, worded when it is shown."""

    about_en = "Everything that happened, who may know it, and the rule it rests on."
    about_it = "Tutto quello che è accaduto, chi può saperlo e la regola che lo regge."

    no: int = own(Whole(1), "No.", "N.", key=True)
    turn: str = own(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    phase: str = own(Text(), "Phase", "Fase", alias=("passo",), width=12)
    audience: str = own(Text(), "For", "Per chi",
                        hint=("all, referee, or codes of factions", "all, referee, o sigle di fazioni"))
    event: str = own(Text(), "Type", "Tipo", width=20)
    rule: str = own(Text(), "Rule", "Regola", width=14)
    data: dict[str, Any] = own(Data(), "Data", "Dati", last=True)
    roll: dict[str, Any] = own(Data(), "Roll", "Tiro", last=True)
    touched: str = column(Rows(), "Touches", "Tocca", see="referee", last=True)

    def for_faction(self, faction: str) -> bool:
        """Whether that faction may know of it."""
        return self.audience == ALL or faction in self.audience.split()


def next_number(events: Table[Event]) -> int:
    """The number that the next event gets."""
    return next((int(key) for key in events.from_the_last() if key.isdecimal()), 0) + 1


@dataclass(eq=False, repr=False)
class Die(Record, sheet="Dice", sheet_it="Dadi", whose=ADDRESSEES):
    """One throw: typed in by the referee, or made by the assistant from the turn's secret."""

    about_en = "Every die. A row typed here before the phase wins over the assistant's own throw."
    about_it = "Tutti i dadi. Una riga scritta qui prima della fase vale al posto del tiro dell'assistente."

    key: str = noted(Text(), "Purpose", "Scopo", key=True, width=36, alias=("purpose",), required=True)
    dice: str = noted(Text(), "Dice", "Dadi",
                      hint=("such as 2d6; blank: those of the purpose", "per esempio 2d6; vuoto: quelli dello scopo"))
    value: str = noted(Moment(), "Value", "Valore", required=True)
    turn: str = noted(Moment(), "Turn", "Turno", alias=("year", "day", "anno", "giorno"))
    phase: str = noted(Text(), "Phase", "Fase", alias=("passo",), width=16)
    source: str = noted(Choice({"table": "tavolo", "assistant": "assistente", "superseded": "superato"},
                               also={"typed": "table", "digitato": "table"}), "Thrown by", "Tirato da",
                        default="table", alias=("thrown_by",))
    audience: str = own(Text(), "For", "Per chi", last=True)

    def for_faction(self, faction: str) -> bool:
        """Whether that faction may know it."""
        return self.audience == "public" or bool(faction and faction in self.audience.split("+"))

    @property
    def hold(self) -> Hold:
        """A die of the table is people's own until a phase has used it, and so knows who may see it."""
        return "typed" if self.source == "table" and not self.audience else "settled"

    @property
    def timeless(self) -> bool:
        """A die that was typed without them is of the phase that throws it next."""
        return self.hold == "typed"

    @property
    def waits(self) -> bool:
        """Whether it was typed for the next throw of its purpose, whenever that is."""
        return self.timeless and not self.turn and not self.phase


@dataclass(eq=False, repr=False)
class TurnDie(Die):
    """A throw whose purpose does not say its turn, and comes again: turn and phase are part of its key."""

    turn: str = noted(Moment(), "Turn", "Turno", key=True, alias=("year", "day", "anno", "giorno"))
    phase: str = noted(Text(), "Phase", "Fase", alias=("passo",), key=True, width=12)


@dataclass(eq=False, repr=False)
class Rule(Record, sheet="Rules", sheet_it="Regole"):
    """A number or switch of the rulebook that this campaign sets by hand."""

    about_en = "Numbers and choices: a value here beats the edition's. The + at the left opens what is seldom set."
    about_it = "Numeri e scelte: un valore qui vale più dell'edizione. Il + a sinistra apre ciò che si cambia di rado."

    key: str = given(Text(), "Key", "Chiave", key=True, width=26, required=True)
    value: Any = given(Typed(), "Value", "Valore", width=30)


@dataclass(eq=False, repr=False)
class FindingRow(Record, sheet="Findings", sheet_it="Rilievi", unique=False, grows=True, whose=("faction",)):
    """A finding of a resolved phase, kept so that a club can read later what was refused and why."""

    about_en = "What was seen in the orders of the phases that were resolved."
    about_it = "Che cosa è stato rilevato negli ordini delle fasi risolte."

    turn: str = own(Moment(), "Turn", "Turno", key=True, alias=("year", "day", "anno", "giorno"))
    phase: str = own(Text(), "Phase", "Fase", alias=("passo",), key=True, width=12)
    table: str = own(Text(), "Sheet", "Foglio", key=True)
    row: str = own(Text(), "Row", "Riga", key=True, width=18)
    code: str = own(Text(), "Code", "Codice", key=True)
    severity: str = own(Choice({"error": "errore", "ambiguous": "dubbio", "warning": "avviso", "info": "nota"}),
                        "Severity", "Gravità", default="error")
    field: str = own(Text(), "Column", "Colonna")
    faction: str = own(Text(), "Faction", "Fazione")
    data: dict[str, Any] = own(Data(), "Data", "Dati", last=True)


VERDICTS = MappingProxyType({"open": "aperta", "counts": "vale", "does not": "non vale", "asked": "chiesto",
                             "aside": "a parte"})
"""What became of something that came. ``open``: a person must decide; ``aside``: it has no right code, or something
newer stands in its place; ``asked``: the question goes back to its club.
"""
DECISIONS = MappingProxyType({"counts": "vale", "does not": "non vale", "ask": "chiedi"})
_VERDICT_OF = {"counts": "counts", "does not": "does not", "ask": "asked"}
"""The verdict to which each decision leads."""


@dataclass(eq=False, repr=False)
class InboxRow(Record, sheet="Inbox", sheet_it="Posta", apart=True):
    """A mail, file or line that came. Only the referee knows it, no phase reads it, and nothing takes it away.

    What a decision needs comes first, so that it stands on a small screen without scrolling.
    """

    about_en = "Whatever came, in its own words. Where the verdict is open, choose in the column Decide."
    about_it = "Tutto ciò che è arrivato, con le sue parole. Dove l'esito è aperto, scegli nella colonna Decidi."

    no: int = column(Whole(1), "No.", "N.", key=True, see="referee", width=6)
    club: str = column(Ref("Factions", blank=True, own_finding=True), "Club", "Circolo", edit="referee", see="referee",
                       hint=("whose it is; fill it in where it is blank and the row is to count",
                             "di chi è; se è vuota e la riga deve valere, scrivilo"))
    held: str = column(Text(), "What came", "Che cosa è arrivato", see="referee", width=40)
    reading: str = column(Text(), "How it was read", "Come è stato letto", see="referee", width=30)
    verdict: str = column(Choice(VERDICTS, own_finding=True), "Verdict", "Esito", see="referee", default="open")
    decide: str = column(
        Choice(DECISIONS, blank=True, also={"does_not": "does not"}, own_finding=True), "Decide", "Decidi",
        edit="referee", see="referee",
        hint=("counts: they are orders; does not: closed; ask: the club is asked",
              "vale: sono ordini; non vale: chiusa; chiedi: torna al circolo"))
    turn: str = column(Moment(), "Turn", "Turno", see="referee")
    when: str = column(Text(), "When", "Quando", see="referee", width=13)
    sender: str = column(Text(), "From", "Da", see="referee", width=18)
    source: str = column(Text(), "Source", "Fonte", see="referee", last=True, width=24)

    @property
    def waits(self) -> bool:
        """Whether a person must decide about it."""
        return self.verdict == "open"

    @property
    def decided(self) -> bool:
        """Whether a decision about it was carried out; one that was taken in its place was closed with it."""
        return self.verdict == _VERDICT_OF.get(self.decide) or (not self.decide and self.verdict == "does not")


def with_shared_sheets(records: tuple[type[Record], ...]) -> tuple[type[Record], ...]:
    """The sheets of a ruleset, with those last that no rulebook declares itself: outlines, and what came."""
    known = {record.sheet for record in records}
    return (*records, *(record for record in (Outline, InboxRow) if record.sheet not in known))


BASE: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, Order, Question, Battle, Event, Die, FindingRow, Rule)
UNTOLD: tuple[type[Record], ...] = (Event, Die, Question, FindingRow)
"""What the assistant itself notes; no event tells its changes."""
JUDGED = ("accepted", "refused", "replaced")
"""The statuses of orders that the phase has dealt with in the usual way."""
OPTIONAL_RECORDS: Mapping[str, type[Record]] = MappingProxyType(
    {record.sheet: record for record in (Road, Army, Battle, Die)}
)
"""Shared sheets that a ruleset may do without: a game without dice has no sheet of dice."""
