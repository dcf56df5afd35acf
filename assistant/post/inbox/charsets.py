"""Bytes of a mail's text or header in; the text out, by the charset that it names if that can be, else by trying."""

from __future__ import annotations

import codecs
import re
import unicodedata
from email.errors import HeaderParseError
from email.header import decode_header

_GUESSED = ("utf-8", "windows-1252")
_LATIN = ("ascii", "iso8859-1", "cp1252", "iso8859-15", "latin-1")
"""Charsets that programs name out of habit: text that is UTF-8 is never by chance."""
_NO_TEXT = ("unicode_escape", "raw_unicode_escape", "punycode", "idna", "undefined", "mbcs", "oem", "utf-7")
"""What Python decodes and no mail is written in."""
_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]")
_NOTHING = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")
_PLAIN = str.maketrans({**dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u0060\u00b4", "'"),
                        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
                        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")})


def text_of(data: bytes, declared: str = "") -> str | None:
    """The text of bytes; None for what is no text in the charset that they name, nor in UTF-8, nor in Windows-1252."""
    for name in _names(declared):
        try:
            said = data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        if "\0" not in said:
            return said.removeprefix("\ufeff")
    return None


def _names(declared: str) -> tuple[str, ...]:
    """The charsets to be tried, in order."""
    try:
        name = codecs.lookup(declared.strip("'\" ")).name if declared else ""
    except (LookupError, ValueError):
        name = ""
    return _GUESSED if not name or name in _LATIN else ("utf-8", name) if name in _NO_TEXT else (name, *_GUESSED)


def header_text(raw: str) -> str:
    """A header as it was sent (other bytes than ASCII as surrogates), decoded, in one line."""
    plain = text_of(raw.encode("utf-8", "surrogateescape")) or raw.encode("ascii", "replace").decode()
    try:
        pieces = decode_header(plain)
    except (HeaderParseError, ValueError, LookupError):
        pieces = [(plain, None)]
    said = [piece if isinstance(piece, str) else text_of(piece, charset or "") or "?" for piece, charset in pieces]
    return " ".join("".join(said).split())


def plain_signs(text: str) -> str:
    """A text with the signs of a keyboard: typographic quotes and dashes, other blanks and what cannot be seen are
    what a club types for them; accents stay.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _NOTHING.sub("", text)).translate(_PLAIN)
    return _BLANKS.sub(" ", text)
