"""Two states of a campaign in; what they do not share, as the ledger keeps it, out; and the second one from that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.table import Table
from assistant.desk.watch.open_workbook import row_of


def differences(before: Campaign, after: Campaign, outcome: Sequence[str]) -> bytes:
    """What two states of a campaign do not share, with what the Desk says of the second one's making.

    Table by table: how many rows at the top are the same, and the plain values of all rows below them.
    """
    tables = {}
    for sheet, table in after.tables().items():
        old, new = ([row for _, row in c.by_sheet(sheet).raw_rows()] for c in (before, after))
        same = _same_rows(old, new)
        if same < len(old) or same < len(new):
            names = [c.name for c in table.record.columns()]
            tables[sheet] = {"same": same, "fields": names,
                             "rows": [[getattr(row, name) for name in names] for row in new[same:]]}
    text = json.dumps({"outcome": list(outcome), "tables": tables}, ensure_ascii=False, sort_keys=True,
                      separators=(",", ":"))
    return text.encode()


def _same_rows(old: Sequence[Record], new: Sequence[Record]) -> int:
    count = 0
    for was, row in zip(old, new, strict=False):
        if was is not row and vars(was) != vars(row):
            break
        count += 1
    return count


def with_records(campaign: Campaign, kept: dict[str, Any]) -> Campaign:
    """A campaign after `differences`, with the keys that reading it from a sheet would give."""
    after = campaign.copy()
    for sheet, part in kept["tables"].items():
        old = after.by_sheet(sheet)
        top = [row for _, row in old.in_file_order()][:part["same"]]
        after.put(Table(old.record, [*top, *(row_of(old.record, part["fields"], values) for values in part["rows"])]))
    return after
