"""What a club's copy changes: its rows in; each order and answer new, changed, as it was, withdrawn or refused out.

A copy stands for all that its club has ordered through copies: what was collected earlier, and what stood in it as it
was sent. What no longer stands in it is withdrawn; what the referee took otherwise stays. Lines stand for nothing but
themselves: they are added, and count after what was there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import number
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Order, Question
from assistant.desk import codes
from assistant.desk.collecting.newest import Part
from assistant.desk.intake.merging import Merge, Taken, content
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.answers.bad_answers import bad_answer
from assistant.turn.battle_form.club_form import is_report
from assistant.turn.battle_form.halves import line_and_rows
from assistant.turn.findings import Finding
from assistant.turn.rows.misfits import is_emptied
from assistant.turn.ruleset import Ruleset

How = Literal["new", "changed", "same", "withdrawn", "refused"]


@dataclass(frozen=True)
class Row:
    """What became of a row. `row`: as it stands now; `before`: as it stood, None where nothing did."""

    how: How
    kind: str
    row: Record
    before: Record | None = None
    finding: Finding | None = None


class Replacing:
    """Takes parts into `after`, which starts as a copy of `before`."""

    def __init__(self, ruleset: Ruleset, before: Campaign, after: Campaign) -> None:
        self._ruleset, self._before, self._after = ruleset, before, after
        self._merge = Merge(ruleset, before, after, twins=False)

    def take(self, part: Part, earlier: Collection[str], refused: Mapping[str, Finding]) -> list[Row]:
        """Take what a part says. `earlier`: keys of what was collected of its kind before; `refused`: orders in it that
        could not be read -> why.
        """
        return list(self._answers(part, earlier) if part.kind == "answers" else self._orders(part, earlier, refused))

    def other(self, row: Record, key: str) -> Row:
        """Take a die, a result or a part of a form, which no faction's copy stands for."""
        return self._said(self._merge.take(row, key))

    def _said(self, taken: Taken, how: How | None = None) -> Row:
        row = taken.row
        before = self._before.by_sheet(row.sheet).get(row.ident)
        return Row(how or taken.how, taken.kind, row, None if before is None else before.copy(), taken.finding)

    # --- orders -----------------------------------------------------------------------------
    def _orders(self, part: Part, earlier: Collection[str], refused: Mapping[str, Finding]) -> Iterator[Row]:
        rows = [row for row in part.rows if isinstance(row, Order)]
        given = [row for row in rows if not is_emptied(row)]
        ours = self._controlled(part, earlier) if part.stands else []
        places = self._places(given, ours, part.numbered)
        kept: list[tuple[Order, Order]] = []
        made: list[Taken] = []
        for row, place in zip(given, places, strict=True):
            before = self._before.table(Order).get(place)
            if row.order in refused:
                yield Row("refused", "order", row, before, refused[row.order])
                continue
            fresh = row.copy()
            fresh.order = place
            if row.order in part.numbered:
                fresh.seq = before.seq if before is not None else None
            taken = self._merge.take(fresh)
            standing = self._after.table(Order).get(taken.row.ident)
            if taken.how != "refused" and standing is not None:
                kept.append((row, standing))
            made.append(taken)
        self._in_order(kept)
        last = set() if part.stands else self._to_the_end([standing for _, standing in kept])
        moved = last | self._moved([one.row.ident for one in made if one.how == "same"])
        yield from (self._said(one, "changed" if one.row.ident in moved else None) for one in made)
        left = [one for one in ours if one not in places]
        table = self._after.table(Order)
        left += [one for row in rows if is_emptied(row) and (one := table.spelled(row.order)) not in left]
        for one in left:
            if one not in table:
                yield Row("refused", "order", table.record(order=one), None, codes.finding(
                    codes.NOTHING_TO_WITHDRAW, order=one, faction=part.faction))
                continue
            stood = table[one].copy()
            taken = self._merge.take(table.record(order=one))
            if taken.how == "changed":
                said = self._said(taken, "withdrawn")
                yield said if said.before is not None else replace(said, before=stood)

    def _controlled(self, part: Part, earlier: Collection[str]) -> list[str]:
        """The orders that the part stands for and that may still be changed, in natural order."""
        table = self._after.table(Order)
        there = ((one, table.get(one)) for one in {*earlier, *part.sent})
        return sorted((one for one, row in there if row is not None and row.faction == part.faction and not row.status
                       and self._merge.is_open(row)), key=natural)

    def _places(self, given: Sequence[Order], ours: Sequence[str], numbered: Collection[str]) -> list[str]:
        """Under which number each row is taken: its own; that of an order that says the same; that of one which stands
        there no longer; "" for a new one.
        """
        table = self._after.table(Order)
        places = ["" if row.order in numbered else row.order for row in given]
        free = [one for one in ours if one not in places]
        others = [key for key, row in table.in_file_order() if key not in ours and key not in places]
        for alike in (True, False):
            for i, row in enumerate(given):
                if places[i]:
                    continue
                pool = [*free, *others] if alike else free
                found = next((one for one in pool if (old := table[one]).faction == row.faction
                              and (content(old) == content(row) if alike else _when(old) == _when(row))), "")
                if found:
                    places[i] = found
                    (free if found in free else others).remove(found)
        return places

    def _moved(self, same: Sequence[str]) -> set[str]:
        """Of orders that say the same as before those that count in another order now, by their numbers."""
        then, now = ({one: number(row.seq) or 0 for one in same if (row := table.get(one)) is not None}
                     for table in (self._before.table(Order), self._after.table(Order)))
        same = [one for one in same if one in then]
        if sorted(same, key=lambda one: then[one]) == sorted(same, key=lambda one: now[one]):
            return set()
        return {one for one in same if then[one] != now[one]}

    def _in_order(self, kept: Sequence[tuple[Order, Order]]) -> None:
        """Let the orders of a phase count in the order in which they stand in the part: they share out their places."""
        groups: dict[tuple[str, str], list[tuple[Order, Order]]] = {}
        for row, standing in kept:
            if not standing.status:
                groups.setdefault(_when(standing), []).append((row, standing))
        for group in groups.values():
            wanted = _as_ordered(group)
            free = sorted(number(standing.seq) or 0 for _, standing in group)
            for (_, standing), seq in zip(wanted, free, strict=True):
                if standing.seq != seq:
                    standing.seq = seq

    def _to_the_end(self, rows: Sequence[Order]) -> set[str]:
        """Let the orders of lines count after all that came before them; the numbers of those that are moved for it."""
        ours, found = {row.order for row in rows}, set[str]()
        for when in dict.fromkeys(_when(row) for row in rows if not row.status):
            group = [row for row in rows if not row.status and _when(row) == when]
            others = [number(row.seq) or 0 for _, row in self._after.table(Order).in_file_order()
                      if row.order not in ours and _when(row) == when and row.faction == group[0].faction
                      and not is_emptied(row)]
            first = min(number(row.seq) or 0 for row in group)
            if others and max(others) > first:
                last = max(*others, *(number(row.seq) or 0 for row in group))
                for place, row in enumerate(sorted(group, key=lambda row: number(row.seq) or 0), last + 1):
                    row.seq = place
                    found.add(row.order)
        return found

    # --- answers ----------------------------------------------------------------------------
    def _answers(self, part: Part, earlier: Collection[str]) -> Iterator[Row]:
        table, given = self._after.table(Question), set[str]()
        for row in part.rows:
            if not isinstance(row, Question):
                continue
            given.add(row.ident)
            asked = table.get(row.ident)
            if asked is not None:
                row = _answered(asked, row.answer if part.is_form else self._beside(row, asked.answer))
            questions, findings = self._ruleset.questions, self._ruleset.findings
            wrong = None if row.stands else bad_answer(questions, findings, self._after, row)
            if wrong is not None:
                yield Row("refused", "answer", row, asked, Finding(wrong.code, "error", wrong.where, wrong.data))
            else:
                yield self._said(self._merge.take(row))
        for key in sorted(earlier, key=natural) if part.is_form else ():
            asked = table.get(key)
            if asked is not None and key not in given and asked.answer.strip() and (
                    asked.status == "open" or (key in part.offered and not asked.status)):
                before = asked.copy()
                asked.answer = ""
                yield Row("withdrawn", "answer", asked.copy(), before)

    def _beside(self, row: Question, now: str) -> str:
        """A line's report on a battle, beside what has come of its club since the campaign was as it was read; `now`:
        what is reported by now. A result takes the place of all, a further row stands beside it.
        """
        form, was = self._ruleset.form, self._before.table(Question).get(row.ident)
        before = was.answer if was is not None else ""
        if form is None or now == before or not now.strip() or not is_report(form, row, row.to):
            return row.answer
        more = row.answer.removeprefix(f"{before}; ") if before else row.answer
        with suppress(Unfit):
            if not line_and_rows(form, self._after, _answered(row, more))[0]:
                return f"{now}; {more}"
        return row.answer


def _answered(asked: Question, answer: str) -> Question:
    row = asked.copy()
    row.answer = answer
    return row


def _as_ordered(group: Sequence[tuple[Order, Order]]) -> list[tuple[Order, Order]]:
    """Rows in the order in which they count; one without a place comes after the row above it."""
    found, last = list[tuple[int, int]](), 0
    for i, (row, _) in enumerate(group):
        last = number(row.seq) or last
        found.append((last, i))
    return [group[i] for _, i in sorted(found)]


def _when(row: Order) -> tuple[str, str]:
    return row.turn, row.phase


def unreadable(part: Part) -> dict[str, Finding]:
    """The orders of a part that could not be read, and why."""
    found: dict[str, Finding] = {}
    for one in part.opened:
        for finding in one.incoming.findings if one.incoming is not None else ():
            if finding.stops and finding.where.table == Order.sheet and finding.where.row:
                found.setdefault(finding.where.row, finding)
    return found
