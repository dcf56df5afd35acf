"""Ledgers of formats 1 and 2: an open one in; its records in the present form out, and nothing lost.

They are SQLite files with a table for each kind, without seals. Format 1 knew no fingerprints of cells; both keep each
snapshot whole.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from assistant.ledger.history import History, name_of
from assistant.ledger.packing import packed
from assistant.ledger.terms import LedgerTrouble, Step
from assistant.ledger.vault import FORMAT, Vault, told

Row = tuple[Any, ...]
COLUMNS = {
    "meta": ("key", "value"), "turns": ("turn", "secret", "commitments"), "given": ("question", "giver"),
    "steps": ("id", "verb", "turn", "phase", "state", "sha_before", "sha_after", "line", "plan", "book"),
    "chunks": ("id", "rows"), "heads": ("id", "head"), "marks": ("step", "before", "after", "fresh")}
ALWAYS = ("meta", "turns", "steps", "given")


def copy(db: sqlite3.Connection, vault: Vault) -> None:
    """All records of an earlier ledger into an empty vault. Raises `LedgerTrouble`."""
    with told(), vault.writing():
        db.execute("BEGIN")  # all of one moment
        there = {name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        rows = {table: _rows(db, table) if table in there or table in ALWAYS else iter(()) for table in COLUMNS}
        _copy(rows, vault)
        db.execute("ROLLBACK")


def _rows(db: sqlite3.Connection, table: str) -> Iterator[Row]:
    names = COLUMNS[table]
    return iter(db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {names[0]}"))


def _copy(rows: dict[str, Iterator[Row]], vault: Vault) -> None:
    try:
        known: dict[str, str] = dict(rows["meta"])
        for key, value in known.items():
            if key != "format":
                vault.put("meta", key, value.encode())
        front(vault, known["campaign"])
        vault.put("meta", "given", json.dumps(dict(rows["given"])).encode())
        for turn, secret, promised in rows["turns"]:
            vault.put("turn", turn, json.dumps({"secret": bytes(secret).hex(), "commitments": json.loads(promised),
                                                "campaign": known["campaign"], "root": known["secret"]}).encode())
        _steps(rows["steps"], vault)
        _prints(rows, vault)
    except (KeyError, ValueError, TypeError, AttributeError, zlib.error) as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault


def front(vault: Vault, campaign: str) -> None:
    """What an earlier Arbitro reads of a ledger of the present format."""
    vault.note(("format", str(FORMAT)), ("campaign", campaign))


def _steps(rows: Iterable[Row], vault: Vault) -> None:
    history = History(vault)
    for row in rows:
        keep_step(row, history, vault)


def keep_step(row: Row, history: History, vault: Vault) -> None:
    """Take over a change with the workbook before it. Raises ValueError, TypeError, KeyError, zlib.error for none."""
    number, verb, turn, phase, state, before, after, line, plan, book = row
    history.put(Step(number, verb, turn, phase, state, before, after, tuple(json.loads(line))), json.loads(plan))
    content = zlib.decompress(book)
    if before:
        history.keep("book", number, content)
    else:
        vault.put("part", name_of(number), packed(content))


def _prints(rows: dict[str, Iterator[Row]], vault: Vault) -> None:
    """The fingerprints: chunks that stood in one place, one after the other, are alike."""
    history = History(vault)
    manifests = {step: (zlib.decompress(before).decode(), after, fresh) for step, before, after, fresh in rows["marks"]}
    chunks = {name: zlib.decompress(kept) for name, kept in rows["chunks"]}
    like: dict[str, str] = {}
    place: dict[tuple[str, int], str] = {}
    for manifest in (*(before for before, _, _ in manifests.values()), _noted(vault, "manifest")):
        for sheet, one in json.loads(manifest or "{}").items():
            for number, name in enumerate(one["chunks"]):
                like.setdefault(name, place.get((sheet, number), ""))
                place[sheet, number] = name
    for name in (*like, *(one for one in chunks if one not in like)):
        if name in chunks:
            history.keep_chunk(name, chunks[name], like.get(name, ""))
    for step, (before, after, fresh) in manifests.items():
        history.keep("marks", step, f"{before}\0".encode())
        if after:
            vault.put("after", name_of(step), packed(zlib.decompress(after)))
            vault.put("fresh", name_of(step), fresh.encode())
    for name, head in rows["heads"]:
        vault.put("head", name, packed(head.encode()))


def _noted(vault: Vault, key: str) -> str:
    return (vault.get("meta", key) or b"").decode()
