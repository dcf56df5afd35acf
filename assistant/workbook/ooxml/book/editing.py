"""A set of changes: a workbook in; its sheets to be changed out, and the proof that the new bytes say so."""

from __future__ import annotations

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.sheet import Sheet, Value
from assistant.workbook.ooxml.book.stale import refresh
from assistant.workbook.ooxml.cells.areas import letters_of
from assistant.workbook.ooxml.parts.faults import Fault


class Editing:
    """Changes to the sheets of a workbook. Nothing reaches the package before `save`.

    `after`: the changed workbook, opened again, once it was proved.
    """

    def __init__(self, book: OoxmlBook) -> None:
        self.book = book
        self.after: OoxmlBook | None = None
        self._sheets: dict[str, Sheet] = {}

    def sheet(self, title: str) -> Sheet:
        """A sheet to be changed, opened once. Raises KeyError, `Damaged`, `Hostile`."""
        if title not in self._sheets:
            self._sheets[title] = Sheet(self.book, title)
        return self._sheets[title]

    def save(self) -> None:
        """Give the changed sheets to the package, and see to the formulas whose results they made old."""
        for sheet in self._sheets.values():
            sheet.save()
        refresh(self.book, {title: set(sheet.values) for title, sheet in self._sheets.items() if sheet.values})

    def prove(self, data: bytes) -> None:
        """Read the bytes of the changed workbook again: every part must be whole, every value that was put be there.

        Raises ValueError, which says where something is not.
        """
        try:
            self.after = again = OoxmlBook(data)
            again.package.check_against(self.book.package)
            for title, sheet in self._sheets.items():
                _prove(again, title, sheet.values)
        except Fault as no:
            raise ValueError(no.detail) from no


def _prove(book: OoxmlBook, title: str, values: dict[tuple[int, int], Value]) -> None:
    rows = book.single_rows(title, sorted({row for row, _ in values}))
    for (row, column), wanted in values.items():
        cell = rows.get(row, {}).get(column)
        found = cell.value if cell is not None else None
        if found != wanted or (isinstance(wanted, str) and cell is not None and cell.data_type not in ("s", "f")):
            raise ValueError(f"{title}!{letters_of(column)}{row}")
