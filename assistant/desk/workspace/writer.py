"""Writes a change to workbook and ledger, both or neither."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant import pictures
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk
from assistant.desk.next_steps import NONE_REFUSED, RefusedAnswers, desk_lines
from assistant.desk.results import Exit
from assistant.desk.workspace.check_against_ledger import (
    find_second_copies,
    list_changes,
    mark_open_book,
    mismatch_findings,
    no_fingerprints_finding,
    undecided_findings,
    undecided_line,
)
from assistant.desk.workspace.detect_edits import DetectedEdits, Edit
from assistant.desk.workspace.fingerprints import (
    BookSnapshot,
    add_mark,
    encode_pages,
    open_book_fingerprint,
    split_head,
    user_and_computer,
    with_head,
)
from assistant.desk.workspace.workspace import Abort, Workspace, add_mail_findings, playing_factions
from assistant.environment import dated_backups, user_folder, write_private
from assistant.ledger import Fingerprints, Ledger, LedgerTrouble, PlannedStep, current_provenance
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.file_book import display_of_file
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import find_map_picture, map_picture_bytes
from assistant.workbook.ooxml.xml_tree import WorkbookFault
from assistant.workbook.port import DeskLines
from assistant.workbook.read.load_campaign import codes_fingerprint_after
from assistant.workbook.save import leave_copy, sha256, undo_replacement, without_more
from assistant.workbook.screening import BookError, BookHeld

# Stripping the map picture from a workbook's file before it is stored in the ledger, and restoring it.
#
# The stripped file notes where the picture was, and its fingerprint. The picture is stripped only if drawing it again
# from the workbook's own campaign gives the same picture; any other is stored with the workbook.


# stands in ledgers: another form needs another number
STRIPPED_MAGIC = b"ARBITRO-HOLLOW-1\n"
_LOCAL = 30
"""Bytes of a zip member's local header, before its name."""


def strip_map(content: bytes, ruleset: Ruleset, campaign: Campaign) -> bytes:
    """A workbook's file without its map picture, if that can be drawn again. `campaign`: the one in the file."""
    if b"xl/media/" not in content:
        return content
    try:
        book = OoxmlBook(content)
        placed, picture = find_map_picture(book), map_picture_bytes(book)
    except WorkbookFault:  # not a workbook of ours: store it unchanged
        return content
    note = pictures.read_note(picture) if placed is not None else None
    if placed is None or note is None:
        return content
    made = pictures.sketch_map(ruleset, campaign, note.whose, note.lang, note.before)
    at, packed = _zip_member(content, placed.part)
    if made.note != note or packed not in _possible_packings(picture):
        return content
    header = {"at": at, "size": len(packed), "sha": hashlib.sha256(packed).hexdigest(), "part": placed.part,
              "whose": note.whose, "lang": note.lang, "before": note.before}
    head = json.dumps(header, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return with_head(STRIPPED_MAGIC, head, content[:at] + content[at + len(packed):])


def readable_file(kept: bytes) -> bytes:
    """A readable file from the ledger's copy, with zero bytes in place of the picture."""
    header, rest = _split_header(kept)
    return kept if header is None else rest[:header["at"]] + bytes(header["size"]) + rest[header["at"]:]


def restore_map(kept: bytes, ruleset: Ruleset, campaign: Campaign) -> bytes:
    """The original file from the ledger's copy, with its picture drawn again.

    If this version, or its libraries, draw differently, only the picture differs.
    `campaign`: the one in the file. Raises `Fault`.
    """
    header, rest = _split_header(kept)
    if header is None:
        return kept
    before = {code: (side, gap) for code, (side, gap) in header["before"].items()}
    picture = pictures.render_sketch(pictures.sketch_map(ruleset, campaign, header["whose"], header["lang"], before))
    for packed in _possible_packings(picture.png):
        if hashlib.sha256(packed).hexdigest() == header["sha"]:
            return rest[:header["at"]] + packed + rest[header["at"]:]
    book = OoxmlBook(readable_file(kept))
    book.package.put(header["part"], picture.png)
    return book.package.pack()


def _split_header(kept: bytes) -> tuple[dict[str, Any] | None, bytes]:
    head, rest = split_head(STRIPPED_MAGIC, kept)
    return json.loads(head) if head else None, rest


def _zip_member(content: bytes, part: str) -> tuple[int, bytes]:
    """The offset of a zip member's compressed bytes, and these bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        info = next(member for member in archive.infolist() if member.filename.lower() == part.lower())
    name, extra = (int.from_bytes(content[info.header_offset + i:info.header_offset + i + 2], "little")
                   for i in (26, 28))
    at = info.header_offset + _LOCAL + name + extra
    return at, content[at:at + info.compress_size]


def _possible_packings(picture: bytes) -> Iterator[bytes]:
    """The ways in which a picture may be packed in our file: compressed as our package layer does it, or stored."""
    for level in (6, 1):
        engine = zlib.compressobj(level, zlib.DEFLATED, -15)
        yield engine.compress(picture) + engine.flush()
    yield picture


# The map of an open workbook.


def map_later_findings(workspace: Workspace) -> list[Finding]:
    """A finding that the map of an open workbook, or the shapes that we colour, will be updated later; else [].

    Raises OSError.
    """
    shown = display_of_file(workspace.on_disk()) if workspace.book.live else None
    if shown is None or not any(shown):
        return []
    return [codes.finding(codes.MAP_LATER, book=workspace.path.name, option="--sheet" if shown.sheet else "--shapes")]


# The second copy of a campaign's dice secret and commitments, in the referee's home folder and in no shared one.
#
# If every ledger is lost, a new one is made from this copy: then the dice are still those that were promised, and the
# clubs' codes stay valid.


COPIED_NOTES = ("copies", "rules")
"""The ledger's keys for how often clubs' codes were renewed, and for the rules with which the campaign began."""


def secrets_path(campaign: str) -> Path:
    """The path of the copy of a campaign's secrets."""
    return user_folder() / "secrets" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.json"


def save_secrets_copy(ledger: Ledger) -> None:
    """Write the copy if it is out of date. A phase does not fail if that is impossible: there are the backups."""
    data = {"campaign": ledger.campaign, "secret": ledger.secret.hex(), "turns": ledger.promises(),
            "notes": {key: ledger.read_note(key)
                      for key in COPIED_NOTES} | ({"package": ledger.package} if ledger.package
                                                  else {})}
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    with suppress(OSError, RuntimeError):  # a user without a home
        place = secrets_path(ledger.campaign)
        if not place.is_file() or place.read_bytes() != text.encode():
            write_private(place, text)


def ledger_from_copy(path: Path, campaign: str) -> Ledger | None:
    """Create a ledger with the secret and the commitments of the copy; None if there is no readable copy.

    Raises `LedgerTrouble`, FileExistsError.
    """
    try:
        data: dict[str, Any] = json.loads(secrets_path(campaign).read_bytes())
        secret, turns, notes = bytes.fromhex(data["secret"]), dict(data["turns"]), dict(data["notes"])
        if data["campaign"] != campaign:
            return None
    except (OSError, RuntimeError, ValueError, KeyError, TypeError):
        return None
    ledger = Ledger.create(path, campaign, secret, notes.get("rules", ""), notes.get("package", ""))
    ledger.promise_again(turns)
    if notes.get("copies"):
        ledger.note("copies", notes["copies"])
    return ledger


# Writing a change: a snapshot in the ledger and a writing of the workbook, both or neither.


@dataclass(eq=False, repr=False)
class WriteAccess:
    """Write access to a workbook and its ledger.

    `watch`: the undecided edits, as they were when the ledger was opened; after a change, as that left them.
    """

    workspace: Workspace
    ledger: Ledger
    watch: DetectedEdits

    def abort_on_edits(self) -> list[Finding]:
        """Raise `Abort` if an edit by hand is undecided; an open workbook lists them then.

        Returns a warning if the ledger has no fingerprints.
        """
        workspace, edits = self.workspace, self.watch.edits
        if edits:
            findings = undecided_findings(workspace, self.ledger, self.watch)
            if workspace.book.live:
                mark_open_book(workspace, findings, edits)
            raise workspace.abort_with(Exit.REFUSED, findings)
        return no_fingerprints_finding(self.ledger, self.watch)

    def commit(self, verb: str, after: Campaign, told: Sequence[str] = (), refused: RefusedAnswers = NONE_REFUSED, *,
               decided: Collection[Edit] = (), standing: Campaign | None = None) -> None:
        """Make one change: store a snapshot, then write what differs. On `Abort` both files are unchanged.

        `told`, `refused`: as of `desk_lines`; `decided`: edits by hand that are decided on with it; `standing`: the
        campaign as it stands on the sheets, where reading could not tell.
        """
        self.commit_all([planned_step(verb, self.workspace.campaign, after)], after, told, refused,
                        decided=decided, standing=standing)

    def commit_all(self, stages: Sequence[PlannedStep], after: Campaign, told: Sequence[str],
                   refused: RefusedAnswers = NONE_REFUSED, *, decided: Collection[Edit] = (),
                   line: Iterable[int] | None = None, standing: Campaign | None = None) -> None:
        """Make several changes in one writing of the workbook. Raises as `commit`.

        `line`: the changes that can be undone afterwards, None for the earlier ones and these.
        """
        workspace = self.workspace
        mark = self.mark(after, stages)
        then = self.watch.then(after, decided)
        if turn_was_typed(then):
            stages = [stage._replace(stands=("", ())) for stage in stages]  # no dice are promised for such a turn
        lines = self.desk_lines(after, told, refused)
        if then.edits or workspace.reading.decided:
            lines = lines._replace(changes=list_changes(workspace, then.edits),
                                   wrong=(*undecided_line(workspace, len(then.edits)), *lines.wrong))
        with ProtectedWrite(self, stages, line=line, marks=then.marks, after=after, mark=mark,
                    pages=lambda: self._pages_after(then, after)):
            workspace.book.write(standing or workspace.on_sheets, after, workspace.sheet_wording, lines)
        self.wrote(after, then)

    def desk_lines(self, after: Campaign, told: Sequence[str], refused: RefusedAnswers = NONE_REFUSED) -> DeskLines:
        """The lines of the Desk for the state after a change, with what is wrong with mails. `told`: how it came out.

        Raises `LedgerTrouble`.
        """
        workspace, words = self.workspace, self.workspace.sheet_wording
        lines = desk_lines(workspace.ruleset, after, words, workspace.typed_name, told, refused)
        return add_mail_findings(lines, self.ledger, words, workspace.path.name)

    def mark(self, after: Campaign, stages: Sequence[PlannedStep], line: Iterable[int] | None = None) -> str:
        """Add the mark of a change to the Desk of the state that it leads to, and return it.

        `line`: the steps so far that it does not undo, None for all.
        """
        gone = 0
        if line is not None:
            resolved = {step.id for step in self.ledger.steps() if step.verb == "resolve"}
            gone = len(resolved & {*self.ledger.line}) - len(resolved & {*line})
        phases = sum(stage.verb == "resolve" for stage in stages) - gone
        return add_mark(self.workspace.campaign, after, stages, self.current_fingerprints.manifest, phases)

    @property
    def current_fingerprints(self) -> Fingerprints:
        """The fingerprints of the workbook as it is, edited by hand or not."""
        return self.watch.now.marks(self.watch.manifest)

    def _pages_after(self, watched: DetectedEdits, after: Campaign) -> str:
        """The state of the sheets after a change, for the cache; without sheets that have findings."""
        if watched.edits:
            return ""
        workspace = self.workspace
        return encode_pages(workspace.book.pages, codes_fingerprint_after(workspace.ruleset, workspace.campaign, after),
                          without={f.where.table for f in workspace.reading.findings})

    def wrote(self, after: Campaign, watched: DetectedEdits) -> None:
        """Note that the workbook holds another state now."""
        self.watch = watched
        self.workspace.campaign, self.workspace.on_sheets, self.workspace.left = after, after, watched


@contextlib.contextmanager
def open_for_writing(workspace: Workspace, doing: str, *, of_any_time: bool = False, watch: DetectedEdits | None = None
            ) -> Iterator[WriteAccess]:
    """Get write access to a workbook and its ledger, in a ``with`` statement.

    What a crash interrupted is settled first. Both files must be of the same version, unless `of_any_time`. Second
    copies are added to `workspace.second_copies`, also those that other programs save meanwhile. `doing`: the command,
    shown to anybody who tries at the same time; `watch`: the edits, if they are known already. Raises `Abort`.
    """
    with contextlib.ExitStack() as held:
        held.enter_context(workspace.claim(doing))
        find_second_copies(workspace)
        ledger = held.enter_context(workspace.open_ledger())
        # what a crash has left is settled before anybody looks for edits, else it would seem one
        ledger.settle(workspace.checked_bytes(), workspace.state, workspace.chain)
        session = WriteAccess(workspace, ledger, watch or workspace.look(ledger))
        other = [] if of_any_time else mismatch_findings(workspace, ledger, session.watch)
        if other:
            raise workspace.abort_with(Exit.LEDGER, other)
        if not turn_was_typed(session.watch):
            ledger.commit_turn(workspace.campaign.desk.turn, playing_factions(workspace.campaign))
        yield session
        save_secrets_copy(ledger)


def turn_was_typed(watched: DetectedEdits) -> bool:
    """Whether somebody typed the turn on the Desk and it is undecided."""
    return any((e.sheet, e.field) == (Desk.sheet, "turn") for e in watched.edits)


def planned_step(verb: str, before: Campaign, after: Campaign, **rest: Any) -> PlannedStep:
    """The ledger's plan of a change from one state of the campaign to another."""
    return PlannedStep(
        verb, before.desk.turn, before.desk.phase, stands=(after.desk.turn, tuple(playing_factions(after))), **rest
    )


class ProtectedWrite:
    """One writing of the workbook's file, protected by the ledger; its changes are the `stages`.

    `line`, `redo`: the ledger's pointers afterwards; `marks`: the fingerprints of what it writes, None if it writes no
    values; see `Ledger.change`. `pages`: called afterwards for the state of the sheets; `after`: the campaign that is
    written; `mark`: its mark, None for no new one.
    """

    def __init__(self, session: WriteAccess, stages: Sequence[PlannedStep], *,
                 line: Iterable[int] | None = None, redo: Iterable[int] | None = None,
                 marks: Fingerprints | None = None, pages: Callable[[], str] | None = None,
                 after: Campaign | None = None, mark: str | None = None) -> None:
        self.workspace, self.ledger, self.stages, self.after = session.workspace, session.ledger, stages, after
        self._found = session.current_fingerprints
        self._line, self._redo, self._marks, self._pages = line, redo, marks, pages
        self._mark, self._done = mark, False
        self._before = BookSnapshot(b"", "")
        self._backups: list[Path] = []

    def __enter__(self) -> ProtectedWrite:
        try:
            self._before = self.workspace.standing()
            self._backups = dated_backups(self.workspace.path)
        except OSError as fault:
            raise self.workspace.file_abort(fault) from fault
        self.workspace.book.around = self._change
        return self

    def _change(self, content: bytes, take_place: Callable[[], None]) -> None:
        """Let workbook and ledger take their places together. Raises `LedgerTrouble`, `BookError`, OSError."""
        workspace = self.workspace
        kept, sha = self._stored_workbook()
        left = open_book_fingerprint(self.after or workspace.on_sheets) if workspace.book.live else sha256(content)

        def replace() -> None:
            take_place()
            self._done = True

        try:
            self.ledger.change(self.stages, kept, left, line=self._line, redo=self._redo, marks=self._marks,
                               fingerprints=self._found, sha=sha, by=current_provenance(workspace.ruleset),
                               mark=self._mark, who=user_and_computer(), chain=workspace.chain,
                               pages=self._pages() if self._pages else "", meanwhile=replace)
        except LedgerTrouble as trouble:
            if self._done:
                self._put_back(trouble)
            raise
        if not workspace.book.live:
            workspace.written = left

    def _stored_workbook(self) -> tuple[bytes, str]:
        """What the ledger stores of the workbook as it was, and its fingerprint."""
        workspace, content = self.workspace, self._before.content
        if workspace.book.live:
            return content, self._before.sha
        kept = strip_map(content, workspace.ruleset, workspace.on_sheets)
        return kept, "" if kept is content else sha256(content)

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        workspace = self.workspace
        workspace.book.around = without_more
        if fault is None:
            find_second_copies(workspace)
        elif isinstance(fault, LedgerTrouble):
            raise workspace.ledger_stop(fault) from fault
        elif isinstance(fault, BookHeld):
            raise self._leave_beside(fault) from fault
        elif isinstance(fault, (BookError, OSError)):
            raise workspace.file_abort(fault) from fault

    def _put_back(self, trouble: LedgerTrouble) -> None:
        """Restore the workbook, whose ledger could not take its place, and drop the change. If even that fails, the
        next command finishes the change, as after a crash: then what is wrong with the ledger is told. Raises
        `LedgerTrouble`.
        """
        workspace = self.workspace
        if workspace.book.live:  # an open file is not replaced: the next command finishes the change
            return
        try:
            undo_replacement(workspace.path, self._before.content, self._backups)
        except (BookError, OSError) as fault:
            raise trouble from fault
        self.ledger.settle(self._before.content)

    def _leave_beside(self, fault: BookHeld) -> Abort:
        """Leave the result beside a workbook that could not be replaced; the change was not made."""
        workspace = self.workspace
        label = workspace.sheet_wording.text(N_("turn {turn}"), turn=Verbatim(self.stages[0].turn))
        try:
            copy = leave_copy(workspace.path, fault.content, label)
        except OSError as late:
            return workspace.file_abort(late)
        return workspace.abort(Exit.FILE, codes.FILE_HELD, file=workspace.path.name, copy=copy.name)
