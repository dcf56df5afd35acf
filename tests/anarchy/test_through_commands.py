"""Wallingford 1139 and the worked examples once more, through the commands: CSV in, a workbook, CSV out."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Event, Question
from assistant.cli import main
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws.dice import typed_roll
from assistant.workbook.read.csvfolder import read_folder, write_folder
from tests.anarchy import cases, test_examples, test_examples_more
from tests.anarchy.scenario import LAST_DAY, PLACE, expected, values

EXAMPLES = [test for module in (test_examples, test_examples_more) for name, test in vars(module).items()
            if name.startswith("test_") and not inspect.signature(test).parameters]


def command(*words: str) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    result = CliRunner().invoke(main, list(words), catch_exceptions=False)
    return result.exit_code, result.stdout


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
    code, text = command("new", "anarchy", book, "--from", str(state))
    assert code == 0, text
    code, text = command("orders", book, *(str(PLACE / f"{name}.csv") for name in ("orders", "answers", "dice")))
    assert code == 0, text
    code, text = command("resolve", book, "--until", f"{LAST_DAY}.close")
    assert code == 0, text
    assert command("export", book, "--to", str(tmp_path / "out"))[0] == 0
    _, after, findings = read_folder(tmp_path / "out", cases.anarchy())
    assert not [f for f in findings if f.stops]
    last: dict[tuple[str, str, str], str] = {}
    for day in sorted(expected()):
        last |= {row[:3]: row[3] for row in expected()[day]}
    now = values(after)
    gone = {row.army for row in after.by_sheet("Armies") if row.state != "active"}
    wrong = {key: (value, now.get(key)) for key, value in last.items() if now.get(key) != value}
    assert {key: both for key, both in wrong.items() if key[1] not in gone and key[2] != "captor"} == {}


class Commands:
    """Stands where `resolve` stands: one phase, played by new, resolve and export in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def __call__(self, ruleset: Ruleset, campaign: Campaign, secret: bytes, filled: Mapping[str, str]) -> Outcome:
        """As `assistant.turn.phases.resolve`."""
        self.runs += 1
        place = self.folder / str(self.runs)
        given = campaign.copy()
        table = given.table(Question)
        for name, answer in filled.items():
            row = table.record(question=name, turn=campaign.desk.turn, phase=campaign.desk.phase)
            row = table.get(row.ident) or table.add(row)
            row.answer = answer
        place.mkdir()
        write_folder(given, place / "in")
        book = str(place / "case.xlsx")
        code, text = command("new", "anarchy", book, "--from", str(place / "in"), "--secret", secret.hex())
        assert code == 0, text
        code, text = command("resolve", book, "--json")
        said = json.loads(text)
        assert code in (0, 1, 3), text
        assert command("export", book, "--to", str(place / "out"))[0] == 0
        _, after, findings = read_folder(place / "out", ruleset)
        assert findings == []
        return outcome(campaign, after, said, code)


def outcome(before: Campaign, after: Campaign, said: Mapping[str, Any], code: int) -> Outcome:
    """What the command said and wrote, as `resolve` would have returned it."""
    turn, phase = before.desk.turn, before.desk.phase
    found = [Finding(f["code"], f["severity"], Where(f["sheet"], f["row"], f["field"]), f["data"], f["faction"])
             for f in said["findings"]]
    asked = [q for q in after.table(Question) if q.status == "open" and (q.turn, q.phase) == (turn, phase)]
    events = [e for _, e in after.table(Event).in_file_order()][len(before.table(Event)):]
    dice = [d for d in after.table(Die) if (d.turn, d.phase) == (turn, phase)]
    rolls = [typed_roll(d.key, d.dice, d.value, d.audience) for d in dice]
    return Outcome(after if code != 1 else before, turn, phase, code == 0, asked, found, events, rolls)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda test: test.__name__)
def test_a_worked_example_through_the_commands(
    example: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the book's example says is also true of a workbook that was made, resolved and exported by commands."""
    commands = Commands(tmp_path)
    monkeypatch.setattr(cases, "resolve", commands)
    example()
    assert commands.runs
