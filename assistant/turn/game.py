"""What a phase is handed: the campaign's copy, rules, orders, answers, dice, and a place to tell events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.record import Record
from assistant.campaign.records import ALL, Event, Node, Road, next_number
from assistant.campaign.table import Table
from assistant.dataclass import dataclass
from assistant.turn.answers.asking import Ask, QuestionType, Waiting
from assistant.turn.answers.phase_questions import Answering, answers_of
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.numbers import Rules
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.throws.dice import PUBLIC, REFEREE, Check, Dice, Roll, roll_data
from assistant.turn.throws.scales import Reading


@dataclass(frozen=True)
class _Board:
    """Makes the map of some places of a campaign's ways."""

    places: tuple[str, ...]

    def __call__(self, roads: Table[Road]) -> Map:
        return Map(self.places, roads)


class Game(Answering):
    """One run of one phase. Nothing else may be touched: no clock, no files, no global randomness.

    What it may ask, and what it is given, stands in `Answering`.
    """

    def __init__(self, campaign: Campaign, rules: Rules, dice: Dice, phase: str, messages: Mapping[str, Message],
                 answers: Mapping[str, str] | None = None, orders: OrderBook | None = None,
                 questions: Mapping[str, QuestionType] | None = None) -> None:
        super().__init__(campaign, phase, messages, questions or {}, answers)
        self.rules: Any = rules
        self.dice = dice
        self.orders = orders if orders is not None else OrderBook(())
        self.orders_word = self.takes = ""
        """What stands in the column For of the orders that the phase reads, and the word by which verbs say that they
        may be given now."""
        self.events: list[Event] = []
        self.forms: list[Record] = []

    def on_copy(self) -> Game:
        """The same run on a copy of the campaign as it stands now, with nothing told or found yet."""
        new = Game(self.campaign.copy(), self.rules, self.dice, self.phase, self._messages, self._answers, self.orders,
                   self._types)
        new.orders_word, new.takes = self.orders_word, self.takes
        return new

    @cached_property
    def map(self) -> Map:
        """The board, made once for all campaigns of the same places and ways."""
        return self.campaign.made_of(_Board(tuple(self.campaign.table(Node).keys_in_file_order())), Road)

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

    # --- forms ------------------------------------------------------------------------------
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

        `audience`: ``all``, ``referee``, or codes; `rule`: keys of `Ruleset.citations`; `touch`: the
        records that changed by it; `data`: the event's parameters, plain values.
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
        events = self.campaign.table(Event)
        row = Event(no=next_number(events), turn=self.turn, phase=self.phase, audience=known, event=event,
                    rule=rule, data=data, roll=shown, touched=" ".join(touched))
        self.events.append(row)
        return events.add(row)

    def find(self, code: str, where: Where, faction: str = "", **data: Any) -> Finding:
        """Record a finding of the catalogue. Raises KeyError for an unknown code."""
        found = Finding(code, self._messages[code].severity, where, data, faction)
        self._note(found)
        return found


__all__ = ["ALL", "PUBLIC", "REFEREE", "Ask", "Game", "Waiting", "answers_of"]
