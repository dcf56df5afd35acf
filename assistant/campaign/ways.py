"""Ways over any board: a start, goals, neighbours and what a step costs in; the best way, or what can be paid, out."""

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


def paid_for(start: str, path: Iterable[str], points: float, cost: Cost) -> list[str]:
    """The part of a way that so many points pay for, from start on; it ends before a step that is barred."""
    found, here = [], start
    for there in path:
        price = cost(here, there)
        if price is None or price > points:
            break
        points -= price
        found.append(there)
        here = there
    return found
