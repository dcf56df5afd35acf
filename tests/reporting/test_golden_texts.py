"""Reports, gazettes and chat texts in the midst of a campaign, word by word."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.reporting.render import LARGEST, render_html
from assistant.reporting.shorten import OPEN, SHUT
from tests.reporting.browser import heights, letters
from tests.reporting.golden_texts import FOLDER, LANGUAGES, midst, told
from tests.reporting.played import LAST
from tests.reporting.test_heights import INSETS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", LAST)
def test_what_is_told_in_the_midst_of_a_campaign_stays_as_it_is(book: str, lang: str) -> None:
    """A club's report, the gazette and both chat texts; `tests.reporting.golden_texts` writes them anew."""
    assert told(book, lang) == (FOLDER / f"{book}-{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("book", LAST)
def test_it_fits_a_phone_and_a_mail_in_both_languages(book: str, tmp_path: Path) -> None:
    """With its maps at 390 pixels: 4,500 tall as it opens, 9,000 unfolded, not wider than the screen."""
    pages = [render_html(built.page, insets=INSETS) for lang in LANGUAGES for built in midst(book, lang)]

    assert max(len(page.encode()) for page in pages) < LARGEST
    for shut, unfolded, width in heights(tmp_path, pages, 390):
        assert shut <= SHUT
        assert unfolded <= OPEN
        assert width <= 390


SMALL_PRINT = {"pre", "muted", "label", "change", "roll", "tag", "proofs"}
"""Codes, notes, captions, dice and hashes; ``pre`` is what an inbox shows, which the page itself hides."""


@pytest.mark.parametrize("book", LAST)
def test_what_is_no_small_print_is_set_in_sixteen_pixels_and_cards_are_short(book: str, tmp_path: Path) -> None:
    """On a phone, the form to send back included; a card has four lines at most below its heading."""
    small, lines = letters(tmp_path, render_html(midst(book, "it")[0].page, insets=INSETS), 390)

    assert set(small) <= SMALL_PRINT
    assert lines < 4.5
