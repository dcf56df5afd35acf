"""Texts where they are declared: marked for the catalogue, found by their keys; what their parameters mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar

T = TypeVar("T")

Meaning = Literal["faction", "place", "piece", "word", "text", "any"]
"""What a parameter's codes stand for: a faction (or a word: a side, nobody); a place; a piece, which is anything else
with a name, such as an army; a word of the catalogue; a text of the club's, shown as it was typed; ``any``: whatever
has that code. It is needed because a place `ENG` is not the faction England, and a club's text is not translated.
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

def meaning_of(name: str, said: Mapping[str, Meaning] | None = None) -> Meaning:
    """What a parameter means. `said`: what the event, question or finding itself declares for its parameters."""
    found = (said.get(name) if said else None) or MEANINGS.get(name)
    if found is None and name.endswith(("_faction", "_node", "_place")):
        found = MEANINGS[name.rpartition("_")[2]]
    return found or "any"

def N_(text: str) -> str:  # noqa: N802 - the customary name of the mark for texts that are worded later
    """Mark a text for the catalogue; it is returned unchanged."""
    return text

def keyed(*declared: T) -> dict[str, T]:
    """Findings, events, questions or citations by their first field: code, type, kind or key.

    Raises ValueError if one is declared twice.
    """
    found: dict[str, T] = {}
    for one in declared:
        thing: Any = one
        key = str(getattr(thing, fields(thing)[0].name))
        if key in found:
            raise ValueError(f"{type(one).__name__} {key} is declared twice")
        found[key] = one
    return found
