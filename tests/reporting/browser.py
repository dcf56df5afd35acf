"""Headless Chromium, when the machine has it: how wide a page is, and what it looks like."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
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


def _framed(folder: Path, frames: Sequence[tuple[str, int]], height: int, part: str = "html") -> Path:
    """Pages in frames of some width: a window itself cannot be as narrow as a phone.

    `part`: the CSS selector of what is measured against the box that it stands in (`html`: the window).
    """
    wrapper = folder / f"frame{frames[0][1]}.html"
    wrapper.write_text(
        "<!DOCTYPE html><title>waiting</title><body style='margin:0'>" + "".join(
            f"<iframe style='border:0' width='{width}' height='{height}' srcdoc='{html.escape(page)}'></iframe>"
            for page, width in frames) +
        "<script>onload = () => { document.title = [...document.querySelectorAll('iframe')].map(frame => {"
        f"const e = frame.contentDocument.querySelector({json.dumps(part)}); const box = e.parentElement || e;"
        "return e.scrollWidth + ' of ' + box.clientWidth; }).join(', '); }</script>", encoding="utf-8")
    return wrapper


def widths(folder: Path, *frames: tuple[str, int], part: str = "html") -> list[tuple[int, int]]:
    """How wide each page's content is in a window of some width, and how wide that window, in pixels; of a `part`,
    its own and its box's.
    """
    shown = _run(folder, "--dump-dom", _framed(folder, frames, 900, part).as_uri())
    measured = re.search(r"<title>([\d of,]+)</title>", shown)
    assert measured is not None, shown[:300]
    return [(int(content), int(window)) for content, window in re.findall(r"(\d+) of (\d+)", measured[1])]


def picture(folder: Path, page: str, width: int, height: int, target: Path, *, dark: bool = False) -> Path:
    """A PNG of the top of the page; `dark`: as a reader who prefers dark sees it."""
    wrapper = _framed(folder, [(page, width)], height)
    mode = ("--blink-settings=preferredColorScheme=0",) if dark else ()
    _run(folder, *mode, f"--window-size={max(width, 500)},{height}", f"--screenshot={target}", wrapper.as_uri())
    return target


def paper(folder: Path, page: str) -> Path:
    """The page as a browser prints it, backgrounds and all: a PDF in the folder."""
    source, target = folder / "paper.html", folder / "paper.pdf"
    source.write_text(page, encoding="utf-8")
    _run(folder, "--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri())
    return target


def pages(pdf: Path) -> int:
    """How many pages a PDF has."""
    told = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True, check=True, timeout=60).stdout
    return int(re.findall(r"^Pages:\s+(\d+)$", told, re.MULTILINE)[0])


def words(pdf: Path) -> str:
    """What can be read on a PDF."""
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True,
                          timeout=60).stdout


def bands(pdf: Path) -> int:
    """How many rows of pixels of a PDF, at 40 to the inch, belong to a box of one tone: for a third of the width at
    least, and at least three rows high, which no line of print or rule is.
    """
    stem = pdf.with_suffix("")
    subprocess.run(["pdftoppm", "-r", "40", "-gray", pdf, stem], check=True, timeout=60)
    found = 0
    for picture_of in sorted(pdf.parent.glob(f"{stem.name}-*.pgm")):
        _, width, _, _, pixels = re.split(rb"\s", picture_of.read_bytes(), maxsplit=4)
        wide = int(width)
        filled = re.compile(rb"([\x00-\xfb])\1{%d}" % (wide // 3), re.DOTALL)
        rows = [filled.search(pixels[start:start + wide]) is not None for start in range(0, len(pixels), wide)]
        found += sum(all(rows[row:row + 3]) for row in range(len(rows) - 2))
    return found


def heights(folder: Path, pages_shown: Sequence[str], width: int) -> list[tuple[int, int, int]]:
    """Of each page in a window of some width: its height as it opens, its height with all unfolded, its width."""
    wrapper = folder / f"heights{width}.html"
    wrapper.write_text(
        "<!DOCTYPE html><title>waiting</title><body style='margin:0'>" + "".join(
            f"<iframe style='border:0' width='{width}' height='100' srcdoc='{html.escape(page)}'></iframe>"
            for page in pages_shown) +
        "<script>onload = () => { document.title = [...document.querySelectorAll('iframe')].map(frame => {"
        "const d = frame.contentDocument, shut = d.body.scrollHeight;"
        "d.querySelectorAll('details').forEach(part => { part.open = true; });"
        "return shut + ' ' + d.body.scrollHeight + ' ' + d.documentElement.scrollWidth; }).join(', '); }</script>",
        encoding="utf-8")
    shown = _run(folder, "--dump-dom", wrapper.as_uri())
    measured = re.search(r"<title>([\d ,]+)</title>", shown)
    assert measured is not None, shown[:300]
    return [(int(shut), int(opened), int(wide)) for shut, opened, wide in re.findall(r"(\d+) (\d+) (\d+)", measured[1])]


def letters(folder: Path, page: str, width: int) -> tuple[dict[str, float], float]:
    """Of a page with all unfolded: the class or element of text under 16 pixels with its size, and the most lines that
    a card of a table has below its heading.
    """
    wrapper = folder / f"letters{width}.html"
    wrapper.write_text(
        "<!DOCTYPE html><title>waiting</title><body style='margin:0'>"
        f"<iframe style='border:0' width='{width}' height='100' srcdoc='{html.escape(page)}'></iframe>"
        "<script>onload = () => { const frame = document.querySelector('iframe'), d = frame.contentDocument;"
        "const of = element => frame.contentWindow.getComputedStyle(element), small = {};"
        "d.querySelectorAll('details').forEach(part => { part.open = true; });"
        "const walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT);"
        "while (walk.nextNode()) { const element = walk.currentNode.parentElement;"
        "const size = parseFloat(of(element).fontSize);"
        "if (walk.currentNode.textContent.trim() && size < 16 && of(element).display != 'none')"
        " small[(element.closest('[class]') || element).className.split(' ')[0]] = size; }"
        "const lines = [...d.querySelectorAll('.cards tbody tr')].map(row =>"
        " row.getBoundingClientRect().height / parseFloat(of(row).lineHeight) - 1);"
        "document.title = JSON.stringify([small, Math.max(0, ...lines)]); }</script>", encoding="utf-8")
    shown = _run(folder, "--dump-dom", wrapper.as_uri())
    measured = re.search(r"<title>(\[.*?\])</title>", shown)
    assert measured is not None, shown[:300]
    small, lines = json.loads(html.unescape(measured[1]))
    return small, lines
