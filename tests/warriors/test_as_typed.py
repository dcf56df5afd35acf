"""What a hand types into the files of a campaign: headings and words in Italian, blanks, names of phases."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import golden_folders
from assistant.turn.phases import bad_data, resolve

FILES = {
    "desk": "key,value\nruleset,warriors\n", "factions": "faction,name_en,people\nmen,March,men\norcs,Horde,orcs\n",
    "nodes": "node\nC03\nD03\nG06\n", "units": "unit,army,figures\nM1a,M1,10\nO1a,O1,10\n",
    "armies": "army,faction,node,vc,chief\nM1,men,C03,2,yes\nO1,orcs,G06,2,yes\n",
    "orders": "turn,faction,seq,verb,army,new_order\n1,men,1,order,M1,march\n"}


def folder(place: Path, **files: str) -> Campaign:
    """A campaign from CSVs of the least that one needs, some of which say something else."""
    for name, text in {**FILES, **files}.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    return golden_folders.opening(WARRIORS, place)


@pytest.mark.parametrize(("force", "order", "found"), [
    ("", "explore", []), ("explore,none", "explore", []), ("none,routed", "none", []), (",confused", "none", []),
    ("explore,confused", "explore", ["WAR-708"]), ("march,unsteady", "march", ["WAR-708"]),
    ("none,none", "none", ["WAR-708"])])
def test_a_force_has_an_order_or_a_reaction(tmp_path: Path, force: str, order: str, found: list[str]) -> None:
    """WAR-708 for both or neither; a blank order of a new campaign is explore, none under a reaction (Records)."""
    campaign = folder(tmp_path, armies="army,faction,node,chief,order,reaction\n"
                      f"M1,men,C03,yes,{force}\nO1,orcs,G06,yes\n")
    assert campaign.by_sheet("Armies")["M1"].order == order
    assert [one.code for one in bad_data(WARRIORS, campaign)] == found


@pytest.mark.parametrize("typed", ["1,orders,force-test/M1", "1,Orders,force-test/M1", ",,force-test/M1",
                                   "1,cambio degli ordini e riconfigurazione,Force-Test/m1"])
def test_a_die_counts_however_its_phase_and_purpose_are_spelled(tmp_path: Path, typed: str) -> None:
    """By the phase's id or its name in either language, whatever the case; no other is thrown for it (Dice)."""
    campaign = folder(tmp_path, dice=f"turn,phase,key,value\n{typed},1\n")
    outcome = resolve(WARRIORS, campaign, b"typed")
    assert [(roll.key, roll.total, roll.typed) for roll in outcome.rolls] == [("force-test/M1", 1, True)]
    assert [row.key for row in outcome.campaign.by_sheet("Dice")] == ["force-test/M1"]


@pytest.mark.parametrize("phase", ["weather", "Weather", "Tempo meteorologico"])
def test_an_answer_counts_by_the_name_of_its_phase(tmp_path: Path, phase: str) -> None:
    """Typed before its question is put (Questions)."""
    campaign = folder(tmp_path, rules="key,value\nphase0,ask\n", zones="zone,climate\nvale,cold\n",
                      nodes="node,zone\nC03,vale\nD03,vale\nG06,vale\n",
                      answers=f"turn,phase,question,to,answer\n1,{phase},weather/vale,arbitro,nebbia\n")
    outcome = resolve(WARRIORS, campaign, b"typed")
    assert (outcome.done, outcome.campaign.by_sheet("Zones")["vale"].weather) == (True, "fog")


def test_words_of_a_sheet_in_italian(tmp_path: Path) -> None:
    """Natives of no ground are feminine as Units are (Records)."""
    campaign = folder(tmp_path, units="Unità,Forza,Miniature,Nativa di\nM1a,M1,10,nessuna\nM1b,M1,5,giungla\n"
                      "O1a,O1,10,\n")
    assert [row.native_of for row in campaign.by_sheet("Units")] == ["none", "jungle", "none"]


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
