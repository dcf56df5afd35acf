"""A parsed mail in; what it says, part by part, and its files out, in whatever layout a program sent them."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message

from assistant.post.inbox.arrived import Doubt, InFile, Said, Words
from assistant.post.inbox.charsets import text_of
from assistant.post.inbox.file_kinds import clean_name, file_of, inside_of, shape_of
from assistant.post.inbox.mail_html import lines_of_html
from assistant.post.inbox.mail_text import lines_of, without_uuencoded
from assistant.post.inbox.senders import header, is_own
from assistant.post.inbox.signed_data import is_encrypted, mail_inside

MOST_PARTS = 500
DEEPEST = 40
LONGEST_TEXT = 4_000_000
"""Signs of one part of text."""
_REST_OF_TEXT = re.compile(r"ATT\d+\.(txt|html?|bin)", re.I)
"""How one large server calls what stands behind an attachment."""
_SEALS = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
          "application/pgp-keys")
_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ARMOURED = "-----BEGIN PGP MESSAGE-----"


class Parts:
    """Goes through a mail. `own`: mails of ours that hang on it, as we know them: their files are not the club's."""

    def __init__(self) -> None:
        self.words: list[Words] = []
        self.files: list[InFile] = []
        self.doubts: list[Doubt] = []
        self._count = 0

    def walk(self, part: Message, depth: int = 0, *, nested: bool = False, own: bool = False) -> None:
        """Take in a part and those in it."""
        self._count += 1
        if depth > DEEPEST or self._count > MOST_PARTS:
            why = Doubt("too_deep" if depth > DEEPEST else "too_many_parts")
            self.doubts += [why] if why not in self.doubts else []
            return
        kind = part.get_content_type()
        if kind in ("multipart/encrypted", "application/pgp-encrypted"):
            self.doubts.append(Doubt("encrypted"))
        elif kind == "multipart/alternative":
            self._either(part, depth, nested=nested, own=own)
        elif kind in ("message/rfc822", "message/global", "message/news"):
            self._mail(part, depth, own=own)
        elif part.is_multipart():
            for one in _inner(part):
                self.walk(one, depth + 1, nested=nested, own=own)
        elif kind.startswith("message/") or kind in _SEALS:
            pass  # of a report, or a signature: no orders
        else:
            self._leaf(part, depth, nested=nested, own=own)

    def _either(self, part: Message, depth: int, *, nested: bool, own: bool) -> None:
        """The same said twice: all text in it is one form, all HTML the other."""
        begin = len(self.words)
        for one in _inner(part):
            self.walk(one, depth + 1, nested=nested, own=own)
        both, self.words[begin:] = self.words[begin:], []
        text = [one.text for one in both if one.text is not None]
        html = [one.html for one in both if one.html is not None]
        self.words.append(Words(_all(text) if text else None, _all(html) if html else None))

    def _mail(self, part: Message, depth: int, *, own: bool) -> None:
        """A mail in a mail; where it was encoded, which the standard forbids, it is decoded first."""
        inner = next(_inner(part), None)
        coded = header(part, "Content-Transfer-Encoding").casefold()
        if inner is not None and coded in ("base64", "quoted-printable"):
            payload = inner.get_payload()
            packed = payload if isinstance(payload, str) else ""
            shell = Message()
            shell["Content-Transfer-Encoding"] = coded
            shell.set_payload(packed or inner.as_string())
            self._bytes_of_mail(_decoded(shell), depth, own=own)
        elif inner is not None:
            self.walk(inner, depth + 1, nested=True, own=own or is_own(inner))

    def _bytes_of_mail(self, data: bytes, depth: int, *, own: bool) -> None:
        inner = message_from_bytes(data)
        self.walk(inner, depth + 1, nested=True, own=own or is_own(inner))

    # --- leaves -------------------------------------------------------------------------------------------
    def _leaf(self, part: Message, depth: int, *, nested: bool, own: bool) -> None:
        data, kind = _decoded(part), part.get_content_type()
        name = _name(part)
        if kind in _SEALED or name.casefold().endswith(".p7m"):
            self._sealed(data, depth, nested=nested, own=own)
            return
        attached = part.get_content_disposition() == "attachment"
        plain = kind in ("text/plain", "text/html", "text/enriched", "multipart/mixed")
        if plain and (not (name or attached) or _REST_OF_TEXT.fullmatch(name)):
            if shape_of(data, name) in ("workbook", "zip", "winmail"):
                self._file(data, clean_name(name), depth, own=own)
            else:
                self._text(part, data, nested=nested)
        elif data and kind.startswith("image/") and not attached and header(part, "Content-ID"):
            self.files += [] if own else [InFile(clean_name(name), data, "picture")]
        elif data:
            self._file(data, clean_name(name), depth, own=own)

    def _sealed(self, data: bytes, depth: int, *, nested: bool, own: bool) -> None:
        inner = mail_inside(data)
        if inner is None:
            self.doubts.append(Doubt("encrypted" if is_encrypted(data) else "broken", "smime.p7m"))
            return
        self.walk(message_from_bytes(inner), depth + 1, nested=nested, own=own)

    def _text(self, part: Message, data: bytes, *, nested: bool) -> None:
        """A part of what the mail says."""
        said = text_of(data, str(part.get_content_charset("") or ""))
        if said is None:
            self.doubts.append(Doubt("charset", str(part.get_content_charset("") or "")))
            return
        if len(said) > LONGEST_TEXT:
            self.doubts.append(Doubt("too_large"))
            return
        if part.get_content_type() == "text/html":
            self.words.append(Words(html=_as(lines_of_html(said), nested)))
            return
        if _ARMOURED in said:
            self.doubts.append(Doubt("encrypted"))
            return
        said, files = without_uuencoded(said)
        self.files += [file_of(inner, clean_name(name)) for name, inner in files]
        flowed = str(part.get_param("format", "") or "").casefold() == "flowed"
        delsp = str(part.get_param("delsp", "") or "").casefold() == "yes"
        self.words.append(Words(text=_as(lines_of(said, flowed=flowed, delsp=delsp), nested)))

    def _file(self, data: bytes, name: str, depth: int, *, own: bool) -> None:
        """A file, or what is in one that only wraps others."""
        shape = shape_of(data, name)
        if shape == "mail":
            self._bytes_of_mail(data, depth, own=own)
        elif shape == "outlook":
            self.doubts.append(Doubt("outlook_item", name))
        elif own:
            pass  # it is as we sent it
        elif shape in ("zip", "winmail"):
            for one in inside_of(data, name):
                (self.doubts if isinstance(one, Doubt) else self.files).append(one)  # type: ignore[arg-type]
        else:
            self.files.append(file_of(data, name))


def _inner(part: Message) -> Iterator[Message]:
    payload = part.get_payload()
    yield from (one for one in payload if isinstance(one, Message)) if isinstance(payload, list) else ()


def _all(lines: Iterable[tuple[Said, ...]]) -> tuple[Said, ...]:
    return tuple(one for some in lines for one in some)


def _as(lines: tuple[Said, ...], nested: bool) -> tuple[Said, ...]:
    return tuple(replace(one, nested=True) for one in lines) if nested else lines


def _decoded(part: Message) -> bytes:
    """The bytes of a leaf; where its coding is wrong, as far as they go."""
    try:
        data = part.get_payload(decode=True)
    except (binascii.Error, ValueError, LookupError, AssertionError):
        data = part.get_payload()
    if isinstance(data, str):
        return data.encode("utf-8", "surrogateescape")
    return data if isinstance(data, bytes) else b""


def _name(part: Message) -> str:
    """What the sender calls a file; "" where that cannot be read, which changes nothing."""
    try:
        return part.get_filename() or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return "file"
