"""Checking is the phase itself, on a copy: its judged steps, without dice, without answers that nobody gave.

What rests on a die or an answer ends its step in silence; what was found before stays, and the next step goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction, Order
from assistant.turn.answers.invitations import Invitation, take_answers
from assistant.turn.findings import Finding
from assistant.turn.game import Game, Waiting
from assistant.turn.orders.reading import rows_of
from assistant.turn.orders.taking import admitted, judge_ahead, rows_of_phase
from assistant.turn.steps import Phase, Step
from assistant.turn.throws.dice import NotThrown
from assistant.turn.views import playable

OVER = "ARB-045"
GameOf = Callable[[Campaign, str], Game]
"""Makes the game of a phase, by its id, of a campaign: with shut dice, and the answers that were typed."""
Check = Callable[[Campaign], list[Finding]]
"""What *Check orders* finds in a campaign."""
AnOrder = TypeVar("AnOrder", bound=Order)


def judge_orders(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign,
                 invitations: Callable[[Game], list[Invitation]] = lambda game: []) -> list[Finding]:
    """Findings of the orders of the present phase, and of those that later phases read out of the same rows.

    `phases`: those of the turn from the present one on; the campaign is not changed. `invitations`: the questions that
    stop nothing, of which what was answered counts first.
    """
    work, found = playable(campaign), list[Finding]()
    word = phases[0].orders if phases else ""
    for phase in phases:
        if word and phase.orders == word:
            game = game_of(work, phase.id)
            with suppress(Waiting):
                take_answers(game, invitations(game))
            _keep(found, _judge(phase, game))
    return found


def judge_forms(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign) -> list[Finding]:
    """Findings of what is typed into the forms of battles, as the next phase that reads them will."""
    for phase in phases:
        forms = [step for step in phase.steps if step.judged == "forms"]
        if forms:
            game = game_of(playable(campaign), phases[0].id)
            board = phase.board(game)
            for step in forms:
                _quietly(step, board)
            return game.findings
    return []


def judge_later(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign) -> list[Finding]:
    """Findings of the orders that phases to come of this turn read: what nothing until then will put right.

    `phases`: as in `judge_orders`; those of the present phase's own word are judged there.
    """
    work, found = playable(campaign), list[Finding]()
    for phase in phases[1:]:
        if phase.orders and phase.orders != phases[0].orders:
            game = game_of(work, phase.id)
            board = phase.board(game)
            judge_ahead(board, admitted(board, rows_of_phase(board)))
            _keep(found, game.findings)
    return found


def late_rows(past: Sequence[Phase], to_come: Sequence[Phase], game: Game) -> list[Finding]:
    """Warnings for open rows of this turn whose verbs are read only by phases that are over, while others of the same
    word are still to come.
    """
    found = []
    for word in dict.fromkeys(phase.orders for phase in to_come if phase.orders):
        read = {phase.takes or word: phase.id for phase in past if phase.orders == word}
        for request in rows_of(game.orders, game.campaign, word, game.reads):
            when = game.orders[request.verb].when if request.verb else ()
            gone = next((read[time] for time in when if time in read), "")
            if gone and not any((phase.takes or word) in when for phase in to_come if phase.orders == word):
                found.append(Finding(OVER, "warning", request.where(""), {"when": f"{game.turn} {gone}"},
                                     request.faction))
    return found


def unrefused(campaign: Campaign, rows: Iterable[AnOrder], check: Check) -> list[AnOrder]:
    """New rows of Orders, as an absent club's robot proposes them, without those that the checks refuse."""
    work = campaign.copy()
    table = work.table(Order)
    kept = [row for row in rows if row.order not in table]
    for row in kept:
        table.add(row.copy())
    refused = {found.where.row for found in check(work) if found.stops and found.where.table == Order.sheet}
    return [row for row in kept if row.order not in refused]


def _judge(phase: Phase, game: Game) -> list[Finding]:
    board = phase.board(game)
    for step in phase.steps:
        if step.judged == "together":
            _quietly(step, board)
        elif step.judged == "alone":
            for faction in [row.faction for row in game.campaign.table(Faction) if row.role not in CLUBLESS]:
                alone = board.alone(faction)
                if alone is not None:
                    _quietly(step, alone)
                    _keep(game.findings, alone.game.findings)
    return game.findings


def _quietly(step: Step, board: Any) -> None:
    with suppress(Waiting, NotThrown):
        step.run(board)


def _keep(found: list[Finding], more: Iterable[Finding]) -> None:
    found += [finding for finding in more if finding not in found]
