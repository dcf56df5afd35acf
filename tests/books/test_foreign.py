"""Any valid file of a club takes a campaign, is checked and played, and comes back by `undo` to the byte."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.results import Exit
from tests.books.foreign import BY_HAND, BY_PROGRAMS, openpyxl_book
from tests.workbook.test_office import converted

SOON = 20
"""Seconds within which a file is taken on or refused, whatever else the machine does; measured: half a second."""


def played(path: Path) -> None:
    """Put a campaign in, look, resolve the first phase, and go back to the club's own file."""
    before, began = path.read_bytes(), time.process_time()

    made = desk.new_into(desk.NewPlan("giglio", secret="ab" * 32), path)

    assert (made.exit, made.finding_lines()) == (Exit.DONE, [])
    assert time.process_time() - began < SOON
    checked = desk.check(path)
    assert (checked.exit, checked.finding_lines()) == (Exit.DONE, [])
    assert desk.resolve(path, defaults=True).exit == Exit.DONE
    assert desk.undo(path, snapshot=1).exit == Exit.DONE
    assert path.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_PROGRAMS)
def test_a_workbook_of_any_program_is_played(name: str, tmp_path: Path) -> None:
    """XlsxWriter, openpyxl and pandas, with most that they can."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(BY_PROGRAMS[name]())

    played(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_a_workbook_however_it_is_spelled_is_played(name: str, tmp_path: Path) -> None:
    """Whatever the format leaves open, or other programs forgive."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(BY_HAND[name](openpyxl_book()))

    played(path)


@pytest.mark.slow
def test_what_libreoffice_makes_of_it_is_played(tmp_path: Path) -> None:
    """Most that XlsxWriter can, saved anew by LibreOffice."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(BY_PROGRAMS["XlsxWriter"]())

    played(converted(path, "xlsx"))
