"""An evening by real clicks in a real window, on a plain .xlsx, with LibreOffice's security of macros as it comes.

With ``ARBITRO_PICTURES=docs/pictures`` the pictures of the manuals are made on the way.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.press import BY_VERB
from tests.house.source import ROOT
from tests.office.window import Window, shown

pytestmark = pytest.mark.slow
NAMES = {"en": ("Desk", "Orders", "Questions", "accept", "refuse", "buy a horse"),
         "it": ("Banco", "Ordini", "Domande", "accetta", "rifiuta", "compra un cavallo")}
ARBITRO = Path(sys.executable).with_name("arbitro")


def arbitro(*words: str) -> None:
    """Run a command that is done."""
    done = subprocess.run([str(ARBITRO), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can enter, too: LibreOffice installs nothing for root."""
    with tempfile.TemporaryDirectory(prefix="arbitro-") as made:
        Path(made).chmod(0o755)
        yield Path(made)


class Evening:
    """A referee at the screen. `desk`, `orders`, `questions`: the titles of sheets."""

    def __init__(self, window: Window, lang: str) -> None:
        self.window, self.lang = window, lang
        self.desk, self.orders, self.questions, self.yes, self.no, self.slip = NAMES[lang]

    def click(self, verb: str) -> None:
        """Click a button of the toolbar and wait until the press is over."""
        self.window.to_front()
        before = self.steps()
        self.window.click(BY_VERB[verb].caption(self.lang))
        rests = partial(self.window.office.ask, "resting")
        self.window.until(lambda: self.steps() != before and rests(), f"the outcome of {verb}")

    def steps(self) -> list[str]:
        """What LibreOffice can undo, the last first."""
        found: list[str] = self.window.office.ask("undoable")
        return found

    def shows(self, place: str) -> str:
        """What a cell shows."""
        return str(self.window.office.ask("shown", [place])[place][0])

    def box(self, picture: str = "") -> None:
        """Close the box that is shown, perhaps after a picture of it."""
        self.window.until(lambda: "Arbitro" in self.window.titles(), "a box")
        if picture:
            self.picture(picture)
        self.window.click("OK")
        self.window.until(lambda: "Arbitro" not in self.window.titles(), "the box is closed")
        self.window.to_front()

    def sees(self, *columns: str) -> bool:
        """Whether these columns of the sheet in front are in the window."""
        seen = self.window.office.ask("change", """
controller = doc.CurrentController
found = []
for number in range(controller.Count):
    place = controller.getByIndex(number).VisibleRange
    found += list(range(place.StartColumn, place.EndColumn + 1))""")
        return {ord(column) - ord("A") for column in columns} <= set(seen)

    def write(self, place: str, text: str) -> None:
        """Go to a cell and type something."""
        self.window.office.ask("select", place)
        self.window.type(text)
        self.window.keys("Return")
        self.window.until(lambda: self.shows(place) == text, f"{text} in {place}")

    def clear(self, place: str) -> None:
        """Go to a cell and delete what it holds."""
        self.window.office.ask("select", place)
        self.window.keys("Delete")
        self.window.until(lambda: not self.shows(place), f"nothing in {place}")

    def picture(self, name: str) -> None:
        """Keep a picture for the manual of this language."""
        self.window.picture(f"libreoffice-{name}-{self.lang}")


@pytest.fixture(params=["it", "en"])
def evening(request: pytest.FixtureRequest, folder: Path) -> Iterator[Evening]:
    """Italy 1500 with the orders of its scripted year, open in LibreOffice."""
    lang = str(request.param)
    workbook = folder / ("campagna.xlsx" if lang == "it" else "campaign.xlsx")
    arbitro("--lang", lang, "new", "giglio", str(workbook), "--scenario", "italy-1500")
    arbitro("orders", str(workbook), str(ROOT / "workbook_templates" / "giglio" / "italy-1500" / "orders.csv"))
    with shown(folder, workbook, lang) as window:
        yield Evening(window, lang)


def test_an_evening_is_played_by_clicks(evening: Evening, folder: Path) -> None:
    """Resolve, check, correct, resolve, answer, resolve, undo, preview, send, status: each one click, nothing closed,
    what was typed and not saved counts, findings stand on their cells, and Ctrl+Z takes a press back.
    """
    window = evening.window
    where, outcome = f"{evening.desk}!B6", f"{evening.desk}!B16"
    evening.picture("open")
    income, nothing = evening.shows(where), evening.shows(outcome)

    evening.click("resolve")
    budget = evening.shows(where)
    assert budget != income
    assert "10" in evening.shows(outcome)
    evening.picture("resolved")

    _one_step_is_taken_back(evening, where, income, nothing)
    evening.click("resolve")
    assert evening.shows(where) == budget

    evening.write(f"{evening.orders}!C205", "V")
    evening.write(f"{evening.orders}!L205", evening.slip)
    evening.click("check")
    assert window.office.ask("selected") == f"{evening.orders}!L205"
    assert window.office.ask("shown", [f"{evening.orders}!L205"])[f"{evening.orders}!L205"][1] == 0xFFC7B7
    notes = window.office.ask("change", f"found = doc.Sheets['{evening.orders}']['L205'].Annotation.String")
    assert evening.slip in notes
    assert evening.sees("C", "L")
    evening.picture("check")

    evening.clear(f"{evening.orders}!C205")
    evening.clear(f"{evening.orders}!L205")
    evening.click("resolve")
    assert evening.shows(where) == budget  # stopped: two answers are missing
    assert window.office.ask("shown", [f"{evening.orders}!L205"])[f"{evening.orders}!L205"][1] != 0xFFC7B7

    evening.click("answers")
    assert window.office.ask("selected") == f"{evening.questions}!D5"
    assert evening.sees("A", "B", "C", "D")
    evening.picture("answers")
    for row, word in ((5, evening.yes), (6, evening.no)):
        window.type(word)
        window.keys("Return")
        window.until(lambda at=f"{evening.questions}!D{row}", text=word: evening.shows(at) == text, word)
    evening.click("resolve")
    assert evening.shows(where) not in (income, budget)
    on_disk = desk.status(next(folder.glob("campa*.xlsx"))).data
    assert on_disk["phase"] == "open"

    evening.click("undo")
    assert evening.shows(where) == budget
    _from_the_menu(evening)
    evening.click("preview")
    assert list(folder.glob("*-reports/referee.html"))
    evening.click("send")
    evening.box()


def _one_step_is_taken_back(evening: Evening, where: str, income: str, nothing: str) -> None:
    """Ctrl+Z in the sheet takes the whole press back."""
    first = evening.steps()
    evening.window.keys("ctrl+z")
    evening.window.until(lambda: evening.steps() == first[1:], "the press is taken back")
    assert (evening.shows(where), evening.shows(f"{evening.desk}!B16")) == (income, nothing)


def _from_the_menu(evening: Evening) -> None:
    """The menu has the same buttons."""
    evening.window.to_front()
    evening.window.click("Arbitro")
    caption = BY_VERB["status"].caption(evening.lang)
    evening.window.until(lambda: evening.window.office.ask("where", caption), "the menu")
    evening.picture("menu")
    evening.window.click(caption)
    evening.box("status")
