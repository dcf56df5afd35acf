"""Replacing a file: a path and bytes in; the new file out or the old one, never half of it, and a backup.

1. The new content goes into a temporary file in the same folder, with the mode (and, where the machine
   allows it, the owner) of the old one, and is flushed to the disk.
2. The temporary file is read again: the bytes that were meant, every part of the package whole.
3. The old file gets a second name in the folder ``<name>-backups``, dated by its own time of change.
4. The old file must still have the fingerprint that it had when it was read.
5. The temporary file takes its place (behind a link: that of the file that it means), the folder is flushed.

A crash at any instant leaves the old file or the new one, and perhaps a temporary file, which `sweep`
takes away. Where another program keeps the file from being replaced (Excel, a cloud folder's service)
it is tried again for two seconds, then `BookHeld` is raised and `leave_copy` puts the content beside it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import tempfile
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from assistant.late_regex import late_regex
from assistant.turn.texts import N_
from assistant.workbook.book_errors import BookChanged, BookHeld, BookUnsafe
from assistant.workbook.safe.locks import refuse_if_locked, refuse_if_read_only

Replace = Callable[[Path, Path], None]
Verify = Callable[[bytes], None]
Wait = Callable[[float], None]

WAITS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.65)
"""Seconds between the attempts to replace a file that somebody holds."""
KEPT = 10
"""Backups of a workbook that are kept beside it."""
KEPT_OPTION = "ARBITRO_BACKUPS"
"""The environment variable that says another number; 0 for none."""
BACKUPS = "-backups"
FORGETFUL = N_("the disk does not give back what was written")
BROKEN = N_("the new workbook would be damaged")
_DATED = r" (\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)(?: \((\d+)\))?"
"""How a backup is named: the time of the file's last change and, for more than one of a second, its number."""
_TEMPORARY = late_regex(r"\.arbitro-[0-9a-f]{12}-[a-z0-9_]{8}\.tmp")


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
        checks = [one for one in (whole if check else None, verify) if one is not None]
        _check(path, temporary, data, checks)
        backup = _backed_up(real, kept() if keep is None else keep)
        if expected is not None and (not real.exists() or sha256(real.read_bytes()) != expected):
            raise BookChanged(path, f"{path.name} was saved by somebody after it was read: run the command again")
        _take_place(path, temporary, real, data, replace or os.replace, wait)
    except BaseException:
        temporary.unlink(missing_ok=True)
        _drop(backup)
        raise
    _flush_folder(real.parent)
    if backup is not None:
        _flush_folder(backup.parent)


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
            _flush_folder(real.parent)
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
            _like(folder / name, temporary)
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
    shown = re.sub(r"[^\w .'-]", "_", label).strip(" .")[:40]
    for number in range(1, 1000):
        again = f", {number}" if number > 1 else ""
        place = real.with_name(f"{real.stem} ({shown}{again}){real.suffix}")
        temporary = _written(real, data)
        try:
            os.link(temporary, place)
        except FileExistsError:
            continue
        except OSError:  # a disk without second names
            if place.exists():
                continue
            shutil.copyfile(temporary, place)
        finally:
            temporary.unlink(missing_ok=True)
        _flush_folder(real.parent)
        return place
    raise FileExistsError(str(real))


def sweep(path: Path) -> list[str]:
    """Take away the temporary files that a crash left of this workbook; returns their names.

    To be called by who has the claim on the workbook: nobody else can be writing one then.
    """
    real = path.resolve()
    mine = f".arbitro-{file_mark(real)}-"
    stale = [one for one in sorted(real.parent.iterdir()) if one.name.startswith(mine)
             and _TEMPORARY.fullmatch(one.name)] if real.parent.is_dir() else []
    for one in stale:
        one.unlink(missing_ok=True)
    return [one.name for one in stale]


def has_stale(path: Path) -> bool:
    """Whether there is something for `sweep` to take away, if nobody is writing."""
    real = path.resolve()
    return any(real.parent.glob(f".arbitro-{file_mark(real)}-????????.tmp"))


def kept() -> int:
    """How many backups stay beside a workbook."""
    told = os.environ.get(KEPT_OPTION, "")
    return int(told) if told.isdecimal() else KEPT


def backup_folder(path: Path) -> Path:
    """Where the backups of a workbook lie: in ``<name>-backups`` beside it."""
    real = path.resolve()
    return real.with_name(f"{real.stem}{BACKUPS}")


def backups(path: Path) -> list[Path]:
    """The backups of a workbook, the oldest first."""
    real = path.resolve()
    return [one for _, one in _dated(real, backup_folder(real))]


# --- the steps --------------------------------------------------------------------------------
def _written(real: Path, data: bytes) -> Path:
    """The bytes in a flushed temporary file beside the real one, with its mode and owner."""
    handle, name = tempfile.mkstemp(prefix=f".arbitro-{file_mark(real)}-", suffix=".tmp", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            _like(real, name)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _like(real: Path, name: str) -> None:
    if not real.exists():
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        return
    old, new = real.stat(), os.stat(name)
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(PermissionError):  # only an administrator may give a file away
            os.chown(name, old.st_uid, old.st_gid)
    os.chmod(name, old.st_mode & 0o7777)


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


def _backed_up(real: Path, keep: int) -> Path | None:
    """The old file under a second, dated name; of the others the oldest go. None where nothing is kept."""
    if not keep or not real.is_file():
        return None
    folder = backup_folder(real)
    folder.mkdir(exist_ok=True)
    at = time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(real.stat().st_mtime))
    ours = _dated(real, folder)
    last = max((int(match[2] or 1) for match, _ in ours if match[1] == at), default=0)
    backup = folder / f"{real.stem} {at}{f' ({last + 1})' if last else ''}{real.suffix}"
    try:
        os.link(real, backup)
    except OSError:  # a disk without second names
        shutil.copy2(real, backup)
    for _, old in ours[:max(0, len(ours) + 1 - keep)]:
        old.unlink(missing_ok=True)
    return backup


def _dated(real: Path, folder: Path) -> list[tuple[re.Match[str], Path]]:
    """What lies in a folder under the name of a backup, the oldest first, each with what its name says."""
    named = re.compile(re.escape(real.stem) + _DATED + re.escape(real.suffix))
    inside = folder.iterdir() if folder.is_dir() else ()
    ours = [(match, one) for one in inside if (match := named.fullmatch(one.name))]
    return sorted(ours, key=lambda one: (one[1].stat().st_mtime_ns, int(one[0][2] or 1)))


def _drop(backup: Path | None) -> None:
    """Take away the backup of a file that was not replaced, and the folder if it was its only one."""
    if backup is not None:
        backup.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # others lie there
            backup.parent.rmdir()


def _take_place(path: Path, temporary: Path, real: Path, data: bytes, replace: Replace, wait: Wait) -> None:
    """Rename, again and again while another program holds the file. Raises `BookHeld`, OSError."""
    for pause in (*WAITS, None):
        try:
            replace(temporary, real)
            return
        except PermissionError as no:
            if pause is None:
                raise BookHeld(path, data) from no
            wait(pause)


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
