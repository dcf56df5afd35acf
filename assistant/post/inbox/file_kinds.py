"""A file that came with a mail in; out what it is by its content, and what is in it where it only wraps others."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Literal

from assistant.post.inbox.arrived import Doubt, FileKind, InFile
from assistant.post.inbox.charsets import header_text, text_of
from assistant.post.inbox.winmail import SIGNATURE, files_in
from assistant.workbook.safe.limits import MB

LARGEST_INFLATED = 64 * MB
"""All files of one zip together, as really inflated."""
MOST_IN_ZIP = 200
COMPOUND = b"\xd0\xcf\x11\xe0"
_ZIP = b"PK\x03\x04"
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
_DOCUMENTS = (".doc", ".ppt")
_OUTLOOK = "__properties_version1.0".encode("utf-16-le")
_MAIL = re.compile(rb"(?:>?From [^\r\n]*\r?\n)?(?:[A-Za-z][\w-]{1,40}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){2,}")
_MAIL_SIGN = re.compile(rb"^(?:From|Received|Message-ID|MIME-Version|Subject):", re.I | re.M)
_UNSAFE = re.compile(r"[^\w .()\[\]+~@,;=&%#!'-]+")
_PICTURE = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM", b"%PDF", b"<svg")
_CELLS = re.compile(r"[;,\t]")
_LONGEST = 80
Shape = Literal["workbook", "zip", "winmail", "mail", "outlook", "table", "text", "other"]


def clean_name(name: str) -> str:
    """A sender's name of a file as it may be shown: its last part, without anything that leads or turns elsewhere."""
    plain = header_text(name) if name else ""
    last = re.split(r"[/\\:]", plain)[-1]
    last = "".join(sign for sign in last if sign.isprintable())
    stem, dot, ending = _UNSAFE.sub("_", last).strip(" .").rpartition(".")
    return (stem[:_LONGEST] + dot + ending[:10]).strip() or "file"


def shape_of(data: bytes, name: str) -> Shape:
    """What a file is; its name only decides where the content leaves it open."""
    ending = "." + name.rpartition(".")[2].casefold()
    if data.startswith(SIGNATURE):
        return "winmail"
    if data.startswith(COMPOUND):
        if ending == ".msg" or _OUTLOOK in data:
            return "outlook"
        return "other" if ending in _DOCUMENTS else "workbook"
    if data.startswith(_ZIP):
        return _zip_shape(data, ending)
    head = data[:4096]
    if head.startswith(_PICTURE):
        return "other"
    if ending == ".eml" or (ending not in (".csv", ".txt") and _MAIL.match(head) and _MAIL_SIGN.search(head)):
        return "mail"
    said = text_of(data[:64 * 1024])
    if said is None:
        return "workbook" if ending in _WORKBOOKS else "other"
    if ending in (".csv", ".tsv"):
        return "table"
    first = next((line for line in said.splitlines() if line.strip()), "")
    return "text" if ending == ".txt" or len(_CELLS.findall(first)) < 2 else "table"


def _zip_shape(data: bytes, ending: str) -> Shape:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {name.replace("\\", "/").lstrip("/").casefold() for name in archive.namelist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError):
        return "workbook" if ending in _WORKBOOKS else "other"
    if any(name.startswith(("word/", "ppt/")) for name in names):
        return "other"
    if "mimetype" in names or ("[content_types].xml" in names and any(name.startswith("xl/") for name in names)):
        return "workbook"
    return "zip"


def file_of(data: bytes, name: str, inside: str = "") -> InFile:
    """A file with its kind, which is no wrapping."""
    shape = shape_of(data, name)
    kind: FileKind = shape if shape in ("workbook", "table", "text") else "other"
    return InFile(name, data, kind, inside)


def inside_of(data: bytes, name: str) -> Iterator[InFile | Doubt]:
    """The files in a winmail.dat, or in a zip one level deep; what could not be read of it."""
    if data.startswith(SIGNATURE):
        yield from (file_of(inner, clean_name(title), name) for title, inner in files_in(data))
        return
    room = LARGEST_INFLATED
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, member in enumerate(archive.infolist()):
            if member.is_dir():
                continue
            if number >= MOST_IN_ZIP:
                yield Doubt("too_much_inflated", name)
                return
            if member.flag_bits & 1:
                yield Doubt("locked_zip", name)
                return
            try:
                with archive.open(member) as stream:
                    inner = stream.read(room + 1)
            except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
                yield Doubt("broken", f"{name}: {clean_name(member.filename)}")
                continue
            room -= len(inner)
            if room < 0:
                yield Doubt("too_much_inflated", name)
                return
            yield _of_zip(inner, clean_name(member.filename), name)


def _of_zip(data: bytes, name: str, inside: str) -> InFile | Doubt:
    return Doubt("zip_in_zip", f"{inside}: {name}") if shape_of(data, name) == "zip" else file_of(data, name, inside)
