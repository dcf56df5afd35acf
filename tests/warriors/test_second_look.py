"""What a second reading of the rulebook found: seams of phases, words of sheets, forms in one line, who hears what."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.warriors.records import Army
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.wording import Wording
from tests.warriors.cases import Case, battle, forces, losses

ALONE = {one: {"status": "out"} for one in ("orcs", "undead", "dwarfs")}
FORT: dict[str, Any] = {"place": "stronghold", "founder": "men", "holder": "men"}


def first(**dice: int) -> dict[str, int]:
    """The dice of initiative."""
    return {f"initiative/{faction}/1": die for faction, die in dice.items()}


def laid_out(outcome: str = "", **more: Any) -> Case:
    """M1 and O1 in a battle that is on the table."""
    return Case(turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}},
                battles=battle(outcome=outcome, band=0, day_turns=4, **more.pop("row", {})), battle_armies={
                    key: {**row, "status": ""} for key, row in forces("M1 D", "O1 A").items()},
                battle_units=losses(["M1a 10 1", "O1a 10"], status=""), **more)


# --- movement ---------------------------------------------------------------------------------------
def test_routed_forces_that_face_each_other_both_collapse() -> None:
    """A stand-off that was left: each is contacted by the other (2 movement)."""
    rout = {"node": "C03", "reaction": "routed", "order": "none"}
    case = Case(armies={"M1": rout, "O1": rout}).throw(first(men=6, orcs=1)).play("move")
    assert {data["army"]: data["by"] for data in case.event_data("collapsed")} == {"M1": "O1", "O1": "M1"}


def test_who_attacks_when_the_first_has_perished_on_the_way() -> None:
    """M1 dies of the desert in which it met O1; the battle is that of the undead, who came next (2 movement)."""
    case = Case(armies={"M1": {"node": "C03"}, "O1": {"node": "D03", "order": "defend"}, "U1": {"node": "E03"}},
                units={"M1a": {"figures": 1}, "O1a": {}, "U1a": {}}, nodes={"D03": {"terrain": "desert"}})
    case.order("men", "move", army="M1", path="D03").order("undead", "move", army="U1", path="D03")
    case.throw({**first(men=6, orcs=1, undead=3), "move/M1": 3, "crossing/M1a/1": 3, "wounded/crossing/M1a/1": [1],
                 "move/U1": 3, "crossing/U1a/1": 1}).play("move")
    assert [(d["attacker"], d["defender"]) for d in case.event_data("battle_set")] == [("undead", "orcs")]


def test_boats_of_enemies_on_one_water_do_not_fight() -> None:
    """There is no battle on water, nor do they face each other there (2 movement)."""
    case = Case(nodes={"C03": {"terrain": "sea"}}, boats={one: {"node": "C03"} for one in ("B1", "B2")}, armies={
        "M1": {"node": "C03", "aboard": "B1"}, "O1": {"node": "C03", "aboard": "B2"}})
    assert case.throw(first(men=6, orcs=1)).play("move").event_data("battle_set") == case.event_data("standoff") == []


def test_a_stand_off_is_broken_by_who_has_an_enemy_there() -> None:
    """Friends of both, who move first, attack nobody (2 movement)."""
    here = {"node": "C03"}
    case = Case(armies={"D1": here, "M1": here, "O1": here}, relations={
        one: {"a": one, "b": "dwarfs", "state": "allied"} for one in ("men", "orcs")})
    case.throw(first(dwarfs=6, men=4, orcs=2)).play("move")
    assert [(event["attacker"], event["defender"]) for event in case.event_data("battle_set")] == [("men", "orcs")]


def test_what_a_row_remarks_does_not_contradict_another() -> None:
    """Two rows of the same number that differ in their note alone count once (WAR-010)."""
    case = Case(armies={"M1": {"node": "C03"}})
    case.order("men", "order", army="M1", new_order="march", seq=1, note="by mail")
    case.order("men", "order", army="M1", new_order="march", seq=1).throw(force_test__M1=6).play("orders")
    assert (case.codes, case.army("M1").order) == (["WAR-010"], "march")


@pytest.mark.parametrize(("verb", "one", "other", "codes"), [
    ("initiative", {"wish": "first", "army": "M1"}, {"wish": "last"}, ["WAR-007", "WAR-008"]),
    ("move", {"army": "M1", "path": "D03", "place": "C03"}, {"army": "M1", "path": "D03"}, ["WAR-007", "WAR-010"]),
    ("order", {"army": "M1", "new_order": "march", "path": "D03"}, {"army": "M1", "new_order": "march"},
     ["WAR-007", "WAR-010"])])
def test_what_is_ignored_makes_no_other_row(verb: str, one: dict[str, str], other: dict[str, str],
                                            codes: list[str]) -> None:
    """A column that the verb does not use is ignored (WAR-007), also when rows about one thing are compared."""
    case = Case(armies={"M1": {"node": "C03"}}).order("men", verb, **one).order("men", verb, **other)
    assert case.check("orders").codes == codes


# --- the form ---------------------------------------------------------------------------------------
def test_a_line_may_tell_who_has_fallen() -> None:
    """Each club tells the commanders of its own half after its Units; by the heading in Italian as well (7.2)."""
    case = laid_out()
    for club, text in (("men", "defender 4; M1a killed=1; M1 condottiero_ucciso=sì"),
                       ("orcs", "defender 4; O1a 3 1; O1 commander_killed=yes")):
        case.answer("battle", f"result/B2-1/{club}", text, to=club)
    case.answer("battle", "result/B2-1", "entered").play("battle", whole=False)
    assert case.codes == []
    assert [row.army for row in case.campaign.by_sheet("Battle armies") if row.commander_killed] == ["M1", "O1"]
    assert {row.unit: row.killed for row in case.campaign.by_sheet("Battle units")} == {"M1a": 1, "O1a": 3}


@pytest.mark.parametrize("outcome", ["", "attacker"])
def test_an_answer_that_is_no_result(outcome: str) -> None:
    """WAR-601: the question is answered with entered or auto, or with a result in a line."""
    case = laid_out(outcome).answer("battle", "result/B2-1", "maybe").play("battle")
    assert (case.codes, case.waits) == (["WAR-601"], ["result/B2-1"])
    assert [row.options for row in case.campaign.by_sheet("Questions")] == ["entered, auto"]
    assert laid_out().answer("battle", "result/B2-1", "attacker, 5").play("battle").codes == []


def test_dice_instead_of_a_result_that_is_not_confirmed() -> None:
    """confirm_results = yes: of what the question offers the referee takes auto, though a club has typed an outcome."""
    case = laid_out("defender", rules={"confirm_results": "yes"}).answer("battle", "result/B2-1", "auto")
    case.throw({"auto/B2-1/A": "6+6", "auto/B2-1/D": "1+1", "auto/B2-1/commander/M1": 3}).play("battle")
    assert (case.waits, case.row("Battles", "B2-1").outcome) == ([], "attacker")


def test_the_referee_may_tell_losses_in_his_answer() -> None:
    """Behind the result in a line, as clubs write them; what is wrong with a row is told at the answer (7.2)."""
    case = laid_out().answer("battle", "result/B2-1", "attacker 5; M1a 4 1; O1a killed=2; M1 commander_killed=yes")
    assert case.play("battle").codes == []
    assert {row.unit: (row.killed, row.routed) for row in case.campaign.by_sheet("Battle units")} == {
        "M1a": (4, 1), "O1a": (2, 0)}
    assert [row.army for row in case.campaign.by_sheet("Battle armies") if row.commander_killed] == ["M1"]
    case = laid_out().answer("battle", "result/B2-1", "attacker 5; M1a 4 7").play("battle")
    assert (case.at("WAR-502"), case.waits) == (["result/B2-1/2/battle"], ["result/B2-1"])
    assert [one.data["unit"] for one in case.all_findings if one.code == "WAR-502"] == ["M1a"]  # the cell tells of all


def test_a_commander_who_is_dead_does_not_fall_again() -> None:
    """Dead for good: no die is thrown for him, and he never comes back (4 wounded)."""
    case = Case(turn=2, armies={"M1": {"node": "C03", "commander_state": "dead"}, "O1": {"node": "C03"}},
                battles=battle(outcome="defender", status="fought"), battle_units=losses(["M1a 10", "O1a 10"]),
                battle_armies={**forces("O1 A"), "M1": {**forces("M1 D")["M1"], "commander_killed": True}})
    case.answer("after", "retreat/B2-1/O1", "D03", to="orcs").play("after")
    assert (case.army("M1").commander_state, case.codes) == ("dead", [])


def test_tests_that_were_thrown_at_the_table_are_logged() -> None:
    """A helper types them; General's test: 5 + 2 - 3 - 1, of no consequence here (3 withdrawal)."""
    case = laid_out("attacker").throw({"aid/general/B2-1/M1/1": 5, "aid/command/B2-1/O1/1": 2,
                                        "aid/luck/B2-1/O1/1": 6, "aid/general/B9-1/O1/1": 6})
    case.play("battle", whole=False)
    assert {(d["army"], d["test"], d["total"]) for d in case.event_data("aid")} == {
        ("M1", "general", 3), ("O1", "command", 4)}
    heard = {row.data["army"]: row.audience for row in case.campaign.by_sheet("Events") if row.event == "aid"}
    assert heard == {"M1": "men", "O1": "orcs"}


# --- who hears what -----------------------------------------------------------------------------------
def heard(case: Case, event: str, by: str) -> list[dict[str, Any]]:
    """What a reader is told under a code."""
    view = WARRIORS.view(case.campaign, by)
    return [row.data for row in view.by_sheet("Events") if row.event == event]


def test_who_loses_boats_hears_of_it_in_the_fog() -> None:
    """With fog near only what names a Force or a battle is kept to who sees the square (Events, Visibility)."""
    case = Case(rules={"fog": "near"}, armies={"M1": {"node": "H07"}, "O1": {"node": "C03"}},
                boats={"B1": {"node": "C03", "faction": "men"}}).play("after")
    assert [len(heard(case, "boats_taken", by)) for by in ("men", "orcs", "undead")] == [1, 1, 1]


def test_each_side_hears_what_its_exploration_came_to() -> None:
    """Its own total, the band, who is better; not what the others have thrown (3 exploration, Events)."""
    case = Case(turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, battles=battle(),
                battle_armies=forces("M1 D explore", "O1 A explore"))
    case.throw({"explore/B2-1/M1": 6, "explore/B2-1/O1": 1}).play("explore")
    assert case.event_data("exploration")[0] == {"battle": "B2-1", "A": 1, "D": 6, "band": 2, "winner": "D"}
    assert heard(case, "exploration", "men") == [{"battle": "B2-1", "total": 6, "band": 2, "winner": "D",
                                                  "better": "you"}]
    assert heard(case, "exploration", "orcs") == [{"battle": "B2-1", "total": 1, "band": 2, "winner": "D",
                                                   "better": "enemy"}]
    assert heard(case, "exploration", "undead") == []


def test_the_umpires_dice_are_those_of_both_sides() -> None:
    """Bare: what a commander is worth is not read off them (Events, Visibility)."""
    case = laid_out(row={"method": "auto"}).throw({"auto/B2-1/A": "1+2", "auto/B2-1/D": "1+1"}).play("battle")
    assert case.event_data("auto_result")[0]["A"] == 5
    assert heard(case, "auto_result", "men") == [{"battle": "B2-1", "node": "C03", "outcome": "stalemate"}]
    assert heard(case, "auto_result", "undead") == []
    seen = WARRIORS.view(case.campaign, "orcs").by_sheet("Events")
    assert "V.C." not in str([row.roll for row in seen if row.event == "auto_result"])


# --- the year -----------------------------------------------------------------------------------------
def test_mercenaries_who_are_not_hired_are_no_news() -> None:
    """The answer no: nothing happens, and nothing is told (8)."""
    case = Case(turn=5, factions=ALONE, armies={"M1": {"node": "C03"}}, nodes={"C03": {**FORT, "store": 60}})
    case.answer("events", "mercenaries/men", "no", to="men").throw(event__men=6, event_table__men="5+6").play("events")
    assert (case.events(), case.row("Nodes", "C03").store) == ([], 60)


@pytest.mark.parametrize(("die", "event", "holder"), [(5, "gates_open", "men"), (4, "gates_shut", "orcs")])
def test_the_gates_show_their_die(die: int, event: str, holder: str) -> None:
    """To who has thrown it, also where they open (8)."""
    case = Case(turn=5, factions={one: ALONE[one] for one in ("undead", "dwarfs")}, nodes={"G06": {
        **FORT, "founder": "orcs", "holder": "orcs"}}, armies={"M1": {"node": "C03"}, "O1": {"node": "A01"}})
    case.throw(event__men=6, event_table__men="6+6", event__orcs=1, gates__men=die).play("events")
    told = [row for row in case.campaign.by_sheet("Events") if row.event == event]
    assert [(row.audience, row.roll["value"]) for row in told] == [("men", die)]
    assert case.row("Nodes", "G06").holder == holder


@pytest.mark.parametrize(("wounded", "status"), [("M1a", "destroyed"), ("M1b", "broken")])
def test_a_force_waits_for_no_hero_who_has_left(wounded: str, status: str) -> None:
    """A broken Force of which only he was wounded is destroyed when he goes, also in the fog (4 wounded, 6)."""
    case = Case(turn=4, rules={"fog": "near"}, armies={"M1": {"status": "broken"}, "O1": {"node": "A01"}},
                units={"M1a": {"figures": 0, "leaves": 4}, "M1b": {"figures": 0}},
                wounded={"1": {"unit": wounded, "due": 5, "count": 1}}).play("time")
    assert (case.army("M1").status, len(case.event_data("force_destroyed"))) == (status, status == "destroyed")


def test_a_commander_gets_well_while_his_force_is_scattered() -> None:
    """His turn has come, whether the Force is on the map or broken (7)."""
    case = Case(turn=4, desk={"week": 6}, units={"M1a": {"figures": 0}}, armies={
        "M1": {"status": "broken", "commander_state": "wounded", "commander_back": 4}}).play("muster")
    assert case.army("M1").commander_state == "present"


def test_who_comes_back_to_no_chief_leads() -> None:
    """The chief fell while the other Force was off the map: it is his heir as soon as it is back (1, 7)."""
    case = Case(turn=4, desk={"week": 6}, nodes={"C03": FORT}, units={"M1a": {"figures": 0}, "M2a": {"figures": 0}},
                armies={"M1": {"status": "destroyed", "chief": True}, "M2": {"status": "broken"}},
                wounded={"1": {"unit": "M2a", "due": 4, "count": 2}}).play("muster")
    assert [case.army(one).chief for one in ("M1", "M2")] == [False, True]
    assert [event.event for event in case.events()] == ["force_back", "new_chief", "wounded_back"]


def test_a_place_is_held_by_any_force_that_is_in_it() -> None:
    """hold_needs_force = yes: a routed one of the holder will do (4 movement after)."""
    case = Case(turn=2, rules={"hold_needs_force": "yes"}, nodes={"C03": {**FORT, "holder": "orcs"}},
                armies={"O1": {"node": "C03", "reaction": "routed", "order": "none"}}).play("after")
    assert case.row("Nodes", "C03").holder == "orcs"


def test_only_an_enemys_capital_counts_three() -> None:
    """That of a people with whom there is peace does not (5)."""
    case = Case(turn=2, factions={"men": {"will_due": "battle_lost:B2-1"}}, armies={
        one: {"node": "A01"} for one in ("M1", "O1")}, nodes={
        "C03": {"place": "capital", "founder": "dwarfs", "holder": "men"},
        "D03": {"place": "capital", "founder": "undead", "holder": "men"}},
        relations={"1": {"a": "men", "b": "dwarfs", "state": "peace"}}).throw(will__men=2).play("will")
    assert case.event_data("will_passed")[0]["total"] == 5


@pytest.mark.parametrize(("points", "codes"), [(90, []), (89, ["WAR-710"]), (0, [])])
def test_an_army_is_built_by_points(points: int, codes: list[str]) -> None:
    """army_points: ten figures of 5 and a commander of V.C. 2 cost 90; asked before a campaign begins (7)."""
    assert Case(rules={"army_points": points}, armies={"M1": {"node": "C03"}}).check().codes == codes
    assert Case(turn=2, rules={"army_points": points}, armies={"M1": {"node": "C03"}}).check().codes == []


# --- words of sheets and lines ------------------------------------------------------------------------
@pytest.mark.parametrize("word", ["forced march", "Full speed", "massima velocità", "marce forzate", "marcia"])
def test_an_order_has_many_names(word: str) -> None:
    """Those of the rulebook, on the sheet of the Forces as in orders (Records)."""
    assert Army.column("order").kind.read(word) == "march"


def test_terrains_by_their_italian_names_where_the_table_is_left_out() -> None:
    """Nodes and zones of a folder that brings no tables mean the rulebook's own (Files)."""
    case = Case(nodes={"A01": {"terrain": "montagna", "terrain2": "Foresta"}},
                zones={"z": {"climate": "arido", "weather": "sereno"}})
    assert (case.row("Nodes", "A01").terrains, case.row("Zones", "z").climate, case.row("Zones", "z").weather) == (
        ("mountain", "forest"), "arid", "fair")


@pytest.mark.parametrize(("word", "italian"), [("wounded", "ferito"), ("deserter", "disertore"),
                                               ("quality", "qualità"), ("commander", "condottiero")])
def test_whose_die_it_is_in_italian(word: str, italian: str) -> None:
    """The words by which a report names several dice of one event (Events)."""
    assert Wording(WARRIORS, "it").word(word) == italian


@pytest.mark.parametrize(("line", "fields"), [
    ("found Aldermoor Levy at C3 vc 1 explore", {"verb": "found", "name": "Aldermoor Levy", "place": "C03", "vc": 1,
                                                 "new_order": "explore"}),
    ("m01 order march.", {"verb": "order", "army": "M1", "new_order": "march"}),
    ("1 order march", {"verb": "order", "army": "M1", "new_order": "march"})])
def test_a_line_without_the_finer_points_of_writing(line: str, fields: dict[str, object]) -> None:
    """A name without its marks, zeros before a number, a stop at the end (Orders to Forces)."""
    assert dict(WARRIORS.understand(line, Case(armies={"M1": {"node": "C03"}}).campaign, "men").fields) == fields
