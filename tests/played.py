"""Eight campaigns in memory, for tests of other rooms: name -> its phases, each with the campaign before it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.environment import shipped_folder
from assistant.testing.cases import opening
from assistant.turn.phases import Outcome
from assistant.turn.rulebooks import load
from tests.anarchy import test_robots as anarchy_robots
from tests.giglio import test_robots as giglio_robots
from tests.playing import play_script

Phases = Iterator[tuple[Campaign, Outcome]]
SECRET = b"golden"
LAST_DAY = 8
"""Robots of The Anarchy are followed through the close of this day."""


def scripted(ruleset_id: str, scenario: str, end: str) -> Phases:
    """A scenario with all that is scripted for it, until it stands at the ``turn.phase`` that `end` begins."""
    ruleset = load(ruleset_id)
    campaign = opening(ruleset, shipped_folder("workbook_templates") / ruleset_id / scenario)
    for before, outcome in play_script(ruleset, campaign, SECRET):
        yield before, outcome
        after = outcome.campaign.desk
        if f"{after.turn}.{after.phase}".startswith(end):
            return


def robots_of_giglio(seed: int, edition: str = "", rules: Mapping[str, str] | None = None) -> Phases:
    """The first year of Italy 1500 among robots, by an edition's text and with switches set."""
    with tempfile.TemporaryDirectory() as place:
        campaign = giglio_robots.opening(Path(place))
    campaign.desk.edition = edition or campaign.desk.edition
    for key, value in (rules or {}).items():
        campaign.table(Rule).add(Rule(key=key, value=value))
    for before, outcome in giglio_robots.play(campaign, seed.to_bytes(32, "big")):
        if outcome.turn != "1500":
            return
        yield before, outcome


def robots_of_anarchy(seed: int, rules: Mapping[str, str] | None = None) -> Phases:
    """The first days of Wallingford 1139 among robots, with switches set."""
    with tempfile.TemporaryDirectory() as place:
        campaign = anarchy_robots.opening(Path(place), **(rules or {}))
    for before, outcome in anarchy_robots.play(campaign, seed.to_bytes(32, "big")):
        if int(outcome.turn) > LAST_DAY:
            return
        yield before, outcome


CAMPAIGNS: Mapping[str, Callable[[], Phases]] = {
    "giglio-italy-1500": partial(scripted, "giglio", "italy-1500", "1501.r1.contact"),
    "giglio-robots-0": partial(robots_of_giglio, 0),
    "giglio-robots-1": partial(robots_of_giglio, 1, "EN_amended", {"first_spring_taxes": "no"}),
    "giglio-robots-2": partial(robots_of_giglio, 2, "", {"money_public": "yes", "garrison_public": "no"}),
    "anarchy-wallingford-1139": partial(scripted, "anarchy", "wallingford-1139", "9."),
    "anarchy-robots-0": partial(robots_of_anarchy, 0),
    "anarchy-robots-1": partial(robots_of_anarchy, 1, {
        "loyalty_effect": "encounter", "season": "summer", "wounded_march": "free", "siege_supply": "both",
        "garrison_refill": "warn", "siege_min": "equal", "prestige_clamp": "1-10"}),
    "anarchy-robots-2": partial(robots_of_anarchy, 2, {
        "move_unit": "hexes", "loot_share_to": "all", "village_access": "above4", "noble_alone": "leaves",
        "loyalty_test_mode": "die", "refusal_extra": "yes", "merc_count": "separate"}),
}
