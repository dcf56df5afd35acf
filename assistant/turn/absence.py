"""Deadlines, holidays, silent factions, and what is done for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import WEEKDAYS, Desk, Event, InboxRow, Order, Question, next_number
from assistant.turn.messages import ABSENT, COMMON_EVENTS
from assistant.turn.orders.reader import read_text
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.questions import ORDERS, TAKEN_BACK, standing_rows, standing_text, strip_until
from assistant.turn.ruleset import Ruleset

# What a club says beside its orders.
#
# ``wait`` asks the referee to wait for more from this club; ``ready`` says that nothing more will come, even from a
# club that has ordered nothing. Standing orders are carried out in each phase for which the club has sent none.


READY = "ready"
"""The kind of the row in which a club says whether it is ready."""
WAIT = "wait"
_READINESS_WORDS = {"wait": WAIT, "aspetta": WAIT, "aspettate": WAIT, "attendi": WAIT, "attendere": WAIT,
         "ready": READY, "pronto": READY, "pronta": READY, "pronti": READY}
_ORDERS_WORDS = ("orders", "ordini")
_BETWEEN = "; "
STANDING_MARK = "-standing-"
"""Part of the number of every order that was made from a standing order."""


def readiness_word(words: str) -> str:
    """``wait`` or ``ready`` if a line says only that, in either language; else ""."""
    return _READINESS_WORDS.get(words.strip().rstrip(".!").casefold(), "")


def parse_standing_order(words: str) -> str | None:
    """The text of a standing order, ``-`` to take all of them back; None for a line without ``until changed``."""
    plain, until = strip_until(words)
    first, _, rest = plain.partition(" ")
    if first.casefold() in _ORDERS_WORDS:
        plain = rest.strip()
    return plain if until and plain else None


def parse_club_line(words: str, record: type[Question], faction: str, when: tuple[str, str]) -> Question | None:
    """The Questions row for a line with ``wait``, ``ready`` or a standing order; None for any other line.

    `when`: the turn and phase to which ``wait`` and ``ready`` apply.
    """
    if answer := readiness_word(words):
        turn, phase = when
        return record(question=record.name_for(turn, phase, READY, faction, ""), turn=turn, phase=phase, kind=READY,
                      to=faction, answer=answer)
    line = parse_standing_order(words)
    return None if line is None else record(question=record.standing_name(ORDERS, faction, ""), kind=ORDERS,
                                            to=faction, answer=line)


def add_standing_order(orders: str, line: str) -> str:
    """A club's standing orders with one more added; the `line` ``-`` takes all of them back."""
    if line == TAKEN_BACK or orders in ("", TAKEN_BACK):
        return line
    known = orders.split(_BETWEEN)
    return orders if line in known else _BETWEEN.join([*known, line])


def readiness_by_faction(campaign: Campaign) -> dict[str, str]:
    """What clubs have said about the present phase: faction -> ``wait`` or ``ready``."""
    desk = campaign.desk
    rows = campaign.table(Question).of_turn(desk.turn, lambda row: row.kind == READY, parts=(desk.phase,))
    return {row.to: answer for row in rows if (answer := readiness_word(row.answer))}


def waiting_mail(campaign: Campaign) -> list[InboxRow]:
    """What came in the present turn with a right code and waits for the referee's decision, the earliest first."""
    turn = campaign.desk.turn
    return [row for row in campaign.table(InboxRow) if row.waits and row.turn == turn] if campaign.has(
        InboxRow.sheet) else []


def standing_orders_of(campaign: Campaign, faction: str) -> tuple[str, ...]:
    """A faction's standing orders, one line each."""
    text = next((standing_text(row) for row in standing_rows(campaign) if (row.kind, row.to) == (ORDERS, faction)), "")
    return tuple(line.strip() for line in text.split(";") if line.strip()) if text != TAKEN_BACK else ()


def current_standing_orders(ruleset: Ruleset, campaign: Campaign, faction: str) -> tuple[str, ...]:
    """The standing orders of a faction that apply to the present phase; () if the phase takes no orders.

    Included are those that a later phase of the turn reads from the same rows, and those that can no longer be read:
    they are refused in the usual way, so that the club hears of them.
    """
    word, ids = ruleset.phase(campaign.desk.phase).orders, list(ruleset.phase_ids(campaign))
    if not word:
        return ()
    to_come = [ruleset.phase(phase_id) for phase_id in ids[ids.index(campaign.desk.phase):]]
    book, times = as_order_book(ruleset.verbs), {phase.takes or word for phase in to_come if phase.orders == word}
    lines = []
    for line in standing_orders_of(campaign, faction):
        verb = book.get(book.code(str(read_text(ruleset.read, line, campaign, faction).fields.get("verb", ""))))
        if verb is None or times & set(verb.when):
            lines.append(line)
    return tuple(lines)


def standing_order_rows(ruleset: Ruleset, campaign: Campaign, faction: str, lines: Iterable[str]) -> list[Order]:
    """Rows of Orders of the present phase, one for each standing order."""
    desk, record = campaign.desk, campaign.table(Order).record
    word = ruleset.phase(desk.phase).orders
    return [record(order=f"{desk.turn}-{word}-{faction}{STANDING_MARK}{number}", turn=desk.turn, phase=word,
                   faction=faction, seq=number, text=line) for number, line in enumerate(lines, 1)]


# Deadlines.


USUAL_HOUR = 20
WAIT_AFTER_LAST_INPUT = timedelta(minutes=30)
"""How long to wait after the last input, so that a club can still correct a slip."""


class Timetable(NamedTuple):
    """The weekly deadline: weekday (0 is Monday), hour and time zone. What arrives within `grace` still counts."""

    weekday: int
    hour: int
    zone: tzinfo
    grace: timedelta = timedelta()

    def next_after(self, moment: datetime) -> datetime:
        """The first weekly deadline after a moment, in UTC, whatever has happened before.

        When the clocks change, an hour that is skipped is taken as in winter time, and of one that comes twice the
        first counts.
        """
        day = moment.astimezone(self.zone).date()
        day += timedelta(days=(self.weekday - day.weekday()) % 7)
        due = self._on(day)
        return due if due > moment else self._on(day + timedelta(days=7))

    def _on(self, day: date) -> datetime:
        return datetime.combine(day, time(self.hour), self.zone).astimezone(UTC)

    def ends(self, due: datetime) -> datetime:
        """The end of the grace period of a deadline."""
        return due + self.grace


def timetable_of(desk: Desk) -> Timetable | None:
    """The deadlines that the Desk sets; None if it sets none or names an unknown time zone."""
    zone = zone_of(desk)
    if not desk.due_day or zone is None:
        return None
    hour = USUAL_HOUR if desk.due_hour is None else desk.due_hour
    return Timetable(list(WEEKDAYS).index(desk.due_day), hour, zone, timedelta(hours=desk.grace or 0))


def earliest_ready_time(desk: Desk, moment: datetime) -> datetime:
    """The moment itself, or the Desk's ``not_before`` hour of that day if that is later."""
    zone = zone_of(desk)
    if desk.not_before is None or zone is None or moment.astimezone(zone).hour >= desk.not_before:
        return moment
    return datetime.combine(moment.astimezone(zone).date(), time(desk.not_before), zone).astimezone(UTC)


def zone_of(desk: Desk) -> tzinfo | None:
    """The Desk's time zone, UTC if it names none; None for an unknown one."""
    if not desk.due_zone:
        return UTC

    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(desk.due_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a name that is a path, or a folder of zones
        return None


def next_deadline(table: Timetable, now: datetime, was: datetime | None, *, counted: bool) -> datetime:
    """The deadline that applies from now on.

    `was`: the one until now, None if there was none; `counted`: what was due by it has been counted, so the next one
    begins. Resolving a phase early does not bring the next deadline nearer, and resolving it late does not delay it.
    """
    if was is None:
        return table.next_after(now)
    if counted:
        return table.next_after(max(now, was))
    return was if was > now else table.next_after(now)


# Silent clubs and what is done for them.


AbsenceStep = Literal["standing", "robot", "nothing"]


class SilentClub(NamedTuple):
    """A club that owes something and has sent nothing.

    `what`: ``orders`` or ``answers``; `standing`: its standing orders for the phase; `holiday`: it has announced that
    it is away; `deputy`: who is asked in its place; `until`: when its time is up, None if there is no deadline, or if
    it is away without a deputy.
    """

    faction: str
    what: Literal["orders", "answers"]
    standing: tuple[str, ...] = ()
    holiday: bool = False
    deputy: str = ""
    until: datetime | None = None

    @property
    def provided(self) -> bool:
        """Whether its silence is covered: it has standing orders, or has announced that it is away."""
        return bool(self.standing) or self.holiday

    def in_time(self, now: datetime | None) -> bool:
        """Whether it still has time to send what is due and is expected to do so."""
        return now is not None and self.until is not None and now < self.until and not self.standing


class AbsenceAction(NamedTuple):
    """What is done for a silent club. `why`: ``silent`` or ``holiday``; `due`: its deadline as text without words of
    any language.
    """

    faction: str
    step: AbsenceStep
    what: str
    why: str
    due: str = ""
    standing: tuple[str, ...] = ()


def absence_actions(silent: Iterable[SilentClub], policy: str, due: str = "") -> tuple[AbsenceAction, ...]:
    """What to do for silent clubs: standing orders first, then the referee's policy (``robot`` or ``nothing``; "" adds
    nothing). `due`: the deadline, as in the actions.
    """
    actions = []
    for club in silent:
        why = "holiday" if club.holiday else "silent"
        if club.standing:
            actions.append(AbsenceAction(club.faction, "standing", club.what, why, due, club.standing))
        elif policy:
            actions.append(AbsenceAction(club.faction, "robot" if policy == "robot"
                                         else "nothing", club.what, why, due))
    return tuple(actions)


def absence_event(action: AbsenceAction, desk: Desk, no: int) -> Event:
    """The event that tells a club what was done for it; only that club and the referee see it."""
    data = {"faction": action.faction, "step": action.step, "why": action.why, "what": action.what, "due": action.due}
    if action.standing:
        data["list"] = "; ".join(action.standing)
    return Event(no=no, turn=desk.turn, phase=desk.phase, audience=action.faction, event=ABSENT,
                 rule=COMMON_EVENTS[ABSENT].rule, data=data)


def add_absence_events(campaign: Campaign, told: Iterable[AbsenceAction]) -> None:
    """Record as events what is done for silent clubs in the present phase."""
    table = campaign.table(Event)
    for number, action in enumerate(told, next_number(table)):
        table.add(absence_event(action, campaign.desk, number))


# Announced holidays.


_DAY = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})"
_SPAN = rf"({_DAY})(?:\s*(?:\.\.+|-|–|—|to|until|a|al|fino al)\s*({_DAY}))?"
_BETWEEN_DAYS = re.compile(r"[\s,;]*")

Span = tuple[date, date]
"""The first and the last day."""


def parse_holidays(text: str) -> list[Span] | None:
    """The holidays in a text: days, or first and last day with ``..``, a dash or a word between; commas separate them.

    Days are written ``2026-12-24`` or ``24.12.2026``. None unless the whole text can be read.
    """
    spans: list[Span] = []
    at = 0
    for match in re.finditer(_SPAN, text):
        if not _BETWEEN_DAYS.fullmatch(text, at, match.start()):
            return None
        try:
            first = _parse_date(match[1])
            last = _parse_date(match[2]) if match[2] else first
        except ValueError:
            return None
        if last < first:
            return None
        spans.append((first, last))
        at = match.end()
    return spans if _BETWEEN_DAYS.fullmatch(text, at) else None


def on_holiday(text: str, day: date) -> bool:
    """Whether a day falls into the holidays in a text; a text that cannot be read has none."""
    return any(first <= day <= last for first, last in parse_holidays(text) or ())


def _parse_date(text: str) -> date:
    """Raises ValueError for a date that does not exist."""
    # with dashes the year comes first, else the day, as Italians write it
    if "-" in text:
        year, month, day = text.split("-")
    else:
        day, month, year = re.split(r"[./]", text)
    return date(int(year), int(month), int(day))
