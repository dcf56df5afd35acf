"""How tall a page is on a phone, estimated from its HTML: before anything is unfolded, and with all of it unfolded."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

SHUT, OPEN = 4_500, 9_000
"""The most pixels that a club's page may be tall at a width of 390, folded and unfolded."""
_MARGIN = 0.95
"""The part of these that an estimate may come to: letters differ from phone to phone."""
_PART = re.compile(r"<(/?)(details|summary|h1|h2|h3|p|li|pre|td|tr|thead|ul|ol|div|br|img)\b([^>]*)>|<[^>]*>")
_LABEL = re.compile(r'data-label="([^"]*)"')
_CLASSES = ("run", "why", "muted", "remark", "fight")
"""Classes of paragraphs that have a height of their own."""
_BODY = '<td class="pad">'


class _Block(NamedTuple):
    """Letters in a line, the height of a line, and what stands above and below, in pixels."""

    letters: int
    line: float
    around: float


_TEXT = _Block(42, 23.2, 10)
_BLOCKS = {
    "h1": _Block(22, 29, 36), "h2": _Block(34, 22.5, 39), "h3": _Block(34, 23.2, 20), "li": _Block(39, 23.2, 3),
    "summary": _Block(33, 24.7, 16), "run": _Block(49, 21.6, 5), "row": _Block(46, 21.6, 7), "why": _Block(42, 23.2, 8),
    "muted": _Block(50, 20.3, 10), "fight": _Block(40, 23.2, 6), "remark": _Block(33, 23.2, 26),
    "tile": _Block(99, 88, 6),
}
_FORM, _PICTURE, _HEAD = 350.0, 300.0, 200.0


class Heights(NamedTuple):
    """The pixels of a page: as it opens, and with everything unfolded."""

    shut: int
    open: int

    @property
    def fit(self) -> bool:
        """Whether a phone's reader need not scroll farther than a club's page may be tall."""
        return self.shut <= SHUT * _MARGIN and self.open <= OPEN * _MARGIN


class _Gauge:
    """Adds up blocks. `folded`: whether each open part around the present place is folded; `kind`: of the present
    block, whose letters are counted.
    """

    def __init__(self) -> None:
        self.shut = self.whole = _HEAD
        self.folded: list[bool] = []
        self.kind = ""
        self.letters = 0

    def add(self, tall: float, *, always: bool = False) -> None:
        """Something so tall, seen before unfolding unless it lies in a folded part."""
        self.whole += tall
        self.shut += tall if always or not any(self.folded) else 0

    def end(self) -> None:
        """The end of the present block."""
        if self.letters:
            block = _BLOCKS.get(self.kind, _TEXT)
            self.add(-(-self.letters // block.letters) * block.line + block.around, always=self.kind == "summary")
        self.letters = 0

    def tag(self, tag: str, closing: bool, rest: str) -> None:
        """A tag: the end of a block or the begin of one."""
        if tag in ("pre", "thead", "tr"):
            self.end()
            self.kind = "" if closing else {"tr": "row"}.get(tag, tag)
            self.add(_FORM if tag == "pre" and not closing else 0)
        elif tag == "td":
            self._cell("" if closing else rest)
        elif self.kind not in ("row", "tile"):
            self.end()
            if tag == "details" and not closing:
                self.folded.append("open" not in rest)
            elif tag == "details":
                self.folded.pop()
            elif tag == "img":
                self.add(_PICTURE)
            elif not closing:
                self.kind = next((name for name in _CLASSES if tag == "p" and f'"{name}' in rest), tag)

    def _cell(self, rest: str) -> None:
        """A cell: of a tile, or of a row, which shows its heading before it unless it is blank."""
        if "tile" in rest:
            self.kind = "tile"
        elif (label := _LABEL.search(rest)) and "none" not in rest:
            self.letters += len(unescape(label[1])) + 3


def phone_heights(html: str) -> Heights:
    """The heights of a page at 390 pixels, from the HTML of the template, before its styles are put into its tags."""
    gauge = _Gauge()
    place = html.find(_BODY) + len(_BODY)
    for part in _PART.finditer(html, place):
        if gauge.kind not in ("pre", "thead"):
            gauge.letters += len(unescape(html[place:part.start()]).strip())
        place = part.end()
        if part[2] is not None:
            gauge.tag(part[2], bool(part[1]), part[3])
    gauge.end()
    return Heights(round(gauge.shut), round(gauge.whole))
