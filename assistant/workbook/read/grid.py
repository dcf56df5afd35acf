"""A grid: raw cells whose headings are known in; records row by row out, and findings for what a column cannot hold."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from assistant.campaign.columns import LONGEST_TEXT, Column, Ref, Text, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import Die, FormRow, Order, Question
from assistant.turn.findings import Finding, Severity, Where
from assistant.wording import Verbatim
from assistant.workbook import codes
from assistant.workbook.ooxml.cells.areas import cell_address, letters_of
from assistant.workbook.port import Known
from assistant.workbook.read.headings import Heads
from assistant.workbook.read.values import Trouble, plain_text, read_value, visible


class RawCell(Protocol):
    """A cell as openpyxl or `values.Raw` has it."""

    @property
    def value(self) -> Any:
        """The value; a formula as its text."""

    @property
    def data_type(self) -> str:
        """One of s, n, b, f, e, d (openpyxl's letters)."""


@dataclass
class Grid:
    """One table as found. `rows`: (row number, column index -> cell), blank rows may be missing;
    `end`: the last row of the Excel table, beneath which a lone cell is a note and no row; `table`: the name
    of the Excel table, "" where there is none; `block`: the columns of a club's own table, which go with their rows;
    `known`: the records, where they come from memory and no row was looked at; `keyless`: a heading
    of the key is missing in a workbook, so that nobody can say which row is which.
    """

    record: type[Record]
    title: str
    heading_row: int
    heads: Heads
    rows: Sequence[tuple[int, Mapping[int, RawCell]]]
    end: int = sys.maxsize
    table: str = ""
    block: frozenset[int] = frozenset()
    known: Known | None = None
    keyless: bool = False

    def address(self, name: str, row: int) -> str:
        """The address of a field in a row."""
        return cell_address(self.title, letters_of(self.heads.fields.get(name, 1)), row)


_PUT_IN = (Order, Question, Die, FormRow)
"""Records of rows that people put in."""


@dataclass
class RowRead:
    """A row as read. `present`: fields whose cell was not blank; `unread`: those it could not take; `told`: where in
    `Notes.findings` stands what was said of it.
    """

    number: int
    row: Any
    present: frozenset[str]
    unread: frozenset[str] = frozenset()
    told: list[int] = field(default_factory=list)


@dataclass
class Notes:
    """Where findings gather while a workbook is read. `off`: by sheet the cells of rows that are marked off; `emptied`:
    cells of orders of which nothing is left but their numbers.
    """

    lang: str
    findings: list[Finding] = field(default_factory=list)
    off: dict[str, list[str]] = field(default_factory=dict)
    emptied: list[str] = field(default_factory=list)

    def tell_off(self) -> None:
        """Say in one finding which rows are marked off, if any are."""
        cells = [cell for found in self.off.values() for cell in found]
        if cells:
            self.add(codes.MARKED_OFF, Where(), "", {"n": len(cells), "list": Verbatim(", ".join(cells))},
                     severity="info")

    def tell_emptied(self) -> None:
        """Say in one finding which orders were emptied, if any were."""
        if self.emptied:
            self.add(codes.EMPTIED, Where(), "", {"n": len(self.emptied), "list": Verbatim(", ".join(self.emptied))},
                     severity="info")

    def add(self, code: str, where: Where, cell: str, data: Mapping[str, Any], faction: str = "",
            severity: Severity = "error", alone: bool = False) -> None:
        """Take a finding in."""
        self.findings.append(Finding(code, severity, where, dict(data), faction, cell, alone))


OFF = ";"
"""The sign in front of a row that does not count."""
_WHOSE = ("faction", "seq")
"""Columns of an order that are looked at for it, too: in front of them stands what Arbitro fills in."""
WHEN = ("turn", "phase")
"""The columns that say when a row counts."""


def marked_off(record: type[Record], fields: Mapping[str, int], cells: Mapping[int, RawCell]) -> int:
    """The column in which a row says that it does not count, 0 for none.

    A row of those that people put in (orders, early answers, dice, parts of a battle's form) does not if its first
    filled cell begins with `OFF`, of an order also its faction or its number.
    """
    if not issubclass(record, _PUT_IN):
        return 0
    first = min((i for i, cell in cells.items() if cell.value not in (None, "")), default=0)
    looked = (first, *(fields.get(name, 0) for name in _WHOSE)) if issubclass(record, Order) else (first,)
    return next((i for i in looked if i in cells and isinstance(cells[i].value, str)
                 and cells[i].value.lstrip().startswith(OFF)), 0)


def without_spare_rows(grid: Grid) -> Grid:
    """A grid of a copy without the rows of a battle's form that say which battle and nothing else: they are there to be
    filled in.
    """
    place = grid.heads.fields.get("battle")
    if not issubclass(grid.record, FormRow) or place is None:
        return grid
    ours = set(grid.heads.fields.values()) - {place}
    kept = [(n, cells) for n, cells in grid.rows if place not in cells or any(
        i in ours and cell.value not in (None, "") and visible(str(cell.value)).strip() for i, cell in cells.items())]
    return replace(grid, rows=kept)


def must_be_filled(record: type[Record], c: Column) -> bool:
    """Whether a blank cell of a column that is there is a finding."""
    if issubclass(record, Order):
        return False  # the rows of clubs are settled in `order_rows`
    if isinstance(c.kind, Ref):  # a part of the key may be blank where its column says so: a mission without a place
        return c.required or not c.kind.blank
    return c.required or (c.key and record.unique and not record.single)


def _counting(grid: Grid, notes: Notes) -> Iterable[tuple[int, Mapping[int, RawCell]]]:
    """The rows of a grid that are not marked off; those that are go to the notes."""
    if not issubclass(grid.record, _PUT_IN):
        return grid.rows
    found = []
    for number, cells in grid.rows:
        off = marked_off(grid.record, grid.heads.fields, cells)
        if off:
            notes.off.setdefault(grid.record.sheet, []).append(cell_address(grid.title, letters_of(off), number))
        else:
            found.append((number, cells))
    return found


def read_rows(grid: Grid, notes: Notes) -> list[RowRead]:
    """The rows that are not blank, in the order of the grid; what is wrong goes to the notes."""
    if grid.known is not None:
        present = frozenset(grid.heads.fields)
        return [RowRead(number, row, present) for number, row in grid.known.wake()]
    plan = [(i, grid.record.column(name)) for name, i in grid.heads.fields.items()]
    plan.sort(key=lambda one: one[0])
    lenient = issubclass(grid.record, (Order, Question))
    plans = [(i, c.name, c, _simple(c), isinstance(c.kind, Whole), lenient and c.edit == "club") for i, c in plan]
    needed = [c for _, c in plan if must_be_filled(grid.record, c)]
    seen: dict[tuple[int, Any, str], Any] = {}  # a column of words says the same few again and again
    found = []
    for number, cells in _counting(grid, notes):
        values: dict[str, Any] = {}
        troubles: list[tuple[str, Trouble]] = []
        for i, name, c, simple, whole, easy in plans:
            cell = cells.get(i)
            if cell is None or (raw := cell.value) is None:
                continue
            kind = cell.data_type
            if kind == "s" and simple:
                text = raw.strip()
                if text.isprintable() and len(text) <= LONGEST_TEXT:
                    if text:
                        values[name] = text
                    continue
            elif whole and type(raw) is int and kind == "n" and _fits(c.kind, raw):
                values[name] = raw
                continue
            elif (i, raw, kind) in seen:
                values[name] = seen[i, raw, kind]
                continue
            if kind == "s" and not visible(raw).strip():
                continue
            try:
                values[name] = value = read_value(c, raw, kind, notes.lang, easy)
                if isinstance(value, (str, int, tuple)):  # what nobody can change
                    seen[i, raw, kind] = value
            except Trouble as trouble:
                troubles.append((name, trouble))
                if trouble.kept is not None:
                    values[name] = trouble.kept
        filled = len(values) + sum(t.kept is None for _, t in troubles)
        if not filled or (number > grid.end and filled == 1):
            continue
        found.append(_taken(grid, notes, number, values, troubles, needed))
    return found


def _simple(c: Column) -> bool:
    return (type(c.kind) is Text and not c.kind.pattern and not c.kind.digits) or type(c.kind) is Ref


def _fits(kind: Any, number: int) -> bool:
    return (kind.minimum is None or number >= kind.minimum) and (
        kind.maximum is None or number <= kind.maximum) and -(10**15) <= number <= 10**15


def _taken(grid: Grid, notes: Notes, number: int, values: dict[str, Any],
           troubles: list[tuple[str, Trouble]], needed: list[Column]) -> RowRead:
    record = grid.record
    row = record(**values)
    unread = frozenset(name for name, _ in troubles)
    faction = str(getattr(row, "faction", ""))
    before = len(notes.findings)
    for name, trouble in troubles:
        where = Where(record.sheet, row.ident, name)
        severity: Severity = "warning" if record.column(name).drawn else trouble.severity
        notes.add(trouble.code, where, grid.address(name, number), trouble.data, faction, severity)
    for c in needed:
        if c.name not in values and c.name not in unread and not (row.timeless and c.name in WHEN):
            notes.add(codes.BLANK, Where(record.sheet, row.ident, c.name), grid.address(c.name, number), {}, faction)
    return RowRead(number, row, frozenset(values), unread, list(range(before, len(notes.findings))))


def read_settings(record: type[Record], pairs: Mapping[int, tuple[object, RawCell]], rows: Mapping[str, int],
                  title: str, column: str, notes: Notes) -> tuple[Record, dict[str, tuple[str, int]]]:
    """A single record from a list of settings.

    `pairs`: row number -> (label, cell of the value); `rows`: field -> row number; `column`: letter of
    the values. Returns the record and field -> (letter, row).
    """
    values: dict[str, Any] = {}
    for name, number in rows.items():
        c, cell = record.column(name), pairs[number][1]
        if cell.value is None or plain_text(cell.value) == "":
            continue
        try:
            values[name] = read_value(c, cell.value, cell.data_type, notes.lang)
        except Trouble as trouble:
            notes.add(trouble.code, Where(record.sheet, "", name), cell_address(title, column, number), trouble.data,
                      severity=trouble.severity)
            if trouble.kept is not None:
                values[name] = trouble.kept
    return record(**values), {name: (column, number) for name, number in rows.items()}
