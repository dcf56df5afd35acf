"""The map: nodes and the links between them, hexes, squares, and the best way over any board."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from assistant.campaign.columns import SQUARE
from assistant.campaign.records import Node, Road
from assistant.campaign.tables import in_natural_order, natural

# Paths over any board.


Cost = Callable[[str, str], float | None]
"""What one step from a place to the next costs, None where it is barred."""


def cheapest_path(start: str, goals: Iterable[str], neighbours: Callable[[str], Iterable[str]], cost: Cost
             ) -> tuple[str, ...]:
    """The cheapest way from start to the best of the goals, start left out; () for none.

    Least cost, then fewest places, then the smallest list of codes; so it is one and the same on every computer.
    """
    wanted = set(goals)
    queue: list[tuple[float, int, tuple[str, ...], str]] = [(0, 0, (), start)]
    done: set[str] = set()
    while queue:
        spent, count, path, here = heapq.heappop(queue)
        if here in done:
            continue
        done.add(here)
        if here in wanted and path:
            return path
        for there in neighbours(here):
            price = None if there in done else cost(here, there)
            if price is not None:
                heapq.heappush(queue, (spent + price, count + 1, (*path, there), there))
    return ()


def shortest_distances(start: str, neighbours: Callable[[str], Iterable[str]], cost: Cost) -> dict[str, float]:
    """What the cheapest way costs from start to every place that can be reached."""
    far: dict[str, float] = {}
    waiting: list[tuple[float, str]] = [(0, start)]
    while waiting:
        reached, here = heapq.heappop(waiting)
        if here in far:
            continue
        far[here] = reached
        for there in neighbours(here):
            if there not in far and (price := cost(here, there)) is not None:
                heapq.heappush(waiting, (reached + price, there))
    return far


def affordable_path(start: str, path: Iterable[str], points: float, cost: Cost) -> list[str]:
    """The part of a way that so many points pay for, from start on; it ends before a step that is barred."""
    stops, here = [], start
    for there in path:
        price = cost(here, there)
        if price is None or price > points:
            break
        points -= price
        stops.append(there)
        here = there
    return stops


# The board as a graph of nodes and links; boards of hexes or squares may use it in addition.
#
# A link is one row of Roads in one direction. It has the `kind` of its row, so that one map holds roads, sea lanes,
# beaches and rivers, also several between the same two nodes; queries name the kinds that they are about. Neighbours
# are kept in plain dictionaries.


Step = Callable[[str, str], float | None]


class DirectedLink(NamedTuple):
    """A link as it leads from one node to the next. `road`: its row, to be read: who changes it asks the table for it;
    `along`: from the row's a to its b, as its river flows.
    """

    start: str
    end: str
    road: Road
    along: bool


Price = Callable[[DirectedLink], float | None]
"""What it costs to go over a link in its direction, None where it is barred."""


class Map:
    """Nodes and the links between them; a link leads both ways unless its row is `one_way`."""

    def __init__(self, nodes: Iterable[str], roads: Iterable[Road]) -> None:
        self._ways: dict[str, dict[str, list[DirectedLink]]] = {node: {} for node in nodes}
        for road in roads:
            if road.a in self._ways and road.b in self._ways:
                self._ways[road.a].setdefault(road.b, []).append(DirectedLink(road.a, road.b, road, along=True))
                if not road.one_way:
                    self._ways[road.b].setdefault(road.a, []).append(DirectedLink(road.b, road.a, road, along=False))
        self._near: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        self._far: dict[tuple[str, tuple[str, ...]], dict[str, float]] = {}

    def __contains__(self, node: object) -> bool:
        return node in self._ways

    def neighbours(self, node: str, *kinds: str) -> list[str]:
        """Nodes to which a link of one of the kinds leads from this one (any kind if none is named).

        In natural order; empty for a node that is not on the map.
        """
        asked = (node, kinds)
        if asked not in self._near:
            self._near[asked] = in_natural_order(
                other for other, there in self._ways.get(node, {}).items()
                if not kinds or any(link.road.kind in kinds for link in there))
        return list(self._near[asked])

    def has_link(self, a: str, b: str, *kinds: str) -> bool:
        """Whether a link of one of the kinds leads from a to b."""
        return b in self.neighbours(a, *kinds)

    def between(self, a: str, b: str, *kinds: str) -> list[str]:
        """Nodes to which links lead from both, in natural order."""
        beyond = set(self.neighbours(b, *kinds))
        return [node for node in self.neighbours(a, *kinds) if node in beyond]

    def links(self, a: str, b: str, *kinds: str) -> list[DirectedLink]:
        """All links of the kinds that lead from a to b, by their rows' keys in natural order."""
        ways = self._ways.get(a, {}).get(b, ())
        return sorted((link for link in ways if not kinds or link.road.kind in kinds),
                      key=lambda link: (natural(link.road.ident), natural(link.road.kind)))

    def leaving(self, node: str, *kinds: str) -> list[DirectedLink]:
        """All links of the kinds that lead away from a node, by where they lead."""
        return [link for other in self.neighbours(node, *kinds) for link in self.links(node, other, *kinds)]

    def along(self, node: str, *kinds: str) -> list[str]:
        """Nodes that lie along links of the kinds: downstream, where rivers flow from a to b."""
        return list(dict.fromkeys(link.end for link in self.leaving(node, *kinds) if link.along))

    def against(self, node: str, *kinds: str) -> list[str]:
        """Nodes that lie against links of the kinds, upstream, and to which they lead."""
        return list(dict.fromkeys(link.end for link in self.leaving(node, *kinds) if not link.along))

    def way(self, start: str, goals: Iterable[str], price: Price | None = None, *kinds: str) -> tuple[str, ...]:
        """The cheapest way over links of the kinds from start to the best of the goals, start left out; () for none.

        Least cost, then fewest nodes, then the smallest list of codes. `price`: of one link, of which the cheapest
        counts between two nodes; without it each counts 1.
        """
        def cost(a: str, b: str) -> float | None:
            prices = [price(link) if price is not None else 1 for link in self.links(a, b, *kinds)]
            return min((price for price in prices if price is not None), default=None)

        return cheapest_path(start, goals, lambda node: self.neighbours(node, *kinds), cost)

    def distances(self, start: str, *kinds: str, cost: Step | None = None) -> dict[str, float]:
        """Shortest way from start to every node that can be reached.

        `cost(a, b)`: of one step, None where it is barred; without it each step counts 1.
        """
        if cost is None:
            return dict(self._steps(start, kinds))
        return shortest_distances(start, lambda node: self.neighbours(node, *kinds), cost)

    def _steps(self, start: str, kinds: tuple[str, ...]) -> dict[str, float]:
        """How many steps it is to every node that can be reached."""
        asked = (start, kinds)
        if asked not in self._far:
            far: dict[str, float] = {start: 0}
            last = [start]
            while last:
                last = [there for here in last for there in self.neighbours(here, *kinds)
                        if there not in far and far.setdefault(there, far[here] + 1)]
            self._far[asked] = far
        return self._far[asked]


def bad_links(roads: Iterable[Road]) -> list[tuple[Road, str]]:
    """What is wrong with rows of Roads, for the ruleset's own finding: ``loop``, a link from a node to itself;
    ``double``, one that leads where an earlier row of its kind leads already.
    """
    links: list[tuple[Road, str]] = []
    seen: set[tuple[str, str, str]] = set()
    for road in roads:
        both = [(road.a, road.b, road.kind)] + ([] if road.one_way else [(road.b, road.a, road.kind)])
        if road.a == road.b:
            links.append((road, "loop"))
        elif not seen.isdisjoint(both):
            links.append((road, "double"))
        seen.update(both)
    return links


# Hexes: codes CCRR, column 01 west, row 01 north, even columns half a hex south.
#
# Six directions, N first, clockwise. A hex has a set of terrains, and entering it costs what the dearest of them costs;
# along a road the edge has a price of its own.


DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions of hexes whose flat sides lie north and south, clockwise."""
# even columns lie half a hex further south: from there the diagonals lead to other rows than from an odd one
_ODD = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 0), "NW": (-1, -1)}
_EVEN = {"N": (0, -1), "NE": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
_CODE = re.compile(r"(\d{2})(\d{2})")

WholeCost = Callable[[str, str], int | None]


def is_hex(code: str) -> bool:
    """Whether a text has the form of a hex code."""
    return _CODE.fullmatch(code) is not None


@lru_cache(maxsize=10_000)  # every code there can be: a board is read many times a phase
def column_row(code: str) -> tuple[int, int]:
    """``0605`` -> (6, 5). Raises ValueError for what is no hex code."""
    match = _CODE.fullmatch(code)
    if match is None:
        raise ValueError(f"{code!r} is no hex code such as 0605")
    return int(match[1]), int(match[2])


def code_of(column: int, row: int) -> str:
    """(6, 5) -> ``0605``."""
    return f"{column:02}{row:02}"


def step(code: str, direction: str) -> str:
    """The hex next door in a direction, on the map or not; "" where the code would leave 00 to 99."""
    column, row = column_row(code)
    dc, dr = (_ODD if column % 2 else _EVEN)[direction]
    return code_of(column + dc, row + dr) if 0 <= column + dc <= 99 and 0 <= row + dr <= 99 else ""


@lru_cache(maxsize=10_000)
def _adjacent_codes(code: str) -> tuple[str, ...]:
    return tuple(there for d in DIRECTIONS if (there := step(code, d)))


def adjacent_codes(code: str) -> list[str]:
    """The six hexes next door, N first and clockwise, on the map or not."""
    return list(_adjacent_codes(code))


def direction(start: str, end: str) -> str:
    """The direction in which a hex next door lies, "" where the two do not touch."""
    return next((d for d in DIRECTIONS if step(start, d) == end), "")


def turn_direction(towards: str, steps: int) -> str:
    """A direction turned by so many sixths of a circle, clockwise above 0: ``turn_direction("N", 1)`` is NE."""
    return DIRECTIONS[(DIRECTIONS.index(towards) + steps) % 6]


def opposite(towards: str) -> str:
    """The direction straight back."""
    return turn_direction(towards, 3)


def distance(a: str, b: str) -> int:
    """How many hexes apart; neighbours are 1 apart."""
    first, second = _cube(a), _cube(b)
    return max(abs(m - n) for m, n in zip(first, second, strict=True))


def _cube(code: str) -> tuple[int, int, int]:
    column, row = column_row(code)
    x = column - 1
    z = (row - 1) - (x - x % 2) // 2
    return x, -x - z, z


class HexMap:
    """The hexes of one map: their terrains, the edges with a road, the size of the board.

    `terrains`: code -> terrains, of the hexes that are listed; `edges`: pairs of hexes joined by a road,
    bridge or ford, with its kind, in both directions; `first`, `last`: corners of the board (``0101``,
    ``2416``). A hex of the board that is not listed has the terrains `plain`.
    """

    def __init__(self, terrains: Mapping[str, Sequence[str]], edges: Iterable[tuple[str, str, str]],
                 first: str = "", last: str = "", plain: Sequence[str] = ("open",)) -> None:
        self._terrains = dict(terrains)
        self._plain = tuple(plain)
        self._kinds: dict[tuple[str, str], str] = {}
        for a, b, kind in edges:
            self._kinds[a, b] = self._kinds[b, a] = kind
        listed = [column_row(code) for code in self._terrains if is_hex(code)]
        corners = [column_row(code) for code in (first, last) if code]
        columns, rows = [c for c, _ in listed + corners], [r for _, r in listed + corners]
        self._columns = (min(columns, default=1), max(columns, default=0))
        self._rows = (min(rows, default=1), max(rows, default=0))
        self._whole = bool(corners)
        self._near: dict[str, list[str]] = {}
        self._on_board: dict[str, bool] = {}

    def __contains__(self, code: object) -> bool:
        if not isinstance(code, str):
            return False
        if code not in self._on_board:
            self._on_board[code] = self._has(code)
        return self._on_board[code]

    def _has(self, code: str) -> bool:
        if not is_hex(code):
            return False
        if not self._whole:
            return code in self._terrains
        column, row = column_row(code)
        return self._columns[0] <= column <= self._columns[1] and self._rows[0] <= row <= self._rows[1]

    def codes(self) -> list[str]:
        """All hexes of the board, in rising code."""
        if not self._whole:
            return sorted(code for code in self._terrains if is_hex(code))
        return [code_of(c, r) for c in range(self._columns[0], self._columns[1] + 1)
                for r in range(self._rows[0], self._rows[1] + 1)]

    def terrains(self, code: str) -> tuple[str, ...]:
        """The terrains of a hex."""
        return tuple(self._terrains.get(code, self._plain)) or self._plain

    def road(self, a: str, b: str) -> str:
        """The kind of the road, bridge or ford between two hexes, "" where there is none."""
        return self._kinds.get((a, b), "")

    def neighbours(self, code: str) -> list[str]:
        """The hexes of the board next door, N first and clockwise."""
        if code not in self._near:
            self._near[code] = [there for there in adjacent_codes(code) if there in self]
        return list(self._near[code])

    def worst(self, code: str, price: Mapping[str, int]) -> int:
        """What the dearest terrain of a hex costs; a terrain without a price costs nothing extra (1)."""
        return max((price.get(terrain, 1) for terrain in self.terrains(code)), default=1)

    def way(self, start: str, goals: Iterable[str], cost: WholeCost) -> tuple[str, ...]:
        """The cheapest way from start to the best of the goals, start left out; () for none.

        Least cost, then fewest hexes, then the smallest list of hex codes. `cost(a, b)`: of one step,
        None where it is barred.
        """
        return cheapest_path(start, goals, self.neighbours, cost)

    def price(self, start: str, path: Iterable[str], cost: WholeCost) -> int:
        """What a path costs from start on; a barred step counts nothing."""
        spent, here = 0, start
        for there in path:
            spent += cost(here, there) or 0
            here = there
        return spent


def nearest(start: str, places: Iterable[tuple[str, str]]) -> str:
    """The id of the nearest of some (id, hex) pairs, by hexes, then by id in natural order; "" for none."""
    known = [(distance(start, there), natural(ident), ident) for ident, there in places if is_hex(there)]
    return min(known)[2] if known else ""


# Squares: codes such as ``C07``, column C from the west, row 07 from the north; gaps are allowed.
#
# Eight directions, N first, clockwise. Places are told apart by column and row alone, so a square may also have a code
# of its own with x and y beside it. What touches what, and what a step over a corner may do, is declared once (`Steps`)
# and the same for all.


SQUARE_DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
SQUARE_OFFSETS: Mapping[str, tuple[int, int]] = dict(zip(
    SQUARE_DIRECTIONS, ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)), strict=True))
"""How far a step in a direction goes to the east and to the south."""
COLUMNS, ROWS = 26, 99

Passable = Callable[[str], bool]


class Steps(NamedTuple):
    """Which squares touch, and what a step over a corner may do.

    `corners`: whether squares touch at their corners; `dearer`: what a step over a corner costs more than a straight
    one; `pinched`: what it costs more besides where neither of the two squares beside it can be passed, None where it
    is barred then.
    """

    corners: bool = True
    dearer: int = 0
    pinched: int | None = None


def is_square(code: str) -> bool:
    """Whether a text is the code of a square in its canonical form."""
    match = SQUARE.fullmatch(code)
    return match is not None and code == square_code(*_coordinates(match[1], match[2]))


def _coordinates(letter: str, digits: str) -> tuple[int, int]:
    return ord(letter.upper()) - ord("A") + 1, int(digits)


def square_column_row(code: str) -> tuple[int, int]:
    """``C07`` -> (3, 7). Raises ValueError for what is no code of a square."""
    match = SQUARE.fullmatch(code)
    if match is None:
        raise ValueError(f"{code!r} is no square such as C07")
    return _coordinates(match[1], match[2])


def square_code(column: int, row: int) -> str:
    """(3, 7) -> ``C07``; "" where the code would leave A to Z or 01 to 99."""
    return f"{chr(ord('A') + column - 1)}{row:02}" if 1 <= column <= COLUMNS and 1 <= row <= ROWS else ""


def position_of(node: Node) -> tuple[int, int] | None:
    """Where a row of Nodes lies: its x and y, or where these are blank what its code says; None for nowhere."""
    if node.x > 0 and node.y > 0:
        return node.x, node.y
    return square_column_row(node.node) if is_square(node.node) else None


def misplaced_nodes(nodes: Iterable[Node]) -> list[tuple[Node, str]]:
    """What is wrong with a board, for the ruleset's own finding: rows that lie nowhere, each with "", and rows that
    lie where an earlier one in natural order does, with its code.
    """
    faults: list[tuple[Node, str]] = []
    first: dict[tuple[int, int], str] = {}
    for node in sorted(nodes, key=lambda row: natural(row.node)):
        place = position_of(node)
        if place is None:
            faults.append((node, ""))
        elif first.setdefault(place, node.node) != node.node:
            faults.append((node, first[place]))
    return faults


class SquareMap:
    """The squares of one board and the links between them (`links`: roads, rivers, by kind and direction).

    `places`: code -> column and row, from 1, west to east and north to south.
    """

    def __init__(self, places: Mapping[str, tuple[int, int]], links: Map, steps: Steps | None = None) -> None:
        self.links, self.steps = links, steps or Steps()
        self._places = dict(places)
        self._codes = {place: code for code, place in self._places.items()}
        self._near: dict[str, list[str]] = {}

    @classmethod
    def of(cls, nodes: Iterable[Node], roads: Iterable[Road] = (), steps: Steps | None = None) -> SquareMap:
        """The board of a campaign's sheets; rows that lie nowhere are left out (see `misplaced_nodes`)."""
        nodes = list(nodes)
        links = Map((node.node for node in nodes), roads)
        return cls({node.node: place for node in nodes if (place := position_of(node)) is not None}, links, steps)

    def __contains__(self, code: object) -> bool:
        return code in self._places

    def codes(self) -> list[str]:
        """All squares of the board, in natural order."""
        return in_natural_order(self._places)

    def at(self, code: str) -> tuple[int, int]:
        """Column and row of a square. Raises KeyError for one that is not on the board."""
        return self._places[code]

    def code(self, column: int, row: int) -> str:
        """The square of the board in a column and row, "" for none."""
        return self._codes.get((column, row), "")

    def step(self, code: str, direction: str) -> str:
        """The square next door in a direction, corners or not; "" where the board ends."""
        column, row = self._places[code]
        east, south = SQUARE_OFFSETS[direction]
        return self.code(column + east, row + south)

    def direction(self, start: str, end: str) -> str:
        """The direction in which a square next door lies, "" where the two do not touch."""
        return next((d for d in self._directions() if self.step(start, d) == end), "")

    def _directions(self) -> tuple[str, ...]:
        return SQUARE_DIRECTIONS if self.steps.corners else SQUARE_DIRECTIONS[::2]

    def neighbours(self, code: str) -> list[str]:
        """The squares that touch this one, in natural order."""
        if code not in self._near:
            self._near[code] = in_natural_order(
                there for d in self._directions() if (there := self.step(code, d)))
        return self._near[code]

    def corners(self, start: str, end: str) -> list[str]:
        """The squares of the board on both sides of a step over a corner; none of any other step."""
        (a, b), (c, d) = self._places[start], self._places[end]
        if abs(a - c) != 1 or abs(b - d) != 1:
            return []
        return [code for code in (self.code(c, b), self.code(a, d)) if code]

    def distance(self, a: str, b: str) -> int:
        """How many squares apart, whatever lies between; neighbours are 1 apart."""
        (column, row), (other, line) = self._places[a], self._places[b]
        east, south = abs(column - other), abs(row - line)
        return max(east, south) if self.steps.corners else east + south

    def within(self, code: str, most: int) -> list[str]:
        """The squares at most so far away, this one among them, in natural order."""
        column, row = self._places[code]
        around = (self.code(column + east, row + south)
                  for east in range(-most, most + 1) for south in range(-most, most + 1))
        return in_natural_order(there for there in around if there and self.distance(code, there) <= most)

    def extra(self, start: str, end: str, passable: Passable | None = None) -> int | None:
        """What the step to a neighbour costs beside what is entered; None where it is barred, or they do not touch.

        `passable`: which squares can be passed by whoever goes there; without it no corner is in the way.
        """
        towards = self.direction(start, end)
        if len(towards) < 2:
            return 0 if towards else None
        beside = self.corners(start, end) if passable is not None else []
        if passable is None or not beside or any(map(passable, beside)):
            return self.steps.dearer
        return None if self.steps.pinched is None else self.steps.dearer + self.steps.pinched

    def way(
        self, start: str, goals: Iterable[str], cost: WholeCost, passable: Passable | None = None
    ) -> tuple[str, ...]:
        """The cheapest way from start to the best of the goals, start left out; () for none.

        Least cost, then fewest squares, then the smallest list of codes. `cost(a, b)`: of one step before what its
        corner costs, None where it is barred; `passable`: as for `extra`.
        """
        return cheapest_path(start, goals, self.neighbours, self._whole(cost, passable))

    def price(self, start: str, path: Iterable[str], cost: WholeCost, passable: Passable | None = None) -> int | None:
        """What a path costs from start on, None where one of its steps is barred."""
        spent, here, whole = 0, start, self._whole(cost, passable)
        for there in path:
            price = whole(here, there)
            if price is None:
                return None
            spent, here = spent + price, there
        return spent

    def _whole(self, cost: WholeCost, passable: Passable | None) -> WholeCost:
        def price(start: str, end: str) -> int | None:
            own = cost(start, end)
            extra = None if own is None else self.extra(start, end, passable)
            return None if own is None or extra is None else own + extra

        return price

    def nearest(self, start: str, places: Iterable[tuple[str, str]]) -> str:
        """The id of the nearest of some (id, square) pairs, by squares, then by id in natural order; "" for none."""
        known = [(self.distance(start, there), natural(ident), ident) for ident, there in places if there in self]
        return min(known)[2] if known else ""
