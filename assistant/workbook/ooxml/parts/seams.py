"""Long sheets in pieces: a sheet's bytes in; a compressed stream with seams out, written on at its end.

A compressed stream may have seams, behind which nothing leans on what came before ("full flush" of RFC 1951).
`packed` lays one behind the sheet's head and one before the first row from each multiple of 128 on, wherever the
bytes come from, so that the same sheet always gives the same bytes. `divided` unpacks only what stands before the
first seam and behind the last but one; what lies between is kept as it was compressed, and its size and checksum are
worked out from those of the whole: the checksum of joined bytes is a sum, in which the earlier part counts times a
power of x.

Seams are laid in plain sheets without formulas only. They show nothing about what a sheet holds, and nobody has
to know of them: to any other program it is a compressed member like any other.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

from assistant.workbook.ooxml.parts.strings import has_asides

PIECE = 128
"""Rows between two seams."""
ROWS = b"<sheetData>"
END = b"</sheetData>"
_SEAM = b"\x00\x00\xff\xff"
"""How a seam ends: an empty block, which no other block needs."""
ODD_ROW = re.compile(rb'<row(?! r=")')
"""A row that does not say its number first."""
_ROW = re.compile(rb'<row r="(\d+)"')
_FORMULA = re.compile(rb"<f[\s>/]")
_LEVEL = 1
_POLYNOMIAL = 0xEDB88320
_ONE = 1 << 31
_PERIOD = 2**32 - 1
"""The powers of x repeat after so many: going back is going on."""


class Divided(NamedTuple):
    """A sheet's part of which the middle stays packed. `size`, `crc`: length in bytes and checksum of the middle
    when it is unpacked; `middle`: whole pieces, compressed.
    """

    head: bytes
    middle: bytes
    tail: bytes
    size: int
    crc: int

    def joined(self) -> tuple[bytes, int, int]:
        """The whole part: packed, its size, its checksum."""
        crc = _followed(zlib.crc32(self.head), self.crc, self.size)
        tail = b"".join(_pieces(self.tail))
        return (_piece(self.head) + self.middle + tail, len(self.head) + self.size + len(self.tail),
                _followed(crc, zlib.crc32(self.tail), len(self.tail)))

    def stands_in(self, data: bytes, size: int, crc: int) -> bool:
        """Whether a compressed member with its size and checksum holds this part, with the middle's very bytes."""
        at = len(_piece(self.head))
        end = at + len(self.middle)
        engine = zlib.decompressobj(-15)
        try:
            head = zlib.decompressobj(-15).decompress(data[:at])
            tail = engine.decompress(data[end:])
        except zlib.error:
            return False
        said = _followed(_followed(zlib.crc32(head), self.crc, self.size), zlib.crc32(tail), len(tail))
        return (engine.eof and not engine.unused_data and (head, data[at:end], tail) == (
            self.head, self.middle, self.tail) and (size, crc) == (len(head) + self.size + len(tail), said))

    def whole(self) -> bytes:
        """The part's bytes. Raises zlib.error."""
        return self.head + zlib.decompressobj(-15).decompress(self.middle) + self.tail


def calculates(data: bytes, start: int = 0, end: int | None = None) -> bool:
    """Whether there is a formula, plainly spelled, between two places."""
    return _FORMULA.search(data, start, len(data) if end is None else end) is not None


def fit(data: bytes) -> bool:
    """Whether a sheet in UTF-8 may have seams: spelled plainly, every row numbered, without formulas."""
    start = data.find(ROWS)
    end = data.rfind(END)
    return 0 <= start < end and not (ODD_ROW.search(data, start, end) or calculates(data, start, end)
                                     or has_asides(data))


def packed(data: bytes) -> bytes:
    """A part that is `fit`, compressed with its seams."""
    start = data.find(ROWS) + len(ROWS)
    return _piece(data[:start]) + b"".join(_pieces(data[start:]))


def divided(data: bytes, size: int, crc: int) -> Divided | None:
    """A compressed member with its size and checksum, taken apart; None where it has no seams of ours."""
    first = data.find(_SEAM) + len(_SEAM)
    last = data.rfind(_SEAM)
    before = data.rfind(_SEAM, 0, last)
    at = max(first, before + len(_SEAM))
    if first < len(_SEAM):
        return None
    try:
        head = zlib.decompressobj(-15).decompress(data[:first])
        engine = zlib.decompressobj(-15)
        tail = engine.decompress(data[at:])
    except zlib.error:
        return None
    left = size - len(head) - len(tail)
    if not engine.eof or engine.unused_data or left < 0 or not head.endswith(ROWS) or not tail.startswith(b"<row "):
        return None
    middle = _before(crc, zlib.crc32(tail), len(tail)) ^ _times(zlib.crc32(head), _power(8 * left))
    return Divided(head, data[first:at], tail, left, middle)


def _pieces(rows: bytes) -> list[bytes]:
    """The rows of a sheet and what follows them, compressed piece by piece."""
    found, start = [], 0
    while (after := _next_piece(rows, start)) > start:
        found.append(_piece(rows[start:after]))
        start = after
    return [*found, _piece(rows[start:], last=True)]


def _next_piece(rows: bytes, start: int) -> int:
    """Where the piece after the one that begins at a place begins: at the first row beyond a multiple of `PIECE`."""
    first = _ROW.match(rows, start)
    if first is None:
        return -1
    number = int(first[1]) // PIECE * PIECE + PIECE
    at = rows.find(b'<row r="%d"' % number, first.end())
    if at >= 0:
        return at
    return next((one.start() for one in _ROW.finditer(rows, first.end()) if int(one[1]) >= number), -1)


def _piece(data: bytes, last: bool = False) -> bytes:
    engine = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return engine.compress(data) + engine.flush(zlib.Z_FINISH if last else zlib.Z_FULL_FLUSH)


# --- checksums of joined bytes ---------------------------------------------------------------------------
def _followed(crc: int, other: int, size: int) -> int:
    """The checksum of bytes and `size` others behind them, from the checksums of both."""
    return _times(crc, _power(8 * size)) ^ other


def _before(crc: int, other: int, size: int) -> int:
    """The checksum of what stands before `size` bytes, from those of all and of these."""
    return _times(crc ^ other, _power(_PERIOD - 8 * size % _PERIOD))


def _times(one: int, other: int) -> int:
    """The product of two polynomials modulo that of CRC-32, the highest bit being x to the power of 0."""
    product = 0
    for place in range(31, -1, -1):
        if one >> place & 1:
            product ^= other
        other = other >> 1 ^ (_POLYNOMIAL if other & 1 else 0)
    return product


def _power(exponent: int) -> int:
    """A power of x modulo the polynomial of CRC-32."""
    found, square = _ONE, _ONE >> 1
    while exponent:
        if exponent & 1:
            found = _times(found, square)
        square = _times(square, square)
        exponent >>= 1
    return found
