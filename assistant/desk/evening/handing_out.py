"""`export`, `standings`: a campaign in; its tables as CSV out, or who leads and every chest."""

from __future__ import annotations

from pathlib import Path

from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import sit
from assistant.desk.sitting.stops import Stop, folder_stop
from assistant.reporting.verdict import verdict
from assistant.standings import accounts_of, as_text, standings_of
from assistant.turn.rows.misfits import keeps_phase
from assistant.wording import N_
from assistant.workbook.read.csvfolder import write_folder


def export(path: Path, folder: Path, *, lang: str = "") -> Result:
    """Write every table as CSV into a folder that `new --from` takes back. Result data: ``files``: rows by name."""
    try:
        sitting = sit(path, lang)
        if any(keeps_phase(f) for f in sitting.reading.findings):
            raise Stop(Exit.REFUSED, sitting.reading.findings, sitting.lang, sitting.wording)
        write_folder(sitting.campaign, folder)
    except Stop as stopped:
        return stopped.result("export")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the tables"), lang).result("export")
    result = Result("export", findings=sitting.reading.findings, wording=sitting.wording)
    result.data.update(folder=str(folder), files={
        f"{t.record.file}.csv": len(t) for t in sitting.campaign.tables().values()
        if len(t) or not t.record.quiet})
    result.say(sitting.wording.plural(N_("{n} table was written to {folder}."),
                                      N_("{n} tables were written to {folder}."),
                                      len(result.data["files"]), folder=str(folder)))
    return result


def standings(path: Path, *, lang: str = "") -> Result:
    """Who leads, or has won, and every chest over the turns. Result data: ``standings``, ``accounts``, of a campaign
    that is over ``result`` and ``winners`` as `status` has them.
    """
    try:
        sitting = sit(path, lang)
    except Stop as stopped:
        return stopped.result("standings")
    result = Result("standings", findings=sitting.reading.findings, wording=sitting.wording)
    table = standings_of(sitting.ruleset, sitting.campaign)
    accounts = accounts_of(sitting.ruleset, sitting.campaign)
    result.data.update(turn=sitting.campaign.desk.turn, phase=sitting.campaign.desk.phase,
                       standings=table.to_dict("records"), accounts=accounts.to_dict("records"))
    if sitting.ruleset.is_over(sitting.campaign):
        public = sitting.ruleset.view(sitting.campaign, "")
        result.data.update(result=list(verdict(sitting.ruleset, public, sitting.wording)),
                           winners=list(sitting.ruleset.ending(public).winners))
        result.lines += [*result.data["result"], ""]
    result.lines += as_text(table, sitting.wording)
    if not accounts.empty:
        result.lines += ["", *as_text(accounts, sitting.wording)]
    return result
