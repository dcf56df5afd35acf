"""Writing a VBA project ([MS-OVBA]) that holds its source and nothing else.

That is what the specification asks of a writer: the ``_VBA_PROJECT`` stream has its seven bytes of header with
version 0xFFFF and no performance cache, module streams hold compressed source from their first byte, and there
are no ``__SRP_`` streams. Excel compiles the source when it opens the workbook.
"""

from __future__ import annotations

import re
import struct
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.buttons.install.compound import compound

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

Kind = Literal["plain", "workbook", "sheet", "chart", "class"]


@dataclass(frozen=True)
class Module:
    """A module. `code`: without the attributes that say what it is; `kind`: ``workbook``, ``sheet`` and ``chart``
    belong to a document, whose code name is the module's.
    """

    name: str
    code: str = ""
    kind: Kind = "plain"

    def source(self) -> bytes:
        """The module's text as the project holds it. Raises UnicodeEncodeError for what cp1252 lacks."""
        head = [f'Attribute VB_Name = "{self.name}"']
        if self.kind != "plain":
            document = self.kind != "class"
            head += [f'Attribute VB_Base = "{_BASES[self.kind]}"', "Attribute VB_GlobalNameSpace = False",
                     "Attribute VB_Creatable = False", f"Attribute VB_PredeclaredId = {document}",
                     f"Attribute VB_Exposed = {document}", "Attribute VB_TemplateDerived = False",
                     f"Attribute VB_Customizable = {document}"]
        lines = [*head, *self.code.replace("\r\n", "\n").rstrip("\n").split("\n")]
        return ("\r\n".join(lines) + "\r\n").encode(PAGE)


def of_export(text: str) -> str:
    """The code of a module that the VBA editor exported, without its head."""
    return _EXPORT_HEAD.sub("", text.replace("\r\n", "\n"))


def project(modules: Sequence[Module], name: str = "VBAProject") -> bytes:
    """The bytes of ``vbaProject.bin``; the same modules give the same bytes."""
    guid = "{" + str(uuid.uuid5(uuid.NAMESPACE_URL, "|".join(m.name for m in modules))).upper() + "}"
    names = b"".join(m.name.encode(PAGE) + b"\0" + m.name.encode("utf-16le") + b"\0\0" for m in modules) + b"\0\0"
    streams = {"_VBA_PROJECT": b"\xcc\x61\xff\xff\x00\x00\x00", "dir": compressed(_directory(name, modules))}
    streams.update((m.name, compressed(m.source())) for m in modules)
    return compound({"VBA": streams, "PROJECT": _text(name, modules, guid), "PROJECTwm": names})


# --- compression, [MS-OVBA] 2.4.1 ------------------------------------------------------------------
def compressed(data: bytes) -> bytes:
    """Data as a compressed container."""
    out = bytearray(b"\x01")
    for start in range(0, len(data), _CHUNK):
        chunk = data[start:start + _CHUNK]
        body = _chunk(chunk)
        if len(body) < _CHUNK:  # size less three, the signature 0b011, and the flag that it is compressed
            out += struct.pack("<H", (len(body) - 1) | 0xB000) + body
        else:
            out += struct.pack("<H", 0x3FFF) + chunk.ljust(_CHUNK, b"\0")
    return bytes(out)


def _chunk(chunk: bytes) -> bytes:
    out, at = bytearray(), 0
    while at < len(chunk):
        flags, tokens = 0, bytearray()
        for bit in range(8):
            if at >= len(chunk):
                break
            length, back = _match(chunk, at)
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
    """How many bits of a token say how far back it reaches, at a place of its chunk."""
    bits = 4
    while (1 << bits) < at:
        bits += 1
    return bits


def _match(chunk: bytes, at: int) -> tuple[int, int]:
    """Length of the longest earlier match and how far back it begins; (0, 0) for none of three bytes or more."""
    limit = min((0xFFFF >> _bits(at)) + 3, len(chunk) - at)
    length, back = 0, 0
    while length < limit:
        found = chunk.rfind(chunk[at:at + max(3, length + 1)], 0, at + max(3, length + 1) - 1)
        if found < 0 or max(3, length + 1) > limit:
            break
        length, back = max(3, length + 1), at - found
    return length, back


# --- the project's own streams -------------------------------------------------------------------
def _encrypted(data: bytes, guid: str, seed: int) -> str:
    """Data of the project's protection as [MS-OVBA] 2.4.3.2 hides it."""
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


def _directory(name: str, modules: Sequence[Module]) -> bytes:
    """The ``dir`` stream, [MS-OVBA] 2.3.4.2."""
    found = _record(0x01, struct.pack("<I", 1)) + _record(0x02, struct.pack("<I", _ENGLISH))
    found += _record(0x14, struct.pack("<I", _ENGLISH)) + _record(0x03, struct.pack("<H", _PAGE_NUMBER))
    found += _record(0x04, name.encode(PAGE)) + _both(0x05, 0x40, "") + _record(0x06) + _record(0x3D)
    found += _record(0x07, bytes(4)) + _record(0x08, bytes(4))
    found += struct.pack("<HIIH", 0x09, 4, 1, 1) + _both(0x0C, 0x3C, "")
    for reference, library in _REFERENCES:
        told = library.encode(PAGE)
        found += _both(0x16, 0x3E, reference) + _record(0x0D, struct.pack("<I", len(told)) + told + bytes(6))
    found += _record(0x0F, struct.pack("<H", len(modules))) + _record(0x13, b"\xff\xff")
    for m in modules:
        found += _both(0x19, 0x47, m.name) + _both(0x1A, 0x32, m.name) + _both(0x1C, 0x48, "")
        found += _record(0x31, bytes(4)) + _record(0x1E, bytes(4)) + _record(0x2C, b"\xff\xff")
        found += _record(0x21 if m.kind == "plain" else 0x22) + _record(0x2B)
    return found + _record(0x10)


def _text(name: str, modules: Sequence[Module], guid: str) -> bytes:
    """The ``PROJECT`` stream, [MS-OVBA] 2.3.1: a project that is visible and has no password."""
    words = {"plain": "Module={}", "class": "Class={}"}
    lines = [f'ID="{guid}"', *(words.get(m.kind, "Document={}/&H00000000").format(m.name) for m in modules)]
    lines += [f'Name="{name}"', 'HelpContextID="0"', 'VersionCompatible32="393222000"',
              f'CMG="{_encrypted(bytes(4), guid, 0x35)}"', f'DPB="{_encrypted(bytes(1), guid, 0x6A)}"',
              f'GC="{_encrypted(bytes([0xFF]), guid, 0x9F)}"', "", "[Host Extender Info]",
              "&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000", "", "[Workspace]"]
    lines += [f"{m.name}=0, 0, 0, 0, C" for m in modules]
    return ("\r\n".join(lines) + "\r\n").encode(PAGE)
