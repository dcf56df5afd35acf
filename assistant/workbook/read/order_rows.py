"""Orders as clubs leave them: rows in; numbers, turns and phases filled in out, and findings for unknown ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import number
from assistant.campaign.records import Faction, Order, called
from assistant.turn.findings import Where
from assistant.turn.rows.misfits import DOUBLE, Misfits, as_double, is_emptied
from assistant.turn.rows.when_meant import is_ahead, next_read, order_words, passed, present_word, turn_of_orders
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import is_superseded
from assistant.workbook import codes
from assistant.workbook.read.grid import Notes, RowRead

Address = Callable[[str, int], str]
_CODE = re.compile(r"[A-Za-z]+[0-9]+-[0-9]+")
_JUDGED = ("refused", "withdrawn")
"""What became of rows that may say what nobody can read: it was told then."""


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
    coming = turn_of_orders(ruleset, campaign)
    word_now = present_word(ruleset, coming)

    def fill(one: RowRead, name: str, value: Any) -> None:
        setattr(one.row, name, value)
        if name not in one.unread:
            filled.append((one.number, name))

    for one in rows:
        order: Order = one.row
        order.faction = factions.get(order.faction.casefold(), order.faction)
        order.phase = words.get(order.phase.casefold(), order.phase)
        order.turn = ruleset.calendar.turns.meant(order.turn)
        if not order.order and isinstance(order.seq, str) and _CODE.fullmatch(order.seq):
            fill(one, "order", order.seq)  # some rulebooks head the codes of their orders so
            order.seq = None
        if is_emptied(order):
            continue
        if not order.turn and "turn" not in one.unread:
            fill(one, "turn", next_read(ruleset, campaign, coming.desk.turn, order.phase))
        if not order.phase and word_now and "phase" not in one.unread:
            fill(one, "phase", word_now)
    misfits = Misfits(ruleset, campaign)
    if not untouched:
        _without_verdicts(rows, ruleset, campaign, address, notes)
    _tell_apart(rows, misfits, fill)
    _number(rows, known or {}, fill)
    _judge(rows, campaign, ruleset, misfits, address, notes, untouched)
    return filled


def _without_verdicts(rows: list[RowRead], ruleset: Ruleset, campaign: Campaign, address: Address,
                      notes: Notes) -> None:
    """What clubs type into the Status of orders that nobody has judged yet counts for nothing: such as have no number,
    or whose phase is still to come.
    """
    ahead: dict[tuple[str, str], bool] = {}
    for one in rows:
        row, told = one.row, [n for n in one.told if notes.findings[n].where.field == "status"]
        when = row.turn, row.phase
        if (row.status or told) and when not in ahead:
            ahead[when] = is_ahead(ruleset, campaign, *when)
        if not (row.status or told) or (row.order and not ahead[when]) or is_emptied(row) or is_superseded(row.order):
            continue
        if told:
            seen = str(notes.findings[told[0]].data.get("seen", ""))
            notes.findings[told[0]] = replace(
                notes.findings[told[0]], code=codes.STATUS_TYPED, severity="warning", data={"seen": seen})
        else:
            notes.add(codes.STATUS_TYPED, Where(Order.sheet, row.order, "status"), address("status", one.number),
                      {"seen": row.column("status").word(row.status, notes.lang)}, row.faction, "warning")
            row.status = ""


def _judge(rows: list[RowRead], campaign: Campaign, ruleset: Ruleset, misfits: Misfits, address: Address,
           notes: Notes, untouched: bool) -> None:
    """Find what is wrong with rows that are not judged yet, and which come too late."""
    known, words = called(campaign.table(Faction)), order_words(ruleset, campaign)
    over, before = passed(ruleset, campaign), ruleset.calendar.turns.key
    for one in rows:
        row = one.row
        if row.status in _JUDGED or (untouched and row.status) or is_superseded(row.order):
            continue
        if is_emptied(row):
            notes.emptied.append(address("order", one.number))
            continue
        for found in misfits.of(row):
            if found.code != codes.TOO_LONG or found.where.field not in one.unread:
                notes.add(found.code, found.where, address(found.where.field, one.number), found.data, found.faction,
                          found.severity, found.alone)
        late = before(row.turn) < before(campaign.desk.turn) or (
            row.turn == campaign.desk.turn and row.phase in over)
        if late and ruleset.late_order(row, campaign) is not None and not ruleset.is_over(campaign):
            continue  # the book's own phases say so
        if late and not row.status and row.faction in known.values() and row.phase in words.values():
            notes.add(codes.ORDER_LATE, Where(Order.sheet, row.order, "phase"), address("phase", one.number),
                      {"when": f"{row.turn} {row.phase}"}, row.faction, severity="warning")


def _tell_apart(rows: list[RowRead], misfits: Misfits, fill: Callable[[RowRead, str, Any], None]) -> None:
    """Give rows that may not have the number that stands in them another one, under which they are refused: it is that
    of another row, or of another club.
    """
    numbered = [one for one in rows if one.row.order]
    taken = {one.row.order.casefold() for one in numbered}
    holders: dict[str, RowRead] = {}
    for one in sorted(numbered, key=lambda one: (not one.row.status, is_emptied(one.row), one.number)):
        if one.row.status or is_emptied(one.row) or not misfits.is_others(one.row):
            holders.setdefault(one.row.order.casefold(), one)
    for one in numbered:
        if holders.get(one.row.order.casefold()) is not one and not DOUBLE.fullmatch(one.row.order):
            one.row.status = ""  # it was copied with its row
            fill(one, "order", as_double(one.row.order, taken))
            taken.add(one.row.order.casefold())


def _number(rows: list[RowRead], known: Mapping[str, Order], fill: Callable[[RowRead, str, Any], None]) -> None:
    highest: dict[str, int] = {}
    last_seq: dict[str, int] = {}
    for order in (*known.values(), *(one.row for one in rows)):
        stem, _, digits = order.order.rpartition("-")
        if digits.isascii() and digits.isdigit():
            highest[stem] = max(highest.get(stem, 0), int(digits))
    for order in known.values():
        group = _group(order)
        last_seq[group] = max(last_seq.get(group, 0), number(order.seq) or 0)
    for one in rows:
        if is_emptied(one.row):
            continue
        group = _group(one.row)
        if one.row.seq is None:
            fill(one, "seq", last_seq.get(group, 0) + 1)
        if (place := number(one.row.seq)) is not None:
            last_seq[group] = place
        if not one.row.order:
            highest[group] = highest.get(group, 0) + 1
            fill(one, "order", f"{group}-{highest[group]}")


def _group(order: Order) -> str:
    return f"{order.turn}-{order.phase}-{order.faction}"
