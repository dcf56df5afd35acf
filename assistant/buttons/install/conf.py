"""The sheet ``xlwings.conf`` of a workbook with buttons: which Python its macros call, and nothing left open.

xlwings looks for a setting on this sheet, then in a file beside the workbook, then in the user's own folder. Each
setting that decides what is run stands here, also the blank ones, so that no file beside the workbook can say it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from assistant import __version__
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.editing import Editing
from assistant.workbook.ooxml.whole_sheets.transplant import add_sheets
from assistant.workbook.write.settings_sheet import settings_workbook

SHEET = "xlwings.conf"
MADE_BY, WITH, MODULES = "ARBITRO", "XLWINGS", "MODULES"


def interpreter() -> str:
    """The Python that runs now, in full; on Windows the one that can be waited for and says what went wrong."""
    here = Path(sys.executable)
    plain = here.with_name("python.exe")
    return str(plain if here.name.casefold() == "pythonw.exe" and plain.is_file() else here)


def settings(python: str, xlwings: str, modules: str = "") -> dict[str, str | bool]:
    """What stands on the sheet. `python`: the interpreter in full; `xlwings`: the version of its modules; `modules`:
    by what the macros that were written are known again.
    """
    return {
        "INTERPRETER_WIN": python, "INTERPRETER_MAC": python, "INTERPRETER": python, "PYTHONPATH": "",
        "ADD_WORKBOOK_TO_PYTHONPATH": False, "CONDA PATH": "", "CONDA ENV": "", "UDF MODULES": "", "DEBUG UDFS": False,
        "USE UDF SERVER": False, "SHOW CONSOLE": False, "SHOW_ERROR_POPUPS": True, "TEMP DIR": "%TEMP%",
        "LICENSE_KEY": "", MADE_BY: __version__, WITH: xlwings, MODULES: modules,
    }


def read(book: OoxmlBook) -> dict[str, str]:
    """What stands on a workbook's sheet; {} without one."""
    if SHEET not in book.sheets:
        return {}
    found = {}
    for cells in book.rows(SHEET).values():
        if 1 in cells:
            found[str(cells[1].value)] = str(cells[2].value) if 2 in cells else ""
    return found


def write(book: OoxmlBook, wanted: Mapping[str, str | bool]) -> None:
    """Put the sheet into a workbook, hidden from all menus, or renew it. Raises `Unsafe`, `Damaged`, `Hostile`."""
    if SHEET not in book.sheets:
        add_sheets(book, OoxmlBook(settings_workbook(SHEET, wanted)), [SHEET])
        return
    editing = Editing(book)
    rows = {str(cells[1].value): row for row, cells in book.rows(SHEET).items() if 1 in cells}
    free = max([0, *rows.values()]) + 1
    for key, value in wanted.items():
        if key not in rows:
            rows[key], free = free, free + 1
            editing.sheet(SHEET).put(rows[key], 1, key)
        editing.sheet(SHEET).put(rows[key], 2, value)
    editing.save()
    book.forget(SHEET)
