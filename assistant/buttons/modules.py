"""The macros behind the buttons: one Sub each, and xlwings' own standalone modules from the installed package."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assistant.buttons.vba import Kind, Module, of_export
from assistant.buttons.verbs import BUTTONS

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


def source() -> str:
    """The text of our own module."""
    return _HEAD + "".join(_SUB.format(sub=one.sub, verb=one.verb) for one in BUTTONS) + _PRESS


def modules(documents: Mapping[str, Kind]) -> list[Module]:
    """All modules of a workbook. `documents`: code name -> kind, the workbook's own first.

    Raises ImportError where xlwings is not installed.
    """
    import xlwings

    package = Path(xlwings.__file__).parent
    found = [Module(name, kind=kind) for name, kind in documents.items()]
    found.append(Module(OURS, source()))
    found.append(Module(THEIRS[0], of_export((package / "xlwings.bas").read_text(encoding="utf-8"))))
    dictionary = (package / "addin" / "Dictionary.cls").read_text(encoding="utf-8")
    found.append(Module(THEIRS[1], of_export(dictionary), "class"))
    return found
