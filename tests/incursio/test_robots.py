"""Whole campaigns of robots: they end, nothing comes from nowhere, both sides can win."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.incursio.book import sheets
from assistant.rulesets.incursio.realm.camp import Camp
from assistant.rulesets.incursio.realm.units import split_units
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import kit, robots
from assistant.turn.phases import Outcome
from tests.incursio.test_promises import opening

CAMPAIGNS = range(20)


def units(campaign: Campaign, faction: str) -> int:
    """How many units a faction has."""
    return sum(unit.faction == faction for unit in Camp(campaign.table(sheets.Army)).units)


def flow(outcome: Outcome, *events: str) -> int:
    """Units that are named by events of these types."""
    return sum(len(split_units(str(event.data["units"]))) for event in outcome.events if event.event in events)


def fallen(before: Campaign, outcome: Outcome) -> Counter[str]:
    """What the battles of a phase have cost each side, by their rows."""
    lost = Counter[str]()
    for row in outcome.campaign.table(sheets.Battle):
        if row.battle not in before.table(sheets.Battle) and row.outcome != "nobody":
            other = "varannah" if row.attacker == "esdef" else "esdef"
            lost[row.attacker] += len(split_units(row.attackers)) - len(split_units(row.att_after))
            lost[other] += len(split_units(row.open_before + row.garrison_before)) - len(
                split_units(row.open_after + row.garrison_after))
    return lost


@pytest.mark.slow
def test_twenty_campaigns_end_and_nothing_comes_from_nowhere() -> None:
    """Units come by muster and portals and go by battle and dusk; resources never fall; coins are never below nothing;
    each kind of end is seen.
    """
    ends = Counter[str]()
    for seed in CAMPAIGNS:
        resources = 0
        for before, outcome in robots.play(INCURSIO, kit.of_robots(opening()), seed.to_bytes(32, "big")):
            after, lost = outcome.campaign, fallen(before, outcome)
            assert units(after, "esdef") == units(before, "esdef") + flow(outcome, "mustered") - lost["esdef"]
            assert units(after, "varannah") == units(before, "varannah") + flow(outcome, "portal_opened") - flow(
                outcome, "demons_returned") - lost["varannah"]
            now = after.table(sheets.Faction)["varannah"].resources or 0
            assert now >= resources
            resources = now
            assert (after.table(sheets.Faction)["esdef"].coins or 0) >= 0
        (end,) = [event.data["winner"] for event in outcome.events if event.event == "campaign_ended"]
        assert int(outcome.turn) <= 20
        ends[end] += 1
    assert {"esdef", "varannah"} <= set(ends), ends
