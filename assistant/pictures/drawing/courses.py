"""Ways and marches between places in; the lines on which they are drawn, in pixels, out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zlib import crc32

from assistant.pictures.drawing.box import Box, Grid, Point, around
from assistant.pictures.drawing.frame import Spot
from assistant.pictures.scene import March, Way

BENDS: Mapping[str, float] = {"road": 0.05, "track": 0.06, "pass": 0.07, "lane": 0.14, "coast": 0.08, "river": 0.07}
"""How far the middle of a way lies beside the straight line, in its lengths."""
STEPS = 12
_SHARES = tuple(((1 - n / STEPS) ** 2, 2 * (1 - n / STEPS) * n / STEPS, (n / STEPS) ** 2) for n in range(STEPS + 1))
"""Of the two ends and the pull between them, in each point of a curve."""
MOST = 600
"""Points of a line between two others: a line that is far too long for any picture has no more."""


GAP, SHORTEST, SIGN = 3.0, 8, 8.0
"""From a point of an arrow's line to the next, such points at least, and half of the sign upon it; in pixels."""
CLEAR = 21.0
"""From the tip of an arrow to the middle of its sign at least, in pixels."""
OFFSETS = (0.0, 7.0, -7.0, 14.0, -14.0, 21.0, -21.0)
"""How far beside its line an arrow or its sign may lie, in pixels."""


@dataclass(frozen=True)
class Course:
    """A line with its points close together. `d`: the same as the data of a path."""

    style: str
    points: tuple[Point, ...]
    d: str
    label: str = ""
    shut: bool = False


def path(points: Sequence[Point], closed: bool = False) -> str:
    """Points as the data of a path, to a tenth of a pixel."""
    if not points:
        return ""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("z" if closed else "")


def curve(start: Point, pull: Point, end: Point) -> str:
    """A curve as the data of a path: a picture draws it in a third of the time that its points take."""
    return f"M{start[0]:.1f} {start[1]:.1f}Q{pull[0]:.1f} {pull[1]:.1f} {end[0]:.1f} {end[1]:.1f}"


def courses(ways: Iterable[Way], ends: Mapping[str, Point], straight: bool) -> list[Course]:
    """The lines of the ways whose two ends are known and that are drawn at all."""
    found = []
    for way in ways:
        if way.style and way.a in ends and way.b in ends and ends[way.a] != ends[way.b]:
            start, end, bent = ends[way.a], ends[way.b], 0.0 if straight else bend(way.a, way.b, way.style)
            points = between(start, end, bent)
            found.append(Course(way.style, tuple(points), curve(start, _pull(start, end, bent), end) if bent
                                else path(points), way.label, way.shut))
    return found


def bend(a: str, b: str, style: str) -> float:
    """To which side a way bends, and how much: the same whichever end is named first."""
    low, high = sorted((a, b))
    side = 1 if crc32(f"{low} {high}".encode()) & 1 else -1
    return BENDS.get(style, 0.0) * side * (1 if a == low else -1)


def between(start: Point, end: Point, bent: float) -> list[Point]:
    """The points of a curve from one place to another."""
    if not bent:
        return [start, end]
    (ax, ay), (bx, by), (cx, cy) = start, _pull(start, end, bent), end
    return [(u * ax + v * bx + w * cx, u * ay + v * by + w * cy) for u, v, w in _SHARES]


def _pull(start: Point, end: Point, bent: float) -> Point:
    """The point towards which a curve bends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return start[0] + dx / 2 - dy * 2 * bent, start[1] + dy / 2 + dx * 2 * bent


def dense(points: Sequence[Point], gap: float = 7.0) -> list[Point]:
    """Points along a line, none farther from the next than the gap as a rule."""
    found: list[Point] = []
    for (ax, ay), (bx, by) in pairwise(points):
        many = min(MOST, max(1, math.ceil(math.hypot(bx - ax, by - ay) / gap)))
        found += [(ax + (bx - ax) * n / many, ay + (by - ay) * n / many) for n in range(many)]
    return [*found, *points[-1:]]


@dataclass(frozen=True)
class Arrow:
    """A march: its line, its head as a path, and where its owner's sign stands."""

    owner: str
    ordered: bool
    d: str
    head: str
    sign_x: float
    sign_y: float
    points: tuple[Point, ...]


def arrows(marches: Iterable[March], spots: Mapping[str, Spot], ends: Mapping[str, Point],
           styles: Mapping[frozenset[str], str], window: Box, straight: bool) -> list[Arrow]:
    """The marches that lead over two places at least of which the reader knows where they are.

    `ends`: all places, also those outside the `window`; `styles`: the ways by their two ends, whose bends a march
    takes.
    """
    found = []
    for march in marches:
        stops = [code for code in march.path if code in ends]
        points: list[Point] = []
        for a, b in pairwise(stops):
            style = styles.get(frozenset((a, b)), "road")
            points += dense(between(ends[a], ends[b], 0.0 if straight else bend(a, b, style)), GAP)
        room = spots[stops[-1]].half_width + 5 if stops and stops[-1] in spots else 8.0
        points = _cut(_cut(points, room)[::-1], 9.0)[::-1] if len(points) > 2 else []
        if len(points) > 5:
            stations = [ends[code] for code in stops]
            found.append(_arrow(march, points, stations, window))
    return found


def _cut(points: list[Point], room: float) -> list[Point]:
    """A line without its end that is nearer than the room to its last point."""
    x, y = points[-1]
    kept = list(points)
    while len(kept) > 1 and math.hypot(kept[-1][0] - x, kept[-1][1] - y) < room:
        kept.pop()
    return kept


def _arrow(march: March, points: list[Point], stations: Sequence[Point], window: Box) -> Arrow:
    """An arrow; its sign stands where the march is farthest from the places that it passes."""
    line = _cut(points, 11.0)
    middles = [line[len(line) * part // 12] for part in (5, 4, 6, 3, 7, 8)]
    middle = max([point for point in middles if window.has(*point)] or middles,
                 key=lambda point: min(math.hypot(point[0] - x, point[1] - y) for x, y in stations))
    return Arrow(march.owner, march.ordered, path(line[::3] + line[-1:]), path(_head(points), closed=True), *middle,
                 tuple(points))


def _head(points: Sequence[Point]) -> list[Point]:
    """The corners of the head of an arrow that ends with these points."""
    (tx, ty), (fx, fy) = points[-1], points[max(0, len(points) - 6)]
    length = math.hypot(tx - fx, ty - fy) or 1.0
    ux, uy = (tx - fx) / length, (ty - fy) / length
    bx, by = tx - ux * 13, ty - uy * 13
    return [(tx, ty), (bx - uy * 7.5, by + ux * 7.5), (bx + ux * 3, by + uy * 3), (bx + uy * 7.5, by - ux * 7.5)]


def beside_names(arrow: Arrow, names: Grid) -> Arrow:
    """An arrow whose head and sign lie on no name: it ends before one that lies across it, else it runs beside the
    places themselves. Where there is no such room at all it stays as it is.
    """
    whole = list(arrow.points)
    shorter = sorted(((off, n) for off in OFFSETS for n in range(len(whole) * 2 // 3) if len(whole) - n > SHORTEST),
                     key=lambda one: abs(one[0]) + one[1] * GAP)
    lines = (_shifted(whole, off)[:len(whole) - n] for off, n in shorter)
    points = next((one for one in lines if names.free(_about(_head(one)))), whole)
    line = _cut(points, 11.0)
    at = arrow.sign_x, arrow.sign_y
    signs = (min(free, key=lambda point: math.dist(point, at)) for off in OFFSETS
             if (free := [point for point in _shifted(line, off) if math.dist(point, points[-1]) >= CLEAR
                          and names.free(around(*point, SIGN, SIGN))]))
    x, y = next(signs, at)
    return replace(arrow, d=path(line[::3] + line[-1:]), head=path(_head(points), closed=True), sign_x=x, sign_y=y,
                   points=tuple(points))


def _shifted(points: Sequence[Point], off: float) -> list[Point]:
    """A line beside another, so far to its right."""
    (ax, ay), (bx, by) = points[0], points[-1]
    length = math.dist(points[0], points[-1]) or 1.0
    return [(x - (by - ay) / length * off, y + (bx - ax) / length * off) for x, y in points]


def _about(points: Sequence[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))
