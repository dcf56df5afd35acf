"""`share`: a campaign and a folder in; the public workbook and one copy a club out, each made of its view alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.depicting.pictured import Drawer, Pictures, drawn_for, map_of, processes
from assistant.desk.evening.reports import EVERYBODY, file_name, words_of
from assistant.desk.playing.next_steps import desk_lines, where_of
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.deadline import By, keep_due, said_by, shown
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.second_copies import look_beside
from assistant.desk.sitting.session import at_work
from assistant.desk.sitting.sitting import At, Sitting, reported_to, sit
from assistant.desk.sitting.stops import Stop, club_of, file_stop, folder_stop, stop
from assistant.ledger import SHARE
from assistant.post.forms import form_of
from assistant.reporting.shelf.insets import WHOLE
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force
from assistant.wording import N_
from assistant.workbook import maps
from assistant.workbook.book_errors import BookError
from assistant.workbook.copies.club_copy import build_copy
from assistant.workbook.file_book import shows_map
from assistant.workbook.safe.saving import write_files
from assistant.workbook.write.fixed_bytes import paused_collection


def share(at: At, folder: Path, *, only: Sequence[str] = (), renew: str = "", by: str = "", lang: str = "",
          clock: datetime | None = None) -> Result:
    """Write everybody's copy and one a club. Nothing of the campaign changes; a workbook of before clubs had deputies
    gets the columns for them and for holidays.

    `only`: these factions' copies alone; `renew`: a faction whose copy went to a wrong address: it gets a new code, the
    old one counts no more; `by`: until when orders are due, in the words that the copies say (default: the deadline
    that the Desk sets, by what time it is, `clock`). Result data: ``files``,
    ``renewed``.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        look_beside(sitting)
        added = _with_columns(sitting)
        known = reported_to(sitting.campaign)
        wanted = [_known(sitting, code, known) for code in (*only, *([renew] if renew else ()))]
        tokens = tokens_of(sitting, renew=_known(sitting, renew, known) if renew else "")
        campaign = in_force(sitting.campaign)
        keep_due(sitting, clock)
        due = said_by(sitting, by, clock)
        readers = list(dict.fromkeys(wanted) or ("", *known))
        pictures, unmade = _maps(sitting, campaign, readers)
        with paused_collection():
            files = {copy_name(sitting.path.stem, code): copy_of(sitting.ruleset, campaign, code,
                                                                 tokens.get(code, ""), due,
                                                                 map_of(pictures.get(code, ())))
                     for code in readers}
        write_files(folder, files)
    except Stop as stopped:
        return stopped.result("share")
    except BookError as fault:
        return file_stop(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("share")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the copies"), lang).result("share")
    result = Result("share", findings=[*sitting.second_copies, *sitting.reading.findings, *unmade],
                    wording=sitting.wording)
    result.data.update(folder=str(folder), files=list(files), renewed=renew)
    result.say(sitting.wording.plural(N_("{n} copy was written to {folder}."),
                                      N_("{n} copies were written to {folder}."), len(files), folder=str(folder)))
    if added:
        result.say(sitting.wording.text(N_("The sheet {sheet} has columns for deputies and holidays now; arbitro undo"
                                           " takes them off again."), sheet=Faction.sheet))
    if renew:
        said = N_("{faction:the} {faction?has|have} a new code: what comes back with the old one does not count.")
        result.say(sitting.wording.text(said, faction=renew))
    return result


def _maps(sitting: Sitting, campaign: Campaign, readers: Sequence[str]) -> tuple[Pictures, list[Finding]]:
    """The maps for these copies, where the workbook shows one: each of its reader's own view."""
    if not shows_map(sitting.on_disk()):
        return {}, []
    return drawn_for(Drawer(sitting.ruleset, campaign, None, (), "", processes()), readers, [WHOLE])


def _with_columns(sitting: Sitting) -> bool:
    """Give an older workbook the columns for deputies and holidays; whether it lacked them. Raises `Stop`."""
    if not sitting.book.offer({Faction.sheet: ("deputy", "holidays")}):
        return False
    with at_work(sitting, SHARE) as session:
        words, campaign = sitting.sheet_wording, sitting.campaign
        session.commit(SHARE, campaign.copy(), desk_lines(sitting.ruleset, campaign, words, sitting.typed_name, []))
    return True


def _known(sitting: Sitting, typed: str, known: list[str]) -> str:
    code = club_of(sitting.campaign, typed, sitting.wording)
    if code not in known:
        raise stop(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording, faction=typed,
                   list=", ".join(known))
    return code


def copy_name(stem: str, faction: str) -> str:
    """The name of a faction's copy, "" for everybody's. `stem`: of the workbook's name."""
    return f"{stem}-{file_name(faction) if faction else EVERYBODY}.xlsx"


def language_of(campaign: Campaign, faction: str) -> str:
    """The language of a faction's copy; "" is everybody's."""
    row = campaign.table(Faction).get(faction)
    return (row.language if row is not None else "") or campaign.desk.language


def copy_of(ruleset: Ruleset, campaign: Campaign, faction: str, token: str = "", by: By = "",
            of_map: tuple[bytes, str] | None = None) -> bytes:
    """The bytes of a faction's copy, "" for everybody's, in its language. `token`, `by`: as `Form` has them; `of_map`:
    the map of that faction's view as PNG, and what it shows.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    view = ruleset.view(campaign, faction).copy()
    view.desk.language = language_of(campaign, faction)
    words = words_of(ruleset, view, view.desk.language)
    form = form_of(ruleset, view, faction, words, token, where_of(ruleset, view, words), shown(by, words))
    copy = build_copy(ruleset, view, form, Path(copy_name(campaign.desk.title, faction)), words)
    return copy if of_map is None else maps.with_map(copy, *of_map, view.desk.language)
