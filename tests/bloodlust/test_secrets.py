"""Who may know what: a club's report is made from what it may know, and from nothing else."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.testing import kit, robots
from assistant.turn.phases import resolve
from tests.bloodlust.scenario import BLOODLUST, SECRET, ground, tanaephis


def seen(campaign: Campaign, reader: str, sheet: str, key: str, field: str) -> Any:
    """What a nation sees of a field; None where it does not see the row."""
    row = BLOODLUST.view(campaign, reader).by_sheet(sheet).get(key)
    return None if row is None else getattr(row, field)


@pytest.mark.parametrize(("fog", "units", "money"), [("roster", None, None), ("open", "VOR-a1", 20)])
def test_the_switch_fog(fog: str, units: str | None, money: int | None) -> None:
    """Units, resources and attributes are their nation's, or everybody's."""
    campaign = ground(rules={"fog": fog})
    assert seen(campaign, "SEK", "Units", "VOR-u1", "army") == units
    assert seen(campaign, "SEK", "Factions", "VOR", "resources") == money
    assert not seen(campaign, "SEK", "Leaders", "VOR-m1", "attributes")
    assert seen(campaign, "VOR", "Leaders", "VOR-m1", "attributes")
    assert seen(campaign, "VOR", "Factions", "VOR", "resources") == 20
    assert seen(campaign, "SEK", "Leaders", "VOR-m1", "wr") == 4


def test_what_envoys_have_done() -> None:
    """Rumours are known to who spread them and to nobody else; progress to the two; hate to all."""
    campaign = ground(Relations={"ALW/SEK": {"deceit_until": "988", "target_change": 1, "target_until": "988"},
                                 "BAT/DER": {"progress": True}})
    assert seen(campaign, "SEK", "Relations", "ALW/SEK", "deceit_until") == "988"
    assert [seen(campaign, reader, "Relations", "ALW/SEK", "of") for reader in ("ALW", "VOR")] == [None, None]
    assert [seen(campaign, reader, "Relations", "BAT/DER", "progress") for reader in ("BAT", "DER", "VOR")] == [
        True, True, None]
    assert seen(campaign, "PIO", "Relations", "SEK/VOR", "hates") is True


def test_the_form_of_a_battle_is_each_sides_own() -> None:
    """What befell a unit or a commander stands in its own nation's view; its fate is told to all."""
    campaign = ground(BattleUnits={"987Su-1/VOR-u4": {"hits": 3}}, BattleLeaders={"987Su-1/VOR-c1": {"down": True}})
    for sheet, key, field in (("BattleUnits", "VOR-u4", "hits"), ("BattleLeaders", "VOR-c1", "down")):
        assert [bool(seen(campaign, reader, sheet, f"987Su-1/{key}", field)) for reader in ("VOR", "SEK")] == [
            True, False]


@pytest.mark.slow
@pytest.mark.parametrize("fog", ["roster", "open"])
def test_the_scripted_year_tells_nobody_more(fog: str) -> None:
    """Whatever a nation may not see changes no byte of its report, at the end of Fall and of the year."""
    campaign = before = tanaephis()
    campaign.by_sheet("Rules").add(BLOODLUST.record("Rules").from_values({"key": "fog", "value": fog}))
    while campaign.desk.turn != "988Sp":
        outcome = resolve(BLOODLUST, campaign, SECRET)
        assert outcome.done
        if campaign.desk.phase == "envoys":
            kit.fog(BLOODLUST, outcome.campaign, before)
        before, campaign = campaign, outcome.campaign


@pytest.mark.slow
def test_robots_in_the_open_tell_nobody_more() -> None:
    """Where the fog is lifted, too, orders, attributes and checks of robots change no byte of another's report."""
    start = kit.with_robots(ground(rules={"fog": "open"}))
    before, outcome = list(islice(robots.play(BLOODLUST, start, SECRET), 10))[-1]
    kit.fog(BLOODLUST, outcome.campaign, before)
