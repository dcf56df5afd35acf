"""Rows of an Excel table, added, removed or hidden; and cells that are worded from their row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, as_text
from assistant.campaign.records import Order, Rule
from assistant.campaign.tables import Record
from assistant.speech import option_words, rule_sentence, says_another_value
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch, edition_default, is_allowed
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.layout import DERIVED, OFFERS, label
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Area, cell_address, extend_formula, letters_of, shift_formula
from assistant.workbook.ooxml.xml_tree import Unsafe
from assistant.workbook.port import EditableSheet, MismatchedText, Value, WorkbookSource
from assistant.workbook.read.grid import TableGrid, cell_value, fold, plain_text

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
            **{("Questions", name): partial(self._offered, self._options, n)
               for n, name in enumerate(OFFERS["Questions", "answer"])},
            **{("Battles", name): partial(self._offered, self._sides, n)
               for n, name in enumerate(OFFERS["Battles", "winner"])},
            ("Dice", "*who"): lambda row: self.circle(row.audience),
            ("Rules", "*default"): partial(self._of_rule, self._by_the_book),
            ("Rules", "*unit"): partial(self._of_rule, lambda number, _: self._unit(number)),
            ("Rules", "*source"): partial(self._of_rule, lambda number, _: wording.printed(number.source)),
            ("Rules", "*meaning"): partial(self._of_rule, self._in_force),
        }

    def value(self, sheet: str, name: str, row: Record) -> str | int | None:
        """What the cell of a derived column shows. Raises KeyError for an unknown column."""
        shown: str | int | None = self._makers[sheet, name](row)
        return None if shown == "" else shown  # a cell of empty text is no blank cell

    def held(self, row: Record, column: Column) -> float | str | None:
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

    def outdated(self, sheet: str, name: str, row: Record, seen: str) -> bool:
        """Whether a worded cell matches an earlier value of the row, which somebody has changed since."""
        number = self._numbers.get(row.key) if (sheet, name) == ("Rules", "*meaning") and isinstance(row,
                                                                                                     Rule) else None
        return number is not None and says_another_value(number, seen, self._wording)

    def offered(self, switch: Switch) -> list[str]:
        """What the drop-down of a switch offers: its options in words."""
        return [option_words(switch, option, self._wording) or option for option in switch.options]

    def circle(self, audience: str) -> str:
        """Who may know a roll, in words."""
        words = {"": "", PUBLIC: label("everybody", self._lang), REFEREE: label("referee", self._lang)}
        return words.get(audience, audience.replace("+", ", "))

    def _offered(self, words: Callable[[Any], list[str]], n: int, row: Record) -> str:
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
            return "; ".join(filter(None, self.offered(number)))
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
                    outdated = derive.outdated(sheet, name, row, seen)
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
            if (occupied := self._sheet.occupied(area._replace(top=first, bottom=end))) is not None:
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
        own = self._book.calculated(self._table) if self._table is not None else {}
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
    if turn_shown(book, table, turn_column) != before:
        return
    if before != now:
        book.show_only(table, [now])
    for number, order in orders:
        sheet.hide(number, bool(order.turn) and key(order.turn) < key(now))


def turn_shown(book: WorkbookSource, table: TablePart, turn_column: int) -> str:
    """The turn that Arbitro's own filter shows; "" if there is no such filter."""
    filtered = book.shown_only(table)
    return filtered[1][0] if filtered is not None and filtered[0] == turn_column and len(filtered[1]) == 1 else ""


def orders_with_rows(orders: Iterable[Order], rows: Mapping[str, int]) -> list[tuple[int, Order]]:
    """Orders with the numbers of their rows, each once."""
    return list({rows[order.order]: (rows[order.order], order) for order in orders if order.order in rows}.values())
