"""`send`: a campaign in; its reports out, and the word that they are to be sent by hand: the post is not built yet."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from assistant.desk import codes
from assistant.desk.evening.reports import report
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import At


def send(at: At, folder: Path, *, by: str = "", lang: str = "", clock: datetime | None = None) -> Result:
    """Write the reports into a folder and say that they are to be sent by hand: nothing leaves this computer.

    The post will stand here; the doors call this already. Ends as refused, because what it is called for was not
    done; the ledger notes who gets them, and `undo` and `correct` go by that. `by`, `clock`: as for `report`. Result
    data: as `report`, and ``sent``: 0.
    """
    result = report(at, folder, by=by, lang=lang, sent=True, clock=clock)
    result.command = "send"
    if result.exit == Exit.DONE:
        result.find([codes.finding(codes.NOT_SENT, folder=str(folder))])
        result.data["sent"] = 0
        result.exit = Exit.REFUSED
    return result
