"""Half-pounds on the sheets: a number in the cell, exact in the campaign, the same after a CSV and back."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant.reporting.build import build_page
from assistant.testing.cases import campaign_of
from assistant.wording import Wording
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import read_folder, write_folder
from tests.anarchy.cases import anarchy, build
from tests.anarchy.scenario import wallingford
from tests.playing import create_workbook


@pytest.mark.slow
def test_half_pounds_survive_workbook_and_csv(tmp_path: Path) -> None:
    """£12.5 is 25 halves in code, 12.5 in the cell, ``12.5`` in a CSV, and 25 again after both."""
    campaign = wallingford()
    campaign.by_sheet("Armies")["A-STE"].money = 25
    path = tmp_path / "c.xlsx"
    create_workbook(anarchy(), campaign, path, Wording(anarchy(), "en"), DeskLines())

    sheet = openpyxl.load_workbook(path)[anarchy().record("Armies").sheet_it]
    numbers = [cell.value for row in sheet.iter_rows() for cell in row if cell.value == 12.5]
    assert numbers == [12.5]
    assert campaign_of(path).by_sheet("Armies")["A-STE"].money == 25

    write_folder(campaign, tmp_path / "csv")
    assert ",12.5," in (tmp_path / "csv" / "armies.csv").read_text(encoding="utf-8")
    again = read_folder(tmp_path / "csv", anarchy())[1]
    assert again.by_sheet("Armies")["A-STE"].money == 25
    assert again.by_sheet("Nodes")["0201"].as_text()["x"] == campaign.by_sheet("Nodes")["0201"].as_text()["x"]


@pytest.mark.parametrize(("lang", "first", "second", "shown", "change"), [
    ("en", "12.5", "3", "15.5", "+0.5"), ("it", "12.5", "3", "15,5", "+0,5"), ("en", "12.5", "2.5", "15", "±0")])
def test_the_purses_together_are_the_sum_of_the_column(lang: str, first: str, second: str, shown: str,
                                                       change: str) -> None:
    """13: half-pounds count at the top of the report as they do in the table of groups."""
    before, now = (anarchy().view(build(
        "provisions", armies=f"A1 r 0605 S9 money={a}, A2 r 0606 S9 money={b}"), "royal")
        for a, b in (("12", "3"), (first, second)))
    page = build_page(anarchy(), now, "royal", Wording(anarchy(), lang), 0, {}, {}, previous=before)
    figure = page.glance[2]
    assert (figure.value_text, figure.change_text) == (shown, change)
