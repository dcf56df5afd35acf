"""The demo plays the scripted year of Il Giglio to exactly what the scenario's expected.csv says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.resources import scenario
from assistant.testing.golden_folders import expected, unlike_findings, unmet
from assistant.workbook.file_book import open_book
from tests.cli.conftest import Played

EXPECTED = expected(scenario("giglio", "italy-1500"))
STATES = [one for one in EXPECTED if one.table != "Findings"]

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


@pytest.mark.parametrize("checkpoint", sorted({one.checkpoint for one in STATES}))
def test_every_value_is_as_expected(demo: Played, checkpoint: str) -> None:
    """Every row of expected.csv about a state of the campaign holds in the workbook of that phase."""
    campaign = campaign_of(copy_after(demo.out, checkpoint))

    assert unmet([one for one in STATES if one.checkpoint == checkpoint], campaign) == []


def test_the_findings_are_the_expected_ones_and_no_others(demo: Played) -> None:
    """The mistakes that the scenario makes on purpose are found, at their rows, and nothing else is."""
    campaign = campaign_of(demo.out / "italy-1500.xlsx")

    assert unlike_findings([one for one in EXPECTED if one.table == "Findings"], campaign) == []
