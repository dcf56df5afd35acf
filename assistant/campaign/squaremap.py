"""The board as squares: codes such as ``C07``, column C from the west, row 07 from the north; gaps are allowed.

Eight directions, N first, clockwise. Places are told apart by column and row alone, so a square may also have a code
of its own with x and y beside it. Which squares can be passed, and what it costs to enter them, is the ruleset's; what
touches what, and what a step over a corner may do, is declared once (`Steps`) and the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from assistant.campaign.columns import SQUARE
from assistant.campaign.map import Map, cheapest_path
from assistant.campaign.records import Node, Road
from assistant.campaign.tables import in_natural_order, natural

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
OFFSETS: Mapping[str, tuple[int, int]] = dict(zip(
    DIRECTIONS, ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)), strict=True))
"""How far a step in a direction goes to the east and to the south."""
COLUMNS, ROWS = 26, 99

Cost = Callable[[str, str], int | None]
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
    return match is not None and code == code_of(*_coordinates(match[1], match[2]))


def _coordinates(letter: str, digits: str) -> tuple[int, int]:
    return ord(letter.upper()) - ord("A") + 1, int(digits)


def column_row(code: str) -> tuple[int, int]:
    """``C07`` -> (3, 7). Raises ValueError for what is no code of a square."""
    match = SQUARE.fullmatch(code)
    if match is None:
        raise ValueError(f"{code!r} is no square such as C07")
    return _coordinates(match[1], match[2])


def code_of(column: int, row: int) -> str:
    """(3, 7) -> ``C07``; "" where the code would leave A to Z or 01 to 99."""
    return f"{chr(ord('A') + column - 1)}{row:02}" if 1 <= column <= COLUMNS and 1 <= row <= ROWS else ""


def turn_direction(towards: str, steps: int) -> str:
    """A direction turned by so many eighths of a circle, clockwise above 0: ``turn_direction("N", 1)`` is NE."""
    return DIRECTIONS[(DIRECTIONS.index(towards) + steps) % 8]


def opposite(towards: str) -> str:
    """The direction straight back."""
    return turn_direction(towards, 4)


def position_of(node: Node) -> tuple[int, int] | None:
    """Where a row of Nodes lies: its x and y, or where these are blank what its code says; None for nowhere."""
    if node.x > 0 and node.y > 0:
        return node.x, node.y
    return column_row(node.node) if is_square(node.node) else None


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
        east, south = OFFSETS[direction]
        return self.code(column + east, row + south)

    def direction(self, start: str, end: str) -> str:
        """The direction in which a square next door lies, "" where the two do not touch."""
        return next((d for d in self._directions() if self.step(start, d) == end), "")

    def _directions(self) -> tuple[str, ...]:
        return DIRECTIONS if self.steps.corners else DIRECTIONS[::2]

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

    def way(self, start: str, goals: Iterable[str], cost: Cost, passable: Passable | None = None) -> tuple[str, ...]:
        """The cheapest way from start to the best of the goals, start left out; () for none.

        Least cost, then fewest squares, then the smallest list of codes. `cost(a, b)`: of one step before what its
        corner costs, None where it is barred; `passable`: as for `extra`.
        """
        return cheapest_path(start, goals, self.neighbours, self._whole(cost, passable))

    def price(self, start: str, path: Iterable[str], cost: Cost, passable: Passable | None = None) -> int | None:
        """What a path costs from start on, None where one of its steps is barred."""
        spent, here, whole = 0, start, self._whole(cost, passable)
        for there in path:
            price = whole(here, there)
            if price is None:
                return None
            spent, here = spent + price, there
        return spent

    def _whole(self, cost: Cost, passable: Passable | None) -> Cost:
        def price(start: str, end: str) -> int | None:
            own = cost(start, end)
            extra = None if own is None else self.extra(start, end, passable)
            return None if own is None or extra is None else own + extra

        return price

    def nearest(self, start: str, places: Iterable[tuple[str, str]]) -> str:
        """The id of the nearest of some (id, square) pairs, by squares, then by id in natural order; "" for none."""
        known = [(self.distance(start, there), natural(ident), ident) for ident, there in places if there in self]
        return min(known)[2] if known else ""
