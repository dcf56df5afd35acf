"""One press of a button, for every program that hosts the workbook, and the host behind a pipe (LibreOffice)."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TextIO

from assistant import desk
from assistant.campaign.records import InboxRow, Order
from assistant.environment import Clock, collect_garbage_seldom, current_time, machine_language, pictures_wanted
from assistant.turn import codes
from assistant.turn.codes import BY_HAND, HOST_FAILED, SHEET_UNMARKED
from assistant.turn.findings import Where
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.layout import label
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Rows, area_of, split_address
from assistant.workbook.open_book import LiveBook
from assistant.workbook.port import (
    Host,
    HostChanges,
    HostFailed,
    HostNote,
    HostRefused,
    WorkbookReading,
    from_json_value,
    rows_of,
)
from assistant.workbook.screening import BookError

# The buttons.


@dataclass(frozen=True)
class Button:
    """A button. `verb`: its id; `en`, `it`: its caption; `doing`: shown while it works;
    `sub`: its macro's name; `writes`: it needs a ledger, so a workbook in a folder; `window`: its outcome is shown in a
    window, even where the Desk says it; `runs`: the command that it carries out, if that is not called as its id;
    `often`: it is needed on every evening, so LibreOffice has it in the toolbar, too, and not in its menu alone;
    `apart`: it is about no open workbook, which it leaves as it is, so its outcome is shown in a window alone.
    """

    verb: str
    en: str
    it: str
    doing: str
    sub: str
    writes: bool = True
    window: bool = False
    runs: str = ""
    often: bool = True
    apart: bool = False

    @property
    def command(self) -> str:
        """The command, as it is typed behind ``arbitro``, of which nothing is said but the workbook."""
        return self.runs or self.verb

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
           "Arbitro_PreviewReports", runs="report"),
    Button("send", "Send reports", "Invia i bollettini", N_("Preparing the reports ..."), "Arbitro_SendReports",
           window=True),
    Button("status", "Status", "Situazione", N_("Looking where the campaign stands ..."), "Arbitro_Status",
           False, True),
    Button("share", "Share copies", "Prepara le copie", N_("Writing the copies ..."), "Arbitro_ShareCopies"),
    Button("collect", "Collect orders", "Raccogli gli ordini", N_("Looking at what has come in ..."),
           "Arbitro_CollectOrders", window=True),
    Button("decide", "Decide", "Decidi", N_("Deciding on what was changed by hand ..."), "Arbitro_Decide"),
    Button("redo", "Redo", "Ripeti", N_("Going forward again ..."), "Arbitro_Redo", often=False),
    Button("correct", "Correct", "Correggi", N_("Playing it again ..."), "Arbitro_Correct", window=True, often=False),
    Button("until", "Resolve until", "Risolvi fino a", N_("Resolving the phases ..."),
           "Arbitro_ResolveUntil", often=False),
    Button("remind", "Remind", "Sollecita", N_("Looking who still has to answer ..."),
           "Arbitro_Remind", window=True, often=False),
    Button("mail", "One mail", "Una sola lettera", N_("Preparing the mail ..."),
           "Arbitro_OneMail", window=True, often=False),
    Button("map", "Map", "Mappa", N_("Drawing the map ..."), "Arbitro_Map", often=False),
    Button("since", "Reports since", "Bollettini da", N_("Writing the reports ..."),
           "Arbitro_ReportsSince", often=False),
    Button("odds", "Odds", "Pronostici", N_("Reckoning the chances ..."), "Arbitro_Odds", window=True, often=False),
    Button("luck", "Luck", "Fortuna", N_("Counting the dice ..."), "Arbitro_Luck", False, True, often=False),
    Button("standings", "Standings", "Classifica", N_("Counting ..."), "Arbitro_Standings", False, True, often=False),
    Button("verify", "Verify", "Verifica", N_("Playing the campaign again ..."),
           "Arbitro_Verify", window=True, often=False),
    Button("post", "Mail account", "Casella di posta", N_("Asking for the mail account ..."), "Arbitro_MailAccount",
           False, True, "post setup", often=False),
    Button("new", "New campaign", "Nuova campagna", "", "Arbitro_NewCampaign", False, True, often=False, apart=True),
    Button("adopt", "Adopt a workbook", "Adotta un file", "", "Arbitro_AdoptWorkbook", False, True, often=False,
           apart=True),
    Button("rehearse", "Rehearse", "Prova il turno", N_("Playing the turn for trial ..."), "Arbitro_Rehearse",
           window=True, often=False),
)
"""In this order on the Desk. New buttons are added at the end, so that those of older workbooks keep their places."""
BY_VERB = {button.verb: button for button in BUTTONS}


def carry_out(verb: str, book: LiveBook, asker: Asker, lang: str = "") -> desk.Result:
    """Run a button's command on the open workbook. Raises KeyError for an unknown one."""
    return {**_evening(book, asker, lang), **_looking(book, asker, lang), **_beginning(book, asker, lang)}[verb]()


def _evening(book: LiveBook, asker: Asker, lang: str) -> dict[str, Callable[[], desk.Result]]:
    """The commands that change the campaign, or write for clubs."""
    timing, clock = desk.Timing(current_time()), Clock(current_time, time.sleep)
    reports, mails, wish = (desk.reports_folder(book.path), book.path.with_name(f"{book.path.stem}-mails"),
                            desk.PostOptions(agree=asker.confirm, tell=asker.say))
    pictures = pictures_wanted()
    return {
        "resolve": lambda: desk.resolve(book, lang=lang, confirm=asker.confirm, timing=timing),
        "until": lambda: desk.resolve_by_form(book, asker.fill_in, lang=lang, tell=asker.say, confirm=asker.confirm,
                                              timing=timing),
        "undo": lambda: desk.undo(book, agree=_void_reports(asker), lang=lang),
        "redo": lambda: desk.redo(book, lang=lang),
        "correct": lambda: desk.correct_by_form(book, asker.fill_in, confirm=_would_differ(asker),
                                                agree=_void_reports(asker), lang=lang, tell=asker.say),
        "preview": lambda: desk.report(book, reports, lang=lang, clock=current_time(), pictures=pictures),
        "since": lambda: desk.report_by_form(book, lambda turn: reports / turn, asker.fill_in, lang=lang,
                                             pictures=pictures),
        "send": lambda: desk.send(book, reports, clock=clock, wish=wish, lang=lang, pictures=pictures),
        "mail": lambda: desk.send_by_form(book, desk.MailFolders(reports, mails, desk.copies_folder(book.path)),
                                          asker.fill_in, clock=clock, wish=wish, lang=lang, pictures=pictures),
        "remind": lambda: desk.remind(book, mails, clock=clock, wish=wish, lang=lang),
        "share": lambda: desk.share(book, desk.copies_folder(book.path), lang=lang, clock=current_time()),
        "collect": lambda: desk.collect_for_button(book, desk.returned_folder(book.path), clock=clock, answering=wish,
                                                   lang=lang, pictures=pictures),
        "decide": lambda: desk.decide(book, lang=lang),
    }


def _looking(book: LiveBook, asker: Asker, lang: str) -> dict[str, Callable[[], desk.Result]]:
    """The commands that change nothing of the campaign."""
    return {
        "check": lambda: desk.check(book, mark=True, lang=lang),
        "answers": lambda: desk.answers(book, lang=lang),
        "status": lambda: desk.status(book, lang=lang, clock=current_time()),
        "map": lambda: desk.draw_map_by_form(book, desk.reports_folder(book.path), asker.fill_in, lang=lang),
        "odds": lambda: desk.odds(book, lang=lang),
        "rehearse": lambda: desk.rehearse(book, lang=lang, tell=asker.say),
        "luck": lambda: desk.luck(book, lang=lang),
        "standings": lambda: desk.standings(book, lang=lang),
        "verify": lambda: desk.verify(book, lang=lang, tell=asker.say),
        "post": lambda: desk.set_up_post_by_form(asker.fill_in, lang=language_of(book, lang)),
    }


def _beginning(book: LiveBook, asker: Asker, lang: str) -> dict[str, Callable[[], desk.Result]]:
    """The commands that make a campaign, in a file of its own; with buttons, where the open workbook has them."""
    folder = book.path.parent if book.path.is_file() else Path.home()
    spoken, dress = language_of(book, lang), asker.dress if book.path.suffix == ".xlsm" else None
    return {
        "new": lambda: desk.new_by_form(folder, asker.fill_in, lang=spoken, dress=dress),
        "adopt": lambda: desk.adopt_by_form(folder if book.ruleset is not None else book.path, asker.fill_in,
                                            lang=spoken, dress=dress),
    }


def _would_differ(asker: Asker) -> Callable[[desk.Result], bool]:
    """Shows what a correction would change, and asks whether to write it."""
    def confirm(result: desk.Result) -> bool:
        words = result.wording or Wording(None, machine_language())
        return asker.confirm_on_sheet(result.lines, words.text(N_("Write it? [y/N]")))

    return confirm


def _void_reports(asker: Asker) -> Callable[[str, Sequence[str]], bool]:
    return lambda told, questions: all(asker.confirm([told], question) for question in questions)


# A press.


TITLE = "Arbitro"
LONGEST_BOX = 12
"""The most lines of a message box."""


class AskingHost(Host, Protocol):
    """A host that can also ask. `dress`: as of `desk.NewPlan`; None where the program has its buttons outside of
    workbooks.
    """

    @property
    def dress(self) -> Callable[[bytes, str], bytes] | None:
        """What gives a workbook's bytes buttons, in a language."""

    def ask(self, lines: Sequence[str], question: str, look: str = "") -> bool:
        """Show lines and a question that is answered with yes or no. `look`: the cell to show behind them."""

    def fill_in(self, form: desk.Form) -> Mapping[str, str] | None:
        """Show a form; what was typed, None where the referee gives up or there is no window for it."""


class Asker:
    """Asks the referee in the windows of a host; what they cannot show whole goes onto the sheet of details."""

    def __init__(self, host: AskingHost, book: LiveBook, lang: str) -> None:
        self.fill_in, self.say, self.dress = host.fill_in, host.say, host.dress
        self._host, self._book, self._lang = host, book, lang

    def confirm(self, lines: Sequence[str], question: str) -> bool:
        """Show lines and a question without the keys that a terminal takes."""
        return self._host.ask(*self._window(lines, question))

    def confirm_on_sheet(self, lines: Sequence[str], question: str) -> bool:
        """The same; all lines stand on the sheet of details, too, which is shown behind the window."""
        return self._host.ask(*self._window(lines, question, on_sheet=True))

    def _window(self, lines: Sequence[str], question: str, *, on_sheet: bool = False) -> tuple[list[str], str, str]:
        lang = language_of(self._book, self._lang)
        told = [in_buttons(line, lang) for line in lines if line.strip()]
        shown, cell = fit_window(told, self._book, lang, on_sheet=on_sheet)
        return shown, question.partition(" [")[0], cell


def fit_window(lines: list[str], book: LiveBook, lang: str, *, on_sheet: bool = False) -> tuple[list[str], str]:
    """The lines that a window shows, and, where these are not all, or are wanted `on_sheet`, the cell with which all of
    them begin on the sheet of details.
    """
    fits = len(lines) <= LONGEST_BOX
    if fits and not on_sheet:
        return lines, ""
    first, n = lines[:LONGEST_BOX - 1], len(lines) - LONGEST_BOX + 1
    try:
        cell = book.show_details(lines)
    except BookError:  # the workbook takes nothing: the window says how much is missing
        return lines if fits else [*first, label("and_more", lang).format(n=n)], ""
    return lines if fits else [*first, label("more_there", lang).format(n=n, sheet=split_address(cell)[0])], cell


_COMMAND = re.compile(r"arbitro ((?:post )?\w++)(?: [^\s:;,()]+\.xls[xm])?+(?=[\s.:;,)»\"']|$)(?! -)")


def language_of(book: LiveBook, lang: str) -> str:
    """The language that is asked for, else that of the campaign, else the machine's."""
    if lang:
        return lang
    with suppress(BookError):  # then no campaign says it
        if book.ruleset is None:
            book.read()
    return (book.got.campaign.desk.language if book.ruleset is not None else "") or book.host.language or (
        machine_language())


def in_buttons(line: str, lang: str) -> str:
    """A line for somebody who clicks: a command that a button carries out is called by that button's name."""
    def button_name(match: re.Match[str]) -> str:
        button = next((button for button in BUTTONS if button.command == match[1]), None)
        return match[0] if button is None else label("button", lang).format(caption=button.caption(lang))

    return _COMMAND.sub(button_name, line)


@dataclass(frozen=True)
class Pressed:
    """The result of a press. `lines`: in words; `select`: the cell to go to, ``Orders!D5`` or ""; `box`: whether to
    show the lines in a window, because the Desk does not; `page`: a file to open; `exit`: as on the command line.
    """

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
        return _press(button, book, host, lang)
    except HostFailed as no:
        return Pressed(int(desk.Exit.FILE), [failure_line(no, host.name, lang)], box=True)
    except Exception as fault:  # a door: nothing may leave it but words
        return result_of_fault(book, fault, lang)


def _press(button: Button, book: LiveBook, host: AskingHost, lang: str) -> Pressed:
    if button.writes and not host.path:
        return _no_ledger(button, book, _words(lang))
    result = carry_out(button.verb, book, Asker(host, book, lang), lang)
    if button.apart:
        lines = [line for line in _result_lines(result) if line.strip()]
        return Pressed(int(result.exit), lines, "", True, _page_to_open(button, result, book))
    trouble = _mark(button, result, book)
    shown = not trouble and _show(result, book)
    lines, details = _window_lines(button, result, book, shown=shown, lang=lang)
    if not _save(result, book):  # which is told by one finding more: all is shown once again
        shown = not trouble and _show(result, book)
        lines, details = _window_lines(button, result, book, shown=shown, lang=lang)
    return Pressed(int(result.exit), lines, details or _cell_to_show(result, book),
                   _has_window(button, result, shown=shown), _page_to_open(button, result, book))


def _has_window(button: Button, result: desk.Result, *, shown: bool) -> bool:
    return not shown or button.window or result.exit not in (0, 1, 3) or (
        result.exit == 1 and not _first_cell(result))


def _window_lines(button: Button, result: desk.Result, book: LiveBook, *, shown: bool, lang: str
                  ) -> tuple[list[str], str]:
    """The lines of the outcome, as many as a window shows, and where all of them begin if that is the cell to go to."""
    lines = [line for line in _result_lines(result) if line.strip()]
    if not _has_window(button, result, shown=shown):
        return lines[:LONGEST_BOX], ""
    fitting, cell = fit_window(lines, book, language_of(book, lang))
    return fitting, "" if button.verb == "status" or _first_cell(result) or result.questions else cell


def _page_to_open(button: Button, result: desk.Result, book: LiveBook) -> str:
    """The file that a press opens when it is done; "" for none."""
    if result.exit != desk.Exit.DONE:
        return ""
    if button.apart:
        return str(result.data["path"])
    if button.verb == "map":
        return str(Path(result.data["folder"]) / result.data["files"][0])
    if button.verb == "since":
        return str(Path(result.data["folder"]) / "referee.html")
    return str(desk.reports_folder(book.path) / "referee.html") if button.verb == "preview" else ""


def failure_line(no: HostFailed, name: str, lang: str = "") -> str:
    """The message if the program did not even answer."""
    finding = codes.finding(no.code or HOST_FAILED, file=name, reason=str(no))
    return f"{finding.code}  {_words(lang).finding(finding)}"


def _words(lang: str) -> Wording:
    return Wording(None, lang or machine_language())


def _no_ledger(button: Button, book: LiveBook, words: Wording) -> Pressed:
    """The refusal for a workbook without a folder, which has no ledger."""
    finding = codes.finding(codes.NO_FOLDER, file=book.path.name)
    return Pressed(int(desk.Exit.FILE), [words.finding(finding)], box=True)


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
    lang = result.wording.lang if result.wording else ""
    first = result.lines if result.exit in (0, 3) or result.command == "check" else []
    findings = [] if result.command == "status" else result.finding_lines()
    rest = [line for line in result.lines if line not in first]
    asked = [] if result.command == "status" else result.question_lines()  # its lines say who is awaited
    return [in_buttons(line, lang) for line in (*first, *findings, *asked, *rest)]


def _show(result: desk.Result, book: LiveBook) -> bool:
    """Show the result on the Desk. Returns whether that was possible."""
    try:
        lang = result.wording.lang if result.wording else ""
        on_desk = {in_buttons(line, lang) for line in result.on_desk}
        findings = [in_buttons(line, lang) for line in result.finding_lines()]
        return book.show_outcome([line for line in _result_lines(result) if line not in on_desk],
                                 findings if findings or result.command == "check" else None)
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
    """The cell to go to: where to decide on a change by hand, the first finding's (of a phase only one that stops), the
    first open question's, else the outcome on the Desk.

    Where a phase waits, what it waits for goes before the orders that it will refuse.
    """
    if result.command in ("status", "undo", "redo", "report", "send", "share", "remind", "map"):
        return book.outcome_cell()
    undecided = [f for f in result.findings if f.code in BY_HAND]
    if undecided and result.command in ("decide", "resolve") and (cell := book.decision_cell()):
        return cell
    waits = result.command == "resolve" and bool(result.questions)
    if result.data.get("waiting") and (cell := book.got.cells.of(
            Where(InboxRow.sheet, str(result.data["waiting"][0]), "decide"))):
        return cell
    cell = _first_cell(result, only_stopping=result.command == "resolve", without=Order.sheet if waits else "")
    if not cell and result.questions and book.ruleset is not None:
        cell = desk.first_answer_cell(book.got.cells, book.ruleset, result.questions)
    return cell or book.outcome_cell()


def result_of_fault(book: LiveBook, fault: Exception, lang: str) -> Pressed:
    """The result for a bug of Arbitro or of a plug-in; its details are written beside the workbook, if possible.
    """
    home = book.path.parent if book.path.is_file() else None
    lines = desk.report_crash(fault, home, lang or machine_language())
    return Pressed(int(desk.Exit.FAULT), lines, box=True)


# A host behind a pipe.
#
# The macro needs only the Python of its own program. It writes ``{"verb", "lang", "spoken", "book"}`` (`spoken`: the
# language of its windows), then answers each line that asks something of it::
#
#     {"say": TEXT}                       shown at once, not answered
#     {"apply": CHANGES}                  {"ok": true}, {"refused": REASON, "cell": ADDRESS} or {"failed": TEXT}
#     {"fills": [{"sheet", "cells"}]}     {"fills": {SHEET: {ADDRESS: "RRGGBB"}}}
#     {"ask": QUESTION, "lines", "look"}  {"yes": true or false}
#     {"form": {"lines", "fields"}}       {"values": {NAME: TEXT}}, or null for who gives up
#     {"save": true}                      {"ok": true} or {"failed": TEXT}
#     {"done": ...}                       the last one: `press.Pressed` as plain values


SendAndWait = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class PipeHost:
    """A program that is reached by messages. `book`: its snapshot of the workbook; `answered`: sends a message and
    returns the answer; `tell`: sends one without an answer.
    """

    paints = True
    dress = None

    def __init__(self, book: Mapping[str, Any], answered: SendAndWait, tell: Callable[[Mapping[str, Any]], None],
                 doing: str = "", language: str = "") -> None:
        self.name, self.path, self.language = str(book["name"]), str(book["path"]), language
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

    def merged_areas(self, title: str) -> list[str]:
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
        # the snapshot came with the press: what is written since must be written into it too
        for title in changes.sheets:
            self._sheets[title], self._notes[title] = {"title": title, "values": []}, {}
        for (title, ref), text in changes.notes.items():
            if text:
                self._notes[title][ref] = HostNote(ref, "", text)
            else:
                self._notes[title].pop(ref, None)

    def say(self, line: str) -> None:
        """Show a line."""
        self._send({"say": line})

    def ask(self, lines: Sequence[str], question: str, look: str = "") -> bool:
        """Ask a yes-or-no question; no answer is no."""
        try:
            return bool(self._answered({"ask": question, "lines": list(lines), "look": look}).get("yes"))
        except HostFailed:
            return False

    def fill_in(self, form: desk.Form) -> Mapping[str, str] | None:
        """Show a form; no answer is giving up."""
        try:
            values = self._answered({"form": form.as_json()}).get("values")
        except HostFailed:
            return None
        return None if values is None else {str(name): str(text) for name, text in values.items()}

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

    def ask_macro(message: Mapping[str, Any]) -> dict[str, Any]:
        tell(message)
        line = reader.readline()
        if not line:
            raise HostFailed("no answer")
        return dict(json.loads(line))

    doing = f"Arbitro: {BY_VERB[verb].caption(lang)}"
    pressed = press(verb, PipeHost(request["book"], ask_macro, tell, doing, str(request.get("spoken", ""))), lang)
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
