"""What is handed over for a battle: one's own side in full, of the other its commanders, nothing to outsiders."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.bloodlust.battle import FoughtBattle
from assistant.rulesets.bloodlust.dossier import ambush, lead_rep_bonus, zone_of_command
from assistant.rulesets.bloodlust.realm import Realm
from assistant.wording import Wording
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
    assert zone_of_command(f, f.leaders["VOR-m1"]) == inches


def _fought(campaign: Campaign) -> FoughtBattle:
    f = Realm(BLOODLUST.game(campaign))
    return FoughtBattle(f, f.battles["987Su-1"])


@pytest.mark.parametrize(("kind", "attributes", "attacker", "defender"), [
    ("open", "attack_expert", 1, 0), ("open", "lazy_attacker", -1, 0), ("open", "defensive_expert", 0, 1),
    ("open", "siege_master", 0, 0), ("relief", "siege_master defensive_expert", 1, 2)])
def test_the_unit_of_the_lead(kind: str, attributes: str, attacker: int, defender: int) -> None:
    """Attack and Defensive Expert, Lazy attacker and Siege Master change the REP of the lead's unit."""
    both = {"attributes": attributes, "weapon": ""}
    battle = _fought(ground("987Su", "battle", Battles={"987Su-1": BATTLE["987Su-1"] | {"kind": kind}},
                            Leaders={"SEK-m1": both, "VOR-m1": both}))
    assert (lead_rep_bonus(battle.attacker), lead_rep_bonus(battle.defender)) == (attacker, defender)


@pytest.mark.parametrize(("stack", "own"), [("once", 2), ("each", 3)])
def test_x35_what_a_side_adds_to_an_ambush(stack: str, own: int) -> None:
    """X35: Guerilla +1 a side, or a unit by `guerilla_stack`, and Ambush +1; Ever ready takes 1 from the others'."""
    battle = _fought(ground(
        "987Su", "battle", rules={"guerilla_stack": stack}, Battles=BATTLE,
        Leaders={"VOR-m1": {"attributes": "ambush ever_ready"}, "SEK-m1": {"attributes": "scout never_ready"}},
        Units={"VOR-u1": {"skills": "guerilla"}, "VOR-u2": {"skills": "guerilla light"}}))
    assert ambush(battle.defender) == {"dice": 4, "scout": 0, "own": own, "theirs": -1}
    assert ambush(battle.attacker) == {"dice": 4, "scout": 1, "own": 0, "theirs": 1}


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
    """Each army's start; who is exhausted, and what costs dice in Winter and swamp; of the other side's commanders
    the zone without what attributes nobody knows, and what these may do; what a nation of the rules may order.
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
    assert [(one["text"], one["text_it"]) for one in said("BAT", "{unit}, {text}: REP")] == [
        ("Sabre horse", "Sciabole a cavallo")]
    assert said("GAD", "comes from") == [{"army": "BAT-a1", "start": "G5"}]
    assert [said("BAT", word) for word in ("Exhausted", "Winter:", "Swamp:")] == [[{"units": "BAT-u1"}], [{}], [{}]]
    assert [one["units"] for words in ("Desert, no", "Swamp, no") for one in said("BAT", words)] == ["BAT-u1", "BAT-u2"]
    assert said("GAD", "Winter:") == [{}]
    assert [(one["leader"], one["z"]) for one in said("GAD", "unless")] == [("BAT-m1", 9)]
    assert said("GAD", "Charisma makes it") == [{"n": 4, "j": 3, "m": 2, "c": "-2"}]
    assert said("BAT", "has Charisma") == [{"leader": "BAT-m1", "n": 4, "j": 3}]
    assert said("GAD", "has Charisma") == []
    assert [said(code, "Once {n}%") for code in ("GAD", "BAT")] == [[{"n": 50, "faction": "GAD"}], []]


def worded(campaign: Campaign, faction: str, lang: str) -> list[str]:
    """The sentences of a dossier as a club reads them."""
    view, words = BLOODLUST.view(campaign, faction), Wording(BLOODLUST, lang)
    return [words.text(one.text, **one.data)
            for one in BLOODLUST.dossier(view, view.by_sheet("Battles")["987Su-1"], faction)]


SAYS = {
    "wood": ("no penalty when fighting in woodland", "nessuna penalità nel combattere nei boschi"),
    "swamp": ("no penalty when fighting in a swamp", "nessuna penalità nel combattere nelle paludi"),
    "jungle": ("no penalty when fighting in the jungle", "nessuna penalità nel combattere nella giungla"),
    "desert": ("no penalty when fighting in the desert", "nessuna penalità nel combattere nel deserto"),
    "winter": ("no penalty when fighting in winter or snow", "nessuna penalità nel combattere d'inverno o nella neve"),
    "slow": ("movement 1 less", "movimento 1 in meno"), "fast": ("movement 1 more", "movimento 1 in più"),
    "defensive": ("may build defences when defending", "può costruire difese quando si difende"),
    "guerilla": ("1 more for an ambush", "1 in più per un'imboscata"),
    "siege": ("REP 1 higher in a siege", "REP più alta di 1 in un assedio"),
    "offensive": ("REP 1 higher when the army attacks", "REP più alta di 1 quando l'armata attacca"),
    "armored": ("never in ambush", "mai in imboscata")}


@pytest.mark.parametrize("skill", SAYS)
def test_a_skill_stands_there_as_what_it_does(skill: str) -> None:
    """What a skill does on the table is a sentence with the units that have it, and no bare word behind a unit."""
    campaign = ground("987Su", "battle", Battles=BATTLE, Units={
        "VOR-u1": {"skills": f"{skill} light"}, "VOR-u2": {"skills": "light homemade"}})
    for lang, words in zip(("en", "it"), SAYS[skill], strict=True):
        said = worded(campaign, "VOR", lang)
        assert [line.rpartition(": ")[2] for line in said if words in line] == ["VOR-u1."]
        word = Wording(BLOODLUST, lang).word(skill)
        assert not [line for line in said if line.endswith((f", {word}.", f", {word}, light."))]
        assert [line for line in said if line.endswith(", homemade.")]


@pytest.mark.parametrize(("key", "option", "skill", "words"), [
    ("desert_skill", "snow", "desert", "Desert, no penalty when fighting in winter or snow"),
    ("def_unit_dice", "-1", "defensive", "in melee an attack die and a defence die less"),
    ("guerilla_stack", "each", "guerilla", "for each unit")])
def test_a_switch_says_what_a_skill_does(key: str, option: str, skill: str, words: str) -> None:
    """Where the book can be read in two ways the sentence is that of the switch."""
    def said(rules: dict[str, str]) -> bool:
        campaign = ground("987Su", "battle", rules=rules, Battles=BATTLE, Units={"VOR-u1": {"skills": skill}})
        return any(words in line for line in worded(campaign, "VOR", "en"))

    assert said({key: option})
    assert not said({})


def test_what_commanders_are_and_what_their_zone_does() -> None:
    """A marshal of either side is a Star and Larger than Life, a captain who threw Lucky Larger than Life; a zone is
    worth 1 in morale tests; what a commander's attributes have changed in his zone is said.
    """
    campaign = ground("987Su", "battle", Battles=BATTLE, Leaders={
        "VOR-m1": {"attributes": "unremarkable"}, "SEK-c1": {"army": "SEK-a1"},
        "VOR-c1": {"army": "VOR-a1", "attributes": "larger_than_life poor_charisma", "weapon": ""}})
    said = worded(campaign, "VOR", "en")
    assert [line for line in said if "Larger than Life" in line] == [
        "SEK-m1 is a Star and Larger than Life, as every marshal.",
        "VOR-m1 is a Star and Larger than Life, as every marshal.", "VOR-c1 is Larger than Life."]
    assert [line for line in said if "add 1 to their morale tests" in line]
    assert "VOR-m1 is Unremarkable: -2\" on the zone." in said
    assert "VOR-c1 has Poor charisma: the zone is 2 times the reputation, not 3." in said
    assert [line for line in worded(campaign, "VOR", "it") if "è una Stella e Più grande della vita" in line]
    assert [line for line in worded(campaign, "VOR", "it") if "aggiungono 1 alle prove di morale" in line]


def test_a_desert_that_costs_dice_says_so() -> None:
    """`desert_dice` is said where the battle is in a desert."""
    campaign = ground("987Su", "battle", rules={"desert_dice": 2}, Battles=BATTLE, Nodes={"V3": {"terrain": "desert"}})
    assert "Desert: 2 attack dice less in melee." in worded(campaign, "VOR", "en")


def test_attributes_are_told_once_and_in_the_reader_s_language() -> None:
    """One that a commander has of his own and of his weapon is told once; printed words go by the reader's language,
    those that somebody has written stand as they are, in workbooks of either language.
    """
    campaign = ground("987Su", "battle", Battles=BATTLE, Attributes={"strength/6": {"effect": "sees far"}},
                      Leaders={"VOR-m1": {"attributes": "temerity scout", "weapon": "K9"}},
                      Weapons={"K9": {"name": "Bite", "attributes": "temerity", "bearer": "VOR-m1"}})
    for desk in ("en", "it"):
        campaign.desk.language = desk
        english, italian = ([line for line in worded(campaign, "VOR", lang) if line.startswith("VOR-m1, ")
                             and "WR" not in line] for lang in ("en", "it"))
        assert english == [
            "VOR-m1, Temerity: retreat -1 success; table: 2d6 test each turn; failed, he attacks the unit in front of "
            "him.", "VOR-m1, Scout: sees far."]
        assert italian == [
            "VOR-m1, Temerario: ritirata -1 successo; al tavolo: prova di 2d6 ogni turno; se fallisce, attacca l'unità "
            "davanti a lui.", "VOR-m1, Esploratore: sees far."]
