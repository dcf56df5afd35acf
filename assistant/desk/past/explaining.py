"""A phase resolved again beside what the next one found in: what nothing explains, and what people did, out.

What people may type, rulings and what Arbitro writes itself between two phases are explained. What is left was changed
by hand, or, where another version resolved the phase, made by that version.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable

from assistant.campaign.campaign import Added, Campaign, Change, Set
from assistant.campaign.records import Battle, Event, FindingRow, Question
from assistant.desk.past.chain import done_between
from assistant.desk.playing.play import Moment, now
from assistant.desk.watch.edits import Edit, between, do
from assistant.desk.watch.kept_edits import rulings_of
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.superseded import HANDED_IN, counting_key, is_superseded

CITED = ("rule", "touched")
"""What an event rests on and names: the program's own words about what it made."""
TOLD = (Event.sheet, FindingRow.sheet)


def unexplained(made: Campaign, found: Campaign, corrected: set[tuple[str, str]]) -> list[Edit]:
    """What differs between the state that a phase made and the one that was found later, and nothing explains.

    `corrected`: rows (sheet, key) that corrections tell of.
    """
    ruled = _ruled(made, found)
    rows: dict[str, dict[str, None]] = {}
    for change in done_between(ruled, found):
        rows.setdefault(change.sheet, {})[change.key] = None
    return [edit for edit in between(ruled, found, rows) if not _ours(edit, made, found, corrected)] if rows else []


def _ruled(made: Campaign, found: Campaign) -> Campaign:
    """The state that a phase made, with the rulings that were made since: a value that was ruled may not go back."""
    fresh = rulings_of(found, made)[len(rulings_of(made, found)):]
    if not fresh:
        return made
    ruled = made.copy()
    for one in fresh:
        with contextlib.suppress(KeyError):  # the row that it was about did not come to be in a corrected past
            do(ruled, one.edit)
    return ruled


def _ours(edit: Edit, made: Campaign, found: Campaign, corrected: set[tuple[str, str]]) -> bool:
    """Whether Arbitro itself wrote it between two phases: what it tells, what it asks, what a correction superseded."""
    if edit.sheet == Event.sheet:
        return edit.change == "added" and edit.values["event"] in COMMON_EVENTS
    if edit.sheet == Question.sheet and not is_superseded(edit.row):
        row = found.table(Question).get(edit.row)
        return row is not None and row.status == "open" and Moment(row.turn, row.phase) == now(made)
    if edit.sheet == Battle.sheet and not is_superseded(edit.row):
        battle = found.table(Battle).get(edit.row)
        return battle is not None and battle.hold == "asked" and battle.turn == made.desk.turn
    if issubclass(found.by_sheet(edit.sheet).record, HANDED_IN) and is_superseded(edit.row):
        return edit.change == "added" and (edit.sheet, counting_key(edit.row)) in corrected
    return False


# --- of another version -------------------------------------------------------------------------
def only_cited(edit: Edit) -> bool:
    """Whether it is no more than what an event cites or touches."""
    if edit.change != "set":
        return False
    if edit.sheet == Question.sheet and edit.field == "so_far":
        return _uncited(edit.old) == _uncited(edit.new)
    return edit.sheet == Event.sheet and edit.field in CITED


def _uncited(so_far: str) -> list[dict[str, object]]:
    """The events that a question tells of, without what they cite."""
    told = json.loads(so_far or "{}").get("events", [])
    return [{name: value for name, value in event.items() if name not in CITED} for event in told]


def first_by_hand(differing: Iterable[Edit], touched: Iterable[Edit]) -> Edit | None:
    """The first difference that stands where somebody changed something by hand."""
    cells = {(edit.sheet, row, edit.field) for edit in touched for row in (edit.row, edit.was) if row}
    rows = {(sheet, row) for sheet, row, _ in cells}
    return next((edit for edit in differing if (edit.sheet, edit.row, edit.field) in cells or (
        edit.change != "set" and (edit.sheet, edit.row) in rows)), None)


def of_people(made: Campaign, before: Campaign, found: Campaign, corrected: set[tuple[str, str]]) -> list[Change]:
    """What people and the desk did after a phase that another version resolved, and nothing that this version made.

    `made`: as the phase leaves the campaign today; `before`: as it was before it; `found`: as the next one found it.
    """
    theirs = {(edit.sheet, row, edit.field if edit.change == "set" else "")
              for edit in unexplained(made, found, corrected) for row in (edit.row, edit.was) if row}
    done = [change for change in done_between(made, found) if change.sheet not in TOLD and (
        change.sheet, change.key, change.field if isinstance(change, Set) else "") not in theirs]
    known = before.table(Event)
    told = [Added(Event.sheet, key, row) for key, row in found.table(Event).in_file_order()
            if key not in known and row.event in COMMON_EVENTS]
    return [*done, *told]
