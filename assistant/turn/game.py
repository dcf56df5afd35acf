"""What a phase is handed: the campaign's copy, rules, orders, answers, dice, and a place to tell events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.record import Record, named_in_touched
from assistant.campaign.records import ALL, Die, Event, Node, Question, Road, next_number
from assistant.turn.addressees import heard_by
from assistant.turn.answers.asking import Ask, QuestionType, Waiting
from assistant.turn.answers.phase_questions import Answering, answers_of
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.numbers import Rules
from assistant.turn.orders.reading import ReadsLine
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.throws.dice import NO_DICE, PUBLIC, REFEREE, Asked, Dice, RangeTable, Roll
from assistant.turn.throws.reads import SUM, Read
from assistant.turn.throws.rulings import Count, Limit, Ruling, Score, Trial, named, told
from assistant.turn.told import EventType


class Game(Answering):
    """One run of one phase. Nothing else may be touched: no clock, no files, no global randomness.

    What it may ask, and what it is given, stands in `Answering`.
    """

    def __init__(self, campaign: Campaign, rules: Rules, dice: Dice, phase: str, messages: Mapping[str, Message],
                 answers: Mapping[str, str] | None = None, orders: OrderBook | None = None,
                 questions: Mapping[str, QuestionType] | None = None,
                 events: Mapping[str, EventType] | None = None) -> None:
        super().__init__(campaign, phase, messages, questions or {}, answers)
        self.rules: Any = rules
        self.dice = dice
        self.orders = orders if orders is not None else OrderBook(())
        self.orders_word = self.takes = ""
        """What stands in the column For of the orders that the phase reads, and the word by which verbs say that they
        may be given now."""
        self.reads: ReadsLine | None = None
        """How lines of orders are read, where the ruleset has a way of its own."""
        self.languages: tuple[str, ...] = ("en", "it")
        """In which the words of orders are suggested."""
        self.phase_rule = ""
        """What the phase rests on."""
        self._events = events or {}
        self.acted: dict[tuple[str, ...], list[str]] | None = None
        """Who has done what may be done once a turn, as `turn.orders.taking` keeps it; None: not looked up yet."""
        self.events: list[Event] = []
        self.forms: list[Record] = []

    def on_copy(self) -> Game:
        """The same run on a copy of the campaign as it stands now, with nothing told or found yet."""
        new = Game(self.campaign.copy(), self.rules, self.dice, self.phase, self._messages, self._answers,
                   self.orders, self._types, self._events)
        new.orders_word, new.takes, new.phase_rule = self.orders_word, self.takes, self.phase_rule
        new.reads, new.languages = self.reads, self.languages
        return new

    @cached_property
    def map(self) -> Map:
        """The board, made once for all campaigns of the same places and ways."""
        return self.campaign.made_of(Map, Road, by=(tuple(self.campaign.table(Node).keys_in_file_order()),))

    # --- dice -------------------------------------------------------------------------------
    def roll(self, key: str, dice: str = "1d6", audience: Iterable[str] | str = PUBLIC) -> Roll:
        """A throw for a purpose; see `Dice.roll`. Raises LookupError in a game whose records have no dice."""
        if not self.campaign.has(Die.sheet):
            raise LookupError(f"{key}: {dice} is thrown, and the records of the ruleset have no {Die.__name__}")
        return self.dice.roll(key, dice, self._heard(audience, "+"))

    def _heard(self, audience: Iterable[str] | str, between: str) -> Iterable[str] | str:
        """An audience with clubs and the referee in the place of people, and of factions that the rules play."""
        if not self.instead or audience in (PUBLIC, ALL, REFEREE):
            return audience
        return heard_by(audience.split(between) if isinstance(audience, str) else audience, self.instead)

    def trial(self, key: str, dice: str, target: int, modifiers: Mapping[str, int],
              audience: Iterable[str] | str = PUBLIC, *, at_most: bool = False) -> Trial:
        """A throw plus named modifiers against a target; modifiers that are 0 are not listed."""
        return Trial(self.roll(key, dice, audience), named(modifiers), target, "at most" if at_most else "at least")

    def count(self, key: str, dice: str, limit: Limit, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None) -> Count:
        """How many dice succeed, with named modifiers of the successes, and what the book's `rows` say of them.

        Of ``0d6`` none is thrown: no success, and no row on the sheet of dice. Dice that were typed as a bare total
        raise `BadThrow` when they are counted.
        """
        roll = None if dice.startswith(NO_DICE) else self.roll(key, dice, audience)
        return Count(roll, limit, named(modifiers or {}), rows)

    def score(self, key: str, dice: str, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, read: Read = SUM) -> Score:
        """A throw plus named modifiers, to be compared (`Contest`) or read in a table; of ``0d6`` none is thrown.

        `read`: what of the dice counts (`assistant.turn.throws.reads`).
        """
        return Score(None if dice.startswith(NO_DICE) else self.roll(key, dice, audience), named(modifiers or {}), read)

    # --- a part of it undone ----------------------------------------------------------------
    def mark(self) -> Callable[[], None]:
        """How the run stands now: what is returned puts it back, with all that was changed, told, found, handed out and
        thrown since. What was asked, and what was found about an answer, stays: people have given it.
        """
        tables, thrown, twice = self.campaign.mark(), dict(self.dice.thrown), list(self.dice.twice)
        events, found, forms = len(self.events), len(self.findings), len(self.forms)
        acted = None if self.acted is None else {who: list(rows) for who, rows in self.acted.items()}

        def put_back() -> None:
            self.campaign.put_back(tables)
            self.dice.thrown, self.dice.twice, self.acted = thrown, twice, acted
            del self.events[events:], self.forms[forms:]
            self.findings[found:] = [one for one in self.findings[found:] if one.where.table == Question.sheet]
            self._once.look_again()

        return put_back

    # --- forms ------------------------------------------------------------------------------
    def hand_out(self, form: Record) -> None:
        """A form that a person fills in while the phase waits: its row is written, as it stands now, also when the
        phase stops.

        Of a row that is there already only what the assistant writes is renewed.
        """
        self.forms.append(form.copy())

    # --- telling ----------------------------------------------------------------------------
    def tell(self, event: str, audience: Iterable[str] | str, rule: str = "", /, *,
             roll: Ruling | None = None, touch: Iterable[Record | str] = (), **data: Any) -> Event:
        """Record that something happened.

        `audience`: ``all``, ``referee``, or codes; `rule`: keys of `Ruleset.citations`, "" for what the event's type
        declares, or else the phase; `touch`: the records that changed by it; `data`: the event's parameters, plain
        values; a throw or a score among them is told as its number. Where the chances are asked for, nothing is told
        of dice: they have not been thrown.
        """
        whom = self._heard(audience, " ")
        known = whom if isinstance(whom, str) else " ".join(dict.fromkeys(whom)) or REFEREE
        touched = sorted({one if isinstance(one, str) else named_in_touched(one.sheet, one.ident) for one in touch})
        said = {name: value.total if isinstance(value, Asked) else value for name, value in data.items()
                if not (self.dice.open and isinstance(value, Asked))}
        events, declared = self.campaign.table(Event), self._events.get(event)
        rule = rule or (declared.rule if declared is not None else "") or self.phase_rule
        row = Event(no=next_number(events), turn=self.turn, phase=self.phase, audience=known, event=event,
                    rule=rule, data=said, roll={} if self.dice.open else told(roll), touched=" ".join(touched))
        self.events.append(row)
        return events.add(row)

    def find(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """Record a finding that the ruleset declares. Raises KeyError for an unknown code."""
        found = Finding(code, self._messages[code].severity, where, data, faction)
        self._note(found)
        return found


__all__ = ["ALL", "PUBLIC", "REFEREE", "Ask", "Game", "Waiting", "answers_of"]
