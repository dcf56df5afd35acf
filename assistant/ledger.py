"""The referee's private file beside the workbook: snapshots before every change, and the dice secret.

An SQLite file named as the workbook with the ending ``.arbitro``. One rollback journal, no side files
that outlive a command, so that it may lie on a stick or a shared folder. Nothing in it is guessed:
a ledger that is missing, damaged, of another campaign or of a newer Arbitro is `LedgerTrouble`.

A change is written in three steps, so that a crash at any instant loses nothing: `begin` stores the
workbook as it is, the workbook is replaced, `finish` moves the pointers. `recover` settles what a
crash left between the first and the last.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

from assistant.turn.dice import PUBLIC, REFEREE, audience_secret, commitment

FORMAT = 1
ENDING = ".arbitro"
SECRET_BYTES = 32

Trouble = Literal["missing", "unreadable", "foreign", "newer", "unwritable"]
TROUBLES: tuple[Trouble, ...] = ("missing", "unreadable", "foreign", "newer", "unwritable")

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE turns (turn TEXT PRIMARY KEY, secret BLOB NOT NULL, commitments TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE steps (
    id INTEGER PRIMARY KEY, verb TEXT NOT NULL, turn TEXT NOT NULL, phase TEXT NOT NULL,
    state TEXT NOT NULL, sha_before TEXT NOT NULL, sha_after TEXT NOT NULL, line TEXT NOT NULL,
    plan TEXT NOT NULL, book BLOB NOT NULL);
CREATE TABLE given (question TEXT PRIMARY KEY, giver TEXT NOT NULL) WITHOUT ROWID;
"""


class LedgerTrouble(Exception):
    """The ledger cannot be used. `kind` is one of `TROUBLES`."""

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        super().__init__(f"ledger {kind}: {detail}" if detail else f"ledger {kind}")
        self.kind: Trouble = kind


@dataclass(frozen=True)
class Step:
    """One change that was made, with the workbook as it was before.

    `verb`: ``resolve`` (a phase ended), ``wait`` (a phase stopped for answers), ``orders``, ``mark``,
    ``undo``, ``redo``, ``renew``; `line`: the resolved steps that had led to the workbook before it.
    """

    id: int
    verb: str
    turn: str
    phase: str
    state: str
    sha_before: str
    sha_after: str
    line: tuple[int, ...]


def path_of(book: Path) -> Path:
    """Where the ledger of a workbook lies: beside it, with the ending ``.arbitro``."""
    return book.with_suffix(ENDING)


def sha256(content: bytes) -> str:
    """The fingerprint by which a workbook's bytes are known."""
    return hashlib.sha256(content).hexdigest()


def campaign_id(secret: bytes) -> str:
    """A campaign's id, drawn from its first secret (which it does not give away)."""
    return hashlib.sha256(b"arbitro|campaign|" + secret).hexdigest()[:12]


def audiences(codes: Iterable[str]) -> list[str]:
    """Who may own a secret of a turn: all, the referee, each faction, each two factions."""
    known = sorted(codes)
    return [PUBLIC, REFEREE, *known, *("+".join(pair) for pair in combinations(known, 2))]


class Ledger:
    """An open ledger; use it in a ``with`` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    # --- opening ----------------------------------------------------------------------------
    @classmethod
    def create(cls, path: Path, campaign: str, secret: bytes) -> Ledger:
        """Start a ledger. Raises FileExistsError, or `LedgerTrouble` where it cannot be written."""
        if path.exists():
            raise FileExistsError(path)
        try:
            db = _connect(path, "rwc")
            db.executescript(_TABLES)
            db.executemany("INSERT INTO meta VALUES (?, ?)", [
                ("format", str(FORMAT)), ("campaign", campaign), ("secret", secret.hex()),
                ("line", "[]"), ("redo", "[]")])
        except sqlite3.Error as fault:
            raise LedgerTrouble("unwritable", str(fault)) from fault
        return cls(path, db)

    @classmethod
    def open(cls, path: Path, campaign: str, *, write: bool = False) -> Ledger:
        """Open the ledger of a campaign ("": whichever it is of), for reading unless told.

        Raises `LedgerTrouble`.
        """
        if not path.is_file():
            raise LedgerTrouble("missing")
        try:
            db = _connect(path, "rw" if write else "ro")
            meta = dict(db.execute("SELECT key, value FROM meta"))
        except sqlite3.Error as fault:
            raise LedgerTrouble("unreadable", str(fault)) from fault
        trouble: Trouble | None = None
        if not meta.get("format", "").isdigit():
            trouble = "unreadable"
        elif int(meta["format"]) > FORMAT:
            trouble = "newer"
        elif campaign and meta.get("campaign") != campaign:
            trouble = "foreign"
        if trouble:
            db.close()
            raise LedgerTrouble(trouble)
        return cls(path, db)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the dice secret --------------------------------------------------------------------
    @property
    def secret(self) -> bytes:
        """The campaign's secret, from which each turn's is drawn."""
        return bytes.fromhex(self._meta("secret"))

    def turn_secret(self, turn: str) -> bytes:
        """The secret of a turn: the stored one, else HMAC-SHA256(campaign's secret, turn)."""
        row = self._db.execute("SELECT secret FROM turns WHERE turn = ?", (turn,)).fetchone()
        return bytes(row[0]) if row else hmac.digest(self.secret, f"arbitro|turn|{turn}".encode(), "sha256")

    def commit_turn(self, turn: str, codes: Iterable[str]) -> None:
        """Store a turn's secret and the commitments to print, unless that was done before."""
        if not self._committed(turn):
            with self._writing():
                self._promise(turn, codes)

    def _committed(self, turn: str) -> bool:
        return self._db.execute("SELECT 1 FROM turns WHERE turn = ?", (turn,)).fetchone() is not None

    def _promise(self, turn: str, codes: Iterable[str]) -> None:
        secret = self.turn_secret(turn)
        promised = {who: commitment(audience_secret(secret, turn, who)) for who in audiences(codes)}
        self._db.execute("INSERT INTO turns VALUES (?, ?, ?)", (turn, secret, json.dumps(promised)))

    def commitments(self) -> dict[str, dict[str, str]]:
        """What was promised: turn -> audience -> SHA-256 of its secret."""
        return {turn: json.loads(text)
                for turn, text in self._db.execute("SELECT turn, commitments FROM turns ORDER BY turn")}

    def secrets(self, turn: str) -> dict[str, str]:
        """A turn's secrets in hexadecimal digits by audience, to be revealed when the turn is over."""
        row = self._db.execute("SELECT commitments FROM turns WHERE turn = ?", (turn,)).fetchone()
        secret = self.turn_secret(turn)
        return {who: audience_secret(secret, turn, who).hex() for who in (json.loads(row[0]) if row else {})}

    # --- changes ----------------------------------------------------------------------------
    def begin(self, verb: str, turn: str, phase: str, book: bytes, *, line: Iterable[int] | None = None,
              redo: Iterable[int] | None = None, given: Mapping[str, str] | None = None) -> int:
        """Keep the workbook as it is before a change, and return the step's number.

        `line`, `redo`: the pointers once the change is made, for the verbs that go back and forth; a
        ``resolve`` adds itself to the line, an ``undo`` to what can be redone. `given`: questions that
        the assistant answered -> ``robot`` or ``default``. Raises `LedgerTrouble` ("unwritable") and
        leaves the ledger as it was.
        """
        plan = {"line": None if line is None else list(line), "redo": None if redo is None else list(redo),
                "given": dict(given or {})}
        with self._writing():
            row = self._db.execute(
                "INSERT INTO steps (verb, turn, phase, state, sha_before, sha_after, line, plan, book)"
                " VALUES (?, ?, ?, 'pending', ?, '', ?, ?, ?)",
                (verb, turn, phase, sha256(book), self._meta("line"), json.dumps(plan, sort_keys=True),
                 zlib.compress(book)))
        return int(row.lastrowid or 0)

    def finish(self, step: int, book: bytes, turn: str = "", codes: Iterable[str] = ()) -> None:
        """The change was made and this is the workbook now: move the pointers as planned.

        `turn`: where the campaign stands now, to be committed to for these factions in the same stroke.
        """
        with self._writing():
            if turn and not self._committed(turn):
                self._promise(turn, codes)
            verb, before, text = self._db.execute(
                "SELECT verb, line, plan FROM steps WHERE id = ?", (step,)).fetchone()
            plan = json.loads(text)
            if verb == "resolve":
                plan["line"], plan["redo"] = [*json.loads(before), step], []
            elif verb == "undo":
                plan["redo"] = [*self.redo, step]
            self._db.execute("UPDATE steps SET state = 'done', sha_after = ? WHERE id = ?", (sha256(book), step))
            for key in ("line", "redo"):
                if plan[key] is not None:
                    self._db.execute("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(plan[key]), key))
            self._db.executemany("INSERT OR REPLACE INTO given VALUES (?, ?)", sorted(plan["given"].items()))

    def abandon(self, step: int) -> None:
        """The change was not made: forget its snapshot."""
        with self._writing():
            self._db.execute("DELETE FROM steps WHERE id = ? AND state = 'pending'", (step,))

    def recover(self, book: bytes) -> None:
        """Settle the step that a crash left half-way: the workbook tells whether it was made."""
        for step in [s for s in self.steps() if s.state == "pending"]:
            if sha256(book) == step.sha_before:
                self.abandon(step.id)
            else:
                self.finish(step.id, book)

    # --- looking back -----------------------------------------------------------------------
    def steps(self) -> list[Step]:
        """All changes, oldest first."""
        rows = self._db.execute(
            "SELECT id, verb, turn, phase, state, sha_before, sha_after, line FROM steps ORDER BY id")
        return [Step(id, verb, turn, phase, state, before, after, tuple(json.loads(line)))
                for id, verb, turn, phase, state, before, after, line in rows]

    def step(self, number: int) -> Step | None:
        """One change by its number, or None."""
        return next((s for s in self.steps() if s.id == number), None)

    def book(self, step: int) -> bytes:
        """The workbook as it was before a step. Raises KeyError."""
        row = self._db.execute("SELECT book FROM steps WHERE id = ?", (step,)).fetchone()
        if row is None:
            raise KeyError(step)
        return zlib.decompress(row[0])

    @property
    def line(self) -> tuple[int, ...]:
        """The resolved steps that led to the workbook as it stands, oldest first."""
        return tuple(json.loads(self._meta("line")))

    @property
    def redo(self) -> tuple[int, ...]:
        """The undone steps that `redo` can bring back, the next one last."""
        return tuple(json.loads(self._meta("redo")))

    def given(self) -> dict[str, str]:
        """Questions that the assistant answered itself -> ``robot`` or ``default``."""
        return dict(self._db.execute("SELECT question, giver FROM given ORDER BY question"))

    def _meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise LedgerTrouble("unreadable", f"no {key}")
        return str(row[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as fault:
            raise LedgerTrouble("unwritable", str(fault)) from fault


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that writes through to the disk. Raises sqlite3.Error."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5)
    db.execute("PRAGMA synchronous = EXTRA")
    return db


def state(path: Path, campaign: str) -> Trouble | Literal["ok"]:
    """Whether a campaign's ledger can be used, for the commands that only look."""
    try:
        with closing(Ledger.open(path, campaign)):
            return "ok"
    except LedgerTrouble as trouble:
        return trouble.kind
