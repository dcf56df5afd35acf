"""A ledger's path in; its records out, whichever format it has: an older one is moved to the present one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from assistant.ledger import earlier
from assistant.ledger.terms import LedgerTrouble
from assistant.ledger.vault import FORMAT, Vault, connect, told

NEW = ".new"
"""How the name of a ledger ends that is being written and will take another one's place."""


def opened(path: Path, *, write: bool) -> Vault:
    """The records of a ledger. One of an earlier format is read as it is; for writing it is moved first, in one step.

    Raises `LedgerTrouble`.
    """
    try:
        if not path.is_file():
            raise LedgerTrouble("missing")
    except OSError as fault:
        raise LedgerTrouble("denied", str(fault)) from fault
    with told():
        db = connect(path, "rw" if write else "ro")
    try:
        found = format_of(db)
        if found > FORMAT:
            raise LedgerTrouble("newer")
        if found == FORMAT:
            return Vault(db)
        if write:
            move(db, path)
        else:
            vault = Vault.create(None, "")
            earlier.copy(db, vault)
            db.close()
            return vault
    except LedgerTrouble:
        db.close()
        raise
    db.close()
    with told():
        return Vault(connect(path, "rw"))


def format_of(db: sqlite3.Connection) -> int:
    """The number of a ledger's format. Raises `LedgerTrouble` ("unreadable") for what is none.

    One of the present format is known by its table: where its number says another one, the number is damaged.
    """
    with told():
        names = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        said = dict(db.execute("SELECT key, value FROM meta")).get("format") if "meta" in names else None
    if not isinstance(said, str) or not said.isdigit():
        raise LedgerTrouble("unreadable", "no format")
    number = int(said)
    if ("records" in names) != (number == FORMAT) and ("steps" in names or number <= FORMAT):
        raise LedgerTrouble("unreadable", f"format {said}")
    return number


def move(db: sqlite3.Connection, path: Path) -> None:
    """Write an earlier ledger anew beside itself and put that in its place. Raises `LedgerTrouble`; it is as it was."""
    fresh = path.with_name(path.name + NEW)
    try:
        fresh.unlink(missing_ok=True)
        with closing(Vault.create(fresh, "")) as vault:
            earlier.copy(db, vault)
        db.close()
        take_place(fresh, path)
    except OSError as fault:
        raise LedgerTrouble("unwritable", str(fault)) from fault
    finally:
        fresh.unlink(missing_ok=True)


def take_place(fresh: Path, path: Path) -> None:
    """Put a ledger that was written in the place of another one, for good. Raises OSError."""
    shutil.copymode(path, fresh)
    os.replace(fresh, path.resolve())
    if os.name == "posix":
        folder = os.open(path.resolve().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
