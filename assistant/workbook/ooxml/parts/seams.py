"""Long sheets in pieces: a sheet's bytes in; a compressed stream with seams out, written on at its end.

A compressed stream may have seams, behind which nothing leans on what came before ("full flush" of RFC 1951).
`packed` lays one behind the sheet's head and one before the first row from each multiple of 128 on, wherever the
bytes come from, so that the same sheet always gives the same bytes. `divided` tells the last two pieces from those
before them, which a change at the sheet's end takes over as they were compressed.

Two bounds need this (benchmarks/README.md): the ledger of five robot years keeps of each workbook what differs from
the one before, and differs little where the pieces are the same; and a turn late in a long campaign neither
compresses nor looks through the rows of all turns before it.

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


class Divided(NamedTuple):
    """A sheet's part in three. `packed`: the middle as it lies in the file, whole pieces that are not compressed anew.
    """

    head: bytes
    middle: bytes
    tail: bytes
    packed: bytes

    def joined(self) -> bytes:
        """The whole part, compressed."""
        return b"".join([_piece(self.head), self.packed, *_pieces(self.tail)])

    def whole(self) -> bytes:
        """The part's bytes."""
        return self.head + self.middle + self.tail


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
    at = max(first, data.rfind(_SEAM, 0, last) + len(_SEAM))
    if first < len(_SEAM):
        return None
    engine = zlib.decompressobj(-15)
    try:
        head, middle = (zlib.decompressobj(-15).decompress(part) for part in (data[:first], data[first:at]))
        tail = engine.decompress(data[at:])
    except zlib.error:
        return None
    if not engine.eof or engine.unused_data or not head.endswith(ROWS) or not tail.startswith(b"<row "):
        return None
    found = Divided(head, middle, tail, data[first:at])
    whole = found.whole()
    return found if (len(whole), zlib.crc32(whole)) == (size, crc) else None


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
