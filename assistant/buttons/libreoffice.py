"""Builds, installs and checks the extension for LibreOffice."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

from assistant import __version__
from assistant.buttons.press import BUTTONS, Button
from assistant.buttons.workbook_buttons import SetupTrouble
from assistant.catalogues import LANGUAGES, translator
from assistant.turn.codes import finding
from assistant.turn.findings import Finding
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.write.sheet_style import MARK_FILL
from assistant.workbook.write.write_changes import BITS, SIGNATURE_START, SIGNED_END

# Codes of the findings about LibreOffice; their texts are in `assistant.turn.messages`.


NO_OFFICE = "ARB-210"
NO_EXTENSION = "ARB-211"
OTHER_PYTHON = "ARB-212"
OTHER_VERSION = "ARB-213"
OFFICE_OPEN = "ARB-214"
NO_OFFICE_PYTHON = "ARB-215"
CAGED = "ARB-216"
REFUSED = "ARB-217"
AS_ROOT = "ARB-218"
SWITCHED_OFF = "ARB-219"


# Texts of the extension itself, packed into it in both languages, for when Arbitro cannot be reached.


TEXTS: dict[str, str] = {
    "working": N_("Arbitro: {verb} ..."),
    "so_far": N_("{line} ({n} s)"),
    "busy": N_("Arbitro is still at work on the last click: {verb}. Wait until it is done."),
    "no_python": N_("Arbitro is not where it was when its buttons were installed ({python}). "
                    "Run in a terminal: arbitro setup libreoffice"),
    "silent": N_("Arbitro gave no answer in {n} s and was stopped. The workbook is as it was before the click. "
                 "Click again; if it stays so, run in a terminal: arbitro doctor"),
    "ended": N_("Arbitro could not do it. The workbook is as it was before the click. "
                "Run in a terminal: arbitro doctor"),
    "read_only": N_("The workbook is open for reading only: somebody else has it open, or the file is protected. "
                    "Close it, and open it when it is free."),
    "never_saved": N_("The workbook has never been saved. Save it into a folder first."),
    "look_there": N_("Look there: {path}"),
    "more": N_("... and {n} more; all of it is in the workbook."),
}


def texts_in(lang: str) -> dict[str, str]:
    """The texts in a language, with the captions of the buttons by their verbs."""
    _ = translator(lang)
    return {**{name: _(text) for name, text in TEXTS.items()}, **{b.verb: b.caption(lang) for b in BUTTONS}}


# The extension: the modules of ``macro/`` with a toolbar, a menu, and the full path of the interpreter.


IDENTIFIER = "arbitro.libreoffice"
FILE = "arbitro.oxt"
OLDEST_OFFICE = "7.2"
MODULE = "assistant.buttons.press"
PATIENCE = 120
"""Seconds of silence after which the extension stops Arbitro."""
SETTINGS = "pythonpath/arbitro_office/settings.json"
_SOURCES = Path(__file__).parent / "macro"
_TOOLBAR = "arbitro.toolbar"
_CALC = "com.sun.star.sheet.SpreadsheetDocument"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_LOCALES = {"en": "en-US", "it": "it"}


def build_extension() -> bytes:
    """The bytes of the ``.oxt``; its buttons start this interpreter, isolated from the folder and the user's packages.
    """
    given = {
        "version": __version__,
        "python": sys.executable,
        "arguments": ["-I", "-m", MODULE],
        "patience": PATIENCE,
        "mark": {"fill": MARK_FILL, "signed": SIGNATURE_START, "bits": "".join(BITS), "end": SIGNED_END},
        "texts": {lang: texts_in(lang) for lang in LANGUAGES},
    }
    members = {
        "META-INF/manifest.xml": _manifest(),
        "description.xml": _description(),
        "Addons.xcu": _addons(),
        "ProtocolHandler.xcu": _handler(),
        "CalcWindowState.xcu": _window_state(),
        "arbitro_buttons.py": (_SOURCES / "component.py").read_text(encoding="utf-8"),
        SETTINGS: json.dumps(given, ensure_ascii=False, indent=1, sort_keys=True) + "\n",
    }
    for source in sorted(_SOURCES.glob("*.py")):
        if source.name != "component.py":
            members[f"pythonpath/arbitro_office/{source.name}"] = source.read_text(encoding="utf-8")
    return _zip(members)


def _zip(members: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        # with one date for all, the same modules give the same extension byte by byte
        for name, text in members.items():
            info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, text.encode("utf-8"))
    return packed.getvalue()


# --- the registry of LibreOffice ---------------------------------------------------------------
def _prop(name: str, value: str, kind: str = "xs:string") -> str:
    return f'<prop oor:name="{name}" oor:type="{kind}"><value>{escape(value)}</value></prop>'


def _fill_words(name: str, words: dict[str, str]) -> str:
    values = "".join(f'<value xml:lang="{_LOCALES[lang]}">{escape(text)}</value>' for lang, text in words.items())
    return f'<prop oor:name="{name}" oor:type="xs:string">{values}</prop>'


def _node(name: str, content: Iterable[str], replace: bool = False) -> str:
    how = ' oor:op="replace"' if replace else ""
    return f"<node oor:name={quoteattr(name)}{how}>{''.join(content)}</node>\n"


def _data(package: str, name: str, content: str) -> str:
    return (f'{_HEAD}<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
            'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
            f'oor:package="{package}" oor:name="{name}">\n{content}</oor:component-data>\n')


def _items(buttons: Iterable[Button]) -> Sequence[str]:
    return [_node(f"m{i}", (_prop("URL", f"arbitro.buttons:{b.verb}"), _fill_words("Title", {"en": b.en, "it": b.it}),
                            _prop("Target", "_self"), _prop("Context", _CALC)), replace=True)
            for i, b in enumerate(buttons)]


def _addons() -> str:
    menu = _node("arbitro.menu", (_fill_words("Title", {"en": "Arbitro", "it": "Arbitro"}), _prop("Context", _CALC),
                                  _node("Submenu", _items(BUTTONS))), replace=True)
    toolbar = _node(_TOOLBAR, _items(button for button in BUTTONS if button.often), replace=True)
    parts = (_node("OfficeToolBar", [toolbar]), _node("OfficeMenuBar", [menu]))
    return _data("org.openoffice.Office", "Addons", _node("AddonUI", parts))


def _handler() -> str:
    protocols = '<prop oor:name="Protocols" oor:type="oor:string-list"><value>arbitro.buttons:*</value></prop>'
    node = _node("arbitro.libreoffice.Buttons", [protocols], replace=True)
    return _data("org.openoffice.Office", "ProtocolHandler", _node("HandlerSet", [node]))


def _window_state() -> str:
    """The first position of the toolbar: docked above the sheet, in a row of its own."""
    state = (_fill_words("UIName", {"en": "Arbitro", "it": "Arbitro"}), _prop("Visible", "true", "xs:boolean"),
             _prop("Docked", "true", "xs:boolean"), _prop("DockingArea", "0", "xs:int"), _prop("DockPos", "0,3"))
    node = _node(f"private:resource/toolbar/addon_{_TOOLBAR}", state, replace=True)
    return _data("org.openoffice.Office.UI", "CalcWindowState", _node("UIElements", [_node("States", [node])]))


def _description() -> str:
    names = "".join(f'<name lang="{lang}">Arbitro</name>' for lang in LANGUAGES)
    return (f'{_HEAD}<description xmlns="http://openoffice.org/extensions/description/2006" '
            'xmlns:xlink="http://www.w3.org/1999/xlink" '
            'xmlns:lo="http://libreoffice.org/extensions/description/2011">\n'
            f'<identifier value="{IDENTIFIER}"/>\n<version value="{__version__}"/>\n'
            f'<dependencies><lo:LibreOffice-minimal-version value="{OLDEST_OFFICE}" '
            f'lo:name="LibreOffice {OLDEST_OFFICE}"/></dependencies>\n'
            f"<display-name>{names}</display-name>\n</description>\n")


def _manifest() -> str:
    kinds = {"arbitro_buttons.py": "application/vnd.sun.star.uno-component;type=Python",
             **{f"{name}.xcu": "application/vnd.sun.star.configuration-data"
                for name in ("Addons", "ProtocolHandler", "CalcWindowState")}}
    entries = "".join(f'<manifest:file-entry manifest:media-type="{kind}" manifest:full-path="{name}"/>\n'
                      for name, kind in kinds.items())
    return (f'{_HEAD}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">\n{entries}'
            "</manifest:manifest>\n")


# The LibreOffice of this machine, and the extension installed in it.


PROGRAM = "ARBITRO_LIBREOFFICE"
"""Environment variable: the folder of LibreOffice's programs, if it is not found."""
PROFILE = "ARBITRO_LIBREOFFICE_PROFILE"
"""Environment variable: the folder of a user's LibreOffice settings, if it is not the usual one."""
DEPLOYED = ("user/uno_packages/cache/registry/com.sun.star.comp.deployment.bundle.PackageRegistryBackend/"
             "backenddb.xml")
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")
"""Variables that make LibreOffice's own Python use the library of another one."""
_ONE = re.compile(r"<[\w:]*extension\b([^>]*)>")
_URL = re.compile(r'url="vnd\.sun\.star\.expand:\$UNO_USER_PACKAGES_CACHE/(uno_packages/[^"]+)"')


def office_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment in which LibreOffice finds its own Python, whatever the terminal puts first.

    On Linux that Python looks for its library beside the first ``python3`` of the PATH. If that one is of pyenv, conda
    or a build of one's own, everything that LibreOffice does in Python fails with ``std::bad_alloc``.
    """
    kept = {name: value for name, value in environment.items() if name not in FOREIGN}
    if os.name == "posix":
        kept["PATH"] = os.pathsep.join([os.defpath, environment.get("PATH", "")]).rstrip(os.pathsep)
    return kept


@dataclass(frozen=True)
class InstalledExtension:
    """Our extension as it is installed. `on`: it is switched on; `settings`: what it was built with."""

    on: bool
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class OfficeInstallation:
    """A LibreOffice. `program`: the folder of its programs; `profile`: of the user's settings (with ``user`` in it);
    `caged`: the sandbox that keeps it from starting other programs, "" for none.
    """

    program: Path
    profile: Path
    caged: str = ""

    @property
    def lock(self) -> Path:
        """The file that exists while this user has LibreOffice open."""
        return self.profile / ".lock"

    @property
    def packager(self) -> Path:
        """The program that installs extensions."""
        return self.program / ("unopkg.com" if sys.platform == "win32" else "unopkg")

    @property
    def has_python(self) -> bool:
        """Whether this LibreOffice can run Python; Linux distributions have that in a separate package."""
        return sys.platform in ("win32", "darwin") or (self.program / "pythonloader.py").is_file()

    def find_extension(self) -> InstalledExtension | None:
        """Our extension; None where it is not installed."""
        listed = self.profile / DEPLOYED
        if not listed.is_file():
            return None
        for attributes in _ONE.findall(listed.read_text(encoding="utf-8", errors="replace")):
            url = _URL.search(attributes)
            # LibreOffice unpacks it into a folder with a name drawn at random; only the file's own name is sure
            if url is None or not unquote(url[1]).endswith(f"/{FILE}"):
                continue
            settings = self.profile / "user/uno_packages/cache" / unquote(url[1]) / SETTINGS
            try:
                return InstalledExtension(
                    'revoked="true"' not in attributes, json.loads(settings.read_text(encoding="utf-8"))
                )
            except (OSError, ValueError):  # listed, but its files are gone or damaged: as good as not installed
                continue
        return None


def find_office() -> OfficeInstallation | None:
    """The LibreOffice of this machine; None if there is none."""
    named = os.environ.get(PROGRAM, "")
    for folder in ([Path(named)] if named else _program_folders()):
        for program in (folder, folder / "program", folder / "Contents" / "MacOS"):
            office = OfficeInstallation(program, _profile(), _sandbox_of(program))
            if office.packager.is_file() or office.caged:
                return office
    return None


def _program_folders() -> Iterable[Path]:
    """Folders where LibreOffice may be, the most likely first."""
    if sys.platform == "win32":
        for name in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"):
            if name in os.environ:
                yield Path(os.environ[name], "LibreOffice", "program")
    elif sys.platform == "darwin":
        for home in (Path("/Applications"), Path.home() / "Applications"):
            yield home / "LibreOffice.app" / "Contents" / "MacOS"
    for name in ("soffice", "libreoffice"):
        program = shutil.which(name)
        if program:
            yield Path(program).resolve().parent
    if sys.platform.startswith("linux"):
        yield from (Path("/usr/lib/libreoffice/program"), Path("/usr/lib64/libreoffice/program"))
        # the newest first
        yield from sorted(Path("/opt").glob("libreoffice*/program"), reverse=True)
        for home in (Path("/var/lib/flatpak"), Path.home() / ".local/share/flatpak"):
            if (home / "exports/bin/org.libreoffice.LibreOffice").exists():
                yield home / "exports" / "bin"
        if Path("/snap/bin/libreoffice").exists():
            yield Path("/snap/bin")


def _sandbox_of(program: Path) -> str:
    """``Flatpak``, ``Snap`` or "": a program in these sandboxes cannot start others on the machine."""
    where = program.as_posix()
    return "Flatpak" if "/flatpak/" in where else "Snap" if where.startswith("/snap") else ""


def _profile() -> Path:
    """The folder of this user's LibreOffice settings."""
    if os.environ.get(PROFILE):
        return Path(os.environ[PROFILE])
    if sys.platform == "win32":
        # "4" is the format of its settings since LibreOffice 4, in all later versions too
        return Path(os.environ.get("APPDATA", str(Path.home() / "AppData" / "Roaming")), "LibreOffice", "4")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "LibreOffice" / "4"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "libreoffice", "4")


# Checks.


def office_findings() -> list[Finding]:
    """Everything that keeps the buttons in LibreOffice from working; [] for nothing. Changes nothing."""
    office = find_office()
    if office is None:
        return [finding(NO_OFFICE, variable=PROGRAM)]
    if office.caged:
        return [finding(CAGED, how=office.caged)]
    findings = [] if office.has_python else [finding(NO_OFFICE_PYTHON, folder=str(office.program))]
    installed = office.find_extension()
    if installed is None:
        return [*findings, finding(NO_EXTENSION)]
    if not installed.on:
        findings.append(finding(SWITCHED_OFF))
    python = str(installed.settings.get("python", ""))
    if not _same(python, sys.executable):
        findings.append(finding(OTHER_PYTHON, seen=python, python=sys.executable,
                                gone="" if Path(python).is_file() else python))
    elif installed.settings.get("version") != __version__:
        findings.append(finding(OTHER_VERSION, seen=str(installed.settings.get("version", "?")),
                                version=__version__))
    return findings


def _same(one: str, other: str) -> bool:
    return Path(one).parent.resolve() / Path(one).name == Path(other).parent.resolve() / Path(other).name


# Installation.


SECONDS = 120
TRIES = 2


def install_extension(lang: str) -> list[str]:
    """Install the toolbar and the menu into LibreOffice, for this Python; returns in words what was done.

    Raises `SetupTrouble` if LibreOffice does not allow it.
    """
    office = _usable_office()
    words = Wording(None, lang)
    again = office.find_extension() is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        file.write_bytes(build_extension())
        _run_packager(office, "add", "--force", "--suppress-license", str(file))
    first = N_("The buttons in LibreOffice were renewed.") if again else N_(
        "The buttons were installed in LibreOffice ({folder}).")
    return [
        words.text(first, folder=str(office.program)),
        words.text(N_("They start this Python: {python}"), python=sys.executable),
        words.text(N_("Open a campaign's workbook in LibreOffice: the toolbar and the menu Arbitro are there, for any "
                      ".xlsx, without a macro in it. If the toolbar is hidden: View, Toolbars, Arbitro.")),
        words.text(N_("To take them out again: arbitro setup libreoffice --undo")),
    ]


def remove_extension(lang: str) -> list[str]:
    """Remove the toolbar and the menu from LibreOffice; returns in words what was done. Raises `SetupTrouble`."""
    office = _usable_office()
    words = Wording(None, lang)
    if office.find_extension() is None:
        return [words.text(N_("There were no buttons of Arbitro in LibreOffice: nothing was changed."))]
    try:
        _run_packager(office, "remove", IDENTIFIER)
    except SetupTrouble:
        if office.find_extension() is not None:  # else it was taken out, and LibreOffice's installer failed after that
            raise
    return [words.text(N_("The buttons were taken out of LibreOffice. Workbooks and ledgers are as they were."))]


def _usable_office() -> OfficeInstallation:
    """The LibreOffice, if an extension can be installed now. Raises `SetupTrouble`."""
    office = find_office()
    if office is None:
        raise SetupTrouble(NO_OFFICE, variable=PROGRAM)
    if office.caged:
        raise SetupTrouble(CAGED, how=office.caged)
    if not office.has_python:
        raise SetupTrouble(NO_OFFICE_PYTHON, folder=str(office.program))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        raise SetupTrouble(AS_ROOT)
    if office.lock.exists():
        raise SetupTrouble(OFFICE_OPEN, lock=str(office.lock))
    return office


def _run_packager(office: OfficeInstallation, *arguments: str) -> None:
    """Run LibreOffice's own installer of extensions. Raises `SetupTrouble` with its message.

    With a new profile it sometimes fails at its end, so it is tried twice. What it leaves then looks as if LibreOffice
    were still open, and is removed where nothing was open before.
    """
    lock = office.profile / ".lock"
    was_open = lock.exists()
    profile = [f"-env:UserInstallation={office.profile.resolve().as_uri()}"] if os.environ.get(PROFILE) else []
    verb, *rest = arguments
    command = [str(office.packager), verb, *profile, *rest]
    try:
        for _ in range(TRIES):
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, env=office_environment(os.environ), check=False)
            if not done.returncode:
                return
            if not was_open:
                lock.unlink(missing_ok=True)
    except subprocess.TimeoutExpired as late:
        raise SetupTrouble(REFUSED, reason=f"{office.packager.name}: {SECONDS} s") from late
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    raise SetupTrouble(REFUSED, reason=" ".join(lines)[-400:] or f"{office.packager.name} {done.returncode}")
