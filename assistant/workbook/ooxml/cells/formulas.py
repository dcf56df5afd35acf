"""Formulas: their text in; the areas, names and functions that they say out, and where a copy of them reads.

Parts of the format that a sheet spells in several ways come out alike: a formula that only points to the one from
which it was filled down has that one's text, and reads as many rows and columns further on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from assistant.workbook.ooxml.cells.areas import LAST_COLUMN, LAST_ROW, Area, area_of, column_of, letters_of
from assistant.workbook.ooxml.cells.rows import Rows
from assistant.workbook.ooxml.parts.strings import plain

_LETTERS, _DIGITS = r"(\$?)([A-Za-z]{1,3})", r"(\$?)([1-9]\d{0,6})"
_CELL = _LETTERS + _DIGITS
_REF = rf"(?:{_CELL}(?::{_CELL})?|{_LETTERS}:{_LETTERS}|{_DIGITS}:{_DIGITS})(?![\w(.!\[])"
_TOKEN = re.compile(
    r'"((?:[^"]|"")*)"'  # a text
    r"|#[A-Z/0]+[!?]?"  # a fault
    rf"|(?:('(?:[^']|'')++'|\[[^\]]*\][^\W]*|[^\W\d][\w.]*(?::[^\W\d][\w.]*)?)!)?(?:{_REF}|([^\W\d][\w.\\?]*)(\()?)"
    r"|\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\]"  # columns of a table, or another workbook
    r"|\d[\d.]*(?:[eE][+-]?\d+)?"
    r"|(:)")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b([^<>]*?)(?:/>|>([^<]*)</)")
_ATTRIBUTE = re.compile(rb"""\s(t|si|ref|r1|r2)\s*=\s*["']([^"']*)["']""")
NOTHING: frozenset[str] = frozenset()


class Ref(NamedTuple):
    """An area in a formula. `sheet`: as it is written, without quotes, "" for the formula's own; the corners'
    rows and columns; `fixed`: which of left, top, right and bottom stay where the formula is copied to.
    """

    sheet: str
    area: Area
    fixed: tuple[bool, bool, bool, bool]

    def moved(self, rows: int, columns: int, *, around: bool = False) -> Area | None:
        """Its area in a copy so many rows and columns further on; None where that is beyond the sheet's end.

        `around`: it goes on at the other end there, as in names.
        """
        if not (rows or columns) or all(self.fixed):
            return self.area
        shifts = (columns, rows, columns, rows)
        left, top, right, bottom = (
            n if stays else n + by for n, stays, by in zip(self.area, self.fixed, shifts, strict=True))
        if around:
            left, right = ((n - 1) % LAST_COLUMN + 1 for n in (left, right))
            top, bottom = ((n - 1) % LAST_ROW + 1 for n in (top, bottom))
        if min(left, top, right, bottom) < 1 or max(left, right) > LAST_COLUMN or max(top, bottom) > LAST_ROW:
            return None
        return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


class Said(NamedTuple):
    """What a formula says. `words`: names and tables, each with the sheet before it ("" for none); `texts`: between
    its quotes; `calls`: its functions, in capitals; `spanned`: areas are joined by a colon that stands by itself
    (``A1:INDEX(...)``), so that all between them is meant, too.
    """

    refs: tuple[Ref, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()
    calls: frozenset[str] = NOTHING
    spanned: bool = False


@lru_cache(maxsize=1024)
def said(formula: str) -> Said:
    """What a formula (without ``=``), a name's text or a piece of either says."""
    refs: list[Ref] = []
    words: list[tuple[str, str]] = []
    texts: list[str] = []
    calls: list[str] = []
    spanned = False
    for found in _TOKEN.finditer(formula):
        text, sheet, *place, word, call, colon = found.groups()
        title = "" if sheet is None else _title(sheet)
        if call:
            calls.append(word.upper())
        elif word:
            words.append((title, word))
        elif place[1] or place[9] or place[13]:
            ref = _ref(title, place)
            if ref is not None:
                refs.append(ref)
            else:  # XYZ2024 looks like a place and is a name: no sheet has such a column
                words.append((title, found[0].rpartition("!")[2]))
        elif text is not None:
            texts.append(text.replace('""', '"'))
        elif colon:
            spanned = True
    return Said(tuple(refs), tuple(words), tuple(texts), frozenset(calls) if calls else NOTHING, spanned)


def _title(written: str) -> str:
    return written[1:-1].replace("''", "'") if written.startswith("'") else written


def _ref(sheet: str, place: list[str | None]) -> Ref | None:
    """The area of a token's place; None for one that no sheet has."""
    if place[1]:  # D7 or D7:H9
        one, other = place[:4], place[4:8] if place[5] else place[:4]
    elif place[9]:  # D:H
        one, other = [place[8], place[9], "$", "1"], [place[10], place[11], "$", str(LAST_ROW)]
    else:  # 7:9
        one, other = ["$", "A", place[12], place[13]], ["$", letters_of(LAST_COLUMN), place[14], place[15]]
    left, right = column_of(one[1] or ""), column_of(other[1] or "")
    top, bottom = int(one[3] or 0), int(other[3] or 0)
    if left > LAST_COLUMN or right > LAST_COLUMN or top > LAST_ROW or bottom > LAST_ROW:
        return None
    return Ref(sheet, Area(left, top, right, bottom), (bool(one[0]), bool(one[2]), bool(other[0]), bool(other[2])))


# --- the formulas of a sheet ----------------------------------------------------------------------
class Formula(NamedTuple):
    """A formula in its cell. `text`: its own, or of the one from which it was filled, without ``=``; `rows`,
    `columns`: how far it stands from that one; `results`: the area that its results fill; `inputs`: what a
    what-if table puts in and reads beside what its text says.
    """

    row: int
    column: int
    text: str
    rows: int = 0
    columns: int = 0
    results: Area | None = None
    inputs: tuple[Area, ...] = ()


def formulas(rows: Rows, marks: Iterable[bytes]) -> Iterator[Formula]:
    """The formulas of a sheet, row by row. `marks`: what stands in each row that has one. Raises `Damaged`."""
    masters: dict[bytes, Formula] = {}
    early: list[tuple[bytes, int, int]] = []
    for number in sorted({number for mark in marks for number in rows.holding(mark)}):
        row = rows.get(number)
        for column, cell in row.cells.items() if row is not None else ():
            found = _FORMULA.search(cell)
            if found is None:
                continue
            attrs = dict(_ATTRIBUTE.findall(found[1])) if found[1] else {}
            text = plain(found[2]).strip() if found[2] else ""
            if attrs.get(b"t") != b"shared":
                yield Formula(number, column, text, 0, 0, *_array(attrs))
                continue
            mark = attrs.get(b"si", b"")
            if text:
                masters[mark] = Formula(number, column, text)
                yield masters[mark]
            elif mark in masters:
                yield _filled(masters[mark], number, column)
            else:
                early.append((mark, number, column))
    for mark, number, column in early:  # one that leads to nothing has no text
        yield _filled(masters.get(mark, Formula(number, column, "")), number, column)


def _filled(master: Formula, row: int, column: int) -> Formula:
    return Formula(row, column, master.text, row - master.row, column - master.column)


def _array(attrs: dict[bytes, bytes]) -> tuple[Area | None, tuple[Area, ...]]:
    """The area of an array formula's or a what-if table's results, and what the latter reads."""
    if attrs.get(b"t") not in (b"array", b"dataTable") or not attrs.get(b"ref"):
        return None, ()
    results = area_of(attrs[b"ref"].decode())
    if attrs[b"t"] == b"array":
        return results, ()
    around = Area(max(1, results.left - 1), max(1, results.top - 1), results.right, results.bottom)
    return results, (around, *(area_of(attrs[key].decode()) for key in (b"r1", b"r2") if attrs.get(key)))


def joined_area(areas: Iterable[Area]) -> Area:
    """The smallest area that has all of some."""
    lefts, tops, rights, bottoms = zip(*areas, strict=True)
    return Area(min(lefts), min(tops), max(rights), max(bottoms))
