"""Table 32 and the Amendments: works, garrisons; exchange, splitting and posts (rulebook: Spring and summer orders)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from assistant.wording import Wording
from tests.giglio.cases import case, giglio

RICH: dict[str, Any] = {"factions": "V 500"}
BASE = ("IT", "EN")
AMENDED = ("IT_amended", "EN_amended")


@pytest.mark.parametrize("play", ["budget", "r4.move"])
def test_works_at_home_are_immediate(play: str) -> None:
    """Amendments: in an own node one may install a fortification immediately; it costs 50."""
    after = case(play, **RICH, orders="V fortify V8")
    assert (after.node("V8").walls, after.chest("V")) == ("intact", 450)
    assert {"V", "V8"} <= after.changed <= {"V", "V8", "V8/V/1500.budget", "V8/V/1500.r4.move"}


@pytest.mark.parametrize(("play", "ready"), [("budget", 1501), ("r4.move", 1502)])
def test_works_in_a_held_node_without_army_take_a_year_from_january(play: str, ready: int) -> None:
    """Amendments: ordered in spring they are ready next January, in summer a year later."""
    after = case(play, **RICH, nodes="M5 owner=V", orders="V fortify M5", findings="o1 GIG-038")
    work = after.work("M5")
    assert (work.faction, work.kind, work.cost, work.ready_year, work.status) == (
        "V",
        "fortify",
        50,
        ready,
        "under_way",
    )
    assert (after.node("M5").walls, after.chest("V")) == ("none", 450)
    assert after.event("works.begun", node="M5", ready_year=ready).audience == "all"
    assert after.finding("GIG-038")["year"] == ready


@pytest.mark.parametrize("play", ["budget", "r4.move"])
def test_works_in_a_held_node_beside_an_army_are_immediate(play: str) -> None:
    """Amendments: in an enemy node an army can fortify immediately."""
    after = case(play, **RICH, nodes="M5 owner=V", armies="V-1 20 M5", orders="V fortify M5")
    assert (after.node("M5").walls, after.chest("V")) == ("intact", 450)


@pytest.mark.parametrize("there", ["V-1 0 M5 kind=diplomat", "V-1 50 V8", "P-1 50 M5"])
def test_only_an_own_army_speeds_up_the_works(there: str) -> None:
    """Spring and summer orders: an envoy, an army elsewhere or a partner's army build nothing."""
    after = case(
        "budget",
        **RICH,
        nodes="M5 owner=V",
        armies=there,
        alliances="P V 1502 passage=yes",
        orders="V fortify M5",
        findings="o1 GIG-038",
    )
    assert after.node("M5").walls == "none"


@pytest.mark.parametrize("edition", BASE)
@pytest.mark.parametrize("play", ["budget", "r4.move"])
def test_in_the_base_editions_works_are_finished_in_winter(edition: str, play: str) -> None:
    """2b: works are begun and completed during the winter, at home and beside an army too."""
    after = case(play, **RICH, edition=edition, armies="V-1 20 V8", orders="V fortify V8", findings="o1 GIG-038")
    assert (after.node("V8").walls, after.chest("V"), after.work("V8").status) == ("none", 450, "under_way")


@pytest.mark.parametrize(("owner", "status", "walls"), [("V", "done", "intact"), ("M", "lost", "none")])
def test_the_winter_finishes_the_works_of_the_base_editions(owner: str, status: str, walls: str) -> None:
    """2b, 4 Winter: works of this year are done, or lost with the place."""
    after = case(
        "winter",
        edition="IT",
        nodes=f"V8 owner={owner}",
        works="V8 V fortify 1500",
        dice={f"event:{f}:1500": 1 for f in "VMFPS"},
    )
    assert (after.work("V8").status, after.node("V8").walls) == (status, walls)


def test_repairs_cost_30_after_a_successful_siege() -> None:
    """t32: repairing the fortifications of an area that was besieged with success."""
    after = case("budget", **RICH, nodes="V8 walls=damaged", orders="V repair V8")
    assert (after.node("V8").walls, after.chest("V")) == ("intact", 470)


def test_a_razed_fortress_is_rebuilt_at_50() -> None:
    """Numbers: a fortress without walls is fortified again for 50."""
    after = case("budget", **RICH, nodes="V11 walls=none", orders="V fortify V11")
    assert (after.node("V11").walls, after.chest("V")) == ("intact", 450)


@pytest.mark.parametrize(("rules", "chest"), [({}, 450), ({"fort_paid": "free"}, 500), ({"amend_free": "yes"}, 500)])
def test_immediate_works_may_be_free(rules: dict[str, Any], chest: int) -> None:
    """Amendments English: fortifications are free and immediate."""
    after = case("budget", **RICH, rules=rules, orders="V fortify V8")
    assert (after.node("V8").walls, after.chest("V")) == ("intact", chest)


def test_free_works_need_no_ducats() -> None:
    """Amendments English: an empty chest fortifies too."""
    after = case("budget", edition="EN_amended", orders="V fortify V8\nV garrison V9")
    assert (after.node("V8").walls, after.node("V9").garrison, after.chest("V")) == ("intact", True, 0)


def test_works_that_are_not_immediate_are_never_free() -> None:
    """fort_paid: the price of works that the Amendments make immediate; the others are paid."""
    after = case(
        "budget", **RICH, edition="EN_amended", nodes="M5 owner=V", orders="V fortify M5", findings="o1 GIG-038"
    )
    assert after.chest("V") == 450


def test_a_besieged_place_builds_nothing() -> None:
    """Spring and summer orders: GIG-037 while a siege is on."""
    after = case(
        "r4.move",
        **RICH,
        nodes="V8 garrison=yes",
        armies="M-1 90 V8",
        sieges="V8 M 2",
        orders="V fortify V8",
        findings="o1 GIG-037",
    )
    assert after.node("V8").walls == "none"


# --- garrisons ------------------------------------------------------------------------------------
def test_a_garrison_costs_ten_ducats_of_the_army() -> None:
    """2b: a garrison is detached from an army at the cost of 10 ducats of its value."""
    after = case("budget", nodes="V11", armies="V-1 11 V11", orders="V garrison V11 V-1")
    assert (after.army("V-1").value, after.node("V11").garrison) == (1, True)
    assert after.unchanged_except("V-1", "V11")


def test_a_home_node_takes_a_garrison_from_the_chest() -> None:
    """Amendments: in an own node a garrison is installed immediately, also without an army."""
    after = case("r4.move", factions="V 10", orders="V garrison V8")
    assert (after.chest("V"), after.node("V8").garrison) == (0, True)
    assert after.event("garrison.placed", node="V8", faction="V").audience == "all"
    assert after.unchanged_except("V", "V8")


@pytest.mark.parametrize(
    ("edition", "placed"), [("IT", False), ("EN", False), ("IT_amended", True), ("EN_amended", True)]
)
def test_open_places_take_garrisons_in_the_amended_editions_only(edition: str, placed: bool) -> None:
    """garrison_where: 2b speaks of fortified areas, the Amendments of any own node."""
    after = case(
        "budget",
        edition=edition,
        armies="V-1 50 V8",
        orders="V garrison V8 V-1",
        findings="" if placed else "o1 GIG-042",
    )
    assert after.node("V8").garrison is placed


def test_fortified_places_take_garrisons_from_an_army_in_every_edition() -> None:
    """2b: that is the rule of the book."""
    after = case("budget", edition="IT", armies="V-1 50 V11", orders="V garrison V11 V-1")
    assert (after.node("V11").garrison, after.army("V-1").value) == (True, 40)


@pytest.mark.parametrize(("edition", "value"), [("IT_amended", 40), ("EN_amended", 50)])
def test_amended_english_garrisons_are_free(edition: str, value: int) -> None:
    """amend_free: in friendly nodes garrisons are free and immediate."""
    after = case("budget", edition=edition, armies="V-1 50 V8", orders="V garrison V8 V-1")
    assert (after.army("V-1").value, after.node("V8").garrison) == (value, True)


def test_a_garrison_where_the_march_ends() -> None:
    """2b: the army leaves it in the place that it reaches, too."""
    after = case("r4.move", armies="V-1 90 V9", orders="V garrison V8 V-1\nV move V-1 V9 V8")
    assert (after.node("V8").garrison, after.army("V-1").value) == (True, 80)


def test_a_garrison_where_the_march_begins() -> None:
    """2b: an army that is there leaves it before it goes."""
    after = case("r4.move", armies="V-1 90 V9", orders="V move V-1 V9 V8\nV garrison V9 V-1")
    assert (after.node("V9").garrison, after.army("V-1").value, after.army("V-1").node) == (True, 80, "V8")


def test_a_garrison_is_left_also_where_an_enemy_came_first() -> None:
    """Marching: leave, enter, the waiting garrison is carried out; only then the enemy at V8 stops the march."""
    after = case(
        "r4.move",
        order="P V M F S",
        armies="V-1 90 V9, P-1 50 P8",
        orders="V garrison V8 V-1\nV move V-1 V9 V8\nP move P-1 P8 V8",
    )
    assert (after.node("V8").garrison, after.army("V-1").value, after.army("V-1").node) == (True, 80, "V8")
    assert after.event("contact.met", node="V8")


def test_a_garrison_order_of_an_army_that_never_gets_there_is_refused() -> None:
    """Marching: pinned at V9, V-1 does not reach V8: GIG-041."""
    after = case(
        "r4.move",
        order="P V M F S",
        armies="V-1 90 V9, P-1 50 P9",
        nodes="P9 owner=P",
        roads="P9 V9",
        orders="V garrison V8 V-1\nV move V-1 V9 V8\nP move P-1 P9 V9",
        findings="o1 GIG-041",
        pinned="o2",
    )
    assert (after.node("V8").garrison, after.army("V-1").value) == (False, 90)


# --- exchange, splitting, posts -------------------------------------------------------------------
def test_units_move_from_one_army_to_the_other_in_one_place() -> None:
    """2b: when two armies are in the same place, units can be moved between them."""
    after = case("budget", armies="V-1 90 V8, V-2 50 V8", orders="V transfer 30 V-1 V-2")
    assert (after.army("V-1").value, after.army("V-2").value) == (60, 80)
    assert after.audience("army.reorganised", amount=30) == {"V"}
    assert after.unchanged_except("V-1", "V-2")


@pytest.mark.parametrize("amount", ["90", "-"])
def test_an_emptied_army_disappears_and_its_sapper_goes_with_the_men(amount: str) -> None:
    """Spring and summer orders: all of V-1 joins V-2, the sapper too."""
    after = case(
        "r3.move", armies="V-1 90 V8, V-2 50 V8", specialists="V-S1 sapper V-1", orders=f"V transfer {amount} V-1 V-2"
    )
    assert after.gone("V-1")
    assert (after.army("V-2").value, after.specialist("V-S1").post) == (140, "V-2")
    assert after.unchanged_except("V-1", "V-2", "V-S1")


def test_a_split_army_inherits_place_and_past() -> None:
    """Spring and summer orders: the new army has the lowest free number, the same node, posture, trail and arrival."""
    after = case(
        "r3.move",
        nodes="V8 walls=intact",
        orders="V split 40 V-2",
        armies="V-2 90 V8 trail=V0+V9 posture=shut_in arrived_year=1500 arrived_round=2 arrived_no=3, M-1 50 V8",
    )
    new = after.army("V-1")
    assert (new.value, new.node, new.posture, new.trail) == (40, "V8", "shut_in", "V0 V9")
    assert (new.arrived_year, new.arrived_round, new.arrived_no) == (1500, 2, 3)
    assert after.army("V-2").value == 50
    assert after.unchanged_except("V-1", "V-2")


def test_split_then_march() -> None:
    """The marches, step by step: staff work comes before marches, so the new army may march in the same round."""
    after = case("r3.move", armies="V-1 90 V8", orders="V split 40 V-1\nV move V-2 V8 V9")
    assert (after.army("V-2").node, after.army("V-2").value, after.army("V-1").node) == ("V9", 40, "V8")


def test_a_march_with_an_amount_splits_the_army() -> None:
    """Spring and summer orders: that many ducats march as a new army, the rest stays."""
    after = case("r3.move", armies="V-1 90 V8", orders="V: 30 V8 F7")
    assert (after.army("V-2").value, after.army("V-2").node, after.army("V-2").trail) == (30, "F7", "V8")
    assert (after.army("V-1").value, after.army("V-1").node) == (60, "V8")
    assert after.unchanged_except("V-1", "V-2")


def test_a_march_with_the_whole_amount_is_the_army_itself() -> None:
    """Spring and summer orders: an amount that is the whole value splits nothing."""
    after = case("r3.move", armies="V-1 90 V8", orders="V: 90 V8 F7")
    assert after.army("V-1").node == "F7"
    assert after.unchanged_except("V-1")


@pytest.mark.parametrize("post", ["V8", "V-2"])
def test_a_sapper_changes_his_post_within_the_node(post: str) -> None:
    """Spring and summer orders attach: to an own army or the own place in the same node."""
    after = case(
        "r3.move", armies="V-1 90 V8, V-2 50 V8", specialists="V-S1 sapper V-1", orders=f"V attach V-S1 {post}"
    )
    assert after.specialist("V-S1").post == post
    assert after.unchanged_except("V-S1")


def test_a_sapper_marches_with_his_army() -> None:
    """t33: posted with an army he is where the army is."""
    after = case(
        "r3 r4.move",
        armies="V-1 90 V8, V-2 50 F7",
        specialists="V-S1 sapper V-1",
        orders="r3 V move V-1 V8 F7\nr4 V attach V-S1 V-2",
    )
    assert after.specialist("V-S1").post == "V-2"
    assert not after.rows(g.Contact)


# --- what is said of works and garrisons ------------------------------------------------------------
def said_of(edition: str, line: str, **given: Any) -> str:
    """The finding about an order, in words."""
    after = case("budget", **RICH, edition=edition, orders=line, findings=given.pop("code"), **given)
    return Wording(giglio(), "en").finding(after.last.findings[0])


@pytest.mark.parametrize(("edition", "text"), [
    ("IT", "The works at M5 will be ready in the winter of 1500."),
    ("EN", "The works at M5 will be ready in the winter of 1500."),
    ("IT_amended", "No army of yours at M5: the works will be ready in January 1501."),
])
def test_a_warning_says_when_works_are_ready(edition: str, text: str) -> None:
    """Table 32: in the winter of the same year, or by the Amendments in January; never in a month that is past."""
    assert said_of(edition, "V fortify M5", nodes="M5 owner=V", code="o1 GIG-038") == text


@pytest.mark.parametrize(("edition", "line", "given", "text"), [
    ("IT", "V garrison V11", {}, "In this edition an army leaves the garrison at V11, not the chest. Name the army."),
    ("IT", "V garrison V8 V-1", {"armies": "V-1 90 V8"},
     "V8 is not fortified: in this edition garrisons stand in fortified places only."),
    ("IT_amended", "V garrison M4", {"nodes": "M4 owner=V"},
     "M4 is not a home place of yours: an army leaves a garrison there, not the chest. Name the army."),
])
def test_a_refusal_says_what_a_garrison_lacks(edition: str, line: str, given: dict[str, Any], text: str) -> None:
    """2b, Amendments: fortifications, an army, or a place at home; not an army where one stands."""
    assert said_of(edition, line, code="o1 GIG-042", **given) == text
