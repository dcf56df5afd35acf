"""A workbook file that exists, read sparsely and changed surgically.

What it promises: of the parts that it does not own every byte stays; in our sheets only changed cells,
added rows and rows of removed records differ; clubs' own columns, rows' order and formulas stay; text
never becomes a formula; the same campaign and bytes in give the same bytes out; the file is replaced
whole or not at all. What cannot be written so is refused before anything is touched.

One thing is taken from cells that are not ours: the stored result of a formula that a change made old,
because LibreOffice would go on showing it (see `ooxml.stale`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import BASE, Desk
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset, installed, load
from assistant.workbook import codes
from assistant.workbook.grid import Grid, Notes
from assistant.workbook.locks import refuse_if_locked
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.editing import Editing
from assistant.workbook.ooxml.faults import Damaged, Hostile, Unsafe
from assistant.workbook.package import paused_collection
from assistant.workbook.port import (
    BookChanged,
    BookMissing,
    BookUnsafe,
    Cells,
    DeskLines,
    Loader,
    Memory,
    OtherText,
    Page,
    Reading,
)
from assistant.workbook.reading import Gathered, gather
from assistant.workbook.saving import replace_file, sha256
from assistant.workbook.screening import refusal
from assistant.workbook.sheets import Finder, desk_raw, read_desk, record_grids, where_line
from assistant.workbook.values import plain_text

if TYPE_CHECKING:
    from assistant.wording import Wording

HARM = {"merged": codes.IN_MERGED, "array": codes.IN_ARRAY, "shared": codes.SHARED_FORMULA, "date": codes.DATE_CELL,
         "below": codes.BELOW_TABLE, "protected": codes.PROTECTED, "title": codes.TITLE_TAKEN,
        "name": codes.TITLE_TAKEN, "strict": codes.STRICT}
"""Reasons of `ooxml.faults.Unsafe` -> the finding that says what to do."""


class FileBook:
    """The file adapter of the port: read once, then written or marked as often as needed."""

    def __init__(self, path: Path, loader: Loader | None = None, memory: Memory | None = None) -> None:
        self.path = path
        self.pages: Mapping[str, Page] = {}
        self._memory = memory
        self._load = loader or load
        self._data = b""
        self._sha = ""
        self._book: OoxmlBook | None = None
        self._grids: dict[str, Grid] = {}
        self._got = Gathered(Campaign(BASE), Cells())
        self._ruleset: Ruleset | None = None

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> Reading:
        """The campaign and the findings; a file that is no campaign gives an empty campaign and says why.

        Raises `BookMissing`.
        """
        try:
            self._data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        self._sha = sha256(self._data)
        notes = Notes("en")
        bad: tuple[str, dict[str, Any]] | None = refusal(self._data)
        if bad is None:
            try:
                with paused_collection():
                    return self._read(notes)
            except Damaged as no:
                whole = no.detail in ("zip", "workbook")
                bad = (codes.NO_WORKBOOK, {"reason": no.detail}) if whole else (codes.DAMAGED, {"part": no.detail})
            except Hostile:
                bad = codes.UNSAFE, {"size": "", "parts": ""}
        self._book = None
        notes.add(bad[0], Where(), "", {"file": self.path.name, **bad[1]})
        return self._unread(notes, "")

    def _read(self, notes: Notes) -> Reading:
        self._book = OoxmlBook(self._data)
        finder = Finder(self._book, self._memory)
        raw = desk_raw(finder)
        ruleset_id = raw.get("ruleset", "")
        notes.lang = raw.get("language", "en")
        if not finder.knows_any(BASE):
            notes.add(codes.EMPTY, Where(), "", {"file": self.path.name})
            return self._unread(notes, "")
        try:
            ruleset = self._load(ruleset_id)
        except KeyError:
            names = {"seen": ruleset_id, "list": ", ".join(installed())}
            notes.add(codes.NO_RULESET, Where(Desk.sheet, "", "ruleset"), "", names)
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
        untouched = frozenset(sheet for sheet, grid in self._grids.items() if grid.known is not None)
        reading = Reading(self._got.campaign, [], ruleset.id, self._sha, cells, ruleset, untouched, where_line(finder),
                          self._blank)
        reading.findings = reading.placed(notes.findings)
        return reading

    def _blank(self, where: Where) -> bool:
        """Whether the cell of a record was blank when the workbook was read."""
        cells, grid = self._got.cells, self._grids.get(where.table)
        number = cells.rows.get(where.table, {}).get(where.row)
        if grid is None or number is None or where.field not in grid.heads.fields:
            return False
        row = next((found for n, found in grid.rows if n == number), {})
        cell = row.get(grid.heads.fields[where.field])
        return cell is None or cell.value is None or not plain_text(cell.value)

    def _unread(self, notes: Notes, ruleset_id: str) -> Reading:
        return Reading(Campaign(BASE), notes.findings, ruleset_id, self._sha)

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs between two states, and the Desk's lines; all or nothing.

        `before`: the state that `read` gave. Raises `BookLocked`, `BookChanged`, `BookUnsafe`.
        """
        from assistant.workbook.changing import Changing

        with self._changing() as editing:
            assert self._ruleset is not None
            self._realign(before)
            changing = Changing(self.path, editing, self._ruleset, self._grids, self._got.cells, after, wording)
            changing.reword(before)
            changing.fill(self._got.filled, before)
            changing.apply(before)
            changing.desk(desk_lines)
            editing.save()
        self.pages = self._pages(editing, after)

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells, as they were read, that do not say what their row says; `write` puts them right."""
        from assistant.workbook.derived import Derivations
        from assistant.workbook.wordings import other_texts

        if self._book is None or self._ruleset is None:
            return []
        derive = Derivations(self._ruleset, wording, campaign.desk.language, campaign.desk.edition)
        return [place.told for place in other_texts(self._book, self._grids, self._got.cells.rows, campaign, derive)]

    def mark(self, findings: Iterable[Finding], wording: Wording) -> None:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`."""
        from assistant.workbook.marks import mark_cells

        with self._changing() as editing:
            mark_cells(editing, findings, wording)

    @contextmanager
    def _changing(self) -> Iterator[Editing]:
        """The workbook to be changed, which then takes the file's place; or the refusal, and nothing was changed."""
        refuse_if_locked(self.path)
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
            replace_file(self.path, data, self._sha, verify=editing.prove)
        elif not self.path.is_file() or sha256(self.path.read_bytes()) != self._sha:
            raise BookChanged(self.path, f"{self.path.name} was saved by somebody after it was read")
        self._data, self._sha = data, sha256(data)

    def _pages(self, editing: Editing, after: Campaign) -> dict[str, Page]:
        """How the sheets were left, those of which it can be told in one order of rows."""
        pages: dict[str, Page] = {}
        if editing.after is None:
            return pages
        for sheet, grid in self._grids.items():
            places = self._got.cells.rows[sheet]
            keys = [key for key, _ in after.by_sheet(sheet).in_file_order()]
            numbers = tuple(places[key] for key in keys if key in places)
            if len(numbers) == len(keys) and all(one < other for one, other in pairwise(numbers)):
                pages[sheet] = Page(editing.after.print_of(grid.title), numbers)
        return pages

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
        """Read the file again after a write; who holds the first reading sees where rows stand now."""
        if self._book is not None:
            return
        known, shown = self._sha, self._got.cells
        self.read()
        if known and known != self._sha:
            raise BookChanged(self.path, f"{self.path.name} was saved by somebody in between")
        vars(shown).update(vars(self._got.cells))
        self._got.cells = shown
