"""The Desk on a screen of 1,280 by 720, at 100 %: whatever the rulebook, all that is said of now is in sight."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from assistant import desk
from assistant.catalogues import LANGUAGES
from assistant.turn.rulebooks import installed_rulesets
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.write.sheet_style import fit_texts
from tests import hand
from tests.fresh import new_campaign
from tests.sweeps import fast_among

ROOM = 384
"""Points between the headings of columns and the tabs of LibreOffice, under its toolbars and Arbitro's."""
UNITS = 118
"""Widths of columns that stand there beside each other, where a wide font stands in for Calibri."""
LAST_ROW = 20


def size_of_desk(book: Path) -> tuple[float, float]:
    """The widths of the Desk's columns, and the heights of its rows down to the last line about now."""
    made = OoxmlBook(book.read_bytes())
    text = made.package.text(next(iter(made.sheets.values())).part).decode()
    columns = re.findall(r'<col [^>]*?width="([\d.]+)"', text)
    rows = dict(re.findall(r'<row r="(\d+)"[^>]*? ht="([\d.]+)"', text))
    return sum(map(float, columns)), sum(float(rows[str(number)]) for number in range(1, LAST_ROW + 1))


@pytest.mark.parametrize(("ruleset", "lang"), fast_among(
    product(["giglio", "anarchy", "bloodlust", "incursio", "warriors"], LANGUAGES), ("giglio", "en")))
def test_a_new_campaign_and_its_first_phases_are_seen_at_once(tmp_path: Path, ruleset: str, lang: str) -> None:
    """Who is awaited stands there in a line a cause, so that ten clubs take no more room than one."""
    assert ruleset in installed_rulesets()
    book = new_campaign(tmp_path / "war.xlsx", ruleset, lang)

    for _ in range(3):
        width, height = size_of_desk(book)
        assert (width <= UNITS, height <= ROOM) == (True, True), (width, height)
        desk.resolve(book, defaults=True)


def test_one_line_stands_for_all_who_are_asked_the_same(tmp_path: Path) -> None:
    """All ten are named by their number, not in ten lines."""
    sheet = hand.opened(new_campaign(tmp_path / "war.xlsx"))["Desk"]

    assert [sheet[f"E{row}"].value for row in range(9, 11)] == ["10", None]
    assert sheet["F9"].value == "All ten still choose a secret objective: nothing waits for it."


def test_long_texts_leave_the_rest_to_be_counted() -> None:
    """A block of five rows takes seven lines at most, and says how many texts it does not show."""
    assert fit_texts(["short"] * 5, 5, "en", 60) == ["short"] * 5
    assert fit_texts(["short"] * 6, 5, "en", 60) == [*["short"] * 4, "and 2 more"]
    assert fit_texts(["two lines " * 10] * 5, 5, "en", 60) == [*["two lines " * 10] * 3, "and 2 more"]
    assert fit_texts(["endless " * 200, "short"], 5, "en", 60) == ["endless " * 200, "and 1 more"]
    assert fit_texts([], 5, "it", 60) == []
