"""Translates English texts, which are the message ids.

A rulebook's texts are declared with their Italian (`Ruleset.translations`). Ours are in a gettext catalogue, the domain
`arbitro`; a rulebook may have one, too (`Ruleset.catalogue_domain`; a plug-in's is in its own folder ``locale``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.environment import shipped_folder

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset
    from assistant.turn.texts import Translations

LANGUAGES = ("en", "it")
DOMAIN = "arbitro"
STALE_SECONDS = 2


def locale_folder(ruleset: Ruleset | None = None) -> Path:
    """The folder of the catalogues of a ruleset, or of ours: ``<language>/LC_MESSAGES/<domain>.po``."""
    if ruleset is None:
        return shipped_folder("reports") / "locale"
    if ruleset.locale_folder:
        return Path(ruleset.locale_folder)
    return next((_beside(home.folder) for home in ruleset.homes()), locale_folder())


def _beside(home: str) -> Path:
    return Path(home) / "locale" if home else locale_folder()


class DeclaredItalian(NullTranslations):
    """The Italian with which a rulebook declares its texts, as a catalogue."""

    def __init__(self, declared: Translations) -> None:
        super().__init__()
        self._declared = declared

    def gettext(self, message: str) -> str:
        """The Italian of a text; an unknown one unchanged."""
        return self._declared.texts.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The Italian of the text for one or for many."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def every_text(self) -> Iterator[str]:
        """All texts and words, in both languages."""
        for known in (self._declared.texts, self._declared.codes):
            yield from (*known.keys(), *known.values())

    def pgettext(self, context: str, message: str) -> str:
        """The Italian of a word; words are the only context that there is."""
        return self._declared.codes.get(message, message)


@lru_cache(maxsize=64)
def load_translations(domain: str, place: Path, lang: str) -> NullTranslations:
    """The catalogue of a domain and language: the compiled one, or in a checkout the .po itself.

    For English, and for a language without a catalogue, it returns the message ids.
    """
    home = place / lang / "LC_MESSAGES"
    compiled, source = home / f"{domain}.mo", home / f"{domain}.po"
    if lang == "en":
        return NullTranslations()
    if compiled.is_file() and not (
        source.is_file() and source.stat().st_mtime > compiled.stat().st_mtime + STALE_SECONDS
    ):
        with compiled.open("rb") as stream:
            return GNUTranslations(stream)
    if source.is_file():
        return _from_source(source)
    return NullTranslations()


def _from_source(source: Path) -> NullTranslations:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with source.open("rb") as stream:
        write_mo(compiled, read_po(stream))
    compiled.seek(0)
    return GNUTranslations(compiled)


def catalogues_of(ruleset: Ruleset | None, lang: str) -> tuple[NullTranslations, ...]:
    """Where to look a text up: what the ruleset declares, its own catalogue, those of books that it builds on, ours."""
    ours = load_translations(DOMAIN, locale_folder(), lang)
    catalogues: list[NullTranslations] = []
    for number, home in enumerate(ruleset.homes() if ruleset is not None else ()):
        if lang == "it":
            catalogues.append(DeclaredItalian(home.translations))
        place = _beside(home.folder) if number else locale_folder(ruleset)
        catalogues.append(load_translations(home.domain, place, lang))
    return (*catalogues, ours)


def texts_in(catalogue: NullTranslations) -> Iterator[str]:
    """All that a catalogue knows, in both languages."""
    if isinstance(catalogue, DeclaredItalian):
        yield from catalogue.every_text()
    elif isinstance(catalogue, GNUTranslations):
        known: dict[object, str] = getattr(catalogue, "_catalog", {})
        yield from (" ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in known)
        yield from known.values()


def translator(lang: str) -> Callable[[str], str]:
    """A function that translates Arbitro's own texts into a language, without any ruleset."""
    catalogue = load_translations(DOMAIN, locale_folder(), lang)
    return catalogue.gettext


def italian_of(text: str, ruleset: Ruleset | None = None) -> str:
    """The Italian of a message id, its braces unfilled, or the id itself if there is none (for the manual)."""
    return first_translation((catalogue.gettext(text) for catalogue in catalogues_of(ruleset, "it")), text)


def first_translation(candidates: Iterable[str], given: str = "") -> str:
    """The first of several texts that is neither blank nor equal to `given`; else `given`."""
    return next((text for text in candidates if text and text != given), given)
