"""Where places lie: of hexes and squares their codes say it, of a graph the workbook, and without that its roads."""

from __future__ import annotations

import math

import pytest

from assistant.campaign.map import adjacent_codes
from assistant.campaign.records import Node, Road
from assistant.pictures.scene import DAY_LENGTH, hex_centre, place_positions, stress_layout
from tests.pictures.boards import start


def one(road: Road) -> float:
    """Every road a day long."""
    return 1.0


def test_the_six_hexes_next_door_are_equally_far() -> None:
    """All at one distance from the middle, in even and odd columns."""
    for code in ("0505", "0605"):
        x, y = hex_centre(code)
        far = [math.hypot(u - x, v - y) for u, v in map(hex_centre, adjacent_codes(code))]
        assert max(far) - min(far) < 0.1


def test_a_map_of_which_only_the_roads_are_known_comes_back_by_its_days() -> None:
    """Italy's own distances as days of march: the layout is the map again, but for its turning (error below 3 %)."""
    _, campaign = start("giglio")
    nodes = {row.node: (row.x, row.y) for row in campaign.table(Node)}
    roads = [road for road in campaign.table(Road) if road.kind == "road"]
    land = sorted({code for road in roads for code in (road.a, road.b)})

    def days(road: Road) -> float:
        return math.dist(nodes[road.a], nodes[road.b]) / 40

    found = stress_layout(land, roads, days)
    near = [(math.dist(found[road.a], found[road.b]) / DAY_LENGTH, days(road)) for road in roads]

    assert sum(abs(have - want) for have, want in near) / sum(want for _, want in near) < 0.2


def test_the_same_roads_give_the_same_map_in_whatever_order_they_stand() -> None:
    """The layout is seeded and walks in natural order."""
    _, campaign = start("bloodlust")
    codes, roads = campaign.table(Node).keys(), list(campaign.table(Road))

    assert stress_layout(codes, roads, one) == stress_layout(codes[::-1], roads[::-1], one)


@pytest.mark.parametrize("roads", [[], [Road(a="A", b="B")], [Road(a="A", b="A"), Road(a="A", b="zz")]])
def test_places_lie_apart_whatever_joins_them(roads: list[Road]) -> None:
    """Parts that no road joins lie side by side, and nothing lies upon another."""
    found = stress_layout(["A", "B", "C", "D"], roads, one)

    assert set(found) == {"A", "B", "C", "D"}
    assert all(math.dist(found[a], found[b]) > DAY_LENGTH / 3 for a in found for b in found if a < b)


def test_positions_of_the_workbook_count() -> None:
    """Where two places at least lie apart nobody lays them out."""
    nodes = [Node(node="A", x=10, y=20), Node(node="B", x=30, y=40)]

    assert place_positions("graph", nodes, [], one) == {"A": (10, 20), "B": (30, 40)}
