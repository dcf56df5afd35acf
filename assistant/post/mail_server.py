"""The user's mail account: settings, password, connections; delivers the mails of the outbox, each exactly once."""

from __future__ import annotations

import contextlib
import imaplib
import json
import os
import re
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from email.errors import MessageError
from email.headerregistry import Address
from imaplib import IMAP4
from pathlib import Path
from typing import Any, Literal

from assistant.environment import Clock, user_folder, write_private
from assistant.ledger.outbox import DeliveryMark, Mail, MailStage, Outbox, mail_from_json, mail_to_json
from assistant.post.letters import OWN_HEADER
from assistant.post.parse_mail import LARGEST_MAIL

# --- mail server ----------------------------------------------------------------------------------
# The user's mail account: addresses, settings, password, connections, and mails in the mailbox.

# Addresses in the column Mail.


_BETWEEN = re.compile(r"[,;\n\r\t]+")
_BARE = re.compile(r"[^\s<>,;]+@[^\s<>,;]+")
_PLAIN = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}")
# the longest address that SMTP carries (RFC 5321)
LONGEST = 254


def parse_addresses(text: str) -> tuple[list[str], list[str]]:
    """The addresses in a cell, each once, in their order; and the pieces that are no addresses.

    They may be separated by commas, semicolons, line breaks or blanks, with or without a name and angle brackets:
    ``Anna <anna@club.it>; bruno@club.it``. Deputies are listed like the clubs themselves.
    """
    good: list[str] = []
    bad: list[str] = []
    for piece in filter(None, (part.strip() for part in _BETWEEN.split(text))):
        addresses = _BARE.findall(piece)
        for address in addresses or [piece]:
            # out of Excel an address may be pasted with the link's "mailto:", out of a sentence with its full stop
            plain = address.removeprefix("mailto:").rstrip(".")
            (good if is_address(plain) else bad).append(plain)
    return without_duplicates(good), bad


def is_address(text: str) -> bool:
    """Whether a text is an address that mail servers accept."""
    if len(text) > LONGEST or not _PLAIN.fullmatch(text) or ".." in text:
        return False
    try:
        Address(addr_spec=text)
    except (MessageError, ValueError, IndexError):
        return False
    return True


def without_duplicates(addresses: Iterable[str]) -> list[str]:
    """Addresses without duplicates, whatever their case."""
    return list({address.casefold(): address for address in reversed(list(addresses))}.values())[::-1]


# The account: settings in a file of the user's own, not of a campaign, and the password apart from them.
#
# The password comes from the environment, else from the system's keyring if the package `keyring` is installed, else
# from a file that only its owner may read. It never gets into a workbook, a ledger, an export or a message.


PASSWORD = "ARBITRO_POST_PASSWORD"
"""The variable of the environment that holds the mail password."""
SERVICE = "arbitro-post"
Security = Literal["starttls", "tls"]
PORTS: Mapping[tuple[str, Security], int] = {
    ("smtp", "starttls"): 587, ("smtp", "tls"): 465, ("imap", "starttls"): 143, ("imap", "tls"): 993}
_FILE, _SECRET = "post.json", "post.secret"


@dataclass(frozen=True)
class Server:
    """A server. `security`: ``tls`` encrypts from the first byte, ``starttls`` before the login."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True)
class MailAccount:
    """The account that sends mails. `address`: the sender, who also gets a copy of each; `name`: the sender's name;
    `login`: for both servers; `smtp`: the outgoing server; `imap`: the mailbox, None if unknown; `authority`: a file
    with certificates to trust beside the system's, "" for none.

    `patience`: seconds for which a begun mail is looked for in the mailbox; `pause`: seconds before addresses with a
    temporary failure are tried again.
    """

    address: str
    login: str
    smtp: Server
    imap: Server | None = None
    name: str = ""
    authority: str = ""
    patience: float = 90
    pause: float = 60

    @property
    def domain(self) -> str:
        """The domain of our address."""
        return self.address.rpartition("@")[2]


# --- providers ------------------------------------------------------------------------------------------
def _provider(name: str, smtp: str, imap: str, security: Security = "starttls") -> tuple[str, Server, Server]:
    return name, Server(smtp, PORTS["smtp", security], security), Server(imap, 993, "tls")


PROVIDERS = {domain: server for domains, *server in (
    _provider("gmail.com googlemail.com", "smtp.gmail.com", "imap.gmail.com"),
    _provider("libero.it inwind.it iol.it blu.it", "smtp.libero.it", "imapmail.libero.it", "tls"),
    _provider("virgilio.it", "out.virgilio.it", "in.virgilio.it", "tls"),
    _provider("tiscali.it", "smtp.tiscali.it", "imap.tiscali.it", "tls"),
    _provider("yahoo.com yahoo.it", "smtp.mail.yahoo.com", "imap.mail.yahoo.com", "tls"),
    _provider("icloud.com me.com", "smtp.mail.me.com", "imap.mail.me.com"),
    _provider("gmx.com gmx.net", "mail.gmx.com", "imap.gmx.com"),
) for domain in str(domains).split()}
"""Domain -> outgoing server, server of the mailbox."""
APP_PASSWORD = ("gmail.com", "googlemail.com", "yahoo.com", "yahoo.it", "icloud.com", "me.com")
"""Domains that refuse the normal password and want an app password."""
NO_PASSWORDS = ("outlook.com", "outlook.it", "hotmail.com", "hotmail.it", "live.com", "live.it", "msn.com")
"""Domains that accept no password from programs at all."""


def guess_servers(address: str) -> tuple[Server, Server]:
    """The servers of an address: known ones, else the names that most providers use."""
    domain = address.rpartition("@")[2].casefold()
    known = PROVIDERS.get(domain)
    smtp, imap = known or (Server(f"smtp.{domain}", 587, "starttls"), Server(f"imap.{domain}", 993, "tls"))
    return smtp, imap


def parse_server(text: str, what: Literal["smtp", "imap"]) -> Server:
    """``host``, ``host:port`` or ``host:port:tls`` as somebody typed it. Raises ValueError."""
    host, _, rest = text.strip().partition(":")
    number, _, word = rest.partition(":")
    # providers offer mailboxes with TLS from the start (993), sending mostly with STARTTLS (587)
    security: Security = "tls" if word == "tls" or number in ("465", "993") or (
        not number and what == "imap") else "starttls"
    if not host or word not in ("", "tls", "starttls") or (number and not number.isdecimal()):
        raise ValueError(text)
    if word == "starttls":
        security = "starttls"
    port = int(number) if number else PORTS[what, security]
    if not 0 < port < 65536:
        raise ValueError(text)
    return Server(host, port, security)


# --- settings ---------------------------------------------------------------------------------------------
def load_account() -> MailAccount | None:
    """The account as it was set up; None if it was not, or if the file is unreadable. Raises OSError."""
    place = user_folder() / _FILE
    if not place.is_file():
        return None
    try:
        account = json.loads(place.read_text(encoding="utf-8"))
        # a setting that another release wrote is not ours to understand
        known = {name: account[name] for name in MailAccount.__dataclass_fields__ if name in account}
        imap = Server(**account["imap"]) if account["imap"] else None
        return MailAccount(**{**known, "smtp": Server(**account["smtp"]), "imap": imap})
    except (ValueError, KeyError, TypeError):
        return None


def save_account(post: MailAccount) -> Path:
    """Save the account; returns the path. Raises OSError."""
    return write_private(
        user_folder() / _FILE, json.dumps(asdict(post), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    )


# --- password ---------------------------------------------------------------------------------------------
class _Keyring:
    """The system's keyring, if there is a working one."""

    def __init__(self) -> None:
        self._ring: Any = None
        # the package is optional: without it there is nothing that could fail but the system
        self._faults: tuple[type[Exception], ...] = (OSError,)
        try:
            import keyring
            from keyring.errors import KeyringError
        except ImportError:
            return
        self._ring, self._faults = keyring, (KeyringError, OSError)

    def get(self, login: str) -> str:
        """The password of a login, or ""."""
        with contextlib.suppress(*self._faults):
            return (self._ring.get_password(SERVICE, login) or "") if self._ring is not None else ""
        return ""

    def put(self, login: str, secret: str) -> bool:
        """Store a password; returns whether the keyring accepted it."""
        with contextlib.suppress(*self._faults):
            if self._ring is not None:
                self._ring.set_password(SERVICE, login, secret)
                return True
        return False


def stored_password(post: MailAccount) -> str:
    """The password of the account, "" if it is nowhere. Raises OSError."""
    place = user_folder() / _SECRET
    kept = place.read_text(encoding="utf-8").removesuffix("\n") if place.is_file() else ""
    return os.environ.get(PASSWORD) or _Keyring().get(post.login) or kept


PasswordPlace = Literal["environment", "keyring", "file"]


def keep_password(post: MailAccount, secret: str) -> PasswordPlace:
    """Store a password; returns where. One from the environment is stored nowhere else. Raises OSError."""
    if os.environ.get(PASSWORD) == secret:
        return "environment"
    place = user_folder() / _SECRET
    if _Keyring().put(post.login, secret):
        # an older password in the file would be wrong one day, and two places to keep a secret are one too many
        place.unlink(missing_ok=True)
        return "keyring"
    write_private(place, secret + "\n")
    return "file"


# Connections, and what can be wrong with them.


PATIENCE = 30.0
"""Seconds to wait for a server."""
Fault = Literal["no_host", "refused", "silent", "certificate", "no_tls", "login", "needs_program", "closed", "other"]


FAULTS: Mapping[type[Exception], Fault] = {
    ssl.SSLCertVerificationError: "certificate", socket.gaierror: "no_host", ConnectionRefusedError: "refused",
    TimeoutError: "silent", smtplib.SMTPNotSupportedError: "no_tls", ssl.SSLError: "closed",
    smtplib.SMTPServerDisconnected: "closed", ConnectionError: "closed", EOFError: "closed"}
"""What an exception of the network or of a library means; the first that fits counts."""


class ServerTrouble(Exception):
    """A server cannot be used. `fault`: what is wrong; `detail`: in the server's or library's words."""

    def __init__(self, fault: Fault, host: str, detail: str = "") -> None:
        super().__init__(f"{fault}: {host}: {detail}")
        self.fault: Fault = fault
        self.host = host
        self.detail = detail


def trouble_of(problem: Exception, server: Server) -> ServerTrouble:
    """The trouble that an exception of the network or of a library stands for."""
    if isinstance(problem, ServerTrouble):
        return problem
    if isinstance(problem, smtplib.SMTPAuthenticationError):
        error = problem.smtp_error
        reply = error.decode(errors="replace") if isinstance(error, bytes) else str(error)
        # 5.7.9 is Google's code for "app password needed", 5.7.139 Microsoft's for "no passwords from programs"
        return ServerTrouble("needs_program" if "5.7.9" in reply or "5.7.139" in reply else "login", server.host, reply)
    fault: Fault = next((fault for kind, fault in FAULTS.items() if isinstance(problem, kind)), "other")
    return ServerTrouble(fault, server.host, str(problem))


def ssl_context(post: MailAccount) -> ssl.SSLContext:
    """The TLS context of our connections, with the account's own authority. Raises OSError."""
    context = ssl.create_default_context()
    if post.authority:
        context.load_verify_locations(post.authority)
    return context


PROBLEMS = (smtplib.SMTPException, imaplib.IMAP4.error, OSError, EOFError)
"""What the libraries raise when a server or the network fails."""


def connect_smtp(post: MailAccount, secret: str) -> smtplib.SMTP:
    """A connection to the outgoing server, encrypted and logged in. Raises `ServerTrouble`."""
    server = post.smtp
    line: smtplib.SMTP | None = None
    try:
        context = ssl_context(post)
        if server.security == "tls":
            line = smtplib.SMTP_SSL(server.host, server.port, timeout=PATIENCE, context=context)
        else:
            line = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
            line.starttls(context=context)
        # what a server offers counts only from what it says under encryption; its greatest mail size is read later
        line.ehlo()
        if post.login:
            line.login(post.login, secret)
    except PROBLEMS as problem:
        if line is not None:
            line.close()
        raise trouble_of(problem, server) from problem
    return line


def open_mailbox(post: MailAccount, secret: str) -> imaplib.IMAP4:
    """A connection to our mailbox, encrypted and logged in. Raises `ServerTrouble`."""
    server = post.imap
    assert server is not None
    try:
        context = ssl_context(post)
        if server.security == "tls":
            box: imaplib.IMAP4 = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=PATIENCE)
        else:
            box = imaplib.IMAP4(server.host, server.port, timeout=PATIENCE)
            box.starttls(context)
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    try:
        box.login(post.login or post.address, secret)
    except imaplib.IMAP4.error as problem:
        raise ServerTrouble("login", server.host, str(problem)) from problem
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    return box


# Reading the mailbox. Nothing in it is changed.


_UID, _SIZE = re.compile(rb"UID (\d+)"), re.compile(rb"RFC822\.SIZE (\d+)")
_AT_ONCE = 200
INBOX = "INBOX"


@dataclass(frozen=True)
class FetchedMail:
    """A mail on the server. `key`: folder, UIDVALIDITY and UID, which identify it; `at`: when the server got it, in
    seconds since 1970, whatever its Date says; `raw`: its bytes, b"" for one that is too large.
    """

    key: str
    at: int
    raw: bytes


@contextlib.contextmanager
def logging_out(box: IMAP4) -> Iterator[None]:
    """Log out at the end of a ``with`` statement, whatever the server says to it: what was read was read."""
    try:
        yield
    finally:
        with contextlib.suppress(*PROBLEMS):
            box.logout()


def fetch_mails(box: IMAP4, known: Callable[[str], bool], since: str) -> Iterator[FetchedMail]:
    """The mails of the inbox, in the order of their UIDs. `known`: whether to skip the mail of a key; `since`: a day as
    IMAP writes it (``22-Nov-2026``). The folder is opened read-only, so no mail gets marked as read. Raises what
    `imaplib` raises, and `imaplib.IMAP4.error` for a missing folder.
    """
    # read-only: nothing gets marked as read, the referee still reads the same mailbox with a program of their own
    if box.select(INBOX, readonly=True)[0] != "OK":
        raise imaplib.IMAP4.error(f"no folder {INBOX}")
    # a UID is only good together with this number: a provider that rebuilds the mailbox counts anew
    validity = (box.response("UIDVALIDITY")[1] or [b"0"])[0] or b"0"
    reply = box.uid("SEARCH", "SINCE", since)[1]
    uids = reply[0].split() if reply and isinstance(reply[0], bytes) else []
    for first in range(0, len(uids), _AT_ONCE):
        for uid, (at, size) in _dates_and_sizes(box, uids[first:first + _AT_ONCE]).items():
            key = f"{INBOX}/{validity.decode()}/{uid.decode()}"
            if not known(key):
                # a mail that is too large comes without its bytes, so that it is listed and not fetched again each time
                raw = _fetch_bytes(box, uid) if size <= LARGEST_MAIL else b""
                if raw is not None:
                    yield FetchedMail(key, at, raw)


def _dates_and_sizes(box: IMAP4, uids: list[bytes]) -> dict[bytes, tuple[int, int]]:
    """UID -> time of arrival and size."""
    sizes: dict[bytes, tuple[int, int]] = {}
    for part in box.uid("FETCH", b",".join(uids).decode(), "(UID INTERNALDATE RFC822.SIZE)")[1]:
        line = part[0] if isinstance(part, tuple) else part
        uid, size = _UID.search(line or b""), _SIZE.search(line or b"")
        when = imaplib.Internaldate2tuple(line) if line else None
        if uid and size and when:
            sizes[uid[1]] = int(time.mktime(when)), int(size[1])
    return sizes


def _fetch_bytes(box: IMAP4, uid: bytes) -> bytes | None:
    """The bytes of a mail; None for one that was deleted meanwhile."""
    # PEEK leaves the mail unread
    for part in box.uid("FETCH", uid.decode(), "(BODY.PEEK[])")[1]:
        if isinstance(part, tuple):
            return bytes(part[1])
    return None


# Finding mails that we sent.


_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)')
_PLAIN_ID = re.compile(r"[A-Za-z0-9.@_+-]+")


def find_sent_mails(post: MailAccount, secret: str, idents: Iterable[str]) -> set[str]:
    """Which of these Message-IDs are in our inbox or sent folders, by Message-ID or by our own header.

    Raises `ServerTrouble`.
    """
    wanted, present = list(idents), set[str]()
    box = open_mailbox(post, secret)
    server = post.imap
    assert server is not None
    try:
        with logging_out(box):
            for folder in (INBOX, *_sent_folders(box)):
                if box.select(folder, readonly=True)[0] == "OK":
                    present |= {ident for ident in wanted if ident not in present and _has_mail(box, ident)}
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    return present


def _has_mail(box: IMAP4, ident: str) -> bool:
    """Whether the selected folder contains a mail."""
    # what goes into a command of IMAP may hold no quote and no line break
    if not _PLAIN_ID.fullmatch(ident):
        return False
    # by our own header too, since some providers replace the Message-ID
    status, numbers = box.uid("SEARCH", "OR", "HEADER", "Message-ID", f'"<{ident}>"', "HEADER",
                              OWN_HEADER, f'"{ident}"')
    return status == "OK" and bool(numbers and numbers[0])


def _sent_folders(box: IMAP4) -> Iterator[str]:
    """The folders of sent mails, as the server marks them, else by the usual names."""
    names = []
    for line in box.list()[1]:
        told = _LISTED.fullmatch(line) if isinstance(line, bytes) else None
        if told is not None:
            names.append((told["name"].decode(errors="replace"), b"\\sent" in told["flags"].lower()))
    # servers mark the folder whatever its language (RFC 6154); only where none is marked, names are guessed
    marked = [name for name, is_sent in names if is_sent]
    usual = re.compile(r'"?(.*[./])?(sent|sent items|sent messages|inviata|posta inviata)"?', re.I)
    yield from marked or [name for name, _ in names if usual.fullmatch(name)]


# --- deliver --------------------------------------------------------------------------------------
# Delivers the mails of the outbox, each exactly once, and records what became of them.

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
        # what was begun is settled first: one of them may have to be sent again, and in this run
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
            # only a copy of our own that is missing proves anything: without one accepted, absence says nothing
            stage: MailStage = "taken" if row.ident in look else "recorded" if looked and row.own else "uncertain"
            cause = FOUND if stage == "taken" else NOT_FOUND if stage == "recorded" else row.marks[at_stake[0]].cause
            at = self._now() if stage != "uncertain" else row.marks[at_stake[0]].at
            settled[row.ident] = row.with_marks(dict.fromkeys(at_stake, DeliveryMark(stage, at, cause)))
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
            # rather none sent now than one sent twice
            return []
        known = [row.with_marks(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("taken", self._now(), FOUND)))
                 for row in pending if row.ident in sent_mails]
        # a ledger from a backup does not know of them, our mailbox does
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
            line = self._connect()
        except ServerTrouble as trouble:
            self.troubles.append(trouble)
            return [row]
        try:
            replies, own = self._address(line, row, len(letter))
        except PROBLEMS as problem:  # nothing was sent yet
            self._hang_up()
            return [self._put_off(row, trouble_of(problem, self.post.smtp).detail)]
        return self._begin(line, row, replies, own, letter)

    def _address(self, line: smtplib.SMTP, row: Mail, size: int) -> tuple[dict[str, tuple[int, str]], bool]:
        """The server's reply for each address, and whether it accepts a copy for ours."""
        wanted = row.at_stage("recorded")
        limit = line.esmtp_features.get("size", "")
        # a server says beforehand how large a mail may be: nothing need be sent to be refused
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
        # our own copy, by which a broken delivery can be looked up; pointless if nobody else gets the mail
        if not own and any(code in OK for code, _ in replies.values()):
            own = line.rcpt(self.post.address)[0] in OK
        return replies, own

    def _begin(self, line: smtplib.SMTP, row: Mail, replies: dict[str, tuple[int, str]], own: bool,
               letter: bytes) -> list[Mail]:
        """Record the replies, and hand over the mail for the accepted addresses."""
        now = self._now()
        marks = {address: DeliveryMark("refused", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                 if code not in (*OK, *TRY_LATER)}
        late = {address: DeliveryMark("recorded", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                if code in TRY_LATER}
        going = [address for address, (code, _) in replies.items() if code in OK]
        if marks:
            self.tell("refused", row.with_marks(marks), list(marks))
        # the server is about to hang up (421): what it accepted before is not handed over any more
        if any(code == CLOSING for code, _ in replies.values()):
            self._hang_up()
            going = []
        if not going:
            with contextlib.suppress(*PROBLEMS):
                line.rset()
            row = row.with_marks({**marks, **late})
            self._write(row)
            return [row] if late else []
        begun = row.with_marks({**marks, **dict.fromkeys(going, DeliveryMark("begun", now))})._replace(own=own)
        # written down before the text goes out, together with the row that it was divided from
        again = [self._divide(begun, late, letter)] if late else []
        if late:
            begun = begun.with_marks({address: mark._replace(stage="later") for address, mark in late.items()})
        else:
            self._write(begun)
        return [*self._hand_over(line, begun, going, letter), *again]

    def _divide(self, row: Mail, late: dict[str, DeliveryMark], letter: bytes) -> Mail:
        """Move addresses with a temporary failure to a mail of their own, with its own Message-ID."""
        rest = row._replace(ident=next_ident(row.ident), part=row.part + 1, marks=late)
        left = row.with_marks({address: mark._replace(stage="later") for address, mark in late.items()})
        rest = self.box.divide(left, rest, with_message_id(letter, row.ident, rest.ident))
        if self.journal is not None:
            self.journal.add([left, rest])
        return rest

    def _hand_over(self, line: smtplib.SMTP, row: Mail, going: Sequence[str], letter: bytes) -> list[Mail]:
        """Hand over the mail's text; returns the row if it has to be tried again."""
        # from here on nobody knows, if the line breaks, whether the server took the mail
        try:
            code, reply = line.data(letter)
        except smtplib.SMTPDataError as no:
            code, reply = no.smtp_code, no.smtp_error if isinstance(no.smtp_error, bytes) else no.smtp_error.encode()
        except PROBLEMS:
            self._hang_up()
            # only our mailbox can tell whether it was taken
            (row,) = self.settle([row])
            return [row] if row.at_stage("recorded") else []
        stage: MailStage = "taken" if code in OK else "recorded" if code in TRY_LATER else "refused"
        if code == CLOSING:
            self._hang_up()
        row = row.with_marks(dict.fromkeys(going, DeliveryMark(stage, self._now(), "" if stage == "taken" else
                                                   f"{code} {_text(reply)}")))
        self._write(row)
        if stage != "recorded":
            self.tell(stage, row, going)
        return [row] if stage == "recorded" else []

    def _put_off(self, row: Mail, cause: str) -> Mail:
        row = row.with_marks(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("recorded", self._now(), cause)))
        self._write(row)
        return row

    # --- the line ---------------------------------------------------------------------------
    def _connect(self) -> smtplib.SMTP:
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
