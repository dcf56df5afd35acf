"""Very many rows: taken in a time that grows with them, or refused at once with the limit named."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.turn.findings import Finding, Where, unique_findings
from assistant.workbook.screening import LIMITS
from tests.fresh import new_campaign
from tests.playing import arbitro

HEAD = "turn,phase,faction,seq,verb,note"


def orders(path: Path, whole: int, half: int) -> Path:
    """A CSV of so many orders and so many rows that are only half filled in."""
    lines = [f"1500,budget,V,{n},save,n{n}" for n in range(whole)] + [f",,V,,,x{n}" for n in range(half)]
    path.write_text("\n".join([HEAD, *lines]), encoding="utf-8")
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A new campaign of Il Giglio."""
    return new_campaign(tmp_path / "italy.xlsx")


def test_a_file_of_far_too_many_rows_is_refused_with_the_limit(book: Path, tmp_path: Path) -> None:
    """20,000 orders and 200,000 half-filled rows: said within seconds, and nothing is taken."""
    before = book.read_bytes()
    start = time.process_time()
    said = arbitro("orders", book, orders(tmp_path / "orders.csv", 20_000, 200_000))

    assert time.process_time() - start < 10
    assert (said.exit_code, book.read_bytes()) == (1, before)
    assert "ARB-395" in said.output
    assert "220,000" in said.output
    assert f"{LIMITS.rows:,}" in said.output


@pytest.mark.slow
def test_a_folder_with_such_a_file_is_refused_as_well(tmp_path: Path) -> None:
    """No workbook is made of it, and the limit is named within seconds."""
    folder = tmp_path / "csv"
    folder.mkdir()
    orders(folder / "orders.csv", 20_000, 200_000)
    start = time.process_time()
    said = arbitro("new", "giglio", tmp_path / "italy.xlsx", "--from", folder)

    assert time.process_time() - start < 10
    assert said.exit_code == 1
    assert "ARB-395" in said.output
    assert "150000" in said.output or "150,000" in said.output
    assert not (tmp_path / "italy.xlsx").exists()


@pytest.mark.slow
def test_as_many_findings_as_rows_are_told_once_each_in_no_time() -> None:
    """100,000 findings, each twice: looked through once, in their order."""
    findings = [Finding("ARB-032", "error", Where("Orders", str(n), "verb"), {"column": "Verb"}, cell=f"Orders!A{n}")
                for n in range(100_000)]
    start = time.process_time()
    found = unique_findings([*findings, *findings])

    assert found == findings
    assert time.process_time() - start < 5


def test_findings_that_say_different_things_of_one_cell_all_stay() -> None:
    """Only what is equal in all it says counts as the same."""
    one, other = (Finding("ARB-030", "error", Where("Orders", "1", "verb"), {"seen": seen}) for seen in "ab")

    assert unique_findings([one, other, one]) == [one, other]
