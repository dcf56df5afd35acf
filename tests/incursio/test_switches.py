"""The switches of Incursio: each option by a case in which it matters."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.incursio import records
from tests.incursio.cases import Case, E, V
from tests.incursio.test_examples import stormed


@pytest.mark.parametrize(("switch", "codes"), [("all", ["INC-024"]), ("defenders_only", [])])
def test_fought_no_move(switch: str, codes: list[str]) -> None:
    """Attackers may still move in the final moves."""
    case = Case("final_moves", soldiers={1: "/F"}, fought_no_move=switch)
    case.set("Armies", "E01o", fought="attacked")
    assert case.order("move 1>2 F finale").play().codes == codes


@pytest.mark.parametrize(("switch", "passes"), [("one_pass", 1), ("until_retreat", 2)])
def test_combat_rounds(switch: str, passes: int) -> None:
    """An undecided pass is followed by another."""
    case = stormed("F", "As", combat_rounds=switch).duel("3V-1-2-1", "garrison", "3", "3")
    case.duel("3V-1-2-1", "garrison", "5", "3", 2).play()
    assert case.battle("3V-1-2-1").passes == passes


def test_max_passes() -> None:
    """After the last one it is undecided."""
    case = stormed("F", "As", combat_rounds="until_retreat", max_passes=2)
    case.duel("3V-1-2-1", "garrison", "3", "3").duel("3V-1-2-1", "garrison", "3", "3", 2).play()
    assert (case.battle("3V-1-2-1").outcome, case.battle("3V-1-2-1").passes) == ("undecided", 2)


@pytest.mark.parametrize(("switch", "outcome"), [("attackers", "driven_off"), ("none", "undecided")])
def test_retreat_subject(switch: str, outcome: str) -> None:
    """Fewer attackers retire, or nobody."""
    case = stormed("FF", "As", retreat_subject=switch).duel("3V-1-2-1", "garrison", "3", "3").play()
    assert case.battle("3V-1-2-1").outcome == outcome


@pytest.mark.parametrize(("switch", "dice", "winner"), [
    ("pool", {"3": 6}, ["att", "att"]), ("shared", {"3": 6}, ["att", "tie"]),
    ("every_duel", {"3>1": 6, "3>2": 5}, ["att", "att"])])
def test_surplus_mode(switch: str, dice: dict[str, int], winner: list[str]) -> None:
    """Three As on FF: the third die goes to the worst, to the unit it is dealt to, or is thrown for each."""
    case = stormed("FF", "AsAsAs", surplus_mode=switch)
    case.duel("3V-1-2-1", "garrison", "54" if switch == "pool" else "24", "44")
    case.throw({f"battle/3V-1-2-1/1/garrison/att/{key}": value for key, value in dice.items()}).play()
    assert [duel["winner"] for duel in case.battle("3V-1-2-1").duels] == winner


@pytest.mark.parametrize(("switch", "winner"), [("defender", "def"), ("nobody", "tie")])
def test_tie_conflict(switch: str, winner: str) -> None:
    """Manned walls against power 6."""
    case = stormed("F", "As", "L3 02*3 01 04", tie_conflict=switch).set("Factions", V, power_step=6)
    case.duel("3V-1-2-1", "garrison", "3", "3").play()
    assert case.battle("3V-1-2-1").duels[0]["winner"] == winner


@pytest.mark.parametrize(("switch", "winner"), [("add", "def"), ("cap", "tie")])
def test_bonus_on_d4(switch: str, winner: str) -> None:
    """A d4 with a bonus is 5, or stays at 4."""
    case = stormed("A", "Tr", "L3 02*3 01 08", bonus_on_d4=switch).duel("3V-1-2-1", "garrison", "4", "4").play()
    assert case.battle("3V-1-2-1").duels[0]["winner"] == winner


@pytest.mark.parametrize(("stack", "reading", "bonus"), [
    ("per_kind", "target", {"09": 1, "16": 1}), ("stack", "target", {"09": 2, "16": 1}), ("max1", "target", {"09": 1}),
    ("per_kind", "origin", {})])
def test_studies_and_keeps_beside_a_ruin(stack: str, reading: str, bonus: dict[str, int]) -> None:
    """Once a kind, each, once in all; beside the ruin or beside the cell from which they come."""
    case = Case("first_assault", "1-2 2-3 2-4", day=3, towns={3: "L1 02 01 09 16", 4: "L1 02 01 09"}, ruins={2: 0},
                soldiers={1: "/F", 3: "F", 4: "F"}, demons={2: "As"}, adjacent_bonus_stack=stack,
                adjacent_bonus_reading=reading)
    assert case.order("attack 1>2 F").play().battle("3E-1-2-1").duels[0]["mod_att"] == bonus


@pytest.mark.parametrize(("switch", "codes"), [("yes", ["INC-032"]), ("no", [])])
def test_garrison_cavalry_needs_06(switch: str, codes: list[str]) -> None:
    """Stables, or none."""
    case = Case("first_move", towns={1: 2}, soldiers={1: "F/C"}, garrison_cavalry_needs_06=switch)
    assert case.order("enter 1 C").play().codes == codes


@pytest.mark.parametrize(("switch", "codes"), [("shared", ["INC-031"]), ("each", [])])
def test_limit_share(switch: str, codes: list[str]) -> None:
    """Barracks: two places for F or A, or for each of them."""
    case = Case("first_move", towns={1: "L1 02 01 07"}, soldiers={1: "FAA/F"}, limit_share=switch)
    case.set("Armies", "E01g", units="FFA")
    assert case.order("enter 1 F").play().codes == (codes if switch == "shared" else [])


@pytest.mark.parametrize(("switch", "codes"), [("free", []), ("one_move", ["INC-023"])])
def test_reorder_cost(switch: str, codes: list[str]) -> None:
    """Nothing, or the garrison's movement."""
    case = Case("first_move", towns={1: 2}, soldiers={1: "FA"}, reorder_cost=switch)
    assert case.order("reorder 1 AF", priority=1).order("leave 1 F").play().codes == codes


@pytest.mark.parametrize(("rules", "dice", "made"), [
    ({}, {"muster/5/1/1": 3, "muster/5/1/2": 1}, "FC"), ({"unit_remainder": "no_cavalry"}, {}, "FA"),
    ({"remainder_rule": "independent"}, {"muster/5/1/1": 3, "muster/5/1/2": 3}, "CC")])
def test_what_is_left_over_of_a_muster(rules: dict[str, str], dice: dict[str, int], made: str) -> None:
    """All different, without cavalry, or each drawn by itself."""
    case = Case("arrivals", towns={1: 2}, soldiers={1: "FAF"}, play_on="yes", **_any(rules)).throw(dice).play()
    assert case.event_data("mustered") == [{"node": 1, "units": made}]


def _any(rules: dict[str, str]) -> dict[str, Any]:
    return dict(rules)


@pytest.mark.parametrize(("switch", "where"), [("any_settlement", "/F"), ("own_town", "/")])
def test_deploy_scope(switch: str, where: str) -> None:
    """From any town, or from the town itself only."""
    case = Case("arrivals", towns={1: 1, 2: "L1 02 01"}, soldiers={1: "F", 2: "F"}, play_on="yes", deploy_scope=switch)
    case.add(records.Mission(day="4", player="V2", mission="terror", target="2", state="due"))
    case.order("deploy 2 open F").throw(muster__5__1__1=1).play()
    assert case.at(2) == f"F{where}"


def test_deploy_ask() -> None:
    """The general is asked, and answers in lines like DEPLOY; the default leaves them where they were made."""
    for answer, where in (("default", "F/F"), ("2 open F", "F/"), ("schiera 2 fuori F;", "F/")):
        case = Case("arrivals", towns={1: 1, 2: 1}, soldiers={1: "F", 2: "F"}, play_on="yes", deploy_ask="yes")
        case.throw(muster__5__1__1=1, muster__5__2__1=2).play(_5_arrivals_deploy_esdef=answer)
        assert (case.last.done, case.at(1)) == (True, where)


@pytest.mark.parametrize(("switch", "code"), [("21", "INC-051"), ("19_ignore_levels", ""), ("none", "INC-051")])
def test_lvl3_req(switch: str, code: str) -> None:
    """The signal tower may be built before its level where level 3 asks for it."""
    case = Case("upkeep", towns={1: "L2 02*2 01 03 18"}, soldiers={1: "F"}, lvl3_req=switch)
    assert case.order("build 19 @1 (E2)").play().codes == ([code] if code else [])


@pytest.mark.parametrize(("switch", "came_to"), [("parallel", ["done", "done"]), ("serial", ["done", "refused"])])
def test_founding_parallel(switch: str, came_to: list[str]) -> None:
    """01 beside 02, or after it."""
    case = Case("upkeep", soldiers={1: "/F"}, founding_parallel=switch).set("Factions", E, coins=600)
    assert case.order("build 02 @1 (E2)").order("build 01 @1 (E3)").play().came_to == came_to


@pytest.mark.parametrize(("switch", "came_to"), [("per_building", ["done", "refused"]), ("per_site", ["done", "done"])])
def test_builder_rule(switch: str, came_to: list[str]) -> None:
    """One player may begin both halves of a founding."""
    case = Case("upkeep", soldiers={1: "/F"}, builder_rule=switch).set("Factions", E, coins=600)
    case.order("build 02 @1 (E2)", priority=1).order("build 01 @1 (E2)", priority=2)
    assert case.play().came_to == came_to


@pytest.mark.parametrize(("switch", "codes"), [("settlement", []), ("map", ["INC-053"])])
def test_build_limit_scope(switch: str, codes: list[str]) -> None:
    """For each settlement, or for all."""
    towns: dict[int, int | str] = {1: "L1 02 01", 2: "L2 02*2 01 03"}
    case = Case("upkeep", towns=towns, soldiers={1: "F", 2: "F"}, build_limit_scope=switch)
    case.set("Factions", E, coins=9000)
    assert case.order("build 03 @1 (E2)").play().codes == codes


@pytest.mark.parametrize(("switch", "coins"), [("none", 0), ("half", 1000)])
def test_build_refund(switch: str, coins: int) -> None:
    """Of a work that falls nothing is paid back, or half."""
    case = stormed("F", "As", "L2 02*2 01 03", build_refund=switch)
    case.add(records.Work(node="2", structure="04", builder="E2", started_on=2, ready_on=3, cost=2000))
    case.set("Factions", E, coins=0).duel("3V-1-2-1", "garrison", "5", "2").play()
    assert case.row("Factions", E).coins == coins


def test_capture_percent() -> None:
    """A fifth of 25 people."""
    case = stormed("F", "As", "L1 02 01", capture_percent=20).duel("3V-1-2-1", "garrison", "5", "2").play()
    assert case.row("Factions", V).resources == 5


@pytest.mark.parametrize("scope", ["arrivals", "all"])
def test_ruin_demons_are_made(scope: str) -> None:
    """With `production` a ruin makes demons and houses all."""
    case = Case("arrivals", ruins={1: 0}, demons={1: "TrTrTr"}, ruin_demons="production", play_on="yes",
                ruin_cap_scope=scope)
    case.throw(ruin__5__1__1=3, ruin__5__1__2=2).play()
    assert (case.event_data("demons_made"), case.at(1, V)) == ([{"node": 1, "units": "AsDi"}], "TrTrTrAsDi")


@pytest.mark.parametrize(("switch", "level"), [("next_day", 0), ("same_day", 1)])
def test_ruin_rise(switch: str, level: int) -> None:
    """The day after, or at once."""
    case = Case("upkeep", ruins={1: 0}, demons={1: "Tr"}, ruin_rise=switch).set("Nodes", "1", ruined_on=5).play()
    assert case.row("Nodes", "1").level == level


@pytest.mark.parametrize(("switch", "left"), [("stay", "Tr"), ("vanish", "")])
def test_roaming_demons(switch: str, left: str) -> None:
    """Residents outside a ruin at dusk."""
    assert Case("arrivals", demons={1: "Tr"}, roaming_demons=switch, play_on="yes").play().at(1, V) == left


@pytest.mark.parametrize(("switch", "day"), [("evening_before", "6"), ("evening_of", "7")])
def test_portal_arrival(switch: str, day: str) -> None:
    """Of which day the portals are that are drawn tonight."""
    case = Case("upkeep", cells=6, portal_arrival=switch).play()
    assert {row.day for row in case.campaign.by_sheet("Portals")} == {day}


def test_portal_mix() -> None:
    """Each demon drawn by itself."""
    case = Case("arrivals", portal_mix="random_each", play_on="yes")
    case.add(records.Portal(day="6", node="1", number=2))
    assert case.throw(portal__6__1__mix__1=3, portal__6__1__mix__2=3).play().at(1, V) == "DiDi"


@pytest.mark.parametrize(("switch", "came_to"), [("order", ["done", "blocked"]), ("together", ["blocked", "blocked"])])
def test_final_move_order(switch: str, came_to: list[str]) -> None:
    """Both into one empty cell: the first has it, or neither."""
    case = Case("final_moves", "1-2 2-3", soldiers={1: "/F"}, demons={3: "Tr"}, final_move_order=switch)
    assert case.order("move 1>2 F final").order("move 3>2 Tr final", V).play().came_to == came_to


def test_general_acts() -> None:
    """With `no` a general has no action of his own."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}, general_acts="no").order("mission smuggling (E1)")
    assert case.play().codes == ["INC-006"]


def test_attack_cap_scope() -> None:
    """By player: each leader has three, and must be named."""
    case = Case("first_assault", "1-2", soldiers={1: "/FFFF"}, attack_cap_scope="player")
    for player in ("E2", "E2", "E2", "E3"):
        case.columns(verb="attack", node="1", to_node="2", units="F", player=player)
    assert [code for code in case.play().codes if code == "INC-042"] == []
    assert Case("first_assault", "1-2", soldiers={1: "/F"}, attack_cap_scope="player").order(
        "attack 1>2 F").play().codes == ["INC-008"]


def test_moves_per_moment_and_initiative_dice() -> None:
    """Two lines a moment; two dice a side."""
    case = Case("first_move", "1-2 2-3", soldiers={1: "/F"}, moves_per_moment=2).order("move 1>3 F").play()
    assert case.at(3) == "/F"
    case = Case("initiative", first="", initiative_dice="2d6").throw(initiative__5__esdef__1=12,
                                                                    initiative__5__varannah__1=2).play()
    assert case.event_data("initiative") == [{"first": E, "rolls": [12, 2]}]


# --- spies, mages, engines, the end ---------------------------------------------------------------------------
@pytest.mark.parametrize(("cap", "power", "chance"), [(90, 4, 80), (90, 9, 90), (75, 9, 75)])
def test_spy_cap(cap: int, power: int, chance: int) -> None:
    """A Krinar with the power's bonus, and no further than the cap."""
    case = Case("spying", "1-2", towns={1: 1}, soldiers={1: "F"}, spy_cap=cap).set("Factions", V, power_step=power)
    case.set("Players", "V1", species="Krinar").order("spy 1 soldiers (V1)", V)
    assert case.throw({"spy/5/V1/success": 100}).play().event_data("spy_report")[0]["chance"] == chance


def test_the_night_eye() -> None:
    """A Digrin for whom another watches: 50 and 20."""
    case = Case("upkeep", "1-2", towns={1: 1}, soldiers={1: "F"}).set("Players", "V2", species="Digrin")
    case.order("mission night_eye for V2 (V3)", V).order("spy 1 structures (V2)", V).play()
    case.throw({"spy/5/V2/success": 71}).play()
    assert [(event["result"], event["chance"]) for event in case.event_data("spy_report")] == [("enemies", 70)]


@pytest.mark.parametrize(("switch", "shots"), [("yes", 1), ("no", 2)])
def test_engine_first_pass_only(switch: str, shots: int) -> None:
    """A catapult against two passes of three Tr."""
    case = stormed("FF", "TrTrTr", "L4 02*4 01 12", engine_first_pass_only=switch, combat_rounds="until_retreat",
                   max_passes=2)
    for one in (1, 2):
        stem = f"battle/3V-1-2-1/{one}/engine/12.1"
        case.throw({f"{stem}/target": 1, f"{stem}/engine": 1, f"{stem}/victim": 1})
        case.duel("3V-1-2-1", "garrison", "333", "33", one)
    assert [duel["stage"] for duel in case.play().battle("3V-1-2-1").duels].count("engine") == shots


@pytest.mark.parametrize(("reach", "least", "shown"), [(2, 4, [2, 3]), (1, 4, [2]), (2, 5, [2]), (0, 4, [])])
def test_foresight_of_an_arcane_study(reach: int, least: int, shown: list[int]) -> None:
    """Portals one and two lines away, one of them red; the dice show 5 and 4."""
    case = Case("upkeep", "1-2 2=3 3-4", towns={1: "L1 02 01 09"}, soldiers={1: "F"}, foresight_09_reach=reach,
                foresight_09_at=least)
    case.throw(portal__6__1__1=2, portal__6__2__1=3, foresight__5__1__09__2=5, foresight__5__1__09__3=4).play()
    assert [event["node"] for event in case.event_data("portal_foreseen")] == shown


@pytest.mark.parametrize(("switch", "phase"), [("no", "over"), ("yes", "initiative")])
def test_play_on(switch: str, phase: str) -> None:
    """One settlement on day 20."""
    case = Case("arrivals", day=20, towns={1: 1}, soldiers={1: "F"}, play_on=switch).play()
    assert (bool(case.event_data("campaign_ended")), case.campaign.desk.phase) == (phase == "over", phase)


@pytest.mark.parametrize(("switch", "there"), [("yes", "FFA/AC"), ("no", "FFA/A")])
def test_cavalry_outside(switch: str, there: str) -> None:
    """Without stables new cavalry stands outside, or nowhere."""
    case = Case("arrivals", towns={1: "L2 02*2 01 03 04 10"}, soldiers={1: "F"}, play_on="yes", cavalry_outside=switch)
    assert case.throw(muster__5__1__1=2).play().at(1) == there
