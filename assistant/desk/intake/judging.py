"""Judging beforehand: a campaign in; findings about answers, results and orders for later phases out, none resolved."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Battle, Die, Question
from assistant.desk.intake.contradictions import twofold
from assistant.desk.intake.unknown_inputs import never_thrown, strangers
from assistant.desk.playing.play import Options, decide, open_questions
from assistant.desk.sitting.sitting import Sitting
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.turn.answers.bad_answers import bad_answer
from assistant.turn.findings import Finding
from assistant.turn.game import answers_of
from assistant.turn.rows.misfits import keeps_phase
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force


def check_ahead(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Findings about what the present phase waits for and about what is typed for later; [] when all is over."""
    if ruleset.is_over(campaign):
        return []
    campaign = in_force(campaign)
    here = campaign.desk.turn, campaign.desk.phase
    judged = (bad_answer(ruleset.questions, ruleset.findings, campaign, question)
              for question in campaign.table(Question).open_rows(campaign.desk.turn)
              if question.hold == "typed" or ((question.turn, question.phase) == here and question.status == "open"))
    return [*(finding for finding in judged if finding is not None), *ruleset.check_ahead(campaign),
            *strangers(ruleset, campaign), *twofold(ruleset, campaign)]


def judge_typed(sitting: Sitting, campaign: Campaign) -> list[Finding]:
    """`check_ahead`, and what the present phase itself would say now of forms, answers and typed dice.

    How strong a side is when its battle begins, what a chest holds for bribes and what is thrown only the phase
    knows: it is run on a copy, as `resolve` would run it, and all that comes of it but these findings is thrown away.
    """
    seen = check_ahead(sitting.ruleset, campaign)
    said = {(finding.code, finding.where) for finding in seen}
    answers = {finding.where for finding in seen if finding.where.table == Question.sheet}
    return seen + [finding for finding in _as_the_phase_tells(sitting, campaign)
                   if (finding.code, finding.where) not in said and finding.where not in answers]


def never_counts(ruleset: Ruleset, campaign: Campaign, rows: Iterable[Record]) -> list[Finding]:
    """What is wrong with rows that are handed in and can never count: dice that no rule throws, answers that an open
    question does not take.
    """
    found = [never_thrown(ruleset, campaign, row) if isinstance(row, Die) else
             bad_answer(ruleset.questions, ruleset.findings, campaign, row) if isinstance(row, Question) else None
             for row in rows]
    return [Finding(one.code, "error", one.where, one.data) for one in found if one is not None]


def _as_the_phase_tells(sitting: Sitting, campaign: Campaign) -> list[Finding]:
    """Findings of the phase that waits, once something was typed for it; [] where its dice are not at hand."""
    ruleset = sitting.ruleset
    if not _something_typed(ruleset, campaign):
        return []
    try:
        with Ledger.open(path_of(sitting.path), campaign.desk.campaign_id) as ledger:
            secret = ledger.turn_secret(campaign.desk.turn)
    except LedgerTrouble:
        return []
    forms, stopping = form_sheets(ruleset), (Question.sheet, Die.sheet)
    return [finding for finding in decide(ruleset, campaign, secret, Options()).outcome.findings
            if finding.where.table in forms or (finding.where.table in stopping and keeps_phase(finding))]


def _something_typed(ruleset: Ruleset, campaign: Campaign) -> bool:
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


def wrong_forms(ruleset: Ruleset, findings: Iterable[Finding]) -> dict[str, Finding]:
    """Results of battles that cannot be taken: sheet, row and column -> what is wrong there."""
    return {f"{f.where.table}/{f.where.row}/{f.where.field}": f for f in findings
            if f.stops and f.where.table in form_sheets(ruleset)}


def form_sheets(ruleset: Ruleset) -> tuple[str, ...]:
    """The sheets on which results of battles are typed."""
    return (Battle.sheet, *(form.sheet for form in ruleset.forms))
