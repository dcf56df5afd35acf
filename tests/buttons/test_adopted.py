"""Buttons in a workbook that a club already used: adopted, given buttons, and played by clicks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.buttons.workbook_buttons import add_buttons, plain_copy
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import path_of_ledger
from tests.buttons.benches import ExcelBench
from tests.cli.test_adopt import ITALY, adopt
from tests.workbook import clubs
from tests.workbook.contract import rows

pytestmark = pytest.mark.slow


def test_a_clubs_own_workbook_is_played_by_clicks_as_by_commands(tmp_path: Path) -> None:
    """The same phase on the club's own tables, whichever door; undone by a click; and a plain copy of it for clubs."""
    club = tmp_path / "lega.xlsx"
    club.write_bytes(clubs.treasurer())
    assert adopt(club, *ITALY)["exit"] == 0
    assert add_buttons(club, lang="it").exit == desk.Exit.DONE
    book = club.with_suffix(".xlsm")
    twin = tmp_path / "twin" / book.name
    twin.parent.mkdir()
    for file in (book, path_of_ledger(book)):
        shutil.copy(file, twin.parent)
    bench = ExcelBench(book, None)
    before = rows(bench.book().read().campaign)

    assert press_on(bench.open, "check").exit == desk.check(twin).exit
    assert press_on(bench.open, "resolve").exit == desk.resolve(twin).exit == 0
    assert rows(open_workspace(book).campaign) == rows(open_workspace(twin).campaign) != before
    assert press_on(bench.open, "undo").exit == 0
    assert rows(open_workspace(book).campaign) == before
    bench.close()

    copy = tmp_path / "for-the-clubs.xlsx"
    assert plain_copy(book, copy).exit == desk.Exit.DONE
    assert rows(open_workspace(copy).campaign) == before
