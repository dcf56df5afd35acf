"""The buttons that ask: what is typed into their windows counts, who gives up changes nothing, and what a window cannot
show whole stands on a sheet.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.buttons.press import BUTTONS, in_buttons
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import NO_PICTURES_VARIABLE
from tests.buttons.benches import ExcelBench
from tests.buttons.test_press import bench, cells_of, march, steps, through_pipe
from tests.buttons.test_share_and_collect import nowhere
from tests.workbook.contract import rows

__all__ = ["bench", "nowhere"]


@pytest.fixture
def marched(bench: ExcelBench) -> ExcelBench:
    """Both armies have marched to the middle, by a click."""
    march(bench, "A", "M1", 6)
    march(bench, "B", "M1", 7)
    assert press_on(bench.open, "resolve").exit == 0
    return bench


def details(bench: ExcelBench, sheet: str = "Details") -> list[str]:
    """What stands on the sheet of details below its heading."""
    sheets = bench.open.impl.api
    return [cell.value for cell in sheets[sheet]["A"][1:] if cell.value] if sheet in sheets.sheetnames else []


# --- correct ------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_correction_is_chosen_seen_on_a_sheet_and_written(marched: ExcelBench, book: Path) -> None:
    """Phase, row and new words; what would differ stands on the sheet, which is shown behind the question; Undo takes
    it back, and Redo makes it again.
    """
    app = marched.open.app.impl
    app.answers = ["yes"]

    done = through_pipe(marched, "correct", {}, {}, {"line": "B1", "why": "misread"})

    assert done["exit"] == 0, done["lines"]
    assert app.alerts[0].endswith("Write it?")
    assert marched.open.impl.selected == ("Details", "A1")
    assert details(marched)[0] == "Corrected: Orders 1-march-A-1: M1 -> B1"
    assert any(line.startswith("  Armies A-1: At M1 -> ") for line in details(marched))
    assert done["lines"][-1] == "Written. The button Undo takes it back in one step."
    assert "arbitro" not in str(marched.open.sheets["Desk"].range("B9:B12").value)
    corrected = open_workspace(book).campaign
    assert corrected.by_sheet("Orders")["1-march-A-1"].text == "B1"
    assert any(event.data.get("why") == "misread" for event in corrected.by_sheet("Events"))
    assert through_pipe(marched, "undo")["exit"] == 0
    assert open_workspace(book).campaign.by_sheet("Orders")["1-march-A-1"].target == "M1"
    assert through_pipe(marched, "redo")["exit"] == 0
    assert open_workspace(book).campaign.by_sheet("Orders")["1-march-A-1"].text == "B1"


@pytest.mark.slow
def test_who_says_no_has_seen_it_and_nothing_is_written(marched: ExcelBench, book: Path) -> None:
    """The sheet keeps what would differ, the records are as they were, and the next click offers the same correction
    without its being typed again, until it is written.
    """
    before = rows(marched.book().read().campaign)
    marched.open.app.impl.answers = ["no", "yes"]

    done = through_pipe(marched, "correct", {}, {}, {"line": "B1"})

    assert done["lines"][-1] == "Nothing was written."
    assert details(marched)
    assert (rows(marched.book().read().campaign), steps(book)) == (before, ["resolve"])

    last = "the correction that was shown last, as it was: A 1-march-A-1 B1"
    again = through_pipe(marched, "correct", {"phase": last})

    assert again["lines"][-1] == "Written. The button Undo takes it back in one step."
    assert through_pipe(marched, "correct", {"phase": "1, March"}, None)["exit"] == 1
    assert open_workspace(book).campaign.by_sheet("Orders")["1-march-A-1"].text == "B1"


@pytest.mark.parametrize("forms", [(None,), ({}, None), ({}, {}, None)])
def test_who_gives_up_changes_nothing(marched: ExcelBench, forms: tuple[dict[str, str] | None, ...]) -> None:
    """In each of the windows."""
    before = cells_of(marched)

    done = through_pipe(marched, "correct", *forms)

    assert (done["exit"], done["lines"]) == (1, ["Nothing was changed."])
    assert cells_of(marched) == before


@pytest.mark.slow
def test_an_order_that_was_never_given_is_withdrawn_and_a_forgotten_one_added(marched: ExcelBench, book: Path) -> None:
    """Both are in the same windows."""
    marched.open.app.impl.answers = ["yes", "yes"]

    gone = through_pipe(marched, "correct", {}, {}, {"withdraw": "yes"})
    back = through_pipe(marched, "correct", {}, {"row": "An order that was forgotten"}, {"line": "A1"})

    assert gone["lines"][0].startswith("Withdrawn: Orders 1-march-A-1"), gone
    assert back["lines"][0].startswith("Added: Orders "), back
    assert [row.text for row in open_workspace(book).campaign.by_sheet("Orders")
            if row.faction == "A" and not row.status.startswith("w")] == ["A1"]


@pytest.mark.slow
def test_answers_that_the_replay_lacks_are_asked_for(bench: ExcelBench, book: Path) -> None:
    """Armies that did not meet now meet: a window has their questions, the next one asks for the battle's result, and
    with both all is written. Who gives up then has changed nothing.
    """
    march(bench, "A", "M1", 6)
    for _ in range(3):
        assert press_on(bench.open, "resolve").exit == 0
    bench.open.app.impl.answers = ["yes"] * 3
    forgotten = ({"phase": "1, March"}, {"row": "An order that was forgotten"}, {"faction": "Brook", "line": "M1"})
    stances = {f"1.clash.stance.{who}.M1": "stand" for who in ("A", "B")}

    given_up = through_pipe(bench, "correct", *forgotten, None)
    done = through_pipe(bench, "correct", *forgotten, stances, {"1.fight.battle_result.referee.B1.M1": "A 3"})

    assert given_up["exit"] == 3, given_up["lines"]
    assert "1, Clash needs 2 answers that are not there: nothing was written." in given_up["lines"]
    assert done["exit"] == 0, done["lines"]
    battle = open_workspace(book).campaign.by_sheet("Battles")["B1.M1"]
    assert (battle.winner, battle.status) == ("A", "played")


@pytest.mark.slow
def test_a_correction_is_written_up_to_the_phase_that_waits(bench: ExcelBench, book: Path) -> None:
    """If that is chosen in the window that asks for the answers."""
    march(bench, "A", "M1", 6)
    for _ in range(3):
        assert press_on(bench.open, "resolve").exit == 0
    bench.open.app.impl.answers = ["yes"] * 3

    through_pipe(bench, "correct", {"phase": "1, March"}, {"row": "An order that was forgotten"},
                 {"faction": "Brook", "line": "M1"}, {"partly": "yes"})

    assert open_workspace(book).campaign.desk.phase == "clash"


# --- other windows ----------------------------------------------------------------------------------
def test_phases_are_resolved_up_to_the_one_that_is_chosen(bench: ExcelBench, book: Path) -> None:
    """Questions take their default answers, if that is wished."""
    march(bench, "A", "M1", 6)

    done = through_pipe(bench, "until", {"until": "1, Clash", "defaults": "yes"})

    assert done["exit"] == 0, done["lines"]
    assert steps(book) == ["resolve", "resolve"]


def test_a_map_is_chosen_drawn_and_opened(bench: ExcelBench, book: Path) -> None:
    """For a club, close up: only for a club."""
    done = through_pipe(bench, "map", {"for": "Ashford", "what": "only its own area, for a telephone"})
    public = through_pipe(bench, "map", {"what": "only its own area, for a telephone"})

    assert [Path(one["open"]).name for one in (done, public)] == ["war-map-A-near.png", "war-map-public.png"]
    assert Path(done["open"]).read_bytes().startswith(b"\x89PNG")


def test_reports_since_a_turn_lie_in_a_folder_of_their_own(bench: ExcelBench, book: Path,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:
    """And open."""
    monkeypatch.setenv(NO_PICTURES_VARIABLE, "1")

    done = through_pipe(bench, "since", {})

    assert Path(done["open"]) == desk.reports_folder(book) / "1" / "referee.html"
    assert Path(done["open"]).is_file()


def test_one_clubs_copy_gets_a_new_code(bench: ExcelBench, book: Path, nowhere: Path) -> None:
    """The old one went to a wrong address: only this club's copy is written."""
    way = "a copy of one club with a new code, as the old one went to a wrong address"

    done = through_pipe(bench, "mail", {"who": "Ashford", "how": way})

    assert done["exit"] == 0, done["lines"]
    assert [file.name for file in desk.copies_folder(book).iterdir()] == ["war-A.xlsx"]


def test_what_a_window_cannot_show_whole_stands_on_a_sheet(marched: ExcelBench) -> None:
    """Eleven lines and how many more; a second press renews the sheet, and a sheet of that name that is the referee's
    own stays as it is.
    """
    marched.open.impl.api.create_sheet("Details")["A1"] = "my own"
    press_on(marched.open, "resolve")
    note = [f"line {n}" for n in range(1, 16)]
    book = marched.book()
    book.read()
    assert book.show_details(note) == "'Details 2'!A1"  # type: ignore[attr-defined]
    assert details(marched, "Details 2") == note
    book = marched.book()
    book.read()
    assert book.show_details(["short"]) == "'Details 2'!A1"  # type: ignore[attr-defined]
    assert details(marched, "Details 2") == ["short"]
    assert marched.open.impl.api["Details"]["A1"].value == "my own"


def test_commands_are_called_by_the_names_of_their_buttons() -> None:
    """Where a button does the same; a command with options stays, as does what no button does."""
    assert in_buttons("To have them sent: arbitro post setup", "en") == 'To have them sent: the button "Mail account"'
    assert in_buttons("Lo mostra: arbitro check war.xlsx.", "it") == "Lo mostra: il pulsante «Controlla gli ordini»."
    for line in ("arbitro ledger war.xlsx --rescue", "arbitro undo war.xlsx --hard", "arbitro export", "arbitro"):
        assert in_buttons(line, "en") == line
    assert len({button.caption("it") for button in BUTTONS}) == len({button.sub for button in BUTTONS}) == len(BUTTONS)
