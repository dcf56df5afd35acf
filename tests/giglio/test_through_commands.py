"""The worked examples once more, through the commands: CSV in, a workbook, CSV out."""

from __future__ import annotations

import inspect
import json
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
from tests.giglio import cases, test_examples

EXAMPLES = [
    test for name, test in vars(test_examples).items()
    if name.startswith("test_") and not inspect.signature(test).parameters
]
NEW_ROWS = {"Opening", "Table34"}


def command(*words: str) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    result = CliRunner().invoke(main, list(words), catch_exceptions=False)
    return result.exit_code, result.stdout


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
        for ident, answer in filled.items():
            row = given.table(Question).get(ident) or given.table(Question).add(Question(question=ident))
            row.turn, row.phase, row.answer = campaign.desk.turn, campaign.desk.phase, answer
        place.mkdir()
        write_folder(given, place / "in")
        book = str(place / "case.xlsx")
        code, text = command("new", "giglio", book, "--from", str(place / "in"), "--secret", secret.hex())
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
    monkeypatch.setattr(cases, "BOOKKEEPING", cases.BOOKKEEPING | NEW_ROWS)
    example()
    assert commands.runs


@pytest.mark.slow
def test_a_correction_of_an_offer_asks_its_partner_again(tmp_path: Path) -> None:
    """Alliances: the answer to the old terms is not carried over; one that comes with the correction counts."""
    write_folder(cases.build("budget", orders="P ally V passage 1502"), tmp_path / "in")
    (tmp_path / "later.csv").write_text("order,year,phase,faction,seq,verb,partner,option,amount\n"
                                        "o1,1500,budget,P,1,ally,V,no_passage,1500\n", encoding="utf-8")
    book, later, name = str(tmp_path / "case.xlsx"), str(tmp_path / "later.csv"), "1500.budget.ally_confirm.V.P"
    assert command("new", "giglio", book, "--from", str(tmp_path / "in"), "--secret", cases.SECRET.hex())[0] == 0
    assert command("resolve", book)[0] == 3
    assert command("orders", book, "V: ally_confirm P accept")[0] == 0
    assert command("resolve", book)[0] == 0
    assert command("correct", book, later, f"answer {name} refuse", "--why", "typo")[0] == 0
    assert command("correct", book, later, "--why", "typo", "--commit", "--partly")[0] == 3
    assert command("resolve", book)[0] == 3
    assert command("orders", book, "V: ally_confirm P accept")[0] == 0
    assert command("resolve", book)[0] == 0
    assert command("verify", book)[0] == 0
    assert command("export", book, "--to", str(tmp_path / "out"))[0] == 0
    assert "P,V,1500,1500,no" in (tmp_path / "out" / "alliances.csv").read_text(encoding="utf-8")
