"""Corners where two chapters meet: what the book implies and one easily forgets."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import SEA_NODES, SEA_ROADS, case

SEA: dict[str, Any] = {"factions": "T", "nodes": SEA_NODES, "roads": f"{SEA_ROADS}, Z6 S5 coast"}


def test_rows_without_numbers_are_taken_as_they_stand() -> None:
    """Orders: rows of a faction are taken by seq, then row order."""
    after = case("budget", factions="V 60", orders="V recruit 40 V0 seq=\nV enlist spy seq=", findings="o2 GIG-020")
    assert after.chest("V") == 20


def test_the_garrison_of_a_hostile_owner_stops_a_march_on_home_ground() -> None:
    """7.3.2, own_territory home: V9 is home, but held and garrisoned by Milan: V-1 stops there."""
    after = case(
        "r3.move",
        armies="V-1 90 V0",
        nodes="V9 owner=M garrison=yes",
        rules={"own_territory": "home"},
        orders="V move V-1 V0 V9 V8",
    )
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "V0")


def test_a_beaten_army_goes_back_aboard_its_waiting_ship() -> None:
    """Ways back: the previous position of a landed army is its ship, also after a lost battle."""
    after = case(
        "r3",
        **SEA,
        armies="V-1 90 Z6 posture=aboard fleet=V-F1, S-1 50 S5 trail=S4",
        fleets="V-F1 Z6 cargo=V-1",
        orders="V land V-1 S5",
        answers="choice V S5/S = attack\nchoice S S5/V = stop",
        battles="B1500.3.S5 played b 30 10",
    )
    army = after.army("V-1")
    assert (army.node, army.posture, army.value) == ("Z6", "aboard", 60)
    assert after.fleet("V-F1").cargo == "V-1"
    assert after.node("S5").owner == "S"


def test_three_single_fleets_in_one_sea_area_all_go_back() -> None:
    """Fleets: each has one friend, itself, and two foes: each goes back where it came from."""
    after = case(
        "r3.move",
        **SEA,
        fleets="V-F1 Z7, T-F1 T2, S-F1 S4",
        orders="V sail V-F1 Z7 Z6\nT sail T-F1 T2 Z6\nS sail S-F1 S4 Z6",
    )
    assert [after.fleet(f).node for f in ("V-F1", "T-F1", "S-F1")] == ["Z7", "T2", "S4"]


@pytest.mark.parametrize(("what", "code"), [("V transfer 10 V-1 V-2", "GIG-046"), ("V garrison V8 V-2", "GIG-046")])
def test_an_envoy_takes_no_men(what: str, code: str) -> None:
    """Spring and summer orders: neither giver nor taker of men may be a diplomat."""
    case("r3.move", armies="V-1 90 V8, V-2 0 V8 kind=diplomat", orders=what, findings=f"o1 {code}")


@pytest.mark.parametrize("first", ["V embark V-1 V-F1", "V siege V-1 V8", "V stay V-1", "V land V-1 V0"])
def test_all_actions_of_one_army_are_one_thing(first: str) -> None:
    """Orders: move, stay, siege, lift, come_out, embark, land count together: the last stands."""
    after = case(
        "r3.move",
        **SEA,
        armies="V-1 90 V0",
        fleets="V-F1 V0",
        orders=f"{first}\nV move V-1 V0 V9",
        findings="o1 GIG-006",
    )
    assert after.army("V-1").node == "V9"


def test_a_march_with_an_amount_is_no_replacement_of_the_whole_armys() -> None:
    """Orders: moves with an amount add up: two parts go two ways, the rest marches too."""
    after = case(
        "r3.move",
        armies="V-1 90 V8",
        orders="V move V-1 V8 F7 amount=20\nV move V-1 V8 M5 amount=30\nV move V-1 V8 V9",
    )
    assert sorted((a.value, a.node) for a in after.rows(g.Army)) == [(20, "F7"), (30, "M5"), (40, "V9")]


def test_a_fourth_army_by_marching_parts() -> None:
    """Spring and summer orders: GIG-026 counts the armies that earlier rows have made."""
    case(
        "r3.move",
        armies="V-1 90 V8, V-2 9 V0",
        orders="V move V-1 V8 F7 amount=20\nV move V-1 V8 M5 amount=30",
        findings="o2 GIG-026",
    )


def test_a_captured_place_pays_its_new_owner_and_stays_home_of_the_old() -> None:
    """2a, Records: control pays; the territory keeps its name."""
    after = case("r10.siege winter income", armies="M-1 90 V8", dice={f"event:{f}:1500": 1 for f in "VMFPS"})
    assert (after.node("V8").owner, after.node("V8").home) == ("M", "V")
    assert (after.chest("M"), after.chest("V")) == (90, 40 + 10 + 20)


def test_a_siege_and_an_open_place_in_one_round() -> None:
    """3d Sieges: the open place is taken first, then the sieges are thrown for."""
    after = case(
        "r4.siege",
        armies="M-1 90 V8, M-2 90 V9",
        nodes="V8 walls=intact",
        sieges="V8 M 1",
        answers="bribe M V8 = 0",
        dice={"siege:V8:1500:4": 6},
    )
    assert [e.data["node"] for e in after.events("place.taken")] == ["V9", "V8"]


def test_an_open_place_with_a_garrison_is_besieged() -> None:
    """5.3: a place without walls, but with a garrison, is besieged with the garrison's -2 alone."""
    after = case(
        "r4",
        armies="M-1 90 V8",
        nodes="V8 garrison=yes",
        orders="M siege M-1 V8",
        answers="bribe M V8 = 0",
        dice={"siege:V8:1500:4": 6},
    )
    assert after.modifiers("V8") == {"full rounds besieging": 1, "garrison": -2}
    assert after.siege("V8", "M").rounds == 1


def test_a_place_held_by_a_shut_in_army_only_may_be_besieged() -> None:
    """Spring and summer orders: walls intact and an army inside: a siege; both fall together."""
    after = case(
        "r4",
        armies="M-1 90 V8, V-1 20 V8 posture=shut_in",
        nodes="V8 walls=intact",
        sieges="V8 M 4",
        answers="bribe M V8 = 0",
        dice={"siege:V8:1500:4": 5},
    )
    assert after.gone("V-1")
    assert after.node("V8").owner == "M"


def test_the_money_of_a_spring_adds_up() -> None:
    """2: every ducat that leaves the chest stands in the accounts."""
    after = case(
        "income budget",
        factions="V 200 fleet_cap=2, M 50",
        armies="V-1 40 V0",
        orders="V loan 20\nV fleet V0\nV recruit 50 V0\nV pay M 10\nV enlist spy\nV bid 5\nV fortify V8",
    )
    lines = [a for _, a in after.campaign.table(g.Account).in_file_order() if a.faction == "V"]
    assert 200 + sum(a.amount for a in lines) == after.chest("V") == lines[-1].balance


def test_robots_obey_the_same_rules() -> None:
    """2: role robot takes part in taxes, order of movement and winter like a player."""
    after = case("income", bare=True, factions="V role=robot", nodes="V0 site=city")
    assert after.chest("V") == 40


def test_the_middle_node_must_be_own_even_to_go_home() -> None:
    """Orders in words: M5 to V9 has only V8 between; for Milan it is foreign: GIG-050."""
    case("r3.move", armies="M-1 90 M5", orders="M: M5 V9", findings="o1 GIG-050")


def test_a_revealed_envoy_is_no_obstacle() -> None:
    """Table 33: a revealed envoy is no obstacle to taking an open place."""
    after = case("r3.siege", armies="M-1 90 V8, V-1 0 V8 kind=diplomat revealed=yes")
    assert after.node("V8").owner == "M"


def test_two_factions_before_an_open_place_take_nothing_until_one_is_alone() -> None:
    """Open places: exactly one faction has armies there."""
    after = case(
        "r3 r4",
        armies="M-1 90 V8 trail=M5, P-1 50 V8 trail=P8",
        answers="""r3.contact choice M V8/P = stop
                   r3.contact choice P V8/M = stop
                   r4.contact choice M V8/P = stop
                   r4.contact choice P V8/M = retreat""",
    )
    assert after.phase("r3.siege").campaign.table(g.Node)["V8"].owner == "V"
    assert (after.node("V8").owner, after.army("P-1").node) == ("M", "P8")


def test_a_lost_battle_lifts_the_siege_before_the_die() -> None:
    """3d Sieges: sieges without a besieger in the field are lifted first, so nobody is asked for bribes."""
    after = case(
        "r4",
        armies="M-1 20 V8 trail=M5, V-1 50 V8 posture=shut_in",
        nodes="V8 walls=intact",
        sieges="V8 M 3",
        orders="V come_out V-1",
        answers="choice V V8/M = attack\nchoice M V8/V = stop",
        battles="B1500.4.V8 played a 5 20",
    )
    assert after.gone("M-1", "V8/M")
    assert not after.questions


def test_a_place_may_not_be_taken_from_a_passage_partner_by_standing_in_it() -> None:
    """Open places: only hostile factions take; a partner with passage is none, until the treaty ends."""
    after = case("r3.siege", armies="M-1 90 V8", alliances="M V 1502 passage=yes suspect=V")
    assert after.node("V8").owner == "M"
