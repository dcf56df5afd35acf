"""The order of play: the nine phases of a day, the orders of the book (rulebook: The day)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.incursio.book.questions import CONSENT, DEPLOY, FREE, RESULT
from assistant.rulesets.incursio.day import arrivals, assault, moves, spying, upkeep
from assistant.rulesets.incursio.day.actions import build, mission, spy, take_actions, take_spies
from assistant.rulesets.incursio.day.arrivals import deploy
from assistant.rulesets.incursio.day.assault import attack
from assistant.rulesets.incursio.day.initiative import initiative
from assistant.rulesets.incursio.day.live import check_forms
from assistant.rulesets.incursio.day.moves import enter, leave, move, reorder
from assistant.rulesets.incursio.orders.columns import BOOK_COLUMNS
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.orders.refusal import role
from assistant.turn.orders.verbs import Shapes, declared
from assistant.turn.steps import Phase, Step

WORD = "day"
VERBS = declared(
    move, enter, leave, reorder, attack, build, mission, spy, deploy, cells=BOOK_COLUMNS,
    shapes=Shapes(unit=r"[A-Za-z]{1,3}-\d+", place=r"\d+"),
    says={"unknown_verb": role("INC-001", "verb", verb="word")})


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, asks: tuple[str, ...] = (), word: str = WORD,
           **more: Any) -> Phase:
    return Phase(name, en, it, rule, orders=word, waits_for=asks, board=Realm, steps=steps, robots_anew=True, **more)


def _assault() -> tuple[Step, ...]:
    return (Step(check_forms, "forms"), Step(assault.take_attacks, "together"), Step(assault.assault))


CALENDAR = Calendar((
    _phase("initiative", "Initiative", "Iniziativa", "T1", Step(initiative), word=""),
    _phase("first_move", "First side's moves", "Movimenti del primo", "T2 MOV", Step(moves.side_moves, "together")),
    _phase("first_assault", "First side's assault", "Assalto del primo", "T3 COM", *_assault(), asks=(RESULT,)),
    _phase("second_move", "Second side's moves", "Movimenti del secondo", "T4 MOV",
           Step(moves.side_moves, "together")),
    _phase("second_assault", "Second side's assault", "Assalto del secondo", "T5 COM", *_assault(), asks=(RESULT,)),
    _phase("upkeep", "Upkeep", "Mantenimento", "T6 M7", Step(take_actions, "together"), Step(upkeep.upkeep),
           asks=(CONSENT, FREE), chests=upkeep.chests),
    _phase("spying", "Spying", "Spionaggio", "T7 SPI", Step(take_spies, "together"), Step(spying.spying),
           asks=(CONSENT,)),
    _phase("final_moves", "Final moves", "Movimenti finali", "T8 MOV", Step(moves.final_moves, "together")),
    _phase("arrivals", "Arrivals", "Rinforzi e schieramento", "T9", Step(arrivals.take_deployment, "together"),
           Step(arrivals.arrivals), asks=(DEPLOY,)),
), Turns(r"[1-9]\d{0,2}"))
