"""Keys that a hand has made double: rows that are gone in; each found again in a row that has another one's key now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.table import Table
from assistant.desk.watch.edits import Edit, row_of
from assistant.workbook.port import Cells


class Found(NamedTuple):
    """A row that is gone, where it stands now under another row's key. `key`: that key; `other`: where the row stands
    that has it by right, None where that one is known there already.
    """

    edit: Edit
    key: str
    number: int
    row: Record
    other: tuple[int, Record] | None


def found_again(campaign: Campaign, cells: Cells, gone: Iterable[Edit]) -> list[Found]:
    """The rows that are gone and stand in a sheet under a key that is there twice: of the two that have it, the one
    that says the same in all its other columns as the row that is gone.
    """
    found: list[Found] = []
    for edit in gone:
        table = campaign.by_sheet(edit.sheet)
        old = row_of(table.record, edit.values)
        for double in cells.doubled.get(edit.sheet, ()):
            number, row = double
            key = next((k for k, _ in table.raw_rows() if k.casefold() == row.ident.casefold()), "")
            first = cells.rows[edit.sheet].get(key, 0)
            if not key or any(one.number in (number, first) for one in found if one.edit.sheet == edit.sheet):
                continue
            if _moved(old, row):
                found.append(Found(edit, key, number, row, None))
            elif _moved(old, table[key]):
                found.append(Found(edit, key, first, table[key], double))
            else:
                continue
            break
    return found


def _moved(old: Record, row: Record) -> bool:
    """Whether a row says what another one said, but for one column of its key."""
    then, now = old.as_text(), row.as_text()
    differing = [c for c in old.columns() if then.get(c.name, "") != now.get(c.name, "")]
    return len(differing) == 1 and differing[0].key


def stand_again(standing: Campaign, cells: Cells, found: Iterable[Found]) -> None:
    """Let a campaign as it stands in the file, and where its rows stand, have these rows under their own keys."""
    for one in found:
        sheet, was = one.edit.sheet, one.edit.row
        table = standing.by_sheet(sheet)
        other = one.other or (0, table[one.key])
        rows = [(key, other[1] if key == one.key else row) for key, row in table.in_file_order()]
        standing.put(Table.of(table.record, [*rows, (was, one.row)]))
        cells.rows[sheet][was] = one.number
        if one.other is not None:
            cells.rows[sheet][one.key] = other[0]
