"""Harmed workbooks, bits and members and XML: each is refused or read rightly, in bounded time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.books.corpus import campaign
from tests.books.fuzz import judged, mutant
from tests.books.oracles import ROOT
from tests.books.parts import Parts

FAST_SEEDS = 40
SLOW_SEEDS = [(start, start + 200) for start in range(FAST_SEEDS, FAST_SEEDS + 400, 200)]
SECONDS = 1_200


def faults(first: int, last: int) -> str:
    """What the fuzz target says of a range of seeds, tried in a process of its own; "" for nothing."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "tests.books.fuzz", str(first), str(last)], cwd=ROOT,
                          capture_output=True, text=True, timeout=SECONDS, check=False)
    lines = done.stdout.splitlines()
    said = [line for line in lines if not line.startswith("#")]
    if done.returncode or not lines or lines[-1] != f"# {last - 1}":
        said.append(f"the process ended at {lines[-1:]}: {done.returncode} {done.stderr[-300:]}")
    return "\n".join(said)


@pytest.mark.slow
def test_harmed_workbooks_are_refused_or_read_rightly() -> None:
    """A fixed handful of seeds."""
    assert faults(0, FAST_SEEDS) == ""


@pytest.mark.slow
@pytest.mark.parametrize(("first", "last"), SLOW_SEEDS)
def test_hundreds_of_harmed_workbooks_are_refused_or_read_rightly(first: int, last: int) -> None:
    """Hundreds more."""
    assert faults(first, last) == ""


@pytest.mark.slow
def test_a_seed_is_always_the_same_harm() -> None:
    """What was found once can be looked at again."""
    assert [mutant(seed) for seed in range(12)] == [mutant(seed) for seed in range(12)]


@pytest.mark.slow
def test_most_harm_is_harm() -> None:
    """The mutants are not the workbooks they came from, and not all of them are refused before they are read."""
    found = [mutant(seed)[1] for seed in range(60)]
    readable = [data for data in found if data.startswith(b"PK") and len(data) > 40_000]

    assert len(set(found)) == len(found)
    assert len(readable) > 30


def test_the_judge_sees_a_wrong_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a reader that adds one to every number the plainest workbook is misread."""
    from assistant.workbook.ooxml.cells import read_sheet as honest

    def lying(*given: object) -> object:
        rows = honest(*given)  # type: ignore[arg-type]
        return {r: {c: cell._replace(value=cell.value + 1) if cell.data_type == "n" else cell
                    for c, cell in cells.items()} for r, cells in rows.items()}

    assert judged(campaign(), tmp_path) == ""
    monkeypatch.setattr("assistant.workbook.ooxml.book.read_sheet", lying)

    assert "for '" in judged(Parts(campaign()).bytes(), tmp_path)
