"""Carries orders, answers, dice and forms that people typed into another state of the campaign."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die, Event, FormRow, Order, Question, Rule, next_number
from assistant.campaign.tables import Record
from assistant.desk.play_phase import GIVEN_MARKS
from assistant.turn.messages import CORRECTED, RULING, VOID
from assistant.turn.phases import HANDED_IN, supersedable_records, without_superseded
from assistant.turn.questions import BY

RowPlace = tuple[str, str]
"""A row's sheet and key."""


def form_fields(record: type[Record]) -> list[str]:
    """The columns of a form that people fill in, without its key."""
    return list(record.form())


def is_blank(row: Record, names: list[str]) -> bool:
    """Whether all these columns hold their defaults."""
    return all(getattr(row, name) == row.column(name).default for name in names)


def carry_typed(source: Campaign, target: Campaign, given: Container[str], states: Iterable[Campaign] = (),
             gone: Collection[RowPlace] = ()) -> int:
    """Carry what was typed in `source` into `target`, and return how many rows were carried.

    That is orders, answers, dice thrown at the table, battle forms with their further sheets, and the Rules sheet, each
    as it was typed, without what a phase has written beside it. Not carried are inputs of the assistant (orders of
    robots, standing orders, answers to questions whose keys are in `given`) and rows that a correction has superseded.
    Rows that a phase of `target` has used up stay as they are.

    `states`: `source` at earlier times, latest first; they show the forms of battles that are over by now as people
    filled them in. `gone`: rows that people have deleted since.
    """
    source = without_superseded(source)
    return (_carry_orders(source, target) + _carry_answers(source, target, given) + _carry_dice(source, target)
            + _carry_battles(source, target, states) + _carry_rules(source, target) + _remove_taken_out(target, gone))


def own_tables(campaign: Campaign) -> list[type[Record]]:
    """The records whose rows people may add and delete at any time, because no phase ever uses them up."""
    return [record for record in campaign.records().values()
            if not issubclass(record, HANDED_IN) and not record.single and record().hold == "typed"]


def carry_own(source: Campaign, target: Campaign) -> int:
    """Carry the rows of `own_tables` from `source` into `target`, as they were typed, and return how many."""
    count = 0
    for record in own_tables(source):
        for row, old in _differently_typed(record, source, target):
            there = target.by_sheet(record.sheet).add(_row_with_key(row)) if old is None else old
            copy_fields(row, there, typed_names(record))
            count += 1
    return count


def keep_beside(now: Campaign, back: Campaign) -> bool:
    """Let a campaign of before have what stands beside the game now; returns whether that differs from its own."""
    differs = False
    for sheet, record in now.records().items():
        if record.apart and back.has(sheet):
            rows = [[row.as_text() for _, row in campaign.by_sheet(sheet).in_file_order()] for campaign in (now, back)]
            if rows[0] != rows[1]:
                differs = True
                back.put(now.copy().by_sheet(sheet))
    return differs


def _row_with_key(row: Record) -> Any:
    return type(row)(**{c.name: getattr(row, c.name) for c in row.columns() if c.key})


def without_rows(campaign: Campaign, rows: Collection[RowPlace]) -> Campaign:
    """A copy of the campaign without superseded rows and without the given rows."""
    left = without_superseded(campaign).copy()
    for sheet, key in rows:
        if key in left.by_sheet(sheet):
            left.by_sheet(sheet).remove(key)
    return left


def _carried_events(campaign: Campaign) -> list[Event]:
    return [event for _, event in campaign.table(Event).in_file_order() if event.event in (CORRECTED, VOID)
            or (event.event == RULING and event.data["sheet"] == Rule.sheet)]


def corrected_rows(campaign: Campaign) -> set[RowPlace]:
    """The rows that corrections have changed."""
    return {(str(e.data["sheet"]), str(e.data["row"])) for e in _carried_events(campaign) if e.event == CORRECTED}


def corrected_since(now: Campaign, before: Campaign) -> set[RowPlace]:
    """The rows that corrections have changed since an earlier state of the campaign."""
    known = [event.data for event in _carried_events(before)]
    return {(str(e.data["sheet"]), str(e.data["row"])) for e in _carried_events(now)
            if e.event == CORRECTED and e.data not in known}


def typed_since(then: Campaign, now: Campaign, target: Campaign) -> Campaign:
    """The campaign with only what people have typed since `then`, for `carry_typed` into `target`."""
    since = without_superseded(now).copy()
    for record in (*supersedable_records(since), *own_tables(since)):
        names, old = typed_names(record), then.by_sheet(record.sheet)
        for key, row in since.by_sheet(record.sheet).in_file_order():
            was = old.get(key)
            if was is not None and same_fields(was, row, names):
                since.by_sheet(record.sheet).remove(key)
    rules = dict(target.table(Rule).in_file_order())
    for key in {**dict(then.table(Rule).items()), **dict(now.table(Rule).items())}:
        was, row = then.table(Rule).get(key), now.table(Rule).get(key)
        if row is None and was is not None:
            rules.pop(key, None)
        elif row is not None and (was is None or was.value != row.value):
            rules[key] = row
    since.put(type(since.table(Rule)).of(Rule, rules.items()))
    return since


def count_too_late(since: Campaign, target: Campaign) -> int:
    """How many rows of `typed_since` differ from rows that a phase of `target` has used up."""
    return sum(old is not None and old.hold == "settled"
               for record in supersedable_records(since) for _, old in _differently_typed(record, since, target))


def _differently_typed(record: type[Record], source: Campaign, target: Campaign) -> list[tuple[Any, Any]]:
    """The rows of a record whose typed fields differ from `target`, each with the row there (None for none)."""
    names, table = typed_names(record), target.by_sheet(record.sheet)
    rows = ((row, table.get(key)) for key, row in source.by_sheet(record.sheet).in_file_order())
    return [(row, old) for row, old in rows if old is None or not same_fields(old, row, names)]


def typed_names(record: type[Record]) -> list[str]:
    """The columns of a record that people fill in, without its key."""
    ours = ("assistant",) if issubclass(record, HANDED_IN) else ("assistant", "referee")
    return [c.name for c in record.columns() if c.edit not in ours and not c.key]


def rows_taken_out(then: Campaign, now: Campaign) -> list[RowPlace]:
    """The rows that people had typed by `then` and have deleted since.

    A die that was waiting for its throw and has been thrown since is not deleted: it has another key now.
    """
    standing = without_superseded(now)
    thrown = {row.key for row in standing.table(Die)}
    return [(record.sheet, key) for record in (*supersedable_records(then), *own_tables(then))
            for key, row in then.by_sheet(record.sheet).in_file_order()
            if row.hold == "typed" and key not in standing.by_sheet(record.sheet)
            and not (isinstance(row, Die) and row.waits and row.key in thrown)]


def carry_events(source: Campaign, target: Campaign, *, corrections: bool, undecided: Collection[int] = ()) -> int:
    """Carry events that only `source` has into `target`: rulings about rules, and corrections unless undone.

    They get the turn and phase of `target`. Returns how many. `undecided`: the numbers of rulings that are to be made
    again.
    """
    table, desk = target.table(Event), target.desk
    known = [(event.event, event.data) for event in _carried_events(target)]
    fresh = [event for event in _carried_events(source) if (event.event, event.data) not in known
             and (corrections or event.event == RULING) and event.no not in undecided]
    last = next_number(table) - 1
    for number, event in enumerate(fresh, last + 1):
        row = event.copy()
        row.no, row.turn, row.phase = number, desk.turn, desk.phase
        table.add(row)
    return len(fresh)


def same_fields(a: Record, b: Record, names: Collection[str]) -> bool:
    """Whether two rows agree in these columns."""
    return all(getattr(a, name) == getattr(b, name) for name in names)


def _carry_orders(source: Campaign, target: Campaign) -> int:
    """Carry orders that are new or were changed; their status is the assistant's and starts blank."""
    table, count = target.table(Order), 0
    names = [c.name for c in table.record.columns() if c.edit == "club" and not c.key]
    for key, row in source.table(Order).in_file_order():
        old = table.get(key)
        given = any(mark in key for mark in GIVEN_MARKS)
        if given or (old is not None and (old.hold == "settled" or same_fields(old, row, names))):
            continue
        if old is None:
            table.add(_without_assistant_fields(row))
        else:
            copy_fields(row, old, names)
        count += 1
    return count


def _without_assistant_fields(row: Record) -> Any:
    """A copy of a row without what the assistant has written into it."""
    fresh = row.copy()
    for c in row.columns():
        if c.edit == "assistant" and not c.key:
            setattr(fresh, c.name, c.default)
    return fresh


def copy_fields(source: Record, target: Record, names: Collection[str]) -> None:
    """Give a row these columns of another one."""
    for name in names:
        setattr(target, name, getattr(source, name))


def _carry_answers(source: Campaign, target: Campaign, given: Container[str]) -> int:
    table, count = target.table(Question), 0
    for key, row in source.table(Question).in_file_order():
        old = table.get(key)
        if not row.answer.strip() or key in given or BY in row.asked:
            continue
        if old is not None and (old.hold == "settled" or old.answer == row.answer):
            continue
        if old is None:
            table.add(type(row)(question=row.question, turn=row.turn, phase=row.phase, kind=row.kind, to=row.to,
                                about=row.about, answer=row.answer))
        else:
            old.answer = row.answer
        count += 1
    return count


def _carry_dice(source: Campaign, target: Campaign) -> int:
    """Carry dice thrown at the table; the phase that uses a die decides who may know it."""
    table, count = target.table(Die), 0
    waiting = {row.key: key for key, row in table.in_file_order() if row.waits and key not in source.table(Die)}
    for key, row in source.table(Die).in_file_order():
        if row.source != "table":
            continue
        there = key if key in table or row.waits else waiting.pop(row.key, key)
        old = table.get(there)
        if old is not None and (old.hold == "settled" or (old.value, old.source) == (row.value, row.source)):
            continue
        if old is None and row.waits and _was_thrown_since(row, source, target):
            continue
        if old is not None:
            table.remove(there)
        table.add(_without_assistant_fields(row))
        count += 1
    return count


def _was_thrown_since(row: Die, source: Campaign, target: Campaign) -> bool:
    """Whether the throw that a die waits for in `source` has been made in `target`."""
    known = source.table(Die)
    return any(key not in known and die.key == row.key for key, die in target.table(Die).in_file_order())


def _carry_battles(source: Campaign, target: Campaign, states: Iterable[Campaign]) -> int:
    """Carry battle forms and their further parts; a battle that is not there yet gets a row with its form only.

    The assistant writes the results of battles that are not fought at the table into the same columns. So for a battle
    that is over, only what was there before counts as typed.
    """
    rows = _filled_forms(source)
    over = {row: form for row, form in rows.items() if form.hold == "settled" and not _is_over(target, row)}
    for state in states if over else ():
        earlier = {row: form for row, form in _filled_forms(state).items() if row in over and form.hold != "settled"}
        rows.update(earlier)
        over = {row: form for row, form in over.items() if row not in earlier}
        if not over:
            break
    return sum(_carry_form(target, row, form) for row, form in rows.items() if form.hold != "settled")


def _form_records(campaign: Campaign) -> Iterator[type[Record]]:
    return (record for record in campaign.records().values() if issubclass(record, (Battle, FormRow)))


def _filled_forms(campaign: Campaign) -> dict[RowPlace, Record]:
    return {(record.sheet, key): row for record in _form_records(campaign)
            for key, row in campaign.by_sheet(record.sheet).in_file_order()
            if issubclass(record, FormRow) or not is_blank(row, form_fields(record))}


def _is_over(campaign: Campaign, row: RowPlace) -> bool:
    old = campaign.by_sheet(row[0]).get(row[1])
    return old is not None and old.hold == "settled"


def _carry_form(target: Campaign, place: RowPlace, row: Record) -> bool:
    """Carry a filled-in form into another state, and return whether it was different there."""
    table, key = target.by_sheet(place[0]), place[1]
    names, old = form_fields(table.record), table.get(key)
    if old is not None and (old.hold == "settled" or same_fields(old, row, names)):
        return False
    if old is not None:
        copy_fields(row, old, names)
    elif isinstance(row, Battle):
        copy_fields(row, table.add(table.record(battle=row.battle, turn=row.turn)), names)
    else:
        table.add(_without_assistant_fields(row))
    return True


def _remove_taken_out(target: Campaign, gone: Collection[RowPlace]) -> int:
    """Delete rows that people have deleted, unless a phase has used them up or asks for them."""
    count = 0
    for sheet, key in gone:
        row = target.by_sheet(sheet).get(key)
        if row is not None and row.hold == "typed":
            target.by_sheet(sheet).remove(key)
            count += 1
    return count


def _carry_rules(source: Campaign, target: Campaign) -> int:
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
