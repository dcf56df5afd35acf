"""The day's orders as they would be taken from the present phase on (digest, section 4): nobody marches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from assistant.rulesets.anarchy.closing import give_up
from assistant.rulesets.anarchy.convoys import carry
from assistant.rulesets.anarchy.counting_men import count_men
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.movement import entries
from assistant.rulesets.anarchy.orders import carry_out, count_money, own_requests, take
from assistant.rulesets.anarchy.provisions import idle, supply_orders
from assistant.rulesets.anarchy.ransoms import ransom
from assistant.rulesets.anarchy.reading_moves import sort_orders
from assistant.rulesets.anarchy.reorganise import DEEDS
from assistant.rulesets.anarchy.verbs import PHASE_VERBS
from assistant.turn.findings import Finding
from assistant.turn.game import Game, Waiting

STEPS = ("provisions", "reorganise", "ransoms", "convoys", "movement", "close")


def check_day(game: Game) -> list[Finding]:
    """Findings of all orders of the day that are still to be read. The campaign handed in is changed."""
    f = Field(game)
    checkers: dict[str, Callable[[Field], None]] = {
        "provisions": _provisions, "reorganise": _reorganise, "ransoms": _ransoms, "convoys": carry,
        "movement": _movement, "close": _close,
    }
    for step in STEPS[STEPS.index(game.phase):]:
        with suppress(Waiting):
            checkers[step](f)
    return game.findings


def _provisions(f: Field) -> None:
    supply_orders(f, take(f, "provisions"))
    count_money(f, own_requests(f))
    idle(f)


def _reorganise(f: Field) -> None:
    requests = count_men(f, count_money(f, take(f, "reorganise")))
    for verb in PHASE_VERBS["reorganise"]:
        for request in requests:
            if request.verb == verb and not request.row.status:
                carry_out(f, request, DEEDS[verb])


def _ransoms(f: Field) -> None:
    purses = {a.army: a.money for a in f.armies}
    for request in take(f, "ransoms"):
        carry_out(f, request, lambda realm, request: ransom(realm, request, purses))


def _movement(f: Field) -> None:
    entries(f)
    sort_orders(f, [r for r in count_money(f, take(f, "movement")) if not r.row.status])


def _close(f: Field) -> None:
    for request in take(f, "close"):
        carry_out(f, request, partial(give_up, given_up=set()))


__all__ = ["check_day"]
