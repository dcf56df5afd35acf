"""Worded cells: a campaign in; the cells out that do not say what their row says, with what they should say.

They are made from the row beside them, so a text that was typed over changes nothing; but a club would read
it. Whoever looks names it, and the next change of the workbook writes what the row really says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import as_text
from assistant.campaign.record import Record
from assistant.campaign.records import Rule
from assistant.workbook.derived import Derivations
from assistant.workbook.layout import DERIVED
from assistant.workbook.ooxml.cells.areas import cell_address, letters_of
from assistant.workbook.port import OtherText
from assistant.workbook.read.grid import Grid
from assistant.workbook.read.headings import folded
from assistant.workbook.read.values import plain_text
from assistant.workbook.surface import Source


class Place(NamedTuple):
    """A text that says something else: the sheet's English name, row and column number, and the right value."""

    sheet: str
    row: int
    column: int
    value: str | int | None
    told: OtherText


def derived_columns(book: Source, grid: Grid) -> dict[str, int]:
    """Name of a derived column -> its number, of those that the sheet has."""
    words = {folded(w): d.name for d in DERIVED.get(grid.record.sheet, ()) for w in (d.en, d.it)}
    if not words:
        return {}
    headings = book.row_near_top(grid.title, grid.heading_row).get(grid.heading_row, {})
    return {words[folded(str(cell.value))]: i for i, cell in headings.items() if folded(str(cell.value)) in words}


def other_texts(book: Source, grids: Mapping[str, Grid], rows: Mapping[str, Mapping[str, int]],
                campaign: Campaign, derive: Derivations) -> Iterator[Place]:
    """The worded cells that do not say what their row says, of the sheets that were looked at.

    `rows`: English sheet name -> key -> row number.
    """
    for sheet, grid in grids.items():
        columns = derived_columns(book, grid) if grid.known is None else {}
        if not columns or any(c.name not in grid.heads.fields for c in grid.record.columns()):
            continue  # where a heading is missing nobody can say what a row says
        cells = book.rows(grid.title)
        for key, number in rows.get(sheet, {}).items():
            row = _row(campaign, grid.record, key)
            if row is None:
                continue
            for name, column in columns.items():
                value = derive.value(sheet, name, row)
                right = as_text(value)
                cell = cells.get(number, {}).get(column)
                seen = plain_text(cell.value) if cell is not None else ""
                if seen != right and _same(seen) != _same(right):
                    where = cell_address(grid.title, letters_of(column), number)
                    outdated = derive.outdated(sheet, name, row, seen)
                    yield Place(sheet, number, column, value, OtherText(sheet, key, where, seen, right, outdated))


def _row(campaign: Campaign, record: type[Record], key: str) -> Record | None:
    row = campaign.by_sheet(record.sheet).get(key)
    return record(key=key) if row is None and issubclass(record, Rule) else row


def _same(text: str) -> list[str]:
    """What two texts must share to say the same: their words, whatever order a throw's modifiers are told in."""
    return sorted(text.replace(",", " ").replace(":", " ").split())
