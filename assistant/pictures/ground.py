"""What lies below a map's places: the sheet of outlines in; lines and areas out, and which rows cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from assistant.campaign.campaign import Campaign
from assistant.campaign.outlines import MOST_POINTS, Outline, points_of
from assistant.pictures.scene import Ground, Line

FEWEST = {"land": 3, "sea": 3, "lake": 3, "region": 3, "river": 2, "mountains": 2, "name": 2}
"""So many points at least make an outline of a kind."""


def grounds_of(view: Campaign, lang: str, held: Callable[[str], str]) -> Iterator[Ground]:
    """The outlines that can be drawn, each joined of its pieces, in natural order of their codes. `held`: says of a
    place whose it is.
    """
    left = MOST_POINTS
    for rows, line in _outlines(view):
        first = rows[0]
        if line is not None and FEWEST[first.kind] <= len(line) <= left:
            left -= len(line)
            name = next((name for row in rows if (name := row.called(lang))), "")
            yield Ground(first.kind, line, name, held(first.place) if first.place else first.owner)


def unreadable(view: Campaign) -> list[str]:
    """The codes of the outlines that cannot be drawn."""
    drawn = MOST_POINTS
    found = []
    for rows, line in _outlines(view):
        if line is None or not FEWEST[rows[0].kind] <= len(line) <= drawn:
            found.append(rows[0].outline)
        else:
            drawn -= len(line)
    return found


def _outlines(view: Campaign) -> Iterator[tuple[list[Outline], Line | None]]:
    """Each outline's rows in order, with all their points; None where a row says something else."""
    if not view.has(Outline.sheet):
        return
    together: dict[str, list[Outline]] = {}
    for row in view.table(Outline):
        together.setdefault(row.outline, []).append(row)
    for rows in together.values():
        pieces = [points_of(row.points) for row in rows]
        yield rows, None if None in pieces else tuple(point for piece in pieces for point in piece or ())
