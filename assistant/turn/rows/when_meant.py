"""When orders are meant: a ruleset and a campaign in; the words of the column For and the turns that read them out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.campaign.campaign import Campaign
from assistant.turn.ruleset import Ruleset

FARTHEST = 400
"""So many phases are looked ahead."""


def order_words(ruleset: Ruleset, campaign: Campaign) -> dict[str, str]:
    """What may stand in the column For: casefolded word (or phase id, or name) -> the word.

    Those of this turn's phases and of the next's come first (a first turn may read no orders at all), then those of
    all others of the calendar: orders of a season that is over stand there for ever.
    """
    near = [*ruleset.phase_ids(campaign), *ruleset.phase_ids(turn_of_orders(ruleset, campaign))]
    phases = [*map(ruleset.phase, dict.fromkeys(near)),
              *(phase for phase in ruleset.calendar.phases().values() if phase.id not in near)]
    found: dict[str, str] = {}
    for phase in phases:
        if phase.orders:
            found.setdefault(phase.orders.casefold(), phase.orders)
    for phase in phases:
        if phase.orders:
            said = (ruleset.phase_word(phase.orders, lang) for lang in ("en", "it"))
            for other in (phase.id, phase.name_en, phase.name_it, *said):
                found.setdefault(other.casefold(), phase.orders)
    return found


def never_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> bool:
    """Whether this is a turn to be, and a season whose phases read no orders of the word: they would wait for ever."""
    calendar = ruleset.calendar
    elsewhere = {phase.orders for phase in calendar.turn if phase.only}
    if word not in elsewhere or calendar.turns.key(turn) < calendar.turns.key(campaign.desk.turn):
        return False
    return all(phase.orders != word for phase in calendar.of(turn))


def next_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> str:
    """The turn, or the first after it, whose season reads orders of a word."""
    turns = ruleset.calendar.turns
    if word and re.fullmatch(turns.pattern, turn):
        for _ in turns.seasons:
            if not never_read(ruleset, campaign, turn, word):
                break
            turn = turns.after(turn)
    return turn


def turn_of_orders(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The calendar as it stands in this turn, or at the beginning of the next where this one reads no orders."""
    found = list(ruleset.phase_ids(campaign))
    if any(ruleset.phase(p).orders for p in found) or campaign.desk.phase not in ("", *found):
        return campaign
    clock = campaign.copy()
    clock.desk.phase = clock.desk.phase or found[0]  # a folder without a Desk begins where the book begins
    for _ in found:
        if clock.desk.turn != campaign.desk.turn or ruleset.is_over(clock):
            break
        ruleset.advance(clock)
    return clock


def present_word(ruleset: Ruleset, campaign: Campaign) -> str:
    """The orders word of the present phase, or of the next one of this turn that takes orders."""
    ids = list(ruleset.phase_ids(campaign))
    now = campaign.desk.phase
    later = ids[ids.index(now):] if now in ids else []
    return next((ruleset.phase(p).orders for p in later if ruleset.phase(p).orders), "")


def passed(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """The orders words of this turn's phases that are over; a word that a later phase reads too is not."""
    ids = list(ruleset.phase_ids(campaign))
    now = campaign.desk.phase
    before = ids[:ids.index(now)] if now in ids else ids if ruleset.is_over(campaign) else []
    to_come = ids[ids.index(now):] if now in ids else []
    return {ruleset.phase(p).orders for p in before} - {ruleset.phase(p).orders for p in to_come} - {""}


def is_ahead(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> bool:
    """Whether a phase that reads orders of a turn and a word is still to come."""
    key, now = ruleset.calendar.turns.key, campaign.desk.turn
    if word not in order_words(ruleset, campaign).values() or not re.fullmatch(ruleset.turn_pattern, turn) or (
            never_read(ruleset, campaign, turn, word)):
        return False
    ids = list(ruleset.phase_ids(campaign))
    over = ids[:ids.index(campaign.desk.phase)] if campaign.desk.phase in ids else ids
    return key(turn) > key(now) or (turn == now and all(ruleset.phase(one).orders != word for one in over))


def phases_ahead(ruleset: Ruleset, campaign: Campaign, farthest: int = FARTHEST) -> Iterator[tuple[str, str]]:
    """Turn and phase of the present phase and of those after it, as the calendar has them today."""
    clock = campaign.copy()
    for _ in range(farthest):
        if ruleset.is_over(clock):
            return
        here = clock.desk.turn, clock.desk.phase
        yield here
        ruleset.advance(clock)
        if (clock.desk.turn, clock.desk.phase) == here:
            return


def prepared(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign as it will stand when it begins."""
    ready = campaign.copy()
    ruleset.prepare(ready)
    return ready
