"""The orders card of a new workbook: a sheet with one line a verb, which nobody fills in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant.campaign.campaign import Campaign
from assistant.turn.ruleset import Ruleset
from assistant.workbook.labels import label
from assistant.workbook.write.look import BAND, Look, fit_row, put_text_safely

if TYPE_CHECKING:
    from assistant.wording import Wording

CARD = "Card"
"""The name of the sheet where sheets are called otherwise (`build_bytes`)."""
COLUMNS = {"verb": 16, "when": 16, "columns": 62, "example": 30, "cost": 22, "help": 46, "also": 24}
"""Part of a card -> width of its column in letters."""
HEADING_ROW = 4


def build_card(book: Any, look: Look, ruleset: Ruleset, campaign: Campaign, wording: Wording, title: str = "",
               faction: str = "") -> Any:
    """Add the sheet, where the ruleset declares what its verbs need; else None. `title`: what it is called; `faction`:
    whose card it is, with its own codes and only what may still be ordered this turn.
    """
    lang = campaign.desk.language
    found = ruleset.order_cards(campaign, lang, wording.text, faction, now=bool(faction))
    if not found:
        return None
    ws = book.create_sheet(title or label("card", lang))
    ws.sheet_view.showGridLines = False
    ws.sheet_properties.tabColor = BAND
    for i, (name, width) in enumerate(COLUMNS.items(), 1):
        look.band(ws.cell(1, i), 18)
        look.band(ws.cell(2, i), 10.5, "DDE4EC", bold=False)
        look.heading(ws.cell(HEADING_ROW, i, label(f"card_{name}", lang)), "assistant")
        ws.column_dimensions[ws.cell(1, i).column_letter].width = width
    ws.cell(1, 1, ws.title)
    ws.cell(2, 1, label("card_about", lang))
    ws.row_dimensions[1].height, ws.row_dimensions[2].height, ws.row_dimensions[3].height = 30, 20, 6
    for row, card in enumerate(found, HEADING_ROW + 1):
        texts = {i: str(getattr(card, name)) for i, name in enumerate(COLUMNS, 1)}
        for i, text in texts.items():
            look.body(ws.cell(row, i), "assistant", "@", "left", wrap=True)
            put_text_safely(ws.cell(row, i), text or None)
        fit_row(ws, row, texts)
    ws.freeze_panes = ws.cell(HEADING_ROW + 1, 2)
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", ws.PAPERSIZE_A4
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.print_title_rows = f"{HEADING_ROW}:{HEADING_ROW}"
    return ws
