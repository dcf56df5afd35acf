"""Collecting and the past: what was collected is known after a correction, and goes with what undo takes back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.workspace.workspace import open_workspace
from tests.post.filling import SUNDAY, filled
from tests.post.test_collect import GO, WAIT, collected, copy, orders


@pytest.fixture
def second_turn(book: Path) -> Path:
    """The first turn is over, with a battle; both clubs have their copies of the second, and A has sent its own."""
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    desk.resolve(book, until="clash", defaults=True)
    desk.take_orders(book, [desk.Input("battle B1.M1 A 3", text="battle B1.M1 A 3")])
    assert desk.resolve(book).exit == desk.Exit.DONE
    assert open_workspace(book, "en").campaign.desk.turn == "2"
    assert desk.share(book, book.parent / "out").exit == desk.Exit.DONE
    filled(copy(book), book.parent / "in" / "1.xlsx", [GO, WAIT])
    assert collected(book).exit == desk.Exit.DONE
    return book


def of_turn(book: Path, turn: str) -> list[str]:
    """The numbers of A's orders of a turn that are not emptied."""
    return [number for number, verb, _ in orders(book) if number.startswith(f"{turn}-") and verb]


@pytest.mark.slow
def test_a_correction_does_not_forget_what_was_collected(second_turn: Path) -> None:
    """The past is played again; a newer copy still withdraws what its club has taken out."""
    wish = desk.CorrectionRequest(sources=(desk.Input("battle B1.M1 A 2", text="battle B1.M1 A 2"),))
    done = desk.correct(second_turn, wish, desk.CorrectionOptions(why="misread"), confirm=lambda result: True)
    assert done.exit == desk.Exit.DONE, done.finding_lines()
    assert "correct" in {one["verb"] for one in desk.history(second_turn).data["changes"] if one["in_force"]}
    assert "collect" not in {one["verb"] for one in desk.history(second_turn).data["changes"] if one["in_force"]}
    filled(copy(second_turn), second_turn.parent / "in" / "2.xlsx", [WAIT], at=SUNDAY + 600)

    result = collected(second_turn)
    assert desk.verify(second_turn).exit == desk.Exit.DONE

    assert {row["how"] for row in result.data["taken"]} == {"same", "withdrawn"}
    assert of_turn(second_turn, "2") == ["2-march-A-2"]


def test_undo_over_a_phase_takes_back_what_was_collected_after_it(second_turn: Path) -> None:
    """Back before the battle was counted: the orders of the second turn are gone, what the referee typed is kept."""
    desk.take_orders(second_turn, [desk.Input("B: B1", text="B: B1")])

    undone = desk.undo(second_turn, to="fight")

    assert undone.exit == desk.Exit.DONE, undone.finding_lines()
    assert of_turn(second_turn, "2") == []
    assert [row[0] for row in orders(second_turn, "B")][-1] == "2-march-B-1"


def test_a_copy_of_the_last_turn_is_stale(second_turn: Path, villages: Path) -> None:
    """Its club is named, with both turns."""
    filled(villages / "out" / "war-B.xlsx", second_turn.parent / "in" / "war-B.xlsx", [{"Verbo": "vai", "Verso": "M1"}])

    result = collected(second_turn)

    assert [(f.data["seen"], f.data["turn"], f.data["faction"]) for f in result.findings if f.code == "ARB-342"] == [
        ("1", "2", "B")]


def test_files_of_one_folder_are_told_by_time_and_then_by_name(book: Path) -> None:
    """The same copy three times: one counts, and the same one on every machine."""
    for name in ("b.xlsx", "a.xlsx", "c.xlsx"):
        filled(copy(book), book.parent / "in" / name, [GO])
        os.utime(book.parent / "in" / name, (SUNDAY, SUNDAY))

    assert {row["source"] for row in collected(book).data["taken"]} == {"c.xlsx"}
