"""Words as people type them in, codes out: case, accents, blanks, hyphens and apostrophes make no difference.

Nor does it for verbs whether they stand in the imperative or in the infinitive.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "are": ("a", "o", "i", "ate", "ano"),
    "ere": ("i", "e", "o", "ete", "ono"),
    "ire": ("i", "e", "o", "ite", "ono", "isci", "isce", "isco"),
    "arsi": ("a", "o", "ati", "atevi"),
    "ersi": ("i", "e", "o", "iti", "etevi"),
    "irsi": ("i", "e", "o", "iti", "itevi"),
}
"""Ending of an Italian infinitive -> those of the forms in which somebody orders or says what he does."""
_SHORTEST_STEM = 2
_ODD: Mapping[str, tuple[str, ...]] = {"uscire": ("esci", "esce", "esco")}
"""Infinitives whose forms have another stem."""


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

    def code_of_infinitive(self, word: str) -> str:
        """The code that the imperative of a word means (``muovere``: that of ``muovi``), "" where there is none."""
        typed = fold(word).removeprefix("to_")
        return next((self._codes[one] for one in (typed, *forms(typed)) if one in self._codes), "")


# --- verbs ------------------------------------------------------------------------------------------
def forms(infinitive: str) -> Iterator[str]:
    """What is said instead of an Italian infinitive, all folded (``attaccare``: ``attacca``, ``attacco``, ...).

    Nothing for a word that has no such ending.
    """
    yield from _ODD.get(infinitive, ())
    for ending, others in _ENDINGS.items():
        stem = infinitive.removesuffix(ending)
        if stem == infinitive or len(stem) < _SHORTEST_STEM:
            continue
        yield from (stem + other for other in others)
        if stem.endswith("i"):  # sciogliere: sciogli
            yield stem
        if ending.endswith("si"):
            yield from (f"si_{stem}{other}" for other in others)


def meaning(word: str, known: Mapping[str, str]) -> str:
    """What a word means among known ones (word -> meaning); "" where it is none of them.

    ``accettare`` is understood where ``accetta`` is known and the other way round, ``to attack`` where ``attack`` is.
    """
    table = {fold(one): meant for one, meant in known.items()}
    typed = fold(word)
    for one in (typed, typed.removeprefix("to_"), *forms(typed)):
        if one in table:
            return table[one]
    return next((meant for one, meant in table.items() if typed in forms(one)), "")
