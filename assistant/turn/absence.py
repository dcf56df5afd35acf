"""Deadlines, holidays, silent factions, and what is done for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import WEEKDAYS, Desk, Event, Order, Question, next_number
from assistant.turn.messages import ABSENT, COMMON_EVENTS
from assistant.turn.orders.line_parser import read_text
from assistant.turn.orders.verbs import book_of
from assistant.turn.questions import ORDERS, TAKEN_BACK, answer_of, standing, without_until
from assistant.turn.ruleset import Ruleset

# What a club says beside its orders: ``wait``, ``ready``, orders that stand until changed; rows of Questions out.
#
# ``wait`` asks the referee to wait for more of this club; ``ready`` says that no more comes, also where it orders
# nothing. Orders that stand are carried out in each phase for which the club has sent none.


READY = "ready"
"""The kind of the row in which a club says whether it is ready."""
WAIT = "wait"
_SAID = {"wait": WAIT, "aspetta": WAIT, "aspettate": WAIT, "attendi": WAIT, "attendere": WAIT,
         "ready": READY, "pronto": READY, "pronta": READY, "pronti": READY}
_ORDERS_WORDS = ("orders", "ordini")
_BETWEEN = "; "
STANDING_MARK = "-standing-"
"""What stands in the numbers of orders that were made of standing ones."""


def says(words: str) -> str:
    """``wait`` or ``ready`` where a line says nothing but that, in either language; else ""."""
    return _SAID.get(words.strip().rstrip(".!").casefold(), "")


def standing_order(words: str) -> str | None:
    """What an order says that shall stand, ``-`` where all are taken back; None for any line without ``until changed``.
    """
    plain, until = without_until(words)
    first, _, rest = plain.partition(" ")
    if first.casefold() in _ORDERS_WORDS:
        plain = rest.strip()
    return plain if until and plain else None


def row_of_words(words: str, record: type[Question], faction: str, when: tuple[str, str]) -> Question | None:
    """The row of a line that says ``wait``, ``ready`` or an order that shall stand; None for any other line.

    `when`: turn and phase of which the first two are said.
    """
    if said := says(words):
        turn, phase = when
        return record(question=record.named(turn, phase, READY, faction, ""), turn=turn, phase=phase, kind=READY,
                      to=faction, answer=said)
    line = standing_order(words)
    return None if line is None else record(question=record.standing_named(ORDERS, faction, ""), kind=ORDERS,
                                            to=faction, answer=line)


def with_line(said: str, line: str) -> str:
    """The standing orders of a club with one more; `line`: ``-`` takes all of them back."""
    if line == TAKEN_BACK or said in ("", TAKEN_BACK):
        return line
    known = said.split(_BETWEEN)
    return said if line in known else _BETWEEN.join([*known, line])


def said_in_phase(campaign: Campaign) -> dict[str, str]:
    """What clubs have said of the present phase: faction -> ``wait`` or ``ready``."""
    desk = campaign.desk
    rows = campaign.table(Question).of_turn(desk.turn, lambda row: row.kind == READY, parts=(desk.phase,))
    return {row.to: said for row in rows if (said := says(row.answer))}


def standing_lines(campaign: Campaign, faction: str) -> tuple[str, ...]:
    """The standing orders of a faction, a line each."""
    said = next((answer_of(row) for row in standing(campaign) if (row.kind, row.to) == (ORDERS, faction)), "")
    return tuple(line.strip() for line in said.split(";") if line.strip()) if said != TAKEN_BACK else ()


def standing_now(ruleset: Ruleset, campaign: Campaign, faction: str) -> tuple[str, ...]:
    """Those of a faction's standing orders that the present phase reads, or a later one of the turn out of the same
    orders, and those that nobody can read any more: these are refused, and so told. () where it takes no orders.
    """
    word, ids = ruleset.phase(campaign.desk.phase).orders, list(ruleset.phase_ids(campaign))
    if not word:
        return ()
    to_come = [ruleset.phase(one) for one in ids[ids.index(campaign.desk.phase):]]
    book, times = book_of(ruleset.verbs), {one.takes or word for one in to_come if one.orders == word}
    found = []
    for line in standing_lines(campaign, faction):
        verb = book.get(book.code(str(read_text(ruleset.understand, line, campaign, faction).fields.get("verb", ""))))
        if verb is None or times & set(verb.when):
            found.append(line)
    return tuple(found)


def as_orders(ruleset: Ruleset, campaign: Campaign, faction: str, lines: Iterable[str]) -> list[Order]:
    """Rows of Orders of the present phase, one for each standing order."""
    desk, record = campaign.desk, campaign.table(Order).record
    word = ruleset.phase(desk.phase).orders
    return [record(order=f"{desk.turn}-{word}-{faction}{STANDING_MARK}{number}", turn=desk.turn, phase=word,
                   faction=faction, seq=number, text=line) for number, line in enumerate(lines, 1)]


# Deadlines.


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


# What happens to whom.


Step = Literal["standing", "robot", "nothing"]


class Silent(NamedTuple):
    """A club of which something is due and nothing has come. `what`: ``orders`` or ``answers``; `standing`: its
    standing orders for the phase; `holiday`: it has announced that it is away; `deputy`: who is asked in its place;
    `until`: when its time is up, None where nobody has set it a time, or it is away and nobody is asked in its place.
    """

    faction: str
    what: Literal["orders", "answers"]
    standing: tuple[str, ...] = ()
    holiday: bool = False
    deputy: str = ""
    until: datetime | None = None

    @property
    def provided(self) -> bool:
        """Whether nobody needs to worry: its standing orders count, or it has announced that it is away."""
        return bool(self.standing) or self.holiday

    def in_time(self, now: datetime | None) -> bool:
        """Whether it may still send what is due, and is expected to."""
        return now is not None and self.until is not None and now < self.until and not self.standing


class Fate(NamedTuple):
    """What is done for a silent club, and why: ``silent`` or ``holiday``; `due`: when its time was up, in words that
    need no language.
    """

    faction: str
    step: Step
    what: str
    why: str
    due: str = ""
    standing: tuple[str, ...] = ()


def fates(silent: Iterable[Silent], policy: str, due: str = "") -> tuple[Fate, ...]:
    """What becomes of silent clubs: standing orders first, then the referee's policy (``robot``, ``nothing``; "": no
    more than ever). `due`: as of `Fate`.
    """
    found = []
    for one in silent:
        why = "holiday" if one.holiday else "silent"
        if one.standing:
            found.append(Fate(one.faction, "standing", one.what, why, due, one.standing))
        elif policy:
            found.append(Fate(one.faction, "robot" if policy == "robot" else "nothing", one.what, why, due))
    return tuple(found)


def event_of(one: Fate, desk: Desk, no: int) -> Event:
    """What tells a club of it: it alone and the referee may know. `desk`: where the campaign stands."""
    data = {"faction": one.faction, "step": one.step, "why": one.why, "what": one.what, "due": one.due}
    if one.standing:
        data["list"] = "; ".join(one.standing)
    return Event(no=no, turn=desk.turn, phase=desk.phase, audience=one.faction, event=ABSENT,
                 rule=COMMON_EVENTS[ABSENT].rule, data=data)


def tell_fates(campaign: Campaign, told: Iterable[Fate]) -> None:
    """Add the events of what is done in the present phase."""
    table = campaign.table(Event)
    for number, one in enumerate(told, next_number(table)):
        table.add(event_of(one, campaign.desk, number))


# Announced holidays.


_DAY = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})"
_SPAN = re.compile(rf"({_DAY})(?:\s*(?:\.\.+|-|–|—|to|until|a|al|fino al)\s*({_DAY}))?")
_BETWEEN_DAYS = re.compile(r"[\s,;]*")

Span = tuple[date, date]
"""The first and the last day."""


def spans(text: str) -> list[Span] | None:
    """The holidays that a text says: days, or two of them with ``..``, a dash or a word between; several with commas.

    Days are ``2026-12-24`` or ``24.12.2026``. None for what cannot be read as a whole.
    """
    found: list[Span] = []
    at = 0
    for match in _SPAN.finditer(text):
        if not _BETWEEN_DAYS.fullmatch(text, at, match.start()):
            return None
        try:
            first = _day(match[1])
            last = _day(match[2]) if match[2] else first
        except ValueError:
            return None
        if last < first:
            return None
        found.append((first, last))
        at = match.end()
    return found if _BETWEEN_DAYS.fullmatch(text, at) else None


def on_holiday(text: str, day: date) -> bool:
    """Whether a day is one of the holidays that a text says; what cannot be read is none."""
    return any(first <= day <= last for first, last in spans(text) or ())


def _day(text: str) -> date:
    """Raises ValueError for a day that no calendar has."""
    if "-" in text:
        year, month, day = text.split("-")
    else:
        day, month, year = re.split(r"[./]", text)
    return date(int(year), int(month), int(day))
