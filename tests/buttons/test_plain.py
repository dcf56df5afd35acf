"""The copy that clubs get of a workbook with buttons: a plain one, with everything else as it is."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.buttons import workbook_buttons as conf
from assistant.buttons.press import BUTTONS
from assistant.buttons.workbook_buttons import add_buttons, has_buttons, plain_copy, strip_buttons, with_buttons
from assistant.testing.cases import campaign_of
from assistant.turn.findings import Finding, Where
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.package import ZipPackage
from assistant.workbook.ooxml.sheet import drawing_of
from assistant.workbook.screening import risky_content
from tests.playing import members
from tests.workbook.feast import loader, plain, wording, workbook

pytestmark = pytest.mark.slow  # each makes a workbook with buttons and takes them out again

RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CONTROL = ('<mc:AlternateContent><mc:Choice Requires="x14"><control shapeId="{id}" r:id="{link}" name="Button {id}">'
           '<controlPr defaultSize="0" print="0" autoFill="0" macro="[0]!{macro}"><anchor/></controlPr></control>'
           "</mc:Choice></mc:AlternateContent>")
ANCHOR = ('<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice Requires="a14"><xdr:twoCellAnchor>'
          '<xdr:sp macro="[0]!{macro}"><xdr:nvSpPr><xdr:cNvPr id="{id}" name="Button"/></xdr:nvSpPr></xdr:sp>'
          "<xdr:clientData/></xdr:twoCellAnchor>"
          "</mc:Choice><mc:Fallback/></mc:AlternateContent>")


@pytest.fixture
def feast(tmp_path: Path) -> bytes:
    """The Feast's workbook, without macros."""
    return workbook(tmp_path / "feast.xlsx").read_bytes()


def by_olevba(data: bytes) -> bool:
    """Whether oletools sees macros."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from oletools.olevba import VBA_Parser
    return bool(VBA_Parser("copy.xlsx", data=data).detect_vba_macros())


def bare(data: bytes) -> bytes:
    """A part without the names that macros know documents by, which are no macros, which stay."""
    return re.sub(rb' codeName="\w+"|<sheetPr codeName="\w+"/>', b"", data)


def saved_by_excel(data: bytes, macros: list[str], pictures: str = "") -> bytes:
    """As Excel saves form buttons: besides the old drawing a list of controls and a new drawing, all for one sheet."""
    book = OoxmlBook(data)
    package, sheet = book.package, book.sheets["Desk"].part
    listed, drawn = "", ""
    for number, macro in enumerate(macros, 1025):
        part = f"xl/ctrlProps/ctrlProp{number}.xml"
        package.put(part, b'<formControlPr objectType="Button" lockText="1"/>')
        package.declare(part, "application/vnd.ms-excel.controlproperties+xml")
        listed += CONTROL.format(id=number, macro=macro, link=package.link(sheet, f"{RELATED}/ctrlProp", part))
        drawn += ANCHOR.format(id=number, macro=macro)
    package.put("xl/drawings/drawing77.xml", f'<xdr:wsDr xmlns:xdr="urn:xdr">{drawn}{pictures}</xdr:wsDr>'.encode())
    package.declare("xl/drawings/drawing77.xml", "application/vnd.openxmlformats-officedocument.drawing+xml")
    link = package.link(sheet, f"{RELATED}/drawing", "xl/drawings/drawing77.xml")
    text = package.text(sheet).decode()
    text = text.replace("<legacyDrawing ", f'<drawing xmlns:r="{RELATED}" r:id="{link}"/><legacyDrawing ', 1)
    text = text.replace("</worksheet>", '<mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice Requires="x14"><controls '
                        f'xmlns:r="{RELATED}">{listed}</controls></mc:Choice></mc:AlternateContent></worksheet>')
    package.put(sheet, text.encode())
    return package.pack()


def test_a_plain_copy_has_no_macro_no_button_and_no_python(feast: bytes) -> None:
    """Main part, project, drawing and the sheet of settings: what buttons brought is gone, all else is there."""
    copy = strip_buttons(with_buttons(feast, "it"))

    before, after = members(feast), members(copy)
    assert set(after) == set(before)
    assert [part for part in after if bare(after[part]) != bare(before[part])
            and part not in ("[Content_Types].xml", "xl/styles.xml", "xl/workbook.xml")] == []
    assert b"macroEnabled" not in after["[Content_Types].xml"]
    assert not by_olevba(copy)
    assert risky_content(copy) == []
    assert openpyxl.load_workbook(io.BytesIO(copy)).sheetnames == openpyxl.load_workbook(io.BytesIO(feast)).sheetnames
    assert conf.interpreter().encode() not in b"".join(after.values())
    assert not any(button.sub.encode() in data for button in BUTTONS for data in after.values())


def test_a_plain_workbook_comes_out_as_it_is(feast: bytes) -> None:
    """Byte for byte."""
    assert strip_buttons(feast) == feast


def test_what_excel_writes_besides_goes_too(feast: bytes) -> None:
    """Its list of controls and its new drawing, with the parts that only they lead to."""
    copy = strip_buttons(saved_by_excel(with_buttons(feast, "en"), [button.sub for button in BUTTONS]))

    parts = members(copy)
    assert set(parts) == set(members(feast))
    desk_sheet = parts[OoxmlBook(copy).sheets["Desk"].part]
    assert not any(word in desk_sheet for word in (b"<controls", b"AlternateContent", b"<drawing"))
    assert b"ctrlProp" not in parts["[Content_Types].xml"] + b"".join(
        data for name, data in parts.items() if name.endswith(".rels"))


def test_a_clubs_own_controls_and_drawings_stay(feast: bytes) -> None:
    """Only what is bound to our macros is taken out."""
    own = "<xdr:twoCellAnchor><xdr:pic/></xdr:twoCellAnchor>"
    copy = strip_buttons(saved_by_excel(with_buttons(feast, "en"), ["Arbitro_Undo", "Theirs"], own))

    parts = members(copy)
    desk_sheet = parts[OoxmlBook(copy).sheets["Desk"].part].decode()
    assert re.findall(r'macro="([^"]+)"', desk_sheet) == ["[0]!Theirs"]
    assert desk_sheet.count("<mc:AlternateContent>") == 1
    drawing = parts["xl/drawings/drawing77.xml"].decode()
    assert re.findall(r'macro="([^"]+)"', drawing) == ["[0]!Theirs"]
    assert own in drawing
    assert [name for name in parts if "ctrlProp" in name] == ["xl/ctrlProps/ctrlProp1026.xml"]


def test_a_note_beside_the_buttons_stays(feast: bytes, tmp_path: Path) -> None:
    """Buttons and notes share a drawing; the note keeps its box."""
    path = tmp_path / "marked.xlsm"
    path.write_bytes(with_buttons(feast, "en"))
    book = open_book(path, loader)
    cell = next(iter(book.read().cells.desk.values()))
    book.mark([Finding("ARB-044", "error", Where("Desk"), {"seen": "x"}, "", f"Desk!{cell[0]}{cell[1]}")], wording())

    copy = strip_buttons(path.read_bytes())

    shown = openpyxl.load_workbook(io.BytesIO(copy))["Desk"][f"{cell[0]}{cell[1]}"].comment
    assert shown is not None
    assert "ARB-044" in shown.text
    plain_book = OoxmlBook(copy)
    boxes = plain_book.package.raw(drawing_of(plain_book.package, plain_book.sheets["Desk"].part))
    assert (boxes.count(b'ObjectType="Note"'), boxes.count(b'ObjectType="Button"')) == (1, 0)


def test_sheets_and_names_behind_the_one_that_goes_keep_their_places(feast: bytes) -> None:
    """Names of one sheet count sheets; so does the window."""
    club = openpyxl.load_workbook(io.BytesIO(with_buttons(feast, "en")), keep_vba=True)
    sheet = club.create_sheet("Ours")
    sheet["A1"] = 7
    sheet.print_area = "A1:B2"
    club.active = len(club.sheetnames) - 1
    out = io.BytesIO()
    club.save(out)

    copy = openpyxl.load_workbook(io.BytesIO(strip_buttons(out.getvalue())))

    assert conf.SHEET not in copy.sheetnames
    assert copy["Ours"].print_area == "'Ours'!$A$1:$B$2"
    assert copy.active is copy["Ours"]


# --- the command -------------------------------------------------------------------------------
def test_a_clubs_copy_is_taken_back_with_its_orders(book: Path, tmp_path: Path) -> None:
    """From the referee's .xlsm to a club and back: the copy is plain, and its orders are taken."""
    assert add_buttons(book, lang="en").exit == desk.Exit.DONE
    campaign, copy = book.with_suffix(".xlsm"), tmp_path / "for-the-clubs.xlsx"
    before = campaign.read_bytes()

    result = plain_copy(campaign, copy, lang="en")

    assert (result.exit, campaign.read_bytes()) == (desk.Exit.DONE, before)
    assert not has_buttons(OoxmlBook(copy.read_bytes()))
    assert plain(campaign_of(copy)) == plain(campaign_of(campaign))
    refused = desk.take_orders(campaign, [desk.Input(campaign.name, path=campaign)])
    assert [f.code for f in refused.findings] == ["ARB-155"]
    club = openpyxl.load_workbook(copy)
    orders = club["Orders"]
    heads = {str(cell.value).strip(): cell.coordinate.rstrip("0123456789") for cell in orders[4]}
    orders[f"{heads['Faction']}5"], orders[f"{heads['In words']}5"] = "A", "go M1"
    club.save(copy)
    assert desk.take_orders(campaign, [desk.Input(copy.name, path=copy)]).exit == desk.Exit.DONE


def test_a_copy_is_refused_that_would_not_be_taken_back(feast: bytes, tmp_path: Path) -> None:
    """A link to another file: it is named, and nothing is written."""
    package = ZipPackage(with_buttons(feast, "en"))
    package.put("xl/externalLinks/externalLink1.xml", b"<externalLink/>")
    package.link("xl/workbook.xml", f"{RELATED}/externalLink", "xl/externalLinks/externalLink1.xml")
    path, copy = tmp_path / "linked.xlsm", tmp_path / "copy.xlsx"
    path.write_bytes(package.pack())

    result = plain_copy(path, copy, lang="en")

    assert [f.code for f in result.findings] == ["ARB-220"]
    assert "links to other files" in result.finding_lines()[0]
    assert not copy.exists()


@pytest.mark.parametrize(("name", "code"), [
    ("copy.xlsm", "ARB-222"), ("war.xlsx", "ARB-221"), ("there.xlsx", "ARB-080")])
def test_a_copy_has_a_name_of_its_own(name: str, code: str, book: Path, tmp_path: Path) -> None:
    """It ends as a plain workbook, has no ledger in common with the campaign, and replaces nothing unasked."""
    (tmp_path / "there.xlsx").write_bytes(b"mine")

    result = plain_copy(book, tmp_path / name, lang="en")
    assert [f.code for f in result.findings] == [code]
    assert name in result.finding_lines()[0]
    assert (tmp_path / "there.xlsx").read_bytes() == b"mine"
    assert plain_copy(book, tmp_path / "there.xlsx", force=True, lang="en").exit == desk.Exit.DONE


def test_what_no_sheet_can_be_added_to_is_named(feast: bytes, tmp_path: Path) -> None:
    """A workbook whose structure is protected gets no buttons, and the way out is told."""
    club = openpyxl.load_workbook(io.BytesIO(feast))
    from openpyxl.workbook.protection import WorkbookProtection

    club.security = WorkbookProtection(lockStructure=True)
    club.save(tmp_path / "locked.xlsx")

    assert [finding.code for finding in add_buttons(tmp_path / "locked.xlsx", lang="en").findings] == ["ARB-166"]
