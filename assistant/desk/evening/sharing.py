"""`share`: a campaign and a folder in; the public workbook and one copy a club out, each made of its view alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.evening.reports import EVERYBODY, file_name, words_of
from assistant.desk.playing.next_steps import where_of
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.sitting import At, Sitting, reported_to, sit
from assistant.desk.sitting.stops import Stop, club_of, file_stop, folder_stop, stop
from assistant.post.forms import form_of
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force
from assistant.wording import N_
from assistant.workbook.book_errors import BookError
from assistant.workbook.copies.club_copy import build_copy
from assistant.workbook.safe.saving import write_files
from assistant.workbook.write.fixed_bytes import paused_collection


def share(at: At, folder: Path, *, only: Sequence[str] = (), renew: str = "", by: str = "", lang: str = "") -> Result:
    """Write everybody's copy and one a club. Nothing of the campaign changes.

    `only`: these factions' copies alone; `renew`: a faction whose copy went to a wrong address: it gets a new code, the
    old one counts no more; `by`: until when orders are due, in the words that the copies say. Result data: ``files``,
    ``renewed``.
    """
    try:
        sitting = sit(at, lang)
        sitting.stop_on_data()
        known = reported_to(sitting.campaign)
        wanted = [_known(sitting, code, known) for code in (*only, *([renew] if renew else ()))]
        tokens = tokens_of(sitting, renew=_known(sitting, renew, known) if renew else "")
        campaign = in_force(sitting.campaign)
        with paused_collection():
            files = {copy_name(sitting.path.stem, code): copy_of(sitting.ruleset, campaign, code,
                                                                 tokens.get(code, ""), by)
                     for code in (dict.fromkeys(wanted) or ("", *known))}
        write_files(folder, files)
    except Stop as stopped:
        return stopped.result("share")
    except BookError as fault:
        return file_stop(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("share")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the copies"), lang).result("share")
    result = Result("share", findings=sitting.reading.findings, wording=sitting.wording)
    result.data.update(folder=str(folder), files=list(files), renewed=renew)
    result.say(sitting.wording.plural(N_("{n} copy was written to {folder}."),
                                      N_("{n} copies were written to {folder}."), len(files), folder=str(folder)))
    if renew:
        said = N_("{faction:the} {faction?has|have} a new code: what comes back with the old one does not count.")
        result.say(sitting.wording.text(said, faction=renew))
    return result


def _known(sitting: Sitting, typed: str, known: list[str]) -> str:
    code = club_of(sitting.campaign, typed, sitting.wording)
    if code not in known:
        raise stop(Exit.USAGE, codes.NO_SUCH_FACTION, sitting.lang, sitting.wording, faction=typed,
                   list=", ".join(known))
    return code


def copy_name(stem: str, faction: str) -> str:
    """The name of a faction's copy, "" for everybody's. `stem`: of the workbook's name."""
    return f"{stem}-{file_name(faction) if faction else EVERYBODY}.xlsx"


def copy_of(ruleset: Ruleset, campaign: Campaign, faction: str, token: str = "", by: str = "") -> bytes:
    """The bytes of a faction's copy, "" for everybody's, in its language. `token`, `by`: as `Form` has them.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    view = ruleset.view(campaign, faction).copy()
    row = campaign.table(Faction).get(faction)
    view.desk.language = (row.language if row is not None else "") or campaign.desk.language
    words = words_of(ruleset, view, view.desk.language)
    form = form_of(ruleset, view, faction, words, token, where_of(ruleset, view, words), " ".join(by.split()))
    return build_copy(ruleset, view, form, Path(copy_name(campaign.desk.title, faction)), words)
