"""Reads a scenario's map background from a GeoJSON or SVG file."""

from __future__ import annotations

import json
import math
import re
import xml.parsers.expat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from assistant.campaign.columns import LONGEST_TEXT
from assistant.campaign.records import GROUNDS, MOST_POINTS, Outline, format_points, parse_points
from assistant.turn.texts import N_

# SVG path data.


Point = tuple[float, float]
_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([\s,]+)")
_FLAG = re.compile(r"()([01])|([\s,]+)")
"""A flag of an arc; the next number may follow without a blank."""
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
CURVE = 6
"""Points per curve, and per quarter of an ellipse."""


def path_lines(text: str, most: int) -> list[list[Point]]:
    """The lines that a path draws, with curves and arcs as points.

    Raises ValueError for invalid path data, OverflowError for more than `most` numbers.
    """
    words = _tokens(text, most)
    pen, command, place = _Pen(), "", 0
    while place < len(words):
        if words[place].isalpha():
            command, place = words[place], place + 1
        count = _NUMBERS.get(command.upper(), -1)
        numbers = words[place:place + count] if count > 0 else []
        if count < 0 or len(numbers) < count:
            raise ValueError(command)
        pen.draw(command, [float(word) for word in numbers])
        place += count
        # so SVG has it: further numbers behind a move draw lines, and behind the end of a figure there may be none
        command = {"M": "L", "m": "l", "Z": "", "z": ""}.get(command, command)
    return pen.lines


def _tokens(text: str, most: int) -> list[str]:
    """Commands and numbers, in their order."""
    words: list[str] = []
    at, arc, count = 0, False, 0
    while at < len(text):
        match = (_FLAG if arc and count % 7 in (3, 4) else _TOKEN).match(text, at)
        if match is None:
            raise ValueError(text[at:at + 9])
        at = match.end()
        if match[1]:
            arc, count = match[1] in "Aa", -1
        if match[1] or match[2]:
            words.append(match[0])
            count += 1
        if len(words) > most:
            raise OverflowError
    return words


class _Pen:
    """The pen of a path: its position, the control point of its last curve, and the lines drawn so far."""

    def __init__(self) -> None:
        self.lines: list[list[Point]] = []
        self.at: Point = (0.0, 0.0)
        self._last, self._pull = "", self.at

    def draw(self, command: str, numbers: Sequence[float]) -> None:
        """Carry out one command with its numbers."""
        (x, y), what = self.at, command.upper()
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if what == "Z":
            if self.lines:
                self.lines[-1].append(self.lines[-1][0])
                self.at = self.lines[-1][0]
        elif what in "HV":
            self._to([(numbers[0] + dx, y) if what == "H" else (x, numbers[0] + dy)])
        elif what == "A":
            self._to(_arc_points(self.at, (numbers[5] + dx, numbers[6] + dy), numbers))
        else:
            points = [(a + dx, b + dy) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
            if what in "ST":  # the first pull mirrors the last one of a curve of the same kind
                like = self._last in {"S": "CS", "T": "QT"}[what]
                points.insert(0, (2 * x - self._pull[0], 2 * y - self._pull[1]) if self._last and like else self.at)
            if what == "M":
                self.lines.append([])
                self._last = what
            self._pull = points[-2] if what in "CSQT" else points[-1]
            self._to(_curve_points([self.at, *points]) if what in "CSQT" else points)
        self._last = what

    def _to(self, points: Sequence[Point]) -> None:
        if not self.lines or self._last == "Z":
            self.lines.append([self.at])
        self.lines[-1] += points
        self.at = points[-1]


def _curve_points(pulls: Sequence[Point]) -> list[Point]:
    """Points on a Bezier curve, by de Casteljau's algorithm."""
    points = []
    for n in range(1, CURVE + 1):
        t, row = n / CURVE, list(pulls)
        while len(row) > 1:
            row = [((1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1]) for a, b in pairwise(row)]
        points.append(row[0])
    return points


def _arc_points(start: Point, end: Point, numbers: Sequence[float]) -> list[Point]:
    """Points on an elliptical arc, from its ends to its middle as SVG 1.1 has it (appendix F.6.5, F.6.6)."""
    rx, ry, turn = abs(numbers[0]), abs(numbers[1]), math.radians(numbers[2] % 360)
    if not (rx and ry) or start == end:
        return [end]
    cos, sin = math.cos(turn), math.sin(turn)
    hx, hy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = (cos * hx + sin * hy) / rx, (cos * hy - sin * hx) / ry
    far = x * x + y * y
    grown = max(1.0, math.sqrt(far))  # an ellipse that is too small for its ends grows
    rx, ry, x, y, far = rx * grown, ry * grown, x / grown, y / grown, min(far, 1.0)
    aside = math.sqrt(max(0.0, 1 / far - 1)) * (-1 if numbers[3] == numbers[4] else 1)
    mx, my = aside * y, -aside * x
    first = math.atan2(y - my, x - mx)
    sweep = (math.atan2(-y - my, -x - mx) - first) % math.tau
    sweep -= 0 if numbers[4] else math.tau
    steps = max(1, math.ceil(abs(sweep) / (math.pi / 2) * CURVE))
    return [*_ellipse_points(first, sweep, steps, (rx, ry, cos, sin), (
        cos * rx * mx - sin * ry * my + (start[0] + end[0]) / 2,
        sin * rx * mx + cos * ry * my + (start[1] + end[1]) / 2)), end]


def _ellipse_points(first: float, sweep: float, steps: int, shape: tuple[float, float, float, float], middle: Point
           ) -> Iterator[Point]:
    """The points of an ellipse between two angles, without its ends."""
    rx, ry, cos, sin = shape
    for n in range(1, steps):
        angle = first + sweep * n / steps
        x, y = rx * math.cos(angle), ry * math.sin(angle)
        yield cos * x - sin * y + middle[0], sin * x + cos * y + middle[1]


# Backgrounds.
#
# SVG: only paths are read. GeoJSON: lines and polygons. Name, kind, owner and code come from the attributes
# `data-name`, `data-name-it`, `data-kind`, `data-owner` and `id`, or from the GeoJSON properties of the same names
# without `data-`. Coordinates are those of the sheet Nodes, unconverted; y grows to the south.


LARGEST = 1_000_000
"""In bytes; a larger file is refused."""
DEEPEST = 40
LONGEST_NAME = 80
FORBIDDEN = frozenset({"script", "a", "image", "use", "foreignobject", "iframe", "style", "link", "animate", "set",
                       "animatetransform", "animatemotion", "handler", "listener", "feimage", "audio", "video"})
"""Elements that run scripts, link or load something. The file may come from anybody."""
TOO_LARGE = N_("it has more than 1 MB")
NO_FORMAT = N_("it is neither GeoJSON nor SVG")
DAMAGED = N_("it cannot be read")
ACTIVE = N_("it holds a script, a link or a reference to another file ({what})")
NOTHING = N_("it holds no line and no area")
TOO_MANY = N_("it holds too many points")
TURNED = N_("it holds a transformation, which is not read: let your drawing program apply it first")
_LEADS = re.compile(r"url\((?!#)|javascript:|data:", re.IGNORECASE)


class BackgroundRefused(Exception):
    """A background that is not accepted: `why` as a msgid, and `what` fills it. It does not leave this module."""

    def __init__(self, why: str, what: str = "") -> None:
        super().__init__(why)
        self.why, self.what = why, what


@dataclass(frozen=True)
class Background:
    """The result of reading a file: rows of Outlines; or none, and `why` (a msgid) with `what` was seen."""

    rows: tuple[Outline, ...] = ()
    why: str = ""
    what: str = ""


def read_background(data: bytes) -> Background:
    """The outlines in a file. Only numbers, kinds and names of printable letters are kept."""
    try:
        if len(data) > LARGEST:
            raise BackgroundRefused(TOO_LARGE)
        start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if start not in (b"{", b"<"):
            raise BackgroundRefused(NO_FORMAT)
        shapes = list(_geojson_shapes(data) if start == b"{" else _svg_shapes(data))
        if not shapes:
            raise BackgroundRefused(NOTHING)
        if sum(len(line) for _, line in shapes) > MOST_POINTS:
            raise BackgroundRefused(TOO_MANY)
    except BackgroundRefused as no:
        return Background(why=no.why, what=no.what)
    return Background(tuple(_rows(shapes)))


Shape = tuple[Mapping[str, str], Sequence[Point]]
"""The properties of a line, and its points."""


def _rows(shapes: Iterable[Shape]) -> Iterator[Outline]:
    codes: set[str] = set()
    for number, (values, line) in enumerate(shapes, 1):
        kind = values.get("kind", "")
        # a line that does not come back to its beginning is no area
        kind = kind if kind in GROUNDS else "river" if line[0] != line[-1] else "land"
        wish = re.sub(r"[^\w.-]", "", values.get("id", ""))[:LONGEST_NAME] or f"{kind}-{number}"
        code = wish if wish not in codes else f"{wish}-{number}"
        codes.add(code)
        for piece, text in enumerate(_cell_texts(line), 1):
            names = (values.get("name", ""), values.get("name-it", ""),
                     values.get("owner", "")) if piece == 1 else ("",) * 3
            yield Outline(code, piece, kind, *names, text)


def _cell_texts(line: Sequence[Point]) -> Iterator[str]:
    """The points as texts that each fit into one cell."""
    words: list[str] = []
    size = 0
    for word in format_points(line).split():
        if size + len(word) + 1 > LONGEST_TEXT - 100:
            yield " ".join(words)
            words, size = [], 0
        words.append(word)
        size += len(word) + 1
    yield " ".join(words)


def _text_properties(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: "".join(letter for letter in str(value) if letter.isprintable())[:LONGEST_NAME]
            for name, value in values.items() if isinstance(value, str | int | float)}


def _checked_point(x: float, y: float) -> Point:
    point = (float(round(x)), float(round(y))) if math.isfinite(x) and math.isfinite(y) else (math.inf, 0.0)
    if not math.isfinite(point[0]) or parse_points(format_points([point])) is None:
        raise BackgroundRefused(DAMAGED)
    return point


# --- GeoJSON ---------------------------------------------------------------------------------------------------
def _geojson_shapes(data: bytes) -> Iterator[Shape]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise BackgroundRefused(DAMAGED) from None
    if not isinstance(document, dict):
        raise BackgroundRefused(NO_FORMAT)
    features = document.get("features") if document.get("type") == "FeatureCollection" else [document]
    for feature in features if isinstance(features, list) else ():
        if isinstance(feature, dict):
            properties = feature.get("properties")
            texts = _text_properties(properties if isinstance(properties, dict) else {})
            geometry = feature.get("geometry", feature)
            for line in _geometry_lines(geometry if isinstance(geometry, dict) else {}, DEEPEST):
                yield texts, line


def _geometry_lines(geometry: Mapping[str, Any], deep: int) -> Iterator[list[Point]]:
    if not deep:
        raise BackgroundRefused(DAMAGED)
    parts = geometry.get("geometries")
    if geometry.get("type") == "GeometryCollection" and isinstance(parts, list):
        for part in parts:
            yield from _geometry_lines(part if isinstance(part, dict) else {}, deep - 1)
        return
    levels = {"LineString": 0, "MultiLineString": 1, "Polygon": 1, "MultiPolygon": 2}.get(str(geometry.get("type")))
    if levels is not None:
        lines = [geometry.get("coordinates")]
        for _ in range(levels):
            lines = [line for many in lines if isinstance(many, list) for line in many]
        for line in lines:
            if not isinstance(line, list) or len(line) < 2:
                raise BackgroundRefused(DAMAGED)
            yield [_geojson_point(point) for point in line]


def _geojson_point(pair: Any) -> Point:
    if not (isinstance(pair, list) and len(pair) >= 2 and all(isinstance(n, int | float) for n in pair[:2])):
        raise BackgroundRefused(DAMAGED)
    try:
        return _checked_point(float(pair[0]), float(pair[1]))
    except OverflowError:
        raise BackgroundRefused(DAMAGED) from None


# --- SVG --------------------------------------------------------------------------------------------------------
def _svg_shapes(data: bytes) -> Iterator[Shape]:
    """The paths of an SVG; entities, other files and deep nesting are refused."""
    parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
    shapes: list[Shape] = []
    depth = [0]

    def start(name: str, attributes: dict[str, str]) -> None:
        depth[0] += 1
        plain = name.rpartition(" ")[2].casefold()
        _check_element(plain, attributes)
        if depth[0] > DEEPEST:
            raise BackgroundRefused(DAMAGED)
        if plain == "path":
            properties = _text_properties(
                {key.removeprefix("data-"): value for key, value in attributes.items() if key != "d"}
            )
            shapes.extend((properties, line) for line in _checked_path_lines(attributes.get("d", "")) if len(line) > 1)

    def end(name: str) -> None:
        depth[0] -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    # a type declaration or an entity could read other files, or grow without end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ProcessingInstructionHandler = _refuse_active
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError:
        raise BackgroundRefused(DAMAGED) from None
    yield from shapes


def _refuse_active(name: str, *rest: object) -> None:
    raise BackgroundRefused(ACTIVE, name[:LONGEST_NAME])


def _check_element(name: str, attributes: Mapping[str, str]) -> None:
    if name in FORBIDDEN:
        raise BackgroundRefused(ACTIVE, name)
    for key, value in attributes.items():
        plain = key.rpartition(" ")[2].casefold()
        if plain.startswith("on") or plain in ("href", "src") or _LEADS.search(value):
            raise BackgroundRefused(ACTIVE, plain)
        if plain == "transform":
            raise BackgroundRefused(TURNED)


def _checked_path_lines(text: str) -> list[list[Point]]:
    """The lines of a path's `d`."""
    try:
        return [[_checked_point(*point) for point in line] for line in path_lines(text, 6 * MOST_POINTS)]
    except OverflowError:
        raise BackgroundRefused(TOO_MANY) from None
    except (ValueError, ZeroDivisionError):
        raise BackgroundRefused(DAMAGED) from None
