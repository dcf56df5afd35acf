"""What an arrival is: its bytes in; whose orders and answers it brings out, or why nothing of it is taken."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival
from assistant.desk.collecting.taken_back import ALL, taken_back
from assistant.desk.intake.incoming import Incoming, copy_rows, from_lines, sorted_rows, whose
from assistant.desk.sitting.copies import Codes, sender
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.sitting.stops import Stop
from assistant.post.tokens import tokens_in
from assistant.turn.findings import Finding, Where
from assistant.workbook.codes import ORDER_LATE
from assistant.workbook.copies.rows_sent import RowsSent
from assistant.workbook.file_book import reading_of
from assistant.workbook.port import Reading
from assistant.workbook.read.csvfolder import decoded, read_rows
from assistant.workbook.safe.inflating import why_not_opened
from assistant.workbook.safe.screening import brought

_BOOK = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How workbooks begin, those with a password and old ones, too; the name says nothing."""
_TEXTS = (".txt", ".text", "")
_LETTERS = (".doc", ".docx", ".odt", ".pages")
"""Letters begin as workbooks do, and nobody can save them as one."""
_WHERE_CODES_ARE = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")
_PROGRAM = re.compile(rb"<Application>([^<]{1,80})</Application>")


@dataclass
class Opened:
    """An arrival that was looked into. `club`: whose code it bears ("": none); `incoming`: its rows, None where nothing
    of it is taken; `findings`: why, and what is to be said of it; `reading`: of a copy, all that stands in it;
    `numbered`: orders that came without a number, and have one of ours; `sent`: what stood in a copy as it was sent;
    `program`: what saved it, as far as it says so; `instead`: of lines, whether they take back all that came before.
    """

    arrival: Arrival
    club: str = ""
    incoming: Incoming | None = None
    findings: list[Finding] = field(default_factory=list)
    reading: Reading | None = None
    numbered: set[str] = field(default_factory=set)
    sent: RowsSent = RowsSent()
    program: str = ""
    instead: bool = False

    @property
    def untouched(self) -> bool:
        """Whether it is a copy that came back as it was sent, or in which nothing ever stood."""
        found = self.incoming
        if self.reading is None or found is None or any(one.stops for one in found.findings):
            return False
        return self.sent.print == found.print if self.sent.print else not (found.orders or found.answers)


def open_arrival(arrival: Arrival, sitting: Sitting, before: Campaign, known: Codes) -> Opened:
    """Look into an arrival. `before`: the campaign as it stands; `known`: the codes of the factions."""
    opened = Opened(arrival)
    if arrival.trouble is not None:
        opened.findings.append(arrival.trouble)
        return opened
    ending = Path(arrival.name).suffix.casefold()
    try:
        if ending in _LETTERS:
            opened.findings.append(codes.finding(codes.UNREAD_FILE, file=arrival.name))
        elif arrival.data.startswith(_BOOK) or ending in (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"):
            _open_book(opened, sitting, known)
        elif ending == ".csv":
            rows, findings = read_rows(Path(arrival.name), sitting.ruleset, before, arrival.data, opened.numbered,
                                       arrival.club)
            opened.incoming = sorted_rows(rows, findings)
            _of_its_mail(opened, before)
        elif ending in _TEXTS:
            _open_text(opened, sitting, before, known)
        else:
            opened.findings.append(codes.finding(codes.UNREAD_FILE, file=arrival.name))
    except Stop as stopped:
        opened.findings += stopped.findings
    if arrival.club and opened.club not in ("", arrival.club):
        opened.findings, opened.incoming = [_not_its_own(opened)], None
    opened.findings = [_in_file(arrival, one) for one in opened.findings]
    if opened.incoming is not None:
        found = [one for one in opened.incoming.findings if one.code != ORDER_LATE]  # said when it is not taken
        opened.incoming.findings = [_in_file(arrival, one) for one in found]
    return opened


def _of_its_mail(opened: Opened, before: Campaign) -> None:
    """The rows of a table are those of the club whose code its mail bears; one with rows of others is not taken."""
    club, found = opened.arrival.club, opened.incoming
    if not club or found is None:
        return
    others = [*(whose(row, before) for row in found.orders), *(row.to for row in found.answers)]
    if found.dice or found.battles or found.forms or any(one not in ("", club) for one in others):
        opened.findings.append(_not_its_own(opened))
        opened.incoming = None
    opened.club = club


def _not_its_own(opened: Opened) -> Finding:
    return codes.finding(codes.NOT_THIS_CLUBS, file=opened.arrival.name, faction=opened.arrival.club)


def _in_file(arrival: Arrival, finding: Finding) -> Finding:
    """A finding whose place names the file, where its sentence does not."""
    named = "file" in finding.data and not finding.cell and finding.code not in _NAMELESS
    named = named or finding.cell.startswith(arrival.name)
    return finding if named else replace(finding, cell=f"{arrival.name} {finding.cell}".strip())


_NAMELESS = ("ARB-001", "ARB-002", "ARB-003", "ARB-004", "ARB-005", "ARB-150", "ARB-151", "ARB-152", "ARB-153",
             "ARB-284")
"""Findings about a file whose sentences do not name it, as there is only one elsewhere."""


# --- workbooks --------------------------------------------------------------------------------
def _open_book(opened: Opened, sitting: Sitting, known: Codes) -> None:
    """A copy with a code that counts; else why nothing of it is taken. Raises `Stop`."""
    name, data = opened.arrival.name, opened.arrival.data
    refused = why_not_opened(data)
    if refused is not None:
        opened.findings.append(codes.finding(refused[0], file=name, **refused[1]))
        return
    carried = brought(data)
    if carried:
        opened.findings += [codes.finding(code, file=name) for code in carried]
        return
    reading = reading_of(name, data, sitting.loader)
    if reading.ruleset is None:
        opened.findings += reading.findings
        return
    desk, ours = reading.campaign.desk, sitting.campaign.desk
    if not reading.club:
        form, alike = Order.sheet in reading.cells.titles, desk.ruleset == ours.ruleset and desk.campaign_id in (
            "", ours.campaign_id)
        code = codes.OTHER_CAMPAIGN if not alike else codes.WHOLE_BOOK if desk.campaign_id else (
            codes.NO_CODE if form else codes.EVERYBODYS)
        opened.findings.append(codes.finding(code, file=name, book=sitting.path.name))
        return
    opened.club = sender(sitting, reading.token, desk.turn, name, known)
    opened.reading, opened.program = reading, _saved_by(data)
    opened.sent = RowsSent.of(reading.rows_sent)
    opened.numbered = {order.order for order in reading.campaign.table(Order)
                       if reading.blank(Where(Order.sheet, order.order, "order"))} if reading.campaign.has(
                           Order.sheet) else set()
    opened.incoming = copy_rows(reading, sitting, opened.club)


def codes_in(data: bytes) -> tuple[str, ...]:
    """The codes that stand on the first sheet of a workbook, or among the texts of its cells; () for one that is not
    opened.
    """
    if why_not_opened(data) is not None:
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts = [archive.read(name).decode("utf-8", "replace") for name in _WHERE_CODES_ARE
                     if name in archive.namelist()]
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return ()
    return tuple(dict.fromkeys(code for text in texts for code in tokens_in(text)))


def _saved_by(data: bytes) -> str:
    """The program that saved a workbook, as its properties say; "" where they do not."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = _PROGRAM.search(archive.read("docProps/app.xml")[:4_096])
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError):
        return ""
    words = found[1].decode("utf-8", "replace").strip() if found else ""
    return "LibreOffice" if words.startswith("LibreOffice") else words


# --- texts ------------------------------------------------------------------------------------
def _open_text(opened: Opened, sitting: Sitting, before: Campaign, known: Codes) -> None:
    """Plain lines, of the faction whose code stands among them, else of those that they name. Raises `Stop`."""
    text = decoded(opened.arrival.data)
    said = list(dict.fromkeys(tokens_in(text)))
    if "\x00" in text:
        opened.findings.append(codes.finding(codes.UNREAD_FILE, file=opened.arrival.name))
        return
    opened.club = opened.arrival.club
    if said:
        opened.club = sender(sitting, " ".join(said), sitting.campaign.desk.turn, opened.arrival.name, known)
    lines = _without_codes(text)
    back = [(line, taken_back(line, before, opened.club)) for line in lines]
    opened.instead = any(what == ALL for _, what in back)
    kept = "\n".join(line for line, what in back if not what)
    opened.incoming = from_lines(kept, sitting, before, opened.club, club=bool(opened.club))
    record = before.table(Order).record
    opened.incoming.orders += [record(order=what) for what in dict.fromkeys(what for _, what in back)
                               if what not in ("", ALL)]


def _without_codes(text: str) -> Sequence[str]:
    """The lines of a text but those that bear a code."""
    return [line for line in text.splitlines() if not any(True for _ in tokens_in(line))]
