"""Every choice that the book leaves open, where it is taken otherwise (rulebook: Switches)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.warriors.records import Boat
from assistant.rulesets.warriors.ruleset import WARRIORS
from tests.warriors.cases import Case, battle, forces, losses

ON_MARCH = {"M1": {"node": "C03", "order": "march"}}
RIVER = {"R1": {"a": "C03", "b": "C04", "kind": "river"}}
SHIPS = {"B1": {"faction": "men", "node": "C03"}}


def moved(rules: dict[str, Any], dice: dict[str, Any], path: str = "D03", **tables: Any) -> Case:
    """One march of M1, with these rules."""
    case = Case(rules=rules, **{"armies": ON_MARCH, **tables})
    return case.order("men", "move", army="M1", path=path).throw(dice).play("move")


def sailed(rules: dict[str, Any], dice: dict[str, Any], path: str, **tables: Any) -> Case:
    """One voyage of M1, with these rules."""
    case = Case(rules=rules, **{"armies": {"M1": {"node": "C03"}}, "boats": SHIPS, **tables})
    return case.order("men", "sail", army="M1", boat="B1", path=path).throw(dice).play("move")


# --- the turn ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("rules", "first", "last"), [
    ({}, "orders", "events"), ({"phase0": "on"}, "weather", "events"), ({"phase8": "off"}, "orders", "muster"),
    ({"phase0": "ask", "phase8": "ask"}, "weather", "events")])
def test_an_optional_phase_that_is_off_is_left_out(rules: dict[str, Any], first: str, last: str) -> None:
    """phase0, phase8: play never comes there, and the turn is closed after the last one that is on."""
    case = Case(rules=rules, armies={"M1": {"node": "C03"}, "O1": {"node": "G06"}})
    ids = WARRIORS.phase_ids(case.campaign)
    assert (ids[0], ids[-1]) == (first, last)
    case.campaign.desk.phase = last
    WARRIORS.advance(case.campaign)
    assert (case.campaign.desk.turn, case.campaign.desk.phase) == ("2", first)


def test_the_referee_says_the_weather() -> None:
    """phase0 = ask; by any of its names."""
    case = Case(rules={"phase0": "ask"}, zones={"vale": {}}).answer("weather", "weather/vale", "bufera").play("weather")
    assert case.row("Zones", "vale").weather == "storm"


def test_the_referee_says_how_many_weeks() -> None:
    """phase6 = ask."""
    assert Case(rules={"phase6": "ask"}).answer("time", "weeks", "3").play("time").row("Desk", "warriors").week == 4


def test_the_referee_says_what_a_place_gives() -> None:
    """phase7 = ask."""
    case = Case(turn=4, desk={"week": 5}, rules={"phase7": "ask"}, nodes={
        "C03": {"place": "stronghold", "founder": "men", "holder": "men"}})
    assert case.answer("muster", "muster/C03", "33").play("muster").row("Nodes", "C03").store == 33


def test_the_referee_says_the_event() -> None:
    """phase8 = ask: number 3 is a bad omen; none is what the Italian offers, too."""
    case = Case(rules={"phase8": "ask"}, factions={one: {"status": "out"} for one in ("orcs", "undead", "dwarfs")})
    assert case.answer("events", "event/men", "3").play("events").row("Factions", "men").omen == -1
    none = Case(rules={"phase8": "ask"}, factions={one: {"status": "out"} for one in ("orcs", "undead", "dwarfs")})
    assert none.answer("events", "event/men", "nessuna").play("events").codes == []


def test_one_force_each_in_turn() -> None:
    """move_method = B: the orcs' Force goes between the two of the men."""
    for method, order in (("A", ["M1", "M2", "O1"]), ("B", ["M1", "O1", "M2"])):
        case = Case(rules={"move_method": method}, armies={"M1": {"node": "A01"}, "M2": {"node": "A05"},
                                                           "O1": {"node": "G06"}})
        for faction, army, path in (("men", "M1", "B01"), ("men", "M2", "B05"), ("orcs", "O1", "G05")):
            case.order(faction, "move", army=army, path=path)
        case.throw(initiative__men__1=6, initiative__orcs__1=1, move__M1=3, move__M2=3, move__O1=3).play("move")
        assert [data["army"] for data in case.event_data("moved")] == order


def test_squares_that_touch() -> None:
    """adjacency = 4: no step over a corner."""
    case = Case(rules={"adjacency": "4"}, armies=ON_MARCH).order("men", "move", army="M1", path="D04").check()
    assert case.codes == ["WAR-202"]


# --- movement ---------------------------------------------------------------------------------------
def test_what_a_road_is_good_for() -> None:
    """road_bonus = first_step: only where the first step follows it."""
    road = {"R1": {"a": "C03", "b": "C02"}}
    assert moved({}, {"move/M1": 1}, roads=road).event_data("moved")[0]["total"] == 4
    assert moved({"road_bonus": "first_step"}, {"move/M1": 1}, roads=road).event_data("moved")[0]["total"] == 3


def test_only_so_many_squares_of_a_path_count() -> None:
    """max_land: as WAR-205 says, also where the die gives more."""
    case = moved({"max_land": 2}, {"move/M1": 6}, "D03 E03 F03",
                 nodes={"C03": {"territory": "men"}})
    assert (case.codes, case.army("M1").node) == (["WAR-205"], "E03")


def test_fords_in_the_rain() -> None:
    """weather_closes_fords: a river without a bridge stops a Force before it."""
    rain: dict[str, Any] = {"zones": {"all": {"weather": "rain"}}, "roads": {"R1": {"a": "D03", "b": "D04",
                                                                                "kind": "river"}}}
    case = moved({"phase0": "on"}, {"move/M1": 4}, **rain)
    assert (case.army("M1").node, case.event_data("move_cut")[0]["why"]) == ("C03", "ford closed")
    assert moved({"phase0": "on", "weather_closes_fords": "off"}, {"move/M1": 4}, **rain).army("M1").node == "D03"


def test_a_reaction_may_leave_the_order() -> None:
    """order_under_reaction = kept: an unsteady Force on march has +2 and -2."""
    case = moved({"order_under_reaction": "kept"}, {"move/M1": 3},
                 armies={"M1": {"node": "C03", "order": "march", "reaction": "unsteady"}})
    assert case.event_data("moved")[0]["total"] == 3


def test_a_force_that_fails_altogether_may_be_routed() -> None:
    """rout_result = until_contact; its faction owes a test all the same, unless will_trigger says otherwise."""
    for trigger, due in (("force_test", "force_lost:M1"), ("all_forces", "")):
        case = Case(rules={"rout_result": "until_contact", "will_trigger": trigger},
                    armies={"M1": {"node": "C03", "vc": 0, "reaction": "unsteady"}})
        case.order("men", "order", army="M1", new_order="defend").throw(force_test__M1=1).play("orders")
        assert (case.army("M1").reaction, case.army("M1").node) == ("routed", "C03")
        assert case.row("Factions", "men").will_due == due


def test_a_will_marker_may_only_remind() -> None:
    """will_marker = none."""
    case = Case(rules={"will_marker": "none"}, armies={"M1": {"node": "C03", "will_marker": True}})
    case.order("men", "order", army="M1", new_order="march").throw(force_test__M1=4).play("orders")
    assert case.army("M1").order == "march"


def test_any_force_that_is_lost_is_a_reason() -> None:
    """will_trigger = any_force: also one that collapses."""
    case = Case(rules={"will_trigger": "any_force"}, armies={"M1": {"node": "D03", "reaction": "routed"},
                                                             "O1": {"node": "C03"}})
    case.order("orcs", "move", army="O1", path="D03").throw(
        initiative__men__1=1, initiative__orcs__1=6, move__O1=3).play("move")
    assert case.row("Factions", "men").will_due == "force_lost:M1"


# --- water ------------------------------------------------------------------------------------------
SEA = {"D03": {"terrain": "sea"}, "E03": {"terrain": "sea"}}


def test_wind_in_each_move() -> None:
    """wind_roll = each_move: also without weather."""
    case = sailed({"wind_roll": "each_move"}, {"sail/M1": 6, "wind/M1": 1}, "D03", nodes=SEA)
    assert case.event_data("sailed")[0]["total"] == 3


def test_a_low_total_may_leave_boats_where_they_are() -> None:
    """naval_low = same."""
    assert sailed({}, {"sail/M1": 2}, "D03", nodes=SEA).army("M1").node == "D03"
    assert sailed({"naval_low": "same"}, {"sail/M1": 2}, "D03", nodes=SEA).army("M1").node == "C03"


def test_barges_may_count_with_small_boats_only() -> None:
    """barge_stack = small."""
    boats = {"B1": {"faction": "men", "node": "C03", "barges": True}}
    for rule, total in (("both", 3), ("small", 4)):
        case = sailed({"barge_stack": rule}, {"sail/M1": 4}, "D03", nodes=SEA, boats=boats)
        assert case.event_data("sailed")[0]["total"] == total


def test_boats_may_carry_any_number() -> None:
    """boat_capacity = off."""
    boats = {"B1": {"faction": "men", "node": "C03", "capacity": 1}}
    assert sailed({"boat_capacity": "off"}, {"sail/M1": 4}, "D03", nodes=SEA, boats=boats).army("M1").aboard == "B1"


def test_one_move_may_go_on_sea_and_river() -> None:
    """sea_and_river = yes: both lists, one die."""
    case = sailed({"sea_and_river": "yes"}, {"sail/M1": 6}, "C04 D05", roads=RIVER, nodes={"D05": {"terrain": "sea"}})
    assert (case.army("M1").node, case.event_data("sailed")[0]["total"]) == ("D05", 7)


# --- the wilds --------------------------------------------------------------------------------------
def test_when_a_crossing_costs_figures() -> None:
    """crossing_per: each wild square, only the last of a move, or who begins the turn there."""
    wild = {"D03": {"terrain": "desert"}, "E03": {"terrain": "desert"}}
    case = moved({"crossing_per": "move"}, {"move/M1": 6, "crossing/M1a/1": 1}, "D03 E03", nodes=wild)
    assert [data["node"] for data in case.event_data("crossing_losses")] == ["E03"]
    case = moved({"crossing_per": "turn"}, {"move/M1": 4, "crossing/M1a/1": 1}, "C04",
                 nodes={"C03": {"terrain": "desert"}})
    assert [data["node"] for data in case.event_data("crossing_losses")] == ["C03"]


def test_who_is_spared() -> None:
    """natives_exempt, crossing_shelter."""
    wild = {"D03": {"terrain": "desert"}}
    native = {"M1a": {"native_of": "desert"}}
    assert moved({"natives_exempt": "on"}, {"move/M1": 4}, nodes=wild, units=native).event_data("crossing_losses") == []
    fort = {"D03": {"terrain": "desert", "place": "stronghold", "founder": "men", "holder": "men"},
            "A01": {"place": "capital", "founder": "men", "holder": "men"}}
    assert moved({}, {"move/M1": 4}, nodes=fort).event_data("crossing_losses") == []
    case = moved({"crossing_shelter": "off"}, {"move/M1": 4, "crossing/M1a/1": 1}, nodes=fort)
    assert len(case.event_data("crossing_losses")) == 1


def test_the_share_that_a_crossing_has_cost() -> None:
    """crossing_base, crossing_count, crossing_territory."""
    wild = {"D03": {"terrain": "waste", "territory": "men"}}
    dice = {"move/M1": 4, "crossing/M1a/1": 4, "wounded/crossing/M1a/1": [3, 3]}
    units = {"M1a": {"figures": 7, "figures_start": 20}}
    assert moved({}, dice, nodes=wild, units=units).wounded() == {"M1a/3": 2}
    more = {**dice, "deserter/crossing/M1a/1": [6] * 5}
    assert moved({"crossing_base": "current"}, more, nodes=wild, units=units).event_data("deserted")[0]["count"] == 0
    assert moved({"crossing_count": "all"}, more, nodes=wild, units=units).event_data("deserted")[0]["count"] == 0
    assert moved({"crossing_territory": "off"}, dice, nodes=wild, units=units).wounded() == {}


# --- battle and after --------------------------------------------------------------------------------
def test_wizard_and_scouts() -> None:
    """confused_scout = and: their sum, without a die."""
    for rule, total in (("or", 2), ("and", 3)):
        case = Case(turn=2, rules={"confused_scout": rule}, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}},
                    units={"M1a": {"scouts": True}, "M1b": {"wizard": True}, "O1a": {}}, battles=battle(),
                    battle_armies=forces("M1 D march", "O1 A march")).play("explore")
        assert case.row("Battle armies", "B2-1/M1").exploration == total


def beaten(rules: dict[str, Any], rows: tuple[str, ...] = ("M1a 10", "O1a 10"), **more: Any) -> Case:
    """M1 has lost a battle in C03."""
    return Case(turn=2, rules=rules, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, **{
        "battles": battle(outcome=more.pop("outcome", "attacker"), status="fought"),
        "battle_armies": forces("M1 D", "O1 A"), "battle_units": losses(rows), **more})


def test_a_natural_one_may_be_a_die_as_any_other() -> None:
    """natural_first = after: 1 and 1 for the ground is 2, 6 less 1 is 5."""
    rows = ("M1a 10 1 1", "O1a 10")
    for rule, hurt in (("before", {}), ("after", {"M1a/4": 1})):
        case = beaten({"natural_first": rule, "wound_friendly": 3}, rows, nodes={"C03": {"territory": "men"}})
        case.answer("after", "retreat/B2-1/M1", "D03", to="men").throw({
            "wounded/B2-1/M1a": [1], "deserter/B2-1/M1a": [5]}).play("after")
        assert case.wounded() == hurt


FORT = {"C03": {"place": "stronghold", "founder": "men", "holder": "men"}}


def test_the_beaten_may_keep_their_stronghold() -> None:
    """lost_on_stronghold = no."""
    case = beaten({"lost_on_stronghold": "no"}, nodes=FORT).play("after")
    assert (case.army("M1").node, case.row("Nodes", "C03").holder) == ("C03", "men")
    assert [(data["army"], data["why"]) for data in case.event_data("stays")] == [("M1", "stronghold")]


def test_nowhere_to_go() -> None:
    """no_retreat: destroyed, or it stays."""
    lakes = {one: {"terrain": "lake"} for one in ("B02", "B03", "B04", "C02", "C04", "D02", "D03", "D04")}
    assert beaten({}, nodes=lakes).play("after").army("M1").status == "destroyed"
    assert beaten({"no_retreat": "stays"}, nodes=lakes).play("after").army("M1").node == "C03"


def test_who_steps_back_first() -> None:
    """stalemate_order: the lower die, or the lower V.C. without one; then a square lies between them."""
    case = beaten({"stalemate_order": "vc"}, outcome="stalemate", battle_armies={
        **forces("M1 D"), "O1": {**forces("O1 A")["O1"], "start_vc": 3}})
    case.answer("after", "step-back/B2-1/M1", "D03", to="men").answer(
        "after", "step-back/B2-1/O1", "B03", to="orcs").play("after")
    assert [data["army"] for data in case.event_data("stepped_back")] == ["M1", "O1"]
    case = beaten({}, outcome="stalemate").throw({"stalemate/B2-1/A/1": 2, "stalemate/B2-1/D/1": 2,
                                                   "stalemate/B2-1/A/2": 1, "stalemate/B2-1/D/2": 5})
    case.answer("after", "step-back/B2-1/M1", "D03", to="men").answer(
        "after", "step-back/B2-1/O1", "B03", to="orcs").play("after")
    assert [data["army"] for data in case.event_data("stepped_back")] == ["O1", "M1"]


def test_field_works_may_be_kept() -> None:
    """fieldworks_keep = kept."""
    for rule, points in (("lost", 0), ("kept", 7)):
        case = moved({"fieldworks_keep": rule}, {"move/M1": 4},
                     armies={"M1": {"node": "C03", "order": "march", "fieldworks": 7}})
        assert case.army("M1").fieldworks == points


def test_a_result_may_need_the_referees_word() -> None:
    """confirm_results = yes."""
    rows = {"M1": {"battle": "B2-1", "army": "M1", "side": "D", "arrival": 0},
            "O1": {"battle": "B2-1", "army": "O1", "side": "A", "arrival": 1}}
    case = Case(turn=2, rules={"confirm_results": "yes"}, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}},
                battles=battle(outcome="attacker"), battle_armies=rows,
                battle_units=losses(["M1a 10 1", "O1a 10"], status="")).play("battle")
    assert case.waits == ["result/B2-1"]
    case.row("Questions", "result/B2-1/2/battle").answer = "entered"
    assert case.play("battle").row("Battles", "B2-1").status == "fought"


def test_a_place_may_need_a_force() -> None:
    """hold_needs_force = yes: it goes back to its founder."""
    case = Case(rules={"hold_needs_force": "yes"}, nodes={"C03": {"place": "stronghold", "founder": "men",
                                                                 "holder": "orcs"}})
    assert case.play("after").row("Nodes", "C03").holder == "men"


# --- the will ---------------------------------------------------------------------------------------
def willing(rules: dict[str, Any], dice: dict[str, Any], **faction: Any) -> Case:
    """The men are tested."""
    case = Case(turn=2, rules=rules, armies={"M1": {"node": "A01"}, "O1": {"node": "G06"}},
                factions={"men": {"will_due": "battle_lost:B1-1,force_lost:M9", **faction}},
                nodes={"C03": {"place": "capital", "founder": "men", "holder": "orcs"}})
    return case.throw(dice).play("will")


def test_how_often_the_will_is_tested() -> None:
    """will_tests = per_trigger: one die for each reason, each told, until one fails."""
    assert willing({}, {"will/men": 6}).row("Factions", "men").status == "playing"
    case = willing({"will_tests": "per_trigger"}, {"will/men": 6, "will/men/2": 2})
    assert case.row("Factions", "men").status == "out"
    assert [(one.event, one.data["total"]) for one in case.events() if one.event in ("will_passed", "will_failed")] == [
        ("will_passed", 3), ("will_failed", -1)]
    thrown = {row.event: row.audience for row in case.campaign.by_sheet("Events") if row.roll}
    assert thrown == {"will_passed": "men", "will_rolled": "men"}


def test_what_counts_for_the_will() -> None:
    """will_battles = turn, capital_is_stronghold = yes."""
    assert willing({}, {"will/men": 6}, won=3).event_data("will_passed")[0]["total"] == 6
    assert willing({"will_battles": "turn"}, {"will/men": 6}, won=3).event_data("will_passed")[0]["total"] == 3
    assert willing({"capital_is_stronghold": "yes"}, {"will/men": 6}).event_data("will_passed")[0]["total"] == 2


def test_territory_may_follow_its_place() -> None:
    """territory_mode = holder: a square is its who holds the place of its domain."""
    nodes = {"C03": {"territory": "orcs", "domain": "E05"}, "E05": {"place": "stronghold", "founder": "orcs",
                                                                   "holder": "men"}}
    for rule, total in (("home", 4), ("holder", 6)):
        assert moved({"territory_mode": rule}, {"move/M1": 3}, nodes=nodes).event_data("moved")[0]["total"] == total


# --- what is seen -----------------------------------------------------------------------------------
def seen(faction: str, **rules: str) -> set[str]:
    """The Forces that a faction sees of men in A01, dwarfs in A03, orcs in C03 and undead in H07."""
    case = Case(rules=rules, armies={"M1": {"node": "A01"}, "D1": {"node": "A03"}, "O1": {"node": "C03"},
                                     "U1": {"node": "H07"}}, relations={"1": {"a": "dwarfs", "b": "men",
                                                                            "state": "allied"}})
    return set(WARRIORS.view(case.campaign, faction).by_sheet("Armies").keys())


def test_what_the_fog_hides() -> None:
    """fog, sight: all Forces, or those near an own or allied one."""
    assert seen("men") == {"M1", "D1", "O1", "U1"}
    assert seen("men", fog="near") == {"M1", "D1", "O1"}
    assert seen("men", fog="near", sight="1") == {"M1", "D1"}
    assert seen("undead", fog="near") == {"U1"}


def boats_seen(reader: str, **rules: Any) -> set[str]:
    """The boats that a faction may know of: M3 sails SH1 far out, O1's lie in sight of M1, SH3 lie empty far out."""
    case = Case(rules=rules, armies={"M1": {"node": "B02"}, "M3": {"node": "E05", "aboard": "SH1"},
                                     "O1": {"node": "C02", "aboard": "SH2"}},
                boats={"SH1": {"faction": "men", "node": "E05"}, "SH2": {"faction": "orcs", "node": "C02"},
                       "SH3": {"faction": "orcs", "node": "G07"}})
    return {row.boat for row in WARRIORS.view(case.campaign, reader).table(Boat)}


def test_boats_are_seen_as_the_force_that_they_carry() -> None:
    """With fog near boats do not tell where a hidden Force is; empty ones lie where all see them (Visibility)."""
    for reader in ("", "undead", "orcs"):
        assert boats_seen(reader) == {"SH1", "SH2", "SH3"}
    assert boats_seen("men", fog="near") == {"SH1", "SH2", "SH3"}
    assert boats_seen("orcs", fog="near") == {"SH2", "SH3"}
    assert boats_seen("undead", fog="near") == boats_seen("", fog="near") == {"SH3"}


def test_what_allies_share() -> None:
    """allies_share: where they stand, or all they have."""
    for share, units in (("positions", {"M1a"}), ("full", {"M1a", "D1a"})):
        case = Case(rules={"allies_share": share}, armies={"M1": {"node": "A01"}, "D1": {"node": "A03"}},
                    relations={"1": {"a": "dwarfs", "b": "men", "state": "allied"}})
        assert set(WARRIORS.view(case.campaign, "men").by_sheet("Units").keys()) == units


def test_nobody_reads_off_a_throw_what_a_commander_is_worth() -> None:
    """Of initiative all see the dice, and the V.C. only whose it is."""
    case = Case(armies={"M1": {"node": "A01", "vc": 4}, "O1": {"node": "G06", "vc": 1}})
    case.throw(initiative__men__1=2, initiative__orcs__1=3).play("move")
    rolls = {row.audience: str(row.roll) for row in case.campaign.by_sheet("Events") if "initiative" in row.event}
    assert set(rolls) == {"all", "men", "orcs"}
    assert ["V.C." in rolls[one] for one in ("all", "men", "orcs")] == [False, True, True]


@pytest.mark.parametrize(("rounding", "lost"), [("down", (0, 1, 1)), ("half_up", (1, 1, 1))])
def test_how_losses_by_dice_are_rounded(rounding: str, lost: tuple[int, int, int]) -> None:
    """auto_rounding: of three figures that are beaten by far 30% and 40% are none and one, or one and one."""
    case = Case(turn=2, rules={"auto_rounding": rounding}, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}},
                battles=battle(method="auto", band=0), battle_armies={
                    key: {**row, "status": ""} for key, row in forces("M1 D", "O1 A").items()},
                battle_units=losses(["M1a 3", "O1a 10"], status=""))
    case.throw({"auto/B2-1/A": "6+6", "auto/B2-1/D": "1+1", "auto/B2-1/commander/M1": 3}).play("battle")
    row = case.row("Battle units", "B2-1/M1a")
    assert (row.killed, row.routed, row.withdrawn) == lost
