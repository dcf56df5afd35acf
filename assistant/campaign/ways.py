"""Ways over any board: in go a start, goals, who is next to whom and what a step costs; the best way comes out."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

Cost = Callable[[str, str], float | None]
"""What one step from a place to the next costs, None where it is barred."""


def cheapest(start: str, goals: Iterable[str], neighbours: Callable[[str], Iterable[str]], cost: Cost
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
