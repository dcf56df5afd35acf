"""Deadlines: the Desk's settings and a moment in; the next deadline on its grid out, and until when one waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from assistant.campaign.records import Desk
from assistant.campaign.timely import WEEKDAYS

USUAL_HOUR = 20
AFTER_THE_LAST_WORD = timedelta(minutes=30)
"""How long one waits after the last word, so that a club may still put its slip right."""


@dataclass(frozen=True)
class Timetable:
    """When orders are due: each week on a day (0: Monday) at an hour of a time zone; what comes within `grace` still
    counts.
    """

    weekday: int
    hour: int
    zone: tzinfo
    grace: timedelta = timedelta()

    def next_after(self, moment: datetime) -> datetime:
        """The first deadline after a moment, in UTC; it is on the grid whatever has happened before.

        An hour that the clocks leave out counts as the one before they are put on, one that comes twice as the first.
        """
        day = moment.astimezone(self.zone).date()
        day += timedelta(days=(self.weekday - day.weekday()) % 7)
        due = self._on(day)
        return due if due > moment else self._on(day + timedelta(days=7))

    def _on(self, day: date) -> datetime:
        return datetime.combine(day, time(self.hour), self.zone).astimezone(UTC)

    def ends(self, due: datetime) -> datetime:
        """Until when what comes still counts."""
        return due + self.grace


def timetable_of(desk: Desk) -> Timetable | None:
    """What the Desk says of deadlines; None where it sets none, or names a time zone that nobody knows."""
    zone = zone_of(desk)
    if not desk.due_day or zone is None:
        return None
    hour = USUAL_HOUR if desk.due_hour is None else desk.due_hour
    return Timetable(list(WEEKDAYS).index(desk.due_day), hour, zone, timedelta(hours=desk.grace or 0))


def not_too_early(desk: Desk, moment: datetime) -> datetime:
    """The moment, or the hour of its day before which the Desk wants no phase to be called ready, if that is later."""
    zone = zone_of(desk)
    if desk.not_before is None or zone is None or moment.astimezone(zone).hour >= desk.not_before:
        return moment
    return datetime.combine(moment.astimezone(zone).date(), time(desk.not_before), zone).astimezone(UTC)


def zone_of(desk: Desk) -> tzinfo | None:
    """The time zone of the Desk, UTC where it names none; None for one that nobody knows."""
    if not desk.due_zone:
        return UTC

    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(desk.due_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a name that is a path, or a folder of zones
        return None


def due_after(table: Timetable, now: datetime, was: datetime | None, *, counted: bool) -> datetime:
    """The deadline that holds from now on. `was`: the one that held until now (None: none was known); `counted`:
    what was due by it was counted, so that the next one begins.

    A phase that was resolved before its deadline does not bring the next one nearer, one that was resolved late does
    not put it off.
    """
    if was is None:
        return table.next_after(now)
    if counted:
        return table.next_after(max(now, was))
    return was if was > now else table.next_after(now)
