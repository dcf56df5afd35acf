"""The bytes of a winmail.dat in (Outlook's own wrapping, TNEF); the files in it out.

The form is that of Microsoft's MS-OXTNEF: a signature, then attributes, each with its level, name, length, bytes and
a sum that is not needed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from struct import error, unpack_from

from assistant.post.inbox.charsets import text_of

SIGNATURE = b"\x78\x9f\x3e\x22"
_START, _LEVEL_NAME_LENGTH = 6, "<BII"
_NEW_FILE, _TITLE, _DATA, _PROPERTIES = 0x9002, 0x8010, 0x800F, 0x9005
_LONG_NAME = (b"\x1f\x00\x07\x37", b"\x1e\x00\x07\x37")
"""How the property of a file's long name begins, in two forms."""


def files_in(data: bytes) -> list[tuple[str, bytes]]:
    """The files: name and bytes each. What is cut off gives those before the cut."""
    starts = [0, *(n for n, (name, _) in enumerate(_attributes(data)) if name == _NEW_FILE)]
    all_of = list(_attributes(data))
    found = []
    for begin, end in pairwise([*starts[1:], len(all_of)]):
        parts = dict(all_of[begin:end])
        if _DATA in parts:
            title = text_of(parts.get(_TITLE, b"").rstrip(b"\0")) or ""
            found.append((_long_name(parts.get(_PROPERTIES, b"")) or title, parts[_DATA]))
    return found


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    place = _START
    while place + 9 <= len(data):
        try:
            _, name, length = unpack_from(_LEVEL_NAME_LENGTH, data, place)
        except error:
            return
        place += 9
        if place + length > len(data):
            return
        yield name & 0xFFFF, data[place:place + length]
        place += length + 2


def _long_name(properties: bytes) -> str:
    """The long name among a file's properties, "" for none: its mark, how many, how long, then the text."""
    for mark in _LONG_NAME:
        place = properties.find(mark)
        if place >= 0 and place + 12 <= len(properties):
            _, length = unpack_from("<II", properties, place + 4)
            raw = properties[place + 12:place + 12 + min(length, 1024)]
            return raw.decode("utf-16-le" if mark[0] == 0x1F else "cp1252", "replace").rstrip("\0")
    return ""
