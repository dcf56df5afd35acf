"""Rivers through hexes: the hexes of each river in; smooth lines out, from end to end, with their tributaries."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise

from assistant.campaign.hexmap import beside
from assistant.pictures.positions import HEX, Point, of_hex
from assistant.pictures.scene import Ground, Line

SMOOTH = 6
"""So many points a bend."""


def river_lines(rivers: Mapping[str, Sequence[str]], board: Container[str]) -> Iterable[Ground]:
    """The course of each river: its longest way, then each branch from where it leaves a course that is drawn. A river
    that ends beside another flows into it, one that ends at the edge of the board (its hexes) leaves it.
    """
    everywhere = {code: name for name, codes in rivers.items() for code in codes}
    for name, codes in rivers.items():
        left, first = set(codes), True
        while left:
            way = _longest(sorted(left))
            mouths = [next((there for there in beside(end) if there in everywhere and there not in left
                            and (not first or everywhere[there] != name)), "") for end in (way[0], way[-1])]
            if mouths[0] or mouths[1] or len(way) > 1:
                ends = [*([mouths[0]] if mouths[0] else []), *way, *([mouths[1]] if mouths[1] else [])]
                line = [of_hex(code) for code in ends]
                line = [*_off(ends[1::-1], board), *line, *_off(ends[-2:], board)]
                yield Ground("river", bent(line), name if first else "")
            left -= set(way)
            first = False


def _off(last: Sequence[str], board: Container[str]) -> list[Point]:
    """Where a river leaves the board behind its last hexes, if it flows off it."""
    points = [of_hex(code) for code in last]
    if len(points) < 2:
        return []
    (x, y), (u, v) = points
    ahead = 2 * u - x, 2 * v - y
    outside = [of_hex(code) for code in beside(last[-1]) if code not in board]
    return [((p[0] + u) / 2, (p[1] + v) / 2) for p in outside if math.dist(p, ahead) < HEX][:1]


def _longest(codes: Sequence[str]) -> list[str]:
    """The longest of the shortest ways through neighbouring hexes, from the smallest code's part of them."""
    there = set(codes)
    far = _reached(codes[0], there)
    return _reached(far[-1], there, goal=True)


def _reached(start: str, there: set[str], *, goal: bool = False) -> list[str]:
    """The hexes that can be reached, nearest first; with `goal` the way from the farthest back to the start."""
    came = {start: ""}
    todo = [start]
    order = [start]
    while todo:
        todo = [near for here in todo for near in beside(here)
                if near in there and near not in came and came.setdefault(near, here) == here]
        order += todo
    if not goal:
        return order
    way = [order[-1]]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return way


def bent(points: Sequence[Point]) -> Line:
    """A smooth line: through the middles between the points, each point pulling at its bend (quadratic curves)."""
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
