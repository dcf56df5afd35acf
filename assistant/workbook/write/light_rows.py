"""Rows of a new sheet: values and the styles of their columns in; the rows' XML out.

openpyxl makes an object of every cell, and a workbook has thousands. What is written here is what it would write,
without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

from assistant.workbook.ooxml.cells.areas import letters_of
from assistant.workbook.ooxml.parts.xmltree import cell_text
from assistant.workbook.write.look import RISKY, fit_row


class LightRows:
    """The rows of one sheet, below those that openpyxl writes."""

    def __init__(self, ws: Any, models: Mapping[int, Any], wrapped: Iterable[int],
                 shut: Mapping[int, int] = MappingProxyType({})) -> None:
        """`models`: column -> a cell of the sheet with its look, which goes; `wrapped`: columns that break lines;
        `shut`: column -> the style of its cells in rows in which nobody types there.
        """
        self._ws, self._wrapped = ws, set(wrapped)
        self._styles = {i: cell.style_id for i, cell in models.items()}
        self._shut = shut
        self._quoted: dict[int, int] = {}
        self._letters = {i: letters_of(i) for i in range(1, ws.max_column + 1)}
        self._rows: list[str] = []
        self.last = 0
        for cell in models.values():
            del ws._cells[cell.row, cell.column]

    def add(self, number: int, values: Mapping[int, Any], *, hidden: bool = False, shut: Collection[int] = ()) -> None:
        """A row. `values`: column -> what stands there, None where only the look does; `hidden`: it is not shown;
        `shut`: columns in which nobody types in this row.
        """
        texts = {i: text for i, text in values.items() if i in self._wrapped and isinstance(text, str)}
        fit_row(self._ws, number, texts)
        height = self._ws.row_dimensions[number].height if number in self._ws.row_dimensions else None
        if height is not None:
            del self._ws.row_dimensions[number]
        high = "" if height is None else f' ht="{height}" customHeight="1"'
        cells = "".join(self._cell(i, number, values[i], self._shut[i] if i in shut else self._styles.get(i, 0))
                        for i in sorted(values))
        folded = ' hidden="1"' if hidden else ""
        self._rows.append(f'<row r="{number}"{folded}{high}>{cells}</row>')
        self.last = number

    def _cell(self, i: int, number: int, value: Any, style: int) -> str:
        place = f"{self._letters[i]}{number}"
        if value is None or value == "":
            return f'<c r="{place}" s="{style}"/>'
        if not isinstance(value, str):
            kind, shown = ("b", int(value)) if isinstance(value, bool) else ("n", value)
            return f'<c r="{place}" s="{style}" t="{kind}"><v>{shown}</v></c>'
        if value.startswith(RISKY):
            style = self._quoted_style(style)
        space = ' xml:space="preserve"' if value != value.strip() else ""
        return f'<c r="{place}" s="{style}" t="inlineStr"><is><t{space}>{cell_text(value).decode()}</t></is></c>'

    def _quoted_style(self, style: int) -> int:
        """A style for a text that looks like a formula."""
        from openpyxl.cell import Cell

        if style not in self._quoted:
            cell: Any = Cell(self._ws, row=1, column=1)
            cell._style = copy(self._ws.parent._cell_styles[style])
            cell.quotePrefix = True
            self._quoted[style] = cell.style_id
        return self._quoted[style]

    def into(self, sheet: bytes) -> bytes:
        """The sheet's XML, as openpyxl wrote it without these rows, with them."""
        before, end, after = sheet.rpartition(b"</sheetData>")
        reach = f"{self._letters[len(self._letters)]}{self.last}".encode()
        head, mark, rest = before.partition(b'<dimension ref="A1:')
        return head + mark + reach + b'"' + rest.partition(b'"')[2] + "".join(self._rows).encode() + end + after
