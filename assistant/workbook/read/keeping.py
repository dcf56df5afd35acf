"""A club's own table: defined names in; which of its columns is which field out, and the names that remember it.

The club's headings are its own words, so they cannot say it. Defined names do: ``arbitro_Armies`` is the area
of the table with its headings, ``arbitro_Armies_node`` the cell of a heading, ``arbitro_Armies_node_is`` the
text that stood there. Excel and LibreOffice take the first two along when rows and columns are moved and when
the sheet gets another title; the third tells when a heading was changed, which is a finding as ever.

A sheet of ours in a club's workbook where something of the club's bears its name is remembered so, too:
``arbitro_at_Armies`` is the first cell of its headings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assistant.campaign.record import Record
from assistant.campaign.records import Order
from assistant.turn.findings import Where
from assistant.workbook import codes
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area, cell_address, letters_of, quoted_area
from assistant.workbook.ooxml.cells.cells import Cell
from assistant.workbook.read.grid import Grid, Notes
from assistant.workbook.read.headings import Heads, folded, match
from assistant.workbook.read.values import plain_text
from assistant.workbook.surface import Source

LONGEST = 200
"""Signs of a heading that are remembered: a text in a name may not be much longer."""
TOTALS = frozenset({"total", "totals", "totale", "totali", "sum", "somma"})


class Kept(NamedTuple):
    """A club's table. `area`: its headings and rows; `columns`: field -> (column number, heading as it was)."""

    title: str
    area: Area
    columns: Mapping[str, tuple[int, str]]


def names_of(record: type[Record], kept: Kept) -> dict[str, str]:
    """The names that remember a club's table, with what they stand for."""
    found = {_name(record): quoted_area(kept.title, kept.area)}
    for field, (column, text) in kept.columns.items():
        found[_name(record, field)] = quoted_area(kept.title, Area(column, kept.area.top, column, kept.area.top))
        found[f"{_name(record, field)}_is"] = '"' + text[:LONGEST].replace('"', '""') + '"'
    return found


def names_kept(record: type[Record]) -> list[str]:
    """All names by which a club's table can be remembered as a record's."""
    fields = [_name(record, c.name) for c in record.columns()]
    return [_name(record), *fields, *(f"{name}_is" for name in fields)]


def place_name(record: type[Record]) -> str:
    """The name of the first heading of a sheet of ours that neither its title nor its table's name tells any more."""
    return f"arbitro_at_{record.sheet}"


def _name(record: type[Record], field: str = "") -> str:
    return "_".join(part for part in ("arbitro", record.sheet, field) if part)


def kept_table(book: Source, record: type[Record]) -> Kept | None:
    """The club's table that holds a record's rows, from the workbook's names; None where there is none."""
    place = book.places(_name(record))
    if place is None:
        return None
    title, area = place
    columns = {}
    for c in record.columns():
        said = book.names.get(f"{_name(record, c.name)}_is")
        if said is None:
            continue
        cell = book.places(_name(record, c.name))
        here = cell is not None and cell[0] == title
        columns[c.name] = (cell[1].left if here and cell else 0, said[1:-1].replace('""', '"'))
    return Kept(title, area, columns)


# --- reading -----------------------------------------------------------------------------------
def kept_grid(book: Source, record: type[Record], kept: Kept, notes: Notes) -> Grid:
    """The grid of a club's table, with findings for headings that are gone or say something else."""
    heading_row = {i: cell.value for i, cell in book.rows(kept.title).get(kept.area.top, {}).items()}
    heads = _heads(record, kept, heading_row, notes)
    table = club_table(book, kept.title, kept.area)
    bottom = kept.area.bottom if table is None else max(kept.area.bottom, table.area.bottom - table.totals)
    rows = [(n, cells) for n, cells in book.rows(kept.title).items() if kept.area.top < n <= bottom]
    below = book.rows(kept.title)
    last = bottom
    while goes_on(record, heads.fields, below.get(last + 1, {})):
        last += 1
        rows.append((last, below[last]))
    block = frozenset(range(kept.area.left, kept.area.right + 1))
    keyless = any(c.key and c.name in kept.columns and c.name not in heads.fields for c in record.columns())
    return Grid(record, kept.title, kept.area.top, heads, rows, last, table.name if table else "", block,
                keyless=keyless)


def _heads(record: type[Record], kept: Kept, row: Mapping[int, object], notes: Notes) -> Heads:
    texts = {i: folded(plain_text(value)[:LONGEST]) for i, value in row.items() if plain_text(value)}
    heads = Heads()
    for field, (column, said) in kept.columns.items():
        if texts.get(column) == folded(said):
            heads.fields[field] = column
    for field, (column, said) in kept.columns.items():
        if field in heads.fields:
            continue
        elsewhere = [i for i, text in texts.items() if text == folded(said) and i not in heads.fields.values()]
        if elsewhere:
            heads.fields[field] = elsewhere[0]
            continue
        seen = plain_text(row.get(column))
        where = Where(record.sheet, "", field)
        cell = cell_address(kept.title, letters_of(column or kept.area.left), kept.area.top)
        if seen:
            notes.add(codes.RENAMED_HEADING, where, cell, {"heading": said, "seen": seen})
        else:
            notes.add(codes.NO_HEADING, where, cell, {"heading": said})
    _later(record, kept, row, heads, notes)
    return heads


def _later(record: type[Record], kept: Kept, row: Mapping[int, object], heads: Heads, notes: Notes) -> None:
    """Fields that the ruleset has had only since: by their own words, beside the club's table."""
    fresh = [c for c in record.columns() if c.name not in kept.columns]
    if not fresh:
        return
    free = {i: v for i, v in row.items() if i > kept.area.right and i not in heads.fields.values()}
    found = match(record, free).fields
    for c in fresh:
        if c.name in found:
            heads.fields[c.name] = found[c.name]
        elif not c.quiet:
            notes.add(codes.NO_HEADING, Where(record.sheet, "", c.name),
                      cell_address(kept.title, letters_of(kept.area.left), kept.area.top),
                      {"heading": c.heading(notes.lang)})


def goes_on(record: type[Record], fields: Mapping[str, int], cells: Mapping[int, Cell]) -> bool:
    """Whether a row beneath a club's table is one more of its rows, and no total and no note."""
    found = {name: cells[i] for name, i in fields.items() if i in cells and plain_text(cells[i].value)}
    if not found or any(cell.data_type == "f" for cell in found.values()) or is_total(cells):
        return False
    keys = [c.name for c in record.columns() if c.key]
    if record.unique and not issubclass(record, Order):
        return all(name in found for name in keys)
    return len(found) > 1


def is_total(cells: Mapping[int, Cell]) -> bool:
    """Whether a row says that it holds totals."""
    words = [folded(plain_text(c.value)).split() for c in cells.values() if c.data_type == "s"]
    return any(word and word[0].rstrip(":.") in TOTALS for word in words)


def club_table(book: Source, title: str, area: Area) -> TablePart | None:
    """The Excel table whose headings are those of an area; None where it is a plain range."""
    return next((t for t in book.tables() if t.sheet == title and t.heads and t.area.top == area.top
                 and t.area.meets(area)), None)
