"""A workbook and a ledger that went different ways: where they part, and what each has since.

That happens where two computers play on from one point, or a cloud folder puts the workbook of one beside the ledger of
the other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.watch.change_marks import Mark, marks_of, read_mark
from assistant.desk.watch.fingerprints import unpacked
from assistant.ledger import Ledger, Step


class Since(NamedTuple):
    """What a side has since the last point that both have in common: how many phases, and how many orders."""

    phases: int
    orders: int


class Parted(NamedTuple):
    """Two histories. `common`: the change before which they were last the same; `book`, `ledger`: what each has since;
    `who`: on which computer the ledger was changed last.
    """

    common: Step
    book: Since
    ledger: Since
    who: str


def parted(campaign: Campaign, ledger: Ledger, book_sha: str) -> Parted | None:
    """How a workbook and its ledger went different ways, None where they did not, or nobody can tell.

    Raises `LedgerTrouble`.
    """
    here = marks_of(campaign.desk.marks)
    now, known = ledger.mark_of(book_sha), ledger.marks()
    if not here or not known or str(here[-1]) in known or now in map(str, here):
        return None
    common = next((n for n in reversed(range(len(here))) if str(here[n]) in known), -1)
    point = str(here[common]) if common >= 0 else ""
    steps = [step for step in ledger.steps() if step.sha_before]
    first = next((one for one in steps if ledger.mark_before(one.id) == point and ledger.mark_after(one.id)), None)
    if first is None:
        return None
    then = _order_keys(ledger, ledger.manifest_before(first.id))
    ours = {row.ident for row in campaign.table(Order)}
    return Parted(first, Since(_phases(here[common + 1:]), len(ours - then)),
                  Since(_phases(_way(ledger, now, point)), len(_order_keys(ledger, ledger.manifest()) - then)),
                  ledger.who(steps[-1].id))


def _phases(marks: Sequence[Mark]) -> int:
    return sum(mark.phases for mark in marks)


def _way(ledger: Ledger, mark: str, until: str) -> list[Mark]:
    """The marks that led from one to another, the last one first."""
    found, known = list[Mark](), ledger.marks()
    while mark and mark != until and mark in known:
        found.append(read_mark(mark))
        mark = ledger.mark_before(known[mark])
    return found


def _order_keys(ledger: Ledger, manifest: str) -> set[str]:
    """The keys of the orders that stood in the workbook when the ledger knew this."""
    one = json.loads(manifest or "{}").get(Order.sheet)
    return set() if one is None else {
        row.ident for name in one["chunks"] for row in unpacked(Order, one["fields"], ledger.chunk(name))}
