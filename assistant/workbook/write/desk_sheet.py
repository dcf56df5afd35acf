"""The Desk sheet: its lines of text and its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Flag, Ref
from assistant.campaign.records import Desk, Faction, Order
from assistant.campaign.tables import Record
from assistant.turn.dice import REFEREE
from assistant.turn.ruleset import Ruleset
from assistant.workbook.layout import (
    HEADING_ROW,
    SPARE_ROWS,
    in_sheet_order,
    label,
    number_format,
    records_with_sheet,
    sheet_about,
    sheet_columns,
    sheet_title,
    table_name,
)
from assistant.workbook.port import DeskLines, EditableSheet, Editor, WorkbookSource
from assistant.workbook.read.grid import cell_value
from assistant.workbook.write.sheet_style import (
    BAND,
    FINDING,
    FONT,
    GOLD,
    INK,
    MUTED,
    PAPER,
    TINTS,
    DropDownLists,
    SheetLook,
    legible_on,
    put_text_safely,
)

# The Desk's lines.


STEPS, OUTCOME_LINES = 6, 4
LEFT_CHARS, RIGHT_CHARS = 82, 74
LONGEST = 2_000


def write_lines(editing: Editor, lines: DeskLines, campaign: Campaign) -> None:
    """Write the Desk's lines into the places marked by its defined names; a place that is gone is skipped.

    Raises `Unsafe`.
    """
    desk = _DeskPlaces(editing)
    lang = campaign.desk.language
    if campaign.desk.title:
        desk.fill("desk_title", [campaign.desk.title], 0)
    desk.fill("desk_where", [lines.where], 0)
    steps = [f"{n}.  {text}" for n, text in enumerate(lines.next_steps, 1)]
    desk.fill("desk_next", fit_texts(steps, STEPS, lang), LEFT_CHARS)
    outcome = list(lines.outcome) or [label("no_outcome", lang)]
    desk.fill("desk_outcome", fit_texts(outcome, OUTCOME_LINES, lang), LEFT_CHARS)
    _write_awaited(editing.book, desk, lines, campaign)
    desk.fit()


def fit_texts(texts: list[str], room: int, lang: str) -> list[str]:
    """As many texts as there is room for; the last line says how many more there are."""
    if len(texts) <= room:
        return texts
    return [*texts[:room - 1], label("and_more", lang).format(n=len(texts) - room + 1)]


class _DeskPlaces:
    """The places on the Desk, by their defined names."""

    def __init__(self, editing: Editor) -> None:
        self._editing = editing
        self._lines: dict[tuple[str, int], int] = {}

    def cells(self, name: str) -> list[tuple[EditableSheet, int, int]]:
        """The cells (sheet, row, column) of a name, from top to bottom; [] if the name or its sheet is gone."""
        place = self._editing.book.places(name)
        if place is None:
            return []
        title, area = place
        return [(self._editing.sheet(title), row, area.left) for row in range(area.top, area.bottom + 1)]

    def fill(self, name: str, texts: list[str], chars: int) -> None:
        """Write texts from top to bottom. `chars`: how many fit on a line; 0 for a row that keeps its height."""
        for i, (sheet, row, column) in enumerate(self.cells(name)):
            text = texts[i] if i < len(texts) else ""
            sheet.put(row, column, text[:LONGEST] or None)
            if chars:
                self.high(sheet, row, text, chars)

    def high(self, sheet: EditableSheet, row: int, text: str, chars: int) -> None:
        """Note how many lines a row needs."""
        key = (sheet.title, row)
        self._lines[key] = max(self._lines.get(key, 1), -(-len(text) // chars))

    def fit(self) -> None:
        """Set the heights that the rows need."""
        for (title, row), count in self._lines.items():
            self._editing.sheet(title).height(row, 6 + 15 * max(1, count))


def _write_awaited(book: WorkbookSource, desk: _DeskPlaces, lines: DeskLines, campaign: Campaign) -> None:
    lang = campaign.desk.language
    colours: Mapping[str, str] = {f.faction: f.colour for f in campaign.table(Faction)}
    cells = desk.cells("desk_awaited")
    people = list(lines.awaited)
    room = len(cells) if len(people) <= len(cells) else len(cells) - 1
    for i, (sheet, row, column) in enumerate(cells):
        who, what = people[i] if i < min(len(people), room) else ("", "")
        if i == room and len(people) > room:
            what = label("and_more", lang).format(n=len(people) - room)
        if not people and i == 0:
            what = label("nobody", lang)
        look = badge_style(book, sheet.style(row, column), colours.get(who, BAND if who else ""))
        sheet.put(row, column, label("referee", lang) if who == REFEREE else who or None, style=look)
        sheet.put(row, column + 1, what[:LONGEST] or None)
        desk.high(sheet, row, what, RIGHT_CHARS)


def badge_style(book: WorkbookSource, style: int, colour: str) -> int:
    """The style of a cell that shows a faction in its colour (``#rrggbb``; "" for a cell without a faction)."""
    plain = colour.lstrip("#").upper()
    font = (f'<font><b val="1"/><sz val="11"/><color rgb="FF{legible_on(colour) if colour else INK}"/>'
            f'<name val="{FONT}"/></font>')  # in the order that the schema has
    fill = (f'<fill><patternFill patternType="solid"><fgColor rgb="FF{plain}"/><bgColor rgb="FF{plain}"/>'
            "</patternFill></fill>") if colour else '<fill><patternFill patternType="none"/></fill>'
    edge = f'<bottom style="medium"><color rgb="FF{PAPER}"/></bottom>' if colour else "<bottom/>"
    border = f"<border><left/><right/><top/>{edge}<diagonal/></border>"
    return book.styles.like(style, font=font.encode(), fill=fill.encode(), border=border.encode())


# The Desk sheet of a new workbook.


WIDTHS = {"A": 2.5, "B": 28, "C": 45, "D": 3, "E": 23, "F": 66, "G": 2.5}
WHERE_ROW, BLOCK_ROW, LINES = 6, 8, 12

LEGEND_ROW = BLOCK_ROW + LINES + 2
SETTINGS_ROW = LEGEND_ROW + 6
_PLACES = {
    "desk_title": "$B$2",
    "desk_where": f"$B${WHERE_ROW}",
    "desk_next": f"$B${BLOCK_ROW + 1}:$B${BLOCK_ROW + STEPS}",
    "desk_outcome": f"$B${BLOCK_ROW + STEPS + 3}:$B${BLOCK_ROW + STEPS + 2 + OUTCOME_LINES}",
    "desk_awaited": f"$E${BLOCK_ROW + 1}:$E${BLOCK_ROW + LINES}",
}


def build_desk(book: Any, look: SheetLook, lists: DropDownLists, ruleset: Ruleset, campaign: Campaign,
               titles: Mapping[str, str] = MappingProxyType({}), card: str = "",
               records: Iterable[type[Record]] | None = None, *, club: bool = False) -> None:
    """Create the Desk as the first sheet of a new workbook; its lines are written later.

    `titles`: of sheets whose title differs from the rulebook's, by English name. `card`: the title of the order card,
    if there is one. `records`: those with a sheet (default: the rulebook's); `club`: it is a club's copy, in which the
    referee has nothing to write.
    """
    from openpyxl.workbook.defined_name import DefinedName

    desk = campaign.desk
    lang = desk.language
    ws = book.create_sheet(titles.get(Desk.sheet) or sheet_title(type(desk), lang), 0)
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = GOLD
    for letter, width in WIDTHS.items():
        ws.column_dimensions[letter].width = width
    _write_bands(ws, look, ruleset, desk)
    _write_blocks(ws, look, lang)
    _write_legend(ws, look, lang, club)
    shown = in_sheet_order(records_with_sheet(ruleset.records, campaign)) if records is None else records
    _write_contents(ws, look, shown, lang, titles, card, club=club)
    _write_settings(ws, look, lists, desk, lang, club)
    quoted = "'" + ws.title.replace("'", "''") + "'"
    for name, place in _PLACES.items():
        book.defined_names[name] = DefinedName(name, attr_text=f"{quoted}!{place}")
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 1
    ws.sheet_properties.pageSetUpPr.fitToPage = True


def _write_bands(ws: Any, look: SheetLook, ruleset: Ruleset, desk: Desk) -> None:
    for column in range(1, 8):
        for row, size in ((1, 8), (2, 26), (3, 12)):
            look.band(ws.cell(row, column), size, "DDE4EC" if row == 3 else PAPER, bold=row == 2)
        ws.cell(4, column).fill = look.solid(GOLD)
        if 2 <= column <= 6:
            ws.cell(WHERE_ROW, column).fill = look.solid("EEF2F6")
    for row, height in ((1, 10), (2, 40), (3, 22), (4, 4), (5, 8), (WHERE_ROW, 36), (7, 10)):
        ws.row_dimensions[row].height = height
    put_text_safely(ws["B2"], desk.title or ruleset.title)
    put_text_safely(ws["B3"], " · ".join(part for part in (ruleset.title, desk.edition) if part))
    ws.cell(WHERE_ROW, 2).font = look.text(18, BAND, bold=True)
    ws.cell(WHERE_ROW, 2).alignment = look.alignment(horizontal="left", vertical="center", indent=1)


def _write_section(ws: Any, look: SheetLook, row: int, first: int, last: int, text: str) -> None:
    for column in range(first, last + 1):
        ws.cell(row, column).border = look.border(bottom=look.side(style="medium", color=GOLD))
    cell = ws.cell(row, first, text)
    cell.font = look.text(13, BAND, bold=True)
    ws.row_dimensions[row].height = 24


def _write_blocks(ws: Any, look: SheetLook, lang: str) -> None:
    _write_section(ws, look, BLOCK_ROW, 2, 3, label("next", lang))
    _write_section(ws, look, BLOCK_ROW, 5, 6, label("awaited", lang))
    _write_section(ws, look, BLOCK_ROW + STEPS + 2, 2, 3, label("outcome", lang))
    wrap = look.alignment(horizontal="left", vertical="center", wrap_text=True)
    for row in range(BLOCK_ROW + 1, BLOCK_ROW + LINES + 1):
        if row != BLOCK_ROW + STEPS + 2:
            ws.merge_cells(start_row=row, end_row=row, start_column=2, end_column=3)
            ws.cell(row, 2).font, ws.cell(row, 2).alignment = look.text(11), wrap
        ws.cell(row, 5).alignment = look.alignment(horizontal="center", vertical="center")
        ws.cell(row, 6).font, ws.cell(row, 6).alignment = look.text(11), look.alignment(
            horizontal="left", vertical="center", wrap_text=True, indent=1)


def _write_legend(ws: Any, look: SheetLook, lang: str, club: bool) -> None:
    _write_section(ws, look, LEGEND_ROW, 2, 3, label("legend", lang))
    colours = (("legend_club", TINTS["club"]), ("legend_referee", TINTS["referee"]),
               ("legend_assistant", TINTS["assistant"]), ("legend_finding", FINDING))
    for row, (key, colour) in enumerate(colours[::2] if club else colours, LEGEND_ROW + 1):
        cell = ws.cell(row, 2)
        cell.fill, cell.border = look.solid(colour), look.hairline
        ws.cell(row, 3, label(key, lang)).font = look.text(11)
        ws.cell(row, 3).alignment = look.alignment(horizontal="left", vertical="center", indent=1)
        ws.row_dimensions[row].height = 20


def _write_contents(ws: Any, look: SheetLook, records: Iterable[type[Record]], lang: str, titles: Mapping[str, str],
              card: str, *, club: bool) -> None:
    from openpyxl.worksheet.hyperlink import Hyperlink

    _write_section(ws, look, LEGEND_ROW, 5, 6, label("sheets", lang))
    sheets: list[tuple[str, str]] = []
    for record in records:
        if not record.single:
            about = sheet_about(record, lang, copy=club)
            sheets.append((titles.get(record.sheet) or sheet_title(record, lang), about))
            if record.sheet == Order.sheet and not titles:  # a club's own table is filled in as the club likes
                sheets.append((_to_next_row(record, lang), label("next_row_about", lang)))
        if card and record.sheet == Order.sheet:
            sheets.append((card, label("card_about", lang)))
    for row, (title, about) in enumerate(sheets, LEGEND_ROW + 1):
        cell = ws.cell(row, 5, title)
        if title.startswith("="):
            cell.value = title
        else:
            cell.hyperlink = Hyperlink(ref=cell.coordinate, location="'" + title.replace("'", "''") + "'!A1",
                                       display=title)
        cell.font = look.font(name="Calibri", size=11, color="2C6391", underline="single")
        told = ws.cell(row, 6, about)
        told.font = look.text(10, MUTED)
        told.alignment = look.alignment(horizontal="left", vertical="center", indent=1)
        cell.alignment = look.alignment(vertical="center")
        ws.row_dimensions[row].height = 20


def _to_next_row(record: type[Record], lang: str) -> str:
    """The formula of a link to the first row below all filled rows of a table."""
    from openpyxl.utils import get_column_letter

    shown = sheet_columns(record, lang)
    names = [one.name for one in shown]
    filled = [get_column_letter(i) for i, one in enumerate(shown, 1) if one.column is not None and one.edit == "club"]

    def area(first: str, last: str) -> str:
        return f"'{sheet_title(record, lang)}'!${first}${HEADING_ROW + 1}:${last}${HEADING_ROW + SPARE_ROWS}"

    where, numbers = get_column_letter(names.index("faction") + 1), f"ROW({area(filled[0], filled[0])})"
    last = f'SUMPRODUCT(MAX(({area(filled[0], filled[-1])}<>"")*({numbers}-{HEADING_ROW})))'
    return f'=HYPERLINK("#"&CELL("address",INDEX({area(where, where)},1+{last})),"{label("next_row", lang)}")'


def _write_settings(ws: Any, look: SheetLook, lists: DropDownLists, desk: Desk, lang: str, club: bool) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation
    from openpyxl.worksheet.table import Table, TableStyleInfo

    _write_section(ws, look, SETTINGS_ROW, 2, 3, label("settings", lang))
    top = SETTINGS_ROW + 1
    for column, key in ((2, "setting"), (3, "value")):
        look.heading(ws.cell(top, column, label(key, lang)), "assistant")
    columns = [c for c in desk.columns() if not club or not c.quiet or c.tells(getattr(desk, c.name))]
    for row, c in enumerate(columns, top + 1):
        name, value = ws.cell(row, 2, c.heading(lang)), ws.cell(row, 3)
        name.font, name.border = look.text(10.5, INK, bold=True), look.hairline
        name.alignment = look.alignment(horizontal="left", vertical="center", indent=1)
        edit = "assistant" if club else c.edit
        look.body(value, edit, number_format(c), "left", wrap=False)
        put_text_safely(value, cell_value(c, getattr(desk, c.name), lang))
        ws.row_dimensions[row].height = 20
        if edit == "assistant":
            continue
        formula = lists.of_table(c.kind.table) if isinstance(c.kind, Ref) else (
            lists.of_words(c) if isinstance(c.kind, (Choice, Flag)) else "")
        if formula or c.hint(lang):
            validation = DataValidation(type="list" if formula else None, formula1=formula or None, allow_blank=True)
            validation.showErrorMessage = bool(formula)
            validation.error = label("invalid", lang)
            if c.hint(lang):
                validation.showInputMessage = True
                validation.promptTitle, validation.prompt = c.heading(lang)[:32], c.hint(lang)[:255]
            validation.add(value.coordinate)
            ws.add_data_validation(validation)
    table = Table(displayName=table_name(type(desk)), ref=f"B{top}:C{top + len(columns)}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    table.autoFilter = None
    ws.add_table(table)
