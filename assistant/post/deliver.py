"""Delivers the outbox: each mail taken by the server once, and written down."""

from __future__ import annotations

import contextlib
import os
import re
import smtplib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from assistant.ledger.outbox import Mail, MailStage, Mark, Outbox, as_json, from_json
from assistant.post.mail_server import PROBLEMS, Post, PostTrouble, connected, found_in, home, trouble_of

# What a door knows of time, to be handed down: the hour, and how to wait; nothing below a door looks by itself.


class Clock(NamedTuple):
    """`now`: the hour with its zone; `sleep`: waits so many seconds."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]


# What became of mails, written down a second time in this user's own folder: a ledger that was put back learns it.
#
# One file a campaign, to which lines are added: a row of the outbox each, without its letter. It holds addresses and
# no report, and nobody else may read it.


class Journal:
    """The journal of a campaign. Everything may raise OSError."""

    def __init__(self, campaign: str) -> None:
        self.path: Path = home() / "mails" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.jsonl"

    def add(self, rows: Iterable[Mail]) -> None:
        """Write down how rows stand now."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "ab") as file:
            file.write(b"".join(b"\n" + as_json(row) for row in rows))  # what a crash cut short ends there
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Mail]:
        """How each mail stood last; a line that a crash has cut short is none."""
        if not self.path.is_file():
            return []
        found: dict[str, Mail] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                row = from_json(line)
            except (ValueError, KeyError, TypeError):
                continue
            found[row.ident] = row
        return list(found.values())


# Rows of the outbox in; each mail taken by the server once, refused, waiting or uncertain out, and written down.
#
# Before the server gets a mail's text, the row says ``begun``; once it has said yes, ``taken``. A copy of each mail
# goes to our own address in the same transaction: one that was begun when somebody pulled the plug is looked for in
# our mailbox by its Message-ID. Where it lies there it was taken; where it does not, for as long as `Post.patience`
# says, nobody got it, and it is sent again, the very same bytes. Where nobody can look, it stays ``uncertain``.


ROUNDS = 3
"""How often addresses that are put off are tried in one run."""
LOOKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
"""Seconds between looks into our mailbox; then always the last."""
OK, TRY_LATER, CLOSING = (250, 251), range(400, 500), 421
TOO_LARGE = 552
FOUND, NOT_FOUND = "found", "not found"
"""Causes that are ours: what our mailbox says of a mail."""


Tell = Callable[[str, Mail, Sequence[str]], None]
"""Is told of a mail what became of it (a stage, ``waits`` or ``looking``) and for which addresses."""


@dataclass
class Postman:
    """Carries mails. `secret`: the password; `troubles`: what kept it from a server, if anything did."""

    box: Outbox
    journal: Journal | None
    post: Post
    secret: str
    clock: Clock
    tell: Tell
    troubles: list[PostTrouble] = field(default_factory=list)
    _line: smtplib.SMTP | None = None

    def deliver(self, rows: Iterable[Mail]) -> None:
        """Settle what was begun, then send what is recorded, and wait a while for addresses that are put off.

        Raises `LedgerTrouble` and OSError where it cannot be written down.
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
        """The rows, each of which that was begun found out about as far as our mailbox knows."""
        open_ones = [row for row in rows if row.at_stage("begun", "uncertain")]
        if not open_ones:
            return list(rows)
        found, looked = self._look(open_ones)
        settled = {}
        for row in open_ones:
            at_stake = row.at_stage("begun", "uncertain")
            stage: MailStage = "taken" if row.ident in found else "recorded" if looked and row.own else "uncertain"
            cause = FOUND if stage == "taken" else NOT_FOUND if stage == "recorded" else row.marks[at_stake[0]].cause
            at = self._now() if stage != "uncertain" else row.marks[at_stake[0]].at
            settled[row.ident] = row.marked(dict.fromkeys(at_stake, Mark(stage, at, cause)))
            if stage != "recorded":
                self.tell(stage, settled[row.ident], at_stake)
        self._write(*settled.values())
        return [settled.get(row.ident, row) for row in rows]

    def _look(self, rows: Sequence[Mail]) -> tuple[set[str], bool]:
        """Which of these lie in our mailbox, and whether all that do must have come by now."""
        if self.post.imap is None:
            return set(), False
        begun = max(datetime.fromisoformat(row.marks[address].at) for row in rows
                    for address in row.at_stage("begun", "uncertain"))
        until, found, looks = begun + timedelta(seconds=self.post.patience), set[str](), iter(LOOKS)
        wanted = [row.ident for row in rows]
        while True:
            try:
                found |= found_in(self.post, self.secret, [one for one in wanted if one not in found])
            except PostTrouble as trouble:
                self.troubles.append(trouble)
                return found, False
            left = (until - self.clock.now()).total_seconds()
            if len(found) == len(wanted) or left <= 0:
                return found, True
            if left > LOOKS[-1] / 2:
                self.tell("looking", rows[0], [])
            self.clock.sleep(max(0.01, min(left, next(looks, LOOKS[-1]))))

    def _unsent(self, rows: Sequence[Mail]) -> list[Mail]:
        """Those that are to be sent: not what lies in our mailbox, of which a ledger put back knows nothing."""
        pending = [row for row in rows if row.at_stage("recorded")]
        if self.post.imap is None or not pending:
            return pending
        try:
            found = found_in(self.post, self.secret, [row.ident for row in pending])
        except PostTrouble as trouble:
            self.troubles.append(trouble)
            return []
        known = [row.marked(dict.fromkeys(row.at_stage("recorded"), Mark("taken", self._now(), FOUND)))
                 for row in pending if row.ident in found]
        self._write(*known)
        for row in known:
            self.tell("taken", row, row.at_stage("taken"))
        return [row for row in pending if row.ident not in found]

    # --- sending ----------------------------------------------------------------------------
    def _send(self, row: Mail) -> list[Mail]:
        """One transaction; the rows that are to be tried again. Without a server it stays as it is."""
        letter = self.box.letter(row.ident)
        assert letter is not None, row.ident
        if self.troubles:
            return [row]
        try:
            line = self._connected()
        except PostTrouble as trouble:
            self.troubles.append(trouble)
            return [row]
        try:
            replies, own = self._addressed(line, row, len(letter))
        except PROBLEMS as problem:  # nothing of it has left
            self._hang_up()
            return [self._put_off(row, trouble_of(problem, self.post.smtp).detail)]
        return self._begun(line, row, replies, own, letter)

    def _addressed(self, line: smtplib.SMTP, row: Mail, size: int) -> tuple[dict[str, tuple[int, str]], bool]:
        """What the server says to each address, and whether it takes a copy for ours."""
        wanted = row.at_stage("recorded")
        limit = line.esmtp_features.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < size:
            return dict.fromkeys(wanted, (TOO_LARGE, f"{size} > {limit}")), False
        code, said = line.mail(self.post.address, [f"size={size}"] if line.has_extn("size") else [])
        if code not in OK:
            return dict.fromkeys(wanted, (code, _text(said))), False
        replies = {}
        for address in wanted:
            code, said = line.rcpt(address)
            replies[address] = (code, _text(said))
        ours = self.post.address.casefold()
        own = any(one.casefold() == ours and replies[one][0] in OK for one in wanted)
        if not own and any(code in OK for code, _ in replies.values()):
            own = line.rcpt(self.post.address)[0] in OK
        return replies, own

    def _begun(self, line: smtplib.SMTP, row: Mail, replies: dict[str, tuple[int, str]], own: bool,
               letter: bytes) -> list[Mail]:
        """Write down what was said to the addresses, and hand over the mail for those that were taken."""
        now = self._now()
        marks = {address: Mark("refused", now, f"{code} {said}") for address, (code, said) in replies.items()
                 if code not in (*OK, *TRY_LATER)}
        late = {address: Mark("recorded", now, f"{code} {said}") for address, (code, said) in replies.items()
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
        begun = replace(row.marked({**marks, **dict.fromkeys(going, Mark("begun", now))}), own=own)
        again = [self._divided(begun, late, letter)] if late else []
        if late:
            begun = begun.marked({address: replace(mark, stage="later") for address, mark in late.items()})
        else:
            self._write(begun)
        return [*self._handed_over(line, begun, going, letter), *again]

    def _divided(self, row: Mail, late: dict[str, Mark], letter: bytes) -> Mail:
        """Leave addresses that are put off to a further mail, which goes by a Message-ID of its own."""
        rest = replace(row, ident=next_ident(row.ident), part=row.part + 1, marks=late)
        left = row.marked({address: replace(mark, stage="later") for address, mark in late.items()})
        rest = self.box.divide(left, rest, renamed(letter, row.ident, rest.ident))
        if self.journal is not None:
            self.journal.add([left, rest])
        return rest

    def _handed_over(self, line: smtplib.SMTP, row: Mail, going: Sequence[str], letter: bytes) -> list[Mail]:
        """Give the server the mail's text; the row again where it is to be tried again."""
        try:
            code, said = line.data(letter)
        except smtplib.SMTPDataError as no:
            code, said = no.smtp_code, no.smtp_error if isinstance(no.smtp_error, bytes) else no.smtp_error.encode()
        except PROBLEMS:
            self._hang_up()
            (row,) = self.settle([row])
            return [row] if row.at_stage("recorded") else []
        stage: MailStage = "taken" if code in OK else "recorded" if code in TRY_LATER else "refused"
        if code == CLOSING:
            self._hang_up()
        row = row.marked(dict.fromkeys(going, Mark(stage, self._now(), "" if stage == "taken" else
                                                   f"{code} {_text(said)}")))
        self._write(row)
        if stage != "recorded":
            self.tell(stage, row, going)
        return [row] if stage == "recorded" else []

    def _put_off(self, row: Mail, cause: str) -> Mail:
        row = row.marked(dict.fromkeys(row.at_stage("recorded"), Mark("recorded", self._now(), cause)))
        self._write(row)
        return row

    # --- the line ---------------------------------------------------------------------------
    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self._line = connected(self.post, self.secret)
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
    """The Message-ID of the mail that carries on for addresses that were put off."""
    name, _, domain = ident.partition("@")
    stem, _, number = name.partition(".")
    return f"{stem}.{int(number or 0) + 1}@{domain}"


def renamed(letter: bytes, ident: str, other: str) -> bytes:
    """A mail's bytes under another Message-ID."""
    head, blank, body = letter.partition(b"\r\n\r\n")
    return head.replace(ident.encode(), other.encode()) + blank + body


def _text(said: bytes) -> str:
    return " ".join(said.decode(errors="replace").split())
