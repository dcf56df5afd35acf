"""Reading the sources of a VBA project, whoever wrote it: to tell whether macros are Arbitro's own."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from assistant.buttons.install.compound import END, FREE, IN_HEADER, MINI, SECTOR
from assistant.buttons.install.vba import PAGE

_LONGEST = 16_000_000
"""Bytes of a project that are looked at; ours has some 40 000."""
_HEAD = re.compile(r"(?im)^\s*(?:Attribute\s+\w+(?:\.\w+)*\s*=.*|Option\s+\w+(?:\s+\w+)?)?\s*$\n?")

_PROCEDURE = re.compile(r"(?im)^\s*(?:(?:public|private|friend|static)\s+)*(?:sub|function|property\s+(?:get|let|set))"
                        r"\s+(\w+)")


class Unreadable(Exception):
    """It is no project that can be read to its end."""


def sources(binary: bytes) -> dict[str, str]:
    """Module names -> their source. Raises `Unreadable`."""
    if len(binary) > _LONGEST:
        raise Unreadable("size")
    try:
        found = streams(binary)
        listed = _listed(expanded(found["vba/dir"]))
        return {name: expanded(found[f"vba/{stream.casefold()}"][offset:]).decode(PAGE, "replace")
                for name, stream, offset in listed}
    except (KeyError, IndexError, struct.error, UnicodeDecodeError, RecursionError) as no:
        raise Unreadable(str(no)) from no


def plain(source: str) -> str:
    """A module's text without what Excel's editor changes of its own: heads, case, blanks, blank lines."""
    return "".join(_HEAD.sub("", source.replace("\r\n", "\n")).split()).casefold()


def procedures(source: str) -> list[str]:
    """The names of a module's procedures, as they are written."""
    return _PROCEDURE.findall(source)


def without_code(source: str) -> bool:
    """Whether a module holds nothing but what every new one holds."""
    return not _HEAD.sub("", source).strip()


def _listed(directory: bytes) -> list[tuple[str, str, int]]:
    """Name, stream and offset of every module that a ``dir`` stream lists, [MS-OVBA] 2.3.4.2.3.2."""
    found, at, name, stream = [], 0, "", ""
    while at + 6 <= len(directory):
        number, size = struct.unpack_from("<HI", directory, at)
        if number == 0x09:  # the version, whose size does not count its second number
            size = 6
        data = directory[at + 6:at + 6 + size]
        if number == 0x19:
            name = data.decode(PAGE)
        elif number == 0x1A:
            stream = data.decode(PAGE)
        elif number == 0x31:
            found.append((name, stream, int(struct.unpack("<I", data)[0])))
        at += 6 + size
    return found


def expanded(data: bytes) -> bytes:
    """A compressed container as it was, [MS-OVBA] 2.4.1. Raises struct.error, IndexError for what is none."""
    out, at = bytearray(), 1
    while at + 2 <= len(data):
        head = struct.unpack_from("<H", data, at)[0]
        end = min(len(data), at + (head & 0xFFF) + 3)
        at += 2
        if not head & 0x8000:
            out += data[at:end]
        else:
            _expand(data[at:end], out)
        at = end
    return bytes(out)


def _expand(body: bytes, out: bytearray) -> None:
    start, at = len(out), 0
    while at < len(body):
        flags, at = body[at], at + 1
        for bit in range(8):
            if at >= len(body):
                return
            if not flags >> bit & 1:
                out.append(body[at])
                at += 1
                continue
            token = struct.unpack_from("<H", body, at)[0]
            at += 2
            bits = 4
            while (1 << bits) < len(out) - start:
                bits += 1
            back, length = (token >> (16 - bits)) + 1, (token & (0xFFFF >> bits)) + 3
            for _ in range(length):
                out.append(out[-back])


def streams(data: bytes) -> dict[str, bytes]:
    """The streams of a compound file by path in small letters (``vba/dir``). Raises `Unreadable` and as `sources`."""
    if not data.startswith(bytes.fromhex("D0CF11E0A1B11AE1")):
        raise Unreadable("no compound file")
    fat_count, directory, _, small, mini_start = struct.unpack_from("<IIIII", data, 44)
    named = struct.unpack_from(f"<{IN_HEADER}I", data, 76)
    table = b"".join(_sector(data, one) for one in named[:fat_count])
    fat = struct.unpack(f"<{len(table) // 4}I", table)
    entries = _chained(data, fat, directory)
    mini_table = _chained(data, fat, mini_start)
    minis = struct.unpack(f"<{len(mini_table) // 4}I", mini_table)
    root_start, root_size = struct.unpack_from("<IQ", entries, 116)
    pool = _chained(data, fat, root_start)[:root_size]
    found: dict[str, bytes] = {}

    def walk(number: int, path: str, left: int) -> None:
        if number >= FREE or left == 0:
            return
        entry = entries[number * 128:number * 128 + 128]
        length, kind, _, before, after, child = struct.unpack_from("<HBBIII", entry, 64)
        name = path + entry[:max(0, length - 2)].decode("utf-16le").casefold()
        start, size = struct.unpack_from("<IQ", entry, 116)
        if kind == 2:
            raw = (b"".join(pool[n * MINI:(n + 1) * MINI] for n in _chain(minis, start)) if size < small
                   else _chained(data, fat, start))
            found[name] = raw[:size]
        elif kind == 1:
            walk(child, f"{name}/", left - 1)
        walk(before, path, left - 1)
        walk(after, path, left - 1)

    walk(struct.unpack_from("<I", entries, 76)[0], "", 200)
    return found


def _sector(data: bytes, number: int) -> bytes:
    return data[(number + 1) * SECTOR:(number + 2) * SECTOR]


def _chained(data: bytes, fat: tuple[int, ...], start: int) -> bytes:
    return b"".join(_sector(data, one) for one in _chain(fat, start))


def _chain(table: tuple[int, ...], start: int) -> list[int]:
    """The sectors of a chain. Raises `Unreadable` for one that goes round."""
    found: list[int] = []
    while start < min(END, FREE):
        found.append(start)
        if len(found) > len(table):
            raise Unreadable("a chain without end")
        start = table[start]
    return found


def names_in(found: Mapping[str, str]) -> set[str]:
    """The names of the modules that hold code."""
    return {name for name, source in found.items() if not without_code(source)}
