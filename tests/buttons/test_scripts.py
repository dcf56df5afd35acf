"""The buttons as scripts of xlwings' other engines, proved without a licence."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import xlwings as xw

from assistant.buttons import scripts
from assistant.buttons.excel import ExcelHost
from assistant.buttons.verbs import BUTTONS
from assistant.desk.session import sit
from assistant.ledger import path_of
from tests.buttons import engine
from tests.buttons.benches import ExcelBench


@pytest.fixture
def frozen(book: Path) -> Iterator[Any]:
    """The tiny campaign's workbook as an engine without a desktop shows it."""
    bench = ExcelBench(book, None)
    engine.engine_singleton.type = "remote"
    bench.open.app.impl.alerts = []
    yield bench.open
    engine.engine_singleton.type = "desktop"
    bench.close()


def functions() -> list[Any]:
    """The scripts, in the order of the buttons."""
    return [scripts.check_orders, scripts.resolve_phase, scripts.enter_answers, scripts.undo, scripts.preview_reports,
            scripts.send_reports, scripts.status]


def test_each_button_is_a_script_that_takes_the_workbook() -> None:
    """One function a button, with the workbook as its only argument and nothing to return, as ``xw.script`` asks."""
    assert len(functions()) == len(BUTTONS)
    for one in functions():
        signature = inspect.signature(one, eval_str=True)
        assert [p.annotation for p in signature.parameters.values()] == [xw.Book]
        assert signature.return_annotation is None
        assert xw.script(one) is one


def test_no_licence_is_asked_for(tmp_path: Path) -> None:
    """Importing the scripts and the host needs no key, in a process that has none."""
    program = "import os; os.environ.pop('XLWINGS_LICENSE_KEY', None); import assistant.buttons.scripts, xlwings; "\
              "print(xlwings.__pro__)"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True,
                          env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd())})

    assert done.stdout.strip() == "False"


def test_only_what_every_engine_knows_is_used(frozen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Colours, notes, formulas, widths, heights and copies are not even asked for where they may not exist."""
    def forbidden(*_: object) -> None:
        raise NotImplementedError

    for name in ("color", "font", "note", "formula", "column_width", "row_height", "merge_cells", "has_array"):
        monkeypatch.setattr(engine.Range, name, property(forbidden, forbidden))
    for name in ("add_note", "copy", "select"):
        monkeypatch.setattr(engine.Range, name, forbidden)
    monkeypatch.setattr(engine.Sheet, "notes", property(forbidden))
    for name in ("screen_updating", "enable_events", "status_bar"):
        monkeypatch.setattr(engine.App, name, property(forbidden, forbidden), raising=False)
    monkeypatch.setattr(engine.Book, "save", forbidden)

    for one in functions():
        one(frozen)

    alerts = frozen.app.impl.alerts
    assert len(alerts) == len(BUTTONS)
    assert not any("fault of its own" in text for text in alerts), alerts


def test_reads_do_not_show_writes_there_and_need_not(frozen: Any, book: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """All is read before anything is written: a workbook that answers with its first state gives the same."""
    host = ExcelHost(frozen)
    first = {title: host.rows(title) for title in host.titles()}
    monkeypatch.setattr(ExcelHost, "rows", lambda self, title: {n: dict(cells) for n, cells in first[title].items()})

    scripts.resolve_phase(frozen)

    frozen.save()
    assert sit(book).campaign.desk.phase == "clash"
    assert "resolved" in frozen.app.impl.alerts[0]


def test_without_a_folder_there_is_no_ledger_and_it_is_said(frozen: Any, book: Path) -> None:
    """A workbook on the web can be checked and looked at; what needs dice and snapshots says what to do."""
    frozen.impl.fullname = book.name
    before = path_of(book).read_bytes()

    scripts.check_orders(frozen)
    scripts.status(frozen)
    scripts.resolve_phase(frozen)

    alerts = frozen.app.impl.alerts
    assert alerts[0].startswith("Nothing to put right.")
    assert "lies in no folder" in alerts[2]
    assert path_of(book).read_bytes() == before


def test_a_click_looks_for_garbage_as_seldom_as_a_command() -> None:
    """Its process does one thing: what xlwings has loaded (pandas, too) is not looked through again and again."""
    program = """
import gc
from assistant import resources
from assistant.buttons import excel

def looked():
    print(gc.get_threshold() == resources.SELDOM, gc.get_freeze_count() > 10_000)
    raise SystemExit

excel._caller = looked
excel.run("status")
"""

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "True"]
