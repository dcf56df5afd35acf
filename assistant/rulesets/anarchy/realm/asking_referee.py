"""What is asked of the referee where the book is silent, and answers that the phase did not ask for.

See rulebook: Questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assistant.rulesets.anarchy.book.records import Question
from assistant.rulesets.anarchy.realm.realm import REFEREE, Realm
from assistant.turn.answers.answer_kinds import Amount, Kind, Option, Text
from assistant.turn.answers.asking import Ask
from assistant.turn.findings import Where


def rule(realm: Realm, about: str, options: Sequence[str], matter: str, **data: object) -> str:
    """What the referee rules where the rulebook page or the records say nothing: the phase waits for him.

    `matter`: which variant of the question's wording; `data` fills its braces.
    """
    return realm.game.choose(_ruling(realm, about, options, "", matter, Option(), data))


def rule_in_words(realm: Realm, about: str, reader: Callable[[str], str], matter: str, **data: object) -> str:
    """As `rule`, of what cannot be listed. `reader`: gives an answer its canonical form, "" for what cannot be."""
    return realm.game.ask(_ruling(realm, about, (), "", matter, Text(reader), data))


def rule_level(realm: Realm, about: str, levels: range, matter: str, **data: object) -> int:
    """As `rule`, of a level."""
    options = [str(level) for level in levels]
    return realm.game.amount(_ruling(realm, about, options, "", matter, Amount(levels[0], levels[-1]), data))


def may_rule(realm: Realm, about: str, options: Sequence[str], matter: str, **data: object) -> str:
    """What the referee rules where the rulebook page says what happens as a rule, and leaves more to him.

    The phase does not wait: without an answer the first option, which is the page's, stands and says so (ANA-903).
    """
    return realm.game.may_choose(_ruling(realm, about, options, options[0], matter, Option(), data))


def _ruling(realm: Realm, about: str, options: Sequence[str], default: str, matter: str, answer: Kind[object],
            data: Mapping[str, object]) -> Ask:
    return realm.question("ruling", REFEREE, about, options, default, answer=answer, matter=matter, **data)


def unasked(realm: Realm) -> None:
    """Answers of this phase to questions that it did not put (ANA-902)."""
    for row in realm.game.unasked():
        realm.game.find("ANA-902", Where(Question.sheet, row.ident, "question"), row.to, question=row.question)


__all__ = ["may_rule", "rule", "rule_in_words", "rule_level", "unasked"]
