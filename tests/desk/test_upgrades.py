"""Campaigns of every released format are opened, looked at, undone and played on with today's code."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.ledger import Ledger, path_of

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@dataclass(frozen=True)
class Sample:
    """What a version left: where the campaign stood, what it waited for, what it had promised of its dice."""

    version: str
    turn: str
    phase: str
    questions: int
    orders: int
    steps: tuple[str, ...]
    public: str


KNOWN = (
    Sample("0.1", "1500", "budget", 2, 200, ("orders", "resolve", "wait"),
           "f5c2319fed99f1f6fdfd244d871e384638802eb5a246bef349d8b20859227f10"),
)


@pytest.fixture(params=KNOWN, ids=[one.version for one in KNOWN])
def sample(request: pytest.FixtureRequest) -> Sample:
    """One of the versions."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def book(sample: Sample, tmp_path: Path) -> Path:
    """A copy of its workbook and ledger."""
    for one in (SAMPLES / sample.version).iterdir():
        shutil.copyfile(one, tmp_path / one.name)
    return next(tmp_path.glob("*.xlsx"))


def test_every_sample_is_opened() -> None:
    """No folder is forgotten."""
    assert sorted(one.version for one in KNOWN) == sorted(one.name for one in SAMPLES.iterdir() if one.is_dir())


def test_an_old_campaign_stands_where_it_stood(book: Path, sample: Sample) -> None:
    """Looked at without changing a byte: no finding that stops, the same questions, the same promises."""
    before = book.read_bytes()
    result = desk.status(book)

    assert (result.exit, result.data["turn"], result.data["phase"]) == (Exit.DONE, sample.turn, sample.phase)
    assert result.data["ledger"] == "ok"
    assert len(result.questions) == sample.questions
    assert [f for f in result.findings if f.stops] == []
    assert desk.ledger_state(book).data["commitments"][sample.turn]["public"] == sample.public
    assert desk.check(book).exit == Exit.DONE
    assert desk.export(book, book.parent / "out").data["files"]["orders.csv"] == sample.orders
    assert desk.report(book, book.parent / "r").exit == Exit.DONE
    assert book.read_bytes() == before


@pytest.mark.slow
def test_an_old_campaign_is_played_on_and_back(book: Path, sample: Sample) -> None:
    """Resolved with default answers, undone to the very bytes, undone further than today's code has seen."""
    before = book.read_bytes()
    assert desk.resolve(book, defaults=True).exit == Exit.DONE
    assert desk.status(book).data["phase"] != sample.phase
    with Ledger.open(path_of(book), "") as ledger:
        assert tuple(s.verb for s in ledger.steps()) == (*sample.steps, "resolve")
        assert ledger.commitments()[sample.turn]["public"] == sample.public
    assert desk.undo(book).exit == Exit.DONE
    assert book.read_bytes() == before

    assert desk.undo(book, hard=True).exit == Exit.DONE
    assert desk.status(book).data["phase"] == "income"
    assert desk.redo(book).exit == Exit.DONE
    assert desk.status(book).data["phase"] == sample.phase


def test_an_old_campaigns_export_makes_a_new_one(book: Path, sample: Sample) -> None:
    """What its CSVs hold is taken into a workbook of today, unchanged."""
    first, second = book.parent / "out", book.parent / "again"
    desk.export(book, first)
    made = desk.new(desk.Plan("giglio", folder=first), book.parent / "new.xlsx")
    assert made.exit == Exit.DONE, made.finding_lines()
    desk.export(book.parent / "new.xlsx", second)

    assert desk.status(book.parent / "new.xlsx").data["phase"] == sample.phase
    assert {one.name: one.read_bytes() for one in first.iterdir()} == {
        one.name: one.read_bytes() for one in second.iterdir()}
