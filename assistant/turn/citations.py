"""Citations: in goes what an event, phase or number rests on (``3c t34``), out comes the printed book's chapter.

A ruleset declares each of its citations once, in `Ruleset.citations`: what the code writes, what a reader of the
printed book looks up, and the heading of the ruleset's own page (``docs/rulebooks/NAME.md``) that says how the
chapter is played here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_BETWEEN = re.compile(r"[,\s]+")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Citation:
    """One chapter or table that is cited.

    `key`: what `Event.rule` holds, without blanks and commas; `en`, `it`: the printed chapter as a report shows it
    ("" in `it`: as in English); `heading`: of the ruleset's page; `page`: in the printed book, 0 where it is not
    known; `was`: keys under which older versions cited it, so that the events of a running campaign are still shown.
    """

    key: str
    en: str
    it: str = ""
    heading: str = ""
    page: int = 0
    was: tuple[str, ...] = ()

    def printed(self, lang: str) -> str:
        """The printed chapter in a language."""
        return self.it if lang == "it" and self.it else self.en

    @property
    def anchor(self) -> str:
        """The heading as a link names it: ``Table 34: meetings`` -> ``table-34-meetings``."""
        return _NOT_IN_ANCHORS.sub("", self.heading.lower()).strip().replace(" ", "-")


def citations(declared: Iterable[Citation]) -> Mapping[str, Citation]:
    """Citations by their key. Raises ValueError for a key that is declared twice or could not be told from others."""
    found: dict[str, Citation] = {}
    for one in declared:
        if keys_in(one.key) != (one.key,) or one.key in found:
            raise ValueError(f"citation {one.key!r}")
        found[one.key] = one
    return found


def keys_in(rule: str) -> tuple[str, ...]:
    """The keys in what an event cites: ``"2b, t32"`` -> ``("2b", "t32")``."""
    return tuple(key for key in _BETWEEN.split(rule) if key)


def printed(rule: str, declared: Mapping[str, Citation], lang: str) -> str:
    """What a reader is shown for `rule`: the printed chapters, one after the other, each once.

    A rule of which a part is not declared is shown as it stands: a plug-in's without citations, or the desk's own.
    """
    older = {key: one for one in declared.values() for key in one.was}
    found = [declared.get(key) or older.get(key) for key in keys_in(rule)]
    known = [one.printed(lang) for one in found if one is not None]
    return ", ".join(dict.fromkeys(known)) if known and len(known) == len(found) else rule


__all__ = ["Citation", "citations", "keys_in", "printed"]
