"""The options of `arbitro map` that go together, and those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main


@pytest.mark.parametrize(("words", "said"), [
    (["--sheet", "--for", "A"], "--sheet goes with no other option: leave out --for."),
    (["--sheet", "--shapes", "--close-up"], "--sheet goes with no other option: leave out --shapes, --close-up."),
    (["--shapes", "--referee"], "--shapes goes with no other option: leave out --referee."),
    (["--layout", "--print", "--out", "maps"], "--layout goes with no other option: leave out --print, --out."),
    (["--layout", "--from", "1", "--to", "2", "--changes"],
     "--layout goes with no other option: leave out --from, --to, --changes."),
    (["--sheet", "--layout"], "--sheet goes with no other option: leave out --layout.")])
def test_what_changes_the_workbook_goes_with_no_other_option(book: Path, words: list[str], said: str) -> None:
    """It is wrong usage, one sentence says what to leave out, and nothing is done."""
    before = book.read_bytes()

    result = CliRunner().invoke(main, ["--lang", "en", "map", str(book), *words])

    assert result.exit_code == 2
    assert said in result.output
    assert book.read_bytes() == before
    assert not (book.parent / "maps").exists()
