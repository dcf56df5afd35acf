"""Deciding on changes by hand in the open workbook: the reason is typed beside each, and one click does the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.buttons.excel import press_on
from assistant.desk.workspace.detect_edits import rulings_of
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import remove_sheet
from tests.buttons.benches import ExcelBench
from tests.buttons.test_press import columns, march, outcome, steps


@pytest.fixture
def bench(book: Path) -> Iterator[ExcelBench]:
    """The tiny campaign after a march, open; a chest and the name of a place were changed by hand since."""
    yield from _opened(book)


def _opened(book: Path) -> Iterator[ExcelBench]:
    made = ExcelBench(book, None)
    made.open.app.impl.alerts, made.open.app.impl.answers, made.open.app.impl.shown = [], [], []
    march(made, "A", "M1", 6)
    assert press_on(made.open, "resolve").exit == 0
    made.type("Factions", f"{columns(made, 'Factions')['gold']}5", 1000)
    made.type("Nodes", f"{columns(made, 'Nodes')['name']}6", "Centre")
    yield made
    made.close()


def listed(bench: ExcelBench) -> list[str]:
    """The rows that the sheet of changes names."""
    area = bench.open.names["changes_list"].refers_to_range
    return [row[1] for row in area.value if row[0]]


def test_a_stopped_phase_leads_to_the_list_and_one_click_decides(book: Path, bench: ExcelBench) -> None:
    """Resolve stops at the first cell to decide in; a reason and the word back are typed there; Decide, Resolve."""
    stopped = press_on(bench.open, "resolve")

    assert (stopped.exit, stopped.select) == (1, "Changes!F5")
    assert listed(bench) == ["A", "M1"]
    assert "write 'back' there. Then click Decide." in " ".join(stopped.lines)
    bench.type("Changes", "F5", "The bank's mistake of May")
    bench.type("Changes", "F6", "back")

    decided = press_on(bench.open, "decide")

    campaign = bench.book().read().campaign
    assert (decided.exit, listed(bench)) == (0, [])
    assert (campaign.by_sheet("Factions")["A"].gold, campaign.by_sheet("Nodes")["M1"].name) == (1000, "Middle")
    assert [ruling.why for ruling in rulings_of(campaign)] == ["The bank's mistake of May"]
    assert steps(book) == ["resolve", "decide"]
    assert "The bank's mistake of May" in outcome(bench)[0]
    assert press_on(bench.open, "resolve").exit == 0


def test_what_has_neither_stays_open_and_is_named(bench: ExcelBench) -> None:
    """The click ends as waiting, at the cell of what is still open."""
    press_on(bench.open, "decide")
    bench.type("Changes", "F6", "The map says so")

    decided = press_on(bench.open, "decide")

    assert (decided.exit, decided.select, listed(bench)) == (3, "Changes!F5", ["A"])
    assert any("Gold was changed by hand" in line for line in decided.lines)


@pytest.mark.slow
def test_one_click_on_undo_takes_all_decisions_back(bench: ExcelBench) -> None:
    """The changes stand there again, to be decided on."""
    press_on(bench.open, "decide")
    bench.type("Changes", "F5", "The bank's mistake")
    bench.type("Changes", "F6", "back")
    press_on(bench.open, "decide")

    assert press_on(bench.open, "undo").exit == 0

    campaign = bench.book().read().campaign
    assert (campaign.by_sheet("Nodes")["M1"].name, rulings_of(campaign)) == ("Centre", [])
    assert press_on(bench.open, "resolve").exit == 1
    assert listed(bench) == ["A", "M1"]


def test_an_older_workbook_that_is_open_gets_the_sheet_on_which_to_decide(book: Path) -> None:
    """The first click on Decide puts it there and stops at its first row."""
    older = OoxmlBook(book.read_bytes())
    remove_sheet(older, "Changes")
    book.write_bytes(older.package.pack())
    for bench in _opened(book):
        stopped = press_on(bench.open, "decide")

        assert (stopped.exit, stopped.select) == (3, "Changes!F5")
        assert listed(bench) == ["A", "M1"]
