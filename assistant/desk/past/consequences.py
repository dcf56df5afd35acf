"""The consequences of a correction: what differs, why, and whom it concerns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved
from assistant.campaign.columns import Data
from assistant.campaign.records import Die, Event, Faction, FindingRow, Order, Question
from assistant.campaign.tables import Record, SharedRows, in_natural_order, touched_name
from assistant.desk.past.phase_chain import changes_between
from assistant.desk.past.replay import CITATION_FIELDS
from assistant.desk.play_phase import TurnPhase, phase_label
from assistant.desk.results import to_plain
from assistant.desk.row_names import key_name, naming, row_name
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.ledger import CORRECT, Ledger
from assistant.ledger.outbox import mails_sent_since
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import HANDED_IN, is_superseded, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import ADDRESSED, only_addressed
from assistant.wording import Verbatim, Wording

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
    return dict(json.loads(ledger.noted(_SENT_KEY) or "{}"))


def readers_text(words: Wording, readers: Readers, when: str) -> str:
    """Sentences that say who has which reports."""
    return " ".join(words.text(READERS_TEXTS[way], when=Verbatim(when), who=joined_faction_names(words, who))
                    for way, who in readers.ways().items())


def joined_faction_names(words: Wording, who: Collection[str]) -> Verbatim:
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
    return [codes.finding(codes.REPORTS_SENT, who=joined_faction_names(words, who), when=Verbatim(when), book=book,
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
            return words.printed(self.event.rule)
        return words.printed(ruleset.phase(self.moment.phase).rule) if self.moment else ""

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

    def told(self, words: Wording, record: type[Record]) -> str:
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
        told = difference.told(words, campaign.by_sheet(difference.sheet).record)
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
            views = self._seen(one, code), self._seen(other, code)
            if not _same_view(*views, moment) and (
                    self._told_else(*views, moment) or not self.same_page(self.ruleset, *views, code, moment)):
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
                sheets[sheet] = SharedRows(record, rows, shared=True, ordered=common.ordered())
        return Campaign.over(campaign.records(), sheets)

    def _seen(self, campaign: Campaign, code: str) -> Campaign:
        return only_addressed(self.ruleset.viewer(self.ruleset.view(campaign, code), code))

    def _told_else(self, old: Campaign, new: Campaign, moment: TurnPhase) -> bool:
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
