"""Boxes and points of a drawing in; which of them overlap, found by a grid, out. All in pixels, y downwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Its centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Box:
        """The same, larger on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: Box) -> bool:
        """Whether the other lies wholly inside."""
        return (self.left <= other.left and self.top <= other.top and other.right <= self.right
                and other.bottom <= self.bottom)

    def has(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether they overlap; to touch is not to overlap."""
        return (self.left < other.right and other.left < self.right and self.top < other.bottom
                and other.top < self.bottom)

    def shared(self, other: Box) -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


def around(x: float, y: float, half_width: float, half_height: float) -> Box:
    """A box about its centre."""
    return Box(x - half_width, y - half_height, x + half_width, y + half_height)


class Grid:
    """Boxes that have been taken, each with a weight, looked up by the squares of a grid."""

    def __init__(self, step: float = 48) -> None:
        self._step = step
        self._cells: dict[tuple[int, int], list[tuple[Box, float]]] = defaultdict(list)

    def put(self, box: Box, weight: float = 1) -> None:
        """Take a box."""
        one, step = (box, weight), self._step
        for across in range(int(box.left // step), int(box.right // step) + 1):
            for row in range(int(box.top // step), int(box.bottom // step) + 1):
                self._cells[across, row].append(one)

    def free(self, box: Box) -> bool:
        """Whether nothing that was taken overlaps a box."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for (one_left, one_top, one_right, one_bottom), _ in cells.get((across, row), ()):
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        return False
        return True

    def cost(self, box: Box) -> float:
        """The weights of all that overlaps a box, each once."""
        step, cells = self._step, self._cells
        left, top, right, bottom = box
        met: dict[int, float] = {}
        down = range(int(top // step), int(bottom // step) + 1)
        for across in range(int(left // step), int(right // step) + 1):
            for row in down:
                for one in cells.get((across, row), ()):
                    one_left, one_top, one_right, one_bottom = one[0]
                    if left < one_right and one_left < right and top < one_bottom and one_top < bottom:
                        met[id(one)] = one[1]
        return sum(met.values())


class Dots:
    """Points of lines, counted by the squares of a fine grid: how much of lines a box would cover."""

    def __init__(self, step: float = 8) -> None:
        self._step = step
        self._many: dict[int, dict[int, float]] = defaultdict(dict)

    def put(self, points: Iterable[Point], weight: float) -> None:
        """Take the points of a line, which lie closer together than the grid is wide."""
        step = self._step
        for across, row in {(int(x // step), int(y // step)) for x, y in points}:
            column = self._many[across]
            column[row] = column.get(row, 0.0) + weight

    def cost(self, box: Box) -> float:
        """The weights of the squares that a box covers."""
        step, many = self._step, self._many
        left, top, right, bottom = box
        down = range(int(top // step), int(bottom // step) + 1)
        return sum([column[row] for across in range(int(left // step), int(right // step) + 1)
                    if (column := many.get(across)) for row in down if row in column])
