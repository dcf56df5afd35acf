"""Screening: a file's bytes in; why it is not read out, and what it brings along besides cells.

`refusal` says why a file is not read at all. `brought` says what a workbook of somebody else's carries
besides cells: macros, links that fetch or start something, objects of other programs. Reading such a
workbook runs none of it; whoever opens it in Excel should know.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

from assistant.workbook import codes
from assistant.workbook.safe.limits import LIMITS, MB

Refusal = tuple[str, dict[str, Any]]

_ZIP = b"PK\x03\x04"
_SEALED = 1
"""The flag of a member that a zip program has locked with a password."""
_USUAL_PROLOG, _LONGEST_PROLOG = 2_048, 65_536
"""Bytes in which the first element of a part must begin."""
_REMARK = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_ELEMENT = re.compile(rb"<[A-Za-z_]")
_MARKUP = (".xml", ".rels", ".vml")
_RELATION = re.compile(rb"<[\w:]*Relationship\b[^>]*>")
_KIND = re.compile(rb"\bType\s*=\s*[\"'][^\"']*?([\w.]+)[\"']")
_OUTSIDE = re.compile(rb"\bTargetMode\s*=\s*[\"']External[\"']", re.IGNORECASE)
_BROUGHT = {
    **dict.fromkeys((b"vbaproject", b"wordvbadata", b"xlmacrosheet", b"xlintlmacrosheet", b"extensibility"),
                    codes.MACROS),
    **dict.fromkeys((b"externallink", b"externallinkpath", b"connections", b"querytable", b"datamodel"),
                    codes.EXTERNAL),
    **dict.fromkeys((b"oleobject", b"package", b"control", b"activexcontrolbinary", b"webextension",
                     b"webextensiontaskpanes"), codes.EMBEDDED),
}
"""The last word of a relationship's type -> what it brings. The name of the part itself may be anything."""
_STARTS_SOMETHING = re.compile(rb"<[\w:]*ddeLink\b")


def oversized(path: Path) -> Refusal | None:
    """The finding's code and data when a file of text is larger than any campaign's, else None. Raises OSError."""
    size = path.stat().st_size
    return (codes.UNSAFE, {"size": size // MB, "parts": 1}) if size > LIMITS.part else None


# --- what it is -------------------------------------------------------------------------------
def refusal(data: bytes) -> Refusal | None:
    """The finding's code and data when these bytes are no workbook that can be read, else None."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        encrypted = "EncryptedPackage".encode("utf-16-le") in data
        return (codes.ENCRYPTED if encrypted else codes.OLD_FORMAT), {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _refused(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError):
        return (codes.CUT_OFF if data.startswith(_ZIP) else codes.NO_WORKBOOK), {}


def _refused(archive: zipfile.ZipFile) -> Refusal | None:
    members = archive.infolist()
    if any(member.flag_bits & _SEALED for member in members):
        return codes.ENCRYPTED, {}
    kind = _other_kind(archive)
    if kind:
        return codes.OTHER_FORMAT, {"kind": kind}
    lowered = {_plain_name(m).casefold() for m in members}
    leads = "_rels/.rels" in lowered or any(name.startswith("xl/") for name in lowered)  # it may lie anywhere
    if "[content_types].xml" not in lowered or not leads:
        return codes.NO_WORKBOOK, {}
    bad = _too_much(members) or _hostile_name(members)
    return bad or _hostile_markup(archive, members)


def _other_kind(archive: zipfile.ZipFile) -> str:
    """The ending of a file of another program that is a zip as well; "" for none."""
    names = {_plain_name(member) for member in archive.infolist()}
    if "mimetype" in names and "content.xml" in names:
        return ".ods"
    if "xl/workbook.bin" in names:
        return ".xlsb"
    return next((ending for folder, ending in (("word/", ".docx"), ("ppt/", ".pptx"))
                 if any(n.startswith(folder) for n in names)), "")


def _plain_name(member: zipfile.ZipInfo) -> str:
    """A member's name as a part's: some programs write it with the strokes of Windows, or from the root."""
    return member.orig_filename.replace("\\", "/").lstrip("/")


def _too_much(members: list[zipfile.ZipInfo]) -> Refusal | None:
    size = sum(m.file_size for m in members)
    steep = [m for m in members if m.file_size > LIMITS.ratio_from and m.filename.casefold().endswith(_MARKUP)
             and m.file_size > LIMITS.ratio * max(1, m.compress_size)]
    if size > LIMITS.whole or len(members) > LIMITS.members or steep or any(
            m.file_size > LIMITS.part for m in members):
        return codes.UNSAFE, {"size": size // MB, "parts": len(members)}
    return None


def _hostile_name(members: list[zipfile.ZipInfo]) -> Refusal | None:
    """A part whose name leads out of the file, or that is there twice (names are told apart without case)."""
    seen = set()
    for member in members:
        plain = member.orig_filename.replace("\\", "/")
        parts = plain.lstrip("/").split("/")
        if ".." in parts or ":" in parts[0] or "\x00" in plain or plain.startswith("//") or len(plain) > LIMITS.name:
            return codes.PART_PATH, {"part": shown(plain)}
        key = plain.lstrip("/").casefold()
        if key in seen:
            return codes.PART_TWICE, {"part": shown(plain)}
        seen.add(key)
    return None


def _hostile_markup(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> Refusal | None:
    """A part that declares entities of its own."""
    for member in members:
        name = member.filename.casefold()
        if not name.endswith(_MARKUP):
            continue
        try:
            with archive.open(member) as stream:
                raw = stream.read(_USUAL_PROLOG)
                if not _ELEMENT.search(_told(raw)):
                    raw += stream.read(_LONGEST_PROLOG)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            return codes.DAMAGED, {"part": shown(member.filename)}
        head = _told(raw)
        first = _ELEMENT.search(head)
        prolog = head[:first.start()] if first else head
        if b"<!DOCTYPE" in prolog or b"<!ENTITY" in prolog or (not first and len(raw) >= _LONGEST_PROLOG):
            return codes.PART_ENTITIES, {"part": shown(member.filename)}
    return None


def _told(raw: bytes) -> bytes:
    """The beginning of a part without remarks, in 8 bits a sign."""
    return _REMARK.sub(b"", raw.replace(b"\x00", b""))


def shown(name: str) -> str:
    """A part's name as it may stand in a message."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)[:80]


# --- what it brings ---------------------------------------------------------------------------
def brought(data: bytes) -> list[str]:
    """Codes of findings about what a workbook brings besides cells, in order; [] for what is no workbook."""
    if refusal(data) is not None:
        return []
    found = set()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            name = member.filename.casefold()
            if name.endswith(".rels"):
                found |= _related(_plain(archive, member))
            elif "externallink" in name and name.endswith(".xml"):
                found |= {codes.STARTS} if _STARTS_SOMETHING.search(_plain(archive, member)) else set()
            elif name.endswith("vbaproject.bin"):
                found.add(codes.MACROS)
    return sorted(found)


def _plain(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    return archive.read(member).replace(b"\x00", b"")


def _related(rels: bytes) -> set[str]:
    """What the relationships of a part bring: by their type, and whatever is fetched from elsewhere."""
    found = set()
    for relation in _RELATION.findall(rels):
        kind = _KIND.search(relation)
        word = kind[1].lower() if kind else b""
        if word in _BROUGHT:
            found.add(_BROUGHT[word])
        elif word != b"hyperlink" and _OUTSIDE.search(relation):
            found.add(codes.EXTERNAL)
    return found
