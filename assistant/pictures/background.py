"""A scenario's own background: a GeoJSON or SVG file, hostile until checked, in; rows of outlines, or why not, out.

Of an SVG only paths are read (M, L, H, V, C, Q, Z and their small letters), of GeoJSON lines and areas; the name, the
kind and the owner stand in `data-name`, `data-name-it`, `data-kind`, `data-owner` and `id`, or in the properties
without `data-`. Positions are those of Nodes: in an SVG its own units, in GeoJSON the numbers as they stand, south
downwards.
"""

from __future__ import annotations

import json
import math
import re
import xml.parsers.expat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import LONGEST_TEXT
from assistant.campaign.outlines import GROUNDS, MOST_POINTS, Outline, points_of, text_of
from assistant.pictures.svg_paths import lines_of
from assistant.turn.texts import N_

LARGEST = 1_000_000
"""Bytes; a larger background is none."""
DEEPEST = 40
LONGEST_NAME = 80
FORBIDDEN = frozenset({"script", "a", "image", "use", "foreignobject", "iframe", "style", "link", "animate", "set",
                       "animatetransform", "animatemotion", "handler", "listener", "feimage", "audio", "video"})
"""Elements that run, lead or load something."""
TOO_LARGE = N_("it has more than 1 MB")
NO_FORMAT = N_("it is neither GeoJSON nor SVG")
DAMAGED = N_("it cannot be read")
ACTIVE = N_("it holds a script, a link or a reference to another file ({what})")
NOTHING = N_("it holds no line and no area")
TOO_MANY = N_("it holds too many points")
TURNED = N_("it holds a transformation, which is not read: let your drawing program apply it first")
_LEADS = re.compile(r"url\((?!#)|javascript:|data:", re.IGNORECASE)
Point = tuple[float, float]


class Refused(Exception):
    """Why a background is not taken: a sentence (msgid) and what fills it. It goes no further than this module."""

    def __init__(self, why: str, what: str = "") -> None:
        super().__init__(why)
        self.why, self.what = why, what


@dataclass(frozen=True)
class Background:
    """What a file came to: rows of outlines; or none and `why`, a msgid, with `what` was seen."""

    rows: tuple[Outline, ...] = ()
    why: str = ""
    what: str = ""


def background(data: bytes) -> Background:
    """The outlines of a file's bytes. Nothing of it is kept but numbers, kinds and names of plain letters."""
    try:
        if len(data) > LARGEST:
            raise Refused(TOO_LARGE)
        start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if start not in (b"{", b"<"):
            raise Refused(NO_FORMAT)
        shapes = list(_of_json(data) if start == b"{" else _of_svg(data))
        if not shapes:
            raise Refused(NOTHING)
        if sum(len(line) for _, line in shapes) > MOST_POINTS:
            raise Refused(TOO_MANY)
    except Refused as no:
        return Background(why=no.why, what=no.what)
    return Background(tuple(_rows(shapes)))


Shape = tuple[Mapping[str, str], Sequence[Point]]
"""What is said of a line, and its points."""


def _rows(shapes: Iterable[Shape]) -> Iterator[Outline]:
    codes: set[str] = set()
    for number, (said, line) in enumerate(shapes, 1):
        kind = said.get("kind", "")
        kind = kind if kind in GROUNDS else "river" if line[0] != line[-1] else "land"
        wish = re.sub(r"[^\w.-]", "", said.get("id", ""))[:LONGEST_NAME] or f"{kind}-{number}"
        code = wish if wish not in codes else f"{wish}-{number}"
        codes.add(code)
        for piece, text in enumerate(_cut(line), 1):
            names = (said.get("name", ""), said.get("name-it", ""), said.get("owner", "")) if piece == 1 else ("",) * 3
            yield Outline(code, piece, kind, *names, text)


def _cut(line: Sequence[Point]) -> Iterator[str]:
    """The points as texts that a cell may hold."""
    words: list[str] = []
    size = 0
    for word in text_of(line).split():
        if size + len(word) + 1 > LONGEST_TEXT - 100:
            yield " ".join(words)
            words, size = [], 0
        words.append(word)
        size += len(word) + 1
    yield " ".join(words)


def _said(found: Mapping[str, Any]) -> dict[str, str]:
    """What is said of a shape, as plain short texts."""
    return {name: "".join(letter for letter in str(value) if letter.isprintable())[:LONGEST_NAME]
            for name, value in found.items() if isinstance(value, str | int | float)}


def _fit(x: float, y: float) -> Point:
    point = (float(round(x)), float(round(y))) if math.isfinite(x) and math.isfinite(y) else (math.inf, 0.0)
    if not math.isfinite(point[0]) or points_of(text_of([point])) is None:
        raise Refused(DAMAGED)
    return point


# --- GeoJSON ---------------------------------------------------------------------------------------------------
def _of_json(data: bytes) -> Iterator[Shape]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused(DAMAGED) from None
    if not isinstance(found, dict):
        raise Refused(NO_FORMAT)
    features = found.get("features") if found.get("type") == "FeatureCollection" else [found]
    for feature in features if isinstance(features, list) else ():
        if isinstance(feature, dict):
            properties = feature.get("properties")
            said = _said(properties if isinstance(properties, dict) else {})
            geometry = feature.get("geometry", feature)
            for line in _lines(geometry if isinstance(geometry, dict) else {}, DEEPEST):
                yield said, line


def _lines(geometry: Mapping[str, Any], deep: int) -> Iterator[list[Point]]:
    if not deep:
        raise Refused(DAMAGED)
    parts = geometry.get("geometries")
    if geometry.get("type") == "GeometryCollection" and isinstance(parts, list):
        for part in parts:
            yield from _lines(part if isinstance(part, dict) else {}, deep - 1)
        return
    levels = {"LineString": 0, "MultiLineString": 1, "Polygon": 1, "MultiPolygon": 2}.get(str(geometry.get("type")))
    if levels is not None:
        lines = [geometry.get("coordinates")]
        for _ in range(levels):
            lines = [one for many in lines if isinstance(many, list) for one in many]
        for line in lines:
            if not isinstance(line, list) or len(line) < 2:
                raise Refused(DAMAGED)
            yield [_position(one) for one in line]


def _position(one: Any) -> Point:
    if not (isinstance(one, list) and len(one) >= 2 and all(isinstance(n, int | float) for n in one[:2])):
        raise Refused(DAMAGED)
    try:
        return _fit(float(one[0]), float(one[1]))
    except OverflowError:
        raise Refused(DAMAGED) from None


# --- SVG --------------------------------------------------------------------------------------------------------
def _of_svg(data: bytes) -> Iterator[Shape]:
    """Paths, by a parser that knows no entities, no other files and no depth."""
    parser = xml.parsers.expat.ParserCreate(namespace_separator=" ")
    shapes: list[Shape] = []
    depth = [0]

    def start(name: str, attributes: dict[str, str]) -> None:
        depth[0] += 1
        plain = name.rpartition(" ")[2].casefold()
        _check_element(plain, attributes)
        if depth[0] > DEEPEST:
            raise Refused(DAMAGED)
        if plain == "path":
            said = _said({key.removeprefix("data-"): value for key, value in attributes.items() if key != "d"})
            shapes.extend((said, line) for line in _path(attributes.get("d", "")) if len(line) > 1)

    def end(name: str) -> None:
        depth[0] -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ProcessingInstructionHandler = _active
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError:
        raise Refused(DAMAGED) from None
    yield from shapes


def _active(name: str, *rest: object) -> None:
    raise Refused(ACTIVE, name[:LONGEST_NAME])


def _check_element(name: str, attributes: Mapping[str, str]) -> None:
    if name in FORBIDDEN:
        raise Refused(ACTIVE, name)
    for key, value in attributes.items():
        plain = key.rpartition(" ")[2].casefold()
        if plain.startswith("on") or plain in ("href", "src") or _LEADS.search(value):
            raise Refused(ACTIVE, plain)
        if plain == "transform":
            raise Refused(TURNED)


def _path(text: str) -> list[list[Point]]:
    """The lines of a path's `d`."""
    try:
        return [[_fit(*point) for point in line] for line in lines_of(text, 6 * MOST_POINTS)]
    except OverflowError:
        raise Refused(TOO_MANY) from None
    except (ValueError, ZeroDivisionError):
        raise Refused(DAMAGED) from None
