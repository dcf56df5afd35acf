"""Units as people type them: a text in, the codes of its units in order out; and texts of units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH

TYPES = {ESDEF: ("F", "A", "C"), VARANNAH: ("Tr", "As", "Di")}
"""The codes of each side's units, in the book's order."""
_MOST = 99
"""More units of one kind nobody types."""
_TOKEN = {side: re.compile(rf"(\d{{0,3}})\s*({'|'.join(codes)})[\s,;.+]*", re.IGNORECASE)
          for side, codes in TYPES.items()}


def read_units(text: str, side: str) -> list[str] | None:
    """The units of a side that a text names, ``2F1A`` or ``Tr As As``; None for one that cannot be read."""
    found: list[str] = []
    rest = text.strip()
    while rest:
        match = _TOKEN[side].match(rest)
        if match is None or match[1].strip("0") == "" != match[1] or int(match[1] or 1) > _MOST:
            return None
        found += [match[2].capitalize()] * int(match[1] or 1)
        rest = rest[match.end():]
    return found or None


def split_units(text: str) -> list[str]:
    """The units of a text that the assistant or the referee has written, of either side; "" and ``-`` are nobody."""
    return re.findall(r"Tr|As|Di|[FAC]", text)


NOBODY = ("", "0", "nobody", "none", "nessuno")
"""What people write, beside a dash, where nobody is left of a line."""


def all_units(text: str) -> list[str] | None:
    """The same, None where something else stands there."""
    bare = text.strip(" -–—")
    return [] if bare.casefold() in NOBODY else read_units(bare, ESDEF) or read_units(bare, VARANNAH)


def joined(units: Iterable[str]) -> str:
    """Units one after the other."""
    return "".join(units)


def fits(wanted: Iterable[str], there: Iterable[str]) -> bool:
    """Whether units are among others, however ordered."""
    return not Counter(wanted) - Counter(there)


def in_order(wanted: list[str], there: list[str]) -> bool:
    """Whether what is left of a line keeps its order."""
    rest = iter(there)
    return all(unit in rest for unit in wanted)


def by_type(units: Iterable[str], side: str) -> list[str]:
    """Units listed by type."""
    counted = Counter(units)
    return [code for code in TYPES[side] for _ in range(counted[code])]
