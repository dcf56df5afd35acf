"""Each finding of Incursio by a case that is refused or warned about for nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Road
from assistant.rulesets.incursio import records
from assistant.rulesets.incursio.ruleset import INCURSIO
from tests.incursio.cases import Case, E, V

WHATEVER_HAPPENS = {f"INC-0{code}" for code in ("01", "02", "03", "04", "05", "06", "08", "10")}


def moves() -> Case:
    """1 is a village with FF in garrison and AC outside, 2 bare, 3 a ruin; 1-3 grey, 1-4 red; 5 a town of one F."""
    return Case("first_move", "1-2 1-3 1=4 1-5", towns={1: 2, 5: 1}, ruins={3: 0}, demons={3: "Tr"},
                soldiers={1: "FF/AC", 5: "F"})


@pytest.mark.parametrize(("line", "columns", "code"), [
    ("", {"verb": "fly", "node": "1"}, "INC-001"),
    ("canta 1>2 A", {}, "INC-001"),
    ("muovi", {}, "INC-008"),
    ("muovi boh 1>2", {}, "INC-010"),
    ("move 1>2 A", {"turn": "4"}, "INC-002"),
    ("move 1>2 A", {"issuer": "E2"}, "INC-006"), ("E2 move 1>2 A", {}, "INC-006"),
    ("E2 attack 1>2 A", {}, "INC-006"),
    ("", {"verb": "move", "node": "1", "units": "A"}, "INC-008"),
    ("", {"verb": "move", "node": "1", "to_node": "9", "units": "A"}, "INC-004"),
    ("", {"verb": "move", "node": "1", "to_node": "2", "units": "As"}, "INC-005"),
    ("", {"verb": "move", "node": "1", "to_node": "2", "units": "A", "moment": "never"}, "INC-010"),
    ("", {"verb": "move", "node": "1", "to_node": "2", "units": "A", "moment": "extra"}, "INC-010"),
    ("", {"verb": "move", "node": "1", "to_node": "2", "units": "A", "priority": "soon"}, "INC-010"),
    ("", {"verb": "move", "node": "1", "to_node": "2", "units": "A", "structure": "21"}, "INC-009"),
    ("move 2>4 A", {}, "INC-020"), ("move 1>4 A", {}, "INC-021"), ("move 1>2 AA", {}, "INC-022"),
    ("move 1>2 FF", {}, "INC-029"), ("move 5>1 F", {}, "INC-029"), ("move 1>3 A", {}, "INC-026"),
    ("enter 2 A", {}, "INC-030"), ("enter 1 C", {}, "INC-032"), ("enter 1 AC", {}, "INC-032"),
    ("leave 1 A", {}, "INC-035"), ("reorder 1 FFF", {}, "INC-033"), ("leave 2 F", {}, "INC-030"),
])
def test_what_is_wrong_with_a_move(line: str, columns: dict[str, str], code: str) -> None:
    """One line, one finding; what nothing will put right is told before the initiative, too."""
    ahead = moves().order(line, **columns)
    ahead.campaign.desk.phase, ahead.row("Days", "5").first = "initiative", ""
    assert [finding.code for finding in INCURSIO.check_ahead(ahead.campaign)] == [code] * (code in WHATEVER_HAPPENS)
    assert ahead.came_to == [""]
    case = moves().order(line, **columns).play()
    assert case.codes == [code]
    assert case.came_to == ["done" if code == "INC-009" else "refused"]


@pytest.mark.parametrize(("line", "side", "said"), [
    ("riordina 1 FF finale", E, ("finale", "iniziale")),
    ("muovi 1>2 Tr aggiuntivo", V, ("aggiuntivo", "iniziale, finale")),
    ("missione vendemmia a 1 (E2)", E, ("missione vendemmia a 1 (E2)", "missione contrabbando (E1)"))])
def test_a_word_that_is_not_allowed_is_told_as_the_campaign_speaks(line: str, side: str, said: tuple[str, str]) -> None:
    """INC-010 in an Italian campaign: what was seen and what is allowed."""
    case = moves() if side == E else Case("upkeep", "1-2", demons={1: "Tr"})
    (found,) = case.order(line, side).play().last.findings
    assert (found.code, found.data["seen"], found.data["allowed"]) == ("INC-010", *said)


def test_two_lines_that_say_the_same_are_one() -> None:
    """INC-007 at the greater number, however it is written."""
    case = moves().order("muovi 1>2 A").order("move 1 > 2 1a", note="again").play()
    assert (case.codes, case.came_to) == (["INC-007"], ["done", "replaced"])


@pytest.mark.parametrize(("phase", "columns", "more"), [
    ("first_move", {"verb": "move", "to_node": "2"}, {"moment": "initial"}),
    ("first_move", {"verb": "move", "to_node": "2"}, {"issuer": "E1", "priority": 50}),
    ("first_assault", {"verb": "attack", "to_node": "2"}, {"repeat": 1}),
    ("arrivals", {"verb": "deploy"}, {"where": "garrison"}),
])
def test_a_blank_column_says_what_it_stands_for(phase: str, columns: dict[str, Any], more: dict[str, Any]) -> None:
    """INC-007: the same line with its blanks filled in is one with it."""
    case = Case(phase, towns={1: 1}, soldiers={1: "F/FF"}, play_on="yes")
    for said in (columns, {**columns, **more}):
        case.columns(node="1", units="F", **said)
    assert [code for code in case.play().codes if code != "INC-047"] == ["INC-007"]


def test_the_first_of_several_findings() -> None:
    """4.3: 040 before 045, 058 before 050."""
    case = Case("first_assault", "1-2 2-3", soldiers={1: "/F"}).order("attack 1>3 F x5")
    assert case.play().codes == ["INC-040"]
    case = building("mission smuggling (E2)").columns(verb="build", node="1", structure="77", player="E2", priority=60)
    assert case.play().codes == ["INC-058"]


def test_what_the_raiders_cannot_order() -> None:
    """INC-003: they neither build nor have garrisons."""
    for line in ("entra 1 Tr", "esci 1 Tr", "riordina 1 Tr", "costruisci 03 a 1 (V2)", "schiera 1 Tr"):
        assert moves().order(line, V).play().codes == ["INC-003"]


def test_an_order_for_a_phase_that_is_over() -> None:
    """INC-011 refuses it, so that it is not waited for."""
    case = moves().set("Desk", "incursio", phase="upkeep").order("move 1>2 A").play()
    assert (case.codes, case.came_to) == (["INC-011"], ["refused"])


def test_units_do_one_thing_a_moment() -> None:
    """INC-023: the line that comes first has them."""
    case = moves().order("move 1>2 A", priority=1).order("move 1>5 A").play()
    assert (case.codes, case.came_to) == (["INC-023"], ["done", "refused"])


def test_a_place_is_not_left_empty() -> None:
    """INC-025: who is led elsewhere counts as gone, also where the line is blocked."""
    case = Case("first_move", "1-2 1-3", towns={1: 1}, soldiers={1: "/FA"}, demons={2: "Tr"})
    assert case.order("move 1>2 F", priority=1).order("move 1>3 A").play().codes == ["INC-025"]
    assert case.came_to == ["blocked", "refused"]


def test_enemies_that_were_seen() -> None:
    """INC-027 warns; the move is tried."""
    case = moves()
    case.add(records.Observation(no=1, faction=E, node="2", kind="enemies", seen_on=3))
    assert (case.order("move 1>2 A").play().codes, case.came_to) == (["INC-027"], ["done"])


def test_a_full_garrison() -> None:
    """INC-031: a village holds three."""
    case = Case("first_move", towns={1: 2}, soldiers={1: "FAF/A"}).order("enter 1 A").play()
    assert (case.codes, case.came_to, case.at(1)) == (["INC-031"], ["refused"], "FAF/A")


def test_garrisons_are_reordered_by_who_is_first() -> None:
    """INC-034."""
    case = Case("second_move", first=V, towns={1: 2}, soldiers={1: "FA"}).order("reorder 1 AF").play()
    assert case.codes == ["INC-034"]


def attack(line: str, **columns: Any) -> Case:
    """Esdef attacks from 1: 2 is a ruin, 3 bare, 4 along a red line, 5 a town of its own."""
    case = Case("first_assault", "1-2 1-3 1=4 1-5", towns={1: 2, 5: 1}, ruins={2: 0}, demons={2: "Tr"},
                soldiers={1: "F/AC", 5: "F"})
    return case.order(line, **columns)


@pytest.mark.parametrize(("line", "columns", "code"), [
    ("attack 3>2 F", {}, "INC-040"), ("attack 1>4 A", {}, "INC-021"), ("attack 1>5 A", {}, "INC-048"),
    ("attack 1>2 A x4", {}, "INC-045"), ("attack 1>2 F", {}, "INC-049"), ("attack 1>2 AA", {}, "INC-022"),
    ("attack 1>3 A", {}, "INC-047"), ("attack 1>2 A furia", {}, "INC-046"),
])
def test_what_is_wrong_with_an_attack(line: str, columns: dict[str, Any], code: str) -> None:
    """One line, one finding; 046 and 047 only warn."""
    case = attack(line, **columns).play()
    assert case.codes == [code]
    assert (case.came_to == ["refused"]) is (code not in ("INC-046", "INC-047"))


def test_attacks_are_counted_and_numbered() -> None:
    """INC-043, INC-041, INC-042 and INC-044: the fourth line, a number twice, units named twice, too many repeats."""
    case = attack("attack 1>2 A n1").order("attack 1>2 C n1").play()
    assert (case.codes, case.came_to) == (["INC-043"], ["done", "refused"])
    case = attack("attack 1>3 A n1").order("attack 1>3 A n2").order("attack 1>3 A n3").order("attack 1>3 A").play()
    assert [code for code in case.codes if code != "INC-047"] == ["INC-041", "INC-041", "INC-042"]
    case = attack("attack 1>2 A n1 x2").order("attack 1>2 C n2 x2").play()
    assert case.codes == ["INC-044"]


def test_who_has_fought_does_not_move() -> None:
    """INC-024."""
    case = moves()
    case.set("Armies", "E01o", fought="defended", army="E01od")
    assert case.order("move 1>2 A").play().codes == ["INC-024"]


def building(line: str, **columns: Any) -> Case:
    """Esdef builds: 1 is a village, 2 bare with soldiers, 3 bare, 4 a ruin; 9,000 coins."""
    case = Case("upkeep", "1-2 2-3 3-4", towns={1: "L2 02*2 01 03"}, ruins={4: 0}, demons={4: "Tr"},
                soldiers={1: "F/A", 2: "/FA"}).set("Factions", E, coins=9000)
    return case.order(line, **columns)


@pytest.mark.parametrize(("line", "code"), [
    ("build 77 @1 (E2)", "INC-050"), ("build 22 @1 (E2)", "INC-051"), ("build 05 @1 (E2)", "INC-052"),
    ("build 03 @1 (E2)", "INC-053"), ("build 02 @3 (E2)", "INC-055"), ("build 02 @4 (E2)", "INC-055"),
    ("build 02 @2 (E2)", "INC-056"), ("mission terror @1 (E2)", "INC-070"), ("mission watch @3 (E2)", "INC-071"),
    ("mission watch (E2)", "INC-071"),
])
def test_what_is_wrong_with_an_action(line: str, code: str) -> None:
    """One line, one finding; 056 only warns."""
    case = building(line).play()
    assert case.codes == [code]
    assert case.came_to == ["done" if code == "INC-056" else "refused"]


def test_a_structure_that_does_not_exist() -> None:
    """INC-050."""
    assert building("", verb="build", structure="77", node="1", player="E2").play().codes == ["INC-050"]


def test_one_action_a_day() -> None:
    """INC-058: the first that is legal; one's own before what is proposed."""
    case = building("build 04 @1 (E2)", issuer="E1").order("mission smuggling (E2)").play()
    assert (case.codes, case.came_to) == (["INC-058"], ["refused", "done"])


def test_coins_that_are_not_there() -> None:
    """INC-054 says so beforehand; nothing is paid."""
    case = building("build 04 @1 (E2)").set("Factions", E, coins=1800).play()
    assert (case.codes, case.came_to, case.row("Factions", E).coins) == (["INC-054"], ["no_money"], 1900)


def test_missions_of_one_kind() -> None:
    """INC-073: two are not on the same mission at one place, nor one twice on the same."""
    case = building("mission watch @1 (E2)").order("mission watch @1 (E3)").play()
    assert (case.codes, case.came_to) == (["INC-073"], ["done", "refused"])


def test_extra_missions_are_counted() -> None:
    """INC-072: one command centre, one mission more."""
    case = Case("upkeep", towns={1: "L1 02 01 24"}, soldiers={1: "F"})
    for line in ("mission smuggling (E2)", "mission watch @1 (E2)", "mission smuggling (E3)", "mission drill @1 (E3)"):
        case.order(line)
    assert (case.play().codes, case.came_to) == (["INC-072"], ["done", "refused", "done", "done"])


@pytest.mark.parametrize(("spy", "mission", "evening", "night", "came"), [
    (1, 2, ["INC-058"], [], ["done", "refused"]), (2, 1, [], ["INC-058"], ["refused", "done"]),
])
def test_who_spies_goes_on_no_mission(spy: int, mission: int, evening: list[str], night: list[str],
                                      came: list[str]) -> None:
    """SPI: whichever comes first is the action of the day, and a command centre (24) adds nothing to it."""
    case = Case("upkeep", towns={1: "L5 02 01 24"}, soldiers={1: "F"}, demons={2: "Tr"})
    case.order("spy 2 (E2)", priority=spy).order("mission smuggling (E2)", priority=mission)
    assert (case.play().codes, case.play().codes, case.came_to) == (evening, night, came)


def test_who_spies_takes_no_extra_mission_of_another() -> None:
    """The one mission more is still there for who builds."""
    case = Case("upkeep", towns={1: "L5 02 01 24"}, soldiers={1: "F"}, demons={2: "Tr"}).set("Factions", E, coins=5000)
    case.order("spy 2 (E2)", priority=1).order("mission smuggling (E2)", priority=2)
    case.order("build 03 @1 (E3)").order("mission smuggling (E3)")
    assert (case.play().codes, case.play().came_to) == (["INC-058"], ["done", "refused", "done", "done"])


def test_the_note_of_a_free_mission_is_in_the_question() -> None:
    """5.11: however the line was written."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).order("missione libera (E3)", note="cerca l'eremita")
    case.play().set("Desk", "incursio", turn="6", phase="upkeep").play()
    (question,) = case.last.questions
    assert (question.question, question.asked["note"]) == ("6.upkeep.free.referee.E3", "cerca l'eremita")


@pytest.mark.parametrize(("faction", "line", "code"), [
    (V, "spy 1 (V2)", "INC-060"), (E, "spy 2 soldiers (E2)", "INC-061"), (E, "spy 1 (E2)", "INC-062"),
])
def test_what_is_wrong_with_a_spy(faction: str, line: str, code: str) -> None:
    """061 only warns."""
    case = Case("spying", towns={1: 1}, soldiers={1: "F"}).order(line, faction).play()
    assert case.codes == [code]
    assert case.came_to == ["done" if code == "INC-061" else "refused"]


def test_soldiers_deploy_in_settlements() -> None:
    """INC-080; with the switch also in cells that are held."""
    for scope, codes in (("any_settlement", ["INC-080"]), ("held_cells", [])):
        case = Case("arrivals", towns={1: 1}, soldiers={1: "F", 2: "/A"}, deploy_scope=scope, play_on="yes")
        assert case.order("deploy 2 F").play().codes == codes


# --- live battles -------------------------------------------------------------------------------------------
def live(**form: Any) -> Case:
    """FFAC against a ruin with Tr As, played at the table; a form that is filled in."""
    case = Case("first_assault", "1-2", day=3, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/FFAC"}, demons={2: "Tr As"})
    case.order("attack 1>2 FFAC", live=True)
    case.add(records.Battle(battle="3E-1-2-1", turn="3", **form))
    return case.play()


@pytest.mark.parametrize(("form", "code"), [
    ({"att_after": "FFFC", "open_after": "-"}, "INC-090"), ({"att_after": "-", "open_after": "-"}, "INC-091"),
    ({"att_after": "FC", "open_after": "Tr As Di"}, "INC-090"),
])
def test_a_form_that_cannot_be(form: dict[str, str], code: str) -> None:
    """The phase waits until it is put right."""
    case = live(**form)
    assert (case.codes, case.last.done) == ([code], False)


def test_a_garrison_keeps_its_order() -> None:
    """INC-092."""
    case = Case("first_assault", "1-2", day=3, first=V, towns={2: 2}, soldiers={2: "AFC"}, demons={1: "Tr As"})
    case.order("attack 1>2 TrAs", V, live=True)
    case.add(records.Battle(battle="3V-1-2-1", turn="3", att_after="Tr", garrison_after="FA"))
    assert case.play().codes == ["INC-092"]


def test_a_form_for_a_battle_that_is_thrown() -> None:
    """INC-093: the dice have decided it."""
    case = Case("first_assault", "1-2", day=3, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/F"}, demons={2: "Tr"})
    case.order("attack 1>2 F")
    case.add(records.Battle(battle="3E-1-2-1", turn="3", att_after="F"))
    assert (case.play().codes, case.battle("3E-1-2-1").status) == (["INC-093"], "auto")


# --- the data -----------------------------------------------------------------------------------------------
def faults(case: Case) -> list[str]:
    """What is wrong with a campaign."""
    return [finding.code for finding in INCURSIO.check_data(case.campaign)]


def test_the_data_are_looked_at() -> None:
    """INC-101 to 106 warn: room, stables, nobody at home, a level without its structures, too many copies."""
    assert faults(Case("initiative", towns={1: 1}, soldiers={1: "FA"})) == ["INC-101"]
    assert faults(Case("initiative", towns={1: 2}, soldiers={1: "C"})) == ["INC-102"]
    assert faults(Case("initiative", towns={1: 1})) == ["INC-103"]
    assert faults(Case("initiative", ruins={1: 0})) == ["INC-104"]
    assert faults(Case("initiative", towns={1: "L2 02 01"}, soldiers={1: "F"})) == ["INC-105"]
    assert faults(Case("initiative", ruins={1: 4}, demons={1: "Tr"})) == ["INC-105"]
    assert faults(Case("initiative", towns={1: "L1 02 01*2"}, soldiers={1: "F"})) == ["INC-106"]
    assert faults(Case("initiative", "1-2 3-4")) == ["INC-108"]


@pytest.mark.parametrize("row", [records.Structure(node="1", structure="99"),
                                 records.Work(node="1", structure="99", builder="E1", started_on=1)])
def test_a_structure_that_is_none_stops_every_phase(row: records.Structure | records.Work) -> None:
    """ARB-030 (Records: every ref resolves): it stands, or is built, and is not on the sheet of structures."""
    case = Case("initiative")
    case.add(row)
    (found,) = INCURSIO.check_data(case.campaign)
    assert (found.code, found.where.table, found.data["seen"]) == ("ARB-030", row.sheet, "99")


@pytest.mark.parametrize("line", ["1-1", "2-1", "2=1", "1-99"])
def test_lines_that_cannot_be_stop_every_phase(line: str) -> None:
    """INC-107: to itself, twice (in another colour, too), to no cell."""
    case = Case("initiative")
    a, b = line.replace("=", "-").split("-")
    case.add(records.Road(a=a, b=b, kind="red" if "=" in line else "grey"))
    assert faults(case) == ["INC-107"]
    assert not case.play().last.done


def test_two_sides_and_two_generals() -> None:
    """INC-109 stops every phase."""
    assert faults(Case("initiative").set("Players", "E1", role="player")) == ["INC-109"]
    assert faults(Case("initiative").set("Factions", E, side="raiders")) == ["INC-109"]
    assert len(list(Case("initiative").campaign.table(Road))) == 1
