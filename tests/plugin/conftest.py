"""The example plug-in as it is where somebody has installed it: Python finds it, and its entry point with it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.testing import kit

sys.path.append(str(Path(__file__).parent / "wells"))


@pytest.fixture(scope="session", autouse=True)
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Wells and the tiny rulebooks of other tests are found by their entry points."""
    with kit.plug_in(tmp_path_factory.mktemp("plugged-in"), wells="arbitro_wells:WELLS",
                     tiny="tests.desk.tiny:TINY", raid="tests.turn.raid:RAID"):
        yield
