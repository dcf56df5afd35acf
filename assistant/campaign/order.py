"""Natural order of codes: letters alphabetically, numbers as numbers (V8 < V9 < V10)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_DIGITS = re.compile(r"(\d+)", re.ASCII)


@lru_cache(maxsize=65536)
def natural(code: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a code: its runs of digits compare as numbers, everything else as text.

    A shorter code sorts before one that continues it (``V`` before ``V8``), digits before letters.
    """
    if code.isdecimal() and code.isascii():
        return ((0, int(code), ""),)
    pieces = _DIGITS.split(code)  # text and digits in turn, text first
    found: list[tuple[int, int, str]] = []
    for i in range(1, len(pieces), 2):
        if pieces[i - 1]:
            found.append((1, 0, pieces[i - 1]))
        found.append((0, int(pieces[i]), ""))
    if pieces[-1]:
        found.append((1, 0, pieces[-1]))
    return tuple(found)


def in_natural_order(codes: Iterable[str]) -> list[str]:
    """The codes sorted naturally; the tie-break of every ruleset, never the order of rows."""
    return sorted(codes, key=natural)
