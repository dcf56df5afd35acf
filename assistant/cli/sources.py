"""What a SOURCE means: a word of the command line in; the standard input, a file or a line of its own out."""

from __future__ import annotations

import sys
from pathlib import Path

from assistant import desk

FILES = (".csv", ".txt", ".xlsx", ".xlsm")
OTHERS = (".doc", ".docx", ".eml", ".htm", ".html", ".json", ".jpg", ".md", ".msg", ".numbers", ".ods", ".odt",
          ".pages", ".pdf", ".png", ".rtf", ".tsv", ".xls", ".xlsb", ".xml", ".zip")
"""Endings of files that clubs send, too, and that hold nothing that can be taken."""


def source_of(word: str) -> desk.Source:
    """``-``: what is typed or piped in; a file by its ending, or because it is there; else a line.

    What is written like a folder is no line either.
    """
    if word == "-":
        return desk.Source("-", text=sys.stdin.read())
    path = Path(word)
    folders = word.startswith(("/", "./", "../", "~", ".\\", "..\\")) or word.endswith(("/", "\\"))
    if path.suffix.casefold() in (*FILES, *OTHERS) or path.exists() or folders:
        return desk.Source(path.name, path=path)
    return desk.Source(word, text=word)
