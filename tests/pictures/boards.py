"""Campaigns of all rulesets, to be drawn in tests: an id in; the campaign, and as it was some phases before, out."""

from __future__ import annotations

from functools import lru_cache

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction
from assistant.environment import shipped_folder
from assistant.pictures.map_scene import scene_of
from assistant.pictures.scene import Scene
from assistant.testing.cases import opening
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from tests.played import scripted

DEMOS = {"giglio": "italy-1500", "anarchy": "wallingford-1139", "warriors": "borderlands", "bloodlust": "tanaephis",
         "incursio": "esdef-beginning"}


@lru_cache(maxsize=5)
def start(ruleset_id: str) -> tuple[Ruleset, Campaign]:
    """A scenario at its beginning, not to be changed."""
    ruleset = load(ruleset_id)
    return ruleset, opening(ruleset, shipped_folder("workbook_templates") / ruleset_id / DEMOS[ruleset_id])


@lru_cache(maxsize=5)
def played(ruleset_id: str, phases: int) -> tuple[Ruleset, Campaign, Campaign]:
    """A scenario after so many phases of its script, and as it was three phases before; neither is to be changed."""
    states = []
    for number, (before, outcome) in enumerate(scripted(ruleset_id, DEMOS[ruleset_id], "never"), 1):
        states.append(before)
        if number == phases:
            return load(ruleset_id), outcome.campaign, states[-3]
    raise AssertionError("the script is shorter than that")


def readers(campaign: Campaign) -> list[str]:
    """Everybody, the referee, and the first and last faction."""
    codes = campaign.table(Faction).keys()
    return ["", REFEREE, codes[0], codes[-1]]


def seen_by(ruleset: Ruleset, campaign: Campaign, reader: str) -> Campaign:
    """What a reader of a map is shown."""
    return campaign if reader == REFEREE else ruleset.view(campaign, reader)


def scene(ruleset: Ruleset, campaign: Campaign, reader: str, lang: str = "en", before: Campaign | None = None,
          *, changes: bool = False, close_up: bool = False) -> Scene:
    """A reader's map."""
    previous = None if before is None else seen_by(ruleset, before, reader)
    return scene_of(ruleset, seen_by(ruleset, campaign, reader), reader, lang, previous=previous, changes=changes,
                    close_up=close_up)
