"""The worked examples once more, through the commands: CSV in, a workbook, CSV out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.testing.cases import run_command
from assistant.workbook.read.csv_folder import write_folder
from tests import playing
from tests.giglio import cases, test_examples
from tests.playing import ResolveByCommands

EXAMPLES = [
    test for name, test in vars(test_examples).items()
    if name.startswith("test_") and not inspect.signature(test).parameters
]
NEW_ROWS = {"Opening", "Table34"}


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES[::4], ids=lambda test: test.__name__)
def test_a_worked_example_through_the_commands(
    example: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What every fourth example of the book says is also true of a workbook that was made, resolved and exported by
    commands; `test_examples` plays all of them without.
    """
    commands = ResolveByCommands(tmp_path)
    monkeypatch.setattr(playing, "resolve", commands)
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
    assert run_command("new", "giglio", book, "--from", str(tmp_path / "in"), "--secret", cases.SECRET.hex())[0] == 0
    assert run_command("resolve", book)[0] == 3
    assert run_command("orders", book, "V: ally_confirm P accept")[0] == 0
    assert run_command("resolve", book)[0] == 0
    assert run_command("correct", book, later, f"answer {name} refuse", "--why", "typo")[0] == 0
    assert run_command("correct", book, later, "--why", "typo", "--commit", "--partly")[0] == 3
    assert run_command("resolve", book)[0] == 3
    assert run_command("orders", book, "V: ally_confirm P accept")[0] == 0
    assert run_command("resolve", book)[0] == 0
    assert run_command("verify", book)[0] == 0
    assert run_command("export", book, "--to", str(tmp_path / "out"))[0] == 0
    assert "P,V,1500,1500,no" in (tmp_path / "out" / "alliances.csv").read_text(encoding="utf-8")
