"""A ruleset in; what it does not declare, or declares in vain, out, each in a sentence with what to do."""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import INTERFACE, Ruleset
from assistant.turn.views import undeclared
from assistant.wording import Wording


def undeclared_faults(ruleset: Ruleset) -> list[str]:
    """What the declarations of a ruleset lack; [] for a whole one."""
    found = [f"{one}. Say it with see and whose ('arbitro help plugins', What may be seen)."
             for one in undeclared(ruleset.records, ruleset.numbers)]
    if ruleset.interface != INTERFACE:
        found.append(f"It is written for interface {ruleset.interface}, and this Arbitro has {INTERFACE}. Change what "
                     "'arbitro help plugins' names, and the number.")
    worded = {**{f"finding {code}": one.text for code, one in ruleset.findings.items()},
              **{f"event {name}": one.text for name, one in ruleset.events.items()},
              **{f"question {name}": one.text for name, one in ruleset.questions.items()},
              **{f"number {one.key}": one.meaning for one in ruleset.numbers}}
    found += [f"The {name} says nothing. Give it a sentence." for name, text in worded.items() if not text.strip()]
    found += [f"The number {one.key} names no source. Say where it stands in the book." for one in ruleset.numbers
              if not one.source]
    found += [f"The number {one.key} had another default until version {version}, which is not before today's "
              f"{ruleset.version or 'none'}. Raise version." for one in ruleset.numbers for version in one.was or ()
              if natural(version) >= natural(ruleset.version)]
    return found


def card_faults(ruleset: Ruleset, campaign: Campaign, lang: str = "en") -> list[str]:
    """Which examples of the orders card are not understood as the orders that they show; [] for a good card."""
    book, found = book_of(ruleset.verbs), list[str]()
    if not book.carried_out:
        return found
    cards = ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text)
    for card in cards:
        code, read = book.code(card.verb), ruleset.understand(card.example, campaign, "")
        lacking = set(book[code].needed()) - set(read.fields)
        if read.fields.get("verb") != code or lacking:
            found.append(f"The card's example '{card.example}' is not understood as {code}: {dict(read.fields)}, "
                         f"lacks {', '.join(sorted(lacking)) or 'its verb'}. Look at its columns, shapes and fillers.")
        if not card.help:
            found.append(f"The card does not say what {code} is for. Give its order help.")
    shown = {book.code(card.verb) for card in cards}
    return found + [f"The verb {verb} is on no card. Declare it with order, for a time that a phase takes."
                    for verb in ruleset.verbs if verb not in shown]
