"""What several tests start from and what takes long is made once a run, whichever process of the run comes first."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

LONGEST = 1800


def run_folder() -> Path:
    """A folder of this run, common to all its processes, for what is worked out once."""
    place = Path(tempfile.gettempdir()) / f"arbitro-tests-{os.environ.get('PYTEST_XDIST_TESTRUNUID') or os.getpid()}"
    place.mkdir(exist_ok=True)
    return place


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, filled by `make`: the first process of a run fills it, the others wait for it."""
    base = factory.getbasetemp()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "")
    home = (base.parent if run else base) / f"{name}-{run}"
    done, failed = home.with_suffix(".done"), home.with_suffix(".failed")
    try:
        home.mkdir()
    except FileExistsError:
        end = time.monotonic() + LONGEST
        while not done.exists():
            assert not failed.exists(), f"the other process could not make {name}; its own test says why"
            assert time.monotonic() < end, f"the other process did not finish {name}"
            time.sleep(0.2)
        return home
    try:
        make(home)
    except BaseException:
        failed.touch()
        raise
    done.touch()
    return home
