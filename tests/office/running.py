"""A really running LibreOffice for tests: headless for the port's contract, in a window for clicks."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assistant.buttons.libreoffice import build_extension, office_environment

DRIVER = Path(__file__).with_name("driver.py")
NEEDED = "the slow tests need LibreOffice with its Python (Debian: libreoffice-calc and python3-uno)"


def uno_python() -> str:
    """The Python that can import ``uno``. Raises AssertionError, saying what to install."""
    for name in ("/usr/bin/python3", "python3"):
        python = shutil.which(name)
        if python and subprocess.run([python, "-c", "import uno"], capture_output=True, check=False).returncode == 0:
            return python
    raise AssertionError(NEEDED)


def unpacked(folder: Path) -> Path:
    """The extension of this checkout, unpacked."""
    with zipfile.ZipFile(io.BytesIO(build_extension())) as archive:
        archive.extractall(folder)
    return folder


class Office:
    """A soffice of its own profile, and the driver that works in it."""

    def __init__(self, folder: Path, *, profile: Path | None = None, window: bool = False,
                 arguments: Iterable[str] = (), environment: dict[str, str] | None = None) -> None:
        assert shutil.which("soffice"), NEEDED
        place = unpacked(folder / "extension")
        command = [uno_python(), str(DRIVER), str(place), str(profile or folder / "profile"),
                   "window" if window else "headless", *arguments]
        self._errors = (folder / "driver.txt").open("w+", encoding="utf-8")
        self._driver = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                                        text=True, encoding="utf-8",
                                        env=office_environment({**os.environ, **(environment or {})}))
        self._answer()

    def ask(self, verb: str, argument: Any = None) -> Any:
        """Let the driver do something; what it gives back. Raises RuntimeError with what went wrong."""
        assert self._driver.stdin is not None
        self._driver.stdin.write(json.dumps([verb, argument]) + "\n")
        self._driver.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise RuntimeError(self._errors.read()[-2000:] or "the driver ended without a word")
        answer = json.loads(line)
        if "failed" in answer:
            raise RuntimeError(answer["failed"])
        return answer["ok"]

    def open(self, path: Path) -> Shown:
        """Open a workbook in it; the one before is closed without saving."""
        self.ask("open", str(path))
        return Shown(self)

    def stop(self) -> None:
        """End soffice and the driver."""
        if self._driver.poll() is None:
            self.ask("stop")
            self._driver.wait(30)
        self._errors.close()


class Shown:
    """A workbook that is open in LibreOffice, as Arbitro sees it over the pipe."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def snapshot(self) -> dict[str, Any]:
        """What is on the screen."""
        found: dict[str, Any] = self._office.ask("snapshot")
        return found

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the extension answers to a request (``apply``, ``fills``, ``save``)."""
        found: dict[str, Any] = self._office.ask("answer", message)
        return found

    def begin(self, verb: str = "resolve") -> None:
        """What is changed from now on until the next `begin` is one step to undo."""
        self._office.ask("begin", verb)

    def close(self) -> None:
        """Close it without saving."""
        self._office.ask("close")
