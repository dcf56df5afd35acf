"""The past of the demo by the real commands: verified, undone and played again, corrected, it comes out the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
from assistant.desk import Exit
from tests.warriors.scenario import PLACE


def run(*words: str, code: int = 0) -> str:
    """A command, which ends with that code."""
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == code, result.output
    return str(result.output)


def exported(book: Path, folder: Path) -> dict[str, str]:
    """The CSVs of a workbook."""
    run("export", str(book), "--to", str(folder))
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.csv"))}


@pytest.mark.slow
def test_the_demo_can_be_verified_undone_and_corrected(tmp_path: Path) -> None:
    """Three scripted turns; back to the middle of the second, and forth again; a die corrected there and back."""
    book = tmp_path / "book.xlsx"
    run("new", "warriors", str(book), "--from", str(PLACE), "--secret", "ab" * 32)
    run("resolve", str(book), "--until", "3.will")
    first = exported(book, tmp_path / "first")
    assert "is what the rules" in run("verify", str(book))
    run("undo", str(book), "--to", "2.move", "--yes")
    run("resolve", str(book), "--until", "3.will")
    assert exported(book, tmp_path / "second") == first
    run("correct", str(book), "die move/M1 5", "--at", "2.move", "--defaults", "--why", "misread", "--commit", "--yes")
    assert "is what the rules" in run("verify", str(book))


def onward(book: Path, until: str) -> None:
    """Robots play for all four clubs; battles are left to the umpire's dice."""
    clubs = [word for club in ("men", "dwarfs", "orcs", "undead") for word in ("--robot", club)]
    words = ["resolve", str(book), "--until", until, *clubs, "--defaults", "--yes"]
    while CliRunner().invoke(main, words).exit_code == Exit.WAITING:
        asked = re.findall(r"result/B[\w-]+", CliRunner().invoke(main, ["answers", str(book)]).output)
        assert asked
        run("orders", str(book), *(f"answer {one} auto" for one in dict.fromkeys(asked)))


@pytest.mark.slow
def test_a_campaign_of_robots_can_be_verified_and_undone(tmp_path: Path) -> None:
    """Two turns and a half with other choices of the book; back to the middle of the second, and forth again."""
    book, folder = tmp_path / "book.xlsx", tmp_path / "from"
    shutil.copytree(PLACE, folder)
    for name in ("orders", "answers", "dice", "battles", "battle_armies", "battle_units"):
        (folder / f"{name}.csv").unlink()
    with (folder / "rules.csv").open("a", encoding="utf-8") as file:
        file.write("move_method,B\nfog,near\nzoc,stop\nconfirm_results,yes\n")
    run("new", "warriors", str(book), "--from", str(folder), "--secret", "02" * 32)
    onward(book, "3.after")
    first = exported(book, tmp_path / "first")
    assert "is what the rules" in run("verify", str(book))
    run("undo", str(book), "--to", "2.after", "--yes")
    onward(book, "3.after")
    second = exported(book, tmp_path / "second")
    assert {name: sorted(text.splitlines()) for name, text in second.items()} == {
        name: sorted(text.splitlines()) for name, text in first.items()}
    assert "is what the rules" in run("verify", str(book))


@pytest.mark.slow
def test_a_campaign_may_end_before_the_phase_that_was_asked_for(tmp_path: Path) -> None:
    """The orcs give up in phase 5: nothing more is played, whatever was named."""
    for name, text in {"desk": "ruleset,phase\nwarriors,will\n", "nodes": "node\nA01\nC01\n",
                       "factions": "faction,lost,will_due\nmen,0,\norcs,9,battle_lost:B1-1\n",
                       "armies": "army,faction,node\nM1,men,A01\nO1,orcs,C01\n"}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    book = str(tmp_path / "book.xlsx")
    run("new", "warriors", book, "--from", str(tmp_path))
    assert "Will to fight: resolved" in run("resolve", book, "--until", "1.events")
    assert "is over" in run("status", book)
