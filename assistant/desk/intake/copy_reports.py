"""Reports on battles in a club's copy: its cells in; one answer for each battle out, and what could not be read of it.

What stands in the further sheets of a battle's form becomes further parts of the club's answer, as it would type them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Typed
from assistant.campaign.records import Battle, FormRow, Question
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.club_form import is_report, report
from assistant.turn.battle_form.declaration import BattleForm, Filled
from assistant.turn.battle_form.form_rows import in_words, says_anything, shown
from assistant.turn.battle_form.halves import NOT_READ, WITH_IT, battle_of, read_half, unfit
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim
from assistant.workbook.codes import TWO_KEYS
from assistant.workbook.copies.rows_sent import RowsSent, print_of_row
from assistant.workbook.port import Reading


@dataclass
class Reports:
    """What a copy says of battles. `answers`: those in which something is said; `offered`: keys of all rows in which
    the copy lets its club report and that could be read; `rows`: the further rows of these battles as they stand there;
    `findings`: what could not be read.
    """

    answers: list[Question] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)
    rows: list[FormRow] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def reports_in(reading: Reading, campaign: Campaign, club: str) -> Reports:
    """What a copy says of the battles on which it lets its club report. `campaign`: of the referee, as it stands."""
    found, theirs = Reports(), reading.campaign
    form = reading.ruleset.form if reading.ruleset is not None else None
    if form is None or reading.ruleset is None or not theirs.has(Question.sheet):
        return found
    unread = [one for one in reading.findings if one.where.table in {sheet.sheet for sheet in form.sheets}]
    sent = RowsSent.of(reading.rows_sent).rows
    for question in [row for row in theirs.table(Question) if _is_ours(form, row, club, campaign)]:
        battle = battle_of(question)
        rows = [row for sheet in form.sheets if theirs.has(sheet.sheet)
                for _, row in theirs.by_sheet(sheet.sheet).in_file_order() if row.battle == battle]
        found.rows += rows
        bad = [one for one in unread if one.where.row.split("/")[0] == battle]
        found.findings += bad
        wrong = {(one.where.table, one.where.row) for one in bad  # of two rows with one key the first was read
                 if one.stops and one.code != TWO_KEYS}
        told = [row for row in rows if says_anything(row) and (row.sheet, row.ident) not in wrong
                and print_of_row(row) not in sent]
        found.findings += _take(found, reading.ruleset, campaign, question, told, reading)
    found.findings += [one for one in unread if found.offered and not one.where.row.split("/")[0]]
    return found


def strangers_in(reading: Reading, campaign: Campaign, club: str) -> list[Question]:
    """The rows of Questions in a copy that say that they are its club's and are another's, or are nobody's report."""
    form = reading.ruleset.form if reading.ruleset is not None else None
    if not reading.campaign.has(Question.sheet):
        return []
    known = campaign.table(Question)
    return [row for row in reading.campaign.table(Question) if (
        row.to == club and (there := known.get(row.ident)) is not None and there.to != club) or (
            form is not None and row.kind == form.question and not _is_ours(form, row, club, campaign))]


def written_over(reading: Reading, rows: Sequence[Question], club: str) -> list[Finding]:
    """What is said to the club of answers in its copy whose rows are not its own any more. `rows`: `strangers_in`."""
    return [Finding(WITH_IT, "error", where, {"why": "key", "text": Verbatim(row.answer.strip())}, club,
                    reading.cells.of(where))
            for row in rows if row.answer.strip() and (where := Where(Question.sheet, row.ident, "answer"))]


def _is_ours(form: BattleForm[Any], row: Question, club: str, campaign: Campaign) -> bool:
    """Whether a row is one in which the club reports on a battle that there is."""
    return is_report(form, row, club) and battle_of(row) in campaign.table(Battle)


def _take(found: Reports, ruleset: Ruleset, campaign: Campaign, question: Question, told: Sequence[FormRow],
          reading: Reading) -> Iterator[Finding]:
    """Make one answer of a line and further rows; what is none of a report is told at its cell."""
    battle, line, form = battle_of(question), question.answer.strip(), ruleset.form
    assert form is not None
    if line and not _can_be_read(form, campaign, replace(question, answer=line)):
        where = Where(Question.sheet, question.ident, "answer")
        yield replace(unfit(NOT_READ, question, battle), cell=reading.cells.of(where))
        if told:
            yield Finding(WITH_IT, "error", where, {"battle": battle, "n": len(told)}, question.to,
                          reading.cells.of(where))
        return
    rows, wrong = [], _no_numbers(ruleset, campaign, battle, told)
    for row in told:
        said = replace(question, answer=in_words(row))
        if id(row) in wrong:
            yield replace(wrong[id(row)], faction=question.to, cell=reading.cells.of(wrong[id(row)].where))
        elif _is_one_line(row) and _can_be_read(form, campaign, said):
            rows.append(row)
        else:
            first = next(c.name for c in row.columns() if c.key and c.name != "battle")
            yield replace(unfit(NOT_READ, said, battle), cell=reading.cells.of(Where(row.sheet, row.ident, first)))
    found.offered.add(question.ident)
    whole = replace(question, answer=report([line], rows))
    if whole.answer:
        found.answers.append(whole)


def _no_numbers(ruleset: Ruleset, campaign: Campaign, battle: str, told: Sequence[FormRow]) -> dict[int, Finding]:
    """Rows in which something stands for a number that is none, by their `id`: what the book itself says of it."""
    form, row = ruleset.form, campaign.table(Battle).get(battle)
    doubtful = {id(one): one for one in told if any(_is_no_number(one, name) for name in one.form())}
    if form is None or form.seen is None or row is None or not doubtful:
        return {}
    known, _ = form.seen(ruleset.game(campaign.copy()), row.copy())
    rows = [(str(id(one)), one) for one in told if form.rows is not None and isinstance(one, form.rows)]
    found = dict[int, Finding]()
    for fault in form.faults(Filled(form, known, row.copy(), rows)):
        one = doubtful.get(int(fault.row or 0))
        if one is not None and _is_no_number(one, fault.column):
            found.setdefault(id(one), ruleset.finding(fault.code, Where(one.sheet, one.ident, fault.column), "",
                                                      **fault.data))
    return found


def _is_no_number(row: FormRow, name: str) -> bool:
    value = getattr(row, name)
    return type(row.column(name).kind) is Typed and value != "" and not (isinstance(value, int) and value >= 0)


def _is_one_line(row: FormRow) -> bool:
    """Whether what stands in a row can be said in a line, in which blanks part one value from the next."""
    return not any(set(shown(row, c.name)) & set(" \t\n;=") for c in row.columns() if c.edit != "assistant")


def _can_be_read(form: BattleForm[Any], campaign: Campaign, question: Question) -> bool:
    """Whether it is a report."""
    try:
        read_half(form, campaign, question, "")
    except Unfit:
        return False
    return True
