"""The demo plays the scripted year of Il Giglio to exactly what the scenario's expected.csv says."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_scenario
from assistant.testing import kit
from assistant.testing.cases import read_expected, unlike_findings, unmet_values
from assistant.workbook.file_book import open_book
from tests.cli.conftest import Played

EXPECTED = read_expected(shipped_scenario("giglio", "italy-1500"))
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
    """It says first what it will show; at the end what to open: the summer that had battles, and a club's own page."""
    assert demo.exit_code == 0, demo.stderr
    first, afterwards, where, *_ = demo.stderr.splitlines()
    assert first == ("Il Giglio, Italy 1500: 10 factions play from 1500, Income to 1501, Opening of summer by a script,"
                     " 47 phases with their orders, choices, battles and mistakes.")
    assert "every club's report" in afterwards
    assert str(demo.out) in where
    assert "[47/47]" in demo.stderr
    year = demo.out / "reports" / "1500"
    own, _, page, club, book = demo.stdout.strip().splitlines()[-5:]
    assert own.startswith("Reports in Italian, their club's own language: ")
    assert page == f"Open first: {year / 'gazette.html'} (1500, with 4 battles)"
    assert club.startswith(f"Then what one club may know of it: {year}")
    assert book == f"Then the workbook: {demo.out / 'italy-1500.xlsx'}"
    assert "battle of Alessandria: France beats Milan" in (year / "gazette.html").read_text(encoding="utf-8")
    label, *remarks, rest = demo.stderr.strip().splitlines()[-8:]
    assert label == "The clubs of the demo make mistakes on purpose. Arbitro found 9, of these kinds:"
    assert all("  GIG-" in line for line in remarks)
    assert rest == "  and 3 more of these kinds."
    assert "Traceback" not in demo.stdout + demo.stderr


def test_each_club_reads_its_own_language_and_all_the_gazette_of_the_demo(demo: Played) -> None:
    """Of a demo in English the gazette is in English, Venice's report in Italian and the Emperor's in English."""
    said = {name: (demo.out / "reports" / "1500" / f"{name}.txt").read_text(encoding="utf-8").split("\n", 1)[0]
            for name in ("gazette", "V", "HRI")}
    assert said == {"gazette": "PUBLIC GAZETTE", "V": "VENEZIA", "HRI": "HOLY ROMAN EMPIRE"}


@pytest.mark.parametrize("checkpoint", sorted({state.checkpoint for state in STATES}))
def test_every_value_is_as_expected(demo: Played, checkpoint: str) -> None:
    """Every row of expected.csv about a state of the campaign holds in the workbook of that phase."""
    campaign = campaign_of(copy_after(demo.out, checkpoint))

    assert unmet_values([state for state in STATES if state.checkpoint == checkpoint], campaign) == []


def test_the_findings_are_the_expected_ones_and_no_others(demo: Played) -> None:
    """The mistakes that the scenario makes on purpose are found, at their rows, and nothing else is."""
    campaign = campaign_of(demo.out / "italy-1500.xlsx")

    assert unlike_findings([one for one in EXPECTED if one.table == "Findings"], campaign) == []


def test_a_scenario_without_a_script_is_refused(tmp_path: Path) -> None:
    """Nothing is begun, and what can be done with it is said."""
    bare, out = tmp_path / "bare", tmp_path / "demo"
    bare.mkdir()
    for sheet in ("desk", "factions", "nodes", "roads", "armies"):
        shutil.copyfile(shipped_scenario("giglio", "italy-1500") / f"{sheet}.csv", bare / f"{sheet}.csv")

    result = desk.demo(out, ruleset="giglio", folder=bare, lang="en")

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.REFUSED, ["ARB-710"])
    assert "arbitro simulate giglio" in result.finding_lines()[0]
    assert not out.exists()


def test_a_rulebook_without_robots_is_not_offered_to_them(tmp_path: Path) -> None:
    """What would be refused is not proposed."""
    with kit.plug_in(tmp_path, toll="tests.plugin.toll.arbitro_toll:TOLL"):
        result = desk.demo(tmp_path / "demo", ruleset="toll", lang="en")

    assert [finding.code for finding in result.findings] == ["ARB-710"]
    assert "simulate" not in result.finding_lines()[0]
