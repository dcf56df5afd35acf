"""Finding tables in an openpyxl workbook: by table name, by sheet name in either language, by headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from assistant.campaign.record import Record
from assistant.campaign.records import Desk
from assistant.turn.findings import Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.grid import Grid, Notes, letter, read_settings
from assistant.workbook.headings import Heads, find_row, folded, match
from assistant.workbook.layout import sheet_title, table_name
from assistant.workbook.reading import check_headings
from assistant.workbook.tables import bounds

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

SheetRows = dict[int, dict[int, Any]]
HEADING_WITHIN = 60
"""Rows from the top within which a heading row is looked for when the table's name is gone."""


def rows_of(ws: Any) -> SheetRows:
    """Row number -> column index -> cell, of the cells that exist, rows ascending.

    openpyxl's own walk makes every cell of the used rectangle, so one stray cell in the last corner
    would cost a billion; the sheet's dictionary holds only what the file holds.
    """
    found: SheetRows = {}
    for (row, column), cell in ws._cells.items():
        if row in found:
            found[row][column] = cell
        else:
            found[row] = {column: cell}
    return dict(sorted(found.items()))


class Finder:
    """Where the tables of a workbook are."""

    def __init__(self, book: Workbook) -> None:
        self.sheets = {ws.title: ws for ws in book.worksheets}
        self.tables = {table.displayName.casefold(): (ws, table) for ws in book.worksheets
                       for table in ws.tables.values()}
        self._rows: dict[str, SheetRows] = {}

    def rows(self, ws: Any) -> SheetRows:
        """The rows of a sheet, walked once."""
        if ws.title not in self._rows:
            self._rows[ws.title] = rows_of(ws)
        return self._rows[ws.title]

    def titled(self, record: type[Record]) -> list[Any]:
        """Sheets that bear a record's name in either language."""
        wanted = {folded(record.sheet), folded(record.sheet_it)}
        return [ws for title, ws in self.sheets.items() if folded(title) in wanted]

    def knows_any(self, records: Iterable[type[Record]]) -> bool:
        """Whether at least one sheet is ours."""
        return any(table_name(r).casefold() in self.tables or self.titled(r) for r in records)

    def grid(self, record: type[Record], notes: Notes) -> Grid | None:
        """The grid of a record, with findings for what is missing, renamed or there twice."""
        where = Where(record.sheet)
        ws, table = self.tables.get(table_name(record).casefold(), (None, None))
        if ws is None:
            titled = self.titled(record)
            if len(titled) != 1:
                names = {"sheet": sheet_title(record, notes.lang), "seen": ", ".join(w.title for w in titled)}
                notes.add(codes.TWO_SHEETS if titled else codes.NO_SHEET, where, "", names)
                return None
            ws = titled[0]
        found = self._heads(record, ws, table)
        if found is None:
            notes.add(codes.NO_HEADINGS, where, f"{ws.title}!A1", {"sheet": ws.title})
            return None
        number, heads, end = found
        rows = [(n, cells) for n, cells in self.rows(ws).items() if n > number]
        if table is not None and table.totalsRowCount:
            rows = [(n, cells) for n, cells in rows if n != end]
        grid = Grid(record, ws.title, number, heads, rows, end)
        check_headings(grid, notes)
        return grid

    def _heads(self, record: type[Record], ws: Any, table: Any) -> tuple[int, Heads, int] | None:
        rows = self.rows(ws)
        if table is not None:
            left, top, right, bottom = bounds(table.ref)
            row = {i: cell.value for i, cell in rows.get(top, {}).items()}
            inside = match(record, {i: v for i, v in row.items() if left <= i <= right})
            if inside.known:
                outside = match(record, {i: v for i, v in row.items() if not left <= i <= right})
                for name, i in outside.fields.items():
                    inside.fields.setdefault(name, i)
                return top, inside, bottom
        near_top = ((n, {i: c.value for i, c in cells.items()}) for n, cells in rows.items() if n <= HEADING_WITHIN)
        found = find_row(record, near_top)
        return (*found, 2**31) if found else None


def read_desk(finder: Finder, record: type[Record], notes: Notes
              ) -> tuple[Record, dict[str, tuple[str, int]], str] | None:
    """The Desk's settings: the record, field -> (letter, row), and the sheet's title; None without one."""
    ws, table = finder.tables.get(table_name(record).casefold(), (None, None))
    if ws is None:
        titled = finder.titled(record)
        if not titled:
            return None
        ws = titled[0]
    rows = finder.rows(ws)
    best: tuple[int, Heads, int] | None = None
    if table is not None:
        left, top, _, bottom = bounds(table.ref)
        labels = {n: cells[left].value for n, cells in rows.items() if n > top and left in cells
                  and (n <= bottom or cells[left].value)}
        best = (left, match(record, labels), bottom)
    else:
        for column in sorted({i for cells in rows.values() for i in cells})[:20]:
            heads = match(record, {n: cells[column].value for n, cells in rows.items() if column in cells})
            if best is None or heads.known > best[1].known:
                best = (column, heads, 0)
    if best is None:
        return None
    column, heads, _ = best
    empty = _Blank()
    pairs = {n: ("", rows[n].get(column + 1, empty)) for n in heads.fields.values()}
    desk, places = read_settings(record, pairs, heads.fields, ws.title, letter(column + 1), notes)
    return desk, places, ws.title


class _Blank:
    value = None
    data_type = "n"


def desk_raw(finder: Finder) -> Mapping[str, str]:
    """Ruleset and language as they stand on the Desk, before the ruleset's own record is known."""
    quiet = Notes("en")
    found = read_desk(finder, Desk, quiet)
    return {"ruleset": getattr(found[0], "ruleset", ""), "language": getattr(found[0], "language", "en")} if found \
        else {}


def record_grids(finder: Finder, ruleset: Ruleset, notes: Notes) -> dict[str, Grid]:
    """The grids of all tables of a ruleset that the workbook holds, by English sheet name."""
    grids = {}
    for record in ruleset.records:
        if not record.single:
            grid = finder.grid(record, notes)
            if grid is not None:
                grids[record.sheet] = grid
    return grids
