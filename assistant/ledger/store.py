"""The ledger's file: a change that is to be made in; what it was before out, the dice secrets, and the ways back."""

from __future__ import annotations

import hmac
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from assistant.ledger.makers import Maker
from assistant.ledger.schema import FIRST_TABLES, FORMAT, HEADS, LATER_TABLES, connect
from assistant.ledger.terms import (
    BACK_AND_FORTH,
    CORRECT,
    IN_LINE,
    LedgerTrouble,
    Marks,
    Stage,
    Step,
    Trouble,
    audiences,
    sha256,
)
from assistant.turn.throws.dice import audience_secret, commitment

BEGAN = "rules"
"""Under which key stands the version of the rules with which the campaign began; older ledgers have none."""


class Ledger:
    """An open ledger; use it in a ``with`` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    # --- opening ----------------------------------------------------------------------------
    @classmethod
    def create(cls, path: Path, campaign: str, secret: bytes, rules: str = "") -> Ledger:
        """Start a ledger. `rules`: the version of the rules with which the campaign begins.

        Raises FileExistsError, or `LedgerTrouble` where it cannot be written.
        """
        if path.exists():
            raise FileExistsError(path)
        try:
            db = connect(path, "rwc")
            db.executescript(FIRST_TABLES + LATER_TABLES + HEADS)
            db.executemany("INSERT INTO meta VALUES (?, ?)", [
                ("format", str(FORMAT)), ("campaign", campaign), ("secret", secret.hex()),
                ("line", "[]"), ("redo", "[]"), (BEGAN, rules)])
        except sqlite3.Error as fault:
            raise LedgerTrouble("unwritable", str(fault)) from fault
        return cls(path, db)

    @classmethod
    def open(cls, path: Path, campaign: str, *, write: bool = False) -> Ledger:
        """Open the ledger of a campaign ("": whichever it is of), for reading unless told.

        One of an older format gets its new tables when it is opened for writing. Raises `LedgerTrouble`.
        """
        if not path.is_file():
            raise LedgerTrouble("missing")
        try:
            db = connect(path, "rw" if write else "ro")
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
        ledger = cls(path, db)
        if write and int(meta["format"]) < FORMAT:
            ledger._renovate()
        return ledger

    def _renovate(self) -> None:
        """Bring a ledger of an older format to the present one; what it never knew stays unknown."""
        with self._writing():
            for statement in filter(str.strip, LATER_TABLES.split(";")):
                self._db.execute(statement)
            self._db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(FORMAT),))

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
    def begin(self, stages: Sequence[Stage], book: bytes, *, line: Iterable[int] | None = None,
              redo: Iterable[int] | None = None, marks: Marks | None = None, sha: str = "",
              by: Maker | None = None) -> int:
        """Keep the workbook as it is before one change or several, and return the first one's number.

        `line`, `redo`: the pointers once the change is made, for the verbs that go back and forth; a
        ``resolve`` adds itself to the line, an ``undo`` to what can be redone. `marks`: what all tables hold
        once the changes are made (None: as before); `sha`: by what the workbook is known, if not by its bytes;
        `by`: who makes them, and resolves the phases among them.
        Raises `LedgerTrouble` ("unwritable") and leaves the ledger as it was.
        """
        pointers = {"line": None if line is None else list(line), "redo": None if redo is None else list(redo)}
        first = 0
        with self._writing():
            way = list(self.line)
            for stage in stages:  # a workbook is packed already
                moved = pointers if not first else dict.fromkeys(pointers)  # by the first change of a stroke
                plan = {**moved, "given": dict(stage.given), "stands": stage.stands}
                if by is not None:
                    plan["by"] = by.note
                row = self._db.execute(
                    "INSERT INTO steps (verb, turn, phase, state, sha_before, sha_after, line, plan, book)"
                    " VALUES (?, ?, ?, 'pending', ?, '', ?, ?, ?)",
                    (stage.verb, stage.turn, stage.phase, "" if first else sha or sha256(book), json.dumps(way),
                     json.dumps(plan, sort_keys=True),
                     zlib.compress(stage.records) if first else zlib.compress(book, 0)))
                number = int(row.lastrowid or 0)
                first = first or number
                if stage.verb in IN_LINE:
                    way.append(number)
                elif stage.verb == CORRECT:
                    way = list(pointers["line"] or [])
            self._mark(first, marks)
        return first

    def finish(self, step: int, book: bytes, pages: str = "", *, sha: str = "") -> None:
        """The change was made, with those of its stroke, and this is the workbook now: move the pointers as planned.

        `pages`: how its sheets were left, for those who read it next ("" for not known); `sha`: as in `begin`.
        Raises `LedgerTrouble` ("unwritable") when another process has forgotten the change in between.
        """
        with self._writing():
            stroke = self._stroke(step)
            if not stroke and self.step(step) is None:
                raise LedgerTrouble("unwritable", f"no step {step}")
            if not stroke:  # another process has found it made
                return
            for number in stroke:
                self._made(number)
            self._marked(step)
            found = self.step(step)
            if found is not None and found.verb == CORRECT:
                self._point("line", [*self.line, step])
            self._db.execute("UPDATE steps SET sha_after = ? WHERE id = ?", (sha or sha256(book), stroke[-1]))
            self._set("pages", pages)
            self._set("stands", json.dumps({"sha": sha or sha256(book), "left": {}}))

    def _made(self, step: int) -> None:
        verb, before, text = self._db.execute("SELECT verb, line, plan FROM steps WHERE id = ?", (step,)).fetchone()
        plan = json.loads(text)
        if verb in IN_LINE:
            plan["line"], plan["redo"] = [*json.loads(before), step], []
        elif verb == "undo":
            plan["redo"] = [*self.redo, step]
        self._db.execute("UPDATE steps SET state = 'done' WHERE id = ?", (step,))
        for key in ("line", "redo"):
            if plan[key] is not None:
                self._point(key, plan[key])
        self._db.executemany("INSERT OR REPLACE INTO given VALUES (?, ?)", sorted(plan["given"].items()))
        turn, codes = plan["stands"]
        if turn and not self._committed(turn):
            self._promise(turn, codes)

    def _point(self, key: str, steps: Sequence[int]) -> None:
        self._db.execute("UPDATE meta SET value = ? WHERE key = ?", (json.dumps(list(steps)), key))

    def _stroke(self, step: int) -> list[int]:
        """The pending change of that number and those that are made in one stroke with it."""
        later = self._db.execute(
            "SELECT id, sha_before FROM steps WHERE id >= ? AND state = 'pending' ORDER BY id", (step,)).fetchall()
        if not later or later[0][0] != step:
            return []
        return [step, *(number for number, _ in takewhile(lambda one: not one[1], later[1:]))]

    def abandon(self, step: int) -> None:
        """The change was not made, nor those of its stroke: forget their snapshots."""
        with self._writing():
            stroke = [(number,) for number in self._stroke(step)]
            for fresh in self._db.execute("SELECT fresh FROM marks WHERE step = ?", (step,)).fetchall():
                names = [(name,) for name in json.loads(fresh[0])]
                self._db.executemany("DELETE FROM chunks WHERE id = ?", names)
                self._db.execute(HEADS)
                self._db.executemany("DELETE FROM heads WHERE id = ?", names)
            self._db.executemany("DELETE FROM steps WHERE id = ?", stroke)
            self._db.executemany("DELETE FROM marks WHERE step = ?", stroke)

    def recover(self, book: bytes, state: Callable[[], str] | None = None) -> None:
        """Settle the change that a crash left half-way: the workbook tells whether it was made.

        `state`: by what it is known while it is open, which tells it for a change that was made to it then.
        """
        for step in self._steps("WHERE state = 'pending' AND sha_before != ''"):
            sha = state() if state is not None and ":" in step.sha_before else ""
            if (sha or sha256(book)) == step.sha_before:
                self.abandon(step.id)
            else:
                self.finish(step.id, book, sha=sha)

    def noted(self, key: str) -> str:
        """What stands under a key ("stands": by what an open workbook was known at the last change), or ""."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, key: str, value: str) -> None:
        """Let a text stand under a key, for `noted`, at once; `undo` does not take it back.

        Raises `LedgerTrouble` ("unwritable").
        """
        with self._writing():
            self._set(key, value)

    def point(self, line: Sequence[int], redo: Sequence[int], manifest: str, noted: str) -> None:
        """Move all pointers to where an open workbook stands by now; nothing is forgotten. `noted`: "stands".

        How its sheets were left belongs to the fingerprints of another moment, and is not known any more.
        """
        with self._writing():
            self._set("pages", "")
            self._point("line", line)
            self._point("redo", redo)
            self._set("manifest", manifest)
            self._set("stands", noted)

    @property
    def began(self) -> str:
        """The version of the rules with which the campaign began, "" where that was not noted yet."""
        return self.noted(BEGAN)

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def unsettled(self) -> bool:
        """Whether a change was begun and neither finished nor forgotten, so that `recover` has to settle it."""
        return self._db.execute("SELECT 1 FROM steps WHERE state = 'pending' LIMIT 1").fetchone() is not None

    # --- fingerprints -----------------------------------------------------------------------
    def keep_marks(self, marks: Marks) -> None:
        """A new workbook is about to be written that will hold this."""
        with self._writing():
            self._keep_chunks(marks)
            self._set("manifest", marks.manifest)

    def _mark(self, step: int, marks: Marks | None) -> None:
        before = self.noted("manifest")
        fresh = [] if marks is None else self._keep_chunks(marks)
        after = before if marks is None else marks.manifest
        self._db.execute("INSERT INTO marks VALUES (?, ?, ?, ?)",
                         (step, zlib.compress(before.encode()), zlib.compress(after.encode()), json.dumps(fresh)))

    def _keep_chunks(self, marks: Marks) -> list[str]:
        """Keep the chunks that are not there yet, and return their names."""
        fresh = [name for name in marks.chunks
                 if self._db.execute("SELECT 1 FROM chunks WHERE id = ?", (name,)).fetchone() is None]
        self._db.executemany("INSERT INTO chunks VALUES (?, ?)",
                             [(name, zlib.compress(marks.chunks[name])) for name in fresh])
        self._db.execute(HEADS)
        self._db.executemany("INSERT OR REPLACE INTO heads VALUES (?, ?)",
                             [(name, marks.heads[name]) for name in fresh if name in marks.heads])
        return fresh

    def _marked(self, step: int) -> None:
        """The change was made: what it wrote is what the tables hold; only what they held before is still of use."""
        row = self._db.execute("SELECT after FROM marks WHERE step = ?", (step,)).fetchone()
        if row is not None:  # a change that an older Arbitro has begun knows none
            self._set("manifest", zlib.decompress(row[0]).decode())
            self._db.execute("UPDATE marks SET after = x'', fresh = '[]' WHERE step = ?", (step,))

    def _knows_marks(self) -> bool:
        return int(self._meta("format")) >= 2

    def manifest(self, book_sha: str = "") -> str:
        """Which chunks hold what Arbitro last wrote, "" where that is not known.

        `book_sha`: of the workbook's bytes; after a crash they tell whether the change that it left
        half-way was made.
        """
        if book_sha and self._knows_marks():
            row = self._db.execute(
                "SELECT marks.after FROM marks JOIN steps ON steps.id = marks.step WHERE state = 'pending'"
                " AND sha_before != '' AND sha_before != ? ORDER BY step DESC LIMIT 1", (book_sha,)).fetchone()
            if row is not None:
                return zlib.decompress(row[0]).decode()
        return self.noted("manifest")

    def manifest_before(self, step: int) -> str:
        """`manifest` as it was before a step; "" where that is not known, or between two steps of one stroke."""
        if not self._knows_marks():
            return ""
        row = self._db.execute("SELECT before FROM marks WHERE step = ?", (step,)).fetchone()
        return zlib.decompress(row[0]).decode() if row else ""

    def pages(self) -> str:
        """How the last change left the workbook's sheets, as `finish` was told; "" for not known."""
        return self.noted("pages")

    def chunk(self, name: str) -> bytes:
        """The rows of a chunk, as they were given. Raises `LedgerTrouble` ("unreadable") when it is gone."""
        row = self._db.execute("SELECT rows FROM chunks WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise LedgerTrouble("unreadable", f"no chunk {name}")
        return zlib.decompress(row[0])

    def heads(self) -> dict[str, str]:
        """What is known of chunks without unpacking them, by name, as `Marks.heads` gave it."""
        known = self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'heads'").fetchone()
        return dict(self._db.execute("SELECT id, head FROM heads")) if known else {}

    def later(self, name: str) -> Callable[[], bytes]:
        """`chunk`, to be unpacked when it is asked for, also when the ledger is closed by then."""
        row = self._db.execute("SELECT rows FROM chunks WHERE id = ?", (name,)).fetchone()
        if row is None:
            raise LedgerTrouble("unreadable", f"no chunk {name}")
        return lambda: zlib.decompress(row[0])

    # --- looking back -----------------------------------------------------------------------
    def steps(self) -> list[Step]:
        """All changes, oldest first."""
        return self._steps("")

    def step(self, number: int) -> Step | None:
        """One change by its number, or None."""
        return next(iter(self._steps("WHERE id = ?", number)), None)

    def _steps(self, where: str, *values: int) -> list[Step]:
        rows = self._db.execute("SELECT id, verb, turn, phase, state, sha_before, sha_after, line FROM steps"
                                f" {where} ORDER BY id", values)
        return [Step(id, verb, turn, phase, state, before, after, tuple(json.loads(line)))
                for id, verb, turn, phase, state, before, after, line in rows]

    def makers(self) -> dict[int, Maker]:
        """Who resolved each phase, by the numbers of their steps; `Maker()` where no note was left."""
        return {number: Maker.of(json.loads(plan).get("by", {})) for number, plan in self._db.execute(
            "SELECT id, plan FROM steps WHERE verb = 'resolve' ORDER BY id")}

    def writers(self) -> list[Maker]:
        """Who may have worded what stands in the workbook: whoever made its last change, or all who made one where
        the last brought an older state back. `Maker()` for who left no note; [] for a workbook without a change.
        """
        made = [(verb, Maker.of(json.loads(plan).get("by", {}))) for verb, plan in self._db.execute(
            "SELECT verb, plan FROM steps ORDER BY id")]
        return [maker for _, maker in (made if made and made[-1][0] in BACK_AND_FORTH else made[-1:])]

    def book(self, step: int) -> bytes:
        """The workbook as it was before a step, or before the first one of its stroke. Raises KeyError."""
        row = self._db.execute("SELECT book FROM steps WHERE id <= ? AND sha_before != '' ORDER BY id DESC LIMIT 1",
                               (step,)).fetchone()
        if row is None or self.step(step) is None:
            raise KeyError(step)
        return zlib.decompress(row[0])

    def records(self, step: int) -> bytes:
        """How the campaign before a step differed from `book`, as its stage said; b"" for not at all.

        Raises KeyError.
        """
        row = self._db.execute("SELECT sha_before, book FROM steps WHERE id = ?", (step,)).fetchone()
        if row is None:
            raise KeyError(step)
        return b"" if row[0] else zlib.decompress(row[1])

    @property
    def line(self) -> tuple[int, ...]:
        """The resolved steps that led to the workbook as it stands, oldest first; a correction after its phases."""
        return tuple(json.loads(self._meta("line")))

    @property
    def redo(self) -> tuple[int, ...]:
        """The undone steps that `redo` can bring back, the next one last."""
        return tuple(json.loads(self._meta("redo")))

    def given(self) -> dict[str, str]:
        """Questions that the assistant answered itself -> ``robot`` or ``default``."""
        return dict(self._db.execute("SELECT question, giver FROM given ORDER BY question"))

    def _meta(self, key: str) -> str:
        if not (found := self.noted(key)):
            raise LedgerTrouble("unreadable", f"no {key}")
        return found

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
