"""The options of `arbitro map` that go together, and those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.playing import arbitro


@pytest.mark.parametrize(("words", "said"), [
    (["--sheet", "--for", "A"], "--sheet goes with no other option: leave out --for."),
    (["--sheet", "--shapes", "--close-up"], "--sheet goes with no other option: leave out --shapes, --close-up."),
    (["--shapes", "--referee"], "--shapes goes with no other option: leave out --referee."),
    (["--layout", "--print", "--out", "maps"], "--layout goes with no other option: leave out --print, --out."),
    (["--layout", "--from", "1", "--to", "2", "--changes"],
     "--layout goes with no other option: leave out --from, --to, --changes."),
    (["--sheet", "--layout"], "--sheet goes with no other option: leave out --layout."),
    (["--orders"], "--orders needs --for"), (["--for", "A", "--orders", "--changes"], "goes with neither --changes")])
def test_options_that_do_not_go_together(book: Path, words: list[str], said: str) -> None:
    """What changes the workbook goes with no other, orders are a club's; else it is wrong usage, one sentence says what
    to leave out, and nothing is done.
    """
    before = book.read_bytes()

    result = arbitro("map", book, *words)

    assert result.exit_code == 2
    assert said in result.output
    assert book.read_bytes() == before
    assert not (book.parent / "maps").exists()
