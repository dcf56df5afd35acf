"""What the program finds around it: its files, the machine's language, clock and shell; names loaded when used."""

from __future__ import annotations

import ast
import gc
import locale
import os
import re
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

NO_PICTURES_VARIABLE = "ARBITRO_NO_PICTURES"
GC_THRESHOLDS = (100_000, 50, 50)
"""Thresholds of the garbage collector. A workbook is a million objects, all of which stay alive: scanning them over and
over takes a tenth of the time of a command on a huge campaign, and a fifth of a click in Excel, where xlwings has
loaded pandas.
"""


def shipped_folder(name: str) -> Path:
    """The folder ``reports`` or ``workbook_templates``.

    An installed wheel holds it inside the package, a checkout beside it. Raises FileNotFoundError
    when neither is there: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks the folder {name}")


def current_time() -> datetime:
    """The current time in the time zone of this machine. Only the front ends ask for it; a phase never sees a clock."""
    return datetime.now().astimezone()


def scenario_names(ruleset_id: str, home: str = "") -> list[str]:
    """The names of the scenarios that come with a ruleset, in alphabetical order.

    `home`: the folder of a plug-in, which keeps them in ``scenario_names``; "" for a ruleset that ships with Arbitro.
    """
    place = _scenario_home(ruleset_id, home)
    return sorted(p.name for p in place.iterdir() if p.is_dir() and any(p.glob("*.csv"))) if place.is_dir() else []


def shipped_scenario(ruleset_id: str, name: str, home: str = "") -> Path:
    """The folder of a scenario's CSVs. Raises KeyError for an unknown name."""
    if name not in scenario_names(ruleset_id, home):
        raise KeyError(name)
    return _scenario_home(ruleset_id, home) / name


def _scenario_home(ruleset_id: str, home: str) -> Path:
    return Path(home) / "scenarios" if home else shipped_folder("workbook_templates") / ruleset_id


def collect_garbage_seldom() -> None:
    """Collect garbage seldom, because this process runs one command and ends; never scan what is loaded by now."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def skip_final_garbage_collection() -> None:
    """Leave nothing to scan for the three collections that Python makes while it exits.

    They took a seventh of the time of a short command.
    """
    gc.freeze()


def pictures_wanted() -> bool:
    """Whether commands draw pictures by default: yes, unless the environment variable `NO_PICTURES_VARIABLE` is set."""
    return not os.environ.get(NO_PICTURES_VARIABLE)


def machine_language() -> str:
    """The language that the machine is set to (``en`` or ``it``); English for any other.

    Windows usually sets none of these variables, and names its languages in full (``Italian_Italy``).
    """
    words = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next((word for word in words if word), None) or locale.getlocale()[0] or ""
    return "it" if spoken.casefold().startswith("it") else "en"


# Quoting for the shells of Windows, macOS and Linux.


_PLAIN_WORD = re.compile(r"[\w./:+-]+")
_EXPANDED = re.compile(r'[$`!"\\]')
_VARIABLE = re.compile(r"([$%])(?=\w)(.)")
_NOT_FOR_BOTH = r"`|\$[^\w\s.,;)-]"


def quote_for_shell(word: str, *, windows: bool = os.name == "nt") -> str:
    """A word of a command, quoted where a shell would split or expand it.

    Double quotes, which all shells know, serve for blanks, apostrophes and nearly everything else. Where they do not,
    the form depends on the machine: the shells of macOS and Linux leave text in single quotes alone.
    """
    if _PLAIN_WORD.fullmatch(word):
        return word
    if windows:
        return _quote_for_windows(word)
    return "'" + word.replace("'", r"'\''") + "'" if _EXPANDED.search(word) else f'"{word}"'


def _quote_for_windows(word: str) -> str:
    """A form that works in both shells of Windows.

    PowerShell expands ``$name`` within double quotes, the old command line ``%NAME%`` anywhere; so the quotes are
    closed after the sign and opened again one letter later. PowerShell only continues a word after a closing quote if
    the word did not begin with one. For a backquote, or a dollar before a bracket, no form works in both: this is
    PowerShell's.
    """
    if re.search(_NOT_FOR_BOTH, word):
        return "'" + word.replace("'", "''") + "'"
    if not _VARIABLE.search(word):
        return f'"{word}"'
    first, rest = (word[0], word[1:]) if _PLAIN_WORD.match(word) else ("./", word)
    return f'{first}"' + _VARIABLE.sub(r'\1"\2"', rest) + '"'


# Names that a package imports on first use.
#
# The front ends look a command up by its name, and nothing is loaded for the commands that are not called.


def lazy_attributes(package: str, source: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package that imports its public names on first use.

    `source`: the package's own file, which imports each of them for the type checker (``from … import name as name``).
    The returned function raises AttributeError for any other name.
    """
    module_of = {name.asname: node.module for node in ast.walk(ast.parse(Path(source).read_bytes()))
                 if isinstance(node, ast.ImportFrom) and node.module for name in node.names}

    def attribute(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_of[name]), name)

    return attribute


class Clock(NamedTuple):
    """`now`: the current time with its zone; `sleep`: waits for some seconds."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]
