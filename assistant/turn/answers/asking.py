"""What a question is: how its kind is worded and answered, what one question of it asks of whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import LONGEST_TEXT
from assistant.campaign.records import NAMES, REFEREE, Question
from assistant.turn.answers.answer_kinds import EACH_TIME, UNKNOWN, Kind, Offer, Option, Unfit
from assistant.turn.findings import ERROR_VALUE, FORMULA, TOO_LONG, Finding, Message, Where
from assistant.turn.texts import Meaning

NO_OPTION, NO_STANDING = "ARB-135", "ARB-300"
OF = "of"
"""What `Question.asked` calls whom the phase has asked, where somebody else answers."""
_ERROR = re.compile(r"#[A-Z][A-Z0-9/_]*[!?]?|Err:\d+")
"""What a spreadsheet shows where a formula fails."""


@dataclass(frozen=True)
class Told:
    """The finding under which something of an answer is told: its code, and for each brace of its text what fills it.

    That may be anything of `Ask.asked`, ``answer`` (as it was typed), ``options``, ``question`` (its name),
    ``default``, and what the kind of answer adds (`answer_kinds`). Several codes are parted by blanks, options by
    commas.
    """

    code: str
    data: Mapping[str, str] = field(default_factory=lambda: {"answer": "answer", "options": "options"})


@dataclass(frozen=True)
class QuestionType:
    """A kind of question. `text`: how it is worded, English (msgid) with {braces}; `variants` and `means` as in
    `EventType`.

    `answer`: what its answer is; one question may say it more closely (`Ask.answer`). `answers`: further words, in
    either language, -> the option that they mean; of verbs one form will do. `stands`: what an answer is that holds
    until it is changed, None: it is put each time. `wrong`: how an answer is told that cannot be taken, `beyond`: one
    that is out of bounds or does not add up, where that is told otherwise; `foreign`: an answer that says it is
    another faction's; `speaks`: whether one faction may answer for another, where some may; `by_default`: that a
    default was taken.
    `early`: what such a question might be about, of a faction's view and its code, for the example of an answer that
    comes before it; "" where it has nothing to name.
    """

    kind: str
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    answer: Kind[Any] = Option()
    stands: Kind[Any] | None = None
    wrong: Told = Told(NO_OPTION)
    beyond: Told | None = None
    foreign: Told | None = None
    speaks: Callable[[Campaign, str, str], bool] = lambda campaign, one, other: one == other
    by_default: Told | None = None
    means: Mapping[str, Meaning] | None = None
    early: Callable[[Campaign, str], str] | None = None


@dataclass(frozen=True)
class Ask:
    """A question that a phase needs answered: to a faction's code, to a person's below one, or to ``referee``.

    Its row is addressed to who answers for them (`assistant.turn.addressees`); ``of`` among the row's details is then
    whom the phase has asked.

    `options`: the words allowed ((): free text); `default` "" means that there is none; `asked` fills
    the braces of the question's wording; `so_far`: events of this phase that the addressee may know;
    `terms`: what of `asked` an answer agrees to, so that an answer to other terms does not count; `answer`: what its
    answer is, with the bounds and codes of this one; None: as its kind declares.
    """

    kind: str
    to: str
    about: str = ""
    options: tuple[str, ...] = ()
    default: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    so_far: tuple[Mapping[str, Any], ...] = ()
    terms: tuple[str, ...] = ()
    answer: Kind[Any] | None = None

    def ident(self, turn: str, phase: str, record: type[Question] = Question) -> str:
        """The question's name, as the ruleset's record of questions gives it."""
        return record.named(turn, phase, self.kind, self.to, self.about)

    def row(self, turn: str, phase: str, record: type[Question] = Question, instead: str = "") -> Question:
        """Its row on the Questions sheet, open and without an answer. `instead`: who answers, where that is another."""
        asked = {**self.asked, OF: self.to} if instead else dict(self.asked)
        return record(question=self.ident(turn, phase, record), turn=turn, phase=phase, kind=self.kind,
                      to=instead or self.to, about=self.about, options=", ".join(self.options), default=self.default,
                      asked=asked,
                      so_far={"events": [dict(e) for e in self.so_far]} if self.so_far else {}, status="open")


class Waiting(Exception):
    """Stops a phase until answers come; caught by `assistant.turn.phases.resolve`, never seen outside."""

    def __init__(self, questions: Sequence[Ask]) -> None:
        super().__init__(f"{len(questions)} questions")
        self.questions = list(questions)


def type_of(types: Mapping[str, QuestionType], kind: str) -> QuestionType:
    """The declaration of a kind of question; the plainest one where the ruleset has none."""
    return types.get(kind) or QuestionType(kind, "{about}")


def names_in(campaign: Campaign, codes: Sequence[str]) -> dict[str, str]:
    """What people call the rows of which these are the codes, name -> code; names that two of them have are left out.

    Of a table that knows none of the codes nothing is taken.
    """
    found: dict[str, set[str]] = {}
    for table in campaign.tables().values():
        called = [c.name for c in table.record.columns() if c.name in NAMES]
        for code in codes if called else ():
            row = table.get(code)
            for name in (str(getattr(row, one)).strip() for one in called if row is not None):
                found.setdefault(name, set()).add(code)
    return {name: next(iter(of)) for name, of in found.items() if name and len(of) == 1}


def offer_of(campaign: Campaign, kind: QuestionType, options: Sequence[str]) -> Offer:
    """What is known of a question of a kind with these options when its answer is read."""
    return Offer(options, kind.answers, lambda codes: names_in(campaign, codes))


def unread(row: Question) -> Finding | None:
    """The finding for an answer that nobody can read, whatever its question takes: a formula, the error of one, a text
    that is too long.
    """
    text = row.answer.strip()
    code = FORMULA if text.startswith("=") else ERROR_VALUE if _ERROR.fullmatch(text) else TOO_LONG
    if code == TOO_LONG and len(text) <= LONGEST_TEXT:
        return None
    seen: dict[str, Any] = {"seen": text[:80]}
    if code == TOO_LONG:
        seen = {"seen": text[:40] + "…", "length": len(text), "allowed": LONGEST_TEXT}
    return Finding(code, "error", Where(Question.sheet, row.ident, "answer"), seen, "" if row.to == REFEREE else row.to)


def refusal(types: Mapping[str, QuestionType], messages: Mapping[str, Message], row: Question, unfit: Unfit,
            answer: Kind[Any]) -> Finding:
    """The finding for an answer that cannot be taken, at its cell. `row`: the question, with the answer in it."""
    kind = type_of(types, row.kind)
    told = Told(NO_STANDING, {"kind": "kind"}) if unfit.role == EACH_TIME else (
        kind.wrong if unfit.role == UNKNOWN or kind.beyond is None else kind.beyond)
    return tell(told, messages, row, {"options": answer.offered(options_of(row)), **unfit.data})


def tell(told: Told, messages: Mapping[str, Message], row: Question, data: Mapping[str, Any]) -> Finding:
    """A finding at the cell of an answer, its braces filled from the question and `data`.

    Raises KeyError for a code that the ruleset does not have.
    """
    known = {**row.asked, "answer": row.answer.strip(), "question": row.question, "kind": row.kind,
             "default": row.default, **data}
    filled = {brace: _joined(brace, known[source]) for brace, source in told.data.items()}
    severity = "error" if told.code in (NO_OPTION, NO_STANDING) else messages[told.code].severity
    return Finding(told.code, severity, Where(Question.sheet, row.ident, "answer"), filled,
                   "" if row.to == REFEREE else row.to)


def _joined(brace: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (", " if brace == "options" else " ").join(value)
    return value


def options_of(row: Question) -> list[str]:
    """The options that a row of Questions lists."""
    return [option.strip() for option in row.options.split(",") if option.strip()]
