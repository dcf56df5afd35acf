"""Cells: a row in; what they show out, its own values, and what is worded from it, such as a number by the book."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from assistant.campaign.columns import Column
from assistant.campaign.record import Record
from assistant.campaign.records import Rule
from assistant.speech.rules import option_words, rule_sentence, says_another_value
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch, default_in, holds
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws.dice import PUBLIC, REFEREE
from assistant.wording import Wording
from assistant.workbook.labels import label
from assistant.workbook.layout import OFFERS
from assistant.workbook.read.values import cell_value


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
            ("Rules", "*default"): partial(self._of_rule, self._by_the_book),
            ("Rules", "*unit"): partial(self._of_rule, lambda one, _: self._unit(one)),
            ("Rules", "*source"): partial(self._of_rule, lambda one, _: wording.printed(one.source)),
            ("Rules", "*meaning"): partial(self._of_rule, self._in_force),
        }

    def value(self, sheet: str, name: str, row: Record) -> str | int | None:
        """What the cell of a derived column shows. Raises KeyError for an unknown column."""
        found: str | int | None = self._makers[sheet, name](row)
        return None if found == "" else found  # a cell of empty text is no blank cell

    def held(self, row: Record, column: Column) -> float | str | None:
        """What the cell of a field shows; the options of the rulebook's switches are shown in words.

        Raises OverflowError for text that no cell can hold.
        """
        value = getattr(row, column.name)
        if isinstance(row, Rule) and column.name == "value":
            one = self._numbers.get(row.key)
            if isinstance(one, Switch) and value != "" and str(value) in one.options:
                said = option_words(one, str(value), self._wording)
                value = said if said != str(value) else value
        return cell_value(column, value, self._lang)

    def outdated(self, sheet: str, name: str, row: Record, seen: str) -> bool:
        """Whether a worded cell says what it said of an earlier value of the row, which somebody has changed since."""
        one = self._numbers.get(row.key) if (sheet, name) == ("Rules", "*meaning") and isinstance(row, Rule) else None
        return one is not None and says_another_value(one, seen, self._wording)

    def offered(self, one: Switch) -> list[str]:
        """What the drop-down of a switch offers: its options in words."""
        return [option_words(one, option, self._wording) or option for option in one.options]

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

    def _of_rule(self, say: Callable[[Number | Switch, Any], str | int], row: Any) -> str | int:
        one = self._numbers.get(row.key)
        return "" if one is None else say(one, row.value)

    def _by_the_book(self, one: Number | Switch, _: Any) -> str | int:
        default = default_in(one, self._edition)
        return option_words(one, str(default), self._wording) if isinstance(one, Switch) else default

    def _unit(self, one: Number | Switch) -> str:
        """The unit of a number, or what may be chosen."""
        if isinstance(one, Switch):
            return "; ".join(filter(None, self.offered(one)))
        return self._wording.text(one.unit) if one.unit else ""

    def _in_force(self, one: Number | Switch, typed: Any) -> str:
        """The rule with the value that counts: what was typed, else the book's."""
        value = typed if typed != "" and holds(one, typed) else default_in(one, self._edition)
        return rule_sentence(one, value, self._wording)
