"""What the ledger records of a change, and its file: a SQLite database that is replaced whole."""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import shutil
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import assistant
from assistant.files import RETRY_DELAYS, back_up_under, replace_atomically
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.ruleset import Ruleset

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
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


class LedgerTrouble(Exception):
    """The ledger cannot be used. `kind`: what is wrong with it."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"ledger {kind}: {detail}" if detail else f"ledger {kind}")
        self.kind: Trouble = kind
        self.detail = detail


def trouble_kind(fault: OSError) -> Trouble:
    """The kind of trouble behind an OSError. On Windows, PermissionError means that another program holds the file."""
    if isinstance(fault, PermissionError) and os.name == "nt":
        return "busy"
    return "denied" if fault.errno in _DENIED else "full" if fault.errno in _FULL else "unwritable"


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
    what must be known of some of them without unpacking them; `like`: for some of them a stored chunk that has much in
    common with it.
    """

    manifest: str
    chunks: Mapping[str, bytes] = MappingProxyType({})
    heads: Mapping[str, str] = MappingProxyType({})
    like: Mapping[str, str] = MappingProxyType({})


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


# Which code resolves phases: the version of Arbitro, the version of the rules, and a fingerprint of the code.


SHARED_PACKAGES = ("assistant.campaign", "assistant.turn")
"""The packages that every ruleset builds on."""
HASHED_ENDINGS = (".py", ".csv", ".json", ".toml")
"""Endings of the files that can change how a phase is resolved."""
CODE_DIGITS = 12


class Provenance(NamedTuple):
    """What resolved a phase. `arbitro`, `rules`: versions; `code`: fingerprint of the code that a phase runs through.

    All are "" where nothing was noted.
    """

    arbitro: str = ""
    rules: str = ""
    code: str = ""

    @classmethod
    def of(cls, noted: Mapping[str, Any]) -> Provenance:
        """Read back what `_asdict` returned; missing keys become ""."""
        return cls(*(str(noted.get(name, "")) for name in ("arbitro", "rules", "code")))


def current_provenance(ruleset: Ruleset) -> Provenance:
    """The code that runs now, with this ruleset."""
    return Provenance(
        assistant.__version__, ruleset.version, _code_fingerprint(ruleset_package(type(ruleset).__module__))
    )


def ruleset_package(module: str) -> str:
    """The package that holds a ruleset's code: its own package in Arbitro, or all that a plug-in brings."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[0] == "assistant" else parts[:1])


@lru_cache(maxsize=16)
def _code_fingerprint(home: str) -> str:
    """The fingerprint of the shared code and a ruleset's, the same wherever they are installed."""
    digest = hashlib.sha256()
    for package in (*SHARED_PACKAGES, home):
        for name, content in _package_files(package):
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:CODE_DIGITS]


def _package_files(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a single module, sorted by name, with line ends normalized."""
    spec = importlib.util.find_spec(package)
    for place in [] if spec is None else map(Path, spec.submodule_search_locations or [spec.origin or ""]):
        files = {path.relative_to(place).as_posix(): path for path in place.rglob("*")} or {place.name: place}
        for name, path in sorted(files.items()):
            if name.endswith(HASHED_ENDINGS) and path.is_file():
                yield name, path.read_bytes().replace(b"\r\n", b"\n")


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
        return os.open(place, os.O_RDWR | (0 if place.exists() else os.O_CREAT), 0o666)
    except PermissionError:  # another user of this computer created it: reading it is enough
        return os.open(place, os.O_RDONLY)


def _wait_for(handle: int) -> None:
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
# The file is an SQLite database that is read into memory, changed there, and replaced whole: so there is no journal
# that a cloud folder could bring back later, and readers hold no lock. `user_version` holds a checksum of all other
# bytes, so that a change made by a disk, a USB stick or a cloud is recognized as damage.
#
# A writer holds this computer's lock and first reads again what another process may have written; two computers are
# kept apart by the claim on the workbook.


FORMAT = 4
FORMAT_BEFORE = 3
"""The older format that is still converted: there, SQLite changed the file in place, and each record had a checksum."""
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


def new_file_path(path: Path) -> Path:
    """The temporary file that will replace a ledger."""
    real = path.resolve()
    return real.with_name(real.name + NEW_FILE_ENDING)


@contextmanager
def sqlite_errors_as_trouble() -> Iterator[None]:
    """Turn SQLite's errors into `LedgerTrouble`: what does not work in memory is damaged."""
    try:
        yield
    except sqlite3.ProgrammingError:  # our own bug: the ledger was closed
        raise
    except (sqlite3.Error, UnicodeError) as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


@contextmanager
def writing_errors_as_trouble() -> Iterator[None]:
    """Turn the errors of writing a file into `LedgerTrouble`."""
    try:
        yield
    except OSError as fault:
        raise LedgerTrouble(trouble_kind(fault), str(fault)) from fault


def read_content(path: Path) -> bytes:
    """The bytes of a ledger's file, with retries while another program holds it. Raises `LedgerTrouble`."""
    try:
        for pause in RETRY_DELAYS if os.name == "nt" else ():
            try:
                return path.read_bytes()
            except PermissionError:
                time.sleep(pause)
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as fault:
        raise LedgerTrouble("missing") from fault
    except OSError as fault:
        raise LedgerTrouble("denied", str(fault)) from fault


def _file_identity(path: Path) -> tuple[int, ...]:
    """What identifies this very version of a file; () if there is none."""
    try:
        now = path.stat()
    except OSError:  # who reads it says what is wrong
        return ()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def checksum(content: bytes) -> bytes:
    """The checksum of a database; its own four bytes count as zeros. It is never all zeros, which means "none"."""
    width = CHECKSUM.stop - CHECKSUM.start
    number = zlib.crc32(memoryview(content)[CHECKSUM.stop:], zlib.crc32(content[:CHECKSUM.start] + bytes(width)))
    return (number or 1).to_bytes(width, "big")


def has_valid_checksum(content: bytes) -> bool:
    """Whether a database has a checksum, and the right one."""
    return content[CHECKSUM] == checksum(content)


def open_database(content: bytes) -> sqlite3.Connection:
    """Open a ledger's bytes as a database in memory; the older format is converted.

    Raises `LedgerTrouble`.
    """
    db = _memory_database()
    try:
        with sqlite_errors_as_trouble():
            if not content:
                raise LedgerTrouble("unreadable", "an empty file")
            db.deserialize(content)
            whole = has_valid_checksum(content)
            if any(content[CHECKSUM]) and not whole:
                raise LedgerTrouble("unreadable", "the checksum does not fit")
            number = ledger_format(db)
            if number == FORMAT and not whole:
                raise LedgerTrouble("unreadable", "no checksum")
            if number == FORMAT:
                return db
            fresh = convert_old_format(db)
    except LedgerTrouble:
        db.close()
        raise
    db.close()
    return fresh


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
    if number < FORMAT_BEFORE:
        raise LedgerTrouble("old", version)
    return number


def convert_old_format(db: sqlite3.Connection) -> sqlite3.Connection:
    """A new database with the records of a ledger of the older format. Raises `LedgerTrouble`."""
    if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise LedgerTrouble("unreadable", "its structure")
    fresh = _empty_database(dict(db.execute("SELECT key, value FROM meta"))["campaign"])
    for kind, name, seal, body in db.execute("SELECT kind, name, seal, body FROM records ORDER BY kind, name"):
        data = f"{kind}\0{name}\0".encode("utf-8", "surrogatepass") + body
        if hashlib.blake2b(data, digest_size=16).digest() != seal:
            raise LedgerTrouble("unreadable", f"{kind} {name}")
        fresh.execute("INSERT INTO records VALUES (?, ?, ?)", (kind, name, body))
    return fresh


def read_recovered_content(path: Path) -> bytes:
    """The bytes of a ledger's file. If a change of the older format was cut short, SQLite rolls it back first.

    Raises `LedgerTrouble`.
    """
    content, journal = read_content(path), path.with_name(f"{path.name}-journal")
    if any(content[CHECKSUM]) or not journal.is_file():
        return content
    try:
        open_database(content).close()
    except LedgerTrouble:
        with writing_errors_as_trouble(), tempfile.TemporaryDirectory() as folder, sqlite_errors_as_trouble():
            copy = Path(folder) / path.name
            copy.write_bytes(content)
            shutil.copyfile(journal, copy.with_name(journal.name))
            with closing(sqlite3.connect(copy)) as db:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return copy.read_bytes()
    return content


def _memory_database(content: bytes = b"") -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    if content:
        db.deserialize(content)
    return db


def _empty_database(campaign: str) -> sqlite3.Connection:
    db = _memory_database()
    db.executescript(TABLES)
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", str(FORMAT)), ("campaign", campaign)])
    return db


class RecordStore:
    """The records of a ledger. Everything raises `LedgerTrouble`.

    `path`: the file that each change replaces, None for records in memory only; `mark`: the identity of that file as
    it was read or written, () for a new one; `of_before`: whether the file has the older format.
    """

    def __init__(self, path: Path | None, db: sqlite3.Connection, mark: tuple[int, ...] = (), *,
                 of_before: bool = False) -> None:
        self.path = path
        self._db = db
        self._mark, self._of_before = mark, of_before
        self.reads = 0
        """How often the file was read again because another process had replaced it."""

    @classmethod
    def create(cls, path: Path | None, campaign: str) -> RecordStore:
        """Start a new ledger; the first change writes its file."""
        with sqlite_errors_as_trouble():
            return cls(path, _empty_database(campaign))

    @classmethod
    def load(cls, path: Path) -> RecordStore:
        """Load a file. The older format is converted in memory; the next change writes the new format."""
        mark = _file_identity(path)
        content = read_recovered_content(path)
        return cls(path, open_database(content), mark, of_before=not any(content[CHECKSUM]))

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    # --- records ----------------------------------------------------------------------------
    def get(self, kind: str, name: str) -> bytes | None:
        """The bytes of a record, or None."""
        with sqlite_errors_as_trouble():
            row = self._db.execute("SELECT body FROM records WHERE kind = ? AND name = ?", (kind, name)).fetchone()
        return None if row is None else bytes(row[0])

    def need(self, kind: str, name: str) -> bytes:
        """The bytes of a record that must exist."""
        body = self.get(kind, name)
        if body is None:
            raise LedgerTrouble("unreadable", f"no {kind} {name}")
        return body

    def all(self, kind: str) -> dict[str, bytes]:
        """All records of a kind, sorted by name."""
        with sqlite_errors_as_trouble():
            return dict(self._db.execute("SELECT name, body FROM records WHERE kind = ? ORDER BY name", (kind,)))

    def last(self, kind: str) -> str:
        """The last name of a kind in alphabetical order, "" for none."""
        with sqlite_errors_as_trouble():
            row = self._db.execute("SELECT name FROM records WHERE kind = ? ORDER BY name DESC LIMIT 1",
                                   (kind,)).fetchone()
        return str(row[0]) if row else ""

    def put(self, kind: str, name: str, body: bytes) -> None:
        """Store a record, replacing one of that name. Only within `writing`."""
        with sqlite_errors_as_trouble():
            self._db.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (kind, name, body))

    def drop(self, kind: str, name: str) -> None:
        """Delete a record, if it exists. Only within `writing`."""
        with sqlite_errors_as_trouble():
            self._db.execute("DELETE FROM records WHERE kind = ? AND name = ?", (kind, name))

    # --- several together -------------------------------------------------------------------
    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: all changes within it are made, or none. At its end the file on the disk is replaced."""
        with nullcontext() if self.path is None else ledger_lock(self.path):
            self._read_again()
            before = self._db
            with sqlite_errors_as_trouble():
                self._db = _memory_database(before.serialize())
            try:
                yield
                self._replace_file()
            except BaseException:
                self._db.close()
                self._db = before
                raise
            before.close()

    def _read_again(self) -> None:
        """Read the file again if another process has replaced it."""
        if self.path is not None and self._mark and _file_identity(self.path) != self._mark:
            fresh = RecordStore.load(self.path)
            self._db.close()
            self._db, self._mark, self._of_before = fresh._db, fresh._mark, fresh._of_before
            self.reads += 1

    def _replace_file(self) -> None:
        """Let the changed records take the file's place, with their checksum."""
        if self.path is None:
            return
        with sqlite_errors_as_trouble():
            content = self._db.serialize()
        pieces = (content[:CHECKSUM.start], checksum(content), memoryview(content)[CHECKSUM.stop:])
        with writing_errors_as_trouble():
            if self._of_before:
                back_up_under(self.path, f"{self.path.stem} {FORMAT_BEFORE_LABEL}{self.path.suffix}")
            replace_atomically(self.path, pieces, new_file_path(self.path))
        self._mark, self._of_before = _file_identity(self.path), False
