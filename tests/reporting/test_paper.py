"""A year's report on paper and on a phone, as a real browser shows it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from assistant.reporting.pages import ReportPage
from assistant.reporting.render import render_html
from tests.reporting.browser import bands, pages, paper, widths, words
from tests.reporting.test_italy import page, year
from tests.reporting.test_spans import long, of_days, of_year

pytestmark = pytest.mark.slow

MOST = 7
READERS = [*(("giglio", one, lang) for lang in ("it", "en") for one in ("V", "S", "M", "P", "", "referee")),
           *(("anarchy", one, lang) for lang in ("it", "en") for one in ("royal", "angevin", "", "referee"))]


def made(book: str, reader: str, lang: str) -> ReportPage:
    """A reader's page of the year of a demo."""
    return (of_year if book == "giglio" else of_days)(reader, lang)


@pytest.mark.parametrize(("book", "reader", "lang"), READERS)
def test_a_year_takes_seven_pages_of_paper_at_most(tmp_path: Path, book: str, reader: str, lang: str) -> None:
    """For every kind of reader of both demos, also uncut."""
    assert pages(paper(tmp_path, render_html(made(book, reader, lang), largest=10**9))) <= MOST


@pytest.mark.parametrize(("book", "reader"), [("giglio", "V"), ("anarchy", "royal")])
def test_no_bands_of_colour_are_printed(tmp_path: Path, book: str, reader: str) -> None:
    """Heads, bands and boxes are white on paper; without the style for paper they would not be."""
    html = render_html(made(book, reader, "en"))
    plain = re.sub(r"@media print", "@media speech", html)
    assert plain != html
    (tmp_path / "plain").mkdir()

    assert bands(paper(tmp_path, html)) == 0
    assert bands(paper(tmp_path / "plain", plain)) > 30


def test_a_turn_s_report_prints_without_bands_too(tmp_path: Path) -> None:
    """Battles, questions, figures and tables of one round."""
    html = render_html(page("V", year()["1500", "r4.move"], year()["1500", "r3.move"]))
    assert bands(paper(tmp_path, html)) == 0


def test_what_is_folded_is_printed_once_it_was_opened(tmp_path: Path) -> None:
    """Dice stay off the paper, and the paper says so; whoever opens them has them printed."""
    html = render_html(made("giglio", "V", "en"), largest=sys.maxsize)
    folded = words(paper(tmp_path, html))
    opened = words(paper(tmp_path, html.replace("<details", "<details open")))

    assert "Dice and what they decided" not in folded
    assert "Folded parts are printed if they were opened before." in " ".join(folded.split())
    assert "Dice and what they decided" in opened
    assert "Dice and what they decided" in opened


@pytest.mark.parametrize(("book", "reader", "lang"), READERS)
def test_a_year_fits_its_window(tmp_path: Path, book: str, reader: str, lang: str) -> None:
    """Nothing scrolls sideways on a phone or a desktop, folded or opened."""
    html = render_html(long(made(book, reader, lang)))
    both = (html, html.replace("<details", "<details open"))

    assert widths(tmp_path, *((page, width) for width in (390, 1280) for page in both)) == [
        (390, 390), (390, 390), (1280, 1280), (1280, 1280)]
