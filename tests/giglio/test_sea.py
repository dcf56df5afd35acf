"""Fleets: sailing, meetings at sea, storms, embarking and landing (rulebook: Fleets)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import SEA_NODES, SEA_ROADS, After, case

COAST = f"{SEA_ROADS}, Z6 S5 coast, Z7 V9 coast"


def sea(play: str = "r3.move", **given: Any) -> After:
    """Lanes Z5-Z6-Z7, Z7-V0, Z6-T2, Z6-S4; beaches Z6-S5 and Z7-V9."""
    return case(play, **{"factions": "T", "nodes": SEA_NODES, "roads": COAST, **given})


ABOARD = "V-1 90 {} posture=aboard fleet=V-F1"


# --- sailing --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("path", "came"), [("V0 Z7", "V0"), ("Z7 V0", "Z7"), ("Z7 Z6", "Z7")])
def test_a_fleet_moves_one_segment_a_round(path: str, came: str) -> None:
    """fleets: they move by one segment (lane) a round, out of port, at sea and into port."""
    start, end = path.split()
    after = sea(fleets=f"V-F1 {start}", orders=f"V sail V-F1 {path}")
    assert (after.fleet("V-F1").node, after.fleet("V-F1").came_from) == (end, came)
    assert after.event("fleet.sailed", fleet="V-F1", to=end).audience == "all"
    assert after.unchanged_except("V-F1")


def test_a_fleet_stays_in_port() -> None:
    """fleets: they cannot remain stationary, except in a port."""
    assert sea(fleets="V-F1 V0").unchanged_except()


def test_a_passage_partners_port_is_open() -> None:
    """Spring and summer orders sail: own ports and those of partners with passage."""
    after = sea(fleets="V-F1 Z6", orders="V sail V-F1 Z6 T2", alliances="T V 1502 passage=yes")
    assert after.fleet("V-F1").node == "T2"


@pytest.mark.parametrize(("alliances", "to"), [("", "Z7"), ("T V 1502 passage=yes", "T2"), ("T V 1502", "Z7")])
def test_home_is_the_nearest_own_or_partners_port(alliances: str, to: str) -> None:
    """Fleets: the first step of the shortest way over lanes to an own or passage partner's port."""
    after = sea(fleets="V-F1 Z6", alliances=alliances, findings="V-F1 GIG-076")
    assert after.fleet("V-F1").node == to
    assert after.finding("GIG-076")["node"] == to


def test_without_any_port_it_wanders_to_the_first_sea_area() -> None:
    """Fleets: the natural-first adjacent sea area."""
    after = sea(fleets="V-F1 Z6", nodes=f"{SEA_NODES}, V0 owner=M", findings="V-F1 GIG-076")
    assert after.fleet("V-F1").node == "Z5"


def test_a_cargo_sails_with_its_fleet() -> None:
    """fleets: a fleet can transport an army."""
    after = sea(armies=ABOARD.format("V0"), fleets="V-F1 V0 cargo=V-1", orders="V sail V-F1 V0 Z7")
    assert (after.army("V-1").node, after.army("V-1").posture, after.fleet("V-F1").cargo) == ("Z7", "aboard", "V-1")
    assert after.unchanged_except("V-F1", "V-1")


def test_the_last_of_two_sail_orders_stands() -> None:
    """Orders: the sail of one fleet is one thing."""
    after = sea(fleets="V-F1 Z7", orders="V sail V-F1 Z7 V0\nV sail V-F1 Z7 Z6", findings="o1 GIG-006")
    assert after.fleet("V-F1").node == "Z6"


# --- meetings -------------------------------------------------------------------------------------
def test_fleets_that_pass_on_a_lane_do_not_meet() -> None:
    """Fleets: positions after the move count: swapping areas is no meeting."""
    after = sea(fleets="T-F1 Z6, V-F1 Z7", orders="T sail T-F1 Z6 Z7\nV sail V-F1 Z7 Z6")
    assert (after.fleet("T-F1").node, after.fleet("V-F1").node) == ("Z7", "Z6")
    assert after.no_event("fleet.repelled")


def test_fleets_in_port_are_never_met() -> None:
    """Fleets: only in sea areas: a Turk passes the port of Venice unharmed, and enters none of it."""
    after = sea(fleets="T-F1 Z6, V-F1 V0", orders="T sail T-F1 Z6 Z7")
    assert after.fleet("T-F1").node == "Z7"
    assert after.no_event("fleet.repelled")


def test_two_against_one_that_cannot_go_back_destroy_it() -> None:
    """fleets: two or more against one repel it, and if it cannot go back it is destroyed with its cargo."""
    after = sea(
        armies=ABOARD.format("V0"),
        fleets="V-F1 V0 cargo=V-1, T-F1 Z6, T-F2 Z6",
        nodes=f"{SEA_NODES}, V0 owner=T",
        orders="V sail V-F1 V0 Z7\nT sail T-F1 Z6 Z7\nT sail T-F2 Z6 Z7",
    )
    assert after.gone("V-F1", "V-1")
    assert after.event("fleet.lost", fleet="V-F1", node="Z7", why="no way back").audience == "all"
    assert after.event("army.lost", army="V-1", why="drowned")
    assert {after.fleet(f).node for f in ("T-F1", "T-F2")} == {"Z7"}


def test_one_against_one_that_cannot_go_back_is_held() -> None:
    """Fleets: f = e and no way back: it stays (fleet.locked)."""
    after = sea(
        fleets="V-F1 V0, T-F1 Z6", nodes=f"{SEA_NODES}, V0 owner=T", orders="V sail V-F1 V0 Z7\nT sail T-F1 Z6 Z7"
    )
    assert (after.fleet("V-F1").node, after.fleet("T-F1").node) == ("Z7", "Z6")
    assert after.event("fleet.locked", fleet="V-F1", node="Z7").audience == "all"


def test_a_sea_area_with_an_enemy_is_no_way_back() -> None:
    """Fleets: it can go back to a sea area only where no hostile fleet is after the moves."""
    after = sea(
        fleets="V-F1 Z5, T-F1 T2, T-F2 T2, T-F3 Z6",
        orders="V sail V-F1 Z5 Z6\nT sail T-F1 T2 Z6\nT sail T-F2 T2 Z6\nT sail T-F3 Z6 Z5",
    )
    assert after.gone("V-F1")


def test_who_has_stayed_for_a_landing_may_be_met() -> None:
    """Fleets: the fleet that lands its army is where it is; repelled, the landing fails."""
    after = sea(
        armies=ABOARD.format("Z6"),
        fleets="V-F1 Z6 cargo=V-1 came_from=Z7, T-F1 T2",
        orders="V land V-1 S5\nT sail T-F1 T2 Z6",
    )
    assert (after.fleet("V-F1").node, after.fleet("T-F1").node) == ("Z7", "T2")
    assert (after.army("V-1").posture, after.army("V-1").node) == ("aboard", "Z7")
    assert after.audience("landing.failed", army="V-1") == {"V"}


@pytest.mark.parametrize(("passage", "met"), [("yes", False), ("no", True)])
def test_partners_with_passage_do_not_repel_each_other(passage: str, met: bool) -> None:
    """Fleets: friends are fleets of the own or passage partners' side."""
    after = sea(
        fleets="V-F1 Z7, T-F1 T2",
        orders="V sail V-F1 Z7 Z6\nT sail T-F1 T2 Z6",
        alliances=f"T V 1502 passage={passage}",
    )
    assert bool(after.events("fleet.repelled")) is met


def test_after_being_repelled_the_fleet_comes_from_the_place_of_the_meeting() -> None:
    """Fleets: came_from = the place of the meeting."""
    after = sea(fleets="V-F1 Z7, T-F1 T2", orders="V sail V-F1 Z7 Z6\nT sail T-F1 T2 Z6")
    assert {after.fleet(f).came_from for f in ("V-F1", "T-F1")} == {"Z6"}


def test_three_against_two_by_majority() -> None:
    """fleet_majority: any larger number repels."""
    after = sea(
        fleets="V-F1 Z7, V-F2 Z7, V-F3 Z7, T-F1 T2, T-F2 T2",
        orders="""
        V sail V-F1 Z7 Z6
        V sail V-F2 Z7 Z6
        V sail V-F3 Z7 Z6
        T sail T-F1 T2 Z6
        T sail T-F2 T2 Z6""",
    )
    assert {after.fleet(f"V-F{n}").node for n in (1, 2, 3)} == {"Z6"}
    assert {after.fleet(f"T-F{n}").node for n in (1, 2)} == {"T2"}


# --- storms ---------------------------------------------------------------------------------------
def test_the_storm_is_thrown_for_every_round() -> None:
    """fleets: every round of summer 1d6; below 6 the sea is calm."""
    after = sea(fleets="V-F1 Z7", orders="V sail V-F1 Z7 V0", dice={"storm:1500:3": 5})
    assert after.event("storm.none", die=5).audience == "all"
    assert after.no_event("storm.rises")


def test_each_fleet_at_sea_is_tested_in_a_storm() -> None:
    """fleets: on 6 each fleet at sea throws, 6 is lost with all its cargo; ports are safe."""
    after = sea(
        armies=ABOARD.format("V0"),
        fleets="V-F1 V0 cargo=V-1, V-F2 Z5, T-F1 T2",
        orders="V sail V-F1 V0 Z7\nV sail V-F2 Z5 Z6",
        dice={"storm:1500:3": 6, "stormfleet:V-F1:1500:3": 5, "stormfleet:V-F2:1500:3": 6},
    )
    assert after.fleet("V-F1").node == "Z7"
    assert after.gone("V-F2")
    assert after.event("storm.survived", fleet="V-F1", die=5).audience == "all"
    assert {r.audience for r in after.last.rolls} == {"public"}
    assert after.unchanged_except("V-F1", "V-1", "V-F2")


def test_a_fleet_that_reached_port_this_round_is_safe() -> None:
    """Fleets: the place after sailing counts."""
    after = sea(fleets="V-F1 Z7", orders="V sail V-F1 Z7 V0", dice={"storm:1500:3": 6})
    assert not [k for k in after.throws if k.startswith("stormfleet")]


# --- embarking ------------------------------------------------------------------------------------
def test_in_port_an_army_goes_aboard_and_the_fleet_sails_in_the_same_round() -> None:
    """embark_rounds 0: at once; trail blank, posture aboard."""
    after = sea(armies="V-1 90 V0 trail=V9", fleets="V-F1 V0", orders="V embark V-1 V-F1\nV sail V-F1 V0 Z7")
    army = after.army("V-1")
    assert (army.node, army.posture, army.fleet, army.trail) == ("Z7", "aboard", "V-F1", "")
    assert after.fleet("V-F1").cargo == "V-1"
    assert after.audience("army.embarked", army="V-1", fleet="V-F1") == {"V"}


def test_embarking_in_port_may_take_the_round() -> None:
    """embark_rounds 1: the army boards, the fleet may not sail in that round."""
    after = sea(
        armies="V-1 90 V0",
        fleets="V-F1 V0",
        orders="V embark V-1 V-F1\nV sail V-F1 V0 Z7",
        rules={"embark_rounds": 1},
        findings="o2 GIG-080",
    )
    assert (after.army("V-1").posture, after.fleet("V-F1").node) == ("aboard", "V0")


def test_from_a_shore_embarking_takes_the_round() -> None:
    """Orders: the fleet waits in the adjacent sea area and takes the army up at the end of the marches."""
    after = sea(armies="V-1 90 S5 trail=S4", fleets="V-F1 Z6", orders="V embark V-1 V-F1")
    army = after.army("V-1")
    assert (army.posture, army.node, army.trail, after.fleet("V-F1").cargo) == ("aboard", "Z6", "", "V-1")
    assert after.fleet("V-F1").node == "Z6"


def test_from_a_port_beside_the_sea_area_too() -> None:
    """Spring and summer orders embark: fleet in an adjacent sea area, by lane or coast."""
    after = sea(armies="V-1 90 V0", fleets="V-F1 Z7", orders="V embark V-1 V-F1")
    assert after.army("V-1").posture == "aboard"


def test_a_pinned_army_does_not_embark() -> None:
    """Fleets: embarking from shore fails if the army is pinned."""
    after = sea(
        armies="V-1 90 S5, S-1 40 S4", fleets="V-F1 Z6", orders="V embark V-1 V-F1\nS move S-1 S4 S5", pinned="o1"
    )
    assert after.army("V-1").posture == "field"
    assert after.audience("embark.failed", army="V-1") == {"V"}


def test_a_revealed_envoy_on_the_beach_keeps_nobody_from_boarding() -> None:
    """Fleets, Table 33: who stops nobody does not pin the army that waits for its ship."""
    after = sea(armies="V-1 90 S5, S-1 0 S4 kind=diplomat revealed=yes", fleets="V-F1 Z6",
                orders="V embark V-1 V-F1\nS move S-1 S4 S5")
    assert after.army("V-1").posture == "aboard"
    assert after.no_event("embark.failed")


def test_embarking_fails_when_the_fleet_is_driven_off() -> None:
    """Fleets: repelled."""
    after = sea(
        armies="V-1 90 S5", fleets="V-F1 Z6 came_from=Z7, T-F1 T2", orders="V embark V-1 V-F1\nT sail T-F1 T2 Z6"
    )
    assert after.army("V-1").posture == "field"
    assert after.audience("embark.failed", army="V-1") == {"V"}


def test_a_fleet_carries_one_army() -> None:
    """fleets: a fleet can transport an army, one."""
    after = sea(
        armies="V-1 90 V0, V-2 50 V0",
        fleets="V-F1 V0",
        orders="V embark V-1 V-F1\nV embark V-2 V-F1",
        findings="o2 GIG-078",
    )
    assert (after.army("V-1").posture, after.army("V-2").posture) == ("aboard", "field")


def test_who_faces_an_enemy_does_not_embark() -> None:
    """Spring and summer orders embark: GIG-078 in contact."""
    sea(armies="V-1 90 V0, M-1 40 V0", fleets="V-F1 V0", orders="V embark V-1 V-F1", findings="o1 GIG-078")


# --- landing --------------------------------------------------------------------------------------
def landing(target: str = "S5", **given: Any) -> After:
    """V-1 lands from V-F1 in Z6."""
    return sea(
        **{"armies": ABOARD.format("Z6"), "fleets": "V-F1 Z6 cargo=V-1", "orders": f"V land V-1 {target}", **given}
    )


@pytest.mark.parametrize("target", ["S5", "S4", "T2"])
def test_landing_takes_the_whole_round(target: str) -> None:
    """fleets: on a beach or in a port beside the sea area; the army is in the field, its ship empty."""
    after = landing(target)
    army = after.army("V-1")
    assert (army.node, army.posture, army.trail, army.fleet) == (target, "field", "Z6", "V-F1")
    assert (after.fleet("V-F1").node, after.fleet("V-F1").cargo) == ("Z6", "")
    assert after.event("army.landed", army="V-1", node=target).audience == "all"
    assert (army.arrived_year, army.arrived_round) == (1500, 3)
    assert after.unchanged_except("V-1", "V-F1")


def test_landing_in_the_port_where_the_fleet_lies() -> None:
    """Fleets: trail blank from port."""
    after = sea(armies=ABOARD.format("V0"), fleets="V-F1 V0 cargo=V-1", orders="V land V-1 V0")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V0", "")


def test_landing_upon_an_enemy_is_a_meeting_with_the_hand() -> None:
    """3c Engagement: landing is entering; the other stood there and is not pinned."""
    after = landing(armies=f"{ABOARD.format('Z6')}, S-1 50 S5", order="S V M F P T")
    assert (after.contact("S5").hand, after.contact("S5").other) == ("V", "S")


def test_landings_pin_nobody() -> None:
    """Marching: landings come after all marches."""
    after = landing(armies=f"{ABOARD.format('Z6')}, S-1 50 S5", orders="V land V-1 S5\nS move S-1 S5 S4")
    assert (after.army("V-1").node, after.army("S-1").node) == ("S5", "S4")
    assert not after.rows(g.Contact)


def test_landing_beside_a_partners_army_fails() -> None:
    """Fleets: a passage partner's army stands there."""
    after = landing(armies=f"{ABOARD.format('Z6')}, S-1 50 S5", alliances="S V 1502 passage=yes")
    assert after.army("V-1").posture == "aboard"
    assert after.audience("landing.failed", army="V-1") == {"V"}


def test_one_may_retreat_aboard_while_the_ship_waits_empty() -> None:
    """Ways back: a sea area: its ship must still be there and empty; it goes back aboard."""
    given: dict[str, Any] = {
        "armies": f"{ABOARD.format('Z6')}, S-1 50 S5 trail=S4",
        "fleets": "V-F1 Z6 cargo=V-1",
        "orders": "V land V-1 S5",
    }
    after = sea("r3.move r3.contact", **given, answers="choice V S5/S = retreat\nchoice S S5/V = stop")
    army = after.army("V-1")
    assert (army.node, army.posture, after.fleet("V-F1").cargo) == ("Z6", "aboard", "V-1")


def test_without_the_ship_there_is_no_way_back_aboard() -> None:
    """Ways back: the ship has sailed, so retreat is not offered."""
    after = sea(
        "r4.move r4.contact",
        armies="V-1 90 S5 trail=Z6 fleet=V-F1, S-1 50 S4",
        fleets="V-F1 Z6",
        orders="V sail V-F1 Z6 Z7\nS move S-1 S4 S5",
        waits=True,
    )
    assert after.options("choice V S5/S") == ["stop", "attack"]


def test_a_fleet_waits_at_sea_while_it_lands_its_army() -> None:
    """landing_stay landing_ok: the landing takes the round, so the fleet may wait."""
    assert landing().fleet("V-F1").node == "Z6"


def test_where_fleets_stop_in_port_only_one_lands_in_port_only() -> None:
    """landing_stay port_only: no waiting at sea, so no landing from there: the fleet sails home."""
    after = landing(rules={"landing_stay": "port_only"}, findings="o1 GIG-079, V-F1 GIG-076")
    assert (after.army("V-1").node, after.army("V-1").posture, after.fleet("V-F1").node) == ("Z7", "aboard", "Z7")
    port = sea(
        armies=ABOARD.format("V0"),
        fleets="V-F1 V0 cargo=V-1",
        orders="V land V-1 V0",
        rules={"landing_stay": "port_only"},
    )
    assert (port.army("V-1").node, port.army("V-1").posture) == ("V0", "field")


def test_a_landed_army_besieges_from_the_next_round() -> None:
    """3d: the siege begins the round after arrival."""
    after = sea(
        "r3 r4",
        nodes=f"{SEA_NODES}, S5 walls=intact",
        armies=ABOARD.format("Z6"),
        fleets="V-F1 Z6 cargo=V-1",
        orders="r3 V land V-1 S5\nr4 V siege V-1 S5\nr4 V sail V-F1 Z6 Z7",
        answers="r4.siege bribe V S5 = 0",
        dice={"siege:S5:1500:4": 2},
    )
    assert after.siege("S5", "V").rounds == 1


# --- the numbers of the seed (rulebook: Fleets) ---------------------------------------------------
@pytest.mark.parametrize(
    ("faction", "fleets"),
    [("V", 2), ("T", 2), ("S", 2), ("CH", 0), ("HRI", 0), ("M", 0), ("F", 0), ("SV", 0), ("P", 1), ("FR", 1)],
)
def test_fleets_allowed(faction: str, fleets: int) -> None:
    """fleets: Venezia, Turchia, Spagna 2; Svizzera, Impero, Milano, Firenze, Savoia 0; the others 1."""
    from assistant.rulesets.giglio.fleets import fleets_allowed

    assert fleets_allowed(faction) == fleets
