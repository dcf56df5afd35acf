"""`simulate --replay`: a campaign of the laboratory as a workbook, the same as it was played, and marked as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.records import Desk, Die, Faction
from assistant.cli.app import make_app, run
from assistant.desk.commands.simulate import SimulatePlan, make_setting, without_people
from assistant.desk.workspace.workspace import open_workspace
from assistant.laboratory.experiment import dice_secret, play_campaign, play_phases, start_of
from assistant.ledger import Ledger, path_of_ledger
from assistant.turn.rulebooks import load
from assistant.workbook.read.csv_folder import write_folder
from tests.laboratory.duel import BROKEN


def played_end(plan: SimulatePlan, seed: int) -> Campaign:
    """The campaign of a seed as the laboratory leaves it, but for the addresses of its start."""
    experiment = make_setting(plan, "en").experiment
    ruleset = load(experiment.ruleset)
    start = without_people(start_of(experiment, ruleset, 0, seed))
    *_, (_, outcome) = play_phases(ruleset, start, seed, plan.turns, tempers=experiment.tempers)
    return outcome.campaign


def same_play(played: Campaign, book: Path) -> None:
    """The workbook's campaign differs from the one that was played in nothing but what the Desk says of files."""
    written = open_workspace(book, "en").campaign
    found = changes(played, written)
    differing = [str(change) for change in found if change.sheet not in (Desk.sheet, "Findings")]
    assert differing == []
    assert len(written.table(Die)) > 0


def test_it_is_the_campaign_that_was_played(book: Path, tmp_path: Path) -> None:
    """Row by row; its secret is the seed's and no other's; it is marked in its title and its id."""
    plan = SimulatePlan(str(book), out=tmp_path / "one")
    result = desk.replay_campaign(plan, 4711, lang="en")

    assert result.exit is desk.Exit.DONE, result.finding_lines()
    replayed = tmp_path / "one" / "one.xlsx"
    assert result.data["file"] == str(replayed)
    assert result.data["over"]
    same_play(played_end(plan, 4711), replayed)
    row = open_workspace(replayed, "en").campaign.desk
    assert row.title.endswith("(laboratory, seed 4711)")
    assert row.campaign_id.startswith("laboratory-4711-")
    with Ledger.open(path_of_ledger(replayed), row.campaign_id) as ledger:
        assert ledger.secret == dice_secret(4711)
    again = desk.replay_campaign(plan, 4711, lang="en")
    assert (again.exit, [finding.code for finding in again.findings]) == (desk.Exit.FILE, ["ARB-080"])


@pytest.mark.slow
def test_it_stands_before_verify_and_leaves_the_house_by_no_door(book: Path, tmp_path: Path) -> None:
    """`verify` passes; `send`, `publish` and `collect` refuse it with a word; a real campaign is not refused."""
    assert run(["--lang", "en", "simulate", str(book), "--replay", "7", "--out", str(tmp_path / "r")], make_app) == 0
    replayed = tmp_path / "r" / "r.xlsx"

    assert desk.verify(replayed, lang="en").exit is desk.Exit.DONE
    doors = (["send", str(replayed)], ["send", str(replayed), "--dry-run"],
             ["publish", str(replayed), str(tmp_path / "site")], ["collect", str(replayed), str(tmp_path)])
    for words in doors:
        assert run(["--lang", "en", *words], make_app) == desk.Exit.REFUSED
    assert [finding.code for finding in desk.publish(replayed, tmp_path / "site").findings] == ["ARB-703"]
    assert [finding.code for finding in desk.collect(replayed, [tmp_path]).findings] == ["ARB-703"]
    assert not (tmp_path / "site").exists()
    assert desk.publish(book, tmp_path / "site").exit is desk.Exit.DONE


@pytest.mark.slow
def test_nobodys_address_is_in_it(book: Path, tmp_path: Path) -> None:
    """What the real campaign holds of people stays there; and no copy of the seed's secret is put aside."""
    workspace = open_workspace(book, "en")
    campaign = workspace.campaign.copy()
    campaign.table(Faction)["A"].mail = "anna@example.org"
    folder = tmp_path / "with"
    write_folder(campaign, folder)
    real = tmp_path / "real.xlsx"
    assert desk.new_campaign(desk.NewPlan("duel", folder=folder, force=True), real, lang="en").exit is desk.Exit.DONE

    assert desk.replay_campaign(SimulatePlan(str(real), out=tmp_path / "r"), 7).exit is desk.Exit.DONE
    shown = open_workspace(tmp_path / "r" / "r.xlsx", "en").campaign
    assert [row.mail for row in shown.table(Faction)] == ["", ""]
    assert [row.role for row in shown.table(Faction)] == ["robot", "robot"]
    assert [row.mail for row in open_workspace(real, "en").campaign.table(Faction)] == ["anna@example.org", ""]


@pytest.mark.slow
def test_a_campaign_with_a_fault_is_written_up_to_it(book: Path, tmp_path: Path) -> None:
    """It stands before the phase that breaks down, and says what that says."""
    plan = SimulatePlan(str(book), vary=("brittle=yes",), out=tmp_path / "r")
    experiment = make_setting(plan, "en").experiment
    seed = next(seed for seed in range(1, 200) if BROKEN in play_campaign(experiment, 0, seed).fault)
    result = desk.replay_campaign(plan, seed, lang="en")

    assert result.exit is desk.Exit.DONE
    assert [finding.code for finding in result.findings] == ["ARB-707"]
    assert result.data["fault"] == f"ValueError: {BROKEN}"
    assert not result.data["over"]
    with pytest.raises(ValueError, match=BROKEN):
        desk.resolve(tmp_path / "r" / "r.xlsx")


def test_a_replay_is_of_one_variant(book: Path) -> None:
    """Wrong usage, and a word."""
    result = desk.replay_campaign(SimulatePlan(str(book), vary=("edge=1,2",)), 1, lang="en")

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.USAGE, ["ARB-706"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bloodlust", "giglio", "incursio"])
def test_a_real_rulebook_is_replayed_as_it_was_played(name: str, tmp_path: Path) -> None:
    """One turn, battles fought by dice among them; `verify` passes."""
    plan = SimulatePlan(name, turns=1, out=tmp_path / "r")
    assert desk.replay_campaign(plan, 3, lang="en").exit is desk.Exit.DONE

    same_play(played_end(plan, 3), tmp_path / "r" / "r.xlsx")
    assert desk.verify(tmp_path / "r" / "r.xlsx", lang="en").exit is desk.Exit.DONE
