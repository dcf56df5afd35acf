"""Claims a workbook, replaces it whole or not at all, and keeps a backup."""

from __future__ import annotations

import contextlib
import errno
import getpass
import hashlib
import io
import json
import os
import platform
import re
import sys
import tempfile
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from assistant.files import (
    Replace,
    Wait,
    back_up,
    copy_rights,
    dated,
    drop,
    exchange,
    flush_folder,
    second_name,
    take_place,
    write_flushed,
)
from assistant.turn.findings import N_
from assistant.workbook.screening import LIMITS, MB, BookChanged, BookClaimed, BookHeld, BookLocked, BookUnsafe

# Who else has the workbook.


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


# Replacing a file.
#
# 1. The new content goes into a temporary file in the same folder, with the mode (and, where the machine
#    allows it, the owner) of the old one, and is flushed to the disk.
# 2. The temporary file is read again: the bytes that were meant, every part of the package whole.
# 3. The old file gets a second name in the folder ``<name>-backups``, dated by its own time of change.
# 4. The old file must still have the fingerprint that it had when it was read, before each attempt.
# 5. The temporary file and the old one (behind a link: the file that it means) change places, the folder is flushed.
#    Where the system cannot do that the old file gets one more name, is looked at again and then replaced.
# 6. What came out is looked at: a file that was saved after the last look is kept as ``name (saved meanwhile).xlsx``.
#
# A crash at any instant leaves the old file or the new one, and perhaps a temporary file, which `sweep` takes away,
# or keeps where it is one that was saved meanwhile: its name says of which two contents it may be rid. Where another
# program keeps the file from being replaced (Excel, a cloud folder's service) it is tried again for two seconds, then
# `BookHeld` is raised and `leave_copy` puts the content beside it.


Verify = Callable[[bytes], None]

KEPT = 10
"""Backups of a workbook that are kept beside it."""
KEPT_OPTION = "ARBITRO_BACKUPS"
"""The environment variable that says another number; 0 for none."""
FORGETFUL = N_("the disk does not give back what was written")
BROKEN = N_("the new workbook would be damaged")
LATE = "saved meanwhile"
"""What stands behind the name of a file that another program saved at the moment when we replaced it."""
_TEMPORARY = re.compile(r"\.arbitro-[0-9a-f]{12}-(?:[a-z0-9_]{8}|([0-9a-f]{16})-([0-9a-f]{16})(?:-out)?)\.tmp")
"""A temporary file; of one that changes places with the workbook it says the fingerprints of both."""


def sha256(data: bytes) -> str:
    """The fingerprint of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def file_mark(path: Path) -> str:
    """What tells a workbook from its neighbours in the names of our own files beside it: 12 digits."""
    name = unicodedata.normalize("NFC", path.resolve().name).casefold()
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def whole(data: bytes) -> None:
    """Look through a package: every part must fit its checksum. Raises ValueError, which says what is wrong."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            bad = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError) as no:
        raise ValueError(str(no)) from no
    if bad is not None:
        raise ValueError(f"the part {bad} is damaged")


def replace_file(path: Path, data: bytes, expected: str | None = None, *, verify: Verify | None = None,
                 check: bool = True, keep: int | None = None, replace: Replace | None = None,
                 wait: Wait = time.sleep) -> None:
    """Put bytes in a file's place as the top of this module says.

    `expected`: fingerprint that the file must still have; `verify`: looks at the bytes as they were read
    again, beyond their being `whole`, and raises ValueError when they may not take the place; `check`:
    False for bytes that lay there before, whatever they are; `keep`: backups that stay (default: `KEPT`,
    or what the environment says); `replace`, `wait`: what renames and what waits, for those who try this out.

    Raises `BookLocked`, `BookChanged`, `BookHeld`, `BookUnsafe` (the new file is not whole), OSError
    (disk full, folder read-only); the old file is as it was.
    """
    real = path.resolve()
    refuse_if_locked(path)
    refuse_if_read_only(real)
    temporary = _written(real, data)
    backup: Path | None = None
    try:
        _check(path, temporary, data, [one for one in (whole if check else None, verify) if one is not None])
        backup = back_up(real, kept() if keep is None else keep)
        if expected is None:
            _take_place(path, temporary, real, data, replace or os.replace, wait)
        else:
            telling = _telling(real, data, expected)
            _settle(real, telling)  # of a crash
            temporary = temporary.rename(telling)
            _take_place(path, temporary, real, data, partial(_instead, path, expected, replace), wait)
    except BaseException:
        _settle(real, temporary)
        _settle(real, _out(temporary))
        drop(backup)
        raise
    for out in (temporary, _out(temporary)):
        with contextlib.suppress(OSError):  # the file has its place: what came out can wait for the next `sweep`
            _settle(real, out)
    flush_folder(real.parent)
    if backup is not None:
        flush_folder(backup.parent)


def put_back(path: Path, before: bytes, known: Collection[Path]) -> None:
    """Undo a replacement that is not to count: the backup that it made takes the file's place again, which
    needs no room on the disk; where none was kept the bytes are written anew.

    `before`: the file's bytes before it; `known`: the backups that there were. Raises as `replace_file`.
    """
    real = path.resolve()
    for backup in backups(path):
        if backup not in known and backup.read_bytes() == before:
            refuse_if_locked(path)
            _take_place(path, backup, real, before, os.replace, time.sleep)
            flush_folder(real.parent)
            with contextlib.suppress(OSError):  # others lie there
                backup.parent.rmdir()
            return
    replace_file(path, before, check=False, keep=0)


def reserve(path: Path, size: int) -> Path:
    """A temporary file beside a workbook that keeps room on the disk free: whoever needs it takes it away.

    Raises OSError where there is not so much room; nothing is left then.
    """
    real = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".arbitro-{file_mark(real)}-", suffix=".tmp", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.shake_256(b"room").digest(size))  # zeros would take no room on some disks
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is made: all of them, or, where one cannot be written, none.

    `files`: name -> content. Raises OSError; what lay there is as it was then.
    """
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    ready: dict[Path, Path] = {}
    try:
        for name, data in files.items():
            handle, temporary = tempfile.mkstemp(prefix=".arbitro-", suffix=".tmp", dir=folder)
            ready[Path(temporary)] = folder / name
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            copy_rights(folder / name, Path(temporary))
        for temporary_file, place in ready.items():
            os.replace(temporary_file, place)
    except BaseException:
        for temporary_file in ready:
            temporary_file.unlink(missing_ok=True)
        for one in made:
            with contextlib.suppress(OSError):  # somebody has put something there
                one.rmdir()
        raise


def leave_copy(path: Path, data: bytes, label: str) -> Path:
    """Put bytes beside a workbook as ``name (label).xlsx``, under the first such name that is free.

    Returns where they lie. Raises OSError.
    """
    real = path.resolve()
    temporary = _written(real, data)
    try:
        return _named(real, temporary, re.sub(r"[^\w .'-]", "_", label).strip(" .")[:40])
    finally:
        temporary.unlink(missing_ok=True)


def sweep(path: Path) -> list[str]:
    """Take away the temporary files that a crash left of this workbook, and keep what another program saved at that
    moment; returns their names.

    To be called by who has the claim on the workbook: nobody else can be writing one then.
    """
    real = path.resolve()
    stale = _stale(real)
    for one in stale:
        _settle(real, one)
    return [one.name for one in stale]


def has_stale(path: Path) -> bool:
    """Whether there is something for `sweep` to take away, if nobody is writing."""
    return bool(_stale(path.resolve()))


def saved_meanwhile(path: Path) -> list[Path]:
    """What other programs saved at the moments when a workbook was replaced, in order. Raises OSError."""
    real = path.resolve()
    named = re.compile(f"{re.escape(real.stem)} \\({LATE}(?:, [0-9]+)?\\){re.escape(real.suffix)}")
    return sorted(one for one in real.parent.iterdir() if named.fullmatch(one.name) and one.is_file())


def kept() -> int:
    """How many backups stay beside a workbook."""
    told = os.environ.get(KEPT_OPTION, "")
    return int(told) if told.isdecimal() else KEPT


def backups(path: Path) -> list[Path]:
    """The backups of a workbook, the oldest first."""
    return dated(path)


# --- the steps --------------------------------------------------------------------------------
def _written(real: Path, data: bytes) -> Path:
    """The bytes in a flushed temporary file beside the real one, with its mode and owner."""
    handle, name = tempfile.mkstemp(prefix=f".arbitro-{file_mark(real)}-", suffix=".tmp", dir=real.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        write_flushed(temporary, (data,), like=real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _check(path: Path, temporary: Path, data: bytes, checks: Iterable[Verify]) -> None:
    """Raises `BookUnsafe` when the disk does not give back what was written, or a check finds a fault."""
    found = temporary.read_bytes()
    if found != data:
        raise BookUnsafe(path, FORGETFUL)
    for check in checks:
        try:
            check(found)
        except ValueError as no:
            raise BookUnsafe(path, BROKEN) from no


def _telling(real: Path, data: bytes, expected: str) -> Path:
    return real.with_name(f".arbitro-{file_mark(real)}-{sha256(data)[:16]}-{expected[:16]}.tmp")


def _out(temporary: Path) -> Path:
    return temporary.with_name(f"{temporary.stem}-out{temporary.suffix}")


def _instead(path: Path, expected: str, replace: Replace | None, temporary: Path, real: Path) -> None:
    """Put a file in the workbook's place, so that what lay there at that very moment has another name afterwards.

    Elsewhere than on Linux a file that takes the place between the very last look and the renaming is not seen: no
    time passes there. Raises `BookChanged` where it is not what was expected, and OSError.
    """
    if not real.exists() or sha256(real.read_bytes()) != expected:
        raise _changed(path)
    if replace is None and exchange(temporary, real):
        return
    out = _out(temporary)
    out.unlink(missing_ok=True)
    try:
        seen = _identity(real)
        second_name(real, out)
        if sha256(real.read_bytes()) != expected or _identity(real) != seen:
            raise _changed(path)
        (replace or os.replace)(temporary, real)
    except Exception:  # it was not replaced
        out.unlink(missing_ok=True)
        raise


def _identity(real: Path) -> tuple[int, ...]:
    """What tells a file from one that is saved into it or takes its place."""
    now = real.stat()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def _settle(real: Path, temporary: Path) -> None:
    """Take a temporary file away, or keep it beside the workbook where another program saved it. Raises OSError."""
    told = _TEMPORARY.fullmatch(temporary.name)
    if told is not None and told[1] and temporary.exists() and (
            sha256(temporary.read_bytes())[:16] not in (told[1], told[2])):
        _named(real, temporary, LATE)
        flush_folder(real.parent)
    temporary.unlink(missing_ok=True)


def _named(real: Path, temporary: Path, label: str) -> Path:
    """Give a temporary file a name beside a workbook, ``name (label).xlsx`` or the first one that is free; one under
    which the same bytes lie will do. Raises OSError.
    """
    for number in range(1, 1000):
        again = f", {number}" if number > 1 else ""
        place = real.with_name(f"{real.stem} ({label}{again}){real.suffix}")
        try:
            os.link(temporary, place)
        except FileExistsError:
            if place.is_file() and place.read_bytes() == temporary.read_bytes():
                return place
            continue
        except OSError:  # a disk without second names
            if place.exists():
                continue
            os.replace(temporary, place)
        flush_folder(real.parent)
        return place
    raise FileExistsError(str(real))


def _stale(real: Path) -> list[Path]:
    """The temporary files of a workbook, in order."""
    mine = f".arbitro-{file_mark(real)}-"
    return [one for one in sorted(real.parent.iterdir()) if one.name.startswith(mine)
            and _TEMPORARY.fullmatch(one.name)] if real.parent.is_dir() else []


def _changed(path: Path) -> BookChanged:
    return BookChanged(path, f"{path.name} was saved by somebody after it was read: run the command again")


def _take_place(path: Path, temporary: Path, real: Path, data: bytes, replace: Replace, wait: Wait) -> None:
    """`take_place` of a workbook. Raises `BookHeld`, OSError."""
    try:
        take_place(temporary, real, replace, wait)
    except PermissionError as no:
        raise BookHeld(path, data) from no


# The claim.
#
# A file beside the workbook says who is changing it; an open file lock on it, which the machine takes
# back when the process ends however it ends, says whether that is still true. So the claim of a process
# that died on this computer is taken over without a question. The claim of another computer is believed
# as long as its file lies there: in a folder that a cloud service copies, locks do not travel.


ATTEMPTS = 20
"""How often a claim is tried for anew because its holder took its file away at the same moment."""
_LOCKED_AT = 1 << 30
"""The byte that is locked on Windows, where a locked byte cannot be read: one beyond the text."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_AT, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}
_LONGEST = 4_096


def claim_file(path: Path) -> Path:
    """Where the claim on a workbook lies."""
    real = path.resolve()
    return real.with_name(f".arbitro-{file_mark(real)}.claim")


@contextmanager
def claimed(path: Path, doing: str = "") -> Iterator[None]:
    """Hold the claim on a workbook, and take away what a crash left beside it.

    `doing`: the command, for whoever comes second. Raises `BookClaimed` when somebody else holds it, and
    OSError where the folder cannot be written.
    """
    place = claim_file(path)
    handle = _taken(path, place)
    try:
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps(_me(doing), ensure_ascii=False).encode()[:_LONGEST])
        os.fsync(handle)
        sweep(path)
        yield
    finally:
        if os.name == "posix":  # there the name goes first, so that nobody finds it without its lock
            place.unlink(missing_ok=True)
        os.close(handle)
        if os.name != "posix":
            with suppress(PermissionError):  # somebody has opened it to see whether it is free, and will see
                place.unlink(missing_ok=True)


def _taken(path: Path, place: Path) -> int:
    """The open and locked claim file. Raises `BookClaimed`, OSError."""
    for _ in range(ATTEMPTS):
        handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            free = _locked(handle)
            there = _same(handle, place)
            said = _said(handle) if there else {}
            if there and not _stands(said, free):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if there:
            raise BookClaimed(path, str(said.get("user", "?")), str(said.get("machine", "?")),
                              str(said.get("doing", "")), place.name)
    raise BookClaimed(path, "?", "?", "", place.name)


def _stands(said: dict[str, object], free: bool | None) -> bool:
    """Whether a claim that is written there holds. `free`: whether its lock was to be had; None: no locks here."""
    if free is False:
        return True
    if not said:
        return False
    if said.get("machine") != platform.node():
        return True
    return free is None and _alive(said.get("process"))


def _me(doing: str) -> dict[str, object]:
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name
        user = "?"
    return {"user": user, "machine": platform.node(), "process": os.getpid(), "doing": doing}


def _said(handle: int) -> dict[str, object]:
    """What stands in a claim; {} for nothing, or for what a crash left half written."""
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        found = json.loads(os.read(handle, _LONGEST).decode())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _same(handle: int, place: Path) -> bool:
    """Whether the open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except FileNotFoundError:
        return False


def _locked(handle: int) -> bool | None:
    """Lock the open file: True done, False somebody has it, None where files cannot be locked."""
    try:
        _lock(handle)
    except OSError as no:
        return None if no.errno in _NO_LOCKS else False
    return True


def _alive(process: object) -> bool:
    """Whether a process of this computer runs."""
    if not isinstance(process, int) or os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def left_over(path: Path) -> bool:
    """Whether a claim or a temporary file lies beside a workbook: somebody is at it, or a crash left it."""
    return claim_file(path).exists() or has_stale(path)
