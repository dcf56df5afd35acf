"""Answers that nobody has asked for, and such as another faction has given (WAR-602, 603; rulebook: Questions)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.records import Question
from assistant.rulesets.warriors.land.country import Country
from assistant.turn.findings import Where
from assistant.turn.game import REFEREE, Ask, Waiting

REPORTED = "result"
"""Of a battle's result each club has an answer of its own."""


def answers(land: Country) -> None:
    """The last step of each phase: an answer of somebody else's does not count, and its question stays open."""
    table, foreign = land.campaign.table(Question), list[Ask]()
    for ask in land.game.asked:
        name = land.game.name_of(ask)
        row = table.get(Question(question=name, turn=land.game.turn, phase=land.game.phase).ident)
        if row is not None and row.answer.strip() and ask.kind != REPORTED and row.to not in ("", ask.to, REFEREE):
            land.game.find("WAR-602", Where(Question.sheet, row.ident, "answer"), row.to, faction=row.to)
            land.game.outdated.add(name)
            foreign.append(ask)
    if foreign:
        raise Waiting(foreign)
    for one in land.game.unasked():
        land.find("WAR-603", one, "question", one.to, question=one.question)
