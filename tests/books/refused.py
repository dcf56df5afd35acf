"""Workbooks that cannot be read, or cannot be written without harm, and what is wrong with each."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.books.corpus import Make, campaign, with_club_sheet
from tests.books.parts import MAIN, Parts, packed, parsed
from tests.books.sheetwise import place, text


@dataclass(frozen=True)
class Bad:
    """A workbook that must be refused. `reading`: already when it is read, by a finding that stops."""

    name: str
    make: Make
    reading: bool


def _changed(change: Callable[[Parts], None]) -> Make:
    def make() -> bytes:
        parts = Parts(campaign())
        change(parts)
        return parts.bytes()
    return make


def _armies(change: Callable[[Parts, str], None]) -> Make:
    def make() -> bytes:
        parts = with_club_sheet()
        change(parts, parts.sheets()["Armies"])
        return parts.bytes()
    return make


# --- cannot be written -------------------------------------------------------------------------
def merged_in_the_way(parts: Parts, sheet: str) -> None:
    """A cell that we must write lies inside joined cells, not at their corner."""
    parts.into_sheet(sheet, '<mergeCells count="1"><mergeCell ref="C5:D5"/></mergeCells>')


def merged_below(parts: Parts, sheet: str) -> None:
    """The row that must be added lies inside joined cells."""
    parts.into_sheet(sheet, '<mergeCells count="1"><mergeCell ref="A7:D9"/></mergeCells>')


def array_in_the_way(parts: Parts, sheet: str) -> None:
    """A cell of the Desk that we must write belongs to an array formula."""
    def change(root: Any) -> None:
        cell = next(c for c in root.iter(f"{{{MAIN}}}c") if c.get("r") == "B6")
        cell.attrib.pop("t", None)
        for one in list(cell):
            cell.remove(one)
        cell.append(parsed('<f t="array" ref="B6:B7">ROW(A120:A121)</f>'))
    parts.edit(parts.sheets()["Desk"], change)


def array_below(parts: Parts, sheet: str) -> None:
    """An array formula stands where the table must grow."""
    place(parts, sheet, 7, '<c r="G7"><f t="array" ref="G7:H7">ROW(A1:B1)</f><v>1</v></c>', '<c r="H7"><v>1</v></c>')


def second_table_below(parts: Parts, sheet: str) -> None:
    """A club's own table stands directly below ours."""
    place(parts, sheet, 7, text("G7", "Nome"), text("H7", "Voto"))
    place(parts, sheet, 8, text("G8", "Anna"), '<c r="H8"><v>7</v></c>')
    table = parts.add("xl/tables/club.xml", (
        f'<table xmlns="{MAIN}" id="70" name="Voti" displayName="Voti" ref="G7:H8" totalsRowShown="0"><autoFilter '
        'ref="G7:H8"/><tableColumns count="2"><tableColumn id="1" name="Nome"/><tableColumn id="2" name="Voto"/>'
        '</tableColumns></table>'), "application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml")
    rid = parts.relate(sheet, "table", table)
    parts.into_sheet(sheet, f'<tableParts count="2"><tablePart r:id="{rid}"/></tableParts>')


def pivot_below(parts: Parts, sheet: str) -> None:
    """A pivot table stands directly below ours."""
    from tests.books.bookwise import pivot

    pivot(parts, sheet)
    name = "xl/pivotTables/pivotTable1.xml"
    parts.members[name] = parts.members[name].replace(b'ref="S3:T6"', b'ref="G7:H10"')
    place(parts, sheet, 7, text("G7", "Somma"), text("H7", "Somma"))


def unclosed_behind(parts: Parts, sheet: str) -> None:
    """A sheet whose rows are whole, and which ends in the middle of what follows them."""
    parts.members[sheet] = parts.members[sheet][:-60]


def without_styles(parts: Parts, sheet: str) -> None:
    """Cells name styles, and there are none."""
    parts.members["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}"/>'.encode()


def damaged_elsewhere() -> bytes:
    """One bit is wrong in a picture that nobody here reads."""
    parts = Parts(campaign())
    parts.default("png", "image/png")
    parts.members["xl/media/rotto.png"] = bytes(range(256)) * 8
    data = parts.bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo("xl/media/rotto.png")
    at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]


UNWRITABLE = (
    Bad("merged_in_the_way", _armies(merged_in_the_way), False),
    Bad("merged_below", _armies(merged_below), False),
    Bad("array_in_the_way", _armies(array_in_the_way), False),
    Bad("array_below", _armies(array_below), False),
    Bad("second_table_below", _armies(second_table_below), False),
    Bad("pivot_below", _armies(pivot_below), False),
    Bad("without_styles", _armies(without_styles), False),
    Bad("unclosed_behind", _armies(unclosed_behind), False),
    Bad("damaged_elsewhere", damaged_elsewhere, False),
)


# --- cannot be read ----------------------------------------------------------------------------
def encrypted() -> bytes:
    """A password's container, as Excel makes it."""
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(900)


def old_binary() -> bytes:
    """An .xls file under a new name."""
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504) + "Workbook".encode("utf-16-le") + bytes(900)


def open_document() -> bytes:
    """An .ods file under a new name."""
    return packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<office/>",
                   "META-INF/manifest.xml": b"<manifest/>"})


def word_document() -> bytes:
    """A text document."""
    parts = Parts(campaign())
    kinds = parts.members["[Content_Types].xml"].replace(b"spreadsheetml.sheet.main", b"wordprocessingml.document.main")
    return packed({"[Content_Types].xml": kinds, "word/document.xml": b"<w/>", "_rels/.rels":
                   parts.members["_rels/.rels"].replace(b"xl/workbook.xml", b"word/document.xml")})


def binary_workbook() -> bytes:
    """An .xlsb file under a new name."""
    parts = Parts(campaign())
    members = {name.replace("workbook.xml", "workbook.bin"): content for name, content in parts.members.items()}
    members["xl/workbook.bin"] = b"\x83\x01\x00"
    members["_rels/.rels"] = members["_rels/.rels"].replace(b"workbook.xml", b"workbook.bin")
    return packed(members)


def truncated() -> bytes:
    """A download that broke off."""
    return campaign()[: len(campaign()) * 2 // 3]


def damaged_sheet() -> bytes:
    """One bit is wrong in a sheet of ours."""
    data = campaign()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo("xl/worksheets/sheet8.xml")
    at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:]


def misnamed() -> bytes:
    """A sheet that the directory calls by another name than the sheet itself does."""
    name = b"xl/worksheets/sheet8.xml"
    data = campaign()
    at = data.index(name)  # before the sheet itself
    return data[:at] + b"xl/worksheets/sheet9.xml" + data[at + len(name):]


def password_member() -> bytes:
    """A zip whose members say that they are encrypted."""
    data = bytearray(campaign())
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(mark)
        while at >= 0:
            struct.pack_into("<H", data, at + offset, struct.unpack_from("<H", data, at + offset)[0] | 1)
            at = data.find(mark, at + 4)
    return bytes(data)


def _overgrown(megabytes: int, *, honest: bool) -> bytes:
    """The campaign's workbook with so many blanks behind a sheet; if not `honest`, its size is a lie."""
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = Parts(campaign()).members["xl/worksheets/sheet8.xml"]
    squeezed, crc = engine.compress(content), zlib.crc32(content)
    blanks = b" " * (1 << 20)
    for _ in range(megabytes):
        squeezed, crc = squeezed + engine.compress(blanks), zlib.crc32(blanks, crc)
    squeezed += engine.flush()
    size = len(content) + (megabytes << 20) if honest else len(content) + 7
    parts = Parts(campaign())
    del parts.members["xl/worksheets/sheet8.xml"]
    out = io.BytesIO(parts.bytes())
    with zipfile.ZipFile(out, "a") as archive:
        info = zipfile.ZipInfo("xl/worksheets/sheet8.xml")
        info.compress_type, info.CRC = zipfile.ZIP_DEFLATED, crc
        info.compress_size, info.file_size = len(squeezed), size
        info.header_offset = archive.start_dir
        out.seek(info.header_offset)
        out.write(info.FileHeader() + squeezed)
        archive.start_dir = out.tell()
        archive.filelist.append(info)
        archive.NameToInfo[info.filename] = info
        archive._didModify = True  # type: ignore[attr-defined]
    return out.getvalue()


def bomb() -> bytes:
    """A sheet of blanks, a thousand times as large as it is stored."""
    return _overgrown(150, honest=True)


def lying_bomb() -> bytes:
    """The same, but the directory says that it is small."""
    return _overgrown(150, honest=False)


def entities(parts: Parts) -> None:
    """A thousand million laughs."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    name = parts.sheets()["Armies"]
    body = parts.members[name].replace(b"<t>Army</t>", b"<t>&l9;</t>")
    parts.members[name] = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>'.encode() + body


def outside_entity(parts: Parts) -> None:
    """A text that is to be fetched from the machine."""
    name = parts.sheets()["Armies"]
    body = parts.members[name].replace(b"<t>Army</t>", b"<t>&f;</t>")
    parts.members[name] = b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + body


def doctype_in_rels(parts: Parts) -> None:
    """A document type where none is expected."""
    name = "xl/_rels/workbook.xml.rels"
    parts.members[name] = b"<!DOCTYPE x>" + parts.members[name]


def deep(parts: Parts) -> None:
    """Elements in elements, two hundred thousand deep."""
    name = parts.sheets()["Armies"]
    parts.members[name] = parts.members[name].replace(b"</worksheet>", b"<a>" * 200_000 + b"</a>" * 200_000
                                                      + b"</worksheet>")


def unclosed(parts: Parts) -> None:
    """A sheet that ends in the middle."""
    name = parts.sheets()["Armies"]
    parts.members[name] = parts.members[name][:parts.members[name].index(b'<row r="6"') + 60]


def climbing(parts: Parts) -> None:
    """A member that would be written outside of the folder."""
    parts.members["../../evil.sh"] = b"rm"


def windows_path(parts: Parts) -> None:
    """A member that climbs with the strokes of Windows."""
    parts.members["..\\..\\evil.bat"] = b"rm"


def doubled() -> bytes:
    """The same sheet twice: programs differ in which they take."""
    data = io.BytesIO(campaign())
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr(zipfile.ZipInfo("XL/worksheets/Sheet8.xml"), Parts(campaign()).members[
            "xl/worksheets/sheet8.xml"])
    return data.getvalue()


def many_members() -> bytes:
    """More members than any workbook has."""
    parts = Parts(campaign())
    parts.members.update({f"xl/junk/{n}.bin": b"" for n in range(30_000)})
    return parts.bytes()


def no_workbook_part(parts: Parts) -> None:
    """A package that leads to no workbook."""
    del parts.members["xl/workbook.xml"]


def missing_sheet(parts: Parts) -> None:
    """A sheet of ours that the workbook names and the file lacks."""
    del parts.members["xl/worksheets/sheet8.xml"]


UNREADABLE = (
    *(Bad(one.__name__, one, True) for one in (
        encrypted, old_binary, open_document, word_document, binary_workbook, truncated, damaged_sheet,
        misnamed, password_member, bomb, lying_bomb, doubled, many_members)),
    Bad("empty", lambda: b"", True), Bad("csv", lambda: b"faction;gold\nA;1\n", True),
    Bad("html", lambda: b"<html><table><tr><td>1</td></tr></table></html>", True),
    Bad("lock_file", lambda: b"\x04Anna" + bytes(160), True),
    *(Bad(one.__name__, _changed(one), True) for one in (
        entities, outside_entity, doctype_in_rels, deep, unclosed, climbing, windows_path, no_workbook_part,
        missing_sheet)),
)
