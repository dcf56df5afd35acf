"""Builds new workbooks with openpyxl, one sheet per record."""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import io
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Column, Moment, Ref, Text
from assistant.campaign.records import Battle, Faction, Order, Rule
from assistant.campaign.tables import Record, Table
from assistant.turn.numbers import on_first_page
from assistant.turn.orders.legal import LegalOrder
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.layout import (
    FREE_ROWS,
    HEADING_ROW,
    OFFERS,
    SPARE_ROWS,
    SheetColumn,
    frozen_columns,
    in_sheet_order,
    label,
    list_name,
    records_with_sheet,
    sheet_about,
    sheet_columns,
    sheet_title,
    table_name,
    typed_heading,
    used_columns,
)
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import letters_of
from assistant.workbook.ooxml.sheet import Editing
from assistant.workbook.ooxml.xml_tree import cell_text, sort_fonts
from assistant.workbook.port import DeskLines
from assistant.workbook.screening import BookUnsafe
from assistant.workbook.write.sheet_style import (
    BAND,
    GOLD,
    LISTS_SHEET,
    RISKY,
    DropDownLists,
    SheetLook,
    UnitChoices,
    build_desk,
    colour_rules,
    fit_row,
    input_rule,
    put_text_safely,
    set_page,
    write_lines,
)
from assistant.workbook.write.write_changes import Derivations, build_changes_sheet

# Rows of a new sheet.
# #
# openpyxl makes an object of every cell, and a workbook has thousands. This writes the same XML without them.


class LightRows:
    """The rows of one sheet, below those that openpyxl writes."""

    def __init__(self, ws: Any, models: Mapping[int, Any], wrapped: Iterable[int],
                 shut: Mapping[int, int] = MappingProxyType({})) -> None:
        """`models`: column -> a cell of the sheet with its formatting, which is removed; `wrapped`: columns that wrap
        lines; `shut`: column -> the style of its cells in rows where nobody types there.
        """
        self._ws, self._wrapped = ws, set(wrapped)
        self._styles = {i: cell.style_id for i, cell in models.items()}
        self._shut = shut
        self._quoted: dict[int, int] = {}
        self._letters = {i: letters_of(i) for i in range(1, ws.max_column + 1)}
        self._rows: list[str] = []
        self.last = 0
        for cell in models.values():
            del ws._cells[cell.row, cell.column]

    def add(self, number: int, values: Mapping[int, Any], *, hidden: bool = False, shut: Collection[int] = (),
            folded: bool = False) -> None:
        """Add a row. `values`: column -> value, None if the cell is only formatted; `hidden`: the row is hidden;
        `shut`: columns in which nobody types in this row; `folded`: a + at the left shows and hides the row.
        """
        texts = {i: text for i, text in values.items() if i in self._wrapped and isinstance(text, str)}
        fit_row(self._ws, number, texts)
        height = self._ws.row_dimensions[number].height if number in self._ws.row_dimensions else None
        if height is not None:
            del self._ws.row_dimensions[number]
        high = "" if height is None else f' ht="{height}" customHeight="1"'
        cells = "".join(self._cell(i, number, values[i], self._shut[i] if i in shut else self._styles.get(i, 0))
                        for i in sorted(values))
        state = ' hidden="1" outlineLevel="1"' if folded else ' hidden="1"' if hidden else ""
        self._rows.append(f'<row r="{number}"{state}{high}>{cells}</row>')
        self.last = number

    def _cell(self, i: int, number: int, value: Any, style: int) -> str:
        place = f"{self._letters[i]}{number}"
        if value is None or value == "":
            return f'<c r="{place}" s="{style}"/>'
        if not isinstance(value, str):
            kind, shown = ("b", int(value)) if isinstance(value, bool) else ("n", value)
            return f'<c r="{place}" s="{style}" t="{kind}"><v>{shown}</v></c>'
        if value.startswith(RISKY):
            style = self._quoted_style(style)
        space = ' xml:space="preserve"' if value != value.strip() else ""
        return f'<c r="{place}" s="{style}" t="inlineStr"><is><t{space}>{cell_text(value).decode()}</t></is></c>'

    def _quoted_style(self, style: int) -> int:
        """A style for a text that looks like a formula."""
        from openpyxl.cell import Cell

        if style not in self._quoted:
            cell: Any = Cell(self._ws, row=1, column=1)
            cell._style = copy(self._ws.parent._cell_styles[style])
            cell.quotePrefix = True
            self._quoted[style] = cell.style_id
        return self._quoted[style]

    def into(self, sheet: bytes) -> bytes:
        """Insert these rows into the sheet's XML that openpyxl wrote without them."""
        before, end, after = sheet.rpartition(b"</sheetData>")
        reach = f"{self._letters[len(self._letters)]}{self.last}".encode()
        head, mark, rest = before.partition(b'<dimension ref="A1:')
        return head + mark + reach + b'"' + rest.partition(b'"')[2] + "".join(self._rows).encode() + end + after


# openpyxl's workbooks.


STYLES_PART = "xl/styles.xml"
"""Where openpyxl writes the styles."""
FIXED_TIME = (2000, 1, 1, 0, 0, 0)


@contextlib.contextmanager
def paused_collection() -> Iterator[None]:
    """Pause garbage collection: openpyxl makes a million objects that all stay, and scanning them again and again takes
    a quarter of the time for loading and saving.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class FixedZip(zipfile.ZipFile):
    """A zip whose bytes depend only on its members: fixed times, members in one order.

    openpyxl writes some members in the order of a set; all are kept until the end and written sorted.
    """

    def __init__(self, target: io.BytesIO) -> None:
        super().__init__(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._members: dict[str, bytes] = {}

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        """Keep a member until the archive is closed."""
        name = getattr(zinfo_or_arcname, "filename", zinfo_or_arcname)
        self._members[name] = data.encode() if isinstance(data, str) else data

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        """Keep a file's bytes until the archive is closed."""
        self.writestr(str(arcname or filename), Path(filename).read_bytes())

    def close(self) -> None:
        """Write all members, the content types first as readers expect."""
        for name in sorted(self._members, key=lambda n: (n != "[Content_Types].xml", n)):
            info = zipfile.ZipInfo(name, FIXED_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            data = self._members[name]
            super().writestr(info, sort_fonts(data) if name == STYLES_PART else data, compresslevel=6)
        self._members = {}
        super().close()


def workbook_bytes(book: Any, after: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType({})) -> bytes:
    """An openpyxl workbook as the bytes of a file; the same workbook gives the same bytes.

    `after`: title of a sheet -> a function that changes its XML.
    """
    from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    buffer = io.BytesIO()
    archive = FixedZip(buffer)

    class Writer(ExcelWriter):
        """openpyxl's, without a file on the disk for every sheet."""

        def write_worksheet(self, ws: Any) -> None:
            """One sheet."""
            ws._drawing = SpreadsheetDrawing()
            ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
            sheet: Any = WorksheetWriter(ws, io.BytesIO())
            sheet.write()
            ws._rels = sheet._rels
            archive.writestr(ws.path[1:], after.get(ws.title, bytes)(sheet.read()))
            self.manifest.append(ws)

    book.properties.modified = dt.datetime(*FIXED_TIME)
    with paused_collection():
        Writer(book, archive).save()
    return buffer.getvalue()


# A sheet of settings for a program.


def settings_workbook(title: str, settings: Mapping[str, str | bool]) -> bytes:
    """A workbook with that sheet, to be copied into another (`ooxml.transplant`); its other sheet is not used."""
    from openpyxl import Workbook

    made = Workbook()
    sheet = made.create_sheet(title)
    sheet.sheet_state = "veryHidden"
    for row, (key, value) in enumerate(settings.items(), 1):
        sheet.cell(row, 1).value, sheet.cell(row, 2).value = key, value
        sheet.cell(row, 2).data_type = "s" if isinstance(value, str) else "b"
    return workbook_bytes(made)


# The order card: a sheet with one line per verb, which nobody fills in.


CARD_SHEET, CHANGES_SHEET = "Card", "Changes"
"""The names of this sheet, and of that of changes by hand, where sheets are called otherwise (`new_workbook_bytes`)."""
CARD_COLUMNS = {"verb": 16, "when": 16, "columns": 62, "shown": 30, "cost": 22, "help": 46, "also": 24}
"""Part of a card -> width of its column in letters."""


def build_card(book: Any, look: SheetLook, ruleset: Ruleset, campaign: Campaign, wording: Wording, title: str = "",
               faction: str = "", known: Sequence[LegalOrder] = ()) -> Any:
    """Add the sheet if the ruleset declares what its verbs need; else return None. `title`: of the sheet; `faction`:
    whose card it is, with its own codes and only the orders it can still give this turn (all, if none);
    `known`: as for `order_cards`.
    """
    lang = campaign.desk.language
    cards = ruleset.order_cards(campaign, lang, wording.text, faction, now=bool(faction), known=known)
    if not cards:
        return None
    ws = book.create_sheet(title or label("card", lang))
    look.begin_sheet(ws, BAND, ws.title, label("card_about", lang))
    for i, (name, width) in enumerate(CARD_COLUMNS.items(), 1):
        look.begin_column(ws, i, label(f"card_{name}", lang), "assistant", width)
    for row, card in enumerate(cards, HEADING_ROW + 1):
        texts = {i: str(getattr(card, name)) for i, name in enumerate(CARD_COLUMNS, 1)}
        for i, text in texts.items():
            look.body(ws.cell(row, i), "assistant", "@", "left", wrap=True)
            put_text_safely(ws.cell(row, i), text or None)
        fit_row(ws, row, texts)
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 2)
    set_page(ws, "landscape", 1)
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    return ws


# New workbooks.


LEGIBLE_WIDTH, UPRIGHT_WIDTH = 260, 90
"""Characters that are readable side by side on a landscape A4 page, and that fit well on an upright one."""
HELP_AUTHOR = "Arbitro (aiuto)"


def new_workbook_bytes(ruleset: Ruleset, campaign: Campaign, path: Path, wording: Wording, desk_lines: DeskLines,
                titles: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """The bytes of a new workbook; equal campaigns give equal bytes. `path` is only used in messages.

    `titles`: of sheets with another title (by English name; ``Card`` and ``Lists`` have no records).
    """
    book = blank_book(campaign.desk.title or ruleset.title)
    builder = WorkbookBuilder(book, ruleset, campaign, path, wording, titles)
    card = build_card(book, builder.look, ruleset, campaign, wording, titles.get(CARD_SHEET, ""))
    for record in in_sheet_order(records_with_sheet(ruleset.records, campaign)):
        if record.single:
            build_desk(book, builder.look, builder.lists, ruleset, campaign, titles, card.title if card else "")
        else:
            ws = builder.table(record)
            if card is not None and record is ruleset.record(Order.sheet):  # beside the rows that it explains
                book.move_sheet(card, book.index(ws) - book.index(card))
    book.move_sheet(build_changes_sheet(book, builder.look, builder.lang, titles.get(CHANGES_SHEET, "")),
                    1 - len(book.worksheets) + 1)
    builder.lists.write()
    return add_desk_lines(builder.file_bytes(), desk_lines, ruleset, campaign)


def table_sheets(ruleset: Ruleset, campaign: Campaign, path: Path, wording: Wording, titles: Mapping[str, str]
                 ) -> bytes:
    """The bytes of a workbook that holds nothing but the empty sheets of some tables. `titles`: of their sheets, by
    English name.
    """
    bare = campaign.copy()
    for sheet in titles:
        bare.put(Table(bare.by_sheet(sheet).record))
    book = blank_book(path.stem)
    builder = WorkbookBuilder(book, ruleset, bare, path, wording, titles)
    for sheet in titles:
        builder.table(bare.by_sheet(sheet).record)
    return builder.file_bytes()


def blank_book(title: str) -> Any:
    """An openpyxl workbook with our settings and no sheet."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator = "Arbitro"
    book.properties.title = title
    book.properties.created = dt.datetime(2000, 1, 1)
    return book


def add_desk_lines(data: bytes, lines: DeskLines, ruleset: Ruleset, campaign: Campaign) -> bytes:
    """A workbook's bytes with the Desk's lines added."""
    editing = Editing(OoxmlBook(data))
    write_lines(editing, lines, ruleset, campaign)
    editing.save()
    return editing.book.package.pack()


class WorkbookBuilder:
    """Builds one workbook. The rows of tables are written without openpyxl's cells (`LightRows`), which is twice as
    fast, but they cannot be changed afterwards.
    """

    def __init__(self, book: Any, ruleset: Ruleset, campaign: Campaign, path: Path, wording: Wording,
                 titles: Mapping[str, str] = MappingProxyType({}),
                 offers: Mapping[str, Sequence[str]] = MappingProxyType({}),
                 by_unit: UnitChoices = MappingProxyType({})) -> None:
        """`offers`, `by_unit`: as for `DropDownLists`."""
        desk = campaign.desk
        self.book, self.ruleset, self.campaign, self.path = book, ruleset, campaign, path
        self.lang = desk.language
        self.look = SheetLook()
        self._titles = titles
        self.lists = DropDownLists(book, ruleset, campaign, self.lang, titles.get(LISTS_SHEET, ""), offers,
                                   by_unit)
        self.light: dict[str, LightRows] = {}
        """Rows that are written without openpyxl's cells, by the titles of their sheets."""
        self._derive = Derivations(ruleset, wording, self.lang, desk.edition)
        self._colours = {f.faction: f.colour for f in campaign.table(Faction)}
        self._looks: dict[str, int] = {}
        usual = on_first_page(ruleset.numbers)
        self._folded = {number.key for number in ruleset.numbers if number.key not in usual} if usual else set[str]()

    def file_bytes(self) -> bytes:
        """The workbook's bytes."""
        return workbook_bytes(self.book, {title: rows.into for title, rows in self.light.items()})

    # --- one sheet --------------------------------------------------------------------------
    def table(self, record: type[Record]) -> Any:
        """The sheet of a table."""
        shown = self.columns(record)
        ws = self.book.create_sheet(self._titles.get(record.sheet) or sheet_title(record, self.lang))
        self._head(ws, record, shown)
        rows = self.rows(record)
        last = HEADING_ROW + max(1, len(rows) + FREE_ROWS.get(record.sheet, 0))
        self._body(ws, record, shown, rows, last)
        self._excel_table(ws, record, shown, last)
        reach = HEADING_ROW + len(rows) + SPARE_ROWS
        self._colour(ws, record, shown, reach)
        self._drop_downs(ws, record, shown, reach)
        width = sum(column.width for column in shown if not column.technical)
        _page(ws, self.lang, width, one_wide=issubclass(record, (Order, Battle)))
        return ws

    def columns(self, record: type[Record]) -> tuple[SheetColumn, ...]:
        """The columns of a table as the sheet shows them."""
        return sheet_columns(record, self.lang, used_columns(self.campaign, record))

    def rows(self, record: type[Record]) -> list[Record]:
        """The rows that stand on the sheet of a table."""
        rows = [row for _, row in self.campaign.by_sheet(record.sheet).raw_rows()]
        if issubclass(record, Rule):  # every number of the rulebook has its line, most without a value
            typed = {row.ident: row for row in rows}
            every = [typed.pop(n.key, None) or record(key=n.key) for n in self.ruleset.numbers]
            return sorted([*every, *typed.values()], key=self._is_folded)
        return rows

    def about(self, record: type[Record]) -> str:
        """The sentence under a sheet's title."""
        return sheet_about(record, self.lang)

    def _head(self, ws: Any, record: type[Record], shown: tuple[SheetColumn, ...]) -> None:
        from openpyxl.comments import Comment

        self.look.begin_sheet(ws, GOLD if any(s.edit == "club" for s in shown) else BAND,
                              typed_heading(ws.title, shown[0].edit), typed_heading(self.about(record), shown[0].edit))
        ws.sheet_format.defaultRowHeight, ws.sheet_format.customHeight = 17, True
        for i, column in enumerate(shown, 1):
            cell = self.look.begin_column(ws, i, column.head, column.edit, column.width)
            if column.hint:
                cell.comment = Comment(column.hint, HELP_AUTHOR, height=22 + 18 * (1 + len(column.hint) // 34),
                                       width=230)
            if column.technical:
                dimension = ws.column_dimensions[cell.column_letter]
                dimension.outlineLevel, dimension.hidden = 1, True
        ws.row_dimensions[HEADING_ROW].height = 33
        ws.freeze_panes = ws.cell(HEADING_ROW + 1, frozen_columns(record.sheet, shown) + 1)

    def _body(
            self, ws: Any, record: type[Record], shown: tuple[SheetColumn, ...], rows: list[Record], last: int) -> None:
        models, shut = {}, dict[int, int]()
        filled = [(i, column) for i, column in enumerate(shown, 1) if not column.empty]
        helping = [(i, column) for i, column in enumerate(shown, 1) if column.empty and column.column is None]
        for i, column in filled:
            cell = ws.cell(HEADING_ROW + 1, i)
            side = "center" if _means_faction(record, column) else column.side
            if self.shuts(record):
                self.look.body(cell, "assistant", column.number_format, side, wrap=column.wrap)
                shut[i] = cell.style_id
            self.look.body(cell, column.edit, column.number_format, side, wrap=column.wrap)
            models[i] = cell._style
        wrapped = [i for i, column in filled if column.wrap]
        light = self.light[ws.title] = LightRows(ws, {i: ws.cell(HEADING_ROW + 1, i) for i in models}, wrapped, shut)
        if any(self._is_folded(row) for row in rows):  # the + stands above what it opens, at the end of the page
            ws.sheet_properties.outlinePr.summaryBelow, ws.sheet_format.outlineLevelRow = False, 1
        for number, row in enumerate(rows, HEADING_ROW + 1):
            values = {i: self.value(record, column, row) for i, column in (*filled, *helping)}
            light.add(number, {i: value for i, value in values.items() if value is not None or i in models},
                      hidden=self._is_past(row), shut=[i for i in shut if not self.open_to(row, shown[i - 1])],
                      folded=self._is_folded(row))
        for number in range(HEADING_ROW + 1 + len(rows), last + 1):
            light.add(number, dict.fromkeys(models))

    def shuts(self, record: type[Record]) -> bool:
        """Whether nobody types in some rows of a table that others may fill in; here: never."""
        return False

    def open_to(self, row: Record, column: SheetColumn) -> bool:
        """Whether somebody types into that column of a row of such a table."""
        return True

    def value(self, record: type[Record], column: SheetColumn, row: Record) -> float | str | None:
        """What a cell shows. Raises `BookUnsafe` for text too long for a cell."""
        if column.column is None:
            return self._derive.value(record.sheet, column.name, row)
        try:
            return self._derive.cell_value(row, column.column)
        except OverflowError as no:
            raise BookUnsafe(self.path, f"{record.sheet}, {row.ident}: {no}") from no

    def _excel_table(self, ws: Any, record: type[Record], shown: tuple[SheetColumn, ...], last: int) -> None:
        from openpyxl.worksheet.filters import AutoFilter, FilterColumn, Filters
        from openpyxl.worksheet.table import Table, TableStyleInfo

        table: Any = Table(displayName=table_name(record), ref=f"A{HEADING_ROW}:{letters_of(len(shown))}{last}")
        table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
        table._initialise_columns()  # else openpyxl looks for the headings in cells of all its rows, and makes them
        for column, sheet_column in zip(table.tableColumns, shown, strict=True):
            column.name = sheet_column.head
        if issubclass(record, Order):  # the turns that are over are filtered away; `write.past_rows` goes on with it
            when = next(i for i, sheet_column in enumerate(shown) if sheet_column.name == "turn")
            table.autoFilter = AutoFilter(ref=table.ref)
            table.autoFilter.filterColumn.append(
                FilterColumn(colId=when, filters=Filters(blank=True, filter=[self.campaign.desk.turn])))
        ws.add_table(table)

    def _is_past(self, row: Record) -> bool:
        """Whether a row is an order of a past turn, which is hidden."""
        key = self.ruleset.calendar.turns.key
        return isinstance(row, Order) and bool(row.turn) and key(row.turn) < key(self.campaign.desk.turn)

    def _is_folded(self, row: Record) -> bool:
        return isinstance(row, Rule) and row.value == "" and row.key in self._folded

    # --- colours and drop-downs -------------------------------------------------------------
    def _colour(self, ws: Any, record: type[Record], shown: tuple[SheetColumn, ...], reach: int) -> None:
        def area(names: list[int]) -> str:
            return " ".join(f"{letters_of(i)}{HEADING_ROW + 1}:{letters_of(i)}{reach}" for i in names)

        factions = [i for i, s in enumerate(shown, 1) if _means_faction(record, s)]
        if factions:
            for rule in self._rules(self._colours):
                ws.conditional_formatting.add(area(factions), rule)
        swatches = [i for i, s in enumerate(shown, 1) if issubclass(record, Faction) and s.name == "colour"]
        if swatches:
            for rule in self._rules({c: c for c in dict.fromkeys(self._colours.values())}):
                ws.conditional_formatting.add(area(swatches), rule)

    def _rules(self, colours: dict[str, str]) -> list[Any]:
        """Like `colour_rules`, with each style only once per workbook: openpyxl compares every one with all others."""
        from openpyxl.formatting.rule import Rule

        fresh = {code: colour for code, colour in colours.items() if colour not in self._looks}
        for rule, colour in zip(colour_rules(self.look, fresh), fresh.values(), strict=True):
            self._looks[colour] = self.book._differential_styles.add(rule.dxf)
        return [Rule(type="cellIs", operator="equal", dxfId=self._looks[colour],
                     formula=['"' + code.replace('"', '""') + '"']) for code, colour in colours.items()]

    def _drop_downs(self, ws: Any, record: type[Record], shown: tuple[SheetColumn, ...], reach: int) -> None:
        first = {s.name: f"${letters_of(i)}{HEADING_ROW + 1}" for i, s in enumerate(shown, 1)}
        for i, column in enumerate(shown, 1):
            if column.column is None or column.edit == "assistant":
                continue
            formula, strict = self._list_of(record, column.column, first)
            if not formula and not column.hint:
                continue
            validation = input_rule(formula, column.heading, column.hint)
            validation.errorStyle = "stop" if strict else "warning"
            validation.showErrorMessage = bool(formula) and strict
            validation.error, validation.errorTitle = label("invalid", self.lang), column.heading[:32]
            letter = letters_of(i)
            validation.add(f"{letter}{HEADING_ROW + 1}:{letter}{reach}")
            ws.add_data_validation(validation)
        keys = [s for s in shown if s.column is not None and s.column.key]
        if len(keys) == 1 and list_name(record.sheet) in self.lists.wanted:
            self.lists.point(record.sheet, ws.title, letters_of(shown.index(keys[0]) + 1),
                             HEADING_ROW + 1, reach)

    def _list_of(self, record: type[Record], c: Column, first: Mapping[str, str]) -> tuple[str, bool]:
        """The formula of a column's drop-down ("" for none) and whether other values are refused. `first`: column ->
        its first cell.
        """
        offers = OFFERS.get((record.sheet, c.name), ())
        if offers and not isinstance(c.kind, Choice):
            return self.lists.of_row(first[offers[0]], first[offers[-1]]), False
        if issubclass(record, Rule) and c.name == "value":
            return self.lists.of_switches(first["key"], self._derive.switch_words), False
        if isinstance(c.kind, Ref):
            return self.lists.of_table(c.kind.table), True
        if c.kind.words:
            return self.lists.of_words(c), not c.kind.own_finding
        if issubclass(record, Order) and isinstance(c.kind, (Text, Moment)):
            return self.lists.of_orders(c.name, first), False
        return "", False


def _means_faction(record: type[Record], column: SheetColumn) -> bool:
    c = column.column
    if c is None:
        return column.name == "*to"
    return (isinstance(c.kind, Ref) and c.kind.table == Faction.sheet) or (
        issubclass(record, Faction) and c.key) or (record.sheet == "Questions" and c.name == "to") or (
        record.sheet == "Findings" and c.name == "faction") or (record.sheet == Order.sheet and c.name == "partner")


def _page(ws: Any, lang: str, width: float, *, one_wide: bool = False) -> None:
    """Set up printing: headings on every page, a narrow sheet upright; a sheet too wide to be readable on one page goes
    over several, each with the first column, unless it is to be `one_wide`. `width`: of all columns, in characters.
    """
    across = 1 if one_wide else max(1, round(width / LEGIBLE_WIDTH))
    set_page(ws, "portrait" if width <= UPRIGHT_WIDTH else "landscape", across)
    if across > 1:
        ws.print_title_cols = "A:A"
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    ws.oddFooter.center.text = f"{label('page', lang)} &P / &N"
    ws.page_margins.left = ws.page_margins.right = 0.4
