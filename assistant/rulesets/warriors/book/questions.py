"""What the book asks, of clubs and of the referee (rulebook: Questions); the Italian stands in `warriors.po`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.turn.answers.answer_kinds import Amount, Kind, Option
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.texts import Meaning, keyed

ANSWERS: Mapping[str, str] = {"sì": "yes", "si": "yes", "nessuno": "none", "nessuna": "none", "inserito": "entered",
                              "dadi": "auto", "tempesta": "storm", "bufera": "storm", "blizzard": "storm",
                              "pioggia": "rain", "neve": "rain", "snow": "rain", "sereno": "fair", "vento": "wind",
                              "nebbia": "fog", "caldo": "heat", "splendido": "splendid"}
"""Further words of answers -> the option."""
_WRONG = Told("WAR-601", {"answer": "answer", "options": "options"})
_FOREIGN = Told("WAR-602", {"faction": "faction"})
_PIECES: Mapping[str, Meaning] = {"attacker": "piece", "battle": "text"}


def _asked(kind: str, text: str, answer: Kind[Any] = Option(), **more: Any) -> QuestionType:  # noqa: B008
    return QuestionType(kind, text, None, ANSWERS, answer, wrong=_WRONG, foreign=_FOREIGN, **more)


QUESTIONS: Mapping[str, QuestionType] = keyed(
    _asked("weather", "Which weather has {zone}?"),
    _asked("counter-march", "{attacker} {attacker?attacks|attack} {army} at {node:the}: step back?",
           stands=Option(("yes", "no")), means=_PIECES),
    _asked("result", "Who won {battle} at {node:the}, and with what losses? Type the result into the form; auto: the "
                     "umpire's dice.", Option(reader=str.strip), means=_PIECES),
    _asked("retreat", "{battle} at {node:the} is lost. Where does {army} go?", means=_PIECES),
    _asked("step-back", "{battle} at {node:the} is drawn. Where does {army} go?", means=_PIECES),
    _asked("weeks", "How many weeks have passed?", Amount()),
    _asked("muster", "How many points does {node:the} give?", Amount()),
    _asked("event", "Which random event befalls {faction:the}?"),
    _asked("levies", "Which Force do the levies join?"),
    _asked("mercenaries", "{figures} {figures?mercenary for|mercenaries for} {points} {points?point|points} of a"
                          " place: for which Force?"),
)
