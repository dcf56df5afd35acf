"""The sheet on which the referee corrects a proposal, and what he decided there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.columns import Colour
from assistant.campaign.records import Event, Order
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Where, nearest
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.adoption_proposal import (
    Block,
    Proposal,
    adoptable,
    block_at,
    blocks,
    column_of_cells,
    fields_of,
    fills,
)
from assistant.workbook.layout import label, sheet_title
from assistant.workbook.ooxml.book import OoxmlBook, TablePart
from assistant.workbook.ooxml.cells import area_of, cell_address, letters_of
from assistant.workbook.ooxml.xml_tree import Damaged
from assistant.workbook.read.find_tables import Kept
from assistant.workbook.read.grid import ALIKE, Notes, folded, plain_text
from assistant.workbook.write.new_workbook import workbook_bytes
from assistant.workbook.write.sheet_style import BAND, INK, MUTED, TINTS, Look, put_text_safely

# The sheet of the proposal.


TABLE = "tbl_Adoption"
HEADING_ROW = 4
KEYS = ("sheet", "where", "heading", "examples", "table", "column", "why")
KEYS_IT = ("foglio", "dove", "intestazione", "esempi", "tabella", "colonna", "perché")
"""The same words in Italian, for the first line of a file."""
_WIDTHS = (22, 12, 24, 40, 20, 24, 44)
_CHOSEN = (2, 5, 6)
"""The columns that the referee may correct: where, table, column."""
_LISTS = 10
_LONGEST_LIST = 80


@dataclass(frozen=True)
class Line:
    """One line of the sheet, or of a file with the same content. `address`: the line's own address. A line whose
    `where` is an area begins a table, and the lines after it are the table's columns.
    """

    address: Mapping[str, str]
    title: str
    where: str
    heading: str
    table: str
    column: str


def adoption_table(book: OoxmlBook) -> TablePart | None:
    """The table of the proposal, if the workbook has one."""
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
            found.append(Line(
                address, said["sheet"], said["where"], said["heading"], said["table"], said["column"]))
    return found


# --- making it --------------------------------------------------------------------------------
def shown_lines(proposals: Iterable[Proposal], ruleset: Ruleset, wording: Wording, lang: str) -> list[dict[str, str]]:
    """The lines of proposals in words, by `KEYS`."""
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
    """A workbook with nothing but this sheet, to be copied into the club's."""
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
    """Write the choices into hidden columns: a table's word at the top, the words of its columns below."""
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
    """Add drop-downs: the words for tables, and for each column the words of the table chosen there."""
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
    """The record that a word for a table means, in either language; None for an unknown word."""
    return next((r for r in records if folded(word) in (folded(r.sheet), folded(r.sheet_it), folded(r.file))), None)


# What the referee decided.


@dataclass
class Pick:
    """A club's table chosen for a record. `columns`: field -> column; `fills`: fields whose values are the colours of a
    column's cells.
    """

    record: type[Record]
    block: Block
    columns: dict[str, int] = field(default_factory=dict)
    fills: dict[str, int] = field(default_factory=dict)

    @property
    def copied(self) -> bool:
        """Whether its rows are copied into a sheet of ours and the club's table is left alone."""
        return self.record.sheet == Event.sheet

    @property
    def kept(self) -> Kept:
        """The mapping that the workbook will remember."""
        named = {name: (i, self.block.headings[i]) for name, i in self.columns.items()}
        return Kept(self.block.title, self.block.area, named)


def picks(book: OoxmlBook, ruleset: Ruleset, lines: Iterable[Line], notes: Notes) -> list[Pick]:
    """The tables that the lines choose; a finding at the line for what is wrong in it.

    Raises `Damaged`, `Hostile`.
    """
    found: list[Pick] = []
    first: dict[str, str] = {}
    for head, columns in _groups(lines, adoptable(ruleset)):
        if not head.table:
            for line in columns:
                if line.column:
                    notes.add(codes.NO_TABLE_CHOSEN, Where(), line.address["column"], {"seen": line.column})
            continue
        pick = _table(book, ruleset, head, columns, notes)
        if pick is None:
            continue
        if pick.record.sheet in first:
            notes.add(codes.CHOSEN_TWICE, Where(), head.address["table"],
                      {"seen": head.table, "first": first[pick.record.sheet]})
            continue
        first[pick.record.sheet] = head.address["table"].rpartition("!")[2]
        _columns(book, pick, columns, notes)
        _keys(pick, head, notes)
        found.append(pick)
    return found


def _groups(
        lines: Iterable[Line], records: list[type[Record]],
) -> Iterator[tuple[Line, list[Line]]]:
    """Each table's line with the lines of its columns. In a file, lines that name their table need no table line."""
    groups: dict[tuple[str, str], tuple[Line, list[Line]]] = {}
    head: tuple[Line, list[Line]] | None = None
    for line in lines:
        if ":" in line.where:
            head = groups[line.title, line.where] = (line, [])
        elif line.table:
            record = record_of(line.table, records)
            key = folded(line.title), record.sheet if record else line.table
            groups.setdefault(key, (line, []))[1].append(line)
        elif head is not None:
            head[1].append(line)
    yield from groups.values()


def _table(
        book: OoxmlBook, ruleset: Ruleset, head: Line, columns: list[Line], notes: Notes,
) -> Pick | None:
    records = adoptable(ruleset)
    record = record_of(head.table, records)
    if record is None:
        words = [sheet_title(r, notes.lang) for r in records]
        notes.add(codes.NO_SUCH_TABLE, Where(), head.address["table"],
                  {"seen": head.table, "near": nearest(head.table, words, ALIKE), "list": ", ".join(words)})
        return None
    block = _block(book, head, columns)
    if block is None or not block.headings:
        notes.add(codes.TABLE_MOVED, Where(), head.address["where"], {"seen": head.title, "where": head.where})
        return None
    return Pick(record, block)


def _block(book: OoxmlBook, head: Line, columns: list[Line]) -> Block | None:
    title = next((t for t in book.sheets if folded(t) == folded(head.title)), "")
    if not title:
        return None
    if ":" in head.where:
        try:
            return block_at(book, title, area_of(head.where.replace("$", "").upper()))
        except Damaged:
            return None
    wanted = {folded(line.heading) for line in columns}
    near = [b for b in blocks(book) if b.title == title]
    return max(near, key=lambda b: len(wanted & {folded(t) for t in b.headings.values()}), default=None)


def _columns(book: OoxmlBook, pick: Pick, lines: list[Line], notes: Notes) -> None:
    words = {folded(w): name for lang in ("en", "it") for name, w in fields_of(pick.record, lang).items()}
    words |= {folded(name): name for name in fields_of(pick.record, "en")}
    here = {folded(w): name for name, w in fields_of(pick.record, notes.lang).items()}
    where: dict[str, str] = {}
    for line in lines:
        if not line.column:
            continue
        name = here.get(folded(line.column)) or words.get(folded(line.column), "")
        if not name:
            known = list(fields_of(pick.record, notes.lang).values())
            near = nearest(line.column, known, ALIKE)
            notes.add(codes.NO_SUCH_COLUMN, Where(), line.address["column"],
                      {"seen": line.column, "sheet": pick.record.sheet, "near": near})
            continue
        column = _column_of(pick.block, line)
        if not column:
            notes.add(codes.TABLE_MOVED, Where(), line.address["heading"],
                      {"seen": line.title, "where": line.heading})
        elif name in where:
            notes.add(codes.CHOSEN_TWICE, Where(), line.address["column"], {"seen": line.column, "first": where[name]})
        else:
            where[name] = line.address["column"].rpartition("!")[2]
            _take(book, pick, name, column)


def _take(book: OoxmlBook, pick: Pick, name: str, column: int) -> None:
    """Assign a column to a field; a colour that no text gives is read from the fill of the cells."""
    kind = pick.record.column(name).kind if not name.startswith("*") else None
    if isinstance(kind, Colour):
        texts = [plain_text(c.value) for c in column_of_cells(book, pick.block, column).values()]
        if not any(re.fullmatch(kind.pattern, t) for t in texts) and fills(book, pick.block, column):
            pick.fills[name] = column
            return
        if not texts:  # colours that only the program's theme knows
            return
    pick.columns[name] = column


def _column_of(block: Block, line: Line) -> int:
    """The column of a line's heading: where it was, or where that text is now; 0 if it is nowhere."""
    same = [i for i, text in block.headings.items() if folded(text) == folded(line.heading)]
    here = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?\d+", line.where)
    at = area_of(f"{here[1]}1").left if here else 0
    return at if at in same else (same[0] if same else 0)


def _keys(pick: Pick, head: Line, notes: Notes) -> None:
    if pick.copied or issubclass(pick.record, Order):
        wanted = [name for name in fields_of(pick.record, notes.lang) if name.startswith("*")]
    else:
        wanted = [c.name for c in pick.record.columns() if c.key]
    for name in wanted:
        if name not in pick.columns:
            notes.add(codes.NO_KEY_CHOSEN, Where(), head.address["table"],
                      {"seen": pick.block.title, "heading": fields_of(pick.record, notes.lang)[name]})
