"""The claim: a workbook's path in; held out by one Arbitro at a time, and the second one is told who has it.

A file beside the workbook says who is changing it; an open file lock on it, which the machine takes
back when the process ends however it ends, says whether that is still true. So the claim of a process
that died on this computer is taken over without a question. The claim of another computer is believed
as long as its file lies there: in a folder that a cloud service copies, locks do not travel.
"""

from __future__ import annotations

import errno
import getpass
import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assistant.workbook.book_errors import BookClaimed
from assistant.workbook.safe.saving import file_mark, has_stale, sweep

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
