"""A real window on a virtual screen: LibreOffice with the extension installed, real clicks, pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.buttons.libreoffice import PROFILE
from tests.office.running import Office

SCREEN = (1360, 820)
"""Width and height of the virtual screen, where a test wants no other."""
PICTURES = "ARBITRO_PICTURES"
"""Environment variable: the folder into which the pictures of the manuals are written (``docs/pictures``)."""
ARBITRO = Path(sys.executable).with_name("arbitro")
FILM = "ARBITRO_FILM"
"""Environment variable: the folder into which a picture of each step of an evening is written."""
_MOST_LOOKS = 6
NOT_SEEN = "arbitro-not-seen"
TITLE = "LibreOffice Calc"
"""What the title of a workbook's window ends with."""
TOOLS = ("Xvfb", "xdotool", "import")
NEEDED = "clicks need a virtual screen (Debian: xvfb xdotool imagemagick libreoffice-l10n-it)"


def setting(path: str, name: str, value: str) -> str:
    """One item of LibreOffice's settings."""
    return f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'


def new_profile(profile: Path, lang: str) -> None:
    """A user's settings: no greetings, this language; the security of macros stays as LibreOffice has it."""
    office = "/org.openoffice.Office."
    items = (setting(f"{office}Common/Misc", "ShowTipOfTheDay", "false"),
             setting(f"{office}Common/Misc", "FirstRun", "false"),
             setting(f"{office}Linguistic/SpellChecking", "IsSpellAuto", "false"),
             setting("/org.openoffice.Setup/Product", "ooSetupLastVersion", "99.0"),
             setting(f"{office}Linguistic/General", "UILocale", {"en": "en-US"}.get(lang, lang)))
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        + "".join(items) + "</oor:items>", encoding="utf-8")


def as_user(command: list[str], *, home: Path, profile: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command for a profile as somebody who is not root: LibreOffice installs nothing for root.

    `environment`: variables that this user has.
    """
    prefix: list[str] = []
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "65534:65534", str(home), str(profile)], check=True)
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+dac_override",
                  "--ambient-caps=+dac_override"]
    done = subprocess.run([*prefix, *command], capture_output=True, text=True, timeout=180, check=False,
                          env={**os.environ, **environment, "HOME": str(home), PROFILE: str(profile)})
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "0:0", str(home), str(profile)], check=True)
    return done


@contextmanager
def screen(size: tuple[int, int] = SCREEN) -> Iterator[str]:
    """A virtual screen; its DISPLAY."""
    assert all(map(shutil.which, TOOLS)), NEEDED
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24",
                               "-nolisten", "tcp"],
                              pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as stream:
            yield f":{stream.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


class Window:
    """A workbook in a window of LibreOffice."""

    def __init__(self, folder: Path, workbook: Path | str, profile: Path, display: str,
                 size: tuple[int, int] = SCREEN, **environment: str) -> None:
        self.folder, self.display = folder, display
        self._aside = (str(size[0] - 25), str(size[1] - 180))
        """Where the mouse points at nothing."""
        self.office = Office(folder, profile=profile, window=True, arguments=[str(workbook)],
                             environment={"DISPLAY": display, "HOME": str(folder), **environment})
        self.until(lambda: self.office.ask("ready"), "the workbook is shown")
        time.sleep(2)  # the window is drawn after the document is there

    def until(self, done: Any, what: str, seconds: float = 90) -> Any:
        """Wait until something is so; what it gave. Raises AssertionError, with a picture of the screen kept."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = done()
            if found:
                return found
            time.sleep(0.4)
        raise AssertionError(f"not seen in {seconds} s: {what}; see {self.picture(NOT_SEEN)}; {self.titles()}")

    def to_front(self) -> None:
        """Give the workbook's window the keyboard, as a window manager does when a box over it is closed.

        Without one LibreOffice may hold its window for inactive, and then it swallows the next click.
        """
        windows = self._do("search", "--onlyvisible", "--name", TITLE).stdout.split()
        self._do("windowfocus", "--sync", windows[-1])
        self.until(lambda: self.office.ask("in_front"), "the workbook's window in front")

    def dialog_to_front(self) -> None:
        """Give the keyboard to Arbitro's window, as a window manager does when it comes up."""
        windows = self._do("search", "--onlyvisible", "--name", "^Arbitro$").stdout.split()
        self._do("windowfocus", "--sync", windows[-1])

    def click(self, name: str) -> None:
        """Click what a screen reader calls so: a button, an entry of a menu."""
        x, y = self.until(lambda: self.office.ask("where", name), f"something called {name!r}")
        self._do("mousemove", str(x), str(y), "sleep", "0.3", "click", "1", "sleep", "0.2", "mousemove", *self._aside)

    def keys(self, *keys: str) -> None:
        """Press keys."""
        self._do("key", "--delay", "60", *keys)

    def type(self, text: str) -> None:
        """Type letters."""
        self._do("type", "--delay", "30", text)

    def titles(self) -> list[str]:
        """The titles of all windows on the screen."""
        seen = self._do("search", "--onlyvisible", "--name", ".").stdout.split()
        return [title for w in seen if (title := self._do("getwindowname", w).stdout.strip())]

    def picture(self, name: str) -> Path:
        """Keep a picture of the screen: among the pictures of the manuals if these are to be made, else in the
        test's own folder.
        """
        kept = os.environ.get(PICTURES, "")
        folder = Path(tempfile.gettempdir()) if name == NOT_SEEN else Path(kept) if kept else self.folder
        place = folder / f"{name}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-display", self.display, "-window", "root", "-strip", "-colors", "64",
                        f"PNG8:{place}"],
                       check=True)
        return place

    def film(self, name: str) -> None:
        """Keep a picture of a step, if that is wanted, once nothing on the screen moves any more."""
        if FILM in os.environ:
            place = Path(os.environ[FILM]) / f"{name}.png"
            place.parent.mkdir(parents=True, exist_ok=True)
            before = b""
            for _ in range(_MOST_LOOKS):
                subprocess.run(["import", "-display", self.display, "-window", "root", "-strip", "+set", "date:create",
                                "-define", "png:exclude-chunks=date,time", str(place)], check=True)
                if place.read_bytes() == before:
                    return
                before = place.read_bytes()
                time.sleep(0.5)

    def _do(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["xdotool", *arguments], env={**os.environ, "DISPLAY": self.display}, check=False,
                              capture_output=True, text=True)


@contextmanager
def shown(folder: Path, workbook: Path | str, lang: str, size: tuple[int, int] = SCREEN, *, arbitro: Path = ARBITRO,
          **environment: str) -> Iterator[Window]:
    """LibreOffice in a window, in a language, with the extension installed by our own setup. `workbook`: a file, or
    ``--calc`` for a blank one; `size`: of the screen; `arbitro`: the program that is set up; `environment`: variables.
    """
    profile = folder / "profile"
    new_profile(profile, lang)
    home = folder / "home"
    home.mkdir()
    done = as_user([str(arbitro), "--lang", lang, "setup", "libreoffice"], home=home, profile=profile)
    assert done.returncode == 0, done.stdout + done.stderr
    with screen(size) as display:
        window = Window(folder, workbook, profile, display, size, **environment)
        try:
            yield window
        finally:
            window.office.stop()
