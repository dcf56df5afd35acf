"""Tables that grow: filters, totals, calculated columns, drop-downs and colours go with them, and results are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.workbook.file_book import open_book
from tests.books.campaigning import stops
from tests.books.corpus import with_club_sheet
from tests.books.oracles import by_office, cells, joined, new_messages
from tests.books.parts import Parts, child, parsed
from tests.books.sheetwise import place, text
from tests.workbook.feast import LINES, Army, loader, wording

SUM = "SUBTOTAL(109,tbl_Armies[Guests])"
DOUBLE = "tbl_Armies[[#This Row],[Guests]]*2"


def with_totals() -> bytes:
    """Armies with a club's calculated column, a row of totals, and rules of both kinds that end with the table."""
    parts = with_club_sheet()
    sheet = parts.sheets()["Armies"]
    place(parts, sheet, 4, text("H4", "Double"))
    for row, guests in ((5, 120), (6, 7)):
        place(parts, sheet, row, f'<c r="H{row}"><f>{DOUBLE}</f><v>{guests * 2}</v></c>')
    place(parts, sheet, 7, text("A7", "Total"), f'<c r="D7"><f>{SUM}</f><v>127</v></c>')
    table = parts.of_kind(sheet, "table")

    def change(root: Any) -> None:
        root.attrib.pop("totalsRowShown", None)
        root.set("ref", "A4:H7")
        root.set("totalsRowCount", "1")
        child(root, "autoFilter").set("ref", "A4:H6")
        columns = child(root, "tableColumns")
        columns[0].set("totalsRowLabel", "Total")
        columns[3].set("totalsRowFunction", "sum")
        column = parsed('<tableColumn id="99" name="Double"/>')
        column.append(parsed(f"<calculatedColumnFormula>{DOUBLE}</calculatedColumnFormula>"))
        columns.append(column)
        columns.set("count", str(len(columns)))
    parts.edit(table, change)
    parts.into_sheet(sheet, '<dataValidations count="1"><dataValidation type="whole" allowBlank="1" sqref="D5:D6">'
                            '<formula1>0</formula1><formula2>900</formula2></dataValidation></dataValidations>')
    parts.into_sheet(sheet, (
        '<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings>'
        '<x14:conditionalFormatting><x14:cfRule type="dataBar" id="{00000000-000E-0000-0000-000002000000}">'
        '<x14:dataBar minLength="0" maxLength="100"><x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/>'
        '<x14:negativeFillColor rgb="FFFF0000"/><x14:axisColor rgb="FF000000"/></x14:dataBar></x14:cfRule>'
        '<xm:sqref>D5:D6 H5:H6</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>'))
    return parts.bytes()


def grown(path: Path) -> Parts:
    """The workbook with three armies more, written through the port."""
    path.write_bytes(with_totals())
    book = open_book(path, loader)
    reading = book.read()
    assert joined(stops(reading)) == ""
    after = reading.campaign.copy()
    for n in (2, 3, 4):
        after.table(Army).add(Army(army=f"R-{n}", faction="R", node="T1", guests=n))
    book.write(reading.campaign, after, wording(), LINES)
    return Parts(path.read_bytes())


def test_a_table_grows_with_its_filter_and_its_totals_go_down(tmp_path: Path) -> None:
    """Three rows more: the table, its filter without the totals, and the row of totals below."""
    parts = grown(tmp_path / "book.xlsx")
    table = parts.xml(parts.of_kind(parts.sheets()["Armies"], "table"))
    armies = cells(parts, "Armies")

    assert table.get("ref") == "A4:H10"
    assert child(table, "autoFilter").get("ref") == "A4:H9"
    assert "Total" in armies["A10"][1][0]
    assert armies["D10"][1] == (f"<f>{SUM}</f>",)
    assert [armies[f"A{n}"][1][0] for n in (7, 8, 9)] == ["<t>R-2</t>", "<t>R-3</t>", "<t>R-4</t>"]


def test_a_calculated_column_goes_on_in_new_rows(tmp_path: Path) -> None:
    """A club's formula stands in every new row, without a result that somebody might believe."""
    armies = cells(grown(tmp_path / "book.xlsx"), "Armies")

    assert [armies[f"H{n}"][1] for n in (7, 8, 9)] == [(f"<f>{DOUBLE}</f>",)] * 3
    assert armies["H5"][1][0] == f"<f>{DOUBLE}</f>"


def test_rules_of_both_kinds_reach_the_new_rows(tmp_path: Path) -> None:
    """Drop-downs, and colours of the newer kind."""
    parts = grown(tmp_path / "book.xlsx")
    sheet = parts.xml(parts.sheets()["Armies"])
    areas = [e.get("sqref") for e in sheet.iter("{*}dataValidation")] + [e.text for e in sheet.iter("{*}sqref")]

    assert areas == ["D5:D9", "D5:D9 H5:H9"]


@pytest.mark.slow
def test_growth_brings_no_message_of_the_schema(tmp_path: Path) -> None:
    """Before and after, part by part."""
    grown(tmp_path / "book.xlsx")

    assert joined(new_messages(with_totals(), (tmp_path / "book.xlsx").read_bytes())) == ""


@pytest.mark.slow
def test_libreoffice_works_totals_and_columns_out_anew(tmp_path: Path) -> None:
    """What somebody sees who opens the workbook in LibreOffice is right: no result is older than its cells."""
    grown(tmp_path / "book.xlsx")
    grid = by_office([tmp_path / "book.xlsx"], tmp_path)["book.xlsx"]

    assert isinstance(grid, dict)
    assert {ref: grid["Armies"].get(ref) for ref in ("D10", "H5", "H7", "H9")} == {
        "D10": 136, "H5": 240, "H7": 4, "H9": 8}
