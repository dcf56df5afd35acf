"""What a hand types into the files of a campaign: headings and words in Italian, blanks, names of phases."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from assistant.campaign.campaign import Campaign
from assistant.cli import main
from assistant.desk.inputs import check_ahead
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import cases
from assistant.turn.phases import check_campaign, resolve

FILES = {
    "desk": "key,value\nruleset,warriors\n", "factions": "faction,name_en,people\nmen,March,men\norcs,Horde,orcs\n",
    "nodes": "node\nC03\nD03\nG06\n", "units": "unit,army,figures\nM1a,M1,10\nO1a,O1,10\n",
    "armies": "army,faction,node,vc,chief\nM1,men,C03,2,yes\nO1,orcs,G06,2,yes\n",
    "orders": "turn,faction,seq,verb,army,new_order\n1,men,1,order,M1,march\n"}


def folder(place: Path, **files: str) -> Campaign:
    """A campaign from CSVs of the least that one needs, some of which say something else."""
    for name, text in {**FILES, **files}.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    return cases.opening(WARRIORS, place)


@pytest.mark.parametrize("head", ["Fazione,Fazione,Stato", "Faction,Faction,State", "Fazione,E,Stato"])
def test_both_sides_of_a_relation_may_be_headed_alike(tmp_path: Path, head: str) -> None:
    """The second of two equal headings is the other side, where that has none of its own."""
    campaign = folder(tmp_path, relations=f"{head}\norcs,men,pace\n")
    assert [(row.a, row.b, row.state) for row in campaign.by_sheet("Relations")] == [("orcs", "men", "peace")]


@pytest.mark.parametrize(("force", "order", "found"), [
    ("", "explore", []), ("explore,none", "explore", []), ("none,routed", "none", []), (",confused", "none", []),
    ("explore,confused", "explore", ["WAR-708"]), ("march,unsteady", "march", ["WAR-708"]),
    ("none,none", "none", ["WAR-708"])])
def test_a_force_has_an_order_or_a_reaction(tmp_path: Path, force: str, order: str, found: list[str]) -> None:
    """WAR-708 for both or neither; a blank order of a new campaign is explore, none under a reaction (Records)."""
    campaign = folder(tmp_path, armies="army,faction,node,chief,order,reaction\n"
                      f"M1,men,C03,yes,{force}\nO1,orcs,G06,yes\n")
    assert campaign.by_sheet("Armies")["M1"].order == order
    assert [one.code for one in check_campaign(WARRIORS, campaign)] == found


@pytest.mark.parametrize("typed", ["1,orders,force-test/M1", "1,Orders,force-test/M1", ",,force-test/M1",
                                   "1,cambio degli ordini e riconfigurazione,Force-Test/m1"])
def test_a_die_counts_however_its_phase_and_purpose_are_spelled(tmp_path: Path, typed: str) -> None:
    """By the phase's id or its name in either language, whatever the case; no other is thrown for it (Dice)."""
    campaign = folder(tmp_path, dice=f"turn,phase,key,value\n{typed},1\n")
    outcome = resolve(WARRIORS, campaign, b"typed")
    assert [(roll.key, roll.total, roll.typed) for roll in outcome.rolls] == [("force-test/M1", 1, True)]
    assert [row.key for row in outcome.campaign.by_sheet("Dice")] == ["force-test/M1"]


@pytest.mark.parametrize(("phase", "near"), [
    ("ordini", [("Dice", "orders"), ("Questions", "orders")]), ("3", [("Dice", ""), ("Questions", "")]),
    ("Orders", []), ("", [])])
def test_a_phase_that_is_none_is_named_by_check(tmp_path: Path, phase: str, near: list[tuple[str, str]]) -> None:
    """ARB-288: nobody reads such a die or answer, and nobody would know (Dice, Questions)."""
    campaign = folder(tmp_path, dice=f"turn,phase,key,value\n1,{phase},force-test/M1,1\n",
                      answers=f"turn,phase,question,to,answer\n1,{phase or 'after'},retreat/B1-1/M1,men,D03\n")
    findings = [finding for finding in check_ahead(WARRIORS, campaign) if finding.code == "ARB-288"]
    assert [(finding.where.table, str(finding.data["near"])) for finding in findings] == near


@pytest.mark.parametrize("phase", ["weather", "Weather", "Tempo meteorologico"])
def test_an_answer_counts_by_the_name_of_its_phase(tmp_path: Path, phase: str) -> None:
    """Typed before its question is put (Questions)."""
    campaign = folder(tmp_path, rules="key,value\nphase0,ask\n", zones="zone,climate\nvale,cold\n",
                      nodes="node,zone\nC03,vale\nD03,vale\nG06,vale\n",
                      answers=f"turn,phase,question,to,answer\n1,{phase},weather/vale,arbitro,nebbia\n")
    outcome = resolve(WARRIORS, campaign, b"typed")
    assert (outcome.done, outcome.campaign.by_sheet("Zones")["vale"].weather) == (True, "fog")


@pytest.mark.parametrize("phase", ["move", "Move", "Movimento", "MOVEMENT"])
def test_a_folder_begins_with_the_phase_that_it_names(tmp_path: Path, phase: str) -> None:
    """By its id or its name in either language (Desk)."""
    assert folder(tmp_path, desk=f"key,value\nruleset,warriors\nphase,{phase}\n").desk.phase == "move"


@pytest.mark.parametrize(("typed", "value"), [
    ("PHASE0,ask", "ask"), ("phase0,sì", "on"), ("Phase0,yes", "on"), ("phase0,No", "off")])
def test_a_switch_is_known_in_any_letters_and_turned_on_by_yes(tmp_path: Path, typed: str, value: str) -> None:
    """Its key whatever the case; yes and no, in both languages, are on and off (Rules)."""
    campaign = folder(tmp_path, rules=f"key,value\n{typed}\n")
    assert ([(row.key, row.value) for row in campaign.by_sheet("Rules")], check_campaign(WARRIORS, campaign)) == (
        [("phase0", value)], [])


def test_words_of_a_sheet_in_italian(tmp_path: Path) -> None:
    """Natives of no ground are feminine as Units are (Records)."""
    campaign = folder(tmp_path, units="Unità,Forza,Miniature,Nativa di\nM1a,M1,10,nessuna\nM1b,M1,5,giungla\n"
                      "O1a,O1,10,\n")
    assert [row.native_of for row in campaign.by_sheet("Units")] == ["none", "jungle", "none"]


def test_a_track_in_italian(tmp_path: Path) -> None:
    """A caravan track may be called a track alone (Roads)."""
    campaign = folder(tmp_path, roads="Via,Da,A,Tipo\nR1,C03,D03,pista\nR2,C3,d3,Fiume\nR3,D03,C03,strada\n")
    assert ([row.kind for row in campaign.by_sheet("Roads")], check_campaign(WARRIORS, campaign)) == (
        ["track", "river", "road"], [])


@pytest.mark.parametrize("code", ["B1-1", "b1-1"])
def test_a_result_counts_however_the_code_of_its_battle_is_spelled(tmp_path: Path, code: str) -> None:
    """Typed before the battle is there; its rows are completed, not doubled (Result form)."""
    campaign = folder(tmp_path, desk="key,value\nruleset,warriors\nphase,move\n",
                      armies="army,faction,node\nM1,men,C03\nO1,orcs,D03\n",
                      orders="turn,faction,verb,army,path\n1,men,move,M1,D03\n",
                      dice="key,value\nmove/M1,3\nwounded/B1-1/O1a/1,4\n",
                      battles=f"battle,outcome\n{code},attacker\n", battle_units=f"battle,unit,killed\n{code},o1a,1\n")
    for _ in ("move", "explore", "battle"):
        outcome = resolve(WARRIORS, campaign, b"typed")
        campaign = outcome.campaign
    assert (outcome.done, [row.battle for row in campaign.by_sheet("Battles")]) == (True, ["B1-1"])
    assert {row.unit: row.killed for row in campaign.by_sheet("Battle units")} == {"M1a": 0, "O1a": 1}


def typed_into(book: Path, sheet: str, number: int, cells: dict[str, str | int]) -> None:
    """A row below the headings of a sheet, the `number`-th, as somebody types it."""
    opened = openpyxl.load_workbook(book)
    rows = [[cell.value.strip() if isinstance(cell.value, str) else cell.value for cell in row]
            for row in opened[sheet].iter_rows()]
    top = next(place for place, row in enumerate(rows, 1) if set(row) >= set(cells))
    for heading, value in cells.items():
        opened[sheet].cell(top + number, rows[top - 1].index(heading) + 1, value)
    opened.save(book)


@pytest.mark.slow
def test_what_was_typed_counts_when_its_sheet_is_read_again(tmp_path: Path) -> None:
    """The cells stay as they were typed; a row that is typed below them later changes nothing of what they were."""
    folder(tmp_path, armies="army,faction,node\nM1,men,C03\nO1,orcs,D03\n",
           orders="turn,faction,verb,army,path\n1,men,move,M1,D03\n")
    book, run = tmp_path / "book.xlsx", CliRunner()
    assert run.invoke(main, ["new", "warriors", str(book), "--from", str(tmp_path)]).exit_code == 0
    typed_into(book, "Dice", 1, {"Purpose": "Move/m1", "Value": "3", "Turn": 1, "Phase": "Movimento"})
    typed_into(book, "Battles", 1, {"Battle": "b1-1", "Outcome": "attacker"})
    typed_into(book, "Battle units", 1, {"Battle": "b1-1", "Unit": "o1a", "Killed": 1})
    assert run.invoke(main, ["resolve", str(book), "--until", "battle"]).exit_code == 0
    typed_into(book, "Dice", 9, {"Purpose": "wounded/b1-1/O1a/1", "Value": "5", "Turn": 1,
                                 "Phase": "dopo la battaglia"})
    typed_into(book, "Battles", 2, {"Battle": "B9-1", "Outcome": "attacker"})
    assert run.invoke(main, ["check", str(book)]).output.strip() == "Nothing to put right."
    assert run.invoke(main, ["resolve", str(book), "--defaults"]).exit_code == 0
    assert run.invoke(main, ["verify", str(book)]).exit_code == 0
    run.invoke(main, ["export", str(book), "--to", str(tmp_path / "out")])
    assert "unit,due,count\nO1a,3,1\n" in (tmp_path / "out" / "wounded.csv").read_text(encoding="utf-8")
