"""The demo through the commands: what verify says of it, undo and correct from its middle; its secrets day by day."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Die
from assistant.desk.inputs import unusable_inputs
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import kit
from assistant.workbook.read.csv_folder import read_folder
from tests.incursio.scenario import PLACE, SECRET, days, esdef, values


@pytest.mark.slow
def test_the_demo_can_be_verified_undone_and_corrected(tmp_path: Path) -> None:
    """verify is clean; from the middle on the same comes out again; a corrected die tells what differs."""
    book = tmp_path / "esdef.xlsx"
    assert desk.new_campaign(desk.NewPlan("incursio", folder=PLACE, secret=SECRET.hex()), book).exit == desk.Exit.DONE
    assert desk.resolve(book, until="5.arrivals", lang="en").exit == desk.Exit.DONE
    verified = desk.verify(book, lang="en")
    assert (verified.exit, [finding.code for finding in verified.findings if finding.stops]) == (desk.Exit.DONE, [])
    desk.export(book, tmp_path / "before")
    assert desk.undo(book, to="3.upkeep", lang="en").exit == desk.Exit.DONE
    again = desk.resolve(book, until="5.arrivals", lang="en")
    assert again.exit == desk.Exit.DONE, again.finding_lines()
    desk.export(book, tmp_path / "after")
    for name in ("armies", "nodes", "observations", "battles", "factions", "missions", "portals", "works", "orders"):
        before, after = (tmp_path / place / f"{name}.csv" for place in ("before", "after"))
        old, new = (sorted(file.read_text(encoding="utf-8").splitlines()) for file in (before, after))
        assert old == new, name
    shown = desk.correct(
        book, desk.CorrectionRequest((desk.Input("x", text="die muster/2/9/1 1"),)), desk.CorrectionOptions(), lang="en"
    )
    assert shown.exit == desk.Exit.DONE, shown.finding_lines()
    assert {d["sheet"] for d in shown.data["differences"]} >= {"Battles", "Events"}


def of_robots(folder: Path, **rules: int) -> Path:
    """The demo's opening for two robots, without what its five days bring; other numbers of the book."""
    left_out = shutil.ignore_patterns("expected*", "dice*", "orders*", "answers*", "battle_*")
    shutil.copytree(PLACE, folder, ignore=left_out)
    factions = folder / "factions.csv"
    factions.write_text(factions.read_text(encoding="utf-8").replace(",player,", ",robot,"), encoding="utf-8")
    lines = "".join(f"{key},{value}\n" for key, value in rules.items())
    (folder / "rules.csv").write_text("key,value\n" + lines, encoding="utf-8")
    return folder


def test_a_folder_may_leave_out_what_may_be_blank(tmp_path: Path) -> None:
    """2: a mission without place and without another player needs no columns for them, though they are of its key."""
    (of_robots(tmp_path / "in") / "missions.csv").write_text("day,player,mission\n1,E3,contrabbando\n", "utf-8")
    _, campaign, findings = read_folder(tmp_path / "in", INCURSIO)
    assert [finding for finding in findings if finding.stops] == []
    assert [row.as_text()["target"] for row in campaign.by_sheet("Missions")] == [""]


def test_bands_and_sightings_need_no_codes_of_their_own(tmp_path: Path) -> None:
    """2: the keys of bands and sightings are generated; without them in the folder, or blank, they are made."""
    folder = of_robots(tmp_path / "in")
    (folder / "armies.csv").write_text("faction,node,posture,units\nesdef,9,garrison,FA\nesdef,9,open,F\n"
                                       "varannah,10,,TrAs\n", "utf-8")
    (folder / "observations.csv").write_text("no,faction,node,kind,what,seen_on\n4,esdef,9,camp,Tr,1\n"
                                             ",esdef,10,camp,As,1\n", "utf-8")
    _, campaign, findings = read_folder(folder, INCURSIO)
    INCURSIO.prepare(campaign)
    assert [finding for finding in findings if finding.stops] == []
    assert [(row.army, row.units) for row in campaign.by_sheet("Armies")] == [
        ("E09g", "FA"), ("E09o", "F"), ("V10o", "TrAs")]
    assert [row.no for row in campaign.by_sheet("Observations")] == [4, 5]


def test_a_line_to_no_cell_is_the_books_own_finding(tmp_path: Path) -> None:
    """4.5: the campaign is made, and INC-107 keeps every phase from starting."""
    folder = of_robots(tmp_path / "in")
    with (folder / "roads.csv").open("a", encoding="utf-8") as file:
        file.write("1,99,grey\n")
    _, campaign, findings = read_folder(folder, INCURSIO)
    INCURSIO.prepare(campaign)
    assert [finding for finding in findings if finding.stops] == []
    assert [(finding.code, finding.where.row) for finding in INCURSIO.check_data(campaign)] == [("INC-107", "1/99")]


def test_dice_and_results_typed_beforehand_are_found_however_they_are_spelled(tmp_path: Path) -> None:
    """5.0, 7.2: codes are compared as numbers, `5e-02-04-1` is the battle 5E-2-4-1."""
    folder = of_robots(tmp_path / "in")
    (folder / "dice.csv").write_text("key,value\nMuster/1/09/1,2\n", "utf-8")
    (folder / "battle_results.csv").write_text("battle,att_after\n5e-02-04-1,FC\n", "utf-8")
    _, campaign, findings = read_folder(folder, INCURSIO)
    assert [finding for finding in findings if finding.stops] == []
    assert [campaign.by_sheet(sheet).keys() for sheet in ("Dice", "Battles")] == [["muster/1/9/1"], ["5E-2-4-1"]]


@pytest.mark.parametrize("said", ["5,upkeep,consent,esdef,D1-07", "5,Mantenimento,Consent,Esdef,d1-07",
                                  "5,upkeep,CONSENT,Difensori di Esdef,D1-07"])
def test_an_answer_typed_beforehand_is_known_in_any_letters(tmp_path: Path, said: str) -> None:
    """5.11: turn, phase, kind, faction and order name the question."""
    folder = of_robots(tmp_path / "in")
    (folder / "orders.csv").write_text("order,turn,faction,issuer,text\nD1-07,5,esdef,E1,costruisci 03 a 1 (E2)\n",
                                       "utf-8")
    (folder / "answers.csv").write_text(f"turn,phase,kind,to,about,answer\n{said},yes\n", "utf-8")
    _, campaign, _ = read_folder(folder, INCURSIO)
    assert list(campaign.by_sheet("Questions").keys()) == ["5.upkeep.consent.esdef.D1-07"]


@pytest.mark.parametrize("heads", [
    "Battle,Day,Cell,From,Attackers left", "Battaglia,Giorno,Casella,Da,Attaccanti rimasti",
    "Battaglia,Giorno,Al nodo,Da,Attaccanti rimasti"])
def test_a_battle_is_fought_at_a_cell(tmp_path: Path, heads: str) -> None:
    """2: the headings of Battles are those of the book, and those of workbooks of before are still read."""
    folder = of_robots(tmp_path / "in")
    (folder / "battles.csv").write_text(f"{heads}\n5E-2-4-1,5,4,2,FC\n", "utf-8")
    _, campaign, findings = read_folder(folder, INCURSIO)
    assert ([finding.code for finding in findings], campaign.by_sheet("Battles")["5E-2-4-1"].node) == ([], "4")


@pytest.mark.slow
def test_a_campaign_of_robots_is_verified_to_its_end(tmp_path: Path) -> None:
    """Every phase of it comes out again; it ends before the day that was asked for, and what was played stays."""
    book = tmp_path / "esdef.xlsx"
    plan = desk.NewPlan("incursio", folder=of_robots(tmp_path / "in", resources_to_win=60), secret=SECRET.hex())
    assert desk.new_campaign(plan, book).exit == desk.Exit.DONE
    played = desk.resolve(book, until="20.arrivals", lang="en")
    assert (played.exit, played.data["over"], played.data["phase"]) == (desk.Exit.DONE, True, "over")
    assert 9 < len(played.data["resolved"]) < 180
    verified = desk.verify(book, lang="en")
    assert (verified.exit, [finding.code for finding in verified.findings if finding.stops]) == (desk.Exit.DONE, [])


@pytest.mark.slow
def test_no_day_of_the_demo_tells_a_secret() -> None:
    """What a side may not know changes no byte of its report of two days, the five days long."""
    before = esdef()
    for _, campaign, _ in [*days(esdef())][::2]:
        kit.fog(INCURSIO, campaign, before)
        before = campaign
    assert values(before)


@pytest.mark.parametrize(("key", "over"), [
    ("mission/8/V5/sabotage", ""), ("mission/8/V4/rite", ""),  # begun yesterday, thrown today
    ("mission/7/V5/sabotage", "8"), ("mission/7/V4/rite", "8"), ("mission/8/E2/seal/7", "8"),
    ("spy/8/E2/success", "8"), ("mission/9/E2/seal/7", ""), ("mission/9/V5/sabotage", "")])
def test_dice_of_a_mission_are_thrown_the_day_after_it_began(key: str, over: str) -> None:
    """5.0: the day in their key is the day it began; a seal is tried the same evening. Only what is over is told."""
    campaign = esdef()
    campaign.desk.turn, campaign.desk.phase = "9", "upkeep"
    dice = campaign.table(Die)
    for old in list(dice.keys_in_file_order()):
        dice.remove(old)
    dice.add(dice.record(key=key, value="2", turn="9", phase="upkeep"))

    found = [(finding.code, finding.data["when"]) for finding in unusable_inputs(INCURSIO, campaign)]
    assert found == ([("ARB-290", over)] if over else [])
