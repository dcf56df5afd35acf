"""Reorganisation: the day's orders for groups, garrisons and escorts, kind by kind (rulebook: Reorganisation)."""

from __future__ import annotations

from assistant.rulesets.anarchy.morning.counting_men import count_men
from assistant.rulesets.anarchy.morning.escorts import escort
from assistant.rulesets.anarchy.morning.garrisons import garrison, refill, warn_of_weak
from assistant.rulesets.anarchy.morning.regrouping import attach, collect, detach, merge, pay, posture, split, transfer
from assistant.rulesets.anarchy.orders.taking import count_money, take
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.orders.taking import carry_all

SEQUENCE = (posture, collect, split, transfer, merge, garrison, attach, detach, pay, escort)
"""Which orders come first, whoever gives them."""


def reorganise(f: Field) -> None:
    """The rows that purses and groups can bear, in the sequence of its page; castles are filled up on the way."""
    requests = count_men(f, count_money(f, take(f)))
    for verb in SEQUENCE:
        carry_all(f, requests, verb)
        if verb is garrison:
            refill(f)
            if not f.game.dice.shut:  # before the phase nobody asks for that
                warn_of_weak(f)
