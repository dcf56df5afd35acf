"""Files that commands write in; their contents out as text that two checkouts can be compared by, line by line."""

from __future__ import annotations

import email
import email.policy
import hashlib
import io
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path

Artefacts = dict[str, str]
CLOCK = "Date"
"""The only header of a mail that no campaign decides."""
BETWEEN_TAGS = re.compile(r">\s*<(?!/)")


def folder(place: Path, name: str) -> Artefacts:
    """Every file below a folder, under a name."""
    found = Artefacts()
    for file in sorted(place.rglob("*")):
        if file.is_file():
            found |= contents(file.read_bytes(), f"{name}/{file.relative_to(place).as_posix()}")
    return found


def contents(data: bytes, name: str) -> Artefacts:
    """What a file holds: a workbook its parts, a mail its headers and parts, a picture its fingerprint."""
    if name.endswith((".xlsx", ".zip")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [contents(archive.read(part), f"{name}/{part}") for part in archive.namelist()]
        return {key: text for part in parts for key, text in part.items()}
    if name.endswith(".eml"):
        return mail(data, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return {f"{name}.sha256": hashlib.sha256(data).hexdigest()}
    return {name: BETWEEN_TAGS.sub(">\n<", text) if name.endswith((".xml", ".rels", ".vml", ".svg")) else text}


def parts(data: bytes) -> str:
    """A workbook's parts, a line each with size and checksum: enough to see which differ."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "".join(f"{member.filename} {member.file_size} {member.CRC:08x}\n" for member in archive.infolist())


def mail(data: bytes, name: str) -> Artefacts:
    """A mail without the hour at which it was written; of a club's copy in it no more than `parts`."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    found = {f"{name}/headers": "".join(f"{key}: {value}\n" for key, value in message.items() if key != CLOCK)}
    for number, part in enumerate(one for one in message.walk() if not one.is_multipart()):
        whole = part.get_payload(decode=True)
        assert isinstance(whole, bytes)
        file = part.get_filename() or f"part.{part.get_content_subtype()}"
        found |= {f"{name}/{number}.headers": "".join(f"{key}: {value}\n" for key, value in part.items()
                                                     if key != CLOCK)}
        found |= {f"{name}/{number}.{file}": parts(whole)} if file.endswith(".xlsx") else contents(
            whole, f"{name}/{number}.{file}")
    return found
