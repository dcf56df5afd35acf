"""The workspace of a command: a campaign loaded from a workbook, with its ruleset and words; and why it aborts."""

from __future__ import annotations

import contextlib
import errno
import functools
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, OWNERLESS, Desk, Faction, InboxRow
from assistant.desk.play_phase import TurnPhase, phase_label, with_earlier_defaults
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.detect_edits import DetectedEdits, detect_edits
from assistant.desk.workspace.fingerprints import (
    MARKS_KEPT,
    BookSnapshot,
    ProgressSince,
    SheetCache,
    find_divergence,
    follow_open_book,
    open_book_fingerprint,
    open_book_snapshot,
    parse_marks,
)
from assistant.environment import machine_language
from assistant.ledger import (
    Ledger,
    LedgerStep,
    LedgerTrouble,
    Mail,
    ledger_under_other_name,
    new_file_path,
    path_of_ledger,
)
from assistant.ledger.file import DENIED, FULL
from assistant.ledger.outbox import token_of, tokens_in
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn.absence import parse_holidays, timetable_of, zone_of
from assistant.turn.codes import NEWER_BOOK, NO_SHEET
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import blocks_phase, check_campaign, without_superseded
from assistant.turn.rulebooks import package_mark
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import open_book
from assistant.workbook.port import Book, DeskLines, Loader, WorkbookReading
from assistant.workbook.read.load_campaign import REQUIRED_SETTINGS
from assistant.workbook.save import has_leftovers, hold_claim, replace_file, sha256
from assistant.workbook.screening import (
    BookChanged,
    BookClaimed,
    BookError,
    BookHeld,
    BookLocked,
    BookMissing,
    BookUnsafe,
    refusal,
)

# Aborting a command.


SCARCE_BYTES = 512 * 1024
"""If a disk has less room than this, it is the likely cause of a ledger that cannot be written."""
NOT_THERE = N_("it is not there")
NOT_MADE = N_("it is not there and cannot be made there")
IN_THE_WAY = N_("a file stands where a folder should be")
RETRY_SECONDS, RETRY_INTERVAL = 10.0, 0.1
"""Seconds for which a command retries while the workbook is being changed, and between two tries."""
P = ParamSpec("P")
T = TypeVar("T")


class Abort(Exception):
    """Ends a command early with a result that says why; each command has `catches_abort`, so that callers never see it.
    """

    def __init__(self, exit_code: Exit, findings: list[Finding], lang: str = "",
                 wording: Wording | None = None) -> None:
        super().__init__(", ".join(f.code for f in findings))
        self.exit_code = exit_code
        self.findings = findings
        self.lang = lang
        self.wording = wording

    def result(self, command: str) -> Result:
        """The result of the aborted command."""
        wording = self.wording or Wording(None, self.lang or machine_language())
        return Result(command, self.exit_code, findings=self.findings, wording=wording)


class GaveUp(Abort):
    """The referee does not want to go on. `text`: what is said of it."""

    def __init__(self, wording: Wording, text: str = N_("Nothing was changed."), findings: Iterable[Finding] = ()
                 ) -> None:
        super().__init__(Exit.REFUSED, list(findings), wording.lang, wording)
        self.text = wording.text(text)

    def result(self, command: str) -> Result:
        """The result that says it."""
        result = super().result(command)
        result.say(self.text)
        return result


def catches_abort(name: str) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorator of commands: one that is aborted ends with the result that says why. `name`: the command's."""
    def of(command: Callable[P, Result]) -> Callable[P, Result]:
        @functools.wraps(command)
        def run(*args: P.args, **named: P.kwargs) -> Result:
            try:
                return command(*args, **named)
            except Abort as stopped:
                return stopped.result(name)

        return run

    return of


class ChangedMeanwhile(Exception):
    """Another Arbitro changed workbook and ledger while this one was reading them; see `retry_while_changing`."""


def retry_while_changing(command: Callable[P, Result]) -> Callable[P, Result]:
    """Decorator of commands that only read: retries for a while if workbook and ledger were changed meanwhile."""
    @functools.wraps(command)
    def wrapper(*args: P.args, **named: P.kwargs) -> Result:
        until = time.monotonic() + RETRY_SECONDS
        while True:
            try:
                return command(*args, **named)
            except ChangedMeanwhile as moved:
                if time.monotonic() > until:
                    return abort(Exit.FILE, codes.FILE_CHANGED, file=str(moved)).result(command.__name__)
                time.sleep(RETRY_INTERVAL)

    return wrapper


def abort(exit_code: Exit, code: str, lang: str = "", wording: Wording | None = None, **data: Any) -> Abort:
    """A `Abort` with one of the findings that all rulebooks share; to be raised."""
    return Abort(exit_code, [codes.finding(code, **data)], lang, wording)


def faction_code(campaign: Campaign, typed: str, words: Wording) -> str:
    """The code of a faction as the campaign spells it, "" if none is typed. Raises `Abort` if it is unknown."""
    known = {f.faction.casefold(): f.faction for f in campaign.table(Faction) if f.role not in OWNERLESS}
    if typed and typed.casefold() not in known:
        raise abort(Exit.USAGE, codes.NO_SUCH_FACTION, words.lang, words, faction=typed, list=", ".join(known.values()))
    return known.get(typed.casefold(), "")


@contextlib.contextmanager
def claim_workbook(path: Path, doing: str, lang: str, wording: Wording | None = None) -> Iterator[None]:
    """Hold the claim on a workbook: no other Arbitro changes it meanwhile. Raises `Abort`."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(hold_claim(path, doing))
        except (BookClaimed, OSError) as fault:
            raise file_abort(fault, path, lang, wording) from fault
        yield


def ledger_abort(trouble: LedgerTrouble, book: Path, lang: str, wording: Wording | None = None,
                campaign: str = "", cell: str = "") -> Abort:
    """The `Abort` that says what is wrong with a workbook's ledger, or that the disk is full.

    `campaign`: for a missing ledger, to look for it under another name; `cell`: of the campaign's id.
    """
    place = path_of_ledger(book)
    scarce = trouble.kind == "unwritable" and shutil.disk_usage(place.resolve().parent).free < SCARCE_BYTES
    if trouble.kind == "full" or scarce:
        return abort(Exit.FILE, codes.DISK_FULL, lang, wording, file=place.name, reason=os.strerror(errno.ENOSPC))
    near = ledger_under_other_name(place, campaign) if campaign and trouble.kind == "missing" else ""
    names = {"theirs": Verbatim(trouble.detail), "ours": Verbatim(campaign), "cell": cell} if (
        trouble.kind == "foreign") else {"number": Verbatim(trouble.detail)} if trouble.kind in ("lost", "old") else {}
    unfit = Exit.FILE if trouble.kind == "busy" else Exit.LEDGER
    return abort(unfit, codes.LEDGER[trouble.kind], lang, wording, ledger=place.name, book=book.name,
                near=Verbatim(near), **names)


def file_abort(fault: Exception, path: Path, lang: str, wording: Wording | None = None) -> Abort:
    """The `Abort` for an error about a file."""
    data: dict[str, Any] = {"file": path.name}
    code = codes.FILE_UNWRITABLE
    if isinstance(fault, (BookMissing, FileNotFoundError)):
        code = codes.FILE_MISSING
    elif isinstance(fault, BookLocked):
        code = codes.FILE_LOCKED
        data.update(user=fault.user or "?", lock=fault.lock)
    elif isinstance(fault, BookHeld):
        code = codes.FILE_LOCKED
        data.update(user="?", lock="")
    elif isinstance(fault, BookClaimed):
        code = codes.FILE_CLAIMED
        data.update(user=Verbatim(fault.user), machine=Verbatim(fault.machine), doing=Verbatim(fault.doing),
                    claim=fault.claim)
    elif isinstance(fault, BookChanged):
        code = codes.FILE_CHANGED
    elif isinstance(fault, BookUnsafe):
        code = fault.code or codes.FILE_UNSAFE
        data.update(fault.data, cell=fault.cell, reason=str(fault))
    elif isinstance(fault, OSError):
        code = codes.DISK_FULL if fault.errno in FULL else codes.FILE_DENIED if fault.errno in DENIED else code
        data["reason"] = os.strerror(fault.errno) if fault.errno else str(fault)
    else:
        data["reason"] = str(fault)
    return abort(Exit.FILE, code, lang, wording, **data)


def folder_abort(fault: OSError, folder: Path, file: str, lang: str, wording: Wording | None = None) -> Abort:
    """The `Abort` for an error about a folder into which `file` was to be written."""
    if isinstance(fault, (FileNotFoundError, FileExistsError, NotADirectoryError)):
        reason = NOT_MADE if isinstance(fault, FileNotFoundError) else IN_THE_WAY
        return abort(Exit.FILE, codes.NO_SUCH_FOLDER, lang, wording, folder=folder, file=file, reason=reason)
    return file_abort(fault, folder, lang, wording)


@contextlib.contextmanager
def file_faults(path: Path, lang: str, wording: Wording | None = None) -> Iterator[None]:
    """Turn errors about a file in a ``with`` statement into `Abort`."""
    try:
        yield
    except (BookError, OSError) as fault:
        raise file_abort(fault, path, lang, wording) from fault


def club_book_bytes(path: Path, lang: str) -> bytes:
    """The bytes of a workbook that need not be a campaign's. Raises `Abort` for what no workbook of ours may be,
    `BookMissing`, OSError.
    """
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError) as no:
        raise BookMissing(path, f"there is no file {path.name}") from no
    if bad := refusal(content):
        raise abort(Exit.FILE, bad[0], lang, **{"file": path.name, **bad[1]})
    return content


@contextlib.contextmanager
def folder_faults(folder: Path, file: str, lang: str, wording: Wording | None = None) -> Iterator[None]:
    """Turn errors about a folder into which `file` is written, in a ``with`` statement, into `Abort`."""
    try:
        yield
    except OSError as fault:
        raise folder_abort(fault, folder, file, lang, wording) from fault


def require_folder(target: Path, lang: str) -> None:
    """Raise `Abort` unless the folder exists that a file is to be written to."""
    folder = target.parent
    if not folder.is_dir():
        raise abort(Exit.FILE, codes.NO_SUCH_FOLDER, lang, folder=folder, file=target.name,
                   reason=IN_THE_WAY if folder.exists() else NOT_THERE)


LABORATORY_MARK = "laboratory-"
"""How the ids of campaigns begin that the laboratory has made."""


def refuse_of_laboratory(workspace: Workspace) -> None:
    """Raise `Abort` for a campaign of the laboratory: nobody is to get mail about it or to read of it."""
    if workspace.campaign.desk.campaign_id.startswith(LABORATORY_MARK):
        raise workspace.abort(Exit.REFUSED, codes.OF_LABORATORY, file=workspace.path.name)


# Findings about mails that did not arrive: refused, waiting, uncertain or returned.


def mail_findings(row: Mail, book: str) -> list[Finding]:
    """Findings about the addresses that a mail has not reached. `book`: the workbook's name."""
    where = Where(Faction.sheet, row.faction, "mail") if row.faction else Where()
    whom: dict[str, object] = {"faction": row.faction} if row.faction else {"faction": "", "all": "yes"}
    code = Verbatim(row.faction or "all")
    findings = [codes.finding(codes.MAIL_REFUSED, where, row.faction, address=Verbatim(address), book=book,
                              cause=Verbatim(row.marks[address].cause), **whom) for address in row.at_stage("refused")]
    findings += [codes.finding(codes.MAIL_RETURNED, where, row.faction, address=Verbatim(address), book=book, code=code,
                               cause=Verbatim(row.marks[address].cause), **whom)
                 for address in row.at_stage("returned")]
    waiting, unknown = row.at_stage("recorded"), row.at_stage("uncertain")
    if waiting and row.marks[waiting[0]].cause:
        findings.append(codes.finding(codes.MAIL_WAITS, list=Verbatim(", ".join(waiting)), book=book,
                                      cause=Verbatim(row.marks[waiting[0]].cause)))
    if unknown:
        findings.append(codes.finding(codes.MAIL_UNCERTAIN, list=Verbatim(", ".join(unknown)), book=book, code=code))
    return findings


def outbox_findings(rows: Sequence[Mail], book: str) -> list[Finding]:
    """Findings about all mails, without addresses that a later mail of the same kind has reached."""
    findings = []
    for place, row in enumerate(rows):
        later = {address for after in rows[place + 1:] if (after.kind, after.faction) == (row.kind, row.faction)
                 for address in after.at_stage("taken")}
        settled = [address for address in row.at_stage("refused", "returned") if address in later]
        left = {address: mark for address, mark in row.marks.items() if address not in settled}
        findings += mail_findings(row._replace(marks=left), book)
    return findings


def add_mail_findings(lines: DeskLines, ledger: Ledger, words: Wording, book: str) -> DeskLines:
    """The lines of the Desk, with the findings about mails among what is wrong. `book`: the workbook's name.

    Raises `LedgerTrouble`.
    """
    told = tuple(words.finding(finding) for finding in outbox_findings(ledger.outbox.rows(), book))
    return lines._replace(wrong=(*lines.wrong, *told))


# The workspace.


BOOK_FORMAT = 1
"""The format of the workbooks that this Arbitro writes, noted on the Desk; it reads all earlier ones."""
BookPlace = Path | Book
"""A workbook: as a file, or open in a program."""


def playing_factions(campaign: Campaign) -> list[str]:
    """Codes of the factions that play, in natural order."""
    return [f.faction for f in campaign.table(Faction) if f.role not in OWNERLESS]


def factions_with_reports(campaign: Campaign) -> list[str]:
    """Codes of the factions that get reports (clubs and robots), in natural order."""
    return [f.faction for f in campaign.table(Faction) if f.role not in CLUBLESS]


@dataclass(eq=False, repr=False)
class Workspace:
    """A workbook that was read, with its rulebook and the wording of a language."""

    path: Path
    book: Book
    reading: WorkbookReading
    ruleset: Ruleset
    campaign: Campaign
    wording: Wording
    lang: str
    loader: Loader | None = None
    written: str = ""
    """The fingerprint of the workbook after our last change; "" before one."""
    began: str | None = None
    """The version of the rules with which the campaign began; None if not known."""
    ledger_mark: str = ""
    """The mark of the workbook that the ledger knew when this one was read."""
    on_sheets: Campaign = field(init=False)
    """The campaign as it is on the sheets, without earlier defaults that are not written yet."""
    left: DetectedEdits | None = field(default=None, repr=False)
    """The edits still undecided after our last change; None before one."""
    second_copies: list[Finding] = field(default_factory=list, repr=False)
    """Findings about copies beside the workbook; see `look_beside`."""

    def __post_init__(self) -> None:
        self.on_sheets = self.campaign
        self.campaign = with_earlier_defaults(self.ruleset, self.campaign, self.began)

    @property
    def sheet_wording(self) -> Wording:
        """The wording for what is written into the workbook, in the campaign's language."""
        lang = self.campaign.desk.language or "en"
        return self.wording.of_no_file() if lang == self.lang else Wording(
            self.ruleset, lang, faction_names(self.campaign, lang, self.ruleset.named))

    @property
    def data_findings(self) -> list[Finding]:
        """The findings of the reader and of the rulebook about the whole workbook."""
        seen = list(self.reading.findings)
        if not any(blocks_phase(f) for f in seen):
            seen += self.with_cells(check_campaign(self.ruleset, without_superseded(self.campaign)))
        return seen

    @property
    def clock_known(self) -> bool:
        """Whether the Desk has a turn and a phase that the rulebook knows."""
        return not any(f.stops and f.where.table == Desk.sheet and f.where.field in REQUIRED_SETTINGS
                       for f in self.reading.findings)

    def with_cells(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings with their cells, as far as the rows were there when the workbook was read."""
        rows = self.reading.cells.rows
        return [f if f.where.row and f.where.row not in rows.get(f.where.table, {})
                else self.reading.with_cells([f], self.campaign)[0] for f in findings]

    @contextlib.contextmanager
    def open_ledger(self) -> Iterator[Ledger]:
        """The campaign's ledger as it is now, in a ``with`` statement. Raises `Abort`."""
        with self.ledger_faults(), Ledger.open(path_of_ledger(self.path), self.campaign.desk.campaign_id) as ledger:
            yield ledger

    def ask_ledger(self, question: Callable[[Ledger], T], otherwise: T) -> T:
        """What the campaign's ledger says; `otherwise` where it cannot be read, as is said where it is needed."""
        with contextlib.suppress(Abort), self.open_ledger() as ledger:
            return question(ledger)
        return otherwise

    @contextlib.contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """The campaign's ledger, for reading in a ``with`` statement; for writing see `writer.at_work`.

        Raises `Abort`, and `ChangedMeanwhile` as `beside`.
        """
        with self.ledger_faults(), self.beside() as ledger:
            yield ledger

    @contextlib.contextmanager
    def beside(self) -> Iterator[Ledger]:
        """The campaign's ledger, for reading, of the same version as the workbook that was read.

        It does not change, whatever another Arbitro does meanwhile. Raises `LedgerTrouble`, and `ChangedMeanwhile` if
        the workbook was replaced since it was read.
        """
        with Ledger.open(path_of_ledger(self.path), self.campaign.desk.campaign_id) as ledger:
            if not self.book.live and self._is_replaced():
                raise ChangedMeanwhile(self.path.name)
            yield ledger

    def _is_replaced(self) -> bool:
        """Whether the workbook's file differs from what we read or wrote."""
        try:
            return sha256(self.path.read_bytes()) != (self.written or self.reading.sha256)
        except OSError:  # it is gone, or held: whoever needs it will say so
            return False

    def checked_bytes(self) -> bytes:
        """The workbook's bytes. Raises `Abort` if they have changed since, unless the workbook is open."""
        try:
            content = self.on_disk()
        except OSError as fault:
            raise self.file_abort(fault) from fault
        if not self.book.live and sha256(content) != (self.written or self.reading.sha256):
            raise self.abort(Exit.FILE, codes.FILE_CHANGED, file=self.path.name)
        return content

    def on_disk(self) -> bytes:
        """The workbook's file; b"" for an open one that was never saved. Raises OSError."""
        return b"" if self.book.live and not self.path.is_file() else self.path.read_bytes()

    @property
    def chain(self) -> list[str]:
        """The marks in the workbook, oldest first; [] if somebody has typed over them.

        They begin with "" as long as the Desk still holds all of them.
        """
        text = self.on_sheets.desk.marks
        marks = [str(mark) for mark in parse_marks(text)]
        return ["", *marks] if len(marks) < MARKS_KEPT and (marks or not text.strip()) else marks

    def state(self) -> str:
        """The fingerprint of this workbook while it is open."""
        return open_book_fingerprint(self.on_sheets)

    def standing(self) -> BookSnapshot:
        """What the ledger stores of the workbook as it is. Raises OSError."""
        return (
            open_book_snapshot(self.on_sheets, self.on_disk()) if self.book.live else BookSnapshot(self.on_disk(), "")
        )

    def when(self, at: TurnPhase | LedgerStep) -> str:
        """A turn and phase in words."""
        return phase_label(self.ruleset, at.turn, at.phase, self.lang)

    @property
    def typed_name(self) -> str:
        """The workbook's name for commands to type; "" for a workbook with buttons."""
        return "" if self.book.live else self.path.name

    def claim(self, doing: str) -> contextlib.AbstractContextManager[None]:
        """The claim on the workbook; see `claim_workbook`."""
        return claim_workbook(self.path, doing, self.lang, self.wording)

    def abort(self, exit_code: Exit, code: str, **data: Any) -> Abort:
        """A `Abort` with one of the findings that all rulebooks share, in the words of the command; to be raised."""
        return abort(exit_code, code, self.lang, self.wording, **data)

    def abort_with(self, exit_code: Exit, findings: list[Finding]) -> Abort:
        """A `Abort` with these findings, in the words of the command; to be raised."""
        return Abort(exit_code, findings, self.lang, self.wording)

    def file_abort(self, fault: Exception) -> Abort:
        """The `Abort` for an error about the workbook's file."""
        return file_abort(fault, self.path, self.lang, self.wording)

    def ledger_stop(self, trouble: LedgerTrouble) -> Abort:
        """The `Abort` that says what is wrong with the ledger and the way out."""
        cell = self.reading.cells.of(Where(Desk.sheet, "", "campaign_id"))
        return ledger_abort(trouble, self.path, self.lang, self.wording, self.campaign.desk.campaign_id, cell)

    @contextlib.contextmanager
    def ledger_faults(self) -> Iterator[None]:
        """Turn trouble with the ledger in a ``with`` statement into `Abort`."""
        try:
            yield
        except LedgerTrouble as trouble:
            raise self.ledger_stop(trouble) from trouble

    def file_faults(self) -> contextlib.AbstractContextManager[None]:
        """Turn errors about the workbook's file in a ``with`` statement into `Abort`."""
        return file_faults(self.path, self.lang, self.wording)

    def look(self, ledger: Ledger) -> DetectedEdits:
        """The edits made by hand since Arbitro last wrote. A command calls this once and passes the result on.

        Raises `LedgerTrouble`.
        """
        return self.left or detect_edits(self.on_sheets, self.reading, ledger)

    def put_bytes(self, content: bytes) -> None:
        """Replace the whole file. On `BookError` or OSError it is unchanged."""
        # no check: the same bytes were there before
        replace_file(self.path, content, self.reading.sha256, check=False, around=self.book.around)


def settle_inbox(workspace: Workspace) -> Result | None:
    """Do what the referee has typed into the column Decide of the sheet Inbox, before a command goes on; None where
    that is nothing. Raises `Abort`.
    """
    if not any(row.decide and not row.decided for row in workspace.campaign.table(InboxRow)):
        return None
    # by its name: it stands above the commands that begin with it, and few of them need it
    result: Result | None = import_module("assistant.desk.clubs.collect").settle_decisions(workspace)
    return result


def open_workspace(
    at: BookPlace, lang: str = "", loader: Loader | None = None, *, of_any_history: bool = False,
    of_any_package: bool = False
) -> Workspace:
    """Open and read a workbook.

    Raises `Abort` if the file cannot be used at all or, unless `of_any_history`, if workbook and ledger have two
    histories; and, unless `of_any_package`, if its house rules with code are others than those that are installed.
    """
    until = time.monotonic() + RETRY_SECONDS
    while (workspace := _read_workspace(at, lang, loader, of_any_package=of_any_package)) is None:
        if time.monotonic() > until:
            raise abort(Exit.FILE, codes.FILE_CHANGED, lang, file=(at if isinstance(at, Path) else at.path).name)
        time.sleep(RETRY_INTERVAL)
    marks = parse_marks(workspace.campaign.desk.marks)
    if marks and str(marks[-1]) != workspace.ledger_mark and not of_any_history:
        _abort_on_two_histories(workspace)
    return workspace


def _read_workspace(at: BookPlace, lang: str, loader: Loader | None, *, of_any_package: bool) -> Workspace | None:
    """Read a workbook; None while another Arbitro is replacing workbook and ledger. Raises `Abort`."""
    path = at if isinstance(at, Path) else at.path
    with file_faults(path, lang), SheetCache(path) as memory:
        book = open_book(at, loader, memory) if isinstance(at, Path) else at
        reading = book.read()
    if reading.ruleset is None and memory.package:
        raise abort(Exit.REFUSED, codes.PACKAGE_MISSING, lang, package=memory.package)
    if reading.ruleset is None:
        unfit = Exit.REFUSED if any(f.code == NO_SHEET for f in reading.findings) else Exit.FILE
        raise Abort(unfit, reading.findings, lang)
    campaign = reading.campaign
    if campaign.desk.format > BOOK_FORMAT:
        raise abort(Exit.FILE, NEWER_BOOK, lang or campaign.desk.language, file=path.name, seen=campaign.desk.format,
                   known=BOOK_FORMAT)
    spoken = lang or campaign.desk.language or "en"
    wording = Wording(reading.ruleset, spoken, faction_names(campaign, spoken, reading.ruleset.named))
    if not book.live:
        wording = wording.of_file(path)
    here = package_mark(reading.ruleset) if memory.package and not of_any_package else None
    if here is not None and str(here) != memory.package:
        raise abort(Exit.REFUSED, codes.OTHER_PACKAGE, spoken, wording, package=memory.package, here=str(here),
                    book=path.name)
    workspace = Workspace(path, book, reading, reading.ruleset, campaign, wording, spoken, loader, began=memory.began,
                          ledger_mark=memory.mark)
    ready = new_file_path(path_of_ledger(path)).exists()
    if ready or memory.moved or has_leftovers(path) or memory.unsettled or (book.live and path.is_file()):
        free = _settle_crash(workspace)
        if memory.moved or (ready and not free):  # the workbook may be the new one, and the ledger still the old one
            return None
    return workspace


def _abort_on_two_histories(workspace: Workspace) -> None:
    """Raise `Abort` with the point where workbook and ledger diverge, and the ways on."""
    progress = workspace.ask_ledger(lambda ledger: find_divergence(workspace.campaign, ledger), None)
    if progress is not None:
        words = workspace.wording
        raise abort(
            Exit.LEDGER,
            codes.TWO_HISTORIES,
            workspace.lang,
            words,
            book=workspace.path.name,
            ledger=path_of_ledger(workspace.path).name,
            point=workspace.when(TurnPhase(progress.turn, progress.phase)),
            ours=Verbatim(_progress_text(words, progress.book)),
            theirs=Verbatim(_progress_text(words, progress.ledger)),
            who=Verbatim(progress.who),
        )


def _progress_text(words: Wording, since: ProgressSince) -> str:
    return words.text(N_("{phases} and {orders}"), phases=Verbatim(words.plural(
        N_("{n} phase"), N_("{n} phases"), since.phases)), orders=Verbatim(words.plural(
            N_("{n} order"), N_("{n} orders"), since.orders)))


def _settle_crash(workspace: Workspace) -> bool:
    """Settle what a crash left, even for a command that only reads; False if another Arbitro is changing the workbook.

    If that is impossible (another command is running, the ledger is missing, the folder is read-only) the next command
    that writes will say so. The ledger also follows an open workbook in which the program itself undid changes.
    """
    place, campaign = path_of_ledger(workspace.path), workspace.campaign.desk.campaign_id
    try:
        with hold_claim(workspace.path), Ledger.open(place, campaign) as ledger:
            ledger.settle(workspace.on_disk(), workspace.state, workspace.chain)
            if workspace.book.live:
                follow_open_book(ledger, workspace.state())
    except BookClaimed:
        return False
    # whoever needs the ledger will say what is wrong with it
    except (LedgerTrouble, OSError):
        pass
    return True


# Deadlines.
#
# The ledger stores the deadline of each phase, so that it is always the same; `undo` does not touch it.


DEADLINES_KEY = "due"
"""The ledger's key for the deadlines of phases."""
DEADLINES_KEPT = 40
DAYS = N_("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = N_("January February March April May June July August September October November December")
"""One text each, so that the name of a club called March is not translated."""
DueText = str | Callable[[Wording], str]
"""A deadline: as it was typed, or worded when it is shown."""


def phase_key(campaign: Campaign) -> str:
    """The key of the present phase's deadline."""
    return f"{campaign.desk.turn}.{campaign.desk.phase}"


def stored_deadline(ledger: Ledger, campaign: Campaign) -> datetime | None:
    """The stored deadline of the present phase; None if the Desk sets none, or none is stored yet."""
    kept = _stored_deadlines(ledger).get(phase_key(campaign), "")
    return datetime.fromisoformat(kept) if kept and timetable_of(campaign.desk) is not None else None


def store_deadline(ledger: Ledger, campaign: Campaign, due: datetime) -> None:
    """Store the deadline of the present phase. Raises `LedgerTrouble`."""
    here = phase_key(campaign)
    kept = [(moment, at) for moment, at in _stored_deadlines(ledger).items() if moment != here]
    ledger.note(DEADLINES_KEY, json.dumps(dict([*kept[1 - DEADLINES_KEPT:], (here, due.isoformat())])))


def _stored_deadlines(ledger: Ledger) -> dict[str, str]:
    return dict(json.loads(ledger.read_note(DEADLINES_KEY) or "{}"))


def current_deadline(workspace: Workspace, now: datetime | None) -> datetime | None:
    """The deadline of the present phase: the stored one, else the next by the Desk's timetable.

    None if the Desk sets none, the campaign is over, or `now` is None.
    """
    table = timetable_of(workspace.campaign.desk)
    if table is None or now is None or workspace.ruleset.is_over(workspace.campaign):
        return None
    kept = workspace.ask_ledger(lambda ledger: stored_deadline(ledger, workspace.campaign), None)
    return kept or table.next_after(now)


def ensure_deadline(workspace: Workspace, now: datetime | None) -> None:
    """Store the deadline of the present phase before clubs are told, unless one is stored. Raises `Abort`."""
    table = timetable_of(workspace.campaign.desk)
    if table is None or now is None or workspace.ruleset.is_over(workspace.campaign):
        return
    with workspace.open_ledger() as ledger:
        if stored_deadline(ledger, workspace.campaign) is None:
            store_deadline(ledger, workspace.campaign, table.next_after(now))


def due_text(workspace: Workspace, by: str, now: datetime | None) -> DueText:
    """The deadline as it was typed (`by`), else as the Desk sets it; "" for neither."""
    typed = " ".join(by.split())
    due = None if typed else current_deadline(workspace, now)
    return typed if due is None else lambda words: _deadline_with_grace(due, workspace.campaign.desk, words)


def _deadline_with_grace(due: datetime, desk: Desk, words: Wording) -> str:
    """A deadline in words, with the end of the grace period if there is one."""
    table, told = timetable_of(desk), deadline_text(due, desk, words)
    if table is None or not table.grace:
        return told
    return words.text(N_("{due} (what comes until {until} still counts)"), due=Verbatim(told),
                      until=Verbatim(deadline_text(table.ends(due), desk, words)))


def render_due(by: DueText, words: Wording) -> str:
    """A deadline in the words of a language."""
    return by if isinstance(by, str) else by(words)


def deadline_text(due: datetime, desk: Desk, words: Wording) -> str:
    """``Sunday 6 December 2026, 20:00 (Europe/Rome)``, in the words of a language."""
    local = due.astimezone(zone_of(desk) or UTC)
    return words.text(N_("{weekday} {day} {month} {year}, {hour} ({zone})"),
                      weekday=Verbatim(words.text(DAYS).split()[local.weekday()]), day=local.day,
                      month=Verbatim(words.text(MONTHS).split()[local.month - 1]), year=Verbatim(str(local.year)),
                      hour=Verbatim(f"{local:%H:%M}"), zone=Verbatim(desk.due_zone or "UTC"))


def plain_deadline(due: datetime | None, desk: Desk) -> str:
    """A deadline in digits that need no translation, as events store it; "" for none."""
    return "" if due is None else f"{due.astimezone(zone_of(desk) or UTC):%Y-%m-%d, %H:%M} ({desk.due_zone or 'UTC'})"


def deadline_findings(campaign: Campaign) -> list[Finding]:
    """Remarks on time zones and holidays that cannot be read, at their cells."""
    desk = campaign.desk
    findings = [] if zone_of(desk) is not None else [codes.finding(
        codes.NO_SUCH_ZONE, Where(Desk.sheet, "", "due_zone"), seen=Verbatim(desk.due_zone))]
    return findings + [codes.finding(codes.NO_HOLIDAYS, Where(Faction.sheet, row.faction, "holidays"), row.faction,
                                     seen=Verbatim(row.holidays))
                       for row in campaign.table(Faction) if row.holidays and parse_holidays(row.holidays) is None]


# The secret codes in the clubs' copies.


RENEWALS_KEY = "copies"
"""The ledger's key for how often each faction's code was renewed."""


class ClubCodes(NamedTuple):
    """The codes of a campaign's clubs. `now`: faction -> valid code; `factions`: any code, also old ones -> faction."""

    now: Mapping[str, str]
    factions: Mapping[str, str]


def current_tokens(workspace: Workspace, renew: str = "") -> dict[str, str]:
    """The valid codes of all factions that get copies. `renew`: the faction that gets a new one. Raises `Abort`."""
    return {faction: known[-1] for faction, known in _all_tokens(workspace, renew).items()}


def _all_tokens(workspace: Workspace, renew: str = "") -> dict[str, list[str]]:
    """Faction -> its codes, the valid one last."""
    ours = workspace.campaign.desk.campaign_id
    with workspace.open_ledger() as ledger:
        renewed: dict[str, int] = json.loads(ledger.read_note(RENEWALS_KEY) or "{}")
        if renew:
            renewed[renew] = renewed.get(renew, 0) + 1
            ledger.note(RENEWALS_KEY, json.dumps(renewed, sort_keys=True))
        # all that ever held: so an old code is told from none at all
        return {code: [token_of(ledger.secret, ours, code, n) for n in range(renewed.get(code, 0) + 1)]
                for code in factions_with_reports(workspace.campaign)}


def club_codes(workspace: Workspace) -> ClubCodes:
    """The codes of all factions that get copies. Raises `Abort`."""
    tokens = _all_tokens(workspace)
    return ClubCodes({faction: known[-1] for faction, known in tokens.items()},
                 {code: faction for faction, known in tokens.items() for code in known})


def sending_faction(workspace: Workspace, text: str, turn: str, file: str, known: ClubCodes | None = None) -> str:
    """The faction that a copy comes from. `text`: contains its code; `turn`: of the copy; `file`: its name.

    `known`: the codes, if they are at hand. Raises `Abort` for a code that is unknown or no longer valid, for codes of
    several clubs, and for a copy of another turn.
    """
    tokens = dict.fromkeys(tokens_in(text))
    known = known or club_codes(workspace)
    if len({known.factions.get(code, "") for code in tokens}) > 1:
        raise workspace.abort(Exit.REFUSED, codes.TWO_CODES, file=file, list=Verbatim(", ".join(tokens)))
    for faction, code in known.now.items():
        if code in tokens:
            if turn != workspace.campaign.desk.turn:
                raise workspace.abort(Exit.REFUSED, codes.STALE_COPY, file=file, faction=faction, seen=turn,
                                      turn=workspace.campaign.desk.turn)
            return faction
        if any(known.factions.get(token) == faction for token in tokens):
            raise workspace.abort(Exit.REFUSED, codes.OLD_CODE, file=file, faction=faction)
    raise workspace.abort(Exit.REFUSED, codes.NO_CODE, file=file)
