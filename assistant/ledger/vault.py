"""The form of the ledger's file: a path in; records by kind and name out, from a copy in memory; a change replaces it.

The file is an SQLite database that is never changed where it lies. It is read whole into memory, a change is made
there, and the new content takes the file's place in one step: no journal lies beside it that a cloud folder could bring
back later, and who looks holds nothing. SQLite's number for the program that uses a file (`user_version`) holds a
checksum of all other bytes, so that what somebody's disk, stick or cloud has changed is damage and never read as ours.

Who changes it holds a lock of this computer meanwhile and first reads again what another process has put there; two
computers are kept apart by the claim on the workbook.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from assistant.backups import back_up, name_again
from assistant.ledger.lock import locked
from assistant.ledger.terms import LedgerTrouble, trouble_of
from assistant.whole_files import WAITS, replace_whole

FORMAT = 4
BEFORE = 3
"""The format that is converted: SQLite changed the file in place, and each record had a checksum."""
BEFORE_FORMAT = f"before format {FORMAT}"
"""Under which label the file as it was before it was converted stays among the backups."""
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (kind TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (kind, name));
"""
NEW = ".new"
"""How the name of a ledger ends that is being written and will take another one's place."""
CHECKSUM = slice(60, 64)
"""Where an SQLite file has its `user_version`."""


def new_file(path: Path) -> Path:
    """Where the content is written that will take a ledger's place."""
    real = path.resolve()
    return real.with_name(real.name + NEW)


@contextmanager
def told() -> Iterator[None]:
    """What SQLite reports of a content in memory, as `LedgerTrouble`: it is damaged."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a fault of ours: a ledger that was closed
        raise
    except (sqlite3.Error, UnicodeError) as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def content_of(path: Path) -> bytes:
    """The bytes of a ledger's file, waited for where another program holds it. Raises `LedgerTrouble`."""
    for pause in (*WAITS, None):
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as fault:
            raise LedgerTrouble("missing") from fault
        except OSError as fault:
            if pause is None or os.name == "posix":
                raise LedgerTrouble("denied", str(fault)) from fault
            time.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def _file_mark(path: Path) -> tuple[int, ...]:
    """What tells a file from any that takes its place, or is written into it; () where there is none."""
    try:
        now = path.stat()
    except OSError:  # who reads it says what is wrong
        return ()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def checksum(content: bytes) -> bytes:
    """Of all bytes of a database but those where it stands itself, which count as zeros; never zeros alone."""
    first, last = CHECKSUM.start, CHECKSUM.stop
    start = zlib.crc32(bytes(last - first), zlib.crc32(content[:first]))
    return (zlib.crc32(memoryview(content)[last:], start) or 1).to_bytes(last - first, "big")


def with_checksum(content: bytes) -> tuple[bytes | memoryview, ...]:
    """A database with the checksum of all its other bytes in its place, in pieces: 20 MB are not copied for it."""
    return content[:CHECKSUM.start], checksum(content), memoryview(content)[CHECKSUM.stop:]


def sealed(content: bytes) -> bytes:
    """`with_checksum` in one."""
    return b"".join(with_checksum(content))


def is_sealed(content: bytes) -> bool:
    """Whether a database has a checksum, and it fits."""
    return content[CHECKSUM] == checksum(content)


def database(content: bytes) -> sqlite3.Connection:
    """A database in memory of today's form, from a ledger's bytes; one of the format before is converted.

    Raises `LedgerTrouble`.
    """
    db = _in_memory()
    try:
        with told():
            if not content:
                raise LedgerTrouble("unreadable", "an empty file")
            db.deserialize(content)
            whole = is_sealed(content)
            if any(content[CHECKSUM]) and not whole:
                raise LedgerTrouble("unreadable", "the checksum does not fit")
            number = format_of(db)
            if number > FORMAT:
                raise LedgerTrouble("newer")
            if number < BEFORE:
                raise LedgerTrouble("old", str(number))
            if number == FORMAT and not whole:
                raise LedgerTrouble("unreadable", "no checksum")
            if number == FORMAT:
                return db
            fresh = converted(db)
    except LedgerTrouble:
        db.close()
        raise
    db.close()
    return fresh


def format_of(db: sqlite3.Connection) -> int:
    """The number of a ledger's format. Raises `LedgerTrouble` ("unreadable") for what is none."""
    with told():
        names = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        said = dict(db.execute("SELECT key, value FROM meta")).get("format") if "meta" in names else None
    if not isinstance(said, str) or not said.isdigit():
        raise LedgerTrouble("unreadable", "no format")
    return int(said)


def converted(db: sqlite3.Connection) -> sqlite3.Connection:
    """The records of a ledger of the format before, in which each had a checksum of its own. Raises `LedgerTrouble`."""
    if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise LedgerTrouble("unreadable", "its structure")
    fresh = _empty(dict(db.execute("SELECT key, value FROM meta"))["campaign"])
    for kind, name, seal, body in db.execute("SELECT kind, name, seal, body FROM records ORDER BY kind, name"):
        said = f"{kind}\0{name}\0".encode("utf-8", "surrogatepass") + body
        if hashlib.blake2b(said, digest_size=16).digest() != seal:
            raise LedgerTrouble("unreadable", f"{kind} {name}")
        fresh.execute("INSERT INTO records VALUES (?, ?, ?)", (kind, name, body))
    return fresh


def whole_content(path: Path) -> bytes:
    """The bytes of a ledger's file; where a change of the format before was cut short, as SQLite takes it back.

    Raises `LedgerTrouble`.
    """
    content, journal = content_of(path), path.with_name(f"{path.name}-journal")
    if any(content[CHECKSUM]) or not journal.is_file():
        return content
    try:
        database(content).close()
    except LedgerTrouble:
        with tempfile.TemporaryDirectory() as folder, told():
            copy = Path(folder) / path.name
            copy.write_bytes(content)
            try:
                shutil.copyfile(journal, copy.with_name(journal.name))
            except OSError as fault:
                raise LedgerTrouble(trouble_of(fault), str(fault)) from fault
            with closing(sqlite3.connect(copy)) as db:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return copy.read_bytes()
    return content


def _in_memory() -> sqlite3.Connection:
    """An empty database, which another thread may take up when one has let go of it."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def _empty(campaign: str) -> sqlite3.Connection:
    db = _in_memory()
    db.executescript(TABLES)
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", str(FORMAT)), ("campaign", campaign)])
    return db


_let_go = dict[Path, tuple[tuple[int, ...], sqlite3.Connection]]()
"""The content that was read last and is not looked into any more, with its file's mark: while the file is the same a
command takes it up again, which with 20 MB is a tenth of what `resolve` takes.
"""


class Vault:
    """The records of a ledger. Everything raises `LedgerTrouble`.

    `path`: the file whose place each change takes, None for records in memory alone; `mark`: what tells that file, as
    it was read or written, from any other; `of_before`: whether it has the format before.
    """

    def __init__(self, path: Path | None, db: sqlite3.Connection, mark: tuple[int, ...] = (), *,
                 of_before: bool = False) -> None:
        self.path = path
        self._db = db
        self._mark, self._of_before = mark, of_before
        self._as_read = bool(mark) and not of_before
        self.reads = 0
        """How often the file was read again, since other bytes lay there."""

    @classmethod
    def create(cls, path: Path | None, campaign: str) -> Vault:
        """A new one; its file is written with its first change."""
        with told():
            return cls(path, _empty(campaign))

    @classmethod
    def load(cls, path: Path) -> Vault:
        """What a file holds. One of the format before is converted, for good with its next change."""
        mark = _file_mark(path)
        known, there = _let_go.pop(path, ((), None))
        if there is not None:
            if known == mark:
                return cls(path, there, mark)
            there.close()
        content = whole_content(path)
        return cls(path, database(content), mark, of_before=not any(content[CHECKSUM]))

    def close(self) -> None:
        """Let go of what is in memory; what is only read, and is the file's, may be taken up again."""
        while _let_go:
            _let_go.popitem()[1][1].close()
        if self.path is not None and self._as_read:
            _let_go[self.path] = self._mark, self._db
        else:
            self._db.close()

    # --- records ----------------------------------------------------------------------------
    def get(self, kind: str, name: str) -> bytes | None:
        """A record's bytes, None where there is none."""
        with told():
            row = self._db.execute("SELECT body FROM records WHERE kind = ? AND name = ?", (kind, name)).fetchone()
        return None if row is None else bytes(row[0])

    def need(self, kind: str, name: str) -> bytes:
        """A record's bytes, which must be there."""
        found = self.get(kind, name)
        if found is None:
            raise LedgerTrouble("unreadable", f"no {kind} {name}")
        return found

    def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, in the order of their names."""
        with told():
            return dict(self._db.execute("SELECT name, body FROM records WHERE kind = ? ORDER BY name", (kind,)))

    def last(self, kind: str) -> str:
        """The last of the names of a kind, "" for none."""
        with told():
            row = self._db.execute("SELECT name FROM records WHERE kind = ? ORDER BY name DESC LIMIT 1",
                                   (kind,)).fetchone()
        return str(row[0]) if row else ""

    def put(self, kind: str, name: str, body: bytes) -> None:
        """Keep a record, in the place of one of that name; within `writing`."""
        with told():
            self._db.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (kind, name, body))

    def drop(self, kind: str, name: str) -> None:
        """Forget a record, if it is there; within `writing`."""
        with told():
            self._db.execute("DELETE FROM records WHERE kind = ? AND name = ?", (kind, name))

    # --- several together -------------------------------------------------------------------
    @contextmanager
    def writing(self) -> Iterator[None]:
        """All that is kept and forgotten in here is, or nothing is: at its end the file is another one, on the disk."""
        if self.path is None:
            with self._transaction():
                yield
            return
        with locked(self.path):
            self._read_again()
            self._as_read = False
            with self._transaction():
                yield
            self._save()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told():
            self._db.execute("BEGIN")
        try:
            yield
            with told():
                self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    def _read_again(self) -> None:
        """What another process has put in the file's place since it was read."""
        if self.path is not None and self._mark and _file_mark(self.path) != self._mark:
            self._read()

    def _read(self) -> None:
        assert self.path is not None
        fresh = Vault.load(self.path)
        self._db.close()
        self.reads += 1
        self._db, self._mark, self._of_before = fresh._db, fresh._mark, fresh._of_before

    def _save(self) -> None:
        """Put what is in memory in the file's place. Where that fails the records are as they were before."""
        assert self.path is not None
        with told():
            content = self._db.serialize()
        try:
            if self._of_before:
                name_again(self.path, f"{self.path.stem} {BEFORE_FORMAT}{self.path.suffix}")
            replace_whole(self.path, with_checksum(content), new_file(self.path))
        except OSError as fault:
            if self._mark:
                self._read()
            raise LedgerTrouble(trouble_of(fault), str(fault)) from fault
        self._mark, self._of_before = _file_mark(self.path), False

    def sweep(self) -> None:
        """Take away what a crash left of a file that was about to take this one's place."""
        if self.path is not None:
            with locked(self.path):
                new_file(self.path).unlink(missing_ok=True)

    def back_up(self, keep: int) -> None:
        """Give the file as it is a place among the backups, of which so many dated ones stay."""
        if self.path is not None:
            try:
                back_up(self.path, keep)
            except OSError as fault:
                raise LedgerTrouble(trouble_of(fault), str(fault)) from fault

    def back_up_as(self, label: str) -> None:
        """Give the file as it is a place of its own among the backups, in the place of one that had this label."""
        if self.path is not None:
            try:
                name_again(self.path, f"{self.path.stem} {label}{self.path.suffix}")
            except OSError as fault:
                raise LedgerTrouble(trouble_of(fault), str(fault)) from fault
