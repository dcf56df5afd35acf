"""Delivers the mails of the outbox, each exactly once, and records what became of them."""

from __future__ import annotations

import contextlib
import os
import re
import smtplib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from assistant.environment import Clock
from assistant.files import user_folder
from assistant.ledger.outbox import DeliveryMark, Mail, MailStage, Outbox, mail_from_json, mail_to_json
from assistant.post.mail_server import (
    PROBLEMS,
    MailAccount,
    ServerTrouble,
    connect_smtp,
    find_sent_mails,
    trouble_of,
)

# Time, handed in by the caller, so that tests need not wait.


# The journal: a second record of what became of each mail, in the user's own folder.
#
# A ledger restored from a backup learns from it which mails went out since. One append-only file per campaign; each
# line is a row of the outbox without its letter. It contains addresses but no reports, and only its owner may read it.


class Journal:
    """The journal of a campaign. All methods may raise OSError."""

    def __init__(self, campaign: str) -> None:
        self.path: Path = user_folder() / "mails" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.jsonl"

    def add(self, rows: Iterable[Mail]) -> None:
        """Append the current state of rows."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "ab") as file:
            file.write(b"".join(b"\n" + mail_to_json(row) for row in rows))  # ends a line that a crash cut short
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Mail]:
        """The last known state of each mail; lines cut short by a crash are skipped."""
        if not self.path.is_file():
            return []
        mails: dict[str, Mail] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                row = mail_from_json(line)
            except (ValueError, KeyError, TypeError):
                continue
            mails[row.ident] = row
        return list(mails.values())


# Delivery.
#
# Before the server gets a mail's text, the row is marked ``begun``; once the server has accepted it, ``taken``. A copy
# of each mail goes to our own address in the same transaction. So a mail that was begun when the connection broke can
# be looked up in our mailbox by its Message-ID: if it is there, it was taken; if it has not appeared after
# `Post.patience` seconds, nobody got it and the very same bytes are sent again. Without a mailbox to look into it
# stays ``uncertain``.


ROUNDS = 3
"""How often addresses with a temporary failure are tried in one run."""
LOOKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
"""Seconds between looks into our mailbox; the last one repeats."""
OK, TRY_LATER, CLOSING = (250, 251), range(400, 500), 421
TOO_LARGE = 552
FOUND, NOT_FOUND = "found", "not found"
"""Our own causes, beside those of servers: whether the mail is in our mailbox."""


Tell = Callable[[str, Mail, Sequence[str]], None]
"""Called with a stage (or ``waits``, ``looking``), the mail, and the addresses that it is about."""


@dataclass
class MailDelivery:
    """Delivers mails. `secret`: the password; `troubles`: why a server could not be used."""

    box: Outbox
    journal: Journal | None
    post: MailAccount
    secret: str
    clock: Clock
    tell: Tell
    troubles: list[ServerTrouble] = field(default_factory=list)
    _line: smtplib.SMTP | None = None

    def deliver(self, rows: Iterable[Mail]) -> None:
        """Settle mails that were begun, send those that are recorded, and retry addresses with a temporary failure.

        Raises `LedgerTrouble` and OSError when the outcome cannot be recorded.
        """
        pending = self._unsent(self.settle([row for row in rows if row.open]))
        try:
            for number in range(ROUNDS):
                pending = [again for row in pending for again in self._send(row)]
                if not pending or self.troubles:
                    break
                if number < ROUNDS - 1:
                    for row in pending:
                        self.tell("waits", row, row.at_stage("recorded"))
                    self.clock.sleep(self.post.pause)
        finally:
            self._hang_up()

    # --- what became of it ------------------------------------------------------------------
    def settle(self, rows: Sequence[Mail]) -> list[Mail]:
        """The rows, with the fate of those that were begun as far as our mailbox shows it."""
        open_ones = [row for row in rows if row.at_stage("begun", "uncertain")]
        if not open_ones:
            return list(rows)
        look, looked = self._look(open_ones)
        settled = {}
        for row in open_ones:
            at_stake = row.at_stage("begun", "uncertain")
            stage: MailStage = "taken" if row.ident in look else "recorded" if looked and row.own else "uncertain"
            cause = FOUND if stage == "taken" else NOT_FOUND if stage == "recorded" else row.marks[at_stake[0]].cause
            at = self._now() if stage != "uncertain" else row.marks[at_stake[0]].at
            settled[row.ident] = row.marked(dict.fromkeys(at_stake, DeliveryMark(stage, at, cause)))
            if stage != "recorded":
                self.tell(stage, settled[row.ident], at_stake)
        self._write(*settled.values())
        return [settled.get(row.ident, row) for row in rows]

    def _look(self, rows: Sequence[Mail]) -> tuple[set[str], bool]:
        """Which of these are in our mailbox, and whether we waited long enough to be sure of the others."""
        if self.post.imap is None:
            return set(), False
        begun = max(datetime.fromisoformat(row.marks[address].at) for row in rows
                    for address in row.at_stage("begun", "uncertain"))
        until, present, looks = begun + timedelta(seconds=self.post.patience), set[str](), iter(LOOKS)
        wanted = [row.ident for row in rows]
        while True:
            try:
                present |= find_sent_mails(self.post, self.secret,
                                             [ident for ident in wanted if ident not in present])
            except ServerTrouble as trouble:
                self.troubles.append(trouble)
                return present, False
            left = (until - self.clock.now()).total_seconds()
            if len(present) == len(wanted) or left <= 0:
                return present, True
            if left > LOOKS[-1] / 2:
                self.tell("looking", rows[0], [])
            self.clock.sleep(max(0.01, min(left, next(looks, LOOKS[-1]))))

    def _unsent(self, rows: Sequence[Mail]) -> list[Mail]:
        """Those to send: without mails that are in our mailbox already, which a restored ledger does not know of."""
        pending = [row for row in rows if row.at_stage("recorded")]
        if self.post.imap is None or not pending:
            return pending
        try:
            sent_mails = find_sent_mails(self.post, self.secret, [row.ident for row in pending])
        except ServerTrouble as trouble:
            self.troubles.append(trouble)
            return []
        known = [row.marked(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("taken", self._now(), FOUND)))
                 for row in pending if row.ident in sent_mails]
        self._write(*known)
        for row in known:
            self.tell("taken", row, row.at_stage("taken"))
        return [row for row in pending if row.ident not in sent_mails]

    # --- sending ----------------------------------------------------------------------------
    def _send(self, row: Mail) -> list[Mail]:
        """Send one mail; returns the rows to try again. Without a server the row stays as it is."""
        letter = self.box.letter(row.ident)
        assert letter is not None, row.ident
        if self.troubles:
            return [row]
        try:
            line = self._connected()
        except ServerTrouble as trouble:
            self.troubles.append(trouble)
            return [row]
        try:
            replies, own = self._addressed(line, row, len(letter))
        except PROBLEMS as problem:  # nothing was sent yet
            self._hang_up()
            return [self._put_off(row, trouble_of(problem, self.post.smtp).detail)]
        return self._begun(line, row, replies, own, letter)

    def _addressed(self, line: smtplib.SMTP, row: Mail, size: int) -> tuple[dict[str, tuple[int, str]], bool]:
        """The server's reply for each address, and whether it accepts a copy for ours."""
        wanted = row.at_stage("recorded")
        limit = line.esmtp_features.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < size:
            return dict.fromkeys(wanted, (TOO_LARGE, f"{size} > {limit}")), False
        code, reply = line.mail(self.post.address, [f"size={size}"] if line.has_extn("size") else [])
        if code not in OK:
            return dict.fromkeys(wanted, (code, _text(reply))), False
        replies = {}
        for address in wanted:
            code, reply = line.rcpt(address)
            replies[address] = (code, _text(reply))
        ours = self.post.address.casefold()
        own = any(address.casefold() == ours and replies[address][0] in OK for address in wanted)
        if not own and any(code in OK for code, _ in replies.values()):
            own = line.rcpt(self.post.address)[0] in OK
        return replies, own

    def _begun(self, line: smtplib.SMTP, row: Mail, replies: dict[str, tuple[int, str]], own: bool,
               letter: bytes) -> list[Mail]:
        """Record the replies, and hand over the mail for the accepted addresses."""
        now = self._now()
        marks = {address: DeliveryMark("refused", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                 if code not in (*OK, *TRY_LATER)}
        late = {address: DeliveryMark("recorded", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                if code in TRY_LATER}
        going = [address for address, (code, _) in replies.items() if code in OK]
        if marks:
            self.tell("refused", row.marked(marks), list(marks))
        if any(code == CLOSING for code, _ in replies.values()):
            self._hang_up()
            going = []
        if not going:
            with contextlib.suppress(*PROBLEMS):
                line.rset()
            row = row.marked({**marks, **late})
            self._write(row)
            return [row] if late else []
        begun = row.marked({**marks, **dict.fromkeys(going, DeliveryMark("begun", now))})._replace(own=own)
        again = [self._divided(begun, late, letter)] if late else []
        if late:
            begun = begun.marked({address: mark._replace(stage="later") for address, mark in late.items()})
        else:
            self._write(begun)
        return [*self._handed_over(line, begun, going, letter), *again]

    def _divided(self, row: Mail, late: dict[str, DeliveryMark], letter: bytes) -> Mail:
        """Move addresses with a temporary failure to a mail of their own, with its own Message-ID."""
        rest = row._replace(ident=next_ident(row.ident), part=row.part + 1, marks=late)
        left = row.marked({address: mark._replace(stage="later") for address, mark in late.items()})
        rest = self.box.divide(left, rest, with_message_id(letter, row.ident, rest.ident))
        if self.journal is not None:
            self.journal.add([left, rest])
        return rest

    def _handed_over(self, line: smtplib.SMTP, row: Mail, going: Sequence[str], letter: bytes) -> list[Mail]:
        """Hand over the mail's text; returns the row if it has to be tried again."""
        try:
            code, reply = line.data(letter)
        except smtplib.SMTPDataError as no:
            code, reply = no.smtp_code, no.smtp_error if isinstance(no.smtp_error, bytes) else no.smtp_error.encode()
        except PROBLEMS:
            self._hang_up()
            (row,) = self.settle([row])
            return [row] if row.at_stage("recorded") else []
        stage: MailStage = "taken" if code in OK else "recorded" if code in TRY_LATER else "refused"
        if code == CLOSING:
            self._hang_up()
        row = row.marked(dict.fromkeys(going, DeliveryMark(stage, self._now(), "" if stage == "taken" else
                                                   f"{code} {_text(reply)}")))
        self._write(row)
        if stage != "recorded":
            self.tell(stage, row, going)
        return [row] if stage == "recorded" else []

    def _put_off(self, row: Mail, cause: str) -> Mail:
        row = row.marked(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("recorded", self._now(), cause)))
        self._write(row)
        return row

    # --- the line ---------------------------------------------------------------------------
    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self._line = connect_smtp(self.post, self.secret)
        return self._line

    def _hang_up(self) -> None:
        if self._line is not None:
            with contextlib.suppress(*PROBLEMS):
                self._line.quit()
            self._line.close()
            self._line = None

    def _now(self) -> str:
        return self.clock.now().isoformat()

    def _write(self, *rows: Mail) -> None:
        if rows:
            self.box.mark(*rows)
            if self.journal is not None:
                self.journal.add(rows)


def next_ident(ident: str) -> str:
    """The Message-ID of the follow-up mail for addresses with a temporary failure."""
    name, _, domain = ident.partition("@")
    stem, _, number = name.partition(".")
    return f"{stem}.{int(number or 0) + 1}@{domain}"


def with_message_id(letter: bytes, ident: str, other: str) -> bytes:
    """A mail's bytes under another Message-ID."""
    head, blank, body = letter.partition(b"\r\n\r\n")
    return head.replace(ident.encode(), other.encode()) + blank + body


def _text(reply: bytes) -> str:
    return " ".join(reply.decode(errors="replace").split())
