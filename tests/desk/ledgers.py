"""A ledger's file in; the same with a record otherwise, damaged, or as an earlier Arbitro would have left it, out."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from assistant.ledger import Ledger
from assistant.ledger.opening import opened
from assistant.ledger.vault import Vault

FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE turns (turn TEXT PRIMARY KEY, secret BLOB NOT NULL, commitments TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE steps (
    id INTEGER PRIMARY KEY, verb TEXT NOT NULL, turn TEXT NOT NULL, phase TEXT NOT NULL,
    state TEXT NOT NULL, sha_before TEXT NOT NULL, sha_after TEXT NOT NULL, line TEXT NOT NULL,
    plan TEXT NOT NULL, book BLOB NOT NULL);
CREATE TABLE given (question TEXT PRIMARY KEY, giver TEXT NOT NULL) WITHOUT ROWID;
"""
SECOND = """
CREATE TABLE chunks (id TEXT PRIMARY KEY, rows BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (step INTEGER PRIMARY KEY, before BLOB NOT NULL, after BLOB NOT NULL, fresh TEXT NOT NULL);
CREATE TABLE heads (id TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;
"""


@contextmanager
def records(ledger: Path) -> Iterator[Vault]:
    """The records of a ledger, to be changed by somebody who seals what he writes."""
    with closing(opened(ledger, write=True)) as vault, vault.writing():
        yield vault


def rewrite(ledger: Path, kind: str, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what all records of a kind say that are JSON."""
    with records(ledger) as vault:
        for name, body in vault.all(kind).items():
            said = json.loads(body)
            change(said)
            vault.put(kind, name, json.dumps(said).encode())


def forget(ledger: Path, *kinds: str, facts: tuple[str, ...] = ()) -> None:
    """Take out all records of these kinds, and these facts."""
    with records(ledger) as vault:
        for kind in kinds:
            for name in vault.all(kind):
                vault.drop(kind, name)
        for key in facts:
            vault.drop("meta", key)


def as_of_old(path: Path, number: int) -> None:
    """Make a ledger one of format 1 or 2, as an earlier Arbitro would have written it."""
    old = path.with_name(path.name + ".old")
    with closing(sqlite3.connect(old)) as db, db, closing(opened(path, write=False)) as vault, \
            Ledger.open(path, "") as ledger:
        db.executescript(FIRST + (SECOND if number > 1 else ""))
        facts = {key: value.decode() for key, value in vault.all("meta").items() if key != "given"}
        if number == 1:
            facts = {key: facts[key] for key in ("campaign", "secret", "line", "redo")}
        db.executemany("INSERT INTO meta VALUES (?, ?)", [("format", str(number)), *facts.items()])
        for turn, promised in ledger.commitments().items():
            db.execute("INSERT INTO turns VALUES (?, ?, ?)", (turn, ledger.turn_secret(turn), json.dumps(promised)))
        db.executemany("INSERT INTO given VALUES (?, ?)", ledger.given().items())
        for step, plan in ledger._history.all():
            kept = zlib.compress(ledger.book(step.id), 0) if step.sha_before else zlib.compress(ledger.records(step.id))
            db.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
                step.id, step.verb, step.turn, step.phase, step.state, step.sha_before, step.sha_after,
                json.dumps(step.line), json.dumps(plan), kept))
            if number > 1 and step.sha_before:
                db.execute("INSERT INTO marks VALUES (?, ?, x'', '[]')", (
                    step.id, zlib.compress(ledger.manifest_before(step.id).encode())))
        if number > 1:
            names = list(vault.all("chunk"))
            db.executemany("INSERT INTO chunks VALUES (?, ?)", [(n, zlib.compress(ledger.chunk(n))) for n in names])
            db.executemany("INSERT INTO heads VALUES (?, ?)", ledger.heads().items())
    old.replace(path)
