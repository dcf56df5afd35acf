"""Counters on the map and what comes to them (chapters 4, 6, 12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner

from assistant.cli import main
from assistant.workbook.read.csv_folder import read_folder, write_folder
from tests.anarchy.cases import anarchy, build, case

PLACES = "home 0603 village 5 5, goal 0608 village 5 5"
CARRIERS = "C1 n 0604 4 home=home goal=goal heading=goal"
THREE = ("A1 r 0605 S9 noble=N1:5:8 money=9, A2 r 0605 S9 B4 noble=N2:7:8 money=9, E1 r 0605 S4 noble=N3:1:8, "
         "A9 r 0605 S2 L1 inside=keep")


def test_a_convoy_that_comes_to_several_groups_is_put_to_each_until_one_deals() -> None:
    """5.6: the groups there by prestige down, heads down, id; those inside a castle are not asked."""
    keep = "keep 0605 castle_motte 3 8 holder=r S9"
    given: dict[str, Any] = {"armies": THREE, "places": f"{PLACES}, {keep}", "convoys": CARRIERS}
    first = case("movement", **given, waits="convoy/A2/0605/C1")
    assert first.questions["convoy/A2/0605/C1"].options == "buy:1, take, pass"
    case("movement", **given, answers="convoy/A2/0605/C1 = pass", waits="convoy/A1/0605/C1")
    case("movement", **given, answers="convoy/A2/0605/C1 = pass; convoy/A1/0605/C1 = pass", waits="convoy/E1/0605/C1")
    bought = case("movement", **given, answers="convoy/A2/0605/C1 = buy:1")
    assert bought.get("C1", "faction", "node", "cargo") == ("neutral", "0608", "3")
    passed = case("movement", **given, answers="convoy/A2/0605/C1 = pass; convoy/A1/0605/C1 = pass; "
                                               "convoy/E1/0605/C1 = pass")
    assert passed.get("C1", "faction", "node", "cargo") == ("neutral", "0608", "4")
    taken = case("movement", **given, answers="convoy/A2/0605/C1 = pass; convoy/A1/0605/C1 = take")
    assert taken.get("C1", "faction", "node", "escort") == ("royal", "0605", "A1")


def test_a_train_that_comes_to_several_enemies_is_put_to_each() -> None:
    """Movement and encounters: an enemy group in the hex takes it; where the first lets it pass the next is asked."""
    given: dict[str, Any] = {"armies": "E1 a 0605 S9 noble=E:5:2, E2 a 0605 S9 noble=F:7:2",
             "trains": "T1 r 0604 rams=1 engineers=1 oxen=2 peasants=3", "orders": "r MOVE T1 0605"}
    after = case("movement", **given, answers="train/E2/0605/T1 = pass; train/E1/0605/T1 = take")
    assert after.get("T1", "faction", "escort") == ("angevin", "E1")


def test_the_printed_number_of_a_counter_is_everybodys_to_see() -> None:
    """4, 8: the red number of a group's counter is on the map; so are cavalry and the order of march of the day."""
    armies = "A1 r 0605 S9 noble=N1:5:8 counter=7, E1 a 1010 K5 noble=E:6:2 counter=12"
    after = case("movement", armies=armies, orders="r HOLD A1; a HOLD E1")
    for faction in ("royal", "angevin"):
        view = anarchy().view(after.campaign, faction)
        (table,) = [t for t in anarchy().sightings(view, faction) if t.title == "Counters, and their order of march"]
        assert len(table.fields) == 5
        seen = [(r.army, r.counter, r.cavalry, r.march) for r in table.rows]
        assert seen == [("E1", 12, True, 1), ("A1", 7, False, 2)]
    none = build("provisions", armies="A1 r 0605 S9")
    assert not [t for t in anarchy().sightings(none, "royal") if t.title.startswith("Counters")]


def test_the_number_survives_the_workbook(tmp_path: Path) -> None:
    """`new --from`, `export`: the column goes in and comes out; a folder without it begins with blank numbers."""
    campaign = build("provisions", armies="A1 r 0605 S9 counter=7, A2 r 0606 S9")
    campaign.desk.ruleset = "anarchy"
    write_folder(campaign, tmp_path / "in")
    runner = CliRunner()
    book = str(tmp_path / "b.xlsx")
    assert runner.invoke(main, ["new", "anarchy", book, "--from", str(tmp_path / "in")]).exit_code == 0
    assert runner.invoke(main, ["export", book, "--to", str(tmp_path / "out")]).exit_code == 0
    _, after, findings = read_folder(tmp_path / "out", anarchy())
    assert not [f for f in findings if f.stops]
    assert [(a.army, a.counter) for a in after.by_sheet("Armies")] == [("A1", 7), ("A2", None)]
