"""The numbers and switches of a rulebook: declared once, with unit, default, source and a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.records import Rule
from assistant.campaign.table import Table


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
    """A named choice where the text is ambiguous or has versions; the first option is the default."""

    key: str
    options: tuple[str, ...]
    source: str
    meaning: str
    by_edition: Mapping[str, str] | None = None
    free: bool = False

    @property
    def default(self) -> str:
        """The first option."""
        return self.options[0] if self.options else ""


class Rules:
    """Values by key as attributes: the Rules sheet's, else the edition's preset, else the default."""

    def __init__(self, declared: Iterable[Number | Switch], edition: str,
                 typed: Mapping[str, Any] | None = None) -> None:
        self.edition = edition
        self._values: dict[str, Any] = {}
        for one in declared:
            if isinstance(one, Switch) and one.by_edition and edition in one.by_edition:
                self._values[one.key] = one.by_edition[edition]
            else:
                self._values[one.key] = one.default
        for key, value in (typed or {}).items():
            if key in self._values:
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
