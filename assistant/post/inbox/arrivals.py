"""The bytes of one mail in; what it holds out, whatever they are: one that cannot be read says so and stops no other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser

from assistant.post.inbox.arrived import Arrived, Doubt, InFile, Words
from assistant.post.inbox.mime_parts import Parts
from assistant.post.inbox.senders import (
    header,
    ident_of,
    is_quiet,
    kind_of,
    sender_of,
    undelivered,
)
from assistant.post.tokens import tokens_in
from assistant.workbook.safe.limits import MB

LARGEST = 36 * MB
"""Bytes of a mail that is read; no usual provider carries a larger one."""
_NESTS = re.compile(rb"^content-type:\s*(?:multipart|message)/", re.I | re.M)
_MOST_NESTS = 200
_PARTS = re.compile(rb"^content-type:", re.I | re.M)
_MOST_PARTS = 1_000
_HEAD = 64 * 1024


def read_mail(raw: bytes) -> Arrived:
    """What a mail holds. A fault of a library while it is read is a doubt of its own: it is listed for the referee."""
    if len(raw) > LARGEST:
        return _only(raw, Doubt("too_large", str(len(raw) // MB)))
    if sum(1 for _ in _NESTS.finditer(raw)) > _MOST_NESTS:
        return _only(raw, Doubt("too_deep"))
    if sum(1 for _ in _PARTS.finditer(raw)) > _MOST_PARTS:
        return _only(raw, Doubt("too_many_parts"))
    try:
        return _read(raw)
    except (Exception, RecursionError) as fault:
        return _only(raw, Doubt("broken", type(fault).__name__))


def _read(raw: bytes) -> Arrived:
    mail = message_from_bytes(raw)
    kind = kind_of(mail)
    if kind in ("failure", "receipt", "own"):
        return Arrived(kind, ident_of(mail), sender_of(mail), header(mail, "Subject"), True,
                       undelivered=undelivered(mail, raw) if kind == "failure" else None)
    letter = _in_envelope(mail)
    parts = Parts()
    parts.walk(letter)
    files = _each_once(parts.files)
    subject = header(letter, "Subject")
    return Arrived(kind, ident_of(letter) or ident_of(mail), sender_of(letter), subject, is_quiet(mail, kind),
                   _tokens(subject, parts.words), tuple(parts.words), files, tuple(dict.fromkeys(parts.doubts)))


def _in_envelope(mail: Message) -> Message:
    """The mail that certified post (PEC) carries in its envelope; any other as it is."""
    if header(mail, "X-Trasporto").casefold() not in ("posta-certificata", "errore"):
        return mail
    inner = [one for part in mail.walk() if part.get_content_type() == "message/rfc822"
             for one in part.get_payload() if isinstance(one, Message)]
    return inner[0] if inner else mail


def _tokens(subject: str, words: Iterable[Words]) -> tuple[str, ...]:
    """The codes that a mail names; a quote's mark may stand where a line of it broke."""
    texts = [subject, *("\n".join(line.text for line in lines) for one in words for lines in (one.text, one.html)
                        if lines)]
    return tuple(dict.fromkeys(code for text in texts for code in tokens_in(text)))


def _each_once(files: Iterable[InFile]) -> tuple[InFile, ...]:
    """Files without those that are there twice."""
    return tuple({hashlib.sha256(one.data).digest(): one for one in reversed(list(files))}.values())[::-1]


def _only(raw: bytes, doubt: Doubt) -> Arrived:
    """A mail of which no more than who sent it is looked at."""
    try:
        head = BytesHeaderParser().parsebytes(raw[:_HEAD])
        return Arrived("person", ident_of(head), sender_of(head), header(head, "Subject"), True, doubts=(doubt,))
    except Exception:  # not even that: the doubt says so
        return Arrived(quiet=True, doubts=(doubt,))
