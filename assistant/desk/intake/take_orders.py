"""`orders`: puts rows that came in into the campaign and says how each was understood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import number
from assistant.campaign.records import REFEREE, Battle, Die, Faction, FormRow, Order, Question
from assistant.campaign.tables import Record, Table
from assistant.desk.intake.check_inputs import judge_typed, never_counts, never_thrown, no_battle, refused_answers
from assistant.desk.intake.incoming import Source, known_faction, read_source
from assistant.desk.next_steps import desk_lines
from assistant.desk.play_phase import ahead, now
from assistant.desk.results import Exit, Result
from assistant.desk.typed_inputs import form_fields, is_blank
from assistant.desk.workspace.version_check import stop_on_data
from assistant.desk.workspace.workspace import Sitting, Stop, sit
from assistant.desk.workspace.writer import at_work
from assistant.turn import codes, dice_purposes
from assistant.turn.absence import READY, WAIT, says, standing_order, with_line
from assistant.turn.answers import OF_ANOTHER
from assistant.turn.battle_form import headed
from assistant.turn.battle_results import battle_of, is_report, report_headed
from assistant.turn.codes import ORDER_LATE
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.line_parser import read_text
from assistant.turn.orders.verbs import book_of
from assistant.turn.phases import bad_die, in_force, is_emptied
from assistant.turn.questions import (
    ORDERS,
    TAKEN_BACK,
    Unfit,
    as_standing,
    refusal,
    row_of,
    tell,
    type_of,
    without_until,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# A row in words, as it was understood.


_OF_CLUB = {READY: N_("ready: no more comes"), WAIT: N_("wait: more is to come")}


def row_words(row: Record, ruleset: Ruleset, wording: Wording, after: Campaign) -> str:
    """A row as it was understood, in these words. `after`: the campaign with the row."""
    if isinstance(row, Order):
        return _order_words(row, ruleset, wording.lang, after)
    if isinstance(row, Question):
        if row.kind == READY and says(row.answer):
            return wording.text(_OF_CLUB[says(row.answer)])
        told = report_headed(ruleset.form, after, row, wording.lang) or row.answer
        said = f"{wording.word(row.kind)} {row.about}: {told}".replace(" :", ":")
        return wording.text(N_("{text}, until it is changed"), text=Verbatim(said)) if row.stands else said
    if isinstance(row, Die):
        return f"{row.dice} = {row.value}"
    return headed(row, wording.lang)


def is_early(row: Record) -> bool:
    """Whether it answers a question for which no phase has stopped yet."""
    return isinstance(row, Question) and not (row.status or row.stands or row.kind == READY)


def _order_words(row: Order, ruleset: Ruleset, lang: str, after: Campaign) -> str:
    """An order: its verb, then what stands in the columns, each with its heading."""
    values: dict[str, Any] = {c.name: getattr(row, c.name) for c in row.columns()}
    if not row.verb and row.text:
        understood = read_text(ruleset.understand, row.text, after, row.faction)
        if understood.problem:
            return row.text
        values.update(understood.fields)
    book = book_of(ruleset.verbs)
    verb = book.get(book.code(str(values["verb"])))
    said = [verb.word(lang) if verb else str(values["verb"])]
    for name, kind in verb.kinds.items() if verb else ():
        if kind.spelled_by() and values[name]:
            meant = kind.understood(after, values[name])
            values[name] = " ".join(meant) if isinstance(meant, list) else meant
    for name, kind in verb.kinds.items() if verb and lang == "it" else ():
        values[name] = kind.words.get(str(kind.read(values[name])), values[name])
    common = {c.name for c in Order.columns()}
    said += [f"{c.heading(lang)} {c.word(values[c.name], lang)}"
             for c in row.columns() if c.name not in common and values[c.name] not in ("", None, c.default)]
    return f"{row.faction}: " + ", ".join(said)


# Merging rows into a campaign.


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
        """An order of which only the number came: it is emptied in the campaign, too, unless it was carried out."""
        if old is None or old.status or is_emptied(old):
            return Taken("order", old or row, "same", old.faction if old else "")
        faction = old.faction
        for c in row.columns():
            if c.edit == "club" and not c.key:
                setattr(old, c.name, c.default)
        return Taken("order", old, "changed", faction)

    def _too_late(self, row: Order, past: Order) -> Finding:
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
        """A standing answer, which has no turn and no phase."""
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
        """Add a standing order to those that the club has already."""
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
            row.key = dice_purposes.purpose(self._ruleset, self._after, row.key) or row.key
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
        row.battle = dice_purposes.battle_meant(self._ruleset, self._after, row.battle)
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
        code = dice_purposes.battle_meant(self._ruleset, self._after, row.battle)
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
    counts: Counted = {}
    for row in table:
        last, many = counts.get((row.turn, row.phase, row.faction), (0, 0))
        counts[row.turn, row.phase, row.faction] = max(last, number(row.seq) or 0), many + 1
    return counts


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


# `orders`.


def take_orders(path: Path, sources: Iterable[Source], *, faction: str = "", lang: str = "") -> Result:
    """Take orders, answers, battle results and dice into a workbook.

    `faction`: whose lines they are where a line does not say it; of files, only that faction's orders
    and answers are taken. What cannot be taken is named; the rest is taken in one change, and none of it where a die
    or an answer is among them that can never count. Result
    data: ``taken``: a row each with kind, id, faction, turn, phase, words, how, source.
    """
    try:
        return take_into(sit(path, lang), sources, faction)
    except Stop as stopped:
        return stopped.result("orders")


def take_into(sitting: Sitting, sources: Iterable[Source], faction: str = "") -> Result:
    """`take_orders` for a workbook that is loaded already. Raises `Stop`."""
    stop_on_data(sitting)
    faction = known_faction(sitting, faction)
    result = Result("orders", wording=sitting.wording)
    after = sitting.campaign.copy()
    merge = Merge(sitting.ruleset, sitting.campaign, after)
    taken: list[tuple[Source, Taken]] = []
    for source in sources:
        incoming = read_source(source, sitting, after, faction)
        # an order that comes too late is reported when it is not taken
        result.find(f for f in incoming.findings if f.code != ORDER_LATE)
        if any(f.stops for f in incoming.findings):
            result.exit = Exit.REFUSED
        bad = {(f.where.table, f.where.row) for f in incoming.findings
               if f.stops and (f.alone or f.where.table == Order.sheet)}
        taken += [(source, merge.take(row, key)) for key, row in incoming.rows()
                  if (row.sheet, row.ident) not in bad]
    never = never_counts(sitting.ruleset, after, [one.row for _, one in taken if one.how in ("new", "changed")])
    if never:
        result.find(never)
        result.exit = Exit.REFUSED
        taken = [(source, replace(one, how="refused", finding=None) if one.how in ("new", "changed") else one)
                 for source, one in taken]
    _report(sitting, after, taken, result)
    if any(one.how in ("new", "changed") for _, one in taken):
        with at_work(sitting, "orders") as session:
            words = sitting.sheet_wording
            lines = desk_lines(sitting.ruleset, after, words, sitting.typed_name, [_sum(words, taken)],
                               refused_answers(result.findings))
            session.commit("orders", after, lines)
        result.find(sitting.second_copies)
        # now the new rows have their cells
        result.findings = sitting.placed(result.findings)
    return result


# --- messages ---------------------------------------------------------------------------------
def _report(sitting: Sitting, after: Campaign, taken: list[tuple[Source, Taken]], result: Result) -> None:
    """Say how each row was understood, with the findings that it would get now."""
    rows: list[dict[str, Any]] = []
    asked = _asked(sitting) if any(is_early(one.row) for _, one in taken) else frozenset()
    for source, one in taken:
        words = row_words(one.row, sitting.ruleset, sitting.wording, after)
        if one.finding:
            result.find([one.finding])
        if one.how == "refused":
            result.exit = Exit.REFUSED
        rows.append({"kind": one.kind, "id": one.row.ident, "faction": one.faction,
                     "turn": getattr(one.row, "turn", ""), "phase": getattr(one.row, "phase", ""),
                     "words": words, "how": one.how, "source": source.name})
        result.say(sitting.wording.text(HOW[one.how], id=one.row.ident.rstrip("/"), words=words))
        if one.how != "refused" and is_early(one.row) and one.row.ident not in asked:
            result.say(sitting.wording.text(EARLY))
    result.data["taken"] = rows
    result.find(sitting.placed(judged(sitting, after, [one.row for _, one in taken if one.how != "refused"])))
    result.say(_sum(sitting.wording, taken))


def _asked(sitting: Sitting) -> frozenset[str]:
    """The names of the questions that no phase waits for and that clubs have been asked all the same."""
    campaign = in_force(sitting.campaign)
    if sitting.ruleset.is_over(campaign):
        return frozenset()
    game = sitting.ruleset.game(campaign)
    return frozenset(game.row_of(one.ask).ident for one in sitting.ruleset.invitations(game))


def judged(sitting: Sitting, after: Campaign, rows: list[Record]) -> list[Finding]:
    """The findings that rows which were taken in would get today; of orders of the present phase all."""
    if not rows or sitting.ruleset.is_over(after):
        return []
    desk, taken = after.desk, {(row.sheet, row.ident) for row in rows}
    word = sitting.ruleset.phase(desk.phase).orders
    now = any(isinstance(row, Order) and (row.turn, row.phase) == (desk.turn, word) for row in rows)
    findings = [*(sitting.ruleset.check_orders(in_force(after)) if now else ()), *judge_typed(sitting, after)]
    return [finding for finding in findings if (finding.where.table, finding.where.row) in taken]


HOW = {
    "new": N_("{id}: {words}"),
    "changed": N_("{id}: now {words}"),
    "same": N_("{id}: was there already: {words}"),
    "refused": N_("{id}: not taken: {words}"),
}


EARLY = N_("  Nobody has been asked this yet: the answer waits for the question.")


def _sum(wording: Wording, taken: list[tuple[Source, Taken]]) -> str:
    """How many rows were taken, in one sentence."""
    count = sum(one.how in ("new", "changed") for _, one in taken)
    return wording.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count)
