"""`send`: a campaign in; a mail a club and the gazette to all out, each once, or the reports to be sent by hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.evening.reports import EVERYBODY_S, answers_refused, dice_and_past, pictures_of, report
from assistant.desk.mailing.counter import ALL, NOBODY, Counter, PostWish
from assistant.desk.mailing.handing_over import hand_over
from assistant.desk.mailing.packages import Known, Package, packages_of, searched
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.deadline import By, keep_due, said_by
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.sitting import At, Sitting, reported_to, sit
from assistant.desk.sitting.stops import Stop, club_of, file_stop, folder_stop, of_one_moment, stop
from assistant.post.out.addresses import addresses_in
from assistant.post.out.clock import Clock
from assistant.post.out.settings import load
from assistant.turn.findings import Finding, Where
from assistant.turn.superseded import in_force
from assistant.wording import N_
from assistant.workbook.book_errors import BookError
from assistant.workbook.file_book import shows_map

UNSAID = PostWish()


@of_one_moment
def send(at: At, folder: Path, *, clock: Clock, wish: PostWish = UNSAID, by: str = "", lang: str = "",
         pictures: bool = False) -> Result:
    """Send each club its package, and everybody the gazette, once; what went out before does not go out again.

    Where no post is set up the reports are written into the folder, to be sent by hand, and it ends as refused; the
    ledger notes who gets them, and `undo` and `correct` go by that. With a dry run the folder gets the mails as
    ``.eml``, and nothing leaves. `by`, `pictures`: as for `report`. Result data: ``sent``: how many mails the
    server has taken now, ``mails``: of each its kind, faction, addresses with what became of them, size; without
    a post as `report`.
    """
    try:
        post = load()
        if post is None and not wish.dry:
            return _by_hand(at, folder, by, lang, clock.now(), pictures=pictures)
        sitting = sit(at, lang)
        stop_on_data(sitting)
        counter = Counter(sitting, post or NOBODY, clock, wish)
        if not wish.dry:
            keep_due(sitting, clock.now())
        return _sent(counter, folder, said_by(sitting, by, clock.now()), pictures=pictures)
    except Stop as stopped:
        return stopped.result("send")
    except BookError as fault:
        return file_stop(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("send")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the mails"), lang).result("send")


def _by_hand(at: At, folder: Path, by: str, lang: str, now: datetime, *, pictures: bool) -> Result:
    """The reports in the folder, for the referee to send."""
    result = report(at, folder, by=by, lang=lang, sent=True, clock=now, pictures=pictures)
    result.command = "send"
    if result.exit == Exit.DONE:
        result.find([codes.finding(codes.NOT_SENT, folder=str(folder))])
        result.data["sent"] = 0
        result.exit = Exit.REFUSED
    return result


def _sent(counter: Counter, folder: Path, by: By, *, pictures: bool) -> Result:
    sitting = counter.sitting
    result = Result("send", findings=sitting.reading.findings, wording=sitting.wording)
    counter.wish = wish = counter.wish.spelled(lambda typed: club_of(sitting.campaign, typed, sitting.wording))
    if wish.let_go and not wish.why.strip():
        raise stop(Exit.USAGE, codes.NO_REASON_TO_LET_GO, sitting.lang, sitting.wording)
    packages, missing = _packages(sitting, wish.only, by, pictures=pictures)
    result.find(missing)
    hand_over(counter, result, packages, folder)
    return result


def _packages(sitting: Sitting, only: Collection[str], by: By, *,
              pictures: bool) -> tuple[list[Package], list[Finding]]:
    """The packages of the factions that are meant, searched, and what keeps others from getting one."""
    known_as = reported_to(sitting.campaign)
    dice, past = dice_and_past(sitting, "")
    wanted = [code for code in known_as if code in only] if only else known_as
    public = not only or ALL in only
    shown, unmade = pictures_of(sitting, past, [*wanted, *([EVERYBODY_S] if public else [])]) if pictures else ({}, [])
    known = Known(sitting.ruleset, in_force(sitting.campaign), sitting.path.stem, dice, past, tokens_of(sitting), by,
                  answers_refused(sitting), shown, shows_map(sitting.on_disk()))
    packages = searched(known, packages_of(known, wanted, public=public))
    return packages, [*addresses_missing(sitting, wanted), *unmade]


def addresses_missing(sitting: Sitting, wanted: Sequence[str]) -> list[Finding]:
    """The factions of clubs without an address, and what stands in the column Mail and is none."""
    found = []
    for code in wanted:
        row = sitting.campaign.table(Faction)[code]
        where = Where(Faction.sheet, code, "mail")
        good, bad = addresses_in(row.mail)
        found += [codes.finding(codes.BAD_ADDRESS, where, code, seen=one) for one in bad]
        if not good and row.role != "robot":
            found.append(codes.finding(codes.NO_ADDRESS, where, code, faction=code))
    return sitting.placed(found)


__all__ = ["PostWish", "send"]
