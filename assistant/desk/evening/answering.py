"""`answers`: a campaign in; the open questions out, where each is answered, and what is wrong with what was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.campaign.records import Battle, Question
from assistant.desk.intake.judging import form_sheets, judge_typed, refused_answers
from assistant.desk.playing.play import has_asked, open_questions
from assistant.desk.playing.typed import form_fields
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.sitting import At, sit
from assistant.desk.sitting.stops import Stop
from assistant.turn.findings import Where
from assistant.turn.game import REFEREE
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_
from assistant.workbook.port import Cells


def answers(at: At, *, lang: str = "") -> Result:
    """The open questions, and findings about answers that stand there. Changes nothing.

    Ends as waiting while an answer is missing. Result data: ``turn``, ``phase``, ``open``: how many are not
    answered yet, or with what cannot be taken, ``next``: the cell of the first of them, "" for none.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
    except Stop as stopped:
        return stopped.result("answers")
    ruleset, campaign, words = sitting.ruleset, sitting.campaign, sitting.wording
    result = Result("answers", wording=words)
    seen = [] if ruleset.is_over(campaign) else [f for f in judge_typed(sitting, campaign)
                                                 if f.where.table in (Question.sheet, *form_sheets(ruleset))]
    result.find(sitting.placed(seen))
    refused = refused_answers(result.findings)
    result.questions = [] if ruleset.is_over(campaign) else open_questions(ruleset, campaign, refused)
    result.data.update(turn=campaign.desk.turn, phase=campaign.desk.phase, open=len(result.questions),
                       next=cell_of(sitting.reading.cells, ruleset, result.questions))
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
    elif result.questions:
        result.exit = Exit.WAITING
    missing = [q for q in result.questions if q.ident not in refused]
    if missing:
        result.say(words.plural(N_("{n} answer is missing."), N_("{n} answers are missing."), len(missing)))
    if refused:
        result.say(words.plural(N_("{n} answer cannot be taken: put it right."),
                                N_("{n} answers cannot be taken: put them right."), len(refused)))
    elif not missing and result.exit == Exit.REFUSED:
        result.say(words.text(N_("No answer is missing, but what was typed cannot be taken as it is.")))
    elif not missing and not ruleset.is_over(campaign) and has_asked(campaign):
        result.say(words.text(N_("All questions are answered: the phase can be resolved.")))
    elif not missing:
        result.say(words.text(N_("No question is open.")))
    return result


def cell_of(cells: Cells, ruleset: Ruleset, questions: Sequence[Question]) -> str:
    """Where the first of some questions is answered, of those on its sheet the uppermost; "" for none."""
    found = [_answered_in(cells, ruleset, question) for question in questions]
    sheet = found[0].rpartition("!")[0] if found else ""
    return min((one for one in found if one.rpartition("!")[0] == sheet), default="",
               key=lambda one: int(re.sub(r".*\D", "", one) or 0))


def _answered_in(cells: Cells, ruleset: Ruleset, question: Question) -> str:
    """Where a question is answered: a battle in the first column of its form, anything else in Questions."""
    if question.to == REFEREE and question.about in cells.rows.get(Battle.sheet, {}):
        return cells.of(Where(Battle.sheet, question.about, form_fields(ruleset.record(Battle.sheet))[0]))
    return cells.of(Where(Question.sheet, question.ident, "answer"))
