"""The worked examples of the rulebook, in its order: what is given, the dice, what must then hold."""

from __future__ import annotations

from typing import Any

from tests.warriors.cases import Case, battle, forces, losses

SEA: dict[str, dict[str, Any]] = {"D03": {"terrain": "sea"}, "E03": {"terrain": "sea", "reefs": True}}
FLOW: dict[str, dict[str, Any]] = {"R1": {"a": "C03", "b": "C04", "kind": "river"},
                                   "R2": {"a": "C04", "b": "C05", "kind": "river"}}
HOME: dict[str, Any] = {"territory": "men"}


def first(men: int, orcs: int) -> dict[str, int]:
    """The dice of initiative for men and orcs."""
    return {"initiative/men/1": men, "initiative/orcs/1": orcs}


def test_e01_four_tests_on_neutral_ground() -> None:
    """6 is the new order, 4 defend, 3 confused, 2 unsteady: a reaction may get better or worse (1 Force test)."""
    case = Case(armies={"M1": {"node": "A01", "vc": 3}, "M2": {"node": "C01", "vc": 1}, "M3": {
        "node": "E01", "vc": 2, "reaction": "unsteady"}, "M4": {"node": "G01", "vc": 1, "reaction": "confused"}})
    for army in ("M1", "M2", "M3", "M4"):
        case.order("men", "order", army=army, new_order="march")
    case.throw(force_test__M1=3, force_test__M2=3, force_test__M3=3, force_test__M4=2).play("orders")
    assert [(case.army(a).order, case.army(a).reaction) for a in ("M1", "M2", "M3", "M4")] == [
        ("march", "none"), ("defend", "none"), ("none", "confused"), ("none", "unsteady")]
    assert [event.data["total"] for event in case.events()] == [6, 4, 3, 2]


def test_e02_out_of_control_in_the_enemys_mountains() -> None:
    """5+2-2-3-1 = 1: lost; the other Force gets a Will marker and the chief, its faction owes a Will test (1, 5)."""
    case = Case(turn=3, armies={"M1": {"node": "C03", "chief": True, "reaction": "unsteady"}, "M2": {
        "node": "A01", "vc": 3}}, nodes={"C03": {"terrain": "mountain", "territory": "orcs"}})
    case.order("men", "order", army="M1", new_order="defend").throw(force_test__M1=5).play("orders")
    assert (case.army("M1").status, case.army("M1").node, case.figures("M1a")) == ("lost", "", [0])
    assert (case.army("M2").will_marker, case.army("M2").chief) == (True, True)
    assert case.row("Factions", "men").will_due == "force_lost:M1"


def test_e03_the_will_marker_is_used_up() -> None:
    """2+2+2-1 = 5: it stays on defend, and the marker is gone."""
    case = Case(armies={"M2": {"node": "C03", "will_marker": True, "order": "defend"}}, nodes={"C03": HOME})
    case.order("men", "order", army="M2", new_order="march").throw(force_test__M2=2).play("orders")
    assert (case.army("M2").order, case.army("M2").will_marker) == ("defend", False)


def test_e04_minus_signs_are_minus() -> None:
    """3-2-1+2 = 2: no move out of an enemy forest."""
    case = Case(armies={"M1": {"node": "C03", "order": "march"}}, nodes={"C03": {"terrain": "forest",
                                                                              "territory": "orcs"}})
    case.order("men", "move", army="M1", path="D03").throw(move__M1=3).play("move")
    assert [data["total"] for data in case.event_data("move_none")] == [2]


def test_e05_only_the_start_counts() -> None:
    """6-1+1+1+2 = 9 by road from cultivated land at home: three squares; the mountain on the way costs nothing."""
    case = Case(armies={"M1": {"node": "C03", "order": "march"}}, roads={"R1": {"a": "C03", "b": "C02"}},
                nodes={"C03": {**HOME, "terrain": "cultivated"}, "E03": {"terrain": "mountain"}})
    case.order("men", "move", army="M1", path="C03 D03 E03 F04").throw(move__M1=6).play("move")
    assert (case.army("M1").node, case.codes, case.event_data("moved")[0]["total"]) == ("F04", ["WAR-204"], 9)


def three(zoc: bool, start: str, path: str) -> Case:
    """Orcs go against men on defend in D03, undead come after them."""
    case = Case(rules={"zoc": "stop"} if zoc else {}, armies={
        "M1": {"node": "D03", "order": "defend"}, "O1": {"node": "C03"}, "U1": {"node": start, "order": "march"}})
    case.order("orcs", "move", army="O1", path="D03").order("undead", "move", army="U1", path=path)
    return case.throw(initiative__men__1=1, initiative__orcs__1=6, initiative__undead__1=4, move__O1=3,
                      move__U1=4).play("move")


def test_e06_a_zone_of_control_ends_a_move() -> None:
    """U1 has two squares, but E04 lies in a hostile zone; the battle is that of orcs and men alone."""
    case = three(True, "F04", "E04 D03")
    assert case.army("U1").node == "E04"
    assert [(d["node"], d["attacker"], d["defender"])
            for d in case.event_data("battle_set")] == [("D03", "orcs", "men")]
    assert {row.army for row in case.campaign.by_sheet("Battle armies")} == {"M1", "O1"}


def test_e07_a_third_party_stops_before_a_contact() -> None:
    """Two other sides are in contact in D03: U1 stays in E03."""
    case = three(True, "E03", "D03")
    assert case.army("U1").node == "E03"
    assert [data["why"] for data in case.event_data("move_cut")] == ["third party"]


def test_e08_a_routed_force_collapses() -> None:
    """It is lost without a battle; the mover stops there, though it had two squares; no reason for a Will test."""
    case = Case(armies={"M1": {"node": "D03", "reaction": "routed"}, "O1": {"node": "C03", "order": "march"}})
    case.order("orcs", "move", army="O1", path="D03 E03").throw(first(3, 2)).throw(move__O1=6).play("move")
    assert (case.army("M1").status, case.army("O1").node) == ("lost", "D03")
    assert (case.row("Factions", "men").will_due, case.event_data("battle_set")) == ("", [])


def test_e09_a_stand_off() -> None:
    """Both on defend since before: no battle, and both have field works."""
    case = Case(armies={"M1": {"node": "C03", "order": "defend"}, "O1": {"node": "C03", "order": "defend"}})
    case.throw(first(3, 2)).play("move")
    assert (case.event_data("battle_set"), len(case.event_data("standoff"))) == ([], 1)
    assert [case.army(one).fieldworks for one in ("M1", "O1")] == [10, 10]


def test_e10_losses_in_the_waste() -> None:
    """4 of 12 is over a quarter: average figures desert on 1 and 2; of 2 veterans both fall, both only wounded."""
    case = Case(turn=2, armies={"M1": {"node": "C03"}}, nodes={"D03": {"terrain": "waste"}}, units={
        "M1a": {"figures": 11, "figures_start": 12}, "M1b": {"figures": 2, "figures_start": 10, "quality": "veteran"}})
    case.order("men", "move", army="M1", path="D03").throw(move__M1=3).throw({
        "crossing/M1a/1": 6, "wounded/crossing/M1a/1": [4, 3, 6, 1], "deserter/crossing/M1a/1": [1, 2, 3, 4, 5, 6, 2],
        "crossing/M1b/1": 5, "wounded/crossing/M1b/1": [5, 5]}).play("move")
    assert (case.figures("M1a", "M1b"), case.wounded(), case.codes) == ([4, 0], {"M1a/4": 2, "M1b/4": 2}, ["WAR-211"])


def test_e11_with_a_fair_wind() -> None:
    """6+1-1+1+2 = 9: four squares, boarding one less; landing would need three and has two: it stays aboard."""
    case = Case(rules={"phase0": "on"}, armies={"M1": {"node": "C03", "order": "march"}}, nodes={**SEA, "C03": HOME},
                zones={"all": {"weather": "wind"}}, boats={"B1": {"faction": "men", "node": "C03"}})
    case.order("men", "sail", army="M1", boat="B1", path="D03 E03 F03").throw(sail__M1=6, wind__M1=5).play("move")
    assert (case.army("M1").node, case.army("M1").aboard, case.row("Boats", "B1").node) == ("E03", "B1", "E03")
    assert case.event_data("sailed")[0]["total"] == 9


def test_e12_a_landing() -> None:
    """Three squares, landing one less: two, which is the path: ashore, and the ships stay there."""
    case = Case(armies={"M1": {"node": "D03", "aboard": "B1"}}, nodes=SEA, boats={"B1": {"faction": "men",
                                                                                    "node": "D03"}})
    case.campaign.by_sheet("Nodes")["E03"].reefs = False
    case.order("men", "sail", army="M1", boat="B1", path="E03 F03").throw(sail__M1=6).play("move")
    assert (case.army("M1").node, case.army("M1").aboard, case.row("Boats", "B1").node) == ("F03", "", "F03")


def test_e13_down_a_river() -> None:
    """6+1-1 = 6: three, boarding two; landing one is less than two: to C05, still aboard."""
    case = Case(armies={"M1": {"node": "C03"}}, nodes={"C03": {"bridge": True}}, roads=FLOW,
                boats={"B1": {"faction": "men", "node": "C03", "kind": "small"}})
    case.order("men", "sail", army="M1", boat="B1", path="C04 C05 land").throw(sail__M1=6).play("move")
    assert (case.army("M1").node, case.army("M1").aboard) == ("C05", "B1")


def test_e14_nobody_sails_in_a_storm() -> None:
    """It is refused without a die."""
    case = Case(rules={"phase0": "on"}, armies={"M1": {"node": "D03", "aboard": "B1"}}, nodes=SEA,
                zones={"all": {"weather": "storm"}}, boats={"B1": {"faction": "men", "node": "D03"}})
    case.order("men", "sail", army="M1", boat="B1", path="E03").play("move")
    assert ([data["why"] for data in case.event_data("move_refused")], case.army("M1").node) == (["storm"], "D03")


def test_e15_a_cold_winter() -> None:
    """Week 40 from spring is winter: 2+4-3 = 3 is a storm (0, 6)."""
    case = Case(rules={"phase0": "on"}, desk={"week": 40}, zones={"peaks": {"climate": "cold", "weather": "fair"}})
    case.throw({"weather/peaks": "2+4"}).play("weather")
    assert (case.row("Zones", "peaks").weather, case.event_data("weather_set")[0]["total"]) == ("storm", 3)


def test_e16_defend_doubles_exploration() -> None:
    """(1+2)x2 = 6 against 6+1+2-1 = 8: band 1 for the attackers (3 exploration)."""
    case = Case(turn=2, armies={"M1": {"node": "C03", "order": "defend"}, "O1": {"node": "C03"}}, nodes={"C03": HOME},
                units={"M1a": {}, "O1a": {"scouts": True}, "O1b": {"wizard": True}}, battles=battle(),
                battle_armies=forces("M1 D defend", "O1 A explore"))
    case.throw({"explore/B2-1/M1": 1, "explore/B2-1/O1": 6}).play("explore")
    row = case.row("Battles", "B2-1")
    assert (row.explorer, row.band) == ("A", 1)
    assert [row.exploration for row in case.campaign.by_sheet("Battle armies")] == [6, 8]


def test_e17_after_a_battle() -> None:
    """Dead, wounded and deserters on both sides, mercenaries without a die, the beaten confused (4)."""
    case = Case(turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, nodes={"C03": HOME}, units={
        "M1a": {"figures": 20}, "O1a": {"figures": 12, "mercenary": True}, "O1b": {"figures": 8,
                                                                                  "quality": "veteran"}},
        battles=battle(outcome="defender", status="fought"), battle_armies=forces("M1 D", "O1 A"),
        battle_units=losses(["M1a 20 4 2", "O1a 12 3", "O1b 8 2 1 2"]))
    case.answer("after", "retreat/B2-1/O1", "D03", to="orcs").throw({
        "wounded/B2-1/M1a": [1, 2, 3, 6], "deserter/B2-1/M1a": [3, 4], "wounded/B2-1/O1b": [4, 5],
        "deserter/B2-1/O1b": [2, 2, 1]}).play("after")
    assert case.figures("M1a", "O1a", "O1b") == [15, 0, 4]
    assert case.wounded() == {"M1a/4": 2, "O1b/4": 1}
    assert [data["count"] for data in case.event_data("mercenaries_left")] == [9]
    assert (case.army("O1").node, case.army("O1").reaction, case.army("O1").order) == ("D03", "confused", "none")
    assert (case.row("Factions", "men").won, case.row("Factions", "orcs").lost) == (1, 1)


def drawn(**army: Any) -> Case:
    """A stalemate in a stronghold of the men."""
    return Case(turn=2, armies={"M1": {"node": "C03", **army}, "O1": {"node": "C03", "order": "march"}},
                nodes={"C03": {"place": "stronghold", "founder": "men", "holder": "men"}},
                battles=battle(outcome="stalemate", status="fought"),
                battle_armies=forces("M1 D explore", "O1 A march"),
                battle_units=losses(["M1a 10", "O1a 10"]))


def test_e18_a_stalemate_in_a_stronghold() -> None:
    """Who holds it stays, the other steps back and keeps its order; both have drawn."""
    case = drawn().answer("after", "step-back/B2-1/O1", "B03", to="orcs").play("after")
    assert [case.army(one).node for one in ("M1", "O1")] == ["C03", "B03"]
    assert (case.army("O1").order, case.row("Nodes", "C03").holder) == ("march", "men")
    assert [case.row("Factions", one).drawn for one in ("men", "orcs")] == [1, 1]


def test_e19_a_stronghold_is_lost() -> None:
    """The confused are unsteady now; the store is lost; two reasons, one test: 3-1-1 = 1 goes on (4, 5)."""
    case = Case(turn=2, armies={"M1": {"node": "C03", "reaction": "confused"}, "O1": {"node": "C03"}},
                nodes={"C03": {"place": "stronghold", "founder": "men", "holder": "men", "store": 30}},
                battles=battle(outcome="attacker", status="fought"),
                battle_armies=forces("M1 D none confused", "O1 A"), battle_units=losses(["M1a 10", "O1a 10"]))
    case.answer("after", "retreat/B2-1/M1", "D03", to="men").throw(will__men=3).play("after", "will")
    assert (case.army("M1").reaction, case.army("M1").node) == ("unsteady", "D03")
    assert (case.row("Nodes", "C03").holder, case.row("Nodes", "C03").store) == ("orcs", 0)
    assert [(d["total"], d["reasons"])
            for d in case.event_data("will_passed")] == [(1, "battle_lost:B2-1,place_lost:C03")]


def test_e20_a_faction_gives_up() -> None:
    """3+1-2-3 = -1: out; its Force is destroyed, and with the orcs alone the campaign ends."""
    case = Case(armies={"M1": {"node": "A01"}, "O1": {"node": "C03"}}, factions={
        "men": {"won": 1, "lost": 2, "will_due": "place_lost:C03"}},
        nodes={"C03": {"place": "capital", "founder": "men", "holder": "orcs"}})
    case.throw(will__men=3).play("will")
    assert (case.row("Factions", "men").status, case.army("M1").status) == ("out", "destroyed")
    assert (len(case.event_data("campaign_ends")), case.campaign.desk.phase) == (1, "over")


def test_e21_what_a_capital_buys() -> None:
    """The wounded are back first; a refill and a new Unit use the store up; what is too small or foreign is refused."""
    case = Case(turn=8, desk={"week": 9}, armies={"M1": {"node": "C03"}}, units={"M1a": {"figures": 12,
                                                                                      "figures_start": 20}},
                nodes={"C03": {"place": "capital", "founder": "men", "holder": "men", "store": 10},
                       "E03": {"place": "stronghold", "founder": "orcs", "holder": "men"}},
                wounded={"1": {"unit": "M1a", "due": 8, "count": 3}},
                unit_types={"spear": {"people": "men", "points": 5}, "orc_war": {"people": "orcs", "points": 5}})
    case.order("men", "refill", place="C03", unit="M1a", figures=5)
    for kind, figures in (("spear", 17), ("orc_war", 6), ("spear", 4)):
        case.order("men", "raise", place="C03", type=kind, figures=figures, army="M1")
    case.play("muster")
    assert (case.figures("M1a", "M1b"), case.wounded()) == ([20, 17], {})
    assert (case.row("Nodes", "C03").store, case.row("Nodes", "E03").store) == (0, 0)
    assert case.codes == ["WAR-402", "WAR-408"]


def test_e22_a_road_is_cut() -> None:
    """The only road, without a die to pick it, through turn 7."""
    case = Case(turn=5, armies={"M1": {"node": "A01"}}, nodes={"C03": HOME}, factions={
        one: {"status": "out"} for one in ("orcs", "undead", "dwarfs")}, roads={"R1": {"a": "C03", "b": "C04"}})
    case.throw(event__men=6, event_table__men="2+2").play("events")
    assert (case.row("Roads", "R1").cut_until, case.event_data("cut")[0]["until"]) == (7, 7)


def test_e23_a_battle_that_is_not_played() -> None:
    """A 7+3+2 = 12, D 6+2+3+2+1 = 14: the defenders win by 2; shares of the figures; the attackers' commander falls."""
    case = Case(turn=2, armies={"M1": {"node": "C03", "order": "defend", "fieldworks": 20},
                                "O1": {"node": "C03", "order": "march", "vc": 3}},
                nodes={"C03": {**HOME, "place": "stronghold", "founder": "men", "holder": "men"}},
                units={"M1a": {"figures": 20}, "O1a": {"figures": 30}}, battles=battle(method="auto"),
                battle_armies={"M1": {**forces("M1 D defend")["M1"], "fieldworks": 20},
                               "O1": {**forces("O1 A march")["O1"], "start_vc": 3}},
                battle_units=losses(["M1a 20", "O1a 30"], status=""))
    case.throw({"explore/B2-1/M1": 2, "auto/B2-1/A": "3+4", "auto/B2-1/D": "4+2", "auto/B2-1/commander/O1": 1})
    case.play("explore", "battle")
    row = case.row("Battles", "B2-1")
    assert (row.explorer, row.band, row.outcome) == ("D", 3, "defender")
    assert [(d["A"], d["D"]) for d in case.event_data("auto_result")[:1]] == [(12, 14)]
    lost = {row.unit: (row.killed, row.routed, row.withdrawn) for row in case.campaign.by_sheet("Battle units")}
    assert lost == {"O1a": (6, 4, 10), "M1a": (2, 1, 0)}
    assert case.row("Battle armies", "B2-1/O1").commander_killed


def test_e24_a_counter_march() -> None:
    """4+2 = 6: M1 steps back to E03, its own move is refused, and there is no battle."""
    case = Case(rules={"counter_march": "on"}, armies={"O1": {"node": "C03"}, "M1": {
        "node": "D03", "on_contact": "counter_march", "retreat_to": "E03"}})
    case.order("orcs", "move", army="O1", path="D03").order("men", "move", army="M1", path="D04")
    case.throw(first(1, 6)).throw(move__O1=3, counter_march__M1=4).play("move")
    assert [case.army(one).node for one in ("M1", "O1")] == ["E03", "D03"]
    assert case.event_data("battle_set") == []
    assert [d["why"] for d in case.event_data("move_refused")] == ["counter-marched"]


def test_e25_an_ally_joins() -> None:
    """One battle: A O1, D M1 and D1, who came second; the defender is the men."""
    case = Case(armies={"O1": {"node": "C03"}, "M1": {"node": "D03", "order": "defend"}, "D1": {"node": "E03"}},
                relations={"1": {"a": "dwarfs", "b": "men", "state": "allied"}})
    case.order("orcs", "move", army="O1", path="D03").order("dwarfs", "move", army="D1", path="D03")
    case.throw(initiative__men__1=2, initiative__orcs__1=6, initiative__dwarfs__1=1, move__O1=3, move__D1=3)
    case.play("move")
    rows = {row.army: (row.side, row.arrival) for row in case.campaign.by_sheet("Battle armies")}
    assert rows == {"O1": ("A", 1), "M1": ("D", 0), "D1": ("D", 2)}
    assert case.row("Battles", "B1-1").defender == "men"


def test_e26_refusals() -> None:
    """Each row has its own finding; the good one counts, and has no WAR-206, for there is an order row."""
    case = Case(armies={"M1": {"node": "C03", "order": "defend"}, "M2": {"node": "A01"}, "M3": {"status": "lost"},
                        "O1": {"node": "G06"}})
    case.order("men", "order", army="M1", new_order="march").order("men", "move", army="M1", path="D03")
    case.order("men", "move", army="M2", path="C01").order("men", "move", army="M3", path="D03")
    case.order("men", "move", army="O1", path="G05").order("men", "march", army="M2")
    case.order("men", "order", army="M2", new_order="attack").order("men", "move", army="M9", path="D03")
    case.order("men", "move", army="M2", path="Z99").check()
    assert {code: case.at(code) for code in case.codes} == {
        "WAR-202": ["men#3"], "WAR-004": ["men#4"], "WAR-003": ["men#5"], "WAR-001": ["men#6"],
        "WAR-101": ["men#7"], "WAR-002": ["men#8"], "WAR-201": ["men#9"]}


def test_e27_all_on_defend_stay() -> None:
    """A stalemate in which all Forces began on defend: nobody moves."""
    case = Case(turn=2, armies={"M1": {"node": "C03", "order": "defend"}, "O1": {"node": "C03", "order": "defend"}},
                battles=battle(outcome="stalemate", status="fought"),
                battle_armies=forces("M1 D defend", "O1 A defend"), battle_units=losses(["M1a 10", "O1a 10"]))
    case.play("after")
    assert ([case.army(one).node for one in ("M1", "O1")], case.waits) == (["C03", "C03"], [])


def test_e28_mercenaries_are_offered() -> None:
    """The phase stops: no, or the Force in a held stronghold that can pay."""
    case = Case(armies={"M1": {"node": "C03"}}, nodes={"C03": {"place": "stronghold", "founder": "men",
                                                             "holder": "men", "store": 60}},
                factions={one: {"status": "out"} for one in ("orcs", "undead", "dwarfs")})
    case.throw(event__men=6, event_table__men="5+6").play("events")
    assert case.waits == ["mercenaries/men"]
    assert next(iter(case.campaign.by_sheet("Questions"))).options == "no, M1"


def test_e29_a_broken_force() -> None:
    """All killed in defeat, one only wounded: off the map, back in turn 4; no question where it goes."""
    case = Case(turn=2, armies={"M1": {"node": "C03"}, "M2": {"node": "A01"}, "O1": {"node": "C03"}},
                units={"M1a": {"figures": 3}, "O1a": {}, "M2a": {}},
                battles=battle(outcome="attacker", status="fought"), battle_armies=forces("M1 D", "O1 A"),
                battle_units=losses(["M1a 3 3", "O1a 10"]))
    case.throw({"wounded/B2-1/M1a": [2, 4, 3]}).play("after")
    assert (case.army("M1").status, case.army("M1").node, case.wounded()) == ("broken", "", {"M1a/4": 1})
    assert (case.row("Factions", "men").lost, case.row("Factions", "men").will_due) == (1, "battle_lost:B2-1")


def test_e30_through_a_zone_into_its_force() -> None:
    """It goes on from D03 into the Force of that zone: contact."""
    case = Case(rules={"zoc": "through"}, armies={"M1": {"node": "C03", "order": "march"}, "O1": {"node": "E03"}})
    case.order("men", "move", army="M1", path="D03 E03").throw(first(6, 1)).throw(move__M1=4).play("move")
    assert (case.army("M1").node, [d["node"] for d in case.event_data("contact")]) == ("E03", ["E03"])


def test_e31_the_unsteady_beaten_may_be_destroyed() -> None:
    """By switch; the reason for the Will test is the battle alone."""
    case = Case(turn=2, rules={"unsteady_loser": "destroyed"}, armies={
        "M1": {"node": "C03", "reaction": "unsteady"}, "O1": {"node": "C03"}},
        battles=battle(outcome="attacker", status="fought"),
        battle_armies=forces("M1 D none unsteady", "O1 A"), battle_units=losses(["M1a 10", "O1a 10"]))
    case.play("after")
    assert (case.army("M1").status, case.row("Factions", "men").will_due) == ("destroyed", "battle_lost:B2-1")


def test_e32_no_entry_where_there_is_peace() -> None:
    """WAR-212: the Force does not move."""
    case = Case(armies={"O1": {"node": "C03"}, "U1": {"node": "D04"}},
                relations={"1": {"a": "orcs", "b": "undead", "state": "peace"}})
    case.order("orcs", "move", army="O1", path="D03 D04").throw(initiative__orcs__1=3, initiative__undead__1=2)
    case.play("move")
    assert (case.codes, case.army("O1").node) == (["WAR-212"], "C03")


def test_e33_empty_boats_are_taken() -> None:
    """By the enemy who stands there alone."""
    case = Case(turn=2, armies={"O1": {"node": "C03"}}, boats={"B1": {"faction": "men", "node": "C03"}})
    assert case.play("after").row("Boats", "B1").faction == "orcs"


def test_e34_two_terrains_add() -> None:
    """5-2-2+2 = 3: one square from a wooded hill; the worst of the two alone would give 5."""
    for rule, total in (("add", 3), ("worst", 5)):
        case = Case(rules={"terrain_stack": rule}, armies={"M1": {"node": "C03", "order": "march"}},
                    nodes={"C03": {"terrain": "hill", "terrain2": "forest"}})
        case.order("men", "move", army="M1", path="D03").throw(move__M1=5).play("move")
        assert [data["total"] for data in case.event_data("moved")] == [total]


def test_e35_up_a_river() -> None:
    """5-2 = 3: two squares, boarding one less: C04, aboard."""
    case = Case(armies={"M1": {"node": "C03"}}, boats={"B1": {"faction": "men", "node": "C03"}},
                roads={"R1": {"a": "C04", "b": "C03", "kind": "river"}, "R2": {"a": "C05", "b": "C04",
                                                                             "kind": "river"}})
    case.order("men", "sail", army="M1", boat="B1", path="C04 C05").throw(sail__M1=5).play("move")
    assert (case.army("M1").node, case.army("M1").aboard) == ("C04", "B1")


def test_e36_nothing_stops_who_passes_an_enemy() -> None:
    """Without zones of control M1 goes past; the orcs' row for a counter-march has WAR-322."""
    case = Case(armies={"M1": {"node": "C03", "order": "march"}, "O1": {"node": "D04", "order": "defend"}})
    case.order("men", "move", army="M1", path="D03 E03").order("orcs", "contact", army="O1", stance="counter_march")
    case.throw(first(6, 1)).throw(move__M1=4).play("move")
    assert (case.army("M1").node, case.codes) == ("E03", ["WAR-322"])


def test_e37_through_the_jungle() -> None:
    """C03 costs nobody, D03 one, who is only wounded."""
    case = Case(turn=2, armies={"M1": {"node": "B03", "order": "march"}}, units={"M1a": {"figures": 20}},
                nodes={"C03": {"terrain": "jungle"}, "D03": {"terrain": "jungle"}})
    case.order("men", "move", army="M1", path="C03 D03").throw(move__M1=4).throw({
        "crossing/M1a/1": 2, "crossing/M1a/2": 3, "wounded/crossing/M1a/2": [6]}).play("move")
    assert (case.figures("M1a"), case.wounded(), case.codes) == ([19], {"M1a/4": 1}, ["WAR-211"])
    assert case.row("Units", "M1a").crossing_lost == 1
