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
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args

import assistant
from assistant.files import WAITS, back_up, name_again, replace_whole
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.ruleset import Ruleset

# The words of the ledger: one change that was made or is to be made, what it marks, and what can be wrong with it.


ENDING = ".arbitro"
SECRET_BYTES = 32
CORRECT = "correct"
"""The verb of a correction of the past."""
DECIDED = ("accept", "revert")
"""The verbs of decisions on changes by hand."""
BACK_AND_FORTH = ("undo", "redo")
"""The verbs of the changes that bring back what stood there before."""
COLLECT = "collect"
"""The verb of what came back from the clubs and was taken."""
SHARE = "share"
"""The verb of the change that gives an older workbook the columns which the first `share` offers."""
UNREAD = "-"
"""By what a workbook is known that nobody could read."""
TAKEN = "take"
"""The verb of the change that takes a workbook as it stands into a ledger that knew less: before it nothing is proved
since the change before.
"""
LAYOUT, MAP = "layout", "map"
"""The verbs of the change that says where places lie on the map, and of the one that puts the map into the workbook,
or colours a club's own shapes.
"""
IN_LINE = ("resolve", *DECIDED, COLLECT, SHARE, LAYOUT, MAP)
"""The verbs of the changes that `undo` takes back one by one."""

Trouble = Literal["missing", "unreadable", "foreign", "newer", "old", "unwritable", "busy", "full", "denied", "lost"]
"""What can be wrong. `unreadable`: damaged; `denied`: it or its folder is read-only, or belongs to somebody else;
`old`: of a format that nobody converts any more; `lost`: a snapshot that could not be rescued from a damaged one.
"""
TROUBLES: tuple[Trouble, ...] = get_args(Trouble)
_DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
_FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}


class LedgerTrouble(Exception):
    """The ledger cannot be used. `kind` is one of `TROUBLES`."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"ledger {kind}: {detail}" if detail else f"ledger {kind}")
        self.kind: Trouble = kind
        self.detail = detail


def trouble_of(fault: OSError) -> Trouble:
    """What the machine's report on a file means. Who may not replace a file on Windows is kept from it by a program."""
    if isinstance(fault, PermissionError) and os.name == "nt":
        return "busy"
    return "denied" if fault.errno in _DENIED else "full" if fault.errno in _FULL else "unwritable"


@dataclass(frozen=True)
class Step:
    """One change that was made, with the workbook as it was before.

    `verb`: ``resolve`` (a phase ended), ``wait`` (a phase stopped for answers), ``orders``, ``mark``,
    ``undo``, ``redo``, ``renew``, ``accept``, ``revert``, ``collect``, ``share``, ``layout``, ``correct``; `line`: the
    steps that had led to the workbook before it, each of which can be taken back (`IN_LINE`);
    `sha_before`: "" when the step was made in one stroke with the step before it.
    """

    id: int
    verb: str
    turn: str
    phase: str
    state: str
    sha_before: str
    sha_after: str
    line: tuple[int, ...]

    def made(self, sha_after: str) -> Step:
        """The step once it was made. `sha_after`: by what the workbook is known then, "" within a stroke."""
        return replace(self, state="done", sha_after=sha_after)


@dataclass(frozen=True)
class Stage:
    """One change that is to be made. `turn`, `phase`: where the campaign stood before it.

    `given`: questions that the assistant answered -> ``robot`` or ``default``; `stands`: the turn to which
    it leads and the factions to which dice are promised for it; `records`: how the campaign before it
    differed from the workbook as it is (b"" for the first change of a stroke).
    """

    verb: str
    turn: str
    phase: str
    given: Mapping[str, str] = field(default_factory=dict)
    stands: tuple[str, tuple[str, ...]] = ("", ())
    records: bytes = b""


@dataclass(frozen=True)
class Marks:
    """What Arbitro wrote into all tables. `manifest`: which chunks of rows, "" for not known; `chunks`:
    those of them that may be new, by their names in the manifest; `heads`: what is to be known of some of these
    without unpacking them; `like`: for some of them one that is kept already and has much in common with it.
    """

    manifest: str
    chunks: Mapping[str, bytes] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)
    like: Mapping[str, str] = field(default_factory=dict)


def path_of(book: Path) -> Path:
    """Where the ledger of a workbook lies: beside it, with the ending ``.arbitro``."""
    return book.with_suffix(ENDING)


def sha256(content: bytes) -> str:
    """The fingerprint by which a workbook's bytes are known."""
    return hashlib.sha256(content).hexdigest()


def campaign_id(secret: bytes) -> str:
    """A campaign's id, drawn from its first secret (which it does not give away)."""
    return hashlib.sha256(b"arbitro|campaign|" + secret).hexdigest()[:12]


def mark_between(mark: str, number: int, phases: int) -> str:
    """By what a workbook would be known between two changes of a stroke. `mark`: of the whole stroke; `number`: after
    how many changes; `phases`: how many of them stand.
    """
    return f"{phases}-{hashlib.blake2b(f'{mark} {number}'.encode(), digest_size=4).hexdigest()}"


def audiences(codes: Iterable[str]) -> list[str]:
    """Who may own a secret of a turn: all, the referee, each faction, each two factions."""
    known = sorted(codes)
    return [PUBLIC, REFEREE, *known, *("+".join(pair) for pair in combinations(known, 2))]


# A ruleset in, who resolves its phases now out: the version of Arbitro, of the rules, and the code's fingerprint.


FLOOR = ("assistant.campaign", "assistant.turn")
"""What every ruleset stands on."""
COUNTED = (".py", ".csv", ".json", ".toml")
"""Files that say how a phase is resolved."""
DIGITS = 12


@dataclass(frozen=True)
class Maker:
    """Who resolved a phase. `arbitro`, `rules`: versions; `code`: fingerprint of the code that a phase runs through.

    All are "" for one that left no note.
    """

    arbitro: str = ""
    rules: str = ""
    code: str = ""

    @classmethod
    def of(cls, noted: Mapping[str, Any]) -> Maker:
        """The maker of a note as `note` gave it; of another one what it says."""
        return cls(*(str(noted.get(name, "")) for name in ("arbitro", "rules", "code")))

    @property
    def note(self) -> dict[str, str]:
        """Plain values for the ledger."""
        return asdict(self)


def maker_of(ruleset: Ruleset) -> Maker:
    """The code that runs now, with this ruleset."""
    return Maker(assistant.__version__, ruleset.version, _code(home_of(type(ruleset).__module__)))


def home_of(module: str) -> str:
    """The package whose code is a ruleset's: its wing of the house, or all that a plug-in brings."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[0] == "assistant" else parts[:1])


@lru_cache(maxsize=16)
def _code(home: str) -> str:
    """The fingerprint of the floor's code and a ruleset's, the same wherever it is installed."""
    digest = hashlib.sha256()
    for package in (*FLOOR, home):
        for name, content in _files(package):
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:DIGITS]


def _files(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a module alone, by name; line ends as on every system."""
    spec = importlib.util.find_spec(package)
    for place in [] if spec is None else spec.submodule_search_locations or [spec.origin or ""]:
        found = _below(place) if os.path.isdir(place) else {os.path.basename(place): place}
        for name in sorted(found):
            if name.endswith(COUNTED) and os.path.isfile(found[name]):
                with open(found[name], "rb") as stream:
                    yield name, stream.read().replace(b"\r\n", b"\n")


def _below(place: str) -> dict[str, str]:
    """Name with slashes -> path of all files in a folder and below; every command asks, so without `Path`."""
    found = {}
    for folder, _, names in os.walk(place):
        home = folder[len(place):].replace(os.sep, "/")
        found.update({f"{home}/{name}".lstrip("/"): os.path.join(folder, name) for name in names})
    return found


# One process of this computer changes a ledger at a time; the others wait.
#
# The lock lies in the system's folder for temporary files and not beside the ledger: a cloud folder would carry it to
# other computers, where nobody holds it. The system takes it back when the process ends however it ends.


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


# The form of the ledger's file.
#
# The file is an SQLite database that is never changed where it lies. It is read whole into memory, a change is made
# there, and the new content takes the file's place in one step: no journal lies beside it that a cloud folder could
# bring back later, and who looks holds nothing. SQLite's number for the program that uses a file (`user_version`)
# holds a checksum of all other bytes, so that what somebody's disk, stick or cloud has changed is damage and never
# read as ours.
#
# Who changes it holds a lock of this computer meanwhile and first reads again what another process has put there; two
# computers are kept apart by the claim on the workbook.


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
