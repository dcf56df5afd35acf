"""The past of the demo by the real commands: verified, undone and played again, corrected, it comes out the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
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
