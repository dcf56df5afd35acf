"""Hostile files and hostile texts: each is named, none becomes a formula, a path or a program that runs."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assistant.campaign.records import Event, Faction
from assistant.turn import codes
from assistant.workbook.file_book import open_book
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import parse_csv, read_folder, write_folder
from assistant.workbook.read.grid import readable, strip_invisible
from assistant.workbook.screening import LIMITS, refusal, risky_content
from tests.books.parts import Parts
from tests.playing import create_workbook
from tests.sweeps import all_slow, fast_among
from tests.workbook.feast import FEAST, LINES, OWN_LINK, Army, Node, Order, feast, loader, plain, wording, workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOMB = ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
        f'<workbook xmlns="{MAIN}">&b;</workbook>')
OUTSIDE = '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE x SYSTEM "file:///etc/passwd"><workbook/>'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An English workbook of the Feast."""
    return workbook(tmp_path / "feast.xlsx")


def with_parts(data: bytes, *parts: tuple[str, str | bytes]) -> bytes:
    """A workbook with parts put in, or put in the place of its own."""
    out = io.BytesIO()
    new = dict(parts)
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for info in old.infolist():
            if info.filename not in new:
                archive.writestr(info, old.read(info))
        for name, content in parts:
            archive.writestr(name, content)
    return out.getvalue()


def with_relation(data: bytes, kind: str, target: str, outside: bool = False) -> bytes:
    """A workbook whose book has one more relationship."""
    name = "xl/_rels/workbook.xml.rels"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read(name).decode()
    mode = ' TargetMode="External"' if outside else ""
    one = f'<Relationship Id="rIdX" Type="{kind}" Target="{target}"{mode}/></Relationships>'
    return with_parts(data, (name, text.replace("</Relationships>", one)))


# --- files that are not opened --------------------------------------------------------------------
def _blanks(data: bytes) -> bytes:
    return with_parts(data, ("xl/worksheets/sheet99.xml", b"<worksheet>" + b" " * (3 * 2**20) + b"</worksheet>"))


def _claims(size: int) -> Callable[[bytes], bytes]:
    """A part whose entry in the zip's directory claims a size."""
    def make(data: bytes) -> bytes:
        found = bytearray(with_parts(data, ("xl/media/big.bin", b"x")))
        at = found.rindex(b"xl/media/big.bin") - 46
        found[at + 24:at + 28] = size.to_bytes(4, "little")
        return bytes(found)
    return make


def _twice(data: bytes) -> bytes:
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("XL/Workbook.xml", "<other/>")
    return out.getvalue()


def _ods(_: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<x/>")
    return out.getvalue()


def _strict(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read("xl/workbook.xml").decode()
    return with_parts(data, ("xl/workbook.xml", text.replace(MAIN, "http://purl.oclc.org/ooxml/spreadsheetml/main")))


def _many(data: bytes) -> bytes:
    return with_parts(data, *((f"xl/media/{n}.bin", b"") for n in range(LIMITS.members)))


def _locked(data: bytes) -> bytes:
    """As a zip program's password leaves it: the flag of each member's two headings is set."""
    for sign, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        head, *rest = data.split(sign)
        data = sign.join([head, *(one[:flag - 4] + bytes([one[flag - 4] | 1]) + one[flag - 3:] for one in rest)])
    return data


@pytest.mark.parametrize(("make", "code"), [
    (_blanks, codes.UNSAFE), (_claims(LIMITS.part + 1), codes.UNSAFE), (_claims(LIMITS.whole + 1), codes.UNSAFE),
    (_many, codes.UNSAFE), (_twice, codes.PART_TWICE), (_ods, codes.OTHER_FORMAT), (_locked, codes.ENCRYPTED),
    (lambda data: with_parts(data, ("xl/workbook.xml", BOMB)), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("xl/workbook.xml", BOMB.encode("utf-16"))), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("xl/sharedStrings.xml", OUTSIDE)), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("xl/styles.xml", " " * 70_000 + OUTSIDE)), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("xl/drawings/vmlDrawing9.vml", OUTSIDE)), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("docProps/app.xml", "<!-- <a> " + "x" * 3000 + " -->" + OUTSIDE[22:])),
     codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("docProps/core.xml", "<?x <a> ?>" + OUTSIDE[22:])), codes.PART_ENTITIES),
    (lambda data: with_parts(data, ("../../evil.xml", "<x/>")), codes.PART_PATH),
    (lambda data: with_parts(data, ("xl\\..\\..\\evil.xml", "<x/>")), codes.PART_PATH),
    (lambda data: with_parts(data, ("C:/evil.xml", "<x/>")), codes.PART_PATH),
    (lambda data: with_parts(data, ("//server/share.xml", "<x/>")), codes.PART_PATH),
    (lambda data: with_parts(data, ("xl/" + "a" * 300, "<x/>")), codes.PART_PATH)])
def test_a_hostile_file_is_named_and_not_opened(path: Path, make: Callable[[bytes], bytes], code: str) -> None:
    """One finding, in both languages, and little memory, whatever the file would unpack to."""
    path.write_bytes(make(path.read_bytes()))
    tracemalloc.start()
    reading = open_book(path, loader).read()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [f.code for f in reading.findings] == [code]
    assert reading.ruleset is None
    assert peak < 40 * 2**20
    assert all("{" not in wording(lang).finding(reading.findings[0]) for lang in ("en", "it"))


def test_the_strict_form_is_read(path: Path) -> None:
    """Excel can save in a stricter form of the same format: the campaign is the same."""
    before = plain(open_book(path, loader).read().campaign)
    path.write_bytes(_strict(path.read_bytes()))
    reading = open_book(path, loader).read()

    assert reading.findings == []
    assert plain(reading.campaign) == before


def test_an_ordinary_workbook_is_refused_for_nothing(path: Path) -> None:
    """Ours brings nothing but cells."""
    assert refusal(path.read_bytes()) is None
    assert risky_content(path.read_bytes()) == []


# --- what a returned copy brings ----------------------------------------------------------------------
DDE = (f'<externalLink xmlns="{MAIN}"><ddeLink ddeService="cmd" ddeTopic="/C calc"><ddeItems/></ddeLink>'
       '</externalLink>')
BOOK = f'<externalLink xmlns="{MAIN}"><externalBook xmlns:r="{RELATED}" r:id="rId1"/></externalLink>'


@pytest.mark.parametrize(("make", "found"), [
    (lambda data: with_parts(data, ("xl/vbaProject.bin", b"\xd0\xcf")), [codes.MACROS]),
    (lambda data: with_relation(data, "http://schemas.microsoft.com/office/2006/relationships/vbaProject", "m.bin"),
     [codes.MACROS]),
    (lambda data: with_relation(data, "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet", "m.xml"),
     [codes.MACROS]),
    (lambda data: with_relation(data, f"{RELATED}/externalLink", "externalLinks/externalLink1.xml"), [codes.EXTERNAL]),
    (lambda data: with_relation(data, f"{RELATED}/image", "http://example.org/seen.png", outside=True),
     [codes.EXTERNAL]),
    (lambda data: with_relation(data, f"{RELATED}/connections", "connections.xml"), [codes.EXTERNAL]),
    (lambda data: with_relation(data, f"{RELATED}/oleObject", "embeddings/oleObject1.bin"), [codes.EMBEDDED]),
    (lambda data: with_relation(data, f"{RELATED}/package", "embeddings/other.docx"), [codes.EMBEDDED]),
    (lambda data: with_relation(data, f"{RELATED}/control", "activeX/activeX1.xml"), [codes.EMBEDDED]),
    (lambda data: with_relation(data, f"{RELATED}/hyperlink", "http://example.org", outside=True), []),
    (lambda data: with_parts(data, ("xl/externalLinks/externalLink1.xml", BOOK)), []),
    (lambda data: with_parts(data, ("xl/externalLinks/externalLink1.xml", DDE)), [codes.STARTS]),
    (lambda data: with_parts(data, ("xl/externalLinks/externalLink1.xml", DDE.encode("utf-16"))), [codes.STARTS])])
def test_what_a_workbook_brings_besides_cells_is_named(path: Path, make: Callable[[bytes], bytes],
                                                       found: list[str]) -> None:
    """Known by what its relationships are for, not by what its parts are called."""
    assert risky_content(make(path.read_bytes())) == found


def test_a_digital_signature_is_named_as_what_no_change_keeps_valid(path: Path) -> None:
    """A warning, no more: the parts of the signature stay, and the campaign is played."""
    rels = Parts(path.read_bytes())
    origin = "_xmlsignatures/origin.sigs"
    rels.add(origin, b"", "application/vnd.openxmlformats-package.digital-signature-origin")
    rels.relate("", "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin", origin)
    path.write_bytes(rels.bytes())

    findings = open_book(path, loader).read().findings
    assert [(f.code, f.severity, f.data) for f in findings] == [(codes.SIGNED, "warning", {"file": path.name})]


# --- signs that cannot be seen ----------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "read"), [
    ("Anna\u202egnp.exe", "Annagnp.exe"), ("x\u00ady", "xy"), ("a\u200db", "ab"),
    *all_slow([
        ("V\u200b8", "V8"), ("\u2068Anna\u2069", "Anna"), ("a\ufeffb", "ab"), ("ab\U000e0041", "ab"),
        ("👩\u200b\u200da", "👩a")])])
def test_signs_that_cannot_be_seen_are_left_out_and_named(path: Path, typed: str, read: str) -> None:
    """A warning at the cell; what is read is what people see."""
    made = feast()
    made.table(Node)["T1"].name = typed
    create_workbook(FEAST, made, path, wording(), LINES)
    reading = open_book(path, loader).read()

    assert [(f.code, f.severity, f.cell) for f in reading.findings] == [(codes.INVISIBLE, "warning", "Nodes!B5")]
    assert reading.campaign.table(Node)["T1"].name == read
    assert read in wording().finding(reading.findings[0])


@pytest.mark.parametrize("text", ["👩\u200d👩\u200d👧", "می\u200cخواهم", "Łódź", "l’alba", "a\nb\tc"])
def test_signs_that_a_language_needs_stay(text: str) -> None:
    """Families of emoji, Persian, accents, line ends."""
    assert strip_invisible(text) == text
    assert readable(text) == text


def test_a_code_with_a_hidden_sign_is_the_code_that_people_see(path: Path) -> None:
    """It does not pass for another one, in a club's order either."""
    made = feast()
    made.table(Army)["R-1"].node = "T\u200b2"
    made.table(Order)["1-serve-R-1"].note = "\u202eyes"
    create_workbook(FEAST, made, path, wording(), LINES)
    reading = open_book(path, loader).read()

    assert {f.code for f in reading.findings} == {codes.INVISIBLE}
    assert not any(f.stops for f in reading.findings)
    assert reading.campaign.table(Army)["R-1"].node == "T2"
    assert reading.campaign.table(Order)["1-serve-R-1"].note == "yes"


def test_control_characters_are_named(tmp_path: Path) -> None:
    """In a CSV, where nothing keeps them out."""
    write_folder(feast(), tmp_path)
    nodes = (tmp_path / "nodes.csv").read_text()
    (tmp_path / "nodes.csv").write_text(nodes.replace("High table", "High\x07 table"))
    _, made, findings = read_folder(tmp_path, FEAST)

    assert [(f.code, f.cell) for f in findings] == [(codes.CONTROL, "nodes.csv!B2")]
    assert made.table(Node)["T1"].name == "High table"


# --- formulas -----------------------------------------------------------------------------------------
FORMULAS = ["=1+1", "=cmd|'/C calc'!A0", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "{=1}", "=HYPERLINK(\"http://x\")",
            "\uff1d1+1", "'=1", "=", "http://example.org", "1e5", "0123", "_x000a_=1"]


@pytest.mark.parametrize("text", fast_among(FORMULAS, "=1+1", "-2+3", '=HYPERLINK("http://x")', "=", "0123"))
def test_no_text_becomes_a_formula_in_a_workbook(path: Path, text: str) -> None:
    """Built or changed: the file holds no formula and no link, and gives the text back."""
    made = feast()
    made.desk.title = text
    for faction in made.table(Faction):
        faction.name_en = faction.name_it = faction.club = text
    made.table(Node)["T1"].name = text
    made.table(Order)["1-serve-R-1"].note = text
    made.table(Event).add(Event(no=2, turn="1", phase="serve", audience="all", event="served",
                                data={"army": text, "n": 1}))
    lines = DeskLines(text, (("R", text),), (text,), (text,))
    create_workbook(FEAST, made, path, wording(), lines)
    assert _formulas(path) == []
    assert plain(open_book(path, loader).read().campaign) == plain(made)

    workbook(path)
    book = open_book(path, loader)
    book.write(book.read().campaign, made, wording(), lines)
    assert _formulas(path) == []
    assert plain(open_book(path, loader).read().campaign) == plain(made)


def _formulas(path: Path) -> list[str]:
    """Every formula but the Desk's link, and every address outside, in a workbook's sheets, as their XML has them."""
    found = []
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/sheet"):
                cells = ElementTree.fromstring(archive.read(name)).iter(f"{{{MAIN}}}f")
                found += [f"{name}: {cell.text}" for cell in cells if not str(cell.text).startswith(OWN_LINK[1:])]
            if name.endswith(".rels") and b"External" in archive.read(name):
                found.append(name)
    return found


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_becomes_a_formula_in_an_exported_csv_and_all_come_back(tmp_path: Path, text: str) -> None:
    """An apostrophe stands before what a spreadsheet would calculate, and `new --from` takes it off again."""
    made = feast()
    made.desk.title = text
    made.table(Node)["T1"].name = text
    made.table(Order)["1-serve-R-1"].note = text
    write_folder(made, tmp_path)
    cells = [cell for file in tmp_path.iterdir() for row in parse_csv(file.read_bytes()) for cell in row]
    risky = [cell for cell in cells if cell.lstrip().startswith(("=", "+", "@", "\t", "\r", "＝"))
             or (cell.startswith("-") and not cell[1:].isdigit())]

    assert risky == []
    _, back, findings = read_folder(tmp_path, FEAST)
    assert findings == []
    assert plain(back) == plain(made)
