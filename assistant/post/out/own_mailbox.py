"""Our own mailbox and Message-IDs in; those of which a mail lies there out: what went out is found again."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from imaplib import IMAP4

from assistant.post.out.connecting import PROBLEMS, mailbox, trouble_of
from assistant.post.out.letters import OWN_HEADER
from assistant.post.out.settings import Post

_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"[^"]*"|NIL) (?P<name>.+)')
_PLAIN = re.compile(r"[A-Za-z0-9.@_+-]+")


def found_in(post: Post, secret: str, idents: Iterable[str]) -> set[str]:
    """Which mails lie in our inbox or among those that were sent, by Message-ID or by the header that is ours.

    Nothing is marked or changed. Raises `PostTrouble`.
    """
    wanted, found = list(idents), set[str]()
    box = mailbox(post, secret)
    server = post.imap
    assert server is not None
    try:
        with contextlib.closing(_Open(box)):
            for folder in ("INBOX", *_sent(box)):
                if box.select(folder, readonly=True)[0] == "OK":
                    found |= {ident for ident in wanted if ident not in found and _holds(box, ident)}
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    return found


class _Open:
    """A connection that is to be ended, whatever it says to that."""

    def __init__(self, box: IMAP4) -> None:
        self._box = box

    def close(self) -> None:
        """Log out."""
        with contextlib.suppress(*PROBLEMS):
            self._box.logout()


def _holds(box: IMAP4, ident: str) -> bool:
    """Whether the open folder holds a mail."""
    if not _PLAIN.fullmatch(ident):
        return False
    said, numbers = box.uid("SEARCH", "OR", "HEADER", "Message-ID", f'"<{ident}>"', "HEADER", OWN_HEADER, f'"{ident}"')
    return said == "OK" and bool(numbers and numbers[0])


def _sent(box: IMAP4) -> Iterator[str]:
    """The folders of mails that were sent, as the server marks them, else by the usual names."""
    names = []
    for line in box.list()[1]:
        told = _LISTED.fullmatch(line) if isinstance(line, bytes) else None
        if told is not None:
            names.append((told["name"].decode(errors="replace"), b"\\sent" in told["flags"].lower()))
    marked = [name for name, is_sent in names if is_sent]
    usual = re.compile(r'"?(.*[./])?(sent|sent items|sent messages|inviata|posta inviata)"?', re.I)
    yield from marked or [name for name, _ in names if usual.fullmatch(name)]
