"""The watch over changes by hand is asked once a command, and its answer is handed on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.desk.workspace.detect_edits import detect_edits
from tests.desk import tiny
from tests.desk.conftest import copied
from tests.hand import by_hand
from tests.playing import take_lines

WATCH = tuple(str(Path("assistant", "desk", *room)) for room in (
    ("workspace", "detect_edits.py"), ("workspace", "fingerprints.py"), ("workspace", "check_against_ledger.py"),
    ("commands", "accept_revert.py")))
"""Where it is asked what was changed by hand, what that means, and whether workbook and ledger are of one moment."""
FEW = 30
"""How often a command comes past the watch at most, from reading the workbook to what is kept of it."""


@dataclass
class Steps:
    """What a command did. `looks`: how often it compared the workbook with the ledger's fingerprints; `writings`: how
    often it wrote the workbook; `asked`: which functions of the watch it called from outside, in order;
    `first_rule`: how many of them before the rulebook's first phase saw an order.
    """

    looks: int = 0
    writings: int = 0
    asked: list[str] = field(default_factory=list)
    first_rule: int | None = None

    def take(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call in, as `sys.setprofile` tells of it."""
        code, caller = frame.f_code, frame.f_back
        if event != "call" or code.co_name.startswith("<"):
            return
        while caller is not None and caller.f_code.co_name.startswith("<"):  # whoever runs through a comprehension
            caller = caller.f_back
        self.looks += code is detect_edits.__code__
        self.writings += code.co_name == "write" and code.co_filename.endswith("file_book.py")
        if code is tiny.march.__code__ and self.first_rule is None:
            self.first_rule = len(self.asked)
        if caller is not None and _of_the_watch(code) and not _of_the_watch(caller.f_code):
            self.asked.append(code.co_name)


def _of_the_watch(code: CodeType) -> bool:
    return any(room in code.co_filename for room in WATCH)


def steps_of(command: Callable[[], Any]) -> Steps:
    """What a command does on its way."""
    steps = Steps()
    sys.setprofile(steps.take)
    try:
        command()
    finally:
        sys.setprofile(None)
    return steps


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """A campaign in its second turn, with orders for it."""
    book = copied(fresh, tmp_path_factory.mktemp("second"))
    assert desk.resolve(book, until="fight", defaults=True).exit == Exit.DONE
    take_lines(book, "A: M1", "B: M1")
    return book.parent


@pytest.fixture
def played(campaign: Path, tmp_path: Path) -> Path:
    """The campaign, to play on."""
    return copied(campaign, tmp_path)


def test_an_order_passes_the_watch_once_on_its_way_through_two_phases(played: Path) -> None:
    """One look, one writing for both phases, and no more than a handful of questions before a rule sees the order."""
    steps = steps_of(lambda: desk.resolve(played, until="clash", defaults=True))

    assert (steps.looks, steps.writings) == (1, 1)
    assert steps.first_rule is not None
    assert steps.first_rule <= FEW - 2, steps.asked
    assert len(steps.asked) <= FEW, steps.asked


COMMANDS: dict[str, Callable[[Path], Any]] = {
    "status": desk.status,
    "check": desk.check,
    "check --mark": lambda book: desk.check(book, mark=True),
    "answers": desk.answers,
    "orders": lambda book: take_lines(book, "A: A1"),
    "report": lambda book: desk.report(book, book.parent / "out"),
    "verify": desk.verify,
    "history": desk.history,
    "undo": desk.undo,
    "correct": lambda book: desk.correct(
        book, desk.CorrectionRequest(withdraw=("1-march-A-1",)), desk.CorrectionOptions("why")
    ),
}
DECIDING: dict[str, Callable[[Path], Any]] = {
    "accept": lambda book: desk.accept(book, [], why="so it was", everything=True),
    "revert": lambda book: desk.revert(book, [], everything=True),
    "check --mark": COMMANDS["check --mark"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_looks_at_most_once(played: Path, command: str) -> None:
    """Whether a command only looks or writes: it is told once what was changed by hand."""
    steps = steps_of(lambda: COMMANDS[command](played))

    assert steps.looks <= 1
    assert steps.writings <= 1


@pytest.mark.parametrize("command", DECIDING)
def test_what_was_changed_by_hand_is_looked_for_once(played: Path, command: str) -> None:
    """Also where there is something to decide on, or to mark."""
    by_hand(played, ("Factions", "A", "Gold", 77))

    steps = steps_of(lambda: DECIDING[command](played))

    assert steps.looks == 1
    assert steps.writings == (command in ("accept", "revert"))
