"""Answers as people write them: options in either language, numbers, ``default`` (digest, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assistant.rulesets.anarchy.realm import REFEREE, Realm
from assistant.rulesets.anarchy.records import Question
from assistant.rulesets.anarchy.verbs import DEFAULTS, choice_code, fold
from assistant.turn.findings import Where
from assistant.turn.game import Ask, Waiting

MOST_OPTIONS = 99
DIGITS = 9
"""No amount in this game has more digits."""


def choose(realm: Realm, asked: Ask, accept: Callable[[str], str] | None = None) -> str:
    """The answer to a question as a code. See `choose_all`."""
    return choose_all(realm, [asked], accept)[0]


def choose_share(realm: Realm, asked: Ask, left: int) -> int:
    """How much of what is left one gets; more than there is is ANA-904, and asked for again."""
    text = realm.game.ask(asked).strip()
    if text.isdecimal() and not amount_in(text, 0, left):
        realm.game.ask_again(asked, "ANA-904", n=left, x=text)
    return int(choose(realm, asked, lambda typed: amount_in(typed, 0, left)))


def up_to(n: int) -> tuple[str, ...]:
    """The options of a question for a whole number of points: each, or where they are too many the two ends."""
    return tuple(str(one) for one in range(n + 1)) if n <= MOST_OPTIONS else ("0", str(n))


def choose_all(realm: Realm, asked: Sequence[Ask], accept: Callable[[str], str] | None = None) -> list[str]:
    """The answers to independent questions as codes; stops for all that are open or cannot be taken.

    `accept`: reads what is not simply one of the options, "" where it cannot. An answer that is not
    offered is ANA-901 and asked for again; ``default`` takes the default and says so (ANA-903).
    """
    texts = [realm.game.answered(one) for one in asked]
    found = [_read(realm, one, text, accept) if text else None for one, text in zip(asked, texts, strict=True)]
    lacking = [one for one, text in zip(asked, found, strict=True) if text is None]
    if lacking:  # what cannot be taken is said at once, not only when the other side has answered too
        raise Waiting(lacking)
    return [text for text in found if text is not None]


def _read(realm: Realm, asked: Ask, text: str, accept: Callable[[str], str] | None) -> str | None:
    if fold(text) in DEFAULTS and asked.default:
        _find(realm, "ANA-903", asked, question=realm.game.name_of(asked), default=asked.default)
        return asked.default
    for option in asked.options:
        if fold(text) in (fold(option), "") or choice_code(text) == option:
            return option
    read = accept(text) if accept is not None else "" if asked.options else text.strip()
    if not read:
        _find(realm, "ANA-901", asked, x=text, options=", ".join(asked.options))
        return None
    return read


def _find(realm: Realm, code: str, asked: Ask, **data: object) -> None:
    row = realm.campaign.table(Question).record(question=realm.game.name_of(asked), turn=realm.game.turn,
                                                phase=realm.game.phase)
    faction = "" if asked.to == REFEREE else asked.to
    realm.game.find(code, Where(Question.sheet, row.ident, "answer"), faction, **data)


def rule(realm: Realm, about: str, options: Sequence[str], matter: str,
         accept: Callable[[str], str] | None = None, **data: object) -> str:
    """What the referee rules where the digest settles nothing or the records do not say: the phase waits for him.

    `matter`: which variant of the question's wording; `data` fills its braces.
    """
    return choose(realm, _ruling(realm, about, options, "", matter, data), accept)


def may_rule(realm: Realm, about: str, options: Sequence[str], matter: str, **data: object) -> str:
    """What the referee rules where the digest says what happens as a rule, and leaves more to him.

    The phase does not wait: without an answer the first option, which is the digest's, stands and says so (ANA-903).
    """
    asked = _ruling(realm, about, options, options[0], matter, data)
    if realm.game.answered(asked):
        return choose(realm, asked)
    _find(realm, "ANA-903", asked, question=realm.game.name_of(asked), default=asked.default)
    return asked.default


def _ruling(realm: Realm, about: str, options: Sequence[str], default: str, matter: str,
            data: Mapping[str, object]) -> Ask:
    return realm.question("ruling", REFEREE, about, options, default, matter=matter, **data)


def amount_in(text: str, least: int, most: int) -> str:
    """A whole number within bounds as text, "" for anything else."""
    bare = text.strip()
    return bare if bare.isdecimal() and len(bare) <= DIGITS and least <= int(bare) <= most else ""


def unasked(realm: Realm) -> None:
    """Answers of this phase to questions that it did not put (ANA-902)."""
    asked = {realm.game.name_of(one) for one in realm.game.asked}
    for row in realm.campaign.table(Question).of_turn(realm.game.turn):
        if row.phase == realm.game.phase and row.answer.strip() and row.question not in asked:
            realm.game.find("ANA-902", Where(Question.sheet, row.ident, "question"), row.to, question=row.question)


__all__ = ["amount_in", "choose", "choose_all", "choose_share", "may_rule", "rule", "unasked", "up_to"]
