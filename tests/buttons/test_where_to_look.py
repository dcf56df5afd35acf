"""Where a click leads, and what an open workbook is told: the cell in which to type, not one beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.desk.intake.incoming import Input
from assistant.desk.intake.take_orders import take_orders
from tests.buttons.benches import ExcelBench
from tests.fresh import new_campaign


def opened(book: Path, benches: list[ExcelBench]) -> ExcelBench:
    """The workbook, open in a program that answers no window."""
    benches.append(ExcelBench(book, None))
    app = benches[-1].open.app.impl
    app.alerts, app.answers, app.shown = [], [], []
    return benches[-1]


def place(bench: ExcelBench, sheet: str, field: str, key: str) -> str:
    """The address of a cell."""
    at = bench.book().read().cells
    return f"{sheet}!{at.letters[sheet][field]}{at.rows[sheet][key]}"


def told(book: Path, *lines: str) -> None:
    """Lines that are handed in."""
    taken = take_orders(book, [Input("-", text="\n".join(lines))])
    assert taken.exit in (0, 1), taken.finding_lines()


# --- a question -----------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_question_is_found_at_its_answer_and_goes_before_a_refused_order(tmp_path: Path,
                                                                           benches: list[ExcelBench]) -> None:
    """The Anarchy, whose questions have turn and phase in their key, with an order that the movement refuses.

    Resolve and Enter answers go to the answer of the first open question, not to the heading and not to the
    order; the phases before the movement do not ask about it, the movement asks once, before it puts its question.
    """
    book = new_campaign(tmp_path / "war.xlsx", "anarchy")
    told(book, "royal: SACK A-STE malmesbury-castle")
    assert desk.resolve(book, until="0.opening").exit == 0
    bench = opened(book, benches)
    app = bench.open.app.impl
    for _ in ("provisions", "reorganise", "ransoms", "convoys"):
        assert press_on(bench.open, "resolve", "en").exit == 0
    assert app.alerts == []

    app.answers = ["yes"]
    pressed = press_on(bench.open, "resolve", "en")
    waiting = [q for q in bench.book().read().campaign.by_sheet("Questions") if q.status == "open"]
    wanted = min(place(bench, "Questions", "answer", q.ident) for q in waiting)  # the uppermost of a few rows

    assert (pressed.exit, pressed.select) == (3, wanted)
    assert [alert.count("ANA-405") for alert in app.alerts] == [1]
    assert press_on(bench.open, "resolve", "en").select == wanted
    assert press_on(bench.open, "answers", "en").select == wanted
    assert len(app.alerts) == 1


@pytest.mark.slow
def test_a_battle_is_answered_in_the_first_column_of_its_form(book: Path, benches: list[ExcelBench]) -> None:
    """Not in its code, which nobody may type over."""
    told(book, "A: M1", "B: M1")
    assert desk.resolve(book, until="1.clash").exit == 3
    told(book, "A: stance stand", "B: stance stand")
    assert desk.resolve(book, until="1.fight").exit == 3
    bench = opened(book, benches)

    assert press_on(bench.open, "answers").select == place(bench, "Battles", "winner", "B1.M1")


# --- changes by hand --------------------------------------------------------------------------------
def test_a_change_by_hand_after_several_phases_of_one_command_is_one(book: Path, benches: list[ExcelBench]) -> None:
    """The steps in between have no bytes, and the open workbook has none: that makes them not the same."""
    assert len(desk.resolve(book, until="1.fight").data["resolved"]) == 3
    bench = opened(book, benches)
    sheet, _, at = place(bench, "Factions", "gold", "A").partition("!")
    bench.type(sheet, at, 999)

    said = press_on(bench.open, "check", "en").lines

    (told_of,) = [line for line in said if "ARB-110" in line]
    assert "give the reason on the sheet Changes" in told_of
    assert "arbitro" not in told_of  # no command may change what is open
    assert not any("ARB-233" in line for line in said)
