"""A tiny campaign with copies of its two clubs, made once and copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import desk
from assistant.testing import kit
from tests.desk.tiny import FOLDER


@pytest.fixture(scope="session", autouse=True)
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tiny rulebook is found by its entry point."""
    with kit.plugged_in(tmp_path_factory.mktemp("plugged-in"), tiny="tests.desk.tiny:TINY"):
        yield


@pytest.fixture(scope="session")
def villages(tmp_path_factory: pytest.TempPathFactory, plugged_in: None) -> Path:
    """Two villages before their first march, and the folder ``out`` with their copies."""
    place = tmp_path_factory.mktemp("villages")
    (place / "csv").mkdir()
    for name, text in FOLDER.items():
        (place / "csv" / name).write_text(text)
    made = desk.new(desk.Plan("tiny", folder=place / "csv", secret="5e" * 32), place / "war.xlsx")
    assert made.exit == desk.Exit.DONE, made.finding_lines()
    assert desk.share(place / "war.xlsx", place / "out").exit == desk.Exit.DONE
    return place


@pytest.fixture
def book(villages: Path, tmp_path: Path) -> Path:
    """The same campaign, to be changed, with its copies and an empty folder ``in``. The workbook's path."""
    shutil.copytree(villages, tmp_path, dirs_exist_ok=True)
    (tmp_path / "in").mkdir()
    return tmp_path / "war.xlsx"
