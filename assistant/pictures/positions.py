"""Where places lie on the picture: rows of Nodes and Roads in; points out, stored ones, those of codes, or a layout.

A layout is a stress descent (Kamada and Kawai's energy, lowered pair by pair as Zheng, Pawar and Goodman do it): places
come to lie as far apart as the shortest march between them is long. It is seeded, so the same roads give the same map.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from assistant.campaign.hexmap import column_row
from assistant.campaign.order import in_natural_order
from assistant.campaign.records import Node, Road
from assistant.campaign.squaremap import spot
from assistant.turn.looks import Form

Point = tuple[float, float]
HEX = 40.0
"""From the middle of a hex to its corner, in drawing units."""
SQUARE = 70.0
DAY = 100.0
"""How long a day's march is in a layout, in drawing units."""
MARGIN = 60
ROUNDS, BIG = 40, 400
"""So many rounds of descent; of maps with more places fewer pairs are looked at (`_pairs`)."""
NEAREST = 40
SEED = 1


def positions(form: Form, nodes: Sequence[Node], roads: Iterable[Road], days: Callable[[Road], float]
              ) -> Mapping[str, Point]:
    """A point for each place that lies somewhere. `days`: how long a road is; only read where nothing says where places
    lie.
    """
    if form == "hexes":
        return {node.node: of_hex(node.node) for node in nodes}
    if form == "squares":
        return {node.node: (SQUARE * place[0], SQUARE * place[1]) for node in nodes if (place := spot(node))}
    if has_positions(nodes):
        return {node.node: (float(node.x), float(node.y)) for node in nodes}
    return laid_out([node.node for node in nodes], roads, days)


def has_positions(nodes: Iterable[Node]) -> bool:
    """Whether somebody has said where places lie: two of them at least lie apart."""
    return len({(node.x, node.y) for node in nodes}) > 1


def of_hex(code: str) -> Point:
    """The middle of a hex: columns 1.5 corners apart, even ones half a hex south. Raises ValueError."""
    column, row = column_row(code)
    high = HEX * math.sqrt(3)
    return round(1.5 * HEX * column, 2), round(high * (row + (0.5 if column % 2 == 0 else 0)), 2)


def laid_out(codes: Iterable[str], roads: Iterable[Road], days: Callable[[Road], float]) -> dict[str, Point]:
    """Points for places of which only the roads are known, whole numbers; parts that no road joins lie side by side."""
    codes = in_natural_order(codes)
    near: dict[str, dict[str, float]] = {code: {} for code in codes}
    for road in roads:
        if road.a in near and road.b in near and road.a != road.b:
            long = max(days(road), 0.25)
            for a, b in ((road.a, road.b), (road.b, road.a)):
                near[a][b] = min(long, near[a].get(b, math.inf))
    found: dict[str, Point] = {}
    east = 0.0
    for part in _parts(codes, near):
        points = _turned(_descended(_distances(part, near)))
        left, top = (min(p[axis] for p in points) for axis in (0, 1))
        for code, (x, y) in zip(part, points, strict=True):
            found[code] = float(round(MARGIN + east + (x - left) * DAY)), float(round(MARGIN + (y - top) * DAY))
        east = max(found[code][0] for code in part) + DAY - MARGIN
    return found


def _parts(codes: Sequence[str], near: Mapping[str, Mapping[str, float]]) -> list[list[str]]:
    """The places that roads join with one another, the greatest part first."""
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
            parts.append([one for one in codes if one in reached])
    return sorted(parts, key=lambda part: -len(part))


def _distances(part: Sequence[str], near: Mapping[str, Mapping[str, float]]) -> list[list[float]]:
    """The shortest march from each place of a part to each other."""
    place = {code: n for n, code in enumerate(part)}
    found = []
    for start in range(len(part)):
        far = [math.inf] * len(part)
        far[start] = 0
        queue = [(0.0, start)]
        while queue:
            spent, here = heapq.heappop(queue)
            if spent > far[here]:
                continue
            for code, long in near[part[here]].items():
                there = place[code]
                if spent + long < far[there]:
                    far[there] = spent + long
                    heapq.heappush(queue, (far[there], there))
        found.append(far)
    return found


def _descended(far: Sequence[Sequence[float]]) -> list[list[float]]:
    """Points as far apart as they should be, as near as a plane allows it."""
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
            have = math.hypot(x - u, y - v) or 1e-9
            step = min(1.0, heat / (want * want)) * (have - want) / 2 / have
            points[i][0] -= step * (x - u)
            points[i][1] -= step * (y - v)
            points[j][0] += step * (x - u)
            points[j][1] += step * (y - v)
    return points


def _pairs(far: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs whose distance counts: all, or of a large map the nearest of each place and a few far ones."""
    many = range(len(far))
    if len(far) <= BIG:
        return [(i, j) for i in many for j in range(i)]
    chance = random.Random(SEED)
    found: set[tuple[int, int]] = set()
    for i in many:
        nearest = heapq.nsmallest(NEAREST, (j for j in many if j != i), key=far[i].__getitem__)
        found |= {(max(i, j), min(i, j)) for j in (*nearest, *chance.sample(many, 10)) if j != i}
    return sorted(found)


def _turned(points: Sequence[Sequence[float]]) -> list[Point]:
    """The same points, wider than high, and the first to the west and the north of the others' middle."""
    n = len(points) or 1
    mx, my = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    xx, yy, xy = (sum((p[a] - m) * (p[b] - k) for p in points) for a, m, b, k in
                  ((0, mx, 0, mx), (1, my, 1, my), (0, mx, 1, my)))
    angle = 0.5 * math.atan2(2 * xy, xx - yy)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = [((p[0] - mx) * cos + (p[1] - my) * sin, (p[1] - my) * cos - (p[0] - mx) * sin) for p in points]
    east, south = (-1 if turned[0][axis] > 0 else 1 for axis in (0, 1))
    return [(x * east, y * south) for x, y in turned]
