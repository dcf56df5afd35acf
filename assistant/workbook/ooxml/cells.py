"""Cell addresses, areas such as `A4:H90`; the cells of a sheet, and its rows as bytes that are rewritten one by one."""

from __future__ import annotations

import datetime as dt
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container
from functools import cache
from typing import Any, NamedTuple
from xml.parsers import expat

from assistant.workbook.ooxml.package import END, ODD_ROW, ROWS, ChunkedPart
from assistant.workbook.ooxml.xml_tree import (
    Damaged,
    Hostile,
    XmlNode,
    cell_text,
    decode_text,
    has_comments,
    parse,
    unescape_text,
)
from assistant.workbook.screening import LIMITS

# Addresses and areas.


LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
_REF = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})")


@cache
def column_of(letters: str) -> int:
    """``A`` -> 1, ``AB`` -> 28. Letters only."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


@cache
def letters_of(column: int) -> str:
    """1 -> ``A``, 28 -> ``AB``."""
    shown = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        shown = chr(65 + rest) + shown
    return shown


class Area(NamedTuple):
    """A rectangle of cells; all numbers count from 1, both ends included."""

    left: int
    top: int
    right: int
    bottom: int

    def has(self, row: int, column: int) -> bool:
        """Whether a cell lies in the area."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def meets(self, other: Area) -> bool:
        """Whether two areas share a cell."""
        return (self.left <= other.right and other.left <= self.right
                and self.top <= other.bottom and other.top <= self.bottom)

    def __str__(self) -> str:
        first, last = f"{letters_of(self.left)}{self.top}", f"{letters_of(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"


def place_of(ref: str) -> tuple[int, int]:
    """``D7`` -> (7, 4): row, column. Raises `Damaged` for what is not a cell of a sheet."""
    match = _REF.fullmatch(ref)
    row, column = (int(match[2]), column_of(match[1])) if match else (0, 0)
    if not (1 <= row <= LAST_ROW and 1 <= column <= LAST_COLUMN):
        raise Damaged(f"cell {ref[:20]!r}")
    return row, column


def area_of(ref: str) -> Area:
    """``A4:H90`` -> its area; a single cell is an area too. Raises `Damaged`."""
    first, colon, last = ref.partition(":")
    top, left = place_of(first)
    bottom, right = place_of(last) if colon else (top, left)
    return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


def quoted(title: str) -> str:
    """A sheet's title as names and formulas write it."""
    return "'" + title.replace("'", "''") + "'"


def cell_address(title: str, letter: str, row: int) -> str:
    """``Armies!D7``; a title that is not a plain word is quoted, as Excel writes it."""
    shown = title if re.fullmatch(r"[^\W\d]\w*(\.csv)?", title) else quoted(title)
    return f"{shown}!{letter}{row}"


def split_address(address: str) -> tuple[str, str]:
    """The title and cell of ``Armies!D7``: the reverse of `cell_address`."""
    title, _, place = address.rpartition("!")
    return (title[1:-1].replace("''", "'") if title.startswith("'") else title), place


def quoted_area(title: str, area: Area) -> str:
    """A sheet's area as names and formulas write it: ``'Esercito'!$A$4:$H$16``."""
    shown = re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", str(area))
    return f"{quoted(title)}!{shown}"


_PLACE = r"(?:'((?:[^']|'')+)'|([^'!()\[\]]+))!(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)"


def find_place(definition: str, titles: Container[str]) -> tuple[str, Area] | None:
    """The sheet and area for which a name stands by its definition; None where that is not one area of a sheet."""
    match = re.fullmatch(_PLACE, definition)
    if not match:
        return None
    title = match[1].replace("''", "'") if match[1] else match[2]
    return (title, area_of(match[3])) if title in titles else None


# --- formulas ------------------------------------------------------------------------------------
_SKIPPED = r"""("[^"]*"|'(?:[^']|'')*'(?=!)|\[[^\]]*\])"""
_MOVABLE = _SKIPPED + r"|(?<![A-Za-z0-9_.\\$])(\$?[A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_(.\\!])"
_RANGES = (_SKIPPED + r"|(?<![A-Za-z0-9_.\\$])(\$?[A-Za-z]{1,3}\$?)([1-9]\d{0,6}):(\$?[A-Za-z]{1,3}\$?)"
           r"([1-9]\d{0,6})(?![A-Za-z0-9_(.\\!])")


def shift_formula(formula: str, rows: int) -> str:
    """A formula shifted down by some rows: references without a dollar move along. `formula`: without ``=``.

    A reference that would leave the sheet becomes ``#REF!``, as in Excel.
    """
    def along(match: re.Match[str]) -> str:
        if match[1] is not None or match[3]:
            return match[0]
        row = int(match[4]) + rows
        return f"{match[2]}{row}" if 1 <= row <= LAST_ROW else "#REF!"

    return re.sub(_MOVABLE, along, formula)


def extend_formula(formula: str, old_last: int, last: int) -> str:
    """A formula of a totals row; its areas that ended at the old last row now end at the new one."""
    def further(match: re.Match[str]) -> str:
        if match[1] is not None or int(match[5]) != old_last or int(match[3]) > old_last:
            return match[0]
        return f"{match[2]}{match[3]}:{match[4]}{last}"

    return re.sub(_RANGES, further, formula)


# Reading a sheet.
# #
# Most sheets use one plain spelling, which a regular expression parses; anything else is read by an XML parser. No
# full grid is ever built, so a stray cell in the sheet's last corner costs as much as any other.


class Cell(NamedTuple):
    """The content of a cell. `data_type`: s text, n number, b boolean, f formula, e error, d date or time; the value of
    a formula is its text after ``=``, as far as it is known.
    """

    value: Any
    data_type: str = "s"
    style: int = 0


Rows = dict[int, dict[int, Cell]]
Value = int | float | str | bool | None
"""What may be put into a cell."""

UNKNOWN_FORMULA = "=…"
_ROW = re.compile(rb"\s*(?:<row\b[^<>]*/>\s*)*<row\b([^<>]*[^/<>]|)>")
_NUMBER = re.compile(rb' r="(\d{1,7})"')
_CELL = re.compile(
    rb'<c r="([A-Z]{1,3})(\d{1,7})"((?: [a-z]+="[A-Za-z0-9]*")*)'
    rb"(?: ?/>|>(?:"
    rb"<v>([^<]*)</v></c>"
    rb'|<is><t(?: xml:space="preserve")?>([^<]*)</t></is></c>'
    rb'|(<f(?: [a-z0-9]+="[^"<>]*")*(?: ?/>|>[^<]*</f>))(?:<v>([^<]*)</v>|<v ?/>|<v></v>)?</c>'
    rb"|<v ?/></c>|</c>))|(<)")
_STYLE = re.compile(rb' s="(\d+)"')
_TYPE = re.compile(rb' t="(\w+)"')
_FORMULA = re.compile(rb"<f[^>]*>([^<]*)</f>")
_WHOLE = re.compile(r"[+-]?\d{1,300}", re.ASCII)
_EPOCH_1900, _EPOCH_1904 = dt.datetime(1899, 12, 30), dt.datetime(1904, 1, 1)
_KINDS: dict[str, str] = {"str": "s", "s": "s", "inlineStr": "s", "b": "b", "e": "e", "n": "n", "d": "d"}


def read_sheet(data: bytes, strings: list[str], dates: frozenset[int], since_1904: bool) -> Rows:
    """The cells of a sheet's part in UTF-8. `dates`: styles that show a number as a date.

    Raises `Damaged`, `Hostile`.
    """
    if data.count(b"</") + data.count(b"/>") > 4 * LIMITS.cells:  # a cell of text is three elements
        raise Hostile("cells")
    reader = _Reader(strings, dates, since_1904)
    rows = _read_plain(data, reader)
    return rows if rows is not None else _Parsed(reader).read(data)


def read_rows(rows: bytes, strings: list[str], dates: frozenset[int], since_1904: bool) -> Rows:
    """The cells of some rows, given as bytes. Raises as `read_sheet`."""
    return read_sheet(b"<worksheet><sheetData>" + rows + b"</sheetData></worksheet>", strings, dates, since_1904)


class _Reader:
    """Turns the content of a cell's element into a value."""

    def __init__(self, strings: list[str], dates: frozenset[int], since_1904: bool) -> None:
        self.strings, self.dates = strings, dates
        self._epoch = _EPOCH_1904 if since_1904 else _EPOCH_1900
        self.known: dict[bytes, tuple[int, str, bool]] = {}
        self.columns: dict[bytes, int] = {}

    def attributes(self, written: bytes) -> tuple[int, str, bool]:
        """Style, type, and whether numbers are dates, from a cell's attributes as bytes."""
        styled, kind = _STYLE.search(written), _TYPE.search(written)
        style = int(styled[1]) if styled else 0
        self.known[written] = style, kind[1].decode() if kind else "n", style in self.dates
        return self.known[written]

    def column(self, letters: bytes) -> int:
        """A column's number from its letters."""
        self.columns[letters] = column_of(letters.decode())
        return self.columns[letters]

    def value(self, kind: str, text: str, style: int) -> Cell | None:
        """The cell of a value that is not a formula; None if there is no value. Raises `Damaged`."""
        if kind in ("n", "s", "b", "d") and not text.strip():
            return None  # some programs write out what a cell that was emptied no longer holds
        if kind == "n":
            return self.number(text, style)
        if kind == "s":
            return Cell(self.shared_string(text), "s", style)
        if kind == "b":
            return Cell(text.strip() in ("1", "true"), "b", style)
        if kind == "d":
            try:
                return Cell(dt.datetime.fromisoformat(text.strip().removesuffix("Z")), "d", style)
            except ValueError:
                return Cell(text, "s", style)
        return Cell(text, _KINDS.get(kind, "s"), style)

    def shared_string(self, number: str) -> str:
        """A shared string by its number. Raises `Damaged`."""
        number = number.strip()
        if not (number.isascii() and number.isdigit()) or int(number) >= len(self.strings):
            raise Damaged(f"string {number[:12]}")
        return self.strings[int(number)]

    def number(self, text: str, style: int) -> Cell:
        """A number, or a date if its style shows one. Raises `Damaged`."""
        text = text.strip()
        number: int | float
        if _WHOLE.fullmatch(text):
            number = int(text)
        else:
            try:
                number = float(text)
            except ValueError as no:
                raise Damaged(f"number {text[:20]!r}") from no
            if not math.isfinite(number):
                raise Damaged(f"number {text[:20]!r}")
            # Excel keeps no more digits
            if number.is_integer() and abs(number) < 1e15:
                number = int(number)
        if style in self.dates:
            try:
                return Cell(self._moment(number), "d", style)
            except (OverflowError, ValueError):
                return Cell(number, "n", style)  # beyond the calendar, Excel shows ##### for it
        return Cell(number, "n", style)

    def _moment(self, serial: float) -> dt.datetime | dt.time:
        if 0 <= serial < 1:
            return (dt.datetime(2000, 1, 1) + dt.timedelta(days=serial)).time()
        if self._epoch is _EPOCH_1900 and serial < 61:
            serial += 1  # Excel counts a 29 February 1900
        moment = self._epoch + dt.timedelta(days=serial)
        # a moment is a fraction of a day: without half a millisecond more 12:00:00 may read 11:59:59
        return (moment + dt.timedelta(microseconds=500)).replace(microsecond=0)


# --- the plain spelling -----------------------------------------------------------------------
def _read_plain(data: bytes, reader: _Reader) -> Rows | None:
    """The cells of a sheet in the plain spelling; None for any other spelling."""
    start = data.find(b"<sheetData>")
    if start < 0:
        return {} if b"<sheetData/>" in data and not has_comments(data) else None
    end = data.find(b"</sheetData>", start)
    if end < 0 or has_comments(data, end):
        return None
    rows: Rows = {}
    pieces = data[start + 11:end].split(b"</row>")
    if not re.fullmatch(rb"\s*(?:<row\b[^<>]*/>\s*)*", pieces.pop()):
        return None
    for piece in pieces:
        head = _ROW.match(piece)
        number = _NUMBER.search(head[1]) if head else None
        if head is None or number is None:
            return None
        row = int(number[1])
        cells = _cells(piece[head.end():], number[1], reader)
        if cells is None or row in rows or not 1 <= row <= LAST_ROW:
            return None
        if cells:
            rows[row] = cells
    return rows


def _cells(piece: bytes, row: bytes, reader: _Reader) -> dict[int, Cell] | None:
    cells: dict[int, Cell] = {}
    strings, columns, known = reader.strings, reader.columns, reader.known
    make = tuple.__new__
    for letters, number, written, value, text, formula, _, odd in _CELL.findall(piece):
        if odd or number != row:
            return None
        if not (value or text or formula):
            continue
        style, kind, date = known.get(written) or reader.attributes(written)
        if formula:
            cell: Cell | None = Cell(formula_text(formula), "f", style)
        elif text:
            cell = make(Cell, (decode_text(text), "s", style))
        elif kind == "s" and value.isdigit() and int(value) < len(strings):
            cell = make(Cell, (strings[int(value)], "s", style))
        elif kind == "n" and not date and value.isdigit():
            cell = make(Cell, (int(value), "n", style))
        else:
            cell = reader.value(kind, decode_text(value), style)
        column = columns.get(letters) or reader.column(letters)
        if column > LAST_COLUMN or column in cells:
            return None
        if cell is not None:
            cells[column] = cell
    return cells


def formula_text(element: bytes) -> str:
    """A formula's text after ``=``; a reference to a shared formula has none."""
    match = _FORMULA.match(element)
    return "=" + decode_text(match[1]) if match and match[1].strip() else UNKNOWN_FORMULA


# --- any other spelling -----------------------------------------------------------------------
class _Parsed:
    """Reads a sheet with an XML parser: prefixes, comments, rows and cells without an address.

    By events and not as a tree: a sheet of three million cells, which somebody may send, would fill the memory.
    """

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader
        self._found: Rows = {}
        self._row = self._column = 0
        self._path: list[str] = []
        self._attrs: dict[str, str] = {}
        self._said: dict[str, list[str]] = {}

    def read(self, data: bytes) -> Rows:
        """All cells. Raises `Damaged`, `Hostile`."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        # a DOCTYPE may define entities that grow without end
        parser.StartDoctypeDeclHandler = _no_doctype
        try:
            parser.Parse(data, True)
        except expat.ExpatError as no:
            raise Damaged(str(no)) from no
        return {row: cells for row, cells in sorted(self._found.items()) if cells}

    def _start(self, name: str, attrs: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        self._path.append(tag)
        if len(self._path) > LIMITS.depth:
            raise Hostile("nesting")
        if self._path[1:2] != ["sheetData"]:
            return
        if len(self._path) == 3 and tag == "row":
            self._row = _parse_number(attrs.get("r"), self._row + 1)
            if self._row in self._found or not 1 <= self._row <= LAST_ROW:
                raise Damaged(f"row {self._row}")
            self._found[self._row], self._column = {}, 0
        elif len(self._path) == 4 and tag == "c":
            row, self._column = place_of(attrs["r"]) if "r" in attrs else (self._row, self._column + 1)
            if row != self._row or self._column in self._found[row] or self._column > LAST_COLUMN:
                raise Damaged(f"cell {attrs.get('r', '')[:20]}")
            self._attrs, self._said = attrs, {}
        elif len(self._path) == 5 and tag in ("v", "f", "is"):
            self._said[tag] = []

    def _text(self, text: str) -> None:
        path = self._path
        if path[1:2] == ["sheetData"] and len(path) >= 5:
            kind = path[4]
            wanted = len(path) == 5 or (kind == "is" and path[-1] == "t" and "rPh" not in path)
            if kind in self._said and wanted and (kind != "is" or path[-1] == "t"):
                self._said[kind].append(text)

    def _end(self, _: str) -> None:
        if len(self._path) == 4 and self._path[1] == "sheetData" and self._path[3] == "c":
            self._close()
        self._path.pop()

    def _close(self) -> None:
        style = _parse_number(self._attrs.get("s"), 0)
        value = "".join(self._said.get("v", ()))
        if "f" in self._said:
            text = "".join(self._said["f"]).strip()
            cell: Cell | None = Cell(f"={text}" if text else UNKNOWN_FORMULA, "f", style)
        elif "is" in self._said:
            cell = Cell(unescape_text("".join(self._said["is"])), "s", style)
        elif "v" in self._said:
            kind = self._attrs.get("t", "n")
            cell = self._reader.value(kind, value if kind in ("s", "n") else unescape_text(value), style)
        else:
            cell = None
        if cell is not None and cell.value != "":
            self._found[self._row][self._column] = cell


def _parse_number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not re.fullmatch(r"\d{1,7}", text):
        raise Damaged(f"number {text[:20]!r}")
    return int(text)


def _no_doctype(*_: object) -> None:
    raise Hostile("DOCTYPE")


# The rows of a sheet as bytes, of which single rows and cells are read and rewritten.


_CELLS = re.compile(rb'\s*<c r="([A-Z]{1,3})(\d{1,7})"[^<>]*?(?:/>|>.*?</c>)', re.S)
_ADDRESS = re.compile(rb"""\sr\s*=\s*(?:"[^"]*"|'[^']*')""")
_STYLE_MARK = re.compile(rb"""\ss\s*=\s*["'](\d+)["']""")
# what belongs to the old value: its type, its metadata, its reading aid
_GONE = re.compile(rb"""\s(?:t|cm|vm|ph)\s*=\s*(?:"[^"]*"|'[^']*')""")
_ROW_TAGS = re.compile(rb'<row\b(?: [\w:]+="[^"<>]*")*? r="(\d{1,7})"')
_FORMULA_START = re.compile(rb"<(?:\w+:)?f\b")
_FORMULA_TEXT = rb"<(?:\w+:)?f\b[^<>]*?(?:/>|>([^<]*)</)"
_SHARED_MASTER = rb"""<(?:\w+:)?f\b(?=[^>]*\st="shared")(?=[^>]*\sref=)"""
_OPEN = re.compile(rb"""<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>""")


class XmlRow:
    """One row. `raw`: its bytes, with what follows up to the next one; `tag`: its start tag; `cells`: by column;
    `rest`: what follows the cells.
    """

    __slots__ = ("cells", "changed", "number", "opened", "raw", "rest", "tag")

    def __init__(self, number: int, raw: bytes) -> None:
        self.number, self.raw = number, raw
        self.tag, self.rest = b"", b""
        self.cells: dict[int, bytes] = {}
        self.opened = self.changed = False

    def open(self) -> XmlRow:
        """Parse the cells, once. Raises `Damaged`."""
        if not self.opened:
            self.opened = True
            self.tag = _OPEN.match(self.raw)[0]  # type: ignore[index]
            if not self.tag.endswith(b"/>"):
                body = self.raw[len(self.tag):self.raw.rindex(b"</")]
                if not self._quickly(body):
                    self._slowly()
        return self

    def _quickly(self, body: bytes) -> bool:
        at = 0
        own = b"%d" % self.number
        for match in _CELLS.finditer(body):
            if match.start() != at or match[2] != own or b"<!--" in match[0]:
                self.cells.clear()
                return False
            self.cells[column_of(match[1].decode())] = match[0].lstrip()
            at = match.end()
        if body[at:].strip():
            self.cells.clear()
            return False
        self.rest = body[at:]
        return True

    def _slowly(self) -> None:
        root = parse(self.raw)
        column, at = 0, root.inner
        for node in root.children:
            if node.tag != "c":
                continue
            ref = node.get("r")
            row, column = place_of(ref) if ref else (self.number, column + 1)
            if row != self.number or column in self.cells or column > LAST_COLUMN:
                raise Damaged(f"cell {ref[:20]}")
            self.cells[column] = self.raw[node.start:node.end]
            at = node.end
        self.rest = self.raw[at:root.close]

    def bytes(self, prefix: bytes) -> bytes:
        """The row as it will be written."""
        if not self.changed:
            return self.raw
        tag = self.tag[:-2] + b">" if self.tag.endswith(b"/>") else self.tag
        inside = b"".join(self.cells[i] for i in sorted(self.cells))
        return tag + inside + self.rest + b"</" + prefix + b"row>"


class XmlRows:
    """The rows of a sheet by number, parsed from the sheet's bytes only when needed.

    `spans`: start and end of each row, ascending; None for the plain spelling, in which rows are searched from the end
    upwards and only as far as needed, because most changes are made at the end of a long sheet. `numbered`: whether
    each row states its number. `whole`: if the bytes are only the sheet's end, gives all of it when more is needed.
    """

    def __init__(self, data: bytes, prefix: bytes, spans: dict[int, tuple[int, int]] | None, start: int, end: int,
                 numbered: bool = True, whole: Callable[[], bytes] | None = None) -> None:
        self.numbered, self._whole = numbered, whole
        self._data, self._prefix, self._start, self._end = data, prefix, start, end
        self._open: dict[int, XmlRow] = {}
        self._spans = spans or {}
        self._numbers = list(self._spans)
        self._upwards: list[int] = []
        self._floor = end if spans is None else start

    def fresh(self) -> XmlRows:
        """The rows as they were read, for somebody who is going to change them."""
        new = XmlRows(self._data, self._prefix, {}, self._start, self._end, self.numbered, self._whole)
        new._spans, new._numbers = {**self._spans}, [*self._numbers]
        new._upwards, new._floor = [*self._upwards], self._floor
        return new

    @property
    def partial(self) -> bool:
        """Whether only the end of the sheet was searched so far."""
        return self._whole is not None

    def widen(self) -> None:
        """Switch to the bytes of the whole sheet; rows already found keep their distance from the end."""
        if self._whole is None:
            return
        data = self._whole()
        start, end = data.find(ROWS) + len(ROWS), data.rfind(END)
        shift = end - self._end
        self._spans = {n: (top + shift, bottom + shift) for n, (top, bottom) in self._spans.items()}
        self._data, self._start, self._end, self._floor = data, start, end, self._floor + shift
        self._whole = None

    def _reach(self, number: int) -> None:
        """Search upwards until a row at or above a number is found. Raises `Damaged` for rows out of order."""
        self._look_up(number)
        if self._whole is not None and not (self._upwards and self._upwards[-1] <= number):
            self.widen()
            self._look_up(number)

    def _look_up(self, number: int) -> None:
        if self._floor <= self._start or (self._upwards and self._upwards[-1] <= number):
            return
        while self._floor > self._start:
            at = self._data.rfind(b"<row", self._start, self._floor)
            tag = _ROW_TAGS.match(self._data, at, self._floor) if at >= 0 else None
            if tag is None:
                if at >= 0 or self._data[self._start:self._floor].strip():
                    raise Damaged("rows")
                self._floor = self._start
                break
            row = int(tag[1])
            if not 1 <= row <= LAST_ROW or (self._upwards and row >= self._upwards[-1]):
                raise Damaged(f"row {row}")
            self._spans[row] = at, self._floor
            self._upwards.append(row)
            self._floor = at
            if row <= number:
                break
        self._numbers = self._upwards[::-1]

    def __contains__(self, number: int) -> bool:
        self._reach(number)
        return number in self._spans or number in self._open

    def get(self, number: int) -> XmlRow | None:
        """A row, parsed; None if there is none."""
        row = self._open.get(number)
        if row is None:
            self._reach(number)
        if row is None and number in self._spans:
            start, end = self._spans[number]
            row = self._open[number] = XmlRow(number, self._data[start:end]).open()
        return row

    def raw(self, number: int) -> bytes:
        """A row's bytes as read, with what follows up to the next one."""
        self._reach(number)
        start, end = self._spans[number]
        return self._data[start:end]

    def new(self, number: int) -> XmlRow:
        """A row; it is created if there is none."""
        row = self.get(number)
        if row is None:
            row = self._open[number] = XmlRow(number, b'<%srow r="%d"></%srow>' % (self._prefix, number, self._prefix))
        return row.open()

    def between(self, first: int, last: int) -> list[int]:
        """The numbers of the existing rows in a range, ascending."""
        self._reach(first)
        known = self._numbers[bisect_left(self._numbers, first):bisect_right(self._numbers, last)]
        return sorted({*known, *(n for n in self._open if first <= n <= last)})

    def holding(self, what: bytes) -> list[int]:
        """The numbers of the rows whose bytes contain something."""
        self._reach(0)
        return [n for n, (start, end) in sorted(self._spans.items()) if self._data.find(what, start, end) >= 0]

    def bytes(self) -> bytes:
        """All rows as they will be written."""
        out, at = [], self._start
        changed = sorted(n for n, row in self._open.items() if row.changed)
        if changed:
            self._reach(changed[0])
        for number in changed:
            if number in self._spans:
                start, end = self._spans[number]
            else:
                later = bisect_left(self._numbers, number)
                start = end = self._spans[self._numbers[later]][0] if later < len(self._numbers) else self._end
            out += [self._data[at:start], self._open[number].bytes(self._prefix)]
            at = max(at, end)
        return b"".join([*out, self._data[at:self._end]])


Split = tuple[bytes, bytes, XmlRows, bytes]


def split_sheet(data: bytes) -> Split:
    """Split a sheet's part: what is before ``sheetData``, its prefix with colon, its rows, what is after.

    Raises `Damaged`, `Hostile`.
    """
    start = data.find(ROWS)
    end = data.rfind(END, start) if start >= 0 else -1
    if end < 0 or has_comments(data, end) or ODD_ROW.search(data, start, end):
        return _split_parsed(data)
    return data[:start], b"", XmlRows(data, b"", None, start + len(ROWS), end), data[end + len(END):]


def split_chunked(ends: ChunkedPart, whole: Callable[[], bytes]) -> Split:
    """The same for a part whose middle is packed. `whole`: gives all of it."""
    end = ends.tail.rfind(END)
    rows = XmlRows(ends.tail, b"", None, 0, end, whole=whole)
    return ends.head[:-len(ROWS)], b"", rows, ends.tail[end + len(END):]


def _split_parsed(data: bytes) -> Split:
    root = parse(data)
    node = root.child("sheetData")
    if node is None:
        raise Damaged("sheetData")
    spans: dict[int, tuple[int, int]] = {}
    number = 0
    for child in node.all("row"):
        last, number = number, child.whole("r", number + 1)
        if number <= last or number > LAST_ROW:
            raise Damaged(f"row {number}")
        spans[number] = child.start, child.end
    prefix = node.prefix.encode()
    numbered = all(child.get("r") for child in node.all("row"))
    return data[:node.start], prefix, XmlRows(data, prefix, spans, node.inner, node.close, numbered), data[node.end:]


def outer_tree(before: bytes, prefix: bytes, after: bytes) -> tuple[bytes, XmlNode]:
    """A sheet without its rows, as bytes and tree."""
    data = before + b"<" + prefix + b"sheetData/>" + after
    return data, parse(data)


def is_numbered(row: bytes) -> bool:
    """Whether a row states its number; otherwise it is the next after the one before it."""
    return _ADDRESS.search(_tag_of(row)) is not None


# --- one cell ------------------------------------------------------------------------------------
def style_of(cell: bytes) -> int:
    """The style of a cell's element."""
    match = _STYLE_MARK.search(_tag_of(cell))
    return int(match[1]) if match else 0


def _tag_of(cell: bytes) -> bytes:
    return _OPEN.match(cell)[0]  # type: ignore[index]


def has_formula(cell: bytes) -> bool:
    """Whether a cell holds a formula."""
    return _FORMULA_START.search(cell) is not None


def formula_of(cell: bytes) -> str:
    """The text of a cell's own formula, without ``=``; "" for none."""
    match = re.search(_FORMULA_TEXT, cell)
    return decode_text(match[1] or b"").strip() if match else ""


def is_shared_master(cell: bytes) -> bool:
    """Whether other cells share the text of a cell's formula."""
    return re.search(_SHARED_MASTER, cell) is not None


def is_blank(cell: bytes) -> bool:
    """Whether a cell holds nothing but its formatting."""
    return b"</" not in cell[cell.index(b">"):].replace(b"</c>", b"").replace(b":c>", b"") and not has_formula(cell)


def move_cell(cell: bytes, row: int, column: int) -> bytes:
    """A cell's element moved to another address."""
    address = b' r="%s%d"' % (letters_of(column).encode(), row)
    tag = _tag_of(cell)
    if _ADDRESS.search(tag):
        return cell.replace(tag, _ADDRESS.sub(address, tag, count=1), 1)
    name = re.match(rb"<[\w:]+", tag)
    assert name is not None
    return cell.replace(tag, name[0] + address + tag[name.end():], 1)


def cell_xml(prefix: bytes, row: int, column: int, value: int | float | str | bool | None, style: int,
            old: bytes = b"") -> bytes:
    """A cell's element with a value. `old`: the element that it replaces, whose other attributes stay."""
    extra = b""
    if old:
        tag = _STYLE_MARK.sub(b"", _ADDRESS.sub(b"", _GONE.sub(b"", _tag_of(old))))
        extra = re.sub(rb"^<[\w:]+", b"", tag).rstrip(b">").rstrip(b"/").rstrip()
    look = b' s="%d"' % style if style else b""
    head = b'<%sc r="%s%d"%s%s' % (prefix, letters_of(column).encode(), row, look, extra)
    if value is None:
        return head + b"/>"
    close = b"</%sc>" % prefix
    if isinstance(value, bool):
        return head + b' t="b"><%sv>%d</%sv>' % (prefix, value, prefix) + close
    if isinstance(value, (int, float)):
        return head + b"><%sv>%s</%sv>" % (prefix, repr(value).encode(), prefix) + close
    # else programs drop the blanks at the ends, and all but one of several
    keep = b' xml:space="preserve"' if value != value.strip() or "\n" in value or "  " in value else b""
    # in the cell itself: the table of shared strings stays as it is (decision 13)
    return head + b' t="inlineStr"><%sis><%st%s>%s</%st></%sis>' % (
        prefix, prefix, keep, cell_text(value), prefix, prefix) + close


def formula_xml(prefix: bytes, row: int, column: int, formula: str, style: int, result: float | None = None) -> bytes:
    """A cell's element with a formula (without ``=``) and its result, or none yet."""
    look = b' s="%d"' % style if style else b""
    value = b"<%sv>%s</%sv>" % (prefix, repr(result).encode(), prefix) if result is not None else b""
    return b'<%sc r="%s%d"%s><%sf>%s</%sf>%s</%sc>' % (
        prefix, letters_of(column).encode(), row, look, prefix, cell_text(formula), prefix, value, prefix)


def with_style(cell: bytes, style: int) -> bytes:
    """A cell's element with another style."""
    tag = _tag_of(cell)
    bare = _STYLE_MARK.sub(b"", tag)
    if style:
        end = -2 if bare.endswith(b"/>") else -1
        bare = bare[:end] + b' s="%d"' % style + bare[end:]
    return cell.replace(tag, bare, 1)
