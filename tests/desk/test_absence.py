"""Clubs that are silent: standing orders, holidays, deputies, a grace, then the robot; deadlines and ``--auto``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army, Event, Order, Question
from assistant.desk import codes
from assistant.desk.playing.roll_call import call_roll, readiness
from assistant.desk.sitting.sitting import sit
from assistant.turn.messages.house import ABSENT
from assistant.workbook.read.csvfolder import read_folder
from tests.desk.conftest import SECRET, written
from tests.desk.tiny import TINY

SUNDAY = datetime(2026, 11, 29, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
WEEKLY = {"due_day": "sunday", "grace": "24"}


def take(book: Path, *lines: str) -> desk.Result:
    """Lines handed in."""
    return desk.take_orders(book, [desk.Source(line, text=line) for line in lines])


def resolved(book: Path, now: datetime | None = None, **more: Any) -> desk.Result:
    """The present phase resolved at a time. `more`: of the timing, and of the command."""
    timing = desk.Timing(now, more.pop("yes", False), more.pop("auto", False))
    return desk.resolve(book, timing=timing, **more)


def campaign_of(book: Path) -> Campaign:
    """The campaign as it stands in a workbook."""
    return sit(book).campaign


def told(book: Path) -> list[tuple[str, str]]:
    """Whom it was told, and what was done."""
    return [(event.audience, event.data["step"]) for event in campaign_of(book).table(Event) if event.event == ABSENT]


def node(book: Path, army: str) -> str:
    """Where an army stands."""
    return campaign_of(book).table(Army)[army].node


@pytest.fixture
def set_up(tmp_path: Path) -> Any:
    """Makes a workbook whose Desk and factions say something of time."""
    def make(settings: dict[str, str] | None = None, **of_b: str) -> Path:
        place = written(tmp_path)
        text = (place / "csv" / "factions.csv").read_text().splitlines()
        heads = [*text[0].split(","), *of_b]
        rows = [[*line.split(","), *(of_b.values() if line.startswith("B") else [""] * len(of_b))] for line in text[1:]]
        (place / "csv" / "factions.csv").write_text("\n".join(",".join(row) for row in [heads, *rows]) + "\n")
        said = "".join(f"{key},{value}\n" for key, value in (settings or {}).items())
        (place / "csv" / "desk.csv").write_text(f"key,value\nruleset,tiny\nlanguage,en\n{said}")
        made = desk.new(desk.Plan("tiny", folder=place / "csv", secret=SECRET), place / "war.xlsx")
        assert made.exit == desk.Exit.DONE, made.finding_lines()
        return place / "war.xlsx"
    return make


# --- standing orders ----------------------------------------------------------------------------------------
def test_standing_orders_count_where_a_club_sends_none(book: Path) -> None:
    """They become orders of the phase, the club is told, and a replay comes to the same."""
    assert take(book, "B: M1 until changed", "A: M1").exit == desk.Exit.DONE
    assert resolved(book).exit == desk.Exit.DONE
    assert node(book, "B-1") == "M1"
    assert "1-march-B-standing-1" in campaign_of(book).table(Order)
    assert told(book) == [("B", "standing")]
    assert desk.verify(book).exit == desk.Exit.DONE


def test_own_orders_go_before_standing_ones_and_undo_takes_these_back(book: Path) -> None:
    """After undo the club may still send its own; then nothing is said of standing orders."""
    take(book, "A: M1", "B: M1 fino a nuovo ordine")
    resolved(book)
    assert desk.undo(book).exit == desk.Exit.DONE
    assert "1-march-B-standing-1" not in campaign_of(book).table(Order)
    assert told(book) == []
    take(book, "B: M1")
    resolved(book)
    assert told(book) == []
