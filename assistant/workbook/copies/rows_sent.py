"""What stood in a copy's form when it was written: its rows in; one short line for its Desk out, and read again.

What is missing in a copy that comes back was taken out by its club only if it stood there before; and a form that says
what it said then was not filled in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.campaign.records import FormRow, Order, Question
from assistant.turn.battle_form.club_form import ClubForm
from assistant.turn.battle_form.form_rows import in_words, says_anything

NONE = "-"
"""What stands there where the form was blank."""
_APART, _TO, _PRINT, _ROW, _LAID = ", ", "\u2026", " #", " =", " ~"
_ENDS = re.compile(r"(.*?)([1-9]\d{0,8})")
_RUN = re.compile(rf"(.*?)([1-9]\d{{0,8}}){_TO}([1-9]\d{{0,8}})")
_LONGEST = 10_000
"""A run of more numbers than that is none of ours."""


@dataclass(frozen=True)
class RowsSent:
    """`numbers`: of the orders that stood in a copy; `print`: what tells what its form said from anything else, ""
    where that is not known; `rows`: the same of each further row of a battle's form in which somebody else had typed;
    `laid`: what tells which further rows stood there, "" for none.
    """

    numbers: frozenset[str] = frozenset()
    print: str = ""
    rows: frozenset[str] = frozenset()
    laid: str = ""

    @classmethod
    def of(cls, line: str) -> RowsSent:
        """What `told` said."""
        numbers, _, said = line.partition(_PRINT)
        found = frozenset(number for part in numbers.split(_APART) for number in _numbers(part.strip()))
        said, _, laid = said.strip().partition(_LAID)
        whole, *rows = said.split(_ROW)
        return cls(found, whole, frozenset(rows), laid)


def told(orders: Iterable[Order], answers: Iterable[Question], forms: Iterable[FormRow] = (),
         battles: Sequence[ClubForm] = ()) -> str:
    """The form of a copy in a line, such as ``1500-r1-V-1…3, 1500-r2-V-1 #5f3a9c1e``. `forms`: the further rows of open
    battles; `battles`: the forms of these.
    """
    orders = list(orders)
    rows = "".join(f"{_ROW}{print_of_row(row)}" for one in battles for row in one.typed)
    laid = print_of_laid(battles)
    return _listed(order.order for order in orders) + _PRINT + print_of(orders, answers, forms) + rows + (
        f"{_LAID}{laid}" if laid else "")


def print_of_laid(battles: Iterable[ClubForm]) -> str:
    """What tells the further rows that stand there without the club, "" for none."""
    laid = [one.laid for one in battles if one.laid]
    return _short(repr(laid)) if laid else ""


def print_of_row(row: FormRow) -> str:
    """What tells what a further row says from anything else."""
    return _short(repr((row.sheet, row.battle, in_words(row))))


def print_of(orders: Iterable[Order], answers: Iterable[Question], forms: Iterable[FormRow] = ()) -> str:
    """What tells what a form says from anything else: its orders, in their order, its answers and further rows."""
    said = [[" ".join(c.kind.show(getattr(row, c.name)).split()) for c in row.columns() if c.edit == "club" and
             not c.key and c.name != "seq"] for row in orders]
    given = sorted([one.ident, " ".join(one.answer.split())] for one in answers if one.answer.strip())
    rows = sorted(print_of_row(row) for row in forms if says_anything(row))
    return _short(repr((said, given, rows) if rows else (said, given)))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _listed(numbers: Iterable[str]) -> str:
    split = [(found[1], int(found[2])) if (found := _ENDS.fullmatch(one)) else (one, 0)
             for one in dict.fromkeys(numbers)]
    runs = groupby(enumerate(split), key=lambda one: (one[1][0], one[1][1] - one[0]) if one[1][1] else one[0])
    return _APART.join(_run([one for _, one in run]) for _, run in runs) or NONE


def _run(run: list[tuple[str, int]]) -> str:
    stem, first = run[0]
    more = f"{_TO}{run[-1][1]}" if len(run) > 1 else ""
    return f"{stem}{first}{more}" if first else stem


def _numbers(part: str) -> Iterator[str]:
    run = _RUN.fullmatch(part)
    if run is not None and 0 <= int(run[3]) - int(run[2]) < _LONGEST:
        yield from (f"{run[1]}{number}" for number in range(int(run[2]), int(run[3]) + 1))
    elif part not in ("", NONE):
        yield part
