"""What doctor and setup ask of the computer, in one place: its system, where things lie, what its registry says."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assistant.buttons.install.conf import interpreter

if sys.platform == "win32":
    import winreg

_EXCEL_KEY = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths\excel.exe"
_SECURITY_KEYS = (r"Software\Policies\Microsoft\Office\16.0\Excel\Security",
                  r"Software\Microsoft\Office\16.0\Excel\Security")
_MAC_EXCEL = "/Applications/Microsoft Excel.app"
_MAC_SCRIPTS = "Library/Application Scripts/com.microsoft.Excel"
_MAC_NOTE = "Library/Application Support/Arbitro/excel-not-allowed"
_SILENT = (3, 4)
"""The values of Excel's setting VBAWarnings that block macros which nobody signed, or all, without a word."""
_MAC_SETTING = "VisualBasicMacroExecutionState"
_MAC_SILENT = "DisabledWithoutWarnings"
_MAC_DOMAINS = ("/Library/Managed Preferences/com.microsoft.office", "com.microsoft.office", "com.microsoft.Excel")


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _registry(root: str, key: str, name: str) -> str | int | None:
    """A value of Windows' registry; None where it is not there, or on another system."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError), winreg.OpenKey(getattr(winreg, root), key) as opened:
            value = winreg.QueryValueEx(opened, name)[0]
            return value if isinstance(value, (str, int)) else None
    return None


def _attribute(path: Path, name: str) -> bytes | None:
    """An extended attribute of a file (macOS); None where it has none."""
    done = subprocess.run(["/usr/bin/xattr", "-p", name, str(path)], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _preference(domain: str, key: str) -> str | None:
    """A setting of a program (macOS); None where it has none."""
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
    xlwings: str = field(default_factory=lambda: _installed("xlwings"))
    registry: Callable[[str, str, str], str | int | None] = _registry
    attribute: Callable[[Path, str], bytes | None] = _attribute
    preference: Callable[[str, str], str | None] = _preference
    mac_excel: Path = Path(_MAC_EXCEL)

    @property
    def may_have_excel(self) -> bool:
        """Whether Excel is made for this system."""
        return self.system in ("win32", "darwin")

    @property
    def has_excel(self) -> bool:
        """Whether Excel was found."""
        if self.system == "darwin":
            return self.mac_excel.exists() or (self.home / "Applications" / self.mac_excel.name).exists()
        return any(self.registry(root, _EXCEL_KEY, "") for root in ("HKEY_CURRENT_USER", "HKEY_LOCAL_MACHINE"))

    @property
    def macros_off(self) -> bool:
        """Whether Excel is set to run no macros, or none that nobody signed, and to say nothing."""
        if self.system == "darwin":
            set_to = (self.preference(domain, _MAC_SETTING) for domain in _MAC_DOMAINS)
            return next((value for value in set_to if value is not None), "") == _MAC_SILENT
        said = (self.registry("HKEY_CURRENT_USER", key, "VBAWarnings") for key in _SECURITY_KEYS)
        return next((value for value in said if value is not None), 0) in _SILENT

    @property
    def mac_scripts(self) -> Path:
        """The one folder whose scripts Excel for macOS may run."""
        return self.home / _MAC_SCRIPTS

    def installed_mac_scripts(self) -> list[Path]:
        """xlwings' scripts that lie there, of whatever version."""
        return sorted(self.mac_scripts.glob("xlwings-*.applescript")) if self.mac_scripts.is_dir() else []

    @property
    def refused_click(self) -> Path:
        """A note that is there while macOS refuses what clicks ask of Excel; nothing else tells it beforehand."""
        return self.home / _MAC_NOTE

    def note_click(self, *, allowed: bool) -> None:
        """Remember whether macOS let the last click through. A note that cannot be written is not missed."""
        if self.system != "darwin":
            return
        with contextlib.suppress(OSError):
            if allowed:
                self.refused_click.unlink(missing_ok=True)
            else:
                self.refused_click.parent.mkdir(parents=True, exist_ok=True)
                self.refused_click.touch()

    def of_the_web(self, path: Path) -> bool:
        """Whether a file carries the mark that says it came from the web or by mail."""
        if self.system == "win32":
            try:
                return b"ZoneId=3" in Path(f"{path}:Zone.Identifier").read_bytes()
            except OSError:  # no such stream: no mark
                return False
        return self.system == "darwin" and self.attribute(path, "com.apple.quarantine") is not None
