"""The outbox in; what is to be said of mails that somebody has not got out: refused, waiting, uncertain, come back."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.ledger import Ledger, Mail
from assistant.turn.findings import Finding, Where
from assistant.wording import Verbatim, Wording
from assistant.workbook.port import DeskLines


def of_mail(row: Mail, book: str) -> list[Finding]:
    """What is to be said of a mail that somebody has not got. `book`: the workbook's name."""
    where = Where(Faction.sheet, row.faction, "mail") if row.faction else Where()
    whom: dict[str, object] = {"faction": row.faction} if row.faction else {"faction": "", "all": "yes"}
    code = Verbatim(row.faction or "all")
    found = [codes.finding(codes.MAIL_REFUSED, where, row.faction, address=Verbatim(one), book=book,
                           cause=Verbatim(row.marks[one].cause), **whom) for one in row.at_stage("refused")]
    found += [codes.finding(codes.MAIL_RETURNED, where, row.faction, address=Verbatim(one), book=book, code=code,
                            cause=Verbatim(row.marks[one].cause), **whom) for one in row.at_stage("returned")]
    waiting, unknown = row.at_stage("recorded"), row.at_stage("uncertain")
    if waiting and row.marks[waiting[0]].cause:
        found.append(codes.finding(codes.MAIL_WAITS, list=Verbatim(", ".join(waiting)), book=book,
                                   cause=Verbatim(row.marks[waiting[0]].cause)))
    if unknown:
        found.append(codes.finding(codes.MAIL_UNCERTAIN, list=Verbatim(", ".join(unknown)), book=book, code=code))
    return found


def still_troubled(rows: Sequence[Mail], book: str) -> list[Finding]:
    """What is to be said of all mails: of an address that a later mail of the kind has reached since no more."""
    found = []
    for place, row in enumerate(rows):
        later = {one for after in rows[place + 1:] if (after.kind, after.faction) == (row.kind, row.faction)
                 for one in after.at_stage("taken")}
        settled = [one for one in row.at_stage("refused", "returned") if one in later]
        left = {one: mark for one, mark in row.marks.items() if one not in settled}
        found += of_mail(row.only(left), book)
    return found


def with_mails(lines: DeskLines, ledger: Ledger, words: Wording, book: str) -> DeskLines:
    """The words of the Desk, before its next steps what is to be said of mails. `book`: the workbook's name. Raises
    `LedgerTrouble`.
    """
    told = tuple(words.finding(one) for one in still_troubled(ledger.outbox.rows(), book))
    return lines._replace(next_steps=(*told, *lines.next_steps)) if told else lines
