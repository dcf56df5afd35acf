"""What the command line takes from the desk and from the buttons, each loaded when it is called."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from assistant import buttons, desk

DOORS = pytest.mark.parametrize("door", [desk, buttons], ids=["desk", "buttons"])


def declared(door: ModuleType) -> dict[str, str]:
    """Name and module, as the package declares them."""
    tree = ast.parse(Path(str(door.__file__)).read_text(encoding="utf-8"))
    return {alias.name: str(node.module) for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(door.__name__) for alias in node.names}


@DOORS
def test_every_declared_name_is_there(door: ModuleType) -> None:
    """Every name in its module; none is the name of a module, which would hide it."""
    assert len(declared(door)) > 5
    assert all(getattr(door, name).__module__ == room for name, room in declared(door).items())
    assert not any((Path(str(door.__file__)).with_name(f"{name}.py")).exists() for name in declared(door))


@DOORS
def test_a_name_that_is_not_declared_is_not_there(door: ModuleType) -> None:
    """As in any module."""
    with pytest.raises(AttributeError, match="conquer"):
        _ = door.conquer


@pytest.mark.parametrize("command", ["resolve", "check"])
def test_a_phase_does_not_wait_for_what_corrects_the_past(command: str) -> None:
    """What other commands need is not loaded for resolving or checking."""
    seen = subprocess.run([sys.executable, "-c", f"import sys; from assistant import desk; desk.{command}; "
                           "from assistant.turn.rulebooks import load; load('giglio'); print(*sys.modules)"],
                          capture_output=True, text=True, check=True).stdout.split()

    assert {"assistant.desk.commands.resolve", "assistant.rulesets.giglio.ruleset"} <= set(seen)
    assert "importlib.metadata" not in seen
    assert not {"assistant.desk.past.correct", "assistant.desk.intake.take_orders",
                "assistant.desk.commands.report", "assistant.desk.commands.new_campaign",
                "assistant.desk.commands.status"} & set(seen)
