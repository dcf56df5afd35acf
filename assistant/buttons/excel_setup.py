"""`setup excel` and `doctor`: what a computer needs so that buttons work; the workbook in which a referee begins."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assistant import __version__
from assistant.buttons.libreoffice import NO_EXTENSION, NO_OFFICE, install_extension, remove_extension
from assistant.buttons.press import BUTTONS, TITLE
from assistant.buttons.workbook_buttons import (
    MADE_BY,
    WITH,
    Corner,
    SetupTrouble,
    dead_buttons,
    has_buttons,
    interpreter,
    language_for,
    read_conf,
    target_finding,
    with_buttons,
)
from assistant.campaign.records import Desk
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort, file_abort, open_workspace
from assistant.environment import machine_language, replace_atomically
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.xml_tree import WorkbookFault
from assistant.workbook.read.find_tables import TableFinder
from assistant.workbook.screening import BookError, refusal
from assistant.workbook.write.new_workbook import blank_book, workbook_bytes
from assistant.workbook.write.sheet_style import BAND, SheetLook

# --- start book -----------------------------------------------------------------------------------
# The workbook of Excel in which a referee begins who has no campaign yet: two buttons, and what they do.

FILE_NAME = f"{TITLE}.xlsm"
FIRST, HIGH = 4, 21
"""The row of the first button, and the points of each button's row."""
_ABOUT = {
    "new": N_("A new campaign, of one of the scenarios that come with Arbitro."),
    "adopt": N_("A campaign made of a workbook that your club keeps already, which stays as it is."),
}


def start_book_place(home: Path) -> Path:
    """Where the start workbook goes: among the documents, where there is such a folder."""
    documents = home / "Documents"
    return (documents if documents.is_dir() else home) / FILE_NAME


def start_book_bytes(lang: str, python: str = "") -> bytes:
    """The start workbook with its buttons. `python`: as of `with_buttons`. Raises ImportError without xlwings."""
    words, look = Wording(None, lang), SheetLook()
    begin = [button for button in BUTTONS if button.apart]
    book = blank_book(TITLE)
    ws = book.create_sheet(TITLE)
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = BAND
    ws.column_dimensions["A"].width, ws.column_dimensions["B"].width = 24, 90
    for column in (1, 2):
        look.band(ws.cell(1, column), 18)
        look.band(ws.cell(2, column), 10.5, "DDE4EC", bold=False)
    ws.cell(1, 1, TITLE)
    ws.cell(2, 1, words.text(N_("Click a button to begin. Once you have a campaign, open its workbook instead.")))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height = 30, 20
    for row, button in enumerate(begin, FIRST):
        look.body(ws.cell(row, 2, words.text(_ABOUT[button.verb])), "assistant", "@", "left", wrap=True)
        ws.row_dimensions[row].height = HIGH
    ws.page_setup.orientation, ws.page_setup.fitToHeight = "landscape", 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    corner = Corner(0, FIRST - 1, (173,), (HIGH * 4 // 3,) * len(begin), in_row=1)
    return with_buttons(workbook_bytes(book), lang, python=python, buttons=begin, corner=corner)


def is_start_book(data: bytes) -> bool:
    """Whether a workbook's bytes are a start workbook: Arbitro's buttons, and no campaign."""
    try:
        book = OoxmlBook(data)
        return MADE_BY in read_conf(book) and not TableFinder(book).knows_any([Desk])
    except WorkbookFault:
        return False


def write_start_book(place: Path, lang: str, python: str) -> bool:
    """Write the start workbook, or renew it; False where something else stands there. Raises OSError."""
    if place.exists() and not is_start_book(place.read_bytes()):
        return False
    replace_atomically(place, [start_book_bytes(lang, python)], place.with_name(f"~{place.name}.new"))
    return True


def remove_start_book(place: Path) -> bool:
    """Remove the start workbook; whether there was one. Raises OSError."""
    if not place.is_file() or not is_start_book(place.read_bytes()):
        return False
    place.unlink()
    return True


# --- excel setup ----------------------------------------------------------------------------------
# The commands `setup excel` and `doctor`: what a computer needs so that the buttons work.

# The computer: its system, paths and registry. All questions to it are here, so that tests can replace it.


if sys.platform == "win32":
    import winreg

_EXCEL_KEY = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
# what an administrator has set counts before what the user has
_SECURITY_KEYS = (r"Software\Policies\Microsoft\Office\16.0\Excel\Security",
                  r"Software\Microsoft\Office\16.0\Excel\Security")
_MAC_EXCEL = "/Applications/Microsoft Excel.app"
_MAC_SCRIPTS = "Library/Application Scripts/com.microsoft.Excel"
_MAC_NOTE = "Library/Application Support/Arbitro/excel-not-allowed"
_SILENT = (3, 4)
"""The values of Excel's setting VBAWarnings that block unsigned macros, or all, without a message."""
_MAC_SETTING = "VisualBasicMacroExecutionState"
_MAC_SILENT = "DisabledWithoutWarnings"
_MAC_DOMAINS = ("/Library/Managed Preferences/com.microsoft.office", "com.microsoft.office", "com.microsoft.Excel")


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _registry(root: str, key: str, name: str) -> str | int | None:
    """A value of the Windows registry; None if it does not exist, or on another system."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError), winreg.OpenKey(getattr(winreg, root), key) as opened:
            value = winreg.QueryValueEx(opened, name)[0]
            return value if isinstance(value, (str, int)) else None
    return None


def _attribute(path: Path, name: str) -> bytes | None:
    """An extended attribute of a file (macOS); None if it has none."""
    done = subprocess.run(["/usr/bin/xattr", "-p", name, str(path)], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _preference(domain: str, key: str) -> str | None:
    """A setting of a program (macOS); None if it has none."""
    done = subprocess.run(["/usr/bin/defaults", "read", domain, key], capture_output=True, text=True, errors="replace",
                          check=False)
    return done.stdout.strip() if done.returncode == 0 else None


@dataclass(frozen=True)
class Machine:
    """This computer. `system`: as `sys.platform`; `registry`: (root, key, name) -> value or None; `attribute`: of a
    file, by name; `preference`: (domain, key) -> value or None; the rest as its words say. Tests make their own.
    """

    system: str = sys.platform
    home: Path = field(default_factory=Path.home)
    python: str = field(default_factory=interpreter)
    xlwings: str = field(default_factory=lambda: _version_of("xlwings"))
    registry: Callable[[str, str, str], str | int | None] = _registry
    attribute: Callable[[Path, str], bytes | None] = _attribute
    preference: Callable[[str, str], str | None] = _preference
    mac_excel: Path = Path(_MAC_EXCEL)

    @property
    def has_excel(self) -> bool:
        """Whether Excel was found."""
        if self.system == "darwin":
            return self.mac_excel.exists() or (self.home / "Applications" / self.mac_excel.name).exists()
        return self.system == "win32" and any(
            self.registry(root, _EXCEL_KEY, "") for root in ("HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE"))

    @property
    def macros_off(self) -> bool:
        """Whether Excel blocks all or unsigned macros without a message."""
        if self.system == "darwin":
            # in the order of these domains: managed settings count before the user's own
            set_to = (self.preference(domain, _MAC_SETTING) for domain in _MAC_DOMAINS)
            return next((value for value in set_to if value is not None), "") == _MAC_SILENT
        levels = (self.registry("HKEY_CURRENT_USER", key, "VBAWarnings") for key in _SECURITY_KEYS)
        return next((value for value in levels if value is not None), 0) in _SILENT

    @property
    def mac_scripts(self) -> Path:
        """The one folder whose scripts Excel for macOS may run."""
        return self.home / _MAC_SCRIPTS

    def installed_mac_scripts(self) -> list[Path]:
        """xlwings' scripts installed there, of any version."""
        return sorted(self.mac_scripts.glob("xlwings-*.applescript")) if self.mac_scripts.is_dir() else []

    @property
    def refused_click(self) -> Path:
        """A file that exists while macOS does not allow clicks to control Excel; nothing else tells that in advance."""
        return self.home / _MAC_NOTE

    def note_click(self, *, allowed: bool) -> None:
        """Record whether macOS allowed the last click. A failure to write this is ignored."""
        if self.system != "darwin":
            return
        with contextlib.suppress(OSError):
            if allowed:
                self.refused_click.unlink(missing_ok=True)
            else:
                self.refused_click.parent.mkdir(parents=True, exist_ok=True)
                self.refused_click.touch()

    def of_the_web(self, path: Path) -> bool:
        """Whether a file is marked as coming from the web or by mail."""
        if self.system == "win32":
            try:
                # Windows notes where a file came from in a second stream beside its content; zone 3 is the internet
                return b"ZoneId=3" in Path(f"{path}:Zone.Identifier").read_bytes()
            except OSError:  # no such stream: no mark
                return False
        return self.system == "darwin" and self.attribute(path, "com.apple.quarantine") is not None


# ``arbitro doctor``.


DOOR_ABSENT = (codes.NO_EXCEL, NO_OFFICE, NO_EXTENSION)
"""Findings that one of the two programs is missing; the other one is enough."""
EXCEL_ONLY = (codes.NO_BUTTONS, codes.NO_INTERPRETER, codes.OTHER_INTERPRETER, codes.OLD_BUTTONS)
"""Findings about a workbook that do not matter in LibreOffice."""


def doctor(path: Path | None = None, machine: Machine | None = None, *, lang: str = "",
           office: Sequence[Finding] = ()) -> Result:
    """Look at this computer, and at a workbook with buttons. Changes nothing. `office`: the findings
    about LibreOffice.

    One of Excel and LibreOffice is enough: that the other is missing is said for information.
    Result data: ``python``, ``xlwings``, ``excel``: whether it was found, ``buttons``: whether the workbook has them
    (None without one), ``doors``: the programs in which buttons can work. Ends as refused if there is no such program,
    or a finding says that something does not work.
    """
    machine = machine or Machine()
    wording = Wording(None, language_for(path, lang))
    result = Result("doctor", wording=wording)
    excel = machine.has_excel
    result.data.update(python=machine.python, xlwings=machine.xlwings, excel=excel, buttons=None)
    computer = _computer_findings(machine, excel)
    book = _workbook_findings(path, machine, result) if path is not None else []
    doors = [*(["Excel"] if excel and not _any_stops(computer) else []),
             *(["LibreOffice"] if not _any_stops(office) and not _has(office, DOOR_ABSENT) else [])]
    findings = [*computer, *office, *book]
    if doors:
        mere = (*DOOR_ABSENT, *(() if excel else EXCEL_ONLY))
        findings = [finding._replace(severity="info") if finding.code in mere else finding for finding in findings]
    result.find(findings)
    result.data["doors"] = doors
    result.say(f"Arbitro {__version__}, xlwings {machine.xlwings or '–'}")
    result.say(machine.python)
    if excel and machine.system == "darwin" and not _has(findings, [codes.MAC_FORBIDS]):
        result.say(wording.text(N_("Only a click shows whether macOS lets Excel be controlled: it asks at the first "
                                   "one. If it was declined: System Settings, Privacy & Security, Automation.")))
    _conclude(result, doors)
    return result


def _conclude(result: Result, doors: Sequence[str]) -> None:
    """The exit code, and in words whether all is well."""
    wording = result.wording
    assert wording is not None
    if not doors or _any_stops(result.findings):
        result.exit = Exit.REFUSED
    if not doors:
        result.say(wording.text(N_("Buttons can work neither in Excel nor in LibreOffice yet. One of the two is "
                                   "enough.")))
    elif all(finding.severity == "info" for finding in result.findings):
        text = N_("All is well: the buttons can work in {program}.") if len(doors) == 1 else N_(
            "All is well: the buttons can work in Excel and in LibreOffice.")
        result.say(wording.text(text, program=doors[0]))


def _any_stops(findings: Iterable[Finding]) -> bool:
    return any(finding.stops for finding in findings)


def _has(findings: Iterable[Finding], those: Sequence[str]) -> bool:
    return any(finding.code in those for finding in findings)


def _computer_findings(machine: Machine, excel: bool) -> list[Finding]:
    findings = _missing_findings(machine)
    if not excel:
        return findings
    if machine.system == "darwin":
        if set(machine.python) & set(" '\""):
            findings.append(codes.finding(codes.MAC_BLANKS, python=machine.python))
        there = [script.stem.removeprefix("xlwings-") for script in machine.installed_mac_scripts()]
        if not there:
            findings.append(codes.finding(codes.NO_MAC_SCRIPT))
        elif machine.xlwings and machine.xlwings not in there:
            findings.append(codes.finding(codes.OLD_MAC_SCRIPT, seen=", ".join(there), wanted=machine.xlwings))
        if machine.refused_click.exists():
            findings.append(codes.finding(codes.MAC_FORBIDS))
    if machine.macros_off:
        findings.append(codes.finding(codes.MACROS_OFF))
    return findings


def _workbook_findings(path: Path, machine: Machine, result: Result) -> list[Finding]:
    try:
        content = path.read_bytes()
    except OSError as fault:
        return file_abort(fault, path, _lang(result)).findings
    bad = refusal(content)
    if bad is not None:
        return [codes.finding(bad[0], **{"file": path.name, **bad[1]})]
    try:
        book = OoxmlBook(content)
        result.data["buttons"] = has_buttons(book)
        conf, dead = read_conf(book), dead_buttons(book)
    except WorkbookFault as fault:
        return [codes.finding(codes.FILE_UNSAFE, file=path.name, reason=fault.detail)]
    stranger = _no_campaign(path, result)
    if not result.data["buttons"]:
        return stranger or [_without_buttons(path, result)]
    if dead:
        return [*stranger, codes.finding(codes.DEAD_BUTTONS, file=path.name, plain=path.with_suffix(".xlsx").name,
                                         macros=Verbatim(", ".join(dead)))]
    findings = [*stranger, *_interpreter_findings(path, conf, machine)]
    if machine.of_the_web(path):
        findings.append(codes.finding(codes.QUARANTINE, file=path.name, path=Verbatim(str(path.absolute())))
                        if machine.system == "darwin" else codes.finding(codes.WEB_MARK, file=path.name))
    return findings


def _no_campaign(path: Path, result: Result) -> list[Finding]:
    """Why the workbook holds no campaign, so that its buttons cannot work; [] if it holds one."""
    try:
        reading = open_book(path).read()
    except (BookError, OSError) as fault:
        return file_abort(fault, path, _lang(result)).findings
    return list(reading.findings) if reading.ruleset is None else []


def _without_buttons(path: Path, result: Result) -> Finding:
    """The finding for a workbook without buttons: make one that has them, unless there is a later one already."""
    target = path.with_suffix(".xlsm")
    if target != path and target.is_file():
        try:
            taken = target_finding(open_workspace(path, _lang(result)), target)
        except Abort:
            taken = None
        if taken is not None and taken.code == codes.TARGET_LATER:
            return taken._replace(severity="warning")
    return codes.finding(codes.NO_BUTTONS, file=path.name)


def _lang(result: Result) -> str:
    return result.wording.lang if result.wording else ""


def _interpreter_findings(path: Path, conf: dict[str, str], machine: Machine) -> list[Finding]:
    """What is wrong with the Python that the buttons call, and with the version of the buttons."""
    seen = conf.get("INTERPRETER_MAC" if machine.system == "darwin" else "INTERPRETER_WIN", "")
    findings = []
    if not Path(seen).is_file():
        findings.append(codes.finding(codes.NO_INTERPRETER, file=path.name, seen=seen or "–"))
    elif Path(seen) != Path(machine.python):
        findings.append(codes.finding(codes.OTHER_INTERPRETER, file=path.name, seen=seen, python=machine.python))
    made, wanted = (conf.get(MADE_BY, ""), conf.get(WITH, "")), (__version__, machine.xlwings)
    if machine.xlwings and made != wanted:
        findings.append(codes.finding(codes.OLD_BUTTONS, file=path.name, seen=" / ".join(made),
                                      wanted=" / ".join(wanted)))
    return findings


# ``arbitro setup excel`` and ``arbitro setup libreoffice``.


def setup_excel(machine: Machine | None = None, *, undo: bool = False, lang: str = "") -> Result:
    """Install what Excel needs here, or remove it. Result data: ``python``, ``files``: installed or removed.

    That is a workbook with the buttons that begin a campaign, and in macOS, where Excel may start programs only through
    a script in a folder of its own, that script. Ends as refused without Excel or xlwings; removing needs neither.
    """
    machine = machine or Machine()
    wording = Wording(None, lang or machine_language())
    result = Result("setup", wording=wording)
    result.data.update(python=machine.python, files=[])
    missing = () if undo else _missing_findings(machine)  # what was installed can be taken away without them
    if missing:
        result.exit = Exit.REFUSED
        result.find(missing)
        return result
    start = start_book_place(machine.home)
    try:
        if machine.system == "darwin":
            _on_mac(machine, result, undo)
        if undo and remove_start_book(start):
            result.data["files"].append(str(start))
            result.say(wording.text(N_("Removed: {file}"), file=str(start)))
        elif not undo:
            _leave_start_book(start, machine, result)
    except OSError as fault:
        result.exit = Exit.FILE
        result.find([codes.finding(codes.FILE_UNWRITABLE, file=fault.filename or str(start),
                                   reason=fault.strerror or str(fault))])
        return result
    if undo and not result.data["files"]:
        result.say(wording.text(N_("Nothing was installed, so there is nothing to take away.")))
    return result


def _leave_start_book(place: Path, machine: Machine, result: Result) -> None:
    """Write the workbook in which a campaign begins, and say how to go on. Raises OSError."""
    wording = result.wording
    assert wording is not None
    if write_start_book(place, wording.lang, machine.python):
        result.data["files"].append(str(place))
        result.say(wording.text(N_("Open {file} in Excel: its buttons begin a campaign, or make one of a workbook that"
                                   " your club has."), file=str(place)))
    else:
        result.say(wording.text(N_("{file} is another workbook and stays as it is. A campaign also begins with: arbitro"
                                   " new giglio campaign.xlsm"), file=str(place)))
    result.say(wording.text(N_("The buttons call {python}."), python=machine.python))
    result.say(wording.text(N_("A campaign's workbook without buttons gets them with: arbitro buttons WORKBOOK.xlsx")))


def _missing_findings(machine: Machine) -> list[Finding]:
    """What is missing on the computer and has to be installed first."""
    if not machine.has_excel:
        return [codes.finding(codes.NO_EXCEL)]
    return [] if machine.xlwings else [codes.finding(codes.NO_XLWINGS, python=machine.python)]


def _on_mac(machine: Machine, result: Result, undo: bool) -> None:
    wording = result.wording
    assert wording is not None
    # of the releases of xlwings before: Excel calls the script by its version
    for old in machine.installed_mac_scripts():
        old.unlink()
        result.data["files"].append(str(old))
        if undo:
            result.say(wording.text(N_("Removed: {file}"), file=str(old)))
    if undo:
        machine.note_click(allowed=True)
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
    """Install the extension with the toolbar into LibreOffice, or remove it. Result data: ``program``."""
    lang = lang or machine_language()
    result = Result("setup", wording=Wording(None, lang))
    result.data["program"] = "libreoffice"
    try:
        result.lines += (remove_extension if undo else install_extension)(lang)
    except SetupTrouble as trouble:
        result.exit = Exit.REFUSED
        result.find([codes.finding(trouble.code, **trouble.data)])
    return result


def mac_script(machine: Machine) -> Path:
    """xlwings' script for Excel on macOS, in its installed package."""
    import xlwings

    return Path(xlwings.__file__).parent / f"xlwings-{machine.xlwings}.applescript"
