"""What follows of a faction's orders if nobody interferes: its phases to come, tried on its own view.

The phases that take its orders are run one after the other on a playable copy of the view, as *check* runs them, but
each goes on from where the one before has left the pieces. What needs a die or an answer is where the rehearsal ends:
nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Battle, Event, Order
from assistant.campaign.tables import touched_name
from assistant.turn.answers import Invitation, take_answers
from assistant.turn.dice import NotThrown
from assistant.turn.event_types import codes_in
from assistant.turn.findings import Finding, Later
from assistant.turn.game import Game, Phase, Spent
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import GameOf, as_remark, price
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.questions import Waiting
from assistant.turn.views import ADDRESSED, playable

STANDING = ("", "accepted")
"""The statuses of orders that are not refused."""


class Expense(NamedTuple):
    """What orders take out of a chest together. `have`: what is in it; both as they are shown. `unit`: as of `Chest`;
    `of`: whose chest it is, if not the faction's own.
    """

    cost: Any
    have: Any
    unit: str = ""
    of: str = ""


class Rehearsal(NamedTuple):
    """How far the phases ran, and what came of it.

    `before`, `after`: the view; `statuses`: of the faction's orders of that turn, number -> status, "" for one that was
    not reached; `findings`: at the orders that were reached; `open_at`: the phase that a die, an answer or a battle
    decides, "" where none does; `expenses`: of the orders that are not refused; `unforeseen`: orders that count, and of
    which a view tells nothing more.
    """

    before: Campaign
    after: Campaign
    statuses: Mapping[str, str]
    findings: tuple[Finding, ...] = ()
    open_at: str = ""
    expenses: tuple[Expense, ...] = ()
    unforeseen: tuple[str, ...] = ()

    def events(self, faction: str) -> list[Event]:
        """What would happen to the faction's own rows, and to nobody else's."""
        known = len(self.before.table(Event))
        orders = self.after.table(Order)
        return [event for _, event in list(self.after.table(Event).in_file_order())[known:]
                if (event.audience == ALL or faction in event.audience.split())
                and str(event.data.get("order", "")) not in orders  # what became of an order is told with the order
                and (self._owners(event) in ({faction}, {faction, ""}) or (
                    not event.touched and event.audience == faction))]

    def _owners(self, event: Event) -> set[str]:
        """Whose the rows are that an event touches; of one that touches none, those that it names."""
        rows = (campaign.by_sheet(sheet).get(key) for campaign in (self.before, self.after)
                for sheet, record in campaign.records().items() if not issubclass(record, ADDRESSED)
                for key in _keys_in(event, sheet))
        return {str(getattr(row, "faction", "")) for row in rows if row is not None}


def _keys_in(event: Event, sheet: str) -> list[str]:
    """The keys on a sheet that an event touches; of an event that touches none, those that it names."""
    if event.touched:
        start = touched_name(sheet, "")
        return [name.removeprefix(start) for name in event.touched.split() if name.startswith(start)]
    return [code for value in event.data.values() if isinstance(value, str) for code in codes_in(value)]


def rehearse(phases: Sequence[Phase], turn: str, game_of: GameOf, view: Campaign, faction: str,
             invitations: Callable[[Game], list[Invitation]], certain: Container[str] = ()) -> Rehearsal:
    """Run the phases that take a faction's open orders of a turn, as far as they run without a die or an answer.

    `phases`: of that turn, in the order of play, from the next one on; `certain`: as of `taking.judge_coming`.
    """
    work, here = playable(view), (view.desk.turn, view.desk.phase)
    work.desk.turn = turn
    before, battles, open_at, findings = work.copy(), set(work.table(Battle).keys()), "", list[Finding]()
    unforeseen = list[str]()
    for phase in phases:
        work.desk.phase = phase.id
        game = game_of(work, phase.id)
        requests = _requests(game, faction)
        if not requests:
            continue
        known = len(work.table(Event))
        whole = _run(phase, game, invitations)
        findings += [one if here == (turn, phase.id) else as_remark(one, Later(turn, phase.id, one.code in certain))
                     for one in game.findings if one.where.table == Order.sheet]
        if not any(request.row.status in STANDING for request in requests):
            continue  # what its dice decide is nothing to the faction
        if not whole or set(work.table(Battle).keys()) != battles:
            open_at = phase.id
            break
        if len(work.table(Event)) == known and not _goes_on(phase):
            unforeseen += [request.row.order for request in requests if request.row.status == "accepted"]
    statuses = {row.order: row.status for row in work.table(Order).of_turn(turn) if row.faction == faction}
    return Rehearsal(before, work, statuses, tuple(findings), open_at,
                     tuple(_expenses(phases, game_of, before, faction, statuses)), tuple(unforeseen))


def _requests(game: Game, faction: str) -> list[Request]:
    """The open orders of a faction that a phase takes."""
    rows = game.campaign.table(Order).of_turn(game.turn, lambda row: row.faction == faction and not row.status and (
        row.phase.lower() == game.orders_word)) if game.orders_word else []
    requests = [read_row(game.orders, game.campaign, row, game.reads) for row in rows]
    return [request for request in requests if request.verb and game.takes in game.orders[request.verb].when]


def _goes_on(phase: Phase) -> bool:
    """Whether a view can run all that carries out the orders of a phase."""
    return any(step.follows for step in phase.steps) or all(step.judged for step in phase.steps)


def _run(phase: Phase, game: Game, invitations: Callable[[Game], list[Invitation]]) -> bool:
    """Run the steps of a phase that a view allows; whether none of them needed a die or an answer."""
    with suppress(Waiting):
        take_answers(game, invitations(game))
    game.campaign.note_changes()
    board = phase.board(game)
    for step in phase.steps:
        if step.judged == "together" or step.follows:
            try:
                step.run(board)
            except (Waiting, NotThrown):
                return False
    return True


# What orders cost together.


def _expenses(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign, faction: str,
              statuses: Mapping[str, str]) -> Iterator[Expense]:
    """What a faction's orders cost, chest by chest; those that are refused cost nothing."""
    for phase in phases:
        work = campaign.copy()
        work.desk.phase = phase.id
        game = game_of(work, phase.id)
        requests = [request for request in _requests(game, faction) if statuses.get(request.row.order) in STANDING]
        if not requests:
            continue
        board = phase.board(game)
        yield from _purse_expenses(game.orders, board, requests)
        for chest in phase.chests(board, faction) if phase.chests is not None and game.orders.purse is None else ():
            cost = sum(_spent(spent, request) for spent in chest.spent for request in requests)
            if cost > 0:
                yield Expense(_parts(cost, chest.parts), _parts(chest.have, chest.parts), chest.unit, chest.of)


def _purse_expenses(book: OrderBook, board: Any, requests: Sequence[Request]) -> Iterator[Expense]:
    """What verbs cost by what they declare, purse by purse."""
    costs: dict[str, int] = {}
    for request in requests if book.purse is not None else ():
        with suppress(Refused):
            whose = book.purse.whose(board, request) if book.purse is not None else ""
            costs[whose] = costs.get(whose, 0) + price(board, request)
    for whose, cost in costs.items():
        if cost > 0 and book.purse is not None:
            yield Expense(book.purse.shown(cost), book.purse.shown(book.purse.left(board, whose)), book.purse.unit,
                          "" if whose in {request.faction for request in requests} else whose)


def _spent(spent: Spent, request: Request) -> int:
    """What a row takes out of a chest."""
    if request.verb != spent.verb or any(str(getattr(request, name, "")) != word for name, word in spent.where):
        return 0
    times = str(getattr(request, spent.times, "")) if spent.times else "1"
    if spent.letters:
        men = [re.fullmatch(r"([A-Z])(\d+)", word) for word in times.upper().split()]
        each = dict(spent.letters)
        return sum(each.get(match[1], 0) * int(match[2]) for match in men if match) if all(men) else 0
    return spent.each * int(times) if times.isdecimal() else 0


def _parts(amount: int, parts: int) -> int | float:
    return amount // parts if amount % parts == 0 else amount / parts
