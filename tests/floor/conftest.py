"""The Fens, installed as a plug-in is, and campaigns of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import invalidate_caches
from pathlib import Path

import pytest

from assistant import desk
from tests.floor.fens import FOLDER

SECRET = "5e" * 32
Made = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder on Python's path that says which object the ruleset is."""
    place = tmp_path_factory.mktemp("plugin")
    info = place / "arbitro_fens-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arbitro-fens\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arbitro.rulesets]\nfens = tests.floor.fens:FENS\n")
    sys.path.insert(0, str(place))
    invalidate_caches()
    yield
    sys.path.remove(str(place))
    invalidate_caches()


def written(place: Path, files: Mapping[str, str]) -> Path:
    """A folder of CSVs."""
    place.mkdir()
    for name, text in files.items():
        (place / name).write_text(text)
    return place


@pytest.fixture
def make(tmp_path: Path) -> Made:
    """Makes a workbook of the Fens, with other files in the place of some."""
    def made(**files: str) -> Path:
        folder = written(tmp_path / "csv", {**FOLDER, **{f"{name}.csv": text for name, text in files.items()}})
        book = tmp_path / "fens.xlsx"
        result = desk.new(desk.Plan("fens", folder=folder, secret=SECRET), book)
        assert result.exit == desk.Exit.DONE, result.finding_lines()
        return book

    return made
