"""Resolving phases: one change each, and nothing at all when anything fails."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from assistant import desk
from assistant.campaign.campaign import changes
from assistant.desk import Exit
from assistant.ledger import Ledger, LedgerTrouble, path_of_ledger
from assistant.ledger.file import RecordStore
from assistant.testing.cases import campaign_of
from assistant.turn.game import Game
from assistant.workbook import save
from tests.desk import tiny
from tests.desk.conftest import without_marks
from tests.hand import type_answer
from tests.playing import take_lines


def everything(book: Path) -> tuple[bytes, list[str]]:
    """The workbook's bytes and all that the ledger holds."""
    db = sqlite3.connect(path_of_ledger(book))
    dump = list(db.iterdump())
    db.close()
    return book.read_bytes(), dump


def test_a_phase_without_orders_is_resolved(book: Path) -> None:
    """The clock moves on to the next phase."""
    result = desk.resolve(book)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert (result.data["turn"], result.data["phase"]) == ("1", "clash")


def test_orders_move_armies(meeting: Path) -> None:
    """Lines that were typed are carried out, and their rows say so."""
    campaign = campaign_of(meeting)

    assert {a.army: a.node for a in campaign.by_sheet("Armies")} == {"A-1": "M1", "B-1": "M1"}
    assert [o.status for o in campaign.by_sheet("Orders")] == ["accepted", "accepted"]


def test_a_phase_waits_for_answers_and_changes_nothing_else(meeting: Path) -> None:
    """Exit code 3, the questions stand on their sheet, the clock stands still."""
    result = desk.resolve(meeting)

    assert result.exit == Exit.WAITING
    assert [q.question for q in result.questions] == ["1.clash.stance.A.M1", "1.clash.stance.B.M1"]
    campaign = campaign_of(meeting)
    assert campaign.desk.phase == "clash"
    assert [q.status for q in campaign.by_sheet("Questions")] == ["open", "open"]
    assert list(campaign.by_sheet("Battles")) == []


def test_answers_let_it_go_on(meeting: Path) -> None:
    """The same phase, run again, ends."""
    desk.resolve(meeting)
    assert take_lines(meeting, "A: stance M1 stand", "B: stance M1 flee").exit == Exit.DONE

    result = desk.resolve(meeting)

    assert result.exit == Exit.DONE
    assert [q.status for q in campaign_of(meeting).by_sheet("Questions")] == ["answered", "answered"]


def test_defaults_answer_for_who_is_silent(meeting: Path) -> None:
    """--defaults gives the answer that stands on the question, and it is written down."""
    result = desk.resolve(meeting, until="clash", defaults=True)

    assert result.exit == Exit.DONE
    assert [q.answer for q in campaign_of(meeting).by_sheet("Questions")] == ["stand", "stand"]


def test_a_typed_answer_beats_the_default(meeting: Path) -> None:
    """Only questions that are open get their default."""
    desk.resolve(meeting)
    take_lines(meeting, "A: stance M1 flee")

    desk.resolve(meeting, defaults=True)

    assert [q.answer for q in campaign_of(meeting).by_sheet("Questions")] == ["flee", "stand"]


def test_a_bad_answer_is_named_and_asked_again(meeting: Path) -> None:
    """The finding stands at the answer's cell and the phase still waits."""
    desk.resolve(meeting)
    take_lines(meeting, "B: stance M1 stand")
    type_answer(meeting, "1.clash.stance.A.M1", "hide")

    result = desk.resolve(meeting)

    assert result.exit == Exit.WAITING
    assert [(f.code, f.where.field) for f in result.findings] == [("ARB-135", "answer")]
    assert result.findings[0].cell.startswith("Questions!")


def test_a_robot_orders_and_answers(book: Path) -> None:
    """A faction that is absent marches and replies; the other one is still awaited."""
    take_lines(book, "A: M1")

    result = desk.resolve(book, until="clash", robots=["B"])

    assert result.exit == Exit.WAITING
    assert [q.to for q in result.questions] == ["A"]
    campaign = campaign_of(book)
    assert campaign.by_sheet("Armies")["B-1"].node == "M1"
    assert campaign.by_sheet("Questions")["1.clash.stance.B.M1"].answer == "flee"


def test_a_robot_leaves_a_club_that_has_sent_orders_alone(book: Path) -> None:
    """Orders that are there are the club's."""
    take_lines(book, "B: M1")

    desk.resolve(book, robots=["B"])

    assert [o.order for o in campaign_of(book).by_sheet("Orders")] == ["1-march-B-1"]


def test_an_unknown_robot_is_wrong_usage(book: Path) -> None:
    """The factions that there are get listed."""
    result = desk.resolve(book, robots=["X"])

    assert result.exit == Exit.USAGE
    assert "A, B" in result.finding_lines()[0]


def test_a_battle_waits_for_its_form(meeting: Path) -> None:
    """The referee is asked; a filled-in form lets the phase end."""
    desk.resolve(meeting, defaults=True)
    assert desk.resolve(meeting).exit == Exit.WAITING

    assert take_lines(meeting, "battle B1.M1 A 3").exit == Exit.DONE
    result = desk.resolve(meeting)

    assert result.exit == Exit.DONE
    campaign = campaign_of(meeting)
    assert campaign.by_sheet("Battles")["B1.M1"].losses == 3
    assert campaign.by_sheet("Factions")["A"].gold == int(campaign.by_sheet("Dice")["spoils:B1.M1"].value)


def test_until_goes_through_several_phases(book: Path) -> None:
    """One call, one step of the ledger for each phase."""
    result = desk.resolve(book, until="2.clash")

    assert [(r["turn"], r["phase"]) for r in result.data["resolved"]] == [
        ("1", "march"), ("1", "clash"), ("1", "fight"), ("2", "march"), ("2", "clash")]
    with Ledger.open(path_of_ledger(book), campaign_of(book).desk.campaign_id) as ledger:
        assert len(ledger.line) == 5
    assert [finding.code for finding in desk.resolve(book, until="1.clash").findings] == ["ARB-103"]  # it has been


def test_one_call_and_many_leave_the_same_campaign(book: Path, tmp_path: Path) -> None:
    """Phases do not care whether the file was closed between them."""
    twin = tmp_path / "twin" / "war.xlsx"
    twin.parent.mkdir()
    for one in (book, path_of_ledger(book)):
        (twin.parent / one.name).write_bytes(one.read_bytes())

    desk.resolve(book, until="fight")
    for _ in range(3):
        desk.resolve(twin)

    assert changes(without_marks(book), without_marks(twin)) == []


def test_an_unknown_goal_is_wrong_usage(book: Path) -> None:
    """The nearest phase is offered, nothing is resolved."""
    before = everything(book)

    result = desk.resolve(book, until="clahs")

    assert result.exit == Exit.USAGE
    assert "clash" in result.finding_lines()[0].casefold()
    assert everything(book) == before


def test_a_refused_order_does_not_stop_the_phase(book: Path) -> None:
    """The row is refused, kept in Findings, and the clock moves on."""
    take_lines(book, "A: B1", "B: M1")

    result = desk.resolve(book)

    assert result.exit == Exit.DONE
    assert [f.code for f in result.findings] == ["TIN-001"]
    campaign = campaign_of(book)
    assert [o.status for o in campaign.by_sheet("Orders")] == ["refused", "accepted"]
    assert [f.code for f in campaign.by_sheet("Findings")] == ["TIN-001"]


def test_strict_stops_before_a_phase_with_a_bad_order(book: Path) -> None:
    """Exit code 1 and nothing changed."""
    take_lines(book, "A: B1")
    before = everything(book)

    result = desk.resolve(book, strict=True)

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["TIN-001"]
    assert everything(book) == before


def test_a_finished_campaign_is_said(book: Path) -> None:
    """Nothing is left after the last turn."""
    desk.resolve(book, until="3.fight")

    result = desk.resolve(book)

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-087"]


def test_without_a_ledger_nothing_is_resolved(book: Path) -> None:
    """Exit code 4, and the way out is told."""
    path_of_ledger(book).unlink()
    before = book.read_bytes()

    result = desk.resolve(book)

    assert result.exit == Exit.LEDGER
    assert "--renew" in result.finding_lines()[0]
    assert book.read_bytes() == before


def test_a_workbook_that_is_open_elsewhere_is_left_alone(book: Path) -> None:
    """LibreOffice's lock file: exit code 5, nothing changed."""
    before = everything(book)
    (book.parent / f".~lock.{book.name}#").write_text(",Anna,club,21.11.2026 15:00,file:///x;")

    result = desk.resolve(book)

    assert result.exit == Exit.FILE
    assert "Anna" in result.finding_lines()[0]
    assert everything(book) == before


@pytest.mark.slow
def test_same_dice_on_every_machine(book: Path, tmp_path: Path) -> None:
    """The same folder, secret and orders give the same bytes."""
    books = []
    for name in ("one", "two"):
        place = tmp_path / name / "war.xlsx"
        place.parent.mkdir()
        desk.new_campaign(desk.NewPlan("tiny", folder=tmp_path / "csv", secret="5e" * 32), place)
        take_lines(place, "A: M1", "B: M1")
        desk.resolve(place, until="clash", defaults=True)
        take_lines(place, "battle B1.M1 B")
        desk.resolve(place)
        books.append(place.read_bytes())

    assert books[0] == books[1]


# --- when something fails ---------------------------------------------------------------------
def full(*_: Any, **__: Any) -> NoReturn:
    """A disk without room."""
    raise OSError(errno.ENOSPC, "No space left on device")


def shut(*_: Any, **__: Any) -> NoReturn:
    """A ledger that cannot be written."""
    raise LedgerTrouble("unwritable", "disk I/O error")


def broken(game: Game) -> None:
    """A phase with a fault of its own."""
    raise ZeroDivisionError(game.phase)


def test_a_full_disk_leaves_file_and_ledger_as_they_were(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workbook cannot be replaced: exit code 5, nothing changed, no temporary file left."""
    before = everything(book)
    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(save, "swap_files", full)

    result = desk.resolve(book)

    monkeypatch.undo()
    assert result.exit == Exit.FILE
    assert everything(book) == before
    assert sorted(p.name for p in book.parent.iterdir()) == ["csv", "war.arbitro", "war.xlsx"]


LEDGER_STEPS = {"change": Ledger, "commit_turn": Ledger, "_copy": RecordStore, "_seal": RecordStore,
                "_put_in_place": RecordStore}
"""What writes the ledger, the last of them after the workbook was replaced -> where it stands."""


@pytest.mark.parametrize("step", LEDGER_STEPS)
def test_a_ledger_that_fails_leaves_file_and_ledger_as_they_were(
        book: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Whichever of its steps fails: exit code 4, nothing changed, nothing left beside."""
    before = everything(book)
    monkeypatch.setattr(LEDGER_STEPS[step], step, shut)

    result = desk.resolve(book)

    monkeypatch.undo()
    assert result.exit == Exit.LEDGER
    assert everything(book) == before
    assert sorted(p.name for p in book.parent.iterdir()) == ["csv", "war.arbitro", "war.xlsx"]


def test_a_fault_of_the_rulebook_leaves_file_and_ledger_as_they_were(
        book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in a phase changes nothing and is not swallowed."""
    before = everything(book)
    monkeypatch.setattr(tiny, "marching", lambda campaign: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        desk.resolve(book)

    assert everything(book) == before


def test_a_fault_in_the_second_phase_changes_nothing(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One command is whole: what was resolved before the fault is not written."""
    before = everything(book)
    monkeypatch.setitem(tiny.DECLARED, "fight", tiny.DECLARED["fight"]._replace(run=broken))

    with pytest.raises(ZeroDivisionError):
        desk.resolve(book, until="fight")

    assert everything(book) == before


def test_a_file_that_cannot_be_written_says_that_nothing_was_resolved(
        book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many phases there were, the workbook is written once, and nothing stands if it cannot be."""
    before = everything(book)
    calls: list[Path] = []

    def fails(path: Path, data: bytes, expected: str | None = None, **_: object) -> None:
        calls.append(path)
        full()

    monkeypatch.setattr("assistant.workbook.file_book.replace_file", fails)

    result = desk.resolve(book, until="fight")

    assert (result.exit, result.data["resolved"], result.data["phase"]) == (Exit.FILE, [], "march")
    assert calls == [book]
    assert everything(book) == before


def test_phases_before_a_refusal_are_written(meeting: Path) -> None:
    """The first phase ends, the second waits: one writing, two changes in the ledger."""
    before = without_marks(meeting)
    desk.undo(meeting)

    result = desk.resolve(meeting, until="fight")

    assert (result.exit, [r["phase"] for r in result.data["resolved"]]) == (Exit.WAITING, ["march"])
    assert [one["verb"] for one in desk.history(meeting).data["changes"]][:2] == ["wait", "resolve"]
    desk.undo(meeting, snapshot=desk.history(meeting).data["changes"][0]["number"])
    assert changes(without_marks(meeting), before) == []


DIES = """
import os, sys
from pathlib import Path
import assistant.ledger.file, assistant.workbook.save
from assistant import desk
at, book = sys.argv[1], Path(sys.argv[2])
kill = lambda *_, **__: os.kill(os.getpid(), 9)
if at == "replaced":
    assistant.ledger.file.RecordStore._put_in_place = kill
elif at == "ready":
    assistant.workbook.save._take_place = kill
else:
    assistant.ledger.Ledger._mark_done = kill
desk.resolve(book, until="fight")
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", ["ready", "replaced", "written"])
def test_a_killed_process_leaves_all_phases_or_none(book: Path, plugin: Path, at: str) -> None:
    """kill -9 while the ledger is written, when it lies ready and the workbook is not replaced, and when that is."""
    root = Path(__file__).resolve().parents[2]
    died = subprocess.run([sys.executable, "-c", DIES, at, str(book)], check=False, cwd=root,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join([str(plugin), str(root)])})
    assert died.returncode == -9

    result = desk.resolve(book)

    assert result.exit == Exit.DONE
    assert result.data["resolved"] == [{"turn": "1", "phase": "march"} if at != "replaced" else
                                       {"turn": "2", "phase": "march"}]
    desk.undo(book, to="1.march")
    assert campaign_of(book).desk.phase == "march"
    assert [one["verb"] for one in desk.history(book).data["changes"]] == [
        "undo", "resolve"] if at != "replaced" else ["undo", *["resolve"] * 4]
