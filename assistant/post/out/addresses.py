"""What a referee typed into the column Mail in; the addresses in it out, and what is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.errors import MessageError
from email.headerregistry import Address

_BETWEEN = re.compile(r"[,;\n\r\t]+")
_BARE = re.compile(r"[^\s<>,;]+@[^\s<>,;]+")
_PLAIN = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}")
LONGEST = 254


def addresses_in(text: str) -> tuple[list[str], list[str]]:
    """The addresses of a cell, each once in the order in which they stand, and the pieces that are none.

    Several stand there with commas, semicolons, line breaks or blanks between them, with or without a name and
    pointed brackets: ``Anna <anna@club.it>; bruno@club.it``. A deputy's stands there like its club's.
    """
    good: list[str] = []
    bad: list[str] = []
    for piece in filter(None, (one.strip() for one in _BETWEEN.split(text))):
        found = _BARE.findall(piece)
        for one in found or [piece]:
            plain = one.removeprefix("mailto:").rstrip(".")
            (good if is_address(plain) else bad).append(plain)
    return each_once(good), bad


def is_address(text: str) -> bool:
    """Whether this may go to a mail server as an address."""
    if len(text) > LONGEST or not _PLAIN.fullmatch(text) or ".." in text:
        return False
    try:
        Address(addr_spec=text)
    except (MessageError, ValueError, IndexError):
        return False
    return True


def each_once(addresses: Iterable[str]) -> list[str]:
    """Addresses without those that are the same but for small and capital letters."""
    return list({one.casefold(): one for one in reversed(list(addresses))}.values())[::-1]
