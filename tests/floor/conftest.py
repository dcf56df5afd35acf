"""The Fens, installed as a plug-in is, and campaigns of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from assistant import desk
from assistant.testing import kit
from tests.floor.fens import FOLDER

SECRET = "5e" * 32
Made = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Fens are found by their entry point."""
    with kit.plugged_in(tmp_path_factory.mktemp("plugin"), fens="tests.floor.fens:FENS"):
        yield


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
