"""The printed tables of a book, for campaigns that bring none of their own."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record, Table


def fill_in_tables(campaign: Campaign, printed: Iterable[type[Record]], folder: Path) -> list[Table[Any]]:
    """Fill in the tables that are empty, each from its CSV file in a folder; returns those that were filled in."""
    empty = [table for record in printed if not len(table := campaign.by_sheet(record.sheet))]
    for table in empty:
        with (folder / f"{table.record.file}.csv").open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                table.add(table.record.from_values(dict(row)))
    return empty
