"""The tiny rulebook of the desk's tests, its workbook with a ledger, and the programs in which it is opened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.buttons.benches import ExcelBench
from tests.desk.conftest import book, folder, fresh, plugin

__all__ = ["benches", "book", "folder", "fresh", "plugin"]


@pytest.fixture
def benches() -> Iterator[list[ExcelBench]]:
    """The workbooks that a test opens, let go of at its end."""
    made: list[ExcelBench] = []
    yield made
    for one in made:
        one.close()
