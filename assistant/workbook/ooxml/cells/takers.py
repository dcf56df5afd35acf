"""Who reads a cell: areas with their readers in; the readers of a cell or an area out, each told once.

Small areas are found by their cells, the others by a tree of areas in which each knot covers all below it. A reader
that was told is taken out with its areas: telling the readers of many cells, one cell after the other, takes about
as long as there are areas and cells.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.workbook.ooxml.cells.areas import Area

_SMALL = 8
"""Cells of an area that is found by its cells."""
_BRANCHES = 12


class Takers:
    """The readers of areas of one sheet, by number."""

    def __init__(self, entries: Iterable[tuple[Area, int]]) -> None:
        self._cells: dict[tuple[int, int], list[int]] = {}
        self._told: set[int] = set()
        large: list[tuple[Area, int]] = []
        for area, reader in entries:
            if _size(area) > _SMALL:
                large.append((area, reader))
                continue
            for row in range(area.top, area.bottom + 1):
                for column in range(area.left, area.right + 1):
                    self._cells.setdefault((row, column), []).append(reader)
        self._top = _tree(large)

    def take(self, area: Area) -> list[int]:
        """The readers of any cell of an area that were not told before."""
        found: list[int] = []
        for place in self._places(area):
            found += self._cells.pop(place)
        if self._top is not None:
            self._top.take(area, found)
            if not self._top.below:
                self._top = None
        fresh = [reader for reader in dict.fromkeys(found) if reader not in self._told]
        self._told.update(fresh)
        return fresh

    def _places(self, area: Area) -> list[tuple[int, int]]:
        if area.left == area.right and area.top == area.bottom:
            return [(area.top, area.left)] if (area.top, area.left) in self._cells else []
        if _size(area) > len(self._cells):
            return [place for place in self._cells if area.has(*place)]
        return [(row, column) for row in range(area.top, area.bottom + 1)
                for column in range(area.left, area.right + 1) if (row, column) in self._cells]


class _Knot:
    """Areas beside each other, or knots of such. `most`: how many there were when the area was measured last."""

    __slots__ = ("below", "bottom", "left", "most", "right", "top")

    left: int
    top: int
    right: int
    bottom: int

    def __init__(self, below: list[_Knot] | list[_Leaf]) -> None:
        self.below = below
        self._measure()

    def _measure(self) -> None:
        self.most = len(self.below)
        self.left, self.right = min(one.left for one in self.below), max(one.right for one in self.below)
        self.top, self.bottom = min(one.top for one in self.below), max(one.bottom for one in self.below)

    def take(self, area: Area, found: list[int]) -> None:
        """Move the readers of what meets an area into a list."""
        left, top, right, bottom = area
        if not (self.left <= right and left <= self.right and self.top <= bottom and top <= self.bottom):
            return
        gone = False
        for one in self.below:
            if one.left <= right and left <= one.right and one.top <= bottom and top <= one.bottom:
                one.take(area, found)
                gone = gone or not one.below
        if gone:
            self.below = [one for one in self.below if one.below]  # type: ignore[assignment]
            if self.below and 2 * len(self.below) <= self.most:
                self._measure()


class _Leaf:
    """An area and its readers, as the lowest knot."""

    __slots__ = ("below", "bottom", "left", "right", "top")

    def __init__(self, area: Area, readers: list[int]) -> None:
        self.left, self.top, self.right, self.bottom = area
        self.below = readers

    def take(self, _: Area, found: list[int]) -> None:
        """Move the readers into a list."""
        found += self.below
        self.below = []


def _size(area: Area) -> int:
    return (area.right - area.left + 1) * (area.bottom - area.top + 1)


def _tree(entries: list[tuple[Area, int]]) -> _Knot | None:
    """The knots over areas, those beside each other in one."""
    same: dict[Area, list[int]] = {}
    for area, reader in entries:
        same.setdefault(area, []).append(reader)
    level: list[_Knot] | list[_Leaf] = [_Leaf(area, same[area]) for area in sorted(same)]
    while level and (len(level) > 1 or isinstance(level[0], _Leaf)):
        level = [_Knot(level[at:at + _BRANCHES]) for at in range(0, len(level), _BRANCHES)]
    return level[0] if level and isinstance(level[0], _Knot) else None
