"""The contract of the port over the file, over xlwings' own code, over a pipe, and over Excel where there is one.

Excel is started only where ``ARBITRO_TEST_EXCEL=1`` says so; nothing is collected for it otherwise. LibreOffice's
bench stands in ``tests/office``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.buttons.benches import ExcelBench, FileBench, PipeBench
from tests.sweeps import slow_among
from tests.workbook.contract import Bench, Contract, LiveContract, Opening, Prepare, made


def openings(make: Callable[[Path], Any], folder: Path) -> Iterator[Opening]:
    """What opens workbooks on a bench, and lets go of them."""
    benches: list[Any] = []

    def open_one(prepare: Prepare | None) -> Bench:
        benches.append(make(made(folder, prepare)))
        return cast(Bench, benches[-1])

    yield open_one
    for bench in benches:
        bench.close()


@slow_among("test_a_clubs_own_column_stays", "test_a_clubs_own_table_is_known_by_the_names_that_remember_it",
            "test_a_finding_is_marked_on_its_cell_and_the_mark_goes_without_a_trace",
            "test_a_table_reaches_its_new_rows",
            "test_a_text_that_was_typed_over_is_named_and_the_next_change_puts_it_right",
            "test_an_emptied_cell_is_told_from_one_that_says_the_default",
            "test_an_order_is_numbered_where_reading_has_numbered_it", "test_marks_that_are_renewed_do_not_pile_up",
            "test_new_rows_look_like_those_above", "test_what_was_typed_a_moment_ago_counts")
class TestFile(Contract):
    """The file adapter."""

    @pytest.fixture
    def opening(self, tmp_path: Path) -> Iterator[Opening]:
        """A file."""
        yield from openings(FileBench, tmp_path)


@slow_among("test_a_cell_inside_a_merged_area_is_refused_and_nothing_is_changed", "test_a_clubs_own_column_stays",
            "test_a_clubs_own_table_is_known_by_the_names_that_remember_it",
            "test_a_finding_is_marked_on_its_cell_and_the_mark_goes_without_a_trace",
            "test_a_protected_sheet_is_refused_and_nothing_is_changed", "test_a_table_reaches_its_new_rows",
            "test_a_text_that_was_typed_over_is_named_and_the_next_change_puts_it_right",
            "test_merged_cells_among_the_rows_are_remarked_before_anything_is_written")
class TestXlwings(LiveContract):
    """The live adapter over xlwings' own `main` and converters."""

    @pytest.fixture
    def opening(self, tmp_path: Path) -> Iterator[Opening]:
        """A workbook open in the test engine."""
        yield from openings(ExcelBench, tmp_path)


@pytest.mark.slow
class TestPipe(LiveContract):
    """The live adapter over a pipe of JSON lines, as LibreOffice has it (whose own bench is slow, too)."""

    @pytest.fixture
    def opening(self, tmp_path: Path) -> Iterator[Opening]:
        """A workbook at the other end of a pipe."""
        yield from openings(PipeBench, tmp_path)


if os.environ.get("ARBITRO_TEST_EXCEL") == "1":

    class TestExcel(LiveContract):
        """The live adapter in Excel itself."""

        @pytest.fixture
        def opening(self, tmp_path: Path) -> Iterator[Opening]:
            """A workbook open in Excel."""
            yield from openings(lambda path: ExcelBench(path, real=True), tmp_path)
