"""Rows that people name: by code or by name, in whatever case and accents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import names_held
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.words import fold


def as_spelled(campaign: Campaign, records: Iterable[type[Record]], code: str) -> str:
    """A code as the first of the tables that has it spells it, in whatever case it was typed; else as it was typed."""
    for record in records if code else ():
        table = campaign.by_sheet(record.sheet)
        known = table.spelled(code)
        if known in table:
            return known
    return code


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
        raise Refused("ambiguous", field_name, word=word, a=named[0].ident, b=named[1].ident)
    return named[0] if named else None
