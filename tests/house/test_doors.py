"""The desk's commands, each loaded when it is called."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from assistant import desk

ROOMS = {name: f"{desk.__name__}.{room}" for name, room in desk._ROOM_OF.items()}


def declared() -> dict[str, str]:
    """Name and module, as the type checker is told."""
    tree = ast.parse(Path(str(desk.__file__)).read_text(encoding="utf-8"))
    return {alias.name: str(node.module) for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(desk.__name__) for alias in node.names}


def test_the_type_checker_is_told_the_same_as_python() -> None:
    """Every name in the same module, and there it is; none is the name of a module, which would hide it."""
    assert declared() == ROOMS
    assert all(getattr(desk, name).__module__ == room for name, room in ROOMS.items())
    assert not any((Path(str(desk.__file__)).with_name(f"{name}.py")).exists() for name in ROOMS)


def test_a_phase_does_not_wait_for_what_corrects_the_past() -> None:
    """What other commands need is not loaded for resolving."""
    seen = subprocess.run([sys.executable, "-c", "import sys; from assistant import desk; desk.resolve; "
                           "print(*sys.modules)"], capture_output=True, text=True, check=True).stdout.split()

    assert "assistant.desk.resolving" in seen
    assert not {"assistant.desk.correcting", "assistant.desk.intake", "assistant.desk.reports",
                "assistant.desk.founding", "assistant.desk.looking"} & set(seen)
