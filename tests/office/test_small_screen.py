"""A screen of 1,280 by 720: the Desk is seen at once, what is typed stays what it is, and changes are decided there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fresh import new_campaign
from tests.office.test_clicks import Evening
from tests.office.window import shown

pytestmark = pytest.mark.slow
SMALL = (1280, 720)
WORDS = {"en": ("Changes", "Factions", "Agreed on the evening", "back"),
         "it": ("Modifiche", "Fazioni", "Deciso in serata", "indietro")}


@pytest.fixture(params=["it", "en"])
def evening(request: pytest.FixtureRequest) -> Iterator[Evening]:
    """Italy 1500, open in LibreOffice on the small screen."""
    lang = str(request.param)
    with tempfile.TemporaryDirectory(prefix="arbitro-") as made:
        Path(made).chmod(0o755)
        workbook = new_campaign(Path(made) / "campaign.xlsx", language=lang)
        with shown(Path(made), workbook, lang, SMALL) as window:
            yield Evening(window, lang)


def in_sight(evening: Evening) -> list[int]:
    """The last row and the last column that are in the window."""
    last: list[int] = evening.window.office.ask("change", """
place = doc.CurrentController.getByIndex(0).VisibleRange
found = [place.EndRow + 1, place.EndColumn + 1]""")
    return last


def type_into(evening: Evening, place: str, text: str) -> str:
    """Type letters and Return; what the cell shows then."""
    evening.window.office.ask("select", place)
    evening.window.type(text)
    evening.window.keys("Return")
    evening.window.until(lambda: evening.shows(place) != "", f"something in {place}")
    return evening.shows(place)


def test_the_desk_is_seen_at_once_and_what_is_typed_stays_what_it_is(evening: Evening) -> None:
    """Where we are, what is next, who is awaited in a line a cause, what is wrong: without scrolling. F for Florence
    stays F, and on the Desk a V stays a V.
    """
    window, desk = evening.window, evening.desk

    rows, columns = in_sight(evening)
    assert rows > 20  # the last line of the outcome, and of what is wrong
    assert columns > 6
    assert evening.shows(f"{desk}!F9") == {
        "en": "All ten still choose a secret objective: nothing waits for it.",
        "it": "Tutti e dieci devono ancora scegliere un obiettivo segreto: intanto si va avanti."
    }[evening.lang]
    assert evening.shows(f"{desk}!F10") == ""
    window.picture(f"small-desk-{evening.lang}")

    assert type_into(evening, f"{evening.orders}!C5", "F") == "F"
    assert type_into(evening, f"{evening.orders}!A5", evening.orders[0]) == evening.orders[0]
    assert type_into(evening, f"{desk}!C41", "V") == "V"


def test_changes_by_hand_are_decided_by_one_click(evening: Evening) -> None:
    """Resolve stops at the list; a reason beside one change, the word beside the other; Decide; Resolve."""
    sheet, factions, reason, back = WORDS[evening.lang]
    window, where = evening.window, f"{evening.desk}!B6"
    before, club = evening.shows(where), evening.shows(f"{factions}!D6")
    for place in (f"{factions}!D5", f"{factions}!D6"):  # what the clubs are called
        evening.write(place, "Zara")

    evening.click("resolve")
    assert window.office.ask("selected") == f"{sheet}!F5"
    assert evening.shows(where) == before
    evening.write(f"{sheet}!F5", reason)
    evening.write(f"{sheet}!F6", back)
    window.picture(f"small-changes-{evening.lang}")
    evening.click("decide")

    assert (evening.shows(f"{factions}!D5"), evening.shows(f"{factions}!D6")) == ("Zara", club)
    assert evening.shows(f"{sheet}!A5") == ""
    assert reason in evening.shows(f"{evening.desk}!B16")
    evening.click("resolve")
    assert evening.shows(where) != before
