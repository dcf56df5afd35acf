"""What is wrong with the LibreOffice door on this machine, with the cure."""

from __future__ import annotations

import sys
from pathlib import Path

from assistant import __version__
from assistant.buttons.office import codes
from assistant.buttons.office.place import PROGRAM, find_office
from assistant.desk.codes import finding
from assistant.turn.findings import Finding


def look_at_office() -> list[Finding]:
    """All that keeps the buttons in LibreOffice from working; [] when nothing does. Changes nothing."""
    office = find_office()
    if office is None:
        return [finding(codes.NO_OFFICE, variable=PROGRAM)]
    if office.caged:
        return [finding(codes.CAGED, how=office.caged)]
    found = [] if office.has_python else [finding(codes.NO_OFFICE_PYTHON, folder=str(office.program))]
    installed = office.installed()
    if installed is None:
        return [*found, finding(codes.NO_EXTENSION)]
    if not installed.on:
        found.append(finding(codes.SWITCHED_OFF))
    python = str(installed.settings.get("python", ""))
    if not _same(python, sys.executable):
        found.append(finding(codes.OTHER_PYTHON, seen=python, python=sys.executable,
                             gone="" if Path(python).is_file() else python))
    elif installed.settings.get("version") != __version__:
        found.append(finding(codes.OTHER_VERSION, seen=str(installed.settings.get("version", "?")),
                             version=__version__))
    return found


def _same(one: str, other: str) -> bool:
    """Whether two paths name one program in one folder; a virtual environment's is not what it links to."""
    return Path(one).parent.resolve() / Path(one).name == Path(other).parent.resolve() / Path(other).name
