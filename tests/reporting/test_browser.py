"""How the reports look in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.reporting.build import build_page
from assistant.reporting.public import build_gazette, build_referee
from assistant.reporting.render import render_html
from tests.reporting.browser import picture, widths
from tests.reporting.feud import FEUD, campaign, wording

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


def test_dark_and_light_look_different(tmp_path: Path) -> None:
    """A reader who prefers dark gets a dark page."""
    html = htmls()[0]

    light = picture(tmp_path, html, 375, 1200, tmp_path / "light.png")
    dark = picture(tmp_path, html, 375, 1200, tmp_path / "dark.png", dark=True)

    assert light.read_bytes()[:4] == dark.read_bytes()[:4] == b"\x89PNG"
    assert light.read_bytes() != dark.read_bytes()
