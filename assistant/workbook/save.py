"""Claims a workbook, replaces it whole or not at all, and keeps backups."""

from __future__ import annotations

import contextlib
import errno
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

from assistant.environment import (
    Replace,
    Wait,
    back_up,
    copy_rights,
    dated_backups,
    file_identity,
    flush_folder,
    link_or_copy,
    remove_backup,
    rename_over,
    swap_files,
    user_name,
    write_and_sync,
)
from assistant.turn.texts import N_
from assistant.workbook.screening import LIMITS, MB, BookChanged, BookClaimed, BookHeld, BookLocked, BookUnsafe

# Locks of other programs, and second copies of a cloud folder.


EXCEL_LOCK, OFFICE_LOCK = "~$", ".~lock."
_WRITABLE = 0o222
_WIDE_AT = 55
"""Where Excel's lock file repeats the name in UTF-16, after 54 bytes in the old encoding."""
_LONGEST_LOCK = 4_096


# --- lock files -------------------------------------------------------------------------------
def lock_file(path: Path) -> Path | None:
    """The lock file beside a workbook, or beside the target of a link; None if nobody has it open."""
    for place in dict.fromkeys((path, path.resolve())):
        for lock in (place.with_name(f"{EXCEL_LOCK}{place.name}"), place.with_name(f"{OFFICE_LOCK}{place.name}#")):
            if lock.is_file():
                return lock
    return None


def lock_of(path: Path) -> str | None:
    """Who has the file open, according to Excel's or LibreOffice's lock file; None: nobody; "": unknown."""
    lock = lock_file(path)
    if lock is None:
        return None
    with lock.open("rb") as stream:
        data = stream.read(_LONGEST_LOCK)
    user = _excel_owner(data) if lock.name.startswith(EXCEL_LOCK) else _office_owner(data)
    # any program may have written that file, and its text goes into a message on a terminal
    return "".join(sign for sign in user if sign.isprintable())[:80].strip()


def _excel_owner(data: bytes) -> str:
    """The name is there twice: in the machine's old encoding, and in UTF-16, which has every letter right."""
    if len(data) > _WIDE_AT + 2:
        length = int.from_bytes(data[_WIDE_AT:_WIDE_AT + 2], "little")
        wide = data[_WIDE_AT + 2:_WIDE_AT + 2 + 2 * length]
        name = wide.decode("utf-16-le", "replace").strip("\x00 ")
        if length and len(wide) == 2 * length and "\ufffd" not in name:
            return name
    length = data[0] if data else 0
    return data[1:1 + length].decode("cp1252", "replace").strip("\x00 ")


def _office_owner(data: bytes) -> str:
    """The fields are the person, the account, the machine, the time, the profile; a comma inside one is escaped."""
    fields = re.split(r"(?<!\\),", data.decode("utf-8", "replace"))
    known = [re.sub(r"\\(.)", r"\1", field).strip() for field in fields[:3]]
    return next((name for name in known if name), "")


def refuse_if_locked(path: Path) -> None:
    """Raise `BookLocked` if another program has the file open."""
    user = lock_of(path)
    if user is not None:
        lock = lock_file(path)
        raise BookLocked(path, user, lock.name if lock else "")


def refuse_if_read_only(path: Path) -> None:
    """Raise PermissionError if a file is marked read-only: replacing it would ignore the mark."""
    if path.is_file() and not path.stat().st_mode & _WRITABLE:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


# --- copies of a cloud folder -----------------------------------------------------------------
_COPIES = (
    r" ?[(\[](?:[^()\[\]]*[ '’])?(?i:conflict(?:ed|ing)|conflict copy|(?:case|selective sync|unicode encoding|slash"
    r"|edit|sync) conflict|conflict(?=[)\]])|in conflitto|en conflit|en conflicto|konflikt|case clash)[^()\[\]]*[)\]]"
    r"(?: ?\(\d+\))?",  # Dropbox in several languages, Nextcloud, pCloud, Box, Google Drive
    r"_conf\(\d{1,3}\)",  # Google Drive, an older one
    r"[._]conflict-\d{8}-\d{6}(?:-[^.]*)?",  # ownCloud
    r"\.sync-conflict-\d{8}-\d{6}-[0-9A-Z]{7}",  # Syncthing
    r"_[^.]{1,80}_Conflict(?:_\d{1,3})?",  # Synology Drive: the name of a computer and the date
    r"\.Conflict\d{0,3}",  # Resilio
    r" ?\(\d{1,3}\)",  # Google Drive
    r" [2-9]",  # iCloud
    r"-(?=[^.]*[A-Z])[A-Za-z0-9][A-Za-z0-9_-]{2,39}(?:[- ]?\(?\d{1,3}\)?)?",  # OneDrive: the name of a PC
    r"-(?:[^.]{0,40}\b)?(?i:i?mac|macbook|ipad|iphone|laptop|desktop|notebook|computer|pc)\b[^.]{0,40}(?:\.local)?",
    # OneDrive: the name of a computer as people call it
)
_COPY_OF = r"(?:(?i:copy|copia)(?: ?\(\d{1,3}\))? (?i:of|di) )"
"""What Google Drive and Windows put before the name, once for each copying."""


def copies_beside(path: Path) -> list[Path]:
    """Files beside one that are named like a cloud folder's second copy of it, in order. Raises OSError."""
    real = path.resolve()
    others = [sibling for sibling in real.parent.iterdir() if real.stem in sibling.name
              and sibling.name.endswith(real.suffix) and sibling != real and sibling.is_file()]
    stem, ending, named = re.escape(real.stem), re.escape(real.suffix), "|".join(_COPIES)
    likely = f"(?:{_COPY_OF}+{stem}(?:{named})?|{stem}(?:{named})){ending}"
    return sorted(sibling for sibling in others if re.fullmatch(likely, sibling.name))


def conflicted_copies(path: Path, mark: str, known: Container[str] = ()) -> list[str]:
    """Names of files beside a workbook that look like a cloud folder's second copy of it, in order.

    `mark`: a text that every copy of the workbook holds (its campaign's id); a file without it has such a name by
    accident and is left out; `known`: further names to leave out.
    """
    return [sibling.name for sibling in copies_beside(path) if sibling.name not in known and mark
            and _has_text(sibling, mark.encode())]


def _has_text(path: Path, mark: bytes) -> bool:
    """Whether a workbook contains a text; False if it cannot be unpacked within the limits."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if re.search(r"sharedstrings|worksheets/", m.filename, re.I)
                       and m.file_size <= LIMITS.part]
            return any(mark in piece for m in members[:LIMITS.members] for piece in _chunks(archive, m, len(mark)))
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError):
        return False


def _chunks(archive: zipfile.ZipFile, member: zipfile.ZipInfo, overlap: int) -> Iterator[bytes]:
    """The content of a member in overlapping chunks, so that no text is cut in two."""
    rest = b""
    with archive.open(member) as stream:
        while piece := stream.read(MB):
            yield rest + piece
            rest = piece[-overlap:]


# Replacing a file.
# #
# 1. Write the new content to a temporary file in the same folder, with the mode (and, if the machine allows it, the
#    owner) of the old one, and flush it to the disk.
# 2. Read the temporary file again: the bytes must be the right ones, and every part of the package whole.
# 3. Give the old file a second name in the folder ``<name>-backups``, dated by its own time of change.
# 4. Before each attempt, check that the old file still has the fingerprint that it had when it was read.
# 5. Exchange the temporary file and the old one (of a link: its target), and flush the folder. If the system cannot
#    exchange files, the old one gets one more name, is checked again and then replaced.
# 6. Check what came out: a file that was saved after the last check is kept as ``name (saved meanwhile).xlsx``.
# #
# A crash at any moment leaves the old file or the new one, and perhaps a temporary file. `remove_stale` deletes that,
# or keeps it if it was saved meanwhile: its name states the two contents that can be deleted. If another program keeps
# the file from being replaced (Excel, a cloud folder's service), we try again for two seconds; then `BookHeld` is
# raised and `leave_copy` puts the content beside it.


Verify = Callable[[bytes], None]
Around = Callable[[bytes, Callable[[], None]], None]
"""Gets a workbook's new bytes, which lie ready beside it, and what lets them take its place, which it calls once."""


def without_more(_: bytes, take_place: Callable[[], None]) -> None:
    """Let a workbook be replaced, and do nothing else (`Around`)."""
    take_place()


BACKUPS_KEPT = 10
"""Backups of a workbook that are kept beside it."""
BACKUPS_VARIABLE = "ARBITRO_BACKUPS"
"""The environment variable that sets another number; 0 for none."""
DISK_FAULT = N_("the disk does not give back what was written")
DAMAGED_RESULT = N_("the new workbook would be damaged")
SAVED_MEANWHILE = "saved meanwhile"
"""Suffix of a file that another program saved at the moment when we replaced it."""
_TEMPORARY = re.compile(r"\.arbitro-[0-9a-f]{12}-(?:[a-z0-9_]{8}|([0-9a-f]{16})-([0-9a-f]{16})(?:-out)?)\.tmp")
"""The name of a temporary file; one that changes places with the workbook states the fingerprints of both."""


def sha256(data: bytes) -> str:
    """The SHA-256 of a file's bytes in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def file_mark(path: Path) -> str:
    """12 digits that tell a workbook from its neighbours in the names of our own files beside it."""
    name = unicodedata.normalize("NFC", path.resolve().name).casefold()
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def check_package(data: bytes) -> None:
    """Check a package: every part must match its checksum. Raises ValueError, which says what is wrong."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            bad = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError) as no:
        raise ValueError(str(no)) from no
    if bad is not None:
        raise ValueError(f"the part {bad} is damaged")


def replace_file(path: Path, data: bytes, expected: str | None = None, *, verify: Verify | None = None,
                 check: bool = True, keep: int | None = None, around: Around = without_more,
                 replace: Replace | None = None, wait: Wait = time.sleep) -> None:
    """Replace a file's content, as the comment above describes.

    `expected`: fingerprint that the file must still have; `verify`: checks the bytes as read back, in addition to their
    checksums, and raises ValueError if they must not be used; `check`: False for bytes that were there before, whatever
    they are; `keep`: number of backups (default: `BACKUPS_KEPT`, or the environment's); `around`: what is done around
    the moment at which the new file takes its place; `replace`, `wait`: the functions that rename and wait, for tests.

    Raises `BookLocked`, `BookChanged`, `BookHeld`, `BookUnsafe` (the new file is damaged), OSError (disk full, folder
    read-only); the old file is then unchanged.
    """
    real = path.resolve()
    refuse_if_locked(path)
    refuse_if_read_only(real)
    temporary = _write_temporary(real, data)
    backup: Path | None = None
    try:
        _check(path, temporary, data, [step for step in (check_package if check else None, verify) if step is not None])
        backup = back_up(real, backup_limit() if keep is None else keep)
        way = replace or os.replace
        if expected is not None:
            telling = real.with_name(f".arbitro-{file_mark(real)}-{sha256(data)[:16]}-{expected[:16]}.tmp")
            _settle(real, telling)  # of a crash
            temporary = temporary.rename(telling)
            way = partial(_swap_in, path, expected, replace)
        around(data, partial(_take_place, path, temporary, real, data, way, wait))
    except BaseException:
        _settle(real, temporary)
        _settle(real, _swapped_out_name(temporary))
        if not _holds(real, data):  # else it was replaced, and only the backup has what was there
            remove_backup(backup)
        raise
    for out in (temporary, _swapped_out_name(temporary)):
        with contextlib.suppress(OSError):  # the file has its place: what came out can wait for the next `remove_stale`
            _settle(real, out)
    if backup is not None:
        flush_folder(backup.parent)


def _holds(path: Path, data: bytes) -> bool:
    with suppress(OSError):
        return path.read_bytes() == data
    return False


def undo_replacement(path: Path, before: bytes, known: Collection[Path]) -> None:
    """Undo a replacement: the backup that it made takes the file's place again, which needs no space on the disk;
    without a backup the bytes are written again.

    `before`: the file's bytes before it; `known`: the backups that existed then. Raises as `replace_file`.
    """
    real = path.resolve()
    for backup in dated_backups(path):
        if backup not in known and backup.read_bytes() == before:
            refuse_if_locked(path)
            _take_place(path, backup, real, before, os.replace, time.sleep)
            with contextlib.suppress(OSError):  # others lie there
                backup.parent.rmdir()
            return
    replace_file(path, before, check=False, keep=0)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, which is created: all of them, or none if one cannot be written.

    `files`: name -> content. Raises OSError; existing files are then unchanged.
    """
    made = [parent for parent in (folder, *folder.parents) if not parent.exists()]
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
        for parent in made:
            with contextlib.suppress(OSError):  # somebody has put something there
                parent.rmdir()
        raise


def leave_copy(path: Path, data: bytes, label: str) -> Path:
    """Write bytes beside a workbook as ``name (label).xlsx``, or the first such name that is free.

    Returns the path. Raises OSError.
    """
    real = path.resolve()
    temporary = _write_temporary(real, data)
    try:
        return _give_name(real, temporary, re.sub(r"[^\w .'-]", "_", label).strip(" .")[:40])
    finally:
        temporary.unlink(missing_ok=True)


def remove_stale(path: Path) -> list[str]:
    """Delete the temporary files that a crash left of this workbook, but keep what another program saved at that
    moment; returns their names.

    Only call it while holding the claim on the workbook: then nobody else can be writing one.
    """
    real = path.resolve()
    stale = _stale_files(real)
    for temporary in stale:
        _settle(real, temporary)
    return [temporary.name for temporary in stale]


def has_stale(path: Path) -> bool:
    """Whether `remove_stale` would find something, if nobody is writing."""
    return bool(_stale_files(path.resolve()))


def files_saved_meanwhile(path: Path) -> list[Path]:
    """Files that other programs saved at the moment when a workbook was replaced, in order. Raises OSError."""
    real = path.resolve()
    named = re.compile(f"{re.escape(real.stem)} \\({SAVED_MEANWHILE}(?:, [0-9]+)?\\){re.escape(real.suffix)}")
    return sorted(sibling for sibling in real.parent.iterdir() if named.fullmatch(sibling.name) and sibling.is_file())


def backup_limit() -> int:
    """How many backups of a workbook are kept."""
    told = os.environ.get(BACKUPS_VARIABLE, "")
    return int(told) if told.isdecimal() else BACKUPS_KEPT


# --- the steps --------------------------------------------------------------------------------
def _write_temporary(real: Path, data: bytes) -> Path:
    """Write the bytes to a flushed temporary file beside the real one, with its mode and owner."""
    handle, name = tempfile.mkstemp(prefix=f".arbitro-{file_mark(real)}-", suffix=".tmp", dir=real.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        write_and_sync(temporary, (data,), like=real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _check(path: Path, temporary: Path, data: bytes, checks: Iterable[Verify]) -> None:
    """Raise `BookUnsafe` if the disk does not give back what was written, or a check finds a fault."""
    saved = temporary.read_bytes()
    if saved != data:
        raise BookUnsafe(path, DISK_FAULT)
    for check in checks:
        try:
            check(saved)
        except ValueError as no:
            raise BookUnsafe(path, DAMAGED_RESULT) from no


def _swapped_out_name(temporary: Path) -> Path:
    return temporary.with_name(f"{temporary.stem}-out{temporary.suffix}")


def _swap_in(path: Path, expected: str, replace: Replace | None, temporary: Path, real: Path) -> None:
    """Put a file in the workbook's place, so that whatever was there at that moment gets another name.

    Except on Linux, a file that takes the place between the very last check and the renaming goes unnoticed:
    practically no time passes there. Raises `BookChanged` if it is not what was expected, and OSError.
    """
    if not real.exists() or sha256(real.read_bytes()) != expected:
        raise _changed_error(path)
    if replace is None and swap_files(temporary, real):
        return
    out = _swapped_out_name(temporary)
    out.unlink(missing_ok=True)
    try:
        seen = file_identity(real)
        link_or_copy(real, out)
        if sha256(real.read_bytes()) != expected or file_identity(real) != seen:
            raise _changed_error(path)
        (replace or os.replace)(temporary, real)
    except Exception:  # it was not replaced
        out.unlink(missing_ok=True)
        raise


def _settle(real: Path, temporary: Path) -> None:
    """Delete a temporary file, or keep it beside the workbook if another program saved it. Raises OSError."""
    told = _TEMPORARY.fullmatch(temporary.name)
    if told is not None and told[1] and temporary.exists() and (
            sha256(temporary.read_bytes())[:16] not in (told[1], told[2])):
        _give_name(real, temporary, SAVED_MEANWHILE)
        flush_folder(real.parent)
    temporary.unlink(missing_ok=True)


def _give_name(real: Path, temporary: Path, label: str) -> Path:
    """Rename a temporary file to ``name (label).xlsx`` beside the workbook, or the first such name that is free or has
    the same bytes. Raises OSError.
    """
    for number in range(1, 1000):
        again = f", {number}" if number > 1 else ""
        place = real.with_name(f"{real.stem} ({label}{again}){real.suffix}")
        try:
            # a link and not a rename: a rename would overwrite a file of that name, a link fails on it
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


def _stale_files(real: Path) -> list[Path]:
    """The temporary files of a workbook, in order."""
    mine = f".arbitro-{file_mark(real)}-"
    return [path for path in sorted(real.parent.iterdir()) if path.name.startswith(mine)
            and _TEMPORARY.fullmatch(path.name)] if real.parent.is_dir() else []


def _changed_error(path: Path) -> BookChanged:
    return BookChanged(path, f"{path.name} was saved by somebody after it was read: run the command again")


def _take_place(path: Path, temporary: Path, real: Path, data: bytes, replace: Replace, wait: Wait) -> None:
    """Let a workbook and a temporary file change places, flushed to the disk. Raises `BookHeld`, OSError."""
    try:
        rename_over(temporary, real, replace, wait)
    except PermissionError as no:
        raise BookHeld(path, data) from no
    flush_folder(real.parent)


# The claim.
# #
# A file beside the workbook says who is changing it. An open file lock on it, which the system releases however the
# process ends, says whether that is still true, so the claim of a process that died on this computer is taken over
# without asking. The claim of another computer is believed as long as its file exists: in a folder that a cloud
# service copies, locks do not travel.


ATTEMPTS = 20
"""How often we try again because the holder of the claim deleted its file at the same moment."""
_LOCKED_AT = 1 << 30
"""The byte that is locked on Windows, where a locked byte cannot be read: it is beyond the text."""

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
    """The path of the claim on a workbook."""
    real = path.resolve()
    return real.with_name(f".arbitro-{file_mark(real)}.claim")


@contextmanager
def hold_claim(path: Path, doing: str = "") -> Iterator[None]:
    """Hold the claim on a workbook, and delete what a crash left beside it.

    `doing`: the command, for whoever comes second. Raises `BookClaimed` if somebody else holds it, and OSError if the
    folder cannot be written.
    """
    place = claim_file(path)
    handle = _open_claim(path, place)
    try:
        own = {"user": user_name(), "machine": platform.node(), "process": os.getpid(), "doing": doing}
        # the file may still hold a longer claim of a session that crashed
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, json.dumps(own, ensure_ascii=False).encode()[:_LONGEST])
        os.fsync(handle)
        remove_stale(path)
        yield
    finally:
        if os.name == "posix":  # there the name goes first, so that nobody finds it without its lock
            place.unlink(missing_ok=True)
        os.close(handle)
        if os.name != "posix":
            with suppress(PermissionError):  # somebody has opened it to see whether it is free, and will see
                place.unlink(missing_ok=True)


def _open_claim(path: Path, place: Path) -> int:
    """Open and lock the claim file. Raises `BookClaimed`, OSError."""
    for _ in range(ATTEMPTS):
        handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            free = _try_lock(handle)
            # between opening and locking, its owner may have deleted it: then the lock is one on a file nobody sees
            there = _is_same_file(handle, place)
            claim = _read_claim(handle) if there else {}
            if there and not _claim_holds(claim, free):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if there:
            raise BookClaimed(path, str(claim.get("user", "?")), str(claim.get("machine", "?")),
                              str(claim.get("doing", "")), place.name)
    raise BookClaimed(path, "?", "?", "", place.name)


def _claim_holds(claim: dict[str, object], free: bool | None) -> bool:
    """Whether a claim as written holds. `free`: whether its lock could be taken; None: no locks here."""
    if free is False:
        return True
    if not claim:
        return False
    if claim.get("machine") != platform.node():
        return True
    return free is None and _is_running(claim.get("process"))


def _read_claim(handle: int) -> dict[str, object]:
    """Read a claim; {} if it is empty, or was left half written by a crash."""
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        claim = json.loads(os.read(handle, _LONGEST).decode())
    except ValueError:
        return {}
    return claim if isinstance(claim, dict) else {}


def _is_same_file(handle: int, place: Path) -> bool:
    """Whether the open file is still the one with that name."""
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: int) -> bool | None:
    """Lock the open file: True if done, False if somebody has it, None if files cannot be locked here."""
    try:
        _lock(handle)
    except OSError as no:
        return None if no.errno in _NO_LOCKS else False
    return True


def _is_running(process: object) -> bool:
    """Whether a process is running on this computer."""
    if not isinstance(process, int) or os.name != "posix":
        return True
    try:
        # signal 0 is sent to nobody: the system only says whether the process is there
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def has_leftovers(path: Path) -> bool:
    """Whether there is a claim or a temporary file beside a workbook: somebody is using it, or a crash left it."""
    return claim_file(path).exists() or has_stale(path)
