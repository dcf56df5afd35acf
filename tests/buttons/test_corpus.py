"""Buttons put into workbooks with everything that clubs have in theirs: nothing else changes, and all stays sound."""

from __future__ import annotations

import re

import pytest

from assistant.buttons.workbook_buttons import OtherMacros, has_buttons, with_buttons
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.package import rels_part
from assistant.workbook.ooxml.xml_tree import to_utf8
from assistant.workbook.screening import refusal
from tests.books.corpus import Book, each_once
from tests.books.oracles import new_messages
from tests.books.parts import Parts

_OURS = (rb'<(?:\w+:)?sheetPr codeName="Sheet\d+"/>', rb' codeName="(?:Sheet\d+|ThisWorkbook)"',
         rb"<(?:\w+:)?legacyDrawing [^>]*/>",
         rb'<(?:\w+:)?Relationship Id="rIdArbitro\d+" Type="[^"]*/vmlDrawing"[^>]*/>')

pytestmark = pytest.mark.slow


def bare(data: bytes) -> bytes:
    """A part in UTF-8, as it is written when it was changed, without what buttons put into it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"<\x00", b"\x00<")):
        data = to_utf8(data)
    for pattern in _OURS:
        data = re.sub(pattern, b"", data)
    return data


@pytest.mark.parametrize("book", each_once(), ids=lambda book: book.name)
def test_a_clubs_workbook_gets_buttons_and_keeps_everything(book: Book) -> None:
    """Every part but the lists of parts is as it was, no new complaint of the schema, all buttons there; macros of
    somebody else are refused.
    """
    before = book.make()
    assert refusal(before) is None
    if OoxmlBook(before).macros:
        with pytest.raises(OtherMacros):
            with_buttons(before, "en")
        return
    after = with_buttons(before, "en")

    old, new = Parts(before).members, Parts(after).members
    part = OoxmlBook(before).part
    lists = {"[content_types].xml", part.casefold(), rels_part(part).casefold(),
             OoxmlBook(before).package.linked_part(part, "styles").casefold()}
    changed = [name for name, data in old.items()
               if name.replace("\\", "/").lstrip("/").casefold() not in lists and bare(data) != bare(new[name])]
    assert changed == []
    blind = ["does not match extension '.xlsx'", *(["'rIdArbitro1'"] if book.name == "other_case" else [])]
    said = [message for message in new_messages(before, after) if not any(word in message for word in blind)]
    assert said == []  # the oracle names its file .xlsx, and knows no names in another case
    assert has_buttons(OoxmlBook(after))
