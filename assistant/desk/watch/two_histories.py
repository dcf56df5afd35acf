"""A workbook and a ledger that went different ways: where they part, and what each has since.

That happens where two computers play on from one point, or a cloud folder puts the workbook of one beside the ledger of
the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Desk, Order
from assistant.desk.watch.change_marks import KEPT, Mark, marks_of, read_mark
from assistant.desk.watch.fingerprints import unpacked
from assistant.ledger import Ledger

R = TypeVar("R", bound=Record)


class Since(NamedTuple):
    """What a side has since the last point that both have in common: how many phases, and how many orders."""

    phases: int
    orders: int


class Parted(NamedTuple):
    """Two histories. `turn`, `phase`: where they were last the same; `line`: what had led to there; `book`, `ledger`:
    what each has since; `who`: on which computer the ledger was changed last.
    """

    turn: str
    phase: str
    line: tuple[int, ...]
    book: Since
    ledger: Since
    who: str


def parted(campaign: Campaign, ledger: Ledger, book_sha: str) -> Parted | None:
    """How a workbook and its ledger went different ways, None where they did not, or nobody can tell.

    Raises `LedgerTrouble`.
    """
    here, now = marks_of(campaign.desk.marks), ledger.mark_of(book_sha)
    if not here or not now or now in map(str, here):
        return None
    chain = ledger.chain(now)
    if str(here[-1]) in chain or ledger.left(str(here[-1])):
        return None
    way = list(chain)
    since = next((n for n, mark in enumerate(reversed(here)) if str(mark) in chain), len(here))
    point = str(here[-1 - since]) if since < len(here) else ""
    if point not in chain or (not point and len(here) == KEPT):
        return None
    theirs = way[:way.index(point)]
    first = ledger.left(point) or ledger.step(chain[theirs[-1]])
    assert first is not None
    then = ledger.manifest_known(first.id)
    desk: Desk | None = next(iter(_rows(ledger, then, Desk)), None)
    orders, ours = _keys(ledger, then), {row.ident for row in campaign.table(Order)}
    return Parted(desk.turn if desk else first.turn, desk.phase if desk else first.phase, first.line,
                  Since(_phases(here[len(here) - since:]), len(ours - orders)),
                  Since(_phases(map(read_mark, theirs)), len(_keys(ledger, ledger.manifest()) - orders)),
                  ledger.who([step.id for step in ledger.steps() if step.sha_before][-1]))


def _phases(marks: Iterable[Mark]) -> int:
    """How many phases these changes have resolved and not taken back."""
    return max(0, sum(mark.phases for mark in marks))


def _keys(ledger: Ledger, manifest: str) -> set[str]:
    """The keys of the orders that stood in the workbook when the ledger knew this."""
    return {row.ident for row in _rows(ledger, manifest, Order)}


def _rows(ledger: Ledger, manifest: str, record: type[R]) -> list[R]:
    one = json.loads(manifest or "{}").get(record.sheet)
    rows = [] if one is None else [row for name in one["chunks"]
                                   for row in unpacked(record, one["fields"], ledger.chunk(name))]
    return [row for row in rows if isinstance(row, record)]
