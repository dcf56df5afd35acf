"""`orders`: puts rows that came in into the campaign and says how each was understood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number
from assistant.campaign.records import REFEREE, Battle, Die, Faction, FormRow, Order, Question
from assistant.campaign.tables import Record, Table
from assistant.desk.intake.check_inputs import (
    check_typed_inputs,
    refused_answers,
    unknown_battle,
    unknown_die,
    unusable_rows,
)
from assistant.desk.intake.incoming import Input, read_source, spelled_faction
from assistant.desk.next_steps import desk_lines
from assistant.desk.play_phase import current_phase, phases_to_come
from assistant.desk.results import Exit, Result
from assistant.desk.typed_inputs import form_fields, is_blank
from assistant.desk.workspace.version_check import abort_on_data
from assistant.desk.workspace.workspace import Abort, Workspace, open_workspace
from assistant.desk.workspace.writer import open_for_writing
from assistant.turn import codes, dice_purposes
from assistant.turn.absence import READY, WAIT, add_standing_order, parse_standing_order, readiness_word
from assistant.turn.answers import OF_ANOTHER
from assistant.turn.battle_form import format_row
from assistant.turn.battle_results import battle_code, format_report, is_report
from assistant.turn.codes import ORDER_LATE
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.line_parser import read_text
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import check_die, is_emptied, without_superseded
from assistant.turn.questions import (
    ORDERS,
    TAKEN_BACK,
    UnfitAnswer,
    finding_at_answer,
    make_standing,
    refusal_finding,
    standing_row,
    strip_until,
    type_of,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# A row in words, as it was understood.


_CLUB_STATEMENTS = {READY: N_("ready: no more comes"), WAIT: N_("wait: more is to come")}


def row_words(row: Record, ruleset: Ruleset, wording: Wording, after: Campaign) -> str:
    """A row as it was understood, in these words. `after`: the campaign with the row."""
    if isinstance(row, Order):
        return _describe_order(row, ruleset, wording.lang, after)
    if isinstance(row, Question):
        if row.kind == READY and readiness_word(row.answer):
            return wording.text(_CLUB_STATEMENTS[readiness_word(row.answer)])
        told = format_report(ruleset.form, after, row, wording.lang) or row.answer
        said = f"{wording.word(row.kind)} {row.about}: {told}".replace(" :", ":")
        return wording.text(N_("{text}, until it is changed"), text=Verbatim(said)) if row.stands else said
    if isinstance(row, Die):
        return f"{row.dice} = {row.value}"
    return format_row(row, wording.lang)


def is_early(row: Record) -> bool:
    """Whether it answers a question for which no phase has stopped yet."""
    return isinstance(row, Question) and not (row.status or row.stands or row.kind == READY)


def _describe_order(row: Order, ruleset: Ruleset, lang: str, after: Campaign) -> str:
    """An order: its verb, then what stands in the columns, each with its heading."""
    values: dict[str, Any] = {c.name: getattr(row, c.name) for c in row.columns()}
    if not row.verb and row.text:
        understood = read_text(ruleset.understand, row.text, after, row.faction)
        if understood.problem:
            return row.text
        values.update(understood.fields)
    book = as_order_book(ruleset.verbs)
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


RowOutcome = Literal["new", "changed", "same", "refused"]


@dataclass(frozen=True)
class TakenRow:
    """What became of a row. `kind`: ``order``, ``answer``, ``die``, ``battle``, ``form``."""

    kind: str
    row: Record
    how: RowOutcome
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
        self._now = current_phase(before)
        self._counted: OrderCounts | None = None
        moments = list(phases_to_come(ruleset, before))
        self._phases = {(m.turn, m.phase) for m in moments}
        self._words = {(m.turn, ruleset.phase(m.phase).orders) for m in moments}
        self._alike: dict[tuple[object, ...], list[str]] = {}
        for key, row in before.table(Order).in_file_order() if twins else ():
            self._alike.setdefault(content(row), []).append(key)

    def is_open(self, row: Order) -> bool:
        """Whether a phase is to come that reads an order."""
        return (row.turn, row.phase) in self._words

    def take(self, row: Record, key: str = "") -> TakenRow:
        """Take one row in. `key`: of a part of a form, where several rows may name the same; default: its own.

        The row of the answer shows what was taken, whatever comes after it. Raises TypeError for a kind that nobody
        hands in.
        """
        taken = self._take(row, key)
        return replace(taken, row=taken.row.copy())

    def _take(self, row: Record, key: str) -> TakenRow:
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
    def _order(self, row: Order) -> TakenRow:
        table = self._after.table(Order)
        stands = parse_standing_order(row.text) if not row.verb else None
        if stands is not None:
            record = self._after.table(Question).record
            return self._standing_order(standing_row(record, ORDERS, row.faction, "", stands))
        old = table.get(row.order) if row.order else None
        if is_emptied(row):
            return self._withdrawn(row, old)
        twins = self._alike.get(content(row), [])
        if old is None and twins:
            return TakenRow("order", table[twins.pop(0)], "same", row.faction)
        fields = [c.name for c in row.columns() if c.edit == "club" and not c.key]
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in fields if n != "seq"):
            return TakenRow("order", old, "same", row.faction)
        past = next((one for one in (row, old) if one and (one.turn, one.phase) not in self._words), None)
        if past is not None:
            return TakenRow("order", row, "refused", row.faction, self._too_late(row, past))
        if old is not None and old.faction != row.faction:
            return TakenRow("order", row, "refused", row.faction, codes.finding(
                codes.ORDER_ALREADY, Where(Order.sheet, row.order), row.faction, order=row.order, faction=old.faction))
        if old is not None:
            for name in fields:
                setattr(old, name, getattr(row, name))
            self._counted = None
            return TakenRow("order", old, "changed", row.faction)
        fresh = row.copy()
        fresh.status = ""
        if self._counted is None:
            self._counted = count_orders(table)
        assign_number(table, fresh, self._counted)
        return TakenRow("order", table.add(fresh), "new", row.faction)

    def _withdrawn(self, row: Order, old: Order | None) -> TakenRow:
        """An order of which only the number came: it is emptied in the campaign, too, unless it was carried out."""
        if old is None or old.status or is_emptied(old):
            return TakenRow("order", old or row, "same", old.faction if old else "")
        faction = old.faction
        for c in row.columns():
            if c.edit == "club" and not c.key:
                setattr(old, c.name, c.default)
        return TakenRow("order", old, "changed", faction)

    def _too_late(self, row: Order, past: Order) -> Finding:
        return self._ruleset.late_order(past, self._after) or codes.finding(
            codes.ORDER_TOO_LATE, Where(Order.sheet, row.order), row.faction, order=row.order or row.text,
            when=f"{row.turn} {row.phase}")

    # --- answers, dice, battles -------------------------------------------------------------
    def _answer(self, row: Question) -> TakenRow:
        table = self._after.table(Question)
        if row.stands or (strip_until(row.answer)[1] and not row.turn and not row.phase):
            return self._standing(row)
        if not row.turn and not row.phase:
            row = self._of_today(row)
        old = table.get(row.ident)
        if old is not None and old.answer.strip() == row.answer.strip():
            return TakenRow("answer", old, "same", row.to)
        turn, phase = (old.turn, old.phase) if old else (row.turn, row.phase)
        if (turn, phase) not in self._phases:
            where = Where(Question.sheet, row.ident, "answer")
            late = codes.finding(codes.BATTLE_TOO_LATE, where, battle=battle_code(row)) if is_report(
                self._ruleset.form, row, row.to) else codes.finding(codes.ANSWER_TOO_LATE, where, question=row.question)
            return TakenRow("answer", row, "refused", row.to, late)
        if old is not None:
            kind = type_of(self._ruleset.questions, old.kind)
            if kind.foreign and row.to not in ("", REFEREE, old.to):
                return TakenRow(
                    "answer",
                    row,
                    "refused",
                    row.to,
                    finding_at_answer(kind.foreign, self._ruleset.findings, row, {"faction": row.to}),
                )
            if row.to in self._after.table(Faction) and not kind.speaks(self._after, row.to, old.to):
                return TakenRow("answer", row, "refused", row.to, codes.finding(
                    OF_ANOTHER, Where(Question.sheet, row.ident, "answer"), answer=Verbatim(row.answer.strip()),
                    faction=row.to))
            how: RowOutcome = "changed" if old.answer.strip() else "new"
            old.answer = row.answer.strip()
            return TakenRow("answer", old, how, row.to)
        return TakenRow("answer", table.add(row.copy()), "new", row.to)

    def _of_today(self, row: Question) -> Question:
        """An answer that does not say when: to the open question of its name, else to one of the present phase."""
        named = [q for q in self._after.table(Question) if (q.question, q.status) == (row.question, "open")]
        turn, phase = (named[0].turn, named[0].phase) if named else self._now
        return replace(row, turn=turn, phase=phase)

    def _standing(self, row: Question) -> TakenRow:
        """A standing answer, which has no turn and no phase."""
        table = self._after.table(Question)
        if row.kind == ORDERS:
            return self._standing_order(row)
        try:
            fresh = make_standing(self._ruleset.questions, self._after, row)
        except UnfitAnswer as unfit:
            kind = type_of(self._ruleset.questions, row.kind)
            return TakenRow("answer", row, "refused", row.to, refusal_finding(
                self._ruleset.questions, self._ruleset.findings, row, unfit, kind.stands or kind.answer))
        old = table.get(fresh.ident)
        if old is None:
            return TakenRow("answer", table.add(fresh), "new", row.to)
        how: RowOutcome = "same" if old.answer == fresh.answer else "changed"
        old.answer = fresh.answer
        return TakenRow("answer", old, how, row.to)

    def _standing_order(self, row: Question) -> TakenRow:
        """Add a standing order to those that the club has already."""
        table, line = self._after.table(Question), row.answer
        if line != TAKEN_BACK and read_text(self._ruleset.understand, line, self._after, row.to).problem:
            return TakenRow("answer", row, "refused", row.to, codes.finding(
                codes.NO_STANDING_ORDER, Where(Question.sheet, row.ident, "answer"), row.to, text=Verbatim(line)))
        old = table.get(row.ident)
        if old is None:
            return TakenRow("answer", table.add(row.copy()), "new", row.to)
        said = add_standing_order(old.answer, row.answer)
        how: RowOutcome = "same" if old.answer == said else "changed"
        old.answer = said
        return TakenRow("answer", old, how, row.to)

    def _die(self, row: Die) -> TakenRow:
        table = self._after.table(Die)
        old = table.get(row.ident)
        if old is None:
            row = row.copy()
            row.key = dice_purposes.spell_purpose(self._ruleset, self._after, row.key) or row.key
            old = table.get(row.ident)
        wrong = check_die(self._ruleset, row)
        if wrong is not None:
            return TakenRow("die", row, "refused", "", wrong)
        if old is not None and (old.value, old.dice) == (row.value, row.dice):
            return TakenRow("die", old, "same")
        if old is not None and old.hold == "settled":
            return TakenRow("die", row, "refused", "", codes.finding(
                codes.DIE_TOO_LATE, Where(Die.sheet, row.ident, "value"), key=row.key, value=old.value,
                when=f"{old.turn} {old.phase}"))
        if old is not None:
            old.value, old.dice = row.value, row.dice
            return TakenRow("die", old, "changed")
        return TakenRow("die", table.add(row.copy()), "new", "", unknown_die(self._ruleset, self._after, row))

    def _battle(self, row: Battle) -> TakenRow:
        table = self._after.table(Battle)
        names = form_fields(table.record)
        row = row.copy()
        row.battle = dice_purposes.battle_code(self._ruleset, self._after, row.battle)
        old = table.get(row.battle)
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in names):
            return TakenRow("battle", old, "same")
        wrong = unknown_battle(self._ruleset, self._after, row, self._now.turn)
        if wrong is not None and wrong.stops:
            return TakenRow("battle", row, "refused", "", wrong)
        if old is not None and getattr(old, "status", "") not in ("", "open"):
            return TakenRow("battle", row, "refused", "", codes.finding(
                codes.BATTLE_TOO_LATE, Where(Battle.sheet, row.battle), battle=row.battle))
        if old is None:
            old = table.add(table.record(battle=row.battle, turn=row.turn))
        how: RowOutcome = "new" if is_blank(old, names) else "changed"
        for name in names:
            setattr(old, name, getattr(row, name))
        return TakenRow("battle", old, how, "", wrong)

    def _form(self, row: FormRow, key: str) -> TakenRow:
        """A part of a battle's form, until the battle has been counted."""
        table = self._after.by_sheet(row.sheet)
        names = form_fields(table.record)
        code = dice_purposes.battle_code(self._ruleset, self._after, row.battle)
        if code != row.battle:
            row, first = row.copy(), row.ident
            row.battle = code
            key = row.ident + key.removeprefix(first)
        old = table.get(key)
        if old is not None and all(getattr(old, n) == getattr(row, n) for n in names):
            return TakenRow("form", old, "same")
        wrong = unknown_battle(self._ruleset, self._after, row, self._now.turn)
        if wrong is not None and wrong.stops:
            return TakenRow("form", row, "refused", "", wrong)
        battle = self._after.table(Battle).get(row.battle)
        if (old or row).hold == "settled" or (battle is not None and battle.hold == "settled"):
            return TakenRow("form", row, "refused", "", codes.finding(
                codes.BATTLE_TOO_LATE, Where(row.sheet, key), battle=row.battle))
        if old is not None:
            for name in names:
                setattr(old, name, getattr(row, name))
            return TakenRow("form", old, "changed", "", wrong)
        return TakenRow("form", table.add(row.copy()), "new", "", wrong)


OrderCounts = dict[tuple[str, str, str], tuple[int, int]]
"""Turn, phase and faction -> the last place among its orders, and how many there are."""


def count_orders(table: Iterable[Order]) -> OrderCounts:
    """How many orders each faction has for each phase."""
    counts: OrderCounts = {}
    for row in table:
        last, many = counts.get((row.turn, row.phase, row.faction), (0, 0))
        counts[row.turn, row.phase, row.faction] = max(last, ordinal_number(row.seq) or 0), many + 1
    return counts


def assign_number(table: Table[Order], row: Order, known: OrderCounts | None = None) -> None:
    """Give an order the next free number of its faction's rows for that phase, and its place after them.

    `known`: what `count_orders` says of the table, where several orders are added; this one is counted in it then.
    """
    known = count_orders(table) if known is None else known
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
    known[key] = max(last, ordinal_number(row.seq) or 0), many + 1


def content(row: Order) -> tuple[object, ...]:
    """What an order says, without its number and place."""
    return tuple(getattr(row, c.name) for c in row.columns()
                 if c.edit == "club" and not c.key and c.name != "seq")


# `orders`.


def take_orders(path: Path, sources: Iterable[Input], *, faction: str = "", lang: str = "") -> Result:
    """Take orders, answers, battle results and dice into a workbook.

    `faction`: whose lines they are where a line does not say it; of files, only that faction's orders
    and answers are taken. What cannot be taken is named; the rest is taken in one change, and none of it where a die
    or an answer is among them that can never count. Result
    data: ``taken``: a row each with kind, id, faction, turn, phase, words, how, source.
    """
    try:
        return take_orders_loaded(open_workspace(path, lang), sources, faction)
    except Abort as stopped:
        return stopped.result("orders")


def take_orders_loaded(sitting: Workspace, sources: Iterable[Input], faction: str = "") -> Result:
    """`take_orders` for a workbook that is loaded already. Raises `Stop`."""
    abort_on_data(sitting)
    faction = spelled_faction(sitting, faction)
    result = Result("orders", wording=sitting.wording)
    after = sitting.campaign.copy()
    merge = Merge(sitting.ruleset, sitting.campaign, after)
    taken: list[tuple[Input, TakenRow]] = []
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
    never = unusable_rows(sitting.ruleset, after, [one.row for _, one in taken if one.how in ("new", "changed")])
    if never:
        result.find(never)
        result.exit = Exit.REFUSED
        taken = [(source, replace(one, how="refused", finding=None) if one.how in ("new", "changed") else one)
                 for source, one in taken]
    _say_taken_rows(sitting, after, taken, result)
    if any(one.how in ("new", "changed") for _, one in taken):
        with open_for_writing(sitting, "orders") as session:
            words = sitting.sheet_wording
            lines = desk_lines(sitting.ruleset, after, words, sitting.typed_name, [_count_sentence(words, taken)],
                               refused_answers(result.findings))
            session.commit("orders", after, lines)
        result.find(sitting.second_copies)
        # now the new rows have their cells
        result.findings = sitting.placed(result.findings)
    return result


# --- messages ---------------------------------------------------------------------------------
def _say_taken_rows(sitting: Workspace, after: Campaign, taken: list[tuple[Input, TakenRow]], result: Result) -> None:
    """Say how each row was understood, with the findings that it would get now."""
    rows: list[dict[str, Any]] = []
    asked = _invited_questions(sitting) if any(is_early(one.row) for _, one in taken) else frozenset()
    for source, one in taken:
        words = row_words(one.row, sitting.ruleset, sitting.wording, after)
        if one.finding:
            result.find([one.finding])
        if one.how == "refused":
            result.exit = Exit.REFUSED
        rows.append({"kind": one.kind, "id": one.row.ident, "faction": one.faction,
                     "turn": getattr(one.row, "turn", ""), "phase": getattr(one.row, "phase", ""),
                     "words": words, "how": one.how, "source": source.name})
        result.say(sitting.wording.text(OUTCOME_TEXTS[one.how], id=one.row.ident.rstrip("/"), words=words))
        if one.how != "refused" and is_early(one.row) and one.row.ident not in asked:
            result.say(sitting.wording.text(NOT_ASKED_YET))
    result.data["taken"] = rows
    result.find(sitting.placed(findings_on_rows(sitting, after, [one.row for _, one in taken if one.how != "refused"])))
    result.say(_count_sentence(sitting.wording, taken))


def _invited_questions(sitting: Workspace) -> frozenset[str]:
    """The names of the questions that no phase waits for and that clubs have been asked all the same."""
    campaign = without_superseded(sitting.campaign)
    if sitting.ruleset.is_over(campaign):
        return frozenset()
    game = sitting.ruleset.game(campaign)
    return frozenset(game.row_of(one.ask).ident for one in sitting.ruleset.invitations(game))


def findings_on_rows(sitting: Workspace, after: Campaign, rows: list[Record]) -> list[Finding]:
    """The findings that rows which were taken in would get today; of orders of the present phase all."""
    if not rows or sitting.ruleset.is_over(after):
        return []
    desk, taken = after.desk, {(row.sheet, row.ident) for row in rows}
    word = sitting.ruleset.phase(desk.phase).orders
    now = any(isinstance(row, Order) and (row.turn, row.phase) == (desk.turn, word) for row in rows)
    findings = [
        *(sitting.ruleset.check_orders(without_superseded(after)) if now else ()),
        *check_typed_inputs(sitting, after),
    ]
    return [finding for finding in findings if (finding.where.table, finding.where.row) in taken]


OUTCOME_TEXTS = {
    "new": N_("{id}: {words}"),
    "changed": N_("{id}: now {words}"),
    "same": N_("{id}: was there already: {words}"),
    "refused": N_("{id}: not taken: {words}"),
}


NOT_ASKED_YET = N_("  Nobody has been asked this yet: the answer waits for the question.")


def _count_sentence(wording: Wording, taken: list[tuple[Input, TakenRow]]) -> str:
    """How many rows were taken, in one sentence."""
    count = sum(one.how in ("new", "changed") for _, one in taken)
    return wording.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count)
