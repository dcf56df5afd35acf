"""One press of a button, for every program that hosts the workbook, and the host behind a pipe (LibreOffice)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TextIO

from assistant import desk
from assistant.campaign.records import Order
from assistant.environment import (
    Clock,
    collect_garbage_seldom,
    current_time,
    machine_language,
    pictures_wanted,
    save_crash_details,
)
from assistant.turn import codes
from assistant.turn.codes import HOST_FAILED, SHEET_UNMARKED
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Rows, area_of
from assistant.workbook.open_book import LiveBook
from assistant.workbook.open_host import Host, HostChanges, HostFailed, HostNote, HostRefused, from_json_value, rows_of
from assistant.workbook.port import WorkbookReading
from assistant.workbook.screening import BookError

# The buttons.


Confirm = Callable[[list[str], str], bool]
"""Shows lines and a question; whether the referee says yes."""


@dataclass(frozen=True)
class Button:
    """A button. `verb`: its id; `en`, `it`: its caption; `doing`: shown while it works;
    `sub`: its macro's name; `writes`: it needs a ledger, so a workbook in a folder.
    """

    verb: str
    en: str
    it: str
    doing: str
    sub: str
    writes: bool = True

    def caption(self, lang: str) -> str:
        """The caption in a language."""
        return self.it if lang == "it" else self.en


BUTTONS: tuple[Button, ...] = (
    Button("check", "Check orders", "Controlla gli ordini", N_("Checking the orders ..."),
           "Arbitro_CheckOrders", False),
    Button("resolve", "Resolve phase", "Risolvi la fase", N_("Resolving the phase ..."), "Arbitro_ResolvePhase"),
    Button("answers", "Enter answers", "Inserisci le risposte", N_("Looking at the answers ..."),
           "Arbitro_EnterAnswers", False),
    Button("undo", "Undo", "Annulla", N_("Going back one phase ..."), "Arbitro_Undo"),
    Button("preview", "Preview reports", "Anteprima dei bollettini", N_("Writing the reports ..."),
           "Arbitro_PreviewReports"),
    Button("send", "Send reports", "Invia i bollettini", N_("Preparing the reports ..."), "Arbitro_SendReports"),
    Button("status", "Status", "Situazione", N_("Looking where the campaign stands ..."), "Arbitro_Status", False),
    Button("share", "Share copies", "Prepara le copie", N_("Writing the copies ..."), "Arbitro_ShareCopies"),
    Button("collect", "Collect orders", "Raccogli gli ordini", N_("Looking at what has come in ..."),
           "Arbitro_CollectOrders"),
)
"""In this order on the Desk. New buttons are added at the end, so that those of older workbooks keep their places."""
BY_VERB = {one.verb: one for one in BUTTONS}


def carry_out(verb: str, book: LiveBook, confirm: Confirm, lang: str = "") -> desk.Result:
    """Run a button's command on the open workbook. Raises KeyError for an unknown one."""
    def may(lines: Sequence[str], question: str) -> bool:
        return confirm(list(lines), question.partition(" [")[0])  # without the keys that a terminal takes

    done: dict[str, Callable[[], desk.Result]] = {
        "check": lambda: desk.check(book, mark=True, lang=lang),
        "resolve": lambda: desk.resolve(book, lang=lang, confirm=may, timing=desk.Timing(current_time())),
        "answers": lambda: desk.answers(book, lang=lang),
        "undo": lambda: desk.undo(book, lang=lang),
        "preview": lambda: desk.report(book, desk.reports_folder(book.path), lang=lang, clock=current_time(),
                                       pictures=pictures_wanted()),
        "send": lambda: desk.send(book, desk.reports_folder(book.path), clock=Clock(current_time, time.sleep),
                                  wish=desk.PostOptions(agree=may), lang=lang, pictures=pictures_wanted()),
        "share": lambda: desk.share(book, desk.copies_folder(book.path), lang=lang, clock=current_time()),
        "collect": lambda: desk.collect_for_button(
            book, desk.returned_folder(book.path), clock=Clock(current_time, time.sleep),
            answering=desk.PostOptions(agree=may), lang=lang, pictures=pictures_wanted()),
        "status": lambda: desk.status(book, lang=lang, clock=current_time()),
    }
    return done[verb]()


# A press.


TITLE = "Arbitro"
FILE = 5
"""Exit code: the file, or the program that has it open, cannot be used."""
LONGEST_BOX = 12
"""The most lines of a message box."""


class AskingHost(Host, Protocol):
    """A host that can also ask."""

    def ask(self, lines: Sequence[str], question: str) -> bool:
        """Show lines and a question that is answered with yes or no."""


@dataclass(frozen=True)
class Pressed:
    """The result of a press. `lines`: in words; `select`: the cell to go to, ``Orders!D5`` or ""; `box`: whether to
    show the lines in a window, because the Desk does not; `page`: a file to open; `exit`: as on the command line.
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


class _PressedBook(LiveBook):
    """The workbook of a press. Its progress line can be in the workbook's language only once it has been read."""

    def __init__(self, host: AskingHost, doing: str) -> None:
        super().__init__(host)
        self._say, self._doing = host.say, doing

    def read(self) -> WorkbookReading:
        """As everywhere. Raises `BookError`."""
        reading = super().read()
        if reading.ruleset is not None and self._doing:
            self._say(_words(reading.campaign.desk.language).text(self._doing))
            self._doing = ""
        return reading


def press(verb: str, host: AskingHost, lang: str = "") -> Pressed:
    """Press a button on the open workbook of a host. Never raises for what the machine or the user did; a bug of
    Arbitro also becomes a result, with its details in a file beside the workbook.
    """
    button = BY_VERB[verb]
    book = _PressedBook(host, button.doing)
    try:
        return _pressed(button, book, host, lang)
    except HostFailed as no:
        return Pressed(verb, FILE, [failure_line(no, host.name, lang)], box=True)
    except Exception as fault:  # a door: nothing may leave it but words
        return pressed_with_fault(verb, book, fault, lang)


def _pressed(button: Button, book: LiveBook, host: AskingHost, lang: str) -> Pressed:
    if button.writes and not host.path:
        return _no_ledger(button, book, _words(lang))
    result = carry_out(button.verb, book, host.ask, lang)
    trouble = _mark(button, result, book)
    shown = not trouble and _show(result, book)
    if not _save(result, book):
        shown = not trouble and _show(result, book)
    lines = _result_lines(result)
    box = not shown or button.verb in ("status", "send", "collect") or result.exit not in (0, 1, 3) or (
        result.exit == 1 and not _first_cell(result))
    page = desk.reports_folder(book.path) / "referee.html" if button.verb == "preview" and result.exit == 0 else None
    return Pressed(button.verb, int(result.exit), lines[:LONGEST_BOX], _cell_to_show(result, book), box,
                   str(page) if page else "")


def failure_line(no: HostFailed, name: str, lang: str = "") -> str:
    """The message if the program did not even answer."""
    finding = codes.finding(no.code or HOST_FAILED, file=name, reason=str(no))
    return f"{finding.code}  {_words(lang).finding(finding)}"


def _words(lang: str) -> Wording:
    return Wording(None, lang or machine_language())


def _no_ledger(button: Button, book: LiveBook, words: Wording) -> Pressed:
    """The refusal for a workbook without a folder, which has no ledger."""
    finding = codes.finding(codes.NO_FOLDER, file=book.path.name)
    return Pressed(button.verb, int(desk.Exit.FILE), [words.finding(finding)], box=True)


def _save(result: desk.Result, book: LiveBook) -> bool:
    """Save the changes with all that the press shows, so that ledger and workbook stay together; adds a finding if that
    failed. Returns whether it was saved.
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
    """Mark the findings of a press on their cells (`check` does so itself). Returns whether that failed."""
    if button.verb not in ("resolve", "answers", "collect") or result.wording is None or not any(
            f.cell for f in result.findings):
        return False
    try:
        left = book.mark(result.findings, result.wording)
        result.findings[:0] = [codes.finding(SHEET_UNMARKED, sheet=title) for title in left]
    except BookError:  # the findings are told in words then
        return True
    return False


def _result_lines(result: desk.Result) -> list[str]:
    """The lines to show, the most important first."""
    first = result.lines if result.exit in (0, 3) or result.command == "check" else []
    findings = [] if result.command == "status" else result.finding_lines()
    rest = [line for line in result.lines if line not in first]
    asked = [] if result.command == "status" else result.question_lines()  # its lines say who is awaited
    return [*first, *findings, *asked, *rest]


def _show(result: desk.Result, book: LiveBook) -> bool:
    """Show the result on the Desk. Returns whether that was possible."""
    try:
        return book.show_outcome([line for line in _result_lines(result) if line not in result.on_desk])
    except BookError:  # then a window says it
        return False


def _first_cell(result: desk.Result, *, only_stopping: bool = False, without: str = "") -> str:
    """The cell of the first finding that stops something, else of the first finding; "" for none.

    `without`: a sheet to skip.
    """
    placed = [f for f in result.findings if f.cell and f.where.table != without]
    first = placed[0].cell if placed and not only_stopping else ""
    return next((f.cell for f in placed if f.stops), first)


def _cell_to_show(result: desk.Result, book: LiveBook) -> str:
    """The cell to go to: the first finding's (of a phase only one that stops), the first open question's, else the
    outcome on the Desk. Where a phase waits, what it waits for goes before the orders that it will refuse.
    """
    if result.command in ("status", "undo", "report", "send", "share"):
        return book.outcome_cell()
    waits = result.command == "resolve" and bool(result.questions)
    found = _first_cell(result, only_stopping=result.command == "resolve", without=Order.sheet if waits else "")
    if not found and result.questions and book.ruleset is not None:
        found = desk.first_answer_cell(book.got.cells, book.ruleset, result.questions)
    return found or book.outcome_cell()


def pressed_with_fault(verb: str, book: LiveBook, fault: Exception, lang: str) -> Pressed:
    """The result for a bug of Arbitro or of a plug-in; its details are written beside the workbook, if possible.
    """
    import traceback

    spoken = lang or machine_language()
    lines = desk.describe_fault(fault, spoken)
    place = (
        save_crash_details(book.path.parent, "".join(traceback.format_exception(fault)))
        if book.path.is_file()
        else None
    )
    if place is not None:
        lines.append(desk.details_sentence(fault, spoken).format(file=place))
    return Pressed(verb, 70, lines, box=True)


# A host behind a pipe.
#
# The macro needs only the Python of its own program. It writes ``{"verb", "lang", "book"}``, then answers
# each line that asks something of it::
#
#     {"say": TEXT}                       shown at once, not answered
#     {"apply": CHANGES}                  {"ok": true}, {"refused": REASON, "cell": ADDRESS} or {"failed": TEXT}
#     {"fills": [{"sheet", "cells"}]}     {"fills": {SHEET: {ADDRESS: "RRGGBB"}}}
#     {"ask": QUESTION, "lines": [...]}   {"yes": true or false}
#     {"save": true}                      {"ok": true} or {"failed": TEXT}
#     {"done": ...}                       the last one: `press.Pressed` as plain values


SendAndWait = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class PipeHost:
    """A program that is reached by messages. `book`: its snapshot of the workbook; `answered`: sends a message and
    returns the answer; `tell`: sends one without an answer.
    """

    paints = True

    def __init__(self, book: Mapping[str, Any], answered: SendAndWait, tell: Callable[[Mapping[str, Any]], None],
                 doing: str = "") -> None:
        self.name, self.path = str(book["name"]), str(book["path"])
        self._book, self._answered, self._send, self._doing = book, answered, tell, doing
        self._sheets = {str(sheet["title"]): sheet for sheet in book["sheets"]}
        self._notes: dict[str, dict[str, HostNote]] = {
            title: {n["cell"]: HostNote(n["cell"], n.get("author", ""), n["text"]) for n in sheet.get("notes", ())}
            for title, sheet in self._sheets.items()}

    # --- looking ----------------------------------------------------------------------------
    def titles(self) -> list[str]:
        """The worksheets."""
        return list(self._sheets)

    def names(self) -> dict[str, str]:
        """The names of the whole workbook."""
        return {str(name): str(text) for name, text in self._book["names"].items()}

    def tables(self) -> list[TablePart]:
        """All tables."""
        return [TablePart(t["name"], "", t["sheet"], area_of(t["area"]), int(t.get("totals", 0)),
                          int(t.get("heads", 1)), ()) for t in self._book["tables"]]

    def rows(self, title: str) -> Rows:
        """The cells of a sheet."""
        sheet = self._sheets[title]
        values = [[from_json_value(v) for v in line] for line in sheet["values"]]
        return rows_of(values, int(sheet.get("top", 1)), int(sheet.get("left", 1)), sheet.get("formulas", {}))

    def width(self, title: str, column: int) -> float:
        """A column's width in letters."""
        return float(self._sheets[title].get("widths", {}).get(str(column), 0))

    def remarks(self, title: str) -> list[HostNote]:
        """The notes of a sheet, with the changes of this press."""
        return list(self._notes[title].values())

    def merged(self, title: str) -> list[str]:
        """The merged areas of a sheet."""
        return [str(area) for area in self._sheets[title].get("merged", ())]

    def fills(self, cells: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
        """The fills of some cells."""
        asked = [{"sheet": title, "cells": list(refs)} for title, refs in cells.items() if refs]
        return dict(self._answered({"fills": asked})["fills"]) if asked else {}

    # --- changing ---------------------------------------------------------------------------
    def apply(self, changes: HostChanges) -> None:
        """Send the changes and wait for the answer. Raises `HostRefused`, `HostFailed`."""
        answer = self._answered({"apply": {"undo": self._doing, **changes.as_json()}})
        if "refused" in answer:
            raise HostRefused(str(answer["refused"]), str(answer.get("cell", "")))
        self._must(answer)
        for (title, ref), text in changes.notes.items():
            if text:
                self._notes[title][ref] = HostNote(ref, "", text)
            else:
                self._notes[title].pop(ref, None)

    def say(self, line: str) -> None:
        """Show a line."""
        self._send({"say": line})

    def ask(self, lines: Sequence[str], question: str) -> bool:
        """Ask a yes-or-no question; no answer is no."""
        try:
            return bool(self._answered({"ask": question, "lines": list(lines)}).get("yes"))
        except HostFailed:
            return False

    def save(self) -> None:
        """Have the program save the workbook. Raises `HostFailed`."""
        self._must(self._answered({"save": True}))

    @staticmethod
    def _must(answer: Mapping[str, Any]) -> None:
        if not answer.get("ok"):
            raise HostFailed(str(answer.get("failed", "")) or "no answer")


def serve(reader: TextIO, writer: TextIO) -> int:
    """One press over two streams; returns its exit code."""
    request = json.loads(reader.readline())
    verb, lang = str(request["verb"]), str(request.get("lang", ""))

    def tell(message: Mapping[str, Any]) -> None:
        writer.write(json.dumps(message, ensure_ascii=True) + "\n")
        writer.flush()

    def answered(message: Mapping[str, Any]) -> dict[str, Any]:
        tell(message)
        line = reader.readline()
        if not line:
            raise HostFailed("no answer")
        return dict(json.loads(line))

    pressed = press(verb, PipeHost(request["book"], answered, tell, f"Arbitro: {BY_VERB[verb].caption(lang)}"), lang)
    tell({"done": pressed.as_json()})
    return pressed.exit


def main() -> int:
    """The process that the macro starts: UTF-8 on the standard streams, exit 0 if the press was answered."""
    collect_garbage_seldom()
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    answers, sys.stdout = sys.stdout, sys.stderr  # whatever prints by accident does not spoil the answers
    serve(sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
