"""Cell addresses, areas such as `A4:H90`, and the cells of a sheet."""

from __future__ import annotations

import datetime as dt
import math
import re
from functools import cache
from typing import Any, NamedTuple
from xml.parsers import expat

from assistant.workbook.ooxml.xml_tree import Damaged, Hostile, decode_text, has_comments, unescape_text
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


def cell_address(title: str, letter: str, row: int) -> str:
    """``Armies!D7``; a title that is not a plain word is quoted, as Excel writes it."""
    shown = title if re.fullmatch(r"[^\W\d]\w*(\.csv)?", title) else "'" + title.replace("'", "''") + "'"
    return f"{shown}!{letter}{row}"


def split_address(address: str) -> tuple[str, str]:
    """The title and cell of ``Armies!D7``: the reverse of `cell_address`."""
    title, _, place = address.rpartition("!")
    return (title[1:-1].replace("''", "'") if title.startswith("'") else title), place


def quoted_area(title: str, area: Area) -> str:
    """A sheet's area as names and formulas write it: ``'Esercito'!$A$4:$H$16``."""
    shown = re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", str(area))
    return "'" + title.replace("'", "''") + f"'!{shown}"


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
    data_type: str
    style: int = 0


Rows = dict[int, dict[int, Cell]]

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
            return Cell(self.shared(text), "s", style)
        if kind == "b":
            return Cell(text.strip() in ("1", "true"), "b", style)
        if kind == "d":
            try:
                return Cell(dt.datetime.fromisoformat(text.strip().removesuffix("Z")), "d", style)
            except ValueError:
                return Cell(text, "s", style)
        return Cell(text, _KINDS.get(kind, "s"), style)

    def shared(self, number: str) -> str:
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
    """Reads a sheet with an XML parser: prefixes, comments, rows and cells without an address."""

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
