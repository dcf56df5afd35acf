"""What is handed over for a battle: one's own side in full, of the other its commanders, nothing to outsiders."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.bloodlust.battle.papers import zone
from assistant.rulesets.bloodlust.realm.realm import Realm
from tests.bloodlust.scenario import BLOODLUST, ground

BATTLE = {"987Su-1": {"turn": "987Su", "node": "V3", "kind": "open", "attacker": "SEK", "defender": "VOR",
                      "attacker_armies": "SEK-a1", "defender_armies": "VOR-a1", "start_node": "S3",
                      "starts": "SEK-a1=S3", "status": "open"}}


def handed(faction: str) -> list[Any]:
    """The dossier that a nation gets, made from its view; "" is the referee's."""
    campaign = ground("987Su", "battle", Battles=BATTLE)
    view = BLOODLUST.view(campaign, faction) if faction else campaign
    return BLOODLUST.dossier(view, view.by_sheet("Battles")["987Su-1"], faction)


def test_each_side_has_its_own_units() -> None:
    """VOR's copy names VOR's units and both sides' commanders; the referee's has both; others have none."""
    def named(faction: str, letter: str) -> set[str]:
        return {str(said.data[letter]).partition("-")[0] for said in handed(faction) if letter in said.data}

    assert named("VOR", "unit") == {"VOR"}
    assert named("VOR", "leader") == {"VOR", "SEK"}
    assert named("", "unit") == {"VOR", "SEK"}
    assert handed("PIO") == []


def test_what_is_at_stake_and_the_odds_of_a_retreat() -> None:
    """An open battle names the start; the odds of all rows are all throws of the lead's dice."""
    said = handed("VOR")
    assert any("open battle" in one.text and one.data["start"] == "S3" for one in said)
    (odds,) = [one.data for one in said if "k" in one.data]
    assert odds["a"] + odds["b"] + odds["c"] == odds["k"] == 2 ** 4


@pytest.mark.parametrize(("attributes", "inches"), [("", 12), ("charisma", 16), ("poor_charisma", 8),
                                                    ("unremarkable", 10), ("charisma unremarkable", 14)])
def test_the_zone_of_command(attributes: str, inches: int) -> None:
    """Three times the reputation, or four, or two; two inches less for the unremarkable."""
    campaign = ground(Leaders={"VOR-m1": {"attributes": attributes}})
    f = Realm(BLOODLUST.game(campaign))
    assert zone(f, f.leaders["VOR-m1"]) == inches
