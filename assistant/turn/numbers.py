"""The numbers and switches of a rulebook: declared once, with unit, default, source and a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.turn.findings import Finding, Where, nearest

BAD_RULE, UNKNOWN_RULE = "ARB-061", "ARB-062"


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the book. `tag`: FOUND, DERIVED or ASSUMED; `meaning`: an English sentence (msgid)."""

    key: str
    default: int
    unit: str
    source: str
    meaning: str
    tag: str = "FOUND"
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class Switch:
    """A named choice where the text is ambiguous or has versions; the first option is the default.

    `free`: any text may be typed; `pattern`: any text that matches it.
    """

    key: str
    options: tuple[str, ...]
    source: str
    meaning: str
    by_edition: Mapping[str, str] | None = None
    free: bool = False
    pattern: str = ""

    @property
    def default(self) -> str:
        """The first option."""
        return self.options[0] if self.options else ""


def holds(one: Number | Switch, value: Any) -> bool:
    """Whether a typed value is one that this number or switch can have."""
    if isinstance(one, Switch):
        if one.pattern:
            return re.fullmatch(one.pattern, str(value)) is not None
        return one.free or str(value) in one.options
    return isinstance(value, int) and value >= min(one.minimum, one.default)


def allowed(one: Number | Switch) -> str:
    """What may be typed for it, in signs."""
    return ", ".join(one.options) if isinstance(one, Switch) else f">= {min(one.minimum, one.default)}"


def check_typed(declared: Iterable[Number | Switch], rules: Table[Rule]) -> list[Finding]:
    """Findings for rows of Rules whose value cannot be (ARB-061), or whose key nobody knows (ARB-062)."""
    by_key = {one.key: one for one in declared}
    found = []
    for row in rules:
        where = Where(Rule.sheet, row.key, "value")
        if row.key not in by_key:
            found.append(Finding(UNKNOWN_RULE, "warning", Where(Rule.sheet, row.key, "key"),
                                 {"seen": row.key, "near": nearest(row.key, by_key)}))
        elif row.value != "" and not holds(by_key[row.key], row.value):
            found.append(Finding(BAD_RULE, "error", where, {"key": row.key, "seen": str(row.value),
                                                            "allowed": allowed(by_key[row.key])}))
    return found


class Rules:
    """Values by key as attributes: the Rules sheet's, else the edition's preset, else the default."""

    def __init__(self, declared: Iterable[Number | Switch], edition: str,
                 typed: Mapping[str, Any] | None = None) -> None:
        self.edition = edition
        declared = tuple(declared)
        self._values: dict[str, Any] = {}
        for one in declared:
            if isinstance(one, Switch) and one.by_edition and edition in one.by_edition:
                self._values[one.key] = one.by_edition[edition]
            else:
                self._values[one.key] = one.default
        by_key = {one.key: one for one in declared}
        for key, value in (typed or {}).items():
            if key in by_key and holds(by_key[key], value):
                self._values[key] = str(value) if isinstance(self._values[key], str) else int(value)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self._values[key]
        except KeyError:
            raise AttributeError(f"no number or switch {key}") from None

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def values(self) -> dict[str, Any]:
        """All values by key, in the order of declaration."""
        return dict(self._values)


def typed_values(rules: Table[Rule]) -> dict[str, Any]:
    """What the Rules sheet sets by hand: key -> value, blanks left out."""
    return {row.key: row.value for row in rules if row.value != ""}
