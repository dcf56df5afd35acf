"""Texts that clubs bring in, made harmless for every twin of a report before any template sees them."""

from __future__ import annotations

import unicodedata
from typing import Any

from assistant.reporting.pages import Listing, changed

LONGEST = 1200


def clean(text: str) -> str:
    """One line of visible characters: no control signs, no change of writing direction, no endless text.

    Characters that turn the direction of writing around could make a name read as another fact;
    line breaks could forge a heading in the plain text.
    """
    if text.isprintable() and "  " not in text and len(text) <= LONGEST:
        return text  # nearly every text
    kept = "".join(" " if c.isspace() else c for c in text
                   if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    line = " ".join(kept.split()) if kept != text or "  " in text else text
    return line if len(line) <= LONGEST else line[:LONGEST - 1] + "…"


def cleaned(page: Any) -> Any:
    """The same page or part of one with every text cleaned."""
    return changed(page, lambda value: clean(value) if isinstance(value, str) else value)


def cut(page: Any, limit: int) -> Any:
    """The same page or part of one with every listing cut to `limit` items."""
    return changed(page, lambda value: value.cut(limit) if isinstance(value, Listing) else value)
