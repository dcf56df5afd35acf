"""What a SOURCE on the command line means: the standard input, a file, or a line of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.desk import Source

FILES = (".csv", ".txt", ".xlsx", ".xlsm")
OTHERS = (".doc", ".docx", ".eml", ".htm", ".html", ".json", ".jpg", ".md", ".msg", ".numbers", ".ods", ".odt",
          ".pages", ".pdf", ".png", ".rtf", ".tsv", ".xls", ".xlsb", ".xml", ".zip")
"""Endings of files that clubs send, too, and that hold nothing that can be taken."""


def source_of(word: str) -> Source:
    """``-``: what is typed or piped in; a file by its ending, or because it is there; else a line.

    What is written like a folder is no line either.
    """
    from assistant.desk import Source

    if word == "-":
        return Source("-", text=sys.stdin.read())
    path = Path(word)
    folders = word.startswith(("/", "./", "../", "~", ".\\", "..\\")) or word.endswith(("/", "\\"))
    if path.suffix.casefold() in (*FILES, *OTHERS) or path.exists() or folders:
        return Source(path.name, path=path)
    return Source(word, text=word)
