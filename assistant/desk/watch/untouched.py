"""The memory of untouched sheets: the ledger and a sheet's print in; its records out, unread and uncompared.

The fingerprints hold every row that was written. Where a sheet's bytes are those that were written, its rows
need not be read and not be compared: a campaign of a hundred turns has a hundred times the history, but what
a phase costs is the history of that phase: without this memory turn 100 takes 2.8 of turn 10, and turn 300 6.3,
where 1.5 and 2.5 are the bounds. One sign changed in the sheet, and it is read as ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from assistant.campaign.record import Record
from assistant.desk.watch.fingerprints import asleep, unpacked
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.workbook.port import Known, Page


class LedgerMemory:
    """The memory of a workbook's sheets in the ledger beside it, to be used in a ``with`` statement.

    It knows of none where there is no ledger that can be used: the commands that need one say what is wrong.
    """

    def __init__(self, book: Path) -> None:
        self._path = path_of(book)
        self._ledger: Ledger | None = None
        self._pages: Mapping[str, Any] = {}
        self._manifest: Mapping[str, Any] = {}
        self._heads: Mapping[str, str] = {}
        self.codes = ""
        """`gathering.codes_print` of the campaign as it was written."""
        self.unsettled = False
        """Whether a crash or a full disk left a change half-way."""
        self.mark = ""
        """By what the workbook is known, as it was last written."""
        self.began: str | None = None
        """The version of the rules with which the campaign began, "" where none was noted, None without a ledger."""

    def __enter__(self) -> LedgerMemory:
        try:
            self._ledger = Ledger.open(self._path, "")
            known = json.loads(self._ledger.pages() or "{}")
            self._pages, self.codes = known.get("sheets", {}), known.get("codes", "")
            self._manifest = json.loads(self._ledger.manifest() or "{}") if self._pages else {}
            self._heads = self._ledger.heads() if self._pages else {}
            self.unsettled, self.mark = self._ledger.unsettled, self._ledger.mark
            self.began = self._ledger.began
        except LedgerTrouble:
            self._pages = {}
        return self

    def __exit__(self, *_: object) -> None:
        if self._ledger is not None:
            self._ledger.close()
        self._ledger, self._pages = None, {}

    def known(self, prints: Mapping[type[Record], str]) -> dict[str, Known]:
        """By English sheet name the records of those sheets whose bytes are those that were written, with their row
        numbers. `prints`: of each sheet what tells its bytes from any others.
        """
        found = ((record.sheet, self._rows(record, print)) for record, print in prints.items())
        return {sheet: known for sheet, known in found if known is not None}

    def _rows(self, record: type[Record], print: str) -> Known | None:
        page, then = self._pages.get(record.sheet), self._manifest.get(record.sheet)
        if self._ledger is None or page is None or then is None or page["print"] != print:
            return None
        if then["fields"] != [c.name for c in record.columns()]:
            return None
        known = Known(_counted(page["rows"]), [])
        try:
            for name in then["chunks"]:
                content = self._ledger.later(name)
                head = self._heads.get(name)
                known.parts.append(unpacked(record, then["fields"], content()) if head is None
                                   else asleep(record, name, head, then["fields"], content))
        except LedgerTrouble:
            return None
        return known if known.fits() else None


def pages_text(pages: Mapping[str, Page], codes: str, without: Iterable[str] = ()) -> str:
    """What the ledger keeps of the sheets as a writing left them. `codes`: `gathering.codes_print` of what was written;
    `without`: sheets that are to be read next time.
    """
    left = set(without)
    kept = {sheet: {"print": page.print, "rows": _runs(page.numbers)} for sheet, page in pages.items()
            if sheet not in left}
    return json.dumps({"codes": codes, "sheets": kept}, sort_keys=True, separators=(",", ":")) if kept else ""


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as (first, how many)."""
    runs = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        runs.append((found[0], len(found)))
    return runs


def _counted(runs: Iterable[Sequence[int]]) -> list[int]:
    return [number for first, count in runs for number in range(first, first + count)]
