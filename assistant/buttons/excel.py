"""Excel as a host of buttons, through xlwings, and a form in a window of Python's own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import xlwings as xw

from assistant.buttons.excel_setup import Machine
from assistant.buttons.press import BUTTONS, TITLE, Button, Pressed, failure_line, press
from assistant.buttons.workbook_buttons import add_buttons_to_bytes
from assistant.catalogues import translator
from assistant.desk import Form, FormField
from assistant.environment import collect_garbage_seldom, machine_language
from assistant.turn.codes import MAC_FORBIDS
from assistant.turn.texts import N_
from assistant.workbook.ooxml.book import TablePart
from assistant.workbook.ooxml.cells import Rows, area_of, cell_address, letters_of, place_of, quoted_area, split_address
from assistant.workbook.port import (
    AddedSheet,
    CellLook,
    CellValue,
    FormatCopy,
    HostChanges,
    HostFailed,
    HostNote,
    HostRefused,
    ValueBlock,
    cell_ref,
    rows_of,
)

# --- form window ----------------------------------------------------------------------------------
# A form in a window of Python's own, for hosts whose boxes take no text, or show passwords.

WIDTH, WRAP, OFFERED = 60, 640, 20
"""Letters of a field, pixels of a line, rows of a list that is open."""
LETTERS, TALLEST = 90, 16
"""Letters of a line, about, and the most lines that are shown without scrolling."""


def fill_in_window(form: Form, title: str) -> Mapping[str, str] | None:
    """Show a form and return what was typed; None where the window was closed.

    Raises `HostFailed` where this Python has no windows.
    """
    try:
        import tkinter as tk
        from tkinter import filedialog, ttk
    except ImportError as no:
        raise HostFailed(f"{sys.executable}: {no}") from no
    try:
        root = tk.Tk()
    except tk.TclError as no:  # there is no screen
        raise HostFailed(str(no)) from no
    root.title(title)
    # else the window may open behind Excel, which waits for it
    root.attributes("-topmost", True)
    root.resizable(False, False)
    frame = ttk.Frame(root, padding=12)
    frame.grid()
    _add_lines(frame, form.lines, tk, ttk)
    boxes = {field.name: _add_field(frame, field, number, tk, ttk, filedialog) for number, field in
             enumerate(form.fields, 1)}
    typed: list[dict[str, str]] = []

    def accept(*_: Any) -> None:
        typed.append({name: value.get() for name, (value, _) in boxes.items()})
        root.destroy()

    buttons = ttk.Frame(frame)
    buttons.grid(columnspan=3, sticky="e", pady=(10, 0))
    good = ttk.Button(buttons, text="OK", command=accept)
    good.grid(row=0, column=0, padx=6)
    ttk.Button(buttons, text=translator(machine_language())(N_("Cancel")), command=root.destroy).grid(row=0, column=1)
    root.bind("<Return>", accept)
    root.bind("<Escape>", lambda _: root.destroy())
    # only now is it known how large the window wants to be
    root.update_idletasks()
    left, top = ((whole - mine) // 2 for whole, mine in (
        (root.winfo_screenwidth(), root.winfo_reqwidth()), (root.winfo_screenheight(), root.winfo_reqheight())))
    root.geometry(f"+{max(left, 0)}+{max(top * 2 // 3, 0)}")
    root.focus_force()
    next((box for _, box in boxes.values()), good).focus_set()
    root.mainloop()
    return typed[0] if typed else None


def _add_lines(frame: Any, lines: Sequence[str], tk: Any, ttk: Any) -> None:
    """The lines to read; in a box that scrolls where the screen has no room for them."""
    wrapped = sum(1 + len(part) // LETTERS for line in lines for part in line.split("\n"))
    text = "\n".join(lines)
    if wrapped <= TALLEST:
        ttk.Label(frame, text=text, wraplength=WRAP, justify="left").grid(columnspan=3, sticky="w", pady=(0, 6))
        return
    box = tk.Text(frame, height=TALLEST, width=LETTERS, wrap="word", relief="flat", font="TkDefaultFont", takefocus=0)
    box.insert("1.0", text)
    box.configure(state="disabled")
    bar = ttk.Scrollbar(frame, command=box.yview)
    box.configure(yscrollcommand=bar.set)
    box.grid(row=0, column=0, columnspan=2, sticky="ew", pady=(0, 6))
    bar.grid(row=0, column=2, sticky="ns", pady=(0, 6))


def _add_field(frame: Any, field: FormField, row: int, tk: Any, ttk: Any, dialog: Any) -> tuple[Any, Any]:
    """A label and the box beside it; returns the variable that holds what is typed, and the box."""
    value = tk.StringVar(frame, field.value)
    ttk.Label(frame, text=field.label, wraplength=WRAP // 2, justify="left").grid(row=row, column=0, sticky="w",
                                                                                  padx=(0, 10), pady=3)
    box = (ttk.Combobox(frame, textvariable=value, values=field.options, width=WIDTH, state="readonly", height=OFFERED)
           if field.options else ttk.Entry(frame, textvariable=value, width=WIDTH, show="*" if field.secret else ""))
    box.grid(row=row, column=1, sticky="ew", pady=3)

    def look() -> None:
        value.set(dialog.askopenfilename(parent=frame, initialfile=value.get()) or value.get())

    if field.file:
        ttk.Button(frame, text="...", width=3, command=look).grid(row=row, column=2, padx=(4, 0))
    return value, box


# --- excel ----------------------------------------------------------------------------------------
# Excel as a host of buttons, through xlwings.

# The host.
#
# With xlwings Server and Lite a workbook is a snapshot: reads do not show writes, and colours, notes, formulas and
# widths cannot be read. Only values and messages are written then, which every client of xlwings can do; tables grow in
# phases only, and none begins in a workbook without a folder.


HIGHEST = 409
"""The greatest height of a row in Excel, in points."""
_LONGEST_GUESS = 40
"""Excel takes no longer text for a number or a date."""
_GUESSED = re.compile(r"[=+\-@'#]|(?:true|false|vero|falso)\s*\Z|.*\d", re.IGNORECASE | re.DOTALL)
_PLAIN_CODE = re.compile(r"[A-Za-z]{1,2}\d{1,4}", re.ASCII)
_MAC_FORBIDS = "-1743"
_OURS = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, NotImplementedError, TypeError)
"""Our own faults. All other exceptions of a call are Excel's, whose error class differs by system."""
P = ParamSpec("P")
R = TypeVar("R")


def excel_call(call: Callable[P, R]) -> Callable[P, R]:
    """Decorator: turn Excel's errors into `HostFailed`."""
    @wraps(call)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return call(*args, **kwargs)
        except (HostFailed, HostRefused, *_OURS):
            raise
        except Exception as fault:
            raise host_failure(fault) from fault

    return wrapper


def host_failure(fault: Exception, *more: str) -> HostFailed:
    """The failure with Excel's message in one line; that macOS forbids controlling Excel has a finding of its own."""
    text = " ".join(" ".join(str(part) for part in fault.args).split())[:200] or type(fault).__name__
    return HostFailed("; ".join([text, *more]), MAC_FORBIDS if _MAC_FORBIDS in text else "")


def cell_input(value: CellValue) -> Any:
    """A value ready for a cell of Excel, which would take some texts for formulas, numbers or dates.

    Such a text gets an apostrophe in front, which is not part of the cell's value.
    """
    if not isinstance(value, str) or _PLAIN_CODE.fullmatch(value) or not _GUESSED.match(value):
        return value
    if len(value) > _LONGEST_GUESS and value[0] not in "=+-@'#":
        return value
    return f"'{value}"


class ExcelHost:
    """An `xlwings.Book` as a host."""

    language = ""
    dress = staticmethod(add_buttons_to_bytes)

    def __init__(self, book: Any) -> None:
        self.book = book
        self.name = str(book.name)
        self.paints = book.app.engine.type == "desktop"
        self.path = self._full_path()

    def _full_path(self) -> str:
        """The workbook's path on this machine; "" on the web, or if xlwings does not know it."""
        from xlwings import XlwingsError

        try:
            full = str(self.book.fullname)
        except XlwingsError:  # it is open from OneDrive or SharePoint, and no folder here holds it
            return ""
        return full if os.path.isabs(full) and os.path.isfile(full) else ""

    # --- looking ----------------------------------------------------------------------------
    @excel_call
    def titles(self) -> list[str]:
        """The worksheets, in the order of their tabs."""
        return [str(sheet.name) for sheet in self.book.sheets]

    @excel_call
    def names(self) -> dict[str, str]:
        """The names of the whole workbook."""
        return {str(n.name): str(n.refers_to).removeprefix("=") for n in self.book.names
                if "!" not in n.name and n.refers_to}

    @excel_call
    def tables(self) -> list[TablePart]:
        """All tables."""
        return [TablePart(str(t.name), "", str(sheet.name), area_of(t.range.address.replace("$", "")),
                          int(bool(t.show_totals)), int(bool(t.show_headers)), ())
                for sheet in self.book.sheets for t in sheet.tables]

    @excel_call
    def rows(self, title: str) -> Rows:
        """The cells of a sheet, with one call for values and one for formulas."""
        used = self.book.sheets[title].used_range
        top, left = int(used.row), int(used.column)
        values = used.options(ndim=2, err_to_str=True).value
        return rows_of(values, top, left, self._formulas(used, values, top, left) if self.paints else {})

    @staticmethod
    def _formulas(used: Any, values: Sequence[Sequence[Any]], top: int, left: int) -> dict[str, str]:
        texts = used.formula
        grid = texts if isinstance(texts, (tuple, list)) else ((texts,),)
        return {cell_ref(top + i, left + j): text for i, line in enumerate(grid) for j, text in enumerate(line)
                if isinstance(text, str) and text.startswith("=") and text != values[i][j]}

    @excel_call
    def width(self, title: str, column: int) -> float:
        """A column's width in letters; 0 if it cannot be read."""
        return float(self._cell(title, 1, column).column_width or 0) if self.paints else 0

    @excel_call
    def remarks(self, title: str) -> list[HostNote]:
        """The notes of a sheet."""
        return [HostNote(str(n.location.address).replace("$", ""), str(n.author or ""), str(n.text or ""))
                for n in self.book.sheets[title].notes]

    @excel_call
    def merged_areas(self, title: str) -> list[str]:
        """The merged areas of a sheet; cells are checked one by one only in rows that have some."""
        used = self.book.sheets[title].used_range
        # false if no cell is merged, true if all are, none if only some
        if not self.paints or used.merge_cells is False:
            return []
        areas = {cell.merge_area.address.replace("$", ""): None for row in used.rows if row.merge_cells is not False
                 for cell in row if cell.merge_cells}
        return list(areas)

    @excel_call
    def fills(self, cells: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
        """The fills of some cells."""
        return {title: {ref: _hex(self.book.sheets[title].range(ref).color) for ref in refs}
                for title, refs in cells.items()}

    def _cell(self, title: str, row: int, column: int) -> Any:
        return self.book.sheets[title].range((row, column))

    # --- changing ---------------------------------------------------------------------------
    @excel_call
    def apply(self, changes: HostChanges) -> None:
        """Make all the changes, or undo what was written. Raises `HostRefused`, `HostFailed`."""
        blocks = changes.blocks()
        if self.paints:
            self._refuse(changes, blocks)
        back: list[Callable[[], None]] = []
        with self._quiet():
            try:
                self._write(changes, blocks, back)
            except Exception as fault:
                left = _undo_writes(back)
                if isinstance(fault, _OURS):
                    raise
                raise host_failure(fault, *left) from fault

    def _add_sheet(self, title: str, added: AddedSheet, back: list[Callable[[], None]]) -> None:
        """Add a sheet behind all others, which stays in sight only if somebody goes there."""
        # Excel goes to a sheet that it adds
        before = self.book.sheets.active
        sheet = self.book.sheets.add(title, after=self.book.sheets[-1])
        back.append(sheet.delete)
        for column, width in enumerate(added.widths if self.paints else (), 1):
            cells = sheet.range(f"{letters_of(column)}:{letters_of(column)}")
            cells.column_width, cells.wrap_text, cells.font.name = width, True, added.font
        before.activate()

    def _write(self, changes: HostChanges, blocks: Sequence[ValueBlock], back: list[Callable[[], None]]) -> None:
        for title, added in changes.sheets.items():
            self._add_sheet(title, added, back)
        for name, (title, ref) in changes.names.items() if self.paints else ():
            back.append(self.book.names.add(name, f"={quoted_area(title, area_of(ref))}").delete)
        for copied in changes.format_copies() if self.paints else ():
            sheet, (first, last), (left, right) = self.book.sheets[copied.sheet], copied.rows, copied.columns
            model = sheet.range((copied.model, left), (copied.model, right))
            onto = sheet.range((first, left), (last, right))
            # how to get back is noted before the first write, so that a failure in the middle can be undone
            back.append(self._as_it_was(copied.sheet, onto, first, left))
            if (below := self._blank_below(copied)) is not None:  # goes back before the values, which it blanks
                back.append(lambda m=below, o=onto: m.copy(destination=o))  # type: ignore[misc]
            model.copy(destination=onto)
        for block in blocks:
            area = self._area(block)
            if self.paints:
                back.append(self._as_it_was(block.sheet, area, block.row, block.column))
            area.options(ndim=2).value = [[cell_input(v) for v in line] for line in block.values]
        for (title, row, column), formula in changes.formulas.items():
            cell = self._cell(title, row, column)
            if self.paints:
                back.append(self._as_it_was(title, cell, row, column))
            cell.formula = formula
        for name, (title, ref) in changes.tables.items():
            table, sheet = self.book.sheets[title].tables[name], self.book.sheets[title]
            back.append(lambda t=table, s=sheet, was=table.range.address: t.resize(s.range(was)))  # type: ignore[misc]
            table.resize(sheet.range(ref))
        if self.paints:
            self._paint(changes, back)

    def _paint(self, changes: HostChanges, back: list[Callable[[], None]]) -> None:
        for (title, row, column), look in changes.looks.items():
            self._colour(self._cell(title, row, column), look, back)
        for (title, row), points in changes.heights.items():
            _set_look(self._cell(title, row, 1), "row_height", min(points, HIGHEST), back)
        for (title, ref), text in changes.notes.items():
            cell = self.book.sheets[title].range(ref)
            before = str(cell.note.text or "") if cell.note is not None else ""
            back.append(lambda c=cell, t=before: _set_note(c, t))  # type: ignore[misc]
            _set_note(cell, text)

    @staticmethod
    def _colour(cell: Any, look: CellLook, back: list[Callable[[], None]]) -> None:
        if look.fill is not None:
            _set_look(cell, "color", f"#{look.fill}" if look.fill else None, back, may_lack=True)
        if look.ink is not None:
            _set_look(cell.font, "color", f"#{look.ink}", back)
        if look.bold is not None:
            _set_look(cell.font, "bold", look.bold, back)

    def _blank_below(self, copied: FormatCopy) -> Any:
        """The cells below added rows. These have taken their look, with borders, rules and drop-downs, and only copying
        a cell can restore that. None if there is something in them.
        """
        sheet, row, (left, right) = self.book.sheets[copied.sheet], copied.rows[1] + 1, copied.columns
        below = sheet.range((row, left), (row, right))
        blank = all(value is None for line in below.options(ndim=2, err_to_str=True).value for value in line)
        return below if blank and below.merge_cells is False else None

    def _area(self, block: ValueBlock) -> Any:
        last = (block.row + len(block.values) - 1, block.column + len(block.values[0]) - 1)
        return self.book.sheets[block.sheet].range((block.row, block.column), last)

    def _as_it_was(self, title: str, area: Any, row: int, column: int) -> Callable[[], None]:
        """A function that restores cells, from that corner on: formulas as formulas, the rest as values."""
        values = area.options(ndim=2).value
        formulas = self._formulas(area, values, row, column)

        def put_back() -> None:
            area.options(ndim=2).value = [[cell_input(v) for v in line] for line in values]
            for ref, text in formulas.items():
                self._cell(title, *place_of(ref)).formula = text

        return put_back

    # --- what cannot be written ---------------------------------------------------------------
    def _refuse(self, changes: HostChanges, blocks: Sequence[ValueBlock]) -> None:
        """Raise `HostRefused` for a protected sheet, a cell inside a merged area, an array formula."""
        for title, ref in changes.firsts().items():
            if title not in changes.sheets and self._is_protected(title):
                raise HostRefused("protected", cell_address(title, *_letter_row(*place_of(ref))))
        for block in (block for block in blocks if block.sheet not in changes.sheets):
            area = self._area(block)
            if area.merge_cells is not False:
                self._look_through(block, "merged", self._inside_merged)
            if area.has_array is not False:
                self._look_through(block, "array", lambda cell: bool(cell.has_array))

    def _look_through(self, block: ValueBlock, reason: str, bad: Callable[[Any], bool]) -> None:
        for i, line in enumerate(block.values):
            for j in range(len(line)):
                if bad(self._cell(block.sheet, block.row + i, block.column + j)):
                    raise HostRefused(reason, cell_address(block.sheet, *_letter_row(block.row + i, block.column + j)))

    @staticmethod
    def _inside_merged(cell: Any) -> bool:
        return bool(cell.merge_cells) and (cell.merge_area.row, cell.merge_area.column) != (cell.row, cell.column)

    def _is_protected(self, title: str) -> bool:
        native = self.book.sheets[title].api
        protected = native.ProtectContents if hasattr(native, "ProtectContents") else native.protect_contents
        return bool(protected() if callable(protected) else protected)

    # --- meanwhile ----------------------------------------------------------------------------
    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Excel redraws nothing and runs no events while we write."""
        app = self.book.app
        if not self.paints:
            yield
            return
        before = app.screen_updating, app.enable_events
        app.screen_updating = app.enable_events = False
        try:
            yield
        finally:
            app.screen_updating, app.enable_events = before

    @excel_call
    def say(self, line: str) -> None:
        """Show a line in the status bar, and on the Desk if it has a cell for it."""
        if not self.paints:
            return
        self.book.app.status_bar = line
        place = self.names().get("desk_outcome", "")
        title = place.rpartition("!")[0].strip("'").replace("''", "'")
        if title in self.titles() and not self._is_protected(title):
            self.book.names["desk_outcome"].refers_to_range[0, 0].value = cell_input(line)

    @excel_call
    def ask(self, lines: Sequence[str], question: str, look: str = "") -> bool:
        """Ask in a window. Without a window that can wait the answer is no."""
        if not self.paints:
            return False
        if look:
            title, ref = split_address(look)
            self.book.sheets[title].activate()
            self.book.sheets[title].range(ref).select()
        text = "\n".join([*lines, "", question])
        return str(self.book.app.alert(text, title=TITLE, buttons="yes_no", mode="question")) == "yes"

    def fill_in(self, form: Form) -> Mapping[str, str] | None:
        """Show a form in a window of this Python's own; None where the referee gives up, or Excel is elsewhere.

        Excel's own boxes cannot hide a password. Raises `HostFailed` where Python has no windows.
        """
        return fill_in_window(form, TITLE) if self.paints else None

    @excel_call
    def save(self) -> None:
        """Save the workbook in its place. Raises `HostFailed`."""
        if not self.paints:
            return
        self.book.save()

    @excel_call
    def show(self, pressed: Pressed) -> None:
        """Go to the cell, show what the Desk does not, open the page."""
        if self.paints:
            # false gives the status bar back to Excel
            self.book.app.status_bar = False
        if pressed.select:
            title, ref = split_address(pressed.select)
            sheet = self.book.sheets[title]
            sheet.activate()
            if self.paints:
                sheet.range((place_of(ref)[0], 1)).select()  # Excel goes no further than it must: from the row's start
                sheet.range(ref).select()
        if pressed.box or not self.paints:
            self.book.app.alert("\n".join(pressed.lines), title=TITLE)
        if pressed.page.endswith((".xlsx", ".xlsm")):
            self.book.app.books.open(pressed.page)
        elif pressed.page:
            import webbrowser
            webbrowser.open(Path(pressed.page).as_uri())


def _letter_row(row: int, column: int) -> tuple[str, int]:
    return cell_ref(1, column)[:-1], row


def _set_look(thing: Any, name: str, value: Any, back: list[Callable[[], None]], *, may_lack: bool = False) -> None:
    """Set a property of a cell, font or row; `back` gets a function that restores it.

    `may_lack`: None is a valid old value. Excel gives it if the letters of a cell differ.
    """
    before = getattr(thing, name)
    if before is not None or may_lack:
        back.append(lambda: setattr(thing, name, before))
    setattr(thing, name, value)


def _set_note(cell: Any, text: str) -> None:
    """Replace the note of a cell; "" for none."""
    if cell.note is not None:
        cell.note.delete()
    if text:
        cell.add_note(text)


def _undo_writes(steps: Sequence[Callable[[], None]]) -> list[str]:
    """Undo what was written, the last first; returns Excel's messages if even that failed."""
    writes = []
    for undo in reversed(steps):
        try:
            undo()
        except Exception as fault:  # told with the first one
            writes.append(str(host_failure(fault)))
    return writes


def _hex(colour: tuple[int, int, int] | None) -> str:
    return "" if colour is None else "{:02X}{:02X}{:02X}".format(*colour)


def press_on(book: Any, verb: str, lang: str = "") -> Pressed:
    """Press a button on an `xlwings.Book`, and show the result."""
    host = ExcelHost(book)
    pressed = press(verb, host, lang)
    host.show(pressed)
    return pressed


def run(verb: str) -> None:
    """Called by the macro of a button: press it on the calling workbook.

    If Excel cannot be reached the process exits with a message, which xlwings' macro shows. Whether macOS allowed the
    call is recorded for ``arbitro doctor``.
    """
    collect_garbage_seldom()
    try:
        press_on(_caller(), verb)
    except HostFailed as no:
        if no.code == MAC_FORBIDS:
            Machine().note_click(allowed=False)
        sys.exit(failure_line(no, "Excel"))
    Machine().note_click(allowed=True)


@excel_call
def _caller() -> Any:
    import xlwings

    return xlwings.Book.caller()


# The buttons as scripts for xlwings Server and Lite; see ``docs/excel-web.md`` for what works there.


def script_name(button: Button) -> str:
    """How a button's script is called: ``resolve_phase``, as its Sub."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", button.sub.partition("_")[2]).lower()


def _script(button: Button) -> Callable[[xw.Book], None]:
    def press_on_book(book: xw.Book) -> None:
        press_on(book, button.verb)

    press_on_book.__name__ = press_on_book.__qualname__ = script_name(button)
    press_on_book.__doc__ = f"{button.en}."
    script: Callable[[xw.Book], None] = xw.script(press_on_book)
    return script


SCRIPTS = {script_name(button): _script(button) for button in BUTTONS}
"""One a button, by their names; they are found as functions of this module, too."""
globals().update(SCRIPTS)
