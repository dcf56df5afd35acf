"""A mail's text in; out the lines of the template that a club has filled in, all others blank.

The template stands in each report (`assistant.reporting.template`) between two marked lines, in either language.
"""

from __future__ import annotations

from assistant.late_regex import late_regex

MARKS = {
    "en": ("#===== ARBITRO: BEGIN =====", "#===== ARBITRO: END ====="),
    "it": ("#===== ARBITRO: INIZIO =====", "#===== ARBITRO: FINE ====="),
}
"""The lines before and behind what counts, by language."""
REMARKS = ("#", ";")
"""How a line begins that does not count."""
_BEGIN, _END = frozenset(first for first, _ in MARKS.values()), frozenset(last for _, last in MARKS.values())
_QUOTED = late_regex(r"(\s*>)+ ?")


def remark(line: str) -> bool:
    """Whether a line does not count: a blank one, or a remark."""
    return not line.strip() or line.lstrip().startswith(REMARKS)


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
