"""The Fens and the Tides, installed as plug-ins are, and campaigns of the Fens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from assistant import desk
from assistant.testing import kit
from tests.floor.fens import FOLDER
from tests.playing import copy_with_folder

SECRET = "5e" * 32
Made = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """They are found by their entry points."""
    with kit.plug_in(tmp_path_factory.mktemp("plugin"), fens="tests.floor.fens:FENS",
                     tides="tests.floor.tides:TIDES"):
        yield


def written(place: Path, files: Mapping[str, str]) -> Path:
    """A folder of CSVs."""
    place.mkdir()
    for name, text in files.items():
        (place / name).write_text(text)
    return place


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Makes a workbook of the Fens, once for the same files, to copy from."""
    @cache
    def made(**files: str) -> Path:
        place = tmp_path_factory.mktemp("fens")
        folder = written(place / "csv", {**FOLDER, **{f"{name}.csv": text for name, text in files.items()}})
        book = place / "fens.xlsx"
        result = desk.new_campaign(desk.NewPlan("fens", folder=folder, secret=SECRET), book)
        assert result.exit == desk.Exit.DONE, result.finding_lines()
        return book

    return made


@pytest.fixture
def make(pristine: Made, tmp_path: Path) -> Made:
    """Makes a workbook of the Fens, with other files in the place of some."""
    def made(**files: str) -> Path:
        return copy_with_folder(pristine(**files), tmp_path)

    return made
