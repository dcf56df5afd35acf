"""A workbook file behind the port, read as a campaign and changed cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import BASE, Desk
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.rulebooks import UnfitRuleset, installed_rulesets, load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook import map_sheet
from assistant.workbook.layout import CHANGES_NAME, label, sheet_title
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.sheet import Editing
from assistant.workbook.ooxml.transplant import add_sheets, free_title
from assistant.workbook.ooxml.xml_tree import Damaged, Hostile, Unsafe, WorkbookFault
from assistant.workbook.port import (
    Book,
    CellMap,
    DeskLines,
    Editor,
    ListedChange,
    Loader,
    MismatchedText,
    SheetMemory,
    WorkbookReading,
    WorkbookSource,
    WrittenSheet,
)
from assistant.workbook.read.find_tables import (
    CLUB_NAME,
    ROWS_NAME,
    TOKEN_NAME,
    TableFinder,
    listed_changes,
    raw_desk_settings,
    read_desk,
    record_grids,
    where_line,
)
from assistant.workbook.read.grid import Notes, TableGrid, plain_text
from assistant.workbook.read.load_campaign import LoadedCampaign, load_campaign, record_places
from assistant.workbook.save import Around, refuse_if_locked, refuse_if_read_only, replace_file, sha256, without_more
from assistant.workbook.screening import BookChanged, BookMissing, BookUnsafe, refusal
from assistant.workbook.write.new_workbook import blank_book, paused_collection, table_sheets, workbook_bytes
from assistant.workbook.write.sheet_style import SheetLook, write_lines
from assistant.workbook.write.write_changes import (
    ChangeWriter,
    Derivations,
    build_changes_sheet,
    mark_cells,
    mismatched_texts,
    write_blockers,
    write_changes_list,
)

# What both adapters of the port share.


HARM_CODES = {
    "merged": codes.IN_MERGED, "array": codes.IN_ARRAY, "shared": codes.SHARED_FORMULA, "date": codes.DATE_CELL,
    "below": codes.BELOW_TABLE, "protected": codes.PROTECTED, "title": codes.TITLE_TAKEN,
    "name": codes.TITLE_TAKEN, "form": codes.DRAFT_FORM,
}
"""Reasons of `Unsafe` and of hosts -> the finding that says what to do."""


def unreadable_finding(no: WorkbookFault) -> tuple[str, dict[str, Any]]:
    """The finding's code and data (without the file's name) for a file that cannot be taken apart."""
    if isinstance(no, Damaged) and no.detail in ("zip", "workbook"):
        return codes.NO_WORKBOOK, {"reason": no.detail}
    if isinstance(no, Damaged) or no.detail in ("nesting", "markup"):
        return codes.DAMAGED, {"part": no.detail}
    return codes.UNSAFE, {"size": "", "parts": ""}


class BookBase:
    """The part of reading and changing a workbook that does not depend on where it is. `got`: the campaign as loaded;
    `grids`: its tables by English sheet name.
    """

    def __init__(self, path: Path, loader: Loader | None, memory: SheetMemory | None = None) -> None:
        """`memory`: of sheets that nobody has changed since they were written, as far as their bytes prove it."""
        self.path = path
        self._memory = memory
        self._load = loader or load
        self.grids: dict[str, TableGrid] = {}
        self._offered: Mapping[str, Sequence[str]] = {}
        self.got = LoadedCampaign(Campaign(BASE), CellMap())
        self.ruleset: Ruleset | None = None
        self.off: frozenset[str] = frozenset()
        """English names of the sheets with a row that is marked off or set aside."""
        self._stale = False
        self.asides: list[Finding] = []
        self.draws = True
        self.around: Around = without_more

    # --- reading ----------------------------------------------------------------------------
    def read_from(self, source: WorkbookSource, notes: Notes, sha: str) -> WorkbookReading:
        """The campaign and the findings of a workbook; if it is not a campaign, an empty one and a finding that says
        why.
        """
        self._stale = False
        finder = TableFinder(source, self._memory)
        raw = raw_desk_settings(finder)
        ruleset_id = raw.get("ruleset", "")
        notes.lang = raw.get("language", "en")
        if not finder.knows_any(BASE):
            notes.add(codes.EMPTY, Where(), "", {"file": self.path.name})
            return self.unread(notes, sha)
        if not finder.knows_any([Desk]):
            notes.add(codes.NO_SHEET, Where(Desk.sheet), "", {"sheet": sheet_title(Desk, notes.lang)})
            return self.unread(notes, sha)
        try:
            ruleset = self._load(ruleset_id)
        except KeyError:
            names = {"seen": ruleset_id, "list": ", ".join(installed_rulesets())}
            notes.add(codes.NO_RULESET, Where(Desk.sheet, "", "ruleset"), "", names)
            return self.unread(notes, sha)
        except UnfitRuleset as unfit:
            notes.add(unfit.finding.code, Where(Desk.sheet, "", "ruleset"), "", dict(unfit.finding.data))
            return self.unread(notes, sha)
        return self._gather(finder, ruleset, notes, sha)

    def _gather(self, finder: TableFinder, ruleset: Ruleset, notes: Notes, sha: str) -> WorkbookReading:
        settings = read_desk(finder, ruleset.record(Desk.sheet), notes)
        desk, places, title = settings if settings else (ruleset.record(Desk.sheet)(), {}, Desk.sheet)
        self.grids = record_grids(finder, ruleset, notes)
        then, club = self._memory.codes if self._memory is not None else "", finder.copy_text(CLUB_NAME)
        self.got = load_campaign(ruleset, desk, self.grids, notes, codes_then=then, club=club)
        notes.tell_off()
        notes.tell_emptied()
        self.off = frozenset(notes.off) | {f.where.table for f in notes.findings if f.alone}
        self.ruleset = ruleset
        cells = self.got.cells
        cells.titles[Desk.sheet], cells.desk = title, places
        untouched = frozenset(sheet for sheet, grid in self.grids.items() if grid.known is not None)
        reading = WorkbookReading(self.got.campaign, [], sha, cells, ruleset, untouched, where_line(finder),
                          club, finder.copy_text(TOKEN_NAME) if club else "",
                          finder.copy_text(ROWS_NAME) if club else "",
                          self._blank, *listed_changes(finder))
        reading.findings = reading.with_cells(notes.findings)
        return reading

    def find_grids(self, source: WorkbookSource, records: Iterable[type[Record]]) -> None:
        """Find the tables of records whose sheets have just been added; nothing stands in them yet."""
        finder = TableFinder(source)
        for record in records:
            grid = finder.grid(record, Notes("en"))
            if grid is not None:
                self.grids[record.sheet] = grid
                record_places(grid, self.got.cells, {})

    def _blank(self, where: Where) -> bool:
        """Whether a record's cell was blank when the workbook was read."""
        cells, grid = self.got.cells, self.grids.get(where.table)
        number = cells.rows.get(where.table, {}).get(where.row)
        if grid is None or number is None or where.field not in grid.heads.fields:
            return False
        row = next((row_cells for n, row_cells in grid.rows if n == number), {})
        cell = row.get(grid.heads.fields[where.field])
        return cell is None or cell.value is None or not plain_text(cell.value)

    def unread(self, notes: Notes, sha: str) -> WorkbookReading:
        """The reading of a file that is not a campaign."""
        return WorkbookReading(Campaign(BASE), notes.findings, sha)

    def other_texts_in(self, source: WorkbookSource, campaign: Campaign, wording: Wording) -> list[MismatchedText]:
        """The worded cells, as the workbook was read, whose text does not match their row."""
        if self.ruleset is None:
            return []
        derive = Derivations(self.ruleset, wording, campaign.desk.language, campaign.desk.edition)
        return [place.told for place in mismatched_texts(source, self.grids, self.got.cells.rows, campaign, derive)]

    def refresh(self, source: WorkbookSource) -> None:
        """Read again after a change; whoever holds the first reading sees the new positions of rows."""
        with self._keeping_cells():
            self.read_from(source, Notes("en"), "")

    @contextmanager
    def _keeping_cells(self) -> Iterator[None]:
        """Whoever holds the positions of rows from before has those that are read meanwhile."""
        shown = self.got.cells
        yield
        vars(shown).update(vars(self.got.cells))
        self.got.cells = shown

    # --- changing ---------------------------------------------------------------------------
    def offer(self, columns: Mapping[str, Sequence[str]]) -> bool:
        """Let the next change add those of these later columns that are missing; returns whether there are any."""
        self._offered = {sheet: lacking for sheet, names in columns.items() if (grid := self.grids.get(sheet))
                         and not grid.block and (lacking := [n for n in names if n not in grid.heads.fields])}
        return bool(self._offered)

    def change(self, editing: Editor, before: Campaign, after: Campaign, wording: Wording, lines: DeskLines) -> None:
        """Make all changes between two states, and write the Desk's lines. Raises `BookUnsafe`, `Unsafe`."""
        assert self.ruleset is not None
        self._realign(before)
        changing = ChangeWriter(self.path, editing, self.ruleset, self.grids, self.got.cells, after, wording)
        changing.reword(before)
        changing.fill(self.got.filled, before)
        changing.apply(before, self._offered)
        write_lines(editing, lines, self.ruleset, after)
        if lines.changes is not None:
            write_changes_list(editing, lines.changes, after.desk.language)

    def _realign(self, before: Campaign) -> None:
        """Let the keys of rows that have equal keys (``a``, ``a#2``) be those of `before`.

        A campaign that went through several writes keeps its keys when one of them is removed; the
        sheet, read again, counts afresh. The order of rows is the same in both.
        """
        for sheet, known in self.got.cells.rows.items():
            table = before.by_sheet(sheet)
            keys = table.keys_in_file_order()
            if not table.record.unique and list(known) != keys and len(known) == len(keys):
                self.got.cells.rows[sheet] = dict(zip(keys, sorted(known.values()), strict=True))


# The file adapter.
# #
# What it promises: every byte of parts that it does not own stays; in our sheets only changed cells, added rows and
# rows of removed records differ; a club's own columns, the order of rows and formulas stay; text never becomes a
# formula; the same campaign and bytes in give the same bytes out; the file is replaced whole or not at all. A change
# that cannot be written like that is refused before anything is touched.
# #
# One thing is taken from cells that are not ours: the stored result of a formula that a change made stale, because
# LibreOffice would go on showing it (see `ooxml.formulas`).


class FileBook(BookBase):
    """The file adapter of the port: read once, then written or marked as often as needed."""

    live = False

    def __init__(self, path: Path, loader: Loader | None = None, memory: SheetMemory | None = None) -> None:
        super().__init__(path, loader, memory)
        self.pages: Mapping[str, WrittenSheet] = {}
        self._data = b""
        self._sha = ""
        self._book: OoxmlBook | None = None
        self.shall_show: map_sheet.MapDisplay | None = None
        """What the next write lets the workbook show of its map; None: what it shows now."""

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> WorkbookReading:
        """The campaign and the findings; a file that is not a campaign gives an empty one and a finding that says why.

        Raises `BookMissing`.
        """
        try:
            self._data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        return self.read_data()

    def read_data(self, data: bytes | None = None) -> WorkbookReading:
        """Like `read`, but from these bytes, which came without a file; by default the bytes read last."""
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
                bad = unreadable_finding(no)
        self._book = None
        notes.add(bad[0], Where(), "", {"file": self.path.name, **bad[1]})
        return self.unread(notes, self._sha)

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write the differences between two states, and the Desk's lines; all or nothing.

        `before`: the state that `read` gave. Raises `BookLocked`, `BookChanged`, `BookUnsafe`.
        """
        with self._changing(after) as editing:  # the map first: the Desk says which names found no room there
            unplaced = self._redraw(editing.book, after) if self.draws and self.shall_show is None else ()
            self._make_room(editing.book, desk_lines.changes, after.desk.language)
            self._add_later_sheets(editing.book, after, wording)
            self.change(
                editing,
                before,
                after,
                wording,
                map_sheet.add_unplaced_names(desk_lines, unplaced, after, wording) if unplaced else desk_lines,
            )
            editing.save()
            if self.shall_show is not None and self.ruleset is not None:
                self.asides = list(map_sheet.set_display(editing.book, self.ruleset, after, self.shall_show))
                self.shall_show = None

    def draw(self, campaign: Campaign, *, shapes: bool = False) -> int:
        """Add a sheet with the map, or update it; with `shapes` colour the club's own shapes instead, from now on.

        Returns how many shapes there are. Raises as `write`.
        """
        assert self.ruleset is not None
        with self._changing() as editing:
            if shapes:
                return map_sheet.colour_shapes(editing.book, self.ruleset, campaign)
            self.asides = list(map_sheet.add_or_update_map(editing.book, self.ruleset, campaign).findings)
        return 0

    def to_show(self, wanted: map_sheet.MapDisplay) -> list[Finding]:
        """Let the next `write` show what is wanted of the map; findings for what it cannot undo. Raises `Damaged`,
        `Hostile`.
        """
        self._need_read()
        assert self._book is not None
        self.shall_show = wanted
        return map_sheet.display_obstacles(self._book, wanted)

    def _add_later_sheets(self, book: OoxmlBook, campaign: Campaign, wording: Wording) -> None:
        """Add the sheets beside the game (`Record.apart`) that a workbook of before lacks, unless its structure is
        protected.
        """
        assert self.ruleset is not None
        lang = campaign.desk.language
        records = [record for record in self.ruleset.records if record.apart and record.sheet not in self.grids]
        titles = {record.sheet: free_title(book, sheet_title(record, lang)) for record in records}
        if not titles:
            return
        donor = table_sheets(self.ruleset, campaign, self.path, wording, titles)
        with suppress(Unsafe):
            add_sheets(book, OoxmlBook(donor), list(titles.values()))
            self.find_grids(book, records)

    def _redraw(self, book: OoxmlBook, campaign: Campaign) -> Sequence[str]:
        """Update the map in the workbook to a campaign; returns the places whose names had no room.

        Other findings go to `asides`.
        """
        assert self.ruleset is not None
        map_sheet.update_shapes(book, self.ruleset, campaign)
        made = map_sheet.update_map(book, self.ruleset, campaign)
        self.asides = list(made.findings)
        return made.unplaced

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[MismatchedText]:
        """The worded cells, as they were read, whose text does not match their row; `write` corrects them."""
        return self.other_texts_in(self._book, campaign, wording) if self._book is not None else []

    def hindrances(self) -> list[Finding]:
        """Findings for what will keep `write` from writing, in the sheets as they were read."""
        return write_blockers(self._book, self.grids, self.got.cells) if self._book is not None else []

    def mark(self, findings: Iterable[Finding], wording: Wording,
             changes: Sequence[ListedChange] | None = None) -> list[str]:
        """Colour the cells of the findings and note there what to do; earlier marks go. Raises as `write`.

        `changes`: the undecided changes by hand, to be listed on their sheet; None leaves the list as it is.
        Returns nothing: in a file even a protected sheet can be marked.
        """
        with self._changing() as editing:
            self._make_room(editing.book, changes, wording.lang)
            if changes is not None:
                write_changes_list(editing, changes, wording.lang)
                editing.save()
            mark_cells(editing, findings, wording)
        return []

    @staticmethod
    def _make_room(book: OoxmlBook, changes: Sequence[ListedChange] | None, lang: str) -> None:
        """Add the sheet for changes by hand to a workbook of before there was one, once there is something to list."""
        if changes and book.places(CHANGES_NAME) is None:
            donor = blank_book("")
            build_changes_sheet(donor, SheetLook(), lang, free_title(book, label("changes", lang)))
            add_sheets(book, OoxmlBook(workbook_bytes(donor)))

    @contextmanager
    def _changing(self, after: Campaign | None = None) -> Iterator[Editing]:
        """The workbook to change, which then replaces the file; on a refusal nothing is changed.

        `after`: the campaign that is written; None for a change of looks alone.
        """
        # asked before anything is worked out: nobody should wait only to hear that the file is open in Excel
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
            raise BookUnsafe(self.path, str(no), HARM_CODES[no.reason], no.cell) from no
        except (Damaged, Hostile) as no:
            raise BookUnsafe(self.path, str(no), codes.DAMAGED, part=no.detail) from no
        if data != self._data:
            def around(content: bytes, take_place: Callable[[], None]) -> None:
                if after is not None:
                    self.pages = self._pages(editing, after)  # only now it was read again
                self.around(content, take_place)

            # no check: `prove` looks at all
            replace_file(self.path, data, self._sha, verify=editing.prove, check=False, around=around)
        else:
            self.around(data, self._need_unchanged)
        self._data, self._sha = data, sha256(data)

    def _need_unchanged(self) -> None:
        """Raise `BookChanged` if the file is no longer the one that was read."""
        if not self.path.is_file() or sha256(self.path.read_bytes()) != self._sha:
            raise BookChanged(self.path, f"{self.path.name} was saved by somebody after it was read")

    def _pages(self, editing: Editing, after: Campaign) -> dict[str, WrittenSheet]:
        """How each sheet was left, for those whose rows are in the order of their records."""
        pages: dict[str, WrittenSheet] = {}
        if editing.after is None:
            return pages
        for sheet, grid in self.grids.items():
            if sheet in self.off:  # the next look shall say so again
                continue
            places = self.got.cells.rows[sheet]
            keys = after.by_sheet(sheet).keys_in_file_order()
            numbers = tuple(places[key] for key in keys if key in places)
            if len(numbers) == len(keys) and list(numbers) == sorted(set(numbers)):
                pages[sheet] = WrittenSheet(editing.after.print_of(grid.title), numbers)
        return pages

    def _need_read(self) -> None:
        """Read the file again after a write; whoever holds the first reading sees the new positions of rows."""
        if self._book is not None:
            return
        known = self._sha
        with self._keeping_cells():
            self.read()
            if known and known != self._sha:
                raise BookChanged(self.path, f"{self.path.name} was saved by somebody in between")


def read_workbook(name: str, data: bytes, loader: Loader | None = None) -> WorkbookReading:
    """Read a workbook that came as bytes. `name`: of its file, for messages."""
    return FileBook(Path(name), loader).read_data(data)


def shows_map(data: bytes) -> bool:
    """Whether a workbook's file shows our map on a sheet; False for what is not a workbook."""
    return display_of_file(data).sheet


def display_of_file(data: bytes) -> map_sheet.MapDisplay:
    """What a workbook's file shows of its map; nothing for what is not a workbook."""
    try:
        return map_sheet.current_display(OoxmlBook(data))
    except (Damaged, Hostile):
        return map_sheet.MapDisplay(False, False)


def open_book(path: Path, loader: Loader | None = None, memory: SheetMemory | None = None) -> Book:
    """The book of a path. `loader`: finds a ruleset by id (the installed ones by default); `memory`: of its sheets."""
    return FileBook(path, loader, memory)
