"""The file adapter of the port: a workbook file in; a campaign out; changes in, the same file with few bytes new out.

What it promises: of the parts that it does not own every byte stays; in our sheets only changed cells,
added rows and rows of removed records differ; clubs' own columns, rows' order and formulas stay; text
never becomes a formula; the same campaign and bytes in give the same bytes out; the file is replaced
whole or not at all. What cannot be written so is refused before anything is touched.

One thing is taken from cells that are not ours: the stored result of a formula that a change made old,
because LibreOffice would go on showing it (see `ooxml.book.stale`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.turn.findings import Finding, Where
from assistant.wording import Wording
from assistant.workbook import codes, maps
from assistant.workbook.book_errors import BookChanged, BookMissing, BookUnsafe
from assistant.workbook.bookwork import HARM, BookWork, why_unread
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.editing import Editing
from assistant.workbook.ooxml.parts.faults import Damaged, Hostile, Unsafe
from assistant.workbook.ooxml.whole_sheets.own_picture import shown_in, wanted_shapes
from assistant.workbook.port import Book, DeskLines, Loader, Memory, OtherText, Page, Reading
from assistant.workbook.read.grid import Notes
from assistant.workbook.safe.locks import refuse_if_locked, refuse_if_read_only
from assistant.workbook.safe.saving import replace_file, sha256
from assistant.workbook.safe.screening import refusal
from assistant.workbook.write.fixed_bytes import paused_collection
from assistant.workbook.write.hindrances import hindrances
from assistant.workbook.write.marks import mark_cells


class FileBook(BookWork):
    """The file adapter of the port: read once, then written or marked as often as needed."""

    live = False

    def __init__(self, path: Path, loader: Loader | None = None, memory: Memory | None = None) -> None:
        super().__init__(path, loader, memory)
        self.pages: Mapping[str, Page] = {}
        self._data = b""
        self._sha = ""
        self._book: OoxmlBook | None = None
        self.shall_show: maps.Shows | None = None
        """What the next writing lets the workbook show of its map; None: what it does."""

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> Reading:
        """The campaign and the findings; a file that is no campaign gives an empty campaign and says why.

        Raises `BookMissing`.
        """
        try:
            self._data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        return self.read_data()

    def read_data(self, data: bytes | None = None) -> Reading:
        """`read` of these bytes, which came without a file; of those that were read where none are given."""
        self._data = self._data if data is None else data
        self._sha = sha256(self._data)
        notes = Notes("en")
        bad: tuple[str, dict[str, Any]] | None = refusal(self._data)
        if bad is None:
            try:
                with paused_collection():
                    self._book = OoxmlBook(self._data)
                    if self._book.signed:
                        notes.add(codes.SIGNED, Where(), "", {"file": self.path.name}, severity="warning")
                    reading = self.read_from(self._book, notes, self._sha)
                    for sheet in reading.untouched:
                        self._book.trust(self.grids[sheet].title)
                    return reading
            except (Damaged, Hostile) as no:
                bad = why_unread(no)
        self._book = None
        notes.add(bad[0], Where(), "", {"file": self.path.name, **bad[1]})
        return self.unread(notes, "", self._sha)

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs between two states, and the Desk's lines; all or nothing.

        `before`: the state that `read` gave. Raises `BookLocked`, `BookChanged`, `BookUnsafe`.
        """
        with self._changing() as editing:  # the map first: the Desk says which names found no room there
            unplaced = self._redraw(editing.book, after) if self.draws and self.shall_show is None else ()
            self.change(editing, before, after, wording, maps.with_no_room(desk_lines, unplaced, after, wording)
                        if unplaced else desk_lines)
            editing.save()
            if self.shall_show is not None and self.ruleset is not None:
                self.asides = list(maps.show(editing.book, self.ruleset, after, self.shall_show))
                self.shall_show = None
        self.pages = self._pages(editing, after)

    def draw(self, campaign: Campaign, *, shapes: bool = False) -> int:
        """Give the workbook a sheet with the map, or renew it; with `shapes` colour the club's own instead, from now
        on. Returns how many shapes there are. Raises as `write`.
        """
        assert self.ruleset is not None
        with self._changing() as editing:
            if shapes:
                return maps.colour_shapes(editing.book, self.ruleset, campaign)
            self.asides = list(maps.put_map(editing.book, self.ruleset, campaign).findings)
        return 0

    def to_show(self, wanted: maps.Shows) -> list[Finding]:
        """Let the next `write` show of the map what is wanted; what will stay otherwise. Raises `Damaged`, `Hostile`.
        """
        self._need_read()
        assert self._book is not None
        self.shall_show = wanted
        return maps.cannot_show(self._book, wanted)

    def _redraw(self, book: OoxmlBook, campaign: Campaign) -> Sequence[str]:
        """Let the map that the workbook shows be that of a campaign; the places whose names found no room there.

        What else is to be said of it stands in `asides` then.
        """
        assert self.ruleset is not None
        self.asides = []
        if wanted_shapes(book):
            maps.renew_shapes(book, self.ruleset, campaign)
        if shown_in(book) is None:
            return ()
        made = maps.renew_map(book, self.ruleset, campaign)
        self.asides = list(made.findings)
        return made.unplaced

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells, as they were read, that do not say what their row says; `write` puts them right."""
        return self.other_texts_in(self._book, campaign, wording) if self._book is not None else []

    def hindrances(self) -> list[Finding]:
        """What stands in the sheets, as they were read, that will keep `write` from writing."""
        return hindrances(self._book, self.grids, self.got.cells) if self._book is not None else []

    def mark(self, findings: Iterable[Finding], wording: Wording) -> list[str]:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`.

        Returns nothing: in a file a protected sheet can be marked, too.
        """
        with self._changing() as editing:
            mark_cells(editing, findings, wording)
        return []

    @contextmanager
    def _changing(self) -> Iterator[Editing]:
        """The workbook to be changed, which then takes the file's place; or the refusal, and nothing was changed."""
        refuse_if_locked(self.path)
        refuse_if_read_only(self.path.resolve())
        self._need_read()
        if self._book is None:
            raise ValueError(f"{self.path.name} cannot be changed: it could not be read")
        editing, self._book = Editing(self._book), None
        try:
            with paused_collection():
                yield editing
            editing.book.package.check_all()
            data = editing.book.package.pack()
        except Unsafe as no:
            raise BookUnsafe(self.path, str(no), HARM[no.reason], no.cell) from no
        except (Damaged, Hostile) as no:
            raise BookUnsafe(self.path, str(no), codes.DAMAGED, part=no.detail) from no
        if data != self._data:
            replace_file(self.path, data, self._sha, verify=editing.prove, check=False)  # `prove` looks at all
        elif not self.path.is_file() or sha256(self.path.read_bytes()) != self._sha:
            raise BookChanged(self.path, f"{self.path.name} was saved by somebody after it was read")
        self._data, self._sha = data, sha256(data)

    def _pages(self, editing: Editing, after: Campaign) -> dict[str, Page]:
        """How the sheets were left, those of which it can be told in one order of rows."""
        pages: dict[str, Page] = {}
        if editing.after is None:
            return pages
        for sheet, grid in self.grids.items():
            if sheet in self.off:  # the next look shall say so again
                continue
            places = self.got.cells.rows[sheet]
            keys = after.by_sheet(sheet).keys_in_file_order()
            numbers = tuple(places[key] for key in keys if key in places)
            if len(numbers) == len(keys) and list(numbers) == sorted(set(numbers)):
                pages[sheet] = Page(editing.after.print_of(grid.title), numbers)
        return pages

    def _need_read(self) -> None:
        """Read the file again after a write; who holds the first reading sees where rows stand now."""
        if self._book is not None:
            return
        known, shown = self._sha, self.got.cells
        self.read()
        if known and known != self._sha:
            raise BookChanged(self.path, f"{self.path.name} was saved by somebody in between")
        vars(shown).update(vars(self.got.cells))
        self.got.cells = shown


def reading_of(name: str, data: bytes, loader: Loader | None = None) -> Reading:
    """What a workbook says that came as bytes. `name`: of its file, for messages."""
    return FileBook(Path(name), loader).read_data(data)


def shows_map(data: bytes) -> bool:
    """Whether a workbook's file has our map on a sheet; False for what is no workbook."""
    return what_shows(data).sheet


def what_shows(data: bytes) -> maps.Shows:
    """What a workbook's file shows of its map; nothing for what is no workbook."""
    try:
        return maps.shows_of(OoxmlBook(data))
    except (Damaged, Hostile):
        return maps.Shows(False, False)


def open_book(path: Path, loader: Loader | None = None, memory: Memory | None = None) -> Book:
    """The book of a path. `loader`: finds a ruleset by id (the installed ones by default); `memory`: of its sheets."""
    return FileBook(path, loader, memory)
