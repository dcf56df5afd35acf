"""What several tests of the command line share: one demo, whichever process plays it, and a plug-in's campaign."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import invalidate_caches
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import main
from tests.once import once


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
        result = CliRunner().invoke(main, ["--lang", "en", "demo", "--out", str(home / "out")])
        told = json.dumps([result.exit_code, result.stdout, result.stderr])
        (home / "done.json").write_text(told, encoding="utf-8")

    home = once(tmp_path_factory, "demo", play)
    code, stdout, stderr = json.loads((home / "done.json").read_text(encoding="utf-8"))
    return Played(home / "out", code, stdout, stderr)


WELLS = Path(__file__).parents[1] / "plugin" / "wells"
SECRET = "ab" * 32


@pytest.fixture(scope="module")
def new_wells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Path]]:
    """The Wells, a rulebook that is a plug-in, as if it were installed: makes its campaign in a folder."""
    place = tmp_path_factory.mktemp("wells")
    info = place / "arbitro_wells-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arbitro-wells\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arbitro.rulesets]\nwells = arbitro_wells:WELLS\n")
    sys.path[:0] = [str(place), str(WELLS)]
    invalidate_caches()
    yield _new_wells
    sys.path.remove(str(place))
    sys.path.remove(str(WELLS))
    invalidate_caches()


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
    words = ["--lang", "en", "new", "wells", str(book), "--from", str(folder / "csv"), "--secret", SECRET]
    assert CliRunner().invoke(main, words).exit_code == 0
    return book
