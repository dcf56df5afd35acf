"""The zip of a workbook: members are read under limits, and unchanged ones kept byte for byte."""

from __future__ import annotations

import hashlib
import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from assistant.workbook.ooxml.xml_tree import (
    Damaged,
    Hostile,
    Splices,
    XmlNode,
    element_xml,
    has_comments,
    parse,
    to_utf8,
)
from assistant.workbook.screening import is_oversize, leads_out

# The two forms of the format.
# #
# What Excel calls "Strict Open XML" differs, in everything that we write, only in namespaces and relationship types.


_USUAL, _STRICT = "http://schemas.openxmlformats.org", "http://purl.oclc.org/ooxml"
RELATIONS = (f"{_USUAL}/officeDocument/2006/relationships", f"{_STRICT}/officeDocument/relationships")
MAIN = (f"{_USUAL}/spreadsheetml/2006/main", f"{_STRICT}/spreadsheetml/main")
"""Each in the usual form and in the strict one."""
_DATED = rf"{re.escape(_USUAL)}/(officeDocument|spreadsheetml|drawingml)/2006/".encode()


def to_strict(part: bytes) -> bytes:
    """A part of the usual form, or its relationships, converted to the strict one."""
    return re.sub(_DATED, lambda match: f"{_STRICT}/".encode() + match[1] + b"/", part)


# Long sheets in chunks.
# #
# A compressed stream may be cut into chunks: nothing after a cut refers to what came before ("full flush" of RFC 1951).
# `pack_chunks` makes a cut after the sheet's head and before the first row from each multiple of 128 on, wherever the
# bytes come from, so that the same sheet always gives the same bytes. `split_chunks` separates the last two chunks from
# the ones before, which a change at the sheet's end takes over in their compressed form.
# #
# Two limits need this (benchmarks/README.md): the ledger of five robot years keeps each chunk once, however many of its
# workbooks have it; and a turn late in a long campaign neither compresses nor searches the rows of all turns before it.
# #
# Only plain sheets without formulas are cut. The cuts reveal nothing about a sheet's content, and to any other program
# it is a compressed member like any other.


PIECE = 128
"""Rows in a chunk."""
ROWS = b"<sheetData>"
END = b"</sheetData>"
_SEAM = b"\x00\x00\xff\xff"
"""How a chunk ends: an empty block, which no other block needs."""
ODD_ROW = re.compile(rb'<row(?! r=")')
"""A row whose first attribute is not its number."""
_ROW = re.compile(rb'<row r="(\d+)"')
_FORMULA = re.compile(rb"<f[\s>/]")
_LEVEL = 1


class ChunkedPart(NamedTuple):
    """A sheet's part in three. `packed`: the middle as it is in the file, whole chunks that are not compressed again.
    """

    head: bytes
    middle: bytes
    tail: bytes
    packed: bytes

    def all_bytes(self) -> bytes:
        """The whole part, compressed."""
        return b"".join([_compress_chunk(self.head), self.packed, *_compress_chunks(self.tail)])

    def whole(self) -> bytes:
        """The part's bytes."""
        return self.head + self.middle + self.tail


def has_formulas(data: bytes, start: int = 0, end: int | None = None) -> bool:
    """Whether there is a formula in the plain spelling between two positions."""
    return _FORMULA.search(data, start, len(data) if end is None else end) is not None


def can_be_chunked(data: bytes) -> bool:
    """Whether a sheet in UTF-8 can be cut into chunks: plain spelling, every row numbered, no formulas."""
    start = data.find(ROWS)
    end = data.rfind(END)
    return 0 <= start < end and not (ODD_ROW.search(data, start, end) or has_formulas(data, start, end)
                                     or has_comments(data))


def pack_chunks(data: bytes) -> bytes:
    """A part (see `can_be_chunked`) compressed in chunks."""
    start = data.find(ROWS) + len(ROWS)
    return _compress_chunk(data[:start]) + b"".join(_compress_chunks(data[start:]))


def split_chunks(data: bytes, size: int, crc: int) -> ChunkedPart | None:
    """Split a compressed member with its size and checksum; None if it has no chunks of ours."""
    first = data.find(_SEAM) + len(_SEAM)
    last = data.rfind(_SEAM)
    at = max(first, data.rfind(_SEAM, 0, last) + len(_SEAM))
    if first < len(_SEAM):
        return None
    engine = zlib.decompressobj(-15)
    try:
        head, middle = (zlib.decompressobj(-15).decompress(part) for part in (data[:first], data[first:at]))
        tail = engine.decompress(data[at:])
    except zlib.error:
        return None
    if not engine.eof or engine.unused_data or not head.endswith(ROWS) or not tail.startswith(b"<row "):
        return None
    chunked = ChunkedPart(head, middle, tail, data[first:at])
    whole = chunked.whole()
    return chunked if (len(whole), zlib.crc32(whole)) == (size, crc) else None


def _compress_chunks(rows: bytes) -> list[bytes]:
    """The rows of a sheet and what follows them, compressed chunk by chunk."""
    chunks, start = [], 0
    while (after := _next_chunk(rows, start)) > start:
        chunks.append(_compress_chunk(rows[start:after]))
        start = after
    return [*chunks, _compress_chunk(rows[start:], last=True)]


def _next_chunk(rows: bytes, start: int) -> int:
    """Where the chunk after the one at `start` begins: at the first row beyond a multiple of `PIECE`."""
    first = _ROW.match(rows, start)
    if first is None:
        return -1
    number = int(first[1]) // PIECE * PIECE + PIECE
    at = rows.find(b'<row r="%d"' % number, first.end())
    if at >= 0:
        return at
    return next((match.start() for match in _ROW.finditer(rows, first.end()) if int(match[1]) >= number), -1)


def _compress_chunk(data: bytes, last: bool = False) -> bytes:
    engine = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return engine.compress(data) + engine.flush(zlib.Z_FINISH if last else zlib.Z_FULL_FLUSH)


# The zip.
# #
# Members are read under limits, and unchanged ones are written as the very bytes they came in. Part names are compared
# without case, as the format says; targets of relationships may be absolute, relative, or written with backslashes.


LARGE = 2**18
"""Larger changed parts are compressed fast instead of well: a long campaign's sheets of events are written in every
phase.
"""
LONG = 2**15
"""Larger changed sheets are cut into chunks: what did not change gives the same bytes, so the ledger stores no second
copy.
"""
CONTENT_TYPES = "[Content_Types].xml"
FIXED_STAMP = (0, 40 << 9 | 1 << 5 | 1)
"""Time and date of new members (2020-01-01) in the zip's format: the file must not depend on the clock."""
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1


class Relationship(NamedTuple):
    """A relationship. `kind`: the last word of its type; `target`: a part's name, or an address if `external`."""

    id: str
    kind: str
    target: str
    external: bool = False


def part_name(name: str) -> str:
    """A member's name as a part's. Raises `Hostile` if it would leave the package."""
    plain = name.replace("\\", "/")
    if leads_out(plain):
        raise Hostile("path")
    return plain.lstrip("/")


_small = lru_cache(maxsize=256)(parse)
"""The trees of small parts: a command reads a workbook twice and looks at its tables and links several times."""
SMALL = 8192


class ZipPackage:
    """The members of a workbook's file. Raises `Damaged` and `Hostile`, even when opened."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                self._members = archive.infolist()
        except (zipfile.BadZipFile, ValueError, OverflowError, struct.error, NotImplementedError) as no:
            raise Damaged("zip") from no
        self._check()
        self._names: dict[str, str] = {}
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in self._members:
            name = part_name(info.filename)
            if name.lower() in self._names:
                raise Hostile("twice")
            self._names[name.lower()] = info.filename
            self._infos[name.lower()] = info
        self._unpacked: dict[str, bytes] = {}
        self._texts: dict[str, bytes] = {}
        self._changed: dict[str, bytes | ChunkedPart] = {}
        self._trusted: set[str] = set()
        self._parted: dict[str, ChunkedPart | None] = {}
        self._added: list[str] = []
        self._dropped: set[str] = set()
        self._links: dict[str, list[Relationship]] = {}

    def _check(self) -> None:
        if is_oversize(self._members):
            raise Hostile("size")
        if any(m.flag_bits & _ENCRYPTED or m.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
               for m in self._members):
            raise Damaged("zip")

    # --- members ----------------------------------------------------------------------------
    def names(self) -> list[str]:
        """All parts, in the order of the zip, new ones last."""
        kept = [part_name(m.filename) for m in self._members]
        return [n for n in [*kept, *self._added] if n.lower() not in self._dropped]

    def __contains__(self, name: str) -> bool:
        key = name.lower()
        return key not in self._dropped and (key in self._names or key in self._changed)

    def raw(self, name: str) -> bytes:
        """A part's bytes. Raises `Damaged` if it is missing or its checksum is wrong."""
        key = name.lower()
        if key in self._changed:
            changed = self._changed[key]
            return changed if isinstance(changed, bytes) else changed.whole()
        if key not in self._unpacked:
            info = self._infos.get(key)
            if info is None or key in self._dropped:
                raise Damaged(name)
            self._unpacked[key] = self._inflate(info)
        return self._unpacked[key]

    def trust(self, name: str) -> None:
        """Trust a part without unpacking it: its `print_of` is that of a part that was verified."""
        self._trusted.add(name.lower())

    def chunks_of(self, name: str) -> ChunkedPart | None:
        """A trusted part whose middle can stay as it is; None if it has to be read as a whole."""
        key = name.lower()
        if key in self._changed:
            chunked = self._changed[key]
            return chunked if isinstance(chunked, ChunkedPart) else None
        info = self._infos.get(key)
        if key not in self._trusted or info is None or key in self._dropped:
            return None
        if key not in self._parted:
            self._parted[key] = split_chunks(self.packed_bytes(info), info.file_size, info.CRC)
        return self._parted[key]

    def head(self, name: str, size: int) -> bytes:
        """The beginning of a part; the rest is not unpacked and the checksum not compared. Raises `Damaged`."""
        key = name.lower()
        info = self._infos.get(key)
        if info is None or key in self._changed or key in self._unpacked or info.compress_type != zipfile.ZIP_DEFLATED:
            return self.raw(name)[:size]
        try:
            return zlib.decompressobj(-15).decompress(self.packed_bytes(info), size)
        except zlib.error as no:
            raise Damaged(name) from no

    def text(self, name: str) -> bytes:
        """A part's bytes in UTF-8. Raises `Damaged`, `Hostile`."""
        key = name.lower()
        if key not in self._texts:
            self._texts[key] = to_utf8(self.raw(name))
        return self._texts[key]

    def tree(self, name: str) -> XmlNode:
        """A part's tree, which nobody may change. Raises `Damaged`, `Hostile`."""
        data = self.text(name)
        return _small(data) if len(data) <= SMALL else parse(data)

    def print_of(self, name: str) -> str:
        """A fingerprint of a part, made without unpacking it. Raises `Damaged`."""
        info = self._infos.get(name.lower())
        if info is None or name.lower() in self._changed or name.lower() in self._dropped:
            raise Damaged(name)
        stamp = b"%d %d " % (info.file_size, info.CRC)
        return hashlib.blake2b(stamp + self.packed_bytes(info), digest_size=16).hexdigest()

    def packed_bytes(self, info: zipfile.ZipInfo) -> bytes:
        """A member's compressed bytes as they are in the file. Raises `Damaged`."""
        head = self._data[info.header_offset:info.header_offset + _LOCAL.size]
        if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
            raise Damaged(info.filename)
        *_, name, extra = _LOCAL.unpack(head)
        own_name = self._data[info.header_offset + _LOCAL.size:info.header_offset + _LOCAL.size + name]
        # with two names programs would not agree which part it is
        if own_name.decode("utf-8" if info.flag_bits & _UTF8_NAME else "cp437", "replace") != info.orig_filename:
            raise Damaged(info.filename)
        start = info.header_offset + _LOCAL.size + name + extra
        data = self._data[start:start + info.compress_size]
        if len(data) != info.compress_size:
            raise Damaged(info.filename)
        return data

    def _inflate(self, info: zipfile.ZipInfo) -> bytes:
        data = self.packed_bytes(info)
        if info.compress_type == zipfile.ZIP_DEFLATED:
            engine = zlib.decompressobj(-15)
            try:
                # one byte more than it says: a member that grows beyond that is not unpacked to its end
                data = engine.decompress(data, info.file_size + 1)
            except zlib.error as no:
                raise Damaged(info.filename) from no
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            raise Damaged(info.filename)
        return data

    def check_all(self) -> None:
        """Unpack every member that is neither read nor trusted yet, and compare its checksum. Raises `Damaged`."""
        for info in self._members:
            key = part_name(info.filename).lower()
            if key not in self._unpacked and key not in self._trusted:
                self._inflate(info)

    def check_against(self, other: ZipPackage) -> None:
        """Compare every member with a verified package; members that differ are unpacked and their checksums compared.

        Raises `Damaged`.
        """
        for key, info in self._infos.items():
            known = other._infos.get(key)
            if known is not None and (known.CRC, known.file_size, known.compress_type) == (
                    info.CRC, info.file_size,
                info.compress_type) and other.packed_bytes(known) == self.packed_bytes(info):
                continue
            data, wanted = self._inflate(info), other.chunks_of(info.filename)
            if wanted is not None and data != wanted.whole():
                raise Damaged(info.filename)
            if wanted is not None:
                self.trust(info.filename)
                self._parted[key] = wanted

    # --- changes ----------------------------------------------------------------------------
    def put(self, name: str, data: bytes | ChunkedPart) -> None:
        """Change a part, or add one (its content type is declared with `declare`)."""
        key = name.lower()
        if key not in self._names and key not in self._changed:
            self._added.append(name)
        self._dropped.discard(key)
        self._changed[key] = data
        self._texts.pop(key, None)
        self._links.clear()

    def drop(self, name: str) -> None:
        """Remove a part with its relationships and its content type."""
        for key in (name.lower(), rels_part(name).lower()):
            self._dropped.add(key)
            self._changed.pop(key, None)
            self._texts.pop(key, None)
            self._added = [n for n in self._added if n.lower() != key]
        with self.edit(CONTENT_TYPES) as splices:
            for node in self.own_types(name):
                splices.replace(node.start, node.end, b"")

    @contextmanager
    def edit(self, name: str) -> Iterator[Splices]:
        """Gather changes to a part's bytes; it has them afterwards."""
        splices = Splices(self.text(name))
        yield splices
        if splices:
            self.put(name, splices.result())

    def own_types(self, name: str) -> list[XmlNode]:
        """What declares a part's content type for this part alone."""
        return [node for node in self.tree(CONTENT_TYPES).all("Override")
                if node.get("PartName").lstrip("/").lower() == name.lower()]

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._changed or self._dropped)

    def declare(self, name: str, content_type: str, *, extension: bool = False) -> None:
        """Declare a part's content type, or (`extension`) that of all parts with the same ending, unless it is
        declared.
        """
        tree = self.tree(CONTENT_TYPES)
        ending = name.rpartition(".")[2].lower()
        known = any(n.get("Extension").lower() == ending for n in tree.all("Default")) if extension else (
            self.own_types(name))
        if known:
            return
        with self.edit(CONTENT_TYPES) as splices:
            if extension:
                first = tree.children[0].start if tree.children else tree.close
                splices.replace(first, first, element_xml(
                    f"{tree.prefix}Default".encode(), {"Extension": ending, "ContentType": content_type}))
            else:
                splices.append(tree, element_xml(
                    f"{tree.prefix}Override".encode(), {"PartName": f"/{name}", "ContentType": content_type}))

    def retype(self, name: str, content_type: str) -> None:
        """Change the content type of a part."""
        with self.edit(CONTENT_TYPES) as splices:
            for node in self.own_types(name):
                splices.attribute(node, "ContentType", content_type)
        if self.content_type(name) != content_type:
            self.declare(name, content_type)

    def content_type(self, name: str) -> str:
        """The declared content type of a part; "" for none."""
        ending = name.rpartition(".")[2].lower()
        usual = [n for n in self.tree(CONTENT_TYPES).all("Default") if n.get("Extension").lower() == ending]
        return next((node.get("ContentType") for node in (*self.own_types(name), *usual)), "")

    def free_name(self, pattern: str) -> str:
        """The first unused part name of a pattern with ``{}`` for the number."""
        number = 1
        while pattern.format(number) in self:
            number += 1
        return pattern.format(number)

    # --- relationships ----------------------------------------------------------------------
    def links(self, part: str) -> list[Relationship]:
        """The relationships of a part ("": of the package); [] if it has none. Raises `Damaged`."""
        if part not in self._links:
            name = rels_part(part)
            relationships = []
            for node in self.tree(name).all("Relationship") if name in self else ():
                external = node.get("TargetMode") == "External"
                target = node.get("Target")
                relationships.append(Relationship(node.get("Id"), node.get("Type").rpartition("/")[2],
                                          target if external else self._target_part(part, target), external))
            self._links[part] = relationships
        return self._links[part]

    def _target_part(self, part: str, target: str) -> str:
        """The part that a target means; a blank in its name may be written as ``%20``."""
        name = resolve_target(part, target)
        plain = name.replace("%20", " ")
        return plain if name not in self and plain in self else name

    def linked_part(self, part: str, kind: str) -> str:
        """The first existing part to which a part has a relationship of a kind; else ""."""
        return next((k.target for k in self.links(part) if k.kind == kind and not k.external and k.target in self), "")

    def link(self, part: str, kind: str, target: str) -> str:
        """Add a relationship from a part to another and return its id. `kind`: the type's whole address."""
        name = rels_part(part)
        if name not in self:
            self.put(name, b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns='
                           b'"http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>')
        tree = self.tree(name)
        taken = {n.get("Id") for n in tree.all("Relationship")}
        number = 1
        while f"rIdArbitro{number}" in taken:
            number += 1
        with self.edit(name) as splices:
            splices.append(tree, element_xml(f"{tree.prefix}Relationship".encode(), {
                "Id": f"rIdArbitro{number}", "Type": kind, "Target": f"/{target}"}))
        return f"rIdArbitro{number}"

    def unlink(self, part: str, target: str) -> None:
        """Remove the relationships from a part to another."""
        name = rels_part(part)
        if name not in self:
            return
        with self.edit(name) as splices:
            for node in self.tree(name).all("Relationship"):
                if node.get("TargetMode") != "External" and (
                        self._target_part(part, node.get("Target")).lower() == target.lower()):
                    splices.replace(node.start, node.end, b"")

    # --- out --------------------------------------------------------------------------------
    def pack(self) -> bytes:
        """The whole file: unchanged members as they were compressed before, the rest deflated again."""
        out, central, at = [], [], 0
        entries: list[tuple[str, zipfile.ZipInfo | None]] = [(m.filename, m) for m in self._members]
        entries += [(name, None) for name in self._added]
        for name, info in entries:
            key = part_name(name).lower()
            if key in self._dropped:
                continue
            encoded, utf8_flag = _encode_name(name, info)
            method, crc, size, packed = self._content(key, info)
            time, date = _stamp(info)
            version = info.extract_version if info else 20
            # two bits say how well it was compressed; what else the flags said holds no more
            flags = utf8_flag | ((info.flag_bits & 0x6) if info and key not in self._changed else 0)
            out += [_LOCAL.pack(b"PK\x03\x04", version, flags, method, time, date, crc, len(packed), size,
                                len(encoded), 0), encoded, packed]
            system = (info.create_system << 8 | info.create_version) if info else 20
            central.append(_CENTRAL.pack(b"PK\x01\x02", system, version, flags, method, time, date, crc, len(packed),
                                         size, len(encoded), 0, 0, 0, info.internal_attr if info else 0,
                                         info.external_attr if info else 0, at) + encoded)
            at += _LOCAL.size + len(encoded) + len(packed)
        directory = b"".join(central)
        end = _END.pack(b"PK\x05\x06", 0, 0, len(central), len(central), len(directory), at, 0)
        return b"".join([*out, directory, end])

    def _content(self, key: str, info: zipfile.ZipInfo | None) -> tuple[int, int, int, bytes]:
        """Method, checksum, size and compressed bytes of a member."""
        if key in self._changed or info is None:
            data = self._changed[key]
            if isinstance(data, ChunkedPart):
                whole = data.whole()
                return zipfile.ZIP_DEFLATED, zlib.crc32(whole), len(whole), data.all_bytes()
            if len(data) > LONG and can_be_chunked(data):
                return zipfile.ZIP_DEFLATED, zlib.crc32(data), len(data), pack_chunks(data)
            engine = zlib.compressobj(1 if len(data) > LARGE else 6, zlib.DEFLATED, -15)
            return zipfile.ZIP_DEFLATED, zlib.crc32(data), len(data), engine.compress(data) + engine.flush()
        return info.compress_type, info.CRC, info.file_size, self.packed_bytes(info)


def rels_part(part: str) -> str:
    """The part that holds a part's relationships."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def resolve_target(part: str, target: str) -> str:
    """The part that a target means, relative to another part; the target itself if it is not a part (``#A1``)."""
    plain = target.replace("\\", "/")
    if plain.startswith("#") or plain == "NULL":
        return plain
    if not plain.startswith("/"):
        plain = posixpath.join(posixpath.dirname(part), plain)
    return re.sub(r"^(\.\./)+", "", posixpath.normpath(plain).lstrip("/"))


def _encode_name(name: str, info: zipfile.ZipInfo | None) -> tuple[bytes, int]:
    """A member's name as bytes, and the flag that says they are UTF-8."""
    # without the flag for UTF-8 a name is in the alphabet of DOS
    if info is not None and not info.flag_bits & _UTF8_NAME:
        try:
            return info.orig_filename.encode("cp437"), 0
        except UnicodeEncodeError:
            return name.encode(), _UTF8_NAME
    return name.encode(), 0 if name.isascii() else _UTF8_NAME


def _stamp(info: zipfile.ZipInfo | None) -> tuple[int, int]:
    if info is None:
        return FIXED_STAMP
    year, month, day, hour, minute, second = info.date_time
    return hour << 11 | minute << 5 | second // 2, max(0, year - 1980) << 9 | month << 5 | day
