"""Corners where rules of Incursio meet: places without defenders, shared cells, missions at one place, late powers."""

from __future__ import annotations

import pytest

from assistant.campaign.records import Order
from assistant.campaign.tables import Record
from assistant.desk.intake.line_parser import classify_line, find_question
from assistant.rulesets.incursio import records
from assistant.rulesets.incursio.ruleset import INCURSIO
from tests.incursio.cases import Case, E, V
from tests.incursio.test_examples import stormed


def test_a_settlement_without_anybody_falls_without_dice() -> None:
    """5.3: taken all the same, with captives, and its demons are residents."""
    case = Case("first_assault", "1=2", day=3, first=V, towns={2: "L2 02*2 01 03"}, demons={1: "Tr r3"})
    case.set("Nodes", "2", refugees=25).order("attack 1>2 Tr", V).play()
    place, row = case.row("Nodes", "2"), case.battle("3V-1-2-1")
    assert (place.kind, place.level, place.refugees, case.bands) == ("ruin", 0, 0, {"V02oa": "Tr"})
    assert (row.outcome, row.captives, case.row("Factions", V).resources) == ("walkover", 10, 10)


def test_a_ruin_without_anybody_is_purified() -> None:
    """5.3: it is open ground, and the others stay behind."""
    case = Case("first_assault", day=3, ruins={2: 2}, soldiers={1: "/FA"}).order("attack 1>2 F").play()
    assert (case.event_data("ruin_purified"), case.at(2), case.at(1)) == ([{"node": 2}], "/F", "/A")


def test_open_ground_that_is_taken_makes_nobody_a_resident() -> None:
    """5.4: return days are kept, and a site is razed."""
    case = Case("first_assault", "1=2", day=3, first=V, soldiers={2: "/F"}, demons={1: "Tr r3"})
    case.add(records.Work(node="2", structure="02", builder="E2", started_on=2, ready_on=3, cost=500))
    case.order("attack 1>2 Tr", V).duel("3V-1-2-1", "open", "5", "1").play()
    assert (case.bands, case.event_data("site_razed")) == ({"V02o-r3a": "Tr"}, [{"node": 2}])


def test_a_site_without_soldiers_is_nobody() -> None:
    """5.3: the attack counts, who went has not fought, and a repeat does not follow."""
    case = Case("first_assault", "1=2", day=3, first=V, demons={1: "Tr r3"})
    case.add(records.Structure(node="2", structure="02"))
    case.order("attack 1>2 Tr x3", V).play()
    assert (case.row("Days", "3").attacks_varannah, case.bands) == (1, {"V01o-r3": "Tr"})
    assert case.seen(V, 2) == [("empty", None, "", 3)]


@pytest.mark.parametrize(("made", "came_to"), [(1, ["done", "done"]), (2, ["done", "not_made"]), (3, ["not_made"] * 2)])
def test_attacks_that_the_day_has_counted_count(made: int, came_to: list[str]) -> None:
    """5.3: only while the faction has made fewer than three attacks today, whoever wrote them down."""
    case = Case("first_assault", "1-2 1-3", day=3, ruins={2: 0, 3: 0}, soldiers={1: "/FA"})
    case.set("Days", "3", attacks_esdef=made).order("attack 1>2 F").order("attack 1>3 A").play()
    assert case.came_to == came_to


def test_soldiers_clear_their_own_town() -> None:
    """5.4: those who attacked stand outside; it stays a settlement."""
    case = Case("first_assault", day=3, towns={1: 2}, soldiers={1: "A/FF"}, demons={1: "Di r3"})
    case.order("attack 1>1 FF").duel("3E-1-1-1", "open", "6-", "1").play()
    assert (case.battle("3E-1-1-1").outcome, case.at(1), case.at(1, V)) == ("taken", "A/FF", "")


def test_who_returns_soonest_is_taken_first() -> None:
    """5.0: of two bands the one of the portal; inside a band from the rear."""
    case = Case("first_move", "1=2", first=V, ruins={1: 3})
    case._band("1", V, "TrAs", "open")
    case._band("1", V, "TrTr", "open", 5)
    assert case.order("move 1>2 TrTr", V).play().bands == {"V01o": "TrAs", "V02o-r5": "TrTr"}
    case = Case("first_move", soldiers={1: "/FAFA"}).order("move 1>2 F").play()
    assert (case.at(1), case.at(2)) == ("/FAA", "/F")


@pytest.mark.parametrize(("first", "came_to"), [(E, ["done", "done"]), (V, ["blocked", "done"])])
def test_the_second_side_moves_on_what_it_finds(first: str, came_to: list[str]) -> None:
    """5.7: the demons come where soldiers have left, or find them still there."""
    case = Case("final_moves", "1-2 2-3", soldiers={2: "/F"}, demons={1: "Tr"}, first=first)
    assert case.order("move 1>2 Tr final", V).order("move 2>3 F final").play().came_to == came_to


@pytest.mark.parametrize(("first", "second", "codes"), [
    ("scout at 2 (E2)", "scout at 2 (E3)", ["INC-073"]), ("scout at 2 (E2)", "scout at 1 (E3)", []),
    ("free at 2 (E2)", "free at 2 (E3)", []), ("smuggling (E2)", "smuggling (E3)", []),
    ("seal (E2)", "seal (E3)", []), ("seal at 2 (E2)", "seal at 2 (E3)", ["INC-073"]),
])
def test_two_on_one_mission(first: str, second: str, codes: list[str]) -> None:
    """3.6: not at one place, but for free missions; without a place they stack."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).order(f"mission {first}").order(f"mission {second}")
    assert case.play().codes == codes


def test_what_a_scout_tells() -> None:
    """3.6: the cell and its neighbours by grey lines; of a ruin only its demons."""
    case = Case("upkeep", "1-2 2-3 2=4 2-5", towns={3: 1}, ruins={5: 0}, soldiers={3: "F"}, demons={1: "Tr", 4: "As"})
    case.add(records.Mission(day="4", player="E2", mission="scout", target="2"))
    case.play()
    assert [[kind for kind, *_ in case.seen(E, n)] for n in range(1, 6)] == [["enemies"], ["empty"], [], [], []]


def test_a_rite() -> None:
    """3.6: one demon more at the lowest real portal of the evening after."""
    case = Case("upkeep", cells=3, play_on="yes")
    case.add(records.Mission(day="4", player="V2", mission="rite"))
    case.throw(portal__6__1__1=2, portal__6__2__1=3).play()
    case.set("Desk", "incursio", phase="arrivals").throw(mission__4__V2__rite=3).play()
    assert (case.at(2, V), case.at(3, V), case.row("Missions", "4/V2/rite//").state) == ("TrAsDiDi", "TrAsDi", "ended")


def test_two_seals_look_for_two_portals() -> None:
    """5.8: without a cell the lowest that nobody has tried."""
    case = Case("arrivals", "1-2", cells=4, towns={1: 1}, soldiers={1: "F"}, play_on="yes")
    for n in ("2", "3"):
        case.add(records.Portal(day="6", node=n, number=3))
        case.add(records.Observation(no=int(n), faction=E, node=n, kind="portal", what="6", seen_on=5))
    for player in ("E2", "E3", "E4"):
        case.add(records.Mission(day="5", player=player, mission="seal"))
    case.throw(mission__5__E2__seal__2=6, mission__5__E3__seal__3=5).play()
    assert {row.node: row.state for row in case.campaign.by_sheet("Portals")} == {"2": "sealed", "3": "open"}


def test_power_8_spares_the_first_victim_of_an_engine() -> None:
    """3.4: and only that one."""
    case = stormed("F", "TrTr", "L4 02*4 01 12*2").set("Factions", V, power_step=8)
    for copy in (1, 2):
        stem = f"battle/3V-1-2-1/1/engine/12.{copy}"
        case.throw({f"{stem}/target": copy, f"{stem}/engine": 6, f"{stem}/victim": 1})
    duels = case.play().battle("3V-1-2-1").duels
    assert [duel["killed"] for duel in duels if duel["stage"] == "engine"] == [False, True]


def test_the_powers_of_attackers_by_name() -> None:
    """3.4: power 2 outside, power 9 everywhere; a watch helps the garrison."""
    case = stormed("F", "As", "L1 02 01", "F").set("Factions", V, power_step=9)
    case.add(records.Mission(day="2", player="E2", mission="watch", target="2"))
    duels = case.duel("3V-1-2-1", "open", "5", "4").play().battle("3V-1-2-1").duels
    assert [(duel["mod_att"], duel["mod_def"]) for duel in duels] == [
        ({"power 2": 1, "power 9": 1}, {}), ({"power 9": 1}, {"watch": 1})]


@pytest.mark.parametrize("typed", ["2F1A", "ffa", "F F A", "2 f, a", "F,F,A"])
def test_units_are_read_however_they_are_typed(typed: str) -> None:
    """4.1: case, blanks and commas are free."""
    case = Case("first_move", soldiers={1: "/FFAC"}).columns(verb="MUOVI", node="1", to_node="2", units=typed)
    assert (case.play().codes, case.at(2)) == ([], "/FFA")


@pytest.mark.parametrize("line", ["muovi 1 > 2: 2 F 1 A", "move 1>2 F, F, A", "muovi da 1 a 2 F F A"])
def test_units_stand_apart_in_a_line_too(line: str) -> None:
    """4.1: blanks are free; a number behind the cells counts the units that follow it."""
    case = Case("first_move", soldiers={1: "/FFAC"}).order(line).play()
    assert (case.codes, case.at(2)) == ([], "/FFA")


@pytest.mark.parametrize("line", [
    "V2 missione occhio notturno per V3", "V2 mission night eye V3", "missione occhio notturno per V3 (V2)",
    "missione occhio notturno (V2) per V3", "mission night_eye V3 (V2)",
])
def test_for_whom_a_mission_is(line: str) -> None:
    """3.6: night eye is for another player, wherever he is named; who speaks first is the one who acts."""
    case = Case("upkeep").order(line, V).play()
    assert [row.ident for row in case.campaign.by_sheet("Missions")] == ["5/V2/night_eye//V3"]


def test_who_stands_in_brackets_acts() -> None:
    """4.1: the general proposes it to V2, and has not said for whom it is."""
    assert Case("upkeep").order("V1 missione occhio notturno (V2)", V).play().codes == ["INC-071"]


@pytest.mark.parametrize("answer", ["sì", "SI", "yes", "s", "Sì.", "Sì!", "Accetto", "accept"])
def test_a_yes_in_either_language(answer: str) -> None:
    """5.11."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).set("Factions", E, coins=900)
    case.order("build 02 @1 (E2)", issuer="E1").play(_5_upkeep_consent_esdef_o1=answer)
    assert case.came_to == ["done"]


# --- what a second examiner found ------------------------------------------------------------------------------
def test_moves_are_told_in_the_order_of_their_lines() -> None:
    """5.2: each kind in canonical order, also where one is stopped before another arrives."""
    case = Case("first_move", "1-2 3-4", soldiers={1: "/F", 3: "/A"}, demons={4: "Tr"})
    case.order("move 1>2 F").order("move 3>4 A").play()
    assert [event.event for event in case.last.events] == ["units_moved", "move_blocked"]


def test_together_only_an_empty_cell_is_fought_for() -> None:
    """3.1: soldiers go to their own who stand there, and only the demons are stopped."""
    case = Case("final_moves", "1-2 3-2", soldiers={1: "/F", 2: "/A"}, demons={3: "Tr"}, final_move_order="together")
    case.order("move 1>2 F final").order("move 3>2 Tr final", V).play()
    assert (case.came_to, case.at(2)) == (["done", "blocked"], "/AF")


@pytest.mark.parametrize(("line", "side"), [
    ("move 1>2 As", E), ("attack 1>2 FDi", E), ("deploy 1 Tr", E), ("attack 1>2 Di", E), ("muovi 3 a 2 Di", E),
    ("attack 3>2 A", V), ("muovi 3 a 2 A", V)])
def test_units_of_the_other_side_are_told_as_such(line: str, side: str) -> None:
    """4.1: As from Esdef is INC-005, in words as well as in the column; so are those that look like small words."""
    phase = {"m": "first_move", "a": "first_assault", "d": "arrivals"}[line[0]]
    case = Case(phase, "1-2 3-2", first=side, towns={1: 1}, soldiers={1: "F/F"}, demons={3: "Tr"}, play_on="yes")
    assert case.order(line, side).play().codes == ["INC-005"]


def test_a_second_line_on_a_ruin_that_is_purified_is_void() -> None:
    """5.3: the place is one's own by then; no attack is counted."""
    case = Case("first_assault", "1-2 3-2", ruins={2: 0}, soldiers={1: "/F", 3: "/A"}, demons={2: "Tr"})
    case.order("attack 1>2 F n1").order("attack 3>2 A n2").duel("5E-1-2-1", "open", "6", "1").play()
    assert (case.came_to, case.row("Days", "5").attacks_esdef, case.at(3)) == (["done", "void"], 1, "/A")


@pytest.mark.parametrize(("percent", "captives"), [(10, 7), (50, 13)])
def test_captives_are_those_of_the_levels_row(percent: int, captives: int) -> None:
    """3.2: a club may change the column; another share than a tenth counts the people."""
    case = stormed("F", "Tr", "L1 02 01", capture_percent=percent).set("Levels", "1", captives=7)
    assert case.duel("3V-1-2-1", "garrison", "4", "1").play().battle("3V-1-2-1").captives == captives


@pytest.mark.parametrize(("first", "came_to", "codes"), [
    ("no", ["declined", "done"], []), ("yes", ["done", "refused"], ["INC-053"])])
def test_a_place_that_is_only_proposed_is_still_free(first: str, came_to: list[str], codes: list[str]) -> None:
    """4.3: of two proposals of the last mine the second may begin where the first is declined."""
    case = Case("upkeep", towns={1: "L2 02*2 01 03 21"}, soldiers={1: "F"}, cells=5).set("Factions", E, coins=9000)
    case.order("build 21 @1 (E2)", issuer="E1", priority=1).order("build 21 @1 (E3)", issuer="E1", priority=2)
    case.play(_5_upkeep_consent_esdef_o1=first, _5_upkeep_consent_esdef_o2="yes")
    assert (case.came_to, case.codes) == (came_to, codes)
    assert [told["reason"] for told in case.event_data("work_not_started")] == ["limit"] * len(codes)


def test_a_proposal_is_not_kept_off_by_a_line_that_comes_after_it() -> None:
    """4.2: a player's own line of a smaller order does not stand before it; the last place goes in the order of M5."""
    case = Case("upkeep", towns={1: "L2 02*2 01 03 21"}, soldiers={1: "F"}, cells=5).set("Factions", E, coins=9000)
    case.order("build 21 @1 (E2)", issuer="E1", priority=1).order("build 21 @1 (E3)", priority=2)
    assert case.play(_5_upkeep_consent_esdef_o1="yes").came_to == ["done", "refused"]


@pytest.mark.parametrize(("typed", "moved"), [("faf", "/F"), ("2f 1A", "/F"), ("F,A,F", "/F")])
def test_bands_are_read_however_the_referee_types_them(typed: str, moved: str) -> None:
    """2: nobody of a band is lost because it is written as orders are."""
    case = Case("first_move", towns={1: 2}, soldiers={1: "F/FAF"}).set("Armies", "E01o", units=typed)
    assert case.order("move 1>2 F").play().at(2) == moved
    assert sorted(case.at(1)) == sorted("F/AF")


def test_demons_are_never_in_garrison_and_no_ruin_is_beyond_the_highest() -> None:
    """2: however their rows are typed, they stand outside, and the ruin yields what the highest level does."""
    case = Case("upkeep", ruins={1: 5}, demons={1: "TrAs"}).set("Armies", "V01o", posture="garrison").play()
    assert (case.at(1, V), case.row("Factions", V).resources) == ("TrAs", 100)


def test_who_is_housed_comes_behind_the_residents() -> None:
    """5.0: new units join at the rear, whichever band was made first."""
    case = Case("arrivals", ruins={1: 3}, demons={1: "TrTr"}, play_on="yes").set("Armies", "V01o", made=2)
    case._band("1", V, "AsDi", "open", 5)
    assert case.play().bands == {"V01o": "TrTrAsDi"}


def test_a_line_of_defence_keeps_its_order_in_the_fight() -> None:
    """5.4: who has not fought stands before who has, also once all have."""
    case = Case("second_assault", first=V, ruins={2: 0}, soldiers={1: "/FF"}, demons={2: "Tr"})
    case.set("Armies", "V02o", made=7)
    case.add(records.Army(army="V02oa", faction=V, node="2", units="Di", fought="attacked"))
    case.order("attack 1>2 FF").duel("5E-1-2-1", "open", "11", "46").play()
    assert case.battle("5E-1-2-1").open_before == "TrDi"
    assert [duel["def"] for duel in case.battle("5E-1-2-1").duels] == ["Tr", "Di"]


@pytest.mark.parametrize(("form", "garrison", "outcome"), [
    ({"att_after": "tr, di", "open_after": "-", "garrison_after": "AF"}, "AF/", "undecided"),
    ({"att_after": "Tr", "open_after": "c", "garrison_after": "FF"}, "FF/C", "driven_off"),
    ({"att_after": "Tr", "open_after": "nessuno", "garrison_after": "–"}, "/", "taken")])
def test_a_form_says_which_of_a_garrison_are_left(form: dict[str, str], garrison: str, outcome: str) -> None:
    """7.2: of FAF the A and the second F, in their order; case and blanks are free."""
    case = Case("first_assault", "1=2", day=3, first=V, towns={2: 2}, soldiers={2: "FAF/C"}, demons={1: "TrAsDi"})
    case.order("attack 1>2 TrAsDi", V, live=True).play().set("Battles", "3V-1-2-1", **form).play()
    assert (case.at(2), case.battle("3V-1-2-1").outcome) == (garrison, outcome)


def test_a_battle_whose_line_is_withdrawn_is_void() -> None:
    """2: its form waits for nobody any more."""
    case = Case("first_assault", "1=2", day=3, first=V, towns={2: 1}, soldiers={2: "F"}, demons={1: "Tr"})
    case.order("attack 1>2 Tr", V, live=True).play()
    case.campaign.table(Order)["o1"].text = ""
    assert case.play().battle("3V-1-2-1").status == "void"


def test_raiders_who_only_name_a_cell_must_say_what_they_spy() -> None:
    """X35: `spia 17` from the raiders is INC-060."""
    assert Case("spying").order("spia 1", V).play().codes == ["INC-060"]


@pytest.mark.parametrize("who", ["esdef", "Difensori di Esdef", "defenders of esdef "])
def test_whose_a_line_is_says_the_name_of_its_side_too(who: str) -> None:
    """Before the colon stands the code of a faction, or its name, in either language."""
    said = classify_line(f"{who}: muovi 1>2 F", INCURSIO, Case("first_move").campaign)
    assert (said.kind, said.faction, said.words) == ("order", E, "muovi 1>2 F")


@pytest.mark.parametrize(("line", "answer"), [("sì o1", "yes"), ("no O1", "no"), ("esdef: yes o1", "yes"),
                                              ("yes o2", "")])
def test_a_word_and_the_order_answer_its_question(line: str, answer: str) -> None:
    """5.11: where replies are read from lines, `sì D1-07` answers the question about that order."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}, cells=4).order("mission smuggling (E3)", issuer="E1").play()
    said = classify_line(line, INCURSIO, case.campaign)
    found = find_question(said.words, INCURSIO, case.campaign, said.faction) if said.kind == "answer" else None
    assert (found.answer if found is not None else "").replace("sì", "yes") == answer


@pytest.mark.parametrize(("record", "name", "typed", "code"), [
    (records.Node, "node", "09", "9"), (records.Node, "node", "0", "0"), (records.Structure, "structure", "9", "09"),
    (records.Structure, "structure", "009", "09"), (records.Structure, "structure", 12, "12")])
def test_codes_are_compared_as_numbers(record: type[Record], name: str, typed: object, code: str) -> None:
    """Tags: cells have no zeros in front, structures two digits, however they are written."""
    assert record.column(name).kind.read(typed) == code


def test_missions_are_known_by_name_before_there_is_a_table_of_them() -> None:
    """2: a campaign that brings no table of missions may call them as the printed one does."""
    case = Case("upkeep")
    case.add(records.Mission(day="4", player="E2", mission="Libera"))
    INCURSIO.prepare(case.campaign)
    assert [row.mission for row in case.campaign.table(records.Mission)] == ["free"]
