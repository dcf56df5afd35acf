"""`simulate`: campaigns from seeds alone, kept bundle by bundle; tables, page, and what is wrong with a call."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from assistant import desk
from assistant.campaign.records import Event
from assistant.cli.app import make_app, run
from assistant.desk.commands.simulate import SimulatePlan, make_setting
from assistant.laboratory import workers
from assistant.laboratory.experiment import (
    PILOT,
    PLACES,
    Draws,
    Experiment,
    Sample,
    Variant,
    dice_secret,
    grid,
    kind_of_ending,
    play_campaign,
    players,
    start_of,
)
from assistant.laboratory.totals import COLUMNS, IN_PARTS, Totals, as_csv, error_at, part_files, share, total_rows
from assistant.testing import fog
from assistant.turn.event_types import Ending, Said
from assistant.turn.phases import give_robot_orders, robots_of
from assistant.turn.rulebooks import load
from assistant.turn.throw_chances import phase_player
from tests.desk.tiny import Faction
from tests.laboratory.duel import BROKEN, DUEL, Drawn
from tests.turn.test_throw_chances import unscripted


def call(plan: SimulatePlan) -> desk.Result:
    """The command in English, without progress."""
    return desk.simulate(plan, lang="en")


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    """A table as it was written."""
    return list(csv.DictReader(io.StringIO((folder / name).read_text(encoding="utf-8"))))


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of an experiment, those of its bundles among them."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file()}


# What is played.


def test_a_campaign_comes_from_its_seed_alone(book: Path) -> None:
    """Played first or last, by another ledger's side or not: the same seed is the same campaign; another is another."""
    experiment = make_setting(SimulatePlan(str(book)), "en").experiment
    alone = play_campaign(experiment, 0, 4711)
    beside = [play_campaign(experiment, 0, seed) for seed in (4710, 4711, 4712)]

    assert not alone.fault
    assert alone == beside[1] != replace(beside[0], seed=4711)
    assert alone.length == 3
    assert Sample.of(alone.as_plain()) == alone


@pytest.mark.slow
def test_no_die_comes_from_a_campaigns_secret(book: Path, tmp_path: Path) -> None:
    """Two campaigns that differ in nothing but their secrets are the same experiment, with the same bytes."""
    other = tmp_path / "other" / "war.xlsx"
    other.parent.mkdir()
    made = desk.new_campaign(desk.NewPlan("duel", folder=tmp_path / "csv", secret="77" * 32), other, lang="en")
    assert made.exit is desk.Exit.DONE
    assert made.data["campaign"] != desk.status(book).data.get("campaign", "")

    for one in (book, other):
        assert call(SimulatePlan(str(one), campaigns=12, out=one.parent / "lab")).exit is desk.Exit.DONE

    mine, theirs = files_of(tmp_path / "lab"), files_of(other.parent / "lab")
    assert {name: mine[name] for name in mine if name != workers.WHAT} == {
        name: theirs[name] for name in theirs if name != workers.WHAT}
    assert dice_secret(1) != dice_secret(2) != dice_secret(2, PILOT)


def test_variants_share_their_dice(book: Path) -> None:
    """On the same seed only what the number changes differs: with an edge of 9 A always wins, by the same throws."""
    experiment = make_setting(SimulatePlan(str(book), vary=("edge=0,9",)), "en").experiment
    pairs = [[play_campaign(experiment, variant, seed) for variant in (0, 1)] for seed in range(20)]

    assert all(second.winners == ("A",) for _, second in pairs)
    assert len({first.winners for first, _ in pairs}) == 3
    again = [play_campaign(replace(experiment, series=PILOT), 0, seed) for seed in range(20)]
    assert [one.winners for one in again] != [first.winners for first, _ in pairs]


def test_a_grid_has_every_combination(book: Path) -> None:
    """In the order of the words, each variant with its own start."""
    cells = grid(["edge=0,1", "brittle=no,yes"], DUEL.numbers)

    assert [cell.name for cell in cells] == ["edge=0, brittle=no", "edge=0, brittle=yes", "edge=1, brittle=no",
                                             "edge=1, brittle=yes"]
    experiment = make_setting(SimulatePlan(str(book), vary=("edge=0,1", "brittle=no,yes")), "en").experiment
    assert [load("duel").rules(start).values() for start in experiment.starts] == [dict(cell.values) for cell in cells]


def test_what_a_faction_does_not_know_is_drawn_by_the_seed(book: Path) -> None:
    """From its view alone, where the rulebook says how; the same seed draws the same."""
    campaign = make_setting(SimulatePlan(str(book)), "en").experiment.starts[0]
    view = DUEL.view(campaign, "A")
    experiment = Experiment("duel", (Variant(),), (view,), faction="A")
    gold = [[row.gold for row in start_of(experiment, Drawn(), 0, seed).table(Faction)] for seed in (1, 1, 2, 3, 4)]

    assert gold[0] == gold[1]
    assert len({tuple(one) for one in gold}) > 1
    assert all(one[0] == 0 for one in gold)


# Faults.


def test_a_fault_is_kept_with_its_seed_and_its_pair_drops(book: Path, tmp_path: Path) -> None:
    """The campaign is counted, with its place; its seed counts in no variant; above one per cent the page says so."""
    plan = SimulatePlan(str(book), campaigns=100, vary=("brittle=no,yes",), out=tmp_path / "lab")
    result = call(plan)

    rows = rows_of(tmp_path / "lab", "campaigns-1.csv")
    broken = [row for row in rows if row["fault"]]
    assert len(rows) == 200
    assert {row["variant"] for row in broken} == {"1"}
    assert all(BROKEN in row["fault"] and "duel.py" in row["fault"] for row in broken)
    assert 1 < len(broken) == result.data["faults"] == result.data["dropped"] < 30
    assert [variant["campaigns"] for variant in result.data["variants"]] == [100 - len(broken)] * 2
    assert [finding.code for finding in result.findings] == ["ARB-705"]
    page = (tmp_path / "lab" / "laboratory-en.html").read_text(encoding="utf-8")
    assert "Trust nothing on this page" in page
    assert f"<td class=\"num\">{broken[0]['seed']}</td>" in page


def test_below_one_per_cent_the_page_trusts_itself() -> None:
    """One of a hundred is not more than one in a hundred."""
    totals = Totals.of(1, ["A"])
    for seed in range(100):
        totals.add([Sample(seed, 0, fault="x" if seed == 50 else "")])

    assert not totals.doubtful
    totals.add([Sample(100, 0, fault="x")])
    assert totals.doubtful


# Files.


def test_the_tables_hold_what_was_played(book: Path, tmp_path: Path) -> None:
    """Campaigns, turns and figures of each seed; winners and uses add up; the page shows them."""
    result = call(SimulatePlan(str(book), campaigns=25, out=tmp_path / "lab"))

    folder = tmp_path / "lab"
    campaigns, turns = rows_of(folder, "campaigns-1.csv"), rows_of(folder, "turns-1.csv")
    assert [row["seed"] for row in campaigns] == [str(seed) for seed in range(1, 26)]
    assert len(turns) == 75
    won = Counter(row["winners"] for row in campaigns)
    assert {row["faction"]: int(row["won"]) for row in rows_of(folder, "winners.csv")} == {"A": won["A"], "B": won["B"]}
    assert int(rows_of(folder, "variants.csv")[0]["drawn"]) == won[""] > 0
    battles = sum(int(row["battles"]) for row in turns)
    uses = {(row["kind"], row["word"]): int(row["times"]) for row in rows_of(folder, "uses.csv")}
    assert uses["event", "fought"] == battles == sum(int(row["battles"]) for row in campaigns) > 0
    assert uses["event", "flooded"] == uses["rule", "3"] == 0
    last = [row for row in rows_of(folder, "figures-1.csv") if row["turn"] == "3" and row["figure"] == "Gold"]
    assert sum(int(row["value"]) for row in last) == uses["event", "gained"]
    page = (folder / "laboratory-en.html").read_text(encoding="utf-8")
    assert "Never used by any event: chapter 3." in page
    assert "Events that never happened: flooded." in page
    assert not re.search(r"(?:src|href)=|url\(", page)
    assert result.lines[-1] == f"Open {folder / 'laboratory-en.html'}; the tables lie beside it."


@pytest.mark.slow
def test_parquet_holds_the_same_as_csv(book: Path, tmp_path: Path) -> None:
    """Read by pandas, table by table, with the same columns and values."""
    import pandas as pd

    call(SimulatePlan(str(book), campaigns=5, vary=("edge=0,1",), out=tmp_path / "lab"))

    seen = set()
    for path in sorted((tmp_path / "lab").glob("*.parquet")):
        table = pd.read_parquet(path)
        rows = [{name: row[name] if not pd.isna(row[name]) else None for name in table.columns}
                for _, row in table.iterrows()]
        kinds = {**COLUMNS[path.stem.partition("-")[0]], "edge": int}
        assert as_csv(rows, {name: kinds[name] for name in table.columns}) == path.with_suffix(
            ".csv").read_bytes()
        seen.add(path.stem)
    assert seen == {"campaigns-1", "turns-1", "figures-1", *set(COLUMNS) - set(IN_PARTS)}


def test_a_second_call_goes_on_from_what_is_done(book: Path, tmp_path: Path) -> None:
    """Bundles that are there are not played again, and the bytes are those of one call; other numbers are refused."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    call(SimulatePlan(str(book), campaigns=40, out=whole))
    call(SimulatePlan(str(book), campaigns=20, out=parts))
    first = {path: path.stat().st_mtime_ns for path in (parts / workers.DONE).iterdir()}
    call(SimulatePlan(str(book), campaigns=40, out=parts))

    assert files_of(whole) == files_of(parts)
    assert {path: path.stat().st_mtime_ns for path in first} == first
    other = call(SimulatePlan(str(book), campaigns=40, vary=("edge=1",), out=parts))
    assert (other.exit, [finding.code for finding in other.findings]) == (desk.Exit.REFUSED, ["ARB-702"])
    assert files_of(whole) == files_of(parts)


@pytest.mark.slow
def test_interrupted_it_keeps_what_it_has_played(book: Path, tmp_path: Path) -> None:
    """Ctrl-C in the midst leaves whole bundles, and the next call the bytes of an undisturbed one."""
    lines: list[str] = []

    def stop(line: str) -> None:
        lines.append(line)
        if line.startswith("[20/"):
            raise KeyboardInterrupt

    plan = SimulatePlan(str(book), campaigns=40, out=tmp_path / "lab")
    with pytest.raises(KeyboardInterrupt):
        desk.simulate(plan, lang="en", tell=stop)
    assert len(list((tmp_path / "lab" / workers.DONE).iterdir())) == 2
    assert lines[-1] == f"What was played is kept in {tmp_path / 'lab'}; the same command goes on from there."

    call(plan)
    call(replace(plan, out=tmp_path / "whole"))
    assert files_of(tmp_path / "lab") == files_of(tmp_path / "whole")


def test_there_is_a_part_file_for_each_thousand_seeds() -> None:
    """Named by its first seed, with its own seeds in their order."""
    seeds = [[Sample(seed, 0, over=True, winners=("A",))] for seed in range(5, 1015)]
    totals = Totals.of(1, ["A"])

    first, second = part_files(iter(seeds), totals, (Variant(),), parquet=False)
    assert list(first) == ["campaigns-5.csv", "turns-5.csv", "figures-5.csv"]
    assert len(first["campaigns-5.csv"].splitlines()) == 1001
    assert [line.split(b",")[0] for line in second["campaigns-1005.csv"].splitlines()[1:]] == [
        str(seed).encode() for seed in range(1005, 1015)]
    assert (totals.seeds, totals.variants[0].wins["A"]) == (1010, 1010)


def test_no_part_of_a_longer_call_is_left_behind(book: Path, tmp_path: Path) -> None:
    """Its file goes, and nothing else."""
    call(SimulatePlan(str(book), campaigns=1, seed=7, out=tmp_path / "lab"))
    (tmp_path / "lab" / "campaigns-notes.txt").write_text("mine")
    call(SimulatePlan(str(book), campaigns=1, seed=3, out=tmp_path / "lab"))

    assert sorted(path.name for path in (tmp_path / "lab").glob("campaigns*.[ct]*")) == ["campaigns-3.csv",
                                                                                       "campaigns-notes.txt"]


# Until a margin is reached.


@pytest.mark.slow
def test_a_margin_is_looked_at_after_500_campaigns_and_not_before(book: Path, tmp_path: Path) -> None:
    """The pilot says how many will do and counts nowhere; the page is of 500 seeds; the error of the first look."""
    lines: list[str] = []
    plan = SimulatePlan(str(book), margin=8, out=tmp_path / "lab")
    result = desk.simulate(plan, lang="en", tell=lines.append)

    assert "A pilot of 100 campaigns, which does not count, says that 500 are enough for 8.0 points." in lines
    assert result.data["needed"] == result.data["campaigns"] == 500
    assert 0 < result.data["margin"] <= 8
    assert result.lines[0].startswith("After 500 campaigns all that is said of the victories is right to within ")
    assert len(list((tmp_path / "lab" / workers.DONE / PILOT).iterdir())) == 10
    rows = {row["faction"]: row for row in rows_of(tmp_path / "lab", "winners.csv")}
    seen = share(int(rows["A"]["won"]), 500, error_at(1, 2))
    assert rows["A"]["low"] == f"{seen.low:.6f}"
    page = (tmp_path / "lab" / "laboratory-en.html").read_text(encoding="utf-8")
    assert "right with 97.5 % certainty" in page
    assert "500 are enough for 8.0 points" in page


def test_a_margin_that_cannot_be_reached_ends_at_the_last_look(monkeypatch: pytest.MonkeyPatch, book: Path,
                                                               tmp_path: Path) -> None:
    """With --campaigns the looks end there; what was reached is said."""
    monkeypatch.setattr("assistant.desk.commands.simulate.LOOKS", (10, 20, 40))
    lines: list[str] = []
    result = desk.simulate(SimulatePlan(str(book), campaigns=30, margin=1, vary=("edge=0,2",), out=tmp_path / "lab"),
                           lang="en", tell=lines.append)

    assert "A pilot of 100 campaigns, which does not count, says that 20 are not enough for 1.0 points." in lines
    assert (result.data["campaigns"], result.data["needed"]) == (40, 0)
    assert result.data["margin"] > 1
    assert result.lines[0].startswith("After 20 campaigns all that is said")


def test_a_margin_needs_five_hundred(capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong usage, and a word."""
    assert run(["--lang", "en", "simulate", "giglio", "--margin", "3", "--campaigns", "499"], make_app) == 2
    assert "--margin needs 500 campaigns at least." in capsys.readouterr().err


# Calls that are wrong.


@pytest.mark.parametrize(("varied", "told"), [
    ("edgy=1", "'edgy' is not a number or switch of Two Bridges. Did you mean edge?"),
    ("edge=1,-1", "'-1' is not a value for edge; allowed: >= 0."),
    ("brittle=maybe", "'maybe' is not a value for brittle; allowed: no, yes."),
    ("edge", "'edge' gives no value for a number: write NAME=VALUE"),
    ("edge=1,1", "'edge=1,1' names the same twice."),
    (f"edge={','.join(map(str, range(65)))}", "These are 65 combinations of values, and at most 64"),
])
def test_a_variation_is_judged_before_anything_begins(book: Path, varied: str, told: str) -> None:
    """Wrong usage with a word, and no folder."""
    result = call(SimulatePlan(str(book), vary=(varied,)))

    assert result.exit is desk.Exit.USAGE
    (line,) = result.finding_lines()
    assert line.startswith(f"ARB-700  {told}")
    assert line.endswith("Nothing was begun.")
    assert not book.with_name("war-laboratory").exists()


def test_what_cannot_be_played_is_refused(book: Path, tmp_path: Path) -> None:
    """A view without a draw, a rulebook without a scenario or that is not there, a club's copy, a strange folder."""
    def codes(plan: SimulatePlan) -> tuple[int, list[str]]:
        result = call(plan)
        return int(result.exit), [finding.code for finding in result.findings]

    assert codes(SimulatePlan(str(book), view="A")) == (1, ["ARB-704"])
    assert codes(SimulatePlan(str(book), view="Z")) == (2, ["ARB-084"])
    assert codes(SimulatePlan("nothing")) == (2, ["ARB-081"])
    assert codes(SimulatePlan("giglio", scenario="nowhere")) == (2, ["ARB-082"])
    assert codes(SimulatePlan(str(tmp_path / "no.xlsx"))) == (5, ["ARB-075"])
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "photo.jpg").write_bytes(b"x")
    assert codes(SimulatePlan(str(book), out=tmp_path / "strange")) == (1, ["ARB-702"])
    book.with_suffix(".arbitro").unlink()
    assert codes(SimulatePlan(str(book))) == (4, ["ARB-070"])


def test_a_rulebook_without_robots_is_refused(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could play it."""
    monkeypatch.delattr(type(DUEL), "robot_orders")
    monkeypatch.delattr("tests.desk.tiny.Tiny.robot_orders")

    result = call(SimulatePlan(str(book)))
    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.REFUSED, ["ARB-701"])


# The real rulebooks, and the command line.


def test_no_number_is_called_like_a_column() -> None:
    """Each varied number is a column of its own in the table of campaigns."""
    for name in ("anarchy", "bloodlust", "giglio", "incursio", "warriors"):
        assert not {rule.key for rule in load(name).numbers} & COLUMNS["campaigns"].keys()


@pytest.mark.slow
def test_the_command_line_plays_a_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two turns of Incursio: progress goes to stderr, the page is named, the workings are the desk's."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(make_app("en"), ["simulate", "incursio", "--campaigns", "2", "--turns", "1"])

    assert done.exit_code == 0, done.output
    assert "[2/2] about 0:00:00 left" in done.stderr
    assert done.stdout.splitlines() == [
        "Campaigns: 2; played to their end: 0. Who won: –.",
        "Open incursio-laboratory/laboratory-en.html; the tables lie beside it."]
    assert (tmp_path / "incursio-laboratory" / "laboratory-en.html").is_file()
    assert run(["simulate", "incursio", "--campaigns", "0"], make_app) == 2


@pytest.mark.slow
def test_another_order_of_sets_changes_no_byte(tmp_path: Path) -> None:
    """Two processes with different hashes write the same files."""
    for seed in ("1", "2"):
        subprocess.run([sys.executable, "-m", "assistant", "simulate", "giglio", "--campaigns", "1", "--turns", "1",
                        "--out", seed], cwd=tmp_path, check=True, capture_output=True,
                       env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])})

    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")
    (row,) = rows_of(tmp_path / "1", "campaigns-1.csv")
    assert row["fault"] == ""
    assert int(row["events"]) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anarchy", "bloodlust", "warriors"])
def test_every_rulebook_is_played(name: str) -> None:
    """A turn of each, without a fault, with figures of every faction at its end."""
    experiment = make_setting(SimulatePlan(name, turns=1), "en").experiment
    played = play_campaign(experiment, 0, 1)

    assert played.fault == ""
    assert list(played.turns[-1].figures) == players(experiment.starts[0])
    assert all(PLACES in values for values in played.turns[-1].figures.values())


@pytest.mark.slow
def test_the_page_says_whether_a_campaign_lives(tmp_path: Path) -> None:
    """A year of Bloodlust: where nothing forbids to fight, wars and battles, season by season, add up in the tables and
    stand on the page in both languages; a campaign that ended says what decided.
    """
    plan = SimulatePlan("bloodlust", campaigns=1, turns=4, out=tmp_path / "lab")
    for lang in ("en", "it"):
        assert desk.simulate(plan, lang=lang).exit is desk.Exit.DONE
    pace, turns = rows_of(tmp_path / "lab", "pace.csv"), rows_of(tmp_path / "lab", "turns-1.csv")

    assert [row["turn"] for row in pace] == ["987Sp", "987Su", "987Fa", "987Wi"]
    for name in ("battles", "wars", "frontiers", "free"):
        assert [row[name] for row in pace] == [row[name] for row in turns]
    assert 0 < int(pace[-1]["free"]) < int(pace[0]["free"]) <= int(pace[0]["frontiers"])
    page, italian = ((tmp_path / "lab" / f"laboratory-{lang}.html").read_text(encoding="utf-8")
                     for lang in ("en", "it"))
    assert "frontiers free to fight" in page
    assert "Turno per turno" in italian
    assert rows_of(tmp_path / "lab", "endings.csv") == []


def test_what_decided_does_not_ask_who() -> None:
    """Endings that differ in the winner and in figures are of one kind; those that were counted otherwise are not."""
    totals = Totals.of(1, ["A", "B"])
    for seed, decided in enumerate(("points", "points", "all dead")):
        totals.add([Sample(seed, 0, over=True, winners=("AB"[seed % 2],), decided=decided,
                           told={"en": f"Seed {seed}."})])
    tables = total_rows(DUEL, totals, (Variant(),), 0)

    assert [(row["decided"], row["campaigns"], row["seed"], row["told"]) for row in tables["endings"]] == [
        ("all dead", 1, 2, "Seed 2."), ("points", 2, 0, "Seed 0.")]
    ends = [Ending((Said("{winners} have won.", {"winners": who}),), (Event(event="points", data={"n": n}),))
            for who, n in (("A", 3), ("B", 5))]
    assert len({kind_of_ending(end, {"A", "B"}) for end in ends}) == 1
    how = [Ending((Event(event="campaign_ends", data={"winners": "A", "how": word}),)) for word in ("score", "peace")]
    assert len({kind_of_ending(end, {"A", "B"}) for end in how}) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "who", "phases"), [("anarchy", "angevin", 8), ("bloodlust", "VOR", 11),
                                                     ("giglio", "V", 12), ("warriors", "dwarfs", 9)])
def test_a_campaign_from_a_factions_view(name: str, who: str, phases: int) -> None:
    """In the midst of a campaign the rulebook draws what the faction does not know: another seed draws otherwise, what
    it knows stands as it is, no hidden fact changes anything, and a turn is played from it without a fault.
    """
    ruleset = load(name)
    assert isinstance(ruleset, Draws)
    campaign = unscripted(ruleset)
    for _ in range(phases):
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        campaign = phase_player(ruleset, campaign)(b"a campaign", {}).outcome.campaign
    facts = list(fog.hidden_cells(ruleset, campaign, who, lambda row: getattr(row, "event", "") == "opened"))
    other = fog.with_other_values(campaign, fog.still_hidden_cells(ruleset, campaign, who, facts))
    views = (ruleset.view(whole, who) for whole in (campaign, other))
    drawn, again = ([[row.as_text() for table in ruleset.draw(view, who, Random(seed)).tables().values()
                      for row in table] for seed in (1, 2)] for view in views)

    assert drawn == again
    assert drawn[0] != drawn[1]
    view = ruleset.view(campaign, who)
    first, viewer = ruleset.draw(view, who, Random(1)), ruleset.viewer(campaign, who)
    for table in view.tables().values():
        for key, row in table.raw_rows():
            if viewer.owns(campaign.by_sheet(table.record.sheet).get(key) or row):
                assert first.by_sheet(table.record.sheet)[key].as_text() == row.as_text()
    experiment = Experiment(name, (Variant(),), (view,), turns=1, faction=who)
    assert [play_campaign(experiment, 0, seed).fault for seed in (1, 2)] == ["", ""]


@pytest.mark.slow
def test_the_command_plays_what_a_faction_knows(tmp_path: Path) -> None:
    """From Venice's view, by one process and by two: the same bytes; where no draw is declared, a word and no page."""
    plan = SimulatePlan("giglio", campaigns=12, turns=1, view="V", out=tmp_path / "one")
    assert call(plan).exit is desk.Exit.DONE
    assert call(replace(plan, workers=2, out=tmp_path / "two")).exit is desk.Exit.DONE

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert {row["fault"] for row in rows_of(tmp_path / "one", "campaigns-1.csv")} == {""}
    refused = call(SimulatePlan("incursio", view="esdef", out=tmp_path / "three"))
    assert (refused.exit, [finding.code for finding in refused.findings]) == (desk.Exit.REFUSED, ["ARB-704"])
    assert not (tmp_path / "three").exists()


@pytest.mark.slow
def test_without_frontiers_the_page_has_no_such_columns(tmp_path: Path) -> None:
    """Squares of Warriors have no owners side by side."""
    plan = SimulatePlan("warriors", campaigns=1, turns=2, out=tmp_path / "lab")
    assert desk.simulate(plan, lang="en").exit is desk.Exit.DONE
    page = (tmp_path / "lab" / "laboratory-en.html").read_text(encoding="utf-8")
    assert "turns without a battle" in page
    assert "frontiers free to fight" not in page
