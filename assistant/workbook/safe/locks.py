"""Who else has the workbook: its path in; what lock files beside it say out, and copies that a cloud folder made."""

from __future__ import annotations

import errno
import os
import re
import zipfile
import zlib
from collections.abc import Container, Iterator
from pathlib import Path

from assistant.workbook.book_errors import BookLocked
from assistant.workbook.safe.limits import LIMITS, MB

EXCEL_LOCK, OFFICE_LOCK = "~$", ".~lock."
_WRITABLE = 0o222
_WIDE_AT = 55
"""Where Excel's lock file repeats the name in 16 bits a sign, after 54 bytes of the old encoding."""
_LONGEST_LOCK = 4_096


# --- lock files -------------------------------------------------------------------------------
def lock_file(path: Path) -> Path | None:
    """The lock file beside a workbook, or beside the file that a link means; None where nobody has it open."""
    for place in dict.fromkeys((path, path.resolve())):
        for lock in (place.with_name(f"{EXCEL_LOCK}{place.name}"), place.with_name(f"{OFFICE_LOCK}{place.name}#")):
            if lock.is_file():
                return lock
    return None


def lock_of(path: Path) -> str | None:
    """Who has the file open, as Excel's or LibreOffice's lock file beside it says; None: nobody; "": unknown."""
    lock = lock_file(path)
    if lock is None:
        return None
    with lock.open("rb") as stream:
        data = stream.read(_LONGEST_LOCK)
    user = _of_excel(data) if lock.name.startswith(EXCEL_LOCK) else _of_office(data)
    return "".join(sign for sign in user if sign.isprintable())[:80].strip()


def _of_excel(data: bytes) -> str:
    """The name stands there twice: in the machine's old encoding, and in UTF-16 where every letter is right."""
    if len(data) > _WIDE_AT + 2:
        length = int.from_bytes(data[_WIDE_AT:_WIDE_AT + 2], "little")
        wide = data[_WIDE_AT + 2:_WIDE_AT + 2 + 2 * length]
        name = wide.decode("utf-16-le", "replace").strip("\x00 ")
        if length and len(wide) == 2 * length and "\ufffd" not in name:
            return name
    length = data[0] if data else 0
    return data[1:1 + length].decode("cp1252", "replace").strip("\x00 ")


def _of_office(data: bytes) -> str:
    """The fields are the person, the account, the machine, the time, the profile; a comma in one is escaped."""
    fields = re.split(r"(?<!\\),", data.decode("utf-8", "replace"))
    known = [re.sub(r"\\(.)", r"\1", one).strip() for one in fields[:3]]
    return next((one for one in known if one), "")


def refuse_if_locked(path: Path) -> None:
    """Raises `BookLocked` when another program has the file open."""
    user = lock_of(path)
    if user is not None:
        lock = lock_file(path)
        raise BookLocked(path, user, lock.name if lock else "")


def refuse_if_read_only(path: Path) -> None:
    """Raises PermissionError where a file is marked as one that nobody may write: replacing it would not ask."""
    if path.is_file() and not path.stat().st_mode & _WRITABLE:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


# --- copies of a cloud folder -----------------------------------------------------------------
_COPIES = (
    r" ?\((?:[^()]*[ '’])?(?i:conflicted|copia in conflitto|(?:case|selective sync|unicode encoding) conflict)[^()]*\)"
    r"(?: ?\(\d+\))?",  # Dropbox, Nextcloud, pCloud, Box
    r"_conf\(\d{1,3}\)",  # Google Drive, an older one
    r"[._]conflict-\d{8}-\d{6}(?:-[^.]*)?",  # ownCloud
    r"\.sync-conflict-\d{8}-\d{6}-[0-9A-Z]{7}",  # Syncthing
    r" \(\d{1,3}\)",  # Google Drive
    r" [2-9]",  # iCloud
    r"-(?=[^.]*[A-Z])[A-Za-z0-9][A-Za-z0-9_-]{2,39}(?:[- ]?\(?\d{1,3}\)?)?",  # OneDrive: the name of a PC
    r"-(?:i?Mac|iPad|iPhone)[^.]{0,40}",  # OneDrive: the name of a Mac
)
_COPY_OF = r"(?:(?i:copy|copia)(?: ?\(\d{1,3}\))? (?i:of|di) )"
"""What Google Drive and Windows write before the name, once for each time that it was copied."""


def copies_beside(path: Path) -> list[Path]:
    """Files beside one that are named as a cloud folder names a second copy of it, in order. Raises OSError."""
    real = path.resolve()
    stem, ending, named = re.escape(real.stem), re.escape(real.suffix), "|".join(_COPIES)
    likely = re.compile(f"(?:{_COPY_OF}+{stem}(?:{named})?|{stem}(?:{named})){ending}")
    return sorted(one for one in real.parent.iterdir() if likely.fullmatch(one.name) and one.is_file())


def conflicted_copies(path: Path, mark: str, known: Container[str] = ()) -> list[str]:
    """Names of files beside a workbook that look like a cloud folder's second copy of it, in order.

    `mark`: a text that every copy of the workbook holds (its campaign's id); a file without it only
    happens to have such a name and is left out; `known`: names that are left out, too.
    """
    return [one.name for one in copies_beside(path) if one.name not in known and mark and _holds(one, mark.encode())]


def _holds(path: Path, mark: bytes) -> bool:
    """Whether a text stands in a workbook; False for what cannot be unpacked within the limits."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if re.search(r"sharedstrings|worksheets/", m.filename, re.I)
                       and m.file_size <= LIMITS.part]
            return any(mark in piece for m in members[:LIMITS.members] for piece in _pieces(archive, m, len(mark)))
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError):
        return False


def _pieces(archive: zipfile.ZipFile, member: zipfile.ZipInfo, overlap: int) -> Iterator[bytes]:
    """The content of a member in pieces that share their ends, so that no text is cut in two."""
    rest = b""
    with archive.open(member) as stream:
        while piece := stream.read(MB):
            yield rest + piece
            rest = piece[-overlap:]
