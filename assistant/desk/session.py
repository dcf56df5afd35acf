"""A workbook on the desk: opened once, read once, written once a change, with a snapshot before."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Faction
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.ledger import Ledger, LedgerTrouble, Stage, path_of
from assistant.resources import machine_language
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.package import replace_file
from assistant.workbook.port import (
    Book,
    BookChanged,
    BookError,
    BookLocked,
    BookMissing,
    BookUnsafe,
    DeskLines,
    Loader,
    Reading,
    open_book,
)


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

    @property
    def sheet_wording(self) -> Wording:
        """The words for what is written into the workbook: the campaign's language."""
        lang = self.campaign.desk.language or "en"
        return self.wording if lang == self.lang else Wording(self.ruleset, lang, names_of(self.campaign, lang))

    @property
    def data_findings(self) -> list[Finding]:
        """What the reader saw and what the rulebook says about the whole workbook, at their cells."""
        from assistant.turn.phases import bad_data

        seen = list(self.reading.findings)
        if not any(f.stops for f in seen):
            seen += self.placed(bad_data(self.ruleset, self.campaign))
        return seen

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

    def ledger(self, *, write: bool = False) -> Ledger:
        """The campaign's ledger, settled after a crash when opened for writing. Raises `Stop`."""
        path = path_of(self.path)
        try:
            ledger = Ledger.open(path, self.campaign.desk.campaign_id, write=write)
            if write:
                ledger.recover(self.path.read_bytes())
                ledger.commit_turn(self.campaign.desk.turn, active(self.campaign))
            return ledger
        except LedgerTrouble as trouble:
            raise self.ledger_stop(trouble) from trouble

    def ledger_stop(self, trouble: LedgerTrouble) -> Stop:
        """The `Stop` that says what is wrong with the ledger and the way out."""
        return stop(Exit.LEDGER, codes.LEDGER[trouble.kind], self.lang, self.wording,
                    ledger=path_of(self.path).name, book=self.path.name)

    def put_bytes(self, content: bytes) -> None:
        """Replace the whole file. Raises `BookError` or OSError, and leaves it as it was."""
        replace_file(self.path, content, self.reading.sha256)

    def commit(self, ledger: Ledger, verb: str, after: Campaign, lines: DeskLines) -> None:
        """One change: snapshot, then write what differs. Raises `Stop`, and leaves both as they were."""
        self.commit_all(ledger, [stage_of(verb, self.campaign, after)], after, lines)

    def commit_all(self, ledger: Ledger, stages: Sequence[Stage], after: Campaign, lines: DeskLines) -> None:
        """Several changes, one after the other, in one writing of the workbook. Raises as `commit`."""
        with Change(self, ledger, stages):
            self.book.write(self.campaign, after, self.sheet_wording, lines)
        self.campaign = after


def stage_of(verb: str, before: Campaign, after: Campaign, **rest: Any) -> Stage:
    """The ledger's stage of a change from one state of the campaign to another."""
    return Stage(verb, before.desk.turn, before.desk.phase, stands=(after.desk.turn, tuple(active(after))), **rest)


class Change:
    """One writing of the workbook's file under the ledger's protection; its changes are the `stages`.

    `line`, `redo`: where the ledger's pointers stand afterwards; see `Ledger.begin`.
    """

    def __init__(self, sitting: Sitting, ledger: Ledger, stages: Sequence[Stage], *,
                 line: Iterable[int] | None = None, redo: Iterable[int] | None = None) -> None:
        self.sitting, self.ledger, self.stages = sitting, ledger, stages
        self._line, self._redo = line, redo
        self._step = 0
        self._before = b""

    def __enter__(self) -> Change:
        try:
            self._before = self.sitting.path.read_bytes()
            self._step = self.ledger.begin(self.stages, self._before, line=self._line, redo=self._redo)
        except LedgerTrouble as trouble:
            raise self.sitting.ledger_stop(trouble) from trouble
        except OSError as fault:
            raise file_stop(fault, self.sitting.path, self.sitting.lang, self.sitting.wording) from fault
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if fault is None:
            try:
                self.ledger.finish(self._step, self.sitting.path.read_bytes())
            except (LedgerTrouble, OSError) as late:
                replace_file(self.sitting.path, self._before)
                self._forget()
                trouble = late if isinstance(late, LedgerTrouble) else LedgerTrouble("unwritable", str(late))
                raise self.sitting.ledger_stop(trouble) from late
            return
        self._forget()
        if isinstance(fault, (BookError, OSError)):
            raise file_stop(fault, self.sitting.path, self.sitting.lang, self.sitting.wording) from fault

    def _forget(self) -> None:
        """Drop the snapshot of a change that was not made; if even that fails, `recover` will drop it."""
        with contextlib.suppress(LedgerTrouble):
            self.ledger.abandon(self._step)


def file_stop(fault: Exception, path: Path, lang: str, wording: Wording | None = None) -> Stop:
    """The `Stop` that says what is wrong with a file, from what the machine reported."""
    data: dict[str, Any] = {"file": path.name}
    code = codes.FILE_UNWRITABLE
    if isinstance(fault, (BookMissing, FileNotFoundError)):
        code = codes.FILE_MISSING
    elif isinstance(fault, BookLocked):
        code, data["user"] = codes.FILE_LOCKED, fault.user or "?"
    elif isinstance(fault, BookChanged):
        code = codes.FILE_CHANGED
    elif isinstance(fault, BookUnsafe):
        code, data["reason"] = codes.FILE_UNSAFE, str(fault)
    elif isinstance(fault, OSError):
        data["reason"] = os.strerror(fault.errno) if fault.errno else str(fault)
    else:
        data["reason"] = str(fault)
    return stop(Exit.FILE, code, lang, wording, **data)


def sit(path: Path, lang: str = "", loader: Loader | None = None) -> Sitting:
    """Open and read a workbook. Raises `Stop` where the file cannot be used at all."""
    try:
        book = open_book(path, loader)
        reading = book.read()
    except (BookError, OSError) as fault:
        raise file_stop(fault, path, lang) from fault
    if reading.ruleset is None:
        raise Stop(Exit.FILE, reading.findings, lang)
    campaign = reading.campaign
    spoken = lang or campaign.desk.language or "en"
    wording = Wording(reading.ruleset, spoken, names_of(campaign, spoken))
    return Sitting(path, book, reading, reading.ruleset, campaign, wording, spoken, loader)
