"""Texts where they are declared: marked for the catalogue that translates them, found by what they are called."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def N_(text: str) -> str:  # noqa: N802 - the customary name of the mark for texts that are worded later
    """Mark a text for the catalogue; it is returned as it is."""
    return text


def keyed(*declared: T) -> dict[str, T]:
    """Findings, events, questions or citations by their first field: code, type, kind or key.

    Raises ValueError where one is declared twice.
    """
    found: dict[str, T] = {}
    for one in declared:
        thing: Any = one
        key = str(getattr(thing, fields(thing)[0].name))
        if key in found:
            raise ValueError(f"{type(one).__name__} {key} is declared twice")
        found[key] = one
    return found
