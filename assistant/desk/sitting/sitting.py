"""A campaign that lies on the desk: a path or an open workbook in; what was read of it out, with rulebook and words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, OWNERLESS, Desk, Faction
from assistant.desk import codes
from assistant.desk.playing.defaults import with_earlier_defaults
from assistant.desk.playing.play import Moment, when_of
from assistant.desk.results import Exit
from assistant.desk.sitting.stops import Moved, Stop, claim_on, file_stop, ledger_stop, stop
from assistant.desk.watch.change_marks import KEPT, marks_of
from assistant.desk.watch.open_workbook import Standing, follow, standing_of, state_of
from assistant.desk.watch.two_histories import Since, parted
from assistant.desk.watch.untouched import LedgerMemory
from assistant.desk.watch.watching import Watch, watch
from assistant.ledger import Ledger, LedgerTrouble, Step, new_file, path_of
from assistant.speech.names import factions_of
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import bad_data
from assistant.turn.rows.misfits import keeps_phase
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.book_errors import BookClaimed, BookError
from assistant.workbook.codes import NEWER_BOOK, NO_SHEET
from assistant.workbook.file_book import open_book
from assistant.workbook.port import Book, Loader, Reading
from assistant.workbook.read.gathering import NEEDED
from assistant.workbook.safe.claim import claimed, left_over
from assistant.workbook.safe.saving import replace_file, sha256

BOOK_FORMAT = 1
"""The form of the workbooks that this Arbitro writes; it stands on the Desk, and reads every earlier one."""
At = Path | Book
"""Where a campaign is: a file, or a workbook that a program has open."""


def active(campaign: Campaign) -> list[str]:
    """Codes of the factions that play, in natural order."""
    return [f.faction for f in campaign.table(Faction) if f.role not in OWNERLESS]


def reported_to(campaign: Campaign) -> list[str]:
    """Codes of the factions that get reports, those of clubs and robots, in natural order."""
    return [f.faction for f in campaign.table(Faction) if f.role not in CLUBLESS]


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
    began: str | None = None
    """The version of the rules with which the campaign began; None for not known."""
    on_sheets: Campaign = field(init=False)
    """The campaign as it stands on the sheets: without earlier defaults that are still to be written."""
    left: Watch | None = field(default=None, repr=False)
    """What was changed by hand and stays undecided since our last change; None: nothing was written yet."""
    second_copies: list[Finding] = field(default_factory=list, repr=False)
    """What lies beside the workbook, of which a command that changes something tells; see `look_beside`."""

    def __post_init__(self) -> None:
        self.on_sheets = self.campaign
        self.campaign = with_earlier_defaults(self.ruleset, self.campaign, self.began)

    @property
    def sheet_wording(self) -> Wording:
        """The words for what is written into the workbook: the campaign's language."""
        lang = self.campaign.desk.language or "en"
        return self.wording.of_no_file() if lang == self.lang else Wording(
            self.ruleset, lang, factions_of(self.campaign, lang))

    @property
    def data_findings(self) -> list[Finding]:
        """What the reader saw, what the rulebook says about the whole workbook."""
        seen = list(self.reading.findings)
        if not any(keeps_phase(f) for f in seen):
            seen += self.placed(bad_data(self.ruleset, in_force(self.campaign)))
        return seen

    @property
    def clock_known(self) -> bool:
        """Whether the Desk says a turn and a phase that the rulebook has."""
        return not any(f.stops and f.where.table == Desk.sheet and f.where.field in NEEDED
                       for f in self.reading.findings)

    def placed(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings with their cells, as far as the rows stood there when the workbook was read."""
        rows = self.reading.cells.rows
        return [f if f.where.row and f.where.row not in rows.get(f.where.table, {})
                else self.reading.placed([f], self.campaign)[0] for f in findings]

    @contextlib.contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """The campaign's ledger, to be looked into in a ``with`` statement; for writing see `session.at_work`.

        Raises `Stop`, and `Moved` as `beside`.
        """
        try:
            with self.beside() as ledger:
                yield ledger
        except LedgerTrouble as trouble:
            raise self.ledger_stop(trouble) from trouble

    @contextlib.contextmanager
    def beside(self) -> Iterator[Ledger]:
        """The campaign's ledger, to be looked into, of the same moment as what was read of the workbook; it stays as it
        is now, whatever another Arbitro does meanwhile.

        Raises `LedgerTrouble`, and `Moved` where another Arbitro has ended one since the workbook was read.
        """
        with Ledger.open(path_of(self.path), self.campaign.desk.campaign_id) as ledger:
            if not self.book.live and self._replaced():
                raise Moved(self.path.name)
            yield ledger

    def _replaced(self) -> bool:
        """Whether the workbook's file is another one than was read or written."""
        try:
            return sha256(self.path.read_bytes()) != (self.written or self.reading.sha256)
        except OSError:  # it is gone, or held: whoever needs it will say so
            return False

    def unchanged(self) -> bytes:
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

    @property
    def chain(self) -> list[str]:
        """The marks that stand in the workbook, the oldest first, behind "" for none as long as all are there; [] where
        somebody has typed over them.
        """
        said = self.on_sheets.desk.marks
        marks = [str(mark) for mark in marks_of(said)]
        return ["", *marks] if len(marks) < KEPT and (marks or not said.strip()) else marks

    def state(self) -> str:
        """By what the ledger knows this workbook while it is open."""
        return state_of(self.on_sheets)

    def standing(self) -> Standing:
        """What the ledger keeps of the workbook as it is, and by what it knows it. Raises OSError."""
        return standing_of(self.on_sheets, self.on_disk()) if self.book.live else Standing(self.on_disk(), "")

    def when(self, at: Moment | Step) -> str:
        """A moment, or that of a step, in words."""
        return when_of(self.ruleset, at.turn, at.phase, self.lang)

    @property
    def typed_name(self) -> str:
        """The workbook's name where commands are to be typed; "" where its buttons are clicked."""
        return "" if self.book.live else self.path.name

    def claim(self, doing: str) -> contextlib.AbstractContextManager[None]:
        """The claim on the workbook; see `claim_on`."""
        return claim_on(self.path, doing, self.lang, self.wording)

    def ledger_stop(self, trouble: LedgerTrouble) -> Stop:
        """The `Stop` that says what is wrong with the ledger and the way out."""
        cell = self.reading.cells.of(Where(Desk.sheet, "", "campaign_id"))
        return ledger_stop(trouble, self.path, self.lang, self.wording, self.campaign.desk.campaign_id, cell)

    @contextlib.contextmanager
    def file_faults(self) -> Iterator[None]:
        """What goes wrong with a workbook's file in a ``with`` statement, as `Stop`."""
        try:
            yield
        except (BookError, OSError) as fault:
            raise file_stop(fault, self.path, self.lang, self.wording) from fault

    def look(self, ledger: Ledger) -> Watch:
        """What was changed by hand since Arbitro last wrote: a command looks once and hands it on.

        Raises `LedgerTrouble`.
        """
        return self.left or watch(self.on_sheets, self.reading, ledger)

    def put_bytes(self, content: bytes) -> None:
        """Replace the whole file. Raises `BookError` or OSError, and leaves it as it was."""
        replace_file(self.path, content, self.reading.sha256, check=False)  # whatever it is, it lay there before


def sit(at: At, lang: str = "", loader: Loader | None = None, *, of_any_history: bool = False) -> Sitting:
    """Open and read a workbook. Raises `Stop` where the file cannot be used at all, or, unless `of_any_history`, where
    workbook and ledger tell two histories.
    """
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
    wording = Wording(reading.ruleset, spoken, factions_of(campaign, spoken))
    if not book.live:
        wording = wording.of_file(path)
    sitting = Sitting(path, book, reading, reading.ruleset, campaign, wording, spoken, loader, began=memory.began)
    if left_over(path) or new_file(path_of(path)).exists() or memory.unsettled or (book.live and path.is_file()):
        _mend(sitting)
    marks = marks_of(campaign.desk.marks)
    if marks and str(marks[-1]) != memory.mark and not of_any_history:
        _stop_on_two_histories(sitting)
    return sitting


def _stop_on_two_histories(sitting: Sitting) -> None:
    """Say where workbook and ledger part, and the ways on. Raises `Stop`."""
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            found = parted(sitting.campaign, ledger, sitting.reading.sha256)
    except LedgerTrouble:  # what is wrong with it is said where it is needed
        return
    if found is not None:
        words = sitting.wording
        raise stop(Exit.LEDGER, codes.TWO_HISTORIES, sitting.lang, words, book=sitting.path.name,
                   ledger=path_of(sitting.path).name, point=sitting.when(Moment(found.turn, found.phase)),
                   ours=Verbatim(_since(words, found.book)), theirs=Verbatim(_since(words, found.ledger)),
                   who=Verbatim(found.who))


def _since(words: Wording, since: Since) -> str:
    """How many phases and orders, in words."""
    return words.text(N_("{phases} and {orders}"), phases=Verbatim(words.plural(
        N_("{n} phase"), N_("{n} phases"), since.phases)), orders=Verbatim(words.plural(
            N_("{n} order"), N_("{n} orders"), since.orders)))


def _mend(sitting: Sitting) -> None:
    """Settle what a crash left, also for a command that only looks; where that is not to be had (somebody
    is at work, the ledger is missing, the folder is read-only) the next command that writes will say so.
    The ledger follows an open workbook in which the program itself took changes back.
    """
    place, campaign = path_of(sitting.path), sitting.campaign.desk.campaign_id
    with (contextlib.suppress(BookClaimed, LedgerTrouble, OSError), claimed(sitting.path),
          Ledger.open(place, campaign) as ledger):
        ledger.sweep()
        ledger.recover(sitting.on_disk(), sitting.state, sitting.chain)
        if sitting.book.live:
            follow(ledger, sitting.state())
