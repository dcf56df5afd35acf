"""Finding tables: a workbook in; each record's grid out, by remembered names, tables' names, titles or headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.campaign.record import Record
from assistant.campaign.records import Desk, Rule
from assistant.turn.findings import Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.layout import sheet_title, table_name
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area, letters_of
from assistant.workbook.ooxml.cells.cells import Rows
from assistant.workbook.port import Known, Memory
from assistant.workbook.read.gathering import check_headings, check_settings
from assistant.workbook.read.grid import Grid, Notes, read_settings
from assistant.workbook.read.headings import Heads, find_row, folded, match
from assistant.workbook.read.keeping import kept_grid, kept_table, place_name
from assistant.workbook.read.values import Raw, plain_text
from assistant.workbook.surface import Source

CLUB, TOKEN, ROWS = "arbitro_club", "arbitro_token", "arbitro_rows"
"""Names of the cells of a club's copy that hold its faction, its code, and what stood in its form as it was sent."""
HEADING_WITHIN = 60
"""Rows from the top within which a heading row is looked for when the table's name is gone."""


class Finder:
    """Where the tables of a workbook are."""

    def __init__(self, book: Source, memory: Memory | None = None) -> None:
        self._book, self._memory = book, memory
        self._known: Mapping[str, Known] = {}
        self.tables: dict[str, TablePart] = {}
        for table in book.tables():
            self.tables.setdefault(table.name.casefold(), table)

    def rows(self, title: str) -> Rows:
        """The rows of a sheet."""
        return self._book.rows(title)

    def place(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area that a defined name marks; None without one."""
        return self._book.places(name)

    def titled(self, record: type[Record]) -> list[str]:
        """The titles of the sheets that bear a record's name in either language."""
        wanted = {folded(record.sheet), folded(record.sheet_it)}
        return [title for title in self._book.sheets if folded(title) in wanted]

    def ours(self, record: type[Record]) -> tuple[str, TablePart | None]:
        """The sheet of ours with a record's rows, "" where only its title can say it, and its Excel table."""
        place = self._book.places(place_name(record))
        if place is None:
            table = self.tables.get(table_name(record).casefold())
            return table.sheet if table is not None else "", table
        title, area = place
        there = (t for t in self.tables.values() if t.sheet == title and t.area.top == area.top and t.area.meets(area))
        return title, next(there, None)

    def said(self, name: str) -> str:
        """What stands in the cell of a defined name; "" without one."""
        place = self._book.places(name)
        if place is None:
            return ""
        title, area = place
        cell = self._book.some_rows(title, area.top, area.top).get(area.top, {}).get(area.left)
        return plain_text(cell.value) if cell is not None and cell.value is not None else ""

    def knows_any(self, records: Iterable[type[Record]]) -> bool:
        """Whether at least one sheet is ours."""
        return any(self.ours(r)[0] or self.titled(r) for r in records)

    def remember(self, records: Iterable[type[Record]]) -> None:
        """Ask the memory, once, for the records of all tables that nobody has touched since they were written.

        Not of the Rules, whose lines without a value are no records.
        """
        if self._memory is None:
            return
        tables = ((record, self.ours(record)[1]) for record in records if not issubclass(record, Rule))
        prints = {record: self._book.print_of(table.sheet) for record, table in tables if table is not None}
        self._known = self._memory.known({record: print for record, print in prints.items() if print})

    def grid(self, record: type[Record], notes: Notes) -> Grid | None:
        """The grid of a record, with findings for what is missing, renamed or there twice."""
        kept = kept_table(self._book, record)
        if kept is not None:
            return kept_grid(self._book, record, kept, notes)
        where = Where(record.sheet)
        title, table = self.ours(record)
        if not title:
            titled = self.titled(record)
            if len(titled) != 1:
                names = {"sheet": sheet_title(record, notes.lang), "seen": ", ".join(titled)}
                notes.add(codes.TWO_SHEETS if titled else codes.NO_SHEET, where, "", names)
                return None
            title = titled[0]
        known = self._known.get(record.sheet)
        found = self._heads(record, title, table, self._book.row_near_top(title, table.area.top)
                            if known is not None and table else self.rows(title))
        if found is None and known is not None:  # rows were put in above without the Excel table following
            known, found = None, self._heads(record, title, table, self.rows(title))
        if found is None:
            notes.add(codes.NO_HEADINGS, where, f"{title}!A1", {"sheet": title})
            return None
        number, heads, end = found
        rows = [(n, cells) for n, cells in self.rows(title).items() if n > number] if known is None else []
        if table is not None and table.totals:
            rows = [(n, cells) for n, cells in rows if not end - table.totals < n <= end]
        grid = Grid(record, title, number, heads, rows, end, table.name if table is not None else "", known=known)
        check_headings(grid, notes)
        return grid

    def _heads(self, record: type[Record], title: str, table: TablePart | None, rows: Rows
               ) -> tuple[int, Heads, int] | None:
        if table is not None:
            left, top, right, bottom = table.area
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
    title, table = finder.ours(record)
    title = title or next(iter(finder.titled(record)), "")
    if not title:
        return None
    rows = finder.rows(title)
    best: tuple[int, Heads, int] | None = None
    if table is not None:
        left, top, _, bottom = table.area
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
    check_settings(record, heads, title, letters_of(column), notes)
    empty = Raw(None, "n")
    pairs = {n: ("", rows[n].get(column + 1, empty)) for n in heads.fields.values()}
    desk, places = read_settings(record, pairs, heads.fields, title, letters_of(column + 1), notes)
    return desk, places, title


def desk_raw(finder: Finder) -> Mapping[str, str]:
    """Ruleset and language as they stand on the Desk, before the ruleset's own record is known."""
    quiet = Notes("en")
    found = read_desk(finder, Desk, quiet)
    return {"ruleset": getattr(found[0], "ruleset", ""), "language": getattr(found[0], "language", "en")} if found \
        else {}


def where_line(finder: Finder) -> str:
    """Where the campaign stands, as the Desk says it in words; "" where its place is gone or blank."""
    found = finder.place("desk_where")
    if found is None:
        return ""
    title, area = found
    cell = finder.rows(title).get(area.top, {}).get(area.left)
    return plain_text(cell.value) if cell is not None else ""


def record_grids(finder: Finder, ruleset: Ruleset, notes: Notes) -> dict[str, Grid]:
    """The grids of all tables of a ruleset that the workbook holds, by English sheet name."""
    grids = {}
    records = [record for record in ruleset.records if not record.single]
    finder.remember(records)
    if finder.said(CLUB):  # a club's copy has the sheets in which something stands
        records = [record for record in records if finder.knows_any([record])]
    for record in records:
        told = Notes(notes.lang) if record.quiet else notes  # a club's own sheet may be called so: it is left alone
        grid = finder.grid(record, told) if not record.quiet or finder.knows_any([record]) else None
        if grid is not None:
            notes.findings += told.findings if record.quiet else []
            grids[record.sheet] = grid
    return grids
