"""What the program finds around it: its files, the machine's language, clock and shell; names loaded when used."""

from __future__ import annotations

import gc
import locale
import os
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

# What the program finds around it: files that travel with it, the machine's language, and what time it is.


UNDRAWN = "ARBITRO_NO_PICTURES"
CRASH_FILE = "arbitro-crash.txt"
SELDOM = (100_000, 50, 50)
"""When garbage is looked for: a workbook is a million objects that all stay, and looking through them
again and again takes a tenth of the time of a command on a huge campaign, and a fifth of that of a click in
Excel, where xlwings has loaded pandas.
"""


def folder(name: str) -> Path:
    """The folder ``reports`` or ``workbook_templates``.

    An installed wheel holds it inside the package, a checkout beside it. Raises FileNotFoundError
    when neither is there: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks the folder {name}")


def what_time() -> datetime:
    """What time it is, with the zone of this machine. Only doors ask: a phase never knows."""
    return datetime.now().astimezone()


def scenarios(ruleset_id: str, home: str = "") -> list[str]:
    """Names of the scenarios that come with a ruleset, in alphabetical order; [] for none. `home`: the folder of a
    plug-in, which keeps them in ``scenarios``; "" for a ruleset that ships with Arbitro.
    """
    place = _scenario_home(ruleset_id, home)
    return sorted(p.name for p in place.iterdir() if p.is_dir() and any(p.glob("*.csv"))) if place.is_dir() else []


def scenario(ruleset_id: str, name: str, home: str = "") -> Path:
    """The folder of a scenario's CSVs. Raises KeyError for an unknown name."""
    if name not in scenarios(ruleset_id, home):
        raise KeyError(name)
    return _scenario_home(ruleset_id, home) / name


def _scenario_home(ruleset_id: str, home: str) -> Path:
    return Path(home) / "scenarios" if home else folder("workbook_templates") / ruleset_id


def keep_details(home: Path, details: str) -> Path | None:
    """Keep the details of a fault of our own in a folder, and say where; None where nothing can be written."""
    place = home / CRASH_FILE
    try:
        place.write_text(details, encoding="utf-8")
    except OSError:
        return None
    return place


def one_errand() -> None:
    """Say that this process does one thing and ends: garbage is looked for seldom, and what is loaded by now is
    never looked through.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)


def errand_done() -> None:
    """Say that this process ends now: Python, which looks for garbage thrice while it ends, finds nothing to look
    through; that was a seventh of a short command.
    """
    gc.freeze()


def pictures_wanted() -> bool:
    """Whether commands draw where nobody says otherwise: yes, unless the environment has `UNDRAWN`; for the doors."""
    return not os.environ.get(UNDRAWN)


def machine_language() -> str:
    """The language that the machine is set to (``en`` or ``it``); English for any other.

    Windows has no such variable as a rule, and calls its languages by their names (``Italian_Italy``).
    """
    words = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next((word for word in words if word), None) or locale.getlocale()[0] or ""
    return "it" if spoken.casefold().startswith("it") else "en"


# A word of a command in; out as it is typed at the terminals of Windows, macOS and Linux.


_PLAIN_WORD = re.compile(r"[\w./:+-]+")
_EXPANDED = re.compile(r'[$`!"\\]')
_VARIABLE = re.compile(r"([$%])(?=\w)(.)")
_NOT_FOR_BOTH = re.compile(r"`|\$[^\w\s.,;)-]")


def as_typed(word: str, *, windows: bool = os.name == "nt") -> str:
    """A word of a command as it is typed: in quotation marks where a shell would take it apart or for something else.

    They are double ones, which all shells know, for blanks, apostrophes and nearly all else. Where that does not do,
    the form is that of the machine: the shells of macOS and Linux take what stands in single ones as it is.
    """
    if _PLAIN_WORD.fullmatch(word):
        return word
    if windows:
        return _on_windows(word)
    return "'" + word.replace("'", r"'\''") + "'" if _EXPANDED.search(word) else f'"{word}"'


def _on_windows(word: str) -> str:
    """As both shells of Windows take it: PowerShell puts a value for ``$name`` within quotation marks, the old command
    line for ``%NAME%`` anywhere; so they are shut behind the sign and opened again one letter on.

    PowerShell goes on with a word behind a quotation mark only if it has not begun with one. Of a backquote and of a
    dollar before a bracket or the like there is no form for both: it is PowerShell's.
    """
    if _NOT_FOR_BOTH.search(word):
        return "'" + word.replace("'", "''") + "'"
    if not _VARIABLE.search(word):
        return f'"{word}"'
    first, rest = (word[0], word[1:]) if _PLAIN_WORD.match(word) else ("./", word)
    return f'{first}"' + _VARIABLE.sub(r'\1"\2"', rest) + '"'


# Names that a package loads when they are first asked for.
#
# The doors take a command by its name, and nothing is loaded for those that are not called.


def rooms_of(rooms: Mapping[str, str]) -> dict[str, str]:
    """Name -> module, of a table that has several names, with blanks between, behind each module."""
    return {name: room for room, names in rooms.items() for name in names.split()}


def on_demand(package: str, room_of: Mapping[str, str]) -> Callable[[str], Any]:
    """What a package says of a name that is not in it: the object of that name in its module.

    `room_of`: name -> module below the package. The function raises AttributeError for what is not declared.
    """
    def found(name: str) -> Any:
        if name not in room_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{room_of[name]}"), name)

    return found
