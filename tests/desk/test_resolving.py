"""Resolving phases: one change each, and nothing when anything fails."""

from __future__ import annotations

from pathlib import Path

from assistant import desk
from assistant.desk import Exit


def test_a_phase_without_orders_is_resolved(book: Path) -> None:
    """The clock moves on to the next phase."""
    result = desk.resolve(book)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert (result.data["turn"], result.data["phase"]) == ("1", "clash")
