"""An engine of xlwings whose cells are openpyxl's, for tests on a machine without Excel.

xlwings' own `main` and converters run over it, with the desktop's manners: numbers come back as floats, a text that
looks like a formula, a number or a date becomes one unless an apostrophe guards it, a cell inside a merged area
takes nothing, a protected sheet raises. What the assistant does not use raises NotImplementedError from xlwings'
base classes.

`Book.freeze` gives a book the manners that all of xlwings' other engines have in common: every read (values, used
area, tables, names) is answered with the picture of that moment, whatever is written since, and what is marked here
with `desktop` raises NotImplementedError. xlwings' own remote engine is not run: it needs a licence.
"""
# mypy: ignore-errors
# ruff: noqa: D1

from __future__ import annotations

import datetime as dt
import io
import numbers
import os
import pathlib
import re
from copy import copy
from functools import cached_property, wraps

import openpyxl
import xlwings as xw
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.worksheet.table import Table as OxTable
from openpyxl.worksheet.table import TableColumn
from xlwings import base_classes as base

_DAY = re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|[A-Za-z]{3,9} \d{1,4}|\d{1,2} [A-Za-z]{3,9}"
                  r"|[A-Za-z]{3}\d{1,2}")


def desktop(call):
    """What only the desktop's Excel answers."""
    @wraps(call)
    def asked(self, *args, **kwargs):
        if engine_singleton.type != "desktop":
            raise NotImplementedError(call.__name__)
        return call(self, *args, **kwargs)

    return asked


class ExcelError(Exception):
    """As Excel refuses something."""


def entered(value):
    """What Excel makes of a value that is put into a cell: (value, whether it is guarded text)."""
    if not isinstance(value, str):
        return value, False
    if value.startswith("'"):
        return value[1:], True
    plain = value.strip()
    if plain.lower() in ("true", "false", "vero", "falso"):
        return plain.lower() in ("true", "vero"), False
    try:
        return float(plain), False
    except ValueError:
        pass
    return (dt.datetime(2026, 3, 1), False) if _DAY.fullmatch(plain) else (value, False)


class Engine:
    name, type = "openpyxl", "desktop"

    def __init__(self):
        self.apps = Apps()

    @staticmethod
    def clean_value_data(data, datetime_builder, empty_as, number_builder, err_to_str):
        def one(v):
            if v is None or v == "":
                return empty_as
            if isinstance(v, dt.date):
                v = v if isinstance(v, dt.datetime) else dt.datetime(v.year, v.month, v.day)
                return datetime_builder(year=v.year, month=v.month, day=v.day, hour=v.hour, minute=v.minute,
                                        second=v.second, microsecond=v.microsecond, tzinfo=None)
            if isinstance(v, numbers.Number) and not isinstance(v, bool):
                return float(v) if number_builder is None else number_builder(v)   # Excel hands out doubles
            if isinstance(v, str) and v.startswith("#") and v in ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!",
                                                                  "#REF!", "#VALUE!"):
                return v if err_to_str else None
            return v
        return [[one(v) for v in row] for row in data]

    @staticmethod
    def prepare_xl_data_element(x, options):
        if x is None or x != x:                       # None, NaN, NaT
            return None
        if hasattr(x, "to_pydatetime"):
            return x.to_pydatetime()
        return x.item() if hasattr(x, "item") else x


class Apps(base.Apps):
    def __init__(self):
        self._apps = [App(self)]

    def keys(self):
        return [a.pid for a in self._apps]

    def add(self, **kw):
        self._apps.insert(0, App(self))
        return self._apps[0]

    def __iter__(self):
        return iter(self._apps)

    def __len__(self):
        return len(self._apps)

    def __getitem__(self, pid):
        return next(a for a in self._apps if a.pid == pid)


class App(base.App):
    _pids = iter(range(-1, -10**6, -1))
    apps = pid = books = version = visible = None      # shadow the base class's read-only properties
    engine = property(lambda self: engine_singleton)

    def __init__(self, apps):
        self.apps, self.pid, self.books = apps, next(self._pids), Books(self)
        self.version, self.visible = "16.0", False
        self._still = {}
        self.alerts, self.answers, self.shown = [], [], []  # what was shown, what is answered, the status bar's lines

    def activate(self, steal_focus=False):
        pass

    def alert(self, prompt, title, buttons, mode, callback):
        self.alerts.append(prompt)
        return self.answers.pop(0) if self.answers else "ok"

    display_alerts, calculation, _still = True, "automatic", {}
    screen_updating = property(desktop(lambda self: self._still.get("screen", True)),
                               desktop(lambda self, value: self._still.update(screen=value)))
    enable_events = property(desktop(lambda self: self._still.get("events", True)),
                             desktop(lambda self, value: self._still.update(events=value)))

    @property
    @desktop
    def status_bar(self):
        return self.shown[-1] if self.shown else False

    @status_bar.setter
    @desktop
    def status_bar(self, value):
        self.shown.append(value)

    def quit(self):
        self.books._books.clear()

    @property
    def selection(self):
        return None


class Books(base.Books):
    app = None

    def __init__(self, app):
        self.app, self._books = app, []

    @property
    def active(self):
        return self._books[-1]

    def __iter__(self):
        return iter(self._books)

    def __len__(self):
        return len(self._books)

    def __call__(self, key):
        if isinstance(key, int):
            return self._books[key - 1]
        for book in self._books:
            if book.name.lower() == str(key).lower():
                return book
        raise KeyError(key)

    def open(self, fullname, *args, **kw):
        path = os.path.abspath(fullname)
        wb = openpyxl.load_workbook(path, keep_vba=path.lower().endswith(".xlsm"))
        self._books.append(Book(wb, path, self))
        return self._books[-1]

    def add(self):
        self._books.append(Book(openpyxl.Workbook(), f"Book{len(self._books) + 1}", self))
        return self._books[-1]


class Book(base.Book):
    api = fullname = None

    def __init__(self, wb, path, books):
        self.api, self.fullname, self.books = wb, path, books
        self.saves, self.selected, self.visited = 0, None, []
        self.saved = pathlib.Path(path).read_bytes() if os.path.isfile(path) else b""
        self.fails_after = None
        self.picture = None

    @cached_property
    def results(self):
        """What the formulas of the file came to as it was opened."""
        return openpyxl.load_workbook(io.BytesIO(self.saved), data_only=True) if self.saved else None

    def freeze(self):
        """From now on reads show what stands there now."""
        kept = io.BytesIO()
        self.api.save(kept)
        self.picture = openpyxl.load_workbook(kept)
        engine_singleton.type = "remote"

    def thaw(self):
        """Reads show writes again."""
        self.picture = None
        engine_singleton.type = "desktop"

    @property
    def seen(self):
        return self.api if self.picture is None else self.picture

    name = property(lambda self: os.path.basename(self.fullname))
    app = property(lambda self: self.books.app)
    sheets = property(lambda self: Sheets(self))  # noqa: PLW0108
    names = property(lambda self: Names(self))  # noqa: PLW0108

    @desktop
    def save(self, path=None, password=None):
        if self.saves is None:
            raise ExcelError("the disk is full")
        self.fullname = os.path.abspath(path or self.fullname)
        self.api.save(self.fullname)
        self.saves += 1

    def close(self):
        self.books._books.remove(self)

    def activate(self):
        pass


class Sheets(base.Sheets):
    api = None

    def __init__(self, book):
        self.book, self.api = book, book.api.worksheets

    active = property(lambda self: Sheet(self.book, self.book.api.active))

    def __iter__(self):
        return (Sheet(self.book, ws) for ws in self.book.api.worksheets)

    def __len__(self):
        return len(self.book.api.worksheets)

    def __call__(self, key):
        if isinstance(key, int):
            return Sheet(self.book, self.book.api.worksheets[key - 1])
        for ws in self.book.api.worksheets:
            if ws.title.lower() == key.lower():
                return Sheet(self.book, ws)
        raise KeyError(key)

    def add(self, before=None, after=None, name=None):
        index = before.index - 1 if before else after.index if after else None
        return Sheet(self.book, self.book.api.create_sheet(name, index))


class Native:
    """What a COM worksheet answers."""

    def __init__(self, ws):
        self._ws = ws

    @property
    def ProtectContents(self):  # noqa: N802
        return self._ws.protection.sheet


class Sheet(base.Sheet):
    api = book = None

    def __init__(self, book, ws):
        self.book, self.ws, self.api = book, ws, Native(ws)

    @property
    def seen(self):
        return self.book.seen[self.ws.title]

    @property
    @desktop
    def notes(self):
        return [Note(Range(self, (cell.row, cell.column))) for row in self.ws.iter_rows() for cell in row
                if cell.comment]

    tables = property(lambda self: Tables(self))  # noqa: PLW0108
    names = property(lambda self: Names(self.book))
    index = property(lambda self: self.book.api.worksheets.index(self.ws) + 1)
    cells = property(lambda self: Range(self, (1, 1), (1048576, 16384)))

    @property
    def name(self):
        return self.ws.title

    @name.setter
    def name(self, value):
        self.ws.title = value

    def range(self, arg1, arg2=None):
        return Range(self, arg1, arg2)

    @property
    def used_range(self):
        return Range(self, self.seen.dimensions)

    def activate(self):
        self.book.api.active = self.ws

    def delete(self):
        self.book.api.remove(self.ws)

    def clear_contents(self):
        self.used_range.clear_contents()


class Range(base.Range):
    sheet = None

    def __init__(self, sheet, arg1, arg2=None):
        if isinstance(arg1, Range):
            last = arg2 or arg1
            r = (min(arg1.row, last.row), min(arg1.column, last.column),
                 max(arg1.row + arg1.shape[0], last.row + last.shape[0]) - 1,
                 max(arg1.column + arg1.shape[1], last.column + last.shape[1]) - 1)
        elif isinstance(arg1, str):
            sheet, r = self._resolve(sheet, arg1 if arg2 is None else f"{arg1}:{arg2}")
        elif len(arg1) == 4:                           # row, column, rows, columns
            r = (arg1[0], arg1[1], arg1[0] + arg1[2] - 1, arg1[1] + arg1[3] - 1)
        else:
            r = (*arg1, *(arg2 or arg1))
        self.sheet, self._r = sheet, r

    @staticmethod
    def _resolve(sheet, text):
        book = sheet.book
        for ws in book.api.worksheets:                 # table name, optionally with [#All]
            for t in ws.tables.values():
                if text.lower() in (t.name.lower(), t.name.lower() + "[#all]"):
                    c1, r1, c2, r2 = range_boundaries(t.ref)
                    body = not text.lower().endswith("[#all]")
                    return Sheet(book, ws), (r1 + (t.headerRowCount or 0) * body, c1,
                                             r2 - (t.totalsRowCount or 0) * body, c2)
        if text in book.api.defined_names:
            title, text = next(iter(book.api.defined_names[text].destinations))
            sheet = Sheet(book, book.api[title])
        c1, r1, c2, r2 = range_boundaries(text.replace("$", ""))
        return sheet, (r1, c1, r2, c2)

    row, column = property(lambda s: s._r[0]), property(lambda s: s._r[1])
    shape = property(lambda s: (s._r[2] - s._r[0] + 1, s._r[3] - s._r[1] + 1))
    coords = property(lambda s: (s.sheet.name, s.row, s.column, *s.shape))
    api = property(lambda s: s)
    has_array = property(desktop(lambda self: False))

    @property
    @desktop
    def merge_cells(self):
        found = [self._within(area) for area in self.sheet.ws.merged_cells.ranges]
        return False if not any(found) else True if len(self) == 1 else None

    def _within(self, area):
        r1, c1, r2, c2 = self._r
        return area.min_row <= r2 and r1 <= area.max_row and area.min_col <= c2 and c1 <= area.max_col

    @property
    def merge_area(self):
        area = next((a for a in self.sheet.ws.merged_cells.ranges if self._within(a)), None)
        return self if area is None else Range(self.sheet, (area.min_row, area.min_col), (area.max_row, area.max_col))

    def _cells(self):
        r1, c1, r2, c2 = self._r
        return [cell for row in self.sheet.ws.iter_rows(r1, r2, c1, c2) for cell in row]

    def _may(self):
        if self.sheet.ws.protection.sheet:
            raise ExcelError("the sheet is protected")
        book = self.sheet.book
        if book.fails_after is not None:
            book.fails_after -= 1
            if book.fails_after < 0:
                book.fails_after = None
                raise ExcelError("Call was rejected by callee.")

    @property
    @desktop
    def note(self):
        return Note(self) if self._cells()[0].comment else None

    @desktop
    def add_note(self, text):
        self._may()
        self._cells()[0].comment = Comment(text, "Referee")
        return Note(self)

    @property
    @desktop
    def color(self):
        fill = self._cells()[0].fill
        if fill is None or fill.fill_type != "solid" or not isinstance(fill.fgColor.rgb, str):
            return None
        return tuple(int(fill.fgColor.rgb[i:i + 2], 16) for i in (2, 4, 6))

    @color.setter
    @desktop
    def color(self, value):
        self._may()
        if value is None:
            fill = PatternFill()
        else:
            shown = value.lstrip("#") if isinstance(value, str) else "{:02X}{:02X}{:02X}".format(*value)
            fill = PatternFill("solid", start_color=shown, end_color=shown)
        for cell in self._cells():
            cell.fill = fill

    @property
    @desktop
    def font(self):
        return CellFont(self)

    @property
    @desktop
    def column_width(self):
        return self.sheet.ws.column_dimensions[get_column_letter(self.column)].width or 8.43

    @column_width.setter
    @desktop
    def column_width(self, value):
        self.sheet.ws.column_dimensions[get_column_letter(self.column)].width = value

    @property
    @desktop
    def wrap_text(self):
        return bool(self._cells()[0].alignment.wrap_text)

    @wrap_text.setter
    @desktop
    def wrap_text(self, value):
        for cell in self._cells():
            cell.alignment = Alignment(wrap_text=value)

    @property
    @desktop
    def row_height(self):
        return self.sheet.ws.row_dimensions[self.row].height or 15

    @row_height.setter
    @desktop
    def row_height(self, value):
        self._may()
        for row in range(self._r[0], self._r[2] + 1):
            self.sheet.ws.row_dimensions[row].height = value

    @desktop
    def copy(self, destination):
        self._may()
        destination = getattr(destination, "impl", destination)
        for row in range(destination._r[0], destination._r[2] + 1):
            for model in self._cells():
                cell = self.sheet.ws.cell(row, model.column)
                cell.value, cell._style = model.value, copy(model._style)

    @desktop
    def select(self):
        self.sheet.book.selected = (self.sheet.name, self.get_address(False, False, False))
        self.sheet.book.visited.append(self.sheet.book.selected)

    def __len__(self):
        return self.shape[0] * self.shape[1]

    def __call__(self, arg1, arg2=None):
        if arg2 is None:
            n = self.shape[1]
            arg1, arg2 = (arg1 - 1) // n + 1, (arg1 - 1) % n + 1
        return Range(self.sheet, (self.row + arg1 - 1, self.column + arg2 - 1))

    def get_address(self, row_absolute, column_absolute, external):
        r1, c1, r2, c2 = self._r
        one = lambda r, c: f"{'$' * column_absolute}{get_column_letter(c)}{'$' * row_absolute}{r}"  # noqa: E731
        return one(r1, c1) + ("" if (r1, c1) == (r2, c2) else ":" + one(r2, c2))

    address = property(lambda s: s.get_address(True, True, False))

    @property
    def raw_value(self):
        r1, c1, r2, c2 = self._r
        found = []
        for row in self.sheet.seen.iter_rows(r1, r2, c1, c2):
            found.append([self._result(cell) if cell.data_type == "f" else cell.value for cell in row])
        return found

    def _result(self, cell):
        results = self.sheet.book.results
        known = results[self.sheet.name] if results is not None and self.sheet.name in results.sheetnames else None
        return known.cell(cell.row, cell.column).value if known is not None else None

    @raw_value.setter
    def raw_value(self, value):
        self._may()
        rows, cols = self.shape
        if not isinstance(value, (list, tuple)):
            value = [[value] * cols] * rows
        for i, row in enumerate(value):
            for j, one in enumerate(row):
                cell = self.sheet.ws.cell(self.row + i, self.column + j)
                if isinstance(cell, openpyxl.cell.cell.MergedCell):
                    continue
                cell.value, guarded = entered(one)
                if guarded:
                    cell.data_type, cell.quotePrefix = "s", True

    @property
    @desktop
    def formula(self):
        r1, c1, r2, c2 = self._r
        return tuple(tuple("" if c.value is None else str(c.value) for c in row)
                     for row in self.sheet.ws.iter_rows(r1, r2, c1, c2))

    @formula.setter
    @desktop
    def formula(self, value):
        self._may()
        self._cells()[0].value = value

    def clear_contents(self):
        self.raw_value = None

    def end(self, direction):
        dr, dc = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}[direction]
        filled = lambda r, c: r > 0 and c > 0 and self.sheet.ws.cell(r, c).value not in (None, "")  # noqa: E731
        r, c = self.row, self.column
        while filled(r + dr, c + dc):
            r, c = r + dr, c + dc
        return Range(self.sheet, (r, c))

    @property
    def number_format(self):
        return self.sheet.ws.cell(self.row, self.column).number_format

    @number_format.setter
    def number_format(self, value):
        for row in self.sheet.ws.iter_rows(self._r[0], self._r[2], self._r[1], self._r[3]):
            for cell in row:
                cell.number_format = value


class Names(base.Names):
    api = None

    def __init__(self, book):
        self.book, self.api = book, book.seen.defined_names

    def __len__(self):
        return len(self.api)

    def contains(self, name):
        return name in self.api

    def __call__(self, key):
        key = list(self.api)[key - 1] if isinstance(key, int) else key
        return Name(self.book, self.api[key])


class Name(base.Name):
    api = None

    def __init__(self, book, api):
        self.book, self.api = book, api

    name = property(lambda s: s.api.name)
    refers_to = property(lambda s: "=" + s.api.attr_text)
    refers_to_range = property(lambda s: Range(Sheet(s.book, s.book.api.worksheets[0]), s.api.name))


class Tables(base.Collection, base.Tables):
    api = parent = None

    def __init__(self, sheet):
        self.parent, self.api = sheet, sheet.seen.tables

    def __len__(self):
        return len(self.api)

    def __iter__(self):
        return (Table(self.parent, t) for t in self.api.values())

    def __contains__(self, key):
        return key in self.api

    def __call__(self, key):
        return Table(self.parent, list(self.api.values())[key - 1] if isinstance(key, int) else self.api[key])

    def add(self, source_type=None, source=None, link_source=None, has_headers=None, destination=None,
            table_style_name=None, name=None):
        t = OxTable(displayName=name or f"Table{len(self) + 1}", ref=source.address.replace("$", ""))
        self.parent.ws.add_table(t)
        return Table(self.parent, t)


class Table(base.Table):
    api = parent = None

    def __init__(self, sheet, t):
        self.parent, self.api = sheet, t

    name = property(lambda s: s.api.name)
    display_name = property(lambda s: s.api.displayName)
    range = property(lambda s: Range(s.parent, s.api.ref))
    show_totals = property(lambda s: bool(s.api.totalsRowCount))
    show_headers = property(lambda s: s.api.headerRowCount != 0)

    @property
    def header_row_range(self):
        r = self.range._r
        return Range(self.parent, (r[0], r[1]), (r[0], r[3]))

    @property
    def data_body_range(self):
        r = self.range._r
        last = r[2] - (self.api.totalsRowCount or 0)
        return Range(self.parent, (r[0] + 1, r[1]), (last, r[3])) if last > r[0] else None

    def resize(self, range):
        getattr(range, "impl", range)._may()
        there = self.parent.ws.tables[self.api.name]
        there.ref = range.address.replace("$", "")
        if there.autoFilter:
            there.autoFilter.ref = there.ref
        r = Range(self.parent, there.ref)._r
        headers = [str(v) for v in Range(self.parent, (r[0], r[1]), (r[0], r[3])).raw_value[0]]
        if [c.name for c in there.tableColumns] != headers:
            there.tableColumns = [TableColumn(id=i + 1, name=h) for i, h in enumerate(headers)]


class Note(base.Note):
    api = None

    def __init__(self, cell):
        self._cell = cell

    location = property(lambda self: self._cell)
    author = property(lambda self: self._cell._cells()[0].comment.author)

    @property
    def text(self):
        return self._cell._cells()[0].comment.text

    @text.setter
    def text(self, value):
        self._cell._cells()[0].comment = Comment(value, "Referee")

    def delete(self):
        self._cell._may()
        self._cell._cells()[0].comment = None


class CellFont(base.Font):
    api = None

    def __init__(self, cell):
        self._cell = cell

    def _change(self, **what):
        self._cell._may()
        for cell in self._cell._cells():
            old = cell.font
            said = {"name": old.name, "size": old.size, "bold": old.bold, "color": old.color, **what}
            cell.font = Font(**said)

    @property
    def color(self):
        shown = self._cell._cells()[0].font.color
        rgb = shown.rgb if shown is not None and isinstance(shown.rgb, str) else "FF000000"
        return tuple(int(rgb[i:i + 2], 16) for i in (2, 4, 6))

    @color.setter
    def color(self, value):
        self._change(color=value.lstrip("#") if isinstance(value, str) else "{:02X}{:02X}{:02X}".format(*value))

    @property
    def name(self):
        return self._cell._cells()[0].font.name

    @name.setter
    def name(self, value):
        self._change(name=value)

    @property
    def bold(self):
        return self._cell._cells()[0].font.bold

    @bold.setter
    def bold(self, value):
        self._change(bold=value)


engine_singleton = Engine()


def activate() -> object:
    if "openpyxl" not in [e.name for e in xw.engines]:
        xw.engines.add(xw.Engine(impl=engine_singleton))
    xw.engines["openpyxl"].activate()
    return xw.engines["openpyxl"]
