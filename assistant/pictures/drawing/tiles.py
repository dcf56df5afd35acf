"""Hexes or squares on their picture in; their outlines, what covers them, and the borders between owners, out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.pictures.drawing.box import Box, Dots, Grid, Point, around
from assistant.pictures.drawing.courses import path
from assistant.pictures.drawing.frame import Spot
from assistant.pictures.drawing.owners_signs import Sign
from assistant.pictures.drawing.theme import CELL_TINT, LAND, terrain, tint
from assistant.pictures.drawing.typeface import width

SIGN = 20.0
"""The size of an owner's sign, where a cell is 60 pixels wide."""
CODE_FROM = 34.0
"""Cells that are narrower, in pixels, show no codes."""


@dataclass(frozen=True)
class Cell:
    """One cell. `drawing`: what is strewn over it; `faint`: a sign stands there, too; `seen` as in the scene."""

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
    """What one owner holds: all its cells, and the sides at which they end, as data of paths."""

    owner: str
    area: str
    sides: str


@dataclass(frozen=True)
class Board:
    """All cells. `outline`: of a cell about 0, 0, as the data of a path; `scale`: of what is strewn over them."""

    cells: tuple[Cell, ...]
    corners: tuple[Point, ...]
    outline: str
    borders: tuple[Border, ...]
    scale: float


def board(spots: Sequence[Spot], step: float, form: str, terrains: Mapping[str, str]) -> Board:
    """The cells of a scene: one at each point where places stand; the first that says what covers it counts."""
    together: dict[tuple[int, int], list[Spot]] = defaultdict(list)
    for spot in spots:
        together[_key(spot.place.x, spot.place.y)].append(spot)
    known = tuple(terrains)
    cells = []
    for here in together.values():
        base = next((spot for spot in here if spot.place.terrain), here[0])
        words = base.place.terrain
        fill, drawing = terrain(words[0], known) if words else (LAND, "")
        drawing = drawing or next((found for word in words[1:] if (found := terrain(word, known)[1])), "")
        owner = next((spot.place.owner for spot in here if spot.place.owner), "")
        x = sum(spot.x for spot in here) / len(here) if len(here) > 1 else base.x
        cells.append(Cell(base.place.code, base.x if not base.half_width else x, base.y, fill, drawing, owner,
                          base.place.seen, any(spot.half_width for spot in here)))
    corners = _corners(cells, step, form)
    return Board(tuple(cells), corners, path(corners, closed=True), tuple(_borders(cells, corners)), step / 60)


def _key(x: float, y: float) -> tuple[int, int]:
    return round(x * 1000), round(y * 1000)


def _corners(cells: Sequence[Cell], step: float, form: str) -> tuple[Point, ...]:
    """The corners of a cell about 0, 0."""
    if form == "squares":
        half = step / 2
        return (-half, -half), (half, -half), (half, half), (-half, half)
    radius = step / math.sqrt(3)
    first = 0 if _flat(cells, step) else 30
    return tuple((radius * math.cos(math.radians(first + 60 * n)), radius * math.sin(math.radians(first + 60 * n)))
                 for n in range(6))


def _flat(cells: Sequence[Cell], step: float) -> bool:
    """Whether hexes touch those above and below them with a side, or those beside them."""
    above = {(round(cell.x), round(cell.y + step)) for cell in cells}
    beside = {(round(cell.x + step), round(cell.y)) for cell in cells}
    here = {(round(cell.x + dx), round(cell.y + dy)) for cell in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return len(above & here) >= len(beside & here)


def _sides(cell: Cell, corners: Sequence[Point]) -> Iterator[tuple[tuple[int, int], Point, Point]]:
    """The sides of a cell, each with a key that the neighbour's has, too."""
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        a, b = (cell.x + ax, cell.y + ay), (cell.x + bx, cell.y + by)
        yield (round((a[0] + b[0]) / 4), round((a[1] + b[1]) / 4)), a, b


def _borders(cells: Sequence[Cell], corners: Sequence[Point]) -> Iterator[Border]:
    """Each owner's cells with the sides behind which another owner's, or nobody's, lie."""
    shared = shared_sides(cells, corners)
    areas: dict[str, list[str]] = defaultdict(list)
    ends: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        if not cell.owner or cell.seen == "never":
            continue
        areas[cell.owner].append(path([(cell.x + x, cell.y + y) for x, y in corners], closed=True))
        for key, a, b in _sides(cell, corners):
            if any(other.owner != cell.owner or other.seen == "never" for other in shared[key]) or len(shared[key]) < 2:
                ends[cell.owner].append(path([a, b]))
    for owner, found in areas.items():
        yield Border(owner, "".join(found), "".join(ends[owner]))


def shared_sides(cells: Sequence[Cell], corners: Sequence[Point]) -> Mapping[tuple[int, int], list[Cell]]:
    """Side -> the cells to which it belongs. Sides whose middles fell beside one another's rounding are one."""
    found: dict[tuple[int, int], list[Cell]] = {}
    for cell in cells:
        for key, _, _ in _sides(cell, corners):
            near = next((around_ for dx in (0, -1, 1) for dy in (0, -1, 1)
                         if (around_ := (key[0] + dx, key[1] + dy)) in found), None)
            sharers = found[near] if near else []
            sharers.append(cell)
            found[key] = sharers
    return found


def tinted(cell: Cell, colours: Mapping[str, str]) -> str:
    """The colour of a cell: that of its ground with some of its owner's."""
    colour = colours.get(cell.owner, "")
    return tint(colour, cell.fill, CELL_TINT) if colour and cell.seen != "never" else cell.fill


def cell_signs(cells: Sequence[Cell], corners: Sequence[Point], texts: Mapping[str, str], taken: Grid,
               lines: Dots, window: Box) -> list[Sign]:
    """One sign in each coherent group of an owner's cells, in the free cell that is nearest to its middle;
    rather where nothing is strewn and no `lines` run.
    """
    shared = shared_sides(cells, corners)
    frame, found = window.grown(-6), []
    size = SIGN * max(abs(x) for x, _ in corners) / 34
    for group in _groups(cells, corners, shared):
        text = texts.get(group[0].owner, "")
        if not text:
            continue
        middle = sum(cell.x for cell in group) / len(group), sum(cell.y for cell in group) / len(group)
        half = width(text, size, "bold") / 2
        boxes = [(around(cell.x, cell.y + size * 0.15, half, size * 0.38), cell) for cell in
                 sorted(group, key=lambda cell: (cell.x - middle[0]) ** 2 + (cell.y - middle[1]) ** 2)]
        free = [(n * 0.1 + lines.cost(box) * 4 + (2 if cell.drawing else 0), box)
                for n, (box, cell) in enumerate(boxes) if frame.holds(box) and taken.free(box)]
        if free:
            box = min(free)[1]
            found.append(Sign(group[0].owner, text, *box.middle, size))
            taken.put(box)
    return found


def _groups(cells: Iterable[Cell], corners: Sequence[Point],
            shared: Mapping[tuple[int, int], list[Cell]]) -> Iterator[list[Cell]]:
    """Cells of one owner that touch one another."""
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
