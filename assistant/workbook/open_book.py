"""An open workbook behind the port: read as it is on the screen, changed through the program that shows it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.wording import Wording
from assistant.workbook.file_book import HARM_CODES, BookBase
from assistant.workbook.layout import (
    CHANGES_COLUMNS,
    CHANGES_NAME,
    CHANGES_ROOM,
    HEADING_ROW,
    LABELS,
    label,
    sheet_about,
    sheet_columns,
    sheet_title,
)
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import (
    Area,
    Cell,
    Rows,
    Value,
    area_of,
    cell_address,
    find_place,
    letters_of,
    place_of,
    quoted_area,
    split_address,
)
from assistant.workbook.ooxml.transplant import unused_name
from assistant.workbook.ooxml.xml_tree import Damaged, Unsafe
from assistant.workbook.port import (
    PLAIN_FONT,
    AddedSheet,
    CellLook,
    CellValue,
    DeskLines,
    Host,
    HostChanges,
    HostFailed,
    HostNote,
    HostRefused,
    ListedChange,
    Loader,
    MismatchedText,
    WorkbookReading,
    WrittenSheet,
    cell_of,
    cell_ref,
)
from assistant.workbook.read.find_tables import place_name
from assistant.workbook.read.grid import Notes
from assistant.workbook.screening import BookChanged, BookError, BookUnsafe
from assistant.workbook.write.new_workbook import paused_collection
from assistant.workbook.write.sheet_style import (
    BAND,
    LONGEST_TEXT,
    MARK_FILL,
    fit_texts,
    line_chars,
    line_count,
    row_points,
)
from assistant.workbook.write.write_changes import (
    AUTHOR,
    NOTE_SEPARATOR,
    WIDTHS,
    add_signature,
    changes_text,
    merged_cell_remarks,
    note_texts,
    read_signature,
    write_changes_list,
)

# The open workbook as a source.


_COLOUR = re.compile(rb'rgb="FF([0-9A-Fa-f]{6})"')


class LiveStyles:
    """Formatting by number from 1; a negative number means "as in that row"."""

    def __init__(self) -> None:
        self._looks: list[CellLook] = []

    def like(self, style: int, *, font: bytes = b"", fill: bytes = b"", border: bytes = b"",
             quoted: bool | None = None) -> int:
        """The number of a style with these colours; borders, sizes and protection against formulas are the host's."""
        fill_found, ink_found = _COLOUR.search(fill), _COLOUR.search(font)
        look = CellLook(fill_found[1].decode().upper() if fill_found else "" if fill else None,
                    ink_found[1].decode().upper() if ink_found else None, b"<b " in font if font else None)
        if look == CellLook():
            return style
        if look not in self._looks:
            self._looks.append(look)
        return self._looks.index(look) + 1

    def look(self, style: int) -> CellLook:
        """The look of a number."""
        return self._looks[style - 1]


class LiveSource:
    """The open workbook as read once, kept up to date with what is written into it."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.styles = LiveStyles()
        self.names = dict(host.names())
        self._tables = list(host.tables())
        self._rows: dict[str, Rows] = {}

    @cached_property
    def sheets(self) -> list[str]:
        """The titles of the worksheets."""
        return list(self.host.titles())

    def add_sheets(self, changes: HostChanges) -> None:
        """Record that sheets were added, with all that the changes have put there."""
        for title in changes.sheets:
            self.sheets.append(title)
            self._rows[title] = {}
        for (title, row, column), value in changes.cells.items():
            self.take(title, row, column, cell_of(value))
        self.names.update({name: quoted_area(title, area_of(area)) for name, (title, area) in changes.names.items()})

    def rows(self, title: str) -> Rows:
        """The cells of a sheet; read once."""
        if title not in self._rows:
            self._rows[title] = self.host.rows(title)
        return self._rows[title]

    def some_rows(self, title: str, first: int, last: int) -> Rows:
        """The cells of some rows of a sheet."""
        rows = self.rows(title)
        return {number: rows[number] for number in range(first, last + 1) if number in rows}

    def row_near_top(self, title: str, number: int) -> Rows:
        """A row of a sheet."""
        return self.some_rows(title, number, number)

    def print_of(self, title: str) -> str:
        """Return "": an open workbook has no bytes."""
        return ""

    def tables(self, title: str = "") -> Iterator[TablePart]:
        """All tables, or those of a sheet, as they are now."""
        return (table for table in self._tables if title in ("", table.sheet))

    def places(self, name: str) -> tuple[str, Area] | None:
        """The sheet and area of a name that stands for one area; None for anything else."""
        return find_place(self.names.get(name, ""), self.sheets)

    def set_bottom(self, table: TablePart, bottom: int) -> None:
        """Let a table end at a row."""
        at = next(i for i, other in enumerate(self._tables) if (other.sheet, other.name) == (table.sheet, table.name))
        self._tables[at] = table._replace(area=table.area._replace(bottom=bottom))

    def only_filter(self, table: TablePart) -> tuple[int, list[str]] | None:
        """Return None: in the open workbook filters are left to whoever is looking at it."""
        return None

    def show_only(self, table: TablePart, values: Iterable[str]) -> None:
        """Do nothing, as there is no such filter."""

    def calculated_columns(self, table: TablePart) -> dict[int, str]:
        """Return none: the program itself continues a calculated column."""
        return {}

    def in_table(self, title: str, row: int, column: int) -> bool:
        """Whether a cell is in a table, which formats it."""
        return any(t.sheet == title and t.area.has(row, column) for t in self._tables)

    def take(self, title: str, row: int, column: int, cell: Cell | None) -> None:
        """Record that a cell was changed."""
        rows = self.rows(title)
        if cell is not None:
            rows.setdefault(row, {})[column] = cell
        elif column in rows.get(row, {}):
            del rows[row][column]


# Changing the open workbook.


BLANK = Cell(None, "n")


class LiveEditing:
    """Changes to the sheets of the open workbook. The host gets nothing before `changes` is handed to it."""

    def __init__(self, book: LiveSource) -> None:
        self.book = book
        self.gathered = HostChanges()
        self._sheets: dict[str, LiveSheet] = {}
        self._areas = {(t.sheet, t.name): t.area for t in book.tables()}

    def sheet(self, title: str) -> LiveSheet:
        """A sheet to be changed, opened once. Raises KeyError."""
        if title not in self.book.sheets:
            raise KeyError(title)
        if title not in self._sheets:
            self._sheets[title] = LiveSheet(self.book, self.gathered, title)
        return self._sheets[title]

    def changes(self) -> HostChanges:
        """All changes collected, including tables that now end elsewhere."""
        for t in self.book.tables():
            if self._areas.get((t.sheet, t.name)) != t.area:
                self.gathered.tables[t.name] = (t.sheet, str(t.area))
        return self.gathered


class LiveSheet:
    """A sheet of the open workbook that is being changed; `port.EditableSheet` says what its methods do."""

    def __init__(self, book: LiveSource, gathered: HostChanges, title: str) -> None:
        self._book, self._gathered, self.title = book, gathered, title
        self._rows = book.rows(title)

    # --- looking ----------------------------------------------------------------------------
    def cell(self, row: int, column: int) -> Cell | None:
        """A cell as it is now; None for a blank one outside all tables, which has no formatting of its own."""
        held = self._cell(row, column)
        return BLANK if held is None and self._book.in_table(self.title, row, column) else held

    def _cell(self, row: int, column: int) -> Cell | None:
        return self._rows.get(row, {}).get(column)

    def style(self, row: int, column: int) -> int:
        """A style that means "as in that row"."""
        return -row

    def width(self, column: int) -> float:
        """A column's width in characters; if unknown, so wide that no row is made higher."""
        return self._book.host.width(self.title, column) or 1000

    def first_occupied(self, area: Area) -> tuple[int, int] | None:
        """The first cell of an area that holds something (row, column); None for none."""
        for row in range(area.top, area.bottom + 1):
            for column in sorted(self._rows.get(row, {})):
                if area.left <= column <= area.right:
                    return row, column
        return None

    def formula(self, row: int, column: int) -> str:
        """The formula of a cell without ``=``; "" for none."""
        cell = self._cell(row, column)
        return str(cell.value)[1:] if cell is not None and cell.data_type == "f" else ""

    own_formula = formula

    # --- changing ---------------------------------------------------------------------------
    def put(self, row: int, column: int, value: Value, *, style: int | None = None) -> None:
        """Put a value into a cell. Raises `Unsafe` for a number where a date is shown."""
        if style is not None and style > 0:
            self._gathered.looks[self.title, row, column] = self._book.styles.look(style)
        self._put(row, column, None if value == "" else value)

    def _put(self, row: int, column: int, value: CellValue) -> None:
        old, new = self._cell(row, column), cell_of(value)
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
        """Change a cell's formatting; "as in another row" is copied from there, with its rules."""
        if style > 0:
            self._gathered.looks[self.title, row, column] = self._book.styles.look(style)
        elif style < 0 and -style != row:
            self._gathered.copies.setdefault((self.title, -style, column), []).append(row)
            self._gathered.cells.setdefault((self.title, row, column), None)

    def move(self, row: int, column: int, to: int, *, formulas: bool = False) -> bool:
        """Move a cell's content to another row of its column; a formula stays unless `formulas`. Whether it moved."""
        cell, target = self._cell(row, column), self._cell(to, column)
        if not formulas and any(place is not None and place.data_type == "f" for place in (cell, target)):
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
        """Do nothing: in the open workbook filters are left to whoever is looking at it."""

    def stretch(self, body: Area, last: int) -> None:
        """Do nothing: a copied row brings its drop-downs and colours along."""


# Marks in the open workbook.
#
# The last line of the note says what the cell's colour was before, because a program that has the workbook open writes
# notes in its user's name. Marks written by the file adapter are recognised by their author.


_FILL = re.compile(r'rgb="FF([0-9A-Fa-f]{6})"')


class LiveMark(NamedTuple):
    """A mark as it is now. `fill`: the cell's own colour."""

    sheet: str
    remark: HostNote
    fill: str

    @property
    def at(self) -> tuple[str, int, int]:
        """Sheet, row and column."""
        return (self.sheet, *place_of(self.remark.ref))

    def parts(self) -> tuple[str, str]:
        """Its text, and the note that was there before with its separator; "" if there was none."""
        text, kept, before = self.remark.text.rpartition(NOTE_SEPARATOR)
        return (text, kept + before) if kept else (before, "")


def find_marks(source: LiveSource, host: Host) -> list[LiveMark]:
    """All marks of the open workbook."""
    return [LiveMark(title, remark, fill) for title in source.sheets for remark in host.remarks(title)
            if (fill := _fill_before(remark.author, remark.text)) is not None]


def remove_marks(marks: Iterable[LiveMark], changes: HostChanges) -> None:
    """Remove marks: restore the colours and notes that were there before."""
    for note in marks:
        changes.notes[note.sheet, note.remark.ref] = note.parts()[1].partition(": ")[2]
        changes.looks[note.at] = CellLook(note.fill)


def restore_marks(marks: Iterable[LiveMark], changes: HostChanges) -> None:
    """The reverse: restore marks that were removed in vain."""
    for note in marks:
        text, kept = note.parts()
        signature = "" if read_signature(note.remark.text) is not None else add_signature("", note.fill)
        changes.notes[note.sheet, note.remark.ref] = text + signature + kept
        changes.looks[note.at] = CellLook(MARK_FILL)


def _fill_before(author: str, text: str) -> str | None:
    """The colour that a cell had before our mark; None for somebody else's note."""
    signature = read_signature(text)
    if signature is not None:
        return signature
    if author.startswith(f"{AUTHOR} ["):
        fill = _FILL.search(author)
        return fill[1].upper() if fill else ""
    return None


def add_marks(texts: Mapping[str, Mapping[str, str]], source: LiveSource, host: Host, changes: HostChanges) -> None:
    """Colour cells and note on them what to do; `changes` already holds the marks to remove."""
    wanted = {title: list(refs) for title, refs in texts.items() if title in source.sheets}
    fills = host.fills(wanted)
    for title, refs in wanted.items():
        stands = {r.ref: r for r in host.remarks(title)}
        for ref in refs:
            row, column = place_of(ref)
            restored = changes.looks.get((title, row, column))
            fill = restored.fill if restored and restored.fill is not None else fills.get(title, {}).get(ref, "")
            if fill == MARK_FILL:  # of a press that the program cut short: no cell has it of its own
                fill = ""
            before = changes.notes.get((title, ref), stands[ref].text if ref in stands else "")
            author = stands[ref].author if ref in stands and (title, ref) not in changes.notes else ""
            kept = f"{NOTE_SEPARATOR}{author}: {before}" if before else ""
            changes.notes[title, ref] = add_signature(texts[title][ref], fill) + kept
            changes.looks[title, row, column] = CellLook(MARK_FILL)


# The adapter for open workbooks.


DETAILS_WIDTHS, DETAILS_ROW = (110.0,), 3
"""Of the sheet that shows what a window cannot show whole: the widths of its columns, and its first line."""
TITLE_LOOK, ABOUT_LOOK = CellLook(BAND, "FFFFFF", bold=True), CellLook(BAND, "DDE4EC")
"""The colours of an added sheet's title and headings, and of the sentence between them."""
LIVE_HARM = {**HARM_CODES, "protected": codes.SHEET_PROTECTED}
"""Reasons of hosts -> the finding; here it is the sheet that is protected, so nobody can change its cells."""


class NewHeading(NamedTuple):
    """A heading of a sheet to be added. `width`: of its column, in characters; `hint`: the note on it."""

    text: str
    width: float
    hint: str = ""


class LiveBook(BookBase):
    """The open workbook of a host: read once per press of a button, then written or marked as often as needed."""

    live = True
    pages: Mapping[str, WrittenSheet] = MappingProxyType({})
    """Nothing: what is open has no bytes that could tell later whether somebody has touched a sheet."""

    def __init__(self, host: Host, loader: Loader | None = None) -> None:
        super().__init__(Path(host.path or host.name), loader)
        self.host = host
        self._source: LiveSource | None = None
        self.wrote = False
        """Whether records were written into the workbook."""

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> WorkbookReading:
        """The campaign and the findings, as now on the screen. Raises `BookError`."""
        try:
            with self._catch_errors(), paused_collection():
                self._source = LiveSource(self.host)
                return self.read_from(self._source, Notes("en"), "")
        except Damaged as no:
            notes = Notes("en")
            notes.add(codes.NO_WORKBOOK, Where(), "", {"file": self.path.name, "reason": no.detail})
            return self.unread(notes, "")

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write the differences and the Desk's lines at once. Raises `BookUnsafe`, `BookError`.

        If that fails, the marks of an earlier press are restored: what they say is still true.
        """
        self.around(b"", lambda: self._write(before, after, wording, desk_lines))

    def _write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        marks = self.clear_marks()
        self._add_later_sheets(after)
        self._make_room(desk_lines.changes, after.desk.language)
        try:
            with self._changing() as editing:
                self.change(editing, before, after, wording, desk_lines)
        except BookError:
            changes = HostChanges()
            restore_marks(marks, changes)
            with suppress(BookError):  # the program does not answer: that is being told already
                self._give(changes)
            raise
        self.wrote = True

    def _add_later_sheets(self, campaign: Campaign) -> None:
        """Add the sheets beside the game (`Record.apart`) that a workbook of before lacks, unless its program refuses
        that.
        """
        assert self.ruleset is not None
        lang = campaign.desk.language
        for record in [record for record in self.ruleset.records if record.apart and record.sheet not in self.grids]:
            shown = [column for column in sheet_columns(record, lang) if not column.empty]
            heads = [NewHeading(column.head, column.width, column.hint) for column in shown]
            if self._add_sheet(sheet_title(record, lang), sheet_about(record, lang), heads, place_name(record), 0):
                self.find_grids(self._live_source(), [record])

    def _make_room(self, changes: Sequence[ListedChange] | None, lang: str) -> None:
        """Add the sheet for changes by hand to a workbook of before there was one, once there is something to list."""
        if changes and self._live_source().places(CHANGES_NAME) is None:
            self._add_sheet(label("changes", lang), changes_text("changes_about", lang),
                            [NewHeading(changes_text(key, lang), width) for key, width in
                             zip(CHANGES_COLUMNS, WIDTHS, strict=True)], CHANGES_NAME, CHANGES_ROOM)

    def _add_sheet(self, title: str, about: str, heads: Sequence[NewHeading], name: str, rows: int) -> bool:
        """Add a sheet with a title, a sentence and headings; whether the program took it. `name`: stands for the first
        heading or, where so many `rows` are to be filled, for these.
        """
        source, changes = self._live_source(), HostChanges()
        title = unused_name(title, {known.casefold() for known in source.sheets}, "{} {}")
        changes.sheets[title] = AddedSheet(tuple(head.width for head in heads))
        top = Area(1, HEADING_ROW, 1, HEADING_ROW)
        changes.names[name] = (title, str(Area(1, HEADING_ROW + 1, len(heads), HEADING_ROW + rows) if rows else top))
        changes.cells[title, 1, 1] = title
        changes.cells[title, 2, 1] = about
        for column, head in enumerate(heads, 1):
            changes.cells[title, HEADING_ROW, column] = head.text
            for row, look in ((1, TITLE_LOOK), (2, ABOUT_LOOK), (HEADING_ROW, TITLE_LOOK)):
                changes.looks[title, row, column] = look
            if head.hint:
                changes.notes[title, cell_ref(HEADING_ROW, column)] = head.hint
        try:
            self._give(changes)
        except BookUnsafe:
            return False
        source.add_sheets(changes)
        return True

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[MismatchedText]:
        """The worded cells, as they were read, whose text does not match their row; `write` corrects them."""
        return self.other_texts_in(self._source, campaign, wording) if self._source is not None else []

    def hindrances(self) -> list[Finding]:
        """Remarks for merged cells among the rows of our tables; an open workbook has no XML that could be unreadable.
        """
        with self._catch_errors():
            return [remark for grid in self.grids.values()
                    for remark in merged_cell_remarks(grid, map(area_of, self.host.merged_areas(grid.title)),
                                                      self.got.cells)]

    def mark(self, findings: Iterable[Finding], wording: Wording,
             changes: Sequence[ListedChange] | None = None) -> list[str]:
        """Colour the cells of the findings and note there what to do; earlier marks go. Raises as `write`.

        `changes`: the undecided changes by hand, to be listed on their sheet; None leaves the list as it is.
        Returns the protected sheets, which stay as they are: nobody can colour a cell there.
        """
        self._make_room(changes, wording.lang)
        if changes is not None:
            editing = LiveEditing(self._live_source())
            write_changes_list(editing, changes, wording.lang)
            self._give(editing.changes())
        if not self.host.paints:
            return []
        source, marks = self._live_source(), HostChanges()
        with self._catch_errors():
            remove_marks(find_marks(source, self.host), marks)
            add_marks(note_texts(findings, wording), source, self.host, marks)
        left: list[str] = []
        # a protected sheet takes no marks, but that is no reason to leave the others without theirs
        while True:
            try:
                self._give(marks)
            except BookUnsafe as no:
                title = split_address(no.cell)[0]
                if no.code != codes.SHEET_PROTECTED or title in left:
                    raise
                left.append(title)
                marks = marks.without(title)
            else:
                break
        self._source = self._source or source
        return left

    def clear_marks(self) -> list[LiveMark]:
        """Remove the marks of an earlier press, which may no longer be true; returns them.

        Raises as `write`.
        """
        if not self.host.paints:
            return []
        changes = HostChanges()
        with self._catch_errors():
            marks = find_marks(self._live_source(), self.host)
        remove_marks(marks, changes)
        self._give(changes)
        return marks

    def show_outcome(self, lines: Sequence[str], wrong: Sequence[str] | None = None) -> bool:
        """Write the outcome of a press on the Desk, and apart from it, where there is a place for that, what is wrong
        (None leaves that as it is); returns whether there is a place for the outcome. Raises as `write`.

        The lines are written whatever was there: a host may show its progress in that place.
        """
        source = self._live_source()
        if source.places("desk_outcome") is None:
            return False
        changes, apart = HostChanges(), wrong is not None and source.places("desk_wrong") is not None
        told = [line for line in lines if line.strip() and not (apart and wrong and line in wrong)]
        self._fill_place(changes, "desk_outcome", told)
        if apart:
            self._fill_place(changes, "desk_wrong", list(wrong or ()) or [label("nothing_wrong", self._lang)])
        self._give(changes)
        return True

    @property
    def _lang(self) -> str:
        return self.got.campaign.desk.language if self.ruleset else "en"

    def _fill_place(self, changes: HostChanges, name: str, texts: list[str]) -> None:
        """Write texts into a place of the Desk, each over two columns."""
        place = self._live_source().places(name)
        assert place is not None
        title, area = place
        chars = line_chars(lambda column: self.host.width(title, column), area.left, 2)
        shown = fit_texts(texts, area.bottom - area.top + 1, self._lang, chars)
        for number, row in enumerate(range(area.top, area.bottom + 1)):
            text = shown[number][:LONGEST_TEXT] if number < len(shown) else ""
            changes.cells[title, row, area.left] = text or None
            if self.host.paints:
                points = row_points(line_count(text, chars))
                changes.heights[title, row] = max(points, changes.heights.get((title, row), 0))

    def show_details(self, lines: Sequence[str]) -> str:
        """Write lines onto the sheet of details, which is added where it is missing; returns the cell to look at.

        What stood there before goes. Raises as `write`.
        """
        source, lang = self._live_source(), self._lang
        title = self._details_title(source, lang)
        changes = HostChanges()
        if title not in source.sheets:
            changes.sheets[title] = AddedSheet(DETAILS_WIDTHS, PLAIN_FONT)
        else:
            changes.cells.update({(title, row, column): None for row, cells in source.rows(title).items()
                                  for column in cells})
        changes.cells[title, 1, 1] = label("details_heading", lang)
        changes.looks[title, 1, 1] = CellLook(bold=True)
        changes.cells.update({(title, row, 1): line[:LONGEST_TEXT] for row, line in enumerate(lines, DETAILS_ROW)
                              if line})
        self._give(changes)
        source.add_sheets(changes)
        return cell_address(title, "A", 1)

    @staticmethod
    def _details_title(source: LiveSource, lang: str) -> str:
        """The title of the sheet of details: the one that has our heading, else a free one."""
        headings = set(LABELS["details_heading"])
        for title in source.sheets:
            first = source.rows(title).get(1, {}).get(1)
            if first is not None and first.value in headings:
                return title
        return unused_name(label("details", lang), {title.casefold() for title in source.sheets}, "{} {}")

    def outcome_cell(self) -> str:
        """Where the Desk shows the outcome of a press; "" if it has no place for it."""
        place = self._source.places("desk_outcome") if self._source is not None else None
        return cell_address(place[0], letters_of(place[1].left), place[1].top) if place else ""

    def decision_cell(self) -> str:
        """Where to decide on the first change by hand of the list; "" without one."""
        place = self._source.places(CHANGES_NAME) if self._source is not None else None
        return cell_address(place[0], letters_of(place[1].right), place[1].top) if place else ""

    @contextmanager
    def _changing(self) -> Iterator[LiveEditing]:
        source = self._live_source()
        if self._stale:
            self.refresh(source)
        editing = LiveEditing(source)
        try:
            with paused_collection():
                yield editing
        except Unsafe as no:
            self._source = None
            raise BookUnsafe(self.path, str(no), LIVE_HARM[no.reason], no.cell) from no
        self._give(editing.changes())
        self._stale = True

    @contextmanager
    def _catch_errors(self) -> Iterator[None]:
        """Turn the host's errors into findings."""
        try:
            yield
        except HostRefused as no:
            raise BookUnsafe(self.path, str(no), LIVE_HARM[no.reason], no.cell) from no
        except HostFailed as no:
            raise BookUnsafe(self.path, str(no), no.code or codes.HOST_FAILED, reason=str(no)) from no

    def _live_source(self) -> LiveSource:
        if self._source is None:
            with self._keeping_cells():
                self.read()
        if self._source is None:
            raise BookChanged(self.path, f"{self.path.name} cannot be read any more")
        return self._source

    def _give(self, changes: HostChanges) -> None:
        if not changes:
            return
        try:
            with self._catch_errors():
                self.host.apply(changes)
        except BookUnsafe:  # what stands there now is not known
            self._source = None
            raise

    def save(self) -> None:
        """Have the program save the workbook. Raises `BookError`."""
        try:
            self.host.save()
        except HostFailed as no:
            raise BookError(self.path, str(no)) from no
