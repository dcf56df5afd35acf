"""The campaign that is measured is the one that benchmarks/README.md describes."""

from __future__ import annotations

from pathlib import Path

from assistant.testing import kit
from assistant.testing.cases import opening
from benchmarks import endless, synthetic


def test_the_synthetic_campaign_has_the_stated_size() -> None:
    """40 factions, 2,000 places, 1,000 armies with an order each, 10,000 events."""
    tables = synthetic.tables()

    assert {name: len(tables[name]) for name in ("factions", "nodes", "armies", "orders", "events")} == {
        "factions": 40, "nodes": 2000, "armies": 1000, "orders": 1000, "events": 10_000}


def test_the_synthetic_campaign_is_sound() -> None:
    """Codes are unique, roads join places of the map, and no two hostile armies share a place."""
    tables = synthetic.tables()
    nodes = {row["node"] for row in tables["nodes"]}
    places: dict[object, set[object]] = {}
    for army in tables["armies"]:
        places.setdefault(army["node"], set()).add(army["faction"])

    assert len(nodes) == len(tables["nodes"])
    assert len({row["army"] for row in tables["armies"]}) == len(tables["armies"])
    assert {end for road in tables["roads"] for end in (road["a"], road["b"])} <= nodes
    assert set(places) <= nodes
    assert {len(factions) for factions in places.values()} == {1}


def test_the_synthetic_campaign_is_always_the_same(tmp_path: Path) -> None:
    """Two folders written one after the other hold the same bytes."""
    synthetic.write(tmp_path / "a")
    synthetic.write(tmp_path / "b")

    first = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert first
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "b").iterdir()}


def test_the_long_road_is_walked(tmp_path: Path) -> None:
    """The rulebook of three hundred turns fits this Arbitro, and its robots play the last three of them."""
    endless.write(tmp_path)
    campaign = opening(endless.LONG_ROAD, tmp_path)
    campaign.desk.turn = str(endless.TURNS - 2)

    kit.robots_play(endless.LONG_ROAD, campaign)
