"""A name as it is spoken of: its article, gender and number in; what a message asks of them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Name(NamedTuple):
    """What something is called. `text`: without an article that was typed with it, `typed`: that article as it stood.

    `article`: what stands before it in a sentence (``la``, ``l'``, ``the``), "" for none; `mark`: what follows it in
    any form, such as the code of a place; `inside`: one is *in* it and not *at* it, as in a sea; `parts`: of a name
    that joins several (``Spagna e collegati``), each with an article of its own.
    """

    text: str
    article: str = ""
    feminine: bool = True
    plural: bool = False
    mark: str = ""
    inside: bool = False
    typed: str = ""
    parts: tuple[Name, ...] = ()

    @property
    def bare(self) -> str:
        """As it stands in a table."""
        return f"{self.typed}{self.text}{self.mark}"


class Language(NamedTuple):
    """What is to be known of a language: the forms that a brace may ask for, how a row's name is understood, how a word
    of the catalogue is, how a name stands in a form, how several are said one after the other.
    """

    forms: tuple[str, ...]
    named: Callable[..., Name]
    word: Callable[[str], Name]
    formed: Callable[[Name, str], str]
    listed: Callable[[list[str]], str]


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def agreeing(names: tuple[Name, ...], variants: tuple[str, ...]) -> str:
    """The variant that agrees with one name or several.

    Two are singular and plural, four are masculine, feminine, and the plurals of both; several names are a plural,
    a feminine one where all of them are.
    """
    plural = len(names) > 1 or any(name.plural for name in names)
    if len(variants) == 2:
        return variants[plural]
    return variants[2 * plural + all(name.feminine for name in names)]
