"""The undecided changes by hand as the workbook lists them, and what the referee has decided there about each."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.desk.workspace.detect_edits import Edit
from assistant.desk.workspace.workspace import Workspace
from assistant.turn.texts import N_
from assistant.workbook.layout import CHANGES_ROOM, label, more_changes, sheet_title
from assistant.workbook.port import ListedChange

LONGEST_SHOWN = 200


def list_changes(sitting: Workspace, edits: Sequence[Edit]) -> tuple[ListedChange, ...]:
    """The changes in the order of the list, each with what stands beside it there.

    A row of the list counts for a change only if it shows what was changed, and from what to what: after a further
    change of the same cell it is decided anew. What finds no room has its decision in the last row.
    """
    decided = {change.texts: change.decision for change in sitting.reading.decided}
    listed = [_listed(sitting, edit) for edit in edits]
    rest = len(listed) - CHANGES_ROOM + 1
    common = decided.get(more_changes(rest, _lang(sitting)), "") if rest > 1 else ""
    return tuple(change._replace(decision=common if rest > 1 and number >= CHANGES_ROOM - 1
                                 else decided.get(change.texts, ""))
                 for number, change in enumerate(listed))


def undecided_line(sitting: Workspace, n: int) -> list[str]:
    """The line of the Desk that says how many changes by hand are to be decided on; [] for none."""
    sheet = sitting.reading.changes_sheet or label("changes", _lang(sitting))
    return [sitting.sheet_wording.plural(
        N_("{n} change by hand is to be decided on, on the sheet {sheet}: no phase is resolved before."),
        N_("{n} changes by hand are to be decided on, on the sheet {sheet}: no phase is resolved before."),
        n, sheet=sheet)] if n else []


def _lang(sitting: Workspace) -> str:
    return sitting.sheet_wording.lang


def _listed(sitting: Workspace, edit: Edit) -> ListedChange:
    record, lang = sitting.ruleset.record(edit.sheet), _lang(sitting)
    title = sitting.reading.cells.titles.get(edit.sheet) or sheet_title(record, lang)
    row = "" if record.single else edit.row
    if edit.change in ("added", "gone"):
        values = _shortened(", ".join(value for value in edit.values.values() if value))
        shown = ("", values) if edit.change == "added" else (values, "")
        return ListedChange(title, row, label(f"changes_{edit.change}", lang), *shown)
    return ListedChange(title, row, record.column(edit.field).heading(lang), _shortened(edit.old), _shortened(edit.new))


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_SHOWN else f"{plain[:LONGEST_SHOWN]}…"
