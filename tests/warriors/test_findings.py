"""Every finding of the book, by its code (rulebook: What is refused)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.desk.intake.take_orders import Merge
from assistant.rulesets.warriors.records import Question
from assistant.rulesets.warriors.ruleset import WARRIORS
from tests.warriors.cases import Case, battle, losses

HOME = {"C03": {"place": "capital", "founder": "men", "holder": "men", "store": 100},
        "E03": {"place": "stronghold", "founder": "men", "holder": "men"}}
PRICES = {"spear": {"people": "men", "points": 5}, "orc_war": {"people": "orcs", "points": 5}}
RIVER = {"R1": {"a": "C03", "b": "C04", "kind": "river"}, "R2": {"a": "C04", "b": "C05", "kind": "river"}}
SEA = {"D03": {"terrain": "sea"}, "E03": {"terrain": "sea"}, "F03": {"terrain": "sea"}}


def given(rules: dict[str, Any] | None = None, **tables: Any) -> Case:
    """Two Forces, M1 in C03 and O1 in G06, and what a case says besides."""
    armies = {"M1": {"node": "C03", "chief": True}, "O1": {"node": "G06", "chief": True}, **tables.pop("armies", {})}
    return Case(rules=rules, armies=armies, **tables)


ROWS: list[tuple[str, Case]] = [
    ("WAR-001", given().order("men", "attack", army="M1")),
    ("WAR-002", given().order("men", "order", army="M9", new_order="march")),
    ("WAR-003", given().order("men", "order", army="O1", new_order="march")),
    ("WAR-004", given(armies={"M2": {"status": "lost"}}).order("men", "order", army="M2", new_order="march")),
    ("WAR-005", given(factions={"men": {"status": "out"}}).order("men", "order", army="M1", new_order="march")),
    ("WAR-006", given().order("men", "order", army="M1")),
    ("WAR-006", given(boats={"B1": {"faction": "men", "node": "C03"}}).order(
        "men", "sail", army="M1", boat="B1", path="land")),
    ("WAR-007", given().order("men", "order", army="M1", new_order="march", boat="B1")),
    ("WAR-008", given().order("men", "order", army="M1", new_order="march").order(
        "men", "order", army="M1", new_order="defend")),
    ("WAR-009", given().order("men", "order", army="M1", new_order="march", seq=1).order(
        "men", "order", army="M1", new_order="defend", seq=1)),
    ("WAR-010", given().order("men", "order", army="M1", new_order="march").order(
        "men", "order", army="M1", new_order="march")),
    ("WAR-012", given(nodes=HOME, unit_types=PRICES).order(
        "men", "raise", army="M1", place="C03", type="spear", figures="many")),
    ("WAR-101", given().order("men", "order", army="M1", new_order="attack")),
    ("WAR-102", given().order("men", "order", army="M1", new_order="explore")),
    ("WAR-201", given().order("men", "move", army="M1", path="Z99")),
    ("WAR-202", given().order("men", "move", army="M1", path="E05")),
    ("WAR-203", given(nodes={"D03": {"terrain": "sea"}}).order("men", "move", army="M1", path="D03")),
    ("WAR-204", given().order("men", "move", army="M1", path="C03 D03")),
    ("WAR-205", given().order("men", "move", army="M1", path="D03 E03 F03 G03")),
    ("WAR-206", given(armies={"M1": {"node": "C03", "order": "defend"}}).order("men", "move", army="M1", path="D03")),
    ("WAR-207", given(armies={"M1": {"node": "C03", "aboard": "B1"}}, boats={"B1": {"faction": "men", "node": "C03"}},
                      roads=RIVER).order("men", "move", army="M1", path="D03")),
    ("WAR-208", given(nodes={"D03": {"terrain": "sea"}, "C04": {"terrain": "sea"}}).order(
        "men", "move", army="M1", path="D04")),
    ("WAR-209", given().order("men", "move", army="M1", path="D03 C03")),
    ("WAR-210", given(armies={"M1": {"node": "C03", "reaction": "routed", "order": "none"}, "O2": {"node": "D03"}}
                      ).order("men", "move", army="M1", path="D03")),
    ("WAR-211", given(nodes={"D03": {"terrain": "waste"}}).order("men", "move", army="M1", path="D03")),
    ("WAR-212", given(armies={"U1": {"node": "D03"}}, relations={"1": {"a": "men", "b": "undead", "state": "peace"}}
                      ).order("men", "move", army="M1", path="D03")),
    ("WAR-213", given({"phase0": "on"}, roads=RIVER, armies={"M1": {"node": "C03"}}).order(
        "men", "move", army="M1", path="C04")),
    ("WAR-301", given().order("men", "sail", army="M1", boat="B9", path="C04")),
    ("WAR-302", given(boats={"B1": {"faction": "men", "node": "D05"}}).order(
        "men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-303", given(boats={"B1": {"faction": "men", "node": "C03", "capacity": 5}}, roads=RIVER).order(
        "men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-304", given(boats={"B1": {"faction": "men", "node": "C03"}}, roads=RIVER, units={
        "M1a": {"mounted": True}, "O1a": {}}).order("men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-305", given(armies={"M2": {"node": "C03"}}, boats={"B1": {"faction": "men", "node": "C03"}}, roads=RIVER
                      ).order("men", "sail", army="M1", boat="B1", path="C04").order(
        "men", "sail", army="M2", boat="B1", path="C04")),
    ("WAR-306", given(boats={"B1": {"faction": "men", "node": "C03"}}).order(
        "men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-307", given(boats={"B1": {"faction": "men", "node": "C03"}}, roads=RIVER, nodes={"D05": {"terrain": "sea"}}
                      ).order("men", "sail", army="M1", boat="B1", path="C04 D05")),
    ("WAR-308", given({"ships_on_rivers": "no"}, boats={"B1": {"faction": "men", "node": "C03"}}, roads=RIVER).order(
        "men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-309", given(boats={"B1": {"faction": "men", "node": "C03"}}, nodes={
        **SEA, "G03": {"terrain": "sea"}, "H03": {"terrain": "sea"}}).order(
        "men", "sail", army="M1", boat="B1", path="D03 E03 F03 G03 H03")),
    ("WAR-310", given(boats={"B1": {"faction": "men", "node": "C03"}}, nodes=SEA).order(
        "men", "sail", army="M1", boat="B1", path="D03 land")),
    ("WAR-311", given(boats={"B1": {"faction": "men", "node": "C03"}}, roads={
        "R1": {"a": "C03", "b": "C04", "kind": "river", "navigable": False}}).order(
        "men", "sail", army="M1", boat="B1", path="C04")),
    ("WAR-320", given().order("men", "contact", army="M1", stance="flee")),
    ("WAR-321", given({"counter_march": "on"}).order("men", "contact", army="M1", stance="counter_march", to="F06")),
    ("WAR-321", given({"counter_march": "on"}).order("men", "contact", army="M1", stance="counter_march", to="Z99")),
    ("WAR-322", given().order("men", "contact", army="M1", stance="counter_march")),
    ("WAR-331", given().order("men", "initiative", wish="middle")),
    ("WAR-401", given(unit_types=PRICES).order("men", "raise", army="M1", place="C03", type="spear", figures=6)),
    ("WAR-402", given(nodes=HOME, unit_types=PRICES).order(
        "men", "raise", army="M1", place="C03", type="orc_war", figures=6)),
    ("WAR-403", given(nodes=HOME, unit_types=PRICES).order(
        "men", "raise", army="M1", place="C03", type="spear", figures=21)),
    ("WAR-406", given(nodes=HOME).order("men", "refill", place="C03", unit="M1a", figures=1)),
    ("WAR-407", given(nodes=HOME).order("men", "found", place="C03", name="Levy", vc=3, new_order="explore")),
    ("WAR-408", given(nodes=HOME, unit_types=PRICES).order(
        "men", "raise", army="M1", place="C03", type="spear", figures=4)),
    ("WAR-409", given(nodes=HOME).order("men", "refill", place="C03", unit="M1z", figures=1)),
]


@pytest.mark.parametrize(("code", "case"), ROWS, ids=[code for code, _ in ROWS])
def test_a_row_of_orders_has_its_finding(code: str, case: Case) -> None:
    """Check orders says it at the row, before anything is resolved, and nothing else."""
    assert set(case.check().codes) == {code}


def test_a_row_of_a_turn_that_is_over() -> None:
    """WAR-011: it is refused by the phase that would have read it."""
    case = Case(turn=3, armies={"M1": {"node": "C03"}}).order("men", "order", army="M1", new_order="march", turn=2)
    assert case.play("orders").codes == ["WAR-011"]


# --- forms ------------------------------------------------------------------------------------------
def fought(outcome: str, *rows: str, turns: int = 4) -> Case:
    """A battle of M1 and O1 whose form says this."""
    sides = {"M1": {"battle": "B2-1", "army": "M1", "side": "D", "arrival": 0},
             "O1": {"battle": "B2-1", "army": "O1", "side": "A", "arrival": 1}}
    case = Case(turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}, "M2": {"node": "A01"}},
                battles=battle(outcome=outcome, day_turns=turns), battle_armies=sides,
                battle_units=losses(rows, status=""))
    case.campaign.desk.phase = "battle"
    return case.play("battle", whole=False)


FORMS = [
    ("WAR-501", "victory", ["M1a 10 1", "O1a 10 1"]),
    ("WAR-502", "attacker", ["M1a 10 6 5", "O1a 10"]),
    ("WAR-504", "attacker", ["M1a 10 1", "O1a 10 10"]),
    ("WAR-505", "attacker", ["M1a 10", "O1a 10 1"]),
    ("WAR-506", "attacker", ["M1a 10 few", "O1a 10"]),
    ("WAR-507", "stalemate", ["M1a 10 10", "O1a 10 1"]),
]


@pytest.mark.parametrize(("code", "outcome", "rows"), FORMS, ids=[code for code, *_ in FORMS])
def test_a_form_has_its_finding(code: str, outcome: str, rows: list[str]) -> None:
    """The phase that takes the form says it, and waits where it is an error."""
    case = fought(outcome, *rows)
    assert code in case.codes
    assert case.waits == ([] if code in ("WAR-504", "WAR-505") else ["result/B2-1"])


def test_a_unit_or_a_force_that_was_not_there() -> None:
    """WAR-503: its row is named, each on its sheet."""
    case = fought("attacker", "M1a 10 1", "O1a 10 1")
    assert case.codes == []
    strange = Case(turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}, "M2": {"node": "A01"}},
                   battles=battle(outcome="attacker"), battle_armies={
                       "M1": {"battle": "B2-1", "army": "M1", "side": "D", "arrival": 0},
                       "O1": {"battle": "B2-1", "army": "O1", "side": "A", "arrival": 1},
                       "M2": {"battle": "B2-1", "army": "M2", "commander_killed": True}},
                   battle_units={**losses(["M1a 10 1", "O1a 10"], status=""),
                                 "M2a": {"battle": "B2-1", "unit": "M2a", "killed": 1}})
    assert [(one.where.table, one.where.row)
            for one in strange.play("battle").all_findings if one.code == "WAR-503"] == [
        ("Battle armies", "B2-1/M2"), ("Battle units", "B2-1/M2a")]


def test_a_battle_that_was_too_long_for_a_day() -> None:
    """WAR-508: more than eight game turns."""
    assert fought("attacker", "M1a 10 1", "O1a 10 1", turns=9).codes == ["WAR-508"]


# --- answers ------------------------------------------------------------------------------------------
def test_an_answer_that_is_none_of_the_options() -> None:
    """WAR-601: the question stays open."""
    case = given({"phase0": "ask"}, zones={"vale": {}}).answer("weather", "weather/vale", "sunny").play("weather")
    assert (case.codes, case.waits) == (["WAR-601"], ["weather/vale"])


def test_an_answer_of_another_faction() -> None:
    """WAR-602: the question stays open, and what stood there does not count next time either."""
    case = Case(rules={"counter_march": "on"}, armies={"M1": {"node": "D03", "on_contact": "ask"},
                                                       "O1": {"node": "C03"}})
    case.order("orcs", "move", army="O1", path="D03").answer("move", "counter-march/M1", "yes", to="undead")
    case.throw(initiative__men__1=1, initiative__orcs__1=6, move__O1=3, counter_march__M1=6).play("move", whole=False)
    assert (case.codes, case.waits) == (["WAR-602"], ["counter-march/M1"])
    case.play("move", whole=False)
    assert case.waits == ["counter-march/M1"]
    for to, found in (("undead", ("refused", "WAR-602")), ("men", ("new", ""))):  # a file that does not say when
        row = Question(question="counter-march/M1", kind="counter-march", about="M1", to=to, answer="yes")
        taken = Merge(WARRIORS, case.campaign, case.campaign).take(row)
        assert (taken.how, taken.finding.code if taken.finding else "") == found
    assert case.play("move", whole=False).event_data("counter_marched")[0]["total"] == 8


def test_an_answer_that_nobody_has_asked_for() -> None:
    """WAR-603: it is ignored, and that is said."""
    case = given().answer("will", "retreat/B1-1/M1", "D03", to="men").play("will")
    assert case.codes == ["WAR-603"]


# --- sheets -------------------------------------------------------------------------------------------
SHEETS: list[tuple[str, Case]] = [
    ("WAR-701", given(nodes={"A01": {"terrain": "lava"}})),
    ("WAR-701", given(units={"M1a": {"quality": "brave"}, "O1a": {}})),
    ("WAR-701", given(zones={"vale": {"climate": "moist"}})),
    ("WAR-701", given(boats={"B1": {"faction": "men", "node": "C03", "kind": "canoe"}})),
    ("WAR-702", given(nodes={"A02": {"x": 1, "y": 1}})),
    ("WAR-703", given(roads={"R1": {"a": "A01", "b": "C03", "kind": "road"}})),
    ("WAR-703", given(roads={"R1": {"a": "A01", "b": "A02", "kind": "road"}, "R2": {"a": "A02", "b": "A01",
                                                                                  "kind": "road"}})),
    ("WAR-704", given(nodes={"A01": {"place": "capital", "founder": "men"}, "A02": {"place": "capital",
                                                                                  "founder": "men"}})),
    ("WAR-704", given(nodes={"A01": {"place": "stronghold"}})),
    ("WAR-705", given(nodes={"C03": {"terrain": "sea"}})),
    ("WAR-706", given(armies={"M2": {"node": "A01", "vc": 6}})),
    ("WAR-707", given(relations={"1": {"a": "men", "b": "orcs"}, "2": {"a": "orcs", "b": "men", "state": "peace"}})),
    ("WAR-708", given(armies={"M2": {"node": "A01", "order": "march", "reaction": "confused"}})),
    ("WAR-709", given(armies={"M2": {"node": "A01", "chief": True}})),
]


@pytest.mark.parametrize(("code", "case"), SHEETS, ids=[f"{code}-{n}" for n, (code, _) in enumerate(SHEETS)])
def test_a_sheet_has_its_finding(code: str, case: Case) -> None:
    """What must hold before a phase starts; WAR-706 is only a warning."""
    assert set(case.check().codes) == {code}
