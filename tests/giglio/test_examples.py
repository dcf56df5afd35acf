"""The worked examples of the rulebook: P1 to P6 as printed in the book, E1 to E32 (rulebook: Worked examples)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import BESIEGED, EPIDEMIC, SEA_NODES, SEA_ROADS, case, quiet_winter

ITALY = Path(__file__).parents[2] / "workbook_templates" / "giglio" / "italy-1500"
AT_SEA: dict[str, Any] = {"nodes": SEA_NODES, "roads": SEA_ROADS}
M_COMES = "M move M-1 M5 V8"
BOTH_AT_V8 = "M-1 90 M5, V-1 70 V8 trail=V9"


# --- printed in the book --------------------------------------------------------------------------
def test_p1_from_v8_v8_f7_moves_the_army_to_f7() -> None:
    """P1: `From V8 V8 F7` moves the only army at V8 along V8 F7."""
    after = case("r3.move", armies="V-1 90 V8", orders="V: From V8 V8 F7")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("F7", "V8")
    assert after.event("army.moved", army="V-1").audience == "all"
    assert after.unchanged_except("V-1")


def test_p1_v8_v0_goes_through_the_only_middle_node() -> None:
    """P1: `V8 V0` is the path V8 V9 V0, because V9 is the only own node joined to both."""
    after = case("r3.move", armies="V-1 90 V8", orders="V: V8 V0")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V0", "V8 V9")
    assert after.unchanged_except("V-1")


@pytest.mark.parametrize("there", ["V9", "M5", "F8", "F7", "P8", "S11"])
def test_p2_from_v8_one_reaches_its_six_neighbours_and_comes_back(there: str) -> None:
    """P2: from V8 you can access V9, M5, F8, F7, P8, S11 and vice versa."""
    out = case("r3.move", armies="V-1 90 V8", orders=f"V: V8 {there}")
    assert out.army("V-1").node == there
    back = case("r3.move", armies=f"V-1 90 {there}", orders=f"V: {there} V8")
    assert back.army("V-1").node == "V8"


@pytest.mark.parametrize("beyond", ["P9", "M4", "F0", "V11", "S12"])
def test_p2_nothing_else_is_joined_to_v8(beyond: str) -> None:
    """P2: to any other place there is no road, and no own middle node leads to a foreign one."""
    if beyond == "V11":
        after = case("r3.move", armies="V-1 90 V8", orders=f"V: V8 {beyond}")
        assert after.army("V-1").trail == "V8 V9"
        return
    after = case("r3.move", armies="V-1 90 V8", orders=f"V: V8 {beyond}", findings="o1 GIG-050")
    assert after.unchanged_except()


@pytest.mark.parametrize(
    ("node", "joined"), [("V8", {"V9", "M5", "F8", "F7", "P8", "S11"}), ("SV2", {"HRI9", "S6", "SV8"})]
)
def test_p2_the_map_of_italy_has_the_printed_adjacencies(node: str, joined: set[str]) -> None:
    """P2: V8 and SV2 are joined to the places that the organiser's note names, and to no others."""
    with (ITALY / "roads.csv").open(encoding="utf-8-sig", newline="") as file:
        ways = [(row["a"], row["b"]) for row in csv.DictReader(file) if row["kind"] in ("", "road")]
    assert {b for a, b in ways if a == node} | {a for a, b in ways if b == node} == joined


def test_p3_no_other_movement_before_a_border() -> None:
    """P3: when it crosses a border an army must not be making other movements before."""
    after = case(
        "r3.move", armies="V-1 90 V9, V-2 50 V8", orders="V move V-1 V9 V8 M5\nV move V-2 V8 M5", findings="o1 GIG-053"
    )
    assert after.army("V-1").node == "V9"
    assert (after.army("V-2").node, after.army("V-2").trail) == ("M5", "V8")
    assert after.unchanged_except("V-2")


@pytest.mark.parametrize("number", [1, 2])
def test_p4_in_april_florence_may_not_march_from_f0_to_s12(number: int) -> None:
    """P4: in the April phases the movement of Firenze from F0 to S12 is prohibited."""
    after = case(
        f"r{number}.move", armies="F-1 90 F0", bans="F F0 S12 1 2", orders="F move F-1 F0 S12", findings="o1 GIG-054"
    )
    assert after.unchanged_except()


def test_p4_in_may_the_road_is_open() -> None:
    """P4: from the third round Firenze marches from F0 to S12."""
    after = case("r3.move", armies="F-1 90 F0", bans="F F0 S12 1 2", orders="F move F-1 F0 S12")
    assert after.army("F-1").node == "S12"
    assert after.unchanged_except("F-1")


def test_p4_the_ban_binds_florence_and_that_direction_only() -> None:
    """P4: others may march from F0 to S12 in April, and Firenze may come back."""
    other = case("r1.move", armies="V-1 90 F0", bans="F F0 S12 1 2", orders="V move V-1 F0 S12")
    assert other.army("V-1").node == "S12"
    back = case("r1.move", armies="F-1 90 S12", bans="F F0 S12 1 2", orders="F move F-1 S12 F0")
    assert back.army("F-1").node == "F0"


# --- spring ---------------------------------------------------------------------------------------
def test_e1_cities_villages_and_fortresses_pay_and_the_loan_is_repaid() -> None:
    """E1 (2a): three cities, a fortress and a village bring 150 ducats; the loan of 50 is repaid."""
    after = case(
        "income",
        bare=True,
        start=1499,
        factions="F 20",
        nodes="F0 site=city, F3 site=city, N1 site=city owner=F walls=damaged, F4 site=fortress, F2",
        loans="F 1499 40 50",
    )
    assert after.chest("F") == 120
    assert after.row(g.Loan, "F/1499").status == "repaid"
    tax = after.event("income.tax", faction="F", cities=120, villages=10, fortresses=20, total=150)
    assert tax.audience == "F"
    assert after.event("loan.repaid", faction="F", amount=50)
    assert after.next == "budget"
    assert after.unchanged_except("F", "F/1499")


def test_e2_who_cannot_repay_loses_goods_of_equal_value() -> None:
    """E2 (2a): the chest pays 50 of 100, the greater army goes, the rest comes off the lesser."""
    after = case(
        "income",
        bare=True,
        start=1499,
        factions="M 10",
        nodes="M0 site=city, M5",
        rules={"tax_village": 0},
        armies="M-1 45 M5, M-2 30 M5",
        loans="M 1499 80 100",
    )
    assert after.chest("M") == 0
    assert after.gone("M-1")
    assert after.army("M-2").value == 25
    assert (after.row(g.Loan, "M/1499").status, after.row(g.Loan, "M/1499").confiscated_year) == ("confiscated", 1500)
    assert after.event("loan.confiscated", faction="M").data["written_off"] == 0
    assert after.event("army.lost", army="M-1", why="confiscated")
    assert after.unchanged_except("M", "M-1", "M-2", "M/1499")


def test_e3_the_loan_comes_first_and_each_row_is_paid_when_its_turn_comes() -> None:
    """E3 (2a, 2b): 120 + 20 pay for fleet, men, garrison and the Strategos, not for the works too."""
    after = case(
        "budget",
        factions="V 120 fleet_cap=2",
        armies="V-1 40 V0",
        findings="o5 GIG-020",
        orders="""
        V fleet V0
        V loan 20
        V recruit 30 V0
        V garrison V9
        V fortify V8
        V bid 20""",
    )
    assert after.chest("V") == 5
    assert after.fleet("V-F1").node == "V0"
    assert after.army("V-1").value == 70
    assert after.node("V9").garrison
    assert after.node("V8").walls == "none"
    assert (after.row(g.Loan, "V/1500").amount, after.row(g.Loan, "V/1500").due) == (20, 25)
    assert after.clock.strategos == "V"
    assert (after.finding("GIG-020")["cost"], after.finding("GIG-020")["left"]) == (50, 25)
    assert after.unchanged_except("V", "V-1", "V-F1", "V9", "V/1500")


def test_e4_equal_bids_for_strategos_are_thrown_for_until_one_is_higher() -> None:
    """E4 (t33): Venezia and Spagna bid 25 each and throw 3 and 3, then 2 and 5: Spagna pays."""
    after = case(
        "budget",
        bare=True,
        factions="V 50, S 50, P 50",
        orders="V bid 25\nS bid 25\nP bid 20",
        dice={"strategos:V:1500": 3, "strategos:S:1500": 3, "strategos:V:1500:t2": 2, "strategos:S:1500:t2": 5},
    )
    assert (after.chest("V"), after.chest("S"), after.chest("P")) == (50, 25, 50)
    assert after.clock.strategos == "S"
    assert after.event("strategos.won", faction="S").audience == "all"
    assert after.all_dice_given
    assert after.unchanged_except("S")


def test_e4_without_a_strategos_the_order_is_drawn_and_ties_throw_again() -> None:
    """E4 (t33): V 11, S 17, P 11, then V 4 and P 9: Spagna, Papato, Venezia."""
    after = case(
        "open",
        bare=True,
        factions="V, S, P",
        dice={"order:V:1500": 11, "order:S:1500": 17, "order:P:1500": 11, "order:V:1500:t2": 4, "order:P:1500:t2": 9},
    )
    assert [after.faction(f).move_rank for f in ("S", "P", "V")] == [1, 2, 3]
    assert after.all_dice_given
    assert after.next == "r1.move"


def test_e5_the_last_of_two_marches_of_one_army_stands() -> None:
    """E5: V-1 hands over 30 ducats and marches by its later row; the earlier one is replaced."""
    after = case(
        "r3.move",
        armies="V-1 100 V9, V-2 50 V9",
        findings="o2 GIG-006",
        orders="""
        V transfer 30 V-1 V-2
        V move V-1 V9 V0
        V move V-1 V9 V8""",
    )
    assert (after.army("V-1").value, after.army("V-1").node, after.army("V-1").trail) == (70, "V8", "V9")
    assert (after.army("V-2").value, after.army("V-2").node) == (80, "V9")
    assert after.statuses == {"o1": "accepted", "o2": "replaced", "o3": "accepted"}
    assert after.unchanged_except("V-1", "V-2")


E6: dict[str, Any] = {"factions": "M 200", "nodes": "V8 owner=M, V9 owner=M", "armies": "M-1 50 V8"}


def test_e6_works_are_immediate_at_home_and_where_an_army_stands() -> None:
    """E6, P6 (Amendments): own node and army's node at once; a held node without army takes a year."""
    after = case(
        "r4.move",
        **E6,
        findings="o2 GIG-038",
        orders="""
        M fortify V8
        M fortify V9
        M garrison V8 M-1
        M fortify M5""",
    )
    assert after.chest("M") == 50
    assert (after.node("V8").walls, after.node("V8").garrison) == ("intact", True)
    assert (after.node("V9").walls, after.node("M5").walls) == ("none", "intact")
    assert after.army("M-1").value == 40
    assert (after.work("V9").ready_year, after.work("V9").status) == (1502, "under_way")
    assert {"M", "M-1", "V8", "M5"} < after.changed


@pytest.mark.parametrize(("owner", "walls", "status"), [("V", "none", "lost"), ("M", "intact", "done")])
def test_e6_the_works_are_ready_in_january_if_the_place_is_still_held(owner: str, walls: str, status: str) -> None:
    """E6: in January 1502 the walls of V9 stand; if Venezia has V9 back the works are lost."""
    after = case("income", year=1502, nodes=f"V9 owner={owner}", works="V9 M fortify 1502 ordered=1500.r4.move")
    assert after.node("V9").walls == walls
    assert after.work("V9").status == status
    assert after.event(f"works.{status}", node="V9").audience == "all"


def test_e7_an_army_leaves_a_garrison_as_it_passes() -> None:
    """E7 (2b): from an army that crosses V9 ten ducats stay there as its garrison."""
    after = case("r4.move", armies="V-1 90 V0", orders="V garrison V9 V-1\nV move V-1 V0 V9 V8")
    assert after.node("V9").garrison
    assert (after.army("V-1").value, after.army("V-1").node, after.army("V-1").trail) == (80, "V8", "V0 V9")
    assert after.event("garrison.placed", node="V9", faction="V").audience == "all"
    assert after.unchanged_except("V9", "V-1")


# --- marches and meetings -------------------------------------------------------------------------
def test_e8_who_is_reached_before_its_turn_is_pinned() -> None:
    """E8 (3b): Papato marches first and finds V-1 at V8; Papato goes back, V-1 has lost its march."""
    after = case(
        "r3.move r3.contact",
        order="P V M F S",
        armies="V-1 90 V8, P-1 80 P8",
        pinned="o1",
        orders="V move V-1 V8 F7\nP move P-1 P8 V8",
        answers="choice P V8/V = retreat\nchoice V V8/P = stop",
    )
    contact = after.contact("V8")
    assert (contact.hand, contact.other, contact.outcome) == ("P", "V", "hand_back")
    assert (after.army("P-1").node, after.army("P-1").trail) == ("P8", "")
    assert after.army("V-1").node == "V8"
    assert after.audience("move.pinned", army="V-1", node="V8") == {"V"}
    assert after.event("contact.met", node="V8", hand="P", other="V").audience == "all"
    assert after.unchanged_except()


def test_e9_both_retreat_and_the_node_keeps_its_owner() -> None:
    """E9 (t34): retreat against retreat: M-1 is back at M5, V-1 at V9, V8 stays Venetian."""
    after = case("r3", armies=BOTH_AT_V8, orders=M_COMES, answers="choice M V8/V = retreat\nchoice V V8/M = retreat")
    assert after.contact("V8").outcome == "both_back"
    assert (after.army("M-1").node, after.army("M-1").trail) == ("M5", "")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "")
    assert after.node("V8").owner == "V"
    assert after.unchanged_except("V-1")


@pytest.mark.parametrize(
    ("later", "code"),
    [
        ("r4 M move M-1 V8 F7", "GIG-057"),
        ("r4 V move V-1 V8 F7", "GIG-057"),
        ("r4 M siege M-1 V8", "GIG-068"),
        ("r4 V move V-1 V8 V9 V0", "GIG-057"),
    ],
)
def test_e9_face_to_face_there_is_only_the_way_back(later: str, code: str) -> None:
    """E9 (t34): stop against stop bars the passage: next round only the previous position is open."""
    after = case(
        "r3 r4.move",
        armies=BOTH_AT_V8,
        nodes="V8 walls=intact",
        orders=f"{M_COMES}\n{later}",
        answers="r3.contact choice M V8/V = stop\nr3.contact choice V V8/M = stop",
        findings=f"o2 {code}",
    )
    assert after.phase("r3.contact").campaign.table(g.Contact)["C1500.3.V8.M-V"].outcome == "stay"
    assert (after.army("M-1").node, after.army("V-1").node) == ("V8", "V8")
    assert after.unchanged_except("M-1")


@pytest.mark.parametrize(
    ("later", "army", "there"), [("r4 M move M-1 V8 M5", "M-1", "M5"), ("r4 V move V-1 V8 V9", "V-1", "V9")]
)
def test_e9_the_step_back_is_legal(later: str, army: str, there: str) -> None:
    """E9 (t34): M-1 may go to M5, V-1 to V9, and its trail is shorter by that place."""
    after = case(
        "r3 r4.move",
        armies=BOTH_AT_V8,
        orders=f"{M_COMES}\n{later}",
        answers="r3.contact choice M V8/V = stop\nr3.contact choice V V8/M = stop",
    )
    assert (after.army(army).node, after.army(army).trail) == (there, "")


def test_e9_retreat_is_not_offered_when_the_previous_position_is_held() -> None:
    """E9 (t34): Papato holds V9 with an army, so Venezia may only stop or attack."""
    after = case(
        "r3.move r3.contact", armies=f"{BOTH_AT_V8}, P-1 60 V9", nodes="V9 owner=P", orders=M_COMES, waits=True
    )
    assert after.options("choice V V8/M") == ["stop", "attack"]
    assert after.options("choice M V8/V") == ["stop", "retreat", "attack"]


def test_e10_in_a_meeting_battle_the_higher_die_chooses_side_and_terrain() -> None:
    """E10: both attack; 4 and 4, then M 2 and V 3: Venezia chooses and is side a."""
    after = case(
        "r3.move r3.contact",
        armies=BOTH_AT_V8,
        orders=M_COMES,
        answers="choice M V8/V = attack\nchoice V V8/M = attack",
        dice={"side:B1500.3.V8:M": 4, "side:B1500.3.V8:V": 4, "side:B1500.3.V8:M:t2": 2, "side:B1500.3.V8:V:t2": 3},
    )
    battle = after.battle("B1500.3.V8")
    assert (battle.type, battle.side_pick, battle.status) == ("meeting", "V", "open")
    assert (battle.side_a, battle.armies_a, battle.value_a) == ("V", "V-1", 70)
    assert (battle.side_b, battle.armies_b, battle.value_b) == ("M", "M-1", 90)
    assert after.contact("V8").outcome == "meeting"
    assert after.event("battle.offered", battle="B1500.3.V8", node="V8", type="meeting").audience == "all"
    assert after.unchanged_except("M-1")


def test_e11_a_spy_tells_an_army_from_an_envoy() -> None:
    """E11 (t33): V is told 95 ducats, F that M-2 is a diplomat; V shuts itself in, the envoy is taken."""
    after = case(
        "r3.move r3.contact",
        nodes="V8 walls=intact",
        armies="M-1 95 M5, M-2 0 P8 kind=diplomat, V-1 60 V8, F-1 70 F7",
        specialists="V-S1 spy, F-S1 spy",
        orders=f"{M_COMES}\nM move M-2 P8 F7",
        answers="""choice M V8/V = stop
                            choice V V8/M = shut_in
                            choice M F7/F = stop
                            choice F F7/M = attack""",
    )
    assert after.event("spy.report", army="M-1", kind="army", value=95).audience == "V"
    assert after.event("spy.report", army="M-2", kind="diplomat", value=0).audience == "F"
    assert (after.contact("V8").outcome, after.contact("F7").outcome) == ("shut_in", "diplomat_taken")
    assert after.army("V-1").posture == "shut_in"
    assert after.gone("M-2")
    assert after.event("army.lost", army="M-2", why="captured diplomat").audience == "all"
    assert not after.rows(g.Battle)
    assert after.unchanged_except("M-1", "M-2", "V-1")


M_ATTACKS = "choice M V8/V = attack\nchoice V V8/M = stop"
FIELD: dict[str, Any] = {"armies": "M-1 200 M5, V-1 150 V8 trail=V9", "orders": M_COMES, "answers": M_ATTACKS}


def test_e12_the_loser_goes_back_one_node_and_the_winner_takes_the_place() -> None:
    """E12 (3c): M wins for 26 ducats, V loses 55 and goes back to V9; M walks into V8."""
    after = case("r3", **FIELD, battles="B1500.3.V8 played a 26 55")
    assert (after.army("M-1").value, after.army("M-1").node, after.army("M-1").trail) == (174, "V8", "M5")
    assert (after.army("V-1").value, after.army("V-1").node, after.army("V-1").trail) == (95, "V9", "")
    assert after.node("V8").owner == "M"
    assert after.battle("B1500.3.V8").status == "played"
    assert after.event("battle.result", battle="B1500.3.V8", winner="M").audience == "all"
    assert after.audience("battle.losses", battle="B1500.3.V8", losses_a=26, losses_b=55) == {"M", "V"}
    assert after.event("place.taken", node="V8", by="M", frm="V", how="walked in")
    assert after.event("army.retreated", army="V-1", frm="V8", to="V9")
    assert after.unchanged_except("M-1", "V-1", "V8")


def test_e13_a_beaten_army_without_a_way_back_is_destroyed() -> None:
    """E13 (3c): the enemy came in by V-1's own road and Papato holds V9: V-1 is destroyed."""
    after = case(
        "r3",
        nodes="V9 owner=P",
        orders=M_COMES,
        answers=M_ATTACKS,
        battles="B1500.3.V8 played a 26 55",
        armies="M-1 200 M5, P-1 50 V9, V-1 150 V8 trail=M5 arrived_year=1500 arrived_round=2 arrived_no=1",
    )
    assert after.gone("V-1")
    assert after.event("army.lost", army="V-1", node="V8", why="no retreat").audience == "all"
    assert (after.army("M-1").value, after.node("V8").owner) == (174, "M")
    assert after.unchanged_except("M-1", "V-1", "V8")


PURSUIT = "choice M V8/V = attack\nchoice V V8/M = retreat"


def test_e14_a_rearguard_that_leaves_with_more_than_it_loses_has_won() -> None:
    """E14 (3c): three companies off the table against one lost: V-1 is safe at V9 with 110."""
    after = case(
        "r3",
        orders=M_COMES,
        answers=PURSUIT,
        armies="M-1 200 M5, V-1 120 V8 trail=V0+V9",
        battles="B1500.3.V8 played - 5 10 rearguard_value=30 pursuer_value=60 units_exited=3 units_lost=1",
    )
    battle = after.battle("B1500.3.V8")
    assert (battle.type, battle.side_a, battle.side_b) == ("rearguard", "M", "V")
    assert after.event("battle.result", battle="B1500.3.V8", winner="V")
    assert (after.army("V-1").value, after.army("V-1").node, after.army("V-1").trail) == (110, "V9", "V0")
    assert (after.army("M-1").value, after.army("M-1").node) == (195, "V8")
    assert after.node("V8").owner == "M"
    assert after.unchanged_except("M-1", "V-1", "V8")


def test_e15_a_battle_that_is_not_played_is_thrown_for() -> None:
    """E15: 160 against 100 is +2; 11 against 6 is a rout: V loses half, M a tenth."""
    after = case(
        "r3",
        orders=M_COMES,
        answers=M_ATTACKS,
        armies="M-1 160 M5, V-1 100 V8 trail=V9",
        battles="B1500.3.V8 auto",
        dice={"auto:B1500.3.V8:M": 9, "auto:B1500.3.V8:V": 6},
    )
    assert (after.army("V-1").value, after.army("V-1").node) == (50, "V9")
    assert (after.army("M-1").value, after.army("M-1").node) == (144, "V8")
    assert after.battle("B1500.3.V8").status == "auto"
    assert after.all_dice_given
    assert after.unchanged_except("M-1", "V-1", "V8")


# --- sieges ---------------------------------------------------------------------------------------
def test_e16_a_siege_is_thrown_for_each_round_until_seven_is_reached() -> None:
    """E16 (t35): 3 + 1 + 1 - 2 - 1 holds; with two bribes and a second round 5 makes 7 and V8 falls."""
    after = case(
        "r3 r4 r5.move",
        factions="M 100",
        nodes="V8 walls=intact garrison=yes",
        armies="M-1 100 V8 trail=M5 arrived_year=1500 arrived_round=2 arrived_no=1",
        specialists="M-S1 sapper M-1",
        orders="r3 M siege M-1 V8\nr5 M repair V8",
        answers="r3.siege bribe M V8 = 0\nr4.siege bribe M V8 = 50",
        dice={"siege:V8:1500:3": 3, "siege:V8:1500:4": 5},
    )
    first, second = (e.roll for e in after.events("siege.roll", node="V8"))
    assert dict(first["modifiers"]) == {
        "full rounds besieging": 1,
        "besieger's sapper": 1,
        "garrison": -2,
        "walls": -1,
    }
    assert dict(second["modifiers"]) == {
        "full rounds besieging": 2,
        "besieger's sapper": 1,
        "bribes": 2,
        "garrison": -2,
        "walls": -1,
    }
    assert (first["total"], first["passed"], second["total"], second["passed"]) == (2, False, 7, True)
    assert after.event("siege.held", node="V8")
    assert after.event("siege.fell", node="V8")
    assert after.event("place.taken", node="V8", by="M", frm="V", how="siege")
    taken = after.phase("r4.siege").campaign.table(g.Node)["V8"]
    assert (taken.owner, taken.garrison, taken.walls) == ("M", False, "damaged")
    assert after.army("M-1").value == 80
    assert (after.chest("M"), after.node("V8").walls) == (20, "intact")
    assert after.gone("V8/M")
    assert after.all_dice_given
    assert after.unchanged_except("M", "M-1", "V8")


def test_e17_the_besieger_may_pass_by_a_shut_in_army() -> None:
    """E17 (3c): M-1 ignores V-1 inside V8 and takes open F7; V-1 is in the field again."""
    after = case(
        "r3",
        nodes="V8 walls=intact",
        armies="V-1 60 V8 posture=shut_in, M-1 90 V8 trail=M5",
        orders="M move M-1 V8 F7\nV move V-1 V8 V9",
        findings="o2 GIG-056",
    )
    assert (after.army("M-1").node, after.army("M-1").trail) == ("F7", "M5 V8")
    assert (after.node("F7").owner, after.node("V8").owner) == ("M", "V")
    assert (after.army("V-1").node, after.army("V-1").posture) == ("V8", "field")
    assert after.audience("army.released", army="V-1") == {"V"}
    assert after.unchanged_except("M-1", "V-1", "F7")


def test_e18_an_army_that_sallies_out_has_the_hand() -> None:
    """E18: V-1 comes out and stops, M-1 goes back: the siege is lifted and costs nothing."""
    after = case(
        "r3",
        nodes="V8 walls=intact",
        armies="V-1 60 V8 posture=shut_in, M-1 90 V8 trail=M5",
        sieges="V8 M 1",
        orders="V come_out V-1",
        answers="choice V V8/M = stop\nchoice M V8/V = retreat",
    )
    contact = after.contact("V8")
    assert (contact.hand, contact.outcome) == ("V", "other_back")
    assert (after.army("M-1").node, after.army("M-1").trail, after.army("M-1").value) == ("M5", "", 90)
    assert (after.army("V-1").node, after.army("V-1").posture) == ("V8", "field")
    assert after.gone("V8/M")
    assert after.event("siege.lifted", node="V8")
    assert after.event("army.came_out", army="V-1", node="V8").audience == "all"
    assert after.unchanged_except("V-1", "M-1", "V8/M")


def test_e19_two_assassins_for_one_sapper() -> None:
    """E19 (t33): the first kills the sapper M-S4, the second finds nobody; both are spent."""
    after = case(
        "r3.move",
        armies="M-1 90 M5",
        specialists="V-S1 assassin, V-S2 assassin, M-S4 sapper M-1",
        orders="V assassinate V-S1 sapper M-1\nV assassinate V-S2 sapper M-1",
        dice={"assassin:V-S1:1500:3": 6, "assassin:V-S2:1500:3": 5},
    )
    assert after.specialist("M-S4").status == "dead"
    assert (after.specialist("V-S1").status, after.specialist("V-S2").status) == ("spent", "spent")
    assert after.audience("assassin.success", kind="sapper") == {"V"}
    assert after.audience("assassin.nobody") == {"V"}
    assert after.audience("victim.struck", kind="sapper") == {"M"}
    assert after.no_event("assassin.exposed")
    assert after.unchanged_except("V-S1", "V-S2", "M-S4")


# --- fleets ---------------------------------------------------------------------------------------
def test_e20_two_fleets_repel_one() -> None:
    """E20 (fleets): two Venetian fleets meet a Turkish one in Z6: it goes back to T2, they stay."""
    after = case(
        "r3.move",
        factions="T",
        **AT_SEA,
        fleets="T-F1 T2, V-F1 Z7, V-F2 Z5",
        orders="T sail T-F1 T2 Z6\nV sail V-F1 Z7 Z6\nV sail V-F2 Z5 Z6",
    )
    assert (after.fleet("T-F1").node, after.fleet("T-F1").came_from) == ("T2", "Z6")
    assert (after.fleet("V-F1").node, after.fleet("V-F1").came_from) == ("Z6", "Z7")
    assert (after.fleet("V-F2").node, after.fleet("V-F2").came_from) == ("Z6", "Z5")
    assert after.event("fleet.repelled", fleet="T-F1", frm="Z6", to="T2").audience == "all"
    assert after.no_event("fleet.lost")
    assert after.unchanged_except("T-F1", "V-F1", "V-F2")


def test_e20_one_fleet_against_one_both_step_back() -> None:
    """E20 (fleets): one against one, the two fleets repel each other taking a step back."""
    after = case(
        "r3.move", factions="T", **AT_SEA, fleets="T-F1 T2, V-F1 Z7", orders="T sail T-F1 T2 Z6\nV sail V-F1 Z7 Z6"
    )
    assert (after.fleet("T-F1").node, after.fleet("V-F1").node) == ("T2", "Z7")
    assert len(after.events("fleet.repelled")) == 2
    assert after.unchanged_except("T-F1", "V-F1")


@pytest.mark.parametrize(("majority", "stay"), [("only_vs_one", False), ("majority", True)])
def test_e21_three_against_two_where_only_a_single_fleet_is_outnumbered(majority: str, stay: bool) -> None:
    """E21 (only_vs_one): two Turks, two Venetians and their Spanish partner all go back."""
    after = case(
        "r3.move",
        factions="T",
        **AT_SEA,
        rules={"fleet_majority": majority},
        alliances="S V 1502 passage=yes",
        fleets="T-F1 T2, T-F2 T2, V-F1 Z7, V-F2 Z7, S-F1 S4",
        orders="""
        T sail T-F1 T2 Z6
        T sail T-F2 T2 Z6
        V sail V-F1 Z7 Z6
        V sail V-F2 Z7 Z6
        S sail S-F1 S4 Z6""",
    )
    assert (after.fleet("T-F1").node, after.fleet("T-F2").node) == ("T2", "T2")
    assert {after.fleet(f).node for f in ("V-F1", "V-F2")} == ({"Z6"} if stay else {"Z7"})
    assert after.fleet("S-F1").node == ("Z6" if stay else "S4")
    assert after.unchanged_except("T-F1", "T-F2", "V-F1", "V-F2", "S-F1")


def test_e22_a_storm_takes_the_fleet_with_all_its_cargo() -> None:
    """E22 (storm): T-1 has embarked and sailed, the storm comes and the fleet throws 6: both are lost."""
    after = case(
        "r3.move",
        factions="T",
        **AT_SEA,
        fleets="T-F1 T2, V-F1 V0",
        armies="T-1 80 T2",
        orders="T embark T-1 T-F1\nT sail T-F1 T2 Z6",
        dice={"storm:1500:3": 6, "stormfleet:T-F1:1500:3": 6},
    )
    assert after.gone("T-F1", "T-1")
    assert after.event("storm.rises").audience == "all"
    assert after.event("fleet.lost", fleet="T-F1", node="Z6", why="storm").audience == "all"
    assert after.event("army.lost", army="T-1", why="drowned")
    assert "stormfleet:V-F1:1500:3" not in after.throws
    assert after.unchanged_except("T-F1", "T-1")


def test_e23_a_fleet_without_orders_sails_home() -> None:
    """E23 (fleets): fleets cannot remain stationary, except when in a port: V-F1 sails towards V0."""
    after = case("r3.move", factions="T", **AT_SEA, fleets="V-F1 Z5", findings="V-F1 GIG-076")
    assert (after.fleet("V-F1").node, after.fleet("V-F1").came_from) == ("Z6", "Z5")
    assert after.audience("fleet.homeward", fleet="V-F1", to="Z6") == {"V"}
    assert after.unchanged_except("V-F1")


# --- treaties, winter, the end --------------------------------------------------------------------
def test_e24_a_partner_with_passage_neither_fights_nor_shares_the_node() -> None:
    """E24 (passage): M-1 stays behind V-1; when V8 is empty it enters and the village stays Venetian."""
    after = case(
        "r3 r4",
        armies="M-1 90 M5, V-1 70 V8",
        alliances="M V 1502 passage=yes",
        orders="r3 M move M-1 M5 V8\nr4 V move V-1 V8 V9\nr4 M move M-1 M5 V8",
    )
    third = after.phase("r3.move").campaign
    assert third.table(g.Army)["M-1"].node == "M5"
    assert after.audience("move.ally_ahead", army="M-1") == {"M"}
    assert not after.rows(g.Contact)
    assert (after.army("M-1").node, after.army("V-1").node, after.node("V8").owner) == ("V8", "V9", "V")
    assert after.unchanged_except("M-1", "V-1")


def test_e25_a_treaty_needs_the_same_row_of_both() -> None:
    """E25 (treaties): V and P agree; F has sent nothing, is asked and refuses."""
    after = case(
        "budget",
        findings="o3 GIG-090",
        answers="ally_confirm F V = refuse",
        orders="""
        V ally P no_passage 1502
        P ally V no_passage 1502
        V ally F passage 1502""",
    )
    treaty = after.treaty("P", "V")
    assert (treaty.since, treaty.until, treaty.passage, treaty.status) == (1500, 1502, False, "active")
    assert len(after.rows(g.Alliance)) == 1
    assert after.audience("alliance.made") == {"P", "V"}
    assert after.audience("alliance.refused") == {"F", "V"}
    assert after.unchanged_except("P/V/1500")


def test_e26_winter_throws_for_events_and_sends_the_hirelings_home() -> None:
    """E26 (4): famine halves the cities of F, V has luck; assassin, envoy and siege are gone."""
    after = case(
        "winter income",
        bare=True,
        factions="F, V, M",
        nodes="F0 site=city, F3 site=city, V0 site=city, V8 walls=intact, M5 site=city",
        armies="V-1 50 V0, V-2 0 V0 kind=diplomat, M-1 90 V8",
        sieges="V8 M 4",
        specialists="V-S1 assassin",
        dice={"event:F:1500": 6, "eventtable:F:1500": 2, "event:V:1500": 5, "event:M:1500": 1},
    )
    assert (after.chest("F"), after.chest("V"), after.chest("M")) == (40, 50, 40)
    assert after.faction("F").pending_event == 2
    assert after.specialist("V-S1").status == "expired"
    assert after.gone("V-2", "V8/M")
    assert after.event("marker.withdrawn", army="V-2").audience == "all"
    assert after.event("winter.event", faction="F", event_no=2).audience == "all"
    assert len(after.events("winter.quiet")) == 2
    assert (after.clock.turn, after.next) == ("1501", "budget")
    assert after.all_dice_given
    assert after.unchanged_except("F", "V", "M", "V-S1", "V-2", "V8/M")


def test_e27_an_epidemic_kills_companies_on_four_to_six() -> None:
    """E27 (3a): 100 ducats without a list are companies of 40, 40, 20; the last two die."""
    after = case(
        "open",
        **EPIDEMIC,
        dice={"order:F:1500": 9, "epidemic:F-1.1:1500": 3, "epidemic:F-1.2:1500": 4, "epidemic:F-1.3:1500": 6},
    )
    assert after.army("F-1").value == 40
    assert after.event("epidemic.struck", node="F3").audience == "all"
    assert after.audience("epidemic.loss", army="F-1", lost=60) == {"F"}
    assert after.all_dice_given
    assert after.changed <= {"F", "F-1"}


def test_e28_spring_feels_the_events_of_winter() -> None:
    """E28 (t36): disaster takes walls but no tax; indulgence doubles cities; a good harvest pays 15."""
    after = case(
        "income",
        bare=True,
        factions="V pending_event=6 pending_node=V6, HRI pending_event=5, CH pending_event=4",
        nodes="V6 site=city walls=intact, HRI0 site=city, HRI1, CH1, CH3 site=fortress",
    )
    assert (after.chest("V"), after.chest("HRI"), after.chest("CH")) == (40, 90, 35)
    assert after.node("V6").walls == "none"
    assert after.event("event.disaster", faction="V", node="V6").audience == "all"
    assert after.unchanged_except("V", "HRI", "CH", "V6")


def test_e29_a_fleet_in_a_port_that_is_taken_is_lost() -> None:
    """E29 (port): T-1 stands alone in the open port S4: it is taken and S-F1 in it is lost."""
    after = case("r3.siege", factions="T", **AT_SEA, armies="T-1 60 S4", fleets="S-F1 S4")
    assert after.node("S4").owner == "T"
    assert after.gone("S-F1")
    assert after.event("fleet.lost", fleet="S-F1", node="S4", why="port taken").audience == "all"
    assert after.event("place.taken", node="S4", by="T", frm="S", how="walked in")
    assert after.unchanged_except("S4", "S-F1")


def test_e30_of_those_who_reached_their_objective_the_richest_wins() -> None:
    """E30 (objectives): V by ports, F by its possessions, M by capitals; M has most ducats and wins."""
    after = case(
        "final",
        bare=True,
        year=1504,
        factions="V 10 objective=ports, F 20 objective=keep, M 30 objective=capitals",
        nodes="V0 capital=yes port=yes, V1 port=yes, F0 capital=yes, F1, M0 capital=yes",
    )
    end = after.event("campaign.end")
    assert end.audience == "all"
    assert all(code in str(end.data["reached"]) for code in "VFM")
    assert [code for code in "VFM" if code in str(end.data["winners"])] == ["M"]
    assert after.next == "over"
    assert after.unchanged_except()


def test_e31_crossing_first_lets_an_army_march_on_at_home() -> None:
    """E31 (crossing_first): V-1 at F7 orders F7 V8 V9 and ends at V9."""
    after = case("r3.move", armies="V-1 90 F7", orders="V move V-1 F7 V8 V9", rules={"border_move": "crossing_first"})
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "F7 V8")
    assert after.unchanged_except("V-1")


def test_e31_by_default_the_crossing_is_the_whole_move() -> None:
    """E31 (whole): the same order is refused."""
    after = case("r3.move", armies="V-1 90 F7", orders="V move V-1 F7 V8 V9", findings="o1 GIG-053")
    assert after.unchanged_except()


# --- E32: refusals at a glance --------------------------------------------------------------------
def test_e32_men_are_recruited_in_cities_only() -> None:
    """E32: recruiting at the village V8 is refused."""
    after = case("budget", factions="V 100", orders="V recruit 50 V8", findings="o1 GIG-024")
    assert after.unchanged_except()


def test_e32_a_nation_has_no_more_fleets_than_allowed() -> None:
    """E32: a third Venetian fleet is refused."""
    after = case(
        "budget", factions="V 100 fleet_cap=2", fleets="V-F1 V0, V-F2 V0", orders="V fleet V0", findings="o1 GIG-030"
    )
    assert after.unchanged_except()


def test_e32_what_is_fortified_is_not_fortified_again() -> None:
    """E32: fortifying V0 is refused."""
    after = case("budget", factions="V 100", orders="V fortify V0", findings="o1 GIG-034")
    assert after.unchanged_except()


def test_e32_nobody_besieges_his_own_place() -> None:
    """E32: the siege of V8 by Venezia is refused."""
    after = case("r3.move", armies="V-1 90 V8", orders="V siege V-1 V8", findings="o1 GIG-066")
    assert after.unchanged_except()


def test_e32_an_open_empty_place_needs_no_siege() -> None:
    """E32: the siege of open F7 is refused."""
    after = case("r3.move", armies="V-1 90 F7", orders="V siege V-1 F7", findings="o1 GIG-067")
    assert after.unchanged_except()


def test_e32_a_beach_is_not_for_sailing() -> None:
    """E32: `sail Z7 P7` is refused; the fleet, without an order, sails home."""
    after = case(
        "r3.move",
        nodes="Z7 site=sea, P7",
        roads="Z7 V0 lane, Z7 P7 coast",
        fleets="V-F1 Z7",
        orders="V sail V-F1 Z7 P7",
        findings="o1 GIG-081, V-F1 GIG-076",
    )
    assert after.fleet("V-F1").node == "V0"
    assert after.unchanged_except("V-F1")


def test_e32_nobody_lands_who_is_not_aboard() -> None:
    """E32: an army on land cannot land."""
    after = case("r3.move", **AT_SEA, factions="T", armies="V-1 90 V8", orders="V land V-1 S4", findings="o1 GIG-079")
    assert after.unchanged_except()


def test_e32_the_bank_lends_half_of_the_city_tax() -> None:
    """E32: a loan of 21 with one city is refused."""
    after = case("budget", orders="V loan 21", findings="o1 GIG-021")
    assert after.finding("GIG-021")["cap"] == 20
    assert after.unchanged_except()


def test_e32_a_bribe_that_the_chest_cannot_pay_is_asked_again() -> None:
    """E32: 60 ducats of bribes from a chest of 50: nothing changes and the question stays open."""
    after = case(
        "r4.siege",
        factions="M 50",
        **BESIEGED,
        answers="bribe M V8 = 60",
        waits=True,
        findings="1500.r4.siege.bribe.M.V8 GIG-101",
    )
    assert list(after.questions) == ["bribe M V8"]
    assert after.unchanged_except()


def test_e32_an_army_cannot_lose_more_than_it_is_worth() -> None:
    """E32: losses of 91 by an army of 90: nothing changes and the form stays open."""
    after = case(
        "r3.move r3.contact r3.battle",
        armies="M-1 90 M5, V-1 150 V8 trail=V9",
        orders=M_COMES,
        answers=M_ATTACKS,
        battles="B1500.3.V8 played b 91 20",
        waits=True,
        findings="B1500.3.V8 GIG-103",
    )
    assert list(after.questions) == ["battle_result referee B1500.3.V8"]
    assert after.battle("B1500.3.V8").status == "open"
    assert (after.army("M-1").value, after.army("V-1").value) == (90, 150)


def test_quiet_winter_of_the_tests_means_no_event_for_anybody() -> None:
    """4: below a 6 nothing happens."""
    after = case("winter", dice=quiet_winter())
    assert len(after.events("winter.quiet")) == 5
    assert after.unchanged_except()


def test_an_army_that_only_the_fleets_cargo_names_lands() -> None:
    """A referee who follows the advice of GIG-123 writes it as the cargo of the fleet: it may land from there."""
    after = case("r3.move", **AT_SEA, factions="T", armies="V-1 90 Z7 posture=aboard", fleets="V-F1 Z7 cargo=V-1",
                 orders="V land V-1 V0")

    assert (after.army("V-1").node, after.army("V-1").posture, after.army("V-1").fleet) == ("V0", "field", "V-F1")
    assert after.fleet("V-F1").cargo == ""
