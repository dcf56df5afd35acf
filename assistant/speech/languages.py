"""The languages that Arbitro speaks, by their code."""

from __future__ import annotations

from assistant.speech.english import ENGLISH
from assistant.speech.italian import ITALIAN
from assistant.speech.name import Language

LANGUAGES: dict[str, Language] = {"en": ENGLISH, "it": ITALIAN}
