"""Corners that examiners found by playing: each was wrong once."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.rulesets.giglio import records as g
from assistant.turn.phases import resolve
from assistant.workbook.read.csv_folder import read_folder, write_folder
from tests.giglio.cases import SECRET, build, case, giglio

NO_WAY = "M-1 90 M5, V-1 70 V8"


def test_a_siege_of_an_open_place_with_a_hostile_army_meets_the_army_first() -> None:
    """E9 on open ground: who faces an enemy cannot besiege (GIG-068), whether the place has walls or not."""
    after = case("r3.move r3.contact r3.battle r3.siege r4.move", armies="M-1 90 M5, V-1 70 V8 trail=V9",
                 orders="M move M-1 M5 V8\nr4 M siege M-1 V8", findings="o2 GIG-068",
                 answers="choice M V8/V = stop\nchoice V V8/M = stop")
    assert after.army("M-1").node == after.army("V-1").node == "V8"
    assert not after.rows(g.Siege)


@pytest.mark.parametrize(("armies", "orders", "left"), [
    ("V-1 90 V0", "V: guarnigione V9 da V-1\nV: V0 V9 V8", ("V-1", 80)),
    ("V-1 90 V0", "V: guarnigione V9 da V-1\nV: V0 V8", ("V-1", 80)),
    ("V-1 50 V0", "V garrison V9 V-1\nV move V-1 V0 V9 V8 amount=50", ("V-1", 40)),
])
def test_a_garrison_is_left_on_the_way_however_the_march_is_written(
    armies: str, orders: str, left: tuple[str, int]
) -> None:
    """2b, 5.3: an army that passes leaves it as it passes: unit blank, middle node blank, or all its ducats named."""
    after = case("r4.move", armies=armies, orders=orders)
    assert after.node("V9").garrison
    assert (after.army(left[0]).node, after.army(left[0]).value) == ("V8", left[1])


def test_an_army_split_off_in_the_same_round_leaves_a_garrison() -> None:
    """2b: the new army marches at once and drops its garrison where it arrives."""
    after = case("r4.move", armies="V-1 50 V9", nodes="V8 walls=intact",
                 orders="V split 20 V-1\nV garrison V8 V-2\nV move V-2 V9 V8")
    assert after.node("V8").garrison
    assert (after.army("V-2").node, after.army("V-2").value, after.army("V-1").value) == ("V8", 10, 30)


def test_twins_are_warned_of_only_when_both_are_made() -> None:
    """Orders: two purchases alike in every cell are both carried out with GIG-013; a refused one makes no twin."""
    case("budget", factions="V 60", orders="V enlist spy\nV enlist spy", findings="o2 GIG-020")
    case("budget", factions="V 200", orders="V enlist spy\nV enlist spy", findings="o2 GIG-013")


@pytest.mark.parametrize("cell", ["partner=M", "amount=20", "option=spy", "note=march", "unit=V-1", "path=V8",
                                  "target=V8"])
@pytest.mark.parametrize("phase", ["budget", "r1.move"])
def test_a_row_without_a_verb_is_not_passed_over(cell: str, phase: str) -> None:
    """Orders: every row that says something gets its finding, whichever cell is filled in (GIG-001)."""
    start = build(phase)
    name, value = cell.split("=")
    row = {"order": "o1", "turn": "1500", "phase": phase.removesuffix(".move"), "faction": "V", name: value}
    start.table(g.Order).add(g.Order.from_values(row))
    checked = giglio().check_orders(start)
    outcome = resolve(giglio(), start, SECRET)
    assert [(f.where.row, f.code) for f in checked] == [("o1", "GIG-001")] == [
        (f.where.row, f.code) for f in outcome.findings]
    assert outcome.campaign.table(g.Order)["o1"].status == "refused"


@pytest.mark.parametrize("phase", ["budget", "r1.move"])
def test_the_places_of_nobody_give_no_orders(phase: str) -> None:
    """Records: N owns places and is no club: its row is refused and named (ARB-276), those of clubs are carried out."""
    after = case(phase, factions="V 100, N 100 role=neutral", nodes="N1 site=city",
                 orders="N pay V 20\nV pay M 20", findings="o1 ARB-276")
    assert (after.chest("N"), after.chest("M")) == (100, 20)


def test_neutral_places_are_no_enemy_territory() -> None:
    """Objectives: conquer wants an enemy faction (GIG-095)."""
    case("budget", first="yes", orders="V objective conquer N", findings="o1 GIG-095")


def test_a_retreat_that_cannot_be_made_destroys_also_before_an_attack() -> None:
    """retreat_impossible destroyed: the force is lost at once; there is no rearguard action."""
    after = case("r3.move r3.contact", armies=NO_WAY, orders="M move M-1 M5 V8",
                 rules={"retreat_impossible": "destroyed"},
                 answers="choice M V8/V = attack\nchoice V V8/M = retreat")
    assert after.gone("V-1")
    assert not after.rows(g.Battle)
    assert after.contact("V8").outcome == "other_back"


def test_a_partner_does_not_take_the_place_from_its_partner_with_the_same_die() -> None:
    """3d Sieges: the place falls to the first; the other siege of it is over, and the treaty is clean."""
    after = case("r3.siege", armies="M-1 100 V8, P-1 100 V8", nodes="V8 walls=intact",
                 alliances="M P 1502 passage=yes", sieges="V8 M 5, V8 P 5", rules={"ally_stack": "with_consent"},
                 answers="bribe M V8 = 0\nbribe P V8 = 0", dice={"siege:V8:1500:3": 4})
    assert after.node("V8").owner == "M"
    assert not after.rows(g.Siege)
    assert after.treaty("M", "P").suspect == ""


def test_a_campaign_may_begin_face_to_face() -> None:
    """Who meets whom: forces that stand together when a campaign begins at rN.contact meet there."""
    after = case("r3.contact", armies="M-1 90 V8 trail=M5 arrived_year=1500 arrived_round=3 arrived_no=1, "
                 "V-1 70 V8 trail=V9", waits=True)
    assert sorted(q.to for q in after.questions.values()) == ["M", "V"]


def test_an_envoy_killed_before_it_boards_stays_ashore() -> None:
    """Table 33: an assassin strikes before the boarding; the round goes on without the dead."""
    after = case("r3.move", factions="V 0 fleet_cap=2", armies="V-1 0 V0 kind=diplomat", fleets="V-F1 V0",
                 specialists="M-S1 assassin", orders="V embark V-1 V-F1\nM assassinate - diplomat V-1",
                 dice={"assassin:M-S1:1500:3": 6})
    assert after.gone("V-1")
    assert after.fleet("V-F1").cargo == ""


@pytest.mark.parametrize(("first", "second", "aboard"), [
    ("V embark V-1 V-F1", "V move V-1 V0 V9 amount=90", False),
    ("V move V-1 V0 V9 amount=90", "V embark V-1 V-F1", True),
])
def test_a_march_of_all_its_ducats_is_the_armys_one_action(first: str, second: str, aboard: bool) -> None:
    """Orders: the last of several rows for the action of one army stands, also where its whole value is named."""
    after = case("r3.move", factions="V 0 fleet_cap=2", armies="V-1 90 V0", fleets="V-F1 V0",
                 orders=f"{first}\n{second}", findings="o1 GIG-006")
    assert after.army("V-1").posture == ("aboard" if aboard else "field")
    assert after.army("V-1").node == ("V0" if aboard else "V9")


def test_a_typed_mode_that_is_none_is_asked_again() -> None:
    """The form of a result: a result typed as an answer with a word that its column cannot hold is refused (ARB-302)
    and leaves nothing in the form.
    """
    after = case("r3.move r3.contact r3.battle", armies="M-1 200 M5, V-1 150 V8 trail=V9", orders="M move M-1 M5 V8",
                 answers="choice M V8/V = attack\nchoice V V8/M = stop\n"
                 "battle_result referee B1500.3.V8 = mode=foo+winner=a+losses_a=26+losses_b=55".replace("+", " "),
                 findings="1500.r3.battle.battle_result.referee.B1500.3.V8 ARB-302", waits=True)
    assert (after.battle("B1500.3.V8").mode, after.army("M-1").value) == ("", 200)


def test_a_bribe_is_a_plain_number() -> None:
    """3d Sieges: signs that only look like digits are asked again, not a fault."""
    after = case("r3.siege", armies="M-1 100 V8", nodes="V8 walls=intact", sieges="V8 M 1",
                 answers="bribe M V8 = \u00b2", findings="1500.r3.siege.bribe.M.V8 GIG-100", waits=True)
    assert list(after.questions) == ["bribe M V8"]


def test_secret_garrisons_stay_secret_when_they_are_placed() -> None:
    """garrison_public no: the event of a garrison is the owner's alone."""
    after = case("budget", factions="V 100", nodes="V9", rules={"garrison_public": "no"}, orders="V garrison V9")
    assert after.event("garrison.placed", node="V9").audience == "V"


def test_an_army_aboard_is_not_betrayed_by_a_refusal() -> None:
    """9: to name another's army that is aboard is to name nobody (GIG-003), as for one that does not exist."""
    afloat = "T-1 60 Z6 posture=aboard fleet=T-F1, M-1 50 M5"
    case("r3.move", factions="T 0", nodes="Z6 site=sea, T2 site=city port=yes", roads="Z6 T2 lane", armies=afloat,
         fleets="T-F1 Z6 cargo=T-1", orders="T land T-1 T2\nM move T-1 M5 V8", findings="o2 GIG-003")


def test_a_fortress_whose_walls_a_folder_does_not_mention_has_them(tmp_path: Path) -> None:
    """Records: walls none; fortress intact: also where the cell is blank or the whole column is not there."""
    (tmp_path / "factions.csv").write_text("faction\nV\n", encoding="utf-8")
    for heads, rows in (("node,site", "V8,village V11,fortress V12,fortezza"),
                        ("node,site,walls", "V8,village, V11,fortress, V12,fortezza,none")):
        (tmp_path / "nodes.csv").write_text("\n".join([heads, *rows.split(), ""]), encoding="utf-8")
        _, campaign, findings = read_folder(tmp_path, giglio())
        assert not findings
        walls = {place.node: place.walls for place in campaign.table(g.Node)}
        assert walls == {"V8": "none", "V11": "intact", "V12": "none" if "walls" in heads else "intact"}


@pytest.mark.parametrize(("phase", "status"), [("r3.battle", "open"), ("r3.contact", ""), ("r4.battle", "")])
def test_a_battle_of_the_phase_that_a_folder_begins_with_is_open(tmp_path: Path, phase: str, status: str) -> None:
    """Records: a battle's status is open unless something else is said; what is typed ahead of its phase waits."""
    write_folder(build(phase, armies="M-1 200 V8 trail=M5, V-1 90 V8 trail=V9, V-2 60 V8 trail=V9"), tmp_path)
    (tmp_path / "battles.csv").write_text(
        "battle,year,round,node,type,side_a,side_b,armies_a,armies_b,value_a,value_b,winner,losses_a,losses_b\n"
        'B1500.3.V8,1500,3,V8,campale,M,V,M-1,"V-1, V-2",200,150,a,26,55\n', encoding="utf-8")
    _, campaign, findings = read_folder(tmp_path, giglio())
    giglio().fold(campaign)
    assert not findings
    battle = campaign.table(g.Battle)["B1500.3.V8"]
    assert (battle.status, battle.armies_b) == (status, "V-1 V-2")


@pytest.mark.parametrize("trail", ["V0 V9", "V0, V9", "V0,V9", "V0-V9", "V0 -> V9", "V0 > V9", "V0;V9"])
def test_a_trail_in_a_folder_is_read_however_its_places_are_parted(trail: str) -> None:
    """Records, Orders in words: the trail is places one after the other, as a path is."""
    start = build("r3.move", armies="V-1 90 V8")
    start.table(g.Army)["V-1"].trail = trail
    giglio().fold(start)
    assert start.table(g.Army)["V-1"].nodes_back == ["V0", "V9"]


@pytest.mark.parametrize(("orders", "findings", "node"), [
    ("V move V-1 V9 V0\nV move V-1 V9 M5", "o2 GIG-050", "V0"),
    ("V move V-1 V9 V0\nV: V9 Q9", "o2 GIG-005", "V0"),
    ("V move V-1 V9 V0\nV lift V-1", "o2 GIG-069", "V0"),
    ("V stay V-1\nV move V-1 V9 V0\nV siege V-1 V9\nV move V-1 V9 M5", "o1 GIG-006, o3 GIG-066, o4 GIG-050", "V0"),
    ("V move V-1 V9 M5\nV move V-1 V9 V8\nV move V-1 V9 V0", "o1 GIG-006, o2 GIG-006", "V0"),
])
def test_a_refused_row_replaces_nothing(orders: str, findings: str, node: str) -> None:
    """Orders: a refused row changes nothing: of several about one thing the last that is not refused stands."""
    assert case("r3.move", armies="V-1 100 V9", orders=orders, findings=findings).army("V-1").node == node


def test_a_bid_or_loan_that_is_too_high_replaces_none() -> None:
    """Orders: the bid and the loan are one thing each; GIG-020 and GIG-021 refuse the later row alone."""
    after = case("budget", factions="V 40", orders="V loan 20\nV bid 30\nV loan 21\nV bid 90",
                 findings="o3 GIG-021, o4 GIG-020")
    assert (after.clock.strategos, after.chest("V")) == ("V", 30)
