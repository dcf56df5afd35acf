"""Wallingford 1139 and the worked examples once more, through the commands: CSV in, a workbook, CSV out."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.testing.cases import run_command
from assistant.workbook.read.csv_folder import read_folder
from tests import playing
from tests.anarchy import cases, test_examples, test_examples_more
from tests.anarchy.scenario import LAST_DAY, PLACE, expected, values
from tests.playing import ResolveByCommands

EXAMPLES = [test for module in (test_examples, test_examples_more) for name, test in vars(module).items()
            if name.startswith("test_") and not inspect.signature(test).parameters]


@pytest.mark.parametrize("which", [["nodes"], ["nodes", "roads", "armies", "places", "convoys", "trains", "orders"]])
def test_a_spreadsheet_may_take_the_zeros_off_the_hexes(which: list[str], tmp_path: Path) -> None:
    """Excel saves 0605 as 605: the campaign is the same, in the hexes themselves and in all that names one."""
    for file in PLACE.glob("*.csv"):
        text = file.read_text(encoding="utf-8")
        stripped = re.sub(r"(^|,)0(?=\d{3}(,|$))", r"\1", text, flags=re.MULTILINE)
        (tmp_path / file.name).write_text(stripped if file.stem in which else text, encoding="utf-8")

    _, as_written, _ = read_folder(PLACE, cases.anarchy())
    _, from_excel, findings = read_folder(tmp_path, cases.anarchy())

    assert [f for f in findings if f.stops] == []
    for sheet in ("Nodes", "Roads", "Armies", "Places", "Convoys", "Trains"):
        assert [row.as_text() for row in from_excel.by_sheet(sheet)] == [
            row.as_text() for row in as_written.by_sheet(sheet)]


@pytest.mark.slow
def test_the_scenario_through_the_commands(tmp_path: Path) -> None:
    """`new --from`, `orders`, `resolve`, `export`: every value of expected.csv stands in the folder that comes out."""
    book, state = str(tmp_path / "wallingford.xlsx"), tmp_path / "in"
    state.mkdir()
    script = {"orders.csv", "answers.csv", "dice.csv", "expected.csv"}
    for file in sorted(PLACE.glob("*.csv")):
        if file.name not in script:
            (state / file.name).write_bytes(file.read_bytes())
    code, text = run_command("new", "anarchy", book, "--from", str(state))
    assert code == 0, text
    code, text = run_command("orders", book, *(str(PLACE / f"{name}.csv") for name in ("orders", "answers", "dice")))
    assert code == 0, text
    code, text = run_command("resolve", book, "--until", f"{LAST_DAY}.close")
    assert code == 0, text
    assert run_command("export", book, "--to", str(tmp_path / "out"))[0] == 0
    _, after, findings = read_folder(tmp_path / "out", cases.anarchy())
    assert not [f for f in findings if f.stops]
    last: dict[tuple[str, str, str], str] = {}
    for day in sorted(expected()):
        last |= {row[:3]: row[3] for row in expected()[day]}
    now = values(after)
    gone = {row.army for row in after.by_sheet("Armies") if row.state != "active"}
    wrong = {key: (value, now.get(key)) for key, value in last.items() if now.get(key) != value}
    assert {key: both for key, both in wrong.items() if key[1] not in gone and key[2] != "captor"} == {}


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES[::6], ids=lambda test: test.__name__)
def test_a_worked_example_through_the_commands(
    example: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What every sixth example of the book says is also true of a workbook that was made, resolved and exported by
    commands; `test_examples` plays all of them without.
    """
    commands = ResolveByCommands(tmp_path)
    monkeypatch.setattr(playing, "resolve", commands)
    example()
    assert commands.runs
