"""The resolved phases that led to a workbook, from the ledger: each with the campaign as it was before it.

What a phase made of the campaign is not kept anywhere: it is resolved again, with the same orders, answers
and dice. What differs between that and the campaign before the next phase is what people did in between.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.campaign.campaign import Campaign, Change, Set, changes
from assistant.campaign.records import Order, Question
from assistant.desk.play import ROBOT_MARK, Moment, now
from assistant.desk.session import Sitting
from assistant.desk.snapshots import campaign_of, with_records
from assistant.ledger import Ledger, Step
from assistant.turn import phases
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset


@dataclass
class Helped:
    """What the assistant itself gave to a phase: robots' orders, answers (name of the question -> text), for whom."""

    orders: list[Order] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    robots: set[str] = field(default_factory=set)


class Chain:
    """The line of resolved phases. Numbers count from 0; the workbook as it stands is behind the last."""

    def __init__(self, sitting: Sitting, ledger: Ledger) -> None:
        known = {step.id: step for step in ledger.steps()}
        self.steps: list[Step] = [known[n] for n in ledger.line if n in known and known[n].verb == "resolve"]
        self.moments = [Moment(step.turn, step.phase) for step in self.steps]
        self.ruleset = sitting.ruleset
        self.goal = now(sitting.campaign)
        self._sitting, self._ledger = sitting, ledger
        self.given = ledger.given()
        self._heads = _heads(list(known.values()))
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
            self._kept[number] = self._read(number)
        return self._kept[number]

    def _read(self, number: int) -> Campaign:
        step = self.steps[number].id
        head = self._heads[step]
        if self._book is None or self._book[0] != head:
            self._book = head, campaign_of(self._ledger.book(head), self._sitting.path.name, self._sitting.loader)
        records = self._ledger.records(step)
        return with_records(self._book[1], json.loads(records)) if records else self._book[1]

    def secret(self, campaign: Campaign) -> bytes:
        """The dice secret of the turn at which a campaign stands."""
        return self._ledger.turn_secret(campaign.desk.turn)

    def again(self, before: Campaign, later: Campaign) -> Outcome:
        """The phase that was resolved between two states, resolved again as it was."""
        helped = self.helped(before, later)
        work = with_orders_of(helped, before)
        outcome = phases.resolve(self.ruleset, work, self.secret(before), helped.answers)
        closing = self.ruleset.closing
        if closing and before.desk.phase != closing and now(outcome.campaign) != now(later):
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
        for key, order in later.table(Order).in_file_order():
            if ROBOT_MARK in key and (order.turn, order.phase) == (desk.turn, word) and key not in before.table(Order):
                fresh = order.copy()
                fresh.status = ""
                found.orders.append(fresh)
                found.robots.add(order.faction)
        for key, row in later.table(Question).in_file_order():
            old = before.table(Question).get(key)
            if (row.turn, row.phase) == (desk.turn, desk.phase) and key in self.given and row.answer.strip():
                if self.given[key] == "robot":
                    found.robots.add(row.to)
                if old is None or not old.answer.strip():
                    found.answers[row.question] = row.answer.strip()
        return found


def _heads(steps: list[Step]) -> Mapping[int, int]:
    """Each step -> the first one of its stroke, which holds the workbook's bytes."""
    heads: dict[int, int] = {}
    head = 0
    for step in steps:
        head = step.id if step.sha_before else head
        heads[step.id] = head
    return heads


def with_orders_of(helped: Helped, campaign: Campaign) -> Campaign:
    """The campaign with the orders that robots gave; the campaign itself when they gave none."""
    if not helped.orders:
        return campaign
    work = campaign.copy()
    for order in helped.orders:
        if order.order not in work.table(Order):
            work.table(Order).add(order.copy())
    return work


def ended_early(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign at the phase that closes it before its time."""
    early = campaign.copy()
    early.desk.phase = ruleset.closing
    return early


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
