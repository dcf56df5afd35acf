"""Half-pounds on the sheets: a number in the cell, exact in the campaign, the same after a CSV and back."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant.testing.cases import campaign_of
from assistant.wording import Wording
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import read_folder, write_folder
from assistant.workbook.write.new_workbook import create_workbook
from tests.anarchy.cases import anarchy
from tests.anarchy.scenario import wallingford


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
