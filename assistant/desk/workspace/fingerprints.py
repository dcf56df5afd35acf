"""Marks and fingerprints by which workbook and ledger know each other, and the campaign as the ledger last saw it."""

from __future__ import annotations

import hashlib
import json
import platform
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.columns import Codes
from assistant.campaign.records import Desk, Order
from assistant.campaign.tables import LazyRows, Record, SharedRows, Table
from assistant.environment import file_identity, user_name
from assistant.ledger import Fingerprints, Ledger, LedgerTrouble, PlannedStep, path_of_ledger
from assistant.ledger.file import from_runs, to_runs
from assistant.turn.rulebooks import load
from assistant.workbook.port import Loader, UntouchedRows, WrittenSheet

# The chain of marks on the Desk.
#
# Each change of the campaign adds a mark, a hash of the mark before it and of what it changes. The ledger stores the
# marks of its changes. So it can be told whether workbook and ledger are of the same version, of two versions of one
# history, or of two histories, whatever a cloud folder or a backup has put beside the other. The same change of the
# same workbook gets the same mark on every computer.


MARKS_KEPT = 60
"""How many of the last marks are on the Desk."""
CHECKSUM_SIGN = "#"


class ChangeMark(NamedTuple):
    """Identifies a change. `phases`: how many it resolved, less those that it took back; `digest`: eight hex digits."""

    phases: int
    digest: str

    def __str__(self) -> str:
        return f"{self.phases}-{self.digest}"


def parse_marks(text: str) -> list[ChangeMark]:
    """The marks on a Desk, oldest first; [] if there are none or somebody has typed over them."""
    body, _, check = text.strip().rpartition(f" {CHECKSUM_SIGN}")
    if not body or check != _checksum(body):
        return []
    return [parse_mark(word) for word in body.split()]


def parse_mark(text: str) -> ChangeMark:
    """Parse a mark. Raises ValueError."""
    phases, _, digest = text.rpartition("-")
    return ChangeMark(int(phases), digest)


def format_marks(marks: Sequence[ChangeMark]) -> str:
    """The marks as the Desk holds them, with a checksum that shows whether somebody has typed over them."""
    body = " ".join(map(str, marks[-MARKS_KEPT:]))
    return f"{body} {CHECKSUM_SIGN}{_checksum(body)}" if body else ""


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def add_mark(before: Campaign, after: Campaign, stages: Sequence[PlannedStep], fingerprints: str, phases: int) -> str:
    """Add the mark of a change to the Desk of the state that it leads to, and return it.

    `fingerprints`: those of the workbook before it, edited by hand or not; `phases`: how many it resolved, less those
    that it took back.
    """
    known = parse_marks(before.desk.marks)
    after.desk.marks = before.desk.marks
    planned = [(stage.verb, stage.turn, stage.phase) for stage in stages]
    what = repr((format_marks(known[-1:]), planned, fingerprints, changes(before, after)))
    mark = ChangeMark(phases, hashlib.blake2b(what.encode(
        "utf-8", "surrogatepass"), digest_size=4).hexdigest())
    after.desk.marks = format_marks([*known, mark])
    return str(mark)


def user_and_computer() -> str:
    """The user and the computer, as the ledger notes them."""
    return f"{user_name()} ({platform.node()})"


# Fingerprints.
#
# After every change of Arbitro's the ledger has a list of digests (the manifest) and the rows of each chunk. To find
# edits made by hand, the rows are cut into chunks again: only where the digests differ are the chunks unpacked and
# compared, row by row. A phase adds to the end of the history sheets, so that of ten thousand events only the last
# chunk is made anew.


CHUNK_ROWS = 128
DIGEST_DIGITS = 32
KeyedRow = tuple[str, Record]
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class SheetFingerprint(NamedTuple):
    """One table: its rows by key in the order of the sheet, chunk by chunk, and the digest of each chunk.

    A chunk of `LazyRows` is known to the ledger under its digest.
    """

    fields: tuple[str, ...]
    chunks: tuple[tuple[KeyedRow, ...] | LazyRows[Any], ...]
    digests: tuple[str, ...]

    def chunk(self, place: int) -> tuple[KeyedRow, ...]:
        """The rows of a chunk."""
        rows = self.chunks[place]
        return tuple(zip(rows.keys, rows.load(), strict=True)) if isinstance(rows, LazyRows) else rows


class CampaignFingerprint(NamedTuple):
    """Fingerprints of all tables. `content`: chunk bytes by digest; `heads`: what must be known of lazy chunks."""

    sheets: dict[str, SheetFingerprint]
    content: dict[str, bytes]
    heads: dict[str, str]

    def marks(self, manifest: str = "") -> Fingerprints:
        """What the ledger is to store. `manifest`: its present one, whose chunks it has already."""
        shown = {sheet: {"fields": prints.fields, "chunks": prints.digests} for sheet, prints in self.sheets.items()}
        fresh = {digest: rows for digest, rows in self.content.items() if digest not in manifest}
        heads = {name: self.heads[name] for name in fresh if name in self.heads}
        return Fingerprints(_ENCODER.encode(shown), fresh, heads)


def fingerprint_campaign(
    campaign: Campaign, before: CampaignFingerprint | None = None, standing: Mapping[str, Sequence[str]] | None = None
) -> CampaignFingerprint:
    """The fingerprints of a campaign.

    `before`: those of the state that it came from, to reuse chunks of the same rows; `standing`: sheets whose digests
    are known already, because nobody touched them.
    """
    made = CampaignFingerprint({}, {}, {})
    for sheet, table in campaign.tables().items():
        if standing is not None and sheet in standing:
            fields = tuple(c.name for c in table.record.columns())
            made.sheets[sheet] = SheetFingerprint(fields, _cut_into_chunks(table), tuple(standing[sheet]))
            continue
        prints = _fingerprint_sheet(table, before.sheets.get(sheet) if before else None, made)
        made.sheets[sheet] = prints
        if before is not None:
            made.content.update((digest, before.content[digest]) for digest in prints.digests
                                if digest not in made.content and digest in before.content)
            made.heads.update((digest, before.heads[digest]) for digest in prints.digests if digest in before.heads)
    return made


def _cut_into_chunks(table: Table[Any]) -> tuple[tuple[KeyedRow, ...] | LazyRows[Any], ...]:
    """The rows in the order of the sheet, cut into chunks; lazy blocks that fit stay lazy."""
    common = table.common()  # a snapshot: later changes of the table do not affect it
    first = {block.keys[0]: block for block in common.asleep}
    keys = list(common.rows)
    chunks = [keys[start:start + CHUNK_ROWS] for start in range(0, len(keys), CHUNK_ROWS)]
    whole = {mine[0]: block for mine in chunks
             if (block := first.get(mine[0])) is not None and list(block.keys) == mine}
    rows: dict[str, Any] = common.wake([block for block in common.asleep if block not in whole.values()]).rows
    return tuple(whole.get(mine[0]) or tuple((key, rows[key]) for key in mine) for mine in chunks)


def _fingerprint_sheet(
    table: Table[Any], before: SheetFingerprint | None, made: CampaignFingerprint
) -> SheetFingerprint:
    fields = tuple(c.name for c in table.record.columns())
    values = attrgetter(*fields) if len(fields) > 1 else lambda row: (getattr(row, fields[0]),)
    chunks, digests = _cut_into_chunks(table), []
    for place, part in enumerate(chunks):
        if isinstance(part, LazyRows):
            digests.append(part.name)
            continue
        if before is not None and place < len(before.digests) and _same_rows(part, before.chunk(place)):
            digests.append(before.digests[place])
            continue
        packed = _ENCODER.encode([values(row) for _, row in part]).encode()
        digest = hashlib.sha256(packed).hexdigest()[:DIGEST_DIGITS]
        digests.append(digest)
        made.content[digest] = packed
        if head := _chunk_head(table.record, part):
            made.heads[digest] = head
    return SheetFingerprint(fields, chunks, tuple(digests))


def _chunk_head(record: type[Record], part: Sequence[KeyedRow]) -> str:
    """What must be known of a chunk before it is unpacked, its keys and turns; "" if it may not be lazy."""
    # the last chunk still grows
    if len(part) < CHUNK_ROWS or not record.unique or "turn" not in {c.name for c in record.columns()}:
        return ""
    if not (record.grows or all(row.hold == "settled" for _, row in part)):
        return ""
    turns = sorted({row.turn for _, row in part})  # type: ignore[attr-defined]
    return _ENCODER.encode({"keys": [key for key, _ in part], "turns": turns})


def lazy_chunk(record: type[Record], name: str, head: str, fields: Sequence[str], content: Callable[[], bytes]
           ) -> LazyRows[Any]:
    """A chunk that is unpacked when somebody asks for its rows. `head`: from the ledger."""
    known = json.loads(head)
    return LazyRows(known["keys"], frozenset(known["turns"]), name, lambda: unpack_rows(record, fields, content()))


def _same_rows(part: Sequence[KeyedRow], before: Sequence[KeyedRow]) -> bool:
    return len(part) == len(before) and all(
        row is was or vars(row) == vars(was) for (_, row), (_, was) in zip(part, before, strict=True))


class TableDifference(NamedTuple):
    """The rows of one table that may differ: as Arbitro wrote them, and as they are now (with their keys)."""

    record: type[Record]
    written: list[Record]
    standing: list[KeyedRow]


def differing_tables(manifest: str, now: CampaignFingerprint, records: Iterable[type[Record]],
              chunk: Callable[[str], bytes]) -> list[TableDifference]:
    """The rows of all chunks that differ between a manifest and a state.

    `chunk`: returns a chunk of the manifest by its digest. Tables that the manifest lacks are left out.
    """
    written = json.loads(manifest)
    differences = []
    for record in records:
        then, current = written.get(record.sheet), now.sheets[record.sheet]
        if then is None or (then["chunks"], then["fields"]) == (list(current.digests), list(current.fields)):
            continue
        comparable = then["fields"] == list(current.fields)
        shared = Counter(then["chunks"]) & Counter(current.digests) if comparable else Counter[str]()
        old = [row for digest in _unshared_places(then["chunks"], shared)
               for row in unpack_rows(record, then["fields"], chunk(then["chunks"][digest]))]
        new = [row for place in _unshared_places(current.digests, shared) for row in current.chunk(place)]
        differences.append(TableDifference(record, old, new))
    return differences


def _unshared_places(digests: Sequence[str], shared: Counter[str]) -> list[int]:
    """The indexes of the digests that are not shared."""
    left = Counter(shared)
    places = []
    for place, digest in enumerate(digests):
        if left[digest]:
            left[digest] -= 1
        else:
            places.append(place)
    return places


def unpack_rows(record: type[Record], fields: Sequence[str], content: bytes) -> list[Record]:
    """The rows of a chunk; newer columns take their defaults, columns that are gone are dropped."""
    kinds = {c.name: c.kind for c in record.columns()}
    if list(fields) == list(kinds) and not any(isinstance(kind, Codes) for kind in kinds.values()):
        rows = []
        for values in json.loads(content):  # as `Record.copy`, for speed: a campaign's history has ten thousand rows
            row = object.__new__(record)
            row.__dict__ = dict(zip(fields, values, strict=True))
            rows.append(row)
        return rows
    return [row_from_values(record, fields, values) for values in json.loads(content)]


def canonical_text(row: Record, name: str) -> str:
    """The canonical text of a field, for comparing values: it is the same before writing and after reading."""
    value: Any = getattr(row, name)
    return row.column(name).kind.show(value).replace("\r\n", "\n")


# Workbook and ledger of two histories: where they diverge, and what each has since.
#
# That happens when two computers continue from the same point, or a cloud folder puts the workbook of one beside the
# ledger of the other.


R = TypeVar("R", bound=Record)


class ProgressSince(NamedTuple):
    """How many phases and orders one side has since the last common point."""

    phases: int
    orders: int


class Divergence(NamedTuple):
    """Where two histories diverge.

    `turn`, `phase`: the last common point; `line`: the steps that had led there; `book`, `ledger`: what each has since;
    `who`: the user and computer that last changed the ledger.
    """

    turn: str
    phase: str
    line: tuple[int, ...]
    book: ProgressSince
    ledger: ProgressSince
    who: str


def find_divergence(campaign: Campaign, ledger: Ledger) -> Divergence | None:
    """How a workbook and its ledger diverge; None if they do not, or if it cannot be told.

    Raises `LedgerTrouble`.
    """
    here, now = parse_marks(campaign.desk.marks), ledger.mark
    if not here or not now or now in map(str, here):
        return None
    chain = ledger.chain(now)
    if str(here[-1]) in chain or ledger.step_after_mark(str(here[-1])):
        return None
    way = list(chain)
    since = next((n for n, mark in enumerate(reversed(here)) if str(mark) in chain), len(here))
    point = str(here[-1 - since]) if since < len(here) else ""
    # the marks before have been dropped from the Desk: nobody can tell
    if point not in chain or (not point and len(here) == MARKS_KEPT):
        return None
    theirs = way[:way.index(point)]
    first = ledger.step_after_mark(point) or ledger.step(chain[theirs[-1]])
    assert first is not None
    then = ledger.manifest_known(first.id)
    desk: Desk | None = next(iter(_sheet_rows(ledger, then, Desk)), None)
    orders, ours = _order_keys(ledger, then), {row.ident for row in campaign.table(Order)}
    return Divergence(
        desk.turn if desk else first.turn,
        desk.phase if desk else first.phase,
        first.line,
        ProgressSince(_count_phases(here[len(here) - since :]), len(ours - orders)),
        ProgressSince(_count_phases(map(parse_mark, theirs)), len(_order_keys(ledger, ledger.manifest()) - orders)),
        ledger.who([step.id for step in ledger.steps() if step.sha_before][-1]),
    )


def _count_phases(marks: Iterable[ChangeMark]) -> int:
    return max(0, sum(mark.phases for mark in marks))


def _order_keys(ledger: Ledger, manifest: str) -> set[str]:
    return {row.ident for row in _sheet_rows(ledger, manifest, Order)}


def _sheet_rows(ledger: Ledger, manifest: str, record: type[R]) -> list[R]:
    sheet_prints = json.loads(manifest or "{}").get(record.sheet)
    rows = [] if sheet_prints is None else [row for name in sheet_prints["chunks"]
                                            for row in unpack_rows(record, sheet_prints["fields"], ledger.chunk(name))]
    return [row for row in rows if isinstance(row, record)]


# The cache of untouched sheets.
#
# The ledger holds every row that was written. If a sheet's bytes are unchanged, its rows need neither be read nor
# compared. A campaign of a hundred turns has a hundred times the history, but a phase should cost no more for that:
# without this cache turn 100 takes 2.8 times as long as turn 10, and turn 300 6.3 times, where our limits are 1.5 and
# 2.5. If a single character of the sheet has changed, it is read as usual.


class SheetCache:
    """The cache of a workbook's sheets, in the ledger beside it; use it in a ``with`` statement.

    It is empty if there is no usable ledger: the commands that need one say what is wrong.
    """

    def __init__(self, book: Path) -> None:
        self._path = path_of_ledger(book)
        self._ledger: Ledger | None = None
        self._then = file_identity(self._path)
        self._pages: Mapping[str, Any] = {}
        self._manifest: Mapping[str, Any] = {}
        self._heads: Mapping[str, str] = {}
        self.codes = ""
        """`load_campaign.codes_print` of the campaign as it was written."""
        self.unsettled = False
        """Whether a crash or a full disk interrupted a change."""
        self.mark = ""
        """The workbook's mark when it was last written."""
        self.began: str | None = None
        """The version of the rules with which the campaign began, "" if not noted, None without a ledger."""
        self.package = ""
        """The mark of the house rules with code with which the campaign is played, "" for none."""

    def __enter__(self) -> SheetCache:
        try:
            self._ledger = Ledger.open(self._path, "")
            known = json.loads(self._ledger.pages() or "{}")
            self._pages, self.codes = known.get("sheets", {}), known.get("codes", "")
            self._manifest = json.loads(self._ledger.manifest() or "{}") if self._pages else {}
            self._heads = self._ledger.heads() if self._pages else {}
            self.unsettled, self.mark = self._ledger.unsettled, self._ledger.mark
            self.began, self.package = self._ledger.began, self._ledger.package
        except LedgerTrouble:
            self._pages = {}
        return self

    def __exit__(self, *_: object) -> None:
        if self._ledger is not None:
            self._ledger.close()
        self._ledger, self._pages = None, {}

    @property
    def moved(self) -> bool:
        """Whether the ledger was replaced since the cache was made."""
        return file_identity(self._path) != self._then

    def known_rows(self, prints: Mapping[type[Record], str]) -> dict[str, UntouchedRows]:
        """English sheet name -> records and row numbers, for the sheets whose bytes are unchanged.

        `prints`: the fingerprint of each sheet's bytes.
        """
        known_rows = ((record.sheet, self._rows(record, print)) for record, print in prints.items())
        return {sheet: known for sheet, known in known_rows if known is not None}

    def _rows(self, record: type[Record], print: str) -> UntouchedRows | None:
        page, then = self._pages.get(record.sheet), self._manifest.get(record.sheet)
        if self._ledger is None or page is None or then is None or page["print"] != print:
            return None
        if then["fields"] != [c.name for c in record.columns()]:
            return None
        known = UntouchedRows(from_runs(page["rows"]), [])
        try:
            for name in then["chunks"]:
                content = self._ledger.later(name)
                head = self._heads.get(name)
                known.parts.append(unpack_rows(record, then["fields"], content()) if head is None
                                   else lazy_chunk(record, name, head, then["fields"], content))
        except LedgerTrouble:
            return None
        return known if known.fits() else None


def encode_pages(pages: Mapping[str, WrittenSheet], codes: str, without: Iterable[str] = ()) -> str:
    """What the ledger stores about the sheets after a writing.

    `codes`: `load_campaign.codes_print` of what was written; `without`: sheets that must be read next time.
    """
    left = set(without)
    kept = {sheet: {"print": page.print, "rows": to_runs(page.numbers)} for sheet, page in pages.items()
            if sheet not in left}
    return json.dumps({"codes": codes, "sheets": kept}, sort_keys=True, separators=(",", ":")) if kept else ""


# Campaigns of the past, from the rows in the ledger.
#
# Walking through a long past meets most rows many times. Sheets that are equal in two of these campaigns share their
# rows, so that nobody has to compare them; and settled rows are unpacked only when somebody asks for them.


NO_ROWS: dict[str, Any] = {"fields": [], "chunks": []}
"""Stands for a sheet in a manifest that is older than the sheet's declaration."""


class LedgerCampaigns:
    """The campaigns of a ledger. `records`: the record class of each sheet."""

    def __init__(self, ledger: Ledger, records: Mapping[str, type[Record]]) -> None:
        self._ledger, self._records = ledger, records
        self._heads: Mapping[str, str] | None = None
        self._blocks: dict[tuple[str, str], LazyRows[Any]] = {}
        self._sheets: dict[str, tuple[dict[str, Any], SharedRows[Any]]] = {}
        """For each sheet its entry in the last manifest, and its rows."""

    def campaign(self, manifest: str) -> Campaign | None:
        """The campaign of a manifest; None if that lacks one of the sheets, or two rows have the same key.

        Raises `LedgerTrouble`.
        """
        prints = json.loads(manifest)
        if not all(sheet in prints or record.quiet or record.apart for sheet, record in self._records.items()):
            return None
        try:
            return Campaign.over(self._records, {sheet: self._rows(record, prints.get(sheet, NO_ROWS))
                                                 for sheet, record in self._records.items()})
        except KeyError:
            return None

    def _rows(self, record: type[Record], prints: dict[str, Any]) -> SharedRows[Any]:
        known = self._sheets.get(record.sheet)
        if known is not None and known[0] == prints:
            return known[1]
        if self._heads is None:
            self._heads = self._ledger.heads()
        parts = [self._part(record, name, prints["fields"]) for name in prints["chunks"]]
        if any(isinstance(part, LazyRows) for part in parts):
            table = Table.partly_asleep(record, parts)
            if len(table) != sum(len(part.keys) if isinstance(part, LazyRows) else len(part) for part in parts):
                raise KeyError(record.sheet)
        else:
            table = Table(record, [row for part in parts if not isinstance(part, LazyRows) for row in part])
        common = table.common()
        self._sheets[record.sheet] = prints, common
        return common

    def _part(self, record: type[Record], name: str, fields: list[str]) -> LazyRows[Any] | list[Record]:
        block = self._blocks.get((record.sheet, name))
        if block is not None:
            return block
        content, head = self._ledger.later(name), (self._heads or {}).get(name)
        if head is None or fields != [c.name for c in record.columns()]:
            return unpack_rows(record, fields, content())
        block = self._blocks[record.sheet, name] = lazy_chunk(record, name, head, fields, content)
        return block


# Snapshots of an open workbook.
#
# A file is stored as its bytes and identified by their fingerprint. A workbook that is open in a program has no bytes
# of its own, so it is identified by a fingerprint of its records: the same whenever it shows the same, saved or not.
# That also reveals when the program itself has undone a change of Arbitro's, or was closed without saving.


OPEN_BOOK_MAGIC = b"ARBITRO-OPEN-1\n"
OPEN_BOOK_PREFIX = "records:"
"""How the fingerprint of an open workbook begins in the ledger."""


class BookSnapshot(NamedTuple):
    """What the ledger stores of a workbook (`content`) and the fingerprint of an open one (`sha`)."""

    content: bytes
    sha: str


def rows_to_values(record: type[Record], rows: list[Record]) -> dict[str, Any]:
    """Rows as plain values."""
    names = [c.name for c in record.columns()]
    return {"fields": names, "rows": [[getattr(row, name) for name in names] for row in rows]}


def row_from_values(record: type[Record], fields: Sequence[str], values: Sequence[Any]) -> Record:
    """A row from plain values; newer columns take their defaults, columns that are gone are dropped."""
    kinds = {c.name: c.kind for c in record.columns()}
    return record(**{name: tuple(value) if isinstance(kinds[name], Codes) else value
                     for name, value in zip(fields, values, strict=True) if name in kinds})


def campaign_bytes(campaign: Campaign) -> bytes:
    """All rows of a campaign; equal rows give equal bytes."""
    tables = {sheet: rows_to_values(table.record, [row for _, row in table.raw_rows()])
              for sheet, table in campaign.tables().items()}
    text = json.dumps({"ruleset": campaign.desk.ruleset, "tables": tables}, ensure_ascii=False, sort_keys=True,
                      separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def open_book_fingerprint(campaign: Campaign) -> str:
    """The fingerprint of an open workbook."""
    return OPEN_BOOK_PREFIX + hashlib.sha256(campaign_bytes(campaign)).hexdigest()


def open_book_snapshot(campaign: Campaign, file: bytes) -> BookSnapshot:
    """The snapshot of an open workbook. `file`: as it was last saved, b"" if it never was."""
    records = campaign_bytes(campaign)
    return BookSnapshot(with_head(OPEN_BOOK_MAGIC, records, file),
                        OPEN_BOOK_PREFIX + hashlib.sha256(records).hexdigest())


def with_head(magic: bytes, head: bytes, rest: bytes) -> bytes:
    """What the ledger stores of a workbook that is no plain file: `magic` tells it, then come `head` and the file."""
    return magic + len(head).to_bytes(8, "big") + head + rest


def split_head(magic: bytes, content: bytes) -> tuple[bytes, bytes]:
    """The head and the file that `with_head` has put together; b"" and all of it for anything else."""
    if not content.startswith(magic):
        return b"", content
    rest = content[len(magic):]
    end = 8 + int.from_bytes(rest[:8], "big")
    return rest[8:end], rest[end:]


def saved_file(content: bytes) -> bytes:
    """The workbook's file in the ledger's copy: all of it, or the file as last saved of an open workbook."""
    return split_head(OPEN_BOOK_MAGIC, content)[1]


def campaign_from_snapshot(content: bytes, loader: Loader | None = None) -> Campaign | None:
    """The campaign in the snapshot of an open workbook; None if the ledger's copy is a file.

    Raises KeyError if its ruleset is not installed.
    """
    records, _ = split_head(OPEN_BOOK_MAGIC, content)
    if not records:
        return None
    kept = json.loads(records.decode("utf-8", "surrogatepass"))
    campaign = Campaign((loader or load)(kept["ruleset"]).records)
    for sheet, part in kept["tables"].items():
        if sheet in campaign.tables():
            record = campaign.by_sheet(sheet).record
            campaign.put(Table(record, [row_from_values(record, part["fields"], values) for values in part["rows"]]))
    return campaign


def follow_open_book(ledger: Ledger, state: str) -> bool:
    """Move the ledger to the state of an open workbook, and return whether it had to move.

    It has to if the program itself has undone or redone changes, or was closed without saving. `state`: the workbook's
    present fingerprint.

    Raises `LedgerTrouble`.
    """
    done = [s for s in ledger.steps() if s.state == "done"]
    here: dict[str, Any] = json.loads(ledger.read_note("stands") or '{"sha": "", "left": {}}')
    if not done or state == here["sha"]:
        return False
    then = here["left"].get(state)
    if then is None:
        step = next((s for s in reversed(done) if s.sha_before == state), None)
        if step is None:
            return False
        then = {"line": list(step.line), "redo": [], "manifest": ledger.manifest_before(step.id),
                "mark": ledger.mark_before(step.id)}
    now = {"line": list(ledger.line), "redo": list(ledger.redo), "manifest": ledger.manifest(),
           "mark": ledger.mark}
    noted = {"sha": state, "left": {**here["left"], here["sha"]: now}}
    ledger.point(then["line"], then["redo"], then["manifest"], json.dumps(noted, sort_keys=True),
                 then.get("mark", ""))
    return True
