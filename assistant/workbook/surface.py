"""What readers and writers see of a workbook, as protocols: the same for a file and for one open in a program.

The file's side is `OoxmlBook` with `Editing` (`ooxml.book`), the open workbook's side is `live.source` with
`live.editing`. Rows, columns and numbers of styles count as in the file's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area
from assistant.workbook.ooxml.cells.cells import Rows

Value = int | float | str | bool | None


class Styles(Protocol):
    """Styles of cells, by number."""

    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style like another, but with this font, fill or border (an element of SpreadsheetML)."""


class Source(Protocol):
    """A workbook to be read."""

    @property
    def sheets(self) -> Collection[str]:
        """The titles of the worksheets, in the order of their tabs."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the whole workbook -> what they stand for (``'Desk'!$B$6``)."""

    @property
    def styles(self) -> Styles:
        """The cells' styles."""

    def rows(self, title: str) -> Rows:
        """The cells of a sheet, by row and column number."""

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet."""

    def row_near_top(self, title: str, number: int) -> Rows:
        """A row that stands near the top of its sheet, found without looking at the rest."""

    def print_of(self, title: str) -> str:
        """What tells a sheet's bytes from any others; "" for a workbook that has no bytes, because it is open."""

    def tables(self) -> Iterable[TablePart]:
        """All Excel tables, as they are now."""

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Let a table end at a row."""

    def shown_only(self, table: TablePart) -> tuple[int, list[str]] | None:
        """Of a table whose only filter shows some values of one column, and blank cells: the column's number and the
        values. None for any other filter, or none.
        """

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Let the filter of `shown_only` show other values."""

    def calculated(self, table: TablePart) -> dict[int, str]:
        """The formulas (without ``=``) of a table's calculated columns, by column number."""


class Changed(Protocol):
    """A worksheet that is being changed; see `ooxml.book.sheet.Sheet` for what each does and raises."""

    @property
    def title(self) -> str:
        """Its title."""

    def cell(self, row: int, column: int) -> Any | None:
        """A cell as it stands now; None where there is none."""

    def style(self, row: int, column: int) -> int:
        """The number of a cell's style."""

    def width(self, column: int) -> float:
        """A column's width in letters."""

    def occupied(self, area: Area) -> tuple[int, int] | None:
        """The first cell of an area that holds something."""

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell without ``=``; "" for none."""

    def own_formula(self, row: int, column: int) -> str:
        """The text of a cell's own formula, as it is written; "" for none."""

    def put(self, row: int, column: int, value: Value, *, style: int | None = None) -> None:
        """Put a value into a cell, text always as text."""

    def set_formula(self, row: int, column: int, formula: str, style: int) -> None:
        """Put a formula (without ``=``) into a cell."""

    def restyle(self, row: int, column: int, style: int) -> None:
        """Give a cell another style."""

    def move(self, row: int, column: int, to: int, *, formulas: bool = False) -> bool:
        """Move a cell to another row of its column; whether it went."""

    def erase(self, row: int, column: int) -> None:
        """Take a cell away."""

    def height(self, row: int, points: float) -> None:
        """Make a row that high."""

    def hide(self, row: int, hidden: bool) -> None:
        """Hide a row, or show it again."""

    def stretch(self, body: Area, last: int) -> None:
        """Let what covered the last row of a table's body reach a new one."""


class Editor(Protocol):
    """A set of changes to a workbook."""

    @property
    def book(self) -> Source:
        """The workbook."""

    def sheet(self, title: str) -> Changed:
        """A sheet to be changed, opened once."""
