"""A campaign that the referee ends before its time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Event
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import open_workspace
from tests import hand
from tests.fresh import new_campaign
from tests.hand import cell_of
from tests.workbook.contract import rows


@pytest.mark.slow
def test_the_referee_may_end_il_giglio_early(tmp_path: Path) -> None:
    """Objectives (10.2): the verification may be run by hand; then the campaign is over, and can be undone."""
    book = new_campaign(tmp_path / "short.xlsx")
    result = desk.resolve(book, end=True)
    assert (result.exit, result.data["resolved"]) == (Exit.DONE, [{"turn": "1500", "phase": "final"}])
    assert (result.data["phase"], result.data["over"]) == ("over", True)
    assert desk.resolve(book).exit is Exit.REFUSED
    assert desk.undo(book).exit is Exit.DONE
    assert desk.status(book).data["phase"] == "income"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Anarchy on the morning of its first day."""
    book = new_campaign(tmp_path_factory.mktemp("anarchy") / "short.xlsx", "anarchy", secret="ab" * 32)
    assert desk.resolve(book, until="provisions").exit is Exit.DONE
    return book


@pytest.fixture
def ended(opened: Path, tmp_path: Path) -> Path:
    """The same, ended there."""
    book = tmp_path / "short.xlsx"
    for one in (opened, opened.with_suffix(".arbitro")):
        shutil.copy(one, tmp_path)
    result = desk.resolve(book, end=True)
    assert (result.exit, result.data["resolved"]) == (Exit.DONE, [{"turn": "1", "phase": "score"}])
    assert result.lines[0].startswith("day 1, The score: resolved")
    assert (result.data["phase"], result.data["over"]) == ("over", True)
    return book


def told(book: Path) -> list[tuple[str, str]]:
    """Phase and type of each event of the end."""
    return [(e.phase, e.event) for e in open_workspace(book).campaign.table(Event) if e.event in ("score", "objective")]


@pytest.mark.slow
def test_the_referee_may_end_the_anarchy_early(opened: Path, ended: Path) -> None:
    """Each objective and each club's points as things stand; who ends is over, undoes and ends again the same."""
    parties = len(desk.standings(ended).data["standings"])
    assert told(ended).count(("score", "score")) == parties
    assert ("score", "objective") in told(ended)
    assert {phase for phase, _ in told(ended)} == {"score"}
    assert desk.resolve(ended).exit is Exit.REFUSED
    assert desk.verify(ended).exit is Exit.DONE

    then = rows(open_workspace(ended).campaign)
    assert desk.undo(ended).exit is Exit.DONE
    assert rows(open_workspace(ended).campaign) == rows(open_workspace(opened).campaign)
    assert desk.redo(ended).exit is Exit.DONE
    assert rows(open_workspace(ended).campaign) == then


@pytest.mark.slow
def test_the_anarchy_that_was_ended_can_be_corrected(ended: Path) -> None:
    """A die of the opening, put right, is replayed up to the same end."""
    wish = desk.CorrectionRequest((desk.Input("line", text="die weather 3"),), at="0.opening")
    fixed = desk.correct(ended, wish, desk.CorrectionOptions("it lay on the table"), confirm=lambda result: True)
    assert fixed.exit is Exit.DONE, (fixed.lines, fixed.findings)
    assert desk.status(ended).data["phase"] == "over"
    assert ("score", "score") in told(ended)
    assert desk.verify(ended).exit is Exit.DONE


@pytest.mark.slow
def test_an_end_at_the_last_close_is_the_end_that_was_asked_for(opened: Path, tmp_path: Path) -> None:
    """Where play would end by itself with the same score the two are told apart: nothing is found by `verify`."""
    book = tmp_path / "short.xlsx"
    for one in (opened, opened.with_suffix(".arbitro")):
        shutil.copy(one, tmp_path)
    workbook = hand.opened(book)
    cell_of(workbook["Rules"], "The scenario lasts 14 days.", "Value").value = 1
    cell_of(workbook["Desk"], "Phase", "Value").value = "close"
    workbook.save(book)
    assert desk.accept(book, (), everything=True, why="a short evening").exit is Exit.DONE
    assert desk.status(book).data["phase"] == "close"
    assert desk.resolve(book, end=True).exit is Exit.DONE
    assert {phase for phase, _ in told(book)} == {"score"}
    found = desk.verify(book)
    assert (found.exit, found.findings) == (Exit.DONE, [])
