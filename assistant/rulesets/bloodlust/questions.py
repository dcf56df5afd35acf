"""What Bloodlust nations asks (rulebook: Questions): kinds of question in English, the Italian in `bloodlust.po`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.rulesets.bloodlust.season.wintering import Units
from assistant.rulesets.bloodlust.war.answering import Responses
from assistant.turn.answers.answer_kinds import Kind, Option
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.texts import keyed

ANSWERS: Mapping[str, str] = {
    "si": "yes", "combatti": "fight", "combatte": "fight", "togli": "lift", "toglie": "lift",
    "toglie l'assedio": "lift", "togli l'assedio": "lift", "coraggio": "courage",
    "logistica": "logistic", "nessuno": "none", "nessuna": "none"}
"""Italian words of answers -> the code."""


def _asked(kind: str, text: str, answer: Kind[Any] = Option(), **more: Any) -> QuestionType:  # noqa: B008
    return QuestionType(kind, text, None, ANSWERS, answer, wrong=Told("BLD-050"),
                        by_default=Told("BLD-053", {"faction": "faction", "default": "default"}), **more)


QUESTIONS: Mapping[str, QuestionType] = keyed(
    _asked("strength", "{leader} throws 3 on the strength table: Courage or Logistic?"),
    _asked("join", "{by:the} {by?has|have} attacked your ally {partner:the}. Do you join? Refusing ends the alliance."),
    _asked("response", "{armies} of {by:the} ({k} {k?unit|units}, led by {leader}, WR {w}) {by?enters|enter} "
                       "{node:the} from {start:the}. What do you do?", Responses(),
           means={"start": "place", "armies": "piece"}),
    _asked("relief", "{armies} come to relieve {node:the}. Fight, or lift the siege?", means={"armies": "piece"}),
    _asked("keep", "Disband or Not: {units} may be kept for 1 resource each; {m} in hand.", Units(),
           means={"units": "text"}),
    _asked("alliance", "The envoy of {by:the} offers an alliance. Yes or no?"),
    QuestionType("battle", "{about} {node:at}: {by:the} (attacker) against {opponent:the} (defender). Who won, and who "
                           "retreated? Type the form, or auto for the umpire's dice.", means={"about": "text"}),
)
"""All kinds of question."""
