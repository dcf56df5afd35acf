"""`orders`: puts rows that came in into the campaign and says how each was understood and what they come to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue, ordinal_number
from assistant.campaign.records import REFEREE, Battle, Die, Faction, FormRow, Order, Question
from assistant.campaign.tables import Record, Table, natural
from assistant.desk.inputs import (
    check_typed_inputs,
    form_fields,
    is_blank,
    refused_answers,
    unknown_battle,
    unknown_die,
    unusable_rows,
)
from assistant.desk.intake.incoming import (
    Input,
    SentLine,
    filled_columns_of,
    find_faction,
    is_early,
    order_words,
    phase_note,
    proposing,
    read_source,
    row_words,
)
from assistant.desk.play_phase import current_phase, phases_to_come
from assistant.desk.results import Confirm, Exit, Result, agrees
from assistant.desk.workspace.check_against_ledger import abort_on_data
from assistant.desk.workspace.workspace import Workspace, catches_abort, open_workspace, settle_inbox
from assistant.desk.workspace.writer import open_for_writing
from assistant.reporting.reader import one_minus
from assistant.turn import codes
from assistant.turn.absence import add_standing_order, parse_standing_order
from assistant.turn.battle_results import battle_code, is_report
from assistant.turn.codes import ORDER_LATE
from assistant.turn.dice_purposes import spell_purpose, typed_battle_code
from assistant.turn.findings import REFUSING, Finding, Where
from assistant.turn.messages import COMMON
from assistant.turn.orders.legal import Expense, Rehearsal
from assistant.turn.orders.reader import read_text
from assistant.turn.orders.taking import one_a_cause, without_repeats
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import (
    check_die,
    is_emptied,
    without_superseded,
)
from assistant.turn.questions import (
    OF_ANOTHER,
    ORDERS,
    TAKEN_BACK,
    finding_at_answer,
    make_standing,
    refusal_finding,
    standing_row,
    strip_until,
    type_of,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, named_wording

# Merging rows into a campaign.


RowOutcome = Literal["new", "changed", "same", "refused", "withdrawn"]
WRITTEN = ("new", "changed", "withdrawn")


@dataclass(frozen=True)
class TakenRow:
    """What became of a row. `kind`: ``order``, ``answer``, ``die``, ``battle``, ``form``; `line`: in which it came."""

    kind: str
    row: Record
    how: RowOutcome
    faction: str = ""
    finding: Finding | None = None
    line: SentLine | None = None


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
        taken = self._take(row, key or row.ident)
        return replace(taken, row=taken.row.copy())

    def _take(self, row: Any, key: str) -> TakenRow:
        kind = next((word for record, word in KINDS.items() if isinstance(row, record)), "")
        if not kind:
            raise TypeError(f"rows of {row.sheet} are not handed in")
        standing = self._standing_row(row)
        if standing is not None:
            return self._standing(standing)
        row, key = self._complete(row, key)
        table, names = self._after.by_sheet(row.sheet), _names(row)
        old: Any = table.get(key)
        if isinstance(row, Order) and is_emptied(row):  # only the number came: it is withdrawn, if not carried out
            return self._withdraw(row, old)
        # an order that says the same as one that stands is that order (decision 31); of two alike each has its own
        if isinstance(row, Order) and old is None and (twins := self._alike.get(content(row))):
            old = table[twins.pop(0)]
        faction = row.faction if isinstance(row, Order) else row.to if isinstance(row, Question) else ""
        wrong = check_die(self._ruleset, row) if isinstance(row, Die) else None
        if wrong is None and old is not None and _values(old, names) == _values(row, names):
            return TakenRow(kind, old, "same", faction)
        wrong = wrong or _FAULTS[kind](self, row, old, key)
        if wrong is not None and wrong.stops:
            return TakenRow(kind, row, "refused", faction, wrong)
        return self._put(kind, row, old, faction, wrong)

    def _put(self, kind: str, row: Any, old: Any, faction: str, remark: Finding | None = None) -> TakenRow:
        """Write what a row says into the campaign."""
        table, names = self._after.by_sheet(row.sheet), _names(row)
        how: RowOutcome = "new" if old is None or (kind in ("answer", "battle") and is_blank(old, names)) else "changed"
        if old is None:
            old = table.record(battle=row.battle, turn=row.turn) if kind == "battle" else row.copy()
            if isinstance(old, Order):
                old.status = ""
                self._counted = count_orders(self._after.table(Order)) if self._counted is None else self._counted
                assign_number(self._after.table(Order), old, self._counted)
            old = table.add(old)
            names = names if kind == "battle" else []
        elif kind == "order":
            self._counted, names = None, [*names, "seq"]
        for name in names:
            setattr(old, name, getattr(row, name))
        return TakenRow(kind, old, how, faction, remark)

    def _withdraw(self, row: Order, old: Order | None) -> TakenRow:
        if old is None or old.status or is_emptied(old):
            return TakenRow("order", old or row, "same", old.faction if old is not None else "")
        stood = old.copy()
        self._put("order", row, old, stood.faction)
        return TakenRow("order", stood, "withdrawn", stood.faction)

    def _complete(self, row: Any, key: str) -> tuple[Any, str]:
        """A row and its key, with what it does not say, and as the rulebook spells what it names."""
        if isinstance(row, Question):
            row = row.copy()
            row.answer = row.answer.strip()
            if not row.turn and not row.phase:  # for the open question of its name, else one of the present phase
                named = [q for q in self._after.table(Question) if (q.question, q.status) == (row.question, "open")]
                row.turn, row.phase = (named[0].turn, named[0].phase) if named else self._now
            return row, row.ident
        if isinstance(row, Die) and row.ident not in self._after.table(Die):
            row = replace(row, key=spell_purpose(self._ruleset, self._after, row.key) or row.key)
            return row, row.ident
        if isinstance(row, (Battle, FormRow)):
            first, row = row.ident, row.copy()
            row.battle = typed_battle_code(self._ruleset, self._after, row.battle)
            return row, row.ident + key.removeprefix(first)
        return row, key

    # --- what keeps a row from counting -----------------------------------------------------
    def _order_fault(self, row: Order, old: Order | None, key: str) -> Finding | None:
        past = next((order for order in (row, old) if order and (order.turn, order.phase) not in self._words), None)
        if past is not None:
            return self._ruleset.late_order(past, self._after) or codes.finding(
                codes.ORDER_TOO_LATE, Where(Order.sheet, row.order), row.faction, order=row.order or row.text,
                when=f"{row.turn} {row.phase}")
        if old is not None and old.faction != row.faction:
            return codes.finding(codes.ORDER_ALREADY, Where(Order.sheet, row.order), row.faction, order=row.order,
                                 faction=old.faction)
        return None

    def _answer_fault(self, row: Question, old: Question | None, key: str) -> Finding | None:
        where = Where(Question.sheet, row.ident, "answer")
        if ((old or row).turn, (old or row).phase) not in self._phases:
            return codes.finding(codes.BATTLE_TOO_LATE, where, battle=battle_code(row)) if is_report(
                self._ruleset.form, row, row.to) else codes.finding(codes.ANSWER_TOO_LATE, where, question=row.question)
        kind = type_of(self._ruleset.questions, old.kind) if old is not None else None
        if old is None or kind is None:
            return None
        if kind.foreign and row.to not in ("", REFEREE, old.to):
            return finding_at_answer(kind.foreign, self._ruleset.findings, row, {"faction": row.to})
        if row.to in self._after.table(Faction) and not kind.speaks(self._after, row.to, old.to):
            return codes.finding(OF_ANOTHER, where, answer=Verbatim(row.answer), faction=row.to)
        return None

    def _die_fault(self, row: Die, old: Die | None, key: str) -> Finding | None:
        if old is not None and old.hold == "settled":
            return codes.finding(codes.DIE_TOO_LATE, Where(Die.sheet, row.ident, "value"), key=row.key,
                                 value=old.value, when=f"{old.turn} {old.phase}")
        return None if old is not None else unknown_die(self._ruleset, self._after, row)

    def _battle_fault(self, row: Battle | FormRow, old: Battle | FormRow | None, key: str) -> Finding | None:
        wrong = unknown_battle(self._ruleset, self._after, row, self._now.turn)
        battle = self._after.table(Battle).get(row.battle)
        settled = any(counted is not None and counted.hold == "settled" for counted in (old or row, battle))
        if settled and (wrong is None or not wrong.stops):
            return codes.finding(codes.BATTLE_TOO_LATE, Where(row.sheet, key), battle=row.battle)
        return wrong

    # --- standing answers and orders, which have no turn and no phase ---------------------------
    def _standing_row(self, row: Any) -> Question | None:
        """The row as a standing answer or order; None for any other."""
        if isinstance(row, Order):
            line = parse_standing_order(row.text) if not row.verb else None
            record = self._after.table(Question).record
            return None if line is None else standing_row(record, ORDERS, row.faction, "", line)
        stands = isinstance(row, Question) and (row.stands or (
            strip_until(row.answer)[1] and not row.turn and not row.phase))
        return row if stands else None

    def _standing(self, row: Question) -> TakenRow:
        """A standing answer in the place of an earlier one, or a standing order beside those of the club."""
        questions, table = self._ruleset.questions, self._after.table(Question)
        if row.kind == ORDERS:
            wrong = row.answer != TAKEN_BACK and read_text(self._ruleset.read, row.answer, self._after, row.to).problem
            if wrong:
                return TakenRow("answer", row, "refused", row.to, codes.finding(
                    codes.NO_STANDING_ORDER, Where(Question.sheet, row.ident, "answer"), row.to,
                    text=Verbatim(row.answer)))
        else:
            try:
                row = make_standing(questions, self._after, row)
            except UnreadableValue as unfit:
                kind = type_of(questions, row.kind)
                return TakenRow("answer", row, "refused", row.to, refusal_finding(
                    questions, self._ruleset.findings, row, unfit, kind.stands or kind.answer))
        old = table.get(row.ident)
        if old is None:
            return TakenRow("answer", table.add(row.copy()), "new", row.to)
        answer = add_standing_order(old.answer, row.answer) if row.kind == ORDERS else row.answer
        how: RowOutcome = "same" if old.answer == answer else "changed"
        old.answer = answer
        return TakenRow("answer", old, how, row.to)


KINDS: Mapping[type[Record], str] = {Order: "order", Question: "answer", Die: "die", Battle: "battle", FormRow: "form"}
"""What people hand in -> the word for it."""
_FAULTS: Mapping[str, Callable[..., Finding | None]] = {
    "order": Merge._order_fault, "answer": Merge._answer_fault, "die": Merge._die_fault,
    "battle": Merge._battle_fault, "form": Merge._battle_fault}


def _names(row: Record) -> list[str]:
    """The columns of a row that people fill in, but for a place among others."""
    if isinstance(row, Order):
        return [c.name for c in row.columns() if c.edit == "club" and not c.key and c.name != "seq"]
    return ["answer"] if isinstance(row, Question) else ["value", "dice"] if isinstance(row, Die) else form_fields(
        type(row))


def _values(row: Record, names: Iterable[str]) -> list[Any]:
    values = (getattr(row, name) for name in names)
    return [value.strip() if isinstance(value, str) else value for value in values]


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
    return tuple(getattr(row, name) for name in _names(row))


# What a club's orders come to, in words: which count, what they cost, what follows if nobody interferes.
#
# All of it is made from the club's view alone, for its receipt and for the screen alike.


MOST_SENTENCES = 12
"""How many sentences tell what follows."""
NOT_CARRIED_OUT = ("refused", "replaced")


@dataclass(frozen=True)
class ClubOrders:
    """A club's orders as they stand. `view`: the club's; `findings`: at each order, by its number."""

    ruleset: Ruleset
    view: Campaign
    faction: str
    rehearsal: Rehearsal
    findings: Mapping[str, Sequence[Finding]]

    @classmethod
    def of(cls, ruleset: Ruleset, view: Campaign, faction: str) -> ClubOrders:
        """The orders of a club in its view."""
        foreseen = [] if ruleset.is_over(view) else [*ruleset.check_orders(view), *ruleset.foresee_orders(view)]
        rehearsal = ruleset.rehearse(view, faction, {
            fault.where.row for fault in foreseen if refuses(ruleset, fault)})
        if any(_may_change(fault) for fault in foreseen):  # what an earlier order puts right is said of none
            left = {(fault.code, fault.where) for fault in ruleset.foresee_orders(rehearsal.after)}
            foreseen = [fault for fault in foreseen if not _may_change(fault) or (fault.code, fault.where) in left]
        reached = {order for order, status in rehearsal.statuses.items() if status}
        findings: dict[str, list[Finding]] = {}
        for finding in (*(fault for fault in rehearsal.findings if fault.where.row in reached),
                        *(fault for fault in without_repeats(foreseen) if fault.where.row not in reached)):
            if finding.where.table == Order.sheet and finding not in findings.get(finding.where.row, ()):
                findings.setdefault(finding.where.row, []).append(finding)
        return cls(ruleset, view, faction, rehearsal, findings)

    def faults(self, order: str) -> list[Finding]:
        """The findings for which an order is not carried out, as things stand; [] if it is."""
        return [finding for finding in self.findings.get(order, ()) if refuses(self.ruleset, finding)] if (
            not self.counts(order)) else []

    def counts(self, order: str) -> bool:
        """Whether an order is carried out, as things stand."""
        status = self.rehearsal.statuses.get(order, "")
        if status:
            return status not in NOT_CARRIED_OUT
        return not any(refuses(self.ruleset, finding) for finding in self.findings.get(order, ()))


def _may_change(finding: Finding) -> bool:
    """Whether an earlier order may put a finding right."""
    return finding.later is not None and bool(finding.later.order) and not finding.later.certain


def refuses(ruleset: Ruleset, finding: Finding) -> bool:
    """Whether an order with a finding is refused as things stand. Where an earlier order may put it right, nobody knows
    yet.
    """
    idle = finding.code == getattr(as_order_book(ruleset.verbs).says.get("futile"), "code", None)
    if finding.stops or finding.later is None or idle:
        return finding.stops or idle
    # a remark on a later phase does not say how severe it is then
    severity = (ruleset.findings.get(finding.code) or COMMON[finding.code]).severity
    return severity in REFUSING and (finding.later.certain or not finding.later.order)


def count_lines(good: int, count: int, same: int, words: Wording) -> str:
    """How many lines count of all, and of how many nothing comes, as they were there already; "" where there are none.
    """
    if not count:
        return ""
    if good == count:
        told = words.plural(N_("Your line counts."), N_("All {n} lines count."), count)
    elif not good:
        told = words.plural(N_("Your line does not count yet."), N_("None of the {n} lines counts yet."), count)
    else:
        told = words.plural(N_("{n} of {all} lines counts."), N_("{n} of {all} lines count."), good,
                            all=words.number(count))
    return " ".join([told, *([words.plural(N_("{n} of them was there already."), N_("{n} of them were there already."),
                                           same)] if same and count > 1 else [])])


def cost_lines(orders: ClubOrders, words: Wording) -> Iterator[str]:
    """What the orders cost together, chest by chest."""
    for expense in orders.rehearsal.expenses:
        yield _cost_line(expense, words)


def _cost_line(expense: Expense, words: Wording) -> str:
    unit = Verbatim(words.text(expense.unit, n=expense.cost) if expense.unit else "")
    if expense.held:
        told = N_("{unit}, {held} of them only set aside") if expense.held != expense.cost else N_(
            "{unit}, all of it only set aside")
        unit = Verbatim(words.text(told, unit=unit, held=Verbatim(_amount(expense.held, words))))
    sentence = N_("{of}: together these orders cost {cost} {unit}; at hand: {have}. Free after that: {free}.") if (
        expense.of) else N_("Together these orders cost {cost} {unit}; at hand: {have}. Free after that: {free}.")
    amounts = {"cost": expense.cost, "have": expense.have, "free": expense.free if expense.held else ""}
    return words.text(sentence, unit=unit, of=expense.of,
                      **{name: Verbatim(_amount(amount, words)) for name, amount in amounts.items()})


def _amount(amount: object, words: Wording) -> str:
    return words.number(amount) if isinstance(amount, (int, float)) else str(amount)


LineNumbers = Mapping[str, int]
"""Orders -> the numbers of the lines in which they came."""


def line_names(orders: Iterable[str], numbers: LineNumbers, words: Wording, club: ClubOrders | None = None) -> str:
    """How orders are called for their club: by the numbers of their lines, those from before by their words."""
    listed = list(dict.fromkeys(orders))
    came = sorted({numbers[order] for order in listed if order in numbers})
    runs: list[list[int]] = []
    for number in came:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    told = ", ".join(f"{first}–{last}" if last > first + 1 else ", ".join(map(str, dict.fromkeys((first, last))))
                     for first, last in runs)
    before = sorted((order for order in listed if order not in numbers), key=natural)
    if club is not None:
        before = [_quoted(club.view.table(Order)[order], club, words) for order in before]
    return "; ".join(filter(None, (words.plural(N_("line {list}"), N_("lines {list}"), len(came), list=Verbatim(told))
                                   if came else "", ", ".join(before))))


def _quoted(row: Order, orders: ClubOrders, words: Wording) -> str:
    """An order as it was written, or else as it was understood, in quotes."""
    return f"'{row.text or order_words(row, orders.ruleset, words, orders.view)}'"


def consequence_lines(orders: ClubOrders, words: Wording, numbers: LineNumbers) -> list[str]:
    """What follows if nobody interferes, as far as neither a die nor an answer nor a battle decides."""
    rehearsal, ruleset, turn = orders.rehearsal, orders.ruleset, orders.rehearsal.after.desk.turn
    told = list(dict.fromkeys(one_minus(words.event(event)) for event in rehearsal.events(orders.faction)))
    lines = [f"- {text}" for text in told[:MOST_SENTENCES]]
    if told[MOST_SENTENCES:]:
        lines.append("- " + words.text(N_("and {n} more"), n=len(told) - MOST_SENTENCES))
    was = dict(ruleset.glance(rehearsal.before, orders.faction))
    changed = [f"{words.figure(label)} {_amount(was[label], words)} → {_amount(value, words)}"
               for label, value in ruleset.glance(rehearsal.after, orders.faction) if was.get(label, value) != value]
    lines += ["- " + "; ".join(changed)] if changed else []
    lines = [words.text(N_("What follows if nobody interferes:")), *lines] if lines else []
    silent = [order for order in rehearsal.unforeseen if orders.counts(order)]
    if rehearsal.open_at and any(orders.counts(order) for order in rehearsal.statuses):
        when = Verbatim(ruleset.when(turn, rehearsal.open_at, words.lang))
        lines.append(words.text(
            N_("From {phase} on, dice, answers or a battle decide: {list}.") if silent else
            N_("From {phase} on, dice, answers or a battle decide."), phase=when,
            list=Verbatim(line_names(silent, numbers, words))))
    return lines


def earlier_orders(orders: ClubOrders, told: Collection[str]) -> list[Order]:
    """A club's orders of the present turn, and of the turns of some orders, that stand beside these."""
    table = orders.view.table(Order)
    turns = dict.fromkeys([orders.view.desk.turn, *(table[order].turn for order in told if order in table)])
    rows = [row for turn in turns for row in table.of_turn(turn) if row.faction == orders.faction and not row.status
            and row.order not in told and not is_emptied(row)]
    played = [orders.ruleset.phase(name).orders for name in orders.ruleset.phase_ids(orders.view)]
    return sorted(sorted(rows, key=lambda row: natural(row.order)), key=lambda row: (
        row.turn != orders.view.desk.turn, played.index(row.phase) if row.phase in played else -1))


def earlier_lines(orders: ClubOrders, told: Collection[str], words: Wording) -> Iterator[str]:
    """What has become of the earlier orders of a club: those that count, in short, and those that do not."""
    earlier = earlier_orders(orders, told)
    standing = [row for row in earlier if orders.counts(row.order)]
    if standing:
        yield words.text(N_("Your earlier orders that still count:"))
    for row in standing:
        yield f"- {order_words(row, orders.ruleset, words, orders.view)} ({row.order})"
    for row in earlier:
        if row not in standing:
            why = [words.finding(one) for one in orders.faults(row.order) or orders.findings.get(row.order, ())]
            yield words.text(
                N_("Your earlier order {text} ({id}) does not count: {why} To take it back: withdraw {id}"),
                text=Verbatim(_quoted(row, orders, words)), id=Verbatim(row.order),
                why=Verbatim(next(iter(why), words.text(N_("It would not be carried out.")))))


def idle_units(orders: ClubOrders, units: Iterable[str]) -> list[str]:
    """Those of some units that no order of the coming phase names, where one names another of them; in natural order.
    """
    turn = orders.rehearsal.before.desk.turn
    rows = [row for row in orders.view.table(Order).of_turn(turn) if row.faction == orders.faction and not row.status]
    named = {word for row in rows if orders.counts(row.order) for column in row.columns()
             for word in str(getattr(row, column.name)).upper().split()}
    known = sorted(units, key=natural)
    return [unit for unit in known if unit.upper() not in named] if any(unit.upper() in named for unit in known) else []


# `orders`.


@catches_abort("orders")
def take_orders(path: Path, sources: Iterable[Input], *, faction: str = "", lang: str = "",
                confirm: Confirm | None = None) -> Result:
    """Take orders, answers, battle results and dice into a workbook.

    `faction`: whose lines they are where a line does not say it; of files, only that faction's orders
    and answers are taken. What cannot be taken is named; the rest is taken in one change, and none of it where a die
    or an answer is among them that can never count. What the referee has decided on the Inbox is done first.
    `confirm`: is asked whether a line that was not understood means what is proposed; None: nobody can be asked. Result
    data: ``taken``: a row each with kind, id, faction, turn, phase, words, how, source.
    """
    workspace = open_workspace(path, lang)
    told = settle_inbox(workspace)
    result = take_orders_loaded(workspace, sources, faction, confirm)
    result.find(told.findings if told is not None else [])
    return result


def take_orders_loaded(workspace: Workspace, sources: Iterable[Input], faction: str = "",
                       confirm: Confirm | None = None) -> Result:
    """`take_orders` for a workbook that is loaded already. Raises `Abort`."""
    abort_on_data(workspace)
    faction = find_faction(workspace, faction)
    result = Result("orders", wording=workspace.wording)
    after = workspace.campaign.copy()
    merge = Merge(workspace.ruleset, workspace.campaign, after)
    taken: list[tuple[Input, TakenRow]] = []
    lines: list[SentLine] = []
    agree = None if confirm is None else lambda finding: agrees(confirm, [proposing(
        finding, workspace.ruleset, after, workspace.wording)], N_("Take it as proposed? [y/N]"), workspace.wording)
    for source in sources:
        incoming = read_source(source, workspace, after, faction, agree)
        # typed lines come one by one, and are counted as they follow each other
        came = [replace(line, number=line.number + len(lines)) for line in incoming.lines] if (
            source.path is None) else incoming.lines
        # an order that comes too late is reported when it is not taken
        result.find(f for f in numbered(incoming.findings, came) if f.code != ORDER_LATE)
        if any(f.stops for f in incoming.findings):
            result.exit = Exit.REFUSED
        bad = {(f.where.table, f.where.row) for f in incoming.findings
               if f.stops and (f.alone or f.where.table == Order.sheet)}
        back = [order for _, order in after.table(Order).in_file_order() if incoming.instead_of == order.faction
                and not order.status and not is_emptied(order) and merge.is_open(order)] if incoming.instead_of else []
        all_back = next((line for line in came if not (line.rows or line.is_unread)), None)
        taken += [(source, replace(merge.take(after.table(Order).record(order=order.order)), line=all_back))
                  for order in back]
        line_of = {id(row): line for line in came for row in line.rows}
        taken += [(source, replace(merge.take(row, key), line=line_of.get(id(row)))) for key, row in incoming.rows()
                  if (row.sheet, row.ident) not in bad]
        lines += came
    taken = _without_repetitions(workspace, after, taken)
    never = unusable_rows(workspace.ruleset, after, [row.row for _, row in taken if row.how in WRITTEN])
    if never:
        result.find(never)
        result.exit = Exit.REFUSED
        taken = [(source, taken_row if taken_row.how not in WRITTEN else replace(
            taken_row, how="refused", finding=None)) for source, taken_row in taken]
    _say_taken_rows(workspace, after, taken, lines, result)
    written = sum(taken_row.how in WRITTEN for _, taken_row in taken)
    if not faction:
        result.say(rows_written(workspace.wording, written))
    if written:
        with open_for_writing(workspace, "orders") as session:
            session.commit("orders", after, [rows_written(workspace.sheet_wording, written)],
                           refused_answers(result.findings))
        result.find(workspace.second_copies)
        result.findings = workspace.with_cells(result.findings)  # now the new rows have their cells
    return result


# --- messages ---------------------------------------------------------------------------------
def numbered(findings: Iterable[Finding], lines: Iterable[SentLine]) -> list[Finding]:
    """Findings on lines that were not read, those with the number of their line."""
    numbers: dict[tuple[str, str], list[int]] = {}  # several lines may say the same: their findings keep their turn
    for line in lines:
        for finding in line.findings:
            numbers.setdefault((finding.code, str(finding.data)), []).append(line.number)
    left = ((finding, numbers.get((finding.code, str(finding.data)))) for finding in findings)
    return [finding._replace(data={**finding.data, "line": f"{ours.pop(0)}."}) if ours else finding
            for finding, ours in left]


def _say_taken_rows(workspace: Workspace, after: Campaign, taken: list[tuple[Input, TakenRow]],
                    lines: Sequence[SentLine], result: Result) -> None:
    """Say how many lines count; those that do not, with why and what to do, then the others, as each was understood;
    then what the orders cost, and what follows of them.
    """
    rows, own = [row for _, row in taken], workspace.wording
    clubs = _club_orders(workspace, after, rows)
    named = {faction: named_wording(workspace.ruleset, workspace.ruleset.view(after, faction), own.lang)
             for faction in dict.fromkeys([*clubs, *(fault.faction for line in lines for fault in line.findings)])
             if faction in after.table(Faction)}
    came = {row.row.ident for row in rows}
    told = _told_lines(workspace, after, rows, lines, clubs, named, result)
    bad, good = ([text for texts in told for part, counts in texts if counts is wanted for text in part]
                 for wanted in (False, True))
    same = sum(row.kind == "order" and row.how == "same" for row in rows)
    said = [count_lines(sum(all(counts for _, counts in texts) for texts in told), len(told), same, own),
            own.text(N_("This does not count yet:")) if bad and len(told) > 1 else "", *bad,
            own.text(N_("This counts:")) if bad and good else "", *good]
    result.lines += filter(None, said)
    result.data["taken"] = [{
        "kind": row.kind, "id": row.row.ident, "faction": row.faction, "turn": getattr(row.row, "turn", ""),
        "phase": getattr(row.row, "phase", ""), "words": row_words(row.row, workspace.ruleset, own, after),
        "how": row.how, "source": source.name} for source, row in taken]
    numbers = _line_numbers(rows)
    for faction, orders in clubs.items():
        words = named[faction]
        follows = [*earlier_lines(orders, came, words),
                   *cost_lines(orders, words), *consequence_lines(orders, words, numbers)]
        if follows and len(clubs) > 1:
            result.say(own.text(N_("{faction:the}:"), faction=faction))
        for line in follows:
            result.say(line)


def _told_lines(workspace: Workspace, after: Campaign, rows: Sequence[TakenRow], lines: Sequence[SentLine],
                clubs: Mapping[str, ClubOrders], named: Mapping[str, Wording], result: Result
                ) -> list[list[tuple[list[str], bool]]]:
    """How each order of each line was understood, what is said of it, and whether it counts; then the rows that came
    otherwise.
    """
    asked = _invited_questions(workspace) if any(is_early(row.row) for row in rows) else frozenset()
    findings = _findings_on_taken(workspace, after, rows, clubs, result)
    result.find(workspace.with_cells(findings))
    of_line: dict[int, list[TakenRow]] = {}
    for row in rows:
        of_line.setdefault(id(row.line) if row.line is not None else 0, []).append(row)

    def told(row: TakenRow, head: str) -> list[str]:
        words = named.get(row.faction, workspace.wording)
        return [head + outcome_text(row.row, OUTCOME_TEXTS[row.how], workspace.ruleset, words, after),
                *_row_remarks(row, asked, findings, words, result, clubs.get(row.faction), counts=_counts(row, clubs)),
                *filter(None, [phase_note(row.row, workspace.ruleset, workspace.wording, after)
                               if row.how == "new" else ""])]

    said: list[list[tuple[list[str], bool]]] = []
    for line in lines:
        came = of_line.get(id(line), [])
        heads = [f"{line.name}: ", *([f"{line.number}. "] * len(came))]
        texts = [(told(row, head if row.kind == "order" or is_early(row.row) else ""), _counts(row, clubs))
                 for head, row in zip(heads, came, strict=False)]
        if line.is_unread:
            texts = [([*_unread_texts(line, workspace, after, named, result)], False)]
        said += [texts] if texts else []
    several = len({row.faction for row in rows}) > 1
    return [*said, *([(told(row, f"{row.faction}: " if several and row.faction else ""), _counts(row, clubs))]
                     for row in of_line.get(0, ()))]


def _line_numbers(rows: Iterable[TakenRow]) -> LineNumbers:
    """The numbers of the lines in which orders came; none where two sources have a line of the same number."""
    lines = {row.row.ident: row.line for row in rows if row.line is not None}
    same = len({line.number for line in lines.values()}) < len({line.name for line in lines.values()})
    return {} if same else {order: line.number for order, line in lines.items()}


def _findings_on_taken(workspace: Workspace, after: Campaign, taken: Sequence[TakenRow],
                       clubs: Mapping[str, ClubOrders], result: Result) -> list[Finding]:
    """What is said of the rows that were taken, with the lines in which they came."""
    # what a phase to come will say of its orders each club foresees itself, with what comes before it
    judged = [fault for fault in findings_on_rows(workspace, after, [row.row for row in taken if row.how != "refused"])
              if fault.later is None or fault.faction not in clubs]
    known = {(finding.where.row, finding.code) for finding in (*judged, *result.findings)}
    faults = [fault for row in taken if isinstance(row.row, Order) and row.row.faction in clubs
              for fault in clubs[row.row.faction].findings.get(row.row.order, ())
              if (fault.where.row, fault.code) not in known]
    lines = {row.row.ident: {"line": f"{row.line.name}:"} for row in taken if row.line is not None}
    numbers = _line_numbers(taken)
    told = [finding._replace(data={**finding.data, **lines.get(finding.where.row, {})})
            for finding in one_a_cause([*judged, *faults])]

    def named(orders: str, faction: str) -> str:
        return line_names(orders.split(), numbers, workspace.wording, clubs.get(faction))

    return [finding if (later := finding.later) is None else finding._replace(later=later._replace(
        order=named(later.order, finding.faction), more=named(later.more, finding.faction))) for finding in told]


def outcome_text(row: Record, outcome: str, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """How a row was understood and what became of it: of an order its words, with its number, by which it can be taken
    back, behind them.
    """
    told = order_words(row, ruleset, words, campaign) if isinstance(row, Order) else row_words(
        row, ruleset, words, campaign)
    text, name = words.text(outcome, words=Verbatim(told)), row.ident.rstrip("/")
    if is_early(row):
        return words.text(N_("Answer in advance: {words}"), words=Verbatim(text))
    if not name:  # what was not taken may have no number
        return text
    return f"{text} ({name})" if isinstance(row, Order) else f"{name}: {text}"


def _unread_texts(line: SentLine, workspace: Workspace, after: Campaign, named: Mapping[str, Wording], result: Result
                  ) -> Iterator[str]:
    """Why a line was not understood, and what it may have meant."""
    for finding in numbered(line.findings, [line]):
        result.told.append(finding)
        words = named.get(finding.faction, workspace.wording)
        told = words.finding(proposing(finding, workspace.ruleset, after, words, answer=False))
        yield f"{told} ({finding.code})"


def alike_texts(order: Order, club: ClubOrders, words: Wording) -> Iterator[str]:
    """What is said of an order that does not count, where one that does says of all columns that both fill the same."""
    mine = filled_columns_of(order, club.ruleset, club.view)
    for other in club.view.table(Order).of_turn(order.turn, lambda row: row.faction == club.faction):
        if other.order == order.order or not club.counts(other.order):
            continue
        theirs = filled_columns_of(other, club.ruleset, club.view)
        both = mine.keys() & theirs.keys()
        if len(both) > 1 and all(mine[name] == theirs[name] for name in both):
            yield words.text(N_("Your order {text} stands, and asks the same. To take it back: withdraw {id}"),
                             text=Verbatim(_quoted(other, club, words)), id=Verbatim(other.order))
            return


def _row_remarks(row: TakenRow, asked: frozenset[str], findings: Iterable[Finding], words: Wording, result: Result,
                 club: ClubOrders | None, *, counts: bool) -> Iterator[str]:
    """What is said of a row besides how it was understood. `asked`: `_invited_questions`."""
    if row.finding is not None:
        result.find([row.finding])
    if row.how == "refused":
        result.exit = Exit.REFUSED
    # what the referee types of dice and battles has its findings at the cells
    said = [] if row.kind in ("die", "battle", "form") else [
        *([row.finding] if row.finding is not None else []),
        *(finding for finding in findings if finding.where.row == row.row.ident)]
    result.told += said
    for finding in said:
        data = {name: _code_of_number(value, row.row, club) if name == "seq" else value
                for name, value in finding.data.items() if name != "line"}
        yield f"  {words.finding(finding._replace(data=data))} ({finding.code})"
    if club is not None and not counts and isinstance(row.row, Order):
        if not said:
            yield "  " + words.text(N_("It would not be carried out."))
        yield from ("  " + text for text in alike_texts(row.row, club, words))
    if row.how != "refused" and is_early(row.row) and row.row.ident not in asked:
        yield words.text(NOT_ASKED_YET)


def _code_of_number(number: Any, row: Record, club: ClubOrders | None) -> Any:
    """The code of another order of the club for its number in the column No., as answers show the codes alone."""
    alike = [] if club is None else club.view.table(Order).of_turn(getattr(row, "turn", ""), lambda other: (
        other.faction == club.faction and other.ident != row.ident and str(other.seq) == str(number)))
    return Verbatim(alike[-1].ident) if alike else number


def _club_orders(workspace: Workspace, after: Campaign, taken: Iterable[TakenRow]) -> dict[str, ClubOrders]:
    """The orders of the clubs of which some came, as each club knows them."""
    campaign = without_superseded(after)
    factions = dict.fromkeys(row.row.faction for row in taken if isinstance(row.row, Order) and row.how != "refused")
    return {faction: ClubOrders.of(workspace.ruleset, workspace.ruleset.view(campaign, faction), faction)
            for faction in factions if faction in campaign.table(Faction)}


def _without_repetitions(workspace: Workspace, after: Campaign, taken: Iterable[tuple[Input, TakenRow]]
                         ) -> list[tuple[Input, TakenRow]]:
    """What was taken, where a line that says the same as another order beside which it does not count, or that does not
    count beside it, is that order: it must not stand by itself as soon as that is withdrawn. Rows that came with a code
    of their own stay.
    """
    merged, table = list(taken), after.table(Order)
    again = {row.row.ident: same for _, row in merged if row.kind == "order" and row.how == "new" and row.line
             and (same := _said_before(table[row.row.ident], workspace.ruleset, after))}
    clubs = _club_orders(workspace, after, [row for _, row in merged if row.row.ident in again])
    for at, (source, row) in enumerate(merged):
        club = clubs.get(row.faction)
        same = [earlier for earlier in again.get(row.row.ident, ())
                if club is not None and earlier in table and not _count_both(earlier, row.row.ident, club)]
        if same:
            table.remove(row.row.ident)
            merged[at] = source, replace(row, how="same", row=table[same[0]].copy(), finding=None)
    return merged


def _said_before(mine: Order, ruleset: Ruleset, after: Campaign) -> list[str]:
    """The earlier orders that say the same, of verbs of which two alike are not both carried out."""
    says = filled_columns_of(mine, ruleset, after)
    verb = as_order_book(ruleset.verbs).get(str(says.get("verb", "")))
    return [] if verb is None or verb.twins else [
        row.order for row in after.table(Order).of_turn(
            mine.turn, lambda row: (row.phase, row.faction) == (mine.phase, mine.faction))
        if natural(row.order) < natural(mine.order) and filled_columns_of(row, ruleset, after) == says]


def _count_both(earlier: str, order: str, club: ClubOrders) -> bool:
    """Whether both of two orders that say the same stand as things are."""
    if not club.counts(order):
        return club.rehearsal.statuses.get(earlier) == "replaced"
    return not any(finding.data.get("order") == order for finding in club.findings.get(earlier, ()))


def _counts(taken: TakenRow, clubs: Mapping[str, ClubOrders]) -> bool:
    """Whether a row counts, as far as its club can know."""
    if taken.how == "refused" or not isinstance(taken.row, Order) or taken.row.faction not in clubs:
        return taken.how != "refused"
    return clubs[taken.row.faction].counts(taken.row.order)


def _invited_questions(workspace: Workspace) -> frozenset[str]:
    """The names of the questions that no phase waits for and that clubs have been asked all the same."""
    campaign = without_superseded(workspace.campaign)
    if workspace.ruleset.is_over(campaign):
        return frozenset()
    game = workspace.ruleset.game(campaign)
    return frozenset(game.row_of(invitation.ask).ident for invitation in workspace.ruleset.invitations(game))


def findings_on_rows(workspace: Workspace, after: Campaign, rows: list[Record]) -> list[Finding]:
    """The findings that rows which were taken in would get today; of orders of the present phase all."""
    if not rows or workspace.ruleset.is_over(after):
        return []
    desk, taken = after.desk, {(row.sheet, row.ident) for row in rows}
    word = workspace.ruleset.phase(desk.phase).orders
    now = any(isinstance(row, Order) and (row.turn, row.phase) == (desk.turn, word) for row in rows)
    findings = [
        *(workspace.ruleset.check_orders(without_superseded(after)) if now else ()),
        *check_typed_inputs(workspace, after),
    ]
    return [finding for finding in without_repeats(findings) if (finding.where.table, finding.where.row) in taken]


OUTCOME_TEXTS = {
    "new": N_("{words}"),
    "changed": N_("now {words}"),
    "same": N_("was there already: {words}"),
    "refused": N_("not taken: {words}"),
    "withdrawn": N_("withdrawn: {words}"),
}


NOT_ASKED_YET = N_("  Nobody has been asked this yet: the answer waits for the question.")


def rows_written(wording: Wording, count: int) -> str:
    """How many rows were written, in one sentence; whether they count is another matter."""
    return wording.plural(N_("{n} row was written into the workbook."), N_("{n} rows were written into the workbook."),
                          count)
