"""What people typed, orders, answers, dice and forms: judged before a phase, and carried into another state."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die, Event, FormRow, Order, Question, Rule, next_number
from assistant.campaign.tables import Record
from assistant.desk.play_phase import GIVEN_MARKS, ResolveOptions, decide_phase, open_questions
from assistant.desk.workspace.workspace import Workspace
from assistant.turn import codes
from assistant.turn.dice_purposes import (
    dice_of,
    example_of_battle,
    nearest_purpose,
    purpose_words,
    spell_battle,
    spell_purpose,
    turn_of_battle,
    turn_of_throw,
)
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.messages import CORRECTED, RULING, VOID
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.reader import read_text
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import HANDED_IN, blocks_phase, supersedable_records, without_superseded
from assistant.turn.questions import BY, answers_of, check_answer
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim

# Orders, answers, dice and results are judged before their phase.


# Orders that contradict themselves.


def contradictory_orders(ruleset: Ruleset, campaign: Campaign) -> Iterator[Finding]:
    """A warning for each order of this turn that nobody has judged yet and that contradicts itself."""
    for row in campaign.table(Order).of_turn(campaign.desk.turn):
        if row.status or not (row.verb and row.text.strip()):
            continue
        words = read_text(ruleset.read, row.text, campaign, row.faction)
        # the columns of a sentence were filled in when it came, and it may be read in another way by now
        sure = words.is_sure and not words.is_sentence
        if sure and any(_contradicts(ruleset, row, name, value) for name, value in words.fields.items()):
            yield codes.finding(codes.TWOFOLD, Where(Order.sheet, row.order, "text"), row.faction,
                                text=Verbatim(row.text.strip()))


def _contradicts(ruleset: Ruleset, row: Order, name: str, value: Any) -> bool:
    """Whether the words contradict the cell of a column; a value that only one of them gives is no contradiction."""
    cell = getattr(row, name, "")
    if cell in ("", None) or value in ("", None):
        return False
    book = as_order_book(ruleset.verbs)
    verb = book.code(row.verb)
    if name == "verb":
        return verb not in ("", book.code(str(value)))
    kind = book[verb].kinds.get(name, Kind()) if verb else Kind()
    return _word_parts(kind.read(cell)) != _word_parts(kind.read(value))


def _word_parts(value: Any) -> list[str]:
    return re.findall(r"\w+", str(value).upper())


# Unknown inputs.


def unknown_die(ruleset: Ruleset, campaign: Campaign, die: Die) -> Finding | None:
    """ARB-254 for a purpose that is never thrown: a warning, for a die that nobody throws harms nothing."""
    spelled = spell_purpose(ruleset, campaign, die.key)
    word = dice_of(ruleset, die.key)
    if spelled or (spelled is None and (word is not None or not ruleset.rolls)):
        return None
    near = nearest_purpose(ruleset, campaign, die.key)
    return codes.finding(
        codes.NO_SUCH_DIE,
        Where(Die.sheet, die.ident, "key"),
        seen=Verbatim(die.key),
        near=Verbatim(near if near != die.key else ""),
        list=Verbatim(purpose_words(ruleset)),
    )


def past_die(ruleset: Ruleset, campaign: Campaign, die: Die) -> Finding | None:
    """ARB-290 for a die that nobody has thrown and that says a turn, or a phase, which is over: only a correction can
    bring its throw about.
    """
    desk, place, again = campaign.desk, ruleset.calendar.turns.key, die.column("turn").key
    turn = die.turn if again else turn_of_throw(ruleset, die.key)
    ids = list(ruleset.phase_ids(campaign))
    past = ids[:ids.index(desk.phase)] if desk.phase in ids else ids
    if not turn or not (place(turn) < place(desk.turn) or (again and turn == desk.turn and die.phase in past)):
        return None
    return codes.finding(codes.THROWN_NO_MORE, Where(Die.sheet, die.ident, "key"), seen=Verbatim(die.key),
                         when=Verbatim(f"{turn} {die.phase if again else ''}".strip()))


def unknown_phase(ruleset: Ruleset, row: Die | Question) -> Finding | None:
    """ARB-288 for a phase that the rulebook does not have, where it is part of a row's key."""
    known = list(ruleset.calendar.phases())
    if not row.phase or row.phase in known or not row.column("phase").key:
        return None
    return codes.finding(codes.STRANGE_PHASE, Where(row.sheet, row.ident, "phase"), seen=Verbatim(row.phase),
                         near=Verbatim(nearest(row.phase, known)), list=Verbatim(", ".join(known)))


def unknown_battle(ruleset: Ruleset, campaign: Campaign, row: Battle | FormRow, since: str = "") -> Finding | None:
    """ARB-253 for the code of a battle that cannot come, ARB-255 for one that may; None where it is there already.

    `since`: a turn; a battle of an earlier one comes no more, which is a warning.
    """
    table = campaign.table(Battle)
    there = table.get(row.battle)
    if there is not None and there.hold != "typed":
        return None
    where = Where(row.sheet, row.ident, "battle")
    fought = [battle.ident for battle in table.open_rows(campaign.desk.turn) if battle.hold == "asked"]
    shown = Verbatim(", ".join(fought))
    if spell_battle(ruleset, campaign, row.battle, since) == "":
        never = codes.finding(codes.NO_SUCH_BATTLE, where, seen=Verbatim(row.battle),
                              near=Verbatim(nearest(row.battle, fought)), list=shown,
                              example=Verbatim(example_of_battle(ruleset, campaign)))
        past = spell_battle(ruleset, campaign, row.battle) != ""
        return never._replace(severity="warning") if past else never
    return codes.finding(codes.BATTLE_TO_COME, where, seen=Verbatim(row.battle), list=shown)


def unusable_inputs(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Warnings about inputs on the sheets that no phase will ever read.

    While battles wait, a result for an unknown battle of this turn is reported, too: it may be meant for one of them.
    """
    turn = campaign.desk.turn
    dice = [die for die in campaign.table(Die).open_rows(turn) if die.hold == "typed"]
    tables = [campaign.by_sheet(sheet) for sheet in (Battle.sheet, *(form.sheet for form in ruleset.forms))]
    rows = [row for table in tables for row in table.open_rows(turn) if row.hold == "typed"]
    answers = [row for row in campaign.table(Question).open_rows(turn) if row.hold == "typed"]
    told: list[Die | Question] = [*dice, *answers]
    findings = [*(unknown_die(ruleset, campaign, die) or past_die(ruleset, campaign, die) for die in dice),
             *(unknown_battle(ruleset, campaign, row) for row in rows),
             *(unknown_phase(ruleset, row) for row in told)]
    waited = any(finding.hold == "asked" for finding in campaign.table(Battle).open_rows(turn))
    return [Finding(finding.code, "warning", finding.where, finding.data) for finding in findings
            if finding is not None and (finding.code != codes.BATTLE_TO_COME or (
                waited and turn_of_battle(ruleset, str(finding.data["seen"])) == turn))]


# Checks before the phase runs.


def check_ahead(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Findings about what the present phase waits for and about what is typed for later; [] when all is over."""
    if ruleset.is_over(campaign):
        return []
    campaign = without_superseded(campaign)
    here = campaign.desk.turn, campaign.desk.phase
    judged = (check_answer(ruleset.questions, ruleset.findings, campaign, question)
              for question in campaign.table(Question).open_rows(campaign.desk.turn)
              if question.hold == "typed" or ((question.turn, question.phase) == here and question.status == "open"))
    return [*(finding for finding in judged if finding is not None), *ruleset.check_ahead(campaign),
            *unusable_inputs(ruleset, campaign), *contradictory_orders(ruleset, campaign)]


def check_typed_inputs(workspace: Workspace, campaign: Campaign) -> list[Finding]:
    """`check_ahead`, what later phases would say of their orders as things stand now, and what the present phase itself
    would say now of forms, answers and typed dice.

    How strong a side is when its battle begins, what a chest holds for bribes and what is thrown only the phase
    knows: it is run on a copy, as `resolve` would run it, and all that comes of it but these findings is thrown away.
    """
    seen = check_ahead(workspace.ruleset, campaign)
    told = {(finding.code, finding.where) for finding in seen}
    answers = {finding.where for finding in seen if finding.where.table == Question.sheet}
    trial = [finding for finding in _trial_run_findings(workspace, campaign)
             if (finding.code, finding.where) not in told and finding.where not in answers]
    over = workspace.ruleset.is_over(campaign)
    return [*seen, *trial, *(() if over else workspace.ruleset.foresee_orders(without_superseded(campaign)))]


def unusable_rows(ruleset: Ruleset, campaign: Campaign, rows: Iterable[Record]) -> list[Finding]:
    """What is wrong with rows that are handed in and can never count: dice that no rule throws, answers that an open
    question does not take.
    """
    findings = [unknown_die(ruleset, campaign, row) if isinstance(row, Die) else
             check_answer(ruleset.questions, ruleset.findings, campaign, row) if isinstance(row, Question) else None
             for row in rows]
    return [Finding(finding.code, "error", finding.where, finding.data) for finding in findings if finding is not None]


def _trial_run_findings(workspace: Workspace, campaign: Campaign) -> list[Finding]:
    """Findings of the phase that waits, once something was typed for it; [] where its dice are not at hand."""
    ruleset = workspace.ruleset
    if not _has_typed_input(ruleset, campaign):
        return []
    secret = workspace.ask_ledger(lambda ledger: ledger.turn_secret(campaign.desk.turn), None)
    if secret is None:
        return []
    forms, stopping = form_sheets(ruleset), (Question.sheet, Die.sheet)
    return [finding for finding in decide_phase(ruleset, campaign, secret, ResolveOptions()).outcome.findings
            if finding.where.table in forms or (finding.where.table in stopping and blocks_phase(finding))]


def _has_typed_input(ruleset: Ruleset, campaign: Campaign) -> bool:
    """Whether an answer, a form or a die stands there that the present phase will use."""
    if ruleset.is_over(campaign):
        return False
    put = {q.question for q in campaign.table(Question).of_turn(campaign.desk.turn) if q.status}
    if any(name not in put for name in answers_of(campaign)) or any(
            die.hold == "typed" for die in campaign.table(Die).open_rows(campaign.desk.turn)):
        return True
    here = campaign.desk.turn, campaign.desk.phase
    asked = [q for q in campaign.table(Question) if (q.turn, q.phase) == here and q.status == "open"]
    return len(open_questions(ruleset, campaign)) < len(asked)


def refused_answers(findings: Iterable[Finding]) -> dict[str, Finding]:
    """The answers that cannot be taken: key of the question -> what is wrong with it."""
    return {f.where.row: f for f in findings if f.stops and f.where.table == Question.sheet and f.where.row}


def refused_forms(ruleset: Ruleset, findings: Iterable[Finding]) -> dict[str, Finding]:
    """Results of battles that cannot be taken: sheet, row and column -> what is wrong there."""
    return {f"{f.where.table}/{f.where.row}/{f.where.field}": f for f in findings
            if f.stops and f.where.table in form_sheets(ruleset)}


def form_sheets(ruleset: Ruleset) -> tuple[str, ...]:
    """The sheets on which results of battles are typed."""
    return (Battle.sheet, *(form.sheet for form in ruleset.forms))


# What was typed is carried into another state of the campaign.


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


def corrections_since(now: Campaign, before: Campaign) -> set[RowPlace]:
    """The rows that corrections have changed since an earlier state of the campaign."""
    known = [event.data for event in _carried_events(before)]
    return {(str(e.data["sheet"]), str(e.data["row"])) for e in _carried_events(now)
            if e.event == CORRECTED and e.data not in known}


def inputs_since(then: Campaign, now: Campaign, target: Campaign) -> Campaign:
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
    """How many rows of `inputs_since` differ from rows that a phase of `target` has used up."""
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
