"""What the desk sees of a workbook: a campaign with findings, and changes back onto cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import LazyRows, Record
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Area, Rows, cell_address

# What readers and writers see of a workbook, as protocols: the same for a file and for one open in a program.
#
# The file's side is `OoxmlBook` with `Editing` (`ooxml.book`), the open workbook's side is `live.source` with
# `live.editing`. Rows, columns and numbers of styles count as in the file's.


Value = int | float | str | bool | None


class Styles(Protocol):
    """Styles of cells, by number."""

    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style like another, but with this font, fill or border (an element of SpreadsheetML)."""


class Source(Protocol):
    """A workbook to be read."""

    @property
    def sheets(self) -> Collection[str]:
        """The titles of the worksheets, in the order of their tabs."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the whole workbook -> what they stand for (``'Desk'!$B$6``)."""

    @property
    def styles(self) -> Styles:
        """The cells' styles."""

    def rows(self, title: str) -> Rows:
        """The cells of a sheet, by row and column number."""

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet."""

    def row_near_top(self, title: str, number: int) -> Rows:
        """A row that stands near the top of its sheet, found without looking at the rest."""

    def print_of(self, title: str) -> str:
        """What tells a sheet's bytes from any others; "" for a workbook that has no bytes, because it is open."""

    def tables(self) -> Iterable[TablePart]:
        """All Excel tables, as they are now."""

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Let a table end at a row."""

    def shown_only(self, table: TablePart) -> tuple[int, list[str]] | None:
        """Of a table whose only filter shows some values of one column, and blank cells: the column's number and the
        values. None for any other filter, or none.
        """

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Let the filter of `shown_only` show other values."""

    def calculated(self, table: TablePart) -> dict[int, str]:
        """The formulas (without ``=``) of a table's calculated columns, by column number."""


class Changed(Protocol):
    """A worksheet that is being changed; see `ooxml.book.sheet.Sheet` for what each does and raises."""

    @property
    def title(self) -> str:
        """Its title."""

    def cell(self, row: int, column: int) -> Any | None:
        """A cell as it stands now; None where there is none."""

    def style(self, row: int, column: int) -> int:
        """The number of a cell's style."""

    def width(self, column: int) -> float:
        """A column's width in letters."""

    def occupied(self, area: Area) -> tuple[int, int] | None:
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
        """Make a row that high."""

    def hide(self, row: int, hidden: bool) -> None:
        """Hide a row, or show it again."""

    def stretch(self, body: Area, last: int) -> None:
        """Let what covered the last row of a table's body reach a new one."""


class Editor(Protocol):
    """A set of changes to a workbook."""

    @property
    def book(self) -> Source:
        """The workbook."""

    def sheet(self, title: str) -> Changed:
        """A sheet to be changed, opened once."""


# The port.
#
# `Book` is what the desk uses, `Reading` what it gets. What can go wrong with a file stands in `book_errors`.


Loader = Callable[[str], Ruleset]


class DeskLines(NamedTuple):
    """The words on the Desk sheet, ready in the campaign's language.

    `where`: turn and phase in one line; `awaited`: (faction's code or ``referee``, what is awaited);
    `next_steps`: what to do now, in order; `outcome`: what the last command did.
    """

    where: str = ""
    awaited: tuple[tuple[str, str], ...] = ()
    next_steps: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()


@dataclass
class Cells:
    """Where things stand: by English sheet name the title, field -> column letter, row key -> row number.

    `doubled`: rows whose key stands above them already, which the campaign does not have, with their numbers.
    """

    titles: dict[str, str] = field(default_factory=dict)
    letters: dict[str, dict[str, str]] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    headings: dict[str, int] = field(default_factory=dict)
    desk: dict[str, tuple[str, int]] = field(default_factory=dict)
    doubled: dict[str, list[tuple[int, Record]]] = field(default_factory=dict)

    def of(self, where: Where) -> str:
        """The address of a place, as near as it is known: cell, row, heading, sheet, or ""."""
        if where.table not in self.titles:
            return ""
        title = self.titles[where.table]
        if where.table == "Desk" and where.field in self.desk:
            return cell_address(title, *self.desk[where.field])
        letters = self.letters.get(where.table, {})
        letter = letters.get(where.field) or next(iter(letters.values()), "A")
        row = self.rows.get(where.table, {}).get(where.row) or self.headings.get(where.table, 1)
        return cell_address(title, letter, row)


class Page(NamedTuple):
    """How a sheet was left by a writing. `print`: what tells its bytes from any others; `numbers`: the rows (of
    the sheet) in which the records stand, in their order.
    """

    print: str
    numbers: tuple[int, ...]


@dataclass
class Known:
    """The records of a sheet that nobody has touched since it was written: no row of it needs to be looked at.

    `numbers`: the rows (of the sheet) in which they stand; `parts`: the records in this order, some asleep.
    """

    numbers: Sequence[int]
    parts: list[LazyRows[Any] | Sequence[Record]]

    def fits(self) -> bool:
        """Whether there is a row of the sheet for each record."""
        return len(self.numbers) == sum(map(_size, self.parts))

    def awake(self) -> list[tuple[int, Any]]:
        """Row number and record, of those that are not asleep."""
        found: list[tuple[int, Any]] = []
        at = 0
        for part in self.parts:
            if not isinstance(part, LazyRows):
                found += zip(self.numbers[at:at + len(part)], part, strict=True)
            at += _size(part)
        return found

    def wake(self) -> list[tuple[int, Any]]:
        """Row number and record of all, none asleep any more."""
        self.parts = [part.load() if isinstance(part, LazyRows) else part for part in self.parts]
        return self.awake()


def _size(part: LazyRows[Any] | Sequence[Record]) -> int:
    return len(part.keys) if isinstance(part, LazyRows) else len(part)


class Memory(Protocol):
    """What is still known of sheets that nobody has touched since they were written."""

    codes: str
    """`gathering.codes_print` of the campaign as it was written; "" where references have to be looked at anew."""

    def known(self, prints: Mapping[type[Record], str]) -> Mapping[str, Known]:
        """By English sheet name the records of those sheets whose bytes are those that were written, with their row
        numbers. `prints`: what tells the bytes of each sheet from any others.
        """


@dataclass
class Reading:
    """A campaign as read, with what was seen on the way.

    `sha256`: of the file's bytes; `cells`: where each record stands; `ruleset`: None when the file does
    not name an installed one (a finding says so);
    `untouched`: sheets whose records come from memory, because their bytes are those that were written;
    `club`, `token`, `rows_sent`: of a club's copy whose it says that it is, its code, and which orders stood in it when
    it was written (`copies.rows_sent`);
    `where`: where the campaign stands, as the Desk says it in words ("" for nothing there);
    `blank`: whether nothing stands in a cell of which the record has its column's default.
    """

    campaign: Campaign
    findings: list[Finding]
    ruleset_id: str
    sha256: str
    cells: Cells = field(default_factory=Cells)
    ruleset: Ruleset | None = None
    untouched: frozenset[str] = frozenset()
    where: str = ""
    club: str = ""
    token: str = ""
    rows_sent: str = ""
    blank: Callable[[Where], bool] = field(default=lambda where: False, repr=False)

    def placed(self, findings: Iterable[Finding], campaign: Campaign | None = None) -> list[Finding]:
        """Findings of a ruleset with their cells filled in. `campaign`: the state they are about, if a later one."""
        state = campaign or self.campaign
        return [f if f.cell else replace(f, cell=self.cells.of(_as_typed(f.where, state)))
                for f in findings]


def _as_typed(where: Where, campaign: Campaign) -> Where:
    """Where a finding about an order is to be put right: an order in words has nothing in its other columns."""
    if where.table != Order.sheet or where.table not in campaign.tables():
        return where
    order = campaign.table(Order).get(where.row)
    if order is None or order.verb or not order.text or getattr(order, where.field, None) not in ("", None, ()):
        return where
    return Where(where.table, where.row, "text")


class OtherText(NamedTuple):
    """A worded cell that does not say what its row says. `row`: the row's key; `cell`: its address; `outdated`: it says
    what it said before somebody changed the row.
    """

    sheet: str
    row: str
    cell: str
    seen: str
    wanted: str
    outdated: bool = False


class Book(Protocol):
    """A workbook that exists. `live`: it is open in a program, where its unsaved edits count; else it is a file."""

    path: Path
    live: bool
    asides: list[Finding]
    """What the last writing has to say of the workbook's map."""
    draws: bool
    """Whether a writing draws the map anew that the workbook shows."""

    @property
    def pages(self) -> Mapping[str, Page]:
        """How the last writing left the sheets, by English sheet name; empty where that cannot be told."""

    def read(self) -> Reading:
        """The campaign and the findings. Raises `BookMissing`."""

    def offer(self, columns: Mapping[str, Sequence[str]]) -> bool:
        """Let the next `write` give sheets those of these columns (sheet -> fields) that were declared later than the
        workbook was made, though nothing stands there yet; whether any is lacking. A club's own table gets none.
        """

    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs, all or nothing. Raises `BookLocked`, `BookChanged`, `BookUnsafe`."""

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells, as they were read, that do not say what their row says; `write` puts them right."""

    def hindrances(self) -> list[Finding]:
        """What stands in the sheets, as they were read, that will keep `write` from writing."""

    def mark(self, findings: Iterable[Finding], wording: Wording) -> list[str]:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`.

        Returns the sheets that could not be marked, because the program that shows them lets nobody do so.
        """
