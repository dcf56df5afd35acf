"""The scene of a map: all that it shows, before it is drawn."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import adjacent_codes, column_row, position_of, shortest_distances
from assistant.campaign.records import MOST_POINTS, Node, Outline, Road, parse_points
from assistant.campaign.tables import in_natural_order
from assistant.turn.map_symbols import UNCOUNTED, BoardForm, Looks
from assistant.turn.texts import N_
from assistant.wording import Wording

# The scene: places, ways, forces, marks and owners as plain rows.
#
# A scene is made from one reader's view, and nothing else is drawn: what a reader must not see never reaches the
# drawing. Positions are in drawing units, x to the east and y to the south; rows are in the order of drawing and
# listing. `code`s are those of the campaign; words are already in the reader's language.


Form = Literal["graph", "hexes", "squares"]
"""What the board is: places joined by ways, hexes by code CCRR, or squares by code such as C03."""
PlaceVisibility = Literal["now", "earlier", "never"]
"""How well the reader knows a place: as it is now, as it was when last seen, or not at all."""
Measure = Literal["length", "usual"]
"""The unit of a scale: a length such as km, or only a usual length, such as a day's march."""
PointLine = tuple[tuple[float, float], ...]
"""Points of a line or of an outline, which need not be closed."""


@dataclass(frozen=True)
class Owner:
    """Who may hold places. `colour`: ``#rrggbb``; `sign`: its initial or code, at most three letters."""

    code: str
    name: str
    colour: str
    sign: str


@dataclass(frozen=True)
class MapPlace:
    """One place. `kind`: the ruleset's word, such as city; `label`: that kind in the reader's words, for the legend.

    `glyph`: the form of its sign, one of `GLYPHS`, "" for a cell that has none; `size`: 1 small to 3 great; `walls`:
    "" none, ``intact`` or ``damaged``; `terrain`: codes, the one that colours a cell first; `side`: where the referee
    wants its name (a compass point of `SIDES`), "" where there is room; `last_seen`: the turn, as it is called;
    `note`: figures that stand below the name.
    """

    code: str
    name: str
    x: float
    y: float
    owner: str = ""
    kind: str = ""
    label: str = ""
    glyph: str = "dot"
    size: int = 1
    capital: bool = False
    walls: str = ""
    besieged: bool = False
    revolt: bool = False
    sea: bool = False
    terrain: tuple[str, ...] = ()
    seen: PlaceVisibility = "now"
    last_seen: str = ""
    side: str = ""
    note: str = ""


GLYPHS = ("", "dot", "village", "town", "city", "fortress", "castle", "camp", "ruin", "portal", "port", "temple",
          "mine")
SIDES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True)
class Way:
    """A way between two places. `style`: one of `WAYS`, "" for one that is not drawn; `label`: its kind in words."""

    a: str
    b: str
    kind: str = ""
    label: str = ""
    style: str = "road"
    shut: bool = False


WAYS = ("", "road", "track", "pass", "river", "lane", "coast", "barred", "border", "line")


@dataclass(frozen=True)
class Force:
    """An army, a fleet or the like. `strength`: as the reader knows it (``12``, ``~9``), "" if unknown.

    `kind`: one of `FORCES`; `stance`: one short word such as *besieges*, "" for none; `place`: a place's code.
    """

    code: str
    owner: str
    place: str
    strength: str = ""
    kind: str = "army"
    stance: str = ""
    own: bool = False


FORCES = ("army", "fleet", "convoy", "train", "band", "leader")


@dataclass(frozen=True)
class March:
    """A march of the turn, or an ordered one: its places in order."""

    owner: str
    path: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True)
class MapMark:
    """Something that happened at a place. `kind`: one of `MARKS`; `owner`: whom it concerns; `note`: in words."""

    place: str
    kind: str
    owner: str = ""
    note: str = ""


MARKS = ("battle", "captured", "lost", "siege", "revolt", "built", "razed", "plague", "changed", "ordered")


@dataclass(frozen=True)
class Ground:
    """What lies below the places: outlines of land and sea, lakes, rivers, hills, names of seas, regions.

    `kind`: land, sea, lake, river, mountains, name or region; `name`: what is written along it; `owner`: of a region.
    """

    kind: str
    line: PointLine
    name: str = ""
    owner: str = ""


@dataclass(frozen=True)
class Scene:
    """A whole map. `title`, `turn`: its heading; `lang`: it or en; `scale`: drawing units a unit of `scale_name`, 0 for
    no scale; `measure`: what that unit is; `revolt`: what it is called that places are in revolt, "" for just that;
    `held`: what places are called of which the map shows whose they are;
    `terrains`: code -> the kind's name in words; `before`: places' names as they were last placed, code -> compass
    point and distance, so that names stay put; `focus`: the places of a close-up, () for the whole map.
    """

    form: Form
    title: str
    turn: str
    lang: str
    owners: tuple[Owner, ...] = ()
    places: tuple[MapPlace, ...] = ()
    ways: tuple[Way, ...] = ()
    forces: tuple[Force, ...] = ()
    marches: tuple[March, ...] = ()
    marks: tuple[MapMark, ...] = ()
    grounds: tuple[Ground, ...] = ()
    terrains: Mapping[str, str] | None = None
    scale: float = 0
    scale_name: str = ""
    measure: Measure = "length"
    revolt: str = ""
    held: str = ""
    before: Mapping[str, tuple[str, int]] | None = None
    focus: tuple[str, ...] = ()


# The scene in words, for those who cannot see the map.


RIM = 0.1
"""The margin around the places of a close-up that its description covers, in its widths."""
MOST = 6
"""At most so many names of a kind; the rest is counted."""
WARS = (("battle", N_("Battles: {list}.")), ("captured", N_("Taken: {list}.")), ("lost", N_("Lost: {list}.")),
        ("revolt", N_("Revolts: {list}.")), ("plague", N_("Epidemics: {list}.")), ("built", N_("Built: {list}.")),
        ("razed", N_("Razed or looted: {list}.")), ("changed", N_("Changed since the last report: {list}.")),
        ("ordered", N_("Orders at: {list}.")))


def alt_text(scene: Scene) -> str:
    """The situation in a few sentences: whose map and when, places held, what happened, the reader's own forces,
    sieges, and what the reader does not see.
    """
    words = Wording(None, scene.lang)
    titled = N_("Map: {title}, {turn}.") if not scene.focus else N_(
        "Close-up of the map (the text also tells of what lies outside it): {title}, {turn}.")
    sentences = [words.text(titled, title=scene.title, turn=scene.turn) if scene.turn
                 else words.text(N_("Map: {title}."), title=scene.title)]
    names = {place.code: place.name or place.code for place in scene.places}
    shown = _visible_places(scene)
    sentences += _places_held(scene, words)
    sentences += _own_forces(scene, words, names)
    for kind, text in WARS:
        marks = [mark for mark in scene.marks if mark.kind == kind and mark.place in shown]
        if marks:
            sentences.append(words.text(text,
                                        list=_short_list([_mark_text(scene, mark, names) for mark in marks], words)))
    besieged = [names[place.code] for place in scene.places if place.besieged]
    if besieged:
        sentences.append(words.text(N_("Under siege: {list}."), list=_short_list(besieged, words)))
    risen = [names[place.code] for place in scene.places if place.revolt]
    if risen:
        sentences.append(words.text(N_("{what}: {list}."), what=scene.revolt or words.text(N_("In revolt")),
                                    list=_short_list(risen, words)))
    ordered = [f"{names[march.path[0]]} → {names[march.path[-1]]}" for march in scene.marches if march.ordered]
    if ordered:
        sentences.append(words.text(N_("Ordered: {list}."), list=_short_list(ordered, words)))
    fog = sum(place.seen != "now" for place in scene.places)
    if fog:
        sentences.append(words.plural(N_("One place is out of sight."), N_("{n} places are out of sight."), fog))
    return " ".join(sentences)


def _visible_places(scene: Scene) -> set[str]:
    """The places on the picture; of a close-up also those between the places in focus and close by."""
    codes = set(scene.focus) or {place.code for place in scene.places}
    focus = [place for place in scene.places if place.code in codes]
    xs, ys = [place.x for place in focus], [place.y for place in focus]
    rim = max(max(xs, default=0) - min(xs, default=0), max(ys, default=0) - min(ys, default=0)) * RIM
    return {place.code for place in scene.places if min(xs) - rim <= place.x <= max(xs) + rim
            and min(ys) - rim <= place.y <= max(ys) + rim}


def _places_held(scene: Scene, words: Wording) -> Iterable[str]:
    """How many places each owner holds, the most first."""
    counted = Counter(place.owner for place in scene.places if place.owner)
    rows = [(counted[owner.code], owner.name) for owner in scene.owners if counted[owner.code]]
    if rows:
        ranked = [f"{name} {n}" for n, name in sorted(rows, key=lambda row: -row[0])]
        listed = _short_list(ranked, words, most=len(ranked))
        yield (words.text(N_("{what}: {list}."), what=scene.held, list=listed) if scene.held
               else words.text(N_("Places held: {list}."), list=listed))


def _own_forces(scene: Scene, words: Wording, names: dict[str, str]) -> Iterable[str]:
    """Where the reader's own forces are."""
    own = [_force(force, names) for force in scene.forces if force.own and force.place in names]
    if own:
        yield words.text(N_("Own forces: {list}."), list=_short_list(own, words))


def _force(force: Force, names: dict[str, str]) -> str:
    strength = f" {force.strength}" if force.strength not in ("", UNCOUNTED) else ""
    stance = f", {force.stance}" if force.stance else ""
    return f"{force.code}{strength} ({names[force.place]}{stance})".strip()


def _mark_text(scene: Scene, mark: MapMark, names: dict[str, str]) -> str:
    """A mark in a few words: where, and whom it concerns."""
    owner = next((owner.name for owner in scene.owners if owner.code == mark.owner), "")
    place = names.get(mark.place, mark.place)
    return f"{place} ({owner})" if owner else place


def _short_list(names: list[str], words: Wording, most: int = MOST) -> str:
    """The first few, and how many more."""
    shown = ", ".join(names[:most])
    rest = len(names) - most
    return words.plural(N_("{list} and one more"), N_("{list} and {n} more"), rest, list=shown) if rest > 0 else shown


# The ground below the places.


FEWEST = {"land": 3, "sea": 3, "lake": 3, "region": 3, "river": 2, "mountains": 2, "name": 2}
"""The fewest points of an outline, by its kind."""


def grounds_of(view: Campaign, lang: str, held: Callable[[str], str]) -> Iterator[Ground]:
    """The outlines that can be drawn, each joined from its rows, in natural order of their codes. `held`: gives the
    owner of a place.
    """
    for rows, line in _outlines(view):
        first = rows[0]
        if line is not None:
            name = next((name for row in rows if (name := row.name_in(lang))), "")
            yield Ground(first.kind, line, name, held(first.place) if first.place else first.owner)


def undrawable_outlines(view: Campaign) -> list[str]:
    """The codes of the outlines that cannot be drawn."""
    return [rows[0].outline for rows, line in _outlines(view) if line is None]


def _outlines(view: Campaign) -> Iterator[tuple[list[Outline], PointLine | None]]:
    """The rows of each outline with all their points; None instead if it cannot be drawn."""
    if not view.has(Outline.sheet):
        return
    together: dict[str, list[Outline]] = {}
    for row in view.table(Outline):
        together.setdefault(row.outline, []).append(row)
    left = MOST_POINTS
    for rows in together.values():
        pieces = [parse_points(row.points) for row in rows]
        line = tuple(point for piece in pieces for point in piece or ())
        drawn = None not in pieces and FEWEST[rows[0].kind] <= len(line) <= left
        left -= len(line) if drawn else 0
        yield rows, line if drawn else None


# Positions of places.
#
# Places without coordinates are laid out by stress descent (Kamada and Kawai's energy, lowered pair by pair as Zheng,
# Pawar and Goodman do it): distances on the map approach the lengths of the shortest marches. The random numbers are
# seeded, so the same roads give the same map.


Point = tuple[float, float]
HEX = 40.0
"""From the middle of a hex to its corner, in drawing units."""
SQUARE = 70.0
DAY_LENGTH = 100.0
"""How long a day's march is in a layout, in drawing units."""
MARGIN = 60
ROUNDS, BIG = 40, 400
"""Rounds of the descent; and with more than `BIG` places only some of the pairs are used (`_pairs`)."""
NEAREST = 40
SEED = 1


def place_positions(form: BoardForm, nodes: Sequence[Node], roads: Iterable[Road], days: Callable[[Road], float]
              ) -> Mapping[str, Point]:
    """A point for each place that has a position. `days`: the length of a road, used only if no place has coordinates.
    """
    if form == "hexes":
        return {node.node: hex_centre(node.node) for node in nodes}
    if form == "squares":
        return {node.node: (SQUARE * place[0], SQUARE * place[1]) for node in nodes if (place := position_of(node))}
    if has_positions(nodes):
        return {node.node: (float(node.x), float(node.y)) for node in nodes}
    return stress_layout([node.node for node in nodes], roads, days)


def has_positions(nodes: Iterable[Node]) -> bool:
    """Whether coordinates were typed: at least two places differ."""
    return len({(node.x, node.y) for node in nodes}) > 1


def hex_centre(code: str) -> Point:
    """The middle of a hex: columns 1.5 corners apart, even ones half a hex south. Raises ValueError."""
    column, row = column_row(code)
    high = HEX * math.sqrt(3)
    return round(1.5 * HEX * column, 2), round(high * (row + (0.5 if column % 2 == 0 else 0)), 2)


def stress_layout(codes: Iterable[str], roads: Iterable[Road], days: Callable[[Road], float]) -> dict[str, Point]:
    """Whole-numbered points for places known only by their roads; unconnected parts are put side by side."""
    codes = in_natural_order(codes)
    near: dict[str, dict[str, float]] = {code: {} for code in codes}
    for road in roads:
        if road.a in near and road.b in near and road.a != road.b:
            # never nothing: the layout divides by lengths
            long = max(days(road), 0.25)
            for a, b in ((road.a, road.b), (road.b, road.a)):
                near[a][b] = min(long, near[a].get(b, math.inf))
    layout: dict[str, Point] = {}
    east = 0.0
    for part in _parts(codes, near):
        points = _turn_to_landscape(_stress_descent(_distances(part, near)))
        left, top = (min(p[axis] for p in points) for axis in (0, 1))
        for code, (x, y) in zip(part, points, strict=True):
            layout[code] = (float(round(MARGIN + east + (x - left) * DAY_LENGTH)),
                            float(round(MARGIN + (y - top) * DAY_LENGTH)))
        east = max(layout[code][0] for code in part) + DAY_LENGTH - MARGIN
    return layout


def _parts(codes: Sequence[str], near: Mapping[str, Mapping[str, float]]) -> list[list[str]]:
    """The connected parts of the road network, the largest first."""
    parts: list[list[str]] = []
    seen: set[str] = set()
    for code in codes:
        if code not in seen:
            reached, todo = {code: None}, [code]
            while todo:
                todo = [there for there in dict.fromkeys(there for here in todo for there in near[here])
                        if there not in reached]
                reached |= dict.fromkeys(todo)
            seen |= reached.keys()
            parts.append([node for node in codes if node in reached])
    return sorted(parts, key=lambda part: -len(part))


def _distances(part: Sequence[str], near: Mapping[str, Mapping[str, float]]) -> list[list[float]]:
    """The shortest march from each place of a part to each other."""
    ways = (shortest_distances(start, near.__getitem__, lambda here, there: near[here][there]) for start in part)
    return [[far[code] for code in part] for far in ways]


def _stress_descent(far: Sequence[Sequence[float]]) -> list[list[float]]:
    """Points whose distances are as close to `far` as a plane allows."""
    chance = random.Random(SEED)
    points = [[chance.random(), chance.random()] for _ in far]
    pairs = _pairs(far)
    if not pairs:
        return points
    hot, cold = max(map(max, far)) ** 2, 0.1 * min(far[i][j] for i, j in pairs) ** 2
    for n in range(ROUNDS):
        heat = hot * math.exp(-math.log(hot / cold) * n / (ROUNDS - 1))
        chance.shuffle(pairs)
        for i, j in pairs:
            want = far[i][j]
            (x, y), (u, v) = points[i], points[j]
            # two points on one another: the step would be divided by nothing
            have = math.hypot(x - u, y - v) or 1e-9
            step = min(1.0, heat / (want * want)) * (have - want) / 2 / have
            points[i][0] -= step * (x - u)
            points[i][1] -= step * (y - v)
            points[j][0] += step * (x - u)
            points[j][1] += step * (y - v)
    return points


def _pairs(far: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs whose distance counts: all, or on a large map the nearest ones of each place and a few far ones."""
    many = range(len(far))
    if len(far) <= BIG:
        return [(i, j) for i in many for j in range(i)]
    chance = random.Random(SEED)
    pairs: set[tuple[int, int]] = set()
    for i in many:
        nearest = heapq.nsmallest(NEAREST, (j for j in many if j != i), key=far[i].__getitem__)
        pairs |= {(max(i, j), min(i, j)) for j in (*nearest, *chance.sample(many, 10)) if j != i}
    return sorted(pairs)


def _turn_to_landscape(points: Sequence[Sequence[float]]) -> list[Point]:
    """The same points, turned to be wider than high, with the first one in the north-west."""
    n = len(points) or 1
    mx, my = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    xx, yy, xy = (sum((p[a] - m) * (p[b] - k) for p in points) for a, m, b, k in
                  ((0, mx, 0, mx), (1, my, 1, my), (0, mx, 1, my)))
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = [((p[0] - mx) * cos + (p[1] - my) * sin, (p[1] - my) * cos - (p[0] - mx) * sin) for p in points]
    east, south = (-1 if turned[0][axis] > 0 else 1 for axis in (0, 1))
    return [(x * east, y * south) for x, y in turned]


# Rivers through hexes.


SMOOTH = 6
"""Points per bend."""


def river_lines(rivers: Mapping[str, Sequence[str]], board: Container[str]) -> Iterable[Ground]:
    """The lines of each river: its longest way first, then its branches. A river that ends beside another flows into
    it; one that ends at the edge of the board flows off it. `board`: all hexes.
    """
    everywhere = {code: name for name, codes in rivers.items() for code in codes}
    for name, codes in rivers.items():
        left, first = set(codes), True
        while left:
            way = _longest_way(sorted(left))
            mouths = [next((there for there in adjacent_codes(end) if there in everywhere and there not in left
                            and (not first or everywhere[there] != name)), "") for end in (way[0], way[-1])]
            if mouths[0] or mouths[1] or len(way) > 1:
                ends = [*([mouths[0]] if mouths[0] else []), *way, *([mouths[1]] if mouths[1] else [])]
                line = [hex_centre(code) for code in ends]
                line = [*_outflow(ends[1::-1], board), *line, *_outflow(ends[-2:], board)]
                # the name of a river stands once, along its longest way
                yield Ground("river", smooth_line(line), name if first else "")
            left -= set(way)
            first = False


def _outflow(last: Sequence[str], board: Container[str]) -> list[Point]:
    """The point where a river leaves the board after its last hexes; none if it does not."""
    points = [hex_centre(code) for code in last]
    if len(points) < 2:
        return []
    (x, y), (u, v) = points
    ahead = 2 * u - x, 2 * v - y
    outside = [hex_centre(code) for code in adjacent_codes(last[-1]) if code not in board]
    return [((p[0] + u) / 2, (p[1] + v) / 2) for p in outside if math.dist(p, ahead) < HEX][:1]


def _longest_way(codes: Sequence[str]) -> list[str]:
    """The longest of the shortest ways through these hexes, among those connected with the first code."""
    there = set(codes)
    far = _breadth_first(codes[0], there)
    return _breadth_first(far[-1], there, goal=True)


def _breadth_first(start: str, there: set[str], *, goal: bool = False) -> list[str]:
    """The reachable hexes, nearest first; with `goal` the way from the farthest back to the start."""
    came = {start: ""}
    todo = [start]
    order = [start]
    while todo:
        todo = [near for here in todo for near in adjacent_codes(here)
                if near in there and near not in came and came.setdefault(near, here) == here]
        order += todo
    if not goal:
        return order
    way = [order[-1]]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return way


def smooth_line(points: Sequence[Point]) -> PointLine:
    """A smooth line of quadratic curves from midpoint to midpoint, with the points as control points."""
    if len(points) < 3:
        return tuple(points)
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(points)]
    line: list[Point] = [points[0], middles[0]]
    for start, pull, end in zip(middles, points[1:], middles[1:], strict=False):
        for n in range(1, SMOOTH + 1):
            t = n / SMOOTH
            line.append(tuple(round((1 - t) ** 2 * a + 2 * t * (1 - t) * p + t * t * b, 2)
                              for a, p, b in zip(start, pull, end, strict=True)))  # type: ignore[arg-type]
    return (*line, points[-1])


# The scale.
#
# If a book declares no lengths a map has no scale, because the length of a drawn line means nothing.


CELLS: Mapping[BoardForm, float] = {"hexes": HEX * 3 ** 0.5, "squares": SQUARE}
"""How wide a cell is, in drawing units."""
DAY_LABEL = N_("day's march")
OVERSEA = frozenset(("lane", "coast", "river"))
"""Ways that nobody marches along, so that they do not count for the scale."""


class Scale(NamedTuple):
    """`units`: drawing units per unit of length, 0 for no scale; `name`: of the unit; `measure` as in the scene."""

    units: float = 0
    name: str = ""
    measure: Measure = "length"


def scale_of(looks: Looks, form: BoardForm, ways: Iterable[tuple[Road, str]], spots: Mapping[str, Point],
             days: Callable[[Road], float], text: Callable[[str], str]) -> Scale:
    """The scale of a map. `ways`: rows of Roads with their styles; `days`: the length of a road; `text`: translates a
    text of the catalogue.
    """
    if form in CELLS:
        wide, unit = looks.cell
        return Scale(round(CELLS[form] / wide, 3), unit) if wide else Scale()
    lengths = [math.dist(spots[road.a], spots[road.b]) / days(road)
               for road, style in (ways if looks.days else ()) if style not in OVERSEA]
    return Scale(round(median(lengths), 3), text(DAY_LABEL), "usual") if lengths else Scale()
