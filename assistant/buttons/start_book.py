"""The workbook of Excel in which a referee begins who has no campaign yet: two buttons, and what they do."""

from __future__ import annotations

from pathlib import Path

from assistant.buttons import macros
from assistant.buttons.macros import Corner, with_buttons
from assistant.buttons.press import BUTTONS, TITLE
from assistant.campaign.records import Desk
from assistant.files import replace_atomically
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.xml_tree import WorkbookFault
from assistant.workbook.read.find_tables import TableFinder
from assistant.workbook.write.new_workbook import blank_book, workbook_bytes
from assistant.workbook.write.sheet_style import BAND, SheetLook

FILE_NAME = f"{TITLE}.xlsm"
FIRST, HIGH = 4, 21
"""The row of the first button, and the points of each button's row."""
_ABOUT = {
    "new": N_("A new campaign, of one of the scenarios that come with Arbitro."),
    "adopt": N_("A campaign made of a workbook that your club keeps already, which stays as it is."),
}


def start_book_place(home: Path) -> Path:
    """Where the start workbook goes: among the documents, where there is such a folder."""
    documents = home / "Documents"
    return (documents if documents.is_dir() else home) / FILE_NAME


def start_book_bytes(lang: str, python: str = "") -> bytes:
    """The start workbook with its buttons. `python`: as of `with_buttons`. Raises ImportError without xlwings."""
    words, look = Wording(None, lang), SheetLook()
    begin = [button for button in BUTTONS if button.apart]
    book = blank_book(TITLE)
    ws = book.create_sheet(TITLE)
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = BAND
    ws.column_dimensions["A"].width, ws.column_dimensions["B"].width = 24, 90
    for column in (1, 2):
        look.band(ws.cell(1, column), 18)
        look.band(ws.cell(2, column), 10.5, "DDE4EC", bold=False)
    ws.cell(1, 1, TITLE)
    ws.cell(2, 1, words.text(N_("Click a button to begin. Once you have a campaign, open its workbook instead.")))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height = 30, 20
    for row, button in enumerate(begin, FIRST):
        look.body(ws.cell(row, 2, words.text(_ABOUT[button.verb])), "assistant", "@", "left", wrap=True)
        ws.row_dimensions[row].height = HIGH
    ws.page_setup.orientation, ws.page_setup.fitToHeight = "landscape", 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    corner = Corner(0, FIRST - 1, (173,), (HIGH * 4 // 3,) * len(begin), in_row=1)
    return with_buttons(workbook_bytes(book), lang, python=python, buttons=begin, corner=corner)


def is_start_book(data: bytes) -> bool:
    """Whether a workbook's bytes are a start workbook: Arbitro's buttons, and no campaign."""
    try:
        book = OoxmlBook(data)
        return macros.MADE_BY in macros.read_conf(book) and not TableFinder(book).knows_any([Desk])
    except WorkbookFault:
        return False


def write_start_book(place: Path, lang: str, python: str) -> bool:
    """Write the start workbook, or renew it; False where something else stands there. Raises OSError."""
    if place.exists() and not is_start_book(place.read_bytes()):
        return False
    replace_atomically(place, [start_book_bytes(lang, python)], place.with_name(f"~{place.name}.new"))
    return True


def remove_start_book(place: Path) -> bool:
    """Remove the start workbook; whether there was one. Raises OSError."""
    if not place.is_file() or not is_start_book(place.read_bytes()):
        return False
    place.unlink()
    return True
