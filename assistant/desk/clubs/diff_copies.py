"""Picks the latest copy of each faction and compares it with the campaign: new, changed, withdrawn, refused rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue, ordinal_number
from assistant.campaign.records import Order, Question
from assistant.campaign.tables import Record, grouped, natural
from assistant.desk.clubs.read_copies import MINUTE, OpenedArrival, source_of
from assistant.desk.intake.incoming import order_owner
from assistant.desk.intake.take_orders import Merge, TakenRow, content
from assistant.ledger import COLLECT, CORRECT, Ledger
from assistant.turn import codes
from assistant.turn.battle_results import add_line, battle_code, is_report, lines_of
from assistant.turn.findings import Finding
from assistant.turn.phases import is_emptied
from assistant.turn.questions import check_answer
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim

# What was collected before.
#
# A note belongs to the step of the ledger that took the rows: once `undo` has taken that step back, it no longer
# counts.


_NOTE_PREFIX = "collected."
"""The ledger's key for what was collected, followed by the number of the step."""


@dataclass(frozen=True)
class CollectedPart:
    """What counted of a faction: when it came, what told it from others, what it was called, whether it stood for its
    club (`stands`), the keys of the rows that it brought, and the sources of what it was read from.
    """

    at: int
    said: str
    name: str
    stands: bool
    rows: frozenset[str]
    sources: frozenset[str] = frozenset()


@dataclass
class CollectMemory:
    """`kept`: (faction, kind) -> all that was collected in this turn, the first taken first."""

    kept: dict[tuple[str, str], list[CollectedPart]] = field(default_factory=dict)

    def last(self, faction: str, kind: str) -> CollectedPart | None:
        """The last that stood for its club."""
        return next((part for part in reversed(self.kept.get((faction, kind), ())) if part.stands), None)

    def rows(self, faction: str, kind: str, at: int) -> set[str]:
        """The keys of what was collected and had come by a time."""
        return {key for part in self.kept.get((faction, kind), ()) if part.at <= at for key in part.rows}


def read_memory(ledger: Ledger, turn: str) -> CollectMemory:
    """What was collected in a turn and not undone since. Raises `LedgerTrouble`."""
    memory = CollectMemory()
    made = _steps_in_force(ledger)
    for step in ledger.steps():
        if step.verb != COLLECT or step.turn != turn or step.id not in made:
            continue
        for one in json.loads(ledger.read_note(f"{_NOTE_PREFIX}{step.id}") or "[]"):
            kept = CollectedPart(one["at"], one["said"], one["name"], one.get("stands", True),
                                 frozenset(one["rows"]), frozenset(one.get("sources", ())))
            memory.kept.setdefault((one["faction"], one["kind"]), []).append(kept)
    return memory


def _steps_in_force(ledger: Ledger) -> set[int]:
    """The steps that made the workbook what it is, those before a correction, too, which the line leaves out."""
    steps = {step.id: step for step in ledger.steps()}
    in_force: set[int] = set()
    left = list(ledger.line)
    while left:
        number = left.pop()
        if number in steps and number not in in_force:
            in_force.add(number)
            left += steps[number].line if steps[number].verb == CORRECT else ()
    return in_force


def note_collected(ledger: Ledger, entries: Iterable[Mapping[str, Any]]) -> None:
    """Keep what the next step of the ledger collects: a mapping each with faction, kind, rows, at, said, name,
    stands, sources.

    It is written before the step: a crash between the two leaves a note that belongs to no step. Raises
    `LedgerTrouble`.
    """
    number = max((step.id for step in ledger.steps()), default=0) + 1
    text = json.dumps(list(entries), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    ledger.note(f"{_NOTE_PREFIX}{number}", text)


# Which copy counts.
#
# A copy replaces everything that its club sent before. Lines only add to what came before them, mail by mail and file
# by file (decision 31).


PartKind = Literal["orders", "answers"]


@dataclass
class Part:
    """What came in one piece for a faction, of one kind. `rows`: in the order in which they stand there."""

    faction: str
    kind: PartKind
    at: int
    opened: list[OpenedArrival]
    rows: list[Record] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its name: that of the file, or of the mail with all that it contains."""
        return part_names([self])

    @property
    def when(self) -> str:
        """When it came."""
        return self.opened[0].arrival.when

    @property
    def by_mail(self) -> dict[str, str]:
        """Extra data of a finding for a part that came by mail: there is no file to take by itself."""
        return {"mail": "yes"} if self.opened[0].arrival.together else {}

    @property
    def sent_orders(self) -> frozenset[str]:
        """The orders that stood in it as it was sent out."""
        return frozenset(number for opened in self.opened for number in opened.sent.numbers)

    @property
    def is_form(self) -> bool:
        """Whether it is a copy, in which what is missing was taken out."""
        return any(opened.reading is not None for opened in self.opened)

    @property
    def stands(self) -> bool:
        """Whether it stands for its club: a copy, or lines that take back all that was ordered before."""
        return self.is_form or (self.kind == "orders" and any(opened.instead for opened in self.opened))

    @property
    def sources(self) -> frozenset[str]:
        """What tells what it was read from, from anything else that comes."""
        return frozenset(source_of(opened.arrival) for opened in self.opened)

    @property
    def decided(self) -> bool:
        """Whether the referee has decided that it counts."""
        return any(opened.arrival.decided for opened in self.opened)

    @property
    def numbered_orders(self) -> frozenset[str]:
        """The orders in it that came without a number."""
        return frozenset(number for opened in self.opened for number in opened.numbered)

    @property
    def battle_questions(self) -> frozenset[str]:
        """The rows of Questions in which a copy lets its club report on a battle."""
        return frozenset(key for file in self.opened if file.incoming is not None for key in file.incoming.offered)

    @property
    def fingerprint(self) -> str:
        """A fingerprint of its content."""
        rows = [(row.ident, row.answer.strip()) if isinstance(row, Question) else
                (row.order, "") if is_emptied(row) else content(row)
                for row in self.rows if isinstance(row, (Order, Question))]
        told = repr(("instead", rows) if self.stands and not self.is_form else rows)
        # a cell may end in half of a sign that has two parts
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def part_names(parts: Iterable[Part]) -> str:
    """The names of parts, each file and mail once."""
    arrivals = (opened.arrival for part in parts for opened in part.opened)
    return ", ".join(dict.fromkeys(came.name.removesuffix(".txt") if came.lines else came.name for came in arrivals))


@dataclass
class Selection:
    """What counts (`parts`, of each faction in the order in which they came), two that nobody can tell apart
    (`rivals`), and what is to be said of the others.
    """

    parts: list[Part] = field(default_factory=list)
    rivals: list[tuple[Part, Part]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def choose(opened: Iterable[OpenedArrival], campaign: Campaign, memory: CollectMemory, book: str) -> Selection:
    """Of each faction the newest copy that came, and the lines since. `memory`: what was collected before; `book`: the
    workbook's name.
    """
    chosen = Selection()
    groups = grouped(_parts_by_faction(opened, campaign), lambda part: (part.faction, part.kind))
    for (faction, kind), parts in sorted(groups.items(), key=lambda group: group[0]):
        parts.sort(key=lambda part: (part.at, part.name))
        last, decided = memory.last(faction, kind), [part for part in parts if part.decided]
        counting = _since_the_last_copy([part for part in parts if not part.decided], last, chosen, book)
        apart = _rivals(counting, chosen)
        chosen.parts += _without_repeats([part for part in counting if part not in apart], chosen)
        latest = max(one.at for one in (*parts, *memory.kept.get((faction, kind), ())))
        for part in decided:  # it counts as if it came after all that has come
            part.at = latest
        chosen.parts += decided
    older = {(fault.data["file"], fault.data["other"]) for fault in chosen.findings if fault.code == codes.OLDER}
    chosen.findings = [finding for finding in chosen.findings if finding.code != codes.DOUBLED
                       or (finding.data["file"], finding.data["other"]) not in older]
    return chosen


def _since_the_last_copy(parts: Sequence[Part], last: CollectedPart | None, chosen: Selection, book: str) -> list[Part]:
    """The newest that stands for its club, and the lines behind it; of all before it is said that it is older.

    `last`: what was collected before and stood for its club.
    """
    says_something = any(part.rows for part in parts)
    for place in reversed(range(len(parts))):
        newest = parts[place]
        if not newest.stands:
            continue
        if last is not None and newest.fingerprint != last.said and newest.at < last.at:
            break  # older than what counts already
        before = parts[:place] if says_something else ()
        near = [part for part in before if part.fingerprint != newest.fingerprint and newest.at - part.at < MINUTE]
        for older in (part for part in before if part not in near):
            chosen.findings.append(codes.finding(codes.DOUBLED, file=older.name, other=newest.name)
                                   if older.fingerprint == newest.fingerprint
                                   else _older_finding(older, newest.name, book))
        return [*near, *parts[place:]]
    if last is None:
        return list(parts)
    early = [part for part in parts if part.at < last.at]
    chosen.findings += [_older_finding(part, last.name, book) for part in early if says_something]
    return [part for part in parts if part not in early]


def _rivals(parts: Sequence[Part], chosen: Selection) -> list[Part]:
    """Parts that differ and came within one minute: nobody can say which counts, so none is taken."""
    rivals: list[Part] = []
    for part, other in pairwise(parts):
        if part.fingerprint != other.fingerprint and other.at - part.at < MINUTE:
            chosen.rivals.append((part, other))
            chosen.findings.append(codes.finding(codes.SAME_MINUTE, faction=part.faction, file=part.name,
                                                 other=other.name, when=Verbatim(other.when)))
            rivals += [part, other]
    return rivals


def _without_repeats(parts: Sequence[Part], chosen: Selection) -> list[Part]:
    """The parts without those that a later one repeats."""
    kept: list[Part] = []
    for part in parts:
        if kept and kept[-1].fingerprint == part.fingerprint:
            chosen.findings.append(codes.finding(codes.DOUBLED, file=kept[-1].name, other=part.name))
            if not part.stands:
                continue
            kept.pop()
        kept.append(part)
    return kept


def _older_finding(part: Part, other: str, book: str) -> Finding:
    return codes.finding(codes.OLDER, file=part.name, when=Verbatim(part.when), other=other, faction=part.faction,
                         book=book, **part.by_mail)


def _parts_by_faction(opened: Iterable[OpenedArrival], campaign: Campaign) -> Iterator[Part]:
    """The parts of all arrivals, by faction and kind; what came in one piece is one part, a copy before lines."""
    parts: dict[tuple[str, PartKind, str], Part] = {}
    for opening in sorted(opened, key=lambda opening: opening.reading is None):
        if opening.incoming is None or opening.untouched:
            continue
        rows: list[tuple[str, PartKind, Record]] = [
            *((opening.club or order_owner(row, campaign), "orders", row) for row in opening.incoming.orders),
            *((opening.club or row.to, "answers", row) for row in opening.incoming.answers)]
        kinds: list[tuple[str, PartKind]] = []
        if opening.reading:  # a copy stands for its club even where it is blank
            kinds = [(opening.club, "orders"), (opening.club, "answers")]
        elif opening.instead:
            kinds = [(opening.club, "orders")]
        for faction, kind in dict.fromkeys([*kinds, *((faction, kind) for faction, kind, _ in rows)]):
            part = parts.setdefault((faction, kind, opening.arrival.piece), Part(faction, kind, opening.arrival.at, []))
            part.opened.append(opening)
            part.rows += [row for whom, what, row in rows if (whom, what) == (faction, kind)]
    yield from parts.values()


# What a club's copy changes.
#
# A copy stands for all that its club has ordered through copies: what was collected earlier, and what stood in it as
# it was sent. What no longer stands in it is withdrawn; what the referee took otherwise stays. Lines stand for
# nothing but themselves: they are added, and count after what was there.


ChangeKind = Literal["new", "changed", "same", "withdrawn", "refused"]


@dataclass(frozen=True)
class RowChange:
    """What became of a row. `row`: as it stands now; `before`: as it stood, None where nothing did."""

    how: ChangeKind
    kind: str
    row: Record
    before: Record | None = None
    finding: Finding | None = None


class CopyMerge:
    """Takes parts into `after`, which starts as a copy of `before`."""

    def __init__(self, ruleset: Ruleset, before: Campaign, after: Campaign) -> None:
        self._ruleset, self._before, self._after = ruleset, before, after
        self._merge = Merge(ruleset, before, after, twins=False)

    def take(self, part: Part, earlier: Collection[str], refused: Mapping[str, Finding]) -> list[RowChange]:
        """Take what a part says. `earlier`: keys of what was collected of its kind before; `refused`: orders in it that
        could not be read -> why.
        """
        return list(self._answers(part, earlier) if part.kind == "answers" else self._orders(part, earlier, refused))

    def other(self, row: Record, key: str) -> RowChange:
        """Take a die, a result or a part of a form, which no faction's copy stands for."""
        return self._row_change(self._merge.take(row, key))

    def _row_change(self, taken: TakenRow, how: ChangeKind | None = None) -> RowChange:
        row = taken.row
        before = self._before.by_sheet(row.sheet).get(row.ident)
        return RowChange(how or taken.how, taken.kind, row, None if before is None else before.copy(), taken.finding)

    # --- orders -----------------------------------------------------------------------------
    def _orders(self, part: Part, earlier: Collection[str], refused: Mapping[str, Finding]) -> Iterator[RowChange]:
        rows = [row for row in part.rows if isinstance(row, Order)]
        given = [row for row in rows if not is_emptied(row)]
        ours = self._changeable_orders(part, earlier) if part.stands else []
        places = self._places(given, ours, part.numbered_orders)
        kept: list[tuple[Order, Order]] = []
        made: list[TakenRow] = []
        for row, place in zip(given, places, strict=True):
            before = self._before.table(Order).get(place)
            if row.order in refused:
                yield RowChange("refused", "order", row, before, refused[row.order])
                continue
            fresh = row.copy()
            fresh.order = place
            if row.order in part.numbered_orders:
                fresh.seq = before.seq if before is not None else None
            taken = self._merge.take(fresh)
            standing = self._after.table(Order).get(taken.row.ident)
            if taken.how != "refused" and standing is not None:
                kept.append((row, standing))
            made.append(taken)
        self._in_order(kept)
        last = set() if part.stands else self._to_the_end([standing for _, standing in kept])
        moved = last | self._moved_orders([taken_row.row.ident for taken_row in made if taken_row.how == "same"])
        yield from (self._row_change(taken_row, "changed" if taken_row.row.ident in moved else None)
                    for taken_row in made)
        left = [number for number in ours if number not in places]
        table = self._after.table(Order)
        left += [number for row in rows if is_emptied(row) and (number := table.spelling_of(row.order)) not in left]
        for number in left:
            if number not in table:
                yield RowChange("refused", "order", table.record(order=number), None, codes.finding(
                    codes.NOTHING_TO_WITHDRAW, order=number, faction=part.faction))
                continue
            taken = self._merge.take(table.record(order=number))
            if taken.how == "withdrawn":
                change = self._row_change(taken)
                yield replace(change, row=table[number].copy(), before=change.before or taken.row)

    def _changeable_orders(self, part: Part, earlier: Collection[str]) -> list[str]:
        """The orders that the part stands for and that may still be changed, in natural order."""
        table = self._after.table(Order)
        there = ((code, table.get(code)) for code in {*earlier, *part.sent_orders})
        return sorted((code for code, row in there if row is not None and row.faction == part.faction and not row.status
                       and self._merge.is_open(row)), key=natural)

    def _places(self, given: Sequence[Order], ours: Sequence[str], numbered: Collection[str]) -> list[str]:
        """Under which number each row is taken: its own; that of an order that says the same; that of one which stands
        there no longer; "" for a new one.
        """
        table = self._after.table(Order)
        places = ["" if row.order in numbered else row.order for row in given]
        free = [code for code in ours if code not in places]
        others = [key for key, row in table.in_file_order() if key not in ours and key not in places]
        for alike in (True, False):
            for i, row in enumerate(given):
                if places[i]:
                    continue
                pool = [*free, *others] if alike else free
                place = next((code for code in pool if (old := table[code]).faction == row.faction
                              and (content(old) == content(row) if alike else _moment(old) == _moment(row))), "")
                if place:
                    places[i] = place
                    (free if place in free else others).remove(place)
        return places

    def _moved_orders(self, same: Sequence[str]) -> set[str]:
        """Of orders that say the same as before those that count in another order now, by their numbers."""
        then, now = ({code: ordinal_number(row.seq) or 0 for code in same if (row := table.get(code)) is not None}
                     for table in (self._before.table(Order), self._after.table(Order)))
        same = [code for code in same if code in then]
        if sorted(same, key=lambda code: then[code]) == sorted(same, key=lambda code: now[code]):
            return set()
        return {code for code in same if then[code] != now[code]}

    def _in_order(self, kept: Sequence[tuple[Order, Order]]) -> None:
        """Number the orders of a phase in the sequence of the part, by redistributing their places."""
        open_ones = [pair for pair in kept if not pair[1].status]
        for group in grouped(open_ones, lambda pair: _moment(pair[1])).values():
            wanted = _in_counting_order(group)
            free = sorted(ordinal_number(standing.seq) or 0 for _, standing in group)
            for (_, standing), seq in zip(wanted, free, strict=True):
                if standing.seq != seq:
                    standing.seq = seq

    def _to_the_end(self, rows: Sequence[Order]) -> set[str]:
        """Let the orders of lines count after all that came before them; the numbers of those that are moved for it."""
        ours, moved = {row.order for row in rows}, set[str]()
        for when in dict.fromkeys(_moment(row) for row in rows if not row.status):
            group = [row for row in rows if not row.status and _moment(row) == when]
            others = [ordinal_number(row.seq) or 0 for _, row in self._after.table(Order).in_file_order()
                      if row.order not in ours and _moment(row) == when and row.faction == group[0].faction
                      and not is_emptied(row)]
            first = min(ordinal_number(row.seq) or 0 for row in group)
            if others and max(others) > first:
                last = max(*others, *(ordinal_number(row.seq) or 0 for row in group))
                for place, row in enumerate(sorted(group, key=lambda row: ordinal_number(row.seq) or 0), last + 1):
                    row.seq = place
                    moved.add(row.order)
        return moved

    # --- answers ----------------------------------------------------------------------------
    def _answers(self, part: Part, earlier: Collection[str]) -> Iterator[RowChange]:
        table, given = self._after.table(Question), set[str]()
        for row in part.rows:
            if not isinstance(row, Question):
                continue
            given.add(row.ident)
            asked = table.get(row.ident)
            if asked is not None:
                answer = row.answer if part.is_form else self._beside(row, asked.answer)
                row = asked.with_values({"answer": answer})
            questions, findings = self._ruleset.questions, self._ruleset.findings
            wrong = None if row.stands else check_answer(questions, findings, self._after, row)
            if wrong is not None:
                yield RowChange("refused", "answer", row, asked, Finding(wrong.code, "error", wrong.where, wrong.data))
            else:
                yield self._row_change(self._merge.take(row))
        for key in sorted(earlier, key=natural) if part.is_form else ():
            asked = table.get(key)
            if asked is not None and key not in given and asked.answer.strip() and (
                    asked.status == "open" or (key in part.battle_questions and not asked.status)):
                before = asked.copy()
                asked.answer = ""
                yield RowChange("withdrawn", "answer", asked.copy(), before)

    def _beside(self, row: Question, now: str) -> str:
        """A line's report on a battle, beside what has come of its club since the campaign was as it was read; `now`:
        what is reported by now.
        """
        form, was = self._ruleset.form, self._before.table(Question).get(row.ident)
        before = was.answer if was is not None else ""
        if form is None or now == before or not now.strip() or not is_report(form, row, row.to):
            return row.answer
        more = row.answer.removeprefix(f"{before}; ") if before else row.answer
        told = row.with_values({"answer": now})
        with suppress(UnreadableValue):
            for text, line in lines_of(form, self._after, battle_code(row), more, row.to):
                add_line(form, self._after, told, line, text)
            return told.answer
        return row.answer


def _in_counting_order(group: Sequence[tuple[Order, Order]]) -> list[tuple[Order, Order]]:
    """Rows in the sequence in which they count; one without a place comes after the row above it."""
    places, last = list[tuple[int, int]](), 0
    for i, (row, _) in enumerate(group):
        last = ordinal_number(row.seq) or last
        places.append((last, i))
    return [group[i] for _, i in sorted(places)]


def _moment(row: Order) -> tuple[str, str]:
    return row.turn, row.phase


def unreadable_orders(part: Part) -> dict[str, Finding]:
    """The orders of a part that could not be read, and why."""
    unreadable: dict[str, Finding] = {}
    for opened in part.opened:
        for finding in opened.incoming.findings if opened.incoming is not None else ():
            if finding.stops and finding.where.table == Order.sheet and finding.where.row:
                unreadable.setdefault(finding.where.row, finding)
    return unreadable
