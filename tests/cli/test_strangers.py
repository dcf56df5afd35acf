"""Battles and dice that are not there: named where they are handed in, and where they stand on a sheet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.records import Die
from assistant.testing.cases import campaign_of
from assistant.turn.dice_purposes import nearest_purpose, spell_purpose
from assistant.turn.rulebooks import load
from tests import hand
from tests.anarchy.scenario import scripted_days
from tests.cli.conftest import Played
from tests.fresh import new_campaign
from tests.playing import answer, arbitro

pytestmark = pytest.mark.slow  # each hands files to a whole campaign


def taken(book: Path, *lines: str | Path) -> tuple[list[tuple[str, str, str]], list[str], int]:
    """Id, how and words of each row, the codes of the findings, and the exit code."""
    said = answer("orders", book, *lines)
    return ([(t["id"], t["how"], t["words"]) for t in said["taken"]], [f["code"] for f in said["findings"]],
            said["exit"])


@pytest.mark.parametrize("line", ["battle B9999 a 1 1", "battle nowhere a 1 1", "battle B1500.1.V99 a 1 1"])
def test_a_battle_that_cannot_be_is_not_taken(book: Path, line: str) -> None:
    """Its code is none that a battle of this rulebook and map can get."""
    rows, codes, code = taken(book, line)
    assert ([how for _, how, _ in rows], codes, code) == (["refused"], ["ARB-253"], 1)
    assert not list(campaign_of(book).by_sheet("Battles"))


def test_a_battle_of_a_year_that_is_over_is_named(book: Path) -> None:
    """A whole year's results may be handed in at once: one whose battle never came is kept, and said to be in vain."""
    rows, codes, code = taken(book, "battle B1499.1.V6 a 1 1")
    assert ([how for _, how, _ in rows], codes, code) == (["new"], ["ARB-253"], 0)


def test_a_result_from_a_file_is_held_to_the_same(book: Path, tmp_path: Path) -> None:
    """A CSV names no battle either that cannot be."""
    csv = tmp_path / "battle_results.csv"
    csv.write_text("battle,winner,losses_a,losses_b\nB9999,a,1,1\nb1500.1.v6,a,1,2\n", encoding="utf-8")
    rows, codes, code = taken(book, csv)
    assert [(ident, how) for ident, how, _ in rows] == [("B9999", "refused"), ("B1500.1.V6", "new")]
    assert (sorted(codes), code) == (["ARB-253", "ARB-255"], 1)


def test_a_result_ahead_of_its_battle_waits_for_it(book: Path) -> None:
    """It is taken under the code that the battle will have, with a word that there is none yet."""
    rows, codes, code = taken(book, "battle b1500.1.v6 A 10 20")
    assert ([(ident, how) for ident, how, _ in rows], codes, code) == ([("B1500.1.V6", "new")], ["ARB-255"], 0)
    rows, _, _ = taken(book, "battle b1500.1.v6 A 10 30")
    assert [(ident, how) for ident, how, _ in rows] == [("B1500.1.V6", "changed")]
    assert [row.battle for row in campaign_of(book).by_sheet("Battles")] == ["B1500.1.V6"]


def test_two_lines_for_one_battle_are_shown_as_each_was(book: Path) -> None:
    """The first line is not shown with the second's words."""
    rows, _, _ = taken(book, "battle B1500.1.V6 a 10 20", "battle B1500.1.V6 b 30 40")
    assert [(how, re.findall(r"\d+", words)) for _, how, words in rows] == [
        ("new", ["10", "20"]), ("changed", ["30", "40"])]


def test_the_example_for_a_battle_is_one_that_is_understood(book: Path) -> None:
    """What ARB-302 says to write can be written; a bare number is never who won."""
    said = answer("orders", book, "battle B1500.1.V6")
    example = said["findings"][0]["data"]["example_en"]
    rows, codes, _ = taken(book, example)
    assert ([how for _, how, _ in rows], codes) == (["new"], ["ARB-255"])
    rows, _, _ = taken(book, "battle B1500.1.V7 10 20")
    row = campaign_of(book).by_sheet("Battles")["B1500.1.V7"]
    assert (row.winner, row.losses_a, row.losses_b) == ("", 10, 20)


def test_losses_name_a_battle_that_can_be(tmp_path: Path) -> None:
    """The Anarchy's further sheets of the form are held to the same, in any case of letters."""
    wallingford_book = new_campaign(tmp_path / "w.xlsx", "anarchy")
    csv = tmp_path / "losses.csv"
    csv.write_text("battle,unit,rank,killed\nB9,A-ROB,foot,1\nb2-1,A-ROB,foot,1\n", encoding="utf-8")
    rows, codes, code = taken(wallingford_book, csv)
    assert [(ident.split("/")[0], how) for ident, how, _ in rows] == [("B9", "refused"), ("B2-1", "new")]
    assert (codes, code) == (["ARB-253", "ARB-255"], 1)  # day 2 has no battle B2-1 yet: its losses wait for it


@pytest.mark.parametrize("line", ["die nonsense 3", "die siege:V99:1500:1 3", "die siege:V8 3"])
def test_a_die_that_is_never_thrown_is_named(book: Path, line: str) -> None:
    """Its purpose is none of the rulebook's: it is refused, and with it all that the same command brought."""
    rows, codes, code = taken(book, "die siege:V8:1500:3 4", line)
    assert ([how for _, how, _ in rows], codes, code) == (["refused", "refused"], ["ARB-254"], 1)
    assert list(campaign_of(book).by_sheet("Dice")) == []


def test_a_die_ahead_of_its_phase_is_taken_and_spelled(book: Path) -> None:
    """In any case of letters, with the dice of its purpose."""
    rows, codes, code = taken(book, "die SIEGE:v8:1500:3 4", "die order:v:1500:1 17", "die auto:b1500.1.v6:v 2")
    assert [(ident, words) for ident, _, words in rows] == [
        ("siege:V8:1500:3", "1d6 = 4"), ("order:V:1500:1", "1d20 = 17"), ("auto:b1500.1.v6:V", "2d6 = 2")]
    assert (codes, code) == ([], 0)


def test_a_die_of_a_turn_that_is_over_is_said_to_wait_for_a_correction(book: Path, tmp_path: Path) -> None:
    """Its purpose names that turn, or its row where the purpose comes again; it is taken, as its order may follow."""
    rows, codes, code = taken(book, "die siege:V8:1499:3 4", "die siege:V8:1500:3 4")
    assert ([how for _, how, _ in rows], codes, code) == (["new", "new"], ["ARB-290"], 0)

    wood = new_campaign(tmp_path / "w.xlsx", "anarchy")
    arbitro("resolve", wood, "--until", "0.opening", "--defaults")
    here = campaign_of(wood).desk
    csv = tmp_path / "dice.csv"
    csv.write_text("key,value,turn,phase\npromise/M-WE1,3,0,opening\n"
                   f"promise/M-WE1,4,{here.turn},{here.phase}\n", encoding="utf-8")
    rows, codes, code = taken(wood, csv)
    assert ([how for _, how, _ in rows], codes, code) == (["new", "new"], ["ARB-290"], 0)


def test_the_purpose_that_was_meant_is_named(book: Path) -> None:
    """What was right of it stays."""
    said = answer("orders", book, "die seige:V8:1500:3 4")["findings"][0]
    assert said["data"]["near"] == "siege:V8:1500:3"
    assert "Did you mean siege:V8:1500:3?" in said["text"]


def test_what_stands_on_the_sheets_and_never_counts_is_named_by_check(book: Path) -> None:
    """A typed row of Dice or Battles: a warning at its cell, and the phase is not kept from starting."""
    workbook = hand.opened(book)
    dice: Any = workbook["Dice"]
    dice["A5"], dice["B5"], dice["C5"] = "nonsense", "1d6", 3
    battles: Any = workbook["Battles"]
    battles["A5"] = "B9999"
    workbook.save(book)
    said = answer("check", book)
    assert [(f["code"], f["severity"], f["cell"]) for f in said["findings"]] == [
        ("ARB-254", "warning", "Dice!A5"), ("ARB-253", "warning", "Battles!A5")]
    assert said["exit"] == 0


def test_every_die_of_a_year_of_il_giglio_is_known(demo: Played) -> None:
    """The declared purposes leave none out."""
    campaign = campaign_of(next(demo.out.glob("italy-1500.xlsx")))
    dice = [row.key for row in campaign.table(Die)]
    assert len(dice) > 40
    assert [key for key in dice if spell_purpose(load("giglio"), campaign, key) != key] == []


def test_every_die_of_wallingford_is_known() -> None:
    """The declared purposes of The Anarchy leave none out."""
    rulebook, keys = load("anarchy"), set[str]()
    for _, state, outcomes in scripted_days():
        keys |= {roll.key for outcome in outcomes for roll in outcome.rolls}
        assert [key for key in keys if spell_purpose(rulebook, state, key) != key] == []
    assert len(keys) > 30
    assert nearest_purpose(rulebook, state, "heeling/royal-w1") == "healing/royal-W1"
