"""`collect` from a mailbox: an open connection in; its mails in the campaign out, and nothing there is marked."""

from __future__ import annotations

import json
from collections.abc import Callable
from imaplib import IMAP4
from pathlib import Path

from assistant.campaign.records import Faction
from assistant.desk.collecting.collecting import take_in
from assistant.desk.collecting.from_mail import mail_arrivals
from assistant.desk.results import Result
from assistant.desk.sitting.copies import codes_of
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.inbox.imap_folder import Fetched, mails_in
from assistant.post.inbox.mail_html import lines_of_html
from assistant.post.inbox.what_counts import Sent
from assistant.reporting.build import build_page
from assistant.reporting.render import render_html, render_text
from assistant.turn.superseded import in_force
from assistant.wording import Wording

_SEEN = "mails.read"
"""Under which key the ledger keeps the mails that were looked at: key -> the turn in which they came."""


def collect_mail(at: At, box: Callable[[], IMAP4], *, folder: str = "INBOX", since: str = "", dry_run: bool = False,
                 receipts: Path | None = None, lang: str = "") -> Result:
    """Take in what the clubs have sent to a mailbox, the newest by the server's time.

    `box`: opens the connection, logged in; `folder`, `since`: which mails, as `mails_in` has them; `dry_run`,
    `receipts`: as of `collect`. A mail that was looked at in an earlier turn is left aside, one of this turn is looked
    at again, so that nothing is lost where `undo` took back what it had brought. Raises what `box` and `imaplib` raise.
    """
    try:
        sitting = sit(at, lang)
        sitting.stop_on_data()
        seen, turn = _seen(sitting), sitting.campaign.desk.turn
        connection = box()
        try:
            mails = list(mails_in(connection, lambda key: seen.get(key, turn) != turn, folder, since))
        finally:
            connection.logout()
        arrivals = mail_arrivals(mails, sitting, codes_of(sitting), lambda faction: what_was_sent(sitting, faction))
        result = take_in(sitting, arrivals, dry_run=dry_run, receipts=receipts)
        if not dry_run:
            _note(sitting, mails, turn)
        return result
    except Stop as stopped:
        return stopped.result("collect")


def what_was_sent(sitting: Sitting, faction: str) -> Sent:
    """The report of a faction as it would be sent now, by which a quote of it is known."""
    if not faction:
        return Sent()
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
