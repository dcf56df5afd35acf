"""What README and the manuals tell a newcomer to type does what they say, at a real terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
from tests.cli.walking import Terminal, faults, steps

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def terminal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A terminal in an empty folder, in the language of the page."""
    place = Terminal(tmp_path, PROGRAMS, request.param)
    yield place
    place.close()


def _part(page: str, first: str, last: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return text[text.index(f"## {first}"):text.index(f"## {last}")]


@pytest.mark.slow
@pytest.mark.parametrize("terminal", ["C.UTF-8"], indirect=True)
def test_the_five_minutes_end_as_the_page_says(terminal: Terminal, tmp_path: Path) -> None:
    """README: typed line by line, question and answer included, it leads to a battle's reports and back."""
    part = _part("README.md", "Five minutes", "Status")
    assert len(steps(part)) == 6
    assert list(faults(terminal, part)) == []
    assert (tmp_path / "reports" / "HRI.html").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("terminal", "page", "before", "evening", "book", "sent", "folders"), [
    ("C.UTF-8", "docs/referee.md", ("Before the first turn", "A workbook that your club already uses"),
     ("An evening by commands", "A day of The Anarchy"), "campaign", ("venice", "milan", "florence"),
     ("my-map", "reports")),
    ("it_IT.UTF-8", "docs/manuale-arbitro.md", ("Prima del primo turno", "Una cartella che il tuo circolo usa già"),
     ("Una serata con i comandi", "Un giorno di The Anarchy"), "campagna", ("venezia", "milano", "firenze"),
     ("la-mia-mappa", "bollettini"))], indirect=["terminal"])
def test_the_manuals_evening_goes_as_the_page_says(
        terminal: Terminal, tmp_path: Path, page: str, before: tuple[str, str], evening: tuple[str, str], book: str,
        sent: tuple[str, str, str], folders: tuple[str, str]) -> None:
    """Both manuals: a campaign is begun, of an own map too; clubs' files are taken in, checked, played, told."""
    _run("new", "giglio", tmp_path / "other.xlsx")
    _run("export", tmp_path / "other.xlsx", "--to", tmp_path / folders[0])
    assert list(faults(terminal, _part(page, *before))) == []
    for ending in (".xlsx", ".arbitro"):
        shutil.copyfile(tmp_path / f"{book}{ending}", tmp_path / f"{sent[1]}{ending}")
    _run("orders", tmp_path / f"{sent[1]}.xlsx", "M: loan 60")
    (tmp_path / f"{sent[0]}.csv").write_text("faction,turn,phase,text\nV,1500,r1,V6 HRI1\n", encoding="utf-8")
    (tmp_path / f"{sent[2]}.txt").write_text("F7 F8\n", encoding="utf-8")
    assert list(faults(terminal, _part(page, *evening))) == []
    taken = _run("export", tmp_path / f"{book}.xlsx", "--to", tmp_path / "now") and (
        tmp_path / "now" / "orders.csv").read_text(encoding="utf-8")
    assert [who for who in ("V", "M", "F") if f",{who}," not in taken] == []
    assert list((tmp_path / folders[1]).glob("V.html"))


def _run(*words: object) -> str:
    result = CliRunner().invoke(main, ["--lang", "en", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
@pytest.mark.parametrize("terminal", ["C.UTF-8"], indirect=True)
def test_an_answer_that_nobody_asked_for_is_taken_with_a_remark(terminal: Terminal) -> None:
    """Answers may come early: the row is taken, and the line below says that it waits for its question."""
    part = """```sh
arbitro new giglio mine.xlsx
arbitro orders mine.xlsx "V: choice HRI1/HRI attack"
```
```text
choice HRI1/HRI: attack
Nobody has been asked this yet: the answer waits for the question.
1 row was taken.
```
"""
    assert list(faults(terminal, part)) == []


@pytest.mark.slow
@pytest.mark.parametrize("terminal", ["C.UTF-8"], indirect=True)
def test_a_page_that_forgets_a_question_is_found(terminal: Terminal) -> None:
    """Without the block that shows the question the walk stops at it, as the newcomer did."""
    part = _part("README.md", "Five minutes", "Status").replace("[y/N] y", "")
    with pytest.raises(AssertionError, match="knows of no such question"):
        list(faults(terminal, part))
