"""A child process that reads workbooks with another library: ``python -m tests.books.readers ENGINE FILE...``.

For each file it prints one line of JSON, ``[name, {title: {address: value}}]`` or ``[name, "what went wrong"]``.
calamine can abort its whole process, so nothing else must live in it.
"""

from __future__ import annotations

import datetime as dt
import json
import resource
import sys
import warnings
from pathlib import Path
from typing import Any

MEMORY = 4 << 30


def letters(index: int) -> str:
    """The letters of a column that counts from 1."""
    shown = ""
    while index:
        index, rest = divmod(index - 1, 26)
        shown = chr(65 + rest) + shown
    return shown


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, (dt.datetime, dt.date, dt.time, dt.timedelta)):
        return str(value)
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def by_openpyxl(path: Path) -> dict[str, dict[str, Any]]:
    """All values, formulas as their results; Excel's spelling of signs (``_x0041_``) as those signs."""
    from openpyxl.utils.escape import unescape  # what openpyxl itself leaves to others

    return {title: {ref: unescape(value) if isinstance(value, str) else value for ref, value in cells.items()}
            for title, cells in as_spelled(path).items()}


def as_spelled(path: Path) -> dict[str, dict[str, Any]]:
    """All values as openpyxl leaves them: LibreOffice writes a text like ``_x0041_`` as it stands."""
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    found: dict[str, dict[str, Any]] = {}
    for ws in book.worksheets:
        cells = found[ws.title] = {}
        for (row, column), cell in ws._cells.items():
            if cell.value is not None:
                cells[f"{letters(column)}{row}"] = plain(cell.value)
    return found


def by_calamine(path: Path) -> dict[str, dict[str, Any]]:
    """All values."""
    import python_calamine as calamine

    book = calamine.CalamineWorkbook.from_path(str(path))
    found = {}
    for meta in book.sheets_metadata:
        if meta.typ == calamine.SheetTypeEnum.WorkSheet:
            lines = book.get_sheet_by_name(meta.name).to_python(skip_empty_area=False)
            found[meta.name] = {f"{letters(c)}{r}": plain(value) for r, line in enumerate(lines, 1)
                                for c, value in enumerate(line, 1) if value != ""}
    return found


ENGINES = {"openpyxl": by_openpyxl, "as_spelled": as_spelled, "calamine": by_calamine}


def main(engine: str, names: list[str]) -> None:
    """Read all and print."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    for name in names:
        try:
            found: Any = ENGINES[engine](Path(name))
        except Exception as no:
            found = f"{type(no).__name__}: {no}"[:300]
        print(json.dumps([Path(name).name, found]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
