"""The sheets that every ruleset shares. A ruleset subclasses a record to add columns of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign.columns import Choice, Colour, Data, Moment, Ref, Text, Typed, Whole, column
from assistant.campaign.record import Hold, Record
from assistant.campaign.see import Circle, Whose
from assistant.campaign.table import Table

REFEREE = "referee"
ALL = "all"
OWNERLESS = ("neutral",)
STANDING = "standing"
"""The first word in the name of an answer that stands until it is changed."""


@dataclass
class Desk(Record):
    """Where the campaign stands; one row, shown as a list of settings."""

    sheet: ClassVar[str] = "Desk"
    sheet_it: ClassVar[str] = "Banco"
    file: ClassVar[str] = "desk"
    single: ClassVar[bool] = True
    about_en: ClassVar[str] = "Where the campaign stands, who is awaited, what to do next."
    about_it: ClassVar[str] = "A che punto è la campagna, chi si aspetta, che cosa fare adesso."

    ruleset: str = column(Text(), "Rulebook", "Regolamento", key=True, edit="referee", see="public")
    title: str = column(Text(), "Campaign", "Campagna", edit="referee", see="public")
    edition: str = column(Text(), "Edition", "Edizione", edit="referee", see="public")
    language: str = column(Choice({"en": "inglese", "it": "italiano"}), "Language", "Lingua",
                           default="en", edit="referee", see="public")
    turn: str = column(Moment(), "Turn", "Turno", see="public", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "Phase", "Passo", see="public")
    campaign_id: str = column(Text(), "Campaign id", "Sigla della campagna", see="referee", last=True)
    format: int = column(Whole(1), "Format", "Formato", default=1, see="referee", last=True)


@dataclass
class Faction(Record):
    """One side of the campaign: a club, a robot, or the neutrals."""

    sheet: ClassVar[str] = "Factions"
    sheet_it: ClassVar[str] = "Fazioni"
    file: ClassVar[str] = "factions"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "The clubs, their colours and where their reports go."
    about_it: ClassVar[str] = "I circoli, i loro colori e dove vanno i loro bollettini."

    faction: str = column(Text(), "Code", "Sigla", key=True, edit="referee", see="public", required=True)
    name_en: str = column(Text(), "Name (English)", "Nome inglese", alias=("name",), edit="referee", see="public",
                          width=22)
    name_it: str = column(Text(), "Name (Italian)", "Nome italiano", edit="referee", see="public", width=22)
    club: str = column(Text(), "Club", "Circolo", edit="referee", see="public", width=24)
    mail: str = column(Text(), "Mail", "Posta", edit="referee", see="referee", width=26)
    language: str = column(Choice({"en": "inglese", "it": "italiano"}), "Language", "Lingua",
                           default="en", edit="referee", see="public")
    colour: str = column(Colour(), "Colour", "Colore", default="#808080", edit="referee", see="public")
    role: str = column(
        Choice({"player": "giocatore", "robot": "robot", "neutral": "neutrale"}), "Role", "Ruolo",
        default="player", edit="referee", see="public",
        hint=("player: a club; robot: the assistant plays; neutral: owns the places of nobody",
              "giocatore: un circolo; robot: gioca l'assistente; neutrale: tiene i luoghi di nessuno"))

    def name(self, lang: str) -> str:
        """The name in a language, or the other language's, or the code."""
        first, second = (self.name_it, self.name_en) if lang == "it" else (self.name_en, self.name_it)
        return first or second or self.faction


NAMES = ("name", "name_en", "name_it")
"""Columns that hold what people call a row."""


def called(rows: Iterable[Record]) -> dict[str, str]:
    """What rows are called, casefolded -> their codes: their codes, and names that no two of them have."""
    rows = list(rows)
    by_name: dict[str, set[str]] = {}
    for row in rows:
        for field in NAMES:
            name = str(getattr(row, field, "")).strip().casefold()
            if name:
                by_name.setdefault(name, set()).add(row.ident)
    found = {name: next(iter(codes)) for name, codes in by_name.items() if len(codes) == 1}
    return found | {row.ident.casefold(): row.ident for row in rows}


@dataclass
class Node(Record):
    """One place of the map: a node, a hex or a square."""

    sheet: ClassVar[str] = "Nodes"
    sheet_it: ClassVar[str] = "Nodi"
    file: ClassVar[str] = "nodes"
    about_en: ClassVar[str] = "The places of the map, who holds them and what stands there."
    about_it: ClassVar[str] = "I luoghi della mappa, chi li tiene e che cosa vi sorge."

    node: str = column(Text(), "Node", "Nodo", key=True, edit="referee", see="public", required=True)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=20)
    x: int = column(Whole(), "x", "x", edit="referee", see="public",
                    hint=("drawing units, to the east", "unità di disegno, verso est"))
    y: int = column(Whole(), "y", "y", edit="referee", see="public",
                    hint=("drawing units, to the south", "unità di disegno, verso sud"))


@dataclass
class Road(Record):
    """A way between two nodes; one row serves both directions."""

    sheet: ClassVar[str] = "Roads"
    sheet_it: ClassVar[str] = "Strade"
    file: ClassVar[str] = "roads"
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "Which places are joined, and how. One row serves both directions."
    about_it: ClassVar[str] = "Quali luoghi sono uniti, e come. Una riga vale nei due sensi."

    a: str = column(Ref("Nodes"), "From", "Da", key=True, edit="referee", see="public", alias=("from_node",),
                    required=True)
    b: str = column(Ref("Nodes"), "To", "A", key=True, edit="referee", see="public", alias=("to_node",), required=True)
    kind: str = column(Text(), "Kind", "Tipo", edit="referee", see="public")
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=20)


@dataclass
class Army(Record):
    """Whatever marches on the map."""

    sheet: ClassVar[str] = "Armies"
    sheet_it: ClassVar[str] = "Armate"
    file: ClassVar[str] = "armies"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "The armies and where they stand. Only the assistant changes them."
    about_it: ClassVar[str] = "Le armate e dove stanno. Le cambia solo l'assistente."

    army: str = column(Text(), "Army", "Armata", key=True, see="public", required=True)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", see="public", required=True)
    node: str = column(Ref("Nodes", blank=True), "At", "Al nodo", see="public")


@dataclass
class Order(Record):
    """What a faction wants done: typed by the club, checked, kept for ever."""

    sheet: ClassVar[str] = "Orders"
    sheet_it: ClassVar[str] = "Ordini"
    file: ClassVar[str] = "orders"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "One order a row: type it in the columns, or in words in the last one."
    about_it: ClassVar[str] = "Un ordine per riga: nelle colonne, oppure a parole nell'ultima."

    order: str = column(Text(), "Order", "Ordine", key=True, edit="club", see="owner", width=18,
                        hint=("leave blank: the assistant numbers it", "lascia vuoto: lo numera l'assistente"))
    turn: str = column(Moment(), "Turn", "Turno", edit="club", see="owner", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "For", "Per", edit="club", see="owner")
    faction: str = column(Ref("Factions"), "Faction", "Fazione", edit="club", see="owner", required=True)
    seq: int | None = column(Whole(blank=True), "No.", "N.", edit="club", see="owner", alias=("line",),
                             hint=("in which order the rows are taken; blank: as they stand",
                                   "in che ordine si prendono le righe; vuoto: come stanno"))
    verb: str = column(Text(), "Order to", "Verbo", edit="club", see="owner", width=14)
    text: str = column(Text(), "In words", "A parole", edit="club", see="owner", last=True, width=26,
                       hint=("for example V8 F7; used when the verb is blank",
                             "per esempio V8 F7; vale se il verbo è vuoto"))
    status: str = column(
        Choice({"accepted": "accettato", "refused": "respinto", "replaced": "sostituito", "pinned": "bloccato",
                "superseded": "superato", "withdrawn": "ritirato"},
               blank=True), "Status", "Esito", see="owner", last=True, width=12,
        hint=("superseded: a correction put another order in its place; the number before ~ names it",
              "superato: una correzione ha messo un altro ordine al suo posto; lo indica il numero prima di ~"))

    @property
    def hold(self) -> Hold:
        """The club's until it is judged."""
        return "settled" if self.status else "typed"


@dataclass
class Question(Record):
    """What a phase needs from a person before it can end."""

    sheet: ClassVar[str] = "Questions"
    sheet_it: ClassVar[str] = "Domande"
    file: ClassVar[str] = "questions"
    whose: ClassVar[Whose] = ("to",)
    about_en: ClassVar[str] = "What the phase needs to know before it can end. Type into the Answer column."
    about_it: ClassVar[str] = "Che cosa serve alla fase per finire. Scrivi nella colonna Risposta."

    question: str = column(Text(), "Question", "Domanda", key=True, see="owner", width=30)
    turn: str = column(Moment(), "Turn", "Turno", see="owner", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "Phase", "Passo", see="owner", width=12)
    kind: str = column(Text(), "Kind", "Tipo", see="owner", width=14)
    to: str = column(Text(), "To", "A chi", see="owner")
    about: str = column(Text(), "About", "Riguardo a", see="owner", width=22)
    options: str = column(Text(), "Options", "Possibilità", see="owner", width=28)
    default: str = column(Text(), "If no answer", "Se non risponde", see="owner", width=16)
    answer: str = column(Text(), "Answer", "Risposta", edit="club", see="owner", width=22)
    asked: dict[str, Any] = column(Data(), "Details", "Dettagli", see="owner", last=True)
    so_far: dict[str, Any] = column(Data(), "So far", "Finora", see="owner", last=True)
    status: str = column(Choice({"open": "aperta", "answered": "risposta", "void": "annullata",
                                 "superseded": "superata"}, blank=True),
                         "Status", "Stato", see="owner", last=True)

    @property
    def hold(self) -> Hold:
        """An answer that is early is people's own row; a question that is open asks for its answer."""
        return _hold_of_form(self.status)

    @classmethod
    def named(cls, turn: str, phase: str, kind: str, to: str, about: str) -> str:
        """What a question is called: ``<turn>.<phase>.<kind>.<to>[.<about>]``.

        A ruleset may name its questions otherwise; where the name says neither turn nor phase, its record
        makes these two part of the key.
        """
        return ".".join(part for part in (turn, phase, kind, to, about) if part)

    @classmethod
    def standing_named(cls, kind: str, to: str, about: str) -> str:
        """What the row of an answer is called that stands until it is changed; the same in every ruleset."""
        return ".".join(part for part in (STANDING, kind, to, about) if part)

    @property
    def stands(self) -> bool:
        """Whether the row is an answer that stands until it is changed: it is of no turn and no phase."""
        return not self.turn and not self.phase and self.question.startswith(f"{STANDING}.")

    def complete(self) -> None:
        """Fill in what an answer that came early leaves out: its name, from kind, addressee and subject."""
        if not self.question:
            self.question = self.named(self.turn, self.phase, self.kind, self.to, self.about)


@dataclass
class Battle(Record):
    """A battle handed to the table: the dossier's head and the form of its result."""

    sheet: ClassVar[str] = "Battles"
    sheet_it: ClassVar[str] = "Battaglie"
    file: ClassVar[str] = "battles"
    about_en: ClassVar[str] = "Battles for the table. When one is fought, type its result into the form's columns."
    about_it: ClassVar[str] = "Battaglie per il tavolo. Dopo la partita scrivi l'esito nelle colonne del modulo."

    battle: str = column(Text(), "Battle", "Battaglia", key=True, width=16, required=True,
                         see=Circle("all, once it is laid out", lambda row, _: row.hold != "typed"))
    turn: str = column(Moment(), "Turn", "Turno", see="public", alias=("year", "day", "anno", "giorno"))
    node: str = column(Ref("Nodes", blank=True), "At", "Al nodo", see="public")

    @property
    def hold(self) -> Hold:
        """As a question: a result that is early, a form that is open, a battle that is over.

        A ruleset whose battles have no status leaves their forms open.
        """
        return _hold_of_form(str(getattr(self, "status", "open")))


@dataclass
class FormRow(Record):
    """A further part of a battle's form: rows that people fill in beside the battle's own. A ruleset's sheets, which
    say whose their rows are.
    """

    battle: str = column(Text(), "Battle", "Battaglia", key=True, edit="referee", see="owner", required=True)
    status: str = column(Choice({"counted": "contata", "superseded": "superata"}, blank=True), "Status", "Stato",
                         see="owner", last=True)

    @property
    def hold(self) -> Hold:
        """People's own until the battle has been counted with it."""
        return "settled" if self.status else "typed"


def _hold_of_form(status: str) -> Hold:
    return "typed" if not status else "asked" if status == "open" else "settled"


TOLD = Circle("those whom its column For names", lambda row, reader: row.for_faction(reader.code))
"""Whose an event or a die is."""


@dataclass
class Event(Record):
    """Something that happened: a type with parameters, worded when it is shown."""

    sheet: ClassVar[str] = "Events"
    sheet_it: ClassVar[str] = "Cronaca"
    file: ClassVar[str] = "events"
    grows: ClassVar[bool] = True
    whose: ClassVar[Whose] = TOLD
    about_en: ClassVar[str] = "Everything that happened, who may know it, and the rule it rests on."
    about_it: ClassVar[str] = "Tutto quello che è accaduto, chi può saperlo e la regola che lo regge."

    no: int = column(Whole(1), "No.", "N.", key=True, see="owner")
    turn: str = column(Moment(), "Turn", "Turno", see="owner", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "Phase", "Passo", see="owner", width=12)
    audience: str = column(Text(), "For", "Per chi", see="owner",
                           hint=("all, referee, or codes of factions", "all, referee, o sigle di fazioni"))
    event: str = column(Text(), "Type", "Tipo", see="owner", width=20)
    rule: str = column(Text(), "Rule", "Regola", see="owner", width=14)
    data: dict[str, Any] = column(Data(), "Data", "Dati", see="owner", last=True)
    roll: dict[str, Any] = column(Data(), "Roll", "Tiro", see="owner", last=True)
    touched: str = column(Text(), "Touches", "Tocca", see="referee", last=True)

    def for_faction(self, faction: str) -> bool:
        """Whether that faction may know of it."""
        return self.audience == ALL or faction in self.audience.split()


def next_number(events: Table[Event]) -> int:
    """The number that the next event gets."""
    return next((int(key) for key in events.from_the_last() if key.isdecimal()), 0) + 1


@dataclass
class Die(Record):
    """One throw: typed in by the referee, or made by the assistant from the turn's secret."""

    sheet: ClassVar[str] = "Dice"
    sheet_it: ClassVar[str] = "Dadi"
    file: ClassVar[str] = "dice"
    whose: ClassVar[Whose] = TOLD
    about_en: ClassVar[str] = "Every die. A row typed here before the phase wins over the assistant's own throw."
    about_it: ClassVar[str] = (
        "Tutti i dadi. Una riga scritta qui prima della fase vale al posto del tiro dell'assistente.")

    key: str = column(Text(), "Purpose", "Scopo", key=True, edit="referee", see="owner", width=28,
                      alias=("purpose",), required=True)
    dice: str = column(Text(), "Dice", "Dadi", edit="referee", see="owner",
                       hint=("such as 2d6; blank: those of the purpose", "per esempio 2d6; vuoto: quelli dello scopo"))
    value: str = column(Moment(), "Value", "Valore", edit="referee", see="owner", required=True)
    turn: str = column(Moment(), "Turn", "Turno", edit="referee", see="owner", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "Phase", "Passo", edit="referee", see="owner", width=12)
    source: str = column(Choice({"table": "tavolo", "assistant": "assistente", "superseded": "superato"},
                                also={"typed": "table", "digitato": "table"}), "Thrown by", "Tirato da",
                         default="table", edit="referee", see="owner", alias=("thrown_by",))
    audience: str = column(Text(), "For", "Per chi", see="owner", last=True)

    def for_faction(self, faction: str) -> bool:
        """Whether that faction may know it."""
        return self.audience == "public" or bool(faction and faction in self.audience.split("+"))

    @property
    def hold(self) -> Hold:
        """A die of the table is people's own until a phase has used it, and so knows who may see it."""
        return "typed" if self.source == "table" and not self.audience else "settled"


@dataclass
class Rule(Record):
    """A number or switch of the rulebook that this campaign sets by hand."""

    sheet: ClassVar[str] = "Rules"
    sheet_it: ClassVar[str] = "Regole"
    file: ClassVar[str] = "rules"
    about_en: ClassVar[str] = "The numbers and switches of the rulebook. A value typed here beats the edition's."
    about_it: ClassVar[str] = "I numeri e le scelte del regolamento. Un valore scritto qui vale più dell'edizione."

    key: str = column(Text(), "Key", "Chiave", key=True, edit="referee", see="public", width=26, required=True)
    value: Any = column(Typed(), "Value", "Valore", edit="referee", see="public", width=16)


@dataclass
class FindingRow(Record):
    """A finding of a resolved phase, kept so that a club can read later what was refused and why."""

    sheet: ClassVar[str] = "Findings"
    sheet_it: ClassVar[str] = "Rilievi"
    file: ClassVar[str] = "findings"
    unique: ClassVar[bool] = False
    grows: ClassVar[bool] = True
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "What was seen in the orders of the phases that were resolved."
    about_it: ClassVar[str] = "Che cosa è stato rilevato negli ordini delle fasi risolte."

    turn: str = column(Moment(), "Turn", "Turno", key=True, see="owner", alias=("year", "day", "anno", "giorno"))
    phase: str = column(Text(), "Phase", "Passo", key=True, see="owner", width=12)
    table: str = column(Text(), "Sheet", "Foglio", key=True, see="owner")
    row: str = column(Text(), "Row", "Riga", key=True, see="owner", width=18)
    code: str = column(Text(), "Code", "Codice", key=True, see="owner")
    severity: str = column(Choice({"error": "errore", "ambiguous": "dubbio", "warning": "avviso", "info": "nota"}),
                           "Severity", "Gravità", default="error", see="owner")
    field: str = column(Text(), "Column", "Colonna", see="owner")
    faction: str = column(Text(), "Faction", "Fazione", see="owner")
    data: dict[str, Any] = column(Data(), "Data", "Dati", see="owner", last=True)


BASE: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, Order, Question, Battle, Event, Die, FindingRow, Rule)
