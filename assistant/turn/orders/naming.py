"""Words of a cell or a line in, the codes of the rows that people mean out: by code or name, in whatever case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Square
from assistant.campaign.record import Record
from assistant.campaign.records import names_held
from assistant.campaign.table import Table
from assistant.turn.findings import nearest
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.words import fold

_BETWEEN = re.compile(r"[\s,;>\u2192]+|-(?=[A-Z])")
_APART = re.compile(r"[,;>\u2192\n]+|(?<=\s)-+(?=\s)")
"""What stands between two places, and never inside the name of one."""
LONGEST_NAME = 6
"""Words of the longest name of a place or a faction."""


def as_spelled(campaign: Campaign, records: Iterable[type[Record]], code: str) -> str:
    """A code as the first of the tables that has it spells it, in whatever case it was typed; else as it was typed."""
    for record in records if code else ():
        table = campaign.by_sheet(record.sheet)
        known = table.spelled(code)
        if known in table:
            return known
    return code


def by_names(table: Table[Any]) -> Mapping[str, tuple[str, ...]]:
    """What the rows of a table are called, in whatever language, folded -> the codes of those that are called so."""
    found: dict[str, tuple[str, ...]] = {}
    for row in table:
        for name in {fold(name) for name in names_held(row)}:
            found[name] = (*found.get(name, ()), row.ident)
    return found


def as_named(campaign: Campaign, records: Iterable[type[Record]], word: str) -> str:
    """The code of the one row in some tables that is called so; the word as it was typed for a code, and for the name
    of none or of several.
    """
    tables = [campaign.by_sheet(record.sheet) for record in records] if word else []
    if any(word in table for table in tables):
        return word
    codes = {code for table in tables for code in campaign.made_of(by_names, table.record).get(fold(word), ())}
    return codes.pop() if len(codes) == 1 else word


def row_meant(rows: Iterable[Any], word: str, field_name: str) -> Any:
    """The row whose code a word is, or whose name it is and no other's; None for none.

    Raises `Refused` (ambiguous) where the word is the name of two.
    """
    wanted, known = fold(word), list(rows)
    for row in known:
        if fold(row.ident) == wanted:
            return row
    named = [row for row in known if any(fold(name) == wanted for name in names_held(row))]
    if len(named) > 1:
        raise Refused("ambiguous", field_name, word=word, a=named[0].ident, b=named[1].ident,
                      list=" ".join(row.ident for row in named))
    return named[0] if named else None


# --- places -----------------------------------------------------------------------------------------------
def in_squares(record: type[Record]) -> bool:
    """Whether the codes of a record are those of squares."""
    return any(c.key and isinstance(c.kind, Square) for c in record.columns())


def code_of(word: str, record: type[Record]) -> str:
    """The code of a place in capitals, and as squares are written where the map has squares."""
    return str(Square().read(word.upper())) if in_squares(record) else word.upper()


def words_of_way(text: str) -> list[str]:
    """The words of a way in capitals, between whatever signs."""
    return [word for word in _BETWEEN.split(text.upper()) if word]


def walked(path: list[str]) -> list[str]:
    """A way on which a place that is repeated at once counts once."""
    return [code for i, code in enumerate(path) if i == 0 or code != path[i - 1]]


def way_named(campaign: Campaign, record: type[Record], text: str) -> list[str]:
    """The codes of a way of places that are called by code or name; the longest name counts, and before it words that
    all are codes.
    """
    table = campaign.by_sheet(record.sheet)
    path = [as_spelled(campaign, (record,), code_of(word, record)) for word in words_of_way(text)]
    if all(code in table for code in path):  # as nearly all are: names are not even looked up
        return walked(path)
    names, path = campaign.made_of(by_names, record), []
    for piece in _APART.split(text):
        words = words_of_way(piece)
        while words:
            lengths = range(min(LONGEST_NAME, len(words)), 1, -1)
            count = next((n for n in lengths if fold(" ".join(words[:n])) in names), 1)
            code = as_spelled(campaign, (record,), code_of(words[0], record))
            if count > 1 or code not in table:
                code = as_named(campaign, (record,), " ".join(words[:count]) if count > 1 else code)
            path.append(code)
            words = words[count:]
    return walked(path)


def the_one_called(campaign: Campaign, record: type[Record], word: str, field_name: str, *, by_name: bool) -> str:
    """The code of the one row of a table that is called so. Raises `Refused` where there is none, or several.

    `by_name`: whether names count at all; else a name only helps to say what was perhaps meant.
    """
    table, called = campaign.by_sheet(record.sheet), campaign.made_of(by_names, record)
    codes = called.get(fold(word), ())
    if not by_name or not codes:
        near = [*codes, nearest(word, table.keys()), *called.get(nearest(fold(word), called), ())]
        raise Refused("no_such_place", field_name, word=word, near=next(filter(None, near), ""))
    if len(codes) > 1:
        name = next(name for name in names_held(table[codes[0]]) if fold(name) == fold(word))
        raise Refused("ambiguous", field_name, word=name, a=codes[0], b=codes[1], list=" ".join(codes))
    return codes[0]
