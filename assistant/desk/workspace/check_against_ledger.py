"""Checks a workbook against its ledger: other versions, second copies, and what is said of edits made by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event, Order, Question, Rule
from assistant.campaign.tables import grouped
from assistant.catalogues import LANGUAGES
from assistant.desk.next_steps import position_text
from assistant.desk.play_phase import TurnPhase, current_phase, phases_to_come
from assistant.desk.results import Exit
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit, detect_edits, undo_edits
from assistant.desk.workspace.fingerprints import canonical_text, open_book_fingerprint, parse_marks
from assistant.desk.workspace.workspace import BookPlace, ChangedMeanwhile, Workspace, open_workspace
from assistant.environment import dated_backups
from assistant.ledger import (
    COLLECT,
    DECISION_VERBS,
    LAYOUT,
    LEDGER_SUFFIX,
    MAP,
    TAKE_AS_IT_IS,
    Ledger,
    LedgerStep,
    LedgerTrouble,
    current_provenance,
    path_of_ledger,
)
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.messages import CORRECTED, RENEWED, RULING, UNPROVED, VOID
from assistant.turn.phases import blocks_phase, refused_rules
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import open_book, read_workbook
from assistant.workbook.layout import CHANGES_ROOM, label, more_changes, sheet_title
from assistant.workbook.port import CellMap, ListedChange, WorkbookReading
from assistant.workbook.save import conflicted_copies, copies_beside, files_saved_meanwhile
from assistant.workbook.screening import BookError

# Second copies beside a workbook.
#
# Cloud folders make them, and so does another program that saves at the moment when we write. A finding says which
# phase the copy is at, and how many orders or changes it has that are missing here.


def find_second_copies(workspace: Workspace) -> list[Finding]:
    """A warning for each copy of the workbook, then for each of its ledger, as they were when first seen.

    They are also added to `workspace.second_copies`: a command that changes something calls this before and afterwards,
    and reports them all.
    """
    if workspace.book.live and not workspace.path.is_file():  # it was never saved
        return [*workspace.second_copies]
    known = {str(copy.data["copy"]) for copy in workspace.second_copies}
    try:
        late = [path.name for path in files_saved_meanwhile(workspace.path)]
        names = conflicted_copies(workspace.path, workspace.campaign.desk.campaign_id, known)
        ledgers = [path for path in copies_beside(path_of_ledger(workspace.path)) if path.name not in known]
    except OSError:  # the folder may not be listed
        return [*workspace.second_copies]
    workspace.second_copies += [
        _workbook_copy_finding(workspace, codes.SAVED_MEANWHILE, name) for name in late if name not in known
    ]
    workspace.second_copies += [_workbook_copy_finding(workspace, codes.SECOND_COPY, name) for name in names]
    workspace.second_copies += [finding
                                for ledger in ledgers if (finding := _ledger_copy_finding(workspace,
                                                                                          ledger)) is not None]
    return [*workspace.second_copies]


def _workbook_copy_finding(workspace: Workspace, code: str, name: str) -> Finding:
    """A finding about a copy of the workbook, even if that cannot be read."""
    data = {"copy": name, "book": workspace.path.name}
    try:
        reading = read_workbook(name, workspace.path.resolve().with_name(name).read_bytes(), workspace.loader)
    except (BookError, OSError):
        return codes.finding(code, **data, when="?", n=0)
    if reading.ruleset is None:
        return codes.finding(code, **data, when="?", n=0)
    theirs, ours = reading.campaign, set(_order_contents(workspace.campaign))
    lacking = [order for order in _order_contents(theirs) if order not in ours]
    when = workspace.when(TurnPhase(theirs.desk.turn, theirs.desk.phase))
    return codes.finding(code, **data, when=Verbatim(when), n=len(lacking))


def _order_contents(campaign: Campaign) -> list[tuple[tuple[str, str], ...]]:
    """What the clubs have written in their orders, without Arbitro's numbers and verdicts."""
    if not campaign.has(Order.sheet):
        return []
    return [tuple(sorted((c.name, text[c.name]) for c in row.columns() if c.edit != "assistant" and c.name != "order"
                         and text.get(c.name)))
            for row in campaign.table(Order) for text in [row.as_text()]]


def _ledger_copy_finding(workspace: Workspace, copy: Path) -> Finding | None:
    """A finding about a copy of the ledger; None for a file that is not a ledger of this campaign."""
    try:
        with Ledger.open(copy, workspace.campaign.desk.campaign_id) as ledger:
            theirs = ledger.steps()
    except LedgerTrouble:
        return None
    ours = workspace.ask_ledger(lambda ledger: ledger.steps(), list[LedgerStep]())
    lacking = [step for step in theirs if step not in ours]
    return codes.finding(
        codes.SECOND_LEDGER,
        copy=copy.name,
        ledger=path_of_ledger(workspace.path).name,
        book=workspace.path.name,
        when=Verbatim(workspace.when(theirs[-1])) if theirs else "–",
        n=len(lacking),
    )


# Are workbook and ledger of the same version?
#
# Either may come from a backup or a cloud folder's copy. Then what Arbitro did in between looks like edits by hand.
# Three things tell the difference: the Desk says in words where the campaign is, and nobody who types over its phase
# types that sentence too; there are events with their wording that only commands write (rulings, corrections, a renewed
# ledger); and the ledger knows the bytes of every workbook that it has seen, or its records if it was open.


LedgerPosition = Literal["behind", "ahead"]
"""Whether the ledger is behind the workbook or ahead of it."""
EVENTS_BETWEEN_PHASES = (RULING, CORRECTED, VOID, RENEWED, UNPROVED)
"""Events that are added between two phases."""
CLOCK_FIELDS = ("turn", "phase")


class VersionMismatch(NamedTuple):
    """Workbook and ledger are not of the same version.

    `then`, `now`: the phases that ledger and workbook are at; `step`: the change before which the ledger has seen
    exactly this workbook, 0 for none; `back`: whether the ledger can restore the workbook's version.
    """

    which: LedgerPosition
    then: TurnPhase
    now: TurnPhase
    step: int = 0
    back: bool = True


def find_mismatch(workspace: Workspace, ledger: Ledger, watched: DetectedEdits) -> VersionMismatch | None:
    """How the versions of workbook and ledger differ, None if they do not. `watched`: the edits made by hand.

    Raises `LedgerTrouble`.
    """
    known = _compare_marks(workspace, ledger, _clock_of_ledger(workspace.campaign, list(watched.edits)))
    if known is not None:
        return known.apart
    edits = list(watched.edits)
    if not edits:
        return None
    reworded = {text.row for text in workspace.book.other_texts(workspace.campaign, workspace.sheet_wording)
                if text.sheet == Event.sheet}
    return _compare_contents(workspace, workspace.reading, edits, reworded, ledger)


class _MarksVerdict(NamedTuple):
    """What the marks tell for certain; `apart` is None for the same version."""

    apart: VersionMismatch | None


def _compare_marks(workspace: Workspace, ledger: Ledger, there: TurnPhase) -> _MarksVerdict | None:
    """Compare the chains of marks; None if they tell nothing, as in a workbook that was saved without marks.

    `there`: the phase that the campaign is at by the ledger.
    """
    desk, steps = workspace.campaign.desk, ledger.steps()
    here, now_there = parse_marks(desk.marks), ledger.mark
    clock, last = current_phase(workspace.campaign), str(here[-1]) if here else ""
    if not here and (desk.marks.strip() or not steps or len(workspace.campaign.table(Event))):
        return None
    if not now_there and steps and ledger.step_after_mark("") is None:  # no mark was given yet
        return None
    if last == now_there:
        return _MarksVerdict(None)
    left = ledger.step_after_mark(last)
    if left is not None or last in ledger.chain(now_there):
        return _MarksVerdict(VersionMismatch("ahead", there, clock, 0 if left is None else left.id, left is not None))
    return _MarksVerdict(VersionMismatch("behind", there, clock)) if here else None


def _compare_contents(
    workspace: Workspace, reading: WorkbookReading, edits: list[Edit], reworded: set[str], ledger: Ledger
) -> VersionMismatch | None:
    """`find_mismatch` for any reading of this campaign, without marks. `reworded`: keys of events with a different
    text.
    """
    campaign, steps = reading.campaign, [s for s in ledger.steps() if s.state == "done"]
    # a file, or a workbook that is or was open, saved or not; "" would match steps without a fingerprint
    here = {reading.sha256, open_book_fingerprint(campaign)} - {""}
    if steps and steps[-1].sha_after in here:
        return None
    clock = _clock_of_ledger(campaign, edits)
    told = [e for e in edits if e.sheet == Event.sheet and e.change == "added" and e.row not in reworded]
    step = next((s.id for s in reversed(steps) if s.sha_before in here
                 and ledger.manifest_before(s.id) != ledger.manifest()), 0)
    which: LedgerPosition | None = None
    if (
        current_phase(campaign) != clock
        and _desk_text_fits_clock(workspace, reading)
        and not _ledger_met_clock(steps, current_phase(campaign))
    ):
        later = bool(told) or current_phase(campaign) in phases_to_come(workspace.ruleset, _with_clock(campaign, clock))
        gone = any(e.sheet == Event.sheet and e.change == "gone" for e in edits)
        which = "behind" if later and not gone else "ahead"
    elif any(e.values.get("event") in EVENTS_BETWEEN_PHASES for e in told) or _question_was_added(edits):
        which = "behind"
    elif step:
        which = "ahead"
    return VersionMismatch(which, clock, current_phase(campaign), step) if which else None


def _clock_of_ledger(campaign: Campaign, edits: list[Edit]) -> TurnPhase:
    """The phase that the campaign is at by the ledger's fingerprints."""
    old = {e.field: e.old for e in edits if e.sheet == Desk.sheet}
    return TurnPhase(*(old.get(name, str(getattr(campaign.desk, name))) for name in CLOCK_FIELDS))


def _with_clock(campaign: Campaign, clock: TurnPhase) -> Campaign:
    """A copy of the campaign with its clock set."""
    there = campaign.copy()
    there.desk.turn, there.desk.phase = clock.turn, clock.phase
    return there


def _desk_text_fits_clock(workspace: Workspace, reading: WorkbookReading) -> bool:
    """Whether the Desk's text agrees with its turn and phase: then Arbitro wrote both."""
    try:
        return bool(reading.where) and reading.where in {
            position_text(workspace.ruleset, reading.campaign, Wording(workspace.ruleset, lang)) for lang in LANGUAGES}
    except KeyError:  # a turn or phase that the rulebook does not have
        return False


def _ledger_met_clock(steps: list[LedgerStep], clock: TurnPhase) -> bool:
    """Whether the ledger's last change already found this clock, typed by somebody, and left it undecided."""
    last = steps[-1] if steps else None
    return last is not None and last.verb in ("orders", "mark", *DECISION_VERBS, "share", LAYOUT, MAP, COLLECT) and (
        (last.turn, last.phase) == (clock.turn, clock.phase))


def _question_was_added(edits: list[Edit]) -> bool:
    return any(e.sheet == Question.sheet and e.change == "added" and e.values.get("status") == "open"
               and e.values.get("asked") not in ("", "{}", None) for e in edits)


# --- Findings -----------------------------------------------------------------------------------
def abort_on_data(workspace: Workspace) -> None:
    """Raise `Abort` if findings about the workbook forbid going on.

    If workbook and ledger are of two versions, that is reported instead: corrections in the wrong workbook are lost.
    """
    seen = workspace.data_findings
    if any(blocks_phase(f) for f in seen):
        other = list[Finding]()
        with suppress(LedgerTrouble, ChangedMeanwhile), workspace.beside() as ledger:  # whoever needs it will say so
            other = mismatch_findings(workspace, ledger, workspace.look(ledger))
        raise workspace.abort_with(Exit.LEDGER if other else Exit.REFUSED, other or seen)


def open_playable(at: BookPlace, lang: str) -> Workspace:
    """Open and read a workbook as `open_workspace`, for a command that needs one with which a phase could be resolved.

    Raises `Abort`.
    """
    workspace = open_workspace(at, lang)
    abort_on_data(workspace)
    return workspace


def look_at_own_version(workspace: Workspace, ledger: Ledger) -> DetectedEdits:
    """The edits made by hand (`Workspace.look`). Raises `Abort` if workbook and ledger are of two versions, and
    `LedgerTrouble`.
    """
    watched = workspace.look(ledger)
    other = mismatch_findings(workspace, ledger, watched)
    if other:
        raise workspace.abort_with(Exit.LEDGER, other)
    return watched


def mismatch_findings(workspace: Workspace, ledger: Ledger, watched: DetectedEdits) -> list[Finding]:
    """Findings, with the ways out, if workbook and ledger are of two versions; else [].

    Raises `LedgerTrouble`.
    """
    mismatch = find_mismatch(workspace, ledger, watched)
    if mismatch is None:
        return []
    book, place = workspace.path, path_of_ledger(workspace.path)
    data = {"ledger": place.name, "book": book.name, "then": workspace.when(mismatch.then),
            "now": workspace.when(mismatch.now)}
    if mismatch.which == "ahead":
        way = f"--snapshot {mismatch.step}" if mismatch.step else f"--to {mismatch.now.turn}.{mismatch.now.phase}"
        return [codes.finding(codes.BOOK_BEHIND, **data, way=way, keep="" if mismatch.back else "yes")]
    findings = [codes.finding(codes.LEDGER_BEHIND if mismatch.then != mismatch.now else codes.LEDGER_LACKS, **data)]
    findings += [codes.finding(codes.LEDGER_FITS, **data, copy=name) for name in _other_ledgers(workspace, place)]
    fitting = next((backup for backup in reversed(dated_backups(book)) if _backup_fits(workspace, ledger, backup)),
                   None)
    if fitting is not None:
        findings.append(codes.finding(codes.BACKUP_FITS, **data, copy=f"{fitting.parent.name}/{fitting.name}"))
    return findings


def _other_ledgers(workspace: Workspace, place: Path) -> Iterator[str]:
    """Names of other ledgers beside the workbook that fit it as it is."""
    for path in sorted(place.parent.iterdir()):
        # cloud folders also put their mark behind the ending
        if path == place or LEDGER_SUFFIX not in path.name or path.name.startswith(".") or not path.is_file():
            continue
        try:
            with Ledger.open(path, workspace.campaign.desk.campaign_id) as other:
                if other.manifest() and _is_same_version(workspace, workspace.reading, other):
                    yield path.name
        except LedgerTrouble:
            continue  # not a ledger of this campaign


def _is_same_version(workspace: Workspace, reading: WorkbookReading, ledger: Ledger) -> bool:
    edits = list(detect_edits(reading.campaign, reading, ledger).edits)
    return _compare_contents(workspace, reading, edits, set(), ledger) is None


def _backup_fits(workspace: Workspace, ledger: Ledger, backup: Path) -> bool:
    """Whether a backup fits the ledger, with or without what was typed since."""
    try:
        reading = open_book(backup, workspace.loader).read()
    except (BookError, OSError):
        return False
    if reading.ruleset is None or reading.campaign.desk.campaign_id != workspace.campaign.desk.campaign_id:
        return False
    return not any(e.sheet in (Desk.sheet, Event.sheet) for e in detect_edits(reading.campaign, reading, ledger).edits)


# What is said of edits made by hand, and the sheet on which the referee decides about them.


LONGEST_SHOWN, LONGEST_LISTED = 60, 200
"""Characters of a value that a finding and the sheet of changes show."""
TEXTS_NAMED = 5
"""How many overwritten texts of one sheet are named one by one."""
CELLS_NAMED = 10
"""How many values that nobody can prove are named one by one."""
CODES = {"set": codes.CHANGED_BY_HAND, "added": codes.ADDED_BY_HAND, "gone": codes.DELETED_BY_HAND,
         "renamed": codes.RENAMED_BY_HAND}

# The sheet that lists them.


def list_changes(workspace: Workspace, edits: Sequence[Edit]) -> tuple[ListedChange, ...]:
    """The changes in the order of the list, each with what stands beside it there.

    A row of the list counts for a change only if it shows what was changed, and from what to what: after a further
    change of the same cell it is decided anew. What finds no room has its decision in the last row.
    """
    decided = {change.texts: change.decision for change in workspace.reading.decided}
    listed = [_list_change(workspace, edit) for edit in edits]
    rest = len(listed) - CHANGES_ROOM + 1
    common = decided.get(more_changes(rest, workspace.sheet_wording.lang), "") if rest > 1 else ""
    return tuple(change._replace(decision=common if rest > 1 and number >= CHANGES_ROOM - 1
                                 else decided.get(change.texts, ""))
                 for number, change in enumerate(listed))


def undecided_line(workspace: Workspace, n: int) -> list[str]:
    """The line of the Desk that says how many changes by hand are to be decided on; [] for none."""
    sheet = workspace.reading.changes_sheet or label("changes", workspace.sheet_wording.lang)
    return [workspace.sheet_wording.plural(
        N_("{n} change by hand is to be decided on, on the sheet {sheet}: no phase is resolved before."),
        N_("{n} changes by hand are to be decided on, on the sheet {sheet}: no phase is resolved before."),
        n, sheet=sheet)] if n else []


def _list_change(workspace: Workspace, edit: Edit) -> ListedChange:
    record, lang = workspace.ruleset.record(edit.sheet), workspace.sheet_wording.lang
    title = workspace.reading.cells.titles.get(edit.sheet) or sheet_title(record, lang)
    row = "" if record.single else edit.row
    if edit.change in ("added", "gone"):
        values = _line(", ".join(value for value in edit.values.values() if value))
        shown = ("", values) if edit.change == "added" else (values, "")
        return ListedChange(title, row, label(f"changes_{edit.change}", lang), *shown)
    return ListedChange(title, row, record.column(edit.field).heading(lang), _line(edit.old), _line(edit.new))


def _line(text: str) -> str:
    return _shorten(" ".join(text.split()), longest=LONGEST_LISTED)


def mark_open_book(workspace: Workspace, findings: Sequence[Finding], edits: Sequence[Edit]) -> None:
    """Mark findings on the cells of an open workbook and list the undecided edits. Raises `Abort`."""
    with workspace.file_faults():
        workspace.book.mark(findings, workspace.sheet_wording, list_changes(workspace, edits))


# Findings.


def edit_findings(workspace: Workspace, edits: Iterable[Edit]) -> list[Finding]:
    """A finding for each edit by hand, at its cell."""
    return [edit_finding(workspace, _finding_code(workspace, edit), edit) for edit in edits]


def _finding_code(workspace: Workspace, edit: Edit) -> str:
    """The code of an edit's finding. A blank number counts as its default, but is reported as blank."""
    emptied = edit.change == "set" and edit.readable and bool(edit.old) and (
        not edit.new or workspace.reading.blank(Where(edit.sheet, edit.row, edit.field)))
    return codes.EMPTIED_BY_HAND if emptied else CODES[edit.change]


def undecided_findings(workspace: Workspace, ledger: Ledger, watched: DetectedEdits) -> list[Finding]:
    """The findings for all undecided edits; before the first phase with a hint on accepting them as set-up."""
    undecided = edit_findings(workspace, watched.edits)
    if undecided and not any(step.verb == "resolve" for step in ledger.steps()):
        undecided.append(codes.finding(codes.SET_UP, book=workspace.path.name, **_open_book_parameters(workspace)))
    return undecided


def _open_book_parameters(workspace: Workspace) -> dict[str, str]:
    """What a finding says in an open workbook: where to decide, if it has the sheet for that."""
    if not workspace.book.live:
        return {}
    listed = workspace.reading.changes_sheet
    back = label("put_back", workspace.wording.lang)
    return {"open": "listed", "listed": listed, "back": back} if listed else {"open": "yes"}


def edit_finding(workspace: Workspace, code: str, edit: Edit) -> Finding:
    """A finding about an edit by hand, at its cell."""
    where, how = Where(edit.sheet, edit.row, edit.field), _open_book_parameters(workspace)
    if code == codes.CHANGED_BY_HAND and edit.sheet == Rule.sheet and (
            edit.row in refused_rules(workspace.ruleset, workspace.campaign)):
        how = {"open": "unfit yes" if workspace.book.live else "unfit"}
    finding = codes.finding(code, where, old=_shorten(edit.old), new=_shorten(edit.new), book=workspace.path.name,
                            name=edit_name(edit, workspace.reading.cells).replace("!", ".", 1), **how)
    return finding._replace(cell=workspace.reading.cells.of(where))


def _shorten(text: str, start: int = 0, longest: int = LONGEST_SHOWN) -> str:
    """Shorten a text for quoting. `start`: the index of a character that must stay visible."""
    begin = max(0, start - longest // 2) if start >= longest else 0
    return f"{'…' if begin else ''}{text[begin:begin + longest]}{'…' if begin + longest < len(text) else ''}"


def _first_difference(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def edit_name(edit: Edit, cells: CellMap) -> str:
    """What to type for an edit: its address, or ``Sheet!key`` for a row that is gone.

    A sheet whose title has more than letters goes by its English name, so that no quotes within quotes are needed.
    """
    if edit.change == "gone":
        return f"{edit.sheet}!{edit.row}"
    address = cells.of(Where(edit.sheet, edit.row, edit.field))
    title, _, place = address.rpartition("!")
    return address if title.isalpha() else f"{edit.sheet}!{place}"


def edit_as_json(edit: Edit, cells: CellMap) -> dict[str, Any]:
    """An edit as plain values."""
    return {"cell": edit_name(edit, cells), "change": edit.change, "sheet": edit.sheet, "row": edit.row,
            "field": edit.field, "old": edit.old, "new": edit.new, "was": edit.was, "readable": edit.readable}


class EditReport(NamedTuple):
    """The edits by hand, for commands that only read.

    `findings`: at their cells; `edits`: as plain values; `watch`: to be passed on, None without a usable ledger;
    `trouble`: why there is none, as a finding.
    """

    findings: list[Finding]
    edits: list[dict[str, Any]]
    watch: DetectedEdits | None
    trouble: Finding | None = None


def report_edits(workspace: Workspace) -> EditReport:
    """Report the edits by hand; without a usable ledger, only why they are not known.

    A ledger that is damaged, of another campaign or of a format that is read no more blocks the next phase; a missing
    one does not: the referee may have it elsewhere. Raises `Moved`.
    """
    try:
        with workspace.beside() as ledger:
            watched = workspace.look(ledger)
            findings = undecided_findings(workspace, ledger, watched)
            other = no_fingerprints_finding(ledger, watched) or mismatch_findings(workspace, ledger, watched)
            findings += unproved_findings(workspace, ledger)
    except LedgerTrouble as trouble:
        [told] = workspace.ledger_stop(trouble).findings
        unknown = codes.finding(codes.NO_TELLING, why=Verbatim(workspace.wording.finding(told)))
        return EditReport([], [], None, unknown._replace(severity="error") if trouble.kind in (
            "unreadable", "foreign", "old") else unknown)
    if other:
        return EditReport(other, [], watched)
    return EditReport(findings, [edit_as_json(e, workspace.reading.cells) for e in watched.edits], watched)


# What nobody can prove, because the ledger that knew it is lost.


UNPROVED_KEY = "unproved"
"""The ledger's key for what stood in a workbook that was taken as it is, and is in no ledger."""
WRITTEN_BY_PHASES = (Desk.sheet, Event.sheet)
"""Sheets that each phase changes, on which nobody looks for a change by hand."""


def note_unproved(ledger: Ledger, since: TurnPhase, now: TurnPhase, watched: DetectedEdits) -> None:
    """Note, before a workbook is taken as it is, where it differs from what the ledger knows. Raises `LedgerTrouble`.

    `since`: where the campaign stood when the ledger last knew it.
    """
    cells = [[e.change, e.sheet, e.row, e.field, e.old, e.new] for e in watched.edits
             if e.sheet not in WRITTEN_BY_PHASES]
    ledger.note(UNPROVED_KEY, json.dumps({
        "step": len(ledger.steps()) + 1, "since": since, "now": now, "known": watched.known, "cells": cells}))


def unproved_findings(workspace: Workspace, ledger: Ledger) -> list[Finding]:
    """In the turn in which a workbook was taken as it is, a warning that names the cells whose values nobody can prove,
    as far as they still stand there; of a new ledger only that nothing can be proved. Raises `LedgerTrouble`.
    """
    turn, book = workspace.campaign.desk.turn, workspace.path.name
    begun = list(workspace.campaign.table(Event).where(lambda e: e.event == RENEWED and e.turn == turn))
    if begun:
        return [codes.finding(codes.NOTHING_KNOWN, when=workspace.when(TurnPhase(turn, begun[-1].phase)), book=book)]
    noted = json.loads(ledger.read_note(UNPROVED_KEY) or "{}")
    taken = ledger.step(noted["step"]) if noted else None
    if taken is None or taken.verb != TAKE_AS_IT_IS or noted["now"][0] != turn:
        return []
    if not noted["known"]:
        return [codes.finding(codes.NOTHING_KNOWN, when=workspace.when(TurnPhase(*noted["now"])), book=book)]
    names = [name for cell in noted["cells"] if (name := _still_there(workspace, Edit(*cell)))]
    more = len(names) - CELLS_NAMED
    listed = [*names[:CELLS_NAMED], *([workspace.wording.text(N_("and {n} more"), n=more)] if more > 0 else [])]
    return [codes.finding(codes.UNPROVED_CELLS, when=workspace.when(TurnPhase(*noted["since"])), n=len(names),
                          list=Verbatim(", ".join(listed)), book=book)] if names else []


def _still_there(workspace: Workspace, edit: Edit) -> str:
    """The name of a cell or row with what it holds now and held before; "" if something else stands there now."""
    rows = workspace.campaign.by_sheet(edit.sheet)
    if (edit.row in rows) == (edit.change == "gone"):
        return ""
    name = edit_name(edit, workspace.reading.cells)
    if edit.change in ("added", "gone"):
        return name
    if canonical_text(rows[edit.row], edit.field) != edit.new:
        return ""
    return f"{name} ({_shorten(edit.old) or '–'} → {_shorten(edit.new) or '–'})"


def other_text_findings(workspace: Workspace) -> list[Finding]:
    """A warning for each text that does not say what its row says; many on one sheet become one warning.

    [] if another version of Arbitro may have worded them: then nobody has typed over them.
    """
    texts = workspace.book.other_texts(workspace.campaign, workspace.sheet_wording)
    # outdated ones are updated once the edit is decided
    told = grouped((text for text in texts if not text.outdated), lambda text: text.sheet)
    if told and not _is_worded_by_us(workspace):
        return []
    findings = []
    for sheet, typed_over in told.items():
        for text in typed_over[:TEXTS_NAMED]:
            start = _first_difference(text.seen, text.wanted)
            finding = codes.finding(codes.OTHER_TEXT, Where(sheet, text.row), seen=_shorten(text.seen, start) or "–",
                                    wanted=_shorten(text.wanted, start) or "–")
            findings.append(finding._replace(cell=text.cell))
        if len(typed_over) > TEXTS_NAMED:
            findings.append(codes.finding(codes.OTHER_TEXTS, Where(sheet), n=len(typed_over) - TEXTS_NAMED,
                                          sheet=workspace.reading.cells.titles.get(sheet, sheet)))
    return findings


def _is_worded_by_us(workspace: Workspace) -> bool:
    """Whether the present code worded the texts of the workbook; True if no ledger can tell."""
    ours = current_provenance(workspace.ruleset)
    return workspace.ask_ledger(lambda ledger: all(writer == ours for writer in ledger.writers()), True)


def no_fingerprints_finding(ledger: Ledger, watched: DetectedEdits) -> list[Finding]:
    """A warning if the ledger has no fingerprints.

    [] before the first change, when findings about a new campaign are still to be corrected in the workbook.
    """
    unknown = not watched.known and bool(ledger.steps())
    return [codes.finding(codes.NO_FINGERPRINTS)] if unknown else []


def clock_as_written(workspace: Workspace, watched: DetectedEdits) -> Campaign:
    """The campaign with its Desk as Arbitro last wrote it, whatever was typed over it since.

    This decides which dice may be revealed: advancing the clock by hand does not reveal the secrets of the turn.
    """
    edits = [e for e in watched.edits if e.sheet == Desk.sheet]
    if not edits:
        return workspace.campaign
    before = workspace.campaign.copy()
    undo_edits(before, edits)
    return before
