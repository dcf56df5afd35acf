"""Headless Chromium, when the machine has it: how wide a page is, and what it looks like."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")
NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser() -> str:
    """The path of a Chromium. Raises FileNotFoundError where there is none: what cannot run has failed."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise FileNotFoundError("no Chromium on this machine; dev.py test says how to install it")


def _run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([browser(), *FLAGS, f"--user-data-dir={folder / 'profile'}", *arguments],
                          capture_output=True, text=True, check=True, timeout=120)
    return done.stdout


def _framed(folder: Path, page: str, width: int, height: int, part: str = "html") -> Path:
    """The page in a frame of that width: a window itself cannot be as narrow as a phone.

    `part`: the CSS selector of what is measured against the box that it stands in (`html`: the window).
    """
    wrapper = folder / f"frame{width}.html"
    wrapper.write_text(
        "<!DOCTYPE html><title>waiting</title><body style='margin:0'>"
        f"<iframe id='f' style='border:0' width='{width}' height='{height}' srcdoc='{html.escape(page)}'></iframe>"
        "<script>onload = () => { const e = document.getElementById('f').contentDocument"
        f".querySelector({json.dumps(part)}); const box = e.parentElement || e;"
        "document.title = e.scrollWidth + ' of ' + box.clientWidth; }</script>", encoding="utf-8")
    return wrapper


def widths(folder: Path, page: str, width: int, part: str = "html") -> tuple[int, int]:
    """How wide the page's content is and how wide its window, in pixels; of a `part`, its own and its box's."""
    shown = _run(folder, "--dump-dom", _framed(folder, page, width, 900, part).as_uri())
    found = re.search(r"<title>(\d+) of (\d+)</title>", shown)
    assert found is not None, shown[:300]
    return int(found[1]), int(found[2])


def picture(folder: Path, page: str, width: int, height: int, target: Path, *, dark: bool = False) -> Path:
    """A PNG of the top of the page; `dark`: as a reader who prefers dark sees it."""
    wrapper = _framed(folder, page, width, height)
    mode = ("--blink-settings=preferredColorScheme=0",) if dark else ()
    _run(folder, *mode, f"--window-size={max(width, 500)},{height}", f"--screenshot={target}", wrapper.as_uri())
    return target
