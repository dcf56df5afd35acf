"""What is handed over for a battle: one's own side in full, of the other its commanders, nothing to outsiders."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.bloodlust.battle.dossiers import ambush, lead_rep, zone
from assistant.rulesets.bloodlust.battle.forms import Fought
from assistant.rulesets.bloodlust.realm.realm import Realm
from tests.bloodlust.scenario import BLOODLUST, ground, play, told

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
    """An open battle names the start; the odds of all rows are all throws of the lead's dice, in per cent."""
    said = handed("VOR")
    assert any("open battle" in one.text and one.data["start"] == "S3" for one in said)
    assert any("There is a fort" in one.text for one in said)
    (odds,) = [one.data for one in said if "disbands {c}" in one.text]
    assert [odds[row] for row in "abc"] == ["100 %", "0 %", "0 %"]


@pytest.mark.parametrize(("attributes", "inches"), [("", 12), ("charisma", 16), ("poor_charisma", 8),
                                                    ("unremarkable", 10), ("charisma unremarkable", 14)])
def test_the_zone_of_command(attributes: str, inches: int) -> None:
    """Three times the reputation, or four, or two; two inches less for the unremarkable."""
    campaign = ground(Leaders={"VOR-m1": {"attributes": attributes}})
    f = Realm(BLOODLUST.game(campaign))
    assert zone(f, f.leaders["VOR-m1"]) == inches


def _fought(campaign: Campaign) -> tuple[Realm, Fought]:
    f = Realm(BLOODLUST.game(campaign))
    return f, Fought(f, f.battles["987Su-1"])


@pytest.mark.parametrize(("kind", "attributes", "attacker", "defender"), [
    ("open", "attack_expert", 1, 0), ("open", "lazy_attacker", -1, 0), ("open", "defensive_expert", 0, 1),
    ("open", "siege_master", 0, 0), ("relief", "siege_master defensive_expert", 1, 2)])
def test_the_unit_of_the_lead(kind: str, attributes: str, attacker: int, defender: int) -> None:
    """Attack and Defensive Expert, Lazy attacker and Siege Master change the REP of the lead's unit."""
    both = {"attributes": attributes, "weapon": ""}
    f, battle = _fought(ground("987Su", "battle", Battles={"987Su-1": BATTLE["987Su-1"] | {"kind": kind}},
                               Leaders={"SEK-m1": both, "VOR-m1": both}))
    assert (lead_rep(f, battle, "attacker"), lead_rep(f, battle, "defender")) == (attacker, defender)


@pytest.mark.parametrize(("stack", "own"), [("once", 2), ("each", 3)])
def test_x35_what_a_side_adds_to_an_ambush(stack: str, own: int) -> None:
    """X35: Guerilla +1 a side, or a unit by `guerilla_stack`, and Ambush +1; Ever ready takes 1 from the others'."""
    f, battle = _fought(ground(
        "987Su", "battle", rules={"guerilla_stack": stack}, Battles=BATTLE,
        Leaders={"VOR-m1": {"attributes": "ambush ever_ready"}, "SEK-m1": {"attributes": "scout never_ready"}},
        Units={"VOR-u1": {"skills": "guerilla"}, "VOR-u2": {"skills": "guerilla light"}}))
    assert ambush(f, battle, "defender") == {"dice": 4, "scout": 0, "own": own, "theirs": -1}
    assert ambush(f, battle, "attacker") == {"dice": 4, "scout": 1, "own": 0, "theirs": 1}


def test_one_success_may_be_a_failure() -> None:
    """`attr_fail_at` is said where a commander has attributes to be tested."""
    def said(option: str) -> bool:
        campaign = ground("987Su", "battle", rules={"attr_fail_at": option}, Battles=BATTLE)
        dossier = BLOODLUST.dossier(campaign, campaign.by_sheet("Battles")["987Su-1"], "VOR")
        return any("has failed, too" in one.text for one in dossier)

    assert said("1")
    assert not said("0")


def test_both_sides_know_how_many_are_mounted() -> None:
    """The two sides, and nobody else, are told the units of both by mount; the dossier repeats it."""
    outcome = play(ground("987Sp", "invade", Wars={"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}),
                   ["VOR: invadi a1 S3"], answers={"response/S3": ("SEK", "fight")})
    assert told(outcome, "arrayed") == [{"battle": "987Sp-1", "n": 2, "m": 0, "k": 3, "l": 3}]
    assert [event.audience for event in outcome.events if event.event == "arrayed"] == ["VOR SEK"]
    view = BLOODLUST.view(outcome.campaign, "VOR")
    said = BLOODLUST.dossier(view, view.by_sheet("Battles")["987Sp-1"], "VOR")
    assert [one.data for one in said if "l" in one.data] == [{"n": 2, "m": 0, "k": 3, "l": 3}]


def test_who_came_from_where_and_what_hampers_whom() -> None:
    """Each army's start; who is exhausted, and who fights as usual in Winter and swamp; of the other side's
    commanders the zone without what attributes nobody knows; what a nation of the rules may order.
    """
    battle = {"987Wi-1": BATTLE["987Su-1"] | {"turn": "987Wi", "node": "G4", "attacker": "BAT", "defender": "GAD",
                                              "attacker_armies": "BAT-a1", "starts": "BAT-a1=G5",
                                              "defender_armies": "GAD-a1"}}
    campaign = ground("987Wi", "battle", rules={"desert_skill": "snow"}, Battles=battle, Units={
        "BAT-u1": {"exhausted": True, "skills": "desert", "name": "Guardia"}, "BAT-u2": {"skills": "swamp"}})

    def said(faction: str, words: str) -> list[Any]:
        view = BLOODLUST.view(campaign, faction)
        found = BLOODLUST.dossier(view, view.by_sheet("Battles")["987Wi-1"], faction)
        return [one.data for one in found if words in one.text]

    assert [one["unit"] for one in said("BAT", "{unit}: REP")] == ["BAT-u2"]
    assert [one["text"] for one in said("BAT", "{unit}, {text}: REP")] == ["Sciabole a cavallo"]
    assert said("GAD", "comes from") == [{"army": "BAT-a1", "start": "G5"}]
    assert [said("BAT", word) for word in ("Exhausted", "Winter", "Swamp")] == [[{"units": "BAT-u1"}], [{}], [{}]]
    assert [one["units"] for one in said("BAT", "But not for")] == ["BAT-u1", "BAT-u2"]
    assert said("GAD", "Winter") == [{}]
    assert said("GAD", "But not for") == []
    assert [one["leader"] for one in said("GAD", "unless")] == ["BAT-m1"]
    assert [bool(said(code, "Once half")) for code in ("GAD", "BAT")] == [True, False]
