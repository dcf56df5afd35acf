"""Answers as people write them: options in either language, numbers, ``default`` (digest, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.rulesets.anarchy.realm import REFEREE, Realm
from assistant.rulesets.anarchy.records import Question
from assistant.rulesets.anarchy.verbs import choice_code, fold
from assistant.turn.findings import Where
from assistant.turn.game import Ask, Waiting

DEFAULTS = ("default", "predefinita", "predefinito")


def choose(realm: Realm, asked: Ask, accept: Callable[[str], str] | None = None) -> str:
    """The answer to a question as a code. See `choose_all`."""
    return choose_all(realm, [asked], accept)[0]


def choose_share(realm: Realm, asked: Ask, left: int) -> int:
    """How much of what is left one gets; more than there is is ANA-904, and asked for again."""
    text = realm.game.ask(asked).strip()
    if text.isdigit() and int(text) > left:
        realm.game.ask_again(asked, "ANA-904", n=left, x=int(text))
    return int(choose(realm, asked))


def choose_all(realm: Realm, asked: Sequence[Ask], accept: Callable[[str], str] | None = None) -> list[str]:
    """The answers to independent questions as codes; stops for all that are open or cannot be taken.

    `accept`: reads what is not simply one of the options, "" where it cannot. An answer that is not
    offered is ANA-901 and asked for again; ``default`` takes the default and says so (ANA-903).
    """
    texts = realm.game.ask_all(asked)
    found = [_read(realm, one, text, accept) for one, text in zip(asked, texts, strict=True)]
    wrong = [one for one, text in zip(asked, found, strict=True) if text is None]
    if wrong:
        raise Waiting(wrong)
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


def amount_in(text: str, least: int, most: int) -> str:
    """A whole number within bounds as text, "" for anything else."""
    bare = text.strip()
    return bare if bare.isdigit() and least <= int(bare) <= most else ""


def unasked(realm: Realm) -> None:
    """Answers of this phase to questions that it did not put (ANA-902)."""
    asked = {realm.game.name_of(one) for one in realm.game.asked}
    for row in realm.campaign.table(Question):
        here = (row.turn, row.phase) == (realm.game.turn, realm.game.phase)
        if here and row.answer.strip() and row.question not in asked:
            realm.game.find("ANA-902", Where(Question.sheet, row.ident, "question"), row.to, question=row.question)


__all__ = ["amount_in", "choose", "choose_all", "choose_share", "unasked"]
