"""Resolves a phase: a pure function from a campaign to a campaign, or to the questions it waits for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import LONGEST_TEXT, UnreadableValue, Whole
from assistant.campaign.records import (
    RULES,
    Battle,
    Die,
    Event,
    Faction,
    FindingRow,
    FormRow,
    Order,
    Question,
    Rule,
    code_lookup,
)
from assistant.campaign.tables import Record, SharedRows, Table
from assistant.turn.dice import BadThrow, Dice, Roll, normalize_dice, parse_roll
from assistant.turn.dice_purposes import roll_kind_of
from assistant.turn.findings import FORMULA, TOO_LONG, Finding, Where, join_names, nearest
from assistant.turn.game import Game, Phase
from assistant.turn.messages import RULING
from assistant.turn.numbers import NEEDS_CODE, check_rule_rows
from assistant.turn.orders.phrases import HALVES, LANGUAGES
from assistant.turn.orders.reader import read_text
from assistant.turn.orders.requests import Refused, book_refusal
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.questions import BY, Ask, Waiting, answers_of, options_of, roles_of, standing_text, take_answers
from assistant.turn.ruleset import Ruleset

# Rows that a correction has superseded. They stay on their sheets, but no rule looks at them.
#
# The row that counts keeps its key. The superseded row gets the same key with a number, ``1500-r2-V-1~1``, so that it
# names the row that replaced it. If a key has several columns the number is in the first one.


R = TypeVar("R", bound=Record)
MARK = "~"
HANDED_IN: tuple[type[Record], ...] = (Order, Question, Die, Battle, FormRow)
"""The records of what people hand in; only these can be superseded."""
_VERSION = rf"{MARK}\d+(?=[/#]|$)"


def is_superseded(key: str) -> bool:
    """Whether a key is that of a superseded row."""
    return MARK in key and re.search(_VERSION, key) is not None


def current_key(key: str) -> str:
    """The key of the row that replaced a superseded one."""
    return re.sub(_VERSION, "", key)


def next_version(table: Table[Any], row: R) -> R:
    """A copy of a row under the first free key for superseded versions."""
    old, number = row.copy(), 1
    name = next(c.name for c in row.columns() if c.key)
    code = getattr(row, name)
    setattr(old, name, f"{code}{MARK}{number}")
    while old.ident in table:
        number += 1
        setattr(old, name, f"{code}{MARK}{number}")
    return old


def supersedable_records(campaign: Campaign) -> list[type[Record]]:
    """The records of what people hand in, in the order of the campaign."""
    return [record for record in campaign.records().values() if issubclass(record, HANDED_IN)]


def _superseded_keys(campaign: Campaign, record: type[Record]) -> list[str]:
    return [key for key in campaign.common(record.sheet).rows if MARK in key and is_superseded(key)]


def without_superseded(campaign: Campaign) -> Campaign:
    """The campaign without superseded rows, sharing everything else; the campaign itself if there are none."""
    new = campaign
    for record in supersedable_records(campaign):
        gone = _superseded_keys(campaign, record)
        if gone:
            new = campaign.copy() if new is campaign else new
            new.put(Table.over(new.common(record.sheet).awake().without(*gone)))
    return new


def put_back_superseded(source: Campaign, target: Campaign) -> Campaign:
    """Put the superseded rows of `source` back into `target`, in their old positions; returns the target."""
    for record in supersedable_records(source):
        if _superseded_keys(source, record):
            old, new = source.common(record.sheet).awake().rows, target.common(record.sheet).awake().rows
            rows = {key: row if is_superseded(key) else new[key]
                    for key, row in old.items() if is_superseded(key) or key in new}
            target.put(Table.over(SharedRows(record, {**rows, **new}, shared=True)))
    return target


# For which phase an order is.


FARTHEST = 400
"""How many phases to look ahead at most."""


def order_words(ruleset: Ruleset, campaign: Campaign) -> dict[str, str]:
    """What the column Phase may hold: casefolded word (or a phase's id or name) -> the word.

    Words of phases of this turn and the next come first (a first turn may read no orders at all), then those of all
    other phases of the calendar, as orders for past seasons stay on the sheet for ever.
    """
    near = [*ruleset.phase_ids(campaign), *ruleset.phase_ids(clock_of_orders(ruleset, campaign))]
    phases = [*map(ruleset.phase, dict.fromkeys(near)),
              *(phase for phase in ruleset.calendar.phases().values() if phase.id not in near)]
    words: dict[str, str] = {}
    for phase in phases:
        if phase.orders:
            words.setdefault(phase.orders.casefold(), phase.orders)
    # only then ids and names: a word that orders bear comes before them
    for phase in phases:
        if phase.orders:
            names = (name for lang in ("en", "it") for name in (
                phase.name(lang), short_name(phase, lang), ruleset.phase_word(phase.orders, lang)))
            for other in (phase.id, *names):
                words.setdefault(other.casefold(), phase.orders)
    return words


def short_name(phase: Phase, lang: str) -> str:
    """The name of a phase, of ``April II: marches`` the part before the colon: a line may begin with it."""
    return phase.name(lang).partition(": ")[0]


def is_never_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> bool:
    """Whether this is a present or future turn in whose season no phase reads orders with this word."""
    calendar = ruleset.calendar
    elsewhere = {phase.orders for phase in calendar.turn if phase.only}
    if word not in elsewhere or calendar.turns.key(turn) < calendar.turns.key(campaign.desk.turn):
        return False
    return all(phase.orders != word for phase in calendar.of(turn))


def next_turn_read(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> str:
    """The first turn from this one on whose season reads orders with a word."""
    turns = ruleset.calendar.turns
    if word and re.fullmatch(turns.pattern, turn):
        for _ in turns.seasons:
            if not is_never_read(ruleset, campaign, turn, word):
                break
            turn = turns.after(turn)
    return turn


def clock_of_orders(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign itself, or a copy set to the next turn if the present one reads no orders."""
    phase_ids = list(ruleset.phase_ids(campaign))
    if any(ruleset.phase(p).orders for p in phase_ids) or campaign.desk.phase not in ("", *phase_ids):
        return campaign
    clock = campaign.copy()
    clock.desk.phase = clock.desk.phase or phase_ids[0]  # a folder without a Desk begins where the book begins
    for _ in phase_ids:
        if clock.desk.turn != campaign.desk.turn or ruleset.is_over(clock):
            break
        ruleset.advance(clock)
    return clock


def current_orders_word(ruleset: Ruleset, campaign: Campaign) -> str:
    """The orders word of the present phase, or of the next one of this turn that takes orders."""
    return next((phase.orders for phase in ruleset.phases_left(campaign) if phase.orders), "")


def past_orders_words(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """The orders words of this turn's past phases, without those that a later phase reads, too."""
    to_come = ruleset.phases_left(campaign)
    past = ruleset.phases_past(campaign) if to_come or ruleset.is_over(campaign) else []
    return {phase.orders for phase in past} - {phase.orders for phase in to_come} - {""}


def is_ahead(ruleset: Ruleset, campaign: Campaign, turn: str, word: str) -> bool:
    """Whether a phase that reads orders for a turn with a word is still to come."""
    key, now = ruleset.calendar.turns.key, campaign.desk.turn
    if word not in order_words(ruleset, campaign).values() or not re.fullmatch(ruleset.turn_pattern, turn) or (
            is_never_read(ruleset, campaign, turn, word)):
        return False
    return key(turn) > key(now) or (
        turn == now and all(phase.orders != word for phase in ruleset.phases_past(campaign)))


def phases_ahead(ruleset: Ruleset, campaign: Campaign, farthest: int = FARTHEST) -> Iterator[tuple[str, str]]:
    """Turn and phase of the present phase and of the following ones, by today's calendar."""
    clock = campaign.copy()
    for _ in range(farthest):
        if ruleset.is_over(clock):
            return
        here = clock.desk.turn, clock.desk.phase
        yield here
        ruleset.advance(clock)
        if (clock.desk.turn, clock.desk.phase) == here:
            return


def verb_of(ruleset: Ruleset, campaign: Campaign, row: Order) -> str:
    """The code of an order's verb, also of one in words; "" for none."""
    words = row.verb or read_text(ruleset.understand, row.text, campaign, row.faction).fields.get("verb", "")
    return as_order_book(ruleset.verbs).code(str(words))


def order_phase(ruleset: Ruleset, campaign: Campaign, verb: str = "", word: str = "") -> tuple[str, Phase] | None:
    """Turn and phase to come that is the next to read orders with a verb (its code); None if there is none.

    `word`: it reads them under that word of the column Phase. Where nothing reads the verb, or its phase under the word
    that comes next is over this turn, it is the next one that reads any: that says what is wrong with the order.
    """
    book, first = as_order_book(ruleset.verbs), None
    times = book[verb].when if verb in book else ()
    for turn, name in phases_ahead(ruleset, campaign):
        phase = ruleset.phase(name)
        if not phase.orders or word not in ("", phase.orders):
            continue
        if not times or (phase.takes or phase.orders) in times:
            return turn, phase
        if first is None:
            first = turn, phase
            if turn == campaign.desk.turn and reads_verb(ruleset, campaign, verb, phase.orders):
                break
    return first


def campaign_of_orders(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """The campaign itself, or a copy set to the phase that takes orders next where that is one of a later turn."""
    coming = order_phase(ruleset, campaign)
    if coming is None or coming[0] == campaign.desk.turn:
        return campaign
    later = campaign.copy()
    later.desk.turn, later.desk.phase = coming[0], coming[1].id
    return later


def reads_verb(ruleset: Ruleset, campaign: Campaign, verb: str, word: str) -> bool:
    """Whether a phase of the present turn, past or to come, reads a verb (its code) under a word of column Phase."""
    times = as_order_book(ruleset.verbs)[verb].when
    return any(phase.orders == word and (phase.takes or word) in times
               for phase in map(ruleset.phase, ruleset.phase_ids(campaign)))


def split_phase_word(ruleset: Ruleset, campaign: Campaign, faction: str, line: str) -> tuple[str, str]:
    """The word of the column Phase with which a line begins, or the name of its phase, and the order behind it.

    ("", the line itself) where it begins with none: what a row is called is that row, and a word that is also a verb
    names its phase only where an order of that phase follows, and the line with it is none.
    """
    words, known, book = line.split(), order_words(ruleset, campaign), as_order_book(ruleset.verbs)
    longest = max((len(spelled.split()) for spelled in known), default=0)
    for count in range(min(longest, len(words) - 1), 0, -1):
        begins, rest = " ".join(words[:count]), " ".join(words[count:])
        word = known.get(begins.removesuffix(":").casefold(), "")
        # a code may be called as a phase is
        if not word or any(table.spelling_of(begins) in table for table in campaign.tables().values()):
            continue
        # a verb may be called as a phase is: then the whole line is the order
        whole = ruleset.read(line, campaign, faction) if book.code(begins) else None
        if whole is not None and whole.is_sure and whole.fields["verb"] == book.code(begins):
            continue
        order = ruleset.read(rest, campaign, faction)
        verb = book.code(str(order.fields.get("verb", order.verb)))
        if verb and any(phase.orders == word and (phase.takes or word) in book[verb].when
                        for phase in ruleset.calendar.phases().values()):
            return word, rest
    return _split_month(ruleset, campaign, faction, line)


_IN_MONTH = r"(?i)(?:^|(?<=\s))(?:in|during|nel\s+mese\s+di|durante)\s+([^\W\d_]{3,}),?(?=\s|[.!]*$)"
"""A month in which something is ordered."""


def _split_month(ruleset: Ruleset, campaign: Campaign, faction: str, line: str) -> tuple[str, str]:
    """The word of the first phase to come of the only month, or half of one, that a line names, and the order without
    that; ("", the line itself) where it names none, or is no order of that phase.
    """
    named = [(phase, *short_name(phase, lang).casefold().rpartition(" ")[::2])
             for phase in ruleset.phases_left(campaign) if phase.orders for lang in LANGUAGES]
    found = [(half, phase) for phase, month, number in named for pattern in HALVES.get(number, ())
             for half in re.finditer(pattern, line) if (half[1] or "").casefold() == month]
    found += [(month, phase) for month in re.finditer(_IN_MONTH, line) for phase, name, _ in named
              if name == month[1].casefold()]
    months = {word for phase in ruleset.phases_left(campaign) for lang in LANGUAGES
              for word in short_name(phase, lang).casefold().split()[:1] if phase.orders}
    if not found or sum(word.casefold() in months for word in re.findall(r"[^\W\d_]+", line)) > 1:
        return "", line  # of two months neither is meant alone
    month, phase = found[0]
    rest = f"{line[:month.start()].rstrip()} {line[month.end():].lstrip()}".strip()
    order = ruleset.read(rest, campaign, faction)
    verb = str(order.fields.get("verb", "")) if order.is_sure and not order.more else ""
    return (phase.orders, rest) if verb and (phase.takes or phase.orders) in as_order_book(
        ruleset.verbs)[verb].when else ("", line)


def prepare(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """A copy of the campaign as it will be when it begins."""
    ready = campaign.copy()
    ruleset.prepare(ready)
    return ready


# Rows of Orders that no rulebook can judge.
#
# A slip in one row affects that row alone (decision 27): all others are played.


NOT_NUMBER, NOT_WHOLE, OUT_OF_RANGE = "ARB-023", "ARB-024", "ARB-025"
ORDER_FACTION, ORDER_TURN, ORDER_PHASE, OTHERS_NUMBER = "ARB-040", "ARB-041", "ARB-042", "ARB-046"
_REASONS = {"number": NOT_NUMBER, "whole": NOT_WHOLE, "range": OUT_OF_RANGE}
_EVERY_ORDERS = ("faction", "turn", "phase", "seq")
"""Columns of every order that hold something else than free text."""
WITHDRAWN = "withdrawn"
SHOWN = 80
DOUBLE = re.compile(r"(.*) \(\d+\)")
"""The form of a number given to a row whose own number is taken."""


def blocks_phase(finding: Finding) -> bool:
    """Whether a finding keeps a phase from starting. One about a club's row of Orders, or one marked `alone`, only
    affects its row.
    """
    alone = finding.where.table == Order.sheet and finding.where.row and (
        finding.where.field == "faction"
        or finding.code in (TOO_LONG, ORDER_FACTION, ORDER_TURN, ORDER_PHASE, OTHERS_NUMBER)
        or (finding.code in (FORMULA, *_REASONS.values()) and finding.where.field in _EVERY_ORDERS))
    return finding.stops and not (alone or finding.alone)


def is_emptied(row: Record) -> bool:
    """Whether a row of Orders is blank except for its number, which means that its club has withdrawn the order."""
    return isinstance(row, Order) and bool(row.order) and row.status in ("", WITHDRAWN) and all(
        getattr(row, c.name) == c.default for c in row.columns() if c.edit == "club" and not c.key)


def duplicate_number(number: str, taken: Iterable[str]) -> str:
    """A number for a row whose own number is taken, ``1500-r2-V-1 (2)``. `taken`: casefolded numbers."""
    times = 2
    while f"{number} ({times})".casefold() in taken:
        times += 1
    return f"{number} ({times})"


class InvalidRows:
    """Finds rows of Orders that are invalid under any rulebook, given the present campaign."""

    def __init__(self, ruleset: Ruleset, campaign: Campaign) -> None:
        self._ruleset, self._campaign = ruleset, campaign
        self._turn = campaign.desk.turn
        self._factions = list(dict.fromkeys(code_lookup(campaign.table(Faction)).values()))
        self._words = order_words(ruleset, campaign)
        self._said = list(dict.fromkeys(self._words.values()))
        self._turns: dict[str, bool] = {}
        self._unheard: dict[tuple[str, str], bool] = {}
        codes = "|".join(re.escape(code) for code in sorted(self._factions, key=len, reverse=True))
        self._numbered = re.compile(rf"(.+)-(.+)-({codes})-\d+(?: \(\d+\))?")

    def of(self, row: Order) -> list[Finding]:
        """The findings on a row that is not judged yet."""
        findings = [*self._place_findings(row), *_unreadable_cells(row)]
        if self.is_others(row) or DOUBLE.fullmatch(row.order):
            findings.append(self._at(OTHERS_NUMBER, row, "order", seen=_shorten(DOUBLE.sub(r"\1", row.order))))
        return findings

    def is_others(self, row: Order) -> bool:
        """Whether a club's row has a number of the form that Arbitro gives to another club's rows."""
        match = self._numbered.fullmatch(row.order)
        return (match is not None and match[2].casefold() in self._words and row.faction in self._factions
                and match[3] != row.faction)

    def is_due(self, row: Order) -> bool:
        """Whether the present phase is the one to refuse an invalid row: its own rows, late ones, those of no phase."""
        word = self._ruleset.phase(self._campaign.desk.phase).orders
        if not word or self._is_later(row.turn):
            return False
        if any(True for _ in self._place_findings(row)) or row.phase == word or row.turn != self._turn:
            return True
        return row.phase not in {phase.orders for phase in self._ruleset.phases_left(self._campaign)}

    def _is_later(self, turn: str) -> bool:
        key = self._ruleset.calendar.turns.key
        return self._is_turn(turn) and key(turn) > key(self._turn)

    def _is_turn(self, turn: str) -> bool:
        if turn not in self._turns:
            turns = self._ruleset.calendar.turns
            self._turns[turn] = bool(turn) and (not self._turn or _turn_shape(turn) == _turn_shape(self._turn)) and (
                not turns.seasons or re.fullmatch(turns.pattern, turn) is not None)
        return self._turns[turn]

    def _place_findings(self, row: Order) -> Iterable[Finding]:
        """Findings about a row's faction, turn and phase."""
        if row.faction not in self._factions:
            yield self._stranger(row)
        if not self._is_turn(row.turn):
            yield self._unknown_finding(ORDER_TURN, row, "turn", [self._turn])
        unheard = row.phase in self._said and self._is_turn(row.turn) and self._is_unheard(row.turn, row.phase)
        if unheard and self._ruleset.unheard:
            yield self._of_no_season(row)
        elif unheard or row.phase not in self._said:
            yield self._unknown_finding(ORDER_PHASE, row, "phase", [word for word in self._said if word != row.phase])

    def _is_unheard(self, turn: str, word: str) -> bool:
        """Whether no phase ever reads orders with a word in a turn; cached."""
        if (turn, word) not in self._unheard:
            self._unheard[turn, word] = is_never_read(self._ruleset, self._campaign, turn, word)
        return self._unheard[turn, word]

    def _stranger(self, row: Order) -> Finding:
        """The finding for an unknown faction: the book's own if it has one."""
        says = as_order_book(self._ruleset.verbs).says
        if not row.faction or row.faction.startswith("=") or "no_faction" not in says:
            return self._unknown_finding(ORDER_FACTION, row, "faction", self._factions)
        why = book_refusal(Refused("no_faction", "faction", faction=_shorten(row.faction)), says)
        return self._at(why.code, row, why.field, **why.data)

    def _of_no_season(self, row: Order) -> Finding:
        """The book's own finding for an order for a phase that its season does not have."""
        following = next_turn_read(self._ruleset, self._campaign, row.turn, row.phase)
        return Finding(self._ruleset.unheard, "error", Where(Order.sheet, row.order, "phase"), {
            "faction": row.faction, "verb": _shorten(row.verb or row.text), "phase": row.phase, "season": row.turn,
            "next": following}, row.faction if row.faction in self._factions else "", alone=True)

    def _unknown_finding(self, code: str, row: Order, name: str, known: list[str]) -> Finding:
        seen = str(getattr(row, name))
        if seen.startswith("="):
            return self._at(FORMULA, row, name, seen=_shorten(seen))
        return self._at(code, row, name, seen=_shorten(seen), near=nearest(seen[:SHOWN], known) or join_names(known))

    def _at(self, code: str, row: Order, name: str, **data: object) -> Finding:
        return Finding(code, "error", Where(Order.sheet, row.order, name), data,
                       row.faction if row.faction in self._factions else "")


def refuse_invalid_rows(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Refuse invalid rows when their phase comes, and mark emptied ones as withdrawn; a finding for each refused row.
    """
    fresh, findings = campaign.table(Order).open_rows(campaign.desk.turn, lambda row: not row.status), list[Finding]()
    if not fresh:
        return findings
    misfits = InvalidRows(ruleset, campaign)
    for row in fresh:
        wrong = [] if is_emptied(row) else misfits.of(row)
        if is_emptied(row):
            row.status = WITHDRAWN
        elif wrong and misfits.is_due(row):
            row.status = "refused"
            findings.append(wrong[0])
    return findings


def _unreadable_cells(row: Order) -> Iterable[Finding]:
    """Findings for texts that are too long, and for a sequence number that is no number."""
    values = vars(row)
    for c in row.columns():
        value = values[c.name]
        if not value or c.edit != "club" or not isinstance(value, str):
            continue
        if len(value) > LONGEST_TEXT - c.key:  # the reader cuts a number that is too long
            seen = {"seen": value[:40] + "…", "length": len(value), "allowed": LONGEST_TEXT}
            yield Finding(TOO_LONG, "error", Where(Order.sheet, row.order, c.name), seen, row.faction)
        elif isinstance(c.kind, Whole):
            code, more = _why_no_number(c.kind, value)
            yield Finding(code, "error", Where(Order.sheet, row.order, c.name), {"seen": _shorten(value), **more},
                          row.faction)


def _why_no_number(kind: Whole, value: str) -> tuple[str, dict[str, str]]:
    """The code of the finding for a text where a number belongs, and what it says beside the text."""
    if value.startswith("="):
        return FORMULA, {}
    try:
        Whole.read(kind, value)
    except UnreadableValue as no:
        return _REASONS[no.reason], {"allowed": no.allowed}
    raise ValueError(f"{value} is a number")


def _shorten(text: str) -> str:
    return text[:SHOWN]


def _turn_shape(turn: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", turn))


# Resolving a phase.


BAD_DIE = "ARB-060"
UNREAD_DIE = "ARB-049"
OTHER_DICE = "ARB-280"
ONE_KEY = "ARB-289"


@dataclass(eq=False, repr=False)
class Outcome:
    """The outcome of a resolution.

    `campaign`: the new state (with open questions if the phase waits; the old state if findings prevented it);
    `questions`: those for which it waits; `findings`: all of this run; `events`, `rolls`: the new ones; `untold`: see
    `Game.untold`.
    """

    campaign: Campaign
    turn: str
    phase: str
    done: bool
    questions: list[Question] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    untold: Collection[tuple[str, str]] = ()


def typed_dice(campaign: Campaign, bad: Container[str] = ()) -> dict[str, str]:
    """The dice typed in for the present phase and not used by an earlier one: purpose -> value.

    `bad`: keys of invalid rows; they get the value "", which no dice can show, so that throwing them fails.
    """
    turn = campaign.desk.turn
    keys = dict.fromkeys(d.key for d in campaign.table(Die).open_rows(
        turn, lambda d: d.source == "table" and (d.turn == turn or d.hold != "settled")))
    rows = {key: die_row(campaign, key) for key in keys}
    return {key: "" if row.ident in bad else row.value
            for key, row in rows.items() if row is not None and row.source == "table"}


def earlier_throws(campaign: Campaign) -> Callable[[str], bool]:
    """A test whether an earlier phase has thrown for a purpose (never, if turn and phase are part of a die's key)."""
    if not campaign.has(Die.sheet):
        return lambda key: False
    dice, now = campaign.table(Die), (campaign.desk.turn, campaign.desk.phase)

    def was_thrown(key: str) -> bool:
        row = dice.get(dice.record(key=key, turn=now[0], phase=now[1]).ident)
        return row is not None and row.hold == "settled" and bool(row.turn) and (row.turn, row.phase) != now

    return was_thrown


def die_row(campaign: Campaign, purpose: str) -> Die | None:
    """The Dice row for a purpose: the present phase's row if turn and phase are part of the record's key, or a row
    without them that waits for its throw.
    """
    table, desk = campaign.table(Die), campaign.desk
    now = table.record(key=purpose, turn=desk.turn, phase=desk.phase)
    return table.get(now.ident) or table.get(table.record(key=purpose).ident)


def check_die(ruleset: Ruleset, die: Die) -> Finding | None:
    """The finding for a typed die whose value is impossible, or that is not the die thrown for its purpose."""
    kind, where = roll_kind_of(ruleset, die.key), Where(Die.sheet, die.ident, "value")
    typed, thrown = normalize_dice(die.dice), kind.dice if kind is not None else ""
    dice = typed or thrown
    if typed and thrown and typed != thrown and die.hold == "typed":
        return Finding(OTHER_DICE, "error", Where(Die.sheet, die.ident, "dice"),
                       {"seen": die.dice, "key": die.key, "dice": thrown})
    try:
        if dice:  # else only the phase knows them
            parse_roll(die.key, dice, die.value, "", faces=kind is not None and kind.faces)
    except BadThrow as bad:
        return Finding(BAD_DIE, "error", where, bad.as_data())
    except ValueError:
        return Finding(BAD_DIE, "error", where, {"value": die.value, "dice": dice})
    return None


def check_dice(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Findings for all invalid typed dice, except those already used by a phase.

    Each only affects its row (decision 27) until a phase throws that die. Unreadable values were reported when the
    workbook was read, and are blank here.
    """
    if not campaign.has(Die.sheet):
        return []
    return campaign.derive(_check_dice, Die, by=(ruleset, campaign.desk.turn))


def _check_dice(ruleset: Ruleset, turn: str, dice: Table[Die]) -> list[Finding]:
    typed = dice.open_rows(turn, lambda die: die.source == "table" and bool(die.value))
    findings = (check_die(ruleset, die) for die in typed)
    return [finding._replace(alone=True) for finding in findings if finding is not None]


def check_campaign(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Findings that keep any phase from starting (invalid numbers and switches, the ruleset's own findings), and
    invalid dice, which only stop the phase that throws them.
    """
    return check_dice(ruleset, campaign) + _check_numbers(ruleset, campaign) + ruleset.check_data(campaign)


def _check_numbers(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    found = campaign.derive(_check_rules, Rule, by=(ruleset, ()))
    if any(finding.code == NEEDS_CODE for finding in found):
        return campaign.derive(_check_rules, Rule, by=(ruleset, tuple(sorted(_ruled_keys(campaign)))))
    return found


def refused_rules(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """Keys on the sheet Rules whose value the rulebook cannot play."""
    return {finding.where.row for finding in _check_numbers(ruleset, campaign) if finding.stops}


def _ruled_keys(campaign: Campaign) -> set[str]:
    return {str(event.data.get("row")) for event in campaign.table(Event)
            if event.event == RULING and event.data.get("sheet") == Rule.sheet}


def _check_rules(ruleset: Ruleset, ruled: tuple[str, ...], rules: Table[Rule]) -> list[Finding]:
    return check_rule_rows(ruleset.numbers, rules, ruleset.id, retired=ruleset.retired,
                           prefix=getattr(ruleset, "prefix", ""), ruled=ruled)


def resolve(ruleset: Ruleset, campaign: Campaign, turn_secret: bytes,
            extra_answers: Mapping[str, str] | None = None) -> Outcome:
    """Run the present phase to its end or to its next question.

    The campaign passed in is never changed. `extra_answers`: id -> text, in addition to those on the Questions sheet
    (robots, defaults). Superseded rows stay in the campaign, but the phase does not see them.
    """
    desk = campaign.desk
    before = Outcome(campaign, desk.turn, desk.phase, done=False)
    standing = without_superseded(campaign)
    before.findings = check_campaign(ruleset, standing)
    # a value that does nothing is refused before a phase begins; past phases that had one are replayed as they were
    if any(blocks_phase(f) for f in before.findings if f.code != NEEDS_CODE):
        return before
    bad = {f.where.row: f for f in before.findings if f.where.table == Die.sheet and f.alone}
    dice = Dice(desk.turn, turn_secret, typed_dice(standing, bad), earlier_throws(standing))
    return play_with(ruleset, campaign, dice, extra_answers, bad)


def play_with(ruleset: Ruleset, campaign: Campaign, dice: Dice, extra_answers: Mapping[str, str] | None = None,
              bad: Mapping[str, Finding] = MappingProxyType({})) -> Outcome:
    """Run the present phase with the given dice, without looking first whether anything keeps it from starting.

    `bad`: findings on typed dice by key of their row; the rest as for `resolve`.
    """
    desk, standing = campaign.desk, without_superseded(campaign)
    phase, work = ruleset.phase(desk.phase), standing.copy()
    misfits = refuse_invalid_rows(ruleset, work)
    game = ruleset.game(work, dice=dice, answers={**answers_of(work), **(extra_answers or {})})
    game.findings += misfits
    try:
        take_answers(game, ruleset.invitations(game))
        phase.play(game)
    except BadThrow as thrown:
        return Outcome(campaign, desk.turn, desk.phase, False, findings=[_stopping_finding(campaign, thrown, bad)])
    except Waiting as waiting:
        outcome = _waiting_outcome(campaign, game, waiting, extra_answers or {})
        outcome.findings += bad.values()
        return outcome
    _close(work, game, extra_answers or {})
    ruleset.advance(work)
    after = work.copy()  # rules may still hold rows of `work`; nobody holds rows of the copy
    if standing is not campaign:
        put_back_superseded(campaign, after)
    return Outcome(after, desk.turn, desk.phase, True, [], [*game.findings, *bad.values()], game.events,
                   list(game.dice.thrown.values()), game.untold)


def _stopping_finding(campaign: Campaign, thrown: BadThrow, bad: Mapping[str, Finding]) -> Finding:
    """The finding that stops a phase when it throws an invalid typed die. `bad`: findings on Dice rows by key."""
    row = die_row(campaign, thrown.key)
    where = Where(Die.sheet, row.ident if row else thrown.key, "value")
    if where.row in bad:
        # it is thrown after all: now it stops the phase
        return bad[where.row]._replace(alone=False)
    if not thrown.value:
        return Finding(UNREAD_DIE, "error", where, {"key": thrown.key})
    return Finding(BAD_DIE, "error", where, thrown.as_data())


def _waiting_outcome(campaign: Campaign, game: Game, waiting: Waiting, extra: Mapping[str, str]) -> Outcome:
    after = campaign.copy()
    table = after.table(Question)
    asked = [_write(table, ask, game, "open") for ask in waiting.questions]
    for form in game.forms:
        _write_form(after, form)
    _keep_answers(after, extra)
    return Outcome(after, game.turn, game.phase, False, asked, game.findings, [], [])


def _write_form(campaign: Campaign, form: Record) -> None:
    """Write a form's row, without what people typed into it."""
    table = campaign.by_sheet(form.sheet)
    old = table.get(form.ident)
    if old is None:
        table.add(form.copy())
        return
    for c in form.columns():
        if c.edit == "assistant":
            setattr(old, c.name, getattr(form, c.name))


def _keep_answers(campaign: Campaign, extra: Mapping[str, str]) -> None:
    table = campaign.table(Question)
    for name, text in sorted(extra.items()):
        row = table.get(table.record(question=name, turn=campaign.desk.turn, phase=campaign.desk.phase).ident)
        if row is not None and not row.answer:
            row.answer = text


def _keep_standing(table: Table[Question], game: Game) -> None:
    """Record which standing answers were used, and add those that were typed in this phase."""
    for name, stood in game.stood.items():
        row = table[table.record(question=name, turn=game.turn, phase=game.phase).ident]
        row.answer, row.asked = standing_text(stood), {**row.asked, BY: stood.question}
    for made in game.new_standing:
        (table.get(made.ident) or table.add(made)).answer = made.answer


def _write(table: Table[Question], ask: Ask, game: Game, status: str) -> Question:
    """Write the question's row as it is asked now, keeping the answer that is already there."""
    row = game.row_of(ask)
    row.status = status
    old = table.get(row.ident)
    if old is None:
        return table.add(row)
    row.answer = "" if game.name_of(ask) in game.outdated else old.answer
    for name, value in vars(row).items():
        setattr(old, name, value)
    return old


def _close(campaign: Campaign, game: Game, extra: Mapping[str, str]) -> None:
    questions = campaign.table(Question)
    for ask in game.asked:
        _write(questions, ask, game, "answered")
    _keep_standing(questions, game)
    for key in game.heard:
        questions[key].status = "answered"
    _keep_answers(campaign, extra)
    for question in questions.of_turn(game.turn, lambda row: row.status == "open", parts=(game.phase,)):
        question.status = "void"  # the phase did not need it in the end
    dice = campaign.table(Die)
    for roll in sorted(game.dice.thrown.values(), key=lambda r: r.key):
        row = die_row(campaign, roll.key)
        if row is None:
            dice.add(dice.record(key=roll.key, dice=roll.dice, value=roll.value, turn=game.turn, phase=game.phase,
                         source="assistant", audience=roll.audience))
        else:
            was = row.ident
            row.turn, row.phase, row.audience = game.turn, game.phase, roll.audience
            if row.ident != was:  # it was typed without its turn and phase, which are part of the key here
                dice.add(dice.remove(was))
            row.dice = roll.dice
            if not roll.typed:  # a row that was not typed in says what was thrown
                row.value = roll.value
    for key, own in game.dice.twice:
        row = die_row(campaign, own)
        assert row is not None
        game.findings.append(Finding(ONE_KEY, "warning", Where(Die.sheet, row.ident, "key"), {"key": key, "own": own}))
    kept = campaign.table(FindingRow)
    for finding in game.findings:
        kept.add(FindingRow(turn=game.turn, phase=game.phase, table=finding.where.table, row=finding.where.row,
                            code=finding.code, severity=finding.severity, field=finding.where.field,
                            faction=finding.faction, data=dict(finding.data)))


# Campaigns are played with robots: their orders and answers from their views alone, phase by phase to the end.


Judge = Callable[[Question], str]
Reply = Callable[[Outcome], Mapping[str, str]]
Tempers = Mapping[str, str]
"""Faction -> the temper of its robot; who is missing has the usual one."""
PLAIN_ALL: Tempers = MappingProxyType({})
ROBOT_MARK = "-robot-"
"""Part of the numbers of orders that the assistant wrote for a robot."""


class StuckPhase(AssertionError):
    """A phase that neither ends nor goes on with the answers it gets: a fault of the rulebook or its robots."""


def finding_text(finding: Finding) -> str:
    """A finding as text for a message to authors: code, place, data."""
    where = finding.where
    place = "/".join(word for word in (where.table, where.row, where.field) if word)
    return f"{finding.code} at {place or 'the campaign'} {dict(finding.data)}"


# Orders.


def robots_of(campaign: Campaign, others: Collection[str] = ()) -> list[str]:
    """Codes of the factions that the assistant plays, in natural order: those with that role, and of the `others` all
    that the rules do not play.
    """
    return [code for code, role in roles_of(campaign).items() if role == "robot" or (code in others and role != RULES)]


def give_robot_orders(ruleset: Ruleset, campaign: Campaign, robots: Sequence[str], tempers: Tempers = PLAIN_ALL
                      ) -> tuple[Campaign, int]:
    """The campaign with orders for those of the robots that have none in this phase, and how many rows were added."""
    desk = campaign.desk
    phase = ruleset.phase(desk.phase)
    if not phase.orders:
        return campaign, 0
    given: dict[str, list[Order]] = {robot: [] for robot in robots}
    for order in campaign.table(Order).of_turn(desk.turn, parts=(phase.orders,)):
        given.setdefault(order.faction, []).append(order)
    idle = [robot for robot in robots if not given[robot] or (
        phase.robots_anew and all(ROBOT_MARK in row.order and row.status for row in given[robot]))]
    if not idle:
        return campaign, 0
    work = campaign.copy()
    count = 0
    for robot in idle:
        rows = ruleset.orders_by_temper(ruleset.view(campaign, robot), robot, tempers.get(robot, ""))
        for number, row in enumerate(rows, len(given[robot]) + 1):
            row.order = f"{desk.turn}-{phase.orders}-{robot}{ROBOT_MARK}{number}"
            row.turn, row.phase, row.faction = desk.turn, phase.orders, robot
            row.seq = number if row.seq is None else row.seq
            work.table(Order).add(row)
            count += 1
    return work, count


# Answers.


def default_judge(ruleset: Ruleset) -> Judge:
    """Answers of a referee who only wants the game to go on: battles by dice, defaults, else the first option."""
    form = ruleset.form.question if ruleset.form is not None and ruleset.form.dice[0] else ""

    def judge(question: Question) -> str:
        return "auto" if question.kind == form else question.default or next(iter(options_of(question)), "auto")

    return judge


def answers_to(ruleset: Ruleset, outcome: Outcome, judge: Judge, tempers: Tempers = PLAIN_ALL) -> dict[str, str]:
    """The answers of robots, made from their views, and of the referee for all others; later ones see earlier ones."""
    robots = set(robots_of(outcome.campaign))
    answers: dict[str, str] = {}
    views: dict[str, Campaign] = {}
    for question in outcome.questions:
        to = question.to
        if to not in robots:
            answers[question.question] = judge(question)
            continue
        if to not in views:
            views[to] = ruleset.view(outcome.campaign, to)
        answers[question.question] = ruleset.answer_by_temper(views[to], to, question, tempers.get(to, ""))
        outcome.campaign.table(Question)[question.ident].answer = answers[question.question]
    return answers


# Phases.


def finish_phase(ruleset: Ruleset, campaign: Campaign, secret: bytes, reply: Reply) -> Outcome:
    """Play the present phase to its end. Raises `StuckPhase` if it waits without a question, or asks again."""
    answers: dict[str, str] = {}
    outcome = resolve(ruleset, campaign, secret, answers)
    while not outcome.done:
        here = f"{outcome.turn} {outcome.phase}"
        if not outcome.questions:
            raise StuckPhase(f"{here} neither ends nor asks. Put right what it found: "
                             f"{'; '.join(map(finding_text, outcome.findings))}")
        fresh = reply(outcome)
        again = {name: text for name, text in fresh.items() if name in answers}
        if again:
            raise StuckPhase(f"{here} does not take these answers: {again}; it found "
                             f"{'; '.join(map(finding_text, outcome.findings)) or 'nothing'}. Let robot_answer and the "
                             "default of the question give one that its kind of answer takes.")
        answers |= fresh
        outcome = resolve(ruleset, campaign, secret, answers)
    return outcome


def play(ruleset: Ruleset, campaign: Campaign, secret: bytes,
         judge: Judge | None = None) -> Iterator[tuple[Campaign, Outcome]]:
    """Play to the end; of each phase the campaign before it, with the robots' orders, and the outcome."""
    judge = judge or default_judge(ruleset)
    while not ruleset.is_over(campaign):
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        outcome = finish_phase(ruleset, campaign, secret, lambda waiting: answers_to(ruleset, waiting, judge))
        yield campaign, outcome
        campaign = outcome.campaign
