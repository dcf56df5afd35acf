"""A word of a command in; out as it is typed at the terminals of Windows, macOS and Linux."""

from __future__ import annotations

import re

_PLAIN_WORD = re.compile(r"[\w./:+-]+")
_EXPANDED = re.compile(r'[$`!"]')


def as_typed(word: str) -> str:
    """A word of a command as it is typed: in quotation marks where a shell of Windows, macOS or Linux would take it
    apart or for something else.

    They are double ones, which all shells know. Only what some shells replace even within them (a dollar, a backquote,
    an exclamation mark) stands in single ones, which Windows' old command line alone does not know.
    """
    if _PLAIN_WORD.fullmatch(word):
        return word
    return f"'{word}'" if _EXPANDED.search(word) and "'" not in word else f'"{word}"'
