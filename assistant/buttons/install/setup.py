"""``arbitro setup excel``: what a computer needs once so that Excel's buttons reach Arbitro, done and undone."""

from __future__ import annotations

import shutil
from pathlib import Path

from assistant.buttons.install.machine import Machine
from assistant.buttons.office.setup import install, remove
from assistant.buttons.trouble import SetupTrouble
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.resources import machine_language
from assistant.turn.findings import Finding
from assistant.wording import N_, Wording


def setup_excel(machine: Machine | None = None, *, undo: bool = False, lang: str = "") -> Result:
    """Install what Excel needs here, or take it away again. Result data: ``python``, ``files``: installed or removed.

    Windows needs nothing but xlwings, whose module is in the workbook itself. Excel for macOS may start programs only
    through a script in a folder of its own, which is copied there. Ends as refused without Excel or xlwings; taking
    away needs neither.
    """
    machine = machine or Machine()
    wording = Wording(None, lang or machine_language())
    result = Result("setup", wording=wording)
    result.data.update(python=machine.python, files=[])
    missing = () if undo else _missing(machine)  # what was installed can be taken away without them
    if missing:
        result.exit = Exit.REFUSED
        result.find(missing)
        return result
    if machine.system == "darwin":
        try:
            _on_mac(machine, result, undo)
        except OSError as fault:
            result.exit = Exit.FILE
            result.find([codes.finding(codes.FILE_UNWRITABLE, file=str(machine.mac_scripts),
                                       reason=fault.strerror or str(fault))])
            return result
    else:
        result.say(wording.text(N_("Nothing had to be installed: the workbook brings its macros with it.") if not undo
                                else N_("Nothing was installed, so there is nothing to take away.")))
    if not undo:
        result.say(wording.text(N_("Buttons that are made now call {python}."), python=machine.python))
        result.say(wording.text(N_("Next: arbitro buttons WORKBOOK.xlsx")))
    return result


def _missing(machine: Machine) -> list[Finding]:
    """What has to be on the computer before anything can be installed for it."""
    if not (machine.may_have_excel and machine.has_excel):
        return [codes.finding(codes.NO_EXCEL)]
    return [] if machine.xlwings else [codes.finding(codes.NO_XLWINGS, python=machine.python)]


def _on_mac(machine: Machine, result: Result, undo: bool) -> None:
    wording = result.wording
    assert wording is not None
    for old in machine.installed_mac_scripts():
        old.unlink()
        result.data["files"].append(str(old))
        if undo:
            result.say(wording.text(N_("Removed: {file}"), file=str(old)))
    if undo:
        machine.note_click(allowed=True)
        if not result.data["files"]:
            result.say(wording.text(N_("Nothing was installed, so there is nothing to take away.")))
        return
    script = mac_script(machine)
    machine.mac_scripts.mkdir(parents=True, exist_ok=True)
    target = machine.mac_scripts / script.name
    shutil.copyfile(script, target)
    result.data["files"] = [str(target)]
    result.say(wording.text(N_("Installed: {file}"), file=str(target)))
    result.say(wording.text(N_("When a button is clicked for the first time macOS asks whether Excel may be "
                               "controlled: allow it.")))


def setup_libreoffice(*, undo: bool = False, lang: str = "") -> Result:
    """Install the extension with the toolbar into LibreOffice, or take it out. Result data: ``program``."""
    lang = lang or machine_language()
    result = Result("setup", wording=Wording(None, lang))
    result.data["program"] = "libreoffice"
    try:
        result.lines += (remove if undo else install)(lang)
    except SetupTrouble as trouble:
        result.exit = Exit.REFUSED
        result.find([codes.finding(trouble.code, **trouble.data)])
    return result


def mac_script(machine: Machine) -> Path:
    """xlwings' script for Excel on macOS, in its installed package."""
    import xlwings

    return Path(xlwings.__file__).parent / f"xlwings-{machine.xlwings}.applescript"
