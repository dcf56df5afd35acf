"""Steps and snapshots that accumulate in a ledger, kept as differences."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from assistant.ledger.file import LedgerTrouble, Step, Vault

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
LARGE = 2**16
"""Above so many bytes compression is fast rather than tight: a workbook is compressed already."""
SHORTEST = 8
"""A shorter content is no useful base for a difference."""
WINDOW = (10, 27)
"""The smallest and largest window (as powers of two) that every Zstandard decoder accepts."""


def packed(content: bytes, base: bytes = b"") -> bytes:
    """Compress a content, as the difference from `base` if that is given."""
    size = len(content) + len(base)
    window = min(max(size.bit_length(), WINDOW[0]), WINDOW[1])
    options: dict[int, int] = {zstd.CompressionParameter.compression_level: FAST if size > LARGE else LEVEL,
               zstd.CompressionParameter.window_log: window, zstd.CompressionParameter.checksum_flag: 1}
    if len(base) < SHORTEST:
        return zstd.compress(content, options=options)
    return zstd.compress(content, options=options, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)


def unpacked(kept: bytes, base: bytes = b"") -> bytes:
    """Decompress a content. Raises `LedgerTrouble` ("unreadable")."""
    try:
        if len(base) < SHORTEST:
            return zstd.decompress(kept)
        return zstd.decompress(kept, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)
    except zstd.ZstdError as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def as_bytes(value: Any) -> bytes:
    """Plain values as JSON; equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


# Steps and snapshots.
#
# Snapshots are stored in series: each as the difference from the one before it, and now and then whole, so that any of
# them can be restored in a few steps. A chunk of rows is stored as the difference from a chunk that is stored whole.


WIDTH = 8
"""Digits of a step's number in the names of its records, so that they sort like numbers."""
LONGEST = 12
"""When the differences since the last whole snapshot weigh more than so many contents, one is stored whole again."""
WHOLE = "-"
"""Stands in place of the base's name: the content is stored whole."""
STRIDE = {"book": 16, "marks": 1}
"""For each series: of the contents that were decompressed, every how many stay in memory."""
SERIES = tuple(STRIDE)
BESIDE = ("part", "after", "fresh")


def name_of(number: int) -> str:
    """The name of a step's records."""
    return f"{number:0{WIDTH}}"


class History:
    """Steps, snapshots and chunks in a ledger's records. Everything raises `LedgerTrouble`."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._read = vault.reads
        self._seen: dict[str, dict[str, bytes]] = {series: {} for series in SERIES}
        """Decompressed contents of each series: whoever walks along it, in either direction, starts from these."""

    # --- steps ------------------------------------------------------------------------------
    def put(self, step: Step, plan: dict[str, Any]) -> None:
        """Store a step and its plan, which says how the pointers will move."""
        moved = {key: value if value is None else _runs(value) for key in ("line", "redo") for value in [plan[key]]}
        said = {"verb": step.verb, "turn": step.turn, "phase": step.phase, "state": step.state,
                "before": step.sha_before, "after": step.sha_after, "line": _runs(step.line), "plan": {**plan, **moved}}
        self._vault.put("step", name_of(step.id), json.dumps(said, ensure_ascii=False, sort_keys=True,
                                                             separators=(",", ":")).encode("utf-8", "surrogatepass"))

    def get(self, number: int) -> tuple[Step, dict[str, Any]]:
        """A step and its plan."""
        return _step(number, self._vault.need("step", name_of(number)))

    def all(self) -> Iterator[tuple[Step, dict[str, Any]]]:
        """All steps with their plans, oldest first."""
        return (_step(int(name), kept) for name, kept in self._vault.all("step").items())

    def has(self, number: int) -> bool:
        """Whether there is a step of that number."""
        return self._vault.get("step", name_of(number)) is not None

    def last_number(self) -> int:
        """The number of the last step, 0 for none."""
        return int(self._vault.last("step") or 0)

    def forget(self, number: int) -> None:
        """Delete the last step and everything that was stored for it."""
        for kind in ("step", *SERIES, *BESIDE):
            self._vault.drop(kind, name_of(number))
        for seen in self._seen.values():
            seen.pop(name_of(number), None)

    # --- snapshots --------------------------------------------------------------------------
    def keep(self, series: str, number: int, content: bytes) -> None:
        """Store a content as it was before a step."""
        last = self._vault.last(series)
        if last:
            weight = self._weight(series, last)
            base = self._series(series, last)
            difference = packed(content, base)
            weight += len(difference)
            if base and weight <= LONGEST * len(content) and len(difference) < len(content):
                return self._keep(series, number, content, last, weight, difference)
        return self._keep(series, number, content, WHOLE, 0, packed(content))

    def _keep(self, series: str, number: int, content: bytes, base: str, weight: int, body: bytes) -> None:
        self._vault.put(series, name_of(number), f"{base} {weight}\n".encode() + body)
        self._see(series, name_of(number), content)

    def _see(self, series: str, name: str, content: bytes) -> None:
        """Remember a content: the last one and every n-th (`STRIDE`), so that snapshots do not fill the memory."""
        seen = self._seen[series]
        last = next(reversed(seen), "")
        if last and int(last) % STRIDE[series]:
            del seen[last]
        seen.pop(name, None)
        seen[name] = content

    def kept(self, series: str, number: int) -> bytes | None:
        """The content before a step, as it was given to `keep`; None if nothing was stored."""
        return self._series(series, name_of(number)) if self._vault.get(series, name_of(number)) is not None else None

    def _weight(self, series: str, name: str) -> int:
        return _parted(self._vault.need(series, name))[1]

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
            base, _, body = _parted(self._vault.need(series, at))
            way.append((at, body))
            if base != WHOLE and base >= at:
                raise LedgerTrouble("unreadable", f"{series} {at}")
            at = base
        content = seen.get(at, b"")
        for one, body in reversed(way):
            content = unpacked(body, content)
            self._see(series, one, content)
        return content

    # --- chunks -----------------------------------------------------------------------------
    def has_chunk(self, name: str) -> bool:
        """Whether a chunk is stored."""
        return self._vault.get("chunk", name) is not None

    def keep_chunk(self, name: str, rows: bytes, like: str = "") -> None:
        """Store a chunk of rows. `like`: another chunk, which may have much in common with it."""
        whole = packed(rows)
        there = self._vault.get("chunk", like) if like else None
        base = "" if there is None else like if _parted(there)[0] == WHOLE else _parted(there)[0]
        difference = packed(rows, self._base(base)) if base else whole
        if base and 2 * len(difference) < len(whole):
            self._vault.put("chunk", name, f"{base} 0\n".encode() + difference)
        else:
            self._vault.put("chunk", name, f"{WHOLE} 0\n".encode() + whole)

    def chunk(self, name: str) -> Callable[[], bytes]:
        """A function that decompresses the rows of a chunk when it is called."""
        base, _, body = _parted(self._vault.need("chunk", name))
        if base == WHOLE:
            return lambda: unpacked(body)
        its_base, _, whole = _parted(self._vault.need("chunk", base))
        if its_base != WHOLE:
            raise LedgerTrouble("unreadable", f"chunk {base}")
        return lambda: unpacked(body, unpacked(whole))

    def _base(self, name: str) -> bytes:
        return unpacked(_parted(self._vault.need("chunk", name))[2])


def _parted(kept: bytes) -> tuple[str, int, bytes]:
    """Split a stored entry into its base's name, the weight of the differences up to it, and its compressed body."""
    head, _, body = kept.partition(b"\n")
    base, _, weight = head.decode().partition(" ")
    return base, int(weight), body


def _step(number: int, kept: bytes) -> tuple[Step, dict[str, Any]]:
    said = json.loads(kept)
    plan = said["plan"]
    for key in ("line", "redo"):
        plan[key] = None if plan[key] is None else _counted(plan[key])
    return Step(number, said["verb"], said["turn"], said["phase"], said["state"], said["before"], said["after"],
                tuple(_counted(said["line"]))), plan


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs: (first, how many consecutive ones)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def _counted(runs: Iterable[tuple[int, int]]) -> list[int]:
    return [number for first, count in runs for number in range(first, first + count)]
