"""The buttons that ask, pressed in a running LibreOffice: what is typed into their windows counts, and what a window
cannot show whole stands on a sheet of the workbook.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import HOME
from tests.fresh import new_campaign
from tests.house.source import ROOT
from tests.office.running import Office
from tests.office.test_pressing import press
from tests.playing import copy_with_folder

pytestmark = pytest.mark.slow
ORDERS = ROOT / "workbook_templates" / "giglio" / "italy-1500" / "orders.csv"
NAMES = {"en": ("The last click of a button, in full", "Details", "yes"),
         "it": ("L'ultimo clic di un pulsante, per intero", "Dettagli", "sì")}
ORDER_SHOWN = {"en": "Venice, order: loan, Ducats 80",
               "it": "Venezia, ordine: prestito, Ducati 80"}
NEW_LINE = {"en": "loan 60", "it": "prestito 60"}
WRITE_IT = {"en": "Write it?", "it": "Scrivo?"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """One LibreOffice for all tests here, of a user without a mail account."""
    folder = tmp_path_factory.mktemp("office")
    running = Office(folder, environment={HOME: str(folder / "own")})
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["en", "it"])
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Italy 1500 in a language with the orders of its scripted year, and its first phase resolved; to copy from."""
    path = new_campaign(tmp_path_factory.mktemp("begun") / "campaign.xlsx", language=str(request.param))
    assert desk.take_orders(path, [desk.Input("orders", path=ORDERS)]).exit == desk.Exit.DONE
    assert desk.resolve(path).exit == desk.Exit.DONE
    return path


@pytest.fixture
def campaign(begun: Path, office: Office, tmp_path: Path) -> Path:
    """The same, to be changed; open."""
    path = copy_with_folder(begun, tmp_path)
    office.open(path)
    return path


def details(office: Office, sheet: str) -> list[str]:
    """What stands on the sheet of details."""
    shown: dict[str, list[Any]] = office.ask("shown", [f"{sheet}!A{row}" for row in range(1, 60)])
    return [cell[0] for cell in shown.values() if cell[0]]


def test_a_correction_is_seen_on_a_sheet_and_written(office: Office, campaign: Path) -> None:
    """The phase, the row and the new words are chosen in windows; all that would differ stands on the sheet before it
    is written; Undo and Redo take the correction back and make it again.
    """
    lang = str(open_workspace(campaign).campaign.desk.language)
    heading, sheet, yes = NAMES[lang]
    settled = press(office, "until", forms=[{"defaults": yes}])
    assert settled["exit"] == 0, settled
    assert open_workspace(campaign).campaign.desk.phase == "open"

    row = ORDER_SHOWN[lang]
    done = press(office, "correct", forms=[{}, {"row": row}, {"line": NEW_LINE[lang], "why": "x"}])

    assert done["exit"] == 0, done
    assert done["forms"][1]["fields"][0]["options"].count(row) == 1
    assert done["asked"][0][-1] == WRITE_IT[lang]
    shown = details(office, sheet)
    assert shown[0] == heading
    assert all(line in shown or line.startswith("...") for line in done["asked"][0][:-1])
    assert "1500-budget-V-2~1" in open_workspace(campaign).campaign.by_sheet("Orders")
    assert office.ask("change", "found = doc.isModified()") is False
    assert press(office, "verify")["exit"] == 0
    assert press(office, "undo")["exit"] == 0
    assert press(office, "redo")["exit"] == 0
    assert "1500-budget-V-2~1" in open_workspace(campaign).campaign.by_sheet("Orders")


@pytest.mark.parametrize("begun", ["it"], indirect=True)
def test_every_button_that_asks_or_counts_answers(office: Office, campaign: Path) -> None:
    """Each says something, none fails, and who gives up has changed nothing; a long outcome stands on its sheet."""
    _, sheet, _ = NAMES[str(open_workspace(campaign).campaign.desk.language)]
    ends = {"verify": 0, "luck": 0, "standings": 0, "odds": 0, "map": 0, "since": 0, "remind": 0, "mail": 1, "redo": 1}

    for verb, code in ends.items():
        outcome = press(office, verb, forms=[{}])
        assert (outcome["exit"], bool(outcome["lines"])) == (code, True), (verb, outcome)
        if verb == "standings":
            assert outcome["select"] == f"{sheet}!A1"
            assert len(details(office, sheet)) > len(outcome["lines"])
    for verb in ("correct", "until", "map", "since", "mail", "post"):
        outcome = press(office, verb, forms=[None])
        assert (outcome["exit"], len(outcome["forms"])) == (1, 1), (verb, outcome)


@pytest.mark.parametrize("begun", ["en"], indirect=True)
def test_a_password_is_not_shown_and_what_does_not_work_is_asked_again(office: Office, campaign: Path) -> None:
    """Nothing of it stands in the workbook, on its sheet of details neither."""
    outcome = press(office, "post", forms=[{"address": "referee@club.test"},
                                           {"smtp": "127.0.0.1:1", "imap": "-", "secret": "open sesame"}, None])

    assert [field["secret"] for field in outcome["forms"][1]["fields"]][-1]
    assert any("127.0.0.1" in line for line in outcome["forms"][2]["lines"])
    texts = [value for shown in office.ask("snapshot")["sheets"] for line in shown["values"] for value in line]
    assert not any("sesame" in str(value) or "referee@club.test" in str(value) for value in texts)
