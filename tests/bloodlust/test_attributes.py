"""Whose each attribute is: the army's, whoever leads it; each commander's own; the lead's alone (ST, WK)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.bloodlust.battle import FoughtBattle
from assistant.rulesets.bloodlust.dossier import ambush
from assistant.rulesets.bloodlust.realm import Realm
from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import BLOODLUST, ground, play, row, told

OF_THE_ARMY = ("logistic", "movement_advocate", "treasure_hunter", "greedy", "scout", "ambush", "ever_ready",
               "never_ready")
"""The seed says army, all units, or names a test of the whole side: one commander who has it is enough."""
OF_EACH = ("temerity", "coward")
"""For every CinC who has it: they add up in a retreat."""
OF_THE_PERSON = ("courage", "siege_master", "attack_expert", "defensive_expert", "lazy_attacker", "favored",
                 "heavy_drinker", "charisma", "poor_charisma", "unremarkable", "lucky", "minor_weapon", "major_weapon",
                 "foes_foe", "hammer_anvil", "fighting_for_reputation", "undecided")
"""His own zone, fate, weapon, unit, or what he does at the table."""
OF_THE_LEAD = ("gut_feeling",)
"""Dismissed if the CinC is not the leader of the army."""
WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}


def test_every_attribute_is_somebodys() -> None:
    """Each row of the printed tables stands in one of the four lists."""
    printed = sorted(one.code for one in ground().by_sheet("Attributes"))
    assert printed == sorted((*OF_THE_ARMY, *OF_EACH, *OF_THE_PERSON, *OF_THE_LEAD))


def under(attribute: str, army: str = "VOR-a1") -> dict[str, Any]:
    """The commanders of an army: a captain who comes before the marshal, his equal, and leads; the marshal has an
    attribute.
    """
    code = army.partition("-")[0]
    return {f"{code}-m1": {"army": army, "wr": 4, "reputation": 4, "attributes": attribute, "weapon": ""},
            f"{code}-c2": {"faction": code, "rank": "captain", "army": army, "wr": 4, "reputation": 4,
                           "attributes": "", "weapon": ""}}


@pytest.mark.parametrize(("attribute", "fed"), [("logistic", True), ("", False)])
def test_the_army_forages_with_its_marshal(attribute: str, fed: bool) -> None:
    """Logistic adds its success though a captain leads."""
    outcome = play(ground("987Sp", "muster", Leaders=under(attribute)), ["VOR: forage u1 or disband"],
                   {"forage/VOR-u1": "6+6"})
    assert (row(outcome, "Units", "VOR-u1").state == "active") is fed


@pytest.mark.parametrize(("attribute", "battle"), [
    ("movement_advocate", ("S3", "open", "VOR")), ("", ("S3", "meeting", "VOR"))])
def test_the_army_moves_with_its_marshal(attribute: str, battle: tuple[str, str, str]) -> None:
    """War Movement Advocate: the army has +1 in the movement test, whoever leads it."""
    campaign = ground("987Su", "invade", Wars=WAR, Leaders=under(attribute) | {"SEK-m1": {"attributes": ""}},
                      Armies={"VOR-a1": {"node": "V3"}, "VOR-a2": {"node": "V1"}})
    outcome = play(campaign, ["VOR: invade a1 S3", "SEK: invade a1 V3"],
                   {"move/VOR-a1": "1+1+6+6", "move/SEK-a1": "1+1+6+6"})
    assert [(one.node, one.kind, one.attacker) for one in outcome.campaign.by_sheet("Battles")] == [battle]


def won(attribute: str, faces: str) -> Outcome:
    """SEK-a1 has beaten VOR-a2 in V3 and loots."""
    battle = {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR",
              "winner": "attacker", "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3",
              "starts": "SEK-a1=S3", "status": "open"}
    return play(ground("987Su", "battle", Wars=WAR, Leaders=under(attribute, "SEK-a1"),
                       Armies={"VOR-a2": {"node": "V3"}}, Battles={"987Su-1": battle}), (), {"loot/SEK-a1": faces})


@pytest.mark.parametrize(("attribute", "faces", "gain", "greedy"), [
    ("treasure_hunter", "1+6+6+6", 2, ""), ("", "1+6+6+6", 1, ""), ("greedy", "6+6+6+6", 0, "987Fa"),
    ("", "6+6+6+6", 0, "")])
def test_the_army_loots_with_its_marshal(attribute: str, faces: str, gain: int, greedy: str) -> None:
    """Treasure hunter adds a success, and the Greedy's units are disappointed, whoever leads."""
    outcome = won(attribute, faces)
    assert [event["n"] for event in told(outcome, "looted")] == [gain]
    assert row(outcome, "Units", "SEK-u1").greedy_until == greedy


@pytest.mark.parametrize(("attribute", "what"), [
    ("scout", {"scout": 1}), ("ambush", {"own": 1}), ("ever_ready", {"theirs": -1}), ("never_ready", {"theirs": 1})])
def test_the_side_is_surprised_with_its_marshal(attribute: str, what: dict[str, int]) -> None:
    """What counts before the battle is any commander's of the side."""
    battle = {"turn": "987Su", "node": "S3", "kind": "field", "attacker": "VOR", "defender": "SEK",
              "attacker_armies": "VOR-a1", "defender_armies": "SEK-a1", "start_node": "V3", "status": "open"}
    f = Realm(BLOODLUST.game(ground("987Su", "battle", Battles={"987Su-1": battle}, Leaders=under(attribute))))
    fought = FoughtBattle(f, f.battles["987Su-1"])
    lead = fought.attacker.lead
    assert lead is not None
    assert lead.leader == "VOR-c2"
    assert ambush(fought.attacker) == {"dice": 4, "scout": 0, "own": 0, "theirs": 0} | what


@pytest.mark.parametrize(("attribute", "each"), [("temerity", -1), ("coward", 1)])
def test_each_commander_counts_in_a_retreat(attribute: str, each: int) -> None:
    """For every CinC who has it, so two count twice."""
    both = {code: fields | {"attributes": attribute} for code, fields in under(attribute).items()}
    battle = {"turn": "987Su", "node": "S3", "kind": "field", "attacker": "VOR", "defender": "SEK",
              "attacker_armies": "VOR-a1", "defender_armies": "SEK-a1", "start_node": "V3", "status": "open"}
    for leaders, times in ((under(attribute), 1), (both, 2)):
        f = Realm(BLOODLUST.game(ground("987Su", "battle", Battles={"987Su-1": battle}, Leaders=leaders)))
        assert FoughtBattle(f, f.battles["987Su-1"]).attacker.retreat_mods[attribute] == times * each


def test_a_lucky_marshal_helps_no_captain() -> None:
    """Lucky counts in the fate of him who has it."""
    leaders = under("lucky", "SEK-a1")
    battle = {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR",
              "winner": "attacker", "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3",
              "starts": "SEK-a1=S3", "status": "open"}
    down = {f"987Su-1/SEK-{code}": {"down": True} for code in ("m1", "c2")}
    outcome = play(ground("987Su", "battle", Wars=WAR, Leaders=leaders, Armies={"VOR-a2": {"node": "V3"}},
                          Battles={"987Su-1": battle}, BattleLeaders=down), (),
                   {"fate/SEK-m1": "6+6+6+6", "fate/SEK-c2": "6+6+6+6"})
    assert {event["leader"]: event["outcome"] for event in told(outcome, "fate")} == {
        "SEK-m1": "recovered", "SEK-c2": "shaken"}
