"""Bytes that are kept: a content in, whole or as what differs from one that is kept already; out, and back again.

A workbook's file changes little from one change to the next: most members of the zip stay as they were compressed, and
of a long sheet the pieces that are settled. Zstandard finds them where they lie in the file before ("patch from"), so
that nothing here has to know of zips, and what comes back are the very bytes.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from assistant.ledger.terms import LedgerTrouble

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL, FAST = 9, 3
LARGE = 2**16
"""Beyond so many bytes packing is quick rather than tight: a workbook is packed already."""
SHORTEST = 8
"""What is shorter is nothing to differ from."""
WINDOW = (10, 27)
"""The least and the greatest power of two over which Zstandard looks back, as every program that unpacks allows it."""


def packed(content: bytes, base: bytes = b"") -> bytes:
    """A content as what differs from another one (b"": whole)."""
    size = len(content) + len(base)
    window = min(max(size.bit_length(), WINDOW[0]), WINDOW[1])
    options: dict[int, int] = {zstd.CompressionParameter.compression_level: FAST if size > LARGE else LEVEL,
               zstd.CompressionParameter.window_log: window, zstd.CompressionParameter.checksum_flag: 1}
    if len(base) < SHORTEST:
        return zstd.compress(content, options=options)
    return zstd.compress(content, options=options, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)


def unpacked(kept: bytes, base: bytes = b"") -> bytes:
    """The content again. Raises `LedgerTrouble` ("unreadable")."""
    try:
        if len(base) < SHORTEST:
            return zstd.decompress(kept)
        return zstd.decompress(kept, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)
    except zstd.ZstdError as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def as_bytes(value: Any) -> bytes:
    """Plain values as JSON, the same for the same values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")
