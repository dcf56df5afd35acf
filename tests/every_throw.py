"""A phase with every throw typed in turn: the chances counted on the fingers, beside those that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import product
from typing import TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from assistant.turn.chances import chances
from assistant.turn.game import Game
from assistant.turn.phases import resolve, typed_dice
from assistant.turn.ruleset import Ruleset

H = TypeVar("H", bound=Hashable)
Question = Callable[[Campaign], H]


def counted(ruleset: Ruleset, campaign: Campaign, dice: Mapping[str, int], question: Question[H]) -> dict[H, Fraction]:
    """What the present phase comes to, resolved once for all faces of single dice: purpose -> sides."""
    found: dict[H, Fraction] = {}
    for faces in product(*(range(1, sides + 1) for sides in dice.values())):
        work = campaign.copy()
        table, desk = work.table(Die), work.desk
        for (key, sides), face in zip(dice.items(), faces, strict=True):
            old = table.get(table.record(key=key, turn=desk.turn, phase=desk.phase).ident)
            if old is not None:
                table.remove(old.ident)
            table.add(table.record(key=key, turn=desk.turn, phase=desk.phase, dice=f"1d{sides}", value=str(face)))
        outcome = resolve(ruleset, work, bytes(32))
        assert outcome.done, outcome.findings
        found[question(outcome.campaign)] = found.get(question(outcome.campaign), Fraction(0)) + 1
    ways = sum(found.values())
    return {answer: n / ways for answer, n in found.items()}


def asked(ruleset: Ruleset, campaign: Campaign, question: Question[H], *, typed: bool = False) -> dict[H, Fraction]:
    """What the present phase comes to, by the questions that its rules ask; `typed`: with the dice of the table."""
    def fresh(dice: object) -> Game:
        return ruleset.game(campaign.copy(), dice=dice)  # type: ignore[arg-type]

    return chances(ruleset.phase(campaign.desk.phase).play, lambda game: question(game.campaign), fresh,
                   typed=typed_dice(campaign) if typed else None)
