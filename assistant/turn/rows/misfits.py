"""Rows of Orders that no rulebook can judge: a campaign in; what is wrong with each of them out, and its refusal.

A slip in one row is that row's affair (decision 27): every other one is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import LONGEST_TEXT, Unreadable, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import Faction, Order, called
from assistant.turn.findings import FORMULA, TOO_LONG, Finding, Where, listed, nearest
from assistant.turn.orders.refusal import Refused, in_the_books_words
from assistant.turn.orders.verbs import book_of
from assistant.turn.rows.when_meant import never_read, next_read, order_words
from assistant.turn.ruleset import Ruleset

NOT_NUMBER, NOT_WHOLE, OUT_OF_RANGE = "ARB-023", "ARB-024", "ARB-025"
ORDER_FACTION, ORDER_TURN, ORDER_PHASE, OTHERS_NUMBER = "ARB-040", "ARB-041", "ARB-042", "ARB-046"
_REASONS = {"number": NOT_NUMBER, "whole": NOT_WHOLE, "range": OUT_OF_RANGE}
_EVERY_ORDERS = ("faction", "turn", "phase", "seq")
"""Columns that every order has, in which something else than text is meant."""
WITHDRAWN = "withdrawn"
SHOWN = 80
DOUBLE = re.compile(r"(.*) \(\d+\)")
"""How the number of a row looks that may not have its own."""


def keeps_phase(finding: Finding) -> bool:
    """Whether a finding keeps a phase from starting: one at what a club typed into Orders refuses that row alone, and
    so does one that says so.
    """
    alone = finding.where.table == Order.sheet and finding.where.row and (
        finding.where.field == "faction"
        or finding.code in (TOO_LONG, ORDER_FACTION, ORDER_TURN, ORDER_PHASE, OTHERS_NUMBER)
        or (finding.code in (FORMULA, *_REASONS.values()) and finding.where.field in _EVERY_ORDERS))
    return finding.stops and not (alone or finding.alone)


def is_emptied(row: Record) -> bool:
    """Whether nothing stands in a row of Orders but its number: its club has withdrawn what stood there."""
    return isinstance(row, Order) and bool(row.order) and row.status in ("", WITHDRAWN) and all(
        getattr(row, c.name) == c.default for c in row.columns() if c.edit == "club" and not c.key)


def as_double(number: str, taken: Iterable[str]) -> str:
    """The number of a row that may not have its own, ``1500-r2-V-1 (2)``. `taken`: casefolded numbers."""
    times = 2
    while f"{number} ({times})".casefold() in taken:
        times += 1
    return f"{number} ({times})"


class Misfits:
    """Judges rows before their rulebook does, as a campaign stands."""

    def __init__(self, ruleset: Ruleset, campaign: Campaign) -> None:
        self._ruleset, self._campaign = ruleset, campaign
        self._turn = campaign.desk.turn
        self._factions = list(dict.fromkeys(called(campaign.table(Faction)).values()))
        self._words = order_words(ruleset, campaign)
        self._said = list(dict.fromkeys(self._words.values()))
        self._turns: dict[str, bool] = {}
        self._unheard: dict[tuple[str, str], bool] = {}
        codes = "|".join(re.escape(code) for code in sorted(self._factions, key=len, reverse=True))
        self._numbered = re.compile(rf"(.+)-(.+)-({codes})-\d+(?: \(\d+\))?")

    def of(self, row: Order) -> list[Finding]:
        """What is wrong with a row that is not judged yet."""
        found = [*self._unplaced(row), *_unread(row)]
        if self.is_others(row) or DOUBLE.fullmatch(row.order):
            found.append(self._at(OTHERS_NUMBER, row, "order", seen=_short(DOUBLE.sub(r"\1", row.order))))
        return found

    def is_others(self, row: Order) -> bool:
        """Whether a row of one club bears a number as Arbitro gives it to another's."""
        match = self._numbered.fullmatch(row.order)
        return (match is not None and match[2].casefold() in self._words and row.faction in self._factions
                and match[3] != row.faction)

    def is_due(self, row: Order) -> bool:
        """Whether the present phase refuses a row that is wrong: its own, one that comes too late, one of no phase."""
        ids, now = list(self._ruleset.phase_ids(self._campaign)), self._campaign.desk.phase
        word = self._ruleset.phase(now).orders
        if not word:
            return False
        if any(True for _ in self._unplaced(row)) or row.phase == word:
            return not self._is_later(row.turn)
        to_come = {self._ruleset.phase(name).orders for name in ids[ids.index(now):]} if now in ids else set()
        return not self._is_later(row.turn) and (row.turn != self._turn or row.phase not in to_come)

    def _is_later(self, turn: str) -> bool:
        key = self._ruleset.calendar.turns.key
        return self._is_turn(turn) and key(turn) > key(self._turn)

    def _is_turn(self, turn: str) -> bool:
        if turn not in self._turns:
            turns = self._ruleset.calendar.turns
            self._turns[turn] = bool(turn) and (not self._turn or _shape(turn) == _shape(self._turn)) and (
                not turns.seasons or re.fullmatch(turns.pattern, turn) is not None)
        return self._turns[turn]

    def _unplaced(self, row: Order) -> Iterable[Finding]:
        """What is wrong with whose a row is, and when it is meant."""
        if row.faction not in self._factions:
            yield self._stranger(row)
        if not self._is_turn(row.turn):
            yield self._unknown(ORDER_TURN, row, "turn", [self._turn])
        unheard = row.phase in self._said and self._is_turn(row.turn) and self._is_unheard(row.turn, row.phase)
        if unheard and self._ruleset.unheard:
            yield self._of_no_season(row)
        elif unheard or row.phase not in self._said:
            yield self._unknown(ORDER_PHASE, row, "phase", [word for word in self._said if word != row.phase])

    def _is_unheard(self, turn: str, word: str) -> bool:
        """Whether nobody ever reads orders of a word in a turn."""
        if (turn, word) not in self._unheard:
            self._unheard[turn, word] = never_read(self._ruleset, self._campaign, turn, word)
        return self._unheard[turn, word]

    def _stranger(self, row: Order) -> Finding:
        """A row of a faction that there is not: in the book's words, where it has some for it."""
        says = book_of(self._ruleset.verbs).says
        if not row.faction or row.faction.startswith("=") or "no_faction" not in says:
            return self._unknown(ORDER_FACTION, row, "faction", self._factions)
        why = in_the_books_words(Refused("no_faction", "faction", faction=_short(row.faction)), says)
        return self._at(why.code, row, why.field, **why.data)

    def _of_no_season(self, row: Order) -> Finding:
        """A row of a phase that its season does not have, in the book's own words."""
        following = next_read(self._ruleset, self._campaign, row.turn, row.phase)
        return Finding(self._ruleset.unheard, "error", Where(Order.sheet, row.order, "phase"), {
            "faction": row.faction, "verb": _short(row.verb or row.text), "phase": row.phase, "season": row.turn,
            "next": following}, row.faction if row.faction in self._factions else "", alone=True)

    def _unknown(self, code: str, row: Order, name: str, known: list[str]) -> Finding:
        seen = str(getattr(row, name))
        if seen.startswith("="):
            return self._at(FORMULA, row, name, seen=_short(seen))
        return self._at(code, row, name, seen=_short(seen), near=nearest(seen[:SHOWN], known) or listed(known))

    def _at(self, code: str, row: Order, name: str, **data: object) -> Finding:
        """A finding for the club whose row it is; for the referee alone where it is nobody's."""
        return Finding(code, "error", Where(Order.sheet, row.order, name), data,
                       row.faction if row.faction in self._factions else "")


def refuse_misfits(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Refuse the rows that nobody can judge, as their phase comes, and take the emptied ones as withdrawn; a finding
    for each row that is refused.
    """
    fresh, found = campaign.table(Order).open_rows(campaign.desk.turn, lambda row: not row.status), list[Finding]()
    if not fresh:
        return found
    misfits = Misfits(ruleset, campaign)
    for row in fresh:
        wrong = [] if is_emptied(row) else misfits.of(row)
        if is_emptied(row):
            row.status = WITHDRAWN
        elif wrong and misfits.is_due(row):
            row.status = "refused"
            found.append(wrong[0])
    return found


def _unread(row: Order) -> Iterable[Finding]:
    """Texts that are too long, and a place among the rows that is no number."""
    values = vars(row)
    for c in row.columns():
        value = values[c.name]
        if not value or c.edit != "club" or not isinstance(value, str):
            continue
        if len(value) > LONGEST_TEXT - c.key:  # the reader cuts a number that is too long
            seen = {"seen": value[:40] + "…", "length": len(value), "allowed": LONGEST_TEXT}
            yield Finding(TOO_LONG, "error", Where(Order.sheet, row.order, c.name), seen, row.faction)
        elif isinstance(c.kind, Whole):
            yield _no_number(row, c.name, c.kind, value)


def _no_number(row: Order, name: str, kind: Whole, value: str) -> Finding:
    where = Where(Order.sheet, row.order, name)
    if value.startswith("="):
        return Finding(FORMULA, "error", where, {"seen": _short(value)}, row.faction)
    try:
        Whole.read(kind, value)
    except Unreadable as no:
        return Finding(_REASONS[no.reason], "error", where, {"seen": _short(value), "allowed": no.allowed}, row.faction)
    raise ValueError(f"{value} is a number")


def _short(text: str) -> str:
    return text[:SHOWN]


def _shape(turn: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", turn))
