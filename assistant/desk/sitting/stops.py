"""What ends a command early: a fault of file, folder or ledger in; the `Stop` out, with the finding that says it."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Faction
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.ledger import LedgerTrouble, namesake, path_of
from assistant.resources import machine_language
from assistant.turn.findings import Finding
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.book_errors import (
    BookChanged,
    BookClaimed,
    BookHeld,
    BookLocked,
    BookMissing,
    BookUnsafe,
)
from assistant.workbook.safe.claim import claimed

ROOM = 256 * 1024
"""Bytes that are kept free on the disk while a change is made, so that the ledger can always end or forget it."""
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}
NOT_THERE = N_("it is not there")
NOT_MADE = N_("it is not there and cannot be made there")
IN_THE_WAY = N_("a file stands where a folder should be")
DENIED = {errno.EACCES, errno.EPERM, errno.EROFS}
PATIENCE, BREATH = 10.0, 0.1
"""Seconds for which a command looks again at a workbook that is being changed, and between two looks."""
P = ParamSpec("P")


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


class Moved(Exception):
    """Another Arbitro has changed workbook and ledger while this one was reading them; see `of_one_moment`."""


def of_one_moment(command: Callable[P, Result]) -> Callable[P, Result]:
    """A command that looks at workbook and ledger; where they were changed meanwhile it looks again, for a while."""
    @functools.wraps(command)
    def looked(*args: P.args, **named: P.kwargs) -> Result:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return command(*args, **named)
            except Moved as moved:
                if time.monotonic() > until:
                    return stop(Exit.FILE, codes.FILE_CHANGED, file=str(moved)).result(command.__name__)
                time.sleep(BREATH)

    return looked


def stop(exit_code: Exit, code: str, lang: str = "", wording: Wording | None = None, **data: Any) -> Stop:
    """A `Stop` with one of the findings that all rulebooks share."""
    return Stop(exit_code, [codes.finding(code, **data)], lang, wording)


def club_of(campaign: Campaign, typed: str, words: Wording) -> str:
    """The code of a faction as the campaign spells it, "" for none typed. Raises `Stop` when there is none such."""
    known = {f.faction.casefold(): f.faction for f in campaign.table(Faction) if f.role not in OWNERLESS}
    if typed and typed.casefold() not in known:
        raise stop(Exit.USAGE, codes.NO_SUCH_FACTION, words.lang, words, faction=typed, list=", ".join(known.values()))
    return known.get(typed.casefold(), "")


@contextlib.contextmanager
def claim_on(path: Path, doing: str, lang: str, wording: Wording | None = None) -> Iterator[None]:
    """Hold the claim on a workbook: no other Arbitro changes it meanwhile. Raises `Stop`."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(claimed(path, doing))
        except (BookClaimed, OSError) as fault:
            raise file_stop(fault, path, lang, wording) from fault
        yield


def ledger_stop(trouble: LedgerTrouble, book: Path, lang: str, wording: Wording | None = None,
                campaign: str = "", cell: str = "") -> Stop:
    """The `Stop` that says what is wrong with a workbook's ledger; a full disk is called that. `campaign`: of which a
    ledger that is missing may lie there under another name; `cell`: where the campaign's id stands.
    """
    place = path_of(book)
    scarce = trouble.kind == "unwritable" and shutil.disk_usage(place.resolve().parent).free < 2 * ROOM
    if trouble.kind == "full" or scarce:
        return stop(Exit.FILE, codes.DISK_FULL, lang, wording, file=place.name, reason=os.strerror(errno.ENOSPC))
    near = namesake(place, campaign) if campaign and trouble.kind == "missing" else ""
    said = {"theirs": Verbatim(trouble.detail), "ours": Verbatim(campaign), "cell": cell} if (
        trouble.kind == "foreign") else {"number": Verbatim(trouble.detail)} if trouble.kind in ("lost", "old") else {}
    unfit = Exit.FILE if trouble.kind == "busy" else Exit.LEDGER
    return stop(unfit, codes.LEDGER[trouble.kind], lang, wording, ledger=place.name, book=book.name,
                near=Verbatim(near), **said)


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
