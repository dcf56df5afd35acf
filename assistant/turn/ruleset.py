"""The base class of rulesets: what a rulebook declares, what is derived from it, and what it may override."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import (
    BASE,
    CLUBLESS,
    Army,
    Battle,
    Event,
    Faction,
    FormRow,
    Node,
    Order,
    Question,
    Rule,
    names_held,
    with_shared_sheets,
)
from assistant.campaign.tables import Record, SharedRows, Table, in_natural_order
from assistant.turn import event_types, views
from assistant.turn.battle_form import BattleForm
from assistant.turn.calendar import OVER, Calendar
from assistant.turn.chapters import Chapter, in_sheet_order
from assistant.turn.dice import Dice, RollKind, ShutDice
from assistant.turn.event_types import Booking, Ending, EventType, Said, TableOf, TreatyStep
from assistant.turn.findings import Citation, Finding, Message, Where, citations_by_key, nearest
from assistant.turn.game import Board, Game, Phase
from assistant.turn.map_symbols import Looks
from assistant.turn.numbers import Number, Rules, Switch, rules_in_force, typed_values
from assistant.turn.orders import reader, taking
from assistant.turn.orders.divide_line import read_orders
from assistant.turn.orders.legal import (
    LegalOrder,
    OrderJudge,
    PhaseToCome,
    Rehearsal,
    legal_orders,
    likely_order,
    likely_verbs,
    rehearse,
)
from assistant.turn.orders.lexicon import Lexicon, SplitSentence
from assistant.turn.orders.phrases import LANGUAGES, SEASONS, split_words
from assistant.turn.orders.reader import Understood
from assistant.turn.orders.requests import CERTAIN, HOUSE, Refused, Role
from assistant.turn.orders.sentences import LineReading
from assistant.turn.orders.verbs import CardContext, OrderCard, Translate, Verb, as_order_book, make_cards, order_line
from assistant.turn.orders.words import LISTS
from assistant.turn.questions import Invitation, OpenInvitation, QuestionType, open_invitations
from assistant.turn.texts import N_, Translations, keyed
from assistant.turn.views import ADDRESSED, Viewer

NONE_BESIDE = Translations()
"""Of a rulebook that declares no text with its Italian."""
OURS = "assistant."
"""How the module names of rulesets that ship with Arbitro begin."""
INTERFACE = 6
"""Version of the interface between rulesets and Arbitro. It grows with each change after which an older ruleset would
play wrongly or not at all; `arbitro help plugins` lists the changes.
"""
FARTHEST_TURNS = 4
"""How many turns ahead a phase is sought that takes a verb."""
MOST_QUOTED = 60
"""Letters of a line that a finding quotes."""
MOST_ASKED = 3
"""Of how many clubs an example of an order may be."""
StepsTo = Callable[[str], int | None]
"""How far it is from one place to another, None where no way is known."""


class Home(NamedTuple):
    """Where a rulebook keeps its scenarios, its texts and its catalogue; `folder`: that of a plug-in, "" for a bundled
    one.
    """

    ruleset: str
    domain: str
    folder: str
    translations: Translations


class Temper(NamedTuple):
    """How a rulebook's robots may play. `word`: as it is typed; `text`: what such a robot does, a sentence (msgid)."""

    word: str
    text: str


class FactionWords(NamedTuple):
    """What a faction's words mean while nothing of what it sees has changed. `judge`: made for the first line that
    needs one; `readings`: how its lines were read, by the phase.
    """

    lexicon: Lexicon
    judge: Callable[[], OrderJudge]
    readings: dict[tuple[str, str], LineReading]


class Ruleset:
    """A rulebook. Subclasses are stateless: everything lives in the campaign.

    A subclass declares an `id`, an `interface`, a `title` and a `calendar`; everything else has a default.
    """

    id: str
    """The name of its entry point, by which commands and workbooks name it: ``giglio``."""
    title: str
    """The title of the game, as reports and lists show it; it is not translated."""
    author: str = ""
    """Who wrote the rulebook, as `arbitro rulesets` shows it."""
    version: str = ""
    """The version of this ruleset, such as ``2``. A campaign keeps the version with which it began; raise it whenever a
    default changes, and say in `was` what it was before.
    """
    interface: int = 1
    """The `INTERFACE` for which it is written; rulesets from before there were several declare none."""
    editions: tuple[str, ...] = ("",)
    """The editions of the book that it can play, the default first; they choose the defaults of switches."""
    calendar: Calendar = Calendar()
    """Turns and phases in the order of play."""
    turn_pattern: str = ".+"
    """A regular expression that every turn of this book matches; derived from the calendar where one is declared."""
    closing: str = ""
    """The phase that ends the campaign, where the book lets the referee end it early; "" where it does not."""
    translations: Translations = NONE_BESIDE
    """The object with which its texts are declared, each with its Italian; what it does not know is looked up in the
    catalogue.
    """
    languages: tuple[str, ...] = ("en", "it")
    """The languages of its texts; without Italian `--check` reports no missing translations, and English is shown."""
    locale_folder: str = ""
    """The folder with the catalogue, if it is not ``locale`` beside the plug-in's code."""

    records: tuple[type[Record], ...] = with_shared_sheets(BASE)
    """Its sheets in their order; those of `assistant.campaign.records.OPTIONAL_RECORDS` may be left out."""
    form: BattleForm[Any] | None = None
    """The form of a battle's result, where battles are fought on the table."""
    forms: tuple[type[FormRow], ...] = ()
    """Sheets whose rows people fill in beside the shared ones: further parts of a battle's result."""
    rules_of: type[Rules] = Rules
    """The numbers and switches of the book, declared as attributes."""
    numbers: tuple[Number | Switch, ...] = ()
    """All numbers and switches; derived where `rules_of` declares them."""
    public: Mapping[str, Any] = MappingProxyType({})
    """What packages that build on the rulebook may use of it, by name: its board, its records, functions of its rules
    (`assistant.turn.rulebooks`). It stays as long as the interface does.
    """
    retired: tuple[str, ...] = ()
    """Keys that a campaign may have and that do nothing any more, as another sheet holds what they meant."""
    chapters: tuple[Chapter, ...] = ()
    """The chapters of the book in its order; what they declare is added to numbers, findings, events, questions and
    citations.
    """
    findings: Mapping[str, Message] = MappingProxyType({})
    """The book's own findings by code, made with `keyed`."""
    events: Mapping[str, EventType] = MappingProxyType({})
    """Its types of events by their word, made with `keyed`."""
    treaties: Mapping[str, TreatyStep] = MappingProxyType({})
    """Which events make, keep, break or end a treaty: type of event -> what it means. For the book of the war."""
    categories: Mapping[str, str] = MappingProxyType({})
    """Additional categories of events, in order: word -> heading in a report (msgid)."""
    questions: Mapping[str, QuestionType] = MappingProxyType({})
    """Its kinds of questions by their word, made with `keyed`."""
    verbs: Mapping[str, Verb] = MappingProxyType({})
    """What can be ordered, by verb: the `OrderBook` that `declared` returns."""
    rolls: Mapping[str, RollKind] = MappingProxyType({})
    """Kinds of throw by their word, for the page of luck; kinds not named here are shown by the word itself."""
    battles: tuple[str, ...] = ()
    """The shapes of battle codes (`turn.dice_purposes`), so that one that can never come is reported."""
    demo_rank: int = 100
    """A demo that names no ruleset shows the one with the lowest rank among those with a scenario."""
    at_war: str = N_("You are at war with {foes:the}.")
    """The sentence who `foes` are."""
    named: tuple[str, ...] = ("Nodes",)
    """Sheets whose rows a reader knows by their names rather than by their codes."""
    coded: tuple[str, ...] = ()
    """Sheets whose rows a reader knows by name and code, or by the name of their place and the code."""
    legend: str = ""
    """A sentence (msgid) that says what the letters mean that stand for men and values in reports; "" for none."""
    quotes_lines: bool = False
    """Whether reports quote an order of columns as the line that says the same, because its cells alone say little."""
    shared: str = ""
    """Who sees what an owner sees beside it, a sentence for the manual; "" where nobody does."""
    looks: Looks = Looks()
    """How it looks on maps; what it does not say is derived from the base sheets."""
    unwelcome: tuple[str, ...] = ()
    """Labels of `glance` whose rise is bad news."""
    unheard: str = ""
    """The code of the book's own finding for an order for a phase that its turn lacks; "" for the shared one."""
    tempers: tuple[Temper, ...] = ()
    """How its robots may play, the usual one first: that of `robot_orders`. None: there is no choice."""
    words: tuple[str, ...] = ()
    """Codes among the data of events, questions and findings that a reader sees translated."""
    citations: Mapping[str, Citation] = MappingProxyType({})
    """What events, phases and numbers cite, by key; without it readers are shown the keys themselves."""

    def __init_subclass__(cls) -> None:
        own, cls.records = vars(cls), with_shared_sheets(cls.records)
        if "numbers" not in own and ("rules_of" in own or "chapters" in own):
            cls.numbers = in_sheet_order(cls.rules_of.declared, cls.chapters)
        if "chapters" in own:
            inherited = next(vars(base)["chapters"] for base in cls.__mro__[1:] if "chapters" in vars(base))
            cls._take_words([chapter for chapter in cls.chapters if chapter not in inherited])
        if "calendar" in own:
            cls._phases = cls.calendar.phases()
            if "turn_pattern" not in own:
                cls.turn_pattern = cls.calendar.turns.pattern

    @classmethod
    def _take_words(cls, chapters: Sequence[Chapter]) -> None:
        """Add what chapters declare to what is declared without one; findings stand in the order of their codes."""
        cls.events = keyed(*cls.events.values(), *(event for one in chapters for event in one.all_events()))
        cls.questions = keyed(*cls.questions.values(), *(question for one in chapters for question in one.questions))
        findings = keyed(*cls.findings.values(), *(finding for one in chapters for finding in one.findings))
        cls.findings = {code: findings[code] for code in in_natural_order(findings)}
        cls.citations = citations_by_key((*(citation for one in chapters for citation in one.all_cites()),
                                          *cls.citations.values()))

    @classmethod
    def homes(cls) -> tuple[Home, ...]:
        """The homes of this rulebook and of those on which it builds (house rules subclass another book)."""
        places = []
        for base in cls.__mro__:
            if "id" in vars(base) and issubclass(base, Ruleset):
                file = getattr(sys.modules.get(base.__module__), "__file__", None)
                ours = base.__module__.startswith(OURS)
                folder = "" if ours or file is None else str(Path(file).parent)
                places.append(Home(base.id, vars(base).get("catalogue_domain", "") or base.id, folder,
                                   vars(base).get("translations", NONE_BESIDE)))
        return tuple(places)

    # --- derived from what is declared -------------------------------------------------------
    def rules(self, campaign: Campaign) -> Rules:
        """The numbers in force."""
        return campaign.derive(rules_in_force, Rule, by=(self, campaign.desk.edition or self.editions[0]))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """What the Rules sheet sets by hand, by the keys that the book declares."""
        return typed_values(rules)

    def record(self, sheet: str) -> type[Record]:
        """The record class of an English sheet name. Raises KeyError."""
        return {r.sheet: r for r in self.records}[sheet]

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """What one faction may know, "" for what all may: a pure function of what columns declare, and of `viewer`."""
        return views.make_view(self.viewer(campaign.copy(), faction))

    @property
    def board(self) -> Callable[[Game], Any]:
        """Makes the board of its phases, the first that is not `Board` itself; house rules may have changed it."""
        return next((phase.board for phase in self.calendar.phases().values() if phase.board is not Board), Board)

    def game(self, campaign: Campaign, phase: str = "", *, dice: Dice | None = None,
             answers: Mapping[str, str] | None = None) -> Game:
        """A run of a phase (by default the present one) on this very campaign, not on a copy.

        By default no dice can be thrown, and the answers are those typed into the campaign.
        """
        desk = campaign.desk
        game = Game(campaign, self.rules(campaign), dice or ShutDice(desk.turn), phase or desk.phase,
                    self.findings, answers, as_order_book(self.verbs), self.questions, self.events)
        game.languages = self.languages
        game.reads = self.read
        game.taken_in = lambda verb: self._next_time(campaign, verb)
        with suppress(KeyError):  # a campaign that is over, or not begun, is in no phase
            now = self.phase(game.phase)
            game.orders_word, game.takes = now.orders, now.takes or now.orders
            game.phase_rule = now.rule
        return game

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """Findings about the orders of the present phase, as resolving it would give them."""
        return taking.judge_orders(self.phases_left(campaign), self.game, campaign, self.invitations,
                                   self._certain_codes())

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """Findings about input for later phases: forms of battles, orders for later phases, orders that come too late.
        """
        coming = self.phases_left(campaign)
        forms = taking.judge_forms(coming, self.game, campaign)
        if not coming or not as_order_book(self.verbs).carried_out:
            return forms
        return [*taking.late_rows(self.phases_past(campaign), coming, self.game(campaign)), *forms,
                *taking.judge_later(coming, self.game, campaign, self._certain_codes())]

    def foresee_orders(self, campaign: Campaign) -> list[Finding]:
        """Remarks on orders for later phases: what each of these would say as things stand now.

        Later turns are looked at as far as their orders may be typed: the next one, or all seasons of a year.
        """
        def game_of(then: Campaign, phase: str) -> Game:
            game = self.game(then, phase)
            game.taken_in = lambda verb: self._next_time(campaign, verb)  # from now on, not from then
            return game

        certain = self._certain_codes()
        waiting = {row.turn for row in campaign.table(Order).open_rows(campaign.desk.turn, lambda row: not row.status)}
        clock, findings = campaign, list[Finding]()
        for _ in range(1 + max(1, len(self.calendar.turns.seasons))):
            coming = self.phases_left(clock)
            if clock.desk.turn in waiting:
                here = campaign.desk.phase if clock is campaign else ""
                findings += taking.judge_coming(coming, game_of, clock, certain, here)
            if not coming or not waiting - {campaign.desk.turn}:
                break
            clock = clock.copy()
            for _ in coming:
                if not self.is_over(clock):
                    self.advance(clock)
        return findings

    def rehearse(self, view: Campaign, faction: str, refused: Container[str] = ()) -> Rehearsal:
        """What follows of a faction's orders if nobody interferes: for the present turn, or for the next one that reads
        orders. `view`: its view; `refused`: orders that are known to be refused later, as things stand.
        """
        coming = self._phases_ahead(view)
        turn = next((ahead.turn for ahead in coming if ahead.phase.orders), view.desk.turn)
        phases = [ahead.phase for ahead in coming if ahead.turn == turn]
        return rehearse(phases, turn, self.game, view, faction, self.invitations, self._certain_codes(), refused)

    def _certain_codes(self) -> set[str]:
        """The codes of findings about orders that nothing can put right until the order's phase comes."""
        says = {**HOUSE, **as_order_book(self.verbs).says}
        doubtful = {message.code for name, message in says.items() if name not in CERTAIN}
        return {message.code for name, message in says.items() if name in CERTAIN} - doubtful | {
            code for code, message in self.findings.items() if message.certain}

    def phases_left(self, campaign: Campaign) -> list[Phase]:
        """The phases of this turn from the present one on; none if the campaign is over."""
        ids, now = list(self.phase_ids(campaign)), campaign.desk.phase
        return [self.phase(name) for name in ids[ids.index(now):]] if now in ids else []

    def phases_past(self, campaign: Campaign) -> list[Phase]:
        """The phases of this turn before the present one; all if the campaign is in none of them."""
        ids = self.phase_ids(campaign)
        return [self.phase(name) for name in ids[:len(ids) - len(self.phases_left(campaign))]]

    def verbs_left(self, campaign: Campaign, faction: str) -> list[Verb]:
        """The verbs that a faction may still use this turn: those of the phase that takes orders next first."""
        times = [phase.takes or phase.orders for phase in self.phases_left(campaign) if phase.orders]
        verbs = [verb for code, verb in as_order_book(self.verbs).items() if verb.deed is not None
                 and set(times) & set(verb.when) and self.may_order(faction, code)]
        return sorted(verbs, key=lambda verb: times[0] not in verb.when)

    def is_legal(self, view: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
        """Whether a faction may give an order besides those it has given, as far as it can know. `view`: its view;
        `fields`: verb and columns.
        """
        return self._judge(view, faction, alone=False).allows(fields)

    def may_order(self, faction: str, verb: str) -> bool:
        """Whether a faction may ever give orders with a verb (codes; "": some faction); here: any."""
        return True

    def legal_orders(self, view: Campaign, faction: str, *, verbs: Iterable[str] = (), limit: int = 1,
                     ahead: bool = False, judge: OrderJudge | None = None) -> Iterator[LegalOrder]:
        """Orders that a faction may give, each by itself as if it had given no others yet: verb by verb, unit by unit.

        `view`: its view; `verbs`: only these (codes); `limit`: how many at most with one verb and unit; `ahead`: also
        those that only later phases than the next one that takes orders would take; `judge`: of `judge_of`, which then
        knows why others are refused.
        """
        judge, book = judge or self.judge_of(view, faction), as_order_book(self.verbs)
        following = next((moment for moment in judge.to_come if moment.phase.orders), None)
        for code in verbs or [code for code in book if self.may_order(faction, code)]:
            moment = judge.next_phase_for(book[code])
            if moment is not None and following is not None and (ahead or moment.reads == following.reads):
                yield from legal_orders(judge, book[code], limit)

    def judge_of(self, view: Campaign, faction: str) -> OrderJudge:
        """The judge of orders of a faction that it has not given yet, each by itself. `view`: its view."""
        return self._judge(view, faction)

    def _judge(self, view: Campaign, faction: str, *, alone: bool = True, game_of: taking.GameOf | None = None
               ) -> OrderJudge:
        to_come = self._phases_ahead(view) if len(view.table(Node)) else []  # else the map is still to come
        return OrderJudge(as_order_book(self.verbs), view, faction, to_come, game_of or self.game,
                          self.invitations, alone=alone)

    def _game_in_notation(self, campaign: Campaign, phase: str) -> Game:
        """A run of a phase that reads lines in the book's notation only: a sentence is judged while it is read."""
        game = self.game(campaign, phase)
        game.reads = self.understand
        return game

    def _phases_ahead(self, campaign: Campaign) -> list[PhaseToCome]:
        """The phases to come of this turn, and of the next ones until each verb has a phase that takes it."""
        clock, to_come = campaign.copy(), list[PhaseToCome]()
        if not clock.desk.phase:
            self.prepare(clock)
        wanted, turns = {time for verb in as_order_book(self.verbs).values() for time in verb.when}, set[str]()
        while clock.desk.phase in self.phase_ids(clock) and len(turns) <= FARTHEST_TURNS:
            if clock.desk.turn not in turns and not wanted:
                break
            turns.add(clock.desk.turn)
            phase = self.phase(clock.desk.phase)
            to_come.append(PhaseToCome(clock.desk.turn, phase))
            wanted.discard(phase.takes or phase.orders)
            self.advance(clock)
        return to_come

    def _next_time(self, campaign: Campaign, verb: str) -> str:
        """Turn and phase to come that take a verb (its code) next; "" if none does."""
        times = as_order_book(self.verbs)[verb].when
        return next((f"{ahead.turn} {ahead.phase.id}" for ahead in self._phases_ahead(campaign)
                     if ahead.phase.orders and (ahead.phase.takes or ahead.phase.orders) in times), "")

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """Read one line in the book's notation, without list marks and quotes, by what the verbs declare."""
        return reader.understand(as_order_book(self.verbs), campaign, faction, text)

    def _explain(self, line: Understood, notation: Understood, campaign: Campaign, faction: str) -> Understood:
        """A line that was not understood, with the book's finding for one whose verb its notation knows, if it has one.
        """
        book = as_order_book(self.verbs)
        if not line.problem or line.why is not None or not notation.verb or "unreadable" not in book.says:
            return line
        words, wanted = self._words_of(campaign, faction), (book.says["unreadable"].names or {}).values()
        view = words.lexicon.campaign
        judges = [words.judge()] if faction else self._judges(view, faction)
        example = self._example(judges, [book[notation.verb]], campaign.desk.language) if "example" in wanted else ""
        names = [name for record in book.records() for row in view.by_sheet(record.sheet)
                 for name in (row.ident, *names_held(row))] if "near" in wanted else []
        return line._replace(proposals=(), why=Refused(
            "unreadable", "text", column="text", text=line.problem[:MOST_QUOTED], example=example, sheet=Order.sheet,
            word=notation.unknown or line.problem, near=nearest(notation.unknown, names)))

    def read(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """Read one line as an order of a faction: in the book's notation (`understand`), else as people write."""
        book, campaign = as_order_book(self.verbs), campaign.copy()  # nothing in it changes while the line is read
        notation = self.understand(text, campaign, faction)
        if not book.carried_out or not faction:
            return self._explain(notation, notation, campaign, faction)

        def read_sentence() -> LineReading:
            words = self._words_of(campaign, faction)
            phase = self._phases.get(campaign.desk.phase)
            now = (phase.takes or phase.orders,) if phase is not None else ()
            said = campaign.desk.phase, text
            if said not in words.readings:
                words.readings[said] = read_orders(
                    book, words.lexicon.campaign, faction, text, lambda fields: words.judge().allows(fields),
                    words.lexicon, now, season=self.season_of(campaign))
            return words.readings[said]

        line = reader.combine(book, campaign, faction, text, notation, read_sentence)
        return self._explain(line, notation, campaign, faction)

    def season_of(self, campaign: Campaign) -> list[str]:
        """How the present month and season are called, in both languages."""
        turn, phase = campaign.desk.turn, campaign.desk.phase
        code = self.calendar.turns.season(turn).casefold()
        seasons = [word for pair in zip(SEASONS[:4], SEASONS[4:], strict=True) if code and pair[0].startswith(code)
                   for word in pair]
        shown = self._phases.get(phase)
        return [*seasons, *(name for lang in LANGUAGES for name in (
            self.calendar.chapter(turn, phase, lang), shown.name(lang) if shown is not None else ""))]

    _words: tuple[list[SharedRows[Any]], dict[str, FactionWords]] | None = None
    """Of which rows the words of the lines before were, and those of each faction."""

    def _words_of(self, campaign: Campaign, faction: str) -> FactionWords:
        """What a faction's words mean, and how its lines were read: those of the lines before while only what is handed
        in has changed, as a mail that quotes a report holds the same lines again and again.
        """
        rows = [campaign.common(record.sheet) for record in campaign.records().values()
                if not issubclass(record, ADDRESSED)]
        if self._words is None or [*map(id, self._words[0])] != [*map(id, rows)]:
            self._words = rows, {}
        words = self._words[1]
        if faction not in words:
            lexicon = Lexicon(as_order_book(self.verbs), self.view(campaign, faction), faction)
            judge = cache(partial(self._judge, lexicon.campaign, faction, game_of=self._game_in_notation))
            words[faction] = FactionWords(lexicon, judge, {})
        return words[faction]

    def order_cards(self, campaign: Campaign, lang: str, say: Translate, faction: str = "", *,
                    now: bool = False, brief: bool = False, known: Sequence[LegalOrder] = (),
                    examples: bool = True, judge: OrderJudge | None = None) -> list[OrderCard]:
        """The orders card, with the campaign's numbers, and `examples` that are legal as things stand.

        `say`: translates a text (msgid); `faction`: whose examples they are, and whose view the campaign is; "": those
        of any club; `now`: only verbs for the remaining phases of this turn, if any takes orders; `brief`: without the
        columns; `known`: the orders that the faction may give for the next phase that takes some, where they have been
        sought; `judge`: by whom.
        """
        times: dict[str, list[str]] = {}
        phases = list(self._phases.values() or map(self.phase, self.phase_ids(campaign)))
        left = self.phases_left(campaign) if now else []
        for phase in left if any(phase.orders for phase in left) else phases:
            if phase.orders:
                times.setdefault(phase.takes or phase.orders, []).append(phase.orders)
        numbers = {number.key: number for number in self.numbers if isinstance(number, Number)}
        judges = ([judge] if judge else self._judges(campaign, faction)) if examples else []
        edition = CardContext(self.record(Order.sheet), self.rules(campaign), numbers, times,
                              lambda verb, lang: self._example(judges, [verb], lang, known), brief, self.languages)
        book = as_order_book(self.verbs)
        return make_cards(book, [verb for code, verb in book.items() if self.may_order(faction, code)], edition, lang,
                          say)

    def hint(self, campaign: Campaign, faction: str, text: str, verb: str = "") -> Mapping[str, str]:
        """In each language a line that a faction may order instead of one that was not understood: with the verb that
        it seems to mean, or, where it seems to mean none, of the unit or place that it names; "" where none is.

        `verb`: which verb it seems to mean, where the reader knows; `campaign`: the whole one, or the faction's view.
        """
        lexicon = self._words_of(campaign, faction).lexicon
        sentence = SplitSentence(split_words(text), lexicon)
        verbs = [verb] if verb else likely_verbs(sentence)
        judge, book = self._judge(lexicon.campaign, faction), as_order_book(self.verbs)
        own = [one for one in verbs[:1] if any(book.code(token.folded) == one for token in sentence.tokens)]
        order = (likely_order(judge, sentence, own) if own else None) or likely_order(judge, sentence, verbs)
        return {lang: "" if order is None else order_line(book, judge.view, order.fields, lang) for lang in LANGUAGES}

    def sort_of_word(self, campaign: Campaign, faction: str, word: str, text: str) -> str:
        """What a word is that has no place in a line (`Lexicon.sort_of`); a number there may be of steps somewhere."""
        lexicon = self._words_of(campaign, faction).lexicon
        sort = lexicon.sort_of(word) if word else ""
        strange = LISTS.compass.intersection(token.folded for token in split_words(text)) - lexicon.vocabulary
        return "direction" if sort == "number" and strange else sort

    def _judges(self, campaign: Campaign, faction: str) -> list[OrderJudge]:
        """The judges of a faction's orders, or of those of the first clubs."""
        if faction:
            return [self._judge(campaign, faction)]
        clubs = [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]
        return [self._judge(self.view(campaign, code), code) for code in clubs[:MOST_ASKED]]

    def _example(self, judges: Iterable[OrderJudge], verbs: Iterable[Verb], lang: str,
                 known: Sequence[LegalOrder] = ()) -> str:
        """The first legal order as a line; `known`: where they stand, no others with their phase are sought."""
        book, sought = as_order_book(self.verbs), {(order.turn, order.phase) for order in known}
        for verb in verbs:
            for judge in judges:
                moment = judge.next_phase_for(verb)
                given = moment is not None and moment.reads in sought
                of_verb = (order for order in known if order.verb == verb.en)
                offered = of_verb if given else legal_orders(judge, verb)
                others = legal_orders(judge, verb, useless=True) if verb.offered is not None else iter(())
                for order in chain(offered, (other for other in others if not other.warned)):
                    return order_line(book, judge.view, order.fields, lang)
        return ""

    # --- the order of play -------------------------------------------------------------------
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

    # --- what a rulebook may override ------------------------------------------------------------
    def prepare(self, campaign: Campaign) -> None:
        """Fill in what a new campaign needs before its first phase (`arbitro new`); here: first turn and first phase.
        """
        desk = campaign.desk
        desk.turn = desk.turn or self.calendar.first
        desk.phase = desk.phase or next(iter(self.phase_ids(campaign)), "")

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """The book's own findings about the whole workbook; errors among them keep any phase from starting."""
        return []

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding for an order that is handed in too late; None: ARB-090."""
        return None

    def finding(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """A finding of the book's own. Raises KeyError."""
        return Finding(code, self.findings[code].severity, where, data, faction)

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """One row per faction with the figures that the book compares, public ones first; here: the public figures of
        `glance`.
        """
        return event_types.public_figures(campaign)

    def ending(self, view: Campaign) -> Ending:
        """How the campaign ended, from public knowledge; here: the most important public events of the last phase."""
        return event_types.default_ending(view, self.events)

    def glance(self, view: Campaign, faction: str) -> Sequence[tuple[str, float]]:
        """The four to six figures with which a report opens: label (msgid, or a column's heading) and present value.

        Here: the number of the faction's places and armies, if the book has such, and the numbers in its own row.
        """
        return list(event_types.figures_of(view, faction, ("public", "owner")).items())

    def chat(self, view: Campaign, faction: str, say: Translate) -> list[str]:
        """Sentences for the short chat message (`faction` "": everybody's); none: the report's main news is used."""
        return []

    def invitations(self, game: Game) -> list[Invitation]:
        """Questions for the present phase for which it does not wait; here: none."""
        return []

    def open_invitations(self, campaign: Campaign) -> list[OpenInvitation]:
        """The `invitations` that nobody has answered yet, with their rows; [] if the campaign is over."""
        return [] if self.is_over(campaign) else open_invitations(game := self.game(campaign), self.invitations(game))

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """Legal orders for an absent club in the present phase, made from its view alone; here: none."""
        return []

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """An absent club's answer to a question, made from its view alone; here: the default, or the first option."""
        return question.default or question.options.split(",")[0].strip()

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[Order]:
        """What a robot of one of the `tempers` orders, made from its view alone; "": as `robot_orders`."""
        return self.robot_orders(view, faction)

    def answer_by_temper(self, view: Campaign, faction: str, question: Question, temper: str) -> str:
        """What a robot of one of the `tempers` answers, made from its view alone; "": as `robot_answer`."""
        return self.robot_answer(view, faction, question)

    # --- secrecy beyond what columns declare ---------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> Viewer:
        """The reader of a campaign; a ruleset whose circles need more of it returns a subclass."""
        return Viewer(campaign, self.rules(campaign), faction)

    # --- words of the calendar ---------------------------------------------------------------
    def when(self, turn: str, phase: str, lang: str) -> str:
        """A moment in the game's own calendar, for headings (``1500, May I``); the turn alone if the campaign is over.

        Raises KeyError for an unknown phase.
        """
        name = self.turn_name(turn, lang)
        return name if phase in ("", OVER) else f"{name}, {self.phase(phase).name(lang)}"

    def turn_name(self, turn: str, lang: str) -> str:
        """The name of a turn in headings."""
        return turn

    def phase_word(self, word: str, lang: str) -> str:
        """The name of a phase id, or of a word in the Orders' column Phase; the word itself if it is neither."""
        try:
            return self.phase(word).name(lang)
        except KeyError:
            return word

    def year(self, turn: str) -> str:
        """The year of a turn; reports show the luck of the dice at the end of each year. "" if the whole campaign falls
        within one year: then they show it when the campaign is over.
        """
        return self.calendar.turns.year(turn)

    # --- contents of reports -------------------------------------------------------------------
    def outcomes(self, view: Campaign, faction: str, events: Iterable[Event]) -> list[Said]:
        """Opening sentences of a club's own section in its report: what the new events mean for it."""
        return []

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """What a faction owes and by when (loans, tribute), from its view."""
        return []

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """The dossier of an open battle for one side, as labels and sentences; empty for a faction that takes no part.
        """
        return []

    def bookings(self, view: Campaign, faction: str) -> list[Booking]:
        """All movements of a faction's money, oldest first; here: the rows of a sheet ``Accounts``, if the ruleset has
        one, with the fields turn (or year), phase, faction, item, amount and balance.
        """
        table = view.tables().get("Accounts")
        rows = [] if table is None else [row for _, row in table.in_file_order() if row.faction == faction]
        return [Booking(str(getattr(r, "turn", "") or getattr(r, "year", "")), r.phase, r.item, r.amount, r.balance)
                for r in rows]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Tables of what a faction has; here: its rows of Armies, Nodes and sheets of people."""
        sheets = ((N_("Your armies"), Army.sheet), (N_("Your places"), Node.sheet),
                  *((N_("Your people"), record.sheet) for record in self.records if record.persons))
        return [table for title, sheet in sheets if view.has(sheet) and self.record(sheet).whose
                for table in event_types.faction_tables(title, view, sheet, faction)]

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Tables of what a faction sees of others; here: their rows of Armies with a known place."""
        table = view.table(Army)
        if not view.has(Army.sheet):
            return []
        rows = [row for row in table if row.node and row.faction != faction]
        return [TableOf(N_("Armies of others"), table.record, ("army", "faction", "node"), rows)]

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """The factions with which one is at war, as far as its view tells; here: none is known."""
        return []

    def own_places(self, view: Campaign, faction: str) -> list[str]:
        """Where places of a faction's own are; here: its rows of Nodes."""
        return [node.node for node in view.table(Node) if faction in node.owners]

    def is_bound(self, view: Campaign, a: str, b: str) -> bool:
        """Whether an alliance, a peace or the like keeps two factions from fighting each other now; here: nothing does.
        """
        return False

    def right_to_stand(self, view: Campaign, faction: str, guest: str) -> Said | None:
        """By what right an army of another faction stands in a place of a faction's own; here: nothing is known."""
        return None

    def cause_of(self, view: Campaign, faction: str, event: Event) -> Said | Event | None:
        """Why something came to a faction, where its sentence does not say it: in a sentence, or an event whose ruling
        decided it; here: nothing.
        """
        return None

    def foes_seen(self, view: Campaign, faction: str) -> list[tuple[str, Said]]:
        """Where a faction has seen enemies, and what it saw, in a book that does not show their rows; here: nothing."""
        return []

    def steps_from(self, view: Campaign, place: str) -> StepsTo:
        """How many steps it is from a place to another, None if no way is known; here: along the map's roads."""
        steps = self.game(view).map.distances(place)
        return lambda there: None if (n := steps.get(there)) is None else int(n)

    def die_came_to(self, view: Campaign, key: str, total: int) -> Said | None:
        """What a throw of this purpose came to where no event tells it, such as that nothing happens on it; here: all
        throws have their events.
        """
        return None

    def pieces_in_words(self, letters: str, lang: str, *, in_line: bool = False) -> str:
        """Pieces that are written by their letters, in words, with `in_line` in their order; here: as they are."""
        return letters

    def aims(self, view: Campaign, lang: str) -> list[TableOf]:
        """Tables of what each faction strives for, as far as the view shows it, for the book of the war; here: a sheet
        ``Objectives``, if the ruleset has one.
        """
        table = view.tables().get("Objectives")
        if table is None:
            return []
        key, *rest = (c.name for c in table.record.columns() if c.key or any(c.tells(getattr(r, c.name))
                                                                            for r in table))
        return [TableOf("", table.record, (key, *rest)[:event_types.WIDEST], list(table))]

    def places_held(self, view: Campaign, faction: str) -> int:
        """How many places a faction holds, as everybody can count; here: its rows of Nodes."""
        return sum(1 for node in view.table(Node) if faction in node.owners)

    def battle_is_reported(self, battle: Battle) -> bool:
        """Whether the form of this battle is filled in."""
        return self.form is not None and self.form.is_reported(battle)

    def fold(self, campaign: Campaign) -> None:
        """Convert what a folder of CSVs has in an older or different form into the form of the sheets."""


# Defaults for typical rulebooks: typed numbers, counted turns, late orders.


N = TypeVar("N", bound=Rules)


class Wing(Generic[N], Ruleset):
    """What most rulebooks need for turns and numbers, by declaration alone: ``class Mine(Wing[Numbers])``."""

    counted: tuple[str, str] = ("", "")
    """The word for a turn, English and Italian, if turns are numbered days or weeks; the English word is also that of
    all orders."""
    late: Role | None = None
    """The finding for an order of another turn; its text may name the ``turn`` of the order, and ``now``."""
    prefix: str = ""
    """A prefix that keys on the Rules sheet may have, such as the book's name and a dot."""

    def rules(self, campaign: Campaign) -> N:
        """The numbers in force."""
        return cast(N, super().rules(campaign))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """As in the base class; keys may have the `prefix`."""
        return {key.removeprefix(self.prefix): value for key, value in typed_values(rules).items()}

    def year(self, turn: str) -> str:
        """Counted days and weeks all fall within one year: one turn has too few dice to judge luck."""
        return "" if any(self.counted) else super().year(turn)

    def turn_name(self, turn: str, lang: str) -> str:
        """A day or week and its number."""
        return f"{self.counted[lang == 'it']} {turn}" if any(self.counted) else super().turn_name(turn, lang)

    def when(self, turn: str, phase: str, lang: str) -> str:
        """As in the base class; if all orders of a turn have one word, the turn alone is named for that word."""
        return super().when(turn, "" if phase and phase == self.counted[0] else phase, lang)

    def phase_word(self, word: str, lang: str) -> str:
        """As in the base class; the one word of all orders is the word for a turn."""
        return self.counted[lang == "it"] if word and word == self.counted[0] else super().phase_word(word, lang)

    def order_cards(
        self, campaign: Campaign, lang: str, say: Translate, faction: str = "", **how: Any
    ) -> list[OrderCard]:
        """As in the base class; the one word of all orders is shown in the reader's language, which the sheet accepts.
        """
        return [card._replace(when=self.phase_word(card.when, lang)) if card.when == self.counted[0] else card
                for card in super().order_cards(campaign, lang, say, faction, **how)]

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding, if it has one, for an order of another turn; else as in the base class."""
        known, late = {"turn": order.turn, "now": campaign.desk.turn}, self.late
        if late is None or order.turn == known["now"]:
            return None
        data = {brace: known[word] for brace, word in (late.names or {}).items()}
        return self.finding(late.code, Where(Order.sheet, order.order, "turn"), order.faction, **data)


def fill_in_tables(campaign: Campaign, printed: Iterable[type[Record]], folder: Path) -> list[Table[Any]]:
    """Fill in the tables that are empty, each from its CSV file in a folder; returns those that were filled in."""
    empty = [table for record in printed if not len(table := campaign.by_sheet(record.sheet))]
    for table in empty:
        with (folder / f"{table.record.file}.csv").open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                table.add(table.record.from_values(dict(row)))
    return empty
