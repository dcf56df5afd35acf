"""The Borderlands from their folder, and what their expected files say of each turn."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_folder
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import cases
from assistant.turn.phases import Outcome
from tests.playing import play_script_turns

PLACE = shipped_folder("workbook_templates") / "warriors" / "borderlands"
SECRET = b"borderlands"
LAST_TURN = 6
Value = tuple[str, str, str, str]  # file of the sheet, key, field, text
SUBJECTS = ("unit", "army", "battle", "zone", "boat", "road", "node", "faction", "week", "", "attacker")


def rows(name: str, place: Path = PLACE) -> list[dict[str, str]]:
    """A file of the scenario, row by row."""
    with (place / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def expected() -> dict[int, set[Value]]:
    """Turn -> every value that is new at its close; ``(row)``: removed."""
    found: dict[int, set[Value]] = {}
    for row in rows("expected.csv"):
        found.setdefault(int(row["turn"]), set()).add((row["sheet"], row["key"], row["field"], row["value"]))
    return found


def borderlands(place: Path = PLACE) -> Campaign:
    """The campaign at its opening, with orders, answers, dice and results of all turns."""
    return cases.opening(WARRIORS, place)


def turns(campaign: Campaign) -> Iterator[tuple[int, Campaign, list[Outcome]]]:
    """Play turn by turn: the turn, the campaign at its close, and the phases that led there."""
    for turn, state, outcomes in play_script_turns(WARRIORS, campaign, SECRET, str(LAST_TURN)):
        yield int(turn), state, outcomes


def data_of(text: str) -> dict[str, Any]:
    """The data of an expected event."""
    found: dict[str, Any] = json.loads(text) if text else {}
    return found
