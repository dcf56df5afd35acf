"""What a club tells of a battle in a line: an answer of its own, which counts when the referee confirms it."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Battle, Question
from assistant.desk.intake.plainlines import Line, next_to_ask
from assistant.desk.intake.unknown_inputs import no_battle
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.halves import NOT_READ, battle_of, read_half, unfit
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset


def report_of(line: Line, ruleset: Ruleset, campaign: Campaign) -> Question | None:
    """What a club tells of a battle: ``battle ID a 26 55``, or a line for a further sheet of its form.

    None where the line is something else: it is the referee's, or the rulebook declares no form.
    """
    parts = line.words.split(None, 2)
    form = ruleset.form
    if form is None or line.faction in ("", REFEREE) or len(parts) < 3 or line.kind not in ("battle", "form"):
        return None
    moment = next_to_ask(ruleset, campaign, form.question)
    if moment is None:
        return None
    record = campaign.table(Question).record
    about = f"{campaign.table(Battle).spelled(parts[1])}/{line.faction}"
    name = record.named(moment.turn, moment.phase, form.question, line.faction, about)
    return record(question=name, turn=moment.turn, phase=moment.phase, kind=form.question, to=line.faction, about=about,
                  answer=parts[2].strip())


def take_report(report: Question, kind: str, ruleset: Ruleset, campaign: Campaign,
                taken: Sequence[Question]) -> Question | Finding:
    """A report as it is to be kept, or what is wrong with it.

    A result takes the place of what the club told before, a further row (`kind` ``form``) stands beside it. `taken`:
    answers that come with it.
    """
    battle = battle_of(report)
    wrong = no_battle(ruleset, campaign, campaign.table(Battle).record(battle=battle), campaign.desk.turn)
    if ruleset.form is None or (wrong is not None and wrong.stops):
        return wrong or unfit(NOT_READ, report, battle)
    try:
        read_half(ruleset.form, campaign, report, "")
    except Unfit:
        return unfit(NOT_READ, report, battle)
    before = next((q for q in reversed(taken) if q.ident == report.ident), campaign.table(Question).get(report.ident))
    if kind == "form" and before is not None and before.answer.strip():
        told = [part.strip() for part in before.answer.split(";")]
        report.answer = "; ".join(dict.fromkeys([*told, report.answer]))
    return report
