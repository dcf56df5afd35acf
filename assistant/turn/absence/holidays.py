"""Announced holidays: what stands in the column in; first and last days out, and whether a day is one of them."""

from __future__ import annotations

import re
from datetime import date

_DAY = r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})"
_SPAN = re.compile(rf"({_DAY})(?:\s*(?:\.\.+|-|–|—|to|until|a|al|fino al)\s*({_DAY}))?")
_BETWEEN = re.compile(r"[\s,;]*")

Span = tuple[date, date]
"""The first and the last day."""


def spans(text: str) -> list[Span] | None:
    """The holidays that a text says: days, or two of them with ``..``, a dash or a word between; several with commas.

    Days are ``2026-12-24`` or ``24.12.2026``. None for what cannot be read as a whole.
    """
    found: list[Span] = []
    at = 0
    for match in _SPAN.finditer(text):
        if not _BETWEEN.fullmatch(text, at, match.start()):
            return None
        try:
            first = _day(match[1])
            last = _day(match[2]) if match[2] else first
        except ValueError:
            return None
        if last < first:
            return None
        found.append((first, last))
        at = match.end()
    return found if _BETWEEN.fullmatch(text, at) else None


def on_holiday(text: str, day: date) -> bool:
    """Whether a day is one of the holidays that a text says; what cannot be read is none."""
    return any(first <= day <= last for first, last in spans(text) or ())


def _day(text: str) -> date:
    """Raises ValueError for a day that no calendar has."""
    if "-" in text:
        year, month, day = text.split("-")
    else:
        day, month, year = re.split(r"[./]", text)
    return date(int(year), int(month), int(day))
