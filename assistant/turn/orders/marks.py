"""Text as people send it in; out the lines of the template that a club has filled in, and a line without its marks.

The template stands in each report (`assistant.reporting.template`) between two marked lines, in either language.
"""

from __future__ import annotations

import re

MARKS = {
    "en": ("#===== ARBITRO: BEGIN =====", "#===== ARBITRO: END ====="),
    "it": ("#===== ARBITRO: INIZIO =====", "#===== ARBITRO: FINE ====="),
}
"""The lines before and behind what counts, by language."""
REMARKS = ("#", ";")
"""How a line begins that does not count."""
_BEGIN, _END = frozenset(first for first, _ in MARKS.values()), frozenset(last for _, last in MARKS.values())
_QUOTED = re.compile(r"(\s*>)+ ?")
_PICTURES = "\u231a-\u23ff\u2460-\u27bf\u2b00-\u2bff\ufe0e\ufe0f\u200d\U0001f000-\U0001faff\U000e0020-\U000e007f"
"""Emoji with what joins and colours them, numbers in circles, and the shapes that stand before a list's items."""
_ITEM = re.compile(rf"""
    \(?\d+[.)][*_]*\s+                              # never an amount: none has a stop or a bracket and then a blank
    | \d+\)(?=[^\W\d_]) | \d\d?\.(?=[^\W\d_][^\s.]*(?:\s|$))  # 1.V6 V7; a question's name has further stops
    | (?:\d\ufe0f?\u20e3)+\s*
    | [-+*\u00b7\u2010-\u2015\u2212]+\s+
    | [\u2022\u2023\u2043\u2219{_PICTURES}]+\s*
    | [*_]+(?=\S)""", re.VERBOSE)
_BEHIND = re.compile(rf"\s*[*_{_PICTURES}]+$")
_QUOTES = "\"\u201c-\u201f\u2033\u00ab\u00bb\u275d\u275e\u300c-\u300f\uff02"
_SINGLE = "'`\u00b4\u2018-\u201b\u2032\u2039\u203a"
_IN_QUOTES = re.compile(rf"(?:<<|,,|''|[{_QUOTES}{_SINGLE}])(.*?)(?:>>|''|[{_QUOTES}{_SINGLE}])")
_HALF_QUOTED = re.compile(rf"[{_QUOTES}]([^{_QUOTES}]+)|([^{_QUOTES}]+)[{_QUOTES}]")
_ENDS_A_QUOTE = re.compile(rf"[^{_QUOTES}]*[^\s{_QUOTES}][{_QUOTES}]")

def remark(line: str) -> bool:
    """Whether a line does not count: a blank one, or a remark."""
    return not line.strip() or line.lstrip().startswith(REMARKS)


def bare(line: str) -> str:
    """A line without the mark of a list before it (``1.``, ``2)``, ``-``, ``•``) and without what surrounds it: quotes,
    ``*bold*``, emoji. What is nothing but such signs stays; a line that begins with a name in quotes keeps it.
    """
    was, left = "", line.strip()
    while left != was:
        was = left
        left = _ITEM.sub("", left, count=1) if _ITEM.match(left) else left
        quoted = _IN_QUOTES.fullmatch(left)
        if quoted and not _ENDS_A_QUOTE.match(quoted[1]):
            left = quoted[1]
        elif half := _HALF_QUOTED.fullmatch(left):
            left = half[1] or half[2]
        left = _BEHIND.sub("", left).strip() or was
    return left


def between(text: str) -> list[str] | None:
    """The lines of a text with those outside the marks blank, so that each keeps its number; None without a mark.

    Mail programs quote with ``>`` and leave blanks at the end of a line. A template may stand there twice, filled in
    and as it was sent; one whose last mark is missing goes on to the end.
    """
    found, inside, marked = [], False, False
    for raw in text.splitlines():
        line = _QUOTED.sub("", raw, count=1).strip() if _QUOTED.match(raw) else raw.strip()
        here = line.upper()
        if here in _BEGIN:
            inside = marked = True
        elif here in _END:
            inside = False
        found.append(line if inside else "")
    return found if marked else None
