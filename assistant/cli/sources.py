"""What a SOURCE on the command line means: the standard input, a file, or a line of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.desk import Source

FILES = (".csv", ".txt", ".xlsx", ".xlsm")


def source_of(word: str) -> Source:
    """``-``: what is typed or piped in; a file by its ending, or because it is there; else a line."""
    from assistant.desk import Source

    if word == "-":
        return Source("-", text=sys.stdin.read())
    path = Path(word)
    if path.suffix.casefold() in FILES or path.is_file():
        return Source(path.name, path=path)
    return Source(word, text=word)
