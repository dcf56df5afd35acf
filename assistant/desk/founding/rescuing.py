"""`ledger --rescue`: a damaged ledger in; the newest whole one in its place out, and what is not in it."""

from __future__ import annotations

from pathlib import Path

from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import sit
from assistant.desk.sitting.stops import Stop, file_stop
from assistant.ledger import LedgerTrouble, path_of
from assistant.ledger.rescue import rescue
from assistant.wording import N_
from assistant.workbook.book_errors import BookError


def rescue_ledger(path: Path, *, lang: str = "") -> Result:
    """Put the newest whole ledger of a workbook's campaign in the place of a damaged one; the workbook stays as it is.

    Result data: ``kept``: the file's name under which the damaged one lies there now, "" where it was whole; ``taken``:
    the name of the whole one; ``steps``: how many changes it knows.
    """
    try:
        sitting = sit(path, lang)
        with sitting.claim("ledger --rescue"):
            found = rescue(path_of(path), sitting.campaign.desk.campaign_id)
    except Stop as stopped:
        return stopped.result("ledger")
    except LedgerTrouble as trouble:
        return sitting.ledger_stop(trouble).result("ledger")
    except (BookError, OSError) as fault:
        return file_stop(fault, path_of(path), sitting.lang, sitting.wording).result("ledger")
    words = sitting.wording
    result = Result("ledger", Exit.DONE, wording=words)
    result.data.update(kept=found.kept, taken=found.taken, steps=found.steps)
    if found.kept:
        result.say(words.text(N_("The whole ledger {file} has taken the place of the damaged one, which lies beside the"
                                 " workbook as {kept}."), file=found.taken, kept=found.kept))
    else:
        result.say(words.text(N_("The ledger {file} is whole: nothing was changed."), file=found.taken))
    return result
