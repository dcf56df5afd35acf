"""One demo for all tests that look at what it leaves, whichever process runs them."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main

LONGEST_DEMO = 300


@dataclass(frozen=True)
class Played:
    """The folder that `arbitro demo` left, and how the command ended."""

    out: Path
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The demo, played once a run of the tests: the first process plays, others wait for it."""
    base = tmp_path_factory.getbasetemp()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    home = (base.parent if run else base) / f"demo-{run}"
    done = home / "done.json"
    try:
        home.mkdir()
    except FileExistsError:
        end = time.monotonic() + LONGEST_DEMO
        while not done.exists():
            assert time.monotonic() < end, "the other process did not finish the demo"
            time.sleep(0.2)
    else:
        result = CliRunner().invoke(main, ["--lang", "en", "demo", "--out", str(home / "out")])
        told = json.dumps([result.exit_code, result.stdout, result.stderr])
        (home / "part.json").write_text(told, encoding="utf-8")
        (home / "part.json").rename(done)
    code, stdout, stderr = json.loads(done.read_text(encoding="utf-8"))
    return Played(home / "out", code, stdout, stderr)
