"""A workbook on the desk: opened once, read once, written once a change, with a snapshot before."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Desk, Faction
from assistant.desk import codes
from assistant.desk.abreast import findings_apart
from assistant.desk.edits import Edit
from assistant.desk.memory import LedgerMemory, pages_text
from assistant.desk.results import Exit, Result
from assistant.desk.standing import Standing, follow, standing_of, state_of
from assistant.desk.watching import Watch, watch
from assistant.ledger import Ledger, LedgerTrouble, Marks, Stage, path_of
from assistant.resources import machine_language
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.claim import claimed, left_over
from assistant.workbook.codes import NEWER_BOOK, NO_SHEET
from assistant.workbook.locks import conflicted_copies
from assistant.workbook.port import (
    Book,
    BookChanged,
    BookClaimed,
    BookError,
    BookHeld,
    BookLocked,
    BookMissing,
    BookUnsafe,
    DeskLines,
    Loader,
    Reading,
    open_book,
)
from assistant.workbook.reading import NEEDED, codes_after
from assistant.workbook.saving import backups, leave_copy, put_back, replace_file, reserve, sha256

BOOK_FORMAT = 1
"""The form of the workbooks that this Arbitro writes; it stands on the Desk, and reads every earlier one."""


At = Path | Book
"""Where a campaign is: a file, or a workbook that a program has open."""
ROOM = 256 * 1024
"""Bytes that are kept free on the disk while a change is made, so that the ledger can always end or forget it."""
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}
NOT_THERE = N_("it is not there")
NOT_MADE = N_("it is not there and cannot be made there")
IN_THE_WAY = N_("a file stands where a folder should be")
DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}


class Stop(Exception):
    """Ends a command early with a result that says why; caught at the desk's doors, never seen outside."""

    def __init__(self, exit_code: Exit, findings: list[Finding], lang: str = "",
                 wording: Wording | None = None) -> None:
        super().__init__(", ".join(f.code for f in findings))
        self.exit_code = exit_code
        self.findings = findings
        self.lang = lang
        self.wording = wording

    def result(self, command: str) -> Result:
        """The result that says it."""
        wording = self.wording or Wording(None, self.lang or machine_language())
        return Result(command, self.exit_code, findings=self.findings, wording=wording)


def stop(exit_code: Exit, code: str, lang: str = "", wording: Wording | None = None, **data: Any) -> Stop:
    """A `Stop` with one finding of the common catalogue."""
    return Stop(exit_code, [codes.finding(code, **data)], lang, wording)


def names_of(campaign: Campaign, lang: str) -> dict[str, str]:
    """Faction codes -> their names in a language."""
    return {f.faction: f.name(lang) for f in campaign.table(Faction)}


def active(campaign: Campaign) -> list[str]:
    """Codes of the factions that play, in natural order."""
    return [f.faction for f in campaign.table(Faction) if f.role not in OWNERLESS]


@dataclass
class Sitting:
    """A workbook that was read, with its rulebook and the words of its language."""

    path: Path
    book: Book
    reading: Reading
    ruleset: Ruleset
    campaign: Campaign
    wording: Wording
    lang: str
    loader: Loader | None = None
    written: str = ""
    """The fingerprint of the workbook since our last change; "": as it was read."""
    _watch: Watch | None = field(default=None, init=False, repr=False)

    @property
    def sheet_wording(self) -> Wording:
        """The words for what is written into the workbook: the campaign's language."""
        lang = self.campaign.desk.language or "en"
        return self.wording.of_no_file() if lang == self.lang else Wording(
            self.ruleset, lang, names_of(self.campaign, lang))

    @property
    def data_findings(self) -> list[Finding]:
        """What lies beside the file, what the reader saw, what the rulebook says about the whole workbook."""
        from assistant.turn.phases import bad_data

        seen = [*self.second_copies, *self.reading.findings]
        if not any(f.stops for f in seen):
            seen += self.placed(bad_data(self.ruleset, in_force(self.campaign)))
        return seen

    @property
    def clock_known(self) -> bool:
        """Whether the Desk says a turn and a phase that the rulebook has."""
        return not any(f.stops and f.where.table == Desk.sheet and f.where.field in NEEDED
                       for f in self.reading.findings)

    @property
    def second_copies(self) -> list[Finding]:
        """A warning for each copy that a cloud folder made of the workbook beside it."""
        if self.book.live and not self.path.is_file():  # it lies in no folder
            return []
        try:
            names = conflicted_copies(self.path, self.campaign.desk.campaign_id)
        except OSError:  # a folder that may not be listed holds nothing that could be named
            names = []
        return [codes.finding(codes.SECOND_COPY, copy=name, book=self.path.name) for name in names]

    def placed(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings with their cells, as far as the rows stood there when the workbook was read."""
        rows = self.reading.cells.rows
        return [f if f.where.row and f.where.row not in rows.get(f.where.table, {})
                else self.reading.placed([f], self.campaign)[0] for f in findings]

    def stop_on_data(self) -> None:
        """Raise `Stop` when findings about the workbook forbid to go on."""
        seen = self.data_findings
        if any(f.stops for f in seen):
            raise Stop(Exit.REFUSED, seen, self.lang, self.wording)

    @contextlib.contextmanager
    def ledger(self, *, write: bool = False, doing: str = "", of_any_time: bool = False) -> Iterator[Ledger]:
        """The campaign's ledger, to be used in a ``with`` statement.

        For writing the workbook is claimed for as long, what a crash left half-way is settled, and both must
        be of the same moment, unless `of_any_time`. `doing`: the command, to be told to who comes second.
        Raises `Stop`.
        """
        with contextlib.ExitStack() as held:
            if write:
                held.enter_context(self.claim(doing))
            try:
                place, campaign = path_of(self.path), self.campaign.desk.campaign_id
                ledger = held.enter_context(Ledger.open(place, campaign, write=write))
                if write:
                    ledger.recover(self._unchanged(), self.state)
                    other = [] if of_any_time else findings_apart(self, ledger)
                    if other:
                        raise Stop(Exit.LEDGER, other, self.lang, self.wording)
                    if not turn_by_hand(self.watched(ledger)):
                        ledger.commit_turn(self.campaign.desk.turn, active(self.campaign))
            except LedgerTrouble as trouble:
                raise self.ledger_stop(trouble) from trouble
            yield ledger

    def _unchanged(self) -> bytes:
        """The workbook's bytes, which must be those that were read, unless it is open. Raises `Stop`."""
        try:
            content = self.on_disk()
        except OSError as fault:
            raise file_stop(fault, self.path, self.lang, self.wording) from fault
        if not self.book.live and sha256(content) != (self.written or self.reading.sha256):
            raise stop(Exit.FILE, codes.FILE_CHANGED, self.lang, self.wording, file=self.path.name)
        return content

    def on_disk(self) -> bytes:
        """The workbook's file; b"" where an open one lies in no folder. Raises OSError."""
        return b"" if self.book.live and not self.path.is_file() else self.path.read_bytes()

    def state(self) -> str:
        """By what the ledger knows this workbook while it is open."""
        return state_of(self.campaign)

    def standing(self) -> Standing:
        """What the ledger keeps of the workbook as it is, and by what it knows it. Raises OSError."""
        return standing_of(self.campaign, self.on_disk()) if self.book.live else Standing(self.on_disk(), "")

    @property
    def typed_name(self) -> str:
        """The workbook's name where commands are to be typed; "" where its buttons are clicked."""
        return "" if self.book.live else self.path.name

    def claim(self, doing: str) -> contextlib.AbstractContextManager[None]:
        """The claim on the workbook; see `claim_on`."""
        return claim_on(self.path, doing, self.lang, self.wording)

    def ledger_stop(self, trouble: LedgerTrouble) -> Stop:
        """The `Stop` that says what is wrong with the ledger and the way out."""
        return ledger_stop(trouble, self.path, self.lang, self.wording)

    def watched(self, ledger: Ledger) -> Watch:
        """What was changed by hand since Arbitro last wrote, found once. Raises `LedgerTrouble`."""
        if self._watch is None:
            self._watch = watch(self.campaign, self.reading, ledger)
        return self._watch

    def hand_edits(self, ledger: Ledger) -> list[Edit]:
        """The changes by hand that nobody has decided on; none where the ledger knows no fingerprints yet.

        Raises `LedgerTrouble`.
        """
        return list(self.watched(ledger).edits)

    def wrote(self, after: Campaign, watched: Watch) -> None:
        """The workbook holds another state now, under this watch."""
        self.campaign, self._watch = after, watched

    def put_bytes(self, content: bytes) -> None:
        """Replace the whole file. Raises `BookError` or OSError, and leaves it as it was."""
        replace_file(self.path, content, self.reading.sha256, check=False)  # whatever it is, it lay there before

    def commit(self, ledger: Ledger, verb: str, after: Campaign, lines: DeskLines, *,
               decided: Collection[Edit] = ()) -> None:
        """One change: snapshot, then write what differs. Raises `Stop`, and leaves both as they were.

        `decided`: changes by hand that are accepted with it.
        """
        self.commit_all(ledger, [stage_of(verb, self.campaign, after)], after, lines, decided=decided)

    def _pages_after(self, watched: Watch, after: Campaign) -> str:
        """How the sheets were left, of those in which nothing was to be remarked and nothing is undecided."""
        if watched.edits:
            return ""
        return pages_text(self.book.pages, codes_after(self.ruleset, self.campaign, after),
                          without={f.where.table for f in self.reading.findings})

    def commit_all(self, ledger: Ledger, stages: Sequence[Stage], after: Campaign, lines: DeskLines, *,
                   decided: Collection[Edit] = ()) -> None:
        """Several changes, one after the other, in one writing of the workbook. Raises as `commit`."""
        then = self.watched(ledger).then(after, decided)
        if turn_by_hand(then):
            stages = [replace(stage, stands=("", ())) for stage in stages]  # no dice are promised for such a turn
        with Change(self, ledger, stages, marks=then.marks, pages=lambda: self._pages_after(then, after), after=after):
            self.book.write(self.campaign, after, self.sheet_wording, lines)
        self.wrote(after, then)


def turn_by_hand(watched: Watch) -> bool:
    """Whether the turn that the Desk shows was typed there and not decided on."""
    return any((e.sheet, e.field) == (Desk.sheet, "turn") for e in watched.edits)


def stage_of(verb: str, before: Campaign, after: Campaign, **rest: Any) -> Stage:
    """The ledger's stage of a change from one state of the campaign to another."""
    return Stage(verb, before.desk.turn, before.desk.phase, stands=(after.desk.turn, tuple(active(after))), **rest)


class Change:
    """One writing of the workbook's file under the ledger's protection; its changes are the `stages`.

    `line`, `redo`: where the ledger's pointers stand afterwards; `marks`: the fingerprints of what it
    writes, None where it writes no values; see `Ledger.begin`. `pages`: says afterwards how the sheets were left;
    `after`: the campaign as it is written.
    """

    def __init__(self, sitting: Sitting, ledger: Ledger, stages: Sequence[Stage], *,
                 line: Iterable[int] | None = None, redo: Iterable[int] | None = None,
                 marks: Marks | None = None, pages: Callable[[], str] | None = None,
                 after: Campaign | None = None) -> None:
        self.sitting, self.ledger, self.stages, self.after = sitting, ledger, stages, after
        self._line, self._redo, self._marks, self._pages = line, redo, marks, pages
        self._step = 0
        self._before = Standing(b"", "")
        self._backups: list[Path] = []
        self._room: Path | None = None

    def __enter__(self) -> Change:
        try:
            self._before = self.sitting.standing()
            self._backups = backups(self.sitting.path)
            self._room = reserve(self.sitting.path, ROOM + 2 * len(self._marks.manifest if self._marks else ""))
            self._step = self.ledger.begin(self.stages, self._before.content, line=self._line, redo=self._redo,
                                           marks=self._marks, sha=self._before.sha)
        except LedgerTrouble as trouble:
            self._give_room()
            raise self.sitting.ledger_stop(trouble) from trouble
        except OSError as fault:
            raise file_stop(fault, self.sitting.path, self.sitting.lang, self.sitting.wording) from fault
        return self

    def _give_room(self) -> None:
        """Let the ledger have the room that was kept for it."""
        if self._room is not None:
            self._room.unlink(missing_ok=True)

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        self._give_room()
        if fault is None:
            try:
                self._finish()
            except (LedgerTrouble, OSError) as late:
                self._put_back()
                trouble = late if isinstance(late, LedgerTrouble) else LedgerTrouble("unwritable", str(late))
                raise self.sitting.ledger_stop(trouble) from late
            return
        self._forget()
        if isinstance(fault, BookHeld):
            raise self._left_beside(fault) from fault
        if isinstance(fault, (BookError, OSError)):
            raise file_stop(fault, self.sitting.path, self.sitting.lang, self.sitting.wording) from fault

    def _finish(self) -> None:
        """Tell the ledger what the workbook is now. Raises `LedgerTrouble`, OSError."""
        sitting = self.sitting
        if sitting.book.live:
            self.ledger.finish(self._step, b"", sha=state_of(self.after or sitting.campaign))
        else:
            content = sitting.path.read_bytes()
            self.ledger.finish(self._step, content, self._pages() if self._pages else "")
            sitting.written = sha256(content)

    def _put_back(self) -> None:
        """The workbook as it was. Where even that fails the change stands, and `recover` will find it made."""
        if self.sitting.book.live:  # what is open is not replaced: the next press finds the change made
            return
        try:
            put_back(self.sitting.path, self._before.content, self._backups)
        except (BookError, OSError) as fault:
            raise file_stop(fault, self.sitting.path, self.sitting.lang, self.sitting.wording) from fault
        self._forget()

    def _left_beside(self, fault: BookHeld) -> Stop:
        """The result lies beside the workbook that could not be replaced; the step was not made."""
        sitting = self.sitting
        label = sitting.sheet_wording.text(N_("turn {turn}"), turn=Verbatim(self.stages[0].turn))
        try:
            copy = leave_copy(sitting.path, fault.content, label)
        except OSError as late:
            return file_stop(late, sitting.path, sitting.lang, sitting.wording)
        return stop(Exit.FILE, codes.FILE_HELD, sitting.lang, sitting.wording, file=sitting.path.name, copy=copy.name)

    def _forget(self) -> None:
        """Drop the snapshot of a change that was not made; if even that fails, `recover` will drop it."""
        with contextlib.suppress(LedgerTrouble):
            self.ledger.abandon(self._step)


@contextlib.contextmanager
def claim_on(path: Path, doing: str, lang: str, wording: Wording | None = None) -> Iterator[None]:
    """Hold the claim on a workbook: no other Arbitro changes it meanwhile. Raises `Stop`."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(claimed(path, doing))
        except (BookClaimed, OSError) as fault:
            raise file_stop(fault, path, lang, wording) from fault
        yield


def ledger_stop(trouble: LedgerTrouble, book: Path, lang: str, wording: Wording | None = None) -> Stop:
    """The `Stop` that says what is wrong with a workbook's ledger; a full disk is called that."""
    place = path_of(book)
    scarce = trouble.kind == "unwritable" and shutil.disk_usage(place.resolve().parent).free < 2 * ROOM
    if "is full" in str(trouble) or (scarce and "locked" not in str(trouble)):
        return stop(Exit.FILE, codes.DISK_FULL, lang, wording, file=place.name, reason=os.strerror(errno.ENOSPC))
    return stop(Exit.LEDGER, codes.LEDGER[trouble.kind], lang, wording, ledger=place.name, book=book.name)


def file_stop(fault: Exception, path: Path, lang: str, wording: Wording | None = None) -> Stop:
    """The `Stop` that says what is wrong with a file, from what the machine reported."""
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
    return stop(Exit.FILE, code, lang, wording, **data)


def folder_stop(fault: OSError, folder: Path, file: str, lang: str, wording: Wording | None = None) -> Stop:
    """The `Stop` for a folder into which `file` was to be written; one that is not there is called that."""
    if isinstance(fault, (FileNotFoundError, FileExistsError, NotADirectoryError)):
        reason = NOT_MADE if isinstance(fault, FileNotFoundError) else IN_THE_WAY
        return stop(Exit.FILE, codes.NO_SUCH_FOLDER, lang, wording, folder=folder, file=file, reason=reason)
    return file_stop(fault, folder, lang, wording)


def need_folder(target: Path, lang: str) -> None:
    """See that the folder is there in which a file is to be written. Raises `Stop`."""
    folder = target.parent
    if not folder.is_dir():
        raise stop(Exit.FILE, codes.NO_SUCH_FOLDER, lang, folder=folder, file=target.name,
                   reason=IN_THE_WAY if folder.exists() else NOT_THERE)


def sit(at: At, lang: str = "", loader: Loader | None = None) -> Sitting:
    """Open and read a workbook. Raises `Stop` where the file cannot be used at all."""
    path = at if isinstance(at, Path) else at.path
    try:
        with LedgerMemory(path) as memory:
            book = open_book(at, loader, memory) if isinstance(at, Path) else at
            reading = book.read()
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, lang) from fault
    if reading.ruleset is None:
        unfit = Exit.REFUSED if any(f.code == NO_SHEET for f in reading.findings) else Exit.FILE
        raise Stop(unfit, reading.findings, lang)
    campaign = reading.campaign
    if campaign.desk.format > BOOK_FORMAT:
        raise stop(Exit.FILE, NEWER_BOOK, lang or campaign.desk.language, file=path.name, seen=campaign.desk.format,
                   known=BOOK_FORMAT)
    spoken = lang or campaign.desk.language or "en"
    wording = Wording(reading.ruleset, spoken, names_of(campaign, spoken))
    if not book.live:
        wording = wording.of_file(path)
    sitting = Sitting(path, book, reading, reading.ruleset, campaign, wording, spoken, loader)
    if left_over(path) or memory.unsettled or (book.live and path.is_file()):
        _mend(sitting)
    return sitting


def _mend(sitting: Sitting) -> None:
    """Settle what a crash left, also for a command that only looks; where that is not to be had (somebody
    is at work, the ledger is missing, the folder is read-only) the next command that writes will say so.
    The ledger follows an open workbook in which the program itself took changes back.
    """
    place, campaign = path_of(sitting.path), sitting.campaign.desk.campaign_id
    with (contextlib.suppress(BookClaimed, LedgerTrouble, OSError), claimed(sitting.path),
          Ledger.open(place, campaign, write=True) as ledger):
        ledger.recover(sitting.on_disk(), sitting.state)
        if sitting.book.live:
            follow(ledger, sitting.state())
