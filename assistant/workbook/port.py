"""What the rest of the house sees of a workbook: the port, its values, and what can go wrong with a file.

Everything about the user's data is a `Finding` with its cell; only faults of file or machine are raised::

    BookError
      BookMissing    there is no such file
      BookLocked     Excel or LibreOffice has the file open (`user`: who, as far as the lock file says)
      BookClaimed    another Arbitro is changing it (`user`, `machine`, `doing`)
      BookHeld       another program keeps the file from being replaced (`content`: what it would hold now)
      BookChanged    somebody saved the file after it was read
      BookUnsafe     the change cannot be written without harm (`reason`)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Order
from assistant.campaign.table import Asleep
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset

if TYPE_CHECKING:
    from assistant.wording import Wording

Loader = Callable[[str], Ruleset]


class BookError(Exception):
    """A fault of the file or the machine; see the tree at the top of this module."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


class BookMissing(BookError):
    """There is no such file."""


class BookLocked(BookError):
    """Another program has the file open. `user` may be empty; `lock`: the name of the file that says so."""

    def __init__(self, path: Path, user: str, lock: str = "") -> None:
        super().__init__(path, f"{path.name} is open" + (f" at {user}'s" if user else "") + ": close it first")
        self.user = user
        self.lock = lock


class BookClaimed(BookError):
    """Another Arbitro is changing the file; nothing was written.

    `user`, `machine`: whose; `doing`: its command, may be empty; `claim`: the name of the file that says so.
    """

    def __init__(self, path: Path, user: str, machine: str, doing: str, claim: str) -> None:
        super().__init__(path, f"{user} on {machine} is changing {path.name} just now")
        self.user, self.machine, self.doing, self.claim = user, machine, doing, claim


class BookHeld(BookError):
    """Another program keeps the file from being replaced; nothing was written. `content`: what it would hold."""

    def __init__(self, path: Path, content: bytes) -> None:
        super().__init__(path, f"{path.name} cannot be replaced: is it open or read-only?")
        self.content = content


class BookChanged(BookError):
    """Somebody saved the file after it was read; nothing was written."""


class BookUnsafe(BookError):
    """The change cannot be written without harm; nothing was written.

    `code`: the finding that says why and what to do ("" for a reason in words); `cell`: where; `data`: its parameters.
    """

    def __init__(self, path: Path, text: str, code: str = "", cell: str = "", **data: Any) -> None:
        super().__init__(path, text)
        self.code, self.cell, self.data = code, cell, data


@dataclass(frozen=True)
class DeskLines:
    """The words on the Desk sheet, ready in the campaign's language.

    `where`: turn and phase in one line; `awaited`: (faction's code or ``referee``, what is awaited);
    `next_steps`: what to do now, in order; `outcome`: what the last command did.
    """

    where: str = ""
    awaited: tuple[tuple[str, str], ...] = ()
    next_steps: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()


def cell_address(title: str, letter: str, row: int) -> str:
    """``Armies!D7``; a title that is no plain word stands in quotes, as Excel writes it."""
    shown = title if re.fullmatch(r"[^\W\d]\w*(\.csv)?", title) else "'" + title.replace("'", "''") + "'"
    return f"{shown}!{letter}{row}"


def split_address(address: str) -> tuple[str, str]:
    """The title and the place of ``Armies!D7``: `cell_address` the other way round."""
    title, _, place = address.rpartition("!")
    return (title[1:-1].replace("''", "'") if title.startswith("'") else title), place


@dataclass
class Cells:
    """Where things stand: by English sheet name the title, field -> column letter, row key -> row number."""

    titles: dict[str, str] = field(default_factory=dict)
    letters: dict[str, dict[str, str]] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    headings: dict[str, int] = field(default_factory=dict)
    desk: dict[str, tuple[str, int]] = field(default_factory=dict)

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


@dataclass(frozen=True)
class Page:
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
    parts: list[Asleep[Any] | Sequence[Record]]

    def fits(self) -> bool:
        """Whether there is a row of the sheet for each record."""
        return len(self.numbers) == sum(map(_size, self.parts))

    def awake(self) -> list[tuple[int, Any]]:
        """Row number and record, of those that are not asleep."""
        found: list[tuple[int, Any]] = []
        at = 0
        for part in self.parts:
            if not isinstance(part, Asleep):
                found += zip(self.numbers[at:at + len(part)], part, strict=True)
            at += _size(part)
        return found

    def wake(self) -> list[tuple[int, Any]]:
        """Row number and record of all, none asleep any more."""
        self.parts = [part.load() if isinstance(part, Asleep) else part for part in self.parts]
        return self.awake()


def _size(part: Asleep[Any] | Sequence[Record]) -> int:
    return len(part.keys) if isinstance(part, Asleep) else len(part)


class Memory(Protocol):
    """What is still known of sheets that nobody has touched since they were written."""

    codes: str
    """`reading.codes_print` of the campaign as it was written; "" where references have to be looked at anew."""

    def rows(self, record: type[Record], print: str) -> Known | None:
        """The records of a sheet with their row numbers, if its bytes are those that were written; else None."""


@dataclass
class Reading:
    """A campaign as read, with what was seen on the way.

    `sha256`: of the file's bytes; `cells`: where each record stands; `ruleset`: None when the file does
    not name an installed one (a finding says so);
    `untouched`: sheets whose records come from memory, because their bytes are those that were written;
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
    blank: Callable[[Where], bool] = field(default=lambda where: False, repr=False)

    def placed(self, findings: Iterable[Finding], campaign: Campaign | None = None) -> list[Finding]:
        """Findings of a ruleset with their cells filled in. `campaign`: the state they are about, if a later one."""
        import dataclasses

        state = campaign or self.campaign
        return [f if f.cell else dataclasses.replace(f, cell=self.cells.of(_as_typed(f.where, state)))
                for f in findings]


def _as_typed(where: Where, campaign: Campaign) -> Where:
    """Where a finding about an order is to be put right: an order in words has nothing in its other columns."""
    if where.table != Order.sheet or where.table not in campaign.tables():
        return where
    order = campaign.table(Order).get(where.row)
    if order is None or order.verb or not order.text or getattr(order, where.field, None) not in ("", None, ()):
        return where
    return Where(where.table, where.row, "text")


@dataclass(frozen=True)
class OtherText:
    """A worded cell that does not say what its row says. `row`: the row's key; `cell`: its address."""

    sheet: str
    row: str
    cell: str
    seen: str
    wanted: str


class Book(Protocol):
    """A workbook that exists. `live`: it is open in a program, where its unsaved edits count; else it is a file."""

    path: Path
    live: bool

    @property
    def pages(self) -> Mapping[str, Page]:
        """How the last writing left the sheets, by English sheet name; empty where that cannot be told."""

    def read(self) -> Reading:
        """The campaign and the findings. Raises `BookMissing`."""

    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs, all or nothing. Raises `BookLocked`, `BookChanged`, `BookUnsafe`."""

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells, as they were read, that do not say what their row says; `write` puts them right."""

    def mark(self, findings: Iterable[Finding], wording: Wording) -> list[str]:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`.

        Returns the sheets that could not be marked, because the program that shows them lets nobody do so.
        """


def open_book(path: Path, loader: Loader | None = None, memory: Memory | None = None) -> Book:
    """The book of a path. `loader`: finds a ruleset by id (the installed ones by default); `memory`: of its sheets."""
    from assistant.workbook.file_book import FileBook

    return FileBook(path, loader, memory)
