"""Rows of an Excel table in an openpyxl sheet: appending below, taking out and closing up."""

from __future__ import annotations

from copy import copy
from typing import Any

from assistant.workbook.grid import letter


def bounds(ref: str) -> tuple[int, int, int, int]:
    """``A4:H90`` -> (1, 4, 8, 90): left, top, right, bottom. Raises ValueError for what is no area."""
    from openpyxl.utils import range_boundaries

    left, top, right, bottom = range_boundaries(ref)
    if left is None or top is None or right is None or bottom is None:
        raise ValueError(f"{ref} is no area of cells")
    return left, top, right, bottom


def table_of(ws: Any, name: str) -> Any:
    """The Excel table of a name on a sheet, or None."""
    return next((t for t in ws.tables.values() if t.displayName.casefold() == name.casefold()), None)


class Appender:
    """Adds rows below the last used one, in the look of the row above, and lets the table grow."""

    def __init__(self, ws: Any, table: str, heading_row: int, last: int, ours: set[int]) -> None:
        """`last`: last used row; `ours`: indexes of the columns that we write."""
        self._ws, self._ours, self.last = ws, ours, last
        self._table = table_of(ws, table)
        if self._table is not None:
            self._left, self._top, self._right, self._bottom = bounds(self._table.ref)
            self._totals = int(self._table.totalsRowCount or 0)
        else:
            self._left, self._right = min(ours), max(ours)
            self._top, self._bottom, self._totals = heading_row, max(last, heading_row), 0
        self._model = max(last, heading_row + 1)
        self._old_bottom = self._bottom
        self._styles: dict[int, Any] | None = None
        self._formulas: dict[int, Any] = {}

    def make_room(self, count: int) -> None:
        """Move what stands below the table (a club's notes, a row of totals) down, where it is in the way."""
        body_end = self._bottom - self._totals
        need = self.last + count - body_end
        if count <= 0 or need <= 0:
            return
        below = [(r, c) for r, c in self._ws._cells if r > body_end and self._left <= c <= self._right
                 and self._ws._cells[r, c].value is not None]
        if below:
            end = max(r for r, _ in below)
            area = f"{letter(self._left)}{body_end + 1}:{letter(self._right)}{end}"
            self._ws.move_range(area, rows=need, translate=True)

    def next_row(self) -> int:
        """The number of a fresh row, styled like the row above; a club's formula column goes on in it."""
        if self._styles is None:
            self._learn()
        assert self._styles is not None
        self.last += 1
        for i, style in self._styles.items():
            cell = self._ws.cell(self.last, i)
            if not cell.has_style:
                cell._style = copy(style)
        for i, formula in self._formulas.items():
            self._ws.cell(self.last, i).value = _translated(formula, self._model, self.last, i)
        self._bottom = max(self._bottom, self.last + self._totals)
        return self.last

    def _learn(self) -> None:
        self._styles = {}
        for i in range(self._left, self._right + 1):
            cell = self._ws._cells.get((self._model, i))
            if cell is not None:
                self._styles[i] = copy(cell._style)
                if cell.data_type == "f" and i not in self._ours and isinstance(cell.value, str):
                    self._formulas[i] = cell.value

    def finish(self) -> None:
        """Let table, filter, drop-downs and conditional formats reach the last row."""
        if self._table is not None and self._bottom != self._old_bottom:
            set_bottom(self._table, self._bottom)
        if self.last > self._old_bottom:
            stretch(self._ws, self._top + 1, self._old_bottom, self.last)


def set_bottom(table: Any, bottom: int) -> None:
    """Let a table end at a row, its filter above a row of totals."""
    left, top, right, _ = bounds(table.ref)
    area = f"{letter(left)}{top}:{letter(right)}"
    table.ref = f"{area}{bottom}"
    if table.autoFilter is not None:
        table.autoFilter.ref = f"{area}{bottom - int(table.totalsRowCount or 0)}"


def stretch(ws: Any, first: int, old_last: int, last: int) -> None:
    """Let drop-downs and conditional formats that covered the old last row reach the new one."""
    from openpyxl.formatting.formatting import ConditionalFormattingList
    from openpyxl.worksheet.cell_range import MultiCellRange

    def longer(area: Any) -> tuple[Any, bool]:
        grown, any_grown = [], False
        for one in area.ranges:
            if one.min_row <= old_last <= one.max_row < last and one.max_row >= first:
                one = copy(one)
                one.expand(down=last - one.max_row)
                any_grown = True
            grown.append(one)
        return MultiCellRange(grown), any_grown

    for validation in ws.data_validations.dataValidation:
        area, changed = longer(validation.sqref)
        if changed:
            validation.sqref = area
    fresh, any_changed = ConditionalFormattingList(), False
    for formatting in ws.conditional_formatting:
        area, changed = longer(formatting.sqref)
        any_changed = any_changed or changed
        for rule in formatting.rules:
            fresh.add(str(area), rule)
    if any_changed:
        ws.conditional_formatting = fresh


def remove_rows(ws: Any, table: str, gone: set[int], last: int, ours: set[int]) -> dict[int, int]:
    """Take rows out of a table and close up, clubs' own columns of the table going with their row.

    Returns old row number -> new one for the rows that moved. The rows freed at the end stay in the
    table as blank ones where it keeps such rows, else the table shrinks (one row always stays).
    """
    if not gone:
        return {}
    found = table_of(ws, table)
    left, top, right, bottom = bounds(found.ref) if found else (min(ours), 0, max(ours), last)
    totals = int(found.totalsRowCount or 0) if found else 0
    end = max(last, bottom)
    moved: dict[int, int] = {}
    shift = 0
    for number in range(min(gone), end + 1):
        if number in gone:
            shift += 1
            for i in range(left, right + 1):
                ws._cells.pop((number, i), None)
            continue
        moved[number] = number - shift
        for i in range(left, right + 1):
            cell = ws._cells.pop((number, i), None)
            if cell is not None:
                if cell.data_type == "f" and isinstance(cell.value, str):
                    cell.value = _translated(cell.value, number, number - shift, i)
                cell.row = number - shift
                ws._cells[number - shift, i] = cell
    if found is not None:
        set_bottom(found, max(bottom - shift, top + 1 + totals))
    return moved


def _translated(formula: str, old_row: int, new_row: int, column: int) -> str:
    from openpyxl.formula.translate import Translator
    translator = Translator(formula, origin=f"{letter(column)}{old_row}")
    return str(translator.translate_formula(f"{letter(column)}{new_row}"))
