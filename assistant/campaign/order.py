"""Natural order of codes: letters alphabetically, numbers as numbers (V8 < V9 < V10)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_PIECE = re.compile(r"\d+|\D+")


@lru_cache(maxsize=65536)
def natural(code: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a code: its runs of digits compare as numbers, everything else as text.

    A shorter code sorts before one that continues it (``V`` before ``V8``), digits before letters.
    """
    return tuple(
        (0, int(piece), "") if piece.isdigit() and piece.isascii() else (1, 0, piece)
        for piece in _PIECE.findall(code)
    )


def in_natural_order(codes: Iterable[str]) -> list[str]:
    """The codes sorted naturally; the tie-break of every ruleset, never the order of rows."""
    return sorted(codes, key=natural)
