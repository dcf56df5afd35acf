"""`verbs`: a rulebook or a campaign in; out what can be ordered, verb by verb, with an example of each."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.desk.founding.rulebooks import find_ruleset, scenarios_of
from assistant.desk.results import Result
from assistant.desk.sitting.sitting import sit
from assistant.desk.sitting.stops import Stop, club_of
from assistant.reporting.pages import plain
from assistant.resources import machine_language
from assistant.turn.orders.cards import Card
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.labels import label
from assistant.workbook.read.csvfolder import read_folder

BOOKS = (".xlsx", ".xlsm")
"""How the name of a workbook ends; a ruleset's id never does."""


def verbs(of: str, *, faction: str = "", everything: bool = False, lang: str = "") -> Result:
    """What can be ordered. Changes nothing.

    `of`: the id of a rulebook, or the path of a workbook: then only what the phases to come of its turn take, with its
    codes; `faction`: whose codes the examples use; `everything`: also what cannot be ordered now. Result data:
    ``ruleset``, ``turn``, ``verbs``: the parts of `assistant.turn.orders.cards.Card`.
    """
    try:
        if Path(of).suffix.casefold() in BOOKS:
            sitting = sit(Path(of), lang)
            campaign, ruleset, words, now = sitting.campaign, sitting.ruleset, sitting.wording, not everything
            whose = club_of(campaign, faction, words)
            told = ruleset.view(campaign, whose) if whose else campaign
        else:
            ruleset, now = find_ruleset(of, lang), False
            words = Wording(ruleset, lang or machine_language())
            told = _told_by(ruleset)
            whose = club_of(told, faction, words)
    except Stop as stopped:
        return stopped.result("verbs")
    found = ruleset.order_cards(told, words.lang, words.text, whose, now=now)
    result = Result("verbs", wording=words)
    result.data.update(ruleset=ruleset.id, turn=told.desk.turn if now else "", verbs=plain(tuple(found)))
    for card in found:
        result.lines += [*_lines(card, words), ""]
    result.say(words.plural(N_("{n} kind of order."), N_("{n} kinds of order."), len(found)))
    if now:
        result.say(words.text(N_("They may still be given in {turn}; --all lists all that the rulebook knows."),
                              turn=told.desk.turn))
    return result


def _told_by(ruleset: Ruleset) -> Campaign:
    """The first scenario of a ruleset, whose codes the examples use; an empty campaign where it has none."""
    for folder in scenarios_of(ruleset).values():
        return read_folder(folder, ruleset)[1]
    return Campaign(ruleset.records)


def _lines(card: Card, words: Wording) -> list[str]:
    """One verb: what it is called, when it may be given, what it does, what to write where, an example, its price."""
    parts = {name: getattr(card, name) for name in ("columns", "example", "cost", "also")}
    return [f"{card.verb} ({card.when})", f"  {card.help}",
            *(f"  {label(f'card_{name}', words.lang)}: {text}" for name, text in parts.items() if text)]
