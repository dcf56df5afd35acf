"""What a message tells to type can be copied: each command runs as it stands, whatever the file is called."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assistant import desk
from assistant.environment import quote_for_shell
from tests import hand
from tests.hand import cell_of
from tests.workbook import clubs

NAMED = "la guerra d'Italia.xlsx"
WORDS = (NAMED, "war.xlsx", "games/1500/war.xlsx", "rosso & nero (2).xlsx", "50% $HOME.xlsx", "guerra!.xlsx",
         "a;b.xlsx", "back`tick.xlsx", "star*.xlsx", "Factions.I5", "Battle losses.C7", "l'anno $HOME!.xlsx",
         "all'alba $(date) `id`.xlsx", "%PATH% d'oro.xlsx", "$HOME.xlsx", "$1 & $2.xlsx", 'il "leone".xlsx', "due\\")
SHELLS = ("bash", "dash")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Italy 1500 under a name with a blank and an apostrophe, with Venice's chest changed by hand."""
    path = tmp_path_factory.mktemp("le serate") / NAMED
    assert desk.new_campaign(desk.NewPlan("giglio", language="en"), path).exit is desk.Exit.DONE
    opened = hand.opened(path)
    cell_of(opened["Factions"], "V", "Chest").value = 1000
    opened.save(path)
    return path


def run(command: str, folder: Path) -> int:
    """Type a command into a shell that stands in a folder; its exit code."""
    arbitro = Path(sys.executable).with_name("arbitro")
    typed = command.replace("arbitro", f"'{arbitro}'", 1)
    return subprocess.run(["bash", "-c", typed], cwd=folder, check=False, capture_output=True).returncode


def taken(shell: str, typed: str) -> str:
    """What a shell hands to a command of what is typed behind its name, a line for each word."""
    return subprocess.run([shell, "-c", f"printf '%s\\n' {typed}"], check=True, capture_output=True, text=True,
                          env={"HOME": "/nowhere", "PATH": "/usr/bin:/bin"}).stdout


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("word", WORDS)
def test_a_shell_takes_a_word_as_it_is(word: str, shell: str) -> None:
    """One word, letter by letter; what needs no quotation marks has none."""
    assert taken(shell, quote_for_shell(word, windows=False)) == f"{word}\n"
    assert (quote_for_shell(word) == word) == (re.fullmatch(r"[\w./]+", word) is not None)


@pytest.mark.parametrize(("word", "typed"), [
    (NAMED, f'"{NAMED}"'), ("50% rosso.xlsx", '"50% rosso.xlsx"'), ("guerra!.xlsx", '"guerra!.xlsx"'),
    ("C:\\le serate\\d'estate.xlsx", '"C:\\le serate\\d\'estate.xlsx"'),
    ("50% $HOME.xlsx", '5"0% $"H"OME.xlsx"'), ("a %PATH% b.xlsx", 'a" %"P"ATH% b.xlsx"'),
    ("$HOME.xlsx", './"$"H"OME.xlsx"'), ("$(date)'s.xlsx", "'$(date)''s.xlsx'")])
def test_windows_two_shells_take_one_form(word: str, typed: str) -> None:
    """Of a name with blank, apostrophe, percent or dollar: nothing in it is a variable for either of them. No test of
    ours runs these shells; that the pieces make up the name again is seen in one that parts and joins alike.
    """
    assert quote_for_shell(word, windows=True) == typed
    assert not re.search(r"%\w[\w ]*%|\$\w", typed)
    if not typed.startswith("'"):
        assert taken("dash", typed.replace("\\", "\\\\")).removeprefix("./") == f"{word}\n"


@pytest.mark.slow
def test_commands_at_the_terminal_repeat_the_path_as_it_must_be_typed(book: Path) -> None:
    """The finding's `accept` and `revert` and the next step run from any folder."""
    status = desk.status(book)
    said = "\n".join([*status.lines, *map(status.finding_text, status.findings)])
    assert f'arbitro check "{book}"' in said or f'arbitro resolve "{book}"' in said
    accept = re.search(r'arbitro accept .*? --why', said)
    assert accept is not None
    assert accept[0] == f'arbitro accept "{book}" Factions.{cell(book)} --why'
    copy = book.with_name("copia di lavoro.xlsx")
    shutil.copy(book, copy)
    shutil.copy(book.with_suffix(".arbitro"), copy.with_suffix(".arbitro"))
    assert run(accept[0].replace(str(book), str(copy)) + ' "agreed"', Path("/")) == 0
    assert desk.check(copy).data["by_hand"] == []


def cell(book: Path) -> str:
    """Where Venice's chest stands."""
    place: str = cell_of(hand.opened(book)["Factions"], "V", "Chest").coordinate
    return place


def test_commands_on_the_desk_sheet_name_the_file_alone(book: Path) -> None:
    """In its quotation marks; they run in the folder where it lies."""
    sheet = hand.opened(book)["Desk"]
    told = [str(cell.value) for row in sheet.iter_rows() for cell in row if "arbitro " in str(cell.value)]
    assert [line.partition("arbitro ")[2] for line in told] == [f'resolve "{NAMED}"']
    assert run(f'arbitro status "{NAMED}"', book.parent) == 0


@pytest.mark.slow
def test_a_clubs_workbook_that_is_taken_on_is_named_as_it_must_be_typed(tmp_path: Path) -> None:
    """`adopt`, called from another folder, tells the command that brings the workbook back; it runs as it stands."""
    book = tmp_path / "l'anno 50% $x.xlsx"
    book.write_bytes(clubs.treasurer())
    before = book.read_bytes()
    plan = desk.AdoptPlan("giglio", scenario="italy-1500", commit=True)
    told = desk.adopt(plan, book, lang="en")
    assert told.exit is desk.Exit.DONE
    command = f"arbitro undo {quote_for_shell(str(book))} --snapshot 1"
    assert told.lines[-1].endswith(f": {command}")
    assert run(command, Path("/")) == 0
    assert book.read_bytes() == before
