"""Codes of club copies: the campaign's secret and a faction in; a code that only its club knows out, and read again.

A code says whose orders a copy or a mail brings, whoever sent it. It is made from the secret, so that the ledger need
only keep how often a faction's was renewed; its last two signs are its own check, so that a mistyped one is known.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator

PREFIX = "ARB"
_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""No 0, 1, I, O: nobody can take them for one another."""
_BODY, _CHECK = 8, 2
_BETWEEN = r"[\s\u00a0\u2010-\u2015.=_-]*"
"""What may stand between the signs of a code: blanks, dashes, the marks with which mail programs break lines."""
_LIKE = re.compile(rf"(?<![A-Z0-9]){_BETWEEN.join([*PREFIX, *['[A-Z0-9]'] * (_BODY + _CHECK)])}(?![A-Z0-9])", re.I)


def token_of(secret: bytes, campaign: str, faction: str, renewed: int = 0) -> str:
    """The code of a faction's copies, such as ``ARB-K7QD-M3XF-9R``. `renewed`: how often it was renewed."""
    text = "\0".join(("arbitro|copy", campaign, faction, str(renewed)))
    body = _spelled(hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256"), _BODY)
    return shown(PREFIX + body + _check(body))


def tokens_in(text: str) -> Iterator[str]:
    """The codes in a text, as `token_of` writes them, each with a right check; small letters, blanks and breaks inside
    them do not matter. One with a wrong check is none: it is not mended.
    """
    for found in _LIKE.finditer(text):
        signs = re.sub("[^A-Z0-9]", "", found[0].upper())
        body, check = signs[len(PREFIX):-_CHECK], signs[-_CHECK:]
        if check == _check(body):
            yield shown(signs)


def shown(signs: str) -> str:
    """The signs of a code in groups."""
    rest = signs[len(PREFIX):]
    return "-".join((PREFIX, *(rest[i:i + 4] for i in range(0, len(rest), 4))))


def _spelled(digest: bytes, length: int) -> str:
    number = int.from_bytes(digest, "big")
    return "".join(_SIGNS[number >> 5 * i & 31] for i in range(length))


def _check(body: str) -> str:
    return _spelled(hashlib.sha256(f"arbitro|sign|{body}".encode()).digest(), _CHECK)
