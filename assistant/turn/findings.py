"""Findings: what is to be said about the user's data, at a record's field. Returned, never raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.campaign.record import Record
from assistant.turn.texts import Meaning

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
