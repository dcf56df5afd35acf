"""Texts where they are declared: with their Italian, found by their keys; what their parameters mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])
_FIELD = re.compile(r"\{(\w+)")

Meaning = Literal["faction", "place", "piece", "pieces", "line", "word", "text", "any"]
"""What a parameter's codes stand for: a faction (or a word: a side, nobody); a place; a piece, which is anything else
with a name, such as an army; pieces by their letters (``FFA``), which a rulebook says in words, those of a kind
together or, as a ``line``, in their order; a word of the catalogue; a text of the club's or a year, shown as it was
typed; ``any``: whatever has that code. It is needed because a place `ENG` is not the faction England, a club's text
is not translated, and 1501 is not 1,501.
"""

FACTIONS = ("faction", "factions", "by", "besieger", "suspect", "opponent", "partner", "owner", "winner", "winners",
            "side", "side_a", "side_b")

PLACES = ("node", "nodes", "place", "places", "hex", "prev")

PIECES = ("army", "armies", "fleet", "unit", "group", "convoy", "train", "noble", "mercs", "battle")

WORDS = ("kind", "option", "item", "season", "status", "weather")

TEXTS = ("title", "note", "terms", "club", "name", "text")

MEANINGS: Mapping[str, Meaning] = MappingProxyType({
    **dict.fromkeys(FACTIONS, "faction"), **dict.fromkeys(PLACES, "place"), **dict.fromkeys(PIECES, "piece"),
    **dict.fromkeys(WORDS, "word"), **dict.fromkeys(TEXTS, "text")})
"""Name of a parameter -> its default meaning; names that end in ``_faction``, ``_node`` or ``_place`` have one, too."""

def meaning_of(name: str, declared: Mapping[str, Meaning] | None = None) -> Meaning:
    """What a parameter means. `declared`: what the event, question or finding itself declares for its parameters."""
    meaning = (declared.get(name) if declared else None) or MEANINGS.get(name)
    if meaning is None and name.endswith(("_faction", "_node", "_place")):
        meaning = MEANINGS[name.rpartition("_")[2]]
    return meaning or "any"

class Translations:
    """The texts of a rulebook, each declared with its Italian beside it; a rulebook calls its object `both`.

    ``both("{node} falls to {by}.", "{node} cade in mano {by:a}.")`` is the English text, which is stored and looked up;
    its Italian is noted. A variant is a text of its own. Texts are declared where a module is imported, not within a
    function: whoever shows an event later, or looks for secrets in a mail, does not run that function.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.codes: dict[str, str] = {}

    def __call__(self, english: str, italian: str) -> str:
        """Note a text and return it in English."""
        self.texts.setdefault(english, italian)
        return english

    def made(self, english: str, italian: str) -> str:
        """Note a text that a declaration makes of its parts, or that stands in a table of the book.

        Raises ValueError if the fields of the two differ.
        """
        if {*_FIELD.findall(english)} != {*_FIELD.findall(italian)}:
            raise ValueError(f"{english!r} and {italian!r} have other fields")
        return self(english, italian)

    def joined(self, *texts: str) -> str:
        """One text of several that are declared, each of which stands elsewhere by itself, too."""
        return self(" ".join(texts), " ".join(self.texts[text] for text in texts))

    def word(self, code: str, italian: str) -> str:
        """Note a single word, such as the label of a modifier, and return its code."""
        self.codes[code] = italian
        return code

    def words(self, italian: Mapping[str, str]) -> tuple[str, ...]:
        """Note words among the data of events, findings and questions: code -> Italian; in English the code itself."""
        self.codes |= italian
        return tuple(italian)


def N_(text: str) -> str:  # noqa: N802 - the customary name of the mark for texts that are worded later
    """Mark a text for the catalogue; it is returned unchanged."""
    return text

def keyed(*declared: T) -> dict[str, T]:
    """Findings, events, questions or citations, which are named tuples, by their first field: code, type, kind or key.

    Raises ValueError if one is declared twice.
    """
    by_key: dict[str, T] = {}
    for declaration in declared:
        key = str(declaration[0])
        if key in by_key:
            raise ValueError(f"{type(declaration).__name__} {key} is declared twice")
        by_key[key] = declaration
    return by_key
