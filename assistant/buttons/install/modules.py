"""The macros behind the buttons: one Sub each, and xlwings' own standalone modules from the installed package."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from assistant.buttons.button_list import BUTTONS
from assistant.buttons.install.vba import Kind, Module, of_export
from assistant.buttons.install.vba_reading import plain, procedures

OURS = "Arbitro"
"""The module that holds the Subs."""
THEIRS = ("xlwings", "Dictionary")
_HEAD = """Option Explicit

' Made by Arbitro. One Sub a button; all that is done is done in Python.
"""
_SUB = """Public Sub {sub}()
    PressButton "{verb}"
End Sub

"""
_PRESS = """Private Sub PressButton(ByVal verb As String)
    RunPython "from assistant.buttons import excel; excel.run('" & verb & "')"
End Sub
"""


_ANY_SUB = re.compile(r"publicsubarbitro_[a-z]+\(\)pressbutton\"[a-z]+\"endsub")


def source() -> str:
    """The text of our own module."""
    return _HEAD + "".join(_SUB.format(sub=one.sub, verb=one.verb) for one in BUTTONS) + _PRESS


def modules(documents: Mapping[str, Kind]) -> list[Module]:
    """All modules of a workbook. `documents`: code name -> kind, the workbook's own first.

    Raises ImportError where xlwings is not installed.
    """
    found = [Module(name, kind=kind) for name, kind in documents.items()]
    return [*found, Module(OURS, source()), *_of_xlwings()]


def _of_xlwings() -> list[Module]:
    """The modules of the xlwings that is installed. Raises ImportError where it is not."""
    import xlwings

    package = Path(xlwings.__file__).parent
    main = (package / "xlwings.bas").read_text(encoding="utf-8")
    dictionary = (package / "addin" / "Dictionary.cls").read_text(encoding="utf-8")
    return [Module(THEIRS[0], of_export(main)), Module(THEIRS[1], of_export(dictionary), "class")]


def fingerprint(text: str) -> str:
    """By what a module's text is known again, also after Excel has saved it."""
    return hashlib.sha256(plain(text).encode()).hexdigest()[:16]


def fingerprints() -> str:
    """Those of the modules that are written now, for the workbook's hidden sheet. Raises ImportError as `modules`."""
    return " ".join(fingerprint(one.code) for one in (Module(OURS, source()), *_of_xlwings()))


def added_to(found: Mapping[str, str], known: str = "") -> tuple[str, list[str]] | None:
    """A module of our names in which somebody else's macros stand, too, or instead; None for none.

    With it the procedures that were added, where they can be told. Our own module must be what some Arbitro writes,
    line by line; in those of xlwings there must be no more procedures than its own. `found`: the project's modules;
    `known`: the `fingerprints` of whoever wrote them. Raises ImportError where xlwings is not installed.
    """
    written = {one.name: one.code for one in _of_xlwings()} | {OURS: source()}
    for name, text in found.items():
        if name not in written or fingerprint(text) in {fingerprint(written[name]), *known.split()}:
            continue
        if name == OURS and _of_any_age(text):
            continue
        more = [one for one in procedures(text) if one.casefold() not in {
            here.casefold() for here in procedures(written[name])}]
        if name == OURS or more:  # a line of xlwings' own that Excel writes in another way is nobody's macro
            return name, more
    return None


def _of_any_age(text: str) -> bool:
    """Whether our module holds nothing but what every Arbitro writes: a Sub a button, and the one that they call."""
    rest = _ANY_SUB.sub("", plain(text))
    return rest == plain(_HEAD + _PRESS)
