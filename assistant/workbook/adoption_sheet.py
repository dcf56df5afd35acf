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
    Proposal,
    TableBlock,
    adoptable_records,
    block_at,
    column_cells,
    field_headings,
    fill_colours,
    find_table_blocks,
)
from assistant.workbook.layout import label, sheet_title
from assistant.workbook.ooxml.book import OoxmlBook, TablePart
from assistant.workbook.ooxml.cells import area_of, cell_address, letters_of
from assistant.workbook.ooxml.xml_tree import Damaged
from assistant.workbook.read.find_tables import TableMapping
from assistant.workbook.read.grid import ALIKE, Notes, fold, plain_text
from assistant.workbook.write.new_workbook import workbook_bytes
from assistant.workbook.write.sheet_style import BAND, INK, MUTED, TINTS, SheetLook, put_text_safely

# The sheet of the proposal.


TABLE_NAME = "tbl_Adoption"
HEADING_ROW = 4
KEYS = ("sheet", "where", "heading", "examples", "table", "column", "why")
KEYS_IT = ("foglio", "dove", "intestazione", "esempi", "tabella", "colonna", "perché")
"""The same words in Italian, for the first line of a file."""
_WIDTHS = (22, 12, 24, 40, 20, 24, 44)
_EDITABLE = (2, 5, 6)
"""The columns that the referee may correct: where, table, column."""
_LISTS = 10
_LONGEST_LIST = 80


@dataclass(frozen=True)
class ProposalLine:
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
    return next((t for t in book.tables() if t.name == TABLE_NAME), None)


def read_lines(book: OoxmlBook, table: TablePart) -> list[ProposalLine]:
    """The lines of the sheet as they stand now. Raises `Damaged`, `Hostile`."""
    left = table.area.left
    found = []
    for number, cells in book.rows(table.sheet).items():
        if not table.area.top < number <= table.area.bottom:
            continue
        said = {key: plain_text(cells[left + i].value) if left + i in cells else "" for i, key in enumerate(KEYS)}
        address = {key: cell_address(table.sheet, letters_of(left + i), number) for i, key in enumerate(KEYS)}
        if said["sheet"] or said["where"]:
            found.append(ProposalLine(
                address, said["sheet"], said["where"], said["heading"], said["table"], said["column"]))
    return found


# --- making it --------------------------------------------------------------------------------
def sheet_lines(proposals: Iterable[Proposal], ruleset: Ruleset, wording: Wording, lang: str) -> list[dict[str, str]]:
    """The lines of proposals in words, by `KEYS`."""
    records = {r.sheet: r for r in adoptable_records(ruleset)}
    lines = []
    for p in proposals:
        record = records.get(p.sheet)
        remark = wording.text(p.remark[0], **p.remark[1]) if p.remark[0] else ""
        lines.append({"sheet": p.block.title, "where": str(p.block.area), "heading": "", "examples": "",
                      "table": sheet_title(record, lang) if record else "", "column": "", "why": remark})
        words = field_headings(record, lang) if record else {}
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
    look = SheetLook()
    _head(ws, look, lang)
    _lists(ws, ruleset, lang)
    _body(ws, look, lines)
    _add_drop_downs(ws, lines, len(adoptable_records(ruleset)), lang)
    return workbook_bytes(book)


def _head(ws: Any, look: SheetLook, lang: str) -> None:
    from openpyxl.utils import get_column_letter

    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = TINTS["club"]
    for i, (key, width) in enumerate(zip(KEYS, _WIDTHS, strict=True), 1):
        look.band(ws.cell(1, i), 18)
        look.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        look.heading(ws.cell(HEADING_ROW, i, label(f"adoption_{key}", lang)), "club" if i in _EDITABLE else "assistant")
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

    for i, record in enumerate(adoptable_records(ruleset), _LISTS):
        for row, word in enumerate([sheet_title(record, lang), *field_headings(record, lang).values()], HEADING_ROW):
            put_text_safely(ws.cell(row, i), word)
        ws.column_dimensions[get_column_letter(i)].hidden = True


def _body(ws: Any, look: SheetLook, lines: Sequence[Mapping[str, str]]) -> None:
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
    table = Table(displayName=TABLE_NAME, ref=f"A{HEADING_ROW}:G{last}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=False)
    table.autoFilter = None
    ws.add_table(table)


def _add_drop_downs(ws: Any, lines: Sequence[Mapping[str, str]], count: int, lang: str) -> None:
    """Add drop-downs: the words for tables, and for each column the words of the table chosen there."""
    from openpyxl.utils import get_column_letter

    first, last = get_column_letter(_LISTS), get_column_letter(_LISTS + count - 1)
    tables = f"${first}${HEADING_ROW}:${last}${HEADING_ROW}"
    starts = [n for n, line in enumerate(lines, HEADING_ROW + 1) if ":" in line["where"]]
    ends = [*(n - 1 for n in starts[1:]), HEADING_ROW + len(lines)]
    for start, end in zip(starts, ends, strict=True):
        _add_drop_down(ws, f"B{start}", "", label("adoption_area_hint", lang), label("adoption_where", lang))
        _add_drop_down(ws, f"E{start}", f"={tables}", label("adoption_table_hint", lang), label("adoption_table", lang))
        at = f"MATCH($E${start},{tables},0)-1"
        top = f"${first}${HEADING_ROW}"
        words = f"OFFSET({top},1,{at},COUNTA(OFFSET({top},1,{at},{_LONGEST_LIST},1)),1)"
        if end > start:
            _add_drop_down(ws, f"F{start + 1}:F{end}", words, label("adoption_column_hint", lang),
                    label("adoption_column", lang))


def _add_drop_down(ws: Any, place: str, formula: str, hint: str, title: str) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    choice = DataValidation(type="list" if formula else None, formula1=formula.lstrip("=") or None, allow_blank=True)
    choice.showErrorMessage = False
    choice.showInputMessage, choice.promptTitle, choice.prompt = True, title[:32], hint[:255]
    choice.add(place)
    ws.add_data_validation(choice)


def record_of(word: str, records: Iterable[type[Record]]) -> type[Record] | None:
    """The record that a word for a table means, in either language; None for an unknown word."""
    return next((r for r in records if fold(word) in (fold(r.sheet), fold(r.sheet_it), fold(r.file))), None)


# What the referee decided.


@dataclass
class TablePick:
    """A club's table chosen for a record. `columns`: field -> column; `fills`: fields whose values are the colours of a
    column's cells.
    """

    record: type[Record]
    block: TableBlock
    columns: dict[str, int] = field(default_factory=dict)
    fills: dict[str, int] = field(default_factory=dict)

    @property
    def copied(self) -> bool:
        """Whether its rows are copied into a sheet of ours and the club's table is left alone."""
        return self.record.sheet == Event.sheet

    @property
    def kept(self) -> TableMapping:
        """The mapping that the workbook will remember."""
        named = {name: (i, self.block.headings[i]) for name, i in self.columns.items()}
        return TableMapping(self.block.title, self.block.area, named)


def read_picks(book: OoxmlBook, ruleset: Ruleset, lines: Iterable[ProposalLine], notes: Notes) -> list[TablePick]:
    """The tables that the lines choose; a finding at the line for what is wrong in it.

    Raises `Damaged`, `Hostile`.
    """
    found: list[TablePick] = []
    first: dict[str, str] = {}
    for head, columns in _by_table(lines, adoptable_records(ruleset)):
        if not head.table:
            for line in columns:
                if line.column:
                    notes.add(codes.NO_TABLE_CHOSEN, Where(), line.address["column"], {"seen": line.column})
            continue
        pick = _read_pick(book, ruleset, head, columns, notes)
        if pick is None:
            continue
        if pick.record.sheet in first:
            notes.add(codes.CHOSEN_TWICE, Where(), head.address["table"],
                      {"seen": head.table, "first": first[pick.record.sheet]})
            continue
        first[pick.record.sheet] = head.address["table"].rpartition("!")[2]
        _read_columns(book, pick, columns, notes)
        _check_keys(pick, head, notes)
        found.append(pick)
    return found


def _by_table(
        lines: Iterable[ProposalLine], records: list[type[Record]],
) -> Iterator[tuple[ProposalLine, list[ProposalLine]]]:
    """Each table's line with the lines of its columns. In a file, lines that name their table need no table line."""
    groups: dict[tuple[str, str], tuple[ProposalLine, list[ProposalLine]]] = {}
    head: tuple[ProposalLine, list[ProposalLine]] | None = None
    for line in lines:
        if ":" in line.where:
            head = groups[line.title, line.where] = (line, [])
        elif line.table:
            record = record_of(line.table, records)
            key = fold(line.title), record.sheet if record else line.table
            groups.setdefault(key, (line, []))[1].append(line)
        elif head is not None:
            head[1].append(line)
    yield from groups.values()


def _read_pick(
        book: OoxmlBook, ruleset: Ruleset, head: ProposalLine, columns: list[ProposalLine], notes: Notes,
) -> TablePick | None:
    records = adoptable_records(ruleset)
    record = record_of(head.table, records)
    if record is None:
        words = [sheet_title(r, notes.lang) for r in records]
        notes.add(codes.NO_SUCH_TABLE, Where(), head.address["table"],
                  {"seen": head.table, "near": nearest(head.table, words, ALIKE), "list": ", ".join(words)})
        return None
    block = _find_block(book, head, columns)
    if block is None or not block.headings:
        notes.add(codes.TABLE_MOVED, Where(), head.address["where"], {"seen": head.title, "where": head.where})
        return None
    return TablePick(record, block)


def _find_block(book: OoxmlBook, head: ProposalLine, columns: list[ProposalLine]) -> TableBlock | None:
    title = next((t for t in book.sheets if fold(t) == fold(head.title)), "")
    if not title:
        return None
    if ":" in head.where:
        try:
            return block_at(book, title, area_of(head.where.replace("$", "").upper()))
        except Damaged:
            return None
    wanted = {fold(line.heading) for line in columns}
    near = [b for b in find_table_blocks(book) if b.title == title]
    return max(near, key=lambda b: len(wanted & {fold(t) for t in b.headings.values()}), default=None)


def _read_columns(book: OoxmlBook, pick: TablePick, lines: list[ProposalLine], notes: Notes) -> None:
    words = {fold(w): name for lang in ("en", "it") for name, w in field_headings(pick.record, lang).items()}
    words |= {fold(name): name for name in field_headings(pick.record, "en")}
    here = {fold(w): name for name, w in field_headings(pick.record, notes.lang).items()}
    where: dict[str, str] = {}
    for line in lines:
        if not line.column:
            continue
        name = here.get(fold(line.column)) or words.get(fold(line.column), "")
        if not name:
            known = list(field_headings(pick.record, notes.lang).values())
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
            _assign_column(book, pick, name, column)


def _assign_column(book: OoxmlBook, pick: TablePick, name: str, column: int) -> None:
    """Assign a column to a field; a colour that no text gives is read from the fill of the cells."""
    kind = pick.record.column(name).kind if not name.startswith("*") else None
    if isinstance(kind, Colour):
        texts = [plain_text(c.value) for c in column_cells(book, pick.block, column).values()]
        if not any(re.fullmatch(kind.pattern, t) for t in texts) and fill_colours(book, pick.block, column):
            pick.fills[name] = column
            return
        if not texts:  # colours that only the program's theme knows
            return
    pick.columns[name] = column


def _column_of(block: TableBlock, line: ProposalLine) -> int:
    """The column of a line's heading: where it was, or where that text is now; 0 if it is nowhere."""
    same = [i for i, text in block.headings.items() if fold(text) == fold(line.heading)]
    here = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?\d+", line.where)
    at = area_of(f"{here[1]}1").left if here else 0
    return at if at in same else (same[0] if same else 0)


def _check_keys(pick: TablePick, head: ProposalLine, notes: Notes) -> None:
    if pick.copied or issubclass(pick.record, Order):
        wanted = [name for name in field_headings(pick.record, notes.lang) if name.startswith("*")]
    else:
        wanted = [c.name for c in pick.record.columns() if c.key]
    for name in wanted:
        if name not in pick.columns:
            notes.add(codes.NO_KEY_CHOSEN, Where(), head.address["table"],
                      {"seen": pick.block.title, "heading": field_headings(pick.record, notes.lang)[name]})
