"""How large a packed file really is: its bytes in; why it is not opened out, by what was inflated.

The directory of a zip is written by whoever made the file: it may declare a bomb small, or a small file large.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from assistant.workbook import codes
from assistant.workbook.safe.limits import LIMITS, MB
from assistant.workbook.safe.screening import Refusal, refusal

_LOCAL, _LENGTHS = 30, 26
"""Bytes of a member's own heading, and where the lengths of its name and its extra stand in it."""
_STEP = 1 << 16


def why_not_opened(data: bytes) -> Refusal | None:
    """The finding's code and data when a file of somebody else is not read, else None: as `screening.refusal`, but a
    size is what was inflated, as far as the limits allow.
    """
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
        return refusal(data)
    whole = 0
    for member in members[:LIMITS.members + 1]:
        size = _inflated(data, member, LIMITS.whole - whole)
        whole += size
        if whole > LIMITS.whole or size > LIMITS.part:
            return codes.UNSAFE, {"size": whole // MB, "parts": len(members)}
    said = refusal(data)
    if said is not None and said[0] == codes.UNSAFE and len(members) <= LIMITS.members:
        steep = any(member.file_size > LIMITS.ratio_from for member in members) and whole > LIMITS.ratio_from
        return said if steep else (codes.CUT_OFF, {})  # it only declares what it does not hold
    return said


def _inflated(data: bytes, member: zipfile.ZipInfo, most: int) -> int:
    """How many bytes a member really unpacks to, counted until they are more than `most`."""
    at = member.header_offset
    if len(data) < at + _LOCAL:
        return 0
    start = at + _LOCAL + sum(map(int, struct.unpack_from("<HH", data, at + _LENGTHS)))
    if member.compress_type != zipfile.ZIP_DEFLATED:
        return min(int(member.compress_size), max(0, len(data) - start))
    size, inflater = 0, zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        while not inflater.eof and size <= min(most, LIMITS.part):
            more = inflater.unconsumed_tail or data[start:start + _STEP]
            if not more:
                break
            start += 0 if inflater.unconsumed_tail else len(more)
            size += len(inflater.decompress(more, _STEP))
    except zlib.error:
        return size  # the reader says that it is damaged
    return size
