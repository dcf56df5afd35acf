"""Undo and redo: any number of phases, the same dice again, nothing that was typed is lost."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.campaign import changes
from assistant.desk import Exit
from assistant.ledger import Ledger, file, path_of_ledger
from assistant.testing.cases import campaign_of
from tests.desk.conftest import without_marks
from tests.desk.ledgers import Crash
from tests.desk.test_resolving import everything
from tests.playing import take_lines


def test_undo_brings_the_very_bytes_back(book: Path) -> None:
    """Where nothing was typed since, the file is what it was, bit for bit."""
    before = book.read_bytes()
    desk.resolve(book)

    result = desk.undo(book)

    assert result.exit == Exit.DONE
    assert book.read_bytes() == before


def test_undo_goes_several_phases_back(played: Path) -> None:
    """Two steps: before the fight of turn 1."""
    result = desk.undo(played, steps=2)

    assert result.exit == Exit.DONE
    assert (result.data["turn"], result.data["phase"]) == ("1", "fight")
    assert campaign_of(played).by_sheet("Factions")["A"].gold == 0


@pytest.mark.parametrize("to", ["clash", "1.clash"])
def test_undo_goes_back_before_a_phase(played: Path, to: str) -> None:
    """By name, or by turn and name."""
    desk.undo(played, to=to)

    assert campaign_of(played).desk.phase == "clash"


def test_the_same_phases_again_throw_the_same_dice(played: Path) -> None:
    """After going back to the start and playing on, the campaign is the same."""
    before = campaign_of(played)
    desk.undo(played, to="1.march")

    desk.resolve(played, until="2.march", defaults=True)

    after = campaign_of(played)
    for sheet in ("Armies", "Factions", "Dice", "Events", "Orders", "Battles"):
        assert [r.as_text() for r in after.by_sheet(sheet)] == [r.as_text() for r in before.by_sheet(sheet)], sheet


def test_what_was_typed_since_is_kept(played: Path) -> None:
    """Orders, the form of the battle, and answers survive an undo to before they were typed."""
    result = desk.undo(played, to="1.march")

    campaign = campaign_of(played)
    assert result.data["kept"] == 1
    assert sorted(o.text for o in campaign.by_sheet("Orders")) == ["M1", "M1"]
    assert campaign.by_sheet("Battles")["B1.M1"].winner == "A"
    assert [o.status for o in campaign.by_sheet("Orders")] == ["", ""]


def test_answers_of_the_assistant_are_not_kept(played: Path) -> None:
    """A default is given anew, it was nobody's word."""
    desk.undo(played, to="1.march")

    assert list(campaign_of(played).by_sheet("Questions")) == []


def test_hard_keeps_nothing(played: Path) -> None:
    """The workbook is exactly the snapshot."""
    desk.undo(played, to="clash", hard=True)

    assert list(campaign_of(played).by_sheet("Battles")) == []


def test_redo_takes_an_undo_back(played: Path) -> None:
    """The bytes of before the undo are there again."""
    before = played.read_bytes()
    desk.undo(played, steps=3, hard=True)

    result = desk.redo(played, hard=True)

    assert result.exit == Exit.DONE
    assert played.read_bytes() == before


def test_redo_names_what_was_done_again(played: Path) -> None:
    """The phase that undo had taken back, not the one that comes next."""
    taken_back = desk.undo(played).lines[0]
    done_again = desk.redo(played).lines[0]

    assert taken_back.partition(" before ")[2] == done_again.partition(": ")[2]


@pytest.mark.slow
def test_several_undos_are_redone_one_by_one(played: Path) -> None:
    """Last undone, first redone."""
    desk.undo(played)
    desk.undo(played)
    assert campaign_of(played).desk.phase == "fight"

    desk.redo(played)
    assert (campaign_of(played).desk.turn, campaign_of(played).desk.phase) == ("2", "march")
    desk.redo(played)
    assert campaign_of(played).desk.phase == "clash"
    assert [f.code for f in desk.redo(played).findings] == ["ARB-086"]


def test_a_phase_that_is_resolved_anew_ends_redo(played: Path) -> None:
    """What was undone is another story now; the list still has it."""
    desk.undo(played)
    desk.resolve(played)

    assert desk.redo(played).exit == Exit.REFUSED
    assert any(one["verb"] == "undo" for one in desk.history(played).data["changes"])


def test_any_change_can_be_brought_back(played: Path) -> None:
    """Also what an undo left behind: nothing is ever lost."""
    before = played.read_bytes()
    desk.undo(played, to="1.march")
    number = next(one["number"] for one in desk.history(played).data["changes"] if one["verb"] == "undo")

    desk.undo(played, snapshot=number)

    assert played.read_bytes() == before


@pytest.mark.slow
def test_a_clubs_own_sheet_survives_an_undo(played: Path) -> None:
    """Somebody added a sheet since: the records go back, the sheet stays."""
    workbook = openpyxl.load_workbook(played)
    workbook.create_sheet("Ours")["A1"] = "do not lose me"
    workbook.save(played)

    result = desk.undo(played, steps=2)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert openpyxl.load_workbook(played)["Ours"]["A1"].value == "do not lose me"
    campaign = campaign_of(played)
    assert (campaign.desk.turn, campaign.desk.phase) == ("1", "fight")
    assert [e.event for e in campaign.by_sheet("Events")] == ["marched", "marched", "stances"]


@pytest.fixture
def long(book: Path) -> Path:
    """Five phases resolved by one command: a march, a clash, a fight, a march, a clash."""
    take_lines(book, "A: M1", "B: M1", "battle B1.M1 A 3")
    assert desk.resolve(book, until="2.clash", defaults=True).exit == Exit.DONE
    return book


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5])
@pytest.mark.slow
def test_undo_inside_one_command_leaves_what_the_command_would_have_left(
        long: Path, tmp_path: Path, folder: Path, steps: int) -> None:
    """The workbook of a command that had ended there but for its mark, also with `hard`."""
    twin = tmp_path / "twin" / "war.xlsx"
    twin.parent.mkdir()
    desk.new_campaign(desk.NewPlan("tiny", folder=folder, secret="5e" * 32), twin)
    take_lines(twin, "A: M1", "B: M1", "battle B1.M1 A 3")
    goal = ["", "1.march", "1.clash", "1.fight", "2.march"][5 - steps]
    if goal:
        desk.resolve(twin, until=goal, defaults=True)
    late = long.read_bytes()

    result = desk.undo(long, steps=steps)

    assert (result.exit, result.data["kept"]) == (Exit.DONE, 0)
    assert changes(without_marks(long), without_marks(twin)) == []
    assert desk.redo(long).exit == Exit.DONE
    assert long.read_bytes() == late
    desk.undo(long, steps=steps, hard=True)
    assert changes(without_marks(long), without_marks(twin)) == []


@pytest.mark.slow
def test_every_phase_of_one_command_is_listed(long: Path) -> None:
    """The list shows phases, not commands, and each can be brought back."""
    changes = [one for one in desk.history(long).data["changes"] if one["verb"] == "resolve"]

    assert [(change["turn"], change["phase"], change["in_force"]) for change in changes] == [
        ("2", "clash", True), ("2", "march", True), ("1", "fight", True), ("1", "clash", True), ("1", "march", True)]
    for one in changes:
        assert desk.undo(long, snapshot=one["number"]).exit == Exit.DONE
        assert (campaign_of(long).desk.turn, campaign_of(long).desk.phase) == (one["turn"], one["phase"])


@pytest.mark.slow
def test_undo_inside_one_command_keeps_what_was_typed_and_drawn_since(long: Path) -> None:
    """Typed rows stay, a club's own sheet stays, and the same phases throw the same dice."""
    dice = [d.as_text() for d in campaign_of(long).by_sheet("Dice")]
    workbook = openpyxl.load_workbook(long)
    workbook.create_sheet("Ours")["A1"] = "do not lose me"
    workbook.save(long)
    take_lines(long, "battle B1.M1 A 5")

    result = desk.undo(long, to="1.fight")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert openpyxl.load_workbook(long)["Ours"]["A1"].value == "do not lose me"
    assert (campaign_of(long).desk.turn, campaign_of(long).desk.phase) == ("1", "fight")
    assert list(campaign_of(long).by_sheet("Dice")) == []
    assert desk.resolve(long, until="2.clash", defaults=True).exit == Exit.DONE
    assert [d.as_text() for d in campaign_of(long).by_sheet("Dice")] == dice


def test_a_lost_workbook_comes_back_as_it_was_between_two_phases(long: Path) -> None:
    """From the ledger alone, with `hard`."""
    long.write_bytes(b"no workbook any more")

    result = desk.undo(long, steps=2, hard=True)

    assert (result.exit, result.data["turn"], result.data["phase"]) == (Exit.DONE, "2", "march")


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("broken", [True, False])
def test_a_broken_workbook_is_never_done_again(long: Path, broken: bool, hard: bool) -> None:
    """Nor one that was gone: after `undo --hard` from the ledger alone there is nothing to do again."""
    long.write_bytes(b"no workbook any more") if broken else long.unlink()
    assert desk.undo(long, hard=True).exit == Exit.DONE
    before = long.read_bytes()

    assert [f.code for f in desk.redo(long, hard=hard).findings] == ["ARB-086"]
    assert long.read_bytes() == before
    assert desk.resolve(long, defaults=True).exit == Exit.DONE


def test_nothing_to_undo_is_said(book: Path) -> None:
    """A fresh campaign has no phase to go back."""
    before = everything(book)

    result = desk.undo(book)

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-085"])
    assert everything(book) == before


def test_undo_needs_the_ledger(book: Path) -> None:
    """Without it nothing is guessed."""
    desk.resolve(book)
    path_of_ledger(book).unlink()

    assert desk.undo(book).exit == Exit.LEDGER


def test_a_change_that_a_crash_left_half_way_is_settled_by_who_looks(book: Path,
                                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """The workbook was replaced, its ledger lies ready beside: the next command mends it, also one that only reads."""
    def crash(*_: object) -> None:
        raise Crash

    before = book.read_bytes()
    monkeypatch.setattr(file, "rename_over", crash)
    with pytest.raises(Crash):
        desk.resolve(book)
    monkeypatch.undo()
    assert book.read_bytes() != before
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.line == ()

    shown = desk.status(book)

    assert (shown.exit, shown.findings) == (Exit.DONE, [])
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.line == (1,)
