"""What LibreOffice sees in our workbooks; the slow part."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant.campaign.records import Faction, Rule
from assistant.workbook.file_book import open_book
from assistant.workbook.layout import HEADING_ROW, sheet_title
from tests.libreoffice import convert
from tests.playing import create_workbook
from tests.workbook.feast import FEAST, LINES, Order, feast, loader, plain, wording


def converted(path: Path, ending: str) -> Path:
    """What LibreOffice makes of a file."""
    return convert(ending, path.parent / "out", path) / f"{path.stem}.{ending}"


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_libreoffice_opens_it_and_saves_the_same_campaign(tmp_path: Path, lang: str) -> None:
    """Built, opened and saved by LibreOffice, read again: not a value differs, nor is text a formula."""
    made = feast(lang)
    made.table(Faction)["R"].club = "=1+1"
    made.table(Order)["1-serve-R-1"].text = "@cmd"
    path = tmp_path / "feast.xlsx"
    create_workbook(FEAST, made, path, wording(lang), LINES)
    saved = converted(path, "xlsx")
    reading = open_book(saved, loader).read()

    assert reading.findings == []
    assert plain(reading.campaign) == plain(made)
    book = openpyxl.load_workbook(saved)
    rules = book[sheet_title(Rule, lang)].row_dimensions
    assert [(rules[row].hidden, rules[row].outlineLevel) for row in (HEADING_ROW + 1, HEADING_ROW + 2)] == [
        (False, 0), (True, 1)]
    names = book.defined_names
    assert {"list_Nodes", "list_Factions", "list_verbs", "desk_where", "desk_awaited"} <= set(names)


@pytest.mark.slow
def test_a_written_workbook_opens_too(tmp_path: Path) -> None:
    """A workbook that was built, saved by LibreOffice, and then changed by us still opens and reads back."""
    path = tmp_path / "feast.xlsx"
    create_workbook(FEAST, feast(), path, wording(), LINES)
    saved = converted(path, "xlsx")
    book = open_book(saved, loader)
    before = book.read().campaign
    after = before.copy()
    after.table(Order).add(Order(order="1-serve-Y-1", turn="1", phase="serve", faction="Y", seq=1))
    after.desk.phase = "toast"
    book.write(before, after, wording(), LINES)
    again = open_book(converted(saved, "xlsx"), loader).read()

    assert [f for f in again.findings if f.stops] == []
    assert plain(again.campaign) == plain(after)
