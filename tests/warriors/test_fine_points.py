"""Fine points of the rulebook where two rules meet: river mouths, standing instructions, chiefs, stores, forms."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.warriors.aftermath import retreat_places
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.wording import Wording
from tests.warriors.cases import Case, battle, forces, losses

LAKE: dict[str, dict[str, Any]] = {"C03": {"terrain": "lake"}, "D03": {"terrain": "lake"}}
UPSTREAM: dict[str, dict[str, Any]] = {"R1": {"a": "E03", "b": "D03", "kind": "river"},
                                       "R2": {"a": "E04", "b": "E03", "kind": "river"}}
CAPITAL: dict[str, Any] = {"territory": "men", "place": "capital", "founder": "men", "holder": "men"}
SPEAR: dict[str, dict[str, Any]] = {"spear": {"people": "any", "points": 5}}


@pytest.mark.parametrize(("rules", "node", "aboard"), [({}, "E03", "B1"), ({"sl_up": 0, "sl_small": 1}, "E04", "")])
def test_a_landing_far_upstream_does_not_stop_boats_at_the_mouth(rules: dict[str, Any], node: str,
                                                                 aboard: str) -> None:
    """sea_and_river = yes: 6+2-2-2 = 4 is two squares, over the mouth; with 9 the whole path is done (2 naval)."""
    case = Case(rules={"sea_and_river": "yes", **rules}, nodes=LAKE, roads=UPSTREAM,
                armies={"M1": {"node": "C03", "aboard": "B1", "order": "march"}},
                boats={"B1": {"faction": "men", "node": "C03", "kind": "small"}})
    case.order("men", "sail", army="M1", boat="B1", path="D03 E03 E04 land").throw(sail__M1=6).play("move")
    assert (case.army("M1").node, case.army("M1").aboard) == (node, aboard)


def test_an_instruction_with_a_square_that_is_no_step_back() -> None:
    """WAR-321 warns, the row counts, and the default place will be used (2.1)."""
    case = Case(rules={"counter_march": "on"}, armies={"M1": {"node": "C03"}})
    case.order("men", "contact", army="M1", stance="counter_march", to="F06").play("move")
    assert (case.codes, case.army("M1").on_contact, case.army("M1").retreat_to) == (["WAR-321"], "counter_march", "")


def test_an_instruction_outlives_a_meeting() -> None:
    """Until it is changed: an enemy who stands in the square for once neither wipes it out nor is told of (2.1)."""
    case = Case(rules={"counter_march": "on"}, armies={"M1": {"node": "C03"}, "O1": {"node": "D03"},
                                                       "U1": {"node": "G06"}})
    case.order("men", "contact", army="M1", stance="counter_march", to="D03")
    case.order("orcs", "move", army="O1", path="E03")
    case.throw(initiative__men__1=1, initiative__orcs__1=6, initiative__undead__1=3, move__O1=3).play("move")
    assert (case.codes, case.army("M1").retreat_to) == ([], "D03")
    case.campaign.desk.turn = "2"
    case.army("U1").node = "B03"
    case.order("undead", "move", army="U1", path="C03")
    case.throw(counter_march__M1=6, move__U1=3).play("move", whole=False)
    assert case.army("M1").node == "D03"


@pytest.mark.parametrize("path", ["D03 E03 D03", "D03 E03 E04", "D03 E03 F03"])
def test_a_river_mouth_is_the_end_of_a_move(path: str) -> None:
    """Back onto the lake, up the river or along the shore: a mouth in mid path is WAR-307, unless sea_and_river."""
    def sailed(**rules: Any) -> Case:
        case = Case(rules=rules, nodes=LAKE, roads=UPSTREAM, armies={"M1": {"node": "C03", "aboard": "B1"}},
                    boats={"B1": {"faction": "men", "node": "C03"}})
        return case.order("men", "sail", army="M1", boat="B1", path=path).check("move")

    assert (sailed().codes, sailed(ships_on_rivers="no").codes) == (
        ["WAR-307"], ["WAR-307" if path.endswith("E04") else "WAR-306"])
    assert sailed(sea_and_river="yes").codes == (["WAR-306"] if path.endswith("F03") else [])


@pytest.mark.parametrize(("first", "second", "allowance"), [
    ("desert", "waste", 2), ("waste", "desert", 2), ("desert", "hill", 0), ("jungle", "forest", 0)])
def test_desert_and_waste_are_one_line(first: str, second: str, allowance: int) -> None:
    """One line of the table of movement: together -1; two lines add up (2 movement)."""
    case = Case(nodes={"C03": {"terrain": first, "terrain2": second}}, armies={"M1": {"node": "C03", "order": "march"}})
    case.order("men", "move", army="M1", path="D03 E03").throw(move__M1=5 if allowance else 3).play("move")
    assert sum(data["allowance"] for data in case.event_data("moved")) == allowance


def test_a_commander_without_units_takes_nothing() -> None:
    """No stronghold and no boats, which with a figure he does; but his own place he keeps (4 movement after)."""
    fort = {"place": "stronghold", "founder": "orcs"}

    def after(figures: int) -> Case:
        return Case(armies={"M1": {"node": "C03"}, "M2": {"node": "F03"}, "O1": {"node": "F03", "order": "defend"}},
                    units={"M1a": {"figures": figures}, "M2a": {"figures": 0}, "O1a": {}},
                    nodes={"C03": {**fort, "holder": "orcs"}, "F03": {**fort, "holder": "men"}},
                    boats={"B1": {"faction": "orcs", "node": "C03"}}).play("after")

    held = [(case.row("Nodes", "C03").holder, case.row("Nodes", "F03").holder, case.row("Boats", "B1").faction)
            for case in (after(0), after(1))]
    assert held == [("orcs", "men", "orcs"), ("men", "men", "men")]


def test_a_robot_without_its_capital_founds_elsewhere() -> None:
    """In the richest place that it holds (The robot)."""
    fort = {"place": "stronghold", "founder": "men", "holder": "men"}
    case = Case(desk={"week": 4}, armies={"M1": {"node": "H07"}, "O1": {"node": "A01"}}, unit_types=SPEAR, nodes={
        "A01": {**CAPITAL, "holder": "orcs"}, "G01": {**fort, "store": 120}, "G04": {**fort, "store": 150}})
    rows = [row.as_text() for row in WARRIORS.robot_orders(case.campaign, "men")[-2:]]
    assert [(row["verb"], row["place"]) for row in rows] == [("found", "G04"), ("raise", "G04")]


def test_the_points_that_the_referee_gives_may_be_spent_at_once() -> None:
    """phase7 = ask: WAR-403 counts what he has said, not what the table says (7)."""
    case = Case(turn=8, rules={"phase7": "ask"}, desk={"week": 9}, armies={"M1": {"node": "C03"}},
                nodes={"C03": CAPITAL}, unit_types=SPEAR)
    case.order("men", "raise", place="C03", type="spear", figures=30, army="M1")
    case.answer("muster", "muster/C03", "200").play("muster")
    assert (case.codes, case.row("Nodes", "C03").store) == ([], 50)


def test_a_broken_force_does_not_bring_a_second_chief() -> None:
    """A Force that is founded without another on the map has the commander-in-chief; he stays one (1, 7)."""
    case = Case(turn=4, desk={"week": 5}, armies={"M1": {"status": "broken", "chief": True}},
                units={"M1a": {"figures": 0, "figures_start": 10}}, nodes={"C03": {**CAPITAL, "store": 100}},
                wounded={"1": {"unit": "M1a", "due": 5, "count": 3}})
    case.order("men", "found", place="C03", name="New Levy", vc=1, new_order="explore").play("muster")
    case.campaign.desk.turn = "5"
    case.play("muster")
    assert [(one, case.army(one).status, case.army(one).chief) for one in ("M1", "M2")] == [
        ("M1", "active", False), ("M2", "active", True)]


def test_a_unit_for_the_force_of_that_name_that_is_founded_this_turn() -> None:
    """Another of the same name was founded before (7, Orders to Forces)."""
    case = Case(turn=4, desk={"week": 5}, armies={"M1": {"node": "C03", "name": "New Levy"}}, unit_types=SPEAR,
                nodes={"C03": CAPITAL})
    case.order("men", "found", place="C03", name="New Levy", vc=1, new_order="explore")
    case.order("men", "raise", place="C03", type="spear", figures=5, army="new levy").play("muster")
    assert [(event["unit"], event["cost"]) for event in case.event_data("raised")] == [("M2a", 25)]


@pytest.mark.parametrize("faction", ["elves", "men"])
def test_orders_of_a_faction_that_is_unknown_or_out(faction: str) -> None:
    """WAR-005 refuses the row alone."""
    case = Case(factions={"men": {"status": "out"}}, armies={"O1": {"node": "C03"}})
    case.order(faction, "order", army="O1", new_order="march").order("orcs", "order", army="O1", new_order="march")
    case.throw(force_test__O1=6).play("orders")
    assert (case.codes, case.army("O1").order) == (["WAR-005"], "march")


def test_losses_that_cannot_be_read_are_not_none() -> None:
    """WAR-506 alone: of a cell that is no number nobody says that it reports no losses (WAR-505)."""
    rows = {key: {**row, "status": ""} for key, row in forces("O1 A explore none", "M1 D explore none").items()}
    case = Case(turn=2, battles=battle(outcome="attacker", band=0), battle_armies=rows,
                battle_units=losses(("O1a 10 1", "M1a 10 x"), status=""),
                armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}).play("battle")
    assert (case.codes, case.waits) == (["WAR-506"], ["result/B2-1"])


@pytest.mark.parametrize(("squares", "water", "n", "far"), [(1, (), 8, "E05"), (2, (), 16, "F06"),
                                                            (2, ("E05", "E04", "E03"), 11, "E06")])
def test_the_beaten_fall_back_as_far_as_the_club_likes(squares: int, water: tuple[str, ...], n: int, far: str) -> None:
    """retreat_squares: the ring of squares that far off, and of it what can be reached in as many steps (4)."""
    case = Case(turn=2, rules={"retreat_squares": squares}, armies={"M1": {"node": "D04"}, "O1": {"node": "D04"}},
                nodes={one: {"terrain": "sea"} for one in water},
                battles=battle(node="D04", outcome="attacker", status="fought"),
                battle_armies=forces("O1 A explore", "M1 D explore"), battle_units=losses(("O1a 10", "M1a 10")))
    assert len(retreat_places(WARRIORS.country(case.campaign), WARRIORS.country(case.campaign).armies["M1"])) == n
    case.answer("after", "retreat/B2-1/M1", far, to="men").play("after")
    assert (case.codes, case.army("M1").node) == ([], far)


def test_a_faction_with_a_place_has_a_capital_and_a_chief_where_others_have() -> None:
    """WAR-704, 709 with none at all, before a campaign begins; where nobody has one nobody is asked for it."""
    forts = {"A01": {"place": "stronghold", "founder": "men"}, "H07": {"place": "capital", "founder": "orcs"}}
    armies: dict[str, dict[str, Any]] = {"M1": {"node": "A01"}, "O1": {"node": "H07", "chief": True}}
    assert Case(armies=armies, nodes=forts).check().codes == ["WAR-704", "WAR-709"]
    assert Case(armies={"M1": {"node": "A01"}}, nodes={"A01": forts["A01"]}).check().codes == []


@pytest.mark.parametrize(("force", "capital", "enemy", "wanted"), [
    ({"reaction": "confused", "order": "none"}, "", "C05", ["M1 order defend"]),
    ({"reaction": "confused", "order": "none"}, "", "C07", ["M1 order explore"]),
    ({}, "men", "C06", ["M1 order defend"]), ({"order": "defend"}, "men", "C06", []),
    ({}, "orcs", "C06", ["M1 move B04 B05 C06"]), ({"order": "defend"}, "", "C06", [
        "M1 order explore", "M1 move B04 B05 C06"])])
def test_what_a_robot_wants(force: dict[str, Any], capital: str, enemy: str, wanted: list[str]) -> None:
    """Shakes off a reaction, guards its own capital, goes for the nearest enemy that it can beat (The robot)."""
    place = {"place": "capital", "founder": capital, "holder": "men"} if capital else {}
    case = Case(armies={"M1": {"node": "C03", "vc": 3, **force}, "O1": {"node": enemy}}, nodes={"C03": {
        "territory": "men", **place}})
    rows = [row.as_text() for row in WARRIORS.robot_orders(case.campaign, "men")]
    said = [[row[name] for name in ("army", "verb", "new_order", "path") if row[name]] for row in rows]
    assert [" ".join(one) for one in said] == wanted


@pytest.mark.parametrize(("rules", "needed", "left"), [({}, "needs 4", 15),
                                                       ({"wound_ok": 5, "desert_ok": 5}, "needs 5", 14)])
def test_throws_for_figures_say_what_was_needed(rules: dict[str, Any], needed: str, left: int) -> None:
    """Of the fallen and of the runaways, those of one kind together (4 wounded, 4 deserters)."""
    case = Case(turn=2, rules=rules, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, units={
        "M1a": {"figures": 20}, "O1a": {}}, battles=battle(outcome="defender", status="fought"), battle_armies=forces(
        "M1 D", "O1 A"), battle_units=losses(["M1a 20 4 2", "O1a 10"])).answer(
        "after", "retreat/B2-1/O1", "D03", "orcs")
    case.throw({"wounded/B2-1/M1a": [1, 2, 4, 6], "deserter/B2-1/M1a": [3, 4]}).play("after")
    told = next(row for row in case.campaign.by_sheet("Events") if row.event == "losses" and row.data["unit"] == "M1a")
    assert Wording(WARRIORS, "en").roll(told.roll) == (
        f"wounded 4 times 1d6=1,2,4,6, {needed}; deserter 2 times 1d6=3,4, +1 average, -1 routed, {needed}")
    assert case.figures("M1a") == [left]


def test_a_commander_without_units_crosses_the_wilds() -> None:
    """Losses are those of Units: a Force that was founded and has none yet loses nothing (2 crossing)."""
    case = Case(armies={"M1": {"node": "C03"}}, units={"M1a": {"figures": 0}}, nodes={"D03": {"terrain": "desert"}})
    case.order("men", "move", army="M1", path="D03").throw(move__M1=3).play("move")
    assert (case.army("M1").node, case.army("M1").status, case.codes) == ("D03", "active", [])
