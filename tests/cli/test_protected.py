"""Protection as clubs set it: cells are written and it stays in force; sheets cannot be added, and nothing is touched.

A protected structure keeps people from adding, naming, moving and deleting sheets. A campaign has all the
sheets that it needs, so that its phases only write cells; a workbook that is adopted needs more sheets.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook.protection import WorkbookProtection

from tests.fresh import new_campaign
from tests.playing import answer, arbitro


def part(book: Path, name: str) -> str:
    """A part of a workbook."""
    with zipfile.ZipFile(book) as archive:
        return archive.read(name).decode()


@pytest.mark.slow
def test_a_campaign_of_protected_structure_and_sheets_is_played(tmp_path: Path) -> None:
    """Orders, a phase, marks and an undo are written, and both protections stand as they stood."""
    book = new_campaign(tmp_path / "war.xlsx")
    opened = openpyxl.load_workbook(book)
    opened.security = WorkbookProtection(workbookPassword="abc", lockStructure=True)
    for ws in opened:
        ws.protection.sheet = True
        ws.protection.password = "abc"
    opened.save(book)
    locks = re.compile(r"<(?:workbook|sheet)Protection [^>]*>")
    parts = ["xl/workbook.xml", "xl/worksheets/sheet5.xml", "xl/worksheets/sheet9.xml"]
    before = [locks.findall(part(book, name)) for name in parts]
    assert all(before)

    assert arbitro("orders", book, "V: V8 F7").exit_code == 0
    assert answer("resolve", book)["resolved"] == [{"turn": "1500", "phase": "income"}]
    assert arbitro("check", book, "--mark").exit_code in (0, 1)
    assert answer("check", book)["by_hand"] == []
    assert [locks.findall(part(book, name)) for name in parts] == before
    assert arbitro("undo", book).exit_code == 0
    assert [locks.findall(part(book, name)) for name in parts] == before


@pytest.mark.parametrize("way", [[], ["--yes", "--scenario", "italy-1500"]])
def test_a_workbook_of_protected_structure_is_not_adopted(tmp_path: Path, way: list[str]) -> None:
    """The campaign's sheets cannot be added: said, with what to do."""
    book = tmp_path / "club.xlsx"
    made = openpyxl.Workbook()
    ws = made.worksheets[0]
    ws.title = "Nazioni"
    for row in (["Sigla", "Nome", "Tesoro"], ["V", "Venezia", 280], ["M", "Milano", 200]):
        ws.append(row)
    made.security = WorkbookProtection(lockStructure=True)
    made.save(book)
    before = book.read_bytes()
    result = arbitro("adopt", "giglio", book, *way)

    assert (result.exit_code, book.read_bytes()) == (5, before), result.output
    assert "ARB-166" in result.stderr
    assert "Review, Protect Workbook" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["club.xlsx"]
