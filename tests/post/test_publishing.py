"""`arbitro publish`: the public reports as a site that works from a file; no club's secret, no outside request."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Faction
from assistant.desk.workspace.workspace import open_workspace
from tests.desk.conftest import copied, first_turn, fresh
from tests.reporting.browser import FLAGS, browser

__all__ = ["first_turn", "fresh"]


def links(page: Path) -> list[str]:
    """Where the links of a page lead."""
    return re.findall(r'<a [^>]*href="([^"]+)"', page.read_text(encoding="utf-8"))


@pytest.fixture
def war(first_turn: Path, tmp_path: Path) -> Path:
    """The second turn has begun."""
    return copied(first_turn, tmp_path)


def test_a_page_a_turn_with_links_from_turn_to_turn(war: Path) -> None:
    """The index leads to all of them; each to the one before and after; every link has its file."""
    site = war.parent / "site"
    result = desk.publish(war, site, lang="en")

    assert result.exit == desk.Exit.DONE, result.finding_lines()
    assert (result.data["turns"], result.data["left_out"]) == (["1", "2"], [])
    assert sorted(path.name for path in site.iterdir()) == ["index.html", "turn-1.html", "turn-2.html"]
    assert links(site / "index.html") == ["turn-2.html", "turn-1.html"]
    assert links(site / "turn-1.html") == ["index.html", "turn-2.html"]
    assert links(site / "turn-2.html") == ["turn-1.html", "index.html"]
    assert "wins and takes" in (site / "turn-1.html").read_text(encoding="utf-8")
    assert "wins and takes" not in (site / "turn-2.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_of_a_turn_that_was_taken_back_goes(war: Path) -> None:
    """Pages of somebody else's stay."""
    site = war.parent / "site"
    desk.publish(war, site)
    (site / "turn-of-the-tide.html").write_text("a club's own page")
    desk.undo(war)
    desk.publish(war, site)

    assert sorted(path.name for path in site.iterdir()) == ["index.html", "turn-1.html", "turn-of-the-tide.html"]
    assert links(site / "turn-1.html") == ["index.html"]


@pytest.mark.slow
def test_the_same_campaign_gives_the_same_bytes(war: Path) -> None:
    """And no page names a club's secret column."""
    for name in ("one", "two"):
        desk.publish(war, war.parent / name)

    for page in (war.parent / "one").iterdir():
        assert page.read_bytes() == (war.parent / "two" / page.name).read_bytes()
        assert "http" not in re.sub(r'content="default-src[^"]*"|http-equiv', "", page.read_text(encoding="utf-8"))
    assert getattr(open_workspace(war, "en").campaign.table(Faction)["A"], "gold", 0) > 0  # a secret there was


@pytest.mark.slow
def test_chromium_shows_it_from_a_file_without_a_word_on_the_console(war: Path) -> None:
    """Nothing is asked of anybody, nothing is refused by the page's own policy."""
    site = war.parent / "site"
    desk.publish(war, site)

    for page in sorted(site.iterdir()):
        log = war.parent / f"{page.stem}.log"
        done = subprocess.run(
            [browser(), *FLAGS, f"--user-data-dir={war.parent / 'profile'}", "--enable-logging=stderr", "--v=0",
             f"--log-net-log={log}", "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True,
            timeout=120)
        assert "</html>" in done.stdout
        assert [line for line in done.stderr.splitlines() if "CONSOLE" in line] == []
        asked = set(re.findall(r'"url":"(https?://[^"]+)"', log.read_text(encoding="utf-8", errors="replace")))
        assert {one for one in asked if "google" not in one and "gvt" not in one} == set()
