"""What a faction may order, what a line most likely meant, and what follows if nobody interferes: all from its view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, CLUBLESS, Battle, Event, Faction, Node, Order
from assistant.campaign.tables import grouped, touched_name
from assistant.turn.dice import NotThrown
from assistant.turn.event_types import codes_in
from assistant.turn.findings import Finding, Later
from assistant.turn.game import Game, Phase, Spent
from assistant.turn.orders.lexicon import SplitSentence
from assistant.turn.orders.phrases import Token
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import GameOf, as_remark, judge_phase, price
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.orders.words import LISTS
from assistant.turn.questions import Invitation, Waiting, take_answers
from assistant.turn.views import ADDRESSED, playable

# --- legal ----------------------------------------------------------------------------------------
# What a faction may order, and what a line that was not understood most likely meant.
#
# The faction's own view and the judge of *check* are asked about one order after another.

# Judging one order.
#
# The judged steps of its phases run on a playable copy of the view with the order in it, as *check* runs them, and then
# all is put back: no rule says twice what may be ordered.


class PhaseToCome(NamedTuple):
    """A phase that is still to be played, and its turn."""

    turn: str
    phase: Phase

    @property
    def reads(self) -> tuple[str, str]:
        """Which rows of Orders it reads: turn, and word in the column Phase."""
        return self.turn, self.phase.orders


class Verdict(NamedTuple):
    """What the judge says of an order. `status`: as in the column of Orders; `findings`: those at its row."""

    status: str
    findings: Sequence[Finding]

    @property
    def is_refused(self) -> bool:
        """Whether it would not be carried out."""
        return self.status not in ("", "accepted") or any(finding.stops for finding in self.findings)

    @property
    def clean(self) -> bool:
        """Whether nothing is to be said against it."""
        return not self.is_refused and all(finding.severity == "info" for finding in self.findings)


class OrderJudge:
    """Judges orders of a faction that nobody has given yet, from its view.

    `to_come`: the phases to come, the present one first; `alone`: each order by itself, as if the faction had given no
    others yet, and also as it will be judged when its phase has come.
    """

    def __init__(self, book: OrderBook, view: Campaign, faction: str, to_come: Sequence[PhaseToCome], game_of: GameOf,
                 invitations: Callable[[Game], list[Invitation]], *, alone: bool) -> None:
        self.book, self.view, self.faction, self.to_come = book, view, faction, to_come
        self._game_of, self._invitations, self._alone = game_of, invitations, alone
        self._ready: dict[tuple[int, bool], Campaign] = {}
        self._boards: dict[int, tuple[Game, Any]] = {}
        self._said: dict[str, Verdict | None] = {}
        self._refused: dict[str, list[Finding]] = {}

    def next_phase_for(self, verb: Verb) -> PhaseToCome | None:
        """The first phase to come that takes orders with a verb."""
        return next((moment for moment in self.to_come if _takes(moment.phase, verb)), None)

    def allows(self, fields: Mapping[str, Any]) -> bool:
        """Whether an order may be given, as far as the faction can know."""
        verdict = self.verdict(fields)
        return verdict is not None and not verdict.is_refused

    def is_worth_offering(self, verb: Verb, fields: Mapping[str, Any]) -> bool:
        """Whether an order that may be given would do anything as things stand, as far as the verb declares it."""
        first = self.next_phase_for(verb)
        if verb.offered is None or first is None:
            return verb.offered is None
        place = self.to_come.index(first)
        if place not in self._boards:
            game = self._game_at(self._view_at(first.turn, first.phase), first.phase)
            self._boards[place] = game, first.phase.board(game)
        game, board = self._boards[place]
        return verb.offered(board, read_row(self.book, game.campaign, self._row_in(game.campaign, first, fields)))

    def verdict(self, fields: Mapping[str, Any]) -> Verdict | None:
        """What *check* would say of an order; None for a verb that no phase to come takes. `fields`: verb and columns.

        The readings of a line, and of those behind it, come to the same orders again and again; each is judged once.
        """
        said = repr(sorted(fields.items()))
        if said not in self._said:
            verdict = self._said[said] = self._judge_order(fields)
            self._refused.setdefault(str(fields["verb"]), []).extend(islice(
                (one for one in (verdict.findings if verdict is not None else ()) if one.stops), 1))
        return self._said[said]

    def reason_against(self, verb: Verb) -> tuple[Finding, bool] | None:
        """Why nothing of all that was looked at may be ordered with a verb, and whether the same finding says it of
        each of them in its own words; None where there are several reasons, or it names nothing.
        """
        told = self._refused.get(verb.en, [])
        alike = grouped(told, lambda one: (one.code, repr(one.data)))
        common = max(alike.values(), key=len, default=[])
        if len(told) < LEAST_REFUSED or BLANK in common[0].data.values():
            return None
        of_each = len(common) < MOSTLY * len(told)
        return (common[0], of_each) if not of_each or len({one.code for one in told}) == 1 else None

    def _judge_order(self, fields: Mapping[str, Any]) -> Verdict | None:
        verb = self.book.get(self.book.code(str(fields.get("verb", ""))))
        first = self.next_phase_for(verb) if verb is not None else None
        if verb is None or first is None:
            return None
        taking = [moment for moment in self._reading_with(first) if _takes(moment.phase, verb)]
        now = self._verdict(taking, fields, in_time=False)
        if now.is_refused or not self._alone or len(taking) == 1:
            return now
        then = self._verdict(taking, fields, in_time=True)
        more = [finding for finding in then.findings if finding not in now.findings]
        return Verdict(then.status, [*now.findings, *more])

    def _verdict(self, taking: Sequence[PhaseToCome], fields: Mapping[str, Any], *, in_time: bool) -> Verdict:
        """What the phases that take an order say of it as if the first that reads the same rows were the present one,
        or, `in_time`, each in its turn: some judge at once only what they take themselves.
        """
        work = self._campaign_at(self.to_come.index(taking[0]), in_time).copy()
        row = work.table(Order).add(self._row_in(work, taking[0], fields))
        verdict = Verdict("", ())
        for moment in taking:
            if not row.status and not verdict.is_refused:
                findings = [finding for finding in self._judge(work, moment.phase, in_time, row)
                            if (finding.where.table, finding.where.row) == (Order.sheet, row.order)]
                verdict = Verdict(row.status, [*verdict.findings, *findings])
        return verdict

    def _reading_with(self, first: PhaseToCome) -> list[PhaseToCome]:
        return [moment for moment in self.to_come[self.to_come.index(first):] if moment.reads == first.reads]

    def _campaign_at(self, place: int, in_time: bool) -> Campaign:
        """A campaign in which the phases that read the same rows earlier have been judged."""
        if (place, in_time) not in self._ready:
            turn, phase = self.to_come[place]
            before = [number for number, moment in enumerate(self.to_come[:place])
                      if moment.reads == self.to_come[place].reads]
            work = self._campaign_at(before[-1], in_time).copy() if before else self._view_at(turn, phase)
            if before:
                self._judge(work, self.to_come[before[-1]].phase, in_time)
            self._ready[place, in_time] = work.copy()
        return self._ready[place, in_time]

    def _view_at(self, turn: str, phase: Phase) -> Campaign:
        """The view as if a phase were the present one."""
        work = playable(self.view)
        work.desk.turn, work.desk.phase = turn, phase.id
        table = work.table(Order)
        for row in table.of_turn(turn, lambda row: self._alone and row.faction == self.faction and not row.status):
            table.remove(row.ident)
        return work

    def _row_in(self, work: Campaign, moment: PhaseToCome, fields: Mapping[str, Any]) -> Order:
        """An order as a row of a phase's, with the next free number; it is not in the table yet."""
        table, word, number = work.table(Order), moment.phase.orders, 1
        while (code := f"{moment.turn}-{word}-{self.faction}-{number}") in table:
            number += 1
        last = 1 + max((row.seq for row in table.of_turn(moment.turn) if isinstance(row.seq, int)), default=0)
        row: Order = table.record.from_values({
            **fields, "verb": self.book.code(str(fields["verb"])), "order": code, "turn": moment.turn, "phase": word,
            "faction": self.faction, "seq": last})
        return row

    def _judge(self, work: Campaign, phase: Phase, in_time: bool, row: Order | None = None) -> list[Finding]:
        """The findings of a phase; nothing more is asked once the row is refused."""
        if in_time:
            work.desk.phase = phase.id
        game = self._game_at(work, phase)
        with suppress(Waiting):
            take_answers(game, self._invitations(game))
        return judge_phase(phase, game, lambda: row is not None and row.status not in ("", "accepted"))

    def _game_at(self, work: Campaign, phase: Phase) -> Game:
        """The game of a phase, which may still be to come."""
        game = self._game_of(work, phase.id)
        game.ahead = (work.desk.turn, phase.id) != (self.view.desk.turn, self.view.desk.phase)
        return game


def _takes(phase: Phase, verb: Verb) -> bool:
    return bool(phase.orders) and (phase.takes or phase.orders) in verb.when


# What may be ordered.
#
# The columns of a verb say what might stand in them, the most sensible first; combinations are tried by how far they
# are from the first of all, and a few that the judge takes are enough: of moves there may be hundreds.


MOST_CHOICES, MOST_STEPS = 24, 40
"""How many choices a column has at most, and how far from the first choices a combination may be."""
LEAST_REFUSED, MOSTLY, BLANK = 2, 0.5, "-"
"""Of so many refusals this part makes one reason for all; what a finding says where it has nothing to name."""
MISSES, MISSES_OF_FACTION, MISS_OF_UNIT = 6, 24, 3
"""After how many refusals in a row a unit, or the faction itself, is no longer tried; for how many one counts that
blames the unit.
"""


class LegalOrder(NamedTuple):
    """An order that a faction may give. `fields`: verb and columns; `unit`: which of its units does it, "" for the
    faction itself; `turn`, `phase`: as in Orders; `warned`: *check* warns of it.
    """

    verb: str
    fields: Mapping[str, Any]
    unit: str
    turn: str
    phase: str
    warned: bool = False


class _Choices:
    """What might stand in the columns of a verb. `offered`: only what makes sense by itself."""

    def __init__(self, verb: Verb, campaign: Campaign, faction: str, *, offered: bool = False) -> None:
        self._verb, self._campaign, self._faction, self._offered = verb, campaign, faction, offered
        self._known: dict[tuple[Any, ...], list[Any]] = {}

    def units(self) -> list[str]:
        """The units that might act, and "" where the faction itself might."""
        verb = self._verb
        if not verb.actor:
            return [""]
        kind = verb.kinds[verb.actor]
        units = list(kind.choices(self._campaign, self._faction, {"verb": verb.en}))
        may_be_blank = kind.blank or (not units and kind.optional(verb.columns))
        return [*units, *([""] if may_be_blank else [])]

    def combinations(self, unit: str, names: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The orders of a unit that fill these columns, those near to the first choices first."""
        begun = {"verb": self._verb.en, **({self._verb.actor: unit} if unit else {})}
        open_columns = [name for name in names if name != self._verb.actor]
        for steps in range(MOST_STEPS if open_columns else 1):
            yield from self._orders_at(begun, open_columns, steps)

    def _orders_at(self, fields: dict[str, Any], names: Sequence[str], steps: int) -> Iterator[dict[str, Any]]:
        """The orders that are so many steps from the first choices."""
        if not names:
            yield from [fields] if not steps else ()
            return
        first, *rest = names
        choices = self._of(first, fields)
        for number in range(min(steps + 1, len(choices))) if rest else [steps] if steps < len(choices) else []:
            value = choices[number]
            yield from self._orders_at(fields if value == "" else {**fields, first: value}, rest, steps - number)

    def _of(self, name: str, fields: Mapping[str, Any]) -> list[Any]:
        key = (name, *fields.items())
        if key not in self._known:
            kind = self._verb.kinds[name]
            blank = [""] if kind.optional(self._verb.columns) else []
            choices = kind.offers if self._offered else kind.choices
            self._known[key] = [*blank, *islice(choices(self._campaign, self._faction, fields), MOST_CHOICES)]
        return self._known[key]


def plausible_fields(verb: Verb, campaign: Campaign, giver: str = "") -> dict[str, Any]:
    """The fields of an order with a verb as a faction, or any, might give it; {} where there is nothing to name."""
    for faction in [giver] if giver else [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]:
        for fields in unjudged_fields(verb, campaign, faction):
            return fields
    return {}


def unjudged_fields(verb: Verb, campaign: Campaign, faction: str) -> Iterator[dict[str, Any]]:
    """The fields of orders with a verb as a faction might write them, unit by unit, the most sensible first; nobody has
    judged them. `campaign`: its view.
    """
    choices = _Choices(verb, campaign, faction)
    for unit in choices.units():
        yield from choices.combinations(unit, verb.needed_columns())


def legal_orders(judge: OrderJudge, verb: Verb, most: int = 1, only: Container[str] | None = None, *,
                 useless: bool = False) -> Iterator[LegalOrder]:
    """The orders with a verb that the judge takes, unit by unit; at most so many a unit, first those without a warning.

    Columns that may be left out are only filled where that is what was wrong. `only`: of these units alone; `useless`:
    also those that the verb declares not worth offering.
    """
    if judge.next_phase_for(verb) is None or verb.deed is None:
        return
    choices = _Choices(verb, judge.view, judge.faction, offered=True)
    for unit in choices.units():
        if only is not None and unit not in only:
            continue
        blamed = set[str]()
        orders = list(_legal_among(judge, verb, unit, choices.combinations(unit, verb.needed_columns()), most, blamed,
                                    useless))
        # a column that a row may leave blank may still be needed by this unit: then its faults name it, and it is
        # filled in
        lacking = blamed & (verb.kinds.keys() - {*verb.needed_columns(), verb.actor})
        if not orders and lacking:
            names = [name for name in verb.kinds if name in verb.needed_columns() or name in lacking]
            orders = list(_legal_among(judge, verb, unit, choices.combinations(unit, names), most, blamed, useless))
        yield from sorted(orders, key=lambda order: order.warned)[:most]


def _legal_among(judge: OrderJudge, verb: Verb, unit: str, orders: Iterable[Mapping[str, Any]], most: int,
                 blamed: set[str], useless: bool) -> Iterator[LegalOrder]:
    """The legal ones of some orders of a unit, until there are enough without a warning, or too many are refused.

    `blamed`: gets the columns for which orders are refused.
    """
    missed, clean, moment = 0, 0, judge.next_phase_for(verb)
    for fields in orders:
        if moment is None or clean == most or missed >= (MISSES if unit else MISSES_OF_FACTION):
            return
        verdict = judge.verdict(fields)
        faults = {finding.where.field for finding in (verdict.findings if verdict is not None else ()) if finding.stops}
        if verdict is None or verdict.is_refused:
            blamed |= faults
            # where the unit itself is at fault, what else stands in the row changes little
            missed += MISS_OF_UNIT if unit and verb.actor in faults else 1
        elif useless or judge.is_worth_offering(verb, fields):
            missed, clean = 0, clean + verdict.clean
            yield LegalOrder(verb.en, fields, unit, moment.turn, moment.phase.orders, not verdict.clean)


LIKE_A_VERB = 75
"""How like a form of a verb a word must be, out of 100, to be taken for it in a hint."""
SHORTEST = 4
"""Letters of a word that may be a verb with slips."""
MOST_ORDERS = 6
"""How many orders of a unit are looked at."""
MOST_LOOKED_AT = 24
"""How many orders are looked at for one that names a place."""


def likely_verbs(sentence: SplitSentence) -> list[str]:
    """The verbs that a sentence names, or that one of its words without a meaning is like; first those whose own word
    it is, and not another by which people say it, then that of lines without a verb, if anybody is named, then those
    that most words name.
    """
    book = sentence.lexicon.book
    named = [(token, verb) for token, words in zip(sentence.tokens, sentence.verb_words, strict=True)
             for _, verb in words]
    if not named:
        near = map(_nearest_form, _strange_words(sentence), repeat(sentence))
        named = [(token, verb) for token in near if token is not None for _, verb in book.phrases.at([token], 0)]
    acts = any(any(sentence.rows(at, sentence.lexicon.records)) for at in range(len(sentence.tokens)))
    times = Counter(verb for _, verb in named)
    named.sort(key=lambda one: (book.code(one[0].folded) != one[1], acts and one[1] != book.bare, -times[one[1]]))
    return list(dict.fromkeys(verb for _, verb in named))


def _strange_words(sentence: SplitSentence) -> Iterator[Token]:
    """The words that no table and no sentence knows."""
    for at, token in enumerate(sentence.tokens):
        word = token.folded
        if len(word) >= SHORTEST and word.isalpha() and not (
                word in LISTS.fillers or word in LISTS.prepositions or word in LISTS.men
                or any(sentence.rows(at, (*sentence.lexicon.records, Node)))):
            yield token


def _nearest_form(token: Token, sentence: SplitSentence) -> Token | None:
    """The form of a verb's word that a word is like."""
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extractOne

    forms = [form for form in sorted(sentence.lexicon.book.phrases.vocabulary) if form[0] == token.folded[0]]
    near = extractOne(token.folded, forms, scorer=ratio, score_cutoff=LIKE_A_VERB)
    return Token(near[0]) if near else None


def likely_order(judge: OrderJudge, sentence: SplitSentence, verbs: Sequence[str]) -> LegalOrder | None:
    """The order that the faction may give and that names most of what a sentence names: with one of some verbs, of a
    unit that is named if it may; without a verb, of a unit that is named, or one that names a place of it. None where
    there is none.
    """
    named = {code for at in range(len(sentence.tokens))
             for _, code in sentence.rows(at, (*sentence.lexicon.records, Node))}
    book = judge.book
    if verbs:
        meant = [book[verb] for verb in verbs]
        return _best(_of_units(judge, meant, named), named) or _naming(judge, meant, named)
    coming = next((moment for moment in judge.to_come if moment.phase.orders), None)
    next_verbs = [one for one in book.values() if coming and (taken := judge.next_phase_for(one)) and (
        taken.reads == coming.reads)]
    of_unit = _best(_of_units(judge, next_verbs, named), named) or _best(_of_units(judge, book.values(), named), named)
    near = None if of_unit or not named else _naming(judge, next_verbs, named)
    return near if near is not None and _fit(near, named) else of_unit


def _of_units(judge: OrderJudge, verbs: Iterable[Verb], units: Collection[str]) -> Iterator[LegalOrder]:
    for verb in verbs:
        yield from legal_orders(judge, verb, MOST_ORDERS, units, useless=True) if verb.actor else ()


def _naming(judge: OrderJudge, verbs: Iterable[Verb], named: Collection[str]) -> LegalOrder | None:
    orders = (order for verb in verbs for order in legal_orders(judge, verb, MOST_ORDERS, useless=True))
    return _best(islice(orders, MOST_LOOKED_AT if named else 1), named)


def _best(orders: Iterable[LegalOrder], named: Collection[str]) -> LegalOrder | None:
    return max(orders, key=lambda order: _fit(order, named), default=None)


def _fit(order: LegalOrder, named: Collection[str]) -> int:
    return len({word for value in order.fields.values() for word in str(value).split()} & {*named})


# --- rehearsal ------------------------------------------------------------------------------------
# What follows of a faction's orders if nobody interferes: its phases to come, tried on its own view.
#
# The phases that take its orders are run one after the other on a playable copy of the view, as *check* runs them, but
# each goes on from where the one before has left the pieces. What needs a die or an answer is where the rehearsal ends:
# nothing is guessed.

STANDING = ("", "accepted")
"""The statuses of orders that are not refused."""


class Expense(NamedTuple):
    """What orders take out of a chest together. `have`: what is in it, `held`: what of the cost is only set aside,
    `free`: what is left then; all as shown. `unit`: as of `Chest`; `of`: whose it is, if not the faction's own.
    """

    cost: Any
    have: Any
    unit: str = ""
    of: str = ""
    held: Any = 0
    free: Any = 0


class Rehearsal(NamedTuple):
    """How far the phases ran, and what came of it.

    `before`, `after`: the view; `statuses`: of the faction's orders of that turn, number -> status, "" for one that was
    not reached; `findings`: at the orders that were reached; `open_at`: the phase that a die, an answer or a battle
    decides, "" where none does; `expenses`: of the orders that are not refused; `unforeseen`: orders that count, and of
    which no event tells the faction.
    """

    before: Campaign
    after: Campaign
    statuses: Mapping[str, str]
    findings: tuple[Finding, ...] = ()
    open_at: str = ""
    expenses: tuple[Expense, ...] = ()
    unforeseen: tuple[str, ...] = ()

    def events(self, faction: str) -> list[Event]:
        """What would happen to the faction's own rows, and to nobody else's."""
        known = len(self.before.table(Event))
        orders = self.after.table(Order)
        return [event for _, event in list(self.after.table(Event).in_file_order())[known:]
                if (event.audience == ALL or faction in event.audience.split())
                and str(event.data.get("order", "")) not in orders  # what became of an order is told with the order
                and (self._owners(event) in ({faction}, {faction, ""}) or (
                    not event.touched and event.audience == faction))]

    def _owners(self, event: Event) -> set[str]:
        """Whose the rows are that an event touches; of one that touches none, those that it names."""
        rows = (campaign.by_sheet(sheet).get(key) for campaign in (self.before, self.after)
                for sheet, record in campaign.records().items() if not issubclass(record, ADDRESSED)
                for key in _keys_in(event, sheet))
        return {str(getattr(row, "faction", "")) for row in rows if row is not None}


def _keys_in(event: Event, sheet: str) -> list[str]:
    """The keys on a sheet that an event touches; of an event that touches none, those that it names."""
    if event.touched:
        start = touched_name(sheet, "")
        return [name.removeprefix(start) for name in event.touched.split() if name.startswith(start)]
    return [code for value in event.data.values() if isinstance(value, str) for code in codes_in(value)]


def rehearse(phases: Sequence[Phase], turn: str, game_of: GameOf, view: Campaign, faction: str,
             invitations: Callable[[Game], list[Invitation]], certain: Container[str] = (),
             refused: Container[str] = ()) -> Rehearsal:
    """Run the phases that take a faction's open orders of a turn, as far as they run without a die or an answer.

    `phases`: of that turn, in the order of play, from the next one on; `certain`: as of `taking.judge_coming`;
    `refused`: the orders that phases will refuse which are not reached, as things stand.
    """
    work, here = playable(view), (view.desk.turn, view.desk.phase)
    work.desk.turn = turn
    before, battles, open_at, findings = work.copy(), set(work.table(Battle).keys()), "", list[Finding]()
    given, told_of = list[tuple[str, Request, Verb]](), dict[str, tuple[int, ...]]()
    repeated = set[str]()
    for phase in phases:
        work.desk.phase = phase.id
        game = game_of(work, phase.id)
        game.ahead = (turn, phase.id) != here
        requests = _requests(game, faction)
        given += [(phase.id, request, game.orders[request.verb]) for request in requests]
        if not requests or open_at:
            continue
        whole = _run(phase, game, invitations)
        told_of |= game.told_of
        idle = {game.orders.says[name].code for name in ("repeated", "futile") if name in game.orders.says}
        repeated |= {one.where.row for one in game.findings if one.code in idle}
        findings += [one if here == (turn, phase.id) else as_remark(one, Later(turn, phase.id, one.code in certain))
                     for one in game.findings if one.where.table == Order.sheet]
        if not any(request.row.status in STANDING for request in requests):
            continue  # what its dice decide is nothing to the faction
        if not whole or set(work.table(Battle).keys()) != battles:
            open_at = phase.id
    work.desk.phase = here[1]  # figures of before and after are of the same moment
    # an order that says what another says, and counts once with it, or that gets nobody, counts, but comes to nothing
    statuses = {row.order: "replaced" if row.order in repeated else row.status
                for row in work.table(Order).of_turn(turn) if row.faction == faction}
    standing = {order for order, status in statuses.items()
                if status == "accepted" or (not status and order not in refused)}
    rehearsal = Rehearsal(before, work, statuses, tuple(findings), open_at,
                          tuple(_expenses(phases, game_of, before, here, faction, standing)))
    told = _told_of(rehearsal.events(faction), given, told_of)
    silent = {request.row.order: phase for phase, request, _ in given if request.row.order in standing - told}
    # a step that only the phase itself runs decides on what is not told; where it judges all, nothing is foretold
    deciding = {phase.id for phase in phases if told and any(not (step.judged or step.follows) for step in phase.steps)}
    first = next((phase.id for phase in phases if phase.id == open_at or (
        phase.id in deciding and phase.id in silent.values())), "")
    return rehearsal._replace(unforeseen=tuple(silent), open_at=first)


def _told_of(events: Sequence[Event], given: Sequence[tuple[str, Request, Verb]],
             while_done: Mapping[str, Sequence[int]]) -> set[str]:
    """The orders of which events tell: those told while they were carried out, and as `told_last` finds them."""
    numbers, known = {event.no for event in events}, {no for told in while_done.values() for no in told}
    return {order for order, told in while_done.items() if numbers.intersection(told)} | told_last(
        [event for event in events if event.no not in known], given).keys()


_SEVERAL = 3


def told_last(events: Iterable[Event], given: Sequence[tuple[str, Request, Verb]]) -> dict[str, Event]:
    """Of each order the last event in its phase that says most of what it does, its unit at least. `given`: phase,
    order, verb.
    """
    told = dict[str, Event]()
    said = [(phase, request.row.order, str(getattr(request, verb.actor, "")), {
        code for name in verb.kinds for code in codes_in(getattr(request, name, ""))})
        for phase, request, verb in given if verb.actor]
    for event in events:
        codes = {code for value in event.data.values() for code in codes_in(value)}
        codes.update(touched.rpartition("/")[2] for touched in event.touched.split())
        alike = {order: len(words & codes) for phase, order, unit, words in said
                 if phase == event.phase and unit in codes}
        most = max(alike.values(), default=0)
        if most > 1 or len(alike) < _SEVERAL:  # an order of march names every unit, and says of none what it did
            told |= {order: event for order, count in alike.items() if count == most}
    return told


def _requests(game: Game, faction: str) -> list[Request]:
    """The open orders of a faction that a phase takes."""
    rows = game.campaign.table(Order).of_turn(game.turn, lambda row: row.faction == faction and not row.status and (
        row.phase.lower() == game.orders_word)) if game.orders_word else []
    requests = [read_row(game.orders, game.campaign, row, game.reads) for row in rows]
    return [request for request in requests if request.verb and game.takes in game.orders[request.verb].when]


def _run(phase: Phase, game: Game, invitations: Callable[[Game], list[Invitation]]) -> bool:
    """Run the steps of a phase that a view allows; whether none of them needed a die or an answer."""
    with suppress(Waiting):
        take_answers(game, invitations(game))
    game.campaign.note_changes()
    board = phase.board(game)
    for step in phase.steps:
        if step.judged == "together" or step.follows:
            try:
                step.run(board)
            except (Waiting, NotThrown):
                return False
    return True


# What orders cost together.


def _expenses(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign, here: tuple[str, str],
              faction: str, standing: Container[str]) -> Iterator[Expense]:
    """What a faction's standing orders cost, chest by chest; none more than the chest holds. `here`: the present turn
    and phase.
    """
    for phase in phases:
        work = campaign.copy()
        work.desk.phase = phase.id
        game = game_of(work, phase.id)
        game.ahead = (work.desk.turn, phase.id) != here
        requests = [request for request in _requests(game, faction) if request.row.order in standing]
        if not requests:
            continue
        board = phase.board(game)
        yield from _purse_expenses(game.orders, board, requests)
        for chest in phase.chests(board, faction) if phase.chests is not None and game.orders.purse is None else ():
            sums = [(spent, sum(min(_spending(spent, request), max(chest.have, 0)) for request in requests))
                    for spent in chest.spent]
            # of what may be had so often at most, all orders together get no more
            totals = [total if spent.most is None else sorted((0, total, spent.each * spent.most))[1]
                      for spent, total in sums]
            cost, gained = sum(max(total, 0) for total in totals), sum(max(-total, 0) for total in totals)
            if cost > 0:
                yield Expense(_parts(cost, chest.parts), _parts(chest.have + gained, chest.parts), chest.unit, chest.of)


def _purse_expenses(book: OrderBook, board: Any, requests: Sequence[Request]) -> Iterator[Expense]:
    """What verbs cost by what they declare, purse by purse; what others bring is at hand, too."""
    costs, held, brought = Counter[str](), Counter[str](), Counter[str]()
    for request in requests if book.purse is not None else ():
        with suppress(Refused):
            whose = book.purse.whose(board, request) if book.purse is not None else ""
            verb, cost = book[request.verb], price(board, request)
            costs[whose] += cost
            held[whose] += cost if verb.cost is not None and verb.cost.held else 0
            brought[whose] += int(getattr(request, verb.brings)) if verb.brings else 0
    for whose, cost in costs.items():
        if cost > 0 and book.purse is not None:
            have = book.purse.left(board, whose) + brought[whose]
            yield Expense(book.purse.shown(cost), book.purse.shown(have), book.purse.unit,
                          "" if whose in {request.faction for request in requests} else whose,
                          *((book.purse.shown(held[whose]), book.purse.shown(have - cost)) if held[whose] else ()))


def _spending(spent: Spent, request: Request) -> int:
    """What a row takes out of a chest."""
    if request.verb != spent.verb or any(str(getattr(request, name, "")) != word for name, word in spent.where):
        return 0
    times = str(getattr(request, spent.times, "")) if spent.times else "1"
    if spent.letters:
        men = [re.fullmatch(r"([A-Z])(\d+)", word) for word in times.upper().split()]
        each = dict(spent.letters)
        return sum(each.get(match[1], 0) * int(match[2]) for match in men if match) if all(men) else 0
    return spent.each * int(times) if times.isdecimal() else 0


def _parts(amount: int, parts: int) -> int | float:
    return amount // parts if amount % parts == 0 else amount / parts
