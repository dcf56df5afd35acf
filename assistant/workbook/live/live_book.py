"""The live adapter of the port: a host in; the campaign as it is on the screen out, and changes back onto it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

from assistant.campaign.campaign import Campaign
from assistant.turn.findings import Finding, Where
from assistant.wording import Wording
from assistant.workbook import codes
from assistant.workbook.book_errors import BookChanged, BookError, BookUnsafe
from assistant.workbook.bookwork import HARM, BookWork
from assistant.workbook.live.editing import LiveEditing
from assistant.workbook.live.host import Changes, Host, HostFailed, HostRefused
from assistant.workbook.live.marks import Mark, mark, marks_in, remark_all, unmark
from assistant.workbook.live.source import LiveSource
from assistant.workbook.ooxml.cells.areas import area_of, cell_address, letters_of, split_address
from assistant.workbook.ooxml.parts.faults import Damaged, Unsafe
from assistant.workbook.port import DeskLines, Loader, OtherText, Page, Reading
from assistant.workbook.read.grid import Notes
from assistant.workbook.write.desk_lines import LEFT_CHARS, LONGEST, fitting
from assistant.workbook.write.fixed_bytes import paused_collection
from assistant.workbook.write.hindrances import merged
from assistant.workbook.write.marks import texts_of

LIVE_HARM = {**HARM, "protected": codes.SHEET_PROTECTED}
"""Reasons of hosts -> the finding: what is protected there is a sheet, whose cells nobody can change."""


class LiveBook(BookWork):
    """The open workbook of a host: read once a press, then written or marked as often as needed."""

    live = True
    pages: Mapping[str, Page] = MappingProxyType({})
    """Nothing: what is open has no bytes that could tell later whether somebody has touched a sheet."""

    def __init__(self, host: Host, loader: Loader | None = None) -> None:
        super().__init__(Path(host.path or host.name), loader)
        self.host = host
        self._source: LiveSource | None = None
        self.wrote = False
        """Whether records were written into the workbook."""

    # --- reading ----------------------------------------------------------------------------
    def read(self) -> Reading:
        """The campaign and the findings, of what is on the screen now. Raises `BookError`."""
        try:
            self._source = LiveSource(self.host)
            with paused_collection():
                return self.read_from(self._source, Notes("en"), "")
        except HostFailed as no:
            raise BookUnsafe(self.path, str(no), no.code or codes.HOST_FAILED, reason=str(no)) from no
        except Damaged as no:
            notes = Notes("en")
            notes.add(codes.NO_WORKBOOK, Where(), "", {"file": self.path.name, "reason": no.detail})
            return self.unread(notes, "", "")

    # --- writing ----------------------------------------------------------------------------
    def write(self, before: Campaign, after: Campaign, wording: Wording, desk_lines: DeskLines) -> None:
        """Write what differs, and the Desk's lines, in one stroke. Raises `BookUnsafe`, `BookError`.

        Where that fails the marks of an earlier press stand again: what they say is still so.
        """
        marks = self.clear_marks()
        try:
            with self._changing() as editing:
                self.change(editing, before, after, wording, desk_lines)
        except BookError:
            changes = Changes()
            remark_all(marks, changes)
            with suppress(BookError):  # the program does not answer: that is being told already
                self._give(changes)
            raise
        self.wrote = True

    def other_texts(self, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells, as they were read, that do not say what their row says; `write` puts them right."""
        return self.other_texts_in(self._source, campaign, wording) if self._source is not None else []

    def hindrances(self) -> list[Finding]:
        """Remarks for merged cells among the rows of our tables; what is open has been read, whatever its XML."""
        with self._asked():
            return [one for grid in self.grids.values()
                    for one in merged(grid, map(area_of, self.host.merged(grid.title)), self.got.cells)]

    def mark(self, findings: Iterable[Finding], wording: Wording) -> list[str]:
        """Colour the cells of the findings and say there what to do; earlier marks go. Raises as `write`.

        Returns the sheets that are protected, which stay as they are: nobody can colour a cell there.
        """
        if not self.host.paints:
            return []
        source, changes = self._known(), Changes()
        with self._asked():
            unmark(marks_in(source, self.host), changes)
            mark(texts_of(findings, wording), source, self.host, changes)
        left: list[str] = []
        while True:
            try:
                self._give(changes)
            except BookUnsafe as no:
                title = split_address(no.cell)[0]
                if no.code != codes.SHEET_PROTECTED or title in left:
                    raise
                left.append(title)
                changes = changes.without(title)
            else:
                break
        self._source = self._source or source
        return left

    def clear_marks(self) -> list[Mark]:
        """Take the marks of an earlier press away, what they said is not so any more: which those were.

        Raises as `write`.
        """
        if not self.host.paints:
            return []
        changes = Changes()
        with self._asked():
            marks = marks_in(self._known(), self.host)
        unmark(marks, changes)
        self._give(changes)
        return marks

    def show_outcome(self, lines: Sequence[str]) -> bool:
        """Let the Desk say what a press came to, in the place for it. Whether it has one. Raises as `write`.

        The lines are written whatever stood there: a host may show its progress in that place.
        """
        place = self._known().places("desk_outcome")
        if place is None:
            return False
        title, area = place
        lang = self.got.campaign.desk.language if self.ruleset else "en"
        said = fitting([line for line in lines if line.strip()], area.bottom - area.top + 1, lang)
        changes = Changes()
        for number, row in enumerate(range(area.top, area.bottom + 1)):
            text = said[number][:LONGEST] if number < len(said) else ""
            changes.cells[title, row, area.left] = text or None
            if self.host.paints:
                changes.heights[title, row] = 6 + 15 * max(1, -(-len(text) // LEFT_CHARS))
        self._give(changes)
        return True

    def outcome_cell(self) -> str:
        """Where the Desk says what a press came to; "" where it has no place for it."""
        place = self._source.places("desk_outcome") if self._source is not None else None
        return cell_address(place[0], letters_of(place[1].left), place[1].top) if place else ""

    @contextmanager
    def _changing(self) -> Iterator[LiveEditing]:
        source = self._known()
        if self._stale:
            self.refresh(source)
        editing = LiveEditing(source)
        try:
            with paused_collection():
                yield editing
        except Unsafe as no:
            self._source = None
            raise BookUnsafe(self.path, str(no), LIVE_HARM[no.reason], no.cell) from no
        self._give(editing.changes())
        self._stale = True

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """The host is asked something: what it does not answer is told as a finding."""
        try:
            yield
        except HostFailed as no:
            raise BookUnsafe(self.path, str(no), no.code or codes.HOST_FAILED, reason=str(no)) from no

    def _known(self) -> LiveSource:
        if self._source is None:
            known = self.got.cells
            self.read()
            vars(known).update(vars(self.got.cells))
            self.got.cells = known
        if self._source is None:
            raise BookChanged(self.path, f"{self.path.name} cannot be read any more")
        return self._source

    def _give(self, changes: Changes) -> None:
        if not changes:
            return
        try:
            self.host.apply(changes)
        except HostRefused as no:
            self._source = None
            raise BookUnsafe(self.path, str(no), LIVE_HARM[no.reason], no.cell) from no
        except HostFailed as no:
            self._source = None
            raise BookUnsafe(self.path, str(no), no.code or codes.HOST_FAILED, reason=str(no)) from no

    def save(self) -> None:
        """Let the program save the workbook. Raises `BookError`."""
        try:
            self.host.save()
        except HostFailed as no:
            raise BookError(self.path, str(no)) from no
