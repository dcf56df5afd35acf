"""Sheets of a new workbook in one that exists: they are all there, and nothing else of it has changed."""

from __future__ import annotations

import difflib
import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from openpyxl.styles import Font, PatternFill

from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import Area, quoted_area
from assistant.workbook.ooxml.transplant import add_names, add_sheets, hide_sheet
from assistant.workbook.ooxml.xml_tree import Unsafe
from tests.books import spelled
from tests.books.corpus import Book, each_once
from tests.books.drawn import shapes
from tests.books.oracles import new_messages
from tests.books.parts import Parts, child
from tests.playing import members, workbook_bytes
from tests.workbook.feast import _bytes, feast, loader, plain
from tests.workbook.test_office import converted

INSERTED = {"xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
SPELLINGS = [spelled.prefixed, spelled.marked, spelled.absolute, spelled.backslashed, spelled.other_case,
             spelled.elsewhere, spelled.unnumbered, spelled.bare, spelled.shared_strings]


def club() -> bytes:
    """A club's workbook: looks of its own, a local name, a filter, a hidden sheet, a drawn map."""
    book = openpyxl.Workbook()
    ws = book.worksheets[0]
    ws.title = "Cassa d'oro"
    for row in (["Chi", "Quanto"], ["Gino", 3], ["Ugo", 5]):
        ws.append(row)
    ws["A1"].font, ws["A1"].fill = Font(bold=True, size=20), PatternFill("solid", start_color="FF112233")
    ws["B4"] = "=SUM(B2:B3)"
    ws["B2"].number_format = '#,##0" duc."'
    ws.auto_filter.ref = "A1:B3"
    ws.print_title_rows = "1:1"
    ws.sheet_view.tabSelected = True
    book.create_sheet("Nascosto").sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    parts = Parts(out.getvalue())
    shapes(parts, parts.sheets()["Cassa d'oro"])
    return parts.bytes()


def with_feast(target: bytes, lang: str = "it") -> bytes:
    """A workbook with the Feast's sheets in it."""
    book = OoxmlBook(target)
    add_sheets(book, OoxmlBook(_bytes(lang)))
    return book.package.pack()


def only_inserted(old: bytes, new: bytes) -> bool:
    """Whether nothing of the old was taken away or replaced."""
    found = difflib.SequenceMatcher(None, old.decode(), new.decode(), autojunk=False).get_opcodes()
    return {op for op, *_ in found} <= {"equal", "insert"}


def test_every_other_part_stays_byte_for_byte() -> None:
    """Sheets, drawings, theme and properties of the club; its list of sheets, names and types only grow."""
    given = club()
    before, after = members(given), members(with_feast(given))

    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {*INSERTED, "xl/styles.xml"}
    assert all(only_inserted(before[name], after[name]) for name in INSERTED)


def test_styles_that_are_there_keep_their_numbers() -> None:
    """The club's cells look as before: fonts, fills and formats are only appended."""
    old, new = (openpyxl.load_workbook(io.BytesIO(data))["Cassa d'oro"] for data in (club(), with_feast(club())))

    for cell in ("A1", "B2", "A2"):
        assert repr(old[cell].font) == repr(new[cell].font)
        assert repr(old[cell].fill) == repr(new[cell].fill)
        assert old[cell].number_format == new[cell].number_format


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_campaign_is_read_from_the_clubs_workbook(tmp_path: Path, lang: str) -> None:
    """Every value of every table comes back, without a finding."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(with_feast(club(), lang))

    reading = open_book(path, loader).read()

    assert reading.findings == []
    assert plain(reading.campaign) == plain(feast(lang))


@pytest.mark.parametrize("how", SPELLINGS, ids=lambda how: how.__name__)
def test_however_the_clubs_workbook_is_spelled(tmp_path: Path, how: Callable[[Parts], None]) -> None:
    """Prefixes, marks, odd targets and other writings of the format make no difference."""
    parts = Parts(club())
    how(parts)
    path = tmp_path / "club.xlsx"
    path.write_bytes(with_feast(parts.bytes()))

    assert plain(open_book(path, loader).read().campaign) == plain(feast("it"))
    book = OoxmlBook(path.read_bytes())
    assert list(book.sheets)[:2] == ["Cassa d'oro", "Nascosto"]
    assert b"A86A12" in book.styles.xml(book.rows("Ordini")[4][1].style, "fill")
    assert b"112233" in book.styles.xml(book.rows("Cassa d'oro")[1][1].style, "fill")


@pytest.mark.slow
def test_what_hangs_on_the_sheets_comes_along() -> None:
    """Tables with ids of their own, drop-downs, colours of factions, notes, links, print titles, hidden lists."""
    made = with_feast(club())
    book = openpyxl.load_workbook(io.BytesIO(made))
    original = openpyxl.load_workbook(io.BytesIO(_bytes("it")))
    for theirs in original.worksheets:
        ours = book[theirs.title]
        assert ours.sheet_state == theirs.sheet_state
        assert ours.print_title_rows == theirs.print_title_rows
        assert list(ours.tables) == list(theirs.tables)
        assert [str(v.sqref) for v in ours.data_validations.dataValidation] == [
            str(v.sqref) for v in theirs.data_validations.dataValidation]
        for row in theirs.iter_rows():
            for cell in row:
                there = ours[cell.coordinate]
                assert (there.value, there.number_format, there.fill.fgColor.rgb, there.font.b, there.comment) == (
                    cell.value, cell.number_format, cell.fill.fgColor.rgb, cell.font.b, cell.comment)
                assert (there.hyperlink.location if there.hyperlink else "") == (
                    cell.hyperlink.location if cell.hyperlink else "")
    rules = {rule.formula[0]: rule for area in book["Ordini"].conditional_formatting for rule in area.rules}
    assert rules['"R"'].dxf.fill.bgColor.rgb == "00B5202E"
    tables = [t.id for ws in book.worksheets for t in ws.tables.values()]
    assert len(set(tables)) == len(tables)
    assert set(original.defined_names) <= set(book.defined_names)


def test_only_one_sheet_is_in_front() -> None:
    """Two selected sheets would be a group, in which every key is typed twice."""
    parts = members(with_feast(club()))

    assert sum(b"tabSelected" in data for name, data in parts.items() if "worksheets/" in name) == 1


def test_a_workbook_of_xlsxwriter_with_the_other_epoch(tmp_path: Path) -> None:
    """Dates that are counted from 1904 stay, and our sheets hold none."""
    path = tmp_path / "mac.xlsx"
    with xlsxwriter.Workbook(path, {"date_1904": True}) as book:
        sheet = book.add_worksheet("Date")
        sheet.write_number(0, 0, 1000, book.add_format({"num_format": "dd/mm/yyyy"}))
    before = OoxmlBook(path.read_bytes()).rows("Date")[1][1].value
    path.write_bytes(with_feast(path.read_bytes()))

    assert OoxmlBook(path.read_bytes()).rows("Date")[1][1].value == before
    assert plain(open_book(path, loader).read().campaign) == plain(feast("it"))


def test_a_workbook_without_any_style_or_string(tmp_path: Path) -> None:
    """It takes ours as they are."""
    parts = Parts(club())
    for sheet in parts.sheets().values():
        parts.edit(sheet, lambda root: [e.attrib.pop("s", None) for e in root.iter("{*}c")])
    styles = parts.of_kind(parts.book, "styles")
    del parts.members[styles]
    parts.edit("xl/_rels/workbook.xml.rels", lambda root: [root.remove(e) for e in list(root)
                                                           if e.get("Type").endswith("/styles")])
    parts.edit("[Content_Types].xml", lambda root: [root.remove(e) for e in list(root)
                                                    if e.get("PartName") == f"/{styles}"])
    path = tmp_path / "club.xlsx"
    path.write_bytes(with_feast(parts.bytes()))

    assert plain(open_book(path, loader).read().campaign) == plain(feast("it"))
    assert openpyxl.load_workbook(path)["Ordini"]["A4"].fill.fgColor.rgb == "00A86A12"


def test_what_is_in_the_way_is_refused_before_anything_is_changed() -> None:
    """A title, a name, a table, a protected structure: each says what it is, and the package stays whole."""
    again = OoxmlBook(with_feast(club()))
    with pytest.raises(Unsafe) as title:
        add_sheets(again, OoxmlBook(_bytes("it")), ["Ordini"])
    assert (title.value.reason, title.value.detail) == ("title", "Ordini")
    with pytest.raises(Unsafe) as name:
        add_sheets(again, OoxmlBook(_bytes("en")), ["Orders"])
    assert (name.value.reason, name.value.detail) == ("name", "tbl_Orders")

    parts = Parts(club())
    parts.edit(parts.book, lambda root: child(root, "workbookProtection").set("lockStructure", "1"))
    locked = OoxmlBook(parts.bytes())
    with pytest.raises(Unsafe) as protected:
        add_sheets(locked, OoxmlBook(_bytes("it")))
    assert protected.value.reason == "protected"
    assert not again.package.changed
    assert not locked.package.changed


def test_names_are_added_once_and_a_sheet_of_ours_can_be_hidden() -> None:
    """A hidden sheet that was in front hands that over to another of ours."""
    book = OoxmlBook(with_feast(club()))
    add_names(book, {"arbitro_Cassa": quoted_area("Cassa d'oro", Area(1, 1, 2, 3))})
    with pytest.raises(Unsafe):
        add_names(book, {"ARBITRO_cassa": "1"})
    hide_sheet(book, "Ordini", "Banco")
    again = OoxmlBook(book.package.pack())

    assert again.places("arbitro_Cassa") == ("Cassa d'oro", Area(1, 1, 2, 3))
    assert again.sheets["Ordini"].hidden
    assert not again.sheets["Banco"].hidden


@pytest.mark.slow
def test_libreoffice_opens_it_and_keeps_what_was_added(tmp_path: Path) -> None:
    """Saved by LibreOffice before and after, the campaign reads the same."""
    path = tmp_path / "club.xlsx"
    path.write_bytes(club())
    saved = converted(path, "xlsx")
    saved.write_bytes(with_feast(saved.read_bytes()))
    saved = saved.rename(tmp_path / "joined.xlsx")
    again = converted(saved, "xlsx")

    for one in (saved, again):
        reading = open_book(one, loader).read()
        assert [f for f in reading.findings if f.stops] == []
        assert plain(reading.campaign) == plain(feast("it"))


@pytest.mark.slow
@pytest.mark.parametrize("book", each_once(), ids=lambda book: book.name)
def test_whatever_clubs_put_into_a_workbook_stays(book: Book) -> None:
    """For each workbook of the corpus: a sheet more, four parts that grew, the rest byte for byte."""
    other = openpyxl.Workbook()
    other.worksheets[0].title = "Ospite"
    other.worksheets[0]["A1"] = "buonasera"
    before = book.make()
    target = OoxmlBook(before)
    add_sheets(target, OoxmlBook(workbook_bytes(other)))
    after = target.package.pack()
    old, new = OoxmlBook(before), OoxmlBook(after)

    assert len([n for n in old.package.names() if old.package.raw(n) != new.package.raw(n)]) <= 4
    assert list(new.sheets) == [*old.sheets, "Ospite"]
    assert new.rows("Ospite")[1][1].value == "buonasera"
    assert [m for m in new_messages(before, after) if "fonts/font" not in m] == []
    if "openpyxl" not in book.blind:
        assert openpyxl.load_workbook(io.BytesIO(after))["Ospite"]["A1"].value == "buonasera"
