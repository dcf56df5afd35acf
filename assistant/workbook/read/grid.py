"""Reads rows of cells under known headings, with a finding for what a column cannot hold."""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from assistant.campaign.columns import (
    LONGEST_TEXT,
    Column,
    Data,
    Moment,
    Ordinal,
    Parts,
    Ref,
    Rows,
    Text,
    Typed,
    UnreadableValue,
    Whole,
    as_text,
)
from assistant.campaign.records import Die, FormRow, Order, Question
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Finding, Severity, Where, nearest
from assistant.wording import Verbatim
from assistant.workbook.layout import DERIVED
from assistant.workbook.ooxml.cells import Cell, cell_address, letters_of
from assistant.workbook.port import UntouchedRows

# One cell.


REMARKED = {"text": "fed", "answer": "d"}
"""Columns in which clubs write words -> types that are reported there; other answers are judged by their question."""
# signs that a cell of Excel can hold
LONGEST_CELL = 32_767
# Excel keeps 15 digits
LARGEST = 10**15
ALIKE = 0.6
"""How similar a word must be to one of a list to be suggested; otherwise the list speaks for itself."""
_CONTROL = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
_INVISIBLE = (
    "[\x80-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e00ff]|(?<![^\x00-\u02af])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u02af])")
"""Characters that are invisible or change the direction of text. Joiners stay between characters that need them (emoji,
Persian).
"""
_DIGITS = re.compile(r"-?(0|[1-9]\d{0,14})", re.ASCII)
_THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:['’\s]\d{3})+)"
_REASONS = {"number": codes.NOT_NUMBER, "whole": codes.NOT_WHOLE, "range": codes.OUT_OF_RANGE,
            "choice": codes.NOT_CHOICE, "flag": codes.NOT_FLAG, "pattern": codes.BAD_PATTERN, "data": codes.BAD_DATA}


def readable(text: str) -> str:
    """A text as people see it: without invisible (`strip_invisible`) and control characters."""
    return text if text.isprintable() else re.sub(_CONTROL, "", strip_invisible(text))


class UnreadableCell(Exception):
    """A cell that its column cannot take; the reader turns it into a finding. `kept`: the value that the row gets."""

    def __init__(self, code: str, data: Mapping[str, Any], kept: Any = None, severity: Severity = "error") -> None:
        super().__init__(code)
        self.code, self.data, self.kept, self.severity = code, dict(data), kept, severity


def strip_invisible(text: str) -> str:
    """A text without characters that are invisible or change its direction; most texts have none."""
    if text.isprintable():
        return text
    while (less := re.sub(_INVISIBLE, "", text)) != text:  # what is left may stand beside other signs now
        text = less
    return text


def plain_text(value: Any) -> str:
    """A raw cell of any type as trimmed text: formulas as typed, dates as ISO, LF as line end."""
    if isinstance(value, (dt.datetime, dt.date)):
        midnight = isinstance(value, dt.datetime) and value.time() == dt.time()
        return value.date().isoformat() if midnight and isinstance(value, dt.datetime) else value.isoformat(" ") \
            if isinstance(value, dt.datetime) else value.isoformat()
    text = as_text(getattr(value, "text", None) if hasattr(value, "text") else value)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_value(column: Column, value: Any, data_type: str, lang: str, lenient: bool = False) -> Any:
    """The field's value of a raw cell that is not blank.

    `lenient`: for a club's order or answer, text columns take anything, so that the ruleset can refuse and quote it; a
    date or formula among its words gets a remark. Raises `UnreadableCell`.
    """
    kind = column.kind
    takes_all = lenient and isinstance(kind, (Text, Typed, Ref, Ordinal))
    if data_type in "fed" and (not takes_all or data_type in REMARKED.get(column.name, "")):
        code = {"f": codes.FORMULA, "e": codes.ERROR_VALUE, "d": codes.DATE}[data_type]
        seen = plain_text(value)
        raise UnreadableCell(code, {"seen": seen}, seen if takes_all else None, "warning" if takes_all else "error")
    text = plain_text(value)
    if not text.isprintable() and re.search(_CONTROL, text):
        cleaned = re.sub(_CONTROL, "", text)
        if lenient:
            kept = read_value(column, cleaned, "s", lang, lenient) if strip_invisible(cleaned).strip() else None
            raise UnreadableCell(codes.CONTROL, {"seen": cleaned[:80]}, kept, "warning")
        raise UnreadableCell(codes.CONTROL, {"seen": cleaned[:80]}, kept=cleaned if isinstance(kind, Text) else None)
    seen = strip_invisible(text)
    if seen != text and not isinstance(kind, Data):
        kept = read_value(column, seen, "s", lang, lenient) if seen.strip() else None
        raise UnreadableCell(codes.INVISIBLE, {"seen": seen[:80]}, kept, "warning")
    if lenient and not column.key:
        text = text[:LONGEST_CELL]
    longest = LONGEST_CELL if isinstance(kind, (Data, Rows)) or (lenient and not column.key) else LONGEST_TEXT
    if len(text) > longest:
        kept = text[:longest] if isinstance(kind, Text) else None
        raise UnreadableCell(codes.TOO_LONG, {"seen": text[:40] + "…", "length": len(text), "allowed": longest}, kept)
    try:
        result = kind.read(text)
    except UnreadableValue as no:
        raise _unreadable_cell(column, no, text, lang) from None
    if isinstance(result, int) and abs(result) > LARGEST:
        raise UnreadableCell(codes.OUT_OF_RANGE, {"seen": text[:40], "allowed": f"<= {LARGEST}"})
    # half of a sign, which JSON can spell and no file can hold
    if (isinstance(kind, Data) and "\\ud" in text.lower()
            and re.search(_CONTROL, json.dumps(result, ensure_ascii=False))):
        raise UnreadableCell(codes.BAD_DATA, {"seen": text[:80], "allowed": "JSON"})
    return result


def _unreadable_cell(column: Column, no: UnreadableValue, text: str, lang: str) -> UnreadableCell:
    data: dict[str, Any] = {"seen": text[:80], "allowed": no.allowed}
    if column.kind.words:
        words = [column.word(code, lang) for code in column.kind.words]
        data.update(allowed=", ".join(words), near=nearest(text, words, ALIKE))
    if no.reason in ("number", "whole") and re.fullmatch(_THOUSANDS, text):
        return UnreadableCell(codes.THOUSANDS, {"seen": text[:80], "plain": re.sub(r"[^\d+-]", "", text)})
    if no.reason == "whole" and isinstance(column.kind, Parts):
        return UnreadableCell(codes.NOT_IN_STEPS, {"seen": text[:80], "step": column.kind.show(1)})
    if no.reason == "pattern":
        data["allowed"] = _example(no.allowed)
    return UnreadableCell(_REASONS[no.reason], data, kept=text if isinstance(column.kind, Text) else None)


def _example(pattern: str) -> str:
    """A pattern as a referee reads it: ``[A-Z]{1,3}-\\d+`` -> ``ABC-1``."""
    shown = re.sub(r"#\[0-9A-Fa-f\]\{6\}", "#1f6f8b", pattern)
    shown = re.sub(r"\[A-Z\](\{1,3\}|\+)?", "V", shown)
    return re.sub(r"\\d(\+|\{[\d,]+\})?", "1", shown)


def cell_value(column: Column, value: Any, lang: str) -> float | str | None:
    """What a cell shows of a field: numbers as numbers, words in the language, None if it is empty.

    Raises OverflowError for text too long for a cell.
    """
    kind = column.kind
    if isinstance(kind, (Whole, Typed)):
        return value if isinstance(value, int) or value is None else (str(value) or None)
    if isinstance(kind, Parts):
        return value if value is None else value // kind.per if value % kind.per == 0 else value / kind.per
    if isinstance(kind, Moment):
        return int(value) if _DIGITS.fullmatch(value) else (value or None)
    text = column.word(value, lang)
    if len(text) > LONGEST_CELL:
        raise OverflowError(f"{column.name}: {len(text)} characters do not fit into a cell")
    return text or None


# Headings.


LIKE, MUCH_LIKE = 0.3, 0.8
"""How similar an unknown heading must be to a missing field, from 0 to 1: to any field, and to an optional one."""


@lru_cache(maxsize=4096)
def fold(heading: str) -> str:
    """A heading without case, accents, underscores, double blanks, and a final colon or star."""
    plain = unicodedata.normalize("NFKD", heading.replace("_", " ").rstrip(" :*"))
    return " ".join("".join(ch for ch in plain if not unicodedata.combining(ch)).casefold().split())


@dataclass(eq=False, repr=False)
class Heads:
    """A heading row as understood. `fields`: field -> column index; `twice`: (field, column index, text);
    `unknown`: column index -> text; `exact`: how many headings were known.
    """

    fields: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int, str]] = field(default_factory=list)
    unknown: dict[int, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many headings were understood."""
        return len(self.fields)


_SCHEMES: dict[type[Record], tuple[dict[str, str], ...]] = {}


def _schemes(record: type[Record]) -> tuple[dict[str, str], ...]:
    """Word -> field: as field names and aliases, English, Italian; then the same three folded."""
    if record in _SCHEMES:
        return _SCHEMES[record]
    names: dict[str, str] = {}
    for c in record.columns():
        names.update(dict.fromkeys((*c.alias, c.name), c.name))
    schemes = [names, {c.en: c.name for c in record.columns()}, {c.it: c.name for c in record.columns()}]
    _SCHEMES[record] = (*schemes, *({fold(k): v for k, v in scheme.items()} for scheme in schemes))
    return _SCHEMES[record]


def match_headings(record: type[Record], row: Mapping[int, object]) -> Heads:
    """Match a row of raw values (column index -> value) against a record's headings.

    A word that means two columns (``A`` is a field and an Italian heading) is read in the scheme that most of the other
    headings use.
    """
    texts = {i: text for i, raw in sorted(row.items()) if (text := plain_text(raw))}
    schemes = _schemes(record)
    weight = []
    for number in range(3):
        exact, loose = schemes[number], schemes[number + 3]
        weight.append(sum(2 * (t in exact) + (fold(t) in loose) for t in texts.values()))
    order = sorted(range(3), key=lambda n: -weight[n])
    heads = Heads()
    derived = {fold(word) for d in DERIVED.get(record.sheet, ()) for word in (d.en, d.it)}
    for i, text in texts.items():
        name = next((schemes[n][text] for n in order if text in schemes[n]), "") or next(
            (schemes[n + 3][fold(text)] for n in order if fold(text) in schemes[n + 3]), "")
        if not name:
            if fold(text) not in derived:
                heads.unknown[i] = text
        elif name in heads.fields:
            heads.twice.append((name, i, text))
        else:
            heads.fields[name] = i
    if issubclass(record, Order):
        _order_is_verb(heads, texts)
    _second_of_a_pair(record, heads)
    return heads


def _second_of_a_pair(record: type[Record], heads: Heads) -> None:
    """In tables that join two of a kind, `a` and `b`, both columns may have the heading of the first."""
    kinds = [c.kind for c in record.columns() if c.name in ("a", "b") and c.key]
    again = [repeat for repeat in heads.twice if repeat[0] == "a"]
    if len(kinds) == 2 and isinstance(kinds[0], Ref) and kinds[0] == kinds[1] and len(again) == 1 and (
            "b" not in heads.fields):
        heads.fields["b"] = again[0][1]
        heads.twice.remove(again[0])


def _order_is_verb(heads: Heads, texts: Mapping[int, str]) -> None:
    """Take a heading "Order" for the verb if the sheet has neither verb nor line, as in some rulebooks; not for the
    key.

    If two columns have that name, the first is the key.
    """
    at = heads.fields.get("order")
    if at is None or texts[at] == "order" or not heads.fields.keys().isdisjoint({"verb", "text"}):
        return
    second = next((repeat for repeat in heads.twice if repeat[0] == "order"), None)
    if second is None:
        heads.fields["verb"] = heads.fields.pop("order")
    else:
        heads.fields["verb"] = second[1]
        heads.twice.remove(second)


def find_headings(record: type[Record], rows: Iterable[tuple[int, Mapping[int, object]]]) -> tuple[int, Heads] | None:
    """The row that knows most headings of a record, or None if no row knows two (or all) of them."""
    best: tuple[int, Heads] | None = None
    for number, row in rows:
        heads = match_headings(record, row)
        if heads.count > (best[1].count if best else 0):
            best = (number, heads)
    enough = min(2, len(record.columns()))
    return best if best is not None and best[1].count >= enough else None


def nearest_unknown(record: type[Record], name: str, heads: Heads, least: float = LIKE) -> int | None:
    """The column whose unknown heading is most similar to a missing field, or None if none is similar enough (`least`).
    """
    c = record.column(name)
    for word in (c.it, c.en, c.name, *c.alias):
        near = nearest(fold(word), (fold(t) for t in heads.unknown.values()), least)
        if near:
            return next(i for i, t in heads.unknown.items() if fold(t) == near)
    return None


def expected_place(record: type[Record], name: str, heads: Heads) -> int | None:
    """Where a missing field should be: between the neighbours that Arbitro gives it, if no known column is there.

    None if they do not tell.
    """
    names = [c.name for c in record.columns()]
    at = names.index(name)
    before = heads.fields.get(names[at - 1]) if at else None
    after = heads.fields.get(names[at + 1]) if at + 1 < len(names) else None
    if before is not None and before + 1 in heads.unknown:
        return before + 1
    if after is not None and after - 1 in heads.unknown:
        return after - 1
    return before + 1 if before is not None and after == before + 2 else None


# Grids and their rows.


@dataclass(eq=False, repr=False)
class TableGrid:
    """One table as found. `rows`: (row number, column index -> cell), blank rows may be missing; `end`: the last row of
    the Excel table, below which a single cell is a note and not a row; `table`: the name of the Excel table, "" if
    there is none; `block`: the columns of a club's own table, which move with their rows; `known`: the records, if they
    come from memory and no row was read; `keyless`: a heading of the key is missing in a workbook, so rows cannot be
    identified.
    """

    record: type[Record]
    title: str
    heading_row: int
    heads: Heads
    rows: Sequence[tuple[int, Mapping[int, Cell]]]
    end: int = sys.maxsize
    table: str = ""
    block: frozenset[int] = frozenset()
    known: UntouchedRows | None = None
    keyless: bool = False

    def address(self, name: str, row: int) -> str:
        """The address of a field in a row."""
        return cell_address(self.title, letters_of(self.heads.fields.get(name, 1)), row)


_PUT_IN = (Order, Question, Die, FormRow)
"""Records of rows that people type in."""


@dataclass
class RowRead:
    """A row as read. `present`: fields whose cell was not blank; `unread`: fields whose cell could not be read; `told`:
    the positions of its findings in `Notes.findings`.
    """

    number: int
    row: Any
    present: frozenset[str]
    unread: frozenset[str] = frozenset()
    told: list[int] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Notes:
    """Collects findings while a workbook is read. `off`: by sheet the cells of rows that are marked off; `emptied`:
    cells of orders of which only the numbers are left.
    """

    lang: str
    findings: list[Finding] = field(default_factory=list)
    off: dict[str, list[str]] = field(default_factory=dict)
    emptied: list[str] = field(default_factory=list)

    def tell_off(self) -> None:
        """Add one finding that lists the rows marked off, if there are any."""
        cells = [cell for places in self.off.values() for cell in places]
        if cells:
            self.add(codes.MARKED_OFF, Where(), "", {"n": len(cells), "list": Verbatim(", ".join(cells))},
                     severity="info")

    def tell_emptied(self) -> None:
        """Add one finding that lists the emptied orders, if there are any."""
        if self.emptied:
            self.add(codes.EMPTIED, Where(), "", {"n": len(self.emptied), "list": Verbatim(", ".join(self.emptied))},
                     severity="info")

    def add(self, code: str, where: Where, cell: str, data: Mapping[str, Any], faction: str = "",
            severity: Severity = "error", alone: bool = False) -> None:
        """Add a finding."""
        self.findings.append(Finding(code, severity, where, dict(data), faction, cell, alone))


OFF_MARK = ";"
"""The character in front of a row that does not count."""
_WHOSE = ("faction", "seq")
"""Columns of an order where that character counts too: Arbitro fills in the cells before them."""
WHEN_FIELDS = ("turn", "phase")
"""The columns that say when a row counts."""


def off_column(record: type[Record], fields: Mapping[str, int], cells: Mapping[int, Cell]) -> int:
    """The column in which a row is marked as not counting, 0 for none.

    This concerns rows that people type in (orders, early answers, dice, parts of a battle's form): their first filled
    cell begins with `OFF_MARK`, or, in an order, its faction or number does.
    """
    if not issubclass(record, _PUT_IN):
        return 0
    first = min((i for i, cell in cells.items() if cell.value not in (None, "")), default=0)
    looked = (first, *(fields.get(name, 0) for name in _WHOSE)) if issubclass(record, Order) else (first,)
    return next((i for i in looked if i in cells and isinstance(cells[i].value, str)
                 and cells[i].value.lstrip().startswith(OFF_MARK)), 0)


def without_spare_rows(grid: TableGrid) -> TableGrid:
    """A copy's grid without those rows of a battle's form that name the battle and nothing else: nobody filled them in.
    """
    place = grid.heads.fields.get("battle")
    if not issubclass(grid.record, FormRow) or place is None:
        return grid
    ours = set(grid.heads.fields.values()) - {place}
    kept = [(n, cells) for n, cells in grid.rows if place not in cells or any(
        i in ours and cell.value not in (None, "") and strip_invisible(str(cell.value)).strip()
        for i, cell in cells.items())]
    return replace(grid, rows=kept)


def must_be_filled(record: type[Record], c: Column) -> bool:
    """Whether a blank cell in an existing column is a finding."""
    if issubclass(record, Order):
        return False  # the rows of clubs are settled in `order_rows`
    if isinstance(c.kind, Ref):  # a part of the key may be blank where its column says so: a mission without a place
        return c.required or not c.kind.blank
    return c.required or (c.key and record.unique and not record.single)


def _rows_that_count(grid: TableGrid, notes: Notes) -> Iterable[tuple[int, Mapping[int, Cell]]]:
    """The rows of a grid that are not marked off; those that are go to the notes."""
    if not issubclass(grid.record, _PUT_IN):
        return grid.rows
    rows = []
    for number, cells in grid.rows:
        off = off_column(grid.record, grid.heads.fields, cells)
        if off:
            notes.off.setdefault(grid.record.sheet, []).append(cell_address(grid.title, letters_of(off), number))
        else:
            rows.append((number, cells))
    return rows


def read_rows(grid: TableGrid, notes: Notes) -> list[RowRead]:
    """The rows that are not blank, in the order of the grid; what is wrong in them goes to the notes."""
    if grid.known is not None:
        present = frozenset(grid.heads.fields)
        return [RowRead(number, row, present) for number, row in grid.known.wake()]
    plan = [(i, grid.record.column(name)) for name, i in grid.heads.fields.items()]
    plan.sort(key=lambda pair: pair[0])
    lenient = issubclass(grid.record, (Order, Question))
    plans = [(i, c.name, c, _simple(c), isinstance(c.kind, Whole), lenient and c.edit == "club") for i, c in plan]
    needed = [c for _, c in plan if must_be_filled(grid.record, c)]
    seen: dict[tuple[int, Any, str], Any] = {}  # a column of words says the same few again and again
    entries = []
    for number, cells in _rows_that_count(grid, notes):
        values: dict[str, Any] = {}
        troubles: list[tuple[str, UnreadableCell]] = []
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
            if kind == "s" and not strip_invisible(raw).strip():
                continue
            try:
                values[name] = value = read_value(c, raw, kind, notes.lang, easy)
                if isinstance(value, (str, int, tuple)):  # what nobody can change
                    seen[i, raw, kind] = value
            except UnreadableCell as trouble:
                troubles.append((name, trouble))
                if trouble.kept is not None:
                    values[name] = trouble.kept
        filled = len(values) + sum(t.kept is None for _, t in troubles)
        if not filled or (number > grid.end and filled == 1):
            continue
        entries.append(_make_row(grid, notes, number, values, troubles, needed))
    return entries


def _simple(c: Column) -> bool:
    return (type(c.kind) is Text and not c.kind.pattern and not c.kind.digits) or type(c.kind) is Ref


def _fits(kind: Any, number: int) -> bool:
    return (kind.minimum is None or number >= kind.minimum) and (
        kind.maximum is None or number <= kind.maximum) and -(10**15) <= number <= 10**15


def _make_row(grid: TableGrid, notes: Notes, number: int, values: dict[str, Any],
           troubles: list[tuple[str, UnreadableCell]], needed: list[Column]) -> RowRead:
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
        if c.name not in values and c.name not in unread and not (row.timeless and c.name in WHEN_FIELDS):
            notes.add(codes.BLANK, Where(record.sheet, row.ident, c.name), grid.address(c.name, number), {}, faction)
    return RowRead(number, row, frozenset(values), unread, list(range(before, len(notes.findings))))


def read_settings(record: type[Record], pairs: Mapping[int, tuple[object, Cell]], rows: Mapping[str, int],
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
        except UnreadableCell as trouble:
            notes.add(trouble.code, Where(record.sheet, "", name), cell_address(title, column, number), trouble.data,
                      severity=trouble.severity)
            if trouble.kept is not None:
                values[name] = trouble.kept
    return record(**values), {name: (column, number) for name, number in rows.items()}
