"""How the reports look in a real browser."""

from __future__ import annotations

from dataclasses import replace
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


def test_nothing_runs_over_the_edge(tmp_path: Path) -> None:
    """On a phone and on a desktop no page is wider than its window."""
    frames = [(html, width) for html in htmls() for width in (375, 900)]
    for (_, width), (content, window) in zip(frames, widths(tmp_path, *frames), strict=True):
        assert window == width
        assert content <= window


def test_the_wide_standings_of_the_referee_fit_a_phone(tmp_path: Path) -> None:
    """A table of many columns neither stretches the referee's report nor hides a part of itself on a phone."""
    report = page("referee", year()[LAST], lang="it")
    html = render_html(replace(report, tables=report.tables[1:]))

    assert len(report.tables[1].headings) > 5
    phones = [(html, 360), (html, 390)]
    assert widths(tmp_path, *phones) == [(360, 360), (390, 390)]
    assert all(content <= window for content, window in widths(tmp_path, *phones, part="table.cards"))


def test_dark_and_light_look_different(tmp_path: Path) -> None:
    """A reader who prefers dark gets a dark page."""
    html = htmls()[0]

    light = picture(tmp_path, html, 375, 1200, tmp_path / "light.png")
    dark = picture(tmp_path, html, 375, 1200, tmp_path / "dark.png", dark=True)

    assert light.read_bytes()[:4] == dark.read_bytes()[:4] == b"\x89PNG"
    assert light.read_bytes() != dark.read_bytes()
