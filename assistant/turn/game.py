"""What the rules of a phase work with: a copy of the campaign, orders, answers, dice and events."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, TypeVar, TypeVarTuple, cast, overload

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.records import ALL, Die, Event, Question, next_number
from assistant.campaign.tables import Record, Table
from assistant.turn.chapters import Modifier, modifiers
from assistant.turn.dice import NO_DICE, PUBLIC, REFEREE, SUM, Dice, DiceNumber, RangeTable, ReadMode, Roll, Throw
from assistant.turn.event_types import EACH_TIME, EventType, owners_in
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.numbers import Rules
from assistant.turn.orders.columns import roads_of
from assistant.turn.orders.reader import LineReader
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.questions import Answering, Ask, QuestionType, Waiting, answers_of, recipients_of
from assistant.turn.rulings import Count, Limit, Ruling, Score, Trial, nonzero_modifiers, ruling_data


class Game(Answering):
    """One run of one phase. Rules may use nothing else: no clock, no files, no global randomness.

    The methods for questions are those of `Answering`.
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
        """The content of the column Phase in the orders that the phase reads, and the word by which verbs declare that
        they may be given now."""
        self.reads: LineReader | None = None
        """Reads lines of orders, if the ruleset has a way of its own."""
        self.taken_in: Callable[[str], str] = lambda verb: ""
        """The next phase that takes a verb, ``1501 budget``; "" if none does, or nobody knows."""
        self.languages: tuple[str, ...] = ("en", "it")
        """The languages in which the words of orders are suggested."""
        self.phase_rule = ""
        """The phase's citation."""
        self.ahead = False
        """Whether the phase is only tried before its time: what earlier phases have left undone may still be done."""
        self._events = events or {}
        self.acted: dict[tuple[str, ...], list[str]] | None = None
        """Who has done what may be done once a turn (see `turn.orders.taking`); None: not looked up yet."""
        self.told_of: dict[str, tuple[int, ...]] = {}
        """The orders that were carried out, and the numbers of the events that told of it; in tuples, since before each
        order every list of the board is copied.
        """
        self.events: list[Event] = []
        self.untold = set[tuple[str, str]]()
        """What a step has changed (`Campaign.untold_fields`), and no event had told when it ended."""
        self.forms: list[Record] = []

    def on_copy(self) -> Game:
        """The same run on a copy of the present campaign, without events and findings so far."""
        new = Game(self.campaign.copy(), self.rules, self.dice, self.phase, self.messages, self._answers,
                   self.orders, self._types, self._events)
        new.orders_word, new.takes, new.phase_rule = self.orders_word, self.takes, self.phase_rule
        new.reads, new.languages, new.ahead, new.taken_in = self.reads, self.languages, self.ahead, self.taken_in
        return new

    @cached_property
    def map(self) -> Map:
        """The map, built once for all campaigns with the same places and roads."""
        return roads_of(self.campaign)

    # --- dice -------------------------------------------------------------------------------
    def roll(self, key: str, dice: str = "1d6", audience: Iterable[str] | str = PUBLIC) -> Roll:
        """A throw for a purpose; see `Dice.roll`. Raises LookupError if the ruleset has no dice sheet."""
        if not self.campaign.has(Die.sheet):
            raise LookupError(f"{key}: {dice} is thrown, and the records of the ruleset have no {Die.__name__}")
        return self.dice.roll(key, dice, self._audience(audience, "+"))

    def _audience(self, audience: Iterable[str] | str, between: str) -> Iterable[str] | str:
        """An audience in which people, and factions that the rules play, are replaced by clubs and the referee."""
        if not self.instead or audience in (PUBLIC, ALL, REFEREE):
            return audience
        return recipients_of(audience.split(between) if isinstance(audience, str) else audience, self.instead)

    def trial(self, key: str, dice: str, target: int, modifiers: Mapping[str, int],
              audience: Iterable[str] | str = PUBLIC, *, at_most: bool = False) -> Trial:
        """A throw plus named modifiers against a target; modifiers that are 0 are not listed."""
        return Trial(
            self.roll(key, dice, audience), nonzero_modifiers(modifiers), target, "at most" if at_most else "at least"
        )

    def count(self, key: str, dice: str, limit: Limit, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None) -> Count:
        """The number of dice that succeed, with named modifiers, and the verdict of the book's `rows`.

        For ``0d6`` no die is thrown: no success, and no row on the Dice sheet. Dice typed as a bare total raise
        `BadThrow` when they are counted.
        """
        roll = None if dice.startswith(NO_DICE) else self.roll(key, dice, audience)
        return Count(roll, limit, nonzero_modifiers(modifiers or {}), rows)

    def score(self, key: str, dice: str, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, read: ReadMode = SUM) -> Score:
        """A throw plus named modifiers, to be compared (`Contest`) or looked up in a table; no die for ``0d6``.

        `read`: how the dice are read (`assistant.turn.dice`).
        """
        return Score(
            None if dice.startswith(NO_DICE) else self.roll(key, dice, audience),
            nonzero_modifiers(modifiers or {}),
            read,
        )

    # --- undoing a part of the run ----------------------------------------------------------
    def mark(self) -> Callable[[], None]:
        """Remember the present state; the function returned undoes all changes, events, findings, forms and throws
        since. Questions asked, and findings about answers, stay: people have given those answers.
        """
        tables, thrown, twice = self.campaign.mark(), dict(self.dice.thrown), list(self.dice.twice)
        events, known, forms = len(self.events), len(self.findings), len(self.forms)
        acted = None if self.acted is None else {who: list(rows) for who, rows in self.acted.items()}

        def put_back() -> None:
            self.campaign.put_back(tables)
            self.dice.thrown, self.dice.twice, self.acted = thrown, twice, acted
            del self.events[events:], self.forms[forms:]
            self.findings[known:] = [finding
                                     for finding in self.findings[known:] if finding.where.table == Question.sheet]
            self._once.look_again()

        return put_back

    # --- forms ------------------------------------------------------------------------------
    def hand_out(self, form: Record) -> None:
        """Hand out a form for people to fill in: its row is written as it is now, even if the phase then stops.

        If the row exists already, only the assistant's columns are updated.
        """
        self.forms.append(form.copy())

    # --- telling ----------------------------------------------------------------------------
    def tell(self, event: str, to: Iterable[str] | str | None = None, /, *, rule: str = "", roll: Ruling | None = None,
             **data: Any) -> Event:
        """Record that something happened: it touches the rows that have changed, come or gone since the event before.

        `to`: who hears of it, ``all``, ``referee``, or codes; `rule`: keys of `Ruleset.citations`. By default both are
        what the event's type declares; else the referee, and the phase's rule. `data`: the event's
        parameters as plain values; a throw or a score among them is recorded as its number. While chances are
        calculated no dice are recorded, as none have been thrown.
        """
        self.dice.telling = True  # what is asked of the dice from here on decides nothing
        whom = self._audience(self.hearers(event, data) if to is None else to, " ")
        known = whom if isinstance(whom, str) else " ".join(dict.fromkeys(whom)) or REFEREE
        # with open dice to read a number is to ask for it, with a branch for each
        values = {name: value.total if isinstance(value, DiceNumber) else value for name, value in data.items()
                  if not (self.dice.open and isinstance(value, DiceNumber))}
        events, declared = self.campaign.table(Event), self._events.get(event)
        rule = rule or (declared.rule if declared is not None else "") or self.phase_rule
        row = Event(no=next_number(events), turn=self.turn, phase=self.phase, audience=known, event=event,
                    rule=rule, data=values, roll={} if self.dice.open else ruling_data(roll),
                    touched=" ".join(self.campaign.take_untold()))
        self.events.append(row)
        self.dice.telling = False
        self.dice.note_event(row, roll, [name for name, value in data.items() if isinstance(value, DiceNumber)])
        return events.add(row)

    def hearers(self, event: str, data: Mapping[str, Any], board: Board | None = None) -> Iterable[str] | str:
        """Who hears of an event with these data by what its type declares; the referee where nothing does.

        `board`: it may widen the circle of the factions whose the event is.
        """
        declared = self._events.get(event)
        to = declared.to if declared is not None else ""
        if callable(to):
            return to(self if board is None else board, data)
        if declared is None or to in ("", REFEREE, EACH_TIME):
            return REFEREE
        if isinstance(to, tuple) or to == ALL:
            return to
        owners = owners_in(self.campaign, to.split(), data, declared.means)
        return owners if board is None else board.circle(owners)

    def find(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """Record a finding that the ruleset declares. Raises KeyError for an unknown code."""
        finding = Finding(code, self.messages[code].severity, where, data, faction)
        self._note(finding)
        return finding


__all__ = ["ALL", "PUBLIC", "REFEREE", "Ask", "Game", "Waiting", "answers_of"]


# The board on which a ruleset's phases are played.
#
# A ruleset's board names its tables once, ``armies = Sheet(Army)``, so that the rules read like the book.


R = TypeVar("R", bound=Record)
V = TypeVar("V")
Case = TypeVarTuple("Case")
_HIGHEST = 9
"""The most digits that a number in a code can have to be counted."""


class Sheet(Generic[R]):
    """A table of the campaign as an attribute of a board."""

    def __init__(self, record: type[R]) -> None:
        self.record = record

    def __set_name__(self, owner: type[Tables], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, board: None, owner: type[Tables]) -> Sheet[R]: ...
    @overload
    def __get__(self, board: Tables, owner: type[Tables]) -> Table[R]: ...
    def __get__(self, board: Tables | None, owner: type[Tables]) -> Sheet[R] | Table[R]:
        if board is None:
            return self
        table = board.__dict__[self.name] = board.campaign.table(self.record)  # from now on looked up there
        return table


class One(Generic[R]):
    """The only row of a table, as an attribute of a board: ``desk = One(Desk)``."""

    def __init__(self, record: type[R]) -> None:
        self.record = record

    @overload
    def __get__(self, board: None, owner: type[Tables]) -> One[R]: ...
    @overload
    def __get__(self, board: Tables, owner: type[Tables]) -> R: ...
    def __get__(self, board: Tables | None, owner: type[Tables]) -> One[R] | R:
        return self if board is None else next(iter(board.campaign.table(self.record)))


class _Fresh:
    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __set_name__(self, owner: type[Tables], name: str) -> None:
        self.name = name

    def __get__(self, board: Tables | None, owner: type[Tables]) -> Any:
        if board is None:
            return self
        value = board.__dict__[self.name] = self.make()
        return value


def fresh(make: Callable[[], V]) -> V:
    """Declare what a run notes down, as an attribute of its board: ``wishes: dict[str, str] = fresh(dict)``."""
    return cast(V, _Fresh(make))


class Tables:
    """A campaign whose tables are attributes, see `Sheet`; rulesets subclass it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign


class Board(Tables):
    """One run of one phase on a campaign's tables.

    `rules`: the numbers in force; a subclass annotates it with the class that declares them.
    """

    rules: Any

    def __init__(self, game: Game) -> None:
        super().__init__(game.campaign)
        self.game = game
        self.rules = game.rules

    def tell(self, event: str, to: Iterable[str] | str | None = None, /, **values: Any) -> Event:
        """Record that something happened; see `Game.tell`."""
        return self.game.tell(event, self.game.hearers(event, values, self) if to is None else to, **values)

    def circle(self, factions: Iterable[str]) -> list[str] | str:
        """The audience for what these factions may know; a book whose clubs share what they know says it here."""
        return list(factions)

    def find(self, code: str, row: Record, field: str, faction: str = "", **data: Any) -> Finding:
        """Record a finding at a column of a row; see `Game.find`. `faction`: by default the row's."""
        where = Where(row.sheet, row.ident, field)
        return self.game.find(code, where, faction or str(getattr(row, "faction", "")), **data)

    def modifiers(self, table: Iterable[Modifier[*Case]], *case: *Case) -> dict[str, int]:
        """What each row of a table adds in a case, by its label, with the numbers in force; see `Modifier`."""
        return modifiers(table, self.rules, *case)

    def roll(self, throw: Throw, audience: Iterable[str] | str = PUBLIC) -> Roll:
        """A throw for a purpose; see `Dice.roll`."""
        return self.game.roll(throw.key, throw.dice, audience)

    def trial(self, throw: Throw, target: int, modifiers: Mapping[str, int],
              audience: Iterable[str] | str = PUBLIC, *, at_most: bool = False) -> Trial:
        """A throw plus named modifiers against a target; see `Game.trial`."""
        return self.game.trial(throw.key, throw.dice, target, modifiers, audience, at_most=at_most)

    def count(self, throw: Throw, limit: Limit, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None) -> Count:
        """The number of dice of a throw that succeed; see `Game.count`."""
        return self.game.count(throw.key, throw.dice, limit, modifiers, audience, rows=rows)

    def score(self, throw: Throw, modifiers: Mapping[str, int] | None = None,
              audience: Iterable[str] | str = PUBLIC, *, read: ReadMode = SUM) -> Score:
        """A throw plus named modifiers, to be compared or looked up in a table; see `Game.score`."""
        return self.game.score(throw.key, throw.dice, modifiers, audience, read=read)


# --- codes ----------------------------------------------------------------------------------------
def next_code(table: Table[Any], shape: str) -> str:
    """The code after the highest of its shape: ``W{}`` -> ``W8`` if W7 is the highest, even if there are gaps.

    Rows that people have typed early are not counted: they wait for the row that will get their code.
    """
    pattern = re.compile(re.escape(shape).replace(r"\{\}", rf"(\d{{1,{_HIGHEST}}})"))
    known = {int(match[1]): key for key in table.keys_in_file_order() if (match := pattern.fullmatch(key))}
    highest = next((n for n in sorted(known, reverse=True) if not table[known[n]].typed_early), 0)
    return shape.format(highest + 1)


def free_code(taken: Container[object], shape: str) -> str:
    """The lowest unused code of a shape: ``V-{}`` -> ``V-2`` if there are V-1 and V-3."""
    n = 1
    while shape.format(n) in taken:
        n += 1
    return shape.format(n)


def free_name(taken: Container[object], stem: str) -> str:
    """The stem itself, or with the lowest unused number from 2 on: ``P3-out``, ``P3-out-2``."""
    name, n = stem, 2
    while name in taken:
        name, n = f"{stem}-{n}", n + 1
    return name


# What a faction's orders are paid from, for the running total on its order form.
#
# A phase declares what a faction's chests hold and what rows of orders take out of them, so that a spreadsheet can add
# it up while somebody types. What depends on more than cells (how the men are named, what an enemy does) is left out;
# the phase itself judges that.


class Spent(NamedTuple):
    """What the rows of a `verb` take out of a chest: `each`, times the column `times` if one is named.

    `each` below 0 brings money in. `where`: only rows with these words in these columns count ("" for a blank cell).
    `letters`: the column `times` holds letters with counts (``L2 P3``), and this is the price of each letter; a text
    with anything else in it takes nothing out. `most`: how many times a row counts at most.
    """

    verb: str
    each: int
    times: str = ""
    where: tuple[tuple[str, str], ...] = ()
    letters: tuple[tuple[str, int], ...] = ()
    most: int | None = None


class Chest(NamedTuple):
    """What may be spent. `have`: the amount, in units divided into `parts`; `unit`: the unit's name (msgid, which may
    agree with the number ``n``); `of`: whose chest it is, if not the faction's own.
    """

    have: int
    unit: str
    spent: tuple[Spent, ...]
    of: str = ""
    parts: int = 1


# A phase and its steps.


Judged = Literal["", "together", "alone", "forms"]


class Step(NamedTuple):
    """One step of a phase: a function of the board on which the phase is played.

    `judged`: whether *Check orders* runs it, on a copy, without throwing dice or guessing answers. ``together``: for
    all factions at once, as the phase does; ``alone``: for each faction separately, on `board.alone(faction)`, as if
    nobody else moved; ``forms``: it reads the forms of battles and is run even before its phase comes. `follows`:
    whether a rehearsal runs it besides, on a faction's view, to tell what follows of its orders if nobody interferes.
    """

    run: Callable[[Any], None]
    judged: Judged = ""
    follows: bool = False


class Phase(NamedTuple):
    """The smallest unit that is resolved: one function of the game, or a list of steps on a board.

    `rule`: keys of `Ruleset.citations`; `orders`: the word in Orders' column Phase ("": it takes none); `waits_for`:
    the kinds of question that it may ask; `takes`: the word by which verbs declare when they may be given (`when`), if
    it differs from the column Phase; `board`: makes the board of the game; `only`: the seasons in whose turns it comes
    (default: all); `robots_anew`: robots are asked for orders in this phase even if they have given some under its word
    before; `chests`: given a board and a faction, what its orders are paid from; `remarks_before`: the codes of
    findings about its orders that depend on what others do before it on the same turn, and are remarks only until it is
    the next; `about`: what happens in it, in a sentence (msgid); `unsent`: what holds for who sends no orders (msgid).
    """

    id: str
    name_en: str
    name_it: str
    rule: str
    run: Callable[[Game], None] | None = None
    orders: str = ""
    waits_for: tuple[str, ...] = ()
    takes: str = ""
    board: Callable[[Game], Any] = Board
    steps: tuple[Step, ...] = ()
    only: tuple[str, ...] = ()
    robots_anew: bool = False
    chests: Callable[[Any, str], Sequence[Chest]] | None = None
    about: str = ""
    unsent: str = ""
    remarks_before: tuple[str, ...] = ()

    def name(self, lang: str) -> str:
        """The name in a language."""
        return self.name_it if lang == "it" else self.name_en

    def play(self, game: Game) -> None:
        """Run the whole phase, from the first step to the last."""
        game.campaign.note_changes()
        if self.run is not None:
            self.run(game)
        if self.steps:
            board = self.board(game)
            for step in self.steps:
                noted = game.campaign.untold_fields()
                step.run(board)
                if not step.judged:  # what a club wants may be noted on a row, and told by the step that does it
                    game.untold |= game.campaign.untold_fields() - noted
        game.untold |= game.campaign.untold_fields()
