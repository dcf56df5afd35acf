"""openpyxl's workbooks: one in; bytes out that depend on nothing but its content."""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import io
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.workbook.ooxml.parts.child_order import sorted_fonts
from assistant.workbook.safe.locks import lock_of, refuse_if_locked
from assistant.workbook.safe.saving import replace_file, sha256
from assistant.workbook.safe.screening import refusal

__all__ = ["FIXED_TIME", "FixedZip", "lock_of", "paused_collection", "refusal", "refuse_if_locked", "replace_file",
           "sha256", "unaided", "workbook_bytes"]

STYLES = "xl/styles.xml"
"""Where openpyxl writes the styles."""
FIXED_TIME = (2000, 1, 1, 0, 0, 0)


@contextlib.contextmanager
def paused_collection() -> Iterator[None]:
    """No garbage collection for the while: openpyxl makes a million objects that all stay, and looking
    through them again and again costs a quarter of the time of loading and saving.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextlib.contextmanager
def unaided() -> Iterator[None]:
    """The first import of openpyxl without numpy, which it would load for numbers of numpy in cells: there
    are none in ours, and loading it takes as long as reading a club's workbook. Later imports are as ever.
    """
    if "numpy" in sys.modules or "openpyxl" in sys.modules:
        yield
        return
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numpy"]


class FixedZip(zipfile.ZipFile):
    """A zip whose bytes depend on its members alone: fixed times, members in one order.

    openpyxl writes some members in the order of a set; all are kept until the end and written sorted.
    """

    def __init__(self, target: io.BytesIO) -> None:
        super().__init__(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._members: dict[str, bytes] = {}

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        """Keep a member until the archive is closed."""
        name = getattr(zinfo_or_arcname, "filename", zinfo_or_arcname)
        self._members[name] = data.encode() if isinstance(data, str) else data

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        """Keep a file's bytes until the archive is closed."""
        self.writestr(str(arcname or filename), Path(filename).read_bytes())

    def close(self) -> None:
        """Write all members, the content types first as readers expect."""
        for name in sorted(self._members, key=lambda n: (n != "[Content_Types].xml", n)):
            info = zipfile.ZipInfo(name, FIXED_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            data = self._members[name]
            super().writestr(info, sorted_fonts(data) if name == STYLES else data, compresslevel=6)
        self._members = {}
        super().close()


def workbook_bytes(book: Any, after: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType({})) -> bytes:
    """An openpyxl workbook as the bytes of a file; the same workbook gives the same bytes. `after`: title of a sheet ->
    what is done to its XML.
    """
    from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    buffer = io.BytesIO()
    archive = FixedZip(buffer)

    class Writer(ExcelWriter):
        """openpyxl's, without a file on the disk for every sheet."""

        def write_worksheet(self, ws: Any) -> None:
            """One sheet."""
            ws._drawing = SpreadsheetDrawing()
            ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
            sheet: Any = WorksheetWriter(ws, io.BytesIO())
            sheet.write()
            ws._rels = sheet._rels
            archive.writestr(ws.path[1:], after.get(ws.title, bytes)(sheet.read()))
            self.manifest.append(ws)

    book.properties.modified = dt.datetime(*FIXED_TIME)
    with paused_collection():
        Writer(book, archive).save()
    return buffer.getvalue()
