"""How tall a page is on a phone, estimated from its HTML: before anything is unfolded, and with all of it unfolded."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

SHUT, OPEN = 4_500, 9_000
"""The most pixels that a club's page may be tall at a width of 390, folded and unfolded."""
_MARGIN = 0.95
"""The part of these that an estimate may come to: letters differ from phone to phone."""
_PART = re.compile(
    r"<(/?)(details|summary|h1|h2|h3|p|li|pre|td|tr|thead|ul|ol|div|br|img|small|span)\b([^>]*)>|<[^>]*>")
_BREAKS = frozenset(("summary", "h1", "h2", "h3", "p", "li", "pre", "br", "img", "div", "ul", "ol", "details"))


class _Block(NamedTuple):
    """Letters in a line, the height of a line, and what stands above and below, in pixels."""

    letters: int
    line: float
    around: float


_TEXT = _Block(42, 23.2, 10)
_BLOCKS = {
    "h1": _Block(22, 29, 36), "h2": _Block(34, 22.5, 39), "h3": _Block(34, 23.2, 20), "li": _Block(39, 23.2, 3),
    "summary": _Block(33, 24.7, 16), "run": _Block(49, 21.6, 5), "row": _Block(46, 21.6, 7), "why": _Block(42, 23.2, 8),
    "muted": _Block(50, 20.3, 10), "fight": _Block(40, 23.2, 6), "remark": _Block(33, 23.2, 26), "tile": _Block(99, 88, 6),
    "pair": _Block(41, 21.6, 9),
}
_FORM, _PICTURE, _HEAD = 350.0, 300.0, 200.0
_TALL = re.compile(r'height="(\d+)"')


class Heights(NamedTuple):
    """The pixels of a page: as it opens, and with everything unfolded."""

    shut: int
    open: int

    @property
    def fit(self) -> bool:
        """Whether a phone's reader need not scroll farther than a club's page may be tall."""
        return self.shut <= SHUT * _MARGIN and self.open <= OPEN * _MARGIN


def phone_heights(html: str) -> Heights:
    """The heights of a page at 390 pixels, from the HTML of the template, before its styles are put into its tags."""
    shut = whole = _HEAD
    folded: list[bool] = []
    kind, letters, cards = "", 0, False

    def end() -> None:
        nonlocal letters, shut, whole
        if letters:
            block = _BLOCKS.get(kind, _TEXT)
            tall = -(-letters // block.letters) * block.line + block.around
            whole += tall
            if not any(folded) or kind == "summary":
                shut += tall
        letters = 0

    body = html[html.find('<td class="pad">') + len('<td class="pad">'):]
    place = 0
    for part in _PART.finditer(body):
        closing, tag, rest = part[1], part[2], part[3] or ""
        if kind != "pre" and kind != "thead":
            letters += len(unescape(body[place:part.start()]).strip())
        place = part.end()
        if tag is None:
            continue
        if tag == "details":
            end()
            if closing:
                folded.pop()
            else:
                folded.append("open" not in rest)
        elif tag == "img":
            end()
            whole += _PICTURE
            shut += 0 if any(folded) else _PICTURE
        elif tag == "pre":
            if not closing:
                end()
                whole += _FORM
                shut += 0 if any(folded) else _FORM
            kind = "" if closing else "pre"
        elif tag == "thead":
            kind = "" if closing else "thead"
        elif tag == "tr":
            end()
            cards = not closing and cards
            kind = "" if closing else "row"
        elif tag == "td" and not closing:
            if "tile" in rest:
                kind = "tile"
            elif label := re.search(r'data-label="([^"]*)"', rest):
                letters += len(unescape(label[1])) + 3
                if "none" in rest:
                    letters -= len(unescape(label[1])) + 3
        elif tag in _BREAKS and kind != "row" and kind != "tile":
            end()
            if not closing:
                kind = next((name for name in ("run", "why", "muted", "remark", "ask", "fight") if f'"{name}' in rest
                             and tag == "p"), tag)
    end()
    return Heights(round(shut), round(whole))
