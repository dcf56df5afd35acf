"""The tiny rulebook, installed as a plug-in is: by an entry point that Python finds on its path."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from assistant import desk
from tests.desk.tiny import FOLDER

SECRET = "5e" * 32


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on Python's path that says which object the ruleset is."""
    place = tmp_path_factory.mktemp("plugin")
    info = place / "arbitro_tiny-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arbitro-tiny\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arbitro.rulesets]\ntiny = tests.desk.tiny:TINY\n")
    sys.path.insert(0, str(place))
    invalidate_caches()
    yield place
    sys.path.remove(str(place))
    invalidate_caches()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The CSVs of a fresh campaign."""
    place = tmp_path / "csv"
    place.mkdir()
    for name, text in FOLDER.items():
        (place / name).write_text(text)
    return place


@pytest.fixture
def book(tmp_path: Path, folder: Path) -> Path:
    """A workbook of a fresh campaign with its ledger."""
    path = tmp_path / "war.xlsx"
    result = desk.new(desk.Plan("tiny", folder=folder, secret=SECRET), path)
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    return path
