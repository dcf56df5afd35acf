"""New styles are appended; the tree that is kept is the one that the bytes say."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.book.styles import Styles
from assistant.workbook.ooxml.parts.xmltree import Node, parse
from tests.fresh import SECRET, campaign_bytes

PART = "xl/styles.xml"
FILL = b'<fill><patternFill patternType="solid"><fgColor rgb="FF%06X"/></patternFill></fill>'
LOOKS: list[dict[str, Any]] = [{"fill": FILL % colour} for colour in (0x102030, 0x405060, 0x102030)]
FONT: dict[str, Any] = {"font": '<font><b val="1"/><sz val="11"/><name val="Città"/></font>'.encode()}
EDGE: dict[str, Any] = {"border": b"<border><left/><right/><top/><bottom/><diagonal/></border>"}
PREFIX = re.compile(rb"<(/?)(?=[A-Za-z])")


def said(node: Node) -> tuple[object, ...]:
    """All that a node holds, with its places in the bytes."""
    return (node.tag, node.prefix, node.attrs, node.start, node.inner, node.close, node.end, node.text,
            [said(child) for child in node.children])


def prefixed(data: bytes) -> bytes:
    """A part of which every element has a prefix."""
    return PREFIX.sub(rb"<\1x:", data).replace(b"xmlns=", b"xmlns:x=")


def bare(data: bytes) -> bytes:
    """A part whose borders are none, in one tag."""
    return re.sub(rb"<borders.*?</borders>", b'<borders count="0"/>', data, flags=re.S)


@pytest.mark.parametrize("spelled", [bytes, prefixed, bare])
def test_the_tree_stays_that_of_the_bytes(spelled: Callable[[bytes], bytes]) -> None:
    """However a style is asked for, and however the part is spelled; who asks again gets the same number."""
    package = OoxmlBook(campaign_bytes("giglio", "it", SECRET)[".xlsx"]).package
    package.put(PART, spelled(package.text(PART)))
    styles = Styles(package, PART)

    numbers = []
    for look in (*LOOKS, FONT, EDGE, {**FONT, **LOOKS[1]}, {**EDGE, **LOOKS[0], **FONT}):
        numbers.append(styles.like(3, **look))
        assert styles._root is not None
        assert said(styles._root) == said(parse(package.text(PART)))

    assert numbers[0] == numbers[2]
    assert len(set(numbers)) == len(numbers) - 1
    assert [Styles(package, PART).like(3, **look) for look in LOOKS] == numbers[:3]


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
