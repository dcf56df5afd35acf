"""What a person calls a row of the past: Venice's order, its answer to a question, a die, a battle; never its key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die, FormRow, Order, Question
from assistant.campaign.tables import Record
from assistant.desk.intake.take_orders import order_words
from assistant.speech import names_of
from assistant.turn.dice import REFEREE
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

_PARTS = re.compile(r"[/:]")
"""Between the parts of a die's purpose."""


def row_name(row: Record, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row in words, without what was typed as its answer or value. `campaign`: what the words of an order mean."""
    if isinstance(row, Order):
        return words.text(N_("{faction}, order: {text}"), faction=row.faction,
                          text=Verbatim(order_words(row, ruleset, words, campaign)))
    if isinstance(row, Question):
        about = [words.names.text(part) for part in _PARTS.split(row.about) if part]
        asked = Verbatim(" ".join([words.word(row.kind), ", ".join(about)]).strip())
        return str(asked) if row.to == REFEREE else words.text(N_("{faction}, answer: {text}"), faction=row.to,
                                                               text=asked)
    if isinstance(row, Die):
        word, *about = _PARTS.split(row.key)
        kind = ruleset.rolls.get(word)
        told = [words.names.text(part) for part in about if words.names.called(part)]
        title = words.text(kind.title) if kind is not None else words.word(word).capitalize()
        return words.text(N_("Die: {text}"), text=Verbatim(", ".join([title, *(told or about)])))
    battle = campaign.table(Battle).get(row.battle) if isinstance(row, (Battle, FormRow)) else None
    if battle is not None:
        called = words.names.text(battle.battle)
        named = f"{called[:1].upper()}{called[1:]} ({battle.battle})"
        return named if isinstance(row, Battle) else f"{named}, {words.names.text(row.ident.rpartition('/')[2])}"
    return key_name(row.sheet, row.ident, ruleset, words)


def key_name(sheet: str, key: str, ruleset: Ruleset, words: Wording) -> str:
    """A row by its sheet and its key, each part of it in words: ``Loans Venice, 1500``."""
    parts = [words.names.text(part) if words.names.called(part) else words.word(ruleset.phase_word(part, words.lang))
             for part in key.split("/")]
    return f"{words.text('{sheet}', sheet=sheet)} {', '.join(parts)}"


def brief_name(row: Record, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """The same without what an order says."""
    return words.text(N_("{faction}, order"), faction=row.faction) if isinstance(row, Order) else row_name(
        row, ruleset, words, campaign)


def naming(words: Wording, ruleset: Ruleset, campaign: Campaign) -> Wording:
    """The same words with the names of a campaign's places and units, too."""
    return Wording(ruleset, words.lang, names_of(campaign, words.lang, ruleset.named))


def told_apart(names: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    """Names of rows, those that occur more than once with the row's key behind."""
    often = Counter(names)
    return tuple(f"{name} ({key})" if often[name] > 1 else name for name, key in zip(names, keys, strict=True))
