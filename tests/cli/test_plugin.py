"""A plug-in that declares its verbs has their words read at every door."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.testing.cases import campaign_of
from tests.playing import arbitro


@pytest.fixture
def book(new_wells: Callable[[Path], Path], tmp_path: Path) -> Path:
    """The first day of The Wells."""
    return new_wells(tmp_path)


@pytest.mark.parametrize("line", ["N: dig W2", "N: scava w2", "N: W2"])
def test_an_order_in_words_is_understood_and_carried_out(book: Path, line: str) -> None:
    """It takes the place of the camp's earlier row, without a finding, and the camp digs there."""
    taken = arbitro("orders", book, line)
    assert taken.exit_code == 0, taken.output
    assert ": dig, Where W2" in taken.output
    assert arbitro("check", book).output.startswith("Nothing to put right.")
    assert arbitro("resolve", book).exit_code == 0

    rows = {row.ident: row.status for row in campaign_of(book).by_sheet("Orders")}
    events = [event.data["node"] for event in campaign_of(book).by_sheet("Events")]
    assert (rows["1-day-N-1"], rows["1-day-N-2"]) == ("replaced", "accepted")
    assert events == ["W2", "W2"]


@pytest.mark.parametrize(("line", "said"), [
    ("N: dig W9", "  'W9' is not on the map. Did you mean W2? (WEL-001)"),
    ("N: drink W1", "'drink' was not understood. Write for example 'dig W1'.")])
def test_an_order_in_words_is_judged_as_one_in_columns(book: Path, line: str, said: str) -> None:
    """The plug-in's own code for a place that is none; a line of another verb is not taken."""
    taken = arbitro("orders", book, line)
    assert said in taken.output
