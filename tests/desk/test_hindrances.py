"""What keeps Arbitro from writing is found by `check`, before a phase is worked out: merged cells, damaged sheets."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.workbook.ooxml.book import OoxmlBook
from tests.sweeps import all_slow


def told(book: Path) -> list[tuple[str, str, str]]:
    """What `check` says of it: code, severity, cell."""
    return [(finding.code, finding.severity, finding.cell) for finding in desk.check(book).findings]


def with_sheet(book: Path, title: str, old: bytes, new: bytes) -> None:
    """Replace bytes in a sheet's part."""
    part = OoxmlBook(book.read_bytes()).sheets[title].part
    out = io.BytesIO()
    with zipfile.ZipFile(book) as was, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as now:
        for member in was.infolist():
            data = was.read(member)
            if member.filename == part.lstrip("/"):
                assert old in data
                data = data.replace(old, new)
            now.writestr(member, data)
    book.write_bytes(out.getvalue())


@pytest.mark.parametrize(("area", "cell"), [("B5:C5", "Armies!C5"), ("C5:C6", "Armies!C6"), ("A5:B6", "Armies!B5")])
def test_merged_cells_among_our_rows_are_remarked(book: Path, area: str, cell: str) -> None:
    """The first cell that is covered is named, in both languages; the phase that writes there is refused as ever."""
    opened = openpyxl.load_workbook(book)
    opened["Armies"].merge_cells(area)
    opened.save(book)

    assert ("ARB-054", "warning", cell) in told(book)
    for lang, said in (("en", "are merged cells"), ("it", "celle unite")):
        assert said in "\n".join(desk.check(book, lang=lang).finding_lines())


def test_merged_cells_elsewhere_are_nobodys_business(book: Path) -> None:
    """Above the headings, beside the table and on sheets of the club's own; the Desk's own are Arbitro's."""
    opened = openpyxl.load_workbook(book)
    opened["Armies"].merge_cells("A1:C1")
    opened["Armies"].merge_cells("N5:P9")
    opened.create_sheet("Ours").merge_cells("A1:D9")
    opened.save(book)

    assert told(book) == []


@pytest.mark.parametrize("title", ["Armies", *all_slow(["Desk"])])
def test_a_sheet_that_is_absurdly_deep_is_found(book: Path, title: str) -> None:
    """Beneath its rows, where nothing is read, but all is looked at when it is written."""
    desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    deep = b"<extLst>" + b"<ext>" * 400 + b"</ext>" * 400 + b"</extLst></worksheet>"
    with_sheet(book, title, b"</worksheet>", deep)

    assert ("ARB-055", "error", "") in told(book)
    assert desk.check(book).exit == Exit.REFUSED
    assert desk.resolve(book).exit == Exit.FILE
