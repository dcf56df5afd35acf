"""Tanaephis, the year 987: every value of expected.csv, every scripted die and answer, and nothing else."""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest

from assistant.desk.commands.new_campaign import Script
from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import BLOODLUST, PLACE, SECRET, tanaephis
from tests.playing import field_texts, play_script_turns

SEASONS = ("987Sp", "987Su", "987Fa", "987Wi")
Value = tuple[str, str, str]


@pytest.fixture(scope="module")
def expected() -> dict[str, dict[Value, str]]:
    """Turn -> what is new or other at its close."""
    found: dict[str, dict[Value, str]] = defaultdict(dict)
    with (PLACE / "expected.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            found[row["turn"]][row["sheet"], row["key"], row["field"]] = row["value"]
    return found


@pytest.fixture(scope="module")
def played() -> tuple[list[Outcome], dict[str, dict[Value, str]]]:
    """The phases of the year, and all values at the close of each season."""
    outcomes, closes = list[Outcome](), {"": field_texts(tanaephis())}
    for turn, state, phases in play_script_turns(BLOODLUST, tanaephis(), SECRET, SEASONS[-1]):
        outcomes += phases
        closes[turn] = field_texts(state)
    return outcomes, closes


@pytest.mark.parametrize("turn", SEASONS)
def test_every_value_of_the_season_is_as_expected(turn: str, expected: dict[str, dict[Value, str]],
                                                  played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """Each row of expected.csv holds at the close of its season."""
    close = played[1][turn]
    assert {key: close.get(key) for key in expected[turn]} == expected[turn]


@pytest.mark.parametrize(("before", "turn"), list(zip(("", *SEASONS), SEASONS, strict=False)))
def test_nothing_else_is_new_that_season(before: str, turn: str, expected: dict[str, dict[Value, str]],
                                         played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """In the fields that expected.csv knows no row that is still in play has changed otherwise."""
    was, now = played[1][before], played[1][turn]
    fields = {(sheet, field) for season in expected.values() for sheet, _, field in season}
    more = {key: text for key, text in now.items() if (key[0], key[2]) in fields and key in was and text != was[key]
            and key not in expected[turn] and now.get((key[0], key[1], "state"), "active") == "active"}
    assert more == {}


def test_every_scripted_die_is_thrown_and_no_other(played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """dice.csv has every die that comes up in the year."""
    thrown = {(one.turn, one.phase, roll.key) for one in played[0] for roll in one.rolls}
    assert [roll.key for one in played[0] for roll in one.rolls if not roll.typed] == []
    assert {(die.turn, die.phase, die.key) for die in tanaephis().by_sheet("Dice")} == thrown


def test_every_scripted_answer_is_asked_for(played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """answers.csv answers questions that the year puts, and no other."""
    answered = {(row.turn, row.phase, row.question) for row in played[0][-1].campaign.by_sheet("Questions")
                if row.status == "answered"}
    scripted = {(row.turn, row.phase, row.question) for row in tanaephis().by_sheet("Questions")}
    assert scripted <= answered
    assert {name for _, _, name in answered - scripted if not name.startswith("battle/")} == set()


def test_the_findings_are_those_that_were_meant(played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """An order too many and a peace that came too late, and nothing else."""
    found = {(one.turn, finding.where.row, finding.code) for one in played[0] for finding in one.findings}
    assert found == {("987Su", "987Su-recruit-SEK-1", "BLD-014"), ("987Su", "987Su-war-DER-1", "BLD-035")}


def test_x38_a_result_that_was_a_draw(played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """X38: had Ambraval been drawn, the same dice only shake Derigion; its war goes on, no other die moves."""
    campaign = tanaephis()
    campaign.by_sheet("Battles")["987Sp-2"].winner = "draw"
    _, campaign, outcomes = next(play_script_turns(BLOODLUST, campaign, SECRET, "987Sp"))
    derigion = campaign.by_sheet("Factions")["DER"]
    assert (derigion.shaken, derigion.unrest, campaign.by_sheet("Wars")["W2"].ended) == (1, 0, "")
    assert campaign.by_sheet("Nodes")["D2"].owner == "DER"
    mine = {roll.key: roll.value for outcome in outcomes for roll in outcome.rolls}
    theirs = {roll.key: roll.value for one in played[0] for roll in one.rolls if one.turn == "987Sp"}
    assert {key for key in mine if mine[key] != theirs.get(key)} == {"trade/D2"}


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing(played: tuple[list[Outcome], dict[str, dict[Value, str]]]) -> None:
    """The year's Spring played with all sheets but the nations turned upside down comes out the same."""
    campaign = tanaephis()
    for name, table in campaign.tables().items():
        if name not in ("Factions", "Desk"):
            for key in reversed(table.keys_in_file_order()):
                table.add(table.remove(key))
    _, campaign, _ = next(play_script_turns(BLOODLUST, campaign, SECRET, "987Sp"))
    mine, theirs = field_texts(campaign), played[1]["987Sp"]
    assert {key: text for key, text in mine.items() if text != theirs.get(key) and key[0] not in ("findings",)} == {}


def test_results_that_name_no_phase_are_of_the_phase_that_waits_for_them() -> None:
    """The demo hands in battle_results.csv, which has no column for it, with the battles of its season."""
    script = Script.read(PLACE, BLOODLUST)
    assert {(moment.turn, moment.phase) for moment, _ in script.rows("battle_results.csv")} == {
        (turn, "battle") for turn in SEASONS}
