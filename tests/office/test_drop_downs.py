"""What a real LibreOffice offers in drop-downs of a new workbook, and where the Desk's link leads; the slow part."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant.campaign.records import Question
from assistant.workbook.layout import HEADING_ROW
from assistant.workbook.write.new_workbook import create_workbook
from tests.office.running import Office
from tests.workbook.feast import FEAST, LINES, feast, wording


def letter_of(path: Path, title: str, heading: str) -> str:
    """The letter of the column under a heading."""
    sheet = openpyxl.load_workbook(path)[title]
    return str(next(cell.column_letter for cell in sheet[HEADING_ROW] if cell.value == heading))


def wrong(office: Office, title: str) -> int:
    """How many cells of a sheet LibreOffice circles because their drop-down does not offer what stands there."""
    return int(office.ask("invalid", title))


@pytest.mark.slow
def test_a_question_offers_its_own_options_and_a_switch_its_words(tmp_path: Path) -> None:
    """What the drop-down offers is no wrong value, any other word is: of each question and each switch its own."""
    campaign = feast("it")
    campaign.table(Question).add(Question(question="1.serve.salt.Y.T2", turn="1", phase="serve", kind="salt", to="Y",
                                          about="T2", options="T1, T2", asked={"node": "T2"}, status="open"))
    path = tmp_path / "feast.xlsx"
    create_workbook(FEAST, campaign, path, wording("it"), LINES)
    answer, value = letter_of(path, "Domande", "Risposta"), letter_of(path, "Regole", "Valore")
    office = Office(tmp_path / "office")
    try:
        office.open(path)
        office.ask("type", {f"Domande!{answer}5": "sì", f"Domande!{answer}6": "T2"})
        assert wrong(office, "Domande") == 0
        office.ask("type", {f"Domande!{answer}5": "T1", f"Domande!{answer}6": "sì"})
        assert wrong(office, "Domande") == 2
        office.ask("type", {f"Regole!{value}5": None, f"Regole!{value}6": "quiet"})
        assert wrong(office, "Regole") == 0
        office.ask("type", {f"Regole!{value}6": "shrill"})
        assert wrong(office, "Regole") == 1
    finally:
        office.stop()


@pytest.mark.slow
def test_the_desk_leads_to_the_next_blank_row_of_orders(tmp_path: Path) -> None:
    """The link goes on with every row that is typed, and follows a sheet that gets another name."""
    path = tmp_path / "feast.xlsx"
    create_workbook(FEAST, feast("it"), path, wording("it"), LINES)
    desk = openpyxl.load_workbook(path)["Banco"]
    where = next(cell.coordinate for row in desk.iter_rows() for cell in row
                 if str(cell.value).startswith("=HYPERLINK"))
    office = Office(tmp_path / "office")
    try:
        office.open(path)
        assert office.ask("shown", [f"Banco!{where}"])[f"Banco!{where}"][0] == "Riga vuota"
        assert office.ask("follow", f"Banco!{where}") == "$Ordini.$C$6"
        office.ask("type", {"Ordini!E9": "mangia"})
        office.ask("change", "doc.Sheets['Ordini'].Name = 'I nostri'")
        assert office.ask("follow", f"Banco!{where}") == "$'I nostri'.$C$10"
    finally:
        office.stop()
