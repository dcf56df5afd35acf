"""Judges orders, answers, dice and results before their phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die, FormRow, Order, Question
from assistant.campaign.tables import Record
from assistant.desk.play_phase import ResolveOptions, decide_phase, open_questions
from assistant.desk.workspace.workspace import Workspace
from assistant.ledger import Ledger, LedgerTrouble, path_of_ledger
from assistant.turn import codes
from assistant.turn.answers import answers_of, check_answer
from assistant.turn.dice import (
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
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.reader import read_text
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import blocks_phase, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim

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
    try:
        with Ledger.open(path_of_ledger(workspace.path), campaign.desk.campaign_id) as ledger:
            secret = ledger.turn_secret(campaign.desk.turn)
    except LedgerTrouble:
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
