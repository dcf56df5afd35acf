"""The host, which is the program that has a workbook open: what it shows, and which changes it takes."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Cell, Rows, area_of, letters_of, place_of

# Everything is read first, then decided, then written in as few calls as possible. A host refuses a whole set of
# changes with `HostRefused` before making the first one; `HostFailed` is a technical failure, and the host has undone
# whatever it had written by then.


CellValue = int | float | str | bool | dt.datetime | None
"""A cell's value as a host gives and takes it; text is always text."""
ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA")


PLAIN_FONT, TEXT_FONT = "Courier New", "Calibri"
"""The letters of an added sheet: all of one width, so that lines that form a table stay one, or those of our sheets."""


class HostRefused(Exception):
    """The host cannot write this without harm; nothing was changed.

    `reason`: ``merged``, ``array``, ``protected``, ``date`` or ``below``; `cell`: its address.
    """

    def __init__(self, reason: str, cell: str = "") -> None:
        super().__init__(f"{reason} {cell}".strip())
        self.reason, self.cell = reason, cell


class HostFailed(Exception):
    """The program did not do what it was asked; what had been written was undone.

    `code`: the finding that says why, "" if only the program's own words are known.
    """

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class HostNote(NamedTuple):
    """A note on a cell. `ref`: its address on the sheet (``D5``); `author` may be unknown."""

    ref: str
    author: str
    text: str


@dataclass(frozen=True)
class CellLook:
    """Colours of a cell as ``RRGGBB``; "" removes a fill, None leaves it as it is."""

    fill: str | None = None
    ink: str | None = None
    bold: bool | None = None


class AddedSheet(NamedTuple):
    """A sheet to be added, whose texts wrap. `widths`: of its columns, in characters; `font`: of its letters."""

    widths: tuple[float, ...]
    font: str = TEXT_FONT


@dataclass
class HostChanges:
    """The changes to the open workbook, in this order.

    `sheets`: title -> sheets to be added at the end; `names`: name -> (sheet, area), of the whole workbook, to be
    added; `copies`: (sheet, model row, column) -> rows to which the cell's formatting and rules are copied; `cells`:
    (sheet, row, column) -> value, None for blank; `formulas`: the same, with ``=``; `tables`: name -> (sheet, area);
    `looks`; `heights`: (sheet, row) -> points; `notes`: (sheet, ref) -> text, "" removes the note.
    """

    sheets: dict[str, AddedSheet] = field(default_factory=dict)
    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    copies: dict[tuple[str, int, int], list[int]] = field(default_factory=dict)
    cells: dict[tuple[str, int, int], CellValue] = field(default_factory=dict)
    formulas: dict[tuple[str, int, int], str] = field(default_factory=dict)
    tables: dict[str, tuple[str, str]] = field(default_factory=dict)
    looks: dict[tuple[str, int, int], CellLook] = field(default_factory=dict)
    heights: dict[tuple[str, int], float] = field(default_factory=dict)
    notes: dict[tuple[str, str], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(vars(self).values())

    def firsts(self) -> dict[str, str]:
        """The sheets to be changed, and the first changed cell of each."""
        at: dict[str, tuple[int, int]] = {}
        places = [*self.cells, *self.formulas, *self.looks, *((s, r, 1) for s, r in self.heights),
                  *((s, *place_of(ref)) for s, ref in self.notes),
                  *((s, row, column) for (s, _, column), rows in self.copies.items() for row in rows),
                  *((s, area_of(area).top, area_of(area).left) for s, area in self.tables.values())]
        for sheet, row, column in places:
            at[sheet] = min(at.get(sheet, (row, column)), (row, column))
        return {sheet: cell_ref(row, column) for sheet, (row, column) in at.items()}

    def without(self, sheet: str) -> HostChanges:
        """The same without a sheet's formatting and notes."""
        kept = {key: look for key, look in self.looks.items() if key[0] != sheet}
        return dataclasses.replace(self, looks=kept, notes={k: v for k, v in self.notes.items() if k[0] != sheet})

    def blocks(self) -> list[ValueBlock]:
        """The cells as rectangles, as large as possible."""
        return blocks_of(self.cells)

    def format_copies(self) -> list[FormatCopy]:
        """The copies, as ranges of columns onto ranges of rows."""
        spans: dict[tuple[str, int, int, int], list[int]] = {}
        for (sheet, model, column), rows in self.copies.items():
            for first, last in group_runs(rows):
                spans.setdefault((sheet, model, first, last), []).append(column)
        return [FormatCopy(sheet, model, (first, last), run)
                for (sheet, model, first, last), columns in spans.items() for run in group_runs(columns)]

    def as_json(self) -> dict[str, Any]:
        """Plain values that a program in another language can read."""
        return {
            "sheets": [{"sheet": title, "widths": list(added.widths), "font": added.font}
                       for title, added in self.sheets.items()],
            "names": [{"name": name, "sheet": sheet, "area": area} for name, (sheet, area) in self.names.items()],
            "copies": [{"sheet": c.sheet, "from": c.model, "to": list(c.rows), "columns": list(c.columns)}
                       for c in self.format_copies()],
            "blocks": [{"sheet": b.sheet, "row": b.row, "column": b.column,
                        "values": [[to_json_value(v) for v in row] for row in b.values]} for b in self.blocks()],
            "formulas": [{"sheet": s, "row": r, "column": c, "formula": text}
                         for (s, r, c), text in self.formulas.items()],
            "tables": [{"name": name, "sheet": sheet, "area": area} for name, (sheet, area) in self.tables.items()],
            "looks": [{"sheet": s, "row": r, "column": c, "fill": look.fill, "ink": look.ink, "bold": look.bold}
                      for (s, r, c), look in self.looks.items()],
            "heights": [{"sheet": s, "row": r, "points": points} for (s, r), points in self.heights.items()],
            "notes": [{"sheet": s, "cell": ref, "text": text} for (s, ref), text in self.notes.items()],
        }


class ValueBlock(NamedTuple):
    """A rectangle of values with its upper left corner."""

    sheet: str
    row: int
    column: int
    values: list[list[CellValue]]


class FormatCopy(NamedTuple):
    """A part of a model row that is copied onto rows (first, last); `columns`: (first, last)."""

    sheet: str
    model: int
    rows: tuple[int, int]
    columns: tuple[int, int]


class Host(Protocol):
    """A program that has the workbook open."""

    name: str
    """The workbook's file name."""
    path: str
    """Its full path; "" where it lies in no folder of this machine."""
    paints: bool
    """Whether it can colour cells, set heights and write notes."""
    language: str
    """The language of its windows; "" where it is not known."""

    def titles(self) -> Sequence[str]:
        """The worksheets, in the order of their tabs."""

    def names(self) -> Mapping[str, str]:
        """The workbook-wide names -> their definitions, without ``=``."""

    def tables(self) -> Iterable[TablePart]:
        """All tables."""

    def rows(self, title: str) -> Rows:
        """The non-blank cells of a sheet as they are now, unsaved or not."""

    def width(self, title: str, column: int) -> float:
        """A column's width in characters; 0 if not known."""

    def remarks(self, title: str) -> Sequence[HostNote]:
        """The notes of a sheet."""

    def merged_areas(self, title: str) -> Sequence[str]:
        """The merged areas of a sheet, such as ``B5:C5``."""

    def fills(self, cells: Mapping[str, Sequence[str]]) -> Mapping[str, Mapping[str, str]]:
        """The fills of some cells: sheet -> address -> ``RRGGBB``, "" for none."""

    def apply(self, changes: HostChanges) -> None:
        """Make all changes. Raises `HostRefused`, `HostFailed`."""

    def say(self, line: str) -> None:
        """Show what is going on."""

    def save(self) -> None:
        """Save the workbook. Raises `HostFailed`."""


# --- values ------------------------------------------------------------------------------------
def cell_of(value: Any, formula: str = "") -> Cell | None:
    """A cell as the readers know it; None for a blank one. `formula`: with ``=``."""
    if formula:
        return Cell(formula, "f")
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return Cell(value, "b")
    if isinstance(value, (dt.datetime, dt.date)):
        return Cell(value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day), "d")
    if isinstance(value, str):
        return Cell(value, "e" if value in ERRORS else "s")
    number = float(value)
    # an int of a number near the limit of floats would be hundreds of digits long
    return Cell(int(number) if number.is_integer() and abs(number) < 1e300 else number, "n")


def to_json_value(value: CellValue) -> Any:
    """A value as JSON can hold it."""
    return {"d": value.isoformat()} if isinstance(value, dt.datetime) else value


def from_json_value(value: Any) -> Any:
    """The reverse; an error's value is its text."""
    if isinstance(value, dict):
        return dt.datetime.fromisoformat(value["d"]) if "d" in value else str(value["e"])
    return value


def rows_of(values: Sequence[Sequence[Any]], top: int, left: int, formulas: Mapping[str, str]) -> Rows:
    """The cells of a sheet from its used area. `formulas`: address -> text with ``=``."""
    rows: Rows = {}
    for number, line in enumerate(values, top):
        cells = {column: cell for column, value in enumerate(line, left) if (cell := cell_of(value)) is not None}
        if cells:
            rows[number] = cells
    for ref, text in formulas.items():
        area = area_of(ref)
        rows.setdefault(area.top, {})[area.left] = Cell(text, "f")
    return {number: dict(sorted(rows[number].items())) for number in sorted(rows)}


# --- shapes ------------------------------------------------------------------------------------
def group_runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as ranges (first, last)."""
    runs: list[tuple[int, int]] = []
    for n in sorted(numbers):
        if runs and runs[-1][1] == n - 1:
            runs[-1] = (runs[-1][0], n)
        else:
            runs.append((n, n))
    return runs


def blocks_of(cells: Mapping[tuple[str, int, int], CellValue]) -> list[ValueBlock]:
    """Cells as rectangles: ranges of columns, joined over consecutive rows."""
    by_row: dict[tuple[str, int], list[int]] = {}
    for sheet, row, column in cells:
        by_row.setdefault((sheet, row), []).append(column)
    blocks: list[ValueBlock] = []
    open_blocks: dict[tuple[str, int, int], ValueBlock] = {}
    for sheet, row in sorted(by_row):
        for first, last in group_runs(by_row[sheet, row]):
            line: list[CellValue] = [cells[sheet, row, column] for column in range(first, last + 1)]
            block = open_blocks.get((sheet, first, last))
            if block is not None and block.row + len(block.values) == row:
                block.values.append(line)
                continue
            block = ValueBlock(sheet, row, first, [line])
            open_blocks[sheet, first, last] = block
            blocks.append(block)
    return blocks


def cell_ref(row: int, column: int) -> str:
    """The address of a cell on its sheet."""
    return f"{letters_of(column)}{row}"
