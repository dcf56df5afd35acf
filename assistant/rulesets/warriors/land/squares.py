"""The map as the book speaks of it: rows of squares and links in; steps, ways, rivers, roads out.

See rulebook: The square grid.
"""

from __future__ import annotations

from assistant.campaign.map import Map
from assistant.campaign.squaremap import SquareMap, Steps
from assistant.campaign.table import Table
from assistant.rulesets.warriors.book.records import Node, Road
from assistant.rulesets.warriors.book.sheets import Terrain

ROADS = ("road", "track")
RIVER = "river"


class Squares:
    """Squares, what lies between them, and what their terrains are; made once for all states of the same map."""

    def __init__(self, corners: bool, nodes: Table[Node], roads: Table[Road], terrains: Table[Terrain]) -> None:
        self.board = SquareMap.of(nodes, roads, Steps(corners=corners))
        self._terrains = {row.terrain: row for row in terrains}
        self._water = {node.node for node in nodes if any(self.terrain(one).water for one in node.terrains)}
        self._bridged = {node.node for node in nodes if node.bridge}

    @property
    def links(self) -> Map:
        """Roads, tracks and rivers."""
        return self.board.links

    def terrain(self, code: str) -> Terrain:
        """What a terrain does; one that no sheet has does nothing."""
        return self._terrains.get(code) or Terrain(terrain=code)

    def water(self, node: str) -> bool:
        """Whether it is sea or lake."""
        return node in self._water

    def dry(self, node: str) -> bool:
        """Whether a Force can stand there ashore."""
        return node in self.board and node not in self._water

    def touch(self, a: str, b: str) -> bool:
        """Whether two squares are adjacent."""
        return a in self.board and b in self.board and bool(self.board.direction(a, b))

    def cornered(self, a: str, b: str) -> bool:
        """Whether the corner rule bars a step between two adjacent squares: only water lies beside it."""
        return self.board.extra(a, b, self.dry) is None

    def land_step(self, a: str, b: str) -> bool:
        """Whether a Force can go from a to b: adjacent, no water, and the corner allows it."""
        return self.touch(a, b) and self.dry(b) and not self.cornered(a, b)

    def river(self, node: str) -> bool:
        """Whether a river touches the square."""
        return any(self.links.leaving(node, RIVER))

    def navigable(self, a: str, b: str) -> bool:
        """Whether boats can go along a river from a to b."""
        return any(isinstance(link.road, Road) and link.road.navigable for link in self.links.links(a, b, RIVER))

    def rapids(self, a: str, b: str) -> bool:
        """Whether a river between two squares has falls or rapids."""
        return any(isinstance(link.road, Road) and link.road.rapids for link in self.links.links(a, b, RIVER))

    def distance(self, a: str, b: str) -> int:
        """Squares apart; far beyond any where one of them is nowhere."""
        return self.board.distance(a, b) if a in self.board and b in self.board else 999


def squares(corners: bool, nodes: Table[Node], roads: Table[Road], terrains: Table[Terrain]) -> Squares:
    """The map of a campaign (`Campaign.made_of`)."""
    return Squares(corners, nodes, roads, terrains)
