"""A page in; the short message for a chat group out: whose it is, what is due, the foremost of what happened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assistant.reporting.pages import Group, Line, ReportPage, SpanPage

MOST = 700
"""So many characters a message has at most: a phone shows them without a tap."""
LONGEST_LINE = 140
FORM = "chat"
"""The form's name among those of a report; see `shelf.entries.file_of`."""
_SIGNS = str.maketrans({"*": "∗", "~": "∼", "`": "'"})
"""With these chat programs make letters bold, struck out or of one width."""


def render_chat(page: ReportPage, lines: Sequence[str] = ()) -> str:
    """The message of a page, at most `MOST` characters, ending in one line feed.

    `lines`: what a ruleset itself has to say of the moment; without them the foremost of what the page tells.
    """
    until = "" if page.band.title.endswith(".") else page.subject.rpartition(page.moment)[2]  # ", by Sunday, 20:00"
    head = [f"{page.name} · {page.moment}", page.band.title + until]
    shown = [_shown(one) for one in (lines or _foremost(page)) if one]
    told = {one.rstrip("."): one for one in shown}.values()  # the inbox's line has no full stop
    kept, left = [], MOST - 2 - sum(len(_shown(one)) + 1 for one in (*head, page.foot))
    for one in told:
        if len(one) + 3 > left:
            kept.append("…")
            break
        kept.append(f"- {one}")
        left -= len(one) + 3
    return "\n".join((_shown(head[0]), _shown(head[1]), *kept, _shown(page.foot))) + "\n"


def _foremost(page: ReportPage) -> Iterator[str]:
    """Sentences in the order in which they matter: those of the inbox, one's own affairs, battles, public news."""
    yield from (one for one in page.preheader.split(" · ") if one != page.covers)
    yield from page.dues
    if isinstance(page, SpanPage):
        yield from _lines(page.brief.lines.items)
    yield from _of_groups(page.happened)
    for card in page.battles.items:
        yield from (f"{card.title}: {line.text}" for line in card.lines[-1:])
    yield from _of_groups(page.news)
    yield page.covers


def _of_groups(groups: Iterable[Group]) -> Iterator[str]:
    """Grave lines of all groups first, then the others."""
    lines = [one for group in groups for one in group.lines.items]
    yield from _lines(sorted(lines, key=lambda one: not one.grave))


def _lines(lines: Iterable[Line]) -> Iterator[str]:
    return (f"{one.place}: {one.text}" if one.place else one.text for one in lines)


def _shown(text: str) -> str:
    """One line without signs that a chat program would take for its own, and not too long."""
    line = re.sub(r"(?<!\w)_+|_+(?!\w)", "", " ".join(text.translate(_SIGNS).split()))
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE - 1].rstrip() + "…"
