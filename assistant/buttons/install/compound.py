"""Writing a compound file ([MS-CFB] version 3): storages and streams in sectors of 512 bytes.

Streams below 4096 bytes lie in the mini stream, in sectors of 64 bytes. Everything is determined by what goes in.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Union

FREE, END, FAT_SECTOR, NOBODY = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
SECTOR, MINI, SMALL = 512, 64, 4096
IN_HEADER = 109
"""Sectors of the allocation table that the header itself can name."""
_STORAGE, _STREAM, _ROOT = 1, 2, 5

Tree = Mapping[str, Union[bytes, "Tree"]]


@dataclass
class _Entry:
    """An entry of the directory. Its siblings and children are numbers of entries."""

    name: str
    kind: int
    data: bytes = b""
    items: Tree = field(default_factory=dict)
    left: int = NOBODY
    right: int = NOBODY
    child: int = NOBODY
    start: int = 0
    size: int = 0

    def packed(self) -> bytes:
        """The 128 bytes of the directory; all nodes are black, as [MS-CFB] 2.6.4 allows."""
        name = self.name.encode("utf-16le") + b"\0\0" if self.name else b""
        kin = struct.pack("<HBBIII", len(name), self.kind, 1, self.left, self.right, self.child)
        return (name.ljust(64, b"\0") + kin + bytes(36) + struct.pack("<IQ", self.start, self.size))


def compound(tree: Tree) -> bytes:
    """The bytes of a compound file. `tree`: name -> a stream's bytes or a storage's own tree.

    Raises ValueError for more than the header's share of the allocation table (some 7 MB).
    """
    entries = [_Entry("Root Entry", _ROOT)]
    entries[0].child = _add(entries, tree)
    sectors = _Sectors()
    mini = _place(entries, sectors)
    entries[0].start, entries[0].size = sectors.put(mini.stream), len(mini.stream)
    mini_table = _table(mini.chain)
    mini_start = sectors.put(mini_table)
    while len(entries) % (SECTOR // 128):
        entries.append(_Entry("", 0))
    directory = sectors.put(b"".join(one.packed() for one in entries))
    return sectors.file(directory, mini_start, len(mini_table) // SECTOR)


def _add(entries: list[_Entry], items: Tree) -> int:
    """Append the entries of a storage, and return the one at the top of its search tree."""
    numbers = []
    for name in sorted(items, key=lambda one: (len(one), one.upper())):
        value = items[name]
        numbers.append(len(entries))
        entries.append(_Entry(name, _STREAM, data=value) if isinstance(value, bytes)
                       else _Entry(name, _STORAGE, items=value))

    def halved(low: int, high: int) -> int:
        if low >= high:
            return NOBODY
        middle = (low + high) // 2
        one = entries[numbers[middle]]
        one.left, one.right = halved(low, middle), halved(middle + 1, high)
        return numbers[middle]

    top = halved(0, len(numbers))
    for number in numbers:
        if entries[number].kind == _STORAGE:
            entries[number].child = _add(entries, entries[number].items)
    return top


@dataclass
class _Mini:
    stream: bytes
    chain: list[int]


def _place(entries: list[_Entry], sectors: _Sectors) -> _Mini:
    """Give every stream its sectors, small ones in the mini stream."""
    stream, chain = bytearray(), list[int]()
    for one in entries:
        if one.kind != _STREAM:
            continue
        one.size, one.start = len(one.data), END
        if 0 < one.size < SMALL:
            count = -(-one.size // MINI)
            one.start = len(chain)
            chain += [one.start + n + 1 for n in range(count - 1)] + [END]
            stream += one.data.ljust(count * MINI, b"\0")
    for one in entries:
        if one.kind == _STREAM and one.size >= SMALL:
            one.start = sectors.put(one.data)
    return _Mini(bytes(stream), chain)


def _table(chain: list[int]) -> bytes:
    raw = b"".join(struct.pack("<I", one) for one in chain)
    return raw + b"\xff" * (-len(raw) % SECTOR)


class _Sectors:
    """The sectors of the file and their allocation table."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._chain: list[int] = []

    def put(self, data: bytes) -> int:
        """Append data in a chain of sectors; the number of the first."""
        count = -(-len(data) // SECTOR)
        if not count:
            return END
        first = len(self._chain)
        self._chain += [first + n + 1 for n in range(count - 1)] + [END]
        self._data += [data[n * SECTOR:(n + 1) * SECTOR].ljust(SECTOR, b"\0") for n in range(count)]
        return first

    def file(self, directory: int, mini: int, mini_sectors: int) -> bytes:
        """Header, sectors and the allocation table behind them."""
        tables = 1
        while len(self._chain) + tables > tables * (SECTOR // 4):
            tables += 1
        if tables > IN_HEADER:
            raise ValueError("the project is too large")
        first = len(self._chain)
        chain = _table([*self._chain, *[FAT_SECTOR] * tables])
        head = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(16)
        head += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, tables, directory, 0, SMALL, mini,
                            mini_sectors, END, 0)
        head += b"".join(struct.pack("<I", first + n if n < tables else FREE) for n in range(IN_HEADER))
        return head + b"".join(self._data) + chain
