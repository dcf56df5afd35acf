"""A scene that is laid out in; what lies below everything on its picture out: land, realms, cells, rivers, signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from assistant.pictures.drawing import realms, tiles
from assistant.pictures.drawing.box import Box, Dots, Grid, Point
from assistant.pictures.drawing.courses import dense, path
from assistant.pictures.drawing.frame import drawable, framed
from assistant.pictures.drawing.laid import Layout
from assistant.pictures.drawing.owners_signs import ground_signs, tags
from assistant.pictures.drawing.typeface import clean, shortened, width


def ground(laid: Layout, taken: Grid, lines: Dots) -> tuple[dict[str, Any], str]:
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


