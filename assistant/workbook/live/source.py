"""The open workbook as a source: a host in; sheets, rows, names, tables and styles out, as of a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from assistant.workbook.live.host import Host, Look
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area, area_of
from assistant.workbook.ooxml.cells.cells import Cell, Rows

_PLACE = re.compile(r"(?:'((?:[^']|'')+)'|([^'!()\[\]]+))!(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)")
_COLOUR = re.compile(rb'rgb="FF([0-9A-Fa-f]{6})"')


class LiveStyles:
    """Looks by number from 1; a negative number stands for "as in that row"."""

    def __init__(self) -> None:
        self._looks: list[Look] = []

    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a look with these colours; borders, sizes and guards against formulas are the host's."""
        fill_found, ink_found = _COLOUR.search(fill), _COLOUR.search(font)
        look = Look(fill_found[1].decode().upper() if fill_found else "" if fill else None,
                    ink_found[1].decode().upper() if ink_found else None, b"<b " in font if font else None)
        if look == Look():
            return style
        if look not in self._looks:
            self._looks.append(look)
        return self._looks.index(look) + 1

    def look(self, style: int) -> Look:
        """The look of a number."""
        return self._looks[style - 1]


class LiveSource:
    """One look at the open workbook, which is kept in step with what is written into it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.styles = LiveStyles()
        self.names = dict(host.names())
        self._tables = list(host.tables())
        self._rows: dict[str, Rows] = {}

    @cached_property
    def sheets(self) -> list[str]:
        """The titles of the worksheets."""
        return list(self.host.titles())

    def rows(self, title: str) -> Rows:
        """The cells of a sheet; read once."""
        if title not in self._rows:
            self._rows[title] = self.host.rows(title)
        return self._rows[title]

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet."""
        rows = self.rows(title)
        return {number: rows[number] for number in range(first, last + 1) if number in rows}

    def row_near_top(self, title: str, number: int) -> Rows:
        """A row of a sheet."""
        return self.some_rows(title, number, number)

    def print_of(self, title: str) -> str:
        """Nothing: what is open has no bytes."""
        return ""

    def tables(self) -> Iterator[TablePart]:
        """All tables, as they are now."""
        yield from self._tables

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""
        found = _PLACE.fullmatch(self.names.get(name, ""))
        if not found:
            return None
        title = found[1].replace("''", "'") if found[1] else found[2]
        return (title, area_of(found[3])) if title in self.sheets else None

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Let a table end at a row."""

        at = next(i for i, one in enumerate(self._tables) if (one.sheet, one.name) == (table.sheet, table.name))
        self._tables[at] = table._replace(area=table.area._replace(bottom=bottom))

    def shown_only(self, table: TablePart) -> tuple[int, list[str]] | None:
        """None: in the open workbook filters are left to whoever looks at it."""
        return None

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Nothing, as there is no such filter."""

    def calculated(self, table: TablePart) -> dict[int, str]:
        """None: the program itself lets a calculated column go on."""
        return {}

    def in_table(self, title: str, row: int, column: int) -> bool:
        """Whether a cell lies in a table, which gives it its look."""
        return any(t.sheet == title and t.area.has(row, column) for t in self._tables)

    def take(self, title: str, row: int, column: int, cell: Cell | None) -> None:
        """A cell was changed."""
        rows = self.rows(title)
        if cell is not None:
            rows.setdefault(row, {})[column] = cell
        elif column in rows.get(row, {}):
            del rows[row][column]
