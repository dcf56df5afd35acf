"""The demo plays the scripted year of Il Giglio to exactly what the scenario's expected.csv says."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.resources import scenario
from assistant.workbook.file_book import open_book
from tests.cli.conftest import Played

with (scenario("giglio", "italy-1500") / "expected.csv").open(encoding="utf-8", newline="") as _file:
    EXPECTED = list(csv.DictReader(_file))
CHECKPOINTS = sorted({row["checkpoint"] for row in EXPECTED if row["table"] != "Findings"})

pytestmark = pytest.mark.slow


@cache
def campaign_of(path: Path) -> Campaign:
    """The campaign in a workbook."""
    return open_book(path).read().campaign


def copy_after(out: Path, checkpoint: str) -> Path:
    """The workbook that the demo left after a phase: ``1500 after r10.siege``."""
    turn, _, phase = checkpoint.partition(" after ")
    (found,) = out.glob(f"[0-9][0-9]-{turn}-{phase}.xlsx")
    return found


def shown(campaign: Campaign, row: dict[str, str]) -> Any:
    """The value that a row of expected.csv speaks of, as CSV holds it; a treaty is named by its parties."""
    found = [record for key, record in campaign.by_sheet(row["table"]).items()
             if key == row["key"] or key.startswith(f"{row['key']}/")]
    return found[-1].as_text()[row["field"]] if found else None


def test_the_demo_ends_well_and_says_what_to_open(demo: Played) -> None:
    """Exit code 0, progress on the standard error, and the way to the first page on the output."""
    assert demo.exit_code == 0, demo.stderr
    assert "[47/47]" in demo.stderr
    assert str(demo.out / "reports" / "latest" / "gazette.html") in demo.stdout
    *_, first, then = demo.stdout.strip().splitlines()
    assert (first.startswith("Open first: "), then.startswith("Then the workbook: ")) == (True, True)
    label, *remarks = demo.stderr.strip().splitlines()[-10:]
    assert label == ("9 remarks on the script, whose clubs make mistakes on purpose, to show what Arbitro says of"
                     " them:")
    assert all("  GIG-" in line for line in remarks)
    assert "Traceback" not in demo.stdout + demo.stderr


@pytest.mark.parametrize("checkpoint", CHECKPOINTS)
def test_every_value_is_as_expected(demo: Played, checkpoint: str) -> None:
    """Every row of expected.csv about a state of the campaign holds in the workbook of that phase."""
    out = demo.out
    campaign = campaign_of(copy_after(out, checkpoint))
    rows = [row for row in EXPECTED if row["checkpoint"] == checkpoint]

    wrong = {f"{row['table']} {row['key']}.{row['field']}": (row["value"], seen)
             for row in rows if (seen := shown(campaign, row)) != row["value"]}

    assert rows
    assert wrong == {}


def test_the_findings_are_the_expected_ones_and_no_others(demo: Played) -> None:
    """The mistakes that the scenario makes on purpose are found, at their rows, and nothing else is."""
    out = demo.out
    table = campaign_of(out / "italy-1500.xlsx").by_sheet("Findings")

    seen = sorted((f"{f.turn} {f.phase}", f.row, f.code, f.severity) for f in table)

    assert seen == sorted((row["checkpoint"], row["key"], row["field"], row["value"])
                          for row in EXPECTED if row["table"] == "Findings")


def test_all_dice_were_thrown_on_the_scenario_table(demo: Played) -> None:
    """The demo depends on no dice of the assistant's own."""
    out = demo.out
    dice = list(campaign_of(out / "italy-1500.xlsx").by_sheet("Dice"))

    assert dice
    assert {die.source for die in dice} == {"table"}


def test_every_club_has_its_reports(demo: Played) -> None:
    """Each of the ten factions gets a page in three forms; the gazette and the referee's report lie beside."""
    out = demo.out
    readers = {f.faction for f in campaign_of(out / "italy-1500.xlsx").by_sheet("Factions") if f.role != "neutral"}

    for folder in ("start", "1500", "latest"):
        left = {p.name for p in (out / "reports" / folder).iterdir()}
        assert left == {f"{reader}.{ending}" for reader in readers | {"gazette", "referee"}
                        for ending in ("html", "txt", "json")}


def test_the_demo_waits_for_the_marches_of_1501(demo: Played) -> None:
    """The script ends where the clubs of 1501 would write their first marches."""
    out = demo.out
    desk = campaign_of(out / "italy-1500.xlsx").desk

    assert (desk.turn, desk.phase) == ("1501", "r1.move")
