"""Chapter 3c after the choice: results of the table, retreats, rearguards, the umpire's dice (8)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.rulesets.giglio.ruleset import FOUGHT_DESPITE_TREATY
from assistant.rulesets.giglio.war import near
from assistant.wording import Wording
from tests.giglio.cases import After, build, case, giglio

COMES = "M move M-1 M5 V8"
NAME = "B1500.3.V8"


def fight(result: str, kind: str = "field", play: str = "r3", more: str = "", **given: Any) -> After:
    """M-1 (200) comes to V8 where V-1 (150, from V9) stands, and attacks; kind rearguard: V goes back."""
    choice = "retreat" if kind == "rearguard" else "stop"
    tables = {"armies": "M-1 200 M5, V-1 150 V8 trail=V9", "orders": COMES, **given}
    return case(
        play, battles=f"{NAME} {result}", answers=f"choice M V8/V = attack\nchoice V V8/M = {choice}\n{more}", **tables
    )


# --- field battles --------------------------------------------------------------------------------
def test_a_battle_waits_for_the_table() -> None:
    """8: without a result the phase stops and asks the referee; the dossier has both sides' ducats."""
    after = case(
        "r3.move r3.contact r3.battle",
        armies="M-1 200 M5, V-1 150 V8 trail=V9",
        orders=COMES,
        answers="choice M V8/V = attack\nchoice V V8/M = stop",
        waits=True,
    )
    assert list(after.questions) == [f"battle_result referee {NAME}"]
    battle = after.battle(NAME)
    assert (battle.type, battle.side_a, battle.side_b, battle.status) == ("field", "M", "V", "open")
    assert (battle.armies_a, battle.value_a, battle.armies_b, battle.value_b) == ("M-1", 200, "V-1", 150)
    assert (battle.turn, battle.round, battle.node) == ("1500", 3, "V8")


@pytest.mark.parametrize(("kind", "there", "rules", "stakes"), [
    ("stop", "", {}, ["If beaten, M-1 goes back to M5.", "If beaten, V-1 goes back to V9."]),
    ("stop", "P-1 9 V9", {}, ["If beaten, M-1 goes back to M5.", "If beaten, V-1 is destroyed: it has no way back."]),
    ("stop", "P-1 9 V9", {"loser_no_retreat": "half"}, ["If beaten, M-1 goes back to M5.",
     "If beaten, V-1 loses half of its ducats and stays: it has no way back."]),
    ("retreat", "", {}, ["M-1 stays where it is, whoever wins.", "V-1 goes back to V9, whoever wins; if the rearguard "
                         "is beaten, 10 % of its ducats are lost besides and it goes back 1 node more."]),
])
def test_the_dossier_says_what_the_loser_risks(kind: str, there: str, rules: dict[str, str], stakes: list[str]) -> None:
    """8.2, 8.4: the way back of a beaten army or what it comes to without one; who pursues stays in any case."""
    after = case("r3.move r3.contact", armies=f"M-1 200 M5, V-1 150 V8 trail=V9, {there}", orders=COMES, rules=rules,
                 answers=f"choice M V8/V = attack\nchoice V V8/M = {kind}")
    told = [said for club in "MV" for said in giglio().dossier(after.campaign, after.battle(NAME), club)]
    wording = Wording(giglio(), "en")
    assert [wording.text(said.text, **said.data) for said in told if said.label == "At stake"] == stakes


def test_the_attacker_may_lose() -> None:
    """3c: the losing army goes back one node; the place stays its owner's."""
    after = fight("played b 80 20")
    assert (after.army("M-1").value, after.army("M-1").node, after.army("M-1").trail) == (120, "M5", "")
    assert (after.army("V-1").value, after.army("V-1").node) == (130, "V8")
    assert after.node("V8").owner == "V"
    assert after.event("battle.result", battle=NAME, winner="V")
    assert after.unchanged_except("M-1", "V-1")


def test_who_has_won_may_be_told_by_name() -> None:
    """The form of a result: a side is told by its letter, its code or the name that the drop-down offers."""
    for typed in ("b", "V", "Venice", "venezia"):
        after = fight(f"played {typed} 80 20", factions="V name_en=Venice name_it=Venezia")
        assert after.event("battle.result", battle=NAME, winner="V")


@pytest.mark.parametrize(("treaty", "told"), [("M V 1502", True), ("F M 1502", False)])
def test_who_fought_in_spite_of_a_treaty_reads_so(treaty: str, told: bool) -> None:
    """A treaty without passage stands after a battle of its two, and both read that from their own view."""
    after = fight("played a 30 80", alliances=treaty)
    for club in "MV":
        dues = giglio().dues(giglio().view(after.campaign, club), club)
        assert (FOUGHT_DESPITE_TREATY in [said.text for said in dues]) is told


@pytest.mark.parametrize(("made", "told"), [("r3.move", True), ("r4.move", False)])
def test_a_battle_before_the_treaty_was_made_is_none_in_spite_of_it(made: str, told: bool) -> None:
    """A treaty of the same summer counts from the round in whose marches it was made."""
    after = fight("played a 30 80", alliances="M V 1502")
    after.campaign.table(Event).add(Event(no=900, turn="1500", phase=made, audience="M V", event="alliance.made",
                                          data={"a": "V", "b": "M", "until": 1502, "passage": "no_passage"}))
    dues = giglio().dues(giglio().view(after.campaign, "M"), "M")
    assert (FOUGHT_DESPITE_TREATY in [said.text for said in dues]) is told


def test_what_may_be_answered_ahead_begins_with_what_is_near() -> None:
    """The example in the form is of a club whose army stands within a step, and of a place that is as near."""
    view = giglio().view(build("r1.move", armies="P-1 200 P9, V-1 150 V11"), "V")
    choice, bribe = (next(iter(giglio().questions[kind].subjects(view, "V"))) for kind in ("choice", "bribe"))
    assert choice == "V11/P"
    assert bribe in near(view, {"V11"})


def test_after_a_draw_all_stay_and_meet_again() -> None:
    """After the battle: draw: all stay; contact again next round."""
    after = case(
        "r3 r4.move r4.contact",
        armies="M-1 200 M5, V-1 150 V8 trail=V9",
        orders=COMES,
        battles=f"{NAME} played draw 30 40",
        waits=True,
        answers="r3.contact choice M V8/V = attack\nr3.contact choice V V8/M = stop",
    )
    assert (after.army("M-1").value, after.army("M-1").node) == (170, "V8")
    assert (after.army("V-1").value, after.army("V-1").node) == (110, "V8")
    assert set(after.questions) == {"choice M V8/V", "choice V V8/M"}
    assert after.event("battle.result", battle=NAME).data["winner"] == "draw"
    assert after.node("V8").owner == "V"


def test_an_army_that_loses_everything_is_destroyed() -> None:
    """After the battle: an army at 0 is destroyed."""
    after = fight("played a 0 150")
    assert after.gone("V-1")
    assert after.army("M-1").value == 200
    assert after.event("army.lost", army="V-1", node="V8", why="battle").audience == "all"
    assert after.unchanged_except("M-1", "V-1", "V8")


def test_a_winner_may_be_destroyed_too() -> None:
    """After the battle: the figures of the table are taken as they are."""
    after = fight("played a 200 10")
    assert after.gone("M-1")
    assert after.army("V-1").node == "V9"
    assert after.node("V8").owner == "V"


def test_sappers_of_a_destroyed_army_are_dead_or_gone_with_it() -> None:
    """t33: a sapper posted with an army that is destroyed serves no more."""
    after = fight("played a 0 150", specialists="V-S1 sapper V-1")
    assert after.specialist("V-S1").status == "dead"


def test_losses_fall_on_several_armies_in_proportion() -> None:
    """After the battle: default in proportion to value, rounded down, the odd ducat by largest fraction."""
    armies = "M-1 200 M5, V-1 100 V8 trail=V9, V-2 50 V8 trail=V9"
    asked = fight("played a 10 40", play="r3.move r3.contact r3.battle", armies=armies, waits=True)
    assert list(asked.questions) == [f"allot V {NAME}/b"]
    default = asked.questions[f"allot V {NAME}/b"].default
    assert default == "V-1=27 V-2=13"  # 26.67 and 13.33
    after = fight("played a 10 40", armies=armies, more=f"allot V {NAME}/b = {default}")
    assert (after.army("V-1").value, after.army("V-2").value) == (73, 37)
    assert (after.army("V-1").node, after.army("V-2").node) == ("V9", "V9")


def test_odd_ducats_of_equal_armies_go_by_code() -> None:
    """After the battle: ties by code."""
    asked = fight(
        "played a 10 33",
        play="r3.move r3.contact r3.battle",
        waits=True,
        armies="M-1 200 M5, V-2 50 V8 trail=V9, V-10 50 V8 trail=V9",
    )
    assert asked.questions[f"allot V {NAME}/b"].default == "V-2=17 V-10=16"


def test_the_loser_says_which_armies_bleed() -> None:
    """After the battle: the club allots its losses itself; the winner too."""
    after = fight(
        "played a 30 40",
        armies="M-1 100 M5, M-2 100 M5, V-1 100 V8 trail=V9, V-2 50 V8 trail=V9",
        orders=f"{COMES}\nM move M-2 M5 V8",
        more=f"allot V {NAME}/b = V-2=40\nallot M {NAME}/a = M-1=10 M-2=20",
    )
    assert [after.army(a).value for a in ("M-1", "M-2", "V-1", "V-2")] == [90, 80, 100, 10]


@pytest.mark.parametrize("answer", ["V-1=20 V-2=10", "V-2=60", "V-1=10 M-1=30", "forty", "V-1=-10 V-2=50"])
def test_an_allotment_that_does_not_fit_is_asked_again(answer: str) -> None:
    """After the battle: GIG-108 when the sum is wrong or an army has fewer."""
    case(
        "r3.move r3.contact r3.battle",
        armies="M-1 200 M5, V-1 100 V8 trail=V9, V-2 50 V8 trail=V9",
        orders=COMES,
        battles=f"{NAME} played a 10 40",
        waits=True,
        findings=f"1500.r3.battle.allot.V.{NAME}/b GIG-108",
        answers=f"choice M V8/V = attack\nchoice V V8/M = stop\nallot V {NAME}/b = {answer}",
    )


# --- the form -------------------------------------------------------------------------------------
FORMS = [
    ("field", "played - 10 20", "GIG-104"),
    ("field", "played c 10 20", "GIG-104"),
    ("field", "played Florence 10 20", "GIG-104"),
    ("field", "played a 201 20", "GIG-103"),
    ("field", "played a 10 151", "GIG-103"),
    ("field", "played a -1 20", "GIG-103"),
    ("field", "played a ten 20", "GIG-103"),
    ("field", "played a 1.5 20", "GIG-103"),
    ("field", "played a - 20", "GIG-103"),
    ("field", "played - 999 20", "GIG-104"),
    ("rearguard", "played - 5 10 rearguard_value=37 pursuer_value=60 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=151 pursuer_value=60 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=40 pursuer_value=81 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=150 pursuer_value=201 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=40 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=40 pursuer_value=60 units_lost=1", "GIG-105"),
    ("rearguard", "played - 5 10 rearguard_value=40 pursuer_value=60 units_exited=-1 units_lost=1", "GIG-105"),
    ("rearguard", "played a 5 10 rearguard_value=40 pursuer_value=60 units_exited=3 units_lost=1", "GIG-110"),
    ("rearguard", "played b 5 10 rearguard_value=40 pursuer_value=60 units_exited=1 units_lost=1", "GIG-110"),
    ("rearguard", "played - 61 10 rearguard_value=40 pursuer_value=60 units_exited=3 units_lost=1", "GIG-103"),
    ("rearguard", "played - 5 41 rearguard_value=40 pursuer_value=60 units_exited=3 units_lost=1", "GIG-103"),
    ("rearguard", "played a 999 10 rearguard_value=1 pursuer_value=60 units_exited=3 units_lost=1", "GIG-105"),
    ("rearguard", "played a 999 10 rearguard_value=40 pursuer_value=60 units_exited=3 units_lost=1", "GIG-110"),
]


@pytest.mark.parametrize(("kind", "form", "code"), FORMS, ids=[f"{c} {f}" for _, f, c in FORMS])
def test_a_form_that_fails_a_check_changes_nothing(kind: str, form: str, code: str) -> None:
    """The form of a result: the first failing check in the order 105, 110, 104, 103 speaks; the question stays open."""
    after = fight(form, kind, play="r3.move r3.contact r3.battle", waits=True, findings=f"{NAME} {code}")
    assert list(after.questions) == [f"battle_result referee {NAME}"]
    assert (after.army("M-1").value, after.army("V-1").value) == (200, 150)
    assert after.battle(NAME).status == "open"


@pytest.mark.parametrize("form", ["played a 200 0", "played a 0 150", "played draw 0 0"])
def test_the_bounds_of_losses_are_allowed(form: str) -> None:
    """The form of a result: whole, 0 up to the value."""
    assert fight(form, play="r3.move r3.contact r3.battle").battle(NAME).status == "played"


# --- beaten without a way back --------------------------------------------------------------------
def beaten(armies: str, **given: Any) -> After:
    """V-1 is beaten at V8; how it may go depends on the armies and places."""
    return fight("played a 10 20", armies=f"M-1 200 M5, {armies}", **given)


def test_a_beaten_army_takes_an_own_free_neighbour() -> None:
    """Ways back: without a legal previous position an own node joined by road: V9 is the only one."""
    after = beaten("V-1 150 V8 trail=F7, F-1 30 F7")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "")


def test_of_several_the_owner_chooses() -> None:
    """Ways back: several own free nodes: retreat_to, the first in natural order by default."""
    given: dict[str, Any] = {"armies": "M-1 200 M5, V-1 150 V8", "nodes": "P8 owner=V"}
    asked = fight("played a 10 20", play="r3.move r3.contact r3.battle", waits=True, **given)
    assert list(asked.questions) == [f"retreat_to V {NAME}/V-1"]
    assert asked.options(f"retreat_to V {NAME}/V-1") == ["P8", "V9"]
    assert asked.questions[f"retreat_to V {NAME}/V-1"].default == "P8"
    after = fight("played a 10 20", more=f"retreat_to V {NAME}/V-1 = V9", **given)
    assert after.army("V-1").node == "V9"
    case(
        "r3.move r3.contact r3.battle",
        battles=f"{NAME} played a 10 20",
        waits=True,
        orders=COMES,
        answers=f"choice M V8/V = attack\nchoice V V8/M = stop\nretreat_to V {NAME}/V-1 = F7",
        findings=f"1500.r3.battle.retreat_to.V.{NAME}/V-1 GIG-109",
        **given,
    )


def test_foreign_land_is_no_refuge_except_where_one_came_from() -> None:
    """Ways back: without own neighbours the army is destroyed, though open foreign land lies around."""
    after = beaten("V-1 150 V8", nodes="V9 owner=P")
    assert after.gone("V-1")
    assert after.event("army.lost", army="V-1", why="no retreat")


def test_the_enemys_own_road_is_no_refuge() -> None:
    """Ways back: an own neighbour by which a later opponent came in is closed."""
    after = fight(
        "played a 10 20",
        armies="M-1 200 V9, V-1 150 V8 arrived_year=1500 arrived_round=1 arrived_no=1",
        orders="M move M-1 V9 V8",
    )
    assert after.gone("V-1")


@pytest.mark.parametrize(
    "bar",
    [
        {"armies": "M-1 200 M5, V-1 150 V8, P-1 9 V9"},
        {"nodes": "V9 owner=V", "bans": "V V8 V9 3 3", "armies": "M-1 200 M5, V-1 150 V8"},
    ],
)
def test_a_barred_own_node_is_no_refuge(bar: dict[str, Any]) -> None:
    """Ways back: free in the same sense: no other faction's marker, no ban."""
    assert fight("played a 10 20", **bar).gone("V-1")


def test_a_loser_without_retreat_may_lose_half_and_stay() -> None:
    """loser_no_retreat half: reading of the garbled English: it loses half and stays."""
    after = beaten("V-1 150 V8", nodes="V9 owner=P", rules={"loser_no_retreat": "half"})
    assert (after.army("V-1").value, after.army("V-1").node) == (65, "V8")
    assert after.node("V8").owner == "V"


def test_each_army_of_the_beaten_side_goes_its_own_way() -> None:
    """After the battle: each army of the loser goes back by its own trail, or is destroyed."""
    after = fight(
        "played a 10 20",
        nodes="V9 owner=P",
        armies="M-1 200 M5, V-1 100 V8 trail=V9, V-2 50 V8 trail=P8, V-3 50 V8",
        more=f"allot V {NAME}/b = V-1=20",
    )
    assert (after.army("V-1").node, after.army("V-2").node) == ("V9", "P8")
    assert after.gone("V-3")


# --- rearguard actions ----------------------------------------------------------------------------
REAR = "played - {} {} rearguard_value={} pursuer_value={} units_exited={} units_lost={}"


def test_a_lost_rearguard_costs_a_tenth_and_another_node() -> None:
    """Rearguard actions: V-1 goes back to V9, loses 10% of 150 besides its 20, and goes on to V0 along its trail."""
    after = fight(REAR.format(5, 20, 40, 80, 1, 2), "rearguard", armies="M-1 200 M5, V-1 150 V8 trail=V0+V9")
    assert (after.army("V-1").value, after.army("V-1").node, after.army("V-1").trail) == (150 - 20 - 15, "V0", "")
    assert (after.army("M-1").value, after.army("M-1").node) == (195, "V8")
    assert after.event("battle.result", battle=NAME, winner="M")


@pytest.mark.parametrize("trail", ["V0+V9", "P8", ""])
def test_an_envoy_goes_the_second_node_too(trail: str) -> None:
    """Table 33: beside a beaten rearguard he goes where the army goes, whatever way brought him there."""
    after = fight(REAR.format(5, 20, 40, 80, 1, 2), "rearguard", armies="M-1 200 M5, V-1 150 V8 trail=V0+V9, "
                  f"V-2 0 V8 kind=diplomat revealed={'no' if trail else 'yes'} trail={trail}")
    assert (after.army("V-1").node, after.army("V-2").node) == ("V0", "V0")
    assert len(after.events("rearguard.no_further")) == 0


def test_an_envoy_stays_beside_an_army_that_can_go_no_further() -> None:
    """Rearguard actions: with no second node the army stays at V9, and its envoy with it."""
    after = fight(REAR.format(0, 20, 40, 80, 0, 2), "rearguard", nodes="V0 owner=P, V11 owner=P",
                  armies="M-1 200 M5, V-1 150 V8 trail=V9, V-2 0 V8 kind=diplomat trail=V9")
    assert (after.army("V-1").node, after.army("V-2").node) == ("V9", "V9")


def test_as_many_out_as_lost_is_a_defeat() -> None:
    """3c: the number that exits must be greater than that of routed, destroyed or captured."""
    after = fight(REAR.format(0, 0, 40, 80, 2, 2), "rearguard", armies="M-1 200 M5, V-1 150 V8 trail=V0+V9")
    assert after.event("battle.result", battle=NAME, winner="M")
    assert after.army("V-1").value == 135


def test_the_tenth_is_rounded_up_and_at_most_what_is_left() -> None:
    """Rearguard actions: 10% of 151 is 16; of an army that has 5 left it takes 5."""
    assert (
        fight(REAR.format(0, 20, 40, 80, 0, 2), "rearguard", armies="M-1 200 M5, V-1 151 V8 trail=V0+V9")
        .army("V-1")
        .value
        == 151 - 20 - 16
    )
    after = fight(REAR.format(0, 145, 150, 200, 0, 2), "rearguard")
    assert after.gone("V-1")


def test_the_second_node_is_an_own_free_neighbour_when_the_trail_ends() -> None:
    """Rearguard actions: from V9 on: not the battle node; V0 and V11 are free: asked, V0 by default."""
    form = REAR.format(0, 20, 40, 80, 0, 2)
    asked = fight(form, "rearguard", play="r3.move r3.contact r3.battle", waits=True)
    assert list(asked.questions) == [f"retreat_to V {NAME}/V-1/2"]
    assert asked.options(f"retreat_to V {NAME}/V-1/2") == ["V0", "V11"]
    after = fight(form, "rearguard", more=f"retreat_to V {NAME}/V-1/2 = V11")
    assert (after.army("V-1").node, after.army("V-1").value) == ("V11", 115)


def test_with_no_second_node_they_stay() -> None:
    """Rearguard actions: none: they stay, and the owner is told."""
    after = fight(REAR.format(0, 20, 40, 80, 0, 2), "rearguard", nodes="V0 owner=P, V11 owner=P")
    assert after.army("V-1").node == "V9"
    assert after.audience("rearguard.no_further", army="V-1") == {"V"}


def test_the_winner_of_a_rearguard_goes_back_one_node() -> None:
    """Rearguard actions: the pursued armies go back one node in any case; won: nothing further."""
    after = fight(REAR.format(30, 10, 40, 80, 4, 0), "rearguard", armies="M-1 200 M5, V-1 150 V8 trail=V0+V9")
    assert (after.army("V-1").node, after.army("V-1").value, after.army("M-1").value) == ("V9", 140, 170)
    assert after.unchanged_except("M-1", "V-1", "V8")


def test_the_pursuer_may_be_the_side_without_the_hand() -> None:
    """t34: hand retreats, other attacks: the other is side a."""
    after = case(
        "r3",
        armies="M-1 200 M5 trail=M4, V-1 150 V8 trail=V9",
        orders=COMES,
        answers="choice M V8/V = retreat\nchoice V V8/M = attack",
        battles=f"{NAME} " + REAR.format(15, 0, 50, 100, 3, 0),
    )
    assert (after.army("M-1").node, after.army("M-1").trail, after.army("M-1").value) == ("M5", "M4", 200)
    assert (after.army("V-1").node, after.army("V-1").value) == ("V8", 135)
    assert after.node("V8").owner == "V"


def test_losses_of_several_pursued_armies_are_allotted_twice() -> None:
    """Questions: the table's losses, then the extra 10%, each allotted by the club."""
    armies = "M-1 200 M5, V-1 100 V8 trail=V0+V9, V-2 50 V8 trail=V0+V9"
    after = fight(
        REAR.format(0, 20, 40, 80, 0, 2),
        "rearguard",
        armies=armies,
        more=f"allot V {NAME}/b = V-1=20\nallot V {NAME}/b+ = V-2=15",
    )
    assert (after.army("V-1").value, after.army("V-2").value) == (80, 35)
    assert (after.army("V-1").node, after.army("V-2").node) == ("V0", "V0")


# --- the umpire's dice ----------------------------------------------------------------------------
def auto(m: int, v: int, dice: tuple[int, int], **given: Any) -> After:
    """The battle is not played: m against v ducats, the dice of M and V."""
    return fight(
        "auto",
        armies=f"M-1 {m} M5, V-1 {v} V8 trail=V0+V9",
        dice={f"auto:{NAME}:M": dice[0], f"auto:{NAME}:V": dice[1]},
        **given,
    )


@pytest.mark.parametrize(
    ("m", "v", "dice", "m_left", "v_left", "winner"),
    [
        (100, 100, (7, 7), 90, 90, "draw"),  # equal totals: 10% each
        (100, 100, (8, 7), 90, 70, "M"),  # 10% and 30%
        (100, 100, (12, 7), 90, 50, "M"),  # margin 5: a rout, half
        (100, 100, (11, 7), 90, 70, "M"),  # margin 4: no rout
        (124, 100, (7, 7), 111, 90, "draw"),  # 24% is no step; 13 of 124 rounded up
        (125, 100, (7, 7), 112, 70, "M"),  # one step
        (200, 100, (6, 10), 180, 90, "draw"),  # four steps, the most
        (300, 100, (6, 10), 270, 90, "draw"),  # still four
        (300, 100, (6, 11), 210, 90, "V"),
        (100, 175, (9, 6), 90, 157, "draw"),  # three steps for V; 18 of 175
        (33, 33, (9, 8), 29, 23, "M"),  # 4 of 33, 10 of 33: rounded up
    ],
)
def test_the_umpires_dice(m: int, v: int, dice: tuple[int, int], m_left: int, v_left: int, winner: str) -> None:
    """8.5: 2d6 a side, +1 per full 25% of superiority, at most 4; losses 10, 30 or 50 percent."""
    after = auto(m, v, dice)
    assert after.event("battle.result", battle=NAME).data["winner"] == winner
    assert (after.army("M-1").value, after.army("V-1").value) == (m_left, v_left)
    assert (after.army("M-1").node, after.army("V-1").node) == (
        "M5" if winner == "V" else "V8",
        "V9" if winner == "M" else "V8",
    )
    assert after.battle(NAME).status == "auto"
    assert {r.audience for r in after.phase("r3.battle").rolls} == {"M+V"}


def test_a_dead_commander_counts_one_less() -> None:
    """Battles that are not played: -1 for a side whose commander was killed this round."""
    after = fight(
        "auto",
        armies="M-1 100 M5, V-1 100 V8 trail=V9, P-1 9 P8",
        specialists="P-S1 assassin",
        orders=f"{COMES}\nP assassinate P-S1 commander V-1",
        dice={"assassin:P-S1:1500:3": 5, f"auto:{NAME}:M": 7, f"auto:{NAME}:V": 7},
    )
    assert (after.army("M-1").value, after.army("V-1").value) == (90, 70)


def test_a_commander_killed_last_round_counts_no_more() -> None:
    """Battles that are not played: only this round's."""
    after = fight(
        "auto", armies="M-1 100 M5, V-1 100 V8 trail=V9 leaderless=2", dice={f"auto:{NAME}:M": 7, f"auto:{NAME}:V": 7}
    )
    assert after.army("V-1").value == 90


def test_an_unplayed_rearguard_engages_a_part() -> None:
    """Battles that are not played: rearguard of 150: 38 ducats against min(200, 76) = 76, which is +4 for the pursuer.

    7 + 4 against 8: M wins by 3: M loses 8 of 76, V 12 of 38, then 10% of 150, and goes on to V0.
    """
    after = fight(
        "auto",
        "rearguard",
        armies="M-1 200 M5, V-1 150 V8 trail=V0+V9",
        dice={f"auto:{NAME}:M": 7, f"auto:{NAME}:V": 8},
    )
    assert after.army("M-1").value == 200 - 8
    assert (after.army("V-1").value, after.army("V-1").node) == (150 - 12 - 15, "V0")


def test_an_even_throw_lets_the_rearguard_escape() -> None:
    """Battles that are not played: equal: in a rearguard action the rearguard wins."""
    after = fight(
        "auto",
        "rearguard",
        armies="M-1 200 M5, V-1 150 V8 trail=V0+V9",
        dice={f"auto:{NAME}:M": 4, f"auto:{NAME}:V": 8},
    )
    assert after.event("battle.result", battle=NAME, winner="V")
    assert (after.army("V-1").node, after.node("V8").owner) == ("V9", "M")
    assert after.army("M-1").value == 200 - 23  # the pursuer loses 30% of the 76 engaged
    assert after.army("V-1").value == 150 - 4  # and the rearguard 10% of its 38


def test_the_numbers_of_the_umpire_are_data() -> None:
    """Numbers: a club may change the losses."""
    after = auto(100, 100, (8, 7), rules={"auto_win_pct": 0, "auto_lose_pct": 20})
    assert (after.army("M-1").value, after.army("V-1").value) == (100, 80)


# --- meeting battles ------------------------------------------------------------------------------
def test_the_loser_of_a_meeting_battle_goes_back_too() -> None:
    """After the battle: a meeting battle ends like a field battle; winner a is the side that chose the terrain."""
    after = case(
        "r3",
        armies="M-1 90 M5, V-1 70 V8 trail=V9",
        orders=COMES,
        battles=f"{NAME} played a 10 20",
        answers="choice M V8/V = attack\nchoice V V8/M = attack",
        dice={f"side:{NAME}:M": 2, f"side:{NAME}:V": 3},
    )
    assert (after.army("V-1").value, after.army("V-1").node) == (60, "V8")
    assert (after.army("M-1").value, after.army("M-1").node) == (70, "M5")
    assert {r.audience for r in after.phase("r3.contact").rolls} == {"M+V"}


def test_the_winner_besieges_from_the_next_round() -> None:
    """After the battle: the winner stays, takes the open node at the end of the round, besieges from the next."""
    after = fight("played a 10 20", nodes="V8 walls=intact")
    assert after.node("V8").owner == "V"
    after = fight("played a 10 20", nodes="V8 garrison=yes")
    assert after.node("V8").owner == "V"


def test_results_may_come_one_by_one() -> None:
    """3d Sieges: results are asked all at once, and the phase waits for the last."""
    after = case(
        "r3.move r3.contact r3.battle",
        order="M V F P S",
        waits=True,
        battles=f"{NAME} played a 10 20",
        armies="M-1 90 M5, V-1 70 V8 trail=V9, P-1 60 P8, F-1 50 F7",
        orders=f"{COMES}\nP move P-1 P8 F7",
        answers="""choice M V8/V = attack
                            choice V V8/M = stop
                            choice P F7/F = attack
                            choice F F7/P = stop""",
    )
    assert list(after.questions) == ["battle_result referee B1500.3.F7"]
    assert after.army("V-1").node == "V8"
