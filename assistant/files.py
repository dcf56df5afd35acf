"""Replaces a file as a whole, never half of it, and keeps dated backups beside it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

# Replacing a file as a whole: the new bytes go into a file beside it, are flushed to the disk, and take its place.
#
# Whoever reads it meanwhile, or finds it after a crash, has the old file or the new one and never half of either.


Replace = Callable[[Path, Path], None]
Wait = Callable[[float], None]
WAITS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.65)
"""Seconds between the attempts to replace a file that somebody holds."""
_HERE, _EXCHANGE = -100, 2
"""What Linux calls names from the present folder on, and two files that change places."""
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOENT}


def replace_whole(path: Path, data: Iterable[bytes | memoryview], temporary: Path, like: Path | None = None) -> None:
    """Put bytes, in pieces, in a file's place, by way of a temporary file in the same folder.

    `like`: a file whose rights it is to have, where it is not there itself. Raises OSError; the file is as it was.
    """
    real = path.resolve()
    try:
        write_flushed(temporary, data, like=real if like is None or real.exists() else like)
        take_place(temporary, real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    flush_folder(real.parent)


def write_flushed(temporary: Path, data: Iterable[bytes | memoryview], *, like: Path) -> None:
    """Write bytes, in pieces, into a file and to the disk, with the mode and (where that is allowed) the owner of one.

    Raises OSError.
    """
    number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(number, "wb") as out:  # nobody else may read it before it has its rights
        out.writelines(data)
        copy_rights(like, temporary)
        out.flush()
        os.fsync(out.fileno())


def copy_rights(real: Path, new: Path) -> None:
    """Give a new file the mode and the owner of the one whose place it takes, or what any new file has."""
    if not real.exists():
        umask = os.umask(0)
        os.umask(umask)
        new.chmod(0o666 & ~umask)
        return
    old, now = real.stat(), new.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (now.st_uid, now.st_gid):
        with contextlib.suppress(PermissionError):  # only an administrator may give a file away
            os.chown(new, old.st_uid, old.st_gid)
    new.chmod(old.st_mode & 0o7777)


def take_place(temporary: Path, real: Path, replace: Replace = os.replace, wait: Wait = time.sleep) -> None:
    """Rename, again and again while another program holds the file. Raises OSError; PermissionError when it still does.

    Excel or a cloud folder's service holds a file on Windows; elsewhere a rename succeeds beside any reader.
    """
    for pause in (*WAITS, None):
        try:
            replace(temporary, real)
            return
        except PermissionError:
            if pause is None:
                raise
            wait(pause)


def exchange(one: Path, other: Path) -> bool:
    """Let two files change places at once; False where the system or the disk cannot, or one is not there.

    Raises OSError.
    """
    rename = exchanging()
    if rename is None:
        return False
    import ctypes

    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    fault = ctypes.get_errno()
    if fault in _CANNOT:
        return False
    raise OSError(fault, os.strerror(fault), str(other))


def exchanging() -> Callable[..., int] | None:
    """What the system has to let two files change places; None where it has nothing."""
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        rename: Callable[..., int] = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:  # an older C library
        return None
    return rename


def flush_folder(folder: Path) -> None:
    """See that the names in a folder are on the disk, as far as the system can be asked for it.

    A share or a stick may refuse it, and no error takes back that a file has got its name: who is told that nothing was
    changed would be told wrong.
    """
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# Backups beside a file: the file as it was under a second, dated name in the folder ``<name>-backups``.
#
# They are dated by the file's own time of change, as no clock may enter what is written.


ENDING = "-backups"
_DATED = r" (\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)(?: \((\d+)\))?"
"""How a backup is named: the time of the file's last change and, for more than one of a second, its number."""


def backup_folder(path: Path) -> Path:
    """Where the backups of a workbook and of its ledger lie: in ``<name>-backups`` beside them."""
    real = path.resolve()
    return real.with_name(f"{real.stem}{ENDING}")


def dated(path: Path) -> list[Path]:
    """The dated backups of a file, the oldest first."""
    return [one for _, one in _dated(path.resolve())]


def back_up(path: Path, keep: int) -> Path | None:
    """Give a file a second, dated name among its backups, of which the oldest go; None where nothing is kept.

    `keep`: how many stay. Raises OSError.
    """
    real = path.resolve()
    if not keep or not real.is_file():
        return None
    at = time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(real.stat().st_mtime))
    ours = _dated(real)
    last = max((int(match[2] or 1) for match, _ in ours if match[1] == at), default=0)
    backup = name_again(real, f"{real.stem} {at}{f' ({last + 1})' if last else ''}{real.suffix}")
    for _, old in ours[:max(0, len(ours) + 1 - keep)]:
        old.unlink(missing_ok=True)
    return backup


def name_again(path: Path, name: str) -> Path:
    """Give a file, as it is now, a second name among its backups, in the place of what had it. Raises OSError."""
    real, folder = path.resolve(), backup_folder(path)
    folder.mkdir(exist_ok=True)
    backup = folder / name
    backup.unlink(missing_ok=True)
    second_name(real, backup)
    return backup


def second_name(real: Path, other: Path) -> None:
    """Give a file one more name, or a copy of that name on a disk without second names. Raises OSError."""
    try:
        os.link(real, other)
    except OSError:
        shutil.copy2(real, other)


def drop(backup: Path | None) -> None:
    """Take away the backup of a file that was not replaced, and the folder if it was its only one."""
    if backup is not None:
        backup.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # others lie there
            backup.parent.rmdir()


def _dated(real: Path) -> list[tuple[re.Match[str], Path]]:
    """What lies there under the name of a backup, the oldest first, each with what its name says."""
    folder = backup_folder(real)
    named = re.compile(re.escape(real.stem) + _DATED + re.escape(real.suffix))
    inside = folder.iterdir() if folder.is_dir() else ()
    ours = [(match, one) for one in inside if (match := named.fullmatch(one.name))]
    return sorted(ours, key=lambda one: (one[1].stat().st_mtime_ns, int(one[0][2] or 1)))
