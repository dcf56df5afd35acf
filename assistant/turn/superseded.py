"""Rows that a correction has superseded: they stay on their sheets, and no rule looks at them.

The row that counts keeps its key; what it said before stands beside it under the same key with a number,
``1500-r2-V-1~1``, so that a superseded row names the row that took its place.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Die, Order, Question
from assistant.campaign.table import Table

MARK = "~"
HANDED_IN: tuple[type[Record], ...] = (Order, Question, Die, Battle)
"""What people hand in, and may be superseded."""
_VERSION = re.compile(rf"{MARK}\d+$")


def is_superseded(key: str) -> bool:
    """Whether a row's key is that of a superseded one."""
    return MARK in key and _VERSION.search(key) is not None


def next_version(table: Table[Any], key: str) -> str:
    """The first free key for what the row of `key` said until now."""
    number = 1
    while f"{key}{MARK}{number}" in table:
        number += 1
    return f"{key}{MARK}{number}"


def in_force(campaign: Campaign) -> Campaign:
    """The campaign without superseded rows; it shares everything else. The campaign itself where there are none."""
    kept: list[Table[Any]] = []
    for record in HANDED_IN:
        table: Table[Any] = campaign.table(record)
        rows = table.in_file_order()
        if any(MARK in key for key, _ in rows):
            kept.append(Table.of(table.record, [(key, row) for key, row in rows if not is_superseded(key)]))
    if not kept:
        return campaign
    new = Campaign([])
    for table in (*campaign.tables().values(), *kept):
        new.put(table)
    return new


def put_back_superseded(source: Campaign, target: Campaign) -> Campaign:
    """Take the superseded rows of `source` into `target`, each where it stood among its neighbours; the target."""
    for record in HANDED_IN:
        old: Table[Any] = source.table(record)
        if any(is_superseded(key) for key, _ in old.in_file_order()):
            new = dict(target.table(record).in_file_order())
            rows = {key: row if is_superseded(key) else new[key]
                    for key, row in old.in_file_order() if is_superseded(key) or key in new}
            target.put(Table.of(target.table(record).record, {**rows, **new}.items()))
    return target
