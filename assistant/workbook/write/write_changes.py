"""Writes the differences between two states of a campaign into cells; marks findings, and lists changes by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.columns import Column, Edit, as_text
from assistant.campaign.records import Desk, Rule
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.layout import (
    CHANGES_COLUMNS,
    CHANGES_NAME,
    CHANGES_ROOM,
    HEADING_ROW,
    LEAST_FREE_ROWS,
    label,
    more_changes,
    table_name,
    typed_heading,
    wraps_text,
)
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import (
    Area,
    area_of,
    cell_address,
    column_of,
    letters_of,
    outer_tree,
    place_of,
    split_address,
)
from assistant.workbook.ooxml.sheet import CellNote, Editing, SheetNotes
from assistant.workbook.ooxml.xml_tree import WorkbookFault, XmlNode
from assistant.workbook.port import CellMap, DeskLines, EditableSheet, Editor, ListedChange
from assistant.workbook.read.grid import TableGrid, cell_value
from assistant.workbook.screening import BookUnsafe
from assistant.workbook.write.sheet_style import BAND, MARK_FILL, SheetLook, height_for, write_lines
from assistant.workbook.write.table_rows import (
    Appender,
    Derivations,
    derived_columns,
    hide_past_turns,
    keep_blank_rows,
    mismatched_texts,
    orders_with_rows,
    remove_rows,
    table_of,
)

# What will keep Arbitro from writing.
#
# `resolve` would find the same, but only after a phase has been worked out.


def write_blockers(book: OoxmlBook, grids: Mapping[str, TableGrid], cells: CellMap) -> list[Finding]:
    """A remark for merged cells among the rows of our tables, and a finding for a sheet that cannot be parsed."""
    findings: list[Finding] = []
    for sheet, title in cells.titles.items():
        try:
            root = _outside_rows(book, title)
            areas = [area_of(node.get("ref")) for group in root.all("mergeCells") for node in group.all("mergeCell")]
        except WorkbookFault as no:
            findings.append(Finding(codes.SHEET_DAMAGED, "error", Where(sheet), {"sheet": title, "part": no.detail}))
            continue
        if sheet in grids:
            findings += merged_cell_remarks(grids[sheet], areas, cells)
    return findings


def _outside_rows(book: OoxmlBook, title: str) -> XmlNode:
    """A sheet without its rows. Raises `WorkbookFault`."""
    before, prefix, _, after = book.divided(title)
    return outer_tree(before, prefix, after)[1]


def merged_cell_remarks(grid: TableGrid, areas: Iterable[Area], cells: CellMap) -> Iterator[Finding]:
    """A remark at the first covered cell of each merged area among the rows of a table; merged cells on the Desk are
    ours.
    """
    if grid.record.sheet == Desk.sheet:
        return
    sheet, columns = grid.record.sheet, set(grid.heads.fields.values())
    rows = cells.rows.get(sheet, {})
    last = max(rows.values(), default=grid.heading_row)
    bottom = last if grid.end == sys.maxsize else max(last, grid.end)
    for area in areas:
        covered = ((row, column) for row in range(max(area.top, grid.heading_row + 1), min(area.bottom, bottom) + 1)
                   for column in range(area.left, area.right + 1)
                   if column in columns and (row, column) != (area.top, area.left))
        first = next(covered, None)
        if first is not None:
            key = next((key for key, number in rows.items() if number == first[0]), "")
            name = next(name for name, column in grid.heads.fields.items() if column == first[1])
            yield Finding(codes.MERGED, "warning", Where(sheet, key, name), {"list": str(area)},
                          cell=cell_address(grid.title, letters_of(first[1]), first[0]))


# Marks in a file.


AUTHOR = "Arbitro"
NOTE_SEPARATOR = "\n––––––––––\n"
"""Separates our text from the note that was on the cell before; its author follows up to a colon."""
_OTHER_FILL = "as is"
_NO_FILL = 'patternType="none"'
_PLAIN_FILL = r'patternType="solid"><(?:\w+:)?fgColor rgb="FF([0-9A-F]{6})"'
SIGNATURE_START = "\n— Arbitro"
"""The last line of a mark; invisible characters after it encode the cell's earlier colour."""
BITS, SIGNED_END = ("\u200b", "\u200c"), "\u200d"
_SIGNATURE = rf"{SIGNATURE_START}([{BITS[0]}{BITS[1]}]*){SIGNED_END}|\n\(Arbitro · ([0-9A-F]{{6}}|-)\)"
"""Also in the form written until 2026, with visible digits."""
_MARKED = (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{MARK_FILL}"/><bgColor rgb="FF{MARK_FILL}"/>'
           "</patternFill></fill>").encode()


def add_signature(text: str, fill: str) -> str:
    """A mark's text with its signature. `fill`: ``RRGGBB``, "" for none."""
    hidden = "".join(BITS[int(bit)] for digit in fill for bit in f"{int(digit, 16):04b}")
    return f"{text}{SIGNATURE_START}{hidden}{SIGNED_END}"


def read_signature(text: str) -> str | None:
    """The cell's earlier colour from the signature of a mark: ``RRGGBB``, "" for none; None without a signature."""
    match = re.search(_SIGNATURE, text)
    if match is None:
        return None
    bits = "".join(str(BITS.index(bit)) for bit in match[1] or "")
    return f"{int(bits, 2):06X}" if bits else (match[2] or "").strip("-")


def note_texts(findings: Iterable[Finding], wording: Wording) -> dict[str, dict[str, str]]:
    """The texts of notes: title -> address -> text."""
    texts: dict[str, dict[str, list[str]]] = {}
    for f in findings:
        if f.cell:
            title, place = split_address(f.cell)
            texts.setdefault(title, {}).setdefault(place, []).append(f"{wording.finding(f)} ({f.code})")
    return {title: {ref: "\n".join(dict.fromkeys(lines)) for ref, lines in refs.items()}
            for title, refs in texts.items()}


def mark_cells(editing: Editing, findings: Iterable[Finding], wording: Wording) -> None:
    """Colour the cells of findings and note there what to do; marks of an earlier check are removed first."""
    texts = note_texts(findings, wording)
    for title in editing.book.sheets:
        _mark_sheet(editing, title, texts.get(title, {}))


def _mark_sheet(editing: Editing, title: str, texts: dict[str, str]) -> None:
    book = editing.book
    notes = SheetNotes(book, title)
    ours = [(note, word) for note in notes.all() if (word := _fill_word_of_note(note)) is not None]
    if not ours and not texts:
        return
    sheet = editing.sheet(title)
    for note, word in ours:
        if word != _OTHER_FILL:
            row, column = place_of(note.ref)
            sheet.restyle(row, column, book.styles.like(sheet.style(row, column), fill=_fill_xml(word)))
        notes.take_back(note)
    for ref, text in texts.items():
        row, column = place_of(ref)
        style = sheet.style(row, column)
        word = _fill_word(book.styles.xml(style, "fill"))
        note = CellNote(ref, f"{AUTHOR} [{word}]", _sign_mark(text, word))
        if notes.add(note, NOTE_SEPARATOR) and word != _OTHER_FILL:
            sheet.restyle(row, column, book.styles.like(style, fill=_MARKED))
    sheet.save()
    notes.save()


def _sign_mark(text: str, word: str) -> str:
    """A mark's text with its signature, if the earlier fill can be encoded: LibreOffice forgets authors."""
    fill = re.search(_PLAIN_FILL, word)
    return add_signature(text, fill[1]) if fill else add_signature(text, "") if not word or _NO_FILL in word else text


def _fill_word_of_note(note: CellNote) -> str | None:
    """A cell's fill before our mark, in the form of `_fill_xml`; None for somebody else's note."""
    if note.author.startswith(f"{AUTHOR} [") and note.author.endswith("]"):
        return note.author[len(AUTHOR) + 2:-1]
    live = read_signature(note.text)
    return live and (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{live}"/>'
                     f'<bgColor rgb="FF{live}"/></patternFill></fill>')


def _fill_word(fill: bytes) -> str:
    """A fill as text for `_fill_xml`: its XML, unless it is more than a plain fill."""
    text = fill.decode("utf-8", "replace")
    return text if len(text) <= 400 and "gradientFill" not in text else _OTHER_FILL


def _fill_xml(word: str) -> bytes:
    return word.encode() if word else b'<fill><patternFill patternType="none"/></fill>'


# Writing changes.


class ChangeWriter:
    """Writes one set of changes to a workbook that was just read."""

    def __init__(self, path: Path, editing: Editor, ruleset: Ruleset, grids: Mapping[str, TableGrid], cells: CellMap,
                 after: Campaign, wording: Wording) -> None:
        desk = after.desk
        self._path, self._editing, self._grids, self._cells, self._after = path, editing, grids, cells, after
        self._lang = desk.language
        self._turns = ruleset.calendar.turns.key
        self._derive = Derivations(ruleset, wording, self._lang, desk.edition)
        self._last = {sheet: max([_last_used(grid), *cells.rows.get(sheet, {}).values()])
                      for sheet, grid in grids.items()}
        self._book = editing.book

    # --- what differs -----------------------------------------------------------------------
    def reword(self, before: Campaign) -> None:
        """Correct the worded cells that were typed over."""
        for place in mismatched_texts(self._book, self._grids, self._cells.rows, before, self._derive):
            self._sheet(place.sheet).put(place.row, place.column, place.value)

    def fill(self, filled: Iterable[tuple[str, int, str]], before: Campaign) -> None:
        """Write the values that reading filled into blank cells (numbers of orders)."""
        by_row = {sheet: {n: key for key, n in self._cells.rows[sheet].items()} for sheet in self._cells.rows}
        for sheet, number, name in filled:
            key = by_row[sheet].get(number)
            row = before.by_sheet(sheet).get(key) if key is not None else None
            if row is not None and name in self._grids[sheet].heads.fields:
                self._put(sheet, number, row, name)

    def apply(self, before: Campaign, offered: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        """Write all changes from one state to the other. `offered`: columns (sheet -> fields) that are added though
        they are still empty. Raises `BookUnsafe`.
        """
        self._add_later_columns(offered)
        removed: dict[str, list[str]] = {}
        added: dict[str, list[tuple[str, Record]]] = {}
        touched: dict[tuple[str, str], None] = {}
        for change in changes(before, self._after):
            if change.sheet == Desk.sheet:
                if isinstance(change, RowAdded):
                    for c in change.row.columns():
                        self._setting(c.name, getattr(change.row, c.name))
                if isinstance(change, FieldSet):
                    self._setting(change.field, change.new)
            elif change.sheet not in self._grids:
                if self._after.by_sheet(change.sheet).record.apart:
                    continue  # a workbook of before, to which no sheet can be added now
                raise BookUnsafe(self._path, f"the sheet {change.sheet} is missing", codes.SHEET_GONE,
                                 sheet=change.sheet)
            elif isinstance(change, FieldSet):
                self._set(change)
                touched[change.sheet, change.key] = None
            elif isinstance(change, RowAdded):
                added.setdefault(change.sheet, []).append((change.key, change.row))
            elif isinstance(change, RowRemoved):
                removed.setdefault(change.sheet, []).append(change.key)
        for sheet, key in touched:
            self._rederive(sheet, key)
        for sheet, keys in removed.items():
            self._remove(sheet, keys)
        for sheet, rows in added.items():
            self._add(sheet, rows)
        for sheet, room in LEAST_FREE_ROWS.items():
            if sheet in self._grids and not self._grids[sheet].block:
                self._make_comfortable(sheet, room, before.desk.turn, [row for _, row in added.get(sheet, ())],
                                       all_of=bool(removed.get(sheet)))

    def _make_comfortable(self, sheet: str, room: int, turn: str, added: list[Any], *, all_of: bool) -> None:
        """Keep blank rows ready, and past turns hidden.

        `turn`: the Desk's before; `all_of`: rows have moved, so every row has to be checked.
        """
        grid = self._grids[sheet]
        table = table_of(self._book, grid.title, grid.table or table_name(grid.record))
        if table is None or not {"turn", "order"} <= grid.heads.fields.keys():
            return
        body_end = table.area.bottom - table.totals
        if self._last[sheet] + room > body_end:
            keep_blank_rows(self._appender(sheet), body_end, room)
            table = table_of(self._book, grid.title, grid.table or table_name(grid.record)) or table
        now = self._after.desk.turn
        if turn == now and not added and not all_of:
            return
        orders = self._after.by_sheet(sheet)
        some = list(orders) if all_of else [*orders.of_turn(turn), *orders.of_turn(now), *added]
        hide_past_turns(self._book, self._sheet(sheet), table, grid.heads.fields["turn"], (turn, now),
                  orders_with_rows(some, self._cells.rows[sheet]), self._turns)

    def _appender(self, sheet: str) -> Appender:
        grid = self._grids[sheet]
        columns = {*grid.heads.fields.values(), *self._derived(sheet).values()}
        return Appender(self._book, self._sheet(sheet), grid.table or table_name(grid.record), grid.heading_row,
                        self._last[sheet], columns, grid.block)

    def _add_later_columns(self, offered: Mapping[str, Sequence[str]]) -> None:
        """Add columns that were declared after the workbook was made, if they will hold something or are offered."""
        for sheet, grid in self._grids.items():
            for c in grid.record.columns():
                wanted = c.later and c.name not in grid.heads.fields and not grid.block
                if wanted and (c.name in offered.get(sheet, ()) or any(
                        getattr(row, c.name) != c.default for row in self._after.by_sheet(sheet))):
                    ws, heads = self._sheet(sheet), grid.heads
                    place = 1 + max([*heads.fields.values(), *heads.unknown, *self._derived(sheet).values()])
                    ws.put(grid.heading_row, place, typed_heading(c.heading(self._lang), c.edit),
                           style=ws.style(grid.heading_row, place - 1))
                    heads.fields[c.name] = place
                    self._cells.letters[sheet][c.name] = letters_of(place)

    def desk(self, lines: DeskLines) -> None:
        """Write turn and phase, who is awaited, and what to do next."""
        write_lines(self._editing, lines, self._after)

    # --- cells ------------------------------------------------------------------------------
    def _sheet(self, sheet: str) -> EditableSheet:
        return self._editing.sheet(self._grids[sheet].title)

    def _put(self, sheet: str, number: int, row: Record, name: str) -> None:
        grid = self._grids[sheet]
        self._sheet(sheet).put(number, grid.heads.fields[name], self._value(sheet, row, row.column(name)))

    def _value(self, sheet: str, row: Record, column: Column) -> float | str | None:
        held = getattr(row, column.name)
        try:
            return self._derive.held(row, column)
        except OverflowError as no:
            raise BookUnsafe(self._path, f"{sheet}, {row.ident}: {no}", codes.TEXT_TOO_LONG, sheet=sheet,
                             row=row.ident, column=column.heading(self._lang), length=len(as_text(held))) from no

    def _set(self, change: FieldSet) -> None:
        number = self._cells.rows[change.sheet][change.key]
        if change.field in self._grids[change.sheet].heads.fields:
            self._put(change.sheet, number, self._after.by_sheet(change.sheet)[change.key], change.field)

    def _setting(self, name: str, value: Any) -> None:
        column = type(self._after.desk).column(name)
        place = self._cells.desk.get(name) or (self._later_setting(column) if column.later else None)
        if place is None:
            return
        self._editing.sheet(self._cells.titles[Desk.sheet]).put(place[1], column_of(place[0]),
                                                         cell_value(column, value, self._lang))

    def _later_setting(self, column: Column) -> tuple[str, int] | None:
        """Add the label of a setting that was declared later below the others, in a workbook that has any."""
        if not self._cells.desk:
            return None
        letter, last = max(self._cells.desk.values(), key=lambda place: place[1])
        ws, value = self._editing.sheet(self._cells.titles[Desk.sheet]), column_of(letter)
        ws.put(last + 1, value - 1, column.heading(self._lang), style=ws.style(last, value - 1))
        ws.put(last + 1, value, None, style=ws.style(last, value))
        self._cells.desk[column.name] = (letter, last + 1)
        return letter, last + 1

    def _derived(self, sheet: str) -> dict[str, int]:
        return derived_columns(self._book, self._grids[sheet])

    def _rederive(self, sheet: str, key: str) -> None:
        number, row = self._cells.rows[sheet][key], self._after.by_sheet(sheet)[key]
        shown = {i: self._derive.value(sheet, name, row) for name, i in self._derived(sheet).items()}
        for i, value in shown.items():
            if value is not None or self._sheet(sheet).cell(number, i) is not None:
                self._sheet(sheet).put(number, i, value)
        self._fit(sheet, number, shown)

    def _fit(self, sheet: str, number: int, shown: Mapping[int, float | str | None]) -> None:
        """Set the height that a row needs for its wrapped texts."""
        ws = self._sheet(sheet)
        points = height_for((ws.width(i), str(text)) for i, text in shown.items() if text)
        if points:
            ws.height(number, points)

    # --- rows -------------------------------------------------------------------------------
    def _add(self, sheet: str, rows: list[tuple[str, Record]]) -> None:
        grid, ws = self._grids[sheet], self._sheet(sheet)
        derived = self._derived(sheet)
        known = self._cells.rows[sheet]
        appender = self._appender(sheet)
        appender.make_room(sum(key not in known for key, _ in rows))
        columns = [(c, grid.heads.fields[c.name]) for c in grid.record.columns() if c.name in grid.heads.fields]
        wrapped = [i for c, i in columns if wraps_text(c)]
        for key, row in rows:
            own = {i: self._value(sheet, row, c) for c, i in columns}
            shown = {i: self._derive.value(sheet, name, row) for name, i in derived.items()}
            if key in known:
                number, left = known[key], {**own, **shown}
            else:
                number = known[key] = appender.next_row({**own, **shown})
                left = {i: text for i, text in shown.items() if text is None}
            for i, value in left.items():
                if value is not None or ws.cell(number, i) is not None:
                    ws.put(number, i, value)
            self._fit(sheet, number, {**{i: own[i] for i in wrapped}, **shown})
        appender.finish()
        self._last[sheet] = max(self._last[sheet], appender.last)

    def _remove(self, sheet: str, keys: list[str]) -> None:
        known = self._cells.rows[sheet]
        if issubclass(self._grids[sheet].record, Rule):
            self._as_in_the_book(sheet, [key for key in keys if key in known])
            return
        gone = {known.pop(key) for key in keys if key in known}
        grid = self._grids[sheet]
        moved = remove_rows(self._book, self._sheet(sheet), grid.table or table_name(grid.record), gone,
                            self._last[sheet], set(grid.heads.fields.values()), grid.block)
        self._last[sheet] -= len(gone)
        self._cells.rows[sheet] = {key: moved.get(n, n) for key, n in known.items()}

    def _as_in_the_book(self, sheet: str, keys: list[str]) -> None:
        """Reset lines of the Rules sheet to the rulebook's values."""
        grid = self._grids[sheet]
        for key in keys:
            number = self._cells.rows[sheet].pop(key)
            self._sheet(sheet).put(number, grid.heads.fields["value"], None)
            for name, i in self._derived(sheet).items():
                self._sheet(sheet).put(number, i, self._derive.value(sheet, name, Rule(key=key)))


def _last_used(grid: TableGrid) -> int:
    """The last row of the table in which one of our columns holds something; the heading's row if there is none."""
    if grid.known is not None:
        return max(grid.known.numbers, default=grid.heading_row)
    ours = set(grid.heads.fields.values())
    for number, cells in reversed(grid.rows):
        if number <= grid.end and any(i in ours and c.value not in (None, "") for i, c in cells.items()):
            return number
    return grid.heading_row


# The sheet that lists changes made by hand, each with a cell for what the referee decides about it.


WIDTHS = (13, 14, 17, 21, 21, 31)


def build_changes_sheet(book: Any, look: SheetLook, lang: str, title: str = "") -> Any:
    """Add the blank sheet to a new workbook. `title`: of the sheet, where it differs from the usual one."""
    from openpyxl.utils import get_column_letter
    from openpyxl.workbook.defined_name import DefinedName

    ws = book.create_sheet(title or label("changes", lang))
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = BAND
    last = len(CHANGES_COLUMNS)
    for i, (key, width) in enumerate(zip(CHANGES_COLUMNS, WIDTHS, strict=True), 1):
        look.band(ws.cell(1, i), 18)
        look.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        edit: Edit = "referee" if i == last else "assistant"
        look.heading(ws.cell(HEADING_ROW, i, typed_heading(_text(key, lang), edit)), edit)
        for row in range(HEADING_ROW + 1, HEADING_ROW + CHANGES_ROOM + 1):
            look.body(ws.cell(row, i), edit, "@", "left", wrap=True)
        ws.column_dimensions[get_column_letter(i)].width = width
    ws.cell(1, 1, ws.title)
    ws.cell(2, 1, _text("changes_about", lang))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height = 30, 20
    ws.row_dimensions[3].height, ws.row_dimensions[HEADING_ROW].height = 6, 33
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 1)
    _offer_word(ws, get_column_letter(last), lang)
    quoted = "'" + ws.title.replace("'", "''") + "'"
    area = f"$A${HEADING_ROW + 1}:${get_column_letter(last)}${HEADING_ROW + CHANGES_ROOM}"
    book.defined_names[CHANGES_NAME] = DefinedName(CHANGES_NAME, attr_text=f"{quoted}!{area}")
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    return ws


def _text(key: str, lang: str) -> str:
    """A label with the word that puts a change back."""
    return label(key, lang).format(back=label("put_back", lang))


def _offer_word(ws: Any, letter: str, lang: str) -> None:
    """Offer the word that puts a change back; any other text is a reason."""
    from openpyxl.worksheet.datavalidation import DataValidation

    validation = DataValidation(type="list", formula1=f'"{label("put_back", lang)}"', allow_blank=True)
    validation.showErrorMessage = False
    validation.showInputMessage = True
    validation.promptTitle = _text("changes_decision", lang)
    validation.prompt = _text("changes_hint", lang)
    validation.add(f"{letter}{HEADING_ROW + 1}:{letter}{HEADING_ROW + CHANGES_ROOM}")
    ws.add_data_validation(validation)


def write_changes_list(editing: Editor, changes: Sequence[ListedChange], lang: str) -> None:
    """Write the list into its place; a workbook without one is left as it is. Raises `Unsafe`."""
    place = editing.book.places(CHANGES_NAME)
    if place is None:
        return
    title, area = place
    sheet, room = editing.sheet(title), area.bottom - area.top + 1
    shown: list[Sequence[str]] = [(*change.texts, change.decision) for change in changes[:room]]
    if len(changes) > room:
        shown[-1] = (*more_changes(len(changes) - room + 1, lang), changes[-1].decision)
    for number, row in enumerate(range(area.top, area.bottom + 1)):
        texts = shown[number] if number < len(shown) else ("",) * len(CHANGES_COLUMNS)
        for column, text in enumerate(texts, area.left):
            sheet.put(row, column, text or None)
