"""Campaigns as they were found: a manifest of the ledger in; the campaign out, made of the rows that the ledger holds.

Who walks through a long past meets most rows many times. Sheets that say the same in two of these campaigns are the
same rows, which nobody has to compare; and what is settled sleeps until somebody asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.common import SharedRows
from assistant.campaign.record import Record
from assistant.campaign.table import LazyRows, Table
from assistant.desk.watch.fingerprints import asleep, unpacked
from assistant.ledger import Ledger

NO_ROWS: dict[str, Any] = {"fields": [], "chunks": []}
"""What a manifest of before a sheet was declared says of it."""


class KeptCampaigns:
    """The campaigns of a ledger. `records`: the record class of each sheet."""

    def __init__(self, ledger: Ledger, records: Mapping[str, type[Record]]) -> None:
        self._ledger, self._records = ledger, records
        self._heads: Mapping[str, str] | None = None
        self._blocks: dict[tuple[str, str], LazyRows[Any]] = {}
        self._sheets: dict[str, tuple[dict[str, Any], SharedRows[Any]]] = {}
        """Of each sheet what the last manifest said of it, and its rows."""

    def campaign(self, manifest: str) -> Campaign | None:
        """The campaign of a manifest; None where it does not know one of its sheets, or two rows have one key.

        Raises `LedgerTrouble`.
        """
        said = json.loads(manifest)
        if not all(sheet in said or record.quiet for sheet, record in self._records.items()):
            return None
        try:
            return Campaign.over(self._records, {sheet: self._rows(record, said.get(sheet, NO_ROWS))
                                                 for sheet, record in self._records.items()})
        except KeyError:
            return None

    def _rows(self, record: type[Record], said: dict[str, Any]) -> SharedRows[Any]:
        known = self._sheets.get(record.sheet)
        if known is not None and known[0] == said:
            return known[1]
        if self._heads is None:
            self._heads = self._ledger.heads()
        parts = [self._part(record, name, said["fields"]) for name in said["chunks"]]
        if any(isinstance(part, LazyRows) for part in parts):
            table = Table.partly_asleep(record, parts)
            if len(table) != sum(len(part.keys) if isinstance(part, LazyRows) else len(part) for part in parts):
                raise KeyError(record.sheet)
        else:
            table = Table(record, [row for part in parts if not isinstance(part, LazyRows) for row in part])
        common = table.common()
        self._sheets[record.sheet] = said, common
        return common

    def _part(self, record: type[Record], name: str, fields: list[str]) -> LazyRows[Any] | list[Record]:
        block = self._blocks.get((record.sheet, name))
        if block is not None:
            return block
        content, head = self._ledger.later(name), (self._heads or {}).get(name)
        if head is None or fields != [c.name for c in record.columns()]:
            return unpacked(record, fields, content())
        block = self._blocks[record.sheet, name] = asleep(record, name, head, fields, content)
        return block
