"""The buttons as scripts of xlwings' other engines, as far as that can be proved without a licence.

xlwings' own `main` and converters run, and `xw.script` as far as it goes without one; what stands for its remote
engine, which needs a licence, is the frozen book of `tests.buttons.engine`.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlwings as xw
from openpyxl.utils.cell import absolute_coordinate

from assistant.buttons import excel
from assistant.buttons.press import BUTTONS
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import path_of_ledger
from tests.buttons.benches import ExcelBench


@pytest.fixture
def frozen(book: Path) -> Iterator[Any]:
    """The tiny campaign's workbook as an engine without a desktop shows it."""
    bench = ExcelBench(book, None)
    bench.open.app.impl.alerts = []
    bench.open.impl.freeze()
    yield bench.open
    bench.open.impl.thaw()
    bench.close()


def functions() -> list[Any]:
    """The scripts, in the order of the buttons."""
    return list(excel.SCRIPTS.values())


def test_each_button_is_a_script_that_takes_the_workbook() -> None:
    """One function a button, with the workbook as its only argument and nothing to return, as ``xw.script`` asks."""
    assert len(functions()) == len(BUTTONS)
    for function in functions():
        signature = inspect.signature(function, eval_str=True)
        assert [p.annotation for p in signature.parameters.values()] == [xw.Book]
        assert signature.return_annotation is None
        assert xw.script(function) is function


@pytest.mark.slow
def test_no_licence_is_asked_for(tmp_path: Path) -> None:
    """Importing the scripts and the host needs no key, in a process that has none."""
    program = "import os; os.environ.pop('XLWINGS_LICENSE_KEY', None); import assistant.buttons.excel, xlwings; "\
              "print(xlwings.__pro__)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True,
                          env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd())})

    assert done.stdout.strip() == "False"


@pytest.mark.slow
def test_only_what_every_engine_knows_is_used(frozen: Any) -> None:
    """Colours, notes, formulas, widths, heights and copies are not even asked for where they may not exist."""
    for function in functions():
        function(frozen)

    alerts = frozen.app.impl.alerts
    assert len(alerts) == len(BUTTONS)
    assert not any("fault of its own" in text for text in alerts), alerts


ASKED: tuple[Callable[[Any], Any], ...] = (
    lambda book: book.sheets[0].range("A1").color, lambda book: book.sheets[0].range("A1").formula,
    lambda book: book.sheets[0].range("A1").note, lambda book: list(book.sheets[0].notes), lambda book: book.save(),
    lambda book: book.sheets[0].range("A1").column_width, lambda book: book.app.screen_updating)


def test_a_frozen_book_refuses_what_the_desktop_alone_can_do(frozen: Any) -> None:
    """Else the test above would prove nothing."""
    for ask in ASKED:
        with pytest.raises(NotImplementedError):
            ask(frozen)


def test_a_frozen_book_answers_with_its_first_picture(frozen: Any) -> None:
    """Values, used area and tables: what was written since is not seen, and is there afterwards."""
    sheet = frozen.sheets["Orders"]
    before, used, area = sheet.range("A1").value, sheet.used_range.address, sheet.tables[0].range.address
    sheet.range("A1").value = "other"
    sheet.range("Z300").value = "far"
    sheet.tables[0].resize(sheet.range(area).resize(sheet.range(area).shape[0] + 5))

    assert (sheet.range("A1").value, sheet.used_range.address) == (before, used)
    assert sheet.tables[0].range.address == area
    frozen.impl.thaw()
    assert sheet.range("A1").value == "other"
    assert sheet.tables[0].range.address != area


def test_reads_do_not_show_writes_there_and_need_not(frozen: Any, book: Path) -> None:
    """All is read before anything is written: over a workbook that answers with its first picture a phase comes out
    as it does elsewhere. (On the web no phase begins, for want of a folder; this is what the engine would bear.)
    """
    excel.SCRIPTS["resolve_phase"](frozen)

    frozen.impl.thaw()
    frozen.save()
    assert open_workspace(book).campaign.desk.phase == "clash"
    assert "resolved" in frozen.app.impl.alerts[0]


def test_without_a_folder_there_is_no_ledger_and_it_is_said(frozen: Any, book: Path) -> None:
    """A workbook on the web can be checked and looked at; what needs dice and snapshots says what to do, changes
    nothing, and adds no row to any table.
    """
    frozen.impl.fullname = book.name
    before = path_of_ledger(book).read_bytes()

    for function in functions():
        function(frozen)

    frozen.impl.thaw()
    alerts = frozen.app.impl.alerts
    needs = [button.writes for button in BUTTONS]
    assert "Nobody can tell what was changed by hand" in alerts[0]
    assert "1 of them is a remark and stops nothing." in alerts[0]
    assert ["is not in a folder" in text for text in alerts] == needs
    assert sum(needs) == 17
    assert path_of_ledger(book).read_bytes() == before
    assert {t.name: t.range.address for sheet in frozen.sheets for t in sheet.tables} == tables_of(book)


def tables_of(book: Path) -> dict[str, str]:
    """The tables of a file and their areas."""
    found = openpyxl.load_workbook(book)
    return {t.name: absolute_coordinate(t.ref) for sheet in found for t in sheet.tables.values()}


@pytest.mark.slow
def test_a_click_looks_for_garbage_as_seldom_as_a_command() -> None:
    """Its process does one thing: what xlwings has loaded (pandas, too) is not looked through again and again."""
    program = """
import gc
from assistant import environment
from assistant.buttons import excel

def looked():
    print(gc.get_threshold() == environment.GC_THRESHOLDS, gc.get_freeze_count() > 10_000)
    raise SystemExit

excel._caller = looked
excel.run("status")
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "True"]
