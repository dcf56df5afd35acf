"""Robots play five campaigns of five years: nothing is in two places, nothing vanishes untold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.testing import kit, robots
from tests.bloodlust.scenario import BLOODLUST, ground

pytestmark = pytest.mark.slow


def invariants(campaign: Campaign) -> list[str]:
    """What cannot be: units in no army of theirs, leaders in armies that are gone, weapons with two bearers."""
    armies: Any = campaign.by_sheet("Armies")
    wrong = [f"{unit.unit} in {unit.army}" for unit in campaign.by_sheet("Units") if unit.state == "active" and (
        armies[unit.army].faction != unit.faction or armies[unit.army].state != "active")]
    wrong += [f"{leader.leader} with {leader.army}" for leader in campaign.by_sheet("Leaders") if leader.army and (
        armies[leader.army].state != "active" or leader.state in ("dead", "gone", "captured"))]
    bearers = Counter(weapon.bearer for weapon in campaign.by_sheet("Weapons") if weapon.state == "borne")
    wrong += [f"{bearer} bears {n}" for bearer, n in bearers.items() if n > 1]
    for weapon in campaign.by_sheet("Weapons"):
        bearer: Any = campaign.by_sheet("Leaders").get(weapon.bearer)
        if (weapon.state == "borne") != bool(weapon.bearer) or (bearer is not None and bearer.weapon != weapon.weapon):
            wrong.append(f"{weapon.weapon} {weapon.state} with {weapon.bearer}")
    for nation in campaign.by_sheet("Factions"):
        land = any(node.owner == nation.faction for node in campaign.by_sheet("Nodes"))
        if campaign.desk.phase == "call" and nation.alive != land:
            wrong.append(f"{nation.faction} alive {nation.alive} with land {land}")
        if nation.resources < 0 or not 0 <= nation.morale <= 5:
            wrong.append(f"{nation.faction} has {nation.resources}, morale {nation.morale}")
    pairs = Counter(frozenset((war.aggressor, war.target)) for war in campaign.by_sheet("Wars") if not war.ended)
    return wrong + [f"two wars of {sorted(pair)}" for pair, n in pairs.items() if n > 1]


@pytest.mark.parametrize("seed", range(5))
def test_robots_play_five_years(seed: int) -> None:
    """Every phase ends, the campaign has a winner, and the sheets agree with each other at every moment. The
    kit has robots play one more to its end (`test_promises`).
    """
    last = None
    for _, outcome in robots.play(BLOODLUST, kit.with_robots(ground()), bytes([seed]) * 32):
        assert invariants(outcome.campaign) == [], (outcome.turn, outcome.phase)
        last = outcome.campaign
    assert last is not None
    assert BLOODLUST.is_over(last)
    assert BLOODLUST.ending(last).winners
