"""The board as a graph: node maps now, hexes and square grids as nodes with coordinates and edges.

Edges carry the `kind` of the road row they come from, so that one map holds roads, sea lanes,
beaches or rivers beside each other; every question names the kinds it is about. Who is next to whom is
kept in plain dictionaries; networkx, slow to load, is only called where ways are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from assistant.campaign.order import in_natural_order
from assistant.campaign.records import Road

if TYPE_CHECKING:
    import networkx as nx

Step = Callable[[str, str], float | None]


class Map:
    """Nodes and the ways between them, both directions alike unless a cost says otherwise."""

    def __init__(self, nodes: Iterable[str], roads: Iterable[Road]) -> None:
        self._ways: dict[str, dict[str, set[str]]] = {node: {} for node in nodes}
        for road in roads:
            if road.a in self._ways and road.b in self._ways:
                for start, end in ((road.a, road.b), (road.b, road.a)):
                    self._ways[start].setdefault(end, set()).add(road.kind)
        self._near: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        self._far: dict[tuple[str, tuple[str, ...]], dict[str, float]] = {}

    def __contains__(self, node: object) -> bool:
        return node in self._ways

    def neighbours(self, node: str, *kinds: str) -> list[str]:
        """Nodes joined to this one by a way of one of the kinds (any kind if none is named).

        In natural order; empty for a node that is not on the map.
        """
        asked = (node, kinds)
        if asked not in self._near:
            self._near[asked] = in_natural_order(
                other for other, there in self._ways.get(node, {}).items()
                if not kinds or not there.isdisjoint(kinds))
        return list(self._near[asked])

    def joined(self, a: str, b: str, *kinds: str) -> bool:
        """Whether a way of one of the kinds leads from a to b."""
        return b in self.neighbours(a, *kinds)

    def between(self, a: str, b: str, *kinds: str) -> list[str]:
        """Nodes joined to both, in natural order."""
        beyond = set(self.neighbours(b, *kinds))
        return [node for node in self.neighbours(a, *kinds) if node in beyond]

    def distances(self, start: str, *kinds: str, cost: Step | None = None) -> dict[str, float]:
        """Shortest way from start to every node that can be reached.

        `cost(a, b)`: of one step, None where it is barred; without it each step counts 1.
        """
        if cost is None:
            return dict(self._steps(start, kinds))
        import networkx as nx

        part: nx.DiGraph[str] = nx.DiGraph()
        part.add_node(start)
        part.add_weighted_edges_from(
            (a, b, price)
            for a in self._ways
            for b in self.neighbours(a, *kinds)
            if (price := cost(a, b)) is not None
        )
        found: dict[str, float] = nx.single_source_dijkstra_path_length(part, start)
        return found

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
