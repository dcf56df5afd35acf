"""A dossier as it is kept on its battle's row: sentences go in as plain values and come out as `Said`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.turn.told import Said

Line = list[Any]
REFEREE_COPY = "referee"
"""Under which word the referee's dossier is kept, beside those of the sides."""


def said(text: str, label: str, **data: Any) -> Line:
    """One sentence of a dossier as plain values: text, what fills it, label."""
    return [text, data, label]


def read(lines: object, spoken: Mapping[str, str]) -> list[Said]:
    """The sentences of a dossier as they were kept on the sheet; what is none of ours is left out.

    `spoken`: a sentence as workbooks keep it -> as it is said today, where that has changed.
    """
    return [Said(spoken.get(str(line[0]), str(line[0])), line[1], str(line[2]))
            for line in (lines if isinstance(lines, list) else [])
            if isinstance(line, list) and len(line) == 3 and isinstance(line[1], dict)]
