"""What stood in a copy's form when it was written: its rows in; one short line for its Desk out, and read again.

What is missing in a copy that comes back was taken out by its club only if it stood there before; and a form that says
what it said then was not filled in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import groupby

from assistant.campaign.records import Order, Question
from assistant.dataclass import dataclass
from assistant.late_regex import late_regex

NONE = "-"
"""What stands there where the form was blank."""
_APART, _TO, _PRINT = ", ", "\u2026", " #"
_ENDS = late_regex(r"(.*?)([1-9]\d{0,8})")
_RUN = late_regex(rf"(.*?)([1-9]\d{{0,8}}){_TO}([1-9]\d{{0,8}})")
_LONGEST = 10_000
"""A run of more numbers than that is none of ours."""


@dataclass(frozen=True)
class RowsSent:
    """`numbers`: of the orders that stood in a copy; `print`: what tells what its form said from anything else, ""
    where that is not known.
    """

    numbers: frozenset[str] = frozenset()
    print: str = ""

    @classmethod
    def of(cls, line: str) -> RowsSent:
        """What `told` said."""
        numbers, _, said = line.partition(_PRINT)
        found = frozenset(number for part in numbers.split(_APART) for number in _numbers(part.strip()))
        return cls(found, said.strip())


def told(orders: Iterable[Order], answers: Iterable[Question]) -> str:
    """The form of a copy in a line, such as ``1500-r1-V-1…3, 1500-r2-V-1 #5f3a9c1e``."""
    orders = list(orders)
    return _listed(order.order for order in orders) + _PRINT + print_of(orders, answers)


def print_of(orders: Iterable[Order], answers: Iterable[Question]) -> str:
    """What tells what a form says from anything else: its orders, in their order, and its answers."""
    said = [[" ".join(c.kind.show(getattr(row, c.name)).split()) for c in row.columns() if c.edit == "club" and
             not c.key and c.name != "seq"] for row in orders]
    given = sorted([one.ident, " ".join(one.answer.split())] for one in answers if one.answer.strip())
    text = repr((said, given))
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
