"""Patterns that are compiled when something is first looked for with them: a pattern's text in, what stands for it out.

A command loads a hundred and fifty patterns and uses a fifth of them; to compile the others took a twentieth of its
time. Afterwards such a pattern is as fast as the library's, whose methods it has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["late_regex"]

if TYPE_CHECKING:
    from re import compile as late_regex
else:
    def late_regex(text, flags=0):
        """A pattern, given as to `re.compile`; that it cannot be compiled (`re.error`) is said at its first use."""
        return _Late(text, flags)


class _Late:
    """What stands for a pattern until it is used, and has its methods from then on."""

    def __init__(self, text: Any, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        self.__dict__.update((one, getattr(compiled, one)) for one in dir(compiled) if not one.startswith("_"))
        return getattr(compiled, name)
