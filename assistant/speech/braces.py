"""Messages with braces: a template in; its sentences out, in texts and braces with the form that each asks for.

``{faction}`` is what the parameter is called, ``{faction:di}`` the same in a form, and
``{faction?preso|presa|presi|prese}`` the word of these that agrees with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

_BEFORE = {"il": "", "the": "", "dove": "a"}
ENDS = (".", "!", "?", ":")
"""What a whole sentence ends with; what ends otherwise is a piece of one."""
_SENTENCE = re.compile(r"(?<=[.!?]) +(?![^{}]*\})")
_BRACE = re.compile(r"\{(\w+)(?::(\w+)|\?([^{}]*\|[^{}]*))?\}")


class Brace(NamedTuple):
    """One brace: the parameter, the form in which its name is to stand, or the words of which one agrees with it."""

    whole: str
    name: str
    form: str = ""
    variants: tuple[str, ...] = ()


Sentence = tuple[str | Brace, ...]


@lru_cache(maxsize=8192)
def sentences(template: str) -> tuple[Sentence, ...]:
    """The sentences of a template, of which there are as many as there are messages."""
    return tuple(_parts(one) for one in _SENTENCE.split(template))


def _parts(text: str) -> Sentence:
    found: list[str | Brace] = []
    end = 0
    for match in _BRACE.finditer(text):
        found.append(text[end:match.start()])
        found.append(Brace(match[0], match[1], match[2] or "", tuple(match[3].split("|")) if match[3] else ()))
        end = match.end()
    found.append(text[end:])
    return tuple(part for part in found if part)


def braces(*texts: str) -> list[Brace]:
    """All braces of some templates."""
    return [part for text in texts for one in sentences(text) for part in one if isinstance(part, Brace)]


def plain(template: str) -> str:
    """A template as a page shows it that fills no braces: forms as the word that asks for them, of words that agree the
    first, and the plural of those that agree with a number.
    """
    told = []
    for sentence in sentences(template):
        numbers = {part.name for part in sentence if isinstance(part, Brace) and not (part.form or part.variants)}
        parts = (part if isinstance(part, str) else part.variants[part.name in numbers] if part.variants else
                 f"{_BEFORE.get(part.form, part.form)} {{{part.name}}}".strip() for part in sentence)
        told.append("".join(parts))
    return " ".join(told)


def fill(template: str, show: Callable[[Brace], str | None]) -> str:
    """A text with its braces filled: `show` gives the text of a brace, "" where its parameter is blank, None
    where there is none.

    A later sentence that speaks of a blank parameter is left out ("Did you mean {near}?"); an unknown
    brace stays as it is. A sentence that begins with a name in a form begins with a capital.
    """
    told = []
    for number, sentence in enumerate(sentences(template)):
        shown: list[str] = []
        for part in sentence:
            if isinstance(part, str):
                shown.append(part)
                continue
            text = show(part)
            if text == "" and number:
                break
            shown.append(part.whole if text is None else text)
        else:
            said = "".join(shown)
            headed = bool(sentence) and isinstance(sentence[0], Brace) and bool(sentence[0].form)
            told.append(said[:1].upper() + said[1:] if headed and said.endswith(ENDS) else said)
    return " ".join(told).strip()
