"""A rulebook that says the usual: its numbers under their own class, counted turns, orders that come too late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Rule
from assistant.campaign.table import Table
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Rules, typed_values
from assistant.turn.orders.cards import Card, Say
from assistant.turn.orders.refusal import Role
from assistant.turn.ruleset import Ruleset

N = TypeVar("N", bound=Rules)


class Wing(Generic[N], Ruleset):
    """What most rulebooks say of turns and numbers, declared in a word: ``class Shown(Wing[Numbers])``."""

    counted: tuple[str, str] = ("", "")
    """What a turn is called, English and Italian, where turns are days or weeks that are only counted; the English
    word is that of all orders, too."""
    late: Role | None = None
    """The finding for an order of another turn; its text may name the ``turn`` of the order, and ``now``."""
    prefix: str = ""
    """What keys of the Rules sheet may carry before them, such as the book's name and a dot."""

    def rules(self, campaign: Campaign) -> N:
        """The numbers in force."""
        return cast(N, super().rules(campaign))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """As everywhere; keys may carry the book's name."""
        return {key.removeprefix(self.prefix): value for key, value in typed_values(rules).items()}

    def year(self, turn: str) -> str:
        """Days and weeks all fall within one year: a turn has too few dice to say anything of luck."""
        return "" if any(self.counted) else super().year(turn)

    def turn_name(self, turn: str, lang: str) -> str:
        """A day or week and its number."""
        return f"{self.counted[lang == 'it']} {turn}" if any(self.counted) else super().turn_name(turn, lang)

    def when(self, turn: str, phase: str, lang: str) -> str:
        """As everywhere; a turn whose orders all stand under one word is named alone where that word stands."""
        return super().when(turn, "" if phase and phase == self.counted[0] else phase, lang)

    def phase_word(self, word: str, lang: str) -> str:
        """As everywhere; the one word of all orders is what a turn is called."""
        return self.counted[lang == "it"] if word and word == self.counted[0] else super().phase_word(word, lang)

    def order_cards(self, campaign: Campaign, lang: str, say: Say, faction: str = "", **how: bool) -> list[Card]:
        """As everywhere; the one word of all orders stands in the reader's language, in which the sheet takes it."""
        return [replace(card, when=self.phase_word(card.when, lang)) if card.when == self.counted[0] else card
                for card in super().order_cards(campaign, lang, say, faction, **how)]

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """The book's own finding; what is late in its own turn is told as everywhere."""
        known, late = {"turn": order.turn, "now": campaign.desk.turn}, self.late
        if late is None or order.turn == known["now"]:
            return None
        said = {brace: known[word] for brace, word in (late.names or {}).items()}
        return self.finding(late.code, Where(Order.sheet, order.order, "turn"), order.faction, **said)
