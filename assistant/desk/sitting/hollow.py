"""A workbook's bytes in; the same without the map that can be drawn again out, and back: the ledger keeps no pictures.

What is kept says where the picture stood, and its fingerprint. It is left out only where drawing it again from the
workbook's own campaign gives what stands there; any other picture is kept with the workbook.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from assistant import pictures
from assistant.campaign.campaign import Campaign
from assistant.turn.ruleset import Ruleset
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.faults import Fault
from assistant.workbook.ooxml.whole_sheets.own_picture import picture_in, shown_in

MAGIC = b"ARBITRO-HOLLOW-1\n"
_SIZE = 8
_LOCAL = 30
"""Bytes of a member's own head in a zip, before its name."""


def hollowed(content: bytes, ruleset: Ruleset, campaign: Campaign) -> bytes:
    """What the ledger keeps of a workbook's file. `campaign`: as it stands in it."""
    if b"xl/media/" not in content:
        return content
    try:
        book = OoxmlBook(content)
        found, picture = shown_in(book), picture_in(book)
    except Fault:  # what is no workbook of ours is kept as it is
        return content
    note = pictures.note_in(picture) if found is not None else None
    if found is None or note is None:
        return content
    made = pictures.sketch(ruleset, campaign, note.whose, note.lang, note.before)
    at, packed = _member(content, found.part)
    if made.note != note or packed not in _packings(picture):
        return content
    said = {"at": at, "size": len(packed), "sha": hashlib.sha256(packed).hexdigest(), "part": found.part,
            "whose": note.whose, "lang": note.lang, "before": note.before}
    head = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return MAGIC + len(head).to_bytes(_SIZE, "big") + head + content[:at] + content[at + len(packed):]


def readable(kept: bytes) -> bytes:
    """The file of what the ledger keeps, to be read: nothing stands where the picture was."""
    said, rest = _parted(kept)
    return kept if said is None else rest[:said["at"]] + bytes(said["size"]) + rest[said["at"]:]


def filled(kept: bytes, ruleset: Ruleset, campaign: Campaign) -> bytes:
    """The very file of what the ledger keeps, its picture drawn again.

    Where this version, or its libraries, draw otherwise the picture is another and all else the same; without the
    libraries the picture stays blank. `campaign`: the one that stands in it. Raises `Fault`.
    """
    said, rest = _parted(kept)
    if said is None:
        return kept
    before = {code: (side, gap) for code, (side, gap) in said["before"].items()}
    picture = pictures.printed(pictures.sketch(ruleset, campaign, said["whose"], said["lang"], before))
    png = BLANK if isinstance(picture, pictures.MissingLibrary) else picture.png
    for packed in _packings(png):
        if hashlib.sha256(packed).hexdigest() == said["sha"]:
            return rest[:said["at"]] + packed + rest[said["at"]:]
    book = OoxmlBook(readable(kept))
    book.package.put(said["part"], png)
    return book.package.pack()


def _parted(kept: bytes) -> tuple[dict[str, Any] | None, bytes]:
    if not kept.startswith(MAGIC):
        return None, kept
    start = len(MAGIC) + _SIZE
    size = int.from_bytes(kept[len(MAGIC):start], "big")
    return json.loads(kept[start:start + size]), kept[start + size:]


def _member(content: bytes, part: str) -> tuple[int, bytes]:
    """Where a member's compressed bytes begin in the file, and they."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        info = next(one for one in archive.infolist() if one.filename.lower() == part.lower())
    name, extra = (int.from_bytes(content[info.header_offset + i:info.header_offset + i + 2], "little")
                   for i in (26, 28))
    at = info.header_offset + _LOCAL + name + extra
    return at, content[at:at + info.compress_size]


def _packings(picture: bytes) -> Iterator[bytes]:
    """The ways in which a picture can lie in our file: as the package layer packs it, or as it is."""
    for level in (6, 1):
        engine = zlib.compressobj(level, zlib.DEFLATED, -15)
        yield engine.compress(picture) + engine.flush()
    yield picture


def _blank() -> bytes:
    """A PNG of one white pixel."""
    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    head = (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff")) + chunk(b"IEND", b"")


BLANK = _blank()
