"""Positions of places, ways and marches on the picture, boxes and the widths of texts, in pixels."""

from __future__ import annotations

import math
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple
from zlib import crc32

from assistant.environment import shipped_folder
from assistant.pictures.colours import NOBODY, valid_colour
from assistant.pictures.scene import MapPlace, March, PointLine, Scene, Way

# Boxes, and grids that find overlaps. All in pixels, y downwards.


Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grow(self, by: float) -> Box:
        """The same, larger on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: Box) -> bool:
        """Whether the other lies wholly inside."""
        return (self.left <= other.left and self.top <= other.top and other.right <= self.right
                and other.bottom <= self.bottom)

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether they overlap; touching is not overlapping."""
        return (self.left < other.right and other.left < self.right and self.top < other.bottom
                and other.top < self.bottom)


def box_around(x: float, y: float, half_width: float, half_height: float) -> Box:
    """A box about its centre."""
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)


class BoxGrid:
    """Occupied boxes, each with a weight, indexed by the squares of a grid."""

    def __init__(self, step: float = 48) -> None:
        self._step = step
        self._cells: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def put(self, box: Box, weight: float = 1) -> None:
        """Occupy a box."""
        entry, step = (box, weight), self._step
        for across in range(int(box.left // step), int(box.right // step) + 1):
            for row in range(int(box.top // step), int(box.bottom // step) + 1):
                self._cells[across, row].append(entry)

    def free(self, box: Box) -> bool:
        """Whether no occupied box overlaps this one."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for (one_left, one_top, one_right, one_bottom), _ in cells.get((across, row), ()):
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        return False
        return True

    def cost(self, box: Box) -> float:
        """The weights of all that overlaps a box, each once."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        met: dict[int, float] = {}
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for entry in cells.get((across, row), ()):
                    one_left, one_top, one_right, one_bottom = entry[0]
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        met[id(entry)] = entry[1]
        return sum(met.values())


class LineGrid:
    """Points of lines, counted in the squares of a fine grid: tells how much of the lines a box would cover."""

    def __init__(self, step: float = 8) -> None:
        self._step = step
        self._many: dict[int, dict[int, float]] = defaultdict(dict)

    def put(self, points: Iterable[Point], weight: float) -> None:
        """Add the points of a line; they must be closer together than a square is wide."""
        step = self._step
        for across, row in {(int(x // step), int(y // step)) for x, y in points}:
            column = self._many[across]
            column[row] = column.get(row, 0.0) + weight

    def cost(self, box: Box) -> float:
        """The weights of the squares that a box covers."""
        step, many = self._step, self._many
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        return sum([column[row] for across in range(int(left // step), int(right // step) + 1)
                    if (column := many.get(across)) for row in down if row in column])


# Sizes of signs and names.


GLYPH_HALVES: Mapping[str, tuple[float, float]] = MappingProxyType({
    "": (0, 0), "dot": (6, 6), "village": (11, 8), "town": (11, 9), "city": (14, 13), "fortress": (13, 11),
    "castle": (13, 14), "camp": (11, 9), "ruin": (11, 9), "portal": (10, 12), "port": (10, 11), "temple": (12, 10),
    "mine": (10, 10)})
"""Glyph -> half its width and half its height, drawn at size 2."""
GLYPH_SCALES = (0.8, 1.0, 1.2)
"""How large a glyph is drawn, by the place's size."""
NAME_SIZES = (15.0, 17.0, 21.0)
"""The size of its name, by the place's size."""


# Text: what may be written, and how wide it is in our own fonts.
#
# The widths are read from the fonts' tables, so that a picture is the same on every machine.


FontStyle = Literal["serif", "italic", "sans", "bold"]
FILES: Mapping[FontStyle, str] = {"serif": "ArbitroSerif-Regular.otf", "italic": "ArbitroSerif-Italic.otf",
                            "sans": "ArbitroSans-Regular.ttf", "bold": "ArbitroSans-Bold.ttf"}
ELLIPSIS = "…"
UNKNOWN = 0.6
"""The assumed width of a letter that a font lacks, in sizes of the font."""


def font_files() -> list[str]:
    """The paths of the fonts used in pictures."""
    return [str(_path(cut)) for cut in FILES]


def _path(cut: FontStyle) -> Path:
    return shipped_folder("reports") / "fonts" / FILES[cut]


@lru_cache(maxsize=16384)
def text_width(text: str, size: float, cut: FontStyle = "serif") -> float:
    """The width of a line in pixels. Kerning is ignored: it could only make the line narrower."""
    known = _advances(cut)
    return size * sum(known.get(ord(letter), UNKNOWN) for letter in text)


def has_all_letters(text: str) -> bool:
    """Whether the font of names has every letter."""
    known = _advances("serif")
    return all(ord(letter) in known for letter in text)


@lru_cache(maxsize=16384)
def clean_text(text: str) -> str:
    """A typed text made safe for a picture: one line, composed accents, no characters that XML forbids or that change
    the writing direction.
    """
    plain = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text)
                    if letter.isspace() or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Cn", "Co"))
    return " ".join(plain.split())


def shorten(text: str, room: float, size: float, cut: FontStyle = "serif") -> str:
    """The text, cut to the room with an ellipsis."""
    if text_width(text, size, cut) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + ELLIPSIS, size, cut) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def split_in_two(text: str) -> tuple[str, ...]:
    """A name of several words in two lines of similar length; a single word stays one line."""
    words = text.split(" ")
    cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return min(cuts, key=lambda pair: max(map(len, pair))) if cuts else (text,)


@lru_cache(maxsize=len(FILES))
def _advances(cut: FontStyle) -> dict[int, float]:
    """Letter -> its width in sizes of the font, from the tables cmap (format 4), hmtx, hhea and head."""
    data = _path(cut).read_bytes()
    tables = {data[at:at + 4]: struct.unpack_from(">II", data, at + 8)
              for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)}
    unit = struct.unpack_from(">H", data, tables[b"head"][0] + 18)[0]
    longs = struct.unpack_from(">H", data, tables[b"hhea"][0] + 34)[0]
    widths = [struct.unpack_from(">H", data, tables[b"hmtx"][0] + 4 * n)[0] for n in range(longs)]
    return {letter: widths[min(glyph, longs - 1)] / unit
            for letter, glyph in _glyphs(data, tables[b"cmap"][0]).items()}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Letter -> the number of its glyph."""
    for n in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * n)[0]
        if struct.unpack_from(">H", data, at)[0] == 4:
            break
    else:
        raise ValueError("the font has no table of letters of format 4")
    count = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends, starts, deltas, offsets = (struct.unpack_from(f">{count}H", data, at + 14 + 2 * count * n + 2 * (n > 0))
                                     for n in range(4))
    glyphs: dict[int, int] = {}
    for n, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for letter in range(first, min(last, 0xFFFE) + 1):
            glyph = letter
            if offset:
                place = at + 16 + 6 * count + 2 * n + offset + 2 * (letter - first)
                glyph = struct.unpack_from(">H", data, place)[0]
            if glyph or not offset:
                glyphs[letter] = (glyph + delta) & 0xFFFF
    return {letter: glyph for letter, glyph in glyphs.items() if glyph}


# The layout of a scene.


# The size of the picture, and the position of each place on it.


WIDTH = 1200.0
"""Of a whole map, in pixels."""
CLOSE = 500.0
"""Of a close-up: a phone shows it a third smaller, and its names can still be read."""
ROOMY, SMALLEST = 46.0, 11.0
"""Pixels between neighbours at which signs and names have their usual size; and how small a name may be."""
CROWD, WIDEST = 150, 3600.0
"""With more places than `CROWD` a map is larger, up to the width `WIDEST`."""
STEP = 60.0
"""From the middle of one cell to the next, in pixels, where the map is no wider than `WIDEST_CELLS`."""
WIDEST_CELLS = 2600.0
FLATTEST, TALLEST = 0.45, 1.35
"""Height of a picture in its widths."""
MARGIN, SHORE, CLOSE_MARGIN = 0.09, 0.12, 0.16
"""Of the ground around the outermost places, in widths or heights, whichever is more; `SHORE` where the land ends as
far from its places as we draw it, because all of it is to be seen."""


@dataclass(frozen=True)
class Spot:
    """A place on the picture. `half_width`, `half_height`: of its sign, 0 for a cell that has none; `letters`: the
    size of its name; `scale`: of its sign; `note`: when it was last seen.
    """

    place: MapPlace
    x: float
    y: float
    name: str
    colour: str
    half_width: float
    half_height: float
    letters: float
    scale: float
    note: str = ""

    @property
    def size(self) -> int:
        """0 small to 2 great."""
        return min(max(self.place.size, 1), 3) - 1

    @cached_property
    def box(self) -> Box:
        """What its sign covers, with the crown above it, the walls below it and the ring around it."""
        half_width, half_height, place = self.half_width, self.half_height, self.place
        if not half_width:
            return box_around(self.x, self.y, 0, 0)
        if place.besieged:
            half_width = half_height = max(half_width, half_height) + 5.5
        wide = max(half_width, 15 * self.scale) if place.walls else half_width
        top = max(half_height, self.half_height + 8 * self.scale) if place.capital else half_height
        bottom = max(half_height, self.half_height + 3 * self.scale) if place.walls else half_height
        return Box(self.x - wide, self.y - top, self.x + wide, self.y + bottom)

    @cached_property
    def kept_box(self) -> Box:
        """What its sign covers, with a pixel all around it."""
        return self.box.grow(1)


@dataclass(frozen=True)
class Frame:
    """How a scene lies on its picture: `k` pixels a unit, from `left` and `top` in units; `window`: the picture, in
    pixels from 0, 0; `step`: from cell to cell, in pixels, 0 for a graph.
    """

    left: float
    top: float
    k: float
    window: Box
    step: float = 0.0
    close: bool = False

    def at(self, x: float, y: float) -> Point:
        """Units as pixels."""
        return (x - self.left) * self.k, (y - self.top) * self.k

    def line(self, line: PointLine) -> list[Point]:
        """The points of a line that can be drawn, as pixels."""
        return [self.at(x, y) for x, y in line if math.isfinite(x) and math.isfinite(y)]


def drawable(scene: Scene) -> list[MapPlace]:
    """The places with finite coordinates, each once."""
    places = {place.code: place for place in scene.places if math.isfinite(place.x) and math.isfinite(place.y)}
    return list(places.values())


def frame_of(scene: Scene) -> Frame:
    """The frame of a scene: all of it, or its focus with some ground around."""
    places = drawable(scene)
    focus = set(scene.focus)
    shown = [place for place in places if place.code in focus] or places
    xs, ys = [place.x for place in shown] or [0.0], [place.y for place in shown] or [0.0]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    close = len(shown) < len(places)
    if scene.form != "graph":
        return _cell_frame(places, middle, (wide, high), close)
    far = max(wide, high) or 1.0
    if close:
        far = max(far, _typical_distance(places) * 2)
    coast = any(ground.kind in ("land", "sea") for ground in scene.grounds)
    margin = far * (CLOSE_MARGIN if close else MARGIN if coast else SHORE)
    wide, high = max(wide + 2 * margin, far * 0.6), max(high + 2 * margin, far * 0.45)
    wide = max(wide, high / (1.15 if close else TALLEST))
    high = max(high, wide * (0.7 if close else FLATTEST))
    across = CLOSE if close else min(WIDEST, WIDTH * max(1.0, math.sqrt(len(places) / CROWD)))
    k = across / wide
    return Frame(middle[0] - wide / 2, middle[1] - high / 2, k, Box(0, 0, across, round(high * k)), 0.0, close)


def _typical_distance(places: list[MapPlace]) -> float:
    """A typical distance from a place to the next, in units."""
    xs, ys = [place.x for place in places], [place.y for place in places]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys)) / max(1.0, math.sqrt(len(places)))


def _cell_frame(places: list[MapPlace], middle: Point, size: Point, close: bool) -> Frame:
    """The frame of hexes or squares, a cell and a half larger than the middles of the outermost."""
    step = cell_step(places)
    wide, high = size[0] + 1.5 * step, size[1] + 1.5 * step
    if close:
        wide, high = max(wide, high / 1.3, 5 * step) + step, max(high, wide * 0.6, 4 * step) + step
    k = CLOSE / wide if close else min(WIDEST_CELLS / max(wide, high), STEP / step)
    across = max(420.0, wide * k)
    wide = across / k
    window = Box(0, 0, across, max(120, round(high * k)))
    return Frame(middle[0] - wide / 2, middle[1] - high / 2, k, window, step * k, close)


def cell_step(places: list[MapPlace]) -> float:
    """From the middle of one cell to the next, in units: the shortest common gap; 1 for a single cell."""
    rows: dict[float, list[float]] = defaultdict(list)
    columns: dict[float, list[float]] = defaultdict(list)
    for place in places:
        rows[round(place.y, 3)].append(place.x)
        columns[round(place.x, 3)].append(place.y)
    gaps = Counter[float]()
    for line in (*rows.values(), *columns.values()):
        line = sorted(set(line))
        gaps.update(round(b - a, 3) for a, b in pairwise(line) if b - a > 1e-6)
    # a rare gap comes from a place out of line and is not the width of a cell
    usual = [gap for gap, often in gaps.items() if often * 20 >= max(gaps.values())]
    return min(usual, default=1.0)


def edge_cells(scene: Scene, frame: Frame) -> list[Spot]:
    """The cells of a close-up that are partly visible although their middle is outside."""
    near = spots_in_frame(scene, frame, frame.step * 0.6) if frame.close and frame.step else []
    return [spot for spot in near if not frame.window.has(spot.x, spot.y)]


def spots_in_frame(scene: Scene, frame: Frame, beyond: float = 0) -> list[Spot]:
    """The places inside the frame or at most `beyond` pixels outside. Those at the same point are set side by side."""
    colours = {owner.code: valid_colour(owner.colour) for owner in scene.owners}
    spots = []
    signs, letters = sign_and_name_scales(scene, frame)
    several = len(turns_last_seen(scene)) > 1
    for place, x, y in _side_by_side(scene, frame):
        half_width, half_height = GLYPH_HALVES.get(place.glyph, GLYPH_HALVES["dot"])
        size = min(max(place.size, 1), 3) - 1
        scale = GLYPH_SCALES[size] * signs
        spot = Spot(
            place,
            x,
            y,
            clean_text(place.name) or clean_text(place.code),
            colours.get(place.owner, NOBODY),
            half_width * scale,
            half_height * scale,
            max(NAME_SIZES[size] * letters, SMALLEST),
            scale,
            clean_text(place.note) or (clean_text(place.last_seen) if several and place.seen == "earlier" else ""),
        )
        if frame.window.grow(-max(8.0, spot.half_width) if not frame.step else beyond).has(x, y):
            spots.append(spot)
    return spots


def turns_last_seen(scene: Scene) -> list[str]:
    """The turns in which places out of sight were last seen, each once; "" for an unknown turn."""
    return list(dict.fromkeys(clean_text(place.last_seen) for place in scene.places if place.seen == "earlier"))


def sign_and_name_scales(scene: Scene, frame: Frame) -> tuple[float, float]:
    """The scales of signs and of names, by the distances between near neighbours (the lower quartile)."""
    if frame.step:
        near = frame.step * 0.75
    else:
        points = [frame.at(place.x, place.y) for place in drawable(scene)]
        gaps = sorted(_nearest_distances([point for point in points if frame.window.has(*point)]))
        near = gaps[len(gaps) // 4] if gaps else ROOMY
    wide = 1 + (near - ROOMY) / (2.5 * ROOMY)
    if near > ROOMY:
        return min(1.25, wide), min(1.15, wide)
    return max(0.62, near / ROOMY), max(0.74, near / ROOMY)


def _nearest_distances(points: list[Point]) -> list[float]:
    """The distance of each point from its nearest neighbour, by a sweep from west to east."""
    ordered = sorted(set(points))
    distances = []
    for n, (x, y) in enumerate(ordered):
        best = 200.0
        # to both sides only as far as a nearer one could still be
        for way in (range(n - 1, -1, -1), range(n + 1, len(ordered))):
            for m in way:
                if abs(ordered[m][0] - x) >= best:
                    break
                best = min(best, math.hypot(ordered[m][0] - x, ordered[m][1] - y))
        distances.append(best)
    return distances


def _side_by_side(scene: Scene, frame: Frame) -> list[tuple[MapPlace, float, float]]:
    together: Mapping[tuple[float, float], list[MapPlace]] = defaultdict(list)
    for place in drawable(scene):
        together[place.x, place.y].append(place)
    placed = []
    for place in drawable(scene):
        x, y = frame.at(place.x, place.y)
        signed = [neighbour for neighbour in together[place.x, place.y] if neighbour.glyph]
        if place.glyph and len(signed) > 1:
            gap = min(30.0, frame.step * 0.8 / len(signed)) if frame.step else 30.0
            x += (signed.index(place) - (len(signed) - 1) / 2) * gap
        placed.append((place, x, y))
    return placed


# The lines of ways and marches.


BENDS: Mapping[str, float] = {"road": 0.05, "track": 0.06, "pass": 0.07, "lane": 0.14, "coast": 0.08, "river": 0.07}
"""How far the middle of a way lies beside the straight line, in its lengths."""
STEPS = 12
_SHARES = tuple(((1 - n / STEPS) ** 2, 2 * (1 - n / STEPS) * n / STEPS, (n / STEPS) ** 2) for n in range(STEPS + 1))
"""Weights of start, control point and end, for each point of a curve."""
MOST = 600
"""The most points between two others: bounds the work for absurdly long lines."""


GAP, SHORTEST, SIGN = 3.0, 8, 8.0
"""Distance of the points of an arrow's line, their least number, and half the size of the sign on it; in pixels."""
CLEAR = 21.0
"""From the tip of an arrow to the middle of its sign at least, in pixels."""
OFFSETS = (0.0, 7.0, -7.0, 14.0, -14.0, 21.0, -21.0)
"""How far beside its line an arrow or its sign may lie, in pixels."""


@dataclass(frozen=True)
class RouteLine:
    """The line of a way, its points close together. `d`: the same as path data."""

    style: str
    points: tuple[Point, ...]
    d: str
    label: str = ""
    shut: bool = False


def svg_path(points: Sequence[Point], closed: bool = False) -> str:
    """Points as path data, to a tenth of a pixel."""
    if not points:
        return ""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("z" if closed else "")


def svg_curve(start: Point, pull: Point, end: Point) -> str:
    """A curve as path data, which is drawn three times as fast as its points would be."""
    return f"M{start[0]:.1f} {start[1]:.1f}Q{pull[0]:.1f} {pull[1]:.1f} {end[0]:.1f} {end[1]:.1f}"


def routes_of(ways: Iterable[Way], ends: Mapping[str, Point], straight: bool) -> list[RouteLine]:
    """The lines of the ways that are drawn and have two known ends."""
    lines = []
    for way in ways:
        if way.style and way.a in ends and way.b in ends and ends[way.a] != ends[way.b]:
            start, end, bent = ends[way.a], ends[way.b], 0.0 if straight else bend(way.a, way.b, way.style)
            points = curve_points(start, end, bent)
            lines.append(
                RouteLine(
                    way.style,
                    tuple(points),
                    svg_curve(start, _control_point(start, end, bent), end) if bent else svg_path(points),
                    way.label,
                    way.shut,
                )
            )
    return lines


def bend(a: str, b: str, style: str) -> float:
    """How much a way bends, and to which side: the same line whichever end is named first."""
    low, high = sorted((a, b))
    side = 1 if crc32(f"{low} {high}".encode()) & 1 else -1
    return BENDS.get(style, 0.0) * side * (1 if a == low else -1)


def curve_points(start: Point, end: Point, bent: float) -> list[Point]:
    """The points of a curve from one place to another."""
    if not bent:
        return [start, end]
    (ax, ay), (bx, by), (cx, cy) = start, _control_point(start, end, bent), end
    return [(u * ax + v * bx + w * cx, u * ay + v * by + w * cy) for u, v, w in _SHARES]


def _control_point(start: Point, end: Point, bent: float) -> Point:
    """The control point of a curve."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return start[0] + dx / 2 - dy * 2 * bent, start[1] + dy / 2 + dx * 2 * bent


def densify(points: Sequence[Point], gap: float = 7.0) -> list[Point]:
    """Points along a line, no farther apart than the gap (but at most `MOST` between two given ones)."""
    dense: list[Point] = []
    for (ax, ay), (bx, by) in pairwise(points):
        many = min(MOST, max(1, math.ceil(math.hypot(bx - ax, by - ay) / gap)))
        dense += [(ax + (bx - ax) * n / many, ay + (by - ay) * n / many) for n in range(many)]
    return [*dense, *points[-1:]]


@dataclass(frozen=True)
class Arrow:
    """A march: its line, its head as path data, and the position of its owner's sign."""

    owner: str
    ordered: bool
    d: str
    head: str
    sign_x: float
    sign_y: float
    points: tuple[Point, ...]


def arrows(marches: Iterable[March], spots: Mapping[str, Spot], ends: Mapping[str, Point],
           styles: Mapping[frozenset[str], str], window: Box, straight: bool) -> list[Arrow]:
    """The arrows of marches that pass at least two places known to the reader.

    `ends`: all places, also those outside the `window`; `styles`: the styles of ways by their two ends: a march follows
    the bend of its way.
    """
    drawn = []
    for march in marches:
        stops = [code for code in march.path if code in ends]
        points: list[Point] = []
        for a, b in pairwise(stops):
            style = styles.get(frozenset((a, b)), "road")
            points += densify(curve_points(ends[a], ends[b], 0.0 if straight else bend(a, b, style)), GAP)
        room = spots[stops[-1]].half_width + 5 if stops and stops[-1] in spots else 8.0
        points = _without_end(_without_end(points, room)[::-1], 9.0)[::-1] if len(points) > 2 else []
        if len(points) > 5:
            stations = [ends[code] for code in stops]
            drawn.append(_arrow(march, points, stations, window))
    return drawn


def _without_end(points: list[Point], room: float) -> list[Point]:
    """A line without the part that is nearer than `room` to its last point."""
    x, y = points[-1]
    kept = list(points)
    while len(kept) > 1 and math.hypot(kept[-1][0] - x, kept[-1][1] - y) < room:
        kept.pop()
    return kept


def _arrow(march: March, points: list[Point], stations: Sequence[Point], window: Box) -> Arrow:
    """An arrow; its sign is put where the march is farthest from the places that it passes."""
    line = _without_end(points, 11.0)
    middles = [line[len(line) * part // 12] for part in (5, 4, 6, 3, 7, 8)]
    middle = max([point for point in middles if window.has(*point)] or middles,
                 key=lambda point: min(math.hypot(point[0] - x, point[1] - y) for x, y in stations))
    return Arrow(
        march.owner,
        march.ordered,
        svg_path(line[::3] + line[-1:]),
        svg_path(_head(points), closed=True),
        *middle,
        tuple(points),
    )


def _head(points: Sequence[Point]) -> list[Point]:
    """The corners of the head of an arrow that ends with these points."""
    (tx, ty), (fx, fy) = points[-1], points[max(0, len(points) - 6)]
    length = math.hypot(tx - fx, ty - fy) or 1.0
    ux, uy = (tx - fx) / length, (ty - fy) / length
    bx, by = tx - ux * 13, ty - uy * 13
    return [(tx, ty), (bx - uy * 7.5, by + ux * 7.5), (bx + ux * 3, by + uy * 3), (bx + uy * 7.5, by - ux * 7.5)]


def clear_of_names(arrow: Arrow, names: BoxGrid) -> Arrow:
    """An arrow whose head and sign cover no name: shortened, or moved to the side. Without such room it stays as it is.
    """
    whole = list(arrow.points)
    shorter = sorted(((off, n) for off in OFFSETS for n in range(len(whole) * 2 // 3) if len(whole) - n > SHORTEST),
                     key=lambda offset: abs(offset[0]) + offset[1] * GAP)
    lines = (_parallel_line(whole, off)[:len(whole) - n] for off, n in shorter)
    points = next((candidate for candidate in lines if names.free(_bounding_box(_head(candidate)))), whole)
    line = _without_end(points, 11.0)
    at = arrow.sign_x, arrow.sign_y
    signs = (min(free, key=lambda point: math.dist(point, at)) for off in OFFSETS
             if (free := [point for point in _parallel_line(line, off) if math.dist(point, points[-1]) >= CLEAR
                          and names.free(box_around(*point, SIGN, SIGN))]))
    x, y = next(signs, at)
    return replace(
        arrow,
        d=svg_path(line[::3] + line[-1:]),
        head=svg_path(_head(points), closed=True),
        sign_x=x,
        sign_y=y,
        points=tuple(points),
    )


def _parallel_line(points: Sequence[Point], off: float) -> list[Point]:
    """A parallel line, `off` pixels to the right."""
    (ax, ay), (bx, by) = points[0], points[-1]
    length = math.dist(points[0], points[-1]) or 1.0
    return [(x - (by - ay) / length * off, y + (bx - ax) / length * off) for x, y in points]


def _bounding_box(points: Sequence[Point]) -> Box:
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))
