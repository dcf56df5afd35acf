"""A workbook file that exists, read and changed through openpyxl.

What it promises: only changed cells, added rows and rows of removed records differ; clubs' own columns,
rows' order, sheets and formulas stay; text never becomes a formula; the same campaign and bytes in give
the same bytes out; the file is replaced whole or not at all.

What openpyxl cannot keep when it saves: drawn shapes, text boxes, form controls, slicers, sparklines,
extended conditional formats, threaded comments, sizes of notes, cached results of formulas. Formulas
elsewhere that point at rows which move up when a record is removed are not rewritten.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import BASE, Desk
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset, installed, load
from assistant.workbook import codes
from assistant.workbook.grid import Grid, Notes
from assistant.workbook.package import (
    paused_collection,
    refusal,
    refuse_if_locked,
    replace_file,
    sha256,
    unaided,
    workbook_bytes,
)
from assistant.workbook.port import BookChanged, BookMissing, Cells, DeskLines, Loader, Reading
from assistant.workbook.reading import Gathered, gather
from assistant.workbook.sheets import Finder, desk_raw, read_desk, record_grids

if TYPE_CHECKING:
    from assistant.wording import Wording


class FileBook:
    """The file adapter of the port: read once, then written or marked as often as needed."""

    def __init__(self, path: Path, loader: Loader | None = None) -> None:
        self.path = path
        self._load = loader or load
        self._book: Any = None
        self._written: Any = None
        self._sha = ""
        self._grids: dict[str, Grid] = {}
        self._got = Gathered(Campaign(BASE), Cells())
        self._ruleset: Ruleset | None = None

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> Reading:
        """The campaign and the findings; a file that is no campaign gives an empty campaign and says why.

        Raises `BookMissing`.
        """
        try:
            data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        self._sha = sha256(data)
        with paused_collection():
            return self._read(data)

    def _read(self, data: bytes) -> Reading:
        notes = Notes("en")
        bad = refusal(data)
        if bad is None:
            self._book, bad = load_book(data)
        if bad is not None:
            notes.add(bad[0], _nowhere(), "", {"file": self.path.name, **bad[1]})
            return self._unread(notes, "")
        finder = Finder(self._book)
        raw = desk_raw(finder)
        ruleset_id = raw.get("ruleset", "")
        notes.lang = raw.get("language", "en")
        if not finder.knows_any(BASE):
            notes.add(codes.EMPTY, _nowhere(), "", {"file": self.path.name})
            return self._unread(notes, "")
        try:
            ruleset = self._load(ruleset_id)
        except KeyError:
            names = {"seen": ruleset_id, "list": ", ".join(installed())}
            notes.add(codes.NO_RULESET, _nowhere(Desk.sheet, "ruleset"), "", names)
            return self._unread(notes, ruleset_id)
        return self._gathered(finder, ruleset, notes)

    def _gathered(self, finder: Finder, ruleset: Ruleset, notes: Notes) -> Reading:
        found = read_desk(finder, ruleset.record(Desk.sheet), notes)
        desk, places, title = found if found else (ruleset.record(Desk.sheet)(), {}, Desk.sheet)
        self._grids = record_grids(finder, ruleset, notes)
        self._got = gather(ruleset, desk, self._grids, notes)
        self._ruleset = ruleset
        cells = self._got.cells
        cells.titles[Desk.sheet], cells.desk = title, places
        reading = Reading(self._got.campaign, [], ruleset.id, self._sha, cells, ruleset)
        reading.findings = reading.placed(notes.findings)
        return reading

    def _unread(self, notes: Notes, ruleset_id: str) -> Reading:
        return Reading(Campaign(BASE), notes.findings, ruleset_id, self._sha)

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs between two states, and the Desk's lines; all or nothing.

        `before`: the state that `read` gave. Raises `BookLocked`, `BookChanged`, `BookUnsafe`.
        """
        from assistant.workbook.changing import Changing

        refuse_if_locked(self.path)
        self._need_read()
        assert self._ruleset is not None
        self._realign(before)
        changing = Changing(self.path, self._book, self._ruleset, self._grids, self._got.cells, after, wording)
        changing.fill(self._got.filled, before)
        changing.apply(before)
        changing.desk(desk_lines)
        self._save()

    def mark(self, findings: Iterable[Finding], wording: Wording) -> None:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`."""
        from assistant.workbook.marks import mark_cells

        refuse_if_locked(self.path)
        self._need_read()
        mark_cells(self._book, findings, wording)
        self._save()

    def _realign(self, before: Campaign) -> None:
        """Let the keys of rows that have equal keys (``a``, ``a#2``) be those of `before`.

        A campaign that went through several writes keeps its keys when one of them is removed; the
        sheet, read again, counts afresh. The order of rows is the same in both.
        """
        for sheet, known in self._got.cells.rows.items():
            table = before.by_sheet(sheet)
            keys = [key for key, _ in table.in_file_order()]
            if not table.record.unique and list(known) != keys and len(known) == len(keys):
                self._got.cells.rows[sheet] = dict(zip(keys, sorted(known.values()), strict=True))

    def _need_read(self) -> None:
        if self._written is not None and self._ruleset is not None:
            self._book, self._written = self._written, None
            shown = self._got.cells
            self._gathered(Finder(self._book), self._ruleset, Notes("en"))
            vars(shown).update(vars(self._got.cells))  # who holds the first reading sees where rows stand now
            self._got.cells = shown
        if self._book is None:
            written = self._sha
            self.read()
            if written and written != self._sha:
                raise BookChanged(self.path, f"{self.path.name} was saved by somebody in between")
        if self._book is None:
            raise ValueError(f"{self.path.name} cannot be changed: it could not be read")

    def _save(self) -> None:
        book, self._book = self._book, None
        data = workbook_bytes(book)
        replace_file(self.path, data, self._sha)
        self._sha = sha256(data)
        # of macros and pictures openpyxl closes what a second save needs: those workbooks are read again
        if not book.vba_archive and not any(ws._images for ws in book.worksheets):
            for ws in book.worksheets:
                ws.column_dimensions.max_outline = None  # set by a save, and would be written by the next
            self._written = book


def load_book(data: bytes) -> tuple[Any, tuple[str, dict[str, Any]] | None]:
    """The openpyxl workbook of a file's bytes, or the code and data of the finding that it is unreadable."""
    import warnings
    import zipfile

    with unaided():
        import openpyxl

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        macros = "xl/vbaProject.bin" in archive.namelist()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about parts that openpyxl leaves out; the docstring lists them
            book = openpyxl.load_workbook(io.BytesIO(data), keep_vba=macros)
    except Exception as no:  # openpyxl raises a dozen classes for damaged files: all mean the same to a club
        return None, (codes.NO_WORKBOOK, {"reason": type(no).__name__})
    if not book.worksheets:
        return None, (codes.EMPTY, {})
    return book, None


def _nowhere(table: str = "", name: str = "") -> Any:
    from assistant.turn.findings import Where

    return Where(table, "", name)
