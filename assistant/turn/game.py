"""What a phase is handed: the campaign's copy, rules, orders, answers, dice, and a place to tell events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.record import Record
from assistant.campaign.records import ALL, Event, Node, Question, Road, next_number
from assistant.turn.dice import PUBLIC, REFEREE, Check, Dice, Roll, roll_data
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.numbers import Rules
from assistant.turn.scales import Reading

OUTDATED = "ARB-275"


@dataclass(frozen=True)
class Ask:
    """A question that a phase needs answered: to a faction's code or to ``referee``.

    `options`: the words allowed ((): free text); `default` "" means that there is none; `asked` fills
    the braces of the question's wording; `so_far`: events of this phase that the addressee may know;
    `terms`: what of `asked` an answer agrees to, so that an answer to other terms does not count.
    """

    kind: str
    to: str
    about: str = ""
    options: tuple[str, ...] = ()
    default: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    so_far: tuple[Mapping[str, Any], ...] = ()
    terms: tuple[str, ...] = ()

    def ident(self, turn: str, phase: str, record: type[Question] = Question) -> str:
        """The question's name, as the ruleset's record of questions gives it."""
        return record.named(turn, phase, self.kind, self.to, self.about)


class Waiting(Exception):
    """Stops a phase until answers come; caught by `assistant.turn.phases.resolve`, never seen outside."""

    def __init__(self, questions: Sequence[Ask]) -> None:
        super().__init__(f"{len(questions)} questions")
        self.questions = list(questions)


class Game:
    """One run of one phase. Nothing else may be touched: no clock, no files, no global randomness."""

    def __init__(self, campaign: Campaign, rules: Rules, dice: Dice, phase: str,
                 messages: Mapping[str, Message], answers: Mapping[str, str] | None = None) -> None:
        self.campaign = campaign
        self.rules = rules
        self.dice = dice
        self.phase = phase
        self.turn = campaign.desk.turn
        self.events: list[Event] = []
        self.findings: list[Finding] = []
        self.asked: list[Ask] = []
        self.forms: list[Record] = []
        self.outdated: set[str] = set()
        self._messages = messages
        self._answers = dict(answers or {})
        self._map: Map | None = None
        self._questions = campaign.table(Question).record
        self._next_no = next_number(campaign.table(Event))

    @property
    def map(self) -> Map:
        """The board, made once a run."""
        if self._map is None:
            self._map = Map(self.campaign.table(Node), self.campaign.table(Road))
        return self._map

    # --- dice -------------------------------------------------------------------------------
    def roll(self, key: str, dice: str = "1d6", audience: Iterable[str] | str = PUBLIC) -> Roll:
        """A throw for a purpose; see `Dice.roll`."""
        return self.dice.roll(key, dice, audience)

    def check(self, key: str, dice: str, target: int, modifiers: Mapping[str, int],
              audience: Iterable[str] | str = PUBLIC, *, at_most: bool = False) -> Check:
        """A throw plus named modifiers against a target; modifiers that are 0 are not listed."""
        roll = self.roll(key, dice, audience)
        named = tuple((name, n) for name, n in modifiers.items() if n)
        return Check(roll, named, roll.total + sum(n for _, n in named), target,
                     "at most" if at_most else "at least")

    # --- questions --------------------------------------------------------------------------
    def ask(self, question: Ask) -> str:
        """The answer; without one the phase stops here and is run again when it has come."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Ask]) -> list[str]:
        """The answers to independent questions; stops once for all that are still open."""
        missing = [q for q in questions if not self.answered(q)]
        if missing:
            raise Waiting(missing)
        return [self._answers[self.name_of(q)] for q in questions]

    def name_of(self, question: Ask) -> str:
        """What the question is called on the Questions sheet of this ruleset."""
        return question.ident(self.turn, self.phase, self._questions)

    def answered(self, question: Ask) -> str:
        """The answer if there is one, else ""; the question counts as asked."""
        if question not in self.asked:
            self.asked.append(question)
        name = self.name_of(question)
        if question.terms and name in self._answers:
            self._drop_if_outdated(question, name)
        return self._answers.get(name, "")

    def _drop_if_outdated(self, question: Ask, name: str) -> None:
        """An answer that was given to other terms than the question has now is no answer any more.

        One that came before the question was ever put, or with a correction, stays: who gives it takes the terms as
        they will be.
        """
        row = self._questions(question=name, turn=self.turn, phase=self.phase)
        put = self.campaign.table(Question).get(row.ident)
        if put is None or not put.asked or put.answer.strip() != self._answers[name]:
            return
        if all(str(put.asked.get(term, "")) == str(question.asked.get(term, "")) for term in question.terms):
            return
        del self._answers[name]
        self.outdated.add(name)
        self.findings.append(Finding(OUTDATED, "warning", Where(Question.sheet, row.ident, "answer"),
                                     {"answer": put.answer.strip()}, "" if question.to == REFEREE else question.to))

    def ask_again(self, question: Ask, code: str, **data: Any) -> None:
        """Report an answer that cannot be taken: a finding at its cell, and the question stays open."""
        row = self._questions(question=self.name_of(question), turn=self.turn, phase=self.phase)
        where = Where(Question.sheet, row.ident, "answer")
        self.find(code, where, faction="" if question.to == REFEREE else question.to, **data)
        raise Waiting([question])

    def hand_out(self, form: Record) -> None:
        """A form that a person fills in while the phase waits: its row is written also when the phase stops.

        Of a row that is there already only what the assistant writes is renewed.
        """
        self.forms.append(form)

    # --- telling ----------------------------------------------------------------------------
    def tell(self, event: str, audience: Iterable[str] | str, rule: str, *,
             roll: Check | Reading | Roll | Sequence[Roll] | None = None, touch: Iterable[Record | str] = (),
             **data: Any) -> Event:
        """Record that something happened.

        `audience`: ``all``, ``referee``, or codes; `rule`: chapter or table; `touch`: the records that
        changed by it; `data`: the event's parameters, plain values.
        """
        known = audience if isinstance(audience, str) else " ".join(dict.fromkeys(audience)) or REFEREE
        shown: dict[str, Any] = {}
        if isinstance(roll, (Check, Reading)):
            shown = dict(roll.as_data())
        elif isinstance(roll, Roll):
            shown = dict(roll_data(roll))
        elif roll:
            shown = dict(roll_data(*roll))
        touched = sorted({one if isinstance(one, str) else f"{one.sheet}/{one.ident}" for one in touch})
        row = Event(no=self._next_no, turn=self.turn, phase=self.phase, audience=known, event=event,
                    rule=rule, data=data, roll=shown, touched=" ".join(touched))
        self._next_no += 1
        self.events.append(row)
        self.campaign.table(Event).add(row)
        return row

    def find(self, code: str, where: Where, faction: str = "", **data: Any) -> Finding:
        """Record a finding of the catalogue. Raises KeyError for an unknown code."""
        found = Finding(code, self._messages[code].severity, where, data, faction)
        if found not in self.findings:
            self.findings.append(found)
        return found


__all__ = ["ALL", "PUBLIC", "REFEREE", "Ask", "Game", "Waiting"]
