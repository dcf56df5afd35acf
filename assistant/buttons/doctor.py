"""``arbitro doctor``: what keeps the buttons from working, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistant import __version__
from assistant.buttons import conf
from assistant.buttons.machine import Machine
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.resources import machine_language
from assistant.turn.findings import Finding
from assistant.wording import N_, Wording
from assistant.workbook.ooxml.faults import Fault
from assistant.workbook.screening import refusal


def doctor(path: Path | None = None, machine: Machine | None = None, *, lang: str = "",
           office: Sequence[Finding] = ()) -> Result:
    """Look at this computer, and at a workbook with buttons. Changes nothing. `office`: what LibreOffice's side says.

    Result data: ``python``, ``xlwings``, ``excel``: whether it was found, ``buttons``: whether the workbook has them
    (None without one). Ends as refused when a finding says that buttons cannot work.
    """
    machine = machine or Machine()
    wording = Wording(None, lang or machine_language())
    result = Result("doctor", wording=wording)
    excel = machine.may_have_excel and machine.has_excel
    result.data.update(python=machine.python, xlwings=machine.xlwings, excel=excel, buttons=None)
    result.find([*_computer(machine, excel), *office])
    if path is not None:
        result.find(_workbook(path, machine, result))
    result.say(f"Arbitro {__version__}, xlwings {machine.xlwings or '–'}")
    result.say(machine.python)
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
    elif not result.findings:
        result.say(wording.text(N_("All is well: the buttons can work.")))
    return result


def _computer(machine: Machine, excel: bool) -> list[Finding]:
    found = []
    if not machine.xlwings:
        found.append(codes.finding(codes.NO_XLWINGS, python=machine.python))
    if not excel:
        return [*found, codes.finding(codes.NO_EXCEL)]
    if machine.system == "darwin":
        if set(machine.python) & set(" '\""):
            found.append(codes.finding(codes.MAC_BLANKS, python=machine.python))
        there = [one.stem.removeprefix("xlwings-") for one in machine.installed_mac_scripts()]
        if not there:
            found.append(codes.finding(codes.NO_MAC_SCRIPT))
        elif machine.xlwings and machine.xlwings not in there:
            found.append(codes.finding(codes.OLD_MAC_SCRIPT, seen=", ".join(there), wanted=machine.xlwings))
    if machine.macros_off:
        found.append(codes.finding(codes.MACROS_OFF))
    return found


def _workbook(path: Path, machine: Machine, result: Result) -> list[Finding]:
    from assistant.buttons.maker import has_buttons
    from assistant.workbook.ooxml.book import OoxmlBook

    try:
        content = path.read_bytes()
    except OSError:
        return [codes.finding(codes.FILE_MISSING, file=path.name)]
    bad = refusal(content)
    if bad is not None:
        return [codes.finding(bad[0], **{"file": path.name, **bad[1]})]
    try:
        book = OoxmlBook(content)
        result.data["buttons"] = has_buttons(book)
        said = conf.read(book)
    except Fault as fault:
        return [codes.finding(codes.FILE_UNSAFE, file=path.name, reason=fault.detail)]
    if not result.data["buttons"]:
        return [codes.finding(codes.NO_BUTTONS, file=path.name)]
    return [*_called(path, said, machine),
            *([codes.finding(codes.WEB_MARK, file=path.name)] if machine.of_the_web(path) else ())]


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
