"""What a ruleset is: a rulebook as code, found by its entry point in the group `arbitro.rulesets`.

A plug-in installs a package whose entry point names an instance of `Ruleset`; nothing else of
Arbitro has to change for it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Desk, FormRow, Order, Question, Rule
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.game import Game
from assistant.turn.numbers import Number, Rules, Switch, typed_values
from assistant.turn.texts import N_

GROUP = "arbitro.rulesets"


@dataclass(frozen=True)
class Phase:
    """The smallest thing that is resolved. `orders`: the word in Orders' column For; "": none taken.

    `waits_for`: kinds of question it may put.
    """

    id: str
    name_en: str
    name_it: str
    rule: str
    run: Callable[[Game], None]
    orders: str = ""
    waits_for: tuple[str, ...] = ()

    def name(self, lang: str) -> str:
        """The name in a language."""
        return self.name_it if lang == "it" else self.name_en


@dataclass(frozen=True)
class EventType:
    """How an event is worded: English text with {braces} (the msgid), and where a report puts it.

    `category`: a word of `CATEGORIES`; `weight`: 0 matters most; `rule`: chapter or table that is cited
    by default; `variants`: when a parameter decides the sentence, (parameter, {value: text});
    `verdicts`: what a check that passed and one that failed came to. The brace {roll} is the ruling.
    """

    type: str
    text: str
    category: str = "news"
    weight: int = 5
    rule: str = ""
    variants: tuple[str, Mapping[str, str]] | None = None
    verdicts: tuple[str, str] | None = None


CATEGORIES = ("battles", "sieges", "moves", "money", "supply", "diplomacy", "works", "sea", "rulings", "news")


@dataclass(frozen=True)
class QuestionType:
    """How a question is worded: English text (msgid) with {braces}; `variants` as in `EventType`.

    `answers`: further words in which it may be answered, in small letters -> the option that they mean;
    `several`: the answer names several of the options, parted by blanks or commas.
    """

    kind: str
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    several: bool = False

    def takes(self, answer: str, options: Sequence[str]) -> bool:
        """Whether an answer is one of the options, in any case of letters; without options any answer may be."""
        known = {option.casefold() for option in options}
        whole = answer.strip().casefold()
        parts = re.split(r"[\s,;]+", whole) if self.several else [whole]
        return not known or all(self.answers.get(part, part).casefold() in known for part in parts)


@dataclass(frozen=True)
class RollKind:
    """How throws are counted together that have one word before the first colon of their purpose.

    `title`: what they are, in the plural (msgid); `by`: the parameter of their event that names the faction
    whose throw it is ("": it is the faction whose code stands in the purpose, if there is one); `dice`: what is
    thrown ("": only the phase knows); `shapes`: how the purposes are built (`assistant.turn.purposes`), all of
    them, so that one that is never thrown can be told; () where that is not known.
    """

    word: str
    title: str
    by: str = ""
    dice: str = ""
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verb:
    """An order word: its Italian twin, the columns it uses, and a sentence of help (msgid)."""

    en: str
    it: str
    columns: tuple[str, ...]
    seasons: tuple[str, ...]
    help: str = ""


@dataclass(frozen=True)
class Understood:
    """How a line of shorthand was read: order fields by name, or what could not be understood."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True)
class Fact:
    """A figure of a report's *at a glance*: label (msgid), value now, value at the last report."""

    label: str
    now: int
    was: int | None = None


@dataclass(frozen=True)
class Said:
    """A sentence worded when it is shown: text (msgid with {braces}), what fills them, and a label (msgid)."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True)
class Booking:
    """One movement of money of a faction: the word of its item, the amount (out: below 0), the chest after it."""

    turn: str
    phase: str
    item: str
    amount: int
    balance: int


@dataclass(frozen=True)
class TableOf:
    """A table of a report: title (msgid), rows of one sheet, and the fields to show of them (at most five)."""

    title: str
    record: type[Record]
    fields: tuple[str, ...]
    rows: Sequence[Record]


class Ruleset(ABC):
    """A rulebook. Subclasses are stateless: everything lives in the campaign."""

    id: str
    title: str
    author: str = ""
    version: str = ""
    editions: tuple[str, ...] = ("",)
    turn_pattern: str = ".+"
    """A regular expression that every turn of this book matches (years, days, seasons of a year)."""
    closing: str = ""
    """The phase that ends the campaign, where the book lets the referee end it early; "" where it does not."""
    catalogue_domain: str = ""
    locale_folder: str = ""

    records: tuple[type[Record], ...]
    forms: tuple[type[FormRow], ...] = ()
    """Sheets whose rows people fill in beside the shared ones: further parts of a battle's result."""
    numbers: tuple[Number | Switch, ...]
    findings: Mapping[str, Message]
    events: Mapping[str, EventType]
    questions: Mapping[str, QuestionType]
    verbs: Mapping[str, Verb]
    rolls: Mapping[str, RollKind] = MappingProxyType({})
    """How kinds of throw are called where luck is counted, by their word; others go by the word itself."""
    battles: tuple[str, ...] = ()
    """How the codes of battles are built (`assistant.turn.purposes`), so that one that can never come is told."""
    demo_rank: int = 100
    """Of the rulesets that bring a scenario the one with the lowest rank is shown by a demo that names none."""
    named: tuple[str, ...] = ("Nodes",)
    """Sheets whose rows a reader knows by their names rather than by their codes."""
    unwelcome: tuple[str, ...] = ()
    """Labels of `glance` whose rise is bad news."""
    words: tuple[str, ...] = ()
    """Codes among the data of events, questions and findings that a reader sees translated."""

    # --- declared once, derived here ---------------------------------------------------------
    def rules(self, campaign: Campaign) -> Rules:
        """The numbers in force."""
        return Rules(self.numbers, campaign.desk.edition or self.editions[0],
                     typed_values(campaign.table(Rule)))

    def record(self, sheet: str) -> type[Record]:
        """The record class of an English sheet name. Raises KeyError."""
        return {r.sheet: r for r in self.records}[sheet]

    # --- what a rulebook must say ------------------------------------------------------------
    @abstractmethod
    def phase(self, phase_id: str) -> Phase:
        """The phase of an id. Raises KeyError."""

    @abstractmethod
    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """The ids of one turn's phases, in the order of play."""

    @abstractmethod
    def advance(self, campaign: Campaign) -> None:
        """Set the Desk to the phase after the present one (and the turn, where it ends)."""

    @abstractmethod
    def is_over(self, campaign: Campaign) -> bool:
        """Whether nothing is left to resolve."""

    @abstractmethod
    def prepare(self, campaign: Campaign) -> None:
        """Fill in what a new campaign needs before its first phase (`arbitro new`)."""

    @abstractmethod
    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Findings about the whole workbook that forbid to start a phase."""

    @abstractmethod
    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """Findings about the orders of the present phase, as resolution would give them."""

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """Findings about what was typed for phases to come, as far as it can be judged without resolving.

        Results in the forms of battles, and orders for later phases of this turn; here none.
        """
        return []

    # --- what the desk finds, in the book's own words ------------------------------------------
    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding for an order that is handed in for a time that is past; None: ARB-090."""
        return None

    def wrong_answer(self, question: Question, options: Sequence[str]) -> Finding | None:
        """The book's own finding for an answer that is none of its question's options; None: ARB-135."""
        return None

    def finding(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """A finding of the book's own catalogue. Raises KeyError."""
        return Finding(code, self.findings[code].severity, where, data, faction)

    @abstractmethod
    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """Read one line of shorthand."""

    @abstractmethod
    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """What one faction may know, "" for what everybody may know: a pure function."""

    @abstractmethod
    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """One row a faction with the figures that the book compares, public ones first."""

    @abstractmethod
    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The four to six figures that a report opens with: label (msgid) and value now."""

    @abstractmethod
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """Legal orders for an absent club in the present phase, made from its view alone."""

    @abstractmethod
    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """An absent club's answer to a question, made from its view alone."""

    # --- words of the calendar ---------------------------------------------------------------
    def when(self, turn: str, phase: str, lang: str) -> str:
        """A moment in the game's own calendar, for headings (``1500, May I``)."""
        return f"{turn}, {self.phase(phase).name(lang)}"

    def phase_word(self, word: str, lang: str) -> str:
        """What a phase's id is called, or the word for a phase that stands in orders; itself where it is neither."""
        try:
            return self.phase(word).name(lang)
        except KeyError:
            return word

    def year(self, turn: str) -> str:
        """The year of a turn, at whose end reports tell how its dice have fallen; here the turn itself.

        "" where the whole campaign falls within one year: then they tell it when the campaign is over.
        """
        return turn

    # --- what reports show; a ruleset says more where it knows more ----------------------------
    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """What a faction owes and by when (loans, tribute), made from its view."""
        return []

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """The hand-over of an open battle to one side, label and sentence; empty for who takes no part."""
        return []

    def ledger(self, view: Campaign, faction: str) -> list[Booking]:
        """All movements of a faction's money, oldest first.

        Here: the rows of a sheet ``Accounts`` with the fields turn (or year), phase, faction, item,
        amount and balance, where the ruleset declares one.
        """
        table = view.tables().get("Accounts")
        rows = [] if table is None else [row for _, row in table.in_file_order() if row.faction == faction]
        return [Booking(str(getattr(r, "turn", "") or getattr(r, "year", "")), r.phase, r.item, r.amount, r.balance)
                for r in rows]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """The tables of what a faction has; here: its own rows of Armies and Nodes, their first fields."""
        return [TableOf(title, *own_rows(view, sheet, faction))
                for title, sheet in ((N_("Your armies"), "Armies"), (N_("Your places"), "Nodes"))]

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """The tables of what a faction sees of others; here: their rows of Armies that stand somewhere."""
        table = view.by_sheet("Armies")
        rows = [row for row in table if row.node and row.faction != faction]
        return [TableOf(N_("Armies of others"), table.record, ("army", "faction", "node"), rows)]

    def places_held(self, view: Campaign, faction: str) -> int:
        """How many places a faction holds as all may count; here: rows of Nodes that name it as owner."""
        return sum(1 for node in view.by_sheet("Nodes") if getattr(node, "owner", "") == faction)

    def battle_is_reported(self, battle: Battle) -> bool:
        """Whether the form of this battle is filled in."""
        return False

    def fold(self, campaign: Campaign) -> None:
        """Put what a folder of CSVs says in an older or other form into the form of the sheets."""


def own_rows(view: Campaign, sheet: str, faction: str) -> tuple[type[Record], tuple[str, ...], list[Record]]:
    """Record class, fields worth a report's width, and rows of a sheet that belong to a faction.

    A row belongs to the faction that its field ``owner`` or ``faction`` names. Of the fields, the key
    comes first; left out are drawing units, codes of the owner, and fields with nothing in them.
    """
    table = view.by_sheet(sheet)
    rows = [r for r in table if faction == getattr(r, "owner", getattr(r, "faction", None))]
    shown = [c.name for c in table.record.columns()
             if c.key or (c.name not in ("faction", "owner", "home", "name", "x", "y")
                          and any(getattr(r, c.name) != c.default for r in rows))]
    return table.record, tuple(shown[:5]), rows


def installed() -> dict[str, str]:
    """Ids of the installed rulesets and where each comes from (``package:object``), sorted."""
    return {e.name: e.value for e in sorted(entry_points(group=GROUP), key=lambda e: e.name)}


def load(ruleset_id: str) -> Ruleset:
    """The ruleset of an id. Raises KeyError when none of that name is installed."""
    for entry in entry_points(group=GROUP):
        if entry.name == ruleset_id:
            found: Ruleset = entry.load()
            return found
    raise KeyError(ruleset_id)


def desk_of(campaign: Campaign) -> Desk:
    """The Desk's row; a shorter name for `campaign.desk`."""
    return campaign.desk
