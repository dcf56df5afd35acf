"""A correction by real clicks: from the menu through its windows to the sheet that shows what would differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.buttons.press import BY_VERB
from assistant.desk.workspace.workspace import open_workspace
from tests.house.source import ROOT
from tests.office.test_clicks import Evening, arbitro, folder
from tests.office.window import shown

__all__ = ["folder"]

pytestmark = pytest.mark.slow
LABELS = {"en": ("Phase", "Row", "It should have said"), "it": ("Fase", "Riga", "Doveva dire")}
YES = {"en": "Yes", "it": "Sì"}
DETAILS = {"en": "Details", "it": "Dettagli"}


@pytest.fixture(params=["en"])
def evening(request: pytest.FixtureRequest, folder: Path) -> Iterator[Evening]:
    """Italy 1500 after its first two phases, open in LibreOffice."""
    lang = str(request.param)
    workbook = folder / "campaign.xlsx"
    arbitro("--lang", lang, "new", "giglio", str(workbook), "--scenario", "italy-1500", "--language", lang)
    arbitro("orders", str(workbook), str(ROOT / "workbook_templates" / "giglio" / "italy-1500" / "orders.csv"))
    arbitro("resolve", str(workbook), "--until", "budget", "--defaults")
    with shown(folder, workbook, lang) as window:
        yield Evening(window, lang)


def test_a_correction_is_made_by_clicks_alone(evening: Evening, folder: Path) -> None:
    """Phase and row are chosen in windows, the new words are typed into one; what would differ stands on a sheet
    behind the question; a yes writes it.
    """
    window, lang = evening.window, evening.lang
    window.to_front()
    window.click("Arbitro")
    caption = BY_VERB["correct"].caption(lang)
    window.until(lambda: window.office.ask("where", caption), "the menu")
    window.click(caption)
    for name, label in zip(("phase", "row", "line"), LABELS[lang], strict=True):
        window.until(lambda label=label: window.office.ask("where", label), label)
        window.dialog_to_front()
        if name == "line":
            window.keys("ctrl+a")
            window.type({"en": "objective cities", "it": "obiettivo citta"}[lang])
        evening.picture(f"correct-{name}")
        window.click("OK")
    window.until(lambda: window.office.ask("where", YES[lang]), "the question")
    evening.picture("correct-question")
    assert window.office.ask("selected").startswith(DETAILS[lang])
    window.dialog_to_front()
    window.click(YES[lang])
    window.until(lambda: window.office.ask("where", "OK"), "the outcome")
    window.dialog_to_front()
    evening.box("corrected")

    assert "1500-budget-V-1~1" in open_workspace(folder / "campaign.xlsx").campaign.by_sheet("Orders")
