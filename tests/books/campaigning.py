"""A phase of the Feast as it is written into a workbook of the corpus, and what may differ afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Question, Rule
from assistant.workbook.file_book import open_book
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.grid import cell_value
from tests.workbook.feast import LINES, Army, Dish, loader, wording

NASTY = ("=1+1", "+39", "-5", "@cmd", "=cmd|' /C calc'!A0", "'quoted", "<b>&amp;</b>]]>", "a\nb", "\u05d0\u05d1 txet",
         " blanks  inside ", "_x0041_", "été 🍲 ŝ", "#N/A", "TRUE", "1e5", "\ttab", "007")


def phase(after: Campaign) -> None:
    """Changes of every kind: values, rows added, removed, more than a table has room for, the Desk."""
    after.desk.phase = "toast"
    after.table(Army)["R-1"].guests = 90
    after.table(Army)["R-1"].seen = ("T10",)
    after.table(Army).add(Army(army="R-2", faction="R", node="T2", guests=30))
    after.table(Army).add(Army(army="R-3", faction="R", node="T2", guests=3, hungry=True))
    after.table(Army).remove("Y-1")
    after.table(Question)["1.serve.salt.R.T1"].answer = "=yes"
    after.table(Rule).add(Rule(key="toast", value="quiet"))
    after.table(Rule).remove("plates")
    after.table(Dish).remove("Soup/R")
    for no, words in enumerate(NASTY, 2):
        after.table(Event).add(Event(no=no, turn="1", phase="serve", audience="all", event="served", rule=words.strip(),
                                     data={"army": words, "n": no}))


def area(ref: str) -> set[str]:
    """All addresses of an area of columns A to Z."""
    left, top, right, bottom = re.fullmatch(r"([A-Z])(\d+):([A-Z])(\d+)", ref).groups()  # type: ignore[union-attr]
    return {f"{chr(c)}{r}" for c in range(ord(left), ord(right) + 1) for r in range(int(top), int(bottom) + 1)}


MAY_DIFFER = {
    "Desk": area("B4:F40"), "Armies": {"D5", "G5", *area("A6:G7")}, "Questions": area("A5:O5"),
    "Rules": area("B5:C6"), "Dishes": area("A5:D6"), "Events": area("A6:K22"),
}
"""Title -> the addresses of cells that this phase may change."""
_SUMS = frozenset({"K40", "L40"})
STALE = {"formulas": _SUMS, "calc_chain": _SUMS, "everything": _SUMS, "arrays": frozenset({"K40"}),
         "dynamic_arrays": frozenset({"K40"}), "macro_functions": frozenset({"L40", "M40", "P40"}),
         "filled_down": frozenset({"L40", "L41", "L42", "L43", "M40", "M41", "M42"})}
"""Feature -> the formulas whose results this phase makes wrong: they lose them, for LibreOffice works out anew only a
formula without a result. No other does, be it filled down (L41) or a what-if table."""


def write(path: Path) -> tuple[WorkbookReading, Campaign]:
    """Read a workbook, let the phase happen, write it; gives the reading before and the campaign after."""
    book = open_book(path, loader)
    reading = book.read()
    after = reading.campaign.copy()
    phase(after)
    book.write(reading.campaign, after, wording(), LINES)
    return reading, after


def wanted(reading: WorkbookReading, after: Campaign, lang: str = "en") -> dict[str, dict[str, Any]]:
    """What every reader must see: sheet title -> address -> value. `reading`: of the written workbook."""
    found: dict[str, dict[str, Any]] = {}
    for sheet, rows in reading.cells.rows.items():
        cells = found.setdefault(reading.cells.titles[sheet], {})
        table, letters = after.by_sheet(sheet), reading.cells.letters[sheet]
        for key, number in rows.items():
            row = table.get(key)
            for name, letter in letters.items() if row is not None else ():
                cells[f"{letter}{number}"] = cell_value(row.column(name), getattr(row, name), lang)  # type: ignore[union-attr]
    return found


def stops(reading: WorkbookReading) -> Iterable[str]:
    """The findings that stop a phase, as one line each."""
    return [f"{f.code} {f.cell} {f.data}" for f in reading.findings if f.stops]
