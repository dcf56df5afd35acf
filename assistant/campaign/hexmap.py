"""The board as hexes: codes CCRR, column 01 west, row 01 north, even columns half a hex south.

Six directions, N first, clockwise. A hex has a set of terrains, and entering it costs what the dearest of
them costs; along a road the edge has a price of its own. Which terrains there are and what they cost is
the ruleset's; what is near what is the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from assistant.campaign.map import cheapest_path
from assistant.campaign.tables import natural

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six directions of hexes whose flat sides lie north and south, clockwise."""
# even columns lie half a hex further south: from there the diagonals lead to other rows than from an odd one
_ODD = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 0), "NW": (-1, -1)}
_EVEN = {"N": (0, -1), "NE": (1, 0), "SE": (1, 1), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
_CODE = re.compile(r"(\d{2})(\d{2})")

Cost = Callable[[str, str], int | None]


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

    def way(self, start: str, goals: Iterable[str], cost: Cost) -> tuple[str, ...]:
        """The cheapest way from start to the best of the goals, start left out; () for none.

        Least cost, then fewest hexes, then the smallest list of hex codes. `cost(a, b)`: of one step,
        None where it is barred.
        """
        return cheapest_path(start, goals, self.neighbours, cost)

    def price(self, start: str, path: Iterable[str], cost: Cost) -> int:
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
