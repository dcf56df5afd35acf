"""What can be judged beforehand, without resolving: answers, results of battles, orders for later phases."""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.desk import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.game import REFEREE
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force


def check_ahead(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Findings about what the present phase waits for and about what is typed for later; [] when all is over."""
    if ruleset.is_over(campaign):
        return []
    campaign = in_force(campaign)
    here = campaign.desk.turn, campaign.desk.phase
    judged = (bad_answer(ruleset, question) for question in campaign.table(Question)
              if (question.turn, question.phase) == here and question.status == "open")
    return [finding for finding in judged if finding is not None] + ruleset.check_ahead(campaign)


def bad_answer(ruleset: Ruleset, question: Question) -> Finding | None:
    """What is wrong with an answer that is none of its question's options, as a finding at its cell."""
    kind, answer = ruleset.questions.get(question.kind), question.answer.strip()
    options = [option.strip() for option in question.options.split(",") if option.strip()]
    if kind is None or not answer or kind.takes(answer, options):
        return None
    return ruleset.wrong_answer(question, options) or codes.finding(
        codes.NO_OPTION, Where(Question.sheet, question.ident, "answer"),
        "" if question.to == REFEREE else question.to, answer=answer, options=", ".join(options))
