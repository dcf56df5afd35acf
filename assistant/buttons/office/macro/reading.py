"""The open workbook as plain values: sheets, cells, formulas, notes, tables, names, as they are on the screen."""

from __future__ import annotations

import datetime
import os
import re
from typing import Any

import uno

DATES = 2 | 4  # com.sun.star.util.NumberFormat: DATE, TIME; DATETIME is both
LOGICAL = 1024
FORMULAS = 16  # com.sun.star.sheet.CellFlags
_PLACE = re.compile(r"\$?(?:'((?:[^']|'')+)'|([^.'$()\[\];]+))\.(\$[A-Z]{1,3}\$\d+)(:\$[A-Z]{1,3}\$\d+)?")
_PIXEL = 26.4583  # hundredths of a millimetre
_LETTER, _MARGIN = 7, 5  # pixels of Calibri 11, as Excel counts the widths of columns


def letters(column: int) -> str:
    """The letters of a column, counted from 1."""
    shown = ""
    while column:
        column, rest = divmod(column - 1, 26)
        shown = chr(65 + rest) + shown
    return shown


def address(row: int, column: int) -> str:
    """``D7``; row and column counted from 0, as UNO counts."""
    return letters(column + 1) + str(row + 1)


def area(place: Any) -> str:
    """``A3:K40`` of a CellRangeAddress."""
    return address(place.StartRow, place.StartColumn) + ":" + address(place.EndRow, place.EndColumn)


def place_of(cell: str) -> tuple[str, str]:
    """Sheet and address of ``Armies!D7`` or ``'My sheet'!D7``."""
    title, _, place = cell.rpartition("!")
    return (title[1:-1].replace("''", "'") if title.startswith("'") else title), place


def product(ctx: Any) -> str:
    """``LibreOffice 7.4``."""
    provider = ctx.ServiceManager.createInstanceWithContext("com.sun.star.configuration.ConfigurationProvider", ctx)
    node = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    node.Name, node.Value = "nodepath", "/org.openoffice.Setup/Product"
    found = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (node,))
    return f"{found.getByName('ooName')} {found.getByName('ooSetupVersion')}"


def snapshot(doc: Any, app: str, mark: dict[str, str]) -> dict[str, Any]:
    """All of a document that Arbitro looks at, ready for JSON. `mark`: ``fill`` of a finding's cell, and how its
    note is ``signed``, with what the cell's fill was in unseen ``bits`` up to their ``end``.
    """
    path = uno.fileUrlToSystemPath(doc.URL) if doc.URL.startswith("file:") else ""
    sheets = [doc.Sheets.getByIndex(i) for i in range(doc.Sheets.Count)]
    return {"name": os.path.basename(path) or doc.Title, "path": path, "app": app, "names": _names(doc),
            "tables": _tables(doc, sheets), "sheets": [_sheet(doc, sheet, mark) for sheet in sheets]}


def _names(doc: Any) -> dict[str, str]:
    found = {}
    for name in doc.NamedRanges.ElementNames:
        content = doc.NamedRanges.getByName(name).Content
        place = _PLACE.fullmatch(content)
        if place:
            title = place.group(1) or place.group(2).replace("'", "''")
            content = "'" + title + "'!" + place.group(3) + (place.group(4) or "")
        found[name] = content
    return found


def _tables(doc: Any, sheets: list[Any]) -> list[dict[str, Any]]:
    found = []
    for name in doc.DatabaseRanges.ElementNames:
        one = doc.DatabaseRanges.getByName(name)
        place = one.DataArea
        found.append({"name": name, "sheet": sheets[place.Sheet].Name, "area": area(place),
                      "totals": int(bool(one.TotalsRow)), "heads": int(bool(one.ContainsHeader))})
    return found


def _sheet(doc: Any, sheet: Any, mark: dict[str, str]) -> dict[str, Any]:
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    used = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    values = [[None if value == "" else _whole(value) for value in line] for line in used.getDataArray()]
    _errors(sheet, used.getDataArray(), values)
    looks = used.getUniqueCellFormatRanges()
    groups = [looks.getByIndex(i) for i in range(looks.Count)]
    _formatted(doc, groups, values)
    notes = _notes(sheet)
    while values and all(value is None for value in values[-1]):
        values.pop()
    bare = _bare_marks(sheet, groups, {note["cell"] for note in notes}, mark)
    return {"title": sheet.Name, "hidden": not sheet.IsVisible, "top": 1, "left": 1, "values": values,
            "formulas": _formulas(used, sheet), "widths": _widths(sheet, end.EndColumn), "notes": notes + bare,
            "merged": _merged(sheet, groups)}


def _merged(sheet: Any, groups: list[Any]) -> list[str]:
    """The merged areas; cells that look the same are all merged or none of them is."""
    found = []
    for group in groups:
        places = group.RangeAddresses
        if not sheet.getCellByPosition(places[0].StartColumn, places[0].StartRow).IsMerged:
            continue
        for place in places:
            for row in range(place.StartRow, place.EndRow + 1):
                for column in range(place.StartColumn, place.EndColumn + 1):
                    cursor = sheet.createCursorByRange(sheet.getCellByPosition(column, row))
                    cursor.collapseToMergedArea()
                    found.append(area(cursor.RangeAddress))
    return found


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _errors(sheet: Any, given: Any, values: list[list[Any]]) -> None:
    """An error is nothing in a data array; its text is what the cell shows."""
    for row, line in enumerate(given):
        for column, value in enumerate(line):
            if value is None:
                shown = sheet.getCellByPosition(column, row).String
                values[row][column] = {"e": shown if shown.startswith("#") else "#VALUE!"}


def _formatted(doc: Any, groups: list[Any], values: list[list[Any]]) -> None:
    """Numbers that are shown as dates or as true and false."""
    null, formats, kinds = doc.NullDate, doc.NumberFormats, {}
    start = datetime.datetime(null.Year, null.Month, null.Day)
    for group in groups:
        key = group.NumberFormat
        if key not in kinds:
            kinds[key] = formats.getByKey(key).Type
        if not kinds[key] & (DATES | LOGICAL):
            continue
        for place in group.RangeAddresses:
            for row in range(place.StartRow, place.EndRow + 1):
                for column in range(place.StartColumn, place.EndColumn + 1):
                    value = values[row][column]
                    if isinstance(value, (int, float)):
                        values[row][column] = _shown(value, kinds[key], start)


def _shown(value: float, kind: int, start: datetime.datetime) -> Any:
    if kind & LOGICAL:
        return bool(value)
    try:
        return {"d": (start + datetime.timedelta(days=value)).isoformat(timespec="seconds")}
    except OverflowError:  # no date that anybody could have typed
        return value


def _formulas(used: Any, sheet: Any) -> dict[str, str]:
    found = {}
    for place in used.queryContentCells(FORMULAS).RangeAddresses:
        cells = sheet.getCellRangeByPosition(place.StartColumn, place.StartRow, place.EndColumn, place.EndRow)
        for row, line in enumerate(cells.getFormulaArray(), place.StartRow):
            for column, text in enumerate(line, place.StartColumn):
                found[address(row, column)] = text
    return found


def _widths(sheet: Any, last: int) -> dict[str, float]:
    columns = sheet.Columns
    return {str(i + 1): round((columns.getByIndex(i).Width / _PIXEL - _MARGIN) / _LETTER, 2) for i in range(last + 1)}


def _notes(sheet: Any) -> list[dict[str, str]]:
    found = []
    notes = sheet.Annotations
    for i in range(notes.Count):
        note = notes.getByIndex(i)
        found.append({"cell": address(note.Position.Row, note.Position.Column), "author": note.Author,
                      "text": note.String})
    return found


def _bare_marks(sheet: Any, groups: list[Any], noted: set[str], mark: dict[str, str]) -> list[dict[str, str]]:
    """Cells that still have the colour of a finding, though their note is gone: the key Delete takes notes away.

    They are given a note as if it stood there still, with the fill of the next cell of their column.
    """
    found = []
    colour = int(mark["fill"], 16)
    for group in groups:
        if group.CellBackColor != colour:
            continue
        for place in group.RangeAddresses:
            for row in range(place.StartRow, place.EndRow + 1):
                for column in range(place.StartColumn, place.EndColumn + 1):
                    cell = address(row, column)
                    if cell not in noted:
                        text = _signed(mark, _next_fill(sheet, row, column, colour))
                        found.append({"cell": cell, "author": "", "text": text})
    return found


def _signed(mark: dict[str, str], fill: str) -> str:
    hidden = "".join(mark["bits"][int(bit)] for digit in fill for bit in f"{int(digit, 16):04b}")
    return mark["signed"] + hidden + mark["end"]


def _next_fill(sheet: Any, row: int, column: int, colour: int) -> str:
    """The fill of the nearest cell below that has not this colour; "" for none."""
    for below in range(row + 1, row + 50):
        fill = sheet.getCellByPosition(column, below).CellBackColor
        if fill != colour:
            return "" if fill < 0 else f"{fill:06X}"
    return ""


def fills(doc: Any, wanted: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """The fills of some cells (``RRGGBB``, "" for none): sheet -> address -> fill."""
    found: dict[str, dict[str, str]] = {}
    for one in wanted:
        sheet = doc.Sheets.getByName(one["sheet"])
        for cell in one["cells"]:
            colour = sheet.getCellRangeByName(cell).CellBackColor
            found.setdefault(one["sheet"], {})[cell] = "" if colour < 0 else f"{colour:06X}"
    return found
