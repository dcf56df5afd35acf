"""What several tests of the command line share: one demo, whichever process plays it, and a plug-in's campaign."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assistant.testing.cases import must_succeed
from tests.fresh import new_campaign
from tests.once import once
from tests.playing import arbitro, copy_campaign
from tests.plugin.installing import SMALL, installed_at
from tests.workbook import clubs


@dataclass(frozen=True)
class Played:
    """The folder that `arbitro demo` left, and how the command ended."""

    out: Path
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The demo, played once a run of the tests: the first process plays, others wait for it."""
    def play(home: Path) -> None:
        result = arbitro("demo", "--out", home / "out")
        told = json.dumps([result.exit_code, result.stdout, result.stderr])
        (home / "done.json").write_text(told, encoding="utf-8")

    home = once(tmp_path_factory, "demo", play)
    code, stdout, stderr = json.loads((home / "done.json").read_text(encoding="utf-8"))
    return Played(home / "out", code, stdout, stderr)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new campaign of Il Giglio, to copy from."""
    return new_campaign(tmp_path_factory.mktemp("fresh") / "war.xlsx")


@pytest.fixture
def book(fresh: Path, tmp_path: Path) -> Path:
    """A campaign of one's own."""
    return copy_campaign(fresh, tmp_path)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """An Italian treasurer's workbook."""
    path = tmp_path / "lega.xlsx"
    path.write_bytes(clubs.treasurer())
    return path


SECRET = "ab" * 32


@pytest.fixture(scope="module")
def new_wells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Path]]:
    """The Wells, a rulebook that is a plug-in, as if it were installed: makes its campaign in a folder."""
    with installed_at(tmp_path_factory.mktemp("wells"), {"wells": SMALL["wells"]}):
        yield _new_wells


def _new_wells(folder: Path) -> Path:
    """Two camps, two wells, an order for each camp and day."""
    tables = {
        "desk.csv": "key,value\nruleset,wells\ntitle,Dry land\nlanguage,en\n",
        "factions.csv": "faction,name_en\nN,North\nS,South\n",
        "nodes.csv": "node,damp\nW1,no\nW2,yes\n",
        "orders.csv": "order,turn,phase,faction,seq,verb,target\n" + "".join(
            f"{day}-day-{who}-1,{day},day,{who},1,dig,{where}\n"
            for day in (1, 2, 3) for who, where in (("N", "W1"), ("S", "W2"))),
    }
    (folder / "csv").mkdir()
    for name, text in tables.items():
        (folder / "csv" / name).write_text(text)
    book = folder / "wells.xlsx"
    must_succeed("new", "wells", book, "--from", folder / "csv", "--secret", SECRET)
    return book
