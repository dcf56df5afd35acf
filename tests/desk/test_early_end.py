"""A campaign that the referee ends before its time."""

from __future__ import annotations

from pathlib import Path

from assistant import desk
from assistant.desk.results import Exit


def test_the_referee_may_end_il_giglio_early(tmp_path: Path) -> None:
    """Objectives (10.2): the verification may be run by hand; then the campaign is over, and can be undone."""
    book = tmp_path / "short.xlsx"
    assert desk.new(desk.Plan("giglio"), book).exit is Exit.DONE
    result = desk.resolve(book, end=True)
    assert (result.exit, result.data["resolved"]) == (Exit.DONE, [{"turn": "1500", "phase": "final"}])
    assert (result.data["phase"], result.data["over"]) == ("over", True)
    assert desk.resolve(book).exit is Exit.REFUSED
    assert desk.undo(book).exit is Exit.DONE
    assert desk.status(book).data["phase"] == "income"
