"""What a tired referee types into a workbook, and what the desk must say of it before it is too late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.cli.test_commands import answer, arbitro, book, fresh  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow  # each makes or changes a whole campaign


def edit(book: Path, change: Callable[[Any], None]) -> None:  # noqa: F811
    """Change a workbook as somebody with a program of their own would."""
    workbook = openpyxl.load_workbook(book)
    change(workbook)
    workbook.save(book)


def test_rows_that_a_program_put_in_above_a_table_stay_readable_after_a_phase(book: Path) -> None:  # noqa: F811
    """What check reads before a phase it reads after it, though the Excel table did not follow its headings."""
    edit(book, lambda workbook: workbook["Armies"].insert_rows(1, 4))
    for command in ("check", "resolve", "check", "undo", "check"):
        result = arbitro(command, book, "--json")
        assert answer(result)["exit"] == 0, (command, answer(result)["findings"])
