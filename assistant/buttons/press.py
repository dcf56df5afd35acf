"""A press: a verb and a host in; what it came to out, in words, and where to look. The same for all hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from assistant import desk
from assistant.buttons.button_list import BY_VERB, Button, do
from assistant.campaign.records import Order
from assistant.desk import codes
from assistant.resources import keep_details, machine_language
from assistant.wording import Wording
from assistant.workbook.book_errors import BookError
from assistant.workbook.codes import HOST_FAILED, SHEET_UNMARKED
from assistant.workbook.live.host import Host, HostFailed
from assistant.workbook.live.live_book import LiveBook
from assistant.workbook.port import Reading

TITLE = "Arbitro"
FILE = 5
"""Exit code: the file, or the program that has it, cannot be used."""
LONGEST_BOX = 12
"""Lines that a box shows at most."""


class Asking(Host, Protocol):
    """A host that can also ask."""

    def ask(self, lines: Sequence[str], question: str) -> bool:
        """Show lines and a question that is answered with yes or no."""


@dataclass(frozen=True)
class Pressed:
    """What a press came to. `lines`: in words; `select`: the cell to go to, ``Orders!D5`` or ""; `box`: whether the
    lines are to be shown in a window, because the Desk does not say them; `page`: a file to be shown; `exit`: as of
    the command line.
    """

    verb: str
    exit: int
    lines: list[str] = field(default_factory=list)
    select: str = ""
    box: bool = False
    page: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"title": TITLE, "exit": self.exit, "lines": self.lines, "select": self.select, "box": self.box,
                "open": self.page}


class _Open(LiveBook):
    """The workbook of a press. What is being done is said on its Desk, and so in its language: once that is read."""

    def __init__(self, host: Asking, doing: str) -> None:
        super().__init__(host)
        self._say, self._doing = host.say, doing

    def read(self) -> Reading:
        """As everywhere. Raises `BookError`."""
        reading = super().read()
        if reading.ruleset is not None and self._doing:
            self._say(_words(reading.campaign.desk.language).text(self._doing))
            self._doing = ""
        return reading


def press(verb: str, host: Asking, lang: str = "") -> Pressed:
    """Do what a button says, on the open workbook of a host. Never raises for what the machine or the user did;
    a fault of Arbitro's own ends as one too, with its details beside the workbook.
    """
    button = BY_VERB[verb]
    book = _Open(host, button.doing)
    try:
        return _pressed(button, book, host, lang)
    except HostFailed as no:
        return Pressed(verb, FILE, [told(no, host.name, lang)], box=True)
    except Exception as fault:  # a door: nothing may leave it but words
        return own_fault(verb, book, fault, lang)


def _pressed(button: Button, book: LiveBook, host: Asking, lang: str) -> Pressed:
    if button.writes and not host.path:
        return _nowhere(button, book, _words(lang))
    result = do(button.verb, book, host.ask, lang)
    trouble = _mark(button, result, book)
    shown = not trouble and _show(result, book)
    if not _save(result, book):
        shown = not trouble and _show(result, book)
    lines = _said(result)
    box = not shown or button.verb in ("status", "send", "collect") or result.exit not in (0, 1, 3) or (
        result.exit == 1 and not _first_cell(result))
    page = desk.reports_folder(book.path) / "referee.html" if button.verb == "preview" and result.exit == 0 else None
    return Pressed(button.verb, int(result.exit), lines[:LONGEST_BOX], _where(result, book), box,
                   str(page) if page else "")


def told(no: HostFailed, name: str, lang: str = "") -> str:
    """What is to be said where the program did not even answer."""
    finding = codes.finding(no.code or HOST_FAILED, file=name, reason=str(no))
    return f"{finding.code}  {_words(lang).finding(finding)}"


def _words(lang: str) -> Wording:
    return Wording(None, lang or machine_language())


def _nowhere(button: Button, book: LiveBook, words: Wording) -> Pressed:
    """A workbook without a folder has no ledger: what needs one is not begun."""
    finding = codes.finding(codes.NO_FOLDER, file=book.path.name)
    return Pressed(button.verb, int(desk.Exit.FILE), [words.finding(finding)], box=True)


def _save(result: desk.Result, book: LiveBook) -> bool:
    """Save what was changed, so that the ledger and the workbook stay together, with all that the press shows; a
    finding where that failed. Whether it did not.
    """
    if not book.wrote:
        return True
    try:
        book.save()
    except BookError as fault:
        result.find([codes.finding(codes.NOT_SAVED, file=book.path.name, reason=str(fault))])
        return False
    return True


def _mark(button: Button, result: desk.Result, book: LiveBook) -> bool:
    """Mark what a press found on its cells; the check has done so itself. Whether that failed."""
    if button.verb not in ("resolve", "answers", "collect") or result.wording is None or not any(
            f.cell for f in result.findings):
        return False
    try:
        left = book.mark(result.findings, result.wording)
        result.findings[:0] = [codes.finding(SHEET_UNMARKED, sheet=title) for title in left]
    except BookError:  # the findings are told in words then
        return True
    return False


def _said(result: desk.Result) -> list[str]:
    """What is to be said, the most important first."""
    first = result.lines if result.exit in (0, 3) or result.command == "check" else []
    findings = [] if result.command == "status" else result.finding_lines()
    rest = [line for line in result.lines if line not in first]
    asked = [] if result.command == "status" else result.question_lines()  # its lines say who is awaited
    return [*first, *findings, *asked, *rest]


def _show(result: desk.Result, book: LiveBook) -> bool:
    """Let the Desk say it. Whether it could."""
    try:
        return book.show_outcome([line for line in _said(result) if line not in result.on_desk])
    except BookError:  # then a window says it
        return False


def _first_cell(result: desk.Result, *, only_stopping: bool = False, without: str = "") -> str:
    """The cell of the first finding that stops something, else of the first one at all; "" for none.

    `without`: a sheet that is not looked at.
    """
    placed = [f for f in result.findings if f.cell and f.where.table != without]
    first = placed[0].cell if placed and not only_stopping else ""
    return next((f.cell for f in placed if f.stops), first)


def _where(result: desk.Result, book: LiveBook) -> str:
    """The cell to go to: the first finding's (of a phase only one that stops), the first open question's, else the
    outcome on the Desk. Where a phase waits, what it waits for goes before the orders that it will refuse.
    """
    if result.command in ("status", "undo", "report", "send", "share"):
        return book.outcome_cell()
    waits = result.command == "resolve" and bool(result.questions)
    found = _first_cell(result, only_stopping=result.command == "resolve", without=Order.sheet if waits else "")
    if not found and result.questions and book.ruleset is not None:
        found = desk.cell_of(book.got.cells, book.ruleset, result.questions)
    return found or book.outcome_cell()


def own_fault(verb: str, book: LiveBook, fault: Exception, lang: str) -> Pressed:
    """What a fault of Arbitro's own, or of a plug-in, is told as; its details lie beside the workbook, where that is
    possible.
    """
    import traceback

    spoken = lang or machine_language()
    lines = desk.told_of(fault, spoken)
    place = keep_details(book.path.parent, "".join(traceback.format_exception(fault))) if book.path.is_file() else None
    if place is not None:
        lines.append(desk.details_of(fault, spoken).format(file=place))
    return Pressed(verb, 70, lines, box=True)
