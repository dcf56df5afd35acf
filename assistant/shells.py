"""A word of a command in; out as it is typed at the terminals of Windows, macOS and Linux."""

from __future__ import annotations

import os
import re

_PLAIN_WORD = re.compile(r"[\w./:+-]+")
_EXPANDED = re.compile(r'[$`!"\\]')
_VARIABLE = re.compile(r"([$%])(?=\w)(.)")
_NOT_FOR_BOTH = re.compile(r"`|\$[^\w\s.,;)-]")


def as_typed(word: str, *, windows: bool = os.name == "nt") -> str:
    """A word of a command as it is typed: in quotation marks where a shell would take it apart or for something else.

    They are double ones, which all shells know, for blanks, apostrophes and nearly all else. Where that does not do,
    the form is that of the machine: the shells of macOS and Linux take what stands in single ones as it is.
    """
    if _PLAIN_WORD.fullmatch(word):
        return word
    if windows:
        return _on_windows(word)
    return "'" + word.replace("'", r"'\''") + "'" if _EXPANDED.search(word) else f'"{word}"'


def _on_windows(word: str) -> str:
    """As both shells of Windows take it: PowerShell puts a value for ``$name`` within quotation marks, the old command
    line for ``%NAME%`` anywhere; so they are shut behind the sign and opened again one letter on.

    PowerShell goes on with a word behind a quotation mark only if it has not begun with one. Of a backquote and of a
    dollar before a bracket or the like there is no form for both: it is PowerShell's.
    """
    if _NOT_FOR_BOTH.search(word):
        return "'" + word.replace("'", "''") + "'"
    if not _VARIABLE.search(word):
        return f'"{word}"'
    first, rest = (word[0], word[1:]) if _PLAIN_WORD.match(word) else ("./", word)
    return f'{first}"' + _VARIABLE.sub(r'\1"\2"', rest) + '"'
