"""The same bytes on a cluster of Dask, with a real scheduler and two workers, one of which is killed in the midst."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.commands.simulate import SimulatePlan, make_setting, running_code
from assistant.laboratory.workers import Bundle, Cluster, ClusterTrouble
from tests.laboratory.fatal import ONCE
from tests.laboratory.test_simulate import files_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def scheduler(tmp_path: Path, plugin: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, all of them processes of their own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(plugin), str(ROOT))), ONCE: str(tmp_path / "end")}
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port),
            "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard",
              "--no-nanny", "--local-directory", str(tmp_path / "dask")]
    started = [subprocess.Popen(words, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for words in (dask, worker, worker)]
    yield address
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_lost_worker_changes_no_byte(fatal_book: Path, tmp_path: Path, scheduler: str) -> None:
    """One process beside a scheduler and two workers, one of which ends while it plays; other code is refused before
    anything begins.
    """
    from distributed import Client

    plan = SimulatePlan(str(fatal_book), campaigns=60, vary=("edge=0,1",))
    assert desk.simulate(replace(plan, out=tmp_path / "one")).exit is desk.Exit.DONE
    with Client(scheduler, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
    experiment = make_setting(plan, "en").experiment
    with pytest.raises(ClusterTrouble, match="version"):
        list(Cluster(experiment, scheduler, 1, running_code, ("another", "1", "x")).play([Bundle(1, 1)]))
    (tmp_path / "end").write_text("once")
    result = desk.simulate(replace(plan, out=tmp_path / "two", cluster=scheduler), lang="en")

    assert result.exit is desk.Exit.DONE, result.finding_lines()
    assert not (tmp_path / "end").exists()
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_a_foreign_cluster_needs_tls(book: Path, tmp_path: Path) -> None:
    """Wrong usage with a word; nothing is begun."""
    result = desk.simulate(SimulatePlan(str(book), cluster="tcp://lab.example.org:8786", out=tmp_path / "lab"))

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.USAGE, ["ARB-708"])
    assert not (tmp_path / "lab").exists()


@pytest.mark.slow
def test_tls_without_certificates_is_refused(book: Path, tmp_path: Path) -> None:
    """The word names the settings; nothing is begun."""
    result = desk.simulate(SimulatePlan(str(book), cluster="tls://127.0.0.1:9", out=tmp_path / "lab"), lang="en")

    assert result.exit is desk.Exit.REFUSED
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in result.finding_lines()[0]
    assert not list((tmp_path / "lab" / "played").iterdir())


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_refused(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word after some seconds, and nothing was played."""
    monkeypatch.setattr("assistant.laboratory.workers.CONNECT_SECONDS", 1)
    result = desk.simulate(SimulatePlan(str(book), cluster="tcp://127.0.0.1:9", out=tmp_path / "lab"))

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.REFUSED, ["ARB-708"])
    assert not list((tmp_path / "lab" / "played").iterdir())
