"""A whole evening by clicks alone: from the wheel, installed and set up, to the reports in the clubs' mailboxes.

A blank LibreOffice on a screen of 1,280 by 720; a mailbox at a real server. With ``ARBITRO_FILM=FOLDER`` a picture of
each step is kept.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.buttons.press import BY_VERB
from assistant.campaign.records import Faction, InboxRow, Order
from assistant.campaign.tables import Record
from assistant.desk.clubs.send import ADDRESS
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import HOME, NO_PICTURES_VARIABLE
from assistant.turn.findings import Finding, Where
from assistant.wording import Wording
from assistant.workbook.layout import sheet_title
from tests.cli.test_adopt_clubs import QUESTIONS, club_book
from tests.office.test_clicks import Evening, folder
from tests.office.test_small_screen import SMALL
from tests.office.window import Window, shown
from tests.post.mails import raw
from tests.post.servers import PASSWORD, REFEREE, Delivering, Machine
from tests.post.test_sending import read

__all__ = ["folder"]

pytestmark = pytest.mark.slow
CLUBS = {"V": "lanterna@example.org", "F": "marzocco@example.org"}
WORDS = {"en": ("Yes", "Decide", "does not", "loan 80", "loan 60", "Agreed in the club"),
         "it": ("Sì", "Decidi", "non vale", "prestito 80", "prestito 60", "Deciso in circolo")}
UNREADABLE = "Caro arbitro, magari stasera facciamo una passeggiata con la terza armata"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of the wheel in an environment of its own, beside the libraries that are here."""
    home = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps",
                    "--no-index", str(wheel)], check=True)
    (packages,) = (home / "lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return home / "bin" / "arbitro"


@pytest.fixture(scope="module")
def server() -> Iterator[Machine]:
    """A server that takes mails, and the referee's mailbox."""
    machine = Machine()
    with machine.smtp(), machine.imap():
        yield machine
    shutil.rmtree(machine.place, ignore_errors=True)


class Night(Evening):
    """An evening on a blank LibreOffice, filmed."""

    def __init__(self, window: Window, lang: str) -> None:
        super().__init__(window, lang)
        self.taken = 0
        self.yes, self.decide, self.closed, self.loan, self.less, self.why = WORDS[lang]
        self.text = Wording(None, lang).text

    def film(self, name: str) -> None:
        """A picture of the screen, numbered."""
        self.taken += 1
        self.window.film(f"{self.lang}-{self.taken:02}-{name}")

    def menu(self, verb: str) -> None:
        """Click an entry of the menu Arbitro."""
        caption = BY_VERB[verb].caption(self.lang)
        self.window.to_front()
        self.window.click("Arbitro")
        self.window.until(lambda: self.window.office.ask("where", caption), "the menu")
        if not self.taken:
            self.film("menu")
        self.window.click(caption)

    def form(self, first: str, *values: str, name: str) -> None:
        """Fill in a window whose first field is called so, field by field: ``+N`` goes down a list, "" leaves what is
        there; then OK.
        """
        label = self.text(first)
        self.window.until(lambda: self.window.office.ask("where", label), label)
        self.window.dialog_to_front()
        for number, value in enumerate(values):
            if number:
                self.window.keys("Tab")
            if value.startswith("+"):
                self.window.keys(*["Down"] * int(value[1:]))
            elif value:
                self.window.keys("ctrl+a")
                self.window.type(value)
        self.film(name)
        self.window.click("OK")

    def question(self, name: str) -> None:
        """Say yes in a box."""
        self.window.until(lambda: self.window.office.ask("where", self.yes), "a question")
        self.window.dialog_to_front()
        self.film(name)
        self.window.click(self.yes)

    def agree(self, name: str) -> None:
        """Read a box, and click OK."""
        self.window.until(lambda: self.window.office.ask("where", "OK"), "an outcome", 180)
        self.window.dialog_to_front()
        self.film(name)
        self.window.click("OK")

    def outcome(self, name: str) -> None:
        """Read the box at the end of a press, and close it."""
        self.agree(name)
        self.window.until(lambda: "Arbitro" not in self.window.titles(), "the box is closed")

    def press(self, verb: str, name: str) -> None:
        """Click a button of the toolbar, and see what is on the sheet then."""
        self.click(verb)
        self.film(name)

    def click_box(self, verb: str) -> None:
        """Click a button whose outcome comes in a window."""
        self.window.to_front()
        self.window.click(BY_VERB[verb].caption(self.lang))

    def title(self, record: type[Record]) -> str:
        """The title of a sheet."""
        return sheet_title(record, self.lang)

    def type_into(self, place: str, text: str) -> None:
        """Go to a cell, type and press Return; completing by LibreOffice is typed over."""
        self.window.office.ask("select", place)
        self.window.type(text)
        self.window.keys("Delete", "Return")
        self.window.until(lambda: self.shows(place) == text, f"{text} in {place}")


@pytest.fixture(params=["it"])
def night(request: pytest.FixtureRequest, installed: Path, server: Machine, folder: Path) -> Iterator[Night]:
    """LibreOffice with a blank sheet, and the buttons of the installed wheel."""
    lang = str(request.param)
    server.clear()
    with shown(folder, "--calc", lang, SMALL, arbitro=installed, SSL_CERT_FILE=str(server.authority),
               **{HOME: str(folder / "own"), NO_PICTURES_VARIABLE: "1"}) as window:
        yield Night(window, lang)


def answer(server: Machine, club: str, text: str) -> None:
    """A club answers the mail that it got last."""
    mail = read(server.mails(CLUBS[club])[0])
    Delivering(server.mailboxes, lambda step, to: "").deliver(REFEREE, raw(
        text, headers={"From": CLUBS[club], "Message-ID": f"<{club}@club.test>"}, subject=f"Re: {mail['Subject']}"))


def begin(night: Night, server: Machine) -> None:
    """A new campaign, the mailbox, and the first mails."""
    night.menu("new")
    night.form("Rulebook and scenario", "+2", name="new")
    night.outcome("made")
    night.window.until(lambda: night.window.office.ask("change", "found = 'xlsx' in doc.URL"), "the campaign is open")
    night.window.until(lambda: night.window.office.ask("in_front"), "its window")
    night.film("open")
    night.menu("post")
    night.form(ADDRESS, REFEREE, "The referee", name="address")
    night.form(ADDRESS, "", "", f"127.0.0.1:{server.smtp_port}:starttls", f"127.0.0.1:{server.imap_port}:tls", "",
               PASSWORD, name="account")
    night.outcome("account-works")
    night.click_box("send")
    night.question("first-mails")
    night.outcome("sent")


def decide_in_the_inbox(night: Night, book: Path) -> None:
    """What nobody understood is closed at its cell."""
    workspace = open_workspace(book)
    row = next(row for row in workspace.campaign.table(InboxRow) if row.waits)
    finding = Finding("", "info", Where(InboxRow.sheet, str(row.no), "decide"), {})
    place = workspace.reading.with_cells([finding])[0].cell
    assert night.window.office.ask("selected") == place
    night.type_into(place, night.closed)


def correct_the_loan(night: Night) -> None:
    """It was 60, not 80."""
    night.menu("correct")
    night.form("Phase", name="correct-phase")
    night.form("Row", name="correct-row")
    night.form("It should have said", night.less, name="correct-line")
    night.question("correct-question")
    night.outcome("corrected")


def test_an_evening_from_the_wheel_to_the_mailed_reports(night: Night, server: Machine, folder: Path) -> None:
    """A campaign, the mailbox, the first mails; what comes back, one of it unreadable; a change by hand; two phases;
    a correction; the reports. Everything is clicked or typed into a window or a cell.
    """
    book = folder / f"{night.text('campaign')}.xlsx"
    begin(night, server)
    assert len(server.mails(CLUBS["V"])) == 2
    answer(server, "V", night.loan)
    answer(server, "F", UNREADABLE)
    night.click_box("collect")
    night.outcome("collected")
    night.film("inbox")
    decide_in_the_inbox(night, book)

    factions, changes = night.title(Faction), {"en": "Changes", "it": "Modifiche"}[night.lang]
    night.type_into(f"{factions}!D5", "Zara")
    night.press("resolve", "hand-edit")
    assert night.window.office.ask("selected") == f"{changes}!F5"
    night.type_into(f"{changes}!F5", night.why)
    night.press("decide", "decided")
    night.press("resolve", "income")
    night.press("resolve", "budget")
    assert open_workspace(book).campaign.desk.phase == "open"
    correct_the_loan(night)
    night.window.to_front()
    night.click_box("send")
    night.outcome("mailed")

    campaign = open_workspace(book).campaign
    assert [row.verdict for row in campaign.table(InboxRow) if row.club == "F"] == ["does not"]
    assert any("~" in key for key, _ in campaign.table(Order).in_file_order())
    last = read(server.mails(CLUBS["V"])[-2]).get_body(("plain",))
    assert last is not None
    assert night.why in last.get_content()


@pytest.mark.parametrize("lang", ["en"])
def test_a_clubs_own_workbook_is_adopted_by_clicks(installed: Path, folder: Path, lang: str) -> None:
    """Opened as the club keeps it: the questions, each in a window, what was read as what, and the campaign opens."""
    book = club_book(folder, "giglio")
    made, before = folder / f"giglio-{Wording(None, lang).text('campaign')}.xlsx", book.read_bytes()
    with shown(folder, book, lang, SMALL, arbitro=installed, **{HOME: str(folder / "own")}) as window:
        night = Night(window, lang)
        night.menu("adopt")
        night.form("The club's file", name="adopt-file")
        for number in range(QUESTIONS["giglio"]):
            night.form("Answer", name=f"adopt-question-{number + 1}")
            time.sleep(1)  # the next window has the same field
        night.agree("adopt-read")
        window.until(made.is_file, "the campaign is written", 180)  # the box at the end bears the same title
        night.outcome("adopted")
        window.until(lambda: window.office.ask("change", "found = 'camp' in doc.URL"), "the campaign is open")
        night.film("adopt-open")

    assert book.read_bytes() == before
    assert open_workspace(made).campaign.desk.phase == "income"
