"""A workbook that its owner has marked as read-only is not replaced behind his back."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.fresh import new_campaign
from tests.playing import arbitro
from tests.sweeps import all_slow


@pytest.mark.parametrize("command", [
    ("resolve", "--yes"),
    *all_slow([(("orders", "V: V8 F7"),), (("undo",),), (("check", "--mark"),)])])
def test_a_read_only_workbook_is_refused_and_read_all_the_same(tmp_path: Path, command: tuple[str, ...]) -> None:
    """What would write says that it may not, with the cure, and nothing is changed; what only looks still works."""
    book = new_campaign(tmp_path / "italy.xlsx")
    assert arbitro("resolve", book, "--yes").exit_code == 0
    assert arbitro("orders", book, "V: V8 Q99").exit_code in (0, 1)
    before = book.read_bytes()
    book.chmod(0o444)
    said = arbitro(command[0], book, *command[1:])

    assert (said.exit_code, book.read_bytes()) == (5, before), said.output
    assert "ARB-239" in said.output
    assert stat.S_IMODE(book.stat().st_mode) == 0o444
    assert arbitro("status", book).exit_code == 0
    book.chmod(0o644)
    assert arbitro(command[0], book, *command[1:]).exit_code in (0, 1, 3)
