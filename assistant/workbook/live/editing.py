"""Changes to the open workbook: what the writers ask for in; one set of changes for the host out."""

from __future__ import annotations

import datetime as dt

from assistant.workbook.live.host import Changes, Shown, cell_of
from assistant.workbook.live.source import LiveSource
from assistant.workbook.ooxml.cells.areas import Area, cell_address, letters_of
from assistant.workbook.ooxml.cells.cells import Cell
from assistant.workbook.ooxml.parts.faults import Unsafe
from assistant.workbook.surface import Value

BLANK = Cell(None, "n")


class LiveEditing:
    """Changes to the sheets of the open workbook. Nothing reaches the host before `changes` is given to it."""

    def __init__(self, book: LiveSource) -> None:
        self.book = book
        self.gathered = Changes()
        self._sheets: dict[str, LiveSheet] = {}
        self._areas = {(t.sheet, t.name): t.area for t in book.tables()}

    def sheet(self, title: str) -> LiveSheet:
        """A sheet to be changed, opened once. Raises KeyError."""
        if title not in self.book.sheets:
            raise KeyError(title)
        if title not in self._sheets:
            self._sheets[title] = LiveSheet(self.book, self.gathered, title)
        return self._sheets[title]

    def changes(self) -> Changes:
        """All that was gathered, with the tables that end elsewhere now."""
        for t in self.book.tables():
            if self._areas.get((t.sheet, t.name)) != t.area:
                self.gathered.tables[t.name] = (t.sheet, str(t.area))
        return self.gathered


class LiveSheet:
    """A sheet of the open workbook that is being changed; what its methods do stands in `surface.Changed`."""

    def __init__(self, book: LiveSource, gathered: Changes, title: str) -> None:
        self._book, self._gathered, self.title = book, gathered, title
        self._rows = book.rows(title)

    # --- looking ----------------------------------------------------------------------------
    def cell(self, row: int, column: int) -> Cell | None:
        """A cell as it stands now; None for a blank one outside of all tables, which has no look of its own."""
        found = self._held(row, column)
        return BLANK if found is None and self._book.in_table(self.title, row, column) else found

    def _held(self, row: int, column: int) -> Cell | None:
        return self._rows.get(row, {}).get(column)

    def style(self, row: int, column: int) -> int:
        """As in that row."""
        return -row

    def width(self, column: int) -> float:
        """A column's width in letters; of one that is not known so much that nothing is made high."""
        return self._book.host.width(self.title, column) or 1000

    def occupied(self, area: Area) -> tuple[int, int] | None:
        """The first cell of an area that holds something (row, column); None for none."""
        for row in range(area.top, area.bottom + 1):
            for column in sorted(self._rows.get(row, {})):
                if area.left <= column <= area.right:
                    return row, column
        return None

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell without ``=``; "" for none."""
        cell = self._held(row, column)
        return str(cell.value)[1:] if cell is not None and cell.data_type == "f" else ""

    own_formula = formula

    # --- changing ---------------------------------------------------------------------------
    def put(self, row: int, column: int, value: Value, *, style: int | None = None) -> None:
        """Put a value into a cell. Raises `Unsafe` for a number where a date is shown."""
        if style is not None and style > 0:
            self._gathered.looks[self.title, row, column] = self._book.styles.look(style)
        self._put(row, column, None if value == "" else value)

    def _put(self, row: int, column: int, value: Shown) -> None:
        old, new = self._held(row, column), cell_of(value)
        key = (self.title, row, column)
        if new == old and key not in self._gathered.cells:
            return
        if new is not None and new.data_type == "n" and old is not None and old.data_type == "d":
            raise Unsafe("date", cell_address(self.title, letters_of(column), row))
        self._gathered.formulas.pop(key, None)
        self._gathered.cells[key] = value
        self._book.take(self.title, row, column, new)

    def set_formula(self, row: int, column: int, formula: str, style: int) -> None:
        """Put a formula (without ``=``) into a cell."""
        key = (self.title, row, column)
        self._gathered.cells.pop(key, None)
        self._gathered.formulas[key] = f"={formula}"
        self._book.take(self.title, row, column, Cell(f"={formula}", "f"))

    def restyle(self, row: int, column: int, style: int) -> None:
        """Give a cell another look; one as in another row is copied from there, with its rules."""
        if style > 0:
            self._gathered.looks[self.title, row, column] = self._book.styles.look(style)
        elif style < 0 and -style != row:
            self._gathered.copies.setdefault((self.title, -style, column), []).append(row)
            self._gathered.cells.setdefault((self.title, row, column), None)

    def move(self, row: int, column: int, to: int, *, formulas: bool = False) -> bool:
        """Move what a cell holds to another row of its column; a formula stays unless told. Whether it went."""
        cell, target = self._held(row, column), self._held(to, column)
        if not formulas and any(one is not None and one.data_type == "f" for one in (cell, target)):
            return False
        if cell is not None and cell.data_type == "f":
            self.set_formula(to, column, str(cell.value)[1:], -to)
        else:
            value = cell.value if cell is not None else None
            self._put(to, column, value if isinstance(value, (int, float, str, bool, dt.datetime)) else None)
        self._put(row, column, None)
        return True

    def erase(self, row: int, column: int) -> None:
        """Take away what a cell holds."""
        self._put(row, column, None)

    def height(self, row: int, points: float) -> None:
        """Make a row that high."""
        if self._book.host.paints:
            self._gathered.heights[self.title, row] = points

    def hide(self, row: int, hidden: bool) -> None:
        """Nothing: in the open workbook filters are left to whoever looks at it."""

    def stretch(self, body: Area, last: int) -> None:
        """Nothing: a row that is copied brings its drop-downs and colours along."""
