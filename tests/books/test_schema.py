"""No workbook that Arbitro makes has a message of the schema: built, marked, played, adopted."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
from tests.books.oracles import joined, messages, new_messages
from tests.workbook.clubs import small

pytestmark = pytest.mark.slow  # the schema takes its time


def arbitro(*words: str | Path) -> None:
    """Run the command line on one machine's Italian."""
    done = CliRunner().invoke(main, list(map(str, words)), env={"ARBITRO_LANG": "it"})
    assert done.exit_code in (0, 1, 3), done.output


def said(path: Path) -> str:
    """All messages about a workbook, not only those that a change has brought."""
    return joined(f"{part}: {one}" for part, found in messages(path.read_bytes()).items() for one in found)


@pytest.mark.parametrize(("ruleset", "scenario"), [("giglio", "italy-1500"), ("anarchy", "wallingford-1139")])
def test_a_scenario_is_built_marked_and_played_without_a_message(tmp_path: Path, ruleset: str, scenario: str) -> None:
    """New, with a finding marked by check, after the first phase, and after undo."""
    book = tmp_path / "book.xlsx"
    arbitro("new", ruleset, book, "--scenario", scenario)
    assert said(book) == ""
    for command in (("check", book), ("resolve", book, "--yes"), ("undo", book)):
        arbitro(*command)
        assert said(book) == ""


def test_a_clubs_own_workbook_is_adopted_without_a_message(tmp_path: Path) -> None:
    """What is said of it is what was said before of the club's parts."""
    book = tmp_path / "club.xlsx"
    book.write_bytes(small())
    before = book.read_bytes()
    arbitro("adopt", "giglio", book, "--scenario", "italy-1500")
    assert book.read_bytes() != before
    assert joined(new_messages(before, book.read_bytes())) == ""
