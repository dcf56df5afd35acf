"""The printed examples of Incursio, and our own beside them, told as the book tells them."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.incursio import records
from tests.incursio.cases import Case, E, V


def stormed(garrison: str, force: str, town: str = "L4 02*4 01", outside: str = "", day: int = 3,
            **rules: Any) -> Case:
    """Raiders at 1 attack the settlement 2 by a red line, in the order in which they are written."""
    case = Case("first_assault", "1=2", day=day, first=V, towns={2: town}, soldiers={2: f"{garrison}/{outside}"},
                demons={1: force}, **rules)
    return case.order(f"attack 1>2 {force}", V)


# --- the printed examples ------------------------------------------------------------------------------------
def test_s1_a_town_that_makes_four_makes_one_of_each_and_one_that_is_drawn() -> None:
    """GUA: F, A, C, and the die says A."""
    case = Case("arrivals", day=3, towns={1: "L2 02*2 01 03 10"}, soldiers={1: "FAF"}, play_on="yes")
    assert case.throw(muster__3__1__1=2).play().event_data("mustered") == [{"node": 1, "units": "FAAC"}]


def test_s2_a_garrison_is_attacked_blind() -> None:
    """COM: AFCFC against Tr As As As Di; two of the garrison and one attacker fall, and it stays undecided."""
    case = stormed("AFCFC", "TrAsAsAsDi").duel("3V-1-2-1", "garrison", "53624", "23164").play()
    row = case.battle("3V-1-2-1")
    assert (row.outcome, row.att_after, row.garrison_after) == ("undecided", "TrAsAsDi", "FFC")
    assert case.seen(V, 2) == [("garrison", 1, "F", 3), ("garrison", 2, "F", 3), ("garrison", 3, "C", 3)]
    assert [what for _, _, what, _ in case.seen(E, 1)] == ["Tr", "As", "As", "Di"]


def test_s3_surplus_troops_lend_their_die() -> None:
    """COM: As Tr Di Tr against FFF; the second Tr throws 4 for the first, which so kills its foot."""
    case = stormed("FFF", "AsTrDiTr", day=3).duel("3V-1-2-1", "garrison", "3154", "232").play()
    row = case.battle("3V-1-2-1")
    assert (row.outcome, row.att_after) == ("taken", "AsTrDiTr")
    duel = row.duels[1]
    assert (duel["att"], duel["d_att"], duel["roll_att"], duel["lent_att"], duel["winner"]) == ("Tr", 4, 4, 4, "att")


def test_s4_engines_upset_the_order() -> None:
    """COM: AACCF with a catapult and a ballista against As As Tr Tr Di Di."""
    case = stormed("AACCF", "AsAsTrTrDiDi", "L4 02*4 01 12 13")
    stem = "battle/3V-1-2-1/1/engine"
    case.throw({f"{stem}/12.1/target": 2, f"{stem}/12.1/engine": 6, f"{stem}/12.1/victim": 2,
                f"{stem}/13.1/target": 1, f"{stem}/13.1/engine": 4, f"{stem}/13.1/victim": 3})
    case.duel("3V-1-2-1", "garrison", "4614", "3454").play()
    row = case.battle("3V-1-2-1")
    assert [duel["killed"] for duel in row.duels[:2]] == [True, True]
    assert (row.outcome, row.att_after, row.garrison_after) == ("undecided", "AsTrDi", "CCF")
    assert {what for kind, _, what, _ in case.seen(V, 2) if kind == "structure"} == {"12", "13"}


@pytest.mark.parametrize(("outside", "garrison", "force", "dice"), [
    ("", "F", "Tr", (4, 6)), ("F", "", "Tr", (6, 6)), ("F", "", "Di", (6, 4)), ("", "F", "Di", (6, 4)),
    ("", "F", "As", (6, 6)), ("A", "", "As", (6, 6)), ("", "A", "As", (4, 6)), ("", "C", "As", (6, 4)),
])
def test_s5_and_s7_only_the_garrison_keeps_its_advantage(outside: str, garrison: str, force: str,
                                                         dice: tuple[int, int]) -> None:
    """COM: outside one has no advantage, and yet the disadvantage; even units throw d6 both."""
    case = stormed(garrison, force, outside=outside).play()
    duel = case.battle("3V-1-2-1").duels[0]
    assert (duel["d_att"], duel["d_def"]) == dice


@pytest.mark.parametrize(("unit", "power", "powers", "dice"), [
    ("C", 0, "yes", (6, 6)), ("A", 0, "yes", (6, 4)), ("C", 3, "yes", (4, 6)), ("A", 3, "yes", (6, 4)),
    ("C", 3, "no", (6, 6)),
])
def test_s6_demons_in_a_ruin(unit: str, power: int, powers: str, dice: tuple[int, int]) -> None:
    """COM: As attacked by cavalry or archers, without and with power 3, and with the switch that takes it away."""
    case = Case("first_assault", day=3, ruins={2: 0}, soldiers={1: f"/{unit}"}, demons={2: "As"}, ruin_powers=powers)
    case.set("Factions", V, power_step=power).order(f"attack 1>2 {unit}").play()
    duel = case.battle("3E-1-2-1").duels[0]
    assert (duel["d_att"], duel["d_def"]) == dice
    assert duel["mod_def"] == ({"power 2": 1} if power >= 2 and powers == "yes" else {})


# --- our own -------------------------------------------------------------------------------------------------
def test_x01_ties_of_the_initiative_are_thrown_again() -> None:
    """Six dice are kept under tries 1, 2, 3."""
    case = Case("initiative", day=8, first="")
    for attempt, (a, b) in enumerate([(2, 2), (6, 6), (3, 1)], 1):
        case.throw({f"initiative/8/esdef/{attempt}": a, f"initiative/8/varannah/{attempt}": b})
    assert case.play().event_data("initiative") == [{"first": E, "rolls": [3, 1]}]
    assert len(case.last.rolls) == 6


def test_x02_lines_of_movement() -> None:
    """One done, and each refusal."""
    case = Case("first_move", "1-2 1=3 2-4 5-2", towns={5: 2}, ruins={4: 0}, demons={4: "Tr"},
                soldiers={1: "/FFA", 2: "/C", 5: "/FA"})
    for line in ("move 1>2 FF", "move 1>3 A", "move 2>4 C", "move 5>2 FA", "move 2>1 CC", "move 1>5 A"):
        case.order(line)
    case.play()
    assert {finding.where.row: finding.code for finding in case.last.findings} == {
        "o2": "INC-021", "o3": "INC-026", "o4": "INC-025", "o5": "INC-022", "o6": "INC-020"}
    assert (case.at(1), case.at(2), case.at(5)) == ("/A", "/CFF", "/FA")


def test_x03_who_fought_stays_and_enemies_stop_a_move() -> None:
    """The second side: no move for who defended, no reordering, a move into unseen enemies."""
    case = Case("second_move", "1-2 2-3", first=V, towns={1: 2}, soldiers={1: "FA/C", 2: "/F"}, demons={3: "Tr"})
    case.set("Armies", "E01g", fought="defended").set("Armies", "E01o", fought="defended")
    for line in ("leave 1 F", "move 1>2 C", "reorder 1 AF", "move 2>3 F"):
        case.order(line)
    case.play()
    assert {finding.where.row: finding.code for finding in case.last.findings} == {
        "o1": "INC-024", "o2": "INC-024", "o3": "INC-034"}
    assert case.came_to == ["refused", "refused", "refused", "blocked"]
    assert case.seen(E, 3) == [("enemies", None, "", 5)]
    assert case.event_data("move_blocked") == [{"node": 2, "to_node": 3, "units": "F"}]


def test_x04_garrison_work() -> None:
    """AAFFF, then AAFF, then AAFFFAA, and no cavalry."""
    case = Case("first_move", towns={1: "L3 02*3 01 03 07"}, soldiers={1: "FAFAF/FAAC"})
    for line in ("reorder 1 AAFFF", "leave 1 F", "enter 1 FAA", "enter 1 C"):
        case.order(line)
    case.play()
    assert (case.codes, case.at(1)) == (["INC-032"], "AAFFFAA/CF")


def test_x05_attacks_that_are_refused_are_not_counted() -> None:
    """A garrison does not attack, and the last one does not leave."""
    case = Case("first_assault", "1-2 3-2", towns={1: 2, 3: 1}, ruins={2: 0}, demons={2: "Tr"},
                soldiers={1: "FF", 3: "/C"})
    case.order("attack 1>2 FF").order("attack 3>2 C").play()
    assert (case.codes, case.row("Days", "5").attacks_esdef) == (["INC-025", "INC-049"], 0)


def test_x06_knowledge_moves_forward() -> None:
    """What threw is superseded, what did not moves forward by one dead."""
    case = stormed("FAAC", "DiTr", day=7)
    for no, (place, what, day) in enumerate([(1, "F", 5), (4, "C", 6)], 1):
        case.add(records.Observation(no=no, faction=V, node="2", kind="garrison", position=place, what=what,
                                    seen_on=day))
    case.duel("7V-1-2-1", "garrison", "41", "31").play()
    assert case.battle("7V-1-2-1").outcome == "driven_off"
    assert case.seen(V, 2) == [("garrison", 1, "A", 7), ("garrison", 3, "C", 6)]


def test_x07_three_stages_and_all_bonuses() -> None:
    """Surplus, an engine that misses, manned walls, and one is driven off."""
    case = stormed("FAC", "TrAsDiTr", "L4 02*4 01 04 05 06 08 11 12", "F", day=8).set("Factions", V, power_step=2)
    case.duel("8V-1-2-1", "open", "3--2", "4")
    stem = "battle/8V-1-2-1/1/engine/12.1"
    case.throw({f"{stem}/target": 2, f"{stem}/engine": 3, f"{stem}/victim": 5})
    case.duel("8V-1-2-1", "garrison", "2433", "322").play()
    row = case.battle("8V-1-2-1")
    assert (row.outcome, row.att_after, row.open_after, row.garrison_after) == ("driven_off", "Tr", "F", "FAC")
    assert row.duels[0]["mod_att"] == {"power 2": 1}
    assert [duel.get("mod_def") for duel in row.duels[2:]] == [{"05": 1, "11": 1}, {"08": 1, "11": 1}, {"11": 1}]
    assert {what for kind, _, what, _ in case.seen(V, 2) if kind == "structure"} == {"04", "05", "08", "11", "12"}
    assert [(k, p, w) for k, p, w, _ in case.seen(V, 2) if k != "structure"] == [
        ("camp", 1, "F"), ("garrison", 1, "F"), ("garrison", 2, "A"), ("garrison", 3, "C")]


def test_x08_a_repeat_is_a_battle_of_its_own() -> None:
    """As falls, Di takes the place: a ruin of level 0, three captives."""
    case = Case("first_assault", "1=2", day=3, first=V, towns={2: 1}, soldiers={2: "F"}, demons={1: "As Di r3"})
    case.order("attack 1>2 AsDi x2", V).duel("3V-1-2-1", "garrison", "4", "6")
    case.duel("3V-1-2-2", "garrison", "5", "3").play()
    assert [case.battle(f"3V-1-2-{n}").outcome for n in (1, 2)] == ["undecided", "taken"]
    assert (case.row("Nodes", "2").kind, case.row("Nodes", "2").level) == ("ruin", 0)
    assert (case.row("Factions", V).resources, case.bands, case.row("Days", "3").attacks_varannah) == (
        3, {"V02oa": "Di"}, 2)
    assert case.seen(E, 2) == [("camp", 1, "Di", 3)]


def test_x09_a_pool_of_three() -> None:
    """Class 5 1 2 6: the best three are 6 5 2, and position 2 gets the 6."""
    case = stormed("FFF", "AsAsAsAs").duel("3V-1-2-1", "garrison", "5126", "426").play()
    row = case.battle("3V-1-2-1")
    assert [(duel["roll_att"], duel["lent_att"], duel["winner"]) for duel in row.duels] == [
        (5, None, "att"), (6, 4, "att"), (2, None, "def")]
    assert (row.outcome, row.att_after, row.garrison_after) == ("undecided", "AsAsAs", "F")


@pytest.mark.parametrize(("switch", "outcome", "seen"), [
    ("no", "driven_off", []), ("yes", "destroyed", [("garrison", 1, "A", 3), ("garrison", 3, "A", 3)])])
def test_x10_defenders_are_more(switch: str, outcome: str, seen: list[object]) -> None:
    """Their surplus throws nothing, but for the switch."""
    case = stormed("AFAF", "As", "L3 02*3 01 04", surplus_defenders=switch)
    case.duel("3V-1-2-1", "garrison", "4", "2-6").play()
    assert case.battle("3V-1-2-1").outcome == outcome
    assert [one for one in case.seen(V, 2) if one[0] == "garrison"] == seen


def test_x11_the_arcane_study_helps_attacks_on_a_ruin_beside_it() -> None:
    """A kills As, F and Di tie, C is idle; they stay and may not move tonight."""
    case = Case("first_assault", "3-2 1-2", day=3, towns={1: "L1 02 01 09"}, ruins={2: 0},
                soldiers={1: "F", 3: "/AFC"}, demons={2: "As Di"})
    case.order("attack 3>2 AFC").duel("3E-3-2-1", "open", "43-", "24").play()
    row = case.battle("3E-3-2-1")
    assert [duel["mod_att"] for duel in row.duels] == [{"09": 1}, {"09": 1}]
    assert (row.outcome, row.att_after, row.open_after, case.bands["E03oa"]) == ("undecided", "AFC", "Di", "AFC")


@pytest.mark.parametrize(("switch", "dice", "duels"), [
    ("no", ("64", "54"), [(6, 6, {}, "att"), (6, 4, {}, "tie")]),
    ("yes", ("44", "53"), [(4, 6, {"power 2": 1}, "def"), (6, 4, {"power 2": 1}, "tie")])])
def test_x12_powers_in_a_ruin(switch: str, dice: tuple[str, str], duels: list[object]) -> None:
    """Power 3 does nothing in a ruin where the switch says so; else A throws d4 and each demon has +1."""
    case = Case("first_assault", day=3, ruins={2: 0}, soldiers={1: "/AC"}, demons={2: "Tr Di"}, ruin_powers=switch)
    case.set("Factions", V, power_step=3).order("attack 1>2 AC").duel("3E-1-2-1", "open", *dice).play()
    assert [(duel["d_att"], duel["d_def"], duel["mod_def"], duel["winner"])
            for duel in case.battle("3E-1-2-1").duels] == duels


def test_x13_a_village_falls() -> None:
    """Captives at once, works lost, the drill failed; it does not rise tonight."""
    case = Case("first_assault", "1=2", day=6, first=V, towns={2: "L2 02*2 01 03"}, soldiers={2: "AF"},
                demons={1: "Tr Di Tr Di r6"})
    case.add(records.Work(node="2", structure="04", builder="E2", started_on=5, ready_on=6, cost=2000))
    case.add(records.Mission(day="5", player="E3", mission="drill", target="2"))
    case.order("attack 1>2 TrDiTrDi", V).duel("6V-1-2-1", "garrison", "31-5", "23").play()
    place = case.row("Nodes", "2")
    assert (place.kind, place.level, place.ruined_on, case.row("Factions", V).resources) == ("ruin", 0, 6, 10)
    assert (len(case.campaign.by_sheet("Structures")), case.row("Works", "2/04/E2/5").state) == (0, "lost")
    assert case.row("Missions", "5/E3/drill/2/").state == "failed"
    case.set("Desk", "incursio", phase="upkeep").play()
    assert (case.row("Factions", V).resources, case.row("Nodes", "2").level, case.at(2, V)) == (15, 0, "TrDiTrDi")


@pytest.mark.parametrize(("scope", "third"), [("arrivals", "DiTrAs"), ("all", "DiTr")])
def test_x14_dusk(scope: str, third: str) -> None:
    """A ruin houses who has room; on bare ground all return; conquerors stay, but for the switch."""
    case = Case("arrivals", "1-2 2-3", day=4, ruins={1: 0, 3: 0}, demons={2: "TrAs r4", 3: "DiTrAs"}, play_on="yes",
                ruin_cap_scope=scope)
    case._band("1", V, "Tr", "open")
    case._band("1", V, "AsDi", "open", 4)
    case.play()
    assert (case.at(1, V), case.at(2, V), case.at(3, V)) == ("TrAs", "", third)


def test_x15_ruins_in_time() -> None:
    """18, 43 and 113 resources; the steps of power follow."""
    case = Case("upkeep", ruins={1: 0, 2: 0}, demons={1: "Tr", 2: "Tr"}).set("Factions", V, resources=8)
    case.set("Nodes", "2", ruined_on=5)
    found = []
    for day in (5, 6, 7):
        case.set("Desk", "incursio", turn=str(day), phase="upkeep").play()
        row = case.row("Factions", V)
        found.append((row.resources, row.power_step))
    assert found == [(18, 0), (43, 1), (113, 2)]


def test_x16_ties() -> None:
    """Power 6 wins a tie in the open, manned walls against it."""
    case = stormed("F", "AsAs", "L3 02*3 01 04", "F").set("Factions", V, power_step=7)
    case.duel("3V-1-2-1", "open", "13", "3").duel("3V-1-2-1", "garrison", "42", "4").play()
    row = case.battle("3V-1-2-1")
    assert (row.outcome, row.att_after, row.garrison_after) == ("undecided", "As", "F")
    assert [duel["winner"] for duel in row.duels] == ["att", "def"]


def test_x18_a_settlement_is_founded() -> None:
    """02 then 01 are paid; tomorrow it is a settlement of level 1."""
    case = Case("upkeep", "1-2", day=5, soldiers={1: "/FA"}, play_on="yes").set("Factions", E, coins=600)
    case.order("build 02 @1 (E2)", issuer="E1").order("build 01 @1 (E3)").order("build 02 @2 (E4)")
    case.play()
    assert [question.about for question in case.last.questions] == ["o1"]
    case.play(_5_upkeep_consent_esdef_o1="yes")
    assert (case.codes, case.came_to, case.row("Factions", E).coins) == (
        ["INC-055"], ["done", "done", "refused"], 0)
    case.set("Desk", "incursio", turn="6", phase="upkeep").play()
    place = case.row("Nodes", "1")
    assert (place.kind, place.level, case.at(1), case.row("Factions", E).coins) == ("settlement", 1, "/FA", 0)


def test_x19_requirements() -> None:
    """Level, structures and limit; nothing is paid."""
    case = Case("upkeep", towns={1: "L2 02*2 01 03", 2: "L3 02*3 01 03 04 07 21*2"}, soldiers={1: "F", 2: "F"})
    case.set("Factions", E, coins=9000)
    for line in ("build 22 @1 (E2)", "build 05 @1 (E3)", "build 21 @2 (E4)", "build 11 @2 (E5)"):
        case.order(line)
    case.play()
    assert sorted(case.codes) == ["INC-051", "INC-052", "INC-052", "INC-053"]
    assert case.row("Factions", E).coins == 9000 + 100 + 200 + 1000


def test_x20_sabotage_comes_first() -> None:
    """Of two works that are due the lower one is late; the level stays."""
    case = Case("upkeep", day=5, towns={1: "L1 02 01"}, soldiers={1: "F"})
    for code, who in (("02", "E2"), ("03", "E3")):
        case.add(records.Work(node="1", structure=code, builder=who, started_on=4, ready_on=5, cost=500))
    case.add(records.Mission(day="4", player="V1", mission="sabotage", target="1"))
    case.add(records.Mission(day="4", player="E4", mission="refugees", target="1"))
    case.throw(mission__4__V1__sabotage=6).play()
    assert (case.row("Works", "1/02/E2/4").ready_on, case.row("Works", "1/03/E3/4").state) == (6, "done")
    assert (case.row("Nodes", "1").level, case.row("Nodes", "1").refugees) == (1, 25)


def test_x21_three_demon_spies() -> None:
    """Soldiers, structures, a failure, and a bare cell without a die."""
    case = Case("spying", "1-2", day=5, towns={1: "L4 02 01 03 04 05 07 10 11 21 22"}, soldiers={1: "FACFA/CC"})
    for line in ("spy 1 soldiers (V1)", "spy 1 structures (V2)", "spy 1 soldiers (V3)", "spy 2 soldiers (V4)"):
        case.order(line, V)
    case.throw(spy__5__V1__success=60, spy__5__V1__amount=3, spy__5__V1__pick__1=4, spy__5__V1__pick__2=1,
              spy__5__V1__pick__3=5, spy__5__V2__success=17, spy__5__V2__amount=2, spy__5__V2__pick__1=8,
              spy__5__V2__pick__2=3, spy__5__V3__success=41).play()
    told = {event["player"]: event for event in case.event_data("spy_report")}
    assert told["V1"]["found"] == [["garrison", 1, "F"], ["garrison", 4, "F"], ["camp", 2, "C"]]
    assert [one[2] for one in told["V2"]["found"]] == ["03", "11"]
    assert (told["V3"]["result"], told["V3"]["chance"], told["V4"]["result"]) == ("enemies", 40, "empty")


def test_x22_decoy_foresight_and_seal() -> None:
    """A decoy is shown and sealed, and Esdef never learns that it was none."""
    case = Case("upkeep", "1-2 2-3 3=4", day=5, towns={1: "L1 02 01 09"}, soldiers={1: "F", 4: "/F"}, play_on="yes")
    case.order("mission false_portal at 2 (V3)", V).order("mission seal (E3)")
    case.throw(portal__6__1__1=3, portal__6__2__1=3, portal__6__2__2=4, foresight__5__1__09__2=6,
              foresight__5__1__09__3=2).play()
    assert case.event_data("portals_located") == [{"nodes": [2, 3, 4]}]
    assert case.event_data("portal_foreseen") == [{"node": 2}]
    case.order("spy 4 (E4)").throw(spy__5__E4__amount=2).play()
    assert case.event_data("spy_report")[0]["portal"] is True
    case.set("Desk", "incursio", phase="arrivals").throw(mission__5__E3__seal__2=6).play()
    assert (case.event_data("portal_sealed"), case.at(3, V), case.at(4, V)) == ([{"node": 2}], "TrAsDi", "TrAsDi")


def test_x23_muster_and_deployment() -> None:
    """Drill, terror, a full garrison, cavalry without stables."""
    case = Case("arrivals", "1-2 2-3", day=5, towns={1: "L3 02*3 01 03 04 07", 2: "L1 02 01", 3: "L1 02 01"},
                soldiers={1: "FAFAF", 2: "F", 3: "F"}, play_on="yes")
    case.add(records.Mission(day="4", player="E2", mission="drill", target="1", state="due"))
    case.add(records.Mission(day="4", player="V2", mission="terror", target="2", state="due"))
    case.order("deploy 1 garrison AFC").throw(muster__5__1__1=3, muster__5__3__1=1).play()
    assert case.event_data("mustered") == [{"node": 1, "units": "FACC"}, {"node": 3, "units": "F"}]
    assert (case.at(1), case.at(3)) == ("FAFAFAF/CC", "F/F")


def test_x24_one_action_and_one_mission_more() -> None:
    """A command centre gives one mission; who has acted does not spy."""
    case = Case("upkeep", day=5, towns={1: "L5 02 01 04 11 24"}, soldiers={1: "F"}).set("Factions", E, coins=6000)
    for line, rank in (("mission smuggling (E2)", 1), ("mission watch at 1 (E2)", 2), ("mission watch at 1 (E3)", 3),
                       ("build 12 @1 (E4)", 4)):
        case.order(line, priority=rank)
    case.order("spy 2 (E4)").play()
    assert (case.codes, case.came_to[:4]) == (["INC-073"], ["done", "done", "refused", "done"])
    assert case.play().codes == ["INC-058"]


def test_x25_a_battle_that_is_played_live() -> None:
    """The form decides it: purified, and one attack is used."""
    case = Case("first_assault", day=3, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/FFAC"}, demons={2: "Tr As"})
    case.order("attack 1>2 FFAC", live=True).play()
    assert ([one.kind for one in case.last.questions], case.battle("3E-1-2-1").status) == (["battle_result"], "open")
    case.set("Battles", "3E-1-2-1", att_after="FC").play()
    assert (case.row("Nodes", "2").kind, case.at(2), case.row("Days", "3").attacks_esdef) == ("empty", "/FC", 1)


def test_x26_fury() -> None:
    """Two passes, one attack."""
    case = stormed("F", "AsAs", "L1 02 01", "FF").set("Factions", V, power_step=5)
    case.set("Orders", "o1", text="attack 1>2 AsAs fury")
    case.duel("3V-1-2-1", "open", "34", "52").duel("3V-1-2-1", "garrison", "2", "2")
    case.duel("3V-1-2-1", "open", "6", "4", 2).duel("3V-1-2-1", "garrison", "5", "3", 2).play()
    row = case.battle("3V-1-2-1")
    assert (row.outcome, row.passes, row.captives, case.row("Days", "3").attacks_varannah) == ("taken", 2, 3, 1)


def test_x27_inside_the_walls() -> None:
    """A portal opened in a settlement: they fight where they stand."""
    case = Case("first_assault", day=3, first=V, towns={1: 1}, soldiers={1: "A/F"}, demons={1: "Di Tr As r3"})
    case.order("attack 1>1 DiTrAs", V).duel("3V-1-1-1", "open", "5", "3").duel("3V-1-1-1", "garrison", "2", "4").play()
    assert (case.battle("3V-1-1-1").outcome, case.at(1, V), case.at(1)) == ("undecided", "TrAs", "A/")


def test_x28_silence_is_no_consent() -> None:
    """The phase waits; a no leaves the money for the next."""
    case = Case("upkeep", towns={1: 2}, soldiers={1: "F"}).set("Factions", E, coins=1900)
    case.order("build 04 @1 (E4)", issuer="E1", priority=1).order("build 02 @1 (E5)", priority=2).play()
    assert [question.question for question in case.last.questions] == ["5.upkeep.consent.esdef.o1"]
    case.play(_5_upkeep_consent_esdef_o1="no")
    assert case.came_to == ["declined", "done"]
    assert case.event_data("consent_refused") == [{"order": "o1", "player": "E4"}]


@pytest.mark.parametrize(("die", "outcome"), [(1, "done"), (5, "refused")])
def test_x29_a_requirement_that_is_due_tonight(die: int, outcome: str) -> None:
    """It counts as finished; where sabotage delays it nothing is paid."""
    case = Case("upkeep", day=5, towns={1: "L1 02 01"}, soldiers={1: "F"}).set("Factions", E, coins=3000)
    for code, who in (("02", "E2"), ("03", "E3")):
        case.add(records.Work(node="1", structure=code, builder=who, started_on=4, ready_on=5, cost=500))
    case.add(records.Mission(day="4", player="V1", mission="sabotage", target="1"))
    case.order("build 04 @1 (E4)").throw(mission__4__V1__sabotage=die).play()
    assert case.came_to == [outcome]
    assert case.row("Factions", E).coins == 3050 - (2000 if outcome == "done" else 0)


@pytest.mark.parametrize(("scope", "chance"), [("global_best", 50), ("per_tower", 60)])
def test_x30_towers(scope: str, chance: int) -> None:
    """19 twice and 20 once."""
    case = Case("spying", "1-2 2-3", day=5, towns={1: "L1 02 01 19 20", 2: "L1 02 01 19"}, ruins={3: 0},
                soldiers={1: "F", 2: "F"}, demons={3: "Tr"}, spy_bonus_scope=scope)
    case.order("spy 3 (E2)").throw(spy__5__E2__success=chance + 1).play()
    assert case.event_data("spy_report")[0]["chance"] == chance


def test_x33_the_end() -> None:
    """Five settlements on day 20: Esdef; four: a draw; two on day 12: the raiders."""
    for day, towns, who in ((20, 5, E), (20, 4, "draw"), (12, 2, V)):
        case = Case("arrivals", "1-2", day=day, cells=5, towns=dict.fromkeys(range(1, towns + 1), 1),
                    soldiers=dict.fromkeys(range(1, towns + 1), "F")).play()
        assert (case.event_data("campaign_ended"), case.campaign.desk.phase) == ([{"winner": who}], "over")


@pytest.mark.parametrize("switch", ["none", "all"])
def test_x36_who_fought_attacks(switch: str) -> None:
    """F is driven off, C goes alone, nobody is left for the third; with the switch all are refused."""
    case = Case("second_assault", "1-2 1-3", day=5, first=V, ruins={2: 0, 3: 0}, soldiers={1: "/FAC"},
                demons={2: "Tr Di", 3: "As"}, fought_no_attack=switch)
    case.set("Armies", "E01o", fought="defended")
    for line in ("attack 1>2 AF n1", "attack 1>3 FC n2", "attack 1>3 AF n3"):
        case.order(line)
    case.duel("5E-1-2-1", "open", "24", "54").duel("5E-1-3-1", "open", "5", "5").play()
    if switch == "all":
        assert case.codes == ["INC-024"] * 3
        return
    assert (case.codes, case.came_to) == (["INC-041"] * 2, ["done", "done", "not_made"])
    assert [finding.data["units"] for finding in case.last.findings] == ["F", "AF"]
    assert [case.battle(code).outcome for code in ("5E-1-2-1", "5E-1-3-1")] == ["driven_off", "undecided"]
    assert case.row("Days", "5").attacks_esdef == 2


def test_x37_surplus_is_counted_stage_by_stage() -> None:
    """Three against one in the open, three against four in the garrison."""
    case = stormed("FFFF", "AsAsAs", outside="F").duel("3V-1-2-1", "open", "152", "3")
    case.duel("3V-1-2-1", "garrison", "631", "234").play()
    row = case.battle("3V-1-2-1")
    assert (row.outcome, row.att_after, row.garrison_after) == ("driven_off", "AsAs", "FFF")


@pytest.mark.parametrize(("move", "code"), [("1>2 TrDi", ""), ("2>1 As", "INC-022")])
def test_x17_one_more_move_for_portal_demons(move: str, code: str) -> None:
    """With power 7, by red lines too; residents have none."""
    case = Case("upkeep", "1=2", day=5, ruins={2: 0}, demons={1: "Tr Di r5", 2: "As"}, cells=9)
    case.set("Factions", V, power_step=7, resources=1200).order(f"move {move} extra", V).play()
    assert (case.codes, case.at(2, V)) == ([code] if code else [], "As" if code else "AsTrDi")
    assert [row.number for row in case.campaign.by_sheet("Portals")] == [8, 8, 8, 8]


def test_x31_a_repeat_that_ends_at_once_uses_one_attack() -> None:
    """Driven off in the first, so two more lines are made."""
    case = Case("first_assault", "1-2 1-3", day=5, ruins={2: 0}, soldiers={1: "/FAC"}, demons={2: "Tr Di", 3: "As"})
    for line in ("attack 1>2 F x3 n1", "attack 1>3 A n2", "attack 1>3 C n3"):
        case.order(line)
    case.duel("5E-1-2-1", "open", "4", "4").duel("5E-1-3-1", "open", "3", "3").duel("5E-1-3-2", "open", "3", "3").play()
    assert (case.came_to, case.row("Days", "5").attacks_esdef) == (["done"] * 3, 3)
    assert case.battle("5E-1-2-1").outcome == "driven_off"


def test_x32_cells_that_are_shared() -> None:
    """Soldiers march to soldiers, also where demons are; not where only demons are."""
    case = Case("first_move", "1-2 1-3", soldiers={1: "/FA", 2: "/C"}, demons={2: "Tr", 3: "As"})
    case.order("move 1>2 F").order("move 1>3 A").play()
    assert (case.came_to, case.at(2), case.at(1)) == (["done", "blocked"], "/CF", "/A")


@pytest.mark.parametrize("said", ["E3 costruisci 2 a 1", "E3 build 02 @1", "costruisci 02 a 1 (Isaveth)",
                                  "costruisci abitazioni extra a 1 (E3)", "E3: build Extra dwellings at 1",
                                  "costruisci a 1: 02 (E3)"])
def test_x35_a_line_and_its_columns_are_the_same_order(said: str) -> None:
    """However it is written."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).set("Factions", E, coins=500)
    case.order(said).columns(verb="COSTRUISCI", node="01", structure="2", player="e3").play()
    assert (case.codes, case.came_to) == (["INC-007"], ["done", "replaced"])


def test_x35_units_and_repeats_in_words() -> None:
    """`2f` is FF; `x2` is repeat 2."""
    case = Case("first_move", soldiers={1: "/FFA"}).order("muovi 1>2 2f").play()
    assert (case.at(1), case.at(2)) == ("/A", "/FF")
