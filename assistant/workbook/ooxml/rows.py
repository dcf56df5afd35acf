"""The rows of a sheet as bytes, of which single rows and cells are read and rewritten."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from assistant.workbook.ooxml.cells import LAST_COLUMN, LAST_ROW, column_of, letters_of, place_of
from assistant.workbook.ooxml.package import END, ODD_ROW, ROWS, ChunkedPart
from assistant.workbook.ooxml.xml_tree import Damaged, XmlNode, cell_text, decode_text, has_comments, parse

_CELLS = re.compile(rb'\s*<c r="([A-Z]{1,3})(\d{1,7})"[^<>]*?(?:/>|>.*?</c>)', re.S)
_ADDRESS = re.compile(rb"""\sr\s*=\s*(?:"[^"]*"|'[^']*')""")
_STYLE = re.compile(rb"""\ss\s*=\s*["'](\d+)["']""")
_GONE = re.compile(rb"""\s(?:t|cm|vm|ph)\s*=\s*(?:"[^"]*"|'[^']*')""")
_ROW_TAGS = re.compile(rb'<row\b(?: [\w:]+="[^"<>]*")*? r="(\d{1,7})"')
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
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
    match = _STYLE.search(_tag_of(cell))
    return int(match[1]) if match else 0


def _tag_of(cell: bytes) -> bytes:
    return _OPEN.match(cell)[0]  # type: ignore[index]


def has_formula(cell: bytes) -> bool:
    """Whether a cell holds a formula."""
    return _FORMULA.search(cell) is not None


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
        tag = _STYLE.sub(b"", _ADDRESS.sub(b"", _GONE.sub(b"", _tag_of(old))))
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
    keep = b' xml:space="preserve"' if value != value.strip() or "\n" in value or "  " in value else b""
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
    bare = _STYLE.sub(b"", tag)
    if style:
        end = -2 if bare.endswith(b"/>") else -1
        bare = bare[:end] + b' s="%d"' % style + bare[end:]
    return cell.replace(tag, bare, 1)
