"""The resolved phases that led to a workbook, each with the campaign as it was before."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign, Change, FieldSet, changes
from assistant.campaign.records import Event, Order, Question, next_number
from assistant.campaign.tables import Table
from assistant.desk.inputs import carry_events
from assistant.desk.next_steps import desk_lines
from assistant.desk.play_phase import (
    GIVEN_MARKS,
    TurnPhase,
    current_phase,
    factions_with_own_orders,
    with_earlier_defaults,
)
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit, undecided_edits_then, without_undecided_edits
from assistant.desk.workspace.fingerprints import (
    LedgerCampaigns,
    campaign_from_snapshot,
    fingerprint_campaign,
    format_marks,
    parse_mark,
    parse_marks,
    row_from_values,
    rows_to_values,
    saved_file,
)
from assistant.desk.workspace.workspace import Workspace, open_workspace
from assistant.desk.workspace.writer import readable_file, restore_map
from assistant.ledger import CORRECT, TAKE_AS_IT_IS, Ledger, Provenance, current_provenance
from assistant.ledger.file import to_json_bytes
from assistant.turn import phases
from assistant.turn.absence import STANDING_MARK
from assistant.turn.messages import ABSENT
from assistant.turn.phases import ROBOT_MARK, Outcome, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.workbook.file_book import read_workbook
from assistant.workbook.port import Loader

# Encoding what differs between two states of a campaign, for the ledger.


def encode_differences(before: Campaign, after: Campaign, outcome: Sequence[str]) -> bytes:
    """What differs in a later state of a campaign, as JSON, with the outcome lines of the Desk.

    Table by table: how many rows at the top are the same, and the plain values of all rows below them.
    """
    tables = {}
    for sheet, table in after.tables().items():
        old, new = ([row for _, row in c.by_sheet(sheet).raw_rows()] for c in (before, after))
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1] or vars(pair[0]) == vars(pair[1]),
                                        zip(old, new, strict=False)))
        if same < len(old) or same < len(new):
            tables[sheet] = {"same": same, **rows_to_values(table.record, new[same:])}
    return to_json_bytes({"outcome": list(outcome), "tables": tables})


def apply_records(campaign: Campaign, kept: dict[str, Any]) -> Campaign:
    """Apply `encode_differences` to a campaign; the rows get the keys that reading them from a sheet would give."""
    after = campaign.copy()
    for sheet, part in kept["tables"].items():
        old = after.by_sheet(sheet)
        top = [row for _, row in old.in_file_order()][:part["same"]]
        rows = [row_from_values(old.record, part["fields"], values) for values in part["rows"]]
        after.put(Table(old.record, [*top, *rows]))
    return after


# Snapshots.
#
# The workbook's bytes are stored once, as they were before the command. For every later phase only the rows that differ
# from that workbook are stored, as compact JSON.


def campaign_from_content(content: bytes, name: str, loader: Loader | None = None) -> Campaign:
    """The campaign in the ledger's copy of a workbook. `name`: of its file. Raises `BookError`, KeyError."""
    opened = campaign_from_snapshot(content, loader)
    return read_workbook(name, readable_file(content), loader).campaign if opened is None else opened


def campaign_before(ledger: Ledger, step: int, name: str, loader: Loader | None = None,
                    kept: LedgerCampaigns | None = None) -> Campaign:
    """The campaign before a step of the ledger.

    `kept`: campaigns that the ledger holds as rows; they are preferred, and serve even if the file is lost.

    Raises KeyError, `LedgerTrouble`.
    """
    head = ledger.head(step)
    manifest = ledger.manifest_found(head) if kept is not None else ""
    campaign = kept.campaign(manifest) if kept is not None and manifest else None
    campaign = campaign or campaign_from_content(ledger.book(head), name, loader)
    records = ledger.records(step)
    return _add_intermediate_mark(ledger, step, apply_records(campaign, json.loads(records))) if records else campaign


def reported_state(workspace: Workspace, ledger: Ledger, step: int, kept: LedgerCampaigns | None = None) -> Campaign:
    """The campaign before a step, as reports tell of it: without undecided edits and rows that were superseded.

    Raises what `campaign_before` raises.
    """
    before = campaign_before(ledger, step, workspace.path.name, workspace.loader, kept)
    before = without_undecided_edits(ledger, step, before)
    return without_superseded(with_earlier_defaults(workspace.ruleset, before, workspace.began))


def _add_intermediate_mark(ledger: Ledger, step: int, campaign: Campaign) -> Campaign:
    """Add the mark that a campaign has between two changes of one stroke."""
    mark, marks = ledger.mark_before(step), parse_marks(campaign.desk.marks)
    if mark and ledger.head(step) != step:
        campaign.desk.marks = format_marks([*marks, parse_mark(mark)])
    return campaign


def book_before(ledger: Ledger, step: int, name: str, loader: Loader | None = None, now: Campaign | None = None
                ) -> bytes:
    """The workbook's file before a step.

    That is the original bytes; for a step between two phases of one command, what the command would have written had it
    ended there (phases of a correction include the events about it); for a workbook that was open, the file as last
    saved with the records as they were on the screen. `now`: the campaign in the present workbook, if it is readable.

    Raises KeyError, `LedgerTrouble`, `BookError`, and `Abort` if the workbook's rulebook is not installed.
    """
    content, records = ledger.book(step), ledger.records(step)
    opened = campaign_from_snapshot(content, loader)
    if opened is None and (readable := readable_file(content)) is not content:
        reading = read_workbook(name, readable, loader)
        assert reading.ruleset is not None  # it drew the map
        content = restore_map(content, reading.ruleset, reading.campaign)
    if not records and opened is None:
        return content
    kept = json.loads(records) if records else {"outcome": [], "tables": {}}
    with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
        copy = Path(folder) / name
        copy.write_bytes(saved_file(content))
        workspace = open_workspace(copy, loader=loader)
        after, words = apply_records(opened or workspace.campaign, kept), workspace.sheet_wording
        _add_intermediate_mark(ledger, step, after)
        if (corrected := _campaign_after_correction(ledger, step, name, loader, now)) is not None:
            carry_events(corrected, after, corrections=True)
        lines = desk_lines(workspace.ruleset, after, words, name, kept["outcome"])
        workspace.book.write(workspace.campaign, after, words, lines)
        return copy.read_bytes()


def _campaign_after_correction(
    ledger: Ledger, step: int, name: str, loader: Loader | None, now: Campaign | None
) -> Campaign | None:
    """The campaign after the correction whose phases a step belongs to; None for any other step.

    A correction adds its events at its end, but they apply from its first phase on.
    """
    head = ledger.step(ledger.head(step))
    if head is None or head.verb != CORRECT or head.id == step:
        return None
    later = next((known.id for known in ledger.steps() if known.id > step and known.sha_before), None)
    return now if later is None else campaign_before(ledger, later, name, loader)


# The resolved phases that led to a workbook.
#
# What a phase made of the campaign is not stored: the phase is resolved again, with the same orders, answers and dice.
# What differs between that and the campaign before the next phase is what people did in between.


@dataclass
class AssistantInputs:
    """What the assistant itself added to a phase.

    `orders`: of robots, and standing ones; `told`: events about silent clubs; `answers`: name of the question -> text;
    `robots`: the factions that it played.
    """

    orders: list[Order] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    robots: set[str] = field(default_factory=set)


class PhaseChain:
    """The resolved phases, numbered from 0; the workbook as it is comes after the last."""

    def __init__(self, workspace: Workspace, ledger: Ledger, watched: DetectedEdits) -> None:
        """`watched`: the edits made by hand in the present workbook."""
        self._all = ledger.steps()
        self.steps = ledger.steps_in_force("resolve")
        self.moments = [TurnPhase(step.turn, step.phase) for step in self.steps]
        self.ruleset = workspace.ruleset
        self.goal = current_phase(workspace.campaign)
        self._workspace, self._ledger, self._watched = workspace, ledger, watched
        self.given = ledger.own_answers()
        self._maker, self._makers = current_provenance(workspace.ruleset), ledger.makers()
        self._found = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
        self._kept: dict[int, Campaign] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def before(self, number: int) -> Campaign:
        """The campaign before a phase, or, after the last one, as it is in the workbook. Not to be changed.

        Raises `BookError`, `LedgerTrouble`, OSError.
        """
        if number == len(self.steps):
            return self._workspace.campaign
        if number not in self._kept:
            self._kept = {n: kept for n, kept in self._kept.items() if abs(n - number) == 1}
            self._kept[number] = with_earlier_defaults(self.ruleset, self._read(number), self._workspace.began)
        return self._kept[number]

    def _read(self, number: int) -> Campaign:
        return campaign_before(self._ledger, self.steps[number].id, self._workspace.path.name, self._workspace.loader,
                               self._found)

    def by(self, number: int) -> Provenance | None:
        """What resolved a phase, if it was other code than runs now; None if it was the same."""
        maker = self._makers[self.steps[number].id]
        return None if maker == self._maker else maker

    def is_unproved_after(self, number: int) -> bool:
        """Whether the workbook was taken as it was between a phase and the next one, or the present.

        Then nobody knows what the phase made of the campaign.
        """
        first = self.steps[number].id
        last = self.steps[number + 1].id if number + 1 < len(self.steps) else self._all[-1].id + 1
        return any(first < step.id < last and step.verb == TAKE_AS_IT_IS for step in self._all)

    def edits_after(self, number: int) -> list[Edit] | None:
        """The undecided edits by hand between a phase and the next one, or the present.

        None if the ledger does not know what Arbitro had written by then. Raises what `before` raises.
        """
        if number + 1 == len(self.steps):
            as_left = self._ledger.fingerprint_after(self._all[-1].id) == self._workspace.reading.sha256 != ""
            return list(self._watched.edits) if self._watched.known else [] if as_left else None
        later = self.steps[number + 1]
        if not later.sha_before or self._ledger.fingerprint_after(self.steps[number].id, later.id):
            return []  # one stroke, or a file that nobody else wrote: nobody could have edited it
        manifest, campaign = self._ledger.manifest_before(later.id), self._read(number + 1)
        return undecided_edits_then(self._ledger, manifest, fingerprint_campaign(campaign),
                                    campaign) if manifest else None

    def secret(self, campaign: Campaign) -> bytes:
        """The dice secret of a campaign's present turn."""
        return self._ledger.turn_secret(campaign.desk.turn)

    def again(self, before: Campaign, later: Campaign) -> Outcome:
        """Resolve again the phase between two states, as it was."""
        helped = self.assistant_inputs(before, later)
        work = add_assistant_inputs(helped, before)
        outcome = phases.resolve(self.ruleset, work, self.secret(before), helped.answers)
        closing = self.ruleset.closing
        # it may have been ended before its time, by the phase that closes it
        if closing and (
            current_phase(outcome.campaign) != current_phase(later) or _has_events_of(closing, before, later)
        ):
            early = at_closing_phase(self.ruleset, work)
            ended = phases.resolve(self.ruleset, early, self.secret(before), helped.answers)
            if current_phase(ended.campaign) == current_phase(later):
                return ended
        return outcome

    def assistant_inputs(self, before: Campaign, later: Campaign) -> AssistantInputs:
        """What robots and defaults added to the phase between two states."""
        desk = before.desk
        word = self.ruleset.phase(desk.phase).orders
        inputs = AssistantInputs()
        for order in later.table(Order).of_turn(desk.turn):
            key = order.ident
            given = any(mark in key for mark in GIVEN_MARKS)
            if given and (order.turn, order.phase) == (desk.turn, word) and key not in before.table(Order):
                fresh = order.copy()
                fresh.status = ""
                inputs.orders.append(fresh)
                inputs.robots.update([order.faction] if ROBOT_MARK in key else [])
        inputs.told = [event.copy() for event in _new_events(before, later) if event.event == ABSENT
                       and (event.turn, event.phase) == (desk.turn, desk.phase)]
        for row in later.table(Question).of_turn(desk.turn):
            key = row.ident
            old = before.table(Question).get(key)
            if (row.turn, row.phase) == (desk.turn, desk.phase) and key in self.given and row.answer.strip():
                if self.given[key] == "robot":
                    inputs.robots.add(row.to)
                if old is None or not old.answer.strip():
                    inputs.answers[row.question] = row.answer.strip()
        return inputs


def add_assistant_inputs(helped: AssistantInputs, campaign: Campaign) -> Campaign:
    """The campaign with the orders and events that the assistant added; the campaign itself if there were none.

    A club whose own orders a correction has added does not count as silent.
    """
    if not helped.orders and not helped.told:
        return campaign
    work = campaign.copy()
    # in a corrected past a club may have orders of its own, beside which its standing ones do not count
    sent = {code for order in helped.orders if STANDING_MARK in order.order
            for code in factions_with_own_orders(work, order.turn, order.phase)}
    told = [event for event in helped.told if event.audience not in sent]
    for number, event in enumerate(told, next_number(work.table(Event))):
        fresh = event.copy()
        fresh.no = number
        work.table(Event).add(fresh)
    for order in helped.orders:
        late = STANDING_MARK in order.order and order.faction in sent
        if order.order not in work.table(Order) and not late:
            work.table(Order).add(order.copy())
    return work


def at_closing_phase(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign at the phase that ends it early."""
    early = campaign.copy()
    early.desk.phase = ruleset.closing
    return early


def _has_events_of(phase: str, before: Campaign, later: Campaign) -> bool:
    """Whether events of `phase` were added between two states, although it is not the phase that was due."""
    desk = before.desk
    return desk.phase != phase and any((event.turn, event.phase) == (desk.turn, phase)
                                       for event in _new_events(before, later))


def _new_events(before: Campaign, later: Campaign) -> Iterator[Event]:
    known = before.table(Event)
    return (event for key, event in later.table(Event).beside(known) if key not in known)


def changes_between(made: Campaign, campaign: Campaign) -> list[Change]:
    """What people did between two phases: the changes from what the first made to what the next found.

    Values that look the same on a sheet count as the same (a blank cell, however it is stored).
    """
    seen: list[Change] = []
    for change in changes(made, campaign):
        if isinstance(change, FieldSet):
            kind = campaign.by_sheet(change.sheet).record.column(change.field).kind
            if kind.show(change.old) == kind.show(change.new):
                continue
        seen.append(change)
    return seen
