"""The oracles see what they are there to see: each is shown a workbook with the fault that it watches for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.books.corpus import campaign
from tests.books.oracles import altered, differing, frame, new_messages, only_grown, own_messages, read_by
from tests.books.parts import Parts
from tests.books.spelled import prefixed, shared_strings

ARMIES = Parts(campaign()).sheets()["Armies"]


def spoiled(part: str, old: bytes, new: bytes) -> bytes:
    """The campaign's workbook with some bytes of a part replaced."""
    parts = Parts(campaign())
    assert old in parts.members[part]
    parts.members[part] = parts.members[part].replace(old, new, 1)
    return parts.bytes()


pytestmark = pytest.mark.slow  # the judges of the corpus, which is judged in the slow part


@pytest.mark.parametrize(("old", "new"), [
    (b"<pageMargins", b"<pageMarginz"),
    (b' t="n"><v>120</v>', b' t="number"><v>120</v>'),
    (b'<row r="5"', b'<row r="five"'),
    (b"</sheetData><conditionalFormatting", b"</sheetData><dataValidations/><conditionalFormatting"),
    (b'<c r="D5"', b'<c xmlns="" r="D5"'),
    (b'<v>120</v>', b'<v>120</v><is><t>x</t></is><v>1</v>'),
    (b'<tableParts count="1"><tablePart', b'<tableParts count="1"><tablePartt'),
])
def test_the_schema_notices_what_is_wrong(old: bytes, new: bytes) -> None:
    """Unknown elements, wrong kinds, wrong order, a missing namespace, doubled values."""
    assert new_messages(campaign(), spoiled(ARMIES, old, new)) != []


def test_the_schema_is_silent_about_what_is_right() -> None:
    """A changed number, and the same workbook under a prefix or with shared strings, bring no message."""
    assert new_messages(campaign(), spoiled(ARMIES, b"<v>120</v>", b"<v>121</v>")) == []
    for how in (prefixed, shared_strings):
        parts = Parts(campaign())
        how(parts)
        assert new_messages(campaign(), parts.bytes()) == []


def test_what_was_wrong_before_is_seen_as_well() -> None:
    """The order in which a font's parts stand, which openpyxl writes otherwise: also where no change brought it."""
    swapped = spoiled("xl/styles.xml", b'<font><b val="1"/>', b'<font><name val="Calibri"/><b val="1"/>')

    assert own_messages(campaign(), Parts(campaign()).members) == []
    assert own_messages(swapped, Parts(campaign()).members) != []
    assert new_messages(swapped, swapped) == []


def test_bytes_that_differ_and_parts_that_are_lost_are_named() -> None:
    """Changed, gone, new, and there but no longer reached."""
    before, after = Parts(campaign()), Parts(campaign())
    after.members["xl/theme/theme1.xml"] += b" "
    del after.members["docProps/app.xml"]
    after.members["xl/new.xml"] = b"<a/>"
    rels = ARMIES.replace("worksheets/", "worksheets/_rels/") + ".rels"
    table = re.findall(r"table\d+\.xml", after.members[rels].decode())[0]
    after.members[rels] = after.members[rels].replace(table.encode(), b"table1.xml")

    assert altered(before, after) == {"xl/theme/theme1.xml": "changed", "docProps/app.xml": "gone", "xl/new.xml": "new",
                                      rels: "changed", f"xl/tables/{table}": "unreachable"}


@pytest.mark.parametrize(("old", "new", "cells"), [
    (b"<v>120</v>", b"<v>121</v>", {"D5"}), (b'<c r="D5" s="', b'<c r="D5" s="1', {"D5"}),
    (b"<t>R-1</t>", b"<t>R-1 </t>", {"A5"}), (b"<v>120</v>", b"<f>60*2</f><v>120</v>", {"D5"}),
    (b'<c r="D6"', b'<c r="H6"', {"D6", "H6"})])
def test_cells_that_differ_are_named(old: bytes, new: bytes, cells: set[str]) -> None:
    """In value, style, text, formula or place."""
    before, after = Parts(campaign()), Parts(spoiled(ARMIES, old, new))

    assert differing(before, after, "Armies") == cells
    assert frame(before, "Armies") == frame(after, "Armies")


def test_the_same_text_is_the_same_wherever_it_is_kept() -> None:
    """A text in the cell and one in the table of strings are one."""
    before, after = Parts(campaign()), Parts(campaign())
    shared_strings(after)

    assert {title: differing(before, after, title) for title in before.sheets()} == {t: set() for t in before.sheets()}


def test_what_stands_around_the_cells_is_watched() -> None:
    """An attribute of the view, a margin, an area of colours."""
    before = Parts(campaign())
    for old, new in ((b'showGridLines="0"', b'showGridLines="1"'), (b'left="0.4"', b'left="0.5"'),
                     (b'sqref="B5:B2006"', b'sqref="B5:B2007"')):
        assert frame(Parts(spoiled(ARMIES, old, new)), "Armies") != frame(before, "Armies")


def drop_first(data: bytes, tag: bytes) -> bytes:
    """Without the first element of a name."""
    start = data.index(b"<" + tag + b">")
    end = data.index(b"</" + tag + b">", start) + len(tag) + 3
    return data[:start] + data[end:]


@pytest.mark.parametrize(("change", "said"), [
    (lambda d: d.replace(b"<cellXfs", b"<cellXfs ", 1), []),
    (lambda d: drop_first(d, b"font"), ["fonts was changed", "the count of fonts is wrong"])])
def test_styles_may_only_grow(change: Callable[[bytes], bytes], said: list[str]) -> None:
    """The numbers of styles in cells mean what they meant."""
    before, after = Parts(campaign()), Parts(campaign())
    after.members["xl/styles.xml"] = change(after.members["xl/styles.xml"])

    assert only_grown(before, after, "xl/styles.xml") == [f"xl/styles.xml: {one}" for one in said]


def test_a_reader_that_dies_takes_nobody_along(tmp_path: Path) -> None:
    """calamine gives up its whole process over a stray cell; the next workbook is read all the same."""
    bad, good = tmp_path / "bad.xlsx", tmp_path / "good.xlsx"
    bad.write_bytes(spoiled(ARMIES, b'<c r="A6"', b'<c r="ZZZZ4294967290"'))
    good.write_bytes(campaign())
    found = read_by("calamine", [bad, good])

    assert isinstance(found["bad.xlsx"], str)
    assert isinstance(found["good.xlsx"], dict)
    assert found["good.xlsx"]["Armies"]["D5"] == 120
