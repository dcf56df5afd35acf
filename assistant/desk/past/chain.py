"""The resolved phases that led to a workbook: the ledger in; each phase with the campaign as it was before it out.

What a phase made of the campaign is not kept anywhere: it is resolved again, with the same orders, answers
and dice. What differs between that and the campaign before the next phase is what people did in between.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from assistant.campaign.campaign import Campaign, Change, Set, changes
from assistant.campaign.records import Event, Order, Question, next_number
from assistant.desk.past.differences import with_records
from assistant.desk.past.snapshots import campaign_before
from assistant.desk.playing.defaults import with_earlier_defaults
from assistant.desk.playing.play import GIVEN_MARKS, ROBOT_MARK, Moment, now
from assistant.desk.playing.roll_call import own_orders
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.watch.edits import Edit
from assistant.desk.watch.fingerprints import printed
from assistant.desk.watch.kept_campaigns import KeptCampaigns
from assistant.desk.watch.watching import Watch, edits_then
from assistant.ledger import TAKEN, Ledger, Maker, Step, maker_of
from assistant.turn import phases
from assistant.turn.absence.club_words import STANDING_MARK
from assistant.turn.messages.house import ABSENT
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset


@dataclass
class Helped:
    """What the assistant itself gave to a phase: robots' orders and standing ones, answers (name of the question ->
    text), for whom, and what clubs that were silent were told.
    """

    orders: list[Order] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    robots: set[str] = field(default_factory=set)


class Chain:
    """The line of resolved phases. Numbers count from 0; the workbook as it stands is behind the last."""

    def __init__(self, sitting: Sitting, ledger: Ledger, watched: Watch) -> None:
        """`watched`: what was changed by hand in the workbook as it stands."""
        self._all = ledger.steps()
        known = {step.id: step for step in self._all}
        self.steps: list[Step] = [known[n] for n in ledger.line if n in known and known[n].verb == "resolve"]
        self.moments = [Moment(step.turn, step.phase) for step in self.steps]
        self.ruleset = sitting.ruleset
        self.goal = now(sitting.campaign)
        self._sitting, self._ledger, self._watched = sitting, ledger, watched
        self.given = ledger.given()
        self._maker, self._makers = maker_of(sitting.ruleset), ledger.makers()
        self._found = KeptCampaigns(ledger, {record.sheet: record for record in sitting.ruleset.records})
        self._book: tuple[int, Campaign] | None = None
        self._kept: dict[int, Campaign] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def before(self, number: int) -> Campaign:
        """The campaign before a phase, or, behind the last one, as it stands in the workbook. Not to be changed.

        Raises `BookError`, `LedgerTrouble`, OSError.
        """
        if number == len(self.steps):
            return self._sitting.campaign
        if number not in self._kept:
            self._kept = {n: kept for n, kept in self._kept.items() if abs(n - number) == 1}
            self._kept[number] = with_earlier_defaults(self.ruleset, self._read(number), self._sitting.began)
        return self._kept[number]

    def _read(self, number: int) -> Campaign:
        """The campaign before a phase as it stood on the sheets."""
        step = self.steps[number].id
        head = self._ledger.head(step)
        if self._book is None or self._book[0] != head:
            self._book = head, campaign_before(self._ledger, head, self._sitting.path.name, self._sitting.loader,
                                               self._found)
        records = self._ledger.records(step)
        return with_records(self._book[1], json.loads(records)) if records else self._book[1]

    def by(self, number: int) -> Maker | None:
        """Who resolved a phase where it was not the code that runs now; None where it was."""
        maker = self._makers[self.steps[number].id]
        return None if maker == self._maker else maker

    def unproved_after(self, number: int) -> bool:
        """Whether the workbook was taken as it stood between a phase and the next one, or its present state: what the
        phase made of it is not known.
        """
        first = self.steps[number].id
        last = self.steps[number + 1].id if number + 1 < len(self.steps) else self._all[-1].id + 1
        return any(first < step.id < last and step.verb == TAKEN for step in self._all)

    def touched_after(self, number: int) -> list[Edit] | None:
        """What was changed by hand between a phase and the next one, or the workbook as it stands, and not decided on.

        None where the ledger does not know what Arbitro had written by then. Raises what `before` raises.
        """
        if number + 1 == len(self.steps):
            as_left = self._ledger.left_since(self._all[-1].id) == self._sitting.reading.sha256 != ""
            return list(self._watched.edits) if self._watched.known else [] if as_left else None
        later = self.steps[number + 1]
        if not later.sha_before or self._ledger.left_since(self.steps[number].id, later.id):
            return []  # one writing, or a file that nobody else wrote: there was no moment for it
        manifest, found = self._ledger.manifest_before(later.id), self._read(number + 1)
        return edits_then(self._ledger, manifest, printed(found), found) if manifest else None

    def secret(self, campaign: Campaign) -> bytes:
        """The dice secret of the turn at which a campaign stands."""
        return self._ledger.turn_secret(campaign.desk.turn)

    def again(self, before: Campaign, later: Campaign) -> Outcome:
        """The phase that was resolved between two states, resolved again as it was."""
        helped = self.helped(before, later)
        work = with_orders_of(helped, before)
        outcome = phases.resolve(self.ruleset, work, self.secret(before), helped.answers)
        closing = self.ruleset.closing
        if closing and (now(outcome.campaign) != now(later) or _tells_of(closing, before, later)):
            early = ended_early(self.ruleset, work)
            ended = phases.resolve(self.ruleset, early, self.secret(before), helped.answers)
            if now(ended.campaign) == now(later):
                return ended
        return outcome

    def helped(self, before: Campaign, later: Campaign) -> Helped:
        """What robots and defaults added to the phase between two states."""
        desk = before.desk
        word = self.ruleset.phase(desk.phase).orders
        found = Helped()
        for order in later.table(Order).of_turn(desk.turn):
            key = order.ident
            given = any(mark in key for mark in GIVEN_MARKS)
            if given and (order.turn, order.phase) == (desk.turn, word) and key not in before.table(Order):
                found.orders.append(_unjudged(order))
                found.robots.update([order.faction] if ROBOT_MARK in key else [])
        known = before.table(Event)
        found.told = [event.copy() for key, event in later.table(Event).beside(known)
                      if key not in known and event.event == ABSENT
                      and (event.turn, event.phase) == (desk.turn, desk.phase)]
        for row in later.table(Question).of_turn(desk.turn):
            key = row.ident
            old = before.table(Question).get(key)
            if (row.turn, row.phase) == (desk.turn, desk.phase) and key in self.given and row.answer.strip():
                if self.given[key] == "robot":
                    found.robots.add(row.to)
                if old is None or not old.answer.strip():
                    found.answers[row.question] = row.answer.strip()
        return found


def _unjudged(order: Order) -> Order:
    fresh = order.copy()
    fresh.status = ""
    return fresh


def with_orders_of(helped: Helped, campaign: Campaign) -> Campaign:
    """The campaign with the orders that robots gave, standing ones, and what silent clubs were told; the campaign
    itself where there was nothing. Whose own orders a correction has added was not silent.
    """
    if not helped.orders and not helped.told:
        return campaign
    work = campaign.copy()
    sent = {code for order in helped.orders if STANDING_MARK in order.order
            for code in own_orders(work, order.turn, order.phase)}
    told = [event for event in helped.told if event.audience not in sent]
    for number, event in enumerate(told, next_number(work.table(Event))):
        fresh = event.copy()
        fresh.no = number
        work.table(Event).add(fresh)
    for order in helped.orders:
        late = STANDING_MARK in order.order and order.faction in sent
        if order.order not in work.table(Order) and not late:
            work.table(Order).add(order.copy())
    return work


def ended_early(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign at the phase that closes it before its time."""
    early = campaign.copy()
    early.desk.phase = ruleset.closing
    return early


def _tells_of(phase: str, before: Campaign, later: Campaign) -> bool:
    """Whether the phase between two states told events of this one, which is not the one that came next."""
    known = before.table(Event)
    return before.desk.phase != phase and any(
        event.phase == phase and event.turn == before.desk.turn for key, event in later.table(Event).beside(known)
        if key not in known)


def done_between(made: Campaign, found: Campaign) -> list[Change]:
    """What people did between two phases: what the first one made, against what the next one found.

    Values that look the same on a sheet are the same (a blank cell, however it is held).
    """
    seen: list[Change] = []
    for change in changes(made, found):
        if isinstance(change, Set):
            kind = found.by_sheet(change.sheet).record.column(change.field).kind
            if kind.show(change.old) == kind.show(change.new):
                continue
        seen.append(change)
    return seen
