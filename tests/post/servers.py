"""Real servers for the tests, on this machine's own addresses: SMTP with TLS and login, Dovecot with the mailboxes."""

from __future__ import annotations

import grp
import itertools
import os
import pwd
import shutil
import ssl
import subprocess
import tempfile
import time
from asyncio import Transport
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import create_connection, socket
from typing import Any

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from assistant.post.mail_server import MailAccount, Server

REFEREE, PASSWORD = "referee@club.test", "correct-horse-battery"
ORDINARY = "nobody"
"""As whom Dovecot runs where the tests run as root, which it refuses."""
DELIVERED = itertools.count()


def free_port() -> int:
    """A port on which nobody listens."""
    with closing(socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def certificates(place: Path) -> Path:
    """An authority of our own and a certificate of this machine in a folder; the authority's file."""
    authority, target = trustme.CA(), place / "authority.pem"
    mine = authority.issue_cert("localhost", "127.0.0.1")
    mine.private_key_and_cert_chain_pem.write_to_path(place / "server.pem")
    authority.cert_pem.write_to_path(target)
    return target


Reply = Callable[[str, list[str]], str]
"""Is told the step (``MAIL``, ``RCPT``, ``DATA``) and the addresses by then; what it says, "" for yes."""


class Delivering:
    """Puts each mail into the mailbox of each of its addresses, as mail servers do: under another name, then moved."""

    def __init__(self, mailboxes: Path, reply: Reply) -> None:
        self._mailboxes = mailboxes
        self._reply = reply

    async def handle_MAIL(self, _: SMTP, session: Session, envelope: Envelope, address: str,  # noqa: N802
                          options: list[str]) -> str:
        no = self._reply("MAIL", [address])
        if not no:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return no or "250 OK"

    async def handle_RCPT(self, _: SMTP, session: Session, envelope: Envelope, address: str,  # noqa: N802
                          options: list[str]) -> str:
        no = self._reply("RCPT", [*envelope.rcpt_tos, address])
        if not no:
            envelope.rcpt_tos.append(address)
        return no or "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        no = self._reply("DATA", envelope.rcpt_tos)
        if no.startswith(("4", "5")):
            return no
        for address in envelope.rcpt_tos:
            self.deliver(address, envelope.content or b"")
        if no == "drop":  # it has the mail, and the line breaks before it can say so
            assert isinstance(server.transport, Transport)
            server.transport.abort()
        return "250 taken"

    def deliver(self, address: str, content: str | bytes) -> None:
        """A mail into one mailbox."""
        box = self._mailboxes / address
        for folder in ("tmp", "new", "cur"):
            if not (box / folder).is_dir():
                (box / folder).mkdir(parents=True)
                for one in (box, box / folder):
                    one.chmod(0o777)
        name = f"{os.getpid()}.{next(DELIVERED):06}.{time.monotonic_ns()}"
        (box / "tmp" / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        (box / "tmp" / name).chmod(0o666)
        (box / "tmp" / name).rename(box / "new" / name)


def _authenticated(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (REFEREE.encode(), PASSWORD.encode())
    return AuthResult(success=good, handled=good)


class Machine:
    """The servers and their mailboxes. `reply`: what the server says to each step, to be set by a test."""

    def __init__(self) -> None:
        self.place = place = Path(tempfile.mkdtemp(prefix="arbitro-post-"))  # one that an ordinary user may look into
        self.authority = certificates(place)
        self.mailboxes = place / "mailboxes"
        self.smtp_port = free_port()
        self.imap_port = 0
        self.steps: list[tuple[str, list[str]]] = []
        self.reply: Reply = lambda step, addresses: ""

    def _replied(self, step: str, addresses: list[str]) -> str:
        self.steps.append((step, list(addresses)))
        return self.reply(step, addresses)

    @contextmanager
    def smtp(self, *, tls: bool = False, size: int = 33_554_432) -> Iterator[None]:
        """The server that takes mails, after TLS and a login only."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.place / "server.pem")
        inside: dict[str, Any] = {"ssl_context": context} if tls else {"tls_context": context, "require_starttls": True}
        controller = Controller(
            Delivering(self.mailboxes, self._replied), hostname="127.0.0.1", port=self.smtp_port,
            authenticator=_authenticated, auth_required=True, data_size_limit=size, auth_require_tls=not tls, **inside)
        controller.start()
        try:
            yield
        finally:
            controller.stop()

    @contextmanager
    def imap(self) -> Iterator[None]:
        """Dovecot as an ordinary user: our mailbox behind TLS and a login."""
        self.imap_port = free_port()
        config = self.place / "dovecot.conf"
        config.write_text(dovecot_config(self.place, self.mailboxes, self.imap_port))
        (self.mailboxes / REFEREE).mkdir(parents=True, exist_ok=True)
        who: dict[str, Any] = {}
        if os.getuid() == 0:
            who = {"user": ORDINARY, "group": pwd.getpwnam(ORDINARY).pw_gid, "extra_groups": []}
            for one in (self.place, *self.place.rglob("*")):
                shutil.chown(one, ORDINARY)
        with (self.place / "dovecot.err").open("w") as said:
            running = subprocess.Popen([dovecot(), "-F", "-c", config], stdout=subprocess.DEVNULL, stderr=said, **who)
        try:
            wait_for(self.imap_port, self.place)
            yield
        finally:
            running.terminate()
            running.wait(timeout=20)

    def post(self, **more: Any) -> MailAccount:
        """Our post at these servers, which waits for nothing longer than a test may."""
        imap = Server("127.0.0.1", self.imap_port, "tls") if self.imap_port else None
        return MailAccount(REFEREE, REFEREE, Server("127.0.0.1", self.smtp_port, "starttls"), imap, "The referee",
                    str(self.authority), **{"patience": 0.5, "pause": 0, **more})

    def clear(self) -> None:
        """Forget what was delivered and said."""
        shutil.rmtree(self.mailboxes, ignore_errors=True)
        (self.mailboxes / REFEREE).mkdir(parents=True)
        self.steps.clear()
        self.reply = lambda step, addresses: ""

    def mails(self, address: str) -> list[bytes]:
        """What lies in a mailbox, the first delivered first."""
        files = [*(self.mailboxes / address).glob("new/*"), *(self.mailboxes / address).glob("cur/*")]
        return [one.read_bytes() for one in sorted(files, key=lambda one: int(one.name.split(".")[2].split(":")[0]))]


def dovecot() -> str:
    """Where the program is. Raises FileNotFoundError where there is none: what cannot run has failed."""
    for name in ("dovecot", "/usr/sbin/dovecot"):
        if found := shutil.which(name):
            return found
    raise FileNotFoundError("no Dovecot on this machine; dev.py test says how to install it")


def wait_for(port: int, place: Path) -> None:
    """Until somebody listens there. Raises AssertionError after ten seconds."""
    for _ in range(200):
        try:
            create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError((place / "dovecot.err").read_text() + (place / "dovecot.log").read_text())


def dovecot_config(place: Path, mailboxes: Path, port: int) -> str:
    """Everything belongs to whoever runs it; nothing is looked up on the machine."""
    mine = pwd.getpwuid(os.getuid()) if os.getuid() else pwd.getpwnam(ORDINARY)
    user, group, name = mine.pw_uid, mine.pw_gid, mine.pw_name
    crowd = grp.getgrgid(group).gr_name
    return f"""
base_dir = {place}/run
state_dir = {place}/state
log_path = {place}/dovecot.log
default_internal_user = {name}
default_internal_group = {crowd}
default_login_user = {name}
first_valid_uid = 0
first_valid_gid = 0
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{place}/server.pem
ssl_key = <{place}/server.pem
mail_location = maildir:{mailboxes}/%u
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={mailboxes}/%u
}}
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
  chroot =
  client_limit = 100
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service log {{
}}
"""
