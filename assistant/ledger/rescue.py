"""A damaged ledger in; a new one beside it out that holds whatever can be read of it, and what was lost.

Of the present format the pages of the file are read as they lie there: SQLite itself reads nothing behind a page that
leads to others and is damaged. What is read is believed where its seal fits. A record may lie in the file in several
versions; the one that was written last has the highest number. Of the earlier formats, which have no seals, SQLite
gives what it can.
"""

from __future__ import annotations

import json
import sqlite3
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from assistant.campaign.order import natural
from assistant.dataclass import dataclass
from assistant.ledger import earlier
from assistant.ledger.history import History, name_of
from assistant.ledger.opening import NEW, take_place
from assistant.ledger.outbox import Outbox
from assistant.ledger.packing import packed
from assistant.ledger.store import Ledger
from assistant.ledger.terms import IN_LINE, LedgerTrouble, campaign_id
from assistant.ledger.vault import Vault, connect, seal

HEADER = 100
LEAF = 0x0D
BLOB = 12
"""From here on even numbers say of a row's field that it holds bytes."""
KINDS = ("meta", "turn", "step", "part", "chunk", "head", "after", "fresh", "marks", "book", "mail", "letter",
         "said")
Records = dict[tuple[str, str], bytes]
Keys = dict[tuple[str, str], None]
MADE_AGAIN = ("campaign", "secret", "line", "manifest", "pages", "stands")
"""The keys of what was noted that is known from elsewhere, or told of by a line of its own."""


@dataclass(frozen=True)
class Rescued:
    """What came of it. `kept`: where the damaged ledger lies now; `turns`, `steps`, `books`: how many promises, changes
    and snapshots were read; `lost`: the changes that are not known any more, `unkept`: those without their snapshot;
    `no_pointers`: what could be undone is not known any more; `no_prints`: nor what stood in the cells; `no_promises`:
    the turns whose promises are lost; `no_mails`: of how many mails something is; `no_notes`: the keys of what was
    noted beside.
    """

    kept: str
    turns: int
    steps: int
    books: int
    lost: tuple[int, ...]
    unkept: tuple[int, ...]
    no_pointers: bool
    no_prints: bool
    no_promises: tuple[str, ...] = ()
    no_mails: int = 0
    no_notes: tuple[str, ...] = ()


def rescue(path: Path) -> Rescued:
    """Write what can be read of a ledger into a new one, which takes its place; the old one stays beside it.

    Raises `LedgerTrouble`: "missing"; "unreadable" where not even the secret of the dice can be read.
    """
    if not path.is_file():
        raise LedgerTrouble("missing")
    fresh = path.with_name(path.name + NEW)
    try:
        data = path.read_bytes()
        found, broken = _carved(data)
        found = found or _of_an_earlier_format(path)
        _complete(found)
        fresh.unlink(missing_ok=True)
        with closing(Vault.create(fresh, found["meta", "campaign"].decode())) as vault:
            result = _written(found, broken, vault, _aside(path))
        with Ledger.open(fresh, "") as ledger:
            ledger.check()
        path.with_name(result.kept).write_bytes(data)
        take_place(fresh, path)
    except OSError as fault:
        raise LedgerTrouble("unwritable", str(fault)) from fault
    finally:
        fresh.unlink(missing_ok=True)
    return result


def _aside(path: Path) -> str:
    """The first free name for the damaged ledger."""
    number = 1
    while path.with_name(f"{path.name}.damaged-{number}").exists():
        number += 1
    return f"{path.name}.damaged-{number}"


def _complete(found: Records) -> None:
    """See that the campaign and its secret are there, of which each promise holds a copy. Raises `LedgerTrouble`."""
    for (kind, _), body in list(found.items()):
        if kind == "turn":
            said = json.loads(body)
            for key, name in (("campaign", "campaign"), ("secret", "root")):
                if name in said:
                    found.setdefault(("meta", key), str(said[name]).encode())
    secret = found.get(("meta", "secret"))
    if secret is None:
        raise LedgerTrouble("unreadable", "no secret")
    found.setdefault(("meta", "campaign"), campaign_id(bytes.fromhex(secret.decode())).encode())


# --- the present format ---------------------------------------------------------------------------
def _carved(data: bytes) -> tuple[Records, Keys]:
    """All sealed records that lie in the pages of a file; and of which nothing is left but a version that does not fit
    its seal.
    """
    size = int.from_bytes(data[16:18], "big")
    sizes = [size] if size >= 512 and size & (size - 1) == 0 else []
    for page_size in dict.fromkeys([*sizes, 4096]):
        found: dict[tuple[str, str], tuple[int, bytes]] = {}
        broken: Keys = {}
        for number in range(len(data) // page_size):
            for version, kind, name, body in _leaf(data, page_size, number):
                if body is None:
                    broken[kind, name] = None
                elif found.get((kind, name), (-1, b""))[0] < version:
                    found[kind, name] = version, body
        if found:
            return {key: body for key, (_, body) in found.items()}, {key: None for key in broken if key not in found}
    return {}, {}


def _leaf(data: bytes, size: int, number: int) -> Iterator[tuple[int, str, str, bytes | None]]:
    """The records of a page, if it is one that holds rows: version, kind, name, bytes (None: not as sealed)."""
    start, at = number * size, number * size + (HEADER if number == 0 else 0)
    if data[at] != LEAF:
        return
    count = int.from_bytes(data[at + 3:at + 5], "big")
    for cell in range(min(count, size // 4)):
        place = int.from_bytes(data[at + 8 + 2 * cell:at + 10 + 2 * cell], "big")
        with suppress(IndexError, ValueError, struct.error):  # a cell that is none
            row = _row(data, size, start + place)
            if row is not None:
                yield row


def _row(data: bytes, size: int, at: int) -> tuple[int, str, str, bytes | None] | None:
    length, at = _varint(data, at)
    version, at = _varint(data, at)
    payload = _payload(data, size, at, length)
    head, mark = _varint(payload, 0)
    types = []
    while mark < head:
        kind, mark = _varint(payload, mark)
        types.append(kind)
    fields, mark = [], head
    for kind in types:
        width = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]
        fields.append(payload[mark:mark + width])
        mark += width
    if len(fields) != 5:
        return None
    kind_name, name, body = fields[1].decode(), fields[2].decode(), fields[4]
    if kind_name not in KINDS or types[3] < BLOB or types[3] % 2:  # a row of the file's own list of tables
        return None
    return version, kind_name, name, body if seal(kind_name, name, body) == fields[3] else None


def _payload(data: bytes, size: int, at: int, length: int) -> bytes:
    """A row's bytes, those that lie on further pages with it."""
    most = size - 35
    if length <= most:
        return data[at:at + length]
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts, rest = [data[at:at + here]], length - here
    page = int.from_bytes(data[at + here:at + here + 4], "big")
    while rest > 0 and 0 < page <= len(data) // size:
        place = (page - 1) * size
        parts.append(data[place + 4:place + 4 + min(rest, size - 4)])
        rest -= size - 4
        page = int.from_bytes(data[place:place + 4], "big")
    return b"".join(parts)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """SQLite's number of one to nine bytes, and where it ends. Raises IndexError."""
    value = 0
    for count in range(9):
        byte = data[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, at + count + 1
    raise IndexError(at)


# --- the earlier formats ----------------------------------------------------------------------------
def _of_an_earlier_format(path: Path) -> Records:
    """What SQLite reads of a ledger of format 1 or 2, row by row from either end. Raises `LedgerTrouble`."""
    try:
        db = connect(path, "ro")
    except sqlite3.Error as fault:
        raise LedgerTrouble("unreadable", str(fault)) from fault
    with closing(db), closing(Vault.create(None, "")) as vault, vault.writing():
        rows = {table: list(_readable(db, table)) for table in earlier.COLUMNS}
        facts = {key: value for key, value in rows["meta"] if isinstance(key, str) and isinstance(value, str)}
        root = facts.get("secret", "")
        for key, value in facts.items():
            vault.put("meta", key, value.encode())
        for turn, secret, promised in rows["turns"]:
            with suppress(ValueError, TypeError):
                said = {"secret": bytes(secret).hex(), "commitments": json.loads(promised)}
                vault.put("turn", str(turn), json.dumps(said | ({"root": root} if root else {})).encode())
        vault.put("meta", "given", json.dumps(dict(rows["given"])).encode())
        _rescue_steps(rows["steps"], vault)
        for name, kept in rows["chunks"]:
            with suppress(zlib.error, TypeError):
                History(vault).keep_chunk(str(name), zlib.decompress(kept))
        for name, head in rows["heads"]:
            vault.put("head", str(name), packed(str(head).encode()))
        return {(kind, name): body for kind in KINDS for name, body in vault.all(kind).items()}


def _readable(db: sqlite3.Connection, table: str) -> Iterator[earlier.Row]:
    """The rows of a table up to the first that cannot be read, from its beginning and from its end."""
    names = earlier.COLUMNS[table]
    seen = set()
    for order in ("", " DESC"):
        with suppress(sqlite3.Error, UnicodeError):
            for row in db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {names[0]}{order}"):
                if row[0] not in seen:
                    seen.add(row[0])
                    yield row


def _rescue_steps(rows: list[earlier.Row], vault: Vault) -> None:
    history = History(vault)
    for row in sorted(rows, key=lambda row: int(row[0])):
        with suppress(ValueError, TypeError, KeyError, zlib.error):
            earlier.keep_step(row, history, vault)


# --- writing ------------------------------------------------------------------------------------------
def _written(found: Mapping[tuple[str, str], bytes], broken: Keys, vault: Vault, kept: str) -> Rescued:
    """Write the records that can be used, secrets and promises first; and say what is missing. `broken`: those that
    are there no more, as far as the file says so itself.
    """
    with vault.writing():
        for kind in KINDS:
            for name in sorted(name for one, name in found if one == kind):
                vault.put(kind, name, found[kind, name])
    history = History(vault)
    steps = {int(name): kind for kind, name in found if kind == "step"}
    numbers = [int(name) for kind, name in found if kind in ("step", "part", "marks", "book")]
    unkept = []
    with vault.writing():
        for kind in ("chunk", "marks", "book"):
            _drop_unusable(kind, vault, history)
        _forget_unknown(vault, history)
        for number in sorted(steps):
            step, _ = history.get(number)
            kind = "book" if step.sha_before else "part"
            if vault.get(kind, name_of(number)) is None:
                unkept.append(number)
        no_prints = _check_prints(vault)
        gone = [number for number in unkept if not _known_by_rows(number, history)]
        no_pointers = _point(vault, history, sorted(steps), gone)
    lost = tuple(n for n in range(1, max(numbers, default=0) + 1) if n not in steps)
    notes = tuple(name for kind, name in broken if kind == "meta" and name not in MADE_AGAIN)
    return Rescued(kept, len(vault.all("turn")), len(steps), len(vault.all("book")), lost, tuple(unkept), no_pointers,
                   no_prints, _promises_gone(vault, history, broken), _mails_gone(vault, broken), notes)


def _promises_gone(vault: Vault, history: History, broken: Keys) -> tuple[str, ...]:
    """The turns of which something was promised that is not there any more."""
    promised = {name: None for kind, name in broken if kind == "turn"}
    for step, plan in history.all():
        if step.state == "done" and plan["stands"][0]:
            promised[str(plan["stands"][0])] = None
    return tuple(sorted(set(promised) - set(vault.all("turn")), key=natural))


def _mails_gone(vault: Vault, broken: Keys) -> int:
    """Of how many mails something is missing: their row, the letter of one that is still to leave, what they said."""
    rows = Outbox(vault).rows()
    named = [name for kind, name in broken if kind == "mail"]
    gaps = max((row.number for row in rows), default=0) - len(rows)
    letters = sum(row.open and vault.get("letter", row.ident) is None for row in rows)
    return max(len(named), gaps) + letters + sum(kind == "said" for kind, _ in broken)


def _forget_unknown(vault: Vault, history: History) -> None:
    """Where a chunk is lost that stood in the cells before a change, it is not known any more what stood there: what
    was kept of the workbook says it.
    """
    there = set(vault.all("chunk"))
    kept = {int(name): history.kept("marks", int(name)) or b"" for name in vault.all("marks")}
    for number in kept:
        vault.drop("marks", name_of(number))
    for number, content in kept.items():
        before, _, found = content.decode().partition("\0")
        if not _all_there(before, there):
            before, found = "", "" if found == "=" else found
        found = found if found == "=" or _all_there(found, there) else ""
        history.keep("marks", number, f"{before}\0{found}".encode())


def _all_there(manifest: str, chunks: Collection[str]) -> bool:
    """Whether all chunks that a manifest names are there; not for none."""
    try:
        return bool(manifest) and all(name in chunks for one in json.loads(manifest).values() for name in one["chunks"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _drop_unusable(kind: str, vault: Vault, history: History) -> None:
    """Take out what differs from something that is lost."""
    for name in list(vault.all(kind)):
        try:
            if kind == "chunk":
                history.chunk(name)()
            else:
                history.kept(kind, int(name))
        except LedgerTrouble:
            vault.drop(kind, name)


def _known_by_rows(number: int, history: History) -> bool:
    """Whether what stood in the cells before a change is known, though the file is lost."""
    found = (history.kept("marks", number) or b"").decode().partition("\0")[2]
    return bool(found)


def _check_prints(vault: Vault) -> bool:
    """Forget the fingerprints of the cells where one of their chunks is lost; whether that was so."""
    whole = _all_there((vault.get("meta", "manifest") or b"").decode(), vault.all("chunk"))
    if not whole:
        for key in ("manifest", "pages"):
            vault.put("meta", key, b"")
    return not whole


def _point(vault: Vault, history: History, steps: list[int], gone: list[int]) -> bool:
    """Put the pointers right: what can be undone ends where nothing is known of before. Whether they were lost."""
    kept = vault.get("meta", "line")
    if kept is not None:
        line: list[Any] = json.loads(kept)
    elif steps:
        last, _ = history.get(steps[-1])
        line = [*last.line, *([last.id] if last.verb in IN_LINE and last.state == "done" else [])]
    else:
        line = []
    usable: list[int] = []
    for number in reversed(line):
        if number not in steps or number in gone:
            break
        usable.insert(0, number)
    redo = [number for number in json.loads(vault.get("meta", "redo") or b"[]")
            if number in steps and number not in gone]
    vault.put("meta", "line", json.dumps(usable).encode())
    vault.put("meta", "redo", json.dumps(redo).encode())
    if vault.get("meta", "rules") is None:
        vault.put("meta", "rules", b"")
    return kept is None
