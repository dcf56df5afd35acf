"""Rows that a correction has superseded: they stay on their sheets, and no rule looks at them.

The row that counts keeps its key; what it said before stands beside it under the same key with a number,
``1500-r2-V-1~1``, so that a superseded row names the row that took its place. Where a key has several columns
the number stands in the first one, which says what the row is about.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.common import SharedRows
from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Die, FormRow, Order, Question
from assistant.campaign.table import Table

R = TypeVar("R", bound=Record)
MARK = "~"
HANDED_IN: tuple[type[Record], ...] = (Order, Question, Die, Battle, FormRow)
"""What people hand in, and may be superseded."""
_VERSION = re.compile(rf"{MARK}\d+(?=[/#]|$)")


def is_superseded(key: str) -> bool:
    """Whether a row's key is that of a superseded one."""
    return MARK in key and _VERSION.search(key) is not None


def counting_key(key: str) -> str:
    """The key of the row that took the place of a superseded one."""
    return _VERSION.sub("", key)


def next_version(table: Table[Any], row: R) -> R:
    """A copy of a row under the first free key for what it said until now."""
    old, number = row.copy(), 1
    name = next(c.name for c in row.columns() if c.key)
    said = getattr(row, name)
    setattr(old, name, f"{said}{MARK}{number}")
    while old.ident in table:
        number += 1
        setattr(old, name, f"{said}{MARK}{number}")
    return old


def handed_in(campaign: Campaign) -> list[type[Record]]:
    """The records of what people hand in, in the order of the campaign."""
    return [record for record in campaign.records().values() if issubclass(record, HANDED_IN)]


def _superseded(campaign: Campaign, record: type[Record]) -> list[str]:
    """Keys of superseded rows."""
    return [key for key in campaign.common(record.sheet).rows if MARK in key and is_superseded(key)]


def in_force(campaign: Campaign) -> Campaign:
    """The campaign without superseded rows; it shares everything else. The campaign itself where there are none."""
    new = campaign
    for record in handed_in(campaign):
        gone = _superseded(campaign, record)
        if gone:
            new = campaign.copy() if new is campaign else new
            new.put(Table.over(new.common(record.sheet).awake().without(*gone)))
    return new


def put_back_superseded(source: Campaign, target: Campaign) -> Campaign:
    """Take the superseded rows of `source` into `target`, each where it stood among its neighbours; the target."""
    for record in handed_in(source):
        if _superseded(source, record):
            old, new = source.common(record.sheet).awake().rows, target.common(record.sheet).awake().rows
            rows = {key: row if is_superseded(key) else new[key]
                    for key, row in old.items() if is_superseded(key) or key in new}
            target.put(Table.over(SharedRows(record, {**rows, **new}, shared=True)))
    return target
