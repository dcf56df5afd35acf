"""A workbook in; its sheets as a person sees and changes them out, saved again: what a hand types, and no more.

It looks like the little of openpyxl that typing takes, which needs ten times as long for it. That what other programs
have written is read is the subject of `tests/books`, and of every test that saves with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import letters_of
from assistant.workbook.ooxml.sheet import Editing

_ADDRESS = re.compile(r"([A-Z]{1,3})(\d+)")


def opened(path: Path) -> Opened:
    """The workbook of a file."""
    return Opened(path.read_bytes())


class Opened:
    """A workbook's sheets; `save` writes what was typed."""

    def __init__(self, data: bytes) -> None:
        self._book = OoxmlBook(data)
        self.editing = Editing(self._book)
        self._sheets: dict[str, Sheet] = {}

    @property
    def sheetnames(self) -> list[str]:
        """The titles, in the order of the tabs."""
        return list(self._book.sheets)

    @property
    def worksheets(self) -> list[Sheet]:
        """The sheets, in the order of the tabs."""
        return [self[title] for title in self.sheetnames]

    def __iter__(self) -> Iterator[Sheet]:
        return iter(self.worksheets)

    def __getitem__(self, title: str) -> Sheet:
        if title not in self._sheets:
            self._sheets[title] = Sheet(title, self._book, self.editing)
        return self._sheets[title]

    def save(self, path: Path) -> None:
        """Write the workbook to a file."""
        self.editing.save()
        path.write_bytes(self._book.package.pack())


class Sheet:
    """What stands on a sheet, with what was typed since."""

    def __init__(self, title: str, book: OoxmlBook, editing: Editing) -> None:
        self.title, self._book, self._editing = title, book, editing
        self._typed: dict[tuple[int, int], Any] = {}

    @cached_property
    def _rows(self) -> dict[int, dict[int, Any]]:
        return self._book.rows(self.title)

    @property
    def max_row(self) -> int:
        """The last row that has cells."""
        return max([*self._rows, *(row for row, _ in self._typed)])

    @cached_property
    def max_column(self) -> int:
        """The last column that has cells."""
        return max(column for cells in self._rows.values() for column in cells)

    def get(self, row: int, column: int) -> Any:
        """What stands in a cell."""
        if (row, column) in self._typed:
            return self._typed[row, column]
        cell = self._rows.get(row, {}).get(column)
        return cell.value if cell is not None else None

    def put(self, row: int, column: int, value: Any) -> None:
        """Type into a cell."""
        sheet = self._editing.sheet(self.title)
        if isinstance(value, str) and value.startswith("="):
            sheet.set_formula(row, column, value[1:], sheet.style(row, column))
        else:
            sheet.put(row, column, value)
        self._typed[row, column] = value

    def cell(self, row: int, column: int, value: Any = None) -> Cell:
        """A cell; `value`: what is typed into it."""
        if value is not None:
            self.put(row, column, value)
        return Cell(self, row, column)

    def iter_rows(self, min_row: int = 1, max_row: int | None = None) -> Iterator[tuple[Cell, ...]]:
        """The cells of each row, from the first column on."""
        for row in range(min_row, (self.max_row if max_row is None else max_row) + 1):
            yield self[row]

    def __getitem__(self, place: str | int) -> Any:
        if isinstance(place, int):
            return tuple(Cell(self, place, column) for column in range(1, self.max_column + 1))
        return Cell(self, *_place(place))

    def __setitem__(self, place: str, value: Any) -> None:
        self.put(*_place(place), value)


class Cell:
    """A place on a sheet."""

    def __init__(self, sheet: Sheet, row: int, column: int) -> None:
        self.sheet, self.row, self.column = sheet, row, column

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.sheet.get(self.row, self.column)

    @value.setter
    def value(self, value: Any) -> None:
        self.sheet.put(self.row, self.column, value)

    @property
    def coordinate(self) -> str:
        """Its address."""
        return f"{self.column_letter}{self.row}"

    @property
    def column_letter(self) -> str:
        """Its column."""
        return letters_of(self.column)

    def offset(self, row: int = 0, column: int = 0) -> Cell:
        """The cell so many rows further down and so many columns further right."""
        return Cell(self.sheet, self.row + row, self.column + column)


def _place(address: str) -> tuple[int, int]:
    found = _ADDRESS.fullmatch(address)
    assert found is not None, address
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]), column


def cell_of(ws: Any, key: str, heading: str) -> Any:
    """The cell of a row by its key and a heading."""
    for row in ws.iter_rows():
        headings = {str(cell.value).strip(): cell.column for cell in row}
        if heading in headings:
            top, column = row[0].row, headings[heading]
            break
    else:
        raise LookupError(heading)
    for row in ws.iter_rows(min_row=top + 1):
        if any(str(cell.value) == key for cell in row):
            return ws.cell(row[0].row, column)
    raise LookupError(key)


def by_hand(book: Path, *changes: tuple[str, str, str, Any]) -> None:
    """Type values into cells: sheet, key, heading, value."""
    file = opened(book)
    for sheet, key, heading, value in changes:
        cell_of(file[sheet], key, heading).value = value
    file.save(book)


def type_answer(book: Path, key: str, text: str) -> None:
    """Type into the Answer cell of a row of Questions."""
    by_hand(book, ("Questions", key, "Answer", text))
