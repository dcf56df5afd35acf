"""Deadlines and holidays: which moment is on the grid, which day is one of a club's."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from assistant.campaign.records import Desk
from assistant.turn.absence import (
    Timetable,
    earliest_ready_time,
    next_deadline,
    on_holiday,
    parse_holidays,
    timetable_of,
)

ROME = ZoneInfo("Europe/Rome")
SUNDAYS = Timetable(6, 20, ROME, timedelta(hours=24))


def rome(text: str) -> datetime:
    """A moment in Rome."""
    return datetime.fromisoformat(text).replace(tzinfo=ROME)


@pytest.mark.parametrize(("now", "due"), [
    ("2026-11-23 05:00", "2026-11-29 20:00"),
    ("2026-11-29 19:59", "2026-11-29 20:00"),
    ("2026-11-29 20:00", "2026-12-06 20:00"),
    ("2026-10-24 12:00", "2026-10-25 20:00"),  # the clocks go back in between
    ("2027-03-27 12:00", "2027-03-28 20:00"),  # and are put on
    ("2026-12-31 23:00", "2027-01-03 20:00"),
])
def test_the_next_deadline_is_on_its_grid(now: str, due: str) -> None:
    """It is the weekday and hour of the time zone, summer and winter, and always lies ahead."""
    assert SUNDAYS.next_after(rome(now)) == rome(due)


def test_an_hour_that_the_clocks_leave_out_has_a_deadline_too() -> None:
    """At two in the morning of the last Sunday of March there is no such hour, and still one deadline a week."""
    night = Timetable(6, 2, ROME)
    first = night.next_after(rome("2027-03-27 12:00"))
    assert first.astimezone(ROME).date() == date(2027, 3, 28)
    assert night.next_after(first) == rome("2027-04-04 02:00")


@pytest.mark.parametrize(("now", "was", "counted", "due"), [
    ("2026-11-27 10:00", None, True, "2026-11-29 20:00"),  # none was known
    ("2026-11-27 10:00", "2026-11-29 20:00", True, "2026-12-06 20:00"),  # all had answered early
    ("2026-11-29 20:30", "2026-11-29 20:00", True, "2026-12-06 20:00"),  # as it should be
    ("2026-12-02 10:00", "2026-11-29 20:00", True, "2026-12-06 20:00"),  # the referee was late
    ("2026-12-07 10:00", "2026-11-29 20:00", True, "2026-12-13 20:00"),  # very late
    ("2026-11-29 20:45", "2026-12-06 20:00", False, "2026-12-06 20:00"),  # a phase of the same evening
    ("2026-12-07 10:00", "2026-12-06 20:00", False, "2026-12-13 20:00"),  # answers are still awaited
])
def test_what_happens_moves_no_deadline_off_its_grid(now: str, was: str | None, counted: bool, due: str) -> None:
    """Neither an early evening nor a late one: the next deadline is the week's own."""
    assert next_deadline(SUNDAYS, rome(now), rome(was) if was else None, counted=counted) == rome(due)


def test_the_desk_says_when_orders_are_due() -> None:
    """A day is enough; without one, or in a zone that nobody knows, there is no deadline."""
    told = timetable_of(Desk(due_day="sunday", due_zone="Europe/Rome", grace=24))
    assert told == Timetable(6, 20, ROME, timedelta(hours=24))
    assert timetable_of(Desk(due_hour=20)) is None
    for zone in ("Europe/Roma", "../secret", "Europe"):
        assert timetable_of(Desk(due_day="sunday", due_zone=zone)) is None
    utc = timetable_of(Desk(due_day="monday", due_hour=7))
    assert utc is not None
    assert utc.next_after(datetime(2026, 11, 23, 6, tzinfo=UTC)) == datetime(2026, 11, 23, 7, tzinfo=UTC)


def test_no_phase_is_ready_before_the_earliest_hour() -> None:
    """Before six in the evening one waits until then, afterwards no longer."""
    set_so = Desk(due_zone="Europe/Rome", not_before=18)
    assert earliest_ready_time(set_so, rome("2026-11-27 03:00")) == rome("2026-11-27 18:00")
    assert earliest_ready_time(set_so, rome("2026-11-27 19:10")) == rome("2026-11-27 19:10")
    assert earliest_ready_time(Desk(), rome("2026-11-27 03:00")) == rome("2026-11-27 03:00")


@pytest.mark.parametrize("text", ["2026-12-24..2027-01-06", "24.12.2026 - 6.1.2027", "24/12/2026 al 6/1/2027",
                                  "2026-12-01, 2026-12-24 to 2027-01-06;"])
def test_holidays_are_read_as_people_write_them(text: str) -> None:
    """Both ends are part of it."""
    assert [on_holiday(text, day) for day in (date(2026, 12, 23), date(2026, 12, 24), date(2027, 1, 6),
                                              date(2027, 1, 7))] == [False, True, True, False]


@pytest.mark.parametrize("text", ["Christmas", "2026-12-24..", "2027-01-06..2026-12-24", "31.2.2026",
                                  "2026-12-24 or so"])
def test_what_is_no_holiday_is_none(text: str) -> None:
    """It is not guessed at: the referee is told, and it does not count."""
    assert parse_holidays(text) is None
    assert not on_holiday(text, date(2026, 12, 24))
