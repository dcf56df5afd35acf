"""Orders as clubs leave them: rows in; numbers, turns and phases filled in out, and findings for unknown ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order, called
from assistant.turn.findings import Where, listed, nearest
from assistant.turn.ruleset import Ruleset
from assistant.workbook import codes
from assistant.workbook.read.grid import Notes, RowRead

Address = Callable[[str, int], str]


def order_words(ruleset: Ruleset, campaign: Campaign) -> dict[str, str]:
    """What may stand in the column For: casefolded word (or phase id, or name) -> the word.

    Those of this turn's phases and of the next's come first (a first turn may read no orders at all), then those of
    all others of the calendar: orders of a season that is over stand there for ever.
    """
    near = [*ruleset.phase_ids(campaign), *ruleset.phase_ids(_turn_of_orders(ruleset, campaign))]
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


def _never_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> bool:
    """Whether this is a turn to be, and a season whose phases read no orders of the word: they would wait for ever."""
    calendar = ruleset.calendar
    elsewhere = {phase.orders for phase in calendar.turn if phase.only}
    if word not in elsewhere or calendar.turns.key(turn) < calendar.turns.key(campaign.desk.turn):
        return False
    return all(phase.orders != word for phase in calendar.of(turn))


def _next_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> str:
    """The turn, or the first after it, whose season reads orders of a word."""
    turns = ruleset.calendar.turns
    if word and re.fullmatch(turns.pattern, turn):
        for _ in turns.seasons:
            if not _never_read(ruleset, campaign, turn, word):
                break
            turn = turns.after(turn)
    return turn


def _turn_of_orders(ruleset: Ruleset, campaign: Campaign) -> Campaign:
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


def settle(rows: Iterable[RowRead], campaign: Campaign, ruleset: Ruleset, address: Address, notes: Notes,
           known: Mapping[str, Order] | None = None, untouched: bool = False) -> list[tuple[int, str]]:
    """Fill in and check Orders rows; returns (row number, field) of the blank cells that were filled.

    A faction may stand there by its name. Blank turn and phase: the Desk's, or the next turn's where this one reads
    no orders; blank No.: after the row above of the same faction, turn and phase; blank id:
    `<turn>-<phase>-<faction>-<n>`, n after the highest there is. `known`: orders that the campaign holds already;
    `untouched`: nobody has changed the sheet since it was written, so that what was judged then is not checked again.
    """
    rows = list(rows)
    filled: list[tuple[int, str]] = []
    factions = called(campaign.table(Faction))
    words = order_words(ruleset, campaign)
    coming = _turn_of_orders(ruleset, campaign)
    word_now = present_word(ruleset, coming)

    def fill(one: RowRead, name: str, value: Any) -> None:
        setattr(one.row, name, value)
        if name not in one.unread:
            filled.append((one.number, name))

    for one in rows:
        order: Order = one.row
        order.faction = factions.get(order.faction.casefold(), order.faction)
        order.phase = words.get(order.phase.casefold(), order.phase)
        if not order.turn and "turn" not in one.unread:
            fill(one, "turn", _next_read(ruleset, campaign, coming.desk.turn, order.phase))
        if not order.phase and word_now and "phase" not in one.unread:
            fill(one, "phase", word_now)
    _number(rows, known or {}, fill)
    over, before = passed(ruleset, campaign), ruleset.calendar.turns.key
    for one in rows:
        if untouched and one.row.status:
            continue
        row = one.row
        read = dict(words)
        if not row.status and row.phase and _never_read(ruleset, campaign, row.turn, row.phase):
            read = {said: word for said, word in words.items() if word != row.phase}
        _check(one, campaign.desk.turn, factions, read, address, notes)
        late = before(row.turn) < before(campaign.desk.turn) or (
            row.turn == campaign.desk.turn and row.phase in over)
        if late and ruleset.late_order(row, campaign) is not None and not ruleset.is_over(campaign):
            continue  # the book's own phases say so
        if late and not row.status and row.faction in factions.values() and row.phase in words.values():
            notes.add(codes.ORDER_LATE, Where(Order.sheet, row.order, "phase"), address("phase", one.number),
                      {"when": f"{row.turn} {row.phase}"}, row.faction, severity="warning")
    return filled


def passed(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """The orders words of this turn's phases that are over; a word that a later phase reads too is not."""
    ids = list(ruleset.phase_ids(campaign))
    now = campaign.desk.phase
    before = ids[:ids.index(now)] if now in ids else ids if ruleset.is_over(campaign) else []
    to_come = ids[ids.index(now):] if now in ids else []
    return {ruleset.phase(p).orders for p in before} - {ruleset.phase(p).orders for p in to_come} - {""}


def _number(rows: list[RowRead], known: Mapping[str, Order], fill: Callable[[RowRead, str, Any], None]) -> None:
    highest: dict[str, int] = {}
    last_seq: dict[str, int] = {}
    for order in (*known.values(), *(one.row for one in rows)):
        stem, _, number = order.order.rpartition("-")
        if number.isascii() and number.isdigit():
            highest[stem] = max(highest.get(stem, 0), int(number))
    for order in known.values():
        group = _group(order)
        last_seq[group] = max(last_seq.get(group, 0), order.seq or 0)
    for one in rows:
        group = _group(one.row)
        if one.row.seq is None:
            fill(one, "seq", last_seq.get(group, 0) + 1)
        last_seq[group] = one.row.seq
        if not one.row.order:
            highest[group] = highest.get(group, 0) + 1
            fill(one, "order", f"{group}-{highest[group]}")


def _group(order: Order) -> str:
    return f"{order.turn}-{order.phase}-{order.faction}"


def _shape(turn: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", turn))


def _check(one: RowRead, turn: str, factions: Mapping[str, str], words: Mapping[str, str],
           address: Address, notes: Notes) -> None:
    order: Order = one.row
    its = order.faction if order.faction in factions.values() else ""

    def report(code: str, name: str, seen: str, known: Iterable[str]) -> None:
        choices = list(dict.fromkeys(known))
        notes.add(code, Where(Order.sheet, order.order, name), address(name, one.number),
                  {"seen": seen, "near": nearest(seen, choices) or listed(choices)}, its)

    if order.faction not in factions.values() and "faction" not in one.unread:
        report(codes.ORDER_FACTION, "faction", order.faction, factions.values())
    if (not order.turn or (turn and _shape(order.turn) != _shape(turn))) and "turn" not in one.unread:
        report(codes.ORDER_TURN, "turn", order.turn, [turn])
    if order.phase not in words.values() and "phase" not in one.unread:
        report(codes.ORDER_PHASE, "phase", order.phase, words.values())
