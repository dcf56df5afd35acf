"""Places of cells: ``D7``, ``A4:H90`` or a formula in; rows, columns and areas out, or the formula as it moves."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from assistant.workbook.ooxml.parts.faults import Damaged

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
    """Cells from one corner to the other, all counted from 1, both included."""

    left: int
    top: int
    right: int
    bottom: int

    def has(self, row: int, column: int) -> bool:
        """Whether a cell lies in it."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def meets(self, other: Area) -> bool:
        """Whether two areas share a cell."""
        return (self.left <= other.right and other.left <= self.right
                and self.top <= other.bottom and other.top <= self.bottom)

    def __str__(self) -> str:
        one, other = f"{letters_of(self.left)}{self.top}", f"{letters_of(self.right)}{self.bottom}"
        return one if one == other else f"{one}:{other}"


def place_of(ref: str) -> tuple[int, int]:
    """``D7`` -> (7, 4): row, column. Raises `Damaged` for what is no cell of a sheet."""
    found = _REF.fullmatch(ref)
    row, column = (int(found[2]), column_of(found[1])) if found else (0, 0)
    if not (1 <= row <= LAST_ROW and 1 <= column <= LAST_COLUMN):
        raise Damaged(f"cell {ref[:20]!r}")
    return row, column


def area_of(ref: str) -> Area:
    """``A4:H90`` -> its area; one cell is an area too. Raises `Damaged`."""
    one, colon, other = ref.partition(":")
    top, left = place_of(one)
    bottom, right = place_of(other) if colon else (top, left)
    return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


def cell_address(title: str, letter: str, row: int) -> str:
    """``Armies!D7``; a title that is no plain word stands in quotes, as Excel writes it."""
    shown = title if re.fullmatch(r"[^\W\d]\w*(\.csv)?", title) else "'" + title.replace("'", "''") + "'"
    return f"{shown}!{letter}{row}"


def split_address(address: str) -> tuple[str, str]:
    """The title and the place of ``Armies!D7``: `cell_address` the other way round."""
    title, _, place = address.rpartition("!")
    return (title[1:-1].replace("''", "'") if title.startswith("'") else title), place


def quoted_area(title: str, area: Area) -> str:
    """A sheet's area as names and formulas write it: ``'Esercito'!$A$4:$H$16``."""
    shown = re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", str(area))
    return "'" + title.replace("'", "''") + f"'!{shown}"


# --- formulas ------------------------------------------------------------------------------------
_SKIPPED = r"""("[^"]*"|'(?:[^']|'')*'(?=!)|\[[^\]]*\])"""
_MOVABLE = re.compile(_SKIPPED + r"|(?<![A-Za-z0-9_.\\$])(\$?[A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_(.\\!])")
_RANGES = re.compile(_SKIPPED + r"|(?<![A-Za-z0-9_.\\$])(\$?[A-Za-z]{1,3}\$?)([1-9]\d{0,6}):(\$?[A-Za-z]{1,3}\$?)"
                     r"([1-9]\d{0,6})(?![A-Za-z0-9_(.\\!])")


def moved_formula(formula: str, rows: int) -> str:
    """A formula as it reads some rows further down: what has no dollar goes along. `formula`: without ``=``.

    A reference that would leave the sheet becomes ``#REF!``, as in Excel.
    """
    def along(found: re.Match[str]) -> str:
        if found[1] is not None or found[3]:
            return found[0]
        row = int(found[4]) + rows
        return f"{found[2]}{row}" if 1 <= row <= LAST_ROW else "#REF!"

    return _MOVABLE.sub(along, formula)


def reaching_formula(formula: str, old_last: int, last: int) -> str:
    """A formula of a totals row whose areas ended at the old last row, reaching the new one."""
    def further(found: re.Match[str]) -> str:
        if found[1] is not None or int(found[5]) != old_last or int(found[3]) > old_last:
            return found[0]
        return f"{found[2]}{found[3]}:{found[4]}{last}"

    return _RANGES.sub(further, formula)
