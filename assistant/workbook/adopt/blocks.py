"""Tables in a club's own sheets: a sheet's cells in; rows of headings with the rows beneath them out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.sheet import Sheet
from assistant.workbook.ooxml.cells.areas import Area
from assistant.workbook.ooxml.cells.cells import Cell, Rows
from assistant.workbook.read.keeping import club_table, is_total
from assistant.workbook.read.values import plain_text

LONGEST_HEADING = 60
"""Signs: what is longer is a sentence, and no heading."""
_COLOUR = re.compile(rb'<fgColor[^>]*\brgb="(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})"')


@dataclass(frozen=True)
class Block:
    """A table as it stands in a sheet. `area`: headings and rows, without totals; `headings`: by column."""

    title: str
    area: Area
    headings: Mapping[int, str]


def blocks(book: OoxmlBook) -> list[Block]:
    """All tables of the sheets that can be seen, sheet by sheet, from top to bottom.

    Raises `Damaged`, `Hostile`.
    """
    found: list[Block] = []
    tables = list(book.tables())
    for title, sheet in book.sheets.items():
        if sheet.hidden:
            continue
        rows = book.rows(title)
        mine = [Block(title, t.area._replace(bottom=t.area.bottom - t.totals), _texts(rows, t.area))
                for t in tables if t.sheet == title and t.heads and len(t.columns) > 1]
        loose = [b for b in _loose(title, rows) if not any(b.area.meets(t.area) for t in mine)]
        found += sorted(mine + loose, key=lambda b: (b.area.top, b.area.left))
    return found


def block_at(book: OoxmlBook, title: str, area: Area) -> Block:
    """The table of an area that somebody named. Raises KeyError for a sheet that is not there."""
    return Block(title, area, _texts(book.rows(book.sheets[title].title), area))


def _texts(rows: Rows, area: Area) -> dict[int, str]:
    return {i: plain_text(c.value) for i, c in sorted(rows.get(area.top, {}).items())
            if area.left <= i <= area.right and plain_text(c.value)}


def _loose(title: str, rows: Rows) -> Iterator[Block]:
    """Tables that are plain ranges."""
    done: list[Area] = []
    for number in sorted(rows):
        for left, right in _runs(rows[number], rows.get(number + 1, {})):
            if any(area.has(number, left) or area.has(number, right) for area in done):
                continue
            bottom = _bottom(rows, Area(left, number, right, number))
            if bottom > number:
                area = Area(left, number, right, bottom)
                done.append(area)
                yield Block(title, area, _texts(rows, area))


def _runs(cells: Mapping[int, Cell], beneath: Mapping[int, Cell]) -> Iterator[tuple[int, int]]:
    """Columns from which to which texts stand side by side, with something beneath at least two of them."""
    run: list[int] = []
    for i in [*sorted(i for i, c in cells.items() if _is_heading(c)), 2**31]:
        gap = run and i != run[-1] + 1 and not (i == run[-1] + 2 and run[-1] + 1 in beneath)
        if gap:
            if len(run) > 1 and sum(n in beneath for n in run) > 1:
                yield run[0], run[-1]
            run = []
        run.append(i)


def _is_heading(cell: Cell) -> bool:
    return cell.data_type == "s" and 0 < len(plain_text(cell.value)) <= LONGEST_HEADING


def _bottom(rows: Rows, head: Area) -> int:
    """The last row of a table: before totals, or a row that is blank in all its columns, unless the row below
    that goes on like the last one.
    """
    def within(number: int) -> dict[int, Cell]:
        return {i: c for i, c in rows.get(number, {}).items() if head.left <= i <= head.right and plain_text(c.value)}

    bottom = head.top
    while True:
        cells = within(bottom + 1)
        if not cells and bottom > head.top and _alike(within(bottom + 2), within(bottom)):
            bottom += 1
        elif not cells or is_total(cells):
            return bottom
        bottom += 1


def _alike(cells: Mapping[int, Cell], model: Mapping[int, Cell]) -> bool:
    """Whether a row holds the same kinds of values in the same columns, not only texts."""
    both = [i for i in model if i in cells]
    kinds = [cells[i].data_type for i in both]
    return (2 * len(both) > len(model) and kinds == [model[i].data_type for i in both] and bool(set(kinds) - {"s"})
            and not is_total(cells))


def column_of_cells(book: OoxmlBook, block: Block, column: int) -> dict[int, Cell]:
    """The cells of a table's column that hold something, by row, without the heading."""
    rows = book.rows(block.title)
    return {n: rows[n][column] for n in range(block.area.top + 1, block.area.bottom + 1)
            if n in rows and column in rows[n] and plain_text(rows[n][column].value)}


def fills(book: OoxmlBook, block: Block, column: int) -> dict[int, str]:
    """The colours (``#rrggbb``) with which the cells of a table's column are filled, by row; white is none."""
    sheet = Sheet(book, block.title)
    found = {}
    for number in range(block.area.top + 1, block.area.bottom + 1):
        colour = _COLOUR.search(book.styles.xml(sheet.style(number, column), "fill"))
        if colour and colour[1].upper() != b"FFFFFF":
            found[number] = f"#{colour[1].decode().lower()}"
    return found


def beneath(book: OoxmlBook, block: Block) -> tuple[int, int] | None:
    """The first cell (row, column) below a table that would be in its way if it grew by ten rows.

    The row of totals of an Excel table goes down with it and is not in its way.
    """
    rows = book.rows(block.title)
    bottom = block.area.bottom + totals_of(book, block)
    for number in range(bottom + 1, bottom + 11):
        for column, cell in sorted(rows.get(number, {}).items()):
            if block.area.left <= column <= block.area.right and plain_text(cell.value):
                return number, column
    return None


def totals_of(book: OoxmlBook, block: Block) -> int:
    """How many rows of totals an Excel table has right below its rows; 0 for a plain range."""
    table = club_table(book, block.title, block.area)
    return table.totals if table is not None else 0
