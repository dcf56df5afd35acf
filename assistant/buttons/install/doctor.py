"""``arbitro doctor``: what keeps the buttons from working, each with its cure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from assistant import __version__
from assistant.buttons.beside import beside
from assistant.buttons.install import conf
from assistant.buttons.install.adding import spoken
from assistant.buttons.install.machine import Machine
from assistant.buttons.install.maker import dead_buttons, has_buttons
from assistant.buttons.office.codes import NO_EXTENSION, NO_OFFICE
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import sit
from assistant.desk.sitting.stops import Stop, file_stop
from assistant.turn.findings import Finding
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.book_errors import BookError
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.faults import Fault
from assistant.workbook.safe.screening import refusal

ABSENT = (codes.NO_EXCEL, NO_OFFICE, NO_EXTENSION)
"""Findings that say that a door is not there at all; the other one is enough."""
EXCELS_OWN = (codes.NO_BUTTONS, codes.NO_INTERPRETER, codes.OTHER_INTERPRETER, codes.OLD_BUTTONS)
"""Findings about a workbook that matter to nobody who plays in LibreOffice."""


def doctor(path: Path | None = None, machine: Machine | None = None, *, lang: str = "",
           office: Sequence[Finding] = ()) -> Result:
    """Look at this computer, and at a workbook with buttons. Changes nothing. `office`: what LibreOffice's side says.

    Excel or LibreOffice, one of the two doors is enough: that the other is not there is said for information.
    Result data: ``python``, ``xlwings``, ``excel``: whether it was found, ``buttons``: whether the workbook has them
    (None without one), ``doors``: the programs in which buttons can work. Ends as refused when there is no such
    program, or when a finding says that something does not work.
    """
    machine = machine or Machine()
    wording = Wording(None, spoken(path, lang))
    result = Result("doctor", wording=wording)
    excel = machine.may_have_excel and machine.has_excel
    result.data.update(python=machine.python, xlwings=machine.xlwings, excel=excel, buttons=None)
    computer = _computer(machine, excel)
    book = _workbook(path, machine, result) if path is not None else []
    doors = [*(["Excel"] if excel and not _stopped(computer) else []),
             *(["LibreOffice"] if not _stopped(office) and not _has(office, ABSENT) else [])]
    found = [*computer, *office, *book]
    if doors:
        mere = (*ABSENT, *(() if excel else EXCELS_OWN))
        found = [replace(one, severity="info") if one.code in mere else one for one in found]
    result.find(found)
    result.data["doors"] = doors
    result.say(f"Arbitro {__version__}, xlwings {machine.xlwings or '–'}")
    result.say(machine.python)
    if excel and machine.system == "darwin" and not _has(found, [codes.MAC_FORBIDS]):
        result.say(wording.text(N_("Only a click shows whether macOS lets Excel be controlled: it asks at the first "
                                   "one. If it was declined: System Settings, Privacy & Security, Automation.")))
    _conclude(result, doors)
    return result


def _conclude(result: Result, doors: Sequence[str]) -> None:
    """The exit code, and in words whether all is well."""
    wording = result.wording
    assert wording is not None
    if not doors or _stopped(result.findings):
        result.exit = Exit.REFUSED
    if not doors:
        result.say(wording.text(N_("Buttons can work neither in Excel nor in LibreOffice yet. One of the two is "
                                   "enough.")))
    elif all(one.severity == "info" for one in result.findings):
        said = N_("All is well: the buttons can work in {program}.") if len(doors) == 1 else N_(
            "All is well: the buttons can work in Excel and in LibreOffice.")
        result.say(wording.text(said, program=doors[0]))


def _stopped(findings: Iterable[Finding]) -> bool:
    return any(one.stops for one in findings)


def _has(findings: Iterable[Finding], those: Sequence[str]) -> bool:
    return any(one.code in those for one in findings)


def _computer(machine: Machine, excel: bool) -> list[Finding]:
    if not excel:
        return [codes.finding(codes.NO_EXCEL)]
    found = [] if machine.xlwings else [codes.finding(codes.NO_XLWINGS, python=machine.python)]
    if machine.system == "darwin":
        if set(machine.python) & set(" '\""):
            found.append(codes.finding(codes.MAC_BLANKS, python=machine.python))
        there = [one.stem.removeprefix("xlwings-") for one in machine.installed_mac_scripts()]
        if not there:
            found.append(codes.finding(codes.NO_MAC_SCRIPT))
        elif machine.xlwings and machine.xlwings not in there:
            found.append(codes.finding(codes.OLD_MAC_SCRIPT, seen=", ".join(there), wanted=machine.xlwings))
        if machine.refused_click.exists():
            found.append(codes.finding(codes.MAC_FORBIDS))
    if machine.macros_off:
        found.append(codes.finding(codes.MACROS_OFF))
    return found


def _workbook(path: Path, machine: Machine, result: Result) -> list[Finding]:
    try:
        content = path.read_bytes()
    except OSError as fault:
        return file_stop(fault, path, _lang(result)).findings
    bad = refusal(content)
    if bad is not None:
        return [codes.finding(bad[0], **{"file": path.name, **bad[1]})]
    try:
        book = OoxmlBook(content)
        result.data["buttons"] = has_buttons(book)
        said, dead = conf.read(book), dead_buttons(book)
    except Fault as fault:
        return [codes.finding(codes.FILE_UNSAFE, file=path.name, reason=fault.detail)]
    stranger = _no_campaign(path, result)
    if not result.data["buttons"]:
        return stranger or [_without_buttons(path, result)]
    if dead:
        return [*stranger, codes.finding(codes.DEAD_BUTTONS, file=path.name, plain=path.with_suffix(".xlsx").name,
                                         macros=Verbatim(", ".join(dead)))]
    found = [*stranger, *_called(path, said, machine)]
    if machine.of_the_web(path):
        found.append(codes.finding(codes.QUARANTINE, file=path.name, path=Verbatim(str(path.absolute())))
                     if machine.system == "darwin" else codes.finding(codes.WEB_MARK, file=path.name))
    return found


def _no_campaign(path: Path, result: Result) -> list[Finding]:
    """Why the workbook is no campaign's, so that buttons find nothing in it; [] for one that is."""
    try:
        reading = open_book(path).read()
    except (BookError, OSError) as fault:
        return file_stop(fault, path, _lang(result)).findings
    return list(reading.findings) if reading.ruleset is None else []


def _without_buttons(path: Path, result: Result) -> Finding:
    """A workbook has none: make one with buttons, unless there is one already, and it is the later one."""
    target = path.with_suffix(".xlsm")
    if target != path and target.is_file():
        try:
            found = beside(sit(path, _lang(result)), target)
        except Stop:
            found = None
        if found is not None and found.code == codes.TARGET_LATER:
            return replace(found, severity="warning")
    return codes.finding(codes.NO_BUTTONS, file=path.name)


def _lang(result: Result) -> str:
    return result.wording.lang if result.wording else ""


def _called(path: Path, said: dict[str, str], machine: Machine) -> list[Finding]:
    """What is wrong with the Python that the buttons call, and with their age."""
    seen = said.get("INTERPRETER_MAC" if machine.system == "darwin" else "INTERPRETER_WIN", "")
    found = []
    if not Path(seen).is_file():
        found.append(codes.finding(codes.NO_INTERPRETER, file=path.name, seen=seen or "–"))
    elif Path(seen) != Path(machine.python):
        found.append(codes.finding(codes.OTHER_INTERPRETER, file=path.name, seen=seen, python=machine.python))
    made, wanted = (said.get(conf.MADE_BY, ""), said.get(conf.WITH, "")), (__version__, machine.xlwings)
    if machine.xlwings and made != wanted:
        found.append(codes.finding(codes.OLD_BUTTONS, file=path.name, seen=" / ".join(made), wanted=" / ".join(wanted)))
    return found
