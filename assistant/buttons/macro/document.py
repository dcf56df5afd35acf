"""The open workbook as plain values, and changes to it as one step that can be undone."""

from __future__ import annotations

import datetime
import itertools
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import uno

# The snapshot: sheets, cells, formulas, notes, tables and names, as on the screen.


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
    access = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (node,))
    return f"{access.getByName('ooName')} {access.getByName('ooSetupVersion')}"


def snapshot(doc: Any, app: str, mark: dict[str, str]) -> dict[str, Any]:
    """All that Arbitro reads of a document, ready for JSON. `mark`: ``fill`` of a finding's cell, and how its note is
    ``signed``, with the cell's former fill in invisible ``bits`` up to their ``end``.
    """
    path = uno.fileUrlToSystemPath(doc.URL) if doc.URL.startswith("file:") else ""
    sheets = [doc.Sheets.getByIndex(i) for i in range(doc.Sheets.Count)]
    return {"name": os.path.basename(path) or doc.Title, "path": path, "app": app, "names": _names(doc),
            "tables": _tables(doc, sheets), "sheets": [_sheet(doc, sheet, mark) for sheet in sheets]}


def _names(doc: Any) -> dict[str, str]:
    names = {}
    for name in doc.NamedRanges.ElementNames:
        content = doc.NamedRanges.getByName(name).Content
        place = _PLACE.fullmatch(content)
        if place:
            title = place.group(1) or place.group(2).replace("'", "''")
            content = "'" + title + "'!" + place.group(3) + (place.group(4) or "")
        names[name] = content
    return names


def _tables(doc: Any, sheets: list[Any]) -> list[dict[str, Any]]:
    tables = []
    for name in doc.DatabaseRanges.ElementNames:
        database_range = doc.DatabaseRanges.getByName(name)
        place = database_range.DataArea
        tables.append({"name": name, "sheet": sheets[place.Sheet].Name, "area": area(place),
                       "totals": int(bool(database_range.TotalsRow)),
                       "heads": int(bool(database_range.ContainsHeader))})
    return tables


def _sheet(doc: Any, sheet: Any, mark: dict[str, str]) -> dict[str, Any]:
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    end = cursor.RangeAddress
    used = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
    # one call for all values: each call into LibreOffice takes long, one for each cell would take minutes
    values = [[None if value == "" else _whole(value) for value in line] for line in used.getDataArray()]
    _errors(sheet, used.getDataArray(), values)
    # cells that look alike in one go, for the same reason
    looks = used.getUniqueCellFormatRanges()
    groups = [looks.getByIndex(i) for i in range(looks.Count)]
    _format_numbers(doc, groups, values)
    notes = _notes(sheet)
    # to LibreOffice a row that only has a colour or a border is used as well
    while values and all(value is None for value in values[-1]):
        values.pop()
    bare = _bare_marks(sheet, groups, {note["cell"] for note in notes}, mark)
    return {"title": sheet.Name, "hidden": not sheet.IsVisible, "top": 1, "left": 1, "values": values,
            "formulas": _formulas(used, sheet), "widths": _widths(sheet, end.EndColumn), "notes": notes + bare,
            "merged": _merged_areas(sheet, groups) if used.IsMerged else []}  # whether any cell in it is merged


def _merged_areas(sheet: Any, groups: list[Any]) -> list[str]:
    """The merged areas; cells that look the same are all merged or none of them is."""
    areas = []
    for group in groups:
        for row, column in _cells_of(group):
            cell = sheet.getCellByPosition(column, row)
            if not cell.IsMerged:
                break
            cursor = sheet.createCursorByRange(cell)
            cursor.collapseToMergedArea()
            areas.append(area(cursor.RangeAddress))
    return areas


def _cells_of(group: Any) -> Iterator[tuple[int, int]]:
    """Row and column of each cell of a group."""
    for place in group.RangeAddresses:
        yield from itertools.product(range(place.StartRow, place.EndRow + 1),
                                     range(place.StartColumn, place.EndColumn + 1))


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _errors(sheet: Any, given: Any, values: list[list[Any]]) -> None:
    """Put in the errors: a data array leaves them out; their text is what the cell shows."""
    for row, line in enumerate(given):
        for column, value in enumerate(line):
            if value is None:
                shown = sheet.getCellByPosition(column, row).String
                values[row][column] = {"e": shown if shown.startswith("#") else "#VALUE!"}


def _format_numbers(doc: Any, groups: list[Any], values: list[list[Any]]) -> None:
    """Numbers that are shown as dates or as true and false."""
    null, formats, kinds = doc.NullDate, doc.NumberFormats, {}
    start = datetime.datetime(null.Year, null.Month, null.Day)
    for group in groups:
        key = group.NumberFormat
        if key not in kinds:
            kinds[key] = formats.getByKey(key).Type
        if not kinds[key] & (DATES | LOGICAL):
            continue
        for row, column in _cells_of(group):
            value = values[row][column]
            if isinstance(value, (int, float)):
                values[row][column] = _display_value(value, kinds[key], start)


def _display_value(value: float, kind: int, start: datetime.datetime) -> Any:
    if kind & LOGICAL:
        return bool(value)
    try:
        return {"d": (start + datetime.timedelta(days=value)).isoformat(timespec="seconds")}
    except OverflowError:  # no date that anybody could have typed
        return value


def _formulas(used: Any, sheet: Any) -> dict[str, str]:
    formulas = {}
    for place in used.queryContentCells(FORMULAS).RangeAddresses:
        cells = sheet.getCellRangeByPosition(place.StartColumn, place.StartRow, place.EndColumn, place.EndRow)
        for row, line in enumerate(cells.getFormulaArray(), place.StartRow):
            for column, text in enumerate(line, place.StartColumn):
                formulas[address(row, column)] = text
    return formulas


def _widths(sheet: Any, last: int) -> dict[str, float]:
    columns = sheet.Columns
    return {str(i + 1): round((columns.getByIndex(i).Width / _PIXEL - _MARGIN) / _LETTER, 2) for i in range(last + 1)}


def _notes(sheet: Any) -> list[dict[str, str]]:
    cell_notes = []
    notes = sheet.Annotations
    for i in range(notes.Count):
        note = notes.getByIndex(i)
        cell_notes.append({"cell": address(note.Position.Row, note.Position.Column), "author": note.Author,
                           "text": note.String})
    return cell_notes


def _bare_marks(sheet: Any, groups: list[Any], noted: set[str], mark: dict[str, str]) -> list[dict[str, str]]:
    """Cells that still have the colour of a finding without its note, which the Delete key removes.

    They are reported with a note as if it were still there, with the fill of the next cell in their column.
    """
    marks = []
    colour = int(mark["fill"], 16)
    for group in groups:
        if group.CellBackColor != colour:
            continue
        for row, column in _cells_of(group):
            cell = address(row, column)
            if cell not in noted:
                text = _sign(mark, _next_fill(sheet, row, column, colour))
                marks.append({"cell": cell, "author": "", "text": text})
    return marks


def _sign(mark: dict[str, str], fill: str) -> str:
    hidden = "".join(mark["bits"][int(bit)] for digit in fill for bit in f"{int(digit, 16):04b}")
    return mark["signed"] + hidden + mark["end"]


def _next_fill(sheet: Any, row: int, column: int, colour: int) -> str:
    """The fill of the nearest cell below without this colour; "" for none."""
    for below in range(row + 1, row + 50):
        fill = sheet.getCellByPosition(column, below).CellBackColor
        if fill != colour:
            return "" if fill < 0 else f"{fill:06X}"
    return ""


def fills(doc: Any, wanted: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """The fills of some cells (``RRGGBB``, "" for none): sheet -> address -> fill."""
    colours: dict[str, dict[str, str]] = {}
    for part in wanted:
        sheet = doc.Sheets.getByName(part["sheet"])
        for cell in part["cells"]:
            colour = sheet.getCellRangeByName(cell).CellBackColor
            colours.setdefault(part["sheet"], {})[cell] = "" if colour < 0 else f"{colour:06X}"
    return colours


# Changes: checked first, then made as a whole, as one step that can be undone.


CONTENTS = 1 | 2 | 4 | FORMULAS  # values, dates, text, formulas; not the notes
NOTES = 8
NOTE_WIDTH, NOTE_LETTERS = 8000, 36
OUTCOME = "desk_outcome"
BOLD, PLAIN = 150.0, 100.0
TOP = 1  # com.sun.star.table.CellVertJustify2
_HUNDREDTHS = 35.2778  # of a millimetre, in a point
_WIDE_LETTER = 300  # hundredths of a millimetre, more than a letter of 11 points takes on average


class Refused(Exception):
    """A cell that cannot safely be written. `reason`: merged, array or protected; `cell`: ``Armies!D7``."""

    def __init__(self, reason: str, cell: str) -> None:
        super().__init__(reason)
        self.reason, self.cell = reason, cell


class Writer:
    """The changes of one press, all of them one step for undo."""

    def __init__(self, doc: Any, title: str) -> None:
        self._doc, self._title = doc, title
        self._done: list[dict[str, Any]] = []
        self._open = False
        self._wrapped: dict[str, set[int]] = {}
        self._before = self._said = ""

    def apply(self, changes: dict[str, Any]) -> None:
        """Make a set of changes. Raises `Refused` before the first of them; if anything fails later, the workbook is as
        it was before this call.
        """
        self._look(changes)
        self._begin()
        try:
            self._make(changes)
        except Exception:
            self._again()
            raise
        self._done.append(changes)

    def say(self, line: str) -> None:
        """Show the progress on the Desk, in the cell of the outcome."""
        cell = self._outcome()
        if cell is None:
            return
        self._begin()
        if not self._said:
            self._before = cell.String
        cell.setString(line)
        self._said = line

    def point_out(self, title: str, place: str) -> None:
        """Show the note that this press has put on a cell permanently."""
        noted = [note for changes in self._done for note in changes.get("notes", ()) if note["text"]]
        text = next((note["text"] for note in noted if (note["sheet"], note["cell"]) == (title, place)), "")
        if not text:
            return
        cell = self._doc.Sheets.getByName(title).getCellRangeByName(place)
        cell.Annotation.setIsVisible(True)
        lines = sum(1 + len(line) // NOTE_LETTERS for line in text.splitlines())
        size = uno.createUnoStruct("com.sun.star.awt.Size", NOTE_WIDTH, 300 + 480 * lines)
        shape = cell.Annotation.AnnotationShape
        shape.setSize(size)
        # above the cell, so that the hint of a drop-down, which comes up below, hides nothing
        shape.setPosition(uno.createUnoStruct("com.sun.star.awt.Point", cell.Position.X + cell.Size.Width + 400,
                                              max(0, cell.Position.Y - size.Height - 300)))

    def close(self) -> None:
        """The press is over: its changes become one step."""
        cell = self._outcome() if self._said else None
        if cell is not None and cell.String == self._said:  # nobody has said anything since
            cell.setString(self._before)
        self._end()

    def take_back(self) -> None:
        """The press failed: undo all its changes."""
        if self._open:
            self._end()
            undoing = self._doc.UndoManager
            if undoing.isUndoPossible() and undoing.getCurrentUndoActionTitle() == self._title:
                undoing.undo()

    def _begin(self) -> None:
        if not self._open:
            self._doc.UndoManager.enterUndoContext(self._title)
            self._open = True

    def _end(self) -> None:
        if self._open:
            self._doc.UndoManager.leaveUndoContext()
        self._open, self._done, self._said = False, [], ""

    def _again(self) -> None:
        """Undo everything, then redo what had succeeded before."""
        done = self._done
        self.take_back()
        self._begin()
        self._done = done
        for change in done:
            self._make(change)

    def _outcome(self) -> Any:
        """The first cell of the Desk's outcome; None if there is none, or it may not be written."""
        names = self._doc.NamedRanges
        cells = names.getByName(OUTCOME).ReferredCells if names.hasByName(OUTCOME) else None
        if cells is None or (cells.Spreadsheet.isProtected() and cells.getCellByPosition(0, 0).CellProtection.IsLocked):
            return None
        return cells.getCellByPosition(0, 0)

    # --- looking ----------------------------------------------------------------------------
    def _look(self, changes: dict[str, Any]) -> None:
        new = {part["sheet"] for part in changes.get("sheets", ())}
        changes = {kind: [part for part in parts if part["sheet"] not in new] for kind, parts in changes.items()
                   if kind in ("copies", "blocks", "formulas", "looks")}
        for part in changes.get("copies", ()):
            first, last = part["to"]
            self._may(part["sheet"], first, part["columns"][0], last, part["columns"][1])
        for part in changes.get("blocks", ()):
            rows, columns = len(part["values"]), len(part["values"][0])
            self._may(part["sheet"], part["row"], part["column"], part["row"] + rows - 1, part["column"] + columns - 1)
        for kind in ("formulas", "looks"):
            for part in changes.get(kind, ()):
                self._may(part["sheet"], part["row"], part["column"], part["row"], part["column"], kind == "looks")

    def _may(self, title: str, top: int, left: int, bottom: int, right: int, only_look: bool = False) -> None:
        """Raise `Refused` unless the cells may be written; rows and columns count from 1."""
        sheet = self._doc.Sheets.getByName(title)
        if sheet.isProtected():
            self._each(sheet, (top, left, bottom, right), _is_locked, "protected")
        if only_look:
            return
        cells = sheet.getCellRangeByPosition(left - 1, top - 1, right - 1, bottom - 1)
        cursor = sheet.createCursorByRange(cells)
        cursor.collapseToMergedArea()
        place = cursor.RangeAddress
        wider = (place.StartRow, place.StartColumn, place.EndRow, place.EndColumn) != (
            top - 1, left - 1, bottom - 1, right - 1)
        # cell by cell only where the area as a whole says that there may be one
        if wider or cells.IsMerged:
            self._each(sheet, (top, left, bottom, right), _is_covered, "merged")
        if cells.queryContentCells(FORMULAS).Count:
            self._each(sheet, (top, left, bottom, right), _in_array, "array")

    def _each(self, sheet: Any, corners: tuple[int, int, int, int], bad: Callable[[Any, Any], bool],
              reason: str) -> None:
        top, left, bottom, right = corners
        for row in range(top - 1, bottom):
            for column in range(left - 1, right):
                if bad(sheet, sheet.getCellByPosition(column, row)):
                    name = sheet.Name if sheet.Name.isidentifier() else "'" + sheet.Name.replace("'", "''") + "'"
                    raise Refused(reason, name + "!" + address(row, column))

    # --- making -----------------------------------------------------------------------------
    def _make(self, changes: dict[str, Any]) -> None:
        self._wrapped = {}
        self._doc.lockControllers()
        # nothing is drawn and no row gets another height before all is written
        self._doc.addActionLock()
        try:
            for kind, make in (("sheets", self._add_sheet), ("names", self._name), ("copies", self._copy),
                               ("blocks", self._block),
                               ("formulas", self._formula), ("tables", self._table), ("looks", self._look_of),
                               ("heights", self._height), ("notes", self._note)):
                for part in changes.get(kind, ()):
                    if kind == "sheets":
                        self._doc.Sheets.insertNewByName(part["sheet"], self._doc.Sheets.Count)
                    make(self._doc.Sheets.getByName(part["sheet"]), part)
            # heights last and once for each row: several of its cells may have been written
            for name, rows in self._wrapped.items():
                for row in sorted(rows):
                    _grow(self._doc.Sheets.getByName(name).Rows.getByIndex(row))
        finally:
            self._doc.removeActionLock()
            self._doc.unlockControllers()

    def _add_sheet(self, sheet: Any, part: dict[str, Any]) -> None:
        """Give the columns of an added sheet their widths and letters; their texts wrap."""
        for column, letters_wide in enumerate(part["widths"]):
            cells = sheet.Columns.getByIndex(column)
            cells.Width = round((letters_wide * _LETTER + _MARGIN) * _PIXEL)
            cells.IsTextWrapped, cells.CharFontName, cells.VertJustify = True, part["font"], TOP

    def _name(self, sheet: Any, part: dict[str, Any]) -> None:
        """Name an area; a name that an undone press has left behind points nowhere and goes first."""
        names, title = self._doc.NamedRanges, sheet.Name.replace("'", "''")
        if names.hasByName(part["name"]):
            names.removeByName(part["name"])
        corners = ":".join(re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", corner) for corner in part["area"].split(":"))
        names.addNewByName(part["name"], f"$'{title}'.{corners}", sheet.getCellByPosition(0, 0).CellAddress, 0)

    def _copy(self, sheet: Any, part: dict[str, Any]) -> None:
        first, last = part["columns"]
        model = sheet.getCellRangeByPosition(first - 1, part["from"] - 1, last - 1, part["from"] - 1).RangeAddress
        for row in range(part["to"][0], part["to"][1] + 1):
            sheet.copyRange(sheet.getCellByPosition(first - 1, row - 1).CellAddress, model)
            sheet.getCellRangeByPosition(first - 1, row - 1, last - 1, row - 1).clearContents(NOTES)

    def _block(self, sheet: Any, part: dict[str, Any]) -> None:
        """Values cell by cell: filling a range at once removes notes, and undoing that does not clear cells that were
        blank (LibreOffice 7.4).
        """
        for row, line in enumerate(part["values"], part["row"] - 1):
            for column, value in enumerate(line, part["column"] - 1):
                cell = sheet.getCellByPosition(column, row)
                self._put(cell, value)
                if isinstance(value, str) and _may_wrap(cell, value):
                    self._wrapped.setdefault(part["sheet"], set()).add(row)

    def _put(self, cell: Any, value: Any) -> None:
        if value is None or value == "":
            cell.clearContents(CONTENTS)
        elif isinstance(value, str):
            cell.setString(value)
        elif isinstance(value, dict):
            null, when = self._doc.NullDate, datetime.datetime.fromisoformat(value["d"])
            cell.setValue((when - datetime.datetime(null.Year, null.Month, null.Day)) / datetime.timedelta(days=1))
        else:
            cell.setValue(float(value))
            if isinstance(value, bool):
                cell.NumberFormat = self._doc.NumberFormats.getStandardFormat(LOGICAL, self._doc.CharLocale)

    def _formula(self, sheet: Any, part: dict[str, Any]) -> None:
        sheet.getCellByPosition(part["column"] - 1, part["row"] - 1).setFormula(part["formula"])

    def _table(self, sheet: Any, part: dict[str, Any]) -> None:
        self._doc.DatabaseRanges.getByName(part["name"]).setDataArea(sheet.getCellRangeByName(part["area"]).RangeAddress)

    def _look_of(self, sheet: Any, part: dict[str, Any]) -> None:
        cell = sheet.getCellByPosition(part["column"] - 1, part["row"] - 1)
        if part.get("fill") is not None:
            # -1: no colour at all, as against white
            cell.CellBackColor = int(part["fill"], 16) if part["fill"] else -1
        if part.get("ink") is not None:
            cell.CharColor = int(part["ink"], 16)
        if part.get("bold") is not None:
            cell.CharWeight = BOLD if part["bold"] else PLAIN

    def _height(self, sheet: Any, part: dict[str, Any]) -> None:
        sheet.Rows.getByIndex(part["row"] - 1).Height = round(part["points"] * _HUNDREDTHS)

    def _note(self, sheet: Any, part: dict[str, Any]) -> None:
        cell = sheet.getCellRangeByName(part["cell"])
        cell.clearContents(NOTES)
        if part["text"]:
            sheet.Annotations.insertNew(cell.getCellByPosition(0, 0).CellAddress, part["text"])


def _may_wrap(cell: Any, text: str) -> bool:
    """Whether a text may need more than one line. An estimate: measuring every row takes longer than all the rest."""
    narrow = "\n" in text or len(text) * _WIDE_LETTER > cell.Columns.getByIndex(0).Width
    return narrow and bool(cell.IsTextWrapped)


def _grow(row: Any) -> None:
    """Make a row high enough for its wrapped text in the installed fonts; never lower than it was."""
    height = row.Height
    row.OptimalHeight = True
    row.Height = max(row.Height, height)


def _is_locked(sheet: Any, cell: Any) -> bool:
    return bool(cell.CellProtection.IsLocked)


def _is_covered(sheet: Any, cell: Any) -> bool:
    """Whether a cell is hidden by another with which it is merged."""
    cursor = sheet.createCursorByRange(cell)
    cursor.collapseToMergedArea()
    place, at = cursor.RangeAddress, cell.CellAddress
    return (place.StartRow, place.StartColumn) != (at.Row, at.Column)


def _in_array(sheet: Any, cell: Any) -> bool:
    formula = uno.Enum("com.sun.star.table.CellContentType", "FORMULA")
    return bool(cell.Type == formula and cell.Formula.startswith("{="))
