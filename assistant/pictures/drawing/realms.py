"""Places on their picture, outlines of land in; coast, realms with their borders, what lies in fog, out.

Each place has the ground that is nearer to it than to any other (Voronoi), as far as there is land; where no outline
of land is given, land is what lies near places and their ways.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

from assistant.pictures.drawing.box import Box, Point
from assistant.pictures.drawing.courses import Course, path

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ROUGH = 0.09
"""How far borders wander from the straight line, in lengths of their pieces."""
BAND = 5.5
"""How wide the inner border of a realm is, in pixels."""
NUDGE = 0.01
"""So far a point is moved where several lie exactly below one another, in pixels."""
ENOUGH = 300
"""With more places than that borders wander less, in fewer steps."""
NEAR, FAR = 34.0, 95.0
"""How far land reaches about places where no outline is given, in pixels of the whole map."""
POND = 8.0
"""What is left out between ways and is smaller than so many squares of that is land, too."""


@dataclass(frozen=True)
class Realm:
    """All that one owner holds: its outline as the data of a path, what lies within its inner border, and its pieces as
    points, the largest first.
    """

    owner: str
    d: str
    within: str
    pieces: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class Terrain:
    """The ground of a graph. `land`, `fog`, `unknown` and `inner` (borders of single places) are data of paths."""

    land: str
    realms: tuple[Realm, ...]
    fog: str
    unknown: str
    inner: str


@dataclass(frozen=True)
class Holding:
    """A place as its ground is concerned: where it stands, who holds it, and how well it is seen."""

    x: float
    y: float
    owner: str
    seen: str


Outline = tuple[Point, ...]


def ground(holdings: Iterable[Holding], outlines: Iterable[Sequence[Point]], lakes: Iterable[Sequence[Point]],
           regions: Iterable[tuple[str, Sequence[Point]]], ways: Iterable[Course], window: Box,
           reach: float) -> Terrain:
    """The ground of a graph. `reach`: how far land lies around places, where it has no outline. Raises ImportError
    without shapely.
    """
    import shapely

    given = tuple(tuple(line) for line in outlines if len(line) > 2)
    water = tuple(tuple(line) for line in lakes if len(line) > 2)
    roads = () if given else tuple((way.points[0], way.points[len(way.points) // 2], way.points[-1]) for way in ways
                                     if way.style not in ("lane", "border"))
    drawn = tuple((owner, tuple(line)) for owner, line in regions if len(line) > 2)
    frame = shapely.box(window.left - 60, window.top - 60, window.right + 60, window.bottom + 60)
    return _held(tuple(holdings), given, water, drawn, roads, (frame, reach))


@lru_cache(maxsize=4)
def _held(holdings: tuple[Holding, ...], outlines: tuple[Outline, ...], lakes: tuple[Outline, ...],
          regions: tuple[tuple[str, Outline], ...], roads: tuple[Outline, ...],
          extent: tuple[BaseGeometry, float]) -> Terrain:
    """`ground`, once for all readers who know the same of it."""
    import shapely

    land, areas, sides = _skeleton(tuple((one.x, one.y) for one in holdings), outlines, lakes, roads, extent)
    drawn = [(owner, _area(line)) for owner, line in regions]
    apart = shapely.union_all([area for _, area in drawn]) if drawn else None
    realms = []
    for owner in dict.fromkeys([*(one.owner for one in holdings), *(owner for owner, _ in drawn)]):
        whole = shapely.union_all([area for one, area in zip(holdings, areas, strict=True) if one.owner == owner])
        if apart is not None:
            whole = shapely.union_all([whole.difference(apart), *(area for who, area in drawn if who == owner)])
        if owner:
            realms.append(_realm(owner, whole.intersection(land)))
    fog, dark = (_path(shapely.union_all([area for one, area in zip(holdings, areas, strict=True)
                                          if one.seen == seen]).intersection(land)) for seen in ("earlier", "never"))
    inner = [line for one, other, line in sides if holdings[one].owner == holdings[other].owner]
    return Terrain(_path(land), tuple(realm for realm in realms if realm.d), fog, dark, _lines(inner, land))


@lru_cache(maxsize=4)
def _skeleton(points: Outline, outlines: tuple[Outline, ...], lakes: tuple[Outline, ...], roads: tuple[Outline, ...],
              extent: tuple[BaseGeometry, float]
              ) -> tuple[BaseGeometry, list[BaseGeometry], list[tuple[int, int, list[Point]]]]:
    """What is the same in all pictures of a map, whoever holds what: the land, the ground of each place, and the
    borders between two places.
    """
    import shapely

    frame, reach = extent
    if outlines:
        land = shapely.union_all([_area(line) for line in outlines])
        lost = [shapely.Point(point).buffer(13) for point in points if not land.covers(shapely.Point(point))]
        land = shapely.union_all([land, *lost]) if lost else land
    else:
        land = _near(points, roads, reach)
    land = land.intersection(frame)
    if lakes:
        land = land.difference(shapely.union_all([_area(line) for line in lakes]))
    return land, *_areas(points, frame)


def _area(line: Sequence[Point]) -> BaseGeometry:
    import shapely

    return shapely.make_valid(shapely.polygons(line), method="structure")


def _near(points: Outline, roads: Sequence[Outline], reach: float) -> BaseGeometry:
    """Land where no coast is known: around places and along the ways on land."""
    import shapely

    if not points:
        return shapely.Polygon()
    along = [shapely.LineString(road).buffer(reach * 0.7, quad_segs=2) for road in roads]
    about = [shapely.Point(point).buffer(reach, quad_segs=5) for point in points]
    whole = shapely.union_all([*about, *along]).simplify(1)  # one by one: many lines at once take ten times as long
    whole = whole.buffer(reach * 0.6, quad_segs=5).buffer(-reach * 0.6, quad_segs=5)
    holes = [shapely.Polygon(ring) for part in _polygons(whole) for ring in part.interiors]
    return shapely.union_all([whole, *(hole for hole in holes if hole.area < POND * reach * reach)])


def reach_of(window: Box, many: int) -> float:
    """How far land reaches about the places of a whole map, in its pixels."""
    return min(FAR, max(NEAR, 0.5 * math.sqrt(window.width * window.height / max(many, 1))))


def _areas(points: Outline, frame: BaseGeometry) -> tuple[list[BaseGeometry], list[tuple[int, int, list[Point]]]]:
    """The ground of each place, as far as the frame, with borders that wander a little, the same on both sides; and
    these borders with the numbers of their two places.
    """
    import shapely

    if len(points) < 2:
        return [frame] * len(points), []
    found = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(list(points)), extend_to=frame, ordered=True))
    if any(area.geom_type != "Polygon" for area in found):  # GEOS loses areas of points that lie in one line
        aside = [(x + NUDGE * n, y + NUDGE * (n % 7)) for n, (x, y) in enumerate(points)]
        found = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(aside), extend_to=frame, ordered=True))
    deep = 3 if len(points) <= ENOUGH else 1
    known: dict[tuple[Point, Point], list[Point]] = {}
    first: dict[tuple[Point, Point], int] = {}
    areas, shared = [], []
    for number, area in enumerate(found.tolist()):
        line: list[Point] = []
        for side, forth in _sides(area):
            if side not in known:
                known[side] = _wander(*side, deep)
                first[side] = number
            else:
                shared.append((first[side], number, known[side]))
            line += known[side][:-1] if forth else known[side][:0:-1]
        areas.append(_valid(shapely.polygons(line) if len(line) > 2 else area))
    return areas, shared


def _sides(area: Any) -> Iterator[tuple[tuple[Point, Point], bool]]:
    """The sides of a surface, the lower end first, and whether they run that way."""
    corners = [(round(x, 2), round(y, 2)) for x, y in _points(area.exterior)]
    for a, b in pairwise(corners):
        if a != b:
            yield ((a, b), True) if a < b else ((b, a), False)


def _valid(area: BaseGeometry) -> BaseGeometry:
    return area if area.is_valid else area.buffer(0)


def _wander(a: Point, b: Point, deep: int) -> list[Point]:
    """A line whose middle lies a little beside the straight one, and so on: always the same for the same ends."""
    found = [a]
    _onward(a, b, deep, found)
    return found


def _onward(a: Point, b: Point, deep: int, found: list[Point]) -> None:
    """The points behind the first end of a line that wanders."""
    (ax, ay), (bx, by) = a, b
    length = math.hypot(bx - ax, by - ay) if deep else 0.0
    if length < 9 or length > 3000:
        found.append(b)
        return
    noise = crc32(b"%.1f %.1f %.1f %.1f" % (ax, ay, bx, by)) % 2001 / 1000 - 1
    off = noise * ROUGH * min(length, 90)
    middle = (round((ax + bx) / 2 - (by - ay) / length * off, 2), round((ay + by) / 2 + (bx - ax) / length * off, 2))
    _onward(a, middle, deep - 1, found)
    _onward(middle, b, deep - 1, found)


def _polygons(area: BaseGeometry) -> list[Any]:
    """The surfaces of an area, the largest first; what is thinner than a pixel is none."""
    import shapely

    parts = [part for part in shapely.get_parts(area).tolist() if part.geom_type == "Polygon" and part.area > 4]
    return sorted(parts, key=lambda part: -part.area)


def _points(line: BaseGeometry) -> list[Point]:
    """The points of a line or a ring, without a Python object for each on the way."""
    import shapely

    points: list[Point] = shapely.get_coordinates(line).tolist()
    return points


def _path(area: BaseGeometry) -> str:
    return "".join(path(_points(ring)[:-1], closed=True) for part in _polygons(area)
                   for ring in (part.exterior, *part.interiors))


def _realm(owner: str, area: BaseGeometry) -> Realm:
    """A realm: its pieces are plainer than its outline."""
    area = area.simplify(0.3)
    pieces = tuple(tuple((x, y) for x, y in _points(part.exterior)) for part in _polygons(area.simplify(4)))
    within = area.buffer(-BAND, quad_segs=1, join_style="mitre", mitre_limit=2)
    return Realm(owner, _path(area), _path(within), pieces)


def _lines(lines: Sequence[Sequence[Point]], land: BaseGeometry) -> str:
    """Borders between single places, as far as there is land."""
    import shapely

    if not lines:
        return ""
    found = shapely.intersection(shapely.MultiLineString([list(line) for line in lines]), land)
    return "".join(path(_points(part)) for part in shapely.get_parts(found).tolist()
                   if part.geom_type == "LineString" and part.length > 3)


def smooth(points: Sequence[Point], closed: bool) -> list[Point]:
    """A line through the same points without corners (Catmull-Rom); one that is fine already stays as it is."""
    if len(points) < 3 or len(points) > 250:
        return list(points)
    ring = list(points[:-1]) if closed and points[0] == points[-1] else list(points)
    many = len(ring)
    found: list[Point] = []
    for n in range(many if closed else many - 1):
        if closed:
            p0, p1, p2, p3 = (ring[(n + k) % many] for k in (-1, 0, 1, 2))
        else:
            p0, p1, p2, p3 = (ring[min(max(n + k, 0), many - 1)] for k in (-1, 0, 1, 2))
        pieces = min(8, max(1, int(math.hypot(p2[0] - p1[0], p2[1] - p1[1]) / 8)))
        found += [_spline(p0, p1, p2, p3, k / pieces) for k in range(pieces)]
    return found if closed else [*found, ring[-1]]


def _spline(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    def along(a: float, b: float, c: float, d: float) -> float:
        return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))

    return along(p0[0], p1[0], p2[0], p3[0]), along(p0[1], p1[1], p2[1], p3[1])
