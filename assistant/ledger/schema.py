"""The form of the ledger's file: a path in; a connection out, and the tables that it has by its format."""

from __future__ import annotations

import sqlite3
from pathlib import Path

FORMAT = 2

FIRST_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE turns (turn TEXT PRIMARY KEY, secret BLOB NOT NULL, commitments TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE steps (
    id INTEGER PRIMARY KEY, verb TEXT NOT NULL, turn TEXT NOT NULL, phase TEXT NOT NULL,
    state TEXT NOT NULL, sha_before TEXT NOT NULL, sha_after TEXT NOT NULL, line TEXT NOT NULL,
    plan TEXT NOT NULL, book BLOB NOT NULL);
CREATE TABLE given (question TEXT PRIMARY KEY, giver TEXT NOT NULL) WITHOUT ROWID;
"""
LATER_TABLES = """
CREATE TABLE IF NOT EXISTS chunks (id TEXT PRIMARY KEY, rows BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS marks (
    step INTEGER PRIMARY KEY, before BLOB NOT NULL, after BLOB NOT NULL, fresh TEXT NOT NULL);
"""
"""What format 2 added: the fingerprints of the cells. A ledger of format 1 knows none until the first change."""
HEADS = "CREATE TABLE IF NOT EXISTS heads (id TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;"
"""What saves unpacking chunks. A ledger may lack it, or lack some: then they are unpacked, as in earlier versions."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection that writes through to the disk. Raises sqlite3.Error."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5)
    db.execute("PRAGMA synchronous = EXTRA")
    return db
