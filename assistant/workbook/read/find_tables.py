"""Finds each record's table in a workbook, even under a club's own headings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from assistant.campaign.records import Desk, Order, Rule
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Where
from assistant.turn.ruleset import Ruleset
from assistant.workbook.layout import CHANGES_COLUMNS, CHANGES_NAME, LABELS, sheet_title, table_name
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Area, Cell, Rows, cell_address, letters_of, quoted_area
from assistant.workbook.port import ListedChange, SheetMemory, UntouchedRows, WorkbookSource
from assistant.workbook.read.grid import (
    Heads,
    Notes,
    TableGrid,
    find_headings,
    fold,
    match_headings,
    plain_text,
    read_settings,
)
from assistant.workbook.read.load_campaign import check_headings, check_settings

# A club's own table.
# #
# The club's headings are its own words, so they cannot identify the columns. Defined names do: ``arbitro_Armies`` is
# the area of the table with its headings, ``arbitro_Armies_node`` the cell of a heading, ``arbitro_Armies_node_is`` the
# text that it had. Excel and LibreOffice update the first two when rows and columns are moved or the sheet is renamed;
# the third shows when a heading was changed, which is a finding as usual.
# #
# A sheet of ours whose name is already used by something of the club's is remembered like that, too:
# ``arbitro_at_Armies`` is the first cell of its headings.


LONGEST = 200
"""Characters of a heading that are remembered: a text in a name cannot be much longer."""
TOTALS = frozenset({"total", "totals", "totale", "totali", "sum", "somma"})


class TableMapping(NamedTuple):
    """Where a club's table is and what its columns mean. `area`: its headings and rows; `columns`: field -> (column
    number, heading as it was).
    """

    title: str
    area: Area
    columns: Mapping[str, tuple[int, str]]


def mapping_names(record: type[Record], kept: TableMapping) -> dict[str, str]:
    """The defined names that remember a club's table, with their definitions."""
    names = {_full_name(record): quoted_area(kept.title, kept.area)}
    for field, (column, text) in kept.columns.items():
        names[_full_name(record, field)] = quoted_area(kept.title, Area(column, kept.area.top, column, kept.area.top))
        names[f"{_full_name(record, field)}_is"] = '"' + text[:LONGEST].replace('"', '""') + '"'
    return names


def possible_names(record: type[Record]) -> list[str]:
    """All names that can remember a club's table as a record's."""
    fields = [_full_name(record, c.name) for c in record.columns()]
    return [_full_name(record), *fields, *(f"{name}_is" for name in fields)]


def place_name(record: type[Record]) -> str:
    """The name of the first heading of a sheet of ours that neither its title nor its table's name identifies any more.
    """
    return f"arbitro_at_{record.sheet}"


def _full_name(record: type[Record], field: str = "") -> str:
    return "_".join(part for part in ("arbitro", record.sheet, field) if part)


def table_mapping(book: WorkbookSource, record: type[Record]) -> TableMapping | None:
    """The mapping of the club's table that holds a record's rows, from the workbook's names; None if there is none."""
    place = book.places(_full_name(record))
    if place is None:
        return None
    title, area = place
    columns = {}
    for c in record.columns():
        heading = book.names.get(f"{_full_name(record, c.name)}_is")
        if heading is None:
            continue
        cell = book.places(_full_name(record, c.name))
        here = cell is not None and cell[0] == title
        columns[c.name] = (cell[1].left if here and cell else 0, heading[1:-1].replace('""', '"'))
    return TableMapping(title, area, columns)


# --- reading -----------------------------------------------------------------------------------
def mapped_grid(book: WorkbookSource, record: type[Record], kept: TableMapping, notes: Notes) -> TableGrid:
    """The grid of a club's table, with findings for headings that are gone or changed."""
    heading_row = {i: cell.value for i, cell in book.rows(kept.title).get(kept.area.top, {}).items()}
    heads = _mapped_heads(record, kept, heading_row, notes)
    table = club_table(book, kept.title, kept.area)
    bottom = kept.area.bottom if table is None else max(kept.area.bottom, table.area.bottom - table.totals)
    rows = [(n, cells) for n, cells in book.rows(kept.title).items() if kept.area.top < n <= bottom]
    below = book.rows(kept.title)
    last = bottom
    while continues_table(record, heads.fields, below.get(last + 1, {})):
        last += 1
        rows.append((last, below[last]))
    block = frozenset(range(kept.area.left, kept.area.right + 1))
    keyless = any(c.key and c.name in kept.columns and c.name not in heads.fields for c in record.columns())
    return TableGrid(record, kept.title, kept.area.top, heads, rows, last, table.name if table else "", block,
                keyless=keyless)


def _mapped_heads(record: type[Record], kept: TableMapping, row: Mapping[int, object], notes: Notes) -> Heads:
    texts = {i: fold(plain_text(value)[:LONGEST]) for i, value in row.items() if plain_text(value)}
    heads = Heads()
    for field, (column, heading) in kept.columns.items():
        if texts.get(column) == fold(heading):
            heads.fields[field] = column
    for field, (column, heading) in kept.columns.items():
        if field in heads.fields:
            continue
        elsewhere = [i for i, text in texts.items() if text == fold(heading) and i not in heads.fields.values()]
        if elsewhere:
            heads.fields[field] = elsewhere[0]
            continue
        seen = plain_text(row.get(column))
        where = Where(record.sheet, "", field)
        cell = cell_address(kept.title, letters_of(column or kept.area.left), kept.area.top)
        if seen:
            notes.add(codes.RENAMED_HEADING, where, cell, {"heading": heading, "seen": seen})
        else:
            notes.add(codes.NO_HEADING, where, cell, {"heading": heading})
    _add_later(record, kept, row, heads, notes)
    return heads


def _add_later(record: type[Record], kept: TableMapping, row: Mapping[int, object], heads: Heads, notes: Notes) -> None:
    """Find fields that the ruleset got later: by our headings, beside the club's table."""
    fresh = [c for c in record.columns() if c.name not in kept.columns]
    if not fresh:
        return
    free = {i: v for i, v in row.items() if i > kept.area.right and i not in heads.fields.values()}
    fields = match_headings(record, free).fields
    for c in fresh:
        if c.name in fields:
            heads.fields[c.name] = fields[c.name]
        elif not c.quiet:
            notes.add(codes.NO_HEADING, Where(record.sheet, "", c.name),
                      cell_address(kept.title, letters_of(kept.area.left), kept.area.top),
                      {"heading": c.heading(notes.lang)})


def continues_table(record: type[Record], fields: Mapping[str, int], cells: Mapping[int, Cell]) -> bool:
    """Whether the row below a club's table is another of its rows, and not a total or a note."""
    filled = {name: cells[i] for name, i in fields.items() if i in cells and plain_text(cells[i].value)}
    if not filled or any(cell.data_type == "f" for cell in filled.values()) or is_total(cells):
        return False
    keys = [c.name for c in record.columns() if c.key]
    if record.unique and not issubclass(record, Order):
        return all(name in filled for name in keys)
    return len(filled) > 1


def is_total(cells: Mapping[int, Cell]) -> bool:
    """Whether a row calls itself a total."""
    words = [fold(plain_text(c.value)).split() for c in cells.values() if c.data_type == "s"]
    return any(word and word[0].rstrip(":.") in TOTALS for word in words)


def club_table(book: WorkbookSource, title: str, area: Area) -> TablePart | None:
    """The Excel table with the same headings as an area; None for a plain range."""
    return next((t for t in book.tables(title) if t.heads and t.area.top == area.top and t.area.meets(area)),
                None)


# Finding tables.


CLUB_NAME, TOKEN_NAME, ROWS_NAME = "arbitro_club", "arbitro_token", "arbitro_rows"
"""Names of the cells of a club's copy with its faction, its code, and what its form held when it was sent."""
CLUB_ROW = 3
"""The row of a copy's Desk in which its faction stands, above the label of its code."""
_COPY_LABELS = {word: name for name, key in ((TOKEN_NAME, "copy_token"), (ROWS_NAME, "copy_rows"))
                for word in LABELS[key]}
"""The labels before the cells of these names, in all languages."""
HEADING_WITHIN = 60
"""How many rows from the top are searched for headings if the table's name is gone."""


class TableFinder:
    """Finds the tables of a workbook."""

    def __init__(self, book: WorkbookSource, memory: SheetMemory | None = None) -> None:
        self._book, self._memory = book, memory
        self._known: Mapping[str, UntouchedRows] = {}
        self.tables: dict[str, TablePart] = {}
        for table in book.tables():
            self.tables.setdefault(table.name.casefold(), table)

    def rows(self, title: str) -> Rows:
        """The rows of a sheet."""
        return self._book.rows(title)

    def place(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a defined name; None if there is no such name."""
        return self._book.places(name)

    def titles_of(self, record: type[Record]) -> list[str]:
        """The titles of the sheets named like a record in either language."""
        wanted = {fold(record.sheet), fold(record.sheet_it)}
        return [title for title in self._book.sheets if fold(title) in wanted]

    def ours(self, record: type[Record]) -> tuple[str, TablePart | None]:
        """Our sheet with a record's rows ("" if only its title could tell), and its Excel table."""
        place = self._book.places(place_name(record))
        if place is None:
            table = self.tables.get(table_name(record).casefold())
            return table.sheet if table is not None else "", table
        title, area = place
        there = (t for t in self.tables.values() if t.sheet == title and t.area.top == area.top and t.area.meets(area))
        return title, next(there, None)

    def name_text(self, name: str) -> str:
        """The text in the cell of a defined name; "" if there is no such name."""
        place = self._book.places(name)
        if place is None:
            return ""
        title, area = place
        return _text_in(self._book.some_rows(title, area.top, area.top).get(area.top, {}).get(area.left))

    def copy_text(self, name: str) -> str:
        """`name_text` of a name that a club's copy has, also where a program dropped the names."""
        text = self.name_text(name)
        return text or ("" if self.name_text(TOKEN_NAME) else self._nameless_copy.get(name, ""))

    @cached_property
    def _nameless_copy(self) -> Mapping[str, str]:
        """What stands on the Desk of a copy beside its labels; its faction stands above the label of its code."""
        texts = dict[str, str]()
        for title in self.titles_of(Desk):
            rows = self.rows(title)
            for cells in rows.values():
                for column, cell in cells.items():
                    name = _COPY_LABELS.get(cell.value) if isinstance(cell.value, str) else None
                    if name is None:
                        continue
                    texts[name] = _text_in(cells.get(column + 1))
                    if name == TOKEN_NAME:
                        texts[CLUB_NAME] = _text_in(rows.get(CLUB_ROW, {}).get(column))
        return texts

    def knows_any(self, records: Iterable[type[Record]]) -> bool:
        """Whether at least one sheet is ours."""
        return any(self.ours(r)[0] or self.titles_of(r) for r in records)

    def remember(self, records: Iterable[type[Record]]) -> None:
        """Ask the memory, once, for the records of all tables that nobody has changed since they were written.

        The Rules are left out: their lines without a value are not records.
        """
        if self._memory is None:
            return
        tables = ((record, self.ours(record)[1]) for record in records if not issubclass(record, Rule))
        prints = {record: self._book.print_of(table.sheet) for record, table in tables if table is not None}
        self._known = self._memory.known_rows({record: print for record, print in prints.items() if print})

    def grid(self, record: type[Record], notes: Notes) -> TableGrid | None:
        """The grid of a record, with findings for headings that are missing, renamed or repeated."""
        kept = table_mapping(self._book, record)
        if kept is not None:
            return mapped_grid(self._book, record, kept, notes)
        where = Where(record.sheet)
        title, table = self.ours(record)
        if not title:
            titled = self.titles_of(record)
            if len(titled) != 1:
                names = {"sheet": sheet_title(record, notes.lang), "seen": ", ".join(titled)}
                notes.add(codes.TWO_SHEETS if titled else codes.NO_SHEET, where, "", names)
                return None
            title = titled[0]
        known = self._known.get(record.sheet)
        located = self._heads(record, title, table, self._book.row_near_top(title, table.area.top)
                              if known is not None and table else self.rows(title))
        if located is None and known is not None:  # rows were put in above without the Excel table following
            known, located = None, self._heads(record, title, table, self.rows(title))
        if located is None:
            notes.add(codes.NO_HEADINGS, where, f"{title}!A1", {"sheet": title})
            return None
        number, heads, end = located
        rows = [(n, cells) for n, cells in self.rows(title).items() if n > number] if known is None else []
        if table is not None and table.totals:
            rows = [(n, cells) for n, cells in rows if not end - table.totals < n <= end]
        grid = TableGrid(record, title, number, heads, rows, end, table.name if table is not None else "", known=known)
        check_headings(grid, notes)
        return grid

    def _heads(self, record: type[Record], title: str, table: TablePart | None, rows: Rows
               ) -> tuple[int, Heads, int] | None:
        if table is not None:
            left, top, right, bottom = table.area
            row = {i: cell.value for i, cell in rows.get(top, {}).items()}
            inside = match_headings(record, {i: v for i, v in row.items() if left <= i <= right})
            if inside.count:
                outside = match_headings(record, {i: v for i, v in row.items() if not left <= i <= right})
                for name, i in outside.fields.items():
                    inside.fields.setdefault(name, i)
                return top, inside, bottom
        near_top = ((n, {i: c.value for i, c in cells.items()}) for n, cells in rows.items() if n <= HEADING_WITHIN)
        headings = find_headings(record, near_top)
        return (*headings, 2**31) if headings else None


def _text_in(cell: Cell | None) -> str:
    return plain_text(cell.value) if cell is not None and cell.value is not None else ""


def read_desk(finder: TableFinder, record: type[Record], notes: Notes
              ) -> tuple[Record, dict[str, tuple[str, int]], str] | None:
    """The Desk's settings: the record, field -> (letter, row), and the sheet's title; None if there is no Desk."""
    title, table = finder.ours(record)
    title = title or next(iter(finder.titles_of(record)), "")
    if not title:
        return None
    rows = finder.rows(title)
    best: tuple[int, Heads, int] | None = None
    if table is not None:
        left, top, _, bottom = table.area
        labels = {n: cells[left].value for n, cells in rows.items() if n > top and left in cells
                  and (n <= bottom or cells[left].value)}
        best = (left, match_headings(record, labels), bottom)
    else:
        for column in sorted({i for cells in rows.values() for i in cells})[:20]:
            heads = match_headings(record, {n: cells[column].value for n, cells in rows.items() if column in cells})
            if best is None or heads.count > best[1].count:
                best = (column, heads, 0)
    if best is None:
        return None
    column, heads, _ = best
    check_settings(record, heads, title, letters_of(column), notes)
    empty = Cell(None, "n")
    pairs = {n: ("", rows[n].get(column + 1, empty)) for n in heads.fields.values()}
    desk, places = read_settings(record, pairs, heads.fields, title, letters_of(column + 1), notes)
    return desk, places, title


def raw_desk_settings(finder: TableFinder) -> Mapping[str, str]:
    """Ruleset and language as on the Desk, before the ruleset's own record is known."""
    quiet = Notes("en")
    desk = read_desk(finder, Desk, quiet)
    return {"ruleset": getattr(desk[0], "ruleset", ""), "language": getattr(desk[0], "language", "en")} if desk \
        else {}


def where_line(finder: TableFinder) -> str:
    """Turn and phase as the Desk words them; "" if their place is gone or blank."""
    place = finder.place("desk_where")
    if place is None:
        return ""
    title, area = place
    return _text_in(finder.rows(title).get(area.top, {}).get(area.left))


def listed_changes(finder: TableFinder) -> tuple[str, tuple[ListedChange, ...]]:
    """The title of the sheet that lists changes by hand ("" without one), and what stands there, with what the referee
    has written beside each.
    """
    place = finder.place(CHANGES_NAME)
    if place is None:
        return "", ()
    title, area = place
    rows, columns = finder.rows(title), range(area.left, area.left + len(CHANGES_COLUMNS))
    texts = [[_text_in(cells.get(column)) for column in columns]
             for number, cells in rows.items() if area.top <= number <= area.bottom]
    return title, tuple(ListedChange(*row) for row in texts if any(row))


def record_grids(finder: TableFinder, ruleset: Ruleset, notes: Notes) -> dict[str, TableGrid]:
    """The grids of all tables of a ruleset that the workbook has, by English sheet name."""
    grids = {}
    records = [record for record in ruleset.records if not record.single]
    finder.remember(records)
    if finder.copy_text(CLUB_NAME):  # a club's copy has the sheets in which something stands
        records = [record for record in records if finder.knows_any([record])]
    for record in records:
        spare = record.quiet or record.apart
        told = Notes(notes.lang) if spare else notes  # a club's own sheet may be called so: it is left alone
        grid = finder.grid(record, told) if not spare or finder.knows_any([record]) else None
        if grid is not None:
            notes.findings += told.findings if spare else []
            grids[record.sheet] = grid
    return grids
