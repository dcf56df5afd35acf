"""Printing: a club's copy on eight pages, and sheets that fit the width of a page."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.environment import scenario_names
from assistant.workbook.build_copy import COPY_PAGES
from tests.libreoffice import convert

BOOKS = {"giglio": "V", "anarchy": "royal", "bloodlust": "VOR", "incursio": "esdef", "warriors": "orcs"}
"""The rulebooks, and a club of each."""
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A fresh campaign of a rulebook in a folder with the copies of its club."""
    name = str(request.param)
    book = tmp_path / "war.xlsx"
    plan = desk.NewPlan(name, scenario=scenario_names(name)[0], language="it")
    assert desk.new_campaign(plan, book).exit == 0
    assert desk.share(book, tmp_path / "copies", only=(BOOKS[name],), lang="it").exit == 0
    return book


@pytest.mark.slow
@pytest.mark.parametrize("written", BOOKS, indirect=True)
def test_a_clubs_copy_prints_on_eight_pages(written: Path, tmp_path: Path) -> None:
    """LibreOffice prints the whole copy, with the form and what the club has, on no more."""
    [copy] = (written.parent / "copies").glob("*.xlsx")

    assert 3 <= pages_of(copy, tmp_path) <= COPY_PAGES


def pages_of(workbook: Path, folder: Path) -> int:
    """How many pages LibreOffice prints of a workbook."""
    return len(_PAGE.findall((convert("pdf", folder, workbook) / f"{workbook.stem}.pdf").read_bytes()))


@pytest.mark.slow
@pytest.mark.parametrize("written", BOOKS, indirect=True)
def test_desk_orders_and_battles_fit_the_width_of_a_page(written: Path) -> None:
    """On a page across, with the headings on each; a narrow sheet and the Desk stand upright. What grows to the right
    of the Desk's columns, such as the marks of changes, is not printed.
    """
    sheets = list(openpyxl.load_workbook(written))
    for ws in (sheet for sheet in sheets if sheet.title in ("Banco", "Ordini", "Battaglie")):
        fits = ws.sheet_properties.pageSetUpPr
        assert (ws.page_setup.fitToWidth, fits is not None and fits.fitToPage) == (1, True), ws.title
        assert ws.title == "Banco" or ws.print_title_rows == "$4:$4", ws.title
        assert ws.page_setup.orientation == ("portrait" if ws.title == "Banco" else "landscape")
        assert ws.title != "Banco" or re.fullmatch(r"'Banco'!\$A\$1:\$G\$\d+", ws.print_area)
    assert any(ws.page_setup.orientation == "portrait" for ws in sheets)
