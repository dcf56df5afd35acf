"""A plug-in that crashes is named, with its file and line; Arbitro takes no blame, and nothing is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.cli.app import make_app, run
from assistant.turn.rulebooks import UnfitRuleset, load
from tests.plugin.installing import HERE, installed_at
from tests.sweeps import all_slow

SOURCE = (HERE / "toll" / "arbitro_toll" / "__init__.py").read_text(encoding="utf-8")
FAULTS = {
    "missing": ("land.lords[ford.owner].pence += 1", 'land.lords["NOBODY"].pence += 1', "holding", "KeyError"),
    "judged": ("    carry_all(land, take(land))",
               '    carry_all(land, take(land) if 1 / ("o1" not in land.campaign.by_sheet("Orders")) else ())',
               "orders", "ZeroDivisionError"),
    "dicey": ("land.lords[ford.owner].pence += 1", 'land.lords[ford.owner].pence += land.game.roll("toll:1").total',
              "holding", "toll:1: 1d6 is thrown"),
}
"""Of each plug-in what of The Toll is spoiled, how, in which function it is noticed, and what is said of it."""


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Toll with a fault, once for each, and one that cannot even be loaded."""
    place = tmp_path_factory.mktemp("faulty")
    for name, (sound, spoiled, _, _) in FAULTS.items():
        assert SOURCE.count(sound) == 1
        (place / f"faulty_{name}").mkdir()
        (place / f"faulty_{name}" / "__init__.py").write_text(
            SOURCE.replace('id = "toll"', f'id = "{name}"').replace(sound, spoiled), encoding="utf-8")
    (place / "faulty_import").mkdir()
    (place / "faulty_import" / "__init__.py").write_text("DAYS = 3\nWELLS = DAYS.count()\n", encoding="utf-8")
    with installed_at(place, {name: f"faulty_{name}:TOLL" for name in (*FAULTS, "import")}):
        yield


def line_of(name: str) -> int:
    """Where the spoiled line stands in a plug-in."""
    spoiled = FAULTS[name][1].strip()
    lines = load(name).homes()[0].folder
    text = Path(lines, "__init__.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(text, 1) if spoiled in line)


@pytest.fixture
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A campaign of the plug-in of the test, with a claim."""
    folder = tmp_path / "csv"
    folder.mkdir()
    scenario = HERE / "toll" / "arbitro_toll" / "scenarios" / "fords"
    for file in scenario.glob("*.csv"):
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "orders.csv").write_text("order,turn,phase,faction,verb,target\no1,1,turn,A,claim,F1\n")
    path = tmp_path / "war.xlsx"
    assert run(["new", request.getfixturevalue("name"), str(path), "--from", str(folder)], make_app) == 0
    return path


@pytest.mark.parametrize("lang", ["en", *all_slow(["it"])])
@pytest.mark.parametrize("name", FAULTS)
def test_a_crash_names_the_plug_in_its_file_and_line(
        name: str, lang: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where the fault comes to light deep inside Arbitro; the workbook stays as it was."""
    before, at = book.read_bytes(), line_of(name)
    capsys.readouterr()

    assert run(["--lang", lang, "resolve", str(book)], make_app) == 70

    said = capsys.readouterr().err
    first = said.splitlines()[0]
    assert f"{name} ({'package' if lang == 'en' else 'pacchetto'} arbitro-{name})" in first
    assert f"faulty_{name}/__init__.py, {'line' if lang == 'en' else 'riga'} {at}, in {FAULTS[name][2]}" in first
    assert FAULTS[name][3] in first
    assert "Arbitro" not in first
    assert ("changed nothing" if lang == "en" else "non ha cambiato nulla") in first
    assert book.read_bytes() == before
    assert f"faulty_{name}" in (book.parent / "arbitro-crash.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["judged"])
def test_checking_orders_names_it_too_and_so_does_json(
        name: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What goes wrong in the phase goes wrong in the check of it."""
    capsys.readouterr()
    assert run(["--lang", "en", "check", str(book), "--json"], make_app) == 70
    told = json.loads(capsys.readouterr().out)
    assert "faulty_judged/__init__.py" in told["lines"][0]


def test_a_fault_of_arbitros_own_is_still_its_own() -> None:
    """Where no plug-in was at work nobody else is named; in a process of its own, for these tests install plug-ins."""
    program = ("from assistant.desk import report_crash\ntry: int('x')\nexcept ValueError as fault:\n"
               "    print(report_crash(fault, None, 'en'))")

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == str([
        "Arbitro has a fault of its own (ValueError). The step that was under way changed nothing."])


def test_what_cannot_be_loaded_says_where() -> None:
    """The line of the plug-in's file at which it broke."""
    with pytest.raises(UnfitRuleset) as caught:
        load("import")
    assert "(__init__.py, 2)" in str(caught.value.finding.data["reason"])
