"""What a real LibreOffice offers in drop-downs of a new workbook, and where the Desk's link leads; the slow part."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant.campaign.records import Question
from assistant.post.club_form import form_of
from assistant.turn.rulebooks import load
from assistant.wording import Wording
from assistant.workbook.build_copy import build_copy
from assistant.workbook.layout import HEADING_ROW
from tests.office.running import Office
from tests.playing import create_workbook
from tests.rulesets.test_legal import summer
from tests.workbook.feast import FEAST, LINES, feast, wording

GIGLIO = load("giglio")


def letter_of(path: Path, title: str, heading: str) -> str:
    """The letter of the column under a heading."""
    sheet = openpyxl.load_workbook(path)[title]
    return str(next(cell.column_letter for cell in sheet[HEADING_ROW]
                    if cell.value is not None and str(cell.value).strip() == heading))


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


@pytest.mark.slow
def test_a_copy_offers_what_the_unit_of_the_row_may_do(tmp_path: Path) -> None:
    """The way of a march begins where the army of that row stands; another army's way is no choice."""
    view, words = summer(), Wording(GIGLIO, "it")
    view.desk.language = "it"
    form = form_of(GIGLIO, view, "V", words, "ARB-1", "1500")
    path = tmp_path / "copy.xlsx"
    path.write_bytes(build_copy(GIGLIO, view, form, path, words))
    cells = {name: letter_of(path, "Ordini", GIGLIO.record("Orders").column(name).heading("it"))
             for name in ("verb", "unit", "path")}
    office = Office(tmp_path / "office")
    try:
        office.open(path)
        ways = {order.unit: order.fields["path"] for order in form.legal if order.verb == "move"}
        rows = {5: ("muovi", "V-1", ways["V-1"]), 6: ("muovi", "V-2", ways["V-2"]), 7: ("fermo", "V-1")}
        office.ask("type", {f"Ordini!{cells[name]}{row}": value for row, values in rows.items()
                            for name, value in zip(cells, values, strict=False)})
        assert wrong(office, "Ordini") == 0
        office.ask("type", {f"Ordini!{cells['unit']}6": "V-1"})
        assert wrong(office, "Ordini") == 1, "V-1 does not stand at V0"
    finally:
        office.stop()
