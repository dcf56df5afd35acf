"""Replacing a file: a path and bytes in; the new file out or the old one, never half of it, and a backup.

1. The new content goes into a temporary file in the same folder, with the mode (and, where the machine
   allows it, the owner) of the old one, and is flushed to the disk.
2. The temporary file is read again: the bytes that were meant, every part of the package whole.
3. The old file gets a second name in the folder ``<name>-backups``, dated by its own time of change.
4. The old file must still have the fingerprint that it had when it was read, before each attempt.
5. The temporary file takes its place (behind a link: that of the file that it means), the folder is flushed.
6. Where the system lets two files change places, what lay there comes out: a file that was saved after the last
   look gets its place again, and nothing was changed. Elsewhere that is seen where it was saved into the old file.

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

from assistant.backups import back_up, dated, drop
from assistant.turn.texts import N_
from assistant.whole_files import Replace, Wait, copy_rights, flush_folder, swap, take_place, write_flushed
from assistant.workbook.book_errors import BookChanged, BookHeld, BookUnsafe
from assistant.workbook.safe.locks import refuse_if_locked, refuse_if_read_only

Verify = Callable[[bytes], None]

KEPT = 10
"""Backups of a workbook that are kept beside it."""
KEPT_OPTION = "ARBITRO_BACKUPS"
"""The environment variable that says another number; 0 for none."""
FORGETFUL = N_("the disk does not give back what was written")
BROKEN = N_("the new workbook would be damaged")
_TEMPORARY = re.compile(r"\.arbitro-[0-9a-f]{12}-[a-z0-9_]{8}\.tmp")


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
        backup = back_up(real, kept() if keep is None else keep)
        def place(source: Path, target: Path) -> None:
            if expected is not None and (not target.exists() or sha256(target.read_bytes()) != expected):
                raise _changed(path)
            (replace or swap)(source, target)

        _take_place(path, temporary, real, data, place, wait)
        if expected is not None:
            _give_way(path, temporary, real, data, backup, expected)
        temporary.unlink(missing_ok=True)
    except BaseException:
        temporary.unlink(missing_ok=True)
        drop(backup)
        raise
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
        flush_folder(real.parent)
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


def _give_way(path: Path, temporary: Path, real: Path, data: bytes, backup: Path | None, expected: str) -> None:
    """Let what was saved after the last look have its place again. Raises `BookChanged` then, and OSError.

    What came out is compared with what was put there: who saves once more meanwhile has the last word.
    """
    if not temporary.exists():  # what lay there is gone, but for its second name
        if backup is not None and sha256(saved := backup.read_bytes()) != expected:
            write_flushed(temporary, (saved,), like=real)
            os.replace(temporary, real)
            raise _changed(path)
        return
    lying, out = data, temporary.read_bytes()
    if sha256(out) == expected:
        return
    while True:
        swap(temporary, real)
        came = temporary.read_bytes() if temporary.exists() else lying
        if came == lying:
            break
        lying, out = out, came
    raise _changed(path)


def _changed(path: Path) -> BookChanged:
    return BookChanged(path, f"{path.name} was saved by somebody after it was read: run the command again")


def _take_place(path: Path, temporary: Path, real: Path, data: bytes, replace: Replace, wait: Wait) -> None:
    """`take_place` of a workbook. Raises `BookHeld`, OSError."""
    try:
        take_place(temporary, real, replace, wait)
    except PermissionError as no:
        raise BookHeld(path, data) from no
