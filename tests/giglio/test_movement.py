"""Chapter 3b: marches along the roads, border, bans, who is met first (rulebook: A legal path, Marching)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import After, case


def march(order: str, army: str = "V-1 90 V8", **given: Any) -> After:
    """One army, one march, in round 3."""
    return case("r3.move", orders=order, **{"armies": army, **given})


# --- how far --------------------------------------------------------------------------------------
def test_two_nodes_in_ones_own_territory() -> None:
    """3b: each army can move up to two nodes in its own territory."""
    after = march("V move V-1 V8 V9 V11")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V11", "V8 V9")
    army = after.army("V-1")
    assert (army.arrived_year, army.arrived_round, army.arrived_no) == (1500, 3, 1)


def test_one_node_is_enough() -> None:
    """3b: up to two."""
    assert march("V move V-1 V8 V9").army("V-1").trail == "V8"


@pytest.mark.parametrize("path", ["F7 F0", "F7 P8", "F7 V8"])
def test_one_node_in_foreign_territory(path: str) -> None:
    """3b: only one node in foreign territory, also when it leads home."""
    there = path.rsplit(maxsplit=1)[-1]
    assert march(f"V move V-1 {path}", "V-1 90 F7").army("V-1").node == there


def test_an_allied_or_neutral_land_is_foreign() -> None:
    """Words of the map: foreign is everything that is not controlled now, allied and neutral land too."""
    for owner in ("M", "N"):
        march(
            "V move V-1 V0 V9 V8",
            "V-1 90 V0",
            nodes=f"V9 owner={owner}",
            alliances="M V 1502 passage=yes",
            findings="o1 GIG-053",
        )


def test_conquered_land_is_own_land() -> None:
    """own_territory controlled: a captured node counts as own territory."""
    after = march("V move V-1 V9 V8 M5", "V-1 90 V9", nodes="M5 owner=V")
    assert after.army("V-1").node == "M5"


@pytest.mark.parametrize(("nodes", "legal"), [("M5 owner=V", False), ("V8 owner=M", True)])
def test_own_territory_may_mean_the_home_territory(nodes: str, legal: bool) -> None:
    """own_territory home: what was one's own on the map counts, whoever holds it."""
    path = "V9 V8 M5" if nodes.startswith("M5") else "V0 V9 V8"
    after = march(
        f"V move V-1 {path}",
        f"V-1 90 {path[:2]}",
        nodes=nodes,
        rules={"own_territory": "home"},
        findings="" if legal else "o1 GIG-053",
    )
    assert after.army("V-1").node == (path[-2:] if legal else path[:2])


def test_off_the_roads_nobody_marches() -> None:
    """3b: movement off the road is not permitted, lanes and beaches are no roads."""
    march("V move V-1 V8 V0 V9", findings="o1 GIG-050")
    march(
        "V move V-1 V0 V1", "V-1 90 V0", nodes="V1, Z7 site=sea", roads="Z7 V0 lane, Z7 V1 coast", findings="o1 GIG-050"
    )


@pytest.mark.parametrize(
    ("border", "path", "code"),
    [
        ("whole", "V9 V8 F7", "GIG-053"),
        ("crossing_first", "V9 V8 F7", "GIG-053"),
        ("whole", "F7 V8 V9", "GIG-053"),
        ("crossing_first", "F7 V8 V9", ""),
        ("whole", "F7 F0 S12", "GIG-052"),
        ("crossing_first", "F7 F0 S12", "GIG-052"),
        ("crossing_first", "F7 V8 M5", "GIG-053"),
        ("whole", "F7 V8", ""),
        ("whole", "V8 F7", ""),
    ],
)
def test_the_border(border: str, path: str, code: str) -> None:
    """border: when it crosses the border an army must not have made other movements before."""
    start, end = path.split(maxsplit=1)[0], path.rsplit(maxsplit=1)[-1]
    after = march(
        f"V move V-1 {path}", f"V-1 90 {start}", rules={"border_move": border}, findings=f"o1 {code}" if code else ""
    )
    assert after.army("V-1").node == (start if code else end)


# --- bans -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("number", "shut"), [(1, False), (2, True), (4, True), (5, False)])
def test_a_ban_holds_from_its_first_to_its_last_round(number: int, shut: bool) -> None:
    """A legal path: Bans bind a faction from a to b in rounds first to last."""
    after = case(
        f"r{number}.move",
        armies="V-1 90 V8",
        bans="V V8 F7 2 4",
        orders="V move V-1 V8 F7",
        findings="o1 GIG-054" if shut else "",
    )
    assert after.army("V-1").node == ("V8" if shut else "F7")


def test_a_ban_on_the_second_step_refuses_the_whole_march() -> None:
    """A legal path: each step must be open."""
    after = march("V move V-1 V8 V9 V0", bans="V V9 V0 1 4", findings="o1 GIG-054")
    assert after.army("V-1").node == "V8"


def test_bans_bind_retreats_too() -> None:
    """A legal path: V-1 cannot go back over a road that is shut to it."""
    after = case(
        "r3.move r3.contact",
        armies="V-1 90 V8 trail=V9, M-1 90 M5",
        bans="V V8 V9 1 4",
        orders="M move M-1 M5 V8",
        waits=True,
    )
    assert after.options("choice V V8/M") == ["stop", "attack"]


def test_the_middle_node_is_not_taken_over_a_shut_road() -> None:
    """Orders in words: the middle node must be joined by roads open to the faction."""
    nodes = {"nodes": "V7", "roads": "V7 V8, V7 V0", "bans": "V V9 V0 1 4"}
    assert march("V: V8 V0", **nodes).army("V-1").trail == "V8 V7"


# --- whom one meets on the way --------------------------------------------------------------------
def test_a_march_stops_at_an_enemy_force() -> None:
    """3b: when an army reaches a node occupied by an enemy force it must stop the movement."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 40 V9")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "V0")
    assert (after.contact("V9").hand, after.contact("V9").other) == ("V", "M")
    assert after.unchanged_except("V-1")


def test_a_march_stops_at_an_unrevealed_envoy_and_not_at_a_revealed_one() -> None:
    """t33: until he is revealed the diplomat is an army to all the world."""
    hidden = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 0 V9 kind=diplomat")
    assert hidden.army("V-1").node == "V9"
    known = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 0 V9 kind=diplomat revealed=yes")
    assert known.army("V-1").node == "V8"
    assert not known.rows(g.Contact)


def test_envoys_that_stop_nobody() -> None:
    """diplomat_contact no: the marker never stops anybody."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 0 V9 kind=diplomat", rules={"diplomat_contact": "no"})
    assert after.army("V-1").node == "V8"
    assert not after.rows(g.Contact)


def test_an_envoy_marches_like_an_army() -> None:
    """t33: he stands on the map as if he were an army: two nodes at home, one abroad, met like an army."""
    after = march("V move V-1 V0 V9 V8", "V-1 0 V0 kind=diplomat, M-1 40 V9")
    assert (after.army("V-1").node, after.contact("V9").hand) == ("V9", "V")


def test_a_march_passes_own_places_with_an_enemy_shut_in_only_by_stopping() -> None:
    """Marching: a hostile army shut in stops it, though there is no contact."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 40 V9 posture=shut_in", nodes="V9 walls=intact")
    assert after.army("V-1").node == "V9"
    assert not after.rows(g.Contact)


@pytest.mark.parametrize(("known", "goal"), [("yes", "V8"), ("no", "V9")])
def test_a_known_envoy_behind_walls_stops_nobody(known: str, goal: str) -> None:
    """Marching: revealed diplomats do not stop a march; one who may still be an army does."""
    after = march("V move V-1 V0 V9 V8", f"V-1 90 V0, M-1 0 V9 kind=diplomat posture=shut_in revealed={known}",
                  nodes="V9 walls=intact")
    assert after.army("V-1").node == goal


def test_a_neutral_garrison_stops_a_march() -> None:
    """Words of the map: N is hostile to all."""
    after = march("V move V-1 V8 N1", nodes="N1 garrison=yes", roads="V8 N1")
    assert after.army("V-1").node == "N1"
    assert not after.rows(g.Contact)


def test_empty_walls_do_not_stop() -> None:
    """Marching: walls alone stop nobody; M-1 passes between its own places through empty walls of its own."""
    after = march("M move M-1 M5 V8 V9", "M-1 90 M5", nodes="V8 owner=M walls=intact, V9 owner=M")
    assert after.army("M-1").node == "V9"


def test_partners_with_passage_do_not_stop_each_other() -> None:
    """Words of the map: V-1 passes through V9 where its partner stands, and ends beyond."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 40 V9", alliances="M V 1502 passage=yes")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V8", "V0 V9")


def test_a_treaty_without_passage_does_not_prevent_meetings() -> None:
    """Words of the map: only passage lets pass."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 40 V9", alliances="M V 1502")
    assert after.army("V-1").node == "V9"
    assert after.contact("V9").other == "M"


def test_before_a_partner_an_army_falls_back_along_its_path() -> None:
    """Marching: V-1 would end beside its partner at V8: it stays at V9, the last node without him."""
    after = march("V move V-1 V0 V9 V8", "V-1 90 V0, M-1 40 V8", alliances="M V 1502 passage=yes")
    assert (after.army("V-1").node, after.army("V-1").trail) == ("V9", "V0")
    assert after.audience("move.ally_ahead", army="V-1") == {"V"}


def test_allies_may_stand_together_with_consent() -> None:
    """ally_stack with_consent: allies with passage may end in one node, and do not meet."""
    after = march(
        "V move V-1 V9 V8",
        "V-1 90 V9, M-1 40 V8",
        alliances="M V 1502 passage=yes",
        rules={"ally_stack": "with_consent"},
    )
    assert after.army("V-1").node == "V8"
    assert not after.rows(g.Contact)


def test_armies_of_one_player_may_stand_together() -> None:
    """3b: only armies of one and the same player can occupy the same node."""
    after = march("V move V-1 V9 V8", "V-1 90 V9, V-2 40 V8")
    assert after.army("V-1").node == "V8"


# --- order of movement ----------------------------------------------------------------------------
def test_armies_that_swap_places_do_not_pass_through_each_other() -> None:
    """Marching: the first in the order reaches the other, who is pinned."""
    for order, first, second in (("V M F P S", "V", "M"), ("M V F P S", "M", "V")):
        after = case(
            "r3.move",
            order=order,
            armies="V-1 90 V8, M-1 90 M5",
            orders="V move V-1 V8 M5\nM move M-1 M5 V8",
            pinned="o2" if first == "V" else "o1",
        )
        where = {"V": "M5", "M": "V8"}[first]
        assert (after.army(f"{first}-1").node, after.army(f"{second}-1").node) == (where, where)
        assert after.contact(where).hand == first


def test_met_before_moving_may_leave_freely() -> None:
    """met_before_moving free: the army that was reached may still march away."""
    after = case(
        "r3.move",
        order="M V F P S",
        armies="V-1 90 V8, M-1 90 M5",
        rules={"met_before_moving": "free"},
        orders="V move V-1 V8 F7\nM move M-1 M5 V8",
    )
    assert (after.army("V-1").node, after.army("M-1").node) == ("F7", "V8")
    assert not after.rows(g.Contact)


def test_armies_that_faced_each_other_before_do_not_pin_each_other() -> None:
    """Marching: who already stood face to face may go back, each in its turn."""
    after = case(
        "r3.move", armies="V-1 90 V8 trail=V9, M-1 90 V8 trail=M5", orders="V move V-1 V8 V9\nM move M-1 V8 M5"
    )
    assert (after.army("V-1").node, after.army("M-1").node) == ("V9", "M5")


@pytest.mark.parametrize(
    ("given", "meets"),
    [
        ({"armies": "M-1 0 M5 kind=diplomat, V-1 70 V8"}, True),
        ({"armies": "M-1 0 M5 kind=diplomat revealed=yes, V-1 70 V8"}, False),
        ({"armies": "M-1 0 M5 kind=diplomat, V-1 70 V8", "rules": {"diplomat_contact": "no"}}, False),
    ],
)
def test_an_envoy_who_stops_nobody_pins_nobody(given: dict[str, Any], meets: bool) -> None:
    """Marching: only a blocking marker that arrives keeps an army from leaving; a revealed envoy is none."""
    after = case("r3.move", order="M V F P S", orders="M move M-1 M5 V8\nV move V-1 V8 V9",
                 pinned="o2" if meets else "", **given)
    assert after.army("V-1").node == ("V8" if meets else "V9")
    assert len(after.rows(g.Contact)) == meets


def test_a_revealed_envoy_who_comes_out_holds_no_besieger() -> None:
    """Marching, Table 33: who is known to be an envoy leaves the walls, and the besieger marches all the same."""
    after = case("r3.move", nodes="V8 walls=intact", sieges="V8 M 1", orders="V come_out V-1\nM move M-1 V8 F7",
                 armies="M-1 90 V8 trail=M5, V-1 0 V8 kind=diplomat revealed=yes posture=shut_in")
    assert after.army("M-1").node == "F7"
    assert after.gone("V8/M")


def test_a_siege_or_a_stand_is_not_pinned() -> None:
    """Marching: only a march or a sally is lost; an order to stay is what happens anyway."""
    after = case("r3.move", order="M V F P S", armies="V-1 90 V8, M-1 90 M5", orders="V stay V-1\nM move M-1 M5 V8")
    assert after.statuses["o1"] == "accepted"


def test_one_faction_moves_its_armies_in_natural_order() -> None:
    """The marches, step by step: V-2 before V-10: the numbers of arrival show it."""
    after = case("r3.move", armies="V-10 90 V8, V-2 90 V9", orders="V move V-10 V8 F7\nV move V-2 V9 V0")
    assert (after.army("V-2").arrived_no, after.army("V-10").arrived_no) == (1, 2)


@pytest.mark.parametrize("order", ["V M P", "M P V", "P V M"])
def test_arrivals_are_numbered_in_the_order_of_movement(order: str) -> None:
    """Marching: the running number of the round follows move_rank."""
    after = case(
        "r3.move",
        order=f"{order} F S",
        armies="V-1 90 V8, M-1 90 M5, P-1 90 P8",
        orders="V move V-1 V8 V9\nM move M-1 M5 M4\nP move P-1 P8 P9",
    )
    assert sorted("VMP", key=lambda f: after.army(f"{f}-1").arrived_no) == order.split()


def test_the_trail_keeps_the_last_four_nodes() -> None:
    """Words of the map: the last four nodes left are kept."""
    after = march("V move V-1 V8 V9 V11", "V-1 90 V8 trail=V0+V9+V0+V9")
    assert after.army("V-1").trail == "V0 V9 V8 V9"


def test_an_army_without_orders_stands() -> None:
    """Orders: in summer an army without an order stands."""
    assert case("r3.move", armies="V-1 90 F7").unchanged_except()


def test_an_army_reached_by_two_hostile_forces() -> None:
    """Who meets whom: one contact for each hostile pair, sorted by the rank of the hand."""
    after = case(
        "r3.move",
        order="P M V F S",
        armies="V-1 90 V8, M-1 90 M5, P-1 90 P8",
        orders="M move M-1 M5 V8\nP move P-1 P8 V8",
    )
    assert [
        (c.hand, c.other) for c in sorted(after.rows(g.Contact), key=lambda c: (c.hand, c.other), reverse=True)
    ] == [("P", "V"), ("P", "M"), ("M", "V")]


def test_the_redrawn_order_asks_or_throws_each_round() -> None:
    """order_redraw phase: without a Strategos the order is thrown before each round."""
    dice = {f"order:{f}:1500:3": n for f, n in zip("VMFPS", (1, 5, 9, 13, 17), strict=True)}
    after = case("r3.move", rules={"order_redraw": "phase"}, dice=dice)
    assert [after.faction(f).move_rank for f in "SPFMV"] == [1, 2, 3, 4, 5]
    asked = case("r3.move", rules={"order_redraw": "phase"}, strategos="M", waits=True)
    assert list(asked.questions) == ["move_order M"]
    told = case("r3.move", rules={"order_redraw": "phase"}, strategos="M", answers="move_order M = M V F P S")
    assert told.faction("M").move_rank == 1
    assert not [k for k in told.throws if k.startswith("order:")]


def test_the_order_holds_for_the_summer() -> None:
    """t33: by default it stays valid for the ten rounds; no die is thrown for it in a round."""
    after = case("r3.move", strategos="M")
    assert not [k for k in after.throws if k.startswith("order:")]


# --- determinism of one round ---------------------------------------------------------------------
def test_the_order_of_rows_does_not_matter() -> None:
    """Orders: arrival order is irrelevant: any order of the same rows gives the same round."""
    lines = ["V move V-1 V8 F7 seq=1", "M move M-1 M5 V8 seq=1", "P move P-1 P8 V8 seq=1", "F fortify F7 seq=1"]
    found = set()
    for rows in itertools.permutations(lines):
        after = case("r3.move", factions="F 100", armies="V-1 90 V8, M-1 90 M5, P-1 90 P8", orders="\n".join(rows))
        found.add(str([vars(a) for a in after.rows(g.Army)] + [(e.event, e.data, e.audience) for e in after.events()]))
    assert len(found) == 1


# --- one army, several ways -----------------------------------------------------------------------
def test_an_army_is_sent_two_ways_by_coordinates_alone() -> None:
    """Practice 1, 2: an army is ducats at a node; what marches off it is not a second army that a line could mean."""
    after = march("F: 60 F0 F7; F: 40 F0 S12", "F-1 100 F0")
    assert [(after.army(code).node, after.army(code).value) for code in ("F-1", "F-2")] == [("S12", 40), ("F7", 60)]


def test_what_is_left_of_the_army_is_meant_by_the_next_line() -> None:
    """The rest besieges where it stands, although its other part has not left yet when the line is read."""
    after = march("F: 60 V11 V9; F: assedia V11", "F-1 100 V11")
    assert (after.army("F-2").node, after.siege("V11", "F").rounds) == ("V9", 0)


def test_of_two_armies_that_stood_there_one_is_named() -> None:
    """GIG-008: a part that is split off by name stays an army like another, and coordinates alone mean neither."""
    march("F: dividi 60 F-1; F: F0 F7", "F-1 100 F0", findings="o2 GIG-008")
