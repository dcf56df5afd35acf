"""Derived columns: a row in; what its worded cells say out, an event, question or finding, or a number by the book."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from assistant.campaign.record import Record
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws.dice import PUBLIC, REFEREE
from assistant.wording import Wording
from assistant.workbook.labels import label
from assistant.workbook.layout import OFFERS


class Derivations:
    """The values of derived columns by sheet and name, in the campaign's language."""

    def __init__(self, ruleset: Ruleset | None, wording: Wording, lang: str, edition: str) -> None:
        self._wording, self._ruleset = wording, ruleset
        self._lang = lang
        self._edition = edition
        self._numbers: dict[str, Number | Switch] = {n.key: n for n in ruleset.numbers} if ruleset else {}
        self._makers: dict[tuple[str, str], Callable[[Any], Any]] = {
            ("Events", "*worded"): wording.event,
            ("Questions", "*worded"): wording.question,
            ("Questions", "*to"): lambda row: self.circle(row.to),
            ("Questions", "*options"): lambda row: wording.options(row.options),
            ("Questions", "*default"): lambda row: wording.options(row.default),
            ("Findings", "*worded"): self._finding,
            **{("Questions", name): partial(self._offered, self._options, n)
               for n, name in enumerate(OFFERS["Questions", "answer"])},
            **{("Battles", name): partial(self._offered, self._sides, n)
               for n, name in enumerate(OFFERS["Battles", "winner"])},
            ("Dice", "*who"): lambda row: self.circle(row.audience),
            ("Rules", "*default"): lambda row: self._rule(row.key)[0],
            ("Rules", "*unit"): lambda row: self._rule(row.key)[1],
            ("Rules", "*source"): lambda row: self._rule(row.key)[2],
            ("Rules", "*meaning"): lambda row: self._rule(row.key)[3],
        }

    def value(self, sheet: str, name: str, row: Record) -> str | int | None:
        """What the cell of a derived column shows. Raises KeyError for an unknown column."""
        found: str | int | None = self._makers[sheet, name](row)
        return None if found == "" else found  # a cell of empty text is no blank cell

    def circle(self, audience: str) -> str:
        """Who may know a die, in words."""
        words = {"": "", PUBLIC: label("everybody", self._lang), REFEREE: label("referee", self._lang)}
        return words.get(audience, audience.replace("+", ", "))

    def _offered(self, words: Callable[[Any], list[str]], n: int, row: Record) -> str:
        """What a drop-down of a row that waits for somebody offers in one place; "" for nothing."""
        if row.hold != "asked":
            return ""
        found = words(row)
        return found[n] if n < len(found) else ""

    def _options(self, row: Any) -> list[str]:
        """The options that can be taken as they stand: not ``promise:n``."""
        codes = [one.strip() for one in row.options.split(",")]
        return [self._wording.options(one) for one in codes if one and not one.endswith(":n")]

    def _sides(self, row: Any) -> list[str]:
        """What the form takes for who has won, by name."""
        offers = self._ruleset.form.offers if self._ruleset is not None and self._ruleset.form is not None else None
        return [self._wording.names.text(one) for one in offers(row, self._lang)] if offers is not None else []

    def _finding(self, row: Any) -> str:
        found = Finding(row.code, row.severity, Where(row.table, row.row, row.field), row.data, row.faction)
        return self._wording.finding(found)

    def _rule(self, key: str) -> tuple[str | int, str, str, str]:
        one = self._numbers.get(key)
        if one is None:
            return "", "", "", ""
        meaning, source = self._wording.text(one.meaning), self._wording.printed(one.source)
        if isinstance(one, Number):
            return one.default, self._wording.text(one.unit) if one.unit else "", source, meaning
        default = (one.by_edition or {}).get(self._edition, one.default)
        return default, ", ".join(one.options), source, meaning
