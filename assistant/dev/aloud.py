"""Messages read aloud: a catalogue in; each message as a reader meets it, with names of every kind, out.

Also what a message does with a name that it should not: put it bare after a preposition or at its head, or ask for a
form that the language does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assistant.speech.braces import Brace, braces, sentences
from assistant.speech.languages import LANGUAGES
from assistant.speech.names import Called, Names
from assistant.turn.messages.house import COMMON, COMMON_EVENTS
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import Meaning, meaning_of
from assistant.wording import Wording

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

SHOWN = ("masculine", "feminine", "plural", "vowel")
_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "it": {"faction": ("Papato", "Turchia", "Spagna e collegati", "Inghilterra"),
           "place": ("Golfo di Napoli", "Zara", "Castello di Trowbridge", "Alessandria"),
           "piece": ("V-1", "S-2", "Compagnia bianca", "A-MIL")},
    "en": {"faction": ("Papal State", "Venice", "Ottomans", "England"),
           "place": ("Gulf of Naples", "Zara", "Trowbridge Castle", "Upper Adriatic"),
           "piece": ("V-1", "S-2", "White Company", "A-MIL")},
}
"""What a faction, a place and anything else is called in each of `SHOWN`."""
_AFTER = {
    "it": re.compile(r"(?i)(?:^|[\s(])(?:di|a|ad|da|in|con|su|per|fra|tra|contro|presso|verso|e|ed) $"),
    "en": re.compile(r"(?i)(?:^|[\s(])(?:of|to|from|by|in|at|with|against|near|between|for|and) $"),
}
_LABEL = re.compile(r"[:,;)']|$")
"""What follows a name that stands by itself: a label, an item of a list, a quotation."""
_WHOLE = re.compile(r"\{[^{}]*\}")


def means_of(ruleset: Ruleset | None) -> dict[str, Mapping[str, Meaning]]:
    """What the parameters of the declared messages mean, by text; of texts that code says only the names tell."""
    declared: list[Any] = [*COMMON.values(), *COMMON_EVENTS.values()] if ruleset is None else [
        *ruleset.events.values(), *ruleset.questions.values(), *ruleset.findings.values()]
    return {text: one.means for one in declared if one.means
            for text in (one.text, *(one.variants[1].values() if one.variants else ()))}


def odd_forms(text: str, lang: str) -> list[str]:
    """The braces of a text that ask for what the language does not have."""
    known = {brace.whole: brace for brace in braces(text)}
    forms = LANGUAGES[lang].forms
    return [whole for whole in _WHOLE.findall(text) if (":" in whole or "?" in whole) and not (
        (brace := known.get(whole)) and (brace.form in forms or len(brace.variants) in (2, 4)))]


def bare_names(text: str, lang: str, means: Mapping[str, Meaning] | None = None) -> list[str]:
    """The braces of a text that put the name of a faction or place after a preposition, or at the head of a sentence,
    without asking for its article.
    """
    found = []
    for sentence in sentences(text):
        for number, part in enumerate(sentence):
            if isinstance(part, str) or part.form or part.variants or not _is_name(part, means):
                continue
            before = sentence[number - 1] if number else ""
            after = sentence[number + 1] if number + 1 < len(sentence) else ""
            headed = not number and not _LABEL.match(after if isinstance(after, str) else "-")
            if headed or (isinstance(before, str) and _AFTER[lang].search(before)):
                found.append(part.whole)
    return found


def _is_name(brace: Brace, means: Mapping[str, Meaning] | None) -> bool:
    return meaning_of(brace.name, means) in ("faction", "place")


def aloud(catalogue: Catalog, lang: str, ruleset: Ruleset | None) -> Iterator[str]:
    """Every message of a catalogue: once, or with a name of each kind where it names a faction or a place."""
    means = means_of(ruleset)
    for message in catalogue:
        if not message.id or message.context:
            continue
        spoken = message.id if lang == "en" or isinstance(message.id, str) else message.string or ()
        for msgid in (spoken,) if isinstance(spoken, str) else spoken:
            said = means.get(msgid)
            kinds = range(len(SHOWN)) if any(_is_name(one, said) for one in braces(msgid)) else (0,)
            yield from dict.fromkeys(_spoken(msgid, lang, ruleset, said, kind) for kind in kinds)


def _spoken(msgid: str, lang: str, ruleset: Ruleset | None, means: Mapping[str, Meaning] | None, kind: int) -> str:
    """A message with names of one kind of `SHOWN`; a second parameter that names something takes the next kind."""
    called: dict[str, dict[str, Called]] = {"faction": {}, "place": {}, "piece": {}}
    data: dict[str, Any] = {}
    for place, name in enumerate(dict.fromkeys(brace.name for brace in braces(msgid))):
        meaning = meaning_of(name, means)
        if meaning in called:
            code = f"~{name}"
            called[meaning][code] = Called(_NAMES[lang][meaning][(kind + place) % len(SHOWN)])
            data[name] = code
        else:
            data[name] = f"<{name}>"
    words = Wording(ruleset, lang, Names(lang, called["faction"], called["place"], called["piece"]))
    return words.sentence(msgid, data, means)


def read_aloud(catalogues: Iterable[tuple[Catalog, Ruleset | None]], lang: str) -> Iterator[str]:
    """All messages of some catalogues, one a line."""
    for catalogue, ruleset in catalogues:
        yield from aloud(catalogue, lang, ruleset)
