"""Reads and writes VBA projects ([MS-OVBA]) in compound files ([MS-CFB])."""

from __future__ import annotations

import io
import re
import struct
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Union

# Writing a compound file ([MS-CFB] version 3): storages and streams in sectors of 512 bytes.
#
# Streams below 4096 bytes are in the mini stream, in sectors of 64 bytes. Equal input gives equal bytes.


FREE, END, FAT_SECTOR, NOBODY = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
SECTOR, MINI, SMALL = 512, 64, 4096
IN_HEADER = 109
"""Sectors of the allocation table that the header can list."""
_STORAGE, _STREAM, _ROOT = 1, 2, 5

Tree = Mapping[str, Union[bytes, "Tree"]]


@dataclass
class _DirectoryEntry:
    """An entry of the directory. `left`, `right` and `child` are numbers of entries."""

    name: str
    kind: int
    data: bytes = b""
    items: Tree = field(default_factory=dict)
    left: int = NOBODY
    right: int = NOBODY
    child: int = NOBODY
    start: int = 0
    size: int = 0

    def to_bytes(self) -> bytes:
        """The 128 bytes of the directory; all nodes are black, as [MS-CFB] 2.6.4 allows."""
        name = self.name.encode("utf-16le") + b"\0\0" if self.name else b""
        kin = struct.pack("<HBBIII", len(name), self.kind, 1, self.left, self.right, self.child)
        return (name.ljust(64, b"\0") + kin + bytes(36) + struct.pack("<IQ", self.start, self.size))


def compound_file(tree: Tree) -> bytes:
    """The bytes of a compound file. `tree`: name -> a stream's bytes or a storage's own tree.

    Raises ValueError for more than the header's share of the allocation table (some 7 MB).
    """
    entries = [_DirectoryEntry("Root Entry", _ROOT)]
    entries[0].child = _add(entries, tree)
    sectors = _Sectors()
    mini = _place(entries, sectors)
    entries[0].start, entries[0].size = sectors.put(mini.stream), len(mini.stream)
    mini_table = _table(mini.chain)
    mini_start = sectors.put(mini_table)
    # the directory fills whole sectors; the rest of the last one are unused entries
    while len(entries) % (SECTOR // 128):
        entries.append(_DirectoryEntry("", 0))
    directory = sectors.put(b"".join(entry.to_bytes() for entry in entries))
    return sectors.file(directory, mini_start, len(mini_table) // SECTOR)


def _add(entries: list[_DirectoryEntry], items: Tree) -> int:
    """Append the entries of a storage, and return the root of its search tree."""
    numbers = []
    # the format compares names by their length first, then by their capitals
    for name in sorted(items, key=lambda name: (len(name), name.upper())):
        value = items[name]
        numbers.append(len(entries))
        entries.append(_DirectoryEntry(name, _STREAM, data=value) if isinstance(value, bytes)
                       else _DirectoryEntry(name, _STORAGE, items=value))

    def halve(low: int, high: int) -> int:
        if low >= high:
            return NOBODY
        middle = (low + high) // 2
        middle_entry = entries[numbers[middle]]
        middle_entry.left, middle_entry.right = halve(low, middle), halve(middle + 1, high)
        return numbers[middle]

    # the middle as root of each part: a search tree as the format wants it, without balancing anything
    top = halve(0, len(numbers))
    for number in numbers:
        if entries[number].kind == _STORAGE:
            entries[number].child = _add(entries, entries[number].items)
    return top


@dataclass
class _Mini:
    stream: bytes
    chain: list[int]


def _place(entries: list[_DirectoryEntry], sectors: _Sectors) -> _Mini:
    """Give every stream its sectors, small ones in the mini stream."""
    stream, chain = bytearray(), list[int]()
    for entry in entries:
        if entry.kind != _STREAM:
            continue
        entry.size, entry.start = len(entry.data), END
        if 0 < entry.size < SMALL:
            count = -(-entry.size // MINI)
            entry.start = len(chain)
            chain += [entry.start + n + 1 for n in range(count - 1)] + [END]
            stream += entry.data.ljust(count * MINI, b"\0")
    for entry in entries:
        if entry.kind == _STREAM and entry.size >= SMALL:
            entry.start = sectors.put(entry.data)
    return _Mini(bytes(stream), chain)


def _table(chain: list[int]) -> bytes:
    raw = b"".join(struct.pack("<I", sector) for sector in chain)
    return raw + b"\xff" * (-len(raw) % SECTOR)


class _Sectors:
    """The sectors of the file and their allocation table."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._chain: list[int] = []

    def put(self, data: bytes) -> int:
        """Append data in a chain of sectors; returns the number of the first."""
        count = -(-len(data) // SECTOR)
        if not count:
            return END
        first = len(self._chain)
        self._chain += [first + n + 1 for n in range(count - 1)] + [END]
        self._data += [data[n * SECTOR:(n + 1) * SECTOR].ljust(SECTOR, b"\0") for n in range(count)]
        return first

    def file(self, directory: int, mini: int, mini_sectors: int) -> bytes:
        """Header, sectors and the allocation table behind them."""
        # the table also lists the sectors that it takes itself, so it may have to grow for its own sake
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


# Writing a VBA project ([MS-OVBA]) that holds only source.
#
# This is what the specification asks of a writer: the ``_VBA_PROJECT`` stream has its seven bytes of header with
# version 0xFFFF and no performance cache, module streams hold compressed source from their first byte, and there
# are no ``__SRP_`` streams. Excel compiles the source when it opens the workbook.


PAGE = "cp1252"
_PAGE_NUMBER = 1252
_CHUNK = 4096
_ENGLISH = 0x409
_BASES = {"workbook": "0{00020819-0000-0000-C000-000000000046}", "sheet": "0{00020820-0000-0000-C000-000000000046}",
          "chart": "0{00020821-0000-0000-C000-000000000046}", "class": "0{FCFB3D2A-A0FA-1068-A738-08002B3371B5}"}
_REFERENCES = (
    ("stdole", r"*\G{00020430-0000-0000-C000-000000000046}#2.0#0#C:\Windows\System32\stdole2.tlb#OLE Automation"),
    ("Office", r"*\G{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.0#0#C:\Program Files\Common Files\Microsoft Shared"
               r"\OFFICE16\MSO.DLL#Microsoft Office 16.0 Object Library"),
)
_EXPORT_HEAD = re.compile(r"(?m)^(?:Attribute VB_.*|VERSION 1\.0 CLASS|BEGIN|  MultiUse.*|END)\s*\n")

ModuleKind = Literal["plain", "workbook", "sheet", "chart", "class"]


@dataclass(frozen=True)
class VbaModule:
    """A module. `code`: without its attributes; `kind`: ``workbook``, ``sheet`` and ``chart`` belong to a document,
    whose code name is the module's name.
    """

    name: str
    code: str = ""
    kind: ModuleKind = "plain"

    def source(self) -> bytes:
        """The module's text as stored in the project. Raises UnicodeEncodeError for letters that cp1252 lacks."""
        head = [f'Attribute VB_Name = "{self.name}"']
        if self.kind != "plain":
            document = self.kind != "class"
            head += [f'Attribute VB_Base = "{_BASES[self.kind]}"', "Attribute VB_GlobalNameSpace = False",
                     "Attribute VB_Creatable = False", f"Attribute VB_PredeclaredId = {document}",
                     f"Attribute VB_Exposed = {document}", "Attribute VB_TemplateDerived = False",
                     f"Attribute VB_Customizable = {document}"]
        lines = [*head, *self.code.replace("\r\n", "\n").rstrip("\n").split("\n")]
        return ("\r\n".join(lines) + "\r\n").encode(PAGE)


def strip_export_head(text: str) -> str:
    """The code of a module that the VBA editor exported, without its head."""
    return _EXPORT_HEAD.sub("", text.replace("\r\n", "\n"))


def project_bytes(modules: Sequence[VbaModule], name: str = "VBAProject") -> bytes:
    """The bytes of ``vbaProject.bin``; the same modules give the same bytes."""
    # made of the names and not drawn, so that the same modules give the same bytes
    guid = "{" + str(uuid.uuid5(uuid.NAMESPACE_URL, "|".join(m.name for m in modules))).upper() + "}"
    names = b"".join(m.name.encode(PAGE) + b"\0" + m.name.encode("utf-16le") + b"\0\0" for m in modules) + b"\0\0"
    streams = {"_VBA_PROJECT": b"\xcc\x61\xff\xff\x00\x00\x00", "dir": compress(_directory(name, modules))}
    streams.update((m.name, compress(m.source())) for m in modules)
    return compound_file({"VBA": streams, "PROJECT": _text(name, modules, guid), "PROJECTwm": names})


# --- compression, [MS-OVBA] 2.4.1 ------------------------------------------------------------------
def compress(data: bytes) -> bytes:
    """Data as a compressed container."""
    out = bytearray(b"\x01")
    for start in range(0, len(data), _CHUNK):
        chunk = data[start:start + _CHUNK]
        body = _chunk(chunk)
        if len(body) < _CHUNK:  # size less three, the signature 0b011, and the flag that it is compressed
            out += struct.pack("<H", (len(body) - 1) | 0xB000) + body
        else:
            # a chunk that would not get shorter stands as it is, which its flag says
            out += struct.pack("<H", 0x3FFF) + chunk.ljust(_CHUNK, b"\0")
    return bytes(out)


def _chunk(chunk: bytes) -> bytes:
    out, at = bytearray(), 0
    while at < len(chunk):
        flags, tokens = 0, bytearray()
        for bit in range(8):
            if at >= len(chunk):
                break
            length, back = _longest_match(chunk, at)
            if length:
                bits = _bits(at)
                tokens += struct.pack("<H", ((back - 1) << (16 - bits)) | (length - 3))
                flags |= 1 << bit
                at += length
            else:
                tokens.append(chunk[at])
                at += 1
        out.append(flags)
        out += tokens
    return bytes(out)


def _bits(at: int) -> int:
    """The number of offset bits in a copy token at this position of its chunk."""
    bits = 4
    while (1 << bits) < at:
        bits += 1
    return bits


def _longest_match(chunk: bytes, at: int) -> tuple[int, int]:
    """Length and offset of the longest earlier match; (0, 0) for none of three bytes or more."""
    limit = min((0xFFFF >> _bits(at)) + 3, len(chunk) - at)
    length, back = 0, 0
    while length < limit:
        place = chunk.rfind(chunk[at:at + max(3, length + 1)], 0, at + max(3, length + 1) - 1)
        if place < 0 or max(3, length + 1) > limit:
            break
        length, back = max(3, length + 1), at - place
    return length, back


# --- the project's own streams -------------------------------------------------------------------
def _encrypt(data: bytes, guid: str, seed: int) -> str:
    """Data of the project's protection, obfuscated as in [MS-OVBA] 2.4.3.2."""
    key = sum(guid.encode("ascii")) & 0xFF
    out = bytearray([seed, seed ^ 2, seed ^ key])
    plain, one, two = key, out[2], out[1]
    for byte in bytes((seed & 6) // 2) + struct.pack("<I", len(data)) + data:
        hidden = byte ^ ((two + plain) & 0xFF)
        out.append(hidden)
        two, one, plain = one, hidden, byte
    return out.hex().upper()


def _record(number: int, data: bytes = b"") -> bytes:
    return struct.pack("<HI", number, len(data)) + data


def _both(number: int, wide: int, text: str) -> bytes:
    return _record(number, text.encode(PAGE)) + _record(wide, text.encode("utf-16le"))


def _directory(name: str, modules: Sequence[VbaModule]) -> bytes:
    """The ``dir`` stream, [MS-OVBA] 2.3.4.2."""
    records = _record(0x01, struct.pack("<I", 1)) + _record(0x02, struct.pack("<I", _ENGLISH))
    records += _record(0x14, struct.pack("<I", _ENGLISH)) + _record(0x03, struct.pack("<H", _PAGE_NUMBER))
    records += _record(0x04, name.encode(PAGE)) + _both(0x05, 0x40, "") + _record(0x06) + _record(0x3D)
    records += _record(0x07, bytes(4)) + _record(0x08, bytes(4))
    records += struct.pack("<HIIH", 0x09, 4, 1, 1) + _both(0x0C, 0x3C, "")
    for reference, library in _REFERENCES:
        told = library.encode(PAGE)
        records += _both(0x16, 0x3E, reference) + _record(0x0D, struct.pack("<I", len(told)) + told + bytes(6))
    records += _record(0x0F, struct.pack("<H", len(modules))) + _record(0x13, b"\xff\xff")
    for m in modules:
        records += _both(0x19, 0x47, m.name) + _both(0x1A, 0x32, m.name) + _both(0x1C, 0x48, "")
        records += _record(0x31, bytes(4)) + _record(0x1E, bytes(4)) + _record(0x2C, b"\xff\xff")
        records += _record(0x21 if m.kind == "plain" else 0x22) + _record(0x2B)
    return records + _record(0x10)


def _text(name: str, modules: Sequence[VbaModule], guid: str) -> bytes:
    """The ``PROJECT`` stream, [MS-OVBA] 2.3.1: visible and without a password."""
    words = {"plain": "Module={}", "class": "Class={}"}
    lines = [f'ID="{guid}"', *(words.get(m.kind, "Document={}/&H00000000").format(m.name) for m in modules)]
    lines += [f'Name="{name}"', 'HelpContextID="0"', 'VersionCompatible32="393222000"',
              f'CMG="{_encrypt(bytes(4), guid, 0x35)}"', f'DPB="{_encrypt(bytes(1), guid, 0x6A)}"',
              f'GC="{_encrypt(bytes([0xFF]), guid, 0x9F)}"', "", "[Host Extender Info]",
              "&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000", "", "[Workspace]"]
    lines += [f"{m.name}=0, 0, 0, 0, C" for m in modules]
    return ("\r\n".join(lines) + "\r\n").encode(PAGE)


# Reading the sources of any VBA project, to tell whether macros are Arbitro's own.


_LONGEST = 16_000_000
"""The largest project that is read, in bytes; ours has some 40 000."""
_HEAD = re.compile(r"(?im)^\s*(?:Attribute\s+\w+(?:\.\w+)*\s*=.*|Option\s+\w+(?:\s+\w+)?)?\s*$\n?")

_PROCEDURE = re.compile(r"(?im)^\s*(?:(?:public|private|friend|static)\s+)*(?:sub|function|property\s+(?:get|let|set))"
                        r"\s+(\w+)")


class UnreadableProject(Exception):
    """The project cannot be read completely."""


def read_sources(binary: bytes) -> dict[str, str]:
    """Module names -> their source. Raises `UnreadableProject`."""
    if len(binary) > _LONGEST:
        raise UnreadableProject("size")
    try:
        streams = read_streams(binary)
        listed = _listed_modules(expand(streams["vba/dir"]))
        return {name: expand(streams[f"vba/{stream.casefold()}"][offset:]).decode(PAGE, "replace")
                for name, stream, offset in listed}
    # the bytes are somebody else's: damage shows in any of these
    except (LookupError, struct.error, ValueError, TypeError, ArithmeticError, RecursionError, OSError) as no:
        raise UnreadableProject(str(no)) from no


def normalize_source(source: str) -> str:
    """A module's text without what Excel's editor changes by itself: heads, case, blanks, blank lines."""
    return "".join(_HEAD.sub("", source.replace("\r\n", "\n")).split()).casefold()


def procedures(source: str) -> list[str]:
    """The names of a module's procedures, as written."""
    return _PROCEDURE.findall(source)


def has_no_code(source: str) -> bool:
    """Whether a module holds no more than every new one."""
    return not _HEAD.sub("", source).strip()


def _listed_modules(directory: bytes) -> list[tuple[str, str, int]]:
    """Name, stream and offset of every module that a ``dir`` stream lists, [MS-OVBA] 2.3.4.2.3.2."""
    modules, at, name, stream = [], 0, "", ""
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
            modules.append((name, stream, int(struct.unpack("<I", data)[0])))
        at += 6 + size
    return modules


def expand(data: bytes) -> bytes:
    """The data of a compressed container, [MS-OVBA] 2.4.1. Raises struct.error, IndexError for invalid data."""
    out, at = bytearray(), 1
    while at + 2 <= len(data):
        head = struct.unpack_from("<H", data, at)[0]
        end = min(len(data), at + (head & 0xFFF) + 3)
        at += 2
        if not head & 0x8000:
            out += data[at:end]
        else:
            _expand_chunk(data[at:end], out)
        at = end
    return bytes(out)


def _expand_chunk(body: bytes, out: bytearray) -> None:
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
            bits = _bits(len(out) - start)
            back, length = (token >> (16 - bits)) + 1, (token & (0xFFFF >> bits)) + 3
            # sign by sign: a match may reach into what it has itself just written
            for _ in range(length):
                out.append(out[-back])


def read_streams(data: bytes) -> dict[str, bytes]:
    """The streams of a compound file by path in small letters (``vba/dir``). Raises as `read_sources`, and OSError."""
    from olefile import OleFileIO

    with OleFileIO(io.BytesIO(data)) as file:
        return {"/".join(path).casefold(): file.openstream(path).read() for path in file.listdir()}


def modules_with_code(sources: Mapping[str, str]) -> set[str]:
    """The names of the modules that hold code."""
    return {name for name, source in sources.items() if not has_no_code(source)}
