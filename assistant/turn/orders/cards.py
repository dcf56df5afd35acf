"""The orders card: for each verb one line that says what to write where, with an example, its price and its time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import CLUBLESS, Faction
from assistant.turn.numbers import Number, Rules
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.shorthand import show
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.texts import N_

Say = Callable[..., str]
"""Words a text (msgid) with what fills its braces in the reader's language."""


@dataclass(frozen=True)
class Card:
    """One line of the card, worded. `also`: other words that are understood; `when`: what stands in the column For."""

    verb: str
    also: str
    when: str
    columns: str
    example: str
    cost: str
    help: str


@dataclass(frozen=True)
class Edition:
    """What a card is made of beside the verbs: the record of Orders, the numbers in force and declared, the words of
    the column For by the word for the time (`Phase.takes`), a campaign whose codes the examples use, and the faction
    that gives them ("": any that can). `brief`: nothing is said of the columns; `languages`: those of the book, whose
    words alone are named.
    """

    order: type[Record]
    rules: Rules
    numbers: Mapping[str, Number]
    times: Mapping[str, Sequence[str]]
    campaign: Campaign | None = None
    faction: str = ""
    brief: bool = False
    languages: Sequence[str] = ("en", "it")


def cards(book: OrderBook, edition: Edition, lang: str, say: Say) -> list[Card]:
    """The card in a language, in the book's order; verbs that a ruleset does not declare with their columns are left
    out, and those for which it names no time.
    """
    return [_card(book, verb, edition, lang, say) for verb in book.values()
            if verb.deed is not None and any(time in edition.times for time in verb.when)]


def _card(book: OrderBook, verb: Verb, edition: Edition, lang: str, say: Say) -> Card:
    word, other = (verb.it, verb.en) if lang == "it" else (verb.en, verb.it)
    others = (other, *verb.also) if other == verb.en or "it" in edition.languages else verb.also
    heading = {name: edition.order.column(name).heading(lang) for name in verb.columns}
    told = [] if edition.brief else [f"{heading[name]}: {_holds(kind, verb, lang, say)}"
                                     for name, kind in verb.kinds.items()]
    said = _example_line(book, verb, edition.campaign, lang, edition.faction) if edition.campaign is not None else ""
    return Card(word, ", ".join(dict.fromkeys(others)), _times(verb, edition.times), "; ".join(told),
                said, _price(verb, edition, heading, lang, say),
                say(verb.help) if verb.help else "")


def _times(verb: Verb, times: Mapping[str, Sequence[str]]) -> str:
    """What stands in the column For: of many words for one time the first and the last."""
    found = []
    for time in verb.when:
        words = list(dict.fromkeys(times.get(time, ())))
        found += [f"{words[0]} … {words[-1]}"] if len(words) > 2 else words
    return ", ".join(found)


def _holds(kind: Kind, verb: Verb, lang: str, say: Say) -> str:
    """What stands in a column, in a few words."""
    sheets = [record.sheet_it if lang == "it" else record.sheet for record in kind.tables()]
    words = [italian if lang == "it" else code for code, italian in kind.words.items()]
    told = say(kind.told, sheets=" / ".join(sheets), words=", ".join(words))
    return f"{told} ({say(N_('may be left out'))})" if kind.optional(verb.columns) else told


def _price(verb: Verb, edition: Edition, heading: Mapping[str, str], lang: str, say: Say) -> str:
    cost = verb.cost
    if cost is None:
        return ""
    if not cost.number:
        return say(N_("what stands in {column}"), column=heading.get(cost.times, "")) if cost.times else say(cost.told)
    options = verb.kinds["option"].words if "{option}" in cost.number else {"": ""}
    keys = {(italian if lang == "it" else code): cost.number.format(option=code) for code, italian in options.items()}
    unit = say(edition.numbers[next(iter(keys.values()))].unit)
    price = ", ".join(f"{word} {edition.rules[key]}".strip() for word, key in keys.items())
    more = f" × {heading[cost.times]}" if cost.times else f" {say(cost.told)}" if cost.told else ""
    return f"{price} {unit}{more}"


def example(verb: Verb, campaign: Campaign, giver: str = "") -> dict[str, Any]:
    """The fields of an order of that verb as a faction might give it, or somebody; it need not be a legal one.

    {} where the campaign has nothing to name.
    """
    for faction in campaign.table(Faction):
        if faction.role in CLUBLESS or giver not in ("", faction.faction):
            continue
        fields: dict[str, Any] = {"verb": verb.en}
        for name, kind in verb.kinds.items():
            said = kind.example(campaign, faction.faction, fields)
            if said:
                fields[name] = said
        if not {name for name in verb.needed() if name not in fields}:
            return fields
    return {}


def _example_line(book: OrderBook, verb: Verb, campaign: Campaign, lang: str, giver: str = "") -> str:
    """The same as a line in a language; "" where the campaign has nothing to name."""
    said = {name: verb.kinds[name].worded(value, campaign, lang) if name in verb.kinds else value
            for name, value in example(verb, campaign, giver).items()}
    return show(book, said, lang) if said else ""


def example_line(book: OrderBook, campaign: Campaign, lang: str) -> str:
    """A line as somebody in the campaign might write it; "" where the campaign has nothing to name."""
    for verb in book.values():
        said = _example_line(book, verb, campaign, lang) if verb.deed is not None else ""
        if said:
            return said
    return ""


def example_like(book: OrderBook, campaign: Campaign, lang: str, text: str, giver: str) -> str:
    """The same with the verb that a text names; "" where it names none, or the faction has nothing to name."""
    verb = next((book[code] for word in re.findall(r"\w+", text) if (code := book.code(word))), None)
    return _example_line(book, verb, campaign, lang, giver) if verb is not None and verb.deed is not None else ""
