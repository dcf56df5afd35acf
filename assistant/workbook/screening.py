"""Limits and errors of workbook files, and checks of a file before it is opened."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from assistant.turn import codes

# Limits for everything that unpacks files.
# #
# A club's workbook of the largest campaign that we measured (10,000 armies, 100,000 events) unpacks to about 80 MB. XML
# of a million similar rows compresses to a sixteenth of its size, a bomb of blanks to a thousandth. Sizes are bytes.


MB = 2**20


class Limits(NamedTuple):
    """How much is unpacked at most.

    `members`: parts of the package; `part`, `whole`: unpacked bytes of one part and of all; `ratio`: the largest
    compression ratio of an XML part larger than `ratio_from` (pictures of one colour compress better, but are never
    unpacked); `depth`: of nested XML elements; `name`: characters in a part's name; `cells`: non-blank cells of one
    sheet; `rows`: of a file of orders, answers or dice that is handed in; `table`: of a file in a campaign's folder.
    """

    members: int = 5_000
    part: int = 128 * MB
    whole: int = 256 * MB
    ratio: int = 200
    ratio_from: int = MB
    depth: int = 256
    name: int = 255
    cells: int = 3_000_000
    rows: int = 5_000
    table: int = 150_000


LIMITS = Limits()
"""The limits used everywhere."""


# What can go wrong with a workbook's file, as the port raises it: a path in, one kind of `BookError` out::
#
#     BookError
#       BookMissing    there is no such file
#       BookLocked     Excel or LibreOffice has the file open (`user`: who, as far as the lock file says)
#       BookClaimed    another Arbitro is changing it (`user`, `machine`, `doing`)
#       BookHeld       another program keeps the file from being replaced (`content`: what it would hold now)
#       BookChanged    somebody saved the file after it was read
#       BookUnsafe     the change cannot be written without harm (`reason`)
#
# Everything about the user's data is a `Finding` with its cell instead; only faults of file or machine are raised.


class BookError(Exception):
    """A fault of the file or the machine; see the tree above."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


class BookMissing(BookError):
    """There is no such file."""


class BookLocked(BookError):
    """Another program has the file open. `user` may be empty; `lock`: the name of the lock file."""

    def __init__(self, path: Path, user: str, lock: str = "") -> None:
        super().__init__(path, f"{path.name} is open" + (f" at {user}'s" if user else "") + ": close it first")
        self.user = user
        self.lock = lock


class BookClaimed(BookError):
    """Another Arbitro is changing the file; nothing was written.

    `user`, `machine`: whose it is; `doing`: its command, may be empty; `claim`: the name of the claim file.
    """

    def __init__(self, path: Path, user: str, machine: str, doing: str, claim: str) -> None:
        super().__init__(path, f"{user} on {machine} is changing {path.name} just now")
        self.user, self.machine, self.doing, self.claim = user, machine, doing, claim


class BookHeld(BookError):
    """Another program keeps the file from being replaced; nothing was written. `content`: the bytes not written."""

    def __init__(self, path: Path, content: bytes) -> None:
        super().__init__(path, f"{path.name} cannot be replaced: is it open or read-only?")
        self.content = content


class BookChanged(BookError):
    """Somebody saved the file after it was read; nothing was written."""


class BookUnsafe(BookError):
    """The change cannot be written without harm; nothing was written.

    `code`: the finding that says why and what to do ("" for a reason in words); `cell`: where; `data`: its parameters.
    """

    def __init__(self, path: Path, text: str, code: str = "", cell: str = "", **data: Any) -> None:
        super().__init__(path, text)
        self.code, self.cell, self.data = code, cell, data


# Screening.
# #
# `refusal` says why a file is not read at all. `risky_content` says what somebody else's workbook contains besides
# cells: macros, links that fetch or start something, objects of other programs. Reading such a workbook runs none of
# it, but whoever opens it in Excel should know.


Refusal = tuple[str, dict[str, Any]]

_ZIP = b"PK\x03\x04"
_SEALED = 1
"""The flag of a member that is protected by a password."""
_USUAL_PROLOG, _LONGEST_PROLOG = 2_048, 65_536
"""How many bytes are read to find the first element of a part, normally and at most."""
_REMARK = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_ELEMENT = re.compile(rb"<[A-Za-z_]")
_MARKUP = (".xml", ".rels", ".vml")
_RELATION = re.compile(rb"<[\w:]*Relationship\b[^>]*>")
_KIND = rb"\bType\s*=\s*[\"'][^\"']*?([\w.]+)[\"']"
_OUTSIDE = rb"(?i)\bTargetMode\s*=\s*[\"']External[\"']"
_CONTENT_CODES = {
    **dict.fromkeys((b"vbaproject", b"wordvbadata", b"xlmacrosheet", b"xlintlmacrosheet", b"extensibility"),
                    codes.MACROS),
    **dict.fromkeys((b"externallink", b"externallinkpath", b"connections", b"querytable", b"datamodel"),
                    codes.EXTERNAL),
    **dict.fromkeys((b"oleobject", b"package", b"control", b"activexcontrolbinary", b"webextension",
                     b"webextensiontaskpanes"), codes.EMBEDDED),
}
"""The last word of a relationship's type -> the finding about it. The part's own name may be anything."""
_STARTS_SOMETHING = re.compile(rb"<[\w:]*ddeLink\b")


def oversize_refusal(path: Path) -> Refusal | None:
    """The finding's code and data if a text file is larger than any campaign's, else None. Raises OSError."""
    size = path.stat().st_size
    return (codes.UNSAFE, {"size": size // MB, "parts": 1}) if size > LIMITS.part else None


# --- what it is -------------------------------------------------------------------------------
def refusal(data: bytes) -> Refusal | None:
    """The finding's code and data if these bytes are not a readable workbook, else None."""
    # the beginning of an OLE file: Excel's old format, and also what Excel wraps a workbook with a password in
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        encrypted = "EncryptedPackage".encode("utf-16-le") in data
        return (codes.ENCRYPTED if encrypted else codes.OLD_FORMAT), {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _refuse_archive(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OverflowError):
        return (codes.CUT_OFF if data.startswith(_ZIP) else codes.NO_WORKBOOK), {}


def _refuse_archive(archive: zipfile.ZipFile) -> Refusal | None:
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
    bad = _refuse_size(members) or _refuse_names(members)
    return bad or _refuse_markup(archive, members)


def _other_kind(archive: zipfile.ZipFile) -> str:
    """The extension of another program's file that is also a zip; "" for none."""
    names = {_plain_name(member) for member in archive.infolist()}
    if "mimetype" in names and "content.xml" in names:
        return ".ods"
    if "xl/workbook.bin" in names:
        return ".xlsb"
    return next((ending for folder, ending in (("word/", ".docx"), ("ppt/", ".pptx"))
                 if any(n.startswith(folder) for n in names)), "")


def _plain_name(member: zipfile.ZipInfo) -> str:
    return member.orig_filename.replace("\\", "/").lstrip("/")


def _refuse_size(members: list[zipfile.ZipInfo]) -> Refusal | None:
    size = sum(m.file_size for m in members)
    return (codes.UNSAFE, {"size": size // MB, "parts": len(members)}) if is_oversize(members) else None


def is_oversize(members: Collection[zipfile.ZipInfo]) -> bool:
    """Whether there are too many parts, or one or all of them are too large, or packed as only a bomb is."""
    steep = any(m.file_size > LIMITS.ratio_from and m.filename.casefold().endswith(_MARKUP)
                and m.file_size > LIMITS.ratio * max(1, m.compress_size) for m in members)
    return steep or len(members) > LIMITS.members or any(m.file_size > LIMITS.part for m in members) or (
        sum(m.file_size for m in members) > LIMITS.whole)


def leads_out(name: str) -> bool:
    """Whether a part's name, with strokes alone between its folders, would leave the package."""
    parts = name.lstrip("/").split("/")
    return (".." in parts or ":" in parts[0] or "\x00" in name or name.startswith("//")
            or len(name) > LIMITS.name)


def _refuse_names(members: list[zipfile.ZipInfo]) -> Refusal | None:
    """Refuse a part whose name leads out of the file, or that occurs twice (names are compared without case)."""
    seen = set()
    for member in members:
        plain = member.orig_filename.replace("\\", "/")
        if leads_out(plain):
            return codes.PART_PATH, {"part": printable_name(plain)}
        key = plain.lstrip("/").casefold()
        if key in seen:
            return codes.PART_TWICE, {"part": printable_name(plain)}
        seen.add(key)
    return None


def _refuse_markup(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> Refusal | None:
    """Refuse a part that declares entities of its own."""
    for member in members:
        name = member.filename.casefold()
        if not name.endswith(_MARKUP):
            continue
        try:
            with archive.open(member) as stream:
                raw = stream.read(_USUAL_PROLOG)
                if not _ELEMENT.search(_without_comments(raw)):
                    raw += stream.read(_LONGEST_PROLOG)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            return codes.DAMAGED, {"part": printable_name(member.filename)}
        head = _without_comments(raw)
        # only what stands before the first element can declare entities; the text of cells may well say "<!ENTITY"
        first = _ELEMENT.search(head)
        prolog = head[:first.start()] if first else head
        if b"<!DOCTYPE" in prolog or b"<!ENTITY" in prolog or (not first and len(raw) >= _LONGEST_PROLOG):
            return codes.PART_ENTITIES, {"part": printable_name(member.filename)}
    return None


def _without_comments(raw: bytes) -> bytes:
    return _REMARK.sub(b"", raw.replace(b"\x00", b""))


def printable_name(name: str) -> str:
    """A part's name in a form that is safe in messages."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)[:80]


# --- what it brings ---------------------------------------------------------------------------
def risky_content(data: bytes) -> list[str]:
    """Codes of findings about what a workbook contains besides cells, sorted; [] if it is not a workbook."""
    if refusal(data) is not None:
        return []
    risks = set()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            name = member.filename.casefold()
            if name.endswith(".rels"):
                risks |= _relationship_content(_plain(archive, member))
            elif "externallink" in name and name.endswith(".xml"):
                risks |= {codes.STARTS} if _STARTS_SOMETHING.search(_plain(archive, member)) else set()
            elif name.endswith("vbaproject.bin"):
                risks.add(codes.MACROS)
    return sorted(risks)


def _plain(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    return archive.read(member).replace(b"\x00", b"")


def _relationship_content(rels: bytes) -> set[str]:
    """Findings about the relationships of a part: by their type, and for everything fetched from elsewhere."""
    risks = set()
    for relation in _RELATION.findall(rels):
        kind = re.search(_KIND, relation)
        word = kind[1].lower() if kind else b""
        if word in _CONTENT_CODES:
            risks.add(_CONTENT_CODES[word])
        elif word != b"hyperlink" and re.search(_OUTSIDE, relation):
            risks.add(codes.EXTERNAL)
    return risks


# The real size of a packed file.
# #
# The directory of a zip is written by whoever made the file: it may state a small size for a bomb, or the reverse.


_LOCAL, _LENGTHS = 30, 26
"""Bytes of a member's local header, and the position of the lengths of its name and extra field."""
_STEP = 1 << 16


def refusal_by_content(data: bytes) -> Refusal | None:
    """Like `refusal`, for somebody else's file: sizes are measured by inflating, as far as the limits allow."""
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
        return refusal(data)
    whole = 0
    # one more than allowed is enough to refuse; the rest need not be inflated
    for member in members[:LIMITS.members + 1]:
        size = _inflated_size(data, member, LIMITS.whole - whole)
        whole += size
        if whole > LIMITS.whole or size > LIMITS.part:
            return codes.UNSAFE, {"size": whole // MB, "parts": len(members)}
    verdict = refusal(data)
    if verdict is not None and verdict[0] == codes.UNSAFE and len(members) <= LIMITS.members:
        steep = any(member.file_size > LIMITS.ratio_from for member in members) and whole > LIMITS.ratio_from
        return verdict if steep else (codes.CUT_OFF, {})  # it only declares what it does not hold
    return verdict


def _inflated_size(data: bytes, member: zipfile.ZipInfo, most: int) -> int:
    """The real unpacked size of a member, counted until it exceeds `most`."""
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
