"""The sheet of the proposal: lines in; a sheet for the referee to correct out, and its corrected lines again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.campaign.record import Record
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.adopt.proposal import Proposal, adoptable, fields_of
from assistant.workbook.labels import label
from assistant.workbook.layout import sheet_title
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.excel_tables import TablePart
from assistant.workbook.ooxml.cells.areas import cell_address, letters_of
from assistant.workbook.read.headings import folded
from assistant.workbook.read.values import plain_text
from assistant.workbook.write.fixed_bytes import workbook_bytes
from assistant.workbook.write.look import BAND, INK, MUTED, TINTS, Look, put_text_safely

TABLE = "tbl_Adoption"
HEADING_ROW = 4
KEYS = ("sheet", "where", "heading", "examples", "table", "column", "why")
KEYS_IT = ("foglio", "dove", "intestazione", "esempi", "tabella", "colonna", "perché")
"""The same as an Italian types them at the top of a file."""
_WIDTHS = (22, 12, 24, 40, 20, 24, 44)
_CHOSEN = (2, 5, 6)
"""The columns that the referee may correct: where, table, column."""
_LISTS = 10
_LONGEST_LIST = 80


@dataclass(frozen=True)
class Line:
    """One line of the sheet, or of a file that says the same. `address`: where it stands itself; a line whose
    `where` is an area begins a table, the lines after it are its columns.
    """

    address: Mapping[str, str]
    title: str
    where: str
    heading: str
    table: str
    column: str


def adoption_table(book: OoxmlBook) -> TablePart | None:
    """The table of the sheet, if the workbook has one."""
    return next((t for t in book.tables() if t.name == TABLE), None)


def read_lines(book: OoxmlBook, table: TablePart) -> list[Line]:
    """The lines of the sheet as they stand now. Raises `Damaged`, `Hostile`."""
    left = table.area.left
    found = []
    for number, cells in book.rows(table.sheet).items():
        if not table.area.top < number <= table.area.bottom:
            continue
        said = {key: plain_text(cells[left + i].value) if left + i in cells else "" for i, key in enumerate(KEYS)}
        address = {key: cell_address(table.sheet, letters_of(left + i), number) for i, key in enumerate(KEYS)}
        if said["sheet"] or said["where"]:
            found.append(Line(address, said["sheet"], said["where"], said["heading"], said["table"], said["column"]))
    return found


# --- making it --------------------------------------------------------------------------------
def shown_lines(proposals: Iterable[Proposal], ruleset: Ruleset, wording: Wording, lang: str) -> list[dict[str, str]]:
    """The lines of proposals in words, by the names of `KEYS`."""
    records = {r.sheet: r for r in adoptable(ruleset)}
    lines = []
    for p in proposals:
        record = records.get(p.sheet)
        remark = wording.text(p.remark[0], **p.remark[1]) if p.remark[0] else ""
        lines.append({"sheet": p.block.title, "where": str(p.block.area), "heading": "", "examples": "",
                      "table": sheet_title(record, lang) if record else "", "column": "", "why": remark})
        words = fields_of(record, lang) if record else {}
        for i, heading in p.block.headings.items():
            why, of = p.why.get(i, ("", ""))
            lines.append({
                "sheet": p.block.title, "where": f"{letters_of(i)}{p.block.area.top}", "heading": heading,
                "examples": ", ".join(p.examples.get(i, ()))[:60], "table": "",
                "column": words.get(p.fields.get(i, ""), ""), "why": wording.text(why, sheet=of) if why else ""})
    return lines


def build_sheet(lines: Sequence[Mapping[str, str]], ruleset: Ruleset, title: str, lang: str) -> bytes:
    """A workbook that holds nothing but the sheet, under a title; to be put into the club's."""
    from openpyxl import Workbook

    book = Workbook()
    ws = book.worksheets[0]
    ws.title = title
    look = Look()
    _head(ws, look, lang)
    _lists(ws, ruleset, lang)
    _body(ws, look, lines)
    _choices(ws, lines, len(adoptable(ruleset)), lang)
    return workbook_bytes(book)


def _head(ws: Any, look: Look, lang: str) -> None:
    from openpyxl.utils import get_column_letter

    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = TINTS["club"]
    for i, (key, width) in enumerate(zip(KEYS, _WIDTHS, strict=True), 1):
        look.band(ws.cell(1, i), 18)
        look.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        look.heading(ws.cell(HEADING_ROW, i, label(f"adoption_{key}", lang)), "club" if i in _CHOSEN else "assistant")
        ws.column_dimensions[get_column_letter(i)].width = width
    ws.cell(1, 1, label("adoption", lang))
    ws.cell(2, 1, label("adoption_about", lang))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height, ws.row_dimensions[HEADING_ROW].height = 30, 20, 24
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 1)
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True


def _lists(ws: Any, ruleset: Ruleset, lang: str) -> None:
    """What may be chosen: in hidden columns, a table's word at the top, the words of its columns beneath."""
    from openpyxl.utils import get_column_letter

    for i, record in enumerate(adoptable(ruleset), _LISTS):
        for row, word in enumerate([sheet_title(record, lang), *fields_of(record, lang).values()], HEADING_ROW):
            put_text_safely(ws.cell(row, i), word)
        ws.column_dimensions[get_column_letter(i)].hidden = True


def _body(ws: Any, look: Look, lines: Sequence[Mapping[str, str]]) -> None:
    from openpyxl.worksheet.table import Table, TableStyleInfo

    for number, line in enumerate(lines, HEADING_ROW + 1):
        first = ":" in line["where"]
        for i, key in enumerate(KEYS, 1):
            cell = ws.cell(number, i)
            asked = i == 6 if not first else i in (2, 5)
            look.body(cell, "club" if asked else "assistant", "@", "left", wrap=False)
            cell.font = look.text(11 if first else 10.5, BAND if first else MUTED if key == "why" else INK, bold=first)
            put_text_safely(cell, line[key] or None)
            if first:
                edge = look.side(style="medium", color=BAND)
                cell.border = look.border(top=edge, bottom=look.side(style="thin", color=BAND))
        ws.row_dimensions[number].height = 24 if first else 18
    last = HEADING_ROW + max(1, len(lines))
    table = Table(displayName=TABLE, ref=f"A{HEADING_ROW}:G{last}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    table.autoFilter = None
    ws.add_table(table)


def _choices(ws: Any, lines: Sequence[Mapping[str, str]], count: int, lang: str) -> None:
    """Drop-downs: a table's word for each table, and for its columns the words of the table chosen there."""
    from openpyxl.utils import get_column_letter

    first, last = get_column_letter(_LISTS), get_column_letter(_LISTS + count - 1)
    tables = f"${first}${HEADING_ROW}:${last}${HEADING_ROW}"
    starts = [n for n, line in enumerate(lines, HEADING_ROW + 1) if ":" in line["where"]]
    ends = [*(n - 1 for n in starts[1:]), HEADING_ROW + len(lines)]
    for start, end in zip(starts, ends, strict=True):
        _choice(ws, f"B{start}", "", label("adoption_area_hint", lang), label("adoption_where", lang))
        _choice(ws, f"E{start}", f"={tables}", label("adoption_table_hint", lang), label("adoption_table", lang))
        at = f"MATCH($E${start},{tables},0)-1"
        top = f"${first}${HEADING_ROW}"
        words = f"OFFSET({top},1,{at},COUNTA(OFFSET({top},1,{at},{_LONGEST_LIST},1)),1)"
        if end > start:
            _choice(ws, f"F{start + 1}:F{end}", words, label("adoption_column_hint", lang),
                    label("adoption_column", lang))


def _choice(ws: Any, place: str, formula: str, hint: str, title: str) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    choice = DataValidation(type="list" if formula else None, formula1=formula.lstrip("=") or None, allow_blank=True)
    choice.showErrorMessage = False
    choice.showInputMessage, choice.promptTitle, choice.prompt = True, title[:32], hint[:255]
    choice.add(place)
    ws.add_data_validation(choice)


def record_of(word: str, records: Iterable[type[Record]]) -> type[Record] | None:
    """The record that a table's word means, in either language; None for no such word."""
    return next((r for r in records if folded(word) in (folded(r.sheet), folded(r.sheet_it), folded(r.file))), None)
