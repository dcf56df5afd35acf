"""A rulebook's numbers and switches in words: one with its value in; the rule as a sentence out, and words as options.

What a rulebook without words of its own calls an option is guessed from its key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from assistant.campaign.columns import NO_WORDS, YES_WORDS
from assistant.campaign.records import Rule
from assistant.turn.numbers import Number, Switch, holds
from assistant.turn.texts import N_

_FLAGS: Mapping[str, Iterable[str]] = {"yes": YES_WORDS, "no": NO_WORDS, "on": YES_WORDS, "off": NO_WORDS}
_NO_VALUE = "…"
_ARTICLE = re.compile(r"^(?:l'|(?:il|lo|la|i|gli|le|the) )")
"""What may stand before an option's words, and be left out."""
_WHOLE = re.compile(r"[+-]?\d+")


class Words(Protocol):
    """What says texts and words in one language (`Wording`)."""

    def text(self, msgid: str, /, **data: Any) -> str:
        """A sentence in the language, its braces filled."""

    def word(self, word: str) -> str:
        """A single word in the language; itself where nobody knows it."""


def option_words(one: Switch, option: str, words: Words) -> str:
    """What an option is called, or the text that was typed where any may be; "" for a blank without words."""
    if option in one.options[:len(one.words)]:
        return words.text(one.words[one.options.index(option)])
    if option not in one.options:
        return option
    found = words.word(option)
    return found if found != option else option.replace("_", " ")


def value_words(one: Number | Switch, value: Any, words: Words) -> str:
    """A value as it is read in a line: ``25 ducats``, or what the option is called."""
    if isinstance(one, Switch):
        return option_words(one, str(value), words)
    return with_unit(value, words.text(one.unit) if one.unit else "")


def with_unit(value: Any, unit: str) -> str:
    """A value and its unit, "" for none.

    A unit is written in the plural, or tells of a die: beside a 1, and beside such a die, it stands in brackets.
    """
    if not unit:
        return str(value)
    apart = unit[:1].isdigit() or (unit[:1].isalpha() and value in (1, -1))
    return f"{value} ({unit})" if apart else f"{value} {unit}"


def rule_sentence(one: Number | Switch, value: Any, words: Words) -> str:
    """The rule with a value, as a sentence; of a declaration that leaves no place for it what it is about, and the
    value.
    """
    if isinstance(one, Switch) and "{option}" in one.meaning:
        said = words.text(one.meaning, option=option_words(one, str(value), words))
    elif isinstance(one, Number) and isinstance(value, int) and ("{n}" in one.meaning or "{signed}" in one.meaning):
        said = words.text(one.meaning, n=value, signed=f"{value:+d}")
    else:
        said = f"{words.text(one.meaning).rstrip('.')}: {value_words(one, value, words)}."
    return said[:1].upper() + said[1:]


def says_another_value(one: Number | Switch, sentence: str, words: Words) -> bool:
    """Whether a sentence is the rule with any value that it can have."""
    values: Iterable[Any] = one.options if isinstance(one, Switch) else map(int, _WHOLE.findall(sentence))
    return any(holds(one, value) and rule_sentence(one, value, words) == sentence for value in values)


def rule_subject(one: Number | Switch, words: Words) -> str:
    """What a number or a switch decides, with a gap where its value goes."""
    said = words.text(one.meaning, option=_NO_VALUE, n=_NO_VALUE, signed=_NO_VALUE)
    return said.replace(f"{_NO_VALUE}.", _NO_VALUE)


def option_typed(one: Switch, typed: str, languages: Iterable[Words]) -> str:
    """The option that was typed, by its key or by what it is called in one of these languages; "" for none."""
    seen = _folded(typed)
    spoken = tuple(languages)
    for option in one.options:
        called = {option, option.replace("_", " "), *(option_words(one, option, words) for words in spoken)}
        if seen in map(_folded, called) or seen in _FLAGS.get(option, ()):
            return option
    return ""


def _folded(text: str) -> str:
    return _ARTICLE.sub("", " ".join(text.casefold().replace("\u2019", "'").split()).rstrip("."))


def called(declared: Iterable[Number | Switch], key: str, words: Words) -> dict[str, str]:
    """Option -> its words, of the switch of a row of Rules; {} for a number or what the rulebook does not have."""
    one = next((switch for switch in declared if switch.key == key), None)
    return {option: option_words(one, option, words) for option in one.options if option} if isinstance(
        one, Switch) else {}


def canonical(declared: Mapping[str, Number | Switch], row: Rule, languages: Callable[[], Iterable[Words]]) -> Any:
    """The value of a row of Rules as the book has it, where an option was typed in words; else as it stands."""
    one = declared.get(row.key.rpartition(".")[2])
    if not isinstance(one, Switch) or row.value == "" or str(row.value) in one.options:
        return row.value
    meant = option_typed(one, str(row.value), languages())
    return meant if meant and not (one.free or holds(one, row.value)) else row.value


def house_rule(declared: Iterable[Number | Switch], key: str, old: str, new: str, words: Words) -> dict[str, str]:
    """What tells a change of a row of Rules: `now`, the rule as a sentence that goes on after a colon; `before`, the
    value until then (also as `old`); `was`, the rule until then; `how`: ``rule``, or ``book`` where the row is
    emptied. {} for what the rulebook does not have.

    `old`, `new`: as the row has them, "" where the book's own value holds.
    """
    one = next((number for number in declared if number.key == key.rpartition(".")[2]), None)
    if one is None:
        return {}
    told = {name: rule_sentence(one, _typed(one, value), words).rstrip(".") if holds(one, _typed(one, value)) else ""
            for name, value in (("now", new), ("was", old))}
    before = value_words(one, _typed(one, old), words) if old else words.text(N_("as the book has it"))
    return {"how": "rule" if new else "book", "now": _within(told["now"]), "was": _within(told["was"]),
            "before": before, "old": before}


def _typed(one: Number | Switch, value: str) -> Any:
    return int(value) if isinstance(one, Number) and value.lstrip("+-").isdecimal() else value


def _within(sentence: str) -> str:
    """A sentence as it stands behind a colon: names of the book keep their capital, articles do not."""
    head = sentence.partition(" ")[0]
    return sentence if head.isupper() and len(head) > 1 else sentence[:1].lower() + sentence[1:]


__all__ = ["Words", "called", "canonical", "house_rule", "option_typed", "option_words", "rule_sentence",
           "rule_subject", "says_another_value", "value_words"]
