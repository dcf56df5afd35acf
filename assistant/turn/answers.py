"""Who is asked, the answers that a phase gets, and the questions that stay open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import REFEREE, RULES, Faction, Question, code_lookup
from assistant.campaign.tables import Table
from assistant.turn.findings import Finding, Message, UniqueFindings, Where
from assistant.turn.orders.words import fold
from assistant.turn.questions import (
    ORDERS,
    Amount,
    AnswerKind,
    Ask,
    Codes,
    Parts,
    QuestionType,
    Shares,
    Told,
    Waiting,
    applicable_row,
    finding_at_answer,
    make_standing,
    offering,
    options_of,
    parse_standing_answer,
    read_standing_answer,
    refusal_finding,
    standing_rows,
    standing_text,
    strip_until,
    subject_parts,
    type_of,
    unreadable_finding,
)

# Who is asked or told on behalf of a code.
#
# A faction that the rules play has no club, so the referee is asked and told in its place. For one of the people below
# a faction it is that faction.


def roles_of(campaign: Campaign) -> Mapping[str, str]:
    """The code of each faction -> its role, in natural order."""
    return campaign.derive(_roles, Faction)


def _roles(factions: Table[Faction]) -> dict[str, str]:
    return {row.faction: row.role for row in factions}


def stand_ins(campaign: Campaign) -> Mapping[str, str]:
    """Code of whoever is not asked directly -> the faction (or the referee) that is asked instead."""
    takers = {}
    for record in campaign.records().values():
        if record.persons:
            takers.update({row.ident: str(getattr(row, "faction", "")) or REFEREE for row in campaign.table(record)})
    factions = {code: REFEREE if role == RULES else code for code, role in roles_of(campaign).items()}
    people = {code: factions.get(faction, faction) for code, faction in takers.items() if code not in factions}
    return people | {code: REFEREE for code, whom in factions.items() if whom == REFEREE}


def recipients_of(codes: Iterable[str], instead: Mapping[str, str]) -> list[str]:
    """The factions that receive what is addressed to these codes; the referee, who sees everything, is left out."""
    return [code for code in dict.fromkeys(instead.get(code, code) for code in codes) if code != REFEREE]


# The questions of a phase and their answers.


T = TypeVar("T")

OUTDATED, OF_ANOTHER = "ARB-275", "ARB-308"
DEFAULTS = ("default", "predefinita", "predefinito")
"""Words that take the default of a question."""


class AnswerValue(NamedTuple):
    """The value of a valid answer; a class of its own because the value may itself be None or empty."""

    value: Any


def answers_of(campaign: Campaign) -> dict[str, str]:
    """The answers to questions of the present phase: name -> trimmed text, blanks left out."""
    desk = campaign.desk
    turns, phases = ("", desk.turn), ("", desk.phase)
    given = campaign.table(Question).open_rows(desk.turn, lambda q: bool(
        q.answer and q.turn in turns and q.phase in phases and q.answer.strip() and not q.stands), parts=phases)
    return {q.question: q.answer.strip() for q in given}


class Answering:
    """The questions of one run of a phase. `types`: how the ruleset declares its kinds; `answers`: name -> text."""

    def __init__(self, campaign: Campaign, phase: str, messages: Mapping[str, Message],
                 types: Mapping[str, QuestionType], answers: Mapping[str, str] | None = None) -> None:
        self.campaign = campaign
        self.phase = phase
        self.turn = campaign.desk.turn
        self.findings: list[Finding] = []
        self._once = UniqueFindings(self.findings)
        self.asked: list[Ask] = []
        self._alike: dict[str, list[Ask]] = {}
        """The questions asked so far, by name."""
        self.outdated: set[str] = set()
        self.heard: set[str] = set()
        """Keys of rows with a valid answer that no question of the phase asked for."""
        self.stood: dict[str, Question] = {}
        """Name of a question -> the standing answer that was used for it."""
        self.messages = messages
        self._types = types
        self._given_answers = answers
        self._questions: type[Question] = campaign.records()[Question.sheet]  # type: ignore[assignment]

    @cached_property
    def _answers(self) -> dict[str, str]:
        return dict(answers_of(self.campaign) if self._given_answers is None else self._given_answers)

    # --- what a phase asks --------------------------------------------------------------------
    def ask(self, question: Ask) -> str:
        """The answer as text: an option by its code, anything else as it was typed.

        Without a valid answer the phase stops here and is run again once there is one.
        """
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Ask]) -> list[str]:
        """The answers to independent questions, as `ask`; the phase stops once for all that are still open."""
        values = self._all(questions)
        return [value if isinstance(value, str) else self._text_of(question)
                for question, value in zip(questions, values, strict=True)]

    choose, choose_all = ask, ask_all
    """The same, of questions that list options: the codes of those chosen."""

    def may_choose(self, question: Ask) -> str:
        """The chosen option, or the default if there is no answer: the phase does not wait for one."""
        if self.has_answer(question):
            return self.choose(question)
        self._mark(question)
        self._say_default(question)
        return question.default

    def amount(self, question: Ask) -> int:
        """The number given as the answer."""
        return self.amounts([question])[0]

    def amounts(self, questions: Sequence[Ask]) -> list[int]:
        """The numbers given as answers to independent questions."""
        return cast("list[int]", self._all(questions, Amount))

    def codes(self, question: Ask) -> tuple[str, ...]:
        """The codes given as the answer; () for a word that leaves it to the default."""
        return self.codes_all([question])[0]

    def codes_all(self, questions: Sequence[Ask]) -> list[tuple[str, ...]]:
        """The codes given as answers to independent questions."""
        return cast("list[tuple[str, ...]]", self._all(questions, Codes))

    def parts_all(self, questions: Sequence[Ask]) -> list[tuple[int, ...]]:
        """The parts of amounts given as answers to independent questions; () as in `codes`."""
        return cast("list[tuple[int, ...]]", self._all(questions, Parts))

    def shares_all(self, questions: Sequence[Ask]) -> list[Mapping[str, int]]:
        """How amounts are shared out (unit -> share), as answered to independent questions."""
        return cast("list[Mapping[str, int]]", self._all(questions, Shares))

    def answer_to(self, question: Ask) -> str:
        """The answer as `ask` gives it, "" if there is none; the question counts as asked.

        An invalid answer stops the phase.
        """
        self._mark(question)
        return self.ask(question) if self.has_answer(question) else ""

    def has_answer(self, question: Ask) -> bool:
        """Whether there is a typed or a standing answer; the question does not count as asked."""
        return bool(self._text_of(question)) or self._standing_value(question) is not None

    def early_answer(self, question: Ask) -> Any:
        """The answer to a question for which no phase waits; None if there is none: then it does not count as asked.

        An invalid answer gets a finding at its cell and has no effect.
        """
        given = self._own_value(question) if self.has_answer(question) else None
        if given is None and question in self.asked:
            self.asked.remove(question)
            self._alike[self.name_of(question)].remove(question)
        return None if given is None else given.value

    def ask_again(self, question: Ask, code: str, **data: Any) -> None:
        """Reject an answer that conflicts with others: it gets a finding at its cell, and the question stays open."""
        self._note(
            finding_at_answer(Told(code, {name: name for name in data}), self.messages, self._row(question), data)
        )
        raise Waiting([question])

    def row_of(self, question: Ask) -> Question:
        """The question's row, open and unanswered, addressed to whoever answers it."""
        return question.row(self.turn, self.phase, self._questions, self.instead.get(question.to, ""))

    @cached_property
    def instead(self) -> Mapping[str, str]:
        """Who is asked and told instead of others; see `stand_ins`."""
        return stand_ins(self.campaign)

    def _answerer(self, question: Ask) -> str:
        return self.instead.get(question.to, question.to)

    def name_of(self, question: Ask) -> str:
        """The question's name on this ruleset's Questions sheet."""
        return question.ident(self.turn, self.phase, self._questions)

    def unasked_questions(self) -> list[Question]:
        """Rows with answers typed for this phase to questions that it did not ask."""
        asked = {self.name_of(ask) for ask in self.asked}
        return self.campaign.table(Question).of_turn(
            self.turn, lambda row: bool(row.answer.strip()) and row.question not in asked
            and row.ident not in self.heard, parts=(self.phase,))

    # --- how answers are taken ------------------------------------------------------------------
    def _all(self, questions: Sequence[Ask], kind: type[AnswerKind] | None = None) -> list[Any]:
        """The values of all answers. Invalid ones get their findings at once, not only when the others have come."""
        for question in questions:
            if kind is not None and not isinstance(self._kind(question), kind):
                raise TypeError(f"the answer to {question.kind} is declared as {type(self._kind(question)).__name__}")
        answers = [self._own_value(question) for question in questions]
        missing = [question for question, given in zip(questions, answers, strict=True) if given is None]
        if missing:
            raise Waiting(missing)
        return [given.value for given in answers if given is not None]

    def _own_value(self, question: Ask) -> AnswerValue | None:
        """The value of the addressee's own or standing answer; None if the question stays open."""
        self._mark(question)
        text, kind = self._text_of(question), self._kind(question)
        if not text:
            return self._standing_value(question)
        wrong = unreadable_finding(self._row(question))
        if wrong is not None:
            self._note(wrong)
            return None
        try:
            plain, by_default = plain_answer(self._types, self.campaign, self._row(question))
            if by_default:
                self._say_default(question)
            return AnswerValue(kind.read(question.default if by_default else plain))
        except UnreadableValue as unfit:
            self._note(refusal_finding(self._types, self.messages, self._row(question), unfit, kind))
            return None

    def _standing_value(self, question: Ask) -> AnswerValue | None:
        """The value of the standing answer, if it is valid here; else the question is asked as if there were none."""
        row = applicable_row(self._standing, question.kind, self._answerer(question), question.about)
        if row is None or self._text_of(question):
            return None
        try:
            given = AnswerValue(
                self._kind(question).read(
                    read_standing_answer(self._types, self.campaign, row.kind, standing_text(row))
                )
            )
        except UnreadableValue:
            return None
        self.stood[self.name_of(question)] = row
        return given

    @cached_property
    def _standing(self) -> list[Question]:
        """All standing answers; those typed for this phase replace older ones."""
        made = {row.ident for row in self.new_standing}
        return [*self.new_standing, *(row for row in standing_rows(self.campaign) if row.ident not in made)]

    @cached_property
    def new_standing(self) -> list[Question]:
        """The standing answers that follow from answers of this phase typed with ``until changed``."""
        standing: dict[str, Question] = {}
        for row in self.campaign.table(Question).of_turn(
                self.turn, lambda row: bool(row.answer) and strip_until(row.answer)[1], parts=(self.phase,)):
            try:
                fresh = make_standing(self._types, self.campaign, replace(row, about=""))
            except UnreadableValue:
                continue  # the finding is made where the question is asked
            standing[fresh.ident] = fresh
        return list(standing.values())

    # --- what belongs to a question --------------------------------------------------------------
    def _kind(self, question: Ask) -> AnswerKind:
        declared = type_of(self._types, question.kind)
        return offering(question.answer or declared.answer, self.campaign, declared, question.options)

    def _text_of(self, question: Ask) -> str:
        return self._answers.get(self.name_of(question), "").strip()

    def _row(self, question: Ask) -> Question:
        return replace(self.row_of(question), answer=self._text_of(question))

    def _mark(self, question: Ask) -> None:
        """Count the question as asked, and drop an answer that was given to other terms."""
        name = self.name_of(question)
        alike = self._alike.setdefault(name, [])
        if question not in alike:
            alike.append(question)
            self.asked.append(question)
        if name in self._answers:
            self._drop_if_anothers(question, name)
        if question.terms and name in self._answers:
            self._drop_if_outdated(question, name)

    def _drop_if_anothers(self, question: Ask, name: str) -> None:
        """Drop an answer typed in advance in another faction's name, unless the ruleset has a finding of its own."""
        row = self.campaign.table(Question).get(self._questions(question=name, turn=self.turn, phase=self.phase).ident)
        kind = type_of(self._types, question.kind)
        if row is None or row.hold != "typed" or kind.foreign is not None:
            return
        faction = code_lookup(self.campaign.table(Faction)).get(row.to.casefold(), "")
        if faction in ("", self._answerer(question)) or kind.speaks(self.campaign, faction, question.to):
            return
        del self._answers[name]
        self.outdated.add(name)
        self._note(Finding(OF_ANOTHER, "error", Where(Question.sheet, row.ident, "answer"),
                           {"answer": row.answer.strip(), "faction": faction}))

    def _drop_if_outdated(self, question: Ask, name: str) -> None:
        """Drop an answer that was given to other terms than the question has now.

        One that came before the question was ever asked, or with a correction, stays: whoever gives it accepts the
        terms as they will be.
        """
        row = self._questions(question=name, turn=self.turn, phase=self.phase)
        put = self.campaign.table(Question).get(row.ident)
        if put is None or not put.asked or put.answer.strip() != self._answers[name]:
            return
        if all(str(put.asked.get(term, "")) == str(question.asked.get(term, "")) for term in question.terms):
            return
        del self._answers[name]
        self.outdated.add(name)
        self._note(Finding(OUTDATED, "warning", Where(Question.sheet, row.ident, "answer"),
                           {"answer": put.answer.strip()}, "" if put.to == REFEREE else put.to))

    def _say_default(self, question: Ask) -> None:
        """Make the ruleset's finding, if it has one, that a question's default was taken."""
        told = type_of(self._types, question.kind).by_default
        if told is not None:
            self._note(finding_at_answer(told, self.messages, self._row(question), {}))

    def note(self, findings: Iterable[Finding]) -> None:
        """Add findings made elsewhere, each once."""
        for finding in findings:
            self._note(finding)

    def _note(self, finding: Finding) -> None:
        self._once.add(finding)


# Judging an answer by its row alone: the kind of question, its options, and what was typed.


def check_answer(types: Mapping[str, QuestionType], messages: Mapping[str, Message], campaign: Campaign,
               row: Question) -> Finding | None:
    """The finding for an invalid answer; None if it may be valid.

    Options that only the phase knows are left to it: an answer in advance is judged where it is an amount. A standing
    answer is only checked for whether its kind of question allows one.
    """
    declared, text = types.get(row.kind), row.answer.strip()
    wrong = unreadable_finding(row)
    if wrong is not None or not text or row.kind == ORDERS or not (row.stands or declared is not None):
        return wrong
    kind, options = declared or QuestionType(row.kind, ""), options_of(row)
    if not (row.stands or options or isinstance(kind.answer, Amount)):
        return None
    answer = kind.stands or kind.answer if row.stands else offering(kind.answer, campaign, kind, options)
    try:
        if row.stands:
            read_standing_answer(types, campaign, row.kind, standing_text(row))
            return None
        plain, by_default = plain_answer(types, campaign, row)
        if not by_default:
            answer.read(plain)
    except UnreadableValue as unfit:
        return refusal_finding(types, messages, row, unfit, answer)
    return None


def plain_answer(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> tuple[str, bool]:
    """The answer in a row without ``until changed``, and whether it leaves it to the question's default. Raises
    `UnreadableValue`.
    """
    plain, until = strip_until(row.answer)
    if until:
        plain = parse_standing_answer(types, campaign, row.kind, plain)[1]
    return plain, fold(plain) in DEFAULTS and bool(row.default or not row.status)


def subjects_instead(kind: QuestionType, view: Campaign, row: Question) -> list[str]:
    """What a question of the next phase that puts such could be about instead, if the one answered in advance will
    never be put; else [].
    """
    if row.status or kind.subjects is None or not row.about or row.to not in view.table(Faction):
        return []
    subjects = list(kind.subjects(view, row.to))
    return [] if subject_parts(row.about) in map(subject_parts, subjects) else list(dict.fromkeys(subjects))


# Questions that no phase waits for.
#
# Such a question is asked again in each phase until it is answered or its deadline has passed; until then its default
# applies.


class Invitation(NamedTuple):
    """A question for which the present phase does not wait.

    `take`: carries an answer out, given the run of the phase and the answer's value; None: the phase itself looks at it
    (`Answering.early_answer`). `until`: the last phase that accepts an answer, as (turn, phase). `quiet`: nobody is
    reminded to answer.
    """

    ask: Ask
    until: tuple[str, str] = ("", "")
    take: Callable[[Any, Any], None] | None = None
    quiet: bool = False


class OpenInvitation(NamedTuple):
    """An invitation and its row for the Questions sheet."""

    invitation: Invitation
    row: Question


def take_answers(game: Answering, invitations: Iterable[Invitation]) -> None:
    """Carry out the answers before the phase is played; an invalid answer has no effect."""
    for invitation in invitations:
        value = game.early_answer(invitation.ask) if invitation.take is not None else None
        if invitation.take is not None and value is not None:
            invitation.take(game, value)


def open_invitations(game: Answering, invitations: Iterable[Invitation]) -> list[OpenInvitation]:
    """The invitations that nobody has answered yet, with their rows."""
    return [OpenInvitation(invitation, game.row_of(invitation.ask))
            for invitation in invitations if not game.has_answer(invitation.ask)]
