"""Several processes play the same bytes as one, also where one is killed in the midst."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.commands.simulate import SimulatePlan, make_setting
from assistant.laboratory.workers import KILLED, Bundle, Processes
from tests.laboratory.fatal import ONCE
from tests.laboratory.test_simulate import files_of


@pytest.mark.slow
def test_the_number_of_processes_changes_no_byte(fatal_book: Path, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """One, and two of which one is killed while it plays: the same files, and nothing played twice is counted twice."""
    plan = SimulatePlan(str(fatal_book), campaigns=60, vary=("edge=0,1",))
    assert desk.simulate(replace(plan, out=tmp_path / "one")).exit is desk.Exit.DONE

    end = tmp_path / "end"
    end.write_text("once")
    monkeypatch.setenv(ONCE, str(end))
    assert desk.simulate(replace(plan, out=tmp_path / "two", workers=2)).exit is desk.Exit.DONE

    assert not end.exists()
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


@pytest.mark.slow
def test_a_bundle_that_ends_three_processes_is_a_fault(fatal_book: Path) -> None:
    """It comes back with its seeds and why; the others are played."""
    experiment = make_setting(SimulatePlan(str(fatal_book)), "en").experiment
    start = experiment.starts[0].copy()
    start.desk.title = "falls"
    played = dict(Processes(replace(experiment, starts=(start,)), 1).play([Bundle(5, 2)]))

    assert [[sample["fault"] for sample in seed] for seed in played[Bundle(5, 2)]] == [[KILLED], [KILLED]]
    assert [seed[0]["seed"] for seed in played[Bundle(5, 2)]] == [5, 6]
