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


class TestFile(Contract):
    """The file adapter."""

    @pytest.fixture
    def opening(self, tmp_path: Path) -> Iterator[Opening]:
        """A file."""
        yield from openings(FileBench, tmp_path)


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
