"""A ledger and a workbook of two moments: one of them came back from a backup, or from a cloud folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.ledger import path_of_ledger
from tests import hand
from tests.desk.conftest import copied
from tests.desk.test_safety import everything, set_cell
from tests.hand import cell_of
from tests.playing import answer, arbitro, codes_of


def typed(book: Path, sheet: str, key: str, heading: str, value: object) -> None:
    """Type into a cell by hand."""
    opened = hand.opened(book)
    cell_of(opened[sheet], key, heading).value = value
    opened.save(book)


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """Two phases were resolved with an order in between; the ledger is that of before the second."""
    book = copied(fresh, tmp_path_factory.mktemp("aged"))
    assert desk.take_orders(book, [desk.Input("-", text="A: M1")]).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.DONE
    kept = path_of_ledger(book).read_bytes()
    assert desk.resolve(book).exit == Exit.DONE
    path_of_ledger(book).with_name("newer").write_bytes(path_of_ledger(book).read_bytes())
    path_of_ledger(book).write_bytes(kept)
    return book.parent


@pytest.fixture
def older(aged: Path, tmp_path: Path) -> Path:
    """The older ledger, to do something with."""
    return copied(aged, tmp_path)


def test_an_older_ledger_is_told_as_one_thing(older: Path) -> None:
    """Not as a change by hand of every cell; with where both stand, and what to do, in both languages."""
    for command, code in (("status", 0), ("check", 1), ("resolve", 4), ("verify", 4)):
        found = answer(command, older)
        assert [f["code"] for f in found["findings"]] == ["ARB-230", "ARB-232"], command
        assert found["exit"] == code
    shown = arbitro("status", older).stdout
    assert "it knows the campaign as far as 1, Clash, and the workbook stands at 1, Fight" in shown
    assert f"arbitro ledger {older} --rescue" in shown
    assert "più vecchio" in arbitro("status", older, lang="it").stdout


@pytest.mark.parametrize("command", ["resolve", "orders", "accept", "revert", "mark", "undo", "correct", "report"])
def test_nothing_is_changed_and_nothing_is_lost(older: Path, tmp_path: Path, command: str) -> None:
    """Whatever the referee tries: refused with the ledger's exit code, and the newer ledger fits afterwards."""
    before = everything(older)
    words = {"orders": ["B: M1"], "mark": ["--mark"], "accept": ["--all", "--why", "x"], "revert": ["--all"],
             "correct": ["A: M2", "--at", "1.march", "--commit"], "report": ["--out", str(tmp_path / "out")]}
    result = arbitro("check" if command == "mark" else command, older, *words.get(command, []))

    assert result.exit_code == 4, result.output
    assert "ARB-230" in result.stderr
    assert everything(older) == before
    shutil.copy(path_of_ledger(older).with_name("newer"), path_of_ledger(older))
    assert answer("check", older)["findings"] == []


def test_bad_data_is_told_only_in_the_right_workbook(older: Path) -> None:
    """What would be put right in a workbook of another moment than its ledger's is lost: the moment is told first."""
    set_cell(older, "Roads", "From", 1, "nowhere")
    before = everything(older)

    for result in (desk.resolve(older), desk.report(older, older.parent / "out"), desk.correct(
            older, desk.CorrectionRequest(), desk.CorrectionOptions())):
        assert (result.exit, codes_of(result)[:1]) == (Exit.LEDGER, ["ARB-230"]), result.command
    assert everything(older) == before
    shutil.copy(path_of_ledger(older).with_name("newer"), path_of_ledger(older))
    assert desk.resolve(older).exit == Exit.REFUSED


def test_the_older_ledger_takes_the_workbook_as_it_is(older: Path) -> None:
    """As the message offers it: the dice stay the same, play goes on, and what nobody can prove is said."""
    result = arbitro("ledger", older, "--rescue")

    assert (result.exit_code, "cannot be proved any more" in result.stdout) == (0, True), result.output
    assert answer("check", older)["findings"] == []
    assert [one["code"] for one in answer("verify", older)["findings"]] == ["ARB-387"]
    assert arbitro("resolve", older).exit_code in (0, 3)


def test_the_backup_that_fits_is_named_and_does_fit(older: Path) -> None:
    """The workbook of before the phases that the ledger does not know; put in its place, play goes on from there."""
    said = next(f for f in answer("check", older)["findings"] if f["code"] == "ARB-232")
    backup = older.parent / said["data"]["copy"]
    assert backup.parent.name == "war-backups"
    shutil.copy(backup, older)

    assert answer("check", older)["findings"] == []
    assert answer("resolve", older)["resolved"] == [{"turn": "1", "phase": "clash"}]
    assert answer("verify", older)["verified"]


def test_the_ledger_that_fits_is_named_where_it_lies_beside(older: Path) -> None:
    """A cloud folder keeps the newer one under another name."""
    path_of_ledger(older).with_name("newer").rename(older.with_name("war (conflicted copy).arbitro"))

    result = arbitro("resolve", older)

    assert "war (conflicted copy).arbitro" in result.stderr
    assert "ARB-231" in result.stderr


def test_a_renewed_ledger_knows_the_workbook_as_it_is(older: Path) -> None:
    """The way out where the newer ledger is lost: nothing of the workbook changes but the event that says so."""
    assert arbitro("ledger", older, "--renew").exit_code == 0

    assert [f["code"] for f in answer("check", older)["findings"]] == ["ARB-397"]
    assert answer("resolve", older)["resolved"] == [{"turn": "1", "phase": "fight"}]


def test_an_older_ledger_that_lacks_a_ruling_only(book: Path) -> None:
    """The clock stands: the ruling's event tells it."""
    typed(book, "Factions", "A", "Gold", 7)
    kept = path_of_ledger(book).read_bytes()
    assert arbitro("accept", book, "--all", "--why", "prize").exit_code == 0
    path_of_ledger(book).write_bytes(kept)

    assert [f["code"] for f in answer("resolve", book)["findings"]] == ["ARB-243", "ARB-232"]


def test_an_older_ledger_that_lacks_a_question_only(book: Path) -> None:
    """The phase that waits has put its questions; they were not typed."""
    desk.take_orders(book, [desk.Input("-", text="A: M1\nB: M1")])
    assert desk.resolve(book).exit == Exit.DONE
    kept = path_of_ledger(book).read_bytes()
    assert desk.resolve(book).exit == Exit.WAITING
    path_of_ledger(book).write_bytes(kept)

    assert [f["code"] for f in answer("check", book)["findings"]] == ["ARB-243", "ARB-232"]


@pytest.mark.slow
@pytest.mark.parametrize("saved", [False, True])
def test_an_older_workbook_is_told_too(book: Path, saved: bool) -> None:
    """Put back from a backup by hand, also when it was saved since: undo takes the ledger there."""
    assert desk.resolve(book, until="clash").exit == Exit.DONE
    old = book.read_bytes()
    assert desk.resolve(book, until="1.fight").exit == Exit.DONE
    book.write_bytes(old)
    if saved:
        openpyxl.load_workbook(book).save(book)
    result = arbitro("resolve", book)

    assert result.exit_code == 4
    assert "ARB-233" in result.stderr
    way = ["--snapshot", "3"]
    assert f"arbitro undo {book} {' '.join(way)}" in result.stderr
    assert arbitro("undo", book, *way).exit_code == 0
    assert answer("check", book)["findings"] == []
    assert answer("resolve", book)["resolved"] == [{"turn": "1", "phase": "fight"}]


@pytest.mark.parametrize("field", ["Phase", "Turn"])
def test_who_types_over_the_clock_is_not_taken_for_that(book: Path, field: str) -> None:
    """A Desk whose words still say the old phase was changed by hand, also after another command."""
    desk.resolve(book)
    opened = hand.opened(book)
    ws = opened["Desk"]
    value = next(row[i + 1] for row in ws.iter_rows() for i, c in enumerate(row) if c.value == field)
    value.value = "fight" if field == "Phase" else 2
    opened.save(book)

    assert codes_of(desk.check(book)) == ["ARB-110"]
    assert desk.check(book, mark=True).exit == Exit.REFUSED
    assert codes_of(desk.resolve(book)) == ["ARB-110"]
    assert desk.take_orders(book, [desk.Input("-", text="A: M1")]).exit == Exit.DONE
    assert "ARB-110" in codes_of(desk.resolve(book))


@pytest.mark.slow
def test_an_event_copied_by_hand_is_a_change_by_hand(book: Path) -> None:
    """Below the last one, with the next number: the clock stands, so nobody's phase is missing."""
    desk.take_orders(book, [desk.Input("-", text="A: M1")])
    desk.resolve(book)
    opened = openpyxl.load_workbook(book)
    ws = opened["Events"]
    last = ws.max_row
    for column in range(1, ws.max_column + 1):
        ws.cell(last + 1, column).value = ws.cell(last, column).value
    ws.cell(last + 1, 1).value = 2
    opened.save(book)

    assert codes_of(desk.check(book)) == ["ARB-111"]


def test_before_the_first_phase_verify_names_what_was_typed(book: Path) -> None:
    """No phase was replayed, but a chest is not what it was."""
    typed(book, "Factions", "A", "Gold", 7)

    assert [f["code"] for f in answer("verify", book)["findings"]] == ["ARB-110"]
    assert arbitro("verify", book).exit_code == 1
