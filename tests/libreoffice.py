"""Workbooks in; what LibreOffice makes of them out: one start a call, one profile a process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.once import run_folder

NEEDED = "no LibreOffice on this machine; dev.py test says how to install it"
AT_ONCE = 25
"""So many files are opened in one start at most."""


def convert(ending: str, out: Path, *files: Path, seconds: int = 600) -> Path:
    """The files in another format, or saved anew, in a folder, which is returned; without those that do not open."""
    assert shutil.which("soffice"), NEEDED
    profile = (run_folder() / f"libreoffice-{os.getpid()}").as_uri()
    for start in range(0, len(files), AT_ONCE):
        subprocess.run(["soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to", ending, "--outdir",
                        str(out), *map(str, files[start:start + AT_ONCE])], check=True, capture_output=True,
                       timeout=seconds)
    return out
