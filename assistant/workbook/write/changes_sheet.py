"""The sheet that lists changes made by hand, each with a cell for what the referee decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.campaign.columns import Edit
from assistant.workbook.layout import (
    CHANGES_COLUMNS,
    CHANGES_NAME,
    CHANGES_ROOM,
    HEADING_ROW,
    label,
    more_changes,
    typed_heading,
)
from assistant.workbook.port import Editor, ListedChange
from assistant.workbook.write.sheet_style import BAND, SheetLook

WIDTHS = (13, 14, 17, 21, 21, 31)


def build_changes_sheet(book: Any, look: SheetLook, lang: str, title: str = "") -> Any:
    """Add the blank sheet to a new workbook. `title`: of the sheet, where it differs from the usual one."""
    from openpyxl.utils import get_column_letter
    from openpyxl.workbook.defined_name import DefinedName

    ws = book.create_sheet(title or label("changes", lang))
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = BAND
    last = len(CHANGES_COLUMNS)
    for i, (key, width) in enumerate(zip(CHANGES_COLUMNS, WIDTHS, strict=True), 1):
        look.band(ws.cell(1, i), 18)
        look.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        edit: Edit = "referee" if i == last else "assistant"
        look.heading(ws.cell(HEADING_ROW, i, typed_heading(changes_text(key, lang), edit)), edit)
        for row in range(HEADING_ROW + 1, HEADING_ROW + CHANGES_ROOM + 1):
            look.body(ws.cell(row, i), edit, "@", "left", wrap=True)
        ws.column_dimensions[get_column_letter(i)].width = width
    ws.cell(1, 1, ws.title)
    ws.cell(2, 1, changes_text("changes_about", lang))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height = 30, 20
    ws.row_dimensions[3].height, ws.row_dimensions[HEADING_ROW].height = 6, 33
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 1)
    _offer_word(ws, get_column_letter(last), lang)
    quoted = "'" + ws.title.replace("'", "''") + "'"
    area = f"$A${HEADING_ROW + 1}:${get_column_letter(last)}${HEADING_ROW + CHANGES_ROOM}"
    book.defined_names[CHANGES_NAME] = DefinedName(CHANGES_NAME, attr_text=f"{quoted}!{area}")
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    return ws


def changes_text(key: str, lang: str) -> str:
    """A label with the word that puts a change back."""
    return label(key, lang).format(back=label("put_back", lang))


def _offer_word(ws: Any, letter: str, lang: str) -> None:
    """Offer the word that puts a change back; any other text is a reason."""
    from openpyxl.worksheet.datavalidation import DataValidation

    validation = DataValidation(type="list", formula1=f'"{label("put_back", lang)}"', allow_blank=True)
    validation.showErrorMessage = False
    validation.showInputMessage = True
    validation.promptTitle = changes_text("changes_decision", lang)
    validation.prompt = changes_text("changes_hint", lang)
    validation.add(f"{letter}{HEADING_ROW + 1}:{letter}{HEADING_ROW + CHANGES_ROOM}")
    ws.add_data_validation(validation)


def write_changes_list(editing: Editor, changes: Sequence[ListedChange], lang: str) -> None:
    """Write the list into its place; a workbook without one is left as it is. Raises `Unsafe`."""
    place = editing.book.places(CHANGES_NAME)
    if place is None:
        return
    title, area = place
    sheet, room = editing.sheet(title), area.bottom - area.top + 1
    shown: list[Sequence[str]] = [(*change.texts, change.decision) for change in changes[:room]]
    if len(changes) > room:
        shown[-1] = (*more_changes(len(changes) - room + 1, lang), changes[-1].decision)
    for number, row in enumerate(range(area.top, area.bottom + 1)):
        texts = shown[number] if number < len(shown) else ("",) * len(CHANGES_COLUMNS)
        for column, text in enumerate(texts, area.left):
            sheet.put(row, column, text or None)
