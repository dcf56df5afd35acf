"""How the reports look in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.render import render_html
from tests.reporting.browser import picture, widths
from tests.reporting.feud import FEUD, campaign, wording
from tests.reporting.test_italy import LAST, page, year

pytestmark = pytest.mark.slow


def htmls() -> list[str]:
    """The three kinds of page."""
    whole = campaign(place="San Giovanni in Persiceto sul Panaro")
    view = FEUD.view(whole, "R")
    return [render_html(build_page(FEUD, view, "R", wording("it"), 0, {"public": "ab" * 32})),
            render_html(build_gazette(FEUD, FEUD.view(whole, ""), wording("it"))),
            render_html(build_referee(FEUD, whole, wording("it"), 0, {"public": "ab" * 32}))]


@pytest.mark.parametrize("width", [375, 900])
def test_nothing_runs_over_the_edge(tmp_path: Path, width: int) -> None:
    """On a phone and on a desktop no page is wider than its window."""
    for number, html in enumerate(htmls()):
        folder = tmp_path / str(number)
        folder.mkdir()
        content, window = widths(folder, html, width)
        assert window == width
        assert content <= window


@pytest.mark.parametrize("width", [360, 390])
def test_the_wide_standings_of_the_referee_fit_a_phone(tmp_path: Path, width: int) -> None:
    """A table of many columns neither stretches the referee's report nor hides a part of itself on a phone."""
    report = page("referee", year()[LAST], lang="it")
    html = render_html(report)

    assert max(len(table.headings) for table in report.tables) > 5
    assert widths(tmp_path, html, width) == (width, width)
    content, window = widths(tmp_path, html, width, "table.wide")
    assert content <= window


def test_dark_and_light_look_different(tmp_path: Path) -> None:
    """A reader who prefers dark gets a dark page."""
    html = htmls()[0]

    light = picture(tmp_path, html, 375, 1200, tmp_path / "light.png")
    dark = picture(tmp_path, html, 375, 1200, tmp_path / "dark.png", dark=True)

    assert light.read_bytes()[:4] == dark.read_bytes()[:4] == b"\x89PNG"
    assert light.read_bytes() != dark.read_bytes()
