"""Realms and what stands on the map already in; where each owner's sign is written upon its ground, out.

So no owner is known by a colour alone. Where a piece of land has no room, its places bear a small sign each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.pictures.drawing.box import Box, Dots, Grid, Point, around
from assistant.pictures.drawing.frame import Spot
from assistant.pictures.drawing.typeface import width

SIZES = (34.0, 26.0, 19.0, 14.0, 11.0)
"""Of a sign's letters, in pixels; the largest for which there is room."""
TRIES = 8
"""So many points in each direction are tried."""
SMALLEST = 250.0
"""A piece of land with less, in square pixels, has no sign upon it."""
RIM = 4.0
"""So far from the border of its land a sign stands, in pixels."""
TAG = 6.5
"""Half of a small sign beside a place's own."""


@dataclass(frozen=True)
class Sign:
    """An owner's sign, its middle and the size of its letters."""

    owner: str
    text: str
    x: float
    y: float
    size: float


Piece = tuple[str, Sequence[Point]]
"""An owner and the outline of a piece of its land."""


def ground_signs(pieces: Iterable[Piece], texts: Mapping[str, str], taken: Grid, lines: Dots,
                 window: Box) -> list[Sign]:
    """One sign on each piece of land that has room for it; they are taken, too. `lines`: rather not on these."""
    frame, found = window.grown(-10), []
    for owner, outline in pieces:
        text = texts.get(owner, "")
        sign = _sign(owner, text, outline, (taken, lines, frame)) if text else None
        if sign:
            found.append(sign)
            taken.put(around(sign.x, sign.y, *_half(sign.text, sign.size)))
    return found


def tags(spots: Iterable[Spot], pieces: Sequence[Piece], signs: Sequence[Sign], texts: Mapping[str, str],
         taken: Grid) -> list[Sign]:
    """Small signs at the greatest place of each piece of land that bears none, and at places that have no land."""
    bare = [(owner, outline) for owner, outline in pieces
            if not any(sign.owner == owner and inside(sign.x, sign.y, outline) for sign in signs)]
    lands: dict[str, list[Sequence[Point]]] = defaultdict(list)
    for owner, outline in pieces:
        lands[owner].append(outline)
    marked: set[int] = set()
    found = []
    for spot in sorted(spots, key=lambda spot: -spot.place.size):
        text = texts.get(spot.place.owner, "")
        land = next((n for n, (owner, outline) in enumerate(bare) if owner == spot.place.owner
                     and inside(spot.x, spot.y, outline)), None)
        landless = land is None and not any(inside(spot.x, spot.y, outline) for outline in lands[spot.place.owner])
        if not text or not spot.half_width or land in marked or (land is None and not landless):
            continue
        if land is not None:
            marked.add(land)
        away = spot.half_width + TAG - 2, spot.half_height
        corners = [(spot.x + dx * away[0], spot.y + dy * away[1]) for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
        x, y = min(corners, key=lambda corner: taken.cost(around(corner[0], corner[1], TAG - 1, TAG - 1)))
        found.append(Sign(spot.place.owner, text, x, y, TAG))
        taken.put(around(x, y, TAG, TAG))
    return found


def _half(text: str, size: float) -> tuple[float, float]:
    """Half of what a sign takes, in width and height."""
    return width(text, size, "bold") / 2 + 2, size * 0.4


def _sign(owner: str, text: str, outline: Sequence[Point], room: tuple[Grid, Dots, Box]) -> Sign | None:
    """A sign near the middle of a piece of land, as large as there is room for."""
    taken, lines, frame = room
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    left, right = max(min(xs), frame.left), min(max(xs), frame.right)
    top, bottom = max(min(ys), frame.top), min(max(ys), frame.bottom)
    if left >= right or top >= bottom or (right - left) * (bottom - top) < SMALLEST:
        return None
    middle, bounds = ((left + right) / 2, (top + bottom) / 2), Box(left, top, right, bottom)
    columns = [left + (right - left) * (n + 0.5) / TRIES for n in range(TRIES)]
    points = []
    for m in range(TRIES):
        y = top + (bottom - top) * (m + 0.5) / TRIES
        ends = _crossings(y, outline)
        points += [(x, y) for x in columns if sum([x < end for end in ends]) % 2]
    points.sort(key=lambda point: (point[0] - middle[0]) ** 2 + (point[1] - middle[1]) ** 2)
    for size in SIZES:
        best: tuple[float, Point] | None = None
        half = _half(text, size)
        for n, (x, y) in enumerate(points):
            if best is not None and n * 0.1 >= best[0]:
                break
            box = Box(x - half[0], y - half[1], x + half[0], y + half[1])
            if bounds.holds(box) and taken.free(box):
                cost = lines.cost(box) * 3 + n * 0.1
                if (best is None or cost < best[0]) and _fits(box.grown(RIM), outline):
                    best = cost, (x, y)
        if best:
            return Sign(owner, text, *best[1], size)
    return None


def _fits(box: Box, outline: Sequence[Point]) -> bool:
    """Whether the corners of a box, and the middles of its sides, lie inside an outline."""
    x, y = box.middle
    return all(sum([across < end for end in ends]) % 2 for down in (box.top, y, box.bottom)
               for ends in (_crossings(down, outline),) for across in (box.left, x, box.right))


def inside(x: float, y: float, outline: Sequence[Point]) -> bool:
    """Whether a point lies inside an outline."""
    return sum([x < end for end in _crossings(y, outline)]) % 2 == 1


def _crossings(y: float, outline: Sequence[Point]) -> list[float]:
    """Where a level line crosses an outline."""
    found = []
    x1, y1 = outline[-1]
    for x2, y2 in outline:
        if (y1 > y) != (y2 > y):
            found.append((x2 - x1) * (y - y1) / (y2 - y1) + x1)
        x1, y1 = x2, y2
    return found
