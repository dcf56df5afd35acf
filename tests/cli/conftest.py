"""One demo for all tests that look at what it leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.cli import main


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder that `arbitro demo` leaves, and how the command ended."""
    out = tmp_path_factory.mktemp("demo") / "out"
    return out, CliRunner().invoke(main, ["--lang", "en", "demo", "giglio", "--out", str(out)])
