"""The tiny rulebook, installed as a plug-in is: by an entry point that Python finds on its path."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.testing import kit
from assistant.testing.cases import campaign_of
from tests.desk.tiny import FOLDER

SECRET = "5e" * 32


@pytest.fixture(scope="session", autouse=True)
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on Python's path that says which object the ruleset is."""
    place = tmp_path_factory.mktemp("plugin")
    with kit.plug_in(place, tiny="tests.desk.tiny:TINY"):
        yield place


def written(place: Path) -> Path:
    """The folder with the CSVs of a fresh campaign in it."""
    (place / "csv").mkdir()
    for name, text in FOLDER.items():
        (place / "csv" / name).write_text(text)
    return place


def copied(made: Path, place: Path) -> Path:
    """The campaign of one folder in another: workbook, ledger, backups, CSVs. The workbook's path."""
    shutil.copytree(made, place, dirs_exist_ok=True)
    return place / "war.xlsx"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The CSVs of a fresh campaign, also beside a campaign that was made from them."""
    return tmp_path / "csv" if (tmp_path / "csv").exists() else written(tmp_path) / "csv"


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that nobody has touched yet, to copy from."""
    place = written(tmp_path_factory.mktemp("fresh"))
    result = desk.new_campaign(desk.NewPlan("tiny", folder=place / "csv", secret=SECRET), place / "war.xlsx")
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    return place


@pytest.fixture(scope="session")
def marched(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """Both armies have marched to the middle, to copy from."""
    book = copied(fresh, tmp_path_factory.mktemp("marched"))
    typed = desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    assert (typed.exit, desk.resolve(book).exit) == (desk.Exit.DONE, desk.Exit.DONE)
    return book.parent


@pytest.fixture
def meeting(tmp_path: Path, marched: Path) -> Path:
    """Both armies have marched to the middle; the clash is about to be resolved."""
    return copied(marched, tmp_path)


@pytest.fixture(scope="session")
def first_turn(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """A whole turn with a battle, and the march of the next, to copy from; the village A has 3 or so of gold."""
    book = copied(fresh, tmp_path_factory.mktemp("first_turn"))
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    desk.resolve(book, until="clash", defaults=True)
    desk.take_orders(book, [desk.Input("battle B1.M1 A 3", text="battle B1.M1 A 3")])
    assert desk.resolve(book, until="2.march").exit == desk.Exit.DONE
    return book.parent


@pytest.fixture
def played(tmp_path: Path, first_turn: Path) -> Path:
    """A whole turn with a battle, and the march of the next."""
    return copied(first_turn, tmp_path)


@pytest.fixture
def book(tmp_path: Path, fresh: Path) -> Path:
    """A workbook of a fresh campaign with its ledger and the CSVs that it was made from."""
    return copied(fresh, tmp_path)


def without_marks(book: Path) -> Campaign:
    """What stands in a workbook, but for the marks that say which changes led there."""
    campaign = campaign_of(book)
    campaign.desk.marks = ""
    return campaign
