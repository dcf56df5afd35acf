"""What is new since a reader's last report, judged from that reader's views alone."""

from __future__ import annotations

from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Die, Event, FindingRow, Order
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.ruleset import Booking, Ruleset

R = TypeVar("R", bound=Record)
Moment = tuple[str, str]
FARTHEST = 500
"""So many phases without any event are looked through for the last that was resolved."""


def _moments(events: list[Event]) -> dict[Moment, None]:
    """The phases that were resolved, as events tell it; what the desk itself tells bears the phase to come."""
    return dict.fromkeys((e.turn, e.phase) for e in events if e.event not in COMMON_EVENTS)


def _without_outdone(events: list[Event], ruleset: Ruleset) -> list[Event]:
    """Events without those of which another tells more: the referee, and an ally, read what each side is told."""
    kinds = ruleset.events
    return [e for e in events if e.event not in kinds or not kinds[e.event].unless
            or not kinds[e.event].outdone(e, events)]


class Period:
    """The time between the last report and this one.

    `previous`: the same reader's view at the last report, which tells exactly what is new. Without it
    (the first report, or a ledger that is gone) `since_no` counts the events of the view that were told
    already; the others tell which phases are new, and rows of those phases count as new. It is a count
    and no event number, because a view may number its events anew.
    """

    def __init__(self, ruleset: Ruleset, view: Campaign, since_no: int, previous: Campaign | None = None) -> None:
        self._ruleset = ruleset
        self._previous = previous
        told = [event for _, event in view.table(Event).in_file_order()]
        known = since_no if previous is None else len(previous.table(Event))
        self.events = _without_outdone(told[known:], ruleset)
        self._before = _moments(told[:known])
        self.moments: list[Moment] = list(
            _moments(self.events) or dict.fromkeys((e.turn, e.phase) for e in self.events))
        self.last = self._last_resolved(view)
        self.findings = self._new_findings(view)
        self.dice = [d for d in view.table(Die) if d.audience and self._is_new(d, d.turn, d.phase)]
        self.orders = self._new_orders(view)

    @property
    def previous(self) -> Campaign | None:
        """The view at the last report, if there is one."""
        return self._previous

    def new_bookings(self, bookings: list[Booking], faction: str) -> list[Booking]:
        """The movements of money since the last report."""
        if self._previous is not None:
            return bookings[len(self._ruleset.bookings(self._previous, faction)):]
        return [b for b in bookings if (b.turn, b.phase) not in self._before]

    def _last_resolved(self, view: Campaign) -> list[Moment]:
        """The last phase before the Desk's present one; none where nothing is told or the book leads nowhere.

        Phases without events leave no other trace, so the book itself is walked on from the last event.
        """
        here = (view.desk.turn, view.desk.phase)
        known = self._ruleset.phase_ids(view)
        if not self.moments or self.moments[-1] == here or self.moments[-1][1] not in known:
            return []
        walk = view.copy()
        desk = walk.desk
        desk.turn, desk.phase = last = self.moments[-1]
        for _ in range(FARTHEST):
            if self._ruleset.is_over(walk):
                return []
            self._ruleset.advance(walk)
            if (desk.turn, desk.phase) == here:
                return [last]
            if (desk.turn, desk.phase) == last:
                return []
            last = desk.turn, desk.phase
        return []

    def _is_new(self, row: Any, turn: str, phase: str) -> bool:
        if self._previous is not None:
            old = self._previous.table(type(row)).get(row.ident)
            return old is None or not old.audience
        return (turn, phase) not in self._before

    def _new_findings(self, view: Campaign) -> list[FindingRow]:
        rows = view.table(FindingRow).in_file_order()
        if self._previous is not None:
            old = self._previous.table(FindingRow)
            return [row for key, row in rows if key not in old]
        known = [i for i, (_, row) in enumerate(rows) if (row.turn, row.phase) in self._before]
        return [row for _, row in rows[known[-1] + 1 if known else 0:]]

    def _new_orders(self, view: Campaign) -> list[Order]:
        judged = [o for o in view.table(Order) if o.status]
        if self._previous is not None:
            old = self._previous.table(Order)
            return [o for o in judged if (was := old.get(o.ident)) is None or not was.status]
        words = {(turn, self._word(phase)) for turn, phase in self._before}
        return [o for o in judged if (o.turn, o.phase) not in words]

    def _word(self, phase: str) -> str:
        try:
            return self._ruleset.phase(phase).orders
        except KeyError:
            return phase
