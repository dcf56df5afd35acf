"""An open connection to a mailbox in; its mails out, each with when the server got it. Nothing there is changed."""

from __future__ import annotations

import imaplib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from imaplib import IMAP4

from assistant.post.inbox.arrivals import LARGEST

_UID, _SIZE = re.compile(rb"UID (\d+)"), re.compile(rb"RFC822\.SIZE (\d+)")
_AT_ONCE = 200


@dataclass(frozen=True)
class Fetched:
    """A mail as it lies on the server. `key`: folder, UIDVALIDITY and UID, by which it is known again; `at`: when the
    server got it, in seconds since 1970, whatever its Date says; `raw`: its bytes, b"" for one that is too large.
    """

    key: str
    at: int
    raw: bytes


def mails_in(box: IMAP4, known: Callable[[str], bool], folder: str = "INBOX", since: str = "") -> Iterator[Fetched]:
    """The mails of a folder, by when they came to it. `known`: says of a key whether it is left aside; `since`: a day
    as IMAP writes it (``22-Nov-2026``), "" for all. The folder is opened for reading only, and nothing in it is marked.
    Raises what `imaplib` raises, and `imaplib.IMAP4.error` for a folder that is not there.
    """
    if box.select(_quoted(folder), readonly=True)[0] != "OK":
        raise imaplib.IMAP4.error(f"no folder {folder}")
    validity = (box.response("UIDVALIDITY")[1] or [b"0"])[0] or b"0"
    said = box.uid("SEARCH", *(("SINCE", since) if since else ("ALL",)))[1]
    uids = said[0].split() if said and isinstance(said[0], bytes) else []
    for first in range(0, len(uids), _AT_ONCE):
        for uid, (at, size) in _looked_up(box, uids[first:first + _AT_ONCE]).items():
            key = f"{folder}/{validity.decode()}/{uid.decode()}"
            if not known(key):
                raw = _bytes(box, uid) if size <= LARGEST else b""
                if raw is not None:
                    yield Fetched(key, at, raw)


def _quoted(folder: str) -> str:
    return '"' + folder.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _looked_up(box: IMAP4, uids: list[bytes]) -> dict[bytes, tuple[int, int]]:
    """UID -> when the server got it, and its size."""
    found: dict[bytes, tuple[int, int]] = {}
    for one in box.uid("FETCH", b",".join(uids).decode(), "(UID INTERNALDATE RFC822.SIZE)")[1]:
        line = one[0] if isinstance(one, tuple) else one
        uid, size = _UID.search(line or b""), _SIZE.search(line or b"")
        when = imaplib.Internaldate2tuple(line) if line else None
        if uid and size and when:
            found[uid[1]] = int(time.mktime(when)), int(size[1])
    return found


def _bytes(box: IMAP4, uid: bytes) -> bytes | None:
    """The bytes of a mail; None for one that was taken away meanwhile."""
    for one in box.uid("FETCH", uid.decode(), "(BODY.PEEK[])")[1]:
        if isinstance(one, tuple):
            return bytes(one[1])
    return None
