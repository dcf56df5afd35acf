"""Whole campaigns of robots: they end, nothing comes from nowhere, both sides can win."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.incursio import records
from assistant.rulesets.incursio.realm import Camp, split_units
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import kit, robots
from assistant.turn.phases import Outcome
from tests.incursio.test_promises import opening

CAMPAIGNS = range(20)


def units(campaign: Campaign, faction: str) -> int:
    """How many units a faction has."""
    return sum(unit.faction == faction for unit in Camp(campaign.table(records.Army)).units)


def flow(outcome: Outcome, *events: str) -> int:
    """Units that are named by events of these types."""
    return sum(len(split_units(str(event.data["units"]))) for event in outcome.events if event.event in events)


def gained(outcome: Outcome) -> tuple[int, int]:
    """What the events of a phase say that came into the defenders' chest, and to the raiders' captives."""
    coins = resources = 0
    for event in outcome.events:
        data = event.data
        if event.event in ("income", "work_started", "mission_ended"):
            coins += {"income": data.get("coins", 0), "work_started": -data.get("cost", 0),
                      "mission_ended": 200 if (data.get("mission"), data.get("result")) == ("smuggling", "success")
                      else 0}[event.event]
        resources += data["resources"] if event.event in ("captives_taken", "ruin_yield") else 0
    return coins, resources


def chests(campaign: Campaign) -> tuple[int, int]:
    """The defenders' coins and the raiders' captives."""
    table = campaign.table(records.Faction)
    return table["esdef"].coins or 0, table["varannah"].resources or 0


def fallen(before: Campaign, outcome: Outcome) -> Counter[str]:
    """What the battles of a phase have cost each side, by their rows."""
    lost = Counter[str]()
    for row in outcome.campaign.table(records.Battle):
        if row.battle not in before.table(records.Battle) and row.outcome != "nobody":
            other = "varannah" if row.attacker == "esdef" else "esdef"
            lost[row.attacker] += len(split_units(row.attackers)) - len(split_units(row.att_after))
            lost[other] += len(split_units(row.open_before + row.garrison_before)) - len(
                split_units(row.open_after + row.garrison_after))
    return lost


@pytest.mark.slow
def test_twenty_campaigns_end_and_nothing_comes_from_nowhere() -> None:
    """Units come by muster and portals and go by battle and dusk; captives come from settlements that fall and from
    ruins, coins from towns and smugglers, and both go where events say; each kind of end is seen.
    """
    ends = Counter[str]()
    for seed in CAMPAIGNS:
        for before, outcome in robots.play(INCURSIO, kit.with_robots(opening()), seed.to_bytes(32, "big")):
            after, lost = outcome.campaign, fallen(before, outcome)
            assert units(after, "esdef") == units(before, "esdef") + flow(outcome, "mustered") - lost["esdef"]
            assert units(after, "varannah") == units(before, "varannah") + flow(outcome, "portal_opened") - flow(
                outcome, "demons_returned") - lost["varannah"]
            moved = [now - then for now, then in zip(chests(after), chests(before), strict=True)]
            assert moved == list(gained(outcome))
            assert min(chests(after)) >= 0
        taken = sum(row.captives for row in after.table(records.Battle))
        assert taken <= chests(after)[1]
        (end,) = [event.data["winner"] for event in outcome.events if event.event == "campaign_ended"]
        assert int(outcome.turn) <= 20
        ends[end] += 1
    assert {"esdef", "varannah"} <= set(ends), ends
