"""A form in a window of Python's own, for hosts whose boxes take no text, or show passwords."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from assistant.catalogues import translator
from assistant.desk import Form, FormField
from assistant.environment import machine_language
from assistant.turn.texts import N_
from assistant.workbook.open_host import HostFailed

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
    root.attributes("-topmost", True)
    root.resizable(False, False)
    frame = ttk.Frame(root, padding=12)
    frame.grid()
    _add_lines(frame, form.lines, tk, ttk)
    boxes = {field.name: _add_field(frame, field, number, tk, ttk, filedialog) for number, field in
             enumerate(form.fields, 1)}
    typed: list[dict[str, str]] = []

    def done(*_: Any) -> None:
        typed.append({name: value.get() for name, (value, _) in boxes.items()})
        root.destroy()

    buttons = ttk.Frame(frame)
    buttons.grid(columnspan=3, sticky="e", pady=(10, 0))
    good = ttk.Button(buttons, text="OK", command=done)
    good.grid(row=0, column=0, padx=6)
    ttk.Button(buttons, text=translator(machine_language())(N_("Cancel")), command=root.destroy).grid(row=0, column=1)
    root.bind("<Return>", done)
    root.bind("<Escape>", lambda _: root.destroy())
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
