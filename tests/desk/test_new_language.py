"""Whose reports come in which language in a new campaign."""

from __future__ import annotations

import pytest

from assistant import desk
from assistant.campaign.records import Faction
from assistant.desk.commands.new_campaign import make_campaign
from assistant.turn.rulebooks import load


@pytest.mark.parametrize(("asked", "spoken"), [("en", {"en"}), ("", {"it"})])
def test_a_language_that_is_asked_for_is_that_of_all_clubs(asked: str, spoken: set[str]) -> None:
    """Of a scenario, whose clubs have languages of their own where none is asked for."""
    campaign = make_campaign(desk.NewPlan("incursio", language=asked), load("incursio"), bytes(32), "")[0]

    assert {row.language for row in campaign.table(Faction)} == spoken
