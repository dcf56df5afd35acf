"""`correct`: changes the past and replays what followed; what differs then, why, and whom it concerns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved
from assistant.campaign.columns import Data
from assistant.campaign.records import ALL, Battle, Die, Event, Faction, FindingRow, FormRow, Order, Question
from assistant.campaign.tables import Record, SharedRows, in_natural_order, touched_name
from assistant.desk.next_steps import outcome_lines
from assistant.desk.past.amendments import (
    Amendment,
    AmendmentFinder,
    CorrectionRequest,
    brief_name,
    key_name,
    naming,
    row_name,
)
from assistant.desk.past.phase_chain import PhaseChain, changes_between
from assistant.desk.past.replay import CITATION_FIELDS, Replay, ReplayResult, tells_event, tells_so_far
from assistant.desk.play_phase import ResolveOptions, TurnPhase, phase_label
from assistant.desk.results import Exit, Result, Tell, quiet, to_plain
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import (
    BookPlace,
    Workspace,
    catches_abort,
    factions_with_reports,
    playing_factions,
)
from assistant.desk.workspace.writer import ProtectedWrite, WriteAccess, open_for_writing
from assistant.ledger import CORRECT, Ledger, PlannedStep
from assistant.ledger.outbox import mails_sent_since
from assistant.reporting.build import build_gazette, draft_page
from assistant.reporting.reader import Reader
from assistant.turn import codes, dice
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import codes_in
from assistant.turn.findings import Finding
from assistant.turn.messages import CORRECTED, VOID, add_common_event
from assistant.turn.phases import HANDED_IN, is_superseded, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import ADDRESSED, only_addressed
from assistant.wording import Verbatim, Wording

# --- consequences ---------------------------------------------------------------------------------
# The consequences of a correction: what differs, why, and whom it concerns.

# Reports that were sent.
#
# For each faction the ledger notes the last change before a report was written for the referee to send by hand; the
# outbox notes the same for each mail. That report, or an earlier one, tells of that change and all before it.


_SENT_KEY = "sent"
Channel = Literal["mail", "hand"]
Agree = Callable[[str, Sequence[str]], bool]
"""Gets who has reports and the questions for the referee; returns whether the referee agreed to all of them."""
READERS_TEXTS: Mapping[Channel, str] = {
    "mail": N_("Reports that tell what happened since {when} were sent to: {who}. They would be void."),
    "hand": N_("Reports that tell what happened since {when} were written, to be sent by hand, for: {who}. Those that"
               " were sent would be void.")}
CONTINUE_QUESTION = N_("Do it all the same? [y/N]")
REALLY_QUESTION = N_("Those reports cannot be called back. Continue anyway? [y/N]")


class Readers(NamedTuple):
    """The factions that have reports: by mail, or written to be sent by hand."""

    mail: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()

    def ways(self) -> dict[Channel, tuple[str, ...]]:
        """Way -> the factions that have, or may have, reports that way; without ways that nobody has."""
        both: dict[Channel, tuple[str, ...]] = {"mail": self.mail, "hand": self.hand}
        return {way: who for way, who in both.items() if who}

    def all(self) -> list[str]:
        """All of them."""
        return in_natural_order({*self.mail, *self.hand})


def agree_to_nothing(told: str, questions: Sequence[str]) -> bool:
    """Agree to nothing: if nobody can be asked, reports that were sent stay valid."""
    return False


def note_reports_written(ledger: Ledger, to: Iterable[str]) -> None:
    """Note that reports on everything so far were written for these factions, to be sent by hand.

    Raises `LedgerTrouble`.
    """
    now = max(ledger.line, default=0)
    ledger.note(_SENT_KEY, json.dumps(_last_steps_reported(ledger) | dict.fromkeys(to, now), sort_keys=True))


def report_readers(ledger: Ledger, changes: Collection[int]) -> Readers:
    """The factions with reports that tell of one of these changes (numbers of steps)."""
    first = min(changes, default=None)
    if first is None:
        return Readers()
    by_hand = {code for code, last in _last_steps_reported(ledger).items() if last >= first}
    by_mail = {row.faction for row in mails_sent_since(ledger.outbox.rows(), first) if row.faction and row.code}
    return Readers(*(tuple(in_natural_order(who)) for who in (by_mail, by_hand - by_mail)))


def _last_steps_reported(ledger: Ledger) -> dict[str, int]:
    return dict(json.loads(ledger.read_note(_SENT_KEY) or "{}"))


def readers_text(words: Wording, readers: Readers, when: str) -> str:
    """Sentences that say who has which reports."""
    return " ".join(words.text(READERS_TEXTS[way], when=Verbatim(when), who=join_faction_names(words, who))
                    for way, who in readers.ways().items())


def join_faction_names(words: Wording, who: Collection[str]) -> Verbatim:
    """The names of factions, joined."""
    return Verbatim(", ".join(words.names.text(code, "faction") for code in who))


def reports_sent_findings(
    words: Wording, readers: Readers, when: str, book: str, verb: str, agree: Agree, *, live: bool = False
) -> list[Finding]:
    """Findings if somebody has reports and the referee does not agree to make them void; else [].

    A correction asks once and not twice, because it has been confirmed already.
    """
    asked = (REALLY_QUESTION,) if verb == CORRECT else (CONTINUE_QUESTION, REALLY_QUESTION)
    if not readers.ways() or agree(readers_text(words, readers, when), [words.text(question) for question in asked]):
        return []
    opened = {"open": "yes"} if live else {}
    return [codes.finding(codes.REPORTS_SENT, who=join_faction_names(words, who), when=Verbatim(when), book=book,
                          verb=verb, way=way, **opened) for way, who in readers.ways().items()]


# What differs, and why.


SHEETS_WITHOUT_KEYS = (Event.sheet, FindingRow.sheet)
"""Sheets whose rows have no lasting key, and are compared by content."""
PUBLIC = ""


@dataclass(frozen=True)
class StateDifference:
    """One thing that would be different. `field`: "" for a whole row; `old`, `new`: None for a missing row.

    `event`: the event that causes it; `happens`: whether that event happens only with the correction, or no longer
    does; `moment`: the phase after which it first differs.
    """

    sheet: str
    row: str
    field: str
    old: Any
    new: Any
    event: Event | None = None
    happens: bool = True
    moment: TurnPhase | None = None

    def as_json(self, ruleset: Ruleset, words: Wording) -> dict[str, Any]:
        """Plain values."""
        return {"sheet": self.sheet, "row": self.row, "field": self.field, "old": _plain(self.old),
                "new": _plain(self.new), "why": self.why(ruleset, words), "rule": self.rule(ruleset, words),
                "event": self.event.event if self.event else "", "happens": self.happens,
                **(self.moment or TurnPhase("", ""))._asdict()}

    def rule(self, ruleset: Ruleset, words: Wording) -> str:
        """The printed chapters behind the difference: the event's, else the phase's."""
        if self.event is not None:
            return words.printed_chapter(self.event.rule)
        return words.printed_chapter(ruleset.phase(self.moment.phase).rule) if self.moment else ""

    def why(self, ruleset: Ruleset, words: Wording) -> str:
        """The cause in words."""
        if self.event is not None:
            text = N_("{when}: {event}") if self.happens else N_("{when}: no longer: {event}")
            return words.text(text, when=phase_label(ruleset, self.event.turn, self.event.phase, words.lang),
                              event=Verbatim(words.event(self.event).rstrip(".")))
        return phase_label(ruleset, self.moment.turn, self.moment.phase, words.lang) if self.moment else ""

    def head(self, words: Wording, ruleset: Ruleset, campaign: Campaign) -> str:
        """The row that differs, with a sign if it is new or gone; for an event, its own cause, only the sign."""
        if self.event is not None and self.sheet == Event.sheet:
            return "+" if self.happens else "-"
        sign = "" if self.field else "+ " if self.old is None else "- "
        row = campaign.by_sheet(self.sheet).get(self.row)
        if isinstance(row, (Order, Question, Die)):  # whose keys nobody reads
            return sign + row_name(row, ruleset, words, campaign)
        return sign + key_name(self.sheet, self.row, ruleset, words)

    def sentence(self, words: Wording, record: type[Record]) -> str:
        """What differs in the row, for people; "" for data that only programs read."""
        if self.sheet == Event.sheet:
            return ""
        if not self.field:
            return row_text(self.new if self.old is None else self.old, words.lang)
        column = record.column(self.field)
        if isinstance(column.kind, Data):
            return ""
        old, new = (column.word(value, words.lang) or "–" for value in (self.old, self.new))
        return f"{column.heading(words.lang)} {old} -> {new}"


def difference_lines(differences: Sequence[StateDifference], ruleset: Ruleset, words: Wording,
                     campaign: Campaign) -> list[str]:
    """The differences for people: a line for what has one cause in one row, ``row: what (cause [rule])``."""
    rows: dict[tuple[str, str], list[str]] = {}
    full = naming(words, ruleset, campaign)
    for difference in differences:
        cause, rule = difference.why(ruleset, words), difference.rule(ruleset, words)
        told = difference.sentence(words, campaign.by_sheet(difference.sheet).record)
        if told or difference.sheet == Event.sheet:
            head = difference.head(full, ruleset, campaign)
            rows.setdefault((head, f"{cause} [{rule}]" if rule else cause), []).append(told)
    return [f"{head}: {', '.join(told)} ({cause})" if any(told) else line
            for (head, cause), told in rows.items()
            for line in [f"{head} {cause}"] * (1 if any(told) else len(told))]


def _plain(value: Any) -> Any:
    return to_plain(value.as_text() if isinstance(value, Record) else value)


def row_text(row: Record, lang: str) -> str:
    """A row as headings and words, without its key."""
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}" for c in row.columns()
                     if not c.key and not isinstance(c.kind, Data)
                     and getattr(row, c.name) not in (c.default, "", None, {}, []))


@dataclass
class Consequences:
    """Collects the consequences of a replay, phase by phase and at its end.

    `same_page`: whether two views of a faction make the same report of a phase; `void`: faction ("" for the gazette) ->
    phases whose reports read differently now; `_settled`: settled rows, by sheet and chunk, which old and new campaigns
    share.
    """

    ruleset: Ruleset
    amended: Collection[tuple[str, str]]
    same_page: Callable[[Ruleset, Campaign, Campaign, str, TurnPhase], bool]
    void: dict[str, list[TurnPhase]] = field(default_factory=dict)
    _first: dict[tuple[str, str, str], TurnPhase] = field(default_factory=dict)
    _settled: dict[tuple[str, str], Sequence[Record]] = field(default_factory=dict)

    def watch(self, moment: TurnPhase, old: Campaign, new: Campaign) -> None:
        """Note a phase: the campaign as the phase left it, and as it leaves it now."""
        seen = list(_state_changes(old, new))
        for sheet, key, name, _, _ in seen:
            self._first.setdefault((sheet, key, name), moment)
        if not seen and all(
            _contents_of_phase(old, sheet, moment) == _contents_of_phase(new, sheet, moment)
            for sheet in SHEETS_WITHOUT_KEYS
        ):
            return
        one, other = (self._awake(without_superseded(campaign)) for campaign in (old, new))
        for code in [PUBLIC, *(code for code in factions_with_reports(new) if code in old.table(Faction))]:
            views = self._view(one, code), self._view(other, code)
            if not _same_view(*views, moment) and (
                    self._reads_otherwise(*views, moment) or not self.same_page(self.ruleset, *views, code, moment)):
                self.void.setdefault(code, []).append(moment)

    def _awake(self, campaign: Campaign) -> Campaign:
        """The campaign without lazy rows, for all phases and all readers.

        Settled events, dice, orders and questions are the same in both campaigns, and are left out of both. Other
        settled rows are unpacked once.
        """
        sheets = {}
        for sheet, record in campaign.records().items():
            sheets[sheet] = common = campaign.common(sheet)
            if common.asleep and issubclass(record, ADDRESSED):
                sheets[sheet] = SharedRows(record, {key: row for key, row in common.rows.items() if row is not None},
                                       shared=True)
            elif common.asleep:
                rows = common.rows.copy()
                for block in common.asleep:
                    if (sheet, block.name) not in self._settled:
                        self._settled[sheet, block.name] = block.load()
                    rows.update(zip(block.keys, self._settled[sheet, block.name], strict=True))
                sheets[sheet] = SharedRows(record, rows, shared=True, ordered=common.sorted_keys())
        return Campaign.over(campaign.records(), sheets)

    def _view(self, campaign: Campaign, code: str) -> Campaign:
        return only_addressed(self.ruleset.viewer(self.ruleset.view(campaign, code), code))

    def _reads_otherwise(self, old: Campaign, new: Campaign, moment: TurnPhase) -> bool:
        """Whether the phase's events, each a line of the report, read differently.

        That is the usual case, and cheaper to find out than by making a page.
        """
        words = Wording(self.ruleset, "en")
        one, other = ({words.event(event) for _, event in view.table(Event).raw_rows() if moment_of(event) == moment}
                      for view in (old, new))
        return one != other

    def differences(self, old: Campaign, new: Campaign) -> list[StateDifference]:
        """All that differs between two states, the records first, then dice, findings, events."""
        came, went = _only_in(new, old, Event.sheet), _only_in(old, new, Event.sheet)
        causes = _Causes([row for row in came if isinstance(row, Event)],
                         [row for row in went if isinstance(row, Event)], new.table(Die).record)
        differences = []
        for sheet, key, name, was, now in _state_changes(old, new):
            # what the referee puts right is no consequence of it, but its verdict and what a throw comes to are
            if (sheet, key) in self.amended and name and name not in ("status", "value"):
                continue
            moment = self._first.get((sheet, key, name))
            event, happens = causes.of(sheet, key, moment)
            differences.append(StateDifference(sheet, key, name, was, now, event, happens, moment))
        differences.sort(key=lambda d: d.sheet == Die.sheet)
        for happens, one, other in ((False, old, new), (True, new, old)):
            differences += [_row_difference(row, happens) for row in _only_in(one, other, FindingRow.sheet)]
        return differences + [_row_difference(row, False) for row in went] + [_row_difference(row, True)
                                                                              for row in came]


def _row_difference(row: Record, happens: bool) -> StateDifference:
    """The difference for a row that only one of the two states has."""
    event = row if isinstance(row, Event) else None
    return StateDifference(row.sheet, row.ident, "", None if happens else row, row if happens else None, event, happens,
                      moment_of(row))


def moment_of(row: Record) -> TurnPhase:
    """The phase of which a row is."""
    return TurnPhase(str(getattr(row, "turn", "")), str(getattr(row, "phase", "")))


def _state_changes(old: Campaign, new: Campaign) -> Iterator[tuple[str, str, str, Any, Any]]:
    """Sheet, key, field ("" for a row), old and new value of every difference of rows that have a name.

    Superseded rows and the Desk's clock are no difference of the campaign's state.
    """
    for change in changes_between(old, new):
        if change.sheet in SHEETS_WITHOUT_KEYS or (is_superseded(change.key)
                                          and issubclass(new.by_sheet(change.sheet).record, HANDED_IN)):
            continue
        if isinstance(change, FieldSet):
            yield change.sheet, change.key, change.field, change.old, change.new
        elif isinstance(change, RowAdded):
            yield change.sheet, change.key, "", None, change.row
        elif isinstance(change, RowRemoved):
            yield change.sheet, change.key, "", old.by_sheet(change.sheet)[change.key], None


def _content(row: Record) -> str:
    """The content of a row as one text, for events without their number and citations."""
    left_out = ("no", *CITATION_FIELDS) if isinstance(row, Event) else ()
    values = {name: text for name, text in row.as_text().items() if name not in left_out}
    return json.dumps(values, sort_keys=True, ensure_ascii=False)


def _only_in(one: Campaign, other: Campaign, sheet: str) -> list[Record]:
    """Rows of one state that the other does not have, by content."""
    left = Counter(_content(row) for _, row in other.by_sheet(sheet).in_file_order())
    rows = []
    for _, row in one.by_sheet(sheet).in_file_order():
        text = _content(row)
        if left[text]:
            left[text] -= 1
        else:
            rows.append(row)
    return rows


def _contents_of_phase(campaign: Campaign, sheet: str, moment: TurnPhase) -> list[str]:
    return sorted(_content(row) for _, row in campaign.by_sheet(sheet).raw_rows()
                  if moment_of(row) == moment)


class _Causes:
    """Finds the event behind a changed record, among the events that only one of the two states has."""

    def __init__(self, came: Sequence[Event], went: Sequence[Event], die: type[Die]) -> None:
        self._die = die
        self._by_record: dict[str, list[tuple[Event, bool]]] = {}
        for events, happens in ((went, False), (came, True)):
            for event in events:
                for name in self._names(event):
                    self._by_record.setdefault(name, []).append((event, happens))

    def _names(self, event: Event) -> Iterable[str]:
        yield from event.touched.split()
        yield f"{Order.sheet}/{event.data.get('order', '')}"
        rows = (self._die(key=str(roll["key"]), turn=event.turn, phase=event.phase)
                for roll in event.roll.get("rolls", [event.roll]) if "key" in roll)
        yield from (f"{Die.sheet}/{row.ident}" for row in rows)

    def of(self, sheet: str, key: str, moment: TurnPhase | None) -> tuple[Event | None, bool]:
        """The event and whether it happens now: the last one of the phase after which the record differs
        first, if one of that phase touched it; (None, True) where none tells.
        """
        touched = self._by_record.get(touched_name(sheet, key), [])
        fitting = [pair for pair in touched if moment_of(pair[0]) == moment] or touched
        return fitting[-1] if fitting else (None, True)


# --- Reports ------------------------------------------------------------------------------------
def _same_view(old: Campaign, new: Campaign, moment: TurnPhase) -> bool:
    """Whether two views say the same after a phase: the same state, and the same events and findings of it."""
    for sheet in old.tables():
        if sheet in SHEETS_WITHOUT_KEYS:
            if _contents_of_phase(old, sheet, moment) != _contents_of_phase(new, sheet, moment):
                return False
        elif not _same_rows(*(dict(view.by_sheet(sheet).raw_rows()) for view in (old, new))):
            return False
    return True


def _same_rows(old: dict[str, Record], new: dict[str, Record]) -> bool:
    return old.keys() == new.keys() and all(
        row is new[key] or vars(row) == vars(new[key]) or row.as_text() == new[key].as_text()
        for key, row in old.items())


# --- correct --------------------------------------------------------------------------------------
# `correct`: changes the past and replays what followed, if the referee confirms.

Confirm = Callable[[Result], bool]


def never_confirm(result: Result) -> bool:
    """Confirm nothing: the differences are shown and nothing is written."""
    return False


@dataclass(frozen=True)
class CorrectionOptions:
    """How a correction is made.

    `why`: the reason, for everybody who reads of the correction; `partly`: write it even if the replay has to stop for
    answers, up to there; `robots`, `defaults`: who answers questions that were not asked before.
    """

    why: str = ""
    partly: bool = False
    robots: frozenset[str] = frozenset()
    defaults: bool = False


@dataclass
class _Correction:
    """A correction under way, and its results so far."""

    session: WriteAccess
    chain: PhaseChain
    amendments: list[Amendment]
    how: CorrectionOptions
    seen: Consequences
    replayed: ReplayResult
    differences: list[StateDifference] = field(default_factory=list)
    by_version: list[StateDifference] = field(default_factory=list)

    @property
    def workspace(self) -> Workspace:
        """The workspace of the workbook that is corrected."""
        return self.session.workspace


@catches_abort(CORRECT)
def correct(at: BookPlace, wish: CorrectionRequest, how: CorrectionOptions, *, confirm: Confirm = never_confirm,
            agree: Agree = agree_to_nothing, lang: str = "", tell: Tell = quiet) -> Result:
    """Replay from the first phase that a correction touches, and list only what would differ.

    `confirm`: gets the result and says whether to write it, in one change; if not, nothing is written; `agree`: is
    asked as well if reports about the replayed phases were sent. A replay that lacks answers ends as waiting, and is
    written only with `partly`. Result data:
    ``corrections``, ``differences``, ``by_version``: what differs because another version resolved it, ``void``,
    ``committed``, ``from``, ``waits``, ``left``, ``turn``, ``phase``.
    """
    workspace = open_playable(at, lang)
    with open_for_writing(workspace, "correct") as session:
        return _correct(session, wish, how, confirm, agree, tell)


def _correct(
    session: WriteAccess, wish: CorrectionRequest, how: CorrectionOptions, confirm: Confirm, agree: Agree, tell: Tell
) -> Result:
    workspace = session.workspace
    session.abort_on_edits()
    chain = PhaseChain(workspace, session.ledger, session.watch)
    if not chain.moments:
        raise workspace.abort(Exit.REFUSED, codes.NO_PAST, book=workspace.path.name)
    amending = AmendmentFinder(workspace, chain, wish).read()
    amendments, findings = amending.found, amending.findings
    if not any(f.stops for f in findings) and all(amendment.start is None for amendment in amendments):
        code = codes.NOT_OVER if amendments else codes.NOTHING_DIFFERS
        findings.append(codes.finding(code, row=", ".join(amendment.key for amendment in amendments)))
    if any(f.stops for f in findings):
        raise workspace.abort_with(Exit.REFUSED, workspace.with_cells(findings))
    work = _replay(session, chain, amendments, how, tell)
    result = _render_result(work)
    result.find([*workspace.second_copies, *workspace.with_cells(findings)])
    if work.replayed.stopped is not None and not work.replayed.stopped.outcome.questions:
        return result
    if (work.replayed.stopped is None or how.partly) and confirm(result):
        if _is_agreed(work, result, agree):
            _commit(work, result)
    elif work.replayed.stopped is None:
        result.say(workspace.wording.text(N_("Nothing was written.") if workspace.book.live else
                                          N_("Nothing was written. To write it add: --commit")))
    return result


def _is_agreed(work: _Correction, result: Result, agree: Agree) -> bool:
    """Whether to write it although reports were sent; if not, the result says why."""
    when, words = work.workspace.when(work.chain.moments[work.replayed.first]), work.workspace.wording
    refused = reports_sent_findings(words, _affected_readers(work), when, work.workspace.path.name, CORRECT, agree)
    result.find(refused)
    result.exit = Exit.REFUSED if refused else result.exit
    return not refused


def _affected_readers(work: _Correction) -> Readers:
    """Who has reports that tell of a replayed phase."""
    ledger, first = work.session.ledger, work.chain.steps[work.replayed.first].id
    return report_readers(ledger, ledger.line[ledger.line.index(first):])


def _replay(
    session: WriteAccess, chain: PhaseChain, amendments: list[Amendment], how: CorrectionOptions, tell: Tell
) -> _Correction:
    """Replay, reporting each phase. Raises `Abort` for a snapshot that cannot be read.

    If another version of the code resolved one of the phases, they are first replayed without the correction: what
    differs because of today's code is not a consequence of the correction.
    """
    workspace = session.workspace
    seen = Consequences(workspace.ruleset, {(amendment.sheet, amendment.key) for amendment in amendments}, same_page)

    def watch(moment: TurnPhase, old: Campaign, new: Campaign) -> None:
        tell(workspace.wording.text(N_("{when}: replayed."), when=workspace.when(moment)))
        seen.watch(moment, old, new)

    options, words = ResolveOptions(how.robots, how.defaults), workspace.sheet_wording
    first = min(amendment.start for amendment in amendments if amendment.start is not None)
    unproved = next((n for n in range(first, len(chain)) if chain.is_unproved_after(n)), None)
    if unproved is not None:
        raise workspace.abort(Exit.REFUSED, codes.BEFORE_UNPROVED, when=workspace.when(chain.moments[first]))
    plain = None
    with workspace.file_faults():
        # what another version does otherwise is no consequence of the correction: so all is also replayed without it
        if any(chain.by(number) is not None for number in range(first, len(chain))):
            plain = Replay(chain, [], options, words).run(first)
        replayed = Replay(chain, amendments, options, words, plain).run(first, watch)
    work = _Correction(session, chain, amendments, how, seen, replayed)
    work.differences = seen.differences(replayed.beside, replayed.campaign)
    if plain is not None and plain.stopped is None and replayed.stopped is None:
        seen = Consequences(workspace.ruleset, (), same_page)
        work.by_version = without_retellings(seen.differences(workspace.campaign, plain.campaign))
    return work


def without_retellings(differences: Sequence[StateDifference]) -> list[StateDifference]:
    """The differences but those in which another version only tells more of the same events."""
    events = [one for one in differences if one.sheet == Event.sheet]
    gone, told = [one for one in events if one.new is None], set[int]()
    for come in (one for one in events if one.old is None):
        same = next((one for one in gone if id(one) not in told and tells_event(come.new, one.old)), None)
        if same is not None:
            told |= {id(come), id(same)}
    return [one for one in differences if id(one) not in told and not (
        one.sheet == Question.sheet and one.field == "so_far" and tells_so_far(one.new, one.old))]


def same_page(ruleset: Ruleset, old: Campaign, new: Campaign, code: str, moment: TurnPhase) -> bool:
    """Whether the report of a phase is the same for both views, but for what might be ordered next: nobody orders
    in the past, and the next report offers anew. `code`: whose views these are, "" for the gazette.
    """
    words, pages = Wording(ruleset, "en"), []
    for view in (old, new):
        told = sum(moment_of(event) != moment for _, event in view.table(Event).raw_rows())
        page = (draft_page(Reader.of(ruleset, view, code, words, told), {}, {}, offers=False) if code
                else build_gazette(ruleset, view, words, told))
        # programs check dice by the whole turn's list and its code; people read those of this report
        pages.append(replace(page, rulings=page.rulings and replace(page.rulings, thrown=()), code="", foot=""))
    return pages[0] == pages[1]


# --- The result -----------------------------------------------------------------------------------
AMENDMENT_TEXTS = {
    "changed": N_("Corrected: {row}: {old} -> {new}"),
    "added": N_("Added: {row}: {new}"),
    "withdrawn": N_("Withdrawn: {row}: {old}"),
    "untyped": N_("No die of the table any more: {row} ({old})"),
}


def _render_result(work: _Correction) -> Result:
    """The result of a replay: what is corrected, what differs and why, and whose reports are void."""
    workspace, words, replayed = work.workspace, work.workspace.wording, work.replayed
    result, full = Result(CORRECT, wording=words), naming(words, workspace.ruleset, workspace.campaign)
    for amendment in work.amendments:
        old, new = amendment.values
        row = amendment.new if amendment.old is None else amendment.old
        assert row is not None
        named = Verbatim(brief_name(row, workspace.ruleset, full, workspace.campaign))
        result.say(words.text(AMENDMENT_TEXTS[amendment.how], row=named, old=Verbatim(old), new=Verbatim(new)))
    first = work.chain.moments[replayed.first]
    result.say(words.plural(N_("Replayed from {when}: {n} thing differs."),
                            N_("Replayed from {when}: {n} things differ."), len(work.differences),
                            when=workspace.when(first)))
    for line in difference_lines(work.differences, workspace.ruleset, words, replayed.campaign):
        result.say(f"  {line}")
    if work.by_version:
        result.say(words.plural(
            N_("{n} more thing differs because another version resolved it; it is not a consequence of the"
               " correction."),
            N_("{n} more things differ because another version resolved them; they are not consequences of the"
               " correction."), len(work.by_version)))
    for line in difference_lines(work.by_version, workspace.ruleset, words, replayed.campaign):
        result.say(f"  {line}")
    _say_void(work, result)
    if (who := _affected_readers(work)).ways():
        result.say(readers_text(words, who, workspace.when(first)))
    if replayed.stopped is not None:
        _say_stop(work, result)
    result.data.update(_result_data(work))
    return result


def _say_void(work: _Correction, result: Result) -> None:
    """Say whose reports are void, and for which phases; factions with the same phases share a line."""
    words = work.workspace.wording
    readers: dict[tuple[TurnPhase, ...], list[str]] = {}
    for code, moments in work.seen.void.items():
        name = words.text(N_("the public gazette")) if code == PUBLIC else words.names.text(code, "faction")
        readers.setdefault(tuple(moments), []).append(name)
    for phases, names in readers.items():
        result.say(words.plural(
            N_("{n} phase has to be told again to {who}: {list}"),
            N_("{n} phases have to be told again to {who}: {list}"),
            len(phases), who=Verbatim(", ".join(names)), list=Verbatim("; ".join(_phase_spans(work, phases)))))


def _phase_spans(work: _Correction, moments: Sequence[TurnPhase]) -> list[str]:
    """Phases in words; consecutive ones as one span."""
    order = {moment: number for number, moment in enumerate(work.chain.moments)}
    spans: list[list[TurnPhase]] = []
    for moment in moments:
        if spans and order.get(moment, -1) == order.get(spans[-1][-1], -9) + 1:
            spans[-1].append(moment)
        else:
            spans.append([moment])
    return [" – ".join(work.workspace.when(moment) for moment in dict.fromkeys((span[0], span[-1])))
            for span in spans]


def _say_stop(work: _Correction, result: Result) -> None:
    """Say where the replay stopped and what it needs."""
    assert work.replayed.stopped is not None
    outcome, words = work.replayed.stopped.outcome, work.workspace.wording
    moment = TurnPhase(outcome.turn, outcome.phase)
    result.find(outcome.findings)
    if not outcome.questions:
        result.exit = Exit.REFUSED
        result.say(words.text(N_("The replay ended in {when}: put the findings right first. Nothing was written."),
                              when=work.workspace.when(moment)))
        return
    result.exit = Exit.WAITING
    result.questions = [q for q in outcome.questions if not q.answer.strip()] or list(outcome.questions)
    if work.workspace.book.live:  # its form asks for them
        result.say(words.plural(N_("{when} needs {n} answer that is not there: nothing was written."),
                                N_("{when} needs {n} answers that are not there: nothing was written."),
                                len(result.questions), when=work.workspace.when(moment)))
        return
    result.say(words.plural(
        N_("{when} needs {n} answer that is not there. Give it with the correction: \"answer QUESTION TEXT\","
           " \"battle ID RESULT\"."),
        N_("{when} needs {n} answers that are not there. Give them with the correction: \"answer QUESTION TEXT\","
           " \"battle ID RESULT\"."), len(result.questions), when=work.workspace.when(moment)))
    result.say(words.plural(
        N_("Or write it up to there with --commit --partly: {n} phase is then to be resolved again."),
        N_("Or write it up to there with --commit --partly: {n} phases are then to be resolved again."),
        len(work.replayed.left)))


def _result_data(work: _Correction) -> dict[str, Any]:
    """The result as plain values."""
    workspace, replayed = work.workspace, work.replayed
    corrections = [{"how": amendment.how, "sheet": amendment.sheet, "row": amendment.key, "old": old, "new": new,
                    "faction": amendment.faction, "fields": amendment.fields}
                   for amendment in work.amendments for old, new in [amendment.values]]
    first, desk = work.chain.moments[replayed.first], workspace.campaign.desk
    return {
        "corrections": corrections,
        "differences": [d.as_json(workspace.ruleset, workspace.wording) for d in work.differences],
        "by_version": [d.as_json(workspace.ruleset, workspace.wording) for d in work.by_version],
        "void": [{"faction": code, "reports": [m._asdict() for m in moments]}
                 for code, moments in work.seen.void.items()],
        "from": first._asdict(), "committed": False, "turn": desk.turn, "phase": desk.phase,
        "waits": TurnPhase(replayed.stopped.outcome.turn, replayed.stopped.outcome.phase)._asdict()
        if replayed.stopped else None,
        "left": [m._asdict() for m in replayed.left],
    }


# --- writing --------------------------------------------------------------------------------------
def _commit(work: _Correction, result: Result) -> None:
    """Write the correction as one change of the workbook, which one undo takes back. Raises `Abort`."""
    workspace, replayed = work.workspace, work.replayed
    after = replayed.campaign
    events = _add_events(work, after)
    words, desk = workspace.sheet_wording, workspace.campaign.desk
    sentences = [words.plural(N_("{n} correction was made."), N_("{n} corrections were made."), len(work.amendments))]
    if replayed.stopped is not None:
        sentences += outcome_lines(workspace.ruleset, replayed.stopped.outcome, words)
    lines = work.session.desk_lines(after, sentences)
    stages = [PlannedStep(CORRECT, desk.turn, desk.phase, stands=(after.desk.turn, tuple(playing_factions(after)))),
              *replayed.stages]
    way = work.session.ledger.line
    # phases from there on are written anew, so what undo takes back begins before them
    line = way[:way.index(work.chain.steps[replayed.first].id)]
    mark = work.session.mark(after, stages, line)
    then = work.session.watch.then(after)
    with ProtectedWrite(work.session, stages, line=line, redo=(), marks=then.marks, after=after, mark=mark):
        workspace.book.write(workspace.on_sheets, after, words, lines)
    work.session.wrote(after, then)
    result.find(workspace.second_copies)
    result.events = len(events)
    result.data.update(committed=True, turn=after.desk.turn, phase=after.desk.phase)
    result.say(workspace.wording.text(
        N_("Written. The button Undo takes it back in one step.") if workspace.book.live else
        N_("Written. One step takes it back: arbitro undo {book}"), book=workspace.path.name))


def _add_events(work: _Correction, after: Campaign) -> list[Event]:
    """Add the events that tell what was corrected and whose reports are void."""
    told = []
    for amendment in work.amendments:
        old, new = amendment.values
        only = amendment.fields[0] if len(amendment.fields) == 1 and amendment.how == "changed" else ""
        moment = work.chain.moments[amendment.start] if amendment.start is not None else work.chain.goal
        told.append(add_common_event(after, CORRECTED, {
            "how": amendment.how, "sheet": amendment.sheet, "row": amendment.key, "field": only, "old": old, "new": new,
            "why": work.how.why, "turn": moment.turn, "phase": moment.phase}, _audience(work, amendment),
            touched=f"{amendment.sheet}/{amendment.key}"))
    for code, moments in work.seen.void.items():
        told.append(add_common_event(after, VOID, {
            "turn": moments[0].turn, "phase": moments[0].phase, "last_turn": moments[-1].turn,
            "last_phase": moments[-1].phase, "n": len(moments), "span": _void_variant(code, moments)}, code))
    return told


def _void_variant(code: str, moments: Sequence[TurnPhase]) -> str:
    """Which variant of the sentence about void reports applies."""
    if code == PUBLIC:
        return "gazette" if len(moments) == 1 else "gazettes"
    return "one" if len(moments) == 1 else "many"


def _audience(work: _Correction, amendment: Amendment) -> str:
    """Who may read of a correction: the row's faction; of a die, who may know it; of a battle, who knew of it."""
    if amendment.sheet == Die.sheet:
        for campaign in (work.workspace.campaign, work.replayed.campaign):
            die = campaign.table(Die).get(amendment.key)
            if die is not None and die.audience:
                return ALL if die.audience == dice.PUBLIC else die.audience.replace("+", " ")
        return REFEREE
    row = amendment.new or amendment.old
    if isinstance(row, (Battle, FormRow)):
        events = list(work.workspace.campaign.table(Event))
        known = [event.audience for event in events if any(row.battle in codes_in(value)
                                                           for value in event.data.values())]
        known = known or [event.audience for event in events
                          if touched_name(Battle.sheet, row.battle) in event.touched.split()]
        if not known or ALL in known:
            return ALL if known else REFEREE
        return " ".join(dict.fromkeys(code for audience in known for code in audience.split()))
    assert amendment.sheet in (Order.sheet, Question.sheet)
    return amendment.faction or REFEREE
