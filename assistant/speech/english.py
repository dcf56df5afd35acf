"""English names: what somebody has typed in; whether they take *the* out, and the form that is asked for.

``the Papal State``, ``at Zara``, ``in the Upper Adriatic``; guessed by the nouns of which they are made.
"""

from __future__ import annotations

import re
from collections.abc import Container

from assistant.speech.name import Language, Name, words_of

FORMS = ("the", "at")
"""What a brace may ask for: the name with its article, where something is."""
_TYPED = re.compile(r"the +(?=\S)", re.IGNORECASE)
_NOUNS = words_of(
    "empire kingdom republic state league duchy county party union alliance confederation crown church house "
    "order company caliphate sultanate khanate principality commonwealth papacy federation faction tribe clan "
    "horde emirate electorate palatinate march host")
_WATERS = words_of(
    "gulf sea channel strait bay river lake ocean adriatic mediterranean aegean atlantic baltic forest lagoon "
    "marsh")
_SINGULAR_S = words_of(
    "wales naples flanders athens cyprus paris tunis brussels texas honduras laos algiers versailles thebes")
_OWNED = re.compile(r"['’]s? ")
"""``Earl Robert's host``: whose it is stands in the place of *the*."""
_PEOPLE = re.compile(r"(?i)\w+(ish|ese|nch)|swiss|dutch|welsh")


def named(text: str, article: str = "", gender: str = "", plural: str = "", mark: str = "",
          towns: Container[str] = (), *, place: bool = False) -> Name:
    """A name with *the* where it was typed or is guessed. What the row says of the Italian name does not matter here,
    save whether it is plural.
    """
    typed = _TYPED.match(text)
    core = text[typed.end():] if typed else text
    words = re.sub(r" *\(.*", "", core).split()
    head = words[:words.index("of")] if "of" in words else words
    last, several = head[-1] if head else "", " and " in core
    people = not place and not several and core.casefold() not in towns and _are_people(head)
    noun = {one.casefold().rstrip("s") for one in (head[0] if head else "", last)} & (_WATERS if place else _NOUNS)
    common = not place and last.islower() and not several
    owned = _OWNED.search(core) is not None
    the = bool(typed or (not owned and ((noun and not several) or people or common)))
    many = plural == "yes" if plural else several or people or (
        last.casefold().endswith("s") and (common or last.casefold()[:-1] in _NOUNS))
    return Name(core, "the" if the else "", plural=many, mark=mark, inside=bool(place and noun and not typed),
                typed=typed[0] if typed else "")


def _are_people(head: list[str]) -> bool:
    """``Ottomans``, ``Swiss``, ``Free Companies``."""
    last = head[-1] if head else ""
    return bool(_PEOPLE.fullmatch(last)) or (last.endswith("s") and not last.endswith("ss")
                                             and last.casefold() not in _SINGULAR_S)


def word(text: str) -> Name:
    """A word of the catalogue, as it stands."""
    return Name(text)


def formed(name: Name, form: str) -> str:
    """A name in one of `FORMS`."""
    where = ("in" if name.inside else "at") if form == "at" else ""
    return " ".join(part for part in (where, name.article, name.text) if part) + name.mark


def listed(texts: list[str]) -> str:
    """``France, Venice and the Papal State``."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


ENGLISH = Language(FORMS, named, word, formed, listed)
