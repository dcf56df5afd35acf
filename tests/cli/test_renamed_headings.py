"""A heading that was typed over: it is named alone, at its cell, with what to write; not every cell beneath it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import hand
from tests.fresh import new_campaign
from tests.playing import answer, arbitro, copy_campaign

pytestmark = pytest.mark.slow  # each spoils a whole campaign


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with history on its sheets."""
    path = new_campaign(tmp_path_factory.mktemp("played") / "war.xlsx")
    assert arbitro("orders", path, "V: V8 F7").exit_code in (0, 1)
    assert arbitro("resolve", path).exit_code == 0
    return path


@pytest.fixture
def book(played: Path, tmp_path: Path) -> Path:
    """A copy of one's own."""
    return copy_campaign(played, tmp_path)


def reworded(book: Path, sheet: str, old: str, new: str | None) -> str:
    """Type over the first cell that says `old`; its address."""
    opened = hand.opened(book)
    cell = next(c for row in opened[sheet].iter_rows() for c in row if str(c.value or "").strip() == old)
    cell.value = new
    opened.save(book)
    return f"{sheet}!{cell.coordinate}"


ALWAYS = [("Factions", "Code", None, "ARB-012"), ("Factions", "Chest", "Soldi", "ARB-235"),
          ("Nodes", "Node", "Knoten", "ARB-013"), ("Desk", "Phase", "Fase?", "ARB-236")]
NOW_AND_THEN = [
    ("Factions", "Code", "Sigla strana", "ARB-013"), ("Factions", "Chest", None, "ARB-012"),
    ("Armies", "At", "Where", "ARB-235"), ("Armies", "Army", "X", "ARB-235"),
    ("Roads", "From", "Start", "ARB-013"), ("Orders", "Faction", "Whose", "ARB-013"),
    ("Events", "No.", "Nr", "ARB-013"), ("Events", "Data", "Things", "ARB-013"), ("Dice", "Purpose", "What", "ARB-235"),
    ("Rules", "Key", "K", "ARB-013"), ("Rules", "Value", "Val", "ARB-013"), ("Accounts", "Faction", "Y", "ARB-235"),
    ("Desk", "Turn", "T", "ARB-236"), ("Desk", "Turn", None, "ARB-236"), ("Desk", "Language", "Lingwa", "ARB-236")]


@pytest.mark.parametrize(("sheet", "heading", "new", "code"), [
    *ALWAYS, *(pytest.param(*one, marks=pytest.mark.slow) for one in NOW_AND_THEN)])
def test_only_the_heading_is_named(book: Path, sheet: str, heading: str, new: str | None, code: str) -> None:
    """Whatever its sheet and whoever fills its column; written again, nothing is left to put right."""
    before = [f["code"] for f in answer("check", book)["findings"]]
    cell = reworded(book, sheet, heading, new)
    found = answer("check", book)
    assert found["by_hand"] == []
    assert [(f["code"], f["cell"]) for f in found["findings"]
            if f["code"] not in before] == [(code, cell)]
    assert answer("status", book)["exit"] == 0
    assert answer("resolve", book)["exit"] == 1
    opened = hand.opened(book)
    opened[sheet][cell.rpartition("!")[2]].value = heading
    opened.save(book)
    assert [f["code"] for f in answer("check", book)["findings"]] == before


def test_a_phase_that_is_none_does_not_stop_status(book: Path) -> None:
    """The Desk says a phase that the rulebook does not have: status says what to put right."""
    opened = hand.opened(book)
    value = next(row[i + 1] for row in opened["Desk"].iter_rows() for i, c in enumerate(row) if c.value == "Phase")
    value.value = "sprink"
    opened.save(book)
    shown = arbitro("status", book)

    assert shown.exit_code == 0, shown.output
    assert "ARB-043" in shown.stdout
    assert f"Put the Desk right first, as arbitro check {book} says." in shown.stdout
