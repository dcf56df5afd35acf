"""What a ruleset declares, its order of play, what most of them have alike, and how the installed ones are found."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import BASE, Army, Battle, Event, FormRow, Node, Order, Question, Rule, with_outlines
from assistant.campaign.tables import Record, Table, natural
from assistant.turn import event_types, views
from assistant.turn.answers import Invitation, Invited, unanswered
from assistant.turn.battle_form import BattleForm
from assistant.turn.dice import Dice, RollKind, ShutDice
from assistant.turn.event_types import CATEGORIES, Booking, Ending, EventType, Fact, Said, TableOf, own_rows
from assistant.turn.findings import N_, Citation, Finding, Message, Where
from assistant.turn.game import Game, Phase
from assistant.turn.map_symbols import Looks
from assistant.turn.numbers import Number, Rules, Switch, in_force, typed_values
from assistant.turn.orders import line_parser, taking
from assistant.turn.orders.line_parser import Understood
from assistant.turn.orders.requests import Role
from assistant.turn.orders.verbs import Card, Edition, Say, Verb, book_of, cards
from assistant.turn.questions import QuestionType
from assistant.turn.views import Viewer

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


# The order of play, declared as a list: in goes a turn and a phase, out comes what follows.


OVER = "over"
"""What stands on the Desk as phase when nothing is left to resolve."""


@dataclass(frozen=True)
class Turns:
    """How turns are called and follow each other: whole numbers (``1500``), or seasons of numbered years (``987Sp``).

    `number`: regular expression of the number; `seasons`: their words in the order of a year, () for none.
    """

    number: str = r"\d+"
    seasons: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        """A regular expression that every turn matches."""
        return f"{self.number}(?:{'|'.join(map(re.escape, self.seasons))})" if self.seasons else self.number

    def season(self, turn: str) -> str:
        """The season of a turn; "" where turns have none."""
        return next((word for word in self.seasons if turn.endswith(word)), "")

    def year(self, turn: str) -> str:
        """The number of a turn."""
        return turn.removesuffix(self.season(turn))

    def key(self, turn: str) -> tuple[tuple[int, int, str], ...]:
        """Sort key: earlier turns come first, by number and then by season, whatever the seasons are called."""
        season = self.season(turn)
        return (*natural(self.year(turn)), (1, self.seasons.index(season), "")) if season else natural(turn)

    def meant(self, text: str) -> str:
        """The turn of a year and a season in whatever case, with blanks or a comma between; other text as it is."""
        words = [word for word in self.seasons if text.casefold().endswith(word.casefold())]
        year = text[:-len(words[0])].rstrip(" ,") if words else ""
        return f"{year}{words[0]}" if words and re.fullmatch(self.number, year) else text

    @property
    def first(self) -> str:
        """The first turn of a campaign that does not say otherwise; "" where numbers do not begin with 1."""
        turn = f"1{next(iter(self.seasons), '')}"
        return turn if re.fullmatch(self.pattern, turn) else ""

    def after(self, turn: str) -> str:
        """The turn that follows. Raises ValueError for what is no turn."""
        if re.fullmatch(self.pattern, turn) is None:
            raise ValueError(f"{turn!r} is no turn")
        number, season = int(self.year(turn)), self.season(turn)
        if not season:
            return str(number + 1)
        place = self.seasons.index(season) + 1
        return f"{number}{self.seasons[place]}" if place < len(self.seasons) else f"{number + 1}{self.seasons[0]}"


@dataclass(frozen=True)
class Calendar:
    """Turns and their phases in the order of play.

    `turn`: the phases of each turn; `before`: those of a turn of its own that precedes the first, `start`;
    `after`: those of a turn of its own that follows the last one; `early`: those to which play never comes, as they
    end the campaign at whatever moment the referee says (`Ruleset.closing`); `chapters`: id of a phase -> its month or
    season, in English and Italian, for reports of many rounds (what is not named: `chapter`).
    """

    turn: tuple[Phase, ...] = ()
    turns: Turns = Turns()
    before: tuple[Phase, ...] = ()
    start: str = ""
    after: tuple[Phase, ...] = ()
    early: tuple[Phase, ...] = ()
    chapters: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The turn that a campaign begins with, where nothing else is said."""
        return self.start if self.before else self.turns.first

    def phases(self) -> dict[str, Phase]:
        """All phases by id, in the order of play. Raises ValueError when an id is declared twice."""
        listed = (*self.before, *self.turn, *self.after, *self.early)
        found = {phase.id: phase for phase in listed}
        if len(found) < len(listed) or OVER in found:
            raise ValueError(f"an id is declared twice, or is {OVER!r}: {[phase.id for phase in listed]}")
        return found

    def called(self, word: str) -> str:
        """The id of the phase that is called so, by its id or its name in either language, whatever the case; the
        word itself where no phase is, or more than one.
        """
        said = word.strip().casefold()
        found = {phase.id for phase in self.phases().values()
                 if said in (phase.id.casefold(), *(phase.name(lang).casefold() for lang in ("en", "it")))}
        return found.pop() if len(found) == 1 and word not in self.phases() else word

    def of(self, turn: str) -> tuple[Phase, ...]:
        """The phases of a turn that is neither the last nor after it."""
        if self.before and turn in ("", self.start):
            return self.before
        season = self.turns.season(turn)
        return tuple(phase for phase in self.turn if not phase.only or season in phase.only)

    def chapter(self, turn: str, phase: str, lang: str) -> str:
        """The part of a turn under which a report of many rounds tells of a phase; "" where that is the turn itself.

        Where `chapters` does not say it, it is what the phase's name says before its colon, if the phases of a turn
        read orders of several rounds.
        """
        if phase in self.chapters:
            return self.chapters[phase][lang == "it"]
        found = self.phases().get(phase)
        rounds = {one.orders for one in self.of(turn)} - {""}
        return found.name(lang).split(":")[0] if found is not None and len(rounds) > 1 else ""

    def follows(self, turn: str, phase: str, last: Callable[[], bool]) -> tuple[str, str]:
        """Turn and phase after one that is resolved; `last`: says, where it matters, whether this turn is the last.

        Raises ValueError for a phase that does not belong to the turn.
        """
        if phase in [one.id for one in self.early]:
            return turn, OVER
        own = [one.id for one in self.of(turn)]
        tail = [one.id for one in self.after]
        line = tail if phase in tail else own
        place = line.index(phase) + 1
        if place < len(line):
            return turn, line[place]
        ends = line is tail or last()
        if ends and (line is tail or not tail):
            return turn, OVER
        there = self.turns.after(turn or self.start)
        return there, tail[0] if ends else self.of(there)[0].id


# What a ruleset is: a rulebook as code, found by its entry point in the group `arbitro.rulesets`.
#
# A plug-in installs a package whose entry point names an instance of `Ruleset`; nothing else of
# Arbitro has to change for it.


GROUP = "arbitro.rulesets"
OURS = "assistant."
"""How the modules of rulesets begin that ship with Arbitro."""
WINGS = Path(__file__).resolve().parents[1] / "rulesets"
INTERFACE = 4
"""What a ruleset declares and is asked for, as a number: it grows with each change after which one written before would
play wrongly or not at all. What changed stands in `arbitro help plugins`.
"""
OTHER_INTERFACE, NOT_LOADED = "ARB-285", "ARB-286"


class UnfitRuleset(Exception):
    """An installed ruleset that cannot be used with this Arbitro; `finding` says which, why, and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.code} {dict(finding.data)}")
        self.finding = finding


class Home(NamedTuple):
    """Where a rulebook keeps its scenarios and its catalogue; `folder`: of a plug-in, "" for one that ships."""

    ruleset: str
    domain: str
    folder: str


class Ruleset:
    """A rulebook. Subclasses are stateless: everything lives in the campaign.

    It declares an `id`, an `interface`, a `title` and a `calendar`; whatever else it says has a default.
    """

    id: str
    title: str
    author: str = ""
    version: str = ""
    interface: int = 1
    """The `INTERFACE` for which it is written; who declares none was written before there were several."""
    editions: tuple[str, ...] = ("",)
    calendar: Calendar = Calendar()
    """Turns and phases in the order of play."""
    turn_pattern: str = ".+"
    """A regular expression that every turn of this book matches; derived from the calendar where one is declared."""
    closing: str = ""
    """The phase that ends the campaign, where the book lets the referee end it early; "" where it does not."""
    catalogue_domain: str = ""
    """The name of the catalogue of its texts; a plug-in's is called as the ruleset where it does not say otherwise."""
    languages: tuple[str, ...] = ("en", "it")
    """In which its texts are written; of one that leaves Italian out `--check` misses none, and English is shown."""
    locale_folder: str = ""
    """Where the catalogue stands, if not in the folder ``locale`` beside the plug-in's code."""

    records: tuple[type[Record], ...] = with_outlines(BASE)
    """Its sheets in their order; it may do without those of `assistant.campaign.records.SPARE`."""
    form: BattleForm[Any] | None = None
    """The form of a battle's result, where battles are fought on the table."""
    forms: tuple[type[FormRow], ...] = ()
    """Sheets whose rows people fill in beside the shared ones: further parts of a battle's result."""
    rules_of: type[Rules] = Rules
    """The numbers and switches of the book, declared as attributes."""
    numbers: tuple[Number | Switch, ...] = ()
    """All numbers and switches; derived where `rules_of` declares them."""
    findings: Mapping[str, Message] = MappingProxyType({})
    events: Mapping[str, EventType] = MappingProxyType({})
    categories: Mapping[str, str] = MappingProxyType({})
    """Categories of events that the house does not have, word -> heading in a report (msgid), the first first."""
    questions: Mapping[str, QuestionType] = MappingProxyType({})
    verbs: Mapping[str, Verb] = MappingProxyType({})
    rolls: Mapping[str, RollKind] = MappingProxyType({})
    """How kinds of throw are called where luck is counted, by their word; others go by the word itself."""
    battles: tuple[str, ...] = ()
    """How the codes of battles are built (`turn.throws.purposes`), so that one that can never come is told."""
    demo_rank: int = 100
    """Of the rulesets that bring a scenario the one with the lowest rank is shown by a demo that names none."""
    named: tuple[str, ...] = ("Nodes",)
    """Sheets whose rows a reader knows by their names rather than by their codes."""
    coded: tuple[str, ...] = ()
    """Sheets whose rows a reader knows by name and code, or by the name of their place and the code."""
    quotes_lines: bool = False
    """Whether reports quote an order of columns as the line that says the same, because its cells alone say little."""
    shared: str = ""
    """Who sees what an owner sees beside it, a sentence for the manual; "" where nobody does."""
    looks: Looks = Looks()
    """How it looks on maps; what it does not say is derived from the base sheets."""
    unwelcome: tuple[str, ...] = ()
    """Labels of `glance` whose rise is bad news."""
    unheard: str = ""
    """The book's own finding for an order of a phase that its turn lacks; "" where the house's will do."""
    words: tuple[str, ...] = ()
    """Codes among the data of events, questions and findings that a reader sees translated."""
    citations: Mapping[str, Citation] = MappingProxyType({})
    """What events, phases and numbers cite, by key; without it readers are shown what stands there."""

    def __init_subclass__(cls) -> None:
        own, cls.records = vars(cls), with_outlines(cls.records)
        if "rules_of" in own and "numbers" not in own:
            cls.numbers = cls.rules_of.declared
        if "calendar" in own:
            cls._phases = cls.calendar.phases()
            if "turn_pattern" not in own:
                cls.turn_pattern = cls.calendar.turns.pattern

    @classmethod
    def homes(cls) -> tuple[Home, ...]:
        """Where this rulebook and those that it builds on (house rules of another book) keep what they bring along."""
        found = []
        for one in cls.__mro__:
            if "id" in vars(one) and issubclass(one, Ruleset):
                file = getattr(sys.modules.get(one.__module__), "__file__", None)
                ours = one.__module__.startswith(OURS)
                folder = "" if ours or file is None else str(Path(file).parent)
                found.append(Home(one.id, vars(one).get("catalogue_domain", "") or ("" if ours else one.id), folder))
        return tuple(found)

    # --- declared once, derived here ---------------------------------------------------------
    def rules(self, campaign: Campaign) -> Rules:
        """The numbers in force."""
        return campaign.made_of(in_force, Rule, by=(self, campaign.desk.edition or self.editions[0]))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """What the Rules sheet sets by hand, by the keys that the book declares."""
        return typed_values(rules)

    def record(self, sheet: str) -> type[Record]:
        """The record class of an English sheet name. Raises KeyError."""
        return {r.sheet: r for r in self.records}[sheet]

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """What one faction may know, "" for what all may: a pure function of what columns declare, and of `viewer`."""
        return views.view(self.viewer(campaign.copy(), faction))

    def game(self, campaign: Campaign, phase: str = "", *, dice: Dice | None = None,
             answers: Mapping[str, str] | None = None) -> Game:
        """A run of a phase, the present one where none is named, on that very campaign.

        Where nothing else is said no die can be thrown, and the answers are those that were typed.
        """
        desk = campaign.desk
        game = Game(campaign, self.rules(campaign), dice or ShutDice(desk.turn), phase or desk.phase,
                    self.findings, answers, book_of(self.verbs), self.questions, self.events)
        game.languages = self.languages
        game.reads = self.understand if type(self).understand is not Ruleset.understand else None
        with suppress(KeyError):  # a campaign that is over, or not begun, is in no phase
            now = self.phase(game.phase)
            game.orders_word, game.takes = now.orders, now.takes or now.orders
            game.phase_rule = now.rule
        return game

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """Findings about the orders of the present phase, as resolution would give them: see `turn.rows.checking`."""
        return taking.judge_orders(self._to_come(campaign), self.game, campaign, self.invitations)

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """What was typed for phases to come: forms of battles, orders for later phases, or of a kind read already."""
        coming = self._to_come(campaign)
        forms = taking.judge_forms(coming, self.game, campaign)
        if not coming or not book_of(self.verbs).carried_out:
            return forms
        ids = self.phase_ids(campaign)
        past = [self.phase(name) for name in ids[:len(ids) - len(coming)]]
        return [*taking.late_rows(past, coming, self.game(campaign)), *forms,
                *taking.judge_later(coming, self.game, campaign)]

    def _to_come(self, campaign: Campaign) -> list[Phase]:
        """The phases of this turn from the present one on; none where the campaign is over."""
        ids, now = list(self.phase_ids(campaign)), campaign.desk.phase
        return [self.phase(name) for name in ids[ids.index(now):]] if now in ids else []

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """Read one line of shorthand, which comes bare (`orders.reading.read_text`), by what the verbs declare."""
        return line_parser.understand(book_of(self.verbs), campaign, faction, text)

    def order_cards(self, campaign: Campaign, lang: str, say: Say, faction: str = "", *,
                    now: bool = False, brief: bool = False) -> list[Card]:
        """The orders card, with the campaign's numbers and codes. `say`: words a text (msgid); `faction`: whose codes
        the examples use; `now`: only what the phases to come of this turn take; `brief`: not what the columns hold.
        """
        times: dict[str, list[str]] = {}
        phases = self._phases.values() or map(self.phase, self.phase_ids(campaign))
        for phase in self._to_come(campaign) if now else phases:
            if phase.orders:
                times.setdefault(phase.takes or phase.orders, []).append(phase.orders)
        numbers = {one.key: one for one in self.numbers if isinstance(one, Number)}
        edition = Edition(self.record(Order.sheet), self.rules(campaign), numbers, times, campaign, faction, brief,
                          self.languages)
        return cards(book_of(self.verbs), edition, lang, say)

    # --- the order of play, from the calendar ------------------------------------------------
    _phases: Mapping[str, Phase] = MappingProxyType({})

    def phase(self, phase_id: str) -> Phase:
        """The phase of an id. Raises KeyError."""
        return self._phases[phase_id]

    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """The ids of the present turn's phases, in the order of play; in the last turn also those that follow it."""
        tail = self.calendar.after if self.calendar.after and self.last_turn(campaign) else ()
        return tuple(phase.id for phase in (*self.calendar.of(campaign.desk.turn), *tail))

    def last_turn(self, campaign: Campaign) -> bool:
        """Whether the campaign ends with the present turn, or has done so."""
        return False

    def advance(self, campaign: Campaign) -> None:
        """Set the Desk to the phase after the present one (and the turn, where it ends)."""
        desk = campaign.desk
        desk.turn, desk.phase = self.calendar.follows(desk.turn, desk.phase, lambda: self.last_turn(campaign))

    def is_over(self, campaign: Campaign) -> bool:
        """Whether nothing is left to resolve."""
        return campaign.desk.phase == OVER

    # --- what a rulebook says where the defaults do not do ---------------------------------------
    def prepare(self, campaign: Campaign) -> None:
        """Fill in what a new campaign needs before its first phase (`arbitro new`); here: the calendar's first one."""
        desk = campaign.desk
        desk.turn = desk.turn or self.calendar.first
        desk.phase = desk.phase or next(iter(self.phase_ids(campaign)), "")

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Findings about the whole workbook that forbid to start a phase, beyond what every workbook is checked for."""
        return []

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding for an order that is handed in for a time that is past; None: ARB-090."""
        return None

    def finding(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """A finding of the book's own. Raises KeyError."""
        return Finding(code, self.findings[code].severity, where, data, faction)

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """One row a faction with the figures that the book compares, public ones first; here: those of `glance` that
        all see.
        """
        return event_types.public_figures(campaign)

    def ending(self, view: Campaign) -> Ending:
        """How it ended, from what all may know; here: the foremost of what the last phase told to all."""
        return event_types.plain_ending(view, self.events)

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The four to six figures that a report opens with: label (msgid, or a column's heading) and value now.

        Here: how many places and armies are the faction's, where the book has such, and the numbers of its own row.
        """
        return list(event_types.figures_of(view, faction, ("public", "owner")).items())

    def chat(self, view: Campaign, faction: str, say: Say) -> list[str]:
        """Sentences of the short message for a chat, "" for everybody's; here none: the foremost of the report."""
        return []

    def invitations(self, game: Game) -> list[Invitation]:
        """The questions that may be answered in the present phase and stop nothing; here: none."""
        return []

    def invited(self, campaign: Campaign) -> list[Invited]:
        """Those of `invitations` that nobody has answered yet, each with its row; [] where the campaign is over."""
        return [] if self.is_over(campaign) else unanswered(game := self.game(campaign), self.invitations(game))

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """Legal orders for an absent club in the present phase, made from its view alone; here: none."""
        return []

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """An absent club's answer to a question, made from its view alone; here: the default, or the first option."""
        return question.default or question.options.split(",")[0].strip()

    # --- what may be seen, where the columns cannot say it -------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> Viewer:
        """A reader of the campaign; a ruleset whose circles ask more of it makes one of its own."""
        return Viewer(campaign, self.rules(campaign), faction)

    # --- words of the calendar ---------------------------------------------------------------
    def when(self, turn: str, phase: str, lang: str) -> str:
        """A moment in the game's own calendar, for headings (``1500, May I``); the turn alone when all is over.

        Raises KeyError for what is no phase.
        """
        name = self.turn_name(turn, lang)
        return name if phase in ("", OVER) else f"{name}, {self.phase(phase).name(lang)}"

    def turn_name(self, turn: str, lang: str) -> str:
        """What a turn is called in headings."""
        return turn

    def phase_word(self, word: str, lang: str) -> str:
        """What a phase's id is called, or the word for a phase that stands in orders; itself where it is neither."""
        try:
            return self.phase(word).name(lang)
        except KeyError:
            return word

    def year(self, turn: str) -> str:
        """The year of a turn, at whose end reports tell how its dice have fallen; "" where the whole campaign falls
        within one year: then they tell it when the campaign is over.
        """
        return self.calendar.turns.year(turn)

    # --- what reports show; a ruleset says more where it knows more ----------------------------
    def outcomes(self, view: Campaign, faction: str, events: Iterable[Event]) -> list[Said]:
        """What its own section of a club's report says first, in sentences: what the new events came to for it."""
        return []

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """What a faction owes and by when (loans, tribute), made from its view."""
        return []

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """The hand-over of an open battle to one side, label and sentence; empty for who takes no part."""
        return []

    def bookings(self, view: Campaign, faction: str) -> list[Booking]:
        """All movements of a faction's money, oldest first; here: the rows of a sheet ``Accounts`` with the fields turn
        (or year), phase, faction, item, amount and balance, where the ruleset declares one.
        """
        table = view.tables().get("Accounts")
        rows = [] if table is None else [row for _, row in table.in_file_order() if row.faction == faction]
        return [Booking(str(getattr(r, "turn", "") or getattr(r, "year", "")), r.phase, r.item, r.amount, r.balance)
                for r in rows]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """The tables of what a faction has; here: its rows of Armies, Nodes, sheets of people."""
        sheets = ((N_("Your armies"), Army.sheet), (N_("Your places"), Node.sheet),
                  *((N_("Your people"), record.sheet) for record in self.records if record.persons))
        return [table for title, sheet in sheets if view.has(sheet) and self.record(sheet).whose
                for table in event_types.own_tables(title, view, sheet, faction)]

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """The tables of what a faction sees of others; here: their rows of Armies that stand somewhere."""
        table = view.table(Army)
        if not view.has(Army.sheet):
            return []
        rows = [row for row in table if row.node and row.faction != faction]
        return [TableOf(N_("Armies of others"), table.record, ("army", "faction", "node"), rows)]

    def places_held(self, view: Campaign, faction: str) -> int:
        """How many places a faction holds as all may count; here: its rows of Nodes."""
        return sum(1 for node in view.table(Node) if faction in node.owners)

    def battle_is_reported(self, battle: Battle) -> bool:
        """Whether the form of this battle is filled in."""
        return self.form is not None and self.form.reported(battle)

    def fold(self, campaign: Campaign) -> None:
        """Put what a folder of CSVs says in an older or other form into the form of the sheets."""


@lru_cache(maxsize=1)
def _entries(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of our group on a `path`; kept, as every installed package's own list is read for it."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def installed() -> dict[str, str]:
    """Ids of the installed rulesets and where each comes from (``package:object``), sorted."""
    return {e.name: e.value for e in sorted(_entries(tuple(sys.path)), key=lambda e: e.name)}


def load(ruleset_id: str) -> Ruleset:
    """The ruleset of an id. Raises KeyError when none of that name is installed, `UnfitRuleset` for one that is
    written for another interface, or that cannot even be imported.

    For one that ships with Arbitro nobody is asked what is installed, which takes a tenth of a command.
    """
    if ruleset_id.isidentifier() and (WINGS / ruleset_id / "ruleset.py").is_file():
        own = import_module(f"{OURS}rulesets.{ruleset_id}.ruleset")
        return cast(Ruleset, getattr(own, ruleset_id.upper()))
    for entry in _entries(tuple(sys.path)):
        if entry.name == ruleset_id:
            return _fitting(entry)
    raise KeyError(ruleset_id)


def _fitting(entry: EntryPoint) -> Ruleset:
    """The ruleset that an entry point names. Raises `UnfitRuleset`."""
    try:
        found = entry.load()
        if not isinstance(found, Ruleset):
            raise TypeError(f"{entry.value} is no ruleset")
    except Exception as fault:  # a stranger's module may fail in any way when it is imported
        from traceback import extract_tb
        own = [f for f in extract_tb(fault.__traceback__) if entry.module.partition(".")[0] in Path(f.filename).parts]
        place = f" ({Path(own[-1].filename).name}, {own[-1].lineno})" if own else ""
        reason = f"{type(fault).__name__}: {fault}{place}"
        raise UnfitRuleset(Finding(NOT_LOADED, "error", data={**_named(entry), "reason": reason})) from fault
    if found.interface != INTERFACE:
        side = "later" if found.interface > INTERFACE else "earlier"
        data = {**_named(entry), "theirs": found.interface, "ours": INTERFACE, "side": side}
        raise UnfitRuleset(Finding(OTHER_INTERFACE, "error", data=data))
    return found


def _named(entry: EntryPoint) -> dict[str, str]:
    return {"ruleset": entry.name, "package": entry.dist.name if entry.dist else entry.module, "entry": entry.value}


__all__ = ["CATEGORIES", "Booking", "Ending", "EventType", "Fact", "Home", "Phase", "QuestionType", "RollKind",
           "Ruleset", "Said", "TableOf", "Understood", "Verb", "installed", "load", "own_rows"]


# A dossier as it is kept on its battle's row: sentences go in as plain values and come out as `Said`.


Line = list[Any]
REFEREE_COPY = "referee"
"""Under which word the referee's dossier is kept, beside those of the sides."""


def said(text: str, label: str, **data: Any) -> Line:
    """One sentence of a dossier as plain values: text, what fills it, label."""
    return [text, data, label]


def read(lines: object, spoken: Mapping[str, str]) -> list[Said]:
    """The sentences of a dossier as they were kept on the sheet; what is none of ours is left out.

    `spoken`: a sentence as workbooks keep it -> as it is said today, where that has changed.
    """
    return [Said(spoken.get(str(line[0]), str(line[0])), line[1], str(line[2]))
            for line in (lines if isinstance(lines, list) else [])
            if isinstance(line, list) and len(line) == 3 and isinstance(line[1], dict)]


# A rulebook that says the usual: its numbers under their own class, counted turns, orders that come too late.


N = TypeVar("N", bound=Rules)


class Wing(Generic[N], Ruleset):
    """What most rulebooks say of turns and numbers, declared in a word: ``class Shown(Wing[Numbers])``."""

    counted: tuple[str, str] = ("", "")
    """What a turn is called, English and Italian, where turns are days or weeks that are only counted; the English
    word is that of all orders, too."""
    late: Role | None = None
    """The finding for an order of another turn; its text may name the ``turn`` of the order, and ``now``."""
    prefix: str = ""
    """What keys of the Rules sheet may carry before them, such as the book's name and a dot."""

    def rules(self, campaign: Campaign) -> N:
        """The numbers in force."""
        return cast(N, super().rules(campaign))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """As everywhere; keys may carry the book's name."""
        return {key.removeprefix(self.prefix): value for key, value in typed_values(rules).items()}

    def year(self, turn: str) -> str:
        """Days and weeks all fall within one year: a turn has too few dice to say anything of luck."""
        return "" if any(self.counted) else super().year(turn)

    def turn_name(self, turn: str, lang: str) -> str:
        """A day or week and its number."""
        return f"{self.counted[lang == 'it']} {turn}" if any(self.counted) else super().turn_name(turn, lang)

    def when(self, turn: str, phase: str, lang: str) -> str:
        """As everywhere; a turn whose orders all stand under one word is named alone where that word stands."""
        return super().when(turn, "" if phase and phase == self.counted[0] else phase, lang)

    def phase_word(self, word: str, lang: str) -> str:
        """As everywhere; the one word of all orders is what a turn is called."""
        return self.counted[lang == "it"] if word and word == self.counted[0] else super().phase_word(word, lang)

    def order_cards(self, campaign: Campaign, lang: str, say: Say, faction: str = "", **how: bool) -> list[Card]:
        """As everywhere; the one word of all orders stands in the reader's language, in which the sheet takes it."""
        return [replace(card, when=self.phase_word(card.when, lang)) if card.when == self.counted[0] else card
                for card in super().order_cards(campaign, lang, say, faction, **how)]

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding; what is late in its own turn is told as everywhere."""
        known, late = {"turn": order.turn, "now": campaign.desk.turn}, self.late
        if late is None or order.turn == known["now"]:
            return None
        said = {brace: known[word] for brace, word in (late.names or {}).items()}
        return self.finding(late.code, Where(Order.sheet, order.order, "turn"), order.faction, **said)
