"""Installs the extension into LibreOffice, and takes it out again; says what it did."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from assistant.buttons.office import codes
from assistant.buttons.office.oxt import FILE, IDENTIFIER, extension
from assistant.buttons.office.place import PROFILE, PROGRAM, Office, find_office, its_environment
from assistant.buttons.trouble import SetupTrouble
from assistant.wording import N_, Wording

SECONDS = 120
TRIES = 2


def install(lang: str) -> list[str]:
    """Put the toolbar and the menu into LibreOffice, for this Python; what was done, in words.

    Raises `SetupTrouble` where LibreOffice does not let us.
    """
    office = _ready()
    words = Wording(None, lang)
    again = office.installed() is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        file.write_bytes(extension())
        _package(office, "add", "--force", "--suppress-license", str(file))
    first = N_("The buttons in LibreOffice were renewed.") if again else N_(
        "The buttons were installed in LibreOffice ({folder}).")
    return [
        words.text(first, folder=str(office.program)),
        words.text(N_("They start this Python: {python}"), python=sys.executable),
        words.text(N_("Open a campaign's workbook in LibreOffice: the toolbar and the menu Arbitro are there, for any "
                      ".xlsx, without a macro in it. If the toolbar is hidden: View, Toolbars, Arbitro.")),
        words.text(N_("To take them out again: arbitro setup libreoffice --undo")),
    ]


def remove(lang: str) -> list[str]:
    """Take the toolbar and the menu out of LibreOffice; what was done, in words. Raises `SetupTrouble`."""
    office = _ready()
    words = Wording(None, lang)
    if office.installed() is None:
        return [words.text(N_("There were no buttons of Arbitro in LibreOffice: nothing was changed."))]
    try:
        _package(office, "remove", IDENTIFIER)
    except SetupTrouble:
        if office.installed() is not None:  # else it was taken out, and LibreOffice's installer failed after that
            raise
    return [words.text(N_("The buttons were taken out of LibreOffice. Workbooks and ledgers are as they were."))]


def _ready() -> Office:
    """The LibreOffice that can be given an extension now. Raises `SetupTrouble`."""
    office = find_office()
    if office is None:
        raise SetupTrouble(codes.NO_OFFICE, variable=PROGRAM)
    if office.caged:
        raise SetupTrouble(codes.CAGED, how=office.caged)
    if not office.has_python:
        raise SetupTrouble(codes.NO_OFFICE_PYTHON, folder=str(office.program))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        raise SetupTrouble(codes.AS_ROOT)
    if office.lock.exists():
        raise SetupTrouble(codes.OFFICE_OPEN, lock=str(office.lock))
    return office


def _package(office: Office, *arguments: str) -> None:
    """Run LibreOffice's own installer of extensions. Raises `SetupTrouble` with what it said.

    With a profile that is new it sometimes fails while it ends, so it is tried twice.
    """
    profile = [f"-env:UserInstallation={office.profile.resolve().as_uri()}"] if os.environ.get(PROFILE) else []
    verb, *rest = arguments
    command = [str(office.packager), verb, *profile, *rest]
    try:
        for _ in range(TRIES):
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, env=its_environment(os.environ), check=False)
            if not done.returncode:
                return
    except subprocess.TimeoutExpired as late:
        raise SetupTrouble(codes.REFUSED, reason=f"{office.packager.name}: {SECONDS} s") from late
    said = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    raise SetupTrouble(codes.REFUSED, reason=" ".join(said)[-400:] or f"{office.packager.name} {done.returncode}")
