"""A scene in; where its places, ways and marches lie, what of it is on the picture, and what is taken there, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from assistant.pictures.drawing.box import Box, Grid, Point, around
from assistant.pictures.drawing.cartouche import Shown
from assistant.pictures.drawing.courses import Arrow, Course, arrows, courses, dense
from assistant.pictures.drawing.frame import Frame, Spot, drawable, edge, framed, spots
from assistant.pictures.drawing.lettering import Lettered
from assistant.pictures.drawing.theme import colour_of
from assistant.pictures.drawing.typeface import clean
from assistant.pictures.scene import Scene

SEEN = 10
"""Points of a march that are on the picture, at least: of less nobody would see that it is one."""


@dataclass(frozen=True)
class Layout:
    """A scene on its picture, as far as all that follows needs it. `edge`: cells that are seen in part."""

    scene: Scene
    frame: Frame
    spots: Sequence[Spot]
    ends: Mapping[str, Point]
    ways: Sequence[Course]
    all_ways: Sequence[Course]
    arrows: Sequence[Arrow]
    paint: Mapping[str, tuple[str, str]]
    edge: Sequence[Spot] = ()


def laid(scene: Scene) -> Layout:
    """Where places, ways and marches lie."""
    frame = framed(scene)
    found = spots(scene, frame)
    ends = {place.code: frame.at(place.x, place.y) for place in drawable(scene)}
    ends |= {spot.place.code: (spot.x, spot.y) for spot in found}
    straight = scene.form != "graph"
    near = frame.window.grown(-5 if frame.close else 5)
    all_ways = courses(scene.ways, ends, straight)
    ways = [way for way in all_ways if _crosses(way.points, near)]
    styles = {frozenset((way.a, way.b)): way.style for way in scene.ways}
    moves = arrows(scene.marches, {spot.place.code: spot for spot in found}, ends, styles, frame.window.grown(-12),
                   straight)
    paint = {owner.code: (colour_of(owner.colour), clean(owner.sign)[:3] or clean(owner.code)[:3])
             for owner in scene.owners}
    moves = [move for move in moves if sum(near.has(x, y) for x, y in move.points) >= min(SEEN, len(move.points))]
    return Layout(scene, frame, found, ends, ways, all_ways, moves, paint, edge(scene, frame))


def _crosses(points: Sequence[Point], window: Box) -> bool:
    """Whether a line comes into the window, by its points and what lies between them."""
    if any(window.has(x, y) for x, y in points):
        return True
    xs, ys = zip(*points, strict=True)
    far = Box(min(xs) - 0.1, min(ys) - 0.1, max(xs) + 0.1, max(ys) + 0.1)
    return window.meets(far) and any(window.has(x, y) for x, y in dense(points))


def shown(lay: Layout, landed: Set[str]) -> Shown:
    """What of the scene is on the picture. `landed`: those whose land is there."""
    known = {spot.place.code for spot in lay.spots}
    scene = lay.scene
    holders = {spot.place.owner for spot in (*lay.spots, *lay.edge)}
    holders |= {force.owner for force in scene.forces if force.place in known}
    holders |= {mark.owner for mark in scene.marks if mark.place in known}
    holders |= {move.owner for move in lay.arrows}
    holders |= landed
    words = dict.fromkeys(spot.place.terrain[0] for spot in (*lay.spots, *lay.edge)
                          if spot.place.terrain and spot.place.seen != "never" and scene.form != "graph")
    order = {code: n for n, code in enumerate(scene.terrains or {})}
    return Shown(scene, lay.frame, lay.spots, lay.ways, frozenset(holders),
                           frozenset(move.ordered for move in lay.arrows),
                           sorted(words, key=lambda word: (order.get(word, len(order)), word)))


def taken(lay: Layout, names: Lettered, legend: Box | None) -> Grid:
    """What shields and badges keep clear of, by how much."""
    grid = Grid()
    for spot in lay.spots:
        if spot.half_width:
            grid.put(spot.box.grown(1), 18)
    for label in names.labels:
        grid.put(label.box, 30)
    for move in lay.arrows:
        for x, y in ((move.sign_x, move.sign_y), move.points[-min(3, len(move.points))]):
            grid.put(around(x, y, 8, 8), 8)
    if legend:
        grid.put(legend.grown(3), 60)
    return grid
