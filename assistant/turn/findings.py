"""Findings about the user's data, their texts, and citations of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.tables import Record
from assistant.turn.texts import Meaning

# Texts for the catalogue and the meaning of their parameters.


# Citations of the printed book.
#
# A ruleset declares each citation once, in `Ruleset.citations`: the key that the code uses (``3c t34``), the chapter
# that a reader of the printed book looks up, and the heading on the ruleset's own page (``docs/rulebooks/NAME.md``)
# that says how the chapter is played here.


_BETWEEN = re.compile(r"[,\s]+")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


class Citation(NamedTuple):
    """One chapter or table that is cited.

    `key`: the key in `Event.rule`, without blanks and commas; `en`, `it`: the chapter as a report shows it ("" in `it`:
    as in English); `heading`: on the ruleset's page; `page`: in the printed book, 0 if unknown; `was`: keys of older
    versions, so that events of a running campaign can still be shown.
    """

    key: str
    en: str
    it: str = ""
    heading: str = ""
    page: int = 0
    was: tuple[str, ...] = ()

    def chapter_in(self, lang: str) -> str:
        """The printed chapter in a language."""
        return self.it if lang == "it" and self.it else self.en

    @property
    def is_bare(self) -> bool:
        """Whether the book names the chapter by initials alone, such as ``MF``, which nobody knows by heart."""
        return bool(self.heading) and self.en.isalpha() and self.en.isupper() and len(self.en) > 1

    @property
    def anchor(self) -> str:
        """The heading as a link names it: ``Table 34: meetings`` -> ``table-34-meetings``."""
        return _NOT_IN_ANCHORS.sub("", self.heading.lower()).strip().replace(" ", "-")


def citations_by_key(declared: Iterable[Citation]) -> Mapping[str, Citation]:
    """Citations by their key. Raises ValueError for a key that is declared twice or contains blanks or commas."""
    citations: dict[str, Citation] = {}
    for citation in declared:
        if cited_keys(citation.key) != (citation.key,) or citation.key in citations:
            raise ValueError(f"citation {citation.key!r}")
        citations[citation.key] = citation
    return citations


def cited_keys(rule: str) -> tuple[str, ...]:
    """The keys in an event's citation: ``"2b, t32"`` -> ``("2b", "t32")``."""
    return tuple(key for key in _BETWEEN.split(rule) if key)


def printed_chapters(rule: str, declared: Mapping[str, Citation], lang: str) -> str:
    """The printed chapters that `rule` cites, each once, as a reader is shown them.

    If one of its keys is not declared (a plug-in without citations, the desk's own events), `rule` is shown unchanged.
    """
    older = {key: citation for citation in declared.values() for key in citation.was}
    citations = [declared.get(key) or older.get(key) for key in cited_keys(rule)]
    known = [citation.chapter_in(lang) for citation in citations if citation is not None]
    return ", ".join(dict.fromkeys(known)) if known and len(known) == len(citations) else rule


__all__ = ["Citation", "citations_by_key", "cited_keys", "printed_chapters"]


# Findings about the user's data. They are returned, never raised.


Severity = Literal["error", "ambiguous", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "ambiguous", "warning", "info")
REFUSING: tuple[Severity, ...] = ("error", "ambiguous")
"""The severities that refuse an order or keep a phase from starting."""
FORMULA, ERROR_VALUE, TOO_LONG = "ARB-020", "ARB-021", "ARB-034"
"""Findings that any cell can have: it holds a formula, an error value, or too long a text."""


SAME_LETTER = 0.15
"""Bonus for names with the same first letter: M9 was more likely meant as M8 than as Z9."""


class Where(NamedTuple):
    """A place in the campaign: table (English sheet name), key of the row, field. A blank part means all of them."""

    table: str = ""
    row: str = ""
    field: str = ""


class Message(NamedTuple):
    """A finding's wording: code, severity and English text with {braces}.

    `variants`: if a parameter decides the sentence, (parameter, {value: text}); `means`: as in `EventType`; `certain`:
    of an order, whether nothing that happens before its phase can put it right.
    """

    code: str
    severity: Severity
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    means: Mapping[str, Meaning] | None = None
    certain: bool = False


class Later(NamedTuple):
    """The phase to come that would say something. `certain`: whatever happens before it; `order`: the number of an
    order that is carried out before and names the same, "" for none; `cause`: what is not as the order takes it to be,
    the same for all remarks that fall away with one of them, "" if it stands alone; `more`: the orders of those
    that are not told.
    """

    turn: str
    phase: str
    certain: bool
    order: str = ""
    cause: str = ""
    more: str = ""


class Finding(NamedTuple):
    """One finding. `data` fills the braces of its message; `faction`: whom it concerns; `alone`: it only affects its
    row, which does not count, and does not keep a phase from starting; `later`: if it is a remark, the phase to come
    that would say it.
    """

    code: str
    severity: Severity
    where: Where = Where()
    data: Mapping[str, Any] = MappingProxyType({})
    faction: str = ""
    cell: str = ""
    alone: bool = False
    later: Later | None = None

    @property
    def stops(self) -> bool:
        """Whether it stops the order in its row, or the phase if it is not about an order."""
        return self.severity in REFUSING


def finding_at(messages: Mapping[str, Message], code: str, row: Record, column: str, **data: Any) -> Finding:
    """A finding at a column of a row, for the row's faction. Raises KeyError for a code without a message."""
    return Finding(code, messages[code].severity, Where(row.sheet, row.ident, column), data,
                   str(getattr(row, "faction", "")))


class UniqueFindings:
    """Adds findings to a list, each only once; findings that others append to the list are taken into account."""

    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings
        self._alike: dict[tuple[str, Where, str], list[Finding]] = {}
        self._seen = 0

    def add(self, finding: Finding) -> None:
        """Append a finding that is not in the list yet."""
        for known in self._findings[self._seen:]:
            self._alike.setdefault((known.code, known.where, known.cell), []).append(known)
        self._seen = len(self._findings)
        alike = self._alike.setdefault((finding.code, finding.where, finding.cell), [])
        if finding not in alike:
            self._findings.append(finding)

    def look_again(self) -> None:
        """Forget what is in the list, because findings were taken out of it; `add` looks through it again."""
        self._alike, self._seen = {}, 0


def unique_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without duplicates, in order of first appearance."""
    first: list[Finding] = []
    once = UniqueFindings(first)
    for finding in findings:
        once.add(finding)
    return first


def nearest(word: str, known: Iterable[str], least: float = 0.3) -> str:
    """The known code most similar to the word, or "" if none is close.

    It is never the word itself, which would be no help even if it is known. `least`: the similarity required, from 0 to
    1; short codes need a lower one than words.
    """
    import difflib

    wanted, by_fold = word.casefold(), {code.casefold(): code for code in sorted(known) if code != word}
    close = difflib.get_close_matches(wanted, by_fold, n=max(1, len(by_fold)), cutoff=least)

    def likeness(code: str) -> float:
        return difflib.SequenceMatcher(None, code, wanted).ratio() + (SAME_LETTER if code[:1] == wanted[:1] else 0)

    return by_fold[max(close, key=likeness)] if close else ""


def join_names(known: Iterable[str], most: int = 30) -> str:
    """Names separated by commas; of too many only the first, with an ellipsis."""
    names = list(known)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
