"""Fingerprints: a campaign in; its tables out in chunks of rows, each known by a digest of what stands in it.

After every change of Arbitro's the ledger has a list of the digests (the manifest) and each chunk's rows.
To find what was changed by hand, the rows are put into chunks again: where the digests are the same nothing
was; only the other chunks are unpacked and compared, row by row after their keys. A phase adds to the
history sheets at their end, so that of ten thousand events only the last chunk is made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes
from assistant.campaign.record import Record
from assistant.campaign.table import LazyRows, Table
from assistant.ledger import Marks

CHUNK = 128
DIGITS = 32
Keyed = tuple[str, Record]
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class SheetPrint(NamedTuple):
    """One table: its rows by key in the order of the sheet, chunk by chunk, and the digest of each chunk.

    A chunk that is asleep is known to the ledger under its digest.
    """

    fields: tuple[str, ...]
    chunks: tuple[tuple[Keyed, ...] | LazyRows[Any], ...]
    digests: tuple[str, ...]

    def chunk(self, place: int) -> tuple[Keyed, ...]:
        """The rows of a chunk."""
        found = self.chunks[place]
        return tuple(zip(found.keys, found.load(), strict=True)) if isinstance(found, LazyRows) else found


@dataclass(frozen=True)
class Printed:
    """All tables of a campaign. `content`: each chunk's bytes by its digest; `heads`: what lets a chunk sleep."""

    sheets: dict[str, SheetPrint]
    content: dict[str, bytes] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)

    def marks(self, manifest: str = "") -> Marks:
        """What the ledger is to keep of it. `manifest`: the one that it has now, whose chunks it holds."""
        shown = {sheet: {"fields": one.fields, "chunks": one.digests} for sheet, one in self.sheets.items()}
        fresh = {digest: rows for digest, rows in self.content.items() if digest not in manifest}
        like = {} if not fresh else {
            name: before for sheet, one in json.loads(manifest or "{}").items() if sheet in self.sheets
            for name, before in zip(self.sheets[sheet].digests, one["chunks"], strict=False) if name in fresh}
        return Marks(_ENCODER.encode(shown), fresh, {name: self.heads[name] for name in fresh if name in self.heads},
                     like)


def printed(campaign: Campaign, before: Printed | None = None, standing: Mapping[str, Sequence[str]] | None = None
            ) -> Printed:
    """The fingerprints of a campaign. `before`: of the state from which it came; chunks of the same rows are
    not made again. `standing`: sheets whose digests are known already, because nobody touched them.
    """
    made = Printed({})
    for sheet, table in campaign.tables().items():
        if standing is not None and sheet in standing:
            fields = tuple(c.name for c in table.record.columns())
            made.sheets[sheet] = SheetPrint(fields, _chunks(table), tuple(standing[sheet]))
            continue
        one = _sheet(table, before.sheets.get(sheet) if before else None, made)
        made.sheets[sheet] = one
        if before is not None:
            made.content.update((digest, before.content[digest]) for digest in one.digests
                                if digest not in made.content and digest in before.content)
            made.heads.update((digest, before.heads[digest]) for digest in one.digests if digest in before.heads)
    return made


def _chunks(table: Table[Any]) -> tuple[tuple[Keyed, ...] | LazyRows[Any], ...]:
    """The rows in the order of the sheet, cut into chunks; what sleeps in one piece stays asleep."""
    common = table.common()  # its rows stay as they are, whatever becomes of the table
    first = {block.keys[0]: block for block in common.asleep}
    keys = list(common.rows)
    chunks = [keys[start:start + CHUNK] for start in range(0, len(keys), CHUNK)]
    whole = {mine[0]: block for mine in chunks
             if (block := first.get(mine[0])) is not None and list(block.keys) == mine}
    rows: dict[str, Any] = common.woken([block for block in common.asleep if block not in whole.values()]).rows
    return tuple(whole.get(mine[0]) or tuple((key, rows[key]) for key in mine) for mine in chunks)


def _sheet(table: Table[Any], before: SheetPrint | None, made: Printed) -> SheetPrint:
    fields = tuple(c.name for c in table.record.columns())
    values = attrgetter(*fields) if len(fields) > 1 else lambda row: (getattr(row, fields[0]),)
    chunks, digests = _chunks(table), []
    for place, part in enumerate(chunks):
        if isinstance(part, LazyRows):
            digests.append(part.name)
            continue
        if before is not None and place < len(before.digests) and _alike(part, before.chunk(place)):
            digests.append(before.digests[place])
            continue
        packed = _ENCODER.encode([values(row) for _, row in part]).encode()
        digest = hashlib.sha256(packed).hexdigest()[:DIGITS]
        digests.append(digest)
        made.content[digest] = packed
        if head := _head(table.record, part):
            made.heads[digest] = head
    return SheetPrint(fields, chunks, tuple(digests))


def _head(record: type[Record], part: Sequence[Keyed]) -> str:
    """What is to be known of a chunk while it sleeps, its keys and turns; "" for one that may not."""
    if len(part) < CHUNK or not record.unique or "turn" not in {c.name for c in record.columns()}:
        return ""
    if not (record.grows or all(row.hold == "settled" for _, row in part)):
        return ""
    turns = sorted({row.turn for _, row in part})  # type: ignore[attr-defined]
    return _ENCODER.encode({"keys": [key for key, _ in part], "turns": turns})


def asleep(record: type[Record], name: str, head: str, fields: Sequence[str], content: Callable[[], bytes]
           ) -> LazyRows[Any]:
    """A chunk that is not unpacked before somebody asks for its rows. `head`: as the ledger has it."""
    known = json.loads(head)
    return LazyRows(known["keys"], frozenset(known["turns"]), name, lambda: unpacked(record, fields, content()))


def _alike(part: Sequence[Keyed], before: Sequence[Keyed]) -> bool:
    return len(part) == len(before) and all(
        row is was or vars(row) == vars(was) for (_, row), (_, was) in zip(part, before, strict=True))


class Differing(NamedTuple):
    """The rows of one table that may differ: as Arbitro wrote them, and as they stand (with their keys)."""

    record: type[Record]
    written: list[Record]
    standing: list[Keyed]


def differing(manifest: str, now: Printed, records: Iterable[type[Record]],
              chunk: Callable[[str], bytes]) -> list[Differing]:
    """The rows of all chunks that are not the same in a manifest and in a state.

    `chunk`: gives a chunk of the manifest by its digest. A table that the manifest does not know is left out.
    """
    written = json.loads(manifest)
    found = []
    for record in records:
        then, one = written.get(record.sheet), now.sheets[record.sheet]
        if then is None or (then["chunks"], then["fields"]) == (list(one.digests), list(one.fields)):
            continue
        comparable = then["fields"] == list(one.fields)
        shared = Counter(then["chunks"]) & Counter(one.digests) if comparable else Counter[str]()
        old = [row for digest in _without(then["chunks"], shared)
               for row in unpacked(record, then["fields"], chunk(then["chunks"][digest]))]
        new = [row for place in _without(one.digests, shared) for row in one.chunk(place)]
        found.append(Differing(record, old, new))
    return found


def _without(digests: Sequence[str], shared: Counter[str]) -> list[int]:
    """The places of the digests that are left when the shared ones are taken out."""
    left = Counter(shared)
    places = []
    for place, digest in enumerate(digests):
        if left[digest]:
            left[digest] -= 1
        else:
            places.append(place)
    return places


def unpacked(record: type[Record], fields: Sequence[str], content: bytes) -> list[Record]:
    """The rows of a chunk; a column that is new since takes its default, one that is gone is left out."""
    kinds = {c.name: c.kind for c in record.columns()}
    if list(fields) == list(kinds) and not any(isinstance(kind, Codes) for kind in kinds.values()):
        rows = []
        for values in json.loads(content):  # as `Record.copy`: a campaign's history is ten thousand rows
            row = object.__new__(record)
            row.__dict__ = dict(zip(fields, values, strict=True))
            rows.append(row)
        return rows
    return [record(**{name: tuple(value) if isinstance(kinds[name], Codes) else value
                      for name, value in zip(fields, values, strict=True) if name in kinds})
            for values in json.loads(content)]


def shown(row: Record, name: str) -> str:
    """The canonical text of a field, by which values are compared: what is written and what is read are the same."""
    value: Any = getattr(row, name)
    return row.column(name).kind.show(value).replace("\r\n", "\n")
