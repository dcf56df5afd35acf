"""How answers to the questions of The Anarchy are taken before the phase reads them (digest, section 5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.rulesets.anarchy.verbs import DEFAULTS, choice_code, fold
from assistant.turn.ruleset import QuestionType

AS_NAMED = ("escort", "ruling")
"""Kinds that also take names and men, which only the phase can judge."""


@dataclass(frozen=True)
class Kind(QuestionType):
    """A kind of question whose options may be answered in either language, with a number, or by ``default``."""

    def takes(self, answer: str, options: Sequence[str]) -> bool:
        """Whether an answer can be one of the options; ``promise:n`` stands for any whole number of points."""
        if not options or self.kind in AS_NAMED or fold(answer) in DEFAULTS:
            return True
        return any(_fits(answer, option) for option in options)


def _fits(answer: str, option: str) -> bool:
    if fold(answer) == fold(option) or choice_code(answer) == option:
        return True
    word, _, most = option.partition(":")
    given = re.fullmatch(r"\s*([^\s:\d]+)[\s:]+(\d{1,9})\s*", answer)
    if not most or given is None or choice_code(given[1]) != word:
        return False
    return not most.isdecimal() or 1 <= int(given[2]) <= int(most)


__all__ = ["Kind"]
