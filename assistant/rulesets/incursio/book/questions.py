"""The kinds of question that the phases of Incursio put (rulebook: Questions)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.answers.answer_kinds import Text
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.texts import keyed

CONSENT, FREE, RESULT, DEPLOY = "consent", "free", "battle_result", "deploy"
YES_NO = {"sì": "yes", "si": "yes", "s": "yes", "y": "yes", "ok": "yes", "accetto": "yes", "accept": "yes", "n": "no",
          "rifiuto": "no", "decline": "no"}
SUCCESS = {**{word: {"yes": "success", "no": "failed"}[means] for word, means in YES_NO.items()}, "yes": "success",
           "no": "failed", "riuscita": "success", "riuscito": "success", "successo": "success", "fallita": "failed",
           "fallito": "failed", "failure": "failed"}

QUESTIONS: Mapping[str, QuestionType] = keyed(
    QuestionType(CONSENT, "{character}, the general asks you: {action}. Do you accept?", answers=YES_NO,
                 means={"character": "text", "action": "text"}),
    QuestionType(FREE, "{character} is back from “{note}”. Success?", means={"character": "text"},
                 answers=SUCCESS),
    QuestionType(RESULT, "Battle {about} {place:at}: type what is left of each line.", means={"about": "text"}),
    QuestionType(DEPLOY, "Reinforcements {pool}: where?", means={"pool": "text"}, answer=Text(str),
                 wrong=Told("INC-010", {"column": "kind", "seen": "answer", "allowed": "options"})),
)
