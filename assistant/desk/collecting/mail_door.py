"""`collect` from a mailbox: an open connection in; its mails in the campaign out, and nothing there is marked."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from imaplib import IMAP4
from pathlib import Path

from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival, lying_in
from assistant.desk.collecting.collecting import take_in
from assistant.desk.collecting.from_mail import mail_arrivals
from assistant.desk.mailing.told_of_mails import of_troubles
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import codes_of
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.inbox.imap_folder import Fetched, mails_in
from assistant.post.inbox.mail_html import lines_of_html
from assistant.post.inbox.what_counts import Sent
from assistant.post.out.connecting import PROBLEMS, PostTrouble, mailbox, trouble_of
from assistant.post.out.settings import PASSWORD, Post, Server, load, password
from assistant.reporting.build import build_page
from assistant.reporting.render import render_html, render_text
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording

_SEEN = "mails.read"
"""Under which key the ledger keeps the mails that were looked at: key -> the turn in which they came."""
UNSENT = 30
"""So many days back mails are read where none of this turn went out from here."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def collect_from_post(at: At, places: Sequence[Path], *, now: datetime, since: date | None = None,
                      dry_run: bool = False, receipts: Path | None = None, lang: str = "") -> Result:
    """Take in what the clubs have sent to the mailbox of `post setup`, and what lies in these folders.

    `now`: the hour at the door; `since`: the first day whose mails are read, else as `first_day` has it; the rest and
    the result's data as of `collect`. A mailbox that cannot be read ends as refused, and then nothing is taken.
    """
    try:
        sitting = sit(at, lang)
        sitting.stop_on_data()
        post, server, secret = _mailbox_known(sitting)
        day = since or first_day(sitting, now)
        try:
            mails = _fetched(sitting, lambda: mailbox(post, secret), "INBOX", day)
        except (PostTrouble, *PROBLEMS) as problem:
            return Result("collect", Exit.REFUSED, wording=sitting.wording,
                          findings=of_troubles([trouble_of(problem, server)]))
        return _collected(sitting, mails, places, day, dry_run=dry_run, receipts=receipts)
    except Stop as stopped:
        return stopped.result("collect")


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
    """From which day on mails are read: the one before the first mail of this turn went out, as days begin elsewhere at
    another hour; without one thirty days ago. Raises `Stop`.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            sent = [parsedate_to_datetime(row.date) for row in ledger.outbox.rows()
                    if row.turn == sitting.campaign.desk.turn and row.went_out]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    return (min(sent) - timedelta(days=1) if sent else now - timedelta(days=UNSENT)).date()


def collect_mail(at: At, box: Callable[[], IMAP4], *, folder: str = "INBOX", since: date | None = None,
                 dry_run: bool = False, receipts: Path | None = None, lang: str = "") -> Result:
    """Take in what the clubs have sent to a mailbox, the newest by the server's time.

    `box`: opens the connection, logged in; `folder`, `since`: which mails, None for all; `dry_run`, `receipts`: as of
    `collect`. A mail that was looked at in an earlier turn is left aside, one of this turn is looked at again, so that
    nothing is lost where `undo` took back what it had brought. Raises what `box` and `imaplib` raise.
    """
    try:
        sitting = sit(at, lang)
        sitting.stop_on_data()
        mails = _fetched(sitting, box, folder, since)
        return _collected(sitting, mails, (), since, dry_run=dry_run, receipts=receipts)
    except Stop as stopped:
        return stopped.result("collect")


def _collected(sitting: Sitting, mails: list[Fetched], places: Sequence[Path], since: date | None, *, dry_run: bool,
               receipts: Path | None) -> Result:
    """Mails beside what lies in folders, taken in. Raises `Stop`."""
    turn, lying = sitting.campaign.desk.turn, lying_in(places, sitting)
    brought = mail_arrivals(mails, sitting, codes_of(sitting), lambda faction: what_was_sent(sitting, faction))
    arrivals: list[Arrival] = sorted((*lying, *brought), key=lambda one: one.at)
    result = take_in(sitting, arrivals, dry_run=dry_run, receipts=receipts)
    if since is not None:
        result.say(sitting.wording.plural(N_("{n} mail since {day} was looked at; nothing in the mailbox was changed."),
                                          N_("{n} mails since {day} were looked at; nothing in the mailbox was changed."
                                             ), len(mails), day=Verbatim(since.isoformat())))
    result.data["mails"] = len(mails)
    if not dry_run:
        _note(sitting, mails, turn)
    return result


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


def _note(sitting: Sitting, mails: list[Fetched], turn: str) -> None:
    """Keep which mails came in this turn. It is written after what they brought: a crash between the two lets them be
    looked at once more.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id, write=True) as ledger:
            seen: dict[str, str] = json.loads(ledger.noted(_SEEN) or "{}")
            new = {mail.key: turn for mail in mails if mail.key not in seen}
            if new:
                ledger.note(_SEEN, json.dumps(seen | new, sort_keys=True))
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
