"""What the desk sees of a workbook, and what the host, the program that has one open, shows of it and takes."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import LazyRows, Record
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Area, Cell, Rows, Value, area_of, cell_address, letters_of, place_of
from assistant.workbook.save import Around

# What readers and writers see of a workbook.
#
# The protocols are the same for a file (`OoxmlBook` with `Editing`) and for a workbook open in a program
# (`LiveSource` with `LiveEditing`). Rows, columns and style numbers count as in the file.


class CellStyles(Protocol):
    """Styles of cells, by number."""

    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style like another, but with this font, fill or border (an element of SpreadsheetML)."""


class WorkbookSource(Protocol):
    """A workbook to be read."""

    @property
    def sheets(self) -> Collection[str]:
        """The titles of the worksheets, in the order of their tabs."""

    @property
    def names(self) -> Mapping[str, str]:
        """The workbook-wide names and their definitions (``'Desk'!$B$6``)."""

    @property
    def styles(self) -> CellStyles:
        """The cells' styles."""

    def rows(self, title: str) -> Rows:
        """The cells of a sheet, by row and column number."""

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet."""

    def row_near_top(self, title: str, number: int) -> Rows:
        """A row near the top of its sheet, found without reading the rest."""

    def print_of(self, title: str) -> str:
        """A fingerprint of a sheet's bytes; "" for an open workbook, which has none."""

    def tables(self, title: str = "") -> Iterable[TablePart]:
        """All Excel tables, or those of a sheet, as they are now."""

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Set a table's last row."""

    def only_filter(self, table: TablePart) -> tuple[int, list[str]] | None:
        """The column number and values of a table's only filter, if that shows some values of one column, and blank
        cells.

        None for any other filter, or no filter.
        """

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Set the values of such a filter."""

    def calculated_columns(self, table: TablePart) -> dict[int, str]:
        """The formulas (without ``=``) of a table's calculated columns, by column number."""


class EditableSheet(Protocol):
    """A worksheet that is being changed; see `ooxml.sheet.OoxmlSheet` for what each method does and raises."""

    @property
    def title(self) -> str:
        """Its title."""

    def cell(self, row: int, column: int) -> Any | None:
        """A cell as it is now; None if there is none."""

    def style(self, row: int, column: int) -> int:
        """The number of a cell's style."""

    def width(self, column: int) -> float:
        """A column's width in characters."""

    def first_occupied(self, area: Area) -> tuple[int, int] | None:
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
        """Set the height of a row."""

    def hide(self, row: int, hidden: bool) -> None:
        """Hide a row, or show it again."""

    def stretch(self, body: Area, last: int) -> None:
        """Extend what covered the last row of a table's body to a new last row."""


class Editor(Protocol):
    """A set of changes to a workbook."""

    @property
    def book(self) -> WorkbookSource:
        """The workbook."""

    def sheet(self, title: str) -> EditableSheet:
        """A sheet to be changed, opened once."""


# The port.
# #
# `Book` is what the desk uses, `WorkbookReading` what it gets. `screening` has the errors of files.


Loader = Callable[[str], Ruleset]


class ListedChange(NamedTuple):
    """A change by hand as the sheet of changes lists it, and what the referee has written beside it."""

    sheet: str
    row: str
    column: str
    old: str
    new: str
    decision: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What stands in its row, without the decision; by this a row is known again."""
        return self[:-1]


class DeskLines(NamedTuple):
    """The texts on the Desk sheet, in the campaign's language.

    `where`: turn and phase in one line; `awaited`: (codes of factions or ``referee``, for what), a line a cause;
    `next_steps`: what to do now, in order; `outcome`: what the last command did; `wrong`: what is to be put right;
    `changes`: the undecided changes by hand, which have a sheet of their own; None leaves that as it is.
    """

    where: str = ""
    awaited: tuple[tuple[str, str], ...] = ()
    next_steps: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    changes: tuple[ListedChange, ...] | None = None


@dataclass(eq=False, repr=False)
class CellMap:
    """Positions on the sheets: by English sheet name the title, field -> column letter, row key -> row number.

    `doubled`: rows whose key already occurs above them, which the campaign does not have, with their numbers.
    """

    titles: dict[str, str] = field(default_factory=dict)
    letters: dict[str, dict[str, str]] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    headings: dict[str, int] = field(default_factory=dict)
    desk: dict[str, tuple[str, int]] = field(default_factory=dict)
    doubled: dict[str, list[tuple[int, Record]]] = field(default_factory=dict)

    def of(self, where: Where) -> str:
        """The address of a place, as precisely as known: cell, row, heading, sheet, or ""."""
        if where.table not in self.titles:
            return ""
        title = self.titles[where.table]
        if where.table == "Desk" and where.field in self.desk:
            return cell_address(title, *self.desk[where.field])
        letters = self.letters.get(where.table, {})
        letter = letters.get(where.field) or next(iter(letters.values()), "A")
        row = self.rows.get(where.table, {}).get(where.row) or self.headings.get(where.table, 1)
        return cell_address(title, letter, row)


class WrittenSheet(NamedTuple):
    """How a write left a sheet. `print`: a fingerprint of its bytes; `numbers`: the rows of its records, in their
    order.
    """

    print: str
    numbers: tuple[int, ...]


@dataclass
class UntouchedRows:
    """The records of a sheet that nobody has changed since it was written: none of its rows has to be read.

    `numbers`: their rows on the sheet; `parts`: the records in this order, some of them not yet loaded.
    """

    numbers: Sequence[int]
    parts: list[LazyRows[Any] | Sequence[Record]]

    def fits(self) -> bool:
        """Whether there is a row of the sheet for every record."""
        return len(self.numbers) == sum(map(_size, self.parts))

    def awake(self) -> list[tuple[int, Any]]:
        """Row number and record of those that are loaded."""
        loaded: list[tuple[int, Any]] = []
        at = 0
        for part in self.parts:
            if not isinstance(part, LazyRows):
                loaded += zip(self.numbers[at:at + len(part)], part, strict=True)
            at += _size(part)
        return loaded

    def wake(self) -> list[tuple[int, Any]]:
        """Row number and record of all; loads the rest."""
        self.parts = [part.load() if isinstance(part, LazyRows) else part for part in self.parts]
        return self.awake()


def _size(part: LazyRows[Any] | Sequence[Record]) -> int:
    return len(part.keys) if isinstance(part, LazyRows) else len(part)


class SheetMemory(Protocol):
    """What is still known of sheets that nobody has changed since they were written."""

    codes: str
    """The `codes_fingerprint` of the campaign as written; "" if references have to be checked again."""

    def known_rows(self, prints: Mapping[type[Record], str]) -> Mapping[str, UntouchedRows]:
        """The records, by English sheet name, of those sheets whose bytes are still as written, with their row numbers.

        `prints`: a fingerprint of each sheet's bytes.
        """


@dataclass(eq=False, repr=False)
class WorkbookReading:
    """A campaign as read, with what was noticed on the way.

    `sha256`: of the file's bytes; `cells`: the position of each record; `ruleset`: None if the file does not name an
    installed one (a finding says so);
    `untouched`: sheets whose records come from memory, because their bytes are as they were written;
    `club`, `token`, `rows_sent`: of a club's copy: whose it is, its code, and which orders it held when it was written
    (`club_copy.RowsSent`);
    `where`: turn and phase as the Desk words them ("" if nothing is there);
    `blank`: whether the cell of a field that has its default is blank;
    `changes_sheet`: the title of the sheet that lists changes by hand, "" without one; `decided`: what stands there.
    """

    campaign: Campaign
    findings: list[Finding]
    sha256: str
    cells: CellMap = field(default_factory=CellMap)
    ruleset: Ruleset | None = None
    untouched: frozenset[str] = frozenset()
    where: str = ""
    club: str = ""
    token: str = ""
    rows_sent: str = ""
    blank: Callable[[Where], bool] = field(default=lambda where: False, repr=False)
    changes_sheet: str = ""
    decided: tuple[ListedChange, ...] = ()

    def with_cells(self, findings: Iterable[Finding], campaign: Campaign | None = None) -> list[Finding]:
        """Findings of a ruleset with their cells filled in. `campaign`: the state they are about, if it is a later one.
        """
        state = campaign or self.campaign
        return [f if f.cell else f._replace(cell=self.cells.of(_where_typed(f.where, state)))
                for f in findings]


def _where_typed(where: Where, campaign: Campaign) -> Where:
    """Where to correct a finding about an order: an order in words has nothing in its other columns."""
    if where.table != Order.sheet or where.table not in campaign.tables():
        return where
    order = campaign.table(Order).get(where.row)
    if order is None or order.verb or not order.text or getattr(order, where.field, None) not in ("", None, ()):
        return where
    return Where(where.table, where.row, "text")


class MismatchedText(NamedTuple):
    """A worded cell whose text does not match its row. `row`: the row's key; `cell`: its address; `outdated`: it
    matches what the row said before somebody changed it.
    """

    sheet: str
    row: str
    cell: str
    seen: str
    wanted: str
    outdated: bool = False


class Book(Protocol):
    """A workbook. `live`: it is open in a program, and its unsaved edits count; otherwise it is a file."""

    path: Path
    live: bool
    asides: list[Finding]
    """Findings about the workbook's map from the last write."""
    around: Around
    """What is done around the moment at which a change is made; of an open workbook the new bytes are b""."""
    draws: bool
    """Whether a write redraws the map that the workbook shows."""

    @property
    def pages(self) -> Mapping[str, WrittenSheet]:
        """How the last write left the sheets, by English sheet name; empty if that cannot be told."""

    def read(self) -> WorkbookReading:
        """The campaign and the findings. Raises `BookMissing`."""

    def offer(self, columns: Mapping[str, Sequence[str]]) -> bool:
        """Let the next `write` add those of these columns (sheet -> fields) that were declared after the workbook was
        made, even if they are empty; returns whether any is missing. A club's own table gets none.
        """

    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write the differences, all or nothing. Raises `BookLocked`, `BookChanged`, `BookUnsafe`."""

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[MismatchedText]:
        """The worded cells, as they were read, whose text does not match their row; `write` corrects them."""

    def hindrances(self) -> list[Finding]:
        """Findings for what will keep `write` from writing, in the sheets as they were read."""

    def mark(self, findings: Iterable[Finding], wording: Wording,
             changes: Sequence[ListedChange] | None = None) -> list[str]:
        """Colour the cells of the findings and note there what to do; earlier marks go. Raises as `write`.

        `changes`: the undecided changes by hand, to be listed on their sheet; None leaves the list as it is.

        Returns the sheets that could not be marked, because the program that shows them does not allow it.
        """


# The host, which is the program that has a workbook open.
#
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
