"""What README and the manuals tell a newcomer to type does what they say: in a fresh account, at a real terminal, from
the file that is installed to the last report.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import openpyxl
import pytest

import dev
from assistant import __version__
from assistant.buttons.libreoffice import PROFILE
from tests.cli.walking import (
    Step,
    Terminal,
    blocks,
    faults,
    faults_of,
    given_to_a_stranger,
    new_home,
    part_of,
    steps,
)
from tests.conftest import NEXT, PYTHON, ROOT
from tests.office.window import new_profile
from tests.once import once
from tests.workbook import clubs

ENGLISH, ITALIAN = "docs/referee.md", "docs/manuale-arbitro.md"
LOCALE = {"README.md": "C.UTF-8", ENGLISH: "C.UTF-8", ITALIAN: "it_IT.UTF-8"}
DOWNLOADS = {ENGLISH: "Downloads", ITALIAN: "Scaricati"}
PARTS = {
    "wheel": {"README.md": ("## Install", "## Two commands")},
    "demo": {"README.md": ("## Two commands", "## Five minutes")},
    "five minutes": {"README.md": ("## Five minutes", "## Status")},
    "installing": {ENGLISH: ("### Linux", "### A newer version, and back again"),
                   ITALIAN: ("### Linux", "### Una versione più recente, e il ritorno a quella di prima")},
    "versions": {ENGLISH: ("### A newer version, and back again", "### The buttons"),
                 ITALIAN: ("### Una versione più recente, e il ritorno a quella di prima", "### I pulsanti")},
    "buttons": {ENGLISH: ("### The buttons", "## Before the first turn"),
                ITALIAN: ("### I pulsanti", "## Prima del primo turno")},
    "beginning": {ENGLISH: ("## Before the first turn", "### A workbook that your club already uses"),
                  ITALIAN: ("## Prima del primo turno", "### Un file che il tuo circolo usa già")},
    "adopting": {ENGLISH: ("### A workbook that your club already uses", "## An evening with buttons"),
                 ITALIAN: ("### Un file che il tuo circolo usa già", "## Una serata con i pulsanti")},
    "evening": {ENGLISH: ("## An evening by commands", "## A day of The Anarchy"),
                ITALIAN: ("## Una serata con i comandi", "## Un giorno di The Anarchy")},
    "rulings": {ENGLISH: ("## Who changed that?", "## Correct the past"),
                ITALIAN: ("## Chi l'ha cambiato?", "## Correggere il passato")},
    "past": {ENGLISH: ("## Correct the past", "## When something goes wrong"),
             ITALIAN: ("## Correggere il passato", "## Quando qualcosa va storto")},
}
"""What is walked: name of the walk -> page -> its headings, the first one and that behind the last block."""
PACKAGES = "sudo apt install pipx libreoffice-calc python3-uno"
SUITE = "python3 dev.py test"
NOT_WALKED = {PACKAGES: "dev.py installs these packages before the slow tests", SUITE: "it is what runs this test"}
ELSEWHERE = {"powershell": "Windows, which these tests do not have", "zsh": "macOS, which they do not have either"}
ANSWERS = "yaml"
"""A file of answers, as tests/cli/test_adopt_clubs.py hands it in."""
MANUALS = pytest.mark.parametrize("page", [ENGLISH, ITALIAN])


def part(walk: str, page: str) -> str:
    return part_of(page, *PARTS[walk][page])


# --- every block is walked, or is not for a reason ------------------------------------------------
@pytest.mark.parametrize("page", LOCALE)
def test_every_block_is_walked_or_declared(page: str) -> None:
    """No block of commands stands on a page that nobody types, but for the two lines above and other systems'."""
    typed = [lines for walk in PARTS.values() if page in walk for kind, lines in blocks(part_of(page, *walk[page]))
             if kind == "sh"]
    all_of_it = blocks((ROOT / page).read_text(encoding="utf-8"))
    assert len(all_of_it) > 5
    assert {kind for kind, _ in all_of_it} <= {"sh", "text", ANSWERS, *ELSEWHERE}
    assert [lines for kind, lines in all_of_it if kind == "sh" and lines not in typed] == []
    assert [line for line in NOT_WALKED if typed.count([line]) > 1] == []


def test_what_is_not_walked_is_done_otherwise() -> None:
    """The packages are those that dev.py installs for the tests, and the suite is what continuous integration runs."""
    assert {*PACKAGES.split()[3:]} <= {*dev.TOOLS.values(), *dev.PARTS.values()}
    assert f"exec {SUITE}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def elsewhere(page: str) -> list[str]:
    """The lines for Windows and macOS."""
    return [line for kind, lines in blocks((ROOT / page).read_text(encoding="utf-8")) if kind in ELSEWHERE
            for line in lines]


@MANUALS
def test_windows_and_macos_need_no_script_from_the_web(page: str) -> None:
    """Programs of the systems' own shops and the file; no script is piped into a shell, nothing is a one-file
    executable; each system has at most three steps, and the file is the one that the wheel makes.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    assert {line.split()[0] for line in elsewhere(page)} == {"winget", "uv", "py", "python3", "pipx", "arbitro"}
    assert not re.search(r"\| *(iex|sh|bash)\b|irm |\.exe\b", "\n".join(elsewhere(page)))
    ways = re.findall(r"^### (Windows|macOS|Linux)(.*?)^(?=###)", text, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in ways] == ["Windows", "Windows", "macOS", "Linux"]
    assert all(re.findall(r"^(\d)\. ", way, re.MULTILINE) == ["1", "2", "3"] for _, way in ways)
    assert {*re.findall(r"arbitro-[\d.]+-py3-none-any\.whl", text)} == {
        f"arbitro-{version}-py3-none-any.whl" for version in (__version__, NEXT)}


# --- accounts -------------------------------------------------------------------------------------
class Account(NamedTuple):
    """A home in which Arbitro was installed as a page says, and what was shown of it."""

    home: Path
    page: str
    shown: str

    def open(self, folder: Path) -> Terminal:
        """A new terminal of this account, in a folder."""
        return Terminal(folder, self.home, LOCALE[self.page])


def downloaded(home: Path, checkout: Path, name: str) -> Path:
    """A new home into whose folder for downloads both versions came."""
    folder = new_home(home) / name
    folder.mkdir()
    for built in (*checkout.glob("dist/*.whl"), *checkout.glob("next/*.whl")):
        shutil.copy(built, folder)
    return home


def install(home: Path, page: str) -> str:
    """Type the steps for Linux, each in a new terminal; what was shown. The English account has a screen, and a
    browser that notes what it is to show.
    """
    screen = {"DISPLAY": ":0", "BROWSER": f"echo %s >{home}/browsed"} if page == ENGLISH else {}
    if screen:
        browser = home / "browser"
        browser.write_text(f"#!/bin/sh\necho \"$1\" >{home}/browsed\n", encoding="utf-8")
        browser.chmod(0o755)
        screen["BROWSER"] = str(browser)
    shown = ""
    for step in steps(part("installing", page)):
        if step.typed == [PACKAGES]:
            continue
        terminal = Terminal(home, home, LOCALE[page], more=screen)
        shown += terminal.walk(step)
        terminal.close()
    return shown


@pytest.fixture(scope="session")
def accounts(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Callable[[str], Account]:
    """An account for a page, made once a run."""
    def of(page: str) -> Account:
        name = f"account-{LOCALE[page][:2]}"

        def make(folder: Path) -> None:
            home = downloaded(folder / "home", checkout, DOWNLOADS[page])
            (folder / "shown.txt").write_text(install(home, page), encoding="utf-8")

        folder = once(tmp_path_factory, name, make)
        return Account(folder / "home", page, (folder / "shown.txt").read_text(encoding="utf-8"))
    return of


@pytest.fixture
def terminal(accounts: Callable[[str], Account], tmp_path: Path, page: str) -> Iterator[Terminal]:
    """A new terminal of the account of a page, in an empty folder; README's reader has the English one."""
    place = accounts(ITALIAN if page == ITALIAN else ENGLISH).open(tmp_path)
    yield place
    place.close()


@pytest.mark.slow
@MANUALS
def test_three_steps_lead_from_the_file_to_the_demo(accounts: Callable[[str], Account], page: str) -> None:
    """A fresh account has the command in each new terminal; the demo says first what it shows, and at its end it opens
    a page in the browser, or names it where there is no screen, in the machine's language.
    """
    account = accounts(page)
    assert "command not found" not in account.shown
    year = account.home / "arbitro-demo" / "reports" / "1500"
    gazette = (year / "gazette.txt").read_text(encoding="utf-8")
    browsed = account.home / "browsed"
    if page == ENGLISH:
        assert "10 factions play from 1500, Income" in account.shown
        assert browsed.read_text(encoding="utf-8").strip() == (year / "gazette.html").as_uri()
        assert account.shown.splitlines()[-2] == "The browser opens it now."
        assert "PUBLIC GAZETTE" in gazette
    else:
        assert "10 fazioni giocano secondo un copione" in account.shown
        assert not browsed.exists()
        assert "Apri per prima: arbitro-demo/reports/1500/gazette.html" in account.shown
        assert "GAZZETTA PUBBLICA" in gazette


@pytest.mark.slow
@pytest.mark.parametrize("program", ["uv", "pipx"])
def test_the_lines_for_other_systems_are_right_for_uv_and_pipx(tmp_path: Path, checkout: Path, program: str) -> None:
    """All that the manuals have Windows and macOS type to uv and pipx is typed on Linux, with the buttons of Excel."""
    home = downloaded(tmp_path / "home", checkout, "Downloads")
    lines = list(dict.fromkeys(line for page in (ENGLISH, ITALIAN) for line in elsewhere(page)
                               if line.startswith(f"{program} ")))
    assert len(lines) >= 1
    before = ["pipx ensurepath", "pipx install uv"] if program == "uv" else ["pipx ensurepath"]
    shown = ""
    for typed in (before, lines, ["arbitro --version", "arbitro --lang en doctor"]):
        terminal = Terminal(home, home, "C.UTF-8")
        shown = terminal.walk(Step(typed))
        terminal.close()
    assert f"arbitro, version {__version__}" in shown
    assert "ARB-197" not in shown  # xlwings, which the brackets ask for, is there


@pytest.mark.slow
@MANUALS
def test_a_newer_version_goes_over_and_the_old_one_comes_back(tmp_path: Path, checkout: Path, page: str) -> None:
    """Line by line, the version is the one of the file."""
    home = downloaded(tmp_path / "home", checkout, DOWNLOADS[page])
    (step,) = steps(part("versions", page))
    told = []
    for typed in (["pipx ensurepath"], *([line, "arbitro --version"] for line in step.typed)):
        terminal = Terminal(home, home, LOCALE[page], f"{home}/.local/bin:/usr/bin:/bin")
        told.append(terminal.walk(Step(list(typed))))
        terminal.close()
    assert [re.findall(r"versione? (\d[\d.]*\d)", one)[-1] for one in told[1:]] == [NEXT, __version__]


@pytest.mark.slow
def test_the_demo_of_a_checkout_needs_no_developers_tools(checkout: Path, tmp_path: Path) -> None:
    """README's first of two commands, in a fresh clone: what is installed is what Arbitro needs, and no more."""
    step, suite = steps(part("demo", "README.md"))
    assert suite.typed == [SUITE]
    terminal = Terminal(checkout, new_home(tmp_path / "home"), LOCALE["README.md"], PYTHON)
    assert list(faults_of(step, terminal)) == []
    terminal.close()
    assert (checkout / "arbitro-demo" / "reports" / "1500" / "gazette.html").exists()
    (packages,) = checkout.glob(".venv/lib/python*/site-packages")
    assert [name for name in ("pytest", "mypy", "ruff", "hypothesis", "xlwings") if (packages / name).exists()] == []
    assert (packages / "openpyxl").exists()


# --- the pages ------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md"])
def test_the_five_minutes_end_as_the_page_says(terminal: Terminal, tmp_path: Path, page: str) -> None:
    """Typed line by line, question and answer included, they lead to a battle's reports and back."""
    assert len(steps(part("five minutes", page))) == 6
    assert list(faults(terminal, part("five minutes", page))) == []
    assert (tmp_path / "reports" / "HRI.html").exists()
    assert "Commands:" not in terminal.walk(Step(["arbitro --help"]))


@pytest.mark.slow
@MANUALS
def test_the_buttons_are_installed_and_taken_back(accounts: Callable[[str], Account], page: str) -> None:
    """The line for LibreOffice, typed to the installed program, and with `--undo` behind it."""
    (step,) = steps(part("buttons", page))
    (line,) = step.typed
    with tempfile.TemporaryDirectory(prefix="arbitro-") as made:  # LibreOffice wants to read all folders above its own
        folder = Path(made)
        folder.chmod(0o755)
        new_profile(folder / "profile", "en")
        given_to_a_stranger(folder)
        terminal = Terminal(folder, accounts(page).home, LOCALE[page], more={PROFILE: str(folder / "profile")},
                            stranger=True)  # LibreOffice installs nothing for the administrator
        assert list(faults_of(step, terminal)) == []
        shown = terminal.walk(Step(["echo $?", f"{line} --undo", "echo $?"]))
        terminal.close()
    assert [row for row in shown.splitlines() if row in ("0", "1")] == ["0", "0"], shown
    assert "were taken out" in shown or "sono stati tolti" in shown, shown


@pytest.mark.slow
@MANUALS
def test_a_clubs_own_workbook_is_taken_on(terminal: Terminal, tmp_path: Path, page: str) -> None:
    """The two lines about it, on a workbook of a club of each language; it is a campaign then."""
    book = tmp_path / ("club.xlsx" if page == ENGLISH else "circolo.xlsx")
    book.write_bytes(clubs.english() if page == ENGLISH else clubs.treasurer())
    assert list(faults(terminal, part("adopting", page))) == []
    assert book.with_suffix(".arbitro").exists()
    assert {"Desk", "Banco"} & {*openpyxl.load_workbook(book, read_only=True).sheetnames}


@pytest.mark.slow
@pytest.mark.parametrize(("page", "book", "sent", "folders"), [
    (ENGLISH, "campaign", ("venice", "milan", "florence"), ("my-map", "reports")),
    (ITALIAN, "campagna", ("venezia", "milano", "firenze"), ("la-mia-mappa", "bollettini"))])
def test_the_manuals_evening_goes_as_the_page_says(
        terminal: Terminal, tmp_path: Path, page: str, book: str, sent: tuple[str, str, str],
        folders: tuple[str, str]) -> None:
    """A campaign is begun, of an own map too; clubs' files are taken in, checked, played, told."""
    run("new", "giglio", tmp_path / "other.xlsx")
    run("export", tmp_path / "other.xlsx", "--to", tmp_path / folders[0])
    assert list(faults(terminal, part("beginning", page))) == []
    for ending in (".xlsx", ".arbitro"):
        shutil.copyfile(tmp_path / f"{book}{ending}", tmp_path / f"{sent[1]}{ending}")
    run("orders", tmp_path / f"{sent[1]}.xlsx", "M: loan 60")
    (tmp_path / f"{sent[0]}.csv").write_text("faction,turn,phase,text\nV,1500,r1,V6 HRI1\n", encoding="utf-8")
    (tmp_path / f"{sent[2]}.txt").write_text("loan 20\n", encoding="utf-8")
    assert list(faults(terminal, part("evening", page))) == []
    run("export", tmp_path / f"{book}.xlsx", "--to", tmp_path / "now")
    taken = (tmp_path / "now" / "orders.csv").read_text(encoding="utf-8")
    assert [who for who in ("V", "M", "F") if f",{who}," not in taken] == []
    assert list((tmp_path / folders[1]).glob("V.html"))


@pytest.mark.slow
@MANUALS
def test_a_change_by_hand_is_kept_and_put_back(terminal: Terminal, tmp_path: Path, page: str) -> None:
    """The cell of the page is Venice's chest: it is changed before each of the two lines, kept and put back."""
    book, title, cell = tmp_path / ("campaign.xlsx" if page == ENGLISH else "campagna.xlsx"), "Factions", "J5"
    lang = ("--lang", "en") if page == ENGLISH else ("--lang", "it")
    run(*lang, "new", "giglio", book)
    title = "Factions" if page == ENGLISH else "Fazioni"
    keep, put_back = steps(part("rulings", page))
    chest = []
    for step, amount in ((keep, 300), (put_back, 999)):
        opened = openpyxl.load_workbook(book)
        opened[title][cell].value = amount
        opened.save(book)
        assert list(faults_of(step, terminal)) == []
        chest.append(openpyxl.load_workbook(book)[title][cell].value)
    assert chest == [300, 300]
    assert run("check", book, "--json").count('"by_hand": []') == 1


@pytest.mark.slow
@MANUALS
def test_the_past_is_corrected_as_the_page_says(accounts: Callable[[str], Account], terminal: Terminal, tmp_path: Path,
                                                page: str) -> None:
    """On the campaign that the demo leaves: each line says what would differ and asks; nothing is written unasked."""
    book = tmp_path / ("campaign.xlsx" if page == ENGLISH else "campagna.xlsx")
    played = accounts(page).home / "arbitro-demo" / "italy-1500.xlsx"
    for ending in (".xlsx", ".arbitro"):
        shutil.copyfile(played.with_suffix(ending), book.with_suffix(ending))
    orders = tmp_path / ("orders-of-venice.csv" if page == ENGLISH else "ordini-di-venezia.csv")
    orders.write_text("faction,turn,phase,text\nV,1500,r2,V8 F7\n", encoding="utf-8")
    before = book.read_bytes()
    assert list(faults(terminal, part("past", page))) == []
    assert book.read_bytes() == before


def run(*words: object) -> str:
    """Run a command of the house; what it said."""
    done = subprocess.run([sys.executable, "-m", "assistant", *map(str, words)], capture_output=True, text=True,
                          check=False, env={"PATH": PYTHON, "LANG": "C.UTF-8"}, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- the walker itself ------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("page", [ENGLISH])
def test_an_answer_that_nobody_asked_for_is_taken_with_a_remark(terminal: Terminal, page: str) -> None:
    """Answers may come early: the row is taken, and the line below says that it waits for its question."""
    text = """```sh
arbitro new giglio mine.xlsx
arbitro orders mine.xlsx "V: choice HRI1/HRI attack"
```
```text
choice HRI1/HRI: attack
Nobody has been asked this yet: the answer waits for the question.
1 row was written into the workbook.
```
"""
    assert list(faults(terminal, text)) == []


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md"])
def test_a_page_that_forgets_a_question_is_found(terminal: Terminal, page: str) -> None:
    """Without the block that shows the question the walk stops at it, as the newcomer did."""
    forgetful = part("five minutes", page).replace("[y/N] y", "")
    with pytest.raises(AssertionError, match="knows of no such question"):
        list(faults(terminal, forgetful))
