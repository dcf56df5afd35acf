"""What a correction changes: old and new rows, what a person calls them, and the first phase that read them."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import REFEREE, Battle, Die, Event, FormRow, Order, Question
from assistant.campaign.tables import Record, Table
from assistant.desk.inputs import copy_fields, form_fields, is_blank, same_fields, unknown_die
from assistant.desk.intake.incoming import IncomingRows, Input, find_faction, order_words, read_source
from assistant.desk.intake.line_parser import ANSWER_WORDS, CHOICE_WORDS
from assistant.desk.intake.take_orders import assign_number, content
from assistant.desk.past.phase_chain import PhaseChain
from assistant.desk.play_phase import TurnPhase, phases_to_come
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import Workspace
from assistant.speech import names_of
from assistant.turn import codes
from assistant.turn.codes import ORDER_LATE
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.orders.words import strip_marks
from assistant.turn.phases import check_die, is_superseded, next_version
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

R = TypeVar("R", Question, Die)
AmendmentKind = Literal["changed", "added", "withdrawn", "untyped"]
SUPERSEDED, WITHDRAWN = "superseded", "withdrawn"


@dataclass(frozen=True)
class CorrectionRequest:
    """What a correction is to change.

    `sources`: as `arbitro orders` takes them; `faction`: whose lines they are; `at`: the phase (or
    ``turn.phase``) that plain lines refer to; `order`: the order that a line replaces; `withdraw`: orders that
    were never given; `untype`: dice that were not thrown at the table.
    """

    sources: tuple[Input, ...] = ()
    faction: str = ""
    at: str = ""
    order: str = ""
    withdraw: tuple[str, ...] = ()
    untype: tuple[str, ...] = ()


@dataclass(frozen=True)
class Amendment:
    """One row that the correction changes.

    `old`: as it is in the workbook, None for a forgotten one; `new`: None for a withdrawn one; `start`: the number of
    the phase in the chain from which it applies, None if no past phase has used it; `faction`: whose it is.
    """

    how: AmendmentKind
    sheet: str
    key: str
    old: Record | None
    new: Record | None
    start: int | None
    faction: str = ""

    def make(self, campaign: Campaign) -> None:
        """Change the row in a campaign as it is before the phase; the old row stays beside it as superseded."""
        table: Any = campaign.by_sheet(self.sheet)
        if self.old is not None and not self._was_blank():
            table.add(superseded_copy(self.old, table, self.how))
        if self.new is None:
            if self.key in table:
                table.remove(self.key)
        elif self.key in table:
            row = table[self.key]
            copy_fields(self.new, row, typed_fields(self.new))
            if isinstance(row, Question):
                row.asked = {}  # the correction answers what will be asked now, not what was
        else:
            table.add(self.new.copy())

    def _was_blank(self) -> bool:
        return (isinstance(self.old, Question) and not self.old.answer.strip()) or (
            isinstance(self.old, Battle) and is_blank(self.old, typed_fields(self.old)))

    @property
    def fields(self) -> list[str]:
        """The typed fields that change; for a row that is added or withdrawn, all that are not blank."""
        if self.old is not None and self.new is not None:
            return [n for n in typed_fields(self.new) if getattr(self.old, n) != getattr(self.new, n)]
        row = self.old or self.new
        assert row is not None
        return [n for n in typed_fields(row) if getattr(row, n) != row.column(n).default]

    @property
    def values(self) -> tuple[str, str]:
        """The values of its fields, old and new, each in the order of the columns."""
        names = self.fields
        skipped = ("turn", "phase", "faction", "seq") if self.sheet == Order.sheet and len(names) > 1 else ()
        old, new = (" ".join(text for name in names if row is not None and name not in skipped
                             and (text := row.column(name).kind.show(getattr(row, name))))
                    for row in (self.old, self.new))
        return old, new


def typed_fields(row: Record) -> list[str]:
    """The columns of a row that people fill in, without those that only say where and when it belongs."""
    if isinstance(row, Die):
        return ["dice", "value", "source"]
    if isinstance(row, Question):
        return ["answer"]
    if isinstance(row, (Battle, FormRow)):
        return form_fields(type(row))
    return [c.name for c in row.columns() if c.edit == "club" and not c.key]


def superseded_copy(row: Record, table: Table[Any], how: str = "changed") -> Record:
    """A copy of a row under its key with a number, marked as no longer valid."""
    old = next_version(table, row)
    if isinstance(old, Die):
        old.source = SUPERSEDED
    elif isinstance(old, Order):
        old.status = WITHDRAWN if how == "withdrawn" else SUPERSEDED
    elif isinstance(old, (Question, FormRow)):
        old.status = SUPERSEDED
    elif any(c.name == "status" and isinstance(c.kind, Choice) and SUPERSEDED in c.kind.options
             for c in old.columns()):  # of a battle, where the rulebook keeps one
        vars(old)["status"] = SUPERSEDED
    return old


@dataclass
class AmendmentFinder:
    """Finds the rows that a request changes. `found`, `findings`: the results, in the order of the request."""

    workspace: Workspace
    chain: PhaseChain
    wish: CorrectionRequest
    found: list[Amendment] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def read(self) -> AmendmentFinder:
        """Read the whole request. Raises `Abort` for an unknown source, phase or faction."""
        faction = find_faction(self.workspace, self.wish.faction)
        seen = self._as_of()
        for source in self.wish.sources:
            if source.path is None:
                source = self._answers(source)
            incoming = read_source(source, self.workspace, seen, faction)
            self.findings += [f for f in incoming.findings if f.code != ORDER_LATE]
            bad = {f.where.row for f in incoming.findings if f.stops and f.where.table == Order.sheet}
            if source.plain and not self.wish.at:
                incoming.dice = [self._as_thrown(die) for die in incoming.dice]
            self._take(incoming, bad)
        for key in self.wish.withdraw:
            self._withdraw(key)
        for key in self.wish.untype:
            self._untype(key)
        self._refuse_strange_dice()
        return self

    @property
    def campaign(self) -> Campaign:
        """The campaign as it stands."""
        return self.workspace.campaign

    def read_at(self, moment: TurnPhase) -> Iterator[tuple[str, Record]]:
        """The rows, with their keys, that people had typed for a resolved phase."""
        start, campaign = self._start_at(moment), self.campaign
        sheets = (Order.sheet, Question.sheet, Battle.sheet, *(form.sheet for form in self.workspace.ruleset.forms),
                  Die.sheet)
        for sheet in sheets:
            for key, row in campaign.by_sheet(sheet).in_file_order() if campaign.has(sheet) else ():
                if not is_superseded(key) and start is not None and self._start_of(row) == start:
                    yield key, row

    def _start_of(self, row: Record) -> int | None:
        """The phase that has read a row that people had typed; None for one that no phase has read."""
        if isinstance(row, Order):
            return self._start_of_order(row)
        if isinstance(row, (Battle, FormRow)):
            return self._start_of_battle(row.battle)
        if (isinstance(row, Question) and row.answer.strip()) or (isinstance(row, Die) and row.source == "table"):
            return self._start_at(TurnPhase(row.turn, row.phase))
        return None

    # --- The phase that plain lines refer to ------------------------------------------------
    def _as_of(self) -> Campaign:
        """The campaign with its clock at the phase that plain lines refer to, and that phase's questions open."""
        seen = self.campaign.copy()
        moment = self._moment()
        if moment is None:
            return seen
        seen.desk.turn, seen.desk.phase = moment.turn, moment.phase
        for key, row in seen.table(Question).in_file_order():
            here = (row.turn, row.phase) == (moment.turn, moment.phase) if self.wish.at else row.status == "answered"
            if not is_superseded(key):
                row.status = "open" if here or row.status == "open" else row.status
        return seen

    def _moment(self) -> TurnPhase | None:
        """The phase that was asked for; else that of the order; else the last one that took orders."""
        chain, ruleset = self.chain, self.workspace.ruleset
        if self.wish.at:
            for moment in reversed(chain.moments):
                if self.wish.at in (moment.phase, f"{moment.turn}.{moment.phase}"):
                    return moment
            known = [f"{m.turn}.{m.phase}" for m in chain.moments]
            raise self.workspace.abort(Exit.USAGE, codes.NOT_RESOLVED, at=self.wish.at,
                                       near=nearest(self.wish.at, known) or ", ".join(known[-1:]))
        if self.wish.order:
            old = self.campaign.table(Order).get(self.wish.order)
            if old is None:
                raise self.workspace.abort(Exit.USAGE, codes.NO_SUCH_ORDER, order=self.wish.order,
                                           near=nearest(self.wish.order, self.campaign.table(Order).keys()))
            start = self._start_of_order(old)
            return chain.moments[start] if start is not None else None
        takes = [m for m in chain.moments if ruleset.phase(m.phase).orders]
        return takes[-1] if takes else None

    def _answers(self, source: Input) -> Input:
        """Take the lines ``answer QUESTION TEXT`` out of a text, for questions that are known by their number."""
        left = []
        names = {name for q in self.campaign.table(Question) for name in (q.question, q.ident)}
        for line in source.text.splitlines():
            words = strip_marks(line).split(None, 2)
            first = words[0].casefold() if len(words) == 3 else ""
            if first in ANSWER_WORDS or (first in CHOICE_WORDS and words[1] in names):
                self._answer(self._question(words[1], words[2].strip()))
            else:
                left.append(line)
        return Input(source.name, text="\n".join(left))

    def _question(self, key: str, text: str) -> Question:
        """A question's row with an answer; for one that was never asked, the row is made from its name.

        `key`: the row's key, or the question's name. In some rulebooks the same name comes again in other phases: then
        it is the question of the phase that plain lines refer to, else the last one asked.
        """
        table = self.campaign.table(Question)
        old = table.get(key) or self._last(
            [q for q in table if q.question == key], self._moment() if self.wish.at else None)
        if old is not None:
            fresh = old.copy()
            fresh.answer = text
            return fresh
        for moment in [*self.chain.moments, *phases_to_come(self.workspace.ruleset, self.campaign)]:
            head, tail = f"{moment.turn}.{moment.phase}.", f"/{moment.turn}/{moment.phase}"
            if key.startswith(head):
                kind, to, about = ([*key[len(head):].split(".", 2), "", ""])[:3]
                return table.record(question=key, turn=moment.turn, phase=moment.phase, kind=kind, to=to, about=about,
                                    answer=text)
            early = table.record(question=key.removesuffix(tail), turn=moment.turn, phase=moment.phase, answer=text)
            if key.endswith(tail) and early.ident == key:
                early.complete()
                return early
        return table.record(question=key, answer=text)

    def _last(self, rows: Sequence[R], at: TurnPhase | None = None) -> R | None:
        """Of rows with the same name, the one of a phase, or of the last resolved phase; None for none."""
        starts = {n: row for row in rows if (n := self._start_at(TurnPhase(str(row.turn), str(row.phase)))) is not None
                  and at in (None, self.chain.moments[n])}
        return starts[max(starts)] if starts else None

    def _as_thrown(self, row: Die) -> Die:
        """A die of a plain line, moved to the last phase in which its purpose was thrown, if there is one."""
        table = self.campaign.table(Die)
        there = self._last([d for d in table if d.key == row.key]) if row.ident not in table else None
        if there is not None:
            row = row.copy()
            row.turn, row.phase = there.turn, there.phase
        return row

    # --- Rows -------------------------------------------------------------------------------
    def _take(self, incoming: IncomingRows, bad: Iterable[str]) -> None:
        orders = [o for o in incoming.orders if o.order not in bad]
        if self.wish.order and orders:
            orders[0].order = self.wish.order
        for order in orders:
            self._order(order)
        for row in incoming.answers:
            self._answer(row)
        for die in incoming.dice:
            self._die(die)
        for battle in incoming.battles:
            self._battle(battle)
        for key, part in incoming.forms:
            self._form(key, part)

    def _order(self, row: Order) -> None:
        table = self.campaign.table(Order)
        old = table.get(row.order) if row.order else None
        if is_superseded(row.order) or self._is_there(row, old):
            return
        if old is not None and old.faction != row.faction:
            self._refuse(codes.ORDER_ALREADY, Where(Order.sheet, row.order), row.faction, order=row.order,
                         faction=old.faction)
            return
        starts = [self._start_of_order(order) for order in (row, old) if order is not None]
        if None in starts:
            self._refuse(codes.NOT_OVER, Where(Order.sheet, row.order), row.faction, row=row.order or row.text)
            return
        new = row.copy()
        new.status = ""
        if old is not None and new.seq is None:
            new.seq = old.seq
        if old is None:
            # orders that the same request has added take numbers, too
            taken = self.campaign.copy().table(Order)
            for amendment in self.found:
                if isinstance(amendment.new, Order) and amendment.key not in taken:
                    taken.add(amendment.new.copy())
            assign_number(taken, new)
        self._add(new, old, min(start for start in starts if start is not None), row.faction)

    def _is_there(self, row: Order, old: Order | None) -> bool:
        """Whether the workbook says the same already."""
        if old is not None:
            return same_fields(old, row, [name for name in typed_fields(row) if name != "seq"])
        return any(content(order) == content(row) for key, order in self.campaign.table(Order).items()
                   if not is_superseded(key))

    def _answer(self, row: Question) -> None:
        old = self.campaign.table(Question).get(row.ident)
        if is_superseded(row.question) or (old is not None and old.answer.strip() == row.answer.strip()):
            return
        turn, phase = (old.turn, old.phase) if old else (row.turn, row.phase)
        if row.stands:  # what it was used for is corrected at the questions themselves
            self._refuse(codes.NOT_OVER, Where(Question.sheet, row.ident), row.to, row=row.question)
            return
        if not turn or not phase:
            near = nearest(row.question, self.campaign.table(Question).keys())
            self._refuse(codes.NO_SUCH_QUESTION, Where(), row.to, question=row.question, near=near)
            return
        new = (old or row).copy()
        new.answer, new.status = row.answer.strip(), ""
        self._add(new, old, self._start_at(TurnPhase(turn, phase)), new.to if new.to != REFEREE else "")

    def _die(self, row: Die) -> None:
        old = self.campaign.table(Die).get(row.ident)
        wrong = check_die(self.workspace.ruleset, row)
        if wrong is not None:
            self.findings.append(wrong)
            return
        if is_superseded(row.key) or (old is not None and (old.source, old.value) == ("table", row.value)):
            return
        new = (old or row).copy()
        new.value, new.dice, new.source = row.value, (old.dice if old and old.dice else row.dice), "table"
        new.audience = ""
        thrown = old is not None and bool(old.audience)
        start = self._start_at(TurnPhase(new.turn, new.phase)) if thrown or old is None else None
        self._add(new, old, start)

    def _refuse_strange_dice(self) -> None:
        """Refuse dice that no phase has thrown, unless another correction may lead to their throw."""
        strange = [amendment for amendment in self.found if amendment.sheet == Die.sheet and amendment.how == "added"]
        if len(strange) < len(self.found):
            strange = [amendment for amendment in strange if isinstance(amendment.new, Die)
                       and unknown_die(self.workspace.ruleset, self.campaign, amendment.new) is not None]
        keys = [die.key for die in self.campaign.table(Die) if die.audience and not is_superseded(die.key)]
        for amendment in strange:
            assert isinstance(amendment.new, Die)
            self._refuse(codes.NEVER_THROWN, Where(Die.sheet, amendment.key, "key"), seen=Verbatim(amendment.new.key),
                         near=Verbatim(nearest(amendment.new.key, keys)))

    def _battle(self, row: Battle) -> None:
        old, names = self.campaign.table(Battle).get(row.battle), form_fields(type(row))
        if is_superseded(row.battle) or (old is not None and same_fields(old, row, names)):
            return
        new = type(row)(battle=row.battle, turn=old.turn if old else row.turn)
        copy_fields(row, new, names)
        self._add(new, old, self._start_of_battle(row.battle))
        for asked in self.campaign.table(Question).where(lambda q: q.about == row.battle and q.to == REFEREE):
            if asked.answer.strip() and not is_superseded(asked.question):  # an answer would overrule the form
                self._answer(dataclasses.replace(asked, answer=""))

    def _form(self, key: str, row: FormRow) -> None:
        """Amend a part of a battle's form. `key`: of its row; several rows may have the same key columns."""
        old = self.campaign.by_sheet(row.sheet).get(key)
        if is_superseded(key) or (old is not None and same_fields(old, row, form_fields(type(row)))):
            return
        new = row.copy()
        new.status = ""
        self._add(new, old, self._start_of_battle(row.battle), key=key)

    def _withdraw(self, key: str) -> None:
        old = self.campaign.table(Order).get(key)
        if old is None or is_superseded(key):
            near = nearest(key, self.campaign.table(Order).keys())
            self._refuse(codes.NO_SUCH_ORDER, Where(), order=key, near=near)
            return
        self._take_out("withdrawn", key, old, self._start_of_order(old), old.faction)

    def _untype(self, key: str) -> None:
        table = self.campaign.table(Die)
        old = table.get(key) or self._last([d for d in table if d.key == key and d.source == "table"])
        if old is None or old.source != "table":
            typed = [d.key for d in table if d.source == "table"]
            self._refuse(codes.NOT_TYPED, Where(), key=key, near=nearest(key, typed))
            return
        self._take_out("untyped", key, old, self._start_at(TurnPhase(old.turn, old.phase)))

    def _take_out(self, how: AmendmentKind, seen: str, old: Record, start: int | None, faction: str = "") -> None:
        """A row that should not have been there. `seen`: how the request calls it."""
        if start is None:
            self._refuse(codes.NOT_OVER, Where(old.sheet, seen), faction, row=seen)
        else:
            self._keep(Amendment(how, old.sheet, old.ident, old, None, start, faction))

    def _add(self, new: Record, old: Record | None, start: int | None, faction: str = "", key: str = "") -> None:
        """A row as it should have been. `key`: where several rows may have the same key columns."""
        there = old is not None and not (isinstance(old, Question) and not old.answer.strip())
        self._keep(Amendment("changed" if there else "added", new.sheet, key or new.ident, old, new, start, faction))

    def _keep(self, fresh: Amendment) -> None:
        """Keep an amendment; it takes the place of an earlier one of the same row."""
        self.found = [known for known in self.found if (known.sheet, known.key) != (fresh.sheet, fresh.key)]
        self.found.append(fresh)

    def _refuse(self, code: str, where: Where, whose: str = "", **data: Any) -> None:
        self.findings.append(codes.finding(code, where, whose, **data))

    # --- The phase from which a row applies -------------------------------------------------
    def _start_of_order(self, row: Order) -> int | None:
        """The first resolved phase that reads this order."""
        for number, moment in enumerate(self.chain.moments):
            if moment.turn == row.turn and self.workspace.ruleset.phase(moment.phase).orders == row.phase:
                return number
        return None

    def _start_at(self, moment: TurnPhase) -> int | None:
        return self.chain.moments.index(moment) if moment in self.chain.moments else None

    def _start_of_battle(self, key: str) -> int | None:
        """The first phase that can have used the result: after the battle began and the result was asked for, and with
        the form filled in.
        """
        old = self.campaign.table(Battle).get(key)
        if old is None:
            return None
        asked = [q for q in self.campaign.table(Question) if q.about == key and q.to == REFEREE]
        began = [e for e in self.campaign.table(Event) if f"{Battle.sheet}/{key}" in e.touched.split()]
        moments = [TurnPhase(q.turn, q.phase) for q in asked[:1]] + [TurnPhase(e.turn, e.phase) for e in began[:1]]
        known = [self._start_at(moment) for moment in moments]
        floor = max((n for n in known if n is not None), default=0)
        names = typed_fields(old)
        for number, moment in enumerate(self.chain.moments):
            if number >= floor and moment.turn == old.turn:
                row = self.chain.before(number).table(Battle).get(key)
                if row is not None and not is_blank(row, names):
                    return number
        return floor if floor else None


# What a person calls a row of the past: Venice's order, its answer to a question, a die, a battle; never its key.


_PARTS = re.compile(r"[/:]")
"""Between the parts of a die's purpose."""


def row_name(row: Record, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row in words, without what was typed as its answer or value. `campaign`: what the words of an order mean."""
    if isinstance(row, Order):
        return words.text(N_("{faction}, order: {text}"), faction=row.faction,
                          text=Verbatim(order_words(row, ruleset, words, campaign)))
    if isinstance(row, Question):
        about = [words.names.text(part) for part in _PARTS.split(row.about) if part]
        asked = Verbatim(" ".join([words.word(row.kind), ", ".join(about)]).strip())
        return str(asked) if row.to == REFEREE else words.text(N_("{faction}, answer: {text}"), faction=row.to,
                                                               text=asked)
    if isinstance(row, Die):
        word, *about = _PARTS.split(row.key)
        kind = ruleset.rolls.get(word)
        told = [words.names.text(part) for part in about if words.names.row_name(part)]
        title = words.text(kind.title) if kind is not None else words.word(word).capitalize()
        return words.text(N_("Die: {text}"), text=Verbatim(", ".join([title, *(told or about)])))
    battle = campaign.table(Battle).get(row.battle) if isinstance(row, (Battle, FormRow)) else None
    if battle is not None:
        called = words.names.text(battle.battle)
        named = f"{called[:1].upper()}{called[1:]} ({battle.battle})"
        return named if isinstance(row, Battle) else f"{named}, {words.names.text(row.ident.rpartition('/')[2])}"
    return key_name(row.sheet, row.ident, ruleset, words)


def key_name(sheet: str, key: str, ruleset: Ruleset, words: Wording) -> str:
    """A row by its sheet and its key, each part of it in words: ``Loans Venice, 1500``."""
    parts = [words.names.text(part) if words.names.row_name(part) else words.word(ruleset.phase_word(part, words.lang))
             for part in key.split("/")]
    return f"{words.text('{sheet}', sheet=sheet)} {', '.join(parts)}"


def brief_name(row: Record, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """The same without what an order says."""
    return words.text(N_("{faction}, order"), faction=row.faction) if isinstance(row, Order) else row_name(
        row, ruleset, words, campaign)


def naming(words: Wording, ruleset: Ruleset, campaign: Campaign) -> Wording:
    """The same words with the names of a campaign's places and units, too."""
    return Wording(ruleset, words.lang, names_of(campaign, words.lang, ruleset.named))


def distinct_names(names: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    """Names of rows, those that occur more than once with the row's key behind."""
    often = Counter(names)
    return tuple(f"{name} ({key})" if often[name] > 1 else name for name, key in zip(names, keys, strict=True))
