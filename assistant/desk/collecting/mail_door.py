"""`collect` from a mailbox, in which nothing is marked: a door's wishes in; the mails taken in and answered out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from imaplib import IMAP4
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival, lying_in
from assistant.desk.collecting.collecting import Collected, taken_in
from assistant.desk.collecting.from_mail import Brought, Mailed, brought_by
from assistant.desk.collecting.receipt_mails import answer_mails, replies, say_strangers
from assistant.desk.mailing.counter import Counter, PostWish
from assistant.desk.mailing.packages import RECEIPT
from assistant.desk.mailing.returned import mark_found, mark_returned, row_of
from assistant.desk.mailing.told_of_mails import of_troubles
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import codes_of
from assistant.desk.sitting.mail_troubles import of_mail
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.session import at_work
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, club_of, folder_stop, stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.inbox.imap_folder import Fetched, mails_in
from assistant.post.inbox.mail_html import lines_of_html
from assistant.post.inbox.what_counts import Sent
from assistant.post.out.clock import Clock
from assistant.post.out.connecting import PROBLEMS, PostTrouble, mailbox, trouble_of
from assistant.post.out.journal import Journal
from assistant.post.out.settings import PASSWORD, Post, Server, home, load, password
from assistant.reporting.build import build_page
from assistant.reporting.render import render_html, render_text
from assistant.turn.findings import Finding
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording

_SEEN = "mails.read"
"""Under which key the ledger keeps the mails that were looked at: key -> the turn in which they came."""
UNSENT = 30
"""So many days back mails are read at most, counted from the first that went out in this turn."""
ASIDE = 12
"""So many senders of mails that are no affair of ours are named."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def collect_from_post(at: At, places: Sequence[Path], *, clock: Clock, since: date | None = None,
                      dry_run: bool = False, receipts: Path | None = None, answering: PostWish | None = None,
                      lang: str = "", pictures: bool = False) -> Result:
    """Take in what the clubs have sent to the mailbox of `post setup`, and what lies in these folders.

    `since`: the first day whose mails are read, else as `first_day` has it; `answering`: how each mail is answered to
    its club's addresses, None for not at all; `pictures`: with a
    club's orders on its map; the rest and the result's data as of `collect`, and ``mails``: how many
    were looked at, ``answered``: who has got a receipt. A mailbox that cannot be read ends as refused, and then nothing
    is taken.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        post, server, secret = _mailbox_known(sitting)
        if answering is not None:
            answering = answering.spelled(lambda typed: club_of(sitting.campaign, typed, sitting.wording))
        day = since or first_day(sitting, clock.now())
        try:
            mails = _fetched(sitting, lambda: mailbox(post, secret), "INBOX", day)
        except (PostTrouble, *PROBLEMS) as problem:
            return Result("collect", Exit.REFUSED, wording=sitting.wording,
                          findings=of_troubles([trouble_of(problem, server)]))
        counter = Counter(sitting, post, clock, answering or PostWish(), (RECEIPT,))
        wanted = _Wanted(dry_run=dry_run, receipts=receipts, answer=answering is not None and not dry_run,
                         pictures=pictures)
        return _collected(sitting, mails, places, day, wanted, counter)
    except Stop as stopped:
        return stopped.result("collect")
    except OSError as fault:
        return folder_stop(fault, home(), N_("the mails"), lang).result("collect")


class _Wanted(NamedTuple):
    """What a door wants besides. `receipts`: a folder for the answers; `answer`: whether mails are answered;
    `pictures`: whether answers have the club's orders drawn.
    """

    dry_run: bool = False
    receipts: Path | None = None
    answer: bool = False
    pictures: bool = False


def _mailbox_known(sitting: Sitting) -> tuple[Post, Server, str]:
    """Our post, the server of its mailbox, and its password. Raises `Stop` where one of them is not known."""
    post = load()
    if post is None or post.imap is None:
        raise stop(Exit.REFUSED, codes.NO_MAILBOX, sitting.lang, sitting.wording)
    secret = password(post)
    if not secret:
        raise stop(Exit.REFUSED, codes.NO_PASSWORD, sitting.lang, sitting.wording, login=post.login or post.address,
                   variable=PASSWORD)
    return post, post.imap, secret


def first_day(sitting: Sitting, now: datetime) -> date:
    """From which day on mails are read: the one before the last mail of the turn before went out, as days begin
    elsewhere at another hour, but no more than thirty days before this turn's first; where nothing went out of thirty
    days. Clubs may have had their copies, and answered, long before a mail of this turn went out. Raises `Stop`.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            sent = [(row.turn == sitting.campaign.desk.turn, parsedate_to_datetime(row.date))
                    for row in ledger.outbox.rows() if row.has_left]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    first = min((at for ours, at in sent if ours), default=now)
    earliest = first - timedelta(days=UNSENT)
    before = [at for ours, at in sent if not ours and at < first]
    return max([earliest, *(at - timedelta(days=1) for at in before)]).date()


def collect_mail(at: At, box: Callable[[], IMAP4], *, folder: str = "INBOX", since: date | None = None,
                 dry_run: bool = False, receipts: Path | None = None, lang: str = "") -> Result:
    """Take in what the clubs have sent to a mailbox, the newest by the server's time.

    `box`: opens the connection, logged in; `folder`, `since`: which mails, None for all; `dry_run`, `receipts`: as of
    `collect`. A mail that was looked at in an earlier turn is left aside, one of this turn is looked at again, so that
    nothing is lost where `undo` took back what it had brought. Raises what `box` and `imaplib` raise.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        mails = _fetched(sitting, box, folder, since)
        return _collected(sitting, mails, (), since, _Wanted(dry_run, receipts))
    except Stop as stopped:
        return stopped.result("collect")


def _collected(sitting: Sitting, mails: list[Fetched], places: Sequence[Path], since: date | None, wanted: _Wanted,
               counter: Counter | None = None) -> Result:
    """Mails beside what lies in folders, taken in; what came back of ours written down; the mails answered. `counter`:
    None where no post is at hand. Raises `Stop`, OSError.
    """
    turn, lying, seen = sitting.campaign.desk.turn, lying_in(places, sitting), _seen(sitting)
    brought = brought_by(mails, sitting, codes_of(sitting), lambda faction: what_was_sent(sitting, faction))
    back = _written_down(sitting, brought, None if wanted.dry_run else counter)
    arrivals: list[Arrival] = sorted((*lying, *brought.arrivals), key=lambda one: one.at)
    result, done = taken_in(sitting, arrivals, dry_run=wanted.dry_run, receipts=wanted.receipts,
                            pictures=wanted.pictures)
    if brought.mails or brought.returned:
        result.findings = [one for one in result.findings if one.code != codes.NOTHING_CAME]
    result.find(sitting.placed(back))
    fresh = [one for one in brought.mails if one.key not in seen]
    say_strangers(fresh, done, sitting, result)
    if since is not None:
        result.say(sitting.wording.plural(N_("{n} mail since {day} was looked at; nothing in the mailbox was changed."),
                                          N_("{n} mails since {day} were looked at; nothing in the mailbox was changed."
                                             ), len(mails), day=Verbatim(since.isoformat())))
    aside = [one.sender or one.name for one in brought.aside if one.key not in seen]
    if aside:
        said = [*dict.fromkeys(aside[:ASIDE]), *(["…"] if aside[ASIDE:] else [])]
        result.say(sitting.wording.plural(N_("{n} mail without a code was left aside: no line of it is an order. From"
                                             " {list}."),
                                          N_("{n} mails without a code were left aside: no line of them is an order."
                                             " From {list}."), len(aside), list=Verbatim(", ".join(said))))
    result.data["mails"] = len(mails)
    if wanted.dry_run:
        return result
    left: set[str] = set()
    if counter is not None and wanted.answer:
        left = _answered(counter, fresh, done, result, done.after if wanted.pictures else None)
    never = brought.machines | {one.key for one in brought.aside}
    _note(sitting, {one.key: "" if one.key in never else turn for one in mails if one.key not in left})
    if any(one.code == codes.MAIL_RETURNED for one in back) and not done.moved:
        _show_on_desk(sitting)
    result.find(sitting.second_copies)
    return result


def _written_down(sitting: Sitting, brought: Brought, counter: Counter | None) -> list[Finding]:
    """What is to be said of mails of ours that came back; they are marked, and those that lie in our mailbox settled,
    where a counter is given. Raises `Stop`, OSError.
    """
    if not (brought.returned or brought.own):
        return []
    desk, found = sitting.campaign.desk, list[Finding]()
    try:
        with Ledger.open(path_of(sitting.path), desk.campaign_id) as ledger:
            known = ledger.outbox.rows()
            if counter is not None:
                journal, now = Journal(desk.campaign_id), counter.clock.now().isoformat()
                mark_found(ledger.outbox, journal, brought.own, now)
                told = [one.told for one in brought.returned]
                for row in mark_returned(ledger.outbox, journal, told, now):
                    found += [one for one in of_mail(row, sitting.path.name) if one.code == codes.MAIL_RETURNED]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    return found + [codes.finding(
        codes.MAIL_FAILED, file=one.name, list=Verbatim(", ".join(one.told.addresses) or "?"),
        reason=Verbatim(one.told.cause)) for one in brought.returned if row_of(one.told, known) is None]


def _answered(counter: Counter, mails: Sequence[Mailed], done: Collected, result: Result, drawn: Campaign | None
              ) -> set[str]:
    """Answer the mails, each once; the keys of those that stay without an answer. `drawn`: as of `answer_mails`.

    Raises `Stop`, OSError.
    """
    sitting = counter.sitting
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            known = {key for row in ledger.outbox.rows() if row.kind == RECEIPT for key in row.about}
        return answer_mails(counter, replies(mails, done, sitting, known), result, drawn)
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def _show_on_desk(sitting: Sitting) -> None:
    """Write the words of the Desk anew: something came back of what was sent. Raises `Stop`."""
    with at_work(sitting, "collect") as session:
        words = sitting.sheet_wording
        lines = desk_lines(sitting.ruleset, sitting.campaign, words, sitting.typed_name, [])
        session.commit("mark", sitting.campaign.copy(), lines)


def _fetched(sitting: Sitting, box: Callable[[], IMAP4], folder: str, since: date | None) -> list[Fetched]:
    """The mails of this turn, or that were never looked at. Raises what `box` and `imaplib` raise."""
    seen, turn = _seen(sitting), sitting.campaign.desk.turn
    connection = box()
    try:
        return list(mails_in(connection, lambda key: seen.get(key, turn) != turn, folder, _day(since)))
    finally:
        with contextlib.suppress(*PROBLEMS):
            connection.logout()


def _day(since: date | None) -> str:
    """A day as IMAP writes it, whatever language the machine speaks."""
    return "" if since is None else f"{since.day}-{_MONTHS[since.month - 1]}-{since.year}"


def what_was_sent(sitting: Sitting, faction: str) -> Sent:
    """What was sent to a faction and to everybody, by which a quote of it is known; where none of it went out from here
    its report as it would be sent now. Raises `Stop`.
    """
    if not faction:
        return Sent()
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            said = [*ledger.outbox.said(faction), *ledger.outbox.said("")]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    if said:
        return Sent(said)
    row = sitting.campaign.table(Faction).get(faction)
    language = (row.language if row is not None else "") or sitting.campaign.desk.language
    view = sitting.ruleset.view(in_force(sitting.campaign), faction)
    page = build_page(sitting.ruleset, view, faction, Wording(sitting.ruleset, language))
    return Sent((render_text(page), "\n".join(one.text for one in lines_of_html(render_html(page)))))


def _seen(sitting: Sitting) -> dict[str, str]:
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            found: dict[str, str] = json.loads(ledger.noted(_SEEN) or "{}")
            return found
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def _note(sitting: Sitting, looked_at: Mapping[str, str]) -> None:
    """Keep which mails came in which turn ("": they can never count, and are not fetched again). It is written after
    what they brought: a crash between the two lets them be looked at once more.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            seen: dict[str, str] = json.loads(ledger.noted(_SEEN) or "{}")
            if looked_at.keys() - seen.keys():
                ledger.note(_SEEN, json.dumps({**looked_at, **seen}, sort_keys=True))
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
