"""Writes the differences between two states of a campaign into cells; marks findings, lists changes by hand."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.columns import Column, Edit, as_text
from assistant.campaign.records import Desk, Order, Rule
from assistant.campaign.tables import Record
from assistant.speech import option_words, rule_sentence, says_another_value
from assistant.turn import codes
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch, edition_default, is_allowed
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.layout import (
    CHANGES_COLUMNS,
    CHANGES_NAME,
    CHANGES_ROOM,
    DERIVED,
    HEADING_ROW,
    LEAST_FREE_ROWS,
    OFFERS,
    label,
    more_changes,
    table_name,
    typed_heading,
    wraps_text,
)
from assistant.workbook.ooxml.book import OoxmlBook, TablePart
from assistant.workbook.ooxml.cells import (
    Area,
    Value,
    area_of,
    cell_address,
    column_of,
    extend_formula,
    letters_of,
    outer_tree,
    place_of,
    quoted_area,
    shift_formula,
    split_address,
)
from assistant.workbook.ooxml.sheet import CellNote, Editing, SheetNotes
from assistant.workbook.ooxml.xml_tree import Unsafe, WorkbookFault, XmlNode
from assistant.workbook.port import CellMap, EditableSheet, Editor, ListedChange, MismatchedText, WorkbookSource
from assistant.workbook.read.grid import TableGrid, cell_value, fold, plain_text
from assistant.workbook.screening import BookUnsafe
from assistant.workbook.write.sheet_style import (
    BAND,
    MARK_FILL,
    SheetLook,
    define_name,
    height_for,
    input_rule,
    set_page,
    solid_fill,
)

# --- table rows -----------------------------------------------------------------------------------
# Rows of an Excel table, added, removed or hidden; and cells that are worded from their row.

# Values of cells.


class Derivations:
    """The values of derived columns by sheet and name, in the campaign's language."""

    def __init__(self, ruleset: Ruleset | None, wording: Wording, lang: str, edition: str) -> None:
        self._wording, self._ruleset = wording, ruleset
        self._lang = lang
        self._edition = edition
        self._numbers: dict[str, Number | Switch] = {n.key: n for n in ruleset.numbers} if ruleset else {}
        self._makers: dict[tuple[str, str], Callable[[Any], Any]] = {
            ("Events", "*worded"): wording.event,
            ("Questions", "*worded"): wording.question,
            ("Questions", "*to"): lambda row: self.circle(row.to),
            ("Questions", "*options"): lambda row: wording.options(row.options),
            ("Questions", "*default"): lambda row: wording.options(row.default),
            ("Findings", "*worded"): self._finding,
            **{("Questions", name): partial(self._row_words, self._options, n)
               for n, name in enumerate(OFFERS["Questions", "answer"])},
            **{("Battles", name): partial(self._row_words, self._sides, n)
               for n, name in enumerate(OFFERS["Battles", "winner"])},
            ("Dice", "*who"): lambda row: self.circle(row.audience),
            ("Rules", "*default"): partial(self._of_rule, self._by_the_book),
            ("Rules", "*unit"): partial(self._of_rule, lambda number, _: self._unit(number)),
            ("Rules", "*source"): partial(self._of_rule, lambda number, _: wording.printed_chapter(number.source)),
            ("Rules", "*meaning"): partial(self._of_rule, self._in_force),
        }

    def value(self, sheet: str, name: str, row: Record) -> str | int | None:
        """What the cell of a derived column shows. Raises KeyError for an unknown column."""
        shown: str | int | None = self._makers[sheet, name](row)
        return None if shown == "" else shown  # a cell of empty text is no blank cell

    def cell_value(self, row: Record, column: Column) -> float | str | None:
        """What the cell of a field shows; the options of the rulebook's switches are shown in words.

        Raises OverflowError for text that no cell can hold.
        """
        value = getattr(row, column.name)
        if isinstance(row, Rule) and column.name == "value":
            number = self._numbers.get(row.key)
            if isinstance(number, Switch) and value != "" and str(value) in number.options:
                words = option_words(number, str(value), self._wording)
                value = words if words != str(value) else value
        return cell_value(column, value, self._lang)

    def is_outdated(self, sheet: str, name: str, row: Record, seen: str) -> bool:
        """Whether a worded cell matches an earlier value of the row, which somebody has changed since."""
        number = self._numbers.get(row.key) if (sheet, name) == ("Rules", "*meaning") and isinstance(row,
                                                                                                     Rule) else None
        return number is not None and says_another_value(number, seen, self._wording)

    def switch_words(self, switch: Switch) -> list[str]:
        """What the drop-down of a switch offers: its options in words."""
        return [option_words(switch, option, self._wording) or option for option in switch.options]

    def circle(self, audience: str) -> str:
        """Who may know a roll, in words."""
        words = {"": "", PUBLIC: label("everybody", self._lang), REFEREE: label("referee", self._lang)}
        return words.get(audience, audience.replace("+", ", "))

    def _row_words(self, words: Callable[[Any], list[str]], n: int, row: Record) -> str:
        """What a drop-down of a row that waits for somebody offers in one place; "" for nothing."""
        if row.hold != "asked":
            return ""
        choices = words(row)
        return choices[n] if n < len(choices) else ""

    def _options(self, row: Any) -> list[str]:
        """The options that can be taken as they stand: not ``promise:n``."""
        codes = [option.strip() for option in row.options.split(",")]
        return [self._wording.options(code) for code in codes if code and not code.endswith(":n")]

    def _sides(self, row: Any) -> list[str]:
        """What the form takes for who has won, by name."""
        offers = self._ruleset.form.offers if self._ruleset is not None and self._ruleset.form is not None else None
        return [self._wording.names.text(offer) for offer in offers(row, self._lang)] if offers is not None else []

    def _finding(self, row: Any) -> str:
        finding = Finding(row.code, row.severity, Where(row.table, row.row, row.field), row.data, row.faction)
        return self._wording.finding(finding)

    def _of_rule(self, say: Callable[[Number | Switch, Any], str | int], row: Any) -> str | int:
        number = self._numbers.get(row.key)
        return "" if number is None else say(number, row.value)

    def _by_the_book(self, number: Number | Switch, _: Any) -> str | int:
        default = edition_default(number, self._edition)
        return option_words(number, str(default), self._wording) if isinstance(number, Switch) else default

    def _unit(self, number: Number | Switch) -> str:
        """The unit of a number, or what may be chosen."""
        if isinstance(number, Switch):
            return "; ".join(filter(None, self.switch_words(number)))
        return self._wording.text(number.unit) if number.unit else ""

    def _in_force(self, number: Number | Switch, typed: Any) -> str:
        """The rule with the value that counts: what was typed, else the book's."""
        value = typed if typed != "" and is_allowed(number, typed) else edition_default(number, self._edition)
        return rule_sentence(number, value, self._wording)


# Worded cells.
# #
# They are made from their row, so typing over one changes nothing in the campaign; but a club would read it. So it is
# reported, and the next change of the workbook writes what the row really says.


class MismatchedCell(NamedTuple):
    """A worded cell that does not match its row: the sheet's English name, row and column number, and the right value.
    """

    sheet: str
    row: int
    column: int
    value: str | int | None
    told: MismatchedText


def derived_columns(book: WorkbookSource, grid: TableGrid) -> dict[str, int]:
    """Name of a derived column -> its number, for those on the sheet."""
    words = {fold(w): d.name for d in DERIVED.get(grid.record.sheet, ()) for w in (d.en, d.it)}
    if not words:
        return {}
    headings = book.row_near_top(grid.title, grid.heading_row).get(grid.heading_row, {})
    return {words[fold(str(cell.value))]: i for i, cell in headings.items() if fold(str(cell.value)) in words}


def mismatched_texts(book: WorkbookSource, grids: Mapping[str, TableGrid], rows: Mapping[str, Mapping[str, int]],
                campaign: Campaign, derive: Derivations) -> Iterator[MismatchedCell]:
    """The worded cells that do not match their rows, on the sheets that were read.

    `rows`: English sheet name -> key -> row number.
    """
    for sheet, grid in grids.items():
        columns = derived_columns(book, grid) if grid.known is None else {}
        if not columns or any(c.name not in grid.heads.fields for c in grid.record.columns()):
            continue  # where a heading is missing nobody can say what a row says
        cells = book.rows(grid.title)
        for key, number in rows.get(sheet, {}).items():
            row = _record_at(campaign, grid.record, key)
            if row is None:
                continue
            for name, column in columns.items():
                value = derive.value(sheet, name, row)
                right = as_text(value)
                cell = cells.get(number, {}).get(column)
                seen = plain_text(cell.value) if cell is not None else ""
                if seen != right and _sorted_words(seen) != _sorted_words(right):
                    where = cell_address(grid.title, letters_of(column), number)
                    outdated = derive.is_outdated(sheet, name, row, seen)
                    text = MismatchedText(sheet, key, where, seen, right, outdated)
                    yield MismatchedCell(sheet, number, column, value, text)


def _record_at(campaign: Campaign, record: type[Record], key: str) -> Record | None:
    row = campaign.by_sheet(record.sheet).get(key)
    return record(key=key) if row is None and issubclass(record, Rule) else row


def _sorted_words(text: str) -> list[str]:
    return sorted(text.replace(",", " ").replace(":", " ").split())


# Rows of an Excel table.


def table_of(book: WorkbookSource, title: str, name: str) -> TablePart | None:
    """The Excel table with that name on a sheet, or None."""
    return next((t for t in book.tables(title) if t.name.casefold() == name.casefold()), None)


class Appender:
    """Adds rows below the last used one, formatted like the row above, and extends the table."""

    def __init__(self, book: WorkbookSource, sheet: EditableSheet, table: str, heading_row: int, last: int,
                 ours: set[int], block: frozenset[int] = frozenset()) -> None:
        """`last`: last used row; `ours`: numbers of the columns that we write; `block`: those of a club's table."""
        self._book, self._sheet, self._ours, self.last = book, sheet, ours, last
        self._table = table_of(book, sheet.title, table)
        if self._table is not None:
            self._area, self._totals = self._table.area, self._table.totals
        else:
            self._area = Area(min(ours), heading_row, max(ours), max(last, heading_row))
            self._totals = 0
        self._columns = row_columns(self._area, ours, block)
        self._spans = [Area(i, 1, i, 1) for i in self._columns] if block else [self._area]
        self._guarded = self._table is not None or bool(block)
        self._model = max(last, heading_row + 1)
        self._bottom = self._area.bottom
        self._styles: dict[int, int] | None = None
        self._formulas: dict[int, str] = {}

    def make_room(self, count: int) -> None:
        """Extend the table for so many more rows; its totals move down.

        Raises `Unsafe` if something below is in the way.
        """
        body_end = self._area.bottom - self._totals
        need = self.last + count - body_end
        if count <= 0 or need <= 0:
            return
        first, end = max(self._area.bottom, self.last) + 1, self._area.bottom + need
        for area in self._spans if self._guarded else ():
            if (occupied := self._sheet.first_occupied(area._replace(top=first, bottom=end))) is not None:
                raise Unsafe("below", cell_address(self._sheet.title, letters_of(occupied[1]), occupied[0]))
        for row in range(self._area.bottom, body_end, -1) if self._totals else ():
            for column in range(self._area.left, self._area.right + 1):
                _move_total(self._sheet, row, column, row + need, body_end, body_end + need)
        self._bottom = self._area.bottom + need

    def next_row(self, values: Mapping[int, Value] = MappingProxyType({})) -> int:
        """The number of a new row with these values, formatted like the row above; a club's formula column continues in
        it.
        """
        if self._styles is None:
            self._learn()
        assert self._styles is not None
        self.last += 1
        left = {column: value for column, value in values.items() if value is not None}
        for column, style in self._styles.items():
            if not style or self._sheet.cell(self.last, column) is not None:
                continue
            if style > 0 and column in left:  # at once, as most cells of a phase are such
                self._sheet.put(self.last, column, left.pop(column), style=style)
            else:
                self._sheet.restyle(self.last, column, style)
        for column, value in left.items():
            self._sheet.put(self.last, column, value)
        for column, formula in self._formulas.items():
            self._sheet.set_formula(self.last, column, shift_formula(formula, self.last - self._model),
                                    self._sheet.style(self.last, column))
        return self.last

    def _learn(self) -> None:
        self._styles = {}
        own = self._book.calculated_columns(self._table) if self._table is not None else {}
        for column in self._columns:
            if self._sheet.cell(self._model, column) is not None:
                self._styles[column] = self._sheet.style(self._model, column)
            if column not in self._ours:
                formula = self._sheet.formula(self._model, column)
                if formula or column in own:
                    self._formulas[column] = formula or own[column]

    def finish(self) -> None:
        """Extend table, filter, drop-downs and conditional formats to the last row."""
        if self._table is not None and self._bottom != self._area.bottom:
            self._book.set_bottom(self._table, self._bottom)
        if self.last > self._area.bottom - self._totals:
            body = self._area._replace(top=self._area.top + 1, bottom=self._area.bottom - self._totals)
            self._sheet.stretch(body, self.last)


def _move_total(sheet: EditableSheet, row: int, column: int, to: int, old_last: int, last: int) -> None:
    """Move a cell of a totals row; areas in its formula that ended at the old last row now end at the new one."""
    if sheet.cell(row, column) is None:
        return
    formula = sheet.own_formula(row, column)
    sheet.move(row, column, to, formulas=True)
    further = extend_formula(formula, old_last, last)
    if formula and (further != formula or "[" in formula):
        sheet.set_formula(to, column, further, sheet.style(to, column))


def row_columns(area: Area, ours: set[int], block: frozenset[int]) -> list[int]:
    """The columns that move with the rows of a table: all of an Excel table, or a club's own and ours beside them."""
    whole = set(range(area.left, area.right + 1))
    return sorted(whole if not block else ours | block)


def remove_rows(book: WorkbookSource, sheet: EditableSheet, table: str, gone: set[int], last: int, ours: set[int],
                block: frozenset[int] = frozenset()) -> dict[int, int]:
    """Remove rows from a table and close the gap; a club's own columns of the table move with their row.

    Returns old row number -> new one for the rows that moved. A club's formulas stay where they are: they read the
    cells beside them. The table becomes shorter by as many rows (one row always stays).
    """
    if not gone:
        return {}
    excel_table = table_of(book, sheet.title, table)
    area = excel_table.area if excel_table else Area(min(ours), 1, max(ours), last)
    totals = excel_table.totals if excel_table else 0
    body_end = max(last, area.bottom - totals)
    columns = row_columns(area, ours, block)
    moved: dict[int, int] = {}
    to = min(gone)
    for number in range(min(gone), body_end + 1):
        if number in gone:
            continue
        moved[number] = to
        for column in columns:
            sheet.move(number, column, to)
        to += 1
    bottom = max(area.bottom - (body_end + 1 - to), area.top + 1 + totals) if excel_table else area.bottom
    for number in range(to, body_end + 1):
        for column in columns:
            if excel_table is not None and number > bottom - totals:
                sheet.erase(number, column)
            elif excel_table is not None or column in ours:
                sheet.put(number, column, None)
    if excel_table is not None and bottom < area.bottom:
        for row in range(area.bottom - totals + 1, area.bottom + 1):
            for column in range(area.left, area.right + 1):
                _move_total(sheet, row, column, row - area.bottom + bottom, body_end, bottom - totals)
        book.set_bottom(excel_table, bottom)
    return moved


# Blank and past rows on Orders.
# #
# Past turns are hidden by a filter on the turn, as every workbook of ours has from the start: it shows blank cells and
# the present turn. Any other filter is somebody's own and stays; so does a sheet without one.


TurnKey = Callable[[str], Any]


def keep_blank_rows(appender: Appender, bottom: int, room: int) -> None:
    """Extend a table so that there are so many blank rows below its last used one, unless something is in the way.

    `bottom`: the last row that is formatted already.
    """
    used = appender.last
    try:
        appender.make_room(room)
    except Unsafe:
        return  # a club has something below: what is full grows row by row, as it always did
    appender.last = max(used, bottom)
    while appender.last < used + room:
        appender.next_row()
    appender.finish()


def hide_past_turns(book: WorkbookSource, sheet: EditableSheet, table: TablePart, turn_column: int,
              turns: tuple[str, str], orders: Iterable[tuple[int, Order]], key: TurnKey) -> None:
    """Hide the rows of past turns, if the filter is Arbitro's.

    `turns`: the Desk's before and now; `orders`: those whose rows may have to be hidden or shown, each with its row;
    `key`: the order of turns.
    """
    before, now = turns
    if shown_turn(book, table, turn_column) != before:
        return
    if before != now:
        book.show_only(table, [now])
    for number, order in orders:
        sheet.hide(number, bool(order.turn) and key(order.turn) < key(now))


def shown_turn(book: WorkbookSource, table: TablePart, turn_column: int) -> str:
    """The turn that Arbitro's own filter shows; "" if there is no such filter."""
    filtered = book.only_filter(table)
    return filtered[1][0] if filtered is not None and filtered[0] == turn_column and len(filtered[1]) == 1 else ""


def orders_with_rows(orders: Iterable[Order], rows: Mapping[str, int]) -> list[tuple[int, Order]]:
    """Orders with the numbers of their rows, each once."""
    return list({rows[order.order]: (rows[order.order], order) for order in orders if order.order in rows}.values())


# --- write changes --------------------------------------------------------------------------------
# Writes the differences between two states of a campaign into cells; marks findings, and lists changes by hand.

# What will keep Arbitro from writing.
#
# `resolve` would find the same, but only after a phase has been worked out.


def write_blockers(book: OoxmlBook, grids: Mapping[str, TableGrid], cells: CellMap) -> list[Finding]:
    """A remark for merged cells among the rows of our tables, and a finding for a sheet that cannot be parsed."""
    findings: list[Finding] = []
    for sheet, title in cells.titles.items():
        try:
            root = _outside_rows(book, title)
            areas = [area_of(node.get("ref")) for node in root.members("mergeCells", "mergeCell")]
        except WorkbookFault as no:
            findings.append(Finding(codes.SHEET_DAMAGED, "error", Where(sheet), {"sheet": title, "part": no.detail}))
            continue
        if sheet in grids:
            findings += merged_cell_remarks(grids[sheet], areas, cells)
    return findings


def _outside_rows(book: OoxmlBook, title: str) -> XmlNode:
    """A sheet without its rows. Raises `WorkbookFault`."""
    before, prefix, _, after = book.split_part(title)
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
_MARKED = solid_fill(MARK_FILL).encode()


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
    return live and solid_fill(live)


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
        self._ruleset, self._lang = ruleset, desk.language
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
        columns = {*grid.heads.fields.values(), *self._derived_columns(sheet).values()}
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
                    place = 1 + max([*heads.fields.values(), *heads.unknown, *self._derived_columns(sheet).values()])
                    ws.put(grid.heading_row, place, typed_heading(c.heading(self._lang), c.edit),
                           style=ws.style(grid.heading_row, place - 1))
                    heads.fields[c.name] = place
                    self._cells.letters[sheet][c.name] = letters_of(place)

    # --- cells ------------------------------------------------------------------------------
    def _sheet(self, sheet: str) -> EditableSheet:
        return self._editing.sheet(self._grids[sheet].title)

    def _put(self, sheet: str, number: int, row: Record, name: str) -> None:
        grid = self._grids[sheet]
        self._sheet(sheet).put(number, grid.heads.fields[name], self._value(sheet, row, row.column(name)))

    def _value(self, sheet: str, row: Record, column: Column) -> float | str | None:
        held = getattr(row, column.name)
        try:
            return self._derive.cell_value(row, column)
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

    def _derived_columns(self, sheet: str) -> dict[str, int]:
        return derived_columns(self._book, self._grids[sheet])

    def _rederive(self, sheet: str, key: str) -> None:
        number, row = self._cells.rows[sheet][key], self._after.by_sheet(sheet)[key]
        shown = {i: self._derive.value(sheet, name, row) for name, i in self._derived_columns(sheet).items()}
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
        derived = self._derived_columns(sheet)
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
            for name, i in self._derived_columns(sheet).items():
                self._sheet(sheet).put(number, i, self._derive.value(sheet, name, Rule(key=key)))


def _last_used(grid: TableGrid) -> int:
    """The last row of the table in which one of our columns holds something; the heading's row if there is none."""
    if grid.known is not None:
        return max(grid.known.numbers, default=grid.heading_row)
    ours = set(grid.heads.fields.values())
    for number, cells in reversed(grid.rows):
        if number <= grid.end and any(i in ours and c.value not in (None, "") for i, c in cells.items()):
            return int(number)
    return grid.heading_row


# The sheet that lists changes made by hand, each with a cell for what the referee decides about it.


WIDTHS = (13, 14, 17, 21, 21, 31)


def build_changes_sheet(book: Any, look: SheetLook, lang: str, title: str = "") -> Any:
    """Add the blank sheet to a new workbook. `title`: of the sheet, where it differs from the usual one."""
    ws = book.create_sheet(title or label("changes", lang))
    look.begin_sheet(ws, BAND, ws.title, changes_text("changes_about", lang))
    last = len(CHANGES_COLUMNS)
    for i, (key, width) in enumerate(zip(CHANGES_COLUMNS, WIDTHS, strict=True), 1):
        edit: Edit = "referee" if i == last else "assistant"
        look.begin_column(ws, i, typed_heading(changes_text(key, lang), edit), edit, width)
        for row in range(HEADING_ROW + 1, HEADING_ROW + CHANGES_ROOM + 1):
            look.body(ws.cell(row, i), edit, "@", "left", wrap=True)
    ws.row_dimensions[HEADING_ROW].height = 33
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 1)
    _offer_word(ws, letters_of(last), lang)
    define_name(book, CHANGES_NAME, quoted_area(ws.title, Area(1, HEADING_ROW + 1, last, HEADING_ROW + CHANGES_ROOM)))
    set_page(ws, "landscape", 1)
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    return ws


def changes_text(key: str, lang: str) -> str:
    """A label with the word that puts a change back."""
    return label(key, lang).format(back=label("put_back", lang))


def _offer_word(ws: Any, letter: str, lang: str) -> None:
    """Offer the word that puts a change back; any other text is a reason."""
    validation = input_rule(f'"{label("put_back", lang)}"', changes_text("changes_decision", lang),
                            changes_text("changes_hint", lang))
    validation.showErrorMessage = False
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
