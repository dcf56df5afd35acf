"""Two computers play on from one point, and a cloud folder lays the file of one beside that of the other."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Literal

import pytest

from assistant import desk
from assistant.campaign.records import Order
from assistant.desk.results import Exit
from assistant.desk.workspace.fingerprints import MARKS_KEPT, ChangeMark, format_marks, parse_marks
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import Ledger, path_of_ledger
from tests.desk.conftest import copied
from tests.desk.test_safety import set_cell
from tests.playing import codes_of, take_lines

pytestmark = pytest.mark.slow

TWO = "ARB-388"
LOOKS = (desk.status, desk.check, desk.verify, desk.history, desk.ledger_state)


@pytest.fixture
def mixed(fresh: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Anna's folder with Bea's workbook: Anna has resolved two phases, Bea has taken an order and resolved one.

    Returns Anna's workbook and a copy of it as she left it.
    """
    start = copied(fresh, tmp_path / "start").parent
    anna, bea = (Path(shutil.copytree(start, tmp_path / who)) / "war.xlsx" for who in ("anna", "bea"))
    take_lines(anna, "B: M1")
    for _ in range(2):
        assert desk.resolve(anna, defaults=True).exit == Exit.DONE
    take_lines(bea, "A: B1")
    assert desk.resolve(bea, defaults=True).exit == Exit.DONE
    hers = tmp_path / "as Anna left it.xlsx"
    shutil.copyfile(anna, hers)
    shutil.copyfile(bea, anna)
    return anna, hers


@pytest.mark.slow
def test_the_first_command_says_it_and_changes_nothing(mixed: tuple[Path, Path]) -> None:
    """One sentence names both, the last common point and what each has since; nothing is called a change by hand."""
    book, _ = mixed
    before = book.read_bytes(), path_of_ledger(book).read_bytes()

    for command in (*LOOKS, desk.resolve, desk.undo, desk.redo):
        result = command(book, lang="en")
        assert (result.exit, codes_of(result)) == (Exit.LEDGER, [TWO]), command
    [line] = desk.status(book, lang="en").finding_lines()
    assert "tell two histories that part at" in line.split(". ")[0]
    assert "from there the workbook has 1 phase and 1 order; the ledger has 2 phases and 1 order" in line
    assert (book.read_bytes(), path_of_ledger(book).read_bytes()) == before


@pytest.mark.slow
def test_going_on_with_the_workbook_says_what_is_unproved(mixed: tuple[Path, Path]) -> None:
    """The other ledger is kept whole; the campaign is played on, undone and verified, and nobody is accused."""
    book, _ = mixed
    bea, theirs = open_workspace(book, of_any_history=True).campaign, path_of_ledger(book).read_bytes()

    result = desk.keep_history(book, "workbook", lang="en")

    assert (result.exit, result.data["kept"]) == (Exit.DONE, "war (other history).arbitro"), result.finding_lines()
    assert (book.parent / result.data["kept"]).read_bytes() == theirs
    assert [row.ident for row in open_workspace(book).campaign.table(Order)] == [row.ident for row in bea.table(Order)]
    other = shlex.split(result.lines[-1])
    assert other[-4:] == ["arbitro", "orders", str(book), str(book.with_name(result.data["kept"]))]
    assert codes_of(desk.check(book)) == ["ARB-396"]
    assert (desk.verify(book).exit, codes_of(desk.verify(book))) == (Exit.REFUSED, ["ARB-387"])
    assert desk.resolve(book, defaults=True).exit in (Exit.DONE, Exit.WAITING)
    assert codes_of(desk.verify(book)) == ["ARB-387"]
    assert desk.undo(book).exit == Exit.DONE
    assert desk.report(book, book.parent / "r").exit == Exit.DONE
    assert "cannot be proved any more" in (book.parent / "r" / "A.txt").read_text().replace("\n  ", " ")

    of_anna = Path(other[-1])
    taken = desk.take_orders(book, [desk.Input(of_anna.name, path=of_anna)], lang="en")
    assert "1-march-B-1" in "\n".join(taken.lines), taken.finding_lines()  # of a phase that is over here
    assert codes_of(taken) == ["ARB-090"]


@pytest.mark.parametrize("there", [True, False])
def test_going_on_with_the_ledger_brings_its_workbook_back(there: bool, mixed: tuple[Path, Path]) -> None:
    """The very file where it still lies there under another name, else as it was before the last phase; the other
    workbook is kept, and its orders can be taken in as the command says.
    """
    book, hers = mixed
    bea = book.read_bytes()
    if there:
        shutil.copyfile(hers, book.with_name("war (Anna's conflicted copy 2026-11-24).xlsx"))

    result = desk.keep_history(book, "ledger", lang="en")

    kept = book.parent / "war (other history).xlsx"
    assert (result.exit, result.data["kept"], kept.read_bytes()) == (Exit.DONE, kept.name, bea)
    assert (book.read_bytes() == hers.read_bytes()) == there
    copies = {"ARB-147"} if there else set()  # that the other copy lies there is said as ever
    assert (set(codes_of(desk.check(book))), desk.verify(book).data["verified"]) == (copies, True)
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert sum(step.verb == "resolve" for step in ledger.steps()) >= 2
    assert shlex.split(result.lines[-1])[-4:] == ["arbitro", "orders", str(book), str(kept)]
    taken = desk.take_orders(book, [desk.Input(kept.name, path=kept)], lang="en")
    assert taken.exit in (Exit.DONE, Exit.REFUSED), taken.finding_lines()
    assert TWO not in codes_of(taken)


@pytest.mark.parametrize("which", ["workbook", "ledger"])
def test_an_open_workbook_is_refused_before_a_copy_is_left(which: Literal["workbook", "ledger"],
                                                           mixed: tuple[Path, Path]) -> None:
    """Nothing new lies there, however often it is tried; the lock gone, it goes on."""
    book, _ = mixed
    lock = book.with_name(".~lock.war.xlsx#")
    lock.write_bytes(b"Bruno Neri,bneri,PC-BRUNO,01.01.2026 20:00,file:///x;")
    before = {path.name: path.stat().st_size for path in book.parent.iterdir()}
    for _ in range(2):
        refused = desk.keep_history(book, which, lang="en")
        assert (refused.exit, codes_of(refused)) == (Exit.FILE, ["ARB-076"])
        assert {path.name: path.stat().st_size for path in book.parent.iterdir()} == before
    lock.unlink()

    assert desk.keep_history(book, which, lang="en").exit == Exit.DONE


def test_where_there_is_one_history_nothing_is_chosen(first_turn: Path, tmp_path: Path) -> None:
    """Who asks all the same is told so."""
    book = copied(first_turn, tmp_path)
    before = book.read_bytes(), path_of_ledger(book).read_bytes()

    result = desk.keep_history(book, "workbook", lang="en")

    assert (result.exit, result.lines) == (Exit.DONE, ["Workbook and ledger are of one history: nothing was changed."])
    assert (book.read_bytes(), path_of_ledger(book).read_bytes()) == before


def test_the_same_done_twice_is_one_history(first_turn: Path, tmp_path: Path) -> None:
    """Both computers resolve the same phase with the same orders: it is the same change, whoever made it."""
    anna, bea = (copied(first_turn, tmp_path / who) for who in ("anna", "bea"))
    for book in (anna, bea):
        desk.resolve(book, defaults=True)
    shutil.copyfile(bea, anna)

    assert (desk.check(anna).findings, desk.verify(anna).data["verified"]) == ([], True)


def test_what_came_before_the_gap_is_not_corrected(mixed: tuple[Path, Path]) -> None:
    """What was done after it is in no ledger: the correction would have to guess it."""
    book, _ = mixed
    desk.keep_history(book, "workbook")

    result = desk.correct(
        book, desk.CorrectionRequest((desk.Input("-", text="A: M1"),)), desk.CorrectionOptions("misread"), lang="en"
    )

    assert result.exit != Exit.DONE
    assert not result.data.get("committed")


def test_marks_that_were_typed_over_tell_nothing() -> None:
    """A checksum stands behind them; more than sixty are never kept."""
    marks = [ChangeMark(number % 3, f"{number:08x}") for number in range(MARKS_KEPT + 5)]

    assert parse_marks(format_marks(marks)) == marks[-MARKS_KEPT:]
    assert parse_marks(format_marks(marks).replace("00000007", "00000008")) == []
    assert (parse_marks(""), parse_marks("by hand"), format_marks([])) == ([], [], "")


def test_a_workbook_from_before_the_first_change_is_only_older(fresh: Path, tmp_path: Path) -> None:
    """It has no marks yet; what somebody typed there does not make it a campaign that was changed by hand."""
    book = copied(fresh, tmp_path)
    first = book.read_bytes()
    take_lines(book, "B: M1")
    desk.resolve(book, defaults=True)
    book.write_bytes(first)
    set_cell(book, "Factions", "Gold", 5, "7")

    assert codes_of(desk.check(book)) == ["ARB-233"]


def test_a_state_between_two_phases_of_one_command_is_not_the_one_before_it(fresh: Path, tmp_path: Path) -> None:
    """After `undo` into the middle of a command a workbook of its beginning is older, not changed by hand."""
    book = copied(fresh, tmp_path)
    first = book.read_bytes()
    desk.resolve(book, until="1.fight", defaults=True)
    assert desk.undo(book, to="1.clash").exit == Exit.DONE
    assert (desk.check(book).findings, desk.verify(book).data["verified"]) == ([], True)
    book.write_bytes(first)

    assert codes_of(desk.check(book)) == ["ARB-233"]


def test_phases_that_were_taken_back_are_not_counted(fresh: Path, tmp_path: Path) -> None:
    """Both have resolved a phase; Anna has undone it and kept an order, Bea has resolved another one."""
    anna, bea = (copied(fresh, tmp_path / who) for who in ("anna", "bea"))
    desk.resolve(anna, defaults=True)
    take_lines(anna, "B: A1")
    desk.undo(anna)
    for _ in range(2):
        desk.resolve(bea, defaults=True)
    shutil.copyfile(anna, bea)

    [line] = desk.status(bea, lang="en").finding_lines()
    assert "the workbook has 0 phases" in line
    assert "the ledger has 1 phase and" in line


def test_after_a_history_was_chosen_the_file_from_before_is_only_older(mixed: tuple[Path, Path]) -> None:
    """Bea's workbook comes once more when the campaign has been gone on with from it; undone, nothing is by hand, and
    what no ledger holds is still called so.
    """
    book, _ = mixed
    hers = book.read_bytes()
    desk.keep_history(book, "workbook")
    book.write_bytes(hers)
    assert codes_of(desk.check(book)) == ["ARB-233"]
    with Ledger.open(path_of_ledger(book), "") as ledger:
        last = ledger.steps()[-1].id

    assert desk.undo(book, snapshot=last).exit == Exit.DONE
    checked = desk.check(book)
    assert (codes_of(checked), checked.data["by_hand"]) == (["ARB-396"], [])


@pytest.mark.slow
def test_going_on_with_the_ledger_never_brings_a_broken_file_back(fresh: Path, tmp_path: Path) -> None:
    """The last change was an undo from a workbook of which the cloud had sent half."""
    anna, bea = (copied(fresh, tmp_path / who) for who in ("anna", "bea"))
    desk.resolve(anna, defaults=True)
    desk.resolve(anna, defaults=True)
    anna.write_bytes(anna.read_bytes()[:999])
    assert desk.undo(anna, hard=True).exit == Exit.DONE
    there = open_workspace(anna).campaign
    take_lines(bea, "A: B1")
    shutil.copyfile(bea, anna)

    result = desk.keep_history(anna, "ledger", lang="en")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert open_workspace(anna).campaign.desk.phase == there.desk.phase
    assert desk.check(anna).findings == []


def test_the_ledger_of_a_turn_is_a_file_of_its_own(fresh: Path, tmp_path: Path) -> None:
    """What writes into the ledger's file, as some clouds do, does not write into the one among the backups."""
    book = copied(fresh, tmp_path)
    desk.resolve(book, until="2.march", defaults=True)
    take_lines(book, "A: M1")
    kept = book.parent / "war-backups" / "war 1.arbitro"
    path_of_ledger(book).write_bytes(b"half")

    with Ledger.open(kept, "") as ledger:
        assert ledger.steps()


@pytest.mark.slow
def test_what_was_undone_in_the_other_history_is_not_done_again(fresh: Path, tmp_path: Path) -> None:
    """The ledger had undone a phase before its workbook was left: `redo` would bring that history back."""
    anna, bea = (copied(fresh, tmp_path / who) for who in ("anna", "bea"))
    for _ in range(3):
        desk.resolve(bea, defaults=True)
    desk.undo(bea)
    take_lines(anna, "A: M1")
    desk.resolve(anna, defaults=True)
    shutil.copyfile(path_of_ledger(bea), path_of_ledger(anna))
    assert desk.keep_history(anna, "workbook").exit == Exit.DONE
    before = anna.read_bytes()

    assert codes_of(desk.redo(anna)) == ["ARB-086"]
    assert anna.read_bytes() == before


def test_a_sound_ledger_is_never_put_aside_for_an_older_one(fresh: Path, tmp_path: Path) -> None:
    """The workbook of after the first phase was put back: the ledger knows all that it holds, and stays."""
    book = copied(fresh, tmp_path)
    desk.resolve(book)
    first = book.read_bytes()
    desk.resolve(book, until="fight", defaults=True)
    book.write_bytes(first)
    before = path_of_ledger(book).read_bytes()

    result = desk.rescue_ledger(book, lang="en")

    assert (result.exit, result.data["kept"], path_of_ledger(book).read_bytes()) == (Exit.DONE, "", before)


def test_a_damaged_ledger_behind_a_link_is_kept(fresh: Path, tmp_path: Path) -> None:
    """The ledger lies elsewhere: what is set aside are its bytes, and not the link to what takes its place."""
    book, real = copied(fresh, tmp_path), tmp_path / "elsewhere" / "ledger"
    desk.resolve(book)
    real.parent.mkdir()
    path_of_ledger(book).rename(real)
    path_of_ledger(book).symlink_to(real)
    real.write_bytes(b"noise")

    result = desk.rescue_ledger(book)

    assert (book.parent / result.data["kept"]).read_bytes() == b"noise"
    assert desk.status(book).data["ledger"] == "ok"
