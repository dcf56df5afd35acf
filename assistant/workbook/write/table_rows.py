"""Rows of an Excel table: how many to add, or which to take out, in; their numbers out, and the table fitted."""

from __future__ import annotations

from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import Area, cell_address, letters_of, moved_formula, reaching_formula
from assistant.workbook.ooxml.parts.faults import Unsafe
from assistant.workbook.surface import Changed, Source


def table_of(book: Source, title: str, name: str) -> TablePart | None:
    """The Excel table of a name on a sheet, or None."""
    return next((t for t in book.tables() if t.sheet == title and t.name.casefold() == name.casefold()), None)


class Appender:
    """Adds rows below the last used one, in the look of the row above, and lets the table grow."""

    def __init__(self, book: Source, sheet: Changed, table: str, heading_row: int, last: int, ours: set[int],
                 block: frozenset[int] = frozenset()) -> None:
        """`last`: last used row; `ours`: numbers of the columns that we write; `block`: those of a club's table."""
        self._book, self._sheet, self._ours, self.last = book, sheet, ours, last
        self._table = table_of(book, sheet.title, table)
        if self._table is not None:
            self._area, self._totals = self._table.area, self._table.totals
        else:
            self._area = Area(min(ours), heading_row, max(ours), max(last, heading_row))
            self._totals = 0
        self._columns = columns_of(self._area, ours, block)
        self._spans = [Area(i, 1, i, 1) for i in self._columns] if block else [self._area]
        self._guarded = self._table is not None or bool(block)
        self._model = max(last, heading_row + 1)
        self._bottom = self._area.bottom
        self._styles: dict[int, int] | None = None
        self._formulas: dict[int, str] = {}

    def make_room(self, count: int) -> None:
        """Let the table reach far enough for so many more rows, its totals going down.

        Raises `Unsafe` where something stands in the way below it.
        """
        body_end = self._area.bottom - self._totals
        need = self.last + count - body_end
        if count <= 0 or need <= 0:
            return
        first, end = max(self._area.bottom, self.last) + 1, self._area.bottom + need
        for area in self._spans if self._guarded else ():
            if (found := self._sheet.occupied(area._replace(top=first, bottom=end))) is not None:
                raise Unsafe("below", cell_address(self._sheet.title, letters_of(found[1]), found[0]))
        for row in range(self._area.bottom, body_end, -1) if self._totals else ():
            for column in range(self._area.left, self._area.right + 1):
                _move_total(self._sheet, row, column, row + need, body_end, body_end + need)
        self._bottom = self._area.bottom + need

    def next_row(self) -> int:
        """The number of a fresh row, styled like the row above; a club's formula column goes on in it."""
        if self._styles is None:
            self._learn()
        assert self._styles is not None
        self.last += 1
        for column, style in self._styles.items():
            if self._sheet.cell(self.last, column) is None and style:
                self._sheet.restyle(self.last, column, style)
        for column, formula in self._formulas.items():
            self._sheet.set_formula(self.last, column, moved_formula(formula, self.last - self._model),
                                    self._sheet.style(self.last, column))
        return self.last

    def _learn(self) -> None:
        self._styles = {}
        own = self._book.calculated(self._table) if self._table is not None else {}
        for column in self._columns:
            if self._sheet.cell(self._model, column) is not None:
                self._styles[column] = self._sheet.style(self._model, column)
            if column not in self._ours:
                formula = self._sheet.formula(self._model, column)
                if formula or column in own:
                    self._formulas[column] = formula or own[column]

    def finish(self) -> None:
        """Let table, filter, drop-downs and conditional formats reach the last row."""
        if self._table is not None and self._bottom != self._area.bottom:
            self._book.set_bottom(self._table, self._bottom)
        if self.last > self._area.bottom - self._totals:
            body = self._area._replace(top=self._area.top + 1, bottom=self._area.bottom - self._totals)
            self._sheet.stretch(body, self.last)


def _move_total(sheet: Changed, row: int, column: int, to: int, old_last: int, last: int) -> None:
    """Move a cell of a totals row; areas in its formula that ended at the old last row reach the new one."""
    if sheet.cell(row, column) is None:
        return
    formula = sheet.own_formula(row, column)
    sheet.move(row, column, to, formulas=True)
    further = reaching_formula(formula, old_last, last)
    if formula and (further != formula or "[" in formula):
        sheet.set_formula(to, column, further, sheet.style(to, column))


def columns_of(area: Area, ours: set[int], block: frozenset[int]) -> list[int]:
    """The columns that go with the rows of a table: all of an Excel table, or a club's own and ours beside them."""
    whole = set(range(area.left, area.right + 1))
    return sorted(whole if not block else ours | block)


def remove_rows(book: Source, sheet: Changed, table: str, gone: set[int], last: int, ours: set[int],
                block: frozenset[int] = frozenset()) -> dict[int, int]:
    """Take rows out of a table and close up, clubs' own columns of the table going with their row.

    Returns old row number -> new one for the rows that moved. A club's formulas stay where they are: they
    read what stands beside them. The table ends higher up by as many rows (one row always stays).
    """
    if not gone:
        return {}
    found = table_of(book, sheet.title, table)
    area = found.area if found else Area(min(ours), 1, max(ours), last)
    totals = found.totals if found else 0
    body_end = max(last, area.bottom - totals)
    columns = columns_of(area, ours, block)
    moved: dict[int, int] = {}
    to = min(gone)
    for number in range(min(gone), body_end + 1):
        if number in gone:
            continue
        moved[number] = to
        for column in columns:
            sheet.move(number, column, to)
        to += 1
    bottom = max(area.bottom - (body_end + 1 - to), area.top + 1 + totals) if found else area.bottom
    for number in range(to, body_end + 1):
        for column in columns:
            if found is not None and number > bottom - totals:
                sheet.erase(number, column)
            elif found is not None or column in ours:
                sheet.put(number, column, None)
    if found is not None and bottom < area.bottom:
        for row in range(area.bottom - totals + 1, area.bottom + 1):
            for column in range(area.left, area.right + 1):
                _move_total(sheet, row, column, row - area.bottom + bottom, body_end, bottom - totals)
        book.set_bottom(found, bottom)
    return moved
