"""Words as people type them in, codes out: case, accents, blanks, hyphens and apostrophes make no difference."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache


@lru_cache(maxsize=16384)
def fold(word: str) -> str:
    """A word without case, accents and outer blanks; inner blanks, hyphens and apostrophes become ``_``."""
    bare = unicodedata.normalize("NFKD", word.strip().casefold())
    return re.sub(r"[\s_'’-]+", "_", "".join(c for c in bare if not unicodedata.combining(c)))


class Words:
    """What words mean: folded word -> code."""

    def __init__(self, known: Mapping[str, Iterable[str]]) -> None:
        """`known`: code -> its words in both languages, the code itself not named. A code beats another's word."""
        self._codes = {fold(word): code for code, words in known.items() for word in words}
        self._codes |= {fold(code): code for code in known}

    def code(self, word: str) -> str:
        """The code that a word means, "" for a word that is none."""
        return self._codes.get(fold(word), "")
