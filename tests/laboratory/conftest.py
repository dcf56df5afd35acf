"""The tiny rulebook of the laboratory's tests, installed as a plug-in is, and a workbook of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import desk
from assistant.testing import kit
from tests.desk.tiny import FOLDER


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on Python's path that says which object the ruleset is."""
    place = tmp_path_factory.mktemp("plugin")
    with kit.plug_in(place, duel="tests.laboratory.duel:DUEL", fatal="tests.laboratory.fatal:FATAL"):
        yield place


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, plugin: Path) -> Path:
    """A new campaign of it, with its ledger, to copy from; its CSVs lie beside it."""
    place = tmp_path_factory.mktemp("made")
    (place / "csv").mkdir()
    for name, text in FOLDER.items():
        (place / "csv" / name).write_text(text.replace("ruleset,tiny", "ruleset,duel"))
    plan = desk.NewPlan("duel", folder=place / "csv", secret="5e" * 32)
    assert desk.new_campaign(plan, place / "war.xlsx", lang="en").exit is desk.Exit.DONE
    return place


@pytest.fixture
def book(made: Path, tmp_path: Path) -> Path:
    """A new campaign of it, with its ledger."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "war.xlsx"


@pytest.fixture
def fatal_book(made: Path, tmp_path: Path) -> Path:
    """A new campaign of the rulebook that can end its process."""
    (tmp_path / "csv").mkdir()
    for path in (made / "csv").iterdir():
        (tmp_path / "csv" / path.name).write_text(path.read_text().replace("ruleset,duel", "ruleset,fatal"))
    plan = desk.NewPlan("fatal", folder=tmp_path / "csv", secret="5e" * 32)
    assert desk.new_campaign(plan, tmp_path / "war.xlsx", lang="en").exit is desk.Exit.DONE
    return tmp_path / "war.xlsx"
