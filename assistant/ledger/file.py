"""The ledger's file, a SQLite database that is replaced whole: steps, and snapshots whose pieces are stored once."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, NamedTuple
from urllib.parse import quote

from assistant.environment import (
    RETRY_DELAYS,
    back_up_under,
    copy_rights,
    file_identity,
    flush_folder,
    make_private,
    rename_over,
)
from assistant.turn.dice import PUBLIC, REFEREE

LEDGER_SUFFIX = ".arbitro"
SECRET_BYTES = 32
CORRECT = "correct"
"""The verb of a correction of the past."""
DECISION_VERBS = ("accept", "revert", "decide")
"""The verbs that decide on edits made by hand."""
UNDO_VERBS = ("undo", "redo")
"""The verbs that restore an earlier workbook."""
COLLECT = "collect"
"""The verb of taking in what came back from the clubs."""
SHARE = "share"
"""The verb of adding, to an older workbook, the columns that the first `share` offers."""
UNREADABLE_BOOK = "-"
"""The mark of a workbook that could not be read."""
TAKE_AS_IT_IS = "take"
"""The verb of taking a workbook as it is into a ledger that is behind it: what happened between this step and the one
before is not proved.
"""
LAYOUT, MAP = "layout", "map"
"""The verbs of placing the places on the map, and of putting the map into the workbook or colouring a club's own
shapes.
"""
UNDOABLE_VERBS = ("resolve", *DECISION_VERBS, COLLECT, SHARE, LAYOUT, MAP)
"""The verbs of the changes that `undo` takes back one at a time."""

Trouble = Literal["missing", "unreadable", "foreign", "newer", "old", "unwritable", "busy", "full", "denied", "lost"]
"""What can be wrong with a ledger. `unreadable`: damaged; `denied`: the file or its folder is read-only or belongs to
somebody else; `old`: of a format that is no longer converted; `lost`: a snapshot that could not be rescued from a
damaged ledger.
"""
DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}
_DISK_ERRORS: dict[int, Trouble] = {sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_IOERR_WRITE: "full",
                                    sqlite3.SQLITE_IOERR: "unwritable",
                                    sqlite3.SQLITE_READONLY: "denied", sqlite3.SQLITE_CANTOPEN: "denied"}
"""What SQLite calls these errors -> what is wrong; a write fails where a file may not grow (EFBIG), too."""


class LedgerTrouble(Exception):
    """The ledger cannot be used. `kind`: what is wrong with it."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"ledger {kind}: {detail}" if detail else f"ledger {kind}")
        self.kind: Trouble = kind
        self.detail = detail


OPEN_FILES_STAY = os.name == "nt"
"""Whether the system refuses to replace a file that somebody has open, and may let nobody read it meanwhile. There a
ledger is read into memory, and PermissionError means that another program holds the file, as a cloud's client does.
"""


def trouble_kind(fault: OSError) -> Trouble:
    """The kind of trouble behind an OSError."""
    if isinstance(fault, PermissionError) and OPEN_FILES_STAY:
        return "busy"
    return "denied" if fault.errno in DENIED else "full" if fault.errno in FULL else "unwritable"


class LedgerStep(NamedTuple):
    """One change that was made or is under way; the ledger keeps the workbook as it was before it.

    `verb`: ``resolve`` (a phase ended), ``wait`` (a phase stopped for answers), ``orders``, ``mark``,
    ``undo``, ``redo``, ``renew``, ``accept``, ``revert``, ``collect``, ``share``, ``layout``, ``correct``; `line`: the
    steps that had led to the workbook before it, each of which can be undone (`UNDOABLE_VERBS`);
    `sha_before`: "" if the step belongs to the same stroke as the step before it; `sha_after`: "" for all of a stroke
    but its last step.
    """

    id: int
    verb: str
    turn: str
    phase: str
    state: str
    sha_before: str
    sha_after: str
    line: tuple[int, ...]


class PlannedStep(NamedTuple):
    """One change that is to be made. `turn`, `phase`: where the campaign stood before it.

    `given`: questions that the assistant answered -> ``robot`` or ``default``; `stands`: the turn that it leads to
    and the factions to which dice are promised for that turn; `records`: how the campaign before it differs from the
    workbook as it is (b"" for the first change of a stroke).
    """

    verb: str
    turn: str
    phase: str
    given: Mapping[str, str] = MappingProxyType({})
    stands: tuple[str, tuple[str, ...]] = ("", ())
    records: bytes = b""


class Fingerprints(NamedTuple):
    """The fingerprints of what Arbitro wrote into all tables.

    `manifest`: the names of the chunks of rows, "" for not known; `chunks`: those that may be new, by name; `heads`:
    what must be known of some of them without unpacking them.
    """

    manifest: str
    chunks: Mapping[str, bytes] = MappingProxyType({})
    heads: Mapping[str, str] = MappingProxyType({})


def path_of_ledger(book: Path) -> Path:
    """The path of a workbook's ledger: beside it, with the ending ``.arbitro``."""
    return book.with_suffix(LEDGER_SUFFIX)


def sha256(content: bytes) -> str:
    """The fingerprint of a workbook's bytes."""
    return hashlib.sha256(content).hexdigest()


def campaign_id(secret: bytes) -> str:
    """A campaign's id, derived from its first secret without revealing it."""
    return hashlib.sha256(b"arbitro|campaign|" + secret).hexdigest()[:12]


def intermediate_mark(mark: str, number: int, phases: int) -> str:
    """The mark that a workbook would have between two changes of a stroke.

    `mark`: of the whole stroke; `number`: after how many changes; `phases`: how many phases are resolved by then.
    """
    return f"{phases}-{hashlib.blake2b(f'{mark} {number}'.encode(), digest_size=4).hexdigest()}"


def secret_audiences(codes: Iterable[str]) -> list[str]:
    """The audiences with a dice secret of their own: all, the referee, each faction, each pair of factions."""
    known = sorted(codes)
    return [PUBLIC, REFEREE, *known, *("+".join(pair) for pair in combinations(known, 2))]


# The lock: one process of this computer changes a ledger at a time, the others wait.
#
# The lock file is in the system's temporary folder and not beside the ledger, because a cloud folder would copy it to
# other computers, where nobody holds it. The system releases the lock when the process ends, however it ends.


LOCK_TIMEOUT, LOCK_RETRY_INTERVAL = 10.0, 0.02
"""Seconds to wait for a lock that another process holds, and between two attempts."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_file(path: Path) -> Path:
    """The path of a ledger's lock file."""
    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return Path(tempfile.gettempdir()) / f"arbitro-{name}.lock"


@contextmanager
def ledger_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a ledger. Raises `LedgerTrouble`, "busy" after waiting in vain."""
    try:
        handle = _open_lock_file(lock_file(path))
    except OSError as fault:
        raise LedgerTrouble(trouble_kind(fault), str(fault)) from fault
    try:
        _wait_for(handle)
        yield
    finally:
        os.close(handle)


def _open_lock_file(place: Path) -> int:
    try:
        # Linux refuses O_CREAT for a file of somebody else's in the common temporary folder, even where writing is
        # allowed
        return os.open(place, os.O_RDWR | (0 if place.exists() else os.O_CREAT), 0o666)
    except PermissionError:  # another user of this computer created it: reading it is enough
        return os.open(place, os.O_RDONLY)


def _wait_for(handle: int) -> None:
    # a clock that nobody sets back or forward
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            return _lock(handle)
        except OSError as fault:
            if time.monotonic() > until:
                raise LedgerTrouble("busy", str(fault)) from fault
        time.sleep(LOCK_RETRY_INTERVAL)


# The format of the ledger's file.
#
# The file is an SQLite database that is never changed in place. A change is made in a copy beside it, which takes its
# place in one step: so there is no journal that a cloud folder could bring back later, and readers hold no lock.
# SQLite's `user_version` holds a checksum of all other bytes, so that a change made by a disk, a USB stick or a cloud
# is recognized as damage.
#
# A change of the ledger that belongs to one of the workbook lies ready beside it while the workbook is replaced, and
# then takes its place: so each command writes the ledger once. The next command settles what a crash leaves beside it.
#
# A writer holds this computer's lock and first reads again what another process may have written; two computers are
# kept apart by the claim on the workbook.


FORMAT = 5
FIRST_WITH_CHECKSUM = 4
OLDEST_FORMAT = 3
"""The oldest format that is still converted: there, SQLite changed the file in place, and each record had a checksum.
"""
FORMAT_BEFORE_LABEL = f"before format {FORMAT}"
"""The label of the backup that is made of a file before it is converted."""
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (kind TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (kind, name));
"""
NEW_FILE_ENDING = ".new"
"""The ending of a ledger that is being written and will replace the old one."""
CHECKSUM = slice(60, 64)
"""The place of `user_version` in an SQLite file."""
NO_CHECKSUM = bytes(CHECKSUM.stop - CHECKSUM.start)
"""What stands there in a file without one."""
BASE = "base"
"""The key of the checksum of the file from which a change was made that lies ready beside it."""
PIECE = 2**16
"""Bytes of a file that are read at a time for its checksum."""


def new_file_path(path: Path) -> Path:
    """The temporary file that will replace a ledger."""
    real = path.resolve()
    return real.with_name(real.name + NEW_FILE_ENDING)


@contextmanager
def sqlite_errors_as_trouble() -> Iterator[None]:
    """Turn SQLite's errors into `LedgerTrouble`: what is not the disk's fault is damage."""
    try:
        yield
    except sqlite3.ProgrammingError:  # our own bug: the ledger was closed
        raise
    except (sqlite3.Error, UnicodeError) as fault:
        code = getattr(fault, "sqlite_errorcode", 0)  # above its lowest byte SQLite says which kind it is
        kind = _DISK_ERRORS.get(code) or _DISK_ERRORS.get(code & 0xFF, "unreadable")
        raise LedgerTrouble(kind, str(fault)) from fault


@contextmanager
def reading_errors_as_trouble() -> Iterator[None]:
    """Turn the errors of reading a file into `LedgerTrouble`."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as fault:
        raise LedgerTrouble("missing") from fault
    except OSError as fault:
        raise LedgerTrouble("busy" if trouble_kind(fault) == "busy" else "denied", str(fault)) from fault


@contextmanager
def writing_errors_as_trouble() -> Iterator[None]:
    """Turn the errors of writing a file into `LedgerTrouble`."""
    try:
        yield
    except OSError as fault:
        raise LedgerTrouble(trouble_kind(fault), str(fault)) from fault


def read_content(path: Path) -> bytes:
    """The bytes of a ledger's file, with retries while another program holds it. Raises `LedgerTrouble`."""
    with reading_errors_as_trouble():
        for pause in RETRY_DELAYS if OPEN_FILES_STAY else ():
            try:
                return path.read_bytes()
            except PermissionError:
                time.sleep(pause)
        return path.read_bytes()


def checksum(stream: BinaryIO) -> bytes:
    """The checksum of a database; its own four bytes count as zeros. It is never all zeros, which means "none"."""
    stream.seek(0)
    head = bytearray(stream.read(CHECKSUM.stop))
    head[CHECKSUM] = NO_CHECKSUM
    number = zlib.crc32(head)
    while piece := stream.read(PIECE):
        number = zlib.crc32(piece, number)
    return (number or 1).to_bytes(CHECKSUM.stop - CHECKSUM.start, "big")


def has_valid_checksum(content: bytes) -> bool:
    """Whether a database has a checksum, and the right one."""
    return content[CHECKSUM] == checksum(io.BytesIO(content))


def open_in_place(path: Path, *, sound: bool) -> sqlite3.Connection | None:
    """Open a ledger's file to read in it, after its checksum was compared unless it is known to be `sound`; None where
    it has none or another format. Raises `LedgerTrouble`.

    Whoever replaces the file meanwhile takes nothing away from this reader, who keeps the one that was there.
    """
    if not sound:
        with reading_errors_as_trouble(), path.open("rb") as stream:
            noted = stream.read(CHECKSUM.stop)[CHECKSUM]
            if not any(noted):
                return None
            if noted != checksum(stream):
                raise LedgerTrouble("unreadable", "the checksum does not fit")
    # immutable: SQLite takes no lock and looks for no journal, which a cloud folder could have brought back
    db = connect_file(path, "immutable=1")
    try:
        if ledger_format(db) == FORMAT:
            return db
    except LedgerTrouble:
        db.close()
        raise
    db.close()
    return None


def open_database(content: bytes) -> tuple[sqlite3.Connection, bool]:
    """Open a ledger's bytes as a database in memory, and whether it was converted from an older format.

    Raises `LedgerTrouble`.
    """
    db = _memory_database()
    try:
        with sqlite_errors_as_trouble():
            if not content:
                raise LedgerTrouble("unreadable", "an empty file")
            db.deserialize(content)
            whole = has_valid_checksum(content)
            # a checksum that is there must be right in any format, and from format 4 on it may not be missing
            if any(content[CHECKSUM]) and not whole:
                raise LedgerTrouble("unreadable", "the checksum does not fit")
            number = ledger_format(db)
            if number >= FIRST_WITH_CHECKSUM and not whole:
                raise LedgerTrouble("unreadable", "no checksum")
            if number == FORMAT:
                return db, False
            fresh = convert_old_format(db, number)
    except LedgerTrouble:
        db.close()
        raise
    db.close()
    return fresh, True


def ledger_format(db: sqlite3.Connection) -> int:
    """The number of a ledger's format, of those that can be read. Raises `LedgerTrouble`, for any other database
    "unreadable".
    """
    with sqlite_errors_as_trouble():
        names = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        version = dict(db.execute("SELECT key, value FROM meta")).get("format") if "meta" in names else None
    if not isinstance(version, str) or not version.isdigit():
        raise LedgerTrouble("unreadable", "no format")
    number = int(version)
    if number > FORMAT:
        raise LedgerTrouble("newer")
    if number < OLDEST_FORMAT:
        raise LedgerTrouble("old", version)
    return number


def read_recovered_content(path: Path) -> bytes:
    """The bytes of a ledger's file. If a change of the oldest format was cut short, SQLite rolls it back first.

    Raises `LedgerTrouble`.
    """
    content, journal = read_content(path), path.with_name(f"{path.name}-journal")
    # a file with a checksum was never changed in place: a journal beside it is not its own
    if any(content[CHECKSUM]) or not journal.is_file():
        return content
    try:
        open_database(content)[0].close()
    except LedgerTrouble:
        with tempfile.TemporaryDirectory() as folder, sqlite_errors_as_trouble():
            copy = Path(folder) / path.name
            copy.write_bytes(content)
            with writing_errors_as_trouble():
                shutil.copyfile(journal, copy.with_name(journal.name))
            with closing(sqlite3.connect(copy)) as db:
                # the first reading makes SQLite roll back
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return copy.read_bytes()
    return content


def _memory_database() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def connect_file(path: Path, how: str) -> sqlite3.Connection:
    """A database in a file, which it does not lock. `how`: what SQLite's URI says besides."""
    place = path.resolve().as_posix()
    # a name may hold "?" or "#", which mean something in a URI
    uri = f"file://{'' if place.startswith('/') else '/'}{quote(os.fsencode(place))}?{how}"
    with sqlite_errors_as_trouble():
        return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _empty_database(campaign: str) -> sqlite3.Connection:
    db = _memory_database()
    db.executescript(TABLES)
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", str(FORMAT)), ("campaign", campaign)])
    return db


_sound_files = dict[Path, tuple[int, ...]]()
"""The identity of each file whose checksum was last found right; while it is the same it is not reckoned again."""


class RecordStore:
    """The records of a ledger. Everything raises `LedgerTrouble`.

    `path`: the file that each change replaces, None for records in memory only; `mark`: the identity of that file as
    it was read or written, () for a new one; `of_before`: whether the file has an older format.
    """

    def __init__(self, path: Path | None, db: sqlite3.Connection, mark: tuple[int, ...] = (), *,
                 of_before: bool = False) -> None:
        self.path = path
        self._db = db
        self._mark, self._of_before = mark, of_before

    @classmethod
    def create(cls, path: Path | None, campaign: str) -> RecordStore:
        """Start a new ledger; the first change writes its file."""
        with sqlite_errors_as_trouble():
            return cls(path, _empty_database(campaign))

    @classmethod
    def load(cls, path: Path) -> RecordStore:
        """Load a file. An older format is converted in memory; the next change writes the new format."""
        mark = file_identity(path)
        if not OPEN_FILES_STAY:
            db = open_in_place(path, sound=bool(mark) and _sound_files.get(path) == mark)
            if db is not None:
                _sound_files[path] = mark
                return cls(path, db, mark)
        db, converted = open_database(read_recovered_content(path))
        return cls(path, db, mark, of_before=converted)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    # --- records ----------------------------------------------------------------------------
    def _run(self, statement: str, *values: str | bytes) -> list[tuple[Any, ...]]:
        """Carry out a statement; returns the rows that it reads."""
        with sqlite_errors_as_trouble():
            return self._db.execute(statement, values).fetchall()

    def get(self, kind: str, name: str) -> bytes | None:
        """The bytes of a record, or None."""
        rows = self._run("SELECT body FROM records WHERE kind = ? AND name = ?", kind, name)
        return bytes(rows[0][0]) if rows else None

    def need(self, kind: str, name: str) -> bytes:
        """The bytes of a record that must exist."""
        body = self.get(kind, name)
        if body is None:
            raise LedgerTrouble("unreadable", f"no {kind} {name}")
        return body

    def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, sorted by name."""
        return dict(self._run("SELECT name, body FROM records WHERE kind = ? ORDER BY name", kind))

    def last(self, kind: str) -> str:
        """The last name of a kind in alphabetical order, "" for none."""
        rows = self._run("SELECT name FROM records WHERE kind = ? ORDER BY name DESC LIMIT 1", kind)
        return str(rows[0][0]) if rows else ""

    def put(self, kind: str, name: str, body: bytes) -> None:
        """Store a record, replacing one of that name. Only within `writing`."""
        self._run("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", kind, name, body)

    def drop(self, kind: str, name: str) -> None:
        """Delete a record, if it exists. Only within `writing`."""
        self._run("DELETE FROM records WHERE kind = ? AND name = ?", kind, name)

    # --- several together -------------------------------------------------------------------
    @contextmanager
    def writing(self, meanwhile: Callable[[], None] | None = None) -> Iterator[None]:
        """A transaction: all changes within it are made, or none. At its end the file on the disk is replaced.

        `meanwhile`: called when the new file lies ready beside the old one, whole and flushed; an Exception of it means
        that nothing was changed. If the new file cannot take its place afterwards, or a crash comes in between, it
        stays beside for `settle`.
        """
        if self.path is None:
            with self._transaction():
                yield
            return
        with ledger_lock(self.path):
            self._read_again()
            before, copy = self._db, new_file_path(self.path)
            if copy.exists() and self._follows(copy):  # of a crash: only `settle` may drop it
                raise LedgerTrouble("busy", copy.name)
            try:
                base = self._copy(copy)
                # nolock: nobody else knows this copy, and some network drives cannot lock
                self._db = connect_file(copy, "nolock=1")
                with closing(self._db):
                    with sqlite_errors_as_trouble():  # a copy needs no journal in the folder, and is flushed as a whole
                        self._db.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
                    with self._transaction():
                        if meanwhile is not None:
                            self.put("meta", BASE, base.encode())
                        yield
                self._seal(copy)
            except BaseException:
                self._db = before
                copy.unlink(missing_ok=True)
                raise
            self._db = before
            if meanwhile is not None:
                self._do(meanwhile, copy)
            self._put_in_place(copy, stays=meanwhile is not None)
            with suppress(LedgerTrouble):  # it has its place; what cannot be read now is read before the next change
                self._read()

    def _do(self, meanwhile: Callable[[], None], copy: Path) -> None:
        """Do what is to be done while a change lies ready beside; if it was not done, the change goes."""
        assert self.path is not None
        # a power cut must not leave the new workbook on the disk without the ledger that goes with it
        flush_folder(copy.parent)
        try:
            meanwhile()
        # not on an interruption: it may come after the workbook was replaced, and `settle` will see whether it was
        except Exception:
            copy.unlink(missing_ok=True)
            raise

    def settle(self, made: Callable[[RecordStore], bool] = lambda _: False) -> None:
        """Settle what `writing` left beside the file: it takes the file's place if it is whole, was made from this very
        file, and `made` says so of its records; else it goes.
        """
        assert self.path is not None
        copy = new_file_path(self.path)
        if not copy.exists():
            return
        with ledger_lock(self.path):
            self._read_again()
            if self._follows(copy) and self._is_made(copy, made):
                self._put_in_place(copy, stays=True)
                self._read()
            with writing_errors_as_trouble():
                copy.unlink(missing_ok=True)

    def _checksum_on_disk(self) -> str:
        assert self.path is not None
        with reading_errors_as_trouble(), self.path.open("rb") as stream:
            return stream.read(CHECKSUM.stop)[CHECKSUM].hex()

    def _follows(self, copy: Path) -> bool:
        """Whether a file that lies ready is whole, and was made from the one that lies there now."""
        try:
            with closing(RecordStore.load(copy)) as there:
                base = (there.get("meta", BASE) or b"").decode()
            return bool(base) and base == self._checksum_on_disk()
        except LedgerTrouble as trouble:
            if trouble.kind in ("unreadable", "missing"):  # it was being written when the crash came
                return False
            raise

    @staticmethod
    def _is_made(copy: Path, made: Callable[[RecordStore], bool]) -> bool:
        with closing(RecordStore.load(copy)) as there:
            return made(there)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._run("BEGIN")
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # where the disk is full SQLite has rolled back already
                self._db.execute("ROLLBACK")
            raise

    def _read_again(self) -> None:
        """Read the file again if another process has replaced it."""
        if self.path is not None and self._mark and file_identity(self.path) != self._mark:
            self._read()

    def _copy(self, copy: Path) -> str:
        """Copy the file, for a change; what is in memory alone is written. The checksum of what was copied."""
        assert self.path is not None
        with writing_errors_as_trouble():
            make_private(copy)
            if not self._mark or self._of_before:
                with sqlite_errors_as_trouble():
                    content = self._db.serialize()
                copy.write_bytes(content)
            elif OPEN_FILES_STAY:
                copy.write_bytes(read_content(self.path))
            else:
                shutil.copyfile(self.path, copy)
            return self._checksum_on_disk() if self._mark else NO_CHECKSUM.hex()

    def _seal(self, copy: Path) -> None:
        """Give the changed copy its checksum and the old file's rights, and flush it to the disk."""
        assert self.path is not None
        with writing_errors_as_trouble(), copy.open("r+b") as out:
            number = checksum(out)
            out.seek(CHECKSUM.start)
            out.write(number)
            out.flush()
            # a new file would be open to all whom the folder lets in
            copy_rights(self.path.resolve(), copy)
            os.fsync(out.fileno())
            # a converted file cannot be read by the release before, so the old one is kept for good
            if self._of_before:
                back_up_under(self.path, f"{self.path.stem} {FORMAT_BEFORE_LABEL}{self.path.suffix}")

    def _put_in_place(self, copy: Path, *, stays: bool) -> None:
        """Let a whole copy take the file's place. `stays`: it stays where it is if it cannot."""
        assert self.path is not None
        try:
            with writing_errors_as_trouble():
                rename_over(copy, self.path.resolve())
        except LedgerTrouble:
            if not stays:
                copy.unlink(missing_ok=True)
            raise
        flush_folder(copy.parent)
        _sound_files[self.path] = file_identity(self.path)

    def _read(self) -> None:
        assert self.path is not None
        fresh = RecordStore.load(self.path)
        self._db.close()
        self._db, self._mark, self._of_before = fresh._db, fresh._mark, fresh._of_before


# Contents and their pieces.


MEMBER_START, SEAM, ROW_END = b"PK\3\4", b"\0\0\xff\xff", b"],["
"""What precedes a member of a zip, follows a chunk of a compressed sheet, and separates two rows in JSON."""
ROWS_IN_PIECE = 32
"""How many rows in JSON make a piece, on average."""
PIECE_NAME = 16
"""Bytes of a piece's name: the beginning of its SHA-256."""


def compress_content(content: bytes) -> bytes:
    """Compress a content."""
    return zlib.compress(content)


def decompress_content(kept: bytes) -> bytes:
    """Decompress a content. Raises `LedgerTrouble` ("unreadable")."""
    try:
        return zlib.decompress(kept)
    except zlib.error as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def split_into_pieces(content: bytes) -> Iterator[bytes]:
    """The pieces of a snapshot: members of the zip, chunks of its long sheets, rows in JSON of an open workbook."""
    for member in _split_after(content, MEMBER_START):
        for part in _split_after(member, SEAM):
            piece = b""
            for row in _split_after(part, ROW_END):
                piece += row
                if not zlib.crc32(row) % ROWS_IN_PIECE:  # the rows decide: a new one shifts no later piece
                    yield piece
                    piece = b""
            if piece:
                yield piece


def _split_after(content: bytes, mark: bytes) -> list[bytes]:
    *parts, last = content.split(mark)
    return [*(part + mark for part in parts), *([last] if last else [])]


def to_json_bytes(value: Any) -> bytes:
    """Plain values as JSON; equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


# Steps and snapshots.
#
# A workbook's file changes little from one change to the next: most members of the zip keep their compressed bytes, as
# do the settled chunks of a long sheet. So a snapshot is a list of pieces, each of which is stored once, under a name
# made of its content. The chunks of rows to which the fingerprints refer are such pieces, too.


WIDTH = 8
"""Digits of a step's number in the names of its records, so that they sort like numbers."""
STEP_KINDS = ("step", "book", "marks", "part", "after", "fresh")
"""The kinds of records that belong to one step."""


def record_name(number: int) -> str:
    """The name of a step's records."""
    return f"{number:0{WIDTH}}"


class History:
    """Steps, snapshots and their pieces in a ledger's records. Everything raises `LedgerTrouble`."""

    def __init__(self, vault: RecordStore) -> None:
        self._vault = vault

    # --- steps ------------------------------------------------------------------------------
    def put(self, step: LedgerStep, plan: dict[str, Any]) -> None:
        """Store a step and its plan, which says how the pointers will move."""
        moved = {key: value if value is None else to_runs(value) for key in ("line", "redo") for value in [plan[key]]}
        record = {
            "verb": step.verb,
            "turn": step.turn,
            "phase": step.phase,
            "state": step.state,
            "before": step.sha_before,
            "after": step.sha_after,
            "line": to_runs(step.line),
            "plan": {**plan, **moved},
        }
        self._vault.put("step", record_name(step.id), to_json_bytes(record))

    def get(self, number: int) -> tuple[LedgerStep, dict[str, Any]]:
        """A step and its plan."""
        return _parse_step(number, self._vault.need("step", record_name(number)))

    def all(self) -> Iterator[tuple[LedgerStep, dict[str, Any]]]:
        """All steps with their plans, oldest first."""
        return (_parse_step(int(name), kept) for name, kept in self._vault.all("step").items())

    def has(self, number: int) -> bool:
        """Whether there is a step of that number."""
        return self._vault.get("step", record_name(number)) is not None

    def last_number(self) -> int:
        """The number of the last step, 0 for none."""
        return int(self._vault.last("step") or 0)

    def forget(self, number: int) -> None:
        """Delete the last step and everything that was stored for it."""
        for kind in STEP_KINDS:
            self._vault.drop(kind, record_name(number))

    # --- snapshots --------------------------------------------------------------------------
    def keep_book(self, number: int, content: bytes) -> None:
        """Store a workbook as it was before a step."""
        names = b""
        for piece in split_into_pieces(content):
            name = hashlib.sha256(piece).digest()[:PIECE_NAME]
            names += name
            self.keep_piece(name.hex(), piece)
        self._vault.put("book", record_name(number), names)

    def book(self, number: int) -> bytes | None:
        """The workbook before a step, as it was given to `keep_book`; None if none was stored."""
        names = self._vault.get("book", record_name(number))
        return None if names is None else b"".join(
            self.piece(names[at:at + PIECE_NAME].hex())() for at in range(0, len(names), PIECE_NAME))

    def keep_piece(self, name: str, content: bytes) -> bool:
        """Store a piece unless it is there, and return whether it is new."""
        if self._vault.get("piece", name) is not None:
            return False
        self._vault.put("piece", name, compress_content(content))
        return True

    def piece(self, name: str) -> Callable[[], bytes]:
        """A function that decompresses a piece when it is called."""
        body = self._vault.need("piece", name)
        return lambda: decompress_content(body)


def _parse_step(number: int, kept: bytes) -> tuple[LedgerStep, dict[str, Any]]:
    record = json.loads(kept)
    plan = record["plan"]
    for key in ("line", "redo"):
        plan[key] = None if plan[key] is None else from_runs(plan[key])
    return LedgerStep(number, record["verb"], record["turn"], record["phase"], record["state"], record["before"],
                      record["after"], tuple(from_runs(record["line"]))), plan


def to_runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs: (first, how many consecutive ones)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def from_runs(runs: Iterable[Sequence[int]]) -> list[int]:
    """The numbers of such runs."""
    return [number for first, count in runs for number in range(first, first + count)]


# Older formats. There a snapshot was stored as what differed from the one before it, a chunk of rows as what differed
# from one that was stored whole.


WHOLE = "-"
"""Stood in place of the base's name: the content is stored whole."""
MIN_BASE_BYTES = 8
"""A shorter content was no base."""
COMPRESSED_KINDS = ("part", "after", "head", "letter", "said")


def convert_old_format(db: sqlite3.Connection, number: int) -> sqlite3.Connection:
    """A new database with the records of a ledger of an older format. Raises `LedgerTrouble`."""
    if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise LedgerTrouble("unreadable", "its structure")
    fresh = _empty_database(dict(db.execute("SELECT key, value FROM meta"))["campaign"])
    vault, old = RecordStore(None, fresh), dict[str, dict[str, bytes]]()
    seals = ", seal" if number < FIRST_WITH_CHECKSUM else ""
    for kind, name, body, *seal in db.execute(f"SELECT kind, name, body{seals} FROM records ORDER BY kind, name"):
        # before format 4 each record had a checksum of its own
        data = f"{kind}\0{name}\0".encode("utf-8", "surrogatepass") + body
        if seal and hashlib.blake2b(data, digest_size=16).digest() != seal[0]:
            raise LedgerTrouble("unreadable", f"{kind} {name}")
        old.setdefault(kind, {})[name] = body
    with vault.writing():
        # in the order of their numbers, since each was stored as what differs from the one before
        for name, content in _old_series(old.pop("book", {})):
            History(vault).keep_book(int(name), content)
        for name, content in _old_series(old.pop("marks", {})):
            vault.put("marks", name, compress_content(content))
        for name, content in _old_chunks(old.pop("chunk", {})):
            History(vault).keep_piece(name, content)
        for kind, bodies in old.items():
            for name, body in bodies.items():
                packed = kind in COMPRESSED_KINDS
                vault.put(kind, name, compress_content(_decompress_difference(body)) if packed else body)
    return fresh


def _old_series(bodies: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Snapshots by the names of their steps. One whose base a rescue did not find is lost, too."""
    last, content = "", b""
    for name, body in bodies.items():
        base, difference = _split_entry(body)
        if base in (WHOLE, last):
            content = _decompress_difference(difference, content if base == last else b"")
            yield name, content
            last = name


def _old_chunks(bodies: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name, body in bodies.items():
        base, difference = _split_entry(body)
        if base == WHOLE:
            yield name, _decompress_difference(difference)
        elif base in bodies:
            yield name, _decompress_difference(difference, _decompress_difference(_split_entry(bodies[base])[1]))


def _split_entry(body: bytes) -> tuple[str, bytes]:
    """Split an entry into its base's name and its compressed bytes."""
    head, _, difference = body.partition(b"\n")
    return head.decode().partition(" ")[0], difference


def _decompress_difference(kept: bytes, base: bytes = b"") -> bytes:
    """Decompress a content of an older format. Raises `LedgerTrouble` ("unreadable")."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    try:
        if len(base) < MIN_BASE_BYTES:
            return zstd.decompress(kept)
        return zstd.decompress(kept, zstd_dict=zstd.ZstdDict(base, is_raw=True).as_prefix)
    except zstd.ZstdError as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault
