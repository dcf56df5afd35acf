"""A scene that is laid out in; what lies below everything on its picture out: land, realms, cells, rivers, signs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from assistant.pictures.drawing import realms, tiles
from assistant.pictures.drawing.box import Box, Dots, Grid, Point, around
from assistant.pictures.drawing.courses import dense, path
from assistant.pictures.drawing.frame import drawable, framed
from assistant.pictures.drawing.laid import Layout
from assistant.pictures.drawing.lettering import named
from assistant.pictures.drawing.owners_signs import ground_signs, inside, tags
from assistant.pictures.drawing.typeface import clean, shortened, width
from assistant.pictures.scene import Ground

CLOSED = frozenset({"land", "sea", "lake"})
"""Grounds that are outlines."""
BORDER = 12.0
"""Land that only just comes into the picture, by so many pixels, is not told of."""
PEAKS = 26.0
"""From one hill to the next, in pixels of the whole map."""
DATED = 10.0
"""Of the letters of the turn in which a cell was last seen."""
Curve = tuple[Ground, list[Point]]


@dataclass(frozen=True)
class Soil:
    """What the ground is made of: all lines of the scene as they are drawn, and for a graph who holds what; `missing`:
    the library without which there is less of it.
    """

    curves: tuple[Curve, ...]
    terrain: realms.Terrain | None
    missing: str

    @property
    def pieces(self) -> list[tuple[str, tuple[Point, ...]]]:
        """Each owner's pieces of land."""
        return [(realm.owner, piece) for realm in self.terrain.realms for piece in realm.pieces] if self.terrain else []


def soil(laid: Layout) -> Soil:
    """The ground of a scene, before anything stands upon it."""
    lines = [(one, laid.frame.line(one.line)) for one in laid.scene.grounds]
    curves = tuple((one, line if one.kind == "region" else realms.smooth(line, one.kind in CLOSED))
                   for one, line in lines)
    if laid.scene.form != "graph":
        return Soil(curves, None, "")
    try:
        return Soil(curves, _terrain(laid, curves), "")
    except ImportError:
        return Soil(curves, None, "shapely")


def holders(soil: Soil, window: Box) -> set[str]:
    """Those whose land is on the picture, with a place there or without."""
    inner = window.grown(-BORDER)
    return {owner for owner, piece in soil.pieces
            if any(inner.has(x, y) for x, y in piece) or inside(*window.middle, piece)}


def words(laid: Layout, soil: Soil) -> list[Word]:
    """The names of seas and lands."""
    found = (_word(one, laid.frame.line(one.line), soil) for one in laid.scene.grounds
             if one.kind == "name" and clean(one.name))
    return [word for word in found if word and laid.frame.window.meets(word.box)]


def ground(laid: Layout, soil: Soil, taken: Grid, lines: Dots) -> dict[str, Any]:
    """What lies below everything, with owners' signs where nothing is `taken` yet, rather than on `lines`."""
    scene, frame = laid.scene, laid.frame
    found: dict[str, Any] = {
        "rivers": [path(line) for one, line in soil.curves if one.kind == "river"],
        "lakes": [path(line, closed=True) for one, line in soil.curves if one.kind == "lake"],
        "peaks": [peak for one in scene.grounds if one.kind == "mountains"
                  for peak in _peaks(frame.line(one.line), laid)],
        "terrain": soil.terrain, "board": None, "tags": []}
    texts = {owner.code: laid.paint[owner.code][1] for owner in scene.owners}
    if scene.form != "graph":
        made = tiles.board([*laid.spots, *laid.edge], frame.step, scene.form, scene.terrains or {})
        return found | {"board": made, "codes": _codes(made, taken), "dated": _dated(laid, made, taken),
                        "signs": tiles.cell_signs(made.cells, made.corners, texts, taken, lines, frame.window)}
    signs = ground_signs(soil.pieces, texts, taken, lines, frame.window)
    return found | {"signs": signs, "tags": tags(laid.spots, soil.pieces, signs, texts, taken)}


def _terrain(laid: Layout, curves: Sequence[Curve]) -> realms.Terrain:
    holdings = [realms.Holding(*laid.ends[place.code], place.owner if place.owner in laid.paint else "", place.seen)
                for place in drawable(laid.scene) if not place.sea]
    outlines = [line for one, line in curves if one.kind == "land"]
    seas = [line for one, line in curves if one.kind == "sea"]
    left, top, right, bottom = laid.frame.window.grown(90)
    if seas and not outlines:
        outlines = [[(left, top), (right, top), (right, bottom), (left, bottom)]]
    return realms.ground(
        {(one.x, one.y): one for one in holdings}.values(),
        outlines, [*seas, *(line for one, line in curves if one.kind == "lake")],
        [(one.owner if one.owner in laid.paint else "", line) for one, line in curves if one.kind == "region"],
        laid.all_ways, laid.frame.window, _reach(laid))


def _reach(laid: Layout) -> float:
    """How far land reaches about places, the same land in a close-up as on the whole map."""
    whole = framed(replace(laid.scene, focus=()))
    return realms.reach_of(whole.window, len(laid.ends)) * laid.frame.k / whole.k


@dataclass(frozen=True)
class Word:
    """The name of a sea or a land along its line, the data of a path."""

    text: str
    d: str
    size: float
    on_land: bool
    box: Box


def _word(one: Ground, line: Sequence[Point], soil: Soil) -> Word | None:
    """A name along its line, from west to east, as large as the line allows."""
    if len(line) < 2:
        return None
    text = clean(one.name)
    length = sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
    size = max(11.0, min(30.0, length / max(width(text, 1, "italic") + 0.2 * len(text), 1)))
    points = realms.smooth(line if line[0][0] <= line[-1][0] else line[::-1], False)
    x, y = points[len(points) // 2]
    on_land = any(inside(x, y, area) for ground, area in soil.curves if ground.kind == "land" and len(area) > 2)
    box = Box(min(x for x, _ in points), min(y for _, y in points) - size, max(x for x, _ in points),
              max(y for _, y in points) + size / 3)
    return Word(shortened(text, length, 11, "italic"), path(points), size, on_land, box)


def _peaks(line: Sequence[Point], laid: Layout) -> list[Point]:
    """Hills along a line, or all over an outline, where no sign stands."""
    gap = PEAKS * laid.frame.k / framed(replace(laid.scene, focus=())).k
    points = dense(line, gap)
    if len(line) > 3 and line[0] == line[-1]:
        xs, ys = [x for x, _ in line], [y for _, y in line]
        rows, columns = (min(60, int((max(of) - min(of)) / gap)) for of in (ys, xs))
        points = [(x, y) for n in range(rows) for m in range(columns)
                  if inside(x := min(xs) + gap * (m + 0.5 + n % 2 / 2), y := min(ys) + gap * (n + 0.5), line)]
    taken = [spot.box.grown(12) for spot in laid.spots]
    return [(x, y) for x, y in points if laid.frame.window.has(x, y) and not any(box.has(x, y) for box in taken)]


def _codes(board: tiles.Board, taken: Grid) -> list[tuple[str, float, float]]:
    """The codes of cells that nothing covers."""
    high = max(y for _, y in board.corners)
    if high * 2 < tiles.CODE_FROM:
        return []
    return [(clean(cell.code), cell.x, cell.y - high + 9.5) for cell in board.cells
            if taken.free(Box(cell.x - 9, cell.y - high + 3, cell.x + 9, cell.y - high + 10))]


def _dated(laid: Layout, board: tiles.Board, taken: Grid) -> list[tuple[str, float, float]]:
    """When cells were last seen that have no name below which that would stand, at their lower end."""
    high = max(y for _, y in board.corners)
    wanted = [(spot.note, spot.x, spot.y + high - 5) for spot in laid.spots
              if spot.note and spot.place.seen == "earlier" and not named([spot])]
    return [(note, x, y) for note, x, y in wanted
            if taken.free(around(x, y - 3, width(note, DATED, "italic") / 2, DATED / 2))]
