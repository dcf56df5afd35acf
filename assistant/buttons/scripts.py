"""The buttons as scripts of xlwings' other engines (Server, Lite): a workbook in; a press of one button out.

What works there and what does not stands in ``docs/excel-web.md``.
"""

from __future__ import annotations

import xlwings as xw

from assistant.buttons.excel import press_on


@xw.script
def check_orders(book: xw.Book) -> None:
    """Check orders."""
    press_on(book, "check")


@xw.script
def resolve_phase(book: xw.Book) -> None:
    """Resolve phase."""
    press_on(book, "resolve")


@xw.script
def enter_answers(book: xw.Book) -> None:
    """Enter answers."""
    press_on(book, "answers")


@xw.script
def undo(book: xw.Book) -> None:
    """Undo."""
    press_on(book, "undo")


@xw.script
def preview_reports(book: xw.Book) -> None:
    """Preview reports."""
    press_on(book, "preview")


@xw.script
def send_reports(book: xw.Book) -> None:
    """Send reports."""
    press_on(book, "send")


@xw.script
def share_copies(book: xw.Book) -> None:
    """Share copies."""
    press_on(book, "share")


@xw.script
def collect_orders(book: xw.Book) -> None:
    """Collect orders."""
    press_on(book, "collect")


@xw.script
def status(book: xw.Book) -> None:
    """Status."""
    press_on(book, "status")
