"""What the referee decided: lines of the proposal in; which table is which record out, or findings about the lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from assistant.campaign.columns import Colour
from assistant.campaign.record import Record
from assistant.campaign.records import Event, Order
from assistant.turn.findings import Where, nearest
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.adopt.adoption_sheet import Line, record_of
from assistant.workbook.adopt.blocks import Block, block_at, blocks, column_of_cells, fills
from assistant.workbook.adopt.proposal import adoptable, fields_of
from assistant.workbook.layout import sheet_title
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import area_of
from assistant.workbook.ooxml.parts.faults import Damaged
from assistant.workbook.read.grid import Notes
from assistant.workbook.read.headings import folded
from assistant.workbook.read.keeping import Kept
from assistant.workbook.read.values import ALIKE, plain_text


@dataclass
class Pick:
    """A club's table that is to hold a record's rows. `columns`: field -> column; `fills`: fields whose values are
    the colours of a column's cells.
    """

    record: type[Record]
    block: Block
    columns: dict[str, int] = field(default_factory=dict)
    fills: dict[str, int] = field(default_factory=dict)

    @property
    def copied(self) -> bool:
        """Whether its rows are copied into a sheet of ours, and the club's table is left alone."""
        return self.record.sheet == Event.sheet

    @property
    def kept(self) -> Kept:
        """As the workbook will remember it."""
        named = {name: (i, self.block.headings[i]) for name, i in self.columns.items()}
        return Kept(self.block.title, self.block.area, named)


def picks(book: OoxmlBook, ruleset: Ruleset, lines: Iterable[Line], notes: Notes) -> list[Pick]:
    """The tables that lines name; what is wrong with the lines goes to the notes, at its line.

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


def _groups(lines: Iterable[Line], records: list[type[Record]]) -> Iterator[tuple[Line, list[Line]]]:
    """A table's line with those of its columns. A line that names its table itself (in a file) needs no first one."""
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


def _table(book: OoxmlBook, ruleset: Ruleset, head: Line, columns: list[Line], notes: Notes) -> Pick | None:
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
    """Let a column be a field; a colour that stands in no text is that of its cells."""
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
    """The column of a line's heading: where it stood, or where its text stands now; 0 for nowhere."""
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
