"""Findings about the user's data, the texts they are worded with and the chapters of the book they cite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from assistant.campaign.tables import Record

# Texts where they are declared: marked for the catalogue, found by their keys; what their parameters mean.


T = TypeVar("T")

Meaning = Literal["faction", "place", "piece", "word", "text", "any"]
"""What the codes of a parameter stand for: a faction (else a word: a side, nobody); a place; anything else that has a
name of its own, such as an army; a word of the catalogue; a text of the club's, shown as it was typed. ``any``:
whatever has that code. A place `ENG` is not the faction England, and a club's words are not translated.
"""
FACTIONS = ("faction", "factions", "by", "besieger", "suspect", "opponent", "partner", "owner", "winner", "winners",
            "side", "side_a", "side_b")
PLACES = ("node", "nodes", "place", "places", "hex", "prev")
PIECES = ("army", "armies", "fleet", "unit", "group", "convoy", "train", "noble", "mercs", "battle")
WORDS = ("kind", "option", "item", "season", "status", "weather")
TEXTS = ("title", "note", "terms", "club", "name", "text")
MEANINGS: Mapping[str, Meaning] = MappingProxyType({
    **dict.fromkeys(FACTIONS, "faction"), **dict.fromkeys(PLACES, "place"), **dict.fromkeys(PIECES, "piece"),
    **dict.fromkeys(WORDS, "word"), **dict.fromkeys(TEXTS, "text")})
"""Names of parameters -> what they mean wherever nothing else is said; so do names that end in one of them after a
stroke (``hand_faction``).
"""


def meaning_of(name: str, said: Mapping[str, Meaning] | None = None) -> Meaning:
    """What a parameter means. `said`: what the event, question or finding itself says of its parameters."""
    found = (said.get(name) if said else None) or MEANINGS.get(name)
    if found is None and name.endswith(("_faction", "_node", "_place")):
        found = MEANINGS[name.rpartition("_")[2]]
    return found or "any"


def N_(text: str) -> str:  # noqa: N802 - the customary name of the mark for texts that are worded later
    """Mark a text for the catalogue; it is returned as it is."""
    return text


def keyed(*declared: T) -> dict[str, T]:
    """Findings, events, questions or citations by their first field: code, type, kind or key.

    Raises ValueError where one is declared twice.
    """
    found: dict[str, T] = {}
    for one in declared:
        thing: Any = one
        key = str(getattr(thing, fields(thing)[0].name))
        if key in found:
            raise ValueError(f"{type(one).__name__} {key} is declared twice")
        found[key] = one
    return found


# Citations: in goes what an event, phase or number rests on (``3c t34``), out comes the printed book's chapter.
#
# A ruleset declares each of its citations once, in `Ruleset.citations`: what the code writes, what a reader of the
# printed book looks up, and the heading of the ruleset's own page (``docs/rulebooks/NAME.md``) that says how the
# chapter is played here.


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


# Findings: what is to be said about the user's data, at a record's field. Returned, never raised.


Severity = Literal["error", "ambiguous", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "ambiguous", "warning", "info")
REFUSING: tuple[Severity, ...] = ("error", "ambiguous")
"""Those that refuse an order, or keep a phase from starting."""
FORMULA, ERROR_VALUE, TOO_LONG = "ARB-020", "ARB-021", "ARB-034"
"""What may stand in any cell and is no value."""


SAME_LETTER = 0.15
"""How much more alike two names are that begin alike: M9 was rather meant for M8 than for Z9."""


@dataclass(frozen=True)
class Where:
    """A place in the campaign: table (English sheet name), key of the row, field. Blank: the whole."""

    table: str = ""
    row: str = ""
    field: str = ""


@dataclass(frozen=True)
class Message:
    """A finding's wording: code, severity and English text with {braces}.

    `variants`: where a parameter decides the sentence, (parameter, {value: text}); `means`: as of an event.
    """

    code: str
    severity: Severity
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    means: Mapping[str, Meaning] | None = None


@dataclass(frozen=True)
class Finding:
    """One finding. `data` fills the braces of its message; `faction`: whom it concerns; `alone`: it is the affair of
    its row, which does not count, and keeps no phase from starting.
    """

    code: str
    severity: Severity
    where: Where = Where()
    data: Mapping[str, Any] = field(default_factory=dict)
    faction: str = ""
    cell: str = ""
    alone: bool = False

    @property
    def stops(self) -> bool:
        """Whether the row, or the phase if it is no order, cannot go on."""
        return self.severity in REFUSING


def found_at(messages: Mapping[str, Message], code: str, row: Record, column: str, **data: Any) -> Finding:
    """A finding at a column of a row, of whom the row is. Raises KeyError for a code that has no message."""
    return Finding(code, messages[code].severity, Where(row.sheet, row.ident, column), data,
                   str(getattr(row, "faction", "")))


class EachOnce:
    """A list of findings into which each is put once. What others append to the list counts as well."""

    def __init__(self, findings: list[Finding]) -> None:
        self._findings = findings
        self._alike: dict[tuple[str, Where, str], list[Finding]] = {}
        self._seen = 0

    def add(self, finding: Finding) -> None:
        """Append a finding that is not there yet."""
        for one in self._findings[self._seen:]:
            self._alike.setdefault((one.code, one.where, one.cell), []).append(one)
        self._seen = len(self._findings)
        alike = self._alike.setdefault((finding.code, finding.where, finding.cell), [])
        if finding not in alike:
            self._findings.append(finding)

    def look_again(self) -> None:
        """Findings were taken out of the list: look through all of it when the next one comes."""
        self._alike, self._seen = {}, 0


def each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Findings, each once, in the order in which they come first."""
    found: list[Finding] = []
    once = EachOnce(found)
    for one in findings:
        once.add(one)
    return found


def nearest(word: str, known: Iterable[str], least: float = 0.3) -> str:
    """The known code that looks most like the word, or "" when none comes near: never the very word, which is known
    and still does not do.

    `least`: how much must be alike, from 0 (nothing) to 1 (all). Codes are short, words are not.
    """
    import difflib

    wanted, by_fold = word.casefold(), {code.casefold(): code for code in sorted(known) if code != word}
    close = difflib.get_close_matches(wanted, by_fold, n=max(1, len(by_fold)), cutoff=least)

    def likeness(one: str) -> float:
        return difflib.SequenceMatcher(None, one, wanted).ratio() + (SAME_LETTER if one[:1] == wanted[:1] else 0)

    return by_fold[max(close, key=likeness)] if close else ""


def listed(known: Iterable[str], most: int = 30) -> str:
    """Names one after the other; where there are too many to read, the first of them and a sign that there are more."""
    names = list(known)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
