"""What the desk sees of a workbook: a campaign with findings, and changes back to cells."""

from __future__ import annotations

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
from assistant.workbook.ooxml.cells import Area, Rows, Value, cell_address
from assistant.workbook.save import Around

# What readers and writers see of a workbook.
# #
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
