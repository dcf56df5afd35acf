"""A club's own file to be made a campaign's: its path in; its workbook, or why it is refused, and the new file out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from assistant.campaign.records import Desk
from assistant.desk import codes
from assistant.desk.founding.starting import set_aside
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import active
from assistant.desk.sitting.stops import ledger_stop, stop
from assistant.desk.watch.watching import first_marks
from assistant.ledger import Ledger, LedgerTrouble, Stage, path_of
from assistant.titles import campaign_title
from assistant.turn.ruleset import Ruleset, installed
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook import codes as book_codes
from assistant.workbook.book_errors import BookError, BookMissing
from assistant.workbook.bookwork import HARM, why_unread
from assistant.workbook.layout import table_name
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.faults import Damaged, Hostile, Unsafe
from assistant.workbook.ooxml.whole_sheets.transplant import check_room
from assistant.workbook.port import Reading
from assistant.workbook.read.finder import Finder, desk_raw
from assistant.workbook.safe.locks import refuse_if_locked, refuse_if_read_only
from assistant.workbook.safe.saving import backups, put_back, replace_file, sha256
from assistant.workbook.safe.screening import refusal


class ClubFile:
    """The file as it was found: `data`, its bytes, and `book`."""

    def __init__(self, path: Path, lang: str) -> None:
        """Read it. Raises `Stop`, `BookError` and OSError where no campaign can be put into it."""
        self.path, self._lang = path, lang
        self.data = self._bytes()
        with self.harm():
            self.book = self._opened()

    def _bytes(self) -> bytes:
        refuse_if_locked(self.path)
        try:
            data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        refuse_if_read_only(self.path)
        bad = refusal(data)
        if bad is not None:
            raise stop(Exit.FILE, bad[0], self._lang, file=self.path.name, **bad[1])
        return data

    def _opened(self) -> OoxmlBook:
        book = OoxmlBook(self.data)
        book.package.check_all()
        finder = Finder(book)
        known = desk_raw(finder).get("ruleset", "")
        if known and (known in installed() or table_name(Desk).casefold() in finder.tables):
            raise stop(Exit.REFUSED, book_codes.IS_CAMPAIGN, self._lang, file=self.path.name, title=Verbatim(known))
        check_room(book)
        if book.signed:
            raise stop(Exit.FILE, book_codes.SIGNED_BOOK, self._lang, file=self.path.name)
        return book

    @contextlib.contextmanager
    def harm(self, words: Wording | None = None) -> Iterator[None]:
        """Say what in the workbook is in the way, or damaged. Raises `Stop`."""
        name = self.path.name
        try:
            yield
        except Unsafe as no:
            raise stop(Exit.FILE, HARM[no.reason], self._lang, words, cell=no.cell, seen=no.detail, file=name,
                       reason=no.detail) from no
        except (Damaged, Hostile) as no:
            code, data = why_unread(no)
            raise stop(Exit.FILE, code, self._lang, words, file=name, **data) from no

    def need_no_ledger(self, *, force: bool, words: Wording | None = None) -> None:
        """See that no ledger lies there, unless it may be set aside. Raises `Stop`."""
        place = path_of(self.path)
        if place.exists() and not force:
            raise stop(Exit.FILE, codes.FILE_EXISTS, self._lang, words, file=place.name)

    def replace(self, data: bytes, reading: Reading, secret: bytes, doing: str, words: Wording, *,
                sound: bool = True) -> None:
        """The ledger first, with the club's workbook as it was, then the new one; both or neither.

        `reading`: of the new bytes; `sound`: no finding is to be put right in the workbook first. Raises `Stop`,
        `BookError`, OSError.
        """
        assert reading.ruleset is not None
        desk, place = reading.campaign.desk, path_of(self.path)
        kept = set_aside(place) if place.exists() else None
        known = backups(self.path)
        try:
            with Ledger.create(place, desk.campaign_id, secret, reading.ruleset.version) as ledger:
                ledger.commit_turn(desk.turn, active(reading.campaign))
                step = ledger.begin([Stage(doing, desk.turn, desk.phase)], self.data,
                                    marks=first_marks(reading.campaign) if sound else None)
                replace_file(self.path, data, sha256(self.data))
                ledger.finish(step, data)
        except (LedgerTrouble, BookError, OSError) as fault:
            if self.path.read_bytes() == data:  # the ledger could not say that it was made
                put_back(self.path, self.data, known)
            place.unlink(missing_ok=True)
            if kept is not None:
                kept.rename(place)
            if isinstance(fault, LedgerTrouble):
                raise ledger_stop(fault, self.path, self._lang, words) from fault
            raise

    def tell(self, result: Result, reading: Reading, ruleset: Ruleset, words: Wording) -> None:
        """Fill in what was done, in data (``file``, ``turn``, ``phase``, ``campaign``, ``factions``) and in words."""
        desk = reading.campaign.desk
        result.data.update(file=self.path.name, turn=desk.turn, phase=desk.phase, campaign=desk.campaign_id,
                           factions=active(reading.campaign))
        result.say(words.text(
            N_("{file} is a campaign now: {title}, {when}. The club's own cells are as they were."),
            file=self.path.name, title=campaign_title(desk, words),
            when=ruleset.when(desk.turn, desk.phase, words.lang)))
        result.say(words.text(
            N_("Keep {ledger} beside it and to yourself: it holds the dice secret and every snapshot."),
            ledger=path_of(self.path).name))
        result.say(words.text(N_("Where it stands and what to do next is on the sheet {sheet}."),
                              sheet=Verbatim(reading.cells.titles.get(Desk.sheet, Desk.sheet))))
        result.say(words.text(N_("The workbook as it was comes back with: arbitro undo {book} --snapshot 1"),
                              book=self.path.name))
