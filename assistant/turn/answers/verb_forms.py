"""What verbs mean that people type, in the imperative as in the infinitive, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.turn.orders.words import fold

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


def forms(infinitive: str) -> Iterator[str]:
    """What is said instead of an Italian infinitive, all folded (``attaccare``: ``attacca``, ``attacco``, ...).

    Nothing for a word that has no such ending.
    """
    for ending, others in _ENDINGS.items():
        stem = infinitive.removesuffix(ending)
        if stem == infinitive or len(stem) < _SHORTEST_STEM:
            continue
        yield from (stem + other for other in others)
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
