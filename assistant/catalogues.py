"""Message catalogues: translates English texts.

English texts are the message ids. The Italian ones are in gettext catalogues: the domain `arbitro`, and one domain per
ruleset (`Ruleset.catalogue_domain`; a plug-in has it in its own folder ``locale``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.environment import shipped_folder

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset

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
    """The catalogues to look a text up in: the ruleset's own, those of books that it builds on, then ours."""
    ours = load_translations(DOMAIN, locale_folder(), lang)
    if ruleset is None:
        return (ours,)
    places = [(home.domain, _beside(home.folder)) for home in ruleset.homes() if home.domain]
    places[:1] = [(domain, locale_folder(ruleset)) for domain, _ in places[:1]]
    return (*(load_translations(domain, place, lang) for domain, place in places), ours)


def translator(lang: str) -> Callable[[str], str]:
    """A function that translates Arbitro's own texts into a language, without any ruleset."""
    catalogue = load_translations(DOMAIN, locale_folder(), lang)
    return catalogue.gettext


def italian_of(text: str, ruleset: Ruleset | None = None) -> str:
    """The Italian of a message id, its braces unfilled, or the id itself if there is none (for the manual)."""
    return first_translation((catalogue.gettext(text) for catalogue in catalogues_of(ruleset, "it")), text)


def first_translation(found: Iterable[str], given: str = "") -> str:
    """The first of several texts that is neither blank nor equal to `given`; else `given`."""
    return next((text for text in found if text and text != given), given)
