"""Where and as whom mails are sent: a file of this user's own in and out, never a campaign's; and the secret apart.

The password is taken from the environment, else from the system's keyring where the package `keyring` is installed,
else from a file that nobody else may read. It never stands in a workbook, a ledger, an export or a message.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

HOME, PASSWORD = "ARBITRO_HOME", "ARBITRO_POST_PASSWORD"
"""Environment variables: another folder for what is this user's own; the password of the post."""
SERVICE = "arbitro-post"
Security = Literal["starttls", "tls"]
PORTS: Mapping[tuple[str, Security], int] = {
    ("smtp", "starttls"): 587, ("smtp", "tls"): 465, ("imap", "starttls"): 143, ("imap", "tls"): 993}
_FILE, _SECRET = "post.json", "post.secret"


@dataclass(frozen=True)
class Server:
    """A server: `host`, `port`, and `security`: encrypted from the start, or before anything is said."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True)
class Post:
    """Our post. `address`: from which mails come, and to which a copy of each goes; `name`: what we are called;
    `login`: at both servers; `smtp`: takes mails; `imap`: has our mailbox, None for not known; `authority`: a file
    with certificates that are to be trusted beside the system's, "" for none.

    `patience`: seconds for which a mail that was begun is looked for in our mailbox; `pause`: seconds before addresses
    that were put off are tried again.
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
        """Of our address."""
        return self.address.rpartition("@")[2]


# --- what is known of providers -------------------------------------------------------------------------
def _both(name: str, smtp: str, imap: str, security: Security = "starttls") -> tuple[str, Server, Server]:
    return name, Server(smtp, PORTS["smtp", security], security), Server(imap, 993, "tls")


PROVIDERS = {domain: server for domains, *server in (
    _both("gmail.com googlemail.com", "smtp.gmail.com", "imap.gmail.com"),
    _both("libero.it inwind.it iol.it blu.it", "smtp.libero.it", "imapmail.libero.it", "tls"),
    _both("virgilio.it", "out.virgilio.it", "in.virgilio.it", "tls"),
    _both("tiscali.it", "smtp.tiscali.it", "imap.tiscali.it", "tls"),
    _both("yahoo.com yahoo.it", "smtp.mail.yahoo.com", "imap.mail.yahoo.com", "tls"),
    _both("icloud.com me.com", "smtp.mail.me.com", "imap.mail.me.com"),
    _both("gmx.com gmx.net", "mail.gmx.com", "imap.gmx.com"),
) for domain in str(domains).split()}
"""Domain -> server for mails out, server of the mailbox."""
APP_PASSWORD = ("gmail.com", "googlemail.com", "yahoo.com", "yahoo.it", "icloud.com", "me.com")
"""Where the password of every day is refused, and one for this program alone is to be made."""
NO_PASSWORDS = ("outlook.com", "outlook.it", "hotmail.com", "hotmail.it", "live.com", "live.it", "msn.com")
"""Where no password at all is accepted from programs."""


def guessed(address: str) -> tuple[Server, Server]:
    """The servers of an address: those that are known, else as most providers call theirs."""
    domain = address.rpartition("@")[2].casefold()
    known = PROVIDERS.get(domain)
    smtp, imap = known or (Server(f"smtp.{domain}", 587, "starttls"), Server(f"imap.{domain}", 993, "tls"))
    return smtp, imap


def server_of(text: str, what: Literal["smtp", "imap"]) -> Server:
    """``host``, ``host:port`` or ``host:port:tls`` as somebody typed it. Raises ValueError."""
    host, _, rest = text.strip().partition(":")
    number, _, word = rest.partition(":")
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


# --- kept -------------------------------------------------------------------------------------------------
def home() -> Path:
    """The folder in which Arbitro keeps what is this user's own, whether it is there or not."""
    if os.environ.get(HOME):
        return Path(os.environ[HOME])
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "arbitro"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "arbitro"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "arbitro"


def load() -> Post | None:
    """The post as it was set up; None where it was not, or not in a form that can be read. Raises OSError."""
    place = home() / _FILE
    if not place.is_file():
        return None
    try:
        said = json.loads(place.read_text(encoding="utf-8"))
        known = {name: said[name] for name in Post.__dataclass_fields__ if name in said}
        imap = Server(**said["imap"]) if said["imap"] else None
        return Post(**{**known, "smtp": Server(**said["smtp"]), "imap": imap})
    except (ValueError, KeyError, TypeError):
        return None


def save(post: Post) -> Path:
    """Keep the post; returns where. Raises OSError."""
    return private(home() / _FILE, json.dumps(asdict(post), ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def private(place: Path, text: str) -> Path:
    """Write a file that nobody else may read, the whole or not at all. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, name = tempfile.mkstemp(dir=place.parent)  # made so that only its owner may read it
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return place


# --- the secret -------------------------------------------------------------------------------------------
class _Keyring:
    """The system's keyring, where there is one that works."""

    def __init__(self) -> None:
        self._ring: Any = None
        self._faults: tuple[type[Exception], ...] = (OSError,)
        try:
            import keyring
            from keyring.errors import KeyringError
        except ImportError:
            return
        self._ring, self._faults = keyring, (KeyringError, OSError)

    def get(self, login: str) -> str:
        """What it has under a login, or ""."""
        with contextlib.suppress(*self._faults):
            return (self._ring.get_password(SERVICE, login) or "") if self._ring is not None else ""
        return ""

    def put(self, login: str, secret: str) -> bool:
        """Whether it has taken a secret."""
        with contextlib.suppress(*self._faults):
            if self._ring is not None:
                self._ring.set_password(SERVICE, login, secret)
                return True
        return False


def password(post: Post) -> str:
    """The password of our post, "" where nobody has it. Raises OSError."""
    place = home() / _SECRET
    kept = place.read_text(encoding="utf-8").removesuffix("\n") if place.is_file() else ""
    return os.environ.get(PASSWORD) or _Keyring().get(post.login) or kept


Kept = Literal["environment", "keyring", "file"]


def keep_password(post: Post, secret: str) -> Kept:
    """Keep a password, and say where. One that stands in the environment is kept nowhere else. Raises OSError."""
    if os.environ.get(PASSWORD) == secret:
        return "environment"
    place = home() / _SECRET
    if _Keyring().put(post.login, secret):
        place.unlink(missing_ok=True)
        return "keyring"
    private(place, secret + "\n")
    return "file"
