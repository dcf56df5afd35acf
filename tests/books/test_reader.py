"""The sparse reader sees in a workbook what is there, however it is spelled and whoever wrote it."""

from __future__ import annotations

import datetime as dt
import io
import warnings
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import UNKNOWN_FORMULA
from tests.books.corpus import Book, campaign, corpus, each_once, samples
from tests.books.joined import showpiece
from tests.books.parts import Parts
from tests.books.spelled import SPELLED, prefixed

Seen = dict[str, dict[tuple[int, int], tuple[Any, str]]]


def seen(data: bytes) -> Seen:
    """Title -> (row, column) -> value and kind, as the sparse reader has them."""
    book = OoxmlBook(data)
    return {title: {(r, c): (cell.value, cell.data_type) for r, cells in book.rows(title).items()
                    for c, cell in cells.items()} for title in book.sheets}


@pytest.mark.parametrize("how", SPELLED, ids=lambda how: str(how.__name__))
def test_the_spelling_of_a_workbook_does_not_matter(how: Any) -> None:
    """Prefixes, encodings, the strict dialect, missing references, shared strings: the same cells."""
    parts = Parts(campaign())
    how(parts)

    assert seen(parts.bytes()) == seen(campaign())


def test_the_common_spellings_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets as this program, openpyxl and XlsxWriter write them are taken apart by the regular expression alone:
    the parser reads the same cells, but takes six times as long.
    """
    def parser(*_: object) -> None:
        raise AssertionError("a parser was needed")

    made = {book.name: book.make() for book in corpus() if book.name in ("plain", "shared_strings", "everything")}
    made["without lxml"] = with_gaps(campaign())
    expected = {name: seen(data) for name, data in made.items()}
    monkeypatch.setattr("assistant.workbook.ooxml.cells._Parsed", parser)

    assert {name: seen(data) for name, data in made.items()} == expected
    assert seen(by_xlsxwriter())["Club"][5, 1] == ("=A1+1", "f")


def with_gaps(data: bytes) -> bytes:
    """A workbook as openpyxl writes it where there is no lxml: with a space before the end of an empty element."""
    parts = Parts(data)
    for name in parts.sheets().values():
        parts.members[name] = parts.members[name].replace(b'"/>', b'" />')
    return parts.bytes()


def by_xlsxwriter() -> bytes:
    """A sheet of another club's program: text, numbers, a formula, cells with a look only."""
    place = io.BytesIO()
    with xlsxwriter.Workbook(place, {"in_memory": True}) as book:
        sheet, bold = book.add_worksheet("Club"), book.add_format({"bold": True})
        sheet.write_row(0, 0, [1, 2.5, "soup & bread", True])
        sheet.write_blank(2, 1, None, bold)
        sheet.write_formula(4, 0, "=A1+1")
    return place.getvalue()


def by_openpyxl(data: bytes) -> Seen:
    """The same as openpyxl has them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data))
    return {ws.title: {place: (cell.value, cell.data_type) for place, cell in ws._cells.items()
                       if cell.value not in (None, "")} for ws in book.worksheets}


def differences(mine: Seen, theirs: Seen) -> list[str]:
    """Where two readers differ; formulas are compared as far as both have their text."""
    found = [f"sheets: {list(mine)} and {list(theirs)}"] if list(mine) != list(theirs) else []
    for title in mine:
        for place in {**mine[title], **theirs.get(title, {})}:
            a, b = mine[title].get(place), theirs[title].get(place)
            if a is None or b is None or not alike(*a, *b):
                found.append(f"{title} {place}: {a} and {b}")
    return found


def alike(value: Any, kind: str, other: Any, other_kind: str) -> bool:
    """Whether two readers mean the same."""
    if "f" in (kind, other_kind):
        text = getattr(other, "text", other)
        return kind == other_kind and (value == UNKNOWN_FORMULA or text is None or str(text).lstrip("=") == value[1:])
    if isinstance(value, (dt.datetime, dt.time)):
        return kind == other_kind == "d" and isinstance(other, (dt.date, dt.time, dt.timedelta))
    if isinstance(value, (int, float)) and isinstance(other, (int, float)):
        return kind == other_kind and float(value) == float(other)
    if isinstance(other, str) and "_x0041_" in other:  # openpyxl leaves Excel's spelling of signs as it is here
        other = other.replace("_x0041_", "A")
    return kind == other_kind and value == other


EVERY_SIXTH = 6
"""Of the corpus in the fast part; all of it in the slow one."""
BOOKS = [pytest.param(book, id=book.name, marks=() if number % EVERY_SIXTH == 0 else pytest.mark.slow)
         for number, book in enumerate(book for book in each_once() if "openpyxl" not in book.blind)]


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_two_readers_see_the_same_cells(book: Book) -> None:
    """Every cell of every sheet of the corpus as openpyxl has it: value, kind, formula, error, date."""
    data = book.make()

    assert differences(seen(data), by_openpyxl(data)) == []


def test_two_readers_see_the_same_cells_in_workbooks_of_others() -> None:
    """The samples that installed packages carry, and what XlsxWriter makes."""
    found = []
    for name, data in [("showpiece", showpiece()), *((name, path.read_bytes()) for name, path in samples())]:
        found += [f"{name}: {difference}" for difference in differences(seen(data), by_openpyxl(data))]

    assert found == []


def test_a_cell_in_the_last_corner_costs_nothing() -> None:
    """A stray value in the sheet's last cell is one cell more, in no time."""
    parts = Parts(campaign())
    name = parts.sheets()["Armies"]
    parts.members[name] = parts.members[name].replace(
        b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>7</v></c></row></sheetData>')
    cells = seen(parts.bytes())["Armies"]

    assert cells[1048576, 16384] == (7, "n")
    assert len(cells) == len(seen(campaign())["Armies"]) + 1


def test_general_is_no_date_whatever_stands_beside_its_number() -> None:
    """Some programs give a date's code to the number 0, which is General in Excel all the same."""
    parts = Parts(campaign())
    name, styles = parts.sheets()["Armies"], parts.members["xl/styles.xml"]
    odd = b'<numFmts count="1"><numFmt numFmtId="0" formatCode="dd.mm.yyyy"/></numFmts>'
    parts.members["xl/styles.xml"] = styles.replace(b'<numFmts count="0"/>', odd)
    parts.members[name] = parts.members[name].replace(
        b"</sheetData>", b'<row r="90"><c r="A90" s="0"><v>43831</v></c></row></sheetData>')

    assert odd in parts.members["xl/styles.xml"]
    assert seen(parts.bytes())["Armies"][90, 1] == (43831, "n")


def test_dates_follow_their_epoch() -> None:
    """The same number is another day since 1904."""
    parts = Parts(campaign())
    name = parts.sheets()["Armies"]
    parts.members["xl/styles.xml"] = parts.members["xl/styles.xml"].replace(b'<xf numFmtId="0"', b'<xf numFmtId="14"')
    cells = b'<row r="90"><c r="A90" s="0"><v>43831</v></c><c r="B90" s="0"><v>60.5</v></c></row></sheetData>'
    parts.members[name] = parts.members[name].replace(b"</sheetData>", cells)
    assert seen(parts.bytes())["Armies"][90, 1] == (dt.datetime(2020, 1, 1), "d")
    parts.members[parts.book] = parts.members[parts.book].replace(b"<workbookPr/>", b'<workbookPr date1904="1"/>')

    assert seen(parts.bytes())["Armies"][90, 1] == (dt.datetime(2024, 1, 2), "d")


@pytest.mark.parametrize("spelling", [lambda parts: None, prefixed])
@pytest.mark.parametrize("cell", ['<c r="A90" t="s"><v></v></c>', '<c r="A90" t="s"><v> </v></c>',
                                  '<c r="A90" t="s"><v/></c>', '<c r="A90" t="s"/>', '<c r="A90" t="b"><v></v></c>',
                                  '<c r="A90" t="d"><v></v></c>', '<c r="A90" t="n"><v> </v></c>'])
def test_a_cell_that_names_its_kind_and_holds_nothing_is_blank(cell: str, spelling: Any) -> None:
    """As some programs leave a cell that was emptied: its kind still stands there, of its text nothing."""
    parts = Parts(campaign())
    name = parts.sheets()["Armies"]
    parts.members[name] = parts.members[name].replace(
        b"</sheetData>", f'<row r="90">{cell}<c r="B90"><v>7</v></c></row></sheetData>'.encode())
    spelling(parts)
    cells = seen(parts.bytes())["Armies"]

    assert cells[90, 2] == (7, "n")
    assert (90, 1) not in cells
