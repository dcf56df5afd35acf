"""A click on a workbook whose ledger is of another moment, and what either door remembers of the other's work."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.campaign.records import Rule
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import Ledger, path_of_ledger
from assistant.turn.numbers import Number
from tests.buttons.benches import ExcelBench
from tests.desk import tiny
from tests.sweeps import fast_among
from tests.workbook.contract import rows


def opened(book: Path, benches: list[ExcelBench]) -> ExcelBench:
    """The workbook, open."""
    benches.append(ExcelBench(book, None))
    return benches[-1]


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["resolve", "undo", "preview"])
def test_an_older_ledger_is_told_at_a_click_and_nothing_is_changed(verb: str, book: Path,
                                                                   benches: list[ExcelBench]) -> None:
    """Not as changes by hand: one finding, in a window, with the ledger's exit code."""
    kept = path_of_ledger(book).read_bytes()
    assert desk.resolve(book).exit == desk.Exit.DONE
    assert desk.resolve(book).exit == desk.Exit.DONE
    path_of_ledger(book).write_bytes(kept)
    bench = opened(book, benches)
    before = rows(bench.book().read().campaign)

    pressed = press_on(bench.open, verb, "en")

    assert (pressed.exit, pressed.box) == (4, True)
    assert any("ARB-230" in line for line in pressed.lines)
    assert rows(bench.book().read().campaign) == before
    assert path_of_ledger(book).read_bytes() == kept


@pytest.mark.slow
def test_an_older_workbook_is_told_at_a_click(book: Path, benches: list[ExcelBench]) -> None:
    """A backup was opened: its ledger knows more."""
    older = book.read_bytes()
    assert desk.resolve(book).exit == desk.Exit.DONE
    book.write_bytes(older)

    pressed = press_on(opened(book, benches).open, "resolve", "en")

    assert pressed.exit == 4
    assert any("ARB-233" in line for line in pressed.lines)


@pytest.mark.parametrize("verb", fast_among(["check", "resolve", "undo", "share", "send", "status"],
                                            "check", "resolve"))
def test_a_second_copy_is_told_at_a_click(verb: str, book: Path, benches: list[ExcelBench]) -> None:
    """Of workbook and ledger, whatever is clicked that changes something; a phase asks first."""
    assert desk.resolve(book).exit == desk.Exit.DONE
    shutil.copyfile(path_of_ledger(book), path_of_ledger(book).with_name("war (1).arbitro"))
    shutil.copyfile(book, book.with_name("war (1).xlsx"))

    pressed = press_on(opened(book, benches).open, verb, "en")

    assert all(any(copy in line for line in pressed.lines) for copy in ("war (1).xlsx", "war (1).arbitro")), pressed


@pytest.mark.slow
def test_a_click_and_a_command_are_of_the_same_moment(book: Path, benches: list[ExcelBench]) -> None:
    """What a click has written and saved is the ledger's own work for the command that comes next, also where
    somebody has typed over a cell in between: that is a change by hand and nothing else.
    """
    assert desk.resolve(book).exit == desk.Exit.DONE
    bench = opened(book, benches)
    assert press_on(bench.open, "resolve").exit == 0
    at = bench.book().read().cells
    bench.type("Armies", f"{at.letters['Armies']['node']}{at.rows['Armies']['A-1']}", "M1")
    bench.open.save()

    assert [f.code for f in desk.check(book, lang="en").findings] == ["ARB-110"]
    pressed = press_on(bench.open, "check", "en")
    assert any("ARB-110" in line for line in pressed.lines)


def test_status_without_a_phase_says_what_to_click(book: Path, benches: list[ExcelBench]) -> None:
    """The Desk does not say where the campaign stands: the way out is a button, not a command."""
    bench = opened(book, benches)
    place = bench.book().read().cells.desk["phase"]
    bench.type("Desk", f"{place[0]}{place[1]}", "tea")

    said = press_on(bench.open, "status", "en").lines

    assert "  1. Put the Desk right first: click Check orders." in said
    assert not any("arbitro check" in line for line in said)
    bench.type("Desk", f"{place[0]}{place[1]}", "march")
    bench.type("Orders", f"{bench.book().read().cells.letters['Orders']['faction']}6", "Z")
    assert "1 finding: click Check orders." in press_on(bench.open, "status", "en").lines


@pytest.mark.slow
def test_nothing_is_remembered_of_sheets_once_a_click_has_changed_them(book: Path, benches: list[ExcelBench]) -> None:
    """What a command remembers of its sheets ends with the next click."""
    assert desk.resolve(book).exit == desk.Exit.DONE
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.pages() != ""
    bench = opened(book, benches)
    before = book.read_bytes()

    assert press_on(bench.open, "resolve").exit == 0

    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.pages() == ""
    assert rows(open_workspace(book).campaign) == rows(bench.book().read().campaign)
    assert book.read_bytes() != before


@pytest.mark.slow
@pytest.mark.parametrize("size", [24, 60])
def test_a_full_disk_is_told_at_a_click_and_nothing_is_changed(size: int, book: Path,
                                                               benches: list[ExcelBench]) -> None:
    """No file may grow beyond some kilobytes: the ledger cannot take the change in."""
    import resource

    bench = opened(book, benches)
    before, beside = rows(bench.book().read().campaign), sorted(path.name for path in book.parent.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size * 1024, hard))
    try:
        pressed = press_on(bench.open, "resolve", "en")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert pressed.exit in (4, 5)
    assert any("ARB-238" in line for line in pressed.lines), (pressed.exit, pressed.lines)
    assert rows(bench.book().read().campaign) == before
    assert sorted(path.name for path in book.parent.iterdir()) == beside
    assert press_on(bench.open, "resolve").exit == 0


def test_where_the_pointers_go_back_no_sheet_is_remembered(book: Path) -> None:
    """The fingerprints of another moment say nothing of the sheets of this one."""
    assert desk.resolve(book).exit == desk.Exit.DONE
    with Ledger.open(path_of_ledger(book), "") as ledger:
        assert ledger.pages() != ""
        ledger.point([], [], ledger.manifest_before(1), '{"sha": "records:x", "left": {}}', "")
        assert ledger.pages() == ""


@pytest.mark.slow
def test_an_earlier_default_is_written_at_a_click_and_is_nobodys_doing(book: Path, benches: list[ExcelBench],
                                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """The campaign began with version 1 of its rules: a click writes onto Rules what held then, Undo takes it back."""
    fee = Number("fee", 5, "gold", "1", "A fee.", was={"1": 3})
    monkeypatch.setattr(tiny.Tiny, "numbers", (*tiny.Tiny.numbers, fee))
    monkeypatch.setattr(tiny.Tiny, "version", "2")
    bench = opened(book, benches)
    before = rows(bench.book().read().campaign)
    assert not any("ARB-11" in line for line in press_on(bench.open, "check", "en").lines)

    assert press_on(bench.open, "resolve", "en").exit == 0

    assert bench.book().read().campaign.table(Rule)["fee"].value == 3
    bench.open.save()
    assert desk.status(book).data["by_hand"] == []
    assert press_on(bench.open, "undo", "en").exit == 0
    assert rows(bench.book().read().campaign) == before
    assert not any("ARB-11" in line for line in press_on(bench.open, "check", "en").lines)
