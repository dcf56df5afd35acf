"""Long sheets in pieces: any reader sees one sheet, only its end is compressed anew, and a harmed one is noticed."""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from assistant.workbook.ooxml import package
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.sheet import Editing
from assistant.workbook.ooxml.xml_tree import Damaged
from tests.books.corpus import campaign

HEAD = b'<?xml version="1.0"?><worksheet><dimension ref="A1:B9"/><sheetData>'
END = b"</sheetData><pageMargins/></worksheet>"
TITLE = "Events"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight rows are a piece, and every sheet is a long one."""
    monkeypatch.setattr(package, "PIECE", 8)
    monkeypatch.setattr(package, "LONG", 2**10)


def rows(first: int, last: int) -> bytes:
    """The rows from one number to another, each with a number and a text."""
    return b"".join(b'<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="inlineStr"><is><t>row %d</t></is></c></row>'
                    % (n, n, n * n, n, n) for n in range(first, last + 1))


def taken_apart(data: bytes) -> package.ChunkedPart:
    """A part, packed with its seams and taken apart again."""
    found = package.split_chunks(package.pack_chunks(data), len(data), zlib.crc32(data))
    assert found is not None
    return found


@given(first=st.integers(1, 40), count=st.integers(1, 60), more=st.integers(0, 40), wide=st.binary(max_size=30))
def test_what_is_written_on_is_what_would_be_packed_anew(first: int, count: int, more: int, wide: bytes) -> None:
    """The same bytes, however many rows there were and come, and whatever the head becomes."""
    last = first + count - 1
    ends = taken_apart(HEAD + rows(first, last) + END)
    head = HEAD.replace(b"B9", b"B9" + wide.replace(b"<", b""))
    longer = ends._replace(head=head, tail=ends.tail[:-len(END)] + rows(last + 1, last + more) + END)
    wanted = head + rows(first, last + more) + END

    data = longer.all_bytes()

    assert zlib.decompress(data, -15) == wanted
    assert data == package.pack_chunks(wanted)
    assert longer.whole() == wanted


def test_most_of_a_long_sheet_is_taken_over() -> None:
    """Of a thousand rows the last two pieces are compressed anew."""
    ends = taken_apart(HEAD + rows(1, 1000) + END)

    assert ends.head == HEAD
    assert ends.tail == rows(992, 1000) + END
    assert ends.middle == rows(1, 991)
    assert ends.packed in package.pack_chunks(HEAD + rows(1, 1000) + END)


@pytest.mark.parametrize("harm", ["head", "middle", "tail", "size", "crc"])
def test_what_is_not_the_very_part_is_noticed(harm: str) -> None:
    """One sign in the head, the middle or the tail, or a size or checksum that does not fit."""
    data = HEAD + rows(1, 100) + END
    other = {"head": data.replace(b"ref", b"fer", 1), "middle": data.replace(b"row 40", b"row 41"),
             "tail": data.replace(b"row 100", b"row 101")}.get(harm, data)
    size = len(data) + (harm == "size")
    crc = zlib.crc32(data) ^ (harm == "crc")

    assert package.split_chunks(package.pack_chunks(data), len(data), zlib.crc32(data)) is not None
    assert package.split_chunks(package.pack_chunks(other), size, crc) is None


def test_a_stream_without_seams_is_taken_as_a_whole() -> None:
    """What another program packed, and what only looks like a seam."""
    data = HEAD + rows(1, 100) + END
    engine = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = engine.compress(data) + engine.flush()

    assert package.split_chunks(packed, len(data), zlib.crc32(data)) is None
    assert package.split_chunks(packed[:60] + b"\x00\x00\xff\xff" + packed[60:], len(data), zlib.crc32(data)) is None


@pytest.mark.parametrize(("data", "why"), [
    (HEAD + b'<row r="1"><c r="A1"><f>1+1</f></c></row>' + END, "a formula"),
    (HEAD + b"<row><c><v>1</v></c></row>" + END, "a row without its number"),
    (HEAD + rows(1, 2) + b"<!-- remark --></sheetData></worksheet>", "a remark"),
    (b"<x:worksheet><x:sheetData></x:sheetData></x:worksheet>", "another spelling"),
    (b"<sst><si><t>words</t></si></sst>", "no sheet"),
])
def test_what_may_have_seams(data: bytes, why: str) -> None:
    """Plain sheets without formulas."""
    assert not package.can_be_chunked(data), why
    assert package.can_be_chunked(HEAD + rows(1, 2) + END)


# --- in a workbook ----------------------------------------------------------------------------
def written_on(data: bytes, first: int, last: int, *, trusting: bool, word: str = "told") -> tuple[bytes, OoxmlBook]:
    """Rows put into the events, proved; `trusting`: that the sheet is as it was proved before."""
    book = OoxmlBook(data)
    if trusting:
        book.trust(TITLE)
    editing = Editing(book)
    for n in range(first, last + 1):
        editing.sheet(TITLE).put(n, 1, n)
        editing.sheet(TITLE).put(n, 5, f"{word} {n}")
    editing.save()
    found = book.package.pack()
    editing.prove(found)
    return found, book


def seen(data: bytes) -> list[tuple[object, object]]:
    """Two columns of the events as openpyxl reads them, from row 100 on; the package is whole."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
    sheet = load_workbook(io.BytesIO(data))[TITLE]
    return [(row[0], row[4]) for row in sheet.iter_rows(min_row=100, values_only=True)]


def test_a_sheet_is_written_on_at_its_end_only() -> None:
    """The middle is taken over; the result is the bytes of who compressed all, and others read it."""
    data, _ = written_on(campaign(), 100, 180, trusting=False)

    one, book = written_on(data, 181, 200, trusting=True)
    other, _ = written_on(data, 181, 200, trusting=False)

    assert one == other
    assert book.package.chunks_of(book.sheets[TITLE].part) is not None
    assert seen(one) == [(n, f"told {n}") for n in range(100, 201)]


def test_an_old_row_is_changed_by_way_of_the_whole() -> None:
    """A cell far above the end: the sheet is unpacked, and nothing else differs."""
    data, _ = written_on(campaign(), 100, 180, trusting=False)

    one, book = written_on(data, 110, 110, trusting=True, word="corrected")
    other, _ = written_on(data, 110, 110, trusting=False, word="corrected")

    assert book.package.chunks_of(book.sheets[TITLE].part) is None
    assert one == other
    assert seen(one)[10] == (110, "corrected 110")
    assert len(seen(one)) == 81


def test_a_formula_ends_the_seams() -> None:
    """A club's formula in a new row: the sheet is packed as one piece again, and read by others."""
    data, _ = written_on(campaign(), 100, 180, trusting=False)
    book = OoxmlBook(data)
    book.trust(TITLE)
    editing = Editing(book)
    editing.sheet(TITLE).set_formula(181, 1, "1+1", 0)
    editing.save()
    found = book.package.pack()
    editing.prove(found)
    again = OoxmlBook(found)
    again.trust(TITLE)

    assert again.package.chunks_of(again.sheets[TITLE].part) is None
    assert seen(found)[-1] == ("=1+1", None)


def test_rows_are_looked_for_in_the_whole_where_the_end_does_not_have_them() -> None:
    """Reading single rows of a sheet of which only the end was unpacked."""
    data, _ = written_on(campaign(), 100, 180, trusting=False)
    book = OoxmlBook(data)
    book.trust(TITLE)

    assert book.some_rows(TITLE, 180, 180)[180][1].value == 180
    assert book.some_rows(TITLE, 104, 105).keys() == {104, 105}
    assert book.some_rows(TITLE, 180, 180)[180][5].value == "told 180"


def test_a_harmed_middle_is_damage_and_not_trusted() -> None:
    """Any byte of the packed sheet: its print is another, and whoever unpacks it is told."""
    data, _ = written_on(campaign(), 100, 400, trusting=False)
    part = OoxmlBook(data).sheets[TITLE].part
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        info = archive.getinfo(part)
    at = info.header_offset + 30 + len(part)
    rng = random.Random(7)
    for _ in range(40):
        place = at + rng.randrange(info.compress_size)
        harmed = data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1:]
        book = OoxmlBook(harmed)
        assert book.package.print_of(part) != OoxmlBook(data).package.print_of(part)
        with pytest.raises(Damaged):
            book.package.check_all()


def test_a_proof_looks_at_parts_that_nobody_meant_to_change(tmp_path: Path) -> None:
    """The bytes that were packed with another part harmed are no proof."""
    book = OoxmlBook(campaign())
    editing = Editing(book)
    editing.sheet(TITLE).put(100, 1, 7)
    editing.save()
    good = book.package.pack()
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        info = archive.getinfo(book.sheets["Nodes" if "Nodes" in book.sheets else "Armies"].part)
    place = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    editing.prove(good)

    with pytest.raises(ValueError, match="sheet"):
        editing.prove(good[:place] + bytes([good[place] ^ 4]) + good[place + 1:])
