"""What lies beside a workbook: a sitting in; a finding for each second copy of workbook or ledger out.

Cloud folders make them, and what another program saved at the moment when we wrote is one, too.

It says where the copy stands, and how many orders or changes it has that are lacking here.
"""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk import codes
from assistant.desk.playing.play import Moment
from assistant.desk.sitting.sitting import Sitting
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.turn.findings import Finding
from assistant.wording import Verbatim
from assistant.workbook.book_errors import BookError
from assistant.workbook.file_book import reading_of
from assistant.workbook.safe.locks import conflicted_copies, copies_beside
from assistant.workbook.safe.saving import saved_meanwhile


def look_beside(sitting: Sitting) -> list[Finding]:
    """A warning for each copy of the workbook, then for each of its ledger; the sitting has them from then on, each as
    it was first seen: a command that changes something calls it before and afterwards, and says them all.
    """
    if sitting.book.live and not sitting.path.is_file():  # it lies in no folder
        return [*sitting.second_copies]
    known = {str(one.data["copy"]) for one in sitting.second_copies}
    try:
        late = [one.name for one in saved_meanwhile(sitting.path)]
        names = conflicted_copies(sitting.path, sitting.campaign.desk.campaign_id, known)
        ledgers = [one for one in copies_beside(path_of(sitting.path)) if one.name not in known]
    except OSError:  # a folder that may not be listed holds nothing that could be named
        return [*sitting.second_copies]
    sitting.second_copies += [_of_workbook(sitting, codes.SAVED_MEANWHILE, name) for name in late if name not in known]
    sitting.second_copies += [_of_workbook(sitting, codes.SECOND_COPY, name) for name in names]
    sitting.second_copies += [found for one in ledgers if (found := _of_ledger(sitting, one)) is not None]
    return [*sitting.second_copies]


def _of_workbook(sitting: Sitting, code: str, name: str) -> Finding:
    """What a copy of the workbook holds. One that cannot be read is named all the same."""
    data = {"copy": name, "book": sitting.path.name}
    try:
        reading = reading_of(name, sitting.path.resolve().with_name(name).read_bytes(), sitting.loader)
    except (BookError, OSError):
        return codes.finding(code, **data, when="?", n=0)
    if reading.ruleset is None:
        return codes.finding(code, **data, when="?", n=0)
    theirs, ours = reading.campaign, set(_orders(sitting.campaign))
    lacking = [order for order in _orders(theirs) if order not in ours]
    when = sitting.when(Moment(theirs.desk.turn, theirs.desk.phase))
    return codes.finding(code, **data, when=Verbatim(when), n=len(lacking))


def _orders(campaign: Campaign) -> list[tuple[tuple[str, str], ...]]:
    """What the clubs have written in their orders, without the numbers that Arbitro gives them and its verdicts."""
    if not campaign.has(Order.sheet):
        return []
    return [tuple(sorted((c.name, text[c.name]) for c in row.columns() if c.edit != "assistant" and c.name != "order"
                         and text.get(c.name)))
            for row in campaign.table(Order) for text in [row.as_text()]]


def _of_ledger(sitting: Sitting, copy: Path) -> Finding | None:
    """What a copy of the ledger knows; None for a file that is no ledger of this campaign."""
    try:
        with Ledger.open(copy, sitting.campaign.desk.campaign_id) as ledger:
            theirs = ledger.steps()
    except LedgerTrouble:
        return None
    try:
        with Ledger.open(path_of(sitting.path), "") as ledger:
            ours = ledger.steps()
    except LedgerTrouble:  # whoever needs it will say so
        ours = []
    lacking = [step for step in theirs if step not in ours]
    return codes.finding(codes.SECOND_LEDGER, copy=copy.name, ledger=path_of(sitting.path).name, book=sitting.path.name,
                         when=Verbatim(sitting.when(theirs[-1])) if theirs else "–", n=len(lacking))
