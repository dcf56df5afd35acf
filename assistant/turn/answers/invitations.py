"""Questions that no phase waits for: what may be answered now in; reminders, and what the answers do, out.

Such a question is put again in each phase until it is answered or its deadline is over; until then its default holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from assistant.campaign.records import Question
from assistant.turn.answers.asking import Ask
from assistant.turn.answers.phase_questions import Answering


@dataclass(frozen=True)
class Invitation:
    """A question that stops nothing, as it is put in the present phase.

    `take`: what an answer does, given the run of the phase and the answer's value; None: the phase itself looks at it
    (`Answering.given_to`). `until`: the last phase that takes an answer, as (turn, phase). `quiet`: nobody is reminded,
    it only may be answered.
    """

    ask: Ask
    until: tuple[str, str] = ("", "")
    take: Callable[[Any, Any], None] | None = None
    quiet: bool = False


class Invited(NamedTuple):
    """An invitation and its row, as it would stand on the sheet Questions."""

    invitation: Invitation
    row: Question


def take_answers(game: Answering, invitations: Iterable[Invitation]) -> None:
    """Carry out what was answered, before the phase is played; an answer that cannot be taken comes to nothing."""
    for one in invitations:
        value = game.given_to(one.ask) if one.take is not None else None
        if one.take is not None and value is not None:
            one.take(game, value)


def unanswered(game: Answering, invitations: Iterable[Invitation]) -> list[Invited]:
    """Those to which nobody has typed an answer yet, with their rows."""
    return [Invited(one, game.row_of(one.ask)) for one in invitations if not game.has_answer(one.ask)]
