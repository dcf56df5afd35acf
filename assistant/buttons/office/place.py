"""Where LibreOffice is on this machine, where it keeps what its user has installed, and what that is."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from assistant.buttons.office.oxt import FILE, SETTINGS

PROGRAM = "ARBITRO_LIBREOFFICE"
"""Environment variable: the folder of LibreOffice's programs, where it is not found."""
PROFILE = "ARBITRO_LIBREOFFICE_PROFILE"
"""Environment variable: the folder of a user's LibreOffice settings, where it is another than usual."""
DEPLOYED = ("user/uno_packages/cache/registry/com.sun.star.comp.deployment.bundle.PackageRegistryBackend/"
             "backenddb.xml")
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")
"""Variables that send LibreOffice's own Python to the library of another one."""
_ONE = re.compile(r"<[\w:]*extension\b([^>]*)>")
_URL = re.compile(r'url="vnd\.sun\.star\.expand:\$UNO_USER_PACKAGES_CACHE/(uno_packages/[^"]+)"')


def its_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment in which LibreOffice finds its own Python, whatever other one a terminal puts first.

    On Linux that Python looks for its library beside the first ``python3`` of the PATH. Where it is one of pyenv,
    conda or somebody's own build, everything that LibreOffice does in Python fails, with ``std::bad_alloc``.
    """
    kept = {name: value for name, value in environment.items() if name not in FOREIGN}
    if os.name == "posix":
        kept["PATH"] = os.pathsep.join([os.defpath, environment.get("PATH", "")]).rstrip(os.pathsep)
    return kept


@dataclass(frozen=True)
class Installed:
    """Our extension as it is installed. `on`: it is switched on; `settings`: what it was built with."""

    on: bool
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Office:
    """A LibreOffice. `program`: the folder of its programs; `profile`: of the user's settings (with ``user`` in it);
    `caged`: what keeps it from starting other programs ("" for nothing).
    """

    program: Path
    profile: Path
    caged: str = ""

    @property
    def lock(self) -> Path:
        """The file that is there while this user has LibreOffice open."""
        return self.profile / ".lock"

    @property
    def packager(self) -> Path:
        """The program that installs extensions."""
        return self.program / ("unopkg.com" if sys.platform == "win32" else "unopkg")

    @property
    def has_python(self) -> bool:
        """Whether this LibreOffice can run Python at all; Linux distributions pack that apart."""
        return sys.platform in ("win32", "darwin") or (self.program / "pythonloader.py").is_file()

    def installed(self) -> Installed | None:
        """Our extension; None where it is not installed."""
        listed = self.profile / DEPLOYED
        if not listed.is_file():
            return None
        for attributes in _ONE.findall(listed.read_text(encoding="utf-8", errors="replace")):
            url = _URL.search(attributes)
            if url is None or not unquote(url[1]).endswith(f"/{FILE}"):
                continue
            settings = self.profile / "user/uno_packages/cache" / unquote(url[1]) / SETTINGS
            try:
                return Installed('revoked="true"' not in attributes, json.loads(settings.read_text(encoding="utf-8")))
            except (OSError, ValueError):  # listed, but its files are gone or damaged: as good as not installed
                continue
        return None


def find_office() -> Office | None:
    """The LibreOffice of this machine; None where there is none."""
    named = os.environ.get(PROGRAM, "")
    for folder in ([Path(named)] if named else _places()):
        for program in (folder, folder / "program", folder / "Contents" / "MacOS"):
            office = Office(program, _profile(), _cage(program))
            if office.packager.is_file() or office.caged:
                return office
    return None


def _places() -> Iterable[Path]:
    """Folders in which LibreOffice may be, the likeliest first."""
    if sys.platform == "win32":
        for name in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"):
            if name in os.environ:
                yield Path(os.environ[name], "LibreOffice", "program")
    elif sys.platform == "darwin":
        for home in (Path("/Applications"), Path.home() / "Applications"):
            yield home / "LibreOffice.app" / "Contents" / "MacOS"
    for name in ("soffice", "libreoffice"):
        found = shutil.which(name)
        if found:
            yield Path(found).resolve().parent
    if sys.platform.startswith("linux"):
        yield from (Path("/usr/lib/libreoffice/program"), Path("/usr/lib64/libreoffice/program"))
        yield from sorted(Path("/opt").glob("libreoffice*/program"), reverse=True)
        for home in (Path("/var/lib/flatpak"), Path.home() / ".local/share/flatpak"):
            if (home / "exports/bin/org.libreoffice.LibreOffice").exists():
                yield home / "exports" / "bin"
        if Path("/snap/bin/libreoffice").exists():
            yield Path("/snap/bin")


def _cage(program: Path) -> str:
    """Flatpak and Snap start no program of the machine's."""
    where = program.as_posix()
    return "Flatpak" if "/flatpak/" in where else "Snap" if where.startswith("/snap") else ""


def _profile() -> Path:
    """Where LibreOffice keeps the settings of this user."""
    if os.environ.get(PROFILE):
        return Path(os.environ[PROFILE])
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", str(Path.home() / "AppData" / "Roaming")), "LibreOffice", "4")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "LibreOffice" / "4"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "libreoffice", "4")
