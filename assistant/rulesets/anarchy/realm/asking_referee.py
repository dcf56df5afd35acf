"""What is asked of the referee where the book is silent, and answers that nothing asked for (rulebook: Questions)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.rulesets.anarchy.book.records import Question
from assistant.rulesets.anarchy.realm.realm import REFEREE, Realm
from assistant.turn.answers.answer_kinds import Kind, Option
from assistant.turn.answers.asking import Ask
from assistant.turn.findings import Where


def ruling(realm: Realm, about: str, options: Sequence[str], matter: str, *, default: str = "",
           answer: Kind[Any] | None = None, **data: object) -> Ask:
    """What is for the referee to rule where the rulebook page or the records say nothing, or leave more to him.

    `default`: what stands if he does not; `matter`: which variant of the question's wording; `data` fills its braces.
    """
    return realm.question("ruling", REFEREE, about, options, default, answer or Option(), matter=matter, **data)


def unasked(realm: Realm) -> None:
    """Answers of this phase to questions that it did not put (ANA-902)."""
    for row in realm.game.unasked():
        realm.game.find("ANA-902", Where(Question.sheet, row.ident, "question"), row.to, question=row.question)
