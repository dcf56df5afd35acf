"""The form of the ledger's file: a path in; sealed records by kind and name out, each checked when it is read.

An SQLite file with one table. A record's seal is a checksum over its kind, its name and its bytes: what somebody's
disk, stick or cloud has changed is never read as if we had written it. What SQLite reports is told apart here: a file
that is busy, full or read-only is not a damaged one.

Beside the records stands a table ``meta`` with the format and the campaign, as every format has had it: an earlier
Arbitro reads there that it is too old.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.ledger.terms import LedgerTrouble, Trouble

FORMAT = 3
PATIENCE = 10.0
"""Seconds for which a ledger that somebody holds is waited for."""
RESTLESS = 30.0
"""Seconds for which one that was waited for in vain is not waited for again: a command looks several times."""
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, seal BLOB NOT NULL,
    body BLOB NOT NULL, UNIQUE (kind, name));
"""
SEAL = 16
_KINDS: dict[int, Trouble] = {
    sqlite3.SQLITE_BUSY: "busy", sqlite3.SQLITE_LOCKED: "busy", sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "denied", sqlite3.SQLITE_PERM: "denied", sqlite3.SQLITE_CANTOPEN: "denied",
    sqlite3.SQLITE_AUTH: "denied", sqlite3.SQLITE_IOERR: "unwritable", sqlite3.SQLITE_NOMEM: "unwritable",
    sqlite3.SQLITE_INTERRUPT: "unwritable", sqlite3.SQLITE_PROTOCOL: "busy", sqlite3.SQLITE_NOLFS: "full"}
_IN_VAIN: dict[Path, float] = {}
"""Ledgers that were waited for in vain, and when."""


def seal(kind: str, name: str, body: bytes) -> bytes:
    """What tells a record from any that was changed by chance."""
    return hashlib.blake2b(f"{kind}\0{name}\0".encode("utf-8", "surrogatepass") + body, digest_size=SEAL).digest()


def trouble_of(fault: sqlite3.Error) -> Trouble:
    """What SQLite's report means: what it does not name as something else is damage."""
    code = getattr(fault, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_IOERR_LOCK:
        return "busy"
    return _KINDS.get(code & 0xFF, "unreadable") if isinstance(code, int) else "unreadable"


@contextmanager
def told() -> Iterator[None]:
    """What SQLite reports, as `LedgerTrouble`."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a fault of ours: a ledger that was closed
        raise
    except (sqlite3.Error, UnicodeError) as fault:
        kind = trouble_of(fault) if isinstance(fault, sqlite3.Error) else "unreadable"
        raise LedgerTrouble(kind, str(fault)) from fault


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that writes through to the disk, and waits a while for a file that is held. Raises sqlite3.Error."""
    place = path.resolve()
    waited = time.monotonic() - _IN_VAIN.get(place, -RESTLESS) < RESTLESS
    db = sqlite3.connect(f"{place.as_uri()}?mode={mode}", uri=True, isolation_level=None,
                         timeout=0.1 if waited else PATIENCE)
    try:
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as fault:
        db.close()
        if trouble_of(fault) == "busy":
            _IN_VAIN[place] = time.monotonic()
        raise
    _IN_VAIN.pop(place, None)
    return db


class Vault:
    """Sealed records. Everything raises `LedgerTrouble`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @classmethod
    def create(cls, path: Path | None, campaign: str) -> Vault:
        """A new one, in a file or (None) in memory."""
        with told():
            db = sqlite3.connect(":memory:", isolation_level=None) if path is None else connect(path, "rwc")
            db.executescript(TABLES)
            db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", str(FORMAT)), ("campaign", campaign)])
        return cls(db)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # --- records ----------------------------------------------------------------------------
    def get(self, kind: str, name: str) -> bytes | None:
        """A record's bytes, None where there is none."""
        with told():
            row = self._db.execute("SELECT seal, body FROM records WHERE kind = ? AND name = ?",
                                   (kind, name)).fetchone()
        return None if row is None else _opened(kind, name, *row)

    def need(self, kind: str, name: str) -> bytes:
        """A record's bytes, which must be there."""
        found = self.get(kind, name)
        if found is None:
            raise LedgerTrouble("unreadable", f"no {kind} {name}")
        return found

    def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, in the order of their names."""
        with told():
            rows = self._db.execute("SELECT name, seal, body FROM records WHERE kind = ? ORDER BY name",
                                    (kind,)).fetchall()
        return {name: _opened(kind, name, seal, body) for name, seal, body in rows}

    def last(self, kind: str) -> str:
        """The last of the names of a kind, "" for none."""
        with told():
            row = self._db.execute("SELECT name FROM records WHERE kind = ? ORDER BY name DESC LIMIT 1",
                                   (kind,)).fetchone()
        return str(row[0]) if row else ""

    def put(self, kind: str, name: str, body: bytes) -> None:
        """Keep a record, in the place of one of that name; within `writing`. The latest has the highest number."""
        with told():
            self._db.execute("INSERT OR REPLACE INTO records (kind, name, seal, body) VALUES (?, ?, ?, ?)",
                             (kind, name, seal(kind, name, body), body))

    def drop(self, kind: str, name: str) -> None:
        """Forget a record, if it is there; within `writing`."""
        with told():
            self._db.execute("DELETE FROM records WHERE kind = ? AND name = ?", (kind, name))

    def note(self, *facts: tuple[str, str]) -> None:
        """What every Arbitro reads of a ledger, by key."""
        with told():
            self._db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts)

    # --- several together -------------------------------------------------------------------
    @contextmanager
    def writing(self) -> Iterator[None]:
        """All that is kept and forgotten in here is, or nothing is."""
        with told():
            self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            with told():
                self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # a full disk may have ended it
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Nobody finishes a change while this is looked at; who wants to, waits."""
        if self._db.in_transaction:
            yield
            return
        with told():
            self._db.execute("BEGIN")
            self._db.execute("SELECT 1 FROM records LIMIT 1").fetchone()
        try:
            yield
        finally:
            self.go_on()

    def go_on(self) -> None:
        """Whoever waits for `standing_still` need not wait any longer."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def check(self) -> None:
        """Read every record, and SQLite's own structure."""
        with told():
            said = self._db.execute("PRAGMA integrity_check(1)").fetchone()
            if said != ("ok",):
                raise LedgerTrouble("unreadable", str(said))
            for kind, name, sealed, body in self._db.execute("SELECT kind, name, seal, body FROM records"):
                _opened(kind, name, sealed, body)


def _opened(kind: object, name: object, sealed: object, body: object) -> bytes:
    """A record's bytes, if they are those that were sealed. Raises `LedgerTrouble` ("unreadable")."""
    if not (isinstance(kind, str) and isinstance(name, str) and isinstance(body, bytes)
            and seal(kind, name, body) == sealed):
        raise LedgerTrouble("unreadable", f"{kind} {name}")
    return body
