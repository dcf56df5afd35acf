"""Rows into a campaign: a row that was handed in in; new, changed, there already or too late out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import number
from assistant.campaign.record import Record
from assistant.campaign.records import REFEREE, Battle, Die, Faction, FormRow, Order, Question
from assistant.campaign.table import Table
from assistant.desk import codes
from assistant.desk.intake.unknown_inputs import never_thrown, no_battle
from assistant.desk.playing.play import ahead, now
from assistant.desk.playing.typed import form_fields, is_blank
from assistant.turn.absence.club_words import standing_order, with_line
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.answers.asking import refusal, tell, type_of
from assistant.turn.answers.phase_questions import OF_ANOTHER
from assistant.turn.answers.until_changed import ORDERS, TAKEN_BACK, as_standing, row_of, without_until
from assistant.turn.battle_form.club_form import is_report
from assistant.turn.battle_form.halves import battle_of
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.reading import read_text
from assistant.turn.phases import bad_die
from assistant.turn.rows.misfits import is_emptied
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws import purposes
from assistant.wording import Verbatim

How = Literal["new", "changed", "same", "refused"]


@dataclass(frozen=True)
class Taken:
    """What became of a row. `kind`: ``order``, ``answer``, ``die``, ``battle``, ``form``."""

    kind: str
    row: Record
    how: How
    faction: str = ""
    finding: Finding | None = None


class Merge:
    """Takes rows into `after`, which starts as a copy of `before`.

    Rows for phases that were resolved are refused unless they say what stands there. An order
    that says the same as one of `before` is that one, so that a file or a mail may be taken twice (unless `twins` is
    false: then whoever calls tells them apart).
    """

    def __init__(self, ruleset: Ruleset, before: Campaign, after: Campaign, *, twins: bool = True) -> None:
        self._ruleset = ruleset
        self._after = after
        self._now = now(before)
        self._counted: Counted | None = None
        moments = list(ahead(ruleset, before))
        self._phases = {(m.turn, m.phase) for m in moments}
        self._words = {(m.turn, ruleset.phase(m.phase).orders) for m in moments}
        self._alike: dict[tuple[object, ...], list[str]] = {}
        for key, row in before.table(Order).in_file_order() if twins else ():
            self._alike.setdefault(content(row), []).append(key)

    def is_open(self, row: Order) -> bool:
        """Whether a phase is to come that reads an order."""
        return (row.turn, row.phase) in self._words

    def take(self, row: Record, key: str = "") -> Taken:
        """Take one row in. `key`: of a part of a form, where several rows may name the same; default: its own.

        The row of the answer shows what was taken, whatever comes after it. Raises TypeError for a kind that nobody
        hands in.
        """
        taken = self._take(row, key)
        return replace(taken, row=taken.row.copy())

    def _take(self, row: Record, key: str) -> Taken:
        if isinstance(row, Order):
            return self._order(row)
        if isinstance(row, Question):
            return self._answer(row)
        if isinstance(row, Die):
            return self._die(row)
        if isinstance(row, Battle):
            return self._battle(row)
        if isinstance(row, FormRow):
            return self._form(row, key or row.ident)
        raise TypeError(f"rows of {row.sheet} are not handed in")

    # --- orders -----------------------------------------------------------------------------
    def _order(self, row: Order) -> Taken:
        table = self._after.table(Order)
        stands = standing_order(row.text) if not row.verb else None
        if stands is not None:
            record = self._after.table(Question).record
            return self._standing_order(row_of(record, ORDERS, row.faction, "", stands))
        old = table.get(row.order) if row.order else None
        if is_emptied(row):
            return self._withdrawn(row, old)
        twins = self._alike.get(content(row), [])
        if old is None and twins:
            return Taken("order", table[twins.pop(0)], "same", row.faction)
        fields = [c.name for c in row.columns() if c.edit == "club" and not c.key]
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in fields if n != "seq"):
            return Taken("order", old, "same", row.faction)
        past = next((one for one in (row, old) if one and (one.turn, one.phase) not in self._words), None)
        if past is not None:
            return Taken("order", row, "refused", row.faction, self._too_late(row, past))
        if old is not None and old.faction != row.faction:
            return Taken("order", row, "refused", row.faction, codes.finding(
                codes.ORDER_ALREADY, Where(Order.sheet, row.order), row.faction, order=row.order, faction=old.faction))
        if old is not None:
            for name in fields:
                setattr(old, name, getattr(row, name))
            self._counted = None
            return Taken("order", old, "changed", row.faction)
        fresh = row.copy()
        fresh.status = ""
        if self._counted is None:
            self._counted = counted(table)
        give_number(table, fresh, self._counted)
        return Taken("order", table.add(fresh), "new", row.faction)

    def _withdrawn(self, row: Order, old: Order | None) -> Taken:
        """An order of which nothing came but its number: what stands under it is emptied, too, unless it was judged."""
        if old is None or old.status or is_emptied(old):
            return Taken("order", old or row, "same", old.faction if old else "")
        faction = old.faction
        for c in row.columns():
            if c.edit == "club" and not c.key:
                setattr(old, c.name, c.default)
        return Taken("order", old, "changed", faction)

    def _too_late(self, row: Order, past: Order) -> Finding:
        """What is said of an order that comes too late. `past`: it, or what stands there under its number."""
        return self._ruleset.late_order(past, self._after) or codes.finding(
            codes.ORDER_TOO_LATE, Where(Order.sheet, row.order), row.faction, order=row.order or row.text,
            when=f"{row.turn} {row.phase}")

    # --- answers, dice, battles -------------------------------------------------------------
    def _answer(self, row: Question) -> Taken:
        table = self._after.table(Question)
        if row.stands or (without_until(row.answer)[1] and not row.turn and not row.phase):
            return self._standing(row)
        if not row.turn and not row.phase:
            row = self._of_today(row)
        old = table.get(row.ident)
        if old is not None and old.answer.strip() == row.answer.strip():
            return Taken("answer", old, "same", row.to)
        turn, phase = (old.turn, old.phase) if old else (row.turn, row.phase)
        if (turn, phase) not in self._phases:
            where = Where(Question.sheet, row.ident, "answer")
            late = codes.finding(codes.BATTLE_TOO_LATE, where, battle=battle_of(row)) if is_report(
                self._ruleset.form, row, row.to) else codes.finding(codes.ANSWER_TOO_LATE, where, question=row.question)
            return Taken("answer", row, "refused", row.to, late)
        if old is not None:
            kind = type_of(self._ruleset.questions, old.kind)
            if kind.foreign and row.to not in ("", REFEREE, old.to):
                return Taken("answer", row, "refused", row.to, tell(kind.foreign, self._ruleset.findings, row, {
                    "faction": row.to}))
            if row.to in self._after.table(Faction) and not kind.speaks(self._after, row.to, old.to):
                return Taken("answer", row, "refused", row.to, codes.finding(
                    OF_ANOTHER, Where(Question.sheet, row.ident, "answer"), answer=Verbatim(row.answer.strip()),
                    faction=row.to))
            how: How = "changed" if old.answer.strip() else "new"
            old.answer = row.answer.strip()
            return Taken("answer", old, how, row.to)
        return Taken("answer", table.add(row.copy()), "new", row.to)

    def _of_today(self, row: Question) -> Question:
        """An answer that does not say when: to the open question of its name, else to one of the present phase."""
        named = [q for q in self._after.table(Question) if (q.question, q.status) == (row.question, "open")]
        turn, phase = (named[0].turn, named[0].phase) if named else self._now
        return replace(row, turn=turn, phase=phase)

    def _standing(self, row: Question) -> Taken:
        """An answer that stands until it is changed: of no turn and no phase."""
        table = self._after.table(Question)
        if row.kind == ORDERS:
            return self._standing_order(row)
        try:
            fresh = as_standing(self._ruleset.questions, self._after, row)
        except Unfit as unfit:
            kind = type_of(self._ruleset.questions, row.kind)
            return Taken("answer", row, "refused", row.to, refusal(
                self._ruleset.questions, self._ruleset.findings, row, unfit, kind.stands or kind.answer))
        old = table.get(fresh.ident)
        if old is None:
            return Taken("answer", table.add(fresh), "new", row.to)
        how: How = "same" if old.answer == fresh.answer else "changed"
        old.answer = fresh.answer
        return Taken("answer", old, how, row.to)

    def _standing_order(self, row: Question) -> Taken:
        """One more order of a club that stands until it is changed, beside those that stand there."""
        table, line = self._after.table(Question), row.answer
        if line != TAKEN_BACK and read_text(self._ruleset.understand, line, self._after, row.to).problem:
            return Taken("answer", row, "refused", row.to, codes.finding(
                codes.NO_STANDING_ORDER, Where(Question.sheet, row.ident, "answer"), row.to, text=Verbatim(line)))
        old = table.get(row.ident)
        if old is None:
            return Taken("answer", table.add(row.copy()), "new", row.to)
        said = with_line(old.answer, row.answer)
        how: How = "same" if old.answer == said else "changed"
        old.answer = said
        return Taken("answer", old, how, row.to)

    def _die(self, row: Die) -> Taken:
        table = self._after.table(Die)
        old = table.get(row.ident)
        if old is None:
            row = row.copy()
            row.key = purposes.purpose(self._ruleset, self._after, row.key) or row.key
            old = table.get(row.ident)
        wrong = bad_die(self._ruleset, row)
        if wrong is not None:
            return Taken("die", row, "refused", "", wrong)
        if old is not None and (old.value, old.dice) == (row.value, row.dice):
            return Taken("die", old, "same")
        if old is not None and old.hold == "settled":
            return Taken("die", row, "refused", "", codes.finding(
                codes.DIE_TOO_LATE, Where(Die.sheet, row.ident, "value"), key=row.key, value=old.value,
                when=f"{old.turn} {old.phase}"))
        if old is not None:
            old.value, old.dice = row.value, row.dice
            return Taken("die", old, "changed")
        return Taken("die", table.add(row.copy()), "new", "", never_thrown(self._ruleset, self._after, row))

    def _battle(self, row: Battle) -> Taken:
        table = self._after.table(Battle)
        names = form_fields(table.record)
        row = row.copy()
        row.battle = purposes.battle_meant(self._ruleset, self._after, row.battle)
        old = table.get(row.battle)
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in names):
            return Taken("battle", old, "same")
        wrong = no_battle(self._ruleset, self._after, row, self._now.turn)
        if wrong is not None and wrong.stops:
            return Taken("battle", row, "refused", "", wrong)
        if old is not None and getattr(old, "status", "") not in ("", "open"):
            return Taken("battle", row, "refused", "", codes.finding(
                codes.BATTLE_TOO_LATE, Where(Battle.sheet, row.battle), battle=row.battle))
        if old is None:
            old = table.add(table.record(battle=row.battle, turn=row.turn))
        how: How = "new" if is_blank(old, names) else "changed"
        for name in names:
            setattr(old, name, getattr(row, name))
        return Taken("battle", old, how, "", wrong)

    def _form(self, row: FormRow, key: str) -> Taken:
        """A part of a battle's form, until the battle has been counted."""
        table = self._after.by_sheet(row.sheet)
        names = form_fields(table.record)
        code = purposes.battle_meant(self._ruleset, self._after, row.battle)
        if code != row.battle:
            row, first = row.copy(), row.ident
            row.battle = code
            key = row.ident + key.removeprefix(first)
        old = table.get(key)
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in names):
            return Taken("form", old, "same")
        wrong = no_battle(self._ruleset, self._after, row, self._now.turn)
        if wrong is not None and wrong.stops:
            return Taken("form", row, "refused", "", wrong)
        battle = self._after.table(Battle).get(row.battle)
        if (old or row).hold == "settled" or (battle is not None and battle.hold == "settled"):
            return Taken("form", row, "refused", "", codes.finding(
                codes.BATTLE_TOO_LATE, Where(row.sheet, key), battle=row.battle))
        if old is not None:
            for name in names:
                setattr(old, name, getattr(row, name))
            return Taken("form", old, "changed", "", wrong)
        return Taken("form", table.add(row.copy()), "new", "", wrong)


Counted = dict[tuple[str, str, str], tuple[int, int]]
"""Turn, phase and faction -> the last place among its orders, and how many there are."""


def counted(table: Iterable[Order]) -> Counted:
    """How many orders each faction has for each phase."""
    found: Counted = {}
    for row in table:
        last, many = found.get((row.turn, row.phase, row.faction), (0, 0))
        found[row.turn, row.phase, row.faction] = max(last, number(row.seq) or 0), many + 1
    return found


def give_number(table: Table[Order], row: Order, known: Counted | None = None) -> None:
    """Give an order the next free number of its faction's rows for that phase, and its place after them.

    `known`: what `counted` says of the table, where several orders are added; this one is counted in it then.
    """
    known = counted(table) if known is None else known
    key = row.turn, row.phase, row.faction
    last, many = known.get(key, (0, 0))
    if row.seq is None:
        row.seq = last + 1
    free = many + 1
    while not row.order:
        ident = f"{row.turn}-{row.phase}-{row.faction}-{free}"
        if ident not in table:
            row.order = ident
        free += 1
    known[key] = max(last, number(row.seq) or 0), many + 1


def content(row: Order) -> tuple[object, ...]:
    """What an order says, without its number and place."""
    return tuple(getattr(row, c.name) for c in row.columns()
                 if c.edit == "club" and not c.key and c.name != "seq")
