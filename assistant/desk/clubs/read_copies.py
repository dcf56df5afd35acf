"""Opens what came in: files of a folder, clubs' copies, and edits in their locked cells."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, FormRow, Order, Question, Rule
from assistant.campaign.tables import Record
from assistant.desk.intake.incoming import (
    IncomingRows,
    foreign_questions,
    order_owner,
    read_copy_rows,
    read_typed_lines,
    rows_by_kind,
)
from assistant.desk.past.phase_chain import campaign_before
from assistant.desk.results import Exit
from assistant.desk.workspace.fingerprints import LedgerCampaigns
from assistant.desk.workspace.workspace import NOT_THERE, Abort, ClubCodes, Workspace, folder_faults, sending_faction
from assistant.ledger import LEDGER_SUFFIX
from assistant.ledger.outbox import tokens_in
from assistant.turn import codes
from assistant.turn.battle_results import battle_code, is_report, open_forms
from assistant.turn.codes import ORDER_LATE, OTHER_FORMAT, UNSAFE
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.build_copy import RowsSent, laid_rows_fingerprint
from assistant.workbook.file_book import read_workbook
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.csv_folder import decode_text, read_csv_rows
from assistant.workbook.screening import LIMITS, MB, refusal_by_content, risky_content

# Files that came in.


MINUTE = 60
"""Seconds. Nobody can say which of two things counts that came within one minute."""
_SYSTEM_FILES = ("desktop.ini", "thumbs.db")


@dataclass(frozen=True)
class Arrival:
    """Something that came in. `name`: as it is shown, never a path; `at`: when, in seconds since 1970 (of a mail the
    server's time, of a file that of its last change); `data`: its bytes; `together`: what came in one piece bears the
    same word ("": it came alone); `trouble`: why its bytes were not read.
    """

    name: str
    at: int
    data: bytes = b""
    together: str = ""
    trouble: Finding | None = None
    club: str = ""
    """Whose code stood beside it in its mail, "" for none."""
    lines: bool = False
    """Whether it is the lines of a mail itself."""
    decided: str = ""
    """The source of the row of the Inbox by which the referee lets it count; it counts whatever else came."""

    @property
    def when(self) -> str:
        """Its time as the clock on this machine's wall shows it."""
        return dt.datetime.fromtimestamp(self.at).strftime("%Y-%m-%d %H:%M")

    @property
    def piece(self) -> str:
        """What is the same for all that came in one piece."""
        return self.together or self.name


def source_of(arrival: Arrival) -> str:
    """What tells an arrival from others: of a mail its key, of a file its name and its content."""
    told = not arrival.data and arrival.trouble is not None  # what is said of a mail; a file may be empty
    if arrival.decided or (arrival.together and (arrival.lines or told)):
        return arrival.decided or arrival.together
    return f"{arrival.together or arrival.name}#{fingerprint_of(arrival.data or arrival.name.encode())}"


def fingerprint_of(data: bytes) -> str:
    """A short word that is the same for the same bytes."""
    return hashlib.blake2b(data, digest_size=5).hexdigest()


def files_in(places: Iterable[Path], workspace: Workspace) -> list[Arrival]:
    """The files in these folders, or these files themselves, the earliest first; of equal times by name.

    Ignored: the campaign's own files, hidden ones, and lock files of programs. Raises
    `Abort` for a folder that is not there.
    """
    files = list(dict.fromkeys(file for place in places for file in _files_of(place, workspace)))
    names = [file.name for file in files]
    arrivals = [_read_arrival(file, str(file) if names.count(file.name) > 1 else file.name) for file in files]
    return sorted(arrivals, key=lambda arrival: (arrival.at, arrival.name))


def _files_of(place: Path, workspace: Workspace) -> Iterator[Path]:
    beside = workspace.path.parent.glob(f"{workspace.path.stem}{LEDGER_SUFFIX}*")
    # the workbook and its ledger may lie in the same folder
    ours = {workspace.path.resolve(), *(path.resolve() for path in beside)}
    with folder_faults(place, N_("what the clubs sent"), workspace.lang, workspace.wording):
        if not place.exists():
            raise workspace.abort(Exit.FILE, codes.NO_SUCH_FOLDER, folder=place, file=N_("what the clubs sent"),
                                  reason=NOT_THERE)
        inside = sorted(place.iterdir()) if place.is_dir() else [place]
    yield from (file for file in inside if file.is_file() and file.resolve() not in ours and not _is_ignored(file.name))


def _is_ignored(name: str) -> bool:
    return name.startswith((".", "~$")) or name.casefold() in _SYSTEM_FILES


def _read_arrival(file: Path, name: str) -> Arrival:
    """Read a file; where it cannot be read or is too large, the arrival has its `trouble`."""
    try:
        known = file.stat()
        if known.st_size > LIMITS.part:
            return Arrival(name, int(known.st_mtime), trouble=codes.finding(
                UNSAFE, file=name, size=known.st_size // MB, parts=1))
        return Arrival(name, int(known.st_mtime), file.read_bytes())
    except OSError as fault:
        trouble = codes.finding(codes.FILE_DENIED, file=name, reason=fault.strerror or str(fault))
        return Arrival(name, 0, trouble=trouble)


def names(arrivals: Collection[Arrival]) -> str:
    """The names of several, in the order in which they came."""
    return ", ".join(arrival.name for arrival in arrivals)


# Opening an arrival.


_WORKBOOK_MAGIC = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of workbooks, including old and encrypted ones; the file name proves nothing."""
_TEXT_SUFFIXES = (".txt", ".text", "")
_LETTER_SUFFIXES = (".doc", ".docx", ".odt", ".pages")
"""Letters begin as workbooks do, and nobody can save them as one."""
# where Excel and LibreOffice keep texts, and where a file of LibreOffice's own kind has them
_PARTS_WITH_CODES = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml", "content.xml")
_APPLICATION = re.compile(rb"<Application>([^<]{1,80})</Application>")


@dataclass
class OpenedArrival:
    """An arrival that was looked into. `club`: whose code it bears ("": none); `incoming`: its rows, None where nothing
    of it is taken; `findings`: why, and what is to be said of it; `reading`: of a copy, all that stands in it;
    `numbered`: orders that came without a number, and have one of ours; `sent`: what stood in a copy as it was sent;
    `program`: what saved it, as far as it says so; `instead`: of lines, whether they take back all that came before;
    `coded`: whose valid code it bears, though nothing of it is taken.
    """

    arrival: Arrival
    club: str = ""
    incoming: IncomingRows | None = None
    findings: list[Finding] = field(default_factory=list)
    reading: WorkbookReading | None = None
    numbered: set[str] = field(default_factory=set)
    sent: RowsSent = RowsSent()
    program: str = ""
    instead: bool = False
    coded: str = ""

    @property
    def untouched(self) -> bool:
        """Whether it is a copy that came back as it was sent, or in which nothing ever stood."""
        incoming = self.incoming
        if self.reading is None or incoming is None or any(finding.stops for finding in incoming.findings):
            return False
        return self.sent.print == incoming.print if self.sent.print else not (incoming.orders or incoming.answers)


def open_arrival(arrival: Arrival, workspace: Workspace, before: Campaign, known: ClubCodes) -> OpenedArrival:
    """Open an arrival. `before`: the campaign as it stands; `known`: the codes of the factions."""
    opened = OpenedArrival(arrival)
    if arrival.trouble is not None:
        opened.findings.append(arrival.trouble)
        return opened
    opened.coded = _bearer(arrival, known)
    ending = Path(arrival.name).suffix.casefold()
    try:
        if ending in _LETTER_SUFFIXES:
            opened.findings.append(codes.finding(codes.UNREAD_FILE, file=arrival.name))
        elif arrival.data.startswith(_WORKBOOK_MAGIC) or ending in (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"):
            _open_workbook(opened, workspace, known)
        elif ending == ".csv":
            rows, findings = read_csv_rows(Path(arrival.name), workspace.ruleset, before, arrival.data, opened.numbered,
                                       arrival.club)
            opened.incoming = rows_by_kind(rows, findings)
            _assign_to_mail(opened, before)
        elif ending in _TEXT_SUFFIXES:
            _open_text(opened, workspace, before, known)
        else:
            opened.findings.append(codes.finding(codes.UNREAD_FILE, file=arrival.name))
    except Abort as stopped:
        opened.findings += stopped.findings
    if arrival.club and opened.club not in ("", arrival.club):
        opened.findings, opened.incoming = [_foreign_rows_finding(opened)], None
    opened.findings = [_with_file_name(arrival, finding) for finding in opened.findings]
    if opened.incoming is not None:
        faults = [fault for fault in opened.incoming.findings if fault.code != ORDER_LATE]  # said when it is not taken
        opened.incoming.findings = [_with_file_name(arrival, finding) for finding in faults]
    return opened


def _bearer(arrival: Arrival, known: ClubCodes) -> str:
    """The club whose valid code an arrival bears, "" for none or several."""
    book = arrival.data.startswith(_WORKBOOK_MAGIC)
    seen = set(codes_in_workbook(arrival.data) if book else tokens_in((decode_text(arrival.data) or "")[:MB]))
    found = {faction for faction, code in known.now.items() if code in seen}
    return next(iter(found)) if len(found) == 1 else ""


def _assign_to_mail(opened: OpenedArrival, before: Campaign) -> None:
    """The rows of a table are those of the club whose code its mail bears; one with rows of others is not taken."""
    club, incoming = opened.arrival.club, opened.incoming
    if not club or incoming is None:
        return
    others = [*(order_owner(row, before) for row in incoming.orders), *(row.to for row in incoming.answers)]
    if incoming.dice or incoming.battles or incoming.forms or any(owner not in ("", club) for owner in others):
        opened.findings.append(_foreign_rows_finding(opened))
        opened.incoming = None
    opened.club = club


def _foreign_rows_finding(opened: OpenedArrival) -> Finding:
    return codes.finding(codes.NOT_THIS_CLUBS, file=opened.arrival.name, faction=opened.arrival.club)


def _with_file_name(arrival: Arrival, finding: Finding) -> Finding:
    """The finding with the file in its place, unless its sentence names the file."""
    named = "file" in finding.data and not finding.cell and finding.code not in _WITHOUT_FILE_NAME
    named = named or finding.cell.lstrip("'").startswith(arrival.name)
    return finding if named else finding._replace(cell=f"{arrival.name} {finding.cell}".strip())


_WITHOUT_FILE_NAME = ("ARB-001", "ARB-002", "ARB-003", "ARB-004", "ARB-005", "ARB-150", "ARB-151", "ARB-152", "ARB-153",
             "ARB-284")
"""Findings about a file whose sentences do not name it, as there is only one elsewhere."""


# --- workbooks --------------------------------------------------------------------------------
def _open_workbook(opened: OpenedArrival, workspace: Workspace, known: ClubCodes) -> None:
    """A copy with a code that counts; else why nothing of it is taken. Raises `Abort`."""
    name, data = opened.arrival.name, opened.arrival.data
    refused = refusal_by_content(data)
    if refused is not None:
        opened.findings.append(codes.finding(refused[0], file=name, **refused[1]))
        return
    carried = risky_content(data)
    if carried:
        opened.findings += [codes.finding(code, file=name) for code in carried]
        return
    reading = read_workbook(name, data, workspace.loader)
    if reading.ruleset is None:
        opened.findings += reading.findings
        return
    desk, ours = reading.campaign.desk, workspace.campaign.desk
    if not reading.club:
        form, alike = Order.sheet in reading.cells.titles, desk.ruleset == ours.ruleset and desk.campaign_id in (
            "", ours.campaign_id)
        code = codes.OTHER_CAMPAIGN if not alike else codes.WHOLE_BOOK if desk.campaign_id else (
            codes.NO_CODE if form else codes.EVERYBODYS)
        opened.findings.append(codes.finding(code, file=name, book=workspace.path.name))
        return
    opened.club = sending_faction(workspace, reading.token, desk.turn, name, known)
    opened.reading, opened.program = reading, _saving_program(data)
    opened.sent = RowsSent.of(reading.rows_sent)
    opened.numbered = {order.order for order in reading.campaign.table(Order)
                       if reading.blank(Where(Order.sheet, order.order, "order"))} if reading.campaign.has(
                           Order.sheet) else set()
    opened.incoming = read_copy_rows(reading, workspace, opened.club)


def codes_in_workbook(data: bytes) -> tuple[str, ...]:
    """The codes that stand on the first sheet of a workbook, or among the texts of its cells, also of one that another
    program saved in its own form (.ods), so that it is known whose it is; () for one that is not opened.
    """
    refused = refusal_by_content(data)
    if refused is not None and refused[0] != OTHER_FORMAT:
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts = [archive.read(name).decode("utf-8", "replace") for name in _PARTS_WITH_CODES
                     if name in archive.namelist()]
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return ()
    return tuple(dict.fromkeys(code for text in texts for code in tokens_in(text)))


def _saving_program(data: bytes) -> str:
    """The program that saved a workbook, as its properties say; "" where they do not."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            match = _APPLICATION.search(archive.read("docProps/app.xml")[:4_096])
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError):
        return ""
    words = match[1].decode("utf-8", "replace").strip() if match else ""
    # LibreOffice tells its version and system behind its name
    return "LibreOffice" if words.startswith("LibreOffice") else words


# --- texts ------------------------------------------------------------------------------------
def _open_text(opened: OpenedArrival, workspace: Workspace, before: Campaign, known: ClubCodes) -> None:
    """Plain lines, of the faction whose code stands among them, else of those that they name. Raises `Abort`."""
    text = decode_text(opened.arrival.data)
    tokens = list(dict.fromkeys(tokens_in(text)))
    if not text.strip() and not opened.arrival.lines:
        opened.findings.append(codes.finding(codes.EMPTY_TEXT, file=opened.arrival.name))
        return
    if "\x00" in text:
        opened.findings.append(codes.finding(codes.UNREAD_FILE, file=opened.arrival.name))
        return
    opened.club = opened.arrival.club
    if tokens:
        opened.club = sending_faction(workspace, " ".join(tokens), workspace.campaign.desk.turn, opened.arrival.name,
                                      known)
    lines = "\n".join(_lines_without_codes(text))
    opened.incoming = read_typed_lines(lines, workspace, before, opened.club, club=bool(opened.club))
    opened.instead = bool(opened.incoming.instead_of)


def _lines_without_codes(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if not any(True for _ in tokens_in(line))]


# Edits in locked cells.


_CELLS_NAMED = 8
"""How many changed cells of a copy are named one by one."""
_LONGEST = 60


class LockedCell(NamedTuple):
    """A cell that is no input: where it stands in the copy, what stands there, and what was sent."""

    place: str
    seen: str
    was: str


def locked_cell_edits(opened: OpenedArrival, workspace: Workspace) -> list[Finding]:
    """Findings about cells of a copy that are no input and came back changed.

    A copy may be of an earlier phase of this turn; then it is compared with what its club knew at that time. Raises
    `Abort`.
    """
    reading = opened.reading
    if reading is None:
        return []
    fewest, laid = _changed_cells(reading, workspace, workspace.campaign, opened.club)
    if fewest:
        for earlier in _earlier_campaigns(workspace, reading.campaign.desk):
            cells, alike = _changed_cells(reading, workspace, earlier, opened.club)
            if alike and (not laid or len(cells) < len(fewest)):
                fewest, laid = cells, True
            if not fewest:
                break
    told = [codes.finding(codes.TAMPERED, file=opened.arrival.name, faction=opened.club, cell=Verbatim(cell.place),
                          seen=Verbatim(cell.seen), was=Verbatim(cell.was)) for cell in fewest[:_CELLS_NAMED]]
    if fewest[_CELLS_NAMED:]:
        told.append(codes.finding(codes.TAMPERED_MORE, file=opened.arrival.name, n=len(fewest) - _CELLS_NAMED))
    return told


def _earlier_campaigns(workspace: Workspace, desk: Desk) -> Iterator[Campaign]:
    """The campaign as it was before each change of the phase of which a copy is, the latest first."""
    with workspace.open_ledger() as ledger:
        kept = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
        for step in reversed(ledger.steps()):
            if (step.turn, step.phase) == (desk.turn, desk.phase) and step.state == "done" and step.sha_before:
                yield campaign_before(ledger, step.id, workspace.path.name, workspace.loader, kept)


def _changed_cells(
    reading: WorkbookReading, workspace: Workspace, campaign: Campaign, club: str
) -> tuple[list[LockedCell], bool]:
    """The cells that differ from the club's view of a campaign, and whether a copy made at that moment would have had
    the same further rows of battles.
    """
    view = workspace.ruleset.view(without_superseded(campaign), club)
    theirs, cells = reading.campaign, list[LockedCell]()
    form = workspace.ruleset.form
    told = {battle_code(row) for row in theirs.table(Question) if is_report(form, row, club)} if theirs.has(
        Question.sheet) else set[str]()
    cells += [LockedCell(reading.cells.of(Where(Question.sheet, row.ident, "question")), _shorten(row.ident), "")
              for row in foreign_questions(reading, campaign, club)]
    for sheet in reading.cells.titles:
        if sheet == Desk.sheet:
            cells += _row_differences(reading, theirs.desk, view.desk, _setting_names(reading, theirs.desk))
        elif issubclass(theirs.by_sheet(sheet).record, Order):
            cells += _changed_orders(reading, club)
        elif theirs.has(sheet) and view.has(sheet):
            cells += _table_differences(reading, view, sheet, told)
    laid = RowsSent.of(reading.rows_sent).laid
    return cells, not laid or laid == laid_rows_fingerprint(open_forms(workspace.ruleset, view, club))


def _setting_names(reading: WorkbookReading, desk: Record) -> list[str]:
    return [c.name for c in desk.columns() if c.name in reading.cells.desk and c.name != "language"]


def _changed_orders(reading: WorkbookReading, club: str) -> Iterator[LockedCell]:
    """A form on which somebody wrote another faction than the club's."""
    for row in reading.campaign.table(Order):
        if row.faction not in ("", club):
            yield LockedCell(reading.cells.of(Where(Order.sheet, row.order, "faction")), _shorten(row.faction), club)


def _table_differences(
    reading: WorkbookReading, view: Campaign, sheet: str, told: Collection[str]
) -> Iterator[LockedCell]:
    """The cells of a table that differ from its rows in the view, and rows that were added or deleted.

    `told`: the battles on which the copy lets its club report, whose further rows it fills in.
    """
    theirs, ours = reading.campaign.by_sheet(sheet), view.by_sheet(sheet)
    record = theirs.record
    form, unread = issubclass(record, Question), {(fault.where.table, fault.where.row) for fault in reading.findings}
    names = [name for name in reading.cells.letters.get(sheet, {}) if not form or record.column(name).edit != "club"]
    first = next((name for name in names if record.column(name).key), names[0] if names else "")
    for key, row in theirs.in_file_order():
        was = ours.get(key)
        if isinstance(row, FormRow) and row.battle in told:
            locked = [name for name in names if name not in row.form()]
            yield from _row_differences(reading, row, was, locked) if was else ()
        elif was is not None:
            yield from _row_differences(reading, row, was, names)
        elif not issubclass(record, Rule) and not form:
            yield LockedCell(reading.cells.of(Where(sheet, key, first)), _shorten(key), "")
    if not form and not issubclass(record, Rule):
        yield from (LockedCell(reading.cells.of(Where(sheet, "", first)), "", _shorten(key))
                    for key, _ in ours.in_file_order() if key not in theirs and (sheet, key) not in unread)


def _row_differences(reading: WorkbookReading, row: Record, was: Record, names: Iterable[str]) -> Iterator[LockedCell]:
    for name in names:
        column = row.column(name)
        seen, sent = getattr(row, name), getattr(was, name)
        if sent == column.hidden and seen == column.default:
            continue  # what the club may not see is a blank cell, which is read as the default
        if seen != sent and _normalize(column.kind.show(seen)) != _normalize(column.kind.show(sent)):
            yield LockedCell(reading.cells.of(Where(row.sheet, row.ident, name)), _shorten(column.kind.show(seen)),
                       _shorten(column.kind.show(sent)))


def _normalize(text: Any) -> str:
    return " ".join(str(text).split())


def _shorten(text: Any) -> str:
    plain = _normalize(text)
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"
