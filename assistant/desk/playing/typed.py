"""What people typed: a campaign in; their orders, answers, dice and forms out, carried into an earlier state."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Die, Event, FormRow, Order, Question, Rule, next_number
from assistant.desk.playing.play import ROBOT_MARK
from assistant.turn.answers.until_changed import BY
from assistant.turn.messages.house import CORRECTED, RULING, VOID
from assistant.turn.superseded import in_force


def form_fields(record: type[Record]) -> list[str]:
    """The columns of a table that people fill in beside its key."""
    return list(record.form())


def is_blank(row: Record, names: list[str]) -> bool:
    """Whether all these columns hold their default."""
    return all(getattr(row, name) == row.column(name).default for name in names)


def put_back(source: Campaign, target: Campaign, given: Container[str]) -> int:
    """Carry what was typed in `source` into `target`; how many rows were carried.

    Orders, answers, dice thrown at the table, forms of battles with their further sheets, and the Rules
    sheet. What the assistant made up itself is not carried: orders of robots, answers to questions whose
    keys are in `given`; nor are rows that a correction has superseded.
    """
    source = in_force(source)
    return (_orders(source, target) + _answers(source, target, given) + _dice(source, target)
            + _battles(source, target) + _forms(source, target) + _rules(source, target))


def without(campaign: Campaign, rows: Collection[tuple[str, str]]) -> Campaign:
    """The campaign without superseded rows, and without these (sheet, key); the campaign itself stays as it is."""
    left = in_force(campaign).copy()
    for sheet, key in rows:
        if key in left.by_sheet(sheet):
            left.by_sheet(sheet).remove(key)
    return left


def _told(campaign: Campaign) -> list[Event]:
    """What tells of corrections, and of rulings about the rulebook's numbers, which are typed."""
    return [event for _, event in campaign.table(Event).in_file_order() if event.event in (CORRECTED, VOID)
            or (event.event == RULING and event.data["sheet"] == Rule.sheet)]


def corrected_rows(campaign: Campaign) -> set[tuple[str, str]]:
    """The rows (sheet, key) that corrections have changed."""
    return {(str(e.data["sheet"]), str(e.data["row"])) for e in _told(campaign) if e.event == CORRECTED}


def corrected_since(now: Campaign, before: Campaign) -> set[tuple[str, str]]:
    """The rows (sheet, key) that corrections have changed after a state of the campaign."""
    known = [event.data for event in _told(before)]
    return {(str(e.data["sheet"]), str(e.data["row"])) for e in _told(now)
            if e.event == CORRECTED and e.data not in known}


def carry_told(source: Campaign, target: Campaign, *, corrections: bool) -> int:
    """Tell in `target` what only `source` tells: rulings about the rules, which are carried with them, and
    corrections unless they are taken back. Told at the phase where the target stands; how many.
    """
    table, desk = target.table(Event), target.desk
    known = [(event.event, event.data) for event in _told(target)]
    fresh = [event for event in _told(source) if (event.event, event.data) not in known
             and (corrections or event.event == RULING)]
    last = next_number(table) - 1
    for number, event in enumerate(fresh, last + 1):
        row = event.copy()
        row.no, row.turn, row.phase = number, desk.turn, desk.phase
        table.add(row)
    return len(fresh)


def _same(a: Record, b: Record, names: list[str]) -> bool:
    return all(getattr(a, name) == getattr(b, name) for name in names)


def _orders(source: Campaign, target: Campaign) -> int:
    """Orders that are new or were typed anew; their status is the assistant's and starts blank."""
    table, count = target.table(Order), 0
    names = [c.name for c in table.record.columns() if c.edit == "club" and not c.key]
    for key, row in source.table(Order).in_file_order():
        old = table.get(key)
        if ROBOT_MARK in key or (old is not None and _same(old, row, names)):
            continue
        if old is None:
            fresh = row.copy()
            fresh.status = ""
            table.add(fresh)
        else:
            _copy(row, old, names)
        count += 1
    return count


def _copy(source: Record, target: Record, names: list[str]) -> None:
    for name in names:
        setattr(target, name, getattr(source, name))


def _answers(source: Campaign, target: Campaign, given: Container[str]) -> int:
    table, count = target.table(Question), 0
    for key, row in source.table(Question).in_file_order():
        old = table.get(key)
        if not row.answer.strip() or key in given or BY in row.asked or (old is not None and old.answer == row.answer):
            continue
        if old is None:
            table.add(type(row)(question=row.question, turn=row.turn, phase=row.phase, kind=row.kind, to=row.to,
                                about=row.about, answer=row.answer))
        else:
            old.answer = row.answer
        count += 1
    return count


def _dice(source: Campaign, target: Campaign) -> int:
    table, count = target.table(Die), 0
    for key, row in source.table(Die).in_file_order():
        old = table.get(key)
        if row.source != "table" or (old is not None and (old.value, old.source) == (row.value, row.source)):
            continue
        if old is not None:
            table.remove(key)
        table.add(row.copy())
        count += 1
    return count


def _battles(source: Campaign, target: Campaign) -> int:
    """Forms of battles; a battle that is not offered yet gets a row with its form only."""
    table, count = target.table(Battle), 0
    names = form_fields(table.record)
    for key, row in source.table(Battle).in_file_order():
        if is_blank(row, names):
            continue
        old = table.get(key)
        if old is not None and _same(old, row, names):
            continue
        if old is None:
            old = table.add(table.record(battle=row.battle, turn=row.turn))
        _copy(row, old, names)
        count += 1
    return count


def _forms(source: Campaign, target: Campaign) -> int:
    """Further parts of battles' forms; their status is the assistant's and starts blank."""
    count = 0
    for table in target.tables().values():
        if not issubclass(table.record, FormRow):
            continue
        names = form_fields(table.record)
        for key, row in source.by_sheet(table.record.sheet).in_file_order():
            old = table.get(key)
            if old is not None and _same(old, row, names):
                continue
            if old is None:
                fresh = row.copy()
                fresh.status = ""
                table.add(fresh)
            else:
                _copy(row, old, names)
            count += 1
    return count


def _rules(source: Campaign, target: Campaign) -> int:
    table, count = target.table(Rule), 0
    wanted: dict[str, Any] = dict(source.table(Rule).in_file_order())
    for key, row in wanted.items():
        old = table.get(key)
        if old is None:
            table.add(row.copy())
        elif old.value != row.value:
            old.value = row.value
        else:
            continue
        count += 1
    for key in [k for k, _ in table.items() if k not in wanted]:
        table.remove(key)
        count += 1
    return count
