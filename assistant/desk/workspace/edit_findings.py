"""What is said of edits made by hand: their findings, and the sheet on which the referee decides about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit, undo_edits
from assistant.desk.workspace.version_check import mismatch_findings
from assistant.desk.workspace.workspace import Workspace
from assistant.ledger import Ledger, LedgerTrouble, current_provenance, path_of_ledger
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.layout import CHANGES_ROOM, label, more_changes, sheet_title
from assistant.workbook.port import CellMap, ListedChange, MismatchedText

LONGEST_SHOWN, LONGEST_LISTED = 60, 200
"""Characters of a value that a finding and the sheet of changes show."""
TEXTS_NAMED = 5
"""How many overwritten texts of one sheet are named one by one."""
CODES = {"set": codes.CHANGED_BY_HAND, "added": codes.ADDED_BY_HAND, "gone": codes.DELETED_BY_HAND,
         "renamed": codes.RENAMED_BY_HAND}

# The sheet that lists them.


def list_changes(sitting: Workspace, edits: Sequence[Edit]) -> tuple[ListedChange, ...]:
    """The changes in the order of the list, each with what stands beside it there.

    A row of the list counts for a change only if it shows what was changed, and from what to what: after a further
    change of the same cell it is decided anew. What finds no room has its decision in the last row.
    """
    decided = {change.texts: change.decision for change in sitting.reading.decided}
    listed = [_listed(sitting, edit) for edit in edits]
    rest = len(listed) - CHANGES_ROOM + 1
    common = decided.get(more_changes(rest, sitting.sheet_wording.lang), "") if rest > 1 else ""
    return tuple(change._replace(decision=common if rest > 1 and number >= CHANGES_ROOM - 1
                                 else decided.get(change.texts, ""))
                 for number, change in enumerate(listed))


def undecided_line(sitting: Workspace, n: int) -> list[str]:
    """The line of the Desk that says how many changes by hand are to be decided on; [] for none."""
    sheet = sitting.reading.changes_sheet or label("changes", sitting.sheet_wording.lang)
    return [sitting.sheet_wording.plural(
        N_("{n} change by hand is to be decided on, on the sheet {sheet}: no phase is resolved before."),
        N_("{n} changes by hand are to be decided on, on the sheet {sheet}: no phase is resolved before."),
        n, sheet=sheet)] if n else []


def _listed(sitting: Workspace, edit: Edit) -> ListedChange:
    record, lang = sitting.ruleset.record(edit.sheet), sitting.sheet_wording.lang
    title = sitting.reading.cells.titles.get(edit.sheet) or sheet_title(record, lang)
    row = "" if record.single else edit.row
    if edit.change in ("added", "gone"):
        values = _line(", ".join(value for value in edit.values.values() if value))
        shown = ("", values) if edit.change == "added" else (values, "")
        return ListedChange(title, row, label(f"changes_{edit.change}", lang), *shown)
    return ListedChange(title, row, record.column(edit.field).heading(lang), _line(edit.old), _line(edit.new))


def _line(text: str) -> str:
    return _shorten(" ".join(text.split()), longest=LONGEST_LISTED)


def mark_open_book(sitting: Workspace, findings: Sequence[Finding], edits: Sequence[Edit]) -> None:
    """Mark findings on the cells of an open workbook and list the undecided edits. Raises `Abort`."""
    with sitting.file_faults():
        sitting.book.mark(findings, sitting.sheet_wording, list_changes(sitting, edits))


# Findings.


def edit_findings(sitting: Workspace, edits: Iterable[Edit]) -> list[Finding]:
    """A finding for each edit by hand, at its cell."""
    return [edit_finding(sitting, _finding_code(sitting, edit), edit) for edit in edits]


def _finding_code(sitting: Workspace, edit: Edit) -> str:
    """The code of an edit's finding. A blank number counts as its default, but is reported as blank."""
    emptied = edit.change == "set" and edit.readable and bool(edit.old) and (
        not edit.new or sitting.reading.blank(Where(edit.sheet, edit.row, edit.field)))
    return codes.EMPTIED_BY_HAND if emptied else CODES[edit.change]


def undecided_findings(sitting: Workspace, ledger: Ledger, watched: DetectedEdits) -> list[Finding]:
    """The findings for all undecided edits; before the first phase with a hint on accepting them as set-up."""
    undecided = edit_findings(sitting, watched.edits)
    if undecided and not any(step.verb == "resolve" for step in ledger.steps()):
        undecided.append(codes.finding(codes.SET_UP, book=sitting.path.name, **_open_book_parameters(sitting)))
    return undecided


def _open_book_parameters(sitting: Workspace) -> dict[str, str]:
    """What a finding says in an open workbook: where to decide, if it has the sheet for that."""
    if not sitting.book.live:
        return {}
    listed = sitting.reading.changes_sheet
    back = label("put_back", sitting.wording.lang)
    return {"open": "listed", "listed": listed, "back": back} if listed else {"open": "yes"}


def edit_finding(sitting: Workspace, code: str, edit: Edit) -> Finding:
    """A finding about an edit by hand, at its cell."""
    where = Where(edit.sheet, edit.row, edit.field)
    finding = codes.finding(code, where, old=_shorten(edit.old), new=_shorten(edit.new), book=sitting.path.name,
                            name=_dotted(edit_name(edit, sitting.reading.cells)), **_open_book_parameters(sitting))
    return finding._replace(cell=sitting.reading.cells.of(where))


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


def _dotted(name: str) -> str:
    return name.replace("!", ".", 1)


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


def report_edits(sitting: Workspace) -> EditReport:
    """Report the edits by hand; without a usable ledger, only why they are not known.

    A ledger that is damaged or of another campaign blocks the next phase; for a missing one, the referee may have it
    elsewhere, so that does not. Raises `Moved`.
    """
    try:
        with sitting.beside() as ledger:
            watched = sitting.look(ledger)
            findings = undecided_findings(sitting, ledger, watched)
            other = no_fingerprints_finding(ledger, watched) or mismatch_findings(sitting, ledger, watched)
    except LedgerTrouble as trouble:
        [told] = sitting.ledger_stop(trouble).findings
        unknown = codes.finding(codes.NO_TELLING, why=Verbatim(sitting.wording.finding(told)))
        return EditReport([], [], None, unknown._replace(severity="error") if trouble.kind in (
            "unreadable", "foreign") else unknown)
    if other:
        return EditReport(other, [], watched)
    return EditReport(findings, [edit_as_json(e, sitting.reading.cells) for e in watched.edits], watched)


def other_text_findings(sitting: Workspace) -> list[Finding]:
    """A warning for each text that does not say what its row says; many on one sheet become one warning.

    [] if another version of Arbitro may have worded them: then nobody has typed over them.
    """
    told: dict[str, list[MismatchedText]] = {}
    texts = sitting.book.other_texts(sitting.campaign, sitting.sheet_wording)
    for text in (text for text in texts if not text.outdated):  # those are updated once the edit is decided
        told.setdefault(text.sheet, []).append(text)
    if told and not _worded_by_us(sitting):
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
                                          sheet=sitting.reading.cells.titles.get(sheet, sheet)))
    return findings


def _worded_by_us(sitting: Workspace) -> bool:
    """Whether the present code worded the texts of the workbook; True if no ledger can tell."""
    try:
        with Ledger.open(path_of_ledger(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            return all(writer == current_provenance(sitting.ruleset) for writer in ledger.writers())
    except LedgerTrouble:
        return True


def no_fingerprints_finding(ledger: Ledger, watched: DetectedEdits) -> list[Finding]:
    """A warning if the ledger has no fingerprints.

    [] before the first change, when findings about a new campaign are still to be corrected in the workbook.
    """
    unknown = not watched.known and bool(ledger.steps())
    return [codes.finding(codes.NO_FINGERPRINTS)] if unknown else []


def clock_as_written(sitting: Workspace, watched: DetectedEdits) -> Campaign:
    """The campaign with its Desk as Arbitro last wrote it, whatever was typed over it since.

    This decides which dice may be revealed: advancing the clock by hand does not reveal the secrets of the turn.
    """
    edits = [e for e in watched.edits if e.sheet == Desk.sheet]
    if not edits:
        return sitting.campaign
    before = sitting.campaign.copy()
    undo_edits(before, edits)
    return before
