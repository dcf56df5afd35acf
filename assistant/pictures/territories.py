"""Draws land, territories, hexes and squares, below everything else on a map."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

from assistant.pictures.colours import CELL_TINT, LAND, terrain_look, tint
from assistant.pictures.labels import OwnerSign, ground_signs, point_inside, small_signs, spots_with_names
from assistant.pictures.layout import (
    Box,
    BoxGrid,
    LineGrid,
    Point,
    RouteLine,
    Spot,
    box_around,
    clean_text,
    densify,
    drawable,
    frame_of,
    shorten,
    svg_path,
    text_width,
)
from assistant.pictures.legend import MapLayout
from assistant.pictures.scene import Ground

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


# Hexes and squares: their outlines, terrain, and the borders between owners.


SIGN = 20.0
"""The size of an owner's sign in a cell 60 pixels wide."""
CODE_FROM = 34.0
"""Narrower cells, in pixels, show no codes."""


@dataclass(frozen=True)
class MapCell:
    """One cell. `drawing`: its terrain symbols; `faint`: pale, as a sign is there, too; `seen` as in the scene."""

    code: str
    x: float
    y: float
    fill: str
    drawing: str
    owner: str
    seen: str
    faint: bool


@dataclass(frozen=True)
class Border:
    """The cells of one owner: their area, and the sides that border on others, as path data."""

    owner: str
    area: str
    sides: str


@dataclass(frozen=True)
class CellBoard:
    """All cells. `outline`: of a cell around 0, 0, as path data; `scale`: of the terrain symbols."""

    cells: tuple[MapCell, ...]
    corners: tuple[Point, ...]
    outline: str
    borders: tuple[Border, ...]
    scale: float


def cells_of(spots: Sequence[Spot], step: float, form: str, terrains: Mapping[str, str]) -> CellBoard:
    """The cells of a scene, one per point with places; the first place that names a terrain decides."""
    together: dict[tuple[int, int], list[Spot]] = defaultdict(list)
    for spot in spots:
        together[_key(spot.place.x, spot.place.y)].append(spot)
    known = tuple(terrains)
    cells = []
    for here in together.values():
        base = next((spot for spot in here if spot.place.terrain), here[0])
        words = base.place.terrain
        fill, drawing = terrain_look(words[0], known) if words else (LAND, "")
        drawing = drawing or next((look for word in words[1:] if (look := terrain_look(word, known)[1])), "")
        owner = next((spot.place.owner for spot in here if spot.place.owner), "")
        x = sum(spot.x for spot in here) / len(here) if len(here) > 1 else base.x
        cells.append(MapCell(base.place.code, base.x if not base.half_width else x, base.y, fill, drawing, owner,
                          base.place.seen, any(spot.half_width for spot in here)))
    corners = _corners(cells, step, form)
    return CellBoard(tuple(cells), corners, svg_path(corners, closed=True), tuple(_borders(cells, corners)), step / 60)


def _key(x: float, y: float) -> tuple[int, int]:
    return round(x * 1000), round(y * 1000)


def _corners(cells: Sequence[MapCell], step: float, form: str) -> tuple[Point, ...]:
    """The corners of a cell around 0, 0."""
    if form == "squares":
        half = step / 2
        return (-half, -half), (half, -half), (half, half), (-half, half)
    radius = step / math.sqrt(3)
    first = 0 if _flat(cells, step) else 30
    return tuple((radius * math.cos(math.radians(first + 60 * n)), radius * math.sin(math.radians(first + 60 * n)))
                 for n in range(6))


def _flat(cells: Sequence[MapCell], step: float) -> bool:
    """Whether hexes share sides with those above and below, and not with those beside them."""
    above = {(round(cell.x), round(cell.y + step)) for cell in cells}
    beside = {(round(cell.x + step), round(cell.y)) for cell in cells}
    here = {(round(cell.x + dx), round(cell.y + dy)) for cell in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return len(above & here) >= len(beside & here)


def _sides(cell: MapCell, corners: Sequence[Point]) -> Iterator[tuple[tuple[int, int], Point, Point]]:
    """The sides of a cell, each with a key that is the same for the neighbour's side."""
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = (cell.x + ax, cell.y + ay), (cell.x + bx, cell.y + by)
        yield (round((a[0] + b[0]) / 4), round((a[1] + b[1]) / 4)), a, b


def _borders(cells: Sequence[MapCell], corners: Sequence[Point]) -> Iterator[Border]:
    """The cells of each owner, with the sides that border on another owner or on nobody."""
    shared = shared_sides(cells, corners)
    areas: dict[str, list[str]] = defaultdict(list)
    ends: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        if not cell.owner or cell.seen == "never":
            continue
        areas[cell.owner].append(svg_path([(cell.x + x, cell.y + y) for x, y in corners], closed=True))
        for key, a, b in _sides(cell, corners):
            if any(other.owner != cell.owner or other.seen == "never" for other in shared[key]) or len(shared[key]) < 2:
                ends[cell.owner].append(svg_path([a, b]))
    for owner, area in areas.items():
        yield Border(owner, "".join(area), "".join(ends[owner]))


def shared_sides(cells: Sequence[MapCell], corners: Sequence[Point]) -> Mapping[tuple[int, int], list[MapCell]]:
    """Side -> its cells. Sides whose rounded middles differ by one step are the same side."""
    sides: dict[tuple[int, int], list[MapCell]] = {}
    for cell in cells:
        for key, _, _ in _sides(cell, corners):
            near = next((around_ for dx in (0, -1, 1) for dy in (0, -1, 1)
                         if (around_ := (key[0] + dx, key[1] + dy)) in sides), None)
            sharers = sides[near] if near else []
            sharers.append(cell)
            sides[key] = sharers
    return sides


def cell_colour(cell: MapCell, colours: Mapping[str, str]) -> str:
    """The colour of a cell: its terrain, mixed with its owner's colour."""
    colour = colours.get(cell.owner, "")
    return tint(colour, cell.fill, CELL_TINT) if colour and cell.seen != "never" else cell.fill


def cell_signs(cells: Sequence[MapCell], corners: Sequence[Point], texts: Mapping[str, str], taken: BoxGrid,
               lines: LineGrid, window: Box) -> list[OwnerSign]:
    """One sign per connected group of an owner's cells, in the free cell nearest to its middle; cells without terrain
    symbols and `lines` are preferred.
    """
    shared = shared_sides(cells, corners)
    frame, signs = window.grow(-6), []
    size = SIGN * max(abs(x) for x, _ in corners) / 34
    for group in _groups(cells, corners, shared):
        text = texts.get(group[0].owner, "")
        if not text:
            continue
        middle = sum(cell.x for cell in group) / len(group), sum(cell.y for cell in group) / len(group)
        half = text_width(text, size, "bold") / 2
        boxes = [(box_around(cell.x, cell.y + size * 0.15, half, size * 0.38), cell) for cell in
                 sorted(group, key=lambda cell: (cell.x - middle[0]) ** 2 + (cell.y - middle[1]) ** 2)]
        free = [(n * 0.1 + lines.cost(box) * 4 + (2 if cell.drawing else 0), box)
                for n, (box, cell) in enumerate(boxes) if frame.holds(box) and taken.free(box)]
        if free:
            box = min(free)[1]
            signs.append(OwnerSign(group[0].owner, text, *box.middle, size))
            taken.put(box)
    return signs


def _groups(cells: Iterable[MapCell], corners: Sequence[Point],
            shared: Mapping[tuple[int, int], list[MapCell]]) -> Iterator[list[MapCell]]:
    """Connected groups of cells of one owner."""
    left = {id(cell): cell for cell in cells if cell.owner and cell.seen != "never"}
    while left:
        _, first = left.popitem()
        group, open_ = [first], [first]
        while open_:
            cell = open_.pop()
            for key, _, _ in _sides(cell, corners):
                for other in shared[key]:
                    if other.owner == first.owner and id(other) in left:
                        del left[id(other)]
                        group.append(other)
                        open_.append(other)
        yield group


# The ground of a graph: coasts, territories with their borders, fog.
#
# Each place has the ground that is nearer to it than to any other (Voronoi), as far as there is land; where no
# outline of land is given, land is what lies near places and their ways.


ROUGH = 0.09
"""How far borders deviate from the straight line, in lengths of their pieces."""
BAND = 5.5
"""Width of the inner border of a territory, in pixels."""
NUDGE = 0.01
"""How far a point is moved if several are exactly above one another, in pixels."""
ENOUGH = 300
"""With more places borders are simpler, in fewer steps."""
NEAR, FAR = 34.0, 95.0
"""How far land reaches around places without an outline, in pixels of the whole map."""
POND = 8.0
"""Gaps between ways are land, too, if their area is less than so many squares of the reach."""


@dataclass(frozen=True)
class Territory:
    """The territory of one owner: its outline as path data, the area inside its inner border, and its pieces as points,
    the largest first.
    """

    owner: str
    d: str
    within: str
    pieces: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class GraphGround:
    """The ground of a graph. `land`, `fog`, `unknown` and `inner` (borders of single places) are path data."""

    land: str
    realms: tuple[Territory, ...]
    fog: str
    unknown: str
    inner: str


@dataclass(frozen=True)
class Holding:
    """What the ground needs of a place: its position, its owner, and how well it is seen."""

    x: float
    y: float
    owner: str
    seen: str


Outline = tuple[Point, ...]


def land_ground(holdings: Iterable[Holding], outlines: Iterable[Sequence[Point]], lakes: Iterable[Sequence[Point]],
           regions: Iterable[tuple[str, Sequence[Point]]], ways: Iterable[RouteLine], window: Box,
           reach: float) -> GraphGround:
    """The ground of a graph. `reach`: how far land reaches around places without an outline."""
    import shapely

    given = tuple(tuple(line) for line in outlines if len(line) > 2)
    water = tuple(tuple(line) for line in lakes if len(line) > 2)
    roads = () if given else tuple((way.points[0], way.points[len(way.points) // 2], way.points[-1]) for way in ways
                                     if way.style not in ("lane", "border"))
    drawn = tuple((owner, tuple(line)) for owner, line in regions if len(line) > 2)
    frame = shapely.box(window.left - 60, window.top - 60, window.right + 60, window.bottom + 60)
    return _cached_ground(tuple(holdings), given, water, drawn, roads, (frame, reach))


@lru_cache(maxsize=4)
def _cached_ground(holdings: tuple[Holding, ...], outlines: tuple[Outline, ...], lakes: tuple[Outline, ...],
          regions: tuple[tuple[str, Outline], ...], roads: tuple[Outline, ...],
          extent: tuple[BaseGeometry, float]) -> GraphGround:
    """`land_ground`, cached for all readers who know the same."""
    import shapely

    land, areas, sides = _skeleton(tuple((holding.x, holding.y) for holding in holdings), outlines, lakes, roads,
                                   extent)
    drawn = [(owner, _area(line)) for owner, line in regions]
    apart = shapely.union_all([area for _, area in drawn]) if drawn else None
    realms = []
    for owner in dict.fromkeys([*(holding.owner for holding in holdings), *(owner for owner, _ in drawn)]):
        whole = shapely.union_all([area
                                   for holding, area in zip(holdings, areas, strict=True) if holding.owner == owner])
        if apart is not None:
            whole = shapely.union_all([whole.difference(apart), *(area for who, area in drawn if who == owner)])
        if owner:
            realms.append(_territory(owner, whole.intersection(land)))
    fog, dark = (_path(shapely.union_all([area for holding, area in zip(holdings, areas, strict=True)
                                          if holding.seen == seen]).intersection(land))
                 for seen in ("earlier", "never"))
    inner = [line for place, other, line in sides if holdings[place].owner == holdings[other].owner]
    return GraphGround(_path(land), tuple(realm for realm in realms if realm.d), fog, dark, _lines(inner, land))


@lru_cache(maxsize=4)
def _skeleton(points: Outline, outlines: tuple[Outline, ...], lakes: tuple[Outline, ...], roads: tuple[Outline, ...],
              extent: tuple[BaseGeometry, float]
              ) -> tuple[BaseGeometry, list[BaseGeometry], list[tuple[int, int, list[Point]]]]:
    """The part that does not depend on owners: the land, the area of each place, and the borders between two places."""
    import shapely

    frame, reach = extent
    if outlines:
        land = shapely.union_all([_area(line) for line in outlines])
        # a place beside the drawn coast, such as on an island too small to be drawn, stands on a bit of land of its own
        lost = [shapely.Point(point).buffer(13) for point in points if not land.covers(shapely.Point(point))]
        land = shapely.union_all([land, *lost]) if lost else land
    else:
        land = _land_near(points, roads, reach)
    land = land.intersection(frame)
    if lakes:
        land = land.difference(shapely.union_all([_area(line) for line in lakes]))
    return land, *_voronoi_areas(points, frame)


def _area(line: Sequence[Point]) -> BaseGeometry:
    import shapely

    return shapely.make_valid(shapely.polygons(line), method="structure")


def _land_near(points: Outline, roads: Sequence[Outline], reach: float) -> BaseGeometry:
    """The land if no coast is given: around places and along ways on land."""
    import shapely

    if not points:
        return shapely.Polygon()
    along = [shapely.LineString(road).buffer(reach * 0.7, quad_segs=2) for road in roads]
    about = [shapely.Point(point).buffer(reach, quad_segs=5) for point in points]
    whole = shapely.union_all([*about, *along]).simplify(1)  # one by one: many lines at once take ten times as long
    whole = whole.buffer(reach * 0.6, quad_segs=5).buffer(-reach * 0.6, quad_segs=5)
    holes = [shapely.Polygon(ring) for part in _polygons(whole) for ring in part.interiors]
    return shapely.union_all([whole, *(hole for hole in holes if hole.area < POND * reach * reach)])


def land_reach(window: Box, many: int) -> float:
    """How far land reaches around the places of a whole map, in pixels."""
    return min(FAR, max(NEAR, 0.5 * math.sqrt(window.width * window.height / max(many, 1))))


def _voronoi_areas(
    points: Outline, frame: BaseGeometry
) -> tuple[list[BaseGeometry], list[tuple[int, int, list[Point]]]]:
    """The Voronoi area of each place within the frame, with slightly irregular borders, the same on both sides; and
    these borders with the numbers of their two places.
    """
    import shapely

    if len(points) < 2:
        return [frame] * len(points), []
    parts = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(list(points)), extend_to=frame, ordered=True))
    if any(area.geom_type != "Polygon" for area in parts):  # GEOS loses areas of points that lie in one line
        aside = [(x + NUDGE * n, y + NUDGE * (n % 7)) for n, (x, y) in enumerate(points)]
        parts = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(aside), extend_to=frame, ordered=True))
    deep = 3 if len(points) <= ENOUGH else 1
    known: dict[tuple[Point, Point], list[Point]] = {}
    first: dict[tuple[Point, Point], int] = {}
    areas, shared = [], []
    for number, area in enumerate(parts.tolist()):
        line: list[Point] = []
        for side, forth in _border_sides(area):
            if side not in known:
                known[side] = _wandering_line(*side, deep)
                first[side] = number
            else:
                shared.append((first[side], number, known[side]))
            line += known[side][:-1] if forth else known[side][:0:-1]
        whole = shapely.polygons(line) if len(line) > 2 else area
        # the usual way to repair a polygon whose sides cross, as irregular ones may
        areas.append(whole if whole.is_valid else whole.buffer(0))
    return areas, shared


def _border_sides(area: Any) -> Iterator[tuple[tuple[Point, Point], bool]]:
    """The sides of a surface, the lower end first, and whether they run that way."""
    corners = [(round(x, 2), round(y, 2)) for x, y in _points(area.exterior)]
    for a, b in pairwise(corners):
        if a != b:
            yield ((a, b), True) if a < b else ((b, a), False)


def _wandering_line(a: Point, b: Point, deep: int) -> list[Point]:
    """An irregular line by midpoint displacement, always the same for the same ends."""
    points = [a]
    _wander_on(a, b, deep, points)
    return points


def _wander_on(a: Point, b: Point, deep: int, points: list[Point]) -> None:
    """Append the points after the first end of an irregular line."""
    (ax, ay), (bx, by) = a, b
    length = math.hypot(bx - ax, by - ay) if deep else 0.0
    if length < 9 or length > 3000:
        points.append(b)
        return
    # from the ends of the line alone, so that it is the same in every picture (Python's own hash is not)
    noise = crc32(b"%.1f %.1f %.1f %.1f" % (ax, ay, bx, by)) % 2001 / 1000 - 1
    off = noise * ROUGH * min(length, 90)
    middle = (round((ax + bx) / 2 - (by - ay) / length * off, 2), round((ay + by) / 2 + (bx - ax) / length * off, 2))
    _wander_on(a, middle, deep - 1, points)
    _wander_on(middle, b, deep - 1, points)


def _polygons(area: BaseGeometry) -> list[Any]:
    """The polygons of an area, the largest first, without those thinner than a pixel."""
    import shapely

    parts = [part for part in shapely.get_parts(area).tolist() if part.geom_type == "Polygon" and part.area > 4]
    return sorted(parts, key=lambda part: -part.area)


def _points(line: BaseGeometry) -> list[Point]:
    """The points of a line or a ring, read as one array, not point by point."""
    import shapely

    points: list[Point] = shapely.get_coordinates(line).tolist()
    return points


def _path(area: BaseGeometry) -> str:
    return "".join(svg_path(_points(ring)[:-1], closed=True) for part in _polygons(area)
                   for ring in (part.exterior, *part.interiors))


def _territory(owner: str, area: BaseGeometry) -> Territory:
    """A territory; its pieces are simplified."""
    area = area.simplify(0.3)
    pieces = tuple(tuple((x, y) for x, y in _points(part.exterior)) for part in _polygons(area.simplify(4)))
    within = area.buffer(-BAND, quad_segs=1, join_style="mitre", mitre_limit=2)
    return Territory(owner, _path(area), _path(within), pieces)


def _lines(lines: Sequence[Sequence[Point]], land: BaseGeometry) -> str:
    """Borders between single places, on land only."""
    import shapely

    if not lines:
        return ""
    pieces = shapely.intersection(shapely.MultiLineString([list(line) for line in lines]), land)
    return "".join(svg_path(_points(part)) for part in shapely.get_parts(pieces).tolist()
                   if part.geom_type == "LineString" and part.length > 3)


def smooth_curve(points: Sequence[Point], closed: bool) -> list[Point]:
    """A smooth line through the same points (Catmull-Rom); a line with many points stays as it is."""
    if len(points) < 3 or len(points) > 250:
        return list(points)
    ring = list(points[:-1]) if closed and points[0] == points[-1] else list(points)
    many = len(ring)
    curve: list[Point] = []
    for n in range(many if closed else many - 1):
        if closed:
            p0, p1, p2, p3 = (ring[(n + k) % many] for k in (-1, 0, 1, 2))
        else:
            p0, p1, p2, p3 = (ring[min(max(n + k, 0), many - 1)] for k in (-1, 0, 1, 2))
        pieces = min(8, max(1, int(math.hypot(p2[0] - p1[0], p2[1] - p1[1]) / 8)))
        curve += [_spline(p0, p1, p2, p3, k / pieces) for k in range(pieces)]
    return curve if closed else [*curve, ring[-1]]


def _spline(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    def along(a: float, b: float, c: float, d: float) -> float:
        return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))

    return along(p0[0], p1[0], p2[0], p3[0]), along(p0[1], p1[1], p2[1], p3[1])


# The whole ground of a map: land, territories, cells, rivers, signs.


CLOSED = frozenset({"land", "sea", "lake"})
"""Kinds of ground that are closed outlines."""
BORDER = 12.0
"""Land that reaches less than so many pixels into the picture is not in the legend."""
PEAKS = 26.0
"""From one hill to the next, in pixels of the whole map."""
DATED = 10.0
"""The letters of the turn in which a cell was last seen."""
Curve = tuple[Ground, list[Point]]


@dataclass(frozen=True)
class MapGround:
    """The ground of a map: all lines of the scene as they are drawn, and for a graph its territories."""

    curves: tuple[Curve, ...]
    terrain: GraphGround | None

    @property
    def pieces(self) -> list[tuple[str, tuple[Point, ...]]]:
        """Each owner's pieces of land."""
        return [(realm.owner, piece) for realm in self.terrain.realms for piece in realm.pieces] if self.terrain else []


def ground_of(laid: MapLayout) -> MapGround:
    """The ground of a scene, without anything on it."""
    lines = [(ground, laid.frame.line(ground.line)) for ground in laid.scene.grounds]
    curves = tuple((ground, line if ground.kind == "region" else smooth_curve(line, ground.kind in CLOSED))
                   for ground, line in lines)
    return MapGround(curves, _terrain(laid, curves) if laid.scene.form == "graph" else None)


def land_owners(soil: MapGround, window: Box) -> set[str]:
    """The owners whose land is on the picture, even without a place there."""
    inner = window.grow(-BORDER)
    return {owner for owner, piece in soil.pieces
            if any(inner.has(x, y) for x, y in piece) or point_inside(*window.middle, piece)}


def ground_names(laid: MapLayout, soil: MapGround) -> list[GroundName]:
    """The names of seas and lands."""
    names = (_ground_name(ground, laid.frame.line(ground.line), soil) for ground in laid.scene.grounds
             if ground.kind == "name" and clean_text(ground.name))
    return [word for word in names if word and laid.frame.window.meets(word.box)]


def draw_ground(laid: MapLayout, soil: MapGround, taken: BoxGrid, lines: LineGrid) -> dict[str, Any]:
    """The template values of the ground, with owners' signs where nothing is `taken`, preferably not on `lines`."""
    scene, frame = laid.scene, laid.frame
    drawn: dict[str, Any] = {
        "rivers": [svg_path(line) for ground, line in soil.curves if ground.kind == "river"],
        "lakes": [svg_path(line, closed=True) for ground, line in soil.curves if ground.kind == "lake"],
        "peaks": [peak for ground in scene.grounds if ground.kind == "mountains"
                  for peak in _hill_points(frame.line(ground.line), laid)],
        "terrain": soil.terrain, "board": None, "tags": []}
    texts = {owner.code: laid.paint[owner.code][1] for owner in scene.owners}
    if scene.form != "graph":
        made = cells_of([*laid.spots, *laid.edge], frame.step, scene.form, scene.terrains or {})
        return drawn | {"board": made, "codes": _codes(made, taken), "dated": _last_seen_notes(laid, made, taken),
                        "signs": cell_signs(made.cells, made.corners, texts, taken, lines, frame.window)}
    signs = ground_signs(soil.pieces, texts, taken, lines, frame.window)
    return drawn | {"signs": signs, "tags": small_signs(laid.spots, soil.pieces, signs, texts, taken)}


def _terrain(laid: MapLayout, curves: Sequence[Curve]) -> GraphGround:
    holdings = [Holding(*laid.ends[place.code], place.owner if place.owner in laid.paint else "", place.seen)
                for place in drawable(laid.scene) if not place.sea]
    outlines = [line for ground, line in curves if ground.kind == "land"]
    seas = [line for ground, line in curves if ground.kind == "sea"]
    left, top, right, bottom = laid.frame.window.grow(90)
    # where only seas are drawn, all the rest is land
    if seas and not outlines:
        outlines = [[(left, top), (right, top), (right, bottom), (left, bottom)]]
    return land_ground(
        # one for each point: two places at one point have no areas of their own
        {(holding.x, holding.y): holding for holding in holdings}.values(),
        outlines, [*seas, *(line for ground, line in curves if ground.kind == "lake")],
        [(ground.owner if ground.owner in laid.paint else "", line)
         for ground, line in curves if ground.kind == "region"],
        laid.all_ways, laid.frame.window, _reach(laid))


def _reach(laid: MapLayout) -> float:
    """How far land reaches around places, the same land in a close-up as on the whole map."""
    whole = frame_of(replace(laid.scene, focus=()))
    return land_reach(whole.window, len(laid.ends)) * laid.frame.k / whole.k


@dataclass(frozen=True)
class GroundName:
    """The name of a sea or a land, written along its line `d` (path data)."""

    text: str
    d: str
    size: float
    on_land: bool
    box: Box


def _ground_name(mark: Ground, line: Sequence[Point], soil: MapGround) -> GroundName | None:
    """A name along its line, from west to east, as large as the line allows."""
    if len(line) < 2:
        return None
    text = clean_text(mark.name)
    length = sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
    size = max(11.0, min(30.0, length / max(text_width(text, 1, "italic") + 0.2 * len(text), 1)))
    points = smooth_curve(line if line[0][0] <= line[-1][0] else line[::-1], False)
    x, y = points[len(points) // 2]
    on_land = any(point_inside(x, y, area) for ground, area in soil.curves if ground.kind == "land" and len(area) > 2)
    box = Box(min(x for x, _ in points), min(y for _, y in points) - size, max(x for x, _ in points),
              max(y for _, y in points) + size / 3)
    return GroundName(shorten(text, length, 11, "italic"), svg_path(points), size, on_land, box)


def _hill_points(line: Sequence[Point], laid: MapLayout) -> list[Point]:
    """Hills along a line, or all over an outline, where there is no sign."""
    gap = PEAKS * laid.frame.k / frame_of(replace(laid.scene, focus=())).k
    points = densify(line, gap)
    if len(line) > 3 and line[0] == line[-1]:
        xs, ys = [x for x, _ in line], [y for _, y in line]
        rows, columns = (min(60, int((max(of) - min(of)) / gap)) for of in (ys, xs))
        points = [(x, y) for n in range(rows) for m in range(columns)
                  if point_inside(x := min(xs) + gap * (m + 0.5 + n % 2 / 2), y := min(ys) + gap * (n + 0.5), line)]
    taken = [spot.box.grow(12) for spot in laid.spots]
    return [(x, y) for x, y in points if laid.frame.window.has(x, y) and not any(box.has(x, y) for box in taken)]


def _codes(board: CellBoard, taken: BoxGrid) -> list[tuple[str, float, float]]:
    """The codes of cells that nothing covers."""
    high = max(y for _, y in board.corners)
    if high * 2 < CODE_FROM:
        return []
    return [(clean_text(cell.code), cell.x, cell.y - high + 9.5) for cell in board.cells
            if taken.free(Box(cell.x - 9, cell.y - high + 3, cell.x + 9, cell.y - high + 10))]


def _last_seen_notes(laid: MapLayout, board: CellBoard, taken: BoxGrid) -> list[tuple[str, float, float]]:
    """Notes when cells without a name were last seen, at their lower end. Cells with a name have it below that."""
    high = max(y for _, y in board.corners)
    wanted = [(spot.note, spot.x, spot.y + high - 5) for spot in laid.spots
              if spot.note and spot.place.seen == "earlier" and not spots_with_names([spot])]
    return [(note, x, y) for note, x, y in wanted
            if taken.free(box_around(x, y - 3, text_width(note, DATED, "italic") / 2, DATED / 2))]
