"""`share`, `export`, `standings`: copies for the clubs, the tables as CSV, and who leads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Faction
from assistant.desk.commands.map_pictures import Drawer, Pictures, draw_pictures, process_count, whole_map
from assistant.desk.commands.report import PUBLIC_NAME, faction_file_name, named_wording
from assistant.desk.next_steps import desk_lines, position_text
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.version_check import abort_on_data, find_second_copies
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    DueText,
    Workspace,
    abort,
    current_tokens,
    due_text,
    ensure_deadline,
    faction_code,
    factions_with_reports,
    file_abort,
    folder_abort,
    open_workspace,
    render_due,
)
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import SHARE
from assistant.post.club_form import form_of
from assistant.reporting.render import WHOLE
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import blocks_phase, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Wording, victory_sentences
from assistant.workbook import map_sheet
from assistant.workbook.club_copy import build_copy
from assistant.workbook.file_book import shows_map
from assistant.workbook.read.csv_folder import write_folder
from assistant.workbook.save import write_files
from assistant.workbook.screening import BookError
from assistant.workbook.write.new_workbook import paused_collection

if TYPE_CHECKING:
    import pandas as pd


# `share`.


def share(at: BookPlace, folder: Path, *, only: Sequence[str] = (), renew: str = "", by: str = "", lang: str = "",
          clock: datetime | None = None) -> Result:
    """Write everybody's copy and one a club. Nothing of the campaign changes; a workbook of before clubs had deputies
    gets the columns for them and for holidays.

    `only`: these factions' copies alone; `renew`: a faction whose copy went to a wrong address: it gets a new code, the
    old one counts no more; `by`: until when orders are due, in the words that the copies say (default: the deadline
    that the Desk sets, by what time it is, `clock`). Result data: ``files``,
    ``renewed``.
    """
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
        find_second_copies(sitting)
        added = _add_club_columns(sitting)
        known = factions_with_reports(sitting.campaign)
        wanted = [_known_faction(sitting, code, known) for code in (*only, *([renew] if renew else ()))]
        tokens = current_tokens(sitting, renew=_known_faction(sitting, renew, known) if renew else "")
        campaign = without_superseded(sitting.campaign)
        ensure_deadline(sitting, clock)
        due = due_text(sitting, by, clock)
        readers = list(dict.fromkeys(wanted) or ("", *known))
        pictures, unmade = _draw_maps(sitting, campaign, readers)
        with paused_collection():
            files = {copy_name(sitting.path.stem, code): copy_of(sitting.ruleset, campaign, code,
                                                                 tokens.get(code, ""), due,
                                                                 whole_map(pictures.get(code, ())))
                     for code in readers}
        write_files(folder, files)
    except Abort as stopped:
        return stopped.result("share")
    except BookError as fault:
        return file_abort(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("share")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the copies"), lang).result("share")
    result = Result("share", findings=[*sitting.second_copies, *sitting.reading.findings, *unmade],
                    wording=sitting.wording)
    result.data.update(folder=str(folder), files=list(files), renewed=renew)
    result.say(sitting.wording.plural(N_("{n} copy was written to {folder}."),
                                      N_("{n} copies were written to {folder}."), len(files), folder=str(folder)))
    if added:
        result.say(sitting.wording.text(N_("The sheet {sheet} has columns for deputies and holidays now; arbitro undo"
                                           " takes them off again."), sheet=Faction.sheet))
    if renew:
        text = N_("{faction:the} {faction?has|have} a new code: what comes back with the old one does not count.")
        result.say(sitting.wording.text(text, faction=renew))
    return result


def _draw_maps(sitting: Workspace, campaign: Campaign, readers: Sequence[str]) -> tuple[Pictures, list[Finding]]:
    """The maps for these copies, where the workbook shows one: each of its reader's own view."""
    if not shows_map(sitting.on_disk()):
        return {}, []
    return draw_pictures(Drawer(sitting.ruleset, campaign, None, (), "", process_count()), readers, [WHOLE])


def _add_club_columns(sitting: Workspace) -> bool:
    """Give an older workbook the columns for deputies and holidays; whether it lacked them. Raises `Stop`."""
    if not sitting.book.offer({Faction.sheet: ("deputy", "holidays")}):
        return False
    with open_for_writing(sitting, SHARE) as session:
        words, campaign = sitting.sheet_wording, sitting.campaign
        session.commit(SHARE, campaign.copy(), desk_lines(sitting.ruleset, campaign, words, sitting.typed_name, []))
    return True


def _known_faction(sitting: Workspace, typed: str, known: list[str]) -> str:
    code = faction_code(sitting.campaign, typed, sitting.wording)
    if code not in known:
        raise abort(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording, faction=typed,
                   list=", ".join(known))
    return code


def copy_name(stem: str, faction: str) -> str:
    """The name of a faction's copy, "" for everybody's. `stem`: of the workbook's name."""
    return f"{stem}-{faction_file_name(faction) if faction else PUBLIC_NAME}.xlsx"


def copy_language(campaign: Campaign, faction: str) -> str:
    """The language of a faction's copy; "" is everybody's."""
    row = campaign.table(Faction).get(faction)
    return (row.language if row is not None else "") or campaign.desk.language


def copy_of(ruleset: Ruleset, campaign: Campaign, faction: str, token: str = "", by: DueText = "",
            of_map: tuple[bytes, str] | None = None) -> bytes:
    """The bytes of a faction's copy, "" for everybody's, in its language. `token`, `by`: as `Form` has them; `of_map`:
    the map of that faction's view as PNG, and what it shows.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    view = ruleset.view(campaign, faction).copy()
    view.desk.language = copy_language(campaign, faction)
    words = named_wording(ruleset, view, view.desk.language)
    form = form_of(ruleset, view, faction, words, token, position_text(ruleset, view, words), render_due(by, words))
    copy = build_copy(ruleset, view, form, Path(copy_name(campaign.desk.title, faction)), words)
    return copy if of_map is None else map_sheet.add_map_to_copy(copy, *of_map, view.desk.language)


# Standings and accounts over the turns, as pandas tables; no phase depends on them.


HEADINGS = {"faction": N_("Faction"), "turn": N_("Turn"), "income": N_("Money in"), "spending": N_("Money out"),
            "balance": N_("Balance")}


def standings_table(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction with the figures that the book compares, as the ruleset lists them."""
    import pandas as pd

    return pd.DataFrame(ruleset.standings(campaign))


def accounts_table(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction and turn: money in, money out (0 or below), chest at the end, in the rulebook's unit.

    Turns stand in the order in which they were played. Empty where the ruleset keeps no accounts.
    """
    import pandas as pd

    rows = [{"faction": f.faction, "turn": b.turn, "income": max(b.amount, 0), "spending": min(b.amount, 0),
             "balance": b.balance}
            for f in campaign.table(Faction) if f.role not in OWNERLESS
            for b in ruleset.bookings(campaign, f.faction)]
    if not rows:
        return pd.DataFrame(columns=["faction", "turn", "income", "spending", "balance"])
    grouped = pd.DataFrame(rows).groupby(["faction", "turn"], sort=False)
    return grouped.agg(income=("income", "sum"), spending=("spending", "sum"),
                       balance=("balance", "last")).reset_index()


def table_lines(table: pd.DataFrame, wording: Wording) -> list[str]:
    """A table as lines of text with aligned columns, headings and words in the wording's language."""
    shown = table.map(lambda value: wording.word(value) if isinstance(value, str) else value)
    shown.columns = [wording.text(HEADINGS[name]) if name in HEADINGS else wording.figure(str(name))
                     for name in table.columns]
    return str(shown.to_string(index=False)).splitlines()


# `export`, `standings`.


def export(path: Path, folder: Path, *, lang: str = "") -> Result:
    """Write every table as CSV into a folder that `new --from` takes back. Result data: ``files``: rows by name."""
    try:
        sitting = open_workspace(path, lang)
        if any(blocks_phase(f) for f in sitting.reading.findings):
            raise Abort(Exit.REFUSED, sitting.reading.findings, sitting.lang, sitting.wording)
        write_folder(sitting.campaign, folder)
    except Abort as stopped:
        return stopped.result("export")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the tables"), lang).result("export")
    result = Result("export", findings=sitting.reading.findings, wording=sitting.wording)
    result.data.update(folder=str(folder), files={
        f"{t.record.file}.csv": len(t) for t in sitting.campaign.tables().values()
        if (len(t) or not t.record.quiet) and not t.record.apart})
    result.say(sitting.wording.plural(N_("{n} table was written to {folder}."),
                                      N_("{n} tables were written to {folder}."),
                                      len(result.data["files"]), folder=str(folder)))
    return result


def standings(at: BookPlace, *, lang: str = "") -> Result:
    """Who leads, or has won, and every chest over the turns. Result data: ``standings``, ``accounts``, of a campaign
    that is over ``result`` and ``winners`` as `status` has them.
    """
    try:
        sitting = open_workspace(at, lang)
    except Abort as stopped:
        return stopped.result("standings")
    result = Result("standings", findings=sitting.reading.findings, wording=sitting.wording)
    table = standings_table(sitting.ruleset, sitting.campaign)
    accounts = accounts_table(sitting.ruleset, sitting.campaign)
    result.data.update(turn=sitting.campaign.desk.turn, phase=sitting.campaign.desk.phase,
                       standings=table.to_dict("records"), accounts=accounts.to_dict("records"))
    if sitting.ruleset.is_over(sitting.campaign):
        public = sitting.ruleset.view(sitting.campaign, "")
        result.data.update(result=list(victory_sentences(sitting.ruleset, public, sitting.wording)),
                           winners=list(sitting.ruleset.ending(public).winners))
        result.lines += [*result.data["result"], ""]
    result.lines += table_lines(table, sitting.wording)
    if not accounts.empty:
        result.lines += ["", *table_lines(accounts, sitting.wording)]
    return result
