"""Marks and fingerprints by which workbook and ledger know each other, and the campaign as the ledger last saw it."""

from __future__ import annotations

import getpass
import hashlib
import json
import platform
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.columns import Codes
from assistant.campaign.records import Desk, Order
from assistant.campaign.tables import LazyRows, Record, SharedRows, Table
from assistant.ledger import Ledger, LedgerTrouble, Marks, Stage, path_of
from assistant.turn.ruleset import load
from assistant.workbook.port import Known, Loader, Page

# The chain of marks on the Desk: each change of the campaign adds one, made of the one before and of what it changes.
#
# The ledger keeps the marks of its changes. So a workbook and a ledger are known to be of one history, of one history
# at two moments, or of two histories, whatever a cloud folder or a backup has put beside the other. The same change
# of the same workbook gets the same mark on every computer.


KEPT = 60
"""So many of the last marks stand on the Desk."""
CHECK = "#"


class Mark(NamedTuple):
    """What a change is known by. `phases`: how many it resolved, less those that it took back; `digest`: eight
    hexadecimal digits.
    """

    phases: int
    digest: str

    def __str__(self) -> str:
        return f"{self.phases}-{self.digest}"


def marks_of(text: str) -> list[Mark]:
    """The marks that stand on a Desk, the oldest first; [] where somebody has typed over them, or none stand there."""
    body, _, check = text.strip().rpartition(f" {CHECK}")
    if not body or check != _check(body):
        return []
    return [read_mark(one) for one in body.split()]


def read_mark(text: str) -> Mark:
    """A mark as `str` gives it. Raises ValueError."""
    phases, _, digest = text.rpartition("-")
    return Mark(int(phases), digest)


def text_of(marks: Sequence[Mark]) -> str:
    """The marks as they stand on the Desk, with a checksum that tells whether somebody has typed there."""
    body = " ".join(map(str, marks[-KEPT:]))
    return f"{body} {CHECK}{_check(body)}" if body else ""


def _check(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"


def add_mark(before: Campaign, after: Campaign, stages: Sequence[Stage], found: str, phases: int) -> str:
    """Add the mark of a change to the Desk of the state that it leads to, and return it.

    `found`: the fingerprints of what stood there before, typed over or not; `phases`: how many it resolved, less those
    that it took back.
    """
    known = marks_of(before.desk.marks)
    after.desk.marks = before.desk.marks
    said = [(one.verb, one.turn, one.phase) for one in stages]
    what = repr((known[-1:], said, found, changes(before, after)))
    mark = Mark(phases, hashlib.blake2b(what.encode(
        "utf-8", "surrogatepass"), digest_size=4).hexdigest())
    after.desk.marks = text_of([*known, mark])
    return str(mark)


def this_computer() -> str:
    """Who works on which computer, as the ledger notes it."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):  # an account without a name
        user = "?"
    return f"{user} ({platform.node()})"


# Fingerprints.
#
# After every change of Arbitro's the ledger has a list of the digests (the manifest) and each chunk's rows.
# To find what was changed by hand, the rows are put into chunks again: where the digests are the same nothing
# was; only the other chunks are unpacked and compared, row by row after their keys. A phase adds to the
# history sheets at their end, so that of ten thousand events only the last chunk is made anew.


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


# A workbook and a ledger that went different ways: where they part, and what each has since.
#
# That happens where two computers play on from one point, or a cloud folder puts the workbook of one beside the
# ledger of the other.


R = TypeVar("R", bound=Record)


class Since(NamedTuple):
    """What a side has since the last point that both have in common: how many phases, and how many orders."""

    phases: int
    orders: int


class Parted(NamedTuple):
    """Two histories. `turn`, `phase`: where they were last the same; `line`: what had led to there; `book`, `ledger`:
    what each has since; `who`: on which computer the ledger was changed last.
    """

    turn: str
    phase: str
    line: tuple[int, ...]
    book: Since
    ledger: Since
    who: str


def parted(campaign: Campaign, ledger: Ledger, book_sha: str) -> Parted | None:
    """How a workbook and its ledger went different ways, None where they did not, or nobody can tell.

    Raises `LedgerTrouble`.
    """
    here, now = marks_of(campaign.desk.marks), ledger.mark_of(book_sha)
    if not here or not now or now in map(str, here):
        return None
    chain = ledger.chain(now)
    if str(here[-1]) in chain or ledger.left(str(here[-1])):
        return None
    way = list(chain)
    since = next((n for n, mark in enumerate(reversed(here)) if str(mark) in chain), len(here))
    point = str(here[-1 - since]) if since < len(here) else ""
    if point not in chain or (not point and len(here) == KEPT):
        return None
    theirs = way[:way.index(point)]
    first = ledger.left(point) or ledger.step(chain[theirs[-1]])
    assert first is not None
    then = ledger.manifest_known(first.id)
    desk: Desk | None = next(iter(_rows(ledger, then, Desk)), None)
    orders, ours = _keys(ledger, then), {row.ident for row in campaign.table(Order)}
    return Parted(desk.turn if desk else first.turn, desk.phase if desk else first.phase, first.line,
                  Since(_phases(here[len(here) - since:]), len(ours - orders)),
                  Since(_phases(map(read_mark, theirs)), len(_keys(ledger, ledger.manifest()) - orders)),
                  ledger.who([step.id for step in ledger.steps() if step.sha_before][-1]))


def _phases(marks: Iterable[Mark]) -> int:
    return max(0, sum(mark.phases for mark in marks))


def _keys(ledger: Ledger, manifest: str) -> set[str]:
    return {row.ident for row in _rows(ledger, manifest, Order)}


def _rows(ledger: Ledger, manifest: str, record: type[R]) -> list[R]:
    one = json.loads(manifest or "{}").get(record.sheet)
    rows = [] if one is None else [row for name in one["chunks"]
                                   for row in unpacked(record, one["fields"], ledger.chunk(name))]
    return [row for row in rows if isinstance(row, record)]


# The memory of untouched sheets.
#
# The fingerprints hold every row that was written. Where a sheet's bytes are those that were written, its rows
# need not be read and not be compared: a campaign of a hundred turns has a hundred times the history, but what
# a phase costs is the history of that phase: without this memory turn 100 takes 2.8 of turn 10, and turn 300 6.3,
# where 1.5 and 2.5 are the bounds. One sign changed in the sheet, and it is read as ever.


class LedgerMemory:
    """The memory of a workbook's sheets in the ledger beside it, to be used in a ``with`` statement.

    It knows of none where there is no ledger that can be used: the commands that need one say what is wrong.
    """

    def __init__(self, book: Path) -> None:
        self._path = path_of(book)
        self._ledger: Ledger | None = None
        self._pages: Mapping[str, Any] = {}
        self._manifest: Mapping[str, Any] = {}
        self._heads: Mapping[str, str] = {}
        self.codes = ""
        """`gathering.codes_print` of the campaign as it was written."""
        self.unsettled = False
        """Whether a crash or a full disk left a change half-way."""
        self.mark = ""
        """By what the workbook is known, as it was last written."""
        self.began: str | None = None
        """The version of the rules with which the campaign began, "" where none was noted, None without a ledger."""

    def __enter__(self) -> LedgerMemory:
        try:
            self._ledger = Ledger.open(self._path, "")
            known = json.loads(self._ledger.pages() or "{}")
            self._pages, self.codes = known.get("sheets", {}), known.get("codes", "")
            self._manifest = json.loads(self._ledger.manifest() or "{}") if self._pages else {}
            self._heads = self._ledger.heads() if self._pages else {}
            self.unsettled, self.mark = self._ledger.unsettled, self._ledger.mark
            self.began = self._ledger.began
        except LedgerTrouble:
            self._pages = {}
        return self

    def __exit__(self, *_: object) -> None:
        if self._ledger is not None:
            self._ledger.close()
        self._ledger, self._pages = None, {}

    def known(self, prints: Mapping[type[Record], str]) -> dict[str, Known]:
        """By English sheet name the records of those sheets whose bytes are those that were written, with their row
        numbers. `prints`: of each sheet what tells its bytes from any others.
        """
        found = ((record.sheet, self._rows(record, print)) for record, print in prints.items())
        return {sheet: known for sheet, known in found if known is not None}

    def _rows(self, record: type[Record], print: str) -> Known | None:
        page, then = self._pages.get(record.sheet), self._manifest.get(record.sheet)
        if self._ledger is None or page is None or then is None or page["print"] != print:
            return None
        if then["fields"] != [c.name for c in record.columns()]:
            return None
        known = Known(_counted(page["rows"]), [])
        try:
            for name in then["chunks"]:
                content = self._ledger.later(name)
                head = self._heads.get(name)
                known.parts.append(unpacked(record, then["fields"], content()) if head is None
                                   else asleep(record, name, head, then["fields"], content))
        except LedgerTrouble:
            return None
        return known if known.fits() else None


def pages_text(pages: Mapping[str, Page], codes: str, without: Iterable[str] = ()) -> str:
    """What the ledger keeps of the sheets as a writing left them. `codes`: `gathering.codes_print` of what was written;
    `without`: sheets that are to be read next time.
    """
    left = set(without)
    kept = {sheet: {"print": page.print, "rows": _runs(page.numbers)} for sheet, page in pages.items()
            if sheet not in left}
    return json.dumps({"codes": codes, "sheets": kept}, sort_keys=True, separators=(",", ":")) if kept else ""


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as (first, how many)."""
    runs = []
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        runs.append((found[0], len(found)))
    return runs


def _counted(runs: Iterable[Sequence[int]]) -> list[int]:
    return [number for first, count in runs for number in range(first, first + count)]


# Campaigns as they were found.
#
# Who walks through a long past meets most rows many times. Sheets that say the same in two of these campaigns are the
# same rows, which nobody has to compare; and what is settled sleeps until somebody asks.


NO_ROWS: dict[str, Any] = {"fields": [], "chunks": []}
"""What a manifest of before a sheet was declared says of it."""


class KeptCampaigns:
    """The campaigns of a ledger. `records`: the record class of each sheet."""

    def __init__(self, ledger: Ledger, records: Mapping[str, type[Record]]) -> None:
        self._ledger, self._records = ledger, records
        self._heads: Mapping[str, str] | None = None
        self._blocks: dict[tuple[str, str], LazyRows[Any]] = {}
        self._sheets: dict[str, tuple[dict[str, Any], SharedRows[Any]]] = {}
        """Of each sheet what the last manifest said of it, and its rows."""

    def campaign(self, manifest: str) -> Campaign | None:
        """The campaign of a manifest; None where it does not know one of its sheets, or two rows have one key.

        Raises `LedgerTrouble`.
        """
        said = json.loads(manifest)
        if not all(sheet in said or record.quiet for sheet, record in self._records.items()):
            return None
        try:
            return Campaign.over(self._records, {sheet: self._rows(record, said.get(sheet, NO_ROWS))
                                                 for sheet, record in self._records.items()})
        except KeyError:
            return None

    def _rows(self, record: type[Record], said: dict[str, Any]) -> SharedRows[Any]:
        known = self._sheets.get(record.sheet)
        if known is not None and known[0] == said:
            return known[1]
        if self._heads is None:
            self._heads = self._ledger.heads()
        parts = [self._part(record, name, said["fields"]) for name in said["chunks"]]
        if any(isinstance(part, LazyRows) for part in parts):
            table = Table.partly_asleep(record, parts)
            if len(table) != sum(len(part.keys) if isinstance(part, LazyRows) else len(part) for part in parts):
                raise KeyError(record.sheet)
        else:
            table = Table(record, [row for part in parts if not isinstance(part, LazyRows) for row in part])
        common = table.common()
        self._sheets[record.sheet] = said, common
        return common

    def _part(self, record: type[Record], name: str, fields: list[str]) -> LazyRows[Any] | list[Record]:
        block = self._blocks.get((record.sheet, name))
        if block is not None:
            return block
        content, head = self._ledger.later(name), (self._heads or {}).get(name)
        if head is None or fields != [c.name for c in record.columns()]:
            return unpacked(record, fields, content())
        block = self._blocks[record.sheet, name] = asleep(record, name, head, fields, content)
        return block


# What the ledger keeps of an open workbook.
#
# A file is kept as its bytes and known by their fingerprint. An open workbook has no bytes of its own, so it is
# known by a fingerprint of its records: the same whenever it shows the same, saved or not. That tells also when
# the program itself has taken a change of Arbitro's back, or when it was closed without saving.


MARK = b"ARBITRO-OPEN-1\n"
STATE = "records:"
"""How the fingerprint of an open workbook begins in the ledger."""


class Standing(NamedTuple):
    """What a ledger keeps of an open workbook (`content`), and by what it knows it (`sha`)."""

    content: bytes
    sha: str


def rows_of(record: type[Record], rows: list[Record]) -> dict[str, Any]:
    """Rows as plain values."""
    names = [c.name for c in record.columns()]
    return {"fields": names, "rows": [[getattr(row, name) for name in names] for row in rows]}


def row_of(record: type[Record], fields: list[str], values: list[Any]) -> Record:
    """A row of plain values; a column that is new since takes its default, one that is gone is left out."""
    found = dict(zip(fields, values, strict=True))
    ready = {}
    for c in record.columns():
        if c.name in found:
            value = found[c.name]
            ready[c.name] = tuple(value) if isinstance(c.kind, Codes) else value
    return record(**ready)


def records_of(campaign: Campaign) -> bytes:
    """All rows of a campaign, the same bytes for the same rows."""
    tables = {sheet: rows_of(table.record, [row for _, row in table.raw_rows()])
              for sheet, table in campaign.tables().items()}
    text = json.dumps({"ruleset": campaign.desk.ruleset, "tables": tables}, ensure_ascii=False, sort_keys=True,
                      separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def state_of(campaign: Campaign) -> str:
    """The fingerprint by which an open workbook is known."""
    return STATE + hashlib.sha256(records_of(campaign)).hexdigest()


def standing_of(campaign: Campaign, file: bytes) -> Standing:
    """What is kept of an open workbook. `file`: as it was last saved, b"" where it never was."""
    records = records_of(campaign)
    return Standing(MARK + len(records).to_bytes(8, "big") + records + file,
                    STATE + hashlib.sha256(records).hexdigest())


def file_of(content: bytes) -> bytes:
    """The workbook's file in what the ledger keeps: all of it, or what stood on the disk."""
    if not content.startswith(MARK):
        return content
    size = int.from_bytes(content[len(MARK):len(MARK) + 8], "big")
    return content[len(MARK) + 8 + size:]


def campaign_in(content: bytes, loader: Loader | None = None) -> Campaign | None:
    """The campaign of an open workbook in what the ledger keeps; None where it keeps a file.

    Raises KeyError where its ruleset is not installed.
    """
    if not content.startswith(MARK):
        return None
    size = int.from_bytes(content[len(MARK):len(MARK) + 8], "big")
    kept = json.loads(content[len(MARK) + 8:len(MARK) + 8 + size].decode("utf-8", "surrogatepass"))
    campaign = Campaign((loader or load)(kept["ruleset"]).records)
    for sheet, part in kept["tables"].items():
        if sheet in campaign.tables():
            record = campaign.by_sheet(sheet).record
            campaign.put(Table(record, [row_of(record, part["fields"], values) for values in part["rows"]]))
    return campaign


def follow(ledger: Ledger, state: str) -> bool:
    """Let the ledger follow an open workbook in which the program itself took changes back, or made them again,
    or that was closed without saving. Whether it had to move. `state`: by what the workbook is known now.

    Raises `LedgerTrouble`.
    """
    done = [s for s in ledger.steps() if s.state == "done"]
    here: dict[str, Any] = json.loads(ledger.noted("stands") or '{"sha": "", "left": {}}')
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
