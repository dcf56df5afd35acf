"""The demo from its folder, and what its expected files say: a campaign in, comparable values out."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_folder
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import cases
from assistant.turn.phases import Outcome
from tests.playing import play_script_turns

PLACE = shipped_folder("workbook_templates") / "incursio" / "esdef-beginning"
SECRET = bytes(range(32))
LAST_DAY = 5


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of the demo."""
    with (PLACE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _read() -> Campaign:
    return cases.opening(INCURSIO, PLACE)


def esdef() -> Campaign:
    """The campaign at its opening, with orders, answers, dice and the result of all days."""
    return _read().copy()


def days(campaign: Campaign) -> Iterator[tuple[int, Campaign, list[Outcome]]]:
    """Day by day: the day, the campaign at its close, the phases that led there."""
    for day, state, outcomes in play_script_turns(INCURSIO, campaign, SECRET, str(LAST_DAY)):
        yield int(day), state, outcomes


FIELDS = {"armies": ("units",), "nodes": ("kind", "level", "refugees", "ruined_on"), "structures": ("copies",),
          "works": ("ready_on", "state"), "missions": ("state",), "portals": ("demons", "kind", "number", "state"),
          "observations": ("seen_on", "source", "what")}


def values(campaign: Campaign) -> set[tuple[str, str, str, str]]:
    """Every value that expected.csv lists, as it stands."""
    found = set()
    for name, fields in FIELDS.items():
        for row in campaign.by_sheet(name.capitalize()):
            text = row.as_text()
            key = row.ident
            if name == "nodes" and text["kind"] == "empty":
                continue
            if name == "observations":
                if text["state"] != "current":
                    continue
                thing = text["position"] or (text["what"] if text["kind"] in ("structure", "portal") else "")
                key = f"{text['faction']}/{text['node']}/{text['kind']}/{thing}"
            found |= {(name, key, field, text[field]) for field in fields}
    for faction, fields in (("esdef", ("coins",)), ("varannah", ("resources", "power_step"))):
        text = campaign.by_sheet("Factions")[faction].as_text()
        found |= {("factions", faction, field, text[field]) for field in fields}
    return found


def plain(data: Any) -> Any:
    """Data of an event or battle as JSON has it."""
    return json.loads(json.dumps(data, ensure_ascii=False, sort_keys=True))
