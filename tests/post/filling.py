"""Copies as clubs send them back: a copy and what its club types in; the file that the referee gets out."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl

from tests.playing import members

SUNDAY = 1_796_547_600
"""Sunday 6 December 2026, 09:00 UTC."""
Change = Callable[[Any], None]


def filled(copy: Path, to: Path, orders: Sequence[Mapping[str, Any]] = (), at: int = SUNDAY,
           change: Change | None = None) -> Path:
    """A copy with these rows typed into blank rows of its form (heading -> value), saved at a time. `change`: what else
    was done before to the openpyxl workbook.
    """
    typed = tuple(tuple(row.items()) for row in orders)
    data = copy.read_bytes()
    to.write_bytes(_typed(data, typed) if change is None else _typed.__wrapped__(data, typed, change))
    os.utime(to, (at, at))
    return to


@lru_cache
def _typed(data: bytes, orders: tuple[tuple[tuple[str, Any], ...], ...], change: Change | None = None) -> bytes:
    book = openpyxl.load_workbook(io.BytesIO(data))
    if change is not None:
        change(book)
    sheet = book.worksheets[1]
    heading = next(row for row in sheet.iter_rows(max_row=12) if any(
        str(cell.value).strip() in ("Verbo", "Verb") for cell in row))
    heads = {str(cell.value).strip(): place for place, cell in enumerate(heading, 1)}
    number = int(heading[0].row or 0)
    for row in orders:
        number = next(n for n in range(number + 1, number + 100) if not any(cell.value for cell in sheet[n]))
        for name, value in row:
            sheet.cell(number, heads[name]).value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def packed(parts: Mapping[str, bytes]) -> bytes:
    """A workbook of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def as_google_writes(data: bytes) -> bytes:
    """The form that Google Sheets writes, made by hand: no properties, no Excel tables, whole numbers as ``40.0``."""
    parts = {name: content for name, content in members(data).items()
             if not name.startswith(("docProps/", "xl/tables/")) and "/_rels/sheet" not in name}
    for name, content in parts.items():
        if name.startswith("xl/worksheets/sheet"):
            content = re.sub(rb"<tableParts.*?</tableParts>|<hyperlinks>.*?</hyperlinks>|<legacyDrawing[^>]*>", b"",
                             content, flags=re.DOTALL)
            parts[name] = re.sub(rb"(<c [^>]*t=\"n\"[^>]*><v>-?\d+)(</v>)", rb"\1.0\2", content)
        elif name == "_rels/.rels":
            parts[name] = re.sub(rb"<Relationship [^>]*docProps[^>]*/>", b"", content)
        elif name == "[Content_Types].xml":
            parts[name] = re.sub(rb"<Override [^>]*(docProps|tables)[^>]*/>", b"", content)
    return packed(parts)


def as_excel_writes(data: bytes) -> bytes:
    """The form that Excel writes, made by hand: its own properties, marks of revision, a chain of calculation."""
    parts = members(data)
    parts["docProps/app.xml"] = (
        b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<Properties xmlns="http://schemas.openxmlformats'
        b'.org/officeDocument/2006/extended-properties"><Application>Microsoft Excel</Application>'
        b'<AppVersion>16.0300</AppVersion></Properties>')
    parts["xl/calcChain.xml"] = (
        b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<calcChain xmlns="http://schemas.openxmlformats'
        b'.org/spreadsheetml/2006/main"><c r="C3" i="2"/></calcChain>')
    types = parts["[Content_Types].xml"]
    parts["[Content_Types].xml"] = types.replace(b"</Types>", (
        b'<Override PartName="/xl/calcChain.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        b'spreadsheetml.calcChain+xml"/></Types>'))
    rels = parts["xl/_rels/workbook.xml.rels"]
    parts["xl/_rels/workbook.xml.rels"] = rels.replace(b"</Relationships>", (
        b'<Relationship Id="rIdChain" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        b'calcChain" Target="calcChain.xml"/></Relationships>'))
    for name, content in parts.items():
        if name.startswith("xl/worksheets/sheet"):
            parts[name] = content.replace(b"<worksheet ", (
                b'<worksheet xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
                b' mc:Ignorable="x14ac xr" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xr="http://'
                b'schemas.microsoft.com/office/spreadsheetml/2014/revision" xr:uid="{00000000-0001-0000-0100-'
                b'000000000000}" '), 1)
    return packed(parts)
