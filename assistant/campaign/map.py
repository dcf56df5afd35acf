"""The map as nodes and the links between them, and the best way over any board."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import NamedTuple

from assistant.campaign.records import Road
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
