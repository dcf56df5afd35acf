"""Steps and snapshots that accumulate in a ledger, kept as differences."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from assistant.ledger.file import LedgerStep, LedgerTrouble, RecordStore

# Compressing contents, whole or as the difference from another content.
#
# A workbook's file changes little from one change to the next: most members of the zip keep their compressed bytes, as
# do the settled pieces of a long sheet. Zstandard finds these in the previous file ("patch from"), so nothing here
# needs to know about zips, and what comes back are the very same bytes.


if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL, FAST = 9, 3
LARGE_CONTENT_BYTES = 2**16
"""Above so many bytes compression is fast rather than tight: a workbook is compressed already."""
MIN_BASE_BYTES = 8
"""A shorter content is no useful base for a difference."""
WINDOW = (10, 27)
"""The smallest and largest window (as powers of two) that every Zstandard decoder accepts."""


def compress_content(content: bytes, base: bytes = b"") -> bytes:
    """Compress a content, as the difference from `base` if that is given."""
    size = len(content) + len(base)
    window = min(max(size.bit_length(), WINDOW[0]), WINDOW[1])
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: FAST if size > LARGE_CONTENT_BYTES else LEVEL,
        zstd.CompressionParameter.window_log: window,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    if len(base) < MIN_BASE_BYTES:
        return zstd.compress(content, options=options)
    return zstd.compress(content, options=options, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)


def decompress_content(kept: bytes, base: bytes = b"") -> bytes:
    """Decompress a content. Raises `LedgerTrouble` ("unreadable")."""
    try:
        if len(base) < MIN_BASE_BYTES:
            return zstd.decompress(kept)
        return zstd.decompress(kept, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)
    except zstd.ZstdError as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def to_json_bytes(value: Any) -> bytes:
    """Plain values as JSON; equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


# Steps and snapshots.
#
# Snapshots are stored in series: each as the difference from the one before it, and now and then whole, so that any of
# them can be restored in a few steps. A chunk of rows is stored as the difference from a chunk that is stored whole.


WIDTH = 8
"""Digits of a step's number in the names of its records, so that they sort like numbers."""
MAX_CHAIN_WEIGHT = 12
"""When the differences since the last whole snapshot weigh more than so many contents, one is stored whole again."""
WHOLE = "-"
"""Stands in place of the base's name: the content is stored whole."""
CACHE_STRIDE = {"book": 16, "marks": 1}
"""For each series: of the contents that were decompressed, every how many stay in memory."""
SERIES = tuple(CACHE_STRIDE)
KINDS_BESIDE_SERIES = ("part", "after", "fresh")


def record_name(number: int) -> str:
    """The name of a step's records."""
    return f"{number:0{WIDTH}}"


class History:
    """Steps, snapshots and chunks in a ledger's records. Everything raises `LedgerTrouble`."""

    def __init__(self, vault: RecordStore) -> None:
        self._vault = vault
        self._read = vault.reads
        self._seen: dict[str, dict[str, bytes]] = {series: {} for series in SERIES}
        """Decompressed contents of each series: whoever walks along it, in either direction, starts from these."""

    # --- steps ------------------------------------------------------------------------------
    def put(self, step: LedgerStep, plan: dict[str, Any]) -> None:
        """Store a step and its plan, which says how the pointers will move."""
        moved = {key: value if value is None else _to_runs(value) for key in ("line", "redo") for value in [plan[key]]}
        record = {
            "verb": step.verb,
            "turn": step.turn,
            "phase": step.phase,
            "state": step.state,
            "before": step.sha_before,
            "after": step.sha_after,
            "line": _to_runs(step.line),
            "plan": {**plan, **moved},
        }
        self._vault.put("step", record_name(step.id), to_json_bytes(record))

    def get(self, number: int) -> tuple[LedgerStep, dict[str, Any]]:
        """A step and its plan."""
        return _parse_step(number, self._vault.need("step", record_name(number)))

    def all(self) -> Iterator[tuple[LedgerStep, dict[str, Any]]]:
        """All steps with their plans, oldest first."""
        return (_parse_step(int(name), kept) for name, kept in self._vault.all("step").items())

    def has(self, number: int) -> bool:
        """Whether there is a step of that number."""
        return self._vault.get("step", record_name(number)) is not None

    def last_number(self) -> int:
        """The number of the last step, 0 for none."""
        return int(self._vault.last("step") or 0)

    def forget(self, number: int) -> None:
        """Delete the last step and everything that was stored for it."""
        for kind in ("step", *SERIES, *KINDS_BESIDE_SERIES):
            self._vault.drop(kind, record_name(number))
        for seen in self._seen.values():
            seen.pop(record_name(number), None)

    # --- snapshots --------------------------------------------------------------------------
    def keep(self, series: str, number: int, content: bytes) -> None:
        """Store a content as it was before a step."""
        last = self._vault.last(series)
        if last:
            weight = _split_entry(self._vault.need(series, last))[1]
            base = self._series(series, last)
            difference = compress_content(content, base)
            weight += len(difference)
            if base and weight <= MAX_CHAIN_WEIGHT * len(content) and len(difference) < len(content):
                return self._keep(series, number, content, last, weight, difference)
        return self._keep(series, number, content, WHOLE, 0, compress_content(content))

    def _keep(self, series: str, number: int, content: bytes, base: str, weight: int, body: bytes) -> None:
        self._vault.put(series, record_name(number), f"{base} {weight}\n".encode() + body)
        self._see(series, record_name(number), content)

    def _see(self, series: str, name: str, content: bytes) -> None:
        """Remember a content: the last one and every n-th (`CACHE_STRIDE`), so that snapshots do not fill the
        memory.
        """
        seen = self._seen[series]
        last = next(reversed(seen), "")
        if last and int(last) % CACHE_STRIDE[series]:
            del seen[last]
        seen.pop(name, None)
        seen[name] = content

    def kept(self, series: str, number: int) -> bytes | None:
        """The content before a step, as it was given to `keep`; None if nothing was stored."""
        name = record_name(number)
        return None if self._vault.get(series, name) is None else self._series(series, name)

    def _forget_seen(self) -> None:
        """Forget what was decompressed if another process has replaced the file since."""
        if self._read != self._vault.reads:
            self._read = self._vault.reads
            for seen in self._seen.values():
                seen.clear()

    def _series(self, series: str, name: str) -> bytes:
        """Restore a content from the nearest one in memory, or from a whole one, by the differences that lead to it."""
        self._forget_seen()
        seen, way, at = self._seen[series], list[tuple[str, bytes]](), name
        while at not in seen and at != WHOLE:
            base, _, body = _split_entry(self._vault.need(series, at))
            way.append((at, body))
            if base != WHOLE and base >= at:
                raise LedgerTrouble("unreadable", f"{series} {at}")
            at = base
        content = seen.get(at, b"")
        for item, body in reversed(way):
            content = decompress_content(body, content)
            self._see(series, item, content)
        return content

    # --- chunks -----------------------------------------------------------------------------
    def has_chunk(self, name: str) -> bool:
        """Whether a chunk is stored."""
        return self._vault.get("chunk", name) is not None

    def keep_chunk(self, name: str, rows: bytes, like: str = "") -> None:
        """Store a chunk of rows. `like`: another chunk, which may have much in common with it."""
        base, body = WHOLE, compress_content(rows)
        there = self._vault.get("chunk", like) if like else None
        if there is not None:
            known = _split_entry(there)[0]
            other = like if known == WHOLE else known
            difference = compress_content(rows, self.chunk(other)())
            if 2 * len(difference) < len(body):
                base, body = other, difference
        self._vault.put("chunk", name, f"{base} 0\n".encode() + body)

    def chunk(self, name: str) -> Callable[[], bytes]:
        """A function that decompresses the rows of a chunk when it is called."""
        base, _, body = _split_entry(self._vault.need("chunk", name))
        if base == WHOLE:
            return lambda: decompress_content(body)
        its_base, _, whole = _split_entry(self._vault.need("chunk", base))
        if its_base != WHOLE:
            raise LedgerTrouble("unreadable", f"chunk {base}")
        return lambda: decompress_content(body, decompress_content(whole))


def _split_entry(kept: bytes) -> tuple[str, int, bytes]:
    """Split a stored entry into its base's name, the weight of the differences up to it, and its compressed body."""
    head, _, body = kept.partition(b"\n")
    base, _, weight = head.decode().partition(" ")
    return base, int(weight), body


def _parse_step(number: int, kept: bytes) -> tuple[LedgerStep, dict[str, Any]]:
    record = json.loads(kept)
    plan = record["plan"]
    for key in ("line", "redo"):
        plan[key] = None if plan[key] is None else _from_runs(plan[key])
    return LedgerStep(number, record["verb"], record["turn"], record["phase"], record["state"], record["before"],
                      record["after"],
                tuple(_from_runs(record["line"]))), plan


def _to_runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs: (first, how many consecutive ones)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def _from_runs(runs: Iterable[tuple[int, int]]) -> list[int]:
    return [number for first, count in runs for number in range(first, first + count)]
