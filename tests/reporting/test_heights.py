"""How tall reports are on a phone, and in which order they tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.desk.workspace.workspace import factions_with_reports
from assistant.reporting.render import LARGEST, Inset, render_html
from assistant.reporting.shorten import OPEN, SHUT, phone_heights
from tests.reporting.browser import heights
from tests.reporting.played import LAST, WAITING, reports, states, waiting
from tests.reporting.test_page import page

PIXEL = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1248' height='1000'/%3E"
INSETS = (Inset("near", PIXEL, "near"), Inset("map", PIXEL, "all"), Inset("chart", PIXEL, "chart", "Chart"))


def test_duties_come_first_then_news_reasons_map_forces_questions_and_what_is_folded() -> None:
    """What to do, what is owed, five lines, why, the map, figures, forces, questions, the form; then folded parts."""
    html = render_html(page(), insets=INSETS)
    order = [html.index(word) for word in ("What to do now", "Your orders", "Why it turned out this way", "The map",
                                           "At a glance", "Your armies", "Questions for you",
                                           "To fill in and send back", "<details")]

    assert order == sorted(order)


def test_duties_reasons_and_the_form_are_never_folded() -> None:
    """None of them is inside a part that has to be opened."""
    html = render_html(page(), insets=INSETS)
    open_parts = re.sub(r"<details.*?</details>", "", html, flags=re.DOTALL)

    for word in ("What to do now", "K9", "Why it turned out this way", "Does K1 yield?", "ARBITRO: BEGIN"):
        assert word in open_parts
    assert "SHA-256" not in open_parts


def test_an_estimate_counts_what_is_folded_only_once_it_is_opened() -> None:
    """A paragraph in a folded part makes the page taller when it is unfolded."""
    start = '<td class="pad">'
    plain = phone_heights(f"{start}<p>{'word ' * 80}</p>")
    folded = phone_heights(f"{start}<details><summary>More</summary><p>{'word ' * 80}</p></details>")

    assert plain.shut == plain.open
    assert folded.shut < plain.shut < folded.open


@pytest.mark.slow
@pytest.mark.parametrize("book", LAST)
def test_reports_fit_a_phone(book: str, tmp_path: Path) -> None:
    """A report of some phases and of all that was played: not wider than 390 pixels, at most 4,500 tall as it opens
    and 9,000 with everything unfolded, and small enough for a mail.
    """
    _, made = states(book)
    club = factions_with_reports(made[0])[0]
    last = len(made) - 1
    pages = [built.page for number, lang in ((last // 3, "it"), (2 * last // 3, "en"))
             for built in reports(book, number, (club,), lang, public=True)]
    pages += [built.page for built in reports(book, last, (club,), "it", whole=True, public=True)]
    pages += [built.page for built in waiting(book, *WAITING[book], "it")] if book in WAITING else []
    htmls = [render_html(one, insets=INSETS) for one in pages]

    assert max(len(html.encode()) for html in htmls) < LARGEST
    for one, (shut, unfolded, width) in zip(pages, heights(tmp_path, htmls, 390), strict=True):
        assert shut <= SHUT, (one.name, one.moment)
        assert unfolded <= OPEN, (one.name, one.moment)
        assert width <= 390
