"""The kinds of question that the phases of Incursio put (rulebook: Questions)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.answers.answer_kinds import Text
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.texts import keyed

CONSENT, FREE, RESULT, DEPLOY = "consent", "free", "battle_result", "deploy"
YES_NO = {"sì": "yes", "si": "yes", "s": "yes", "y": "yes", "n": "no"}

QUESTIONS: Mapping[str, QuestionType] = keyed(
    QuestionType(CONSENT, "{character}, the general asks you: {action}. Do you accept?", answers=YES_NO,
                 means={"character": "text", "action": "text"}),
    QuestionType(FREE, "{character} is back from “{note}”. Success?", means={"character": "text"},
                 answers={"yes": "success", "sì": "success", "no": "failed", "riuscita": "success",
                          "fallita": "failed"}),
    QuestionType(RESULT, "Battle {about} {place:at}: type what is left of each line.", means={"about": "text"}),
    QuestionType(DEPLOY, "Reinforcements {pool}: where?", means={"pool": "text"}, answer=Text(str),
                 wrong=Told("INC-010", {"column": "kind", "seen": "answer", "allowed": "options"})),
)
