"""What servers report, and our own mails in our mailbox in; rows of the outbox that came back or were settled out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from assistant.ledger import Mail, Mark, Outbox
from assistant.post.inbox.arrived import Undelivered
from assistant.post.out.journal import Journal
from assistant.post.out.postman import FOUND


def row_of(told: Undelivered, rows: Sequence[Mail]) -> tuple[Mail, list[str]] | None:
    """The mail of which a failure tells, and the addresses that have not got it; None where it is none of ours.

    It is known by its Message-ID or by the header that is ours. An address that we do not know (one to which somebody
    forwards his mails) stands for the only one that the mail went to, where it went to one.
    """
    named = [one for one in rows if one.ident in told.mails]
    missing = {one.casefold() for one in told.addresses}
    for row in named:
        mine = [one for one in row.marks if one.casefold() in missing]
        if mine:
            return row, mine
    alone = [row for row in named if len(row.marks) == 1]
    return (alone[0], list(alone[0].marks)) if len(named) == 1 and alone else None


def mark_returned(box: Outbox, journal: Journal, failures: Iterable[Undelivered], now: str) -> list[Mail]:
    """Write down which mails came back, from which address and why; the rows that say so now and did not before.

    Raises `LedgerTrouble`, OSError.
    """
    changed: dict[str, Mail] = {}
    for told in failures:
        rows = [changed.get(row.ident, row) for row in box.rows()]
        known = row_of(told, rows)
        if known is None:
            continue
        row, addresses = known
        new = [one for one in addresses if row.marks[one].stage != "returned"]
        if new:
            changed[row.ident] = row.marked(dict.fromkeys(new, Mark("returned", now, told.cause)))
    _write(box, journal, changed.values())
    return list(changed.values())


def mark_found(box: Outbox, journal: Journal, own: Collection[str], now: str) -> list[Mail]:
    """Settle mails of which nobody could tell, and that lie in our own mailbox: the server has taken them.

    Raises `LedgerTrouble`, OSError.
    """
    found = [row.marked({one: replace(row.marks[one], stage="taken", at=now, cause=FOUND)
                         for one in row.at_stage("begun", "uncertain")})
             for row in box.rows() if row.ident in own and row.at_stage("begun", "uncertain")]
    _write(box, journal, found)
    return found


def _write(box: Outbox, journal: Journal, rows: Iterable[Mail]) -> None:
    rows = list(rows)
    if rows:
        box.mark(*rows)
        journal.add(rows)
