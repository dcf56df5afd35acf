"""Verify: the workbook is what its beginning, orders, answers, dice and rulings make of it, or the first difference."""

from __future__ import annotations

from pathlib import Path

from assistant import desk
from assistant.desk import Exit
from tests.desk.test_correct import commit, played, show
from tests.desk.test_resolving import everything

__all__ = ["played"]


def test_a_played_campaign_is_verified(played: Path) -> None:
    """Six phases are the same again; nothing is changed by looking."""
    before = everything(played)
    told: list[str] = []

    result = desk.verify(played, lang="en", tell=told.append)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert (result.data["verified"], result.data["phases"], result.data["first"]) == (True, 6, None)
    assert told[0] == "[1/6] 1, March: the same."
    assert everything(played) == before


def test_it_holds_after_a_correction_and_after_its_undo(played: Path) -> None:
    """Correct, undo, redo: the workbook agrees with its ledger each time."""
    before = played.read_bytes()
    assert commit(played, "battle B1.M1 B 3").data["committed"]
    assert desk.verify(played, lang="en").finding_lines() == []

    assert desk.undo(played).exit == Exit.DONE
    assert played.read_bytes() == before
    assert desk.verify(played, lang="en").finding_lines() == []

    assert desk.redo(played).exit == Exit.DONE
    assert desk.verify(played, lang="en").finding_lines() == []
    assert show(played, "battle B1.M1 B 3").findings[0].code == "ARB-125"
