"""A sheet to be changed: cells set, moved and styled in; the sheet's part out, with areas that grew along.

`values` says what was put where: for the proof after saving, and for the formulas that read it.

Nothing is written before `save`; a change that would do harm raises `Unsafe` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells import rows as markup
from assistant.workbook.ooxml.cells.areas import Area, area_of, cell_address, letters_of, moved_formula
from assistant.workbook.ooxml.cells.cells import Cell
from assistant.workbook.ooxml.cells.rows import Row
from assistant.workbook.ooxml.parts import seams
from assistant.workbook.ooxml.parts.faults import Damaged, Unsafe
from assistant.workbook.ooxml.parts.xmltree import Node, Splices, escaped

Value = int | float | str | bool | None
_RISKY = ("=", "+", "-", "@")
_ARRAYS = re.compile(rb"<(?:\w+:)?f\b([^>]*)>")
_AREA = re.compile(rb"""\sref\s*=\s*["']([^"']+)["']""")
_SHARED = re.compile(rb"""<(?:\w+:)?f\b(?=[^>]*\st="shared")[^>]*\ssi="(\d+)"[^>]*?(/?)>""")
_HEIGHT = re.compile(rb"""\s(?:ht|customHeight)\s*=\s*(?:"[^"]*"|'[^']*')""")
_HEIGHT_NOW = re.compile(rb"""\sht\s*=\s*["'](\d+(?:\.\d+)?)["']""")
_HIDDEN = re.compile(rb"""\shidden\s*=\s*(?:"[^"]*"|'[^']*')""")
_SHOWN = re.compile(rb"""\shidden\s*=\s*["'](?:0|false)["']""")
_SPANS = re.compile(rb"""\sspans\s*=\s*(?:"[^"]*"|'[^']*')""")
_ROW_STYLE = re.compile(rb"""(?=.*\scustomFormat=["'](?:1|true)["']).*\ss=["'](\d+)["']""", re.S)
STANDARD_WIDTH = 13


def _array_areas(data: bytes) -> list[Area]:
    """The areas of a sheet's array formulas and data tables."""
    if b"array" not in data and b"dataTable" not in data:
        return []
    return [area_of(found[1].decode()) for attrs in _ARRAYS.findall(data)
            if (b"array" in attrs or b"dataTable" in attrs) and (found := _AREA.search(attrs))]


class Sheet:
    """A worksheet that is being changed. Raises `Damaged` and `Hostile` when it is opened."""

    def __init__(self, book: OoxmlBook, title: str) -> None:
        self._book, self.title, self._part = book, title, book.sheets[title].part
        before, self._prefix, rows, after = book.divided(title)
        self._rows = rows.fresh()
        self._outer, self._root = markup.outer_tree(before, self._prefix, after)
        self._areas: list[tuple[Area, int]] = []
        self._new_tail: dict[str, bytes] = {}
        self.values: dict[tuple[int, int], Value] = {}
        self._seen: dict[int, Mapping[int, Cell]] = {}
        self.lost_formula = False
        self._merges = [area_of(n.get("ref")) for n in self._group("mergeCells", "mergeCell")]
        self._arrays = _array_areas(book.package.text(self._part)) if book.package.parted(self._part) is None else []

    def _group(self, group: str, tag: str) -> list[Node]:
        parent = self._root.child(group)
        return parent.all(tag) if parent else []

    # --- looking ----------------------------------------------------------------------------
    def cell(self, row: int, column: int) -> bytes | None:
        """A cell's element as it stands now; None where there is none."""
        line = self._rows.get(row)
        return line.cells.get(column) if line is not None else None

    def style(self, row: int, column: int) -> int:
        """The number of a cell's style, that of its row or column where there is no cell."""
        cell = self.cell(row, column)
        if cell is not None:
            return markup.style_of(cell)
        line = self._rows.get(row)
        if line is not None and (found := _ROW_STYLE.match(line.tag)):
            return int(found[1])
        return next((n.whole("style") for n in self._group("cols", "col")
                     if n.whole("min") <= column <= n.whole("max")), 0)

    def width(self, column: int) -> float:
        """A column's width in letters."""
        for node in self._group("cols", "col"):
            if node.whole("min") <= column <= node.whole("max") and node.get("width"):
                return float(node.get("width"))
        return STANDARD_WIDTH

    def occupied(self, area: Area) -> tuple[int, int] | None:
        """The first cell of an area that holds something (row, column); None for none."""
        for number in self._rows.between(area.top, area.bottom):
            for column, cell in sorted(self._rows.new(number).cells.items()):
                if area.left <= column <= area.right and not markup.is_blank(cell):
                    return number, column
        return None

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell without ``=``, that of a shared one as it reads there; "" for none."""
        cell = self.cell(row, column)
        if cell is None or not markup.has_formula(cell):
            return ""
        shared = _SHARED.search(cell)
        text = markup.formula_of(cell)
        if text:
            return text
        if shared is None:
            return ""
        mark = b'si="%s"' % shared[1]
        for number in self._rows.holding(mark):
            cell = self.cell(number, column)
            if cell is not None and mark in cell and markup.leads_shared(cell):
                return moved_formula(markup.formula_of(cell), row - number)
        return ""

    def own_formula(self, row: int, column: int) -> str:
        """The text of a cell's own formula, as it is written; "" for none."""
        cell = self.cell(row, column)
        return markup.formula_of(cell) if cell is not None else ""

    # --- cells ------------------------------------------------------------------------------
    def put(self, row: int, column: int, value: Value, *, style: int | None = None) -> None:
        """Put a value into a cell: text always as text, whatever it begins with. `style`: instead of its own.

        Raises `Unsafe` for a cell inside a merged area, an array formula or a data table, for the formula on
        which others lean, and for a number where a date is shown.
        """
        if style is None and self._holds(row, column, value):
            return
        old = self.cell(row, column)
        self._allow(row, column, old)
        look = self.style(row, column) if style is None else style
        if isinstance(value, (int, float)) and not isinstance(value, bool) and look in self._book.styles.dates:
            raise Unsafe("date", self._full(row, column))
        if isinstance(value, str) and value.startswith(_RISKY):
            look = self._book.styles.like(look, quoted=True)
        if old is None and value is None and not look:
            return
        self._place(row, column, markup.written(self._prefix, row, column, value, look, old or b""))
        self.values[row, column] = None if value == "" else value

    def _holds(self, row: int, column: int, value: Value) -> bool:
        """Whether a cell that was not changed yet holds a value already: then its bytes stay as they are."""
        if (row, column) in self.values:
            return False
        known = self._read(row).get(column)
        if known is None:
            return value is None and (cell := self.cell(row, column)) is not None and markup.is_blank(cell)
        return known.data_type in "snb" and type(known.value) is type(value) and known.value == value

    def _held(self, row: int, column: int) -> Value:
        """What a cell held when it was read, as it will be read again."""
        known = self._read(row).get(column)
        return known.value if known is not None else None

    def _read(self, row: int) -> Mapping[int, Cell]:
        """The cells of a row as they were read."""
        if row not in self._seen:
            self._seen[row] = self._book.some_rows(self.title, row, row).get(row, {})
        return self._seen[row]

    def set_formula(self, row: int, column: int, formula: str, style: int, result: float | None = None
                    ) -> None:
        """Put a formula (without ``=``) into a cell. `result`: what it comes to now, for programs that do not reckon.
        Raises as `put`.
        """
        self._allow(row, column, self.cell(row, column))
        self._place(row, column, markup.with_formula(self._prefix, row, column, formula, style, result))
        self.values[row, column] = f"={formula}"

    def restyle(self, row: int, column: int, style: int) -> None:
        """Give a cell another style; its value stays."""
        old = self.cell(row, column)
        new = markup.with_style(old, style) if old is not None else markup.written(
            self._prefix, row, column, None, style)
        if new != old:
            self._place(row, column, new)

    def _allow(self, row: int, column: int, old: bytes | None) -> None:
        for area in self._merges:
            if area.has(row, column) and (row, column) != (area.top, area.left):
                raise Unsafe("merged", self._full(row, column))
        if any(area.has(row, column) for area in self._arrays):
            raise Unsafe("array", self._full(row, column))
        if old is not None and markup.has_formula(old):
            if markup.leads_shared(old):
                raise Unsafe("shared", self._full(row, column))
            self.lost_formula = True

    def _full(self, row: int, column: int) -> str:
        return cell_address(self.title, letters_of(column), row)

    def _row(self, number: int) -> Row:
        row = self._rows.new(number)
        row.changed = True
        return row

    def _place(self, row: int, column: int, cell: bytes | None) -> None:
        line = self._row(row)
        if cell is None:
            line.cells.pop(column, None)
        else:
            if column not in line.cells:
                line.tag = _SPANS.sub(b"", line.tag)
            line.cells[column] = cell

    # --- rows -------------------------------------------------------------------------------
    def move(self, row: int, column: int, to: int, *, formulas: bool = False) -> bool:
        """Move a cell with its look to another row of its column; a formula stays unless told. Whether it went.

        Raises as `put`, for either place.
        """
        cell = self.cell(row, column)
        if cell is not None and markup.has_formula(cell) and not formulas:
            return False
        target = self.cell(to, column)
        if target is not None and markup.has_formula(target) and not formulas:
            return False
        self._allow(row, column, None)
        self._allow(to, column, target)
        held = self.values.get((row, column)) if (row, column) in self.values else self._held(row, column)
        self._place(to, column, markup.placed(cell, to, column) if cell is not None else None)
        self._place(row, column, None)
        self.values[to, column], self.values[row, column] = held, None
        return True

    def erase(self, row: int, column: int) -> None:
        """Take a cell away, with its look. Raises as `put`."""
        cell = self.cell(row, column)
        if cell is not None:
            self._allow(row, column, cell)
            self._place(row, column, None)
            self.values[row, column] = None

    def height(self, row: int, points: float) -> None:
        """Make a row that high."""
        known = self._rows.get(row)
        height = _HEIGHT_NOW.search(known.tag) if known is not None else None
        if height is not None and float(height[1]) == points:
            return
        line = self._row(row)
        tag = _HEIGHT.sub(b"", line.tag)
        end = -2 if tag.endswith(b"/>") else -1
        line.tag = tag[:end] + b' ht="%s" customHeight="1"' % repr(points).encode() + tag[end:]

    def hide(self, row: int, hidden: bool) -> None:
        """Hide a row, or show it again; a row that is not there is in sight."""
        known = self._rows.get(row)
        if known is None or hidden == (_HIDDEN.search(known.tag) is not None and not _SHOWN.search(known.tag)):
            return
        line = self._row(row)
        tag = _HIDDEN.sub(b"", line.tag)
        end = -2 if tag.endswith(b"/>") else -1
        line.tag = tag[:end] + b' hidden="1"' + tag[end:] if hidden else tag

    # --- what reaches over rows --------------------------------------------------------------
    def stretch(self, body: Area, last: int) -> None:
        """Let drop-downs and conditional formats that covered the last row of a table's body reach a new one."""
        self._areas.append((body, last))

    def _stretched(self, text: str) -> str:
        grown = []
        for ref in text.split():
            try:
                area = area_of(ref)
            except Damaged:  # whole columns: they reach everywhere
                grown.append(ref)
                continue
            for body, last in self._areas:
                beside = area.right < body.left or area.left > body.right
                if not beside and area.top <= body.bottom <= area.bottom < last:
                    area = area._replace(bottom=last)
            grown.append(str(area) if area != area_of(ref) else ref)
        return " ".join(grown)

    def _outside(self) -> bytes:
        """The sheet around its rows, with all areas that grew."""
        splices = Splices(self._outer)
        for node in self._root.walk() if self._areas else ():
            if node.tag in ("dataValidation", "conditionalFormatting") and node.get("sqref"):
                grown = self._stretched(node.get("sqref"))
                if grown != node.get("sqref"):
                    splices.attribute(node, "sqref", grown)
            elif node.tag == "sqref" and self._stretched(node.text) != " ".join(node.text.split()):
                splices.replace(node.inner, node.close, escaped(self._stretched(node.text)))
        dimension = self._root.child("dimension")
        if dimension is not None and self.values and dimension.get("ref"):
            area = area_of(dimension.get("ref"))
            rows, columns = [r for r, _ in self.values], [c for _, c in self.values]
            wide = Area(min(area.left, *columns), min(area.top, *rows),
                        max(area.right, *columns), max(area.bottom, *rows))
            if wide != area:
                splices.attribute(dimension, "ref", str(wide))
        return splices.done()

    # --- out --------------------------------------------------------------------------------
    def save(self) -> None:
        """Give the changed part to the package."""
        outside = self._outside()
        rows = self._rows.bytes()
        hole = b"<" + self._prefix + b"sheetData/>"
        at = outside.index(hole)
        name = self._prefix + b"sheetData>"
        head, tail = outside[:at] + b"<" + name, rows + b"</" + name + outside[at + len(hole):]
        ends = self._book.package.parted(self._part) if self._rows.partial else None
        if ends is not None and seams.calculates(rows):  # no longer what may have seams
            self._rows.widen()
            return self.save()
        data = head + tail if ends is None else ends._replace(head=head, tail=tail)
        if data != (self._book.package.text(self._part) if ends is None else ends):
            self._book.package.put(self._part, data)
            self._book.forget(self.title)
        if self.lost_formula:
            self._book.drop_calc_chain()
