"""New styles are appended; what is kept of them is what the bytes say."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from assistant.workbook.ooxml.book import OoxmlBook, OoxmlStyles
from assistant.workbook.ooxml.transplant import add_sheets
from assistant.workbook.ooxml.xml_tree import FONT_ORDER as IN_ORDER
from assistant.workbook.ooxml.xml_tree import XmlNode, parse
from assistant.workbook.write.sheet_style import badge_style
from tests.fresh import SECRET, campaign_bytes
from tests.sweeps import all_slow

PART = "xl/styles.xml"
FILL = b'<fill><patternFill patternType="solid"><fgColor rgb="FF%06X"/></patternFill></fill>'
LOOKS: list[dict[str, Any]] = [{"fill": FILL % colour} for colour in (0x102030, 0x405060, 0x102030)]
FONT: dict[str, Any] = {"font": '<font><b val="1"/><sz val="11"/><name val="Città"/></font>'.encode()}
EDGE: dict[str, Any] = {"border": b"<border><left/><right/><top/><bottom/><diagonal/></border>"}
PREFIX = re.compile(rb"<(/?)(?=[A-Za-z])")


def all_styles(styles: OoxmlStyles) -> list[tuple[object, ...]]:
    """Every cell style: its attributes and bytes, its font, fill and border, and whether it shows a date."""
    return [(node.attrs, data[node.start:node.end], number in styles.dates,
             *(styles.xml(number, group) for group in ("font", "fill", "border")))
            for number, (node, data) in enumerate(styles.members("cellXfs"))]


def prefixed(data: bytes) -> bytes:
    """A part of which every element has a prefix."""
    return PREFIX.sub(rb"<\1x:", data).replace(b"xmlns=", b"xmlns:x=")


def bare(data: bytes) -> bytes:
    """A part whose borders are none, in one tag."""
    return re.sub(rb"<borders.*?</borders>", b'<borders count="0"/>', data, flags=re.S)


@pytest.mark.parametrize("spelled", [bytes, prefixed, bare])
def test_the_styles_stay_those_of_the_bytes(spelled: Callable[[bytes], bytes]) -> None:
    """However a style is asked for, and however the part is spelled; who asks again gets the same number."""
    package = OoxmlBook(campaign_bytes("giglio", "it", SECRET)[".xlsx"]).package
    package.put(PART, spelled(package.text(PART)))
    styles = OoxmlStyles(package, PART)

    numbers = []
    for look in (*LOOKS, FONT, EDGE, {**FONT, **LOOKS[1]}, {**EDGE, **LOOKS[0], **FONT}):
        numbers.append(styles.like(3, **look))
        assert all_styles(styles) == all_styles(OoxmlStyles(package, PART))

    assert numbers[0] == numbers[2]
    assert len(set(numbers)) == len(numbers) - 1
    assert [OoxmlStyles(package, PART).like(3, **look) for look in LOOKS] == numbers[:3]


def test_what_one_workbook_gets_is_not_in_another() -> None:
    """Two that were opened from the same bytes in one process, as in an evening of clicks, also where their styles are
    few, as other programs write them.
    """
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    one, other = OoxmlBook(file.getvalue()), OoxmlBook(file.getvalue())

    numbers = [one.styles.like(0, **look) for look in LOOKS]

    assert [other.styles.like(0, **look) for look in LOOKS] == numbers
    assert other.package.text(PART) == one.package.text(PART)


COLOURS = {
    "none": b"", "themed": b'<color theme="1"/>', "twice": b'<color theme="1"/><color rgb="FF102030"/>',
    "automatic": b'<color auto="1"/>'}
"""What the fonts of a club's own workbook say of their colour, at their end, where it does not belong."""


def fonts(data: bytes) -> list[XmlNode]:
    """All fonts of a styles' part, also those of its conditional formats."""
    return [node for node in parse(data).walk() if node.tag == "font"]


def well_written(font: XmlNode) -> bool:
    """Whether a font says each thing once, in the order of the format."""
    ranks = [IN_ORDER.index(child.tag) for child in font.children]
    return ranks == sorted(set(ranks))


@pytest.mark.parametrize("ruleset", ["giglio", *all_slow(["anarchy", "bloodlust", "incursio", "warriors"])])
@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_new_workbook_has_no_font_with_two_colours(ruleset: str, lang: str) -> None:
    """Excel calls such a file damaged."""
    assert all(map(well_written, fonts(OoxmlBook(campaign_bytes(ruleset, lang, SECRET)[".xlsx"]).package.text(PART))))


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("spelled", [bytes, prefixed])
def test_no_font_of_ours_has_two_colours_in_a_clubs_workbook(colour: str, spelled: Callable[[bytes], bytes]) -> None:
    """Whatever the club's fonts are like, which stay as they are; badges in all colours, and sheets that come in."""
    made, out = openpyxl.Workbook(), io.BytesIO()
    made.worksheets[0]["A1"].font = openpyxl.styles.Font(bold=True, name="Arial", size=11)
    made.save(out)
    club = OoxmlBook(out.getvalue())
    text = re.sub(rb"<color [^>]*/>", b"", club.package.text(PART)).replace(b"</font>", COLOURS[colour] + b"</font>")
    club.package.put(PART, spelled(text))
    club = OoxmlBook(club.package.pack())
    theirs = [club.package.text(PART)[font.start:font.end] for font in fonts(club.package.text(PART))]
    add_sheets(club, OoxmlBook(campaign_bytes("giglio", "en", SECRET)[".xlsx"]))
    for shown in ("#ffffff", "#000000", "#102030", ""):
        badge_style(club, badge_style(club, 1, "#a0b0c0"), shown)  # also of a cell that has a colour already

    text = club.package.text(PART)
    assert [text[font.start:font.end] for font in fonts(text)][:len(theirs)] == theirs
    assert len(fonts(text)) > len(theirs) + 2
    assert all(map(well_written, fonts(text)[len(theirs):]))
