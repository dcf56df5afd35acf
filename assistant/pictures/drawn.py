"""A scene in; its map as SVG, with where the names stand, out. Same scene, same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from assistant.colours import ink_on
from assistant.dataclass import dataclass
from assistant.pictures.drawing import cartouche, realms, tiles
from assistant.pictures.drawing.box import Box, Dots, Grid, Point, around
from assistant.pictures.drawing.courses import Arrow, Course, arrows, courses, dense, path
from assistant.pictures.drawing.frame import Frame, Spot, drawable, framed, spots
from assistant.pictures.drawing.lettering import Lettered, lettered
from assistant.pictures.drawing.owners_signs import Sign, ground_signs, tags
from assistant.pictures.drawing.shields import Room, standing
from assistant.pictures.drawing.theme import NO_COLOUR, colour_of, mixed, terrain
from assistant.pictures.drawing.typeface import clean, shortened, width
from assistant.pictures.scene import Scene
from assistant.pictures.templates import environment

EDGE = 24.0
"""From the picture's left end to the legend below it."""
HEAD, CLOSE_HEAD = 62.0, 54.0
"""The band above a map that has its title there."""


@dataclass(frozen=True)
class Drawing:
    """A map. `placed`: code -> compass point and distance of its name, for the next turn's `Scene.before`;
    `unplaced`: places whose name found no room and that show their code, or nothing; `missing`: the library without
    which realms could not be drawn, "" where none is; `width`, `height`: in pixels.
    """

    svg: str
    placed: Mapping[str, tuple[str, int]]
    unplaced: tuple[str, ...]
    missing: str
    width: int
    height: int


@dataclass(frozen=True)
class Layout:
    """A scene on its picture, as far as all that follows needs it."""

    scene: Scene
    frame: Frame
    spots: Sequence[Spot]
    ends: Mapping[str, Point]
    ways: Sequence[Course]
    all_ways: Sequence[Course]
    arrows: Sequence[Arrow]
    paint: Mapping[str, tuple[str, str]]


def svg(scene: Scene) -> Drawing:
    """The map of a scene: all of it, or a close-up where it has a focus."""
    laid = _laid(scene)
    lines = Dots()
    for way in laid.ways:
        lines.put(dense(way.points, 5), 0.16)
    shown = _shown(laid)
    found = cartouche.rows(shown)
    legend = cartouche.on_map(shown, found, lines)
    window = laid.frame.window
    inner = window.grown(-8)
    names = lettered(laid.spots, inner, [legend.box] if legend else [], lines,
                     {} if laid.frame.close else scene.before or {})
    taken = _taken(laid, names, legend.box if legend else None)
    for move in laid.arrows:
        lines.put(move.points, 0.5)
    stands = standing(scene.forces, scene.marks, laid.spots, laid.paint,
                      Room(inner.grown(-8), taken, lines, laid.frame.step))
    ground, missing = _ground(laid, taken, lines)
    head = 0.0 if legend else CLOSE_HEAD if laid.frame.close else HEAD
    legend = legend or cartouche.below(shown, found, EDGE, window.width - 2 * EDGE)
    foot = 0.0 if legend.on_map else legend.box.height
    called = {spot.place.code: spot.name for spot in laid.spots}
    items, high = cartouche.listed([(clean(code), called[code]) for code in (*names.coded, *names.silent)],
                                   EDGE, window.height + head + foot + 20, window.width - 2 * EDGE)
    height = window.height + head + foot + (high + 12 if items else 0)
    made = environment().get_template("map.svg.j2").render(
        pre="", frame=laid.frame, window=window, head=head, foot=foot, width=window.width, height=height,
        title=clean(scene.title), turn=clean(scene.turn), spots=laid.spots, ways=laid.ways, arrows=laid.arrows,
        names=names, stands=stands, ground=ground, legend=legend, items=items, paint=laid.paint, ink_on=ink_on,
        mixed=mixed, text_of=cartouche.text_of, tinted=tiles.tinted, sign_ink=sign_ink, **_used(laid, found, ground),
        colours={code: colour for code, (colour, _) in laid.paint.items()})
    placed = {label.code: (label.side, label.gap) for label in names.labels if label.code not in names.coded}
    return Drawing(made, placed, (*names.coded, *names.silent), missing, round(window.width), round(height))


def _laid(scene: Scene) -> Layout:
    """Where places, ways and marches lie."""
    frame = framed(scene)
    found = spots(scene, frame)
    ends = {place.code: frame.at(place.x, place.y) for place in drawable(scene)}
    ends |= {spot.place.code: (spot.x, spot.y) for spot in found}
    straight = scene.form != "graph"
    near = frame.window.grown(5)
    all_ways = courses(scene.ways, ends, straight)
    ways = [way for way in all_ways if _crosses(way.points, near)]
    styles = {frozenset((way.a, way.b)): way.style for way in scene.ways}
    moves = arrows(scene.marches, {spot.place.code: spot for spot in found}, ends, styles, straight)
    paint = {owner.code: (colour_of(owner.colour), clean(owner.sign)[:3] or clean(owner.code)[:3])
             for owner in scene.owners}
    moves = [move for move in moves if _crosses(move.points, near)]
    return Layout(scene, frame, found, ends, ways, all_ways, moves, paint)


def _crosses(points: Iterable[Point], window: Box) -> bool:
    """Whether a line comes into the window, by its points and what lies between them."""
    xs, ys = zip(*points, strict=True)
    return window.meets(Box(min(xs) - 0.1, min(ys) - 0.1, max(xs) + 0.1, max(ys) + 0.1))


def _shown(laid: Layout) -> cartouche.Shown:
    """What of the scene is on the picture."""
    known = {spot.place.code for spot in laid.spots}
    scene = laid.scene
    holders = {spot.place.owner for spot in laid.spots}
    holders |= {force.owner for force in scene.forces if force.place in known}
    holders |= {mark.owner for mark in scene.marks if mark.place in known}
    holders |= {move.owner for move in laid.arrows}
    holders |= {one.owner for one in scene.grounds if one.kind == "region"}
    words = dict.fromkeys(spot.place.terrain[0] for spot in laid.spots
                          if spot.place.terrain and spot.place.seen != "never" and scene.form != "graph")
    order = {code: n for n, code in enumerate(scene.terrains or {})}
    return cartouche.Shown(scene, laid.frame, laid.spots, laid.ways, frozenset(holders),
                           frozenset(move.ordered for move in laid.arrows),
                           sorted(words, key=lambda word: (order.get(word, len(order)), word)))


def _taken(laid: Layout, names: Lettered, legend: Box | None) -> Grid:
    """What shields and badges keep clear of, by how much."""
    taken = Grid()
    for spot in laid.spots:
        if spot.half_width:
            taken.put(spot.box.grown(1), 14)
    for label in names.labels:
        taken.put(label.box, 10)
    for move in laid.arrows:
        taken.put(around(move.sign_x, move.sign_y, 8, 8), 8)
    if legend:
        taken.put(legend.grown(3), 60)
    return taken


def _ground(laid: Layout, taken: Grid, lines: Dots) -> tuple[dict[str, Any], str]:
    """What lies below everything, and the library without which there is less of it."""
    scene, frame = laid.scene, laid.frame
    given = [(one, frame.line(one.line)) for one in scene.grounds]
    closed = {"land", "sea", "lake", "region", "mountains"}
    curves = [(one, realms.smooth(line, one.kind in closed)) for one, line in given]
    found: dict[str, Any] = {
        "rivers": [path(line) for one, line in curves if one.kind == "river"],
        "lakes": [path(line, closed=True) for one, line in curves if one.kind == "lake"],
        "words": [word for one, line in given if one.kind == "name" and one.name
                  and (word := _word(clean(one.name), line, frame.window))],
        "peaks": [peak for one, line in given if one.kind == "mountains" for peak in _peaks(line, laid)],
        "terrain": None, "board": None, "signs": [], "tags": []}
    texts = {owner.code: laid.paint[owner.code][1] for owner in scene.owners}
    if scene.form != "graph":
        made = tiles.board(laid.spots, frame.step, scene.form, scene.terrains or {})
        return found | {"board": made, "codes": _codes(made, taken),
                        "signs": tiles.cell_signs(made.cells, made.corners, texts, taken, lines, frame.window)}, ""
    try:
        made_of = _terrain(laid, curves)
    except ImportError:
        return found | {"tags": tags(laid.spots, [], [], texts, taken)}, "shapely"
    pieces = [(realm.owner, piece) for realm in made_of.realms for piece in realm.pieces]
    signs = ground_signs(pieces, texts, taken, lines, frame.window)
    return found | {"terrain": made_of, "signs": signs, "tags": tags(laid.spots, pieces, signs, texts, taken)}, ""


def _terrain(laid: Layout, curves: Sequence[tuple[Any, Sequence[Point]]]) -> realms.Terrain:
    holdings = [realms.Holding(*laid.ends[place.code], place.owner if place.owner in laid.paint else "", place.seen)
                for place in drawable(laid.scene) if not place.sea]
    return realms.ground(
        list({(one.x, one.y): one for one in holdings}.values()),
        [line for one, line in curves if one.kind == "land"], [line for one, line in curves if one.kind == "lake"],
        [(one.owner if one.owner in laid.paint else "", line) for one, line in curves if one.kind == "region"],
        laid.all_ways, laid.frame.window, _reach(laid))


def _reach(laid: Layout) -> float:
    """How far land reaches about places, the same land in a close-up as on the whole map."""
    whole = framed(replace(laid.scene, focus=()))
    return realms.reach_of(whole.window, len(laid.ends)) * laid.frame.k / whole.k


def _word(text: str, line: Sequence[Point], window: Box) -> dict[str, Any] | None:
    """The name of a sea or a land, along its line."""
    if len(line) < 2:
        return None
    length = sum(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in pairwise(line))
    size = max(11.0, min(30.0, length / max(width(text, 1, "italic") + 0.2 * len(text), 1)))
    points = line if line[0][0] <= line[-1][0] else line[::-1]
    return {"text": shortened(text, length, 11, "italic"), "d": path(realms.smooth(points, False)), "size": size}


def _peaks(line: Sequence[Point], laid: Layout) -> list[Point]:
    """Hills along a line or about an outline, where no sign stands."""
    return [(x, y) for x, y in dense(line, 26)[::1] if laid.frame.window.has(x, y)
            and not any(spot.box.grown(12).has(x, y) for spot in laid.spots)]


def _codes(board: tiles.Board, taken: Grid) -> list[tuple[str, float, float]]:
    """The codes of cells that nothing covers."""
    high = max(y for _, y in board.corners)
    if high * 2 < tiles.CODE_FROM:
        return []
    return [(clean(cell.code), cell.x, cell.y - high + 9.5) for cell in board.cells
            if taken.free(Box(cell.x - 9, cell.y - high + 3, cell.x + 9, cell.y - high + 10))]


def _used(laid: Layout, found: Sequence[cartouche.Row], ground: Mapping[str, Any]) -> dict[str, Any]:
    """The drawings of which the picture makes use, for only they are declared in it; and how terrains look."""
    known = tuple(laid.scene.terrains or {})
    board = ground["board"]
    wet = any(one.kind in ("land", "sea") for one in laid.scene.grounds)
    wet = wet or any(spot.place.sea for spot in laid.spots) or any(way.style in ("lane", "coast") for way in laid.ways)
    return {"used": {f"{row.kind}-{row.key}" for row in found}, "wet": wet,
            "glyphs": sorted({spot.place.glyph for spot in laid.spots if spot.half_width}),
            "strewings": sorted({cell.drawing for cell in board.cells if cell.drawing}) if board else [],
            "terrain_of": lambda code: terrain(code, known)}


def sign_ink(sign: Sign, colours: Mapping[str, str]) -> str:
    """The colour of a large sign on its ground: its owner's, darker."""
    return mixed(colours.get(sign.owner, NO_COLOUR), "#000000", 0.62)
