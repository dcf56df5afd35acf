"""One process of this computer changes a ledger at a time; the others wait.

The lock lies in the system's folder for temporary files and not beside the ledger: a cloud folder would carry it to
other computers, where nobody holds it. The system takes it back when the process ends however it ends.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.ledger.terms import LedgerTrouble, trouble_of

PATIENCE, BREATH = 10.0, 0.02
"""Seconds for which a lock that somebody holds is waited for, and between two attempts."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(path: Path) -> Path:
    """Where the lock of a ledger lies."""
    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return Path(tempfile.gettempdir()) / f"arbitro-{name}.lock"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a ledger. Raises `LedgerTrouble`, "busy" where it was waited for in vain."""
    try:
        handle = _opened(lock_file(path))
    except OSError as fault:
        raise LedgerTrouble(trouble_of(fault), str(fault)) from fault
    try:
        _wait_for(handle)
        yield
    finally:
        os.close(handle)


def _opened(place: Path) -> int:
    try:
        return os.open(place, os.O_RDWR | (0 if place.exists() else os.O_CREAT), 0o666)
    except PermissionError:  # another user of this computer has made it: to read it is enough
        return os.open(place, os.O_RDONLY)


def _wait_for(handle: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return _lock(handle)
        except OSError as fault:
            if time.monotonic() > until:
                raise LedgerTrouble("busy", str(fault)) from fault
        time.sleep(BREATH)
